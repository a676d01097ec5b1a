"""Order, positions, and sets of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, SupportsIndex

import numpy as np

from pyaclnn.array_api._common import array, axis_of, ops, pair
from pyaclnn.array_api.creation_functions import arange, empty, ones, zeros
from pyaclnn.array_api.elementwise_functions import isnan, where
from pyaclnn.array_api.manipulation_functions import concat, reshape, take, take_along_axis
from pyaclnn.array_api.statistical_functions import cumulative_sum
from pyaclnn.tensor import Tensor, reinterpret
from pyaclnn.tensor.calculable import call

__all__ = [
    "argmax", "argmin", "argsort", "nonzero", "searchsorted", "sort", "unique_all",
    "unique_counts", "unique_inverse", "unique_values",
]  # fmt: skip

_INT64 = np.dtype(np.int64)


def _key(x: Tensor) -> Tensor:
    """Return what has the order of x and can be sorted.

    CANN sorts no float64. The bits of one, as an integer, are ordered as it is, backwards where
    the sign is set; NaN comes last.
    """
    if x.dtype != np.float64:
        return x
    # -0.0 is equal to 0.0, and has other bits.
    pattern = (x + 0.0).contiguous()
    whole = reinterpret.over(pattern, pattern.shape, _INT64, pattern.strides, pattern.offset)
    ordered = whole ^ ((whole >> 63) & np.int64(2**63 - 1))
    return where(isnan(x), 2**63 - 1, ordered)


def sort(
    x: Tensor, /, *, axis: SupportsIndex = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    """Sort along an axis (``aclnnSort``); float64 by its bits."""
    at = axis_of(axis, array(x).ndim)
    if x.size == 0:
        return x.copy()
    if x.dtype == np.float64:
        order = argsort(x, axis=at, descending=descending)
        return take_along_axis(x, order, axis=at)
    return ops.sort(x, stable, at, descending)[0]


def argsort(
    x: Tensor, /, *, axis: SupportsIndex = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    """Return the positions that sort an axis (``aclnnSort``), equal ones in their order."""
    at = axis_of(axis, array(x).ndim)
    if x.size == 0:
        return empty(x.shape, dtype=_INT64, device=x.device)
    return ops.sort(_key(x), True, at, descending)[1]


def _position(name: str, called: str) -> Callable[..., Tensor]:
    def function(
        x: Tensor, /, *, axis: SupportsIndex | None = None, keepdims: bool = False
    ) -> Tensor:
        if axis is None:
            flat = reshape(array(x), (-1,))
            found = call(called, flat, 0, False)
            return found.reshape((1,) * x.ndim) if keepdims else found
        return call(called, x, axis_of(axis, array(x).ndim), keepdims)

    function.__name__ = function.__qualname__ = name
    c_name = called.title().replace("_", "")
    function.__doc__ = f"Return where the {name[3:]}ima are along an axis (``aclnn{c_name}``)."
    return function


argmax = _position("argmax", "arg_max")
argmin = _position("argmin", "arg_min")


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Return the positions of elements that are not zero, for each axis (``aclnnNonzero``)."""
    if array(x).ndim == 0:
        raise ValueError("nonzero of an array without axes is not defined")
    if x.size == 0:
        return tuple(empty(0, dtype=_INT64, device=x.device) for _ in x.shape)
    places = ops.nonzero(x != 0 if x.dtype.kind == "c" else x)
    return tuple(places[:, n] for n in range(x.ndim))


def searchsorted(
    x1: Tensor,
    x2: Tensor,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Tensor | None = None,
) -> Tensor:
    """Return where values belong in what is sorted (``aclnnSearchSorted``)."""
    if side not in ("left", "right"):
        raise ValueError(f"side is 'left' or 'right', not {side!r}")
    row, values = pair(x1, x2)
    if sorter is not None:
        row = take(row, sorter, axis=0)
    if values.size == 0 or row.size == 0:
        return zeros(values.shape, dtype=_INT64, device=values.device)
    return ops.search_sorted(row.contiguous(), values, False, side == "right", None)


class UniqueAll(NamedTuple):
    """Different values, where each is first, which one each element is, and how often it is."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """Different values, and how often each is there."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """Different values, and which one each element is."""

    values: Tensor
    inverse_indices: Tensor


def _sorted_order(flat: Tensor) -> Tensor:
    if flat.dtype.kind != "c":
        return argsort(flat)
    by_imaginary = argsort(flat.imag)
    return take(by_imaginary, argsort(take(flat.real.copy(), by_imaginary)))


def unique_all(x: Tensor, /) -> UniqueAll:
    """Return the different values in order, NaN each on its own: sorted, and told apart."""
    flat = reshape(array(x), (-1,))
    if x.size == 0:
        none = empty(0, dtype=_INT64, device=x.device)
        return UniqueAll(flat.copy(), none, zeros(x.shape, dtype=_INT64, device=x.device), none)
    order = _sorted_order(flat)
    values = take(flat, order)
    first = ones(1, dtype="bool", device=x.device)
    starts_here = concat([first, values[1:] != values[:-1]]) if x.size > 1 else first
    (starts,) = nonzero(starts_here)
    starts = starts.contiguous()
    ends = concat([starts[1:], arange(x.size, x.size + 1, device=x.device)])
    inverse = empty(x.size, dtype=_INT64, device=x.device)
    inverse[order] = cumulative_sum(starts_here) - 1
    return UniqueAll(
        take(values, starts), take(order, starts), inverse.reshape(x.shape), ends - starts
    )


def unique_counts(x: Tensor, /) -> UniqueCounts:
    """Return the different values, and how often each is there."""
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Tensor, /) -> UniqueInverse:
    """Return the different values, and which one each element is."""
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Tensor, /) -> Tensor:
    """Return the different values."""
    return unique_all(x).values


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Tensor:
    """Return which elements are among others: each compared with each."""
    first, second = pair(x1, x2)
    found = (first[..., None] == reshape(second, (-1,))).any(-1)
    return ~found if invert else found
