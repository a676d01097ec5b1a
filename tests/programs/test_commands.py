from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

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
    told = capsys.readouterr().out
    assert f"usage: python -m pyaclnn.{name} " in told
    assert "Exit status: 0 " in told
    assert "--json" in told


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


def test_the_simulator_says_where_it_is_as_json() -> None:
    told = json.loads(run("sim", "--json").stdout)

    assert told["home"] == run("sim", "--home").stdout.strip()
    assert told["built"]
    assert "compiler" in told["report"]


def test_what_was_not_translated_is_told_as_json(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter", reason="needs pyaclnn[port]")
    sample, output = tmp_path / "sample.cpp", tmp_path / "sample.py"
    sample.write_text("int main() { return 0; }\n", encoding="utf-8")

    printed = run("port", str(sample), "--json")
    written = run("port", str(sample), "--json", "-o", str(output))

    assert json.loads(written.stdout) == {"complete": True, "gaps": []}
    assert json.loads(printed.stdout)["text"] == output.read_text(encoding="utf-8")
    assert (printed.returncode, written.returncode) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "unbuffered"),
    [
        # At its end, in the midst of it, by argparse's hand.
        (["pyaclnn", "info"], ""),
        (["pyaclnn.info"], "1"),
        (["pyaclnn", "--help"], ""),
    ],
)
def test_a_command_whose_reader_is_gone_ends_quietly(arguments: list[str], unbuffered: str) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", *arguments], stdout=write, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered}, check=False,
        )  # fmt: skip
    finally:
        os.close(write)

    assert (done.returncode, done.stderr) == (141, "")


def test_a_reader_of_errors_may_be_gone_too() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pyaclnn.info"], stdout=write, stderr=write, check=False
        )
    finally:
        os.close(write)

    assert done.returncode == 141


def test_a_pipe_that_breaks_elsewhere_is_an_error() -> None:
    program = """
from pyaclnn._command import run_command
def main():
    raise BrokenPipeError("between two ranks")
run_command(main)
"""

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert "between two ranks" in done.stderr
