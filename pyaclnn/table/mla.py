"""What stands before attention to latent vectors."""

from __future__ import annotations

from .row import Output, Row
from .steps import Kernel, Null

_FAMILY = "attention"
_WEIGHTS = ("weightDq", "weightUqQr", "weightUk", "weightDkvKr")
_MUST = (
    "tokenX", *_WEIGHTS, "rmsnormGammaCq", "rmsnormGammaCkv", "ropeSin", "ropeCos", "kvCacheRef",
    "krCacheRef", "queryOut", "queryRopeOut",
)  # fmt: skip
_IS_QUANTISED = "tokenX.dtype == 'int8' and quantScaleCkvOptional is not None"
_QUERIES = {
    "queryOut": Output(
        "(*tokenX[:-1], weightUk[0], weightUk[2])", f"int8 if {_IS_QUANTISED} else same weightUk"
    ),
    "queryRopeOut": Output("(*tokenX[:-1], weightUk[0], ropeCos[-1])", "same ropeCos"),
}
_MISSING = ("quantised tokens, weights, queries and caches",)
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
            Null(_MUST if newest else (*_MUST, "cacheIndex")),
            Kernel(
                "mla_prolog", of="MlaPrologV3WeightNz",
                given={} if newest else {"qcQrScale": "1.0", "kcScale": "1.0"},
            ),
        ),
        {**_QUERIES, **more}, missing=_MISSING,
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _prolog("MlaProlog", {}),
    _prolog("MlaPrologV2WeightNz", _SCALE),
    _prolog("MlaPrologV3WeightNz", {**_SCALE, **_NORM}),
)
