"""Names and outputs of all operators come from one file, and are what headers and table say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pyaclnn as pa
from pyaclnn import abi
from pyaclnn.abi import operator_index, paths
from pyaclnn.abi.declarations import Index
from pyaclnn.abi.operator_index import OperatorIndex
from pyaclnn.ops import rules
from pyaclnn.table.index import of_row, rows

OPERATORS = {
    "aclnnTurn": (False, {"out": ("like x", "same x"), "lse": ("rows x", "float32")}),
    "aclnnTurnBack": (True, {}),
}


@pytest.fixture
def toolkit(tmp_path: Path) -> Path:
    """Return a toolkit of a checkout, whose headers are a link."""
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "aclnn_turn.h").write_text("")
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "turn.py").write_text("")
    include = tmp_path / "toolkit" / "include"
    include.mkdir(parents=True)
    (include / "aclnnop").symlink_to(tmp_path / "headers")
    toolkit = tmp_path / "toolkit"
    operator_index.write(
        toolkit / operator_index.NAME, OPERATORS, tmp_path / "table", toolkit / "include"
    )
    return toolkit


def read(toolkit: Path) -> OperatorIndex:
    return OperatorIndex(toolkit, toolkit.parent / "table")


def test_what_was_written_is_read(toolkit: Path) -> None:
    index = read(toolkit)

    assert index.names() == sorted(OPERATORS)
    assert {name: index.outputs(name) for name in OPERATORS} == OPERATORS
    assert index.outputs("aclnnTur") == (False, {})


def test_an_edited_checkout_does_not_believe_its_index(toolkit: Path) -> None:
    (toolkit.parent / "table" / "turn.py").write_text("ROWS = ()")
    assert read(toolkit).outputs("aclnnTurn") is None
    assert read(toolkit).names() is not None

    (toolkit.parent / "headers" / "aclnn_more.h").write_text("")
    assert read(toolkit).names() is None


def test_an_installation_has_copies_and_looks_at_no_file(toolkit: Path) -> None:
    (toolkit / "include" / "aclnnop").unlink()
    (toolkit / "include" / "aclnnop").mkdir()
    (toolkit.parent / "table" / "turn.py").unlink()

    assert read(toolkit).outputs("aclnnTurnBack") == (True, {})


@pytest.mark.parametrize("text", ["", "pyaclnn operators 2\n0 0\n"])
def test_an_index_that_is_absent_or_of_another_version_says_nothing(
    toolkit: Path, text: str
) -> None:
    (toolkit / operator_index.NAME).write_text(text)

    assert read(toolkit).names() is None
    assert read(toolkit).outputs("aclnnTurn") is None


def test_the_index_lists_what_the_headers_declare() -> None:
    assert paths.OPERATORS.names() == Index(paths.vendored_headers()).operators()


def test_the_index_has_the_outputs_of_the_rows() -> None:
    assert {name: paths.OPERATORS.outputs(name) for name in rows()} == rows()
    assert of_row("aclnnNothing") == (False, {})


def test_every_row_names_rules_and_parameters_that_there_are() -> None:
    for name in rows():
        parameters = {p.name for p in abi.signature(name + "GetWorkspaceSize").parameters}
        for out, rule in rules.rules_of(name).items():
            named = {out, *rule.reads}  # type: ignore[attr-defined]
            assert named <= parameters, f"{name} has no parameter {sorted(named - parameters)}"


def test_a_misspelt_rule_is_told_with_its_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    row = (False, {"out": ("lik self", "same self")})
    monkeypatch.setattr(rules, "_row", lambda _: row)

    with pytest.raises(ValueError, match=r"row of aclnnAbs: 'lik' is no rule .* nearest are like"):
        rules._of_row("aclnnAbs")


def test_neither_import_nor_a_list_of_operators_reads_table_or_headers() -> None:
    program = (
        "import sys, pyaclnn as pa\n"
        f"assert len(dir(pa.ops)) == {len(dir(pa.ops))}\n"
        "read = [m for m in sys.modules if m.startswith(('pyaclnn.table', 'pyaclnn.abi.clean'))]\n"
        "print(*read)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )

    assert (done.stdout.split(), done.stderr) == ([], "")
