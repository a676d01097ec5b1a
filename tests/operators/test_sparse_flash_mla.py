"""SparseFlashMla refuses what CANN refuses, and follows no number out of its tensors."""

from __future__ import annotations

from typing import Any

from operators.calls import INVALID, NO_KERNEL, NULL, TILING, device, ones
from operators.status_tests import status_tests


def _half(*shape: int) -> Any:
    return ones(*shape, dtype="float16")


def _ints(*shape: int) -> Any:
    return ones(*shape, dtype="int32")


def _lengths(*values: int) -> Any:
    return device(values, "int32")


_FAR = 2**31 - 1
_NONE = (
    "ori_sparse_indices", "ori_block_table", "cmp_block_table", "cu_seqlens_q",
    "cu_seqlens_ori_kv", "cu_seqlens_cmp_kv", "seqused_q", "seqused_ori_kv", "seqused_cmp_kv",
    "ori_topk_length", "cmp_topk_length",
)  # fmt: skip
_PLAN_NONE = tuple(name for name in _NONE if "block" not in name and "indices" not in name)

RIGHT: dict[str, dict[str, Any]] = {
    "sparse_flash_mla": {
        **{f"{name}_optional": None for name in _NONE},
        "q": _half(2, 3, 4, 512), "ori_kv_optional": _half(2, 5, 1, 512),
        "cmp_kv_optional": _half(2, 2, 1, 512), "cmp_sparse_indices_optional": _ints(2, 3, 1, 512),
        "cmp_residual_kv_optional": _lengths(1, 0), "sinks_optional": ones(4),
        "metadata_optional": _ints(1024), "softmax_scale": 0.1, "cmp_ratio": 4,
        "ori_mask_mode": 4, "cmp_mask_mode": 3, "ori_win_left": 127, "ori_win_right": 0,
        "layout_q_optional": "BSND", "layout_kv_optional": "BSND", "topk_value_mode": 1,
        "return_softmax_lse": True, "attn_out_out": _half(2, 3, 4, 512),
        "softmax_lse_out_optional": ones(2, 1, 3, 4),
    },
    "sparse_flash_mla_metadata": {
        **{f"{name}_optional": None for name in _PLAN_NONE},
        "cmp_residual_kv_optional": _lengths(1, 0), "num_heads_q": 4, "num_heads_kv": 1,
        "head_dim": 512, "batch_size": 2, "max_seqlen_q": 3, "max_seqlen_ori_kv": 5,
        "max_seqlen_cmp_kv": 2, "ori_topk": 0, "cmp_topk": 512, "cmp_ratio": 4,
        "ori_mask_mode": 4, "cmp_mask_mode": 3, "ori_win_left": 127, "ori_win_right": 0,
        "layout_q_optional": "BSND", "layout_kv_optional": "BSND", "has_ori_kv": True,
        "has_cmp_kv": True, "meta_data": _ints(1024),
    },
}  # fmt: skip
_MODES: tuple[tuple[str, Any], ...] = (
    ("cmp_ratio", 128), ("cmp_ratio", -1), ("ori_mask_mode", 3), ("cmp_mask_mode", 0),
    ("ori_win_left", 128), ("ori_win_right", -1), ("layout_q_optional", "TND"),
    ("layout_q_optional", "BNSD"), ("layout_kv_optional", "PA_BBND"),
    ("layout_kv_optional", "PA_BSND"), ("cmp_residual_kv_optional", None),
    ("ori_topk_length_optional", _ints(2)), ("cmp_topk_length_optional", _ints(2)),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "sparse_flash_mla": (
        *((name, value, TILING) for name, value in _MODES),
        ("q", None, NULL), ("q", ones(2, 3, 4, 512), INVALID),
        ("ori_kv_optional", ones(2, 5, 1, 512), INVALID), ("sinks_optional", _half(4), INVALID),
        ("metadata_optional", ones(1024), INVALID), ("metadata_optional", _ints(64), TILING),
        ("ori_kv_optional", None, TILING), ("sinks_optional", None, TILING),
        ("metadata_optional", None, TILING), ("cmp_kv_optional", None, TILING),
        ("q", _half(2, 3, 3, 512), TILING), ("q", _half(2, 3, 4, 256), TILING),
        ("sinks_optional", ones(3), TILING), ("ori_kv_optional", _half(3, 5, 1, 512), TILING),
        ("ori_kv_optional", _half(2, 5, 2, 512), TILING), ("topk_value_mode", 2, TILING),
        ("ori_sparse_indices_optional", _ints(2, 3, 1, 8), TILING),
        ("cmp_sparse_indices_optional", _ints(2, 3, 1, 8), TILING),
        ("cmp_sparse_indices_optional", _ints(2, 4, 1, 512), TILING),
        ("cmp_sparse_indices_optional", device([[[[_FAR] * 256 + [-_FAR] * 256]] * 3] * 2, "int32"),
         0),
        ("softmax_lse_out_optional", ones(2, 3, 4), TILING), ("return_softmax_lse", False, 0),
        ("seqused_q_optional", _ints(2), NO_KERNEL),
        ("seqused_ori_kv_optional", _lengths(_FAR, -_FAR), 0),
        ("seqused_cmp_kv_optional", _lengths(-5, _FAR), 0),
        ("cmp_residual_kv_optional", _lengths(-_FAR, _FAR), 0),
    ),
    "sparse_flash_mla_metadata": (
        *((name, value, INVALID) for name, value in _MODES),
        ("num_heads_q", 3, INVALID), ("num_heads_q", 0, INVALID), ("num_heads_kv", 2, INVALID),
        ("head_dim", 128, INVALID), ("batch_size", -1, INVALID), ("max_seqlen_q", -1, INVALID),
        ("cmp_topk", 8, INVALID), ("ori_topk", 1, INVALID), ("meta_data", _ints(64), INVALID),
        ("meta_data", ones(1024), INVALID), ("layout_q_optional", None, INVALID),
        ("seqused_ori_kv_optional", _ints(3), INVALID), ("has_cmp_kv", False, INVALID),
        ("cmp_residual_kv_optional", _ints(3), INVALID),
        ("cmp_residual_kv_optional", ones(2), INVALID),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)
