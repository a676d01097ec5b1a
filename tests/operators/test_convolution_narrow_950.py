"""Convolutions of floats of a byte, which the 950 has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INNER_NULL, INVALID, code_with, ones
from operators.narrow_floats import Array, described, eighths, nearest, results, values_of

import pyaclnn as pa
from pyaclnn.selftest.suites.convolution_forward import convolution, convolution_transposed

_H, _E = "hifloat8", "float8_e4m3fn"
_ON_950 = "Ascend910_95", "operators.test_convolution_narrow_950"

#: Type of operands, type of the result, whether there is a bias, and the image's extents.
_PLAIN = (
    (_H, _H, True, (9,)), (_H, _H, False, (7, 8)), (_H, "float32", True, (7, 8)),
    (_H, "float16", True, (3, 5, 6)), (_H, _H, True, (3, 5, 6)),
)  # fmt: skip
_TRANSPOSED = (
    (_H, _H, (9,)), (_H, "float32", (4, 5)), (_E, _E, (4, 5)), (_E, "bfloat16", (2, 3, 4)),
    (_H, _H, (2, 3, 4)),
)  # fmt: skip


def _drawn(kind: str, image: tuple[int, ...], channels: tuple[int, int]) -> tuple[Array, Array]:
    """Return codes of an input of 6 channels in two groups, and of a weight."""
    rng = np.random.default_rng(len(image))
    return eighths(kind, (2, 6, *image), rng), eighths(kind, (*channels, *(3 for _ in image)), rng)


_BIAS = np.float32([1.5, -2, 0.25, 0.125])


def _convolved(
    x: Any, weight: Any, out: str, image: tuple[int, ...], *, bias: Any = None, step: int = 1,
    transposed: bool = False, **changes: Any,
) -> tuple[int, pa.Tensor]:  # fmt: skip
    """Return the status of a convolution with a padding of 1, and the memory of its result."""
    made = pa.zeros((2, 4, *image), "uint8" if out in (_H, _E) else out)
    axes = [1] * len(image)
    call = {
        "input": x, "weight": weight, "bias": bias, "stride": [step * a for a in axes],
        "padding": axes, "dilation": axes, "transposed": transposed,
        "output_padding": [0 for _ in axes], "groups": 2, "cube_math_type": 0,
        "output": described(made, out), **changes,
    }  # fmt: skip
    return code_with("convolution", call), made


def _of(codes: Array, kind: str) -> pa.Tensor:
    return described(pa.asarray(codes), kind)


def plain() -> list[Any]:
    """Return statuses and results of convolutions."""
    found = []
    for kind, out, biased, image in _PLAIN:
        x, weight = (_of(codes, kind) for codes in _drawn(kind, image, (4, 3)))
        bias = pa.asarray(_BIAS) if biased else None
        status, made = _convolved(x, weight, out, image, bias=bias)
        found.append([status, results(made, out).tolist()])
    return found


def transposed() -> list[Any]:
    """Return the same of transposed ones, which spread an image twice as wide."""
    found = []
    for kind, out, image in _TRANSPOSED:
        x, weight = (_of(codes, kind) for codes in _drawn(kind, image, (6, 2)))
        wide = tuple(2 * n - 1 for n in image)
        status, made = _convolved(x, weight, out, wide, step=2, transposed=True)
        found.append([status, results(made, out).tolist()])
    return found


@pytest.fixture(scope="module")
def plain_results() -> list[Any]:
    return list(found_on(*_ON_950, "plain()"))


@pytest.fixture(scope="module")
def transposed_results() -> list[Any]:
    return list(found_on(*_ON_950, "transposed()"))


@pytest.mark.parametrize("number", range(len(_PLAIN)))
def test_convolutions_add_in_float_and_round_once(number: int, plain_results: list[Any]) -> None:
    kind, out, biased, image = _PLAIN[number]
    x, weight = (np.take(values_of(kind), codes) for codes in _drawn(kind, image, (4, 3)))
    axes = (1,) * len(image)
    golden = convolution(x, weight, _BIAS if biased else None, axes, axes, axes, 2)

    status, made = plain_results[number]

    assert status == 0
    # A result of another type is rounded to that of the operands first.
    assert np.array_equal(np.array(made), nearest(nearest(golden, kind), out))


@pytest.mark.parametrize("number", range(len(_TRANSPOSED)))
def test_transposed_convolutions_do_so_too(number: int, transposed_results: list[Any]) -> None:
    kind, out, image = _TRANSPOSED[number]
    x, weight = (np.take(values_of(kind), codes) for codes in _drawn(kind, image, (6, 2)))
    axes = (1,) * len(image)
    twice, none = tuple(2 * a for a in axes), tuple(0 for _ in axes)
    golden = convolution_transposed(x, weight, None, twice, axes, axes, none, 2)

    status, made = transposed_results[number]

    assert status == 0
    assert np.array_equal(np.array(made), nearest(nearest(golden, kind), out))


def of_time_and_channels() -> list[Any]:
    """Return results of the operators that fix axes or groups, and their operands."""
    rng = np.random.default_rng(12)
    x, weight = eighths(_H, (9, 2, 3), rng), eighths(_H, (3, 3, 4), rng)
    bytes_of_time, bytes_of_planes = pa.zeros((9, 2, 4), "uint8"), pa.zeros((2, 6, 5, 6), "uint8")
    described_x, described_weight = (_of(v, _H) for v in (x, weight))
    time = code_with(
        "conv_tbc", {}, self=described_x, weight=described_weight, bias=pa.asarray(_BIAS), pad=1,
        cube_math_type=0, output=described(bytes_of_time, _H),
    )  # fmt: skip
    images, filters = eighths(_H, (2, 3, 5, 6), rng), eighths(_H, (6, 1, 3, 3), rng)
    planes = code_with(
        "conv_depthwise2d", {}, self=_of(images, _H), weight=_of(filters, _H),
        kernel_size=[3, 3], bias=pa.ones((6,), "float16"), stride=[1, 1], padding=[1, 1],
        dilation=[1, 1], cube_math_type=0, out=described(bytes_of_planes, _H),
    )  # fmt: skip
    return [
        [time, results(bytes_of_time, _H).tolist(), x.tolist(), weight.tolist()],
        [planes, results(bytes_of_planes, _H).tolist(), images.tolist(), filters.tolist()],
    ]


def test_conv_tbc_and_depthwise_take_hifloat8() -> None:
    time, planes = found_on(*_ON_950, "of_time_and_channels()")
    values = values_of(_H)
    x, weight, images, filters = (np.take(values, v) for v in (*time[2:], *planes[2:]))
    one, two = (1,), (1, 1)
    turned = convolution(
        x.transpose(1, 2, 0), weight.transpose(2, 1, 0), _BIAS, one, one, one, 1
    ).transpose(2, 0, 1)
    by_channel = convolution(images, filters, np.ones(6), two, two, two, 3)

    assert [time[0], planes[0]] == [0, 0]
    assert np.array_equal(np.array(time[1]), nearest(turned, _H))
    assert np.array_equal(np.array(planes[1]), nearest(by_channel, _H))


def refused() -> list[int]:
    """Return statuses of calls that mix types or have a bias too many."""
    small, weight = (_of(v, _H) for v in _drawn(_H, (5, 6), (4, 3)))
    e4m3, e4m3_weight = (_of(v, _E) for v in _drawn(_E, (5, 6), (4, 3)))
    back, back_weight = (_of(v, _E) for v in _drawn(_E, (5, 6), (6, 2)))
    half = ones(2, 6, 5, 6, dtype="float16")
    bias = pa.asarray(_BIAS)
    return [
        _convolved(half, weight, _H, (5, 6))[0],
        _convolved(small, ones(4, 3, 3, 3, dtype="float16"), "float16", (5, 6))[0],
        _convolved(half, ones(4, 3, 3, 3, dtype="float16"), _H, (5, 6))[0],
        _convolved(e4m3, e4m3_weight, _E, (5, 6))[0],
        _convolved(small, weight, _H, (5, 6), bias=described(pa.zeros((4, 1, 1), "uint8"), _H))[0],
        _convolved(back, back_weight, _E, (5, 6), transposed=True, bias=bias)[0],
        _convolved(back, back_weight, _E, (5, 6), transposed=True)[0],
        _convolved(back, ones(6, 2, 3, 3), "float32", (5, 6), transposed=True, bias=bias)[0],
    ]


def test_types_of_a_byte_are_alike_and_transposed_ones_have_no_bias() -> None:
    expected = [INNER_NULL, INNER_NULL, 0, INVALID, INVALID, INVALID, 0, 0]
    assert found_on(*_ON_950, "refused()") == expected


def test_other_chips_do_not_have_them() -> None:
    x, weight = (_of(v, _H) for v in _drawn(_H, (5, 6), (4, 3)))
    assert _convolved(x, weight, _H, (5, 6))[0] == INVALID
