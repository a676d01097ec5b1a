"""What is written to places by number: repeats in their order, tuples, blocks, masks, views."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family, is_950, is_a2_or_a3, lacks_narrow
from pyaclnn.selftest.suites.creation import exact, values_of

Shape = tuple[int, ...]
Cases = Callable[[str, np.random.Generator], Iterator[Case]]
_NEWEST = "Ascend910_95"
_VIEWS = ("contiguous", "transposed", "every_second", "inner_slice")


def _wide(values: Array) -> Array:
    """Return values in a type that sums of them fit in; those of bool count."""
    return exact(values).astype(np.int64) if values.dtype.kind in "biu" else exact(values).copy()


def _back(result: Array, dtype: str) -> Array:
    """Return sums as an element type holds them: integers wrap."""
    kind = numpy_dtype(dtype)
    return result != 0 if kind.kind == "b" else result.astype(kind) if kind.kind in "iu" else result


def _numbers(rng: np.random.Generator, extent: int, shape: Shape) -> Array:
    kind = ("int32", "int64")[int(rng.integers(0, 2))]
    return rng.integers(0, extent, shape).astype(kind)


def _index_add(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        shapes: tuple[Shape, ...] = ((7,), (3, 5), (40, 17), (2, 3, 4), (2, 3, 4, 5))
        whole = numpy_dtype(dtype).kind in "biu"
        if version == 2 and not is_a2_or_a3():
            return
        tried = [(s, a, v) for s in shapes for a in range(-1, len(s)) for v in _VIEWS[:1]]
        tried += [((6, 7, 10), 1, v) for v in _VIEWS[1:]]
        for number, (shape, axis, layout) in enumerate(tried):
            fast = version == 2 and number % 2 == 0 and len(shape) == 2 and axis == 0
            fast = fast and dtype in ("float32", "float16", "bfloat16", "int32", "int16")
            alpha: Any = (2, 3)[number % 2] if whole else 1.5
            alpha = True if dtype == "bool" else 1 if fast else alpha
            values, index = values_of(shape, dtype, rng), _numbers(rng, shape[axis], (9,))
            extents = list(shape)
            extents[axis] = 9
            source = values_of(tuple(extents), dtype, rng)
            golden = np.moveaxis(_wide(values), axis, 0)
            np.add.at(golden, index, np.moveaxis(_wide(source), axis, 0) * alpha)
            golden = _back(np.moveaxis(golden, 0, axis), dtype)
            inputs: tuple[Any, ...] = (Operand(values, layout), axis, Operand(index, layout),
                      Operand(source, layout), alpha)  # fmt: skip
            inputs = (*inputs, 0 if fast else 1) if version == 2 else inputs
            outs = () if layout == "contiguous" else (layout,)
            yield Case(f"{shape} {axis} {layout}", inputs, (golden,), outs)
        one, more = values_of((), dtype, rng), values_of((3,), dtype, rng)
        golden = _back(_wide(one) + _wide(more).sum(), dtype)
        inputs = (Operand(one), 0, Operand(np.zeros(3, np.int64)), Operand(more),
                  True if dtype == "bool" else 1)  # fmt: skip
        yield Case("number", (*inputs, 1) if version == 2 else inputs, (golden,))

    return cases


_COMBINED: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: b, lambda a, b: a + b, lambda a, b: a * b, max, min, lambda a, b: a + b,
)  # fmt: skip


def _reduced(values: Array, axis: int, index: Array, source: Array, reduce: int, own: bool) -> Any:
    result, met = _wide(values), np.full(values.shape, 1 if own else 0)
    for place in np.ndindex(index.shape):
        at = list(place)
        at[axis] = int(index[place])
        where, given = tuple(at), _wide(source)[place]
        result[where] = _COMBINED[reduce](result[where], given) if met[where] else given
        met[where] += 1
    if reduce == 5:
        count = np.maximum(met, 1)
        result = result // count if values.dtype.kind in "biu" else result / count
    return result


def _reduce(in_place: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        every = not is_a2_or_a3()
        if not every and dtype != "float32":
            return  # A2 and A3 know sums of float32
        tried = [((7,), 0, "contiguous"), ((3, 5), -1, "contiguous"), ((2, 3, 4), 1, "contiguous")]
        tried += [((2, 5, 4), 1, v) for v in _VIEWS[1:]]
        for shape, axis, layout in tried:
            for reduce in range(6) if every else (1,):
                for own in (True, False) if every else (True,):
                    if numpy_dtype(dtype).kind == "c" and reduce > 2:
                        continue
                    values, extents = values_of(shape, dtype, rng), list(shape)
                    extents[axis] += 2 if reduce else 0
                    index = _numbers(rng, shape[axis], tuple(extents))
                    if not reduce:  # of numbers that repeat, which one stays is not said
                        index = np.argsort(rng.random(shape), axis=axis)
                    source = values_of(tuple(extents), dtype, rng)
                    golden = _back(_reduced(values, axis, index, source, reduce, own), dtype)
                    inputs = (Operand(values, layout), axis, Operand(index, layout),
                              Operand(source, layout), reduce, own)  # fmt: skip
                    outs = () if in_place or layout == "contiguous" else (layout,)
                    yield Case(f"{shape} {axis} {reduce} {own} {layout}", inputs, (golden,), outs)

    return cases


def _put(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for layout in _VIEWS:
        for adds in (False, True):
            if adds and dtype == "bfloat16":
                continue  # which CANN does not add to
            values = values_of((4, 5, 6), dtype, rng)
            index = (
                _numbers(rng, 120, (3, 14)) if adds else rng.permutation(120)[:42].reshape(3, 14)
            )
            source, golden = values_of((6, 7), dtype, rng), _wide(values).reshape(-1)
            if adds:
                np.add.at(golden, index.reshape(-1), _wide(source).reshape(-1))
            else:
                golden[index.reshape(-1)] = _wide(source).reshape(-1)
            inputs = (
                Operand(values, layout),
                Operand(index, layout),
                Operand(source, layout),
                adds,
            )
            yield Case(f"{adds} {layout}", inputs, (_back(golden, dtype).reshape(4, 5, 6),))
    none = Operand(np.zeros((0, 2), np.int64))
    values = values_of((3,), dtype, rng)
    inputs = (Operand(values), none, Operand(values_of((0,), dtype, rng)), False)
    yield Case("nothing", inputs, (exact(values),))


def _update(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if lacks_narrow(dtype):
        return
    tried = [((4, 3, 8, 5), -2, 1), ((4, 3, 8, 5), 2, 3), ((4, 3, 8, 5), -1, 2), ((2, 6), 1, 4)]
    for shape, axis, length in tried:
        for layout in _VIEWS:
            for pairs in (False, True):
                values, extents = values_of(shape, dtype, rng), [2, *shape[1:]]
                extents[axis] = length
                source = values_of(tuple(extents), dtype, rng)
                begins = _numbers(rng, shape[axis] - length + 1, (2,))
                batches = rng.permutation(shape[0])[:2] if pairs else np.arange(2)
                golden = exact(values).copy()
                for batch, begin, block in zip(batches, begins, exact(source), strict=True):
                    part = np.moveaxis(golden[batch], axis - 1 if axis > 0 else axis, 0)
                    part[begin : begin + length] = np.moveaxis(
                        block, axis - 1 if axis > 0 else axis, 0
                    )
                index = np.stack((batches.astype(begins.dtype), begins), 1) if pairs else begins
                inputs = (Operand(values, layout), Operand(index), Operand(source, layout), axis)
                yield Case(f"{shape} {axis} {pairs} {layout}", inputs, (golden,))


def _masked(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    pairs: tuple[tuple[Shape, Shape], ...] = (
        ((), ()), ((7,), (7,)), ((3, 5), (5,)), ((3, 5), (3, 1)), ((2, 3, 4), (1,)),
        ((40, 999), (40, 999)), ((0, 3), (3,)),
    )  # fmt: skip
    tried = [(*pair, "contiguous") for pair in pairs]
    tried += [((6, 7, 10), (7, 10), v) for v in _VIEWS[1:]]
    for shape, of, layout in tried:
        values, mask = values_of(shape, dtype, rng), rng.random(of) < 0.4
        chosen = np.broadcast_to(mask, shape)
        source = values_of((int(chosen.sum()) + 3,), dtype, rng)
        golden = exact(values).copy()
        golden[chosen] = exact(source)[: int(chosen.sum())]
        inputs = (Operand(values, layout), Operand(mask.astype(np.uint8) if of == shape else mask),
                  Operand(source, layout))  # fmt: skip
        yield Case(f"{shape} {of} {layout}", inputs, (golden,))


_TUPLES: tuple[tuple[Shape, Shape], ...] = (
    ((7,), (4, 1)), ((3, 5), (2, 1)), ((3, 5), (6, 2)), ((4, 3, 5), (2, 2, 2)), ((4, 3, 5), (5, 3)),
    ((4, 3, 5, 2), (3, 2)),
)  # fmt: skip


def _different(shape: Shape, of: Shape, rng: np.random.Generator) -> Array:
    """Return tuples, none of them twice."""
    named = shape[: of[-1]]
    count = int(np.prod(of[:-1]))
    flat = rng.permutation(int(np.prod(named)))[:count]
    kind = ("int32", "int64")[int(rng.integers(0, 2))]
    return np.stack(np.unravel_index(flat, named), -1).reshape(of).astype(kind)


def _tuples(in_place: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if lacks_narrow(dtype):
            return
        for shape, of in _TUPLES:
            for layout in _VIEWS:
                index = _different(shape, (min(of[0], 3), *of[1:]), rng)
                values, golden = values_of(shape, dtype, rng), np.zeros(())
                source = values_of((*index.shape[:-1], *shape[of[-1] :]), dtype, rng)
                golden = exact(values).copy()
                golden[tuple(np.moveaxis(index, -1, 0))] = exact(source)
                # Of tables that are written CANN 9.1 takes few with gaps.
                table = Operand(values, "contiguous" if in_place else layout)
                inputs = (table, Operand(index, layout), Operand(source, layout))
                outs = () if in_place or layout == "contiguous" else (layout,)
                yield Case(f"{shape} {of} {layout}", inputs, (golden,), outs)

    return cases


_BY_NAME: dict[str, Callable[..., Any]] = {
    "add": np.add.at, "max": np.maximum.at, "min": np.minimum.at, "mul": np.multiply.at,
    "div": np.divide.at,
}  # fmt: skip


def _first(name: str) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() == "310P" or (name != "add" and not is_950()):
            return  # which have no kernel
        whole = numpy_dtype(dtype).kind in "iu"
        tried: list[tuple[Shape, Shape]] = [((7,), (9,)), ((5, 3), (2, 4)), ((4, 3, 2), (6,))]
        for number, (shape, of) in enumerate((s, o) for s, o in tried for _ in range(2)):
            for layout in _VIEWS:
                values, index = values_of(shape, dtype, rng), _numbers(rng, shape[0], of)
                source = values_of((*of, *shape[1:]), dtype, rng)
                if name in ("mul", "div"):
                    source = np.where(exact(source) < 0, -1, 2).astype(source.dtype)
                    source = np.abs(source) if dtype == "uint8" else source
                golden = _wide(values)
                if whole and name == "div":
                    for place in np.ndindex(of):
                        quotient = golden[index[place]] / exact(source)[place]
                        golden[index[place]] = np.trunc(quotient)
                else:
                    _BY_NAME[name](golden, index, _wide(source))
                more = () if name == "add" else (bool(number % 2),)
                given = (Operand(index, layout), Operand(source, layout), *more)
                inputs = (Operand(values, layout), *given)
                yield Case(f"{shape} {of} {layout}", inputs, (_back(golden, dtype),))

    return cases


def _tf_add(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "310P":
        return
    yield from _first("add")(dtype, rng)
    for shape, of in _TUPLES:
        values = values_of(shape, dtype, rng)
        index = _numbers(rng, 1 + min(shape[: of[-1]]), of)  # some are no place
        source = values_of((*of[:-1], *shape[of[-1] :]), dtype, rng)
        if of[-1] == 1 and source.shape == (*of, *shape[1:]):
            continue
        inside = np.all(index < np.array(shape[: of[-1]]), axis=-1)
        golden = _wide(values)
        np.add.at(golden, tuple(np.moveaxis(index[inside], -1, 0)), _wide(source)[inside])
        inputs = (Operand(values), Operand(index), Operand(source))
        yield Case(f"tuples {shape} {of}", inputs, (_back(golden, dtype),))


def _coalesce(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Whole numbers, which add up exactly; outputs hold 99, to which is added."""
    if chip_family() not in ("A2", "950"):
        return
    for kind, shape in (("int32", (9,)), ("int64", (30, 4)), ("int32", (5, 2, 3))):
        index = rng.integers(0, 3, (shape[0], 2))
        kept, place = np.unique(index, axis=0, return_inverse=True)
        values = rng.integers(-9, 9, shape)
        sums = np.full((len(kept), *shape[1:]), 99)
        np.add.at(sums, place.ravel(), values)
        yield Case(
            f"{kind} {shape}",
            (Operand(np.arange(len(kept), dtype=kind)), Operand(place.ravel().astype(kind)),
             Operand(index.astype(kind)), Operand(values.astype(dtype))),
            (kept.astype(kind), sums.astype(dtype)), out_dtypes=(kind, dtype),
        )  # fmt: skip


