"""Indexers, MlaProlog and FlashAttn refuse tables, lengths, caches and weights that are wrong."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import INVALID, TILING, code_with, device, ones
from operators.status_tests import refusal_tests
from operators.test_flash_attn import _CAUSAL, _PACKED, _PAGED
from operators.test_flash_attn import RIGHT as FLASH
from operators.test_indexers import RIGHT as INDEXERS
from operators.test_mla import RIGHT as PROLOG

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _wide(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


def _ints(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="int32")


def _sums(*values: int) -> pa.Tensor:
    return device(values, "int32")


_CHOICE, _LOSS, _SLOPE = (
    "lightning_indexer", "sparse_lightning_indexer_grad_kl_loss", "lightning_indexer_grad",
)  # fmt: skip
_OLD, _NEW, _FLASH = (
    "mla_prolog", "mla_prolog_v3_weight_nz", "flash_attn",
)  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    **{name: INDEXERS[name] for name in (_CHOICE, _LOSS, _SLOPE)},
    **{name: PROLOG[name] for name in (_OLD, _NEW)},
}  # fmt: skip

_PAGES: dict[str, Any] = {
    "key": _half(4, 16, 1, 128), "layout_key_optional": "PA_BSND",
    "block_table_optional": _ints(2, 2), "actual_seq_lengths_key_optional": _sums(20, 5),
    "return_values": False,
}  # fmt: skip
_SEQUENCES: dict[str, Any] = {
    "query": _half(6, 8, 128), "key": _half(9, 1, 128), "weights": _half(6, 8),
    "layout_query_optional": "TND", "layout_key_optional": "TND",
    "actual_seq_lengths_query_optional": _sums(2, 6),
    "actual_seq_lengths_key_optional": _sums(4, 9), "sparse_indices_out": _ints(6, 1, 4),
    "sparse_values_out": _half(6, 1, 4),
}  # fmt: skip
_SLOPE_SEQUENCES: dict[str, Any] = {
    **{name: _half(6, 8, 128) for name in ("query", "dq_out")},
    **{name: _half(9, 1, 128) for name in ("key", "dk_out")},
    "weights": _half(6, 8), "dweights_out": _half(6, 8), "dy": _half(6, 4),
    "sparse_indices": _ints(6, 4), "input_layout": "TND",
    "actual_seq_q_len_optional": _sums(2, 6), "actual_seq_kv_len_optional": _sums(4, 9),
}  # fmt: skip
_FRACTALS = {"cache_mode_optional": "PA_NZ"}
_NO_ROPE = {"query_rope": None, "key_rope": None}
_FEW_KEYS: dict[str, Any] = {
    "key_index": _half(2, 3, 1, 128), "d_key_index": _half(2, 3, 1, 128),
    "key": _half(2, 3, 1, 512), "key_rope": _half(2, 3, 1, 64),
}  # fmt: skip
_FEWER_KEYS: dict[str, Any] = {
    "key_index": _half(2, 2, 1, 128), "d_key_index": _half(2, 2, 1, 128),
    "key": _half(2, 2, 1, 512), "key_rope": _half(2, 2, 1, 64),
}  # fmt: skip


def _rank(columns: int) -> dict[str, Any]:
    """What has a column for each of the latent queries."""
    return {"rmsnorm_gamma_cq": _wide(columns), **{
        name: _in_blocks(*shape) for name, shape in (
            ("weight_dq", (1024, columns)), ("weight_uq_qr", (columns, 192)),
        )
    }}  # fmt: skip


def _many_samples(count: int, index: str) -> dict[str, Any]:
    """Samples without tokens."""
    widths = {"token_x": 1024, "rope_sin": 64, "rope_cos": 64}
    tensors = {name: pa.empty((count, 0, width), "bfloat16") for name, width in widths.items()}
    return {**tensors, index: pa.empty((count, 0), "int64")}


def _pages_of(tokens: int) -> dict[str, Any]:
    """Both caches, in pages of so many tokens."""
    return {"kv_cache_ref": _wide(2, tokens, 1, 512), "kr_cache_ref": _wide(2, tokens, 1, 64)}


def _in_blocks(lines: int, columns: int, *batch: int) -> pa.Tensor:
    stored = (*batch, columns // 16, lines // 16, 16, 16)
    return with_format(_wide(*batch, lines, columns), "FRACTAL_NZ", storage_shape=stored)


WRONG: list[tuple[str, dict[str, Any], int]] = [
    (_CHOICE, _PAGES, 0), (_CHOICE, {**_PAGES, "block_table_optional": _ints(2)}, TILING),
    (_CHOICE, {**_PAGES, "block_table_optional": _ints(3, 2)}, TILING), (_CHOICE, _SEQUENCES, 0),
    (_CHOICE, {**_SEQUENCES, "actual_seq_lengths_query_optional": None}, TILING),
    (_CHOICE, {"layout_query_optional": "BNSD", "layout_key_optional": "BNSD"}, TILING),
    (_CHOICE, {**_PAGES, "layout_query_optional": "BNSD"}, TILING),
    (_CHOICE, {"sparse_values_out": _wide(2, 3, 1, 4)}, INVALID),
    (_CHOICE, {"sparse_values_out": _wide(2, 3, 1, 4), "return_values": False}, 0),
    (_SLOPE, _SLOPE_SEQUENCES, 0),
    (_SLOPE, {**_SLOPE_SEQUENCES, "actual_seq_q_len_optional": pa.empty((0,), "int32"),
              "actual_seq_kv_len_optional": pa.empty((0,), "int32")}, TILING),
    (_LOSS, _NO_ROPE, TILING), (_LOSS, {"softmax_sum": ones(2, 1, 3, 16)}, TILING),
    (_LOSS, {"softmax_max": ones(2, 1, 3, 16)}, TILING),
    (_LOSS, {"sparse_indices": _ints(2, 4, 1, 1024)}, TILING), (_LOSS, _FEW_KEYS, 0),
    (_LOSS, _FEWER_KEYS, TILING),
    (_NEW, {"ckvkr_repo_mode": 2}, TILING), (_NEW, {"ckvkr_repo_mode": -1}, TILING),
    (_NEW, {"quant_scale_repo_mode": 2}, TILING),
    *(
        case
        for name in (_OLD, _NEW)
        for case in (
            (name, {"token_x": _wide(1024)}, TILING), (name, {"token_x": _wide(1, 2, 3, 1024)},
             TILING),
            (name, {"weight_uk": _wide(128, 512), "query_out": _wide(2, 3, 1, 512),
                    "query_rope_out": _wide(2, 3, 1, 64)}, TILING),
            (name, {"weight_dq": _in_blocks(512, 1536, 2)}, TILING),
            (name, _rank(2048), 0), (name, _rank(1024), TILING), (name, _rank(3072), TILING),
            (name, _pages_of(8), TILING), (name, _pages_of(24), TILING), (name, _pages_of(32), 0),
            (name, _pages_of(1024), 0), (name, _pages_of(1040), TILING),
            (name, {"kv_cache_ref": _wide(2, 16, 512)}, TILING),
            (name, {"kr_cache_ref": _wide(2, 16, 64)}, TILING),
            (name, {**_FRACTALS, "kv_cache_ref": _wide(2, 16, 1, 1024)[..., ::2]}, TILING),
            (name, {**_FRACTALS, "kr_cache_ref": _wide(2, 16, 1, 128)[..., ::2]}, TILING),
        )
    ),
    *(
        (name, _many_samples(count, index), status)
        for name, index in ((_OLD, "cache_index"), (_NEW, "cache_index_optional"))
        for count, status in ((65536, 0), (65537, TILING))
    ),
    (_NEW, {"dequant_scale_q_nope_out_optional": ones(6, 1, 1)}, TILING),
    (_NEW, {"dequant_scale_q_norm_out_optional": ones(6, 1)}, TILING),
    (_NEW, {"dequant_scale_q_norm_out_optional": ones(6, 1),
            "query_norm_out_optional": _wide(2, 3, 1536)}, TILING),
]  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(RIGHT, WRONG)


def _many(sequences: int) -> dict[str, Any]:
    """Sequences of one token each, of one head."""
    whole = {name: _half(sequences, 1, 1, 64) for name in ("q", "k", "v", "attn_out")}
    return {**whole, "return_softmax_lse": 0}


_ON_950: list[tuple[str, dict[str, Any], int]] = [
    (_FLASH, {"k": _half(2, 5, 2, 128), "v": _half(2, 5, 2, 128)}, TILING),
    (_FLASH, {"k": _half(1, 5, 2, 64), "v": _half(1, 5, 2, 64)}, TILING),
    (_FLASH, {**_PAGED, "block_table_optional": _ints(2)}, TILING),
    (_FLASH, {"softmax_lse_optional": False}, TILING),
    (_FLASH, {"softmax_lse_optional": False, "return_softmax_lse": 0}, 0),
    (_FLASH, _many(65535), 0), (_FLASH, _many(65536), TILING),
    (_FLASH, {**_PACKED, "k": _half(9, 2, 128), "v": _half(9, 2, 128)}, TILING),
    (_FLASH, _CAUSAL, 0),
]  # fmt: skip


def statuses() -> list[int]:
    """Return what the calls of the 950 are answered with."""
    return [code_with(operator, FLASH[operator], **changed) for operator, changed, _ in _ON_950]


def test_keys_of_the_950_go_with_its_queries() -> None:
    assert found_on("Ascend950", __name__, "statuses()") == [status for *_, status in _ON_950]
