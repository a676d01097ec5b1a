"""What rows are refused for that are quantised by element, by row or behind a gate."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import INVALID, TILING, ones
from operators.reasons import Refused, otherwise

import pyaclnn as pa

_ROWS, _FIRST, _THIRD = "dynamic_quant_v3", "ascend_quant", "ascend_quant_v3"
_GATE = "dequant_swiglu_quant_v2"


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _narrow(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int8")


def _of_groups(count: int, kind: str = "int32") -> dict[str, Any]:
    return {
        "smooth_scales_optional": _half(count, 32),
        "group_index_optional": pa.full((count,), 2, kind),
    }  # fmt: skip


_QUANT: dict[str, Any] = {
    "x": ones(2, 4), "scale": ones(4), "offset": None, "sqrt_mode": False,
    "round_mode": "round", "dst_type": 2, "y": _narrow(2, 4),
}  # fmt: skip
_DYNAMIC: dict[str, Any] = {
    "x": _half(2, 32), "smooth_scales_optional": None, "group_index_optional": None,
    "dst_type": 2, "is_symmetrical": True, "quant_mode": "pertoken",
    "y_out": _narrow(2, 32), "scale_out": ones(2), "offset_out": False,
}  # fmt: skip
_RIGHT: dict[str, dict[str, Any]] = {
    _FIRST: _QUANT,
    _THIRD: {**_QUANT, "axis": -1},
    _GATE: {
        "x": _half(2, 64), "weight_scale_optional": None, "activation_scale_optional": None,
        "bias_optional": None, "quant_scale_optional": ones(1, 32), "quant_offset_optional": None,
        "group_index_optional": None, "activate_left": True, "quant_mode_optional": "dynamic",
        "dst_type": 2, "round_mode_optional": None, "activate_dim": -1, "swiglu_mode": 0,
        "clamp_limit": 7.0, "glu_alpha": 1.0, "glu_bias": 0.0, "y_out": _narrow(2, 32),
        "scale_out": ones(2),
    },
}  # fmt: skip

_SCALAR = pa.ones((), "float32")
_DEEP = (1,) * 8
_TWO_GROUPS = {**_of_groups(2), "smooth_scales_optional": None}
_CLAMPED = {"swiglu_mode": 1, "group_index_optional": pa.full((1,), 2, "int64")}
_REFUSED: list[Refused] = [
    (_FIRST, {"scale": ones(1)}, 0, ""),
    (_FIRST, {"scale": ones(3)}, INVALID, "scale has shape [3], and the last axis of x 4 elements"),
    (_FIRST, {"dst_type": 3, "x": _SCALAR, "scale": ones(1), "y": pa.zeros((), "int32")}, INVALID,
     "x is a scalar, eight elements make an int32"),
    (_FIRST, {"x": ones(*_DEEP), "scale": ones(1), "y": _narrow(*_DEEP)}, 0, ""),
    (_THIRD, {"x": _SCALAR, "scale": ones(1), "y": _narrow()}, INVALID, "x is a scalar"),
    (_THIRD, {"scale": ones(1, 4)}, 0, ""),
    (_THIRD, {"scale": ones(1, 1, 4)}, INVALID, "scale has 3 dimensions, it must have 1, or as"),
    (_THIRD, {"scale": _SCALAR}, INVALID, "scale has 0 dimensions"),
    (_GATE, {"activate_dim": 1}, TILING, "activateDim is 1, it must be -1"),
    (_GATE, _CLAMPED, 0, ""),
    (_GATE, {**_CLAMPED, "clamp_limit": 0.0}, TILING, "swigluMode 1 takes a positive clampLimit"),
    (_GATE, {**_CLAMPED, "activate_left": False}, TILING, "swigluMode 1 takes a positive"),
]  # fmt: skip


def test_rows_are_refused_for_these_reasons() -> None:
    assert otherwise(_RIGHT, _REFUSED) == []


def on_950() -> list[str]:
    """Return what rows are answered otherwise on the 950."""
    none = pa.zeros((0,), "int64")
    static = {"quant_mode_optional": "static", "quant_scale_optional": ones(32)}
    return otherwise({_ROWS: _DYNAMIC, _GATE: _RIGHT[_GATE]}, [
        (_ROWS, {"quant_mode": "pertensor", "scale_out": ones(1)}, 0, ""),
        (_ROWS, {"quant_mode": "perchannel", "scale_out": ones(32)}, 0, ""),
        (_ROWS, {"quant_mode": "pergroup"}, INVALID, 'quantMode is "pergroup"'),
        (_ROWS, {"quant_mode": "pertensor", "scale_out": ones(1), **_of_groups(1)}, INVALID,
         'groupIndexOptional is given with quantMode "pertensor"'),
        (_ROWS, _of_groups(1), 0, ""),
        (_ROWS, {**_of_groups(1), "group_index_optional": pa.full((1, 1), 2, "int32")}, INVALID,
         "groupIndexOptional has 2 dimensions, it must have one"),
        (_ROWS, _TWO_GROUPS, TILING, "groupIndexOptional is given without smoothScales"),
        (_ROWS, _of_groups(1, "int64"), TILING, "groupIndexOptional must be int32"),
        (_ROWS, _of_groups(1024), 0, ""),
        (_ROWS, _of_groups(1025), TILING, "groupIndexOptional has 1025 elements, 1024 at most"),
        (_GATE, {"group_index_optional": none}, TILING, "groupIndexOptional is empty"),
        (_GATE, {"group_index_optional": pa.full((1,), 2, "int64"), "activate_dim": 0}, TILING,
         "groups go with the last axis"),
        (_GATE, {"group_index_optional": pa.full((1,), 2, "int64"), "activate_dim": 1}, 0, ""),
        (_GATE, static, 0, ""),
        (_GATE, {**static, "quant_scale_optional": None}, TILING, "quantScaleOptional is null"),
    ])  # fmt: skip


def test_rows_are_refused_on_the_950_for_these_reasons() -> None:
    assert found_on("Ascend950", "operators.test_quant_rows_checks", "on_950()") == []
