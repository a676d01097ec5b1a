"""What the README shows is what happens."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]
ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLE, MORE = (text for language, text in BLOCK.findall(README) if language == "python")
(EXAMPLE_OUTPUT,) = (text for language, text in BLOCK.findall(README) if language == "")
TROUBLE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
(_, REFUSED), (_, ERROR) = BLOCK.findall(TROUBLE)


def without_time(text: str) -> str:
    return re.sub(r"PID: \d+\] [-\d:.]+", "PID] TIME", text)


def test_the_example_prints_what_it_says(run: Run) -> None:
    done = run("-c", EXAMPLE)

    assert (done.stdout, done.stderr) == (EXAMPLE_OUTPUT, "")


def test_the_refused_call_raises_the_error_that_is_shown(run: Run) -> None:
    done = run("-c", REFUSED)

    assert without_time(done.stderr).endswith(without_time(ERROR))


def test_the_other_examples_run(run: Run) -> None:
    done = run("-W", "error", "-c", EXAMPLE + MORE)

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", re.findall(r"python -m (pyaclnn\.\w+(?: --\w+)?)", README))
def test_every_command_exists(run: Run, command: str) -> None:
    module, *options = command.split()
    done = run("-m", module, "--help")

    assert done.returncode == 0, done.stderr
    assert all(option in done.stdout for option in options)
