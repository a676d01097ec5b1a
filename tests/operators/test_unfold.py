"""Unfolding and regions of interest: refusals in CANN's order, derivatives, empty tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finite_differences import numeric_gradient
from operators.calls import INNER_NULL, INVALID, NULL, TILING, code

import pyaclnn as pa
from pyaclnn.selftest.suites.unfold import Align, Windows, im2col, roi_align, unfold

WINDOWS = Windows((5, 6), (2, 3), (2, 1), (1, 1), (2, 1))
ALIGN = Align((2, 3, 6, 7), (2, 2), ((0.0, 1.0, 1.5, 5.0, 4.5), (1.0, 0.25, 0.0, 6.0, 5.0)), 1.0, 2)


def columns_shape(windows: Windows = WINDOWS, lead: tuple[int, ...] = (2, 3)) -> Any:
    return im2col(np.zeros((*lead, *windows.size)), windows).shape


def im2col_code(**changes: Any) -> int:
    """The status with some arguments changed."""
    arguments: dict[str, Any] = {"grad": pa.ones(columns_shape()), "out": pa.ones((2, 3, 5, 6))}
    arguments |= WINDOWS._asdict() | changes
    out = arguments.pop("out")
    return code("im2col_backward", *arguments.values(), out=out)


def unfold_code(**changes: Any) -> int:
    """The status with some arguments changed."""
    arguments: dict[str, Any] = {
        "grad": pa.ones((4, 4, 5, 2)), "sizes": (4, 9, 5), "dim": 1, "size": 2, "step": 2,
        "out": pa.ones((4, 9, 5)),
    }  # fmt: skip
    arguments |= changes
    out = arguments.pop("out")
    return code("unfold_grad", *arguments.values(), out=out)


def roi_code(**changes: Any) -> int:
    """The status with some arguments changed."""
    arguments: dict[str, Any] = {
        "grad": pa.ones((2, 3, 2, 2)), "boxes": pa.ones((2, 5)), "shape": ALIGN.shape,
        "height": 2, "width": 2, "scale": 1.0, "ratio": 2, "aligned": False,
        "out": pa.ones(ALIGN.shape),
    }  # fmt: skip
    arguments |= changes
    out = arguments.pop("out")
    return code("roi_align_v2_backward", *arguments.values(), out=out)


def test_right_arguments_are_accepted() -> None:
    assert (im2col_code(), unfold_code(), roi_code()) == (0, 0, 0)


@pytest.mark.parametrize("missing", ["grad", *Windows._fields])
def test_im2col_looks_for_null_before_dtypes(missing: str) -> None:
    changes = {"grad": pa.ones(columns_shape(), "int8"), missing: None}
    out = pa.ones((2, 3, 5, 6))
    assert im2col_code(**changes, out=out) == NULL


@pytest.mark.parametrize("missing", ["grad", "sizes"])
def test_unfold_has_another_code_for_null(missing: str) -> None:
    changes = {"grad": pa.ones((4, 4, 5, 2), "int8"), missing: None}
    assert unfold_code(**changes) == INNER_NULL


@pytest.mark.parametrize("missing", ["grad", "boxes", "shape"])
def test_roi_align_looks_for_null_before_dtypes(missing: str) -> None:
    changes = {"grad": pa.ones((2, 3, 2, 2), "int8"), missing: None}
    assert roi_code(**changes) == NULL


@pytest.mark.parametrize("dtype", ["int32", "bool", "float64"])
def test_other_dtypes_are_refused(dtype: str) -> None:
    assert im2col_code(grad=pa.ones(columns_shape(), dtype)) == INVALID
    assert im2col_code(out=pa.ones((2, 3, 5, 6), dtype)) == INVALID
    assert unfold_code(grad=pa.ones((4, 4, 5, 2), dtype)) == INVALID
    assert unfold_code(out=pa.ones((4, 9, 5), dtype)) == INVALID
    assert roi_code(grad=pa.ones((2, 3, 2, 2), dtype)) == INVALID
    assert roi_code(boxes=pa.ones((2, 5), dtype)) == INVALID
    assert roi_code(out=pa.ones(ALIGN.shape, dtype)) == INVALID


def test_roi_align_knows_no_halves() -> None:
    for dtype in ("float16", "bfloat16"):
        assert (
            roi_code(grad=pa.ones((2, 3, 2, 2), dtype), out=pa.ones(ALIGN.shape, dtype)) == INVALID
        )


def test_unfold_cannot_cast_its_result() -> None:
    assert unfold_code(out=pa.ones((4, 9, 5), "float16")) == INNER_NULL


@pytest.mark.parametrize("position", range(5))
@pytest.mark.parametrize("length", [1, 3])
def test_every_list_of_im2col_has_two_values(position: int, length: int) -> None:
    assert im2col_code(**{Windows._fields[position]: (1,) * length}) == INVALID


@pytest.mark.parametrize("name", ["kernel", "dilation", "stride", "padding"])
def test_numbers_below_the_least_are_refused(name: str) -> None:
    least = 0 if name == "padding" else 1
    for value in ((least - 1, 1), (1, least - 1), (-(2**62), 1)):
        assert im2col_code(**{name: value}) == INVALID


@pytest.mark.parametrize("value", [2**31, 2**32, 2**62, 2**63 - 1])
@pytest.mark.parametrize("name", ["kernel", "dilation", "stride", "padding", "size"])
def test_numbers_that_overflow_are_refused(name: str, value: int) -> None:
    assert im2col_code(**{name: (value, value)}) == INVALID


def test_a_number_of_windows_that_wraps_is_no_number_of_windows() -> None:
    first = 2**32 + 3
    second = 3 * pow(first, -1, 2**64) % 2**64
    padding = (first // 2, second // 2)
    ones = (1, 1)

    arguments = (pa.ones((1, 3)), ones, ones, ones, padding, ones)

    assert first * second % 2**64 == 3
    assert second < 2**63
    assert code("im2col_backward", *arguments, out=pa.ones((1, 1, 1))) == TILING


def test_im2col_shapes_must_belong_together() -> None:
    n, rows, windows = columns_shape()
    assert im2col_code(grad=pa.ones((n, rows + 1, windows))) == INVALID
    assert im2col_code(grad=pa.ones((n, rows, windows + 1))) == INVALID
    assert im2col_code(grad=pa.ones((n, 1, rows, windows))) == INVALID
    assert im2col_code(grad=pa.ones((rows, windows))) == INVALID
    assert im2col_code(out=pa.ones((2, 3, 6, 5))) == INVALID
    assert im2col_code(out=pa.ones((3, 5, 6))) == INVALID


def test_unfold_shapes_must_belong_together() -> None:
    assert unfold_code(sizes=(4, 9)) == INVALID
    assert unfold_code(sizes=(4, 8, 5)) == INVALID
    assert unfold_code(out=pa.ones((4, 9, 6))) == INVALID
    assert unfold_code(grad=pa.ones((1,) * 9), sizes=(1,) * 8, out=pa.ones((1,) * 8)) == INVALID
    assert unfold_code(grad=pa.ones((4, 3, 5, 2))) == TILING


def test_unfold_numbers_have_ranges() -> None:
    for change in ({"dim": -1}, {"dim": 3}, {"size": 0}, {"size": -1}, {"step": 0}, {"step": -2}):
        assert unfold_code(**change) == INVALID


def test_roi_align_shapes_must_belong_together() -> None:
    assert roi_code(boxes=pa.ones((2, 4))) == INVALID
    assert roi_code(boxes=pa.ones((3, 5))) == INVALID
    assert roi_code(shape=ALIGN.shape[:3]) == INVALID
    assert roi_code(shape=(2, 3, 7, 6)) == INVALID
    assert roi_code(height=3) == INVALID
    assert roi_code(width=1) == INVALID
    assert roi_code(grad=pa.ones((2, 4, 2, 2))) == INVALID


def test_roi_align_numbers_have_ranges() -> None:
    for change in ({"ratio": -1}, {"scale": 0.0}, {"scale": -1.0}, {"scale": 1e-38}):
        assert roi_code(**change) == INVALID


def test_im2col_backward_is_the_derivative_of_im2col() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(2, 3, 5, 6))
    grad = rng.normal(size=columns_shape()).astype(np.float32)

    result = pa.ops.im2col_backward(pa.asarray(grad), *WINDOWS)

    expected = numeric_gradient(lambda v: im2col(v, WINDOWS), x, grad)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


def test_unfold_grad_is_the_derivative_of_unfold() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(3, 9, 2))
    grad = rng.normal(size=(3, 2, 2, 4)).astype(np.float32)

    result = pa.ops.unfold_grad(pa.asarray(grad), x.shape, 1, 4, 3)

    expected = numeric_gradient(lambda v: unfold(v, 1, 4, 3), x, grad)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("aligned", [False, True])
@pytest.mark.parametrize("ratio", [0, 2])
def test_roi_align_backward_is_the_derivative_of_roi_align(ratio: int, aligned: bool) -> None:
    align = ALIGN._replace(shape=(2, 1, 6, 7), ratio=ratio, aligned=aligned)
    rng = np.random.default_rng(7)
    grad = rng.normal(size=(2, 1, 2, 2)).astype(np.float32)
    boxes = pa.asarray(np.array(align.boxes, np.float32))

    result = pa.ops.roi_align_v2_backward(
        pa.asarray(grad), boxes, align.shape, 2, 2, 1.0, ratio, aligned
    )

    x = rng.normal(size=align.shape)
    expected = numeric_gradient(lambda v: roi_align(v, align), x, grad)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


def test_elements_outside_every_window_get_zero() -> None:
    out = pa.ones((7,))
    pa.ops.unfold_grad(pa.ones((2, 2)), (7,), 0, 2, 4, out=out)
    assert out.numpy().tolist() == [1, 1, 0, 0, 1, 1, 0]


def test_a_wider_result_has_the_precision_of_the_gradient() -> None:
    grad = pa.asarray(np.array([[0.0, 1.0], [2048.0, 0.0]], np.float16))
    out = pa.ones((1, 1, 3))

    pa.ops.im2col_backward(grad, (1, 3), (1, 2), (1, 1), (0, 0), (1, 1), out=out)

    # The kernel's result is float16, where 2049 is 2048.
    assert out.numpy().tolist() == [[[0, 2048, 0]]]


def test_halves_are_summed_in_float32() -> None:
    grad = np.zeros((3, 3), np.float16)
    grad[0, 2], grad[1, 1], grad[2, 0] = 1024, 0.5, 0.5

    result = pa.ops.unfold_grad(pa.asarray(grad), (5,), 0, 3, 1)

    # In float16, 1024 + 0.5 is 1024, twice.
    assert result.numpy().tolist() == [0, 0, 1025, 0, 0]


def test_no_columns_leave_the_output_alone() -> None:
    out = pa.ones((0, 3, 5, 6))
    assert im2col_code(grad=pa.ones((0, *columns_shape()[1:])), out=out) == 0
    small = Windows((1, 4), (2, 1))
    out = pa.ones((1, 1, 1, 4))
    pa.ops.im2col_backward(pa.ones((1, 2, 0)), *small, out=out)
    assert out.numpy().tolist() == [[[[1, 1, 1, 1]]]]


def test_no_boxes_give_zeros() -> None:
    out = pa.ones(ALIGN.shape)
    assert roi_code(grad=pa.ones((0, 3, 2, 2)), boxes=pa.ones((0, 5)), out=out) == 0
    assert not out.numpy().any()


@pytest.mark.parametrize("image", [-1.0, 2.0, 1e30, np.nan, np.inf])
def test_boxes_of_images_that_are_not_there_are_skipped(image: float) -> None:
    boxes = np.array([[image, 0, 0, 4, 4], [1, 0, 0, 4, 4]], np.float32)
    result = pa.ops.roi_align_v2_backward(
        pa.ones((2, 3, 2, 2)), pa.asarray(boxes), ALIGN.shape, 2, 2, 1.0, 2, False
    )
    assert result.numpy().sum() == pytest.approx(12)


@pytest.mark.parametrize("corner", [1e30, -1e30, np.inf, np.nan])
def test_boxes_without_end_are_survived(corner: float) -> None:
    boxes = np.array([[0, corner, 0, 4, 4], [0, 0, 0, corner, corner]], np.float32)
    result = pa.ops.roi_align_v2_backward(
        pa.ones((2, 3, 2, 2)), pa.asarray(boxes), ALIGN.shape, 2, 2, 1.0, 0, True
    )
    assert result.shape == ALIGN.shape
    assert np.isfinite(result.numpy()).all()
