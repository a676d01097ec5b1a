"""What a compiled call does about its outputs: lines that take or allocate them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from pyaclnn.ops.compiled_inputs import NUMBERS, is_array, usable
from pyaclnn.ops.compiled_lists import C_LIST, gives_a_list, list_lines
from pyaclnn.ops.modes import modes
from pyaclnn.ops.rules import rules_of
from pyaclnn.ops.rules.common import Broadcast, Like, Rule
from pyaclnn.ops.spec import Argument, Spec
from pyaclnn.tensor.creation import NEW_OUTPUT
from pyaclnn.tensor.forms import KEPT_FORMS, Form, form_of


class Outputs(NamedTuple):
    """What a compiled call does about its outputs.

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
    """Return what to do about the outputs of an operator.

    Parameters
    ----------
    spec : Spec
        Of the operator.
    names : dict
        Names the lines may use; rules are added.
    """
    numbers = [number for number, a in enumerate(spec.arguments) if a.returned]
    if not numbers:
        # An operator that writes nothing but inputs returns these.
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
        # Not just anything that has elements, for a tensor has.
        taken = f"""\
if out.__class__ is not _tuple:
    if out.__class__ is not _list: raise _Leave
    out = _tuple(out)
{", ".join(results)} = out
"""
    for position, result in enumerate(results):
        taken += _taking(result, inputs, results[:position])
    lines = f"""\
if out is None:
    _bins = _queue.bins
{textwrap.indent(allocated, "    ")}\
else:
{textwrap.indent(taken, "    ")}"""
    c_values = {
        number: f"NULL if {result} is None else {result}._handle"
        if may_be_none
        else f"{result}._handle"
        for number, result in zip(numbers, results, strict=True)
    }
    return Outputs(lines, c_values, results, "out")


def _taking(result: str, inputs: list[Argument], earlier: list[str]) -> str:
    """Lines that take an output the caller gave, unless it is none of the usual ones.

    Only views share memory, among others with themselves. Whether memory that is shared is memory
    that overlaps, the general call finds out.
    """
    shared = f"0 in {result}.strides"
    for name in (a.name for a in inputs if a.kind == "tensor"):
        shared += f" or {name} is not None and _memory is {name}._memory"
    for name in earlier:
        shared += f" or _memory is {name}._memory"
    for name in (a.name for a in inputs if a.kind == "tensor_list"):
        shared += f" or _any(_t._memory is _memory for _t in {name})"
    return f"""\
_memory = {result}._memory
if not ({usable(result, "_memory")}): raise _Leave
if _memory.has_views and ({shared}): raise _Leave
"""


def _allocations(spec: Spec, results: list[str], names: dict[str, Any]) -> tuple[str, bool]:
    """Return lines that allocate the outputs, and whether they may find one is not wanted.

    Where the shapes do not follow from the inputs, the general call says so.
    """
    of_outputs = rules_of(spec.c_name)
    rules = [of_outputs.get(a.c_name) for a in spec.outputs]
    known = [rule for rule in rules if rule is not None]
    if len(known) < len(rules):
        return "raise _Leave\n", False
    if all(isinstance(rule, (Like, Broadcast)) for rule in known):
        lines = [
            _written_out(spec, rule, result, names) + _making(result, "_form")
            for rule, result in zip(known, results, strict=True)
        ]
        return "".join(lines), False
    lists = [n for n, a in enumerate(spec.arguments) if a.kind == "tensor_list" and a.given]
    if len(lists) > 1:
        return "raise _Leave\n", False
    lines = [_kept_forms(spec, known, lists, names)]
    for position, result in enumerate(results):
        form = f"_form{position}"
        making = textwrap.indent(_making(result, form), "    ")
        lines.append(f"if {form} is None:\n    {result} = None\nelse:\n{making}")
    return "".join(lines), True


def _making(result: str, form: str) -> str:
    return NEW_OUTPUT.format(tensor=result, form=form)


