"""The differences as a person reads them, and as they are sent."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

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


def entries(reference: dict[str, str], differences: Iterable[Difference]) -> list[Known]:
    """Return new differences as entries of the table, one for each unit and kind."""
    return [
        Known(unit, kind, soc=reference.get("soc", "*"), cann=reference.get("cann", "*"))
        for unit, kind in grouped(d for d in differences if not d.why)
    ]


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
