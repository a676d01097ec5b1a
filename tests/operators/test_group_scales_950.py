"""Gated rows that become hifloat8 by a scale for each group, which is given or found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_SIZES, _ROWS, _WIDTH, _MOST = (2, 0, 3), 7, 512, 15.0
_GIVEN = np.array([2.0, 3.0, 0.5], np.float32)


def gated(mode: int, grouped: bool) -> list[Any]:
    """Return rows, their codes, the scales, and the rows before they are codes."""
    x = np.random.default_rng(6).normal(0, 2, (_ROWS, 2 * _WIDTH)).astype(np.float32)
    out = pa.asarray(np.full((_ROWS, _WIDTH), 7, np.uint8))
    narrow = with_format(out, "ND", shape=(_ROWS, _WIDTH), dtype="hifloat8")
    count = len(_SIZES) if grouped else 1
    scales, origin = pa.full((count,), -1.0), pa.zeros((_ROWS, _WIDTH))
    pa.ops.swiglu_group_quant(
        pa.asarray(x), None, pa.asarray(np.array(_SIZES)) if grouped else None,
        pa.asarray(_GIVEN[:count]) if mode == 2 else None, 34, mode, 0, False, -1.0, _MOST, True,
        out=(narrow, scales, origin),
    )  # fmt: skip
    return [t.tolist() for t in (x, out.numpy(), scales.numpy(), origin.numpy())]


@pytest.mark.parametrize("mode", [2, 3])
@pytest.mark.parametrize("grouped", [True, False])
def test_rows_are_scaled_by_group(mode: int, grouped: bool) -> None:
    printed = found_on("Ascend950", "operators.test_group_scales_950", f"gated({mode}, {grouped})")
    x, codes, scales, origin = (np.array(part) for part in printed)
    a, b = np.split(x, 2, -1)
    wide = a / (1 + np.exp(-a)) * b
    values = hifloat8_values()
    finite = values[np.isfinite(values)]
    sizes = _SIZES if grouped else (_ROWS,)
    starts = np.cumsum((0, *sizes))

    assert np.allclose(origin, wide, rtol=1e-5, atol=1e-7)
    assert (codes[starts[-1] :] == 0).all()
    for group, (start, size) in enumerate(zip(starts, sizes, strict=False)):
        rows = wide[start : start + size]
        if mode == 3:
            found = np.abs(rows).max() / _MOST if size else -1
            assert np.isclose(scales[group], found, rtol=1e-5)
        factor = 1 / scales[group] if mode == 3 else _GIVEN[group]
        nearest = np.abs(finite - (rows * factor)[..., None]).min(-1)
        off = np.abs(values[codes[start : start + size]] - rows * factor)
        assert (off <= nearest + 1e-5 * np.abs(rows * factor)).all()


_LARGEST = {"float4_e2m1fn": (40, 2, 6.0), "float4_e1m2": (41, 0, 1.75)}


def halved(kind: str) -> list[Any]:
    """Return rows, and what blocks of float4 hold once they are restored, with their scales."""
    x = np.random.default_rng(8).normal(0, 2, (5, 256)).astype(as_dtype("bfloat16"))
    weight = np.array([1, 0.5, 2, 1, 1.5], np.float32)
    narrow = pa.asarray(np.zeros((5, 64), np.uint8))
    out = with_format(narrow, "ND", shape=(5, 128), dtype=kind)
    scales = pa.ones((5, 2, 2), "float8_e8m0fnu")
    pa.ops.swiglu_group_quant(
        pa.asarray(x), pa.asarray(weight), None, None, _LARGEST[kind][0], 1, 0, True, -1.0, 0.0,
        False, out=(out, scales, pa.zeros((5, 128), "bfloat16")),
    )  # fmt: skip
    bytes_ = narrow.numpy()
    codes = np.stack([bytes_ & 15, bytes_ >> 4], -1).reshape(5, 128)
    return [t.tolist() for t in (x.astype(float), weight, codes, scales.numpy().astype(float))]


@pytest.mark.parametrize("kind", list(_LARGEST))
def test_rows_become_float4_in_blocks(kind: str) -> None:
    printed = found_on("Ascend950", "operators.test_group_scales_950", f"halved({kind!r})")
    x, weight, codes, scales = (np.array(part) for part in printed)
    _, exponent, most = _LARGEST[kind]
    a, b = np.split(x, 2, -1)
    wide = (a / (1 + np.exp(-a)) * b) * weight[:, None]
    wide = wide.astype(as_dtype("bfloat16")).astype(float).reshape(5, 4, 32)
    expected = 2.0 ** (np.floor(np.log2(np.abs(wide).max(-1))) - exponent)
    small = {2: [0, 0.5, 1, 1.5, 2, 3, 4, 6], 0: [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75]}
    values = np.array([*small[exponent], *(-v for v in small[exponent])])
    scaled = np.clip(wide / expected[..., None], -most, most).reshape(5, 128)

    assert np.array_equal(scales.reshape(5, 4), expected)
    off = np.abs(values[codes] - scaled)
    # A number that bfloat16 rounds the other way is off by its last place.
    assert (off <= np.abs(values - scaled[..., None]).min(-1) + 2.0**-6).all()
