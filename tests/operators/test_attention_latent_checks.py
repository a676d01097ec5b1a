"""Attention to latent vectors, whole or chosen, refuses tables, sums and layouts that are wrong."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import INVALID, NULL, TILING, code_with, device, ones
from operators.status_tests import refusal_tests
from operators.test_sparse_attention import RIGHT as CHOSEN
from operators.test_sparse_flash_mla import RIGHT as LATENT

import pyaclnn as pa


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _ints(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="int32")


def _sums(*values: int) -> pa.Tensor:
    return device(values, "int32")


_MLA, _GRAD, _PLAN = "sparse_flash_mla", "sparse_flash_mla_grad", "sparse_flash_mla_metadata"
_CHOICE, _SLOPES = "sparse_flash_attention", "sparse_flash_attention_grad"

#: Pages of 16 tokens, of whole vectors and of compressed ones.
_PAGED: dict[str, Any] = {
    "layout_kv_optional": "PA_BBND", "ori_kv_optional": _half(4, 16, 1, 512),
    "cmp_kv_optional": _half(3, 16, 1, 512), "ori_block_table_optional": _ints(2, 2),
    "cmp_block_table_optional": _ints(2, 1), "seqused_ori_kv_optional": _sums(20, 3),
    "seqused_cmp_kv_optional": _sums(5, 0),
}  # fmt: skip
_PACKED: dict[str, Any] = {
    "layout_q_optional": "TND", "layout_kv_optional": "TND", "ori_kv_optional": _half(9, 1, 512),
    "cmp_kv_optional": _half(4, 1, 512), "cu_seqlens_q_optional": _sums(0, 2, 6),
    "cu_seqlens_ori_kv_optional": _sums(0, 4, 9), "cu_seqlens_cmp_kv_optional": _sums(0, 1, 4),
}  # fmt: skip
_PACKED_MLA: dict[str, Any] = {
    **_PACKED, "q": _half(6, 4, 512), "cmp_sparse_indices_optional": _ints(6, 1, 512),
    "attn_out_out": _half(6, 4, 512), "softmax_lse_out_optional": ones(1, 6, 4),
}  # fmt: skip
_PACKED_GRAD: dict[str, Any] = {
    **_PACKED, **{name: _half(6, 4, 512) for name in ("query", "d_out", "out_", "d_query_out")},
    "lse": ones(1, 6, 4), "cmp_sparse_indices_optional": _ints(6, 1, 8),
    "d_ori_kv_out_optional": _half(9, 1, 512), "d_cmp_kv_out_optional": _half(4, 1, 512),
    "cmp_softmax_l1_norm_optional": ones(6, 1, 8),
}  # fmt: skip
_PACKED_CHOICE: dict[str, Any] = {
    "query": _half(6, 4, 512), "key": _half(9, 1, 512), "value": _half(9, 1, 512),
    "sparse_indices": _ints(6, 1, 3), "query_rope_optional": _half(6, 4, 64),
    "key_rope_optional": _half(9, 1, 64), "layout_query_optional": "TND",
    "layout_kv_optional": "TND", "attention_out": _half(6, 4, 512), "softmax_max": ones(1, 6, 4),
    "softmax_sum": ones(1, 6, 4), "actual_seq_lengths_query_optional": _sums(2, 6),
    "actual_seq_lengths_kv_optional": _sums(4, 9),
}  # fmt: skip
_PAGED_CHOICE: dict[str, Any] = {
    "key": _half(4, 16, 1, 512), "value": _half(4, 16, 1, 512), "layout_kv_optional": "PA_BSND",
    "key_rope_optional": _half(4, 16, 1, 64), "block_table_optional": _ints(1, 2),
    "actual_seq_lengths_kv_optional": _sums(20), "return_softmax_lse": False,
}  # fmt: skip
_PACKED_SLOPES: dict[str, Any] = {
    **{name: _half(6, 4, 512) for name in ("query", "d_out", "out_", "d_query_out")},
    **{name: _half(9, 1, 512) for name in ("key", "value", "d_key_out", "d_value_out")},
    **{name: _half(6, 4, 64) for name in ("query_rope_optional", "d_query_rope_out_optional")},
    **{name: _half(9, 1, 64) for name in ("key_rope_optional", "d_key_rope_out_optional")},
    **{name: ones(1, 6, 4) for name in ("softmax_max", "softmax_sum")},
    "sparse_indices": _ints(6, 1, 3), "layout_optional": "TND",
    "actual_seq_lengths_query_optional": _sums(2, 6),
    "actual_seq_lengths_kv_optional": _sums(4, 9),
}  # fmt: skip
_PACKED_PLAN = {
    "layout_q_optional": "TND", "layout_kv_optional": "TND",
    "cu_seqlens_q_optional": _sums(0, 2, 6), "cu_seqlens_ori_kv_optional": _sums(0, 4, 9),
    "cu_seqlens_cmp_kv_optional": _sums(0, 1, 4),
}  # fmt: skip
_PAGED_PLAN = {
    "layout_kv_optional": "PA_BBND", "seqused_ori_kv_optional": _sums(20, 3),
    "seqused_cmp_kv_optional": _sums(5, 0),
}  # fmt: skip

RIGHT: dict[str, dict[str, Any]] = {
    _MLA: LATENT[_MLA], _GRAD: LATENT[_GRAD], _PLAN: LATENT[_PLAN], _CHOICE: CHOSEN[_CHOICE],
    _SLOPES: CHOSEN[_SLOPES],
}  # fmt: skip


def _blocks(tokens: int) -> dict[str, Any]:
    return {**_PAGED, "ori_kv_optional": _half(4, tokens, 1, 512)}


WRONG: list[tuple[str, dict[str, Any], int]] = [
    (_MLA, _PAGED, 0), (_MLA, {**_PAGED, "ori_block_table_optional": None}, TILING),
    (_MLA, {**_PAGED, "cmp_block_table_optional": None}, TILING),
    (_MLA, {**_PAGED, "ori_block_table_optional": _ints(2)}, TILING),
    (_MLA, {**_PAGED, "ori_block_table_optional": _ints(3, 2)}, TILING),
    (_MLA, {**_PAGED, "seqused_ori_kv_optional": None}, TILING),
    (_MLA, _blocks(1024), 0), (_MLA, _blocks(1040), TILING), (_MLA, _blocks(24), TILING),
    (_MLA, {"ori_block_table_optional": _ints(2, 2)}, TILING),
    (_MLA, {"ori_kv_optional": _half(10, 1, 512)}, TILING),
    (_MLA, {"cu_seqlens_ori_kv_optional": _sums(0, 4, 9)}, TILING),
    (_MLA, {"cu_seqlens_q_optional": _sums(0, 2, 6)}, TILING),
    (_MLA, {"cmp_kv_optional": None, "cmp_ratio": 1}, TILING),
    (_MLA, {"cmp_kv_optional": None, "cmp_ratio": 1, "cmp_sparse_indices_optional": None}, 0),
    (_MLA, {"q": _half(6, 4, 512)}, TILING), (_MLA, {"q": pa.empty((2, 0, 4, 512), "float16")},
     TILING),
    (_MLA, {"cmp_sparse_indices_optional": _ints(6, 1, 512)}, TILING),
    (_MLA, {"softmax_lse_out_optional": False}, TILING),
    (_MLA, {"softmax_lse_out_optional": False, "return_softmax_lse": False}, 0),
    (_MLA, _PACKED_MLA, 0), (_MLA, {**_PACKED_MLA, "cu_seqlens_q_optional": None}, TILING),
    (_MLA, {**_PACKED_MLA, "cu_seqlens_q_optional": _sums(0)}, TILING),
    (_MLA, {**_PACKED_MLA, "cu_seqlens_q_optional": _ints(1, 3)}, TILING),
    (_MLA, {**_PACKED_MLA, "cu_seqlens_ori_kv_optional": None}, TILING),
    (_MLA, {**_PACKED_MLA, "seqused_ori_kv_optional": _sums(1, 1)}, 0),
    (_MLA, {**_PACKED_MLA, "seqused_q_optional": _sums(1, 1)}, 0),
    (_GRAD, {"d_ori_kv_out_optional": False}, TILING),
    (_GRAD, {"d_cmp_kv_out_optional": False}, TILING),
    (_GRAD, {"cmp_softmax_l1_norm_optional": False}, TILING),
    (_GRAD, {"query": _half(6, 4, 512)}, TILING),
    (_GRAD, {"cmp_sparse_indices_optional": _ints(6, 1, 8)}, TILING), (_GRAD, _PACKED_GRAD, 0),
    (_GRAD, {**_PACKED_GRAD, "cu_seqlens_q_optional": None}, TILING),
    (_GRAD, {**_PACKED_GRAD, "cu_seqlens_q_optional": _sums(0)}, TILING),
    (_GRAD, {**_PACKED_GRAD, "cu_seqlens_q_optional": _ints(1, 3)}, TILING),
    (_PLAN, _PACKED_PLAN, 0), (_PLAN, {**_PACKED_PLAN, "cu_seqlens_cmp_kv_optional": None},
     INVALID),
    (_PLAN, {**_PACKED_PLAN, "cu_seqlens_cmp_kv_optional": _sums(0, 1, 4, 4)}, INVALID),
    (_PLAN, _PAGED_PLAN, 0), (_PLAN, {**_PAGED_PLAN, "seqused_cmp_kv_optional": None}, INVALID),
    (_PLAN, {**_PAGED_PLAN, "seqused_cmp_kv_optional": _sums(5)}, INVALID),
    (_CHOICE, _PACKED_CHOICE, 0), (_CHOICE, _PAGED_CHOICE, 0),
    (_CHOICE, {"layout_query_optional": "BNSD", "layout_kv_optional": "BNSD"}, TILING),
    (_CHOICE, {"layout_query_optional": "BNSD", "layout_kv_optional": "PA_BSND"}, TILING),
    (_CHOICE, {**_PACKED_CHOICE, "actual_seq_lengths_query_optional": _ints(1, 2)}, TILING),
    (_CHOICE, {**_PACKED_CHOICE, "actual_seq_lengths_query_optional": pa.empty((0,), "int32")},
     TILING),
    (_CHOICE, {"key": _half(2, 9, 1, 512), "value": _half(2, 9, 1, 512),
               "key_rope_optional": _half(2, 9, 1, 64)}, TILING),
    (_CHOICE, {**_PAGED_CHOICE, "block_table_optional": _ints(2)}, TILING),
    (_CHOICE, {**_PAGED_CHOICE, "block_table_optional": _ints(2, 2)}, TILING),
    (_CHOICE, {**_PAGED_CHOICE, "block_table_optional": ones(1, 2, dtype="int64")}, TILING),
    (_CHOICE, {**_PAGED_CHOICE, "return_softmax_lse": True}, TILING),
    (_SLOPES, _PACKED_SLOPES, 0),
    (_SLOPES, {**_PACKED_SLOPES, "actual_seq_lengths_query_optional": None}, TILING),
    (_SLOPES, {**_PACKED_SLOPES, "actual_seq_lengths_kv_optional": None}, TILING),
    (_SLOPES, {**_PACKED_SLOPES, "actual_seq_lengths_query_optional": _ints(1, 2)}, TILING),
    (_SLOPES, {**_PACKED_SLOPES, "actual_seq_lengths_kv_optional": _sums(4, 9, 9)}, TILING),
    (_SLOPES, {"d_value_out": ones(1, 9, 1, 512, dtype="bfloat16")}, INVALID),
    (_SLOPES, {"key_rope_optional": _half(1, 9, 1, 32)}, TILING),
    *((_SLOPES, {name: False}, NULL) for name in (
        "d_query_out", "d_key_out", "d_query_rope_out_optional", "d_key_rope_out_optional",
    )),
]  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(RIGHT, WRONG)

_ANY: dict[str, Any] = {"cmp_sparse_indices_optional": _ints(2, 3, 1, 8), "cmp_ratio": 7}
#: The 950 takes other modes, ratios and blocks.
_ON_950: list[tuple[str, dict[str, Any], int]] = [
    (_MLA, _ANY, 0), (_MLA, {**_ANY, "ori_mask_mode": 3}, 0),
    (_MLA, {**_ANY, "ori_mask_mode": 0}, 0),
    (_MLA, {**_ANY, "ori_mask_mode": 1}, TILING), (_MLA, {**_ANY, "ori_mask_mode": 5}, TILING),
    (_MLA, {**_ANY, "cmp_mask_mode": 0}, 0), (_MLA, {**_ANY, "cmp_mask_mode": 4}, TILING),
    (_MLA, {**_ANY, "cmp_ratio": 1}, 0), (_MLA, {**_ANY, "cmp_ratio": 0}, TILING),
    (_MLA, {**_ANY, "cmp_ratio": 128}, 0), (_MLA, {**_ANY, "cmp_ratio": 129}, TILING),
    (_MLA, {**_ANY, "ori_win_left": -1}, 0), (_MLA, {**_ANY, "ori_win_left": -2}, TILING),
    (_MLA, {**_ANY, "ori_win_right": -2}, TILING), (_MLA, _blocks(24), 0),
    (_MLA, _blocks(1025), TILING),
    *((_MLA, {name: _ints(2, 3)}, TILING) for name in (
        "ori_sparse_indices_optional", "ori_topk_length_optional", "cmp_topk_length_optional",
    )),
    (_PLAN, {"cmp_mask_mode": 0, "cmp_topk": 8, "cmp_topk_length_optional": _ints(2)}, 0),
    (_PLAN, {"cmp_mask_mode": 0, "cmp_topk": 8}, INVALID),
    (_PLAN, {"ori_mask_mode": 0, "ori_topk": 8, "ori_topk_length_optional": _ints(2)}, 0),
    (_PLAN, {"ori_mask_mode": 0, "ori_topk": 8}, INVALID),
]  # fmt: skip


def statuses() -> list[int]:
    """Return what the calls of the 950 are answered with."""
    return [code_with(operator, RIGHT[operator], **changed) for operator, changed, _ in _ON_950]


def test_the_950_has_limits_of_its_own() -> None:
    assert found_on("Ascend950", __name__, "statuses()") == [status for *_, status in _ON_950]
