"""Attention to blocks that are chosen or compressed refuses lengths, layouts and sizes."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import INNER_NULL, INVALID, NULL, code_with, ones
from operators.status_tests import refusal_tests
from operators.test_nsa_compress import RIGHT as COMPRESSED
from operators.test_sparse_attention import MANY, halves, zeros
from operators.test_sparse_attention import RIGHT as CHOSEN

_BLOCKS, _NEWER, _BACK = (
    "block_sparse_attention", "block_sparse_attention_v2", "block_sparse_attention_grad",
)  # fmt: skip
_RAIN, _WINDOWS, _CACHED = "rain_fusion_attention", "nsa_compress", "nsa_compress_with_cache"
_SEEN, _STEP = "nsa_compress_attention", "nsa_compress_attention_infer"
_SELECTED, _SLOPES = "nsa_selected_attention", "nsa_selected_attention_grad"
_INFERRED = "nsa_selected_attention_infer"

#: Sequences of 2 and 3 queries, and of 130 and 70 keys.
_PACKED: dict[str, Any] = {
    "query": halves(5, 4, 64), "key": halves(200, 2, 64), "value": halves(200, 2, 64),
    "q_input_layout": "TND", "kv_input_layout": "TND", "actual_seq_lengths_optional": (2, 3),
    "actual_seq_lengths_kv_optional": (130, 70), "attention_out": halves(5, 4, 64),
}  # fmt: skip
_PACKED_FORWARD: dict[str, Any] = {
    **_PACKED, "block_sparse_mask_optional": zeros(2, 4, 1, 2, dtype="int8"),
}  # fmt: skip
_PACKED_BACK: dict[str, Any] = {
    **_PACKED, "block_sparse_mask_optional": zeros(2, 4, 1, 2, dtype="bool"),
    "dout": halves(5, 4, 64), "softmax_lse": ones(5, 4, 1), "dq": halves(5, 4, 64),
    "dk": halves(200, 2, 64), "dv": halves(200, 2, 64),
}  # fmt: skip
_PACKED_RAIN: dict[str, Any] = {
    **_PACKED, "select_idx": zeros(2, 4, 2, dtype="int64"),
    "select_num_idx": zeros(2, 4, dtype="int64"),
}  # fmt: skip
_IN_SAMPLES: dict[str, Any] = {
    "query": halves(1, 5, 4, 64), "key": halves(1, 200, 2, 64), "value": halves(1, 200, 2, 64),
    "q_input_layout": "BSND", "kv_input_layout": "BSND", "attention_out": halves(1, 5, 4, 64),
}  # fmt: skip
_ROWS: dict[str, Any] = {
    "dout": halves(1, 5, 4, 64), "dq": halves(1, 5, 4, 64), "dk": halves(1, 200, 2, 64),
    "dv": halves(1, 200, 2, 64), "softmax_lse": ones(1, 5, 4, 1),
}  # fmt: skip
_WIDE_RAIN: dict[str, Any] = {
    name: ones(*CHOSEN[_RAIN][name].shape, dtype="bfloat16")
    for name in ("query", "key", "value", "attention_out")
}

_IN_PAGES: dict[str, Any] = {
    "input": halves(3, 64, 2, 16), "block_table_optional": zeros(2, 1), "layout_optional": "BSND",
    "page_block_size": 64, "act_seq_len_optional": (48, 32),
}  # fmt: skip

RIGHT: dict[str, dict[str, Any]] = {
    **{name: CHOSEN[name] for name in (_BLOCKS, _NEWER, _BACK, _RAIN)},
    **{name: CHOSEN[name] for name in (_SELECTED, _SLOPES, _INFERRED)},
    **{name: COMPRESSED[name] for name in (_WINDOWS, _CACHED, _SEEN, _STEP)},
}  # fmt: skip


def _first(count: int) -> dict[str, Any]:
    """So many blocks of compressed keys for each head of them."""
    return {"select_block_count": count, "top_k_output": zeros(2, 1, 2, count)}


def _chosen(count: int) -> dict[str, Any]:
    """So many blocks of keys for each of six rows and two heads."""
    return {"selected_block_count": count, "topk_indices": zeros(6, 2, count)}


def _heads(of_queries: int, of_keys: int) -> dict[str, Any]:
    """Heads that share keys in windows that are compressed."""
    return {
        "query": halves(4, of_queries, 32), "key": halves(30, of_keys, 32),
        "value": halves(30, of_keys, 16), "head_num": of_queries,
        "softmax_max_out": ones(4, of_queries, 8), "softmax_sum_out": ones(4, of_queries, 8),
        "attention_out_out": halves(4, of_queries, 16), "topk_indices_out": zeros(4, of_keys, 3),
    }  # fmt: skip


def _paged(tokens: int, said: int) -> dict[str, Any]:
    return {**_IN_PAGES, "input": halves(3, tokens, 2, 16), "page_block_size": said}


def _cached(*keys: int) -> dict[str, Any]:
    """Two samples of so many compressed keys, of 32 that their pages have; one block is chosen."""
    return {
        "actual_cmp_kv_seq_len_optional": keys, "select_block_count": 1,
        "top_k_output": zeros(2, 1, 2, 1),
    }  # fmt: skip


def _several(layout: str, queries: tuple[int, ...], counts: Any, tokens: Any) -> dict[str, Any]:
    """Two samples, said to have so many queries and tokens, and a tensor of queries."""
    return {
        "query": halves(*queries, 4, 32), "layout_optional": layout,
        "actual_q_seq_len_optional": counts, "actual_sel_kv_seq_len_optional": tokens,
        "output": halves(*queries, 4, 16), "top_k_output": zeros(*queries, 2, 3),
    }  # fmt: skip


#: Tokens of 14 and 30 compressed keys.
_TOKENS = (13 * 16 + 32, 29 * 16 + 32 + 15)

WRONG: list[tuple[str, dict[str, Any], int]] = [
    *(
        case
        for name in (_BLOCKS, _NEWER)
        for case in (
            (name, _PACKED_FORWARD, 0),
            (name, {**_PACKED_FORWARD, "actual_seq_lengths_optional": None,
                    "actual_seq_lengths_kv_optional": None}, INNER_NULL),
            (name, {**_PACKED_FORWARD, "actual_seq_lengths_optional": (2, 2)}, INNER_NULL),
            (name, {**_PACKED_FORWARD, "actual_seq_lengths_kv_optional": (130, 71)}, INNER_NULL),
            (name, {**_PACKED_FORWARD, "actual_seq_lengths_kv_optional": (200,)}, INNER_NULL),
            (name, {"q_input_layout": None}, NULL), (name, {"kv_input_layout": None}, NULL),
            (name, {"attention_out": False}, NULL), (name, _IN_SAMPLES, INNER_NULL),
            (name, {"pre_tokens": MANY - 1}, INNER_NULL),
            (name, {"next_tokens": MANY - 1}, INNER_NULL),
        )
    ),
    (_BACK, _PACKED_BACK, 0), (_BACK, {**_PACKED_BACK, "actual_seq_lengths_optional": None},
     INVALID),
    (_BACK, {**_PACKED_BACK, "actual_seq_lengths_kv_optional": None}, INVALID),
    (_BACK, {"q_input_layout": None}, NULL), (_BACK, {"kv_input_layout": None}, NULL),
    (_BACK, {"atten_mask_optional": ones(5, 200, dtype="bool")}, INVALID),
    (_BACK, {**_IN_SAMPLES, **_ROWS}, INNER_NULL),
    (_BACK, {"block_sparse_mask_optional": zeros(4, 2, 2, dtype="bool")}, INNER_NULL),
    (_BACK, {"attention_out": halves(1, 4, 6, 64)}, INNER_NULL),
    (_BACK, {"dout": halves(1, 5, 4, 64)}, INNER_NULL),
    (_RAIN, _PACKED_RAIN, 0), (_RAIN, {**_PACKED_RAIN, "actual_seq_lengths_optional": None},
     INNER_NULL),
    (_RAIN, {**_PACKED_RAIN, "actual_seq_lengths_kv_optional": (200,)}, INNER_NULL),
    (_RAIN, {"q_input_layout": None}, NULL), (_RAIN, {"kv_input_layout": None}, NULL),
    (_RAIN, {"attention_out": False}, NULL), (_RAIN, {"inner_precise": 1}, 0),
    (_RAIN, _WIDE_RAIN, 0), (_RAIN, {**_WIDE_RAIN, "inner_precise": 1}, INNER_NULL),
    (_WINDOWS, {"input": halves(70, 0, 16), "weight": halves(32, 0)}, INVALID),
    (_WINDOWS, {"input": halves(70, 2, 0), "output": halves(2, 2, 16)}, INVALID),
    (_CACHED, _IN_PAGES, 0), (_CACHED, _paged(128, 128), 0), (_CACHED, _paged(64, 128), INNER_NULL),
    (_CACHED, _paged(96, 96), INNER_NULL), (_CACHED, _paged(32, 32), INNER_NULL),
    (_CACHED, {"layout_optional": "BSND"}, INNER_NULL),
    (_CACHED, {"output_cache": halves(3, 2, 32)[..., ::2]}, INNER_NULL),
    (_SEEN, _heads(64, 1), 0), (_SEEN, _heads(128, 1), INNER_NULL),
    (_SEEN, _heads(3, 1), INNER_NULL),
    (_STEP, _cached(1, 30), 0), (_STEP, _cached(0, 30), INNER_NULL),
    (_STEP, _cached(14, 32), 0), (_STEP, _cached(14, 33), INNER_NULL),
    # What the last window has behind its stride makes a fifth block.
    (_STEP, {**_cached(16, 30), **_first(5)}, 0), (_STEP, {**_cached(15, 30), **_first(5)},
     INNER_NULL),
    *((_STEP, {"query": halves(2, 1, 4, depth), "key": halves(5, 16, 2 * depth)}, status)
      for depth, status in ((192, 0), (193, INNER_NULL))),
    *((_STEP, {"key": halves(5, page, 64), "value": halves(5, page, 32), "page_block_size": page},
       status) for page, status in ((128, 0), (144, INNER_NULL), (24, INNER_NULL))),
    (_STEP, {"query": halves(0, 1, 4, 32)}, INVALID),
    (_STEP, {"query": halves(10001, 1, 4, 32)}, INVALID),
    (_STEP, {"query": halves(10000, 1, 4, 32)}, INNER_NULL),
    (_STEP, {"query": halves(3, 1, 4, 32), "output": halves(3, 1, 4, 16),
             "top_k_output": zeros(3, 1, 2, 3)}, INNER_NULL),
    (_STEP, _several("TND", (5,), (4, 1), _TOKENS), 0),
    (_STEP, _several("TND", (5,), (5, 1), _TOKENS), INNER_NULL),
    (_STEP, _several("TND", (4,), (4, 1), _TOKENS), INNER_NULL),
    (_STEP, _several("TND", (2,), (4, 1), None), 0),
    (_STEP, _several("TND", (2,), (0, 2), _TOKENS), 0),
    (_STEP, _several("TND", (2,), (4,), _TOKENS), 0),
    (_STEP, _several("TND", (2,), (4, 1), _TOKENS[:1]), 0),
    (_STEP, _several("TND", (2,), (4, 1), (_TOKENS[0] - 1, _TOKENS[1])), 0),
    (_STEP, _several("TND", (2,), (4, 1), (_TOKENS[0], _TOKENS[1] + 1)), 0),
    (_STEP, _several("TND", (2,), (4, 1), (-(2**63), _TOKENS[1])), 0),
    (_STEP, _several("BSND", (2, 3), (3, 1), _TOKENS), 0),
    (_STEP, _several("BSND", (2, 4), (3, 1), _TOKENS), INNER_NULL),
    (_STEP, _several("BSND", (3, 3), (3, 1), _TOKENS), INNER_NULL),
    (_SELECTED, _chosen(128), 0), (_SELECTED, _chosen(129), INNER_NULL),
    (_SELECTED, _chosen(0), INNER_NULL),
    (_SELECTED, {"atten_mask_optional": ones(2, 2, 2, dtype="bool")}, INNER_NULL),
    (_SELECTED, {"atten_mask_optional": ones(4, dtype="bool")}, INNER_NULL),
    (_SLOPES, {"attention_out": halves(6, 4, 24)}, INNER_NULL),
    (_SLOPES, {"attention_out_grad": halves(6, 4, 24)}, INNER_NULL),
    (_INFERRED, {"num_key_value_heads": 4}, INNER_NULL),
    (_INFERRED, {"actual_q_seq_len_optional": (1, 2)}, INNER_NULL),
]  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(RIGHT, WRONG)

_PRECISE: dict[str, Any] = {**_IN_SAMPLES, "inner_precise": 4}
#: What the 950 has besides.
_ON_950: list[tuple[str, dict[str, Any], int]] = [
    (_BLOCKS, _PRECISE, 0), (_NEWER, _PRECISE, 0), (_BLOCKS, {**_PRECISE, "inner_precise": 0},
     INNER_NULL),
    (_BACK, {**_IN_SAMPLES, **_ROWS}, 0),
]  # fmt: skip


def statuses() -> list[int]:
    """Return what the calls of the 950 are answered with."""
    return [code_with(operator, RIGHT[operator], **changed) for operator, changed, _ in _ON_950]


def test_the_950_has_samples_of_tokens() -> None:
    assert found_on("Ascend950", __name__, "statuses()") == [status for *_, status in _ON_950]
