"""What scales, modulations and sums of tensors refuse, each as its source has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NULL, TILING, code, ones

import pyaclnn as pa

LIMITS = (-(2**63), 2**63 - 1)


def test_a_sum_refuses_what_its_first_tensor_does_not_fit() -> None:
    x, out = ones(2, 3), pa.empty((2, 3), "float32")

    assert code("add_n", [x, ones(2, 3, dtype="float16")], out=out) == INVALID
    assert code("add_n", [x, ones(3, 2)], out=out) == INVALID
    assert code("add_n", [x], out=pa.empty((3, 2), "float32")) == INVALID
    assert code("add_n", [ones(2, 3, dtype="float64")], out=pa.empty((2, 3), "float64")) == (
        INVALID
    )
    assert code("add_n", [ones(*(1,) * 9)], out=pa.empty((1,) * 9, "float32")) == INVALID


def test_a_sum_of_another_type_than_its_output_is_found_where_it_is_copied() -> None:
    assert code("add_n", [ones(2, 3)], out=pa.empty((2, 3), "float16")) == INNER_NULL


def test_a_sum_of_no_tensors_is_refused() -> None:
    assert code("add_n", [], out=pa.empty((2,), "float32")) == INVALID


def test_sums_of_integers_wrap_and_are_exact() -> None:
    top = pa.asarray(np.array([2**31 - 1, 2**24 + 1], "int32"))
    one = pa.asarray(np.array([1, 1], "int32"))

    assert pa.ops.add_n([top, one]).numpy().tolist() == [-(2**31), 2**24 + 2]


@pytest.mark.parametrize("axis", [2, -3, *LIMITS])
def test_a_scale_begins_at_an_axis_of_x(axis: int) -> None:
    assert code("scale", ones(2, 3), ones(3), None, axis, 1, True) == INVALID


@pytest.mark.parametrize(
    ("own", "axes", "from_blob"),
    [
        ((3,), -2, True), ((3,), LIMITS[0], True), ((3,), LIMITS[1], True), ((3,), 2, True),
        ((2,), 1, True), ((3,), 0, True), ((1, 3), -1, True), ((2,), 1, False),
        ((3, 4), 1, False), ((3,), -2, False),
    ],
)  # fmt: skip
def test_a_scale_has_the_extents_of_its_axes(
    own: tuple[int, ...], axes: int, from_blob: bool
) -> None:
    assert code("scale", ones(2, 3), ones(*own), None, 1, axes, from_blob) == INVALID


def test_a_bias_is_like_its_scale() -> None:
    x, scale = ones(2, 3), ones(3)

    assert code("scale", x, scale, ones(1), 1, 1, True) == INVALID
    assert code("scale", x, scale, ones(3, dtype="float16"), 1, 1, True) == INVALID
    assert code("scale", x, ones(3, dtype="float16"), None, 1, 1, True) == INVALID


@pytest.mark.parametrize("shape", [(2, 4, 1), (2, 3, 4), (4,), (3, 4), (2, 5), (1, 2, 1, 4)])
def test_a_modulation_has_one_number_for_each_place(shape: tuple[int, ...]) -> None:
    x = ones(2, 3, 4)

    assert code("modulate", x, ones(*shape), None) == INVALID
    assert code("modulate", x, None, ones(*shape)) == INVALID


def test_nothing_is_modulated_by_nothing_only() -> None:
    x = pa.empty((2, 0, 4), "float32")

    assert code("modulate", x, ones(2, 4), None) == INVALID
    assert code("modulate", ones(2, 3), None, None) == INVALID
    assert code("modulate", ones(2, 3, 4), None, None, out=pa.empty((2, 3, 5), "float32")) == (
        INVALID
    )


def test_an_unmodulated_tensor_is_copied() -> None:
    x = pa.asarray(np.arange(24, dtype="float32").reshape(2, 3, 4))

    assert np.array_equal(pa.ops.modulate(x, None, None).numpy(), x.numpy())


@pytest.mark.parametrize(
    ("shape", "threshold"),
    [((4,), ()), ((3, 0), ()), ((3, 5), ()), ((3, 1026), ()), ((3, 4), (2,)), ((200001, 2), ())],
)
def test_the_work_of_fatrelu_mul_is_limited(
    shape: tuple[int, ...], threshold: tuple[int, ...]
) -> None:
    x = pa.empty(shape, "float32")
    out = pa.empty((*shape[:-1], shape[-1] // 2), "float32")

    assert code("fatrelu_mul", x, ones(*threshold), out=out) == TILING


def test_fatrelu_mul_wants_one_type() -> None:
    x, half = ones(3, 4), ones(dtype="float16")

    assert code("fatrelu_mul", x, half) == INVALID
    assert code("fatrelu_mul", x, ones(), out=pa.empty((3, 4), "float32")) == TILING
    assert code("fatrelu_mul", None, ones(), out=pa.empty((3, 2), "float32")) == NULL


def test_values_at_the_threshold_pass() -> None:
    x: Any = pa.asarray(np.array([[1, 2, 3, 10, 10, 10]], "float32"))

    assert pa.ops.fatrelu_mul(x, pa.full((), 2, "float32")).numpy().tolist() == [[0, 20, 30]]
