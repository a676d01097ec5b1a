"""The vocabulary of output rules.

A rule is a function of the Python arguments, by C name; for invalid arguments it returns its best
description and leaves the refusal to CANN's checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from pyaclnn.ops.naming import snake_case
from pyaclnn.tensor import Tensor

#: Shape and dtype of an output to be allocated.
Description = tuple[tuple[int, ...], np.dtype[Any]]
#: None for an output that the arguments do not ask for and that is omitted; a list of descriptions
#: for a list of tensors.
Descriptions = Description | list[Description] | None
Rule = Callable[[Mapping[str, Any]], Descriptions]


_T = TypeVar("_T", bound=Callable[..., Any])


def reads(*names: str) -> Callable[[_T], _T]:
    """Declare which arguments a rule reads, by their C names.

    The compiled call caches results by these arguments and passes no others.
    """

    def mark(rule: _T) -> _T:
        rule.reads = names  # type: ignore[attr-defined]
        return rule

    return mark


def why_unknown(rule: Rule, arguments: Mapping[str, Any], error: Exception) -> str:
    """Return the message for a rule that raised: the missing tensors, or its own message."""
    absent = [n for n in getattr(rule, "reads", ()) if arguments[n] is None]
    if not absent:
        return str(error)
    return f"it follows from {', '.join(map(snake_case, absent))}, given as None"


# Classes, because the compiled call inlines these rules. Not dataclasses: three would take a
# twentieth of pyaclnn's import time.


class Like:
    """Shape and dtype of an input."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.reads = (name,)

    def __call__(self, arguments: Mapping[str, Any]) -> Description:
        """Return the description for these arguments."""
        tensor: Tensor = arguments[self.name]
        return tensor.shape, tensor.dtype


class Broadcast:
    """NumPy broadcast shape of two inputs; their dtype, or float32 or wider if they differ."""

    def __init__(self, first: str, second: str) -> None:
        self.first = first
        self.second = second
        self.reads = (first, second)

    def __call__(self, arguments: Mapping[str, Any]) -> Description:
        """Return the description for these arguments."""
        a: Tensor = arguments[self.first]
        b: Tensor = arguments[self.second]
        # Equal shapes first: numpy.broadcast_shapes takes longer than the call itself.
        shape = a.shape if a.shape == b.shape else np.broadcast_shapes(a.shape, b.shape)
        return shape, a.dtype if a.dtype == b.dtype else _common(a.dtype, b.dtype)


class EachLike:
    """A list of tensors: shape and dtype of each in another list, or one number of its dtype."""

    def __init__(self, name: str, *, number: bool = False) -> None:
        self.name = name
        self.number = number
        self.reads = (name,)

    def __call__(self, arguments: Mapping[str, Any]) -> list[Description]:
        """Return the descriptions for these arguments."""
        tensors: Sequence[Tensor] = arguments[self.name]
        return [(() if self.number else tensor.shape, tensor.dtype) for tensor in tensors]


def _common(*dtypes: np.dtype[Any]) -> np.dtype[Any]:
    """Return float32, or the wider of float64 and complex; bfloat16 is no kind of NumPy's."""
    return np.result_type(np.float32, *(d for d in dtypes if d.kind in "fc"))


#: Operator -> output parameter -> rule.
Rules = dict[str, dict[str, Rule]]

#: (operator, scalar parameter) -> dtype that its document asks for.
ScalarDtypes = dict[tuple[str, str], str]
