from __future__ import annotations

import subprocess
import sys

import pytest

from pyaclnn.__main__ import COMMANDS, main


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pyaclnn", *arguments], capture_output=True, text=True, check=False
    )


def test_without_a_command_it_says_what_there_is() -> None:
    result = run()

    assert result.returncode == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_the_module_of_its_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])

    assert end.value.code == 0
    assert f"usage: python -m pyaclnn.{name} " in capsys.readouterr().out


def test_arguments_and_exit_status_are_those_of_the_command() -> None:
    home = run("sim", "--home")
    wrong = run("selftest", "--op", "no_such_operator")

    assert (home.returncode, home.stdout.count("\n")) == (0, 1)
    assert wrong.returncode == 2
    assert "no_such_operator" in wrong.stderr


def test_an_unknown_command_is_named_beside_those_there_are() -> None:
    result = run("selftes")

    assert result.returncode == 2
    for text in ("selftes", *COMMANDS):
        assert text in result.stderr
