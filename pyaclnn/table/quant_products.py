"""Products of narrow integers with scales."""

from __future__ import annotations

from .dtypes import dtypes
from .optional_steps import if_given
from .row import Output, Row
from .steps import DtypeIn, Kernel, Null, OnlyOn


def _quant_matmul(name: str, given: dict[str, str], function: str = "quant_matmul") -> Row:
    """Make a row; ``given`` are the parameters that the last version calls otherwise."""
    return Row(name, "matmul", (Kernel(function, of="QuantMatmulV5", given=given),))


def _product(name: str, function: str, of: str, output: Output | None = None) -> Row:
    """Make the row of a product with the parameters of ``of``."""
    outputs = {"out": output} if output else {}
    return Row(name, "matmul", (Kernel(function, of=of),), outputs)


_DEQUANT = "QuantGroupedMatmulDequant"
_OLD = {"x2Scale": "scale", "x2Offset": "offset"}

#: Of the attention of windows: parameter -> its type.
_SWIN = {
    **dict.fromkeys(("query", "key", "value"), "int8"),
    "scaleQuant": "float16",
    "scaleDequant1": "uint64",
    "scaleDequant2": "uint64",
    "out": "float16",
}
_SWIN_OPTIONAL = {
    "biasQuantOptional": "float16",
    "biasDequant1Optional": "int32",
    "biasDequant2Optional": "int32",
    "paddingMask1Optional": "float16",
    "paddingMask2Optional": "float16",
}

#: Of what makes their queries, keys and values: parameter -> its type.
_SWIN_OUT = ("queryOutputOut", "keyOutputOut", "valueOutputOut")
_SWIN_QKV = {
    **dict.fromkeys(("x", "gamma", "beta"), "float16"),
    "weight": "int8",
    "bias": "int32",
    **dict.fromkeys(("quantScale", "quantOffset"), "float16"),
    "dequantScale": "uint64",
    **dict.fromkeys(_SWIN_OUT, "float16"),
}
_WINDOWS = (
    "(prod(x) // (headNum * hWinSize * wWinSize * seqLength), headNum, hWinSize * wWinSize, "
    "seqLength)"
)

