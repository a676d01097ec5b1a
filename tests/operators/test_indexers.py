"""Indexers refuse what CANN's operators refuse, and follow no number out of their tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.calls import (
    INNER_NULL,
    INVALID,
    NO_KERNEL,
    NULL,
    TILING,
    device,
    ones,
)
from operators.status_tests import status_tests

import pyaclnn as pa

_ALL = 2**63 - 1


def _half(*shape: int) -> Any:
    return ones(*shape, dtype="float16")


def _ints(*shape: int) -> Any:
    return ones(*shape, dtype="int32")


def _lengths(*values: int) -> Any:
    return device(values, "int32")


_CHOICE: dict[str, Any] = {
    "query": _half(2, 3, 8, 128), "key": _half(2, 5, 1, 128), "weights": _half(2, 3, 8),
    "actual_seq_lengths_query_optional": None, "actual_seq_lengths_key_optional": None,
    "block_table_optional": None, "layout_query_optional": "BSND",
    "layout_key_optional": "BSND", "sparse_count": 4, "sparse_mode": 3, "pre_tokens": _ALL,
    "next_tokens": _ALL,
}  # fmt: skip
_INDEXER = {"query_index": _half(2, 3, 8, 128), "key_index": _half(2, 5, 1, 128)}
_LOSS: dict[str, Any] = {
    **_INDEXER, "weights": _half(2, 3, 8), "query_rope": _half(2, 3, 32, 64),
    "actual_seq_lengths_query": None, "actual_seq_lengths_key": None, "scale_value": 1.0,
    "layout": "BSND", "sparse_mode": 3, "d_query_index": _half(2, 3, 8, 128),
    "d_key_index": _half(2, 5, 1, 128), "d_weights": _half(2, 3, 8), "loss": ones(1),
}  # fmt: skip

_PLAN: dict[str, Any] = {
    "num_heads_q": 8, "num_heads_k": 1, "head_dim": 128, "topk": 4, "batch_size": 2,
    "mask_mode": 3, "cmp_ratio": 4,
}  # fmt: skip
_NO_LENGTHS: dict[str, Any] = dict.fromkeys(
    f"{kind}_{of}_optional" for kind in ("cu_seq_lens", "seq_used") for of in "qk"
)

RIGHT: dict[str, dict[str, Any]] = {
    "lightning_indexer": {
        **_CHOICE, "return_values": True, "sparse_indices_out": _ints(2, 3, 1, 4),
        "sparse_values_out": _half(2, 3, 1, 4),
    },
    "lightning_indexer_v2": {
        "q": _half(2, 3, 8, 128), "k": _half(2, 5, 1, 128), "w": ones(2, 3, 8),
        "cu_seqlens_q_optional": None, "cu_seqlens_k_optional": None,
        "seqused_q_optional": None, "seqused_k_optional": None,
        "cmp_residual_k_optional": _lengths(1, 2), "block_table_optional": None,
        "output_idx_offset_optional": None, "metadata_optional": _ints(1024), "topk": 4,
        "max_seqlen_q": -1, "layout_q": "BSND", "layout_k": "BSND", "mask_mode": 3,
        "cmp_ratio": 4, "return_value": 1, "sparse_indices": _ints(2, 3, 1, 4),
        "sparse_values": ones(2, 3, 1, 4),
    },
    "lightning_indexer_v2_metadata": {
        **_PLAN, "seqused_q_optional": None, "seqused_k_optional": None,
        "cmp_residual_k_optional": _lengths(1, 2), "layout_q_optional": "BSND",
        "layout_k_optional": "BSND", "meta_data": _ints(1024), "cu_seqlens_q_optional": None,
        "cu_seqlens_k_optional": None, "max_seqlen_q": 3, "max_seqlen_k": 4,
    },
    "sparse_lightning_indexer_kl_loss_grad": {
        "q": _half(2, 3, 8, 128), "k": _half(2, 5, 1, 128), "w": ones(2, 3, 8),
        "sparse_indices": _ints(2, 3, 1, 512), "attn_softmax_l1_norm": ones(2, 3, 1, 512),
        **_NO_LENGTHS, "cmp_residual_k_optional": None, "metadata_optional": _ints(64),
        "layout_q": "BSND", "layout_k": "BSND", "mask_mode": 3, "cmp_ratio": 4,
        "dq": _half(2, 3, 8, 128), "dk": _half(2, 5, 1, 128), "dw": ones(2, 3, 8),
        "softmax_out": ones(2, 3, 1, 512),
    },
    "sparse_lightning_indexer_kl_loss_grad_metadata": {
        **_PLAN, **_NO_LENGTHS, "cmp_residual_k_optional": None, "layout_q": "BSND",
        "layout_k": "BSND", "metadata": _ints(64), "max_seq_len_q": 3, "max_seq_len_k": 4,
    },
    "quant_lightning_indexer": {
        **_CHOICE, "query": ones(2, 3, 8, 128, dtype="int8"),
        "key": ones(2, 5, 1, 128, dtype="int8"), "query_dequant_scale": _half(2, 3, 8),
        "key_dequant_scale": _half(2, 5, 1), "query_quant_mode": 0, "key_quant_mode": 0,
        "out": _ints(2, 3, 1, 4),
    },
    "dense_lightning_indexer_softmax_lse": {
        **_INDEXER, "weight": _half(2, 3, 8), "actual_seq_lengths_query_optional": None,
        "actual_seq_lengths_key_optional": None, "layout_optional": "BSND", "sparse_mode": 3,
        "pre_tokens": _ALL, "next_tokens": _ALL, "softmax_max_out": ones(2, 1, 3),
        "softmax_sum_out": ones(2, 1, 3),
    },
    "lightning_indexer_grad": {
        "query": _half(2, 3, 8, 128), "key": _half(2, 5, 1, 128), "dy": _half(2, 3, 4),
        "sparse_indices": _ints(2, 3, 4), "weights": _half(2, 3, 8),
        "actual_seq_q_len_optional": None, "actual_seq_kv_len_optional": None, "head_num": 8,
        "input_layout": "BSND", "sparse_mode": 3, "pre_tokens": _ALL, "next_tokens": _ALL,
        "deterministic": False, "dq_out": _half(2, 3, 8, 128), "dk_out": _half(2, 5, 1, 128),
        "dweights_out": _half(2, 3, 8),
    },
    "dense_lightning_indexer_grad_kl_loss": {
        **_LOSS, "query": _half(2, 3, 32, 128), "key": _half(2, 5, 32, 128),
        "softmax_max": ones(2, 32, 3, 1), "softmax_sum": ones(2, 32, 3, 1),
        "softmax_max_index": ones(2, 1, 3), "softmax_sum_index": ones(2, 1, 3),
        "key_rope": _half(2, 5, 32, 64), "pre_tokens": _ALL, "next_tokens": _ALL,
    },
    "sparse_lightning_indexer_grad_kl_loss": {
        **_LOSS, "query": _half(2, 3, 32, 512), "key": _half(2, 5, 1, 512),
        "sparse_indices": _ints(2, 3, 1, 1024), "softmax_max": ones(2, 1, 3, 32),
        "softmax_sum": ones(2, 1, 3, 32), "key_rope": _half(2, 5, 1, 64), "pre_tokens": _ALL,
        "next_tokens": _ALL, "deterministic": False,
    },
}  # fmt: skip

_OF_CHOICES: tuple[tuple[str, Any, int], ...] = (
    ("key", None, NULL), ("weights", None, NULL), ("sparse_mode", 1, TILING),
    ("layout_query_optional", "TND", TILING), ("layout_key_optional", "PA_BSND", TILING),
    ("layout_key_optional", "BNSD", TILING), ("layout_query_optional", None, 0),
    ("pre_tokens", 0, TILING), ("next_tokens", -1, TILING), ("sparse_count", 0, TILING),
    ("sparse_count", 8193, TILING), ("sparse_count", -1024, TILING), ("sparse_count", 5, TILING),
    ("weights", _half(2, 3, 1), TILING), ("block_table_optional", _ints(2, 1), TILING),
    ("actual_seq_lengths_key_optional", ones(2), INVALID),
    ("actual_seq_lengths_key_optional", _lengths(1, 2, 3), TILING),
    ("actual_seq_lengths_key_optional", _lengths(-4, 2**31 - 1), 0),
    ("actual_seq_lengths_query_optional", _lengths(2**31 - 1, -7), 0),
)  # fmt: skip
_OF_LOSSES: tuple[tuple[str, Any, int], ...] = (
    ("key", None, NULL), ("softmax_sum", None, NULL),
    ("sparse_mode", 0, TILING), ("layout", "TND", TILING), ("layout", "SBH", TILING),
    ("query_rope", None, TILING), ("loss", ones(2), TILING), ("weights", ones(2, 3, 8), INVALID),
    ("query_index", _half(2, 3, 12, 128), TILING), ("d_key_index", _half(2, 5, 128), TILING),
    ("actual_seq_lengths_key", (1, 2, 3), TILING), ("actual_seq_lengths_key", (-5, 2**40), 0),
    ("softmax_max", _half(2, 1, 3, 32), INVALID),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "lightning_indexer": (
        *_OF_CHOICES, ("return_values", False, 0),
        ("key", ones(2, 5, 1, 128, dtype="bfloat16"), INVALID), ("weights", ones(2, 3, 8), 0),
        ("query", _half(2, 3, 8, 64), TILING), ("query", _half(2, 3, 128), TILING),
        ("key", _half(2, 5, 2, 128), TILING), ("key", _half(2, 0, 1, 128), TILING),
        ("key", _half(3, 5, 1, 128), TILING), ("sparse_values_out", _half(2, 3, 1, 5), TILING),
        ("query", _half(2, 3, 65, 128), TILING),
    ),
    "lightning_indexer_v2": (
        ("q", None, NULL), ("w", _half(2, 3, 8), INVALID),
        ("k", ones(2, 5, 1, 128, dtype="bfloat16"), INVALID),
        ("sparse_values", _half(2, 3, 1, 4), INVALID),
        ("sparse_indices", ones(2, 3, 1, 4), INVALID),
        ("metadata_optional", ones(1024), INVALID), ("metadata_optional", _ints(64), TILING),
        ("metadata_optional", None, 0), ("topk", 0, TILING), ("topk", 2049, TILING),
        ("topk", 5, TILING), ("topk", 9216, TILING), ("cmp_ratio", 0, TILING),
        ("cmp_ratio", 129, TILING), ("cmp_ratio", -(2**63), TILING), ("mask_mode", 4, TILING),
        ("cmp_residual_k_optional", None, TILING), ("cmp_residual_k_optional", _ints(3), TILING),
        ("cmp_residual_k_optional", _lengths(-(2**31), 2**31 - 1), 0),
        ("layout_k", "PA_BBND", TILING), ("layout_k", "PA_BSND", TILING),
        ("layout_k", "TND", TILING), ("layout_q", "TND", TILING), ("layout_q", "BNSD", TILING),
        ("seqused_q_optional", _ints(7), 0), ("seqused_q_optional", ones(2), INVALID),
        ("seqused_k_optional", _ints(2), 0), ("seqused_k_optional", _ints(3), TILING),
        ("seqused_k_optional", _lengths(-(2**31), 2**31 - 1), 0),
        ("output_idx_offset_optional", _ints(7), 0),
        ("output_idx_offset_optional", ones(2), INVALID),
        ("cu_seqlens_q_optional", _ints(3), 0), ("cu_seqlens_q_optional", _ints(2), TILING),
        ("cu_seqlens_q_optional", _lengths(-(2**31), 2**31 - 1, -(2**31)), 0),
        ("cu_seqlens_k_optional", _ints(3), NO_KERNEL),
        ("block_table_optional", _ints(2, 1), TILING), ("q", _half(2, 3, 65, 128), TILING),
        ("sparse_values", ones(2, 3, 1, 5), TILING), ("return_value", 0, 0),
    ),
    "lightning_indexer_v2_metadata": (
        ("num_heads_q", -1, INVALID), ("topk", -1, INVALID), ("max_seqlen_k", -1, INVALID),
        ("mask_mode", 4, INVALID), ("cmp_ratio", 0, INVALID), ("cmp_ratio", 129, INVALID),
        ("layout_q_optional", "BNSD", INVALID), ("layout_q_optional", None, INVALID),
        ("layout_k_optional", "TND", INVALID), ("layout_k_optional", "PA_BBND", 0),
        ("cmp_residual_k_optional", None, INVALID), ("cmp_residual_k_optional", _ints(3), INVALID),
        ("cmp_residual_k_optional", ones(2), INVALID), ("seqused_q_optional", _ints(3), INVALID),
        ("seqused_k_optional", _ints(2, 2), INVALID), ("meta_data", _ints(64), INNER_NULL),
        ("meta_data", ones(1024), INNER_NULL),
    ),
    "sparse_lightning_indexer_kl_loss_grad": (
        ("attn_softmax_l1_norm", None, NULL),
        ("w", _half(2, 3, 8), INVALID), ("sparse_indices", ones(2, 3, 1, 512), INVALID),
        ("dk", ones(2, 5, 1, 128, dtype="bfloat16"), INVALID), ("mask_mode", 1, TILING),
        ("metadata_optional", ones(64), INVALID), ("metadata_optional", None, 0),
        ("cmp_ratio", 0, TILING), ("cmp_ratio", 129, TILING), ("layout_q", "TND", TILING),
        ("layout_k", "TND", TILING), ("q", _half(2, 3, 12, 128), TILING),
        ("sparse_indices", _ints(2, 3, 1, 256), TILING), ("softmax_out", ones(2, 3, 512), TILING),
        ("cmp_residual_k_optional", _lengths(-(2**31), 2**31 - 1), 0),
        ("cmp_residual_k_optional", _ints(3), TILING),
    ),
    "sparse_lightning_indexer_kl_loss_grad_metadata": (
        ("metadata", _ints(1024), INNER_NULL), ("metadata", ones(64), INNER_NULL),
    ),
    "quant_lightning_indexer": (
        *_OF_CHOICES, ("query_quant_mode", 1, TILING),
        ("key", _half(2, 5, 1, 128), INVALID), ("weights", ones(2, 3, 8), INVALID),
        ("query_dequant_scale", _half(2, 3, 4), TILING),
        ("key_dequant_scale", ones(2, 5, 1), INVALID),
        ("key_dequant_scale", _half(2, 5), TILING),
    ),
    "dense_lightning_indexer_softmax_lse": (
        ("query_index", None, NULL), ("sparse_mode", 0, TILING),
        ("layout_optional", "TND", TILING), ("layout_optional", "SBH", TILING),
        ("pre_tokens", 5, TILING), ("softmax_max_out", ones(2, 3, 1), TILING),
        ("softmax_max_out", _half(2, 1, 3), INVALID), ("weight", ones(2, 3, 8), 0),
        ("actual_seq_lengths_query_optional", (1,), TILING),
        ("actual_seq_lengths_query_optional", (-1, 2**62), 0),
    ),
    "lightning_indexer_grad": (
        ("query", None, NULL), ("dy", None, NULL),
        ("dy", ones(2, 3, 4), INVALID), ("sparse_mode", 1, TILING), ("input_layout", "TND", TILING),
        ("input_layout", "BNSD", TILING), ("query", _half(2, 0, 8, 128), 0),
        ("sparse_indices", _ints(2, 3, 5), TILING), ("sparse_indices", ones(2, 3, 4), TILING),
        ("dy", _half(2, 3, 1, 4), 0), ("key", _half(2, 5, 2, 128), TILING),
        ("sparse_indices", device([-1, 5, 2**31 - 1, 0] * 6, "int32").reshape(2, 3, 4), 0),
    ),
    "dense_lightning_indexer_grad_kl_loss": (
        *_OF_LOSSES, ("key", _half(2, 5, 1, 128), TILING), ("query", _half(2, 3, 16, 128), TILING),
        ("softmax_max_index", None, NULL), ("softmax_max_index", ones(2, 3), TILING),
    ),
    "sparse_lightning_indexer_grad_kl_loss": (
        *_OF_LOSSES, ("key", _half(2, 5, 32, 512), TILING), ("sparse_indices", None, NULL),
        ("sparse_indices", _ints(2, 3, 1, 512), TILING),
        ("sparse_indices", _ints(2, 3, 1024), TILING),
        ("sparse_indices", ones(2, 3, 1, 1024, dtype="int64"), INVALID),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def test_gradients_of_products_are_multiplied_in_the_type_of_queries() -> None:
    given = {
        "query": _half(1, 1, 8, 128), "key": device([[[[1 / 64] * 128]]], "float16"),
        "dy": device([[[60000]]], "float16"), "sparse_indices": pa.zeros((1, 1, 1), "int32"),
        "weights": device([[[2] + [1] * 7]], "float16"), "head_num": 8,
    }  # fmt: skip
    operator = pa.ops.lightning_indexer_grad
    rest = {"input_layout": "BSND", "sparse_mode": 0, "pre_tokens": _ALL, "next_tokens": _ALL}

    query = operator(
        **given, actual_seq_q_len_optional=None, actual_seq_kv_len_optional=None,
        deterministic=False, **rest,
    )[0]  # fmt: skip

    # 120000 is no number of float16, though 120000 / 64 is.
    found = query.numpy().astype(np.float64)[0, 0, :, 0]
    assert np.array_equal(found, [np.inf, *[60000 / 64] * 7])
