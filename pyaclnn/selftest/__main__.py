"""``python -m pyaclnn.selftest``: the command line."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path

import pyaclnn as pa
from pyaclnn._command import completed, completed_by, run_command
from pyaclnn.selftest import misuse
from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.families import families, family_of, table
from pyaclnn.selftest.junit import to_junit
from pyaclnn.selftest.other_chips import needs_another_chip, run_on_other_chips
from pyaclnn.selftest.processes import Processes, usual_count
from pyaclnn.selftest.report import Lines, Report, to_json
from pyaclnn.selftest.runner import Outcome, run_suite
from pyaclnn.selftest.suites import SUITES

PASSED, FAILED, UNUSABLE = 0, 1, 2
#: Up to this number of operators each has a line of its own.
_FEW = 40
#: Seconds that the cases of one operator take on the simulator, with one processor.
_TYPICAL = 0.13


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.selftest",
        description="Run operators against float64 references, on an NPU or on the simulator.",
        epilog="Exit status: 0 all passed, 1 something failed, 2 the environment is not usable.",
    )
    names = parser.add_argument(
        "--op", action="append", metavar="NAME",
        help="only this operator (snake_case or C name), those of a family, or those that a "
        "pattern such as 'foreach_*' fits; may be repeated",
    )  # fmt: skip
    completed_by(names, _names)
    parser.add_argument("--backend", choices=["auto", "cann", "simulator"])
    parser.add_argument("--device", type=int, default=0, metavar="N")
    dtypes = parser.add_argument(
        "--dtype", action="append", metavar="NAME", help="only this dtype; may be repeated"
    )
    completed_by(dtypes, lambda: {d for s in SUITES for d in s.dtypes})
    parser.add_argument(
        "--case", metavar="LABEL", help="only the cases of this label, as a failure shows it"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results there")
    parser.add_argument(
        "--junit", type=Path, metavar="FILE", help="write a JUnit report for a CI server there"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the random values (default 0)")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="up to eight cases in one type of each operator, --seed chooses",
    )
    parser.add_argument(
        "--details", action="store_true",
        help=f"a line for each operator, as for {_FEW} or fewer",
    )  # fmt: skip
    parser.add_argument(
        "--families", action="store_true",
        help="in the end the families with the operator nearest to its limit",
    )  # fmt: skip
    parser.add_argument(
        "--processes", type=int, metavar="N",
        help="how many at once (default: one for a device, one for each processor, at most 4, for "
        "all operators of the simulator)",
    )  # fmt: skip
    parser.add_argument("--lines", action="store_true", help=argparse.SUPPRESS)
    options = completed(parser).parse_args(arguments)
    options.suites = _asked(parser, options.op)
    known = {d for s in SUITES for d in s.dtypes}
    wrong = sorted(set(options.dtype or ()) - known)
    if wrong:
        parser.error(f"unknown dtype {', '.join(wrong)}; there are: {', '.join(sorted(known))}")
    return options


def _names() -> set[str]:
    """Return the operators that have cases, and their families."""
    operators = {suite.operator for suite in SUITES}
    return operators | {family_of(name) for name in operators}


def _asked(parser: argparse.ArgumentParser, asked: Sequence[str] | None) -> list[Suite]:
    """Return the suites of operators, families and patterns; all if none is named."""
    if not asked:
        return list(SUITES)
    known = {suite.operator: family_of(suite.operator) for suite in SUITES}
    found: set[str] = set()
    unknown = []
    for text in asked:
        name = pa.ops[text].name if text in pa.ops else text
        fitting = [o for o, family in known.items() if family == name or fnmatchcase(o, name)]
        found.update([name] if name in known else fitting)
        if name not in known and not fitting:
            unknown.append(name)
    if unknown:
        near = {n for name in unknown for n in get_close_matches(name, _names(), 5)}
        parser.error(
            f"no cases for {', '.join(sorted(unknown))}"
            + (f"; there are, for example: {', '.join(sorted(near))}" if near else "")
            + f". {len(known)} operators have cases: python -m pyaclnn.info --operators"
        )
    return [suite for suite in SUITES if suite.operator in found]


def _expected_time(options: argparse.Namespace, processes: int) -> str:
    """Return in words how long it will take."""
    if pa.backend.name != "simulator":
        return "some minutes: a device loads each kernel when it is first used"
    seconds = _TYPICAL * len(options.suites) / processes
    return f"about {seconds:.0f} s" if seconds >= 2 and not options.quick else "seconds"


def repeated(options: argparse.Namespace) -> list[str]:
    """Return the options with which another process tries the same cases."""
    dtypes = [f"--dtype={name}" for name in options.dtype or ()]
    quick = ["--quick"] if options.quick else []
    case = [f"--case={options.case}"] if options.case else []
    return [f"--device={options.device}", f"--seed={options.seed}", *dtypes, *quick, *case]


def count_of_processes(options: argparse.Namespace) -> int:
    """Return how many processes run suites at once."""
    if options.lines:
        return 1
    here = [suite for suite in options.suites if not needs_another_chip(suite)]
    count: int = options.processes or usual_count(here)
    return count


def run(options: argparse.Namespace, report: Report) -> Iterator[Outcome]:
    """Run and report suite after suite, some of them in other processes."""
    here = [suite for suite in options.suites if not needs_another_chip(suite)]
    count = count_of_processes(options)
    others = Processes(here, count, repeated(options)) if count > 1 else None
    # Suites of another chip share one process.
    found_there: dict[str, Outcome] = {}
    try:
        for suite in options.suites:
            if needs_another_chip(suite):
                if suite.operator not in found_there:
                    beside = [s for s in options.suites if s.chip == suite.chip]
                    found_there.update(
                        {o.name: o for o in run_on_other_chips(beside, repeated(options))}
                    )
                outcome = found_there[suite.operator]
            elif others is not None:
                report.progress(suite.operator, 0)
                outcome = others.outcome(suite)
            else:
                outcome = run_suite(
                    suite, seed=options.seed, dtypes=options.dtype, quick=options.quick,
                    label=options.case, progress=report.progress,
                )  # fmt: skip
            report.row(outcome)
            yield outcome
    finally:
        if others is not None:
            others.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, and return the exit status."""
    options = parse(arguments)
    started = time.perf_counter()
    try:
        if options.backend:
            pa.use_backend(options.backend)
        device = pa.Device(options.device)
        device.use()
        environment = {
            "pyaclnn": pa.__version__,
            "backend": pa.backend.name,
            "root": str(pa.backend.root),
            "cann": pa.backend.version,
            "device": device.index,
            "soc": device.name,
        }
    except (pa.AclError, OSError, ValueError) as error:
        print(f"selftest cannot run: {error}", file=sys.stderr)
        return UNUSABLE
    report = (Lines if options.lines else Report)(
        width=max(len(s.operator) for s in options.suites),
        total=len(options.suites),
        details=options.details or len(options.suites) <= _FEW,
        seed=options.seed,
        device=options.device,
    )
    processes = count_of_processes(options)
    report.header(
        [
            f"pyaclnn {pa.__version__} on {environment['backend']}: {environment['soc']}, "
            f"device {device.index}, CANN {environment['cann']}; {len(options.suites)} operators, "
            + _expected_time(options, processes)
            + (f" in {processes} processes" if processes > 1 else ""),
            f"libraries: {environment['root']}",
        ]
    )
    outcomes = list(run(options, report))
    if pa.backend.name == "simulator" and not options.op:
        outcomes.append(misuse.run())
        report.row(outcomes[-1])
    report.summary(outcomes, time.perf_counter() - started)
    if options.families:
        print("\n" + table(families(outcomes)))
    if options.json:
        options.json.write_text(to_json(environment, outcomes, options.seed), encoding="utf-8")
    if options.junit:
        options.junit.write_text(to_junit(environment, outcomes), encoding="utf-8")
    if any(o.failures for o in outcomes):
        return FAILED
    if not sum(o.cases for o in outcomes):
        print("selftest ran nothing: no operator of those asked for is available", file=sys.stderr)
        return UNUSABLE
    return PASSED


if __name__ == "__main__":
    run_command(main)
