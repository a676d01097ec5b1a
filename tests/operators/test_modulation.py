"""Gradients of modulations, drawn slopes and waiting: what is refused, derivatives, states."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.calls import INNER_NULL, INVALID, NULL, code, device, ones

import pyaclnn as pa


def modulated(**changes: Any) -> int:
    right: dict[str, Any] = {
        "grad_output": ones(2, 3, 4), "input": ones(2, 3, 4), "scale": ones(2, 4),
        "shift": ones(2, 4),
    }  # fmt: skip
    return code("modulate_backward", **{**right, **changes})


def test_what_modulate_backward_refuses() -> None:
    assert modulated() == 0
    assert modulated(grad_output=None) == NULL
    # The gradient has the shape of grad_output, which is not that of what is to be its copy.
    assert modulated(input=ones(2, 3, 5)) == INNER_NULL
    outs = (ones(2, 3, 4), ones(2, 4), ones(2, 4))
    assert modulated(input=ones(2, 3, 5), out=outs) == INVALID
    assert modulated(input=ones(2, 3, 5), out=(*outs[:2], ones(4))) == INNER_NULL
    assert modulated(grad_output=ones(2, 12)) == INVALID
    assert modulated(scale=ones(2, 1, 4)) == INVALID
    assert modulated(shift=ones(4, 2)) == INVALID
    assert modulated(scale=ones(2, 4, dtype="float64")) == INVALID
    empty = pa.empty((2, 0, 4), "float32")
    assert modulated(grad_output=empty, input=empty) == INVALID
    assert modulated(grad_output=empty, input=empty, scale=None, shift=None) == 0


def test_a_gradient_of_what_is_not_there_is_refused() -> None:
    outs = (pa.empty((2, 3, 4), "float32"), pa.empty((2, 4), "float32"), None)

    assert modulated(scale=None, shift=None, out=outs) == INNER_NULL


def normalised(**changes: Any) -> int:
    right: dict[str, Any] = {
        "grad_out": ones(2, 3, 4), "input": ones(2, 3, 4), "normalized_shape": (4,),
        "rstd": ones(2, 3, 1), "mean": ones(2, 3, 1), "scale": ones(2, 4),
        "shift": ones(2, 1, 4), "weight_optional": ones(4), "bias_optional": ones(4),
    }  # fmt: skip
    return code("ada_layer_norm_backward", **{**right, **changes})


def test_what_ada_layer_norm_backward_refuses() -> None:
    half = ones(4, dtype="float16")

    assert normalised() == 0
    assert normalised(mean=None) == NULL
    assert normalised(normalized_shape=None) == NULL
    assert normalised(normalized_shape=(3, 4)) == INVALID
    assert normalised(normalized_shape=(-4,)) == INVALID
    assert normalised(mean=ones(2, 3)) == INVALID
    assert normalised(mean=ones(2, 3, 4), rstd=ones(2, 3, 4)) == INVALID
    assert normalised(scale=ones(2, 3, 4)) == INVALID
    assert normalised(scale=ones(4)) == INVALID
    assert normalised(weight_optional=ones(3)) == INVALID
    assert normalised(weight_optional=half, bias_optional=half) == INVALID
    assert normalised(bias_optional=half) == INVALID
    assert normalised(grad_out=ones(2, 3, 4, dtype="float16")) == INVALID
    assert normalised(grad_out=ones(4), input=ones(4)) == INVALID
    empty = pa.empty((2, 0, 4), "float32")
    none = pa.empty((2, 0, 1), "float32")
    assert normalised(grad_out=empty, input=empty, mean=none, rstd=none) == INVALID


def test_the_derivative_of_a_modulated_normalisation() -> None:
    rng = np.random.default_rng(5)
    x, grad = rng.normal(1, 2, (2, 3, 6)), rng.normal(0, 1, (2, 3, 6))
    scale, shift = rng.uniform(0.5, 1, (2, 6)), rng.uniform(0.5, 1, (2, 6))
    weight, bias = rng.uniform(0.5, 1.5, 6), rng.uniform(0.5, 1.5, 6)

    def loss(*operands: Any) -> float:
        x, scale, shift, weight, bias = operands
        z = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True))
        y = (z * weight + bias) * (1 + scale[:, None]) + shift[:, None]
        return float((y * grad).sum())

    operands = [x, scale, shift, weight, bias]
    statistics = (1 / np.sqrt(x.var(-1, keepdims=True)), x.mean(-1, keepdims=True))
    given = [*map(device, (grad, x)), (6,), *map(device, statistics), *map(device, operands[1:])]

    found = pa.ops.ada_layer_norm_backward(*given)

    for place, gradient in enumerate(found):
        numeric = np.zeros_like(operands[place])
        for index in np.ndindex(numeric.shape):
            ends = []
            for step in (1e-5, -1e-5):
                moved = [o.copy() for o in operands]
                moved[place][index] += step
                ends.append(loss(*moved))
            numeric[index] = (ends[0] - ends[1]) / 2e-5
        assert np.allclose(gradient.numpy(), numeric, rtol=1e-3, atol=1e-4), place


def test_training_keeps_the_slopes_that_were_drawn() -> None:
    x = device(np.random.default_rng(0).normal(0, 1, (4, 5)))
    noise = pa.full((30,), 7, "float32")

    out = pa.ops.r_relu_with_noise(x, noise, 0.25, 0.5, True, 3, 4).numpy()

    slopes = noise.numpy()
    drawn = slopes[:20].reshape(4, 5)[x.numpy() < 0]
    assert np.array_equal(out, x.numpy() * slopes[:20].reshape(4, 5))
    assert ((drawn >= 0.25) & (drawn < 0.5)).all()
    assert len(set(drawn.tolist())) == len(drawn)
    assert (slopes[20:] == 7).all()


def test_what_slopes_refuse() -> None:
    x, noise = ones(2, 3), ones(2, 3)

    def refused(*changed: Any, name: str = "r_relu_with_noise", training: bool = True) -> int:
        return code(name, *changed, training, 1, 0)

    assert refused(x, noise, 0.1, 0.3) == 0
    assert refused(x, ones(5), 0.1, 0.3) == INVALID
    assert refused(x, ones(5), 0.1, 0.3, training=False) == 0
    assert refused(x, ones(2, 3, dtype="float16"), 0.1, 0.3) == INVALID
    assert refused(x, noise, 1, 0.3) == INVALID
    assert refused(x, None, 0.1, 0.3) == NULL
    assert refused(x, noise, 0.1, None) == NULL
    assert refused(x, None, 0.1, 0.3, name="inplace_r_relu_with_noise") == NULL
    assert code("r_relu_with_noise", x, noise, 0.1, 0.3, True, 1, 0, out=ones(3, 2)) == INVALID
