"""Reductions with several passes or results: every axis, views, ties, NaN, few elements."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact, values_of

Shape = tuple[int, ...]
Cases = Callable[[str, np.random.Generator], Iterator[Case]]

_SHAPES: tuple[Shape, ...] = (
    (), (1,), (7,), (1025,), (3, 5), (40, 17), (2, 3, 4), (5, 1, 6), (3, 700), (700, 3),
    (2, 3, 4, 5), (2, 1, 2, 1, 2, 1, 2, 3),
)  # fmt: skip


def several(shape: Shape) -> Iterator[Shape]:
    """Give no axes, which are all, some pairs, and single ones."""
    rank = len(shape)
    yield ()
    yield from itertools.islice(itertools.combinations(range(rank), 2), 3)
    yield from ((axis,) for axis in (*range(min(rank, 3)), -1) if rank)


def single(shape: Shape) -> Iterator[Shape]:
    """Give single axes."""
    yield from ((axis,) for axis in (*range(min(len(shape), 3)), -1))


def whole(shape: Shape) -> Iterator[Shape]:
    """Give no axes: all."""
    yield ()


def reduced(
    golden: Callable[[Array, Any, bool], tuple[Array, ...]],
    arguments: Callable[[Shape, bool], tuple[Any, ...]],
    axes: Callable[[Shape], Iterator[Shape]], *, dtypes: tuple[str, ...] = (),
    special: tuple[Array, ...] = (),
) -> Cases:  # fmt: skip
    """Cases of an operator of (self, dims, ..., keep, ...); ``dtypes`` are those of views."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        def one(values: Array, dims: Shape, keep: bool, layout: str) -> Case:
            rank = values.ndim
            places = tuple(d % max(rank, 1) for d in dims) or tuple(range(rank))
            keep = keep and axes is not whole
            with np.errstate(all="ignore"):
                results = golden(exact(values), places if rank else (), keep)
            inputs = (Operand(values, layout), *arguments(dims, keep))
            outs = () if layout == "contiguous" else (layout,) * len(results)
            types = tuple(dtype if t == "same" else t for t in dtypes) if outs else ()
            label = f"{values.shape} {dims} keep {keep} {layout}"
            return Case(label, inputs, tuple(map(np.asarray, results)), outs, types)

        for number, shape in enumerate(_SHAPES):
            for dims in axes(shape):
                yield one(values_of(shape, dtype, rng), dims, bool(number % 2), "contiguous")
        for layout in LAYOUTS[1:]:
            for dims in axes((6, 7, 10)):
                yield one(values_of((6, 7, 10), dtype, rng), dims, False, layout)
        if numpy_dtype(dtype).kind in "fV":
            for values in special:
                dims = () if axes is whole else (0,)
                yield one(values.astype(numpy_dtype(dtype)), dims, False, "contiguous")

    return cases


def _variance(values: Array, axes: Any, keep: bool, correction: int) -> Array:
    count = int(np.prod([values.shape[a] for a in axes], dtype=np.int64))
    if correction > 0 and count <= correction:
        shape = values.sum(axes, keepdims=keep).shape
        return np.full(shape, np.nan if count <= 1 else np.inf)
    return np.asarray(values.var(axes, ddof=correction, keepdims=keep))


