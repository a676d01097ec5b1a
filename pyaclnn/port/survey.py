"""The survey of a folder of samples: how many ports are complete, and gaps by kind."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pyaclnn.port.errors import OWN_ERROR, OtherApiError, PortError
from pyaclnn.port.port import port
from pyaclnn.sim.progress import Progress

_SOURCES = (".c", ".cc", ".cpp", ".cxx")
_MAIN = re.compile(r"\bmain\s*\(")
#: What tells gaps of one kind apart: names, numbers, and what is quoted.
_DETAILS = re.compile(r"'[^']*'|\b\w*\d\w*\b|\b[a-z]+[A-Z]\w*\b|\b\w+_\w+\b")


def kind_of(reason: str) -> str:
    """Return a reason without what belongs to one sample."""
    first = reason.split(";")[0]
    if reason.endswith(OWN_ERROR):
        return OWN_ERROR
    if "is not known, see" in first:
        return "follows from a gap before it"
    if "is declared neither" in first:
        return "a name that neither the sample nor CANN's headers declare"
    return _DETAILS.sub("...", first)


def samples_of(folder: Path) -> list[Path]:
    """Return the programs below a folder: sources with a main function."""
    found = sorted(p for p in folder.rglob("*") if p.suffix in _SOURCES and p.is_file())
    return [p for p in found if _MAIN.search(p.read_text(encoding="utf-8", errors="replace"))]


def survey(
    folder: Path,
    style: str,
    headers: Sequence[Path],
    as_json: bool,
    environment: Mapping[str, str] | None = None,
) -> int:
    """Translate all samples below a folder and print the results.

    Those that are about another API of CANN, such as graphs for the graph compiler, are counted
    apart.

    Parameters
    ----------
    folder : Path
        Looked through with the folders in it.
    style : str
        ``idiomatic`` or ``raw``.
    headers : sequence of Path
        Include directories of further operators.
    as_json : bool
        Print JSON rather than a table.
    environment : mapping of str to str, optional
        What each sample finds in its environment.

    Returns
    -------
    int
        0 if all are complete, 1 if a part of some is not.

    Raises
    ------
    PortError
        If there is no sample.
    """
    samples = samples_of(folder)
    if not samples:
        raise PortError("holds no source with a main function", str(folder))
    kinds: Counter[str] = Counter()
    wrong: list[str] = []
    incomplete: dict[str, list[str]] = {}
    others: list[str] = []
    slowest = 0.0
    progress = Progress("translating", len(samples))
    for number, sample in enumerate(samples):
        progress.show(number, sample.name)
        started = time.process_time()
        try:
            reasons = [gap.reason for gap in port(sample, style, headers, (), environment).gaps]
        except OtherApiError:
            others.append(str(sample))
            continue
        except PortError as error:
            reasons = [error.message]
        slowest = max(slowest, time.process_time() - started)
        if reasons:
            incomplete[str(sample)] = reasons
            if kind_of(reasons[0]) == OWN_ERROR:
                wrong.append(str(sample))
        # A sample counts once for each kind.
        kinds.update({kind_of(reason) for reason in reasons})
    progress.clear()
    counted = len(samples) - len(others)
    complete = counted - len(incomplete)
    if as_json:
        found = {"samples": counted, "complete": complete, "slowest": round(slowest, 2),
                 "wrong": wrong, "kinds": dict(kinds.most_common()), "incomplete": incomplete,
                 "others": others}  # fmt: skip
        print(json.dumps(found, indent=1))
        return 1 if incomplete else 0
    share = 100 * complete / counted if counted else 0.0
    print(f"{complete} of {counted} samples are complete ({share:.1f} %)")
    if wrong:
        print(f"{len(wrong)} of the others stop at an error of their own, which no port repeats")
    if others:
        print(f"{len(others)} more are about another API of CANN, and call no aclnn operator")
    print(f"the slowest takes {slowest:.1f} s of processor time")
    for kind, count in kinds.most_common():
        print(f"{count:5}  {kind}")
    return 1 if incomplete else 0
