"""BlockSparseAttentionV2 of the 950 attends with queries, keys and values of float8_e4m3fn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INNER_NULL, INVALID, code_with, ones
from operators.test_sparse_attention import MANY, halves, zeros

import pyaclnn as pa
from pyaclnn.tensor import as_dtype

_OLD, _NAME = "block_sparse_attention", "block_sparse_attention_v2"
_SMALL = "float8_e4m3fn"
_HEADS, _KEY_HEADS, _DEPTH, _ROWS, _COLUMNS = 4, 2, 64, 128, 256


def _small(*shape: int) -> pa.Tensor:
    return pa.asarray(np.ones(shape, as_dtype(_SMALL)))


#: One sample of 130 queries, in two blocks, and 300 keys, in two.
_RIGHT: dict[str, Any] = {
    **dict.fromkeys(p.name for p in pa.ops[_NAME].spec.inputs), "query": _small(1, 4, 130, 64),
    "key": _small(1, 2, 300, 64), "value": _small(1, 2, 300, 64),
    "block_sparse_mask_optional": zeros(1, 4, 2, 2, dtype="int8"),
    "block_shape_optional": (_ROWS, _COLUMNS), "q_dequant_scale_optional": ones(1, 4, 2, 1),
    "k_dequant_scale_optional": ones(1, 2, 2, 1), "v_dequant_scale_optional": ones(1, 2, 2, 1),
    "q_input_layout": "BNSD", "kv_input_layout": "BNSD", "num_key_value_heads": 2, "mask_type": 0,
    "scale_value": 0.1, "inner_precise": 4, "block_size": 0, "pre_tokens": MANY,
    "next_tokens": MANY, "softmax_lse_flag": 0, "attention_out": halves(1, 4, 130, 64),
    "softmax_lse_optional": None,
}  # fmt: skip
_OF_HALVES: dict[str, Any] = {
    "query": halves(1, 4, 130, 64),
    "key": halves(1, 2, 300, 64),
    "value": halves(1, 2, 300, 64),
}
_NO_SCALES: dict[str, Any] = dict.fromkeys(f"{of}_dequant_scale_optional" for of in "qkv")
_WRONG: tuple[tuple[dict[str, Any], int], ...] = (
    ({}, 0), ({"attention_out": ones(1, 4, 130, 64, dtype="bfloat16")}, 0),
    ({"attention_out": ones(1, 4, 130, 64)}, INNER_NULL), ({"key": halves(1, 2, 300, 64)}, INVALID),
    *(({name: None}, INNER_NULL) for name in _NO_SCALES),
    ({"q_dequant_scale_optional": ones(4, 2, 1)}, INVALID),
    ({"q_dequant_scale_optional": ones(1, 4, 1, 1)}, INNER_NULL),
    ({"k_dequant_scale_optional": ones(1, 4, 2, 1)}, INNER_NULL),
    ({"v_dequant_scale_optional": ones(1, 2, 2, 1, dtype="float16")}, INNER_NULL),
    ({"block_shape_optional": (64, 256)}, INNER_NULL), ({"inner_precise": 0}, INNER_NULL),
    ({"block_shape_optional": (128, 128), "block_sparse_mask_optional": zeros(1, 4, 2, 3,
      dtype="int8"), "k_dequant_scale_optional": ones(1, 2, 3, 1),
      "v_dequant_scale_optional": ones(1, 2, 3, 1)}, INNER_NULL),
    (_OF_HALVES, INNER_NULL), ({**_OF_HALVES, **_NO_SCALES}, 0),
)  # fmt: skip


def statuses() -> list[int]:
    """Return what each call is answered with, and one of the first version."""
    old = {p.name for o in ("inputs", "outputs") for p in getattr(pa.ops[_OLD].spec, o)}
    right = {name: value for name, value in _RIGHT.items() if name in old}
    return [
        *(code_with(_NAME, _RIGHT, **changed) for changed, _ in _WRONG), code_with(_OLD, right)
    ]  # fmt: skip


def test_the_950_refuses_what_goes_with_no_scales() -> None:
    assert found_on("Ascend950", __name__, "statuses()") == [status for _, status in _WRONG] + [
        INVALID
    ]


def test_other_chips_refuse_the_type_and_read_no_scales() -> None:
    halves_with_scales = {**_OF_HALVES, "inner_precise": 0}

    assert code_with(_NAME, _RIGHT) == INNER_NULL
    assert code_with(_NAME, _RIGHT, **halves_with_scales) == 0


def _laid_out(samples: list[Any], layout: str) -> Any:
    """Return samples of [heads, tokens, any] in a layout."""
    if layout == "TND":
        return np.concatenate([x.swapaxes(0, 1) for x in samples])
    return np.stack(samples if layout == "BNSD" else [x.swapaxes(0, 1) for x in samples])


def errors(layout: str, lengths: tuple[tuple[int, int], ...]) -> list[float]:
    """Return the largest and the mean error of the result, and the largest of its statistic."""
    rng = np.random.default_rng(8)
    blocks = [-(-max(n[i] for n in lengths) // size) for i, size in enumerate((_ROWS, _COLUMNS))]

    def drawn(heads: int, side: int) -> list[Any]:
        return [
            rng.normal(0, 1, (heads, n[side], _DEPTH)).astype(as_dtype(_SMALL)) for n in lengths
        ]

    def scales(heads: int, side: int) -> Any:
        shape = (len(lengths), heads, blocks[side], 1)
        return rng.uniform(0.5, 1.5, shape).astype(np.float32)

    query, key, value = drawn(_HEADS, 0), drawn(_KEY_HEADS, 1), drawn(_KEY_HEADS, 1)
    by_rows, by_keys, by_values = scales(_HEADS, 0), scales(_KEY_HEADS, 1), scales(_KEY_HEADS, 1)
    mask = rng.random((len(lengths), _HEADS, *blocks)) < 0.6
    mask[..., 0] = True
    mask[0, 1, 0] = False  # rows that see nothing
    given = {
        **_RIGHT,
        **{
            name: pa.asarray(_laid_out(of, layout))
            for name, of in (("query", query), ("key", key), ("value", value))
        },
        "block_sparse_mask_optional": pa.asarray(mask.astype(np.int8)), "softmax_lse_flag": 1,
        "q_dequant_scale_optional": pa.asarray(by_rows),
        "k_dequant_scale_optional": pa.asarray(by_keys),
        "v_dequant_scale_optional": pa.asarray(by_values),
        "q_input_layout": layout, "kv_input_layout": layout,
        "actual_seq_lengths_optional": tuple(n[0] for n in lengths),
        "actual_seq_lengths_kv_optional": tuple(n[1] for n in lengths),
    }  # fmt: skip

    out, lse = pa.ops[_NAME](*(given[p.name] for p in pa.ops[_NAME].spec.inputs))

    outs, logarithms = [], []
    for b, (rows, columns) in enumerate(lengths):
        row_blocks, blocks_of = np.arange(rows) // _ROWS, np.arange(columns) // _COLUMNS
        q = query[b].astype(np.float64) * by_rows[b, :, row_blocks, 0].T[..., None]
        k = key[b].astype(np.float64) * by_keys[b, :, blocks_of, 0].T[..., None]
        v = value[b].astype(np.float64) * by_values[b, :, blocks_of, 0].T[..., None]
        k, v = (np.repeat(x, _HEADS // _KEY_HEADS, 0) for x in (k, v))
        seen = mask[b][:, row_blocks][:, :, blocks_of]
        scores = np.where(seen, q @ k.swapaxes(1, 2) * 0.1, -np.inf)
        largest = np.maximum(scores.max(-1, keepdims=True), -1e30)
        weights = np.exp(scores - largest)
        total = weights.sum(-1, keepdims=True)
        narrow = weights.astype(as_dtype(_SMALL)).astype(np.float64)
        outs.append(narrow @ v / np.maximum(total, 1e-30))
        with np.errstate(divide="ignore"):
            logarithms.append(np.where(total > 0, largest + np.log(total), np.inf))
    expected = _laid_out(outs, layout)
    assert out.dtype == as_dtype("bfloat16")
    wrong = np.abs(out.numpy().astype(np.float64) - expected) / np.abs(expected).max()
    statistic = _laid_out(logarithms, layout)
    seen_lse = lse.numpy()
    assert (np.isinf(seen_lse) == np.isinf(statistic)).all()
    finite = np.isfinite(statistic)
    return [
        float(wrong.max()), float(wrong.mean()),
        float(np.abs(seen_lse[finite] - statistic[finite]).max()),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("layout", "lengths"),
    [
        ("BNSD", ((130, 600), (130, 600))), ("BSND", ((130, 300),)),
        ("TND", ((130, 600), (40, 266))),
    ],
)  # fmt: skip
def test_weights_become_narrow_and_blocks_have_scales(
    layout: str, lengths: tuple[tuple[int, int], ...]
) -> None:
    largest, mean, statistic = found_on("Ascend950", __name__, f"errors({layout!r}, {lengths!r})")

    assert largest < 0.02
    assert mean < 1e-3
    assert statistic < 1e-4
