"""What the 950 refuses of sums that a gate follows, and that the selftest's cases pass there."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import output_of
from operators.calls import INVALID, NO_KERNEL, TILING, ones
from operators.reasons import Written, assert_refused_on, written_reasons

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


_OPERATOR = "dequant_swiglu_quant_v2"
#: What is changed, the status, and words of the reason.
_WRONG: tuple[tuple[str, int, str], ...] = (
    ("", 0, ""), ("x=ones(3, 64, dtype='float16')", TILING, "beside x of floats"),
    ("x=ones(3, 64)", INVALID, "x is float32"), ("x=sums(3, 63)", TILING, "whose axis 1 is odd"),
    ("x=sums(0, 64)", TILING, "2 to 8 dimensions"), ("x=sums(64)", TILING, "2 to 8 dimensions"),
    ("weight_scale_optional=None", TILING, "weightScaleOptional is null"),
    ("weight_scale_optional=ones(64)", TILING, "weightScaleOptional has shape"),
    ("weight_scale_optional=ones(1, 64)", TILING, "weightScaleOptional has shape"),
    ("activation_scale_optional=ones(2)", TILING, "activationScaleOptional has shape"),
    ("bias_optional=ones(64)", TILING, "biasOptional has shape"), ("bias_optional=None", 0, ""),
    ("quant_scale_optional=ones(32)", TILING, "quantScaleOptional has shape"),
    ("quant_scale_optional=ones(2)", TILING, "quantScaleOptional has shape"),
    ("quant_scale_optional=None", 0, ""),
    ("quant_offset_optional=ones(2, 32)", TILING, "quantOffsetOptional is given beside dynamic"),
    *((f"quant_mode_optional='static', {changed}", *answer) for changed, *answer in (
        ("", 0, ""), ("quant_scale_optional=None", TILING, "quantScaleOptional is null"),
        ("quant_scale_optional=ones(2)", 0, ""), ("quant_scale_optional=ones(2, 1)", 0, ""),
        ("quant_scale_optional=ones(1)", TILING, "quantScaleOptional has shape"),
        ("quant_offset_optional=ones(2, 32)", 0, ""),
        ("quant_offset_optional=ones(2)", TILING, "has not as many elements"),
    )),
    ("quant_mode_optional='Dynamic'", TILING, "quantModeOptional is"),
    ("quant_mode_optional=None", 0, ""),
    ("group_index_optional=None", TILING, "in 1 groups"),
    ("group_index_optional=pa.asarray(np.array([[1, 2, 3]]))", TILING, "groupIndexOptional has"),
    ("group_index_optional=pa.zeros((1, 2, 1), 'int64')", TILING, "groupIndexOptional has"),
    ("group_index_optional=pa.zeros((0,), 'int64')", TILING, "groupIndexOptional is empty"),
    ("group_index_optional=pa.asarray(np.array([[2**40, 2**40], [-1, -1]]))", 0, ""),
    ("group_index_optional=pa.asarray(np.array([1, 2]))", 0, ""),
    ("dst_type=35", TILING, "dstType is 35, yOut is of 36"),
    ("round_mode_optional='round'", TILING, "roundModeOptional is"),
    ("round_mode_optional='rint'", 0, ""), ("activate_dim=1", 0, ""),
    ("activate_dim=-2", TILING, "whose axis 0 is odd"),
    ("activate_dim=2", TILING, "activateDim is 2"), ("activate_dim=-3", TILING, "activateDim is"),
    ("activate_dim=0", TILING, "whose axis 0 is odd"),
    ("activate_dim=0, x=sums(4, 64)", TILING, "groups go with the last axis"),
    ("swiglu_mode=1", 0, ""), ("swiglu_mode=2", TILING, "swigluMode is 2"),
    ("swiglu_mode=-1", TILING, "swigluMode is -1"),
    ("clamp_limit=0.0", TILING, "clampLimit is 0"),
    ("clamp_limit=float('inf')", TILING, "clampLimit is inf"),
    ("y_out=ones(3, 64, dtype='float8_e4m3fn')", TILING, "yOut has shape [3, 64]"),
    ("y_out=ones(3, 32, dtype='int8')", TILING, "dstType is 36, yOut is of 2"),
    ("scale_out=ones(3, 1)", TILING, "scaleOut has shape [3, 1]"),
    ("x=sums(4, 3, 64), weight_scale_optional=ones(64), activation_scale_optional=None,"
     " bias_optional=None, quant_scale_optional=None, group_index_optional=None, activate_dim=0,"
     " y_out=ones(2, 3, 64, dtype='float8_e4m3fn'), scale_out=ones(2, 3)", NO_KERNEL, ""),
)  # fmt: skip
WRONG: list[Written] = [(_OPERATOR, *case) for case in _WRONG]


def sums(*shape: int) -> pa.Tensor:
    """Return sums of a product of int8."""
    return pa.zeros(shape, "int32")


def found() -> list[list[Any]]:
    """Return the statuses of the calls, and their reasons."""
    return written_reasons({_OPERATOR: right()}, WRONG, globals())


def test_the_950_refuses_what_cann_refuses() -> None:
    assert_refused_on("Ascend950", "test_dequant_swiglu_950", "found()", WRONG)


def test_the_cases_of_the_selftest_pass() -> None:
    printed = output_of(
        "from pyaclnn.selftest.__main__ import main\n"
        "main(['--op', 'dequant_swiglu_quant', '--op', 'dequant_swiglu_quant_v2'])",
        PYACLNN_SIM_SOC="Ascend950",
    )  # fmt: skip

    assert "71 cases" in printed
    assert printed.rstrip().endswith("all passed")
