"""Progress and remaining time of long work, shown at a terminal only.

It imports nothing of pyaclnn, which is not installed yet when the simulator is built.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TextIO

#: Seconds between two updates.
_EVERY = 0.1


def has_colours(stream: TextIO) -> bool:
    """Return whether text there may have colours: a terminal, unless ``NO_COLOR`` is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def time_left(seconds: float, done: float, total: float) -> str:
    """Return the remaining time in words; empty if it is unknown.

    Parameters
    ----------
    seconds : float
        That it took so far.
    done, total : float
        How much was done in that time, and how much there is.
    """
    if not 0 < done <= total or seconds < 1:
        return ""
    left = seconds * (total - done) / done
    if left < 90:
        return f"{left:.0f} s left"
    return f"{left / 60:.0f} min left" if left < 5400 else f"{left / 3600:.1f} h left"


class Progress:
    """A line that is overwritten; nothing where the stream is no terminal.

    Parameters
    ----------
    what : str
        Is being done.
    total : int
        How many steps it has.
    stream : text file, optional
        Standard error if not given.
    """

    def __init__(self, what: str, total: int, stream: TextIO | None = None) -> None:
        self._what, self._total = what, total
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._started = time.monotonic()
        self._shown = 0.0
        self._done = 0
        self._lock = threading.Lock()

    def step(self, note: str = "") -> None:
        """One more step is done; from any thread."""
        with self._lock:
            self.show(self._done + 1, note)

    def show(self, done: int, note: str = "") -> None:
        """Say how many steps are done."""
        self._done = done
        now = time.monotonic()
        if not self._terminal or now - self._shown < _EVERY:
            return
        self._shown = now
        left = time_left(now - self._started, done, self._total)
        parts = [f"{self._what}: {done} of {self._total}", note, left]
        self._write("\r" + ", ".join(filter(None, parts))[: self._width()] + "\033[K")

    def clear(self) -> None:
        """Clear the line."""
        if self._terminal and self._shown:
            self._write("\r\033[K")

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns - 1
        except (OSError, ValueError):
            return 79

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
