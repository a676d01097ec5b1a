"""What the gradients of activations refuse, with which code, and in which order."""

from __future__ import annotations

from typing import Any

import pytest
from operators.activation_calls import (
    BROADCAST,
    HALVED,
    OPTIONAL,
    RIGHT,
    arguments,
    code,
    output,
    tensors_of,
)
from operators.calls import INVALID, NULL, TILING, VIEW_COPY, ones

operators = pytest.mark.parametrize("name", RIGHT)
each_tensor = pytest.mark.parametrize(
    ("name", "argument"), [(name, t) for name in RIGHT for t in tensors_of(name)]
)


@operators
def test_right_arguments_are_accepted(name: str) -> None:
    assert code(name, arguments(name), output(name)) == 0


@each_tensor
def test_a_null_tensor_comes_before_everything_else(name: str, argument: str) -> None:
    inputs = {k: ones(5, dtype="int8") if k in tensors_of(name) else v
              for k, v in arguments(name).items()}  # fmt: skip
    inputs[argument] = None
    assert code(name, inputs, ones(9, dtype="int8")) == NULL


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        (name, k)
        for name, inputs in RIGHT.items()
        for k, v in inputs.items()
        if isinstance(v, float) and k not in (*OPTIONAL, "eps")
    ],
)
def test_a_null_scalar_is_refused(name: str, argument: str) -> None:
    inputs: dict[str, Any] = {**arguments(name), argument: None}
    assert code(name, inputs, output(name)) == NULL


def test_the_scalar_of_swish_may_be_left_out() -> None:
    inputs: dict[str, Any] = {**arguments("swish_backward"), "beta_optional": None}
    assert code("swish_backward", inputs, output("swish_backward")) == 0


#: Where an integer is taken: buffers that are not read, softplus' input, and GELU's operands, of
#: which only the common type counts.
TAKES_INTEGERS = {
    ("log_sigmoid_backward", "buffer"), ("softplus_backward", "self"),
    ("gelu_backward", "grad_output"), ("gelu_backward", "self"),
    ("gelu_backward_v2", "grad_output"), ("gelu_backward_v2", "self"),
}  # fmt: skip


@each_tensor
def test_integers_are_refused(name: str, argument: str) -> None:
    inputs = arguments(name)
    inputs[argument] = ones(*inputs[argument].shape, dtype="int32")
    expected = 0 if (name, argument) in TAKES_INTEGERS else INVALID
    assert code(name, inputs, output(name)) == expected


@pytest.mark.parametrize("name", ["gelu_backward", "gelu_backward_v2"])
def test_gelu_of_integers_alone_is_refused(name: str) -> None:
    inputs = arguments(name) | {k: ones(3, 4, dtype="int32") for k in ("grad_output", "self")}
    assert code(name, inputs, output(name)) == INVALID


#: Operators that cast their operands to a common type.
PROMOTES = (
    "gelu_backward", "gelu_backward_v2", "hardshrink_backward", "hardsigmoid_backward",
    "leaky_relu_backward", "mish_backward", "sigmoid_backward", "softplus_backward",
)  # fmt: skip


@operators
def test_mixed_types_are_promoted_or_refused(name: str) -> None:
    inputs = arguments(name)
    first = tensors_of(name)[0]
    inputs[first] = ones(*inputs[first].shape, dtype="float16")
    assert code(name, inputs, output(name)) == (0 if name in PROMOTES else INVALID)


@operators
def test_an_output_of_another_type_is_cast_or_refused(name: str) -> None:
    casts = ("elu_backward", "log_softmax_backward", "gelu_backward")
    expected = 0 if name in (*casts, *PROMOTES) else INVALID
    if name == "gelu_backward_v2":
        expected = INVALID
    if name == "hardtanh_backward":
        expected = VIEW_COPY
    out = ones(*output(name).shape, dtype="float16")
    assert code(name, arguments(name), out) == expected


@operators
def test_an_integer_output_is_refused(name: str) -> None:
    out = ones(*output(name).shape, dtype="int32")
    # These two do not look; the result is cast.
    expected = 0 if name in ("gelu_backward", "log_softmax_backward") else INVALID
    assert code(name, arguments(name), out) == expected


#: Without checks of their own: the kernel's work cannot be divided.
GENERATED = ("swi_glu_grad",)


@pytest.mark.parametrize("dim", [-3, 2])
def test_the_axis_of_a_generated_operator_is_refused_by_its_kernel(dim: int) -> None:
    inputs = arguments("swi_glu_grad") | {"dim": dim}
    assert code("swi_glu_grad", inputs, output("swi_glu_grad")) == TILING


@pytest.mark.parametrize(
    ("name", "argument"),
    # The buffer is not read, its shape does not matter.
    [(name, t) for name in RIGHT for t in tensors_of(name) if t != "buffer"],
)
def test_shapes_that_do_not_fit_are_refused(name: str, argument: str) -> None:
    inputs = {**arguments(name), argument: ones(2, 4)}
    assert code(name, inputs, output(name)) == (TILING if name in GENERATED else INVALID)


