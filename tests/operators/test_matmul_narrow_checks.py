"""What products of float8 and int8 in another order, or quantised on the way, are refused for."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on
from operators.calls import INVALID, NULL, TILING, device, hifloat8, ones, powers
from operators.reasons import otherwise

import pyaclnn as pa
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor.formats import with_format

_FLOAT8 = "float8_e4m3fn"


def on_950() -> list[str]:
    """Return what the 950 answers otherwise, where batches lie in the middle."""
    one = "transpose_quant_batch_mat_mul"

    def sized(rows: int, batch: int, depth: int, columns: int) -> dict[str, Any]:
        return {
            "x1": ones(rows, batch, depth, dtype=_FLOAT8),
            "x2": ones(batch, depth, columns, dtype=_FLOAT8),
            "x1_scale": ones(rows), "x2_scale": ones(columns),
            "out": ones(rows, batch, columns, dtype="float16"),
        }  # fmt: skip

    right = {
        **sized(2, 3, 512, 128), "bias": None, "dtype": 1, "group_size": 0, "perm_x1": [1, 0, 2],
        "perm_x2": [0, 1, 2], "perm_y": [1, 0, 2], "batch_split_factor": 1,
    }  # fmt: skip
    order = "permX1 and permY must be 1, 0, 2, and permX2 0, 1, 2"
    blocks = {
        **sized(2, 3, 64, 48), "x1_scale": powers(2, 3, 1, 2), "x2_scale": powers(3, 1, 48, 2),
        "group_size": 32,
    }  # fmt: skip
    turned = {"perm_x2": [0, 2, 1], "x2": ones(3, 48, 64, dtype=_FLOAT8),
              "x2_scale": powers(3, 48, 1, 2)}  # fmt: skip
    wide = {
        "x1": hifloat8(2, 3, 5), "x2": hifloat8(3, 5, 7), "x1_scale": None,
        "x2_scale": ones(7, dtype="uint64"), "out": ones(2, 3, 7, dtype="float16"),
    }  # fmt: skip
    in_nz = with_format(ones(3, 2, 4, 16, 32, dtype=_FLOAT8), "FRACTAL_NZ", shape=(3, 64, 48),
                        storage_shape=(3, 2, 4, 16, 32))  # fmt: skip
    return otherwise({one: right}, [
        (one, blocks, 0, ""), (one, {**blocks, **turned}, 0, ""),
        (one, {**blocks, "x2": in_nz}, 0, ""),
        (one, {**blocks, "x1_scale": None}, NULL, "x1Scale is null"),
        (one, {**blocks, "perm_x2": [1, 0, 2]}, INVALID, f"{order} or 0, 2, 1"),
        (one, {**blocks, **turned, "x2_scale": powers(3, 1, 48, 2)}, INVALID, "x2Scale has shape"),
        (one, {**blocks, **turned, "perm_x2": [0, 1, 2]}, INVALID, "the depth of x1 is 64"),
        (one, {**blocks, "x1_scale": powers(3, 2, 1, 2)}, INVALID, "x1Scale has shape"),
        (one, {**blocks, "x1_scale": ones(2)}, INVALID, "x2Scale has shape"),
        (one, {**blocks, **sized(2, 3, 96, 48)}, INVALID, "not 512 and 128"),
        (one, {**blocks, "x1": ones(2, 3, 96, dtype=_FLOAT8),
               "x2": ones(3, 96, 48, dtype=_FLOAT8)}, INVALID, "it must be a multiple of 64"),
        (one, {**blocks, "x1": ones(2, 3, 64, dtype="float8_e5m2")}, INVALID, "x1 is float8_e5m2"),
        (one, {**blocks, "group_size": 0}, INVALID, "groupSize is 0"),
        (one, {**blocks, "group_size": 32 | 2 << 16}, INVALID, "groupSize is"),
        (one, {**blocks, "group_size": 32 | 1 << 16 | 1 << 32}, 0, ""),
        (one, {**blocks, "out": hifloat8(2, 3, 48), "dtype": 34}, INVALID, "out is hifloat8"),
        (one, wide, 0, ""), (one, {**wide, "x1_scale": ones(1, dtype="int64")}, 0, ""),
        (one, {**wide, "perm_x2": [0, 2, 1], "x2": hifloat8(3, 7, 5)}, 0, ""),
        (one, {**wide, "out": hifloat8(2, 3, 7), "dtype": 34}, 0, ""),
        (one, {**wide, "x2_scale": None}, NULL, "x2Scale is null"),
        (one, {**wide, "x2_scale": ones(7)}, INVALID, "x2Scale is float32"),
        (one, {**wide, "x2_scale": ones(5, dtype="uint64")}, INVALID, "x2Scale has shape"),
        (one, {**wide, "x1_scale": ones(1)}, INVALID, "x1Scale is float32"),
        (one, {**wide, "out": ones(2, 3, 7), "dtype": 0}, INVALID, "out is float32"),
        (one, {**wide, "x1": ones(2, 3, 5, dtype=_FLOAT8)}, NULL, "x1Scale is null"),
        (one, {"x2": with_format(ones(3, 4, 32, 16, 32, dtype=_FLOAT8), "FRACTAL_NZ",
                                 shape=(3, 512, 128), storage_shape=(3, 4, 32, 16, 32))}, INVALID,
         "which goes with scales of blocks only"),
        (one, {"x1": None}, NULL, "x1 is null"), (one, {"x2": None}, NULL, "x2 is null"),
        (one, {"out": False}, NULL, "out is null"),
        (one, {name: with_format(right[name], "FRACTAL_NZ") for name in ("x1_scale",)}, INVALID,
         "x1Scale is in FRACTAL_NZ"),
        (one, {"x1_scale": None}, NULL, "x1Scale is null"),
        (one, {"x2_scale": None}, NULL, "x2Scale is null"),
        (one, {"perm_x1": None}, NULL, "permX1 is null"),
        (one, {"perm_x2": None}, NULL, "permX2 is null"),
        (one, {"perm_y": None}, NULL, "permY is null"),
        (one, {"batch_split_factor": 3}, INVALID, "batchSplitFactor is 3, it must be 1"),
        (one, {"batch_split_factor": 0}, INVALID, "batchSplitFactor is 0, it must be 1"),
        (one, {"x1": ones(2, 3, 512, dtype="float16")}, INVALID, "x1 is float16"),
        (one, {"x2": ones(3, 512, 128, dtype="float16")}, INVALID, "x2 is float16"),
        (one, {"dtype": 27}, INVALID, "dtype is 27, and out float16"),
        (one, {"dtype": 27, "out": ones(2, 3, 128, dtype="bfloat16")}, 0, ""),
        (one, {"perm_x1": [0, 1, 2]}, INVALID, order),
        (one, {"perm_x2": [0, 2, 1]}, INVALID, order),
        (one, {"perm_y": [0, 1, 2]}, INVALID, order),
        (one, {"x1": ones(2, 512, dtype=_FLOAT8)}, INVALID, "x1 and x2 have 2 and 3 dimensions"),
        (one, {"x2": ones(512, 128, dtype=_FLOAT8)}, INVALID, "x1 and x2 have 3 and 2 dimensions"),
        (one, {"x1": ones(2, 3, 448, dtype=_FLOAT8)}, INVALID,
         "the depth of x1 is 448, that of x2 512"),
        (one, sized(2, 3, 512, 256), INVALID, "not 512 and 128"),
        (one, sized(2, 3, 1024, 128), INVALID, "not 512 and 128"),
        (one, sized(0, 3, 512, 128), INVALID, "empty tensors are not supported"),
        (one, {"bias": ones(128)}, INVALID, "bias is not supported"),
        (one, {"x1": ones(2, 2, 512, dtype=_FLOAT8)}, INVALID, "x1 has a batch of 2, x2 of 3"),
    ])  # fmt: skip


def test_products_of_float8_are_refused_for_these_reasons() -> None:
    assert found_on("Ascend950", "operators.test_matmul_narrow_checks", "on_950()") == []


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _bytes(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int8")


def _in_nz(stored: tuple[int, ...], *shape: int) -> pa.Tensor:
    return with_format(_bytes(*stored), "FRACTAL_NZ", shape=shape, storage_shape=stored)


def on_310p() -> list[str]:
    """Return what the one chip answers otherwise that quantises x on the way."""
    one, groups = "quant_matmul_dequant", "quant_grouped_matmul_dequant"
    blocks = f"{groups}_weight_nz"
    common = {
        "x": _half(16, 32), "weight_scale": ones(48), "bias_optional": None,
        "x_scale_optional": None, "x_offset_optional": None, "smooth_scale_optional": None,
        "x_quant_mode": "pertoken", "transpose_weight": True, "out": _half(16, 48),
    }  # fmt: skip
    by_groups = {**common, "weight_scale": ones(2, 48), "group_list": device([9, 16], "int64")}
    stored = in_blocks(np.ones((2, 48, 32), np.int8)).shape
    right: dict[str, dict[str, Any]] = {
        one: {**common, "weight": _bytes(48, 32)},
        groups: {**by_groups, "weight": _bytes(2, 48, 32)},
        blocks: {**by_groups, "weight": _in_nz(stored, *stored)},
    }
    words = {"weight_scale": pa.ones((48,), "int64"), "x_scale_optional": _half(1),
             "x_quant_mode": "pertensor"}  # fmt: skip
    return otherwise(right, [
        (one, {"transpose_weight": False}, INVALID, "transposeWeight must be true"),
        *((one, {name: None}, NULL, "is null") for name in ("x", "weight", "weight_scale")),
        (groups, {"group_list": None}, NULL, "groupList is null"),
        (one, {"out": False}, NULL, "out is null"),
        (one, {"bias_optional": pa.zeros((48,), "int32")}, NULL, "biasOptional"),
        (one, {"x_offset_optional": ones(16)}, NULL, "xOffsetOptional"),
        (one, {"x": ones(16, 32, dtype="float32")}, INVALID, "it must be float32 as x is"),
        (one, {"weight": _bytes(32, 48).T}, INVALID, "weight and out must be contiguous"),
        (one, {"out": _half(48, 16).T}, INVALID, "weight and out must be contiguous"),
        (one, {"weight": _bytes(1, 48, 32)}, INVALID, "weight has 3 dimensions"),
        (groups, {"weight": _bytes(48, 32)}, INVALID, "weight has 2 dimensions"),
        *((one, {"weight": weight}, INVALID, "weight of 2 dimensions must be in the format ND")
          for weight in (_in_nz((1, 3, 16, 32), 48, 32), with_format(_bytes(48, 32), "NCHW"))),
        (one, {"weight": _bytes(40, 32)}, INVALID, "it must be in multiples of 16"),
        (one, {"weight": _bytes(48, 24)}, INVALID, "it must be in multiples of 16"),
        (one, {"weight": _bytes(32, 32)}, TILING, "weightScale has shape [48], not [32]"),
        (one, {"weight": _bytes(48, 16)}, TILING, "x has shape [16, 32] beside a depth of 16"),
        (one, {"x": _half(1, 16, 32)}, TILING, "x has shape [1, 16, 32] beside a depth of 32"),
        (one, {"out": _half(16, 32)}, TILING, "out has shape [16, 32], not [16, 48]"),
        (groups, {"group_list": device([16], "int64")}, TILING, "groupList has shape [1], not [2]"),
        (one, {"x_quant_mode": "pertensor"}, TILING, "without xScaleOptional, xQuantMode must be"),
        (one, {"x_quant_mode": "pertensor", "x_scale_optional": ones(1)}, 0, ""),
        (one, {"x_quant_mode": "pertensor", "x_scale_optional": ones(16)}, TILING,
         "xScaleOptional has shape [16], not [1]"),
        (one, {"x_scale_optional": ones(16)}, 0, ""),
        (one, {"x_scale_optional": ones(1)}, TILING, "xScaleOptional has shape [1], not [16]"),
        (one, {"smooth_scale_optional": _half(32)}, 0, ""),
        (one, {"smooth_scale_optional": _half(31)}, TILING,
         "smoothScaleOptional has shape [31], not [32]"),
        (one, words, 0, ""),
        (one, {**words, "x_scale_optional": None, "x_quant_mode": "pertoken"}, TILING,
         "weightScale of int64 goes with xScaleOptional and pertensor"),
        (one, {**words, "x_scale_optional": _half(16), "x_quant_mode": "pertoken"}, TILING,
         "weightScale of int64 goes with xScaleOptional and pertensor"),
        (blocks, {"weight": None}, NULL, "weight is null"),
        (blocks, {"weight": _bytes(2, 48, 32)}, INVALID, "dimensions, not 5"),
        (blocks, {"weight": _in_nz((2, 1, 3, 32, 16), 2, 1, 3, 32, 16)}, TILING,
         "whose blocks are not of 16 by 32"),
        (blocks, {"weight": _in_nz((2, 2, 3, 16, 32), 2, 2, 3, 16, 32)}, TILING,
         "beside a depth of 32"),
    ])  # fmt: skip


def test_products_quantised_on_the_way_are_refused_for_these_reasons() -> None:
    assert found_on("Ascend310P3", "operators.test_matmul_narrow_checks", "on_310p()") == []