def _kept_forms(spec: Spec, rules: list[Rule], lists: list[int], names: dict[str, Any]) -> str:
    """Ask the rules once for arguments of the same forms and values.

    Kept for the operator, or with the list of tensors: to ask takes 0.5 µs for each output, of a
    call of 4.
    """
    read = _inputs_read(spec, rules)
    names["_describe"] = partial(_describe, rules)
    names["_keep_forms"] = _keep_forms
    names["_known_forms"] = {}
    known = f"_s{lists[0]}.forms" if lists else "_known_forms"
    # One part stands for all arrays.
    values = ["_known_as"] * any(map(is_array, read))
    for argument in read:
        values += _parts_of_key(spec.c_name, argument)
    parts = [f"_part{position}" for position in range(len(values))]
    if lists:
        values.append(known)
        parts.append("_list_forms")
    other = [f"{part} is not {part}_last" for part in parts] or ["not _forms"]
    names["_last_forms"] = [(None,) * (len(parts) + 1)]
    setting = "".join(f"{p} = {value}\n" for p, value in zip(parts, values, strict=True))
    key = [part for part in parts if part != "_list_forms"]
    # To look whether it is all as in the last call spares hashing it, 0.1 µs.
    return f"""\
{setting}\
{"".join(f"{part}_last, " for part in parts)}_forms, = _last_forms[0]
if {" or ".join(other)}:
    _key = ({", ".join([repr(spec.c_name), *key])},)
    _forms = {known}.get(_key)
    if _forms is None:
        _forms = _describe({_given(spec, read)})
        _keep_forms({known}, _key, _forms)
    _last_forms[0] = {"".join(f"{part}, " for part in parts)}_forms,
{"".join(f"_form{position}, " for position in range(len(rules)))}= _forms
"""


def _inputs_read(spec: Spec, rules: list[Rule]) -> list[Argument]:
    """Return the inputs that the rules may look at."""
    names: set[str] = set()
    for rule in rules:
        names |= set(getattr(rule, "reads", (a.c_name for a in spec.inputs)))
    return [a for a in spec.inputs if a.c_name in names]


def _parts_of_key(operator: str, argument: Argument) -> list[str]:
    name = argument.name
    if argument.kind in NUMBERS and modes(operator, argument.c_name) is None:
        # Of one class: the lines for inputs have seen to it.
        return [name]
    if argument.kind == "tensor":
        return [f"None if {name} is None else {name}._form or ({name}._shape, {name}._dtype)"]
    if argument.kind == "tensor_list" or is_array(argument):
        return []
    return [f"{name}.__class__", name]


def _describe(rules: list[Rule], arguments: dict[str, Any]) -> tuple[Form | None, ...]:
    descriptions = [rule(arguments) for rule in rules]
    # Operators with lists of outputs are not compiled.
    return tuple(None if d is None or isinstance(d, list) else form_of(*d) for d in descriptions)


def _keep_forms(kept: dict[Any, Any], key: tuple[Any, ...], forms: tuple[Form | None, ...]) -> None:
    if len(kept) >= KEPT_FORMS:
        kept.clear()
    kept[key] = forms


def _given(spec: Spec, inputs: Sequence[Argument]) -> str:
    # Modes as numbers, which the lines for inputs have found.
    values = [
        a.name if modes(spec.c_name, a.c_name) is None else f"_h{spec.arguments.index(a)}"
        for a in inputs
    ]
    pairs = zip(inputs, values, strict=True)
    return "{" + ", ".join(f"{a.c_name!r}: {value}" for a, value in pairs) + "}"


def _written_out(spec: Spec, rule: Rule, result: str, names: dict[str, Any]) -> str:
    """Write out the usual rules, which saves 0.3 µs of a call of 3."""
    python_names = {a.c_name: a.name for a in spec.inputs}
    if isinstance(rule, Like):
        name = python_names[rule.name]
        return f"""\
_form = {name}._form
if _form is None: _form = _form_of({name}._shape, {name}._dtype)
"""
    assert isinstance(rule, Broadcast)
    names[f"_rule_{result}"] = rule
    first, second = python_names[rule.first], python_names[rule.second]
    return f"""\
_form = {first}._form
if _form is None or _form is not {second}._form:
    _form = _form_of(*_rule_{result}({_given(spec, spec.inputs)}))
"""
