"""Arrays of numbers as Python source: the shortest form that gives the same values."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.port.data.long_arrays import LongArray
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.writing.pycode import Code, Group, call, literal, numbers, shape_text

Array = np.ndarray[Any, Any]

MAX_LITERALS = 20_000
#: After how many numbers an array may begin again.
_PERIOD = 2048
#: So many numbers tell most of those that grow evenly from others.
_HEAD = 64
#: How many of a long array are looked at once.
_PART = 1 << 20
#: From which bits on, read as an integer, a number has all its digits.
_NORMAL = {"float16": 1 << 10, "bfloat16": 1 << 7, "float32": 1 << 23, "float64": 1 << 52}


def dtype_text(dtype: np.dtype[Any]) -> str:
    """Return a dtype as Python source."""
    if dtype.name == "bfloat16":
        return "ml_dtypes.bfloat16"
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def constant_of(values: Array) -> Any:
    """Return the one value all elements have, or None."""
    if values.size == 0:
        return 0
    first = values[(0,) * values.ndim]
    if not any(values.strides) and values.ndim:
        # One number that repeats: there may be too many to look at all.
        return None if first == 0 and values.dtype.kind in "fV" and np.signbit(
            np.float64(first)) else first  # fmt: skip
    flat = values.ravel()
    if first == 0 and values.dtype.kind in "fV":
        bits = flat.view(f"u{flat.dtype.itemsize}") if flat.dtype.itemsize <= 8 else flat
        return None if bits.any() else first
    # There may be too many to look at all.
    same = bool((flat[:_HEAD] == first).all()) and bool((flat == first).all())
    return first if same else None


def tensor_source(values: Array) -> Code:
    """Return an expression for a tensor with some values.

    Raises
    ------
    NotUnderstoodError
        If that would be an enormous program.
    """
    dtype = values.dtype
    shape = shape_text(values.shape)
    if _integers(values) is not None:
        return call("pa.asarray", array_source(values))
    kind = [] if dtype == np.float32 else [dtype_text(dtype)]
    if dtype.name == "bfloat16":
        kind = ['"bfloat16"']
    constant = constant_of(values)
    if constant is not None:
        number = constant.item() if hasattr(constant, "item") else constant
        if number == 0:
            return call("pa.zeros", shape, *kind)
        if number == 1 and dtype.kind != "b":
            return call("pa.ones", shape, *kind)
        return call("pa.full", shape, literal(constant, dtype), *kind)
    if dtype.name == "bfloat16":
        return call("pa.asarray", array_source(values.astype(np.float32)), '"bfloat16"')
    return call("pa.asarray", array_source(values))


def array_source(values: Array) -> Group:
    """Return an expression for a NumPy array.

    Raises
    ------
    NotUnderstoodError
        If that would be an enormous program.
    """
    integers = _integers(values)
    if integers is not None:
        return _with_tail(array_source(integers), f".view({dtype_text(values.dtype)})")
    kind = dtype_text(values.dtype)
    reshape = "" if values.ndim == 1 else f".reshape({', '.join(map(str, values.shape))})"
    if values.ndim == 0:
        reshape = ".reshape(())"
    constant = constant_of(values)
    if constant is not None and values.size > 1:
        shape = shape_text(values.shape)
        if constant == 0:
            return call("np.zeros", shape, f"dtype={kind}")
        return call("np.full", shape, literal(constant, values.dtype), f"dtype={kind}")
    flat = values.ravel()
    progression = _progression(flat)
    if progression is not None:
        return _with_tail(call("np.arange", *progression, f"dtype={kind}"), reshape)
    period = _period(flat)
    if period is not None:
        steps = _progression(flat[:period])
        items = numbers([literal(v, flat.dtype) for v in flat[:period]])
        inner = call("np.array", items, f"dtype={kind}")
        if steps is not None:
            inner = call("np.arange", *steps, f"dtype={kind}")
        size = shape_text(values.shape) if values.ndim != 1 else str(flat.size)
        return call("np.resize", inner, size)
    runs = _runs(flat)
    if runs is not None:
        starts, lengths = runs
        items = numbers([literal(v, flat.dtype) for v in flat[starts]])
        each = set(lengths)
        counts = str(each.pop()) if len(each) == 1 else numbers([str(n) for n in lengths])
        inner = call("np.repeat", call("np.array", items, f"dtype={kind}"), counts)
        return _with_tail(inner, reshape)
    if flat.size > MAX_LITERALS:
        raise NotUnderstoodError(
            f"an array of {flat.size} different values is too long to write down"
        )
    items = numbers([literal(v, flat.dtype) for v in flat])
    return _with_tail(call("np.array", items, f"dtype={kind}"), reshape)


def long_source(values: LongArray) -> Group:
    """Return an expression for an array that is too long to be held."""
    kind, head = dtype_text(values.dtype), values.head
    reshape = "" if len(values.shape) == 1 else f".reshape({', '.join(map(str, values.shape))})"
    count = values.size - head.size
    if values.turn.size:
        turn = np.roll(values.turn, -head.size)
        rest = _with_tail(array_source(np.broadcast_to(turn[0], count)), "") if \
            turn.size == 1 else call("np.resize", array_source(turn), str(count))  # fmt: skip
    else:
        start = values.start + head.size
        ends = [str(start)] if start else []
        ends.append(str(start + count))
        # Counting in a fraction's type adds where C++ converts, once the numbers are inexact.
        exact = values.dtype.kind in "iu" or (not start and values.dtype.itemsize >= 4)
        rest = call("np.arange", *ends, f"dtype={kind}") if exact else \
            _with_tail(call("np.arange", *ends), f".astype({kind})")  # fmt: skip
    if head.size:
        rest = call("np.concatenate", Group("[", (array_source(head), rest), "]"))
    return _with_tail(rest, reshape)


def _integers(values: Array) -> Array | None:
    """Return the integers whose bits a sample takes for fractions; None of a usual array.

    ``std::vector<int16_t> ones(n, 1)`` as halves are numbers so small that nobody means them.
    """
    limit = _NORMAL.get(values.dtype.name)
    if limit is None or not values.size:
        return None
    whole = np.dtype(f"i{values.dtype.itemsize}")
    if values.ndim and not any(values.strides):
        # One number that repeats: there may be too many to look at all.
        one = np.asarray(values[(0,) * values.ndim]).view(whole)
        return np.broadcast_to(one, values.shape) if 0 < int(one) < limit else None
    bits = np.ascontiguousarray(values).view(whole)
    return bits if int(bits.min()) >= 0 and 0 < int(bits.max()) < limit else None


def is_regular(values: Array) -> bool:
    """Return whether an array has a form shorter than its list of values."""
    flat = values.ravel()
    found = (constant_of(values), _progression(flat), _period(flat), _runs(flat))
    return any(form is not None for form in found)


def _with_tail(group: Group, tail: str) -> Group:
    return Group(group.head, group.items, group.tail + tail, group.fill)


def _progression(flat: Array) -> list[str] | None:
    if flat.size < 4 or flat.dtype.kind not in "iuf":
        return None
    if flat.size > _HEAD and _progression(flat[:_HEAD]) is None:
        # There may be too many to look at all.
        return None
    wide = flat.astype(np.float64)
    start, step = wide[0], wide[1] - wide[0]
    if step == 0 or not float(step).is_integer() or not float(start).is_integer():
        return None
    expected = start + step * np.arange(flat.size)
    if abs(expected[-1]) > 1 << 53 or not np.array_equal(wide, expected):
        return None
    if not np.array_equal(np.arange(start, start + step * flat.size, step).astype(flat.dtype),
                          flat):  # fmt: skip
        return None
    stop = int(start + step * flat.size)
    if step == 1:
        return [str(stop)] if start == 0 else [str(int(start)), str(stop)]
    return [str(int(start)), str(stop), str(int(step))]


def _runs(flat: Array) -> tuple[list[int], list[int]] | None:
    """Return where stretches of equal values start, and their lengths, where they are long."""
    if flat.size < 16 or flat.dtype.kind == "V":
        return None
    if flat.size > _PART and _runs(flat[:_PART]) is None:
        return None
    bits = flat.view(f"u{flat.dtype.itemsize}") if flat.dtype.itemsize <= 8 else flat
    starts = np.flatnonzero(np.concatenate([[True], bits[1:] != bits[:-1]]))
    if len(starts) * 4 > flat.size or len(starts) > 256:
        return None
    lengths = np.diff(np.append(starts, flat.size))
    return starts.tolist(), lengths.tolist()


def _period(flat: Array) -> int | None:
    if flat.size < 16:
        return None
    first = flat[: 2 * _PERIOD]
    # A long one is worth its numbers where there are too many without.
    longest = _PERIOD if flat.size > MAX_LITERALS else 256
    for period in range(2, min(flat.size // 2, longest) + 1):
        # Most are none already there, and the array may be long.
        if not np.array_equal(first[period:], first[:-period]):
            continue
        if _equal(flat[period:], flat[:-period]):
            return period
    return None


def _equal(first: Array, second: Array) -> bool:
    """Compare long arrays piece by piece, which takes no memory as large as they are."""
    return all(
        np.array_equal(first[at : at + _PART], second[at : at + _PART])
        for at in range(0, first.size, _PART)
    )
