"""Write calls and the statuses that the simulator answers them with, so that a change is noticed.

    python tools/kept_statuses.py [--calls N] [--seed N]
    python tools/kept_statuses.py --neighbours aclnnMhcPre   # looks for more neighbours of one
    python tools/kept_statuses.py --neighbours               # and of all: an hour

CANN has not been asked: ``tests/operators/cann_statuses`` is what it says of calls. This is for the
checks that its first phase leaves to kernels, whose sources nobody can run here, and for chips that
its sources do not cover: a check that is left out, or a limit that moves, answers otherwise. Calls
are drawn as ``tools/reference.py`` draws them, and more widely; kept are those that between them
come to every refusal on each chip, beside those of ``drawn.json``. Run it after a change of
statuses that is meant, and read what differs: calls that are in the file stay in it.

``neighbour_statuses.json`` has a few right calls of each operator and what is changed of them, in
one place at a time (``referencing/neighbours.py``): what each check refuses of each argument, and
both sides of each limit. With ``--neighbours`` more are looked for, of other right calls; those in
the file stay, and are answered again. It takes right calls from there, too: some were recorded
while tests ran.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import os
import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT), str(ROOT / "tests")]

from referencing import neighbours  # noqa: E402
from referencing.answers import NONE, Answer, Side  # noqa: E402
from referencing.calls import Call, draw_widely, seeds  # noqa: E402
from referencing.kept import chosen, write  # noqa: E402

from pyaclnn.table import by_name  # noqa: E402

#: Of the tests, whose folder is on the path.
cann_statuses: Any = importlib.import_module("operators.cann_statuses")
FILE = ROOT / "tests" / "operators" / "kept_statuses.json"
#: What CANN's own first phase confirms, of ``tools/reference.py``.
CONFIRMED = ROOT / "tests" / "operators" / "cann_statuses" / "drawn.json"
NEAR = cann_statuses.NEAR
#: Families of which kernels check something; CANN's first phase confirms those of the others.
FAMILIES = (
    "attention", "collective", "convolution", "detection", "embedding", "hyper", "indexing", "loss",
    "matmul", "moe", "norm", "optimiser", "pooling", "quant", "recurrent", "resample", "softmax",
    "sorting", "unfold",
)  # fmt: skip
SOURCE = "the simulator, when this was written"
_CHIPS = ("Ascend910B1", "Ascend910A", "Ascend310P3", "Ascend950")


def right_calls(folder: Path, simulator: Path) -> dict[str, list[Call]]:
    """Return right calls of every operator, of chips that between them have all."""
    found: dict[str, list[Call]] = {}
    for chip in ("Ascend910B1", "Ascend310P3", "Ascend950"):
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


def look_around(
    right: Mapping[str, Sequence[Call]], before: Sequence[neighbours.Near], simulator: Path
) -> list[neighbours.Near]:
    """Return the neighbours that were kept before, and of other right calls what tells more."""
    sides = [Side(simulator, chip, "stays") for chip in _CHIPS]
    found = []
    try:
        for operator, calls in right.items():
            old = [line for line in before if line[0] == operator]
            by_chip = [side.answers(calls) for side in sides]
            statuses = {
                json.dumps(call): [answer.status for answer in answered]
                for call, *answered in zip(calls, *by_chip, strict=True)
            }
            there = [neighbours.calls_of(line)[0] for line in old]
            around = [
                neighbours.Around(call, line[2]) for call, line in zip(there, old, strict=True)
            ]
            new = neighbours.right(calls, statuses, there)
            around += [neighbours.Around(call) for call in new]
            for one in around if new else ():
                one.ask(sides)
            found += neighbours.chosen(around) if new else old
    finally:
        for side in sides:
            side.close()
    return found


def write_near(lines: Sequence[neighbours.Near], simulator: Path) -> int:
    """Have neighbours answered where the right call is right, write them, and return how many."""
    groups = [neighbours.calls_of(line) for line in lines]
    statuses: list[list[list[int | None]]] = [[[] for _ in calls] for calls in groups]
    for chip in _CHIPS:
        # What CANN answers otherwise stands among its own.
        known = {
            json.dumps([call["operator"], call["arguments"]])
            for call in cann_statuses.on_chip(cann_statuses.files(), chip)
            if chip in call.get("answers", {})
        }
        side = Side(simulator, chip, "stays")
        for calls, told in zip(groups, statuses, strict=True):
            (own,) = side.answers(calls[:1])
            answered = side.answers(calls) if own.status == 0 else [own]
            for call, on_chips, answer in itertools.zip_longest(calls, told, answered):
                there = answer is not None and answer.status != NONE
                there = there and json.dumps(list(call.values())) not in known
                on_chips.append(answer.status if there else None)
        side.close()
    neighbours.write(NEAR, _CHIPS, SOURCE, lines, statuses)
    return sum(map(len, groups))


def accepted() -> Iterator[Call]:
    """Yield the calls of the other files that some chip accepts, and the right ones of this."""
    for operator, arguments, _ in neighbours.read(NEAR):
        yield {"operator": operator, "arguments": arguments}
    for file in (*cann_statuses.files(), FILE):
        for call in cann_statuses.read(file):
            if 0 in {**call["status"], **call.get("answers", {})}.values():
                yield {"operator": call["operator"], "arguments": call["arguments"]}


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
    parser.add_argument(
        "--neighbours", nargs="*", metavar="OPERATOR", help="look for their neighbours, only"
    )
    options = parser.parse_args(arguments)
    options.build.mkdir(parents=True, exist_ok=True)
    right = right_calls(options.build, options.simulator)
    lines = neighbours.read(NEAR)
    if options.neighbours is not None:
        wanted = set(options.neighbours)
        near = defaultdict(list)
        for call in (*itertools.chain(*right.values()), *accepted()):
            row = by_name().get(call["operator"])
            if row and row.family in FAMILIES and (not wanted or row.c_name in wanted):
                near[call["operator"]].append(neighbours.plainer(call))
        others = [line for line in lines if line[0] not in near]
        lines = sorted(
            others + look_around(near, lines, options.simulator), key=lambda line: line[0]
        )
    print(f"{NEAR.relative_to(ROOT)}: {write_near(lines, options.simulator)} calls")
    if options.neighbours is not None:
        return 0
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
