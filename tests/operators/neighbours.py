"""Right calls of ``neighbour_statuses.json`` with one thing changed, as data.

What is changed is a path into the arguments of ``cann_statuses.py``: ``"3"`` is an argument, and of
a tensor ``"3.1"`` its type, ``"3.2"`` its shape, ``"3.2.0"`` an extent, ``"3.3"`` its format, and
``"3.4"`` how it lies: ``"turned"`` column by column, ``"apart"`` with gaps. Other places are all
that are alike: ``"=64"`` is each extent of 64, ``"<64"`` and ``">64"`` are the first and the last
such of each tensor, ``"@64"`` is each extent and each argument of 64, ``"*64"`` each of these and
each extent that is a multiple of it, ``"=FLOAT"`` each tensor's type that is so. Ranks change
together, too, at the first axes: ``"#3"`` is the rank of each tensor of three axes, ``"^64"``
counts the axes of one that are put before each first extent of 64, with -1 it is left out;
``"~3"`` is ``"#3"`` at the last axes. ``"!"`` is which argument is null beside tensors of a wrong
type. Nothing is changed at ``""``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pyaclnn.tensor.views import contiguous_strides


def is_tensor(value: Any) -> bool:
    """Whether an argument is a tensor."""
    return isinstance(value, list) and value[0] == "T"


def reshaped(tensor: list[Any], shape: list[int]) -> list[Any]:
    """Return a tensor with another shape, which is dense; blocks of a private format follow it."""
    found = [*tensor[:2], shape, *tensor[3:4]]
    stored = tensor[6] if len(tensor) > 6 else []
    if found[3:] == ["FRACTAL_NZ"] and len(stored) == len(tensor[2]) + 2 and len(shape) > 1:
        high, wide = stored[-2:]
        blocks = [-(-shape[-1] // wide), -(-shape[-2] // high), high, wide]
        found += [list(contiguous_strides(tuple(shape))), 0, [*shape[:-2], *blocks]]
    return found


def _of_rank(shape: list[int], rank: int) -> list[int]:
    """Return a shape with axes of one before the first, or without its first axes."""
    return [1] * (rank - len(shape)) + shape[max(0, len(shape) - rank) :]


def _lying(tensor: list[Any], how: str) -> list[Any]:
    """Return a tensor of the same shape that is not dense."""
    shape = tensor[2]
    rows = list(contiguous_strides(tuple(shape)))
    columns = contiguous_strides((*shape[:-2], *shape[:-3:-1]))
    turned = [*columns[:-2], *columns[:-3:-1]]
    strides = turned if how == "turned" else [2 * stride for stride in rows]
    return [*tensor[:3], [*tensor, "ND"][3], strides, 0, [2 * math.prod(shape)]]


def each_tensor(value: Any, change: Callable[[list[Any]], list[Any]]) -> Any:
    """Return an argument with each of its tensors changed."""
    if is_tensor(value):
        return change(value)
    if isinstance(value, list) and value[0] == "TL":
        return ["TL", [each_tensor(member, change) for member in value[1]]]
    return value


def changed(arguments: list[Any], where: str, value: Any) -> list[Any]:
    """Return the arguments of a call with another value in one place.

    Parameters
    ----------
    arguments : list
        Those of the right call, which stay as they are.
    where : str
        The place.
    value : object
        What is to stand there.
    """
    if not where:
        return arguments
    if where == "!":
        wrong = [each_tensor(a, lambda t: ["T", "COMPLEX128", *t[2:]]) for a in arguments]
        return [None if i == value else a for i, a in enumerate(wrong)]
    if where[0].isdigit():
        return _at(arguments, [int(step) for step in where.split(".")], value)
    link, old = where[0], where[1:]
    if not old.isdigit():
        return [
            each_tensor(a, lambda t: ["T", value, *t[2:]] if t[1] == old else t) for a in arguments
        ]
    number = int(old)

    def other(tensor: list[Any]) -> list[Any]:
        shape = list(tensor[2])
        if link in "#~^":
            is_meant = shape[:1] == [number] if link == "^" else len(shape) == number
            rank = len(shape) + value if link == "^" else value
            made = _of_rank(shape[::-1], rank)[::-1] if link == "~" else _of_rank(shape, rank)
            return reshaped(tensor, made) if is_meant else tensor
        places = [i for i, extent in enumerate(shape) if extent == number]
        if link == "*":
            places = [i for i, extent in enumerate(shape) if extent and extent % number == 0]
        for i in places[:1] if link == "<" else places[-1:] if link == ">" else places:
            shape[i] = value * (shape[i] // number if link == "*" else 1)
        return reshaped(tensor, shape) if places else tensor

    def follows(argument: Any) -> bool:
        return link in "@*" and type(argument) is int and argument == number

    return [value if follows(a) else each_tensor(a, other) for a in arguments]


def _at(whole: list[Any], steps: list[int], value: Any) -> list[Any]:
    if is_tensor(whole) and steps[0] == 2:
        return reshaped(whole, _at(whole[2], steps[1:], value) if steps[1:] else value)
    if is_tensor(whole) and steps[0] == 4:
        return _lying(whole, value)
    found = [*whole, "ND"] if is_tensor(whole) and steps[0] == len(whole) else list(whole)
    found[steps[0]] = _at(found[steps[0]], steps[1:], value) if steps[1:] else value
    return found


def calls(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the calls of such a file, as ``cann_statuses.read`` has them.

    Each line has an operator, the arguments of a right call, and place -> values and answers by
    turns: which of ``answers``, a status for each chip or null where it has not been asked.
    """
    statuses = [
        {
            chip: status
            for chip, status in zip(content["chips"], of, strict=True)
            if status is not None
        }
        for of in content.get("answers", ())
    ]
    for operator, arguments, places in content.get("near", ()):
        for where, told in places.items():
            for value, answer in zip(told[::2], told[1::2], strict=True):
                yield {
                    "operator": operator,
                    "arguments": changed(arguments, where, value),
                    "source": content["source"],
                    "changed": (where, value),
                    "status": statuses[answer],
                }
