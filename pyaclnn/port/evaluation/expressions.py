"""Expressions: names, literals, operators, access, casts."""

from __future__ import annotations

import contextlib
import re
from typing import Any

from pyaclnn.port.data.constants import constant
from pyaclnn.port.data.conversions import convert, promoted
from pyaclnn.port.data.cpp_types import AUTO, BOOL, CHAR
from pyaclnn.port.data.memory import Vector, copied
from pyaclnn.port.data.references import address_of, dereferenced, describe, subscript
from pyaclnn.port.data.runtime_numbers import choice, type_of
from pyaclnn.port.data.symbols import (
    Expression,
    StatusTest,
    Symbol,
    UndecidedError,
    truth,
)
from pyaclnn.port.data.values import (
    Builtin,
    Cell,
    Function,
    Map,
    SmartPointer,
    Struct,
    Tuple,
    known,
)
from pyaclnn.port.errors import NotUnderstoodError, SampleError
from pyaclnn.port.evaluation.arithmetic import ONE_WAY_CHANGES, binary, both, compare, unary
from pyaclnn.port.evaluation.effects import may_change
from pyaclnn.port.evaluation.initialise import Braces, initialise
from pyaclnn.port.evaluation.interpreter import (
    EXPRESSIONS,
    LVALUES,
    Evaluator,
    Interpreter,
    Scope,
    compiles,
    not_understood,
)
from pyaclnn.port.evaluation.literals import character, number, string
from pyaclnn.port.evaluation.statictypes import static_type
from pyaclnn.port.evaluation.typeexpressions import cast
from pyaclnn.port.evaluation.typenames import type_of_node
from pyaclnn.port.frontend.syntax import Node, field, index_of, line_of, named, text_of, walk
from pyaclnn.port.library.files import FileValue, file_member

#: What stands around an expression whose value nobody takes.
_UNUSED = frozenset(["expression_statement", "for_statement", "comma_expression"])
_COMPARISONS = frozenset(["==", "!=", "<", "<=", ">", ">="])


@compiles(EXPRESSIONS, "number_literal")
def _number(interpreter: Interpreter, node: Node) -> Evaluator:
    value = number(text_of(node))
    return lambda scope: value


@compiles(EXPRESSIONS, "char_literal")
def _character(interpreter: Interpreter, node: Node) -> Evaluator:
    value = convert(character(text_of(node)), CHAR)
    return lambda scope: value


@compiles(EXPRESSIONS, "string_literal", "concatenated_string", "raw_string_literal")
def _string(interpreter: Interpreter, node: Node) -> Evaluator:
    value = string(node)
    return lambda scope: value


@compiles(EXPRESSIONS, "true", "false", "null", "nullptr")
def _word(interpreter: Interpreter, node: Node) -> Evaluator:
    value = {"true": True, "false": False}.get(text_of(node))
    return lambda scope: value


@compiles(EXPRESSIONS, "this")
def _this(interpreter: Interpreter, node: Node) -> Evaluator:
    return lambda scope: scope.find("this").get()


@compiles(EXPRESSIONS, "identifier", "field_identifier", "type_identifier")
def _identifier(interpreter: Interpreter, node: Node) -> Evaluator:
    around = node.parent
    called = around is not None and around.type == "call_expression"
    return _name(interpreter, text_of(node), line_of(node), called)


@compiles(EXPRESSIONS, "qualified_identifier")
def _qualified(interpreter: Interpreter, node: Node) -> Evaluator:
    text = text_of(node)
    inner = field(node, "name")
    if re.search(r"\bios(_base)?::", text):
        # A mode or position of a file stream.
        return lambda scope: text_of(inner).split("::")[-1]
    trait = re.match(r"(?:std::)?is_(same|floating_point|integral)(?:_v)?\s*<", text)
    if trait is not None:
        return _trait(node, trait.group(1))
    if "numeric_limits" in text:
        return lambda scope: constant(text)
    if inner.type in ("template_function", "qualified_identifier"):
        return interpreter.expression(inner)

    def find(scope: Scope) -> Any:
        found = scope.find(text) or scope.find(text_of(inner))
        if found is None:
            return constant(text_of(inner))
        return found.get() if isinstance(found, Cell) else found

    return find


