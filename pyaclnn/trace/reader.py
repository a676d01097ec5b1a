"""The reader of traces that ``libpyaclnn_trace.so`` writes: a folder with a file per process.

`pyaclnn/sim/src/trace/format.hpp` describes the format. Files are untrusted and may be truncated:
reading any file gives calls or raises `TraceError`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

MAGIC = b"PYACLTR1"
_HEAD = struct.Struct("<8sIIQQQ")
_BLOCK = struct.Struct("<IIIIQ")
_RECORD = struct.Struct("<IHHQQQ")
_CONTENT = struct.Struct("<HHHHQQQdddQQ")
_BLOCK_MAGIC = 0x4B4C4254
_PAGE = 4096
_DEFINITION, _CONTENT_OF = 0xFFFF, 0xFFFE
_CALLS, _DEFINITIONS = 1, 2
_FORMS = ("unreadable", "hash", "statistics", "full")
#: Codes of parameters, see ``functions.hpp``, and how their eight bytes are read.
_NUMBERS = {
    **dict.fromkeys("bHIQ", "<Q"),
    **dict.fromkeys("chiq", "<q"),
    **dict.fromkeys("fd", "<d"),
    **dict.fromkeys("p8", "<Q"),
    "4": "<i4x",
    "5": "<f4x",
}
#: aclDataType -> name, and bytes of an element.
DTYPES = {
    0: ("float32", 4), 1: ("float16", 2), 2: ("int8", 1), 3: ("int32", 4), 4: ("uint8", 1),
    6: ("int16", 2), 7: ("uint16", 2), 8: ("uint32", 4), 9: ("int64", 8), 10: ("uint64", 8),
    11: ("float64", 8), 12: ("bool", 1), 16: ("complex64", 8), 17: ("complex128", 16),
    27: ("bfloat16", 2), 29: ("int4", 1), 30: ("uint1", 1), 33: ("complex32", 4),
    34: ("hifloat8", 1), 35: ("float8_e5m2", 1), 36: ("float8_e4m3fn", 1),
    37: ("float8_e8m0fnu", 1), 38: ("float6_e3m2fn", 1), 39: ("float6_e2m3fn", 1),
    40: ("float4_e2m1fn", 1), 41: ("float4_e1m2fn", 1),
}  # fmt: skip
#: Formats whose elements are addressed by the strides, and names of others.
PLAIN_FORMATS = frozenset((-1, 0, 1, 2, 16, 27, 30, 35, 47))
FORMATS = {3: "NC1HWC0", 4: "FRACTAL_Z", 29: "FRACTAL_NZ", 32: "NDC1HWC0", 33: "FRACTAL_Z_3D"}


class TraceError(ValueError):
    """A file is no trace, or is damaged."""


@dataclass(frozen=True)
class TensorView:
    """A tensor as C described it."""

    dtype: int
    format: int
    address: int
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    storage: tuple[int, ...]

    @property
    def dtype_name(self) -> str:
        """NumPy's name of the dtype."""
        return DTYPES.get(self.dtype, (f"dtype{self.dtype}", 1))[0]

    @property
    def bytes(self) -> int:
        """Of all elements."""
        return prod(self.shape) * DTYPES.get(self.dtype, ("", 1))[1]

    def __str__(self) -> str:
        plain = self.format in PLAIN_FORMATS
        special = "" if plain else f" {FORMATS.get(self.format, self.format)}"
        return f"{self.dtype_name}[{', '.join(map(str, self.shape))}]{special}"


@dataclass(frozen=True)
class ScalarValue:
    """A scalar: its dtype, and the bits of its value."""

    dtype: int
    raw: bytes

    @property
    def value(self) -> Any:
        """The number, where Python has one for it."""
        codes = {0: "f", 1: "e", 2: "b", 3: "i", 4: "B", 6: "h", 7: "H", 8: "I", 9: "q", 10: "Q",
                 11: "d", 12: "?"}  # fmt: skip
        if self.dtype in codes:
            return struct.unpack_from("<" + codes[self.dtype], self.raw)[0]
        if self.dtype == 27:
            return struct.unpack("<f", b"\0\0" + self.raw[:2])[0]
        if self.dtype in (16, 17):
            return complex(*struct.unpack_from("<2f" if self.dtype == 16 else "<2d", self.raw))
        return self.raw

    def __str__(self) -> str:
        return f"{self.value!r}"


@dataclass(frozen=True)
class Array:
    """An array of numbers; those beyond the first thousand are counted only."""

    kind: str
    values: tuple[Any, ...]
    count: int

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.values[:8]))
        return f"[{shown}{', ...' * (self.count > 8)}]"


@dataclass(frozen=True)
class HandleList:
    """Tensors or scalars passed as one; a list that is long is counted only."""

    items: tuple[Any, ...]
    count: int

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.items[:3]))
        return f"[{shown}{', ...' * (self.count > 3)}]"


