"""What the page "Test your NPU program without an NPU" tells people to do."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import toolchain

PAGE = (toolchain.REPOSITORY / "docs" / "without-an-npu.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"(?:<!-- (?P<kind>file|run): (?P<name>\S+) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)```", re.S
)


def block(kind: str, name: str) -> str:
    """Return a block of the page."""
    return next(m["text"] for m in BLOCK.finditer(PAGE) if (m["kind"], m["name"]) == (kind, name))


def printed_after(kind: str, name: str) -> str:
    """Return the block without language that follows another."""
    blocks = list(BLOCK.finditer(PAGE))
    at = next(i for i, m in enumerate(blocks) if (m["kind"], m["name"]) == (kind, name))
    return next(m["text"] for m in blocks[at:] if not m["language"])


def in_toolkit(script: str, folder: Path) -> str:
    """Run lines of a shell after ``source set_env.sh``; raise where one of them fails."""
    source = f"source {shlex.quote(str(toolchain.toolkit() / 'set_env.sh'))}"
    done = subprocess.run(
        ["bash", "-euc", f"{source}\n{script}"],
        capture_output=True,
        text=True,
        cwd=folder,
        env={n: v for n, v in os.environ.items() if not n.startswith(("ASCEND_", "LD_LIBRARY"))},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("selu.cpp", "CMakeLists.txt"):
        (tmp_path / name).write_text(block("file", name))
    return tmp_path


@pytest.mark.skipif(
    subprocess.run(["which", "cmake"], capture_output=True).returncode != 0, reason="needs CMake"
)
def test_the_program_with_cmake_prints_what_the_page_says(project: Path) -> None:
    output = in_toolkit(block("run", "cmake"), project)

    assert output.splitlines()[-1].split() == printed_after("run", "cmake").split()


def test_the_job_runs_the_commands_of_the_page() -> None:
    job = block("run", "ci")
    commands = [
        *re.findall(r"^source .*$", PAGE, re.MULTILINE)[:1],
        *block("run", "cmake").split("\n"),
    ]

    lines = [line.strip() for line in job.splitlines()]

    assert [c for c in commands if c and c not in lines] == []


def test_an_allocation_that_fails_shows(project: Path) -> None:
    program = project / "selu"
    lib64 = toolchain.toolkit() / "lib64"
    include = toolchain.toolkit() / "include"
    compiler = shlex.join(toolchain.compiler(".cpp"))
    in_toolkit(
        f"{compiler} selu.cpp -I{include} -L{lib64} -lascendcl -lnnopbase -lopapi -o selu", project
    )

    output = in_toolkit(f"PYACLNN_SIM_FAULT=aclrtMalloc:2:207001 {program} || true", project)

    assert output.split() == ["0.0000"] * 4
