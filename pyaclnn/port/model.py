"""The model of a program: calls of the C API, prints and gaps, in order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pyaclnn.port.data.cpp_types import UINT8, CType
from pyaclnn.port.data.memory import Memory
from pyaclnn.port.data.symbols import Named, WorkspaceSize
from pyaclnn.port.frontend.comments import Comment


@dataclass(eq=False)
class Event:
    """An event of the program; ``line`` is its line in the sample."""

    line: int
    #: What the sample says of the statements that are followed, outermost first.
    comments: tuple[Comment, ...] = field(default=(), init=False, repr=False)


@dataclass(eq=False)
class ApiCall(Event):
    """A call of the C API.

    Attributes
    ----------
    name : str
        The C function.
    arguments : tuple
        Numbers, strings, None, objects of this module, `HostData`, and `Out` for results.
    result : Any
        An object of this module if the function returns one, else 0.
    checked : bool
        Whether it returns a status.
    """

    name: str
    arguments: tuple[Any, ...]
    result: Any = 0
    checked: bool = True


@dataclass(eq=False)
class Print(Event):
    """Output; ``parts`` are texts and `Field`, ``site`` tells the statement.

    ``moment`` tells executions of it apart.
    """

    site: int
    parts: tuple[Any, ...]
    moment: int = 0


@dataclass(eq=False)
class Assign(Event):
    """An assignment of a symbolic value to a variable.

    ``first`` marks the value before the conditions that change it.
    """

    target: Named
    value: Any
    first: bool = False


@dataclass(eq=False)
class Branch(Event):
    """An ``if`` whose condition is known at run time only."""

    condition: Any
    then: tuple[Event, ...]
    otherwise: tuple[Event, ...]


@dataclass(eq=False)
class Leave(Event):
    """The end of the program, where a check of results or of the chip fails.

    ``code`` is its exit status; ``gap`` is the reason if the rest of this branch is not ported.
    """

    code: Any = 1
    gap: Gap | None = None


@dataclass(eq=False)
class Stop(Event):
    """A break out of a loop."""


@dataclass(eq=False)
class PrintRun(Event):
    """A loop whose numbers grow evenly: its first two iterations.

    These are prints, or one ``if`` around prints. ``bound`` is the number of iterations if that is
    symbolic.
    """

    first: tuple[Print | Branch, ...]
    second: tuple[Print | Branch, ...]
    count: int
    bound: Any = None


@dataclass(eq=False)
class Failure(Event):
    """A call of phase 1 that the sample expects to fail, and its output then."""

    plan: PlanObject
    prints: tuple[Print, ...]
    success: tuple[Print, ...]


@dataclass(eq=False)
class Thread(Event):
    """The events of one thread."""

    events: tuple[Event, ...]


@dataclass(eq=False)
class Gap(Event):
    """A statement that is not translated."""

    source: str
    reason: str
    file: str = ""
    #: Whether it is on one way of a decision, where a `Leave` stands for it.
    conditional: bool = False
    #: Whether there is one for this statement already, on another way.
    again: bool = False


@dataclass(eq=False)
class Note(Event):
    """A remark for the reader of the port."""

    text: str


@dataclass(frozen=True)
class Field:
    """A value in output, with its Python format specification."""

    value: Any
    spec: str = ""


@dataclass(eq=False)
class Out:
    """An argument through which the function gives an object or a number."""

    value: Any


@dataclass(eq=False)
class HostData:
    """Host memory as it was at the time of a call.

    Attributes
    ----------
    memory : Memory
        A copy.
    offset, size : int
        In bytes.
    ctype : CType
        Type of the elements.
    name : str
        The sample's name of the variable.
    """

    memory: Memory
    offset: int
    size: int
    ctype: CType = UINT8
    name: str = ""


@dataclass(eq=False)
class Download:
    """The data of a copy from the device to the host."""

    pointer: DevicePointer
    size: int
    ctype: CType
    name: str
    call: ApiCall | None = None


@dataclass(eq=False)
class FileRead:
    """The data that was read from a file; offset and size in bytes."""

    path: str
    offset: int
    size: int
    ctype: CType
    name: str

    def part(self, start: int, size: int) -> FileRead:
        """Return a stretch of it."""
        return FileRead(self.path, self.offset + start, size, self.ctype, self.name)


@dataclass(eq=False)
class Derived(Event):
    """An array that the port derives from another one.

    Attributes
    ----------
    source : Download, FileRead or Derived
        Where the numbers are.
    source_type : CType
        As which they are read.
    start, count : int
        Which of them, in elements.
    form : str
        Python source that makes it, with ``{}`` for them.
    ctype : CType
        Of the elements of the array.
    name : str
        The sample's name of the variable.
    """

    source: Any
    source_type: CType
    start: int
    count: int
    form: str
    ctype: CType
    name: str

    @property
    def size(self) -> int:
        """In bytes."""
        return self.count * self.ctype.size


def derived_from(
    memory: Memory, offset: int, source_type: CType, count: int, line: int, form: str,
    ctype: CType, name: str,
) -> Derived | None:  # fmt: skip
    """Return the array that a stretch of results becomes; None unless one copy brings all of it."""
    found = memory.single(offset, offset + count * source_type.size)
    if found is None:
        return None
    start = offset - found.begin + found.source
    if start % source_type.size:
        return None
    place = start // source_type.size
    return Derived(line, found.download, source_type, place, count, form, ctype, name)


@dataclass(eq=False)
class FileCall(Event):
    """A file that is read (`read`) or written with host memory (`data`)."""

    path: str
    read: FileRead | None = None
    data: HostData | None = None


@dataclass(eq=False)
class Object:
    """An object of the C API; ``name`` is that of the first variable that held it."""

    name: str = ""
    destroyed: bool = False
    comments: tuple[Comment, ...] = field(default=(), init=False, repr=False)


@dataclass(eq=False)
class Block(Object):
    """Device memory."""

    size: int | WorkspaceSize = 0
    host: Memory | None = None


@dataclass(eq=False)
class DevicePointer:
    """An address in device memory."""

    block: Block
    offset: int = 0
    ctype: CType = UINT8

    @property
    def name(self) -> str:
        """Name of the memory."""
        return self.block.name

    @name.setter
    def name(self, name: str) -> None:
        self.block.name = name

    def moved(self, count: int) -> DevicePointer:
        """Return the address some elements further."""
        return DevicePointer(self.block, self.offset + count * self.ctype.size, self.ctype)


@dataclass(eq=False)
class TensorObject(Object):
    """An aclTensor; strides and offset in elements."""

    shape: tuple[int, ...] = ()
    dtype: int = 0
    strides: tuple[int, ...] | None = None
    offset: int = 0
    format: int = 2
    storage: tuple[int, ...] = ()
    data: DevicePointer | None = None
    #: Whether an operator takes no other format.
    exact_format: bool = False
    #: Whether an operator writes all the memory there is, in blocks.
    whole_memory: bool = False


@dataclass(eq=False)
class ScalarObject(Object):
    """An aclScalar."""

    value: Any = 0
    dtype: int = 0


@dataclass(eq=False)
class ArrayObject(Object):
    """An aclIntArray, aclFloatArray or aclBoolArray."""

    kind: str = "Int"
    values: tuple[Any, ...] = ()


@dataclass(eq=False)
class ListObject(Object):
    """An aclTensorList or aclScalarList."""

    kind: str = "Tensor"
    items: tuple[Any, ...] = ()


@dataclass(eq=False)
class PlanObject(Object):
    """What phase 1 gives: an executor for an operator with its arguments."""

    operator: str = ""
    arguments: tuple[Any, ...] = ()
    repeatable: bool = False
    call: ApiCall | None = None
    #: Whether a header declares the operator.
    declared: bool = True
    #: Whether the sample expects phase 1 to fail.
    fails: bool = False

    def tensors(self) -> list[TensorObject]:
        """Return the tensors among the arguments, those of lists included."""
        out = []
        for argument in self.arguments:
            items = argument.items if isinstance(argument, ListObject) else (argument,)
            out += [item for item in items if isinstance(item, TensorObject)]
        return out


@dataclass(eq=False)
class Handle(Object):
    """A stream, event, context or anything else without a content."""

    kind: str = ""
    #: What it is a part of, as a communicator of all.
    owner: Any = None
    #: Which device a context is of.
    device: int = 0


@dataclass
class Program:
    """The model of a sample.

    Attributes
    ----------
    events : list of Event
        In the order of execution.
    file : str
        The sample.
    """

    file: str
    events: list[Event] = field(default_factory=list)
    #: Directories that declare further operators.
    header_folders: tuple[str, ...] = ()
    #: How many random numbers the sample draws, and whether some are of a normal distribution.
    draws: int = 0
    normal: bool = False
    #: Whether devices talk to each other.
    communicates: bool = False
    #: First line and name of the headers beside the sample, whose lines follow the sample's.
    headers: list[tuple[int, str]] = field(default_factory=list)
    #: How many times a function's body was followed, by the line where it begins.
    entered: Counter[int] = field(default_factory=Counter)

    def place(self, line: int) -> tuple[str, int]:
        """Return the file a line is in, and its number there."""
        for start, file in reversed(self.headers):
            if line >= start:
                return file, line - start + 1
        return self.file, line

    @property
    def gaps(self) -> list[Gap]:
        """The gaps."""
        return [e for e in self.all_events if isinstance(e, Gap)]

    @property
    def calls(self) -> list[ApiCall]:
        """The calls of the C API."""
        return [e for e in self.all_events if isinstance(e, ApiCall)]

    @property
    def all_events(self) -> list[Event]:
        """The events, and those of the threads."""
        found: list[Event] = []
        for event in self.events:
            found += event.events if isinstance(event, Thread) else [event]
        return found

    @property
    def symbols(self) -> list[Any]:
        """All values in prints, assignments and conditions that may be symbols."""
        found: list[Any] = []
        stack: list[Event] = self.all_events
        while stack:
            event = stack.pop()
            if isinstance(event, Print):
                found += [getattr(part, "value", None) for part in event.parts]
            elif isinstance(event, Assign):
                found.append(event.value)
            elif isinstance(event, Branch):
                found.append(event.condition)
                stack += [*event.then, *event.otherwise]
            elif isinstance(event, PrintRun):
                stack += event.first
                found.append(event.bound)
            elif isinstance(event, Failure):
                stack += [*event.prints, *event.success]
        return found
