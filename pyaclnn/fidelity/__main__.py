"""``python -m pyaclnn.fidelity``: the command line."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pyaclnn._command import completed, run_command
from pyaclnn.fidelity.differences import Difference, between
from pyaclnn.fidelity.report import entries, text, to_json
from pyaclnn.fidelity.side import Run, Side, UnusableError, lines
from pyaclnn.sim.progress import Progress
from pyaclnn.table import differences as table
from pyaclnn.table.releases import newest_until

SAME, DIFFERENT, UNUSABLE, UNFINISHED = 0, 1, 2, 3


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.fidelity",
        description="Make the same calls on CANN and on the simulator, and report each difference.",
        epilog="Exit status: 0 no difference that is not known, 1 differences, 2 a side is not "
        "usable, 3 the time was over: the same command goes on. A side is cann, simulator, "
        "simulator:SOC or simulator:SOC:CANN, such as simulator:Ascend910A:8.1.",
    )
    parser.add_argument("--reference", default="cann", metavar="SIDE", help="default: cann")
    parser.add_argument(
        "--candidate", metavar="SIDE", help="default: the simulator of the reference's chip"
    )
    parser.add_argument(
        "--folder", type=Path, default=Path("fidelity"), metavar="DIR",
        help="where observations, report.txt and report.json are written; what is there already is "
        "not tried again (default: ./fidelity)",
    )  # fmt: skip
    parser.add_argument(
        "--op", action="append", metavar="NAME",
        help="only this operator, or stream, or misuse; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--skip", action="append", default=[], metavar="NAME",
        help="not this one, such as misuse on a device that others use; may be repeated",
    )  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="every seventh case")
    parser.add_argument("--seed", type=int, default=0, help="of the random values (default 0)")
    parser.add_argument("--device", type=int, default=0, metavar="N")
    parser.add_argument(
        "--timeout", type=float, default=60.0, metavar="S", help="for one call (default 60)"
    )
    parser.add_argument("--minutes", type=float, metavar="M", help="stop and be run again later")
    parser.add_argument(
        "--batch", type=int, default=20, metavar="N", help="operators in a process (default 20)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print report.json in place of the report"
    )
    parser.add_argument(
        "--learn", metavar="WHY",
        help="add the new differences to the table of known ones, for this reason",
    )  # fmt: skip
    parser.add_argument(
        "--table", type=Path, default=table.FILE, metavar="FILE",
        help="of known differences; PYACLNN_SIM_DIFFERENCES=FILE has the simulator read it "
        "(default: pyaclnn's own)",
    )  # fmt: skip
    options = completed(parser).parse_args(arguments)
    if options.batch < 1 or options.timeout <= 0:
        parser.error("--batch and --timeout are more than 0")
    return options


def chosen_units(names: Sequence[str] | None, skipped: Sequence[str] = ()) -> list[str]:
    """Return the units to try.

    Raises
    ------
    UnusableError
        For a name that there is not.
    """
    from pyaclnn.fidelity.units import all_units
    from pyaclnn.ops.naming import operator_name

    known = all_units()

    def named(name: str) -> list[str]:
        wanted = operator_name(name) if name.startswith("aclnn") else name
        found = [unit for unit in known if wanted in (unit, unit.partition("/")[0])]
        if not found:
            raise UnusableError(f"there is no operator or behaviour {name!r} to compare")
        return found

    chosen = known if not names else [unit for name in names for unit in named(name)]
    left_out = {unit for name in skipped for unit in named(name)}
    return [unit for unit in dict.fromkeys(chosen) if unit not in left_out]


def environment(file: Path) -> dict[str, str]:
    """Return the environment that the first process of a side reported."""
    found = (line["environment"] for _, line in lines(file) if "environment" in line)
    return next(found, {})


def collect(options: argparse.Namespace, units: Sequence[str]) -> tuple[list[Path], bool]:
    """Try everything on both sides; return their files, and whether all was tried."""
    for name in (options.reference, options.candidate or "simulator"):
        Side(name).variables()
    options.folder.mkdir(parents=True, exist_ok=True)
    _same_as_before(options)
    deadline = float("inf")
    if options.minutes is not None:
        deadline = time.monotonic() + 60 * options.minutes
    files: list[Path] = []
    finished = True
    candidate = options.candidate
    for role, name in (("reference", options.reference), ("candidate", candidate)):
        side = Side(name or _simulated(environment(files[0])))
        file = options.folder / f"{role}.jsonl"
        with Progress(f"{role} ({side.name})", len(units)) as progress:
            run = Run(
                side, file, seed=options.seed, quick=options.quick, device=options.device,
                timeout=options.timeout, batch=options.batch, deadline=deadline,
                progress=progress.show,
            )  # fmt: skip
            finished = run.finish(units) and finished
        files.append(file)
    return files, finished


def _same_as_before(options: argparse.Namespace) -> None:
    """Refuse to resume with observations of another seed or another selection."""
    names = ("reference", "candidate", "seed", "quick")
    asked = {name: getattr(options, name) for name in names}
    file = options.folder / "asked.json"
    before = json.loads(file.read_text(encoding="utf-8")) if file.exists() else asked
    for name in names:
        if before[name] != asked[name]:
            raise UnusableError(
                f"{options.folder} was begun with {name} {before[name]}, not {asked[name]}; "
                "give another --folder"
            )
    file.write_text(json.dumps(asked), encoding="utf-8")


def _simulated(reference: dict[str, str]) -> str:
    release = newest_until(reference.get("cann", ""))
    return f"simulator:{reference.get('soc', 'Ascend910B1')}:{release}"


def known(
    differences: Sequence[Difference], reference: dict[str, str], file: Path
) -> list[Difference]:
    """Return the differences, with the reason of those that the table has."""
    where = (reference.get("soc", ""), reference.get("cann", ""))
    rows = table.load(file)

    def reason(d: Difference) -> str:
        found = (k.why or "in the table" for k in rows if k.covers(d.unit, d.kind, d.key, *where))
        return next(found, "")

    return [replace(d, why=reason(d)) for d in differences]


def main(arguments: Sequence[str] | None = None) -> int:
    """Try, compare, write the reports, and return the exit status."""
    options = parse(arguments)
    try:
        units = chosen_units(options.op, options.skip)
        files, finished = collect(options, units)
    except UnusableError as error:
        print(f"fidelity cannot run: {error}", file=sys.stderr)
        return UNUSABLE
    environments = [environment(file) for file in files]
    accepted: Counter[str] = Counter()
    pairs = between(files[0], files[1], accepted)
    found = known(list(pairs), environments[0], options.table)
    report = text(environments, found, len(units))
    as_json = to_json(environments, found, finished)
    (options.folder / "report.txt").write_text(report, encoding="utf-8")
    (options.folder / "report.json").write_text(as_json, encoding="utf-8")
    print(as_json if options.json else report, end="")
    new = [d for d in found if not d.why]
    if options.learn and new:
        new_entries = entries(environments[0], new, accepted)
        learnt = [replace(entry, why=options.learn) for entry in new_entries]
        table.save([*table.load(options.table), *learnt], options.table)
        print(f"{len(learnt)} entries added to {options.table}", file=sys.stderr)
    if not finished:
        print("the time is over; the same command goes on from here", file=sys.stderr)
        return UNFINISHED
    return DIFFERENT if new else SAME


if __name__ == "__main__":
    run_command(main)
