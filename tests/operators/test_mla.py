"""MlaProlog refuses what CANN's operator refuses, and follows no index out of its caches.

With tokens, weights, queries and caches of int8 it gives what the document's formulas give.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from operators.calls import INVALID, NULL, TILING, code_with, device, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format


def _wide(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


def _weight(lines: int, columns: int) -> pa.Tensor:
    stored = (columns // 16, lines // 16, 16, 16)
    return with_format(_wide(lines, columns), "FRACTAL_NZ", storage_shape=stored)


_TENSORS: dict[str, Any] = {
    "token_x": _wide(2, 3, 1024), "weight_dq": _weight(1024, 1536),
    "weight_uq_qr": _weight(1536, 192), "weight_uk": _wide(1, 128, 512),
    "weight_dkv_kr": _weight(1024, 576), "rmsnorm_gamma_cq": _wide(1536),
    "rmsnorm_gamma_ckv": _wide(512), "rope_sin": _wide(2, 3, 64), "rope_cos": _wide(2, 3, 64),
    "kv_cache_ref": _wide(2, 16, 1, 512), "kr_cache_ref": _wide(2, 16, 1, 64),
    "cache_mode_optional": "PA_BSND",
}  # fmt: skip
_INDEX = device(np.arange(6).reshape(2, 3), "int64")
RIGHT: dict[str, dict[str, Any]] = {
    "mla_prolog": {**_TENSORS, "cache_index": _INDEX},
    "mla_prolog_v2_weight_nz": {**_TENSORS, "cache_index": _INDEX},
    "mla_prolog_v3_weight_nz": {
        **_TENSORS, "cache_index_optional": _INDEX, "ckvkr_repo_mode": 0,
    },
}  # fmt: skip
_WRONG: tuple[tuple[str, Any, int], ...] = (
    ("weight_dq", None, NULL), ("rope_sin", None, NULL), ("kr_cache_ref", None, NULL),
    ("weight_dq", _wide(1024, 1536), TILING), ("weight_uk", _wide(1, 64, 512), TILING),
    ("weight_uk", _wide(3, 128, 512), TILING), ("token_x", _wide(2, 3, 1023), TILING),
    ("token_x", _wide(6, 1024), TILING), ("token_x", ones(2, 3, 1024), INVALID),
    ("rope_sin", _wide(2, 3, 32), TILING), ("rmsnorm_gamma_ckv", _wide(576), TILING),
    ("kv_cache_ref", _wide(2, 8, 1, 512), TILING), ("kr_cache_ref", _wide(3, 16, 1, 64), TILING),
    ("cache_mode_optional", "PA_NZ", 0), ("cache_mode_optional", "TND", TILING),
    ("cache_mode_optional", "BNSD", TILING),
    ("token_x", ones(2, 3, 1024, dtype="int8"), INVALID),
    ("dequant_scale_x_optional", ones(6, 1), TILING),
)  # fmt: skip
_OUTSIDE = device(np.array([[-1, 2**62, 32], [-(2**63), 5, 31]]), "int64")
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "mla_prolog": (*_WRONG, ("cache_index", None, NULL), ("cache_index", _OUTSIDE, 0)),
    "mla_prolog_v2_weight_nz": (*_WRONG, ("cache_index", device([[0] * 3] * 2), TILING)),
    "mla_prolog_v3_weight_nz": (
        *_WRONG, ("cache_index_optional", None, TILING), ("cache_index_optional", _OUTSIDE, 0),
        ("cache_mode_optional", "BSND", TILING), ("cache_mode_optional", "PA_BLK_BSND", TILING),
        ("weight_quant_mode", 1, TILING), ("weight_quant_mode", 3, TILING),
        ("weight_quant_mode", -1, TILING), ("tile_size", 64, TILING),
        ("kv_cache_quant_mode", 4, TILING), ("query_quant_mode", 2, TILING),
        ("ckvkr_repo_mode", 1, TILING), ("quant_scale_repo_mode", 1, TILING),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def test_it_gives_the_normal_projection_where_it_has_room() -> None:
    given = dict(RIGHT["mla_prolog_v3_weight_nz"])
    given["rmsnorm_gamma_cq"] = device(np.arange(1536) % 7, "bfloat16")
    normal = pa.empty((2, 3, 1536), "bfloat16")

    pa.ops.mla_prolog_v3_weight_nz(**given, qc_qr_scale=0.5, query_norm_out_optional=normal)

    # All numbers of the projection are alike.
    expected = np.broadcast_to(0.5 * (np.arange(1536) % 7), (2, 3, 1536))
    assert np.array_equal(normal.numpy().astype(np.float64), expected)


class _Scenario(NamedTuple):
    """What is of int8: matrices (1: one, 2: all but weightUk), caches (1: as a whole)."""

    weights: int
    caches: int
    version: int = 3
    smooth: bool = True

    @property
    def operator(self) -> str:
        return {1: "mla_prolog", 2: "mla_prolog_v2_weight_nz", 3: "mla_prolog_v3_weight_nz"}[
            self.version
        ]

    def modes(self) -> dict[str, int]:
        if self.version < 3:
            return {}
        return {
            "weight_quant_mode": self.weights, "kv_cache_quant_mode": self.caches,
            "query_quant_mode": int(self.caches == 1),
        }  # fmt: skip


_HEADS, _DEPTH, _LATENT, _TURNED, _RANK, _HIDDEN, _TOKENS = 2, 128, 512, 64, 1536, 1024, 5
_SCENARIOS = (
    _Scenario(1, 0), _Scenario(1, 2), _Scenario(2, 0, smooth=False), _Scenario(2, 1),
    _Scenario(1, 0, 2), _Scenario(1, 2, 2), _Scenario(2, 1, 2), _Scenario(1, 2, 1),
)  # fmt: skip


def _normal(x: np.ndarray[Any, Any], gamma: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * gamma)


def _turned(x: np.ndarray[Any, Any], cos: Any, sin: Any) -> np.ndarray[Any, Any]:
    even, odd = x[..., ::2], x[..., 1::2]
    own, other = np.concatenate((even, odd), -1), np.concatenate((-odd, even), -1)
    return np.asarray(own * cos + other * sin)


def _bytes(x: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    scale = np.abs(x).max(-1, keepdims=True) / 127
    return np.rint(x / scale), scale


class _Drawn:
    """Arguments of a call, and what the document's formulas make of them in float64."""

    def __init__(self, of: _Scenario) -> None:
        rng = np.random.default_rng(7)
        self.wide: dict[str, np.ndarray[Any, Any]] = {}
        self.given: dict[str, Any] = {}
        columns = _HEADS * (_DEPTH + _TURNED)

        def keep(name: str, values: np.ndarray[Any, Any], dtype: str, *, nz: bool = False) -> None:
            tensor = device(values, dtype)
            self.wide[name] = np.asarray(tensor.numpy()).astype(np.float64)
            if nz:
                lane = 32 if dtype == "int8" else 16
                blocks = tensor.numpy().reshape(values.shape[0] // 16, 16, -1, lane)
                stored = np.ascontiguousarray(blocks.transpose(2, 0, 1, 3))
                flat = device(stored.astype(np.float32), dtype).reshape(values.shape)
                tensor = with_format(flat, "FRACTAL_NZ", storage_shape=stored.shape)
            self.given[name] = tensor

        def matrix(name: str, lines: int, width: int, narrow: bool) -> None:
            whole = rng.integers(-100, 101, (lines, width))
            keep(name, whole if narrow else whole / 1000, "int8" if narrow else "bfloat16", nz=True)

        all_bytes, has_bytes = of.weights == 2, of.weights > 0
        x = rng.integers(-100, 101, (_TOKENS, _HIDDEN))
        keep("token_x", x if all_bytes else x / 100, "int8" if all_bytes else "bfloat16")
        matrix("weight_dq", _HIDDEN, _RANK, all_bytes)
        matrix("weight_uq_qr", _RANK, columns, has_bytes)
        keep("weight_uk", rng.normal(0, 1, (_HEADS, _DEPTH, _LATENT)), "bfloat16")
        matrix("weight_dkv_kr", _HIDDEN, _LATENT + _TURNED, all_bytes)
        keep("rmsnorm_gamma_cq", rng.uniform(0.5, 1.5, _RANK), "bfloat16")
        keep("rmsnorm_gamma_ckv", rng.uniform(0.5, 1.5, _LATENT), "bfloat16")
        keep("rope_sin", rng.uniform(-1, 1, (_TOKENS, _TURNED)), "bfloat16")
        keep("rope_cos", rng.uniform(-1, 1, (_TOKENS, _TURNED)), "bfloat16")
        keep("kv_cache_ref", rng.integers(-9, 10, (2, 16, 1, _LATENT)),
             "int8" if of.caches else "bfloat16")  # fmt: skip
        keep("kr_cache_ref", rng.integers(-9, 10, (2, 16, 1, _TURNED)),
             "int8" if of.caches == 2 else "bfloat16")  # fmt: skip
        if all_bytes:
            keep("dequant_scale_x_optional", rng.uniform(0.5, 1, (_TOKENS, 1)), "float32")
            keep("dequant_scale_w_dq_optional", rng.uniform(0.5, 1, (1, _RANK)), "float32")
            keep("dequant_scale_w_dkv_kr_optional",
                 rng.uniform(0.5, 1, (1, _LATENT + _TURNED)), "float32")  # fmt: skip
        keep("dequant_scale_w_uq_qr_optional", rng.uniform(0.5, 1, (1, columns)), "float32")
        if of.smooth:
            keep("smooth_scales_cq_optional", rng.uniform(0.5, 1, (1, _RANK)), "float32")
        if of.caches == 2:
            keep("quant_scale_ckv_optional", rng.uniform(9, 30, (1, _LATENT)), "float32")
            keep("quant_scale_ckr_optional", rng.uniform(1, 9, (1, _TURNED)), "float32")
        elif of.caches == 1:
            shape = (1,) if of.version == 3 else (1, _LATENT)
            keep("quant_scale_ckv_optional", rng.uniform(9, 30, shape), "float32")
        self.slots = rng.permutation(32)[:_TOKENS]
        name = "cache_index_optional" if of.version == 3 else "cache_index"
        self.given[name] = device(self.slots, "int64")
        self.given |= {"cache_mode_optional": "PA_BSND", **of.modes()}
        if of.version == 3:
            self.given |= {"qc_qr_scale": 0.5, "kc_scale": 2.0, "ckvkr_repo_mode": 0}
        self.of = of

    def expected(self) -> dict[str, np.ndarray[Any, Any]]:
        of, w = self.of, self.wide
        factors = (0.5, 2.0) if of.version == 3 else (1, 1)

        def restored(product: Any, name: str) -> np.ndarray[Any, Any]:
            if of.weights < 2:
                return np.asarray(product)
            return np.asarray(product * w["dequant_scale_x_optional"] * w[name])

        small = restored(w["token_x"] @ w["weight_dq"], "dequant_scale_w_dq_optional")
        normal = _normal(small, w["rmsnorm_gamma_cq"]) * factors[0]
        numbers, step = _bytes(normal * w.get("smooth_scales_cq_optional", 1))
        query = numbers @ w["weight_uq_qr"] * step * w["dequant_scale_w_uq_qr_optional"]
        query = query.reshape(_TOKENS, _HEADS, -1)
        made = np.einsum("tnd,ndc->tnc", query[..., :_DEPTH], w["weight_uk"])
        cos, sin = w["rope_cos"], w["rope_sin"]
        rope = _turned(query[..., _DEPTH:], cos[:, None], sin[:, None])
        both = restored(w["token_x"] @ w["weight_dkv_kr"], "dequant_scale_w_dkv_kr_optional")
        latent = _normal(both[:, :_LATENT], w["rmsnorm_gamma_ckv"]) * factors[1]
        key = _turned(both[:, _LATENT:], cos, sin)
        found = {"normal": numbers, "step": step}
        if of.caches == 1:
            scale = w["quant_scale_ckv_optional"].reshape(-1)[0]
            made, found["scale"] = _bytes(made)
            rope = rope * scale / found["scale"]
            latent = np.clip(np.rint(latent * scale), -128, 127)
        elif of.caches == 2:
            latent = np.clip(np.rint(latent * w["quant_scale_ckv_optional"]), -128, 127)
            key = np.clip(np.rint(key * w["quant_scale_ckr_optional"]), -128, 127)
        for name, rows in (("kv_cache_ref", latent), ("kr_cache_ref", key)):
            flat = w[name].reshape(32, -1).copy()
            flat[self.slots] = rows
            found[name] = flat.reshape(w[name].shape)
        return {"query": made, "rope": rope, **found}


def _near(seen: pa.Tensor, expected: np.ndarray[Any, Any], what: str) -> None:
    """Numbers of int8 may be next to what is expected, others are near as bfloat16 is."""
    values = np.asarray(seen.numpy()).astype(np.float64).reshape(expected.shape)
    apart = np.abs(values - expected)
    if np.dtype(seen.numpy().dtype) == np.int8:
        assert apart.max() <= 1, what
        assert (apart > 0).mean() < 0.1, what
        assert np.abs(expected).max() > 20, what
    else:
        assert apart.max() < 0.02 * np.abs(expected).max(), what


@pytest.mark.parametrize("of", _SCENARIOS, ids=str)
def test_with_int8_it_follows_the_document(of: _Scenario) -> None:
    drawn = _Drawn(of)
    asked = {}
    if of.version == 3:
        asked = {
            "query_norm_out_optional": pa.empty((_TOKENS, _RANK), "int8"),
            "dequant_scale_q_norm_out_optional": pa.empty((_TOKENS, 1)),
        }
    made = pa.ops[of.operator](**drawn.given, **asked)

    expected = drawn.expected()
    _near(made[0], expected["query"], "queries")
    _near(made[1], expected["rope"], "turned queries")
    for name in ("kv_cache_ref", "kr_cache_ref"):
        _near(drawn.given[name], expected[name], name)
    if of.caches == 1:
        _near(made[2], expected["scale"], "scales of queries")
    if asked:
        _near(asked["query_norm_out_optional"], expected["normal"], "normal queries")
        _near(asked["dequant_scale_q_norm_out_optional"], expected["step"], "their scales")


_REFUSED: tuple[tuple[_Scenario, str, Any, int], ...] = (
    (_Scenario(2, 1), "quant_scale_ckv_optional", None, TILING),
    (_Scenario(2, 1), "quant_scale_ckv_optional", ones(1, 512), TILING),
    (_Scenario(2, 1), "query_quant_mode", 0, TILING),
    (_Scenario(2, 1), "weight_quant_mode", 1, TILING),
    (_Scenario(2, 1), "dequant_scale_x_optional", None, TILING),
    (_Scenario(2, 1), "k_nope_clip_alpha_optional", ones(1), TILING),
    (_Scenario(2, 1), "kr_cache_ref", ones(2, 16, 1, 64, dtype="int8"), INVALID),
    (_Scenario(1, 2), "quant_scale_ckr_optional", None, TILING),
    (_Scenario(1, 0), "smooth_scales_cq_optional", ones(1, 512), TILING),
    (_Scenario(1, 0), "dequant_scale_w_uq_qr_optional", ones(1536, 1), TILING),
    (_Scenario(1, 0, 2), "kv_cache_ref", ones(2, 16, 1, 512, dtype="int8"), INVALID),
)  # fmt: skip


@pytest.mark.parametrize(("of", "name", "value", "status"), _REFUSED)
def test_with_int8_it_refuses(of: _Scenario, name: str, value: Any, status: int) -> None:
    assert code_with(of.operator, _Drawn(of).given, **{name: value}) == status


def _in_tiles(**changed: Any) -> int:
    given = _Drawn(_Scenario(2, 1)).given
    del given["quant_scale_ckv_optional"]
    given |= {
        "kv_cache_quant_mode": 3, "query_quant_mode": 0, "ckvkr_repo_mode": 1,
        "quant_scale_repo_mode": 1, "query_out": _wide(_TOKENS, _HEADS, _LATENT),
        "kv_cache_ref": ones(2, 16, 1, 656, dtype="int8"),
        "kr_cache_ref": pa.empty((2, 16, 1, 0), "bfloat16"), "k_nope_clip_alpha_optional": ones(1),
    }  # fmt: skip
    return code_with("mla_prolog_v3_weight_nz", given, **changed)


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 0), ({"k_nope_clip_alpha_optional": None}, TILING),
        ({"k_nope_clip_alpha_optional": ones(2)}, TILING), ({"ckvkr_repo_mode": 0}, TILING),
        ({"kv_cache_ref": ones(2, 16, 1, 512, dtype="int8")}, TILING),
        ({"kr_cache_ref": _wide(2, 16, 1, 64)}, TILING), ({"cache_mode_optional": "PA_NZ"}, TILING),
        ({"quant_scale_ckv_optional": ones(1)}, TILING), ({"tile_size": 64}, TILING),
    ],
)  # fmt: skip
def test_caches_with_scales_of_tiles_hold_everything(changed: dict[str, Any], status: int) -> None:
    assert _in_tiles(**changed) == status


