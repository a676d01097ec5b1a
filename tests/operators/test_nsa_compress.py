"""Windows that NSA compresses: statuses, and what is left as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, TILING, code_with, ones
from operators.status_tests import status_tests

import pyaclnn as pa


def halves(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


_WINDOWS = {"compress_block_size": 32, "compress_stride": 16}
RIGHT: dict[str, dict[str, Any]] = {
    "nsa_compress": {
        "input": halves(70, 2, 16), "weight": halves(32, 2), "act_seq_len_optional": (50, 70),
        "layout_optional": "TND", **_WINDOWS, "act_seq_len_type": 0, "output": halves(2, 2, 16),
    },
    "nsa_compress_grad": {
        "output_grad": halves(2, 2, 16), "input": halves(70, 2, 16), "weight": halves(32, 2),
        "act_seq_len_optional_optional": (50, 70), **_WINDOWS, "act_seq_len_type": 0,
        "layout_optional_optional": "TND", "input_grad_out": halves(70, 2, 16),
        "weight_grad_out": halves(32, 2),
    },
    "nsa_compress_with_cache": {
        "input": halves(80, 2, 16), "weight": halves(32, 2),
        "slot_mapping": pa.asarray(np.array([1, 0], np.int32)), "act_seq_len_optional": (48, 32),
        "block_table_optional": None, "layout_optional": "TND", **_WINDOWS, "act_seq_len_type": 1,
        "page_block_size": 64, "output_cache": halves(3, 2, 16),
    },
    "nsa_compress_attention": {
        "query": halves(4, 4, 32), "key": halves(30, 2, 32), "value": halves(30, 2, 16),
        "atten_mask_optional": None, "topk_mask_optional": None,
        "actual_seq_q_len_optional": (1, 4), "actual_cmp_seq_kv_len_optional": (14, 30),
        "actual_sel_seq_kv_len_optional": (4, 8), "scale_value": 1.0, "head_num": 4,
        "input_layout": "TND", "sparse_mode": 1, **_WINDOWS, "select_block_size": 64,
        "select_block_count": 3, "softmax_max_out": ones(4, 4, 8),
        "softmax_sum_out": ones(4, 4, 8), "attention_out_out": halves(4, 4, 16),
        "topk_indices_out": pa.zeros((4, 2, 3), "int32"),
    },
    "nsa_compress_attention_infer": {
        "query": halves(2, 1, 4, 32), "key": halves(5, 16, 64), "value": halves(5, 16, 32),
        "attention_mask_optional": None, "block_table_optional": pa.zeros((2, 2), "int32"),
        "actual_q_seq_len_optional": None, "actual_cmp_kv_seq_len_optional": (14, 30),
        "actual_sel_kv_seq_len_optional": None, "top_k_mask_optional": None, "num_heads": 4,
        "num_key_value_heads": 2, "select_block_size": 64, "select_block_count": 3,
        "compress_block_size": 32, "compress_block_stride": 16, "scale_value": 1.0,
        "layout_optional": "BSND", "page_block_size": 16, "sparse_mode": 0,
        "output": halves(2, 1, 4, 16), "top_k_output": pa.zeros((2, 1, 2, 3), "int32"),
    },
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(
    RIGHT,
    {
        "nsa_compress": (
            ("input", None, NULL), ("weight", ones(32, 2), INVALID),
            ("weight", halves(32, 3), INVALID), ("layout_optional", "BSH", INVALID),
            ("act_seq_len_optional", None, INVALID), ("act_seq_len_type", 1, INVALID),
            ("compress_block_size", 16, INVALID), ("compress_stride", 8, INNER_NULL),
            ("compress_stride", 0, INNER_NULL), ("compress_stride", 2**62, INNER_NULL),
            ("act_seq_len_optional", (50, 71), INNER_NULL),
            ("act_seq_len_optional", (2**62, 70), INNER_NULL),
            ("act_seq_len_optional", (0, 50, 70), INNER_NULL),
            ("output", halves(3, 2, 16), INNER_NULL),
        ),
        "nsa_compress_grad": (
            ("output_grad", None, NULL), ("input", ones(70, 2, 16), INVALID),
            ("output_grad", halves(3, 2, 16), TILING), ("compress_stride", 8, TILING),
            ("act_seq_len_optional_optional", None, NO_KERNEL),
            ("act_seq_len_optional_optional", (50, 60), TILING),
            ("act_seq_len_optional_optional", (0, 50, 70), 0),
            ("act_seq_len_optional_optional", (-1, 50, 70), TILING),
            ("act_seq_len_type", 1, TILING), ("act_seq_len_type", 2, 0),
            ("act_seq_len_type", 2**32 + 1, TILING), ("layout_optional_optional", "BSH", INVALID),
        ),
        "nsa_compress_with_cache": (
            ("input", None, INNER_NULL), ("input", halves(0, 2, 16), INVALID),
            ("weight", ones(32, 2), INVALID), ("act_seq_len_type", 0, INNER_NULL),
            ("slot_mapping", pa.zeros((2,), "int64"), INNER_NULL),
            ("slot_mapping", pa.zeros((3,), "int32"), INNER_NULL),
            ("act_seq_len_optional", (48, 33), INNER_NULL), ("compress_stride", 24, INNER_NULL),
            ("block_table_optional", pa.zeros((2, 1), "int32"), INNER_NULL),
            ("output_cache", halves(3, 2, 32), INNER_NULL),
        ),
        "nsa_compress_attention": (
            ("query", None, INNER_NULL), ("input_layout", "BSND", INVALID),
            ("query", halves(4, 4, 0), INVALID), ("key", halves(30, 64), INVALID),
            ("key", ones(30, 2, 32), INNER_NULL), ("head_num", 2, INNER_NULL),
            ("sparse_mode", 2, INNER_NULL), ("select_block_size", 48, 0),
            ("select_block_size", 16, INNER_NULL), ("compress_stride", 2**62, INNER_NULL),
            ("select_block_count", 5, INNER_NULL), ("select_block_count", 0, INNER_NULL),
            ("actual_seq_q_len_optional", None, INNER_NULL),
            ("actual_cmp_seq_kv_len_optional", (14, 2**62), INNER_NULL),
            ("atten_mask_optional", ones(3, 30, dtype="bool"), INNER_NULL),
            ("atten_mask_optional", ones(3, 16, dtype="bool"), 0),
            ("topk_mask_optional", ones(3, 4, dtype="bool"), 0),
            ("topk_indices_out", pa.zeros((2, 4, 3), "int32"), INNER_NULL),
        ),
        "nsa_compress_attention_infer": (
            ("query", None, NULL), ("block_table_optional", None, NULL),
            ("actual_cmp_kv_seq_len_optional", None, NULL), ("layout_optional", "BSH", INVALID),
            ("query", ones(2, 1, 4, 32), INVALID), ("num_heads", 3, INNER_NULL),
            ("num_key_value_heads", 0, INNER_NULL), ("num_key_value_heads", -2, INNER_NULL),
            ("block_table_optional", pa.zeros((2, 2), "int64"), INVALID),
            ("block_table_optional", pa.zeros((3, 2), "int32"), INNER_NULL),
            ("actual_cmp_kv_seq_len_optional", (14, 33), INNER_NULL),
            ("actual_cmp_kv_seq_len_optional", (14, 2**62), INNER_NULL),
            # Without lengths before compression there is one query for each sample.
            ("actual_q_seq_len_optional", (1, 2), 0), ("page_block_size", 64, INNER_NULL),
            ("query", halves(2, 2, 4, 32), INNER_NULL),
            ("select_block_count", 5, INNER_NULL), ("compress_block_stride", 0, INNER_NULL),
            ("top_k_output", pa.zeros((2, 2, 3), "int32"), INNER_NULL),
        ),
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("lengths", "status"),
    [
        ((50, 20), 0), ((50, 21), TILING), ((71, -1), TILING), ((-1, 71), TILING),
        ((2**62, 2**62, 70), TILING),
    ],
)  # fmt: skip
def test_lengths_of_the_gradient_may_stand_for_themselves(
    lengths: tuple[int, ...], status: int
) -> None:
    name = "nsa_compress_grad"
    given = {"act_seq_len_optional_optional": lengths, "act_seq_len_type": 1}

    assert code_with(name, RIGHT[name], **given) == status


def test_slots_that_are_none_are_not_written() -> None:
    name = "nsa_compress_with_cache"
    cache = pa.zeros((3, 2, 16), "float16")
    slots = pa.asarray(np.array([-5, 2**31 - 1], np.int32))

    pa.ops[name](**{**RIGHT[name], "slot_mapping": slots, "output_cache": cache})

    assert not cache.numpy().any()


def test_only_full_windows_are_compressed() -> None:
    name = "nsa_compress_with_cache"
    cache = pa.zeros((3, 2, 16), "float16")

    pa.ops[name](**{**RIGHT[name], "act_seq_len_optional": (49, 31), "output_cache": cache})

    assert not cache.numpy().any()


def test_a_forced_block_is_chosen_before_those_that_weigh_more() -> None:
    name = "nsa_compress_attention"
    key = np.zeros((30, 2, 32), np.float16)
    key[8:14] = key[24:] = 1  # which blocks 0 and 1 of both sequences have no part in
    forced = np.zeros((3, 4), bool)
    forced[:, 0] = True
    changed = {"key": pa.asarray(key), "select_block_count": 1}

    def chosen(mask: Any) -> list[int]:
        out = pa.zeros((4, 2, 1), "int32")
        given = {**RIGHT[name], **changed, "topk_mask_optional": mask, "topk_indices_out": out}
        outputs = [given.pop(output.name) for output in pa.ops[name].spec.outputs]
        pa.ops[name](**given, out=tuple(outputs))
        return np.unique(out.numpy()).tolist()

    assert 0 not in chosen(None)
    assert chosen(pa.asarray(forced)) == [0]
