"""What the index of operators has of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from .families import ROWS

#: Whether the kernel finds the shapes of the outputs; output -> texts of its shape and dtype.
Indexed = tuple[bool, Mapping[str, tuple[str, str]]]


@cache
def rows() -> dict[str, Indexed]:
    """Return what the index has of each row, by C name."""
    return {
        row.c_name: (row.found, {name: (o.shape, o.dtype) for name, o in row.outputs.items()})
        for row in ROWS
    }


def of_row(c_name: str) -> Indexed:
    """Return what the index has of an operator."""
    return rows().get(c_name, (False, {}))
