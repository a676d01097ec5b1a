"""Each set of instructions that kernels are compiled for, on the processor at hand."""

from __future__ import annotations

import functools
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
SETS = ("baseline", "avx2", "avx512", "amx")
FLOATS: tuple[tuple[Any, float], ...] = (
    (np.float32, 2e-6), (np.float16, 2e-3), (ml_dtypes.bfloat16, 1.6e-2),
)  # fmt: skip

#: Rows, depth, columns: of one row, of few, of tiles; ends in the middle of a register.
PRODUCTS = (
    (1, 1500, 70), (2, 37, 600), (3, 300, 5), (1, 3, 1), (70, 2100, 1), (7, 300, 200),
    (32, 300, 65), (33, 270, 100), (130, 64, 64), (13, 5, 96), (5, 520, 32), (20, 514, 130),
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
        "topk", "cumsum", "reflection_pad2d", "quant_matmul_v4", "flash_attention_score",
        "rms_norm", "group_norm", "group_norm_backward", "batch_norm_backward", "grid_sampler2d",
        "avg_pool2d", "swi_glu", "ctc_loss", "cdist", "rfft1d", "embedding_dense_backward",
        "dynamic_quant", "div", "argsort", "exp_segsum", "masked_select", "grouped_bias_add_grad",
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
        around = 99 if values.dtype.kind == "i" else np.nan
        wide = np.full((*values.shape[:-1], values.shape[-1] + 7), around, values.dtype)
        wide[..., 3:-4] = values
        return pa.asarray(wide)[..., 3:-4]
    return pa.asarray(values)


@functools.cache
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


#: Few and many rows, short and long ones, ends in the middle of a register.
MATRICES = (
    (1, 1), (3, 5), (300, 16), (70, 33), (1000, 3), (40, 64), (9, 255), (7, 1500), (100, 1030),
    (2, 300001),
)  # fmt: skip


@functools.cache
def reductions() -> list[tuple[str, Array, Array, dict[str, Array]]]:
    """Name, operand, what is exact, and the results of all views."""
    found = []
    types = (*(dtype for dtype, _ in FLOATS), np.int8, np.int32, np.int64)
    for shape, dtype, axis in itertools.product(MATRICES, types, (0, 1, None)):
        x = draw(shape, np.float32)
        x = (40 * x).astype(dtype) if np.dtype(dtype).kind == "i" else x.astype(dtype)
        axes = [0, 1] if axis is None else [axis]
        exact = x.astype(np.int64 if np.dtype(dtype).kind == "i" else np.float64)
        total = np.int64 if np.dtype(dtype).kind == "i" else dtype
        for name, wanted, more in (
            ("reduce_sum", exact.sum(axis), (False, np.dtype(total).name)),
            ("amax", exact.max(axis), (False,)),
            ("amin", exact.min(axis), (False,)),
        ):
            found.append((name, x, wanted, {
                view: pa.ops[name](lying(x, view), axes, *more).numpy()
                for view in ("", "turned", "inner")
            }))  # fmt: skip
    return found


def test_reductions_are_those_of_float64_whatever_the_view() -> None:
    tolerances = dict(FLOATS)
    for name, x, wanted, results in reductions():
        plain = results[""].astype(np.float64)
        allowed = tolerances.get(x.dtype.type, 0) * np.maximum(np.abs(wanted), 1)
        if name == "reduce_sum" and allowed.any():
            allowed = allowed + 1e-6 * np.abs(x.astype(np.float64)).sum() / wanted.size
        assert (np.abs(plain - wanted) <= allowed).all(), (name, x.shape, x.dtype)
        for view, result in results.items():
            # A turned matrix lies as its other axis does: its sums may have another order.
            if name != "reduce_sum" or view != "turned":
                assert result.tobytes() == results[""].tobytes(), (name, x.shape, x.dtype, view)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", [dtype for dtype, _ in FLOATS])
def test_extrema_find_nan_and_infinity_anywhere(dtype: Any, axis: int) -> None:
    for length in (1, 16, 17, 33, 64, 100, 1030):
        x = draw((length, length), np.float32).astype(dtype)
        x[np.arange(length), np.arange(length)[::-1]] = np.nan
        assert np.isnan(pa.ops.amax(pa.asarray(x), [axis], False).numpy()).all()
        x[np.arange(length), np.arange(length)[::-1]] = np.inf
        assert np.isposinf(pa.ops.amax(pa.asarray(x), [axis], False).numpy()).all()
        total = pa.ops.reduce_sum(pa.asarray(x), [axis], False, np.dtype(dtype).name).numpy()
        assert np.isposinf(total).all()


def digest() -> str:
    """All bits of all results."""
    bits = hashlib.sha256()
    for _, _, results in products():
        for result in results.values():
            bits.update(result.tobytes())
    for _, _, _, found in reductions():
        for result in found.values():
            bits.update(result.tobytes())
    return bits.hexdigest()


SAME_BITS = """
from tests.operators import test_instructions as here
here.test_products_are_those_of_float64_whatever_the_view()
here.test_reductions_are_those_of_float64_whatever_the_view()
print(here.digest())
"""


@pytest.mark.parametrize("isa", SETS)
def test_bits_are_the_same_on_any_number_of_threads(isa: str) -> None:
    if isa in available():
        assert len({run(isa, "", PYACLNN_SIM_THREADS=str(n))[-65:] for n in (1, 3)}) == 1
