"""The report of the differences, as text and as JSON."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyaclnn as pa
from pyaclnn.fidelity.differences import KINDS, Difference
from pyaclnn.table.differences import Known

#: Calls shown for each kind of an operator; the JSON has all.
_SHOWN = 2
_WIDTH = 160

Groups = dict[tuple[str, str], list[Difference]]


def grouped(differences: Iterable[Difference]) -> Groups:
    """Return the differences by unit and kind, the gravest kinds first."""
    groups: Groups = defaultdict(list)
    for difference in differences:
        groups[difference.unit, difference.kind].append(difference)
    return dict(sorted(groups.items(), key=lambda item: (KINDS.index(item[0][1]), item[0][0])))


def text(
    environments: Sequence[dict[str, str]], differences: Sequence[Difference], units: int
) -> str:
    """Return the report for a person.

    Parameters
    ----------
    environments : sequence of dict
        Of the reference and the candidate, as `probe.environment`.
    differences : sequence of Difference
        All of them.
    units : int
        How many were compared.
    """
    reference, candidate = (
        f"{e['backend']} {e['cann']} on {e['soc']}" if e else "?" for e in environments
    )
    new = grouped(d for d in differences if not d.why)
    known = grouped(d for d in differences if d.why)
    lines = [
        f"reference: {reference}",
        f"candidate: {candidate}",
        f"{units} operators and behaviours compared: {_count(new)} new differences, "
        f"{_count(known)} known",
    ]
    heading = ""
    for (unit, kind), found in new.items():
        if kind != heading:
            heading = kind
            lines += ["", f"{kind}: {_MEANING[kind]}"]
        worst = max(d.size for d in found)
        most = f", at most {worst:g} apart" if worst and kind == "bits" else ""
        lines.append(f"  {unit}: {len(found)} calls{most}" if len(found) > 1 else f"  {unit}{most}")
        for d in sorted(found, key=lambda d: -d.size)[:_SHOWN]:
            lines.append(f"      {d.key}"[:_WIDTH])
            lines.append(f"          {d.reference} | {d.candidate}"[:_WIDTH])
    if known:
        lines += ["", "known:"]
        lines += [f"  {u}, {kind}: {len(f)} calls: {f[0].why}" for (u, kind), f in known.items()]
    return "\n".join(lines) + "\n"


def _count(groups: Groups) -> int:
    return sum(map(len, groups.values()))


_MEANING = {
    "ended": "a process crashed, or hung",
    "absent": "one side does not have it, or does not offer the call",
    "status": "of the first phase, the second, and of waiting; reference | candidate",
    "python": "the call did not come as far as C",
    "message": "the code in the text of the error",
    "workspace": "bytes asked for by the first phase",
    "outputs": "how many results",
    "shape": "of a result",
    "dtype": "of a result",
    "nan": "a NaN where the other has none",
    "bits": "values, apart by units in the last place",
}


def entries(
    reference: dict[str, str], differences: Iterable[Difference], accepted: Mapping[str, int]
) -> list[Known]:
    """Return new differences as entries of the table, one for each unit and kind.

    Parameters
    ----------
    reference : dict
        The environment of the reference.
    differences : iterable of Difference
        Known ones are left out.
    accepted : mapping
        How many calls of each unit the candidate accepts.
    """
    soc, release = reference.get("soc", "*"), reference.get("cann", "*").partition(".")[0]
    found = []
    for (unit, kind), group in grouped(d for d in differences if not d.why).items():
        known = Known(unit, kind, soc=soc, cann=f"{release}.*" if release != "*" else "*")
        if unit in pa.ops:
            known = replace(known, c_name=pa.ops[unit].c_name)
        if kind == "workspace" and len(group) == accepted[unit]:
            more = {int(d.reference) - int(d.candidate) for d in group}
            if len(more) == 1 and min(more) > 0:
                known = replace(known, workspace=more.pop())
        if kind == "status":
            answers = {d.reference for d in group if d.candidate.startswith("[0")}
            refused = sum(d.candidate.startswith("[0") for d in group)
            if refused == accepted[unit] and len(answers) == 1:
                status = answers.pop().strip("[]")
                known = replace(known, status=int(status) if status.isdigit() else 0)
        found.append(known)
    return found


def to_json(
    environments: Sequence[dict[str, str]], differences: Sequence[Difference], finished: bool
) -> str:
    """Return everything as JSON text."""
    found: list[dict[str, Any]] = [d.as_json() for d in differences]
    return json.dumps(
        {
            "reference": environments[0],
            "candidate": environments[1],
            "finished": finished,
            "differences": found,
        },
        indent=1,
    )
