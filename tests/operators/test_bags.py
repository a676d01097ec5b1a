"""Bags, blocks and masked softmax: refusals in CANN's order, what lies outside, edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NULL, TILING, ones
from operators.status_tests import outside_test, refusal_tests

import pyaclnn as pa


def numbers(*values: int, dtype: str = "int64") -> pa.Tensor:
    return pa.asarray(np.array(values, dtype))


BAG: dict[str, Any] = {
    "weight": ones(4, 3), "indices": numbers(0, 3, 1), "offsets": numbers(0, 2),
    "scale_grad_by_freq": False, "mode": 0, "sparse": False, "per_sample_weights": None,
    "include_last_offset": False, "padding_idx": -1, "output": ones(2, 3),
    "offset2bag": ones(3, dtype="int64"), "bag_size": ones(2, dtype="int64"),
    "max_indices": ones(2, dtype="int64"),
}  # fmt: skip
RENORM: dict[str, Any] = {
    "self_ref": ones(4, 3), "indices": numbers(0, 3), "max_norm": 1.0, "norm_type": 2.0,
}  # fmt: skip
MASKED: dict[str, Any] = {
    "x": ones(2, 3, 4, 5), "mask": ones(1, 3, 4, 5, dtype="bool"), "scale": 1.0,
    "fixed_triu_mask": False, "y": ones(2, 3, 4, 5),
}  # fmt: skip
BIASED: dict[str, Any] = {
    "x": ones(4, 2, 3, 8), "atten_mask_optional": ones(2, 3, 8),
    "relative_pos_bias": ones(2, 3, 8), "out": ones(4, 2, 3, 8),
}  # fmt: skip
LISTS: dict[str, Any] = {
    "var_ref": [ones(2, 6), ones(2, 6)], "indice": numbers(0, 4), "updates": ones(2, 2, 2),
    "mask_optional": None, "reduce_optional": "update", "axis": -1,
}  # fmt: skip
SLICE: dict[str, Any] = {
    "var_ref": ones(4, 6), "input_value": ones(2, 3), "begin": (0, 1), "end": (4, 4),
    "strides": (2, 1), "axes_optional": None,
}  # fmt: skip
OPERATORS: dict[str, dict[str, Any]] = {
    "embedding_bag": BAG, "embedding_renorm": RENORM, "scaled_masked_softmax": MASKED,
    "masked_softmax_with_rel_pos_bias": BIASED, "scatter_list": LISTS,
    "strided_slice_assign_v2": SLICE,
}  # fmt: skip


test_right_arguments_are_accepted, test_refusals = refusal_tests(
    OPERATORS,
    [
        ("embedding_bag", {"offsets": None, "weight": ones(4, 3, dtype="int32")}, NULL),
        ("embedding_bag", {"weight": ones(4, 3, dtype="float64")}, INVALID),
        ("embedding_bag", {"indices": numbers(0, dtype="int8"),
                           "offsets": numbers(0, dtype="int16")}, INVALID),
        ("embedding_bag", {"indices": ones(1, 3, dtype="int64")}, INVALID),
        ("embedding_bag", {"output": ones(3, 3)}, INVALID),
        ("embedding_bag", {"include_last_offset": True}, INVALID),
        ("embedding_bag", {"mode": 1, "per_sample_weights": ones(3)}, INVALID),
        ("embedding_bag", {"per_sample_weights": ones(2)}, INVALID),
        ("embedding_bag", {"mode": 2}, INVALID),
        ("embedding_bag", {"mode": 2, "max_indices": ones(2, 3, dtype="int64")}, 0),
        ("embedding_bag", {"offset2bag": ones(2, dtype="int64")}, INVALID),
        ("embedding_bag", {"offset2bag": ones(0, dtype="int64")}, 0),
        ("embedding_bag", {"bag_size": ones(2)}, INVALID),
        ("embedding_bag", {"sparse": True}, TILING),
        ("embedding_renorm", {"self_ref": ones(4)}, INVALID),
        ("embedding_renorm", {"indices": ones(2)}, INVALID),
        ("embedding_renorm", {"indices": None}, INNER_NULL),
        ("scaled_masked_softmax", {"mask": None}, INNER_NULL),
        ("scaled_masked_softmax", {"fixed_triu_mask": True}, INVALID),
        ("scaled_masked_softmax", {"mask": ones(2, 3, 1, 5, dtype="bool")}, INVALID),
        ("scaled_masked_softmax", {"mask": ones(1, 3, 4, 5)}, INVALID),
        ("scaled_masked_softmax", {"x": ones(2, 3, 4, 0), "y": ones(2, 3, 4, 0),
                                   "mask": ones(2, 3, 4, 0, dtype="bool")}, INVALID),
        ("masked_softmax_with_rel_pos_bias", {"relative_pos_bias": None}, NULL),
        ("masked_softmax_with_rel_pos_bias", {"atten_mask_optional": None}, 0),
        ("masked_softmax_with_rel_pos_bias", {"atten_mask_optional": ones(3, 3, 8)}, TILING),
        ("masked_softmax_with_rel_pos_bias", {"relative_pos_bias": ones(1, 3, 8)}, TILING),
        ("masked_softmax_with_rel_pos_bias", {"x": ones(2, 3, 8), "out": ones(2, 3, 8)}, TILING),
        ("masked_softmax_with_rel_pos_bias", {"out": ones(4, 2, 3, 8, dtype="float16")}, TILING),
        ("scatter_list", {"var_ref": [ones(1, 6), ones(1, 6)], "updates": ones(2, 1, 2)}, 0),
        ("scatter_list", {"var_ref": [ones(0, 6), ones(0, 6)], "updates": ones(2, 0, 2)}, TILING),
        ("scatter_list", {"reduce_optional": "add"}, INVALID),
        ("scatter_list", {"axis": 0}, TILING),
        ("scatter_list", {"axis": -3}, TILING),
        ("scatter_list", {"updates": ones(2, 2, 7)}, TILING),
        ("scatter_list", {"updates": ones(1, 2, 2)}, TILING),
        ("scatter_list", {"var_ref": [ones(2, 6), ones(2, 5)]}, TILING),
        ("scatter_list", {"var_ref": [ones(2, 6), ones(2, 6, dtype="int8")]}, INVALID),
        ("scatter_list", {"mask_optional": ones(3, dtype="uint8")}, TILING),
        ("scatter_list", {"indice": ones(2, 3, dtype="int64")}, TILING),
        ("strided_slice_assign_v2", {"input_value": ones(2, 4)}, TILING),
        ("strided_slice_assign_v2", {"strides": (0, 1)}, TILING),
        ("strided_slice_assign_v2", {"strides": (1, 2)}, TILING),
        ("strided_slice_assign_v2", {"strides": (2**63 - 1, 1), "input_value": ones(1, 3)}, 0),
        ("strided_slice_assign_v2", {"begin": (-(2**63), 1), "end": (2**63 - 1, 4)}, 0),
        ("strided_slice_assign_v2", {"axes_optional": (0, 2)}, TILING),
        ("strided_slice_assign_v2", {"begin": (0,)}, TILING),
        ("strided_slice_assign_v2", {"input_value": ones(2, 3, dtype="int8")}, INVALID),
    ],
)  # fmt: skip

test_what_lies_outside_ends_the_task = outside_test(
    OPERATORS,
    [
        ("embedding_bag", {"indices": numbers(0, 4, 1)}),
        ("embedding_bag", {"indices": numbers(0, -2, 1)}),
        ("embedding_bag", {"offsets": numbers(0, 2, 9, 1), "output": ones(4, 3),
                           "bag_size": ones(4, dtype="int64"),
                           "max_indices": ones(4, dtype="int64"),
                           "offset2bag": ones(3, dtype="int64")}),
        ("embedding_renorm", {"indices": numbers(4)}),
        ("embedding_renorm", {"indices": numbers(-1)}),
        ("scatter_list", {"indice": numbers(0, 5)}),
        ("scatter_list", {"indice": numbers(-1, 0)}),
        ("scatter_list", {"indice": pa.asarray(np.array([[0, 1], [0, 3]]))}),
    ],
)  # fmt: skip


def test_a_row_that_is_named_twice_is_scaled_once() -> None:
    table = pa.full((2, 4), 3.0)

    pa.ops.embedding_renorm(table, numbers(1, 1, 1), 1.0, 2.0)

    assert table.numpy()[1] == pytest.approx(np.full(4, 0.5), rel=1e-6)
    assert table.numpy()[0].tolist() == [3.0] * 4


def test_the_first_bag_begins_at_the_first_number_whatever_is_said() -> None:
    table = pa.asarray(np.arange(3, dtype=np.float32).reshape(3, 1))

    found = pa.ops.embedding_bag(
        table, numbers(2, 1), numbers(1), False, 0, False, None, False, -1
    )  # fmt: skip

    assert found[0].numpy().tolist() == [[3.0]]
    assert found[1].numpy().tolist() == [0, 0]
