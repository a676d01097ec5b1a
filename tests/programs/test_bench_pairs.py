"""The operators that the benchmark compares with PyTorch."""

from __future__ import annotations

import pytest

from pyaclnn.bench.operators import PAIRS, operators
from pyaclnn.bench.pairs_attention import ATTENTION, NOT_MEASURED
from pyaclnn.bench.pairs_convolution import CONVOLUTIONS
from pyaclnn.selftest.suites import SUITES


def test_every_simulated_gradient_has_a_row_or_a_reason() -> None:
    simulated = {suite.operator for suite in SUITES}
    gradients = {name for name in simulated if "backward" in name or "grad" in name}
    assert gradients - {pair.operator for pair in PAIRS.values()} == set(NOT_MEASURED)


def test_rows_of_one_operator_have_names_of_their_own() -> None:
    rows = [pair.name for pair in CONVOLUTIONS]
    assert len(rows) > 10
    assert len(set(rows)) == len(rows)
    assert set(rows) <= set(PAIRS)


@pytest.mark.parametrize(
    "name",
    ["grouped_bias_add_grad", "convolution_backward 1x1 stride 2", *(p.name for p in ATTENTION)],
)
def test_a_row_is_measured(name: str) -> None:
    # Also where PyTorch is there: then its results are compared too.
    assert operators(name, rounds=1)["pyaclnn"] > 0
