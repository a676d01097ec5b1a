"""What the benchmark of forward operators compares does the same work."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.bench.forward import LISTS, ROWS, lists, small
from pyaclnn.bench.mechanisms import Mechanism, values

_DRAWN = {"inplace_uniform", "inplace_normal", "inplace_bernoulli", "inplace_random"}
_ROWS = [row for row in ROWS if row.operator not in _DRAWN]
_SHAPE = (6, 40)


def test_rows_have_names_of_their_own() -> None:
    names = [row.name for row in ROWS]
    assert len(set(names)) == len(names)


def test_values_are_in_no_order_and_within_limits() -> None:
    found = values(100, 100)
    assert 0 < found.min() < 0.01
    assert 1.99 < found.max() < 2
    assert abs(np.corrcoef(found[0], np.arange(100))[0, 1]) < 0.2


@pytest.mark.parametrize("row", _ROWS, ids=[row.name for row in _ROWS])
def test_both_compute_the_same(row: Mechanism) -> None:
    torch = pytest.importorskip("torch")
    dtype = row.dtypes[0]
    element = getattr(torch, dtype)

    def convert(value: Any, tensor: Any) -> Any:
        if isinstance(value, list) and isinstance(value[0], np.ndarray):
            return [tensor(item) for item in value]
        return tensor(value) if isinstance(value, np.ndarray) else value

    def theirs(array: Any) -> Any:
        made = torch.from_numpy(array.copy())
        return made.to(element) if array.dtype == np.float32 else made

    def ours(array: Any) -> pa.Tensor:
        return pa.asarray(array, dtype=dtype if array.dtype == np.float32 else None)

    given = row.arguments(_SHAPE, dtype)
    found = pa.ops[row.operator](*(convert(value, ours) for value in given))
    wanted = row.torch(torch, *(convert(value, theirs) for value in given))
    if row.operator == "batch_norm":  # saves variances, PyTorch their inverse roots
        found, wanted = found[0], wanted[0]
    many = tuple(map(pa.filled_part, found if isinstance(found, tuple) else (found,)))
    for one, other in zip(many, wanted if isinstance(found, tuple) else (wanted,), strict=True):
        np.testing.assert_allclose(
            one.numpy().astype(np.float64), other.double().numpy().reshape(one.shape),
            rtol=2e-3, atol=1e-5,
        )  # fmt: skip


def test_small_calls_and_lists_are_measured() -> None:
    pytest.importorskip("torch")
    for row in (ROWS[0].name, "inplace_uniform"):
        assert all(figure > 0 for figure in small(row, calls=2, rounds=1).values())
    name = next(iter(LISTS))
    assert lists(name, calls=1, rounds=1)["float32 eager"] > 0
