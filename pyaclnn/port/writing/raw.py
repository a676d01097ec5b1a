"""The raw port: every C call of the sample as a statement on ``pa.lib`` and ``pa.ffi``."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn import abi
from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.memory import Memory, Pointer, Vector, array_of, data_pointer
from pyaclnn.port.data.symbols import Query, StatusCode, WorkspaceSize
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.library.aclobjects import TYPES
from pyaclnn.port.model import (
    ApiCall,
    ArrayObject,
    DevicePointer,
    Download,
    Failure,
    Handle,
    HostData,
    Object,
    Out,
    PlanObject,
    Program,
)
from pyaclnn.port.translate import signature
from pyaclnn.port.writing.datasource import file_of, file_source
from pyaclnn.port.writing.printing import ArrayVariable
from pyaclnn.port.writing.pycode import Code, Group, call, lines, literal, numbers, quoted
from pyaclnn.port.writing.pydata import dtype_text
from pyaclnn.port.writing.remarks import header
from pyaclnn.port.writing.writer import Writer

_BFLOAT16 = 27
_PREFIX = "ffi, lib, check = pa.ffi, pa.lib, pa.check"

#: Function and position of a number to the enumeration it is from.
_ENUMS = {
    ("aclrtMalloc", 2): "aclrtMemMallocPolicy",
    ("aclrtMemcpy", 4): "aclrtMemcpyKind",
    ("aclrtMemcpyAsync", 4): "aclrtMemcpyKind",
    ("aclCreateTensor", 2): "aclDataType",
    ("aclCreateTensor", 5): "aclFormat",
    ("aclCreateScalar", 1): "aclDataType",
    ("aclInitTensor", 3): "aclDataType",
    ("aclInitTensor", 6): "aclFormat",
}


def write(program: Program) -> str:
    """Return the raw port of a program.

    Parameters
    ----------
    program : Program
        Gaps found on the way are added to it.
    """
    return _Writer(program).text()


class _Writer(Writer):
    def __init__(self, program: Program) -> None:
        super().__init__(program, ("ffi", "lib", "check"))
        self.variables: dict[int, str] = {}
        self.arrays: dict[int, tuple[str, int]] = {}
        self.conditional: set[int] = set()

    def text(self) -> str:
        """Return the whole program."""
        self.write()
        first = header(self.program, ["np.", *self.body])
        return f"{first}{_PREFIX}\n\n" + "\n".join(self.body) + "\n"

    # -- calls

    def failure(self, event: Failure) -> None:
        """Write what the sample makes of an error."""
        self.body += ["if status != 0:", *(self.indented(event.prints) or ["    pass"])]
        if event.success:
            self.body += ["else:", *self.indented(event.success)]

    def call(self, event: ApiCall) -> None:
        """Write a call."""
        if event.name == "HcclCommInitAll":
            self._communicators(event)
            return
        arguments = []
        parameters = _parameters(event.name)
        for position, argument in enumerate(event.arguments):
            c_type = parameters[position] if position < len(parameters) else ""
            arguments.append(self._argument(event, position, argument, c_type))
        code = call(f"lib.{event.name}", *arguments)
        indent = self._indent(event)
        if isinstance(event.result, Object):
            name = self._new(event.result, event.result.name or "handle")
            self._add(Group(f"{name} = {code.head}", code.items, code.tail), indent)
        elif isinstance(event.result, Query):
            name = self.names.new(event.name.removeprefix("aclrtGet"), "answer")
            self.variables[id(event)] = name
            self._add(Group(f"{name} = {code.head}", code.items, code.tail), indent)
        elif any(getattr(getattr(a, "value", None), "fails", False) for a in event.arguments):
            self._add(Group(f"status = {code.head}", code.items, code.tail), indent)
        elif event.checked:
            self._add(call("check", code), indent)
        else:
            self._add(code, indent)

    def _indent(self, event: ApiCall) -> int:
        """Open the ``if`` around what only a needed workspace asks for."""
        for argument in event.arguments:
            value = argument.value if isinstance(argument, Out) else argument
            if isinstance(value, DevicePointer) and isinstance(value.block.size, WorkspaceSize):
                if any(isinstance(a, PlanObject) for a in event.arguments):
                    return 0
                size = self._name(value.block.size.plan, "size")
                self.body.append(f"if {size}[0] > 0:")
                return 4
        return 0

    def _add(self, code: Code, indent: int = 0) -> None:
        self.body += lines(code, indent)

    def _communicators(self, event: ApiCall) -> None:
        count, devices, group = event.arguments
        name = self._new(group.value, "comms")
        self._add(f'{name} = ffi.new("HcclComm[{count}]")')
        found = numbers([str(d) for d in devices])
        self._add(call("check", call("lib.HcclCommInitAll", str(count), found, name)))

    def _argument(self, event: ApiCall, position: int, value: Any, c_type: str) -> Code:
        if isinstance(value, Out):
            return self._out(value.value, c_type or "aclOpExecutor**")
        if isinstance(value, Download):
            return self._destination(value)
        if isinstance(value, HostData):
            return self._host(value)
        if value is None:
            return "ffi.NULL"
        if isinstance(value, DevicePointer):
            return self._address(value)
        if isinstance(value, WorkspaceSize):
            return f"{self._name(value.plan, 'size')}[0]"
        if isinstance(value, Query) and value.is_text and value.position >= 0:
            return self._name(value.call, str(value.position))
        if isinstance(value, Query):
            return self._query(value)
        if isinstance(value, PlanObject):
            return f"{self._name(value)}[0]"
        if isinstance(value, Handle) and value.owner is not None:
            return f"{self._name(value.owner)}{value.name.removeprefix('comms')}"
        if isinstance(value, Object):
            name = self._name(value)
            return f"{name}[0]" if id(value) in self._indirect else name
        return self._plain(event, position, value)

    def _plain(self, event: ApiCall, position: int, value: Any) -> Code:
        if isinstance(value, str):
            return f"b{quoted(value)}" if value.isascii() else f"{quoted(value)}.encode()"
        if event.name == "aclCreateScalar" and position == 0:
            return self._scalar(value, event.arguments[1])
        if isinstance(value, tuple):
            return self._sequence(value)
        if isinstance(value, (Pointer, Vector)):
            pointer = data_pointer(value) if isinstance(value, Vector) else value
            count = int(event.arguments[position + 1 if position != 3 else 1])
            if not isinstance(pointer.target, Memory):
                raise NotUnderstoodError("passes an array of objects")
            ints = CType("int", "int64")
            found = pointer.target.view(ints, pointer.offset)[:count]
            return numbers([str(v) for v in found.tolist()])
        if isinstance(value, ArrayObject):
            return self._name(value)
        enum = _ENUMS.get((event.name, position))
        if enum is not None:
            return _enumerator(enum, value)
        if isinstance(value, (bool, int, float)):
            return literal(value)
        raise NotUnderstoodError(f"passes a {type(value).__name__} to {event.name}")

    def _sequence(self, values: tuple[Any, ...]) -> Code:
        if any(isinstance(v, Object) or v is None for v in values):
            items = [self._name(v) if v is not None else "ffi.NULL" for v in values]
            return Group("[", tuple(items), "]")
        return numbers([literal(v) for v in values])

    def _scalar(self, value: Any, code: int) -> Code:
        if code == _BFLOAT16:
            values = f"np.array([{literal(value, TYPES[code].dtype)}], dtype=ml_dtypes.bfloat16)"
            return f"ffi.from_buffer({values}.view(np.uint16))"
        from_code = _numpy_type(code)
        text = f"np.array([{literal(value, from_code if from_code.kind == 'f' else None)}], "
        return f"ffi.from_buffer({text}dtype={dtype_text(from_code)}))"

    def _out(self, value: Any, c_type: str) -> Code:
        base = c_type.rstrip("*").strip()
        stars = c_type.count("*")
        if isinstance(value, WorkspaceSize):
            name = self._new(value.plan, "workspace_size", "size")
            self._add(f'{name} = ffi.new("uint64_t *")')
            return name
        owner = value.block if isinstance(value, DevicePointer) else value
        key: Any = value.call if isinstance(value, Query) else owner
        hint = getattr(owner, "name", "") or base
        name = self._new(key, hint, str(value.position) if isinstance(value, Query) else "")
        self._indirect.add(id(key))
        if isinstance(value, Query) and value.is_text:
            self._add(f'{name} = ffi.new("char[128]")')
            return name
        self._add(f'{name} = ffi.new("{base} {"*" * stars}")')
        return name

    def _address(self, pointer: DevicePointer) -> str:
        text = f"{self._name(pointer.block)}[0]"
        if pointer.offset:
            return f'ffi.cast("char *", {text}) + {pointer.offset}'
        return text

    def _destination(self, download: Download) -> str:
        itemsize = download.ctype.size
        count = -(-download.size // itemsize)
        name = self.names.new(download.name, "result")
        self.arrays[id(download)] = (name, count * itemsize)
        kind = dtype_text(download.ctype.dtype)
        if download.ctype.name == "bfloat16":
            kind = "np.uint16"
        self._add(f"{name} = np.empty({count}, dtype={kind})")
        return f"ffi.from_buffer({name})"

    def _host(self, data: HostData) -> str:
        if data.memory.unknown:
            raise NotUnderstoodError(data.memory.unknown)
        read = file_of(data.memory, data.size)
        if read is not None:
            code = file_source(read, ctype_of(data), None)
            name = self.names.new(data.name, "host_data")
            assert isinstance(code, Group)
            self._add(Group(f"{name} = {code.head}", code.items, code.tail))
            return f"ffi.from_buffer({name})"
        if data.memory.symbolic:
            raise NotUnderstoodError("copies results of an earlier call to the device")
        ctype = ctype_of(data)
        count = data.size // ctype.size
        values = data.memory.long(ctype, 0, count) or array_of(data.memory.view(ctype)[:count])
        code = self.data.array(values)
        name = self.names.new(data.name, "host_data")
        if isinstance(code, Group):
            self._add(Group(f"{name} = {code.head}", code.items, code.tail, code.fill))
        return f"ffi.from_buffer({name})"

    def _query(self, value: Query) -> str:
        if value.is_text and value.position >= 0:
            # An operator takes the characters, a print the text.
            return f"ffi.string({self._name(value.call, str(value.position))}).decode()"
        if value.is_text:
            return f"ffi.string({self.variables[id(value.call)]}).decode()"
        if value.position < 0:
            return self.variables[id(value.call)]
        return f"{self._name(value.call, str(value.position))}[0]"

    # -- names

    @property
    def _indirect(self) -> set[int]:
        return self.conditional

    def _new(self, owner: Any, hint: str, part: str = "") -> str:
        name = self.names.new(hint, "x")
        self.variables[hash((id(owner), part)) if part else id(owner)] = name
        return name

    def _name(self, owner: Any, part: str = "") -> str:
        found = self.variables.get(hash((id(owner), part)) if part else id(owner))
        if found is None:
            raise NotUnderstoodError(
                f"uses {getattr(owner, 'name', '') or type(owner).__name__}, whose origin was "
                "not understood"
            )
        return found

    def array(self, download: Any, ctype: CType) -> ArrayVariable:
        """Return where the elements of a download are."""
        found = self.arrays.get(id(download))
        if found is None:
            raise NotUnderstoodError("prints a result whose copy was not understood")
        name, size = found
        kind = ctype.name
        if download.ctype.name == kind and kind != "bfloat16":
            return ArrayVariable(name, size // ctype.size, True, kind)
        view = f"{name}.view({dtype_text(ctype.dtype)})"
        return ArrayVariable(view, size // ctype.size, True, kind)

    def symbol(self, value: Any) -> str:
        """Return the source of another symbol."""
        if isinstance(value, WorkspaceSize):
            return f"{self._name(value.plan, 'size')}[0]"
        if isinstance(value, StatusCode):
            return "status" if value.plan.fails else "0"
        return self._query(value)


def ctype_of(data: HostData) -> CType:
    """Return a type of NumPy's own for the elements of host memory."""
    if data.ctype.name == "bfloat16" or data.size % data.ctype.size:
        return CType("int", "uint16" if data.ctype.name == "bfloat16" else "uint8")
    return data.ctype


def _parameters(name: str) -> list[str]:
    found = signature(name)
    return [p.c_type.replace(" ", "") for p in found.parameters] if found is not None else []


def _enumerator(enum: str, value: Any) -> str:
    for text in abi.index.declaration(enum).enumerators():
        name = text.partition("=")[0].strip()
        try:
            if abi.index.value(name) == value:
                return f"lib.{name}"
        except (abi.HeaderError, KeyError):
            continue
    return literal(value)


def _numpy_type(code: int) -> np.dtype[Any]:
    from_table = abi_types().get(code)
    if from_table is None:
        raise NotUnderstoodError(f"makes a scalar of data type {code}")
    return from_table


def abi_types() -> dict[int, np.dtype[Any]]:
    """Return the NumPy dtype of each aclDataType; bit patterns for bfloat16."""
    from_names = {code: ctype.dtype for code, ctype in TYPES.items() if ctype.name != "bfloat16"}
    return {**from_names, _BFLOAT16: np.dtype(np.uint16)}
