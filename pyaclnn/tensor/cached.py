"""Argument objects shared by value: what equals is made once, scalars, arrays, texts and lists.

Bounded, and emptied by :func:`clear_caches`; whoever uses an object holds a reference to it.
"""

from __future__ import annotations

import marshal
import weakref
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from pyaclnn.abi import ffi
from pyaclnn.tensor.descriptions import is_overridden
from pyaclnn.tensor.dtypes import as_dtype
from pyaclnn.tensor.forms import Form
from pyaclnn.tensor.handles import (
    BoolArray,
    FloatArray,
    IntArray,
    Scalar,
)
from pyaclnn.tensor.lists import FormList, ScalarList, TensorList
from pyaclnn.tensor.tensor import Tensor

_CACHED_VALUES = 4096
_CACHED_LISTS = 256
_LAST_LISTS = 16
_PLAIN = frozenset({int, float, bool, complex, str, type(None)})

#: The kind of lists of scalars, of which each is an object for C.
SCALAR_LIST = "scalar_list"

#: What tells values with their types as bytes, for code that calls ``marshal.dumps`` itself:
#: 1, 1.0 and True are equal, and so are 0.0 and -0.0; their bytes differ.
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
    """Return what stands for values with their types.

    A text, or a float other than 0, stands for itself where it is alone: that is found faster.

    Raises
    ------
    ValueError
        For what cannot be written.
    """
    if len(values) == 1:
        (value,) = values
        if value.__class__ is str or (value.__class__ is float and value):
            return value
    return marshal.dumps(values, WRITTEN_AS)


def keep_attributes(
    kinds: tuple[Hashable, ...], values: tuple[Any, ...], c_values: Sequence[Any], owners: object
) -> Entry:
    """Return the entry of some attributes, which is found from now on if they are Python's own.

    Parameters
    ----------
    kinds : tuple of hashable
        As for `attribute_cache`.
    values : tuple
        Numbers, texts, None, and lists and tuples of these are kept.
    c_values : sequence
        What C takes for them.
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
    # The bytes of anything else mean nothing.
    if value.__class__ in (list, tuple):
        return _PLAIN.issuperset(map(type, value))
    return value.__class__ in _PLAIN


def shared(kind: Hashable, value: Any, make: Callable[[], Any]) -> Any:
    """Return the object of a kind for a value, the same for all that equal it and have its type.

    Parameters
    ----------
    kind : hashable
        What the value is converted to.
    value : object
        What tells the object from others.
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


#: Forms and addresses -> the list of tensors of these, whichever they are.
_form_lists: dict[tuple[Any, ...], FormList] = {}


def form_list(forms: Sequence[Form], pointers: Sequence[Any]) -> FormList:
    """Return the list of tensors that are the whole of their memory, shared with equal ones.

    Memory that was freed is soon given out again, to the next list of this kind.

    Parameters
    ----------
    forms : sequence of Form
        Of the tensors.
    pointers : sequence of cffi pointer
        Their memory, which must be in use while C uses the list.

    Returns
    -------
    FormList
        Keep a reference to it while C uses its handle.
    """
    key = (*forms, *pointers)
    found = _form_lists.get(key)
    if found is None:
        if len(_form_lists) >= _CACHED_LISTS:
            _form_lists.clear()
        found = _form_lists.setdefault(key, FormList(forms, pointers))
    return found


def _unkept_list(tensors: Sequence[Tensor]) -> TensorList | FormList:
    """Return a list of open tensors, which it does not keep."""
    forms, pointers = [], []
    for tensor in tensors:
        form, memory = tensor._form, tensor._memory
        if form is None or memory is None or is_overridden(tensor):
            return TensorList(tensors, keep=False)
        forms.append(form)
        pointers.append(memory.pointer)
    return form_list(forms, pointers)


class SharedList:
    """A TensorList that does not keep its tensors alive, and is dropped with the first of them.

    Attributes
    ----------
    identities : list of int
        Those of the tensors; theirs alone as long as this is in use.
    handle : TensorList or FormList
        It.
    forms : dict
        What the floor above keeps of calls with this list.
    """

    __slots__ = ("forms", "handle", "identities", "references")

    def __init__(self, key: tuple[Any, ...], tensors: Sequence[Tensor]) -> None:
        self.handle = _unkept_list(tensors)
        self.identities = [*map(id, tensors)]
        self.forms: dict[Any, Any] = {}

        first = self.identities[0]

        def drop(_: object) -> None:
            _shared_lists.pop(key, None)
            for last in _all_last_lists:
                last.pop(first, None)

        self.references = [weakref.ref(tensor, drop) for tensor in tensors]


#: Identities of tensors -> the list of them. As long as it is here, they are those it is made of.
_shared_lists: dict[tuple[Any, ...], SharedList] = {}

#: Of the last calls with lists, identity of the first tensor -> the list.
LastLists = dict[int, SharedList]

#: For each parameter of an operator that takes a list, the last ones it was given.
_all_last_lists: list[LastLists] = []


def last_lists() -> LastLists:
    """Return a place for the lists of the last calls, which `share_list` fills.

    To look whether the next call has the tensors of a list is faster than to look for them. One
    list for each first tensor: a program with more tensors than a call takes gives its parts in
    turn. A list is there until one of its tensors is gone.
    """
    last: LastLists = {}
    _all_last_lists.append(last)
    return last


def share_list(tensors: Any, last: LastLists) -> SharedList | None:
    """Find or make a list of open tensors.

    Parameters
    ----------
    tensors : list or tuple of Tensor
        The tensors.
    last : dict
        From `last_lists`: where to put it, too.

    Returns
    -------
    SharedList or None
        None if this is no list, is empty, or if an element is no open tensor. Keep a reference to
        it while C uses its handle.
    """
    if tensors.__class__ not in (list, tuple) or not tensors:
        return None
    for tensor in tensors:
        if tensor.__class__ is not Tensor:
            return None
        # `closed`, written out: lists are long.
        memory = tensor._memory
        if memory is None or memory.stream_while_open is None:
            return None
    key = (*map(id, tensors),)
    shared = _shared_lists.get(key)
    if shared is None:
        if len(_shared_lists) >= _CACHED_LISTS:
            _forget_lists()
        shared = _shared_lists[key] = SharedList(key, tensors)
    if len(last) >= _LAST_LISTS:
        last.clear()
    last[shared.identities[0]] = shared
    return shared


def _forget_lists() -> None:
    _shared_lists.clear()
    for last in _all_last_lists:
        last.clear()


def tensor_list_handle(
    tensors: Sequence[Tensor | None], acl_format: int | None = None
) -> TensorList:
    """Return a TensorList; not cached, for it has descriptors of its own."""
    return TensorList(tensors, acl_format)


def scalar_list_handle(
    values: Any, make: Callable[[], Sequence[tuple[Any, DTypeLike]]]
) -> ScalarList:
    """Return a ScalarList, shared with those of equal values.

    Parameters
    ----------
    values : sequence of number
        What tells the list from others.
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
    """Drop the cached values; those in use elsewhere live on."""
    for cache in _attributes.values():
        cache.clear()
    _form_lists.clear()
    _forget_lists()