_FLOATS = ("float32", "float16", "bfloat16")
_FLOAT8 = ("float8_e5m2", "float8_e4m3fn")
_REAL = (*_FLOATS, "float64", "int8", "uint8", "int16", "int32", "int64", "bool")
_FIRST = ("float32", "float16", "int32", "int8", "uint8")

SUITES: tuple[Suite, ...] = (
    Suite("index_add", _REAL, _index_add(1)),
    Suite("index_add_v2", _REAL, _index_add(2)),
    *(Suite(f"{p}scatter_reduce", (*_REAL, "complex64", "complex128"), _reduce(bool(p)))
      for p in ("", "inplace_")),
    Suite("inplace_put", (*_REAL, "complex64", "complex128"), _put),
    Suite("inplace_scatter_update", (*_FLOATS, "int8", "int32", *_FLOAT8), _update),
    Suite("inplace_masked_scatter", _REAL, _masked),
    Suite("scatter_nd", (*_FLOATS, "bool"), _tuples(False)),
    Suite("scatter_nd_update", (*_FLOATS, "bool", "int8", "int64", *_FLOAT8), _tuples(True)),
    Suite("coalesce_sparse", ("float32", "int32", "float16"), _coalesce),
    Suite("tf_scatter_add", (*_FLOATS, "int32", "int8", "uint8"), _tf_add),
    *(Suite(f"scatter_{n}", _FIRST, _first(n), chip=_NEWEST) for n in ("div", "max", "min", "mul")),
)  # fmt: skip
