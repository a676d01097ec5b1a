"""What products by groups refuse for types that do not go together, and lists that do not fit."""

from __future__ import annotations

from typing import Any

from operators.calls import INVALID, TILING, ones
from operators.reasons import Refused, reason_tests
from operators.test_grouped import _INT4, RIGHT, halves, numbers

from pyaclnn.tensor.formats import with_format


def int8(*shape: int) -> Any:
    return ones(*shape, dtype="int8")


_V1, _V2, _V3, _V4, _V5 = (
    "grouped_matmul", *(f"grouped_matmul_v{n}" for n in (2, 3, 4, 5))
)  # fmt: skip
_QUANTISED: dict[str, Any] = {
    "x": [halves(5, 8)], "weight": [int8(2, 8, 6)], "antiquant_scale_optional": [halves(2, 6)],
    "antiquant_offset_optional": [halves(2, 6)], "out": ([halves(5, 6)], None, None),
}  # fmt: skip
_INNER: dict[str, Any] = {
    "x": [ones(5, 8).T], "weight": [ones(5, 6)], "group_type": 2, "y": [ones(2, 8, 6)],
}  # fmt: skip
_INNER_LISTS: dict[str, Any] = {
    "x": [ones(5, 8).T], "weight": [ones(2, 6), ones(3, 6)], "group_type": 2, "split_item": 0,
    "group_list_optional": None, "y": [ones(8, 6), ones(8, 6)],
}  # fmt: skip


def _one_row(x: Any) -> dict[str, Any]:
    return {**_INNER, "x": [x], "y": [ones(2, 1, 6)]}


def _one_deep(x: Any) -> dict[str, Any]:
    return {**_INNER, "x": [x], "weight": [ones(1, 6)], "group_list_optional": numbers(0, 1)}


def _lists(count: int) -> dict[str, Any]:
    return {
        "x": [ones(1, 8)] * count, "weight": [ones(8, 6)] * count, "y": [ones(count, 6)],
        "group_list_optional": [*range(1, count + 1)], "group_type": 0, "split_item": 3,
    }  # fmt: skip


