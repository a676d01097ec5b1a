"""Making arrays."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

import numpy as np

from pyaclnn import tensor
from pyaclnn.array_api._common import array, ops
from pyaclnn.runtime import Device
from pyaclnn.tensor import Tensor, as_dtype
from pyaclnn.tensor.promotion import DEFAULTS

__all__ = [
    "arange", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like",
    "linspace", "meshgrid", "ones", "ones_like", "tril", "triu", "zeros", "zeros_like",
]  # fmt: skip

Shape = SupportsIndex | Sequence[SupportsIndex]
_FLOAT32 = np.dtype(np.float32)


def _default(*values: Any) -> np.dtype[Any]:
    """Return the dtype of Python numbers together."""
    if all(isinstance(v, bool) for v in values):
        return DEFAULTS[bool]
    for kind in (complex, float, int):
        if any(isinstance(v, kind) for v in values):
            return DEFAULTS[kind]
    raise TypeError(f"a number is needed, not {type(values[0]).__name__}")


def asarray(
    obj: Any, /, *, dtype: Any = None, device: Device | None = None, copy: bool | None = None
) -> Tensor:
    """Return values as a tensor; Python floats are float32, ints int64."""
    if isinstance(obj, Tensor):
        wanted = obj.dtype if dtype is None else as_dtype(dtype)
        there = obj if device is None else obj.to_device(device)
        if copy is False and (wanted != obj.dtype or there is not obj):
            raise ValueError("another dtype or device needs a copy, which copy=False forbids")
        result = there.astype(wanted, copy=False)
        return result.copy() if copy and result is obj else result
    if copy is False:
        raise ValueError("values of the host reach the device by a copy, which copy=False forbids")
    if isinstance(obj, (list, tuple)):
        obj = _without_tensors(obj)
    return tensor.asarray(obj, dtype, device=device)


def _without_tensors(values: Any) -> Any:
    """Return nested sequences with the numbers that tensors of no axes hold."""
    if isinstance(values, (list, tuple)):
        return [_without_tensors(v) for v in values]
    return values.item() if isinstance(values, Tensor) and not values.shape else values


def from_dlpack(x: object, /, *, device: Device | None = None, copy: bool | None = None) -> Tensor:
    """Return a tensor over the memory of another library's array; see `pyaclnn.from_dlpack`."""
    return tensor.from_dlpack(x, device=device, copy=copy)


def empty(shape: Shape, *, dtype: Any = None, device: Device | None = None) -> Tensor:
    """Return a tensor with undefined values."""
    return tensor.empty(shape, dtype, device=device)


def zeros(shape: Shape, *, dtype: Any = None, device: Device | None = None) -> Tensor:
    """Return zeros."""
    return tensor.zeros(shape, dtype, device=device)


def ones(shape: Shape, *, dtype: Any = None, device: Device | None = None) -> Tensor:
    """Return ones."""
    return full(shape, 1, dtype=_FLOAT32 if dtype is None else dtype, device=device)


def full(
    shape: Shape, fill_value: Any, *, dtype: Any = None, device: Device | None = None
) -> Tensor:
    """Return one number, everywhere (``aclnnInplaceFillScalar``)."""
    if isinstance(fill_value, Tensor):
        fill_value = fill_value.item()
    wanted = _default(fill_value) if dtype is None else as_dtype(dtype)
    # Of the kind first, which refuses what does not fit.
    value: Any = np.asarray(fill_value, wanted)[()]
    result = tensor.empty(shape, wanted, device=device)
    return result.fill_(value) if result.size else result


def empty_like(x: Tensor, /, *, dtype: Any = None, device: Device | None = None) -> Tensor:
    """Return a tensor like another, with undefined values."""
    return empty(x.shape, dtype=dtype or array(x).dtype, device=device or x.device)


def zeros_like(x: Tensor, /, *, dtype: Any = None, device: Device | None = None) -> Tensor:
    """Return zeros like a tensor."""
    return zeros(x.shape, dtype=dtype or array(x).dtype, device=device or x.device)


def ones_like(x: Tensor, /, *, dtype: Any = None, device: Device | None = None) -> Tensor:
    """Return ones like a tensor."""
    return full(x.shape, 1, dtype=dtype or array(x).dtype, device=device or x.device)


