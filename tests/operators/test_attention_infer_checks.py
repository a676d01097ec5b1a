"""Attention for inference refuses pages, parts, scales, sinks and trees that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, TILING, ones
from operators.status_tests import refusal_tests
from operators.test_attention import (
    _IN_PAGES,
    _OF_BYTES,
    _PREFIX,
    _TWO,
    _latents,
    _newest,
    halves,
)
from operators.test_attention import RIGHT as _INFER

import pyaclnn as pa


def _wide(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


def _bytes(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="int8")


def _words(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="int32")


_V2, _V4 = "fused_infer_attention_score_v2", "fused_infer_attention_score_v4"
#: Tokens of two sequences, of 2 and 4 queries.
_PACKED: dict[str, Any] = {
    "query": halves(6, 4, 128), "key": [halves(9, 2, 128)], "value": [halves(9, 2, 128)],
    "actual_seq_lengths_optional": (2, 6), "actual_seq_lengths_kv_optional": (4, 9),
    "input_layout": "TND", "attention_out": halves(6, 4, 128),
}  # fmt: skip
#: Rotary parts beside 128 values.
_TURNED: dict[str, Any] = {
    "query": halves(2, 4, 3, 128), "key": [halves(2, 2, 5, 128)], "value": [halves(2, 2, 5, 128)],
    "query_rope_optional": halves(2, 4, 3, 64), "key_rope_optional": halves(2, 2, 5, 64),
    "attention_out": halves(2, 4, 3, 128),
}  # fmt: skip
_TREE = {**_TURNED, "sparse_mode": 9, "atten_mask_optional": ones(2, 3, 3, dtype="bool")}
_HALVES_IN_PAGES: dict[str, Any] = {
    **_IN_PAGES, "key": [halves(5, 2, 32, 16)], "value": [halves(5, 2, 32, 16)], "block_size": 32,
}  # fmt: skip
_INT4_IN_PAGES: dict[str, Any] = {
    **_HALVES_IN_PAGES, "key": [pa.zeros((5, 2, 2, 32, 32), "int4")],
    "value": [pa.zeros((5, 2, 2, 32, 32), "int4")], "key_antiquant_mode": 4,
    "value_antiquant_mode": 4, "key_antiquant_scale_optional": ones(5, 32),
    "value_antiquant_scale_optional": ones(5, 32),
}  # fmt: skip
_NARROW: dict[str, Any] = {
    "query": halves(2, 4, 1, 64), "key": [_bytes(2, 2, 5, 64)], "value": [_bytes(2, 2, 5, 64)],
    "key_antiquant_scale_optional": halves(2, 64), "value_antiquant_scale_optional": halves(2, 64),
    "attention_out": halves(2, 4, 1, 64),
}  # fmt: skip
_JOINT: dict[str, Any] = {
    **_NARROW, "key_antiquant_scale_optional": None, "value_antiquant_scale_optional": None,
    "antiquant_scale_optional": halves(2, 2, 64),
}  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    _V2: _INFER[_V2], _V4: _newest(),
}  # fmt: skip


def test_sums_of_tokens_end_with_the_last_token() -> None:
    lse = pa.full((7, 4, 1), 77.0)

    flag = {"softmax_lse_flag": True, "softmax_lse": lse[:6]}
    pa.ops[_V4](**{**RIGHT[_V4], **_PACKED, **flag})

    # Ones attend to ones: each of 4 or 5 keys has the score 128 times the scale.
    keys = np.repeat([4, 5], [2, 4])
    scale = RIGHT[_V4]["scale_value"]
    expected = np.repeat(128 * scale + np.log(keys), 4)
    assert lse.numpy()[:6].ravel() == pytest.approx(expected, rel=1e-3)
    assert lse.numpy()[6].ravel().tolist() == [77] * 4


def _modes(mode: int, **scales: pa.Tensor) -> dict[str, Any]:
    named = {f"{name}_antiquant_scale_optional": scale for name, scale in scales.items()}
    return {**_NARROW, "key_antiquant_mode": mode, "value_antiquant_mode": mode, **named}


def _parts(*tensors: pa.Tensor) -> dict[str, Any]:
    return {"key": list(tensors), "value": list(tensors)}


def _step(tokens: int) -> dict[str, Any]:
    """Latent vectors of int8, and so many queries of a sequence."""
    return {
        **_latents(), "query": _bytes(2, tokens, 4, 512),
        "query_rope_optional": _wide(2, tokens, 4, 64),
        "dequant_scale_query_optional": ones(2, tokens, 4),
        "attention_out": _wide(4, 2, tokens, 512),
    }  # fmt: skip


WRONG: list[tuple[str, dict[str, Any], int]] = [
    (_V2, _PACKED, 0), (_V2, {**_PACKED, "actual_seq_lengths_optional": None}, TILING),
    (_V2, {**_PACKED, "actual_seq_lengths_kv_optional": None}, TILING),
    (_V2, {**_PACKED, "actual_seq_lengths_optional": ()}, TILING),
    (_V2, {**_PACKED, "actual_seq_lengths_optional": (6, 2)}, TILING),
    (_V2, {**_PACKED, "actual_seq_lengths_optional": (2, 7)}, TILING),
    (_V2, {**_PACKED, "actual_seq_lengths_kv_optional": (9,)}, TILING),
    (_V2, {**_PACKED, "pse_shift_optional": halves(1, 4, 6, 9)}, TILING),
    (_V2, _HALVES_IN_PAGES, 0), (_V2, _INT4_IN_PAGES, TILING),
    (_V2, {**_HALVES_IN_PAGES, "actual_seq_lengths_kv_optional": None}, TILING),
    (_V2, {**_HALVES_IN_PAGES, "block_table_optional": _words(3, 2)}, TILING),
    (_V2, {**_HALVES_IN_PAGES, **_parts(halves(5, 32, 2, 16, 1, 1))}, TILING),
    (_V2, {**_HALVES_IN_PAGES, **_parts(halves(5 * 64, 16))}, TILING),
    (_V2, {**_HALVES_IN_PAGES, **_parts(halves(5, 2, 32, 16), halves(5, 2, 32, 16))}, TILING),
    (_V2, {**_HALVES_IN_PAGES, **_PREFIX}, TILING),
    (_V2, {**_HALVES_IN_PAGES, "kv_padding_size_optional": pa.zeros((1,), "int64")}, TILING),
    (_V2, {"pse_shift_optional": _wide(2, 4, 3, 5)}, INVALID),
    (_V2, {"pse_shift_optional": halves(4, 3, 5)}, TILING),
    (_V4, _TURNED, 0), (_V4, {**_TURNED, "key_rope_optional": None}, TILING),
    (_V4, {**_TURNED, "query_rope_optional": None}, TILING),
    (_V4, {**_TURNED, "query_rope_optional": _wide(2, 4, 3, 64)}, INVALID),
    (_V4, {**_TURNED, "key_rope_optional": _wide(2, 2, 5, 64)}, INVALID),
    (_V4, {**_TURNED, "query_rope_optional": halves(2, 4, 3, 32)}, TILING),
    (_V4, {**_TURNED, "query_rope_optional": halves(2, 4, 2, 64)}, TILING),
    (_V4, {**_TURNED, "query_rope_optional": halves(1, 4, 3, 64)}, TILING),
    (_V4, {**_TURNED, "key_rope_optional": halves(2, 2, 4, 64)}, TILING),
    (_V4, {**_TURNED, "key_rope_optional": halves(2, 2, 5, 32)}, TILING),
    (_V4, _TREE, 0), (_V4, {**_TREE, "query_rope_optional": None, "key_rope_optional": None},
     TILING),
    (_V4, {**_TREE, "actual_seq_lengths_kv_optional": (3, 2)}, TILING),
    (_V4, {**_TREE, "actual_seq_lengths_kv_optional": (3, 3)}, 0),
    (_V4, {**_TREE, "atten_mask_optional": ones(2, 2, 3, dtype="bool")}, TILING),
    (_V4, {**_TREE, "atten_mask_optional": ones(2, 3, 2, dtype="bool")}, TILING),
    (_V4, {**_TREE, "atten_mask_optional": ones(1, 3, 3, dtype="bool")}, TILING),
    (_V4, {**_TREE, "pse_shift_optional": halves(2, 4, 3, 5)}, TILING),
    (_V4, {**_TREE, "kv_padding_size_optional": pa.zeros((1,), "int64")}, TILING),
    (_V4, {**_TREE, "query_padding_size_optional": pa.zeros((1,), "int64")}, TILING),
    (_V2, {"sparse_mode": 2, "atten_mask_optional": ones(2048, 2048, dtype="bool")}, 0),
    (_V2, {"sparse_mode": 2, "atten_mask_optional": ones(2048, 1024, dtype="bool")}, TILING),
    (_V2, {"sparse_mode": 3, "atten_mask_optional": ones(2, 2048, 2048, dtype="bool")}, TILING),
    (_V2, _parts(_TWO[0], halves(1, 2, 3, 32)), TILING),
    (_V2, _parts(_TWO[0], _wide(1, 2, 3, 16)), INVALID),
    (_V2, {"key": [_TWO[0], None], "value": _TWO}, INVALID),
    (_V2, {**_PREFIX, **_parts(halves(1, 2, 5, 16))}, TILING),
    (_V2, _NARROW, 0), (_V2, {**_NARROW, "value_antiquant_scale_optional": None}, TILING),
    (_V2, {**_NARROW, "key_antiquant_offset_optional": halves(2, 64),
           "value_antiquant_offset_optional": halves(2, 64)}, 0),
    (_V2, {**_NARROW, "key_antiquant_offset_optional": ones(2, 64)}, INVALID),
    (_V2, _JOINT, 0), (_V2, {**_JOINT, "antiquant_scale_optional": halves(5, 51)}, TILING),
    (_V2, {**_JOINT, "antiquant_mode": 2}, TILING), (_V2, {**_JOINT, "antiquant_mode": -1}, TILING),
    (_V2, _modes(6), TILING), (_V2, _modes(-1), TILING),
    (_V2, _modes(1, key=ones(2, 5), value=ones(2, 5)), 0),
    (_V2, _modes(1, key=ones(2, 6), value=ones(2, 6)), 0),
    (_V2, _modes(1, key=ones(2, 4), value=ones(2, 4)), TILING),
    (_V2, _modes(1, key=ones(11), value=ones(11)), TILING),
    (_V2, _modes(2, key=halves(2), value=halves(2)), 0),
    (_V2, _modes(2, key=halves(3), value=halves(3)), TILING),
    (_V2, _modes(4, key=ones(2, 5), value=ones(2, 5)), TILING),
    (_V2, _modes(5, key=ones(2, 2, 5), value=ones(2, 2, 5)), TILING),
    (_V2, {**_modes(2, key=halves(2), value=halves(2)), "query": halves(2, 4, 3, 64),
           "attention_out": halves(2, 4, 3, 64)}, TILING),
    (_V2, {**_OF_BYTES, "attention_out": _wide(2, 4, 3, 32), "quant_scale2_optional": None},
     TILING),
    (_V2, {**_OF_BYTES, "key_shared_prefix_optional": _bytes(1, 2, 4, 32),
                         "value_shared_prefix_optional": _bytes(1, 2, 4, 32)}, TILING),
    (_V2, {**_OF_BYTES, "sparse_mode": 4, "pre_tokens": -1,
                         "atten_mask_optional": ones(2048, 2048, dtype="bool")}, TILING),
    (_V2, {**_OF_BYTES, "sparse_mode": 4, "next_tokens": -1,
                         "atten_mask_optional": ones(2048, 2048, dtype="bool")}, TILING),
    (_V2, {**_OF_BYTES, "sparse_mode": 4, "pre_tokens": 0, "next_tokens": 0,
                         "atten_mask_optional": ones(2048, 2048, dtype="bool")}, 0),
    (_V4, {**_latents(), "query_rope_optional": _wide(2, 1, 4, 32)}, TILING),
    (_V4, {**_latents(), "dequant_scale_query_optional": ones(1, 1, 4)}, TILING),
    (_V4, {**_latents(), "dequant_scale_query_optional": ones(2, 2, 4)}, TILING),
    (_V4, {**_latents(), "block_size": 64, "key": [_bytes(4, 1, 16, 64, 32)],
           "value": [_bytes(4, 1, 16, 64, 32)], "key_rope_optional": _wide(4, 1, 4, 64, 16)},
     TILING),
    (_V4, _step(16), 0), (_V4, _step(17), TILING),
    (_V4, {**_newest(), **_OF_BYTES, "learnable_sink_optional": _wide(4)}, TILING),
    (_V4, {**_newest(), **_OF_BYTES, "query_rope_optional": _bytes(2, 4, 3, 64),
           "key_rope_optional": _bytes(2, 2, 5, 64)}, TILING),
]  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(RIGHT, WRONG)
