"""Counting what is live, and breaking paths off at every place where that can happen."""

from __future__ import annotations

import contextlib
import dis
import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pyaclnn as pa
from pyaclnn.ops.plan import close_dropped
from pyaclnn.sim import control
from pyaclnn.tensor import pinned, registry
from pyaclnn.tensor.cached import clear_caches

KINDS = (
    "stream", "event", "tensor", "scalar", "int_array", "tensor_list", "executor", "graph",
    "device_bytes", "host_bytes",
)  # fmt: skip

#: Every code of Python's that may be broken off lies here, or was compiled by it.
_PACKAGE = str(Path(pa.__file__).parent)


def live(wanted: dict[str, int] | None = None) -> dict[str, int]:
    """Count what there is once Python has let go of all it can; again where retries may help."""
    device = pa.current_device()
    found: dict[str, int] = {}
    for _ in range(3):
        clear_caches()
        pinned._staging.clear()
        gc.collect()
        close_dropped()
        registry.destroy_failed()
        registry.destroy_lost()
        pa.current_stream().sync()
        device.destroy_dropped(wait=True)
        device.pool.trim()
        found = {kind: control.count(kind) for kind in KINDS}
        found["uncounted bytes"] = found["device_bytes"] - device.pool.stats().reserved
        if found == wanted:
            break
    return found


class Breaker:
    """Raises KeyboardInterrupt where a signal handler of Python's can, at the n-th such place.

    The interpreter looks for signals when a function begins, when a loop goes back, and after a
    call, before what it returned is stored anywhere.
    """

    def __init__(self, place: int) -> None:
        self.place = place
        self.passed = 0

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        if event != "call" or not name.startswith((_PACKAGE, "<fast path")):
            return None
        frame.f_trace_lines = False
        frame.f_trace_opcodes = True
        places = _places(frame.f_code)

        def in_frame(frame: FrameType, event: str, _: Any) -> Any:
            if event == "opcode" and frame.f_lasti in places:
                self.passed += 1
                if self.passed == self.place:
                    sys.settrace(None)
                    raise KeyboardInterrupt
            return in_frame

        return in_frame

    def __enter__(self) -> Breaker:
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)


_known: dict[CodeType, frozenset[int]] = {}


def _places(code: CodeType) -> frozenset[int]:
    places = _known.get(code)
    if places is None:
        found, after_call = set(), False
        for instruction in dis.get_instructions(code):
            if instruction.opname == "CACHE":
                continue
            if after_call or instruction.opname in ("RESUME", "JUMP_BACKWARD"):
                found.add(instruction.offset)
            after_call = instruction.opname.startswith("CALL")
        places = _known[code] = frozenset(found)
    return places


@contextlib.contextmanager
def quiet_finalizers() -> Iterator[list[type[BaseException]]]:
    """Collect the types of what finalizers raise, which Python would print."""
    raised: list[type[BaseException]] = []
    before, sys.unraisablehook = sys.unraisablehook, lambda it: raised.append(it.exc_type)
    try:
        yield raised
    finally:
        sys.unraisablehook = before


def every(function: Callable[[int], bool], step: int = 1) -> int:
    """Call with 1, 1 + step, ... until it returns False; return how often it was True."""
    n = 1
    while function(n):
        n += step
    return n // step
