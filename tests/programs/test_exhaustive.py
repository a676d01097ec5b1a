"""What a plain ``pytest`` leaves out is run by .ci/run, and by whoever names it."""

from __future__ import annotations

import configparser
import re
import shlex
from pathlib import Path

import conftest
import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]


def selected(pytester: pytest.Pytester, *arguments: str) -> tuple[int, int]:
    """Return how many tests of a small suite run, and how many do not."""
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)
    outcomes = result.parseoutcomes()
    return outcomes.get("passed", 0), outcomes.get("deselected", 0)


@pytest.fixture
def small_suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """Give a project with this conftest and two tests, of 1 and of 400 parameters."""
    folder = pytester.path / "tests"
    folder.mkdir()
    ours = Path(conftest.__file__).read_text(encoding="utf-8")
    # What it registers for assertions is not there.
    (folder / "conftest.py").write_text(re.sub(r"(?m)^pytest\.register.*$", "", ours))
    (folder / "test_it.py").write_text(
        "import pytest\n"
        "def test_one(): pass\n"
        "@pytest.mark.parametrize('n', range(400))\n"
        "def test_many(n): pass\n"
    )
    (pytester.path / "setup.cfg").write_text((ROOT / "setup.cfg").read_text(encoding="utf-8"))
    return pytester


def test_a_plain_run_tries_some_and_the_marker_the_rest(small_suite: pytest.Pytester) -> None:
    some, left_out = selected(small_suite)
    rest, others = selected(small_suite, "-m", "exhaustive")

    assert 10 < some < 60
    assert (some, left_out) == (others, rest)
    assert some + rest == 401


@pytest.mark.parametrize("named", [["tests/test_it.py"], ["-k", "test_"], ["-m", "not clients"]])
def test_of_what_is_named_nothing_is_left_out(
    small_suite: pytest.Pytester, named: list[str]
) -> None:
    assert selected(small_suite, *named) == (401, 0)


def test_the_gate_runs_all_but_what_others_programs_need() -> None:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg")
    default = shlex.split(parser["tool:pytest"]["addopts"])
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")

    assert default[default.index("-m") + 1] == "not clients and not exhaustive" == conftest._SOME
    assert re.search(r'\npytest -q -n auto [^\n]*\\\n  -m "not clients"\n', gate)


def test_files_that_are_begun_first_are_there() -> None:
    tests = Path(conftest.__file__).parent

    assert [name for name in conftest._LONG if not (tests / name).is_file()] == []
