"""std::chrono: times that a sample measures become ``time.perf_counter()``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.constants import builtin
from pyaclnn.port.data.cpp_types import DOUBLE, INT64, CType
from pyaclnn.port.data.symbols import Expression, Named
from pyaclnn.port.data.values import Cell, CellPointer, Struct
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.arithmetic import binary
from pyaclnn.port.evaluation.initialise import makes
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.library.methods import METHODS

_TICKS = {
    "seconds": 1, "milliseconds": 1000, "microseconds": 1000_000, "nanoseconds": 1000_000_000,
    "milli": 1000, "micro": 1000_000, "nano": 1000_000_000,
}  # fmt: skip


@builtin("now")
def _now(interpreter: Interpreter) -> Expression:
    return Expression("time.perf_counter", ())


@dataclass(frozen=True)
class Interval:
    """A time to wait; nothing is computed with it."""

    ticks: Any


@builtin("seconds", "milliseconds", "microseconds", "nanoseconds")
def _interval(interpreter: Interpreter, ticks: Any) -> Interval:
    return Interval(ticks)


@builtin("duration_cast")
def _duration(interpreter: Interpreter, value: Any) -> Any:
    name = interpreter.template[0].name if interpreter.template else ""
    if name not in _TICKS and not name.startswith("duration"):
        raise NotUnderstoodError(f"measures time in {name or 'a unit that is not known'}")
    ticks = duration(interpreter.template[0], value)
    return ticks if name.startswith("duration") else Expression("int", (ticks,))


def duration(ctype: CType, value: Any) -> Any:
    """Return a difference of times as a duration of a type."""
    factor = _TICKS.get(ctype.name.partition(":")[2] or ctype.name, 1)
    return value if factor == 1 else binary("*", value, factor)


@makes("timespec")
def _timespec(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> Struct:
    fields = {name: Cell(name, 0, INT64) for name in ("tv_sec", "tv_nsec")}
    return Struct("timespec", fields)


@builtin("clock_gettime")
def _clock(interpreter: Interpreter, clock: Any, target: Any) -> int:
    found = target.cell.get() if isinstance(target, CellPointer) else target
    if not isinstance(found, Struct) or found.type_name != "timespec":
        raise NotUnderstoodError("asks for the time in a way that is not known")
    now = Cell("now", None, DOUBLE)
    now.key = now.name, -interpreter.moment
    now.set(Expression("time.perf_counter", (), DOUBLE))
    part = Expression("%", (now.get(), 1), DOUBLE)
    found.fields["tv_sec"].set(Expression("int", (now.get(),), INT64))
    found.fields["tv_nsec"].set(Expression("int", (Expression("*", (part, 1e9), DOUBLE),), INT64))
    return 0


def _seed(receiver: Any) -> int:
    receiver.interpreter.note_once(
        "the sample draws other random numbers in each run; the port those of one seed"
    )
    return 1


@makes("duration")
def _made(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> Any:
    return duration(ctype, arguments[0]) if arguments else 0


_METHODS = {"time_since_epoch": _seed, "count": lambda r: r.value}
METHODS[Expression] = _METHODS
METHODS[Named] = _METHODS
METHODS[int] = {"count": lambda r: r.value}
