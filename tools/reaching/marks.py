"""The blocks that ran since they were asked for last; a pytest plugin that asks after each test.

As a plugin (``-p reaching.marks``) it keeps, for each test that passed, its name, its seconds and
its blocks. Processes that a test starts mark the same file.
"""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np

#: Where the marks are, for ``record.c``, and the folder of what is kept.
MARKS, FOLDER = "PYACLNN_REACHED", "PYACLNN_REACHED_FOLDER"
#: Bytes of marks; each is for four bytes of the library.
SIZE = 1 << 23


class Marks:
    """The marks of one process and its children, and what is kept of them."""

    def __init__(self, folder: Path, name: str) -> None:
        file = folder / f"{name}.marks"
        file.write_bytes(bytes(SIZE))
        os.environ[MARKS] = str(file)
        self._marks = np.memmap(file, np.uint8, "r+")
        self._kept = open(folder / f"{name}.pickle", "wb")  # noqa: SIM115

    def take(self) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """Return the numbers of the blocks that are marked, and clear their marks."""
        # A copy, for threads of the simulator may be marking still.
        found = np.flatnonzero(self._marks.view(np.uint64).copy())
        rows, columns = np.nonzero(self._marks.reshape(-1, 8)[found])
        self._marks.view(np.uint64)[found] = 0
        return (found[rows] * 8 + columns).astype(np.uint32)

    def keep(self, name: str, seconds: float) -> None:
        """Write down what ran under a name."""
        pickle.dump((name, seconds, self.take()), self._kept)
        self._kept.flush()


_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
_marks = Marks(Path(os.environ[FOLDER]), _WORKER) if _WORKER and FOLDER in os.environ else None


def pytest_runtest_logreport(report: Any) -> None:
    """Keep what a test ran, in the process that ran it."""
    if _marks is not None and report.when == "call":
        if report.passed:
            _marks.keep(report.nodeid, report.duration)
        else:
            _marks.take()
