"""What sums of quantised products refuse on the 950, on one rank: types, scales, what is sent."""

from __future__ import annotations

from typing import Any

import pytest
from children import found_on
from operators.calls import (
    INVALID,
    NO_KERNEL,
    NULL,
    TILING,
    code_with,
    hifloat8,
    ones,
    powers,
)
from operators.reasons import Written, assert_refused_on, reason_of, written_reasons

import pyaclnn as pa
from pyaclnn.collective import Communicator
from pyaclnn.selftest.communicators import alone
from pyaclnn.tensor.formats import with_format

_E4M3, _E5M2 = "float8_e4m3fn", "float8_e5m2"
_FLOAT4 = "float4_e2m1fn"


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _small(*shape: int, dtype: str = _E4M3) -> pa.Tensor:
    return ones(*shape, dtype=dtype)


def _bytes(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int8")


def _words(*shape: int, dtype: str = "uint64") -> pa.Tensor:
    return pa.zeros(shape, dtype)


def _in_blocks() -> pa.Tensor:
    return with_format(_bytes(1, 4, 16, 32), "FRACTAL_NZ", shape=(64, 6),
                       storage_shape=(1, 4, 16, 32))  # fmt: skip


_ROWS: dict[str, Any] = {
    "x1": _small(3, 64), "x2": _small(64, 6, dtype=_E5M2), "bias_optional": ones(6),
    "x3_optional": None, "x1_scale_optional": ones(3), "x2_scale": ones(6),
    "comm_quant_scale1_optional": None, "comm_quant_scale2_optional": None, "group": alone(),
    "reduce_op": "sum", "comm_turn": 0, "stream_mode": 1, "group_size": 0, "comm_quant_mode": 0,
    "output": ones(3, 6),
}  # fmt: skip
_STATIC = {**_ROWS, "x1_scale_optional": None, "x2_scale": _words(6), "output": _half(3, 6)}
_WHOLE = {**_STATIC, "x1": _bytes(3, 64), "x2": _bytes(64, 6), "bias_optional": None}
_TILES = {
    **_ROWS, "x1": _small(2, 128, 256), "x2": _small(256, 130), "bias_optional": None,
    "x1_scale_optional": ones(2, 1, 2), "x2_scale": ones(2, 2), "output": ones(2, 128, 130),
    "group_size": 128 | 128 << 16 | 128 << 32,
}  # fmt: skip
_MX = {**_ROWS, "x1": _small(2, 3, 64), "x2": _small(6, 64).T, "output": ones(2, 3, 6),
       "x1_scale_optional": powers(3, 1, 2), "x2_scale": powers(6, 1, 2)}  # fmt: skip
_NAME = "quant_matmul_all_reduce_v4"
RIGHT = {
    f"{_NAME} {name}": given
    for name, given in (
        ("rows", _ROWS), ("static", _STATIC), ("whole", _WHOLE), ("tiles", _TILES), ("mx", _MX),
        ("sent", {**_ROWS, "comm_quant_mode": 1}),
    )
}  # fmt: skip

#: Weights of floats and of integers.
_WEIGHT: dict[str, Any] = {
    "x1": _half(3, 64), "x2": _small(64, 32), "bias": _half(32), "antiquant_scale": _half(32),
    "antiquant_offset": None, "x3": _half(3, 32), "group": alone(), "reduce_op": "sum",
    "comm_turn": 0, "stream_mode": 1, "antiquant_group_size": 0, "output": _half(3, 32),
}  # fmt: skip
_RESTORED = "weight_quant_matmul_all_reduce"
RIGHT[f"{_RESTORED} floats"] = _WEIGHT
RIGHT[f"{_RESTORED} groups"] = {
    **_WEIGHT, "x2": _bytes(64, 32), "antiquant_scale": _half(2, 32), "antiquant_group_size": 32,
}  # fmt: skip

_SENT_INT8 = "comm_quant_scale1_optional=_half(6), comm_quant_scale2_optional=_half(6)"
_REFUSED: list[Written] = [
    ("rows", "x1=None", NULL, ""), ("rows", "x2_scale=None", NULL, ""),
    ("rows", "reduce_op=None", NULL, ""),
    ("rows", "x1=ones(3, 64)", INVALID, "x1 is float32"),
    ("rows", "x2_scale=_half(6)", INVALID, "x2Scale is float16"),
    ("rows", "output=_bytes(3, 6)", INVALID, "output is int8"),
    ("rows", "bias_optional=_half(6)", INVALID, "biasOptional is float16"),
    ("rows", "x3_optional=_half(3, 6)", INVALID, "x3Optional"),
    ("rows", "x3_optional=_half(3, 6), output=_half(3, 6)", 0, ""),
    ("rows", "x1_scale_optional=_half(3)", INVALID, "x1ScaleOptional is float16"),
    ("rows", "output=_half(3, 6)", 0, ""), ("whole", "output=ones(3, 6)", INVALID, "output is"),
    ("whole", "x3_optional=ones(3, 6)", INVALID, "x3Optional is float32"),
    ("rows", "reduce_op='max'", INVALID, ""), ("rows", "stream_mode=0", INVALID, ""),
    ("rows", "x1=_small(3, 63)", INVALID, "the depths differ"),
    ("rows", "x1=_small(1, 1, 3, 64)", INVALID, "dimensions"),
    ("rows", "output=ones(3, 5)", INVALID, "output has shape"),
    ("rows", "bias_optional=ones(1, 6)", INVALID, "biasOptional has shape"),
    ("rows", "x1=_small(0, 64), output=ones(0, 6)", INVALID, "output is empty"),
    # What no kernel has.
    ("rows", "bias_optional=pa.zeros((6,), 'int32')", NO_KERNEL, ""),
    ("rows", "x1=_bytes(3, 64), output=_half(3, 6)", NO_KERNEL, ""),
    ("rows", "x1=hifloat8(3, 64)", NO_KERNEL, ""),
    ("rows", "x1=hifloat8(3, 64), x2=hifloat8(64, 6)", 0, ""),
    ("rows", "x1_scale_optional=powers(3, 1, 2)", NO_KERNEL, ""),
    ("rows", "x2_scale=ones(6, dtype='bfloat16')", NO_KERNEL, ""),
    ("rows", "x1=_small(3, 64, dtype=_FLOAT4), x2=_small(64, 6, dtype=_FLOAT4)", NO_KERNEL, ""),
    ("mx", "x1_scale_optional=ones(3)", NO_KERNEL, ""),
    ("mx", "x1=hifloat8(2, 3, 64), x2=with_format(hifloat8(6, 64), 'ND', shape=(64, 6), "
     "strides=(1, 64), dtype='hifloat8')", NO_KERNEL, ""),
    ("whole", "bias_optional=ones(6)", NO_KERNEL, ""),
    ("whole", "x2_scale=powers(6)", NO_KERNEL, ""),
    ("whole", "x1_scale_optional=powers(3), x2_scale=ones(6)", NO_KERNEL, ""),
    # What the kernel's tiling finds.
    ("rows", "comm_turn=1", TILING, "commTurn is 1"), ("rows", "group='nobody'", TILING, ""),
    ("rows", "group_size=32", TILING, "groupSize is 32"),
    ("whole", "group_size=32", TILING, "groupSize is 32"),
    ("rows", "x1_scale_optional=ones(2)", TILING, "x1ScaleOptional has shape"),
    ("rows", "x1_scale_optional=ones(3, 1)", TILING, "x1ScaleOptional has shape"),
    ("rows", "x2_scale=ones(5)", TILING, "x2Scale has shape"),
    ("rows", "x2_scale=ones(1)", 0, ""), ("rows", "x2_scale=ones(1, 6)", 0, ""),
    ("rows", "x1_scale_optional=None", TILING, "float32 beside x1ScaleOptional"),
    ("rows", "x2_scale=_words(6)", TILING, "float32 beside x1ScaleOptional"),
    ("static", "x2_scale=_words(1, dtype='int64')", 0, ""),
    ("static", "x2_scale=_words(5)", TILING, "x2Scale has shape"),
    ("static", "output=ones(3, 6)", 0, ""),
    ("rows", _SENT_INT8 + ", output=_half(3, 6)", TILING, "are of int8"),
    ("whole", _SENT_INT8, 0, ""), ("whole", "comm_quant_mode=1", TILING, "commQuantMode is 1"),
    ("whole", "comm_quant_scale1_optional=_half(6)", TILING, "go together"),
    ("whole", "x2=_in_blocks()", TILING, "x2 must be ND"),
    ("whole", "x2_scale=ones(6)", TILING, "uint64 or int64 without"),
    ("whole", "x1=_bytes(3, 65536), x2=_bytes(65536, 6)", TILING, "depth of 65536"),
    ("whole", "x1=_bytes(3, 65535), x2=_bytes(65535, 6)", 0, ""),
    ("rows", "x1=_small(3, 1), x2=_small(1, 65536), x2_scale=ones(1), bias_optional=None, "
     "output=ones(3, 65536)", TILING, "last axis of x2 65536"),
    ("rows", "x1=_small(3, 1), x2=_small(65536, 1).T, x2_scale=ones(1), bias_optional=None, "
     "output=ones(3, 65536)", 0, ""),
    ("rows", "x1=_small(3, 0), x2=_small(0, 6)", TILING, "a depth of 0"),
    # Scales of tiles.
    ("tiles", "group_size=0", TILING, "128, 65 and 128"),
    ("tiles", "group_size=128 << 16", 0, ""), ("tiles", "bias_optional=ones(130)", TILING, "bias"),
    ("tiles", "group_size=64 | 128 << 16 | 128 << 32", TILING, "128, 128 and 64"),
    ("tiles", "group_size=128 | 128 << 16 | 1 << 32", TILING, "stands for 1 rows"),
    ("tiles", "x1_scale_optional=ones(2, 2)", TILING, "x1ScaleOptional has 2 dimensions"),
    ("tiles", "x1_scale_optional=ones(1, 1, 2)", TILING, "x1Scale"),
    ("tiles", "x1_scale_optional=ones(2, 2, 2)", TILING, "x1Scale"),
    ("tiles", "x2_scale=ones(2, 1)", TILING, "x2Scale"),
    ("tiles", "comm_quant_mode=1", TILING, "commQuantMode is 1"),
    # Powers of two for 32 of the depth.
    ("mx", "group_size=32 | 1 << 16 | 1 << 32", 0, ""), ("mx", "group_size=64", TILING, "and 64"),
    ("mx", "x2=_small(64, 6)", TILING, "not transposed"),
    ("mx", "x1_scale_optional=None", TILING, "x1ScaleOptional is null"),
    ("mx", "x1_scale_optional=powers(6, 1, 2)", TILING, "x1Scale"),
    ("mx", "x1_scale_optional=powers(3, 2)", TILING, "x1Scale"),
    ("mx", "x2_scale=powers(6, 2, 2)", TILING, "x2Scale"),
    ("mx", "x2_scale=powers(6, 1, 2).transpose((1, 0, 2))", 0, ""),
    ("mx", "x2_scale=powers(1, 6, 2).transpose((1, 0, 2))", TILING, "x2Scale"),
    ("mx", "comm_quant_mode=1", TILING, "commQuantMode is 1"),
    ("mx", "x1=_small(2, 3, 64, dtype=_FLOAT4), x2=_small(6, 64, dtype=_FLOAT4).T", 0, ""),
    ("mx", "x1=_small(2, 3, 32, dtype=_FLOAT4), x2=_small(6, 32, dtype=_FLOAT4).T", TILING,
     "the depth of float4 is 32"),
    # What is sent in 8 bits.
    ("sent", "x1=hifloat8(3, 64), x2=hifloat8(64, 6)", TILING, "commQuantMode is 1, x1 hif"),
    ("sent", "x1_scale_optional=None, x2_scale=_words(6)", TILING, "commQuantMode is 1"),
]  # fmt: skip
_UNRESTORED: list[Written] = [
    ("floats", "x2=hifloat8(64, 32)", 0, ""), ("floats", "antiquant_scale=_half(1, 32)", 0, ""),
    ("floats", "x2=_small(32, 64).T", 0, ""),
    ("floats", "x2=_small(64, 32, dtype=_E5M2)", INVALID, "x2 is float8_e5m2"),
    ("floats", "antiquant_scale=ones(32)", INVALID, "antiquantScale is float32"),
    ("floats", "bias=ones(32)", INVALID, "bias is float32"),
    ("floats", "antiquant_scale=_half(31)", INVALID, "antiquantScale has shape"),
    ("floats", "antiquant_offset=_half(32)", TILING, "no antiquantOffset"),
    ("floats", "antiquant_scale=_half(1)", TILING, "a scale for each column"),
    ("floats", "antiquant_scale=_half(2, 32), antiquant_group_size=32", TILING, "each column"),
    ("groups", "x2=pa.zeros((64, 32), 'int4')", TILING, "not multiples of 64"),
    ("groups", "x1=_half(3, 65), x2=_bytes(65, 32), antiquant_scale=_half(3, 32)", TILING,
     "not multiples of 32"),
    ("groups", "x2=_bytes(64, 31), bias=None, x3=None, output=_half(3, 31), "
     "antiquant_scale=_half(2, 31)", TILING, "31 columns"),
    ("floats", "x1=_half(3, 65536), x2=_small(65536, 32)", TILING, "65535 at most"),
    ("floats", "x1=_half(3, 65535), x2=_small(65535, 32)", 0, ""),
    ("floats", "comm_turn=1", TILING, "commTurn"),
]  # fmt: skip
CALLS = [
    *((f"{_NAME} {kind}", *case) for kind, *case in _REFUSED),
    *((f"{_RESTORED} {kind}", *case) for kind, *case in _UNRESTORED),
]


def found() -> list[list[Any]]:
    names = {**globals(), "hifloat8": hifloat8}
    return written_reasons(RIGHT, [*((name, "", 0, "") for name in RIGHT), *CALLS], names)


def test_sums_of_small_products_refuse_what_cann_refuses() -> None:
    right: list[Written] = [(name, "", 0, "") for name in RIGHT]

    assert_refused_on("Ascend950", "test_all_reduce_950", "found()", [*right, *CALLS])


def of_others() -> list[int]:
    """Return what other versions answer, and, on chips without floats, the newest."""
    renamed = {"dequant_scale": "x2_scale", "pertoken_scale_optional": "x1_scale_optional"}
    left_out = {*renamed.values(), "group_size", "comm_quant_mode"}

    def of_third(given: dict[str, Any]) -> dict[str, Any]:
        kept = {name: value for name, value in given.items() if name not in left_out}
        return kept | {name: given[other] for name, other in renamed.items()}

    third = "quant_matmul_all_reduce_v3"
    return [
        code_with(third, of_third(_WHOLE)), code_with(third, of_third(_ROWS)),
        code_with(third, of_third({**_WHOLE, "x2": _in_blocks()})),
        code_with("quant_matmul_all_reduce_v5", {**_ROWS, "comm_mode": "ccu"}),
        code_with("quant_matmul_all_reduce_v5", {**_ROWS, "comm_mode": "aiv"}),
        *(code_with(_NAME, given) for given in (_WHOLE, _ROWS, _MX)),
        code_with(_RESTORED, _WEIGHT),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("chip", "expected"),
    [
        ("Ascend950", [0, INVALID, TILING, 0, INVALID, 0, 0, 0, 0]),
        ("Ascend910B1", [0, INVALID, 0, INVALID, INVALID, 0, NO_KERNEL, NO_KERNEL, INVALID]),
        ("Ascend910_9391",
         [NO_KERNEL, INVALID, NO_KERNEL, INVALID, INVALID, *[NO_KERNEL] * 3, INVALID]),
    ],
)  # fmt: skip
def test_older_versions_and_other_chips_have_int8_alone(chip: str, expected: list[int]) -> None:
    assert found_on(chip, "operators.test_all_reduce_950", "of_others()") == expected


def of_many() -> list[list[Any]]:
    """Return what 64 ranks answer that send 256 MiB for a sixteenth of rows, and more."""
    group = Communicator.all_devices([pa.Device(i) for i in range(64)])[0]

    def spread(tensor: pa.Tensor, *shape: int) -> pa.Tensor:
        return with_format(tensor, "ND", shape=shape, strides=(0,) * len(shape))

    answers = []
    for columns in (1 << 22, (1 << 22) + 1):
        given = {
            **_ROWS, "x1": _small(16, 1), "x1_scale_optional": ones(16), "x2_scale": ones(1),
            "x2": with_format(_small(1), "ND", shape=(1, columns), strides=(1, 1)),
            "bias_optional": None, "output": spread(_half(1), 16, columns), "group": group,
        }  # fmt: skip
        answers += [reason_of(_NAME, given, {"comm_quant_mode": mode}, runs=False)
                    for mode in (0, 1)]  # fmt: skip
    return answers


@pytest.mark.parametrize(("release", "expected"), [("9.0", 0), ("9.1", TILING)])
def test_what_is_sent_has_a_limit_since_cann_9_1(
    monkeypatch: pytest.MonkeyPatch, release: str, expected: int
) -> None:
    monkeypatch.setenv("PYACLNN_SIM_DEVICES", "64")
    monkeypatch.setenv("PYACLNN_SIM_CANN", release)

    answers = found_on("Ascend950", "operators.test_all_reduce_950", "of_many()")

    assert [status for status, _ in answers] == [0, 0, 0, expected]
    assert ("a sixteenth of output, 4194305 columns wide" in answers[-1][1]) == bool(expected)