ROWS: tuple[Row, ...] = (
    Row(
        "SwinAttentionScoreQuant",
        "quant",
        (
            Null(tuple(_SWIN)),
            OnlyOn(("310P",), inside=True),
            *(DtypeIn(dtypes(d), (n,)) for n, d in _SWIN.items()),
            *(if_given(n, DtypeIn(dtypes(d), (n,))) for n, d in _SWIN_OPTIONAL.items()),
            Kernel("swin_attention_score_quant"),
        ),
        {"out": Output("like query", "float16")},
        missing=("no biasDequant2Optional, which the kernel reads all the same",),
    ),
    Row(
        "SwinTransformerLnQkvQuant",
        "quant",
        (
            Null(tuple(_SWIN_QKV)),
            OnlyOn(("310P",), inside=True),
            *(DtypeIn(dtypes(d), (n,)) for n, d in _SWIN_QKV.items()),
            Kernel("swin_transformer_ln_qkv_quant"),
        ),
        dict.fromkeys(_SWIN_OUT, Output(_WINDOWS, "same x")),
    ),
    _quant_matmul("QuantMatmulV3", _OLD),
    _quant_matmul("QuantMatmulV4", {**_OLD, "x1Scale": "pertokenScaleOptional"}),
    _quant_matmul("QuantMatmulV5", {}, "quant_matmul_newest"),
    _quant_matmul("QuantMatmulWeightNz", {}, "quant_matmul_weight_nz"),
    _product(
        "QuantMatmul", "quant_matmul_one_scale", "QuantMatmul", Output("product x1 x2", "float16")
    ),
    _product(
        "QuantMatmulV2",
        "quant_matmul_of_blocks",
        "QuantMatmulV2",
        Output("(*matrix_product(x1, x2, adjX1, adjX2),)", "float16"),
    ),
    _product("FusedQuantMatmul", "fused_quant_matmul", "FusedQuantMatmul"),
    _product("FusedQuantMatmulWeightNz", "fused_quant_matmul_nz", "FusedQuantMatmul"),
    _product(
        "QuantMatmulReduceSumWeightNz",
        "quant_matmul_sum",
        "QuantMatmulReduceSumWeightNz",
        Output("(x1[1], x2Scale[0])", "bfloat16"),
    ),
    _product(
        "BatchMatmulQuant",
        "batch_matmul_quant",
        "BatchMatmulQuant",
        Output("(*matrix_product(x1, x2, transposeX1, transposeX2),)", "int8"),
    ),
    _product(
        "QuantMatmulDequant",
        "quant_matmul_dequant",
        _DEQUANT,
        Output("(x[0], weightScale[0])", "float16"),
    ),
    _product(
        _DEQUANT,
        "quant_grouped_matmul_dequant",
        _DEQUANT,
        Output("(x[0], weightScale[1])", "float16"),
    ),
    _product(
        "QuantGroupedMatmulDequantWeightNZ",
        "quant_grouped_matmul_dequant_nz",
        _DEQUANT,
        Output("(x[0], weightScale[1])", "float16"),
    ),
    Row(
        "TransposeQuantBatchMatMul",
        "matmul",
        (Kernel("transpose_quant_batch_matmul", of="TransposeQuantBatchMatMul"),),
        {"out": Output("(x1[permX1[1]], x1[permX1[0]], x2[permX2[2]])", "given dtype")},
    ),
    Row(
        "QuantBatchMatmulInplaceAdd",
        "matmul",
        (Kernel("quant_matmul_added", of="QuantBatchMatmulInplaceAdd"),),
    ),
    Row(
        "QuantGroupedMatmulInplaceAdd",
        "matmul",
        (Kernel("quant_grouped_matmul_added", of="QuantGroupedMatmulInplaceAdd"),),
    ),
    _product(
        "TransposeQuantBatchMatMulWeightNz",
        "transpose_quant_batch_matmul_nz",
        "TransposeQuantBatchMatMul",
        Output("(x1[0], x1[1], x2[permX2[2]])", "given dtype"),
    ),
    _product(
        "DualLevelQuantMatmulWeightNz",
        "dual_level_quant_matmul",
        "DualLevelQuantMatmulWeightNz",
    ),
    Row(
        "QuantMatmulActivationQuantWeightNz",
        "matmul",
        (Kernel("quant_matmul_activation_quant", of="QuantMatmulActivationQuantWeightNz"),),
        {
            "yOut": Output("(*matrix_product(x1, x2, transposeX1, transposeX2),)", "same x1"),
            "yScaleOut": Output(
                "(*x1[:-2], x1[-1 if transposeX1 else -2],"
                " -(-x2[-2 if transposeX2 else -1] // 64), 2)",
                "float8_e8m0fnu",
            ),
        },
        missing=("a batch of x2 that is not that of x1",),
    ),
    Row(
        "WeightQuantPreprocess",
        "matmul",
        (Kernel("weight_quant_preprocess", of="WeightQuantPreprocess"),),
    ),
    Row(
        "WeightQuantBatchMatmul",
        "matmul",
        (Kernel("weight_quant_matmul_old", of="WeightQuantBatchMatmul"),),
        {"out": Output("(*matrix_product(x1, x2, transposeX1, transposeX2),)", "float16")},
    ),
    Row(
        "MatmulEmuSplitWeight",
        "matmul",
        (Kernel("matmul_split_weight", of="MatmulEmuSplitWeight"),),
        {"y": Output("(x[0], wHigh[1])", "float32")},
    ),
    _product(
        "Sparse4to2QuantMatmulWeightNz",
        "sparse_quant_matmul",
        "Sparse4to2QuantMatmulWeightNz",
        Output("(x[0], sparseWeightScale[-1])", "bfloat16"),
    ),
)
