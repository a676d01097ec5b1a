"""Element-wise operators and losses beside PyTorch's."""

from __future__ import annotations

from typing import Any

from pyaclnn.bench.pairs import MATRIX, MEAN, Pair, aten, normal, uniform


def _swi_glu(torch: Any, x: Any, dim: int) -> tuple[Any, ...]:
    def call() -> Any:
        a, b = x.chunk(2, dim)
        return torch.nn.functional.silu(a) * b

    return (call,)


FORWARD = (
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
