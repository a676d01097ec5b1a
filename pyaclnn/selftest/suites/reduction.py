"""Reductions: every choice of axes, rows and columns, views, long ones, ties, empty ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import is_a2_or_a3
from pyaclnn.selftest.layouts import LAYOUTS

_FLOATS = ("float32", "float16", "bfloat16", "float64")
_INTEGERS = ("int32", "int64", "int16", "int8", "uint8")

_SHAPES = (
    (), (1,), (7,), (33,), (1025,), (3, 5), (40, 17), (2, 3, 4), (5, 1, 6), (3, 700), (700, 3),
    (2, 3, 4, 5), (2, 1, 2, 1, 2, 1, 2, 3), (64, 1100),
)  # fmt: skip
#: Long enough for pieces that are combined.
_LONG = ((300_000,), (2, 160_000), (300_000, 2))

Formula = Callable[[Array, tuple[int, ...], bool], Array]


def _values(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if numpy_dtype(dtype).kind in "iu":
        return rng.integers(0, 10, shape).astype(numpy_dtype(dtype))
    # Of one sign, and different: ties among floats have cases of their own.
    values: Array = rng.uniform(0.1, 1.0, shape)
    if numpy_dtype(dtype).kind == "c":
        values = values + 1j * rng.uniform(0.1, 1.0, shape)
    return np.asarray(values).astype(numpy_dtype(dtype))


def _wide(values: Array) -> Array:
    kinds = {"b": np.int64, "i": np.int64, "u": np.int64, "c": np.complex128}
    return np.asarray(values.astype(kinds.get(values.dtype.kind, np.float64)))


def _axes(shape: tuple[int, ...], several: bool) -> Iterator[tuple[int, ...]]:
    rank = len(shape)
    yield ()
    if several and rank > 2:
        yield from itertools.islice(itertools.combinations(range(rank), 2), 6)
    for axis in range(min(rank, 4)):
        yield (axis,)
    yield (-1,)


def _cases(
    formula: Formula, *, dtype_argument: bool = False, several: bool = True, keeps: bool = True,
    gives: str = "", long: tuple[str, ...] = (), empties: bool = False, more: tuple[Any, ...] = (),
) -> Callable[[str, np.random.Generator], Iterator[Case]]:  # fmt: skip
    """Cases of an operator called with (self, dims[, keep][, dtype]), and what is ``more``."""

    def one(label: str, operand: Operand, dims: tuple[int, ...], keep: bool, dtype: str) -> Case:
        rank = operand.values.ndim
        axes = tuple(d % max(rank, 1) for d in dims) or tuple(range(rank))
        with np.errstate(all="ignore"):
            golden = np.asarray(formula(_wide(operand.values), axes if rank else (), keep))
        if dtype_argument and numpy_dtype(dtype).kind in "iu":
            golden = golden.astype(numpy_dtype(dtype))
        arguments: tuple[Any, ...] = (operand, list(dims) if several else dims[0])
        arguments += (keep,) if keeps else ()
        arguments += (dtype,) if dtype_argument else ()
        arguments += more
        out = () if not gives else (gives,)
        return Case(label, arguments, (golden,), (), out)

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for shape in _SHAPES:
            values = _values(shape, dtype, rng)
            for dims in _axes(shape, several):
                if not dims and not several:
                    continue
                keep = bool(rng.integers(0, 2))
                yield one(f"{shape} over {dims}", Operand(values), dims, keep, dtype)
        for layout in LAYOUTS[1:]:
            for dims in ((0,), (1,), (2,)):
                values = _values((6, 7, 10), dtype, rng)
                yield one(f"{layout} over {dims}", Operand(values, layout), dims, False, dtype)
        if dtype in long:
            for shape in _LONG:
                values = _values(shape, dtype, rng)
                for dims in _axes(shape, several):
                    if dims or several:
                        yield one(f"long {shape} over {dims}", Operand(values), dims, False, dtype)
        if empties and not dtype.startswith("complex"):  # CANN has no zeros of that type for these
            for shape, dims in (((0,), (0,)), ((3, 0), (1,)), ((0, 3), (1,)), ((2, 0, 4), (1,))):
                yield one(
                    f"{shape} over {dims}", Operand(_values(shape, dtype, rng)), dims, False, dtype
                )

    return cases


def _or_itself(
    formula: Formula, chips: Callable[[], bool] = lambda: True
) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    """Cases of an operator that gives the tensor itself if no axis is named and a flag is set."""
    usual = _cases(formula, more=(False,))

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not chips():
            return
        yield from usual(dtype, rng)
        for number, shape in enumerate(((), (7,), (3, 5), (2, 3, 4))):
            values = _values(shape, dtype, rng)
            golden = _wide(values)
            inputs: tuple[Any, ...] = (Operand(values), [], bool(number % 2), True)
            yield Case(f"{shape} itself", inputs, (golden,), ("contiguous",), (dtype,))

    return cases


def _whole(formula: Callable[[Array], Any]) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    """Cases of an operator called with self alone."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for shape in (*_SHAPES, *(_LONG if dtype == "float32" else ())):
            values = _values(shape, dtype, rng)
            yield Case(f"{shape}", (Operand(values),), (np.asarray(formula(_wide(values))),))
        for layout in LAYOUTS[1:]:
            values = _values((6, 7, 10), dtype, rng)
            golden = np.asarray(formula(_wide(values)))
            yield Case(layout, (Operand(values, layout),), (golden,))
        if numpy_dtype(dtype).kind == "f":
            values = np.array([1.0, np.nan, 3.0]).astype(numpy_dtype(dtype))
            yield Case("NaN", (Operand(values),), (np.asarray(np.nan),))

    return cases


