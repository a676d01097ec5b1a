"""What windows of images on int8, and rows turned by position for caches, are refused for."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import TILING, ones
from operators.reasons import Refused, otherwise
from operators.test_quant_fused import _RIGHT, _ROPE

import pyaclnn as pa


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _rope(rows: int, width: int, splits: list[int], depth: int = 16) -> dict[str, Any]:
    queries, keys, _ = splits
    cache = pa.zeros((2, 3, keys // depth, depth), "int8")
    return {
        "x": pa.zeros((rows, width), "int32"), "cos": _half(rows, depth),
        "sin": _half(rows, depth), "k_cache_ref": cache, "v_cache_ref": cache,
        "indices": pa.zeros((rows,), "int32"), "scale_k": ones(keys), "scale_v": ones(keys),
        "weight_scale_optional": ones(width), "size_splits": splits,
        "q_out": _half(rows, queries // depth, depth),
    }  # fmt: skip


_REFUSED: list[Refused] = [
    (_ROPE, {"x": pa.zeros((1, 2, 1, 64), "int32")}, TILING, "x has 4 dimensions, it must have 2"),
    (_ROPE, {"x": pa.zeros((64,), "int32")}, TILING, "x has 1 dimensions, it must have 2 or 3"),
    (_ROPE, _rope(1, 4096, [4064, 16, 16]), 0, ""),
    (_ROPE, _rope(1, 4160, [4128, 16, 16]), TILING, "not a multiple of 64 up to 4096"),
    (_ROPE, _rope(2, 96, [64, 16, 16]), TILING, "not a multiple of 64 up to 4096"),
    (_ROPE, {"k_cache_ref": pa.zeros((2, 3, 16), "int8")}, TILING, "kCacheRef has 3 dimensions"),
    (_ROPE, _rope(2, 128, [64, 32, 32], 32), 0, ""),
    (_ROPE, _rope(2, 128, [32, 48, 48], 48), TILING, "sizeSplits make no heads of queries"),
    (_ROPE, {"bias_optional": pa.zeros((64,), "int32")}, 0, ""),
    (_ROPE, {"bias_optional": pa.zeros((63,), "int32")}, TILING,
     "biasOptional must have 64 elements"),
    (_ROPE, {"bias_optional": pa.zeros((1,), "int32")}, TILING,
     "biasOptional must have 64 elements"),
]  # fmt: skip


def test_rows_for_caches_are_refused_for_these_reasons() -> None:
    assert otherwise({_ROPE: _RIGHT[_ROPE]}, _REFUSED) == []


def _attention(length: int, depth: int) -> dict[str, Any]:
    numbers = pa.zeros((1, 2, length, depth), "int8")
    words, half = pa.zeros((1, length), "uint64"), _half(1, length)
    return {
        "query": numbers, "key": numbers, "value": numbers, "scale_quant": half,
        "scale_dequant1": words, "scale_dequant2": pa.zeros((1, depth), "uint64"),
        "bias_quant_optional": half, "bias_dequant1_optional": pa.zeros((1, length), "int32"),
        "bias_dequant2_optional": pa.zeros((1, depth), "int32"), "padding_mask1_optional": None,
        "padding_mask2_optional": None, "query_transpose": False, "key_transpose": False,
        "value_transpose": False, "softmax_axes": -1, "out": _half(1, 2, length, depth),
    }  # fmt: skip


def _projection() -> dict[str, Any]:
    out = _half(2, 2, 49, 32)
    half, sums = _half(64), pa.zeros((192,), "int32")
    return {
        "x": _half(1, 98, 64), "gamma": half, "beta": half, "weight": pa.zeros((192, 64), "int8"),
        "bias": sums, "quant_scale": half, "quant_offset": half,
        "dequant_scale": pa.zeros((192,), "uint64"), "head_num": 2, "seq_length": 32,
        "epsilon": 1e-4, "ori_height": 7, "ori_weight": 14, "h_win_size": 7, "w_win_size": 7,
        "weight_transpose": True, "query_output_out": out, "key_output_out": out,
        "value_output_out": out,
    }  # fmt: skip


def of_windows() -> list[str]:
    """Return what the chip that has the operators answers otherwise."""
    one, qkv = "swin_attention_score_quant", "swin_transformer_ln_qkv_quant"
    right = {one: _attention(4, 32), qkv: _projection()}
    numbers = pa.zeros((1, 2, 4, 64), "int8")
    channels = "x has 64 channels, not headNum times seqLength"
    return otherwise(right, [
        (one, {"query": pa.zeros((2, 4, 32), "int8")}, TILING, "query has 3 dimensions"),
        (one, {"query": pa.zeros((1, 1, 2, 4, 32), "int8")}, TILING, "query has 5 dimensions"),
        (one, _attention(1024, 32), 0, ""),
        (one, _attention(1025, 32), TILING, "it must have up to 1024 rows of 32 or 64"),
        (one, _attention(4, 48), TILING, "it must have up to 1024 rows of 32 or 64"),
        (one, {"key": numbers}, TILING, "key has shape [1, 2, 4, 64], and query"),
        (one, {"value": numbers}, TILING, "value has shape [1, 2, 4, 64], and query"),
        (one, {"out": _half(1, 2, 3, 32)}, TILING, "out has shape [1, 2, 3, 32], and query"),
        (one, {"scale_quant": _half(1, 5)}, TILING, "scaleQuant must have 4 elements"),
        (one, {"scale_dequant1": pa.zeros((1, 3), "uint64")}, TILING, "scaleDequant1 must have 4"),
        (one, {"bias_quant_optional": _half(1, 1)}, TILING, "biasQuantOptional must have 4"),
        (one, {"bias_dequant1_optional": pa.zeros((1, 32), "int32")}, TILING,
         "biasDequant1Optional must have 4"),
        (one, {"scale_dequant2": pa.zeros((1, 4), "uint64")}, TILING, "scaleDequant2 must have 32"),
        (one, {"bias_dequant2_optional": pa.zeros((1, 33), "int32")}, TILING,
         "biasDequant2Optional must have 32"),
        (qkv, {"x": _half(98, 64)}, TILING, "x has 2 dimensions, it must have 3"),
        (qkv, {"x": _half(1, 7, 14, 64)}, TILING, "x has 4 dimensions, it must have 3"),
        (qkv, {"head_num": 1}, TILING, channels),
        (qkv, {"head_num": 3}, TILING, channels),
        (qkv, {"seq_length": 64}, TILING, channels),
    ])  # fmt: skip


def test_windows_are_refused_for_these_reasons() -> None:
    assert found_on("Ascend310P3", "operators.test_quant_windows_checks", "of_windows()") == []
