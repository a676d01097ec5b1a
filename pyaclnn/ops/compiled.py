"""The fast path of an operator: a Python function generated for its parameters.

The general call loops over parameters, which takes some 8 µs in Python; the two C calls take 1.1
µs. So each operator gets a function of its own, generated from its declaration like the
``__init__`` of a dataclass. It handles valid calls of the usual kinds only and passes all others to
the general call, which handles them or raises.

The sections of this file: inputs, an output that is a list, other outputs, the whole function. The
generated code leaves a call to the general one by raising ``_Leave`` or one of the errors that are
treated alike. All names but the operator's own parameters begin with an underscore or a capital.
``pa.ops.add.source()`` shows the function of an operator.
"""

from __future__ import annotations

import marshal
import textwrap
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pyaclnn.abi import AclError, check, ffi
from pyaclnn.ops import two_phase
from pyaclnn.ops.arguments import Converter, converter
from pyaclnn.ops.checks import use_elsewhere
from pyaclnn.ops.data_dependent import in_actual_shapes, use_own_descriptors
from pyaclnn.ops.defaults import REQUIRED
from pyaclnn.ops.modes import modes
from pyaclnn.ops.rules import ONLY_ND, has_data_dependent_shapes, rules_of, scalar_dtype
from pyaclnn.ops.rules.common import EachLike, Rule
from pyaclnn.ops.spec import Argument, Spec
from pyaclnn.runtime import current_stream
from pyaclnn.runtime.current import state
from pyaclnn.tensor.cached import (
    WRITTEN_AS,
    Entry,
    attribute_cache,
    keep_attributes,
    key_of,
    part_of_view,
    share_list,
    tensor_lists,
)
from pyaclnn.tensor.creation import NEW_OUTPUT, names_of_new_output
from pyaclnn.tensor.dtypes import acl_dtype
from pyaclnn.tensor.layout import MAX_LAYOUTS, ContiguousLayout, layout_of


class _Input(NamedTuple):
    """One input of an operator, and the globals that its generated lines use."""

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
    """Whether a parameter becomes a C object that is cached and shared by equal values."""
    return is_array(argument) or argument.kind in _SHARED


def _tensor(one: _Input) -> _Lines:
    # cffi refuses any other None. A view has no handle before its first call.
    x = one.argument.name
    handle = f"({x}._handle or {x}.handle)"
    return "", f"NULL if {x} is None else {handle} if {usable(x)} else None"


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
    # A tensor is no list, though it has elements, which are tensors.
    return f"""\
# A list, by the tensors that are in it.
if {tensors}.__class__ is not _list and {tensors}.__class__ is not _tuple: raise _Leave
_key = []
for _each in {tensors}:
    _memory = _each._memory
    if not ({usable("_each", "_memory")}): raise _Leave
{more}\
    _key.append(_each._handle if _each._layout.fills_memory else _part_of_view(_each))
{found_list(variable, tensors)}\
"""


def found_list(variable: str, tensors: str) -> str:
    """Return the line that finds the `SharedList` of tensors by ``_key``."""
    return f"{variable} = _tensor_lists.get(_tuple(_key)) or _share_list({tensors})\n"


def _attributes(operator: str, attributes: dict[int, Argument], names: dict[str, Any]) -> str:
    """Return lines that find the C values of all attributes at once, by the values together."""
    kinds = tuple(
        ("scalar", scalar_dtype(operator, a.c_name)) if a.kind == "scalar" else a.kind
        for a in attributes.values()
    )
    converters = [converter(operator, a) for a in attributes.values()]
    names["_attributes"] = attribute_cache(kinds)
    names["_share_attributes"] = partial(_share, kinds, converters)
    names["_written"] = marshal.dumps
    values = f"({''.join(f'{a.name}, ' for a in attributes.values())})"
    # `key_of`, inlined.
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
    # An object that is passed as a text, such as a communicator, has the text as an attribute.
    lines = "".join(
        f"if {a.name}.__class__ is not _str and {a.name} is not None:\n"
        f"    {a.name} = {a.name}.__aclnn_text__\n"
        for a in attributes.values()
        if a.kind == "string"
    )
    lines += "# Numbers, arrays and texts: objects for C, which equal ones share.\n"
    lines += f"{found} = _attributes.get({key}) or _share_attributes({values})\n"
    if any(map(is_array, attributes.values())):
        # Output shapes may depend on arrays, and uncached arrays have no key.
        lines += "if _known_as is None: raise _Leave\n"
    return lines


