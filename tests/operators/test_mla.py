"""MlaProlog refuses what CANN's operator refuses, and follows no index out of its caches."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, device, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format


def _wide(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


def _weight(lines: int, columns: int) -> pa.Tensor:
    stored = (columns // 16, lines // 16, 16, 16)
    return with_format(_wide(lines, columns), "FRACTAL_NZ", storage_shape=stored)


_TENSORS: dict[str, Any] = {
    "token_x": _wide(2, 3, 1024), "weight_dq": _weight(1024, 1536),
    "weight_uq_qr": _weight(1536, 192), "weight_uk": _wide(1, 128, 512),
    "weight_dkv_kr": _weight(1024, 576), "rmsnorm_gamma_cq": _wide(1536),
    "rmsnorm_gamma_ckv": _wide(512), "rope_sin": _wide(2, 3, 64), "rope_cos": _wide(2, 3, 64),
    "kv_cache_ref": _wide(2, 16, 1, 512), "kr_cache_ref": _wide(2, 16, 1, 64),
    "cache_mode_optional": "PA_BSND",
}  # fmt: skip
_INDEX = device(np.arange(6).reshape(2, 3), "int64")
RIGHT: dict[str, dict[str, Any]] = {
    "mla_prolog": {**_TENSORS, "cache_index": _INDEX},
    "mla_prolog_v2_weight_nz": {**_TENSORS, "cache_index": _INDEX},
    "mla_prolog_v3_weight_nz": {
        **_TENSORS, "cache_index_optional": _INDEX, "ckvkr_repo_mode": 0,
    },
}  # fmt: skip
_WRONG: tuple[tuple[str, Any, int], ...] = (
    ("weight_dq", None, NULL), ("rope_sin", None, NULL), ("kr_cache_ref", None, NULL),
    ("weight_dq", _wide(1024, 1536), TILING), ("weight_uk", _wide(1, 64, 512), TILING),
    ("weight_uk", _wide(3, 128, 512), TILING), ("token_x", _wide(2, 3, 1023), TILING),
    ("token_x", _wide(6, 1024), TILING), ("token_x", ones(2, 3, 1024), INVALID),
    ("rope_sin", _wide(2, 3, 32), TILING), ("rmsnorm_gamma_ckv", _wide(576), TILING),
    ("kv_cache_ref", _wide(2, 8, 1, 512), TILING), ("kr_cache_ref", _wide(3, 16, 1, 64), TILING),
    ("cache_mode_optional", "PA_NZ", 0), ("cache_mode_optional", "TND", TILING),
    ("cache_mode_optional", "BNSD", TILING),
    ("token_x", ones(2, 3, 1024, dtype="int8"), NO_KERNEL),
)  # fmt: skip
_OUTSIDE = device(np.array([[-1, 2**62, 32], [-(2**63), 5, 31]]), "int64")
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "mla_prolog": (*_WRONG, ("cache_index", None, NULL), ("cache_index", _OUTSIDE, 0)),
    "mla_prolog_v2_weight_nz": (*_WRONG, ("cache_index", device([[0] * 3] * 2), TILING)),
    "mla_prolog_v3_weight_nz": (
        *_WRONG, ("cache_index_optional", None, TILING), ("cache_index_optional", _OUTSIDE, 0),
        ("cache_mode_optional", "BSND", TILING), ("cache_mode_optional", "PA_BLK_BSND", TILING),
        ("weight_quant_mode", 1, NO_KERNEL), ("weight_quant_mode", 3, TILING),
        ("kv_cache_quant_mode", 4, TILING), ("query_quant_mode", 2, TILING),
        ("ckvkr_repo_mode", 1, TILING), ("quant_scale_repo_mode", 1, TILING),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def test_it_gives_the_normal_projection_where_it_has_room() -> None:
    given = dict(RIGHT["mla_prolog_v3_weight_nz"])
    given["rmsnorm_gamma_cq"] = device(np.arange(1536) % 7, "bfloat16")
    normal = pa.empty((2, 3, 1536), "bfloat16")

    pa.ops.mla_prolog_v3_weight_nz(**given, qc_qr_scale=0.5, query_norm_out_optional=normal)

    # All numbers of the projection are alike.
    expected = np.broadcast_to(0.5 * (np.arange(1536) % 7), (2, 3, 1536))
    assert np.array_equal(normal.numpy().astype(np.float64), expected)
