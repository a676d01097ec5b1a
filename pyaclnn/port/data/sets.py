"""Values of std::set and std::unordered_set, and their iterators."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pyaclnn.port.data import decisions
from pyaclnn.port.data.conversions import convert
from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.errors import NotUnderstoodError


@dataclass(eq=False)
class SetValue:
    """A set.

    Attributes
    ----------
    item : CType
        Type of its elements.
    ordered : bool
        Whether it goes through them in their order: no std::unordered_set.
    """

    item: CType
    ordered: bool
    values: set[Any]
    depth: int = field(default_factory=lambda: decisions.current().open)

    def changed(self) -> set[Any]:
        """Return the elements, to be changed."""
        decisions.refuse_undecided(self.depth, "adds to a set or takes from it")
        return self.values

    def element(self, value: Any) -> Any:
        """Return a value as the set compares it."""
        value = convert(value, self.item) if self.item.is_number else value
        if not isinstance(value, (int, float, str)):
            raise NotUnderstoodError(f"has a {type(value).__name__} in a set")
        return value

    def copy(self) -> SetValue:
        """Return an independent copy, as C++ copies."""
        return SetValue(self.item, self.ordered, set(self.values))

    @property
    def items(self) -> list[Any]:
        """Elements in the order a loop meets them."""
        if not self.ordered and len(self.values) > 1:
            raise NotUnderstoodError("goes through an unordered set: libraries differ in the order")
        return sorted(self.values)


@dataclass(frozen=True)
class Position:
    """Where ``find`` found an element; the end, where it did not.

    Attributes
    ----------
    owner : int
        Tells the container from others.
    found : bool
        Whether there is one.
    value : Any
        The element; of a map, key and value.
    """

    owner: int
    found: bool
    value: Any = None

    def element(self) -> Any:
        """Return what was found."""
        if not self.found:
            raise NotUnderstoodError("reads behind the end of a container")
        return self.value
