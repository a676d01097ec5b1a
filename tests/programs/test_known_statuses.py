"""What the simulator answers otherwise is told apart by the list of differences, call by call."""

from __future__ import annotations

import importlib
import io
import json
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
#: A call of the list: accepted by CANN, whose kernel has no such type.
SELU = "aclnnSeluBackward (INT8[2,16], FLOAT16[2,16], INT8[2,16])"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    return importlib.import_module("known_statuses")


def told(
    tool: ModuleType, text: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], *options: str,
) -> tuple[int, list[str]]:  # fmt: skip
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    status = tool.main(options)
    return status, capsys.readouterr().out.splitlines()


def test_a_call_of_the_list_is_known_on_its_chip_alone(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = f"DIFF B {SELU}: sim 561003, v9.0.0 0   [accepted]\n"
    text = f"{line}Ascend910B1: 1 DIFF, 0 OK\n{line}Ascend950: 1 DIFF, 0 OK\n"

    status, lines = told(tool, text, monkeypatch, capsys)

    assert lines[0].startswith(f"KNOWN Ascend910B1 {SELU}: sim 561003, CANN 0: ")
    assert lines[1:] == [f"DIFF  Ascend950 {SELU}: sim 561003, CANN 0", "0 OK, 1 KNOWN, 1 DIFF"]
    assert status == 1


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        (f"DIFF {SELU[:-3]}: sim 561003, v9 0", "0 OK, 0 KNOWN, 1 DIFF"),  # a bracket is open
        (f"DIFF {SELU[:-5]}): sim 561003, v9 0", "0 OK, 1 KNOWN, 0 DIFF"),  # cut by who printed it
        (f"DIFF {SELU}: sim 561002, v9 0", "0 OK, 0 KNOWN, 1 DIFF"),  # another status
        (f"DIFF {SELU.replace('16', '17')}: sim 561003, v9 0", "0 OK, 0 KNOWN, 1 DIFF"),
        (f"OK   {SELU}: sim 0, v9 0", "1 OK, 0 KNOWN, 0 DIFF"),
        ("DIFF a result: 1.0, expected 2.0", "0 OK, 0 KNOWN, 1 DIFF"),
        ("OK   a result: 2.0, expected 2.0", "1 OK, 0 KNOWN, 0 DIFF"),
        ("of something else", "0 OK, 0 KNOWN, 0 DIFF"),
    ],
)
def test_only_the_same_call_with_the_same_statuses_is_known(
    tool: ModuleType, line: str, counts: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    status, lines = told(tool, line, monkeypatch, capsys)

    assert lines[-1] == counts
    assert status == int("0 DIFF" not in counts)


def test_what_a_newer_release_answers_otherwise_is_known(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "DIFF aclnnReal (FLOAT[2,0], FLOAT[2,0]): sim 0, v9.0.0 161002\n"
    of_9_0 = ("--chip", "Ascend910_95", "--release", "9.0")

    assert told(tool, line, monkeypatch, capsys, "--chip", "Ascend910_95")[0] == 1
    assert told(tool, line, monkeypatch, capsys, *of_9_0)[0] == 0


def test_calls_of_a_file_are_answered_here(
    tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flat, values = ["T", "FLOAT", [2, 3]], ["T", "FLOAT", [2, 3], "ND", None, 0, None, [1, 2]]
    file = tmp_path / "calls.json"
    rows = [
        {"operator": "aclnnExp", "chip": "ASCEND910B", "arguments": [flat, values],
         "expected": "SUCCESS"},
        {"operator": "aclnnExp", "chip": "ASCEND910B", "arguments": [None, flat],
         "expected": "ERR_PARAM_INVALID"},
    ]  # fmt: skip
    file.write_text(json.dumps({"rows": rows}), encoding="utf-8")

    assert tool.main([str(file), "--all"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "OK    Ascend910B1 aclnnExp (FLOAT[2,3], FLOAT[2,3]): sim 0, CANN 0",
        "DIFF  Ascend910B1 aclnnExp (N, FLOAT[2,3]): sim 161001, CANN 161002",
        "1 OK, 0 KNOWN, 1 DIFF",
    ]
