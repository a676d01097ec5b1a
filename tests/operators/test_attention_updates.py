"""What stands before and behind attention refuses what CANN's operators refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.calls import INVALID, NULL, TILING, ones
from operators.status_tests import status_tests

import pyaclnn as pa


def _lengths(*values: int) -> pa.Tensor:
    return pa.asarray(np.array(values, np.int64))


_STATISTICS = {
    f"{part}_softmax_{kind}": ones(4, 2, 8) for part in ("prev", "cur") for kind in ("max", "sum")
}
_RING: dict[str, Any] = {
    "prev_attn_out": ones(4, 2, 64), "cur_attn_out": ones(4, 2, 64), **_STATISTICS,
    "actual_seq_qlen_optional": _lengths(0, 1, 4), "input_layout_optional": "TND",
    "attn_out_out": ones(4, 2, 64), "softmax_max_out": ones(4, 2, 8),
    "softmax_sum_out": ones(4, 2, 8),
}  # fmt: skip

RIGHT: dict[str, dict[str, Any]] = {
    "ring_attention_update": _RING,
    "ring_attention_update_v2": {**_RING, "input_softmax_layout_optional": "TND"},
    "attention_update": {
        "lse": [ones(5), ones(5)], "local_out": [ones(5, 8), ones(5, 8)], "update_type": 0,
        "out": (ones(5, 8), None),
    },
    "transform_bias_rescale_qkv": {
        "qkv": ones(2, 3, 24), "qkv_bias": ones(24), "num_heads": 2, "q_out": ones(2, 2, 3, 4),
        "k_out": ones(2, 2, 3, 4), "v_out": ones(2, 2, 3, 4),
    },
}  # fmt: skip

_OF_RINGS: tuple[tuple[str, Any, int], ...] = (
    ("prev_attn_out", None, NULL), ("cur_softmax_sum", None, NULL),
    ("actual_seq_qlen_optional", None, NULL), ("input_layout_optional", "BSH", INVALID),
    ("input_layout_optional", "SBH", INVALID), ("input_layout_optional", None, INVALID),
    ("cur_attn_out", ones(4, 2, 64, dtype="float16"), INVALID),
    ("prev_attn_out", pa.empty((0, 2, 64), "float32"), INVALID),
    ("prev_softmax_max", ones(4, 2, 4), INVALID), ("cur_softmax_max", ones(8, 8), INVALID),
    ("prev_softmax_sum", ones(4, 2, 8, dtype="float16"), TILING),
    ("prev_softmax_sum", ones(4, 3, 8), TILING), ("cur_attn_out", ones(4, 2, 128), TILING),
    ("actual_seq_qlen_optional", ones(3), TILING),
    # What the device says lies outside of the rows is left out.
    ("actual_seq_qlen_optional", _lengths(0, 2**62, -5), 0),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "ring_attention_update": _OF_RINGS,
    "ring_attention_update_v2": (
        *_OF_RINGS, ("input_softmax_layout_optional", "BNS", TILING),
        ("input_softmax_layout_optional", "", 0), ("input_softmax_layout_optional", None, 0),
    ),
    "attention_update": (
        ("update_type", 2, INVALID), ("update_type", -1, INVALID),
        ("out", (ones(5, 8), ones(5)), INVALID),
        ("lse", [ones(5), None], NULL), ("lse", [ones(5)], INVALID), ("local_out", None, NULL),
        ("lse", [ones(5), ones(4)], INVALID), ("out", (ones(5, 16), None), INVALID),
        ("lse", [ones(5, 1), ones(5, 1)], INVALID),
        ("local_out", [ones(5, 8), ones(5, 8, dtype="float64")], INVALID),
        ("local_out", [ones(5, 12), ones(5, 12)], INVALID),
    ),
    "transform_bias_rescale_qkv": (
        ("qkv", None, NULL), ("qkv_bias", None, NULL), ("num_heads", 0, TILING),
        ("num_heads", 3, TILING), ("qkv", ones(2, 24), TILING), ("qkv_bias", ones(23), TILING),
        ("num_heads", -2, TILING), ("k_out", ones(2, 3, 2, 4), TILING),
        ("qkv_bias", ones(24, dtype="float16"), INVALID),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)
