"""What stands before attention refuses caches, tables of angles and states that do not fit."""

from __future__ import annotations

from typing import Any

from operators.calls import INNER_NULL, INVALID, NO_KERNEL, TILING, ones
from operators.status_tests import refusal_tests
from operators.test_attention_updates import RIGHT as UPDATES
from operators.test_caches import RIGHT as CACHES
from operators.test_deformable_attention import GRAD
from operators.test_deformable_attention import RIGHT as DEFORMABLE
from operators.test_floyd_attention import RIGHT as FLOYD
from operators.test_mla_preprocess import RIGHT as PREPROCESS
from operators.test_recurrent import RIGHT as RECURRENT

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _wide(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


_KV, _QKV, _SCATTER, _GATHER = (
    "kv_rms_norm_rope_cache", "qkv_rms_norm_rope_cache", "scatter_pa_kv_cache",
    "gather_pa_kv_cache",
)  # fmt: skip
_RING, _UPDATE, _FLOYD, _FLOYD_BACK = (
    "ring_attention_update", "attention_update", "fused_floyd_attention",
    "fused_floyd_attention_grad",
)  # fmt: skip
_STEP, _MLA = "recurrent_gated_delta_rule", "mla_preprocess_v2"

RIGHT: dict[str, dict[str, Any]] = {
    **{name: CACHES[name] for name in (_KV, _QKV, _SCATTER, _GATHER)},
    **{name: UPDATES[name] for name in (_RING, _UPDATE)},
    **{name: FLOYD[name] for name in (_FLOYD, _FLOYD_BACK)},
    _STEP: RECURRENT[_STEP], GRAD: DEFORMABLE[GRAD], _MLA: PREPROCESS[_MLA],
}  # fmt: skip

#: All of bfloat16, weights as well.
_WEIGHTS = ("wdqkv", "wuq")
_ALL_WIDE: dict[str, Any] = {
    name: _wide(*tensor.shape)
    for name, tensor in PREPROCESS[_MLA].items()
    if isinstance(tensor, pa.Tensor) and str(tensor.dtype) == "float16"
} | {
    name: with_format(_wide(lines, columns), "FRACTAL_NZ",
                      storage_shape=(columns // 16, lines // 16, 16, 16))
    for name, (lines, columns) in ((name, PREPROCESS[_MLA][name].shape) for name in _WEIGHTS)
} | {name: ones(*PREPROCESS[_MLA][name].shape) for name in ("de_scale0", "de_scale1")}  # fmt: skip


def _floyd(rows: int, queries: int, keys: int, depth: int) -> dict[str, Any]:
    """Tensors of one batch and head: [rows, queries, depth] and their two kinds of keys."""
    whole, first = (1, 1, rows, queries, depth), (1, 1, rows, keys, depth)
    second = (1, 1, keys, queries, depth)
    shapes = {
        **dict.fromkeys(("query", "attention_out_out"), whole),
        **dict.fromkeys(("key1", "value1"), first), **dict.fromkeys(("key2", "value2"), second),
    }  # fmt: skip
    statistics = {
        name: ones(1, 1, rows, queries, 8) for name in ("softmax_max_out", "softmax_sum_out")
    }
    return {**{name: _half(*shape) for name, shape in shapes.items()}, **statistics}


def _pages(width: int) -> dict[str, Any]:
    """Caches of one token of this many float16 a page, which is what a row of them takes."""
    return {
        "key_cache": _half(3, 4, 1, width), "value_cache": _half(3, 4, 1, width),
        "key_ref": _half(6, 1, width), "value_ref": _half(6, 1, width),
    }  # fmt: skip


def _blocks(tokens: int) -> dict[str, Any]:
    """Caches in fractals, of one page of tokens."""
    return {
        "key": _half(4, 1, 16), "key_cache_ref": _half(1, 1, tokens, 16), "value": _half(4, 1, 16),
        "value_cache_ref": _half(1, 1, tokens, 16), "cache_mode_optional": "PA_NZ",
    }  # fmt: skip


WRONG: list[tuple[str, dict[str, Any], int]] = [
    (_SCATTER, _blocks(65534), 0), (_SCATTER, _blocks(65535), TILING),
    (_SCATTER, {"key_cache_ref": _half(3, 5, 64)}, TILING),
    (_SCATTER, {"key_cache_ref": _half(3, 5, 3, 32)}, TILING),
    (_SCATTER, {"key_cache_ref": _half(3, 5, 2, 16)}, TILING),
    (_SCATTER, {"value": _wide(4, 2, 16), "value_cache_ref": _wide(3, 5, 2, 16)}, INVALID),
    (_GATHER, {"value_cache": _wide(3, 4, 2, 16), "value_ref": _wide(6, 2, 16)}, INVALID),
    (_GATHER, {"seq_offset_optional": pa.zeros((2,), "int32")}, 0),
    (_GATHER, {"seq_offset_optional": pa.zeros((2,), "int64")}, INVALID),
    (_GATHER, _pages(148 * 512), 0), (_GATHER, _pages(148 * 512 + 16), TILING),
    (_KV, {"kv": _half(2, 1, 3, 544), "cos": _half(2, 1, 3, 32), "sin": _half(2, 1, 3, 32)},
     TILING),
    (_KV, {"kv": _half(2, 1, 3, 320), "gamma": _half(256)}, TILING),
    (_KV, {"cos": _half(1, 1, 3, 64), "sin": _half(1, 1, 3, 64)}, TILING),
    (_KV, {"cos": _half(2, 2, 3, 64), "sin": _half(2, 2, 3, 64)}, TILING),
    (_KV, {"cos": _half(2, 1, 2, 64), "sin": _half(2, 1, 2, 64)}, TILING),
    (_QKV, {"k_cache": _half(3, 8, 32, 16)}, 0), (_QKV, {"k_cache": _half(3, 8, 24, 16)}, TILING),
    (_QKV, {"v_cache": _half(3, 8, 8, 16)}, TILING), (_QKV, {"k_cache": _half(3, 128, 16)}, TILING),
    (_QKV, {"v_cache": pa.empty((0, 8, 16, 16), "float16")}, TILING),
    (_QKV, {"k_out_before_quant": False}, INNER_NULL),
    (_QKV, {"v_out_before_quant": False}, INNER_NULL),
    # Without the first the others are not asked for, nor written.
    (_QKV, {"q_out_before_quant": False}, 0),
    (_QKV, {"v_out_before_quant": ones(6, 128)}, INNER_NULL),
    (_RING, {name: ones(4, 128) for name in ("prev_attn_out", "cur_attn_out", "attn_out_out")},
     TILING),
    (_UPDATE, {"lse": [ones(4), ones(4)]}, INVALID),
    (_FLOYD, _floyd(32, 128, 128, 64), 0), (_FLOYD, _floyd(16, 128, 128, 128), 0),
    (_FLOYD, _floyd(24, 128, 128, 32), TILING), (_FLOYD, _floyd(16, 64, 128, 32), TILING),
    (_FLOYD, _floyd(16, 128, 64, 32), TILING), (_FLOYD, _floyd(16, 128, 128, 16), TILING),
    (_FLOYD, _floyd(16, 128, 128, 96), TILING), (_FLOYD, _floyd(16, 128, 128, 256), TILING),
    *((_FLOYD, {name: _wide(*FLOYD[_FLOYD][name].shape)}, INVALID)
      for name in ("key1", "value1", "key2", "value2", "attention_out_out")),
    *((_FLOYD_BACK, {name: _wide(*FLOYD[_FLOYD_BACK][name].shape)}, INVALID)
      for name in ("key1", "value1", "key2", "value2", "dy", "attention_in", "dq_out", "dk1_out",
                   "dv1_out", "dk2_out", "dv2_out")),
    (GRAD, {"location": pa.empty((0, 500000, 3, 2, 4, 2))}, INVALID),
    (GRAD, {"location": pa.empty((0, 499999, 3, 2, 4, 2))}, 0),
    (_STEP, {"beta": _wide(5, 4, 1)}, TILING), (_MLA, {"q_down_out": _wide(3, 32)}, NO_KERNEL),
    (_MLA, _ALL_WIDE, 0), (_MLA, {**_ALL_WIDE, "cache_mode": 3}, NO_KERNEL),
    (_MLA, {"kv_cache": _half(16, 512)}, TILING), (_MLA, {"kr_cache_out": _half(16, 64)}, TILING),
    (_MLA, {name: _half(2, 8, 1, 576) for name in ("kv_cache", "kv_cache_out")}, TILING),
    (_MLA, {name: _half(2, 8, 2, 512) for name in ("kv_cache", "kv_cache_out")}, TILING),
    (_MLA, {name: _half(2, 0, 1, 512) for name in ("kv_cache", "kv_cache_out")}, TILING),
]  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(RIGHT, WRONG)
