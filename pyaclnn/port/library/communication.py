"""HCCL: communicators of several devices, and the threads that drive a device each."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.memory import Memory, Pointer, Vector, data_pointer
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.symbols import Query
from pyaclnn.port.data.values import Struct
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.initialise import makes
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.library.aclcalls import handles, integer, record, store_result
from pyaclnn.port.library.aclobjects import read_array
from pyaclnn.port.model import ApiCall, Handle, Note, Out, Thread

_MAX_DEVICES = 64


@handles("HcclCommInitAll")
def _all(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    count = integer(values[0], "the number of devices")
    if not 0 < count <= _MAX_DEVICES:
        raise NotUnderstoodError(f"{count} is no number of devices")
    devices = tuple(read_array(values[1], count, CType("int", "int32")))
    target = data_pointer(values[2]) if isinstance(values[2], Vector) else values[2]
    group = Handle(kind="communicators")
    made = tuple(
        Handle(name=f"comms[{rank}]", kind="communicator", owner=group) for rank in range(count)
    )
    for rank, communicator in enumerate(made):
        store_result(target.moved(rank) if isinstance(target, Pointer) else target, communicator)
    interpreter.program.communicates = True
    return record(interpreter, name, (count, devices, Out(group)))


@handles("HcclGetCommName")
def _name(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    communicator, target = values
    if not isinstance(communicator, Handle):
        raise NotUnderstoodError(f"asks a {describe(communicator)} for the name of a communicator")
    pointer = data_pointer(target) if isinstance(target, Vector) else target
    if not isinstance(pointer, Pointer) or not isinstance(pointer.target, Memory):
        raise NotUnderstoodError(f"stores a name in a {describe(target)}")
    call = ApiCall(interpreter.line, name, ())
    answer = Query(call, 1)
    call.arguments = (communicator, Out(answer))
    pointer.target.text = answer
    interpreter.record(call)
    return 0


@makes("thread", "jthread")
def _thread(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> Struct:
    """Evaluate a thread: inline, or as a thread of the port where devices communicate."""
    if not arguments:
        return Struct(ctype.name)
    function, *values = arguments
    events = interpreter.program.events
    at = len(events)
    interpreter.call(function, values)
    if interpreter.program.communicates:
        made = events[at:]
        del events[at:]
        # A remark holds for all threads.
        events += [e for e in made if isinstance(e, Note)]
        made = [e for e in made if not isinstance(e, Note)]
        interpreter.record(Thread(interpreter.line, tuple(made)))
    return Struct(ctype.name)
