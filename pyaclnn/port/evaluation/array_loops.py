"""Long loops that fill arrays by arithmetic on their counter, evaluated at once with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as field_of
from typing import Any

import numpy as np

from pyaclnn.port.data.conversions import (
    bits_of,
    convert,
    fits,
    is_signed,
    plain,
    promoted,
    type_of_number,
)
from pyaclnn.port.data.cpp_types import AUTO, CType
from pyaclnn.port.data.memory import MAX_BYTES, MAX_UNIFORM, Memory, Pointer, Vector, data_pointer
from pyaclnn.port.data.values import Cell, Function, known
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Evaluator, Interpreter, Scope
from pyaclnn.port.evaluation.literals import number
from pyaclnn.port.evaluation.typenames import declared, type_of_node
from pyaclnn.port.frontend.syntax import Node, field, index_of, named, text_of, walk
from pyaclnn.port.library.randoms import Distribution, Engine, returned

MIN_TURNS = 64
#: How many are done at once, so that no more memory is taken than the arrays need.
_TURNS = 1 << 20

Array = np.ndarray[Any, Any]
#: Evaluates an expression for all turns: an array, or a number that is the same in each.
Formula = Callable[[Scope, Array], Any]

#: Computes what a statement does in all turns, and returns the memory it writes, and what does it.
Preparer = Callable[[Scope, Array], tuple[Any, Callable[[], None]]]


@dataclass
class Loop:
    """A loop that may be vectorised.

    Attributes
    ----------
    variable : str
        Its counter.
    draws : int
        How many random numbers an iteration draws; with more than one, the order matters.
    """

    variable: str
    draws: int = 0
    #: Variables of the body, with what they are in each turn.
    locals: dict[str, Any] = field_of(default_factory=dict)
    #: The functions whose bodies this is, which do not call themselves.
    inside: frozenset[int] = frozenset()
    #: What an engine that draws several numbers in a turn drew, a row for each.
    block: tuple[Engine, Array] | None = None
    #: Memory that the turns read, and that they write, where they are done at once.
    read: list[Any] = field_of(default_factory=list)
    drawn: list[tuple[Engine, Distribution]] = field_of(default_factory=list)
    #: Whether a turn makes an array longer, and whether one asks how long one is.
    appends: bool = False
    asks_length: bool = False


_SIGNS = frozenset("+-*/%&|^")


class NoFormulaError(Exception):
    """A loop cannot be vectorised."""


def filled(interpreter: Interpreter, node: Node) -> Callable[[Scope], bool] | None:
    """Return a function that runs a whole ``for`` loop; None if it does more than fill arrays.

    The function returns whether it succeeded; otherwise the counter has its progress.
    """
    head = counter_of(interpreter, node)
    body = field(node, "body")
    statements = named(body) if body.type == "compound_statement" else [body]
    if head is None or not statements:
        return None
    variable, bound, inclusive = head
    loop = Loop(variable)
    try:
        stores = [_step(interpreter, s, loop) for s in statements]
    except NoFormulaError:
        return None
    if all(s.type == "declaration" for s in statements) or (loop.appends and loop.asks_length):
        return None
    count = _counting(interpreter, statements[0], variable) if len(statements) == 1 else None

    def run(scope: Scope) -> bool:
        cell, last = scope.find(variable), bound(scope)
        if interpreter.decisions.open or not isinstance(cell, Cell) or not isinstance(last, int):
            return False
        start = cell.get()
        end = int(last) + inclusive
        if not isinstance(start, int) or not MIN_TURNS <= end - start <= MAX_UNIFORM:
            return False
        kind = cell.ctype if cell.ctype.is_number else CType("int", "int32")
        if not fits(end, kind):
            return False
        if count is not None and start == 0 and count(scope, end, kind):
            cell.set(end)
            return True
        for begin in range(int(start), end, _TURNS):
            counter = np.arange(begin, min(begin + _TURNS, end), dtype=kind.dtype)
            try:
                acts = _prepared(interpreter, loop, stores, scope, counter)
            except (NoFormulaError, ValueError, TypeError, ArithmeticError, NotUnderstoodError):
                return False  # the loop goes on turn by turn from here
            for act in acts:
                act()
            cell.set(min(begin + _TURNS, end))
        return True

    return run


def _counting(
    interpreter: Interpreter, node: Node, variable: str
) -> Callable[[Scope, int, CType], bool] | None:
    """Return what gives all of a long vector its index, or that and a constant; None for others.

    ``v[i] = (T)(i - 100)`` is done without the numbers, of which there may be too many.
    """
    inner = named(node)[0] if node.type == "expression_statement" and named(node) else node
    if inner.type != "assignment_expression" or text_of(field(inner, "operator")) != "=":
        return None
    left = field(inner, "left")
    if left.type != "subscript_expression":
        return None
    if text_of(index_of(left)) != variable:
        return None
    container = interpreter.expression(field(left, "argument"))
    right = field(inner, "right")
    parts = _cast_parts(interpreter, right)
    cast = type_of_node(parts[0]) if parts is not None else None
    right = parts[1] if parts is not None else right
    while right.type == "parenthesized_expression":
        right = named(right)[0]
    moved: Evaluator | None = None
    operator = text_of(field(right, "operator")) if right.type == "binary_expression" else ""
    if operator in ("+", "-"):
        other = field(right, "right")
        if any(n.type == "identifier" and text_of(n) == variable for n in walk(other)):
            return None
        moved = interpreter.expression(other)
        right = field(right, "left")
    if text_of(right) != variable:
        return None

    def run(scope: Scope, end: int, kind: CType) -> bool:
        vector, by = container(scope), 0 if moved is None else known(moved(scope))
        if not isinstance(vector, Vector) or not vector.item.is_number or vector.start:
            return False
        memory, item = vector.memory, vector.item
        if vector.count != end or memory.size != end * item.size or not isinstance(by, int):
            return False
        if cast is not None and cast(scope) != item:
            return False
        common, first = promoted(kind, type_of_number(by)), plain(by)
        first = -first if operator == "-" else first
        ends = (first, first + end - 1)
        wide = item if item.kind == "int" and item.size >= 4 else common
        if not is_signed(common) or not all(fits(e, common) and fits(e, wide) for e in ends):
            return False
        return memory.count_up(first, item)

    return run


def _prepared(
    interpreter: Interpreter, loop: Loop, stores: list[Preparer], scope: Scope, counter: Array
) -> list[Callable[[], None]]:
    """Compute the effects of all iterations, and return the functions that apply them.

    Raises
    ------
    NoFormulaError
        If an iteration may read what another writes.
    """
    loop.read, loop.drawn, loop.block = [], [], None
    written: list[Any] = []
    acts = []
    with np.errstate(all="ignore"), returned(interpreter, loop.drawn):
        for store in stores:
            memory, act = store(scope, counter)
            if memory is not None:
                written.append(memory)
                acts.append(act)
        if any(memory is other for memory in loop.read for other in written):
            raise NoFormulaError
    return acts


def counter_of(interpreter: Interpreter, node: Node) -> tuple[str, Evaluator, int] | None:
    """Return the counter of a ``for`` loop, its last value, and whether it takes that."""
    test, update = field(node, "condition"), field(node, "update")
    if test is None or update is None or test.type != "binary_expression":
        return None
    left, sign = field(test, "left"), text_of(field(test, "operator"))
    name = text_of(left)
    if left.type != "identifier" or sign not in ("<", "<="):
        return None
    if text_of(update).replace(" ", "") not in (f"{name}++", f"++{name}", f"{name}+=1"):
        return None
    return name, interpreter.expression(field(test, "right")), int(sign == "<=")


def _step(interpreter: Interpreter, node: Node, loop: Loop) -> Preparer:
    """Compile one statement of the body; of several draws in one, the order is not certain."""
    before = loop.draws
    step = _local(interpreter, node, loop) if node.type == "declaration" else \
        _store(interpreter, node, loop)  # fmt: skip
    if loop.draws > before + 1:
        raise NoFormulaError
    return step


def _local(interpreter: Interpreter, node: Node, loop: Loop) -> Preparer:
    """Compile ``T name = value;``, which each turn has one of its own of."""
    parts = [c for c in named(node) if c.type == "init_declarator"]
    others = {"type_qualifier", "init_declarator", "comment"}
    specifier = field(node, "type")
    if len(parts) != 1 or any(
        c.type not in others and c.id != specifier.id for c in named(node)
    ):  # fmt: skip
        raise NoFormulaError
    target, value = field(parts[0], "declarator"), field(parts[0], "value")
    if target.type != "identifier" or value is None or text_of(target) == loop.variable:
        raise NoFormulaError
    ctype, name = type_of_node(specifier), text_of(target)
    formula = _formula(interpreter, value, loop)
    loop.locals[name] = None

    def prepare(scope: Scope, counter: Array) -> Any:
        found, kind = formula(scope, counter), ctype(scope)
        if kind is not AUTO and not kind.is_number:
            raise NoFormulaError
        found = np.broadcast_to(np.asarray(found), counter.shape)
        loop.locals[name] = found if kind is AUTO else _as(found, kind, counter.shape)
        return None, None

    return prepare


def _store(interpreter: Interpreter, node: Node, loop: Loop) -> Preparer:
    """Compile one statement of the body to what prepares its effect."""
    parts = named(node)
    if node.type != "expression_statement" or len(parts) != 1:
        raise NoFormulaError
    inner = parts[0]
    if inner.type == "assignment_expression" and text_of(field(inner, "operator")) == "=":
        return _assignment(interpreter, inner, loop)
    if inner.type == "call_expression":
        return _appending(interpreter, inner, loop)
    raise NoFormulaError


def _assignment(interpreter: Interpreter, node: Node, loop: Loop) -> Preparer:
    left = field(node, "left")
    if left.type != "subscript_expression":
        raise NoFormulaError
    container = interpreter.expression(field(left, "argument"))
    index = _formula(interpreter, index_of(left), loop)
    value = _formula(interpreter, field(node, "right"), loop)

    def prepare(scope: Scope, counter: Array) -> Any:
        target = container(scope)
        if isinstance(target, Vector):
            if not target.item.is_number:
                raise NoFormulaError
            room = target.count
            target = data_pointer(target)
        else:
            room = MAX_BYTES
        if not isinstance(target, Pointer) or not isinstance(target.target, Memory):
            raise NoFormulaError
        memory, ctype = target.target, target.ctype
        places = np.asarray(index(scope, counter), dtype=np.int64)
        values = _as(value(scope, counter), ctype, places.shape)
        if memory.symbolic or not ctype.is_number or places.shape != counter.shape:
            raise NoFormulaError
        low, high = int(places.min()), int(places.max())
        if low < 0 or high >= room or target.offset + (high + 1) * ctype.size > memory.size:
            raise NoFormulaError

        def act() -> None:
            memory.writable()
            memory.view(ctype, target.offset)[places] = values

        return memory, act

    return prepare


def _appending(interpreter: Interpreter, node: Node, loop: Loop) -> Preparer:
    function = field(node, "function")
    arguments = named(field(node, "arguments"))
    if function.type != "field_expression" or len(arguments) != 1:
        raise NoFormulaError
    if text_of(field(function, "field")) not in ("push_back", "emplace_back"):
        raise NoFormulaError
    holder = interpreter.expression(field(function, "argument"))
    value = _formula(interpreter, arguments[0], loop)
    loop.appends = True

    def prepare(scope: Scope, counter: Array) -> Any:
        vector = holder(scope)
        if not isinstance(vector, Vector) or not vector.item.is_number or vector.memory.symbolic:
            raise NoFormulaError
        values = _as(value(scope, counter), vector.item, counter.shape)

        def act() -> None:
            before = vector.count
            vector.resize(before + counter.size)
            vector.memory.view(vector.item)[before : before + counter.size] = values

        return vector.memory, act

    return prepare


def _as(value: Any, ctype: CType, shape: tuple[int, ...]) -> Array:
    """Return values as elements of a type, as C converts them."""
    found = np.broadcast_to(np.asarray(value), shape)
    if ctype.kind == "int" and found.dtype.kind == "f":
        low, high = (
            (convert(v, ctype) for v in (found.min(), found.max())) if found.size else (0, 0)
        )
        if not (low <= high and np.all(np.abs(found) < 2.0**62)):
            raise NoFormulaError
        found = found.astype(np.int64)
    return found.astype(ctype.dtype)


def _formula(interpreter: Interpreter, node: Node, loop: Loop) -> Formula:
    kind = node.type
    if kind == "parenthesized_expression":
        return _formula(interpreter, named(node)[0], loop)
    if kind == "number_literal":
        literal = number(text_of(node))
        constant = type_of_number(literal).dtype.type(plain(literal))
        return lambda scope, counter: constant
    if kind == "identifier":
        return _variable(text_of(node), loop)
    if kind == "conditional_expression":
        return _conditional(interpreter, node, loop)
    if kind == "binary_expression":
        return _binary(interpreter, node, loop)
    cast = _cast_parts(interpreter, node)
    if cast is not None:
        return _cast(interpreter, *cast, loop)
    if kind == "call_expression":
        function, arguments = field(node, "function"), named(field(node, "arguments"))
        if function.type == "identifier":
            return _calling(interpreter, function, arguments, loop)
        if function.type == "field_expression" and not arguments:
            return _length(interpreter, node, loop)
    if kind == "subscript_expression":
        return _element(interpreter, node, loop)
    if kind == "unary_expression" and text_of(field(node, "operator")) == "-":
        zero, inner = np.int32(0), _formula(interpreter, field(node, "argument"), loop)
        return lambda scope, counter: _negated(zero, inner(scope, counter))
    raise NoFormulaError


def _cast_parts(interpreter: Interpreter, node: Node) -> tuple[Node, Node] | None:
    """Return the type and the value of a cast, however it is written; None for other nodes."""
    if node.type == "cast_expression":
        return field(node, "type"), field(node, "value")
    if node.type != "call_expression":
        return None
    function, arguments = field(node, "function"), named(field(node, "arguments"))
    if len(arguments) != 1:
        return None
    if function.type == "primitive_type" or (
        function.type == "identifier" and _is_type(interpreter, function)
    ):
        return function, arguments[0]
    if text_of(function).startswith("static_cast<"):
        return named(field(function, "arguments"))[0], arguments[0]
    if function.type == "parenthesized_expression":
        # One to a type that only a name tells from a function.
        return named(function)[0], arguments[0]
    return None


def _is_type(interpreter: Interpreter, node: Node) -> bool:
    """Return whether a name that is called is a type of numbers, to which that casts."""
    try:
        return bool(type_of_node(node)(interpreter.globals).is_number)
    except NotUnderstoodError:
        return False


def _length(interpreter: Interpreter, node: Node, loop: Loop) -> Formula:
    """Compile ``v.size()``, which is loop-invariant."""
    function = field(node, "function")
    holder = field(function, "argument")
    if holder.type != "identifier" or text_of(field(function, "field")) != "size":
        raise NoFormulaError
    if loop.inside or text_of(holder) in (loop.variable, *loop.locals):
        raise NoFormulaError
    loop.asks_length = True
    evaluate = interpreter.expression(node)

    def compute(scope: Scope, counter: Array) -> Any:
        value = known(evaluate(scope))
        if not isinstance(value, int):
            raise NoFormulaError
        return type_of_number(value).dtype.type(plain(value))

    return compute


def _negated(zero: Any, value: Any) -> Any:
    ctype = promoted(_type(value), _type(zero))
    if ctype.kind == "float":
        return -np.asarray(value)
    found = np.asarray(value).astype(ctype.dtype)
    return _integers("-", np.zeros_like(found), found, ctype)


def _conditional(interpreter: Interpreter, node: Node, loop: Loop) -> Formula:
    """Compile ``condition ? a : b``: both are computed, which changes nothing."""
    condition = _formula(interpreter, field(node, "condition"), loop)
    before = loop.draws
    ways = [_formula(interpreter, field(node, n), loop) for n in ("consequence", "alternative")]
    if loop.draws != before:
        raise NoFormulaError

    def compute(scope: Scope, counter: Array) -> Any:
        chosen = np.asarray(condition(scope, counter)).astype(bool)
        a, b = (way(scope, counter) for way in ways)
        common = promoted(_type(a), _type(b))
        if common is AUTO:
            raise NoFormulaError
        return np.where(chosen, *(np.asarray(v).astype(common.dtype) for v in (a, b)))

    return compute


def _calling(
    interpreter: Interpreter, function: Node, arguments: list[Node], loop: Loop
) -> Formula:
    """Compile a call: of a distribution, an engine, or a function that only computes."""
    evaluate = interpreter.expression(function)
    before = loop.draws
    may_draw = len(arguments) < 2 and not isinstance(
        interpreter.globals.find(text_of(function)), Function
    )
    if may_draw:
        draws = _drawing(interpreter, evaluate, arguments, loop)
    try:
        values = [_formula(interpreter, a, loop) for a in arguments]
    except NoFormulaError:
        if not may_draw:
            raise
        values = []
    if loop.draws > before + 1:
        raise NoFormulaError
    inlined: dict[int, Formula] = {}

    def compute(scope: Scope, counter: Array) -> Any:
        found = scope.find(text_of(function))
        found = found.get() if isinstance(found, Cell) else found
        if not isinstance(found, Function):
            if not may_draw:
                raise NoFormulaError
            return draws(scope, counter)
        if len(values) != len(arguments) or id(found) in loop.inside:
            raise NoFormulaError
        if may_draw and loop.draws > 1:
            # It was counted as a draw, and is none.
            raise NoFormulaError
        if id(found) not in inlined:
            inlined[id(found)] = _inlined(interpreter, found, values, loop.inside)
        return inlined[id(found)](scope, counter)

    return compute


def _inlined(
    interpreter: Interpreter, function: Function, values: list[Formula], inside: frozenset[int]
) -> Formula:
    """Compile the body of a function that is declarations and a return."""
    parameters = named(function.parameters) if function.parameters is not None else []
    if function.overloads or function.template or function.state or function.node is None:
        raise NoFormulaError
    if len(parameters) != len(values) or function.node.type != "compound_statement":
        raise NoFormulaError
    inner = Loop("", inside=inside | {id(function)})
    targets = [declared(field(p, "declarator"), type_of_node(field(p, "type"))) for p in parameters]
    if any(t.reference or t.sizes or t.parameters is not None for t in targets):
        raise NoFormulaError
    inner.locals = dict.fromkeys((t.name for t in targets), None)
    *steps, last = [n for n in named(function.node) if n.type != "comment"]
    if last.type != "return_statement" or any(s.type != "declaration" for s in steps):
        raise NoFormulaError
    before = [_local(interpreter, s, inner) for s in steps]
    result = _formula(interpreter, named(last)[0], inner)
    if inner.draws:
        raise NoFormulaError

    def compute(scope: Scope, counter: Array) -> Any:
        outer = function.scope
        for target, value in zip(targets, values, strict=True):
            ctype = target.ctype(outer)
            if not ctype.is_number:
                raise NoFormulaError
            inner.locals[target.name] = _as(value(scope, counter), ctype, counter.shape)
        inner.read = []
        for step in before:
            step(outer, counter)
        if inner.read:
            raise NoFormulaError
        kind = function.result(outer) if function.result is not None else AUTO
        found = result(outer, counter)
        if inner.read or (kind is not AUTO and not kind.is_number):
            raise NoFormulaError
        return found if kind is AUTO else _as(found, kind, counter.shape)

    return compute


def _drawing(
    interpreter: Interpreter, distribution: Evaluator, arguments: list[Node], loop: Loop
) -> Formula:
    """Compile ``distribution(engine)``, as many draws as there are turns, or ``engine()``."""
    engine = interpreter.expression(arguments[0]) if arguments else None
    number = loop.draws
    loop.draws += 1

    def compute(scope: Scope, counter: Array) -> Any:
        drawing = known(distribution(scope))
        if isinstance(drawing, Engine) and engine is None:
            return _raw(interpreter, drawing, number, counter, loop)
        if loop.draws > 1:
            raise NoFormulaError
        source = known(engine(scope)) if engine is not None else None
        if not isinstance(drawing, Distribution) or not isinstance(source, Engine):
            raise NoFormulaError
        if drawing.kind == "bernoulli":
            raise NoFormulaError
        loop.drawn.append((source, drawing))
        return drawing.draw_many(interpreter, source, counter.size).astype(drawing.ctype.dtype)

    return compute


def _raw(
    interpreter: Interpreter, engine: Engine, number: int, counter: Array, loop: Loop
) -> Array:
    """Return what an engine draws in each turn, as one of the numbers that it draws there."""
    if loop.block is None:
        loop.drawn.append((engine, Distribution("raw", AUTO, [])))
        engine.drawn = []
        count = counter.size * loop.draws
        words = np.array([engine.next(interpreter) for _ in range(count)], np.uint64)
        loop.block = engine, words.reshape(counter.size, loop.draws)
    if loop.block[0] is not engine:
        raise NoFormulaError
    # That of std::mt19937 is uint_fast32_t, which has 64 bits.
    return loop.block[1][:, number]


def _element(interpreter: Interpreter, node: Node, loop: Loop) -> Formula:
    """Compile ``v[i]``, of numbers that are known."""
    container = interpreter.expression(field(node, "argument"))
    index = _formula(interpreter, index_of(node), loop)

    def compute(scope: Scope, counter: Array) -> Any:
        source = known(container(scope))
        room = MAX_BYTES
        if isinstance(source, Vector) and source.item.is_number:
            room, source = source.count, data_pointer(source)
        if not isinstance(source, Pointer) or not isinstance(source.target, Memory):
            raise NoFormulaError
        memory, ctype = source.target, source.ctype
        places = np.asarray(index(scope, counter), dtype=np.int64)
        if memory.symbolic or memory.unknown or not ctype.is_number or not places.size:
            raise NoFormulaError
        low, high = int(places.min()), int(places.max())
        if low < 0 or high >= room or source.offset + (high + 1) * ctype.size > memory.size:
            raise NoFormulaError
        loop.read.append(memory)
        return memory.view(ctype, source.offset)[places]

    return compute


def _variable(name: str, loop: Loop) -> Formula:
    if name in loop.locals:
        return lambda scope, counter: loop.locals[name]

    def find(scope: Scope, counter: Array) -> Any:
        if name == loop.variable:
            return counter
        cell = scope.find(name)
        value = cell.get() if isinstance(cell, Cell) else None
        if not isinstance(value, (int, float)) or not isinstance(cell, Cell):
            raise NoFormulaError
        if not cell.ctype.is_number:
            raise NoFormulaError
        return cell.ctype.dtype.type(value)

    return find


def _binary(interpreter: Interpreter, node: Node, loop: Loop) -> Formula:
    sign = text_of(field(node, "operator"))
    if sign not in _SIGNS and sign not in _COMPARISONS and sign not in ("<<", ">>"):
        raise NoFormulaError
    left, right = (_formula(interpreter, field(node, s), loop) for s in ("left", "right"))

    def compute(scope: Scope, counter: Array) -> Any:
        a, b = left(scope, counter), right(scope, counter)
        common = promoted(_type(a), _type(b))
        if common is AUTO:
            raise NoFormulaError
        if sign in ("<<", ">>"):
            return _shifted(sign, a, b)
        a, b = (np.asarray(v).astype(common.dtype) for v in (a, b))
        if sign in _COMPARISONS:
            return _COMPARISONS[sign](a, b)
        if common.kind == "int":
            return _integers(sign, a, b, common)
        if sign in "%&|^" or common.name not in ("float32", "float64"):
            raise NoFormulaError
        return _OPERATIONS[sign](a, b)

    return compute


def _shifted(sign: str, a: Any, b: Any) -> Array:
    """Shift numbers that are not negative, by less than they have bits."""
    ctype = promoted(_type(a), CType("int", "int32"))
    count = np.asarray(b)
    if ctype.kind != "int" or count.dtype.kind not in "iu":
        raise NoFormulaError
    left, bits = np.asarray(a).astype(ctype.dtype), 8 * ctype.size
    if not (np.all(count >= 0) and np.all(count < bits) and np.all(left >= 0)):
        raise NoFormulaError
    if sign == ">>":
        return np.asarray(left >> count.astype(ctype.dtype))
    found = np.asarray(left << count.astype(ctype.dtype))
    exact = left.astype(np.float64) * 2.0 ** count.astype(np.float64)
    if is_signed(ctype) and not np.all(exact < 2.0 ** (bits - 1)):
        raise NoFormulaError
    return found


def _integers(sign: str, a: Array, b: Array, common: CType) -> Array:
    """Compute as `arithmetic.numbers` does, which refuses what overflows with a sign."""
    if sign in "/%":
        # C rounds to zero, and so does NumPy for what is not negative.
        if not (np.all(a >= 0) and np.all(b > 0)):
            raise NoFormulaError
        return np.asarray(a // b if sign == "/" else a % b)
    found = np.asarray(_OPERATIONS[sign](a, b))
    if sign in "+-*" and is_signed(common):
        exact = _OPERATIONS[sign](a.astype(np.float64), b.astype(np.float64))
        # A large fraction is off by less than this.
        if not np.all(np.abs(exact) < float(bits_of(common) // 2) * (1 - 1e-9)):
            raise NoFormulaError
    return found


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": np.less, ">": np.greater, "<=": np.less_equal, ">=": np.greater_equal,
    "==": np.equal, "!=": np.not_equal,
}  # fmt: skip
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide,
    "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor,
}  # fmt: skip


def _type(value: Any) -> CType:
    dtype = np.asarray(value).dtype
    kinds = {"i": "int", "u": "int", "f": "float", "b": "bool"}
    if dtype.kind not in kinds:
        raise NoFormulaError
    return CType(kinds[dtype.kind], dtype.name)


def _cast(interpreter: Interpreter, described: Node, node: Node, loop: Loop) -> Formula:
    target, inner = type_of_node(described), _formula(interpreter, node, loop)

    def convert(scope: Scope, counter: Array) -> Any:
        ctype = target(scope)
        if not ctype.is_number:
            raise NoFormulaError
        value = inner(scope, counter)
        return _as(value, ctype, np.shape(value))

    return convert
