"""Attention of the 950 with keys and values of 8 and 4 bits, latent vectors, and narrow results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, TILING, code_with, ones, powers
from operators.test_attention import _newest, halves

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_V5 = "fused_infer_attention_score_v5"
_B, _N, _M, _S, _D = 2, 4, 2, 5, 64


def _narrow(dtype: str, *shape: int, fill: int = 0x38) -> pa.Tensor:
    """Return a tensor of bytes as a narrow type; 0x38 is 1 as float8_e4m3fn."""
    return with_format(pa.full(shape, fill, "uint8"), "ND", shape=shape, dtype=dtype)


def _right(dtype: str = "float8_e4m3fn", **changed: Any) -> dict[str, Any]:
    """Return a call of keys of a type, with scales of channels."""
    heads = (_B, _N, 1, _D)
    if dtype == "float4_e2m1fn":
        key: Any = pa.zeros((_B, _M, _S, _D), dtype)
    else:
        key = _narrow(dtype, _B, _M, _S, _D)
    return {
        **dict.fromkeys(a.name for a in pa.ops[_V5].spec.inputs), **_newest(),
        "query": halves(*heads), "key": [key], "value": [key], "attention_out": halves(*heads),
        "input_layout": "BNSD", "key_antiquant_mode": 0, "value_antiquant_mode": 0,
        "key_antiquant_scale_optional": halves(_M, _D), "pse_type": 0,
        "value_antiquant_scale_optional": halves(_M, _D), **changed,
    }  # fmt: skip


def _by_groups(**changed: Any) -> dict[str, Any]:
    powers = ones(1, _B, _M, _S, _D // 32, dtype="float8_e8m0fnu")
    return _right(
        "float4_e2m1fn", key_antiquant_mode=6, value_antiquant_mode=6,
        key_antiquant_scale_optional=powers, value_antiquant_scale_optional=powers,
    ) | changed  # fmt: skip


def _by_tokens(mode: int, scales: pa.Tensor, **changed: Any) -> dict[str, Any]:
    return _right(
        key_antiquant_mode=mode, value_antiquant_mode=mode, key_antiquant_scale_optional=scales,
        value_antiquant_scale_optional=scales,
    ) | changed  # fmt: skip


def _in_pages(block: int = 64, *, shape: tuple[int, ...] = (), **changed: Any) -> dict[str, Any]:
    cache = _narrow("float8_e4m3fn", *(shape or (4, _M, block, _D)))
    return _right(
        key=[cache], value=[cache], block_size=block, actual_seq_lengths_kv_optional=(block, 5),
        block_table_optional=pa.asarray(np.array([[0, 1], [2, 3]], np.int32)),
    ) | changed  # fmt: skip


def _packed(mode: int, scales: pa.Tensor, dtype: str = "float8_e4m3fn") -> dict[str, Any]:
    """Return a call of sequences of 3 and 4 tokens behind one another."""
    shape = (7, _M, _D)
    key = pa.zeros(shape, dtype) if dtype == "float4_e2m1fn" else _narrow(dtype, *shape)
    return _by_tokens(
        mode, scales, key=[key], value=[key], query=halves(3, _N, _D), input_layout="TND",
        attention_out=halves(3, _N, _D), actual_seq_lengths_optional=(1, 3),
        actual_seq_lengths_kv_optional=(3, 7),
    )  # fmt: skip


def _latents(dtype: str = "float8_e4m3fn", **changed: Any) -> dict[str, Any]:
    wide = {"dtype": "bfloat16"}
    cache = _narrow(dtype, 2, 9, 512)
    return _right(
        query=_narrow(dtype, 2, 1, 4, 512), key=[cache], value=[cache], input_layout="BSH",
        query_rope_optional=ones(2, 1, 4, 64, **wide), key_rope_optional=ones(2, 9, 64, **wide),
        dequant_scale_query_optional=ones(2, 1, 4), key_antiquant_scale_optional=ones(1),
        value_antiquant_scale_optional=ones(1), num_key_value_heads=1, query_quant_mode=3,
        attention_out=ones(2, 1, 4, 512, **wide),
    ) | {"query": _narrow(dtype, 2, 1, 2048), "query_rope_optional": ones(2, 1, 256, **wide),
         "attention_out": ones(2, 1, 2048, **wide)} | changed  # fmt: skip


def _with_exponents(**changed: Any) -> dict[str, Any]:
    """Return a call of e4m3 throughout, two sequences of keys in pages."""
    e4m3 = "float8_e4m3fn"
    cache = _narrow(e4m3, 4, _M, 512, 128)
    return _right(
        query=_narrow(e4m3, 3, _N, 128), key=[cache], value=[cache], input_layout="TND",
        actual_seq_lengths_optional=(1, 3), actual_seq_lengths_kv_optional=(512, 5),
        block_table_optional=pa.asarray(np.array([[0, 1], [2, 3]], np.int32)), block_size=512,
        dequant_scale_query_optional=powers(3, _N, 2, 2), query_quant_mode=6,
        key_antiquant_mode=6, key_antiquant_scale_optional=powers(4, _M, 512, 2, 2),
        value_antiquant_mode=8, value_antiquant_scale_optional=powers(4, _M, 8, 128, 2),
        attention_out=halves(3, _N, 128),
    ) | changed  # fmt: skip


def _exponent_calls() -> list[tuple[dict[str, Any], int]]:
    e4m3, wide = "float8_e4m3fn", {"dtype": "bfloat16"}
    flat = _narrow(e4m3, 128, _M, 128)
    tokens = {
        "key": [flat], "value": [flat], "block_table_optional": None, "block_size": 0,
        "actual_seq_lengths_kv_optional": (64, 128),
        "key_antiquant_scale_optional": powers(128, _M, 2, 2),
        "value_antiquant_scale_optional": powers(2, _M, 128, 2),
    }  # fmt: skip
    rope = {
        "query_rope_optional": ones(3, _N, 64, **wide),
        "key_rope_optional": ones(4, _M, 512, 64, **wide),
    }
    small = _narrow(e4m3, 4, _M, 64, 128)
    return [
        (_with_exponents(), 0), (_with_exponents(attention_out=ones(3, _N, 128, **wide)), 0),
        (_with_exponents(**tokens), 0),
        (_with_exponents(dequant_scale_query_optional=powers(_M, 3, 2, 2, 2)), 0),
        (_with_exponents(quant_scale1_optional=ones(1)), 0),
        (_with_exponents(**rope, attention_out=ones(3, _N, 128, **wide)), 0),
        (_with_exponents(**rope), TILING),  # the result must be of bfloat16
        (_with_exponents(quant_scale1_optional=ones(2)), TILING),
        (_with_exponents(quant_scale1_optional=halves(1)), INVALID),
        (_with_exponents(dequant_scale_query_optional=None), TILING),
        (_with_exponents(dequant_scale_query_optional=ones(3, _N, 2, 2)), TILING),
        (_with_exponents(dequant_scale_query_optional=powers(3, _N, 4)), TILING),
        (_with_exponents(key_antiquant_scale_optional=powers(4, _M, 512, 4)), TILING),
        (_with_exponents(value_antiquant_scale_optional=powers(4, _M, 16, 128, 1)), TILING),
        (_with_exponents(quant_scale2_optional=ones(1)), TILING),
        (_with_exponents(pse_shift_optional=halves(1, _N, 3, 5)), TILING),
        (_with_exponents(attention_out=_narrow(e4m3, 3, _N, 128)), TILING),
        (_with_exponents(sparse_mode=3), TILING), (_with_exponents(inner_precise=2), TILING),
        (_with_exponents(input_layout="NTD"), TILING),
        (_with_exponents(block_size=64, key=[small], value=[small]), TILING),
    ]  # fmt: skip


def _calls() -> list[tuple[dict[str, Any], int]]:
    """Return calls and what the 950 answers."""
    e4m3, hif8, e2m1 = "float8_e4m3fn", "hifloat8", "float4_e2m1fn"
    scale = {"quant_scale2_optional": ones(1)}
    rows = {"query": halves(_B, _N, 3, _D), "attention_out": halves(_B, _N, 3, _D)}
    return [
        (_right(), 0), (_right(hif8), 0), (_right(**rows), 0), (_right(hif8, **rows), 0),
        (_right(e2m1), TILING), (_by_groups(), 0), (_by_groups(**rows), 0),
        (_right(key_antiquant_scale_optional=None), TILING),
        (_right(key_antiquant_scale_optional=None, value_antiquant_scale_optional=None,
                antiquant_scale_optional=halves(2, _M, _D)), TILING),
        (_right(key_antiquant_scale_optional=halves(1), value_antiquant_scale_optional=halves(1)),
         TILING),
        (_right(key_antiquant_offset_optional=halves(_M, _D),
                value_antiquant_offset_optional=halves(_M, _D)), TILING),
        (_right(key_antiquant_scale_optional=ones(_M, _D)), TILING),
        (_right(input_layout="BNSD_BSND"), TILING), (_right(input_layout="BNSD_NBSD"), TILING),
        (_by_tokens(1, ones(_B, _S)), 0), (_by_tokens(1, ones(_B, _S + 2)), 0),
        (_by_tokens(1, halves(_B, _S)), TILING), (_by_tokens(1, ones(_B, _S - 1)), TILING),
        (_by_tokens(1, ones(_B, _S), key=[_narrow(hif8, _B, _M, _S, _D)],
                    value=[_narrow(hif8, _B, _M, _S, _D)]), TILING),
        (_by_tokens(2, halves(_M)), TILING), (_by_tokens(3, ones(_B, _M, _S)), TILING),
        (_by_tokens(1, ones(_B, _S), key_antiquant_mode=0,
                    key_antiquant_scale_optional=halves(_M, _D)), TILING),
        (_by_groups(key_antiquant_scale_optional=ones(_B, _M, _S, 2, dtype="float8_e8m0fnu")),
         TILING),
        (_by_groups(key_antiquant_scale_optional=ones(1, _B, _M, _S, 2)), TILING),
        (_by_groups(key_antiquant_scale_optional=ones(1, _B, _M, 4, 2, dtype="float8_e8m0fnu")),
         TILING),
        # Sequences behind one another have rows of their own, as long as the longest.
        (_packed(1, ones(2, 4)), 0), (_packed(1, ones(2, 9)), 0), (_packed(1, ones(1, 7)), TILING),
        (_packed(1, ones(2, 3)), TILING),
        (_packed(6, powers(1, 2, _M, 4, _D // 32), "float4_e2m1fn"), 0),
        (_packed(6, powers(1, 1, _M, 7, _D // 32), "float4_e2m1fn"), TILING),
        (_in_pages(), 0), (_in_pages(32), 0), (_in_pages(48), TILING), (_in_pages(1024), TILING),
        (_in_pages(shape=(4, 64, _M * _D)), 0),
        (_in_pages(input_layout="BSND", query=halves(_B, 1, _N, _D),
                   attention_out=halves(_B, 1, _N, _D)), TILING),
        (_in_pages(shape=(4, 64, _M * _D), input_layout="BSND", query=halves(_B, 1, _N, _D),
                   attention_out=halves(_B, 1, _N, _D)), 0),
        (_in_pages(key_antiquant_mode=4, value_antiquant_mode=4,
                   key_antiquant_scale_optional=ones(4, 64),
                   value_antiquant_scale_optional=ones(4, 64)), 0),
        # Results are of the keys' type, or as queries.
        (_right(attention_out=_narrow(e4m3, _B, _N, 1, _D), **scale), 0),
        (_right(hif8, attention_out=_narrow(hif8, _B, _N, 1, _D), **scale), 0),
        (_right(attention_out=_narrow(hif8, _B, _N, 1, _D), **scale), TILING),
        (_right(attention_out=_narrow(e4m3, _B, _N, 1, _D)), TILING),
        (_right(**scale), TILING),
        (_by_tokens(1, ones(_B, _S), attention_out=_narrow(e4m3, _B, _N, 1, _D), **scale), TILING),
        # Queries of 8 bits are latent vectors.
        (_latents(), 0), (_latents(hif8), 0), (_latents(num_heads=3), TILING),
        (_latents(query_quant_mode=0), TILING), (_latents(sparse_mode=3), TILING),
        (_latents(dequant_scale_query_optional=None), TILING),
        (_latents(dequant_scale_query_optional=halves(2, 1, 4)), TILING),
        (_latents(key_antiquant_scale_optional=ones(2)), TILING),
        (_latents(attention_out=halves(2, 1, 2048)), TILING),
        (_latents(key=[_narrow(hif8, 2, 9, 512)]), INVALID),
        (_latents(input_layout="BSH_BNSD"), TILING), *_exponent_calls(),
    ]  # fmt: skip


def answers() -> list[int]:
    """Return what is answered."""
    return [code_with(_V5, call) for call, _ in _calls()]


def test_types_and_scales_go_together() -> None:
    found = found_on("Ascend950", __name__, "answers()")

    assert found == [status for _, status in _calls()]


def test_other_chips_have_no_narrow_floats() -> None:
    found = found_on("Ascend910B1", __name__, "answers()")

    assert set(found) == {INVALID}


def hifloats() -> list[Any]:
    """Return what hifloat8 gives as keys, and with results of that type, beside what goes in."""
    rng = np.random.default_rng(11)
    values = hifloat8_values()
    small = np.flatnonzero(np.abs(values) < 4)
    codes = [rng.choice(small, (_B, _M, _S, _D)).astype(np.uint8) for _ in "kv"]
    query = rng.normal(0, 1, (_B, _N, 3, _D)).astype(as_dtype("bfloat16"))
    scales = [rng.uniform(0.1, 0.2, (_M, _D)).astype(as_dtype("bfloat16")) for _ in "kv"]
    result = pa.asarray(np.full((_B, _N, 3, _D), 7, np.uint8))
    narrow = with_format(result, "ND", shape=(_B, _N, 3, _D), dtype="hifloat8")
    keys, numbers = (
        [with_format(pa.asarray(c), "ND", shape=c.shape, dtype="hifloat8")] for c in codes
    )
    given = _right("hifloat8") | {
        "query": pa.asarray(query), "key": keys, "value": numbers,
        "key_antiquant_scale_optional": pa.asarray(scales[0]),
        "value_antiquant_scale_optional": pa.asarray(scales[1]), "softmax_lse": None,
        "attention_out": None, "scale_value": 0.25,
    }  # fmt: skip
    names = [a.name for a in pa.ops[_V5].spec.inputs]
    wide, _ = pa.ops[_V5](**{name: given[name] for name in names})
    scaled = {**given, "quant_scale2_optional": pa.asarray(np.array([2.0], np.float32))}
    pa.ops[_V5](
        **{name: scaled[name] for name in names}, out=(narrow, pa.empty((1,), "float32"))
    )  # fmt: skip
    plain = [a.astype(np.float64).tolist() for a in (query, *scales, wide.numpy())]
    return [*plain, *(c.tolist() for c in codes), result.numpy().tolist()]


def _attended(query: Any, key: Any, value: Any) -> Any:
    scores = query @ np.repeat(key, _N // _M, 1).swapaxes(-1, -2) * 0.25
    power = np.exp(scores - scores.max(-1, keepdims=True))
    return power / power.sum(-1, keepdims=True) @ np.repeat(value, _N // _M, 1)


def test_hifloat8_is_read_and_written() -> None:
    query, *scales, wide, keys, numbers, narrow = (
        np.array(x) for x in found_on("Ascend950", __name__, "hifloats()")
    )
    values = hifloat8_values()
    key, value = (
        (values[c] * s[:, None]).astype(as_dtype("bfloat16")).astype(np.float64)
        for c, s in zip((keys, numbers), scales, strict=True)
    )
    expected = _attended(query, key, value)
    finite = values[np.isfinite(values)]
    nearest = np.abs(finite - 2 * expected[..., None]).min(-1)

    assert wide == pytest.approx(expected, rel=1e-2, abs=1e-2)
    assert (np.abs(values[narrow] - 2 * expected) <= nearest * 1.01 + 1e-2).all()


def inferred() -> list[str]:
    """Return the types of results that no tensor was given for."""
    key = pa.zeros((_B, _M, _S, _D), "float8_e4m3fn")
    given = _right(key=[key], value=[key], attention_out=None, softmax_lse=None)
    scaled = {**given, "quant_scale2_optional": pa.asarray(np.array([2.0], np.float32))}
    names = [a.name for a in pa.ops[_V5].spec.inputs]
    results = (pa.ops[_V5](**{n: call[n] for n in names})[0] for call in (given, scaled))
    return [result.dtype.name for result in results]


def test_the_type_of_the_result_is_that_of_narrow_keys_where_it_is_scaled() -> None:
    assert found_on("Ascend950", __name__, "inferred()") == ["float16", "float8_e4m3fn"]
