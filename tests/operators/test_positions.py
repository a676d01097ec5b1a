"""Rotary position embeddings refuse what CANN's refuse."""

from __future__ import annotations

from typing import Any

from operators.calls import INVALID, NULL, TILING, ones
from operators.status_tests import status_tests

import pyaclnn as pa

half = "float16"


def positions(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int64")


RIGHT: dict[str, dict[str, Any]] = {
    "rotary_position_embedding_grad": {
        "dy": ones(2, 3, 4, 8), "cos": ones(1, 3, 1, 8), "sin": ones(1, 3, 1, 8),
        "x_optional": ones(2, 3, 4, 8), "mode": 0, "dx_out": ones(2, 3, 4, 8),
        "dcos_out": ones(1, 3, 1, 8), "dsin_out": ones(1, 3, 1, 8),
    },
    "apply_rotary_pos_emb_v2": {
        "query_ref": ones(2, 3, 4, 128), "key_ref": ones(2, 3, 2, 128), "cos": ones(2, 3, 1, 128),
        "sin": ones(2, 3, 1, 128), "layout": 1, "rotary_mode": "half",
    },
    "interleave_rope": {
        "x": ones(2, 3, 4, 64), "cos": ones(2, 1, 4, 64), "sin": ones(2, 1, 4, 64),
        "out": ones(2, 3, 4, 64),
    },
    "rope_with_sin_cos_cache": {
        "positions": positions(5), "query_in": ones(5, 256), "key_in": ones(5, 128),
        "cos_sin_cache": ones(9, 128), "mrope_section": None, "head_size": 128,
        "is_neox_style": True, "query_out": ones(5, 256), "key_out": ones(5, 128),
    },
    "norm_rope_concat": {
        "query": ones(2, 4, 3, 8), "key": ones(2, 3, 3, 8), "value": ones(2, 3, 3, 8),
        **dict.fromkeys(("encoder_query", "encoder_key", "encoder_value")),
        "norm_query_weight": ones(8), "norm_query_bias": ones(8), "norm_key_weight": ones(8),
        "norm_key_bias": ones(8), "norm_added_query_weight": None, "norm_added_query_bias": None,
        "norm_added_key_weight": None, "norm_added_key_bias": None, "rope_sin": ones(3, 8),
        "rope_cos": ones(3, 8), "norm_type": 2, "norm_added_type": 0, "rope_type": 1,
        "concat_order": 0, "eps": 1e-5, "is_training": False, "query_output": ones(2, 3, 4, 8),
        "key_output": ones(2, 3, 3, 8), "value_output": ones(2, 3, 3, 8),
    },
}  # fmt: skip

WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "rotary_position_embedding_grad": (
        ("dy", None, NULL), ("sin", None, NULL), ("x_optional", None, 0),
        ("dy", ones(2, 3, 4, 8, dtype=half), INVALID), ("mode", 2, TILING), ("mode", -1, TILING),
        ("x_optional", ones(2, 3, 4, 4), TILING), ("cos", ones(1, 1, 3, 8), TILING),
        ("sin", ones(1, 3, 4, 8), TILING), ("dx_out", ones(2, 3, 8, 4), TILING),
        ("dcos_out", ones(2, 3, 1, 8), TILING), ("dcos_out", ones(1, 3, 1, 8, dtype=half), INVALID),
        ("dy", ones(3, 4, 8), TILING),
    ),
    "apply_rotary_pos_emb_v2": (
        ("query_ref", None, NULL), ("cos", None, NULL), ("layout", 2, TILING),
        ("layout", 4, TILING), ("rotary_mode", "interleave", TILING),
        ("rotary_mode", "whole", TILING), ("query_ref", ones(2, 3, 4, 64), TILING),
        ("sin", ones(2, 3, 1, 128, dtype=half), INVALID), ("sin", ones(2, 3, 1, 64), TILING),
        ("key_ref", ones(2, 3, 0, 128), TILING), ("cos", ones(1, 3, 1, 128), TILING),
    ),
    "interleave_rope": (
        ("x", None, NULL), ("sin", None, NULL), ("x", ones(2, 3, 4, 32), TILING),
        ("x", ones(3, 4, 64), TILING), ("cos", ones(2, 3, 4, 64), TILING),
        ("cos", ones(2, 1, 1, 64), TILING), ("sin", ones(2, 1, 4, 64, dtype=half), INVALID),
        ("out", ones(3, 2, 4, 64), TILING),
    ),
    "rope_with_sin_cos_cache": (
        ("positions", None, NULL), ("key_in", None, NULL), ("key_in", ones(4, 128), INVALID),
        ("positions", pa.zeros((5,), "int32"), INVALID), ("query_in", ones(5, 2, 128), INVALID),
        ("query_out", ones(5, 128), INVALID), ("query_in", pa.empty((0, 256)), INVALID),
        ("cos_sin_cache", ones(9, 128, dtype=half), INVALID), ("head_size", 0, INVALID),
        ("head_size", 64, TILING), ("head_size", 120, TILING),
        ("positions", positions(3, 5), TILING),
        ("mrope_section", [16, 24], INVALID), ("mrope_section", [16, 24, 23], INVALID),
        ("mrope_section", [16, -24, 24], INVALID), ("mrope_section", [16, 24, 24], TILING),
        ("mrope_section", [0, 0, 0], 0),
    ),
    "norm_rope_concat": (
        ("query", None, NULL), ("value", None, NULL),
        ("key", ones(2, 3, 3, 8, dtype=half), INVALID),
        ("query", ones(2, 4, 3, 8, dtype="int32"), INVALID), ("key", ones(2, 4, 3, 8), TILING),
        ("norm_type", 5, TILING), ("rope_type", 3, TILING), ("concat_order", 2, TILING),
        ("rope_sin", ones(4, 8), TILING), ("rope_cos", None, TILING),
        ("norm_key_bias", None, TILING), ("norm_query_weight", ones(4), TILING),
        ("encoder_query", ones(2, 1, 3, 8), TILING), ("query_output", ones(2, 4, 3, 8), TILING),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)
