"""Evaluate the constant expressions of C headers: enumerators, macros and ``#if`` lines."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import partial

Value = int | float | str
Lookup = Callable[[str], Value]
#: A value and its unsigned mask, 0 meaning signed.
_Typed = tuple[Value, int]

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<float>(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?[fFlL]?|\d+[eE][-+]?\d+[fFlL]?)
      | (?P<int>(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)(?:'[0-9a-fA-F]+)*(?P<suffix>[uUlL]*))
      | (?P<char>'(?:\\.|[^'\\])')
      | (?P<string>"(?:\\.|[^"\\])*")
      | (?P<cast>(?:static_cast|reinterpret_cast)\s*<\s*(?P<target>[^<>]+?)\s*>)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<op><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>()?:])
    )""",
    re.VERBOSE,
)
_WIDTHS = {
    "char": -8, "int8_t": -8, "uint8_t": 8, "short": -16, "int16_t": -16, "uint16_t": 16,
    "int": -32, "int32_t": -32, "unsigned": 32, "unsigned int": 32, "uint32_t": 32,
    "long": -64, "long long": -64, "int64_t": -64, "unsigned long": 64, "uint64_t": 64,
    "unsigned long long": 64, "size_t": 64, "uintptr_t": 64,
}  # fmt: skip
#: Values have 64 bits in C. Without a limit, a header could make numbers that fill the memory.
_LIMIT = 2**64
#: How deep parentheses and the like may nest: what a C compiler has to accept.
_DEPTH = 63
_DIGITS = 80
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11}
_PRECEDENCE: dict[str, int] = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6,
    "<": 7, ">": 7, "<=": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip


