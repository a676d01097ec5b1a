"""Operators on caches of keys and values refuse what CANN's refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import (
    INNER_NULL,
    INVALID,
    NO_KERNEL,
    NULL,
    TILING,
    code_with,
    device,
    ones,
)
from operators.reasons import Written, assert_refused_on, written_reasons
from operators.status_tests import outside_test, refusal_tests, status_tests

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

half = "float16"


def halves(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype=half)


def slots(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int64")


RIGHT: dict[str, dict[str, Any]] = {
    "kv_rms_norm_rope_cache": {
        "kv": halves(2, 1, 3, 576), "gamma": halves(512), "cos": halves(2, 1, 3, 64),
        "sin": halves(2, 1, 3, 64), "index": slots(2, 3), "k_cache_ref": halves(2, 1, 5, 64),
        "ckv_cache_ref": halves(2, 1, 5, 512), "epsilon": 1e-5, "cache_mode_optional": "Norm",
        "is_output_kv": False, "k_rope_out": halves(2, 1, 3, 64), "c_kv_out": halves(2, 1, 3, 512),
    },
    "qkv_rms_norm_rope_cache": {
        "qkv": halves(6, 512), "q_gamma": halves(128), "k_gamma": halves(128),
        "cos": halves(6, 128), "sin": halves(6, 128), "index": slots(6), "q_out": halves(6, 256),
        "k_cache": halves(3, 8, 16, 16), "v_cache": halves(3, 8, 16, 16),
        "qkv_size": [2, 3, 4, 128], "head_nums": [2, 1, 1], "epsilon": 1e-6,
        "cache_mode_optional": "PA_NZ", "q_out_before_quant": halves(6, 256),
        "k_out_before_quant": halves(6, 128), "v_out_before_quant": halves(6, 128),
    },
    "scatter_pa_kv_cache": {
        "key": halves(4, 2, 32), "key_cache_ref": halves(3, 5, 2, 32), "slot_mapping": slots(4),
        "value": halves(4, 2, 16), "value_cache_ref": halves(3, 5, 2, 16),
        "compress_lens_optional": None, "compress_seq_offset_optional": None,
        "seq_lens_optional": None, "cache_mode_optional": "Norm", "scatter_mode_optional": "None",
        "strides_optional": None, "offsets_optional": None,
    },
    "gather_pa_kv_cache": {
        "key_cache": halves(3, 4, 2, 32), "value_cache": halves(3, 4, 2, 16),
        "block_tables": pa.zeros((2, 2), "int32"), "seq_lens": pa.zeros((2,), "int32"),
        "key_ref": halves(6, 2, 32), "value_ref": halves(6, 2, 16), "seq_offset_optional": None,
        "cache_mode": "Norm", "is_seq_lens_cumsum": False,
    },
    "advance_step": {
        "input_tokens": slots(4), "sampled_token_ids": slots(3, 1), "input_positions": slots(4),
        "seq_lens": slots(4), "slot_mapping": slots(4), "block_tables": slots(4, 2), "num_seqs": 4,
        "num_queries": 3, "block_size": 8,
    },
}  # fmt: skip

WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "kv_rms_norm_rope_cache": (
        ("kv", None, NULL), ("index", None, NULL), ("ckv_cache_ref", None, NULL),
        ("kv", ones(2, 1, 3, 576), INVALID), ("gamma", ones(512), INVALID),
        ("index", pa.zeros((2, 3), "int32"), INVALID), ("kv", halves(2, 2, 3, 576), TILING),
        ("gamma", halves(256), TILING), ("cos", halves(2, 1, 2, 64), TILING),
        ("cos", halves(2, 1, 1, 64), TILING), ("index", slots(2, 2), TILING),
        ("cache_mode_optional", "PA", TILING), ("cache_mode_optional", "BSND", TILING),
        ("k_rope_offset_optional", ones(64), TILING),
        ("k_rope_scale_optional", ones(64), INVALID),
        ("k_cache_ref", ones(2, 1, 5, 64, dtype="int8"), INVALID),
        ("k_cache_ref", halves(2, 1, 5, 32), TILING),
    ),
    "qkv_rms_norm_rope_cache": (
        ("qkv", None, NULL), ("head_nums", None, NULL), ("qkv", ones(6, 512), NO_KERNEL),
        ("qkv_size", [2, 3, 4, 64], TILING), ("qkv_size", [2, 3, 4], TILING),
        ("head_nums", [1, 2, 1], TILING), ("head_nums", [2, 1, 2**62], TILING),
        ("cache_mode_optional", "PA", TILING), ("k_cache", halves(3, 16, 8, 16), TILING),
        ("v_scale_optional", ones(1, 128), NO_KERNEL), ("cos", halves(3, 128), TILING),
        ("q_out", halves(6, 128), TILING), ("k_out_before_quant", halves(6, 256), INNER_NULL),
    ),
    "scatter_pa_kv_cache": (
        ("key", None, INNER_NULL), ("slot_mapping", None, INNER_NULL),
        ("value_cache_ref", None, INNER_NULL), ("key", halves(4, 64), INVALID),
        ("key", ones(4, 2, 32), INVALID), ("slot_mapping", ones(4), INVALID),
        ("seq_lens_optional", pa.zeros((2,), "int32"), INVALID), ("key", halves(4, 1, 32), TILING),
        ("cache_mode_optional", "PA", TILING), ("cache_mode_optional", "PA_NZ", TILING),
        ("scatter_mode_optional", "Rope", TILING), ("scatter_mode_optional", "Nct", 0),
        ("slot_mapping", slots(3), TILING), ("value", halves(5, 2, 16), TILING),
    ),
    "gather_pa_kv_cache": (
        ("key_cache", None, NULL), ("seq_lens", None, NULL),
        ("key_cache", halves(3, 4, 64), INVALID),
        ("seq_lens", slots(2), INVALID), ("key_ref", ones(6, 2, 32), INVALID),
        ("key_ref", halves(6, 2, 16), TILING), ("seq_lens", pa.zeros((3,), "int32"), TILING),
        ("is_seq_lens_cumsum", True, TILING), ("cache_mode", "PA_NZ", TILING),
        ("cache_mode", "PA", TILING), ("value_ref", pa.empty((0, 2, 16), half), 0),
    ),
    "advance_step": (
        ("seq_lens", None, NULL), ("seq_lens", pa.zeros((4,), "int32"), INVALID),
        ("num_queries", 4, TILING), ("num_seqs", 5, TILING), ("block_size", 0, TILING),
        ("sampled_token_ids", slots(4, 1), TILING), ("block_tables", slots(3, 2), TILING),
        ("block_size", 2**40, TILING),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


#: A cache without rows is left alone, with a row of keys for each slot and without.
NEWEST: list[Written] = [
    ("scatter_pa_cache", "", 0, ""), ("scatter_pa_kv_cache", "", 0, ""),
    ("scatter_pa_cache", "key_cache_ref=halves(0, 5, 2, 32)", 0, ""),
    ("scatter_pa_cache", "key=halves(0, 2, 32), slot_mapping=slots(0)", 0, ""),
    ("scatter_pa_cache", "key_cache_ref=halves(0, 5, 2, 32), key=halves(4, 64)", TILING,
     "key has 2 dimensions"),
    ("scatter_pa_cache", "key=None", NULL, ""), ("scatter_pa_cache", "slot_mapping=None", NULL, ""),
    ("scatter_pa_cache", "key=ones(4, 2, 32)", INVALID, "keyCacheRef is float16"),
    ("scatter_pa_cache", "slot_mapping=ones(4)", INVALID, "slotMapping is float32"),
    ("scatter_pa_cache", "seq_lens_optional=pa.zeros((2,), 'int32')", INVALID, "seqLensOptional"),
    ("scatter_pa_cache", "slot_mapping=slots(3)", TILING, "slotMapping [3]"),
    ("scatter_pa_cache", "key_cache_ref=halves(3, 1, 2, 32)", TILING, "fewer places"),
    ("scatter_pa_cache", "key_cache_ref=halves(4, 1, 2, 32)", 0, ""),
    ("scatter_pa_cache", "key_cache_ref=halves(3, 5, 3, 32)", TILING, "key"),
    *(("scatter_pa_kv_cache", f"scatter_mode_optional='Rope', {alone}=slots(2)", TILING,
       "compressLensOptional and seqLensOptional must be given")
      for alone in ("compress_lens_optional", "seq_lens_optional")),
    ("scatter_pa_kv_cache", "key_cache_ref=halves(0, 5, 2, 32), value=None", 0, ""),
    ("scatter_pa_kv_cache", "key_cache_ref=halves(0, 5, 2, 32)", TILING, "fewer places"),
    ("scatter_pa_kv_cache", "value_cache_ref=halves(0, 5, 2, 16)", TILING, "fewer places"),
    ("scatter_pa_kv_cache", "key_cache_ref=halves(0, 5, 2, 32),"
     " value_cache_ref=halves(0, 5, 2, 16)", 0, ""),
]  # fmt: skip


def found() -> list[list[Any]]:
    """Return what the calls of the 950 are answered with."""
    kv = RIGHT["scatter_pa_kv_cache"]
    names = ("key", "key_cache_ref", "slot_mapping", "compress_lens_optional",
             "compress_seq_offset_optional", "seq_lens_optional")  # fmt: skip
    keys = {**{name: kv[name] for name in names}, "cache_mode": "Norm"}
    return written_reasons({"scatter_pa_cache": keys, **RIGHT}, NEWEST, globals())


def test_caches_of_the_950_have_a_place_for_each_token() -> None:
    assert_refused_on("Ascend950", "test_caches", "found()", NEWEST)


_TOKENS, _HEADS, _DEPTH, _BLOCKS, _BLOCK = 5, 2, 64, 3, 4
_SLOTS = [7, 0, 11, -1, 4]


def pairs(*shape: int, seed: int = 0) -> tuple[Any, pa.Tensor]:
    """Return bytes of two floats of 4 bits each, and the tensor of these."""
    bytes_ = np.random.default_rng(seed).integers(0, 256, (*shape[:-1], shape[-1] // 2))
    memory = pa.asarray(bytes_.astype(np.uint8))
    return memory, with_format(memory, "ND", dtype="float4_e2m1fn", shape=shape)


def scattered_pairs(mode: str, operator: str = "scatter_pa_kv_cache", **changes: Any) -> list[Any]:
    """Return the status of a call with floats of 4 bits, its tokens, and the cache behind it."""
    nz = (_BLOCKS, _HEADS * _DEPTH // 64, _BLOCK, 64)
    shape = nz if mode == "PA_NZ" else (_BLOCKS, _BLOCK, _HEADS, _DEPTH)
    bytes_, key = pairs(_TOKENS, _HEADS, _DEPTH, seed=1)
    (memory, cache), (_, other) = pairs(*shape, seed=2), pairs(*shape, seed=2)
    before = memory.numpy().tolist()
    lone = {"key": key, "key_cache_ref": cache, "slot_mapping": device(_SLOTS, "int32"),
            "compress_lens_optional": None, "compress_seq_offset_optional": None,
            "seq_lens_optional": None}  # fmt: skip
    both = {
        **lone,
        "value": key,
        "value_cache_ref": other,
        "cache_mode_optional": mode,
        "scatter_mode_optional": "None",
        "strides_optional": None,
        "offsets_optional": None,
    }
    right = {**lone, "cache_mode": mode} if operator == "scatter_pa_cache" else both
    status = code_with(operator, right, **changes)
    return [status, bytes_.numpy().tolist(), before, memory.numpy().tolist()]


@pytest.mark.parametrize(("mode", "operator"), [
    ("Norm", "scatter_pa_kv_cache"), ("PA_NZ", "scatter_pa_kv_cache"), ("Norm", "scatter_pa_cache"),
])  # fmt: skip
def test_floats_of_4_bits_are_cached_by_their_bytes(mode: str, operator: str) -> None:
    call = f"scattered_pairs({mode!r}, {operator!r})"
    status, key, before, after = found_on("Ascend950", "operators.test_caches", call)

    golden = np.array(before, np.uint8)
    for token, slot in enumerate(_SLOTS):
        if slot < 0:
            continue
        row = np.array(key, np.uint8)[token]
        block, place = divmod(slot, _BLOCK)
        if mode == "PA_NZ":
            golden[block, :, place] = row.reshape(-1, 32)
        else:
            golden[block, place] = row
    assert status == 0
    assert np.array_equal(np.array(after), golden)


def refused_pairs() -> list[int]:
    """Return what the 950 answers to small floats that it does not cache so."""
    _, odd = pairs(_TOKENS, _HEADS, 62)
    e4m3 = with_format(pa.zeros((1, 5, 2, 32), "uint8"), "ND", dtype="float8_e4m3fn")
    cache = with_format(pa.zeros((3, 4, 1, 32), "uint8"), "ND", dtype="float8_e4m3fn")
    compressed = {"slot_mapping": pa.zeros((1, 2), "int32"), "seq_lens_optional": pa.zeros(
        (1,), "int32"), "compress_lens_optional": pa.zeros((1, 2), "int32")}  # fmt: skip
    return [
        scattered_pairs("Norm", key=odd)[0],
        scattered_pairs("Norm", "scatter_pa_cache", key=e4m3, key_cache_ref=cache, **compressed)[0],
    ]


def test_compressed_caches_are_not_of_small_floats() -> None:
    found = found_on("Ascend950", "operators.test_caches", "refused_pairs()")
    assert found == [TILING, TILING]


def test_the_a2_has_no_mean_of_integers() -> None:
    whole = {"key": ones(4, 2, 32, dtype="int8"), "key_cache_ref": ones(3, 5, 1, 32, dtype="int8"),
             "value": ones(4, 2, 16, dtype="int8"),
             "value_cache_ref": ones(3, 5, 1, 16, dtype="int8"),
             "slot_mapping": pa.zeros((2, 2), "int32"),
             "compress_lens_optional": pa.zeros((2, 2), "int32"),
             "compress_seq_offset_optional": pa.zeros((2, 2), "int32"),
             "seq_lens_optional": pa.zeros((2,), "int32")}  # fmt: skip
    right = RIGHT["scatter_pa_kv_cache"]

    assert code_with("scatter_pa_kv_cache", right, **whole, scatter_mode_optional="Alibi") == 0
    assert code_with("scatter_pa_kv_cache", right, **whole, scatter_mode_optional="Rope") == TILING


_APART = {"scatter_mode_optional": "Nct", "offsets_optional": (0, 0)}

_, test_it_answers_where_tokens_lie_apart = refusal_tests(
    RIGHT,
    [
        ("scatter_pa_kv_cache", {**_APART, "strides_optional": (64, 32)}, 0),
        ("scatter_pa_kv_cache", {**_APART, "strides_optional": (-1, 1)}, TILING),
        ("scatter_pa_kv_cache", {**_APART, "strides_optional": (1,)}, TILING),
        ("scatter_pa_kv_cache", {**_APART, "offsets_optional": (0, -1)}, TILING),
        ("scatter_pa_kv_cache", {**_APART, "strides_optional": (2**62, 1)}, TILING),
        ("scatter_pa_kv_cache", {**_APART, "offsets_optional": (2**62, 1)}, INVALID),
    ],
)

test_tokens_beyond_the_memory_end_the_task = outside_test(
    RIGHT, [("scatter_pa_kv_cache", {**_APART, "strides_optional": (2**40, 1)})]
)

_IN_FRACTALS = {"ckv_cache_ref": halves(3, 32, 1, 512), "cache_mode_optional": "PA_NZ"}

#: What such a block holds does not lie as its shape says: it cannot have gaps inside.
_, test_fractals_may_have_gaps_between_blocks_alone = refusal_tests(
    RIGHT,
    [
        ("kv_rms_norm_rope_cache", {**_IN_FRACTALS, "k_cache_ref": cache}, status)
        for cache, status in (
            (halves(3, 32, 1, 64), 0),
            (halves(6, 32, 1, 64)[::2], 0),
            (halves(3, 32, 1, 128)[..., :64], TILING),
            (halves(3, 64, 1, 64)[:, ::2], TILING),
        )
    ],
)