def _as_blocks(weight: pa.Tensor, lane: int) -> pa.Tensor:
    """Return a weight in FRACTAL_NZ that is described by its blocks."""
    lines, columns = weight.shape
    stored = (columns // lane, lines // 16, 16, lane)
    cut = pa.Tensor(weight.buffer, stored, weight.dtype)
    return with_format(cut, "FRACTAL_NZ", storage_shape=stored)


@pytest.mark.parametrize("of", [_Scenario(1, 0), _Scenario(2, 1)], ids=str)
def test_weights_may_be_described_by_their_blocks(of: _Scenario) -> None:
    drawn, again = _Drawn(of), _Drawn(of)
    for name in ("weight_dq", "weight_uq_qr", "weight_dkv_kr"):
        weight = again.given[name]
        again.given[name] = _as_blocks(weight, 32 if weight.dtype.name == "int8" else 16)

    first = pa.ops[of.operator](**drawn.given)
    second = pa.ops[of.operator](**again.given)

    for seen, expected in zip(second, first, strict=True):
        assert expected is None or seen.numpy().tobytes() == expected.numpy().tobytes()
    for name in ("kv_cache_ref", "kr_cache_ref"):
        assert again.given[name].numpy().tobytes() == drawn.given[name].numpy().tobytes()


def test_blocks_have_the_width_of_their_type() -> None:
    given = _Drawn(_Scenario(2, 1)).given
    weight = _as_blocks(given["weight_dq"], 16)

    assert code_with("mla_prolog_v3_weight_nz", given, weight_dq=weight) == TILING
