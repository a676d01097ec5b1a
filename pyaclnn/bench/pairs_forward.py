"""Forward operators beside PyTorch's: element by element, losses, and one of each mechanism."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.bench.pairs import IMAGES, MATRIX, MEAN, Pair, aten, normal, uniform


def _swi_glu(torch: Any, x: Any, dim: int) -> tuple[Any, ...]:
    def call() -> Any:
        a, b = x.chunk(2, dim)
        return torch.nn.functional.silu(a) * b

    return (call,)


def _norm(torch: Any, x: Any, order: float, dims: list[int], keep: bool, _: str) -> tuple[Any, ...]:
    return (torch.linalg.vector_norm, x, order, dims, keep)


def _layer_norm(
    torch: Any, x: Any, shape: list[int], weight: Any, bias: Any, eps: float
) -> tuple[Any, ...]:
    return (torch.nn.functional.layer_norm, x, shape, weight, bias, eps)


def _resized(torch: Any, x: Any, size: list[int], align: bool, *scales: float) -> tuple[Any, ...]:
    return (torch.ops.aten.upsample_bilinear2d, x, size, align)


def _lstm_arguments() -> tuple[Any, ...]:
    steps, batch, inputs, hidden = 64, 32, 256, 256
    weights = [normal(4 * hidden, extent) * np.float32(0.05) for extent in (inputs, hidden)]
    biases = [normal(4 * hidden) for _ in range(2)]
    states = [normal(1, batch, hidden) for _ in range(2)]
    return (
        normal(steps, batch, inputs), weights + biases, states, None, True, 1, 0.0, False, False,
        False,
    )  # fmt: skip


def _lstm(torch: Any, x: Any, weights: Any, states: Any, _: None, *rest: Any) -> tuple[Any, ...]:
    return (torch.lstm, x, states, weights, *rest)


def _stft(torch: Any, x: Any, window: Any, *rest: Any) -> tuple[Any, ...]:
    size, hop, width, normalized, onesided, is_complex = rest

    def call() -> Any:
        return torch.stft(
            x, size, hop, width, window, center=False, normalized=normalized, onesided=onesided,
            return_complex=is_complex,
        )  # fmt: skip

    return (call,)


_CHANNELS = IMAGES[1]
_TWICE = [2 * extent for extent in IMAGES[2:]]

#: One of each mechanism that is not element by element.
_MECHANISMS = (
    Pair("matmul", lambda: (normal(1024, 1024), normal(1024, 1024), 0),
         lambda torch, a, b, _: (torch.matmul, a, b)),
    Pair(
        "convolution",
        lambda: (
            normal(*IMAGES), normal(_CHANNELS, _CHANNELS, 3, 3), normal(_CHANNELS), [1, 1], [1, 1],
            [1, 1], False, [0, 0], 1, 0,
        ),
        lambda torch, *given: (torch.ops.aten.convolution, *given[:-1]),
    ),
    Pair("linalg_vector_norm", lambda: (normal(*MATRIX), 2.0, [1], False, "float32"), _norm),
    Pair(
        "layer_norm",
        lambda: (normal(*MATRIX), [MATRIX[1]], normal(MATRIX[1]), normal(MATRIX[1]), 1e-5),
        _layer_norm,
    ),
    Pair("max_pool2d_with_indices",
         lambda: (normal(*IMAGES), [2, 2], [2, 2], [0, 0], [1, 1], False),
         aten("max_pool2d_with_indices")),
    Pair("upsample_bilinear2d", lambda: (normal(*IMAGES), _TWICE, False, 2.0, 2.0), _resized),
    Pair("lstm", _lstm_arguments, _lstm),
    Pair(
        "stft",
        lambda: (normal(16, 1 << 17), normal(400), 400, 160, 400, False, True, True), _stft,
    ),
)  # fmt: skip

FORWARD = (
    *_MECHANISMS,
    Pair("exp", lambda: (normal(*MATRIX),), aten("exp")),
    Pair("mul", lambda: (normal(*MATRIX), normal(*MATRIX)), aten("mul")),
    Pair("relu", lambda: (normal(*MATRIX),), aten("relu")),
    Pair(
        "pow_tensor_tensor",
        lambda: (uniform(0.1, 4, *MATRIX), normal(*MATRIX)), aten("pow"),
    ),
    Pair("pow_tensor_scalar", lambda: (normal(*MATRIX), 2.0), aten("pow")),
    Pair("remainder_tensor_tensor", lambda: (normal(*MATRIX), uniform(1, 2, *MATRIX)),
         aten("remainder")),
    Pair("atan2", lambda: (normal(*MATRIX), normal(*MATRIX)), aten("atan2")),
    Pair("swi_glu", lambda: (normal(*MATRIX), -1), _swi_glu),
    Pair("mse_loss", lambda: (normal(*MATRIX), normal(*MATRIX), MEAN), aten("mse_loss")),
)  # fmt: skip
