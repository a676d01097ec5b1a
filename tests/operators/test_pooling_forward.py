"""Pooling refuses what CANN's refuses, and keeps int32 places in the bytes of a mask."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from children import found_on, output_of
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, code, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

_WINDOWS = {
    "self": ones(2, 3, 6, 8), "kernel_size": (2, 3), "stride": (2, 1), "padding": (1, 1),
    "dilation": (1, 1), "ceil_mode": False, "out": ones(2, 3, 4, 8),
}  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    "max_pool2d_with_indices": {**_WINDOWS, "indices": ones(2, 3, 4, 8, dtype="int32")},
    "max_pool2d_with_mask": {**_WINDOWS, "indices": ones(2, 3, 6, 96, dtype="int8")},
    "max_pool": {
        "self": ones(2, 3, 6, 8), "kernel_shape": (2, 3), "strides": (2, 1), "auto_pad": 0,
        "pads": (1, 1, 0, 2), "dilations": (1,), "ceil_mode": 0, "out": ones(2, 3, 3, 9),
    },
    "adaptive_max_pool2d": {
        "self": ones(2, 3, 6, 8), "output_size": (4, 5), "output_out": ones(2, 3, 4, 5),
        "indices_out": ones(2, 3, 4, 5, dtype="int64"),
    },
    "avg_pool2d": {
        "self": ones(2, 3, 6, 8), "kernel_size": (2, 3), "strides": (2, 1), "paddings": (1, 1),
        "ceil_mode": False, "count_include_pad": True, "divisor_override": 0, "cube_math_type": 0,
        "out": ones(2, 3, 4, 8),
    },
    "avg_pool3d": {
        "self": ones(2, 3, 4, 6, 8), "kernel_size": (2,), "stride": (2,), "padding": (0,),
        "ceil_mode": False, "count_include_pad": True, "divisor_override": 0,
        "out": ones(2, 3, 2, 3, 4),
    },
    "adaptive_avg_pool2d": {
        "self": ones(2, 3, 6, 8), "output_size": (4, 5), "out": ones(2, 3, 4, 5),
    },
    "adaptive_avg_pool3d": {
        "self": ones(2, 3, 4, 6, 8), "output_size": (2, 4, 5), "out": ones(2, 3, 2, 4, 5),
    },
}  # fmt: skip

half, nhwc = "float16", with_format(ones(2, 3, 6, 8), "NHWC")
_MAXIMA: tuple[tuple[str, Any, int], ...] = (
    ("self", None, NULL), ("kernel_size", None, NULL), ("stride", None, NULL),
    ("self", ones(2, 3, 6, 8, dtype="float64"), INVALID),
    ("out", ones(2, 3, 4, 8, dtype=half), INVALID), ("self", nhwc, INVALID),
    ("self", ones(6, 8), INVALID), ("self", ones(2, 0, 6, 8), INVALID),
    ("kernel_size", (), INVALID), ("kernel_size", (0, 3), INVALID), ("stride", (0,), INVALID),
    ("stride", (1, 1, 1), INVALID), ("padding", (2, 0), INVALID), ("padding", (-1,), INVALID),
    ("dilation", (2,), INVALID), ("out", ones(2, 3, 3, 8), INVALID),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "max_pool2d_with_indices": (
        *_MAXIMA, ("indices", ones(2, 3, 4, 8, dtype="int8"), INVALID),
        ("indices", ones(2, 3, 8, 4, dtype="int32"), INVALID),
    ),
    "max_pool2d_with_mask": (
        *_MAXIMA, ("indices", ones(2, 3, 6, 96, dtype="int32"), INVALID),
        ("indices", ones(2, 3, 6, 64, dtype="int8"), INVALID),
    ),
    "max_pool": (
        ("pads", None, NULL), ("self", ones(2, 3, 6, 8, dtype="bfloat16"), INVALID),
        ("auto_pad", 1, INVALID), ("dilations", (2,), INVALID), ("dilations", (), 0),
        ("pads", (1, 1, 1), INVALID), ("pads", (2, 0, 1, 0), INVALID),
        ("kernel_shape", (2, 3, 1), INVALID), ("out", ones(2, 3, 4, 9), INVALID),
        ("strides", (0,), INVALID), ("self", nhwc, INVALID),
    ),
    "adaptive_max_pool2d": (
        ("self", None, NULL), ("indices_out", ones(2, 3, 4, 5, dtype="int32"), INVALID),
        ("output_size", (4,), INVALID), ("output_size", (0, 5), INVALID),
        ("output_size", (4, 4), INNER_NULL), ("self", ones(2, 3, 0, 8), INVALID),
        ("output_out", ones(2, 3, 4, 5, dtype=half), INVALID),
        ("output_out", ones(2, 3, 5, 4), INVALID), ("self", nhwc, INNER_NULL),
    ),
    "avg_pool2d": (
        ("self", None, NULL), ("strides", None, NULL), ("self", nhwc, INVALID),
        ("self", ones(2, 3, 6, 8, dtype="int32"), INVALID), ("kernel_size", (0,), INVALID),
        ("kernel_size", (), INVALID), ("strides", (1, 1, 1), INVALID), ("paddings", (), INVALID),
        ("paddings", (2, 1), INVALID), ("out", ones(2, 3, 4, 7), INVALID),
        ("out", ones(2, 3, 4, 8, dtype=half), INVALID), ("cube_math_type", 6, INVALID),
        ("cube_math_type", 1, INVALID), ("cube_math_type", 2, 0),
        ("self", ones(2, 3, 6, 0), INVALID),
    ),
    "avg_pool3d": (
        ("padding", None, NULL), ("kernel_size", (5,), INVALID), ("padding", (2,), INVALID),
        ("kernel_size", (2, 2), INVALID), ("stride", (0,), INVALID),
        ("self", ones(6, 8, 2), INVALID), ("out", ones(2, 3, 2, 3, 3), INVALID),
    ),
    "adaptive_avg_pool2d": (
        ("output_size", None, NULL), ("self", ones(6, 8), INVALID),
        ("output_size", (4, 4), INVALID),
        ("output_size", (4, 5, 1), INVALID), ("out", ones(2, 2, 4, 5), INVALID),
        ("out", ones(2, 3, 4, 5, dtype=half), INVALID), ("self", nhwc, INVALID),
    ),
    "adaptive_avg_pool3d": (
        ("self", None, NULL), ("self", ones(0, 3, 4, 6, 8), INVALID),
        ("output_size", (2, 4), INVALID), ("out", ones(2, 2, 2, 4, 5), INVALID),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def test_places_stand_at_the_start_of_the_mask() -> None:
    x = np.random.default_rng(2).permutation(48).reshape(1, 1, 6, 8).astype(np.float32)

    values, mask = pa.ops.max_pool2d_with_mask(pa.asarray(x), (2, 2), (2, 2), (0, 0), (1, 1), False)

    places = mask.numpy().reshape(-1)[: 4 * values.size].view(np.int32)
    assert x.reshape(-1)[places].tolist() == values.numpy().reshape(-1).tolist()


@pytest.mark.parametrize("size", [(3, 2), (2, 4)])  # whole windows, and others
def test_adaptive_maxima_of_channels_last_lie_with_the_channels_first(
    size: tuple[int, int],
) -> None:
    x = np.random.default_rng(4).permutation(2 * 6 * 8 * 3).reshape(2, 6, 8, 3).astype(np.float32)
    shape = (2, *size, 3)
    outs = pa.zeros(shape, "float32"), pa.zeros(shape, "int64")
    last = with_format(pa.asarray(x), "NHWC")

    pa.ops.adaptive_max_pool2d(last, size, out=outs)

    values, places = (out.numpy().reshape(2, 3, -1) for out in outs)
    expected = []
    for i, j in np.ndindex(size):
        rows = range(i * 6 // size[0], -(-(i + 1) * 6 // size[0]))
        columns = range(j * 8 // size[1], -(-(j + 1) * 8 // size[1]))
        covered = x[:, list(rows)][:, :, list(columns)]
        expected.append(covered.max((1, 2)))
    assert np.array_equal(values, np.stack(expected, -1))
    planes = x.reshape(2, 48, 3).transpose(0, 2, 1)
    assert np.array_equal(np.take_along_axis(planes, places, 2), values)


def test_channels_last_is_refused_where_nothing_is_known_of_it() -> None:
    outs = pa.zeros((1, 2, 2, 1)), pa.zeros((1, 2, 2, 1), "int64")
    views = pa.zeros((1, 2, 4, 1))[:, :, ::2], pa.zeros((1, 2, 4, 1), "int64")[:, :, ::2]
    doubles = pa.zeros((1, 2, 2, 1), "float64"), outs[1]

    def answer(dtype: str, out: Any, *shape: int) -> int:
        x = with_format(ones(*shape, dtype=dtype), "NHWC")
        return code("adaptive_max_pool2d", x, (2, 2), out=out)

    assert answer("float32", outs, 1, 5, 5, 1) == 0
    assert answer("float32", outs, 0, 5, 5, 1) == 0
    assert answer("float64", doubles, 1, 5, 5, 1) == NO_KERNEL
    assert answer("float32", views, 1, 5, 5, 1) == NO_KERNEL
    assert answer("float32", outs, 1, 5, 5, 2) == INNER_NULL
    assert answer("float32", outs, 2, 5, 5) == INNER_NULL


def test_a_mask_of_bits_is_refused_by_name() -> None:
    x = ones(1, 1, 4, 4)

    with pytest.raises(pa.AclError, match="a mask of bits is not simulated"):
        pa.ops.max_pool2d_with_mask(x, (1,), (1,), (0,), (1,), False)


def test_the_950_dilates() -> None:
    printed = output_of(
        """
        import numpy as np
        import pyaclnn as pa
        x = pa.asarray(np.arange(25, dtype=np.float32).reshape(1, 1, 5, 5))
        values, places = pa.ops.max_pool2d_with_indices(x, (2,), (1,), (0,), (4,), False)
        print(values.numpy().ravel()[0], places.numpy().ravel()[0])
        """,
        PYACLNN_SIM_SOC="Ascend910_95",
    )

    assert printed.split() == ["24.0", "24"]


def one_extent_for_all() -> list[Any]:
    """Return what the 950 pools a volume to, by one extent for all axes and by three."""
    x = pa.asarray(np.random.default_rng(5).permutation(4 * 6 * 8).reshape(1, 4, 6, 8) * 1.0)
    x = x.astype("float32")
    found = [[a.numpy().tolist() for a in pa.ops.adaptive_max_pool3d(
        x, size, out=(pa.zeros((1, 2, 2, 2)), pa.zeros((1, 2, 2, 2), "int32")))]
        for size in ((2,), (2, 2, 2))]  # fmt: skip
    return [x.numpy().tolist(), *found]


def test_the_950_pools_a_volume_by_one_extent() -> None:
    x, by_one, by_three = found_on(
        "Ascend950", "operators.test_pooling_forward", "one_extent_for_all()"
    )

    expected = np.array(x).reshape(1, 2, 2, 2, 3, 2, 4).max((2, 4, 6))
    assert np.array_equal(by_one[0], expected)
    assert by_one == by_three


def largest_integers() -> list[list[int]]:
    """Return the maxima of two windows of one row, whose numbers are next to one another."""
    found = []
    for dtype in ("int8", "uint8", "int16", "uint16", "int32", "int64"):
        least, most = (int(end(np.iinfo(dtype))) for end in (lambda i: i.min, lambda i: i.max))
        x = np.array([[[most - 1, most, least, least]]], dtype)
        pooled = pa.ops.max_pool(pa.asarray(x), (1, 2), (1, 2), 0, (), (), 0)
        found.append([*map(int, pooled.numpy().reshape(-1)), most, least])
    return found


def test_the_largest_integer_of_a_window_is_exact() -> None:
    found = found_on("Ascend950", "operators.test_pooling_forward", "largest_integers()")

    assert len(found) == 6
    assert all([most, least] == [a, b] for a, b, most, least in found)


def test_the_950_pools_channels_last_as_it_does_channels_first() -> None:
    printed = output_of(
        """
        import json
        import numpy as np
        import pyaclnn as pa
        from pyaclnn.tensor.formats import with_format
        rng = np.random.default_rng(3)
        x = rng.permutation(2 * 7 * 9 * 3).reshape(2, 7, 9, 3).astype(np.float32)
        window = (2, 3), (2, 1), (1, 1), (2, 1), True

        def last(values):
            return with_format(values, "NHWC")

        def of(shape, dtype="float32"):
            wide = pa.zeros((*shape[:-1], 2 * shape[-1]), dtype)
            return with_format(wide[..., ::2], "NHWC", storage_shape=(wide.size,),
                               shape=shape, strides=wide[..., ::2].strides)

        found = []
        for image in (x, x[0]):
            shape = (*image.shape[:-3], 4, 9, 3)
            outs = of(shape), of(shape, "int64")
            pa.ops.max_pool2d_with_indices(last(pa.asarray(image)), *window, out=outs)
            grad = rng.integers(1, 9, shape).astype(np.float32)
            back = of(image.shape)
            pa.ops.max_pool2d_with_indices_backward(
                last(pa.asarray(grad)), last(pa.asarray(image)), outs[1], *window, out=back)
            found.append([a.tolist() for a in (image, *(o.numpy() for o in outs), grad,
                                               back.numpy())])
        print(json.dumps(found))
        """,
        PYACLNN_SIM_SOC="Ascend950",
    )

    for image, values, places, grad, back in json.loads(printed):
        x, z = np.array(image), np.array(grad)
        expected, at = np.zeros(z.shape), np.zeros(z.shape, int)
        sums = np.zeros((*x.shape[:-3], 63, 3))
        for i, j in np.ndindex(4, 9):
            rows = [r for r in (2 * i - 1, 2 * i + 1) if 0 <= r < 7]
            columns = [c for c in range(j - 1, j + 2) if 0 <= c < 9]
            inside = np.array([9 * r + c for r in rows for c in columns])
            covered = x.reshape(*x.shape[:-3], 63, 3)[..., inside, :]
            expected[..., i, j, :] = covered.max(-2)
            at[..., i, j, :] = inside[covered.argmax(-2)]
            for index in np.ndindex(*x.shape[:-3], 3):
                place = (*index[:-1], at[(*index[:-1], i, j, index[-1])], index[-1])
                sums[place] += z[(*index[:-1], i, j, index[-1])]
        assert np.array_equal(values, expected)
        assert np.array_equal(places, at)
        assert np.array_equal(back, sums.reshape(x.shape))
