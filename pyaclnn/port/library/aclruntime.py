"""Memory and copies of the C API."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.cpp_types import UINT8, CType
from pyaclnn.port.data.memory import Memory, Pointer, Vector, data_pointer
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.symbols import Expression, WorkspaceSize
from pyaclnn.port.data.values import CellPointer, Struct
from pyaclnn.port.errors import NotUnderstoodError, SampleError
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.evaluation.layouts import fill_from_device, layout
from pyaclnn.port.library.aclcalls import (
    as_device,
    element_type,
    handles,
    host_data,
    integer,
    record,
    store_result,
)
from pyaclnn.port.library.stdlib import host_memory
from pyaclnn.port.model import ApiCall, Block, DevicePointer, Download, Note, Out


@handles("aclrtMalloc", "aclrtMallocAlign32", "aclrtMallocCached")
def _malloc(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    target, size, *rest = values
    if not isinstance(size, (int, WorkspaceSize)):
        if isinstance(size, Expression):
            size = next((o for o in size.operands if isinstance(o, WorkspaceSize)), None)
        if size is None:
            raise NotUnderstoodError("the size of device memory is only known at run time")
    block = Block(size=size)
    pointer = DevicePointer(block)
    store_result(target, pointer)
    return record(interpreter, name, (Out(pointer), size, *rest))


@handles("aclrtMallocHost")
def _malloc_host(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    memory = Memory(integer(values[1], "the size of host memory"))
    store_result(values[0], Pointer(memory))
    return 0


@handles("aclrtFreeHost")
def _free_host(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    return 0


@handles("aclrtFree")
def _free(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    pointer = as_device(values[0])
    if values[0] is None:
        return 0
    if pointer is None:
        raise SampleError(f"frees a {describe(values[0])} as device memory")
    if pointer.block.destroyed:
        note = f"the sample frees {pointer.name or 'memory'} twice; once is enough"
        interpreter.record(Note(interpreter.line, note))
        return 0
    pointer.block.destroyed = True
    return record(interpreter, name, values)


@handles("aclrtMemset", "aclrtMemsetAsync")
def _memset(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    if as_device(values[0]) is None:
        place = host_memory(values[0])
        memory = place.target
        assert isinstance(memory, Memory)
        memory.forget(place.offset, values[3])
        memory.writable()[place.offset : place.offset + values[3]] = values[2] & 0xFF
        return 0
    return record(interpreter, name, values)


@handles("aclrtMemcpy", "aclrtMemcpyAsync")
def _memcpy(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    target, room, source, size, *rest = values
    size = integer(size, "the size of a copy")
    to, start = as_device(target), as_device(source)
    if to is not None and start is not None:
        return record(interpreter, name, values)
    if to is not None:
        if source is None:
            raise NotUnderstoodError("copies from a null pointer")
        data = host_data(interpreter, source, size, name)
        return record(interpreter, name, (target, room, data, size, *rest))
    if start is not None:
        return _download(interpreter, name, values, size, start)
    if source is None or target is None:
        if size == 0:
            return 0
        raise NotUnderstoodError("copies from or to a null pointer")
    into, out_of = host_memory(target), host_memory(source)
    assert isinstance(into.target, Memory)
    assert isinstance(out_of.target, Memory)
    into.target.copy_from(into.offset, out_of.target, out_of.offset, size)
    return 0


def _download(
    interpreter: Interpreter, name: str, values: tuple[Any, ...], size: int, start: DevicePointer
) -> Any:
    target, room, _, _, *rest = values
    if interpreter.lost and all(
        t.data is None or t.data.block is not start.block for t in interpreter.written
    ):
        raise NotUnderstoodError(
            f"{start.name or 'device memory'} holds no result, as the call on "
            f"{interpreter.where(interpreter.lost)} was not understood"
        )
    if isinstance(target, CellPointer) and isinstance(target.cell.get(), Struct):
        return _download_struct(interpreter, name, values, size, start)
    host, host_name = _destination(target)
    assert isinstance(host.target, Memory)
    there = host.target.size - host.offset
    if size > there:
        text = f"the sample copies {size} bytes to {host_name or 'memory'}, which has {there}"
        interpreter.record(Note(interpreter.line, text))
        size = there
    download = Download(start, size, element_type(host), host_name)
    call = ApiCall(interpreter.line, name, (download, room, start, size, *rest))
    download.call = call
    host.target.fill_from_device(host.offset, size, download)
    if isinstance(target, CellPointer):
        target.cell.value = host.load(0)
    interpreter.record(call)
    return 0


def _download_struct(
    interpreter: Interpreter, name: str, values: tuple[Any, ...], size: int, start: DevicePointer
) -> Any:
    """Follow a copy into an object that consists of numbers."""
    target, room, _, _, *rest = values
    host = target.cell.get()
    there = layout(CType("struct", host.type_name), interpreter)[0]
    if size > there:
        raise SampleError(f"copies {size} bytes to {target.cell.name}, which has {there}")
    download = Download(start, size, UINT8, target.cell.name)
    call = ApiCall(interpreter.line, name, (download, room, start, size, *rest))
    download.call = call
    fill_from_device(interpreter, host, size, download)
    interpreter.record(call)
    return 0


def _destination(target: Any) -> tuple[Pointer, str]:
    if isinstance(target, Vector):
        target = data_pointer(target)
    if isinstance(target, CellPointer):
        cell = target.cell
        if not cell.ctype.is_number:
            raise NotUnderstoodError("copies from the device to a variable that is no number")
        return Pointer(Memory(cell.ctype.size, cell.name), 0, cell.ctype), cell.name
    if isinstance(target, Struct) or target is None:
        raise NotUnderstoodError(f"copies from the device to a {describe(target)}")
    pointer = host_memory(target)
    return pointer, getattr(pointer.target, "name", "")
