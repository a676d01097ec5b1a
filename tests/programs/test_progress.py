"""Progress of long work: for people at a terminal, and nobody else."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from pyaclnn.port.survey import survey
from pyaclnn.selftest.report import Report
from pyaclnn.selftest.runner import Outcome
from pyaclnn.sim import progress
from pyaclnn.sim.progress import Progress, time_left


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("seconds", "done", "total", "expected"),
    [
        (10, 5, 10, "10 s left"),
        (60, 1, 10, "9 min left"),
        (3600, 1, 4, "3.0 h left"),
        (10, 10, 10, "0 s left"),
        (0.5, 5, 10, ""),
        (10, 0, 10, ""),
        (10, 5, 0, ""),
    ],
)
def test_the_time_left_is_told_as_soon_as_it_is_known(
    seconds: float, done: int, total: int, expected: str
) -> None:
    assert time_left(seconds, done, total) == expected


def test_a_line_is_overwritten_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    stream = Terminal()

    with Progress("building", 2, stream) as line:
        line.step("a.cpp")
        line.step("b.cpp")

    assert stream.getvalue() == (
        "\rbuilding: 1 of 2, a.cpp\033[K\rbuilding: 2 of 2, b.cpp\033[K\r\033[K"
    )


def test_nothing_is_written_away_from_a_terminal() -> None:
    stream = io.StringIO()

    with Progress("building", 2, stream) as line:
        line.step()

    assert stream.getvalue() == ""


@pytest.mark.parametrize(("value", "coloured"), [("", True), ("1", False)])
def test_colours_end_with_no_color(
    value: str, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", value)
    stream = Terminal()
    report = Report(stream, total=2)
    report.row(Outcome("gelu", cases=3))

    assert ("\033[32m" in stream.getvalue()) == coloured


def test_selftest_tells_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    report = Report(stream, total=4)
    report.row(Outcome("gelu", cases=3))
    monkeypatch.setattr(report, "_started", report._started - 10)
    report.progress("mish", 16)

    assert "30 s left" in stream.getvalue()


@pytest.mark.parametrize("terminal", [False, True])
def test_a_survey_shows_how_far_it_is_at_a_terminal(
    terminal: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("tree_sitter", reason="needs pyaclnn[port]")
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    for name in ("a.cpp", "b.cpp"):
        (tmp_path / name).write_text("int main() { return 0; }\n", encoding="utf-8")

    survey(tmp_path, "idiomatic", [], as_json=False)

    shown = "\rtranslating: 0 of 2, a.cpp\033[K\rtranslating: 1 of 2, b.cpp\033[K\r\033[K"
    assert stream.getvalue() == (shown if terminal else "")
    assert "2 of 2 samples are complete" in capsys.readouterr().out
