"""Calls of the two convolutions that are right, with some arguments changed."""

from __future__ import annotations

from typing import Any

from operators.calls import ones

import pyaclnn as pa


def convolve(**changes: Any) -> Any:
    """Run a right two-dimensional call with some arguments changed."""
    arguments: dict[str, Any] = {
        "grad_output": ones(2, 4, 5, 5), "input": ones(2, 3, 5, 5),
        "weight": ones(4, 3, 3, 3), "bias_sizes": (4,), "stride": (1, 1), "padding": (1, 1),
        "dilation": (1, 1), "transposed": False, "output_padding": (0, 0), "groups": 1,
        "output_mask": (True, True, True), "cube_math_type": 0,
    } | changes  # fmt: skip
    return pa.ops["convolution_backward"](**arguments)


def outputs(**changes: Any) -> tuple[Any, ...]:
    right = {"x": ones(2, 3, 5, 5), "w": ones(4, 3, 3, 3), "b": ones(4)} | changes
    return tuple(right.values())


def tbc(**changes: Any) -> Any:
    arguments: dict[str, Any] = {
        "self": ones(5, 2, 4), "input": ones(5, 2, 3), "weight": ones(3, 3, 4),
        "bias": ones(4), "pad": 1, "cube_math_type": 0,
    } | changes  # fmt: skip
    return pa.ops["conv_tbc_backward"](**arguments)