def _trait(node: Node, word: str) -> Evaluator:
    """Compile a question about types, such as ``std::is_same<T, float>::value``."""
    lists = [n for n in walk(node) if n.type == "template_argument_list"]
    types = [type_of_node(t) for t in named(lists[0])]

    def answer(scope: Scope) -> bool:
        found = [t(scope) for t in types]
        if word == "same":
            return (found[0].kind, found[0].name) == (found[-1].kind, found[-1].name)
        return found[0].kind == ("float" if word == "floating_point" else "int")

    return answer


@compiles(EXPRESSIONS, "template_function")
def _template_function(interpreter: Interpreter, node: Node) -> Evaluator:
    return interpreter.expression(field(node, "name"))


#: Headers of C++ and of CANN declare no variable in lower case but these.
_HEADERS = re.compile(r"[a-z]+|c?(?:assert|float|math|std\w+|string|time)(?:\.h)?|acl\w*(?:/.*)?")
_GLOBALS = frozenset(["errno", "stdin", "environ", "signgam", "timezone", "daylight", "tzname"])


def _is_nowhere(interpreter: Interpreter, name: str) -> bool:
    """Return whether nothing that a sample includes can declare a variable that it uses."""
    if not name[:1].islower() or name in _GLOBALS or interpreter.missing:
        return False
    if not all(_HEADERS.fullmatch(header.removesuffix(".h")) for header in interpreter.included):
        return False
    return not re.search(rf"[\w>*&]\s+{name}\b(?<!return {name})", "\n".join(interpreter.lines))


def _name(interpreter: Interpreter, name: str, line: int, called: bool) -> Evaluator:
    if name == "__LINE__":
        return lambda scope: line
    if name in ("__FILE__", "__func__", "__FUNCTION__"):
        return lambda scope: "main" if "func" in name.lower() else "sample.cpp"

    def find(scope: Scope) -> Any:
        found = scope.find(name)
        if found is None:
            try:
                return constant(name)
            except NotUnderstoodError as error:
                if called or not _is_nowhere(interpreter, name):
                    raise
                raise SampleError(f"{error}, and does not compile") from None
        return known(found.get()) if isinstance(found, Cell) else found

    return find


@compiles(LVALUES, "identifier", "qualified_identifier")
def _variable(interpreter: Interpreter, node: Node) -> Evaluator:
    name = text_of(node)

    def find(scope: Scope) -> Any:
        found = scope.find(name) or scope.find(name.split("::")[-1])
        if found is None:
            with contextlib.suppress(NotUnderstoodError):
                found = constant(name.split("::")[-1])
        if isinstance(found, (Cell, Function, Builtin)):
            return found
        raise NotUnderstoodError(f"{name} is not a variable of the sample")

    return find


@compiles(EXPRESSIONS, "parenthesized_expression", "condition_clause", "init_statement")
def _parenthesized(interpreter: Interpreter, node: Node) -> Evaluator:
    return interpreter.expression(named(node)[-1])


@compiles(LVALUES, "parenthesized_expression")
def _parenthesized_lvalue(interpreter: Interpreter, node: Node) -> Evaluator:
    return interpreter.lvalue(named(node)[0])


@compiles(EXPRESSIONS, "comma_expression")
def _comma(interpreter: Interpreter, node: Node) -> Evaluator:
    left, right = (interpreter.expression(field(node, side)) for side in ("left", "right"))
    return lambda scope: (left(scope), right(scope))[1]


@compiles(EXPRESSIONS, "binary_expression")
def _binary(interpreter: Interpreter, node: Node) -> Evaluator:
    sign = text_of(field(node, "operator"))
    left, right = (interpreter.expression(field(node, side)) for side in ("left", "right"))
    if sign not in ("&&", "and", "||", "or") and may_change(field(node, "right")):
        left = _kept(interpreter, left)
    if sign in ("&&", "and", "||", "or"):
        word = "&&" if sign in ("&&", "and") else "||"
        changes = may_change(field(node, "right"))
        return lambda scope: both(word, known(left(scope)), lambda: known(right(scope)), changes)
    if sign in _COMPARISONS:
        return lambda scope: compare(sign, known(left(scope)), known(right(scope)))
    if sign == "<<":

        def shift(scope: Scope) -> Any:
            value = known(left(scope))
            if hasattr(value, "insert"):
                return value.insert(interpreter, node, known(right(scope)), scope)
            return binary("<<", value, known(right(scope)))

        return shift
    if sign == "+":
        return lambda scope: _sum(interpreter, node, scope, known(left(scope)), known(right(scope)))
    return lambda scope: binary(sign, known(left(scope)), known(right(scope)))


