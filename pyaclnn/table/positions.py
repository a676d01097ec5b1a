"""Rotary position embeddings, alone and with what models do beside them."""

from __future__ import annotations

from collections.abc import Callable

from .optional_steps import If
from .row import Output, Row
from .steps import Call, DoneIfEmpty, Inside, Kernel, Null, NullInside, That

_FAMILY = "attention"


def _cached(name: str, mode: str) -> Row:
    """Return the row of an operator that looks cosines and sines up."""
    return Row(
        name, _FAMILY,
        (
            *((That("cacheMode == 0 || cacheMode == 1", "cacheMode is %lld, it must be 0 or 1",
                    ("static_cast<long long>(cacheMode)",)),) if mode == "cacheMode" else ()),
            Null(("positions", "queryIn", "keyIn", "cosSinCache", "queryOut", "keyOut")),
            Call("rope_with_sin_cos_cache",
                 "check plan positions queryIn keyIn cosSinCache mropeSection headSize "
                 f"isNeoxStyle {mode} queryOut keyOut"),
        ),
        {"queryOut": Output("like queryIn", "same queryIn"),
         "keyOut": Output("like keyIn", "same keyIn")},
    )  # fmt: skip


def _kv(name: str, *, has_values: bool) -> Row:
    """Return the row of an operator that puts normalised and turned keys into a cache."""
    rope, other = "cos[3]", "gamma[0]"
    if has_values:
        rope += " if vOptional is None else kv[3]"
        other += " if vOptional is None else vOptional[3]"
    return Row(
        name, _FAMILY,
        (
            Null(("kv", "gamma", "cos", "sin", "index", "kCacheRef", "ckvCacheRef", "kRopeOut",
                  "cKvOut")),
            Kernel("kv_rms_norm_rope_cache", of="KvRmsNormRopeCacheV2"),
        ),
        {
            "kRopeOut": Output(f"(*kv[:3], {rope})", "same kv"),
            "cKvOut": Output(f"(*kv[:3], {other})", "same kv"),
        },
    )  # fmt: skip


#: Two sequences behind one another, and the numbers of their rows.
_JOINED = "({0}[0], {0}[2], {0}[1] + ({1}[1] if {1} is not None else 0), {0}[3])"
_STATISTIC = "if isTraining and {1} in (1, 2) and {0} is not None: (*{0}[:3], 1)"

#: How names of outputs tell which of the two sequences they are of.
_JOINS: dict[str, Callable[[str], str]] = {
    "": str, "Added": lambda x: f"encoder{x.capitalize()}",
}  # fmt: skip

#: The result goes to a contiguous copy of out, which nothing is copied back from.
_ROTATED = (
    Null(("x", "out")),
    DoneIfEmpty(("out",)),
    NullInside(("cos", "sin")),
    Inside("out.meta().is_contiguous()", "out is a strided view"),
)

ROWS: tuple[Row, ...] = (
    Row(
        "RotaryPositionEmbedding", _FAMILY,
        (
            *_ROTATED,
            Call("rotary_position_embedding", "plan x cos sin mode nullptr out"),
        ),
        {"out": Output("like x", "same x")},
    ),
    Row(
        "RotaryPositionEmbeddingV2", _FAMILY,
        (
            If("rotate.given()", That("on_a2_or_a3()", "only Atlas A2 and A3 take rotate")),
            *_ROTATED,
            Call("rotary_position_embedding", "plan x cos sin mode &rotate out"),
        ),
        {"out": Output("like x", "same x")},
    ),
    Row(
        "RotaryPositionEmbeddingGrad", _FAMILY,
        (
            Null(("dy", "cos", "sin", "dxOut", "dcosOut", "dsinOut")),
            Kernel("rotary_position_embedding_grad"),
        ),
        {
            "dxOut": Output("like dy", "same dy"),
            "dcosOut": Output("like_or_nothing cos xOptional", "same dy"),
            "dsinOut": Output("like_or_nothing sin xOptional", "same dy"),
        },
    ),
    Row(
        "ApplyRotaryPosEmb", _FAMILY,
        (
            Null(("queryRef", "keyRef", "cos", "sin")),
            Call("apply_rotary_pos_emb",
                 'check plan queryRef keyRef cos sin layout "half"'),
        ),
    ),
    Row(
        "ApplyRotaryPosEmbV2", _FAMILY,
        (
            Null(("queryRef", "keyRef", "cos", "sin")),
            Call("apply_rotary_pos_emb",
                 "check plan queryRef keyRef cos sin layout half_unless(rotaryMode)"),
        ),
    ),
    Row(
        "InterleaveRope", _FAMILY,
        (
            Null(("x", "cos", "sin", "out")),
            Kernel("interleave_rope"),
        ),
        {"out": Output("like x", "same x")},
    ),
    Row(
        "QkvRmsNormRopeCache", _FAMILY,
        (
            Null(("qkv", "qGamma", "kGamma", "cos", "sin", "index", "qOut", "kCache", "vCache",
                  "qkvSize", "headNums")),
            Kernel("qkv_rms_norm_rope_cache"),
        ),
        {
            "qOutBeforeQuant": Output("like qOut", "same qOut"),
            "kOutBeforeQuant": Output("(qkv[0], headNums[1] * qkvSize[3])", "same qkv"),
            "vOutBeforeQuant": Output("(qkv[0], headNums[2] * qkvSize[3])", "same qkv"),
        },
    ),
    _kv("KvRmsNormRopeCache", has_values=False),
    _kv("KvRmsNormRopeCacheV2", has_values=True),
    Row(
        "NormRopeConcat", _FAMILY,
        (
            Null(("query", "key", "value", "queryOutput", "keyOutput", "valueOutput")),
            Kernel("norm_rope_concat"),
        ),
        {
            **{f"{x}Output": Output(
                _JOINED.format(x, f"encoder{x.capitalize()}"), f"same {x}"
            ) for x in ("query", "key", "value")},
            **{f"norm{added}{x.capitalize()}{number}": Output(
                _STATISTIC.format(_JOINS[added](x), f"norm{added}Type"), "float32"
            ) for added in _JOINS for x in ("query", "key") for number in ("Mean", "Rstd")},
        },
    ),
    Row(
        "NormRopeConcatBackward", _FAMILY,
        (
            Null((
                "gradQueryOutput", "gradKeyOutput", "gradValueOutput", "query", "key", "gradQuery",
                "gradKey", "gradValue",
            )),
            Kernel("norm_rope_concat_backward"),
        ),
        {
            "gradQuery": Output("like query", "same query"),
            "gradKey": Output("like key", "same key"),
            "gradValue": Output("like key", "same key"),
            **{f"gradEncoder{x}": Output(f"if encoder{of} is not None: like encoder{of}",
                                         f"same encoder{of}")
               for x, of in (("Query", "Query"), ("Key", "Key"), ("Value", "Key"))},
            **{f"gradNorm{added}{x}{y}": Output(
                f"if norm{added}Type == 2: like norm{added}{x}Weight",
                f"same norm{added}{x}Weight",
            ) for added in _JOINS for x in ("Query", "Key") for y in ("Weight", "Bias")},
        },
    ),
    _cached("RopeWithSinCosCache", "0"),
    _cached("RopeWithSinCosCacheV2", "cacheMode"),
)  # fmt: skip
