"""Results by family of operators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyaclnn.ops.naming import operator_name
from pyaclnn.selftest.runner import Outcome
from pyaclnn.table import ROWS

_OF_ROWS = {operator_name(row.c_name): row.family for row in ROWS}


@dataclass(slots=True)
class Family:
    """The operators of a family together.

    Attributes
    ----------
    name : str
        As rows of the table have it; checks of misuse belong to none.
    operators, cases : int
        How many were tried.
    seconds : float
        How long it took.
    worst : float
        The largest error as a share of what is allowed, and of which operator.
    """

    name: str
    operators: int = 0
    cases: int = 0
    seconds: float = 0.0
    worst: float = 0.0
    worst_operator: str = ""


def family_of(operator: str) -> str:
    """Return the family of an operator by its Python name; empty for what is no operator."""
    return _OF_ROWS.get(operator, "")


def families(outcomes: Iterable[Outcome]) -> list[Family]:
    """Return the families of what was tried, by name."""
    found: dict[str, Family] = {}
    for outcome in outcomes:
        name = family_of(outcome.name)
        if not outcome.cases or not name:  # checks of misuse are of no operator
            continue
        family = found.setdefault(name, Family(name))
        family.operators += 1
        family.cases += outcome.cases
        family.seconds += outcome.seconds
        if outcome.worst is not None and outcome.worst.ratio > family.worst:
            family.worst, family.worst_operator = outcome.worst.ratio, outcome.name
    return [found[name] for name in sorted(found)]


def brief_table(found: Iterable[Family]) -> str:
    """Return the families in two columns: operators, cases, and the largest share of a limit."""
    title = f"{'family':<13}{'operators':>9}{'cases':>8}{'error/limit':>13}"
    cells = [
        f"{one.name:<13}{one.operators:>9}{one.cases:>8}"
        + (f"{one.worst:>13.2f}" if one.worst else f"{'exact':>13}")
        for one in found
    ]
    half = (len(cells) + 1) // 2
    right = [*cells[half:], ""]
    return "\n".join(
        f"{left}   {beside}".rstrip()
        for left, beside in zip([title, *cells[:half]], [title, *right], strict=False)
    )


def table(found: Iterable[Family]) -> str:
    """Return the families as lines of text."""
    lines = [
        f"{'family':<18} {'operators':>9} {'cases':>7}  {'worst error / limit':<46} {'time':>8}"
    ]
    for one in found:
        worst = f"{one.worst:.2f} {one.worst_operator}" if one.worst else "exact"
        lines.append(
            f"{one.name:<18} {one.operators:>9} {one.cases:>7}  {worst:<46} {one.seconds:>6.1f} s"
        )
    return "\n".join(lines)
