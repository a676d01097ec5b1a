"""The idiomatic port: NumPy arrays in, one call per operator, the same prints."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.symbols import Query, StatusCode, WorkspaceSize
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.model import (
    ApiCall,
    Block,
    DevicePointer,
    Download,
    Failure,
    HostData,
    PlanObject,
    Program,
    TensorObject,
)
from pyaclnn.port.writing.blocks import ND, USUAL, BlockState, needs_label, state_of
from pyaclnn.port.writing.operatorcalls import OperatorCalls
from pyaclnn.port.writing.printing import ArrayVariable
from pyaclnn.port.writing.pycode import lines
from pyaclnn.port.writing.remarks import header
from pyaclnn.port.writing.streams import StreamCalls
from pyaclnn.port.writing.tensors import FORMATS, Tensors
from pyaclnn.port.writing.writer import Writer


def write(program: Program) -> str:
    """Return the idiomatic port of a program.

    Parameters
    ----------
    program : Program
        Gaps found on the way are added to it.
    """
    return _Writer(program).text()


class _Writer(Writer):
    def __init__(self, program: Program) -> None:
        super().__init__(program, commented=True)
        self.tensors = Tensors(self.names, self.body, _states(program), self.data, self.sayings)
        self.streams = StreamCalls(program, self.names, self.body)
        self.operators = OperatorCalls(
            program, self.names, self.body, self.tensors, self.streams, self.sayings
        )
        self.arrays: dict[tuple[int, str], ArrayVariable] = {}

    def text(self) -> str:
        """Return the whole program."""
        self.write()
        return header(self.program, self.body, _formats(self.program)) + "\n".join(self.body) + "\n"

    def is_silent(self, call: ApiCall) -> bool:
        """Whether pyaclnn makes the call unnecessary."""
        name = call.name
        if name.startswith(("aclDestroy", "aclrtFree", "aclrtDestroy", "aclrtReset", "aclCreate")):
            return True
        if name in ("aclInit", "aclFinalize", "aclnnInit", "aclnnFinalize", "aclrtMalloc",
                    "aclrtMallocAlign32", "aclrtMallocCached", "aclrtGetRunMode"):  # fmt: skip
            return True
        return self.streams.is_silent(call, self.in_thread)

    def failure(self, event: Failure) -> None:
        """Write a call that is to fail, and what the sample makes of the error."""
        code = self.operators.failing(event.plan)
        made = self.indented(event.prints)
        name = " as error" if any("error.code" in line for line in made) else ""
        self.body += ["try:", *lines(code, 4), f"except pa.AclError{name}:"]
        self.body += made or ["    pass"]
        if event.success:
            self.body += ["else:", *self.indented(event.success)]

    def call(self, event: ApiCall) -> None:
        """Write a call."""
        name = event.name
        if name.startswith("aclrtMemcpy"):
            self._copy(event)
        elif name == "aclInitTensor":
            self.tensors.describe_again(event.arguments)
        elif name.startswith("aclrtMemset"):
            self.tensors.fill(*event.arguments[:4])
        elif name.endswith("GetWorkspaceSize"):
            self.operators.plan(event)
        elif len(event.arguments) == 4 and isinstance(event.arguments[2], PlanObject):
            self.operators.run(event)
        elif name in ("aclSetAclOpExecutorRepeatable", "aclDestroyAclOpExecutor"):
            return
        elif not self.streams.call(event) and not self.streams.communication(event):
            raise NotUnderstoodError(f"{name} has no counterpart in the idiomatic style")

    def _copy(self, event: ApiCall) -> None:
        target, _, source, size = event.arguments[:4]
        if isinstance(target, Download):
            self._download(target)
        elif isinstance(source, HostData):
            self.tensors.upload(target, source)
        elif isinstance(source, DevicePointer):
            self.tensors.copy(target, source, size)

    def _download(self, download: Download) -> None:
        for ctype in self.uses.get(id(download), []):
            code, size, flat = self.tensors.read(download, ctype)
            name = self.names.new(download.name, "result")
            self.body += lines(f"{name} = {code}")
            self.arrays[id(download), ctype.name] = ArrayVariable(name, size, flat)

    def array(self, download: Any, ctype: CType) -> ArrayVariable:
        """Return where the elements of a download are."""
        found = self.arrays.get((id(download), ctype.name))
        if found is None:
            raise NotUnderstoodError("prints a result whose copy was not understood")
        return found

    def symbol(self, value: Any) -> str:
        """Return the source of another symbol."""
        if isinstance(value, WorkspaceSize):
            return self.operators.workspace_size(value)
        if isinstance(value, StatusCode):
            return "error.code" if value.plan.fails else "0"
        if isinstance(value, Query):
            return self.streams.query(value)
        raise NotUnderstoodError("prints a value the port does not have")


def _formats(program: Program) -> str:
    """Return what to say where tensors get the format of their rank instead of ND."""
    ranks = {
        len(tensor.shape)
        for call in program.calls
        for argument in call.arguments
        if isinstance(plan := getattr(argument, "value", None), PlanObject)
        for tensor in plan.tensors()
        if tensor.format == ND and not tensor.exact_format and not needs_label(tensor)
    }
    found = [rank for rank in sorted(ranks) if rank in USUAL]
    if not found:
        return ""
    names = " and ".join(FORMATS[USUAL[rank]] for rank in found)
    return (
        f"Tensors of rank {' and '.join(map(str, found))}, which the sample describes as ND, go to "
        f"the operators as {names}."
    )


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
    reads: dict[int, int] = {}
    for call in program.calls:
        for argument in call.arguments:
            if isinstance(argument, Download):
                key, end = id(argument.pointer.block), argument.pointer.offset + argument.size
                reads[key] = max(end, reads.get(key, 0))
    return {
        key: state_of(block, tensors.get(key, []), reads.get(key, 0))
        for key, block in blocks.items()
    }
