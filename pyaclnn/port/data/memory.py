"""Host memory of the sample: bytes with a type, and containers of other values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.port.data import decisions
from pyaclnn.port.data.conversions import convert, from_numpy
from pyaclnn.port.data.cpp_types import OTHER, UINT8, CType
from pyaclnn.port.data.long_arrays import LongArray, Ramp
from pyaclnn.port.data.runtime_numbers import cast_symbol, stored
from pyaclnn.port.data.sets import SetValue
from pyaclnn.port.data.symbols import Element, Symbol
from pyaclnn.port.data.values import Copied, Function, Map, Struct, Tuple
from pyaclnn.port.errors import NotUnderstoodError, SampleError

MAX_BYTES = 1 << 28
#: As much as there is of memory with one number throughout, of which only that is kept.
MAX_UNIFORM = 1 << 36
#: From how many bytes on only the number is kept.
_LARGE = 1 << 22
#: Up to where memory of which only the rule is kept may have bytes of its own, at its start.
_MAX_HEAD = 1 << 16
_NOTHING = np.zeros(0, np.uint8)
_WRITES = "writes an array"

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Overlay:
    """A stretch of memory that a copy from the device filled; in bytes."""

    begin: int
    end: int
    download: Any
    source: int


class Memory:
    """Bytes; some may only be known at run time.

    Parameters
    ----------
    size : int
        In bytes; zeroed.
    """

    __slots__ = (
        "cells",
        "copy_of",
        "depth",
        "head",
        "name",
        "overlays",
        "pattern",
        "ramp",
        "shared",
        "size",
        "text",
        "unknown",
        "views",
        "written",
    )

    def __init__(self, size: int, name: str = "") -> None:
        self.size = _checked(size)
        #: The bytes; None as long as all of them follow a rule, which the next three are.
        self.written: Array | None = None if size >= _LARGE else np.zeros(size, np.uint8)
        #: What all bytes repeat, or the numbers that grow by one, and the bytes before the rest.
        self.pattern = b"\0"
        self.ramp: Ramp | None = None
        self.head: Array = _NOTHING
        self.overlays: list[Overlay] = []
        self.cells: dict[int, Any] = {}
        self.views: dict[str, Array] = {}
        self.name = name
        #: A text that only a run knows.
        self.text: Any = None
        #: Why the content is not known, where a statement that fills it was not understood.
        self.unknown = ""
        #: Whether the bytes are also those of a copy, and are to be copied before writing.
        self.shared = False
        #: The variable whose bytes these are as they were: writing them does not change it.
        self.copy_of = ""
        self.depth = decisions.current().open

    @property
    def raw(self) -> Array:
        """The bytes.

        Raises
        ------
        NotUnderstoodError
            If there are too many.
        """
        if self.written is None:
            if self.size > MAX_BYTES:
                raise NotUnderstoodError(
                    f"{self.size} bytes of host memory are more than a sample needs"
                )
            self.written, self.views = self._part(0, self.size), {}
        return self.written

    def _part(self, offset: int, size: int) -> Array:
        """Return a stretch of the bytes, to be read."""
        if self.written is not None:
            return self.written[offset : offset + size]
        if self.head.size > offset:
            begun = self.head[offset : offset + size]
            end = offset + begun.size
            return np.concatenate([begun, self._ruled(end, size - begun.size)])
        return self._ruled(offset, size)

    def _ruled(self, offset: int, size: int) -> Array:
        """Return a stretch of the bytes as the rule has them."""
        if self.ramp is not None:
            return self.ramp.part(offset, size)
        if not any(self.pattern):
            return np.zeros(size, np.uint8)
        length = len(self.pattern)
        rows = np.empty((size // length + 1, length), np.uint8)
        rows[:] = np.roll(np.frombuffer(self.pattern, np.uint8), -offset)
        return rows.ravel()[:size]

    def _repeat(self, pattern: bytes) -> None:
        """Fill the memory with a repeated pattern, of which only one copy is stored."""
        self._ruled_by(pattern, None, _NOTHING)

    def _ruled_by(self, pattern: bytes, ramp: Ramp | None, head: Array) -> None:
        self.written, self.views, self.shared = None, {}, False
        self.pattern, self.ramp, self.head = pattern, ramp, head

    @property
    def _has_pattern(self) -> bool:
        return self.written is None and self.ramp is None and not self.head.size

    def count_up(self, start: int, ctype: CType) -> bool:
        """Fill large memory with consecutive numbers; return whether it is large."""
        if self.size < _LARGE or self.size % ctype.size:
            return False
        self.forget(0, self.size)
        if self.copy_of:
            raise NotUnderstoodError(f"writes the bytes of {self.copy_of}")
        if ctype.kind == "int" and ctype.size < 4:
            # They begin again before long.
            values = np.arange(start, start + (1 << 8 * ctype.size)).astype(ctype.dtype)
            self._repeat(values.tobytes())
        else:
            self._ruled_by(b"\0", Ramp(start, ctype), _NOTHING)
        return True

    def long(self, ctype: CType, offset: int, count: int) -> LongArray | None:
        """Return elements that follow a rule from the start of the memory on, not one by one."""
        size = count * ctype.size
        if self.written is not None or offset or size < _LARGE or size > self.size:
            return None
        if self._has_pattern and ctype.size % len(self.pattern) == 0:
            return None  # one number, which NumPy repeats without memory
        if self.head.size % ctype.size or (self.ramp is not None and self.ramp.ctype != ctype):
            return None
        if self.ramp is None and len(self.pattern) % ctype.size:
            return None
        turn = np.frombuffer(self.pattern, ctype.dtype) if self.ramp is None else _NOTHING
        start = self.ramp.start if self.ramp is not None else 0
        return LongArray((count,), self.head.view(ctype.dtype), turn, start)

    def fill(self, value: Any, ctype: CType) -> bool:
        """Fill large memory with one number; return whether it is large."""
        if self.size < _LARGE or self.size % ctype.size:
            return False
        self.forget(0, self.size)
        if self.copy_of:
            raise NotUnderstoodError(f"writes the bytes of {self.copy_of}")
        with np.errstate(over="ignore"):
            self._repeat(np.asarray(convert(value, ctype)).astype(ctype.dtype).tobytes())
        return True

    def _number(self, ctype: CType, offset: int) -> Any:
        """Return the number that stands at a place of large memory; None without a pattern."""
        if not self._has_pattern or ctype.size % len(self.pattern) or \
                offset % len(self.pattern):  # fmt: skip
            return None
        return np.frombuffer(self.pattern * (ctype.size // len(self.pattern)), ctype.dtype)[0]

    def writable(self) -> Array:
        """Return the bytes, to be written."""
        decisions.refuse_undecided(self.depth, _WRITES)
        if self.copy_of:
            raise NotUnderstoodError(f"writes the bytes of {self.copy_of}")
        if self.shared:
            self.written = self.raw.copy()
            self.views = {}
            self.shared = False
        return self.raw

    @property
    def symbolic(self) -> bool:
        """Whether some of it is symbolic."""
        return bool(self.overlays or self.cells)

    def view(self, ctype: CType, offset: int = 0) -> Array:
        """Return the known bytes as an array of a type, which may be one number that repeats."""
        constant = self._number(ctype, offset)
        if constant is not None:
            return np.broadcast_to(constant, (self.size - offset) // ctype.size)
        if offset % ctype.size:
            usable = (self.size - offset) // ctype.size * ctype.size
            return self.raw[offset : offset + usable].view(ctype.dtype)
        found = self.views.get(ctype.name)
        if found is None:
            found = self.raw[: self.size // ctype.size * ctype.size].view(ctype.dtype)
            self.views[ctype.name] = found
        return found[offset // ctype.size :]

    def load(self, offset: int, ctype: CType) -> Any:
        """Read a number."""
        if offset < 0 or offset + ctype.size > self.size:
            raise SampleError("reads outside of an array")
        if self.cells:
            found = stored(self.cells, offset, ctype)
            if found is not None:
                return found
        for overlay in reversed(self.overlays):
            if overlay.begin <= offset < overlay.end:
                return Element(overlay.download, offset - overlay.begin + overlay.source, ctype)
        if self.unknown:
            raise NotUnderstoodError(self.unknown)
        constant = self._number(ctype, offset)
        if constant is not None:
            return from_numpy(constant, ctype)
        if self.written is None and self.size > MAX_BYTES:
            return from_numpy(self._part(offset, ctype.size).view(ctype.dtype)[0], ctype)
        view = self.views.get(ctype.name)
        if view is None or offset % ctype.size:
            return from_numpy(self.view(ctype, offset)[0], ctype)
        return from_numpy(view[offset // ctype.size], ctype)

    def store(self, offset: int, value: Any, ctype: CType) -> None:
        """Write a number."""
        if offset < 0 or offset + ctype.size > self.size:
            raise SampleError("writes outside of an array")
        if self.copy_of:
            raise NotUnderstoodError(f"writes the bytes of {self.copy_of}")
        decisions.refuse_undecided(self.depth, _WRITES)
        if isinstance(value, Symbol):
            keep = decisions.current().keep
            value = cast_symbol(value, ctype)
            self.cells[offset] = keep(value, self.name or "element") if keep else value
            return
        if not isinstance(value, (int, float, complex)):
            raise NotUnderstoodError(f"stores a {type(value).__name__} in an array of numbers")
        if self.overlays or self.cells:
            self.cells.pop(offset, None)
            if any(o.begin <= offset < o.end for o in self.overlays):
                self.cells[offset] = convert(value, ctype)
        if self.written is None and self.size > MAX_BYTES and offset + ctype.size <= _MAX_HEAD:
            # Only the first of so many numbers may be others than the rule says.
            self.head = np.array(self._part(0, max(self.head.size, offset + ctype.size)))
            with np.errstate(over="ignore"):
                number = np.asarray(convert(value, ctype)).astype(ctype.dtype)
            self.head[offset : offset + ctype.size] = np.frombuffer(number.tobytes(), np.uint8)
            return
        if self.shared or self.written is None:
            self.writable()
        with np.errstate(over="ignore"):
            self.view(ctype, offset)[0] = convert(value, ctype)

    def copy_from(self, at: int, source: Memory, offset: int, size: int) -> None:
        """Copy bytes, symbolic ones included."""
        if min(at, offset, size) < 0 or at + size > self.size:
            raise NotUnderstoodError("copies outside of an array")
        size = min(size, source.size - offset)
        self.forget(at, size)
        self.unknown = source.unknown or (self.unknown if size < self.size else "")
        if source.written is None and not source._has_pattern and \
                at == offset == 0 and size == self.size == source.size:  # fmt: skip
            self._ruled_by(source.pattern, source.ramp, source.head)
        elif self._repeats(at, source, offset, size):
            if size == self.size:
                self._repeat(source.pattern)
        elif at == offset == 0 and size == self.size == source.size:
            self.written, self.views = source.raw, {}
            self.shared = source.shared = True
        else:
            self.writable()[at : at + size] = source._part(offset, size)
        for o in source.overlays:
            begin, end = max(o.begin, offset), min(o.end, offset + size)
            if begin < end:
                moved = begin - offset + at
                self.overlays.append(
                    Overlay(moved, moved + end - begin, o.download, o.source + begin - o.begin)
                )
        for where, value in source.cells.items():
            if offset <= where < offset + size:
                self.cells[where - offset + at] = value

    def _repeats(self, at: int, source: Memory, offset: int, size: int) -> bool:
        """Return whether a copy of a pattern leaves, or makes, memory that repeats it."""
        if not source._has_pattern or offset % len(source.pattern):
            return False
        if self.copy_of or size % len(source.pattern):
            return False
        same = self._has_pattern and self.pattern == source.pattern
        return (at == 0 and size == self.size >= _LARGE) or (same and at % len(self.pattern) == 0)

    def single(self, begin: int, end: int) -> Overlay | None:
        """Return the copy or file that a whole stretch of bytes comes from."""
        if any(begin - 16 < where < end for where in self.cells):
            return None
        found = [o for o in self.overlays if o.begin < end and begin < o.end]
        return found[0] if len(found) == 1 and found[0].begin <= begin and end <= found[0].end \
            else None  # fmt: skip

    def fill_from_device(self, at: int, size: int, download: Any) -> None:
        """Mark a stretch as the data of a copy from the device."""
        if at < 0 or at + size > self.size:
            raise NotUnderstoodError(
                f"copies {size} bytes from the device into {self.size - at} bytes of memory"
            )
        self.forget(at, size)
        self.overlays.append(Overlay(at, at + size, download, 0))

    def forget(self, at: int, size: int) -> None:
        """Make a stretch plain bytes again."""
        decisions.refuse_undecided(self.depth, _WRITES)
        self.text = None
        if self.cells:
            self.cells = {k: v for k, v in self.cells.items() if not at <= k < at + size}
        kept = []
        for o in self.overlays:
            if o.end <= at or o.begin >= at + size:
                kept.append(o)
                continue
            if o.begin < at:
                kept.append(Overlay(o.begin, at, o.download, o.source))
            if o.end > at + size:
                kept.append(Overlay(at + size, o.end, o.download, o.source + at + size - o.begin))
        self.overlays = kept

    def resize(self, size: int) -> None:
        """Grow or shrink, keeping what is there."""
        _checked(size)
        decisions.refuse_undecided(self.depth, _WRITES)
        before = self.size
        if size < before:
            self.forget(size, before - size)
        zeros = self._has_pattern and not any(self.pattern)
        if (before == 0 or zeros or size <= before) and self.written is None and size >= _LARGE:
            self.size, self.views = size, {}
            return
        if before == 0 and size >= _LARGE:
            self.size = size
            self._repeat(b"\0")
            return
        if size > MAX_BYTES:
            raise NotUnderstoodError(f"{size} bytes of host memory are more than a sample needs")
        kept = self._part(0, min(size, before))
        self.written = np.zeros(size, np.uint8)
        self.written[: kept.size] = kept
        self.size, self.views, self.shared = size, {}, False

    def copy(self) -> Memory:
        """Return an independent copy."""
        other = Memory(0, self.name)
        other.size, other.written, other.pattern = self.size, self.written, self.pattern
        other.ramp, other.head = self.ramp, self.head
        self.shared = other.shared = self.written is not None
        other.overlays = list(self.overlays)
        other.cells = dict(self.cells)
        other.unknown = self.unknown
        return other


def _checked(size: int) -> int:
    """Return a size that memory may have.

    Raises
    ------
    NotUnderstoodError
        For others.
    """
    if not 0 <= size <= MAX_UNIFORM:
        raise NotUnderstoodError(f"{size} bytes of host memory are more than a sample needs")
    return size


def array_of(view: Array) -> Array:
    """Return a copy of a view of memory; one number that repeats stays what it is."""
    return view if view.size and not any(view.strides) else np.array(view)


class Vector:
    """A vector, array or C array.

    Numbers live in `memory`, other values in `items`.
    """

    __slots__ = (
        "capacity",
        "count",
        "depth",
        "grid",
        "item",
        "items",
        "memory",
        "name",
        "start",
    )

    def __init__(self, item: CType, count: int = 0, name: str = "") -> None:
        self.item = item
        self.name = name
        self.count = count
        self.capacity = count
        #: Where in the memory the elements begin: a row of an array of arrays shares it.
        self.start = 0
        #: The memory that the rows of an array of arrays share.
        self.grid: Memory | None = None
        self.items: list[Any] = []
        self.depth = decisions.current().open
        self.memory = Memory(count * item.size if item.is_number else 0)
        if not item.is_number:
            if count > 1 << 22:
                raise NotUnderstoodError(f"{count} elements are more than a sample needs")
            self.items = [None] * count

    def get(self, index: int) -> Any:
        """Read an element."""
        if not 0 <= index < self.count:
            raise SampleError(f"index {index} is outside of {self.count} elements")
        if self.item.is_number:
            return self.memory.load(self.start + index * self.item.size, self.item)
        return self.items[index]

    def set(self, index: int, value: Any) -> None:
        """Write an element."""
        if not 0 <= index < self.count:
            raise SampleError(f"index {index} is outside of {self.count} elements")
        if self.item.is_number:
            self.memory.store(self.start + index * self.item.size, value, self.item)
        else:
            decisions.refuse_undecided(self.depth, _WRITES)
            self.items[index] = value

    def resize(self, count: int, value: Any = 0) -> None:
        """Change the length; new elements get a value."""
        if not 0 <= count <= MAX_UNIFORM:
            raise NotUnderstoodError(f"{count} elements are more than a sample needs")
        decisions.refuse_undecided(self.depth, _WRITES)
        old, self.count = self.count, count
        if not self.item.is_number:
            self.items = self.items[:count] + [value] * (count - old)
            return
        if count > self.capacity:
            self.capacity = max(count, 2 * self.capacity) if count == old + 1 else count
            self.memory.resize(self.capacity * self.item.size)
        if isinstance(value, Symbol):
            for index in range(old, count):
                self.set(index, value)
        elif old == 0 and count == self.capacity and self.memory.fill(value, self.item):
            pass
        elif count > old:
            self.memory.forget(old * self.item.size, (count - old) * self.item.size)
            self.memory.writable()
            self.memory.view(self.item)[old:count] = convert(value, self.item)

    def reserve(self, count: Any) -> None:
        """Reserve memory for more elements, which samples may read into."""
        if isinstance(count, int) and self.item.is_number and count > self.capacity:
            self.capacity = count
            self.memory.resize(count * self.item.size)

    def fill(self, value: Any) -> None:
        """Give every element a value."""
        decisions.refuse_undecided(self.depth, _WRITES)
        count, self.count, self.items = self.count, 0, []
        self.resize(count, value)

    def append(self, value: Any) -> None:
        """Add an element."""
        self.resize(self.count + 1, value)

    def values(self) -> list[Any]:
        """Return all elements."""
        if self.item.is_number and not self.memory.symbolic and not self.start:
            return list(self.memory.view(self.item)[: self.count].tolist())
        return [self.get(index) for index in range(self.count)]

    def copy(self) -> Vector:
        """Return an independent copy, as C++ copies."""
        if self.start or self.grid is not None:
            raise NotUnderstoodError("copies a part of an array of arrays")
        other = Vector(self.item)
        other.name = self.name
        other.count = other.capacity = self.count
        other.items = [copied(v) for v in self.items]
        if self.item.is_number:
            other.memory = self.memory.copy()
            if other.memory.size != self.count * self.item.size:
                other.memory.resize(self.count * self.item.size)
        return other


@dataclass(frozen=True)
class Pointer:
    """An address in host memory.

    Attributes
    ----------
    target : Memory or Vector
        A vector for elements that are no numbers.
    offset : int
        In bytes; in elements for a vector.
    ctype : CType
        Type of what is pointed to.
    """

    target: Memory | Vector
    offset: int = 0
    ctype: CType = UINT8

    @property
    def step(self) -> int:
        """What adding one adds to the offset."""
        size = decisions.current().size
        if self.ctype.kind == "struct" and isinstance(self.target, Memory) and size is not None:
            return size(self.ctype)
        return self.ctype.size if isinstance(self.target, Memory) else 1

    def retyped(self, ctype: CType) -> Pointer:
        """Return the address as one of another type."""
        if isinstance(self.target, Vector):
            return self
        return Pointer(self.target, self.offset, ctype)

    def moved(self, count: int) -> Pointer:
        """Return the pointer some elements further."""
        return Pointer(self.target, self.offset + count * self.step, self.ctype)

    def load(self, index: int = 0) -> Any:
        """Read an element."""
        if isinstance(self.target, Vector):
            return self.target.get(self.offset + index)
        place = decisions.current().place
        if self.ctype.kind == "struct" and place is not None:
            return place(self.moved(index))
        if not self.ctype.is_number:
            raise NotUnderstoodError("reads memory whose type is not known")
        return self.target.load(self.offset + index * self.ctype.size, self.ctype)

    def store(self, index: int, value: Any) -> None:
        """Write an element."""
        if isinstance(self.target, Vector):
            self.target.set(self.offset + index, value)
        elif not self.ctype.is_number:
            raise NotUnderstoodError("writes memory whose type is not known")
        else:
            self.target.store(self.offset + index * self.ctype.size, value, self.ctype)


class BackwardsPointer(Pointer):
    """A reverse iterator: what it is moved to lies before it."""

    @property
    def step(self) -> int:
        """What adding one adds to the offset."""
        return -super().step

    def moved(self, count: int) -> BackwardsPointer:
        """Return the iterator some elements further."""
        return BackwardsPointer(self.target, self.offset + count * self.step, self.ctype)

    def _at(self, index: int) -> Pointer:
        return Pointer(self.target, self.offset + index * self.step, self.ctype)

    def load(self, index: int = 0) -> Any:
        """Read an element."""
        return self._at(index).load(0)

    def store(self, index: int, value: Any) -> None:
        """Write an element."""
        self._at(index).store(0, value)


class ResultPointer(Pointer):
    """The address of an element whose index is symbolic, of which only the value is known."""

    def moved(self, count: int) -> Pointer:
        """Raise: the elements beside it are unknown."""
        raise NotUnderstoodError("goes on from an address that is only known at run time")


def backwards(vector: Vector, index: int) -> BackwardsPointer:
    """Return the reverse iterator at an element, which may be that before the first."""
    start = data_pointer(vector)
    place = start.offset + index * start.step
    return BackwardsPointer(start.target, place, start.ctype)


def copied(value: Any) -> Any:
    """Return what initialising a variable with a value gives: containers are copied."""
    return (
        value.copy()
        if isinstance(value, (Vector, Struct, Map, Tuple, SetValue, Function, Copied))
        else value
    )


def data_pointer(vector: Vector) -> Pointer:
    """Return the address of the first element."""
    if vector.item.is_number:
        if not vector.memory.name:
            vector.memory.name = vector.name
        return Pointer(vector.memory, vector.start, vector.item)
    if vector.grid is not None:
        innermost = vector
        while not innermost.item.is_number:
            innermost = innermost.items[0]
        vector.grid.name = vector.grid.name or vector.name
        return Pointer(vector.grid, innermost.start, innermost.item)
    return Pointer(vector, 0, OTHER if vector.item is None else vector.item)


def nested_array(ctype: CType, grid: Memory | None = None, start: int = 0) -> Vector:
    """Return an array of arrays of numbers, all in one memory.

    Raises
    ------
    NotUnderstoodError
        If a length is not known.
    """
    if ctype.count is None or ctype.item is None:
        raise NotUnderstoodError("the length of an array is not known")
    if grid is None:
        grid = Memory(ctype.size)
    if ctype.item.is_number:
        row = Vector(ctype.item)
        row.memory, row.start = grid, start
        row.count = row.capacity = ctype.count
        return row
    array = Vector(ctype.item)
    array.grid = grid
    for index in range(ctype.count):
        array.append(nested_array(ctype.item, grid, start + index * ctype.item.size))
    return array
