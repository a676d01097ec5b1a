"""Normalisations."""

from __future__ import annotations

from .dtypes import FLOATS, FLOATS_DOUBLE, REAL_BOOL
from .optional_steps import If, Since
from .row import Output, Row
from .shape_steps import Axes, Formats
from .steps import (
    Call,
    CommonCastable,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    KernelExists,
    Null,
    On950,
    Promotes,
    RankAtMost,
    Step,
    Steps,
    Struct,
    That,
)

_FAMILY = "norm"


def _layer_norm(name: str, *, dtypes: str = "", mode: str = "", fast: str = "false") -> Row:
    missing = ("implMode 1 and 2 compute as 0 does",) if mode else ()
    shapes = Call("check_statistics", "check tensors normalizedShape.values().size()")
    early = () if fast == "true" else (On950(shapes),)
    return Row(
        name, _FAMILY,
        (
            Null(("input", "normalizedShape", "out")),
            Struct("LayerNormTensors",
                   "input weightOptional biasOptional out meanOutOptional rstdOutOptional",
                   "tensors"),
            Cpp("check_layer_norm(check, tensors, normalizedShape.values(), "
                f"{dtypes or FLOATS.cpp()});"),
            *early,
            *((Call("check_impl_mode", f"check tensors {mode}"),) if mode else ()),
            Call("layer_norm", f"plan tensors normalizedShape.values().size() eps {fast}"),
        ),
        {
            "out": Output("like input", "same input"),
            "meanOutOptional": Output("layer_statistic input normalizedShape", "float32"),
            "rstdOutOptional": Output("layer_statistic input normalizedShape", "float32"),
        },
        missing=missing,
    )  # fmt: skip


_GROUPS = Struct("GroupNormTensors", "self gamma beta out meanOut rstdOut", "tensors")


def _group_norm_silu(name: str, silu: str) -> Row:
    return Row(
        name, _FAMILY,
        (
            Null(("self", "out", "meanOut", "rstdOut")),
            _GROUPS,
            Call("check_group_norm_silu", "check tensors group eps"),
            Call("group_norm_silu", f"plan tensors group eps {silu}"),
        ),
        {
            "out": Output("like self", "same self"),
            "meanOut": Output("group_statistic self group", "same self"),
            "rstdOut": Output("group_statistic self group", "same self"),
        },
    )  # fmt: skip


_SUM = Output("like x1", "common x1 x2")
_ROW_OF_X = Output("row_statistic x gamma", "float32")
_ROW_OF_X1 = Output("row_statistic x1 gamma", "float32")


def _of_rows(name: str, inputs: str, outs: str, kernel: Step, outputs: dict[str, Output]
             ) -> Row:  # fmt: skip
    """Make the row of an operator that CANN generates from its kernel."""
    given = tuple(n for n in (*inputs.split(), *outs.split()) if not n.endswith("Optional"))
    return Row(
        name, _FAMILY,
        (
            Null(given),
            Formats(given),
            kernel,
        ),
        outputs,
    )  # fmt: skip


_CHANNELS_LAST = "channels-last formats of the 950 series"

_ADD_RMS_CHECK = Call("check_add_rms_norm", "check x1 x2 gamma yOut rstdOut xOut")
_NO_RMS = DoneIfEmpty(("x1", "gamma"))

