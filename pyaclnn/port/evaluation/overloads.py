"""Overload resolution of the sample's functions: overloads, templates and specialisations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.conversions import promote
from pyaclnn.port.data.cpp_types import AUTO, CType
from pyaclnn.port.data.memory import Vector
from pyaclnn.port.data.references import ItemReference
from pyaclnn.port.data.values import Function
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Evaluator, Interpreter, Scope
from pyaclnn.port.evaluation.statements import compile_block
from pyaclnn.port.evaluation.statictypes import type_of_value
from pyaclnn.port.evaluation.typenames import Declarator, declared, type_of_node
from pyaclnn.port.frontend.syntax import field, named, text_of


@dataclass
class Parameter:
    """A parameter of a function of the sample."""

    declarator: Declarator
    type_text: str
    default: Evaluator | None
    variadic: bool = False


@dataclass
class Compiled:
    """What a function consists of, compiled on its first call."""

    parameters: list[Parameter]
    body: Any
    is_expression: bool


@dataclass
class Argument:
    """An argument: its value, what it refers to where it can be assigned to, its static type."""

    value: Any
    reference: Any = None
    ctype: CType = AUTO


def compiled(interpreter: Interpreter, function: Function) -> Compiled:
    """Return the compiled form of a function, which methods share."""
    owner = function.body if isinstance(function.body, Function) else function
    if owner.compiled is None:
        parameters = []
        for node in named(owner.parameters) if owner.parameters is not None else []:
            if not node.type.endswith("parameter_declaration"):
                parameters.append(Parameter(Declarator("", lambda scope: AUTO), "", None, True))
                continue
            specifier = field(node, "type")
            default = field(node, "default_value")
            found = declared(field(node, "declarator"), type_of_node(specifier))
            parameters.append(
                Parameter(
                    found,
                    text_of(specifier),
                    interpreter.expression(default) if default is not None else None,
                    node.type.startswith("variadic"),
                )
            )
        owner.compiled = Compiled(parameters, compile_block(interpreter, named(owner.node)), False)
    found_compiled: Compiled = owner.compiled
    return found_compiled


#: How well an argument goes with a parameter; the standard's ranks, and not at all.
_EXACT, _TEMPLATE, _PROMOTED, _CONVERTED, _NEVER = 4, 3, 2, 1, 0


def choose(interpreter: Interpreter, function: Function, arguments: list[Argument]) -> Function:
    """Return the overload that a call means.

    Raises
    ------
    NotUnderstoodError
        Where that is not certain.
    """
    ranked: list[tuple[list[int], Function]] = []
    for candidate in function.overloads:
        ranks = _ranks(interpreter, candidate, arguments)
        if ranks is not None and _NEVER not in ranks:
            ranked.append((ranks, candidate))
    best = [
        (ranks, candidate)
        for ranks, candidate in ranked
        if not any(_better(other, ranks) for other, _ in ranked)
    ]
    if len(best) > 1:
        plain = [b for b in best if not b[1].template]
        best = plain or best
    if len(best) == 1:
        return best[0][1]
    if best and all(_same_parameters(interpreter, best[0][1], b[1]) for b in best):
        # Declared more than once, as by a header that is included twice.
        return best[-1][1]
    raise NotUnderstoodError(f"{function.name} has {len(function.overloads)} overloads, and it is "
                             "not certain which one is called")  # fmt: skip


def _better(left: list[int], right: list[int]) -> bool:
    pairs = list(zip(left, right, strict=True))
    return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


def _same_parameters(interpreter: Interpreter, left: Function, right: Function) -> bool:
    texts = [
        [(p.type_text, p.declarator.reference) for p in compiled(interpreter, f).parameters]
        for f in (left, right)
    ]
    return texts[0] == texts[1]


def _ranks(
    interpreter: Interpreter, candidate: Function, arguments: list[Argument]
) -> list[int] | None:
    parameters = compiled(interpreter, candidate).parameters
    needed = sum(p.default is None and not p.variadic for p in parameters)
    variadic = any(p.variadic for p in parameters)
    if len(arguments) < needed or (len(arguments) > len(parameters) and not variadic):
        return None
    found = []
    for index, argument in enumerate(arguments):
        if index >= len(parameters) or parameters[index].variadic:
            found.append(_CONVERTED)
            continue
        parameter = parameters[index]
        ctype = parameter.declarator.ctype(candidate.scope)
        if parameter.declarator.sizes:
            ctype = CType("pointer", "", ctype)
        found.append(_rank(ctype, argument, candidate.template))
    return found


def _rank(wanted: CType, argument: Argument, template: tuple[str, ...]) -> int:
    value = argument.value
    found = argument.ctype if argument.ctype is not AUTO else type_of_value(value)
    if _is_parameter(wanted, template):
        return _TEMPLATE
    if isinstance(value, Vector) and wanted.kind == "vector":
        return _items(wanted.item, value.item, template)
    if wanted.kind == "pointer":
        if value is None:
            return _CONVERTED
        if found.kind == "vector":
            found = CType("pointer", "", found.item)
        if found.kind != "pointer":
            return _NEVER if found is not AUTO else _CONVERTED
        to = wanted.item
        return _CONVERTED if to is not None and to.kind == "void" and \
            (found.item is None or found.item.kind != "void") \
            else _items(to, found.item, template)  # fmt: skip
    if wanted.is_number and found.is_number:
        if wanted.name == found.name:
            return _EXACT
        widened = found.name == "float32" and wanted.name == "float64"
        return _PROMOTED if promote(found).name == wanted.name or widened else _CONVERTED
    if wanted.kind == "bool" and found.kind == "pointer":
        return _CONVERTED
    if wanted.kind == "string" and found.kind in ("pointer", "vector"):
        return _CONVERTED
    if wanted.kind == found.kind and wanted.kind not in ("auto", "other"):
        same = wanted.name == found.name or wanted.kind not in ("struct", "int", "float")
        return _EXACT if same else _NEVER
    known = ("int", "float", "bool", "complex", "pointer", "string", "vector")
    if found.kind in known and wanted.kind in known:
        return _NEVER
    return _CONVERTED


def _items(wanted: CType | None, found: CType | None, template: tuple[str, ...]) -> int:
    """Return the rank of what a container holds or a pointer points to."""
    if wanted is None or found is None:
        return _CONVERTED
    if _is_parameter(wanted, template):
        return _TEMPLATE
    if wanted.kind == found.kind and wanted.kind in ("vector", "pointer"):
        return _items(wanted.item, found.item, template)
    if (wanted.kind, wanted.name) == (found.kind, found.name):
        return _EXACT
    return _CONVERTED if "other" in (wanted.kind, found.kind) or "auto" in (
        wanted.kind, found.kind) else _NEVER  # fmt: skip


def _is_parameter(ctype: CType, template: tuple[str, ...]) -> bool:
    return ctype.kind == "other" and ctype.name in template


def specialised(
    interpreter: Interpreter, function: Function, arguments: list[Argument], template: list[CType]
) -> Function:
    """Return the explicit specialisation of a template for the types of a call, if there is one."""
    if not function.specialisations:
        return function
    types = list(template_types(interpreter, function, arguments, template).values())
    if len(types) < len(function.template):
        raise NotUnderstoodError(f"the types of a call of {function.name} are not known")
    for evaluators, candidate in function.specialisations:
        wanted = [evaluate(candidate.scope) for evaluate in evaluators]
        if len(wanted) == len(types) and all(
            (w.kind, w.name, w.item) == (t.kind, t.name, t.item)
            for w, t in zip(wanted, types, strict=True)
        ):
            found: Function = candidate
            return found
    return function


def template_types(
    interpreter: Interpreter, function: Function, arguments: list[Argument], template: list[CType]
) -> dict[str, CType]:
    """Return the types of a template's parameters: those given, and those deduced."""
    found = dict(zip(function.template, template, strict=False))
    parameters = compiled(interpreter, function).parameters
    for name in function.template[len(template) :]:
        deduced = _deduced(name, parameters, arguments)
        if deduced is not None:
            found[name] = deduced
    return found


def _deduced(name: str, parameters: list[Parameter], arguments: list[Argument]) -> CType | None:
    for parameter, argument in zip(parameters, arguments, strict=False):
        words = parameter.type_text.replace("<", " ").replace(">", " ").replace("*", " ").split()
        if name not in words:
            continue
        value = argument.value
        ctype = argument.ctype if argument.ctype is not AUTO else type_of_value(value)
        depth = parameter.type_text.count("<")
        if isinstance(value, (Vector,)) and depth:
            ctype = value.item
            for _ in range(depth - 1):
                ctype = ctype.item or AUTO
            return ctype
        if "pointer" in _declarator_kind(parameter) and ctype.kind in ("pointer", "vector"):
            return ctype.item
        if isinstance(argument.reference, ItemReference):
            return argument.reference.ctype
        if ctype is not AUTO:
            return ctype
    return None


def _declarator_kind(parameter: Parameter) -> str:
    return parameter.declarator.ctype(Scope()).kind
