"""Hyper-connections: streams of each token, mixed before and behind a layer."""

from __future__ import annotations

from .dtypes import dtypes
from .format_steps import NoPrivateFormat
from .row import Output, Row
from .steps import DtypeIn, Kernel, Null, OnlyOn, SameDtype

_FAMILY = "hyper"
_TOKENS = "*x[:-2]"
_N, _D = "x[-2]", "x[-1]"
_FLOAT = "float32"


def _of_each(*more: str, dtype: str = _FLOAT) -> Output:
    """Return the output with so many numbers for each token."""
    return Output(f"({', '.join((_TOKENS, *more))},)", dtype)


_MIXES = f"{_N} * {_N} + 2 * {_N}"
_ROWS = "2 * numIters * prod(x[:-2]) * ((x[-1] + 7) // 8 * 8)"
_LIKE_X = Output("like x", "same x")
_MIXED = ("x", "hRes", "hOut", "hPost")
_GIVEN = ("phi", "alpha", "bias", "hPre", "hcBeforeNorm", "invRms", "sumOut", "normOut")
_GRADS = ("gradX", "gradPhi", "gradAlpha", "gradBias")


ROWS: tuple[Row, ...] = (
    Row(
        "MhcPost", _FAMILY,
        (Null((*_MIXED, "out")), NoPrivateFormat(("x", "out")), Kernel("mhc_post")),
        {"out": _LIKE_X},
    ),
    Row(
        "MhcPostBackward", _FAMILY,
        (
            Null(("gradOutput", *_MIXED, "gradX", "gradHRes", "gradHOut", "gradHPost")),
            NoPrivateFormat(("gradOutput", *_MIXED)), Kernel("mhc_post_backward"),
        ),
        {
            "gradX": _LIKE_X, "gradHRes": Output("like hRes", _FLOAT),
            "gradHOut": Output("like hOut", "same hOut"), "gradHPost": Output("like hPost", _FLOAT),
        },
    ),
    Row(
        "MhcPre", _FAMILY, (Kernel("mhc_pre"),),
        {
            "hIn": _of_each(_D, dtype="same x"), "hPost": _of_each(_N), "hRes": _of_each(_N, _N),
            "invRmsOptional": _of_each(), "hMixOptional": _of_each(_MIXES),
            "hPreOptional": _of_each(_N),
        },
    ),
    Row(
        "MhcPreBackward", _FAMILY, (Kernel("mhc_pre_backward"),),
        {
            "gradX": _LIKE_X, "gradPhi": Output("like phi", _FLOAT),
            "gradAlpha": Output("like alpha", _FLOAT), "gradBias": Output("(phi[0],)", _FLOAT),
            "gradGamma": Output("if gamma is not None: (*gamma,)", _FLOAT),
        },
    ),
    Row(
        "MhcPreSinkhorn", _FAMILY, (Kernel("mhc_pre_sinkhorn"),),
        {
            "hin": _of_each(_D, dtype="same x"), "hPost": _of_each(_N),
            "hRes": _of_each(f"{_N} * {_N}"),
            **{
                name: Output(f"if needBackward: {shape}", _FLOAT)
                for name, shape in (
                    ("hPre", f"({_TOKENS}, {_N})"), ("hcBeforeNorm", f"({_TOKENS}, {_MIXES})"),
                    ("invRms", f"({_TOKENS}, 1)"), ("sumOut", f"(2 * numIters, {_TOKENS}, {_N})"),
                    ("normOut", f"(2 * numIters, {_TOKENS}, {_N}, {_N})"),
                )
            },
        },
    ),
    Row(
        "MhcPreSinkhornBackward", _FAMILY,
        (
            Null(("gradHin", "gradHPost", "gradHRes", "x", *_GIVEN, *_GRADS)),
            OnlyOn(("A2", "950"), inside=True),
            DtypeIn(dtypes("float16", "bfloat16"), ("x",)),
            SameDtype(("x", "gradHin", "gradX")),
            DtypeIn(dtypes(_FLOAT), ("gradHPost", "gradHRes", *_GIVEN, *_GRADS[1:])),
            Kernel("mhc_pre_sinkhorn_backward"),
        ),
        {
            "gradX": _LIKE_X, "gradPhi": Output("like phi", _FLOAT),
            "gradAlpha": Output("like alpha", _FLOAT), "gradBias": Output("like bias", _FLOAT),
        },
    ),
    Row(
        "MhcSinkhorn", _FAMILY, (Kernel("mhc_sinkhorn"),),
        {
            "output": _LIKE_X, "normOut": Output(f"({_ROWS} * x[-1],)", _FLOAT),
            "sumOut": Output(f"({_ROWS},)", _FLOAT),
        },
    ),
    Row(
        "MhcSinkhornBackward", _FAMILY, (Kernel("mhc_sinkhorn_backward"),),
        {"out": Output("like gradOutput", "same gradOutput")},
    ),
)  # fmt: skip
