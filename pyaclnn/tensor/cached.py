"""Argument objects shared by value: scalars and arrays are made once for equal ones.

Bounded, and emptied by :func:`clear_caches`; whoever uses an object holds a reference to it.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from pyaclnn.abi import AclError
from pyaclnn.tensor.dtypes import as_dtype
from pyaclnn.tensor.handles import (
    BoolArray,
    FloatArray,
    IntArray,
    Scalar,
    ScalarList,
    TensorList,
)

if TYPE_CHECKING:
    from pyaclnn.runtime import Stream
    from pyaclnn.tensor.tensor import Tensor

_CACHED_VALUES = 4096
_CACHED_LISTS = 256


def scalar_handle(value: Any, dtype: np.dtype[Any] | str) -> Scalar:
    """Return a scalar, shared with equal ones.

    Parameters
    ----------
    value : number
        Python's or NumPy's.
    dtype : numpy.dtype or str
        How C sees it.

    Returns
    -------
    Scalar
        Keep a reference to it while C uses its handle.

    Raises
    ------
    TypeError, OverflowError
        See `Scalar`.
    """
    if value.__class__ is float and value:
        cache = scalar_cache(dtype)
        scalar = cache.get(value)
        if scalar is None:
            if len(cache) >= _CACHED_VALUES:
                cache.clear()
            scalar = cache.setdefault(value, Scalar(value, dtype))
        return scalar
    try:
        if value and value.__class__ is not complex:
            return _cached_scalar(value, dtype, "")
        # 0.0 and -0.0 are equal, and different in C; so are the parts of complex numbers.
        return _cached_scalar(value, dtype, repr(value))
    except AclError:
        raise
    except (TypeError, ValueError):  # not hashable or no number: let Scalar say what is wrong
        return Scalar(value, dtype)


#: By dtype, and by whatever spelling of it was asked for.
_float_scalars: dict[Any, dict[float, Scalar]] = {}


def scalar_cache(dtype: np.dtype[Any] | str | None) -> dict[float, Scalar]:
    """Return the scalars made of Python floats other than 0, by value.

    Parameters
    ----------
    dtype : numpy.dtype or str, optional
        Of the scalars; float64, a Python float's own, if not given.

    Returns
    -------
    dict
        To look in; `scalar_handle` fills it.
    """
    cache = _float_scalars.get(dtype)
    if cache is None:
        element = as_dtype(np.float64 if dtype is None else dtype)
        cache = _float_scalars[dtype] = _float_scalars.setdefault(element, {})
    return cache


@lru_cache(_CACHED_VALUES)
def _cached_scalar(value: Any, dtype: np.dtype[Any] | str, exact: str) -> Scalar:
    return Scalar(value, dtype)


@lru_cache(_CACHED_VALUES)
def int_array_handle(values: tuple[int, ...]) -> IntArray:
    """Return an IntArray, shared with equal ones; keep a reference while C uses its handle."""
    return IntArray(values)


@lru_cache(_CACHED_VALUES)
def bool_array_handle(values: tuple[bool, ...]) -> BoolArray:
    """Return a BoolArray, shared with equal ones; keep a reference while C uses its handle."""
    return BoolArray(values)


def float_array_handle(values: tuple[float, ...]) -> FloatArray:
    """Return a FloatArray, shared with equal ones; keep a reference while C uses its handle."""
    if 0.0 in values:
        return _cached_float_array(values, repr(values))
    return _cached_float_array(values, "")


@lru_cache(_CACHED_VALUES)
def _cached_float_array(values: tuple[float, ...], exact: str) -> FloatArray:
    return FloatArray(values)


#: Kind of array -> arrays by the values and their types, as callers wrote them: 1, 1.0 and True are
#: equal, and not all of them are accepted everywhere.
_written_arrays: dict[str, dict[tuple[Any, ...], Any]] = {
    "int_array": {},
    "float_array": {},
    "bool_array": {},
}


def array_cache(kind: str) -> dict[tuple[Any, ...], Any]:
    """Return the arrays of a kind, by ``(*values, *types of the values)``.

    To look in, without converting the values once more; `remember_array` fills it.
    """
    return _written_arrays[kind]


def remember_array(kind: str, values: Any, handle: Any) -> None:
    """Let equal values of equal types be found in the cache of their kind."""
    if values.__class__ not in (list, tuple) or (kind == "float_array" and 0.0 in values):
        return
    cache = _written_arrays[kind]
    if len(cache) >= _CACHED_VALUES:
        cache.clear()
    cache[tuple(values) + tuple(map(type, values))] = handle


class _SharedList:
    """A TensorList that does not keep its tensors alive, and is dropped with the first of them."""

    __slots__ = ("handle", "references")

    def __init__(self, key: tuple[int, ...], tensors: Sequence[Tensor]) -> None:
        self.handle = TensorList(tensors, keep=False)

        def drop(_: object) -> None:
            _tensor_lists.pop(key, None)

        self.references = [weakref.ref(tensor, drop) for tensor in tensors]


#: Identities of tensors -> the list of them.
_tensor_lists: dict[tuple[int, ...], _SharedList] = {}


def shared_tensor_list(tensors: Any, stream: Stream) -> TensorList | None:
    """Return a list of tensors, made once for the same ones.

    Parameters
    ----------
    tensors : list or tuple of Tensor
        Anything else is left to the caller.
    stream : Stream
        Where the list is to be used.

    Returns
    -------
    TensorList or None
        None if an element is no open tensor that was made for the stream. Keep a reference to it
        while C uses its handle.
    """
    if tensors.__class__ is not list and tensors.__class__ is not tuple:
        return None
    key = tuple(map(id, tensors))
    shared = _tensor_lists.get(key)
    if shared is None:
        if not tensors or any(tensor.__class__.__name__ != "Tensor" for tensor in tensors):
            return None
        if len(_tensor_lists) >= _CACHED_LISTS:
            _tensor_lists.clear()
        shared = _tensor_lists[key] = _SharedList(key, tensors)
    # These are the tensors it was made of: it is gone before another can have the identity.
    for tensor in tensors:
        buffer = tensor._buffer
        if buffer is None or buffer.open_on is not stream:
            return None
    return shared.handle


def tensor_list_handle(tensors: Sequence[Tensor | None]) -> TensorList:
    """Return a TensorList; not cached, for it has descriptors of its own."""
    return TensorList(tensors)


def scalar_list_handle(values: Sequence[tuple[Any, DTypeLike]]) -> ScalarList:
    """Return a ScalarList of (number, dtype) pairs; not cached."""
    return ScalarList(values)


def clear_caches() -> None:
    """Drop the cached values; those in use elsewhere live on."""
    for cache in (_cached_scalar, int_array_handle, bool_array_handle, _cached_float_array):
        cache.cache_clear()
    for scalars in _float_scalars.values():
        scalars.clear()
    for arrays in _written_arrays.values():
        arrays.clear()
    _tensor_lists.clear()
