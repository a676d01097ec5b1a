"""The report of a run, as a table and as JSON."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Sequence
from typing import Any, TextIO

from pyaclnn.selftest.acceptance import Comparison
from pyaclnn.selftest.families import brief_table, families
from pyaclnn.selftest.runner import Failure, Outcome
from pyaclnn.sim.progress import has_colours, time_left

_GREEN, _RED, _DIM, _BOLD, _PLAIN = "\033[32m", "\033[31m", "\033[2m", "\033[1m", "\033[0m"
_SHORT = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "float64": "f64"}
#: Failing cases shown for each operator; the JSON has them all.
SHOWN_FAILURES = 5


class Report:
    """Prints progress and rows as results come in.

    Parameters
    ----------
    stream : text file
        A progress line that is overwritten only where it is a terminal, colours unless NO_COLOR.
    width : int
        Characters of the operator column.
    total : int
        How many rows there will be, for the time that is left.
    details : bool
        Whether each operator has a row; otherwise those that fail have, and families a table.
    seed, device : int
        Of the run, for the commands that repeat what failed.
    """

    def __init__(
        self, stream: TextIO | None = None, width: int = 24, total: int = 0, *,
        details: bool = True, seed: int = 0, device: int = 0,
    ) -> None:  # fmt: skip
        self._details = details
        self._options = [
            *([f"--seed={seed}"] if seed else []),
            *([f"--device={device}"] if device else []),
        ]
        self._stream = sys.stdout if stream is None else stream
        self._terminal = self._stream.isatty()
        self._coloured = has_colours(self._stream)
        self._width = width
        self._rows, self._total = 0, total
        self._started = time.perf_counter()

    def _write(self, text: str) -> None:
        encoding = self._stream.encoding or "ascii"
        self._stream.write(text.encode(encoding, "replace").decode(encoding))
        self._stream.flush()

    def _colour(self, text: str, code: str) -> str:
        return f"{code}{text}{_PLAIN}" if self._coloured else text

    def header(self, lines: Sequence[str]) -> None:
        """Print what is tested, and the column titles."""
        for line in lines:
            self._write(line + "\n")
        if not self._details:
            return
        titles = (
            f"{'operator':<{self._width}} {'cases':>6}  {'worst error (limit)':<26} "
            f"{'verdict':<8} {'time':>7}"
        )
        self._write("\n" + self._colour(titles, _BOLD) + "\n")

    def progress(self, name: str, cases: int) -> None:
        """Show progress, if the output is a terminal."""
        if self._terminal and cases % 16 == 0:
            left = time_left(time.perf_counter() - self._started, self._rows, self._total)
            state = self._colour(f"running, {left}" if left else "running", _DIM)
            self._write(f"\r{name:<{self._width}} {cases:>6}  {state}\033[K")

    def row(self, outcome: Outcome) -> None:
        """Print one line of the table, and the failures below it."""
        self._rows += 1
        start = "\r\033[K" if self._terminal else ""
        if not self._details and not outcome.failures:
            return
        verdict = f"{outcome.verdict:<8}"
        colour = {"pass": _GREEN, "FAIL": _RED}.get(outcome.verdict, _DIM)
        self._write(
            f"{start}{outcome.name:<{self._width}} {outcome.cases:>6}  {_error(outcome):<26} "
            f"{self._colour(verdict, colour)} {outcome.seconds:>5.1f} s\n"
        )
        for failure in outcome.failures[:SHOWN_FAILURES]:
            dtype = f"{failure.dtype}, " if failure.dtype else ""
            # The call and CANN's message; the hint of the error is left out.
            lines = failure.reason.splitlines() or [""]
            self._write(f"    {dtype}{failure.case}: {lines[0]}\n")
            self._write("".join(f"        {text.strip()}\n" for text in lines[1:2]))
            self._write(f"        again: {self._again(outcome, failure)}\n")
        hidden = len(outcome.failures) - SHOWN_FAILURES
        if hidden > 0:
            self._write(f"    and {hidden} more; --json has them all\n")
        if outcome.skipped:
            self._write(f"    {outcome.skipped}\n")
        for dtype, words in outcome.refused.items():
            self._write(f"    {dtype} not on this chip: {words}\n")
        if outcome.chip:
            self._write(f"    on a simulated {outcome.chip}, which alone has it\n")

    def _again(self, outcome: Outcome, failure: Failure) -> str:
        """Return the command that repeats one case with the same values."""
        chip = [f"PYACLNN_SIM_SOC={outcome.chip}"] if outcome.chip else []
        command = ["python", "-m", "pyaclnn.selftest", "--op", outcome.name, *self._options]
        if failure.dtype:
            command += ["--dtype", failure.dtype, "--case", failure.case]
        return shlex.join([*chip, *command])

    def summary(self, outcomes: Sequence[Outcome], seconds: float) -> None:
        """Print what became of all: the table of families and a line."""
        if not self._details:
            self._write("\r\033[K" if self._terminal else "")
            self._write("\n" + brief_table(families(outcomes)) + "\n")
            left_out = sum(o.verdict == "skipped" for o in outcomes)
            if left_out:
                why = "not on this chip or of several ranks: --details says which"
                self._write(f"{left_out} operators skipped, {why}\n")
        cases = sum(o.cases for o in outcomes)
        failed = [o.name for o in outcomes if o.failures]
        text = f"{cases} cases in {seconds:.1f} s: "
        if failed:
            self._write("\n" + self._colour(f"{text}FAILED: {', '.join(failed)}", _RED) + "\n")
        else:
            self._write("\n" + self._colour(f"{text}all passed", _GREEN) + "\n")


class Lines(Report):
    """Prints each outcome as a line of JSON, for the process that started this one."""

    def header(self, lines: Sequence[str]) -> None:
        """Print nothing."""

    def progress(self, name: str, cases: int) -> None:
        """Print nothing."""

    def row(self, outcome: Outcome) -> None:
        """Print one outcome."""
        self._write(json.dumps(as_dict(outcome)) + "\n")

    def summary(self, outcomes: Sequence[Outcome], seconds: float) -> None:
        """Print nothing."""


def _error(outcome: Outcome) -> str:
    if outcome.worst is None:
        return "-"
    if outcome.worst.limit == 0:
        return "exact" if outcome.worst.error == 0 else f"{outcome.worst.error:g} (exact)"
    dtype = _SHORT.get(outcome.worst_dtype, outcome.worst_dtype)
    return f"{outcome.worst.error:.1e} ({outcome.worst.limit:.1e}) {dtype}"


def as_dict(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON has it."""
    o = outcome
    return {
        "name": o.name,
        "verdict": o.verdict,
        "cases": o.cases,
        "dtypes": o.dtypes,
        "worst_error": None if o.worst is None else o.worst.error,
        "worst_limit": None if o.worst is None else o.worst.limit,
        "worst_dtype": o.worst_dtype,
        "seconds": round(o.seconds, 3),
        "skipped": o.skipped,
        "chip": o.chip,
        "refused": o.refused,
        "failures": [{"case": f.case, "dtype": f.dtype, "reason": f.reason} for f in o.failures],
    }


def from_dict(result: dict[str, Any]) -> Outcome:
    """Return the outcome that JSON tells of."""
    worst = None
    if result["worst_error"] is not None:
        worst = Comparison(True, result["worst_error"], result["worst_limit"])
    return Outcome(
        result["name"],
        cases=result["cases"],
        dtypes=result["dtypes"],
        worst=worst,
        worst_dtype=result["worst_dtype"],
        failures=[Failure(f["case"], f["dtype"], f["reason"]) for f in result["failures"]],
        skipped=result["skipped"],
        chip=result["chip"],
        refused=result["refused"],
        seconds=result["seconds"],
    )


def to_json(environment: dict[str, Any], outcomes: Sequence[Outcome], seed: int) -> str:
    """Return everything as JSON text."""
    return json.dumps(
        {
            "environment": environment,
            "seed": seed,
            "passed": not any(o.failures for o in outcomes),
            "operators": [as_dict(o) for o in outcomes],
            "families": [
                {
                    "name": f.name,
                    "operators": f.operators,
                    "cases": f.cases,
                    "worst_share": f.worst,
                    "worst_operator": f.worst_operator,
                    "seconds": round(f.seconds, 3),
                }
                for f in families(outcomes)
            ],
        },
        indent=1,
    )