@operators
def test_an_output_of_another_shape_is_refused(name: str) -> None:
    # Hardtanh has no check of its own for it.
    expected = VIEW_COPY if name == "hardtanh_backward" else INVALID
    expected = TILING if name in GENERATED else expected
    assert code(name, arguments(name), ones(4, 3)) == expected


@pytest.mark.parametrize("name", [n for n in RIGHT if n not in BROADCAST and n not in HALVED])
def test_other_operators_do_not_broadcast(name: str) -> None:
    inputs = arguments(name)
    inputs[tensors_of(name)[0]] = ones(4)
    assert code(name, inputs, output(name)) == INVALID


#: Operators without a limit of the number of dimensions.
ANY_RANK = (
    "gelu_backward_v2", "log_sigmoid_backward", "ge_glu_backward", "ge_glu_v3_backward",
    "swi_glu_grad",
)  # fmt: skip


@operators
def test_nine_dimensions_are_refused(name: str) -> None:
    leading = (1,) * 8
    inputs = arguments(name)
    for argument in tensors_of(name):
        inputs[argument] = ones(*leading, inputs[argument].shape[-1])
    out = ones(*leading, output(name).shape[-1])
    assert code(name, inputs, out) == (0 if name in ANY_RANK else INVALID)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("elu_backward", {"alpha": -1.0, "is_result": True}),
        ("leaky_relu_backward", {"negative_slope": -0.5, "self_is_result": True}),
        ("leaky_relu_backward", {"negative_slope": 1j}),
        ("elu_backward", {"scale": 1j}),
        ("swish_backward", {"beta_optional": 1j}),
        ("gelu_backward_v2", {"approximate": "erf"}),
        ("gelu_backward_v2", {"approximate": ""}),
        ("ge_glu_backward", {"approximate": 2}),
        ("ge_glu_v3_backward", {"approximate": -1}),
        ("ge_glu_backward", {"dim": 2}),
        ("ge_glu_v3_backward", {"dim": -3}),
        ("glu_backward", {"dim": 2}),
        ("glu_backward", {"dim": 0}),
        ("log_softmax_backward", {"dim": 2}),
    ],
)
def test_an_attribute_out_of_its_range_is_refused(name: str, changed: dict[str, Any]) -> None:
    assert code(name, arguments(name) | changed, output(name)) == INVALID


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("elu_backward", {"alpha": -1.0, "is_result": False}),
        ("leaky_relu_backward", {"negative_slope": -0.5, "self_is_result": False}),
        ("hardshrink_backward", {"lambd": -1.0}),
    ],
)
def test_a_negative_attribute_is_accepted_elsewhere(name: str, changed: dict[str, Any]) -> None:
    assert code(name, arguments(name) | changed, output(name)) == 0


def test_an_odd_extent_cannot_be_halved() -> None:
    inputs = {"grad_out": ones(3, 3), "self": ones(3, 7), "dim": 1}
    assert code("glu_backward", inputs, ones(3, 7)) == INVALID


def test_a_scalar_cannot_be_halved() -> None:
    inputs = {"grad_out": ones(), "self": ones(), "dim": 0}
    assert code("glu_backward", inputs, ones()) == INVALID


@operators
def test_empty_tensors_leave_the_output_alone(name: str) -> None:
    inputs = arguments(name)
    for argument in tensors_of(name):
        inputs[argument] = ones(0, inputs[argument].shape[-1])
    out = ones(0, output(name).shape[-1])
    assert code(name, inputs, out) == 0


def test_hardshrink_does_not_compare_shapes_where_one_is_empty() -> None:
    inputs = {"grad_output": ones(0), "self": ones(3, 4), "lambd": 0.5}
    assert code("hardshrink_backward", inputs, ones(7)) == 0


def test_log_softmax_looks_no_further_than_null_where_one_is_empty() -> None:
    inputs = {"grad_output": ones(0, dtype="int8"), "output": ones(3), "dim": 9}
    assert code("log_softmax_backward", inputs, ones(7)) == 0


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, 0),
        ({"weight": None}, NULL),
        ({"self": ones(3, 4, dtype="int32")}, INVALID),
        ({"weight": ones(4, dtype="float16")}, INVALID),
        ({"weight": ones(3)}, INVALID),
        ({"grad_output": ones(2, 4)}, INVALID),
        ({"grad_output": ones(4)}, 0),
        ({"grad_output": ones(2, 3, 4)}, INVALID),
        ({"self": ones(4)}, INVALID),
    ],
)
def test_prelu_checks_its_weight(changed: dict[str, Any], expected: int) -> None:
    inputs = {"grad_output": ones(3, 4), "self": ones(3, 4), "weight": ones(4), **changed}
    assert code("prelu_backward", inputs, (ones(3, 4), ones(4))) == expected


@pytest.mark.parametrize("shapes", [((4, 3), (4,)), ((3, 4), (3,)), ((3, 4), (1, 4))])
def test_prelu_checks_its_outputs(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    inputs = {"grad_output": ones(3, 4), "self": ones(3, 4), "weight": ones(4)}
    assert code("prelu_backward", inputs, tuple(ones(*s) for s in shapes)) == INVALID
