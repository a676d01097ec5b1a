"""What gated rows are refused for that are quantised by row, by block or by group."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import TILING, ones
from operators.reasons import Refused, otherwise

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

_SITU, _SUMS = "dequant_situ_quant", "dequant_situ_quant of int32"
_FLOAT8, _POWERS = "float8_e4m3fn", "float8_e8m0fnu"


def _narrow(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int8")


def _situ() -> dict[str, dict[str, Any]]:
    common = {
        "activation_scale_optional": None, "bias_optional": None, "quant_scale_optional": None,
        "quant_offset_optional": None, "group_index_optional": None, "beta": 4.0,
        "linear_beta": 25.0, "activate_left": True, "quant_type_optional": "dynamic",
        "y_out": _narrow(3, 32), "y_scale_out": ones(3),
    }  # fmt: skip
    return {
        _SITU: {**common, "x": _narrow(3, 64), "weight_scale_optional": ones(64)},
        _SUMS: {**common, "x": pa.zeros((3, 64), "int32"), "weight_scale_optional": ones(1, 64),
                "activation_scale_optional": ones(3)},
    }  # fmt: skip


_STATIC: dict[str, Any] = {"quant_type_optional": "static", "quant_scale_optional": ones(32)}
_REFUSED: list[Refused] = [
    (_SITU, {"quant_type_optional": "other"}, TILING, 'quantTypeOptional is "other"'),
    (_SITU, {"quant_type_optional": "DYNAMIC"}, 0, ""),
    (_SITU, {"weight_scale_optional": ones(1)}, 0, ""),
    (_SITU, {"weight_scale_optional": ones(32)}, TILING, "weightScaleOptional has 32 elements"),
    (_SITU, {"quant_type_optional": "static"}, TILING, "quantScaleOptional is null"),
    (_SITU, _STATIC, 0, ""),
    (_SITU, {**_STATIC, "quant_offset_optional": ones(32)}, 0, ""),
    (_SITU, {**_STATIC, "quant_offset_optional": ones(1)}, 0, ""),
    (_SITU, {**_STATIC, "quant_offset_optional": ones(64)}, TILING,
     "quantOffsetOptional has 64 elements"),
    (_SUMS, {"quant_type_optional": "static"}, TILING, "quantTypeOptional must be dynamic beside"),
    (_SUMS, {"group_index_optional": pa.zeros((1, 1), "int64")}, TILING,
     "groupIndexOptional must be a list"),
    (_SUMS, {"group_index_optional": pa.zeros((0,), "int64")}, TILING,
     "groupIndexOptional must be a list"),
]  # fmt: skip


def test_dequantised_rows_are_refused_for_these_reasons() -> None:
    assert otherwise(_situ(), _REFUSED) == []


def grouped() -> list[str]:
    """Return which rows the 950 answers otherwise that are quantised in blocks, or by group."""
    one = "swiglu_group_quant"
    blocks, mx, given, own = (f"{one} {mode}" for mode in ("0", "1", "2", "3"))
    common = {
        "x": ones(3, 256, dtype="bfloat16"), "weight_optional": None, "group_index_optional": None,
        "scale_optional": None, "dst_type": 36, "quant_mode": 0, "block_size": 0,
        "round_scale": True, "clamp_limit": -1.0, "dst_type_max": 15.0, "output_origin": False,
        "y_out": ones(3, 128, dtype=_FLOAT8), "y_scale_out": ones(3, 1),
        "y_origin_out": ones(3, 128, dtype="bfloat16"),
    }  # fmt: skip

    def hifloat8(*shape: int, x: str = "bfloat16") -> dict[str, Any]:
        codes = pa.zeros(shape, "uint8")
        return {
            "x": ones(*shape[:-1], 2 * shape[-1], dtype=x), "y_origin_out": ones(*shape, dtype=x),
            "y_out": with_format(codes, "ND", shape=shape, dtype="hifloat8"),
        }  # fmt: skip

    by_group = {
        **hifloat8(3, 512), "dst_type": 34, "output_origin": True, "y_scale_out": ones(1),
    }  # fmt: skip
    right: dict[str, dict[str, Any]] = {
        blocks: common,
        mx: {**common, "quant_mode": 1, "y_scale_out": ones(3, 2, 2, dtype=_POWERS)},
        given: {**common, **by_group, "quant_mode": 2, "scale_optional": ones(1)},
        own: {**common, **by_group, "quant_mode": 3},
    }
    halved = {"dst_type": 40, "y_out": ones(3, 128, dtype="float4_e2m1fn")}

    def wide(columns: int) -> dict[str, Any]:
        return {
            "x": ones(3, columns, dtype="bfloat16"),
            "y_out": ones(3, columns // 2, dtype=_FLOAT8), "y_scale_out": ones(3, columns // 256),
        }  # fmt: skip

    single = {"x": ones(3, 256), "y_origin_out": ones(3, 128)}
    return otherwise(right, [
        (blocks, {"quant_mode": 4}, TILING, "quantMode is 4, it must be 0 to 3"),
        (blocks, {"quant_mode": -1}, TILING, "quantMode is -1"),
        (blocks, {"x": ones(0, 256, dtype="bfloat16")}, TILING, "x has shape [0, 256]"),
        (blocks, {"x": pa.ones((), "bfloat16")}, TILING, "x has shape []"),
        (blocks, wide(512), 0, ""),
        (blocks, wide(384), TILING, "the last axis of x has 384 elements, it must be a multiple"),
        *((mode, hifloat8(*shape), 0, "") for mode in (given, own)
          for shape in ((2, 768), (1, 4096), (31, 1, 1024), (1, 2, 2560))),
        *((mode, hifloat8(*shape), TILING, "the last axis of x has")
          for mode in (given, own) for shape in ((3, 128), (3, 1280), (3, 511), (3, 8192))),
        (own, {"x": ones(3, 1025, dtype="bfloat16")}, TILING, "the last axis of x has 1025"),
        *((mode, hifloat8(*shape), TILING, "at most 31 sequences")
          for mode in (given, own) for shape in ((512,), (32, 1, 512), (1, 1, 1, 512))),
        *((own, {"dst_type_max": most}, 0, "") for most in (56.0, 224.0, 32768.0)),
        (own, {"dst_type_max": 16.0}, TILING, "dstTypeMax is 16, it must be 15, 56, 224 or 32768"),
        (given, {"dst_type_max": 16.0}, 0, ""),
        (blocks, single, TILING, "x is float32"),
        (mx, single, TILING, "x is float32"),
        (own, hifloat8(3, 512, x="float32"), 0, ""),
        (blocks, {"weight_optional": ones(3)}, 0, ""),
        (blocks, {"weight_optional": ones(2)}, TILING, "weight"),
        (blocks, {"group_index_optional": pa.ones((2,), "int64")}, 0, ""),
        (blocks, {"group_index_optional": pa.ones((2, 1), "int64")}, TILING, "groupIndexOptional"),
        (blocks, {"clamp_limit": 0.5}, 0, ""),
        (blocks, {"clamp_limit": 0.0}, TILING, "clampLimit is 0, it must be positive, or -1"),
        (blocks, {"clamp_limit": -2.0}, TILING, "clampLimit is -2"),
        (own, {"clamp_limit": 0.0}, 0, ""),
        (own, {"clamp_limit": -2.0}, TILING, "clampLimit is -2"),
        (blocks, {"dst_type": 35}, TILING, "yOut is not of dstType"),
        (blocks, halved, TILING, "yOut is of no type that quantMode 0 has"),
        (mx, halved, 0, ""),
        (blocks, {"block_size": 128}, 0, ""),
        (blocks, {"block_size": 32}, TILING, "blockSize is 32, it must be 0 or 128"),
        (mx, {"block_size": 32}, 0, ""),
        (mx, {"block_size": 128}, TILING, "blockSize is 128, it must be 0 or 32"),
        (blocks, {"round_scale": False}, 0, ""),
        (mx, {"round_scale": False}, TILING, "roundScale must be true"),
        (blocks, {"output_origin": True}, TILING, "outputOrigin must be false"),
        (mx, {"output_origin": True}, TILING, "outputOrigin must be false"),
        (given, {"dst_type": 36, "y_out": ones(3, 512, dtype=_FLOAT8)}, TILING,
         "yOut must be hifloat8"),
        (given, {"dst_type_max": 0.0}, TILING, "dstTypeMax is 0"),
        (own, {"dst_type_max": -1.0}, TILING, "dstTypeMax is -1"),
        (mx, {"y_scale_out": ones(3, 2, 2)}, TILING, "yScaleOut or yOriginOut are of another type"),
        (blocks, {"y_origin_out": ones(3, 128)}, TILING,
         "yScaleOut or yOriginOut are of another type"),
        (blocks, {"y_out": ones(3, 64, dtype=_FLOAT8)}, TILING, "yOut has shape [3, 64] beside x"),
        (mx, {"y_scale_out": ones(3, 1, 2, dtype=_POWERS)}, TILING, "yScaleOut has shape"),
        (blocks, {"y_scale_out": ones(3, 2)}, TILING, "yScaleOut has shape [3, 2] beside x"),
        (own, {"y_scale_out": ones(2)}, TILING, "yScaleOut has shape [2]"),
        (given, {"scale_optional": ones(2)}, TILING, "scaleOptional must be float32 of shape (1,)"),
        (own, {"y_origin_out": ones(3, 64, dtype="bfloat16")}, TILING, "yOriginOut has shape"),
        (own, {"y_origin_out": ones(3, 64, dtype="bfloat16"), "output_origin": False}, 0, ""),
    ])  # fmt: skip


def test_grouped_rows_are_refused_for_these_reasons() -> None:
    assert found_on("Ascend950", "operators.test_quant_gated_checks", "grouped()") == []
