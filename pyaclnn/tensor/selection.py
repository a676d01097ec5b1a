"""Indexing that a view cannot express: masks, integer arrays, negative steps, and mixtures.

What remains of a key after its integers and slices is one call of ``aclnnIndex``, or of
``aclnnIndexPutImpl`` where it is assigned to; a mask of the whole tensor is one of
``aclnnMaskedSelect`` or ``aclnnInplaceMaskedFillScalar``.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pyaclnn.tensor import reinterpret
from pyaclnn.tensor.calculable import Calculable, as_tensor, call, new, refuse_array

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyaclnn.tensor.tensor import Tensor

Shape = tuple[int, ...]
_WHOLE_AXIS = slice(None)
_BOOL = np.dtype(bool)
#: Of the positions that operators take.
_POSITIONS = (np.dtype(np.int32), np.dtype(np.int64))
#: Dtypes that CANN's masked fill has.
_FILLABLE = frozenset(map(np.dtype, ("bool", "int8", "int32", "int64", "float16", "float32")))
_upload: Callable[[Any, Tensor], Tensor] | None = None


def provide_upload(upload: Callable[[Any, Tensor], Tensor]) -> None:
    """Set the function that uploads host values to the device of another tensor."""
    global _upload
    _upload = upload


@dataclass
class _Selection:
    """An index expression, split into a view and arrays of indices.

    Attributes
    ----------
    view : Tensor
        The view by integers and slices, axes that are indexed by arrays first.
    indices : list of Tensor
        An array of integers for each of those axes, not yet broadcast.
    shape : tuple of int
        The broadcast shape of the arrays.
    at : int
        The position of their axes in the result.
    reversed : list of int
        Axes of the result that run backwards.
    """

    view: Tensor
    indices: list[Tensor]
    shape: Shape
    at: int
    reversed: list[int]

    @property
    def rest(self) -> Shape:
        """The axes that no array indexes."""
        return tuple(self.view.shape[len(self.indices) :])

    @property
    def result(self) -> Shape:
        """The shape of what is selected."""
        rest = self.rest
        return (*rest[: self.at], *self.shape, *rest[self.at :])

    def arranged(self, picked: Tensor) -> Tensor:
        """Move the axes of the arrays from the front to their position in the result."""
        if not self.at:
            return picked
        n, order = len(self.shape), list(range(picked.ndim))
        return picked.transpose(order[n : n + self.at] + order[:n] + order[n + self.at :])

    def disarranged(self, values: Tensor) -> Tensor:
        """Move them back to the front."""
        if not self.at:
            return values
        n, order = len(self.shape), list(range(values.ndim))
        at = self.at
        return values.transpose(order[at : at + n] + order[:at] + order[at + n :])


def get(tensor: Tensor, key: Any) -> Tensor:
    """Return a tensor of its own with the selected elements."""
    if _is_whole_mask(tensor, key) and tensor.ndim and tensor.dtype.kind not in "cu":
        # A mask without true elements gives an empty result, which the operator handles.
        return call("masked_select", tensor, key)
    chosen = _taken_apart(tensor, key)
    if not chosen.indices:
        return as_tensor(_flipped(chosen.view, chosen.reversed))
    if 0 in chosen.result:
        return new(chosen.result, tensor.dtype, tensor)
    source = reinterpret.movable(chosen.view)
    picked = reinterpret.moved(call("index", source, chosen.indices), tensor.dtype)
    return _flipped(chosen.arranged(picked), chosen.reversed)


def put(tensor: Tensor, key: Any, value: Any) -> None:
    """Overwrite the selected elements with a number, or with a tensor that is broadcast."""
    is_number = not isinstance(value, Calculable)
    if is_number:
        refuse_array(value)
    if is_number and _is_whole_mask(tensor, key) and tensor.dtype in _FILLABLE:
        call("inplace_masked_fill_scalar", tensor, key, value)
        return
    chosen = _taken_apart(tensor, key)
    values = new((), tensor.dtype, tensor).fill_(value) if is_number else value
    shape = chosen.result
    if 0 in shape:
        values.broadcast_to(shape)
        return
    while values.ndim > len(shape) and values.shape[0] == 1:
        values = values[0]
    if values.dtype != tensor.dtype:
        values = call("cast", values, tensor.dtype)
    if values.buffer is tensor.buffer:
        # Copied, since the values alias the memory that is written.
        values = values.copy()
    values = values.broadcast_to(shape)
    values = _flipped(values, chosen.reversed)
    if not chosen.indices:
        call("inplace_copy", chosen.view, values)
        return
    target = reinterpret.movable(chosen.view)
    given = reinterpret.movable(chosen.disarranged(values))
    call("index_put_impl", target, chosen.indices, given, False, False)


def _is_whole_mask(tensor: Tensor, key: Any) -> bool:
    return isinstance(key, Calculable) and _is_mask(key) and as_tensor(key).shape == tensor.shape


def _flipped(tensor: Tensor, axes: list[int]) -> Tensor:
    axes = [axis for axis in axes if tensor.shape[axis] > 1]
    if not axes:
        return tensor
    if 0 in tensor.shape:
        return tensor
    source = reinterpret.movable(tensor)
    return reinterpret.moved(call("flip", source, axes), tensor.dtype)


def _is_mask(item: Any) -> bool:
    return isinstance(item, (bool, np.bool_)) or getattr(item, "dtype", None) == _BOOL


def _is_array(item: Any) -> bool:
    return isinstance(item, (Calculable, np.ndarray))


def _as_item(item: Any) -> Any:
    """Normalise one item of a key: lists become NumPy arrays."""
    if item is None or item is Ellipsis or isinstance(item, (slice, bool, np.bool_)):
        return item
    if isinstance(item, list):
        item = np.asarray(item) if item else np.zeros(0, np.int64)
    if isinstance(item, np.ndarray) and item.ndim == 0 and item.dtype.kind in "iu":
        return item
    if _is_array(item):
        if item.dtype.kind not in "biu":
            raise IndexError(
                f"arrays used as indices must be of integer or bool type, not {item.dtype.name}"
            )
        return item
    try:
        return operator.index(item)
    except TypeError:
        raise IndexError(
            "only integers, slices (:), ellipsis (...), None and arrays of integers or bool are "
            f"valid indices, not {type(item).__name__}"
        ) from None


def _taken_apart(tensor: Tensor, key: Any) -> _Selection:
    items = [_as_item(item) for item in (key if isinstance(key, tuple) else (key,))]
    items = _expanded(items, tensor.ndim)
    basic: list[Any] = []
    #: For each axis of the view: the array that indexes it, or None.
    arrays: list[Any] = []
    reversed_axes: list[bool] = []
    #: Items that are integers or arrays, which determine the position of the arrays' axes.
    advanced: list[int] = []
    axis = 0
    for position, item in enumerate(items):
        if item is None:
            basic.append(None)
            arrays.append(None)
            reversed_axes.append(False)
        elif isinstance(item, slice):
            positive, backwards = _positive(item, tensor.shape[axis])
            basic.append(positive)
            arrays.append(None)
            reversed_axes.append(backwards)
            axis += 1
        elif _is_mask(item):
            advanced.append(position)
            axis = _add_mask(tensor, item, axis, basic, arrays, reversed_axes)
        elif _is_array(item):
            advanced.append(position)
            basic.append(slice(None))
            arrays.append(_checked(tensor, item, tensor.shape[axis], axis))
            reversed_axes.append(False)
            axis += 1
        else:
            advanced.append(position)
            basic.append(item)
            axis += 1
    whole = all(item == _WHOLE_AXIS for item in basic)
    view = tensor if whole else tensor[tuple(basic)]
    indexed = [n for n, array in enumerate(arrays) if array is not None]
    others = [n for n, array in enumerate(arrays) if array is None]
    together = advanced == list(range(advanced[0], advanced[-1] + 1)) if advanced else True
    before = sum(
        items[n] is None or isinstance(items[n], slice)
        for n in range(advanced[0] if advanced else 0)
    )
    at = before if together else 0
    indices = [arrays[n] for n in indexed]
    shape = _broadcast(indices)
    backwards_at = [
        n if n < at else n + len(shape) for n, old in enumerate(others) if reversed_axes[old]
    ]
    ordered = (
        view.transpose(indexed + others)
        if indexed and indexed + others != sorted(others + indexed)
        else view
    )
    return _Selection(ordered, indices, shape, at, backwards_at)


def _broadcast(indices: list[Tensor]) -> Shape:
    try:
        return np.broadcast_shapes(*(index.shape for index in indices))
    except ValueError:
        shapes = " ".join(str(index.shape) for index in indices)
        raise IndexError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes}"
        ) from None


def _expanded(items: list[Any], rank: int) -> list[Any]:
    """Put slices in place of the ellipsis, or at the end."""
    named = sum(
        (getattr(item, "ndim", 0) if _is_mask(item) else 1)
        for item in items
        if item is not None and item is not Ellipsis
    )
    if named > rank:
        raise IndexError(f"{named} indices for {rank} dimensions")
    rest = [slice(None)] * (rank - named)
    dots = [n for n, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can have only one ellipsis (...)")
    at = dots[0] if dots else len(items)
    return items[:at] + rest + items[at + 1 :]


def _positive(item: slice, extent: int) -> tuple[slice, bool]:
    """Return a slice that runs forwards over the same elements, and whether it ran backwards."""
    if item.step is None or operator.index(item.step) > 0:
        return item, False
    steps = range(*item.indices(extent))
    if not steps:
        return slice(0, 0), False
    return slice(steps[-1], steps[0] + 1, -steps.step), True


def _add_mask(
    tensor: Tensor,
    mask: Any,
    axis: int,
    basic: list[Any],
    arrays: list[Any],
    reversed_axes: list[bool],
) -> int:
    """Add the positions of a mask's true elements, an array for each axis; return the next axis."""
    if not getattr(mask, "ndim", 0):
        # A scalar bool adds an axis of extent 1 or 0.
        count = int(bool(mask))
        basic.append(None)
        arrays.append(_on_device(np.zeros(count, np.int64), tensor))
        reversed_axes.append(False)
        return axis
    extents = tuple(tensor.shape[axis : axis + mask.ndim])
    if tuple(mask.shape) != extents:
        wrong = next(n for n in range(mask.ndim) if mask.shape[n] != extents[n])
        raise IndexError(
            f"boolean index did not match indexed array along axis {axis + wrong}; size of axis is "
            f"{extents[wrong]} but size of corresponding boolean axis is {mask.shape[wrong]}"
        )
    if isinstance(mask, np.ndarray):
        columns = [_on_device(column, tensor) for column in np.nonzero(mask)]
    elif 0 in extents:
        columns = [_on_device(np.zeros(0, np.int64), tensor) for _ in extents]
    else:
        places = call("nonzero", mask)
        columns = [places[:, n].contiguous() for n in range(mask.ndim)]
    for column in columns:
        basic.append(slice(None))
        arrays.append(column)
        reversed_axes.append(False)
    return axis + len(columns)


def _checked(tensor: Tensor, item: Any, extent: int, axis: int) -> Tensor:
    """Return an array of integers on the device; one of the host is checked before."""
    if isinstance(item, np.ndarray):
        wrong = (item < -extent) | (item >= extent)
        if wrong.any():
            raise IndexError(
                f"index {item[wrong].flat[0]} is out of bounds for axis {axis} with size {extent}"
            )
        return _on_device(np.where(item < 0, item + extent, item).astype(np.int64), tensor)
    index = as_tensor(item)
    if extent == 0 and index.size:
        raise IndexError(f"index out of bounds for axis {axis} with size 0")
    return index if index.dtype in _POSITIONS else call("cast", index, "int64")


def _on_device(values: np.ndarray[Any, Any], tensor: Tensor) -> Tensor:
    assert _upload is not None
    return _upload(values, tensor)
