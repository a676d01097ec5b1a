"""The type stub of the namespace is what the tool writes, and says what the operators do."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pyaclnn as pa

ROOT = Path(__file__).resolve().parents[2]
STUB = ROOT / "pyaclnn" / "ops" / "catalogue.pyi"


def test_writing_it_again_changes_nothing(tmp_path: Path) -> None:
    tool = [sys.executable, str(ROOT / "tools" / "write_stubs.py")]

    subprocess.run([*tool, "--out", str(tmp_path / "new.pyi")], check=True)

    assert (tmp_path / "new.pyi").read_text("utf-8") == STUB.read_text("utf-8")


def test_each_operator_is_called_as_its_stub_says() -> None:
    tree = ast.parse(STUB.read_text("utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    attributes = {
        node.target.id: node.annotation.id
        for node in classes["Operators"].body
        if isinstance(node, ast.AnnAssign)
    }
    stubs = {}
    for name, of_class in attributes.items():
        arguments = classes[of_class].body[0].args
        stubs[name] = [a.arg for a in (*arguments.args, *arguments.kwonlyargs)]

    assert stubs == {
        name: list(getattr(pa.ops, name).__signature__.parameters) for name in dir(pa.ops)
    }


def test_each_stub_has_a_line_that_says_what_it_is() -> None:
    calls = [
        n for n in ast.walk(ast.parse(STUB.read_text("utf-8"))) if isinstance(n, ast.FunctionDef)
    ]

    assert [call.lineno for call in calls if not ast.get_docstring(call)] == []
