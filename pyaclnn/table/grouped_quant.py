"""Products of int8 with a matrix for each group of rows, and what is fused with them."""

from __future__ import annotations

from .row import Output, Row
from .steps import Kernel

_FAMILY = "moe"


def _gate(name: str, function: str) -> Row:
    """Make the row of products that a gate and int8 follow."""
    return Row(
        name, _FAMILY, (Kernel(function, of="GroupedMatmulSwigluQuant"),),
        {
            "output": Output("(x[0], weightScale[-1] // 2)", "int8"),
            "outputScale": Output("(x[0],)", "float32"),
            "outputOffset": Output("none", ""),
        },
    )  # fmt: skip


#: The columns of a product, which weights in words of int4 do not tell.
_COLUMNS = "(weightScale[0][-2] if quantMode == 2 else weightScale[0][-1])"
_WHOLE = "('int8', 'int4', 'int32')"


def _listed_gate(name: str, function: str) -> Row:
    """Make the row of the version whose weights are a list."""
    return Row(
        name, _FAMILY, (Kernel(function, of="GroupedMatmulSwigluQuantV2"),),
        {
            "output": Output(
                f"(x[0], {_COLUMNS} // 2)", f"int8 if x.dtype in {_WHOLE} else same x"
            ),
            "outputScale": Output(
                f"(x[0], {_COLUMNS} // 128, 2) if quantMode == 2 else (x[0],)",
                "float8_e8m0fnu if quantMode == 2 else float32",
            ),
        },
    )  # fmt: skip


_OLD = {"x1": "x", "x2": "w", "transposeX1": "transposeX", "transposeX2": "transposeW", "out": "y"}


def _routed(name: str, function: str, given: dict[str, str] | None = None) -> Row:
    """Make the row of products that are added up over the tokens of their rows."""
    return Row(
        name, _FAMILY,
        (Kernel(function, of="GroupedMatmulFinalizeRoutingV3", given=given or {}),),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _gate("GroupedMatmulSwigluQuant", "grouped_swiglu_quant"),
    _gate("GroupedMatmulSwigluQuantWeightNZ", "grouped_swiglu_quant_nz"),
    _listed_gate("GroupedMatmulSwigluQuantV2", "grouped_swiglu_quant_v2"),
    _listed_gate("GroupedMatmulSwigluQuantWeightNzV2", "grouped_swiglu_quant_nz_v2"),
    _routed("GroupedMatmulFinalizeRouting", "finalize_routing_with_assist", _OLD),
    _routed("GroupedMatmulFinalizeRoutingV2", "finalize_routing_with_assist"),
    _routed("GroupedMatmulFinalizeRoutingV3", "finalize_routing_v3"),
    _routed("GroupedMatmulFinalizeRoutingWeightNz", "finalize_routing_nz"),
    _routed("GroupedMatmulFinalizeRoutingWeightNzV2", "finalize_routing_nz_v2"),
)
