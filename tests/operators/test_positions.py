"""Rotary position embeddings refuse what CANN's refuse."""

from __future__ import annotations

from typing import Any

from operators.calls import INVALID, NULL, TILING, ones
from operators.reasons import Written, assert_refused_on, written_reasons
from operators.status_tests import refusal_tests, status_tests

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


def _turned(x: tuple[int, ...], *angles: int) -> tuple[str, dict[str, Any]]:
    """A gradient of this shape, and angles."""
    return "rotary_position_embedding_grad", {
        **{name: ones(*x, 8) for name in ("dy", "x_optional", "dx_out")},
        **{name: ones(*angles, 8) for name in ("cos", "sin", "dcos_out", "dsin_out")},
    }


_, test_a_gradient_takes_angles_as_cann = refusal_tests(
    RIGHT,
    [
        (*_turned((2, 3, 4), 2, 3, 1), 0), (*_turned((2, 3, 4), 1, 3, 1), 0),
        (*_turned((2, 3, 4), 2, 1, 1), 0), (*_turned((2, 3, 4), 1, 1, 1), TILING),
        (*_turned((2, 3, 4), 1, 3, 4), TILING), (*_turned((2, 3, 4), 2, 1, 4), 0),
        (*_turned((4, 3, 4), 4, 1, 4), TILING), (*_turned((4, 3, 4), 1, 1, 4), 0),
    ],
)  # fmt: skip

_TURN = "apply_rotary_pos_emb_v2"


def _placed(layout: int, query: Any, key: Any, *angles: int) -> str:
    """Operands of these shapes in a layout of the 950."""
    return (
        f"layout={layout}, query_ref=ones(*{query}), key_ref=ones(*{key}),"
        f" cos=ones(*{angles}), sin=ones(*{angles})"
    )


def _deep(depth: int, turned: int, mode: str = "half") -> str:
    shapes = _placed(1, (2, 3, 4, depth), (2, 3, 2, depth), 1, 3, 1, turned)
    return f"{shapes}, rotary_mode={mode!r}"


_FIT, _STEP = "do not go together", "multiples of"
#: Layouts of the 950: batch and length, length and batch, heads before the length, tokens.
NEWEST: list[Written] = [
    (_TURN, changed, status, words)
    for changed, status, words in (
        ("", 0, ""), ("layout=0", TILING, "layout is 0"), ("layout=5", TILING, "layout is 5"),
        ("layout=4", TILING, "it must have 3"), ("rotary_mode='whole'", TILING, "rotaryMode is"),
        ("sin=ones(2, 3, 1, 64)", TILING, "cos has shape"),
        ("key_ref=ones(2, 3, 0, 128)", TILING, "one of queryRef and keyRef is empty"),
        ("key_ref=ones(3, 2, 128)", TILING, "it must have 4"),
        (_placed(1, (2, 3, 4, 16), (2, 4, 2, 16), 2, 3, 1, 16), TILING, _FIT),
        (_placed(1, (2, 3, 4, 16), (1, 3, 2, 16), 2, 3, 1, 16), TILING, _FIT),
        (_placed(1, (2, 3, 4, 16), (2, 3, 2, 8), 2, 3, 1, 16), TILING, _FIT),
        (_placed(1, (2, 3, 4, 16), (2, 3, 2, 16), 1, 3, 1, 16), 0, ""),
        (_placed(1, (2, 3, 4, 16), (2, 3, 2, 16), 2, 1, 1, 16), TILING, _FIT),
        (_placed(1, (2, 3, 4, 16), (2, 3, 2, 16), 2, 3, 4, 16), TILING, _FIT),
        (_placed(2, (3, 2, 4, 16), (3, 2, 2, 16), 3, 1, 1, 16), 0, ""),
        (_placed(2, (3, 2, 4, 16), (3, 2, 2, 16), 1, 2, 1, 16), TILING, _FIT),
        (_placed(3, (2, 4, 3, 16), (2, 2, 3, 16), 1, 1, 3, 16), 0, ""),
        (_placed(3, (2, 4, 3, 16), (2, 2, 3, 16), 2, 1, 1, 16), TILING, _FIT),
        (_placed(3, (2, 4, 3, 16), (2, 2, 3, 16), 2, 4, 3, 16), TILING, _FIT),
        (_placed(4, (6, 4, 16), (6, 1, 16), 6, 1, 16), 0, ""),
        (_placed(4, (6, 4, 16), (6, 1, 16), 1, 1, 16), TILING, _FIT),
        (_deep(1024, 1024), 0, ""), (_deep(1026, 1026), TILING, _STEP),
        (_deep(15, 14), TILING, _STEP), (_deep(14, 14), 0, ""), (_deep(14, 12), 0, ""),
        (_deep(14, 13), TILING, _STEP), (_deep(14, 16), TILING, _FIT),
        (_deep(14, 12, "quarter"), TILING, _STEP), (_deep(16, 12, "quarter"), 0, ""),
        (_deep(16, 14, "quarter"), TILING, _STEP), (_deep(14, 14, "interleave"), 0, ""),
    )
]  # fmt: skip


def found() -> list[list[Any]]:
    """Return what the calls of the 950 are answered with."""
    return written_reasons(RIGHT, NEWEST, globals())


def test_heads_and_angles_of_the_950_go_together() -> None:
    assert_refused_on("Ascend950", "test_positions", "found()", NEWEST)
