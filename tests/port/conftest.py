"""Sources are written to a file and translated as the program does it."""

from __future__ import annotations

import tempfile
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter", reason="the port extra is not installed")
pytest.importorskip("tree_sitter_cpp", reason="the port extra is not installed")

from pyaclnn.port.check import first_difference, run_port, run_sample
from pyaclnn.port.port import Port, port

Translate = Callable[..., Port]
PrintsTheSame = Callable[[Path, str], None]


@pytest.fixture
def translate(tmp_path: Path) -> Translate:
    """Translate the body of a main function, or a whole program."""

    def run(source: str, style: str = "idiomatic") -> Port:
        text = textwrap.dedent(source)
        if "main(" not in text:
            text = f"int main() {{\n{text}\nreturn 0;\n}}\n"
        path = tmp_path / "sample.cpp"
        path.write_text(text, encoding="utf-8")
        return port(path, style)

    return run


@cache
def _printed(sample: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return run_sample(sample, Path(folder))


@pytest.fixture
def prints_the_same(tmp_path: Path) -> PrintsTheSame:
    """Assert that a sample's port is complete, and prints what the compiled sample prints."""

    def check(sample: Path, style: str) -> None:
        result = port(sample, style)

        assert [(gap.line, gap.reason) for gap in result.gaps] == []
        assert first_difference(_printed(sample), run_port(result.text, tmp_path)) is None

    return check
