"""Work that stays pending until the test lets it go."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any

from pyaclnn.abi import check, ffi, lib
from pyaclnn.runtime import Stream


class Gate:
    """Holds a stream: what is submitted behind it does not run before the gate is opened."""

    def __init__(self, stream: Stream) -> None:
        self._opened = threading.Event()
        self._callback = ffi.callback("void(void *)", self._wait)
        check(lib.aclrtLaunchHostFunc(stream.handle, self._callback, ffi.NULL))
        self._stream = stream

    def _wait(self, _: Any) -> None:
        self._opened.wait(20)

    def open(self) -> None:
        """Let the stream go on."""
        self._opened.set()

    def __enter__(self) -> Gate:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.open()
        # The C callback must outlive its run.
        if not self._stream.closed:
            self._stream.sync()
