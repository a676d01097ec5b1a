"""Type names and declarators in source to `CType`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyaclnn.port.data.cpp_types import (
    AUTO,
    NUMBERS,
    STRING,
    VOID,
    CType,
    pointer_to,
    sized,
    vector_of,
)
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import EVALUATOR, Scope
from pyaclnn.port.frontend.syntax import Node, field, named, text_of

TypeEvaluator = Callable[[Scope], CType]

_VECTORS = frozenset(["vector", "array", "deque", "list", "initializer_list", "span"])
_SMART = frozenset(["unique_ptr", "shared_ptr"])
_MAPS = frozenset(["map", "unordered_map"])
_SAME = frozenset(["remove_reference_t", "decay_t", "remove_const_t", "optional", "atomic"])


@dataclass(frozen=True)
class Declarator:
    """What is declared: a name with the type around it.

    Attributes
    ----------
    name : str
        Empty for an unnamed parameter.
    ctype : callable
        Scope to type.
    reference : bool
        Whether it is declared with ``&``.
    parameters : Node, optional
        Of a function.
    """

    name: str
    ctype: TypeEvaluator
    reference: bool = False
    parameters: Node = None
    sizes: tuple[Node, ...] = ()


def type_of_node(node: Node) -> TypeEvaluator:
    """Return the evaluator of a type, as a specifier or descriptor."""
    kind = node.type
    if kind == "type_descriptor":
        declarator = field(node, "declarator")
        base = type_of_node(field(node, "type"))
        if declarator is None:
            return base
        outer = declared(declarator, base)
        return _array(outer) if outer.sizes else outer.ctype
    if kind == "sized_type_specifier":
        found = sized(text_of(node).split())
        return lambda scope: found
    if kind in ("placeholder_type_specifier", "auto"):
        return lambda scope: AUTO
    if kind == "decltype":
        return lambda scope: AUTO
    if kind in ("struct_specifier", "class_specifier", "enum_specifier", "union_specifier"):
        return _named(tag_of(node))
    if kind == "qualified_identifier":
        return type_of_node(field(node, "name"))
    if kind == "template_type":
        return _template(node)
    if kind == "dependent_type":
        return type_of_node(named(node)[0])
    return _named(text_of(node))


def _array(declarator: Declarator) -> TypeEvaluator:
    """Return the evaluator of ``int[2][3]``."""

    def array(scope: Scope) -> CType:
        ctype = declarator.ctype(scope)
        for size in reversed(declarator.sizes):
            ctype = vector_of(ctype, _length(size, scope) if size is not None else None)
        return ctype

    return array


def tag_of(node: Node) -> str:
    """Return the name of a struct or enum; one made up for one without."""
    name = field(node, "name")
    return text_of(name) if name is not None else f"unnamed{node.start_byte}"


def _named(name: str) -> TypeEvaluator:
    short = name.split("::")[-1].strip()
    if short == "void":
        return lambda scope: VOID
    if short == "string":
        return lambda scope: STRING

    def find(scope: Scope) -> CType:
        found = scope.find(short)
        if isinstance(found, CType):
            return found
        if short in NUMBERS:
            return NUMBERS[short]
        return CType("other", short)

    return find


def _template(node: Node) -> TypeEvaluator:
    name = text_of(field(node, "name")).split("::")[-1]
    arguments = named(field(node, "arguments"))
    if name in _SAME and arguments:
        return type_of_node(arguments[0])
    items = [type_of_node(a) for a in arguments if a.type == "type_descriptor"]
    if name in _VECTORS and items:
        if name == "array" and len(arguments) < 2:
            return lambda scope: CType("other", "array")

        def vector(scope: Scope) -> CType:
            if name != "array":
                item = items[0](scope)
                return CType("vector", f"{name}<{item.name}>", item)
            return vector_of(items[0](scope), _length(arguments[1], scope))

        return vector
    if name in _SMART and items:
        return lambda scope: CType("smart", name, items[0](scope))
    if name in _MAPS and len(items) > 1:
        return lambda scope: CType("map", name, items[1](scope))
    if name == "complex":
        return lambda scope: CType(
            "complex", "complex128" if items[0](scope).size == 8 else "complex64"
        )
    if name == "duration" and len(arguments) > 1:
        name += ":" + text_of(arguments[1]).split("::")[-1]
    return lambda scope: CType("other", name, items[0](scope) if items else None, len(items))


def _length(node: Node, scope: Scope) -> int:
    """Return the value of a template argument that is a number."""
    if node.type == "type_descriptor":
        found = scope.find(text_of(node).split("::")[-1])
        count = found.get() if found is not None and not isinstance(found, CType) else None
    else:
        count = scope.find(EVALUATOR).expression(node)(scope)
    if not isinstance(count, int):
        raise NotUnderstoodError(f"the number {text_of(node)} is not known")
    return int(count)


def declared(node: Node | None, base: TypeEvaluator) -> Declarator:
    """Return what a declarator declares.

    Parameters
    ----------
    node : Node or None
        The declarator, with pointers, references and brackets around the name.
    base : callable
        The type in front of it.
    """
    reference = False
    sizes: list[Node] = []
    parameters: Node = None
    while node is not None:
        kind = node.type
        if "pointer_declarator" in kind:
            base = _pointer(base)
        elif "reference_declarator" in kind:
            reference = True
        elif "array_declarator" in kind:
            sizes.insert(0, field(node, "size"))
        elif "function_declarator" in kind:
            parameters = field(node, "parameters")
        elif kind == "init_declarator":
            pass
        elif "parenthesized_declarator" not in kind:
            break
        inner = field(node, "declarator")
        if inner is None:
            children = [c for c in named(node) if c.type not in ("type_qualifier", "attribute")]
            children = [c for c in children if c is not parameters and c not in sizes]
            inner = children[0] if children else None
        node = inner
    name = text_of(node) if node is not None else ""
    return Declarator(name, base, reference, parameters, tuple(sizes))


def bound_names(node: Node) -> list[str]:
    """Return the names of a structured binding, ``auto& [a, b]``; none for other declarators."""
    while node is not None and "structured" not in node.type:
        inner = [c for c in named(node) if "declarator" in c.type]
        node = inner[0] if inner and node.type == "reference_declarator" else None
    return [text_of(n) for n in named(node)] if node is not None else []


def _pointer(base: TypeEvaluator) -> TypeEvaluator:
    return lambda scope: pointer_to(base(scope))
