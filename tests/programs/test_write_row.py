"""The skeleton of a row has the parameters of its declaration, and the build takes it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pyaclnn import abi
from pyaclnn.abi.paths import vendored_headers
from pyaclnn.ops.spec import load_spec
from pyaclnn.table.row import Output, Row
from pyaclnn.table.steps import Kernel, Null

ROOT = Path(__file__).resolve().parents[2]


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{path.stem}_under_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


TOOL = load(ROOT / "tools" / "write_row.py")


def test_the_build_takes_the_skeleton_of_every_operator() -> None:
    generate = load(ROOT / "pyaclnn" / "sim" / "generate.py")
    names = {"Row": Row, "Null": Null, "Kernel": Kernel, "Output": Output}

    rows = [
        eval(TOOL.row(load_spec(name), "copy").rpartition(",  #")[0], dict(names))
        for name in abi.operators()
        if name.startswith("aclnn")
    ]

    text = "".join(text for _, text in generate.sources(rows, vendored_headers()))
    assert text.count("OPERATOR(") == len(rows) > 1000


def test_outputs_that_documents_tell_are_filled_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert TOOL.main(["SilentCheck", "--family", "pointwise"]) == 0

    text = capsys.readouterr().out
    assert '        Null(("val", "inputGradRef", "sfdaRef", "stepRef", "result")),' in text
    assert '        "result": Output("one", "int32"),' in text
    assert "silent_check(const Check& check, Plan& plan,\n" in text
    assert "python -m pyaclnn.selftest --op silent_check" in text


def test_parameters_without_a_meaning_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = load_spec("aclnnSilentCheck")
    found = TOOL.found
    monkeypatch.setattr(
        TOOL, "found", lambda c_name, name, *rest: name != "stepRef" and found(c_name, name, *rest)
    )

    text = TOOL.meanings(spec, "pointwise")

    assert "[SilentCheck]\n       stepRef: meaning to fill in" in text
    assert text.count("to fill in") == 1


@pytest.mark.parametrize(
    ("operator", "status", "words"),
    [("Abs", 1, "aclnnAbs has a row in the family"), ("Abss", 2, "did you mean aclnnAbs")],
)
def test_what_cannot_be_written_is_said(
    operator: str, status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert TOOL.main([operator]) == status

    assert words in capsys.readouterr().err
