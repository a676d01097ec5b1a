"""Attention to chosen blocks of keys: of NSA, of a mask of blocks, of lists of tokens."""

from __future__ import annotations

from .dtypes import Dtypes
from .row import Output, Row
from .steps import DtypeIn, Kernel, Null, NullInside

_FAMILY = "attention"
_HALVES = Dtypes(("float16", "bfloat16"))
_QKV = ("query", "key", "value")
_STATISTIC = Output("(query[0], headNum, 8)", "float32")
_GROUPED = Output(
    "if returnSoftmaxLse: (1, query[0], query[1]) if layoutQueryOptional == 'TND'"
    " else (query[0], 1, query[1], query[2])", "float32",
)  # fmt: skip
_SELECTED = (
    "query", "key", "value", "topkIndices", "actualSeqQLenOptional", "actualSeqKvLenOptional",
    "inputLayout", "softmaxMaxOut", "softmaxSumOut", "attentionOut",
)  # fmt: skip
_INFER = (
    "query", "key", "value", "topkIndices", "blockTableOptional", "actualQSeqLenOptional",
    "actualKvSeqLenOptional", "layoutOptional", "output",
)  # fmt: skip
_SAVED = (
    "query", "key", "value", "attentionOut", "attentionOutGrad", "softmaxMax", "softmaxSum",
    "topkIndices", "dqOut", "dkOut", "dvOut",
)  # fmt: skip
_MASKED = ("dout", "query", "key", "value", "attentionOut", "softmaxLse", "blockSparseMaskOptional")


def _like(**of: str) -> dict[str, Output]:
    return {out: Output(f"like {source}", f"same {source}") for out, source in of.items()}


def _blocks(version: str) -> Row:
    kernel = Kernel("block_sparse_attention", of="BlockSparseAttentionV2")
    dtype = "bfloat16 if query.dtype == 'float8_e4m3fn' else same query"
    return Row(
        f"BlockSparseAttention{version}", _FAMILY,
        (Null(_QKV), kernel) if version else (Null(_QKV), DtypeIn(_HALVES, ("query",)), kernel),
        {
            "attentionOut": Output("like query", dtype if version else "same query"),
            "softmaxLseOptional": Output("if softmaxLseFlag == 1: (*query[:-1], 1)", "float32"),
        },
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    Row(
        "NsaSelectedAttention", _FAMILY,
        (NullInside(_SELECTED), Kernel("nsa_selected_attention")),
        {
            "softmaxMaxOut": _STATISTIC, "softmaxSumOut": _STATISTIC,
            "attentionOut": Output("(*query[:-1], value[-1])", "same query"),
        },
    ),
    Row(
        "NsaSelectedAttentionGrad", _FAMILY,
        (Null(_SAVED), Kernel("nsa_selected_attention_grad")),
        _like(dqOut="query", dkOut="key", dvOut="value"),
    ),
    Row(
        "NsaSelectedAttentionInfer", _FAMILY,
        (NullInside(_INFER), Kernel("nsa_selected_attention_infer")),
        {
            "output": Output(
                "(*query[:-1], 128 * numHeads if layoutOptional == 'BSH' else 128)", "same query"
            ),
        },
    ),
    _blocks(""),
    _blocks("V2"),
    Row(
        "BlockSparseAttentionGrad", _FAMILY,
        (Null(_MASKED), Null(("dq", "dk", "dv")), Kernel("block_sparse_attention_grad")),
        _like(dq="query", dk="key", dv="value"),
    ),
    Row(
        "RainFusionAttention", _FAMILY,
        (Null((*_QKV, "selectIdx", "selectNumIdx")), Kernel("rain_fusion_attention")),
        {**_like(attentionOut="query"), "softmaxLseOptional": Output("none", "")},
    ),
    Row(
        "SparseFlashAttention", _FAMILY, (Kernel("sparse_flash_attention"),),
        {**_like(attentionOut="query"), "softmaxMax": _GROUPED, "softmaxSum": _GROUPED},
    ),
    Row(
        "SparseFlashAttentionGrad", _FAMILY, (Kernel("sparse_flash_attention_grad"),),
        {
            **_like(dQueryOut="query", dKeyOut="key"),
            "dValueOut": Output("if value is not None: like value", "same value"),
            **{
                f"d{x}RopeOutOptional": Output(
                    f"if {of} is not None: like {of}", f"same {of}"
                )
                for x, of in (("Query", "queryRopeOptional"), ("Key", "keyRopeOptional"))
            },
        },
    ),
    Row(
        "SparseFlashMla", _FAMILY,
        (Null(("q", "attnOutOut")), Kernel("sparse_flash_mla")),
        {
            **_like(attnOutOut="q"),
            "softmaxLseOutOptional": Output(
                "if returnSoftmaxLse: (1, q[0], q[1]) if layoutQOptional == 'TND'"
                " else (q[0], 1, q[1], q[2])", "float32",
            ),
        },
    ),
    Row(
        "SparseFlashMlaGrad", _FAMILY,
        (Null(("query", "dOut", "out", "lse", "dQueryOut")), Kernel("sparse_flash_mla_grad")),
        {
            **_like(
                dQueryOut="query", dOriKvOutOptional="oriKvOptional",
                dSinksOutOptional="sinksOptional",
            ),
            "dCmpKvOutOptional": Output(
                "if cmpKvOptional is not None: like cmpKvOptional", "same cmpKvOptional"
            ),
            "oriSoftmaxL1NormOptional": Output("none", ""),  # CANN has no choice of oriKv yet
            "cmpSoftmaxL1NormOptional": Output(
                "if cmpSparseIndicesOptional is not None: like cmpSparseIndicesOptional", "float32"
            ),
        },
    ),
    Row(
        "SparseFlashMlaMetadata", _FAMILY, (Kernel("sparse_flash_mla_metadata"),),
        {"metaData": Output("(1024,)", "int32")},
    ),
)  # fmt: skip
