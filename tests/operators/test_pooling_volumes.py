"""Pooling of volumes, unpooling and pooling of whole images refuse what CANN's refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import (
    INNER_NULL,
    INVALID,
    NO_KERNEL,
    NULL,
    TILING,
    code_with,
    ones,
)
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

half = "float16"
RIGHT: dict[str, dict[str, Any]] = {
    "max_pool3d_with_argmax": {
        "self": ones(2, 3, 4, 6, 8), "kernel_size": (2,), "stride": (), "padding": (0,),
        "dilation": (1,), "ceil_mode": False, "out": ones(2, 3, 2, 3, 4),
        "indices": ones(2, 3, 2, 3, 4, dtype="int32"),
    },
    "adaptive_max_pool3d": {
        "self": ones(2, 3, 4, 6, 8), "output_size": (2, 4, 5), "output_out": ones(2, 3, 2, 4, 5),
        "indices_out": ones(2, 3, 2, 4, 5, dtype="int32"),
    },
    "max_unpool2d": {
        "self": ones(2, 3, 4, 4), "indices": pa.zeros((2, 3, 4, 4), "int64"),
        "output_size": (8, 8), "out": ones(2, 3, 8, 8),
    },
    "max_unpool3d": {
        "self": ones(2, 3, 2, 4, 4), "indices": pa.zeros((2, 3, 2, 4, 4), "int64"),
        "output_size": (4, 8, 8), "stride": (2, 2, 2), "padding": (0, 0, 0),
        "out_ref": ones(2, 3, 4, 8, 8),
    },
    "global_average_pool": {"self": ones(2, 3, 4, 5), "out": ones(2, 3, 1, 1)},
    "global_max_pool": {"self": ones(2, 3, 4, 5), "out": ones(2, 3, 1, 1)},
}  # fmt: skip

_BIG = 2**40
_GLOBAL: tuple[tuple[str, Any, int], ...] = (
    ("self", None, NULL), ("self", ones(2, 3, 4), INVALID), ("out", ones(2, 3, 1), INVALID),
    ("self", ones(2, 3, 4, 5, dtype="int32"), INVALID),
    ("out", ones(2, 3, 1, 1, dtype=half), INVALID), ("out", ones(2, 3, 1, 5), INVALID),
    ("self", with_format(ones(2, 3, 4, 5), "NHWC"), INVALID), ("self", ones(2, 3, 0, 5), TILING),
    ("self", with_format(ones(2, 3, 4, 5), "ND"), INVALID),
    ("self", ones(1, 1, 1, 1, 1, 1, 1, 1, 1), INVALID),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "max_pool3d_with_argmax": (
        ("self", None, NULL), ("kernel_size", None, NULL), ("kernel_size", (2, 2), INVALID),
        ("self", ones(2, 3, 4, 6, 8, dtype="float64"), INVALID), ("stride", (0,), INVALID),
        ("out", ones(2, 3, 2, 3, 4, dtype=half), INVALID), ("padding", (2,), INVALID),
        ("indices", ones(2, 3, 2, 3, 4, dtype="int64"), INVALID), ("padding", (-1,), INVALID),
        ("dilation", (2,), INVALID), ("dilation", (1, 1), INVALID), ("kernel_size", (5,), INVALID),
        ("out", ones(2, 3, 2, 3, 3), INVALID), ("self", ones(4, 6, 8), INVALID),
        ("self", with_format(ones(2, 3, 4, 6, 8), "ND"), INVALID), ("self", ones(0, 3, 4, 6, 8), 0),
        ("kernel_size", (_BIG,), INVALID), ("stride", (_BIG,), INVALID),
    ),
    "adaptive_max_pool3d": (
        ("self", None, NULL), ("output_size", None, NULL), ("output_size", (2, 4), INVALID),
        ("output_size", (2,), INVALID), ("output_size", (2, 4, 4), INVALID),
        ("output_out", ones(2, 3, 2, 4, 5, dtype=half), INVALID),
        ("indices_out", ones(2, 3, 2, 4, 5, dtype="int64"), INVALID),
        ("indices_out", ones(2, 3, 2, 5, 4, dtype="int32"), INVALID),
        ("self", ones(6, 4, 6, 8), INVALID), ("self", ones(2, 3, 4, 0, 8), INVALID),
        ("self", with_format(ones(2, 3, 4, 6, 8), "NDHWC"), INVALID),
    ),
    "max_unpool2d": (
        ("self", None, NULL), ("output_size", None, NULL), ("output_size", (8,), INVALID),
        ("indices", ones(2, 3, 4, 4), INVALID), ("self", ones(2, 3, 4, 4, dtype=half), INVALID),
        ("self", ones(4, 4), INVALID), ("indices", ones(2, 3, 4, 3, dtype="int64"), INVALID),
        ("output_size", (0, 8), INVALID), ("output_size", (3, 5), INVALID),
        ("out", ones(2, 3, 7, 8), INNER_NULL), ("out", ones(2, 3, 64, 1), NO_KERNEL),
        ("output_size", (_BIG, _BIG), INNER_NULL),
    ),
    "max_unpool3d": (
        ("self", None, NULL), ("stride", None, NULL), ("stride", (2, 2), INVALID),
        ("stride", (0, 2, 2), INVALID), ("padding", (0,), INVALID),
        ("out_ref", ones(2, 3, 4, 8, 7), INVALID), ("output_size", (1, 3, 5), INVALID),
        ("out_ref", ones(2, 3, 4, 8, 16)[..., ::2], INVALID), ("padding", (-1, 0, 0), 0),
    ),
    "global_average_pool": _GLOBAL,
    "global_max_pool": (*_GLOBAL, ("self", ones(2, 3, 4, 5, dtype="bfloat16"), INVALID)),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


@pytest.mark.parametrize(
    ("shape", "kind", "expected"),
    [((3, 4, 6, 8), "NCHW", 0), ((3, 4, 6, 8), "NCDHW", INNER_NULL), ((2, 3, 4, 6, 8), "NCDHW", 0),
     ((2, 3, 4, 6, 8), "NCHW", INNER_NULL)],
)  # fmt: skip
def test_maxima_of_four_axes_have_no_format_of_five(
    shape: tuple[int, ...], kind: str, expected: int
) -> None:
    pooled = (*shape[:-3], 2, 3, 4)
    changed = {
        "self": ones(*shape), "out": ones(*pooled), "indices": pa.zeros(pooled, "int32"),
    }  # fmt: skip
    formatted = {name: with_format(tensor, kind) for name, tensor in changed.items()}

    assert code_with("max_pool3d_with_argmax", RIGHT["max_pool3d_with_argmax"], **formatted) == (
        expected
    )


def test_an_index_outside_the_image_writes_nothing() -> None:
    memory = pa.zeros((4,))
    indices = pa.asarray(np.array([[[-1, 1, 2**40, 4]]]))

    pa.ops.max_unpool2d(ones(1, 1, 4), indices, (2, 2), out=memory.reshape((1, 2, 2)))

    assert memory.numpy().tolist() == [0, 1, 0, 0]


def test_unpooling_undoes_pooling() -> None:
    x = np.random.default_rng(4).permutation(240).reshape(1, 2, 4, 5, 6).astype(np.float32)

    values, places = pa.ops.max_pool3d_with_argmax(
        pa.asarray(x), (2, 2, 2), (2, 2, 2), (0, 0, 0), (1, 1, 1), False
    )
    back = pa.ops.max_unpool3d(values, places, (4, 5, 6), (2, 2, 2), (0, 0, 0)).numpy()

    kept = back != 0
    assert kept.sum() == values.size
    np.testing.assert_array_equal(back[kept], x[kept])
