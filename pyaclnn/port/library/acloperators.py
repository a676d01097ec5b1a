"""The two phases of operators."""

from __future__ import annotations

from types import NoneType
from typing import Any

from pyaclnn.ops.rules import ONLY_ND
from pyaclnn.port.data.memory import Pointer, Vector
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.symbols import Query, StatusCode, Symbol, WorkspaceSize
from pyaclnn.port.data.texts import text_symbol, text_value
from pyaclnn.port.errors import OWN_ERROR, NotUnderstoodError, SampleError
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.library.aclcalls import (
    HANDLERS,
    handles,
    may_be_declared,
    own_header,
    record,
    store_result,
)
from pyaclnn.port.model import (
    ApiCall,
    ArrayObject,
    DevicePointer,
    Handle,
    ListObject,
    Object,
    Out,
    PlanObject,
    ScalarObject,
    TensorObject,
)

_PHASE_1 = "GetWorkspaceSize"

_OBJECTS: dict[str, tuple[type, str]] = {
    "tensor": (TensorObject, ""), "scalar": (ScalarObject, ""),
    "tensor_list": (ListObject, "Tensor"), "scalar_list": (ListObject, "Scalar"),
    "int_array": (ArrayObject, "Int"), "float_array": (ArrayObject, "Float"),
    "bool_array": (ArrayObject, "Bool"),
}  # fmt: skip


@handles("aclnn")
def _operator(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    if name.endswith(_PHASE_1):
        return _plan(interpreter, name, values)
    if interpreter.signature(name + _PHASE_1) is None:
        return record(interpreter, name, values)
    return _run(interpreter, name, values)


def _plan(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    parameters = interpreter.signature(name).parameters[:-2]
    arguments = []
    for parameter, value in zip(parameters, values[:-2], strict=True):
        try:
            arguments.append(_checked(parameter, value))
        except NotUnderstoodError as error:
            header = own_header(interpreter, name, fits=False)
            if header and not getattr(value, "destroyed", False):
                return HANDLERS["undeclared"](interpreter, name, values, str(error), header)
            if not isinstance(value, Object) or getattr(value, "destroyed", False):
                raise
            return HANDLERS["undeclared"](interpreter, name, values, str(error))
    return _planned(interpreter, name, values, arguments)


def _planned(
    interpreter: Interpreter,
    name: str,
    values: tuple[Any, ...],
    arguments: list[Any],
    declared: bool = True,
) -> Any:
    plan = PlanObject(
        operator=name.removesuffix(_PHASE_1), arguments=tuple(arguments), declared=declared
    )
    if plan.operator in ONLY_ND or not declared:
        for tensor in plan.tensors():
            tensor.exact_format = True
    if plan.operator in _IN_BLOCKS:
        for tensor in plan.tensors():
            tensor.whole_memory = True
    size = WorkspaceSize(plan)
    call = ApiCall(interpreter.line, name, (*arguments, Out(size), Out(plan)))
    plan.call = call
    interpreter.record(call)
    store_result(values[-2], size)
    store_result(values[-1], plan)
    return StatusCode(plan)


_PLAIN = (Object, Query, str, int, float, NoneType)


#: These fill up whole blocks of a private format, though the tensor keeps its shape.
_IN_BLOCKS = frozenset(["aclnnTransMatmulWeight", "aclnnTransConvolutionWeight"])

_OWN_PACKAGE = (
    "CANN's headers do not declare {} as it is called here: like the sample, the port needs the "
    "package that brings {}. The call has the sample's arguments, and for outputs what the "
    "sample copies back; --headers DIR has it checked"
)


@handles("undeclared")
def _undeclared(
    interpreter: Interpreter, name: str, values: tuple[Any, ...], reason: str, header: str = ""
) -> Any:
    """Evaluate a call of an operator without a declaration.

    That is a gap, unless the sample includes a header for it that is none of CANN's: then sample
    and port need the same package, whose header pyaclnn checks the call against when it runs.
    """
    if isinstance(values[2], PlanObject):
        return _run(interpreter, name, values)
    if not name.endswith(_PHASE_1):
        raise NotUnderstoodError(reason)
    arguments = []
    for value in values[:-2]:
        found: Any = text_symbol(value) or value
        if isinstance(found, (Pointer, Vector)):
            found = text_value(value)
        if (isinstance(found, Symbol) and not isinstance(found, Query)) or not isinstance(
            found, _PLAIN
        ):
            raise NotUnderstoodError(f"{reason}; it gets a {describe(value)}")
        arguments.append(found)
    line = interpreter.line
    if header:
        interpreter.note_once(_OWN_PACKAGE.format(name.removesuffix(_PHASE_1), header))
    else:
        reason += ". The call below has the sample's arguments"
        if "no header declares" in reason and not may_be_declared(interpreter):
            reason += f", and does not compile: {OWN_ERROR}"
        interpreter.gap_at(line, line, reason)
    return _planned(interpreter, name, values, arguments, declared=False)


def _checked(parameter: Any, value: Any) -> Any:
    """Return an argument as the declared parameter takes it.

    Raises
    ------
    NotUnderstoodError
        If it does not take that.
    """
    kind = parameter.kind
    if kind in _OBJECTS:
        wanted, detail = _OBJECTS[kind]
        if value is None or (isinstance(value, int) and value == 0):
            return None
        if isinstance(value, wanted) and getattr(value, "kind", "") == detail:
            if getattr(value, "destroyed", False):
                raise NotUnderstoodError(f"{parameter.name} was destroyed before the call")
            return value
        raise _does_not_fit(parameter, value)
    if kind == "string":
        if value is None:
            return None
        if text_symbol(value) is not None:
            return text_symbol(value)
        if isinstance(value, (str, Pointer, Vector)):
            return text_value(value)
        if isinstance(value, (Query, Handle)):
            return value
    if kind == "bool" and isinstance(value, (int, float)):
        return bool(value)
    if kind in ("int", "dtype", "format", "enum") and isinstance(value, (int, float)):
        return int(value)
    if kind == "float" and isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, Query):
        return value
    if isinstance(value, Symbol):
        raise NotUnderstoodError(f"passes a result to {parameter.name}")
    raise _does_not_fit(parameter, value)


def _does_not_fit(parameter: Any, value: Any) -> NotUnderstoodError:
    return NotUnderstoodError(f"{parameter.name} ({parameter.c_type}) takes no {describe(value)}")


def _run(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    workspace, size, plan, stream = values
    if not isinstance(plan, PlanObject):
        raise NotUnderstoodError(f"{name} takes the executor of phase 1, not a {describe(plan)}")
    if plan.operator != name:
        raise NotUnderstoodError(f"{name} is given the executor of {plan.operator}")
    if plan.destroyed:
        raise SampleError(f"{name} uses up its executor, and is given it again")
    if not isinstance(workspace, DevicePointer):
        workspace = None
    if not isinstance(stream, Handle):
        stream = None
    plan.destroyed = not plan.repeatable
    for tensor in plan.tensors():
        interpreter.written.add(tensor)
        interpreter.writers[tensor] = name if plan.declared else "undeclared"
    return record(interpreter, name, (workspace, size, plan, stream))


@handles("aclSetAclOpExecutorRepeatable")
def _repeatable(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    if not isinstance(values[0], PlanObject):
        raise NotUnderstoodError(f"{name} takes an executor, not a {describe(values[0])}")
    values[0].repeatable = True
    return record(interpreter, name, values)


@handles("aclDestroyAclOpExecutor")
def _destroy(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    if isinstance(values[0], PlanObject):
        values[0].destroyed = True
    return record(interpreter, name, values)
