"""The page of speeds: results as Markdown tables, between marks of the page."""

from __future__ import annotations

import os
import platform
import re
import statistics
import time
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

import numpy as np

#: Section -> subject -> a dictionary of each process: contender -> figure.
Results = Mapping[str, Mapping[str, list[dict[str, float]]]]
#: The sections that the page shows.
SECTIONS = ("calls", "forward", "collectives")

_CALL = "softshrink_backward"
#: Contender -> what the page calls it.
_CONTENDERS = {
    "C++ loop": "a loop in C++",
    "bare cffi": "bare cffi",
    "eager, out=": "`out=` given",
    "eager": "allocating",
    "plan.run": "`plan.run()`",
    "each of 10 in a graph": "one of ten in a graph",
    "sample in ctypes": "the sample in ctypes",
    "torch eager": "PyTorch, the same operator on the CPU",
}
_TYPES = ("float32", "float16", "bfloat16")
#: Ratios below this are slower, not noise.
_SLOWER = 0.95


def fill(page: Path, results: Results) -> list[str]:
    """Write tables of the results into a page, each between its marks.

    Parameters
    ----------
    page : Path
        Has ``<!-- measured: NAME -->`` and ``<!-- end -->`` around each table.
    results : dict
        As ``python -m pyaclnn.bench --json`` writes them.

    Returns
    -------
    list of str
        What was filled. Tables of sections that were not measured stay.
    """
    text = page.read_text(encoding="utf-8")
    filled = []
    for name, lines in _tables(results):
        begin, end = f"<!-- measured: {name} -->\n", "<!-- end -->"
        if text.count(begin) != 1:
            raise ValueError(f"{page} has {text.count(begin)} places for {name}, it must have one")
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n" + "\n".join(lines) + f"\n\n{end}{rest.partition(end)[2]}"
        filled.append(name)
    page.write_text(text, encoding="utf-8")
    return filled


def _tables(results: Results) -> Iterator[tuple[str, list[str]]]:
    if _CALL in results.get("calls", {}):
        yield "calls", _calls(results["calls"][_CALL])
    if "forward" in results:
        ratios = {
            name: _beside(rows, "torch", faster=True) for name, rows in results["forward"].items()
        }
        yield "forward", _grid("operator", _TYPES, ratios)
        yield "slower", _slower(ratios)
    if "collectives" in results:
        ratios = {
            f"`{name}`": _beside(rows, "gloo", faster=False)
            for name, rows in results["collectives"].items()
        }
        sizes = tuple(dict.fromkeys(size for row in ratios.values() for size in row))
        yield "collectives", _grid("", sizes, ratios)
    if "attention" in results:
        ratios = {
            name: _beside(rows, "torch", faster=False)
            for name, rows in results["attention"].items()
        }
        columns = tuple(f"{dtype} {way}" for way in ("forward", "backward") for dtype in _TYPES)
        yield "attention", [*_grid("16 heads", columns, ratios), "", machine()]
    if any(section in results for section in SECTIONS):
        yield "machine", [machine()]


def _calls(rows: list[dict[str, float]]) -> list[str]:
    lines = [f"| `{_CALL}` | microseconds | × bare |", "|---|---|---|"]
    for contender, words in _CONTENDERS.items():
        if all(contender in row for row in rows):
            figure = statistics.median(row[contender] for row in rows)
            ratio = statistics.median(row[contender] / row["bare cffi"] for row in rows)
            lines.append(f"| {words} | {figure:.2f} | {ratio:.2f} |")
    return lines


def _beside(rows: list[dict[str, float]], other: str, *, faster: bool) -> dict[str, float]:
    """Return how often ours is as fast, by the words before the contender.

    Of figures that are rates (``faster``) the larger is the better, of times the smaller.
    """
    found = {}
    for key in rows[0]:
        words, _, contender = key.rpartition(" ")
        if contender == "pyaclnn" and f"{words} {other}" in rows[0]:
            ratio = statistics.median(row[key] / row[f"{words} {other}"] for row in rows)
            found[words] = ratio if faster else 1 / ratio
    return found


def _grid(
    title: str, columns: tuple[str, ...], ratios: Mapping[str, Mapping[str, float]]
) -> list[str]:
    lines = [f"| {title} | {' | '.join(columns)} |", "|---" * (1 + len(columns)) + "|"]
    for name, row in ratios.items():
        cells = (f"{row[column]:.2f}" if column in row else "" for column in columns)
        if not row.keys().isdisjoint(columns):
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _slower(ratios: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return the rows in which PyTorch is faster, the slowest first."""
    found = [(r, name, dtype) for name, row in ratios.items() for dtype, r in row.items()]
    slower = sorted(one for one in found if one[0] < _SLOWER)
    if not slower:
        return ["Nothing of it is slower than PyTorch."]
    words = ", ".join(f"{name} of {dtype} ({ratio:.2f})" for ratio, name, dtype in slower)
    return [f"Slower than PyTorch, {len(slower)} of {len(found)}: {words}."]


def machine() -> str:
    """Return in a sentence what figures were measured on."""
    cpuinfo = Path("/proc/cpuinfo")
    text = cpuinfo.read_text(encoding="utf-8", errors="replace") if cpuinfo.exists() else ""
    model = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    processor = model[1] if model else platform.machine()
    usable = len(os.sched_getaffinity(0))
    software = [f"Python {platform.python_version()}", f"NumPy {np.__version__}"]
    try:
        software.append(f"PyTorch {metadata.version('torch')}")
    except metadata.PackageNotFoundError:
        software.append("no PyTorch")
    load = os.getloadavg()[0]
    # Others that compute at the same time make figures of no use: who reads them must know.
    busy = f" The load of the machine was {load:.1f} in the end." if load > usable + 1 else ""
    system = f"{platform.system()} {platform.release().split('-')[0]}"
    parts = [f"The machine: {processor}", f"{usable} processors", system, *software]
    return f"{', '.join(parts)}, {time.strftime('%B %Y')}.{busy}"
