"""Products of narrow integers with scales."""

from __future__ import annotations

from .row import Row
from .steps import Kernel

_MISSING = (
    "Ascend950",
    "x1 of int8 beside x2 of int4",
    "scales for groups and blocks of the depth",
)


def _quant_matmul(name: str, given: dict[str, str],
                  function: str = "quant_matmul") -> Row:  # fmt: skip
    """Make a row; ``given`` are the parameters that the last version calls otherwise."""
    return Row(
        name, "matmul", (Kernel(function, of="QuantMatmulV5", given=given),),
        missing=_MISSING,
    )  # fmt: skip


_OLD = {"x2Scale": "scale", "x2Offset": "offset"}

ROWS: tuple[Row, ...] = (
    _quant_matmul("QuantMatmulV3", _OLD),
    _quant_matmul("QuantMatmulV4", {**_OLD, "x1Scale": "pertokenScaleOptional"}),
    _quant_matmul("QuantMatmulV5", {}),
    _quant_matmul("QuantMatmulWeightNz", {}, function="quant_matmul_weight_nz"),
)