def _share(
    kinds: tuple[Hashable, ...], converters: list[Converter], values: tuple[Any, ...]
) -> Entry:
    if any(isinstance(value, np.generic) for value in values):
        # The key that was looked up, marshalled bytes, is not the key of such values.
        known = attribute_cache(kinds).get(key_of(values))
        if known is not None:
            return known
    owners: list[object] = []
    c_values = [convert(v, owners) for convert, v in zip(converters, values, strict=True)]
    return keep_attributes(kinds, values, c_values, owners)


def _number(one: _Input) -> _Lines:
    # cffi checks the range and raises OverflowError.
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
    """The aclDataType of dtypes and their names, cached on first use."""

    def __missing__(self, dtype: Any) -> int:
        # Values that may equal a value of another type are not cached.
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


#: The variable that holds the C list of the output.
C_LIST = "_c_list"


def gives_a_list(spec: Spec) -> bool:
    """Whether the only output of an operator is a list of tensors."""
    return [a.kind for a in spec.outputs] == ["tensor_list"]


def list_lines(spec: Spec, names: dict[str, Any]) -> str:
    """Return the lines that take or allocate the output.

    Parameters
    ----------
    spec : Spec
        Of an operator that gives a list.
    names : dict
        Names the lines may use; more are added.

    Returns
    -------
    str
        They set ``out``, and `C_LIST` to the owner of the C list.
    """
    (output,) = spec.outputs
    # Views may overlap inputs.
    taking = shared_list(C_LIST, "out", names, "    if _memory.has_views: raise _Leave\n")
    return f"""\
if out is None:
{textwrap.indent(_allocating(spec, output), "    ")}\
else:
{textwrap.indent(taking, "    ")}"""


_LAYOUT = """\
    _layout = _each._layout
    if not _layout.fills_memory: _layout = _layout_of(_layout.shape, _layout.dtype)
"""

_LAYOUT_OF_A_NUMBER = """\
    _layout = _layout_of((), _each.dtype)
"""


def _allocating(spec: Spec, output: Argument) -> str:
    rule = rules_of(spec.c_name).get(output.c_name)
    if not isinstance(rule, EachLike):
        return "raise _Leave\n"
    like = next(a.name for a in spec.inputs if a.c_name == rule.name)
    layout = _LAYOUT_OF_A_NUMBER if rule.number else _LAYOUT
    making = textwrap.indent(NEW_OUTPUT.format(tensor="_tensor", layout="_layout"), "    ")
    return f"""\
_bins = _queue.bins
out, _key = [], []
for _each in {like}:
{layout}{making}\
    out.append(_tensor)
    _key.append(_tensor._handle)
{found_list(C_LIST, "out")}\
"""


class Outputs(NamedTuple):
    """The part of a compiled call that handles the outputs.

    Attributes
    ----------
    lines : str
        They take or allocate the outputs; not indented.
    c_values : dict
        Number of a parameter to an expression for its C value.
    names : list of str
        Of the variables that hold the outputs.
    result : str
        An expression for what the call returns.
    """

    lines: str
    c_values: dict[int, str]
    names: list[str]
    result: str


