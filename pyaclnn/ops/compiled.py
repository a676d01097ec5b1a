"""The fast path of an operator: a function compiled for its very parameters.

Looping over parameters, as the general call does, costs some 8 µs in Python; the two C calls take
2 µs. So each operator gets a function of its own, generated from its declaration like a dataclass's
``__init__``: it holds only what a call in good order needs, and hands everything else to the
general call, which knows what to do and what to say.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import check, ffi
from pyaclnn.ops import two_phase
from pyaclnn.ops.rules import ONLY_ND, RULES, scalar_dtype
from pyaclnn.ops.rules.common import Broadcast, Like, Rule
from pyaclnn.ops.spec import Argument
from pyaclnn.runtime import current_stream
from pyaclnn.runtime.current import state
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.cached import scalar_cache
from pyaclnn.tensor.creation import new_output

if TYPE_CHECKING:
    from pyaclnn.ops.operator import Operator

#: Stands for an argument that was not given.
MISSING: Any = object()

#: Named outputs, and wrong counts and names, which the general call explains.
_ANYTHING_ELSE = """\
    if extra or named:
        return general({call})
"""

_CHOOSE_STREAM = """\
    if stream is None:
        queue = state.stream
        if queue is None or queue.device is not state.bound:
            queue = current_stream()
    else:
        queue = stream.activated()
"""

#: The workspace case keeps the stream's lock until the work is queued, see Stream.workspace.
_RUN = """\
    try:
        cells = spare.pop()
    except IndexError:
        cells = new_cells(phase1)
    size, place = cells.size, cells.executor
    try:
        status = phase1({c_arguments}, size, place)
    except OverflowError:
        return general({call})
    if status:
        spare.append(cells)
        check(status, phase1_name, ({values},))
    executor = place[0]
    nbytes = size[0]
    spare.append(cells)
    if nbytes:
        execute(phase2, phase2_name, executor, nbytes, queue, ({values},))
    else:
        status = phase2(NULL, 0, executor, queue._handle)
        if status:
            check(status, phase2_name, ({values},))
    return out
"""


def _tensor_lines(name: str, number: int) -> str:
    # In good order: open, described to CANN before, and made for the stream that is used.
    return f"""\
    if {name}.__class__ is not Tensor: return general({{call}})
    b{number} = {name}._buffer
    h{number} = {name}._handle
    if h{number} is None or b{number} is None or b{number}.closed or b{number}.stream is not queue:
        return general({{call}})
"""


def _scalar_lines(name: str, number: int) -> str:
    # The scalar itself is held, not its handle: another thread may empty the cache meanwhile.
    return f"""\
    s{number} = scalars_{number}.get({name}) if {name}.__class__ is float else None
    if s{number} is None: return general({{call}})
    h{number} = s{number}._handle
"""


def _number_lines(name: str, number: int, kind: str) -> str:
    # cffi checks the range, and refuses with an OverflowError.
    return f"""\
    if {name}.__class__ is not {kind}: return general({{call}})
    h{number} = {name}
