"""Operands of matrix products: roundings of cubeMathType, views, batches, sums, no elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from children import output_of

import pyaclnn as pa
from pyaclnn.tensor import as_dtype

Array = np.ndarray[Any, Any]
Product = Callable[[pa.Tensor, pa.Tensor, int], pa.Tensor]

#: Products of two matrices, by every operator with a cubeMathType; addends are zero.
PRODUCTS: dict[str, Product] = {
    "mm": pa.ops.mm,
    "matmul": pa.ops.matmul,
    "batch_mat_mul": lambda a, b, t: pa.ops.batch_mat_mul(a[None], b[None], t)[0],
    "addmm": lambda a, b, t: pa.ops.addmm(zeros(a, b), a, b, 1.0, 1.0, t),
    "baddbmm": lambda a, b, t: pa.ops.baddbmm(zeros(a, b)[None], a[None], b[None], 1, 1, t)[0],
    "addbmm": lambda a, b, t: pa.ops.addbmm(zeros(a, b), a[None], b[None], 1.0, 1.0, t),
    "gemm": lambda a, b, t: pa.ops.gemm(a, b, zeros(a, b), 1.0, 1.0, 0, 0, t),
    "mv": lambda a, b, t: pa.ops.mv(a, b[:, 0], t)[:, None],
}


def zeros(a: pa.Tensor, b: pa.Tensor) -> pa.Tensor:
    return pa.zeros((a.shape[0], b.shape[1]), a.dtype)


def hfloat32(values: Array) -> Array:
    """Return the nearest numbers with 11 bits behind the point, of two the even one."""
    mantissa, exponent = np.frexp(values.astype(float))
    return np.ldexp(np.rint(mantissa * 2**12) / 2**12, exponent).astype(np.float32)


def half(values: Array) -> Array:
    return values.astype(np.float16).astype(np.float32)


#: What becomes of float32 operands.
ROUNDINGS: dict[int, Callable[[Array], Array]] = {0: np.array, 1: hfloat32, 2: half, 3: hfloat32}


@pytest.mark.parametrize("math_type", ROUNDINGS)
@pytest.mark.parametrize("name", PRODUCTS)
def test_operands_of_float32_are_rounded_as_cube_math_type_says(name: str, math_type: int) -> None:
    # One term each: what differs from the exact product is the rounding of operands.
    a = np.array([[1 + 2**-11], [1 + 2**-12], [1 + 3 * 2**-12], [-1.7], [0.3]], np.float32)
    b = np.array([[1.0, 1 + 2**-9]], np.float32)
    result = PRODUCTS[name](pa.asarray(a), pa.asarray(b), math_type).numpy()

    rounded = ROUNDINGS[math_type]
    expected = (rounded(a).astype(float) @ rounded(b).astype(float)).astype(np.float32)
    if math_type == 2:  # the product is float16, too
        expected = half(expected)
    np.testing.assert_array_equal(result, expected[:, : result.shape[1]])


def workspace(operator: str, *arguments: Any) -> int:
    with pa.ops[operator].plan(*arguments) as plan:
        return int(plan.workspace_size)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("operator", ["mm", "matmul", "batch_mat_mul"])
def test_transposed_views_are_not_copied(operator: str, dtype: str) -> None:
    batch = (3,) if operator == "batch_mat_mul" else ()
    rng = np.random.default_rng(3)
    a = rng.normal(size=(*batch, 40, 30)).astype(as_dtype(dtype))
    b = rng.normal(size=(*batch, 50, 40)).astype(as_dtype(dtype))
    last = (*range(len(batch)), len(batch) + 1, len(batch))
    views = [pa.asarray(a).transpose(*last), pa.asarray(b).transpose(*last)]
    copies = [pa.asarray(np.ascontiguousarray(v.transpose(last))) for v in (a, b)]

    assert workspace(operator, *views, 0) == workspace(operator, *copies, 0)
    # One that is no transposed block is copied.
    assert workspace(operator, views[0][..., ::2, :], views[1], 0) > workspace(operator, *views, 0)
    np.testing.assert_array_equal(
        pa.ops[operator](*views, 0).numpy(), pa.ops[operator](*copies, 0).numpy()
    )


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((2, 1, 3, 4), (5, 4, 6)), ((4,), (2, 4, 3)), ((2, 3, 4), (4,)), ((4,), (4,)),
        ((1, 3, 4), (7, 4, 1)), ((2, 0, 4), (4, 3)), ((2, 3, 0), (0, 5)), ((0, 3, 4), (4, 5)),
        ((3, 4), (2, 4, 0)),
    ],
)  # fmt: skip
def test_batches_broadcast_and_may_be_empty(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=a).astype(np.float32), rng.normal(size=b).astype(np.float32)
    result = pa.ops.matmul(pa.asarray(x), pa.asarray(y), 0)

    expected = x.astype(float) @ y.astype(float)
    assert result.shape == expected.shape
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("alpha", [1.0, -0.5, 0.0])
@pytest.mark.parametrize("beta", [1.0, 2.0, 0.0])
@pytest.mark.parametrize("bias", [(3, 5), (5,), (1, 5), (3, 1)])
def test_sums_with_a_bias(bias: tuple[int, ...], beta: float, alpha: float) -> None:
    rng = np.random.default_rng(6)
    c, a, b = (rng.normal(size=s).astype(np.float32) for s in (bias, (3, 4), (4, 5)))
    result = pa.ops.addmm(*map(pa.asarray, (c, a, b)), beta, alpha, 0)

    expected = beta * c.astype(float) + alpha * (a.astype(float) @ b)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-5, atol=1e-5)


_ADDING = """
import numpy as np, pyaclnn as pa
a = pa.asarray(np.array([[2048, 1]], np.float16))
b = pa.asarray(np.array([[1], [1]], np.float16))
row, whole = (pa.asarray(np.full(shape, -2048, np.float16)) for shape in ((1,), (2, 1)))
both = pa.asarray(np.array([[2048, 1], [2048, 1]], np.float16))
wide = pa.empty((2, 1), "float32")
print(
    pa.ops.addmm(row, a, b, 1.0, 1.0, 0).item(),
    pa.ops.addmm(whole, both, b, 1.0, 1.0, 0).numpy()[0, 0],
    pa.ops.addmm(whole, both, b, 1.0, 1.0, 1).numpy()[0, 0],
    pa.ops.addmm(row, a, b, 2.0, 2.0, 1).item(),
    pa.ops.baddbmm(row[None, None], a[None], b[None], 1.0, 1.0, 0).item(),
    pa.ops.addbmm(row, a[None], b[None], 1.0, 1.0, 0).item(),
    pa.ops.mm(both, b, 0, out=wide).numpy()[0, 0],
)
"""


@pytest.mark.parametrize(
    ("soc", "release", "expected"),
    [
        ("Ascend910B1", "9.1", [1, 1, 0, 0, 0, 1, 2049]),
        ("Ascend910B1", "9.0", [1, 0, 0, 0, 0, 1, 2048]),
        ("Ascend950", "9.1", [1, 0, 0, 0, 0, 1, 2049]),
        ("Ascend310P3", "9.1", [1, 0, 0, 0, 0, 1, 2048]),
    ],
)
def test_what_is_added_before_a_product_is_rounded(
    soc: str, release: str, expected: list[float]
) -> None:
    """2049 is no float16: a bias meets it in the cube unit, other addends from 9.1 on A2 and A3."""
    said = output_of(_ADDING, PYACLNN_SIM_SOC=soc, PYACLNN_SIM_CANN=release)
    assert [float(word) for word in said.split()] == expected


def test_an_inner_product_is_one_of_floats_on_chips_whose_matrices_are_of_halves() -> None:
    program = """
    import numpy as np
    import pyaclnn as pa
    a, b = np.random.default_rng(7).normal(0, 1, (2, 300)).astype(np.float32)
    print(float(pa.ops.dot(pa.asarray(a), pa.asarray(b)).item()))
    """
    a, b = np.random.default_rng(7).normal(0, 1, (2, 300)).astype(np.float32).astype(np.float64)

    for chip in ("Ascend310P3", "Ascend910A"):
        np.testing.assert_allclose(
            float(output_of(program, PYACLNN_SIM_SOC=chip)), a @ b, rtol=1e-5
        )
