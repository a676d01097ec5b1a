"""Places of sources and rows that mutants are made of. No library is built, which takes minutes."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import toolchain

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


SWITCHED = """\
#include <cstdio>
constexpr int kMost = 3;
struct Counts {
  int first = 1;
};
template <int N>
int times(int a) {
  constexpr int kOwn = 5;
  return N * a - kOwn;
}
void check_few(int a) {
  if (a >= kMost) std::puts("many");
}
int main() {
  const int a = 3, none = a - a;
  int numbers[3] = {0, -8};
  if (none)
    check_few(a);
  else
    check_few(a + kMost);
  switch (a) {
    case 3: numbers[0] = a && none && none || Counts().first > a;
  }
  std::printf("%d %d %d\\n", numbers[0], numbers[1], times<7>(a));
}
"""


def test_mutants_behind_switches_do_what_each_does_alone(
    mutate: ModuleType, tmp_path: Path
) -> None:
    pytest.importorskip("tree_sitter_cpp", reason="the port extra is not installed")
    switch = sys.modules["mutating.switched"]
    changes = dict(enumerate(mutate._in_cpp(mutate._code(SWITCHED)), 1))

    text, numbers = switch.switched(SWITCHED, changes)

    left = [SWITCHED[a:b] for n, (a, b, _) in changes.items() if n not in numbers]
    assert sorted(left) == ["3", "3", "3", "5"]  # what the compiler has to know
    source = tmp_path / "switched.cpp"
    source.write_text(text, encoding="utf-8")
    subprocess.run(
        [*toolchain.compiler(".cpp"), "-std=c++17", "-w", source, "-o", tmp_path / "all"],
        check=True,
    )

    def printed(number: int) -> str:
        environment = {**os.environ, switch.VARIABLE: str(number)}
        return subprocess.check_output([tmp_path / "all"], env=environment, text=True)

    before = "many\n0 -8 16\n"
    assert printed(0) == before
    seen = {(SWITCHED[a:b], new, printed(n)) for n, (a, b, new) in changes.items()}
    assert {each for each in seen if each[2] != before} == {
        ("-", "+", "many\n0 -8 26\n"), ("-", "+", "many\n1 -8 16\n"), ("+", "-", "0 -8 16\n"),
        ("&&", "||", "many\n1 -8 16\n"), ("3", "4", "many\n0 -8 23\n"),
        ("8", "9", "many\n0 -9 16\n"),
        ("0", "1", "many\n0 0 16\n"),  # and nothing behind the format of printf
        ("check_few(a + kMost);", "", "0 -8 16\n"),
    }  # fmt: skip
