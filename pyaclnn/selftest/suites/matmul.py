"""Matrix products: every shape of operands, transposed and strided views, depths of zero, sums."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family
from pyaclnn.selftest.layouts import LAYOUTS

_DTYPES = ("float32", "float16", "bfloat16")

#: cubeMathType: keep the type; allow less precision; float16; hfloat32.
_KEEP, _LESS, _FLOAT16, _HFLOAT32 = 0, 1, 2, 3

_MATRICES = (
    ((1, 1), (1, 1)), ((2, 3), (3, 4)), ((5, 7), (7, 3)), ((8, 16), (16, 48)), ((9, 17), (17, 49)),
    ((33, 65), (65, 31)), ((1, 64), (64, 100)), ((64, 1), (1, 64)), ((100, 300), (300, 1)),
    ((130, 257), (257, 129)), ((300, 513), (513, 401)),
)  # fmt: skip
_EMPTY = (((0, 3), (3, 4)), ((3, 4), (4, 0)), ((2, 0), (0, 3)))
_ANY = (
    *_MATRICES[:4], ((3,), (3,)), ((3,), (3, 4)), ((2, 3), (3,)), ((2, 3, 4), (4,)),
    ((4,), (2, 4, 3)), ((2, 3, 4), (2, 4, 5)), ((1, 3, 4), (6, 4, 5)), ((6, 3, 4), (4, 5)),
    ((2, 1, 3, 4), (5, 4, 2)), ((3, 1, 2, 3), (1, 2, 3, 2)), ((2, 0, 3), (2, 3, 4)),
)  # fmt: skip
_BATCHED = (
    ((1, 1, 1), (1, 1, 1)), ((2, 3, 4), (2, 4, 5)), ((5, 9, 17), (5, 17, 8)),
    ((1, 3, 4), (6, 4, 5)), ((6, 3, 4), (1, 4, 5)), ((3, 40, 50), (3, 50, 60)),
    ((2, 0, 3), (2, 3, 4)), ((2, 3, 0), (2, 0, 4)),
)  # fmt: skip


def _through_float16(dtype: str) -> bool:
    """Whether the chip multiplies matrices of this type in float16, which has to be allowed."""
    return dtype == "float32" and chip_family() not in ("A2", "950")


def _usual(dtype: str) -> int:
    return _LESS if _through_float16(dtype) else _KEEP


def _values(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    # All of one sign: what cancels measures the order of a sum, which CANN leaves open.
    values = np.asarray(rng.uniform(0.1, 1.0, shape))
    if _through_float16(dtype):
        values = values.astype(np.float16)
    return values.astype(numpy_dtype(dtype))


def _wide(values: Array) -> Array:
    return values.astype(np.float64)


def _products(dtype: str, rng: np.random.Generator, shapes: Any) -> Iterator[Case]:
    def case(label: str, a: Operand, b: Operand, math: int | None = None, out: str = "") -> Case:
        golden = np.asarray(_wide(a.values) @ _wide(b.values))
        inputs = (a, b, _usual(dtype) if math is None else math)
        return Case(label, inputs, (golden,), (out,) if out else ())

    for left, right in shapes:
        a, b = _values(left, dtype, rng), _values(right, dtype, rng)
        yield case(f"{left} @ {right}", Operand(a), Operand(b))
    left, right = next(pair for pair in shapes if len(pair[0]) == len(pair[1]) and pair[0][-1] > 3)
    for layout in LAYOUTS[1:]:
        a, b = _values(left, dtype, rng), _values(right, dtype, rng)
        yield case(f"{layout} left", Operand(a, layout), Operand(b))
        yield case(f"{layout} right", Operand(a), Operand(b, layout))
        yield case(f"{layout} all", Operand(a, layout), Operand(b, layout), out=layout)
    if dtype != "bfloat16":
        # Every operand is one that the narrower type holds, so that the product alone is rounded.
        a = _values(left, "float16", rng).astype(numpy_dtype(dtype))
        b = _values(right, "float16", rng).astype(numpy_dtype(dtype))
        golden = np.asarray((_wide(a) @ _wide(b)).astype(np.float16).astype(np.float64))
        yield Case("cubeMathType 2", (Operand(a), Operand(b), _FLOAT16), (golden,))
        if not _through_float16(dtype):
            yield case("cubeMathType 3", Operand(a), Operand(b), _HFLOAT32)


def _mm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _products(dtype, rng, (*_MATRICES, *_EMPTY))


def _matmul(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _products(dtype, rng, _ANY)


def _batched(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _products(dtype, rng, _BATCHED)


def _mv(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for left, _ in (*_MATRICES, *_EMPTY):
        a, b = _values(left, dtype, rng), _values(left[1:], dtype, rng)
        yield Case(
            f"{left}", (Operand(a), Operand(b), _usual(dtype)), (np.asarray(_wide(a) @ _wide(b)),)
        )
    for layout in LAYOUTS[1:]:
        a, b = _values((9, 17), dtype, rng), _values((17,), dtype, rng)
        golden = np.asarray(_wide(a) @ _wide(b))
        yield Case(
            layout, (Operand(a, layout), Operand(b, layout), _usual(dtype)), (golden,), (layout,)
        )


def _sums(dtype: str, rng: np.random.Generator, shapes: Any, in_place: bool) -> Iterator[Case]:
    def case(label: str, added: Operand, a: Operand, b: Operand, beta: float, alpha: float) -> Case:
        product = _wide(a.values) @ _wide(b.values)
        golden = np.asarray(beta * _wide(added.values) + alpha * product)
        return Case(label, (added, a, b, beta, alpha, _usual(dtype)), (golden,))

    for left, right in shapes:
        a, b = _values(left, dtype, rng), _values(right, dtype, rng)
        whole = (*np.broadcast_shapes(left[:-2], right[:-2]), left[-2], right[-1])
        addends = [whole] if in_place else [whole, whole[-1:], (1, *whole[1:])]
        for addend in addends:
            values = _values(addend, dtype, rng)
            yield case(
                f"{addend} + {left} @ {right}", Operand(values), Operand(a), Operand(b), 1, 1
            )
    left, right = shapes[1]
    whole = (*left[:-1], right[-1])
    for beta, alpha in ((1, 0.5), (0.5, 1), (0, 1), (2, 0), (1, 1.0)):
        one, two, three = (Operand(_values(s, dtype, rng)) for s in (whole, left, right))
        yield case(f"beta {beta}, alpha {alpha}", one, two, three, beta, alpha)
    for layout in LAYOUTS[1:]:
        one, two, three = (Operand(_values(s, dtype, rng), layout) for s in (whole, left, right))
        yield case(layout, one, two, three, 1, 1)


def _matrix_sums(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _sums(dtype, rng, (*_MATRICES[:8], *_EMPTY), in_place=False)


def _matrix_sums_in_place(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _sums(dtype, rng, (*_MATRICES[:8], *_EMPTY), in_place=True)


def _batched_sums(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _sums(dtype, rng, (_BATCHED[0], *_BATCHED[1:3], _BATCHED[5]), in_place=False)


def _batched_sums_in_place(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _sums(dtype, rng, (_BATCHED[0], *_BATCHED[1:3], _BATCHED[5]), in_place=True)


SUITES = (
    Suite("mm", _DTYPES, _mm),
    Suite("matmul", _DTYPES, _matmul),
    Suite("batch_mat_mul", _DTYPES, _batched),
    Suite("mv", _DTYPES, _mv),
    Suite("addmm", _DTYPES, _matrix_sums),
    Suite("inplace_addmm", _DTYPES, _matrix_sums_in_place),
    Suite("baddbmm", _DTYPES, _batched_sums),
    Suite("inplace_baddbmm", _DTYPES, _batched_sums_in_place),
)
