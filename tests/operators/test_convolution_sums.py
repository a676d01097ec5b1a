"""Forward convolutions by each of the ways their sums are computed in, in whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import output_of

import pyaclnn as pa
from pyaclnn.selftest.suites.convolution_forward import convolution, convolution_transposed

Array = np.ndarray[Any, Any]
Axes = tuple[int, ...]

#: What it is for -> samples, groups, input and output channels of a group, image, taps, stride,
#: padding, dilation.
SHAPES: dict[str, tuple[int, int, int, int, Axes, Axes, Axes, Axes, Axes]] = {
    "long rows": (2, 1, 5, 9, (12, 40), (3, 3), (1, 1), (1, 1), (1, 1)),
    "long rows, every other": (2, 2, 4, 9, (24, 80), (3, 3), (2, 2), (1, 1), (1, 1)),
    "phases that no tap sees": (1, 1, 3, 9, (30, 90), (2, 2), (3, 3), (0, 1), (1, 1)),
    "phases by dilation": (1, 1, 3, 9, (30, 90), (3, 2), (2, 3), (4, 1), (3, 2)),
    "an edge inside a stride": (1, 1, 2, 3, (31, 97), (4, 4), (3, 2), (2, 3), (1, 1)),
    "patches": (1, 1, 3, 10, (64, 64), (4, 4), (4, 4), (0, 0), (1, 1)),
    "too many phases to hold": (1, 1, 48, 8, (96, 96), (16, 16), (16, 16), (0, 0), (1, 1)),
    "several sums of floats": (1, 1, 70, 9, (16, 40), (3, 3), (1, 1), (1, 1), (1, 1)),
    "short rows": (3, 2, 5, 9, (7, 7), (3, 3), (2, 1), (1, 1), (1, 1)),
    "short rows, several sums": (1, 1, 130, 9, (6, 6), (3, 3), (1, 1), (1, 1), (1, 1)),
    "channel by channel": (2, 6, 1, 1, (20, 31), (3, 3), (1, 1), (1, 1), (1, 1)),
    "channel by channel, every other": (2, 6, 1, 1, (21, 75), (3, 5), (2, 2), (1, 2), (1, 1)),
    "channel by channel, few taps": (2, 3, 1, 1, (20, 31), (2, 2), (3, 3), (0, 1), (1, 2)),
    "large planes of a channel": (1, 2, 1, 1, (300, 300), (3, 3), (1, 1), (1, 1), (1, 1)),
    "volumes of a channel": (2, 3, 1, 1, (5, 9, 20), (2, 3, 3), (2, 1, 2), (1, 1, 1), (1, 1, 2)),
    "deep volumes of a channel": (1, 2, 1, 1, (90, 3, 16), (2, 3, 3), *3 * ((1, 1, 1),)),
    "volumes": (1, 1, 3, 9, (5, 12, 40), (2, 3, 3), (2, 1, 2), (1, 1, 1), (1, 1, 1)),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_whole_numbers_are_summed_exactly(
    shape: tuple[int, int, int, int, Axes, Axes, Axes, Axes, Axes], transposed: bool, dtype: str
) -> None:
    samples, groups, inputs, outputs, image, taps, stride, padding, dilation = shape
    if transposed:
        image = tuple(max(extent // 2, 4) for extent in image)
    rng = np.random.default_rng(5)

    def whole(*extents: int) -> Array:
        values: Array = rng.integers(-2, 3, extents).astype(np.float64)
        return values

    x = whole(samples, groups * inputs, *image)
    pair = (groups * inputs, outputs) if transposed else (groups * outputs, inputs)
    weight, bias = whole(*pair, *taps), whole(groups * outputs)
    more = (0,) * len(image)
    if transposed:
        expected = convolution_transposed(x, weight, bias, stride, padding, dilation, more, groups)
    else:
        expected = convolution(x, weight, bias, stride, padding, dilation, groups)
    given = (pa.asarray(array.astype(np.float32), dtype=dtype) for array in (x, weight, bias))

    got = pa.ops.convolution(*given, stride, padding, dilation, transposed, more, groups, 0)

    assert got.dtype == dtype
    # What bfloat16 does not hold is rounded.
    rounded = pa.asarray(expected.astype(np.float32), dtype=dtype).astype("float32")
    np.testing.assert_array_equal(got.astype("float32").numpy(), rounded.numpy())


@pytest.mark.parametrize(
    ("image", "taps", "step"),
    [((20, 31), (3, 3), 1), ((21, 40), (3, 4), 2), ((7, 5), (5, 2), 3), ((5, 9, 20), (2, 3, 3), 2)],
)
def test_gradients_of_weights_of_a_channel_are_summed_exactly(
    image: Axes, taps: Axes, step: int
) -> None:
    rng = np.random.default_rng(7)
    x = rng.integers(-2, 3, (3, 4, *image)).astype(np.float32)
    made = tuple((e + 2 - t) // step + 1 for e, t in zip(image, taps, strict=True))
    grad = rng.integers(-2, 3, (3, 4, *made)).astype(np.float32)
    around = np.pad(x, [(0, 0)] * 2 + [(1, 1)] * len(image))
    expected = np.empty((4, 1, *taps))
    for tap in np.ndindex(*taps):
        seen = tuple(
            slice(at, at + step * count, step) for at, count in zip(tap, made, strict=True)
        )
        expected[(slice(None), 0, *tap)] = (grad * around[(..., *seen)]).sum(
            axis=(0, *range(2, grad.ndim))
        )

    got = _weight_gradient(grad, x, taps, step)

    np.testing.assert_array_equal(got, expected)


def test_a_turned_bfloat16_image_gives_the_bits_of_one_that_is_not() -> None:
    rng = np.random.default_rng(3)
    x = rng.standard_normal((2, 5, 12, 17)).astype(np.float32)
    weight = pa.asarray(rng.standard_normal((9, 5, 3, 3)).astype(np.float32), dtype="bfloat16")
    grad = pa.asarray(rng.standard_normal((2, 9, 12, 17)).astype(np.float32), dtype="bfloat16")
    plain = pa.asarray(x, dtype="bfloat16")
    turned = pa.asarray(x.swapaxes(2, 3).copy(), dtype="bfloat16").permute(0, 1, 3, 2)
    window = ([1, 1], [1, 1], [1, 1], False, [0, 0], 1)

    for image in (plain, turned):
        made = pa.ops.convolution(image, weight, None, *window, 0)
        found = pa.ops.convolution_backward(grad, image, weight, [9], *window, [True] * 3, 0)
        results = [tensor.astype("float32").numpy() for tensor in (made, *found)]
        if image is plain:
            expected = results
        for one, other in zip(results, expected, strict=True):
            np.testing.assert_array_equal(one, other)


def test_nothing_outside_an_image_is_multiplied_by_infinity() -> None:
    grad, x = np.ones((1, 2, 8, 8), np.float32), np.ones((1, 2, 8, 8), np.float32)
    grad[0, 0, 0, 0] = np.inf

    got = _weight_gradient(grad, x, (3, 3), 1)

    inf = np.inf
    np.testing.assert_array_equal(got[0, 0], [[49, 56, 49], [56, inf, inf], [49, inf, inf]])
    np.testing.assert_array_equal(got[1, 0], [[49, 56, 49], [56, 64, 56], [49, 56, 49]])


def _weight_gradient(grad: Array, x: Array, taps: Axes, step: int) -> Array:
    channels, axes = x.shape[1], len(taps)
    weight = pa.ones((channels, 1, *taps))
    found = pa.ops.convolution_backward(
        pa.asarray(grad), pa.asarray(x), weight, [channels], [step] * axes, [1] * axes, [1] * axes,
        False, [0] * axes, channels, [False, True, False], 0,
    )  # fmt: skip
    result: Array = found[1].numpy()
    return result


def test_an_image_of_many_pieces_is_rounded_to_hfloat32_in_place() -> None:
    program = """
        import numpy as np
        import pyaclnn as pa
        count = 40 << 16  # forty pieces, which are rounded by themselves
        x = np.random.default_rng(0).uniform(1, 2, count).astype(np.float32)
        image, one = pa.asarray(x.reshape(1, 1, 1, count)), pa.ones((1, 1, 1, 1))
        y = pa.ops.convolution(image, one, None, (1, 1), (0, 0), (1, 1), False, (0, 0), 1,
                               cube_math_type=3).numpy().reshape(-1)
        print(int((y.view(np.uint32) & 0xFFF).max()), float(np.abs(y - x).max() * 2**12))
    """

    low_bits, error = output_of(program).split()

    # Eleven bits are left behind the point: to the nearest of them it is half of the last one.
    assert low_bits == "0"
    assert float(error) <= 1
