"""Try the translator on a directory of C++ samples, and print a table of what comes of it.

Usage: ``python tools/samples.py DIRECTORY [--work build/samples] [--jobs 2] [--include DIR]``

Each sample is compiled and run against a libopapi.so that writes down every call with its
arguments and the contents of its inputs; so are its ports in both styles, and the recordings are
compared. What was tried stays in ``--work`` and is not tried again, so an interrupted run goes on
where it was; ``--again NAME`` tries samples once more whose name has a word in it. Exits with 0
if no port deviates without a remark, 1 if some do.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Try samples and print the table.

    Returns
    -------
    int
        0 if no port deviates without a remark, 1 if some do.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directory", type=Path, help="holds samples, *.cpp")
    parser.add_argument("--work", type=Path, default=Path("build/samples"), help="what is kept")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--include", type=Path, action="append", default=[], metavar="DIR",
        help="an include directory behind those of the toolkit",
    )  # fmt: skip
    parser.add_argument("--again", action="append", default=[], metavar="WORD")
    parser.add_argument("--lists", action="store_true", help="what is behind the figures, too")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    work = options.work.resolve()
    samples = sorted(p.resolve() for p in options.directory.glob("*.cpp"))
    if options.worker is not None:
        _work(work, samples[options.worker :: options.jobs], options.include)
        return 0
    (work / "samples").mkdir(parents=True, exist_ok=True)
    for sample in samples:
        if any(word in sample.stem for word in options.again):
            _result(work, sample).unlink(missing_ok=True)
    if not all(_result(work, sample).exists() for sample in samples):
        _try_all(work, samples, options)
    return _report(work, samples, options.lists)


def _result(work: Path, sample: Path) -> Path:
    return work / "samples" / f"{sample.stem}.json"


def _try_all(work: Path, samples: Sequence[Path], options: argparse.Namespace) -> None:
    from recording.recorder import make_toolkit

    toolkit = work / "toolkit"
    make_toolkit(toolkit, samples, options.jobs)
    # The ports are to load this one, whatever the simulator's size is said to be elsewhere.
    environment = {
        **os.environ, "PYACLNN_BACKEND": "simulator", "PYACLNN_SIM_HOME": str(toolkit),
        "PYACLNN_SIM_DEVICES": "16",
        "LD_LIBRARY_PATH": str(toolkit / "lib64"),
    }  # fmt: skip
    includes = [part for folder in options.include for part in ("--include", str(folder))]
    workers = [
        subprocess.Popen(
            [sys.executable, __file__, str(options.directory), "--work", str(work), *includes,
             "--jobs", str(options.jobs), "--worker", str(number)],
            env=environment,
        )
        for number in range(options.jobs)
    ]  # fmt: skip
    failed = [worker.wait() for worker in workers]
    if any(failed):
        raise SystemExit("a worker failed")


def _work(work: Path, samples: Sequence[Path], includes: Sequence[Path]) -> None:
    """Be a worker: try those samples that were not tried."""
    from recording.sample import Laboratory

    from pyaclnn.sim.compilers import find_compiler

    include = work / "toolkit" / "include"
    with find_compiler() as compiler:
        folders = [include, include / "aclnnop", *includes]
        laboratory = Laboratory(work, compiler, folders)
        for sample in samples:
            if not _result(work, sample).exists():
                laboratory.try_sample(sample)


def _report(work: Path, samples: Sequence[Path], lists: bool) -> int:
    from recording import table
    from recording.sample import STYLES, judge

    results = [judge(work, sample) for sample in samples]
    print(table.table(results))
    if lists:
        print(table.lists(results))
    bad = any(r[style].get("verdict") == "unremarked" for r in results for style in STYLES)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
