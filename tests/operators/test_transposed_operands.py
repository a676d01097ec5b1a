"""Element by element with operands that are dense along another axis than the result."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import pyaclnn as pa

#: Around the extents of a tile: a cache line's elements by 256, and blocks shorter than a register.
EXTENTS = (15, 16, 64, 65, 130, 257, 300)


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "int64", "float64"])
def test_the_result_is_that_of_dense_operands(dtype: str) -> None:
    rng = np.random.default_rng(0)
    for rows, columns in itertools.product(EXTENTS, EXTENTS):
        x, y = (rng.integers(-8, 8, shape).astype(dtype) for shape in ((rows, columns), (2, 1)))
        z = np.stack([x, x[::-1]]).swapaxes(0, 1)
        a, b = pa.asarray(x), pa.asarray(np.ascontiguousarray(x.T)).T
        whole = pa.zeros((rows, columns + 1), dtype=dtype)
        pa.ops.sub(a, b, 3, out=whole[:, :columns])
        assert np.array_equal(whole.numpy()[:, :columns], x - 3 * x), (rows, columns)
        assert not whole.numpy()[:, columns].any(), (rows, columns)
        both = pa.ops.add(b, b, 1).numpy()
        assert np.array_equal(both, 2 * x), (rows, columns)
        # Three axes, of which the last but one is dense in one operand, and a column.
        c = pa.asarray(np.ascontiguousarray(z.swapaxes(1, 2))).transpose(0, 2, 1)
        assert np.array_equal(pa.ops.mul(c, pa.asarray(y)).numpy(), z * y), (rows, columns)


@pytest.mark.parametrize(("source", "target"), [("float32", "int32"), ("int8", "float32")])
def test_a_conversion_of_one(source: str, target: str) -> None:
    x = np.random.default_rng(0).integers(-8, 8, (130, 300)).astype(source)
    given = pa.asarray(np.ascontiguousarray(x.T)).T
    assert np.array_equal(pa.ops.cast(given, target).numpy(), x.astype(target))
    assert np.array_equal(pa.ops.neg(given).numpy(), -x)


FLOATS = ("float16", "bfloat16", "float32")
WITH_INTEGERS = ("add", "sub", "rsub", "mul")
PAIRS = [
    *itertools.product((*WITH_INTEGERS, "div", "lerp"), FLOATS),
    *itertools.product(WITH_INTEGERS, ("int8", "int32", "int64")),
]


@pytest.mark.parametrize(("operator", "dtype"), PAIRS)
def test_a_column_is_what_it_is_written_out(operator: str, dtype: str) -> None:
    rng = np.random.default_rng(0)
    alpha = (3,) if operator in ("add", "sub", "rsub") else ()
    first = (pa.asarray(rng.integers(1, 9, (3, 600)), dtype=dtype),) * operator.startswith("lerp")
    x = pa.asarray(rng.integers(1, 9, (3, 600)), dtype=dtype)
    column = rng.integers(1, 9, (3, 1))
    narrow = pa.asarray(column, dtype=dtype)
    wide = pa.asarray(np.broadcast_to(column, (3, 600)), dtype=dtype)
    function = getattr(pa.ops, operator)
    seen = function(*first, x, narrow, *alpha).numpy()
    assert np.array_equal(seen, function(*first, x, wide, *alpha).numpy())
    if dtype.startswith("int"):
        a, b = x.numpy(), column.astype(dtype)
        expected = {"add": a + 3 * b, "sub": a - 3 * b, "rsub": b - 3 * a, "mul": a * b}[operator]
        assert np.array_equal(seen, expected)
