"""Ways to mutate a call."""

from __future__ import annotations

import base64
import copy
import random
from typing import Any

from fuzzing.described import SIZES, Data

#: Where arithmetic on extents and sizes goes wrong.
INTEGERS = (
    0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 64, 100, 255, 256, 1 << 15, 1 << 16, 1 << 24, (1 << 30) - 1,
    1 << 30, (1 << 31) - 1, 1 << 31, 1 << 32, 1 << 40, 1 << 56, 1 << 61, 1 << 62, (1 << 63) - 1,
    -1, -2, -3, -100, -(1 << 31), -(1 << 62), -(1 << 63),
)  # fmt: skip
FLOATS = (
    0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1.5, 1e-45, 5e-324, 1e-20, 1e-8, 50.0, 51.0, 1e10, 3.4e38,
    1e39, 1.7e308, float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
_DTYPES = (*SIZES, 13, 28, 29, 30, 34, 35, 40, 63, 64, 99, -1)
_FORMATS = (0, 1, 2, 2, 2, 3, 4, 16, 27, 29, 30, 35, 47, -1, 99)


def mutate(call: Data, rng: random.Random) -> Data:
    """Return a call mutated in zero to four places."""
    mutated = copy.deepcopy(call)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 4])):
        arguments = mutated["arguments"]
        at = rng.randrange(len(arguments))
        arguments[at] = _mutated(arguments[at], rng, mutated)
    return mutated


def _mutated(data: Data, rng: random.Random, call: Data) -> Data:
    if rng.random() < 0.04 and data["kind"] != "value":
        return {"kind": "null"}
    kind = data["kind"]
    if kind == "tensor":
        rng.choice(_OF_TENSORS)(data, rng)
        if rng.random() < 0.03:
            data["same_memory_as"] = rng.randrange(3)
    elif kind == "value":
        data["value"] = _value(data["value"], rng)
    elif kind in ("int_array", "float_array", "bool_array"):
        _array(data, rng)
    elif kind == "scalar":
        _scalar(data, rng)
    elif kind == "string":
        data["text"] = rng.choice(["", "none", data["text"].upper(), "x" * 300, "%s%n", "\x01"])
    elif kind in ("tensor_list", "scalar_list"):
        _list(data, rng, call)
    return data


def _value(value: Any, rng: random.Random) -> Any:
    if isinstance(value, float):
        return rng.choice([*FLOATS, rng.gauss(0, 3)])
    return rng.choice([*INTEGERS, value + 1, value - 1, -value, 1 - value])


def _array(data: Data, rng: random.Random) -> None:
    values = data["values"]
    choice = rng.randrange(5)
    if choice == 0 or not values:
        values.insert(rng.randint(0, len(values)), rng.choice([0, 1, 2]))
    elif choice == 1:
        values.pop(rng.randrange(len(values)))
    elif data["kind"] == "float_array":
        values[rng.randrange(len(values))] = rng.choice(FLOATS)
    elif data["kind"] == "bool_array":
        values[rng.randrange(len(values))] ^= True
    else:
        at = rng.randrange(len(values))
        values[at] = max(-(1 << 63), min((1 << 63) - 1, _value(int(values[at]), rng)))


def _scalar(data: Data, rng: random.Random) -> None:
    if rng.random() < 0.4:
        data["dtype"] = rng.choice(_DTYPES)
    else:
        size = len(data["hex"]) // 2
        data["hex"] = rng.choice([rng.randbytes(size), b"\xff" * size, bytes(size)]).hex()


def _list(data: Data, rng: random.Random, call: Data) -> None:
    items = data["items"]
    choice = rng.randrange(4)
    if choice == 0 and items:
        items.pop(rng.randrange(len(items)))
    elif choice == 1 and items:
        items.append(copy.deepcopy(rng.choice(items)))
    elif items:
        at = rng.randrange(len(items))
        items[at] = _mutated(items[at], rng, call) if items[at]["kind"] != "null" else items[at]