class Unseen(NamedTuple):
    """A handle that was made before the trace began."""

    def __str__(self) -> str:
        return "?"


class Content(NamedTuple):
    """What a tensor held before or after a call."""

    parameter: int
    item: int
    form: str
    bytes: int
    hash: int
    where: int
    minimum: float
    maximum: float
    mean: float
    nans: int
    infinities: int
    after: bool


class Function(NamedTuple):
    """Name, codes and names of parameters."""

    name: str
    codes: str
    parameters: tuple[str, ...]


@dataclass
class Call:
    """A call of one function.

    ``begin`` and ``end`` are nanoseconds; `end` is 0 for a call that had not returned.
    """

    function: Function
    process: int
    thread: int
    begin: int
    end: int
    result: int
    body: bytes
    contents: list[Content] = field(default_factory=list)
    number: int = 0
    #: The call of the first phase of an operator, once known.
    first_phase: Call | None = None
    source: Path | None = None

    @property
    def name(self) -> str:
        """The function's."""
        return self.function.name

    @property
    def operator(self) -> str:
        """The operator's name, without aclnn and phase; empty for other functions."""
        if not self.name.startswith("aclnn"):
            return ""
        return self.name.removeprefix("aclnn").removesuffix("GetWorkspaceSize")

    @property
    def failed(self) -> bool:
        """Whether it returned a status that is an error."""
        return self.function.codes[0] == "i" and bool(self.end) and self.result != 0

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """What it was given, by the names of the declaration."""
        try:
            return dict(self._arguments())
        except (struct.error, IndexError, ValueError) as error:
            raise TraceError(f"call {self.number} of {self.name} is damaged: {error}") from None

    def _arguments(self) -> Iterator[tuple[str, Any]]:
        at = 0
        for code, name in zip(self.function.codes[1:], self.function.parameters, strict=True):
            if code in "tTs":
                (size,) = struct.unpack_from("<H", self.body, at)
                text = self.body[at + 2 : at + 2 + size]
                if len(text) < size:
                    raise ValueError("it ends within a parameter")
                yield name, _printable(text) if code == "s" else described(text)
                at += 2 + size
            else:
                yield name, struct.unpack_from(_NUMBERS[code], self.body, at)[0]
                at += 8

    def tensors(self) -> Iterator[tuple[int, int, bool, TensorView]]:
        """Yield parameter, place in a list, whether it is written, and description of each."""
        values = list(self.arguments.values())
        for number, code in enumerate(self.function.codes[1:]):
            if code not in "tT":
                continue
            value = values[number]
            written = code == "T" or self.function.parameters[number].endswith("Ref")
            for item, one in enumerate(value.items if isinstance(value, HandleList) else [value]):
                if isinstance(one, TensorView):
                    yield number, item, written, one


