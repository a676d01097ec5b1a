"""printf, and streams: what is printed becomes parts with Python format specifications."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data import decisions
from pyaclnn.port.data.constants import builtin
from pyaclnn.port.data.conversions import convert, part_of, plain, promote
from pyaclnn.port.data.cpp_types import INT, UINT8, CType
from pyaclnn.port.data.memory import Pointer, Vector
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.runtime_numbers import cast_symbol, holds, type_of, widened
from pyaclnn.port.data.symbols import TRUTHS, Element, Expression, Named, Query, Symbol, is_float
from pyaclnn.port.data.texts import text_symbol, text_value
from pyaclnn.port.data.values import Builtin, CellPointer, known
from pyaclnn.port.errors import NotUnderstoodError, SampleError
from pyaclnn.port.evaluation.interpreter import Interpreter, Scope
from pyaclnn.port.frontend.syntax import Node
from pyaclnn.port.model import DevicePointer, Field, Object, Print

_SPEC = re.compile(
    r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?(hh|h|ll|l|z|j|t|L)?([diouxXeEfFgGaAcspn%])"
)


class _Passed:
    """The values behind a format, as a call passes them.

    Floating-point arguments have registers of their own: a format for one takes the next float,
    whatever precedes it.
    """

    def __init__(self, interpreter: Interpreter, values: list[Any]) -> None:
        self.interpreter = interpreter
        self.rest = list(values)
        #: Whether all fit in registers, so that this is how it goes.
        self.in_registers = len(values) <= _REGISTERS
        self.agrees = True

    def take(self, fraction: bool) -> Any:
        """Return the next value, or the next of a kind."""
        if not self.rest:
            raise SampleError("the format asks for more values than are passed")
        at = 0
        if self._is_fraction(self.rest[0]) != fraction or not self.agrees:
            self.agrees = False
            kinds = [self._is_fraction(v) for v in self.rest]
            if fraction not in kinds:
                return self._of_other_kind(fraction)
            if not self.in_registers:
                raise NotUnderstoodError("the format and the values are of different types")
            at = kinds.index(fraction)
        return self.rest.pop(at)

    def _of_other_kind(self, fraction: bool) -> Any:
        """Undefined in C; the number is printed, as the author meant."""
        value = self.rest[0]
        if not isinstance(value, (int, float, Symbol)):
            raise NotUnderstoodError(f"prints a {describe(value)} as a number")
        self.interpreter.note_once(
            "the sample prints a number by a format for another type, which C++ leaves open; "
            "the port prints the number"
        )
        return self.rest.pop(0)

    @staticmethod
    def _is_fraction(value: Any) -> bool:
        return isinstance(value, (int, float, Symbol)) and is_float(value)


_REGISTERS = 5


def formatted(interpreter: Interpreter, text: str, values: list[Any]) -> list[Any]:
    """Return the parts of ``printf(text, values...)``.

    Raises
    ------
    NotUnderstoodError
        If the format asks for what was not passed.
    """
    parts: list[Any] = []
    at = 0
    passed = _Passed(interpreter, values)
    for match in _SPEC.finditer(text):
        parts.append(_literal(text[at : match.start()]))
        at = match.end()
        flags, width, precision, length, kind = match.groups()
        if kind == "%":
            parts.append("%")
            continue
        width = str(passed.take(False)) if width == "*" else width or ""
        precision = str(passed.take(False)) if precision == "*" else precision
        if width.startswith("-"):
            flags, width = flags + "-", width[1:]
        if not all(w.isdigit() and len(w) <= 3 for w in (width or "0", precision or "0")):
            raise NotUnderstoodError("prints a number with a thousand places or more")
        value = passed.take(kind in "eEfFgGaA")
        if kind in "diuxXo":
            value = _as_passed(value, length or "", kind)
        parts.append(_field(interpreter, value, flags, width, precision, kind))
    parts.append(_literal(text[at:]))
    return [p for p in parts if p != ""]


def _literal(text: str) -> str:
    """Return text of a format between its fields."""
    if "%" in text:
        raise NotUnderstoodError(f"the format {text!r} is not supported")
    return text


#: Bytes an integer has by the length in front of its conversion.
_LENGTHS = {"hh": 1, "h": 2, "": 4, "l": 8, "ll": 8, "z": 8, "j": 8, "t": 8}


def _as_passed(value: Any, length: str, kind: str) -> Any:
    """Return an integer as a format takes it: cut to its width, with or without a sign."""
    size = _LENGTHS.get(length)
    if size is None or isinstance(value, float):
        return value
    ctype = CType("int", f"{'int' if kind in 'di' else 'uint'}{8 * size}")
    if isinstance(value, Symbol):
        narrow = promote(type_of(value))
        if narrow.kind != "int" or narrow.name == ctype.name:
            return value
        if holds(ctype, narrow):
            return value
        if isinstance(value, Element) and value.ctype.kind == "int":
            return Expression(f"np.{ctype.name}", (value,), ctype)
        return cast_symbol(value, ctype)
    return convert(value, ctype) if isinstance(value, int) else value


def _field(
    interpreter: Interpreter, value: Any, flags: str, width: str, precision: str | None, kind: str
) -> Any:
    if kind == "s" and isinstance(value, (Expression, Named, Query)):
        return Field(value, "")
    if kind == "s" and text_symbol(value) is not None:
        return Field(text_symbol(value))
    if kind == "s":
        text = text_value(value)
        if precision is not None:
            text = text[: int(precision)]
        return text.ljust(int(width or 0)) if "-" in flags else text.rjust(int(width or 0))
    if kind == "p":
        return _address(interpreter, value)
    if isinstance(value, Vector | Pointer) or not isinstance(value, (int, float, Symbol)):
        raise NotUnderstoodError(f"prints a {describe(value)} as a number")
    value = _as_integer(widened(plain(value)))
    align = "<" if "-" in flags and width else ""
    sign = "+" if "+" in flags else " " if " " in flags else ""
    zero = "0" if "0" in flags and width and not align else ""
    if kind == "c" and isinstance(value, int) and not width:
        return chr(value & 0xFF)
    if kind == "c":
        return Field(_as_character(value), f"{align}{width}c")
    if kind in "diu":
        if is_float(value):
            return Field(value, "f")
        if precision is not None:
            raise NotUnderstoodError("prints an integer with a number of digits")
        layout = f"{align}{sign}{zero}{width}"
        return Field(value, layout + ("d" if layout else ""))
    if kind in "xXo":
        if "#" in flags or precision is not None or is_float(value):
            raise NotUnderstoodError(f"the format %{flags}{kind} is not supported")
        return Field(value, f"{align}{zero}{width}{kind}")
    if kind in "aA" or "#" in flags:
        raise NotUnderstoodError(f"the format %{flags}{kind} is not supported")
    digits = f".{precision}" if precision is not None else ""
    return Field(value, f"{align}{sign}{zero}{width}{digits}{kind.lower()}")


def _as_character(value: Any) -> Any:
    """Return a character as the byte that is printed."""
    if isinstance(value, Symbol) and type_of(value).name != "uint8":
        return cast_symbol(value, UINT8)
    return value


def _as_integer(value: Any) -> Any:
    """Return a truth value as the number C prints."""
    if isinstance(value, bool):
        return int(value)
    truth = isinstance(value, (Expression, Named)) and value.ctype.kind == "bool"
    if truth or (isinstance(value, Expression) and value.operator in TRUTHS):
        return Expression("int", (value,), INT)
    return value


def _address(interpreter: Interpreter, value: Any) -> str:
    """Return the placeholder of an address, which differs in each run."""
    if value is None:
        return "(nil)"
    interpreter.note_once("the sample prints addresses; the port prints 0x... for each")
    return "0x..."


def emit(interpreter: Interpreter, parts: list[Any]) -> None:
    """Record output; what one statement prints piece by piece is one print."""
    if not parts:
        return
    events = interpreter.program.events
    last = events[-1] if events else None
    moment = interpreter.moment
    if isinstance(last, Print) and last.moment == moment:
        interpreter.refuse_stale(Print(last.line, last.site, tuple(parts), moment))
        last.parts += tuple(parts)
        return
    interpreter.record(Print(interpreter.line, interpreter.site, tuple(parts), moment))


@builtin("printf")
def _printf(interpreter: Interpreter, text: Any, *values: Any) -> int:
    emit(interpreter, formatted(interpreter, text_value(text), list(values)))
    return 0


@builtin("fprintf")
def _fprintf(interpreter: Interpreter, stream: Any, text: Any, *values: Any) -> int:
    if stream is not ERRORS:
        emit(interpreter, formatted(interpreter, text_value(text), list(values)))
    return 0


@builtin("puts")
def _puts(interpreter: Interpreter, text: Any) -> int:
    emit(interpreter, [text_value(text) + "\n"])
    return 0


@builtin("putchar")
def _putchar(interpreter: Interpreter, code: Any) -> int:
    emit(interpreter, [chr(code)])
    return int(code)


@builtin("fflush", "setbuf", "setvbuf")
def _flush(interpreter: Interpreter, *_: Any) -> int:
    return 0


@builtin("snprintf", "sprintf", "snprintf_s", "sprintf_s")
def _snprintf(interpreter: Interpreter, target: Any, *arguments: Any) -> int:
    values = list(arguments)
    while values and isinstance(values[0], int):
        values.pop(0)
    parts = formatted(interpreter, text_value(values[0]), values[1:])
    if any(isinstance(p, Field) and isinstance(p.value, Symbol) for p in parts):
        raise NotUnderstoodError("writes a result into a string")
    text = "".join(p if isinstance(p, str) else format(p.value, p.spec) for p in parts)
    pointer = target if isinstance(target, Pointer) else Pointer(target.memory, 0, target.item)
    for index, code in enumerate([*text.encode("utf-8", "replace"), 0]):
        pointer.store(index, code)
    return len(text)


@dataclass(frozen=True)
class Manipulator:
    """std::fixed and its like."""

    kind: str
    value: Any = None


class OutputStream:
    """std::cout, with its format state; std::cerr is not followed."""

    def __init__(self, silent: bool = False) -> None:
        self.silent = silent
        self.precision = ""
        self.mode = "g"
        self.width = ""
        self.fill = ""
        self.base = ""
        #: On which way of a decision each of them was set that was set on one.
        self._set_on: dict[str, int] = {}

    def insert(self, interpreter: Interpreter, node: Node, value: Any, scope: Scope) -> Any:
        """Print a value, or change the state."""
        if isinstance(value, Manipulator):
            self._set(interpreter, value)
        elif isinstance(value, Builtin):
            self._set(interpreter, value.call(interpreter))
        elif not self.silent:
            self.write(interpreter, node, value, scope)
            self._keep("width", "")
        return self

    def write(self, interpreter: Interpreter, node: Node, value: Any, scope: Scope) -> None:
        """Print a value."""
        interpreter.site = node.start_byte
        emit(interpreter, [self._part(interpreter, node, value, scope)])

    def _set(self, interpreter: Interpreter, manipulator: Manipulator) -> None:
        kind = manipulator.kind
        if kind == "endl" and not self.silent:
            emit(interpreter, ["\n"])
        elif kind == "setprecision":
            self._keep("precision", f".{manipulator.value}")
        elif kind == "setw":
            self._keep("width", str(manipulator.value))
        elif kind == "setfill":
            self._keep("fill", chr(manipulator.value))
        elif kind in ("fixed", "scientific", "defaultfloat"):
            self._keep("mode", {"fixed": "f", "scientific": "e"}.get(kind, "g"))
        elif kind in ("hex", "dec", "oct"):
            self._keep("base", {"hex": "x", "oct": "o"}.get(kind, ""))
        elif kind in ("boolalpha", "noboolalpha"):
            raise NotUnderstoodError(f"std::{kind} is not supported")

    def _keep(self, name: str, value: str) -> None:
        ways = decisions.current().ways
        if getattr(self, name) != value or self._set_on.get(name, 0) not in (0, *ways):
            setattr(self, name, value)
            self._set_on[name] = ways[-1] if ways else 0

    def _refuse_undecided(self) -> None:
        """Raise if the format of a number depends on a run-time condition."""
        ways = (0, *decisions.current().ways)
        if any(way not in ways for way in self._set_on.values()):
            raise NotUnderstoodError("prints in a format that only a run decides")

    def _part(self, interpreter: Interpreter, node: Node, value: Any, scope: Scope) -> Any:
        if value is None or isinstance(value, (DevicePointer, Object, CellPointer)):
            return "0" if value is None else _address(interpreter, value)
        if text_symbol(value) is not None and (not isinstance(value, Query) or value.is_text):
            return Field(text_symbol(value))
        if isinstance(value, Pointer) and value.ctype.size != 1:
            return _address(interpreter, value)
        if isinstance(value, (str, Pointer, Vector)):
            return text_value(value).rjust(int(self.width or 0), self.fill or " ")
        if isinstance(value, complex):
            real, imag = (self._fraction(part_of(value, p), "") for p in ("real", "imag"))
            text = f"({format(real.value, real.spec)},{format(imag.value, imag.spec)})"
            return text.rjust(int(self.width or 0), self.fill or " ")
        if not isinstance(value, (int, float, Symbol)):
            raise NotUnderstoodError(f"prints a {describe(value)}")
        if self._set_on:
            self._refuse_undecided()
        # Numbers stand at the right, which is not where Python has texts.
        width = f"{self.fill}>{self.width}" if self.width and self.fill else self.width
        ctype = type_of(value)
        if is_float(value):
            return self._fraction(value, width)
        if ctype.kind == "int" and ctype.size == 1:
            if isinstance(value, int):
                return chr(value & 0xFF).rjust(int(self.width or 0), self.fill or " ")
            return Field(_as_character(value), "c")
        value = int(value) if isinstance(value, bool) else _as_integer(value)
        if self.base and ctype.kind == "int":
            # Without a sign.
            unsigned = CType("int", f"uint{8 * ctype.size}")
            value = cast_symbol(value, unsigned) if isinstance(value, Symbol) \
                else convert(value, unsigned)  # fmt: skip
        return Field(widened(plain(value)), width + self.base)

    def _fraction(self, value: Any, width: str) -> Field:
        return Field(widened(plain(value)), f"{width}{self.precision}{self.mode}")


ERRORS = OutputStream(silent=True)
_WORDS = [
    "endl",
    "flush",
    "fixed",
    "scientific",
    "defaultfloat",
    "hex",
    "dec",
    "oct",
    "boolalpha",
    "noboolalpha",
    "ends",
]


for _word in _WORDS:
    builtin(_word)(lambda interpreter, *_, kind=_word: Manipulator(kind))
for _word in ("setprecision", "setw", "setfill"):
    builtin(_word)(lambda interpreter, value, kind=_word: Manipulator(kind, known(value)))


class Streams:
    """The streams of one sample."""

    def __init__(self) -> None:
        self.cout = OutputStream()
