"""python -m pyaclnn.run: the environment of a toolkit around any program."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import toolchain

#: Whatever the tests themselves run with must not be mistaken for what the command sets.
_CLEAN = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("PYACLNN_", "ASCEND_")) and name != "LD_LIBRARY_PATH"
}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pyaclnn.run", *arguments],
        capture_output=True, text=True, check=False, env=_CLEAN, timeout=300,
    )  # fmt: skip


def test_the_variables_are_those_of_set_env() -> None:
    ours = json.loads(run("--json").stdout)
    root = Path(ours["ASCEND_HOME_PATH"])
    script = f"source {root}/set_env.sh; env -0"
    sourced = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True, env=_CLEAN
    )
    theirs = dict(line.split("=", 1) for line in sourced.stdout.split("\0") if "=" in line)

    assert ours.pop("PYACLNN_BACKEND") == "simulator"
    shown = {"_", "SHLVL", "PWD", "OLDPWD"}
    assert ours == {
        name: value
        for name, value in theirs.items()
        if _CLEAN.get(name) != value and name not in shown
    }


def test_a_compiled_program_sees_the_devices_and_the_chip(tmp_path: Path) -> None:
    source = tmp_path / "seen.cpp"
    source.write_text(
        """
        #include <cstdio>
        #include "acl/acl.h"
        int main() {
          aclInit(nullptr);
          unsigned count = 0;
          aclrtGetDeviceCount(&count);
          aclrtSetDevice(0);
          std::printf("%u %s\\n", count, aclrtGetSocName());
        }
        """
    )
    program = toolchain.build(source, ("ascendcl",))

    done = run("--devices", "3", "--chip=Ascend310P3", "--", str(program))

    assert (done.returncode, done.stdout) == (0, "3 Ascend310P3\n"), done.stderr


def test_arguments_and_status_are_the_programs() -> None:
    code = "import sys; print(sys.argv[1:]); sys.exit(7)"

    done = run(sys.executable, "-c", code, "--devices", "2", "--", "x")

    assert done.returncode == 7
    assert done.stdout == "['--devices', '2', '--', 'x']\n"


def test_a_program_that_a_signal_ends_ends_so() -> None:
    done = run(sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)")

    assert done.returncode == -signal.SIGTERM


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ((), 2, "no program"),
        (("no-such-program",), 127, "no-such-program: there is no such program"),
        (("/",), 126, "/: "),
    ],
)
def test_what_cannot_be_started_is_said(
    arguments: tuple[str, ...], status: int, words: str
) -> None:
    done = run(*arguments)

    assert done.returncode == status
    assert words in done.stderr
    assert "Traceback" not in done.stderr