def _spread(root: bool, mean: bool, corrections: tuple[int, ...], *, flag: bool = False) -> Cases:
    """Every correction in turn: the cases of each."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for correction in corrections:

            def golden(x: Array, axes: Any, keep: bool, c: int = correction) -> tuple[Array, ...]:
                spread = _variance(x, axes, keep, c)
                spread = np.sqrt(spread) if root else spread
                return (spread, x.mean(axes, keepdims=keep)) if mean else (spread,)

            def given(dims: Shape, keep: bool, c: int = correction) -> tuple[Any, ...]:
                return (list(dims) if dims else None, bool(c) if flag else c, keep)

            yield from reduced(golden, given, several)(dtype, rng)

    return cases


def _log_sum_exp(x: Array, axes: Any, keep: bool) -> tuple[Array, ...]:
    x = x.astype(np.float64)
    most = x.max(axes, keepdims=True)
    shift = np.where(np.isinf(most), 0.0, most)
    sums = np.log(np.exp(x - shift).sum(axes, keepdims=True)) + shift
    return (sums if keep else sums.squeeze(axes) if axes else sums,)


def _place(largest: bool) -> Callable[[Array, Any, bool], tuple[Array, ...]]:
    extreme, where = (np.max, np.argmax) if largest else (np.min, np.argmin)

    def golden(x: Array, axes: Any, keep: bool) -> tuple[Array, ...]:
        if not axes:
            return x, np.zeros(x.shape, np.int64)
        index = np.asarray(where(x, axis=axes[0], keepdims=keep))
        return np.asarray(extreme(x, axis=axes[0], keepdims=keep)), index

    return golden


def _both(x: Array, axes: Any, keep: bool) -> tuple[Array, ...]:
    return x.min(axes, keepdims=keep), x.max(axes, keepdims=keep)


def _products(dim: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        kind = numpy_dtype(dtype)

        def golden(x: Array, axes: Any, keep: bool) -> tuple[Array, ...]:
            if dtype == "bool":
                return (np.asarray(x.all(axes, keepdims=keep)),)
            product = x.prod(axes, keepdims=keep)
            return (product.astype(kind) if kind.kind in "iu" else product,)

        def given(dims: Shape, keep: bool) -> tuple[Any, ...]:
            return (dims[0], keep, dtype) if dim else (dtype,)

        for case in reduced(golden, given, single if dim else whole, dtypes=("same",))(dtype, rng):
            operand = case.inputs[0]
            if operand.values.size > 64 and not dim and kind.kind not in "iub":
                continue  # neither vanishes nor overflows
            if max(operand.values.shape, default=0) > 64 and kind.kind not in "iub":
                continue
            yield case
        empty = np.zeros((0, 3)).astype(kind)
        if kind.kind != "c":
            golden_empty = np.ones((3,) if dim else ()).astype(bool if dtype == "bool" else float)
            yield Case("empty", (Operand(empty), *((0, False) if dim else ()), dtype),
                       (golden_empty,))  # fmt: skip

    return cases


def _trace(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    whole = numpy_dtype(dtype).kind in "iub"
    for shape in ((1, 1), (3, 3), (2, 5), (5, 2), (0, 3), (40, 33)):
        for layout in LAYOUTS if shape == (2, 5) else ("contiguous",):
            values = values_of(shape, dtype, rng)
            golden = np.asarray(np.trace(values.astype(np.int64) if whole else exact(values)))
            yield Case(f"{shape} {layout}", (Operand(values, layout),), (golden,))


def _medians(dim: bool, ignore_nan: bool) -> Cases:
    def golden(x: Array, axes: Any, keep: bool) -> tuple[Array, ...]:
        lines = x if axes else x.reshape(-1)
        axis = axes[0] if axes and dim else 0
        lines = lines if dim and axes else x.reshape(-1)
        order = np.argsort(lines, axis=axis, kind="stable")
        count = lines.shape[axis]
        numbers = count - (np.isnan(lines).sum(axis) if lines.dtype.kind == "f" else 0)
        numbers = np.broadcast_to(numbers, np.delete(lines.shape, axis))
        place = np.where(numbers < count, numbers, (count - 1) // 2)
        place = np.maximum(numbers - 1, 0) // 2 if ignore_nan else place
        index = np.take_along_axis(order, np.expand_dims(place, axis), axis)
        values = np.take_along_axis(lines, index, axis)
        if not dim:
            return (values.reshape(()),)
        keep_shape = values.shape if keep else np.delete(values.shape, axis)
        shape = tuple(int(n) for n in keep_shape) if axes else x.shape
        return values.reshape(shape), index.reshape(shape)

    def given(dims: Shape, keep: bool) -> tuple[Any, ...]:
        return (dims[0], keep) if dim else ()

    nan = np.array([2.0, np.nan, 1.0, 5.0, np.nan])
    usual = reduced(
        golden, given, single if dim else whole, special=(nan, np.full(3, np.nan)),
        dtypes=("same", "int64") if dim else ("same",),
    )  # fmt: skip

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for case in usual(dtype, rng):
            shape = case.inputs[0].values.shape
            axis = case.inputs[1] if dim else None
            count = (shape[axis] if shape else 1) if dim else int(np.prod(shape, dtype=np.int64))
            # CANN refuses to choose from one bfloat16, and by axis even from a number.
            number = not shape and not dim
            if dtype != "bfloat16" or count != 1 or number:
                yield case

    return cases


_FLOATS = ("float32", "float16", "bfloat16")
_INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
_NUMBERS = (*_FLOATS, *_INTEGERS, "float64", "bool", "complex64", "complex128")
_REAL = (*_FLOATS, *_INTEGERS, "float64", "bool")
_LISTED: Callable[[Shape, bool], tuple[Any, ...]] = lambda dims, keep: (list(dims), keep)  # noqa: E731
_ONE: Callable[[Shape, bool], tuple[Any, ...]] = lambda dims, keep: (dims[0], keep)  # noqa: E731
_NAN = (np.array([1.0, np.nan, 3.0, np.nan]), np.array([np.inf, 1.0]), np.full(2, -np.inf))

SUITES: tuple[Suite, ...] = (
    Suite("std", _FLOATS, _spread(True, False, (0, 1, 3))),
    Suite("var", _FLOATS, _spread(False, False, (0, 1), flag=True)),
    Suite("var_correction", _FLOATS, _spread(False, False, (0, 1, 3))),
    Suite("var_mean", ("float32", "float16"), _spread(False, True, (0, 1))),
    Suite("std_mean_correction", _FLOATS, _spread(True, True, (0, 1))),
    Suite("log_sum_exp", (*_FLOATS, *_INTEGERS), reduced(
        _log_sum_exp, _LISTED, several, dtypes=("float32",), special=_NAN)),
    *(Suite(name, (*_FLOATS, "int64", "bool"), reduced(
        _place(largest), _ONE, single, dtypes=("same", "int32"), special=_NAN))
      for name, largest in (("max_dim", True), ("min_dim", False))),
    Suite("aminmax", _REAL, reduced(_both, _LISTED, single, special=_NAN)),
    Suite("aminmax_dim", _REAL, reduced(_both, _ONE, single, special=_NAN)),
    Suite("aminmax_all", _REAL, reduced(_both, lambda dims, keep: (), whole, special=_NAN)),
    Suite("prod", _NUMBERS, _products(False)),
    Suite("prod_dim", _NUMBERS, _products(True)),
    Suite("trace", _NUMBERS, _trace),
    *(Suite(name, (*_FLOATS, *_INTEGERS), _medians(name.endswith("dim"), "nan" in name))
      for name in ("median", "median_dim", "nan_median", "nan_median_dim")),
)  # fmt: skip
