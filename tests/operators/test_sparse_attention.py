"""Attention to chosen blocks of keys: statuses, and the gradients that its suite compares with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from finite_differences import numeric_gradient
from operators.calls import (
    INNER_NULL,
    INVALID,
    NULL,
    RUNTIME,
    TILING,
    code_with,
    ones,
)
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.selftest.suites.flash_attention import Sample

MANY = 2**31 - 1


def halves(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def zeros(*shape: int, dtype: str = "int32") -> pa.Tensor:
    return pa.zeros(shape, dtype)


_VALUES: dict[str, dict[str, Any]] = {
    "nsa_selected": {
        "query": halves(6, 4, 24), "key": halves(80, 2, 24), "value": halves(80, 2, 16),
        "topk_indices": zeros(6, 2, 3), "actual_seq_q_len_optional": (2, 6),
        "actual_seq_kv_len_optional": (48, 80), "scale_value": 1.0, "head_num": 4,
        "input_layout": "TND", "sparse_mode": 0, "selected_block_size": 16,
        "selected_block_count": 3, "softmax_max_out": ones(6, 4, 8),
        "softmax_sum_out": ones(6, 4, 8), "softmax_max": ones(6, 4, 8),
        "softmax_sum": ones(6, 4, 8), "attention_out": halves(6, 4, 16),
        "attention_out_grad": halves(6, 4, 16), "dq_out": halves(6, 4, 24),
        "dk_out": halves(80, 2, 24), "dv_out": halves(80, 2, 16),
    },
    "nsa_selected_attention_infer": {
        "query": halves(2, 1, 4, 192), "key": halves(3, 64, 2, 192),
        "value": halves(3, 64, 2, 128), "topk_indices": zeros(2, 2, 4),
        "block_table_optional": zeros(2, 2), "actual_q_seq_len_optional": (1, 1),
        "actual_kv_seq_len_optional": (70, 20), "layout_optional": "BSND", "num_heads": 4,
        "num_key_value_heads": 2, "select_block_size": 32, "select_block_count": 4,
        "page_block_size": 64, "scale_value": 1.0, "sparse_mode": 0,
        "output": halves(2, 1, 4, 128),
    },
    "blocks": {
        "query": halves(1, 4, 5, 64), "key": halves(1, 2, 200, 64), "value": halves(1, 2, 200, 64),
        "block_sparse_mask_optional": zeros(1, 4, 2, 2, dtype="int8"),
        "block_shape": (3, 128), "block_shape_optional": (3, 128), "q_input_layout": "BNSD",
        "kv_input_layout": "BNSD", "num_key_value_heads": 2, "mask_type": 0, "scale_value": 1.0,
        "inner_precise": 0, "block_size": 0, "pre_tokens": MANY, "next_tokens": MANY,
        "softmax_lse_flag": 0, "attention_out": halves(1, 4, 5, 64),
        "select_idx": zeros(2, 4, 2, dtype="int64"), "select_num_idx": zeros(2, 4, dtype="int64"),
        "dout": halves(1, 4, 5, 64), "softmax_lse": ones(1, 4, 5, 1), "dq": halves(1, 4, 5, 64),
        "dk": halves(1, 2, 200, 64), "dv": halves(1, 2, 200, 64),
    },
    "sparse_flash": {
        "query": halves(1, 2, 4, 512), "key": halves(1, 9, 1, 512), "value": halves(1, 9, 1, 512),
        "sparse_indices": zeros(1, 2, 1, 3), "query_rope_optional": halves(1, 2, 4, 64),
        "key_rope_optional": halves(1, 9, 1, 64), "scale_value": 1.0,
        "sparse_block_size_optional": 1, "sparse_block_size": 1, "layout_query_optional": "BSND",
        "layout_kv_optional": "BSND", "layout_optional": "BSND", "sparse_mode": 3,
        "pre_tokens": 2**63 - 1, "next_tokens": 2**63 - 1, "attention_mode": 2,
        "return_softmax_lse": True, "deterministic": False, "attention_out": halves(1, 2, 4, 512),
        "softmax_max": ones(1, 1, 2, 4), "softmax_sum": ones(1, 1, 2, 4),
        "d_out": halves(1, 2, 4, 512), "out_": halves(1, 2, 4, 512),
        "d_query_out": halves(1, 2, 4, 512), "d_key_out": halves(1, 9, 1, 512),
        "d_value_out": halves(1, 9, 1, 512), "d_query_rope_out_optional": halves(1, 2, 4, 64),
        "d_key_rope_out_optional": halves(1, 9, 1, 64),
    },
}  # fmt: skip

_KINDS = {
    "nsa_selected_attention": "nsa_selected",
    "nsa_selected_attention_grad": "nsa_selected",
    "nsa_selected_attention_infer": "nsa_selected_attention_infer",
    "block_sparse_attention": "blocks",
    "block_sparse_attention_v2": "blocks",
    "block_sparse_attention_grad": "blocks",
    "rain_fusion_attention": "blocks",
    "sparse_flash_attention": "sparse_flash",
    "sparse_flash_attention_grad": "sparse_flash",
}


def _right(operator: str, kind: str) -> dict[str, Any]:
    spec = pa.ops[operator].spec
    given = dict(_VALUES[kind])
    if operator == "block_sparse_attention_grad":
        mask = given["block_sparse_mask_optional"]
        given["block_sparse_mask_optional"] = zeros(*mask.shape, dtype="bool")
        given["attention_out"] = halves(1, 4, 5, 64)
    return {p.name: given.get(p.name) for p in (*spec.inputs, *spec.outputs)}


RIGHT = {operator: _right(operator, kind) for operator, kind in _KINDS.items()}

Cases = tuple[tuple[str, Any, int], ...]

_SELECTED: Cases = (
    ("selected_block_size", 24, INNER_NULL), ("selected_block_size", 0, INNER_NULL),
    ("selected_block_size", 2**62, INNER_NULL), ("selected_block_count", 2, INNER_NULL),
    ("sparse_mode", 1, INNER_NULL), ("head_num", 2, INNER_NULL),
    ("actual_seq_q_len_optional", (6,), INNER_NULL),
    ("actual_seq_q_len_optional", (2, 2**62), INNER_NULL),
    ("atten_mask_optional", halves(4, 4), INNER_NULL),
    ("atten_mask_optional", ones(4, 4, dtype="bool"), 0),
)  # fmt: skip
_BLOCKS: Cases = (
    ("key", None, NULL), ("q_input_layout", "TND", INVALID), ("kv_input_layout", "BSH", INVALID),
    ("key", ones(1, 2, 200, 64), INVALID), ("num_key_value_heads", 4, INNER_NULL),
)  # fmt: skip
_MASKED: Cases = (
    *_BLOCKS, ("block_shape_optional", None, NULL), ("block_shape_optional", (3,), INVALID),
    ("block_shape_optional", (0, 128), INVALID), ("block_shape_optional", (3, 64), INNER_NULL),
    ("block_shape_optional", (2**62, 2**62), INNER_NULL),
)  # fmt: skip
_FORWARD: Cases = (
    *_MASKED, ("inner_precise", 2, INVALID), ("inner_precise", 4, INNER_NULL),
    ("inner_precise", 1, 0), ("block_sparse_mask_optional", None, INNER_NULL),
    ("block_sparse_mask_optional", zeros(4, 2, 2, dtype="int8"), INVALID),
    ("block_sparse_mask_optional", zeros(1, 4, 3, 2, dtype="int8"), INNER_NULL),
    ("mask_type", 1, 0), ("mask_type", 3, RUNTIME), ("pre_tokens", 7, INNER_NULL),
    ("actual_seq_lengths_optional", (5,), INNER_NULL),
)  # fmt: skip
_TOKENS: Cases = (
    ("query", None, NULL), ("sparse_indices", None, NULL), ("sparse_mode", 2, TILING),
    ("query", ones(1, 2, 4, 512), INVALID), ("sparse_indices", zeros(1, 2, 4, 3), TILING),
    ("key_rope_optional", None, TILING), ("query_rope_optional", halves(1, 2, 4, 32), TILING),
)  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(
    RIGHT,
    {
        "nsa_selected_attention": (
            *_SELECTED, ("query", None, INNER_NULL),
            ("actual_seq_q_len_optional", None, INNER_NULL),
            ("input_layout", "BSND", INVALID), ("query", halves(6, 4, 25), INVALID),
            ("key", halves(0, 2, 24), INVALID), ("value", halves(80, 2, 32), INVALID),
            ("query", ones(6, 4, 24), INNER_NULL), ("attention_out", halves(6, 4, 24), INNER_NULL),
        ),
        "nsa_selected_attention_grad": (
            *_SELECTED, ("query", None, NULL), ("key", ones(80, 2, 24), INVALID),
            ("softmax_max", halves(6, 4, 8), INVALID), ("input_layout", "BSND", INNER_NULL),
            ("topk_indices", zeros(6, 2, 3, dtype="int64"), INVALID),
            ("dq_out", halves(6, 4, 16), INVALID), ("softmax_sum", ones(6, 4, 1), INNER_NULL),
        ),
        "nsa_selected_attention_infer": (
            ("query", None, INNER_NULL), ("block_table_optional", None, INNER_NULL),
            ("layout_optional", "BNSD", INVALID), ("num_heads", 3, INNER_NULL),
            ("num_heads", 2, INNER_NULL), ("num_key_value_heads", 0, INNER_NULL),
            ("query", halves(2, 1, 4, 128), INVALID), ("select_block_size", 20, INNER_NULL),
            ("actual_kv_seq_len_optional", (70, 200), INNER_NULL),
            ("actual_q_seq_len_optional", (5, 1), INNER_NULL), ("page_block_size", 16, INNER_NULL),
        ),
        "block_sparse_attention": _FORWARD,
        "block_sparse_attention_v2": (
            *_FORWARD, ("q_dequant_scale_optional", ones(1, 4, 1, 1), 0),
            ("q_dequant_scale_optional", ones(4, 1, 1), INVALID),
        ),
        "block_sparse_attention_grad": (
            *_MASKED, ("block_sparse_mask_optional", None, NULL), ("mask_type", 1, INVALID),
            ("block_sparse_mask_optional", zeros(1, 4, 2, 2, dtype="int8"), INVALID),
            ("next_tokens", 7, INVALID), ("softmax_lse", ones(1, 4, 5, 8), INNER_NULL),
        ),
        "rain_fusion_attention": (
            *_BLOCKS, ("select_idx", None, NULL), ("inner_precise", 4, INVALID),
            ("block_shape", (3, 64), INNER_NULL), ("q_input_layout", "BSND", INVALID),
            ("select_num_idx", zeros(2, 4), INNER_NULL), ("mask_type", 1, 0),
            ("select_idx", zeros(3, 4, 2, dtype="int64"), INNER_NULL), ("mask_type", 3, RUNTIME),
            ("mask_type", 2**32 + 3, RUNTIME), ("block_table_optional", zeros(1, 2), RUNTIME),
            ("atten_mask_optional", ones(5, 200, dtype="bool"), 0),
        ),
        "sparse_flash_attention": (
            *_TOKENS, ("value", None, 0), ("softmax_max", False, -1), ("attention_mode", 0, TILING),
            ("sparse_block_size_optional", 3, TILING), ("pre_tokens", MANY, TILING),
            ("layout_kv_optional", "TND", TILING), ("layout_kv_optional", "PA_BSND", TILING),
            ("block_table_optional", zeros(1, 2), TILING),
        ),
        "sparse_flash_attention_grad": (
            *_TOKENS, ("value", None, NULL), ("sparse_block_size", 4, TILING),
            ("layout_optional", "BNSD", TILING), ("layout_optional", "TND", TILING),
        ),
    },
)  # fmt: skip


def test_a_value_that_is_the_key_has_no_gradient_of_its_own() -> None:
    name = "sparse_flash_attention_grad"

    assert code_with(name, RIGHT[name], value=None, d_value_out=False) == 0
    assert code_with(name, RIGHT[name], d_value_out=False) == NULL


@pytest.mark.parametrize("version", ["", "_v2"])
def test_the_statistic_that_is_asked_for_must_be_there(version: str) -> None:
    name = f"block_sparse_attention{version}"

    seen = code_with(name, RIGHT[name], softmax_lse_flag=1, softmax_lse_optional=False)

    assert seen == INNER_NULL


def test_numbers_of_blocks_that_are_none_do_not_count() -> None:
    right = RIGHT["nsa_selected_attention"]
    value = np.repeat(np.arange(80.0).reshape(80, 1, 1), 2, 1).repeat(16, 2)
    blocks = np.tile(np.array([1, -(2**31), 2**31 - 1], np.int32), (6, 2, 1))
    spec = pa.ops.nsa_selected_attention.spec
    given = right | {
        "value": pa.asarray(value.astype(np.float16)), "topk_indices": pa.asarray(blocks),
    }  # fmt: skip

    *_, out = pa.ops.nsa_selected_attention(*(given[p.name] for p in spec.inputs))

    expected = [np.mean(np.arange(16, 32))] * 2 + [np.mean(np.arange(64, 80))] * 4
    assert np.allclose(out.numpy()[:, 0, 0].astype(np.float64), expected)


def test_a_row_without_blocks_is_zero() -> None:
    right = RIGHT["block_sparse_attention"]
    spec = pa.ops.block_sparse_attention.spec

    out, lse = pa.ops.block_sparse_attention(
        *({**right, "softmax_lse_flag": 1}[p.name] for p in spec.inputs)
    )

    assert not out.numpy().any()
    assert np.isposinf(lse.numpy()).all()


@pytest.mark.parametrize("name", ["query", "key", "value"])
def test_the_gradients_of_the_suite_are_those_of_its_forward_pass(name: str) -> None:
    rng = np.random.default_rng(3)
    seen = rng.random((2, 3, 5)) < 0.5
    seen[..., 0] = True
    start = Sample(
        rng.normal(0, 1, (2, 3, 4)), rng.normal(0, 1, (1, 5, 4)), rng.normal(0, 1, (1, 5, 4)),
        rng.normal(0, 1, (2, 3, 4)), seen,
    )  # fmt: skip

    def forward(x: Any) -> Any:
        sample = replace(start, **{name: x})
        sample.attend(0.5, None)
        return sample.out

    start.attend(0.5, None)
    expected = numeric_gradient(forward, getattr(start, name), start.grad)

    assert np.allclose(start.gradients(start.out)[name], expected, atol=1e-5)
