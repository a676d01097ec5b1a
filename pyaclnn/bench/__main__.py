"""``python -m pyaclnn.bench``: run all sections, print medians and ratios."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyaclnn as pa
from pyaclnn._command import completed, run_command
from pyaclnn.bench import page, shapes, steps
from pyaclnn.bench.measure import CLOCK
from pyaclnn.bench.sections import SECTIONS
from pyaclnn.sim.environment import of_programs
from pyaclnn.sim.progress import Progress

_BASE, _BASE_OF_PLANS = ("bare cffi",), ("bare phase 2",)
_BASE_OF_CALLS = ("bare cffi", "torch eager")
_BASE_OF_RESULTS = ("bare cffi", "bare cffi, new outputs", "torch eager")

#: So many operators of a step are shown.
_OPERATORS = 6

#: Contender -> those it is compared with. A word before the name, such as a dtype, is before both.
_RATIOS = {
    "C++ loop": _BASE,
    "eager, out=": _BASE_OF_CALLS,
    "eager": _BASE_OF_RESULTS,
    "bare cffi, new outputs": _BASE,
    "kept": ("torch kept", "torch eager"),
    "eager, with stream": ("bare cffi, elsewhere",),
    "eager, stream=": ("bare cffi, elsewhere",),
    "eager, out=, stream=": ("bare cffi, elsewhere",),
    "eager, in turn": ("bare cffi, in turn",),
    "each of 10 in a graph": _BASE,
    "ctypes, two phases": _BASE,
    "sample in ctypes": _BASE,
    "torch eager": _BASE,
    "plan.run": _BASE_OF_PLANS,
    "plan.run(stream)": _BASE_OF_PLANS,
    "method": ("operator",),
    "pyaclnn": ("torch", "copy", "numpy", "gloo", "triad", "streaming triad"),
    "host to device": ("memcpy", "threaded memcpy"),
    "device to host": ("memcpy", "threaded memcpy"),
}


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.bench", description=__doc__,
        epilog="Exit status: 0 measured, 1 a measurement failed, 2 wrong usage.",
    )  # fmt: skip
    parser.add_argument(
        "--section",
        action="append",
        choices=[*SECTIONS, "shapes"],
        help="only this one; shapes, a sweep over all mechanisms, and steps, of models through "
        "torch_npu, are run only if named",
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="TEXT",
        help="of shapes and of sections, rows with this in their names",
    )  # fmt: skip
    parser.add_argument(
        "--against", type=Path, metavar="FILE", help="of shapes, compare with what --json wrote"
    )
    parser.add_argument("--processes", type=int, default=3, help="of each measurement (default 3)")
    parser.add_argument("--threads", type=int, help="processors of the simulator and of PyTorch")
    parser.add_argument(
        "--clock", choices=["wall", "processor", "caller"],
        help="for a machine that others use. processor: time of all threads together, for "
        "--section throughput, and with --threads 1 for attention and quantised; caller: of the "
        "thread that calls, for --section calls, methods and streams (default wall)",
    )  # fmt: skip
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    parser.add_argument(
        "--page", type=Path, metavar="FILE",
        help=f"write tables into a page with marks for them, as docs/speed.md; measures "
        f"{', '.join(page.SECTIONS)} unless --section says which",
    )  # fmt: skip
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw calls; needs matplotlib")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    return completed(parser).parse_args(arguments)


def child(section: str, subject: str) -> int:
    """Measure once, in this process, and print the figures as JSON."""
    if section == "shapes":
        return shapes.child(json.loads(subject))
    function, _, _ = SECTIONS[section]
    print(json.dumps(function(subject) if subject else function()))
    return 0


def measure(
    section: str, subject: str, processes: int, threads: int | None, times: Path | None = None
) -> list[dict[str, float]]:
    """Run one measurement in as many fresh processes, which append kernels' times to a file."""
    environment = dict(os.environ)
    if times:
        environment["PYACLNN_SIM_TIMES"] = str(times)
    if section in ("throughput", "forward", "attention", "quantised", "steps"):
        # PyTorch would go on spinning after its batch, and take a processor from whoever
        # is next: up to 1.9 times the time. Its own batches, of milliseconds, take no longer.
        environment.setdefault("OMP_WAIT_POLICY", "passive")
    if section == "steps":
        environment |= of_programs(Path(pa.backend.root))
    if threads:
        environment |= {"PYACLNN_SIM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    command = [sys.executable, "-m", "pyaclnn.bench", "--child", section, subject]
    rows = []
    for _ in range(processes):
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        rows.append(json.loads(done.stdout.splitlines()[-1]))
    return rows


def summarise(rows: list[dict[str, float]]) -> Iterator[tuple[str, float, dict[str, float]]]:
    """Yield name, median figure, and medians of the ratios within each process."""
    for name in rows[0]:
        figure = statistics.median(row[name] for row in rows)
        prefix, label = ("", name) if name in _RATIOS else name.rpartition(" ")[::2]
        bases = {base: f"{prefix} {base}".strip() for base in _RATIOS.get(label, ())}
        yield (
            name,
            figure,
            {
                base: statistics.median(row[name] / row[key] for row in rows)
                for base, key in bases.items()
                if key in rows[0]
            },
        )


def plot(results: dict[str, Any], file: Path) -> None:
    """Draw the medians of a call."""
    from matplotlib import pyplot

    calls = results.get("calls", {})
    figure, axes = pyplot.subplots(figsize=(9, 4), layout="constrained")
    names = list(next(iter(calls.values()))[0])
    width = 0.8 / len(names)
    for position, name in enumerate(names):
        heights = [statistics.median(r.get(name, 0.0) for r in rows) for rows in calls.values()]
        axes.bar([i + position * width for i in range(len(calls))], heights, width, label=name)
    axes.set_xticks([i + 0.4 for i in range(len(calls))], list(calls))
    axes.set_ylabel("µs a call")
    axes.set_yscale("log")
    axes.legend(fontsize="small")
    figure.savefig(file)


def _chosen(subjects: Sequence[str], only: Sequence[str]) -> Sequence[str]:
    """Return the subjects whose names contain one of the texts; all without any."""
    named = [subject for subject in subjects if any(text in subject for text in only)]
    return named if only else subjects or ("",)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write what was asked for."""
    options = parse(arguments)
    if options.child:
        return child(*options.child)
    pa.backend.ensure()
    print(
        f"pyaclnn {pa.__version__} on {pa.backend.name} ({pa.backend.root}), "
        f"{platform.machine()}, {os.cpu_count()} processors"
    )
    if options.section == ["shapes"]:
        return shapes.run(options.only, options.json, options.against)
    if options.clock:
        os.environ[CLOCK] = options.clock
    results: dict[str, dict[str, list[dict[str, float]]]] = {}
    unnamed = page.SECTIONS if options.page else [each for each in SECTIONS if each != "steps"]
    chosen = options.section or unnamed
    if "steps" in chosen and not all(map(find_spec, ("torch", "torch_npu"))):
        print("--section steps needs torch and torch_npu, which are not installed", file=sys.stderr)
        return 1
    progress = Progress(
        "measuring", sum(len(_chosen(SECTIONS[s][1], options.only)) for s in chosen)
    )
    for section in chosen:
        _, subjects, unit = SECTIONS[section]
        for subject in _chosen(subjects, options.only):
            progress.show(sum(map(len, results.values())), f"{section} {subject}".strip())
            with tempfile.TemporaryDirectory() as folder:
                times = Path(folder) / "times" if section == "steps" else None
                rows = measure(section, subject, options.processes, options.threads, times)
                kernels = steps.shares(times) if times else {}
            results.setdefault(section, {})[subject] = rows
            progress.clear()
            print(f"\n{section} {subject}")
            for name, figure, ratios in summarise(rows):
                shown = "".join(f"  {ratio:5.2f} × {base}" for base, ratio in ratios.items())
                print(f"  {name:<27} {figure:9.2f} {unit:<5}{shown}", flush=True)
            for name in list(kernels)[:_OPERATORS]:
                print(f"  {name:<27} {100 * kernels[name]:9.1f} % of the kernels' time")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    if options.page:
        print(f"{options.page}: {', '.join(page.fill(options.page, results))}")
    if options.plot:
        plot(results, options.plot)
    return 0


if __name__ == "__main__":
    run_command(main)
