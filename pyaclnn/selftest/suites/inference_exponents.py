"""Attention for inference of float8_e4m3fn throughout, whose groups of 32 share an exponent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, numpy_dtype
from pyaclnn.selftest.chips import is_late_950
from pyaclnn.selftest.formulas.narrow import narrowed
from pyaclnn.selftest.suites.inference_calls import (
    Call,
    behind_another,
    case_of,
    in_lanes,
    triangle,
)

_KIND, _GROUP = "float8_e4m3fn", 32


def _drawn(rng: np.random.Generator, most: int, *shape: int, kind: str = _KIND) -> Array:
    return rng.integers(-most, most + 1, shape).astype(numpy_dtype(kind))


def _exponents(rng: np.random.Generator, *shape: int) -> Array:
    return (2.0 ** rng.integers(0, 2, shape)).astype(numpy_dtype("float8_e8m0fnu"))


def _numbers(codes: Array, exponents: Array, axis: int) -> Array:
    wide = np.repeat(exponents.astype(np.float64), _GROUP, axis)
    return np.asarray(codes.astype(np.float64) * wide)


def _paired(x: Array, axis: int) -> Array:
    """Return exponents of tokens, of which two lie beside one another, behind all axes."""
    axis %= x.ndim
    shape = (*x.shape[:axis], x.shape[axis] // 2, 2, *x.shape[axis + 1 :])
    return np.ascontiguousarray(np.moveaxis(x.reshape(shape), axis + 1, -1))


def _of_groups(
    operator: str, rng: np.random.Generator, place: str, *, depth: int = 128, turned: int = 0,
    causal: bool = False, shared: bool = False, weight: float | None = None, block: int = 512,
    rows: tuple[int, ...] = (3, 1), lse: bool = False,
) -> Case:  # fmt: skip
    """Return a case whose keys lie behind one another, in pages, or in lanes within pages.

    ``shared`` has the queries' exponents by heads of keys. Scores are quarters, so that there are
    few weights, none of which lies between two numbers of the narrow type.
    """
    n, m = 4, 2
    columns = [128, 64] if place == "tokens" else [block + 70, 100]
    peak = 1.0 if weight is None else weight
    while True:
        q = _drawn(rng, 1, n, sum(rows), depth)
        q_rope = _drawn(rng, 1, n, sum(rows), turned, kind="bfloat16")
        by_query = _exponents(rng, n, sum(rows), depth // _GROUP)
        table = np.array([[2, 0], [3, 1]], np.int32)
        pages, room = (1, sum(columns)) if place == "tokens" else (4, block)
        k, v = (_drawn(rng, most, pages, m, room, depth) for most in (1, 40))
        k_rope = _drawn(rng, 1, pages, m, room, turned, kind="bfloat16")
        by_key = _exponents(rng, pages, m, room, depth // _GROUP)
        by_value = _exponents(rng, pages, m, room // _GROUP, depth)
        keys = np.concatenate((_numbers(k, by_key, -1), k_rope.astype(np.float64)), -1)
        values = _numbers(v, by_value, 2)
        queries = np.concatenate((_numbers(q, by_query, -1), q_rope.astype(np.float64)), -1)
        outs, sums, drawn = [], [], []
        for b, count in enumerate(columns):
            first = sum(rows[:b])
            own = queries[:, first : first + rows[b]]
            if place == "tokens":
                start = sum(columns[:b])
                key, value = (x[0, :, start : start + count] for x in (keys, values))
            else:
                key, value = (
                    np.concatenate([x[page] for page in table[b]], 1)[:, :count]
                    for x in (keys, values)
                )
            key, value = (np.repeat(x, n // m, 0) for x in (key, value))
            scores = own @ key.swapaxes(-1, -2) * 0.25
            if causal:
                ahead = np.arange(count) - np.arange(rows[b])[:, None] > count - rows[b]
                scores = np.where(ahead, -np.inf, scores)
            largest = scores.max(-1, keepdims=True)
            power = np.exp(scores - largest) * peak
            drawn.append(power.reshape(-1))
            total = power.sum(-1, keepdims=True)
            outs.append(narrowed(power, _KIND).astype(np.float64) @ value / total)
            sums.append(np.log(total / peak) + largest)
        weights = np.concatenate(drawn)
        near = [narrowed(weights * (1 + sign * 3e-6), _KIND) for sign in (-1, 1)]
        if bool((near[0] == near[1]).all()):
            break
    named: dict[str, Any] = {
        "num_heads": n, "num_key_value_heads": m, "scale_value": 0.25, "input_layout": "TND",
        "actual_seq_lengths": list(np.cumsum(rows)), "query_quant_mode": 6,
        "actual_seq_lengths_kv": list(np.cumsum(columns)) if place == "tokens" else columns,
        "key_antiquant_mode": 6, "value_antiquant_mode": 8,
    }  # fmt: skip
    if causal:
        named |= {"sparse_mode": 3, "atten_mask": triangle()}
    by_heads = _paired(by_query, -1) if shared else _paired(by_query.swapaxes(0, 1), -1)
    if shared:
        by_heads = by_heads.reshape(m, n // m, *by_heads.shape[1:]).swapaxes(1, 2)
    # The exponents of two neighbours of a row lie as they are, those of two rows beside another.
    by_keys = by_key.reshape(*by_key.shape[:-1], -1, 2)
    by_heads = np.ascontiguousarray(by_heads)
    by_values = _paired(by_value, 2)
    if place == "tokens":
        k, v, k_rope, by_keys = (x[0].swapaxes(0, 1) for x in (k, v, k_rope, by_keys))
        by_values = by_values[0].swapaxes(0, 1)
    else:
        named |= {"block_size": block, "block_table": Operand(table)}
    if place == "lanes":
        k, v, k_rope = in_lanes(k, 32), in_lanes(v, 32), in_lanes(k_rope, 16) if turned else k_rope
        shape = (pages, m, block // 16, 16, depth // 64, 2)
        by_keys = by_keys.reshape(shape).swapaxes(3, 4)
        by_values = by_values.reshape(pages, m, block // 64, depth // 16, 16, 2).swapaxes(2, 3)
    operands: dict[str, Any] = {
        "query": Operand(behind_another([q], "TND")), "dequant_scale_query": Operand(by_heads),
        "key": [Operand(np.ascontiguousarray(k))], "value": [Operand(np.ascontiguousarray(v))],
        "key_antiquant_scale": Operand(np.ascontiguousarray(by_keys)),
        "value_antiquant_scale": Operand(np.ascontiguousarray(by_values)),
    }  # fmt: skip
    if turned:
        operands["query_rope"] = Operand(behind_another([q_rope], "TND"))
        operands["key_rope"] = Operand(np.ascontiguousarray(k_rope))
    if weight is not None:
        operands["quant_scale1"] = Operand(np.array([weight], np.float32))
    golden = behind_another(outs, "TND")
    label = f"exponents {place} {depth} {turned} {causal} {shared} {weight} {block}"
    found = behind_another(sums, "TND") if lse else None
    return case_of(operator, label, Call([], [], [], named), operands, golden, found)


def of_groups(operator: str, rng: np.random.Generator) -> Iterator[Case]:
    """Return cases of exponents of groups, which the 950 has since CANN 9.1."""
    if not is_late_950():
        return
    for place in ("tokens", "pages", "lanes"):
        yield _of_groups(operator, rng, place)
        yield _of_groups(operator, rng, place, depth=64, shared=True, causal=True, weight=208.0)
        yield _of_groups(operator, rng, place, turned=64, weight=448.0, rows=(1, 7), lse=True)
    yield _of_groups(operator, rng, "pages", block=1024, rows=(2, 90), causal=True, shared=True)
