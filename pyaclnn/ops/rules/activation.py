"""Activations: the weights of PReLU, and numbers whose type a document names."""

from __future__ import annotations

from collections.abc import Callable

from pyaclnn.ops.rules.common import ScalarDtypes
from pyaclnn.tensor import Tensor


def slopes(weight: Tensor) -> tuple[int, ...]:
    """Return the shape of the gradient by slopes: a list of them, but that of a single one."""
    return weight.shape if weight.size == 1 else (weight.size,)


SHAPES: dict[str, Callable[..., tuple[int, ...]]] = {"slopes": slopes}

SCALAR_DTYPES: ScalarDtypes = {
    ("aclnnSoftshrinkBackward", "lambda"): "float32",
    ("aclnnThresholdBackward", "threshold"): "float32",
}
