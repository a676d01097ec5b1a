"""What chips refuse whose kernels are others, and routing and quantised rows on the 950."""

from __future__ import annotations

from typing import Any

import pytest
from operators.calls import INNER_NULL, NO_KERNEL, TILING, ones
from operators.reasons import Written, assert_refused_on, written_reasons
from operators.test_detection import RIGHT as BOXES
from operators.test_moe import RIGHT as MOE
from operators.test_moe import whole
from operators.test_norm_forward import RIGHT as NORM
from operators.test_pooling_forward import RIGHT as POOLING

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

_V3, _FINAL, _MOVED = "moe_init_routing_v3", "moe_finalize_routing_v3", "moe_re_routing"
_POINTS, _STATS, _SYNC = (
    "three_interpolate_backward", "batch_norm_stats", "sync_batch_norm_gather_stats",
)  # fmt: skip


def half(*shape: int, dtype: str = "float16") -> pa.Tensor:
    return ones(*shape, dtype=dtype)


def four_bits(rows: int, columns: int) -> pa.Tensor:
    memory = pa.zeros((rows, columns), "uint8")
    return with_format(memory, "ND", shape=(rows, columns), dtype="int4")


def right() -> dict[str, dict[str, Any]]:
    """Return the arguments of a right call of each operator, on the chip that has it."""
    return {
        _V3: {
            **MOE[_V3], "x": half(3, 14), "quant_mode": 3, "scale_optional": None,
            "expanded_x_out": ones(6, 14, dtype="float8_e4m3fn"),
            "expanded_scale_out": ones(6, 2, dtype="float8_e8m0fnu"),
        },
        _FINAL: {
            **{k: v for k, v in MOE["moe_finalize_routing_v2"].items() if k != "drop_pad_mode"},
            "x_optional": ones(3, 8), "a1_optional": ones(1, 8), "a2_optional": ones(1, 8),
            "v_optional": ones(1, 8), "drop_pad_mode": 2, "zero_expert_range": [0, 1],
            "copy_expert_range": [1, 2], "constant_expert_range": [2, 3],
        },
        _POINTS: BOXES[_POINTS],
        _STATS: {"input": ones(2, 3, 4), "eps": 1e-5, "mean": ones(3), "invstd": ones(3)},
        _SYNC: {
            "total_sum": ones(2, 3), "total_square_sum": ones(2, 3),
            "sample_count": whole(2), "mean": ones(3), "variance": ones(3), "momentum": 0.1,
            "eps": 1e-5, "batch_mean": ones(3), "batch_invstd": ones(3),
        },
        "upsample_linear1d": {
            "self": ones(1, 2, 4), "output_size": (8,), "align_corners": False, "scale": -1.0,
            "out": ones(1, 2, 8),
        },
        "avg_pool3d": POOLING["avg_pool3d"],
        "group_norm_silu": NORM["group_norm_silu"],
        "im2col": {
            "self": half(1, 2, 4, 4, dtype="bfloat16"), "kernel_size": (2, 2), "dilation": (1, 1),
            "padding": (0, 0), "stride": (1, 1), "out": half(1, 8, 9, dtype="bfloat16"),
        },
        "add_n": {"tensors": [ones(2), ones(2)], "out": ones(2)},
        "upsample_nearest_exact2d": {
            "self": ones(1, 2, 4, 4), "output_size": (8, 8), "scales_h": 0.0, "scales_w": 0.0,
            "out": ones(1, 2, 8, 8),
        },
        "upsample_nearest_exact1d": {
            "self": ones(1, 2, 4), "output_size": (8,), "scales": 0.0, "out": ones(1, 2, 8),
        },
        "rfft1d": {"self": ones(2, 8), "n": 8, "dim": -1, "norm": 1, "out": ones(2, 5, 2)},
    }  # fmt: skip


_LACKING = (_POINTS, _STATS, _SYNC, "upsample_linear1d", "avg_pool3d", "im2col")
_A2: list[Written] = [
    *((name, "", 0, "") for name in _LACKING), ("group_norm_silu", "", 0, ""),
    ("rfft1d", "", 0, ""), ("upsample_nearest_exact2d", "", 0, ""),
    (_FINAL, "copy_expert_range=[0, 2], v_optional=None", 0, ""),
]  # fmt: skip
_310P: list[Written] = [
    (_POINTS, "", NO_KERNEL, "kernel"), (_STATS, "", NO_KERNEL, "kernel"),
    (_SYNC, "", NO_KERNEL, "kernel"), ("upsample_linear1d", "", NO_KERNEL, "kernel"),
    ("im2col", "", INNER_NULL, "no kernel for bfloat16"),
    ("upsample_nearest_exact2d", "", 0, ""),
]  # fmt: skip
_910A: list[Written] = [
    ("group_norm_silu", "", NO_KERNEL, "kernel"),
    ("avg_pool3d", "", 561000, "there is no kernel for Ascend910A"),
    ("upsample_nearest_exact2d", "", NO_KERNEL, "kernel"),
]  # fmt: skip
_950: list[Written] = [
    (_V3, "", 0, ""),
    (_V3, "expanded_scale_out=ones(6, 2)", TILING, "of another type than quantMode 3"),
    (_V3, "quant_mode=13, x=ones(3, 14), expanded_x_out=four_bits(6, 14),"
     " expanded_scale_out=ones(6)", 0, ""),
    (_V3, "quant_mode=13, x=ones(3, 13), expanded_x_out=four_bits(6, 13),"
     " expanded_scale_out=ones(6)", TILING, "13 columns, an odd number"),
    (_V3, "quant_mode=7, expanded_x_out=with_format(ones(6, 14, dtype='uint8'), 'ND',"
     " shape=(6, 14), dtype='hifloat8'), expanded_scale_out=ones(6)", TILING,
     "scaleOptional is null"),
    (_V3, "quant_mode=7, expanded_x_out=with_format(ones(6, 14, dtype='uint8'), 'ND',"
     " shape=(6, 14), dtype='hifloat8'), expanded_scale_out=ones(6), scale_optional=ones(1)", 0,
     ""),
    (_FINAL, "", 0, ""),
    (_FINAL, "copy_expert_range=[0, 2]", TILING, "ranges of experts overlap"),
    (_FINAL, "constant_expert_range=[0, 1]", TILING, "ranges of experts overlap"),
    (_FINAL, "copy_expert_range=[2, 3]", TILING, "ranges of experts overlap"),
    (_FINAL, "x_optional=ones(4, 8)", TILING, "has shape"),
    (_FINAL, "a1_optional=ones(2, 8)", TILING, "has shape"),
    (_FINAL, "a2_optional=ones(1, 7)", TILING, "has shape"),
    (_FINAL, "v_optional=ones(8)", TILING, "has shape"),
    ("upsample_nearest_exact1d", "self=with_format(ones(1, 2, 4), 'NCHW')", INNER_NULL,
     "another format than NCL and ND"),
]  # fmt: skip
LISTS = {"Ascend910B1": _A2, "Ascend310P1": _310P, "Ascend910A": _910A, "Ascend950": _950}


def found(chip: str) -> list[list[Any]]:
    """Return the statuses and messages of all calls of a chip."""
    return written_reasons(right(), LISTS[chip], globals())


@pytest.mark.parametrize("chip", LISTS)
def test_the_chip_decides(chip: str) -> None:
    assert_refused_on(chip, "test_routing_checks", f"found({chip!r})", LISTS[chip])
