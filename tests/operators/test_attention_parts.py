"""Keys and values of 8 and 4 bits in lists and behind a prefix that samples share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from children import found_on
from operators.calls import NO_KERNEL, TILING, code_with, ones
from operators.test_attention import _newest, halves

import pyaclnn as pa
from pyaclnn.tensor import as_dtype

Array = npt.NDArray[Any]

_V5 = "fused_infer_attention_score_v5"
_B, _N, _M, _S, _D = 2, 4, 2, 7, 64
#: Rows of a prefix, and those that count.
_SHARED, _PREFIX = 5, 3
_LENGTHS = (7, 4)
_CHANNELS, _TOKENS, _TOKENS_OF_HEADS, _GROUPS = 0, 1, 3, 6


def _packed(codes: Array) -> pa.Tensor:
    """Return words that hold eight numbers of 4 bits each, or tensors of other types."""
    if codes.dtype != np.int64:
        return pa.asarray(codes)
    nibbles = (codes & 15).astype(np.uint32).reshape(*codes.shape[:-1], -1, 8)
    words = np.bitwise_or.reduce(nibbles << (4 * np.arange(8, dtype=np.uint32)), -1)
    return pa.asarray(words.view(np.int32))


def _codes(rng: np.random.Generator, kind: str, *shape: int) -> Array:
    """Return numbers; those of 4 bits are of int64 until they are packed."""
    if kind == "float4":
        return np.asarray(rng.normal(0, 2, shape).astype(as_dtype("float4_e2m1fn")))
    if kind == "int4":
        return rng.integers(-8, 8, shape)
    return rng.integers(-90, 91, shape).astype(np.int8)


def _numbers(mode: int, rows: int, rng: np.random.Generator) -> Array:
    """Return scales for channels, or for so many rows of each sample."""
    shape, dtype = {
        _CHANNELS: ((_M, _D), "float16"), _TOKENS: ((_B, rows), "float32"),
        _TOKENS_OF_HEADS: ((_B, _M, rows), "float32"),
        _GROUPS: ((1, _B, _M, rows, _D // 32), "float8_e8m0fnu"),
    }[mode]  # fmt: skip
    return np.asarray(rng.uniform(0.01, 0.04, shape).astype(as_dtype(dtype)))


def _of_rows(numbers: Array, mode: int, places: list[tuple[int, int]]) -> Array:
    """Return scales [heads, rows, values] of rows whose sample and place are given."""
    wide = numbers.astype(np.float64)
    if mode == _CHANNELS:
        return wide[:, None]
    if mode == _TOKENS:
        return np.asarray([[[wide[b, r]] for b, r in places]])
    if mode == _TOKENS_OF_HEADS:
        return np.stack([wide[b, :, r] for b, r in places], 1)[:, :, None]
    return np.repeat(np.stack([wide[0, b, :, r] for b, r in places], 1), 32, -1)


def _attended(query: Array, key: Array, value: Array) -> Array:
    scores = query @ np.repeat(key, _N // _M, 0).swapaxes(-1, -2) * 0.25
    power = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(power / power.sum(-1, keepdims=True) @ np.repeat(value, _N // _M, 0))


def error_of(kind: str, mode: int, shared: bool, rows: int, on_950: bool) -> float:
    """Return how far results are from those of float64."""
    rng = np.random.default_rng([mode, shared, rows, len(kind)])
    query = rng.normal(0, 1, (_B, _N, rows, _D)).astype(np.float16)
    prefix = [_codes(rng, kind, 1, _M, _SHARED, _D) for _ in "kv"]
    counts = (_S, _S) if shared else _LENGTHS
    own = [[_codes(rng, kind, 1, _M, c, _D) for c in counts] for _ in "kv"]
    room = _S + _SHARED if shared else _S
    scales = [_numbers(mode, room, rng) for _ in "kv"]
    offsets = [rng.integers(0, 5, s.shape).astype(s.dtype) for s in scales]
    given: dict[str, Any] = {
        **dict.fromkeys(a.name for a in pa.ops[_V5].spec.inputs), **_newest(),
        "query": pa.asarray(query), "input_layout": "BNSD", "scale_value": 0.25, "pse_type": 0,
        "actual_seq_lengths_kv_optional": _LENGTHS, "attention_out": None, "softmax_lse": None,
    }  # fmt: skip
    for at, name in enumerate(("key", "value")):
        parts = [np.concatenate(own[at])] if shared else own[at]
        given |= {
            name: [_packed(part) for part in parts], f"{name}_antiquant_mode": mode,
            f"{name}_antiquant_scale_optional": pa.asarray(scales[at]),
        }  # fmt: skip
        if kind != "float4":
            given[f"{name}_antiquant_offset_optional"] = pa.asarray(offsets[at])
        if shared:
            given[f"{name}_shared_prefix_optional"] = _packed(prefix[at])
            given["actual_shared_prefix_len_optional"] = (_PREFIX,)
    made, _ = pa.ops[_V5](**{a.name: given[a.name] for a in pa.ops[_V5].spec.inputs})

    worst = 0.0
    for b, length in enumerate(_LENGTHS):
        places = [(b, r) for r in range(length)]
        if shared:
            first = (b if on_950 else 0, room - _S if on_950 else _PREFIX)
            places = [(first[0], r) for r in range(_PREFIX)]
            places += [(b, first[1] + r) for r in range(length)]
        pair = []
        for at in range(2):
            codes = own[at][b][0][:, :length].astype(np.float64)
            if shared:
                codes = np.concatenate((prefix[at][0][:, :_PREFIX].astype(np.float64), codes), 1)
            if kind != "float4":
                codes = codes + _of_rows(offsets[at], mode, places)
            pair.append(codes * _of_rows(scales[at], mode, places))
        expected = _attended(query[b].astype(np.float64), *pair)
        worst = max(worst, float(np.abs(made.numpy()[b] - expected).max()))
    return worst


_SINGLE = [
    (kind, mode, shared, 1)
    for kind in ("int8", "int4") for mode in (_CHANNELS, _TOKENS, _TOKENS_OF_HEADS)
    for shared in (False, True)
]  # fmt: skip
_ON_950 = [
    *_SINGLE, ("float4", _GROUPS, False, 1), ("float4", _GROUPS, False, 3),
    ("int8", _CHANNELS, True, 3), ("int8", _TOKENS, True, 3),
]  # fmt: skip


@pytest.mark.parametrize("call", [*_SINGLE, ("int8", _CHANNELS, True, 3)])
def test_parts_of_narrow_keys_have_scales(call: tuple[str, int, bool, int]) -> None:
    assert error_of(*call, on_950=False) < 2e-3


def errors_on_950() -> list[float]:
    """Return the errors of calls of the 950."""
    return [error_of(*call, on_950=True) for call in _ON_950]


def test_the_950_takes_a_prefix_of_each_samples_own_scales() -> None:
    found = found_on("Ascend950", __name__, "errors_on_950()")

    assert max(found) < 2e-2, dict(zip(_ON_950, found, strict=True))


def _prefixed(kind: str, mode: int, rows: int) -> dict[str, Any]:
    """Return a call of keys behind a prefix."""
    dtype = {"float8": "float8_e4m3fn", "float4": "float4_e2m1fn"}.get(kind, kind)
    scale = {
        _CHANNELS: halves(_M, _D), _TOKENS: ones(_B, _S + _SHARED),
        _GROUPS: ones(1, _B, _M, _S + _SHARED, _D // 32, dtype="float8_e8m0fnu"),
    }[mode]  # fmt: skip
    key, prefix = (pa.zeros(shape, dtype) for shape in ((_B, _M, _S, _D), (1, _M, _SHARED, _D)))
    return {
        **dict.fromkeys(a.name for a in pa.ops[_V5].spec.inputs), **_newest(),
        "query": halves(_B, _N, rows, _D), "key": [key], "value": [key], "pse_type": 0,
        "attention_out": halves(_B, _N, rows, _D), "input_layout": "BNSD",
        "key_antiquant_mode": mode, "value_antiquant_mode": mode,
        "key_antiquant_scale_optional": scale, "value_antiquant_scale_optional": scale,
        "key_shared_prefix_optional": prefix, "value_shared_prefix_optional": prefix,
    }  # fmt: skip


_STATUSES = [
    # A call, the code on the 950 of CANN 9.1, of 9.0, and on A2.
    (("int8", _TOKENS, 3), 0, 0, NO_KERNEL), (("int8", _TOKENS, 1), 0, 0, 0),
    (("int4", _CHANNELS, 1), 0, 0, 0), (("int4", _CHANNELS, 3), TILING, TILING, TILING),
    (("float8", _CHANNELS, 1), TILING, 0, None), (("float8", _TOKENS, 3), TILING, 0, None),
    (("float4", _GROUPS, 1), TILING, NO_KERNEL, None),
]  # fmt: skip


def statuses(skip_narrow: bool = False) -> list[int]:
    """Return what is answered."""
    return [
        code_with(_V5, _prefixed(*call))
        for call, *_, on_a2 in _STATUSES
        if not (skip_narrow and on_a2 is None)
    ]


@pytest.mark.parametrize(("release", "place"), [("9.1", 1), ("9.0", 2)])
def test_narrow_floats_have_no_prefix_since_9_1(
    monkeypatch: pytest.MonkeyPatch, release: str, place: int
) -> None:
    monkeypatch.setenv("PYACLNN_SIM_CANN", release)
    expected = [status[place] for status in _STATUSES]

    assert found_on("Ascend950", __name__, "statuses()") == expected


def test_queries_of_many_tokens_have_a_prefix_without_scales_of_tokens() -> None:
    assert statuses(skip_narrow=True) == [s[3] for s in _STATUSES if s[3] is not None]


def test_a_prefix_and_a_row_of_scales_that_is_too_short_do_not_fit() -> None:
    short = ones(_B, _S + _SHARED - 1)
    call = _prefixed("int8", _TOKENS, 1)

    assert code_with(_V5, call, key_antiquant_scale_optional=short,
                     value_antiquant_scale_optional=short) == TILING  # fmt: skip