"""


_SIMPLE = {"int": "int", "float": "float", "bool": "bool"}


def compilable(operator: Operator) -> bool:
    """Whether an operator has only parameters that the fast path knows."""
    kinds = {a.kind for a in operator.spec.inputs}
    return (
        operator.c_name not in ONLY_ND
        and kinds <= {"tensor", "scalar", *_SIMPLE}
        and all(a.kind == "tensor" and not a.in_place for a in operator.spec.outputs)
        and not any(a.in_place for a in operator.spec.arguments)
        and len(operator.spec.outputs) == 1
    )


def compile_call(operator: Operator, general: Callable[..., Any]) -> Callable[..., Any]:
    """Return the fast path of an operator.

    Parameters
    ----------
    operator : Operator
        One that is :func:`compilable` and resolved.
    general : callable
        ``general(inputs, extra, out, stream, named)``: the call for everything else. Inputs that
        were not given, or were given by name, are MISSING.

    Returns
    -------
    callable
        A method: its first parameter is the operator.
    """
    source, names = _source(operator)
    names["general"] = general
    exec(compile(source, f"<fast path of {operator.name}>", "exec"), names)
    return names["call"]  # type: ignore[no-any-return]


def _source(operator: Operator) -> tuple[str, dict[str, Any]]:
    spec = operator.spec
    phase1, phase2 = operator.resolve()
    names: dict[str, Any] = {
        "state": state,
        "current_stream": current_stream,
        "Tensor": Tensor,
        "new_output": new_output,
        "spare": two_phase.spare,
        "new_cells": two_phase.OutParameters,
        "execute": two_phase.execute,
        "check": check,
        "MISSING": MISSING,
        "phase1": phase1,
        "phase2": phase2,
        "phase1_name": spec.c_name + "GetWorkspaceSize",
        "phase2_name": spec.c_name,
        "NULL": ffi.NULL,
    }
    inputs = [a.name for a in spec.inputs]
    call = f"({', '.join(inputs)},), extra, out, stream, named"
    body = [_ANYTHING_ELSE.format(call=call), _CHOOSE_STREAM]
    number_of: dict[Argument, int] = {a: i for i, a in enumerate(spec.arguments)}
    buffers = []
    for argument in spec.inputs:
        number = number_of[argument]
        if argument.kind == "tensor":
            buffers.append(f"b{number}")
            lines = _tensor_lines(argument.name, number)
        elif argument.kind == "scalar":
            names[f"scalars_{number}"] = scalar_cache(scalar_dtype(spec.c_name, argument.c_name))
            lines = _scalar_lines(argument.name, number)
        else:
            lines = _number_lines(argument.name, number, _SIMPLE[argument.kind])
        body.append(lines.format(call=call))
    output = spec.outputs[0]
    body.append(_output_lines(operator, output, number_of[output], buffers, names, call))
    values = ", ".join("out" if a is output else a.name for a in spec.arguments)
    c_arguments = ", ".join(f"h{i}" for i in range(len(spec.arguments)))
    body.append(_RUN.format(c_arguments=c_arguments, values=values, call=call))
    parameters = "".join(f"{name}=MISSING, " for name in inputs)
    head = f"def call(operator_, /, {parameters}*extra, out=None, stream=None, **named):\n"
    return head + "".join(body), names


def _output_lines(
    operator: Operator,
    output: Argument,
    number: int,
    buffers: list[str],
    names: dict[str, Any],
    call: str,
) -> str:
    shared = " or ".join(f"b{number} is {b}" for b in buffers)
    rule = RULES.get(operator.c_name, {}).get(output.c_name)
    if rule is None:
        missing = f"        return general({call})\n"
    else:
        names["rule"] = rule
        missing = f"""\
{_description_lines(operator, rule, call)}\
        out = new_output(shape, dtype, queue)
        h{number} = out._handle
        if h{number} is None:
            h{number} = out._new_handle()
"""
    return f"""\
    if out is None:
{missing}\
    elif out.__class__ is Tensor:
        b{number} = out._buffer
        h{number} = out._handle
        if (h{number} is None or b{number} is None or b{number}.closed
                or b{number}.stream is not queue or 0 in out.strides or {shared}):
            return general({call})
    else:
        return general({call})
"""


def _description_lines(operator: Operator, rule: Rule, call: str) -> str:
    """Lines that find shape and dtype of an output; the two usual rules are written out."""
    python_names = {a.c_name: a.name for a in operator.spec.inputs}
    given = ", ".join(f"{c_name!r}: {name}" for c_name, name in python_names.items())
    asking = f"""\
        try:
            shape, dtype = rule({{{given}}})
        except (AttributeError, ValueError):
            return general({call})
"""
    # Saves 0.3 µs of a call of 4.
    if isinstance(rule, Like):
        return _SHAPE_AND_DTYPE.format(python_names[rule.name])
    if isinstance(rule, Broadcast):
        first, second = python_names[rule.first], python_names[rule.second]
        differ = f"        if shape != {second}._shape or dtype is not {second}._dtype:\n"
        return _SHAPE_AND_DTYPE.format(first) + differ + textwrap.indent(asking, "    ")
    return asking


_SHAPE_AND_DTYPE = "        shape, dtype = {0}._shape, {0}._dtype\n"
