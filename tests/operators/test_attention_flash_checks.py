"""Attention for training refuses bands, prefixes, biases and rotary parts that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.calls import INVALID, NULL, ones
from operators.status_tests import refusal_tests
from operators.test_flash_attention import RIGHT as FLASH
from operators.test_flash_attention import TRIANGLE, halves

import pyaclnn as pa


def _wide(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


_MASK = pa.asarray(TRIANGLE)
_SAMPLES, _BANDED = "flash_attention_score", "flash_attention_score_v2"
_PACKED, _TURNED = "flash_attention_var_len_score", "flash_attention_var_len_score_v5"
_BACK = "flash_attention_unpadding_score_grad_v5"
_SQUARE = {"key": halves(2, 2, 3, 16), "value": halves(2, 2, 3, 16)}
_LONG = {
    **{name: halves(1, 1, 1040, 16) for name in ("query", "key", "value", "attention_out_out")},
    **{f"softmax_{name}_out": ones(1, 1, 1040, 8) for name in ("max", "sum")},
    "head_num": 1,
}  # fmt: skip
_TENSORS: dict[str, Any] = {
    "query": _wide(6, 4, 16), "key": _wide(10, 2, 16), "value": _wide(10, 2, 16),
    "query_rope": _wide(6, 4, 8), "key_rope": _wide(10, 2, 8), "atten_mask_optional": _MASK,
    "sparse_mode": 3, "attention_out_out": _wide(6, 4, 16),
}  # fmt: skip
_GRADIENTS: dict[str, Any] = {
    **{name: _wide(6, 4, 16) for name in ("query", "dy", "attention_in_optional", "dq_out")},
    **{name: _wide(10, 2, 16) for name in ("key_in", "value", "dk_out", "dv_out")},
    "query_rope": _wide(6, 4, 8), "key_in_rope": _wide(10, 2, 8), "dq_rope_out": _wide(6, 4, 8),
    "dk_rope_out": _wide(10, 2, 8), "atten_mask_optional": _MASK, "sparse_mode": 3,
}  # fmt: skip

RIGHT: dict[str, dict[str, Any]] = {
    _SAMPLES: {**FLASH[_SAMPLES], "atten_mask_optional": _MASK},
    _BANDED: {**FLASH[_BANDED], **_SQUARE, "real_shift_optional": ones(4), "pse_type": 2},
    _PACKED: {**FLASH[_PACKED], "atten_mask_optional": _MASK, "sparse_mode": 3},
    _TURNED: {**FLASH[_TURNED], **_TENSORS},
    _BACK: {**FLASH[_BACK], **_GRADIENTS},
}  # fmt: skip
RIGHT[_SAMPLES]["sparse_mode"] = 2


def _band(mode: int, before: int, behind: int, *keys: int) -> dict[str, Any]:
    """Two sequences of 2 and 4 queries; unless said otherwise, of 6 and 4 keys."""
    lengths = {"actual_seq_kv_len_optional": keys} if keys else {}
    return {"sparse_mode": mode, "pre_tokens": before, "next_tokens": behind, **lengths}


def _prefixed(*prefix: int) -> dict[str, Any]:
    mask = pa.asarray(np.zeros((3072, 2048), bool))
    return {"sparse_mode": 6, "atten_mask_optional": mask, "prefix_optional": prefix or None}


WRONG: list[tuple[str, dict[str, Any], int]] = [
    # Of 3 queries and 5 keys, which see 2 keys at least.
    (_SAMPLES, _prefixed(2, 5), 0), (_SAMPLES, _prefixed(1, 5), NULL),
    (_SAMPLES, _prefixed(2, 6), NULL), (_SAMPLES, _prefixed(2), NULL),
    (_SAMPLES, _prefixed(), NULL),
    (_BANDED, {"key": halves(2, 2, 5, 16), "value": halves(2, 2, 5, 16)}, NULL),
    (_BANDED, {"real_shift_optional": ones(5)}, NULL),
    (_SAMPLES, {**_LONG, "real_shift_optional": halves(1, 1, 1024, 1040)}, 0),
    (_SAMPLES, {**_LONG, "real_shift_optional": halves(1, 1, 1024, 1056),
                "key": halves(1, 1, 1056, 16), "value": halves(1, 1, 1056, 16)}, NULL),
    (_PACKED, {"actual_seq_q_len_optional": (2, 5), "actual_seq_kv_len_optional": (6, 9)}, NULL),
    (_PACKED, {"actual_seq_q_len_optional": (2, 5)}, 0),
    # Tokens of both are left over only behind last lengths of 0.
    (_PACKED, {"actual_seq_q_len_optional": (2, 0), "actual_seq_kv_len_optional": (6, 0)}, 0),
    (_PACKED, {"actual_seq_q_len_optional": (2, 0), "actual_seq_kv_len_optional": (6, 9)}, NULL),
    (_PACKED, {"actual_seq_q_len_optional": (2, 5), "actual_seq_kv_len_optional": (6, 0)}, NULL),
    (_PACKED, {"actual_seq_kv_len_optional": (7, 10)}, NULL),
    (_PACKED, _band(4, -1, 5), NULL), (_PACKED, _band(4, 0, 0), 0),
    (_PACKED, _band(4, 1, -2, 4, 10), NULL), (_PACKED, _band(4, 1, -1, 5, 10), 0),
    (_PACKED, _band(4, 1, -1), NULL),
    # The last of the sequences has the band, the others end right below.
    (_PACKED, _band(7, 4, 0), 0), (_PACKED, _band(7, 3, 0), NULL), (_PACKED, _band(7, 4, 1), NULL),
    (_PACKED, _band(7, 4, -1), NULL), (_PACKED, _band(7, 5, -1, 5, 10), 0),
    (_PACKED, _band(7, 9, 0, 1, 10), NULL), (_PACKED, _band(7, 9, 0, 2, 10), 0),
    # The first has it.
    (_PACKED, _band(8, 6, 1), 0), (_PACKED, _band(8, 5, 1), NULL), (_PACKED, _band(8, 6, -4), 0),
    (_PACKED, _band(8, 6, -5), NULL),
    (_TURNED, {"key_rope": None}, NULL), (_TURNED, {"query_rope": None}, NULL),
    (_TURNED, {"query_rope": None, "key_rope": None}, 0),
    (_TURNED, {"query_rope": _wide(6, 4, 16), "key_rope": _wide(10, 2, 16)}, 0),
    (_TURNED, {"query_rope": _wide(6, 4, 17), "key_rope": _wide(10, 2, 17)}, INVALID),
    (_TURNED, {"query_rope": _wide(6, 2, 8)}, INVALID),
    (_TURNED, {"query_rope": _wide(5, 4, 8)}, INVALID),
    (_TURNED, {"query_rope": _wide(24, 8)}, INVALID),
    (_TURNED, {"key_rope": _wide(10, 2, 16)}, INVALID),
    (_TURNED, {"key_rope": halves(10, 2, 8)}, INVALID),
    (_TURNED, {"atten_mask_optional": None}, NULL),
    (_TURNED, {"sparse_mode": 6}, INVALID),
    (_TURNED, {"real_shift_optional": _wide(160)}, INVALID),
    (_TURNED, {"drop_mask_optional": ones(64, dtype="uint8")}, INVALID),
    (_TURNED, {"keep_prob": 0.5}, INVALID),
    (_TURNED, {"query": _wide(6, 4, 24), "key": _wide(10, 2, 24)}, INVALID),
    (_TURNED, {"value": _wide(10, 2, 8), "attention_out_out": _wide(6, 4, 8)}, INVALID),
    (_BACK, {"key_in_rope": None}, NULL), (_BACK, {"key_in_rope": _wide(10, 2, 16)}, INVALID),
    (_BACK, {"dq_rope_out": False}, NULL), (_BACK, {"dk_rope_out": False}, NULL),
]  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(RIGHT, WRONG)
