"""What a compiled call does about its outputs: lines that take or allocate them."""

from __future__ import annotations

import textwrap
from typing import Any

from pyaclnn.ops.rules import RULES
from pyaclnn.ops.rules.common import Broadcast, Like, Rule, Wanted
from pyaclnn.ops.spec import Argument, Spec


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
    numbers = [number for number, a in enumerate(spec.arguments) if a.output]
    single = len(numbers) == 1
    results = ["out"] if single else [f"_out{number}" for number in numbers]
    leave = f"        return _general({call})\n"
    described = [
        _allocation(spec, argument, number, result, names, call)
        for argument, number, result in zip(spec.outputs, numbers, results, strict=True)
    ]
    allocated = leave if None in described else "".join(filter(None, described))
    if "(_given)" in allocated:
        allocated = f"        _given = {_given(spec)}\n{allocated}"
    taken = "" if single else f"        {', '.join(results)} = out\n"
    given = (
        "elif out.__class__ is Tensor:"
        if single
        else f"elif out.__class__ in _sequences and _len(out) == {len(numbers)}:"
    )
    buffers = [
        f"_b{i}" for i, a in enumerate(spec.arguments) if a.kind == "tensor" and not a.output
    ]
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

    Whether memory that is shared is memory that overlaps, the general call finds out.
    """
    shared = "".join(f" or _b{number} is {other}" for other in buffers)
    lines = f"""\
        _b{number} = {result}._buffer
        _h{number} = {result}._handle
        if (_h{number} is None or _b{number}.open_on is not _queue
                or ({result}._form is None and 0 in {result}.strides){shared}):
            return _general({call})
"""
    for name in lists:
        lines += f"""\
        for _each in {name}:
            if _each._buffer is _b{number}: return _general({call})
"""
    return lines


def _allocation(
    spec: Spec, argument: Argument, number: int, result: str, names: dict[str, Any], call: str
) -> str | None:
    """Lines that allocate an output, if its shape follows from the inputs; else None."""
    rule = RULES.get(spec.c_name, {}).get(argument.c_name)
    if rule is None:
        return None
    if isinstance(rule, Wanted):
        python_names = {a.c_name: a.name for a in spec.inputs}
        mask = python_names[rule.mask]
        asked_for = _making(spec, rule.rule, number, result, names, call)
        return f"""\
        if {rule.index} < _len({mask}) and {mask}[{rule.index}]:
{textwrap.indent(asked_for, "    ")}\
        else:
            {result} = None
            _h{number} = NULL
"""
    return _making(spec, rule, number, result, names, call)


def _making(
    spec: Spec, rule: Rule, number: int, result: str, names: dict[str, Any], call: str
) -> str:
    names[f"_rule_{number}"] = rule
    make = f"""\
        {result} = _new_output(_form, _queue)
        _h{number} = {result}._handle
        if _h{number} is None:
            _h{number} = {result}._new_handle()
"""
    if isinstance(rule, (Like, Broadcast)):
        return _written_out(spec, rule, number, call) + make
    return f"""\
{_asking(number, "_given", call)}\
        if _described is None:
            {result} = None
            _h{number} = NULL
        else:
            _form = _form_of(*_described, _queue)
{textwrap.indent(make, "    ")}\
"""


def _given(spec: Spec) -> str:
    return "{" + ", ".join(f"{a.c_name!r}: {a.name}" for a in spec.inputs) + "}"


def _asking(number: int, given: str, call: str) -> str:
    return f"""\
        try:
            _described = _rule_{number}({given})
        except (AttributeError, ValueError):
            return _general({call})
"""


def _written_out(spec: Spec, rule: Like | Broadcast, number: int, call: str) -> str:
    """Write out the usual rules, which saves 0.3 µs of a call of 3.

    The form of an input is one of the stream in use, for the input is.
    """
    python_names = {a.c_name: a.name for a in spec.inputs}
    first = python_names[rule.name if isinstance(rule, Like) else rule.first]
    lines = f"""\
        if {first} is None: return _general({call})
        _form = {first}._form
"""
    if isinstance(rule, Like):
        return f"""\
{lines}\
        if _form is None:
            _form = _form_of({first}._shape, {first}._dtype, _queue)
"""
    second = python_names[rule.second]
    return f"""\
{lines}\
        if {second} is None: return _general({call})
        if _form is None or _form is not {second}._form:
{textwrap.indent(_asking(number, _given(spec), call), "    ")}\
            _form = _form_of(*_described, _queue)
"""
