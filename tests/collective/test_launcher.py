"""``python -m pyaclnn.collective``: programs on several ranks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

JOB = """
import sys
import numpy as np
import pyaclnn as pa
from pyaclnn.collective import Communicator

with Communicator.from_env() as ranks:
    total = ranks.all_reduce(pa.asarray(np.float32([ranks.rank + 1])))
    print(ranks.rank, "of", ranks.size, "has", total.item(), *sys.argv[1:])
    print("an error's text", file=sys.stderr)
"""
FAILS = """
import os, sys, time
if os.environ["RANK"] == "1":
    print("no line end", end="")
    sys.exit(7)
print("waits", flush=True)
time.sleep(60)
"""


def launched(
    *arguments: str, **environment: str
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run the launcher; its process, and the lines of standard output in order of the ranks."""
    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn.collective", *arguments], capture_output=True, text=True,
        env=os.environ | environment, timeout=120, check=False,
    )  # fmt: skip
    return done, sorted(done.stdout.splitlines())


def program(folder: Path, text: str) -> str:
    path = folder / "job.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_ranks_find_each_other_and_have_their_number_before_their_lines(tmp_path: Path) -> None:
    job = program(tmp_path, JOB)

    done, lines = launched("--ranks", "3", job, "--steps", "4")

    assert (done.returncode, lines) == (0, [
        "[0] 0 of 3 has 6.0 --steps 4", "[1] 1 of 3 has 6.0 --steps 4",
        "[2] 2 of 3 has 6.0 --steps 4",
    ])  # fmt: skip
    assert sorted(done.stderr.splitlines()) == [f"[{k}] an error's text" for k in range(3)]


def test_two_jobs_at_a_time_do_not_meet_nor_does_a_rank_table_count(tmp_path: Path) -> None:
    job = program(tmp_path, JOB)
    command = [sys.executable, "-m", "pyaclnn.collective", "-n", "2", job]
    environment = os.environ | {"RANK_TABLE_FILE": str(tmp_path / "none.json")}

    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    printed = [sorted(each.communicate(timeout=120)[0].splitlines()) for each in both]

    assert printed == [["[0] 0 of 2 has 3.0", "[1] 1 of 2 has 3.0"]] * 2
    assert [each.returncode for each in both] == [0, 0]


def test_one_that_fails_ends_the_others_and_gives_the_status(tmp_path: Path) -> None:
    started = time.monotonic()

    done, lines = launched("--ranks", "3", program(tmp_path, FAILS))

    assert done.returncode == 7
    assert time.monotonic() - started < 30
    assert "[1] no line end" in lines
    assert "rank 1 ended with status 7; the others are ended" in done.stderr


def test_a_signal_that_ends_a_rank_is_named(tmp_path: Path) -> None:
    done, _ = launched(
        "-n", "2", program(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    )

    assert done.returncode == 128 + signal.SIGKILL
    assert f"by signal {int(signal.SIGKILL)}" in done.stderr


def test_who_ends_the_launcher_ends_the_ranks(tmp_path: Path) -> None:
    text = """
import os, time
print(os.getpid())
time.sleep(60)
"""
    launcher = subprocess.Popen(
        [sys.executable, "-m", "pyaclnn.collective", "-n", "2", program(tmp_path, text)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert launcher.stdout is not None
    numbers = [int(launcher.stdout.readline().split()[1]) for _ in range(2)]

    launcher.terminate()
    launcher.communicate(timeout=60)

    assert launcher.returncode == 128 + signal.SIGTERM
    for number in numbers:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_modules_and_other_programs_are_started_too(tmp_path: Path) -> None:
    (tmp_path / "apart.py").write_text("import os; print(os.environ['RANK'])", encoding="utf-8")

    module, lines = launched("-n", "2", "-m", "apart", PYTHONPATH=str(tmp_path))
    shell, words = launched("-n", "2", "--", "sh", "-c", "echo $LOCAL_RANK/$WORLD_SIZE")

    assert (module.returncode, lines) == (0, ["[0] 0", "[1] 1"])
    assert (shell.returncode, words) == (0, ["[0] 0/2", "[1] 1/2"])


def test_what_cannot_be_started_is_told() -> None:
    missing, _ = launched("-n", "2", "/no/such/program")
    nothing, _ = launched("-n", "2")
    none, _ = launched("-n", "0", "job.py")

    assert (missing.returncode, nothing.returncode, none.returncode) == (127, 2, 2)
    assert "/no/such/program: there is no such program" in missing.stderr
    assert "no program" in nothing.stderr
    assert "0 ranks are none" in none.stderr


def test_the_variables_are_told_as_json() -> None:
    done, _ = launched("-n", "2", "--json", PYACLNN_JOB_SECRET="ours")

    told = json.loads(done.stdout)
    assert [(each["RANK"], each["WORLD_SIZE"]) for each in told] == [("0", "2"), ("1", "2")]
    assert {each["PYACLNN_JOB_SECRET"] for each in told} == {"ours"}
    assert told[0]["MASTER_PORT"] == told[1]["MASTER_PORT"]
