"""The resizing operators, and a call of any of them."""

from __future__ import annotations

from typing import Any

import pyaclnn as pa

#: Operator, spatial axes, and whether it has the attribute alignCorners.
OPERATORS = (
    ("upsample_nearest1d_backward", 1, False),
    ("upsample_nearest2d_backward", 2, False),
    ("upsample_nearest3d_backward", 3, False),
    ("upsample_nearest_exact1d_backward", 1, False),
    ("upsample_nearest_exact2d_backward", 2, False),
    ("upsample_nearest_exact3d_backward", 3, False),
    ("upsample_linear1d_backward", 1, True),
    ("upsample_bilinear2d_backward", 2, True),
    ("upsample_bilinear2d_backward_v2", 2, True),
    ("upsample_trilinear3d_backward", 3, True),
    ("upsample_bicubic2d_backward", 2, True),
    ("upsample_bilinear2d_aa_backward", 2, True),
    ("upsample_bicubic2d_aa_grad", 2, True),
)
NAMES = tuple(name for name, _, _ in OPERATORS)
AXES = {name: axes for name, axes, _ in OPERATORS}
ALIGNS = {name: align for name, _, align in OPERATORS}


def call(name: str, **changes: Any) -> pa.Tensor:
    """Double a (2, 3, 4, ...) image, with some arguments changed."""
    axes = AXES[name]
    arguments: dict[str, Any] = {
        "grad": pa.ones((2, 3) + (8,) * axes),
        "output_size": (8,) * axes,
        "input_size": (2, 3) + (4,) * axes,
        "align_corners": False,
        "scales": (0.0,) * axes,
        "out": pa.zeros((2, 3) + (4,) * axes),
    } | changes
    attributes = (arguments["align_corners"],) if ALIGNS[name] else ()
    result: pa.Tensor = pa.ops[name](
        arguments["grad"], arguments["output_size"], arguments["input_size"], *attributes,
        *arguments["scales"], out=arguments["out"],
    )  # fmt: skip
    return result
