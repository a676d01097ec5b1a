"""Widths, axes and groups that the 310P takes, beside those of A2."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, TILING, ones
from operators.reasons import Written, assert_refused_on, written_reasons
from operators.test_bags import BIASED
from operators.test_quant_fused import _RIGHT as QUANTISED

import pyaclnn as pa


def half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def wide(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


_SOFTMAX, _GATE, _BYTES, _GROUPS = (
    "masked_softmax_with_rel_pos_bias", "swi_glu", "ascend_quant_v3", "grouped_matmul_v5",
)  # fmt: skip
_NORM, _QUANT_NORM = "add_rms_norm", "add_rms_norm_quant_v2"
RIGHT: dict[str, dict[str, Any]] = {
    _SOFTMAX: {**BIASED, "scale_value": 1.0, "inner_precision_mode": 0},
    _GATE: {"x": half(3, 64), "dim": -1, "out": half(3, 32)},
    _BYTES: {
        "x": half(4, 32), "scale": half(32), "offset": None, "sqrt_mode": False,
        "round_mode": "round", "dst_type": 2, "axis": -1, "y": pa.zeros((4, 32), "int8"),
    },
    _NORM: {
        "x1": half(2, 32), "x2": half(2, 32), "gamma": half(32), "epsilon": 1e-6,
        "y_out": half(2, 32), "rstd_out": ones(2, 1), "x_out": half(2, 32),
    },
    _QUANT_NORM: QUANTISED[_QUANT_NORM],
    _GROUPS: {
        **dict.fromkeys(p.name for p in pa.ops[_GROUPS].spec.inputs),
        "x": [half(5, 6)], "weight": [half(2, 6, 16)], "group_type": 0, "split_item": 3,
        "group_list_optional": pa.asarray(np.array([2, 5])), "group_list_type": 0, "act_type": 0,
        "out": ([half(5, 16)], None, None),
    },
}  # fmt: skip


def _row(width: int, of: str = "ones", *, masked: bool = False) -> str:
    row = f"{of}(1, 1, 1, {width})"
    mask = row if masked else None
    return f"x={row}, atten_mask_optional={mask}, relative_pos_bias={row}, out={row}"


def _windows(mask: str, bias: str = "2, 3, 8") -> str:
    return (
        f"x=ones(2, 4, 2, 3, 8), atten_mask_optional=ones({mask}),"
        f" relative_pos_bias=ones({bias}), out=ones(2, 4, 2, 3, 8)"
    )


def _halved(axis: int, lines: int, columns: int, of: str = "half") -> str:
    out = (lines // 2, columns) if axis == 0 else (lines, columns // 2)
    return f"x={of}({lines}, {columns}), dim={axis}, out={of}{out}"


def _short(width: int) -> str:
    rows = ", ".join(f"{name}=half(2, {width})" for name in ("x1", "x2", "x_out"))
    narrow = ", ".join(f"{name}=pa.zeros((2, {width}), 'int8')" for name in ("y1_out", "y2_out"))
    return f"{rows}, {narrow}, gamma=half({width}), scales1=ones({width})"


def _of_wide(*names: str) -> str:
    shapes = {"gamma": "32", "rstd_out": "2, 1"}
    return ", ".join(f"{name}=wide({shapes.get(name, '2, 32')})" for name in names)


_LONG, _MASK, _BIAS = "local memory", "attenMaskOptional has shape", "relativePosBias has shape"
_WIDE_NORM = _of_wide("x1", "x2", "gamma", "y_out", "x_out")
#: What the chip does not matter for.
_OF_BOTH: list[Written] = [
    *((name, "", 0, "") for name in RIGHT),
    *(
        (_SOFTMAX, _windows(mask), status, _MASK if status else "")
        for mask, status in (
            ("4, 3, 8", 0), ("4, 1, 3, 8", 0), ("1, 4, 1, 3, 8", 0), ("2, 3, 8", TILING),
            ("4, 2, 3, 8", TILING), ("2, 4, 1, 3, 8", TILING), ("1, 4, 2, 3, 8", TILING),
            ("3, 8", TILING), ("4, 2, 8", TILING), ("4, 3, 16", TILING), ("0, 3, 8", TILING),
        )
    ),
    *(
        (_SOFTMAX, _windows("4, 3, 8", bias), status, _BIAS if status else "")
        for bias, status in (
            ("1, 2, 3, 8", 0), ("1, 1, 2, 3, 8", 0), ("1, 3, 8", TILING), ("2, 2, 3, 8", TILING),
            ("2, 1, 2, 3, 8", TILING), ("1, 4, 2, 3, 8", TILING), ("3, 8", TILING),
        )
    ),
    (_GATE, "dim=2", TILING, "dim is 2"), (_GATE, "dim=-3", TILING, "dim is -3"),
    (_GATE, "dim=0", TILING, "odd extent 3"), (_GATE, "out=half(3, 31)", TILING, "out has shape"),
    (_BYTES, "axis=1", 0, ""), (_BYTES, "scale=half(1)", 0, ""),
    (_BYTES, "scale=half(31)", INVALID, "scale has shape"),
    (_GROUPS, "bias_optional=[half(2, 16)]", 0, ""),
]  # fmt: skip
_ON_A2: list[Written] = [
    *_OF_BOTH, (_SOFTMAX, _row(8176), 0, ""), (_SOFTMAX, _row(8177), TILING, _LONG),
    (_SOFTMAX, _row(8176, "half"), 0, ""), (_SOFTMAX, _row(8177, "half"), TILING, _LONG),
    (_SOFTMAX, _row(6128, masked=True), 0, ""), (_SOFTMAX, _row(6129, masked=True), TILING, _LONG),
    (_SOFTMAX, _row(6129, "half", masked=True), TILING, _LONG), (_SOFTMAX, _row(7), 0, ""),
    (_GATE, _halved(1, 3, 48), 0, ""), (_GATE, _halved(0, 2, 16), 0, ""),
    (_BYTES, "axis=0, scale=half(4)", 0, ""), (_BYTES, "axis=-2, scale=half(4)", 0, ""),
    (_BYTES, "axis=2", INVALID, "axis is 2"), (_BYTES, "axis=-3", INVALID, "axis is -3"),
    *((_BYTES, f"x=half(2, 4, 32), y=pa.zeros((2, 4, 32), 'int8'), axis={axis}, scale=half({n})",
       status, words) for axis, n, status, words in (
        (1, 4, 0, ""), (-2, 4, 0, ""), (2, 32, 0, ""), (0, 2, INVALID, "one of the last two"),
        (-3, 2, INVALID, "one of the last two"),
    )),
    (_NORM, _WIDE_NORM, 0, ""), (_QUANT_NORM, _short(31), 0, ""),
    (_GROUPS, "weight=[half(2, 6, 15)], out=([half(5, 15)], None, None)", 0, ""),
    (_GROUPS, "x=[half(2, 6), half(3, 6)], weight=[half(6, 16)] * 2, group_type=-1, split_item=0,"
     " out=([half(2, 16), half(3, 16)], None, None), group_list_optional=None", 0, ""),
]  # fmt: skip
_ON_310P: list[Written] = [
    *_OF_BOTH, (_SOFTMAX, _row(10896), 0, ""), (_SOFTMAX, _row(10904), TILING, _LONG),
    (_SOFTMAX, _row(8176, masked=True), 0, ""), (_SOFTMAX, _row(8184, masked=True), TILING, _LONG),
    (_SOFTMAX, _row(12), TILING, "multiple of 32 bytes"), (_SOFTMAX, _row(16, "half"), 0, ""),
    (_SOFTMAX, _row(8, "half"), TILING, "multiple of 32 bytes"),
    (_GATE, _halved(1, 3, 48), TILING, "rows of 24 elements"), (_GATE, _halved(1, 3, 128), 0, ""),
    (_GATE, _halved(1, 3, 32, "ones"), 0, ""), (_GATE, _halved(0, 4, 16), 0, ""),
    (_GATE, _halved(1, 3, 16, "ones"), TILING, "rows of 8 elements"),
    (_GATE, _halved(0, 2, 16), TILING, "rows of 16 elements"),
    (_BYTES, "axis=0, scale=half(4)", INVALID, "it must be the last"),
    (_BYTES, "axis=-2, scale=half(4)", INVALID, "it must be the last"),
    (_NORM, _WIDE_NORM, INVALID, "x1 is bfloat16"),
    (_QUANT_NORM, _short(31), INVALID, "fewer than 32 elements"),
    (_QUANT_NORM, _short(32), 0, ""),
    (_GROUPS, "weight=[half(2, 6, 15)], out=([half(5, 15)], None, None)", INVALID, "columns by 16"),
    (_GROUPS, "x=[half(2, 6), half(3, 6)], weight=[half(6, 16)] * 2, group_type=-1, split_item=0,"
     " out=([half(2, 16), half(3, 16)], None, None), group_list_optional=None", INVALID,
     "groups are rows"),
    (_GROUPS, "group_type=2", INVALID, "groups are rows"),
    (_GROUPS, "weight=[half(6, 16)] * 2", INVALID, "groups are rows"),
    (_GROUPS, "x=[ones(5, 6)], weight=[ones(2, 6, 16)], out=([ones(5, 16)], None, None)", INVALID,
     "x[0] is float32"),
]  # fmt: skip
LISTS = {"Ascend910B1": _ON_A2, "Ascend310P3": _ON_310P}


def found(chip: str) -> list[list[Any]]:
    """Return the statuses and messages of all calls of a chip."""
    return written_reasons(RIGHT, LISTS[chip], globals())


@pytest.mark.parametrize("chip", LISTS)
def test_sizes_are_those_of_the_chip(chip: str) -> None:
    assert_refused_on(chip, "test_sizes_of_chips", f"found({chip!r})", LISTS[chip])