ROWS: tuple[Row, ...] = (
    Row(
        "BatchNorm", _FAMILY,
        (
            Null(("input", "output")),
            If("training", Null(("saveMean", "saveInvstd"))),
            Struct("BatchNormTensors",
                   "input weight bias runningMean runningVar output saveMean saveInvstd",
                   "tensors"),
            DoneIf("input.is_empty()", Call("batch_norm_of_nothing", "plan tensors")),
            Call("check_batch_norm", "check tensors training"),
            Call("batch_norm", "plan tensors training momentum eps"),
        ),
        {
            "output": Output("like input", "same input"),
            "saveMean": Output("channels_if input training", "float32"),
            "saveInvstd": Output("channels_if input training", "float32"),
        },
        missing=(_CHANNELS_LAST,),
    ),
    Row(
        "BatchNormElemt", _FAMILY,
        (
            Call("check_batch_norm_elemt", "check input weight bias mean invstd output"),
            DoneIfEmpty(("input",)),
            Kernel("batch_norm_elemt"),
        ),
        {"output": Output("like input", "same input")},
        missing=(_CHANNELS_LAST,),
    ),
    _layer_norm("LayerNorm"),
    _layer_norm("LayerNormWithImplMode", mode="implMode"),
    # bfloat16 is accepted on every chip.
    _layer_norm(
        "FastLayerNorm", dtypes="DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}", fast="true",
    ),
    Row(
        "GroupNorm", _FAMILY,
        (
            Null(("self", "out", "meanOut", "rstdOut")),
            _GROUPS,
            Call("check_group_norm", "check tensors {N, C, HxW} group eps"),
            Call("group_norm", "plan tensors group eps"),
        ),
        {
            "out": Output("like self", "same self"),
            "meanOut": Output("group_statistic self group", "same self"),
            "rstdOut": Output("group_statistic self group", "same self"),
        },
    ),
    _group_norm_silu("GroupNormSilu", "true"),
    _group_norm_silu("GroupNormSiluV2", "activateSilu"),
    Row(
        "RmsNorm", _FAMILY,
        (
            Null(("x", "gamma", "yOut", "rstdOut")),
            Kernel("rms_norm"),
        ),
        {
            "yOut": Output("like x", "same x"),
            "rstdOut": Output("row_statistic x gamma", "float32"),
        },
    ),
    Row(
        "AddRmsNorm", _FAMILY,
        (
            Null(("x1", "gamma")),
            # CANN checks what it has nothing to do with, too, since 9.1.
            Since("9.1", Steps((_ADD_RMS_CHECK, _NO_RMS)), before=Steps((_NO_RMS, _ADD_RMS_CHECK))),
            Call("add_rms_norm", "plan x1 x2 gamma epsilon yOut rstdOut xOut"),
        ),
        {
            "yOut": Output("like x1", "same x1"),
            "rstdOut": Output("row_statistic x1 gamma", "float32"),
            "xOut": Output("like x1", "same x1"),
        },
    ),
    _of_rows(
        "AddLayerNorm", "x1 x2 gamma beta biasOptional", "yOut meanOut rstdOut xOut",
        Kernel("add_layer_norm"),
        {"yOut": _SUM, "meanOut": _ROW_OF_X1, "rstdOut": _ROW_OF_X1, "xOut": _SUM},
    ),
    _of_rows(
        "DeepNorm", "x gx beta gamma", "meanOut rstdOut yOut",
        Kernel("deep_norm"),
        {"meanOut": _ROW_OF_X, "rstdOut": _ROW_OF_X, "yOut": Output("like x", "same x")},
    ),
    _of_rows(
        "GroupNormSwish", "x gamma beta", "yOut meanOut rstdOut",
        Kernel("group_norm_swish"),
        {
            "yOut": Output("like x", "same x"),
            "meanOut": Output("group_statistic x numGroups", "same gamma"),
            "rstdOut": Output("group_statistic x numGroups", "same gamma"),
        },
    ),
    _of_rows(
        "GemmaRmsNorm", "x gamma", "yOut rstdOut",
        Kernel("gemma_rms_norm"),
        {"yOut": Output("like x", "same x"), "rstdOut": _ROW_OF_X},
    ),
    _of_rows(
        "InplaceAddRmsNorm", "x1Ref x2Ref gamma", "rstdOut",
        Kernel("inplace_add_rms_norm"),
        {"rstdOut": Output("row_statistic x1Ref gamma", "float32")},
    ),
    _of_rows(
        "AddRmsNormCast", "x1 x2 gamma", "y1Out y2Out rstdOut xOut",
        Kernel("add_rms_norm_cast"),
        {
            "y1Out": Output("like x1", "float32"),
            "y2Out": Output("like x1", "same x1"),
            "rstdOut": _ROW_OF_X1,
            "xOut": Output("like x1", "same x1"),
        },
    ),
    Row(
        "AdaLayerNorm", _FAMILY,
        (
            Null(("x", "scale", "shift", "out")),
            Call("ada_layer_norm",
                 "check plan {x, scale, shift, weightOptional, biasOptional, epsilon, out, "
                 "nullptr, nullptr}"),
        ),
        {"out": Output("like x", "same x")},
    ),
    Row(
        "AdaLayerNormV2", _FAMILY,
        (
            Null(("x", "scale", "shift", "out")),
            Call("ada_layer_norm",
                 "check plan {x, scale, shift, weightOptional, biasOptional, epsilon, out, "
                 "&meanOutOptional, &rstdOutOptional}"),
        ),
        {
            "out": Output("like x", "same x"),
            "meanOutOptional": Output("last_statistic x", "same x"),
            "rstdOutOptional": Output("last_statistic x", "same x"),
        },
    ),
    Row(
        "InstanceNorm", _FAMILY,
        (
            Null(("x", "gamma", "beta", "dataFormat", "y", "mean", "variance")),
            Kernel("instance_norm"),
        ),
        {
            "y": Output("like x", "same x"),
            "mean": Output("plane_statistic x dataFormat", "same x"),
            "variance": Output("plane_statistic x dataFormat", "same x"),
        },
    ),
    Row(
        "BatchNormStats", _FAMILY,
        (
            Null(("input", "mean", "invstd")),
            Kernel("batch_norm_stats"),
        ),
        {
            "mean": Output("channels input", "float32"),
            "invstd": Output("channels input", "float32"),
        },
    ),
    Row(
        "BatchNormReduce", _FAMILY,
        (
            Null(("x", "sum", "squareSum")),
            Call("batch_norm_reduce", "check plan x sum squareSum"),
        ),
        {"sum": Output("channels x", "float32"), "squareSum": Output("channels x", "float32")},
    ),
    Row(
        "BatchNormGatherStatsWithCounts", _FAMILY,
        (
            Null(("input", "mean", "invstd", "counts", "meanAll", "invstdAll")),
            Kernel("batch_norm_gather_stats"),
        ),
        {
            "meanAll": Output("channels input", "same mean"),
            "invstdAll": Output("channels input", "same invstd"),
        },
    ),
    Row(
        "SyncBatchNormGatherStats", _FAMILY,
        (
            Null((
                "totalSum", "totalSquareSum", "sampleCount", "mean", "variance", "batchMean",
                "batchInvstd",
            )),
            Kernel("sync_batch_norm_gather_stats"),
        ),
        {
            "batchMean": Output("channels totalSum", "same totalSum"),
            "batchInvstd": Output("channels totalSum", "same totalSum"),
        },
    ),
    Row(
        "Norm", _FAMILY,
        (
            Null(("self", "pScalar", "dim", "out")),
            On950(DtypeIn(FLOATS, ("self", "out"))),
            Promotes(("self", "out")),
            On950(CommonCastable(("self", "out"), ("out",))),
            Axes("dim.values()"),
            RankAtMost(8, ("self", "out")),
            That(
                "out.shape() == reduced_shape(self.shape(), axes, keepdim)",
                "out has shape %s, which is not that of self without these dimensions",
                ("out.shape().text().c_str()",),
            ),
            DoneIfEmpty(("out",)),
            DoneIf("self.is_empty()", Call("launch_zero", "plan out")),
            # Before the 950 CANN casts whatever else there is, and back.
            KernelExists(f"{REAL_BOOL.cpp()}.contains(self.dtype()) && "
                         f"{FLOATS_DOUBLE.cpp()}.contains(out.dtype())"),
            Cpp(f"const bool in_own = chip().has_bf16() && {FLOATS.cpp()}.contains(self.dtype()) "
                "&& self.dtype() == out.dtype();"),
            Call("own_or_float", "in_own self.dtype()", "computed"),
            Call("vector_norm",
                 "plan norm_order(pScalar->to_double()) computed self out axes keepdim"),
        ),
        {"out": Output("reduced self dim keepdim", "float_of self")},
        missing=("complex numbers and results of integers, of which the document has none",),
    ),
)  # fmt: skip
