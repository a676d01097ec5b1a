"""Structs and classes of the sample: fields, constructors, methods, destructors."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from pyaclnn.port.data.cpp_types import CType, vector_of
from pyaclnn.port.data.values import Cell, Function, Struct
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.declarations import make_function
from pyaclnn.port.evaluation.initialise import Braces, initialise
from pyaclnn.port.evaluation.interpreter import STATEMENTS, Interpreter, Runner, Scope, compiles
from pyaclnn.port.evaluation.typenames import Declarator, declared, tag_of, type_of_node
from pyaclnn.port.frontend.syntax import Node, field, named, text_of, walk


@dataclass
class Definition:
    """What a struct consists of."""

    name: str
    interpreter: Interpreter
    scope: Scope
    fields: list[tuple[Declarator, Any]] = dataclass_field(default_factory=list)
    methods: dict[str, list[Function]] = dataclass_field(default_factory=dict)
    initialisers: dict[int, list[tuple[str, list[Any]]]] = dataclass_field(default_factory=dict)

    #: Why an object is more than its fields; empty if it is not.
    irregular: str = ""

    def field_types(self) -> list[CType]:
        """Return the types of the fields, in their order.

        Raises
        ------
        NotUnderstoodError
            Where there is more in the object than its fields.
        """
        if self.irregular:
            raise NotUnderstoodError(f"the layout of {self.name} is not known: {self.irregular}")
        return [self._type(declarator) for declarator, _ in self.fields]

    def _type(self, declarator: Declarator) -> CType:
        ctype = declarator.ctype(self.scope)
        for size in reversed(declarator.sizes):
            count = self.interpreter.expression(size)(self.scope) if size is not None else None
            ctype = vector_of(ctype, count)
        return ctype

    def make(self, arguments: list[Any], braces: bool) -> Struct:
        """Return a new object."""
        made = Struct(self.name, definition=self)
        for declarator, default in self.fields:
            ctype = self._type(declarator)
            given = [default(self.scope)] if default is not None else []
            value = initialise(self.interpreter, ctype, given)
            made.fields[declarator.name] = Cell(declarator.name, value, ctype)
        constructors = [
            f for f in self.methods.get(self.name, []) if len(named(f.parameters)) >= len(arguments)
        ]
        if len(arguments) == 1 and isinstance(arguments[0], Struct):
            return arguments[0].copy()
        if constructors:
            self._construct(made, constructors[0], arguments)
        else:
            for cell, value in zip(made.fields.values(), arguments, strict=False):
                values = value.values if isinstance(value, Braces) else [value]
                is_list = isinstance(value, Braces)
                cell.set(initialise(self.interpreter, cell.ctype, values, is_list))
        return made

    def _construct(self, made: Struct, constructor: Function, arguments: list[Any]) -> None:
        bound = self.bound(constructor, made)
        scope = self.interpreter.bind(bound, arguments)
        for name, evaluators in self.initialisers.get(id(constructor), []):
            cell = made.fields.get(name)
            if cell is not None:
                values = [e(scope) for e in evaluators]
                cell.set(initialise(self.interpreter, cell.ctype, values))
        self.interpreter.run_body(bound, scope)

    def bound(self, function: Function, this: Struct) -> Function:
        """Return a method of one object."""
        names: dict[str, Any] = dict(this.fields)
        names["this"] = Cell("this", this)
        for name, functions in self.methods.items():
            names[name] = Method(self, functions[0], this)
        method = Function(function.name, function.node, Scope(self.scope, names), function.template)
        method.parameters = function.parameters
        method.result = function.result
        method.body = function
        return method

    def method(self, name: str, this: Struct) -> Function | None:
        """Return a method by name; None if there is none."""
        found = self.methods.get(name)
        return self.bound(found[0], this) if found else None

    def destroy(self, this: Struct) -> None:
        """Run the destructor."""
        method = self.method("~" + self.name, this)
        if method is not None:
            self.interpreter.run_body(method, self.interpreter.bind(method, []))


class Method:
    """A method as another method of the object sees it; bound when it is called."""

    def __init__(self, definition: Definition, function: Function, this: Struct) -> None:
        self.definition = definition
        self.function = function
        self.this = this

    def bind(self) -> Function:
        """Return the function."""
        return self.definition.bound(self.function, self.this)


@compiles(STATEMENTS, "struct_specifier", "class_specifier")
def _struct(interpreter: Interpreter, node: Node) -> Runner:
    name = tag_of(node)
    body = field(node, "body")

    def run(scope: Scope) -> None:
        if body is None:
            return
        definition = Definition(name, interpreter, scope)
        if any(c.type == "base_class_clause" for c in node.children):
            definition.irregular = "it has a base class"
        if any(c.type == "virtual" for c in walk(node)):
            definition.irregular = "it has virtual functions"
        for member in named(body):
            _member(definition, member, scope)
        interpreter.structs[name] = definition
        scope.names[name] = CType("struct", name)

    return run


def _member(definition: Definition, node: Node, scope: Scope) -> None:
    interpreter = definition.interpreter
    if node.type == "template_declaration":
        node = named(node)[-1]
    if node.type == "function_definition":
        function = make_function(node)
        if function is None:
            return
        definition.methods.setdefault(function.name, []).append(function)
        entries = [c for c in node.children if c.type == "field_initializer_list"]
        for entry in named(entries[0]) if entries else []:
            parts = named(entry)
            values = [interpreter.expression(n) for n in named(parts[-1])]
            found = definition.initialisers.setdefault(id(function), [])
            found.append((text_of(parts[0]), values))
    elif node.type == "field_declaration":
        base = type_of_node(field(node, "type"))
        default = field(node, "default_value")
        evaluate = interpreter.expression(default) if default is not None else None
        for index, child in enumerate(node.children):
            if node.field_name_for_child(index) == "declarator" and child.is_named:
                declarator = declared(child, base)
                if declarator.parameters is None:
                    definition.fields.append((declarator, evaluate))
    elif node.type in ("struct_specifier", "enum_specifier", "alias_declaration"):
        interpreter.statement(node)(scope)
