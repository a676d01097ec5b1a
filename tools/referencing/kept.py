"""Choose drawn calls that are worth keeping as a test: a few of each refusal and of what passes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Any

from referencing.answers import Answer

#: Calls of one operator that are kept for each refusal on a chip.
_REFUSED = 1
#: Characters of the longest call.
_LONGEST = 1200
#: What differs between two refusals of one check.
_VALUES = re.compile(r"\[[^\]]*\]|[-+]?\d[\d.e+-]*|\b(?:u?int|float|bfloat|complex)\d+\b|\bbool\b")

#: Operator, arguments and its status on each chip; None where it is not known.
Kept = tuple[str, list[Any], list[int | None]]


def site(answer: Answer) -> str:
    """Return which check an answer is of: what is said without the values of the call."""
    return _VALUES.sub("", answer.said)


def chosen(
    alike: Sequence[Mapping[str, Answer]],
    *,
    first: Container[str] = frozenset(),
    elsewhere: Container[str] = frozenset(),
    passed: int = 3,
) -> list[Kept]:
    """Return calls that between them are refused by every check that drawn calls came to.

    Parameters
    ----------
    alike : sequence of mapping
        For each chip: call as JSON -> the answer of both sides.
    first : container of str, optional
        Calls that are kept before others are looked at.
    elsewhere : container of str, optional
        Calls that another file holds.
    passed : int, optional
        Calls of an operator that are kept though no chip refuses them.
    """
    seen: Counter[tuple[str, int, int, str]] = Counter()
    kept: list[Kept] = []
    texts = {text for chip in alike for text in chip if len(text) <= _LONGEST}
    for text in sorted(texts, key=lambda t: (t not in elsewhere, t not in first, len(t), t)):
        call = json.loads(text)
        answers = [chip.get(text) for chip in alike]
        steps = [
            (call["operator"], chip, answer.status, site(answer))
            for chip, answer in enumerate(answers) if answer
        ]  # fmt: skip
        new = any(seen[step] < (_REFUSED if step[2] else passed) for step in steps)
        if text in elsewhere or text in first or new:
            seen.update(steps)
            if text in elsewhere:
                continue
            statuses = [answer.status if answer else None for answer in answers]
            kept.append((call["operator"], call["arguments"], statuses))
    return sorted(kept, key=json.dumps)


def write(file: Path, chips: Sequence[str], source: str, calls: Sequence[Kept]) -> None:
    """Write a file of ``tests/operators/cann_statuses``, a call on each line.

    Parameters
    ----------
    file : Path
        The file.
    chips : sequence of str
        Those of the statuses, in their order.
    source : str
        What has answered.
    calls : sequence
        Of ``chosen``.
    """
    lines = ",\n".join(json.dumps(call, separators=(",", ":")) for call in calls)
    head = f'"source": {json.dumps(source)}, "chips": {json.dumps(list(chips))}'
    file.write_text(f'{{{head}, "drawn": [\n{lines}\n]}}\n', encoding="utf-8")
