"""SparseFlashMla refuses what CANN refuses, and follows no number out of its tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, NULL, TILING, device, ones
from operators.reasons import reason_of
from operators.status_tests import status_tests

import pyaclnn as pa


def _half(*shape: int) -> Any:
    return ones(*shape, dtype="float16")


def _ints(*shape: int) -> Any:
    return ones(*shape, dtype="int32")


def _lengths(*values: int) -> Any:
    return device(values, "int32")


_FAR = 2**31 - 1
_NONE = (
    "ori_sparse_indices", "ori_block_table", "cmp_block_table", "cu_seqlens_q",
    "cu_seqlens_ori_kv", "cu_seqlens_cmp_kv", "seqused_q", "seqused_ori_kv", "seqused_cmp_kv",
    "ori_topk_length", "cmp_topk_length",
)  # fmt: skip
_PLAN_NONE = tuple(name for name in _NONE if "block" not in name and "indices" not in name)

RIGHT: dict[str, dict[str, Any]] = {
    "sparse_flash_mla": {
        **{f"{name}_optional": None for name in _NONE},
        "q": _half(2, 3, 4, 512), "ori_kv_optional": _half(2, 5, 1, 512),
        "cmp_kv_optional": _half(2, 2, 1, 512), "cmp_sparse_indices_optional": _ints(2, 3, 1, 512),
        "cmp_residual_kv_optional": _lengths(1, 0), "sinks_optional": ones(4),
        "metadata_optional": _ints(1024), "softmax_scale": 0.1, "cmp_ratio": 4,
        "ori_mask_mode": 4, "cmp_mask_mode": 3, "ori_win_left": 127, "ori_win_right": 0,
        "layout_q_optional": "BSND", "layout_kv_optional": "BSND", "topk_value_mode": 1,
        "return_softmax_lse": True, "attn_out_out": _half(2, 3, 4, 512),
        "softmax_lse_out_optional": ones(2, 1, 3, 4),
    },
    "sparse_flash_mla_metadata": {
        **{f"{name}_optional": None for name in _PLAN_NONE},
        "cmp_residual_kv_optional": _lengths(1, 0), "num_heads_q": 4, "num_heads_kv": 1,
        "head_dim": 512, "batch_size": 2, "max_seqlen_q": 3, "max_seqlen_ori_kv": 5,
        "max_seqlen_cmp_kv": 2, "ori_topk": 0, "cmp_topk": 512, "cmp_ratio": 4,
        "ori_mask_mode": 4, "cmp_mask_mode": 3, "ori_win_left": 127, "ori_win_right": 0,
        "layout_q_optional": "BSND", "layout_kv_optional": "BSND", "has_ori_kv": True,
        "has_cmp_kv": True, "meta_data": _ints(1024),
    },
}  # fmt: skip
RIGHT["sparse_flash_mla_grad"] = {
    **{f"{name}_optional": None for name in _NONE if "block" not in name},
    "query": _half(2, 3, 4, 512), "d_out": _half(2, 3, 4, 512), "out_": _half(2, 3, 4, 512),
    "lse": ones(2, 1, 3, 4), "ori_kv_optional": _half(2, 5, 1, 512),
    "cmp_kv_optional": _half(2, 2, 1, 512), "cmp_sparse_indices_optional": _ints(2, 3, 1, 8),
    "cmp_residual_kv_optional": _lengths(1, 0), "sinks_optional": ones(4),
    "metadata_optional": None, "scale_value": 0.1, "cmp_ratio": 4, "ori_mask_mode": 4,
    "cmp_mask_mode": 3, "ori_win_left": 127, "ori_win_right": 0, "layout_q_optional": "BSND",
    "layout_kv_optional": "BSND", "d_query_out": _half(2, 3, 4, 512),
    "d_ori_kv_out_optional": _half(2, 5, 1, 512), "d_cmp_kv_out_optional": _half(2, 2, 1, 512),
    "d_sinks_out_optional": ones(4), "ori_softmax_l1_norm_optional": None,
    "cmp_softmax_l1_norm_optional": ones(2, 3, 1, 8),
}  # fmt: skip
_MODES: tuple[tuple[str, Any], ...] = (
    ("cmp_ratio", 128), ("cmp_ratio", -1), ("ori_mask_mode", 3), ("cmp_mask_mode", 0),
    ("ori_win_left", 128), ("ori_win_right", -1), ("layout_q_optional", "TND"),
    ("layout_q_optional", "BNSD"), ("layout_kv_optional", "PA_BBND"),
    ("layout_kv_optional", "PA_BSND"), ("cmp_residual_kv_optional", None),
    ("ori_topk_length_optional", _ints(2)), ("cmp_topk_length_optional", _ints(2)),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "sparse_flash_mla": (
        *((name, value, TILING) for name, value in _MODES),
        ("q", None, NULL), ("q", ones(2, 3, 4, 512), INVALID),
        ("ori_kv_optional", ones(2, 5, 1, 512), INVALID), ("sinks_optional", _half(4), INVALID),
        ("metadata_optional", ones(1024), INVALID), ("metadata_optional", _ints(64), TILING),
        ("ori_kv_optional", None, TILING), ("sinks_optional", None, TILING),
        ("metadata_optional", None, TILING), ("cmp_kv_optional", None, TILING),
        ("q", _half(2, 3, 3, 512), TILING), ("q", _half(2, 3, 4, 256), TILING),
        ("sinks_optional", ones(3), TILING), ("ori_kv_optional", _half(3, 5, 1, 512), TILING),
        ("ori_kv_optional", _half(2, 5, 2, 512), TILING), ("topk_value_mode", 2, TILING),
        ("ori_sparse_indices_optional", _ints(2, 3, 1, 8), TILING),
        ("cmp_sparse_indices_optional", _ints(2, 3, 1, 8), TILING),
        ("cmp_sparse_indices_optional", _ints(2, 4, 1, 512), TILING),
        ("cmp_sparse_indices_optional", device([[[[_FAR] * 256 + [-_FAR] * 256]] * 3] * 2, "int32"),
         0),
        ("softmax_lse_out_optional", ones(2, 3, 4), TILING), ("return_softmax_lse", False, 0),
        ("seqused_q_optional", _lengths(_FAR, -_FAR), 0), ("seqused_q_optional", _ints(3), TILING),
        ("seqused_q_optional", ones(2), INVALID),
        ("seqused_ori_kv_optional", _lengths(_FAR, -_FAR), 0),
        ("seqused_cmp_kv_optional", _lengths(-5, _FAR), 0),
        ("cmp_residual_kv_optional", _lengths(-_FAR, _FAR), 0),
    ),
    "sparse_flash_mla_grad": (
        *((name, value, TILING) for name, value in _MODES if name not in ("cmp_ratio",)),
        *((name, None, NULL) for name in ("query", "d_out", "out_", "lse")),
        *((name, None, TILING) for name in ("ori_kv_optional", "sinks_optional")),
        *(
            (name, _ints(2), TILING)
            for name in ("seqused_q_optional", "seqused_ori_kv_optional", "metadata_optional")
        ),
        ("query", ones(2, 3, 4, 512), INVALID), ("lse", _half(2, 1, 3, 4), INVALID),
        ("d_out", ones(2, 3, 4, 512), INVALID), ("sinks_optional", _half(4), INVALID),
        ("cmp_sparse_indices_optional", ones(2, 3, 1, 8), INVALID),
        ("query", _half(2, 3, 4, 256), TILING), ("query", _half(2, 3, 129, 512), TILING),
        ("lse", ones(2, 3, 4, 1), TILING), ("out_", _half(2, 3, 2, 512), TILING),
        ("cmp_ratio", 0, TILING), ("cmp_ratio", 129, TILING), ("cmp_ratio", 7, 0),
        ("ori_sparse_indices_optional", _ints(2, 3, 1, 8), TILING),
        ("cmp_sparse_indices_optional", _ints(2, 3, 2, 8), TILING),
        ("cmp_sparse_indices_optional", _ints(2, 3, 1, 9), TILING),
        ("cmp_sparse_indices_optional", device([[[[_FAR] * 4 + [-_FAR] * 4]] * 3] * 2, "int32"), 0),
        ("cmp_sparse_indices_optional", None, 0),
        ("ori_kv_optional", _half(3, 5, 1, 512), TILING), ("sinks_optional", ones(3), TILING),
        ("cmp_residual_kv_optional", _lengths(-_FAR, _FAR), 0),
    ),
    "sparse_flash_mla_metadata": (
        *((name, value, INVALID) for name, value in _MODES),
        ("num_heads_q", 3, INVALID), ("num_heads_q", 0, INVALID), ("num_heads_kv", 2, INVALID),
        ("head_dim", 128, INVALID), ("batch_size", -1, INVALID), ("max_seqlen_q", -1, INVALID),
        ("cmp_topk", 8, INVALID), ("ori_topk", 1, INVALID), ("meta_data", _ints(64), INVALID),
        ("meta_data", ones(1024), INVALID), ("layout_q_optional", None, INVALID),
        ("seqused_ori_kv_optional", _ints(3), INVALID), ("has_cmp_kv", False, INVALID),
        ("cmp_residual_kv_optional", _ints(3), INVALID),
        ("cmp_residual_kv_optional", ones(2), INVALID),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


@pytest.mark.parametrize("shape", [(6, 1, 8), (2, 3, 1, 8, 1)])
def test_chosen_blocks_have_the_dimensions_of_queries(shape: tuple[int, ...]) -> None:
    name = "sparse_flash_mla_grad"
    status, reason = reason_of(name, RIGHT[name], {"cmp_sparse_indices_optional": _ints(*shape)})

    assert status == TILING
    assert f"cmpSparseIndicesOptional has shape {list(shape)}, it must have 4 dimensions" in reason


def _forward(
    query: Any, whole: Any, few: Any, sinks: Any, scale: float, ratio: int, residual: int
) -> Any:
    """Return the output of one sequence [rows, heads, D] in float64, of whole causal windows."""
    rows, columns = len(query), len(whole)
    keys = np.concatenate([whole, few])
    scores = np.einsum("ind,jd->nij", query, keys) * scale
    place = np.arange(rows)[:, None]
    seen = (len(few) * ratio + residual - rows + place + 1) // ratio
    hidden = np.concatenate(
        [np.arange(columns) > place + columns - rows, np.arange(len(few)) >= seen], 1
    )
    scores = np.where(hidden, -np.inf, scores)
    total = np.exp(scores).sum(-1) + np.exp(sinks)[:, None]
    return np.einsum("nij,jd->ind", np.exp(scores) / total[..., None], keys), np.log(total)


def error_of_lengths_in_use(layout: str, are_read: bool) -> float:
    """Return how far rows in use are from those of sequences as short, or of whole ones."""
    rng = np.random.default_rng(5)
    is_packed, rows, used, used_keys = layout == "TND", 5, (2, 5), (9, 6)
    query = rng.normal(0, 1, (2, rows, 4, 512)).astype(np.float16)
    whole = rng.normal(0, 1, (2, 9, 512)).astype(np.float16)
    sinks = rng.normal(0, 1, 4).astype(np.float32)
    shape = (2 * rows, 4, 512) if is_packed else query.shape
    given = {
        **RIGHT["sparse_flash_mla"], "q": device(query.reshape(shape), "float16"),
        "ori_kv_optional": device(
            whole.reshape((18, 1, 512) if is_packed else (2, 9, 1, 512)), "float16"
        ),
        "cmp_kv_optional": None, "cmp_sparse_indices_optional": None,
        "cmp_residual_kv_optional": None, "cmp_ratio": 1, "softmax_scale": 0.05,
        "sinks_optional": device(sinks), "layout_q_optional": layout, "layout_kv_optional": layout,
        "cu_seqlens_q_optional": _lengths(0, rows, 2 * rows) if is_packed else None,
        "cu_seqlens_ori_kv_optional": _lengths(0, 9, 18) if is_packed else None,
        "seqused_q_optional": _lengths(*used), "seqused_ori_kv_optional": _lengths(*used_keys),
    }  # fmt: skip
    inputs = [p.name for p in pa.ops.sparse_flash_mla.spec.inputs]

    out, lse = pa.ops.sparse_flash_mla(*(given[name] for name in inputs))

    out, lse = out.numpy().reshape(query.shape).astype(np.float64), lse.numpy().reshape(2, rows, 4)
    errors = []
    for b in range(2):
        n, keys = (used[b], used_keys[b]) if are_read else (rows, 9)
        own, expected = query[b, :n].astype(np.float64), whole[b, :keys].astype(np.float64)
        attended, logarithm = _forward(own, expected, expected[:0], sinks, 0.05, 1, 0)
        errors += [np.abs(out[b, :n] - attended).max(), np.abs(lse[b, :n] - logarithm.T).max()]
    return float(max(errors))


@pytest.mark.parametrize(("layout", "are_read"), [("BSND", True), ("TND", False)])
def test_lengths_in_use_shorten_sequences_of_samples(layout: str, are_read: bool) -> None:
    assert error_of_lengths_in_use(layout, are_read) < 5e-3


@pytest.mark.parametrize("layout", ["BSND", "TND"])
def test_the_950_reads_lengths_in_use_beside_sums(layout: str) -> None:
    call = f"error_of_lengths_in_use({layout!r}, True)"

    assert found_on("Ascend950", __name__, call) < 5e-3


def test_the_gradients_are_the_derivatives_along_some_directions() -> None:
    rng = np.random.default_rng(11)
    rows, columns, heads, ratio, scale = 4, 10, 2, 3, 0.03
    shapes = ((rows, heads, 512), (columns, 512), (columns // ratio, 512), (heads,))
    at = [rng.normal(0, 1, shape).astype(np.float16) for shape in shapes]
    grad = rng.normal(0, 1, shapes[0]).astype(np.float16)
    place = [x.astype(np.float64) for x in at]
    out, lse = _forward(*place, scale, ratio, columns % ratio)

    found = pa.ops.sparse_flash_mla_grad(
        *(device(x, "float16") for x in (at[0], grad, out)),
        device(lse.T[None]), *(device(x[:, None], "float16") for x in at[1:3]), None, None,
        *(_lengths(0, n) for n in (rows, columns, columns // ratio)), None, None, None,
        _lengths(columns % ratio), None, None, device(at[3]), None, scale, ratio, 4, 3, 127, 0,
        "TND", "TND",
    )  # fmt: skip

    for i, gradient in enumerate(x for x in found if x is not None):
        direction = rng.normal(0, 1, shapes[i])

        def loss(step: float, i: int = i, direction: Any = direction) -> Any:
            moved = [x + step * direction if j == i else x for j, x in enumerate(place)]
            return (_forward(*moved, scale, ratio, columns % ratio)[0] * grad).sum()

        expected = (loss(1e-5) - loss(-1e-5)) / 2e-5
        seen = (gradient.numpy().astype(np.float64).reshape(shapes[i]) * direction).sum()
        assert seen == pytest.approx(expected, rel=5e-3, abs=0.05)


def test_chosen_vectors_weigh_what_they_do_in_the_mean_of_all_heads() -> None:
    given = {**RIGHT["sparse_flash_mla_grad"], "lse": pa.full((2, 1, 3, 4), 51.2 + 2, "float32")}
    indices = device([[[[0, 1, 5, -1]]] * 3] * 2, "int32")
    inputs = [p.name for p in pa.ops.sparse_flash_mla_grad.spec.inputs]

    found = pa.ops.sparse_flash_mla_grad(
        *(indices if name == "cmp_sparse_indices_optional" else given[name] for name in inputs)
    )

    # Scores are 512 x 0.1. Row i of 3 sees (2 x 4 + residual - 3 + i + 1) / 4 of two vectors.
    seen = [[1, 2, 2], [1, 1, 2]]
    expected = np.array([[[[np.exp(-2.0) * (j < n) for j in range(4)]] for n in b] for b in seen])
    expected[..., 2:] = 0
    assert np.allclose(found[-1].numpy(), expected, rtol=1e-4)
