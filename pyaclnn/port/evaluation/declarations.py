"""Declarations: variables, functions, structs, enums, type names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyaclnn.abi.declarations import index
from pyaclnn.port.data.conversions import convert
from pyaclnn.port.data.cpp_types import AUTO, INT, CType, vector_of
from pyaclnn.port.data.memory import Vector, copied
from pyaclnn.port.data.symbols import Named
from pyaclnn.port.data.values import Cell, Function, Struct, Tuple, known, note_name
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.initialise import Braces, initialise
from pyaclnn.port.evaluation.interpreter import (
    STATEMENTS,
    Interpreter,
    Runner,
    Scope,
    compiles,
    not_understood,
)
from pyaclnn.port.evaluation.statictypes import type_of_value
from pyaclnn.port.evaluation.typenames import (
    Declarator,
    bound_names,
    declared,
    tag_of,
    type_of_node,
)
from pyaclnn.port.frontend.syntax import Node, field, named, reparsed_arguments, text_of


def _declarators(node: Node) -> list[Node]:
    return [
        c
        for i, c in enumerate(node.children)
        if node.field_name_for_child(i) == "declarator" and c.is_named
    ]


def declared_names(node: Node) -> tuple[str, ...]:
    """Return the variables a declaration declares."""
    names: list[str] = []
    for declarator in _declarators(node):
        inner = field(declarator, "declarator") if declarator.type == "init_declarator" else None
        target = inner if inner is not None else declarator
        if bound_names(target):
            names += bound_names(target)
        else:
            names.append(declared(target, lambda scope: AUTO).name)
    return tuple(names)


def _defined_type(interpreter: Interpreter, specifier: Node) -> Runner:
    """Compile the definition in ``struct A {...} a;``; where there is none, to nothing."""
    if specifier.type.endswith("_specifier") and field(specifier, "body") is not None:
        return interpreter.statement(specifier)
    return lambda scope: None


@compiles(STATEMENTS, "declaration")
def _declaration(interpreter: Interpreter, node: Node) -> Runner:
    return interpreter.guarded(node, compile_declaration(interpreter, node), declared_names(node))


def compile_declaration(interpreter: Interpreter, node: Node) -> Runner:
    """Compile a declaration of variables."""
    specifier = field(node, "type")
    inner = _defined_type(interpreter, specifier)
    base = type_of_node(specifier)
    static = any(c.type == "storage_class_specifier" and text_of(c) == "static"
                 for c in node.children)  # fmt: skip
    makers = [_variable(interpreter, d, base, static, node) for d in _declarators(node)]

    def run(scope: Scope) -> None:
        inner(scope)
        for make in makers:
            make(scope)

    return run


def _variable(
    interpreter: Interpreter,
    node: Node,
    base: Callable[[Scope], CType],
    static: bool,
    owner: Node,
) -> Runner:
    value = field(node, "value") if node.type == "init_declarator" else None
    target = field(node, "declarator") if node.type == "init_declarator" else node
    if bound_names(target):
        return _structured(interpreter, target, value)
    declarator = declared(target, base)
    if declarator.parameters is not None and value is None:
        # No variable is void.
        nothing = text_of(field(owner, "type")) == "void" and "pointer" not in target.type
        if nothing or _is_prototype(declarator.parameters):
            return lambda scope: None
    if declarator.parameters is not None:
        arguments: list[Node] | None = reparsed_arguments(declarator.parameters)
        if "(*" in text_of(target).replace(" ", "") or value is not None:
            arguments = None
    elif value is not None and value.type == "argument_list":
        arguments = named(value)
    else:
        arguments = None
    if target.type == "qualified_identifier":
        return _member_defined(interpreter, declarator, value)
    if arguments is not None:
        return _kept(declarator.name, static, _constructed(interpreter, declarator, arguments))
    if value is None:
        return _kept(declarator.name, static, _default(interpreter, declarator))
    if declarator.reference:
        return _reference(interpreter, declarator, value)
    return _kept(declarator.name, static, _assigned(interpreter, declarator, value))


def _kept(name: str, static: bool, run: Runner) -> Runner:
    """Return what declares a variable; a static one is made once, and is there again."""
    kept: list[Cell] = []

    def once(scope: Scope) -> None:
        if not kept:
            run(scope)
            kept.append(scope.names[name])
        # By a name of its own, as the scope destroys what it has.
        scope.names[name] = ReferenceCell(name, kept[0])

    return once if static else run


def _member_defined(interpreter: Interpreter, declarator: Declarator, value: Node) -> Runner:
    """Compile ``int C::made = 0;``, which gives a static member its first value."""
    evaluate = interpreter.expression(value) if value is not None else None

    def run(scope: Scope) -> None:
        cell = scope.find(declarator.name)
        if not isinstance(cell, Cell):
            raise NotUnderstoodError(f"{declarator.name} is no static member of the sample")
        if evaluate is not None:
            found = known(evaluate(scope))
            values = found.values if isinstance(found, Braces) else [found]
            made = initialise(interpreter, cell.ctype, values, isinstance(found, Braces))
            cell.set(made)

    return run


def _is_prototype(parameters: Node) -> bool:
    """Return whether these are the parameters of a function, rather than arguments of a variable.

    Without knowing the types, ``x(n)`` and ``x(a * b)`` look like both.
    """
    found = named(parameters)
    if not found:
        return True
    for parameter in found:
        specifier = field(parameter, "type")
        if specifier is None:
            continue
        if specifier.type in ("primitive_type", "sized_type_specifier", "struct_specifier"):
            return True
        name = text_of(specifier)
        if name.endswith("_t") or _is_type_of_cann(name):
            return True
        if any(c.type == "type_qualifier" for c in parameter.children):
            return True
    return False


def _is_type_of_cann(name: str) -> bool:
    """Return whether it is a type: the deleter in ``p(tensor, aclDestroyTensor)`` is none."""
    found = index.find(name)
    return found is not None and found.kind not in ("function", "constant")


def _full_type(interpreter: Interpreter, declarator: Declarator, scope: Scope) -> CType:
    ctype = declarator.ctype(scope)
    for size in reversed(declarator.sizes):
        count = known(interpreter.expression(size)(scope)) if size is not None else None
        if count is not None and not isinstance(count, int):
            raise NotUnderstoodError("the length of an array is only known at run time")
        ctype = vector_of(ctype, count)
    return ctype


def declare(scope: Scope, name: str, value: Any, ctype: CType, borrow: bool = False) -> None:
    """Add a variable, naming what it holds."""
    # A parameter is another name of the caller's variable until it is assigned to.
    borrowed = borrow and isinstance(value, Named) and value.ctype.name == ctype.name
    cell = Cell(name, value if borrowed else None, ctype)
    if not borrowed:
        cell.set(value)
    note_name(value, name)
    if isinstance(value, Struct):
        for field_name, inner in value.fields.items():
            inner.name = f"{name}_{field_name}".strip("_")
            note_name(inner.value, inner.name)
    elif isinstance(value, Tuple):
        pair = len(value.items) == 2
        for index, inner in enumerate(value.items):
            inner.name = f"{name}_{('first', 'second')[index] if pair else index}"
    scope.names[name] = cell


def _constructed(interpreter: Interpreter, declarator: Declarator, nodes: list[Node]) -> Runner:
    evaluators = [interpreter.expression(n) for n in nodes]

    def run(scope: Scope) -> None:
        ctype = _full_type(interpreter, declarator, scope)
        arguments = [known(e(scope)) for e in evaluators]
        value = initialise(interpreter, ctype, arguments)
        declare(scope, declarator.name, value, _counted(declarator, ctype, value))

    return run


def _default(interpreter: Interpreter, declarator: Declarator) -> Runner:
    def run(scope: Scope) -> None:
        ctype = _full_type(interpreter, declarator, scope)
        declare(scope, declarator.name, initialise(interpreter, ctype, []), ctype)

    return run


def _reference(interpreter: Interpreter, declarator: Declarator, value: Node) -> Runner:
    evaluate = interpreter.expression(value)
    target = interpreter.lvalue(value)

    def run(scope: Scope) -> None:
        try:
            scope.names[declarator.name] = ReferenceCell(declarator.name, target(scope))
        except NotUnderstoodError:
            declare(scope, declarator.name, known(evaluate(scope)), AUTO)

    return run


class ReferenceCell(Cell):
    """A variable that is another name of something else."""

    __slots__ = ("target",)

    def __init__(self, name: str, target: Any) -> None:
        super().__init__(name, None, target.ctype)
        self.target = target

    def get(self) -> Any:
        """Return the value."""
        return self.target.get()

    def set(self, value: Any) -> None:
        """Assign."""
        self.target.set(value)


def _assigned(interpreter: Interpreter, declarator: Declarator, node: Node) -> Runner:
    evaluate = interpreter.expression(node)

    def run(scope: Scope) -> None:
        ctype = _full_type(interpreter, declarator, scope)
        value = known(evaluate(scope))
        if ctype is AUTO:
            ctype = type_of_value(value)
            value = _listed(interpreter, value) if isinstance(value, Braces) else copied(value)
            if not ctype.is_number:
                ctype = AUTO
        elif isinstance(value, Braces):
            value = initialise(interpreter, ctype, value.values, braces=True)
        elif ctype.kind == "pointer":
            value = _pointer_value(value, ctype)
        elif isinstance(value, Struct) and node.type == "call_expression":
            pass  # what a function gives is the object itself
        else:
            value = initialise(interpreter, ctype, [value])
        declare(scope, declarator.name, value, _counted(declarator, ctype, value))

    return run


def _counted(declarator: Declarator, ctype: CType, value: Any) -> CType:
    """Return the type of an array ``x[] = {...}`` with the length that its values give it."""
    if declarator.sizes and declarator.sizes[0] is None and isinstance(value, Vector):
        return vector_of(ctype.item or AUTO, value.count)
    return ctype


def _listed(interpreter: Interpreter, braces: Braces) -> Vector:
    found: Vector = initialise(interpreter, vector_of(AUTO), braces.values, braces=True)
    return found


def _pointer_value(value: Any, ctype: CType) -> Any:
    if isinstance(value, Vector):
        return value
    return None if isinstance(value, int) and value == 0 else value


def _structured(interpreter: Interpreter, target: Node, value: Node) -> Runner:
    names = bound_names(target)
    evaluate = interpreter.expression(value)

    def run(scope: Scope) -> None:
        found = known(evaluate(scope))
        if isinstance(found, Struct):
            cells = list(found.fields.values())
        elif isinstance(found, Tuple):
            cells = found.items
        else:
            raise NotUnderstoodError("takes apart something that is no pair, tuple or struct")
        for name, cell in zip(names, cells, strict=False):
            declare(scope, name, cell.get(), cell.ctype)

    return run


@compiles(STATEMENTS, "function_definition", "template_declaration")
def declare_function(interpreter: Interpreter, node: Node) -> Runner:
    """Compile the definition of a function, or of a template of one."""
    template: tuple[str, ...] = ()
    if node.type == "template_declaration":
        template = template_names(node)
        inner = named(node)[-1]
        if inner.type not in ("function_definition",):
            if not template and "_specifier" in inner.type:
                reason = "a specialisation of a struct is not supported"
                return interpreter.guarded(inner, not_understood(reason))
            return interpreter.statement(inner)
        node = inner
    explicit = _specialisation(node)
    function = make_function(node, template)
    owner = _owner(node)

    def run(scope: Scope) -> None:
        definition = interpreter.structs.get(owner)
        if definition is not None:
            definition.add(node, template)
            return
        if function is not None and explicit is not None:
            function.scope = scope
            _specialise(scope.find(explicit[0]), explicit, function)
        elif function is not None:
            function.scope = scope
            name = function.name
            first = scope.names.get(name)
            scope.names[name] = function
            if isinstance(first, Function) and first is not function:
                function.overloads = [*(first.overloads or [first]), function]

    return run


def template_names(node: Node) -> tuple[str, ...]:
    """Return the names of the parameters of a template."""
    return tuple(text_of(named(p)[-1]) for p in named(field(node, "parameters")) if named(p))


def _owner(node: Node) -> str:
    """Return the struct that a method is defined for outside of it; empty for other functions."""
    declarator = field(node, "declarator")
    while declarator is not None and declarator.type != "qualified_identifier":
        inner = field(declarator, "declarator")
        # That of a reference has no field.
        rest = [n for n in named(declarator) if n.type.endswith("declarator")]
        declarator = inner if inner is not None else rest[0] if rest else None
    scope = field(declarator, "scope") if declarator is not None else None
    return text_of(scope).split("::")[-1] if scope is not None else ""


def _specialisation(node: Node) -> tuple[str, list[Any]] | None:
    """Return name and types of ``template <> void f<float>(...)``; None for others."""
    declarator = field(node, "declarator")
    while declarator is not None and declarator.type != "template_function":
        declarator = field(declarator, "declarator") or field(declarator, "name")
    if declarator is None:
        return None
    types = [type_of_node(n) for n in named(field(declarator, "arguments"))]
    return text_of(field(declarator, "name")), types


def _specialise(general: Any, explicit: tuple[str, list[Any]], function: Function) -> None:
    found = general.overloads or [general] if isinstance(general, Function) else []
    templates = [f for f in found if f.template]
    if len(templates) != 1:
        raise NotUnderstoodError(f"it is not certain which template {explicit[0]} specialises")
    templates[0].specialisations.append((explicit[1], function))


def make_function(node: Node, template: tuple[str, ...] = ()) -> Function | None:
    """Return the function a definition defines, without its scope."""
    specifier = field(node, "type")
    result = type_of_node(specifier) if specifier is not None else None
    declarator = declared(field(node, "declarator"), result or (lambda scope: AUTO))
    body = field(node, "body")
    if declarator.parameters is None or body is None:
        return None
    function = Function(declarator.name.split("::")[-1], body, None, template)
    function.parameters = declarator.parameters
    function.result = declarator.ctype if specifier is not None else None
    return function


@compiles(STATEMENTS, "enum_specifier")
def _enum(interpreter: Interpreter, node: Node) -> Runner:
    prefix = tag_of(node)
    body = field(node, "body")
    base = field(node, "base")
    underlying = type_of_node(base) if base is not None else lambda scope: INT
    entries = []
    for entry in named(body) if body is not None else []:
        given = field(entry, "value")
        evaluate = interpreter.expression(given) if given is not None else None
        entries.append((text_of(field(entry, "name")), evaluate))

    def run(scope: Scope) -> None:
        value = -1
        ctype = underlying(scope)
        for entry, evaluate in entries:
            value = int(evaluate(scope)) if evaluate is not None else value + 1
            cell = Cell(entry, convert(value, ctype), ctype)
            scope.names[entry] = cell
            scope.names[f"{prefix}::{entry}"] = cell
        scope.names[prefix] = ctype

    return run


@compiles(STATEMENTS, "type_definition", "alias_declaration")
def _type_name(interpreter: Interpreter, node: Node) -> Runner:
    specifier = field(node, "type")
    inner = _defined_type(interpreter, specifier)
    base = type_of_node(specifier)
    if node.type == "alias_declaration":
        names = [(text_of(field(node, "name")), base)]
    else:
        found = [declared(d, base) for d in _declarators(node)]
        names = [(d.name, d.ctype) for d in found]

    def run(scope: Scope) -> None:
        inner(scope)
        for name, ctype in names:
            found = ctype(scope)
            scope.names[name] = found
            if found.name in interpreter.structs:
                interpreter.structs[name] = interpreter.structs[found.name]

    return run