def _kept(interpreter: Interpreter, evaluate: Evaluator) -> Evaluator:
    """Return what evaluates an operand that is to stay what it is while the other is computed."""

    def keep(scope: Scope) -> Any:
        value = evaluate(scope)
        return interpreter.snapshot(value, "number") if isinstance(value, Symbol) else value

    return keep


def _sum(interpreter: Interpreter, node: Node, scope: Scope, left: Any, right: Any) -> Any:
    # A literal and a std::string are both str here; only the one is a pointer.
    if isinstance(left, str) and isinstance(right, int):
        ctype = static_type(interpreter, field(node, "left"), scope)
        if ctype.kind in ("pointer", "vector") and 0 <= right <= len(left):
            return left[right:]
    return binary("+", left, right)


@compiles(EXPRESSIONS, "unary_expression")
def _unary(interpreter: Interpreter, node: Node) -> Evaluator:
    sign = text_of(field(node, "operator"))
    argument = interpreter.expression(field(node, "argument"))
    if sign in ("!", "not"):

        def invert(scope: Scope) -> Any:
            value = known(argument(scope))
            if isinstance(value, StatusTest):
                return StatusTest(value.plan, not value.success, value.specific)
            try:
                return not truth(value)
            except UndecidedError:
                return Expression("not", (value,), BOOL)

        return invert
    return lambda scope: unary(sign, known(argument(scope)))


@compiles(EXPRESSIONS, "pointer_expression")
def _pointer(interpreter: Interpreter, node: Node) -> Evaluator:
    inner = field(node, "argument")
    if text_of(field(node, "operator")) == "*":
        pointer = interpreter.expression(inner)
        return lambda scope: known(dereferenced(pointer(scope)).get())
    target = interpreter.lvalue(inner)

    def address(scope: Scope) -> Any:
        found = target(scope)
        return found if isinstance(found, (Function, Builtin)) else address_of(found)

    return address


@compiles(LVALUES, "pointer_expression")
def _pointed(interpreter: Interpreter, node: Node) -> Evaluator:
    if text_of(field(node, "operator")) != "*":
        return not_understood("an address cannot be assigned to")
    pointer = interpreter.expression(field(node, "argument"))
    return lambda scope: dereferenced(pointer(scope))


@compiles(LVALUES, "subscript_expression")
def _item(interpreter: Interpreter, node: Node) -> Evaluator:
    container = interpreter.expression(field(node, "argument"))
    index = interpreter.expression(index_of(node))
    return lambda scope: subscript(container(scope), index(scope))


@compiles(EXPRESSIONS, "subscript_expression")
def _item_value(interpreter: Interpreter, node: Node) -> Evaluator:
    item = _item(interpreter, node)
    return lambda scope: known(item(scope).get())


@compiles(LVALUES, "field_expression")
def _field(interpreter: Interpreter, node: Node) -> Evaluator:
    holder = interpreter.expression(field(node, "argument"))
    name = text_of(field(node, "field"))

    def find(scope: Scope) -> Any:
        value = known(holder(scope))
        if isinstance(value, FileValue):
            return file_member(value, name)
        if not isinstance(value, (Struct, Tuple)):
            if isinstance(value, SmartPointer):
                value = value.value
            elif not isinstance(value, Map):
                value = dereferenced(value).get()
        if isinstance(value, Struct) and name in value.fields:
            return value.fields[name]
        if isinstance(value, Struct) and name in getattr(value.definition, "statics", {}):
            return value.definition.statics[name]
        if isinstance(value, Tuple) and name in ("first", "second"):
            return value.items[name == "second"]
        raise NotUnderstoodError(f"a {describe(value)} has no member {name}")

    return find


