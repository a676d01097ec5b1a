"""Operators that cut, repeat and rearrange: what they refuse, and on which chips."""

from __future__ import annotations

from typing import Any

import pytest
from operators.calls import INNER_NULL, INVALID, NULL, code, device, ones

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

NZ = "FRACTAL_NZ"
REPEATS = device([2, 0, 4, 1, 3, 2], "int64")


@pytest.mark.parametrize(
    ("tensors", "dim", "chunks", "out", "expected"),
    [
        ([ones(5, 2), ones(3)], 0, 2, ones(2, 8), 0),
        ([ones(5, 2), ones(0, 2)], 0, 2, ones(2, 6), 0),
        ([ones(0, 2)], 0, 2, ones(7), 0),  # nothing is joined
        ([], 0, 2, ones(7), 0),
        ([ones(5, 2)], 1, 2, ones(2, 6), INNER_NULL),
        ([ones(5, 2, dtype="int32")], 1, 2, ones(2, 6), INVALID),
        ([], 1, 2, ones(7), 0),
        ([], 0, 2, None, 0),
        ([ones(5, 2), None], 0, 2, ones(2, 6), NULL),
        ([ones(5, 2), ones(3, dtype="float16")], 0, 2, ones(2, 8), INVALID),
        ([ones(5, dtype="int32")], 0, 2, ones(2, 3, dtype="int32"), INVALID),
        ([ones(5)], 0, 2, ones(2, 3, dtype="float16"), INVALID),
        ([ones(5, dtype="float16")], 0, 2, ones(2, 3, dtype="bfloat16"), 0),
        ([ones()], 0, 2, ones(2, 1), INVALID),
        ([ones(*[1] * 9)], 0, 2, ones(2, 1), INVALID),
        ([ones(5, 2)], 0, 2, ones(2, 5), INVALID),
        ([ones(5, 2)], 0, 0, ones(0, 5), INNER_NULL),
        ([ones(5, 2)], 0, -3, ones(2, 5), INNER_NULL),
        ([with_format(ones(16, 16), NZ)], 0, 2, ones(2, 128), INVALID),
    ],
)
def test_chunks_that_are_refused(
    tensors: list[Any], dim: int, chunks: int, out: pa.Tensor, expected: int
) -> None:
    assert code("chunk_cat", tensors, dim, chunks, out=out) == expected


@pytest.mark.parametrize(
    ("operator", "arguments", "out", "expected"),
    [
        ("repeat_interleave", (ones(2, 3), REPEATS, 12), ones(12), 0),
        ("repeat_interleave", (ones(2, 3), REPEATS, 11), ones(12), INVALID),
        ("repeat_interleave", (ones(2, 3), None, 12), ones(12), NULL),
        ("repeat_interleave", (ones(2, 3), ones(6), 12), ones(12), INVALID),
        ("repeat_interleave", (ones(2, 3), device([1, 2], "int64"), 12), ones(12), INVALID),
        ("repeat_interleave", (ones(2, 3), device([[2]], "int64"), 12), ones(12), INVALID),
        ("repeat_interleave", (ones(0, 3), device([1, 2], "int64"), 0), ones(0), INVALID),
        ("repeat_interleave", (ones(1), device([], "int64"), 1), ones(1), INVALID),
        # Where nothing is repeated CANN finds that where it copies.
        ("repeat_interleave", (ones(4), device([1], "int64"), 4), ones(5), INNER_NULL),
        ("repeat_interleave_with_dim", (ones(2, 3), REPEATS, 1, 6), ones(2, 6), INVALID),
        ("repeat_interleave_with_dim", (ones(3, 6), REPEATS, 1, 12), ones(3, 12), 0),
        ("repeat_interleave_with_dim", (ones(3, 6), REPEATS, 2, 12), ones(3, 12), INVALID),
        ("repeat_interleave_with_dim", (ones(), REPEATS, 0, 12), ones(12), INVALID),
        ("repeat_interleave_with_dim", (ones(3, 6), REPEATS, 1, 0), ones(7), 0),
        ("repeat_interleave_tensor", (REPEATS, 12), device([0] * 12, "int64"), 0),
        ("repeat_interleave_tensor", (REPEATS, 12), device([0] * 12, "int32"), INVALID),
        ("repeat_interleave_tensor", (REPEATS, 12), device([0] * 11, "int64"), INVALID),
        ("repeat_interleave_tensor", (device([[2]], "int64"), 2), device([0, 0], "int64"), INVALID),
    ],
)
def test_repetitions_that_are_refused(
    operator: str, arguments: tuple[Any, ...], out: pa.Tensor, expected: int
) -> None:
    assert code(operator, *arguments, out=out) == expected


@pytest.mark.parametrize("counts", [[1, -1, 9, 2, 2**62, 1], [2**62]])
def test_numbers_that_are_none_stay_within_the_result(counts: list[int]) -> None:
    x = device(range(6))
    out = pa.ops.repeat_interleave(x, device(counts, "int64"), 13).numpy()

    assert out.shape == (13,)
    assert out[0] == 0


def test_slices_with_masks_are_for_the_950() -> None:
    slices = code("strided_slice", ones(3), [0], [1], [1], 0, 0, 0, 0, 0, out=ones(1))

    assert slices == INVALID
    assert code("confusion_transpose", ones(2, 3), [1, 0], [6], True) == INNER_NULL


def test_a_cast_needs_memory_for_what_is_copied_before_and_after_it() -> None:
    base, out = pa.full((6, 4), 1.5), pa.empty((6, 4), "int32")

    def workspace(x: pa.Tensor, to: pa.Tensor) -> int:
        with pa.ops.cast.plan(x, "int32", out=to) as plan:
            assert plan.run().numpy().tolist() == [[1] * x.shape[1]] * x.shape[0]
            return plan.workspace_size

    assert workspace(base, out) == 0
    assert workspace(base[:, ::2], pa.empty((6, 2), "int32")) == 512
    assert workspace(base[:, ::2], out[:, ::2]) == 1024
