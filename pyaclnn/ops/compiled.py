"""The fast path of an operator: a function compiled for its very parameters.

Looping over parameters, as the general call does, costs some 8 µs in Python; the two C calls take
1.1 µs. So each operator gets a function of its own, generated from its declaration like the
``__init__`` of a dataclass: it holds only what a call in good order needs, and hands everything
else to the general call, which knows what to do and what to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import check, ffi
from pyaclnn.ops import two_phase
from pyaclnn.ops.compiled_inputs import INPUTS, input_lines
from pyaclnn.ops.compiled_outputs import output_lines
from pyaclnn.ops.rules import ONLY_ND
from pyaclnn.runtime import current_stream
from pyaclnn.runtime.current import state
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.creation import new_output
from pyaclnn.tensor.forms import form_of

if TYPE_CHECKING:
    from pyaclnn.ops.operator import Operator

#: Stands for an argument that was not given.
MISSING: Any = object()

#: Too many arguments, and outputs given by their names.
_ANYTHING_ELSE = """\
    if extra{named_given}:
        return _general({inputs}, extra, out, stream, {named})
"""

_CHOOSE_STREAM = """\
    if stream is None:
        _queue = _state.ready
        if _queue is None:
            _queue = _current_stream()
    else:
        _queue = stream.activated()
"""

#: The workspace case keeps the stream's lock until the work is queued, see Stream.workspace.
_RUN = """\
    try:
        _cells = _spare.pop()
    except IndexError:
        _cells = _new_cells(_phase1)
    _size, _place = _cells
    try:
        _status = _phase1({c_arguments}, _size, _place)
    except OverflowError:
        return _general({call})
    if _status:
        _spare.append(_cells)
        _check(_status, _phase1_name, ({values},))
    _executor = _place[0]
    _nbytes = _size[0]
    _spare.append(_cells)
    if _nbytes:
        _execute(_phase2, _phase2_name, _executor, _nbytes, _queue, ({values},))
    else:
        _status = _phase2(NULL, 0, _executor, _queue._handle)
        if _status:
            _check(_status, _phase2_name, ({values},))
    return {result}
"""


def compilable(operator: Operator) -> bool:
    """Whether an operator has only parameters that the fast path knows."""
    spec = operator.spec
    return (
        operator.c_name not in ONLY_ND
        and all(a.kind in INPUTS for a in spec.inputs)
        and all(a.kind == "tensor" for a in spec.outputs)
        and any(a.output for a in spec.arguments)
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
    names["_general"] = general
    exec(compile(source, f"<fast path of {operator.name}>", "exec"), names)
    call: Callable[..., Any] = names["call"]
    # As Python's own errors, about arguments that do not exist, call it.
    call.__name__ = call.__qualname__ = operator.name
    return call


def _source(operator: Operator) -> tuple[str, dict[str, Any]]:
    spec = operator.spec
    phase1, phase2 = operator.resolve()
    # Underscores, for an operator's parameters may be called `size` or `type`.
    names: dict[str, Any] = {
        "_state": state,
        "_current_stream": current_stream,
        "Tensor": Tensor,
        "_form_of": form_of,
        "_new_output": new_output,
        "_spare": two_phase.spare,
        "_new_cells": two_phase.new_out_parameters,
        "_execute": two_phase.execute,
        "_check": check,
        "MISSING": MISSING,
        "_phase1": phase1,
        "_phase2": phase2,
        "_phase1_name": spec.c_name + "GetWorkspaceSize",
        "_phase2_name": spec.c_name,
        "NULL": ffi.NULL,
        "_sequences": (tuple, list),
        **{f"_{f.__name__}": f for f in (int, float, bool, str, tuple, list, map, len, any)},
    }
    inputs = [a.name for a in spec.inputs]
    given = f"({', '.join(inputs)},)" if inputs else "()"
    call = f"{given}, extra, out, stream, {{}}"
    named = [a.name for a in spec.outputs if a.name != "out"]
    anything_else = _ANYTHING_ELSE.format(
        inputs=given,
        named_given="".join(f" or {name} is not None" for name in named),
        named="{" + ", ".join(f"{name!r}: {name}" for name in named) + "}",
    )
    body = [anything_else, _CHOOSE_STREAM]
    for number, argument in enumerate(spec.arguments):
        if argument.given:
            body.append(input_lines(spec.c_name, argument, number, names).format(call=call))
    lines, results = output_lines(spec, names, call)
    body.append(lines)
    result_of = dict(zip(spec.outputs, results, strict=True))
    values = ", ".join(result_of.get(a, a.name) for a in spec.arguments)
    c_arguments = ", ".join(f"_h{i}" for i in range(len(spec.arguments)))
    # An operator that writes nothing but inputs returns these.
    results = results or [a.name for a in spec.arguments if a.in_place]
    result = ", ".join(results) if len(results) == 1 else f"({', '.join(results)})"
    body.append(_RUN.format(c_arguments=c_arguments, values=values, call=call, result=result))
    parameters = "".join(f"{name}=MISSING, " for name in inputs)
    # By name, for to collect others in a dictionary takes 0.05 µs of a call of 1.7.
    more = "".join(f", {name}=None" for name in named)
    head = f"def call(operator_, /, {parameters}*extra, out=None, stream=None{more}):\n"
    return head + "".join(body), names
