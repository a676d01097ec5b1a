"""Try what nobody would write, and see that it ends in a status, a result, or an error with a name.

Usage: ``python tools/fuzz.py --minutes 1 --seed 7 [--target results]``,
``python tools/fuzz.py --cases 2000 --seed 7`` for the same cases on every machine, or
``python tools/fuzz.py --replay tests/fuzz/corpus/*.json``

Cases follow from the seed and their number alone. They run in a process of their own, which is
watched: a crash, no end, handles that are left, bytes written outside of what an operator was
given, and exceptions without a name are findings; each is written to ``--findings`` as a file that
``--replay`` takes. Exits with 0 if there is none, 1 if there are some.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import math
import os
import random
import selectors
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Target -> module that makes and runs its cases.
TARGETS = {
    "operators": "fuzzing.operators",
    "results": "fuzzing.results",
    "c-api": "fuzzing.c_api",
    "headers": "fuzzing.headers",
    "samples": "fuzzing.samples",
    "programs": "fuzzing.programs",
}
#: The simulator of the children: small, and impatient.
_ENVIRONMENT = {
    "PYACLNN_BACKEND": "simulator",
    "PYACLNN_SIM_MEMORY": "256M",
    "PYACLNN_SIM_DEVICES": "2",
    "PYACLNN_SIM_TASK_TIMEOUT": "20",
}


@dataclass
class Tally:
    """What came of one target."""

    target: str
    calls: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = ", ".join(f"{n} {kind}" for kind, n in self.counts.items()) or "nothing found"
        return f"{self.target}: {self.calls} cases, {kinds}"


def make(target: str, seed: int, number: int) -> Any:
    """Return one case of a target, or nothing where that number has none."""
    return importlib.import_module(TARGETS[target]).make(random.Random(f"{seed} {number}"))


def run(target: str, case: Any) -> str:
    """Run a case; say what is wrong with what came of it, or nothing."""
    return str(importlib.import_module(TARGETS[target]).run(case))


class Child:
    """A process that runs cases and says which, before each."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", __file__, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
            env={**_ENVIRONMENT, **os.environ},
        )  # fmt: skip
        self.errors: list[str] = []
        self._selector = selectors.DefaultSelector()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ)
        self._rest = ""

    def lines(self, timeout: float) -> list[str] | None:
        """Return new lines; an empty list after the timeout, None after the end."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            for key, _ in self._selector.select(max(0.0, deadline - time.monotonic())):
                text = os.read(key.fd, 1 << 16).decode(errors="replace")
                if not text:
                    self._selector.unregister(key.fileobj)
                elif key.fileobj is self.process.stderr:
                    self.errors.append(text)
                else:
                    *lines, self._rest = (self._rest + text).split("\n")
                    if lines:
                        return lines
            if not self._selector.get_map():
                self.process.wait()
                return None
        return []

    def processor_time(self) -> float:
        """Return the seconds that processors have worked for it."""
        try:
            stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        except OSError:
            return 0.0
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def answer(self, patience: float) -> list[str] | None:
        """Return new lines; an empty list where it hangs, None after the end.

        The patience is in processor time: a case is no slower for what else the machine does.
        What waits and does not work may take ten times as long by the clock.
        """
        worked, deadline = self.processor_time(), time.monotonic() + 10 * patience
        while time.monotonic() < deadline and self.processor_time() - worked < patience:
            lines = self.lines(1.0)
            if lines is None or lines:
                return lines
        return []

    def end(self) -> str:
        """Kill it if it runs, and return the last it wrote to the standard error."""
        self.process.kill()
        self.process.wait()
        return "".join(self.errors)[-3000:]


def watch(options: argparse.Namespace, target: str, seconds: float) -> Tally:
    """Run the cases of one target until the time is up, or those that are asked for."""
    tally = Tally(target)
    until = time.monotonic() + seconds
    number, behind = 0, options.cases
    while time.monotonic() < until and (behind is None or number < behind):
        child = Child("--child", "--target", target, "--seed", str(options.seed),
                      "--first", str(number),
                      *([] if behind is None else ["--cases", str(behind)]))  # fmt: skip
        current: int | None = None
        while time.monotonic() < until:
            lines = child.answer(options.patience)
            if not lines:
                break
            for line in lines:
                if line.startswith("!"):
                    _note(options, tally, "wrong", current, json.loads(line[1:]))
                elif line.isdigit():
                    current, tally.calls = int(line), tally.calls + 1
        else:
            child.end()
            break
        if lines is None and child.process.returncode == 0:
            break
        if lines is None:
            status = child.process.returncode
            _note(options, tally, "crashes", current, f"ended with {status}\n{child.end()}")
        else:
            _note(options, tally, "hangs", current, f"no end\n{child.end()}")
        number = (number if current is None else current) + 1
    return tally


def _note(
    options: argparse.Namespace, tally: Tally, kind: str, number: int | None, what: str
) -> None:
    tally.counts[kind] += 1
    print(f"{tally.target} {options.seed} {number}: {kind}: {what}", flush=True)
    if number is None or not options.findings:
        return
    options.findings.mkdir(parents=True, exist_ok=True)
    path = options.findings / f"{tally.target}-{options.seed}-{number}.json"
    shown = subprocess.run(
        [sys.executable, __file__, "--show", str(number), "--target", tally.target,
         "--seed", str(options.seed)],
        capture_output=True, text=True, env={**_ENVIRONMENT, **os.environ}, check=False,
    )  # fmt: skip
    path.write_text(shown.stdout, encoding="utf-8")


def serve(target: str, seed: int, first: int, behind: int | None) -> int:
    """Be the child: run cases one after the other."""
    for number in itertools.count(first) if behind is None else range(first, behind):
        print(number, flush=True)
        case = make(target, seed, number)
        finding = "" if case is None else run(target, case)
        if finding:
            print("!" + json.dumps(finding), flush=True)
    return 0


def replay(paths: Sequence[Path], patience: float) -> int:
    """Run cases from files, in one process as long as it lives."""
    rest, failed = list(paths), 0
    while rest:
        child = Child("--child", "--file", *map(str, rest))
        path, findings = rest[0], []
        while lines := child.answer(patience):
            for line in lines:
                if line.startswith("!"):
                    findings.append((path, json.loads(line[1:])))
                else:
                    path = rest.pop(0)
        if lines is not None:
            findings.append((path, "no end"))
        elif child.process.returncode != 0:
            findings.append((path, f"ended with {child.process.returncode}"))
        if rest and path == rest[0]:  # it ended before it began with that
            rest.pop(0)
        errors = child.end()
        for path, finding in findings:
            failed += 1
            print(f"{path}: {finding}\n{errors}")
    return 1 if failed else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, help="for all targets together")
    parser.add_argument("--cases", type=int, help="for each target, however long they take")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", choices=TARGETS, action="append")
    parser.add_argument(
        "--patience", type=float, default=60.0, help="for one case, in processor seconds"
    )
    parser.add_argument("--findings", type=Path, help="folder for cases that found something")
    parser.add_argument("--replay", type=Path, nargs="+", help="cases to run again")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, nargs="+", help=argparse.SUPPRESS)
    for hidden in ("--show", "--first"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    targets = options.target or list(TARGETS)
    if options.replay:
        return replay(options.replay, options.patience)
    if options.show:
        case = make(targets[0], options.seed, int(options.show))
        print(json.dumps({"target": targets[0], **(case or {})}, indent=1))
        return 0
    if options.child and options.file:
        for path in options.file:
            print(path, flush=True)
            case = json.loads(path.read_text(encoding="utf-8"))
            finding = run(case["target"], case)
            if finding:
                print("!" + json.dumps(finding), flush=True)
        return 0
    if options.child:
        return serve(targets[0], options.seed, int(options.first), options.cases)
    minutes = options.minutes
    if minutes is None:
        minutes = 1.0 if options.cases is None else math.inf
    workers = min(len(targets), os.cpu_count() or 1)
    seconds = minutes * 60 * workers / len(targets)
    with ThreadPoolExecutor(workers) as pool:
        tallies = list(pool.map(lambda target: watch(options, target, seconds), targets))
    for tally in tallies:
        print(tally)
    return 1 if any(tally.counts for tally in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
