"""What rows are refused for on the 950 that become blocks of narrow numbers."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import INVALID, TILING, hifloat8, ones
from operators.reasons import otherwise

import pyaclnn as pa

_FLOAT8, _FLOAT4, _POWERS = "float8_e4m3fn", "float4_e2m1fn", "float8_e8m0fnu"


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _both(*shape: int) -> dict[str, Any]:
    """Return x and its results by rows and by columns; the last two axes are 64."""
    lead = shape[:-2]
    return {
        "x": _half(*shape), "y1_out": ones(*shape, dtype=_FLOAT8),
        "y2_out": ones(*shape, dtype=_FLOAT8),
        "mxscale1_out": ones(*lead, 64, 1, 2, dtype=_POWERS),
        "mxscale2_out": ones(*lead, 1, 64, 2, dtype=_POWERS),
    }  # fmt: skip


def _levels(*shape: int) -> dict[str, Any]:
    """Return x and its results at two levels; the last axis is 64."""
    return {
        "x": _half(*shape), "y_out": ones(*shape, dtype=_FLOAT4),
        "level0_scale_out": ones(*shape[:-1], 1),
        "level1_scale_out": ones(*shape[:-1], 1, 2, dtype=_POWERS),
    }  # fmt: skip


def on_950() -> list[str]:
    """Return what the 950 answers otherwise."""
    rows, both = "dynamic_mx_quant", "dynamic_mx_quant_with_dual_axis"
    levels, groups = "dynamic_dual_level_mx_quant", "grouped_dynamic_mx_quant"
    right: dict[str, dict[str, Any]] = {
        rows: {
            "x": _half(3, 64), "axis": -1, "round_mode_optional": "rint", "dst_type": 36,
            "blocksize": 32, "scale_alg": 0, "y_out": ones(3, 64, dtype=_FLOAT8),
            "mxscale_out": ones(3, 1, 2, dtype=_POWERS),
        },
        both: {**_both(64, 64), "round_mode_optional": "rint", "dst_type": 36, "scale_alg": 0},
        levels: {
            **_levels(3, 64), "smooth_scale_optional": None, "round_mode_optional": "rint",
            "level0_block_size": 512, "level1_block_size": 32,
        },
        groups: {
            "x": _half(64, 32), "group_index": pa.full((2,), 64, "int32"), "round_mode": "rint",
            "dst_type": 36, "blocksize": 32, "y": ones(64, 32, dtype=_FLOAT8),
            "mxscale": ones(3, 32, 2, dtype=_POWERS),
        },
    }  # fmt: skip
    powers = ones(32, 3, 2, dtype=_POWERS)
    return otherwise(right, [
        (rows, {"round_mode_optional": "ceil"}, TILING, 'the rounding is "ceil"'),
        (rows, {"round_mode_optional": None}, 0, ""),
        (both, {"y2_out": ones(64, 32, dtype=_FLOAT8)}, TILING, "y2Out has another shape than x"),
        (both, {"mxscale2_out": ones(2, 64, 2, dtype=_POWERS)}, TILING, "mxscale2Out has shape"),
        (levels, _levels(1, 1, 1, 1, 1, 3, 64), 0, ""),
        (levels, _levels(1, 1, 1, 1, 1, 1, 3, 64), TILING, "x has 8 dimensions, it must have 1"),
        (levels, _levels(0, 64), TILING, "x is empty"),
        *((levels, {"round_mode_optional": mode}, 0, "") for mode in ("floor", "round")),
        (levels, {"smooth_scale_optional": _half(64)}, 0, ""),
        (levels, {"smooth_scale_optional": _half(63)}, TILING, "smoothScale has shape [63]"),
        (levels, {"smooth_scale_optional": _half(1, 64)}, TILING, "smoothScale has shape [1, 64]"),
        (groups, {"group_index": pa.zeros((0,), "int32"), "mxscale": ones(1, 32, 2, dtype=_POWERS)},
         INVALID, "groupIndex is empty"),
        (groups, {"mxscale": powers.transpose((1, 0, 2))}, INVALID, "mxscale is not contiguous"),
    ])  # fmt: skip


def test_rows_for_blocks_are_refused_for_these_reasons() -> None:
    assert found_on("Ascend950", "operators.test_quant_blocks_checks", "on_950()") == []


def _square(*shape: int) -> dict[str, Any]:
    """Return x and its results in squares; the last two axes are 64."""
    lead = shape[:-2]
    return {
        "x": _half(*shape), "y_out": ones(*shape, dtype=_FLOAT8),
        "scale1_out": ones(*lead, 64, 1, 2, dtype=_POWERS),
        "scale2_out": ones(*lead, 1, 64, 2, dtype=_POWERS),
    }  # fmt: skip


def _rectangle(*shape: int) -> dict[str, Any]:
    """Return x and its results in blocks of a row and up to 128 columns."""
    return {
        "x": _half(*shape), "y_out": ones(*shape, dtype=_FLOAT8), "scale_out": ones(*shape[:-1], 1),
    }  # fmt: skip


def rectangles() -> list[str]:
    """Return what the 950 answers otherwise whose blocks have rows and columns."""
    squares, one = "dynamic_block_mx_quant", "dynamic_block_quant"
    groups = "grouped_dynamic_block_quant"
    blocks = {
        **_rectangle(3, 64), "min_scale": 0.0, "round_mode_optional": "rint", "dst_type": 36,
        "row_block_size": 1, "col_block_size": 128,
    }  # fmt: skip
    right: dict[str, dict[str, Any]] = {
        squares: {**_square(64, 64), "round_mode_optional": None, "dst_type": 36, "scale_alg": 0,
                  "dst_type_max": 0.0},
        one: blocks,
        groups: {**blocks, "group_list": pa.full((1,), 3, "int32"), "group_list_type": 0,
                 "scale_out": ones(4, 1)},
    }  # fmt: skip
    newer = f"{groups}_v2"
    right[newer] = {
        **right[groups], "y_out": hifloat8(3, 64), "dst_type": 34, "round_mode_optional": "round",
        "dst_type_max": 0.5,
    }  # fmt: skip
    nothing = {"group_list": pa.zeros((0,), "int32"), "scale_out": ones(3, 1)}
    return otherwise(right, [
        (squares, _square(2, 64, 64), 0, ""),
        (squares, _square(1, 2, 64, 64), TILING, "x has 4 dimensions, it must have 2 or 3"),
        (squares, _square(0, 64, 64), TILING, "x is empty"),
        (squares, {"x": _half(64), "y_out": ones(64, dtype=_FLOAT8)}, TILING, "x has 1 dimensions"),
        (squares, {"scale2_out": ones(2, 64, 2, dtype=_POWERS)}, TILING, "scale2Out has shape"),
        (one, {"round_mode_optional": "round"}, TILING, 'roundMode is "round"'),
        (one, {"round_mode_optional": None}, 0, ""),
        (one, _rectangle(2, 3, 64), 0, ""),
        (one, _rectangle(1, 2, 3, 64), TILING, "x has 4 dimensions, it must have 2 or 3"),
        (one, _rectangle(64), TILING, "x has 1 dimensions, it must have 2 or 3"),
        (one, _rectangle(0, 64), TILING, "x is empty"),
        (groups, {"round_mode_optional": "hybrid"}, TILING, 'roundMode is "hybrid"'),
        (groups, {**_rectangle(0, 64), "scale_out": ones(1, 1)}, TILING,
         "x or groupList is empty"),
        (groups, nothing, TILING, "x or groupList is empty"),
        (newer, {"dst_type_max": 32768.0}, 0, ""),
        (newer, {"dst_type_max": 32768.5}, TILING, "dstTypeMax is 32768.5"),
        (newer, {"dst_type_max": -1.0}, TILING, "dstTypeMax is -1"),
        (newer, {**blocks, "scale_out": ones(4, 1)}, TILING, "dstTypeMax is 0.5"),
    ])  # fmt: skip


def test_rows_for_rectangles_are_refused_for_these_reasons() -> None:
    assert found_on("Ascend950", "operators.test_quant_blocks_checks", "rectangles()") == []
