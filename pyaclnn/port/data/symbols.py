"""Symbolic numbers: elements of results, and values that are computed from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pyaclnn.port.data.cpp_types import AUTO, CType
from pyaclnn.port.errors import NotUnderstoodError

#: How deep a formula may be nested: nobody reads more, and Python parses no more than some 90.
MAX_DEPTH = 60


class Symbol:
    """A number that is known at run time only."""


@dataclass(frozen=True, eq=False)
class Element(Symbol):
    """An element of host memory that a copy from the device filled.

    Attributes
    ----------
    download : model.Download
        The copy.
    offset : int
        In bytes from the start of what was copied.
    ctype : CType
        How the sample reads it.
    """

    download: Any
    offset: int
    ctype: CType

    def reinterpreted(self, ctype: CType) -> Element:
        """Return the same memory read as another type."""
        return Element(self.download, self.offset, ctype)


@dataclass(frozen=True, eq=False)
class Expression(Symbol):
    """An operation on symbols.

    Attributes
    ----------
    operator : str
        A Python operator, ``call`` of a Python function by name, or ``float``/``int`` conversions.
    operands : tuple
        Symbols and numbers.
    ctype : CType
        C++'s type of the result; `AUTO` where nobody asks.
    """

    operator: str
    operands: tuple[Any, ...]
    ctype: CType = AUTO
    depth: int = field(init=False)

    def __post_init__(self) -> None:
        depth = 1 + max((o.depth for o in self.operands if isinstance(o, Expression)), default=0)
        if depth > MAX_DEPTH:
            raise NotUnderstoodError(f"computes with results in more than {MAX_DEPTH} nested steps")
        object.__setattr__(self, "depth", depth)


@dataclass(frozen=True, eq=False)
class WorkspaceSize(Symbol):
    """The workspace size of a call of phase 1."""

    plan: Any


@dataclass(frozen=True, eq=False)
class Query(Symbol):
    """A result of the C API at run time, such as a device count.

    Attributes
    ----------
    call : model.ApiCall
        The call.
    position : int
        Which argument receives it.
    """

    call: Any
    position: int

    @property
    def is_text(self) -> bool:
        """Whether it is a string."""
        names = ("aclrtGetSocName", "aclGetRecentErrMsg", "HcclGetCommName")
        return self.call.name in names


@dataclass(frozen=True, eq=False)
class FileSize(Symbol):
    """The size of a file, which is assumed to be what the sample needs."""

    path: str


@dataclass(frozen=True, eq=False)
class StatusCode(Symbol):
    """The status of a call of phase 1; success unless the sample says it expects another."""

    plan: Any


@dataclass(frozen=True, eq=False)
class StatusTest(Symbol):
    """Whether the status of phase 1 is success; ``specific`` where one error is asked for."""

    plan: Any
    success: bool
    specific: bool = False


@dataclass(frozen=True, eq=False)
class Named(Symbol):
    """A variable of the sample that exists in the port.

    Attributes
    ----------
    name : str
        The sample's.
    line : int
        Where it first was one; tells variables of one name apart.
    is_float : bool
        Whether it holds fractions.
    ctype : CType
        Its C++ type.
    """

    name: str
    line: int
    is_float: bool = True
    ctype: CType = AUTO

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from others."""
        return self.name, self.line


def variables_of(value: Any) -> Iterator[Named]:
    """Yield the variables of the port that a number is computed from."""
    stack = [value]
    while stack:
        found = stack.pop()
        if isinstance(found, Named):
            yield found
        elif isinstance(found, Expression):
            stack += found.operands


class UndecidedError(Exception):
    """Control flow depends on a symbol."""

    def __init__(self, condition: Any) -> None:
        self.condition = condition
        super().__init__("depends on a value that is only known at run time")


def type_of_symbol(value: Symbol) -> CType:
    """Return the C++ type of a number that only a run knows; `AUTO` if it is not known."""
    if isinstance(value, (Element, Expression, Named)):
        return value.ctype
    return _SIZE if isinstance(value, WorkspaceSize) else AUTO


_SIZE = CType("int", "uint64")
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


#: Operators whose result is a truth value.
TRUTHS = frozenset(["and", "or", "not", "in", "<", ">", "==", "!=", "<=", ">="])


def is_float(value: Any) -> bool:
    """Return whether a number is one with a fraction."""
    if isinstance(value, Element):
        return value.ctype.kind == "float"
    if isinstance(value, Named):
        return value.is_float
    if isinstance(value, Expression):
        if value.ctype.is_number:
            return value.ctype.kind == "float"
        if value.operator in ("float", "np.float32") or value.operator.startswith("math."):
            return True
        if value.operator == "time.perf_counter":
            return True
        if value.operator == "int" or value.operator in TRUTHS:
            return False
        if value.operator == "where":
            return any(is_float(o) for o in value.operands[1:])
        return any(is_float(o) for o in value.operands)
    return isinstance(value, float)


def truth(value: Any) -> bool:
    """Return the value of a condition.

    Raises
    ------
    UndecidedError
        If it is symbolic.
    """
    if isinstance(value, Symbol):
        if isinstance(value, WorkspaceSize):
            return True
        if isinstance(value, Query) and value.is_text:
            # The chip has a name; there is a message only after an error.
            return bool(value.call.name != "aclGetRecentErrMsg")
        if isinstance(value, StatusCode):
            return bool(value.plan.fails)
        if isinstance(value, StatusTest):
            return bool(value.success != value.plan.fails)
        if isinstance(value, Expression) and value.operator in (">", "!=", ">=", "<", "=="):
            left, right = value.operands
            if isinstance(right, FileSize):
                left, right = right, left
                value = Expression(_MIRRORED[value.operator], (left, right))
            if isinstance(left, FileSize):
                # There is a file, with as much as is needed: not too little, not too much.
                if isinstance(right, int) and right <= 0:
                    return value.operator in (">", "!=", ">=")
                return value.operator in ("==", ">=", "<=")
            # Workspaces count as needed: the port allocates what there is to allocate.
            if isinstance(left, WorkspaceSize) and isinstance(right, int) and right <= 0:
                return value.operator in (">", "!=", ">=")
            if isinstance(right, WorkspaceSize) and isinstance(left, int) and left <= 0:
                return value.operator in ("<", "!=")
        raise UndecidedError(value)
    return bool(value)
