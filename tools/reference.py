"""Compile CANN's own first phase on this machine, and compare what it answers with the simulator.

Usage: ``python tools/reference.py --sources DIR --build build/reference [--operators REGEX]
[--calls N] [--seed N] [--sweep] [--chips Ascend910B1 ...] [--tag v9.1.0] [--json FILE]
[--keep FILE]``

``DIR`` has checkouts, or git directories, of opbase, metadef, runtime and any of ops-math, ops-nn,
ops-cv and ops-transformer, which are public; those in git are read at the tag or its nearest
spelling. Everything that is made of them goes to ``--build``; nothing of them is part of pyaclnn.
What is compiled is kept, so that a second run compares at once (``--compare-only`` does not even
look for sources that are newer).

Calls are right ones of the selftest, changed in up to three places; with ``--sweep``, one of each
operator with each type and each small number in place of its own. Listed are, for each chip,
operators whose calls are answered otherwise, with the first of the calls. Calls that the reference
cannot answer, as a part of it did not compile, are counted apart; so are those that only a kernel's
tiling refuses, for of kernels there are no sources here. ``--keep`` writes calls that are answered
alike to a file of ``tests/operators/cann_statuses``: for those who do not have the sources.

Exits with 0 where nothing differs, 1 where something does, 2 where nothing could be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

from referencing.answers import Comparison, compare  # noqa: E402
from referencing.build import STAND_IN, build, operators_of  # noqa: E402
from referencing.calls import draw, seeds, sweep  # noqa: E402
from referencing.kept import chosen, write  # noqa: E402
from referencing.sources import Sources  # noqa: E402

_CHIPS = ("Ascend910B1", "Ascend910A", "Ascend310P3", "Ascend950")
_SHOWN = 2


def as_text(found: Comparison) -> str:
    """Return the differences of a chip by operator.

    Parameters
    ----------
    found : Comparison
        Of that chip.
    """
    different = {name: calls for name, calls in found.differences.items() if calls}
    total = sum(found.calls.values())
    lines = [
        f"{found.chip}: {100 * found.share:.2f} % of {total} calls of {len(found.calls)} operators "
        f"are answered otherwise, in {len(different)} operators; not compared: "
        f"{sum(found.open.values())} of what did not compile, "
        f"{sum(found.kernels.values())} of kernels, "
        f"{sum(found.lacking.values())} of what is not simulated; "
        f"{sum(found.because.values())} more differ for a known reason"
    ]
    for name, calls in sorted(different.items(), key=lambda item: -len(item[1])):
        lines.append(f"  {name}: {len(calls)} of {found.calls[name]}")
        for call, cann, simulator in calls[:_SHOWN]:
            arguments = json.dumps(call["arguments"])
            said = f" ({simulator.said})" if simulator.said else ""
            lines.append(f"    CANN {cann.status}, simulator {simulator.status}{said}: {arguments}")
    return "\n".join(lines)


def _as_data(found: Comparison) -> dict[str, object]:
    return {
        "chip": found.chip, "calls": dict(found.calls), "open": dict(found.open),
        "kernels": dict(found.kernels), "lacking": dict(found.lacking),
        "because": dict(found.because),
        "differences": [
            {**call, "cann": cann.status, "simulator": simulator.status, "said": simulator.said}
            for calls in found.differences.values() for call, cann, simulator in calls
        ],
    }  # fmt: skip


def _compiled(options: argparse.Namespace) -> Path:
    """Return the toolkit root with CANN's operators."""
    toolkit = Path(options.build) / "toolkit"
    if options.compare_only:
        return toolkit
    sources = Sources(options.sources, options.build / "sources", options.tag)
    built = build(sources, options.build, options.simulator, options.jobs, options.stand_in)
    names = operators_of(toolkit)
    print(
        f"{len(built.objects)} of {len(built.objects) + len(built.errors)} files compile; "
        f"{len(names)} operators, {len(built.open)} functions that none of them has"
    )
    errors = "".join(f"{source}: {error}\n" for source, error in built.errors.items())
    (options.build / "errors.txt").write_text(errors, encoding="utf-8")
    return toolkit


def _seeds(options: argparse.Namespace) -> Path:
    """Return the file of right calls; drawing them runs every operator of the selftest once."""
    if options.seeds:
        return Path(options.seeds)
    file = Path(options.build) / "calls.json"
    if not file.is_file():
        # In a process with the simulator's operators and the memory that drawn calls need.
        subprocess.run(
            [sys.executable, str(ROOT / "tools" / "referencing" / "right_calls.py"), str(file)],
            check=True,
            env={**os.environ, "PYACLNN_SIM_MEMORY": "256M", "PYACLNN_BACKEND": "simulator",
                 "PYACLNN_SIM_HOME": str(options.simulator)},
        )  # fmt: skip
    return file


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sources", type=Path, help="folder of CANN's repositories")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "reference")
    parser.add_argument("--tag", default="v9.1.0", help="tag in git")
    parser.add_argument("--simulator", type=Path, default=ROOT / "pyaclnn" / "_toolkit")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    parser.add_argument("--stand-in", type=Path, default=STAND_IN, help="for sources of other tags")
    parser.add_argument("--operators", default="", help="regular expression of names in C")
    parser.add_argument("--calls", type=int, default=40, help="calls of each operator")
    parser.add_argument("--sweep", action="store_true", help="each type and small number instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", help="right calls, one on a line, in place of the selftest's")
    parser.add_argument("--chips", nargs="+", default=list(_CHIPS), metavar="CHIP")
    parser.add_argument("--json", type=Path, help="write all differences to this file")
    parser.add_argument("--keep", type=Path, help="write calls that are answered alike to this")
    parser.add_argument("--compare-only", action="store_true", help="take what is compiled")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile, compare and print.

    Parameters
    ----------
    arguments : sequence of str, optional
        Command line without the program name.

    Returns
    -------
    int
        0 where nothing differs, 1 where something does, 2 where nothing could be compared.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.sources is None and not options.compare_only:
        parser.error("--sources is needed to compile")
    try:
        toolkit = _compiled(options)
    except (FileNotFoundError, LookupError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    right = seeds(_seeds(options))
    wanted = re.compile(options.operators)
    names = sorted(n for n in right.keys() & operators_of(toolkit) if wanted.search(n))
    if not names:
        print("no operator to compare", file=sys.stderr)
        return 2
    groups = [
        sweep(right[name])
        if options.sweep
        else [
            draw(right[name], random.Random(f"{options.seed} {name} {i}"))
            for i in range(options.calls)
        ]
        for name in names
    ]
    found = [compare(groups, chip, toolkit, options.simulator) for chip in options.chips]
    for comparison in found:
        print(as_text(comparison))
    if options.json:
        options.json.write_text(
            json.dumps([_as_data(c) for c in found], indent=1), encoding="utf-8"
        )
    if options.keep:
        source = f"phase 1 of CANN {options.tag.removeprefix('v')}, compiled by tools/reference.py"
        write(options.keep, [c.chip for c in found], source, chosen([c.alike for c in found]))
    return 1 if any(comparison.differences for comparison in found) else 0


if __name__ == "__main__":
    sys.exit(main())
