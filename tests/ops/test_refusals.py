"""What is refused, and what the error says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa


@pytest.fixture
def t() -> pa.Tensor:
    return pa.asarray(np.ones((4, 4), np.float32))


def test_a_numpy_array_is_not_a_tensor(t: pa.Tensor) -> None:
    with pytest.raises(TypeError, match=r"argument self: .*Tensor.*ndarray.*asarray"):
        pa.ops.softshrink_backward(t, np.ones((4, 4), np.float32), 0.5)


def test_a_missing_argument_is_named_with_the_signature(t: pa.Tensor) -> None:
    with pytest.raises(TypeError, match=r"softshrink_backward\(grad_output, self, lambd.*'lambd'"):
        pa.ops.softshrink_backward(t, t)


def test_one_argument_too_many_is_refused(t: pa.Tensor) -> None:
    with pytest.raises(TypeError, match="too many positional"):
        pa.ops.selu_backward(t, t, t)


@pytest.mark.parametrize("value", ["0.5", [0.5], 1j, np.zeros(3)])
def test_a_scalar_must_be_a_real_number(t: pa.Tensor, value: Any) -> None:
    with pytest.raises(TypeError, match="argument lambd"):
        pa.ops.softshrink_backward(t, t, value)


@pytest.mark.parametrize("dim", [2**63, -(2**63) - 1])
def test_an_integer_out_of_range_is_refused(t: pa.Tensor, dim: int) -> None:
    with pytest.raises(ValueError, match=r"argument dim: .*out of range"):
        pa.ops.softmax_backward(t, t, dim)


def test_a_float_is_no_integer(t: pa.Tensor) -> None:
    with pytest.raises(TypeError, match=r"argument dim: an integer is needed, not float 1.0"):
        pa.ops.softmax_backward(t, t, 1.0)


def test_a_wrong_dim_is_cann_s_own_refusal(t: pa.Tensor) -> None:
    with pytest.raises(pa.AclParameterError) as caught:
        pa.ops.softmax_backward(t, t, 2)

    assert (caught.value.code, caught.value.name) == (161002, "ACLNN_ERR_PARAM_INVALID")
    assert "aclnnSoftmaxBackwardGetWorkspaceSize" in str(caught.value)
    assert "float32[4,4]" in str(caught.value)


def test_a_parameter_error_is_a_value_error(t: pa.Tensor) -> None:
    with pytest.raises(ValueError, match="161002"):
        pa.ops.softshrink_backward(t, t, -1.0)


def test_a_dtype_the_operator_lacks_is_refused() -> None:
    t = pa.asarray(np.ones(3, np.float64))

    with pytest.raises(pa.AclParameterError, match="161002"):
        pa.ops.softshrink_backward(t, t, 0.5)


def test_none_for_a_required_tensor_is_cann_s_null_error(t: pa.Tensor) -> None:
    with pytest.raises(pa.AclError) as caught:
        pa.ops.softshrink_backward(t, None, 0.5, out=pa.empty((4, 4), "float32"))

    assert caught.value.code == 161001


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda t: pa.ops.relu(None), "out: it follows from self, given as None"),
        (lambda t: pa.ops.mm(t, None, 0), "out: it follows from mat2, given as None"),
        (
            lambda t: pa.ops.group_norm_backward(t, t, None, t, None, 4, 4, 1, 1, [True] * 3),
            "grad_gamma_out: it follows from gamma, mean, given as None",
        ),
    ],
)
def test_none_that_a_result_follows_from_is_named(
    t: pa.Tensor, call: Callable[[pa.Tensor], Any], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        call(t)


def test_shapes_that_do_not_broadcast_are_named(t: pa.Tensor) -> None:
    with pytest.raises(ValueError, match="cannot work out grad_input"):
        pa.ops.softshrink_backward(t, pa.ones((3,), "float32"), 0.5)


def test_an_out_of_the_wrong_shape_is_refused(t: pa.Tensor) -> None:
    with pytest.raises(pa.AclParameterError, match="161002"):
        pa.ops.selu_backward(t, t, out=pa.empty((4, 5), "float32"))


def test_out_must_be_a_tensor(t: pa.Tensor) -> None:
    with pytest.raises(TypeError, match=r"out must be a pyaclnn\.Tensor, not ndarray"):
        pa.ops.selu_backward(t, t, out=np.empty((4, 4), np.float32))


def test_a_partially_overlapping_out_is_refused() -> None:
    storage = pa.asarray(np.arange(10, dtype=np.float32))

    with pytest.raises(ValueError, match="overlaps"):
        pa.ops.selu_backward(storage[0:8], storage[0:8], out=storage[2:10])


def test_an_out_interleaved_with_its_input_is_accepted() -> None:
    storage = pa.asarray(np.arange(10, dtype=np.float32))

    pa.ops.hardswish_backward(storage[0::2], storage[0::2], out=storage[1::2])

    np.testing.assert_array_equal(storage.numpy()[0::2], [0, 2, 4, 6, 8])


def test_an_expanded_out_is_refused(t: pa.Tensor) -> None:
    with pytest.raises(ValueError, match="stride 0"):
        pa.ops.selu_backward(t, t, out=pa.empty((1, 4), "float32").broadcast_to((4, 4)))


def test_a_closed_tensor_is_refused(t: pa.Tensor) -> None:
    t.close()

    with pytest.raises(pa.ClosedError):
        pa.ops.selu_backward(t, t)


def test_an_unknown_operator_names_its_neighbours() -> None:
    with pytest.raises(AttributeError, match="softshrink_backward"):
        _ = pa.ops.softshrink_bakward


def test_an_object_array_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        pa.asarray(np.array([object()]))
