"""Copies by rows: of a column, of one row, of a part and of all, whatever is left of a register."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa

#: Around 16, 32 and 64 bytes of each element size, and around the lengths where the way changes.
WIDTHS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 97, 513, 1025, 4100, 8200,
          70_000)  # fmt: skip
SOURCES = {
    "all": lambda x: pa.asarray(x),
    "part": lambda x: pa.asarray(np.pad(x, ((0, 0), (2, 1))))[:, 2:-1],
    "column": lambda x: pa.asarray(x[:, :1]).broadcast_to(x.shape),
    "row": lambda x: pa.asarray(x[:1]).broadcast_to(x.shape),
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "complex128"])
def test_a_row_is_copied_and_nothing_beside_it(dtype: str, source: str) -> None:
    rng = np.random.default_rng(0)
    for width in WIDTHS:
        values = rng.integers(1, 100, (5, width)).astype(dtype)
        given = SOURCES[source](values)
        whole = pa.zeros((6, width + 3), dtype=dtype)
        pa.ops.inplace_copy(whole[:5, 1 : width + 1], given)
        seen = {"column": values[:, :1], "row": values[:1]}.get(source, values)
        expected = np.zeros((6, width + 3), dtype)
        expected[:5, 1 : width + 1] = seen
        assert np.array_equal(whole.numpy(), expected), width
