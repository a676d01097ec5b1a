"""Padding: refusals in CANN's order, derivatives of the forward function, empty tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finite_differences import numeric_gradient
from operators import calls
from operators.calls import INNER_NULL, INVALID, NULL

import pyaclnn as pa
from pyaclnn.selftest.suites.padding import Mode, pad

PADDING = (1, 2, 2, 0, 0, 1)
EXTENTS = (4, 5, 6)

#: Operator, axes it pads, NumPy's name of its mode.
PADS: tuple[tuple[str, int, Mode], ...] = (
    ("reflection_pad1d_backward", 1, "reflect"),
    ("reflection_pad2d_backward", 2, "reflect"),
    ("reflection_pad3d_backward", 3, "reflect"),
    ("replication_pad1d_backward", 1, "edge"),
    ("replication_pad2d_backward", 2, "edge"),
    ("replication_pad3d_backward", 3, "edge"),
    ("circular_pad2d_backward", 2, "wrap"),
    ("circular_pad3d_backward", 3, "wrap"),
)
operators = pytest.mark.parametrize(("name", "axes", "mode"), PADS, ids=[p[0] for p in PADS])


def shapes(axes: int, lead: tuple[int, ...] = (2, 3)) -> tuple[Any, Any, Any]:
    """Shape of the padded tensor, of the input, and the padding."""
    shape, padding = (*lead, *EXTENTS[-axes:]), PADDING[: 2 * axes]
    return pad(np.zeros(shape), padding, "edge").shape, shape, padding


def code(name: str, grad: Any, x: Any, padding: Any, out: pa.Tensor | None) -> int:
    """The status an operator refuses with; 0 if it does not."""
    return calls.code(name, grad, x, padding, out=out)


@operators
@pytest.mark.parametrize("lead", [(3,), (2, 3)])
def test_right_arguments_are_accepted(
    name: str, axes: int, mode: Mode, lead: tuple[int, ...]
) -> None:
    padded, shape, padding = shapes(axes, lead)
    assert code(name, pa.ones(padded), pa.ones(shape), padding, pa.ones(shape)) == 0


@operators
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_null_argument_comes_before_a_wrong_dtype(
    name: str, axes: int, mode: Mode, missing: int
) -> None:
    padded, shape, padding = shapes(axes)
    arguments: list[Any] = [pa.ones(padded, "int8"), pa.ones(shape, "int8"), padding]
    arguments[missing] = None

    # CANN has another code in one of the eight.
    expected = INNER_NULL if name == "circular_pad3d_backward" else NULL
    assert code(name, *arguments, pa.ones(shape)) == expected


@operators
@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["int32", "bool", "float16"])
def test_other_and_mixed_dtypes_are_refused(
    name: str, axes: int, mode: Mode, position: int, dtype: str
) -> None:
    padded, shape, padding = shapes(axes)
    tensors = [pa.ones(padded), pa.ones(shape), pa.ones(shape)]
    tensors[position] = pa.ones(tensors[position].shape, dtype)

    assert code(name, tensors[0], tensors[1], padding, tensors[2]) == INVALID


@operators
def test_only_circular_padding_knows_no_double(name: str, axes: int, mode: Mode) -> None:
    padded, shape, padding = shapes(axes)
    expected = INVALID if mode == "wrap" else 0
    for dtype in ("float64", "complex64", "complex128"):
        x = pa.ones(shape, dtype)
        assert code(name, pa.ones(padded, dtype), x, padding, pa.ones(shape, dtype)) == expected


@operators
def test_shapes_that_do_not_belong_together_are_refused(name: str, axes: int, mode: Mode) -> None:
    padded, shape, padding = shapes(axes)
    x = pa.ones(shape)

    assert code(name, pa.ones((*padded[:-1], padded[-1] + 1)), x, padding, x) == INVALID
    # Another batch is noticed where the result is copied.
    assert code(name, pa.ones((4, *padded[1:])), x, padding, x) == INNER_NULL
    assert code(name, pa.ones(padded[1:]), x, padding, x) == INVALID
    assert code(name, pa.ones(padded), x, padding, pa.ones((*shape[:-1], 7))) == INVALID


@operators
def test_ranks_are_those_with_and_without_a_batch(name: str, axes: int, mode: Mode) -> None:
    for lead in ((), (2, 2, 3)):
        padded, shape, padding = shapes(axes, lead)
        assert code(name, pa.ones(padded), pa.ones(shape), padding, pa.ones(shape)) == INVALID


@operators
def test_the_length_of_the_padding_is_checked(name: str, axes: int, mode: Mode) -> None:
    padded, shape, padding = shapes(axes)
    for wrong in (padding[:-1], (*padding, 0), ()):
        assert code(name, pa.ones(padded), pa.ones(shape), wrong, pa.ones(shape)) == INVALID


@operators
def test_padding_that_runs_out_of_elements_is_refused(name: str, axes: int, mode: Mode) -> None:
    # Of 6 elements 5 can be mirrored and 6 repeated; three-dimensional CANN stops at 5 either way.
    longest = 6 if name == "circular_pad2d_backward" else 5
    for left in (longest, longest + 1):
        padding = (left, *(0,) * (2 * axes - 1))
        shape = (2, 3, *EXTENTS[-axes:])
        padded = (*shape[:-1], shape[-1] + left)
        expected = 0 if mode == "edge" or left == longest else INVALID
        assert code(name, pa.ones(padded), pa.ones(shape), padding, pa.ones(shape)) == expected


@pytest.mark.parametrize("mode", ["reflection", "replication"])
@pytest.mark.parametrize(
    ("padding", "expected"), [((7, 7, 7, 7), 0), ((8, 0, 1, 0), INVALID), ((9, 8, 0, 0), 0)]
)
def test_planes_of_bfloat16_take_little_padding(
    mode: str, padding: tuple[int, ...], expected: int
) -> None:
    x = pa.ones((1, 10, 10), "bfloat16")
    padded = pa.ones((1, 10 + sum(padding[2:]), 10 + sum(padding[:2])), "bfloat16")
    assert code(f"{mode}_pad2d_backward", padded, x, padding, x) == expected


@operators
def test_an_empty_batch_leaves_nothing_to_do(name: str, axes: int, mode: Mode) -> None:
    padded, shape, padding = shapes(axes, (0, 3))
    assert pa.ops[name](pa.ones(padded), pa.ones(shape), padding).shape == shape


@operators
def test_channels_may_be_missing_in_some_operators_only(name: str, axes: int, mode: Mode) -> None:
    padded, shape, padding = shapes(axes, (2, 0))
    assert code(name, pa.ones(padded), pa.ones(shape), padding, pa.ones(shape)) == INVALID
    padded, shape, padding = shapes(axes, (0,))
    expected = 0 if mode != "edge" and axes < 3 else INVALID
    assert code(name, pa.ones(padded), pa.ones(shape), padding, pa.ones(shape)) == expected


@operators
def test_each_is_the_derivative_of_its_forward_function(name: str, axes: int, mode: Mode) -> None:
    rng = np.random.default_rng(7)
    padded, shape, padding = shapes(axes, (2,))
    x = rng.normal(size=shape)
    grad = rng.normal(size=padded).astype(np.float32)

    result = pa.ops[name](pa.asarray(grad), pa.asarray(x.astype(np.float32)), padding)

    expected = numeric_gradient(lambda v: pad(v, padding, mode), x, grad)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


def test_a_negative_padding_crops_and_has_no_gradient_there() -> None:
    grad = pa.asarray(np.array([[1.0, 2.0, 3.0]], np.float32))

    result = pa.ops.replication_pad1d_backward(grad, pa.ones((1, 4)), (-2, 1))

    assert result.numpy().tolist() == [[0, 0, 1, 5]]


def test_halves_are_summed_in_float32() -> None:
    grad = pa.asarray(np.array([[0.5, 0.5, 1024.0]], np.float16))

    result = pa.ops.replication_pad1d_backward(grad, pa.ones((1, 1), "float16"), (2, 0))

    # In float16, 1024 + 0.5 is 1024, twice.
    assert result.numpy().tolist() == [[1025]]


def places(extent: int, front: int, back: int, mode: Mode) -> list[int]:
    """Which place of an axis each of the padded one's copies; negative amounts cut off."""
    padded = range(-front, extent + back)
    if mode == "edge":
        return [min(max(place, 0), extent - 1) for place in padded]
    return [extent - 1 - abs(extent - 1 - abs(place)) for place in padded]


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize(
    ("name", "mode", "amounts"),
    [
        ("reflection_pad", "reflect", (-1, 2, 0, -2, -1, -1)),
        ("reflection_pad", "reflect", (2, -3, -5, 3, 3, -4)),
        ("replication_pad", "edge", (-1, 2, 0, -2, -1, -1)),
        ("replication_pad", "edge", (-6, 3, 5, -1, 3, -4)),
        # More than the axis has: the document asks for less, and CANN does not look.
        ("replication_pad", "edge", (9, 4, 0, 7, 6, 3)),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_amounts_that_the_first_phase_does_not_look_at(
    name: str, mode: Mode, amounts: tuple[int, ...], axes: int, dtype: str
) -> None:
    values = np.arange(2 * np.prod(EXTENTS[-axes:])).reshape(2, 1, *EXTENTS[-axes:]).astype(dtype)
    padding = amounts[: 2 * axes]
    expected = values
    for i in range(axes):
        chosen = places(EXTENTS[-1 - i], padding[2 * i], padding[2 * i + 1], mode)
        expected = np.take(expected, chosen, -1 - i)

    result = pa.ops[f"{name}{axes}d"](pa.asarray(values), padding)

    np.testing.assert_array_equal(result.numpy(), expected)


@pytest.mark.parametrize(("name", "amount"), [("reflection", 6), ("replication", -7)])
def test_amounts_that_no_padded_axis_has_are_refused(name: str, amount: int) -> None:
    out = pa.ones((2, 1, max(0, 6 + amount)))

    assert calls.code(f"{name}_pad1d", pa.ones((2, 1, 6)), (amount, 0), out=out) == INVALID
