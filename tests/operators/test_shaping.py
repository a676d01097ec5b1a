"""Operators that cut, repeat and rearrange: what they refuse, and on which chips."""

from __future__ import annotations

from typing import Any

import pytest
from children import output_of
from operators.calls import INNER_NULL, INVALID, NULL, code, tensor

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

NZ = "FRACTAL_NZ"


@pytest.mark.parametrize(
    ("tensors", "dim", "chunks", "out", "expected"),
    [
        ([tensor(5, 2), tensor(3)], 0, 2, tensor(2, 8), 0),
        ([tensor(5, 2), tensor(0, 2)], 0, 2, tensor(2, 6), 0),
        ([tensor(0, 2)], 0, 2, tensor(7), 0),  # nothing is joined
        ([], 0, 2, tensor(7), 0),
        ([tensor(5, 2)], 1, 2, tensor(2, 6), INVALID),
        ([tensor(5, 2), None], 0, 2, tensor(2, 6), NULL),
        ([tensor(5, 2), tensor(3, dtype="float16")], 0, 2, tensor(2, 8), INVALID),
        ([tensor(5, dtype="int32")], 0, 2, tensor(2, 3, dtype="int32"), INVALID),
        ([tensor(5)], 0, 2, tensor(2, 3, dtype="float16"), INVALID),
        ([tensor(5, dtype="float16")], 0, 2, tensor(2, 3, dtype="bfloat16"), 0),
        ([tensor()], 0, 2, tensor(2, 1), INVALID),
        ([tensor(*[1] * 9)], 0, 2, tensor(2, 1), INVALID),
        ([tensor(5, 2)], 0, 2, tensor(2, 5), INVALID),
        ([tensor(5, 2)], 0, 0, tensor(0, 5), INNER_NULL),
        ([tensor(5, 2)], 0, -3, tensor(2, 5), INNER_NULL),
        ([with_format(tensor(16, 16), NZ)], 0, 2, tensor(2, 128), INVALID),
    ],
)
def test_chunks_that_are_refused(
    tensors: list[Any], dim: int, chunks: int, out: pa.Tensor, expected: int
) -> None:
    assert code("chunk_cat", tensors, dim, chunks, out=out) == expected


@pytest.mark.parametrize("chip", ["Ascend910A", "Ascend310P1", "Ascend910_95"])
def test_chunks_are_for_a2_and_a3(chip: str) -> None:
    program = """
        import pyaclnn as pa
        try:
            pa.ops.chunk_cat([pa.ones((4, 2))], 0, 2)
        except pa.AclError as error:
            print(error.code)
    """
    assert output_of(program, PYACLNN_SIM_SOC=chip) == str(INNER_NULL)
