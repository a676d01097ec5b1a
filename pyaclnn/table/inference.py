"""Attention for inference: Prompt, Incre and both in one, in all versions of their interfaces."""

from __future__ import annotations

from collections.abc import Mapping

from .optional_steps import Since
from .row import Output, Row
from .steps import EndedOn950, Kernel, Null, Step

_FAMILY = "attention"
_NEWEST = "FusedInferAttentionScoreV5"
_REQUIRED: Step = Null(("query", "key", "value", "inputLayout", "attentionOut"))
_ENDED: tuple[Step, ...] = (Since("9.0", EndedOn950()),)

#: What of the documents is refused by name.
_OLD_CHIPS = "quantised queries and results on the 310P"
_BLOCKS = "on the 950: queries of floats of 8 bits with scales of blocks (queryQuantMode 7)"
_NARROW = "on the 950 before CANN 9.0: keys and values of 4 bits and of floats of 8"
_PREFIXES = "shared prefixes beside scales of tokens and queries of many tokens on A2"
_SMALL_PREFIXES = "shared prefixes of float4_e2m1 on the 950 of CANN 9.0"

#: Where the result is quantised by a scale, which only later versions have.
_HALF = "float16 if query.dtype == 'int8' else same query"
_BY_SCALE = "int8 if {} is not None else " + _HALF
#: Beside keys of it the result is a narrow float, too; hifloat8 is no dtype in Python.
_BY_KEYS = "float8_e4m3fn if {1} is not None and {0}.dtype == 'float8_e4m3fn' else "
#: Queries of 8 bits have rotary parts only where they are latent vectors, or have exponents.
_LATENT = (
    "bfloat16 if query.dtype in ('int8', 'float8_e4m3fn') and "
    "(queryRopeOptional is not None or queryQuantMode == 6) else "
)
_LSE = Output(
    "if softmaxLseFlag: (*softmax_statistics(query, inputLayout, numHeads, 1),)", "float32"
)

#: Tokens without an end, for operators that have no band.
_ENDLESS = {"preTokens": "INT64_MAX", "nextTokens": "INT64_MAX"}


def _attended(value: str, is_paged: str, dtype: str) -> Output:
    heads = "inputLayout, numHeads, numKeyValueHeads"
    return Output(f"(*attention(query, {value}, {heads}{is_paged}),)", dtype)


def _fused(version: str, *missing: str) -> Row:
    optional = "Optional" if version else ""
    paged = f", blockTable{optional} is not None, 8 if value[0].dtype == 'int32' else 1"
    scale = f"quantScale2{optional}"
    dtype = _BY_KEYS.format("key[0]", scale) + _BY_SCALE.format(scale)
    if version > "V3":
        dtype = _LATENT + dtype
    out = _attended("value[0]", paged, dtype)
    return Row(
        f"FusedInferAttentionScore{version}", _FAMILY,
        (*_ENDED[version == "V5" :], _REQUIRED, Kernel("fused_infer_attention", of=_NEWEST)),
        {"attentionOut": out, "softmaxLse": _LSE},
        missing=(_BLOCKS, *missing),
    )  # fmt: skip


def _prompt(version: str) -> Row:
    given = {"key": "list_of(key)", "value": "list_of(value)"}
    if version == "":
        # One length for queries and keys.
        given["actualSeqLengthsKvOptional"] = "IntArrayIn(Absent())"
    dtype = _BY_SCALE.format("quantScale2") if version else _HALF
    return _other(
        f"PromptFlashAttention{version}", "prompt_flash_attention", given,
        _attended("value", "", dtype), (_OLD_CHIPS, _NARROW),
    )  # fmt: skip


def _incre(version: str) -> Row:
    given = {
        **_ENDLESS,
        "actualSeqLengthsOptional": "IntArrayIn(Absent())",
        "actualSeqLengthsKvOptional": "actualSeqLengths",
    }
    if version:
        given |= {"deqScale1Optional": "dequantScale1", "deqScale2Optional": "dequantScale2"}
    if version in ("V3", "V4"):
        given["blockTableOptional"] = "blocktable"
    out = Output("like query", _BY_SCALE.format("quantScale2") if version else _HALF)
    return _other(
        f"IncreFlashAttention{version}", "incre_flash_attention", given, out,
        (_OLD_CHIPS, _NARROW),
    )  # fmt: skip


def _other(
    name: str, function: str, given: Mapping[str, str], out: Output, missing: tuple[str, ...]
) -> Row:
    kernel = Kernel(function, of=_NEWEST, given=dict(given))
    return Row(
        name, _FAMILY, (*_ENDED, _REQUIRED, kernel), {"attentionOut": out},
        missing=missing,
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    *(_prompt(version) for version in ("", "V2", "V3")),
    *(_incre(version) for version in ("", "V2", "V3", "V4")),
    _fused(""),
    *(_fused(version, _PREFIXES) for version in ("V2", "V3", "V4")),
    _fused("V5", _PREFIXES, _SMALL_PREFIXES),
)  # fmt: skip
