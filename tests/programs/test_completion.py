"""Completion in a shell, as argcomplete's script for bash asks for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("argcomplete", reason="needs pyaclnn[completion]")


def completions(line: str, folder: Path) -> list[str]:
    """Return how a line goes on, where the cursor is at its end."""
    answer = folder / "answer"
    asked = {
        "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "COMP_LINE": line,
        "COMP_POINT": str(len(line.encode())), "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn"], env=os.environ | asked, cwd=folder,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    # Nothing is run, and nothing is printed into the line.
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return [word.strip() for word in answer.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pyaclnn self", {"selftest"}),
        ("pyaclnn selftest --op softshrink", {"softshrink", "softshrink_backward"}),
        ("pyaclnn selftest --op pointw", {"pointwise"}),
        ("pyaclnn bench --section meth", {"methods"}),
        ("pyaclnn port --style r", {"raw"}),
        ("pyaclnn run --dev", {"--devices"}),
        ("pyaclnn trace show --chr", {"--chrome"}),
        ("pyaclnn sim --source", {"--source-tree"}),
    ],
)
def test_a_line_goes_on(line: str, expected: set[str], tmp_path: Path) -> None:
    assert set(completions(line, tmp_path)) == expected


def test_names_of_files_are_completed(tmp_path: Path) -> None:
    (tmp_path / "sample.cpp").touch()

    assert "sample.cpp" in completions("pyaclnn port sam", tmp_path)
