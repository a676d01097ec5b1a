"""Cached argument objects: equal scalars, arrays, texts and lists share one object.

The caches are bounded, and :func:`clear_caches` empties them; callers hold references to the
objects that they use.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyaclnn.abi import ffi
from pyaclnn.tensor.descriptions import overridden_description
from pyaclnn.tensor.dtypes import as_dtype
from pyaclnn.tensor.handles import (
    BoolArray,
    FloatArray,
    IntArray,
    Scalar,
)
from pyaclnn.tensor.lists import ScalarList, SharedList, TensorList
from pyaclnn.tensor.tensor import Tensor

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

_CACHED_VALUES = 4096
_CACHED_LISTS = 256
_PLAIN = frozenset({int, float, bool, complex, str, type(None)})

#: The kind of lists of scalars, each of which is a C object.
SCALAR_LIST = "scalar_list"

#: The version of ``marshal.dumps`` for cache keys. Its bytes distinguish values that compare equal:
#: 1, 1.0 and True, 0.0 and -0.0.
WRITTEN_AS = 2

#: The key, the C value of each attribute, and what must be kept while C uses these.
Entry = tuple[Any, ...]

#: Kinds of attributes -> values of these, by `key_of` -> their entry.
_attributes: dict[tuple[Hashable, ...], dict[Any, Entry]] = {}


def attribute_cache(kinds: tuple[Hashable, ...]) -> dict[Any, Entry]:
    """Return the entries of attributes of these kinds, to look in; `keep_attributes` fills it.

    Parameters
    ----------
    kinds : tuple of hashable
        What each value is converted to.
    """
    return _attributes.setdefault(kinds, {})


def key_of(values: tuple[Any, ...]) -> Any:
    """Return the cache key of values, types included.

    A single text, or a single float other than 0, is its own key, which is faster to look up. Keys
    of NumPy's numbers have class and bytes, because marshal writes the bytes alone.

    Raises
    ------
    ValueError
        For values that cannot be marshalled.
    """
    if len(values) == 1:
        (value,) = values
        if value.__class__ is str or (value.__class__ is float and value):
            return value
    if any(isinstance(value, np.generic) for value in values):
        return tuple(
            (v.__class__, v.tobytes() if isinstance(v, np.generic) else key_of((v,)))
            for v in values
        )
    return marshal.dumps(values, WRITTEN_AS)


def keep_attributes(
    kinds: tuple[Hashable, ...], values: tuple[Any, ...], c_values: Sequence[Any], owners: object
) -> Entry:
    """Return the entry of some attributes, which is cached if they are of Python's own types.

    Parameters
    ----------
    kinds : tuple of hashable
        As for `attribute_cache`.
    values : tuple
        Numbers, texts, None, lists and tuples are cached.
    c_values : sequence
        The C arguments made of them.
    owners : object
        What must be kept alive.
    """
    if not all(map(_is_plain, values)):
        return (None, *c_values, owners)
    cache = attribute_cache(kinds)
    if len(cache) >= (_CACHED_LISTS if SCALAR_LIST in kinds else _CACHED_VALUES):
        cache.clear()
    key = key_of(values)
    return cache.setdefault(key, (key, *c_values, owners))


def _is_plain(value: Any) -> bool:
    # The marshalled bytes of other types do not identify a value.
    if value.__class__ in (list, tuple):
        return _PLAIN.issuperset(map(type, value))
    return value.__class__ in _PLAIN or isinstance(value, np.generic)


def shared(kind: Hashable, value: Any, make: Callable[[], Any]) -> Any:
    """Return the cached object of a kind for a value; equal values of one type share it.

    Parameters
    ----------
    kind : hashable
        What the value is converted to.
    value : object
        The key.
    make : callable
        Returns a `Handle` or what C takes; called where there is none yet.
    """
    if not _is_plain(value):
        return make()
    entry = attribute_cache((kind,)).get(key_of((value,)))
    if entry is None:
        owner = make()
        entry = keep_attributes((kind,), (value,), (getattr(owner, "_handle", owner),), owner)
    return entry[-1]


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
    scalar: Scalar = shared(("scalar", as_dtype(dtype)), value, lambda: Scalar(value, dtype))
    return scalar


def int_array_handle(values: tuple[int, ...]) -> IntArray:
    """Return an IntArray, shared with equal ones; keep a reference while C uses its handle."""
    array: IntArray = shared("int_array", values, lambda: IntArray(values))
    return array


def bool_array_handle(values: tuple[bool, ...]) -> BoolArray:
    """Return a BoolArray, shared with equal ones; keep a reference while C uses its handle."""
    array: BoolArray = shared("bool_array", values, lambda: BoolArray(values))
    return array


def float_array_handle(values: tuple[float, ...]) -> FloatArray:
    """Return a FloatArray, shared with equal ones; keep a reference while C uses its handle."""
    array: FloatArray = shared("float_array", values, lambda: FloatArray(values))
    return array


def text_handle(text: str) -> Any:
    """Return a text as C takes it, shared with equal ones; keep a reference while C uses it."""
    return shared("string", text, lambda: ffi.new("char[]", text.encode()))


#: Keys of tensors -> their aclTensorList. A key describes memory and not the Python object, so that
#: a list is found again for tensors that reuse the memory of earlier ones. The key of a tensor that
#: fills its memory is its aclTensor, which the list keeps alive; that of others is `part_of_view`.
tensor_lists: dict[tuple[Any, ...], SharedList] = {}


def part_of_view(tensor: Tensor) -> tuple[Any, ...]:
    """Return the key of an open tensor that does not fill its memory."""
    buffer, layout = tensor.buffer, tensor._layout
    view = layout.shape, layout.strides, layout.offset, layout.dtype
    return (*view, buffer.pointer, buffer.nbytes, overridden_description(tensor))


def share_list(tensors: Sequence[Tensor]) -> SharedList:
    """Find or make a list of tensors.

    Parameters
    ----------
    tensors : list or tuple of Tensor
        At least one, all of them open.

    Returns
    -------
    SharedList
        Keep a reference to it while C uses its handle.

    Raises
    ------
    LookupError
        If there are none, or other things than open tensors.
    """
    if not tensors or any(t.__class__ is not Tensor or t.closed for t in tensors):
        raise LookupError
    key = (*(t.handle if t._layout.fills_memory else part_of_view(t) for t in tensors),)
    found = tensor_lists.get(key)
    if found is None:
        if len(tensor_lists) >= _CACHED_LISTS:
            tensor_lists.clear()
        found = tensor_lists.setdefault(key, SharedList(tensors))
    return found


def tensor_list_handle(
    tensors: Sequence[Tensor | None], acl_format: int | None = None
) -> TensorList:
    """Return a new TensorList, which is not cached."""
    return TensorList(tensors, acl_format)


def scalar_list_handle(
    values: Any, make: Callable[[], Sequence[tuple[Any, DTypeLike]]]
) -> ScalarList:
    """Return a ScalarList, shared with those of equal values.

    Parameters
    ----------
    values : sequence of number
        The key of the list.
    make : callable
        Returns (number, dtype) pairs.

    Returns
    -------
    ScalarList
        Keep a reference while C uses its handle.
    """
    scalars: ScalarList = shared(SCALAR_LIST, values, lambda: ScalarList(make()))
    return scalars


def clear_caches() -> None:
    """Empty the caches; objects that are in use stay valid."""
    for cache in _attributes.values():
        cache.clear()
    tensor_lists.clear()
