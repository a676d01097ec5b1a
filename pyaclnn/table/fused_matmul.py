"""Matrix products with something done to their operands or result on the way."""

from __future__ import annotations

from .dtypes import dtypes
from .list_steps import EachTensor
from .optional_steps import if_given
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    Call,
    DtypeIn,
    Kernel,
    Null,
    OnlyOn,
    Step,
    Steps,
    That,
)

_FAMILY = "matmul"
_HALF = dtypes("float16")

_fused = Row(
    "FusedMatmul", _FAMILY,
    (
        OnlyOn(("950",)),
        Null(("fusedOpType",)),
        Call("fused_of", "check fusedOpType", "fused"),
        Null(("x1", "x2", "y")),
        Call("check_fused", "check fused x1 x2 bias x3 y cubeMathType"),
        That("!x1.is_empty() && !x2.is_empty()", "empty tensors are not allowed"),
        Call("fused_matmul", "plan fused x1 x2 bias x3 y cubeMathType"),
    ),
    {"y": Output("product x1 x2", "common x1 x2")},
)  # fmt: skip


def _transposed(name: str, *first: Step) -> Row:
    """Make the row of a product of batches whose axes are in another order."""
    return Row(
    name, _FAMILY,
    (
        *first,
        Null(("x1", "x2", "out", "permX1", "permX2", "permY")),
        OnlyOn(("A2", "950")),
        Kernel("transposed_product", of="TransposeBatchMatMul"),
    ),
    {"out": Output("transposed_product x1 x2 permX1 permX2 batchSplitFactor", "common x1 x2")},
)  # fmt: skip


_SUMMED = dtypes("float16 int16 int32 int64 uint16 uint32 uint64", "float32")

_einsum = Row(
    "Einsum", _FAMILY,
    (
        Null(("tensors", "equation", "output")),
        EachTensor("tensors", Null(("tensor",))),
        EachTensor("tensors", Steps((DtypeIn(_SUMMED, ("tensor",)), Formats(("tensor",))))),
        DtypeIn(_SUMMED, ("output",)),
        Call("einsum", "check plan tensors equation output"),
    ),
    {"output": Output("einsum tensors", "same tensors")},
)  # fmt: skip

_add_lora = Row(
    "AddLora", _FAMILY,
    (
        Null(("y", "x", "weightB", "indices", "out")),
        DtypeIn(_HALF, ("y", "x", "weightB", "out")),
        DtypeIn(dtypes("int32"), ("indices",)),
        if_given("weightAOptional", DtypeIn(_HALF, ("weightAOptional",))),
        OnlyOn(("310P", "A2"), inside=True),
        Kernel("check_lora"),
        Kernel("add_lora"),
    ),
    {"out": Output("like y", "same y")},
    missing=("private formats",),
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    _fused,
    _transposed("TransposeBatchMatMul"),
    _transposed(
        "TransposeBatchMatMulWeightNz",
        Null(("x2",)),
        That("is_nz(x2.meta().format)", "x2 is not in FRACTAL_NZ"),
    ),
    _einsum,
    _add_lora,
)
