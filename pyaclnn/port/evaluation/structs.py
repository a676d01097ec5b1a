"""Structs and classes of the sample: fields, constructors, methods, destructors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any

from pyaclnn.port.data.conversions import is_signed
from pyaclnn.port.data.cpp_types import CType, vector_of
from pyaclnn.port.data.memory import Memory, Pointer
from pyaclnn.port.data.values import Cell, Function, Struct
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.declarations import make_function, template_names
from pyaclnn.port.evaluation.initialise import Braces, initialise
from pyaclnn.port.evaluation.interpreter import STATEMENTS, Interpreter, Runner, Scope, compiles
from pyaclnn.port.evaluation.layouts import layout, placed
from pyaclnn.port.evaluation.overloads import Argument, choose
from pyaclnn.port.evaluation.statictypes import type_of_value
from pyaclnn.port.evaluation.typenames import Declarator, declared, tag_of, type_of_node
from pyaclnn.port.frontend.syntax import Node, field, named, text_of, walk


@dataclass
class Definition:
    """The definition of a struct."""

    name: str
    interpreter: Interpreter
    scope: Scope
    fields: list[tuple[Declarator, Any]] = dataclass_field(default_factory=list)
    methods: dict[str, list[Function]] = dataclass_field(default_factory=dict)
    initialisers: dict[int, list[tuple[str, list[Any]]]] = dataclass_field(default_factory=dict)

    #: Static members, which all objects share.
    statics: dict[str, Cell] = dataclass_field(default_factory=dict)
    #: Bits of the fields that have fewer than their type.
    widths: dict[str, int] = dataclass_field(default_factory=dict)

    #: Whether all fields lie at the same place.
    is_union: bool = False
    #: Why an object is more than its fields; empty if it is not.
    irregular: str = ""

    def add(self, node: Node, template: tuple[str, ...]) -> None:
        """Add a method by its definition, in the struct or outside of it."""
        function = make_function(node, template)
        if function is None:
            return
        self.methods.setdefault(function.name, []).append(function)
        entries = [c for c in node.children if c.type == "field_initializer_list"]
        for entry in named(entries[0]) if entries else []:
            parts = named(entry)
            values = [self.interpreter.expression(n) for n in named(parts[-1])]
            found = self.initialisers.setdefault(id(function), [])
            found.append((text_of(parts[0]), values))

    def field_types(self) -> list[CType]:
        """Return the types of the fields, in their order.

        Raises
        ------
        NotUnderstoodError
            If the object has more than fields.
        """
        if self.irregular:
            raise NotUnderstoodError(f"the layout of {self.name} is not known: {self.irregular}")
        return [self.typed(declarator) for declarator, _ in self.fields]

    def typed(self, declarator: Declarator) -> CType:
        """Return the type of a field."""
        ctype = declarator.ctype(self.scope)
        for size in reversed(declarator.sizes):
            count = self.interpreter.expression(size)(self.scope) if size is not None else None
            ctype = vector_of(ctype, count)
        return ctype

    def make(self, arguments: list[Any], braces: bool) -> Struct:
        """Return a new object."""
        if self.is_union:
            return self._union(arguments)
        made = Struct(self.name, definition=self)
        for declarator, default in self.fields:
            ctype = self.typed(declarator)
            given = [default(self.scope)] if default is not None else []
            value = initialise(self.interpreter, ctype, given)
            width = self.widths.get(declarator.name)
            made.fields[declarator.name] = Cell(declarator.name, value, ctype) if width is None \
                else BitField(declarator.name, value, ctype, width)  # fmt: skip
        if len(arguments) == 1 and isinstance(arguments[0], Struct):
            if arguments[0].type_name == self.name and self._copies_itself():
                raise NotUnderstoodError(f"{self.name} has a constructor that copies or moves it")
            if arguments[0].type_name == self.name:
                return arguments[0].copy()
        constructors = self.methods.get(self.name, [])
        if constructors:
            self._construct(made, self._constructor(constructors, made, arguments), arguments)
        else:
            for cell, value in zip(made.fields.values(), arguments, strict=False):
                values = value.values if isinstance(value, Braces) else [value]
                is_list = isinstance(value, Braces)
                cell.set(initialise(self.interpreter, cell.ctype, values, is_list))
        return made

    def _union(self, arguments: list[Any]) -> Struct:
        """Return bytes that any of the fields is made of; an initialiser is that of the first."""
        ctype = CType("struct", self.name)
        if any(default is not None for _, default in self.fields):
            raise NotUnderstoodError("a union whose fields have default values")
        if len(arguments) == 1 and isinstance(arguments[0], Struct):
            return arguments[0].copy()
        size = layout(ctype, self.interpreter)[0]
        made = placed(self.interpreter, Pointer(Memory(size, self.name), 0, ctype))
        for cell, value in zip(made.fields.values(), arguments, strict=False):
            values = value.values if isinstance(value, Braces) else [value]
            cell.set(initialise(self.interpreter, cell.ctype, values, isinstance(value, Braces)))
        return made

    def _copies_itself(self) -> bool:
        """Return whether a constructor or destructor makes a copy more than its fields."""
        if "~" + self.name in self.methods:
            return True
        for function in self.methods.get(self.name, []):
            parameters = named(function.parameters)
            if (
                len(parameters) == 1
                and self.name in text_of(parameters[0]).replace("&", " ").split()
            ):
                return True
        return False

    def _constructor(
        self, constructors: list[Function], made: Struct, arguments: list[Any]
    ) -> Function:
        if len(constructors) == 1:
            return constructors[0]
        bound = [self.bound(f, made) for f in constructors]
        several = replace(bound[0], overloads=bound)
        given = [Argument(a, None, type_of_value(a)) for a in arguments]
        chosen = choose(self.interpreter, several, given)
        return constructors[[f.node.id for f in bound].index(chosen.node.id)]

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
        names.update(self.statics)
        for name in self.methods:
            names[name] = Method(self, name, this)
        method = Function(function.name, function.node, Scope(self.scope, names), function.template)
        method.parameters = function.parameters
        method.result = function.result
        method.body = function
        return method

    def method(self, name: str, this: Struct) -> Function | None:
        """Return a method by name; None if there is none."""
        found = [self.bound(f, this) for f in self.methods.get(name, [])]
        if len(found) > 1:
            return replace(found[0], overloads=found)
        return found[0] if found else None

    def destroy(self, this: Struct) -> None:
        """Run the destructor."""
        method = self.method("~" + self.name, this)
        if method is not None:
            self.interpreter.run_body(method, self.interpreter.bind(method, []))


class Method:
    """A method as another method of the object sees it; bound when it is called."""

    def __init__(self, definition: Definition, name: str, this: Struct) -> None:
        self.definition = definition
        self.name = name
        self.this = this

    def bind(self) -> Function | None:
        """Return the function."""
        return self.definition.method(self.name, self.this)


@compiles(STATEMENTS, "struct_specifier", "class_specifier", "union_specifier")
def _struct(interpreter: Interpreter, node: Node) -> Runner:
    name = tag_of(node)
    body = field(node, "body")

    def run(scope: Scope) -> None:
        if body is None:
            return
        definition = Definition(name, interpreter, scope)
        definition.is_union = node.type == "union_specifier"
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
    template: tuple[str, ...] = ()
    if node.type == "template_declaration":
        template, node = template_names(node), named(node)[-1]
    if node.type == "function_definition":
        definition.add(node, template)
    elif node.type == "field_declaration":
        specifier = field(node, "type")
        if specifier.type.endswith("_specifier") and field(specifier, "body") is not None:
            interpreter.statement(specifier)(scope)
        base = type_of_node(specifier)
        default = field(node, "default_value")
        evaluate = interpreter.expression(default) if default is not None else None
        static = any(c.type == "storage_class_specifier" and text_of(c) == "static"
                     for c in node.children)  # fmt: skip
        for index, child in enumerate(node.children):
            if child.type == "bitfield_clause" and definition.fields:
                width = int(interpreter.expression(named(child)[0])(scope))
                definition.widths[definition.fields[-1][0].name] = width
                definition.irregular = "it has bit fields"
            if node.field_name_for_child(index) == "declarator" and child.is_named:
                declarator = declared(child, base)
                if declarator.parameters is None and static:
                    _static_member(definition, declarator, evaluate, scope)
                elif declarator.parameters is None:
                    definition.fields.append((declarator, evaluate))
    elif node.type in (
        "struct_specifier", "union_specifier", "enum_specifier", "alias_declaration"
    ):  # fmt: skip
        interpreter.statement(node)(scope)


def _static_member(
    definition: Definition, declarator: Declarator, value: Any, scope: Scope
) -> None:
    ctype = definition.typed(declarator)
    given = [value(scope)] if value is not None else []
    cell = Cell(declarator.name, initialise(definition.interpreter, ctype, given), ctype)
    definition.statics[declarator.name] = cell
    scope.names[f"{definition.name}::{declarator.name}"] = cell


class BitField(Cell):
    """A field of some bits."""

    __slots__ = ("width",)

    def __init__(self, name: str, value: Any, ctype: CType, width: int) -> None:
        super().__init__(name, None, ctype)
        self.width = width
        self.set(value)

    def set(self, value: Any) -> None:
        """Assign as many bits as there are."""
        if not isinstance(value, (int, float)):
            raise NotUnderstoodError("assigns a result to a bit field")
        bits = int(value) & ((1 << self.width) - 1)
        if self.ctype.kind == "int" and is_signed(self.ctype) and bits >> (self.width - 1):
            bits -= 1 << self.width
        super().set(bits)

    def copy(self) -> BitField:
        """Return an independent field."""
        return BitField(self.name, self.value, self.ctype, self.width)
