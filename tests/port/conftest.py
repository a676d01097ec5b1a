"""Sources are written to a file and translated as the program does it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter", reason="the port extra is not installed")
pytest.importorskip("tree_sitter_cpp", reason="the port extra is not installed")

from pyaclnn.port.port import Port, port

Translate = Callable[..., Port]


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
