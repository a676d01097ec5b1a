"""Attention to points of feature maps of several sizes."""

from __future__ import annotations

from .format_steps import FormatNotIn
from .row import Output, Row
from .steps import Kernel, Null

_FAMILY = "attention"
_GIVEN = ("value", "spatialShape", "levelStartIndex", "location", "attnWeight")
_GRADIENTS = {"gradValue": "value", "gradLocation": "location", "gradAttnWeight": "attnWeight"}

ROWS: tuple[Row, ...] = (
    Row(
        "MultiScaleDeformableAttnFunction", _FAMILY,
        (Null((*_GIVEN, "output")), Kernel("multi_scale_deformable_attn")),
        {"output": Output("(value[0], location[1], value[2] * value[3])", "same value")},
    ),
    Row(
        "MultiScaleDeformableAttentionGrad", _FAMILY,
        (
            Null((*_GIVEN, "gradOutput", *_GRADIENTS)),
            FormatNotIn(("FRACTAL_NZ",), (*_GIVEN, "gradOutput")),
            Kernel("multi_scale_deformable_attn_grad"),
        ),
        {out: Output(f"like {of}", f"same {of}") for out, of in _GRADIENTS.items()},
    ),
)  # fmt: skip
