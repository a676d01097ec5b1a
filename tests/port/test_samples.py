"""Every sample translates completely in both styles, and its ports print what it prints."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from pyaclnn.port.check import first_difference, run_port, run_sample
from pyaclnn.port.port import port

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.c*"))


@cache
def printed(sample: Path, folder: Path) -> str:
    return run_sample(sample, folder)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("port")


def test_there_are_forty_samples() -> None:
    assert len(SAMPLES) >= 40


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_and_its_port_print_the_same(sample: Path, style: str, folder: Path) -> None:
    result = port(sample, style)

    assert [(gap.line, gap.reason) for gap in result.gaps] == []
    assert first_difference(printed(sample, folder), run_port(result.text, folder)) is None


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_an_idiomatic_port_is_far_shorter_than_its_sample(sample: Path) -> None:
    text = port(sample).text

    # Statements, as one array of data may take many lines.
    assert len(ast.parse(text).body) <= 40
    assert max(map(len, text.splitlines())) <= 100
