"""Reductions and sums along axes."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np

from pyaclnn.array_api._common import Axis, array, axes_of, axis_of, ops
from pyaclnn.array_api.creation_functions import full
from pyaclnn.array_api.elementwise_functions import sqrt
from pyaclnn.array_api.manipulation_functions import concat, moveaxis, reshape
from pyaclnn.tensor import Tensor, as_dtype
from pyaclnn.tensor.calculable import call

__all__ = [
    "all", "any", "count_nonzero", "cumulative_prod", "cumulative_sum", "diff", "max", "mean",
    "min", "prod", "std", "sum", "var",
]  # fmt: skip

_INT64 = np.dtype(np.int64)


def _wide(x: Tensor, dtype: Any) -> np.dtype[Any]:
    """Return the dtype of sums: int64 of integers, and that of floats."""
    if dtype is not None:
        return as_dtype(dtype)
    return _INT64 if array(x).dtype.kind in "biu" else x.dtype


def sum(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Add over axes (``aclnnReduceSum``)."""
    wanted, axes = _wide(x, dtype), axes_of(axis, array(x).ndim)
    x = x.astype(wanted, copy=False)
    if not axes:
        return x.copy()
    return ops.reduce_sum(x, axes, keepdims, wanted)


def prod(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Multiply over axes (``aclnnProdDim``)."""
    wanted, axes = _wide(x, dtype), axes_of(axis, array(x).ndim)
    x = x.astype(wanted, copy=False)
    if not axes:
        return x.copy()
    flat, kept = _joined(x, axes)
    if 0 in flat.shape:
        result = full(flat.shape[:-1], 1, dtype=wanted, device=x.device)
    else:
        result = ops.prod_dim(flat, flat.ndim - 1, False, wanted)
    return result.reshape(kept) if keepdims else result


def _joined(x: Tensor, axes: list[int]) -> tuple[Tensor, tuple[int, ...]]:
    """Return a tensor with some axes as its last one, and the shape that keeps them as 1."""
    rest = tuple(n for a, n in enumerate(x.shape) if a not in axes)
    kept = tuple(1 if a in axes else n for a, n in enumerate(x.shape))
    together = moveaxis(x, axes, list(range(x.ndim - len(axes), x.ndim)))
    count = 1
    for a in axes:
        count *= x.shape[a]
    return reshape(together, (*rest, count)), kept


def mean(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the mean over axes (``aclnnMean``)."""
    axes = axes_of(axis, array(x).ndim)
    if x.dtype.kind in "biu":
        x = x.astype("float32")
    return ops.mean(x, axes, keepdims, x.dtype) if axes else x.copy()


def var(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """Return the mean of squared distances from the mean: five calls, in any dtype."""
    axes = axes_of(axis, array(x).ndim)
    count = 1
    for a in axes:
        count *= x.shape[a]
    apart = x - (mean(x, axis=axes, keepdims=True) if axes else x)
    squares = apart * apart
    total = sum(squares, axis=axes, keepdims=keepdims)
    below = count - correction
    return total / below if below > 0 else total * 0 / 0


def std(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """Return the square root of `var`."""
    return sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def _extreme(name: str, called: str) -> Callable[..., Tensor]:
    def function(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
        axes = axes_of(axis, array(x).ndim)
        if not axes:
            return x.copy()
        for a in axes:
            if x.shape[a] == 0:
                raise ValueError(f"{name} of no elements: axis {a} of {x.describe()}")
        return call(called, x, axes, keepdims)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Return the {name}ima over axes (``aclnn{called.capitalize()}``)."
    return function


max = _extreme("max", "amax")
min = _extreme("min", "amin")


def _truth(name: str) -> Callable[..., Tensor]:
    def function(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
        axes = axes_of(axis, array(x).ndim)
        if x.dtype.kind == "c":
            x = x != 0
        if not axes:
            return x.astype("bool") if x.dtype.kind == "b" else x != 0
        return call(name, x, axes, keepdims)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Return whether {name} elements over axes are true (``aclnn{name.title()}``)."
    )
    return function


all = _truth("all")
any = _truth("any")


def count_nonzero(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Count the elements that are not zero."""
    return sum(array(x) != 0, axis=axis, keepdims=keepdims)


def _cumulative(
    x: Tensor, axis: SupportsIndex | None, dtype: Any, first: int | None, product: bool
) -> Tensor:
    if axis is None:
        if array(x).ndim > 1:
            raise ValueError(f"axis= is needed where there are {x.ndim} axes")
        axis = 0
    wanted = _wide(x, dtype)
    x = x.astype(wanted, copy=False)
    if x.ndim == 0:
        x = x.reshape(1)
    at = axis_of(axis, x.ndim)
    if x.size == 0:
        result = x.copy()
    elif product and wanted.kind == "c":
        result = _products(x, at)
    else:
        result = (ops.cumprod if product else ops.cumsum)(x, at, wanted)
    if first is None:
        return result
    shape = (*x.shape[:at], 1, *x.shape[at + 1 :])
    return concat([full(shape, first, dtype=wanted, device=x.device), result], axis=at)


def _products(x: Tensor, axis: int) -> Tensor:
    """Multiply slice by slice: CANN has no such operator of complex numbers."""
    result = x.copy()
    rows = moveaxis(result, axis, 0)
    for n in range(1, x.shape[axis]):
        rows[n] = rows[n] * rows[n - 1]
    return result


def cumulative_sum(
    x: Tensor,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Tensor:
    """Add up along an axis (``aclnnCumsum``)."""
    return _cumulative(x, axis, dtype, 0 if include_initial else None, product=False)


def cumulative_prod(
    x: Tensor,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Tensor:
    """Multiply up along an axis (``aclnnCumprod``)."""
    return _cumulative(x, axis, dtype, 1 if include_initial else None, product=True)


def diff(
    x: Tensor,
    /,
    *,
    axis: SupportsIndex = -1,
    n: int = 1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Return the differences of neighbours along an axis, n times."""
    at = axis_of(axis, array(x).ndim)
    parts = [part for part in (prepend, x, append) if part is not None]
    result = concat(parts, axis=at) if len(parts) > 1 else x
    for _ in range(operator.index(n)):
        late: list[Any] = [slice(None)] * x.ndim
        early = list(late)
        late[at], early[at] = slice(1, None), slice(None, -1)
        after, before = result[tuple(late)], result[tuple(early)]
        result = after != before if x.dtype.kind == "b" else after - before
    return result.copy() if result is x else result
