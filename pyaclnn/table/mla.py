"""What stands before attention to latent vectors."""

from __future__ import annotations

from .dtypes import dtypes
from .optional_steps import Since
from .row import Output, Row
from .steps import DtypeIn, EndedOn950, Kernel, Null, OnlyOn

_FAMILY = "attention"
_WEIGHTS = ("weightDq", "weightUqQr", "weightUk", "weightDkvKr")
_MUST = (
    "tokenX", *_WEIGHTS, "rmsnormGammaCq", "rmsnormGammaCkv", "ropeSin", "ropeCos", "kvCacheRef",
    "krCacheRef", "queryOut", "queryRopeOut",
)  # fmt: skip
#: Of hifloat8, which is no dtype in Python, they must be given.
_IS_QUANTISED = "tokenX.dtype in ('int8', 'float8_e4m3fn') and quantScaleCkvOptional is not None"
_QUERIES = {
    "queryOut": Output(
        "(*tokenX[:-1], weightUk[0], weightUk[2])",
        f"same tokenX if {_IS_QUANTISED} else same weightUk",
    ),
    "queryRopeOut": Output("(*tokenX[:-1], weightUk[0], ropeCos[-1])", "same ropeCos"),
}
_SCALE = {
    "dequantScaleQNopeOutOptional": Output(
        f"if tokenX is not None and {_IS_QUANTISED}: (prod(tokenX[:-1]), weightUk[0], 1)", "float32"
    )
}
_NORM = dict.fromkeys(
    ("queryNormOutOptional", "dequantScaleQNormOutOptional"), Output("none", "")
)  # where they are given


def _prolog(name: str, more: dict[str, Output]) -> Row:
    """Return a version, with the outputs that it has besides."""
    newest = "V3" in name
    return Row(
        name, _FAMILY,
        (
            *(() if newest else (Since("9.0", EndedOn950()),)),
            Null(_MUST if newest else (*_MUST, "cacheIndex")),
            Kernel(
                "mla_prolog" if newest else "mla_prolog_by_types", of="MlaPrologV3WeightNz",
                given={} if newest else {"qcQrScale": "1.0", "kcScale": "1.0"},
            ),
        ),
        {**_QUERIES, **more},
    )  # fmt: skip


#: Of what prepares queries and caches on int8: type -> parameters.
_NUMBERS = {
    "float16 bfloat16": (
        "input", "gamma0", "beta0", "quantScale0", "gamma1", "beta1", "quantScale1", "gamma2",
        "cos", "sin", "wuk", "kvCacheRope", "ctkvScale", "qNopeScale", "qRopeOut", "krCacheOut",
    ),
    "int8": ("quantOffset0", "quantOffset1"),
    "int8 float16 bfloat16": ("wdqkv", "wuq", "kvCache", "qOut", "kvCacheOut"),
    "int64 float32": ("deScale0", "deScale1"),
    "int32": ("bias0", "bias1", "slotMapping"),
}  # fmt: skip


def _preprocess(name: str) -> Row:
    """Return a version; kvCacheOut and krCacheOut are the caches that are given."""
    second = ("qDownOut",) if name.endswith("V2") else ()
    return Row(
        name, _FAMILY,
        (
            Null((*(n for names in _NUMBERS.values() for n in names), *second)),
            OnlyOn(("A2",), inside=True),
            *(DtypeIn(dtypes(kinds), names) for kinds, names in _NUMBERS.items()),
            *(DtypeIn(dtypes("float16 bfloat16"), (n,)) for n in second),
            Kernel("mla_preprocess", of="MlaPreprocessV2"),
        ),
        missing=("weights of float16",),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _preprocess("MlaPreprocess"),
    _preprocess("MlaPreprocessV2"),
    _prolog("MlaProlog", {}),
    _prolog("MlaPrologV2WeightNz", _SCALE),
    _prolog("MlaPrologV3WeightNz", {**_SCALE, **_NORM}),
)
