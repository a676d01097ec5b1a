"""Replays the operator calls of a trace and compares their outputs.

Tensors get new memory with the same relative addresses, so that aliasing is kept. Where the trace
has contents, each call reads the recorded inputs. Otherwise memory is initialised with random
numbers, and calls read what earlier calls wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pyaclnn import abi
from pyaclnn.abi import ffi, lib
from pyaclnn.runtime import Buffer, current_stream
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.dtypes import as_dtype
from pyaclnn.trace.layout import Layout, Span, span_of, view
from pyaclnn.trace.reader import (
    Array,
    Call,
    Content,
    HandleList,
    ScalarValue,
    TensorView,
    Trace,
    TraceError,
    Unseen,
)

_ARRAYS = {
    "I": ("aclCreateIntArray", "aclDestroyIntArray", "int64_t[]"),
    "F": ("aclCreateFloatArray", "aclDestroyFloatArray", "float[]"),
    "B": ("aclCreateBoolArray", "aclDestroyBoolArray", "bool[]"),
}
#: Relative and absolute tolerance for the results of another machine.
TOLERANCES = {
    "float64": (1e-9, 1e-12), "complex128": (1e-9, 1e-12), "float32": (1e-4, 1e-6),
    "complex64": (1e-4, 1e-6), "float16": (2e-3, 1e-4), "bfloat16": (1e-2, 1e-3),
}  # fmt: skip


class NotReplayedError(Exception):
    """A call that the trace has not enough data for; its text says why."""


@dataclass
class Difference:
    """An output that differs from the trace."""

    call: Call
    parameter: str
    what: str


@dataclass
class Outcome:
    """The result of a replay."""

    calls: int = 0
    exact: int = 0
    close: int = 0
    unknown: int = 0
    differences: list[Difference] = field(default_factory=list)
    left_out: list[tuple[Call, str]] = field(default_factory=list)


class Expected(NamedTuple):
    """The content that an output is compared with, and the trace that has it."""

    trace: Trace
    call: Call
    content: Content


def operator_calls(trace: Trace, first: int | None, last: int | None) -> Iterator[Call]:
    """Yield the second phases whose first ones are known, from a number to another."""
    for call in trace.calls:
        within = (first or 0) <= call.number and (last is None or call.number <= last)
        if within and call.first_phase is not None:
            yield call


class Replay:
    """The device's memory, and the calls made in it."""

    def __init__(self, trace: Trace, calls: list[Call], seed: int = 0) -> None:
        self.trace = trace
        self.calls = calls
        self.layouts: dict[int, Layout] = {}
        for process in {c.process for c in calls}:
            phases = [c.first_phase for c in calls if c.process == process and c.first_phase]
            self.layouts[process] = Layout(phases)
        self.buffers: dict[tuple[int, int], Buffer] = {}
        self._random = np.random.default_rng(seed)

    def buffer(self, process: int, tensor: TensorView) -> tuple[Buffer, int]:
        """Return the memory of a tensor, and the address that it stands for."""
        layout = self.layouts[process]
        number = layout.place(span_of(tensor).begin)
        if (process, number) not in self.buffers:
            made = Buffer(layout.size(number))
            self.buffers[process, number] = made
            _upload(made, self._drawn(tensor, layout.size(number)))
        return self.buffers[process, number], layout.begins[number]

    def _drawn(self, tensor: TensorView, size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        name = tensor.dtype_name
        count = -(-size // 8) * 8
        if name.startswith(("float", "bfloat")) and name in TOLERANCES:
            dtype = as_dtype(name)
            numbers = self._random.standard_normal(count // dtype.itemsize).astype(dtype)
        else:
            # Small, so that they are valid as indices in most cases.
            wide = {"int64": np.int64, "int32": np.int32}.get(name, np.uint8)
            numbers = self._random.integers(0, 2, count // np.dtype(wide).itemsize).astype(wide)
        return numbers.view(np.uint8)[:size]

    def elements(self, process: int, tensor: TensorView) -> Any:
        """Return what a tensor holds, as raw elements."""
        buffer, begin = self.buffer(process, tensor)
        return np.ascontiguousarray(view(_download(buffer), span_of(tensor), begin))

    def fill(self, process: int, tensor: TensorView, content: bytes) -> None:
        """Write a tensor's elements."""
        span: Span = span_of(tensor)
        buffer, begin = self.buffer(process, tensor)
        whole = _download(buffer)
        target = view(whole, span, begin)
        source = np.frombuffer(content, target.dtype)
        if source.size != target.size:
            raise TraceError(f"a content has {source.size} elements, its tensor {target.size}")
        target[...] = source.reshape(target.shape)
        _upload(buffer, whole)

    def make(self, call: Call) -> int:
        """Make a call; return the status of the phase that failed, or 0."""
        first = call.first_phase
        assert first is not None
        tensors = {(n, i): t for n, i, _, t in first.tensors()}
        for content in call.contents:
            if not content.after and content.form == "full":
                tensor = tensors.get((content.parameter, content.item))
                if tensor is not None:
                    self.fill(call.process, tensor, self.trace.read_content(call, content))
        with _Handles(self, call.process) as handles:
            arguments = [
                handles.value(code, name, value)
                for code, (name, value) in zip(
                    first.function.codes[1:-2], list(first.arguments.items())[:-2], strict=True
                )
            ]
            size, executor = ffi.new("uint64_t *"), ffi.new("aclOpExecutor **")
            status = int(_function(first.name)(*arguments, size, executor))
            if status:
                return status
            stream = current_stream()
            workspace = Buffer(size[0]) if size[0] else None
            pointer = ffi.cast("void *", workspace.ptr if workspace else 0)
            status = int(_function(call.name)(pointer, size[0], executor[0], stream.handle))
            stream.sync()
        return status


def _function(name: str) -> Any:
    try:
        return getattr(lib, name)
    except abi.SymbolNotFoundError:
        raise NotReplayedError(f"{name} is in no library here") from None


def _download(buffer: Buffer) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return Tensor(buffer, (buffer.nbytes,), np.uint8).numpy()


def _upload(buffer: Buffer, content: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
    Tensor(buffer, (buffer.nbytes,), np.uint8).copy_from(content)


class _Handles:
    """The handles of one call, which are destroyed after it."""

    def __init__(self, replay: Replay, process: int) -> None:
        self._replay = replay
        self._process = process
        self._made: list[tuple[Any, Any]] = []
        self._kept: list[Any] = []

    def __enter__(self) -> _Handles:
        return self

    def __exit__(self, *_: object) -> None:
        for destroy, handle in reversed(self._made):
            destroy(handle)

    def _own(self, handle: Any, destroy: str) -> Any:
        if not handle:
            raise NotReplayedError("an argument cannot be made")
        self._made.append((getattr(lib, destroy), handle))
        return handle

    def value(self, code: str, name: str, value: Any) -> Any:
        """Return the C value of a parameter."""
        if code in "tT":
            return self._handle(name, value)
        if code == "s":
            if value.startswith("#"):
                raise NotReplayedError(f"{name} is a name that the trace does not have")
            self._kept.append(ffi.new("char[]", value.encode()))
            return self._kept[-1]
        if code in "p845":
            return ffi.cast("void *", 0)
        return value

    def _handle(self, name: str, value: Any) -> Any:
        if value is None:
            return ffi.NULL
        if isinstance(value, TensorView):
            return self._own(self._tensor(value), "aclDestroyTensor")
        if isinstance(value, ScalarValue):
            raw = ffi.new("char[16]", value.raw)
            return self._own(lib.aclCreateScalar(raw, value.dtype), "aclDestroyScalar")
        if isinstance(value, Array) and value.count == len(value.values):
            create, destroy, c_type = _ARRAYS[value.kind]
            numbers = ffi.new(c_type, list(value.values))
            return self._own(getattr(lib, create)(numbers, value.count), destroy)
        if isinstance(value, HandleList) and value.count == len(value.items):
            return self._list(name, value)
        if isinstance(value, Unseen):
            raise NotReplayedError(f"{name} was made before the trace began")
        raise NotReplayedError(f"{name} is too long to be in the trace whole")

    def _list(self, name: str, value: HandleList) -> Any:
        if any(isinstance(i, Unseen) for i in value.items):
            raise NotReplayedError(f"{name} was made before the trace began")
        scalars = any(isinstance(i, ScalarValue) for i in value.items)
        kind = "Scalar" if scalars else "Tensor"
        before = len(self._made)
        items = [self._handle(name, item) for item in value.items]
        # The list owns them.
        del self._made[before:]
        array = ffi.new(f"const acl{kind} *[]", items)
        made = getattr(lib, f"aclCreate{kind}List")(array, len(items))
        return self._own(made, f"aclDestroy{kind}List")

    def _tensor(self, tensor: TensorView) -> Any:
        address = 0
        if tensor.address:
            buffer, begin = self._replay.buffer(self._process, tensor)
            address = buffer.ptr + tensor.address - begin
        return lib.aclCreateTensor(
            list(tensor.shape), len(tensor.shape), tensor.dtype, list(tensor.strides),
            tensor.offset, tensor.format, list(tensor.storage), len(tensor.storage),
            ffi.cast("void *", address),
        )  # fmt: skip


def numbers(raw: Any, tensor: TensorView) -> Any:
    """Return raw elements as numbers; as bytes where NumPy has no such dtype."""
    flat = np.frombuffer(raw.tobytes() if isinstance(raw, np.ndarray) else raw, np.uint8)
    try:
        dtype = as_dtype(tensor.dtype_name)
    except (TypeError, ValueError):
        return flat
    return flat[: flat.size // dtype.itemsize * dtype.itemsize].view(dtype)


def compared(mine: Any, expected: Expected, tensor: TensorView) -> str | None:
    """Return how an output differs; empty if within its dtype's tolerance, None for not at all."""
    trace, call, content = expected
    if content.form == "full":
        theirs = trace.read_content(call, content)
        if mine.tobytes() == theirs:
            return None
        return _far(numbers(mine, tensor), numbers(theirs, tensor), tensor)
    if content.form == "hash":
        return None if hash_of(mine.tobytes()) == content.hash else "its hash is another"
    values = numbers(mine, tensor).astype(np.float64)
    finite = values[np.isfinite(values)]
    found = (int(np.isnan(values).sum()), int(np.isinf(values).sum()))
    if found != (content.nans, content.infinities):
        return (
            f"{found[0]} NaN and {found[1]} infinite, not {content.nans} and {content.infinities}"
        )
    if finite.size:
        mine_at = (finite.min(), finite.max(), finite.mean())
        theirs_at = (content.minimum, content.maximum, content.mean)
        relative, absolute = TOLERANCES.get(tensor.dtype_name, (0.0, 0.0))
        if not np.allclose(mine_at, theirs_at, rtol=relative, atol=absolute):
            return f"minimum, maximum, mean are {mine_at}, not {theirs_at}"
    return None


def _far(mine: Any, theirs: Any, tensor: TensorView) -> str:
    if mine.shape != theirs.shape:
        return f"it has {mine.size} elements, not {theirs.size}"
    exact = tensor.dtype_name not in TOLERANCES
    wide = np.uint8 if mine.dtype.kind == "V" else np.complex128 if mine.dtype.kind == "c" else None
    one, other = (v.astype(wide or np.float64) if not exact else v for v in (mine, theirs))
    if exact:
        far = one != other
    else:
        relative, absolute = TOLERANCES[tensor.dtype_name]
        far = ~np.isclose(one, other, rtol=relative, atol=absolute, equal_nan=True)
    if not far.any():
        return ""
    at = int(np.flatnonzero(far)[0])
    return f"{int(far.sum())} of {far.size} elements, first [{at}]: {mine[at]}, not {theirs[at]}"


def hash_of(raw: bytes) -> int:
    """Return the hash that the tracer writes of elements."""
    value = 14695981039346656037
    for word in np.frombuffer(raw.ljust(-(-len(raw) // 8) * 8, b"\0"), "<u8").tolist():
        value = (value ^ word) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
        value ^= value >> 29
    return value


def expectations(
    calls: list[Call], other: Trace, others: list[Call]
) -> dict[tuple[int, int, int], Expected]:
    """Return what outputs are compared with: those of the same place among another's operators."""
    found = {}
    for call, theirs in zip(calls, others, strict=False):
        if call.operator != theirs.operator:
            raise TraceError(
                f"call {call.number} is {call.operator}, in {other.path} it is {theirs.operator} "
                f"({theirs.number}): trace diff shows where they part"
            )
        for content in theirs.contents:
            if content.after and content.form != "unreadable":
                key = (call.number, content.parameter, content.item)
                found[key] = Expected(other, theirs, content)
    return found


def run(
    trace: Trace,
    first: int | None = None,
    last: int | None = None,
    against: Trace | None = None,
    save: Path | None = None,
) -> Outcome:
    """Replay calls, and compare each output.

    Parameters
    ----------
    trace : Trace
        What is made again.
    first, last : int, optional
        Numbers of the calls from and to which.
    against : Trace, optional
        Whose outputs count; its own by default.
    save : Path, optional
        A folder for inputs and outputs of the first call that differs.
    """
    calls = list(operator_calls(trace, first, last))
    # The same range of places, as numbers of calls differ.
    places = {c.number: i for i, c in enumerate(operator_calls(trace, None, None))}
    others = list(operator_calls(against or trace, None, None))
    others = [others[places[c.number]] for c in calls if places[c.number] < len(others)]
    wanted = expectations(calls, against or trace, others)
    outcome = Outcome()
    replay = Replay(trace, calls)
    for call in calls:
        assert call.first_phase is not None
        try:
            status = replay.make(call)
        except (NotReplayedError, TypeError, OverflowError) as reason:
            outcome.left_out.append((call, str(reason)))
            continue
        outcome.calls += 1
        if status != call.result:
            text = f"the status is {status}, not {call.result}"
            outcome.differences.append(Difference(call, "", text))
            continue
        found = False
        for number, item, written, tensor in call.first_phase.tensors():
            if not written or not tensor.address:
                continue
            expected = wanted.get((call.number, number, item))
            if expected is None:
                outcome.unknown += 1
                continue
            mine = replay.elements(call.process, tensor)
            what = compared(mine, expected, tensor)
            outcome.exact += what is None
            outcome.close += what == ""
            if what:
                name = call.first_phase.function.parameters[number]
                found = not outcome.differences
                outcome.differences.append(Difference(call, name, what))
                if found and save is not None:
                    keep(trace, call, save, mine, expected, tensor)
    return outcome


def keep(
    trace: Trace, call: Call, folder: Path, mine: Any, expected: Expected, tensor: TensorView
) -> None:
    """Write inputs and the output of a call as .npy files."""
    assert call.first_phase is not None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    tensors = {(n, i): t for n, i, _, t in call.first_phase.tensors()}
    names = call.first_phase.function.parameters
    for content in call.contents:
        shown = tensors.get((content.parameter, content.item))
        if content.after or content.form != "full" or shown is None:
            continue
        values = numbers(trace.read_content(call, content), shown)
        shape = span_of(shown).shape
        np.save(
            folder / f"{names[content.parameter]}{content.item or ''}.npy", values.reshape(shape)
        )
    shape = span_of(tensor).shape
    np.save(folder / "replayed.npy", numbers(mine, tensor).reshape(shape))
    if expected.content.form == "full":
        theirs = expected.trace.read_content(expected.call, expected.content)
        np.save(folder / "recorded.npy", numbers(theirs, tensor).reshape(shape))
