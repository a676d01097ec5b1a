"""Searching, counting and slices that differ: refusals in CANN's order, edges, shapes found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INNER_NULL, INVALID, NULL, code, code_with, ones
from operators.status_tests import outside_test, refusal_tests

import pyaclnn as pa


def device(*values: Any, dtype: str = "float32") -> pa.Tensor:
    return pa.asarray(np.array(values, dtype))


SEARCH: dict[str, Any] = {
    "sorted_sequence": device(1, 3, 5), "self": ones(4), "out_int32": False, "right": False,
    "sorter": None, "out": ones(4, dtype="int64"),
}  # fmt: skip
ONE: dict[str, Any] = {**SEARCH, "self": 2.0, "out": ones(1, dtype="int64")}
AMONG: dict[str, Any] = {
    "element": 1.0, "test_elements": ones(3), "assume_unique": False, "invert": False,
    "out": ones(dtype="bool"),
}  # fmt: skip
EACH: dict[str, Any] = {
    "element": ones(3), "test_element": 1.0, "assume_unique": False, "invert": False,
    "out": ones(3, dtype="bool"),
}  # fmt: skip
COUNT: dict[str, Any] = {
    "self": ones(3, dtype="int32"), "weights": None, "minlength": 0, "out": ones(2, dtype="int64"),
}  # fmt: skip
BINS: dict[str, Any] = {"self": ones(3), "bins": 2, "min": 0.0, "max": 2.0, "out": ones(2)}
SLICES: dict[str, Any] = {
    "self": ones(3, 2), "return_inverse": True, "return_counts": True, "dim": 0,
    "value_out": ones(3, 2), "inverse_out": ones(3, dtype="int64"),
    "counts_out": ones(3, dtype="int64"),
}  # fmt: skip
BY_DIM = {k: v for k, v in SLICES.items() if k != "return_counts"} | {"sorted": True}
CANDIDATES: dict[str, Any] = {
    "logits": ones(2, 5), "p": ones(2), "k": ones(2, dtype="int32"), "out": ones(2, 5),
}  # fmt: skip
OPERATORS: dict[str, dict[str, Any]] = {
    "search_sorted": SEARCH, "search_sorteds": ONE, "is_in_scalar_tensor": AMONG,
    "is_in_tensor_scalar": EACH, "bincount": COUNT, "histc": BINS, "unique_consecutive": SLICES,
    "unique_dim": BY_DIM, "apply_top_k_top_p": CANDIDATES,
    "is_inf": {"x": ones(3), "out": ones(3, dtype="bool")},
}  # fmt: skip


test_right_arguments_are_accepted, test_refusals = refusal_tests(
    OPERATORS,
    [
        ("search_sorted", {"out": ones(4, dtype="int32")}, INVALID),
        ("search_sorted", {"out": ones(5, dtype="int64")}, INVALID),
        ("search_sorted", {"sorter": ones(3, dtype="int32")}, INVALID),
        ("search_sorted", {"sorter": ones(2, dtype="int64")}, INVALID),
        ("search_sorted", {"sorted_sequence": ones(3, 4)}, INVALID),
        ("search_sorted", {"sorted_sequence": ones(3, dtype="bfloat16")}, INVALID),
        ("search_sorted", {"sorted_sequence": ones(1, 1), "self": ones(1),
                           "out": ones(1, dtype="int64")}, INVALID),
        ("search_sorteds", {"out": ones(0, dtype="int64")}, INVALID),
        ("search_sorteds", {"sorted_sequence": ones(1, 3)}, INVALID),
        ("search_sorteds", {"self": None}, NULL),
        ("is_in_scalar_tensor", {"out": ones(1, dtype="bool")}, INVALID),
        ("is_in_scalar_tensor", {"element": True}, INVALID),
        ("is_in_tensor_scalar", {"out": ones(3, dtype="int8")}, INVALID),
        ("is_in_tensor_scalar", {"test_element": 1j}, INVALID),
        ("bincount", {"self": ones(3)}, INVALID),
        ("bincount", {"self": ones(3, 1, dtype="int32")}, INVALID),
        ("bincount", {"weights": ones(2)}, INVALID),
        ("bincount", {"weights": ones(3, dtype="bfloat16")}, INVALID),
        ("bincount", {"minlength": 3}, 561103),
        ("bincount", {"minlength": 2**31}, INVALID),
        ("histc", {"bins": 0, "out": ones(0)}, INVALID),
        ("histc", {"min": 3.0}, INVALID),
        ("histc", {"min": float("nan")}, INVALID),
        ("histc", {"max": float("inf")}, INVALID),
        ("histc", {"min": float("inf"), "max": float("inf")}, 0),
        ("histc", {"out": ones(3)}, INVALID),
        ("histc", {"self": ones(3, dtype="int32")}, INVALID),
        ("unique_consecutive", {"dim": 2}, INVALID),
        ("unique_consecutive", {"value_out": ones(3, 2, dtype="int32")}, INVALID),
        ("unique_consecutive", {"counts_out": ones(3, dtype="int32")}, INVALID),
        ("unique_dim", {"dim": 1000}, INVALID),
        ("unique_dim", {"self": ones(3, 2, dtype="complex64"),
                        "value_out": ones(3, 2, dtype="complex64")}, INVALID),
        ("unique_dim", {"self": None, "dim": 9}, NULL),
        ("apply_top_k_top_p", {"p": None, "k": None}, INNER_NULL),
        ("apply_top_k_top_p", {"p": None}, 0),
        ("apply_top_k_top_p", {"k": ones(2, dtype="int64")}, INVALID),
        ("apply_top_k_top_p", {"p": ones(3)}, INVALID),
        ("apply_top_k_top_p", {"p": ones(2, dtype="float16")}, INVALID),
        ("apply_top_k_top_p", {"logits": ones(10), "out": ones(10)}, INVALID),
    ],
)  # fmt: skip

test_what_lies_outside_ends_the_task = outside_test(
    OPERATORS,
    [
        ("search_sorted", {"sorter": device(0, 1, 3, dtype="int64")}),
        ("search_sorteds", {"sorter": device(0, 1, -1, dtype="int64")}),
        ("bincount", {"self": device(0, -1, 1, dtype="int32")}),
        ("apply_top_k_top_p", {"k": device(0, 6, dtype="int32")}),
    ],
)


def test_numbers_beyond_the_counts_are_left_out() -> None:
    out = pa.empty((3,), "int32")

    pa.ops.bincount(device(0, 7, 2, 2, dtype="int64"), None, 0, out=out)

    assert out.numpy().tolist() == [1, 0, 2]


def test_nan_is_sought_behind_all_numbers() -> None:
    sequence = device(1, 2, np.nan)

    left = pa.ops.search_sorted(sequence, device(np.nan, np.inf), False, False)
    right = pa.ops.search_sorted(sequence, device(np.nan, 2), False, True)

    assert left.numpy().tolist() == [2, 2]
    assert right.numpy().tolist() == [3, 2]


def test_a_wide_number_loses_digits_on_its_way() -> None:
    # It becomes a float before it is compared.
    sequence = device(2**24, 2**24 + 1, 2**24 + 2, dtype="int64")

    assert pa.ops.search_sorteds(sequence, 2**24 + 1, False).numpy().tolist() == [0]


def test_the_range_of_a_histogram_with_nan_is_none() -> None:
    found = pa.ops.histc(device(1, np.nan, 3), 2, 0.0, 0.0)

    assert found.numpy().tolist() == [0, 0]


def test_slices_in_order_and_of_neighbours() -> None:
    x = device([2, 1], [1, 2], [2, 1], [2, 1])

    by_order = [pa.filled_part(t).numpy().tolist() for t in pa.ops.unique_dim(x, True, True, 0)]
    near = pa.ops.unique_consecutive(x, True, True, 0)

    assert by_order == [[[1, 2], [2, 1]], [1, 0, 1, 1], [1, 3]]
    assert [pa.filled_part(t).numpy().tolist() for t in near] == [
        [[2, 1], [1, 2], [2, 1]], [0, 1, 2, 2], [1, 1, 2],
    ]  # fmt: skip


def test_slices_need_room_only_for_what_is_found() -> None:
    x = device([0, 1], [1, 3], [3, 1], [1, 3])
    values, inverse, counts = ones(3, 2), ones(4, 2, dtype="int64"), ones(3, dtype="int64")

    pa.ops.unique_dim(x, False, False, 0, out=(values, inverse, counts))

    assert values.numpy().tolist() == [[0, 1], [1, 3], [3, 1]]
    assert counts.numpy().tolist() == [1, 2, 1]
    # CANN looks at no shape, so the device would write behind the end.
    pa.ops.unique_dim(x, False, False, 0, out=(ones(2, 2), inverse, counts))
    with pytest.raises(pa.AclError, match="6 places are needed") as caught:
        pa.current_stream().sync()
    assert caught.value.code == 507018


def test_slices_are_written_to_a_part_of_a_tensor() -> None:
    x, room = device([0, 1], [1, 3], [0, 1]), pa.zeros((5, 2))
    others = ones(3, 2, dtype="int64"), ones(3, dtype="int64")

    pa.ops.unique_dim(x, False, False, 0, out=(room[2:], *others))

    assert room.numpy().tolist() == [[0, 0], [0, 0], [0, 1], [1, 3], [0, 0]]


def test_nan_is_like_nothing_and_both_zeros_are_alike() -> None:
    x = device(0.0, -0.0, np.nan, np.nan)

    found = pa.ops.unique_consecutive(x, False, True, 1000)

    assert pa.filled_part(found[2]).numpy().tolist() == [2, 1, 1]


def test_without_axes_each_element_is_its_least_and_largest() -> None:
    x = np.array([[1.0, np.nan, -2.0]], np.float32)

    for keep in (False, True):
        least, largest = pa.ops.aminmax(pa.asarray(x), [], keep)
        np.testing.assert_array_equal(least.numpy(), x)
        np.testing.assert_array_equal(largest.numpy(), x)


def test_bucketize_is_of_another_chip() -> None:
    right = {
        "self": ones(3), "boundaries": ones(2), "out_int32": True, "right": False,
        "out": ones(3, dtype="int32"),
    }  # fmt: skip

    assert code_with("bucketize", right) == 561000
    assert code_with("bucketize", right, self=None) == 561000


def slices_of_floats() -> list[int]:
    """Return the statuses of UniqueDim of float32 and of bfloat16."""
    return [
        code("unique_dim", ones(2, 2, dtype=dtype), True, True, 0)
        for dtype in ("float32", "bfloat16")
    ]


@pytest.mark.parametrize(
    ("chip", "of_bfloat16"), [("Ascend910B1", 0), ("Ascend950", INVALID)], ids=str
)
def test_before_9_1_the_950_alone_looks_for_no_bfloat16(chip: str, of_bfloat16: int) -> None:
    call = "slices_of_floats()"

    found = found_on(chip, "operators.test_searching", call, PYACLNN_SIM_CANN="9.0")

    assert found == [0, of_bfloat16]
