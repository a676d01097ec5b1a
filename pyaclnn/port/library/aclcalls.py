"""Calls of the C API: found by name, recorded with their arguments, never made."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyaclnn.abi.paths import vendored_headers
from pyaclnn.port.data.constants import FALLBACKS
from pyaclnn.port.data.cpp_types import UINT8, CType
from pyaclnn.port.data.memory import Memory, Pointer, Vector
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.symbols import Query, Symbol
from pyaclnn.port.data.values import Builtin, CellPointer, SmartPointer, Struct, note_name
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.evaluation.layouts import bytes_of
from pyaclnn.port.library.stdlib import host_memory
from pyaclnn.port.model import ApiCall, DevicePointer, Handle, HostData, Note, Out

_API = re.compile(r"(Acl|acl|Hccl)[A-Za-z0-9_]*$")

#: C function to what following it means.
HANDLERS: dict[str, Callable[..., Any]] = {}

_PACKAGE = re.compile(r"\baclnn_ops_\w+_custom\.h$")
_OF_C = frozenset([
    "assert.h", "complex.h", "ctype.h", "errno.h", "float.h", "inttypes.h", "limits.h", "math.h",
    "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "time.h", "unistd.h",
])  # fmt: skip

#: Created through a pointer argument: function, position of the argument, kind of object.
_CREATES = {
    "aclrtCreateStream": (0, "stream"),
    "aclrtCreateStreamWithConfig": (0, "stream"),
    "aclrtCreateContext": (0, "context"),
    "aclrtGetCurrentContext": (0, "context"),
    "aclrtCreateEvent": (0, "event"),
    "aclrtCreateEventWithFlag": (0, "event"),
    "aclrtCreateEventExWithFlag": (0, "event"),
}


_ADDRESS = "the sample gives {} the address of a handle, an error of its own; the port the handle"


def handles(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the handler of a C function."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        HANDLERS.update(dict.fromkeys(names, function))
        return function

    return register


def _find(name: str) -> Builtin | None:
    if not _API.match(name) or name.startswith("ACL"):
        return None
    return Builtin(name, lambda interpreter, *values: call_api(interpreter, name, values))


FALLBACKS.append(_find)


def call_api(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    """Evaluate a call of the C API.

    Raises
    ------
    NotUnderstoodError
        If it is not declared, or called with what it does not take.
    """
    values = tuple(v.value if isinstance(v, SmartPointer) else v for v in values)
    handler = HANDLERS.get(name)
    phase_1 = name.removesuffix("GetWorkspaceSize") + "GetWorkspaceSize"
    # A few have no "nn" in their names, as aclStft.
    if handler is None and (name.startswith("aclnn") or interpreter.signature(phase_1) is not None):
        handler = HANDLERS["aclnn"]
    signature = interpreter.signature(name)
    if signature is None:
        if handler is not None and name in HANDLERS:
            return handler(interpreter, name, values)
        if name.startswith("aclnn") and len(values) >= 4:
            reason = f"no header declares {name}; name a directory with one by --headers"
            header = own_header(interpreter, name)
            return HANDLERS["undeclared"](interpreter, name, values, reason, header)
        raise NotUnderstoodError(
            f"no header declares {name}; name a directory with one by --headers"
        )
    if len(signature.parameters) != len(values):
        reason = (
            f"{name} takes {len(signature.parameters)} arguments, and {len(values)} are passed: "
            f"{signature}"
        )
        if name.startswith("aclnn") and len(values) >= 4:
            header = own_header(interpreter, name, fits=False)
            return HANDLERS["undeclared"](interpreter, name, values, reason, header)
        raise NotUnderstoodError(reason)
    if handler is not None:
        return handler(interpreter, name, values)
    if name in _CREATES:
        position, kind = _CREATES[name]
        handle = Handle(kind=kind)
        if name == "aclrtCreateContext" and isinstance(values[1], int):
            handle.device = values[1]
        store_result(values[position], handle)
        arguments = tuple(Out(handle) if i == position else v for i, v in enumerate(values))
        return record(interpreter, name, arguments)
    return _anything(interpreter, name, values, signature)


def own_header(interpreter: Interpreter, name: str, fits: bool = True) -> str:
    """Return the header that a sample includes for an operator of its own; empty for none.

    Parameters
    ----------
    interpreter : Interpreter
        Knows the headers.
    name : str
        Of the operator.
    fits : bool
        Whether the call is as CANN declares it. Where it is not, a header that does not stand in
        CANN's folder is another than CANN's of that name.
    """
    operator = name.removesuffix("GetWorkspaceSize").lower()
    stems = {h: re.sub(r"\W|_", "", Path(h).stem).lower() for h in interpreter.included}
    found = next((Path(h).name for h, stem in stems.items() if stem == operator), "")
    if not found and fits:
        text = "\n".join(interpreter.lines)
        prototype = re.search(rf"\baclnnStatus\s+{name}\s*\(", text)
        if prototype is not None:
            file, _ = interpreter.program.place(text.count("\n", 0, prototype.start()) + 1)
            if file != interpreter.program.file:
                return Path(file).name
            # Declared by the sample itself: as the header that the package is built with.
            words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.removesuffix("GetWorkspaceSize"))
            return f"{words.lower()}.h"
        # One for all operators of a package, as CANN's repositories build it.
        others = [Path(h).name for h in interpreter.included if _PACKAGE.search(h)]
        return others[0] if len(others) == 1 else ""
    if fits and not (vendored_headers() / "aclnnop" / found).is_file():
        return found
    apart = [h for h in interpreter.included if "aclnnop" not in h and Path(h).name == found]
    return found if apart else ""


def may_be_declared(interpreter: Interpreter) -> bool:
    """Return whether a sample includes a header that is none of CANN's, C's and C++'s."""
    return any(
        header.endswith((".h", ".hpp"))
        and header not in _OF_C
        and not (vendored_headers() / header).is_file()
        for header in interpreter.included
    )


