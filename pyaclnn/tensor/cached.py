"""Argument objects shared by value: scalars and arrays are made once for equal ones.

Bounded, and emptied by :func:`clear_caches`; whoever uses an object holds a reference to it.
"""

from __future__ import annotations

import marshal
import weakref
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from pyaclnn.abi import AclError, ffi
from pyaclnn.tensor.dtypes import as_dtype
from pyaclnn.tensor.handles import (
    BoolArray,
    FloatArray,
    IntArray,
    Scalar,
    ScalarList,
    TensorList,
)
from pyaclnn.tensor.tensor import Tensor

_CACHED_VALUES = 4096
_CACHED_LISTS = 256
_CACHED_TEXTS = 256
_NUMBERS = {int, float, bool}

#: The format of `written`, for code that calls ``marshal.dumps`` itself to spare a call.
WRITTEN_AS = 2


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


class _Absent:
    """Stands for None where handles are expected."""

    @property
    def _handle(self) -> Any:
        # Not earlier: to ask for it imports cffi's parser.
        return ffi.NULL


_ABSENT = _Absent()

#: What is converted -> handles by `written`.
_written: dict[Any, dict[bytes, Any]] = {}


def written(value: Any) -> bytes:
    """Return bytes that tell a value with its type: 1, 1.0 and True are equal, these differ.

    For a list, a tuple of the values and their types takes twice the time, 0.1 µs more.

    Parameters
    ----------
    value : number, None, or list or tuple of numbers
        Python's own. The bytes of anything else mean nothing.

    Raises
    ------
    ValueError
        For what cannot be written.
    """
    return marshal.dumps(value, WRITTEN_AS)


def written_cache(what: Any) -> dict[bytes, Any]:
    """Return the handles of one kind by what `written` returns for their values.

    To look in, without converting the values once more; `remember` fills it.

    Parameters
    ----------
    what : hashable
        What values are converted to.
    """
    cache = _written.get(what)
    if cache is None:
        cache = _written.setdefault(what, {written(None): _ABSENT})
    return cache


def remember(what: Any, value: Any, handle: Any) -> None:
    """Let values that are written alike be found in the cache of their kind."""
    types = map(type, value) if value.__class__ in (list, tuple) else (type(value),)
    if _NUMBERS.issuperset(types):
        cache = written_cache(what)
        if len(cache) >= _CACHED_VALUES:
            _empty(cache)
        cache[written(value)] = handle


def _empty(cache: dict[bytes, Any]) -> None:
    cache.clear()
    cache[written(None)] = _ABSENT


def share_arrays(kinds: tuple[str, ...], values: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Find the handles of several arrays, and remember them for all their values at once.

    Parameters
    ----------
    kinds : tuple of str
        What `remember` was told each is converted to.
    values : tuple
        The arrays.

    Returns
    -------
    tuple or None
        What `written` returns for the values, the C value of each, and what must be kept while C
        uses these; `written_cache` of the kinds has it from now on. None if one of the arrays is
        not remembered.

    Raises
    ------
    ValueError
        For what cannot be written.
    """
    pairs = zip(kinds, values, strict=True)
    handles: tuple[Any, ...] = tuple(
        written_cache(kind).get(written(value)) for kind, value in pairs
    )
    if None in handles:
        return None
    cache = written_cache(kinds)
    if len(cache) >= _CACHED_VALUES:
        _empty(cache)
    key = written(values)
    found = cache[key] = (key, *(handle._handle for handle in handles), handles)
    return found


#: For each operator that takes arrays, the last ones it was given.
_all_last_arrays: list[list[tuple[Any, ...]]] = []


def last_arrays(count: int) -> list[tuple[Any, ...]]:
    """Return a place for what `share_arrays` returned for the last call, the one element.

    To look whether the next call has the same arrays spares hashing them, and asking the handles
    for what they hold: 0.08 µs.
    """
    last = [(None,) * (count + 2)]
    _all_last_arrays.append(last)
    return last


#: Text -> a copy for C.
texts: dict[str, Any] = {}


def text_handle(text: str) -> Any:
    """Return a text as C takes it, shared with equal ones; keep a reference while C uses it."""
    copy = texts.get(text)
    if copy is None:
        if len(texts) >= _CACHED_TEXTS:
            texts.clear()
        copy = texts[text] = ffi.new("char[]", text.encode())
    return copy


class SharedList:
    """A TensorList that does not keep its tensors alive, and is dropped with the first of them.

    Attributes
    ----------
    tensors : list or tuple of weakref.proxy
        Equals a list or tuple of these tensors, and of what else equals one of them.
    handle : TensorList
        It.
    forms : dict
        What the floor above keeps of calls with this list.
    """

    __slots__ = ("forms", "handle", "references", "tensors")

    def __init__(self, key: tuple[Any, ...], tensors: Sequence[Tensor]) -> None:
        self.handle = TensorList(tensors, keep=False)
        self.tensors = type(tensors)(map(weakref.proxy, tensors))  # type: ignore[call-arg]
        self.forms: dict[Any, Any] = {}

        def drop(_: object) -> None:
            shared = _shared_lists.pop(key, None)
            for last in _all_last_lists:
                if last[0] is shared:
                    last[0] = _NO_LIST

        self.references = [weakref.ref(tensor, drop) for tensor in tensors]


class _NoList:
    tensors = None


_NO_LIST = _NoList()

#: Identities of tensors -> the list of them. As long as it is here, they are those it is made of.
_shared_lists: dict[tuple[Any, ...], SharedList] = {}

#: For each parameter of an operator that takes a list, the last one it was given.
_all_last_lists: list[list[Any]] = []


def last_list() -> list[Any]:
    """Return a place for the `SharedList` of the last call, the one element.

    To look whether the next call has the same tensors takes 0.03 µs, to look for them 0.2. The
    place holds something whose ``tensors`` equal nothing until `share_list` fills it, and again
    when one of the tensors is gone.
    """
    last: list[Any] = [_NO_LIST]
    _all_last_lists.append(last)
    return last


def share_list(tensors: Any, last: list[Any]) -> SharedList | None:
    """Find or make a list of open tensors.

    Parameters
    ----------
    tensors : list or tuple of Tensor
        The tensors.
    last : list
        From `last_list`: where to put it, too.

    Returns
    -------
    SharedList or None
        None if this is no list, is empty, or if an element is no open tensor. Keep a reference to
        it while C uses its handle.
    """
    if tensors.__class__ not in (list, tuple) or not tensors:
        return None
    if any(t.__class__ is not Tensor or t.closed for t in tensors):
        return None
    key = (tensors.__class__, *map(id, tensors))
    shared = _shared_lists.get(key)
    if shared is None:
        if len(_shared_lists) >= _CACHED_LISTS:
            _forget_lists()
        shared = _shared_lists[key] = SharedList(key, tensors)
    last[0] = shared
    return shared


def _forget_lists() -> None:
    _shared_lists.clear()
    for last in _all_last_lists:
        last[0] = _NO_LIST


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
    for known in _written.values():
        _empty(known)
    for last in _all_last_arrays:
        last[0] = (None,) * len(last[0])
    texts.clear()
    _forget_lists()
