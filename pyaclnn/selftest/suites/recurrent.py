"""States that tokens change one after the other, and causal convolutions, token by token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite
from pyaclnn.selftest.chips import NEWEST, has_bfloat16, is_950, is_a2_or_a3
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.positions import drawn

_HALVES = ("float16", "bfloat16")


def _int32(values: Sequence[int] | Array) -> Operand:
    return Operand(np.asarray(values, np.int32))


def _delta(
    state: Array, q: Array, k: Array, v: Array, beta: float, gate: Array, scale: float
) -> tuple[Array, Array]:
    """Return the new state, [v, k], and what a query reads from it, as the document writes it."""
    decayed = state * np.exp(gate)
    new = decayed + beta * np.outer(v - decayed @ k, k)
    return new, new @ q * scale


def _tokens(
    rng: np.random.Generator, total: int, heads: tuple[int, int], depths: tuple[int, int]
) -> list[Array]:
    """Return queries, keys, values and strengths."""
    (few, many), (dk, dv) = heads, depths
    shapes = ((total, few, dk), (total, few, dk), (total, many, dv), (total, many))
    bounds = ((0.1, 1), (0.01, 2 / dk), (0.5, 2), (0.1, 0.9))
    return [drawn(rng, "bfloat16", s, *b) for s, b in zip(shapes, bounds, strict=True)]


def _chunks(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for lengths, heads, depths, gated, where in (
        ((1,), (1, 1), (8, 8), True, "contiguous"), ((5, 70), (2, 4), (16, 40), True, "offset"),
        ((130, 3, 1), (2, 2), (128, 128), False, "contiguous"),
        ((4, 9), (1, 3), (7, 5), True, "every_second"),
    ):  # fmt: skip
        total, many = sum(lengths), heads[1]
        given = _tokens(rng, total, heads, depths)
        states = drawn(rng, dtype, (len(lengths), many, depths[1], depths[0]), 0.5, 2)
        gate = rng.uniform(-0.2, -0.01, (total, many)).astype(np.float32) if gated else None
        q, k, v, beta = (x.astype(np.float64) for x in given)
        out, last = np.zeros(v.shape), states.astype(np.float64)
        ends = np.cumsum(lengths)
        for b, end in enumerate(ends):
            for t in range(end - lengths[b], end):
                for h in range(many):
                    share = h // (many // heads[0])
                    last[b, h], out[t, h] = _delta(
                        last[b, h], q[t, share], k[t, share], v[t, h], beta[t, h],
                        np.float64(0 if gate is None else gate[t, h]), 0.5,
                    )  # fmt: skip
        yield Case(
            f"{lengths} {heads} {depths} {gated} {where}",
            (
                *(Operand(x, where) for x in given), Operand(states, where), _int32(lengths),
                None if gate is None else Operand(gate, where), 0.5,
            ),
            (out, last),
        )  # fmt: skip


def _recurrences(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for lengths, heads, depths, gated, keyed, accepts in (
        ((1,), (1, 1), (8, 8), True, False, False), ((3, 8), (2, 4), (16, 40), True, True, True),
        ((2, 1, 4), (3, 3), (128, 64), False, True, False),
        ((5,), (1, 2), (9, 3), False, False, True),
    ):  # fmt: skip
        total, many = sum(lengths), heads[1]
        given = _tokens(rng, total, heads, depths)
        states = drawn(rng, dtype, (total + 2, many, depths[1], depths[0]), 0.5, 2)
        slots = rng.permutation(total + 2)[:total]
        taken = [int(rng.integers(1, n + 1)) for n in lengths] if accepts else None
        gate, keys = (
            rng.uniform(-0.2, -0.01, shape).astype(np.float32) if wanted else None
            for wanted, shape in ((gated, (total, many)), (keyed, (total, many, depths[0])))
        )
        q, k, v, beta = (x.astype(np.float64) for x in given)
        old = states.astype(np.float64)
        out, new = np.zeros(v.shape), old.copy()
        for b, end in enumerate(np.cumsum(lengths)):
            first = end - lengths[b]
            for h in range(many):
                state = old[slots[first + (taken[b] - 1 if taken else 0)], h]
                share = h // (many // heads[0])
                for t in range(first, end):
                    decay = np.zeros(depths[0]) if keys is None else keys[t, h].astype(np.float64)
                    decay = decay + (0 if gate is None else float(gate[t, h]))
                    state, out[t, h] = _delta(
                        state, q[t, share], k[t, share], v[t, h], beta[t, h], decay, 0.25
                    )
                    new[slots[t], h] = state
        yield Case(
            f"{lengths} {heads} {depths} {gated} {keyed} {accepts}",
            (
                *(Operand(x) for x in given), Operand(states), _int32(lengths), _int32(slots),
                *(None if x is None else Operand(x) for x in (gate, keys)),
                None if taken is None else _int32(taken), 0.25,
            ),
            (out,), written=((4, new),),
        )  # fmt: skip


def _masked_sizes() -> Iterator[tuple[int, int, int, bool, str]]:
    for where in LAYOUTS:
        yield 5, 2, 384, True, where
    yield 1, 1, 384, False, "contiguous"
    yield 2, 3, 448, True, "contiguous"
    yield 600, 2, 384, True, "contiguous"


def _masked(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    for tokens, batch, channels, masked, where in _masked_sizes():
        x = drawn(rng, dtype, (tokens, batch, channels), 0.5, 2)
        weight = drawn(rng, dtype, (3, channels), 0.1, 1)
        mask = rng.random((batch, tokens)) < 0.7 if masked else None
        wide, w = x.astype(np.float64), weight.astype(np.float64)
        out = np.zeros(wide.shape)
        for i in range(tokens):
            for k in range(min(3, i + 1)):
                out[i] += wide[i - k] * w[2 - k]
        if mask is not None:
            out *= mask.T[..., None]
        inputs = (Operand(x, where), Operand(weight), None if mask is None else Operand(mask))
        yield Case(f"{tokens} {batch} {channels} {masked} {where}", inputs, (out,))


def _masked_backward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    for tokens, batch, channels, masked, where in _masked_sizes():
        grad, x = (drawn(rng, dtype, (tokens, batch, channels), 0.5, 2) for _ in range(2))
        weight = drawn(rng, dtype, (3, channels), 0.1, 1)
        mask = rng.random((batch, tokens)) < 0.7 if masked else None
        g, wide, w = (y.astype(np.float64) for y in (grad, x, weight))
        if mask is not None:
            g = g * mask.T[..., None]
        grad_x, grad_w = np.zeros(g.shape), np.zeros(w.shape)
        # Of out[i] = sum of x[i - k] weight[2 - k].
        for i in range(tokens):
            for k in range(min(3, i + 1)):
                grad_x[i - k] += g[i] * w[2 - k]
                grad_w[2 - k] += (g[i] * wide[i - k]).sum(0)
        mask_given = None if mask is None else Operand(mask)
        inputs = (Operand(grad, where), Operand(x), Operand(weight), mask_given)
        label = f"{tokens} {batch} {channels} {masked} {where}"
        yield Case(label, inputs, (grad_x, grad_w))


def _cached(dtype: str, rng: np.random.Generator, in_place: bool) -> Iterator[Case]:
    if not is_950():
        return

    def case(
        lengths: Sequence[int], kept: int, *, packed: bool = True, lines: bool = True,
        accepted: Sequence[int] = (), computed: Sequence[int] = (), block: int = 0,
        adds: bool = False, mode: int = 0, pad: int = -1, longest: int = 0,
    ) -> Case:  # fmt: skip
        batch, total, channels = len(lengths), sum(lengths), 80
        shape = (total, channels) if packed else (batch, lengths[0], channels)
        x = drawn(rng, dtype, shape, 0.5, 2)
        weight = drawn(rng, dtype, (3, channels), 0.1, 1)
        columns = 6
        states = drawn(rng, dtype, (batch * columns, kept, channels), 0.5, 2)
        table = rng.permutation(batch * columns).reshape(batch, columns)
        index: Any = table if block else table[:, 0]
        if pad >= 0:
            index[-1] = pad
        rows = x.astype(np.float64).reshape(total, channels)
        w = weight.astype(np.float64)
        old = states.astype(np.float64)
        y, new = rows.copy() if in_place else np.zeros(rows.shape), old.copy()
        firsts, lasts, starts = [], [], []
        end = 0
        for b, length in enumerate(lengths):
            first, end = end, end + length
            before = computed[b] if computed else -1
            if block:
                firsts.append(before // block)
                lasts.append((before + length - 1) // block)
                starts.append(max(0, (before - 1) // block))
                source, target = table[b, starts[b]], table[b, lasts[b]]
            else:
                source = target = index[b] if lines else b
            if lines and source == pad:
                continue
            offset = 0 if before == 0 else accepted[b] - 1 if accepted else kept - 2
            cached = np.zeros((2, channels)) if before == 0 else old[source, : offset + 2]
            padded = np.concatenate((cached, rows[first:end]))
            count = min(kept, len(padded))
            new[target, kept - count :] = padded[len(padded) - count :]
            seen = padded[offset:]
            for full in range(firsts[b], lasts[b]) if block else ():
                ends = (full + 1) * block - before  # of its tokens in this sequence
                new[table[b, full], kept - 2 :] = seen[ends : ends + 2]
            for i in range(length):
                y[first + i] = (w * seen[i : i + 3]).sum(0)
                if mode == 1 and i < 2 - before:
                    y[first + i] = 0
                if adds:
                    y[first + i] += rows[first + i]
        ends_of = np.concatenate(([0], np.cumsum(lengths)))
        given = [
            Operand(x), Operand(weight), Operand(states), _int32(ends_of) if packed else None,
            _int32(index) if lines else None, None, None,
            *(_int32(n) if len(n) else None for n in (accepted, computed, firsts, lasts, starts)),
            0, pad, 0, longest or max(lengths), int(adds), block or 128, mode,
        ]  # fmt: skip
        label = (
            f"{lengths} {kept} {packed} {lines} {accepted} {computed} {block} {adds} {mode} {pad}"
        )
        result = y.reshape(shape)
        if in_place:
            return Case(label, tuple(given), (result, new))
        return Case(label, tuple(given), (result,), written=((2, new),))

    yield case((9, 12), 2)
    yield case((1, 300), 2, lines=False, adds=True)
    yield case((2, 5, 1), 4, accepted=(1, 2, 3))
    yield case((2, 5, 1), 4, accepted=(1, 2, 3), computed=(7, 0, 2), adds=True)
    yield case((4, 4), 5, packed=False)
    yield case((4, 4), 5, packed=False, accepted=(3, 1), lines=False, mode=1, computed=(1, 5))
    yield case((9, 1, 2), 3, computed=(0, 1, 0), mode=1, adds=True)
    yield case((11, 20, 2), 2, computed=(0, 5, 12), block=8)
    yield case((8, 3), 4, computed=(8, 6), block=4, accepted=(2, 1), mode=1)
    if in_place:
        yield case((2, 3), 3, pad=7)


def _fused(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _cached(dtype, rng, in_place=False)


def _in_place(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _cached(dtype, rng, in_place=True)


SUITES = (
    Suite("chunk_gated_delta_rule", ("bfloat16",), _chunks),
    Suite("recurrent_gated_delta_rule", ("bfloat16",), _recurrences),
    Suite("masked_causal_conv1d", _HALVES, _masked, chip=NEWEST),
    Suite("masked_causal_conv1d_backward", _HALVES, _masked_backward, chip=NEWEST),
    Suite("fused_causal_conv1d", _HALVES, _fused, chip=NEWEST),
    Suite("inplace_fused_causal_conv1d", _HALVES, _in_place, chip=NEWEST),
)
