"""Every sample translates completely in both styles, and its ports print what it prints."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pyaclnn.port.port import port

from .conftest import PrintsTheSame

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.c*"))


def test_there_are_forty_samples() -> None:
    assert len(SAMPLES) >= 40


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_and_its_port_print_the_same(
    sample: Path, style: str, prints_the_same: PrintsTheSame
) -> None:
    prints_the_same(sample, style)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_an_idiomatic_port_is_far_shorter_than_its_sample(sample: Path) -> None:
    text = port(sample).text

    # Statements, as one array of data may take many lines.
    assert len(ast.parse(text).body) <= 40
    assert max(map(len, text.splitlines())) <= 100
