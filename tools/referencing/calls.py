"""Draw calls: right ones of the selftest, changed in a few places that phase 1 looks at.

A call is what ``tests/operators/cann_statuses.py`` describes, so that one that is worth keeping can
go into a file of that folder as it is.
"""

from __future__ import annotations

import copy
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Call = dict[str, Any]

#: Types that another type is drawn from.
DTYPES = (
    "FLOAT", "FLOAT16", "BF16", "DOUBLE", "INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32",
    "INT64", "UINT64", "BOOL", "COMPLEX64", "COMPLEX128",
)  # fmt: skip
#: And those that newer chips have besides.
_NARROW = (
    "COMPLEX32", "INT4", "HIFLOAT8", "FLOAT8_E4M3FN", "FLOAT8_E5M2", "FLOAT8_E8M0", "FLOAT4_E2M1",
)  # fmt: skip
_FORMATS = (
    "ND",
    "NCHW",
    "NHWC",
    "NCDHW",
    "NDHWC",
    "NCL",
    "HWCN",
    "NC1HWC0",
    "FRACTAL_NZ",
    "FRACTAL_Z",
)
#: Extents at which kernels have limits.
_EXTENTS = (0, 1, 5, 64, 100, 128, 129, 256, 512, 768, 1024, 2049, 8192, 65536, 70000)
_LENGTHS = (0, 1, 2, 3, 4, 7, 8, 16, 33)
_NUMBERS = (-3, -2, -1, 0, 1, 2, 3, 4, 8, 100)
_ATTRIBUTES = (-1, *range(9))
_FLOATS = (0.0, 1.0, -1.0, 0.5, 2.0, 1e-5, 1e10, 3.5e38)


def seeds(file: Path) -> dict[str, list[Call]]:
    """Return the right calls in a file by operator.

    Parameters
    ----------
    file : Path
        A call as JSON on each line.
    """
    found: dict[str, list[Call]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines():
        call = json.loads(line)
        found[call["operator"]].append(call)
    return dict(found)


def draw(right: Sequence[Call], rng: random.Random) -> Call:
    """Return one of the right calls, changed in up to three places.

    Parameters
    ----------
    right : sequence of dict
        Of one operator.
    rng : random.Random
        Decides.
    """
    call = copy.deepcopy(rng.choice(right))
    arguments = call["arguments"]
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3)) if arguments else 0):
        if rng.random() < 0.2:
            _retype(arguments, rng)
            continue
        at = rng.randrange(len(arguments))
        arguments[at] = _changed(arguments[at], rng)
    return call


def draw_widely(right: Sequence[Call], rng: random.Random) -> Call:
    """Return such a call, or one with parts of another right one, or an extent changed everywhere.

    Parameters
    ----------
    right : sequence of dict
        Of one operator.
    rng : random.Random
        Decides.
    """
    choice = rng.randrange(4)
    call = draw(right, rng) if choice < 2 else copy.deepcopy(rng.choice(right))
    arguments = call["arguments"]
    if choice in (1, 2):
        other = rng.choice(right)["arguments"]
        for at in rng.sample(range(len(arguments)), min(len(arguments), rng.randint(1, 2))):
            arguments[at] = copy.deepcopy(other[at])
    elif choice == 3:
        _extend(arguments, rng)
    return call


def sweep(right: Sequence[Call]) -> list[Call]:
    """Return a right call with each type in place of each of its types, and each small number.

    Where an operator takes more in one release than in another, it is mostly one of these.

    Parameters
    ----------
    right : sequence of dict
        Of one operator; the smallest is taken.
    """
    first = min(right, key=lambda call: len(json.dumps(call)))
    calls = []
    for at, value in enumerate(first["arguments"]):
        if isinstance(value, int) and not isinstance(value, bool):
            calls += [_with(first, at, number) for number in _ATTRIBUTES if number != value]
    tensors = [t for a in first["arguments"] for t in _tensors_of(a)]
    for old in dict.fromkeys(tensor[1] for tensor in tensors):
        for new in (*DTYPES, *_NARROW):
            call = copy.deepcopy(first)
            for tensor in (t for a in call["arguments"] for t in _tensors_of(a)):
                if tensor[1] == old:
                    tensor[1] = new
            calls += [call] * (new != old)
    return calls


