"""What operators that communicate refuse, on one rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, code_with, device, ones
from operators.reasons import Written, assert_refused_on, changes, reason_of
from operators.status_tests import refusal_tests, status_tests

import pyaclnn as pa
from pyaclnn.collective import Communicator
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
            ("x1_scale_optional", _half(3), INVALID), ("x1_scale_optional", ones(2), TILING),
            ("x2_scale", ones(4), TILING), ("x2_scale", ones(5, dtype="bfloat16"), INVALID),
            ("bias_optional", ones(5), NO_KERNEL), ("reduce_op", None, NULL),
            *(wrong for wrong in _REDUCED_WRONG if wrong[:2] != ("reduce_op", None)),
            ("comm_quant_scale1_optional", _half(5), TILING), ("group_size", 32, TILING),
            ("x1_scale_optional", None, TILING), ("x2_scale", pa.zeros((5,), "uint64"), TILING),
            ("comm_quant_mode", 1, 0), ("comm_mode", "ccu", INVALID),
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


_, test_a_norm_of_sums_is_for_half_types = refusal_tests(
    {"matmul_all_reduce_add_rms_norm": _NORM},
    [
        ("matmul_all_reduce_add_rms_norm",
         {name: ones(*_NORM[name].shape)
          for name in ("x1", "x2", "bias", "residual", "gamma", "y", "norm_out")}, INVALID),
    ],
)  # fmt: skip


def _fractals(rows: int, *storage: int, dtype: Any = None) -> pa.Tensor:
    return with_format(_int8(*storage), "FRACTAL_NZ", shape=(rows, 5), storage_shape=storage,
                       dtype=dtype)  # fmt: skip


_BLOCKED_QUANT = {**_QUANT, "x2": _fractals(32, 1, 2, 16, 32)}
_BLOCKED_WEIGHT = {
    **_WEIGHT, "x2": _fractals(64, 1, 4, 16, 32), "antiquant_scale": _half(5),
    "antiquant_offset": _half(5), "antiquant_group_size": 0,
}  # fmt: skip
_BLOCKED_NORM = {
    **_NORM, "x1": _int8(6, 32), "x2": _fractals(32, 1, 2, 16, 32), "bias": None,
    "dequant_scale": pa.zeros((5,), "uint64"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("operator", "right", "name", "value", "expected"),
    [
        ("quant_matmul_all_reduce_v5", _BLOCKED_QUANT, *case)
        for case in (
            ("x2", _BLOCKED_QUANT["x2"], 0), ("x2_scale", ones(4), TILING),
            ("x2", _fractals(32, 1024), 0), ("x2", _fractals(32, 2, 1, 16, 32), INVALID),
            ("x2", _fractals(31, 1, 2, 16, 32), TILING), ("x1", _int8(32), INVALID),
            ("x1_scale_optional", ones(2), TILING), ("output", _half(3, 6), TILING),
            ("bias_optional", pa.zeros((4,), "int32"), TILING), ("comm_mode", "ccu", INVALID),
            ("x1", _int8(3, 0), TILING), ("x3_optional", _half(3, 1), TILING),
            ("x3_optional", None, 0), ("bias_optional", None, 0),
        )
    ]
    + [
        ("weight_quant_matmul_all_reduce_v2", _BLOCKED_WEIGHT, *case)
        for case in (
            ("x2", _BLOCKED_WEIGHT["x2"], 0), ("antiquant_scale", _half(1), TILING),
            ("antiquant_scale", _half(4), TILING), ("antiquant_offset", _half(1, 5), TILING),
            ("antiquant_group_size", 32, TILING), ("x2", _fractals(64, 2048), TILING),
            ("x2", _fractals(64, 1, 4, 16, 32, dtype="int4"), NO_KERNEL),
            ("x3", _half(3, 1), TILING), ("bias", _half(4), TILING), ("x3", None, 0),
            ("bias", None, 0), ("antiquant_offset", None, 0),
        )
    ]
    + [("quant_matmul_all_reduce_add_rms_norm", _BLOCKED_NORM, "bias", None, INVALID)],
)  # fmt: skip
def test_what_lies_beside_a_weight_in_blocks_is_left_to_the_kernel(
    operator: str, right: dict[str, Any], name: str, value: Any, expected: int
) -> None:
    assert code_with(operator, right, **{name: value}) == expected


@pytest.mark.parametrize(
    ("version", "first", "second", "expected"),
    [
        ("v5", _half(5), _half(5), 0), ("v5", _half(1, 5), _half(1, 5), 0),
        ("v5", _half(4), _half(5), TILING), ("v5", _half(5), ones(5), INVALID),
        ("v5", ones(5), ones(5), INVALID), ("v5", None, ones(5), TILING),
        ("v3", _half(5), _half(5), 0), ("v3", _half(4), _half(4), INVALID),
        ("v3", _half(5), _half(1, 5), INVALID), ("v3", None, _half(5), INVALID),
    ],
)  # fmt: skip
def test_scales_of_an_exchange_are_two_rows(
    version: str, first: Any, second: Any, expected: int
) -> None:
    names = "comm_quant_scale1_optional", "comm_quant_scale2_optional"
    given = {**_QUANT, names[0]: first, names[1]: second}
    if version == "v3":
        given["dequant_scale"] = given.pop("x2_scale")
        given["pertoken_scale_optional"] = given.pop("x1_scale_optional")
        for name in ("comm_mode", "group_size", "comm_quant_mode"):
            del given[name]

    assert code_with(f"quant_matmul_all_reduce_{version}", given) == expected


@pytest.mark.parametrize(("mode", "is_exact"), [(0, False), (1, True)])
def test_mode_1_sends_sums_as_they_are_beside_scales_of_an_exchange(
    mode: int, is_exact: bool
) -> None:
    scale, out = _half(5), pa.zeros((3, 5), "float16")
    given: dict[str, Any] = {
        "x1": device(range(96), "int8").reshape((3, 32)), "x2": pa.full((32, 5), 1, "int8"),
        "x1_scale_optional": device([0.01] * 3), "comm_quant_scale1_optional": scale,
        "comm_quant_scale2_optional": scale, "comm_quant_mode": mode, "output": out,
    }  # fmt: skip

    assert code_with("quant_matmul_all_reduce_v5", _QUANT, **given) == 0

    rows = np.arange(96).reshape(3, 32).sum(1, keepdims=True) * 0.01 + 1
    assert np.allclose(out.numpy(), rows, rtol=1e-3, atol=0) == is_exact


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


#: What the right calls below meet.
_ALONE = "has 1 ranks"
#: Calls that one rank alone cannot make: what is refused before the ranks are counted.
_GATHER: dict[str, Any] = {
    "x1": _half(2, 256), "x2": _half(256, 8), "bias": None, "group": alone(), "gather_index": 0,
    "comm_turn": 0, "stream_mode": 1, "output": _half(4, 8), "gather_out": _half(4, 256),
}  # fmt: skip
_SECOND = {"x1_scale": None, "x2_scale": None, "quant_scale": None, "block_size": 0,
           "group_size": 0, "comm_mode": "aiv"}  # fmt: skip
_SCATTER: dict[str, Any] = {
    "x1": _half(4, 256), "x2": _half(256, 8), "bias": _half(8), **_REDUCED, "output": _half(2, 8),
}  # fmt: skip
_MET: dict[str, Any] = {
    "x1": _half(4, 20), "x2": _half(40, 8), "bias_optional": _half(8),
    "allto_all_axes_optional": [-2, -1], "group": alone(), "transpose_x1": False,
    "transpose_x2": False, "output": _half(2, 8), "allto_all_out_optional": _half(2, 40),
}  # fmt: skip
_SENT: dict[str, Any] = {
    "x1": _half(4, 20), "x2": _half(20, 8), "bias_optional": _half(8),
    "allto_all_axes_optional": [-1, -2], "group": alone(), "transpose_x1": False,
    "transpose_x2": False, "output": _half(8, 4),
}  # fmt: skip
_SENT_BYTES: dict[str, Any] = {
    **_SENT, "x1": _int8(4, 20), "x2": _int8(20, 8), "x1_scale": ones(4), "x2_scale": ones(8),
    "comm_scale_optional": None, "x1_offset_optional": None, "x2_offset_optional": None,
    "x1_quant_mode": 3, "x2_quant_mode": 2, "comm_quant_mode": 0, "comm_quant_dtype": -1,
    "group_size": 0,
}  # fmt: skip
_TOGETHER = {
    "all_gather_matmul": _GATHER,
    "all_gather_matmul_v2": {**_GATHER, **_SECOND, "amax_out": None},
    "matmul_reduce_scatter": _SCATTER,
    "matmul_reduce_scatter_v2": {**_SCATTER, **_SECOND, "amax_out_optional": None},
    "allto_all_matmul": _MET,
    "matmul_allto_all": _SENT,
    "quant_matmul_allto_all": _SENT_BYTES,
}
_DEPTHS: list[tuple[dict[str, Any], int]] = [
    ({"x2": _half(257, 8)}, INVALID),
    ({"x1": _half(256, 4).T}, INVALID), ({"x2": _half(256, 16)[:, ::2]}, INVALID),
    ({"x1": None}, NULL), ({"x2": None}, NULL), ({"stream_mode": 2}, INVALID),
    ({"x1": ones(4, 256)}, INVALID), ({"x1": _half(4, 0), "x2": _half(0, 8)}, INVALID),
    ({}, TILING),
]  # fmt: skip
_SHORT = {"x1": _half(4, 255), "x2": _half(255, 8)}
_PARTS: list[tuple[dict[str, Any], int]] = [
    ({"x1": None}, NULL), ({"x2": None}, NULL), ({"transpose_x1": True}, INVALID),
    ({"bias_optional": _half(7)}, INVALID), ({"x1": _half(4, 0)}, INVALID),
    ({"allto_all_axes_optional": [0, 1]}, INVALID), ({"group": ""}, INVALID),
    ({"group": "n" * 128}, INVALID), ({"x2": _half(0, 8)}, INVALID), ({}, TILING),
]  # fmt: skip


@pytest.mark.parametrize(
    ("operator", "changed", "expected"),
    [
        *((name, *case) for name in list(_TOGETHER)[:4] for case in _DEPTHS),
        *((name, *case) for name in list(_TOGETHER)[4:6] for case in _PARTS),
        ("all_gather_matmul", {"bias": ones(8)}, INVALID),
        *((name, {**_SHORT, "gather_out": None}, INVALID) for name in list(_TOGETHER)[:1]),
        *((name, _SHORT, INVALID) for name in list(_TOGETHER)[2:4]),
        ("all_gather_matmul", {"gather_out": _half(4, 255)}, INVALID),
        ("matmul_reduce_scatter", {"output": _half(2, 7)}, INVALID),
        ("allto_all_matmul", {"transpose_x2": True, "x2": _half(8, 40).T}, INVALID),
        ("quant_matmul_allto_all", {"bias_optional": None}, NULL),
        ("quant_matmul_allto_all", {"x1_scale": None}, NULL),
        ("quant_matmul_allto_all", {"group_size": 1}, INVALID),
        ("quant_matmul_allto_all", {"x1": _half(4, 20)}, INVALID),
        ("quant_matmul_allto_all", {"transpose_x1": True}, INVALID),
        ("quant_matmul_allto_all", {"bias_optional": _half(7)}, INVALID),
        ("quant_matmul_allto_all", {"output": _half(8, 4, 1)}, INVALID),
        ("quant_matmul_allto_all", {"x1": _int8(4, 20, 1)}, INVALID),
        ("quant_matmul_allto_all", {"x1_quant_mode": 6}, TILING),
        ("quant_matmul_allto_all", {}, TILING),
    ],
)
def test_more_ranks_are_needed_and_other_refusals_come_before(
    operator: str, changed: dict[str, Any], expected: int
) -> None:
    code, reason = reason_of(operator, _TOGETHER[operator], changed)

    assert code == expected
    assert (_ALONE in reason) == (not changed)


@pytest.mark.parametrize(
    ("operator", "x2"),
    [("matmul_allto_all", _half(21, 8)), ("quant_matmul_allto_all", _int8(21, 8))],
)
def test_depths_that_differ_are_named(operator: str, x2: pa.Tensor) -> None:
    code, reason = reason_of(operator, _TOGETHER[operator], {"x2": x2})

    assert code == INVALID
    assert "the depth of x1 is 20, that of x2 21" in reason


def _int32(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int32")


_WORLD: dict[str, Any] = {
    "group_ep": alone(), "ep_world_size": 2, "ep_rank_id": 0, "moe_expert_num": 4, "group_tp": "",
    "tp_world_size": 0, "tp_rank_id": 0, "expert_shard_type": 0, "shared_expert_num": 0,
    "shared_expert_rank_num": 0, "global_bs": 0, "comm_alg": "fullmesh", "zero_expert_num": 0,
    "copy_expert_num": 0, "const_expert_num": 0,
}  # fmt: skip
_DISPATCH: dict[str, Any] = {
    "x": _half(3, 64), "expert_ids": _int32(3, 2), "scales_optional": None,
    "x_active_mask_optional": pa.zeros((3,), "bool"), "expert_scales_optional": ones(3, 2),
    "elastic_info_optional": None, "performance_info_optional": None, **_WORLD, "quant_mode": 0,
    "expert_token_nums_type": 1, "expand_x_out": _half(12, 64), "dynamic_scales_out": ones(12),
    "assist_info_for_combine_out": _int32(12 * 128),
    "expert_token_nums_out": pa.zeros((2,), "int64"), "ep_recv_counts_out": _int32(4),
    "tp_recv_counts_out": _int32(1), "expand_scales_out": ones(12),
}  # fmt: skip
_COMBINE: dict[str, Any] = {
    "expand_x": _half(12, 64), "expert_ids": _int32(3, 2),
    "assist_info_for_combine": _int32(12 * 128), "ep_send_counts": _int32(4),
    "expert_scales": ones(3, 2),
    **dict.fromkeys((
        "tp_send_counts_optional", "x_active_mask_optional", "activation_scale_optional",
        "weight_scale_optional", "group_list_optional", "expand_scales_optional",
        "shared_expert_x_optional", "elastic_info_optional", "ori_x_optional",
        "const_expert_alpha1_optional", "const_expert_alpha2_optional",
        "const_expert_v_optional", "performance_info_optional")),
    **_WORLD, "out_dtype": 0, "comm_quant_mode": 0, "group_list_type": 0, "x_out": _half(3, 64),
}  # fmt: skip
_WORLD_WRONG: list[tuple[dict[str, Any], int]] = [
    ({"group_ep": ""}, NULL), ({"group_ep": None}, NULL), ({"ep_rank_id": 2}, TILING),
    ({"moe_expert_num": 5}, TILING), ({"moe_expert_num": 0}, TILING),
    ({"ep_world_size": 9}, TILING),
    ({"expert_shard_type": 1}, TILING), ({"shared_expert_num": 1}, TILING),
    ({"tp_world_size": 2}, NO_KERNEL),
    ({"comm_alg": "hierarchy", "ep_world_size": 24, "moe_expert_num": 24}, TILING),
    ({"comm_alg": "ring"}, TILING), ({"global_bs": 5}, TILING), ({"zero_expert_num": -1}, TILING),
    ({"const_expert_num": 1}, TILING), ({"shared_expert_rank_num": 1}, TILING),
    ({"expert_ids": None}, NULL), ({"expert_ids": ones(3, 2)}, INVALID),
    ({"expert_ids": _int32(3, 5)}, TILING), ({"expert_ids": _int32(3)}, TILING),
    ({"elastic_info_optional": _int32(4)}, TILING),
    ({"performance_info_optional": pa.zeros((2,), "int32")}, INVALID), ({}, TILING),
]  # fmt: skip


@pytest.mark.parametrize(
    ("right", "operator", "changed", "expected"),
    [
        *((_DISPATCH, "moe_distribute_dispatch_v4", *case) for case in _WORLD_WRONG),
        *((_COMBINE, "moe_distribute_combine_v4", *case) for case in _WORLD_WRONG),
        *(
            (_DISPATCH, "moe_distribute_dispatch_v4", *case)
            for case in (
                ({"x": None}, NULL), ({"x": ones(3, 64)}, INVALID), ({"x": _half(3, 48)}, TILING),
                ({"quant_mode": 2}, INVALID), ({"quant_mode": 1}, TILING),
            )
        ),
        *(
            (_COMBINE, "moe_distribute_combine_v4", *case)
            for case in (
                ({"expand_x": None}, NULL), ({"expert_scales": None}, NULL),
                ({"comm_quant_mode": 2}, TILING), ({"out_dtype": 1}, TILING),
                ({"ori_x_optional": ones(3, 64)}, INVALID),
                ({"x_out": _half(3, 32)}, TILING), ({"group_list_optional": _int32(3)}, TILING),
            )
        ),
    ],
)  # fmt: skip
def test_experts_refuse_what_does_not_go_together(
    right: dict[str, Any], operator: str, changed: dict[str, Any], expected: int
) -> None:
    code, reason = reason_of(operator, right, changed)

    assert code == expected
    assert (_ALONE in reason) == (not changed)


def test_a_combination_that_is_normalised_has_no_kernel_on_the_910b() -> None:
    name = "moe_distribute_combine_add_rms_norm_v2"
    wide = pa.ones((3, 1, 64), "bfloat16")
    given = {k: v for k, v in _COMBINE.items() if k in {p.name for p in pa.ops[name].spec.inputs}}
    outputs = {"y_out": wide, "rstd_out": ones(3, 1, 1), "x_out": wide}
    narrow = {"expand_x": pa.ones((12, 64), "bfloat16"), "gamma": pa.ones((64,), "bfloat16")}

    code, _ = reason_of(name, {**given, **narrow, "residual_x": wide, "norm_eps": 1e-6}, outputs)

    assert code == NO_KERNEL


_GATHERS, _SCATTERS = list(_TOGETHER)[:2], list(_TOGETHER)[2:4]
_EXCHANGE, _SPREAD, _SPREAD_BYTES = list(_TOGETHER)[4:]
_GO, _BACK = "moe_distribute_dispatch_v4", "moe_distribute_combine_v4"


def _int64(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int64")


def _exchanged(width: int) -> str:
    """Columns of a rank, and what has so many of two."""
    return (
        f"x1=_half(2, {width}), x2=_half({2 * width}, 1), bias_optional=None, output=_half(1, 1),"
        " allto_all_out_optional=False"
    )


def _deep(depth: int) -> str:
    return f"x1=_half(1, {depth}), x2=_half({depth}, 2), bias_optional=None, output=_half(2, 1)"


def _tokens(rows: int, width: int = 64) -> str:
    """Tokens on their way to four experts, and what all of two ranks may come to."""
    return (
        f"x=_half({rows}, {width}), expert_ids=_int32({rows}, 2), x_active_mask_optional=None,"
        f" expert_scales_optional=None, expand_x_out=_half({4 * rows}, {width}),"
        f" assist_info_for_combine_out=_int32({4 * rows} * 128),"
        f" expand_scales_out=ones({4 * rows})"
    )


def _experts(count: int) -> str:
    """So many experts of two ranks."""
    return (
        f"moe_expert_num={count}, expert_token_nums_out=_int64({count // 2}),"
        f" ep_recv_counts_out=_int32({count})"
    )


def _room(rows: int) -> str:
    return (
        f"expand_x_out=_half({rows}, 64), assist_info_for_combine_out=_int32({rows} * 128),"
        f" expand_scales_out=ones({rows})"
    )


_BYTES = "quant_mode=2, expand_x_out=_int8(12, 64)"
_NARROW = "x1=_int8(4, 256), x2=_int8(256, 8), bias=None, x1_scale=ones(4), x2_scale=ones(8)"
#: Status of the first phase of a rank of two, and words of the reason.
OF_TWO: list[Written] = [
    *((name, "", 0, "") for name in (*_TOGETHER, _GO, _BACK)),
    *(
        (name, *case)
        for name in _GATHERS
        for case in (
            ("output=_half(3, 8)", TILING, "output has shape [3, 8]"),
            ("gather_out=_half(3, 256)", TILING, "gatherOut has shape [3, 256]"),
            ("gather_out=ones(4, 256)", INVALID, "gatherOut"), ("gather_out=False", 0, ""),
            ("gather_index=1", TILING, "gatherIndex is 1"),
        )
    ),
    ("all_gather_matmul", "comm_turn=1", TILING, "commTurn"),
    ("all_gather_matmul_v2", "comm_turn=1", 0, ""),
    ("all_gather_matmul_v2", "bias=_half(8)", TILING, "bias must be null"),
    ("all_gather_matmul_v2", "comm_mode='ccu'", INVALID, "commMode is"),
    # Kernels that communicate themselves take any depth.
    ("all_gather_matmul_v2", "x1=_half(2, 255), x2=_half(255, 8), gather_out=False", 0, ""),
    *(
        (name, *case)
        for name in _SCATTERS
        for case in (
            ("x1=_half(3, 256)", TILING, "3 rows, not a multiple of 2 ranks"),
            ("output=_half(3, 8)", TILING, "output has shape [3, 8]"), ("bias=None", 0, ""),
            ("bias=_half(7)", TILING, "bias has not"), ("bias=_half(1, 8)", TILING, "bias has not"),
            ("reduce_op='max'", TILING, "reduceOp"),
        )
    ),
    ("matmul_reduce_scatter", "comm_turn=1", TILING, "commTurn"),
    ("matmul_reduce_scatter_v2", "comm_turn=1", 0, ""),
    ("matmul_reduce_scatter_v2", "bias=ones(8)", 0, ""),
    ("matmul_reduce_scatter_v2", "bias=ones(8, dtype='int32')", INVALID, "bias is int32"),
    ("matmul_reduce_scatter_v2", "bias=ones(8, dtype='bfloat16')", TILING, "bias and output"),
    ("matmul_reduce_scatter_v2", "output=ones(2, 8, dtype='bfloat16')", TILING, "x1 and output"),
    *(
        ("matmul_reduce_scatter_v2", f"{_NARROW}{changed}", status, words)
        for changed, status, words in (
            ("", 0, ""), ("; x1_scale=None, x2_scale=_int64(8)", 0, ""),
            ("; x2_scale=None", TILING, "x2Scale is null"),
            ("; x2_scale=_half(8)", TILING, "x2Scale is float16"),
            ("; x2_scale=ones(7)", TILING, "x2Scale has shape [7]"),
            ("; x1_scale=ones(3)", TILING, "x1Scale is float32 of shape [3]"),
            ("; x1_scale=_half(4)", TILING, "x1Scale is float16"),
            ("; x2_scale=_int64(8), output=ones(2, 8, dtype='bfloat16')", TILING,
             "x2Scale is int64"),
        )
    ),
    (_EXCHANGE, "x1=_half(3, 20)", TILING, "3 rows, not a multiple of 2 ranks"),
    (_EXCHANGE, "x1=_half(0, 20)", TILING, "0 rows"),
    (_EXCHANGE, "x2=_half(39, 8)", TILING, "a depth of 39"),
    (_EXCHANGE, "output=_half(3, 8)", TILING, "output has shape [3, 8]"),
    (_EXCHANGE, "output=_half(2, 7)", TILING, "output has shape [2, 7]"),
    (_EXCHANGE, "allto_all_out_optional=_half(2, 39)", TILING, "alltoAllOutOptional has shape"),
    (_EXCHANGE, "allto_all_out_optional=False", 0, ""), (_EXCHANGE, _exchanged(17500), 0, ""),
    (_EXCHANGE, _exchanged(17501), TILING, "17501 columns of 2 ranks"),
    (_SPREAD, "x2=_half(20, 7), bias_optional=_half(7)", TILING, "7 columns, not a multiple"),
    (_SPREAD, "output=_half(8, 3)", TILING, "output has shape [8, 3]"),
    (_SPREAD, _deep(65535), 0, ""), (_SPREAD, _deep(65536), INVALID, "it may be 65535"),
    (_SPREAD_BYTES, "x2=_int8(20, 7), bias_optional=_half(7), x2_scale=ones(7)", TILING,
     "7 columns, not a multiple"),
    (_SPREAD_BYTES, "output=_half(8, 3)", TILING, "output has shape [8, 3]"),
    (_SPREAD_BYTES, "x1_scale=ones(3)", TILING, "x1Scale is float32 of shape [3]"),
    (_SPREAD_BYTES, "x2_scale=ones(7)", TILING, "x2Scale has shape [7]"),
    (_SPREAD_BYTES, "x2_scale=_half(8)", TILING, "x2Scale is float16"),
    *(
        (name, *case)
        for name in (_GO, _BACK)
        for case in (
            ("x_active_mask_optional=pa.zeros((2,), 'bool')", TILING, "xActiveMask has shape [2]"),
            ("x_active_mask_optional=pa.zeros((3, 2), 'bool')", TILING, "xActiveMask has shape"),
            ("global_bs=5", TILING, "globalBs is 5"), ("global_bs=7", TILING, "globalBs is 7"),
            ("global_bs=6", 0, ""), ("moe_expert_num=1026", TILING, "moeExpertNum is 1026"),
            ("ep_world_size=1", TILING, "epWorldSize is 1"),
            *((f"ep_world_size={size}, moe_expert_num={size}", TILING, words)
              for size, words in ((8, "has 2 ranks"),
                                  (9, "epWorldSize is 9"), (16, "has 2 ranks"),
                                  (384, "has 2 ranks"), (385, "epWorldSize is 385"))),
        )
    ),
    (_GO, "x=_half(2, 64)", TILING, "other rows"),
    (_GO, _room(11), TILING, "expandXOut has shape [11, 64]"), (_GO, _room(13), 0, ""),
    (_GO, f"global_bs=8, {_room(15)}", TILING, "expandXOut has shape [15, 64]"),
    (_GO, f"global_bs=8, {_room(16)}", 0, ""),
    (_GO, "assist_info_for_combine_out=_int32(12)", TILING, "assistInfoForCombineOut has shape"),
    (_GO, "expert_token_nums_out=_int64(3)", TILING, "expertTokenNumsOut has shape"),
    (_GO, "ep_recv_counts_out=_int32(3)", TILING, "epRecvCountsOut has shape"),
    (_GO, "expand_scales_out=ones(11)", TILING, "expandScalesOut has shape"),
    (_GO, "scales_optional=ones(4, 64)", TILING, "scales do not go with quantMode 0"),
    (_GO, "expert_scales_optional=ones(3, 1)", TILING, "expertScales has shape"),
    (_GO, "expert_token_nums_type=2", TILING, "expertTokenNumsType is 2"),
    (_GO, "expert_token_nums_type=-1", TILING, "expertTokenNumsType is -1"),
    (_GO, "expert_token_nums_type=0", 0, ""), (_GO, _BYTES, 0, ""),
    (_GO, f"{_BYTES}, scales_optional=ones(4, 64)", 0, ""),
    (_GO, f"{_BYTES}, scales_optional=ones(3, 64)", TILING, "scales has shape [3, 64]"),
    (_GO, f"{_BYTES}, dynamic_scales_out=ones(11)", TILING, "dynamicScalesOut has shape"),
    (_GO, _tokens(256), 0, ""), (_GO, _tokens(257), TILING, "expertIds has 257 rows"),
    (_GO, _tokens(3, 10240), 0, ""), (_GO, _tokens(3, 10272), TILING, "x has shape [3, 10272]"),
    (_GO, _tokens(3, 32), 0, ""), (_GO, _tokens(3, 48), TILING, "x has shape [3, 48]"),
    (_GO, _experts(1024), 0, ""), (_GO, _experts(1026), TILING, "is 1026, it may be 1024"),
    (_BACK, "expand_x=_half(11, 64)", TILING, "expandX has 11 rows"),
    (_BACK, "expert_scales=ones(3, 3)", TILING, "expertScales has shape"),
    (_BACK, "ep_send_counts=_int32(3)", TILING, "epSendCounts has shape"),
    (_BACK, "shared_expert_x_optional=_half(3, 32)", TILING, "sharedExpertX has shape"),
    (_BACK, "shared_expert_x_optional=_half(3, 64)", 0, ""),
]  # fmt: skip


#: Limits of CANN 9.0.
BEFORE: list[Written] = [
    (_GO, _tokens(3, 7168), 0, ""), (_GO, _tokens(3, 7200), TILING, "x has shape [3, 7200]"),
    (_GO, _experts(512), 0, ""), (_GO, _experts(514), TILING, "is 514, it may be 512"),
    (_GO, "ep_world_size=384, moe_expert_num=384", TILING, "has 2 ranks"),
]  # fmt: skip
#: And of 8.5.
LONG_BEFORE: list[Written] = [
    (_GO, "ep_world_size=384, moe_expert_num=384", TILING, "epWorldSize is 384"),
    (_GO, "ep_world_size=256, moe_expert_num=256", TILING, "has 2 ranks"),
]
#: On the 950.
FAR: list[Written] = [
    (_GO, f"ep_world_size={ranks}, moe_expert_num={ranks}, {_tokens(3, 1024)}", TILING, words)
    for ranks, words in ((768, "has 2 ranks"), (769, ""), (1024, ""), (1025, "is 1025"))
]


def of_two(calls: list[Written] | None = None) -> list[list[Any]]:
    """Return statuses and reasons of the first phases of calls; there are two devices."""
    group = Communicator.all_devices([pa.Device(0), pa.Device(1)])[0]
    right = {
        name: {n: group if n in ("group", "group_ep") else a for n, a in given.items()}
        for name, given in {**_TOGETHER, _GO: _DISPATCH, _BACK: _COMBINE}.items()
    }
    return [
        reason_of(name, right[name], changes(changed, globals()), runs=False)
        for name, changed, _, _ in (OF_TWO if calls is None else calls)
    ]


def test_a_rank_of_two_is_refused_for_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYACLNN_SIM_DEVICES", "2")

    assert_refused_on("Ascend910B1", "test_collective", "of_two()", OF_TWO)


@pytest.mark.parametrize(
    ("chip", "release", "calls"),
    [
        ("Ascend910B1", "9.0", "BEFORE"), ("Ascend910B1", "8.5", "LONG_BEFORE"),
        ("Ascend950", "9.1", "FAR"),
    ],
)  # fmt: skip
def test_limits_of_an_exchange_are_those_of_the_release(
    monkeypatch: pytest.MonkeyPatch, chip: str, release: str, calls: str
) -> None:
    monkeypatch.setenv("PYACLNN_SIM_DEVICES", "2")
    monkeypatch.setenv("PYACLNN_SIM_CANN", release)

    assert_refused_on(chip, "test_collective", f"of_two(found.{calls})", globals()[calls])
