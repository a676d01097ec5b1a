"""Gated rows by groups on the 950, and modulated norms: operands that do not go together."""

from __future__ import annotations

from typing import Any

import pytest
from operators.calls import INVALID, TILING, ones
from operators.reasons import Written, assert_refused_on, written_reasons

import pyaclnn as pa

_ROWS, _GRAD, _QUANT, _NORM = (
    "swiglu_group", "swiglu_group_grad", "swiglu_group_quant_grad", "ada_layer_norm_backward",
)  # fmt: skip


def half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


def whole(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int64")


def right() -> dict[str, dict[str, Any]]:
    """Return the arguments of a right call of each operator."""
    gated = {
        "weight_optional": None, "y_origin_optional": None, "group_index_optional": None,
    }  # fmt: skip
    return {
        _ROWS: {
            "x": ones(2, 4), "weight_optional": ones(2, 1), "group_index_optional": None,
            "clamp_limit": -1.0, "out": ones(2, 2),
        },
        _GRAD: {
            **gated, "grad_y": ones(2, 2), "x": ones(2, 4), "clamp_limit": 0.0,
            "grad_x_out": ones(2, 4), "grad_weight_out_optional": None,
        },
        _QUANT: {
            **gated, "grad_y": half(2, 2), "x": half(2, 4), "clamp_limit": -1.0,
            "grad_x_out": half(2, 4), "grad_weight_out_optional": None,
        },
        _NORM: {
            "grad_out": ones(2, 3, 4), "input": ones(2, 3, 4), "normalized_shape": (4,),
            "rstd": ones(2, 3, 1), "mean": ones(2, 3, 1), "scale": ones(2, 4),
            "shift": ones(2, 4), "weight_optional": ones(4), "bias_optional": ones(4),
            "grad_input_out": ones(2, 3, 4), "grad_scale_out": ones(2, 4),
            "grad_shift_out": ones(2, 4), "grad_weight_out": ones(4), "grad_bias_out": ones(4),
        },
    }  # fmt: skip


_950: list[Written] = [
    (_ROWS, "", 0, ""), (_GRAD, "", 0, ""), (_QUANT, "", 0, ""),
    (_ROWS, "weight_optional=ones(2, *[1] * 7)", 0, ""),
    (_ROWS, "weight_optional=ones(2, *[1] * 8)", TILING, "it must have 1 to 8"),
    (_ROWS, "x=ones(1, 4), out=ones(1, 2), weight_optional=ones()", TILING, "it must have 1 to 8"),
    (_GRAD, "x=ones(3, 4), grad_x_out=ones(3, 4)", INVALID, "rows of twice the length"),
    (_GRAD, "grad_y=ones(2, 0), x=ones(2, 0), grad_x_out=ones(2, 0)", INVALID,
     "rows of no elements"),
    (_QUANT, "group_index_optional=whole(2)", 0, ""),
    (_QUANT, "group_index_optional=whole(1, 2)", TILING, "it must have one"),
    (_QUANT, "group_index_optional=whole(0)", TILING, "has 0 elements"),
]  # fmt: skip
_A2: list[Written] = [
    (_NORM, "", 0, ""),
    (_NORM, "grad_out=half(2, 3, 4), input=half(2, 3, 4), rstd=half(2, 3, 1), mean=half(2, 3, 1),"
     " scale=half(2, 4), shift=half(2, 4), grad_input_out=half(2, 3, 4), grad_scale_out=half(2, 4),"
     " grad_shift_out=half(2, 4)", 0, ""),
    (_NORM, "grad_out=half(2, 3, 4), input=half(2, 3, 4), rstd=half(2, 3, 1), mean=half(2, 3, 1),"
     " scale=half(2, 4), shift=half(2, 4), grad_input_out=half(2, 3, 4), grad_scale_out=half(2, 4),"
     " grad_shift_out=half(2, 4), bias_optional=half(4)", INVALID,
     "as weightOptional is"),
    (_NORM, "weight_optional=None", 0, ""),
    (_NORM, "weight_optional=None, grad_weight_out=half(4)", INVALID, "as biasOptional is"),
    (_NORM, "grad_input_out=ones(2, 4, 3)", INVALID, "gradInputOut has shape"),
]  # fmt: skip
LISTS = {"Ascend950": _950, "Ascend910B1": _A2}


def found(chip: str) -> list[list[Any]]:
    """Return the statuses and messages of all calls of a chip."""
    return written_reasons(right(), LISTS[chip], globals())


@pytest.mark.parametrize("chip", LISTS)
def test_operands_that_do_not_go_together_are_refused(chip: str) -> None:
    assert_refused_on(chip, "test_swiglu_checks", f"found({chip!r})", LISTS[chip])
