"""Gated units, modulations and their gradients, compared with compositions in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.bench.pairs import MATRIX, Pair, gradients, normal, uniform

_NEWEST = "Ascend910_95"
_ALPHA, _LIMIT, _BIAS = 1.702, 7.0, 1.0
_BETA, _LINEAR = 2.0, 1.5
#: batch, sequence, hidden.
_SEQUENCE = (8, 512, 1024)


def _clipped(torch: Any, x: Any) -> Any:
    a, b = x[..., ::2], x[..., 1::2]
    a, b = a.clamp(max=_LIMIT), b.clamp(-_LIMIT, _LIMIT)
    return a * torch.sigmoid(_ALPHA * a) * (b + _BIAS)


def _situ(torch: Any, x: Any) -> Any:
    gate, up = x.chunk(2, -1)
    up = _LINEAR * torch.tanh(up / _LINEAR)
    return _BETA * torch.tanh(gate / _BETA) * torch.sigmoid(gate) * up


def _half(*shape: int) -> tuple[int, ...]:
    return (*shape[:-1], shape[-1] // 2)


def _clipped_grad(torch: Any, grad: Any, x: Any, *_: Any) -> tuple[Any, ...]:
    return gradients(torch, lambda x: _clipped(torch, x), grad, x)


def _situ_grad(torch: Any, grad: Any, x: Any, *_: Any) -> tuple[Any, ...]:
    return gradients(torch, lambda x: _situ(torch, x), grad, x)


def _group_grad(torch: Any, grad: Any, x: Any, *_: Any) -> tuple[Any, ...]:
    def forward(x: Any) -> Any:
        a, b = x.chunk(2, -1)
        return torch.nn.functional.silu(a) * b

    return gradients(torch, forward, grad, x)


def _modulate(torch: Any, grad: Any, x: Any, scale: Any, shift: Any) -> tuple[Any, ...]:
    def forward(x: Any, scale: Any, shift: Any) -> Any:
        return x * scale[:, None] + shift[:, None]

    return gradients(torch, forward, grad, x, scale, shift)


def _ada_arguments() -> tuple[Any, ...]:
    x, grad = normal(*_SEQUENCE), normal(*_SEQUENCE)
    own = (_SEQUENCE[0], _SEQUENCE[2])
    mean, rstd = x.mean(-1, keepdims=True), 1 / (x.std(-1, keepdims=True))
    hidden = _SEQUENCE[-1]
    modulation = normal(*own), normal(*own)
    return grad, x, (hidden,), rstd, mean, *modulation, uniform(0.5, 1.5, hidden), normal(hidden)


def _ada(
    torch: Any, grad: Any, x: Any, shape: Any, rstd: Any, mean: Any, scale: Any, shift: Any,
    weight: Any, bias: Any,
) -> tuple[Any, ...]:  # fmt: skip
    def forward(x: Any, scale: Any, shift: Any, weight: Any, bias: Any) -> Any:
        normalised = torch.nn.functional.layer_norm(x, shape, weight, bias, 0.0)
        return normalised * (1 + scale[:, None]) + shift[:, None]

    return gradients(torch, forward, grad, x, scale, shift, weight, bias)


def _repeated_arguments() -> tuple[Any, ...]:
    counts = np.random.default_rng(0).integers(1, 8, 512)
    return normal(int(counts.sum()), 2048), counts, 0


def _repeated(torch: Any, grad: Any, repeats: Any, dim: int) -> tuple[Any, ...]:
    x = torch.zeros(len(repeats), *grad.shape[1:])
    return gradients(torch, lambda x: torch.repeat_interleave(x, repeats, dim), grad, x)


def _distances(torch: Any, x1: Any, x2: Any, p: float, *_: Any) -> tuple[Any, ...]:
    return torch.cdist, x1, x2, p, "donot_use_mm_for_euclid_dist"


GATED = (
    Pair(
        "clipped_swiglu",
        lambda: (normal(*MATRIX), None, -1, _ALPHA, _LIMIT, _BIAS, True),
        lambda torch, x, *_: (lambda: _clipped(torch, x),),
    ),
    Pair(
        "clipped_swiglu_grad",
        lambda: (normal(*_half(*MATRIX)), normal(*MATRIX), None, -1, _ALPHA, _LIMIT, _BIAS, True),
        _clipped_grad,
    ),
    Pair(
        "swiglu_group_grad",
        lambda: (normal(*_half(*MATRIX)), normal(*MATRIX), None, None, None, 0.0),
        _group_grad, chip=_NEWEST,
    ),
    Pair(
        "situ_glu_grad",
        lambda: (normal(*_half(*MATRIX)), normal(*MATRIX), -1, _BETA, _LINEAR, True),
        _situ_grad,
    ),
    Pair(
        "modulate_backward",
        lambda: (normal(*_SEQUENCE), normal(*_SEQUENCE), normal(8, 1024), normal(8, 1024)),
        _modulate,
    ),
    Pair("ada_layer_norm_backward", _ada_arguments, _ada),
    Pair("repeat_interleave_grad", _repeated_arguments, _repeated, chip=_NEWEST),
    Pair("cdist", lambda: (normal(1024, 16), normal(1024, 16), 2.0, 2), _distances),
    Pair("slogdet", lambda: (normal(64, 64, 64),),
         lambda torch, x: (torch.linalg.slogdet, x)),
)  # fmt: skip
