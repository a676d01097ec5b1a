"""Weights that are prepared on the 950, what is refused, and what older products refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on
from operators.calls import INVALID, NO_KERNEL, NULL, code_with, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format


def _int8(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int8")


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _old(rows: int) -> dict[str, Any]:
    return {
        "x1": _half(rows, 4), "x2": _int8(4, 6), "diagonal_matrix": _int8(32, 32),
        "deq_offset": pa.zeros((6,), "int32"), "deq_scale": pa.ones((6,), "uint64"),
        "add_offset": _half(6), "mul_scale": _half(1, 6), "bias": ones(6), "transpose_x1": False,
        "transpose_x2": False, "antiquant_scale": 1.0, "antiquant_offset": 0.0,
        "out": _half(rows, 6),
    }  # fmt: skip


_WRONG: tuple[tuple[str, Any, int], ...] = (
    ("x1", None, INVALID), ("deq_offset", None, INVALID), ("diagonal_matrix", None, INVALID),
    ("deq_scale", ones(6), INVALID), ("deq_offset", ones(6), INVALID),
    ("diagonal_matrix", _int8(16, 16), INVALID), ("deq_scale", pa.ones((5,), "uint64"), INVALID),
    ("bias", _half(6), INVALID), ("bias", ones(5), INVALID), ("bias", None, 0),
    ("add_offset", None, 0), ("mul_scale", ones(6), 0), ("x2", _half(4, 6), INVALID),
    ("x2", _int8(5, 6), INVALID), ("transpose_x2", True, INVALID), ("out", ones(5, 6), INVALID),
    ("out", _half(6, 5), INVALID), ("x2", _int8(2, 4, 6), NO_KERNEL),
)  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = status_tests(
    {"weight_quant_batch_matmul": _old(5)}, {"weight_quant_batch_matmul": _WRONG}
)


def test_more_than_64_rows_take_the_other_operands() -> None:
    changed = ({}, {"deq_scale": None, "diagonal_matrix": None}, {"mul_scale": ones(6)},
               {"add_offset": _half(5)})  # fmt: skip

    found = [code_with("weight_quant_batch_matmul", _old(65), **c) for c in changed]

    assert found == [0, 0, INVALID, INVALID]


def test_nothing_to_sum_leaves_the_bias() -> None:
    call = {**_old(5), "x1": _half(5, 0), "x2": _int8(0, 6)}

    assert code_with("weight_quant_batch_matmul", call) == 0
    assert call["out"].numpy().tolist() == [[1.0] * 6] * 5


def prepared(groups: tuple[int, ...], depth: int, columns: int) -> dict[str, Any]:
    """Return the arguments of a right call."""
    codes = np.random.default_rng(3).integers(0, 256, (*groups, columns, depth // 2))
    memory = pa.asarray(codes.astype(np.uint8))
    shape, rank = (*groups, depth, columns), len(groups) + 2
    strides = (*((depth * columns,) if groups else ()), 1, depth)
    weight = with_format(
        memory, "ND", shape=shape, strides=strides, dtype="float4_e2m1fn", storage_shape=shape
    )
    blocks = (*groups, depth // 32, -(-columns // 16), 16, 32)
    room = pa.zeros((int(np.prod(blocks)) // 2,), "uint8")
    out = with_format(room, "FRACTAL_NZ_C0_32", shape=shape, strides=strides, dtype="float4_e2m1fn",
                      storage_shape=blocks)  # fmt: skip
    pairs = -(-depth // 64)
    axes = (*range(rank - 2), rank - 1, rank - 2, rank)
    scale, other = (
        pa.asarray(np.full((*groups, columns, pairs, 2), v).astype(as_dtype("float8_e8m0fnu")))
        .transpose(axes) for v in (4.0, 1.0)
    )  # fmt: skip
    bias = _half(*groups, columns)
    return {
        "weight": weight, "weight_scale": scale, "weight_offset_optional": None,
        "bias_optional": bias, "x_dtype": 36, "x_scale_dtype": 37, "k_group_size": 32,
        "out_weight": out, "out_weight_scale": other, "out_weight_offset_optional": None,
        "out_bias_optional": _half(*groups, columns) * 0, "memory": (codes, room),
    }  # fmt: skip


def of_the_950() -> dict[str, Any]:
    """Return whether weights are prepared as they should be, and what wrong calls answer."""
    found: dict[str, Any] = {}
    for groups, depth, columns in (((), 96, 20), ((3,), 64, 33)):
        call = prepared(groups, depth, columns)
        codes, room = call.pop("memory")
        found[f"{groups}"] = code_with("weight_quant_preprocess", call)
        expected = in_blocks(codes.astype(np.uint8), 16)
        found[f"{groups} weight"] = bool(np.array_equal(room.numpy(), expected.reshape(-1)))
        same = (("out_weight_scale", "weight_scale"), ("out_bias_optional", "bias_optional"))
        for out, of in same:
            found[f"{groups} {out}"] = bool(np.array_equal(call[out].numpy(), call[of].numpy()))
    right = prepared((), 96, 20)
    right.pop("memory")
    for name, value in WRONG.items():
        found[name] = code_with("weight_quant_preprocess", right, **{name: eval(value[0])})
    return found


WRONG = {
    "weight": ("None", NULL), "weight_scale": ("ones(2, 20, 2)", INVALID),
    "weight_offset_optional": ("ones(20)", INVALID), "bias_optional": ("ones(20)", INVALID),
    "x_dtype": ("1", INVALID), "x_scale_dtype": ("0", INVALID), "k_group_size": ("64", INVALID),
    "out_weight": ("ones(96, 20)", INVALID),
}  # fmt: skip


def test_the_950_prepares_weights() -> None:
    printed = found_on("Ascend910_95", "operators.test_weight_prepared", "of_the_950()")
    parts = (("", 0), (" weight", True), (" out_weight_scale", True), (" out_bias_optional", True))
    expected: dict[str, Any] = {f"{g}{n}": v for g in ("()", "(3,)") for n, v in parts}

    assert printed == {**expected, **{name: v[1] for name, v in WRONG.items()}}
