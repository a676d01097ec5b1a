"""Calls of CANN's unit tests are counted by release and chip."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def matrix(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    spec = importlib.util.spec_from_file_location("status_matrix", TOOLS / "status_matrix.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def call(operator: str, arguments: list[Any], status: int) -> dict[str, Any]:
    return {"operator": operator, "arguments": arguments, "status": {"Ascend910B1": status}}


def test_answers_are_alike_or_other_or_cannot_be_had(
    matrix: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = [
        call("aclnnHardswishBackwardV2", [None] * 3, 161001),
        call("aclnnHardswishBackwardV2", [None] * 3, 0),
        call("aclnnHardswishBackwardV2", [None], 161001),
        call("aclnnThereIsNone", [], 0),
    ]
    monkeypatch.setattr(
        matrix, "by_chip", lambda _, release: {"Ascend910B1": calls} if release < "9" else {}
    )

    found = list(matrix.compared(Path()))

    assert [each[:3] for each in found] == [
        # Before it came, the operator is refused.
        ("8.1", "Ascend910B1", Counter(other=2, none=2)),
        ("8.5", "Ascend910B1", Counter(alike=1, other=1, none=2)),
    ]
    assert found[1][3] == [{**calls[1], "answer": 161001}]


def test_an_empty_folder_has_no_calls(matrix: ModuleType, tmp_path: Path) -> None:
    assert matrix.by_chip(tmp_path, "9.1") == {}
