"""Convolutions refuse what CANN's refuse, and their gradients are those of the operators behind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import output_of
from finite_differences import Array, numeric_gradient
from operators.calls import INVALID, NULL, RUNTIME, code, ones

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

ONE, NONE = (1, 1), (0, 0)


def plain(**changed: Any) -> int:
    out = changed.pop("output", ones(2, 6, 5, 7))
    arguments = {
        "input": ones(2, 4, 5, 7), "weight": ones(6, 2, 3, 3), "bias": ones(6), "stride": ONE,
        "padding": ONE, "dilation": ONE, "transposed": False, "output_padding": NONE, "groups": 2,
        "cube_math_type": 0,
    }  # fmt: skip
    return code("convolution", **{**arguments, **changed}, out=out)


def turned(**changed: Any) -> int:
    out = changed.pop("output", ones(2, 6, 10, 9))
    arguments = {
        "input": ones(2, 4, 5, 7), "weight": ones(4, 3, 3, 3), "bias": ones(6), "stride": (2, 1),
        "padding": (1, 0), "dilation": ONE, "transposed": True, "output_padding": (1, 0),
        "groups": 2, "cube_math_type": 0,
    }  # fmt: skip
    return code("convolution", **{**arguments, **changed}, out=out)


PLAIN: dict[str, tuple[dict[str, Any], int]] = {
    "right": ({}, 0),
    "no bias": ({"bias": None}, 0),
    "no output padding": ({"output_padding": None}, 0),
    "no stride": ({"stride": None}, NULL),
    "an integer": ({"input": ones(2, 4, 5, 7, dtype="int32")}, INVALID),
    "a bias of integers": ({"bias": ones(6, dtype="int32")}, INVALID),
    "a plane without samples": ({"input": ones(5, 7)}, INVALID),
    "another rank of weight": ({"weight": ones(6, 2, 3)}, INVALID),
    "a bias of two dimensions": ({"bias": ones(6, 1)}, INVALID),
    "a bias too short": ({"bias": ones(5)}, INVALID),
    "one stride": ({"stride": (1,)}, INVALID),
    "three paddings": ({"padding": (1, 1, 1)}, INVALID),
    "stride 0": ({"stride": (1, 0)}, INVALID),
    "dilation 0": ({"dilation": (0, 1)}, INVALID),
    "groups 0": ({"groups": 0}, INVALID),
    "groups that do not divide": ({"groups": 4}, INVALID),
    "no taps": ({"weight": ones(6, 2, 0, 3)}, INVALID),
    "taps larger than the input": ({"dilation": (4, 1)}, INVALID),
    "a dilation without end": ({"dilation": (2**62, 1)}, INVALID),
    "another output": ({"output": ones(2, 6, 5, 6)}, INVALID),
    "other channels": ({"output": ones(2, 5, 5, 7)}, INVALID),
    "another cubeMathType": ({"cube_math_type": 6}, INVALID),
    "a negative padding": ({"padding": (1, -1), "output": ones(2, 6, 5, 3)}, RUNTIME),
    "channels last": ({"input": with_format(ones(2, 4, 5, 7), "NHWC")}, INVALID),
    "a bias of channels last": ({"bias": with_format(ones(6), "NHWC")}, INVALID),
}

TURNED: dict[str, tuple[dict[str, Any], int]] = {
    "right": ({}, 0),
    "no output padding": ({"output_padding": None}, NULL),
    "output padding as large as the stride": ({"output_padding": (2, 0)}, INVALID),
    "negative output padding": ({"output_padding": (-1, 0)}, INVALID),
    "other input channels": ({"input": ones(2, 6, 5, 7)}, INVALID),
    "a bias of the weight's size": ({"bias": ones(3)}, INVALID),
    "taps far beyond the padding": (
        {"dilation": (1, 128), "padding": NONE, "output": ones(2, 6, 12, 263)}, INVALID,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("changed", "expected"), PLAIN.values(), ids=PLAIN)
def test_a_convolution_answers_as_cann(changed: dict[str, Any], expected: int) -> None:
    assert plain(**changed) == expected


@pytest.mark.parametrize(("changed", "expected"), TURNED.values(), ids=TURNED)
def test_a_transposed_convolution_answers_as_cann(changed: dict[str, Any], expected: int) -> None:
    assert turned(**changed) == expected


def test_a_bias_is_added_between_the_steps_of_a_transposed_convolution() -> None:
    x, weight = pa.ones((1, 4, 5, 6)), pa.ones((4, 1, 2, 2))
    more = (2, 2), (0, 0), (1, 1), True, (0, 0), 1, 0

    y = pa.ops.convolution(x, weight, pa.full((1,), 10.0), *more).numpy()

    assert np.array_equal(y, np.full((1, 1, 10, 12), 4 + 10))


def test_a_volume_reaches_no_less_than_its_padding() -> None:
    arguments = {
        "input": ones(1, 2, 3, 3, 3), "weight": ones(2, 2, 1, 1, 1), "bias": None,
        "stride": (1, 1, 1), "padding": (0, 1, 1), "dilation": (1, 1, 1), "transposed": True,
        "output_padding": (0, 0, 0), "groups": 1, "cube_math_type": 0,
    }  # fmt: skip

    assert code("convolution", **arguments, out=ones(1, 2, 3, 1, 1)) == INVALID


TBC: dict[str, tuple[dict[str, Any], int]] = {
    "right": ({}, 0),
    "no bias": ({"bias": None}, NULL),
    "another type": ({"weight": ones(3, 2, 4, dtype="float16")}, INVALID),
    "other channels": ({"weight": ones(3, 3, 4)}, INVALID),
    "a bias too long": ({"bias": ones(5)}, INVALID),
    "more taps than time and one padding": ({"weight": ones(8, 2, 4)}, INVALID),
    "two dimensions": ({"self": ones(6, 2)}, INVALID),
    "another output": ({"output": ones(5, 3, 4)}, INVALID),
}


@pytest.mark.parametrize(("changed", "expected"), TBC.values(), ids=TBC)
def test_time_batch_channel_answers_as_cann(changed: dict[str, Any], expected: int) -> None:
    changed = dict(changed)
    out = changed.pop("output", ones(6, 3, 4))
    arguments = {
        "self": ones(6, 3, 2), "weight": ones(3, 2, 4), "bias": ones(4), "pad": 1,
        "cube_math_type": 0,
    }  # fmt: skip

    assert code("conv_tbc", **{**arguments, **changed}, out=out) == expected


BY_CHANNEL: dict[str, tuple[dict[str, Any], int]] = {
    "right": ({}, 0),
    "another kernelSize": ({"kernel_size": (3, 2)}, INVALID),
    "a bias of another type": ({"bias": ones(4, dtype="float16")}, INVALID),
    "filters of two channels": ({"weight": ones(4, 2, 3, 3)}, INVALID),
    "filters that are no multiple": ({"weight": ones(3, 1, 3, 3), "bias": None}, INVALID),
    "padding by sides": ({"padding": (1, 1, 1, 1)}, INVALID),
    "no weight": ({"weight": None}, NULL),
}


@pytest.mark.parametrize(("changed", "expected"), BY_CHANNEL.values(), ids=BY_CHANNEL)
def test_a_filter_for_each_channel_answers_as_cann(changed: dict[str, Any], expected: int) -> None:
    arguments = {
        "self": ones(2, 2, 5, 6), "weight": ones(4, 1, 3, 3), "kernel_size": (3, 3),
        "bias": ones(4), "stride": ONE, "padding": ONE, "dilation": ONE, "cube_math_type": 0,
    }  # fmt: skip

    assert code("conv_depthwise2d", **{**arguments, **changed}, out=ones(2, 4, 5, 6)) == expected


def test_a_chip_without_float32_products_rounds_to_float16() -> None:
    printed = output_of(
        """
        import numpy as np
        import pyaclnn as pa
        x = pa.asarray(np.full((1, 1, 1, 1), 1 + 2**-12, np.float32))
        one, none = (1, 1), (0, 0)
        def call(math, rank=2):
            shape = (1,) * (rank + 2)
            return pa.ops.convolution(
                pa.ones(shape), x.reshape(shape), None, (1,) * rank, (0,) * rank, (1,) * rank,
                False, None, 1, math)
        print(float(call(1).numpy().ravel()[0]))
        """,
        PYACLNN_SIM_SOC="Ascend910A",
    )

    assert printed == "1.0"


@pytest.mark.parametrize("transposed", [False, True])
def test_gradients_are_the_derivatives_of_the_simulated_convolution(transposed: bool) -> None:
    rng = np.random.default_rng(3)
    x, weight = rng.normal(size=(2, 4, 5, 4)), rng.normal(size=(4, 2, 3, 2))
    attributes = ((2, 1), (1, 0), (1, 2), transposed, (1, 0) if transposed else (0, 0), 2)

    def forward(a: Array, b: Array, c: Array) -> Array:
        tensors = (pa.asarray(v.astype(np.float32)) for v in (a, b, c))
        result: Array = pa.ops.convolution(*tensors, *attributes, 0).numpy()
        return result.astype(np.float64)

    bias = rng.normal(size=4)
    grad = rng.normal(size=forward(x, weight, bias).shape)
    tensors = (pa.asarray(v.astype(np.float32)) for v in (grad, x, weight))
    results = pa.ops.convolution_backward(*tensors, (4,), *attributes, (True, True, True), 0)

    # The function is linear in each, so that steps may be wide.
    expected = (
        numeric_gradient(lambda v: forward(v, weight, bias), x, grad, 0.5),
        numeric_gradient(lambda v: forward(x, v, bias), weight, grad, 0.5),
        numeric_gradient(lambda v: forward(x, weight, v), bias, grad, 0.5),
    )
    for result, derivative in zip(results, expected, strict=True):
        np.testing.assert_allclose(result.numpy(), derivative, rtol=1e-4, atol=1e-4)
