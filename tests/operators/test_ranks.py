"""Tensors of more dimensions than an aclTensor keeps: every operator refuses them."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from operators.raw_calls import status_of

from pyaclnn.selftest.suites import SUITES

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from fuzzing.described import Data
from fuzzing.operators import right_calls

#: Some of all: one place refuses them.
OPERATORS = sorted({s.operator for s in SUITES if not s.chip and s.ranks == 1})[::9]
#: An aclTensor keeps so many.
MOST = 25
REFUSED = 161002


def tensors(call: Data) -> Iterator[Data]:
    """The tensors of a call that are given."""
    for argument in call["arguments"]:
        parts = argument["items"] if argument["kind"] == "tensor_list" else [argument]
        yield from (part for part in parts if part["kind"] == "tensor")


def with_rank(call: Data, rank: int, place: int | None = None) -> Data:
    """A call whose tensors, or one of them, have as many dimensions, those in front of extent 1."""
    changed: Data = copy.deepcopy(call)
    for i, tensor in enumerate(tensors(changed)):
        if place is None or place == i:
            ones = [1] * (rank - len(tensor["shape"]))
            tensor["shape"] = ones + tensor["shape"]
            tensor["strides"] = ones + tensor["strides"]
    return changed


@pytest.mark.parametrize("operator", OPERATORS)
def test_more_dimensions_than_are_kept_are_refused(operator: str) -> None:
    suite = next(s for s in SUITES if s.operator == operator and not s.chip)
    for call in right_calls(suite, suite.dtypes[0], 1):
        count = sum(1 for _ in tensors(call))
        if not count:
            continue
        for rank in (MOST + 1, 40, 64):
            assert status_of(with_rank(call, rank)) == REFUSED
            assert status_of(with_rank(call, rank, count - 1)) == REFUSED
        # Whatever it answers: it answers.
        status_of(with_rank(call, MOST))
