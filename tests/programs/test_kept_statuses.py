"""tools/kept_statuses.py finds both sides of the limits of an operator that is made up here."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    yield importlib.import_module("referencing.neighbours")
    for name in [name for name in sys.modules if name.startswith("referencing")]:
        del sys.modules[name]


def _status(x: Any, weight: Any, groups: int, *, most: int) -> tuple[int, str]:
    """Answer as an operator whose widths are equal multiples of 16, with one limit of each chip."""
    if x is None or weight is None:
        return 161001, "null"
    if x[1] != "FLOAT" or weight[1] not in ("FLOAT", "BF16"):
        return 161002, f"{x[1]} and {weight[1]}"
    width = x[2][-1:]
    if width != weight[2]:
        return 161002, f"the widths {width} and {weight[2]} differ"
    if width[0] % 16 or width[0] > most:
        return 561002, f"the width {width[0]}"
    return (0, "") if 0 < groups <= 77 else (161002, f"groups is {groups}")


class _Chip:
    def __init__(self, tool: Any, most: int) -> None:
        self.tool, self.most, self.asked = tool, most, 0

    def answers(self, calls: Sequence[Any]) -> list[Any]:
        self.asked += len(calls)
        told = [_status(*call["arguments"], most=self.most) for call in calls]
        return [self.tool.Answer(status, 0, said) for status, said in told]


def test_both_sides_of_each_limit_are_kept(tool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "constants", lambda operator: [77])
    call = {"operator": "it", "arguments": [["T", "FLOAT", [3, 64]], ["T", "FLOAT", [64]], 2]}
    chips = [_Chip(tool, 1024), _Chip(tool, 5008), _Chip(tool, 48)]
    around = tool.Around(call)

    around.ask(chips)
    ((operator, arguments, places),) = tool.chosen([around])

    assert (operator, arguments) == ("it", call["arguments"])
    assert {0, 1, 77, 78} <= set(places["2"]) | {2}
    # Powers of two and what is between them, whatever the sources say.
    assert {1024, 1025, 5008, 5009} <= set(places["=64"])
    assert places["0"] == places["1"] == [None]
    assert "BF16" in places["1.1"]
    assert {63, 65} <= set(places["0.2.1"])
    # The third refuses the right call, and is asked for nothing else.
    assert chips[2].asked == 1
    assert chips[0].asked == chips[1].asked > 100


def test_what_was_told_before_is_not_kept(tool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "constants", lambda operator: [])
    call = {"operator": "it", "arguments": [["T", "FLOAT", [3, 64]], ["T", "FLOAT", [64]], 2]}
    wider = {"operator": "it", "arguments": [["T", "FLOAT", [3, 96]], ["T", "FLOAT", [96]], 3]}
    both = [tool.Around(call), tool.Around(wider)]
    for around in both:
        around.ask([_Chip(tool, 1024)])

    first, second = (sum(map(len, line[2].values())) for line in tool.chosen(both))

    assert second < first / 2


def test_right_calls_differ_in_what_operators_look_at(tool: Any) -> None:
    x = ["T", "FLOAT", [3, 64]]
    longer, empty = ["T", "FLOAT", [4, 64]], ["T", "BF16", [0, 64]]
    given = ([x, x, 2], [x, x, 2], [longer, x, 2], [x, None, 2], [x, x, 3], [None, x, 2],
             [empty, empty, 5], [empty, x, 6])  # fmt: skip
    calls = [{"operator": "it", "arguments": arguments} for arguments in given]
    statuses = {json.dumps(call): [161001 if call["arguments"][0] is None else 0] for call in calls}

    chosen = [call["arguments"] for call in tool.right(calls, statuses)]

    assert chosen[0] == [longer, x, 2]
    assert sorted(map(str, chosen[1:3])) == sorted(map(str, [[x, None, 2], [x, x, 3]]))
    # Of what is empty little is looked at.
    assert chosen[3:] in ([[empty, empty, 5]], [[empty, x, 6]])


def test_the_file_has_what_was_answered(tool: Any, tmp_path: Path) -> None:
    lines = [("it", [["T", "FLOAT", [3]]], {"": [None], "0.2.0": [4, 5]})]
    file = tmp_path / "near.json"

    tool.write(file, ["A", "B"], "nobody", lines, [[[0, 0], [0, None], [0, 0]]])

    assert tool.read(file) == lines
    content = json.loads(file.read_text(encoding="utf-8"))
    assert [c["status"] for c in tool.neighbours.calls(content)] == [
        {"A": 0, "B": 0}, {"A": 0}, {"A": 0, "B": 0},
    ]  # fmt: skip


def test_numbers_of_the_sources_are_those_of_the_operator(tool: Any) -> None:
    known = tool.constants("aclnnKvRmsNormRopeCacheV2")

    assert {64, 192, 512} <= set(known)
    assert len(known) < 60