def _divide(left: int | float, right: int | float) -> int | float:
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    # C truncates towards zero, Python's // rounds down.
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _shifted(shift: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def checked(value: int, count: int) -> int:
        if not 0 <= count < 64:
            raise ValueError(f"it shifts by {count} bits")
        return shift(value, count)

    return checked


_BINARY: dict[str, Callable[..., int | float]] = {
    "||": lambda a, b: int(bool(a) or bool(b)), "&&": lambda a, b: int(bool(a) and bool(b)),
    "|": operator.or_, "^": operator.xor, "&": operator.and_, "<<": _shifted(operator.lshift),
    ">>": _shifted(operator.rshift), "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": _divide, "%": lambda a, b: a - _divide(a, b) * b,
    "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b), ">=": lambda a, b: int(a >= b),
}  # fmt: skip


class _Parser:
    """Precedence climbing; every value travels with its unsigned mask, 0 meaning signed."""

    def __init__(self, text: str, lookup: Lookup) -> None:
        #: For errors.
        self.text = _shortened(text)
        self.lookup = lookup
        self.tokens: list[re.Match[str]] = []
        position, end = 0, len(text.rstrip())
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                rest = _shortened(text[position:].strip())
                raise ValueError(f"{rest!r} is no part of a constant expression")
            self.tokens.append(match)
            position = match.end()
        self.next = 0
        self.depth = 0
        #: How many enclosing operators do not evaluate this operand: it may divide by zero.
        self.unused = 0

    def enter(self) -> None:
        self.depth += 1
        if self.depth > _DEPTH:
            raise ValueError(f"it nests deeper than {_DEPTH} levels")

    def take(self) -> re.Match[str]:
        if self.next >= len(self.tokens):
            raise ValueError(f"the expression {self.text!r} ends too early")
        self.next += 1
        return self.tokens[self.next - 1]

    def peek(self, ahead: int = 0) -> str:
        place = self.next + ahead
        return self.tokens[place][0].strip() if place < len(self.tokens) else ""

    def accept(self, symbol: str) -> bool:
        if self.peek() == symbol:
            self.next += 1
            return True
        return False

    def expect(self, symbol: str) -> None:
        if not self.accept(symbol):
            raise ValueError(f"{symbol!r} is missing in the expression {self.text!r}")

    def ternary(self) -> _Typed:
        self.enter()
        result = self.binary(1)
        if self.accept("?"):
            yes = self.operand(self.ternary, bool(result[0]))
            self.expect(":")
            no = self.operand(self.ternary, not result[0])
            result = yes if result[0] else no
        self.depth -= 1
        return result

    def operand(self, parse: Callable[[], _Typed], used: bool) -> _Typed:
        self.unused += not used
        result = parse()
        self.unused -= not used
        return result

    def binary(self, level: int) -> _Typed:
        left, mask = self.unary()
        while _PRECEDENCE.get(self.peek(), 0) >= level:
            symbol = self.take()[0].strip()
            used = bool(left) == (symbol == "&&") or symbol not in ("&&", "||")
            right, other = self.operand(partial(self.binary, _PRECEDENCE[symbol] + 1), used)
            mask = mask if symbol in ("<<", ">>") else max(mask, other)
            if isinstance(left, str) or isinstance(right, str):
                raise ValueError(f"{symbol!r} cannot be applied to a string")
            if self.unused and symbol in ("/", "%") and not right:
                right = 1
            left, mask = _wrap(_BINARY[symbol](left, right), mask)
        return left, mask

    def unary(self) -> _Typed:
        symbol = self.peek()
        if symbol in ("+", "-", "~", "!"):
            self.next += 1
            self.enter()
            value, mask = self.unary()
            self.depth -= 1
            if isinstance(value, str):
                raise ValueError(f"{symbol!r} cannot be applied to a string in {self.text!r}")
            if symbol == "!":
                return int(not value), 0
            if symbol == "~":
                return _wrap(~int(value), mask)
            return _wrap(-value if symbol == "-" else value, mask)
        if symbol == "(":
            target = self._cast_target()
            if target is not None:
                self.enter()
                operand = self.unary()
                self.depth -= 1
                return _convert(operand, target)
            self.next += 1
            inner = self.ternary()
            self.expect(")")
            return inner
        return self.primary()

    def _cast_target(self) -> str | None:
        words, ahead = [], 1
        while re.fullmatch(r"[A-Za-z_]\w*", self.peek(ahead)):
            words.append(self.peek(ahead))
            ahead += 1
        after = self.peek(ahead + 1)
        is_operand = bool(after) and after not in _PRECEDENCE and after not in (")", "?", ":")
        if words and self.peek(ahead) == ")" and (is_operand or " ".join(words) in _WIDTHS):
            self.next += ahead + 1
            return " ".join(words)
        return None

    def primary(self) -> _Typed:
        token = self.take()
        if token["int"]:
            digits = token["int"].rstrip("uUlL").replace("'", "")
            if len(digits) > _DIGITS:
                raise ValueError(f"a number of {len(digits)} digits")
            octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
            value = _fit(int(digits, 8 if octal else 0))
            suffix = token["suffix"].lower()
            if "u" not in suffix:
                return value, 0
            return value, 2**64 - 1 if "l" in suffix or value >= 2**32 else 2**32 - 1
        if token["float"]:
            return float(token["float"].rstrip("fFlL")), 0
        if token["char"]:
            body = token["char"][1:-1]
            return (_ESCAPES.get(body[1], ord(body[1])) if body[0] == "\\" else ord(body)), 0
        if token["string"]:
            text = token["string"][1:-1]
            while self.peek()[:1] == '"':
                text += self.take()[0].strip()[1:-1]
            return text, 0
        if token["cast"]:
            self.expect("(")
            inner = self.ternary()
            self.expect(")")
            return _convert(inner, token["target"])
        if token["name"]:
            if self.peek() == "(":
                raise ValueError(f"{token['name']}(...) in {self.text!r} is no constant")
            return self.lookup(token["name"]), 0
        raise ValueError(f"unexpected {token[0].strip()!r} in the expression {self.text!r}")


def _wrap(value: Value, mask: int) -> _Typed:
    if not isinstance(value, int):
        return value, mask
    return (value & mask, mask) if mask else (_fit(value), mask)


def _fit(value: int) -> int:
    if abs(value) >= _LIMIT:
        raise ValueError("a number does not fit into 64 bits")
    return value


def _convert(value: _Typed, target: str) -> _Typed:
    width = _WIDTHS.get(target, 0)
    number = value[0]
    if isinstance(number, str) or not width:
        if target in ("float", "double") and not isinstance(number, str):
            return float(number), 0
        return value
    number = int(number) & (2 ** abs(width) - 1)
    if width < 0 and number >> (-width - 1):
        number -= 2**-width
    return number, 2**width - 1 if width >= 32 else 0


def evaluate(text: str, lookup: Lookup) -> Value:
    """Evaluate a C constant expression.

    Parameters
    ----------
    text : str
        The expression: integers of any base and suffix, floats, strings, characters, casts,
        names, and every operator but assignment and comma.
    lookup : callable
        Gives the value of a name; raises KeyError for one it does not know.

    Returns
    -------
    int, float or str
        The value; unsigned arithmetic wraps as in C.

    Raises
    ------
    ValueError
        The text is no constant expression, or one beyond what a C compiler need accept: more than
        64 bits, or nested more deeply than 63 levels.
    KeyError
        A name has no value.
    """
    try:
        parser = _Parser(text, lookup)
        value, _ = parser.ternary()
    except RecursionError:
        raise ValueError(f"{_shortened(text)!r} leads through too many names") from None
    except (ArithmeticError, TypeError) as error:
        raise ValueError(f"cannot evaluate {_shortened(text)!r}: {error}") from None
    if parser.next != len(parser.tokens):
        raise ValueError(f"{parser.peek()!r} is unexpected in {_shortened(text)!r}")
    return value


def _shortened(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}..."
