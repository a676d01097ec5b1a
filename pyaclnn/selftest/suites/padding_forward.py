"""Padding: with a number or with elements, of every number of axes; cut off, views, empty ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite
from pyaclnn.selftest.chips import has_bfloat16, lacks_narrow, release
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact, values_of

_KINDS = (
    "float32", "float16", "bfloat16", "float64", "int8", "uint8", "int16", "int32", "int64",
)  # fmt: skip
_COMPLEX = ("complex64", "complex128")
_FLOAT8 = ("float8_e5m2", "float8_e4m3fn", "float8_e8m0fnu")


def _pairs(padding: tuple[int, ...], rank: int) -> list[tuple[int, int]]:
    """Return what NumPy takes: outermost dimension first."""
    given = [(padding[i], padding[i + 1]) for i in range(0, len(padding), 2)]
    return [(0, 0)] * (rank - len(given)) + given[::-1]


def _constant(values: Array, padding: tuple[int, ...], number: complex) -> Array:
    pairs = _pairs(padding, values.ndim)
    if not pairs:
        return values
    widths = [(max(0, a), max(0, b)) for a, b in pairs]
    grown = np.pad(values, widths, constant_values=number)
    cut = tuple(
        slice(max(0, -a), n - max(0, -b)) for (a, b), n in zip(pairs, grown.shape, strict=True)
    )
    return np.asarray(grown[cut])


def _in_pairs(shape: tuple[int, ...], padding: tuple[int, ...]) -> bool:
    """Whether the axis that is padded last, with those behind it, has even numbers of elements."""
    behind = 1
    for extent, pair in zip(shape[::-1], _pairs(padding, len(shape))[::-1], strict=True):
        if any(pair):
            return all(n * behind % 2 == 0 for n in (extent, *pair))
        behind *= extent
    return True


def _constants(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    tried: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
        ((5,), (1, 2)), ((5,), (0, 0)), ((5,), (-1, 3)), ((5,), (-2, -1)), ((3, 4), (1, 0)),
        ((3, 4), (1, 2, 3, 0)), ((3, 4), (-1, 2, 2, -1)), ((2, 3, 4), (0, 1, 2, 0, 1, 1)),
        ((2, 3, 4), (2, 2)), ((0, 3), (1, 1)), ((2, 0), (1, 2)), ((), ()), ((40, 33), (7, 9, 3, 1)),
        ((1, 2, 1, 2, 1, 2, 1, 2), (1, 1, 0, 1)), ((3, 5, 4), (2, 4, 1, 0)), ((3, 2), (0, 0, 1, 2)),
    )  # fmt: skip
    number: complex = True if dtype == "bool" else 3
    narrow = dtype.startswith(("float8", "float4"))
    if lacks_narrow(dtype, (9, 1) if dtype.startswith("float4") else (9, 0)):
        return
    if narrow:  # the first release has 0 alone
        number = 2 if release() >= (9, 1) else 0
    # A power of two is never 0.
    filled = 2.0**-127 if dtype == "float8_e8m0fnu" and number == 0 else number
    for shape, padding in tried:
        if narrow and min(padding, default=0) < 0:
            continue
        if dtype.startswith("float4") and not _in_pairs(shape, padding):
            continue
        values = values_of(shape, dtype, rng)
        golden = _constant(exact(values), padding, filled)
        yield Case(f"{shape} {padding}", (Operand(values), list(padding), number), (golden,))
    for layout in () if dtype.startswith("float4") else LAYOUTS[1:]:
        values = values_of((3, 4, 6), dtype, rng)
        padding = (1, 2, 0, 1) if narrow else (1, 2, -1, 1)
        golden = _constant(exact(values), padding, filled)
        inputs = (Operand(values, layout), list(padding), number)
        yield Case(layout, inputs, (golden,), (layout,))


def _copied(mode: str, axes: int) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    paddings: tuple[tuple[int, ...], ...] = (
        (0, 0, 0, 0, 0, 0), (1, 2, 0, 1, 2, 1), (3, 0, 2, 2, 0, 1), (3, 3, 3, 3, 2, 2),
    )  # fmt: skip

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if lacks_narrow(dtype):
            return
        if not has_bfloat16() and (mode == "wrap" or (mode == "reflect" and dtype in _COMPLEX)):
            return  # chips without bfloat16 have no kernel for it

        def one(shape: tuple[int, ...], padding: tuple[int, ...], layout: str) -> Case:
            values = values_of(shape, dtype, rng)
            pairs = _pairs(padding, values.ndim)
            golden = exact(
                np.zeros([n + a + b for n, (a, b) in zip(shape, pairs, strict=True)])
                if values.size == 0
                else np.pad(values, pairs, mode=mode)  # type: ignore[call-overload]
            )
            outs = () if layout == "contiguous" else (layout,)
            inputs = (Operand(values, layout), list(padding))
            return Case(f"{shape} {padding} {layout}", inputs, (golden,), outs)

        inner = (3, 4, 5)[3 - axes :]
        for lead in ((2,), (2, 3), (1,), (1, 1)):
            for padding in paddings:
                yield one((*lead, *inner), padding[: 2 * axes], "contiguous")
        yield one((0, 2, *inner), paddings[1][: 2 * axes], "contiguous")
        for layout in LAYOUTS[1:]:
            yield one((2, *inner), paddings[1][: 2 * axes], layout)

    return cases


_REFLECTED = (*_KINDS, "bool", *_COMPLEX, *_FLOAT8)
_REPLICATED = (*_KINDS, *_COMPLEX, *_FLOAT8)
_WRAPPED = ("float32", "float16", "bfloat16", "int32", "int8")

SUITES: tuple[Suite, ...] = (
    Suite("constant_pad_nd", (*_KINDS, "bool", "uint16", "uint32", "uint64", *_COMPLEX, *_FLOAT8,
                              "float4_e2m1fn"), _constants),
    *(Suite(f"reflection_pad{n}d", _REFLECTED, _copied("reflect", n)) for n in (1, 2, 3)),
    *(Suite(f"replication_pad{n}d", _REPLICATED, _copied("edge", n)) for n in (1, 2, 3)),
    *(Suite(f"circular_pad{n}d", _WRAPPED, _copied("wrap", n)) for n in (2, 3)),
)  # fmt: skip
