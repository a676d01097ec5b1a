"""Convolution gradients: what is refused, in CANN's order, and by which code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NULL, code_of, ones
from operators.convolution_calls import convolve, outputs, tbc

import pyaclnn as pa

TENSORS = ("grad_output", "input", "weight")
ARRAYS = ("stride", "padding", "dilation", "output_padding", "output_mask")


@pytest.mark.parametrize("name", [*TENSORS, *ARRAYS])
def test_null_argument(name: str) -> None:
    assert code_of(convolve, **{name: None}, out=outputs()) == NULL


def test_mask_of_another_length_counts_as_null() -> None:
    assert code_of(convolve, output_mask=(True, True), out=outputs()) == NULL


def test_right_call_succeeds() -> None:
    assert code_of(convolve) == 0
    assert code_of(tbc) == 0


@pytest.mark.parametrize("name", TENSORS)
def test_integers_are_refused(name: str) -> None:
    shape = {"grad_output": (2, 4, 5, 5), "input": (2, 3, 5, 5), "weight": (4, 3, 3, 3)}[name]
    assert code_of(convolve, **{name: ones(*shape, dtype="int32")}, out=outputs()) == INVALID


@pytest.mark.parametrize(
    "changes",
    [
        {"stride": (0, 1)}, {"stride": (1,)}, {"padding": (-1, 0)}, {"padding": (1, 1, 1)},
        {"dilation": (0, 1)}, {"dilation": (1, 1, 1)}, {"output_padding": (1, 0)},
        {"output_padding": (0,)}, {"groups": 0}, {"groups": 3}, {"cube_math_type": 6},
        {"cube_math_type": -1}, {"weight": ones(4, 2, 3, 3)}, {"weight": ones(4, 3, 3)},
        {"input": ones(2, 3)}, {"grad_output": ones(2, 4, 5)},
        {"grad_output": ones(2, 5, 5, 5)}, {"grad_output": ones(0, 4, 5, 5)},
    ],
)  # fmt: skip
def test_invalid_argument(changes: dict[str, Any]) -> None:
    assert code_of(convolve, **changes, out=outputs()) == INVALID


@pytest.mark.parametrize(
    "changes",
    [{"x": ones(2, 3, 5, 6)}, {"w": ones(4, 3, 3, 2)}, {"b": ones(3)}, {"b": ones(4, 1)}],
)
def test_output_of_another_shape(changes: dict[str, Any]) -> None:
    assert code_of(convolve, out=outputs(**changes)) == INVALID


@pytest.mark.parametrize(("math", "status"), [(4, 0), (5, INVALID)])
def test_precisions_of_cann_9_1(math: int, status: int) -> None:
    assert code_of(convolve, cube_math_type=math) == status
    assert code_of(tbc, cube_math_type=math) == status


def test_missing_tensor_is_found_before_a_wrong_attribute() -> None:
    assert code_of(convolve, input=None, stride=(0, 0), out=outputs()) == NULL


@pytest.mark.parametrize("grad", [(2, 4, 5, 6), (3, 4, 5, 5)])
def test_gradients_that_do_not_fit_are_found_by_the_kernel(grad: tuple[int, ...]) -> None:
    assert code_of(convolve, grad_output=ones(*grad), out=outputs()) == INNER_NULL


def test_gradient_of_the_bias_alone_takes_any_plane() -> None:
    grad = pa.asarray(np.arange(3 * 4 * 2 * 9, dtype=np.float32).reshape(3, 4, 2, 9))
    _, _, bias = convolve(grad_output=grad, output_mask=(False, False, True))

    np.testing.assert_allclose(bias.numpy(), grad.numpy().sum(axis=(0, 2, 3)))


TRANSPOSED = {
    "transposed": True, "input": ones(2, 4, 5, 5), "grad_output": ones(2, 3, 5, 5),
    "bias_sizes": (3,),
}  # fmt: skip


def test_transposed_plane_that_does_not_fit_is_found_by_the_kernel() -> None:
    assert code_of(convolve, **TRANSPOSED) == 0
    assert code_of(convolve, **TRANSPOSED | {"grad_output": ones(2, 3, 5, 6)}) == INNER_NULL


def transposed(extra: int, extent: int, axes: int) -> dict[str, Any]:
    """Four positions at a stride of two, which is an extent of 7, or of 8 with one more."""
    return {
        "transposed": True, "input": ones(1, 2, *(4,) * axes),
        "weight": ones(2, 2, *(1,) * axes),
        "grad_output": ones(1, 2, *(extent,) * axes), "bias_sizes": (2,), "stride": (2,) * axes,
        "padding": (0,) * axes, "dilation": (1,) * axes, "output_padding": (extra,) * axes,
    }  # fmt: skip


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize("extent", [7, 8])
def test_output_padding_below_the_stride_is_not_compared(
    axes: int, extra: int, extent: int
) -> None:
    assert code_of(convolve, **transposed(extra, extent, axes)) == 0


@pytest.mark.parametrize(("axes", "expected"), [(1, INNER_NULL), (2, INNER_NULL), (3, INVALID)])
def test_output_padding_of_a_whole_stride_is_missed(axes: int, expected: int) -> None:
    assert code_of(convolve, **transposed(1, 9, axes)) == expected


def test_output_padding_is_below_the_stride_in_three_dimensions() -> None:
    wide = transposed(2, 7, 3) | {"dilation": (3, 3, 3)}
    assert code_of(convolve, **wide) == INVALID
    assert code_of(convolve, **transposed(2, 7, 2) | {"dilation": (3, 3)}) == 0


def test_results_left_out_by_the_mask_are_none() -> None:
    grad_input, grad_weight, grad_bias = convolve(output_mask=(False, True, False))
    assert grad_input is None
    assert grad_weight.shape == (4, 3, 3, 3)
    assert grad_bias is None


def grouped(dtype: str, **changes: Any) -> dict[str, Any]:
    """A channel for each group, in three dimensions."""
    image, weight = (1, 4, 3, 3, 3), (4, 1, 1, 1, 1)
    x = ones(*image, dtype=dtype)
    out = (ones(*image, dtype=dtype), ones(*weight), ones(4, dtype=dtype))
    return {
        "grad_output": x, "input": x, "weight": ones(*weight, dtype=dtype), "groups": 4,
        "stride": (1,) * 3, "padding": (0,) * 3, "dilation": (1,) * 3, "output_padding": (0,) * 3,
        "output_mask": (False, True, False), "out": out,
    } | changes  # fmt: skip


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_weights_of_groups_are_not_summed_to_float32_from_a_half(dtype: str) -> None:
    assert code_of(convolve, **grouped(dtype)) == INVALID
    assert code_of(convolve, **grouped(dtype, output_mask=(True, False, True))) == 0


def test_weights_of_groups_are_not_summed_to_float32_in_float16() -> None:
    assert code_of(convolve, **grouped("float32")) == 0
    assert code_of(convolve, **grouped("float32", cube_math_type=2)) == INVALID


def test_of_no_samples_the_weight_gradient_is_zero() -> None:
    out = outputs(x=pa.ones((0, 3, 5, 5)))
    convolve(input=ones(0, 3, 5, 5), grad_output=ones(0, 4, 5, 5), out=out)
    assert not out[1].numpy().any()
    assert not out[2].numpy().any()


def test_of_no_samples_the_bias_size_must_be_right() -> None:
    empty = {"input": ones(0, 3, 5, 5), "grad_output": ones(0, 4, 5, 5)}
    assert code_of(convolve, **empty, bias_sizes=(5,)) == INVALID


@pytest.mark.parametrize("name", ["self", "input", "weight", "bias"])
def test_tbc_null_argument(name: str) -> None:
    out = (ones(5, 2, 3), ones(3, 3, 4), ones(4))
    assert code_of(tbc, **{name: None}, out=out) == NULL


@pytest.mark.parametrize(
    "changes",
    [
        {"self": ones(6, 2, 4)}, {"self": ones(0, 2, 4)}, {"input": ones(5, 2, 2)},
        {"input": ones(5, 3, 3)}, {"weight": ones(9, 3, 4)}, {"bias": ones(3)},
        {"bias": ones(4, 1)}, {"pad": -1}, {"cube_math_type": 6},
        {"self": ones(5, 2, 4, dtype="int32")}, {"bias": ones(4, dtype="int32")},
    ],
)  # fmt: skip
def test_tbc_invalid_argument(changes: dict[str, Any]) -> None:
    out = (ones(5, 2, 3), ones(3, 3, 4), ones(4))
    assert code_of(tbc, **changes, out=out) == INVALID


def test_tbc_results_have_the_types_of_what_they_belong_to() -> None:
    halves = (ones(5, 2, 3, dtype="float16"), ones(3, 3, 4), ones(4))
    assert code_of(tbc, out=halves) == INNER_NULL
    assert code_of(tbc, input=ones(5, 2, 3, dtype="float16"), out=halves) == 0
    to_half = (ones(5, 2, 3), ones(3, 3, 4), ones(4, dtype="float16"))
    assert code_of(tbc, out=to_half) == 0


def test_tbc_without_channels_sums_a_gradient_of_ones_to_the_bias() -> None:
    _, _, bias = tbc(self=pa.full((5, 2, 4), 3.0), input=ones(5, 2, 0), weight=ones(3, 0, 4))
    np.testing.assert_array_equal(bias.numpy(), np.full(4, 10, np.float32))
