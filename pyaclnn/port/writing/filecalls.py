"""Files in a port: read with ``np.fromfile``, written with ``tofile``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.memory import array_of
from pyaclnn.port.data.symbols import Element, Expression
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.model import Derived, Download, FileCall, FileRead, HostData, Program
from pyaclnn.port.writing.datasource import DataSource, file_source
from pyaclnn.port.writing.printing import ArrayVariable
from pyaclnn.port.writing.pycode import Group, Names, lines, quoted


def uses_of(program: Program) -> dict[int, list[CType]]:
    """Return for each download, and each reading of a file, as which types the port reads it."""
    found: dict[int, list[CType]] = {}

    def add(source: Any, ctype: CType) -> None:
        types = found.setdefault(id(source), [])
        if all(t.name != ctype.name for t in types):
            types.append(ctype)

    def visit(value: Any) -> None:
        if isinstance(value, Element):
            add(value.download, value.ctype)
        elif isinstance(value, Expression):
            for operand in value.operands:
                visit(operand)

    for symbol in program.symbols:
        visit(symbol)
    for event in program.all_events:
        if isinstance(event, Derived):
            add(event.source, event.source_type)
        if isinstance(event, FileCall) and event.data is not None:
            source = whole_download(event.data)
            if source is not None:
                add(source, event.data.ctype)
    return found


def whole_download(data: HostData) -> Any:
    """Return the download that memory holds the start of, and nothing else; or None."""
    memory = data.memory
    if memory.cells or len(memory.overlays) != 1:
        return None
    overlay = memory.overlays[0]
    whole = overlay.begin == overlay.source == 0 and overlay.end >= data.size
    if whole and isinstance(overlay.download, (Download, FileRead)):
        return overlay.download if overlay.download.size == data.size else None
    return None


class FileCalls:
    """Writes what reads and writes files.

    Parameters
    ----------
    names : Names
        Of the port.
    body : list of str
        Lines are added to it.
    data : DataSource
        Writes what is no result.
    uses : dict
        From `uses_of`.
    array : callable
        (download, type) to the variable that holds it.
    """

    def __init__(
        self,
        names: Names,
        body: list[str],
        data: DataSource,
        uses: dict[int, list[CType]],
        array: Callable[[Any, CType], ArrayVariable],
    ) -> None:
        self._names = names
        self._body = body
        self._data = data
        self._uses = uses
        self._array = array
        self._arrays: dict[tuple[int, str], ArrayVariable] = {}

    def call(self, event: FileCall) -> None:
        """Write a file call."""
        if event.read is not None:
            for ctype in self._uses.get(id(event.read), []):
                self._read(event.read, ctype)
        if event.data is not None:
            self._body += lines(self._written(event.path, event.data))

    def array(self, read: FileRead, ctype: CType) -> ArrayVariable:
        """Return the variable with what was read."""
        found = self._arrays.get((id(read), ctype.name))
        if found is None:
            raise NotUnderstoodError(f"uses what is read from {read.path}, which is not known")
        return found

    def _read(self, read: FileRead, ctype: CType) -> None:
        name = self._names.new(read.name, "data")
        code = file_source(read, ctype, None)
        assert isinstance(code, Group)
        self._body += lines(Group(f"{name} = {code.head}", code.items, code.tail))
        self._arrays[id(read), ctype.name] = ArrayVariable(name, read.size // ctype.size, True)

    def _written(self, path: str, data: HostData) -> Group:
        whole = whole_download(data)
        if whole is not None:
            return Group(f"{self._array(whole, data.ctype).name}.tofile(", (quoted(path),))
        if data.memory.symbolic:
            raise NotUnderstoodError("writes results together with other data to a file")
        code = self._data.array(array_of(data.memory.view(data.ctype)))
        assert isinstance(code, Group)
        return Group(code.head, code.items, f"{code.tail}.tofile({quoted(path)})")
