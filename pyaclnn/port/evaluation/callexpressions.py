"""Call expressions: functions, methods, constructors, casts, lambdas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyaclnn.port.data.constants import FUNCTIONS
from pyaclnn.port.data.cpp_types import AUTO, CHAR, NUMBERS, CType, pointer_to
from pyaclnn.port.data.memory import Vector, copied
from pyaclnn.port.data.references import dereferenced, describe, subscript
from pyaclnn.port.data.symbols import Symbol
from pyaclnn.port.data.values import (
    Builtin,
    Cell,
    CellPointer,
    Function,
    Map,
    SmartPointer,
    Struct,
    Unknown,
    known,
)
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.calls import Caller
from pyaclnn.port.evaluation.effects import may_change
from pyaclnn.port.evaluation.exceptions import STANDARD_ERRORS
from pyaclnn.port.evaluation.initialise import initialise
from pyaclnn.port.evaluation.interpreter import (
    EXPRESSIONS,
    LVALUES,
    Evaluator,
    Interpreter,
    Scope,
    compiles,
)
from pyaclnn.port.evaluation.layouts import layout, placed
from pyaclnn.port.evaluation.overloads import Argument
from pyaclnn.port.evaluation.statements import destroy
from pyaclnn.port.evaluation.statictypes import type_of_value
from pyaclnn.port.evaluation.typeexpressions import CASTS
from pyaclnn.port.evaluation.typenames import type_of_node
from pyaclnn.port.frontend.syntax import Node, field, line_of, named, text_of, walk
from pyaclnn.port.library.methods import METHODS, Receiver
from pyaclnn.port.library.randoms import RANDOM_TYPES

_TYPES = frozenset(
    ["vector", "array", "string", "pair", "tuple", "thread", "unique_ptr", "shared_ptr", "complex",
     *STANDARD_ERRORS]
)  # fmt: skip


def _arguments(interpreter: Interpreter, node: Node) -> Any:
    """Compile arguments to a function that returns their values and the lvalues they refer to."""
    compiled = []
    children = named(node)
    for index, child in enumerate(children):
        reference = interpreter.lvalue(child) if child.type in LVALUES else None
        keep = any(may_change(later) for later in children[index + 1 :])
        compiled.append((child, interpreter.expression(child), reference, keep))

    def evaluate(scope: Scope) -> list[Argument]:
        found = []
        for child, value, reference, keep in compiled:
            place = None
            if reference is not None and child.type in (
                "identifier",
                "subscript_expression",
                "field_expression",
                "pointer_expression",
            ):
                try:
                    place = reference(scope)
                except NotUnderstoodError:
                    place = None
            if isinstance(place, (Function, Builtin)):
                place = None
            if place is not None:
                found.append(Argument(known(place.get()), place, place.ctype))
                continue
            result = known(value(scope))
            if keep and isinstance(result, Symbol):
                result = interpreter.snapshot(result, "number")
            found.append(Argument(result, None, _argument_type(child, result)))
        return found

    return evaluate


def _argument_type(node: Node, value: Any) -> CType:
    """Return the type of an argument: text in quotes is a pointer, not a string."""
    if isinstance(value, str) and node.type in _QUOTED:
        return pointer_to(CHAR)
    return type_of_value(value)


_QUOTED = ("string_literal", "concatenated_string", "raw_string_literal")


@compiles(EXPRESSIONS, "call_expression")
def _call(interpreter: Interpreter, node: Node) -> Evaluator:
    function = field(node, "function")
    arguments = _arguments(interpreter, field(node, "arguments"))
    kind = function.type
    if kind == "field_expression":
        return _method(interpreter, node, function, arguments)
    if kind == "parenthesized_expression" and named(function)[0].type == "identifier":
        # A cast to a type that only a name tells from a function.
        function = named(function)[0]
        kind = function.type
    template = None
    text = text_of(function)
    inner = function
    while inner.type == "qualified_identifier":
        inner = field(inner, "name")
    if inner.type == "template_function":
        template = field(inner, "arguments")
        name = text_of(field(inner, "name"))
    else:
        name = text_of(inner)
    if name in CASTS and template is not None:
        ctype = type_of_node(named(template)[0])
        return lambda scope: CASTS[name](arguments(scope)[0].value, ctype(scope))
    made = name in _TYPES and (template is not None or kind != "identifier" or name == "string")
    if kind == "primitive_type" or made or name in RANDOM_TYPES:
        return _construct(interpreter, _made_type(interpreter, inner, text), arguments)
    types = [type_of_node(t) for t in named(template)] if template is not None else []
    return _function(interpreter, node, function, name, arguments, types)


def _made_type(interpreter: Interpreter, node: Node, text: str) -> Any:
    if node.type == "primitive_type":
        return type_of_node(node)
    row = "\n" * (line_of(node) - 1)
    # In an expression the parser takes vector<float>(...) for a function.
    from_text = interpreter.parse(f"{row}{text} x;")
    return type_of_node(field(named(from_text)[0], "type"))


def _construct(interpreter: Interpreter, ctype: Any, arguments: Any) -> Evaluator:
    def make(scope: Scope) -> Any:
        values = [a.value for a in arguments(scope)]
        found = ctype(scope)
        if found.is_number and len(values) == 1:
            return CASTS["static_cast"](values[0], found)
        return initialise(interpreter, found, values)

    return make


def _function(
    interpreter: Interpreter, node: Node, function: Node, name: str, arguments: Any, types: Any
) -> Evaluator:
    evaluate = interpreter.expression(function)
    standard = text_of(function).startswith("std::")
    if name == "move" and len(named(field(node, "arguments"))) == 1:
        return _move(interpreter, node, arguments)

    def call(scope: Scope) -> Any:
        found = scope.find(name)
        if standard and isinstance(found, Function):
            # A function of the sample's that is called like one of the library's.
            found = FUNCTIONS.get(name)
            if found is None:
                raise NotUnderstoodError(f"std::{name} is not supported")
        if isinstance(found, CType) or (found is None and name in NUMBERS):
            ctype = found or NUMBERS[name]
            values = [a.value for a in arguments(scope)]
            if ctype.is_number and len(values) == 1:
                return CASTS["static_cast"](values[0], ctype)
            return initialise(interpreter, ctype, values)
        target = known(found.get()) if isinstance(found, Cell) else found or evaluate(scope)
        interpreter.site = node.start_byte
        if isinstance(target, Builtin):
            given, template = arguments(scope), [t(scope) for t in types]
            interpreter.qualified = standard
            return interpreter.call_builtin(target, given, template)
        given = arguments(scope)
        return interpreter.call_with(target, given, [t(scope) for t in types])

    return call


def _move(interpreter: Interpreter, node: Node, arguments: Any) -> Evaluator:
    """Compile ``std::move``: what becomes of the source is known where a new object takes it."""
    takes = _takes(node)

    def move(scope: Scope) -> Any:
        argument = arguments(scope)[0]
        value, place = argument.value, argument.reference
        if place is None or not isinstance(value, (Map, Struct, Vector, str)):
            return value
        taken = copied(value)
        if not takes or isinstance(value, Struct):
            if isinstance(place, Cell):
                place.value = Unknown(f"{place.name} has been moved from")
        elif isinstance(value, Vector):
            value.resize(0)
        elif isinstance(value, Map):
            value.clear()
        else:
            place.set("")
        return taken

    return move


def _takes(node: Node) -> bool:
    """Return whether an object is made of an expression, or assigned it."""
    around = node.parent
    if around is None:
        return False
    if around.type == "init_declarator":
        return "reference" not in field(around, "declarator").type
    if around.type == "argument_list" and around.parent.type == "call_expression":
        function = field(around.parent, "function")
        name = field(function, "field") if function.type == "field_expression" else None
        return name is not None and text_of(name) in ("push_back", "emplace_back", "push")
    return bool(around.type == "assignment_expression")


def _method(interpreter: Interpreter, node: Node, function: Node, arguments: Any) -> Evaluator:
    holder = field(function, "argument")
    called = field(function, "field")
    name = text_of(called).split("<")[0]
    template = field(called, "arguments")
    types = [type_of_node(t) for t in named(template)] if template is not None else []
    evaluate = interpreter.expression(holder)
    place = interpreter.lvalue(holder) if holder.type in LVALUES else None
    arrow = any(c.type == "->" for c in function.children)

    def call(scope: Scope) -> Any:
        value = known(evaluate(scope))
        if isinstance(value, SmartPointer) and (arrow or name not in METHODS[SmartPointer]):
            value = value.value
        if arrow and isinstance(value, (CellPointer,)):
            value = dereferenced(value).get()
        if isinstance(value, Struct):
            given = arguments(scope)
            return _struct_method(interpreter, value, name, given, [t(scope) for t in types])
        for kind, methods in METHODS.items():
            if isinstance(value, kind) and name in methods:
                receiver = Receiver(interpreter, value, place(scope) if place else None)
                return methods[name](receiver, *[known(a.value) for a in arguments(scope)])
        raise NotUnderstoodError(f"the method {name} of a {describe(value)} is not supported")

    return call


def _struct_method(
    interpreter: Interpreter,
    value: Struct,
    name: str,
    arguments: list[Argument],
    types: list[CType],
) -> Any:
    if value.definition is None:
        if name in ("join", "detach", "lock", "unlock", "joinable"):
            return True
        raise NotUnderstoodError(f"the method {name} of a {value.type_name} is not supported")
    method = value.definition.method(name, value)
    if method is not None:
        return interpreter.call_with(method, arguments, types)
    if name in value.fields:
        return interpreter.call_with(value.fields[name].get(), arguments)
    raise NotUnderstoodError(f"{value.type_name} has no method {name}")


#: Methods of a vector that give a reference to an element: its index.
_ELEMENTS: dict[str, Any] = {
    "at": lambda vector, index: index,
    "front": lambda vector: 0,
    "back": lambda vector: vector.count - 1,
}


@compiles(LVALUES, "call_expression")
def _call_lvalue(interpreter: Interpreter, node: Node) -> Evaluator:
    run = interpreter.expression(node)
    function = field(node, "function")
    if function.type == "field_expression" and text_of(field(function, "field")) in _ELEMENTS:
        return _element(interpreter, node, function, run)

    def place(scope: Scope) -> Any:
        value = run(scope)
        return value if hasattr(value, "set") and hasattr(value, "ctype") else Temporary("", value)

    return place


def _element(interpreter: Interpreter, node: Node, function: Node, run: Evaluator) -> Evaluator:
    holder = interpreter.expression(field(function, "argument"))
    arguments = _arguments(interpreter, field(node, "arguments"))
    index = _ELEMENTS[text_of(field(function, "field"))]

    def place(scope: Scope) -> Any:
        value = known(holder(scope))
        if isinstance(value, Vector):
            return subscript(value, index(value, *[known(a.value) for a in arguments(scope)]))
        return Temporary("", run(scope))

    return place


class Temporary(Cell):
    """The result of a call, of which it is unknown whether it is a reference."""

    __slots__ = ()

    def set(self, value: Any) -> None:
        """Refuse, as the function may give a reference."""
        raise NotUnderstoodError("assigns to what a function gives")


def _copied_names(node: Node) -> set[str]:
    """Return the variables that a lambda has copies of: those named, or all with ``=``."""
    names: dict[bool, set[str]] = {False: set(), True: set()}
    everything = by_reference = False
    for child in field(node, "captures").children:
        if child.type == "identifier":
            names[by_reference].add(text_of(child))
        everything |= child.type == "lambda_default_capture" and text_of(child) == "="
        by_reference = child.type == "&"
    if everything:
        names[False] |= {text_of(n) for n in walk(field(node, "body")) if n.type == "identifier"}
    return names[False] - names[True]


@compiles(EXPRESSIONS, "lambda_expression")
def _lambda(interpreter: Interpreter, node: Node) -> Evaluator:
    declarator = field(node, "declarator")
    parameters = field(declarator, "parameters") if declarator is not None else None

    trailing = [c for c in named(declarator) if c.type == "trailing_return_type"] \
        if declarator is not None else []  # fmt: skip
    result = type_of_node(named(trailing[0])[0]) if trailing else None

    captures = []
    for capture in named(field(node, "captures")):
        if capture.type == "lambda_capture_initializer":
            parts = named(capture)
            captures.append((text_of(parts[0]), interpreter.expression(parts[-1])))
    copies = _copied_names(node)
    mutable = declarator is not None and "mutable" in text_of(declarator).split(")")[-1]

    def make(scope: Scope) -> Function:
        inner = Scope(scope)
        for name, value in captures:
            inner.declare(name, value(scope), AUTO)
        for name in copies:
            found = scope.find(name)
            if isinstance(found, Cell) and interpreter.globals.names.get(name) is not found:
                inner.names[name] = Cell(name, copied(found.get()), found.ctype)
        function = Function("lambda", field(node, "body"), inner)
        function.parameters = parameters
        function.result = result
        if mutable:
            function.state = tuple(inner.names)
        return function

    return make


class ProgramInterpreter(Caller):
    """The complete interpreter: functions, methods, the known functions, layouts."""

    def __init__(self, file: str, text: str, signature: Callable[[str], Any]) -> None:
        super().__init__(file, text, signature)
        self.decisions.place = lambda pointer: placed(self, pointer)
        self.decisions.size = lambda ctype: layout(ctype, self)[0]

    def destroy(self, value: Any) -> None:
        """Run the destructor of a value, where it has one."""
        destroy(self, value)

    def call_builtin(
        self, function: Builtin, arguments: list[Argument], template: list[CType]
    ) -> Any:
        """Call a function the translator knows."""
        self.template = template
        self.called = function.name
        self.arguments = arguments
        values = [known(a.value) for a in arguments]
        # A function of the library has a copy of what it calls.
        values = [v.copy() if isinstance(v, Function) else v for v in values]
        return function.call(self, *values)