def _with(call: Call, at: int, value: Any) -> Call:
    changed = copy.deepcopy(call)
    changed["arguments"][at] = value
    return changed


def _tensors_of(argument: Any) -> list[list[Any]]:
    """Return a tensor, or those of a list."""
    if not isinstance(argument, list) or argument[0] not in ("T", "TL"):
        return []
    items = [argument] if argument[0] == "T" else argument[1]
    return [tensor for tensor in items if isinstance(tensor, list)]


def _extend(arguments: list[Any], rng: random.Random) -> None:
    """Give all axes of one extent another, as a model of another size has it."""
    tensors = [tensor for argument in arguments for tensor in _tensors_of(argument)]
    extents = sorted({extent for tensor in tensors for extent in tensor[2]})
    if not extents:
        return
    old = rng.choice(extents)
    new = rng.choice((old + 1, max(old - 1, 0), 2 * old, *_EXTENTS))
    for tensor in tensors:
        # Dense ones, for what follows the shape is not known of others.
        tensor[2:] = [[new if e == old else e for e in tensor[2]], *tensor[3:4]]


def _retype(arguments: list[Any], rng: random.Random) -> None:
    """Give all tensors of one dtype another: what operators ask for is often equality."""
    tensors = [a for a in arguments if isinstance(a, list) and a[0] == "T"]
    if tensors:
        old, new = rng.choice(tensors)[1], rng.choice(DTYPES)
        for tensor in tensors:
            if tensor[1] == old:
                tensor[1] = new


def _changed(value: Any, rng: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((*_NUMBERS, value + 1, value - 1))
    if isinstance(value, float):
        return rng.choice(_FLOATS)
    if not isinstance(value, list):
        return value
    if rng.random() < 0.08:
        return None
    kind = value[0]
    if kind == "T":
        return _tensor(value, rng)
    if kind == "S":
        return [
            "S",
            rng.choice((*DTYPES[:4], "INT32", "INT64", "BOOL")),
            rng.choice((0, 1, 2, -1, 3)),
        ]
    if kind in ("TL", "SL"):
        return [kind, _members(value[1], rng)]
    if kind == "I":
        return ["I", _members(value[1], rng, _NUMBERS)]
    return value


def _members(values: list[Any], rng: random.Random, others: Sequence[int] = ()) -> list[Any]:
    values = list(values)
    choice = rng.randrange(4)
    if choice == 0 or not values:
        return values + (values[:1] or [rng.choice(others)] if values or others else [])
    at = rng.randrange(len(values))
    if choice == 1:
        del values[at]
    else:
        values[at] = rng.choice(others) if others else _changed(values[at], rng)
    return values


def _tensor(tensor: list[Any], rng: random.Random) -> list[Any]:
    kind, dtype, shape, format_ = [*tensor, "ND"][:4]
    choice = rng.randrange(10)
    if choice < 3:
        return [kind, rng.choice(DTYPES), *tensor[2:]]
    if choice == 3:
        return [kind, dtype, shape, rng.choice(_FORMATS), *tensor[4:]]
    if choice == 4 and len(shape) > 1:
        # As a transposed view: the last two axes of the storage are exchanged.
        stored = [*shape[:-2], shape[-1], shape[-2]]
        strides = _strides(stored)
        return [kind, dtype, shape, format_, [*strides[:-2], strides[-1], strides[-2]], 0, stored]
    shape = list(shape)
    if choice == 5 and len(shape) < 10:
        shape.insert(rng.randint(0, len(shape)), rng.choice((1, 1, 2)))
    elif choice == 6 and shape:
        del shape[rng.randrange(len(shape))]
    elif choice == 7:
        shape = [1] * (9 - len(shape)) + shape if len(shape) < 9 else shape
    elif shape:
        shape[rng.randrange(len(shape))] = rng.choice(_LENGTHS)
    return [kind, dtype, shape, format_]


def _strides(shape: Sequence[int]) -> list[int]:
    strides = [1] * len(shape)
    for i in range(len(shape) - 1, 0, -1):
        strides[i - 1] = strides[i] * shape[i]
    return strides
