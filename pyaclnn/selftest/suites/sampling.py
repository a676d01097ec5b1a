"""Samples of categories, and random numbers as the threads of a grid draw them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_950, is_a2_or_late_950
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.random_numbers import SEEDS, fractions, philox

Shape = tuple[int, ...]
_INTEGERS = {
    "bool": 2, "int8": 2**7, "uint8": 2**8, "int16": 2**15, "int32": 2**31, "int64": 2**63,
    "float32": 2**24 + 1, "float16": 2**11 + 1, "bfloat16": 2**8 + 1, "float64": 2**31,
}  # fmt: skip


def threads(count: int) -> int:
    """Return how many threads draw so many numbers: blocks of 256, at most 624 of them."""
    return 256 * min(-(-count // 256), 8 * 78)


def of_threads(thread: Array, block: Array, seed: int) -> Array:
    """Return the four words of each thread's block, blocks counted from the start of its stream."""
    low, high = np.uint64(0xFFFFFFFF), np.uint64(32)
    columns = [n & low if half == 0 else n >> high for n in (block, thread) for half in (0, 1)]
    return np.asarray(philox(np.stack(columns, axis=1), seed))


def spread(count: int, seed: int, start: int, each: int, ahead: int = 0, first: int = 0) -> Array:
    """Return two words for each element from the ``first`` on, ``each`` elements of one block.

    A thread takes elements as many apart as there are threads; ``ahead`` words of its stream are
    left out.
    """
    element = np.arange(first, count, dtype=np.uint64)
    if not count:
        return np.zeros((0, 2), np.uint64)
    total = np.uint64(threads(count))
    thread, turn = element % total, element // total
    block = turn // np.uint64(each) + np.uint64(start % 2**64)
    both = np.hstack([of_threads(thread, block + np.uint64(i), seed) for i in (0, 1)])
    word = (turn % np.uint64(each)).astype(np.int64) * (4 // each) + ahead
    return np.take_along_axis(both, word[:, None] + np.arange(2), axis=1)


def open_fractions(words: Array) -> Array:
    """Return numbers of (0, 1], in float32 as kernels have them."""
    values = words.astype(np.float32) * np.float32(2.3283064e-10) + np.float32(1.1641532e-10)
    return np.asarray(values)


def all_integers(count: int, dtype: str, seed: int, offset: int) -> Array:
    """Return integers from 0 up to the largest before a type leaves some out."""
    start, most = -(-offset // 4), _INTEGERS[dtype]
    if most < 2**32:
        word = spread(count, seed, start, 4)[:, 0]
    else:
        pair = spread(count, seed, start, 2)
        word = pair[:, 0] << np.uint64(32) | pair[:, 1]
    return np.asarray(word % np.uint64(most), np.int64)


def exponential(count: int, rate: float, seed: int, offset: int) -> Array:
    """Return numbers of an exponential distribution."""
    offset %= 2**64
    ahead = {2: 2, 3: 3}.get(offset % 4, 0)
    u = open_fractions(spread(count, seed, offset // 4, 4, ahead)[:, 0])
    half = np.finfo(np.float32).eps / 2
    return np.asarray(np.where(u < 1 - half, -np.log(u.astype(np.float64)), half) / rate)


def kept(count: int, size: int, seed: int, offset: int, drop: float) -> Array:
    """Return which elements dropout keeps, each thread taking 16 bytes of neighbours at a time."""
    start = np.uint64((-(-offset // 4)) % 2**64)
    side = 1
    if count % 2 == 0:
        side = min(8, 16 // size)
        while count % side:
            side //= 2
    if side == 1:
        words = spread(count, seed, int(start), 4)[:, 0]
    else:
        element = np.arange(count, dtype=np.uint64)
        group, total = element // np.uint64(side), np.uint64(threads(count))
        blocks = np.uint64(max(1, side // 4))
        block = start + group // total * blocks + element // np.uint64(4) % blocks
        lane = (element % np.uint64(min(side, 4))).astype(np.int64)[:, None]
        words = np.take_along_axis(of_threads(group % total, block, seed), lane, axis=1)[:, 0]
    return np.asarray(open_fractions(words) < np.float32(1) - np.float32(drop))


def sampled(weights: Array, count: int, replacement: bool, seed: int, offset: int) -> Array:
    """Return categories of each row: of sums and uniform numbers, or of the largest ratios."""
    name = weights.dtype.name
    bits = {"float16": 10, "bfloat16": 7}.get(name, 23)
    wide = weights.astype(np.float64).reshape(-1, weights.shape[-1])
    if replacement and count > 1:
        sums = np.cumsum(wide, axis=1) / wide.sum(axis=1, keepdims=True)
        u = fractions(count, seed, offset, bits)
        found = (u[None, None, :] >= sums[:, :, None]).sum(axis=1)
    else:
        u = fractions(wide.size, seed, offset, bits).astype(np.float32).reshape(wide.shape)
        drawn = np.abs(np.log(np.float32(1) - u)) + np.float32(1e-7)
        with np.errstate(over="ignore"):
            ratio = (wide / drawn.astype(weights.dtype).astype(np.float64)).astype(weights.dtype)
        found = np.argsort(-ratio.astype(np.float64), axis=1, kind="stable")[:, :count]
    return np.asarray(found.reshape(*weights.shape[:-1], count), np.int64)


def _seeds(tensors: bool, seed: int, offset: int) -> tuple[Any, ...]:
    if not tensors:
        return seed, offset
    # The offset of the call is added to that in memory.
    return Operand(np.array([seed], np.int64)), Operand(np.array([offset - 3], np.int64)), 3


def _multinomial(tensors: bool) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if tensors and not has_bfloat16():
            return

        def case(
            shape: Shape, count: int, replacement: bool, seed: int = 42, offset: int = 4,
            layout: str = "contiguous",
        ) -> Case:  # fmt: skip
            weights = rng.integers(1, 9, shape).astype(numpy_dtype(dtype))
            golden = sampled(weights, count, replacement, seed, offset)
            outs = ((layout,), ("int64",)) if layout != "contiguous" else ((), ())
            inputs = (Operand(weights, layout), count, replacement, *_seeds(tensors, seed, offset))
            return Case(f"{shape} {count} {replacement} {seed} {layout}", inputs, (golden,), *outs)

        for replacement in (True, False):
            for shape, count in (((7,), 1), ((7,), 5), ((3, 5), 5), ((1, 1), 1), ((40, 300), 20),
                                 ((2, 6000), 3)):  # fmt: skip
                yield case(shape, count, replacement)
            for seed, offset in SEEDS:
                yield case((2, 9), 4, replacement, seed, offset)
            for layout in LAYOUTS[1:]:
                yield case((6, 7), 3, replacement, layout=layout)
        yield case((3, 4), 9, True)

    return cases


def _filled(tensors: bool) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not is_950():
            return

        def case(shape: Shape, seed: int = 42, offset: int = 4, layout: str = "contiguous") -> Case:
            golden = all_integers(int(np.prod(shape)), dtype, seed, offset).reshape(shape)
            target = Operand(np.ones(shape, numpy_dtype(dtype)), layout)
            inputs = (target, *_seeds(tensors, seed, offset))
            return Case(f"{shape} {seed} {offset} {layout}", inputs, (golden,))

        for shape in ((3, 5), (), (1025,), (2, 1, 2, 1, 2, 1, 2, 3), (0, 3)):
            yield case(shape)
        if dtype in ("float32", "int64"):
            yield case((2, 90_000))  # more than there are threads
        for seed, offset in SEEDS:
            yield case((33,), seed, offset)
        for layout in LAYOUTS[1:]:
            yield case((6, 7), layout=layout)

    return cases


def _exponential(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_late_950():
        return

    def case(
        shape: Shape, rate: float = 1.0, seed: int = 42, offset: int = 4,
        layout: str = "contiguous",
    ) -> Case:  # fmt: skip
        count = int(np.prod(shape))
        golden = exponential(count, rate, seed, offset).reshape(shape)
        target = Operand(np.ones(shape, numpy_dtype(dtype)), layout)
        label = f"{shape} {rate} {seed} {offset} {layout}"
        return Case(label, (target, count, rate, seed, offset), (golden,))

    for shape in ((3, 5), (), (1025,), (2, 1, 2, 1, 2, 1, 2, 3), (0, 3)):
        yield case(shape)
    if dtype == "float32":
        yield case((2, 90_000))  # more than there are threads
    for seed, offset in (*SEEDS, (3, 1), (3, 2), (3, 3)):
        yield case((33,), 0.5, seed, offset)
    for layout in LAYOUTS[1:]:
        yield case((6, 7), 3.0, layout=layout)


def _dropout(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    kind = numpy_dtype(dtype)

    def case(
        shape: Shape, drop: float = 0.5, seed: int = 42, offset: int = 4,
        layout: str = "contiguous",
    ) -> Case:  # fmt: skip
        values = rng.normal(size=shape).astype(kind)
        count = int(np.prod(shape))
        keep = kept(count, kind.itemsize, seed, offset, drop) if count else np.zeros(0, bool)
        factor = np.float32(1) / (np.float32(1) - np.float32(drop)) if drop < 1 else 0
        golden = np.where(keep.reshape(shape), values.astype(np.float64) * np.float64(factor), 0)
        # Bytes of the mask beyond the last element keep what was there.
        bits: Any = np.packbits(keep, bitorder="little") if count % 128 == 0 else None
        if count and drop in (0.0, 1.0):
            bits = np.full(-(-count // 128) * 16, 0 if drop else 255, np.uint8)
        outs = (layout, "contiguous") if layout != "contiguous" and bits is not None else ()
        inputs = (Operand(values, layout), None, drop, seed, offset)
        label = f"{shape} {drop} {seed} {offset} {layout}"
        return Case(label, inputs, (golden, bits), outs, (dtype, "uint8") if outs else ())

    for shape in ((128,), (3, 5), (6,), (12,), (20,), (), (4, 32, 2), (3, 60_000), (180_001,),
                  (0, 3), (2, 1, 2, 1, 2, 1, 2, 3)):  # fmt: skip
        yield case(shape)
    for drop in (0.0, 1.0, 0.1, 0.9, 0.99999999):
        yield case((4, 64), drop)
    for seed, offset in (*SEEDS, (3, 1), (3, 7)):
        yield case((256,), 0.3, seed, offset)
    for layout in LAYOUTS[1:]:
        yield case((8, 16), layout=layout)


_FLOATS = ("float32", "float16", "bfloat16")
_NEWEST = "Ascend910_95"

SUITES: tuple[Suite, ...] = (
    Suite("multinomial", (*_FLOATS, "float64"), _multinomial(False)),
    Suite("multinomial_tensor", (*_FLOATS, "float64"), _multinomial(True)),
    *(Suite("inplace_random_without_from_to" + name, tuple(_INTEGERS), _filled(bool(name)),
            chip=_NEWEST) for name in ("", "_tensor")),
    Suite("sim_thread_exponential", _FLOATS, _exponential),
    Suite("dropout_v3", _FLOATS, _dropout, chip=_NEWEST),
)  # fmt: skip