def output_lines(spec: Spec, names: dict[str, Any]) -> Outputs:
    """Return the code for the outputs of an operator.

    Parameters
    ----------
    spec : Spec
        Of the operator.
    names : dict
        Names the lines may use; rules are added.
    """
    numbers = [number for number, a in enumerate(spec.arguments) if a.returned]
    if not numbers:
        # An operator that only writes its inputs in place returns these.
        in_place = [a.name for a in spec.arguments if a.in_place]
        result = in_place[0] if len(in_place) == 1 else f"({', '.join(in_place)})"
        return Outputs("if out is not None: raise _Leave\n", {}, [], result)
    if gives_a_list(spec):
        return Outputs(list_lines(spec, names), {numbers[0]: f"{C_LIST}._handle"}, ["out"], "out")
    single = len(numbers) == 1
    results = ["out"] if single else [f"_out{number}" for number in numbers]
    allocated, may_be_none = _allocations(spec, results, names)
    inputs = [a for a in spec.inputs if a.kind in ("tensor", "tensor_list")]
    taken = ""
    if not single:
        allocated += f"out = {', '.join(results)}\n"
        # Not any iterable: a tensor is one.
        taken = f"""\
if out.__class__ is not _tuple:
    if out.__class__ is not _list: raise _Leave
    out = _tuple(out)
{", ".join(results)} = out
"""
    for position, result in enumerate(results):
        taken += _taking(result, inputs, results[:position])
    returned = "out"
    if has_data_dependent_shapes(spec.c_name):
        # The operator changes the shapes of its aclTensors, which no other tensor may have.
        names["_use_own_descriptors"] = partial(use_own_descriptors, spec.c_name)
        names["_in_actual_shapes"] = partial(in_actual_shapes, spec.c_name)
        allocated += f"_use_own_descriptors(({', '.join(results)},))\n"
        returned = "_in_actual_shapes(out, _queue)"
        taken = "raise _Leave\n"
    lines = f"""\
if out is None:
    _bins = _queue.bins
{textwrap.indent(allocated, "    ")}\
else:
{textwrap.indent(taken, "    ")}"""
    c_values = {
        number: f"{'NULL if ' + result + ' is None else ' if may_be_none else ''}"
        f"{result}._handle or {result}.handle"
        for number, result in zip(numbers, results, strict=True)
    }
    return Outputs(lines, c_values, results, returned)


def _taking(result: str, inputs: list[Argument], earlier: list[str]) -> str:
    """Lines that take an output of the caller in the usual cases.

    Only views share a buffer; whether views of one buffer overlap is tested by the general call.
    """
    shared = f"0 in {result}.strides"
    for name in (a.name for a in inputs if a.kind == "tensor"):
        shared += f" or {name} is not None and _memory is {name}._memory"
    for name in earlier:
        shared += f" or _memory is {name}._memory"
    for name in (a.name for a in inputs if a.kind == "tensor_list"):
        shared += f" or _any(_t._memory is _memory for _t in {name})"
    return f"""\
# {result}: open, on this device, and no view that may overlap another tensor of the call.
_memory = {result}._memory
if not ({usable(result, "_memory")}): raise _Leave
if _memory.has_views and ({shared}): raise _Leave
"""


def _allocations(spec: Spec, results: list[str], names: dict[str, Any]) -> tuple[str, bool]:
    """Return lines that allocate the outputs, and whether they may find one is not wanted.

    Where the shapes do not follow from the inputs, the general call raises.
    """
    of_outputs = rules_of(spec.c_name)
    rules = [of_outputs.get(a.c_name) for a in spec.outputs]
    known = [rule for rule in rules if rule is not None]
    if len(known) < len(rules):
        return "raise _Leave\n", False
    lists = [n for n, a in enumerate(spec.arguments) if a.kind == "tensor_list" and a.given]
    if len(lists) > 1:
        return "raise _Leave\n", False
    lines = [_kept_layouts(spec, known, lists, names)]
    for position, result in enumerate(results):
        layout = f"_layout{position}"
        making = textwrap.indent(_making(result, layout), "    ")
        lines.append(f"if {layout} is None:\n    {result} = None\nelse:\n{making}")
    return "".join(lines), True


def _making(result: str, layout: str) -> str:
    return NEW_OUTPUT.format(tensor=result, layout=layout)


