"""Joining: the extents in one dimension add up, and dtypes meet in a common one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pyaclnn.ops.rules.common import Description, Rules, reads
from pyaclnn.tensor import Tensor

#: dtypes that meet in neither of the two.
_MEET: dict[frozenset[str], np.dtype[Any]] = {
    frozenset({"float16", "bfloat16"}): np.dtype(np.float32),
    frozenset({"int8", "uint8"}): np.dtype(np.int16),
}


def _category(dtype: np.dtype[Any]) -> int:
    # bfloat16 is no kind of NumPy's own.
    return {"b": 0, "i": 1, "u": 1, "f": 2, "V": 2, "c": 3}.get(dtype.kind, 2)


def _common(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype two meet in: complex before floating before integer, then the wider."""
    if a == b:
        return a
    places = [(_category(d), d.itemsize) for d in (a, b)]
    if places[0] == places[1]:
        return _MEET.get(frozenset({a.name, b.name}), a)
    return a if places[0] > places[1] else b


@reads("tensors", "dim")
def _joined(arguments: Mapping[str, Any]) -> Description:
    tensors: Sequence[Tensor] = [t for t in arguments["tensors"] or () if t is not None]
    # One of shape (0,) joins any others.
    parts = [t for t in tensors if t.shape != (0,)] or tensors
    if not parts:
        return (0,), np.dtype(np.float32)
    shape, dtype = list(parts[0].shape), parts[0].dtype
    for part in parts[1:]:
        dtype = _common(dtype, part.dtype)
    dim = arguments["dim"]
    if all(t.ndim == len(shape) for t in parts) and -len(shape) <= dim < len(shape):
        shape[dim] = sum(t.shape[dim] for t in parts)
    return tuple(shape), dtype


def _common_of(tensors: Sequence[Tensor]) -> np.dtype[Any]:
    dtype = tensors[0].dtype
    for tensor in tensors[1:]:
        dtype = _common(dtype, tensor.dtype)
    return dtype


@reads("tensors", "dim")
def _stacked(arguments: Mapping[str, Any]) -> Description:
    tensors: Sequence[Tensor] = [t for t in arguments["tensors"] or () if t is not None]
    if not tensors:
        return (0,), np.dtype(np.float32)
    shape, dim = list(tensors[0].shape), arguments["dim"]
    shape.insert(dim + len(shape) + 1 if dim < 0 else dim, len(tensors))
    return tuple(shape), _common_of(tensors)


def _parts(tensor: Tensor, dim: int, extents: Sequence[int]) -> list[Description]:
    shapes = []
    for extent in extents:
        shape = list(tensor.shape)
        if -len(shape) <= dim < len(shape):
            shape[dim] = max(0, extent)
        shapes.append((tuple(shape), tensor.dtype))
    return shapes


@reads("self", "splitSections", "dim")
def _equal_parts(arguments: Mapping[str, Any]) -> list[Description]:
    tensor, each, dim = arguments["self"], arguments["splitSections"], arguments["dim"]
    extent = tensor.shape[dim] if -tensor.ndim <= dim < tensor.ndim else 0
    whole = [each] * (extent // each) if each > 0 else []
    return _parts(tensor, dim, [*whole, *([extent % each] if each > 0 and extent % each else [])])


@reads("self", "splitSize", "dim")
def _sized_parts(arguments: Mapping[str, Any]) -> list[Description]:
    return _parts(arguments["self"], arguments["dim"], arguments["splitSize"])


RULES: Rules = {
    "aclnnCat": {"out": _joined},
    "aclnnSplitTensor": {"out": _equal_parts},
    "aclnnSplitWithSize": {"out": _sized_parts},
    "aclnnStack": {"out": _stacked},
}
