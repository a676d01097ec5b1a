"""What a compiled call does about its outputs: lines that take or allocate them."""

from __future__ import annotations

import textwrap
from functools import partial
from typing import Any

from pyaclnn.ops.rules import RULES
from pyaclnn.ops.rules.common import Broadcast, Like, Rule
from pyaclnn.ops.spec import Argument, Spec
from pyaclnn.runtime import Stream
from pyaclnn.tensor.forms import KEPT_FORMS, Form, form_of


def output_lines(spec: Spec, names: dict[str, Any], call: str) -> tuple[str, list[str]]:
    """Return lines that set each output and its ``_h<number>``.

    Parameters
    ----------
    spec : Spec
        Of the operator.
    names : dict
        Names the lines may use; rules are added.
    call : str
        The arguments of the general call, to which everything unusual is left.

    Returns
    -------
    lines : str
        Indented as the body of a function.
    results : list of str
        Names of the outputs.
    """
    numbers = [number for number, a in enumerate(spec.arguments) if a.returned]
    if not numbers:
        return f"    if out is not None: return _general({call})\n", []
    single = len(numbers) == 1
    results = ["out"] if single else [f"_out{number}" for number in numbers]
    leave = f"        return _general({call})\n"
    allocated = _allocations(spec, results, names, call) or leave
    taken = "" if single else f"        {', '.join(results)} = out\n"
    given = (
        "elif out.__class__ is Tensor:"
        if single
        else f"elif out.__class__ in _sequences and _len(out) == {len(numbers)}:"
    )
    buffers = [f"_b{i}" for i, a in enumerate(spec.arguments) if a.kind == "tensor" and a.given]
    lists = [a.name for a in spec.inputs if a.kind == "tensor_list"]
    for number, result in zip(numbers, results, strict=True):
        if not single:
            taken += f"        if {result}.__class__ is not Tensor: return _general({call})\n"
        taken += _taking(number, result, buffers, lists, call)
        buffers.append(f"_b{number}")
    return (
        f"""\
    if out is None:
{allocated}\
    {given}
{taken}\
    else:
        return _general({call})
""",
        results,
    )


def _taking(number: int, result: str, buffers: list[str], lists: list[str], call: str) -> str:
    """Lines that take an output the caller gave, unless it is none of the usual ones.

    Only views share memory, among others with themselves. Whether memory that is shared is memory
    that overlaps, the general call finds out.
    """
    shared = "".join(f" or _b{number} is {other}" for other in buffers)
    lines = f"""\
        _b{number} = {result}._buffer
        _h{number} = {result}._handle
        if (_h{number} is None or _b{number}.open_on is not _queue
                or (_b{number}.viewed and (0 in {result}.strides{shared}))):
            return _general({call})
"""
    for name in lists:
        lines += f"""\
        if _b{number}.viewed and _any(_t._buffer is _b{number} for _t in {name}):
            return _general({call})
"""
    return lines


def _allocations(spec: Spec, results: list[str], names: dict[str, Any], call: str) -> str | None:
    """Lines that allocate the outputs, if their shapes follow from the inputs; else None."""
    rules = [RULES.get(spec.c_name, {}).get(a.c_name) for a in spec.outputs]
    known = [rule for rule in rules if rule is not None]
    if len(known) < len(rules):
        return None
    numbers = [number for number, a in enumerate(spec.arguments) if a.returned]
    if all(isinstance(rule, (Like, Broadcast)) for rule in known):
        lines = [
            _written_out(spec, rule, number, names, call) + _making(number, result)
            for rule, number, result in zip(known, numbers, results, strict=True)
        ]
        return "".join(lines)
    lists = [n for n, a in enumerate(spec.arguments) if a.kind == "tensor_list" and a.given]
    if len(lists) > 1:
        return None
    lines = [_remembered(spec, known, lists, numbers, names, call)]
    for number, result in zip(numbers, results, strict=True):
        lines.append(f"""\
        _form = _form{number}
        if _form is None:
            {result} = None
            _h{number} = NULL
        else:
{textwrap.indent(_making(number, result), "    ")}\
""")
    return "".join(lines)


def _making(number: int, result: str) -> str:
    return f"""\
        {result} = _new_output(_form, _queue)
        _h{number} = {result}._handle
        if _h{number} is None:
            _h{number} = {result}._new_handle()
"""


def _remembered(
    spec: Spec,
    rules: list[Rule],
    lists: list[int],
    numbers: list[int],
    names: dict[str, Any],
    call: str,
) -> str:
    """Ask the rules once for arguments of the same forms and values.

    Kept with the stream that the forms belong to, or with the list of tensors: to ask takes 0.5 µs
    for each output, of a call of 4.
    """
    names["_describe"] = partial(_describe, rules)
    names["_remember"] = _remember
    kept = f"_s{lists[0]}.forms" if lists else "_queue.forms"
    parts = [_part_of_key(n, a) for n, a in enumerate(spec.arguments) if a.given]
    key = ", ".join([repr(spec.c_name), *filter(None, parts)])
    return f"""\
        _key = ({key},)
        _forms = {kept}.get(_key)
        if _forms is None:
            try:
                _forms = _describe({_given(spec)}, _queue)
            except (AttributeError, ValueError):
                return _general({call})
            _remember({kept}, _key, _forms)
        {"".join(f"_form{number}, " for number in numbers)}= _forms
"""


def _part_of_key(number: int, argument: Argument) -> str:
    name = argument.name
    if argument.kind == "tensor":
        return f"None if {name} is None else {name}._form or ({name}._shape, {name}._dtype)"
    if argument.kind == "tensor_list":
        return ""
    if argument.kind.endswith("_array"):
        return f"_k{number}"
    return f"{name}.__class__, {name}"


def _describe(
    rules: list[Rule], arguments: dict[str, Any], stream: Stream
) -> tuple[Form | None, ...]:
    descriptions = [rule(arguments) for rule in rules]
    return tuple(None if d is None else form_of(*d, stream) for d in descriptions)


def _remember(forms: dict[Any, Any], key: tuple[Any, ...], value: tuple[Form | None, ...]) -> None:
    if len(forms) >= KEPT_FORMS:
        forms.clear()
    forms[key] = value


def _given(spec: Spec) -> str:
    return "{" + ", ".join(f"{a.c_name!r}: {a.name}" for a in spec.inputs) + "}"


def _written_out(spec: Spec, rule: Rule, number: int, names: dict[str, Any], call: str) -> str:
    """Write out the usual rules, which saves 0.3 µs of a call of 3.

    The form of an input is one of the stream in use, for the input is.
    """
    python_names = {a.c_name: a.name for a in spec.inputs}
    if isinstance(rule, Like):
        name = python_names[rule.name]
        return f"""\
        if {name} is None: return _general({call})
        _form = {name}._form
        if _form is None:
            _form = _form_of({name}._shape, {name}._dtype, _queue)
"""
    assert isinstance(rule, Broadcast)
    names[f"_rule_{number}"] = rule
    first, second = python_names[rule.first], python_names[rule.second]
    return f"""\
        if {first} is None or {second} is None: return _general({call})
        _form = {first}._form
        if _form is None or _form is not {second}._form:
            try:
                _form = _form_of(*_rule_{number}({_given(spec)}), _queue)
            except ValueError:
                return _general({call})
"""
