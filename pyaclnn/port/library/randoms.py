"""Random numbers of C and C++, as glibc and libstdc++ draw them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pyaclnn.port.data import decisions
from pyaclnn.port.data.constants import builtin
from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.values import Copied
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.initialise import makes
from pyaclnn.port.evaluation.interpreter import Interpreter

Array = np.ndarray[Any, Any]

#: After how many draws an engine is not copied, which draws as many again.
_MAX_COPIED = 1 << 20
_CHANGES = "the sample draws other random numbers in each run; the port those of one seed"


@dataclass
class Engine(Copied):
    """A generator of integers, such as std::mt19937.

    Attributes
    ----------
    source : callable
        Draws the next one.
    low, high : int
        Range of what it draws.
    again : callable
        Makes the engine as it was before its first draw.
    """

    source: Callable[[], int]
    low: int
    high: int
    again: Callable[[], Engine]
    #: How many its source has drawn.
    count: int = 0
    depth: int = field(default_factory=lambda: decisions.current().open)
    #: What was drawn too early, to be drawn again, the next last; what is drawn meanwhile.
    returned: list[int] = field(default_factory=list)
    drawn: list[int] | None = None

    def draw(self) -> int:
        """Return the next integer."""
        if self.returned:
            found = self.returned.pop()
        else:
            found = self.source()
            self.count += 1
        if self.drawn is not None:
            self.drawn.append(found)
        return found

    def copy(self) -> Engine:
        """Return a copy that draws the same numbers."""
        if self.count > _MAX_COPIED:
            raise NotUnderstoodError("copies an engine that has drawn many numbers")
        other = self.again()
        for _ in range(self.count):
            other.source()
        other.count, other.returned = self.count, list(self.returned)
        return other

    def next(self, interpreter: Interpreter) -> int:
        """Draw a number for the sample."""
        decisions.refuse_undecided(self.depth, "draws random numbers")
        interpreter.program.draws += 1
        return self.draw()


@dataclass
class Distribution(Copied):
    """A distribution of the C++ library."""

    kind: str
    ctype: CType
    parameters: list[Any]
    saved: list[float] = field(default_factory=list)
    #: What was saved before the draws that may be taken back.
    kept: list[float] = field(default_factory=list)

    def copy(self) -> Distribution:
        """Return a copy with the same state."""
        return replace(self, saved=list(self.saved), kept=list(self.kept))

    def draw(self, interpreter: Interpreter, engine: Engine) -> Any:
        """Return a number, as libstdc++ makes it."""
        decisions.refuse_undecided(engine.depth, "draws random numbers")
        interpreter.program.draws += 1
        interpreter.program.normal |= self.kind == "normal"
        if self.kind == "int":
            first, last = (int(p) for p in self.parameters)
            return first + below(engine, last - first)
        kind = self.ctype.dtype.type
        if self.kind == "bernoulli":
            return _canonical(engine, np.float64) < self.parameters[0]
        if self.kind == "normal":
            return float(kind(self._normal(engine, kind) * kind(self.parameters[1]))
                         + kind(self.parameters[0]))  # fmt: skip
        low, high = (kind(p) for p in self.parameters)
        return float(_canonical(engine, kind) * kind(high - low) + low)

    def draw_many(self, interpreter: Interpreter, engine: Engine, count: int) -> Array:
        """Return what as many draws give; what is drawn is noted, as it may be too early."""
        engine.drawn, self.kept = [], list(self.saved)
        kind = self.ctype.dtype.type
        if self.kind != "real" or engine.high - engine.low != 0xFFFFFFFF:
            return np.array([self.draw(interpreter, engine) for _ in range(count)])
        interpreter.program.draws += count
        low, high = (kind(p) for p in self.parameters)
        words = np.array([engine.draw() for _ in range(count * (kind().itemsize // 4))])
        words = (words - engine.low).astype(kind).reshape(count, -1)
        total, scale = np.zeros(count, kind), kind(1)
        for column in words.T:
            total += column * scale
            scale *= kind(1 << 32)
        found = total / scale
        found[found >= 1] = np.nextafter(kind(1), kind(0))
        return np.asarray(found * kind(high - low) + low)

    def _normal(self, engine: Engine, kind: Any) -> Any:
        if self.saved:
            return self.saved.pop()
        while True:
            x = kind(2) * _canonical(engine, kind) - kind(1)
            y = kind(2) * _canonical(engine, kind) - kind(1)
            square = x * x + y * y
            if 0 < square <= 1:
                break
        # The C library's logarithm of a float is the nearest, NumPy's is not always.
        factor = np.sqrt(kind(-2) * kind(math.log(square)) / square)
        self.saved.append(x * factor)
        return y * factor


def _canonical(engine: Engine, kind: Any) -> Any:
    """Return a fraction from 0 to 1, of as many draws as its digits need."""
    extent = engine.high - engine.low + 1
    digits = 24 if kind is np.float32 else 53
    total, scale = kind(0), kind(1)
    for _ in range(max(1, -(-digits // (extent.bit_length() - 1)))):
        total += kind(engine.draw() - engine.low) * scale
        scale *= kind(extent)
    found = total / scale
    return found if found < 1 else np.nextafter(kind(1), kind(0))


def below(engine: Engine, last: int) -> int:
    """Return an integer from 0 to `last`."""
    extent, wanted = engine.high - engine.low, last + 1
    if extent == last:
        return engine.draw() - engine.low
    if extent == 0xFFFFFFFF and last < extent:
        product = engine.draw() * wanted
        if product & 0xFFFFFFFF < wanted:
            threshold = (1 << 32) % wanted
            while product & 0xFFFFFFFF < threshold:
                product = engine.draw() * wanted
        return product >> 32
    if last < extent:
        scale = extent // wanted
        while True:
            found = engine.draw() - engine.low
            if found < wanted * scale:
                return found // scale
    high = below(engine, last // (extent + 1))
    return min(last, high * (extent + 1) + engine.draw() - engine.low)


def mersenne_twister(seed: int) -> Engine:
    """Return std::mt19937."""
    state = np.random.RandomState(seed & 0xFFFFFFFF)
    numbers: list[int] = []

    def draw() -> int:
        if not numbers:
            found = state.randint(0, 1 << 32, 624, dtype=np.uint32)
            numbers.extend(reversed(found.tolist()))
        return numbers.pop()

    return Engine(draw, 0, 0xFFFFFFFF, lambda: mersenne_twister(seed))


def _mersenne_twister_64(seed: int) -> Engine:
    state = [seed & ((1 << 64) - 1)]
    for index in range(1, 312):
        before = state[-1] ^ (state[-1] >> 62)
        state.append((6364136223846793005 * before + index) & ((1 << 64) - 1))
    numbers: list[int] = []

    def draw() -> int:
        if not numbers:
            for i in range(312):
                x = (state[i] & ~0x7FFFFFFF) | (state[(i + 1) % 312] & 0x7FFFFFFF)
                state[i] = state[(i + 156) % 312] ^ (x >> 1) ^ (0xB5026F5AA96619E9 * (x & 1))
            for y in reversed(state):
                y ^= (y >> 29) & 0x5555555555555555
                y ^= (y << 17) & 0x71D67FFFEDA60000
                y ^= (y << 37) & 0xFFF7EEE000000000
                numbers.append(y ^ (y >> 43))
        return numbers.pop()

    return Engine(draw, 0, (1 << 64) - 1, lambda: _mersenne_twister_64(seed))


def _linear(factor: int) -> Callable[[int], Engine]:
    def make(seed: int) -> Engine:
        state = [seed % 0x7FFFFFFF or 1]

        def draw() -> int:
            state[0] = state[0] * factor % 0x7FFFFFFF
            return state[0]

        return Engine(draw, 1, 0x7FFFFFFE, lambda: make(seed))

    return make


def c_library(seed: int) -> Engine:
    """Return ``rand()`` of glibc."""
    numbers = [seed & 0xFFFFFFFF or 1]
    for _ in range(30):
        signed = numbers[-1] - (1 << 32) if numbers[-1] >> 31 else numbers[-1]
        high, low = int(signed / 127773), int(math.fmod(signed, 127773))
        word = 16807 * low - 2836 * high
        numbers.append(word + 0x7FFFFFFF if word < 0 else word)
    numbers += numbers[:3]

    def draw() -> int:
        numbers.append((numbers[-3] + numbers[-31]) & 0xFFFFFFFF)
        del numbers[:-34]
        return numbers[-1] >> 1

    for _ in range(310):
        draw()
    return Engine(draw, 0, 0x7FFFFFFF, lambda: c_library(seed))


def _device(_: int) -> Engine:
    return mersenne_twister(1)


#: Name to what makes an engine of a seed, and the seed where none is given.
ENGINES: dict[str, tuple[Callable[[int], Engine], int]] = {
    "mt19937": (mersenne_twister, 5489),
    "mt19937_64": (_mersenne_twister_64, 5489),
    "default_random_engine": (_linear(16807), 1),
    "minstd_rand0": (_linear(16807), 1),
    "minstd_rand": (_linear(48271), 1),
    "random_device": (_device, 1),
}
_KINDS: dict[str, tuple[str, str, list[Any]]] = {
    "uniform_real_distribution": ("real", "float64", [0.0, 1.0]),
    "uniform_int_distribution": ("int", "int32", [0, 0x7FFFFFFF]),
    "normal_distribution": ("normal", "float64", [0.0, 1.0]),
    "bernoulli_distribution": ("bernoulli", "float64", [0.5]),
}


#: What the library names that draws, or draws from what does.
RANDOM_TYPES = frozenset([*ENGINES, *_KINDS])


@makes(*ENGINES)
def _engine(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> Engine:
    maker, seed = ENGINES[ctype.name]
    if ctype.name == "random_device":
        interpreter.note_once(_CHANGES)
    if len(arguments) == 1 and isinstance(arguments[0], Engine):
        return arguments[0].copy()
    given = next((a for a in arguments if isinstance(a, (int, float))), seed)
    return maker(int(given))


@makes(*_KINDS)
def _distribution(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> Distribution:
    if len(arguments) == 1 and isinstance(arguments[0], Distribution):
        return arguments[0].copy()
    kind, plain, defaults = _KINDS[ctype.name]
    item = ctype.item
    if item is None or not item.is_number:
        item = CType("int" if kind == "int" else "float", plain)
    return Distribution(kind, item, [*arguments, *defaults[len(arguments) :]])


@contextmanager
def returned(
    interpreter: Interpreter, engines: list[tuple[Engine, Distribution]]
) -> Iterator[None]:
    """Take back the draws by engines and distributions that the block notes, if it fails."""
    before = interpreter.program.draws
    try:
        yield
    except Exception:
        interpreter.program.draws = before
        for engine, distribution in engines:
            engine.returned += reversed(engine.drawn or [])
            distribution.saved = distribution.kept
        raise
    finally:
        for engine, _ in engines:
            engine.drawn = None


def draw(interpreter: Interpreter, value: Engine | Distribution, arguments: list[Any]) -> Any:
    """Follow a call of an engine, or of a distribution with one."""
    if isinstance(value, Distribution):
        return value.draw(interpreter, arguments[0])
    return value.next(interpreter)


@builtin("rand", "random", "lrand48")
def _rand(interpreter: Interpreter) -> int:
    if interpreter.engine is None:
        interpreter.engine = c_library(1)
        interpreter.engine.depth = 0
    return int(interpreter.engine.next(interpreter))


@builtin("srand", "srandom")
def _srand(interpreter: Interpreter, seed: Any) -> int:
    decisions.refuse_undecided(0, "seeds random numbers")
    interpreter.engine = c_library(int(seed) if isinstance(seed, (int, float)) else 1)
    return 0


@builtin("time")
def _time(interpreter: Interpreter, *_: Any) -> int:
    interpreter.note_once(_CHANGES)
    return 1
