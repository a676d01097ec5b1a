"""QuantFlashAttentionScore, which CANN 9.0 alone has: what it refuses, and its hifloat8."""

from __future__ import annotations

import sys
from os import pathsep
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from children import output_of
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, RUNTIME, code_with, ones

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.tensor.formats import with_format

NAME = "quant_flash_attention_score"

RIGHT: dict[str, dict[str, Any]] = {
    NAME: {
        "query": ones(2, 130, 4, 16), "key": ones(2, 520, 2, 16), "value": ones(2, 520, 2, 16),
        "atten_mask_optional": None, "d_scale_q": ones(2, 4, 2, 1), "d_scale_k": ones(2, 2, 3, 1),
        "d_scale_v": ones(2, 2, 2, 1), "p_scale": ones(1), "scale_value": 0.1, "pre_tokens": 0,
        "next_tokens": 0, "head_num": 4, "input_layout": "BSND", "sparse_mode": 9,
        "softmax_max_out": ones(2, 4, 130, 8), "softmax_sum_out": ones(2, 4, 130, 8),
        "softmax_outout": None, "attention_out_out": ones(2, 130, 4, 16),
    },
}  # fmt: skip
#: How the attention for training reports that its kernel refuses something.
_REFUSED = NULL
_WRONG: tuple[tuple[dict[str, Any], int], ...] = (
    ({}, 0), ({"query": None}, NULL), ({"input_layout": None}, NULL), ({"value": None}, NULL),
    ({"d_scale_q": None}, INNER_NULL), ({"p_scale": None}, INNER_NULL),
    ({"key": ones(2, 520, 2, 16, dtype="float16")}, INVALID), ({"head_num": 0}, INVALID),
    ({"input_layout": "TNND"}, INVALID), ({"d_scale_q": ones(2, 4, 3, 1)}, _REFUSED),
    ({"d_scale_k": ones(2, 2, 2, 1)}, _REFUSED), ({"d_scale_v": ones(2, 2, 2)}, _REFUSED),
    ({"d_scale_v": ones(2, 2, 2, 1, dtype="float16")}, _REFUSED),
    ({"p_scale": ones(1, dtype="float16")}, _REFUSED), ({"p_scale": pa.empty((0,))}, _REFUSED),
    ({"atten_mask_optional": ones(3, 7)}, 0), ({"softmax_max_out": ones(2, 4, 130, 1)}, _REFUSED),
)  # fmt: skip


def _small(codes: Any) -> pa.Tensor:
    return with_format(pa.asarray(codes), "ND", shape=codes.shape, dtype="hifloat8")


def statuses() -> None:
    """On a 950 with CANN 9.0: each status."""
    for changed, expected in _WRONG:
        assert code_with(NAME, RIGHT[NAME], **changed) == expected, changed
    narrow = {
        name: _small(np.zeros((1, 64, 2, 128), np.uint8)) for name in ("query", "key", "value")
    }
    assert code_with(NAME, RIGHT[NAME], **narrow) == _REFUSED
    # CANN divides the work of float8, and has no kernel for it.
    small: dict[str, Any] = {
        name: pa.zeros(RIGHT[NAME][name].shape, "float8_e4m3fn")
        for name in ("query", "key", "value")
    }
    small["attention_out_out"] = ones(2, 130, 4, 16, dtype="bfloat16")
    assert code_with(NAME, RIGHT[NAME], **small) == RUNTIME
    assert code_with(NAME, RIGHT[NAME], **small, d_scale_q=ones(2, 4, 3, 1)) == _REFUSED


def scales() -> None:
    """On a 950 with CANN 9.0: scales of floats have the shape of those of 8 bits, and no effect."""
    name = "flash_attention_score_v4"
    right = {
        **dict.fromkeys(p.name for p in pa.ops[name].spec.inputs), "query": ones(2, 4, 130, 16),
        "key": ones(2, 2, 520, 16), "value": ones(2, 2, 520, 16), "scale_value": 1.0,
        "keep_prob": 1.0, "pre_tokens": 2**31 - 1, "next_tokens": 2**31 - 1, "head_num": 4,
        "input_layout": "BNSD", "inner_precise": 0, "sparse_mode": 0, "out_dtype": 0,
        "pse_type": 1, "softmax_out_layout": "", "seed": 0, "offset": 0,
    }  # fmt: skip
    for letter, shape in (("q", (2, 4, 2, 1)), ("k", (2, 2, 3, 1)), ("v", (2, 2, 2, 1))):
        scale = f"d_scale_{letter}_optional"
        out = pa.ops[name](**{**right, scale: pa.full(shape, 7, "float32")})[-1]
        assert np.allclose(out.numpy(), 1)
        assert code_with(name, right, **{scale: ones(*shape[:2], 1, 1)}) == _REFUSED
        assert code_with(name, right, **{scale: ones(*shape, dtype="float16")}) == _REFUSED


def _nearest(x: Any) -> Any:
    """Return hifloat8 next to positive numbers."""
    all_values = hifloat8_values()
    values = np.sort(all_values[np.isfinite(all_values) & (all_values >= 0)])
    return values[np.searchsorted((values[1:] + values[:-1]) / 2, x, side="right")]


