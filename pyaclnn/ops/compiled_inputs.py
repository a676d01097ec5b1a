"""What a compiled call does with its inputs: lines that check them and find their C values.

What is not in good order is left to the general call, by raising ``_Leave`` or one of the errors
that stand for it: what is no tensor has no buffer, what is not cached has no handle. The lines set
``_s<number>`` to what holds the C object of an input, which a cache may drop meanwhile, and
``_known_as`` to what tells the arrays from others. All names but the operator's own parameters
begin with an underscore or a capital.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable
from typing import Any, NamedTuple

from pyaclnn.ops.modes import modes
from pyaclnn.ops.rules import scalar_dtype
from pyaclnn.ops.spec import Argument, Spec
from pyaclnn.tensor.cached import (
    WRITTEN_AS,
    last_arrays,
    last_list,
    scalar_cache,
    share_arrays,
    share_list,
    texts,
    written_cache,
)


class _Input(NamedTuple):
    """One input of an operator, given by its C name, and names that its lines may use."""

    operator: str
    argument: Argument
    number: int
    names: dict[str, Any]


#: Lines for an input, and an expression for its C value.
_Lines = tuple[str, str]


def input_lines(spec: Spec, names: dict[str, Any]) -> tuple[str, dict[int, str]]:
    """Return the lines for the inputs of an operator.

    Parameters
    ----------
    spec : Spec
        Of the operator.
    names : dict
        Names the lines may use; more are added.

    Returns
    -------
    lines : str
        Not indented.
    c_values : dict
        Number of a parameter to an expression for its C value.
    """
    given = {number: a for number, a in enumerate(spec.arguments) if a.given}
    arrays = {number: a for number, a in given.items() if is_array(a)}
    lines: list[str] = []
    c_values: dict[int, str] = {}
    for number, argument in given.items():
        if number not in arrays:
            one = _Input(spec.c_name, argument, number, names)
            text, c_values[number] = _INPUTS[argument.kind](one)
            lines.append(text)
    if arrays:
        lines.append(_arrays(arrays, names, c_values))
    return "".join(lines), c_values


def is_array(argument: Argument) -> bool:
    """Whether a parameter takes a sequence of numbers."""
    return argument.kind.endswith("_array")


def _tensor(one: _Input) -> _Lines:
    # In good order: open, and made for the stream that is used. cffi refuses the other None.
    x = one.argument.name
    return "", f"NULL if {x} is None else {x}._handle if {x}._buffer.open_on is _queue else None"


def _tensor_list(one: _Input) -> _Lines:
    # Comparing does not tell a tensor from what equals it; that it has a buffer does.
    names, name, number = one.names, one.argument.name, one.number
    names["_share_list"], names[f"_last_{number}"] = share_list, last_list()
    lines = f"""\
_s{number} = _last_{number}[0]
if _s{number}.tensors != {name}:
    _s{number} = _share_list({name}, _last_{number})
    if _s{number} is None: raise _Leave
for _each in {name}:
    if _each._buffer.open_on is not _queue: raise _Leave
"""
    return lines, f"_s{number}.handle._handle"


def _scalar(one: _Input) -> _Lines:
    names, name, number = one.names, one.argument.name, one.number
    dtype = scalar_dtype(one.operator, one.argument.c_name)
    names[f"_scalars_{number}"] = scalar_cache(dtype)
    names[f"_known_{number}"] = written_cache(("scalar", dtype))
    names["_written"] = marshal.dumps
    # Most are floats, which are found 0.05 µs faster by their values.
    lines = f"""\
if {name}.__class__ is _float and {name}:
    _s{number} = _scalars_{number}.get({name})
else:
    _s{number} = _known_{number}.get(_written({name}, {WRITTEN_AS}))
if _s{number} is None: raise _Leave
"""
    return lines, f"_s{number}._handle"


def _arrays(arrays: dict[int, Argument], names: dict[str, Any], c_values: dict[int, str]) -> str:
    """Find all arrays at once, most often those of the last call.

    Finding each of two by itself takes 0.03 µs more, of a call of 2.2.
    """
    kinds = tuple(a.kind for a in arrays.values())
    values = f"({''.join(f'{a.name}, ' for a in arrays.values())})"
    names["_written"] = marshal.dumps  # as `written` does it, without its call
    names["_kinds"], names["_share_arrays"] = kinds, share_arrays
    names["_arrays"], names["_last_arrays"] = written_cache(kinds), last_arrays(len(kinds))
    c_values.update({number: f"_h{number}" for number in arrays})
    found = f"_known_as, {''.join(f'_h{number}, ' for number in arrays)}_keep"
    return f"""\
_written_as = _written({values}, {WRITTEN_AS})
{found} = _last_arrays[0]
if _known_as != _written_as:
    _found = _arrays.get(_written_as) or _share_arrays(_kinds, {values})
    if _found is None: raise _Leave
    _last_arrays[0] = {found} = _found
"""


def _number(one: _Input) -> _Lines:
    # cffi checks the range, and refuses with an OverflowError.
    name, number, kind = one.argument.name, one.number, _NUMBERS[one.argument.kind]
    named_modes = modes(one.operator, one.argument.c_name)
    if named_modes is None:
        return f"if {name}.__class__ is not {kind}: raise _Leave\n", name
    one.names[f"_modes_{number}"] = named_modes
    lines = f"""\
if {name}.__class__ is _int:
    _h{number} = {name}
else:
    _h{number} = _modes_{number}.get({name}) if {name}.__class__ is _str else None
"""
    return lines, f"_h{number}"


def _string(one: _Input) -> _Lines:
    one.names["_texts"] = texts
    name, number = one.argument.name, one.number
    lines = f"""\
if {name} is None:
    _h{number} = NULL
else:
    _h{number} = _texts.get({name}) if {name}.__class__ is _str else None
    if _h{number} is None: raise _Leave
"""
    return lines, f"_h{number}"


_NUMBERS = {"int": "_int", "float": "_float", "bool": "_bool", "dtype": "_int"}

_INPUTS: dict[str, Callable[[_Input], _Lines]] = {
    "tensor": _tensor,
    "tensor_list": _tensor_list,
    "scalar": _scalar,
    "string": _string,
    **dict.fromkeys(_NUMBERS, _number),
}

#: Kinds of parameters. Operators with any other kind are left to the general call.
INPUTS = {*_INPUTS, "int_array", "float_array", "bool_array"}
