"""Suites in several processes at once: a single process hardly uses one processor."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence

import pyaclnn as pa
from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.report import from_dict
from pyaclnn.selftest.runner import Failure, Outcome

#: The number of suites that justifies another process, and the limit of processes.
_WORTH, _MOST = 40, 4


def usual_count(suites: Sequence[Suite]) -> int:
    """Return how many processes there are if nobody says: one for a real device."""
    if pa.backend.name != "simulator" or len(suites) < _WORTH:
        return 1
    return min(_MOST, len(os.sched_getaffinity(0)))


class Processes:
    """Processes that run a share of the suites each, in order.

    Parameters
    ----------
    suites : sequence of Suite
        What to run.
    count : int
        How many processes.
    options : sequence of str
        Of the command line, but for the operators and the output.
    """

    def __init__(self, suites: Sequence[Suite], count: int, options: Sequence[str]) -> None:
        self._results: dict[str, queue.Queue[Outcome]] = {}
        self._running: list[subprocess.Popen[str]] = []
        for number in range(count):
            names = [suite.operator for suite in suites[number::count]]
            self._results |= {name: queue.Queue() for name in names}
            threading.Thread(target=self._follow, args=(names, options), daemon=True).start()

    def _follow(self, names: Sequence[str], options: Sequence[str]) -> None:
        command = [sys.executable, "-m", "pyaclnn.selftest", "--lines", *options]
        errors: list[str] = []
        left = list(names)
        with subprocess.Popen(
            [*command, *(f"--op={name}" for name in names)],
            env={**os.environ, "PYACLNN_BACKEND": pa.backend.name},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
        ) as process:  # fmt: skip
            self._running.append(process)
            assert process.stdout is not None
            assert process.stderr is not None
            reader = threading.Thread(target=errors.extend, args=(process.stderr,), daemon=True)
            reader.start()
            for line in process.stdout:
                outcome = from_dict(json.loads(line))
                self._results[outcome.name].put(outcome)
                left.remove(outcome.name)
            reader.join()
        for name in left:
            reason = "".join(errors).strip() or f"ended with status {process.returncode}"
            failure = Failure("in a process", "", reason)
            self._results[name].put(Outcome(name, failures=[failure]))

    def outcome(self, suite: Suite) -> Outcome:
        """Return the outcome of a suite; waits for it."""
        return self._results[suite.operator].get()

    def close(self) -> None:
        """End what is still running."""
        for process in self._running:
            process.terminate()