def _anything(interpreter: Interpreter, name: str, values: tuple[Any, ...], signature: Any) -> Any:
    call = ApiCall(interpreter.line, name, (), 0)
    arguments: list[Any] = []
    for position, (parameter, value) in enumerate(zip(signature.parameters, values, strict=True)):
        if parameter.kind == "pointer_out" and isinstance(value, (CellPointer, Pointer)):
            is_handle = parameter.c_type.count("*") > 1 or "int" not in parameter.c_type
            given: Any = Handle(kind="handle") if is_handle and not _is_number(parameter.c_type) \
                else Query(call, position)  # fmt: skip
            store_result(value, given)
            arguments.append(Out(given))
        elif isinstance(value, CellPointer) and isinstance(value.cell.get(), Handle) and \
                name.startswith(("aclrtDestroy", "aclrtSynchronize")):  # fmt: skip
            # A handle is an untyped pointer, and so this compiles.
            interpreter.record(Note(interpreter.line, _ADDRESS.format(name)))
            arguments.append(value.cell.get())
        elif isinstance(value, (CellPointer, Vector)):
            raise NotUnderstoodError(f"passes a {describe(value)} to {name}")
        else:
            arguments.append(value)
    call.arguments = tuple(arguments)
    if signature.result not in ("aclError", "aclnnStatus", "HcclResult"):
        call.checked = False
        call.result = Query(call, -1)
    interpreter.record(call)
    return call.result


def _is_number(c_type: str) -> bool:
    return bool(re.match(r"(u?int\d+_t|size_t|float|double|int|aclrtRunMode|aclrt\w+Status)\b",
                         c_type))  # fmt: skip


def record(interpreter: Interpreter, name: str, arguments: tuple[Any, ...], result: Any = 0) -> Any:
    """Record a call, and return its result; 0 is a status."""
    checked = isinstance(result, int)
    interpreter.record(ApiCall(interpreter.line, name, arguments, result, checked))
    return result


def store_result(target: Any, value: Any) -> None:
    """Store a result of a function through a pointer.

    Raises
    ------
    NotUnderstoodError
        If it points to nothing the translator follows.
    """
    if isinstance(target, CellPointer):
        target.cell.set(value)
        note_name(value, target.cell.name)
    elif isinstance(target, Pointer):
        holder = getattr(target.target, "name", "")
        if isinstance(target.target, Vector):
            note_name(value, f"{holder}_{target.offset}" if holder else "")
        target.store(0, value)
    elif isinstance(target, Vector):
        note_name(value, target.name)
        target.set(0, value)
    else:
        raise NotUnderstoodError(f"a result is to be stored in a {describe(target)}")


def host_data(interpreter: Interpreter, value: Any, size: int, what: str) -> HostData:
    """Return host memory as it is now.

    Parameters
    ----------
    interpreter : Interpreter
        Takes a note where the sample reads beyond the memory.
    value : value
        Its address.
    size : int
        In bytes.
    what : str
        The function that reads it, for the note.
    """
    held = value.cell.get() if isinstance(value, CellPointer) else None
    if isinstance(held, Struct):
        pointer = bytes_of(interpreter, held)
    else:
        pointer = _elements(interpreter, value, what) or host_memory(value)
    memory = pointer.target
    assert isinstance(memory, Memory)
    there = memory.size - pointer.offset
    if size > there:
        interpreter.record(
            Note(
                interpreter.line,
                f"the sample lets {what} read {size} bytes of {memory.name or 'an array'}, "
                f"which has {there}; zeros stand for the rest",
            )
        )
    taken = Memory(size)
    taken.copy_from(0, memory, pointer.offset, min(size, there))
    return HostData(taken, 0, size, pointer.ctype, memory.name or _name(value))


def _elements(interpreter: Interpreter, value: Any, what: str) -> Pointer | None:
    """Return the numbers in vectors of vectors, which a sample copies as if they lay together."""
    outer = value.target if isinstance(value, Pointer) else value
    if not isinstance(outer, Vector) or outer.grid is not None or outer.item.kind != "vector":
        return None
    flat: list[Any] = []
    stack = list(reversed(outer.values()))
    item = UINT8
    while stack:
        found = stack.pop()
        if not isinstance(found, Vector) or len(flat) > 1 << 24:
            return None
        if found.item.is_number:
            item = found.item
            flat += found.values()
        else:
            stack += reversed(found.values())
    if any(isinstance(v, Symbol) for v in flat):
        return None
    text = f"the sample lets {what} read vectors of vectors, objects; the port takes their numbers"
    interpreter.note_once(text)
    memory = Memory(len(flat) * item.size, outer.name)
    memory.writable()
    memory.view(item)[:] = flat
    return Pointer(memory, 0, item)


def _name(value: Any) -> str:
    return value.cell.name if isinstance(value, CellPointer) else getattr(value, "name", "")


def as_device(value: Any) -> DevicePointer | None:
    """Return a device address, or None if it is none."""
    return value if isinstance(value, DevicePointer) else None


def integer(value: Any, what: str) -> int:
    """Return a number that must be known.

    Raises
    ------
    NotUnderstoodError
        If it is not.
    """
    if isinstance(value, int):
        return value
    raise NotUnderstoodError(f"{what} is only known at run time, or no integer")


def element_type(pointer: Any) -> CType:
    """Return the type of the elements a host address points to."""
    found = getattr(pointer, "ctype", None) or getattr(pointer, "item", None)
    return found if isinstance(found, CType) and found.is_number else UINT8