def hifloat8() -> None:
    """On a 950 with CANN 9.0: one of the two shapes that there are."""
    rng = np.random.default_rng(3)
    rows, heads, columns, depth, kinds, scale, enlarged = 7200, 40, 512, 128, 16, 0.09, 8.0
    # Numbers from 1/4 to 1, of both signs.
    values = hifloat8_values()
    codes = np.flatnonzero((np.abs(values) >= 0.25) & (np.abs(values) <= 1))
    few = rng.choice(codes, (kinds, heads, depth)).astype(np.uint8)
    query = np.tile(few, (rows // kinds, 1, 1))[None]
    key, value = (rng.choice(codes, (1, columns, heads, depth)).astype(np.uint8) for _ in "kv")
    # A scale for every other 128 rows, one for 256 keys, one for all values of a head.
    by_rows = np.where(np.arange(57) % 2, 1.5, 1.0).astype(np.float32)
    scales = (
        np.tile(by_rows, (heads, 1))[None, ..., None],
        rng.uniform(0.8, 1.2, (1, heads, 2, 1)).astype(np.float32),
        rng.uniform(0.8, 1.2, (1, heads, 1, 1)).astype(np.float32),
    )
    out = pa.ops[NAME](
        _small(query), _small(key), _small(value), None, *(pa.asarray(s) for s in scales),
        pa.full((1,), enlarged, "float32"), scale, 0, 0, heads, "BSND", 0,
    )  # fmt: skip

    q, k, v = values[few], values[key[0]], values[value[0]]
    products = q.swapaxes(0, 1) @ k.transpose(1, 2, 0)
    products *= np.repeat(scales[1][0], 256, 1).swapaxes(1, 2)
    which = np.unique([0, 127, 128, rows - 1, *rng.integers(0, rows, 200)])
    seen = {}
    for factor in (1.0, 1.5):
        scores = (products * scale * factor).astype(np.float16).astype(np.float64)
        shift = np.float64(np.float16(np.log(np.float16(enlarged))))
        largest = (scores.max(-1, keepdims=True) - shift).astype(np.float16).astype(np.float64)
        weights = np.exp(scores - largest)
        total = weights.sum(-1, keepdims=True)
        result = _nearest(weights) @ v.swapaxes(0, 1) * scales[2][0] / total
        seen[factor] = (largest[..., 0], total[..., 0], result.swapaxes(0, 1))
    for factor, (largest, total, result) in seen.items():
        own = which[by_rows[which // 128] == factor]
        assert np.abs(out[0].numpy()[0, :, own, 0].T - largest[:, own % kinds]).max() < 4e-3
        assert np.allclose(out[1].numpy()[0, :, own, 0].T, total[:, own % kinds], rtol=5e-3)
        found = out[3].numpy()[0, own].astype(np.float64)
        assert np.abs(found - result[own % kinds]).max() < 0.02 * np.abs(result).max()
        assert np.abs(found - result[own % kinds]).mean() < 2e-3 * np.abs(result).mean()


def rising() -> None:
    """On a 950 with CANN 9.0: the largest score comes in a later block of 512 keys, or does not."""
    rng = np.random.default_rng(4)
    for falls in (False, True):
        query, key, value = (rng.normal(0, 1, (1, n, 2, 16)) for n in (3, 1100, 1100))
        key[:, 512:1024] *= 2.0
        key[:, 1024:] *= 4.0
        if falls:
            key = key[:, ::-1]
        q, k, v = (np.ascontiguousarray(x, np.float32) for x in (query, key, value))
        scales = (ones(1, 2, n, 1) for n in (1, 5, 3))
        out = pa.ops[NAME](
            *(pa.asarray(x) for x in (q, k, v)), None, *scales, ones(1), 0.2, 0, 0, 2, "BSND", 9,
        )  # fmt: skip

        scores = np.einsum("bind,bjnd->bnij", q.astype(float), k) * 0.2
        largest = scores.max(-1)
        weights = np.exp(scores - largest[..., None])
        total = weights.sum(-1)
        golden = np.einsum("bnij,bjnd->bind", weights / total[..., None], v)
        assert (scores[..., :512].max(-1) < largest).any() == (not falls)
        assert np.allclose(out[0].numpy()[..., 0], largest, rtol=1e-5)
        assert np.allclose(out[1].numpy()[..., 0], total, rtol=1e-5)
        assert np.allclose(out[3].numpy(), golden, atol=1e-5)


@pytest.mark.parametrize("check", ["statuses", "scales", "hifloat8", "rising"])
def test_it_answers_as_cann_9_0_on_a_950(check: str) -> None:
    tests = str(Path(__file__).parents[1])
    output_of(
        f"from operators import test_quant_flash_attention\ntest_quant_flash_attention.{check}()",
        timeout=600, PYACLNN_SIM_SOC="Ascend910_95", PYACLNN_SIM_CANN="9.0",
        PYTHONPATH=pathsep.join([tests, *sys.path]),
    )  # fmt: skip


def test_cann_9_1_lacks_it() -> None:
    assert code_with(NAME, RIGHT[NAME]) == NO_KERNEL
