"""Indexers refuse what CANN's operators refuse, and follow no number out of their tensors."""

from __future__ import annotations

from typing import Any

from operators.calls import INVALID, NULL, TILING, device, ones
from operators.status_tests import status_tests

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

RIGHT: dict[str, dict[str, Any]] = {
    "lightning_indexer": {
        **_CHOICE, "return_values": True, "sparse_indices_out": _ints(2, 3, 1, 4),
        "sparse_values_out": _half(2, 3, 1, 4),
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
