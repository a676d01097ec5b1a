"""Sources of a port's data: literals, a random generator, or a file."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.long_arrays import LongArray
from pyaclnn.port.data.memory import Memory
from pyaclnn.port.data.runtime_numbers import is_snapshot
from pyaclnn.port.data.symbols import Expression
from pyaclnn.port.model import FileRead, Program
from pyaclnn.port.writing.pycode import Code, Group, Names, call, literal, quoted, shape_text
from pyaclnn.port.writing.pydata import (
    array_source,
    dtype_text,
    is_regular,
    long_source,
    tensor_source,
)

#: More random numbers than these are not written down.
MAX_RANDOM = 64

Array = np.ndarray[Any, Any]


class DataSource:
    """Writes arrays, by the shortest source that gives them.

    Parameters
    ----------
    program : Program
        Tells whether the sample draws random numbers.
    names : Names
        Of the port.
    body : list of str
        Gets the line that makes the generator.
    """

    def __init__(self, program: Program, names: Names, body: list[str]) -> None:
        self._program = program
        self._names = names
        self._body = body
        self._generator = ""
        self._replaced = not _judges(program)

    def array(self, values: Array | LongArray) -> Code:
        """Return an expression for a NumPy array."""
        if isinstance(values, LongArray):
            return long_source(values)
        return self._random(values) if self._is_random(values) else array_source(values)

    def tensor(self, values: Array | LongArray) -> Code:
        """Return an expression for a tensor."""
        if isinstance(values, LongArray) and values.dtype.name == "bfloat16":
            return call("pa.asarray", long_source(values.astype(np.float32)), '"bfloat16"')
        if isinstance(values, LongArray):
            return call("pa.asarray", long_source(values))
        if not self._is_random(values):
            return tensor_source(values)
        if values.dtype.name == "bfloat16":
            return call("pa.asarray", self._random(values.astype(np.float32)), '"bfloat16"')
        return call("pa.asarray", self._random(values))

    def _is_random(self, values: Array) -> bool:
        if not self._replaced or not MAX_RANDOM < values.size <= self._program.draws:
            return False
        return not is_regular(values)

    def _random(self, values: Array) -> Code:
        if not self._generator:
            self._generator = self._names.new("rng")
            self._body.append(
                "# The sample draws random numbers; these are others, of the same range."
            )
            self._body.append(f"{self._generator} = np.random.default_rng(0)")
        shape = shape_text(values.shape)
        kind = dtype_text(values.dtype)
        wide = values.astype(np.float64)
        if values.dtype.kind in "iub":
            # All integers that were drawn, and those between them.
            low, high = int(wide.min()), int(wide.max()) + 1
            if values.dtype.kind == "b":
                kind = "np.bool_"
            return call(f"{self._generator}.integers", str(low), str(high), shape, f"dtype={kind}")
        if self._program.normal:
            numbers = [literal(_rounded(x, 0.1)) for x in (wide.mean(), max(wide.std(), 0.1))]
            drawn = call(f"{self._generator}.normal", *numbers, shape)
        else:
            span = float(wide.max() - wide.min()) or 1.0
            step = 10.0 ** math.floor(math.log10(span)) / 10
            low, high = math.floor(wide.min() / step), math.ceil(wide.max() / step)
            ends = [literal(_rounded(x * step, step)) for x in (low, high)]
            drawn = call(f"{self._generator}.uniform", *ends, shape)
        return Group(drawn.head, drawn.items, f").astype({kind})")


def _judges(program: Program) -> bool:
    """Return whether a program makes more of results, or of the host's numbers, than print them.

    What it compares them with may follow from what it drew, and then no other draws will do.
    """
    return any(
        isinstance(value, float) or (isinstance(value, Expression) and not is_snapshot(value))
        for value in program.symbols
    )


def _rounded(value: float, step: float) -> float:
    return round(float(value), max(0, 1 - math.floor(math.log10(step))))


def file_of(memory: Memory, size: int) -> FileRead | None:
    """Return the file that all of some memory comes from, or None."""
    if memory.cells or len(memory.overlays) != 1:
        return None
    overlay = memory.overlays[0]
    found = overlay.download
    if not isinstance(found, FileRead) or overlay.begin != 0 or overlay.end < size:
        return None
    return found.part(overlay.source, size)


def file_source(read: FileRead, ctype: CType, shape: tuple[int, ...] | None) -> Code:
    """Return an expression for an array that is read from a file."""
    items = [
        quoted(read.path),
        f"dtype={dtype_text(ctype.dtype)}",
        f"count={read.size // ctype.size}",
    ]
    if read.offset:
        items.append(f"offset={read.offset}")
    found = call("np.fromfile", *items)
    if shape is None or len(shape) == 1:
        return found
    return Group(found.head, found.items, f").reshape({', '.join(map(str, shape))})")
