"""What a compiled call does with its inputs: lines that check them and find their C values.

What is not in good order is left to the general call, by raising ``_Leave`` or one of the errors
that stand for it: what is no tensor has no buffer, what is not cached has no handle. The lines set
``_s<number>`` and ``_owners`` to what holds the C objects of inputs, which a cache may drop
meanwhile, and ``_known_as`` to what tells the attributes from others. All names but the operator's
own parameters begin with an underscore or a capital.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pyaclnn.ops.arguments import Converter, converter
from pyaclnn.ops.modes import modes
from pyaclnn.ops.rules import scalar_dtype
from pyaclnn.ops.spec import Argument, Spec
from pyaclnn.tensor.cached import (
    WRITTEN_AS,
    Entry,
    attribute_cache,
    keep_attributes,
    part_of_view,
    share_list,
    tensor_lists,
)
from pyaclnn.tensor.dtypes import acl_dtype


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
    attributes = {number: a for number, a in given.items() if _is_attribute(a)}
    lines: list[str] = []
    c_values: dict[int, str] = {}
    for number, argument in given.items():
        if number not in attributes:
            one = _Input(spec.c_name, argument, number, names)
            text, c_values[number] = _INPUTS[argument.kind](one)
            lines.append(text)
    if attributes:
        lines.append(_attributes(spec.c_name, attributes, names))
        c_values.update({number: f"_h{number}" for number in attributes})
    return "".join(lines), c_values


def is_array(argument: Argument) -> bool:
    """Whether a parameter takes a sequence of numbers."""
    return argument.kind.endswith("_array")


def _is_attribute(argument: Argument) -> bool:
    """Whether a parameter is made into an object for C that equal values share."""
    return is_array(argument) or argument.kind in _SHARED


def _tensor(one: _Input) -> _Lines:
    # cffi refuses the other None.
    x = one.argument.name
    return "", f"NULL if {x} is None else {x}._handle if {usable(x)} else None"


def usable(tensor: str, memory: str = "") -> str:
    """Return a condition that a tensor is open, and known to be used on the stream in use."""
    memory = memory or f"{tensor}._memory"
    return (
        f"{memory}.stream_while_open is _queue or _timeline in {memory}.uses"
        f" or _use_elsewhere({tensor}, _queue)"
    )


def _tensor_list(one: _Input) -> _Lines:
    variable = f"_s{one.number}"
    return shared_list(variable, one.argument.name, one.names), f"{variable}._handle"


def shared_list(variable: str, tensors: str, names: dict[str, Any], more: str = "") -> str:
    """Return lines that check a list of tensors and find its `SharedList`.

    Parameters
    ----------
    variable, tensors : str
        What the lines set, and the list.
    names : dict
        Names the lines may use; more are added.
    more : str
        Lines about the memory of each, ``_memory``, indented as in a loop.
    """
    names["_tensor_lists"] = tensor_lists
    names["_share_list"] = share_list
    names["_part_of_view"] = part_of_view
    # An element of a tensor would be a tensor.
    return f"""\
if {tensors}.__class__ is not _list and {tensors}.__class__ is not _tuple: raise _Leave
_key = []
for _each in {tensors}:
    _memory = _each._memory
    if not ({usable("_each", "_memory")}): raise _Leave
{more}\
    _key.append(_part_of_view(_each) if _each._form is None else _each._handle)
{found_list(variable, tensors)}\
"""


def found_list(variable: str, tensors: str) -> str:
    """Return the line that finds the `SharedList` of tensors by ``_key``."""
    return f"{variable} = _tensor_lists.get(_tuple(_key)) or _share_list({tensors})\n"


def _attributes(operator: str, attributes: dict[int, Argument], names: dict[str, Any]) -> str:
    """Find all attributes at once: two of them by themselves would take 0.03 µs more."""
    kinds = tuple(
        ("scalar", scalar_dtype(operator, a.c_name)) if a.kind == "scalar" else a.kind
        for a in attributes.values()
    )
    converters = [converter(operator, a) for a in attributes.values()]
    names["_attributes"] = attribute_cache(kinds)
    names["_share_attributes"] = partial(_share, kinds, converters)
    names["_written"] = marshal.dumps
    values = f"({''.join(f'{a.name}, ' for a in attributes.values())})"
    # `key_of` written out.
    key = f"_written({values}, {WRITTEN_AS})"
    if len(attributes) == 1:
        (one,) = attributes.values()
        alone = {
            "scalar": f"{one.name}.__class__ is _float and {one.name}",
            "string": f"{one.name}.__class__ is _str",
        }
        if one.kind in alone:
            key = f"{one.name} if {alone[one.kind]} else {key}"
    found = f"_known_as, {''.join(f'_h{number}, ' for number in attributes)}_owners"
    lines = f"{found} = _attributes.get({key}) or _share_attributes({values})\n"
    if any(map(is_array, attributes.values())):
        # Shapes may follow from arrays, and those that are not kept cannot be told apart.
        lines += "if _known_as is None: raise _Leave\n"
    return lines


def _share(
    kinds: tuple[Hashable, ...], converters: list[Converter], values: tuple[Any, ...]
) -> Entry:
    owners: list[object] = []
    c_values = [convert(v, owners) for convert, v in zip(converters, values, strict=True)]
    return keep_attributes(kinds, values, c_values, owners)


def _number(one: _Input) -> _Lines:
    # cffi checks the range, and refuses with an OverflowError.
    name, number, kind = one.argument.name, one.number, NUMBERS[one.argument.kind]
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


class _DtypeCodes(dict[Any, int]):
    """The aclDataType of dtypes and their names, which are kept as they are asked for."""

    def __missing__(self, dtype: Any) -> int:
        # Not what may equal something of another type.
        if not isinstance(dtype, (str, type, np.dtype)):
            raise LookupError  # the general call knows what to do
        if len(self) >= _KEPT_DTYPES:
            self.clear()
        code = self[dtype] = acl_dtype(dtype)
        return code


_KEPT_DTYPES = 256
_dtype_codes = _DtypeCodes()


def _dtype(one: _Input) -> _Lines:
    name, number = one.argument.name, one.number
    one.names["_dtype_codes"] = _dtype_codes
    return f"_h{number} = {name} if {name}.__class__ is _int else _dtype_codes[{name}]\n", (
        f"_h{number}"
    )


#: Kinds of plain numbers -> the name of their class.
NUMBERS = {"int": "_int", "float": "_float", "bool": "_bool"}

_INPUTS: dict[str, Callable[[_Input], _Lines]] = {
    "tensor": _tensor,
    "tensor_list": _tensor_list,
    "dtype": _dtype,
    **dict.fromkeys(NUMBERS, _number),
}

#: Attributes that are no arrays.
_SHARED = ("scalar", "scalar_list", "string")

#: Kinds of parameters. Operators with any other kind are left to the general call.
INPUTS = {*_INPUTS, *_SHARED, "int_array", "float_array", "bool_array"}