def described(text: bytes, depth: int = 0) -> Any:
    """Return what a description of a handle says."""
    if not text:
        return None
    kind = text[:1]
    if kind == b"T":
        dtype, form, dims, storage, address, offset = struct.unpack_from("<bhBBQq", text, 1)
        numbers = struct.unpack_from(f"<{2 * dims + storage}q", text, 22)
        return TensorView(
            dtype, form, address, offset,
            numbers[:dims], numbers[dims : 2 * dims], numbers[2 * dims :],
        )  # fmt: skip
    if kind == b"S":
        return ScalarValue(struct.unpack_from("<b", text, 1)[0], text[2:18].ljust(16, b"\0"))
    if kind in b"IFB":
        (count,) = struct.unpack_from("<I", text, 1)
        code = {b"I": "q", b"F": "f", b"B": "?"}[kind]
        number = min(count, (len(text) - 5) // struct.calcsize(code))
        return Array(kind.decode(), struct.unpack_from(f"<{number}{code}", text, 5), count)
    if kind == b"L" and depth == 0:
        count, written = struct.unpack_from("<II", text, 1)
        at, items = 9, []
        for _ in range(written):
            (size,) = struct.unpack_from("<H", text, at)
            items.append(described(text[at + 2 : at + 2 + size], depth + 1))
            at += 2 + size
        return HandleList(tuple(items), count)
    return Unseen()


class Trace:
    """The calls of a program, of all its processes, in the order in which they began.

    Parameters
    ----------
    path : Path
        A folder of files, or one of them.
    """

    def __init__(self, path: Path) -> None:
        files = sorted(path.glob("*.trace")) if path.is_dir() else [path]
        if not files:
            raise TraceError(f"{path}: there is no trace in it")
        self.path = path
        self.calls: list[Call] = []
        self.origin = 0
        for file in files:
            self.calls += self._read(file)
        self.calls.sort(key=lambda c: (c.begin, c.thread))
        for number, call in enumerate(self.calls):
            call.number = number
        self._pair()

    def _read(self, file: Path) -> list[Call]:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise TraceError(f"{file}: {error.strerror}") from None
        if len(data) < _HEAD.size or data[:8] != MAGIC:
            raise TraceError(f"{file}: this is no trace")
        _, size, process, monotonic, realtime, last = _HEAD.unpack_from(data)
        if not 4096 <= size <= 1 << 26:
            raise TraceError(f"{file}: blocks of {size} bytes cannot be")
        blocks = []
        for at in range(_PAGE, len(data) - _BLOCK.size + 1, size):
            magic, kind, used, thread, number = _BLOCK.unpack_from(data, at)
            if magic == _BLOCK_MAGIC:
                end = at + min(used, size, len(data) - at)
                blocks.append((number, kind, thread, data[at + _BLOCK.size : end]))
        blocks.sort(key=lambda b: b[0])
        functions: dict[int, Function] = {}
        for _, kind, _, block in blocks:
            if kind == _DEFINITIONS:
                functions.update(_definitions(block))
        calls: list[Call] = []
        before: dict[int, list[Content]] = {}
        recent: dict[int, Call] = {}
        # Processes have one clock of their own each, all of them the time of day.
        shift = realtime - monotonic
        for _, kind, thread, block in blocks:
            if kind != _CALLS:
                continue
            for head, body in _records(block):
                _, function, flags, begin, end, result = head
                if function == _CONTENT_OF:
                    if len(body) < _CONTENT.size:
                        raise TraceError(f"{file}: a content is damaged")
                    raw = _CONTENT.unpack_from(body)
                    form = _FORMS[raw[2]] if raw[2] < len(_FORMS) else _FORMS[0]
                    content = Content._make([*raw[:2], form, *raw[4:], bool(flags)])
                    if flags and thread in recent:
                        recent[thread].contents.append(content)
                    elif not flags:
                        before.setdefault(thread, []).append(content)
                    continue
                if function not in functions:
                    continue
                call = Call(
                    functions[function], process, thread, begin + shift,
                    end + shift if end else 0, _signed(result), body, before.pop(thread, []),
                )  # fmt: skip
                call.source = file
                recent[thread] = call
                calls.append(call)
        calls.sort(key=lambda c: c.begin)
        return calls[-last:] if last else calls

    def _pair(self) -> None:
        """Link second phases to the first ones, through their executors."""
        prepared: dict[tuple[int, int], Call] = {}
        for call in self.calls:
            parameters = call.function.parameters
            if not call.operator:
                continue
            if call.name.endswith("GetWorkspaceSize") and not call.failed:
                if parameters[-1:] == ("executor",):
                    prepared[call.process, call.arguments["executor"]] = call
            elif parameters[-4:] == ("workspace", "workspaceSize", "executor", "stream"):
                call.first_phase = prepared.get((call.process, call.arguments["executor"]))
                if call.first_phase and call.first_phase.operator != call.operator:
                    call.first_phase = None

    def read_content(self, call: Call, content: Content) -> bytes:
        """Return the elements of a tensor whose content is all there."""
        if content.form != "full" or call.source is None:
            raise TraceError(f"call {call.number}: the content was not kept; record --content full")
        file = call.source.with_suffix(".content")
        try:
            with file.open("rb") as opened:
                opened.seek(0, 2)
                if content.where + content.bytes > opened.tell():
                    raise TraceError(f"{file} ends before the content of call {call.number}")
                opened.seek(content.where)
                return opened.read(content.bytes)
        except OSError as error:
            raise TraceError(f"{file}: {error.strerror}") from None


def _printable(text: bytes) -> str:
    """Return a string that does nothing to who prints it."""
    shown = text.decode("utf-8", "replace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in shown)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _records(block: bytes) -> Iterator[tuple[tuple[int, ...], bytes]]:
    at = 0
    while at + _RECORD.size <= len(block):
        head = _RECORD.unpack_from(block, at)
        size = head[0]
        if size < _RECORD.size or at + size > len(block):
            raise TraceError(f"a record of {size} bytes cannot be")
        yield head, block[at + _RECORD.size : at + size]
        at += size


def _definitions(block: bytes) -> Iterator[tuple[int, Function]]:
    for head, body in _records(block):
        parts = body.decode("utf-8", "replace").split("\0")
        if head[1] != _DEFINITION or len(parts) < 3 or not parts[1]:
            raise TraceError("the definition of a function is damaged")
        name, codes, listed = parts[:3]
        parameters = tuple(listed.split(",")) if listed else ()
        # Names are validated, since they become names of files and C functions.
        known = not set(codes[1:]) - set(_NUMBERS) - set("tTs")
        named = all(map(str.isidentifier, (name, *parameters)))
        if len(parameters) != len(codes) - 1 or not known or not named:
            raise TraceError(f"the definition of {name[:60]!r} is damaged")
        yield head[2], Function(name, codes, parameters)
