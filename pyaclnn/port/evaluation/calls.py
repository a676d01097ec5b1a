"""Calls of the sample's own functions: choosing, binding, running."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.port.data.conversions import convert, plain
from pyaclnn.port.data.cpp_types import AUTO, FLOAT, VOID, CType
from pyaclnn.port.data.memory import Vector, copied, data_pointer
from pyaclnn.port.data.runtime_numbers import cast_symbol, type_of
from pyaclnn.port.data.symbols import Element, Expression, Named, Symbol, is_float, variables_of
from pyaclnn.port.data.values import Builtin, Cell, Function, Struct, known
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.declarations import ReferenceCell, declare
from pyaclnn.port.evaluation.initialise import Braces, initialise
from pyaclnn.port.evaluation.interpreter import Interpreter, Scope
from pyaclnn.port.evaluation.overloads import (
    Argument,
    choose,
    compiled,
    specialised,
    template_types,
)
from pyaclnn.port.evaluation.structs import Method
from pyaclnn.port.evaluation.typenames import Declarator
from pyaclnn.port.frontend.syntax import field, line_of, text_of, walk
from pyaclnn.port.library.randoms import Distribution, Engine, draw
from pyaclnn.port.model import Assign, Gap

#: Halves to try a conversion with: 1, -2, a fraction, a large, a tiny, and some usual numbers.
_PATTERNS = (0x3C00, 0xC000, 0x3555, 0x7B80, 0x0400, 0x3F80, 0x4248, 0x40A0, 0x4120)


#: How many numbers a port keeps in variables of their own; what needs more is a gap.
MAX_SNAPSHOTS = 64


def _keeps_to_itself(function: Function) -> bool:
    """Return whether a function assigns to local variables only, so that it may be run."""
    for node in walk(function.node):
        if node.type == "storage_class_specifier":
            return False
        target = field(node, "left") if node.type == "assignment_expression" else None
        if node.type == "update_expression":
            target = field(node, "argument")
        names = [n for n in walk(target) if n.type == "identifier"] if target is not None else []
        if any(isinstance(function.scope.find(text_of(name)), Cell) for name in names):
            return False
    return True


class Caller(Interpreter):
    """An interpreter that calls functions."""

    def materialise(self, cell: Cell) -> None:
        """Make a variable one of the port, with its present value."""
        while isinstance(cell, ReferenceCell):
            cell = cell.target
        if type(cell) is not Cell:
            return
        if not isinstance(cell.value, Named) or cell.value.key != cell.key:
            cell.value = self._assigned(cell, cell.get(), first=True)

    def snapshot(self, value: Any, name: str) -> Any:
        """Return a snapshot of a number, independent of the variables in it."""
        if not any(True for _ in variables_of(value)):
            return value
        self.snapshots += 1
        if self.snapshots > MAX_SNAPSHOTS:
            return value
        cell = Cell(name or "number", None, type_of(value))
        cell.key = cell.name, -self.snapshots
        return self._assigned(cell, value, first=False)

    def assign(self, cell: Cell, value: Any) -> Any:
        """Record an assignment to a variable; return the value that replaces it."""
        old = cell.value
        borrowed = isinstance(old, Named) and old.key != cell.key
        if (
            isinstance(old, Symbol)
            and (borrowed or not isinstance(old, Named))
            and isinstance(value, Expression)
        ):
            operands = value.operands
            if any(o is old for o in operands):
                self.materialise(cell)
                operands = tuple(cell.value if o is old else o for o in operands)
                value = Expression(value.operator, operands, value.ctype)
        if cell.depth < self.decisions.open:
            self.materialise(cell)
        return self._assigned(cell, value, first=False)

    def _assigned(self, cell: Cell, value: Any, first: bool) -> Named:
        if not isinstance(value, (Symbol, int, float)) or not cell.name:
            raise NotUnderstoodError("assigns something where only a run decides whether")
        if isinstance(value, Symbol):
            value = cast_symbol(value, cell.ctype)
        else:
            value = plain(convert(value, cell.ctype))
            if cell.ctype.name == "float32":
                value = Expression("np.float32", (value,), cell.ctype)
        fractions = is_float(value) if not cell.ctype.is_number else cell.ctype.kind == "float"
        ctype = cell.ctype if cell.ctype.is_number else type_of(value)
        cell.key = cell.key or (cell.name, self.line)
        named = Named(cell.name, cell.key[1], fractions, ctype)
        self.record(Assign(self.line, named, value, first))
        self.latest[named.key] = named
        return named

    def call(self, function: Any, values: list[Any]) -> Any:
        """Call anything that can be called."""
        return self.call_with(function, [Argument(v) for v in values])

    def call_on(self, function: Any, references: list[Any]) -> Any:
        """Call with what can be assigned to."""
        return self.call_with(function, [Argument(r.get(), r, r.ctype) for r in references])

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
            self.called, self.template = function.name, template or []
            return function.call(self, *[known(a.value) for a in arguments])
        if isinstance(function, (Engine, Distribution)):
            return draw(self, function, [known(a.value) for a in arguments])
        if not isinstance(function, Function):
            raise NotUnderstoodError("calls something that is no function")
        if function.overloads:
            function = choose(self, function, arguments)
        function = specialised(self, function, arguments, template or [])
        if len(arguments) == 1 and isinstance(arguments[0].value, Element):
            decoded = self._decoded(function, arguments[0].value)
            if decoded is not None:
                result = function.result(function.scope) if function.result else FLOAT
                return cast_symbol(decoded, result) if result.is_number else decoded
        self.enter()
        try:
            return self.run_body(function, self.bind_with(function, arguments, template or []))
        finally:
            self.depth -= 1

    def _decoded(self, function: Function, element: Element) -> Element | None:
        """Return the number that a function makes of the 16 bits of a half."""
        if element.ctype.size != 2 or element.ctype.kind != "int" or not self.is_decoder(function):
            return None
        return element.reinterpreted(CType("float", function.decodes or ""))

    def is_decoder(self, function: Any) -> bool:
        """Return whether a function decodes the bits of a half, by running it."""
        if function.decodes is None:
            function.decodes = ""
            if not _keeps_to_itself(function):
                return False
            answers = [self._tried(function, bits) for bits in _PATTERNS]
            for name in ("float16", "bfloat16"):
                dtype = CType("float", name).dtype
                expected = [float(np.uint16(bits).view(dtype)) for bits in _PATTERNS]
                pairs = [p for p in zip(answers, expected, strict=True) if p[0] is not None]
                # Some are wrong for numbers a sample does not have, and say so.
                if len(pairs) > len(_PATTERNS) // 2 and all(a == b for a, b in pairs):
                    function.decodes = name
                    if len(pairs) < len(_PATTERNS):
                        self.note_once(
                            f"{function.name} is undefined in C++ for some numbers; the port "
                            "prints the numbers"
                        )
        return bool(function.decodes)

    def _tried(self, function: Function, bits: int) -> Any:
        before = len(self.program.events)
        with self.trial():
            try:
                answer = self.call(function, [bits])
            except NotUnderstoodError:
                return None
            made = self.program.events[before:]
            return None if any(isinstance(e, Gap) for e in made) else answer

    def bind(self, function: Function, values: list[Any]) -> Scope:
        """Return the scope of a call."""
        return self.bind_with(function, [Argument(v) for v in values], [])

    def bind_with(
        self, function: Function, arguments: list[Argument], template: list[CType]
    ) -> Scope:
        """Return the scope of a call: template types and parameters."""
        scope = Scope(function.scope)
        parameters = compiled(self, function).parameters
        for name, ctype in template_types(self, function, arguments, template).items():
            scope.names[name] = ctype
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
        declare(scope, declarator.name, value, ctype, borrow=True)

    def run_body(self, function: Function, scope: Scope) -> Any:
        """Run the body of a function in the scope of a call, and return its result."""
        around = self.frame, self.turns, self.ends, self.labels
        if function.node is not None:
            self.program.entered[line_of(function.node)] += 1
        self.frame, self.turns, self.labels = scope, -1, {}
        try:
            signal = compiled(self, function).body(scope)
        finally:
            self.frame, self.turns, self.ends, self.labels = around
        if signal is not None and signal.kind == "goto":
            raise NotUnderstoodError(f"goes to {signal.value}, into a block")
        value = signal.value if signal is not None and signal.kind == "return" else None
        if value is None or function.result is None:
            return value
        ctype = function.result(scope)
        if ctype is VOID:
            return None
        if isinstance(value, Braces):
            return initialise(self, ctype, value.values, braces=True)
        if ctype.is_number:
            return initialise(self, ctype, [value])
        return value
