"""One side of the comparison: its monitored processes, and the file of their observations."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: After how many crashes the rest of a unit is skipped; after a hang it is skipped at once.
_ENDS = 3
_LOOK_EVERY_S = 0.05
_TOLD = 2000
_HUNG = "hung"
#: The minimal time-out until a process is ready, in seconds.
_START_S = 60.0


class UnusableError(Exception):
    """A side is unusable; the message says why."""


@dataclass
class Side:
    """CANN, or a simulated one.

    Attributes
    ----------
    name : str
        ``cann``, or ``simulator``, ``simulator:SOC``, ``simulator:SOC:CANN``.
    """

    name: str

    def variables(self) -> dict[str, str]:
        """Return the environment of its processes.

        Raises
        ------
        UnusableError
            If the name is not one of those above.
        """
        backend, *profile = self.name.split(":")
        if (
            backend not in ("cann", "simulator")
            or len(profile) > 2
            or (profile and backend == "cann")
        ):
            raise UnusableError(f"{self.name!r} is neither cann nor simulator[:SOC[:CANN]]")
        names = ("PYACLNN_SIM_SOC", "PYACLNN_SIM_CANN")
        chosen = dict(zip(names, profile, strict=False))
        return {**os.environ, "PYACLNN_BACKEND": backend, **chosen}


@dataclass
class Run:
    """The run of one side, and its limits.

    Attributes
    ----------
    side : Side
        Where.
    file : Path
        The file of observations; those that it has are not repeated.
    seed, quick, device
        As for `units.items`, and the device's number.
    timeout : float
        Seconds for one call.
    batch : int
        Units for a process.
    progress : callable
        Told how many units are done.
    """

    side: Side
    file: Path
    seed: int = 0
    quick: bool = False
    device: int = 0
    timeout: float = 60.0
    batch: int = 20
    deadline: float = float("inf")
    progress: Callable[[int], None] = lambda done: None
    _ends: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._state = _State(self.file)

    def finish(self, units: Sequence[str]) -> bool:
        """Try what is missing; return whether everything was tried before the deadline."""
        while True:
            self._state.read()
            left = [unit for unit in units if unit not in self._state.done]
            self.progress(len(units) - len(left))
            if not left:
                return True
            if time.monotonic() > self.deadline:
                return False
            self._run_batch(left[: self.batch])

    def _run_batch(self, units: Sequence[str]) -> None:
        state = self._state
        starts = state.starts
        with tempfile.TemporaryDirectory(prefix="pyaclnn-fidelity-") as folder:
            asked = Path(folder) / "asked.json"
            asked.write_text(
                json.dumps(
                    {
                        "output": str(self.file), "device": self.device, "seed": self.seed,
                        "quick": self.quick,
                        "units": [[unit, sorted(state.tried(unit))] for unit in units],
                    }
                ),
                encoding="utf-8",
            )  # fmt: skip
            ended, told = self._watch(asked)
        state.read()
        unit = next((unit for unit in units if unit not in state.done), None)
        if not ended and unit is None:
            return
        if unit is None:
            # All was tried, and the end of the process failed.
            self._note(f"{units[-1]}/end of the process", ended)
            return
        if state.starts == starts:
            raise UnusableError(f"{self.side.name}: the process {ended or 'ended'}: {told}")
        self._ends[unit] += _ENDS if ended.startswith(_HUNG) else 1
        begun_here = list(state.begun)
        for begun in begun_here:
            self._note(begun, ended or "ended early")
        if not begun_here:
            self._note(f"{unit}/before its first call, {self._ends[unit]}", ended or "ended early")
        if self._ends[unit] >= _ENDS:
            self._note(f"{unit}/the rest", f"left out after {ended or 'ending early'}")
            self._append({"done": unit})

    def _watch(self, asked: Path) -> tuple[str, str]:
        """Run a process to its end; return how it failed, empty if it did not, and its output."""
        with tempfile.TemporaryFile() as words:
            process = subprocess.Popen(
                [sys.executable, "-m", "pyaclnn.fidelity.probe", str(asked)],
                env=self.side.variables(), stdin=subprocess.DEVNULL, stdout=words, stderr=words,
                start_new_session=True,
            )  # fmt: skip
            try:
                ended = self._wait(process)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            words.seek(0, os.SEEK_END)
            words.seek(max(0, words.tell() - _TOLD))
            return ended, words.read().decode(errors="replace").strip()

    def _wait(self, process: subprocess.Popen[bytes]) -> str:
        first = self.file.stat().st_size if self.file.exists() else 0
        size, since = first, time.monotonic()
        while True:
            try:
                status = process.wait(_LOOK_EVERY_S)
            except subprocess.TimeoutExpired:
                now = self.file.stat().st_size if self.file.exists() else 0
                if now != size:
                    size, since = now, time.monotonic()
                    continue
                patience = self.timeout if size != first else max(self.timeout, _START_S)
                if time.monotonic() - since > patience:
                    return f"{_HUNG} for {patience:g} s"
                continue
            return "" if status == 0 else _how(status)

    def _note(self, key: str, ended: str) -> None:
        self._append({"key": key, "seen": {"ended": ended}})

    def _append(self, line: dict[str, Any]) -> None:
        with open(self.file, "a", encoding="utf-8") as file:
            # On a line of its own, whatever the process was in the middle of.
            file.write("\n" + json.dumps(line) + "\n")


@dataclass
class _State:
    """The state of a file: units that are done, and the call that was begun and not ended."""

    file: Path
    done: set[str] = field(default_factory=set)
    begun: dict[str, None] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    starts: int = 0
    offset: int = 0

    def read(self) -> None:
        """Read what was appended to the file."""
        for end, line in lines(self.file, self.offset):
            self.offset = end
            self.starts += "environment" in line
            if "begin" in line:
                self.begun[line["begin"]] = None
            elif "key" in line:
                self.keys.add(line["key"])
                self.begun.pop(line["key"], None)
            elif "done" in line:
                self.done.add(line["done"])

    def tried(self, unit: str) -> set[str]:
        return {key for key in self.keys if key == unit or key.startswith((f"{unit}/", f"{unit},"))}


def lines(file: Path, start: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each complete line of a file with the offset of its end; truncated ones are skipped.

    Parameters
    ----------
    file : Path
        Need not be there.
    start : int
        Where to begin, in bytes.
    """
    if not file.exists():
        return
    with open(file, "rb") as text:
        text.seek(start)
        for line in text:
            start += len(line)
            try:
                yield start, json.loads(line)
            except ValueError:
                continue


def _how(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"crashed with {signal.Signals(-status).name}"
    except ValueError:
        return f"crashed with signal {-status}"
