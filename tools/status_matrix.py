"""Count where the simulator answers as CANN's own unit tests expect, by release and chip.

Usage: ``python tools/status_matrix.py --sources DIR [--json FILE]``

``DIR`` holds the git repositories of CANN's operators (ops-math, ops-nn, ops-cv, ops-transformer).
The tests of each at the tag of a release are read as ``tools/cann_tests.py`` reads them, and called
in a process that simulates that release and the chip they name. Printed is a table in Markdown:
calls that are answered alike, of those that could be made; calls of operators that are not
simulated, or whose prototype is another in our headers, are counted beside. ``--json`` keeps what
differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

import cann_tests  # noqa: E402
import releases as tags  # noqa: E402

from pyaclnn.table.releases import RELEASES  # noqa: E402

_PROGRAM = """
import json, sys
import pyaclnn as pa
from operators.cann_statuses import ROOM, answer

memory = pa.zeros((ROOM,), "uint8")
address = pa.ffi.cast("char *", memory.buffer.ptr)
found = []
for call in json.load(open(sys.argv[1], encoding="utf-8")):
    try:
        found.append(answer(call, address))
    except (TypeError, ValueError, OverflowError, AttributeError, OSError):
        found.append(None)  # not simulated, or declared otherwise
print(json.dumps(found))
"""


def answers(calls: list[dict[str, Any]], chip: str, release: str) -> list[int | None]:
    """Return what a process with a chip and a release answers; None for what cannot be called.

    Parameters
    ----------
    calls : list of dict
        As ``tools/cann_tests.py`` gives them.
    chip, release : str
        Such as ``Ascend910B1`` and ``9.1``.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(calls, file)
        file.flush()
        environment = {
            **os.environ, "PYACLNN_BACKEND": "simulator", "PYACLNN_SIM_SOC": chip,
            "PYACLNN_SIM_CANN": release, "DISABLE_L2_CACHE": "1",
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests"))),
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, file.name], env=environment, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
    if done.returncode != 0:
        raise RuntimeError(f"{chip}, CANN {release}: {done.stderr}")
    found: list[int | None] = json.loads(done.stdout)
    return found


def by_chip(sources: Path, release: str) -> dict[str, list[dict[str, Any]]]:
    """Return the calls of all repositories at the tag of a release, by chip.

    Parameters
    ----------
    sources : Path
        The folder of repositories.
    release : str
        Such as ``9.1``.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for repository in tags.repositories(sources):
        tag = repository.tag(f"v{release}.0")
        if tag is None:
            print(f"left out: {repository.path} has no tag v{release}.0", file=sys.stderr)
            continue
        for call in cann_tests.calls(repository.path, tag):
            for chip in call["status"]:
                found.setdefault(chip, []).append(call)
    return found


def compared(sources: Path) -> Iterator[tuple[str, str, Counter[str], list[dict[str, Any]]]]:
    """Yield release, chip, counts and the calls that differ.

    Parameters
    ----------
    sources : Path
        The folder of repositories.
    """
    for release in (r.name for r in RELEASES):
        for chip, calls in sorted(by_chip(sources, release).items()):
            counts: Counter[str] = Counter()
            differing = []
            for call, answer in zip(calls, answers(calls, chip, release), strict=True):
                wanted = call["status"][chip]
                kind = "none" if answer is None else "alike" if answer == wanted else "other"
                counts[kind] += 1
                if kind == "other":
                    differing.append({**call, "answer": answer})
            yield release, chip, counts, differing


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("--json", type=Path, help="where to write the calls that differ")
    options = parser.parse_args()
    kept = []
    print("| release | chip | answered alike | other status | not called |\n|---|---|---|---|---|")
    for release, chip, counts, differing in compared(options.sources):
        alike, other, none = (counts[kind] for kind in ("alike", "other", "none"))
        print(f"| {release} | {chip} | {alike} of {alike + other} | {other} | {none} |", flush=True)
        kept += [{"release": release, "chip": chip, **call} for call in differing]
    if options.json:
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
