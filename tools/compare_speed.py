"""Compares the kernels of two checkouts, each built, on the benchmark's rows.

    python tools/compare_speed.py OTHER [WORD…]              # rows with one of the words in them
    python tools/compare_speed.py OTHER --processes 5 --json FILE

``OTHER`` is the root of another checkout of this repository, or of this one to see how far apart
equal code comes. Each has a process, and both take turns within a row: what else the machine does
meets both. Who is first in a turn alternates from process to process, since the data of the first
may stay in the last cache and then those of the second do not. A turn begins with a call that is
not counted. A row's time is the least of its turns.

Prints ``time here / time there``: above 1, this checkout is slower.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
TURN = 0.05  # seconds of a turn, about
SLOWER = 1.05
PRINTED = 40

#: What runs in each checkout, by names that all of them have: commands in, answers out, as JSON.
CHILD = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import pyaclnn as pa
from pyaclnn.bench import forward, operators, throughput

def names():
    rows = [["forward", row.name, dtype] for row in forward.ROWS for dtype in row.dtypes]
    rows += [["operators", name, ""] for name, pair in operators.PAIRS.items()
             if not getattr(pair, "chip", "")]
    return rows + [["throughput", name, dtype] for name in throughput.STREAMED
                   for dtype in throughput._DTYPES]

def make(section, name, dtype):
    if section == "forward":
        row = forward._BY_NAME[name]
        return forward._pyaclnn(row, row.large, dtype)
    if section == "operators":
        pair = operators.PAIRS[name]
        return operators._pyaclnn(pair, pair.arguments())[0]
    return throughput._pyaclnn(name, dtype)

def turn(calls):
    batch(1)
    pa.current_stream().sync()
    start = time.perf_counter()
    batch(calls)
    pa.current_stream().sync()
    return (time.perf_counter() - start) / calls

batch = None
for line in sys.stdin:
    command, *arguments = json.loads(line)
    try:
        if command == "make":
            batch = None
            batch = make(*arguments)
            answer = turn(1)
        else:
            answer = {"names": names, "turn": turn}[command](*arguments)
    except Exception as error:
        answer = {"error": repr(error)[:200]}
    print(json.dumps(answer), flush=True)
"""


class Child:
    """A process with the package of one checkout."""

    def __init__(self, root: Path) -> None:
        self._root = root
        environment = {**os.environ, "PYTHONPATH": str(root), "PYACLNN_BACKEND": "simulator"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=root,
        )

    def ask(self, *command: Any) -> Any:
        """Have a command answered; raise RuntimeError with the child's own error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"{self._root}: the process with this checkout's package ended; is it built?")
        answer = json.loads(line)
        if isinstance(answer, dict):
            raise RuntimeError(answer["error"])
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


class Row(NamedTuple):
    """A row that both have, and the least time of a call in each, in seconds."""

    name: str
    here: float
    there: float

    @property
    def ratio(self) -> float:
        """How much longer a call takes here."""
        return self.here / self.there


def rows_of(roots: tuple[Path, Path], words: list[str]) -> list[list[str]]:
    """Return the rows of both checkouts that have one of the words in them, or all."""
    children = [Child(root) for root in roots]
    names, others = (child.ask("names") for child in children)
    for child in children:
        child.close()
    return [
        name
        for name in names
        if name in others and (not words or any(word in " ".join(name) for word in words))
    ]


def measure(roots: tuple[Path, Path], rows: list[list[str]], processes: int) -> list[Row]:
    """Measure each row in so many pairs of processes."""
    best = {" ".join(row): [float("inf")] * 2 for row in rows}
    for process in range(processes):
        children = [Child(root) for root in roots]
        order = (0, 1) if process % 2 == 0 else (1, 0)
        for row in rows:
            try:
                calls = max(
                    1, round(TURN / max(children[which].ask("make", *row) for which in order))
                )
                for which in order * 2:
                    least = best[" ".join(row)]
                    least[which] = min(least[which], children[which].ask("turn", calls))
            except RuntimeError as error:
                print(f"{' '.join(row)}: {error}", file=sys.stderr)
        for child in children:
            child.close()
    return [Row(name, *least) for name, least in best.items() if max(least) < float("inf")]


def main() -> None:
    """Compare as the command line says, and print the slowest rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", type=Path)
    parser.add_argument("words", nargs="*", metavar="word")
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--json", type=Path)
    options = parser.parse_intermixed_args()
    roots = (ROOT, options.other.resolve())
    if not (roots[1] / "pyaclnn").is_dir():
        parser.error(f"{roots[1]} is no checkout of this repository: it has no folder pyaclnn")
    rows = measure(roots, rows_of(roots, options.words), options.processes)
    if not rows:
        sys.exit("no row of both checkouts has that in its name")
    rows.sort(key=lambda row: row.ratio, reverse=True)
    if options.json is not None:
        options.json.write_text(json.dumps([[*row, row.ratio] for row in rows], indent=1))
    slower = sum(row.ratio > SLOWER for row in rows)
    faster = sum(row.ratio < 1 / SLOWER for row in rows)
    median = statistics.median(row.ratio for row in rows)
    print(f"{len(rows)} rows, median {median:.2f}, {slower} slower, {faster} faster by 5 %")
    for row in rows[:PRINTED]:
        print(f"{row.ratio:.2f}  {row.there * 1e6:8.0f} -> {row.here * 1e6:8.0f} us  {row.name}")


if __name__ == "__main__":
    main()
