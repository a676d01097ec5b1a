"""What operators that communicate refuse, on one rank."""

from __future__ import annotations

from typing import Any

import pytest
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, device, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.selftest.communicators import alone
from pyaclnn.tensor.formats import with_format


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _int8(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int8")


_REDUCED = {"group": alone(), "reduce_op": "sum", "comm_turn": 0, "stream_mode": 1}
_SUM: dict[str, Any] = {
    "x1": _half(3, 32), "x2": _half(32, 5), "bias": _half(5), "x3": _half(3, 5), **_REDUCED,
    "output": _half(3, 5),
}  # fmt: skip
_QUANT: dict[str, Any] = {
    "x1": _int8(3, 32), "x2": _int8(32, 5), "bias_optional": pa.zeros((5,), "int32"),
    "x3_optional": _half(3, 5), "x1_scale_optional": ones(3), "x2_scale": ones(5),
    "comm_quant_scale1_optional": None, "comm_quant_scale2_optional": None, **_REDUCED,
    "comm_mode": "ai_cpu", "group_size": 0, "comm_quant_mode": 0, "output": _half(3, 5),
}  # fmt: skip
_WEIGHT: dict[str, Any] = {
    "x1": _half(3, 64), "x2": _int8(64, 5), "bias": _half(5), "antiquant_scale": _half(2, 5),
    "antiquant_offset": _half(2, 5), "x3": _half(3, 5), **_REDUCED, "comm_mode": None,
    "antiquant_group_size": 32, "output": _half(3, 5),
}  # fmt: skip
_NORM: dict[str, Any] = {
    "x1": _half(6, 32), "x2": _half(32, 5), "bias": _half(5), "residual": _half(2, 3, 5),
    "gamma": _half(5), "epsilon": 1e-6, **_REDUCED, "y": _half(2, 3, 5),
    "norm_out": _half(2, 3, 5),
}  # fmt: skip
_BLOCKS = with_format(_half(1, 2, 16, 16), "FRACTAL_NZ", shape=(32, 5),
                      storage_shape=(1, 2, 16, 16))  # fmt: skip
_REDUCED_WRONG = [
    ("reduce_op", "max", INVALID), ("reduce_op", None, INVALID), ("stream_mode", 0, INVALID),
    ("group", "nobody", TILING), ("group", None, TILING), ("comm_turn", 1, TILING),
]  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = status_tests(
    {
        "matmul_all_reduce_v2": _SUM,
        "matmul_all_reduce_v3": {**_SUM, "comm_mode": None},
        "quant_matmul_all_reduce_v5": _QUANT,
        "weight_quant_matmul_all_reduce_v2": _WEIGHT,
        "matmul_all_reduce_add_rms_norm": _NORM,
    },
    {
        "matmul_all_reduce_v2": [
            ("x1", None, NULL), ("x2", None, NULL),
            ("x1", ones(3, 32), INVALID), ("bias", ones(5), INVALID), ("x3", ones(3, 5), INVALID),
            ("x2", ones(32, 5, dtype="bfloat16"), INVALID), *_REDUCED_WRONG,
            ("x2", _half(31, 5), INVALID), ("x2", _half(1, 32, 5), INVALID),
            ("x2", _half(32, 10)[:, ::2], INVALID), ("x2", _BLOCKS, INVALID),
            ("x1", _half(1, 1, 3, 32), INVALID), ("output", _half(3, 6), INVALID),
            ("x3", _half(3, 1), INVALID), ("bias", _half(1, 5), INVALID),
        ],
        "matmul_all_reduce_v3": [("comm_mode", "ccu", INVALID)],
        "quant_matmul_all_reduce_v5": [
            ("x2_scale", None, NULL), ("x1", _half(3, 32), INVALID),
            ("x1_scale_optional", _half(3), INVALID), ("x1_scale_optional", ones(2), INVALID),
            ("x2_scale", ones(4), INVALID), ("x2_scale", ones(5, dtype="bfloat16"), INVALID),
            ("bias_optional", ones(5), INVALID), *_REDUCED_WRONG,
            ("comm_quant_scale1_optional", _half(5), INVALID), ("group_size", 32, INVALID),
            ("comm_quant_mode", 1, NO_KERNEL), ("comm_mode", "ccu", INVALID),
            ("output", _half(3, 6), INVALID),
        ],
        "weight_quant_matmul_all_reduce_v2": [
            ("antiquant_scale", None, NULL), ("antiquant_scale", ones(2, 5), INVALID),
            ("antiquant_scale", _half(1, 5), INVALID), ("antiquant_offset", _half(5), INVALID),
            ("antiquant_group_size", 31, INVALID), ("antiquant_group_size", 64, INVALID),
            ("antiquant_group_size", -32, INVALID), ("x2", _half(64, 5), INVALID), *_REDUCED_WRONG,
        ],
        "matmul_all_reduce_add_rms_norm": [
            ("residual", None, NULL), ("gamma", None, NULL), ("x2", _half(31, 5), INVALID),
            ("residual", _half(2, 3, 4), INVALID), ("residual", _half(6, 5), TILING),
            ("stream_mode", 0, INVALID), ("reduce_op", "max", TILING), ("group", "nobody", TILING),
            ("gamma", _half(6), TILING), ("y", _half(6, 5), TILING), ("comm_turn", 1, TILING),
            ("gamma", ones(5), INVALID), ("bias", ones(5), INVALID),
        ],
    },
)  # fmt: skip


def test_the_sum_of_no_products_is_that_of_the_bias() -> None:
    bias = device(range(5), "float16")

    result = pa.ops.matmul_all_reduce(_half(3, 0), _half(0, 5), bias, alone(), "sum", 0, 1)

    assert (result.numpy() == bias.numpy()).all()


def test_what_has_no_elements_is_done_at_once() -> None:
    result = pa.ops.matmul_all_reduce(_half(0, 4), _half(4, 5), None, alone(), "sum", 0, 1)

    assert result.shape == (0, 5)


def test_results_go_to_views() -> None:
    base = pa.zeros((5, 3), "float16")

    pa.ops.matmul_all_reduce(_half(3, 4), _half(4, 5), None, alone(), "sum", 0, 1, out=base.T)

    assert (base.numpy() == 4).all()


def test_a_group_is_a_communicator_or_its_name() -> None:
    with pytest.raises(TypeError, match="a string is needed"):
        pa.ops.matmul_all_reduce(_half(3, 4), _half(4, 5), None, 1, "sum", 0, 1)
