"""Gradients of log-softmax and of the scaled, masked softmax."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finite_differences import Array, numeric_gradient
from operators.activation_calls import code
from operators.calls import INVALID, NULL, ones

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

MASKED = "scaled_masked_softmax_backward"


def softmax(x: Array, dim: int) -> Array:
    e = np.exp(x - x.max(axis=dim, keepdims=True))
    return np.asarray(e / e.sum(axis=dim, keepdims=True))


def agree(result: pa.Tensor, expected: Array) -> None:
    np.testing.assert_allclose(result.numpy(), expected, rtol=2e-4, atol=2e-6)


def as_tensor(values: Array) -> pa.Tensor:
    return pa.asarray(values.astype(np.float32))


def nd(tensor: pa.Tensor) -> pa.Tensor:
    return with_format(tensor, "ND")


@pytest.mark.parametrize("dim", [0, 1, 2, -1])
def test_log_softmax_is_the_derivative(dim: int) -> None:
    rng = np.random.default_rng(1)
    x, grad = rng.normal(0, 1, (3, 4, 5)), rng.uniform(0.5, 1.5, (3, 4, 5))

    def forward(v: Array) -> Array:
        return np.asarray(np.log(softmax(v, dim)))

    result = pa.ops.log_softmax_backward(as_tensor(grad), as_tensor(forward(x)), dim)
    agree(result, numeric_gradient(forward, x, grad))


def test_a_row_of_one_has_no_gradient() -> None:
    grad, zero = pa.full((3, 1), 7.0, "float32"), pa.zeros((3, 1), "float32")
    assert pa.ops.log_softmax_backward(grad, zero, 1).numpy().tolist() == [[0], [0], [0]]


def test_a_scalar_counts_as_a_row_of_one() -> None:
    zero = pa.zeros((), "float32")
    assert pa.ops.log_softmax_backward(pa.ones((), "float32"), zero, 0).numpy() == 0


def test_a_half_result_is_rounded_to_half_before_it_becomes_float() -> None:
    grad = pa.asarray(np.array([0.1, 0.7, 0.3], np.float16))
    y = pa.asarray(np.array([-1.1, -1.2, -1.0], np.float16))
    wide = pa.ops.log_softmax_backward(grad, y, 0, out=ones(3)).numpy()
    assert wide.tolist() == pa.ops.log_softmax_backward(grad, y, 0).numpy().tolist()


def test_the_masked_softmax_is_the_derivative_of_the_scaled_input() -> None:
    rng = np.random.default_rng(2)
    shape = (2, 3, 2, 5)
    x, grad = rng.normal(0, 1, shape), rng.uniform(0.5, 1.5, shape)
    mask = rng.random((2, 1, 2, 5)) < 0.3
    mask[..., 0] = False

    def forward(v: Array) -> Array:
        return softmax(np.where(mask, -1e4, v * 0.5), -1)

    result = pa.ops[MASKED](
        nd(as_tensor(grad)), nd(as_tensor(forward(x))), nd(pa.asarray(mask)), 0.5, False,
        out=nd(ones(*shape)),
    )  # fmt: skip
    agree(result, numeric_gradient(forward, x, grad))


def masked_arguments(**changed: Any) -> dict[str, Any]:
    right = {
        "grad_output": nd(ones(2, 3, 4, 5)), "y": nd(ones(2, 3, 4, 5)),
        "mask": nd(ones(2, 1, 4, 5, dtype="bool")), "scale": 1.0, "fix_triu_mask": False,
    }  # fmt: skip
    return right | changed


def masked_code(out: pa.Tensor | None = None, **changed: Any) -> int:
    fitting = nd(ones(2, 3, 4, 5))
    return code(MASKED, masked_arguments(**changed), fitting if out is None else out)


def test_right_masked_arguments_are_accepted() -> None:
    assert masked_code() == 0


@pytest.mark.parametrize("missing", ["grad_output", "y", "mask"])
def test_a_null_tensor_comes_before_a_wrong_attribute(missing: str) -> None:
    assert masked_code(**{missing: None}, fix_triu_mask=True) == NULL


@pytest.mark.parametrize(
    "changed",
    [
        {"grad_output": nd(ones(2, 3, 4, 5, dtype="int32"))},
        {"y": nd(ones(2, 3, 4, 5, dtype="float16"))},
        {"mask": nd(ones(2, 1, 4, 5, dtype="int8"))},
        {"grad_output": nd(ones(6, 4, 5))},
        {"y": nd(ones(2, 3, 4, 6))},
        {"mask": nd(ones(2, 3, 1, 5, dtype="bool"))},
        {"mask": nd(ones(3, 1, 4, 5, dtype="bool"))},
        {"mask": nd(ones(4, 5, dtype="bool"))},
        {"fix_triu_mask": True},
    ],
)
def test_a_wrong_masked_argument_is_refused(changed: dict[str, Any]) -> None:
    assert masked_code(**changed) == INVALID


def test_rows_may_have_4096_values_and_no_more() -> None:
    def try_rows(length: int) -> int:
        t = nd(ones(1, 1, 1, length))
        mask = nd(ones(1, 1, 1, length, dtype="bool"))
        return masked_code(nd(ones(1, 1, 1, length)), grad_output=t, y=t, mask=mask)

    assert (try_rows(4096), try_rows(4097)) == (0, INVALID)


def test_an_output_of_another_shape_is_refused() -> None:
    assert masked_code(nd(ones(2, 3, 5, 4))) == INVALID


def test_a_masked_softmax_writes_the_type_of_the_gradient_whatever_the_output_says() -> None:
    grad, y = (pa.full((1, 1, 2, 4), value, "float16") for value in (1.0, 0.25))
    mask = pa.zeros((1, 1, 2, 4), "bool")
    out = pa.zeros((1, 1, 2, 4))
    pa.ops.scaled_masked_softmax_backward(grad, y, mask, 1.0, False, out=out)
    grad.copy_from(np.array([1, 0, 0, 0] * 2, np.float16).reshape(1, 1, 2, 4))
    pa.ops.scaled_masked_softmax_backward(grad, y, mask, 1.0, False, out=out)

    halves = out.numpy().view(np.float16).reshape(-1)
    np.testing.assert_array_equal(halves[:4], [0.1875, -0.0625, -0.0625, -0.0625])
    assert not halves[8:].any()


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("length", [3, 16, 17, 64, 512])
@pytest.mark.parametrize("name", ["softmax_backward", "log_softmax_backward"])
def test_gradients_of_many_short_rows_have_the_bits_of_few(
    name: str, length: int, dtype: str
) -> None:
    rng = np.random.default_rng(length)
    grad, y = (pa.asarray(rng.standard_normal((70, length)), dtype=dtype) for _ in range(2))
    many = pa.ops[name](grad, y, 1).numpy()

    few = [pa.ops[name](grad[i : i + 7], y[i : i + 7], 1).numpy() for i in range(0, 70, 7)]

    assert np.concatenate(few).tobytes() == many.tobytes()


def test_a_large_result_goes_where_its_strides_lead() -> None:
    x = np.random.default_rng(3).normal(size=(90000, 40)).astype(np.float32)
    out = pa.zeros((40, 90000)).T

    pa.ops.softmax(pa.asarray(x), 1, out=out)

    agree(out, softmax(x.astype(np.float64), 1))
