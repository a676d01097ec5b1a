"""Places of sources and rows that mutants are made of. None is built, which takes minutes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
CPP = """\
// a < b
#define LESS(a) (a < 1)
template <class T>
void kernel(const Check& check, T a) {
  check.that(a >= 2,
             "a is %d, not 2");
  if (a != -1 && a - 3 < 4.5f) run("x == y", a + 1);
}
"""
ROW = '''\
"""Rows of 3."""
ROWS = (
    Row(
        "One", "family",
        (Null(("a", "b")), RankAtMost(8, ("a",)), That("a.rank() > 2", "a has 2"), Kernel("one")),
        {"b": Output("like a", "same a")}, trial=Trial(low=1), missing=("more than 4",),
    ),
)
'''


@pytest.fixture
def mutate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    spec = importlib.util.spec_from_file_location("mutate", TOOLS / "mutate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_code_is_changed_and_nothing_else(mutate: ModuleType) -> None:
    found = {(CPP[a:b], new) for a, b, new in mutate._in_cpp(mutate._code(CPP))}
    assert found == {
        ('check.that(a >= 2,\n             "a is %d, not 2");', ""), (">=", ">"), ("2", "3"),
        ("!=", "=="), ("1", "2"), ("&&", "||"), ("-", "+"), ("3", "4"), ("<", "<="), ("+", "-"),
    }  # fmt: skip


def test_steps_conditions_and_numbers_of_rows_are_changed(mutate: ModuleType) -> None:
    found = {(ROW[a:b], new) for a, b, new in mutate._in_row(ROW)}
    assert found == {
        ('Null(("a", "b"))', "*()"), ('RankAtMost(8, ("a",))', "*()"), ("8", "9"),
        ('That("a.rank() > 2", "a has 2")', "*()"), (">", ">="), ("2", "3"),
    }  # fmt: skip


def test_a_kernel_is_that_of_the_rows_which_name_it(mutate: ModuleType) -> None:
    families = {place.file.stem: place for place in mutate.places(["optimiser"])}
    assert {"aclnnApplyAdam", "aclnnApplyFusedEmaAdam"} <= set(families["optimisers"].operators)
    assert all(place.family == "optimiser" for place in families.values())
    assert "optimiser" in families  # the rows


def test_mutants_are_tried_with_their_own_libraries(
    mutate: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("PYACLNN_SIM_HOME", "PYACLNN_TEST_TOOLKIT", "ASCEND_HOME_PATH"):
        monkeypatch.setenv(name, "/elsewhere")

    seen = mutate.environment_of(tmp_path)

    assert "/elsewhere" not in seen.values()
    assert seen["PYTHONPATH"] == str(tmp_path)
