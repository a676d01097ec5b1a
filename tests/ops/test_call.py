"""The eager call: what a person writes, and what comes back."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import pyaclnn as pa


def softshrink_reference(grad: np.ndarray, x: np.ndarray, lambd: float) -> np.ndarray:
    return np.where(np.abs(x) <= lambd, 0.0, grad)


@pytest.fixture
def x() -> np.ndarray:
    return np.linspace(-2, 2, 9, dtype=np.float32)


def test_a_call_gives_the_gradient(x: np.ndarray) -> None:
    y = pa.ops.softshrink_backward(pa.ones_like(pa.asarray(x)), pa.asarray(x), 0.5)

    np.testing.assert_array_equal(y.numpy(), softshrink_reference(np.ones(9), x, 0.5))


def test_keywords_are_the_parameter_names(x: np.ndarray) -> None:
    t = pa.asarray(x)

    y = pa.ops.softshrink_backward(lambd=1.0, self=t, grad_output=t)

    np.testing.assert_array_equal(y.numpy(), softshrink_reference(x, x, 1.0))


def test_the_output_is_broadcast_and_promoted_as_the_document_says() -> None:
    grad = pa.asarray(np.ones((4, 1), np.float16))
    x = pa.asarray(np.full((1, 5), 3.0, np.float32))

    y = pa.ops.softshrink_backward(grad, x, 0.5)

    assert (y.shape, y.dtype) == ((4, 5), np.float32)


def test_out_receives_the_result_and_is_returned(x: np.ndarray) -> None:
    t = pa.asarray(x)
    out = pa.full((9,), 7.0, "float32")

    result = pa.ops.softshrink_backward(t, t, 0.5, out=out)

    assert result is out
    np.testing.assert_array_equal(out.numpy(), softshrink_reference(x, x, 0.5))


def test_an_output_can_be_given_by_its_own_name(x: np.ndarray) -> None:
    t = pa.asarray(x)
    mine = pa.empty((9,), "float32")

    assert pa.ops.softshrink_backward(t, t, 0.5, grad_input=mine) is mine


def test_a_non_contiguous_out_leaves_its_neighbours_alone(x: np.ndarray) -> None:
    storage = pa.asarray(np.full((9, 2), 7.0, np.float32))
    t = pa.asarray(x)

    pa.ops.softshrink_backward(t, t, 0.5, out=storage[:, 1])

    expected = np.stack([np.full(9, 7.0), softshrink_reference(x, x, 0.5)], axis=1)
    np.testing.assert_array_equal(storage.numpy(), expected)


def test_the_same_view_may_be_input_and_output(x: np.ndarray) -> None:
    t = pa.asarray(x)

    pa.ops.softshrink_backward(t, t, 0.5, out=t)

    np.testing.assert_array_equal(t.numpy(), softshrink_reference(x, x, 0.5))


def test_the_signature_is_the_python_call() -> None:
    parameters = inspect.signature(pa.ops.softshrink_backward).parameters

    assert list(parameters) == ["grad_output", "self", "lambd", "out", "grad_input", "stream"]


def test_both_spellings_are_one_operator() -> None:
    assert pa.ops["aclnnSeluBackward"] is pa.ops.selu_backward


def test_the_namespace_lists_what_is_declared() -> None:
    assert {"softshrink_backward", "selu_backward"} <= set(dir(pa.ops))


def test_an_operator_describes_itself() -> None:
    operator = pa.ops.threshold_backward

    assert operator.available
    assert operator.header.endswith("aclnn_threshold_backward.h")
    assert operator.library.endswith("libopapi.so")
    assert [p.name for p in operator.signature.parameters][:3] == [
        "gradOutput", "self", "threshold",
    ]  # fmt: skip
    assert "threshold" in (operator.__doc__ or "")
