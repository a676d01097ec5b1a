"""Attention for inference: Prompt, Incre and both in one, in all versions of their interfaces."""

from __future__ import annotations

from collections.abc import Mapping

from .row import Row
from .steps import Kernel, Null, Step

_FAMILY = "attention"
_NEWEST = "FusedInferAttentionScoreV5"
_REQUIRED: Step = Null(("query", "key", "value", "inputLayout", "attentionOut"))

#: What of the documents is refused by name.
_QUANTISED = (
    "quantised queries and results", "keys and values of 4 bits and of floats of 8 bits",
    "scales of groups or of tokens in pages",
)  # fmt: skip
_KEYS = (
    "keys and values in lists", "caches of fractals", "padding in front beside a mask or a shift",
)  # fmt: skip

#: Tokens without an end, for operators that have no band.
_ENDLESS = {"preTokens": "INT64_MAX", "nextTokens": "INT64_MAX"}


def _fused(version: str, *missing: str) -> Row:
    return Row(
        f"FusedInferAttentionScore{version}", _FAMILY,
        (_REQUIRED, Kernel("fused_infer_attention", of=_NEWEST)),
        missing=(*_QUANTISED, *_KEYS, *missing), since_9_0=version in ("V4", "V5"),
    )  # fmt: skip


def _prompt(version: str) -> Row:
    given = {"key": "list_of(key)", "value": "list_of(value)"}
    if version == "":
        # One length for queries and keys.
        given["actualSeqLengthsKvOptional"] = "IntArrayIn(Absent())"
    return _other(f"PromptFlashAttention{version}", "prompt_flash_attention", given, _QUANTISED[:1])


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
    return _other(
        f"IncreFlashAttention{version}", "incre_flash_attention", given, (*_QUANTISED, *_KEYS)
    )


def _other(name: str, function: str, given: Mapping[str, str], missing: tuple[str, ...]) -> Row:
    kernel = Kernel(function, of=_NEWEST, given=dict(given))
    return Row(
        name, _FAMILY, (_REQUIRED, kernel), include=("attention/list_of.hpp",), missing=missing
    )


ROWS: tuple[Row, ...] = (
    *(_prompt(version) for version in ("", "V2", "V3")),
    *(_incre(version) for version in ("", "V2", "V3", "V4")),
    _fused(""),
    _fused("V2", "shared prefixes"),
    _fused("V3", "shared prefixes"),
    _fused("V4", "shared prefixes", "a learnableSink of 16 bits", "sparseMode 9"),
    _fused("V5", "shared prefixes", "a learnableSink of 16 bits", "sparseMode 9", "pseType 2 and 3",
           "starts of queries and keys"),
)  # fmt: skip