def _places(formula: Callable[..., Any]) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    """Cases of ArgMax and ArgMin: the first of equal ones, and the first NaN."""

    def golden(values: Array, axes: tuple[int, ...], keep: bool) -> Array:
        axis = axes[0] if axes else None
        return np.asarray(formula(values, axis=axis, keepdims=keep and axis is not None))

    usual = _cases(golden, several=False)

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        yield from usual(dtype, rng)
        ties = np.array([[1, 3, 3, 1], [2, 2, 2, 2]]).astype(numpy_dtype(dtype))
        for axis in (0, 1):
            yield Case(
                f"ties over {axis}", (Operand(ties), axis, False), (golden(ties, (axis,), False),)
            )
        if numpy_dtype(dtype).kind == "f":
            values = np.array([1.0, np.nan, 3.0, np.nan]).astype(numpy_dtype(dtype))
            yield Case("NaN", (Operand(values), 0, False), (np.asarray(1),))

    return cases


_LONG_DTYPES = ("float32",)

SUITES = (
    Suite(
        "reduce_sum", (*_FLOATS, *_INTEGERS, "complex64", "complex128"),
        _cases(lambda x, axes, keep: x.sum(axes, keepdims=keep), dtype_argument=True,
               long=_LONG_DTYPES, empties=True),
    ),
    Suite(
        "mean", (*_FLOATS, "complex64"),
        _cases(lambda x, axes, keep: x.mean(axes, keepdims=keep), dtype_argument=True,
               long=_LONG_DTYPES),
    ),
    Suite("amax", (*_FLOATS, *_INTEGERS), _cases(
        lambda x, axes, keep: x.max(axes, keepdims=keep), long=_LONG_DTYPES)),
    Suite("amin", (*_FLOATS, *_INTEGERS), _cases(
        lambda x, axes, keep: x.min(axes, keepdims=keep), long=_LONG_DTYPES)),
    Suite("max_v2", (*_FLOATS, *_INTEGERS, "bool"), _or_itself(
        lambda x, axes, keep: x.max(axes, keepdims=keep))),
    Suite("mean_v2", (*_FLOATS, "complex64"), _or_itself(
        lambda x, axes, keep: x.mean(axes, keepdims=keep))),
    Suite("reduce_log_sum", ("float32", "float16"), _or_itself(
        lambda x, axes, keep: np.log(x.sum(axes, keepdims=keep)), is_a2_or_a3)),
    Suite("max", (*_FLOATS, *_INTEGERS), _whole(np.max)),
    Suite("min", (*_FLOATS, *_INTEGERS), _whole(np.min)),
    Suite("arg_max", (*_FLOATS, *_INTEGERS), _places(np.argmax)),
    Suite("arg_min", (*_FLOATS, *_INTEGERS), _places(np.argmin)),
    Suite("all", (*_FLOATS, *_INTEGERS, "bool"), _cases(
        lambda x, axes, keep: (x != 0).all(axes, keepdims=keep), empties=True)),
    Suite("any", (*_FLOATS, *_INTEGERS, "bool"), _cases(
        lambda x, axes, keep: (x != 0).any(axes, keepdims=keep), empties=True)),
)  # fmt: skip
