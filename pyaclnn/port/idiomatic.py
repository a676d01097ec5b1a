"""The idiomatic port: NumPy arrays in, one call per operator, the same prints."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.blocks import BlockState, state_of
from pyaclnn.port.ctypes import CType
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.model import (
    ApiCall,
    Assign,
    Block,
    Branch,
    DevicePointer,
    Download,
    Event,
    Failure,
    Gap,
    Handle,
    HostData,
    Note,
    PlanObject,
    Print,
    PrintRun,
    Program,
    TensorObject,
)
from pyaclnn.port.operatorcalls import OperatorCalls
from pyaclnn.port.printing import ArrayVariable, Printer, Statement
from pyaclnn.port.pycode import Names, lines, literal
from pyaclnn.port.pydata import array_source, dtype_text
from pyaclnn.port.remarks import gap_lines, header, note_lines
from pyaclnn.port.streams import StreamCalls
from pyaclnn.port.symbols import Element, Expression, Query, StatusCode, WorkspaceSize
from pyaclnn.port.tensors import Tensors


def write(program: Program) -> str:
    """Return the idiomatic port of a program.

    Parameters
    ----------
    program : Program
        Gaps found on the way are added to it.
    """
    return _Writer(program).text()


class _Writer:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = Names()
        self.body: list[str] = []
        self.tensors = Tensors(self.names, self.body, _states(program))
        self.streams = StreamCalls(program, self.names, self.body)
        self.operators = OperatorCalls(program, self.names, self.body, self.tensors, self.streams)
        self.uses = _uses(program)
        self.arrays: dict[tuple[int, str], ArrayVariable] = {}
        self.printer = Printer(self._array, self._symbol, self.names)

    def text(self) -> str:
        """Return the whole program."""
        prints: list[Statement] = []
        for event in list(self.program.events):
            if isinstance(event, (Assign, Branch, Print, PrintRun)):
                prints.append(event)
                continue
            if isinstance(event, ApiCall) and self._is_silent(event):
                continue
            self._flush(prints)
            prints = []
            self._guarded(event)
        self._flush(prints)
        return header(self.program.file, self.body) + "\n".join(self.body) + "\n"

    def _is_silent(self, event: ApiCall) -> bool:
        """Whether pyaclnn does by itself what the call is for."""
        name = event.name
        if name.startswith(("aclDestroy", "aclrtFree", "aclrtDestroy", "aclrtReset", "aclCreate")):
            return True
        if name in ("aclInit", "aclFinalize", "aclnnInit", "aclnnFinalize", "aclrtMalloc",
                    "aclrtMallocAlign32", "aclrtMallocCached", "aclrtGetRunMode"):  # fmt: skip
            return True
        return self.streams.is_silent(event)

    def _guarded(self, event: Event) -> None:
        before = len(self.body)
        try:
            self._event(event)
        except (NotUnderstoodError, LookupError, ValueError, TypeError, ArithmeticError) as error:
            del self.body[before:]
            gap = Gap(event.line, self._source(event), str(error))
            self.program.events.append(gap)
            self.body += gap_lines(self.program.file, gap)

    def _source(self, event: Event) -> str:
        return event.name if isinstance(event, ApiCall) else ""

    def _event(self, event: Event) -> None:
        if isinstance(event, Gap):
            self.body += gap_lines(self.program.file, event)
        elif isinstance(event, Note):
            self.body += note_lines(self.program.file, event)
        elif isinstance(event, Failure):
            self._failure(event)
        elif isinstance(event, ApiCall):
            self._call(event)

    def _failure(self, event: Failure) -> None:
        """Write a call that is to fail, and what the sample makes of the error."""
        code = self.operators.failing(event.plan)
        made = self.printer.lines(list(event.prints))
        name = " as error" if any("error.code" in line for line in made) else ""
        self.body += ["try:", *lines(code, 4), f"except pa.AclError{name}:"]
        self.body += ["    " + line for line in made] or ["    pass"]
        if event.success:
            self.body += ["else:", *("    " + x for x in self.printer.lines(list(event.success)))]

    def _call(self, event: ApiCall) -> None:
        name = event.name
        if name.startswith("aclrtMemcpy"):
            self._copy(event)
        elif name.startswith("aclrtMemset"):
            self.tensors.fill(*event.arguments[:4])
        elif name.endswith("GetWorkspaceSize") and name.startswith("aclnn"):
            self.operators.plan(event)
        elif name.startswith("aclnn") and isinstance(event.arguments[2], PlanObject):
            self.operators.run(event)
        elif name in ("aclSetAclOpExecutorRepeatable", "aclDestroyAclOpExecutor"):
            return
        elif not self.streams.call(event):
            raise NotUnderstoodError(f"{name} has no counterpart in the idiomatic style")

    def _copy(self, event: ApiCall) -> None:
        target, _, source, size = event.arguments[:4]
        if isinstance(target, Download):
            self._download(target)
        elif isinstance(source, HostData):
            self.tensors.upload(target, source, array_source)
        elif isinstance(source, DevicePointer):
            self.tensors.copy(target, source, size)

    def _download(self, download: Download) -> None:
        for ctype in self.uses.get(id(download), []):
            code, size, flat = self.tensors.read(download, ctype)
            name = self.names.new(download.name, "result")
            self.body += lines(f"{name} = {code}")
            self.arrays[id(download), ctype.name] = ArrayVariable(name, size, flat)

    def _array(self, download: Any, ctype: CType) -> ArrayVariable:
        found = self.arrays.get((id(download), ctype.name))
        if found is None:
            raise NotUnderstoodError("prints a result whose copy was not understood")
        return found

    def _symbol(self, value: Any) -> str:
        if isinstance(value, WorkspaceSize):
            return self.operators.workspace_size(value)
        if isinstance(value, StatusCode):
            return "error.code" if value.plan.fails else "0"
        if isinstance(value, Query):
            return self.streams.query(value)
        raise NotUnderstoodError("prints a value the port does not have")

    def _flush(self, prints: list[Statement]) -> None:
        if not prints:
            return
        try:
            self.body += self.printer.lines(prints)
        except NotUnderstoodError as error:
            gap = Gap(prints[0].line, "", str(error))
            self.program.events.append(gap)
            self.body += gap_lines(self.program.file, gap)


def _states(program: Program) -> dict[int, BlockState]:
    tensors: dict[int, list[TensorObject]] = {}
    blocks: dict[int, Block] = {}
    for call in program.calls:
        for argument in (*call.arguments, call.result):
            value = getattr(argument, "value", argument)
            if isinstance(value, DevicePointer):
                blocks[id(value.block)] = value.block
        if isinstance(call.result, TensorObject) and call.result.data is not None:
            tensors.setdefault(id(call.result.data.block), []).append(call.result)
    return {key: state_of(block, tensors.get(key, [])) for key, block in blocks.items()}


def _uses(program: Program) -> dict[int, list[CType]]:
    """Return for each download as which types the prints read it."""
    found: dict[int, list[CType]] = {}

    def visit(value: Any) -> None:
        if isinstance(value, Element):
            types = found.setdefault(id(value.download), [])
            if all(t.name != value.ctype.name for t in types):
                types.append(value.ctype)
        elif isinstance(value, Expression):
            for operand in value.operands:
                visit(operand)

    for symbol in program.symbols:
        visit(symbol)
    return found


__all__ = ["Handle", "dtype_text", "literal", "write"]
