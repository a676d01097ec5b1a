"""Lossless codes of floats, which give back the bits they were made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype

#: Elements of a vector core, and of a turn: 64 rows of 64 lanes.
_CORE, _TURN, _LANES = 32768, 4096, 64
_HEADER, _TAIL = 512, 2 * _TURN + 4 * _LANES
#: Bits of each rank.
_BITS = np.array([max(1, rank.bit_length()) for rank in range(256)])

#: Elements; bytes of fixedOut for each core, 0 for as many as may be needed; whether they lie
#: together; whether the counts are found; whether all bits are equally likely.
_CASES = (
    (_CORE, 0, False, True, False), (_CORE + 7 * 64, 20000, False, False, False),
    (2 * _CORE + 5 * 64, 18000, False, True, True), (3 * _CORE + 130 * 64, 0, True, True, False),
    (_CORE, 0, True, False, True), (2 * _CORE, 256, False, True, False),
)  # fmt: skip


def room_needed(count: int) -> int:
    """Return how many bytes fixedOut and varOut must have in all."""
    return count + count // _LANES + _TAIL * (count // _CORE) + _HEADER


def _of_core(ranks: Array, room: int) -> tuple[bytes, int]:
    """Return what a core makes of its ranks, and how many of them it takes."""
    stacks, held = np.zeros((_LANES, _LANES), np.uint64), np.zeros(_LANES, np.int32)
    code, done = b"", 0
    if room < _TAIL:
        return code, done
    while done < len(ranks):
        turn = ranks[done : done + _TURN].reshape(-1, _LANES)
        levels = np.zeros(_LANES, np.int32)
        levels[: len(turn)] = _BITS[turn].max(1)
        full = held + levels > 16
        worst = len(code) + 4 * _LANES + 2 * _LANES * int(full.sum())
        if len(code) + 2 * _TAIL > room and worst + _TAIL > room:
            break
        stacks[: len(turn)] *= (1 << levels[: len(turn), None]).astype(np.uint64)
        stacks[: len(turn)] += turn
        code += (stacks[full] % 65536).astype(np.uint16).tobytes()
        code += levels.astype(np.uint16).tobytes()
        stacks[full] //= 65536
        held += levels - 16 * full
        done += turn.size
    return code + stacks.astype(np.uint16).tobytes() + held.tobytes(), done


def encoded(x: Array, counts: Array, fixed: int, var: int, *, together: bool) -> list[Array]:
    """Return the bytes of mantissaOut, fixedOut and varOut; -1 for those that stay as they were.

    Parameters
    ----------
    x : ndarray of unsigned integers
        The bits of the elements.
    counts : ndarray of int
        How often each byte is the last of an element.
    fixed, var : int
        Bytes of both results.
    together : bool
        Whether the parts of all cores lie behind one another.
    """
    size, cores = x.itemsize, len(x) // _CORE
    elements = x.view(np.uint8).reshape(-1, size)
    ranks = np.empty(256, np.uint8)
    ranks[np.argsort(-counts.ravel(), kind="stable")] = np.arange(256)
    room = min(fixed, room_needed(len(x))) if together else fixed
    each, share = len(x) // _LANES // cores * _LANES, (room - _HEADER) // cores
    mantissa = np.full((len(x), size - 1), -1, np.int16)
    results = np.full(fixed, -1, np.int16), np.full(var, -1, np.int16)
    header, place, raw = np.zeros(128, np.int32), _HEADER, 0
    for core in range(cores):
        last = core == cores - 1
        mine = elements[core * each : None if last else (core + 1) * each]
        own = share + (room - _HEADER) % cores if last else share
        code, done = _of_core(ranks[mine[:, -1]], own)
        at = place if together else _HEADER + core * share
        results[0][at : at + len(code)] = np.frombuffer(code, np.uint8)
        place += len(code)
        split = min(done + _TURN, len(mine)) if together else len(mine)
        mantissa[core * each :][:split] = mine[:split, :-1]
        left = mine[done:, -1]
        if not together:
            results[1][raw : raw + len(left)] = left
            raw += len(left)
        header[:5] += (12138, 1, len(mine) // 64, done // 64, len(left) // 64)
        header[8 + core], header[64 + core] = len(code), len(left)
    results[0][:_HEADER] = header.view(np.uint8)
    return [mantissa.ravel(), *results]


def drawn(count: int, dtype: str, rng: np.random.Generator, *, evenly: bool) -> Array:
    """Return the bits of normal numbers, or bits that are all equally likely."""
    bits = np.dtype(f"u{numpy_dtype(dtype).itemsize}")
    if evenly:
        return rng.integers(0, 1 << 8 * bits.itemsize, count).astype(bits)
    return rng.normal(0, 1, count).astype(numpy_dtype(dtype)).view(bits)


class _Parts(NamedTuple):
    """What is coded, and what it becomes."""

    label: str
    elements: Array
    before: Array
    counts: Array
    results: list[Array]
    together: bool
    finds: bool


def _parts(dtype: str, rng: np.random.Generator) -> Iterator[_Parts]:
    kind = numpy_dtype(dtype)
    poison = np.full(1, 99, kind).view(np.uint8)
    for count, each, together, finds, evenly in _CASES:
        x = drawn(count, dtype, rng, evenly=evenly)
        before = rng.integers(0, 9, (1, 256)).astype(np.int32)
        counts = before
        if finds:
            last = x.view(np.uint8)[x.itemsize - 1 :: x.itemsize]
            counts = np.bincount(last, minlength=256).astype(np.int32)[None]
        needed = -(-room_needed(count) // 4) * 4
        fixed, var = needed, 4 * _LANES
        if each:
            fixed, var = _HEADER + each * (count // _CORE), needed
        results = [
            np.where(r < 0, np.resize(poison, len(r)), r).astype(np.uint8).view(kind)
            for r in encoded(x, counts, fixed, var, together=together)
        ]
        label = f"{count} elements, {fixed} bytes, {together}, {finds}, {evenly}"
        yield _Parts(label, x.view(kind), before, counts, results, together, finds)


def _coded(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, of in enumerate(_parts(dtype, rng)):
        view = ("contiguous", "every_second")[number % 2]
        yield Case(
            of.label,
            (Operand(of.elements.reshape(64, -1), view), Operand(of.before), of.finds, of.together),
            tuple(of.results), out_dtypes=(dtype,) * 3, out_layouts=(view,) * 3,
            written=((1, of.counts),),
        )  # fmt: skip


def _restored(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, of in enumerate(_parts(dtype, rng)):
        view = ("contiguous", "every_second")[number % 2]
        given = (*(Operand(part, view) for part in of.results), Operand(of.counts))
        yield Case(of.label, (*given, of.together), (of.elements,))


_FLOATS = ("float32", "float16", "bfloat16")

SUITES = (
    Suite("hans_encode", _FLOATS, _coded),
    Suite("hans_decode", _FLOATS, _restored),
)
