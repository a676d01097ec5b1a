"""Tokens into caches that lie in blocks, and back; the state of sequences that are decoded."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_950, is_a2_or_a3, lacks_narrow
from pyaclnn.selftest.suites.caches import in_fractals

_COPIED = ("float16", "bfloat16", "int8", "float8_e5m2", "float8_e4m3fn")
#: Of the 950.
_INTEGERS = ("uint8", "int16", "uint16", "int32", "uint32")


def _filled(rng: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> Array:
    return rng.integers(-99, 99, shape).astype(numpy_dtype(dtype))


def _flat_fractals(cache: Array, deep: bool) -> Array:
    blocks, tokens, heads, depth = cache.shape
    lane = 32 // cache.dtype.itemsize
    middle = (heads, depth // lane) if deep else (heads * depth // lane,)
    return in_fractals(cache).reshape(blocks, *middle, tokens, lane)


def _scattered(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16() or lacks_narrow(dtype, (8, 0)) or (dtype in _INTEGERS and not is_950()):
        return
    tokens, blocks, block = 11, 4, 5
    for mode, way in (
        ("Norm", "None"), ("Norm", None), (None, None), ("PA_NZ", "None"), ("PA_NZ", "deep"),
        ("Norm", "NHSD"), ("Norm", "Nct"),
    ):  # fmt: skip
        if way == "NHSD" and is_950():
            continue
        for kind in ("int32", "int64"):
            heads, depths = 3, (64, 32)
            slots = rng.permutation(blocks * block)[:tokens].astype(kind)
            slots[2] = -1
            keys, caches, new = [], [], []
            for depth in depths:
                key = _filled(rng, dtype, (tokens, heads, depth))
                cache = _filled(rng, dtype, (blocks, block, heads, depth))
                after = cache.copy()
                # Tokens of Nct overlap.
                stride, offset = depth * 5 // 2, depth // 2
                for token, slot in enumerate(slots):
                    row = key[token]
                    if way == "Nct":
                        row = key.ravel()[offset + token * stride :][: heads * depth]
                    if slot >= 0:
                        after[slot // block, slot % block] = row.reshape(heads, depth)
                if mode == "PA_NZ":
                    cache, after = (_flat_fractals(c, way == "deep") for c in (cache, after))
                if way == "NHSD":
                    cache, after = (np.ascontiguousarray(c.swapaxes(1, 2)) for c in (cache, after))
                keys.append(Operand(key))
                caches.append(Operand(cache))
                new.append(after)
            inputs = (
                keys[0], caches[0], Operand(slots), keys[1], caches[1], None, None, None, mode,
                "None" if way == "deep" else way,
                *(([n * 5 // 2 for n in depths], [n // 2 for n in depths]) * (way == "Nct")
                  or (None, None)),
            )  # fmt: skip
            yield Case(f"{mode} {way} {kind}", inputs, tuple(new))
    if is_950() or dtype != "int8":
        for way in ("Alibi", "Rope", "Omni"):
            yield _compressed(dtype, rng, way)


def _kept(rows: Array, way: str, start: int, window: int, dtype: str) -> Array:
    """Return what of a head's rows a cache takes.

    Means of integers lose their fraction; sums have 32 bits, which those of uint32 do not fit.
    """
    length = len(rows)
    if way == "Alibi":
        return rows[length - window :]
    if start < 0 or window == 0:
        return rows
    total = rows[start : start + window].sum(0, keepdims=True)
    mean = np.trunc(total % 2**32 / window) if dtype == "uint32" else total / window
    mean = np.trunc(mean) if "int" in dtype else mean
    parts = (rows[:start], *((mean,) if way == "Rope" else ()), rows[start + window :])
    return np.concatenate(parts)


def _compressed(dtype: str, rng: np.random.Generator, way: str, padded: bool = False) -> Case:
    heads, depth, blocks, block = 2, 32, 6, 8
    lengths = np.array([5, 7, 3])
    windows = rng.integers(1, 3, (len(lengths), heads))
    starts = rng.integers(0, 2, windows.shape)
    starts[0, 1], windows[1, 0] = -1, 0
    slots = np.arange(windows.size).reshape(windows.shape) * 8
    ends = np.cumsum(lengths)
    longest = int(lengths.max())
    keys, caches, new = [], [], []
    for _ in range(2):
        shape = (len(lengths), longest, heads, depth) if padded else (ends[-1], heads, depth)
        key = _filled(rng, dtype, shape)
        key = key if "int" in dtype else np.abs(key)
        cache = _filled(rng, dtype, (blocks, block, 1, depth))
        flat = cache.reshape(-1, depth).astype(np.float64)
        for b, length in enumerate(lengths):
            begin = ends[b] - length
            rows = key[b, :length] if padded else key[begin : begin + length]
            for n in range(heads):
                wide = rows[:, n].astype(np.float64)
                kept = _kept(wide, way, starts[b, n], windows[b, n], dtype)
                flat[slots[b, n] : slots[b, n] + len(kept)] = kept
        keys.append(Operand(key))
        caches.append(Operand(cache))
        after = flat.astype(cache.dtype) if dtype.startswith("float8") else flat
        new.append(after.reshape(cache.shape))
    ints = [
        Operand((x if padded and x.ndim > 1 and x is not starts else x.ravel()).astype(np.int32))
        for x in (slots, windows, starts, lengths)
    ]
    inputs = (
        keys[0], caches[0], ints[0], keys[1], caches[1], ints[1],
        None if way == "Alibi" else ints[2], ints[3], "Norm", way, None, None,
    )  # fmt: skip
    return Case(f"{way} {padded}", inputs, tuple(new))


def _single(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    plain = next(iter(_scattered(dtype, rng)))
    yield Case("tokens", (*plain.inputs[:3], None, None, None, "Norm"), plain.golden[:1])
    if not dtype.startswith("float8"):
        for way in ("Alibi", "Rope"):
            case = _compressed(dtype, rng, way, padded=True)
            inputs = (*case.inputs[:3], *case.inputs[5:8], "Norm")
            yield Case(f"{way} of rows", inputs, case.golden[:1])


def _gathered(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16() or lacks_narrow(dtype, (8, 0)):
        return
    blocks, block, heads = 9, 4, 2
    for mode in ("Norm", "PA_NZ"):
        for summed in (False, True):
            for shifted in (False, True):
                lengths = np.array([3, 8, 0, 5])
                tables = rng.permutation(blocks * 4)[: 4 * 5].reshape(4, 5) % blocks
                starts = np.array([0, 5, 4, 9]) if shifted else np.zeros(4, int)
                caches, refs, new = [], [], []
                for depth in (64, 32):
                    cache = _filled(rng, dtype, (blocks, block, heads, depth))
                    rows = np.concatenate(
                        [
                            cache[tables[b, starts[b] // block :]].reshape(-1, heads, depth)[:n]
                            for b, n in enumerate(lengths)
                        ]
                    )
                    old = _filled(rng, dtype, rows.shape)
                    if mode == "PA_NZ":
                        cache = _flat_fractals(cache, False)
                        rows, old = (x.reshape(len(x), -1) for x in (rows, old))
                    caches.append(Operand(cache))
                    refs.append(Operand(old))
                    new.append(rows)
                counted = np.concatenate(([0], np.cumsum(lengths))) if summed else lengths
                inputs = (
                    *caches, Operand(tables.astype(np.int32)), Operand(counted.astype(np.int32)),
                    *refs, Operand(starts.astype(np.int32)) if shifted else None, mode, summed,
                )  # fmt: skip
                yield Case(f"{mode} {summed} {shifted}", inputs, tuple(new))


def _stepped(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for sequences, queries, block in ((2, 1, 3), (8, 5, 4), (9, 8, 16)):
        tokens, positions, slots = (rng.integers(5, 50, sequences) for _ in range(3))
        lengths = rng.integers(1, 4 * block, sequences)
        sampled = rng.integers(5, 50, (queries, 1))
        tables = rng.integers(0, 50, (sequences, 5))
        new = [x.copy() for x in (tokens, positions, lengths, slots)]
        # Of the sequences without a query the kernel marks the first.
        new[0][queries], new[1][queries], new[3][queries] = 0, 0, -1
        new[0][:queries] = sampled[:, 0]
        at = lengths[:queries]
        new[1][:queries], new[2][:queries] = at, at + 1
        # The block is one of the first row, with an offset: what the document's formula says.
        page = tables[0, at // block] + tables.shape[1] * np.arange(queries)
        new[3][:queries] = page * block + at % block
        inputs = tuple(Operand(x) for x in (tokens, sampled, positions, lengths, slots, tables))
        yield Case(f"{sequences} {queries}", (*inputs, sequences, queries, block), tuple(new))


def _speculated(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for plain in _stepped(dtype, rng):
        yield Case(plain.label, (*plain.inputs[:6], None, None, *plain.inputs[6:]), plain.golden)
    for sequences, more, block in ((2, 3, 8), (5, 1, 4), (3, 7, 16)):
        each = 1 + more
        tokens, positions, lengths, slots = (
            rng.integers(5, 50, sequences * each) for _ in range(4)
        )
        sampled = rng.integers(5, 50, (sequences, each))
        accepted = rng.integers(0, each, sequences)
        for row, count in zip(sampled, accepted, strict=True):
            row[count + 1 :] = -1
        proposed = rng.integers(5, 50, (sequences, more))
        tables = rng.integers(0, 50, (sequences, 70 // block + 1))
        moved = positions + np.repeat(accepted, each) + 1
        last = sampled[np.arange(sequences), accepted]
        row = np.repeat(np.arange(sequences), each)
        golden = (
            np.concatenate((last[:, None], proposed), 1).ravel(), moved, moved + 1,
            tables[row, moved // block] * block + moved % block,
        )  # fmt: skip
        state = (tokens, sampled, positions, lengths, slots, tables, proposed, accepted)
        inputs = (*(Operand(x) for x in state), sequences, sequences, block)
        yield Case(f"{sequences} {more}", inputs, golden)


SUITES = (
    Suite("advance_step", ("int64",), _stepped),
    Suite("advance_step_v2", ("int64",), _speculated),
    Suite("gather_pa_kv_cache", _COPIED, _gathered),
    Suite("scatter_pa_cache", (*_COPIED, *_INTEGERS), _single, chip="Ascend910_95"),
    Suite("scatter_pa_kv_cache", (*_COPIED, *_INTEGERS), _scattered),
)
