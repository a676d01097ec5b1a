"""Write calls and the statuses that the simulator answers them with, so that a change is noticed.

    python tools/kept_statuses.py [--calls N] [--seed N]

CANN has not been asked: ``tests/operators/cann_statuses`` is what it says of calls. This is for the
checks that its first phase leaves to kernels, whose sources nobody can run here, and for chips that
its sources do not cover: a check that is left out, or a limit that moves, answers otherwise. Calls
are drawn as ``tools/reference.py`` draws them, and more widely; kept are those that between them
come to every refusal on each chip, beside those of ``drawn.json``. Run it after a change of
statuses that is meant, and read what differs: calls that are in the file stay in it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

from referencing.answers import NONE, Answer, Side  # noqa: E402
from referencing.calls import Call, draw_widely, seeds  # noqa: E402
from referencing.kept import chosen, write  # noqa: E402

FILE = ROOT / "tests" / "operators" / "kept_statuses.json"
#: What CANN's own first phase confirms, of ``tools/reference.py``.
CONFIRMED = ROOT / "tests" / "operators" / "cann_statuses" / "drawn.json"
SOURCE = "the simulator, when this was written"
_CHIPS = ("Ascend910B1", "Ascend910A", "Ascend310P3", "Ascend950")


def right_calls(folder: Path, simulator: Path) -> dict[str, list[Call]]:
    """Return right calls of every operator, of chips that between them have all."""
    found: dict[str, list[Call]] = {}
    for chip in ("Ascend910B1", "Ascend950"):
        file = folder / f"calls-{chip}.json"
        if not file.is_file():
            environment = {
                "PYACLNN_SIM_MEMORY": "256M", "PYACLNN_BACKEND": "simulator",
                "PYACLNN_SIM_HOME": str(simulator), "PYACLNN_SIM_SOC": chip,
            }  # fmt: skip
            program = ROOT / "tools" / "referencing" / "right_calls.py"
            command = [sys.executable, str(program), str(file)]
            subprocess.run(command, check=True, env={**os.environ, **environment})
        for name, calls in seeds(file).items():
            found.setdefault(name, []).extend(calls)
    return found


def answers(groups: Sequence[Sequence[Call]], chip: str, simulator: Path) -> dict[str, Answer]:
    """Return what the simulator answers on a chip, by call as JSON."""
    side = Side(simulator, chip, "stays")
    try:
        return {
            json.dumps(call): answer
            for calls in groups
            for call, answer in zip(calls, side.answers(calls), strict=True)
            if answer.status != NONE
        }
    finally:
        side.close()


def kept(file: Path) -> list[Call]:
    """Return the calls of a file that was written so."""
    content = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"drawn": ()}
    return [{"operator": name, "arguments": values} for name, values, _ in content["drawn"]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--calls", type=int, default=200, help="calls of each operator")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "statuses")
    parser.add_argument("--simulator", type=Path, default=ROOT / "pyaclnn" / "_toolkit")
    options = parser.parse_args(arguments)
    options.build.mkdir(parents=True, exist_ok=True)
    right = right_calls(options.build, options.simulator)
    groups: dict[str, list[Call]] = {
        name: [
            draw_widely(calls, random.Random(f"{options.seed} {name} {i}"))
            for i in range(options.calls)
        ]
        for name, calls in right.items()
    }
    old, confirmed = kept(FILE), kept(CONFIRMED)
    for call in old + confirmed:
        groups.setdefault(call["operator"], []).append(call)
    drawn = list(groups.values())
    answered = [answers(drawn, chip, options.simulator) for chip in _CHIPS]
    first, elsewhere = ({json.dumps(call) for call in calls} for calls in (old, confirmed))
    new = chosen(answered, first=first, elsewhere=elsewhere, passed=1)
    # What depends on the calls before it, such as a group that one of them has made, is no test.
    alone = [[{"operator": name, "arguments": values}] for name, values, _ in new]
    again = [answers(alone, chip, options.simulator) for chip in _CHIPS]
    new = [
        (name, values, statuses)
        for (name, values, statuses), (call,) in zip(new, alone, strict=True)
        if statuses == [chip.get(json.dumps(call), Answer()).status for chip in again]
    ]
    write(FILE, _CHIPS, SOURCE, new)
    print(f"{FILE.relative_to(ROOT)}: {len(new)} calls, {len(old)} of which were there before")
    return 0


if __name__ == "__main__":
    sys.exit(main())