def full_like(
    x: Tensor, /, fill_value: Any, *, dtype: Any = None, device: Device | None = None
) -> Tensor:
    """Return one number, everywhere, like a tensor."""
    return full(x.shape, fill_value, dtype=dtype or array(x).dtype, device=device or x.device)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Device | None = None,
) -> Tensor:
    """Return evenly spaced numbers (``aclnnArange``; narrow dtypes are cast from int64)."""
    if stop is None:
        start, stop = 0, start
    wanted = _default(start, stop, step) if dtype is None else as_dtype(dtype)
    count = max(0, math.ceil((stop - start) / step))
    if wanted.name not in ("int32", "int64", "float32", "float64"):
        whole = all(float(v).is_integer() for v in (start, step))
        wide = arange(start, stop, step, dtype="int64" if whole else "float32", device=device)
        return wide.astype(wanted)
    result = tensor.empty(count, wanted, device=device)
    if count == 0:
        return result
    # Of the middle of the last step, so that no rounding changes how many there are.
    last = start + (count - 1) * step
    end = last + (step if isinstance(step, int) else step / 2)
    limit = 2**63 - 1
    if wanted.kind == "i" and not -limit <= end <= limit:
        end = last + (1 if step > 0 else -1)
    ops.arange(start, end, step, out=result)
    return result


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Device | None = None,
    endpoint: bool = True,
) -> Tensor:
    """Return evenly spaced numbers of an interval (``aclnnLinspace``)."""
    wanted = _default(start, stop, 1.0) if dtype is None else as_dtype(dtype)
    if wanted.kind == "c":
        parts = np.dtype(np.float64 if wanted == np.complex128 else np.float32)
        real, imaginary = (
            linspace(a, b, num, dtype=parts, device=device, endpoint=endpoint)
            for a, b in ((start.real, stop.real), (start.imag, stop.imag))
        )
        return ops.complex(real, imaginary)
    if num == 0:
        return tensor.empty(0, wanted, device=device)
    assert not isinstance(start, complex)
    assert not isinstance(stop, complex)
    if not endpoint:
        stop = start + (stop - start) * ((num - 1) / num)
    exact = wanted if wanted.name in ("float32", "float64") else np.dtype(np.float32)
    result = tensor.empty(num, exact, device=device)
    ops.linspace(start, stop, num, out=result)
    return result.astype(wanted, copy=False)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Device | None = None,
) -> Tensor:
    """Return ones on a diagonal and zeros elsewhere: positions compared and cast."""
    columns = n_rows if n_cols is None else n_cols
    wanted = _FLOAT32 if dtype is None else as_dtype(dtype)
    if 0 in (n_rows, columns):
        return tensor.empty((n_rows, columns), wanted, device=device)
    down, across = _positions(n_rows, columns, device)
    return (across - down == k).astype(wanted, copy=False)


def _positions(rows: int, columns: int, device: Device | None) -> tuple[Tensor, Tensor]:
    return arange(rows, device=device)[:, None], arange(columns, device=device)[None, :]


def meshgrid(*arrays: Tensor, indexing: Literal["xy", "ij"] = "xy") -> list[Tensor]:
    """Return the coordinates of a grid, as views."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing is 'xy' or 'ij', not {indexing!r}")
    order = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        order[:2] = [1, 0]
    shape = [0] * len(arrays)
    for at, x in zip(order, arrays, strict=True):
        shape[at] = array(x).size
    grids = []
    for at, x in zip(order, arrays, strict=True):
        ones = [1] * len(arrays)
        ones[at] = x.size
        grids.append(x.reshape(tuple(ones)).broadcast_to(tuple(shape)))
    return grids


def _triangle(x: Tensor, k: int, lower: bool) -> Tensor:
    if array(x).ndim < 2:
        raise ValueError(f"a matrix is needed, not {x.describe()}")
    k = operator.index(k)
    if x.dtype.kind != "c":
        return ops.tril(x, k) if lower else ops.triu(x, k)
    down, across = _positions(x.shape[-2], x.shape[-1], x.device)
    kept = across - down <= k if lower else across - down >= k
    return ops.s_where(kept, x, zeros((), dtype=x.dtype, device=x.device))


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Return the lower triangles of matrices (``aclnnTril``)."""
    return _triangle(x, k, lower=True)


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Return the upper triangles of matrices (``aclnnTriu``)."""
    return _triangle(x, k, lower=False)
