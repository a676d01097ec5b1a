"""What products of parts refuse: floats of 8 bits on the 950, int4 and blocks elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from operators.calls import (
    INVALID,
    NO_KERNEL,
    TILING,
    hifloat8,
    ones,
    powers,
)
from operators.reasons import Written, assert_refused_on, changes, reason_of

import pyaclnn as pa
from pyaclnn.collective import Communicator
from pyaclnn.tensor.formats import with_format

_E4M3, _E5M2 = "float8_e4m3fn", "float8_e5m2"
_TILE_GROUPS = 128 | 128 << 16 | 128 << 32


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _small(*shape: int, dtype: str = _E4M3) -> pa.Tensor:
    return ones(*shape, dtype=dtype)


def _int4(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int4")


def _in_blocks(dtype: str = "float16") -> pa.Tensor:
    """Return a weight of 256 by 16 in FRACTAL_NZ."""
    return with_format(ones(1, 16, 16, 16, dtype=dtype), "FRACTAL_NZ", shape=(256, 16),
                       storage_shape=(1, 16, 16, 16))  # fmt: skip


_SCALED: dict[str, Any] = {
    "x2": _small(256, 16, dtype=_E5M2), "bias": ones(16), "x1_scale": ones(1),
    "x2_scale": ones(1), "quant_scale": None, "block_size": 0, "comm_turn": 0, "stream_mode": 1,
    "group_size": 0, "comm_mode": "ccu",
}  # fmt: skip
_GATHER: dict[str, Any] = {
    **_SCALED, "x1": _small(3, 256), "gather_index": 0, "output": ones(6, 16),
    "gather_out": _small(6, 256), "amax_out": False,
}  # fmt: skip
_SCATTER: dict[str, Any] = {
    **_SCALED, "x1": _small(4, 256), "reduce_op": "sum", "output": ones(2, 16),
    "amax_out_optional": False,
}  # fmt: skip
_TILED: dict[str, Any] = {"bias": None, "x1_scale": ones(1, 2), "x2_scale": ones(2, 1)}
_IN_GROUPS: dict[str, Any] = {"x2": _small(16, 256).T, "x2_scale": powers(16, 4, 2)}
_G, _S = "all_gather_matmul_v2", "matmul_reduce_scatter_v2"
RIGHT = {
    f"{_G} one": _GATHER, f"{_S} one": _SCATTER,
    f"{_G} tiles": {**_GATHER, **_TILED, "x1": _small(128, 256), "group_size": _TILE_GROUPS,
                    "output": ones(256, 16), "gather_out": False},
    f"{_S} tiles": {**_SCATTER, **_TILED, "group_size": _TILE_GROUPS},
    f"{_G} mx": {**_GATHER, **_IN_GROUPS, "x1_scale": powers(3, 4, 2)},
    f"{_S} mx": {**_SCATTER, **_IN_GROUPS, "x1_scale": powers(4, 4, 2)},
}  # fmt: skip

_BOTH: list[Written] = [
    ("one", "x1=ones(4, 256)", INVALID, "x1 is float32"),
    ("one", "x2=_half(256, 16)", 0, "x2 is float16"),
    ("one", "x1=_half(4, 256)", INVALID, ""),
    ("one", "x1=hifloat8(4, 256)", INVALID, "x2 is float8_e5m2"),
    ("one", "output=pa.zeros((2, 16), 'int8')", INVALID, "output is int8"),
    ("one", "bias=pa.zeros((16,), 'int32')", INVALID, "bias is int32"),
    ("one", "bias=ones(15)", TILING, "bias has not a value"), ("one", "bias=None", 0, ""),
    ("one", "x1_scale=None", INVALID, "x1Scale is needed"),
    ("one", "x2_scale=None", INVALID, "x2Scale is needed"),
    ("one", "stream_mode=0", INVALID, ""), ("one", "x2=_small(255, 16)", INVALID, "depths"),
    ("one", "x1_scale=_half(1)", NO_KERNEL, ""), ("one", "x2_scale=powers(1)", NO_KERNEL, ""),
    ("one", "x1_scale=ones(2)", TILING, "x1Scale has shape [2]"),
    ("one", "x2_scale=ones(16)", TILING, "x2Scale [16]"),
    ("one", "x2_scale=ones(1, 1)", TILING, "x2Scale [1, 1]"),
    ("one", "group_size=32", TILING, "groupSize is 32"),
    ("one", "quant_scale=ones(1)", TILING, "quantScale must be null"),
    ("tiles", "bias=ones(16)", TILING, "bias is given"),
    ("tiles", "group_size=128", TILING, ""), ("tiles", "x1_scale=ones(1, 3)", TILING, "x1Scale"),
    ("tiles", "x2_scale=ones(1, 2)", TILING, "x2Scale"),
    ("mx", "x2=_small(256, 16)", TILING, "x2 is not transposed"),
    ("mx", "x1_scale=powers(2, 4, 2)", TILING, "x1Scale"),
    ("mx", "x2_scale=powers(16, 3, 2)", TILING, "x2Scale"),
    ("mx", "x2_scale=powers(16, 4, 2).transpose((1, 0, 2))", 0, ""),
    ("mx", "group_size=64", TILING, "and 64"),
    ("mx", "group_size=32 | 1 << 16 | 1 << 32", 0, ""),
]  # fmt: skip


def _of(operator: str, kind: str, changed: str, status: int, words: str) -> Written:
    if changed == "x2=_half(256, 16)":  # One looks at it, for the other there is no kernel.
        status, words = (NO_KERNEL, "") if operator == _G else (INVALID, words)
    return f"{operator} {kind}", changed, status, words


CALLS: list[Written] = [
    *((name, "", 0, "") for name in RIGHT),
    *(_of(operator, *case) for operator in (_G, _S) for case in _BOTH),
    (f"{_G} one", "bias=_half(16)", INVALID, "bias is float16"),
    (f"{_S} one", "bias=_half(16)", NO_KERNEL, ""),
    (f"{_G} one", "amax_out=ones(1)", TILING, "amaxOut must be null or empty"),
    (f"{_G} one", "amax_out=ones(2)", INVALID, "amaxOut has shape"),
    (f"{_G} one", "amax_out=ones(0)", 0, ""),
    (f"{_G} one", "amax_out=_half(1)", INVALID, "amaxOut is float16"),
    (f"{_S} one", "amax_out_optional=ones(0)", INVALID, "amaxOutOptional must be null"),
    (f"{_G} one", "quant_scale=ones(2)", INVALID, "quantScale has shape"),
    (f"{_G} one", "x1=_small(0, 256), output=ones(0, 16), gather_out=False", 0, ""),
    (f"{_G} one", "x2=_small(256, 0), bias=None, output=ones(6, 0)", 0, ""),
    (f"{_S} one", "x2=_small(256, 0), bias=None, output=ones(2, 0)", 0, ""),
    (f"{_G} one", "gather_out=_half(6, 256)", INVALID, "gatherOut"),
    (f"{_G} one", "gather_out=_small(5, 256)", TILING, "gatherOut has shape"),
    (f"{_G} one", "output=ones(5, 16)", TILING, "output has shape"),
    (f"{_S} one", "x1=_small(3, 256)", TILING, "3 rows, not a multiple"),
    (f"{_S} one", "x1_scale=ones(0)", INVALID, "x1Scale is needed"),
    (f"{_S} one", "x1_scale=ones(1, 4, 2)", INVALID, "x1Scale has 3 dimensions"),
    (f"{_G} one", "x1_scale=ones(1, 4, 2)", TILING, "x1Scale has shape"),
    (f"{_G} tiles", "x1=_small(127, 256), output=ones(254, 16)", TILING, "127 rows, not"),
    (f"{_G} tiles", "group_size=128 << 16", 0, ""),
    (f"{_G} tiles", "group_size=0", TILING, "128, 16 and 128"),
    (f"{_S} tiles", "group_size=128 << 16", TILING, "stands for 4 rows"),
    (f"{_S} one", "reduce_op='max'", TILING, "reduceOp"),
    *((name, "comm_mode='ai_cpu'", 0, "") for name in (f"{_G} one", f"{_S} one")),
    *((name, "comm_mode='aiv'", INVALID, "commMode is") for name in (f"{_G} one", f"{_S} one")),
]
#: Before CANN 9.1.
EARLIER: list[Written] = [
    *((name, "", 0, "") for name in RIGHT),
    *((name, "comm_mode='ai_cpu'", TILING, "commMode") for name in (f"{_G} one", f"{_S} one")),
]

_HALVES = {"x1": _half(4, 256), "x2": _in_blocks(), "bias": None, "x1_scale": None,
           "x2_scale": None, "output": _half(2, 16), "comm_mode": "aiv"}  # fmt: skip
_FEW = {"x1": _int4(3, 256), "x2": _int4(256, 16), "bias": None, "x1_scale": None,
        "x2_scale": ones(16), "output": _half(6, 16), "gather_out": _int4(6, 256),
        "comm_mode": "aiv"}  # fmt: skip
OTHERS = {
    f"{_G} int4": {**_GATHER, **_FEW}, f"{_S} blocks": {**_SCATTER, **_HALVES},
    f"{_G} int8": {**_GATHER, **_FEW, "x1": pa.zeros((3, 256), "int8"),
                   "x2": pa.zeros((256, 16), "int8"), "gather_out": False},
}  # fmt: skip
ON_A2: list[Written] = [
    *((name, "", 0, "") for name in OTHERS),
    (f"{_G} int4", "x1_scale=ones(3, 1)", 0, ""), (f"{_G} int4", "x2_scale=None", TILING, "null"),
    (f"{_G} int4", "x2_scale=pa.zeros((16,), 'int64')", NO_KERNEL, ""),
    (f"{_G} int8", "x2_scale=pa.zeros((16,), 'int64')", 0, ""),
    (f"{_G} int4", "x2=pa.zeros((256, 16), 'int8')", TILING, "x1 and x2 differ"),
    (f"{_G} int4", "x2=_int4(256, 15), x2_scale=ones(15), output=_half(6, 15)", TILING,
     "x2 15 columns"),
    (f"{_G} int4", "x1=_int4(3, 257), x2=_int4(257, 16), gather_out=False", TILING, "of 257"),
    (f"{_G} int4", "gather_out=pa.zeros((6, 256), 'int8')", INVALID, "gatherOut"),
    (f"{_G} int4", "x1=_small(3, 256)", INVALID, "x1 is float8"),
    (f"{_S} blocks", "x1=_small(4, 256)", INVALID, "x1 is float8"),
    (f"{_S} blocks", "x1=_half(4, 257)", INVALID, "the depths differ"),
    (f"{_S} blocks", "bias=ones(16)", 0, ""),
]  # fmt: skip
ELSEWHERE: list[Written] = [
    (f"{_G} int4", "comm_mode='ccu'", INVALID, "x1 is int4"),
    (f"{_S} blocks", "comm_mode='ccu'", NO_KERNEL, ""),
    (f"{_S} blocks", "comm_mode='ccu', x2=_half(256, 16)", 0, ""),
]


def of_two(right: dict[str, dict[str, Any]], calls: list[Written]) -> list[list[Any]]:
    """Return statuses and reasons of the first phases of calls on one of two devices."""
    group = Communicator.all_devices([pa.Device(0), pa.Device(1)])[0]
    names = {**globals(), "hifloat8": hifloat8}
    return [
        reason_of(name.split()[0], {**right[name], "group": group}, changes(text, names),
                  runs=False)
        for name, text, _, _ in calls
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("chip", "release", "right", "calls"),
    [
        ("Ascend950", "9.1", "RIGHT", "CALLS"), ("Ascend950", "9.0", "RIGHT", "EARLIER"),
        ("Ascend910B1", "9.1", "OTHERS", "ON_A2"), ("Ascend910_9391", "9.1", "OTHERS", "ON_A2"),
        ("Ascend950", "9.1", "OTHERS", "ELSEWHERE"),
    ],
)  # fmt: skip
def test_products_of_parts_refuse_what_cann_refuses(
    monkeypatch: pytest.MonkeyPatch, chip: str, release: str, right: str, calls: str
) -> None:
    monkeypatch.setenv("PYACLNN_SIM_DEVICES", "2")
    monkeypatch.setenv("PYACLNN_SIM_CANN", release)

    assert_refused_on(
        chip, "test_parts_950", f"of_two(found.{right}, found.{calls})", globals()[calls]
    )
