"""What the 950 refuses of sums that a gate follows, and that the selftest's cases pass there."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on, output_of
from operators.calls import INVALID, NO_KERNEL, TILING, code_with, ones

import pyaclnn as pa


def right() -> dict[str, Any]:
    """Return the arguments of a right call: two groups, the second one named first."""
    return {
        "x": pa.zeros((3, 64), "int32"), "weight_scale_optional": ones(2, 64),
        "activation_scale_optional": ones(3), "bias_optional": ones(2, 64, dtype="bfloat16"),
        "quant_scale_optional": ones(2, 32), "quant_offset_optional": None,
        "group_index_optional": pa.asarray(np.array([[1, 2], [0, 1]])), "activate_left": True,
        "quant_mode_optional": "dynamic", "dst_type": 36, "round_mode_optional": None,
        "activate_dim": -1, "swiglu_mode": 0, "clamp_limit": 7.0, "glu_alpha": 1.702,
        "glu_bias": 1.0, "y_out": ones(3, 32, dtype="float8_e4m3fn"), "scale_out": ones(3),
    }  # fmt: skip


WRONG = (
    ("x", "ones(3, 64, dtype='float16')", TILING), ("x", "ones(3, 64)", INVALID),
    ("x", "pa.zeros((3, 63), 'int32')", TILING), ("x", "pa.zeros((0, 64), 'int32')", TILING),
    ("weight_scale_optional", "None", TILING), ("weight_scale_optional", "ones(64)", TILING),
    ("weight_scale_optional", "ones(1, 64)", TILING),
    ("activation_scale_optional", "ones(2)", TILING), ("bias_optional", "ones(64)", TILING),
    ("bias_optional", "None", 0), ("quant_scale_optional", "ones(32)", TILING),
    ("quant_scale_optional", "ones(2)", TILING), ("quant_scale_optional", "None", 0),
    ("quant_offset_optional", "ones(2, 32)", TILING), ("quant_mode_optional", "'static'", 0),
    ("quant_mode_optional", "'Dynamic'", TILING), ("quant_mode_optional", "None", 0),
    ("group_index_optional", "None", TILING),
    ("group_index_optional", "pa.asarray(np.array([[1, 2, 3]]))", TILING),
    ("group_index_optional", "pa.asarray(np.array([[2**40, 2**40], [-1, -1]]))", 0),
    ("group_index_optional", "pa.asarray(np.array([1, 2]))", 0), ("dst_type", "35", TILING),
    ("round_mode_optional", "'round'", TILING), ("round_mode_optional", "'rint'", 0),
    ("activate_dim", "1", 0), ("activate_dim", "2", TILING), ("activate_dim", "0", TILING),
    ("swiglu_mode", "1", 0), ("swiglu_mode", "2", TILING), ("clamp_limit", "0.0", TILING),
    ("clamp_limit", "float('inf')", TILING),
    ("y_out", "ones(3, 64, dtype='float8_e4m3fn')", TILING),
    ("y_out", "ones(3, 32, dtype='int8')", TILING), ("scale_out", "ones(3, 1)", TILING),
)  # fmt: skip


def found() -> dict[str, Any]:
    """Return the statuses of the calls."""
    codes = {"right": code_with("dequant_swiglu_quant_v2", right())}
    for argument, value, _ in WRONG:
        changed = {argument: eval(value)}
        codes[f"{argument}={value}"] = code_with("dequant_swiglu_quant_v2", right(), **changed)
    ungrouped = {
        "x": pa.zeros((4, 3, 64), "int32"), "weight_scale_optional": ones(64),
        "activation_scale_optional": None, "bias_optional": None, "quant_scale_optional": None,
        "group_index_optional": None, "activate_dim": 0,
        "y_out": ones(2, 3, 64, dtype="float8_e4m3fn"), "scale_out": ones(2, 3),
    }  # fmt: skip
    codes["first axis"] = code_with("dequant_swiglu_quant_v2", right(), **ungrouped)
    return codes


def test_the_950_refuses_what_cann_refuses() -> None:
    printed = found_on("Ascend950", "operators.test_dequant_swiglu_950", "found()")
    expected = {f"{argument}={value}": code for argument, value, code in WRONG}

    assert printed == {"right": 0, **expected, "first axis": NO_KERNEL}


def test_the_cases_of_the_selftest_pass() -> None:
    printed = output_of(
        "from pyaclnn.selftest.__main__ import main\n"
        "main(['--op', 'dequant_swiglu_quant', '--op', 'dequant_swiglu_quant_v2'])",
        PYACLNN_SIM_SOC="Ascend950",
    )  # fmt: skip

    assert "71 cases" in printed
    assert printed.rstrip().endswith("all passed")
