"""Arrays, numbers and views as plain data, and tensors made of them."""

from __future__ import annotations

import base64
import random
from typing import Any

import numpy as np

import pyaclnn as pa
from fuzzing.described import Data
from pyaclnn.collective import Communicator
from pyaclnn.selftest.cases import Array, numpy_dtype
from pyaclnn.selftest.communicators import alone

_AROUND = 77
_POISON = 99


def as_data(values: Array) -> Data:
    """Return an array as data."""
    values = np.asarray(values, order="C")
    text = base64.b64encode(values.tobytes()).decode()
    return {"dtype": values.dtype.name, "shape": list(values.shape), "bytes": text}


def as_array(data: Data) -> Array:
    """Return the array of data."""
    name = data["dtype"]
    # References may have types that aclnn has not.
    dtype = numpy_dtype(name) if name == "bfloat16" else np.dtype(name)
    values = np.frombuffer(base64.b64decode(data["bytes"]), dtype)
    return np.array(values.reshape(data["shape"]))


def plain_number(value: Any) -> Any:
    """Return an argument that is no tensor as data."""
    if isinstance(value, Communicator):
        return {"communicator": value.size}
    if isinstance(value, list | tuple):
        return {"items": [plain_number(item) for item in value]}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return {"dtype": np.dtype(value).name}


def number(data: Data) -> Any:
    """Return the argument of data that is neither a list nor a plain number."""
    if "communicator" in data:
        return alone()
    return complex(*data["complex"]) if "complex" in data else data["dtype"]


def view_of(shape: tuple[int, ...], rng: random.Random) -> Data:
    """Return a way to lay a shape out: axes in any order, steps and gaps on two of them."""
    rank = len(shape)
    order = list(range(rank)) if rng.random() < 0.4 else rng.sample(range(rank), rank)
    steps, before, after = [1] * rank, [0] * rank, [0] * rank
    for _ in range(min(rank, rng.choice([0, 1, 2]))):
        axis = rng.randrange(rank)
        steps[axis] = rng.choice([1, 2, 3])
        before[axis], after[axis] = rng.choice([0, 1, 2, 5]), rng.choice([0, 1, 3])
    return {"order": order, "steps": steps, "before": before, "after": after,
            "offset": rng.choice([0, 0, 1, 3])}  # fmt: skip


def lay(values: Array, view: Data, poison: bool) -> tuple[pa.Tensor, pa.Tensor, Array]:
    """Return a tensor with these values, all of its memory, and which of it lies outside.

    Parameters
    ----------
    values : ndarray
        The values, or those that an output of their shape and dtype had.
    view : dict
        From `view_of`.
    poison : bool
        Whether it is an output, which begins with other values.
    """
    order, steps, before = view["order"], view["steps"], view["before"]
    inside = np.transpose(values, order)
    extents = [
        b + (max(n - 1, 0) * s + 1 if n else 0) + a
        for n, s, b, a in zip(inside.shape, steps, before, view["after"], strict=True)
    ]
    window = tuple(
        slice(b, b + n * s if n else b, s)
        for n, s, b in zip(inside.shape, steps, before, strict=True)
    )
    offset, size = view["offset"], int(np.prod(extents))
    flat = np.full(offset + size, _AROUND, values.dtype)
    outside = np.ones(offset + size, bool)
    flat[offset:].reshape(extents)[window] = _POISON if poison else inside
    outside[offset:].reshape(extents)[window] = False
    whole = pa.asarray(flat)
    tensor = whole[offset:].reshape(tuple(extents))
    if window:
        tensor = tensor[window].transpose(tuple(np.argsort(order).tolist()))
    return tensor, whole, outside
