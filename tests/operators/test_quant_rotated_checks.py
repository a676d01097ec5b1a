"""What rows that are multiplied by small matrices, or scattered, are refused for."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import INVALID, TILING, ones
from operators.reasons import Refused, otherwise
from operators.test_mx_products import _in_nz

import pyaclnn as pa


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _rotated(rows: int, columns: int, size: int) -> dict[str, Any]:
    return {
        "x": _half(rows, columns), "rotation": _half(size, size),
        "y_out": pa.zeros((rows, columns), "int8"), "scale_out": ones(rows),
    }  # fmt: skip


def _flat(count: int, rows: int, columns: int) -> dict[str, Any]:
    return {
        "x": _half(count, rows, columns), "kronecker_p1": _half(rows, rows),
        "kronecker_p2": _half(columns, columns), "quant_scale": ones(count),
        "out": pa.zeros((count, rows, columns // 8), "int32"),
    }  # fmt: skip


def _scattered(*updates: int, **changed: Any) -> dict[str, Any]:
    return {
        "self_ref": pa.zeros((2, 3, *updates[2:]), "int8"), "updates": _half(*updates),
        "quant_scales": ones(updates[-1]), **changed,
    }  # fmt: skip


def _right() -> dict[str, dict[str, Any]]:
    return {
        "rotate_quant": {
            **_rotated(2, 128, 16), "alpha": None, "axis": -1, "round_mode": None,
            "scale_alg": 0, "dst_type_max": 0.0, "trans": False,
        },
        "flat_quant_v3": {
            **_flat(2, 4, 8), "group_list_optional": None, "clip_ratio": 1.0,
            "dst_type_max": 0.0, "group_list_type": 0,
        },
        "inplace_quant_scatter": {
            **_scattered(2, 1, 32), "indices": pa.zeros((2,), "int32"), "quant_zero_points": None,
            "axis": -2, "quant_axis": -1, "reduction": 1,
        },
    }  # fmt: skip


_ROTATE, _FLAT, _SCATTER = "rotate_quant", "flat_quant_v3", "inplace_quant_scatter"
_PARTS = "quantScale must have 1 dimension, and kroneckerP2 2"


def _refused() -> list[Refused]:
    groups = pa.zeros((2,), "int64")
    flat = _right()[_FLAT]
    return [
        (_ROTATE, {"x": _half(1, 2, 128)}, INVALID, "x and rotation must have 2 dimensions"),
        (_ROTATE, {"rotation": _half(1, 16, 16)}, INVALID, "x and rotation must have 2 dimensions"),
        (_ROTATE, _rotated(2, 132, 4), INVALID, "no multiple of 8"),
        (_ROTATE, _rotated(2, 136, 17), 0, ""),
        (_ROTATE, _rotated(2, 128, 24), INVALID, "rotation has shape [24, 24] beside x"),
        (_ROTATE, {"rotation": _half(16, 0)}, INVALID, "rotation has shape [16, 0] beside x"),
        (_ROTATE, {"rotation": _half(32, 16)}, INVALID, "rotation has shape [32, 16] beside x"),
        (_ROTATE, _rotated(2, 128, 8), TILING, "rotation has 8 columns, it must have 16 to 1024"),
        (_ROTATE, _rotated(1, 1024, 1024), 0, ""),
        (_ROTATE, _rotated(1, 1032, 1032), TILING, "rotation has 1032 columns"),
        (_ROTATE, _rotated(1, 120, 24), TILING, "x has 120 columns, it must have 128 to 16000"),
        (_ROTATE, _rotated(1, 16000, 16), 0, ""),
        (_ROTATE, _rotated(1, 16016, 16), TILING, "x has 16016 columns"),
        (_ROTATE, {"alpha": _half(1)}, INVALID, "alpha is given"),
        (_ROTATE, {"axis": 1}, 0, ""),
        (_ROTATE, {"axis": 0}, INVALID, "axis is 0, it must be -1 or 1"),
        (_ROTATE, {"axis": -2}, INVALID, "axis is -2"),
        *((_ROTATE, {"round_mode": mode}, 0, "") for mode in ("rint", "floor", "round")),
        (_ROTATE, {"round_mode": "trunc"}, INVALID, 'roundMode is "trunc"'),
        (_ROTATE, {"scale_alg": 1}, INVALID, "scaleAlg is 1, it must be 0"),
        (_ROTATE, {"dst_type_max": 6.0}, INVALID, "dstTypeMax is 6, it must be 0"),
        (_ROTATE, {"trans": True}, INVALID, "trans is true"),
        (_FLAT, {"quant_scale": ones(2, 1)}, INVALID, _PARTS),
        (_FLAT, {"kronecker_p2": _half(8)}, INVALID, _PARTS),
        (_FLAT, {"kronecker_p1": _half(4)}, INVALID, "kroneckerP1 must have 2 dimensions"),
        (_FLAT, {"x": _half(4, 8)}, INVALID, "kroneckerP1 must have 2 dimensions"),
        (_FLAT, {"out": pa.zeros((8, 1), "int32")}, INVALID, "out has shape [8, 1], and"),
        (_FLAT, _flat(0, 4, 8), INVALID, "it must have 1 to 262144 matrices"),
        (_FLAT, _flat(262144, 1, 8), 0, ""),
        (_FLAT, _flat(262145, 1, 8), INVALID, "it must have 1 to 262144 matrices"),
        (_FLAT, _flat(1, 256, 8), 0, ""),
        (_FLAT, _flat(1, 257, 8), INVALID, "up to 256 rows and columns"),
        (_FLAT, _flat(1, 1, 256), 0, ""),
        (_FLAT, _flat(1, 1, 264), INVALID, "up to 256 rows and columns"),
        (_FLAT, _flat(2, 4, 12), INVALID, "x has 12 columns, no multiple of 8"),
        (_FLAT, {"out": pa.zeros((2, 3, 1), "int32")}, INVALID, "out has shape [2, 3, 1], and x"),
        (_FLAT, {"out": pa.zeros((2, 4, 2), "int32")}, INVALID, "out has shape [2, 4, 2], and x"),
        (_FLAT, {"out": pa.zeros((1, 4, 1), "int32")}, INVALID, "out has shape [1, 4, 1], and x"),
        (_FLAT, {"group_list_optional": groups, "group_list_type": 3}, INVALID,
         "groupListType is 3"),
        (_FLAT, {"group_list_optional": groups, "group_list_type": -1}, INVALID,
         "groupListType is -1"),
        (_FLAT, {"group_list_optional": groups, "group_list_type": 2}, INVALID,
         "groupListOptional has shape [2]"),
        (_FLAT, {"group_list_optional": pa.zeros((2, 2), "int64")}, INVALID,
         "groupListOptional has shape [2, 2]"),
        (_FLAT, {"group_list_optional": pa.zeros((1025,), "int64")}, INVALID,
         "groupListOptional has 1025 groups"),
        (_FLAT, {**flat, "clip_ratio": 1.5}, INVALID, "clipRatio is 1.5"),
        (_SCATTER, {"self_ref": pa.zeros((2, 32), "int8"), "updates": _half(2, 32)}, TILING,
         "updates has 2 dimensions"),
        (_SCATTER, _scattered(2, 1, 1, 1, 1, 1, 1, 32, axis=1), 0, ""),
        (_SCATTER, {"quant_zero_points": ones(32, dtype="int32")}, 0, ""),
        (_SCATTER, {"quant_zero_points": pa.ones((31,), "int32")}, TILING, "has 31 elements"),
        (_SCATTER, {"quant_zero_points": ones(33, dtype="int32")}, TILING, "has 33 elements"),
    ]  # fmt: skip


def test_rows_are_refused_for_these_reasons() -> None:
    assert otherwise(_right(), _refused()) == []


def _bfloat(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


def on_950() -> list[str]:
    """Return the same of the 950, where rotated rows become blocks."""
    narrow, powers = "float8_e4m3fn", "float8_e8m0fnu"
    right = {
        _ROTATE: {
            "x": _bfloat(3, 64), "rotation": _bfloat(32, 32), "alpha": None, "axis": -1,
            "round_mode": None, "scale_alg": 0, "dst_type_max": 0.0, "trans": False,
            "y_out": ones(3, 64, dtype=narrow), "scale_out": ones(3, 1, 2, dtype=powers),
        },
        _FLAT: _right()[_FLAT],
    }  # fmt: skip

    def deep(*lead: int) -> dict[str, Any]:
        return {
            "x": _bfloat(*lead, 64), "y_out": ones(*lead, 64, dtype=narrow),
            "scale_out": ones(*lead, 1, 2, dtype=powers),
        }  # fmt: skip

    none = pa.ones((), "bfloat16")
    groups = pa.zeros((2,), "int64")
    return otherwise(right, [
        (_ROTATE, {"x": none}, INVALID, "x or rotation has no dimensions"),
        (_ROTATE, {"rotation": none}, INVALID, "x or rotation has no dimensions"),
        (_ROTATE, deep(1, 1, 1, 1, 1, 2), 0, ""),
        (_ROTATE, deep(1, 1, 1, 1, 1, 1, 2), INVALID, "x has 8 dimensions, it must have 1 to 7"),
        (_ROTATE, {"y_out": _in_nz(3, 64)}, INVALID, "yOut is in FRACTAL_NZ"),
        (_FLAT, {"group_list_optional": groups}, INVALID, "groupListOptional is given"),
    ])  # fmt: skip


def test_rows_are_refused_on_the_950_for_these_reasons() -> None:
    assert found_on("Ascend950", "operators.test_quant_rotated_checks", "on_950()") == []
