"""Pairs of element-wise operators: activations, gated units, losses of single elements."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyaclnn.bench.pairs import MATRIX, MEAN, SUM, Pair, TorchCall, aten, gradients, normal, uniform

_ROWS, _COLUMNS = MATRIX
_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772, 1.0507009873554805


def _activation(operator: str, *attributes: Any, torch: TorchCall | None = None) -> Pair:
    """Pair with a gradient, an input and attributes; by default of the same name in aten."""
    return Pair(
        operator, lambda: (normal(*MATRIX), normal(*MATRIX), *attributes), torch or aten(operator)
    )


def _of_result(operator: str, low: float, high: float, torch: TorchCall | None = None) -> Pair:
    """Pair with a gradient and the forward function's result."""
    return Pair(
        operator, lambda: (normal(*MATRIX), uniform(low, high, *MATRIX)), torch or aten(operator)
    )


def _loss(
    operator: str, *attributes: Any, torch: TorchCall | None = None, low: float = 0.05,
    high: float = 0.95,
) -> Pair:  # fmt: skip
    """Pair with the gradient of a mean, an input, a target and attributes."""
    return Pair(
        operator,
        lambda: (
            np.ones((), np.float32), uniform(low, high, *MATRIX), uniform(low, high, *MATRIX),
            *attributes,
        ),
        torch or aten(operator),
    )  # fmt: skip


def _by(function: str, *, target: bool = False, **options: Any) -> TorchCall:
    """Gradient of a function of ``torch.nn.functional`` by its input or its target."""

    def prepare(torch: Any, grad: Any, x: Any, y: Any, *_: Any) -> tuple[Any, ...]:
        loss = getattr(torch.nn.functional, function)
        if target:
            return gradients(torch, lambda leaf: loss(x, leaf, **options), grad, y)
        return gradients(torch, lambda leaf: loss(leaf, y, **options), grad, x)

    return prepare


def _gated(operator: str, gate: str, *attributes: Any, first: bool) -> Pair:
    """Pair of a unit that applies an activation to the first or second half, times the other."""

    def prepare(torch: Any, grad: Any, x: Any, *_: Any) -> tuple[Any, ...]:
        def forward(leaf: Any) -> Any:
            a, b = leaf.chunk(2, -1)
            function = getattr(torch.nn.functional, gate)
            options = {"approximate": "tanh"} if gate == "gelu" else {}
            return function(a, **options) * b if first else a * function(b, **options)

        return gradients(torch, forward, grad, x)

    def arguments() -> tuple[Any, ...]:
        x = normal(_ROWS, _COLUMNS)
        half = x[:, : _COLUMNS // 2] if first else x[:, _COLUMNS // 2 :]
        saved = (_gelu_tanh(half),) if gate == "gelu" else ()
        return (normal(_ROWS, _COLUMNS // 2), x, *saved, -1, *attributes)

    return Pair(operator, arguments, prepare)


def _gelu_tanh(x: Any) -> Any:
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def _fast_gelu(torch: Any, grad: Any, x: Any) -> tuple[Any, ...]:
    return gradients(torch, lambda leaf: leaf * torch.sigmoid(1.702 * leaf), grad, x)


def _dropout_mask(torch: Any, grad: Any, mask: Any, scale: float) -> tuple[Any, ...]:
    bits = np.unpackbits(mask.numpy(), bitorder="little")[: grad.numel()]
    chosen = torch.from_numpy(bits.astype(bool)).reshape(grad.shape)
    return torch.ops.aten.native_dropout_backward, grad, chosen, scale


def _dropout_arguments() -> tuple[Any, ...]:
    mask = uniform(0, 256, _ROWS * _COLUMNS // 8).astype(np.uint8)
    return normal(*MATRIX), mask, 2.0


def _log_sigmoid_arguments() -> tuple[Any, ...]:
    x = normal(*MATRIX)
    return normal(*MATRIX), x, np.exp(-np.abs(x))


def _selu(torch: Any, grad: Any, result: Any) -> tuple[Any, ...]:
    return (
        torch.ops.aten.elu_backward, grad, _SELU_ALPHA, _SELU_SCALE, 1.0, True, result,
    )  # fmt: skip


def _prelu(torch: Any, grad: Any, x: Any, weight: Any) -> tuple[Any, ...]:
    return gradients(torch, torch.nn.functional.prelu, grad, x, weight)


_SILU = aten("silu_backward")

POINTWISE = (
    Pair(
        "elu_backward", lambda: (normal(*MATRIX), 1.0, 1.0, 1.0, False, normal(*MATRIX)),
        aten("elu_backward"),
    ),
    _activation("fast_gelu_backward", torch=_fast_gelu),
    _gated("ge_glu_backward", "gelu", 1, first=False),
    _gated("ge_glu_v3_backward", "gelu", 1, True, first=True),
    _activation("gelu_backward"),
    _activation(
        "gelu_backward_v2", "tanh",
        torch=lambda torch, g, x, how: (
            lambda: torch.ops.aten.gelu_backward(g, x, approximate=how),
        ),
    ),
    Pair(
        "glu_backward", lambda: (normal(_ROWS, _COLUMNS // 2), normal(*MATRIX), -1),
        aten("glu_backward"),
    ),
    _activation("hardshrink_backward", 0.5),
    _activation("hardsigmoid_backward"),
    _activation("hardswish_backward"),
    _activation("hardswish_backward_v2", torch=aten("hardswish_backward")),
    _activation("hardtanh_backward", -1.0, 1.0),
    _activation("leaky_relu_backward", 0.01, False),
    Pair("log_sigmoid_backward", _log_sigmoid_arguments, aten("log_sigmoid_backward")),
    Pair(
        "logit_grad", lambda: (uniform(0.1, 0.9, *MATRIX), normal(*MATRIX), 1e-3),
        lambda torch, x, g, eps: (torch.ops.aten.logit_backward, g, x, eps),
    ),
    _activation("mish_backward"),
    Pair("prelu_backward", lambda: (normal(*MATRIX), normal(*MATRIX), normal(_COLUMNS)), _prelu),
    _of_result("selu_backward", -1.5, 2.0, _selu),
    _of_result("sigmoid_backward", 0.0, 1.0),
    _activation("silu_backward"),
    _activation("softplus_backward", 1.0, 20.0),
    _activation("softshrink_backward", 0.5),
    _gated("swi_glu_grad", "silu", first=True),
    _activation("swish_backward", 1.0, torch=lambda torch, g, x, _: _SILU(torch, g, x)),
    _of_result("tanh_backward", -1.0, 1.0),
    _activation("threshold_backward", 0.5),
    Pair("dropout_backward", _dropout_arguments, _dropout_mask),
    _loss("binary_cross_entropy_backward", None, MEAN),
    _loss(
        "binary_cross_entropy_with_logits_backward", None, None, MEAN,
        torch=_by("binary_cross_entropy_with_logits"),
    ),
    _loss(
        "binary_cross_entropy_with_logits_target_backward", None, None, MEAN,
        torch=_by("binary_cross_entropy_with_logits", target=True),
    ),
    _loss("kl_div_backward", SUM, False, torch=_by("kl_div", reduction="sum")),
    _loss("kl_div_target_backward", SUM, False, torch=_by("kl_div", target=True, reduction="sum")),
    _loss("l1_loss_backward", MEAN, torch=_by("l1_loss")),
    _loss("mse_loss_backward", MEAN),
    _loss("smooth_l1_loss_backward", MEAN, 0.5),
    _loss("soft_margin_loss_backward", MEAN),
)  # fmt: skip
