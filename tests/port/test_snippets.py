"""Many small pieces of C++ in a few programs: the port prints what the compiled program prints.

Each file is about one part of the language or its library, so that it is compiled once.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from pyaclnn.port.check import first_difference, run_port, run_sample
from pyaclnn.port.port import port

SNIPPETS = sorted((Path(__file__).parent / "snippets").glob("*.c*"))


@cache
def printed(sample: Path, folder: Path) -> str:
    return run_sample(sample, folder)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("snippets")


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
@pytest.mark.parametrize("sample", SNIPPETS, ids=lambda path: path.stem)
def test_a_snippet_and_its_port_print_the_same(sample: Path, style: str, folder: Path) -> None:
    result = port(sample, style)

    assert [(gap.line, gap.reason) for gap in result.gaps] == []
    assert first_difference(printed(sample, folder), run_port(result.text, folder)) is None


def test_a_status_that_a_run_decides_is_the_exit_status_of_the_port() -> None:
    text = port(Path(__file__).parent / "snippets" / "exit_status.cpp").text

    assert text.endswith("if not (wrong == 0):\n    raise SystemExit(3)\n")
