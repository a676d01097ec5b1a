"""MlaPrologV3WeightNz of floats of 8 bits: its results to the bit, and what it refuses.

On the 950 tokens and weights are of float8_e4m3fn with scales of blocks, or of it or hifloat8 with
scales of tokens and columns.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
import pytest
from children import found_on, output_of
from operators.calls import INVALID, TILING, code_with, ones

import pyaclnn as pa
from pyaclnn.selftest.suites import mla_narrow
from pyaclnn.selftest.suites.mla_narrow import (
    BLOCK,
    BLOCKS,
    DEPTH,
    FLOATS,
    HEADS,
    HIDDEN,
    HIFLOATS,
    LATENT,
    PAGE,
    RANK,
    TILES,
    TOKENS,
    TURNED,
    WHOLE,
)  # fmt: skip
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_OPERATOR = "mla_prolog_v3_weight_nz"
_MODES = [(weights, caches) for weights in (BLOCKS, FLOATS, HIFLOATS)
          for caches in (0, WHOLE, TILES)]  # fmt: skip
_E4M3, _E8M0 = "float8_e4m3fn", "float8_e8m0fnu"
_NARROW = ("token_x", "weight_dq", "weight_uq_qr", "weight_dkv_kr")
Given = dict[str, Any]
Array = np.ndarray[Any, Any]


def _bits(values: Array, kind: str) -> Array:
    return np.ascontiguousarray(values.astype(as_dtype(kind))).view(np.uint8)


class _Call:
    """Tensors of a call, and the bytes that its results must be."""

    def __init__(self, weights: int, caches: int) -> None:
        self.drawn = drawn = mla_narrow.drawn_call(weights, caches)
        self.weights, self.kind = weights, "hifloat8" if weights == HIFLOATS else _E4M3
        of_scales = _E8M0 if weights == BLOCKS else "float32"
        self.memory: dict[str, pa.Tensor] = {}  # of what is written, as bytes
        self.expected: dict[str, Array] = {}
        self.given: Given = {
            **mla_narrow.modes(weights, caches),
            "cache_index_optional": pa.asarray(drawn.slots),
            **{n: pa.asarray(s.astype(as_dtype(of_scales))) for n, s in drawn.scales.items()},
            "kr_cache_ref": pa.empty((2, PAGE, 1, 0), "bfloat16"),
        }
        for name, values in drawn.given.items():
            if name in _NARROW:
                self.given[name] = self._narrow(self._codes(values), nz=name != "token_x")
            else:
                kind = "float32" if "scale" in name else "bfloat16"
                self.given[name] = pa.asarray(values.astype(as_dtype(kind)))
        for name, rows in drawn.rows.items():
            narrow = name == "kv_cache_ref" and caches > 0
            stored = rows if rows.dtype == np.uint8 else self._stored(rows, narrow, "bfloat16")
            whole = np.full((2 * PAGE, stored.shape[-1]), 0x11, np.uint8)
            self._room(name, whole, (2, PAGE, 1, -1), narrow, "bfloat16")
            whole[drawn.slots] = stored
            self.expected[name] = whole
        for name, values in drawn.made.items():
            narrow = name == "query_norm_out_optional" or (name == "query_out" and caches == WHOLE)
            kind = {"query_rope_out": "bfloat16", "query_out": "bfloat16"}.get(name, "float32")
            kind = of_scales if name == "dequant_scale_q_norm_out_optional" else kind
            stored = self._stored(values, narrow, kind)
            self._room(name, np.full_like(stored, 0x11), values.shape, narrow, kind)
            self.expected[name] = stored

    def _codes(self, values: Array) -> Array:
        return mla_narrow.codes(values.astype(np.float32), self.weights)

    def _narrow(self, codes: Array, *, nz: bool = False) -> pa.Tensor:
        if not nz:
            return with_format(pa.asarray(codes), "ND", shape=codes.shape, dtype=self.kind)
        blocks = codes.reshape(codes.shape[0] // 16, 16, -1, 32).transpose(2, 0, 1, 3)
        shape = blocks.shape if self.weights == FLOATS else codes.shape
        flat = pa.asarray(np.ascontiguousarray(blocks).reshape(shape))
        return with_format(flat, "FRACTAL_NZ", storage_shape=blocks.shape, dtype=self.kind)

    def _stored(self, values: Array, narrow: bool, kind: str) -> Array:
        return self._codes(values) if narrow else _bits(values, kind)

    def _room(
        self, name: str, before: Array, shape: tuple[int, ...], narrow: bool, kind: str
    ) -> None:
        if narrow:
            memory = pa.asarray(before.reshape(shape))
            tensor = with_format(memory, "ND", shape=memory.shape, dtype=self.kind)
        else:
            memory = tensor = pa.asarray(before.view(as_dtype(kind)).reshape(shape))
        self.given[name], self.memory[name] = tensor, memory

    def wrong(self) -> list[str]:
        """Run the call and return what is not as expected."""
        status = code_with(_OPERATOR, self.given)
        seen = {n: np.ascontiguousarray(m.numpy()).view(np.uint8) for n, m in self.memory.items()}
        return [
            *([] if status == 0 else [str(status)]),
            *(n for n, bits in self.expected.items()
              if not np.array_equal(bits.reshape(-1), seen[n].reshape(-1))),
        ]  # fmt: skip


def wrong(weights: int, caches: int) -> list[str]:
    """Return what a call does not give as expected."""
    return _Call(weights, caches).wrong()


@pytest.mark.parametrize(("weights", "caches"), _MODES)
def test_it_gives_what_its_kernels_give(weights: int, caches: int) -> None:
    module = "operators.test_mla_narrow_950"

    assert found_on("Ascend950", module, f"wrong({weights}, {caches})") == []


def dense_errors(weights: int) -> list[float]:
    """Return errors of keys, of normalised queries and of queries, relative to the largest.

    Tokens and weights are dense, and nothing else is quantised.
    """
    call = _Call(weights, 0)
    rng = np.random.default_rng(weights)
    columns = {"dq": RANK, "dkv_kr": LATENT + TURNED, "uq_qr": HEADS * (DEPTH + TURNED)}
    wide: dict[str, Array] = {}
    for name, shape in (
        ("token_x", (TOKENS, HIDDEN)),
        *((f"weight_{n}", (RANK if n == "uq_qr" else HIDDEN, c)) for n, c in columns.items()),
    ):
        stored = rng.normal(0, 1, shape).astype(np.float32)
        nearest = mla_narrow.hifloat8 if weights == HIFLOATS else mla_narrow.float8
        stored = nearest(stored)
        call.given[name] = call._narrow(call._codes(stored), nz=name != "token_x")
        scale = call.drawn.scales[
            f"dequant_scale_{'x' if name == 'token_x' else name.replace('weight', 'w')}_optional"
        ].astype(np.float64)
        if weights != BLOCKS:
            wide[name] = stored * scale
        elif name == "token_x":
            wide[name] = stored * np.repeat(scale, BLOCK, 1)
        else:
            wide[name] = stored * np.repeat(scale.T, BLOCK, 0)
    code_with(_OPERATOR, call.given)

    def normal(x: Array, gamma: str) -> Array:
        rms = np.sqrt((x**2).mean(-1, keepdims=True))
        return np.asarray(x / rms * call.drawn.given[gamma] * float(mla_narrow.FACTOR))

    def error(seen: Array, expected: Array) -> float:
        return float(np.abs(seen - expected).max() / np.abs(expected).max())

    both = wide["token_x"] @ wide["weight_dkv_kr"]
    rows = normal(both[:, :LATENT], "rmsnorm_gamma_ckv")
    cache = call.memory["kv_cache_ref"].numpy().astype(np.float64).reshape(2 * PAGE, -1)
    small = normal(wide["token_x"] @ wide["weight_dq"], "rmsnorm_gamma_cq")
    small = small * call.drawn.given.get("smooth_scales_cq_optional", 1)
    codes = call.memory["query_norm_out_optional"].numpy()
    values = mla_narrow.hifloat8_values()[codes] if weights == HIFLOATS else codes.view(
        as_dtype(_E4M3)).astype(np.float64)  # fmt: skip
    step = call.memory["dequant_scale_q_norm_out_optional"].numpy().astype(np.float64)
    restored = values * (np.repeat(step, BLOCK, 1) if weights == BLOCKS else step)
    query = (restored @ wide["weight_uq_qr"]).reshape(TOKENS, HEADS, -1)
    made = np.einsum("tnd,ndc->tnc", query[..., :DEPTH], call.drawn.given["weight_uk"])
    seen = call.memory["query_out"].numpy().astype(np.float64)
    return [error(cache[call.drawn.slots], rows), error(restored, small), error(seen, made)]


@pytest.mark.parametrize("weights", [BLOCKS, FLOATS, HIFLOATS])
def test_dense_products_are_those_of_what_scales_make(weights: int) -> None:
    found = found_on("Ascend950", "operators.test_mla_narrow_950", f"dense_errors({weights})")

    # Of blocks, what is beyond the largest number becomes that: up to an eighth is cut.
    assert np.less(found, (0.006, 0.13, 0.006)).all(), found


def _wide(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


def _cases() -> list[tuple[int, int, str, Any, int]]:
    """Modes, an argument, another value of it, and the status then."""
    powers = HIDDEN // BLOCK
    return [
        (BLOCKS, 0, "weight_quant_mode", FLOATS, TILING),
        (BLOCKS, 0, "weight_quant_mode", 6, TILING),
        (BLOCKS, 0, "kv_cache_quant_mode", WHOLE, TILING),
        (BLOCKS, 0, "kv_cache_quant_mode", 2, TILING),
        (BLOCKS, 0, "query_quant_mode", 1, TILING),
        (BLOCKS, 0, "dequant_scale_x_optional", None, TILING),
        (BLOCKS, 0, "dequant_scale_x_optional", ones(TOKENS, powers), TILING),
        (BLOCKS, 0, "dequant_scale_x_optional", ones(TOKENS, 1, dtype=_E8M0), TILING),
        (BLOCKS, 0, "dequant_scale_w_dq_optional", ones(powers, RANK, dtype=_E8M0), TILING),
        (BLOCKS, 0, "dequant_scale_w_uq_qr_optional", None, TILING),
        (BLOCKS, 0, "dequant_scale_w_dkv_kr_optional", ones(1, 576, dtype=_E8M0), TILING),
        (BLOCKS, 0, "smooth_scales_cq_optional", ones(1, RANK), TILING),
        (BLOCKS, 0, "quant_scale_ckv_optional", ones(1), TILING),
        (BLOCKS, 0, "k_nope_clip_alpha_optional", ones(1), TILING),
        (BLOCKS, 0, "dequant_scale_q_norm_out_optional", ones(TOKENS, 1), TILING),
        (BLOCKS, 0, "dequant_scale_q_norm_out_optional", None, TILING),
        (BLOCKS, 0, "query_norm_out_optional", ones(TOKENS, RANK, dtype="int8"), TILING),
        (BLOCKS, 0, "token_x", _wide(TOKENS, HIDDEN), INVALID),
        (BLOCKS, 0, "token_x", ones(TOKENS, HIDDEN, dtype="float8_e5m2"), INVALID),
        (BLOCKS, 0, "query_out", ones(TOKENS, HEADS, LATENT, dtype=_E4M3), INVALID),
        (BLOCKS, WHOLE, "query_out", _wide(TOKENS, HEADS, LATENT), TILING),
        (BLOCKS, WHOLE, "quant_scale_ckv_optional", None, TILING),
        (BLOCKS, WHOLE, "quant_scale_ckv_optional", ones(1, LATENT), TILING),
        (BLOCKS, WHOLE, "quant_scale_ckr_optional", ones(1, TURNED), TILING),
        (BLOCKS, WHOLE, "dequant_scale_q_nope_out_optional", None, TILING),
        (BLOCKS, WHOLE, "query_quant_mode", 0, TILING),
        (BLOCKS, WHOLE, "cache_mode_optional", "PA_NZ", 0),
        (BLOCKS, TILES, "k_nope_clip_alpha_optional", ones(1), TILING),
        (BLOCKS, TILES, "cache_mode_optional", "PA_NZ", TILING),
        (BLOCKS, TILES, "ckvkr_repo_mode", 0, TILING),
        (BLOCKS, TILES, "kv_cache_ref", ones(2, PAGE, 1, LATENT, dtype=_E4M3), TILING),
        (FLOATS, 0, "weight_quant_mode", BLOCKS, TILING),
        (FLOATS, 0, "weight_quant_mode", HIFLOATS, TILING),
        (FLOATS, 0, "smooth_scales_cq_optional", None, 0),
        (FLOATS, 0, "smooth_scales_cq_optional", _wide(1, RANK), TILING),
        (FLOATS, 0, "dequant_scale_x_optional", ones(TOKENS, powers, dtype=_E8M0), TILING),
        (FLOATS, 0, "dequant_scale_x_optional", ones(TOKENS), TILING),
        (FLOATS, TILES, "k_nope_clip_alpha_optional", ones(1), TILING),
        (HIFLOATS, WHOLE, "weight_quant_mode", FLOATS, TILING),
        (HIFLOATS, WHOLE, "query_out", ones(TOKENS, HEADS, LATENT, dtype=_E4M3), INVALID),
    ]  # fmt: skip


def answered() -> list[str]:
    """Return the cases that are answered otherwise."""
    calls = {modes: _Call(*modes).given for modes in _MODES}
    return [
        f"{weights} {caches} {name} {value}: {seen}, not {expected}"
        for weights, caches, name, value, expected in _cases()
        if (seen := code_with(_OPERATOR, calls[weights, caches], **{name: value})) != expected
    ]


def test_it_refuses_what_does_not_go_with_the_modes() -> None:
    assert found_on("Ascend950", "operators.test_mla_narrow_950", "answered()") == []


def of_all_modes() -> list[int]:
    """Return the statuses of right calls, and of hifloat8 where blocks of float8 are named."""
    named = {"weight_quant_mode": BLOCKS}
    return [
        *(code_with(_OPERATOR, _Call(*modes).given) for modes in _MODES),
        code_with(_OPERATOR, _Call(HIFLOATS, 0).given, **named),
    ]


@pytest.mark.parametrize(
    ("chip", "release", "expected"),
    [
        ("Ascend910B1", "9.1", [TILING] * 10),
        ("Ascend950", "9.0", [0] * 9 + [TILING]),
        ("Ascend950", "8.5", [0] * 3 + [TILING] * 6 + [INVALID]),
    ],
)
def test_which_chips_and_releases_have_which_modes(
    chip: str, release: str, expected: list[int]
) -> None:
    code = "import operators.test_mla_narrow_950 as found\nprint(found.of_all_modes())"
    printed = output_of(
        code, PYACLNN_SIM_SOC=chip, PYACLNN_SIM_CANN=release, PYTHONPATH=os.pathsep.join(sys.path)
    )

    assert printed == str(expected)