@compiles(EXPRESSIONS, "field_expression")
def _field_value(interpreter: Interpreter, node: Node) -> Evaluator:
    find = _field(interpreter, node)
    return lambda scope: known(find(scope).get())


@compiles(EXPRESSIONS, "assignment_expression")
def _assignment(interpreter: Interpreter, node: Node) -> Evaluator:
    target = interpreter.lvalue(field(node, "left"))
    value = interpreter.expression(field(node, "right"))
    sign = text_of(field(node, "operator"))[:-1]

    def assign(scope: Scope) -> Any:
        found = known(value(scope))
        place = target(scope)
        if sign:
            if isinstance(place, Cell) and (
                isinstance(found, Symbol) or place.depth < interpreter.decisions.open
            ):
                interpreter.materialise(place)
            found = binary(sign, known(place.get()), found)
        elif isinstance(found, Braces):
            found = initialise(interpreter, place.ctype, found.values, braces=True)
        elif isinstance(found, (Vector, Struct)):
            found = copied(found)
            found.name = ""
        else:
            found = copied(found)
        if isinstance(place.get(), SmartPointer) and not isinstance(found, SmartPointer):
            place.get().value = found
            return found
        place.set(found)
        return found

    return assign


@compiles(EXPRESSIONS, "update_expression")
def _update(interpreter: Interpreter, node: Node) -> Evaluator:
    target = interpreter.lvalue(field(node, "argument"))
    sign = text_of(field(node, "operator"))[0]
    before = text_of(node).lstrip("(").startswith(("+", "-"))
    used = node.parent is None or node.parent.type not in _UNUSED

    def update(scope: Scope) -> Any:
        place = target(scope)
        if isinstance(place, Cell) and place.depth < interpreter.decisions.open:
            interpreter.materialise(place)
        old = known(place.get())
        if used and not before and isinstance(old, Symbol):
            old = interpreter.snapshot(old, f"{text_of(field(node, 'argument'))}_before")
        place.set(binary(sign, known(place.get()), 1))
        return place.get() if before else old

    return update


@compiles(LVALUES, "update_expression", "assignment_expression")
def _update_lvalue(interpreter: Interpreter, node: Node) -> Evaluator:
    run = interpreter.expression(node)
    target = interpreter.lvalue(field(node, "argument") or field(node, "left"))
    return lambda scope: (run(scope), target(scope))[1]


@compiles(EXPRESSIONS, "conditional_expression")
def _conditional(interpreter: Interpreter, node: Node) -> Evaluator:
    parts = ("condition", "consequence", "alternative")
    condition, then, otherwise = (interpreter.expression(field(node, p)) for p in parts)
    changes = any(may_change(field(node, part)) for part in parts[1:])

    def choose(scope: Scope) -> Any:
        value = known(condition(scope))
        try:
            taken = truth(value)
        except UndecidedError:
            if changes:
                raise NotUnderstoodError(ONE_WAY_CHANGES) from None
            return choice(value, known(then(scope)), known(otherwise(scope)))
        found = known(then(scope) if taken else known(otherwise(scope)))
        if not isinstance(found, (Symbol, int, float)):
            return found
        other = static_type(interpreter, field(node, parts[2] if taken else parts[1]), scope)
        common = promoted(type_of(found), other)
        mine = type_of(found)
        if mine is AUTO or not other.is_number or mine.name == other.name:
            return found
        return cast(found, common)

    return choose


@compiles(EXPRESSIONS, "initializer_list")
def _braces(interpreter: Interpreter, node: Node) -> Evaluator:
    items = [interpreter.expression(n) for n in named(node)]
    return lambda scope: Braces([known(item(scope)) for item in items])


@compiles(EXPRESSIONS, "compound_literal_expression")
def _compound_literal(interpreter: Interpreter, node: Node) -> Evaluator:
    ctype = type_of_node(field(node, "type"))
    values = interpreter.expression(field(node, "value"))
    return lambda scope: initialise(interpreter, ctype(scope), values(scope).values, braces=True)
