"""Joining: refusals in CANN's order, dtypes, empty tensors, and a gradient that is a slice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from finite_differences import numeric_gradient
from operators import calls
from operators.calls import INNER_NULL, INVALID, NULL

import pyaclnn as pa
from pyaclnn.selftest.suites.concat import join
from pyaclnn.tensor.formats import with_format


def code(tensors: Any, dim: int, out: pa.Tensor | None) -> int:
    """The status the operator refuses with; 0 if it does not."""
    return calls.code("cat", tensors, dim, out=(out,))


@pytest.mark.parametrize("dim", [0, -2])
def test_right_arguments_are_accepted(dim: int) -> None:
    assert code([pa.ones((2, 3)), pa.ones((4, 3))], dim, pa.ones((6, 3))) == 0


def test_a_null_list_comes_first() -> None:
    assert code(None, 0, pa.ones((1,), "uint16")) == NULL


def test_a_null_element_comes_before_a_wrong_dtype() -> None:
    assert code([pa.ones((2,), "uint16"), None], 0, pa.ones((2,))) == NULL


def test_a_null_output_is_refused() -> None:
    phase1 = pa.ops.cat.resolve()[0]
    tensors = pa.tensor.TensorList([pa.ones((2,))])

    assert phase1(tensors.handle, 0, pa.ffi.NULL, pa.ffi.new("uint64_t *"),
                  pa.ffi.new("aclOpExecutor **")) == NULL  # fmt: skip


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64", "complex128"])
@pytest.mark.parametrize("position", [0, 1, 2])
def test_other_dtypes_are_refused(dtype: str, position: int) -> None:
    dtypes = ["float32"] * 3
    dtypes[position] = dtype
    first, second, out = (pa.ones((n,), d) for n, d in zip((2, 3, 5), dtypes, strict=True))

    assert code([first, second], 0, out) == INVALID


def test_dtypes_whose_common_one_is_not_offered_are_refused() -> None:
    parts = [pa.ones((2,), "complex64"), pa.ones((2,), "float64")]

    assert code(parts, 0, pa.ones((4,), "complex64")) == INVALID


@pytest.mark.parametrize(
    ("given", "out"), [("float32", "int32"), ("int8", "bool"), ("complex64", "float32")]
)
def test_a_result_is_not_cast_to_a_lesser_kind(given: str, out: str) -> None:
    assert code([pa.ones((2,), given)] * 2, 0, pa.ones((4,), out)) == INVALID


@pytest.mark.parametrize("position", [1, 2])
def test_formats_must_agree(position: int) -> None:
    tensors = [pa.ones((1, 2, 3, 4)), pa.ones((1, 2, 3, 4)), pa.ones((2, 2, 3, 4))]
    tensors[position] = with_format(tensors[position], "NHWC")

    assert code(tensors[:2], 0, tensors[2]) == INVALID


def test_private_formats_are_refused() -> None:
    blocked = [with_format(pa.ones((16, 16)), "FRACTAL_NZ") for _ in range(3)]

    assert code(blocked[:2], 0, blocked[2]) == INVALID


@pytest.mark.parametrize("dim", [2, -3, 1 << 40])
def test_a_dimension_out_of_range_is_refused(dim: int) -> None:
    assert code([pa.ones((2, 3)), pa.ones((2, 3))], dim, pa.ones((4, 3))) == INVALID


@pytest.mark.parametrize(
    ("first", "second"), [((2, 3), (2, 4)), ((2, 3), (3,)), ((2, 3), (2, 3, 1)), ((), ())]
)
def test_shapes_that_do_not_join_are_refused(first: Any, second: Any) -> None:
    assert code([pa.ones(first), pa.ones(second)], 0, pa.ones((4, 3))) == INVALID


def test_more_than_eight_dimensions_are_refused() -> None:
    long = pa.ones((1,) * 9)

    assert code([long, long], 0, pa.ones((2, *(1,) * 8))) == INVALID


def test_a_wrong_output_shape_has_another_code_for_one_tensor_than_for_several() -> None:
    part = pa.ones((2, 3))

    assert code([part, part], 0, pa.ones((4, 4))) == INVALID
    assert code([part], 0, pa.ones((4, 4))) == INNER_NULL


def test_nothing_to_join_leaves_the_output_alone() -> None:
    out = pa.full((3,), 7.0)

    assert code([pa.zeros((0,))], 0, out) == 0
    np.testing.assert_array_equal(out.numpy(), np.full(3, 7, np.float32))


@pytest.mark.parametrize(
    ("dtypes", "common"),
    [
        (("float16", "float32"), "float32"), (("float16", "bfloat16"), "float32"),
        (("int8", "uint8"), "int16"), (("bool", "int32"), "int32"),
        (("int64", "float16"), "float16"), (("float32", "complex64"), "complex64"),
    ],
)  # fmt: skip
def test_the_result_has_the_common_dtype(dtypes: tuple[str, str], common: str) -> None:
    for order in (dtypes, dtypes[::-1]):
        joined = pa.ops.cat([pa.ones((2,), d) for d in order], 0)

        assert joined.dtype.name == common
        np.testing.assert_array_equal(joined.numpy().astype(np.complex128), np.ones(4))


def test_values_are_rounded_to_the_common_dtype_and_then_to_the_outputs() -> None:
    third = np.array([1 / 3], np.float16)
    out = pa.empty((2,), "float64")

    pa.ops.cat([pa.asarray(third), pa.asarray(third)], 0, out=(out,))

    np.testing.assert_array_equal(out.numpy(), np.array([third[0]] * 2, np.float64))


def test_the_gradient_is_the_part_of_the_gradient() -> None:
    rng = np.random.default_rng(3)
    a, b, grad = (rng.normal(size=s) for s in ((2, 3), (2, 2), (2, 5)))

    def forward(x: np.ndarray) -> np.ndarray:
        joined = pa.ops.cat([pa.asarray(a), pa.asarray(x)], 1)
        return joined.numpy()

    np.testing.assert_allclose(numeric_gradient(forward, b, grad), grad[:, 3:], rtol=1e-6)


def test_a_list_that_takes_several_kernels_needs_memory_between_them() -> None:
    def workspace(count: int) -> int:
        parts = [pa.ones((2, 3)) for _ in range(count)]
        with pa.ops.cat.plan(parts, 0) as plan:
            np.testing.assert_array_equal(plan.run().numpy(), np.ones((2 * count, 3)))
            return plan.workspace_size

    assert workspace(32) == 0
    assert workspace(33) > 0


def test_joining_is_what_torch_does_with_empty_tensors() -> None:
    arrays = [np.zeros(0, np.float32), np.ones((2, 3), np.float32)]

    joined = pa.ops.cat([pa.asarray(a) for a in arrays], 0)

    np.testing.assert_array_equal(joined.numpy(), join(arrays, 0))


def joined_on_950() -> list[str]:
    """Return the types on the 950 of which joined parts are not the parts' elements."""
    numbers = np.arange(16).reshape(2, 8) % 7
    wrong = []
    for name in ("uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2"):
        values = numbers.astype(pa.zeros((1,), name).numpy().dtype)
        whole = pa.ops.cat([pa.asarray(values[:, :3]), pa.asarray(values[:, 3:])], 1)
        if whole.dtype.name != name or not np.array_equal(whole.numpy(), values):
            wrong.append(name)
    return wrong


def test_the_950_joins_wide_unsigned_integers_and_floats_of_8_bits() -> None:
    assert found_on("Ascend950", "operators.test_concat", "joined_on_950()") == []
