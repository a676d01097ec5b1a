"""Convolution gradients that are computed in several blocks, copies and pieces."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.selftest.suites.convolution import convolution_backward

Array = np.ndarray[Any, Any]
Axes = tuple[int, ...]

#: What it is for -> samples, groups, input and output channels of a group, image, taps, stride,
#: padding, dilation.
SHAPES: dict[str, tuple[int, int, int, int, Axes, Axes, Axes, Axes, Axes]] = {
    "more taps than one sum of floats has": (1, 1, 2, 3, (1500,), (600,), (1,), (7,), (1,)),
    "channels in several sums": (3, 1, 300, 20, (12, 12), (3, 3), (1, 1), (1, 1), (1, 1)),
    "weight shared out by channels": (2, 1, 40, 270, (9, 9), (3, 3), (1, 1), (1, 1), (1, 1)),
    "several samples in a block": (40, 1, 9, 17, (3, 3), (2, 2), (1, 1), (1, 1), (1, 1)),
    "small planes of many channels": (2, 1, 80, 96, (4, 4), (3, 3), (1, 1), (1, 1), (1, 1)),
    "small planes, tiles half full": (3, 1, 70, 27, (3, 3), (3, 3), (1, 1), (1, 1), (1, 1)),
    "small planes in groups": (2, 2, 64, 40, (5, 5), (3, 3), (2, 2), (1, 1), (1, 1)),
    "weights as they lie, blocks": (2, 1, 40, 64, (20, 20), (3, 3), (1, 1), (1, 1), (1, 1)),
    "rows across blocks": (2, 1, 3, 24, (70, 90), (3, 3), (2, 2), (1, 1), (1, 1)),
    "kernel of one element": (2, 1, 50, 40, (31, 33), (1, 1), (1, 1), (0, 0), (1, 1)),
    "one element, strided": (2, 1, 10, 40, (31, 33), (1, 1), (2, 3), (0, 0), (1, 1)),
    "image elements that nothing sees": (2, 1, 4, 5, (40, 41), (2, 2), (3, 5), (0, 0), (1, 1)),
    "groups": (2, 3, 8, 20, (20, 21), (3, 3), (1, 1), (1, 1), (1, 1)),
    "channel by channel": (2, 20, 1, 1, (50, 61), (3, 3), (1, 1), (1, 1), (1, 1)),
    "channel by channel, strided": (2, 20, 1, 2, (50, 61), (3, 3), (2, 2), (1, 1), (1, 1)),
    "into one channel": (2, 1, 12, 1, (50, 61), (3, 3), (1, 3), (1, 1), (1, 2)),
    "dilated": (2, 1, 6, 10, (40, 41), (3, 3), (1, 1), (2, 4), (2, 4)),
    "volumes": (2, 1, 5, 12, (9, 10, 11), (3, 2, 3), (1, 2, 2), (1, 0, 2), (1, 2, 1)),
    "long rows, in blocks": (2, 1, 40, 9, (70, 64), (3, 3), (1, 1), (1, 1), (1, 1)),
    "long rows, padded beyond the kernel": (2, 2, 5, 7, (20, 41), (2, 3), (1, 1), (4, 6), (1, 2)),
    "long rows, volumes": (2, 1, 3, 9, (4, 12, 40), (2, 3, 3), (1, 1, 1), (1, 1, 1), (2, 1, 1)),
}  # fmt: skip


def arguments(name: str, transposed: bool) -> tuple[list[Array], tuple[Any, ...]]:
    """The tensors of a call, in float32, and what follows them without biasSizes."""
    n, groups, ci, co, image, taps, stride, padding, dilation = SHAPES[name]
    size = tuple(
        (i + 2 * p - (k - 1) * d - 1) // s + 1
        for i, k, s, p, d in zip(image, taps, stride, padding, dilation, strict=True)
    )
    extra = tuple(
        i - ((o - 1) * s - 2 * p + (k - 1) * d + 1) if transposed else 0
        for i, o, k, s, p, d in zip(image, size, taps, stride, padding, dilation, strict=True)
    )
    rng = np.random.default_rng(7)
    shapes = ((n, groups * co, *size), (n, groups * ci, *image), (groups * co, ci, *taps))
    y, x, weight = (rng.standard_normal(shape).astype(np.float32) for shape in shapes)
    tensors = [x, y, weight] if transposed else [y, x, weight]
    return tensors, (stride, padding, dilation, transposed, extra, groups)


def gradients(name: str, transposed: bool) -> list[Array]:
    tensors, attributes = arguments(name, transposed)
    results = pa.ops["convolution_backward"](
        *map(pa.asarray, tensors), (tensors[0].shape[1],), *attributes, (True, True, True), 0
    )
    return [result.numpy() for result in results]


@pytest.mark.parametrize("transposed", [False, True], ids=["plain", "transposed"])
@pytest.mark.parametrize("name", SHAPES)
def test_gradients_are_those_of_float64(name: str, transposed: bool) -> None:
    tensors, (stride, padding, dilation, _, _, groups) = arguments(name, transposed)
    exact = (tensor.astype(np.float64) for tensor in tensors)
    wanted = convolution_backward(*exact, stride, padding, dilation, transposed, groups)
    for gradient, golden in zip(gradients(name, transposed), wanted, strict=True):
        assert np.abs(gradient - golden).max() <= 4e-6 * np.abs(golden).max()


PROGRAM = """
import hashlib
from tests.operators.test_convolution_blocks import SHAPES, gradients
for name in SHAPES:
    for transposed in (False, True):
        data = b"".join(gradient.tobytes() for gradient in gradients(name, transposed))
        print(name, transposed, hashlib.sha256(data).hexdigest())
"""


def printed(threads: int) -> str:
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    environment = {
        **os.environ, "PYACLNN_BACKEND": "simulator", "PYACLNN_SIM_THREADS": str(threads),
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=root, env=environment, check=True,
        stdout=subprocess.PIPE, text=True,
    ).stdout  # fmt: skip


def test_bits_do_not_depend_on_the_number_of_threads() -> None:
    alone = printed(1)
    assert alone.count("\n") == 2 * len(SHAPES)
    assert printed(3) == alone