_APART = {
    "x": [int8(5, 8)], "weight": [int8(8, 6)], "scale_optional": [ones(6)], "group_type": -1,
    "per_token_scale_optional": None, "group_list_optional": None, "act_type": 0,
}  # fmt: skip
_INT4_APART = {
    "x": [int8(5, 64)], "weight": [ones(64, 2, dtype="int32")], "group_type": -1,
    "group_list_optional": None, "bias_optional": [ones(16)],
}  # fmt: skip
_BOTH_INT4 = {"x": [ones(5, 8, dtype="int32")], "bias_optional": None}
_INT4_LISTED = {
    "weight": [ones(64, 2, dtype="int32")] * 2,
    "scale_optional": [ones(1, 16, dtype="uint64")] * 2,
}  # fmt: skip
_INT4_OFFSET = {"offset_optional": [ones(2, 1, 16)], "per_token_scale_optional": [ones(5, 1)]}
_INT4_LISTED_OFFSET = {
    **_INT4_LISTED, "bias_optional": [ones(16)] * 2, "offset_optional": [ones(1, 16)] * 2,
}  # fmt: skip
WRONG: list[Refused] = [
    (_V2, {"x": [ones(2, 8), halves(3, 8)]}, INVALID,
     "x[1] is float16, it must be float32 as x[0] is"),
    (_V5, _APART, INVALID, "int8 goes by groups of rows only"),
    (_V5, {"scale_optional": None, "per_token_scale_optional": None, "act_type": 0,
           "out": ([ones(5, 6, dtype="int32")], None, None)}, 0, ""),
    (_V5, {"scale_optional": None, "per_token_scale_optional": None, "act_type": 1,
           "out": ([ones(5, 6, dtype="int32")], None, None)}, INVALID,
     "no activation behind int32"),
    (_V5, {"x": [int8(2, 8), int8(3, 8)]}, INVALID, "one tensor of x"),
    (_V5, {"x": [int8(2, 8), int8(3, 8)], "per_token_scale_optional": None}, INVALID,
     "with 2 tensors of x, 1 weights"),
    (_V5, {"x": [int8(2, 8), int8(3, 8)], "weight": [int8(8, 6)] * 2, "scale_optional":
           [ones(6)] * 2}, INVALID, "one tensor of x"),
    (_V5, {"scale_optional": [ones(2)]}, INVALID, "has shape"),
    (_V5, {"scale_optional": [ones(2, 1, 6)]}, INVALID, "has shape"),
    (_V5, _INT4, 0, ""),
    (_V5, {**_INT4, "x": [int8(2, 64), int8(3, 64)], "weight": [ones(64, 2, dtype="int32")] * 2,
           "group_list_optional": None}, INVALID, "groupList is null beside int4"),
    (_V5, {**_INT4, **_INT4_APART}, INVALID, "int4 goes by groups of rows only"),
    (_V5, {**_INT4, **_BOTH_INT4}, 0, ""),
    (_V5, {**_INT4, **_BOTH_INT4, **_INT4_LISTED}, INVALID, "for one tensor of each"),
    (_V5, {**_INT4, **_INT4_LISTED, "bias_optional": [ones(16)] * 2}, 0, ""),
    (_V5, {**_INT4, **_INT4_LISTED, "bias_optional": [ones(16)] * 2,
           "scale_optional": [ones(16, dtype="uint64")] * 2}, TILING, "without the parts"),
    (_V5, {**_INT4, **_INT4_LISTED, "bias_optional": [ones(16)] * 2, "x": [int8(5, 128)],
           "weight": [ones(64, 2, dtype="int32"), ones(128, 2, dtype="int32")]}, INVALID,
     "depths"),
    (_V5, {**_INT4, **_INT4_LISTED, "bias_optional": [ones(16)] * 2, "x": [int8(2, 64)] * 2,
           "out": ([halves(4, 16)], None, None)}, INVALID, "for one tensor of x"),
    (_V5, {**_INT4, "x": [int8(5, 96)], "weight": [ones(2, 96, 2, dtype="int32")]}, TILING,
     "a multiple of 64"),
    (_V5, {**_INT4, "x": [int8(5, 18496)], "weight": [ones(2, 18496, 2, dtype="int32")]}, TILING,
     "18432 at most"),
    (_V5, {**_INT4, "x": [int8(5, 18432)], "weight": [ones(2, 18432, 2, dtype="int32")]}, 0, ""),
    (_V5, {**_INT4, **_INT4_OFFSET}, 0, ""),
    (_V5, {**_INT4, **_INT4_OFFSET, "per_token_scale_optional": [ones(5)]}, INVALID, "the rows"),
    (_V5, {**_INT4, **_INT4_OFFSET, "offset_optional": [ones(2, 16)]}, INVALID, "the columns"),
    (_V5, {**_INT4, **_INT4_OFFSET, "offset_optional": [halves(2, 1, 16)]}, INVALID, "is float16"),
    (_V5, {**_INT4, **_INT4_OFFSET, "offset_optional": [ones(1, 16)] * 2}, INVALID, "offsets and"),
    (_V5, {**_INT4, **_INT4_OFFSET, "scale_optional": [ones(2, 2, 16, dtype="uint64")]}, INVALID,
     "the columns"),
    (_V5, {**_INT4, **_INT4_OFFSET, "out": ([ones(5, 16, dtype="bfloat16")], None, None)}, INVALID,
     "is bfloat16"),
    (_V5, {**_INT4, **_INT4_LISTED_OFFSET}, 0, ""),
    (_V5, {"offset_optional": [ones(6)] * 2}, INVALID, "offsetOptional is given"),
    (_V4, _QUANTISED, 0, ""),
    (_V4, {**_QUANTISED, "x": [halves(5, 8).T], "weight": [int8(5, 6)], "group_type": 2,
           "out": ([halves(2, 8, 6)], None, None)}, INVALID, "do not go by the inner axis"),
    (_V4, {**_QUANTISED, "act_type": 1}, INVALID, "no activation behind quantised weights"),
    (_V4, {**_QUANTISED, "antiquant_scale_optional": None}, INVALID, "antiquantScale is null"),
    (_V4, {**_QUANTISED, "antiquant_offset_optional": None}, INVALID, "antiquantOffset is null"),
    (_V2, {"offset_optional": [ones(6)] * 2}, INVALID, "offset is given"),
    (_V3, _INNER, 0, ""),
    (_V3, _one_row(ones(5, 1).T), 0, ""),
    (_V3, _one_row(ones(1, 5)), INVALID, "x must be transposed"),
    (_V3, _one_deep(ones(1, 8).T), 0, ""),
    (_V3, _one_deep(ones(8, 1)), INVALID, "x must be transposed"),
    (_V3, {**_INNER, "bias_optional": [ones(6)]}, INVALID, "no bias for groups of the inner axis"),
    (_V3, {**_INNER, "weight": [ones(4, 6)]}, INVALID, "weights have 4 rows, x has 5"),
    (_V3, {**_INNER, "weight": [ones(6, 6)]}, INVALID, "weights have 6 rows, x has 5"),
    (_V3, {**_INNER, "group_list_optional": None}, INVALID, "groupList is null"),
    (_V3, _INNER_LISTS, 0, ""),
    (_V3, {**_INNER_LISTS, "group_list_optional": numbers(2, 5)}, INVALID, "groupList is given"),
    (_V3, {**_INNER_LISTS, "weight": [ones(2, 6), ones(4, 6)]}, INVALID,
     "weights have 6 rows, x has 5"),
    (_V3, {**_INNER_LISTS, "weight": [ones(2, 6), ones(2, 6)]}, 0, ""),
    (_V3, {**_INNER_LISTS, "y": [ones(8, 6)]}, INVALID, "1 outputs for 2 weights"),
    (_V2, {"x": [ones(8, 2).T, ones(3, 8)]}, INVALID, "x[0] is transposed, and groupType is -1"),
    (_V3, {**_INNER, "weight": [ones(6, 5).T]}, INVALID,
     "weight[0] is transposed, and groupType is 2"),
    (_V3, {**_INNER_LISTS, "weight": [ones(2, 6), ones(6, 3).T]}, INVALID, "weight[1] is"),
    (_V2, {**_lists(2), "x": [ones(1, 8), ones(8, 1).T]}, INVALID, "x[1] is transposed"),
    (_V2, _lists(128), 0, ""),
    *((_V3, {name: [with_format(ones(*shape), format)]}, INVALID, "has format")
      for name, shape in (("x", (5, 8)), ("weight", (2, 8, 6)), ("y", (5, 6)))
      for format in ("FRACTAL_Z", *(("FRACTAL_NZ",) if name != "weight" else ()))),
    (_V2, {**_lists(2), "split_item": 0, "y": [ones(1, 6)] * 2}, INVALID,
     "with 2 tensors of x, 2 weights and 2 outputs"),
    (_V2, {**_lists(2), "split_item": 0, "x": [ones(2, 8)], "y": [ones(1, 6)] * 2}, 0, ""),
    (_V2, {**_lists(2), "weight": [ones(2, 8, 6)]}, INVALID, "with 2 tensors of x, 1 weights"),
    (_V3, {**_lists(2), "split_item": 0, "group_list_optional": numbers(1, 2),
           "x": [ones(2, 8)], "y": [ones(1, 6)] * 2}, INVALID, "1 tensors of x, 2 weights and 2"),
    (_V2, _lists(129), INVALID, "more than 128 groups"),
]  # fmt: skip
test_right_calls_succeed, test_wrong_calls_are_refused = reason_tests(RIGHT, WRONG)
