"""The fast path of an operator: a function compiled for its very parameters.

Looping over parameters, as the general call does, costs some 8 µs in Python; the two C calls take
1.1 µs. So each operator gets a function of its own, generated from its declaration like the
``__init__`` of a dataclass: it holds only what a call in good order needs, and hands everything
else to the general call, which knows what to do and what to say.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import AclError, check, ffi
from pyaclnn.ops import two_phase
from pyaclnn.ops.checks import use_elsewhere
from pyaclnn.ops.compiled_inputs import INPUTS, input_lines
from pyaclnn.ops.compiled_lists import gives_a_list
from pyaclnn.ops.compiled_outputs import output_lines
from pyaclnn.ops.defaults import REQUIRED
from pyaclnn.ops.rules import ONLY_ND, finds_shapes
from pyaclnn.runtime import current_stream
from pyaclnn.runtime.current import state
from pyaclnn.tensor.creation import names_of_new_output
from pyaclnn.tensor.forms import form_of

if TYPE_CHECKING:
    from pyaclnn.ops.operator import Operator


class _Leave(Exception):  # noqa: N818 - no error
    """The call is left to the general one."""


#: What the lines about arguments raise.
_UNUSUAL = (
    _Leave, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, ReferenceError,
)  # fmt: skip

#: What the call of phase 1 raises: for a number out of range, for the None that a tensor has for a
#: handle until C sees it for the first time, and for what is no tensor.
_UNFIT = (OverflowError, TypeError, AttributeError)

#: Stands for an argument that was not given.
MISSING: Any = object()

#: The whole call. Whatever is unusual ends in its last line, after the errors that say so: they
#: are no part of what the general call may have to report. Parameters that can only be given by
#: name would take 0.01 µs each where they are not; ``_extra`` catches what is given by place.
_CALL = """\
def call({parameters}_extra=MISSING, out=None, stream=None{named_parameters}, *_more):
    if _extra is not MISSING{named_given}:
        return _general({call})
    if stream is None:
        _queue = _state.ready
        if _queue is None:
            _queue = _current_stream()
    else:
        # What `activated` returns and does, where there is nothing to do.
        _queue, _ready = stream, _state.ready
        try:
            if _ready is None or _ready.device is not stream.device or stream.capture is not None:
                _queue = stream.activated()
        except AttributeError:
            return _general({call})
    _stream, _timeline = _queue._handle, _queue.timeline
    try:
        if _stream is None: raise _Leave
{lines}\
    except _AclError:
        raise
    except _unusual:
        pass
    else:
        try:
            _cells = _spare.pop()
        except IndexError:
            _cells = _new_cells(_phase1)
        _size, _place = _cells
        try:
            try:
                _status = _phase1({c_arguments}, _size, _place)
            except _unfit:
                pass
            else:
                if _status:
                    _place[0] = NULL
                    _check(_status, _phase1_name, ({values},))
                _needs = _size[0]
                if _needs:
                    # `execute` written out, for the workspace that the stream has already. One
                    # that was closed meanwhile has none.
                    with _queue.lock:
                        if _needs <= _queue._workspace_size:
                            _executor = _place[0]
                            _place[0] = NULL
                            _status = _phase2(
                                _queue._workspace.pointer, _needs, _executor, _stream
                            )
                            _needs = 0
                    if _needs:
                        _execute(_phase2, _phase2_name, _cells, _queue, ({values},))
                else:
                    _executor = _place[0]
                    _place[0] = NULL
                    _status = _phase2(NULL, 0, _executor, _stream)
                if _status:
                    _check(_status, _phase2_name, ({values},))
                _spare.append(_cells)
                return {result}
        except BaseException:
            _destroy(_cells)
            raise
        _spare.append(_cells)
    return _general({call})
"""


def compilable(operator: Operator) -> bool:
    """Whether an operator has only parameters that the fast path knows."""
    spec = operator.spec
    return (
        operator.c_name not in ONLY_ND
        and not finds_shapes(operator.c_name)
        and all(a.kind in INPUTS for a in spec.inputs)
        and (all(a.kind == "tensor" for a in spec.outputs) or gives_a_list(spec))
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
        were not given are MISSING, and so is ``extra``, the first positional argument too many.

    Returns
    -------
    callable
        It takes what the operator takes.
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
        "_form_of": form_of,
        "_use_elsewhere": use_elsewhere,
        **names_of_new_output,
        "_spare": two_phase.spare,
        "_new_cells": two_phase.new_out_parameters,
        "_execute": two_phase.execute,
        "_destroy": two_phase.destroy,
        "_AclError": AclError,
        "_check": check,
        "MISSING": MISSING,
        "_Leave": _Leave,
        "_unusual": _UNUSUAL,
        "_unfit": _UNFIT,
        "_phase1": phase1,
        "_phase2": phase2,
        "_phase1_name": spec.c_name + "GetWorkspaceSize",
        "_phase2_name": spec.c_name,
        "NULL": ffi.NULL,
        **{f"_{f.__name__}": f for f in (int, float, bool, str, tuple, list, any)},
    }
    inputs = [a.name for a in spec.inputs]
    given = f"({', '.join(inputs)},)" if inputs else "()"
    named = [a.name for a in spec.outputs if a.name != "out"]
    by_name = "{" + ", ".join(f"{name!r}: {name}" for name in named) + "}"
    lines, c_inputs = input_lines(spec, names)
    output = output_lines(spec, names)
    c_values = c_inputs | output.c_values
    result_of = dict(zip(spec.outputs, output.names, strict=True))
    source = _CALL.format(
        parameters="".join(
            f"{a.name}={'MISSING' if a.default is REQUIRED else repr(a.default)}, "
            for a in spec.inputs
        ),
        # Not collected in a dictionary, which takes 0.05 µs of a call of 1.7.
        named_parameters="".join(f", {name}=None" for name in named),
        named_given="".join(f" or {name} is not None" for name in named),
        call=f"{given}, _extra, out, stream, {by_name}",
        lines=textwrap.indent(lines + output.lines, " " * 8),
        c_arguments=", ".join(c_values[number] for number in range(len(spec.arguments))),
        values=", ".join(result_of.get(a, a.name) for a in spec.arguments),
        result=output.result,
    )
    return source, names
