"""Attention refuses what CANN's refuses, and by name what is not simulated."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, TILING, code_with, ones
from operators.status_tests import status_tests

import pyaclnn as pa

half = "float16"
MANY = 2**31 - 1


def halves(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype=half)


RIGHT: dict[str, dict[str, Any]] = {
    "rotary_position_embedding": {
        "x": ones(2, 3, 4, 8), "cos": ones(1, 3, 1, 8), "sin": ones(1, 3, 1, 8), "mode": 0,
        "out": ones(2, 3, 4, 8),
    },
    "apply_rotary_pos_emb": {
        "query_ref": ones(2, 3, 4, 128), "key_ref": ones(2, 3, 2, 128), "cos": ones(2, 3, 1, 128),
        "sin": ones(2, 3, 1, 128), "layout": 1,
    },
    "fused_infer_attention_score_v2": {
        **{a.name: None for a in pa.ops.fused_infer_attention_score_v2.spec.inputs},
        "query": halves(2, 4, 3, 16), "key": [halves(2, 2, 5, 16)], "value": [halves(2, 2, 5, 16)],
        "num_heads": 4, "scale_value": 0.25, "pre_tokens": MANY, "next_tokens": MANY,
        "input_layout": "BNSD", "num_key_value_heads": 2, "sparse_mode": 0, "inner_precise": 0,
        "block_size": 0, "antiquant_mode": 0, "softmax_lse_flag": False, "key_antiquant_mode": 0,
        "value_antiquant_mode": 0, "attention_out": halves(2, 4, 3, 16),
    },
}  # fmt: skip

WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "rotary_position_embedding": (
        ("x", None, NULL), ("sin", None, INNER_NULL), ("cos", halves(1, 3, 1, 8), NO_KERNEL),
        ("x", ones(2, 3, 4, 8, dtype="float64"), NO_KERNEL), ("mode", 2, TILING),
        ("mode", -1, TILING), ("cos", ones(1, 1, 3, 8), TILING), ("cos", ones(3, 8), TILING),
        ("sin", ones(1, 3, 4, 8), TILING), ("out", ones(2, 3, 8, 4), INNER_NULL),
        ("out", ones(2, 3, 8, 4).mT, INNER_NULL),
    ),
    "apply_rotary_pos_emb": (
        ("query_ref", None, NULL), ("key_ref", None, NULL), ("cos", None, NULL),
        ("query_ref", halves(2, 3, 4, 128), INVALID), ("sin", halves(2, 3, 1, 128), INVALID),
        ("layout", 0, TILING), ("layout", 3, TILING), ("key_ref", ones(2, 3, 128), TILING),
        ("key_ref", ones(3, 2, 2, 128), TILING), ("key_ref", ones(2, 3, 0, 128), TILING),
        ("cos", ones(2, 3, 4, 128), TILING), ("sin", ones(2, 1, 1, 128), TILING),
        ("query_ref", ones(2, 3, 4, 64), TILING),
        # Four bytes, five rows of 128 for each head in 192 KiB less what cos and sin take.
        ("query_ref", ones(2, 3, 74, 128), 0), ("query_ref", ones(2, 3, 75, 128), TILING),
    ),
    "fused_infer_attention_score_v2": (
        ("query", None, NULL), ("key", None, NULL), ("input_layout", None, NULL),
        ("query", ones(2, 4, 3, 16), INVALID),
        ("query", ones(2, 4, 3, 16, dtype="bfloat16"), INVALID),
        ("value", [halves(2, 2, 6, 16)], TILING), ("input_layout", "SBH", TILING),
        ("num_heads", 3, TILING), ("num_heads", 0, TILING), ("num_key_value_heads", 3, TILING),
        ("attention_out", halves(2, 3, 4, 16), TILING), ("sparse_mode", 5, TILING),
        ("sparse_mode", 4, TILING), ("sparse_mode", 9, TILING), ("sparse_mode", 2, TILING),
        ("inner_precise", 4, TILING),
        ("atten_mask_optional", halves(3, 5), INVALID),
        ("atten_mask_optional", ones(3, 4, dtype="bool"), TILING),
        ("atten_mask_optional", ones(2, 4, 3, 5, dtype="bool"), TILING),
        ("pse_shift_optional", halves(2, 1, 3, 5), 0),
        ("pse_shift_optional", halves(2, 4, 3, 4), TILING),
        ("actual_seq_lengths_kv_optional", (6,), TILING),
        ("actual_seq_lengths_kv_optional", (1, 2, 3), 0),
        ("actual_seq_lengths_optional", (2,), 0), ("actual_seq_lengths_optional", (4,), TILING),
        ("block_table_optional", ones(2, 4, dtype="int32"), TILING),
        ("block_table_optional", ones(2, 4), INVALID),
        ("key_shared_prefix_optional", halves(1, 2, 5, 16), TILING),
        ("quant_scale2_optional", ones(1), TILING), ("deq_scale1_optional", ones(1), TILING),
        ("attention_out", ones(2, 4, 3, 16, dtype="int8"), TILING),
        ("query_padding_size_optional", pa.zeros((2,), "int64"), TILING),
        ("kv_padding_size_optional", ones(1), INVALID),
        ("key", [halves(2, 2, 5, 16)] * 2, TILING), ("softmax_lse_flag", True, 0),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def test_heads_of_an_odd_size_are_for_single_steps() -> None:
    right = RIGHT["fused_infer_attention_score_v2"]
    narrow = [halves(2, 2, 5, 10)]

    assert code_with("fused_infer_attention_score_v2", right, query=halves(2, 4, 1, 10), key=narrow,
                value=narrow, attention_out=halves(2, 4, 1, 10)) == 0  # fmt: skip
    assert code_with("fused_infer_attention_score_v2", right, query=halves(2, 4, 3, 10), key=narrow,
                value=narrow, attention_out=halves(2, 4, 3, 10)) == TILING  # fmt: skip


def test_without_keys_there_is_nothing_to_attend_to() -> None:
    right = RIGHT["fused_infer_attention_score_v2"]
    nothing = [pa.empty((2, 2, 0, 16), half)]
    out = halves(2, 4, 3, 16)

    assert code_with("fused_infer_attention_score_v2", right, key=nothing, value=nothing,
                attention_out=out) == 0  # fmt: skip
    assert not out.numpy().any()


@pytest.mark.parametrize("mode", [0, 4])
@pytest.mark.parametrize(("before", "behind"), [(1, 0), (0, 2), (2, -1), (-1, 3), (MANY, 1)])
def test_a_band_counts_from_the_first_key_or_from_the_last(
    mode: int, before: int, behind: int
) -> None:
    rng = np.random.default_rng(8)
    right = RIGHT["fused_infer_attention_score_v2"]
    value = rng.normal(size=(2, 2, 6, 16)).astype(np.float16)
    query, key = pa.zeros((2, 4, 4, 16), half), [pa.zeros((2, 2, 6, 16), half)]
    # Of a band from the last key the mask is the triangle that stands for it.
    mask = np.triu(np.ones((2048, 2048), bool), 1) if mode else np.zeros((4, 6), bool)
    out = halves(2, 4, 4, 16)
    status = code_with(
        "fused_infer_attention_score_v2", right, query=query, key=key, value=[pa.asarray(value)],
        atten_mask_optional=pa.asarray(mask), sparse_mode=mode, pre_tokens=before,
        next_tokens=behind, attention_out=out,
    )  # fmt: skip

    # All scores are alike: a row is the mean of the values that it sees.
    row, column = np.arange(4)[:, None] + (2 if mode else 0), np.arange(6)
    seen = (column >= row - before) & (column <= row + behind)
    mean = np.repeat(value.astype(np.float64), 2, axis=1).swapaxes(1, 2)
    some = seen.any(1)
    mean = np.einsum("rc,bchd->bhrd", seen[some] / seen[some].sum(1, keepdims=True), mean)
    assert status == 0
    np.testing.assert_allclose(out.numpy()[:, :, some], mean, atol=2e-3)


def test_a_row_that_sees_nothing_is_zero_where_that_is_asked_for() -> None:
    rng = np.random.default_rng(4)
    right = RIGHT["fused_infer_attention_score_v2"]
    value = rng.normal(size=(2, 2, 5, 16)).astype(np.float16)
    mask = np.zeros((3, 5), bool)
    mask[1] = True

    def attended(precise: int) -> np.ndarray[Any, Any]:
        changed = {
            "value": [pa.asarray(value)], "atten_mask_optional": pa.asarray(mask),
            "inner_precise": precise,
        }  # fmt: skip
        out = halves(2, 4, 3, 16)
        assert code_with("fused_infer_attention_score_v2", right, attention_out=out, **changed) == 0
        return out.numpy()

    mean = np.repeat(value.astype(np.float64).mean(2), 2, axis=1)
    assert not attended(2)[:, :, 1].any()
    np.testing.assert_allclose(attended(0)[:, :, 1], mean, atol=2e-3)


@pytest.mark.parametrize(
    "name",
    [
        "FlashAttentionUnpaddingScoreGradV5", "FlashAttentionVarLenScoreV5",
        "FusedInferAttentionScoreV2", "FusedInferAttentionScoreV3", "FusedInferAttentionScoreV4",
        "FusedInferAttentionScoreV5", "NsaCompressAttentionInfer", "NsaSelectedAttentionInfer",
    ],
)  # fmt: skip
def test_a_graph_asks_for_the_workspace_of_any_lengths(name: str) -> None:
    """torch_npu looks the function up when it captures; it is that for lengths that are known."""
    opapi = ctypes.CDLL(str(pa.backend.root / "lib64" / "libopapi.so"))  # type: ignore[operator]
    known, any_of_them = (
        ctypes.cast(getattr(opapi, f"aclnn{name}{asked}WorkspaceSize"), ctypes.c_void_p).value
        for asked in ("Get", "GetMax")
    )

    assert known is not None
    assert any_of_them == known


@pytest.mark.parametrize("mask", [None, ones(2, 1, 3, 5, dtype="bool")])
def test_no_workspace_depends_on_lengths(mask: pa.Tensor | None) -> None:
    right = {**RIGHT["fused_infer_attention_score_v2"], "atten_mask_optional": mask}
    sizes = set()
    for lengths in (None, (1, 1), (5, 2), (5, 5)):
        given = {**right, "actual_seq_lengths_kv_optional": lengths}
        with pa.ops.fused_infer_attention_score_v2.plan(**given) as plan:
            sizes.add(plan.workspace_size)

    assert len(sizes) == 1


def _bytes(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="int8")


_OF_BYTES: dict[str, Any] = {
    **RIGHT["fused_infer_attention_score_v2"], "query": _bytes(2, 4, 3, 32),
    "key": [_bytes(2, 2, 5, 32)], "value": [_bytes(2, 2, 5, 32)],
    "attention_out": _bytes(2, 4, 3, 32), "deq_scale1_optional": ones(1),
    "quant_scale1_optional": ones(1), "deq_scale2_optional": ones(1, dtype="uint64"),
    "quant_scale2_optional": ones(1),
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 0), ({"quant_scale1_optional": None}, TILING), ({"deq_scale2_optional": None}, TILING),
        ({"deq_scale1_optional": halves(1)}, INVALID), ({"quant_scale2_optional": None}, TILING),
        ({"deq_scale1_optional": pa.empty((0,))}, TILING),
        ({"quant_scale1_optional": ones(1, dtype="uint64")}, INVALID),
        ({"attention_out": halves(2, 4, 3, 32)}, TILING),
        ({"attention_out": halves(2, 4, 3, 32), "quant_scale2_optional": None}, 0),
        ({"quant_scale2_optional": ones(4, 32)}, 0), ({"quant_scale2_optional": ones(4)}, TILING),
        ({"quant_scale2_optional": ones(4, 32), "softmax_lse_flag": True}, TILING),
        ({"quant_scale2_optional": ones(1, dtype="bfloat16")}, TILING),
        ({"quant_offset2_optional": ones(1)}, 0), ({"quant_offset2_optional": halves(1)}, TILING),
        ({"quant_offset2_optional": ones(1), "pre_tokens": -4}, 0),  # without a mask it has no band
        ({"key": [halves(2, 2, 5, 32)]}, TILING), ({"input_layout": "NTD_TND"}, TILING),
        ({"query": _bytes(2, 4, 1, 32), "attention_out": _bytes(2, 4, 1, 32)}, TILING),
        (
            {"query": _bytes(2, 4, 3, 16), "key": [_bytes(2, 2, 5, 16)],
             "value": [_bytes(2, 2, 5, 16)], "attention_out": _bytes(2, 4, 3, 16)},
            TILING,
        ),
        (
            {"quant_offset2_optional": ones(1), "atten_mask_optional": ones(3, 5, dtype="bool"),
             "next_tokens": -1},
            TILING,
        ),
        ({"query_padding_size_optional": pa.zeros((1,), "int64")}, 0),
        ({"block_table_optional": ones(2, 4, dtype="int32")}, TILING),
    ],
)  # fmt: skip
def test_int8_comes_with_its_scales(changed: dict[str, Any], status: int) -> None:
    lse = {"softmax_lse": ones(2, 4, 3, 1)} if "softmax_lse_flag" in changed else {}
    assert code_with("fused_infer_attention_score_v2", _OF_BYTES, **changed, **lse) == status


_TWO = [halves(1, 2, 5, 16), halves(1, 2, 3, 16)]
_PREFIX = {
    "key_shared_prefix_optional": halves(1, 2, 4, 16),
    "value_shared_prefix_optional": halves(1, 2, 4, 16),
}


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"key": _TWO, "value": _TWO}, 0), ({"key": _TWO, "value": _TWO[::-1]}, TILING),
        ({"key": [*_TWO, _TWO[0]], "value": [*_TWO, _TWO[0]]}, TILING),
        ({"key": [halves(2, 2, 5, 16)] * 2, "value": [halves(2, 2, 5, 16)] * 2}, TILING),
        ({"key": _TWO, "value": _TWO, "actual_seq_lengths_kv_optional": (5, 4)}, TILING),
        ({"key": _TWO, "value": _TWO, "actual_seq_lengths_kv_optional": (5, 3)}, 0),
        ({"key": _TWO, "value": _TWO, **_PREFIX}, TILING), (_PREFIX, 0),
        ({**_PREFIX, "actual_shared_prefix_len_optional": (4,)}, 0),
        ({**_PREFIX, "actual_shared_prefix_len_optional": (5,)}, TILING),
        ({**_PREFIX, "actual_shared_prefix_len_optional": (1, 2)}, TILING),
        ({**_PREFIX, "key_shared_prefix_optional": halves(2, 2, 4, 16)}, TILING),
        ({**_PREFIX, "key_shared_prefix_optional": ones(1, 2, 4, 16)}, INVALID),
        ({**_PREFIX, "kv_padding_size_optional": pa.zeros((1,), "int64")}, TILING),
        ({**_PREFIX, "key": [pa.empty((2, 2, 0, 16), half)],
          "value": [pa.empty((2, 2, 0, 16), half)]}, 0),
    ],
)  # fmt: skip
def test_keys_may_lie_in_parts(changed: dict[str, Any], status: int) -> None:
    assert code_with("fused_infer_attention_score_v2", RIGHT["fused_infer_attention_score_v2"],
                     **changed) == status  # fmt: skip


def _wide(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


_IN_PAGES: dict[str, Any] = {
    "block_table_optional": pa.asarray(np.array([[0, 1], [2, 3]], np.int32)),
    "actual_seq_lengths_kv_optional": (37, 20), "key_antiquant_mode": 0,
    "value_antiquant_mode": 0,
}  # fmt: skip
_IN_LANES: dict[str, Any] = {
    **RIGHT["fused_infer_attention_score_v2"], **_IN_PAGES, "query": _wide(2, 4, 1, 64),
    "key": [_bytes(5, 2, 2, 32, 32)], "value": [_bytes(5, 2, 2, 32, 32)],
    "attention_out": _wide(2, 4, 1, 64), "block_size": 32,
    "key_antiquant_scale_optional": _wide(2, 64), "value_antiquant_scale_optional": _wide(2, 64),
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 0), ({"key": [_bytes(5, 2, 4, 32, 16)], "value": [_bytes(5, 2, 4, 32, 16)]}, TILING),
        ({"query": halves(2, 4, 1, 64), "attention_out": halves(2, 4, 1, 64)}, TILING),
        ({"key": [_wide(5, 2, 4, 32, 16)], "value": [_wide(5, 2, 4, 32, 16)]}, TILING),
        ({"pse_shift_optional": _wide(2, 4, 1, 64)}, TILING),
        ({"key_antiquant_mode": 4}, TILING), ({"key_antiquant_mode": 6}, TILING),
        (
            {"key_antiquant_mode": 4, "value_antiquant_mode": 4,
             "key_antiquant_scale_optional": ones(5, 32),
             "value_antiquant_scale_optional": ones(5, 32)},
            0,
        ),
        ({"key_antiquant_mode": 1, "value_antiquant_mode": 1}, TILING),
        ({"key_antiquant_scale_optional": ones(2, 64)}, TILING),
        ({"query": _wide(2, 4, 3, 64), "attention_out": _wide(2, 4, 3, 64)}, 0),
    ],
)  # fmt: skip
def test_keys_lie_in_lanes_where_they_are_integers(changed: dict[str, Any], status: int) -> None:
    assert code_with("fused_infer_attention_score_v2", _IN_LANES, **changed) == status


def _latents() -> dict[str, Any]:
    return {
        **_newest(), **_IN_PAGES, "query": _bytes(2, 1, 4, 512),
        "attention_out": _wide(4, 2, 1, 512),
        "key": [_bytes(4, 1, 16, 128, 32)], "value": [_bytes(4, 1, 16, 128, 32)],
        "query_rope_optional": _wide(2, 1, 4, 64), "key_rope_optional": _wide(4, 1, 4, 128, 16),
        "dequant_scale_query_optional": ones(2, 1, 4), "key_antiquant_scale_optional": ones(1),
        "value_antiquant_scale_optional": ones(1), "num_key_value_heads": 1, "block_size": 128,
        "input_layout": "BSND_NBSD", "query_quant_mode": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 0), ({"dequant_scale_query_optional": None}, TILING),
        ({"dequant_scale_query_optional": ones(2, 4, 1)}, TILING),
        ({"key_antiquant_scale_optional": ones(2)}, TILING), ({"key_antiquant_mode": 1}, TILING),
        ({"value_antiquant_scale_optional": None}, TILING),
        ({"value_antiquant_scale_optional": halves(1)}, INVALID),
        ({"deq_scale1_optional": ones(1)}, TILING), ({"input_layout": "BNSD_NBSD"}, TILING),
        ({"attention_out": halves(4, 2, 1, 512)}, TILING), ({"query_quant_mode": 0}, TILING),
        ({"query_rope_optional": None}, TILING),
        ({"key": [_bytes(4, 128, 512)], "value": [_bytes(4, 128, 512)]}, TILING),
    ],
)  # fmt: skip
def test_latent_vectors_of_int8_come_with_their_scales(
    changed: dict[str, Any], status: int
) -> None:
    assert code_with("fused_infer_attention_score_v4", _latents(), **changed) == status


def test_a_tree_of_tokens_hides_the_same_in_samples_and_sequences() -> None:
    rng = np.random.default_rng(5)
    batch, heads, rows, columns, depth, turned = 2, 2, 3, 5, 128, 64
    mask = rng.random((batch, rows, rows)) < 0.4 * (1 - np.eye(rows))

    def drawn(*shape: int) -> np.ndarray[Any, Any]:
        return rng.normal(size=shape).astype(np.float16)

    shapes = {
        "query": (rows, depth), "key": (columns, depth), "value": (columns, depth),
        "query_rope_optional": (rows, turned), "key_rope_optional": (columns, turned),
    }  # fmt: skip
    arrays = {name: drawn(batch, s, heads, d) for name, (s, d) in shapes.items()}

    def attended(layout: str) -> np.ndarray[Any, Any]:
        given: dict[str, Any] = {**_newest(), "num_key_value_heads": heads, "num_heads": heads}
        given |= {"input_layout": layout, "sparse_mode": 9, "attention_out": None}
        seen = mask if layout == "BSND" else mask.reshape(-1)
        given["atten_mask_optional"] = pa.asarray(np.ascontiguousarray(seen))
        for name, array in arrays.items():
            tokens = array if layout == "BSND" else array.reshape(-1, *array.shape[2:])
            tensor = pa.asarray(tokens)
            given[name] = [tensor] if name in ("key", "value") else tensor
        if layout == "TND":
            given["actual_seq_lengths_optional"] = (rows, 2 * rows)
            given["actual_seq_lengths_kv_optional"] = (columns, 2 * columns)
        spec = pa.ops.fused_infer_attention_score_v4.spec
        out, _ = pa.ops.fused_infer_attention_score_v4(
            **{p.name: given[p.name] for p in spec.inputs}
        )
        return np.asarray(out.numpy()).reshape(batch, rows, heads, depth)

    assert np.array_equal(attended("BSND"), attended("TND"))


def _newest() -> dict[str, Any]:
    names = [a.name for a in pa.ops.fused_infer_attention_score_v4.spec.inputs]
    given = {**dict.fromkeys(names), **RIGHT["fused_infer_attention_score_v2"]}
    return {**given, "query_quant_mode": 0}


@pytest.mark.parametrize(
    ("dtype", "heads", "status"),
    [("bfloat16", 4, 0), ("bfloat16", 2, TILING), ("float16", 4, TILING), ("float32", 4, INVALID)],
)
def test_a_sink_of_atlas_a2_is_bfloat16(dtype: str, heads: int, status: int) -> None:
    sink = ones(heads, dtype=dtype)
    changed = {"learnable_sink_optional": sink}
    assert code_with("fused_infer_attention_score_v4", _newest(), **changed) == status


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 0), ({"key_antiquant_scale_optional": None}, TILING),
        ({"query": halves(2, 4, 3, 64), "attention_out": halves(2, 4, 3, 64)}, TILING),
        ({"value": [ones(2, 2, 5, 8, dtype="int8")]}, INVALID),
        ({"key_antiquant_scale_optional": halves(2, 8)}, TILING),
        ({"key": [ones(2, 2, 5, 4, dtype="int32")] , "value": [ones(2, 2, 5, 4, dtype="int32")],
          "query": halves(2, 4, 1, 32), "attention_out": halves(2, 4, 1, 32)}, TILING),
    ],
)  # fmt: skip
def test_keys_of_int4_are_for_single_steps(changed: dict[str, Any], status: int) -> None:
    words = [ones(2, 2, 5, 8, dtype="int32")]
    right = {
        **RIGHT["fused_infer_attention_score_v2"], "key": words, "value": words,
        "query": halves(2, 4, 1, 64), "attention_out": halves(2, 4, 1, 64),
        "key_antiquant_scale_optional": halves(2, 64),
        "value_antiquant_scale_optional": halves(2, 64),
    }  # fmt: skip
    assert code_with("fused_infer_attention_score_v2", right, **changed) == status


def test_an_int32_holds_eight_keys_of_int4() -> None:
    """Of values 0 to 7 in each word and scores that are alike, the mean is the values times 2."""
    word = sum(number << 4 * number for number in range(8))
    keys, values = [pa.zeros((1, 1, 5, 8), "int32")], [pa.full((1, 1, 5, 8), word, "int32")]
    scale = pa.full((1, 64), 2, half)
    made = pa.ops.fused_infer_attention_score_v2(
        query=halves(1, 1, 1, 64), key=keys, value=values, num_heads=1, num_key_value_heads=1,
        scale_value=1.0, pre_tokens=MANY, next_tokens=MANY, input_layout="BNSD",
        key_antiquant_scale_optional=scale, value_antiquant_scale_optional=scale,
    )  # fmt: skip
    assert np.array_equal(made[0].numpy().ravel(), np.tile(np.arange(8) * 2, 8))


@pytest.mark.parametrize("mode", [1, 3])
def test_keys_in_a_list_have_scales_of_tokens(mode: int) -> None:
    rng = np.random.default_rng(mode)
    lengths, heads, depth = (5, 3), 2, 32
    query = rng.normal(0, 1, (2, 4, 1, depth)).astype(half)
    lists = [
        [rng.integers(-90, 91, (1, heads, n, depth)).astype(np.int8) for n in lengths] for _ in "kv"
    ]
    shape = (2, 5) if mode == 1 else (2, heads, 5)
    scales = [rng.uniform(0.01, 0.02, shape).astype(np.float32) for _ in "kv"]

    made, _ = pa.ops.fused_infer_attention_score_v2(
        query=pa.asarray(query), key=[pa.asarray(k) for k in lists[0]],
        value=[pa.asarray(v) for v in lists[1]], num_heads=4, num_key_value_heads=heads,
        scale_value=0.25, pre_tokens=MANY, next_tokens=MANY, input_layout="BNSD",
        key_antiquant_scale_optional=pa.asarray(scales[0]), key_antiquant_mode=mode,
        value_antiquant_scale_optional=pa.asarray(scales[1]), value_antiquant_mode=mode,
    )  # fmt: skip

    for b, count in enumerate(lengths):
        of_tokens = [(s[b][None] if mode == 1 else s[b])[:, :count, None] for s in scales]
        k, v = (
            np.repeat(part[b][0].astype(np.float64) * s, 2, 0)
            for part, s in zip(lists, of_tokens, strict=True)
        )
        scores = query[b].astype(np.float64) @ k.swapaxes(-1, -2) * 0.25
        power = np.exp(scores - scores.max(-1, keepdims=True))
        expected = power / power.sum(-1, keepdims=True) @ v
        assert made.numpy()[b] == pytest.approx(expected, rel=2e-3, abs=2e-3)
