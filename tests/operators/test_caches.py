"""Operators on caches of keys and values refuse what CANN's refuse."""

from __future__ import annotations

from typing import Any

from operators.calls import INNER_NULL, INVALID, NULL, TILING, ones
from operators.status_tests import status_tests

import pyaclnn as pa

half = "float16"


def halves(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype=half)


def slots(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int64")


RIGHT: dict[str, dict[str, Any]] = {
    "kv_rms_norm_rope_cache": {
        "kv": halves(2, 1, 3, 576), "gamma": halves(512), "cos": halves(2, 1, 3, 64),
        "sin": halves(2, 1, 3, 64), "index": slots(2, 3), "k_cache_ref": halves(2, 1, 5, 64),
        "ckv_cache_ref": halves(2, 1, 5, 512), "epsilon": 1e-5, "cache_mode_optional": "Norm",
        "is_output_kv": False, "k_rope_out": halves(2, 1, 3, 64), "c_kv_out": halves(2, 1, 3, 512),
    },
    "qkv_rms_norm_rope_cache": {
        "qkv": halves(6, 512), "q_gamma": halves(128), "k_gamma": halves(128),
        "cos": halves(6, 128), "sin": halves(6, 128), "index": slots(6), "q_out": halves(6, 256),
        "k_cache": halves(3, 8, 16, 16), "v_cache": halves(3, 8, 16, 16),
        "qkv_size": [2, 3, 4, 128], "head_nums": [2, 1, 1], "epsilon": 1e-6,
        "cache_mode_optional": "PA_NZ", "q_out_before_quant": halves(6, 256),
        "k_out_before_quant": halves(6, 128), "v_out_before_quant": halves(6, 128),
    },
}  # fmt: skip

WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "kv_rms_norm_rope_cache": (
        ("kv", None, NULL), ("index", None, NULL), ("ckv_cache_ref", None, NULL),
        ("kv", ones(2, 1, 3, 576), INVALID), ("gamma", ones(512), INVALID),
        ("index", pa.zeros((2, 3), "int32"), INVALID), ("kv", halves(2, 2, 3, 576), TILING),
        ("gamma", halves(256), TILING), ("cos", halves(2, 1, 2, 64), TILING),
        ("cos", halves(2, 1, 1, 64), TILING), ("index", slots(2, 2), TILING),
        ("cache_mode_optional", "PA", TILING), ("cache_mode_optional", "BSND", TILING),
        ("k_rope_offset_optional", ones(64), TILING),
        ("k_rope_scale_optional", ones(64), INVALID),
        ("k_cache_ref", ones(2, 1, 5, 64, dtype="int8"), INVALID),
        ("k_cache_ref", halves(2, 1, 5, 32), TILING),
    ),
    "qkv_rms_norm_rope_cache": (
        ("qkv", None, NULL), ("head_nums", None, NULL), ("qkv", ones(6, 512), INVALID),
        ("qkv_size", [2, 3, 4, 64], TILING), ("qkv_size", [2, 3, 4], TILING),
        ("head_nums", [1, 2, 1], TILING), ("head_nums", [2, 1, 2**62], TILING),
        ("cache_mode_optional", "PA", TILING), ("k_cache", halves(3, 16, 8, 16), TILING),
        ("v_scale_optional", ones(1, 128), INVALID), ("cos", halves(3, 128), TILING),
        ("q_out", halves(6, 128), TILING), ("k_out_before_quant", halves(6, 256), INNER_NULL),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)