def _extent(data: Data, rng: random.Random) -> None:
    shape = data["shape"]
    if not shape:
        _rank(data, rng)
        return
    at = rng.randrange(len(shape))
    extent = rng.choice([0, 1, shape[at] + 1, shape[at] - 1, rng.choice(INTEGERS)])
    shape[at] = max(-(1 << 63), min((1 << 63) - 1, extent))
    _keep_in_line(data, rng)


def _rank(data: Data, rng: random.Random) -> None:
    shape = data["shape"]
    if shape and rng.random() < 0.5:
        shape.pop(rng.randrange(len(shape)))
    else:
        for _ in range(rng.choice([1, 1, 1, 5, 30])):
            shape.insert(rng.randint(0, len(shape)), rng.choice([1, 1, 1, 0, 2]))
    _keep_in_line(data, rng)


def _keep_in_line(data: Data, rng: random.Random) -> None:
    """Most of the time, as one who changes a shape would: strides and storage follow."""
    strides: list[int] = []
    step = 1
    for extent in reversed(data["shape"]):
        strides.insert(0, max(-(1 << 63), min((1 << 63) - 1, step)))
        step *= extent
    data["strides"] = strides
    if rng.random() < 0.8:
        data["storage"] = list(data["shape"])
    need = step * SIZES.get(data["dtype"], 1)
    if 0 <= need <= 1 << 16 and rng.random() < 0.9:
        data["data"] = _lengthened(data["data"], need)
        data["offset"] = 0


def _lengthened(data: str, size: int) -> str:
    """Return so many bytes in base64: those that are given, again and again."""
    given = base64.b64decode(data) or b"\0"
    return base64.b64encode((given * (size // len(given) + 1))[:size]).decode()


def _strides(data: Data, rng: random.Random) -> None:
    strides = data["strides"]
    if strides:
        at = rng.randrange(len(strides))
        strides[at] = rng.choice([0, 0, 1, 2, -1, strides[at] * 2, rng.choice(INTEGERS)])
        strides[at] = max(-(1 << 63), min((1 << 63) - 1, strides[at]))


def _spread(data: Data, rng: random.Random) -> None:
    """Lay the elements out anew, with gaps, in any order of the axes: a right view."""
    element = SIZES.get(data["dtype"], 1)
    shape = data["shape"]
    order = rng.sample(range(len(shape)), len(shape))
    step = rng.choice([1, 1, 2, 3])
    strides = [0] * len(shape)
    for axis in order:
        strides[axis] = step
        step *= max(1, shape[axis]) + rng.choice([0, 0, 1])
    offset = rng.choice([0, 0, 1, 5])
    need = (step + offset) * element
    if 0 < need <= 1 << 18 and min(shape, default=0) >= 0:
        data["strides"], data["offset"] = strides, offset
        data["storage"] = [step + offset]
        data["data"] = _lengthened(data["data"], need)


def _offset(data: Data, rng: random.Random) -> None:
    data["offset"] = rng.choice([1, 2, -1, *INTEGERS])


def _dtype(data: Data, rng: random.Random) -> None:
    data["dtype"] = rng.choice(_DTYPES)


def _format(data: Data, rng: random.Random) -> None:
    data["format"] = rng.choice(_FORMATS)


def _storage(data: Data, rng: random.Random) -> None:
    data["storage"] = rng.choice([[], [0], [1], [-1], [1 << 62, 4], data["storage"] * 2])


def _bytes(data: Data, rng: random.Random) -> None:
    size = len(base64.b64decode(data["data"]))
    fill = rng.choice([b"\xff" * size, bytes(size), rng.randbytes(size), b"\x7f" * size])
    data["data"] = base64.b64encode(fill).decode()


def _address(data: Data, rng: random.Random) -> None:
    if rng.random() < 0.2:
        data["no_data"] = True
    else:
        data["shift"] = rng.choice([1, 2, 3, 4, 8, -4, 64, 1 << 20])


_OF_TENSORS = (
    _extent, _extent, _rank, _strides, _spread, _spread, _spread, _offset, _dtype, _format,
    _storage, _bytes, _bytes, _address,
)  # fmt: skip
