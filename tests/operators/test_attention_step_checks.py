"""Single steps, prompts, causal convolutions and rotary matrices refuse what does not fit them."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on
from operators.calls import INVALID, NO_KERNEL, TILING, code_with, device, ones
from operators.status_tests import refusal_tests
from operators.test_attention import _IN_PAGES, MANY, _newest, halves
from operators.test_caches import RIGHT as CACHES
from operators.test_caches import slots

import pyaclnn as pa

_MATRIX, _KV, _CAUSAL = (
    "rotary_position_embedding_v2", "kv_rms_norm_rope_cache_v2", "fused_causal_conv1d",
)  # fmt: skip
_INFER, _PROMPT, _STEP = (
    "fused_infer_attention_score_v4", "prompt_flash_attention_v3", "incre_flash_attention_v4",
)  # fmt: skip


def _words(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="int32")


def _plain(operator: str, tokens: int) -> dict[str, Any]:
    """Queries of four heads, so many tokens each, and keys of two."""
    spec = pa.ops[operator].spec
    given: dict[str, Any] = {
        "query": halves(2, 4, tokens, 16), "key": [halves(2, 2, 5, 16)],
        "value": [halves(2, 2, 5, 16)], "num_heads": 4, "scale_value": 0.25, "pre_tokens": MANY,
        "next_tokens": MANY, "input_layout": "BNSD", "num_key_value_heads": 2, "sparse_mode": 0,
        "inner_precise": 0, "block_size": 0, "attention_out": halves(2, 4, tokens, 16),
    }  # fmt: skip
    if operator == _PROMPT:
        given |= {"key": halves(2, 2, 5, 16), "value": halves(2, 2, 5, 16)}
    return {p.name: given.get(p.name) for p in (*spec.inputs, *spec.outputs)}


_CAUSAL_RIGHT: dict[str, Any] = {
    **dict.fromkeys(p.name for p in pa.ops[_CAUSAL].spec.inputs),
    "x": halves(5, 64), "weight": halves(3, 64), "conv_states": halves(4, 2, 64),
    "query_start_loc": device([0, 2, 5], "int32"), "max_query_len": 3, "pad_slot_id": -1,
    "block_size": 128, "conv_mode": 0, "residual_connection": 0, "activation_mode": 0,
    "run_mode": 0,
}  # fmt: skip
_BLOCKED: dict[str, Any] = {
    "cache_indices": _words(2, 1), "num_computed_tokens": device([0, 0], "int32"),
    "block_idx_first_scheduled_token": device([0, 0], "int32"),
    "block_idx_last_scheduled_token": device([0, 0], "int32"),
    "initial_state_idx": device([0, 0], "int32"),
}  # fmt: skip


def _split(heads: int) -> dict[str, Any]:
    """Keys and values of so many heads, that come apart."""
    return {
        "kv": halves(2, heads, 3, 192), "v_optional": halves(2, heads, 3, 128),
        "gamma": halves(192), "k_cache_ref": halves(2, heads, 5, 192),
        "ckv_cache_ref": halves(2, heads, 5, 128), "k_rope_out": halves(2, heads, 3, 192),
        "c_kv_out": halves(2, heads, 3, 128),
    }  # fmt: skip


_BY_PAGES: dict[str, Any] = {
    "k_cache_ref": halves(3, 16, 1, 64), "ckv_cache_ref": halves(3, 16, 1, 512),
    "cos": halves(2, 1, 1, 64), "sin": halves(2, 1, 1, 64), "index": slots(6),
    "cache_mode_optional": "PA",
}  # fmt: skip
_WORDS: dict[str, Any] = {
    **_IN_PAGES, "query": halves(2, 4, 1, 64), "attention_out": halves(2, 4, 1, 64),
    "key": [_words(5, 2, 64, 8)], "value": [_words(5, 2, 64, 8)], "block_size": 64,
    "key_antiquant_scale_optional": halves(2, 64), "value_antiquant_scale_optional": halves(2, 64),
}  # fmt: skip

RIGHT: dict[str, dict[str, Any]] = {
    _MATRIX: {
        "x": ones(2, 3, 4, 8), "cos": ones(1, 3, 1, 8), "sin": ones(1, 3, 1, 8), "mode": 0,
        "rotate": ones(8, 8), "out": ones(2, 3, 4, 8),
    },
    _KV: {**CACHES["kv_rms_norm_rope_cache"], "v_optional": None},
    _PROMPT: _plain(_PROMPT, 3), _STEP: _plain(_STEP, 1), _INFER: _newest(),
}  # fmt: skip

WRONG: list[tuple[str, dict[str, Any], int]] = [
    (_MATRIX, {"mode": 1}, 0), (_MATRIX, {"mode": 2}, TILING), (_MATRIX, {"mode": -1}, TILING),
    (_KV, _split(1), 0), (_KV, _split(8), 0), (_KV, _split(3), TILING), (_KV, _split(16), TILING),
    (_KV, {**_split(1), "v_optional": ones(2, 1, 3, 128)}, INVALID),
    (_KV, _BY_PAGES, 0), (_KV, {**_BY_PAGES, "cache_mode_optional": "PA_NZ"}, TILING),
    (_INFER, _WORDS, TILING),
    (_STEP, {"key": [_words(2, 2, 5, 2)], "value": [_words(2, 2, 5, 2)]}, INVALID),
    (_PROMPT, {"key": _words(2, 2, 5, 2), "value": _words(2, 2, 5, 2)}, INVALID),
]  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(RIGHT, WRONG)

_SINK: dict[str, Any] = {
    "query": halves(2, 4, 3, 64), "key": [halves(2, 2, 5, 64)], "value": [halves(2, 2, 5, 64)],
    "attention_out": halves(2, 4, 3, 64), "learnable_sink_optional": halves(4),
}  # fmt: skip
_NARROW: dict[str, Any] = {
    "query": halves(2, 4, 3, 32), "key": [halves(2, 2, 5, 32)], "value": [halves(2, 2, 5, 32)],
    "attention_out": halves(2, 4, 3, 32),
}  # fmt: skip
FEW: dict[str, dict[str, Any]] = {
    "fused_infer_attention_score_v5": {
        **dict.fromkeys(p.name for p in pa.ops.fused_infer_attention_score_v5.spec.inputs),
        **_newest(), "pse_type": 0,
    },
    _CAUSAL: _CAUSAL_RIGHT,
}  # fmt: skip
_NEWEST = "fused_infer_attention_score_v5"
_ON_950: list[tuple[str, dict[str, Any], int]] = [
    (_NEWEST, _SINK, 0), (_NEWEST, {**_SINK, "inner_precise": 1}, TILING),
    (_NEWEST, {**_SINK, "pse_shift_optional": halves(2, 4, 3, 5)}, TILING),
    (_NEWEST, {**_SINK, "kv_padding_size_optional": pa.zeros((1,), "int64")}, TILING),
    (_NEWEST, {**_SINK, **_NARROW}, TILING), (_NEWEST, _NARROW, 0),
    (_CAUSAL, {}, 0), (_CAUSAL, {"x": halves(64)}, TILING), (_CAUSAL, {"x": halves(1, 1, 5, 64)},
     TILING),
    (_CAUSAL, {**_BLOCKED, "block_size": 0}, TILING), (_CAUSAL, _BLOCKED, 0),
]  # fmt: skip


def statuses() -> list[int]:
    """Return what the calls of the 950 are answered with."""
    return [code_with(operator, FEW[operator], **changed) for operator, changed, _ in _ON_950]


#: Lines of a sequence, its tokens and its last block -> the last value of each line behind it.
_LINES: list[tuple[list[int], int, int, list[float]]] = [
    ([0, 1, 2, 3], 20, 2, [8, 16, 20, 99, 99]),
    # Lines that are none are left out: CANN's kernel would write there.
    ([-1, 1, 2, 3], 20, 2, [99, 16, 20, 99, 99]),
    ([0, 5, 2, 3], 20, 2, [8, 99, 20, 99, 99]),
    # So are blocks that end before the sequence, or behind it.
    ([0, -1, 1, 2], 6, 3, [99, 99, 6, 99, 99]),
    # One that ends just before it is written by the kernel for up to eight tokens alone.
    ([0, 1, 2, 3], 16, 2, [99, 8, 16, 99, 99]),
    ([0, 1, 2, 3], 8, 1, [0, 8, 99, 99, 99]),
]


def lines_of_blocks() -> list[list[float]]:
    """Return what lines of states hold behind sequences of blocks of eight tokens."""
    found = []
    for table, tokens, last, _ in _LINES:
        states = pa.full((5, 2, 64), 99.0, "float16")
        x = np.repeat(np.arange(1, tokens + 1), 64).reshape(tokens, 64)
        pa.ops[_CAUSAL](
            **{
                **_CAUSAL_RIGHT, "x": device(x, "float16"), "conv_states": states,
                "query_start_loc": device([0, tokens], "int32"), "max_query_len": tokens,
                "cache_indices": device([table], "int32"), "block_size": 8,
                "num_computed_tokens": device([0], "int32"),
                "block_idx_first_scheduled_token": device([0], "int32"),
                "block_idx_last_scheduled_token": device([last], "int32"),
                "initial_state_idx": device([last], "int32"),
            }
        )  # fmt: skip
        found.append(states.numpy()[:, 1, 0].tolist())
    return found


def test_blocks_of_a_convolution_that_have_no_line_or_no_end_are_left_out() -> None:
    assert found_on("Ascend950", __name__, "lines_of_blocks()") == [case[-1] for case in _LINES]


def test_the_950_has_sinks_and_convolutions() -> None:
    assert found_on("Ascend950", __name__, "statuses()") == [status for *_, status in _ON_950]


def test_convolutions_with_states_are_for_the_950() -> None:
    assert code_with(_CAUSAL, FEW[_CAUSAL]) == NO_KERNEL


def old_statuses() -> list[int]:
    """Return what steps and prompts are answered with."""
    return [code_with(operator, RIGHT[operator]) for operator in (_PROMPT, _STEP, _INFER)]


def test_the_first_chips_have_no_attention() -> None:
    assert found_on("Ascend910A", __name__, "old_statuses()") == [NO_KERNEL] * 3
