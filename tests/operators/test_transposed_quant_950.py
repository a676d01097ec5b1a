"""Quantised products whose batch lies between rows and depth, by scales of blocks or by words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, code_of

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.selftest.suites.mx_products import narrow_floats, powers
from pyaclnn.tensor.formats import with_format

_HERE = "operators.test_transposed_quant_950"
_FLOAT8, _CODES = "float8_e4m3fn", {"float16": 1, "bfloat16": 27, "hifloat8": 34}


def _called(x1: pa.Tensor, x2: pa.Tensor, scales: tuple[pa.Tensor | None, pa.Tensor],
            out: pa.Tensor, dtype: str, turned: bool, group_size: int) -> Any:  # fmt: skip
    pa.ops.transpose_quant_batch_mat_mul(
        x1, x2, None, *scales, _CODES[dtype], group_size, [1, 0, 2],
        [0, 2, 1] if turned else [0, 1, 2], [1, 0, 2], 1, out=out,
    )  # fmt: skip
    return out.numpy()


def _turned(values: Any, is_turned: bool) -> Any:
    return np.ascontiguousarray(np.swapaxes(values, 1, 2)) if is_turned else values


def by_blocks(how: str, dtype: str) -> float:
    """Return by how much products by scales of blocks differ, of the largest one."""
    rng = np.random.default_rng(4)
    turned, (m, batch, k, n) = how == "turned", (5, 3, 192, 33)
    a = narrow_floats((m, batch, k), _FLOAT8, rng)
    b = narrow_floats((batch, k, n), _FLOAT8, rng)
    (scale1, wide1), (scale2, wide2) = powers(a.shape, 2, rng), powers(b.shape, 1, rng)
    golden = np.einsum(
        "mbk,bkn->mbn", a.astype(np.float64) * wide1, b.astype(np.float64) * wide2
    )  # fmt: skip
    right = pa.asarray(_turned(b, turned))
    if how == "in blocks":
        stored = in_blocks(b.view(np.int8))
        right = with_format(pa.asarray(stored), "FRACTAL_NZ", shape=b.shape, dtype=_FLOAT8,
                            storage_shape=stored.shape)  # fmt: skip
    found = _called(
        pa.asarray(a), right, (pa.asarray(scale1), pa.asarray(_turned(scale2, turned))),
        pa.zeros((m, batch, n), dtype), dtype, turned, 32,
    )  # fmt: skip
    return float(np.abs(found.astype(np.float64) - golden).max() / np.abs(golden).max())


def by_words(turned: bool, dtype: str) -> float:
    """Return by how much products of hifloat8 by words differ; a scale of x1 changes nothing."""
    rng = np.random.default_rng(5)
    m, batch, k, n = 4, 2, 21, 7
    values = hifloat8_values()
    moderate = np.flatnonzero((np.abs(values) > 0.1) & (np.abs(values) <= 8))
    left, right = (
        rng.choice(moderate, shape).astype(np.uint8) for shape in ((m, batch, k), (batch, k, n))
    )
    scale = rng.choice([0.25, 0.5, 1.5], n).astype(np.float32)
    golden = np.einsum("mbk,bkn->mbn", values[left], values[right]) * scale
    # The lower bits of a word are none that the matrix unit takes.
    words = scale.view(np.uint32).astype(np.uint64) | np.uint64(0x1FFF)
    first = pa.asarray(np.array([0x40000000], np.uint64)) if turned else None

    def small(stored: Any) -> pa.Tensor:
        return with_format(pa.asarray(stored), "ND", shape=stored.shape, dtype="hifloat8")

    found = _called(
        small(left), small(_turned(right, turned)), (first, pa.asarray(words)),
        pa.zeros((m, batch, n), dtype), dtype, turned, 0,
    )  # fmt: skip
    return float(np.abs(found.astype(np.float64) - golden).max() / np.abs(golden).max())


def one_in_hifloat8() -> list[float]:
    """Return products of ones, which hifloat8 holds, as their codes' values."""
    values = hifloat8_values()
    one = int(np.flatnonzero(values == 1)[0])
    ones = np.full((2, 3, 4), one, np.uint8), np.full((3, 4, 2), one, np.uint8)
    x1, x2 = (with_format(pa.asarray(v), "ND", shape=v.shape, dtype="hifloat8") for v in ones)
    words = np.array([1.0, 0.5], np.float32).view(np.uint32).astype(np.uint64)
    out = pa.zeros((2, 3, 2), "uint8")
    shown = with_format(out, "ND", shape=out.shape, dtype="hifloat8")
    pa.ops.transpose_quant_batch_mat_mul(x1, x2, None, None, pa.asarray(words), 34, 0, [1, 0, 2],
                                         [0, 1, 2], [1, 0, 2], 1, out=shown)  # fmt: skip
    return [float(v) for v in values[out.numpy()].ravel()]


@pytest.mark.parametrize(
    ("call", "within"),
    [
        ("by_blocks('plain', 'float16')", 1e-3), ("by_blocks('turned', 'bfloat16')", 8e-3),
        ("by_blocks('in blocks', 'float16')", 1e-3), ("by_words(False, 'float16')", 1e-3),
        ("by_words(True, 'bfloat16')", 8e-3),
    ],
)  # fmt: skip
def test_products_are_those_of_float64(call: str, within: float) -> None:
    assert found_on("Ascend950", _HERE, call) < within


def test_results_may_be_hifloat8() -> None:
    found = found_on("Ascend950", _HERE, "one_in_hifloat8()")

    assert found == [4.0, 2.0] * 6


def codes() -> list[int]:
    """Return how calls by scales of blocks and by words are answered."""
    return [code_of(by_blocks, "plain", "float16"), code_of(by_words, True, "bfloat16")]


@pytest.mark.parametrize(("release", "expected"), [("9.0", INVALID), ("9.1", 0)])
def test_they_came_with_9_1(release: str, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYACLNN_SIM_CANN", release)

    assert found_on("Ascend950", _HERE, "codes()") == [expected] * 2
