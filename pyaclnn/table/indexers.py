"""Indexers, which choose the keys that queries of sparse attention see."""

from __future__ import annotations

from .dtypes import Dtypes
from .optional_steps import If
from .row import Output, Row
from .steps import DoneIfEmpty, DtypeIn, Kernel, Null, SameDtype

_FAMILY = "attention"
_INPUTS = ("query", "key", "weights")
_CHOSEN = "(*query[:-2], 1, sparseCount)"
_GRADIENTS = {
    "dQueryIndex": Output("like queryIndex", "same queryIndex"),
    "dKeyIndex": Output("like keyIndex", "same keyIndex"),
    "dWeights": Output("like weights", "same weights"),
    "loss": Output("(1,)", "float32"),
}
_OF_LOSS = (
    "query", "key", "queryIndex", "keyIndex", "weights", "softmaxMax", "softmaxSum", *_GRADIENTS,
)  # fmt: skip
_KL_GRADIENTS = {
    **{f"d{of}": Output(f"like {of}", f"same {of}") for of in "qkw"},
    "softmaxOut": Output("like attnSoftmaxL1Norm", "float32"),
}
_HALVES = Dtypes(("float16", "bfloat16"))
_STATISTIC = Output("(*queryIndex[:-3], 1, queryIndex[-3])", "float32")

ROWS: tuple[Row, ...] = (
    Row(
        "LightningIndexer", _FAMILY,
        (
            Null((*_INPUTS, "sparseIndicesOut")),
            If("returnValues", Null(("sparseValuesOut",))),
            Kernel("lightning_indexer"),
        ),
        {
            "sparseIndicesOut": Output(_CHOSEN, "int32"),
            "sparseValuesOut": Output("if returnValues: " + _CHOSEN, "same query"),
        },
    ),
    Row(
        "LightningIndexerV2", _FAMILY,
        (Null(("q", "k", "w", "sparseIndices", "sparseValues")), Kernel("lightning_indexer_v2")),
        {
            "sparseIndices": Output("(*q[:-2], 1, topk)", "int32"),
            "sparseValues": Output("(*q[:-2], 1, topk)", "float32"),
        },
        # Where CANN's kernel reads lengths that are not there.
        missing=("cuSeqlensK beside keys of BSND without sequsedK",),
    ),
    Row(
        "LightningIndexerV2Metadata", _FAMILY, (Kernel("lightning_indexer_v2_metadata"),),
        {"metaData": Output("(1024,)", "int32")},
    ),
    Row(
        "QuantLightningIndexer", _FAMILY,
        (
            Null((*_INPUTS, "queryDequantScale", "keyDequantScale", "out")),
            Kernel("quant_lightning_indexer"),
        ),
        {"out": Output(_CHOSEN, "int32")},
    ),
    Row(
        "DenseLightningIndexerSoftmaxLse", _FAMILY,
        (
            Null(("queryIndex", "keyIndex", "weight", "softmaxMaxOut", "softmaxSumOut")),
            Kernel("dense_lightning_indexer_softmax_lse"),
        ),
        {"softmaxMaxOut": _STATISTIC, "softmaxSumOut": _STATISTIC},
    ),
    Row(
        "LightningIndexerGrad", _FAMILY,
        (
            Null(("query", "key", "dy", "sparseIndices", "weights")),
            DtypeIn(_HALVES, ("query",)),
            SameDtype(("query", "key", "dy", "weights")),
            Null(("dqOut", "dkOut", "dweightsOut")),
            DoneIfEmpty(("query",)),
            Kernel("lightning_indexer_grad"),
        ),
        {
            "dqOut": Output("like query", "same query"),
            "dkOut": Output("like key", "same key"),
            "dweightsOut": Output("like weights", "same weights"),
        },
    ),
    Row(
        "DenseLightningIndexerGradKLLoss", _FAMILY,
        (
            Null((*_OF_LOSS, "softmaxMaxIndex", "softmaxSumIndex")),
            DoneIfEmpty(("query",)),
            Kernel("dense_lightning_indexer_grad_kl_loss"),
        ),
        _GRADIENTS,
    ),
    Row(
        "SparseLightningIndexerGradKLLoss", _FAMILY,
        (
            Null((*_OF_LOSS, "sparseIndices")),
            DoneIfEmpty(("query",)),
            Kernel("sparse_lightning_indexer_grad_kl_loss"),
        ),
        _GRADIENTS,
    ),
    Row(
        "SparseLightningIndexerKLLossGrad", _FAMILY,
        (
            Null(("q", "k", "w", "sparseIndices", "attnSoftmaxL1Norm", *_KL_GRADIENTS)),
            Kernel("sparse_lightning_indexer_kl_loss_grad"),
        ),
        _KL_GRADIENTS,
    ),
    Row(
        "SparseLightningIndexerKLLossGradMetadata", _FAMILY,
        (
            Null(("metadata",)),
            Kernel("sparse_lightning_indexer_kl_loss_grad_metadata"),
        ),
        {"metadata": Output("(64,)", "int32")},
    ),
)  # fmt: skip