def _kept_layouts(spec: Spec, rules: list[Rule], lists: list[int], names: dict[str, Any]) -> str:
    """Ask the rules once for arguments of the same layouts and values.

    The result is cached for the operator, or with the list of tensors: evaluating a rule takes 0.5
    µs for each output, of the 4 µs of a call.
    """
    read = _inputs_read(spec, rules)
    names["_describe"] = partial(_describe, rules)
    names["_keep_layouts"] = _keep_layouts
    names["_known_layouts"] = {}
    known = f"_s{lists[0]}.layouts" if lists else "_known_layouts"
    # One part stands for all arrays.
    values = ["_known_as"] * any(map(is_array, read))
    for argument in read:
        values += _parts_of_key(spec.c_name, argument)
    parts = [f"_part{position}" for position in range(len(values))]
    if lists:
        values.append(known)
        parts.append("_list_layouts")
    other = [f"{part} is not {part}_last" for part in parts] or ["not _layouts"]
    names["_last_layouts"] = [(None,) * (len(parts) + 1)]
    setting = "".join(f"{p} = {value}\n" for p, value in zip(parts, values, strict=True))
    key = [part for part in parts if part != "_list_layouts"]
    # Comparing with the key of the last call avoids hashing, which takes 0.1 µs.
    return f"""\
# The layouts of the outputs, which follow from these: those of the last call, or kept ones.
{setting}\
{"".join(f"{part}_last, " for part in parts)}_layouts, = _last_layouts[0]
if {" or ".join(other)}:
    _key = ({", ".join([repr(spec.c_name), *key])},)
    _layouts = {known}.get(_key)
    if _layouts is None:
        _layouts = _describe({_given(spec, read)})
        _keep_layouts({known}, _key, _layouts)
    _last_layouts[0] = {"".join(f"{part}, " for part in parts)}_layouts,
{"".join(f"_layout{position}, " for position in range(len(rules)))}= _layouts
"""


def _inputs_read(spec: Spec, rules: list[Rule]) -> list[Argument]:
    """Return the inputs that the rules may read."""
    names: set[str] = set()
    for rule in rules:
        names |= set(getattr(rule, "reads", (a.c_name for a in spec.inputs)))
    return [a for a in spec.inputs if a.c_name in names]


def _parts_of_key(operator: str, argument: Argument) -> list[str]:
    name = argument.name
    if argument.kind in NUMBERS and modes(operator, argument.c_name) is None:
        # All are of one class: the lines for inputs have tested it.
        return [name]
    if argument.kind == "tensor":
        # No rule depends on strides or offset.
        own = f"_layout_of({name}._layout.shape, {name}._layout.dtype)"
        layout = f"{name}._layout if {name}._layout.fills_memory else {own}"
        return [f"None if {name} is None else {layout}"]
    if argument.kind == "tensor_list" or is_array(argument):
        return []
    return [f"{name}.__class__", name]


def _describe(rules: list[Rule], arguments: dict[str, Any]) -> tuple[ContiguousLayout | None, ...]:
    descriptions = [rule(arguments) for rule in rules]
    # Operators with lists of outputs are not compiled.
    return tuple(None if d is None or isinstance(d, list) else layout_of(*d) for d in descriptions)


def _keep_layouts(
    kept: dict[Any, Any], key: tuple[Any, ...], layouts: tuple[ContiguousLayout | None, ...]
) -> None:
    if len(kept) >= MAX_LAYOUTS:
        kept.clear()
    kept[key] = layouts


def _given(spec: Spec, inputs: Sequence[Argument]) -> str:
    # Modes as numbers, converted by the lines for inputs.
    values = [
        a.name if modes(spec.c_name, a.c_name) is None else f"_h{spec.arguments.index(a)}"
        for a in inputs
    ]
    pairs = zip(inputs, values, strict=True)
    return "{" + ", ".join(f"{a.c_name!r}: {value}" for a, value in pairs) + "}"


class _Leave(Exception):  # noqa: N818 - no error
    """Raised to leave the call to the general one."""


