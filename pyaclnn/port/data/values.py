"""Values of a sample that are not plain numbers, strings or None."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from pyaclnn.port.data import decisions
from pyaclnn.port.data.conversions import convert
from pyaclnn.port.data.cpp_types import AUTO, CType
from pyaclnn.port.data.runtime_numbers import cast_symbol, is_snapshot
from pyaclnn.port.data.symbols import Expression, Named, Symbol
from pyaclnn.port.errors import NotUnderstoodError

Value = Any


class Cell:
    """A variable."""

    __slots__ = ("ctype", "depth", "key", "name", "value")

    def __init__(self, name: str, value: Value, ctype: CType = AUTO) -> None:
        self.name = name
        self.ctype = ctype
        self.value = value
        self.depth = decisions.current().open
        #: Key of the variable that the port has for it; None as long as it has none.
        self.key: Any = None

    def get(self) -> Value:
        """Return the value."""
        return self.value

    def set(self, value: Value) -> None:
        """Assign, converting numbers."""
        if isinstance(value, Symbol) and self.ctype.is_number:
            value = cast_symbol(value, self.ctype)
        around = decisions.current()
        if around.record is not None and (
            (isinstance(value, (Expression, Named)) and not is_snapshot(value))
            or self.depth < around.open
        ):
            value = around.record(self, value)
        elif self.ctype.is_number:
            value = convert(value, self.ctype)
        elif self.ctype.kind == "pointer" and hasattr(value, "retyped"):
            item = self.ctype.item
            value = value.retyped(item) if item is not None and item.is_number else value
        self.value = value
        note_name(value, self.name)

    def copy(self) -> Cell:
        """Return an independent variable; containers in it are copied, too."""
        value = self.value.copy() if hasattr(self.value, "copy") else self.value
        return Cell(self.name, value, self.ctype)


def note_name(value: Value, name: str) -> None:
    """Name an unnamed object after the variable that holds it."""
    if name and getattr(value, "name", None) == "":
        value.name = name


@dataclass
class Unknown:
    """An unknown value; using it raises with the reason."""

    reason: str


@dataclass
class CellPointer:
    """The address of a variable."""

    cell: Cell

    @property
    def ctype(self) -> CType:
        """Type of what is pointed to."""
        return self.cell.ctype


@dataclass
class Struct:
    """An object of a struct or class of the sample."""

    type_name: str
    fields: dict[str, Cell] = field(default_factory=dict)
    definition: Any = None
    name: str = ""

    def copy(self) -> Struct:
        """Return an independent copy, as C++ copies; containers in it are copied, too."""
        fields = {name: cell.copy() for name, cell in self.fields.items()}
        return Struct(self.type_name, fields, self.definition)


@dataclass
class Tuple:
    """A pair or tuple."""

    items: list[Cell]

    def copy(self) -> Tuple:
        """Return an independent copy, as C++ copies."""
        return Tuple([cell.copy() for cell in self.items])


class Map(dict[Any, Cell]):
    """A map.

    Parameters
    ----------
    item : CType
        Type of its values.
    ordered : bool
        Whether it goes through its keys in their order: no std::unordered_map.
    """

    def __init__(self, item: CType, ordered: bool = True) -> None:
        super().__init__()
        self.item = item
        self.ordered = ordered
        #: That of the variable that holds it.
        self.name = ""
        self.depth = decisions.current().open

    def refuse_undecided(self) -> None:
        """Raise if entries are added or removed under a run-time condition."""
        decisions.refuse_undecided(self.depth, "adds to a map or takes from it")

    def copy(self) -> Map:
        """Return an independent copy, as C++ copies."""
        made = Map(self.item, self.ordered)
        made.update((key, cell.copy()) for key, cell in self.items())
        return made

    def entry(self, key: Any) -> Cell:
        """Return the entry of a key, which is made where there is none."""
        if not isinstance(key, (int, float, str)):
            raise NotUnderstoodError(f"has a {type(key).__name__} for a key")
        if key not in self:
            self.refuse_undecided()
            # What the port calls its value, if only a run knows that.
            name = re.sub(r"\W", "_", f"{self.name or 'entry'}_{key}")
            self[key] = Cell(name, None, self.item)
        return self[key]

    def add(self, key: Any, value: Value) -> Cell:
        """Add an entry, or give one a value."""
        cell = self.entry(key)
        cell.set(value)
        return cell

    def entries(self) -> list[tuple[Any, Cell]]:
        """Return keys and values in the order a loop meets them."""
        if not self.ordered and len(self) > 1:
            raise NotUnderstoodError("goes through an unordered map: libraries differ in the order")
        return sorted(self.items(), key=lambda entry: entry[0])


@dataclass
class SmartPointer:
    """A unique_ptr or shared_ptr."""

    value: Value
    deleter: Any = None
    name: str = ""
    depth: int = field(default_factory=lambda: decisions.current().open)

    def change(self, value: Value) -> Value:
        """Hold something else, and return what was held."""
        decisions.refuse_undecided(self.depth, "changes a pointer")
        held, self.value = self.value, value
        return held


class Copied:
    """A value that C++ copies, with its state, when it initialises another object."""

    def copy(self) -> Any:
        """Return an independent copy."""
        raise NotImplementedError


@dataclass
class Function:
    """A function of the sample, or a lambda with the scope it was made in."""

    name: str
    node: Any
    scope: Any
    template: tuple[str, ...] = ()
    this: Value = None
    body: Any = None
    parameters: Any = None
    result: Any = None
    overloads: list[Any] = field(default_factory=list)
    #: For which types another definition stands: evaluators of the types, and the function.
    specialisations: list[Any] = field(default_factory=list)
    compiled: Any = None
    decodes: str | None = None
    #: Of a lambda: names of the copies it may change, which a copy of it has, too.
    state: tuple[str, ...] = ()

    def copy(self) -> Function:
        """Return an independent copy of a lambda, with its state."""
        if not self.state:
            return self
        names = {n: c.copy() if n in self.state else c for n, c in self.scope.names.items()}
        return replace(self, scope=type(self.scope)(self.scope.parent, names))


@dataclass
class Builtin:
    """A function the translator knows."""

    name: str
    call: Callable[..., Value]


def known(value: Value) -> Value:
    """Return a known value.

    Raises
    ------
    NotUnderstoodError
        For one that is not.
    """
    if isinstance(value, Unknown):
        raise NotUnderstoodError(value.reason)
    return value
