"""Rows that the 950 makes hifloat8 of, in the order of experts, and those without an expert."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import ones

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.tensor.formats import with_format

_EXPERTS = np.array([[3, 0], [1, 2], [0, 1]], np.int32)


def routed(mode: int) -> list[list[Any]]:
    """Return rows, the codes that they become, and their scales, of experts 1 and 2 alone."""
    x = (np.random.default_rng(5).normal(0, 3, (3, 13))).astype(np.float16)
    out, scale = pa.asarray(np.full((6, 13), 7, np.uint8)), pa.full((6,), -1.0)
    narrow = with_format(out, "ND", shape=(6, 13), dtype="hifloat8")
    one = pa.asarray(np.array([2.5], np.float32)) if mode == 7 else None
    pa.ops.moe_init_routing_v3(
        pa.asarray(x), pa.asarray(_EXPERTS), one, None, -1, 0, 4, 0, 1, True, mode, [1, 3], 0,
        out=(narrow, pa.zeros((6,), "int32"), pa.zeros((2,), "int64"), scale),
    )  # fmt: skip
    return [x.astype(float).tolist(), out.numpy().tolist(), scale.numpy().tolist()]


@pytest.mark.parametrize("mode", [6, 7, 8])
def test_rows_become_the_nearest_hifloat8(mode: int) -> None:
    printed = found_on("Ascend950", "operators.test_routing_950", f"routed({mode})")
    x, codes, scales = (np.array(part) for part in printed)
    rows = x[[1, 2, 1]]  # of expert 1 those of tokens 1 and 2, then that of expert 2
    size = np.abs(rows).max(-1).astype(np.float32) * np.float32(1 / 32768)
    wide = rows * 2.5 if mode == 7 else rows / size[:, None] if mode == 8 else rows
    values = hifloat8_values()
    finite = values[np.isfinite(values)]
    nearest = np.abs(finite - wide[..., None]).min(-1)

    assert np.allclose(np.abs(values[codes[:3]] - wide), nearest, rtol=1e-6, atol=0)
    assert (codes[3:] == 7).all()
    assert np.array_equal(scales, [*(size if mode == 8 else [-1.0] * 3), *[-1.0] * 3])


def unseen(mode: int) -> list[Any]:
    """Return rows that no expert has, and their scales, which were 1."""
    kinds = {3: ("float8_e4m3fn", "float8_e8m0fnu", (6, 2)), 12: ("float8_e4m3fn", "float32",
             (6, 1, 2))}  # fmt: skip
    kind, of_scales, shape = kinds[mode]
    out = pa.ones((6, 14), kind), pa.ones(shape, of_scales)
    pa.ops.moe_init_routing_v3(
        ones(3, 14, dtype="float16"), pa.asarray(_EXPERTS), None, None, -1, 0, 4, 0, 1, True, mode,
        [1, 3], 0, out=(out[0], pa.zeros((6,), "int32"), pa.zeros((2,), "int64"), out[1]),
    )  # fmt: skip
    return [tensor.numpy()[3:].astype(float).tolist() for tensor in out]


@pytest.mark.parametrize("mode", [3, 12])
def test_rows_without_an_expert_stay_as_they_are(mode: int) -> None:
    printed = found_on("Ascend950", "operators.test_routing_950", f"unseen({mode})")

    for rest in printed:
        assert (np.array(rest) == 1).all()


def moved(dtype: str, width: int, in_a_byte: int) -> list[Any]:
    """Return rows in the order of experts as bytes, and the scales of their blocks."""
    x = np.arange(3 * width, dtype=np.uint8).reshape(3, width)
    scales = np.arange(100, 106, dtype=np.uint8).reshape(3, 1, 2)
    out, powers = pa.asarray(np.full((6, width), 7, np.uint8)), pa.zeros((6, 1, 2), "uint8")
    numbers = width * in_a_byte
    narrow = [with_format(pa.asarray(x), "ND", shape=(3, numbers), dtype=dtype),
              with_format(pa.asarray(scales), "ND", shape=scales.shape, dtype="float8_e8m0fnu"),
              with_format(out, "ND", shape=(6, numbers), dtype=dtype),
              with_format(powers, "ND", shape=(6, 1, 2), dtype="float8_e8m0fnu")]  # fmt: skip
    pa.ops.moe_init_routing_v3(
        narrow[0], pa.asarray(_EXPERTS), narrow[1], None, -1, 0, 4, 0, 1, True, -1, [1, 3], 0,
        out=(narrow[2], pa.zeros((6,), "int32"), pa.zeros((2,), "int64"), narrow[3]),
    )  # fmt: skip
    return [out.numpy().tolist(), powers.numpy().tolist()]


@pytest.mark.parametrize(
    ("dtype", "width", "in_a_byte"), [("float8_e5m2", 14, 1), ("float4_e2m1fn", 32, 2)]
)
def test_narrow_rows_are_moved_byte_by_byte_with_the_scales_of_their_blocks(
    dtype: str, width: int, in_a_byte: int
) -> None:
    call = f"moved({dtype!r}, {width}, {in_a_byte})"
    printed = found_on("Ascend950", "operators.test_routing_950", call)
    rows, powers = (np.array(part) for part in printed)

    assert np.array_equal(rows[:3], np.arange(3 * width).reshape(3, width)[[1, 2, 1]])
    assert (rows[3:] == 7).all()
    assert np.array_equal(powers[:3, 0], [[102, 103], [104, 105], [102, 103]])
    assert (powers[3:] == 0).all()


def in_rooms(kind: int) -> list[Any]:
    """Return rows in rooms of two for each of four experts, places, counts and scales."""
    x = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
    experts = np.array([[3, 0], [3, 0], [0, 1]], np.int32)
    outs = pa.ops.moe_init_routing_v3(
        pa.asarray(x), pa.asarray(experts), pa.asarray(np.array([5.0, 6, 7], np.float32)), None,
        -1, 2, 4, 1, kind, True, -1, [0, 4], 0,
    )  # fmt: skip
    return [tensor.numpy().tolist() for tensor in outs]


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_rooms_of_experts_end_with_zeros(kind: int) -> None:
    call = f"in_rooms({kind})"
    printed = found_on("Ascend950", "operators.test_routing_950", call)
    rows, places, counts, scales = (np.array(part) for part in printed)
    tokens = [0, 1, 2, None, None, None, 0, 1]  # of expert 0, a third finds no room
    x = np.arange(1, 13).reshape(3, 4)
    golden = np.array([np.zeros(4) if t is None else x[t] for t in tokens])

    assert np.array_equal(rows.reshape(8, 4), golden)
    assert places.tolist() == [6, 0, 7, 1, -1, 2]
    assert np.array_equal(scales, [0 if t is None else 5 + t for t in tokens])
    each = [3, 1, 0, 2]
    assert counts.tolist() == [
        [3, 4, 4, 6], each, [[0, 3], [1, 1], [3, 2], [0, 0]]
    ][kind]  # fmt: skip


def single() -> list[list[Any]]:
    """Return rows, places and counts of tokens that have one expert each, which is no axis."""
    x = pa.asarray(np.arange(12, dtype=np.float32).reshape(4, 3))
    experts = pa.asarray(np.array([3, 1, 0, 1], np.int32))
    out = pa.zeros((4, 3)), pa.zeros((4,), "int32"), pa.zeros((4,), "int32"), None
    pa.ops.moe_init_routing_v2(x, experts, 0, 0, 4, 0, 2, False, out=out)
    return [tensor.numpy().tolist() for tensor in out if tensor is not None]


def test_one_expert_of_a_token_needs_no_axis() -> None:
    rows, places, counts = found_on("Ascend950", "operators.test_routing_950", "single()")

    assert rows == np.arange(12).reshape(4, 3)[[2, 1, 3, 0]].tolist()
    assert places == [3, 1, 0, 2]
    assert counts == [1, 2, 0, 1]