#: Errors that the lines for arguments raise.
_UNUSUAL = (
    _Leave, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, ReferenceError,
)  # fmt: skip

#: Errors of the call of phase 1: for a number out of range, for the None that replaces an unusable
#: tensor, and for an argument that is no tensor.
_UNFIT = (OverflowError, TypeError, AttributeError)

#: The default of parameters, for an argument that was not passed.
MISSING: Any = object()

#: The whole function. All unusual calls end in its last line, outside the ``except`` block, so that
#: an error of the general call does not show the one that led there as its context. ``_extra``
#: takes the first positional argument too many; ``_named`` takes outputs by their names, and
#: unknown names.
_CALL = """\
def call({parameters}_extra=MISSING, out=None, stream=None, *_more, **_named):
    if _named or _extra is not MISSING:
        return _general({call})
    try:
        # The stream; memory of other streams notes its timeline.
        _queue = (_state.ready or _current_stream()) if stream is None else stream.activated()
        _stream, _timeline = _queue._handle, _queue.timeline
        if _stream is None: raise _Leave
{lines}\
    except _AclError:
        raise
    except _unusual:
        pass
    else:
        # Where phase 1 writes the size of the workspace and the executor.
        try:
            _cells = _spare.pop()
        except IndexError:
            _cells = _new_cells(_phase1)
        _size, _place = _cells
        try:
            try:
                _status = _phase1(
{c_arguments}\
                    _size, _place,
                )
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


def compilable(spec: Spec) -> bool:
    """Whether the fast path supports all parameters of an operator."""
    return (
        spec.c_name not in ONLY_ND
        and all(a.kind in INPUTS for a in spec.inputs)
        and (all(a.kind == "tensor" for a in spec.outputs) or gives_a_list(spec))
        and any(a.output for a in spec.arguments)
    )


def compile_call(
    spec: Spec, phases: tuple[Any, Any], general: Callable[..., Any]
) -> Callable[..., Any]:
    """Return the fast path of an operator.

    Parameters
    ----------
    spec : Spec
        Of one that is :func:`compilable`.
    phases : tuple
        Its two C functions.
    general : callable
        ``general(inputs, extra, out, stream, named)``: the call for everything else. Inputs that
        were not given are MISSING, and so is ``extra``, the first positional argument too many.

    Returns
    -------
    callable
        With the parameters of the operator.
    """
    source, names = _source(spec, phases)
    names["_general"] = general
    exec(compile(source, f"<fast path of {spec.name}>", "exec"), names)
    call: Callable[..., Any] = names["call"]
    # The name in Python's own errors about unknown arguments.
    call.__name__ = call.__qualname__ = spec.name
    return call


def source_of_call(spec: Spec) -> str:
    """Return the Python text of the fast path of an operator that is :func:`compilable`."""
    source, _ = _source(spec, (None, None))
    return source.replace("def call(", f"def {spec.name}(", 1)


def _source(spec: Spec, phases: tuple[Any, Any]) -> tuple[str, dict[str, Any]]:
    phase1, phase2 = phases
    # With underscores, because parameters of operators may be named `size` or `type`.
    names: dict[str, Any] = {
        "_state": state,
        "_current_stream": current_stream,
        "_layout_of": layout_of,
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
    lines, c_inputs = input_lines(spec, names)
    output = output_lines(spec, names)
    c_values = c_inputs | output.c_values
    result_of = dict(zip(spec.outputs, output.names, strict=True))
    source = _CALL.format(
        parameters="".join(
            f"{a.name}={'MISSING' if a.default is REQUIRED else repr(a.default)}, "
            for a in spec.inputs
        ),
        call=f"{given}, _extra, out, stream, _named",
        lines=textwrap.indent(lines + output.lines, " " * 8),
        c_arguments=textwrap.indent(
            "".join(f"{c_values[number]},\n" for number in range(len(spec.arguments))), " " * 20
        ),
        values=", ".join(result_of.get(a, a.name) for a in spec.arguments),
        result=output.result,
    )
    return source, names
