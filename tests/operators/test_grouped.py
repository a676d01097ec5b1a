"""Grouped products: what they refuse, what they leave alone, and lists that no group fits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NULL, TILING, code, device, ones
from operators.status_tests import status_tests

import pyaclnn as pa

HALF = "float16"


def halves(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype=HALF)


def numbers(*values: Any) -> pa.Tensor:
    return device(np.array(values), "int64")


_OPTIONAL = dict.fromkeys(
    ("bias_optional", "scale_optional", "offset_optional", "antiquant_scale_optional",
     "antiquant_offset_optional")
)  # fmt: skip
_LATER = dict.fromkeys(
    ("per_token_scale_optional", "activation_input_optional", "activation_quant_scale_optional",
     "activation_quant_offset_optional", "tuning_config_optional")
)  # fmt: skip
_WEIGHTS = {"weight": [ones(8, 6), ones(8, 6)]}
_STACKED = {"weight": [ones(2, 8, 6)]}
_INT8: dict[str, Any] = {
    "x": [ones(5, 8, dtype="int8")], "weight": [ones(2, 8, 6, dtype="int8")],
    "scale_optional": [ones(2, 6)], "per_token_scale_optional": [ones(5)],
    "out": ([ones(5, 6, dtype=HALF)], None, None),
}  # fmt: skip

RIGHT: dict[str, dict[str, Any]] = {
    # The first version has no float32 on A2.
    "grouped_matmul": {
        "x": [halves(5, 8)], "weight": [halves(8, 6), halves(8, 6)], **_OPTIONAL,
        "group_list_optional": [2, 5], "split_item": 3, "y": [halves(5, 6)],
    },
    "grouped_matmul_v2": {
        "x": [ones(2, 8), ones(3, 8)], **_WEIGHTS, **_OPTIONAL, "group_list_optional": None,
        "split_item": 0, "group_type": -1, "y": [ones(2, 6), ones(3, 6)],
    },
    "grouped_matmul_v3": {
        "x": [ones(5, 8)], **_STACKED, **_OPTIONAL, "group_list_optional": numbers(2, 5),
        "split_item": 3, "group_type": 0, "y": [ones(5, 6)],
    },
    "grouped_matmul_v4": {
        "x": [ones(5, 8)], "weight": [ones(2, 8, 6)], **_OPTIONAL, **_LATER,
        "group_list_optional": numbers(2, 3), "split_item": 3, "group_type": 0,
        "group_list_type": 1, "act_type": 0, "out": ([ones(5, 6)], None, None),
    },
    "grouped_matmul_v5": {
        **_OPTIONAL, **_LATER, **_INT8, "group_list_optional": numbers(2, 3), "split_item": 3,
        "group_type": 0, "group_list_type": 1, "act_type": 5,
    },
}  # fmt: skip
del RIGHT["grouped_matmul_v4"]["tuning_config_optional"]

WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "grouped_matmul": (
        ("x", None, NULL), ("weight", None, NULL), ("x", [], NULL),
        ("group_list_optional", [3, 2], INVALID), ("group_list_optional", [2, 4], INVALID),
        ("group_list_optional", [5], INVALID), ("group_list_optional", None, INVALID),
        ("split_item", 4, INVALID), ("split_item", -1, INVALID), ("split_item", 0, INVALID),
        ("weight", [halves(8, 6), halves(8, 5)], INVALID),
        ("weight", [halves(8, 6), halves(7, 6)], INVALID),
        ("bias_optional", [halves(6), halves(6)], 0), ("bias_optional", [halves(6)], INVALID),
        ("bias_optional", [halves(6), halves(5)], INVALID),
        ("scale_optional", [halves(6)] * 2, INVALID), ("y", [halves(4, 6)], INVALID),
        ("x", [ones(5, 8)], INVALID), ("y", [ones(5, 6)], INVALID),
    ),
    "grouped_matmul_v2": (
        ("group_type", 1, INVALID), ("group_type", 3, INVALID), ("split_item", 2, INVALID),
        ("group_list_optional", [2, 5], INVALID), ("group_list_optional", [1, 5], INVALID),
        ("x", [ones(2, 8)], INVALID), ("y", [ones(2, 6), ones(2, 6)], INVALID),
        ("group_type", 2, INVALID),
    ),
    "grouped_matmul_v3": (
        ("group_list_optional", numbers(1, 2, 5), INVALID), ("group_list_optional", None, INVALID),
        ("group_list_optional", device([2, 5], "int32"), INVALID), ("group_type", -1, INVALID),
        ("group_list_optional", numbers([2, 5]), INVALID), ("y", [ones(5, 5)], INVALID),
        ("group_type", 2, INVALID), ("weight", [ones(2, 6, 8)], INVALID),
    ),
    "grouped_matmul_v4": (
        ("group_list_type", 3, INVALID), ("group_list_type", -1, INVALID), ("act_type", 1, INVALID),
        ("act_type", 6, INVALID), ("group_list_type", 2, INVALID),
        ("activation_input_optional", [ones(5, 6)], INVALID),
        ("per_token_scale_optional", [ones(5)], INVALID),
        ("antiquant_scale_optional", [ones(2, 6)], INVALID),
    ),
    "grouped_matmul_v5": (
        ("per_token_scale_optional", [ones(4)], INVALID), ("scale_optional", None, INVALID),
        ("scale_optional", [ones(2, 5)], INVALID), ("out", ([ones(5, 6)], None, None), INVALID),
        ("scale_optional", [ones(3, 6)], INVALID), ("bias_optional", [ones(2, 6)], INVALID),
        ("bias_optional", [ones(2, 6, dtype="int32")], 0), ("act_type", 0, 0),
        ("scale_optional", [ones(2, 6, dtype="bfloat16")], INVALID),
        ("group_type", -1, INVALID),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)

_INT4: dict[str, Any] = {
    "x": [ones(5, 64, dtype="int8")], "weight": [ones(2, 64, 2, dtype="int32")], **_OPTIONAL,
    **_LATER, "bias_optional": [ones(2, 16)], "scale_optional": [ones(2, 1, 16, dtype="uint64")],
    "per_token_scale_optional": [ones(5)], "group_list_optional": numbers(2, 3), "split_item": 3,
    "group_type": 0, "group_list_type": 1, "act_type": 0,
    "out": ([ones(5, 16, dtype=HALF)], None, None),
}  # fmt: skip

test_int4_beside_int8_succeeds, test_int4_beside_int8_answers_as_cann = status_tests(
    {"grouped_matmul_v5": _INT4},
    {
        "grouped_matmul_v5": (
            ("bias_optional", None, INVALID), ("bias_optional", [ones(2, 8)], INVALID),
            ("bias_optional", [ones(2, 16, dtype=HALF)], INVALID),
            ("scale_optional", None, INVALID), ("scale_optional", [ones(2, 1, 16)], INVALID),
            ("scale_optional", [ones(2, 2, 16, dtype="int64")], 0),
            ("scale_optional", [ones(2, 16, dtype="int64")], TILING),
            ("scale_optional", [ones(2, 3, 16, dtype="uint64")], INVALID),
            ("per_token_scale_optional", None, INVALID),
            ("per_token_scale_optional", [ones(4)], INVALID), ("act_type", 1, INVALID),
            ("group_list_optional", None, INVALID), ("group_type", -1, INVALID),
            ("weight", [ones(2, 64, 3, dtype="int32")], INVALID), ("group_list_type", 0, 0),
            ("out", ([ones(5, 16)], None, None), INVALID),
            ("x", [ones(5, 8, dtype="int32")], INVALID), ("weight", [], NULL),
            ("weight", [ones(2, 64, 2, dtype="int32")[:, ::2]], INVALID),
            ("offset_optional", [ones(2, 1, 16)], INVALID),
        ),
    },
)  # fmt: skip


def product(groups: pa.Tensor, kind: int) -> Any:
    x = np.arange(40, dtype=np.float32).reshape(5, 8)
    out = [device(np.full((5, 6), 77))]
    pa.ops.grouped_matmul_v4(
        [pa.asarray(x)], [pa.asarray(np.ones((2, 8, 6), np.float32))], *(None,) * 6, groups,
        None, None, None, 3, 0, kind, 0, out=(out, None, None),
    )  # fmt: skip
    return out[0].numpy(), np.repeat(x.sum(1)[:, None], 6, 1)


def test_rows_behind_the_last_group_stay_as_they_are() -> None:
    found, expected = product(numbers(1, 3), 0)

    np.testing.assert_array_equal(found[:3], expected[:3])
    np.testing.assert_array_equal(found[3:], 77)


@pytest.mark.parametrize(
    ("groups", "kind", "rows"),
    [
        (numbers(-3, 2), 0, 2), (numbers(9, 2), 0, 5), (numbers(2**62, 2**62), 1, 5),
        (numbers(-(2**63), 1), 1, 1), (numbers([7, 2], [1, 2]), 2, 4),
        (numbers([-1, 1], [0, 2**63 - 1]), 2, 5),
    ],
)  # fmt: skip
def test_numbers_that_are_no_groups_reach_no_further_than_the_rows(
    groups: pa.Tensor, kind: int, rows: int
) -> None:
    found, expected = product(groups, kind)
    touched = (found != 77).all(1)

    assert touched.sum() <= rows
    np.testing.assert_array_equal(found[touched], expected[touched])


def test_the_inner_axis_wants_x_transposed() -> None:
    def attempt(x: pa.Tensor) -> int:
        try:
            pa.ops.grouped_matmul_v3(
                [x], [ones(8, 6)], *(None,) * 5, numbers(3, 8), 3, 2, out=[ones(2, 5, 6)]
            )
        except pa.AclError as error:
            return error.code
        return 0

    assert attempt(ones(5, 8)) == INVALID
    assert attempt(ones(8, 5).T) == 0


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_a_group_is_to_the_bit_what_a_product_of_its_own_is(dtype: str) -> None:
    rng = np.random.default_rng(5)
    x, weight = (
        pa.asarray(rng.normal(size=shape).astype(np.float32)).astype(dtype)
        for shape in ((70, 300), (3, 300, 40))
    )
    found = pa.ops.grouped_matmul_v3([x], [weight], *(None,) * 5, numbers(20, 20, 70), 3, 0)[0]

    for expert, begin, end in ((0, 0, 20), (2, 20, 70)):
        alone = pa.ops.matmul(x[begin:end], weight[expert], 0)
        np.testing.assert_array_equal(found[begin:end].numpy(), alone.numpy())


def test_the_first_version_takes_no_transposed_weights_of_lists() -> None:
    x, weight = pa.ones((3, 16), "float16"), pa.ones((8, 16), "float16").T
    rest = ([x, x], [weight, weight], None, None, None, None, None, None, 0)
    out = [pa.zeros((3, 8), "float16") for _ in range(2)]

    assert code("grouped_matmul", *rest, out=out) == INVALID
    pa.ops.grouped_matmul_v2(*rest, -1, out=out)
    assert (out[1].numpy() == 16).all()


@pytest.mark.parametrize(("ends", "status"), [([2, 5], 0), ([3, 5], INVALID), ([2, 6], INVALID)])
def test_groups_of_the_first_version_are_the_tensors_of_its_list(
    ends: list[int], status: int
) -> None:
    x, weight = [halves(2, 8), halves(3, 8)], [halves(8, 6), halves(8, 6)]
    out = [halves(2, 6), halves(3, 6)]

    assert code("grouped_matmul", x, weight, *(None,) * 5, ends, 0, out=out) == status
