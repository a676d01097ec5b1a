"""The page about missing synchronisation: its programs run, and are told what it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import toolchain

from pyaclnn.sim import races

Run = Callable[..., CompletedProcess[str]]
PAGE = (toolchain.REPOSITORY / "docs" / "races.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
SAMPLE, REPAIR = (text for language, text in BLOCKS if language == "cpp")
EXAMPLE, REPAIRED = (text for language, text in BLOCKS if language == "python")
TOLD, REFUSED, FOUND = (text for language, text in BLOCKS if language == "")
PLACE = "  // The download should wait for the operator here.\n"


def without_addresses(text: str) -> str:
    return re.sub(r"0x[0-9a-f]+|PID: \d+\] [-\d:.]+", "...", text)


@pytest.fixture
def run_sample(tmp_path: Path) -> Callable[[str, str], str]:
    def run(text: str, checks: str) -> str:
        source = tmp_path / "two_streams.cpp"
        source.write_text(text, encoding="utf-8")
        done = toolchain.run(toolchain.build(source), env={"PYACLNN_SIM_CHECK": checks})
        return done.stderr + done.stdout

    return run


def test_the_sample_is_told_what_the_page_says(run_sample: Callable[[str, str], str]) -> None:
    told = run_sample(SAMPLE, "races")

    # All but the number at the end: whether that is right is luck.
    assert without_addresses(told).splitlines()[:-1] == without_addresses(TOLD).splitlines()[:-1]
    assert TOLD.endswith("\n1.0507\n")


def test_as_an_error_it_reads_as_the_page_says(run_sample: Callable[[str, str], str]) -> None:
    assert without_addresses(run_sample(SAMPLE, "races:error")) == without_addresses(REFUSED)


def test_the_repair_is_enough(run_sample: Callable[[str, str], str]) -> None:
    assert SAMPLE.count(PLACE) == 1
    assert run_sample(SAMPLE.replace(PLACE, REPAIR), "races:error") == "1.0507\n"


def test_the_python_program_prints_what_the_page_says(run: Run) -> None:
    done = run("-c", EXAMPLE)
    assert (without_addresses(done.stdout), done.stderr) == (without_addresses(FOUND), "")


def test_the_repaired_python_program_passes(run: Run) -> None:
    done = run("-c", EXAMPLE + "pa.current_device().sync()\n" + REPAIRED)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_names_of_the_page_exist() -> None:
    for name in re.findall(r"`races\.(\w+)", PAGE):
        assert hasattr(races, name)
    header = toolchain.REPOSITORY / "pyaclnn" / "sim" / "include" / "pyaclnn" / "sim.h"
    for name in re.findall(r"`(pyaclnnSim\w+)`", PAGE):
        assert f"{name}(" in header.read_text(encoding="utf-8")
    fields = {*races.Hazard._fields, *races.Access._fields}
    named = re.search(r"both sides as data: (.*?)\n", PAGE)
    assert named is not None
    assert {n.split(".")[-1] for n in re.findall(r"`([\w.]+)`", named[1])} <= fields
