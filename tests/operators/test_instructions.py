"""Each set of instructions that kernels are compiled for, on the processor at hand."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.sim import control

Array = np.ndarray[Any, Any]

#: From few to many; each processor has those up to the one in use here.
SETS = ("baseline", "avx2", "avx512")
FLOATS: tuple[tuple[Any, float], ...] = (
    (np.float32, 2e-6), (np.float16, 2e-3), (ml_dtypes.bfloat16, 1.6e-2),
)  # fmt: skip

#: Rows, depth, columns: of one row, of few, of tiles; ends in the middle of a register.
PRODUCTS = (
    (1, 1500, 70), (2, 37, 600), (3, 300, 5), (1, 3, 1), (70, 2100, 1), (7, 300, 200),
    (32, 300, 65), (33, 270, 100), (130, 64, 64), (13, 5, 96), (5, 520, 32),
)  # fmt: skip
#: Matrices that begin and end within others.
BATCHES = ((40, 16, 64, 16), (33, 13, 7, 20), (5, 1, 20, 33), (3, 50, 300, 48))


def run(isa: str, program: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *(("-m", program) if program else ("-c", SAME_BITS)), *arguments],
        cwd=Path(__file__).resolve().parents[2],
        env=os.environ | {"PYACLNN_BACKEND": "simulator", "PYACLNN_SIM_ISA": isa} | environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def available() -> tuple[str, ...]:
    return SETS[: SETS.index(control.instructions()) + 1]


@pytest.mark.parametrize("isa", SETS)
def test_what_is_used_is_what_was_asked_for_or_what_there_is(isa: str) -> None:
    said = run(isa, "pyaclnn.info")

    wanted = isa if isa in available() else available()[-1]
    assert f"instructions: {wanted}\n" in said
    assert ("lacks" in said) == (isa not in available())


def test_another_word_is_named() -> None:
    assert "PYACLNN_SIM_ISA=sse9 is not understood" in run("sse9", "pyaclnn.info")


@pytest.mark.parametrize("isa", SETS)
def test_a_kernel_of_each_mechanism_passes(isa: str) -> None:
    operators = (
        "selu_backward", "add", "reduce_sum", "amax", "softmax", "softmax_backward",
        "layer_norm_backward", "matmul", "convolution", "convolution_backward", "cast", "gather",
        "topk", "cumsum", "reflection_pad2d",
    )  # fmt: skip
    named = (word for name in operators for word in ("--op", name))
    if isa in available():
        run(isa, "pyaclnn.selftest", "--quick", *named)


def draw(shape: tuple[int, ...], dtype: Any) -> Array:
    rng = np.random.default_rng(sum(shape))
    return rng.standard_normal(shape).astype(dtype)


def lying(values: Array, view: str) -> pa.Tensor:
    """The same values as they are, turned, or among others."""
    if view == "turned":
        return pa.asarray(np.ascontiguousarray(values.swapaxes(-1, -2))).transpose(
            *range(values.ndim - 2), values.ndim - 1, values.ndim - 2
        )
    if view == "inner":
        wide = np.full((*values.shape[:-1], values.shape[-1] + 7), np.nan, values.dtype)
        wide[..., 3:-4] = values
        return pa.asarray(wide)[..., 3:-4]
    return pa.asarray(values)


def products() -> list[tuple[Array, Array, dict[tuple[str, str], Array]]]:
    """Operands and the results of all their views."""
    found = []
    for shape, (dtype, _) in itertools.product((*PRODUCTS, *BATCHES), FLOATS):
        *batch, m, k, n = shape
        a, b = draw((*batch, m, k), dtype), draw((*batch, k, n), dtype)
        operator = pa.ops.batch_mat_mul if batch else pa.ops.matmul
        views = itertools.product(("", "turned", "inner"), repeat=2)
        found.append((a, b, {
            (left, right): operator(lying(a, left), lying(b, right), 0).numpy()
            for left, right in views
        }))  # fmt: skip
    return found


def test_products_are_those_of_float64_whatever_the_view() -> None:
    tolerances = dict(FLOATS)
    for a, b, results in products():
        exact = a.astype(np.float64) @ b.astype(np.float64)
        scale = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
        plain = results["", ""]
        error = np.abs(plain.astype(np.float64) - exact)
        assert (error <= tolerances[a.dtype.type] * np.maximum(scale, 1)).all(), (a.shape, a.dtype)
        for views, result in results.items():
            assert result.tobytes() == plain.tobytes(), (a.shape, b.shape, a.dtype, views)


def digest() -> str:
    """All bits of all products."""
    bits = hashlib.sha256()
    for _, _, results in products():
        for result in results.values():
            bits.update(result.tobytes())
    return bits.hexdigest()


SAME_BITS = """
from tests.operators import test_instructions as here
here.test_products_are_those_of_float64_whatever_the_view()
print(here.digest())
"""


@pytest.mark.parametrize("isa", SETS)
def test_products_have_the_same_bits_on_any_number_of_threads(isa: str) -> None:
    if isa in available():
        assert len({run(isa, "", PYACLNN_SIM_THREADS=str(n))[-65:] for n in (1, 2, 7)}) == 1
