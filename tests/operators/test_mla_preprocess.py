"""MlaPreprocess: what it refuses, how weights and caches may lie, and slots that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, device, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_TOKENS, _HIDDEN, _RANK, _HEADS, _DEPTH = 3, 2048, 32, 2, 16
_DOWN, _UP = _RANK + 576, _HEADS * (_DEPTH + 64)


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _blocks(lines: int, columns: int, lane: int) -> tuple[int, ...]:
    return (columns // lane, lines // 16, 16, lane)


def _weight(lines: int, columns: int, dtype: str = "int8") -> pa.Tensor:
    stored = _blocks(lines, columns, 32 if dtype == "int8" else 16)
    return with_format(ones(lines, columns, dtype=dtype), "FRACTAL_NZ", storage_shape=stored)


_GIVEN: dict[str, Any] = {
    "input": _half(_TOKENS, _HIDDEN), "gamma0": _half(_HIDDEN), "beta0": _half(_HIDDEN),
    "quant_scale0": _half(1), "quant_offset0": ones(1, dtype="int8"),
    "wdqkv": _weight(_DOWN, _HIDDEN), "de_scale0": ones(_DOWN, dtype="int64"),
    "bias0": ones(_DOWN, dtype="int32"), "gamma1": _half(_RANK), "beta1": _half(_RANK),
    "quant_scale1": _half(1), "quant_offset1": ones(1, dtype="int8"),
    "wuq": _weight(_UP, _RANK), "de_scale1": ones(_UP, dtype="int64"),
    "bias1": ones(_UP, dtype="int32"), "gamma2": _half(512), "cos": _half(_TOKENS, 64),
    "sin": _half(_TOKENS, 64), "wuk": _half(_HEADS, _DEPTH, 512),
    "kv_cache": _half(2, 8, 1, 512), "kv_cache_rope": _half(2, 8, 1, 64),
    "slot_mapping": device([0, 9, 4], "int32"), "ctkv_scale": _half(1),
    "q_nope_scale": _half(_HEADS), "wdq_dim": 1536, "q_rope_dim": 64, "k_rope_dim": 64,
    "epsilon": 1e-6, "q_rotary_coeff": 2, "k_rotary_coeff": 2, "transpose_wdq": True,
    "transpose_wuq": True, "transpose_wuk": True, "cache_mode": 1, "quant_mode": 0,
    "do_rms_norm": True, "wdkv_split_count": 1,
}  # fmt: skip
_RESULTS: dict[str, Any] = {
    "q_out": _half(_TOKENS, _HEADS, 512), "kv_cache_out": _half(2, 8, 1, 512),
    "q_rope_out": _half(_TOKENS, _HEADS, 64), "kr_cache_out": _half(2, 8, 1, 64),
}  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    "mla_preprocess": {**_GIVEN, **_RESULTS},
    "mla_preprocess_v2": {
        **_GIVEN, "q_down_out_flag": True, **_RESULTS, "q_down_out": _half(_TOKENS, _RANK),
    },
}  # fmt: skip
_TENSORS = [name for name, value in _GIVEN.items() if isinstance(value, pa.Tensor)]
_WRONG: tuple[tuple[str, Any, int], ...] = (
    *((name, None, NULL) for name in (*_TENSORS, *_RESULTS)),
    ("input", ones(_TOKENS, _HIDDEN), INVALID), ("slot_mapping", ones(_TOKENS), INVALID),
    ("gamma0", ones(_HIDDEN, dtype="bfloat16"), NO_KERNEL),
    ("de_scale0", ones(_DOWN), NO_KERNEL), ("q_out", ones(3, 2, 512, dtype="int8"), NO_KERNEL),
    ("wdqkv", _weight(_DOWN, _HIDDEN, "float16"), NO_KERNEL),
    ("wdqkv", ones(_DOWN, _HIDDEN, dtype="int8"), TILING),
    ("wdqkv", _weight(_DOWN - 16, _HIDDEN), TILING), ("wuq", _weight(_UP, 64), TILING),
    ("input", _half(_TOKENS, 2304), TILING), ("input", _half(_TOKENS * _HIDDEN), TILING),
    ("input", _half(_TOKENS, 1024), TILING), ("de_scale0", ones(576, dtype="int64"), TILING),
    ("de_scale0", ones(2, 304, dtype="int64"), TILING), ("bias1", ones(3, dtype="int32"), TILING),
    ("wuk", _half(_HEADS, 8, 512), TILING), ("wuk", _half(129, _DEPTH, 512), TILING),
    ("wuk", _half(_HEADS, _DEPTH * 512), TILING), ("cos", _half(_TOKENS, 32), TILING),
    ("slot_mapping", device([0], "int32"), TILING), ("gamma2", _half(576), TILING),
    ("kv_cache", _half(2, 8, 1, 576), TILING), ("kv_cache_rope", _half(2, 4, 1, 64), TILING),
    ("kr_cache_out", _half(8, 2, 1, 64), TILING), ("q_rope_out", _half(3, 64), TILING),
    ("kv_cache_out", _half(2, 8, 1, 1024)[..., ::2], TILING),
    ("cache_mode", 4, TILING), ("cache_mode", -1, TILING), ("cache_mode", 0, TILING),
    ("cache_mode", 2, NO_KERNEL), ("cache_mode", 3, 0), ("quant_mode", 4, TILING),
    ("quant_mode", 1, NO_KERNEL), ("quant_mode", 3, NO_KERNEL),
    ("transpose_wuk", False, 0), ("wdkv_split_count", 2, 0),
    ("ctkv_scale", _half(7), 0), ("q_nope_scale", pa.empty((0,), "float16"), 0),
    ("slot_mapping", device([-1, 2**31 - 1, -(2**31)], "int32"), 0),
)  # fmt: skip
WRONG = {
    "mla_preprocess": _WRONG,
    "mla_preprocess_v2": (
        *_WRONG, ("q_down_out", None, NULL), ("q_down_out", _half(_TOKENS, 1536), TILING),
        ("q_down_out_flag", False, 0), ("q_down_out", ones(_TOKENS, _RANK), INVALID),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def _called(**changed: Any) -> dict[str, np.ndarray[Any, Any]]:
    results = {name: pa.zeros(t.shape, t.dtype) for name, t in _RESULTS.items()}
    pa.ops.mla_preprocess(**{**_GIVEN, **results, **changed})
    return {name: changed.get(name, tensor).numpy() for name, tensor in results.items()}


def _random_layer() -> dict[str, Any]:
    rng = np.random.default_rng(5)

    def numbers(*shape: int) -> pa.Tensor:
        return device(rng.normal(0, 1, shape), "float16")

    factors = {
        f"de_scale{i}": pa.asarray(
            np.full(n, 2.0**-18, np.float32).view(np.uint32).astype(np.int64)
        )
        for i, n in enumerate((_DOWN, _UP))
    }
    scales = {f"quant_scale{i}": device([0.03], "float16") for i in range(2)}
    return {"input": numbers(_TOKENS, _HIDDEN), **factors, **scales, "cos": numbers(_TOKENS, 64)}


def test_weights_may_be_described_by_their_blocks() -> None:
    rng, layer = np.random.default_rng(6), _random_layer()
    plain, cut = {}, {}
    for name, lines, columns in (("wdqkv", _DOWN, _HIDDEN), ("wuq", _UP, _RANK)):
        matrix = rng.integers(-128, 128, (lines, columns)).astype(np.int8)
        blocks = matrix.reshape(lines // 16, 16, columns // 32, 32).transpose(2, 0, 1, 3)
        tensor = pa.asarray(np.ascontiguousarray(blocks))
        strides = (columns, 1)
        plain[name] = with_format(
            pa.Tensor(tensor.buffer, (lines, columns), tensor.dtype), "FRACTAL_NZ",
            shape=(lines, columns), strides=strides, storage_shape=blocks.shape,
        )  # fmt: skip
        cut[name] = with_format(tensor, "FRACTAL_NZ", storage_shape=blocks.shape)

    for first, second in zip(
        _called(**layer, **plain).values(), _called(**layer, **cut).values(), strict=True
    ):
        assert np.abs(first.astype(np.float64)).sum() > 0
        np.testing.assert_array_equal(first, second)


def test_wide_weights_may_be_described_by_their_blocks() -> None:
    rng = np.random.default_rng(8)
    wide: dict[str, Any] = {
        name: pa.asarray(value.numpy().astype(as_dtype("bfloat16")))
        for name, value in {**_GIVEN, **_random_layer()}.items()
        if isinstance(value, pa.Tensor) and value.dtype == np.float16
    }
    wide |= {f"de_scale{i}": ones(n) for i, n in enumerate((_DOWN, _UP))}
    plain, cut = dict(wide), dict(wide)
    for name, lines, columns in (("wdqkv", _DOWN, _HIDDEN), ("wuq", _UP, _RANK)):
        stored = _blocks(lines, columns, 16)
        values = device(rng.normal(0, 0.1, stored), "bfloat16")
        plain[name] = with_format(
            values.reshape((lines, columns)), "FRACTAL_NZ", storage_shape=stored
        )
        cut[name] = with_format(values, "FRACTAL_NZ", storage_shape=stored)
    seen = []
    for given in (plain, cut):
        room = {name: pa.zeros(t.shape, "bfloat16") for name, t in _RESULTS.items()}
        seen.append(_called(**given, **room))

    for first, second in zip(*(s.values() for s in seen), strict=True):
        assert np.abs(first.astype(np.float64)).sum() > 0
        assert first.tobytes() == second.tobytes()


def test_caches_may_have_gaps_between_blocks() -> None:
    layer = _random_layer()
    room = pa.zeros((4, 8, 1, 512), "float16")

    close, apart = _called(**layer), _called(**layer, kv_cache_out=room[::2])

    np.testing.assert_array_equal(apart["kv_cache_out"], close["kv_cache_out"])
    assert not room[1::2].numpy().any()


@pytest.mark.parametrize("mode", [1, 3])
def test_nothing_is_written_for_slots_that_are_none(mode: int) -> None:
    slots = device([-1, 16, 5], "int32")

    seen = _called(**_random_layer(), cache_mode=mode, slot_mapping=slots)

    for name, width in (("kv_cache_out", 512), ("kr_cache_out", 64)):
        cache = seen[name].reshape(2, 8, width)
        if mode == 3:
            cache = cache.reshape(2, width // 16, 8, 16).transpose(0, 2, 1, 3).reshape(2, 8, width)
        assert (cache != 0).any(-1).nonzero()[1].tolist() == [5]


def test_epsilon_is_that_of_the_kernels() -> None:
    small = device(np.full((_TOKENS, _HIDDEN), 1e-4), "float16")

    first = _called(**{**_random_layer(), "input": small}, epsilon=1e-6)
    second = _called(**{**_random_layer(), "input": small}, epsilon=1e-2)

    np.testing.assert_array_equal(first["q_out"], second["q_out"])
