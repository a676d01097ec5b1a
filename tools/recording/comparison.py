"""Two recordings of calls: whether they are the same, and where they are not."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

#: A remark of the translator stands with its place in the sample; a gap says what it is.
_REMARK = re.compile(
    r"^ *# (?:NOT PORTED|The sample (?:has|draws)|[^\s:]+:\d+:) .*(?:\n *# (?![^\s:]+:\d+:).*)*",
    re.M,
)
#: What is no reason for other calls: remarks on what is printed, freed or waited for.
_OF_OUTPUT = re.compile(r"\b(?:prints?|frees|waits|leaves unwritten|is undefined in C\+\+)\b")
#: What the translator says at the top of a port where a format is another.
_SAID = ", which the sample describes as ND, "
#: Tensors of rank 3 to 5, which a sample may call ND and a port by the name of their rank.
_FORMAT = re.compile(r"(shape=\((?:\d+,){3,5}\)[^|]*) format=(?:0|2|30|47)\b")


def compare(sample: Path, port: Path, text: str) -> dict[str, Any]:
    """Compare what a sample called and what its port called.

    Calls are compared in their order on each device, and contents in the order of runs: a program
    may plan all its calls before the first runs, and its port one after the other.

    Parameters
    ----------
    sample, port : Path
        Recordings; one that is not there is empty.
    text : str
        The port, whose remarks are looked at.

    Returns
    -------
    dict
        ``calls``; ``verdict``: ``nothing`` where neither called an operator, or the sample
        something that the simulator lacks (``lacking``), ``identical``, ``format``, ``remarked``
        or ``unremarked``; for the last two ``difference`` and ``remarks``.
    """
    theirs, mine = _calls(sample), _calls(port)
    lacking = [name for (_, kind), names in theirs.items() if kind == "LACK" for name in names]
    if lacking:
        return {"verdict": "nothing", "lacking": lacking}
    found: dict[str, Any] = {"calls": sum(len(lines) for lines in theirs.values())}
    if not theirs and not mine:
        return {**found, "verdict": "nothing"}
    if theirs == mine:
        return {**found, "verdict": "identical"}
    left, right = ({k: [_FORMAT.sub(r"\1", v) for v in c[k]] for k in c} for c in (theirs, mine))
    if left == right and _SAID in text:
        return {**found, "verdict": "format"}
    remarks = [re.sub(r"\n *#", "", remark).strip() for remark in _REMARK.findall(text)]
    remarks = [remark for remark in remarks if not _OF_OUTPUT.search(remark)]
    found |= {"difference": _first(left, right), "remarks": remarks}
    return {**found, "verdict": "remarked" if remarks else "unremarked"}


def _calls(recording: Path) -> dict[tuple[str, str], list[str]]:
    """Return plans and runs of each device."""
    calls: dict[tuple[str, str], list[str]] = defaultdict(list)
    if recording.exists():
        for line in recording.read_text(encoding="utf-8", errors="replace").splitlines():
            device, _, call = line.partition(" ")
            calls[device, call[:4]].append(call)
    return dict(calls)


def _first(left: dict[tuple[str, str], list[str]], right: dict[tuple[str, str], list[str]]) -> str:
    """Describe the first difference."""
    for key in sorted({*left, *right}):
        one, other = left.get(key, []), right.get(key, [])
        for a, b in zip(one, other, strict=False):
            if a != b:
                parts = [p for p in zip(a.split("|"), b.split("|"), strict=False) if p[0] != p[1]]
                shown = "; ".join(f"{x} in place of {y}" for y, x in parts[:2])
                return f"{a.split('|')[0]}: {shown or 'arguments are missing'}"[:400]
        if len(one) != len(other):
            kind = "plans" if key[1] == "PLAN" else "runs"
            return f"device {key[0]}: {len(other)} {kind} in place of {len(one)}"
    return "none"
