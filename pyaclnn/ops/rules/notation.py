"""The notation of output rules: a line of text for each, as in the tables of ``documented``.

A line is ``SHAPE`` or ``SHAPE as DTYPE``, and either may follow ``if CONDITION: ``::

    like query                              shape and dtype of an argument
    broadcast self other as bool            a rule of ``shapes.py`` and what it reads
    reduced self dim keepDim as given dtype
    (*x[:-1], weight[-1]) as same x         a tuple in Python, over the shapes of arguments
    [(*one[:-1], n) for one in x] as int8   a list, for an output that is one
    if outputMask[1]: like weight           left out unless the condition holds
    none                                    always left out

DTYPE is a rule of ``table/types.py`` and what it reads, a dtype, ``given`` and the parameter that
names it, or ``A if CONDITION else B``; ``several`` refuses. Without it, it is that of the argument
(``like``) or what all arguments have in common.

In expressions a tensor is its shape, with its ``dtype`` by name, and a list of them a tuple.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from pyaclnn.ops.rules.common import Descriptions, Like, Rule
from pyaclnn.ops.rules.extents import FUNCTIONS
from pyaclnn.ops.rules.shapes import DtypeRule, Shape, ShapeRule

#: Operators without ``aclnn``, with spaces between -> the line of ``out``, or of each output.
OutputRules = Mapping[str, str | Mapping[str, str]]

#: Functions that expressions may call.
_FUNCTIONS: dict[str, Any] = {
    "__builtins__": {},
    "broadcast": np.broadcast_shapes,
    **FUNCTIONS,
    **{f.__name__: f for f in (int, len, max, min, prod, range, sum, zip)},
}

_CONDITION = re.compile(r"if (.+?): (.*)")
_CHOICE = re.compile(r"(.+?) if (.+?) else (.+)")


def by_operator(texts: OutputRules) -> dict[str, Mapping[str, str]]:
    """Return the lines of each output by the C name of each operator."""
    return {
        name if name.startswith("acl") else "aclnn" + name: {"out": of}
        if isinstance(of, str)
        else of
        for names, of in texts.items()
        for name in names.split()
    }


def rule(text: str) -> Rule:
    """Return the rule that a line of text says."""
    if text == "none":
        return _none
    conditional = _CONDITION.fullmatch(text)
    if conditional:
        return When(conditional[1], rule(conditional[2]))
    shape, _, dtype = text.partition(" as ")
    name, *read = shape.split()
    if shape[0] not in "([":
        if name == "like" and not dtype:
            return Like(*read)
        dtype = dtype or f"common {' '.join(read)}"
        shape_of: _Expression | ShapeRule = ShapeRule(shape)
    else:
        shape_of = _Expression(shape)
    return Stated(shape_of, _dtype(dtype))


def _none(arguments: Mapping[str, Any]) -> None:
    """Leave an output out."""


_none.reads = ()  # type: ignore[attr-defined]


class _Seen(tuple[int, ...]):
    """The shape of a tensor as expressions see it."""

    dtype: str


def _seen(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_seen(item) for item in value)
    if hasattr(value, "shape") and not isinstance(value, np.generic | np.ndarray):
        shape = _Seen(value.shape)
        shape.dtype = value.dtype.name
        return shape
    return value


class _Expression:
    """A Python expression over the arguments."""

    def __init__(self, text: str) -> None:
        tree = ast.parse(text, mode="eval")
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        read = [node.id for node in names if node.id not in own and node.id not in _FUNCTIONS]
        self.reads = tuple(dict.fromkeys(read))
        self._code = compile(tree, f"<{text}>", "eval")

    def __call__(self, arguments: Mapping[str, Any]) -> Any:
        return eval(self._code, _FUNCTIONS | {n: _seen(arguments[n]) for n in self.reads})


class _Choice:
    """One dtype or another, by a condition."""

    def __init__(self, first: str, condition: str, other: str) -> None:
        self._holds, self._first, self._other = _Expression(condition), _dtype(first), _dtype(other)
        self.reads: tuple[str, ...] = (*self._holds.reads, *self._first.reads, *self._other.reads)

    def __call__(self, arguments: Mapping[str, Any]) -> np.dtype[Any]:
        return (self._first if self._holds(arguments) else self._other)(arguments)


class _Several:
    """Several dtypes are possible and the arguments do not determine which."""

    reads = ()

    def __call__(self, arguments: Mapping[str, Any]) -> np.dtype[Any]:
        raise ValueError("with these arguments it may have one of several dtypes; give it")


_Dtype = DtypeRule | _Choice | _Several


def _dtype(text: str) -> _Dtype:
    choice = _CHOICE.fullmatch(text)
    if choice:
        return _Choice(*choice.groups())
    return _Several() if text == "several" else DtypeRule(text)


class Stated:
    """One shape and dtype, or those of a list."""

    def __init__(self, shape: _Expression | ShapeRule, dtype: _Dtype) -> None:
        self._shape: Callable[[Mapping[str, Any]], Any] = shape
        self._dtype = dtype
        self.reads = tuple(dict.fromkeys((*shape.reads, *dtype.reads)))

    def __call__(self, arguments: Mapping[str, Any]) -> Descriptions:
        """Return the description for these arguments."""
        shapes, dtype = self._shape(arguments), self._dtype(arguments)
        if isinstance(shapes, list):
            return [(_extents(shape), dtype) for shape in shapes]
        return _extents(shapes), dtype


def _extents(shape: Shape) -> Shape:
    """Return a shape with negative extents as 0; CANN's own checks refuse the call."""
    return tuple(max(0, int(extent)) for extent in shape)


class When:
    """A rule for an output that is left out unless a condition holds."""

    def __init__(self, condition: str, wanted: Rule) -> None:
        self._holds = _Expression(condition)
        self._wanted = wanted
        read: tuple[str, ...] = wanted.reads  # type: ignore[attr-defined]
        self.reads = tuple(dict.fromkeys((*self._holds.reads, *read)))

    def __call__(self, arguments: Mapping[str, Any]) -> Descriptions:
        """Return the description for these arguments, or None."""
        return self._wanted(arguments) if self._holds(arguments) else None
