"""What a compiled call does with an input: lines that find its C value.

They set ``_h<number>`` to the C argument, ``_b<number>`` to the memory of a tensor, ``_s<number>``
to the shared list of a list of tensors, and ``_k<number>`` to what tells an array from others; or
they leave the call to the general one. What a cache may drop meanwhile is held by a variable until
the call is over. All names but the operator's own parameters begin with an underscore or a capital.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable
from typing import Any

from pyaclnn.ops.modes import modes
from pyaclnn.ops.rules import scalar_dtype
from pyaclnn.ops.spec import Argument
from pyaclnn.tensor.cached import (
    WRITTEN_AS,
    scalar_cache,
    share_list,
    shared_lists,
    texts,
    written_cache,
)

#: (operator, argument, its number, names that the lines may use) -> lines, with a ``{call}`` where
#: the arguments of the general call belong.
Lines = Callable[[str, Argument, int, dict[str, Any]], str]


def input_lines(operator: str, argument: Argument, number: int, names: dict[str, Any]) -> str:
    """Return the lines for one input of an operator, given by its C name."""
    return INPUTS[argument.kind](operator, argument, number, names)


def _tensor(operator: str, argument: Argument, number: int, names: dict[str, Any]) -> str:
    # In good order: open, described to CANN before, and made for the stream that is used.
    name = argument.name
    return f"""\
    if {name}.__class__ is Tensor:
        _b{number} = {name}._buffer
        _h{number} = {name}._handle
        if _h{number} is None or _b{number}.open_on is not _queue:
            return _general({{call}})
    elif {name} is None:
        _b{number} = None
        _h{number} = NULL
    else:
        return _general({{call}})
"""


def _tensor_list(operator: str, argument: Argument, number: int, names: dict[str, Any]) -> str:
    names["_share_list"], names["_shared_lists"], names["_id"] = share_list, shared_lists, id
    name = argument.name
    return f"""\
    if {name}.__class__ is not _list and {name}.__class__ is not _tuple:
        return _general({{call}})
    _s{number} = _shared_lists.get(_tuple(_map(_id, {name})))
    if _s{number} is None:
        _s{number} = _share_list({name})
        if _s{number} is None: return _general({{call}})
    for _each in {name}:
        _b{number} = _each._buffer
        if _b{number} is None or _b{number}.open_on is not _queue: return _general({{call}})
    _h{number} = _s{number}.handle._handle
"""


def _scalar(operator: str, argument: Argument, number: int, names: dict[str, Any]) -> str:
    name, dtype = argument.name, scalar_dtype(operator, argument.c_name)
    names[f"_scalars_{number}"] = scalar_cache(dtype)
    names[f"_known_{number}"] = written_cache(("scalar", dtype))
    names["_written"] = marshal.dumps
    # Most are floats, which are found 0.05 µs faster by their values.
    return f"""\
    if {name}.__class__ is _float and {name}:
        _s{number} = _scalars_{number}.get({name})
    else:
        try:
            _s{number} = _known_{number}.get(_written({name}, {WRITTEN_AS}))
        except ValueError:
            return _general({{call}})
    if _s{number} is None: return _general({{call}})
    _h{number} = _s{number}._handle
"""


def _array(operator: str, argument: Argument, number: int, names: dict[str, Any]) -> str:
    name = argument.name
    names[f"_known_{number}"] = written_cache(argument.kind)
    names["_written"] = marshal.dumps  # as `written` does it, without its call
    return f"""\
    try:
        _k{number} = _written({name}, {WRITTEN_AS})
    except ValueError:
        return _general({{call}})
    _s{number} = _known_{number}.get(_k{number})
    if _s{number} is None: return _general({{call}})
    _h{number} = _s{number}._handle
"""


def _number(operator: str, argument: Argument, number: int, names: dict[str, Any]) -> str:
    # cffi checks the range, and refuses with an OverflowError.
    name, kind = argument.name, _NUMBERS[argument.kind]
    named_modes = modes(operator, argument.c_name)
    if named_modes is None:
        return f"""\
    if {name}.__class__ is not {kind}: return _general({{call}})
    _h{number} = {name}
"""
    names[f"_modes_{number}"] = named_modes
    return f"""\
    _h{number} = {name} if {name}.__class__ is _int else None
    if _h{number} is None:
        _h{number} = _modes_{number}.get({name}) if {name}.__class__ is _str else None
        if _h{number} is None: return _general({{call}})
"""


def _string(operator: str, argument: Argument, number: int, names: dict[str, Any]) -> str:
    names["_texts"] = texts
    name = argument.name
    return f"""\
    _h{number} = _texts.get({name}) if {name}.__class__ is _str else None
    if {name} is None: _h{number} = NULL
    if _h{number} is None: return _general({{call}})
"""


_NUMBERS = {"int": "_int", "float": "_float", "bool": "_bool", "dtype": "_int"}

#: Kind of parameter -> its lines. Operators with any other kind are left to the general call.
INPUTS: dict[str, Lines] = {
    "tensor": _tensor,
    "tensor_list": _tensor_list,
    "scalar": _scalar,
    "string": _string,
    **dict.fromkeys(("int_array", "float_array", "bool_array"), _array),
    **dict.fromkeys(_NUMBERS, _number),
}
