"""What tools/clients.py makes of suites of pytest that others wrote."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from backend_ops import Known
from suites import OWN, SUITES, Suite, run_suite, sort_failure, summary

SUITE = Suite("own", ("tests",), "a checkout")
TESTS = """
import os, time

def test_right():
    pass

def test_differs():
    assert 1 == 2

def test_refused():
    raise RuntimeError("EZ1001: aclnnAddGetWorkspaceSize answers 161002: aclnnAdd: other is int4")

def test_ends_the_process():
    os._exit(3)

def test_after_it():
    pass

def test_missing():
    raise RuntimeError("operator DynamicRNN is asked for by its name, and is not simulated so")

def test_loses_the_device():
    os.environ["LOST"] = "1"
    raise RuntimeError("ACL stream synchronize failed, error code:507015")

def test_has_a_device():
    assert "LOST" not in os.environ

def test_starts_the_same_python():
    import shutil, sys
    assert os.path.dirname(shutil.which("python")) == os.path.dirname(sys.executable)
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Give a checkout with a file of tests that end in all ways, and nine that have none."""
    (tmp_path / "tests").mkdir()
    for k in range(10):
        (tmp_path / "tests" / f"test_{k}.py").write_text(TESTS if k == 5 else "")
    return tmp_path


def test_files_are_drawn_evenly_or_by_name(sources: Path) -> None:
    drawn = SUITE.files(sources, "", 5)

    assert [path.stem for path in drawn] == ["test_0", "test_2", "test_4", "test_6", "test_8"]
    assert [path.stem for path in SUITE.files(sources, "_[37]")] == ["test_3", "test_7"]
    assert SUITES["opinfo"].files(None) == [OWN / "test_opinfo.py"]


def test_each_test_is_sorted_though_one_ends_the_process(sources: Path) -> None:
    files = SUITE.files(sources, "_5")

    (_, made), = run_suite(Path(sys.executable), SUITE, files, seconds=100)  # fmt: skip

    assert {r.case.partition("::")[2]: r.outcome for r in made} == {
        "test_right": "passed",
        "test_differs": "differs",
        "test_refused": "refused",
        "test_ends_the_process": "ended",
        "test_after_it": "passed",
        "test_missing": "not simulated",
        "test_loses_the_device": "failed",
        "test_has_a_device": "passed",
        "test_starts_the_same_python": "passed",
    }
    known = (
        Known(r".*::test_differs", "one is not two"),
        Known(r".*::test_after_it", "it used to fail"),
        Known(r".*", "a kernel raised an exception", why="507015"),
    )
    text, unexpected = summary(made, known)
    assert unexpected == 3
    assert "9 tests: 4 passed, 1 differs, 1 refused, 1 not simulated, 1 ended, 1 failed" in text
    assert "passes although it is listed: test_5.py::test_after_it" in text
    assert "expected       one is not two" in text
    assert "expected       a kernel raised an exception" in text
    assert "aclnnAdd: #: other is int4" in text


def test_a_file_has_a_limit_of_time(sources: Path) -> None:
    path = sources / "tests" / "test_5.py"
    path.write_text("import time\n\ndef test_long():\n    time.sleep(1000)\n")

    (_, made), = run_suite(Path(sys.executable), SUITE, [path], seconds=4)  # fmt: skip

    assert [r.outcome for r in made] == ["too long"]


@pytest.mark.parametrize(
    ("why", "sorted_as"),
    [
        ("E   AssertionError: Tensor-likes are not close!\nx", "differs"),
        (
            "E   RuntimeError: aclnnExpGetWorkspaceSize answers 561003: declared, not simulated",
            "not simulated",
        ),
        (
            "E   RuntimeError: aclnnExpGetWorkspaceSize answers 561003: there is no kernel",
            "refused",
        ),
        ("E   KeyError: 'x'\nx.py:3: KeyError", "failed"),
        ("", "failed"),
    ],
)
def test_a_failure_has_a_kind(why: str, sorted_as: str) -> None:
    assert sort_failure(why)[0] == sorted_as
    assert os.linesep not in sort_failure(why)[1]
