"""Calls of the sample's own functions: choosing, binding, running."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.port.cpp_types import AUTO, VOID, CType, convert
from pyaclnn.port.declarations import ReferenceCell, declare
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.initialise import Braces, initialise
from pyaclnn.port.interpreter import Evaluator, Interpreter, Scope
from pyaclnn.port.memory import Vector, copied, data_pointer
from pyaclnn.port.model import Assign, Gap
from pyaclnn.port.randoms import Distribution, Engine, draw
from pyaclnn.port.references import ItemReference
from pyaclnn.port.statements import compile_block
from pyaclnn.port.statictypes import type_of_value
from pyaclnn.port.structs import Method
from pyaclnn.port.symbols import Element, Expression, Named, Symbol, is_float
from pyaclnn.port.syntax import field, named, text_of
from pyaclnn.port.typenames import Declarator, declared, type_of_node
from pyaclnn.port.values import DEPTH, Builtin, Cell, Function, Struct, known

#: Halves to try a conversion with: 1, -2, a fraction, a large and a tiny number.
_PATTERNS = (0x3C00, 0xC000, 0x3555, 0x7B80, 0x0400, 0x3F80, 0x4248)


def with_rounding(value: Any, wrapper: str) -> Any:
    """Return a value as a variable of a type holds it."""
    if isinstance(value, Element) and (value.ctype.name == "float32") == (wrapper == "np.float32"):
        return value
    if isinstance(value, Expression):
        if value.operator == wrapper:
            return value
        first = value.operands[0]
        if value.operator in "+-*/" and isinstance(first, Named):
            # An augmented assignment rounds by the variable's type already.
            rest = value.operands[1]
            return Expression(value.operator, (first, Expression(wrapper, (rest,))))
    return Expression(wrapper, (value,))


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


class Caller(Interpreter):
    """An interpreter that calls functions."""

    def materialise(self, cell: Cell) -> None:
        """Let a variable be one of the port, with the value it has."""
        if not isinstance(cell.value, Named):
            cell.value = self._assigned(cell, cell.get(), first=True)

    def assign(self, cell: Cell, value: Any) -> Any:
        """Write down that a variable gets a value; return what stands for it."""
        old = cell.value
        if isinstance(old, Symbol) and not isinstance(old, Named) and isinstance(value, Expression):
            operands = value.operands
            if any(o is old for o in operands):
                self.materialise(cell)
                operands = tuple(cell.value if o is old else o for o in operands)
                value = Expression(value.operator, operands)
        if cell.depth < DEPTH[0]:
            self.materialise(cell)
        return self._assigned(cell, value, first=False)

    def _assigned(self, cell: Cell, value: Any, first: bool) -> Named:
        if not isinstance(value, (Symbol, int, float)) or not cell.name:
            raise NotUnderstoodError("assigns something where only a run decides whether")
        wrapper = {"float32": "np.float32", "float64": "float"}.get(cell.ctype.name, "")
        if isinstance(value, (Element, Expression)) and wrapper:
            value = with_rounding(value, wrapper)
        elif not isinstance(value, Symbol):
            value = convert(value, cell.ctype)
            if wrapper == "np.float32":
                value = Expression(wrapper, (value,))
        fractions = is_float(value) if not cell.ctype.is_number else cell.ctype.kind == "float"
        old = cell.value
        named = old if isinstance(old, Named) else Named(cell.name, self.line, fractions)
        self.record(Assign(self.line, named, value, first))
        return named

    def call(self, function: Any, values: list[Any]) -> Any:
        """Call anything that can be called."""
        return self.call_with(function, [Argument(v) for v in values])

    def call_with(
        self, function: Any, arguments: list[Argument], template: list[CType] | None = None
    ) -> Any:
        """Call with arguments that may be assigned to."""
        function = known(function)
        if isinstance(function, Method):
            function = function.bind()
        if isinstance(function, Struct) and function.definition is not None:
            function = function.definition.method("operator()", function)
        if isinstance(function, Builtin):
            return function.call(self, *[known(a.value) for a in arguments])
        if isinstance(function, (Engine, Distribution)):
            return draw(self, function, [known(a.value) for a in arguments])
        if not isinstance(function, Function):
            raise NotUnderstoodError("calls something that is no function")
        if function.overloads:
            function = self._choose(function, arguments)
        if len(arguments) == 1 and isinstance(arguments[0].value, Element):
            decoded = self._decoded(function, arguments[0].value)
            if decoded is not None:
                return decoded
        self.enter()
        try:
            return self.run_body(function, self.bind_with(function, arguments, template or []))
        finally:
            self.depth -= 1

    def _decoded(self, function: Function, element: Element) -> Element | None:
        """Return the number that a function makes of the 16 bits of a half, by trying it."""
        if element.ctype.size != 2 or element.ctype.kind != "int":
            return None
        if function.decodes is None:
            function.decodes = ""
            answers = [self._tried(function, bits) for bits in _PATTERNS]
            for name in ("float16", "bfloat16"):
                dtype = CType("float", name).dtype
                expected = [float(np.uint16(bits).view(dtype)) for bits in _PATTERNS]
                pairs = [p for p in zip(answers, expected, strict=True) if p[0] is not None]
                # Some are wrong for numbers a sample does not have, and say so.
                if len(pairs) > len(_PATTERNS) // 2 and all(a == b for a, b in pairs):
                    function.decodes = name
        if not function.decodes:
            return None
        return element.reinterpreted(CType("float", function.decodes))

    def _tried(self, function: Function, bits: int) -> Any:
        events, gaps = list(self.program.events), set(self._gap_nodes)
        try:
            answer = self.call(function, [bits])
            made = self.program.events[len(events) :]
            return None if any(isinstance(e, Gap) for e in made) else answer
        except NotUnderstoodError:
            return None
        finally:
            self.program.events[:] = events
            self._gap_nodes = gaps

    def _choose(self, function: Function, arguments: list[Argument]) -> Function:
        best, best_score = function, -1
        for candidate in function.overloads:
            parameters = compiled(self, candidate).parameters
            needed = sum(p.default is None and not p.variadic for p in parameters)
            if not needed <= len(arguments) <= len(parameters):
                continue
            score = 0
            for parameter, argument in zip(parameters, arguments, strict=False):
                ctype = parameter.declarator.ctype(candidate.scope)
                score += 2 * _matches(ctype, argument)
            score += not candidate.template
            if score > best_score:
                best, best_score = candidate, score
        return best

    def bind(self, function: Function, values: list[Any]) -> Scope:
        """Return the scope of a call."""
        return self.bind_with(function, [Argument(v) for v in values], [])

    def bind_with(
        self, function: Function, arguments: list[Argument], template: list[CType]
    ) -> Scope:
        """Return the scope of a call: template types and parameters."""
        scope = Scope(function.scope)
        parameters = compiled(self, function).parameters
        for name, ctype in zip(function.template, template, strict=False):
            scope.names[name] = ctype
        for name in function.template[len(template) :]:
            deduced = _deduced(name, parameters, arguments)
            if deduced is not None:
                scope.names[name] = deduced
        for index, parameter in enumerate(parameters):
            declarator = parameter.declarator
            if parameter.variadic:
                break
            if index >= len(arguments):
                if parameter.default is None:
                    raise NotUnderstoodError(f"{function.name} is called without all arguments")
                value = parameter.default(scope)
                argument = Argument(value)
            else:
                argument = arguments[index]
            self._bind_one(scope, declarator, argument)
        return scope

    def _bind_one(self, scope: Scope, declarator: Declarator, argument: Argument) -> None:
        if not declarator.name:
            return
        if declarator.reference and argument.reference is not None:
            target = argument.reference
            scope.names[declarator.name] = (
                target if type(target) is Cell else ReferenceCell(declarator.name, target)
            )
            return
        ctype = declarator.ctype(scope)
        value = argument.value
        if isinstance(value, Braces):
            value = initialise(self, ctype, value.values, braces=True)
        elif isinstance(value, Vector) and (ctype.kind == "pointer" or declarator.sizes):
            # An array is passed as the address of its first element.
            value = data_pointer(value)
        elif ctype.kind in ("auto", "pointer", "other") or declarator.sizes:
            value = value if declarator.reference else copied(value)
            if ctype is AUTO and argument.ctype.is_number:
                ctype = argument.ctype
        elif not (declarator.reference or isinstance(value, Symbol)) or (
            isinstance(value, str) and ctype.kind == "vector"
        ):
            value = initialise(self, ctype, [value])
        if declarator.sizes:
            ctype = CType("pointer", "", ctype)
        declare(scope, declarator.name, value, ctype)

    def run_body(self, function: Function, scope: Scope) -> Any:
        """Run the body of a function in the scope of a call, and return its result."""
        signal = compiled(self, function).body(scope)
        value = signal.value if signal is not None and signal.kind == "return" else None
        if value is None or function.result is None:
            return value
        ctype = function.result(scope)
        if ctype is VOID:
            return None
        if isinstance(value, Braces):
            return initialise(self, ctype, value.values, braces=True)
        if ctype.is_number and not isinstance(value, Symbol):
            return initialise(self, ctype, [value])
        return value


def _alike(wanted: CType | None, found: CType | None) -> bool:
    """Return whether a type is another, or one of the template that the other may be."""
    if wanted is None or found is None or wanted.kind == "other":
        return wanted is found or (wanted is not None and wanted.kind == "other")
    if wanted.kind == found.kind == "vector":
        return _alike(wanted.item, found.item)
    return wanted.name == found.name


def _matches(ctype: CType, argument: Argument) -> bool:
    value = argument.value
    found = argument.ctype if argument.ctype is not AUTO else type_of_value(value)
    if ctype.kind == "vector" and isinstance(value, Vector) and ctype.item is not None:
        return _alike(ctype.item, value.item)
    if ctype.kind == "pointer":
        return found.kind == "pointer" and found.item == ctype.item
    return ctype.kind == found.kind and ctype.name == found.name


def _deduced(name: str, parameters: list[Parameter], arguments: list[Argument]) -> CType | None:
    for parameter, argument in zip(parameters, arguments, strict=False):
        words = parameter.type_text.replace("<", " ").replace(">", " ").replace("*", " ").split()
        if name not in words:
            continue
        value = argument.value
        ctype = argument.ctype if argument.ctype is not AUTO else type_of_value(value)
        depth = parameter.type_text.count("<")
        if isinstance(value, (Vector,)):
            ctype = value.item
            for _ in range(depth - 1):
                ctype = ctype.item or AUTO
            return ctype
        if ctype.kind == "pointer" and "pointer" in _declarator_kind(parameter):
            return ctype.item
        if isinstance(argument.reference, ItemReference):
            return argument.reference.ctype
        if ctype is not AUTO:
            return ctype
    return None


def _declarator_kind(parameter: Parameter) -> str:
    return parameter.declarator.ctype(Scope()).kind
