"""What tools/clients.py makes of suites of pytest that others wrote."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from backend_ops import Known
from known_failures import KNOWN
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
    assert SUITES["vllm"].files(sources) == [OWN / "test_vllm_ascend.py"]


def test_each_suite_has_its_list_of_what_cannot_pass() -> None:
    assert set(SUITES) <= set(KNOWN)


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
        (
            "E   aclnnAddGetWorkspaceSize answers 161002: a first way\n"
            "E   aclnnMulGetWorkspaceSize answers 561003: aclnnMul: int4 is not simulated",
            "not simulated",
        ),
        (
            "E   aclnnAddGetWorkspaceSize answers 561003: declared, not simulated\n"
            "E   aclnnMulGetWorkspaceSize answers 161002: aclnnMul: other is int4",
            "refused",
        ),
        ("E   KeyError: 'x'\nx.py:3: KeyError", "failed"),
        ("", "failed"),
    ],
)
def test_a_failure_has_a_kind(why: str, sorted_as: str) -> None:
    assert sort_failure(why)[0] == sorted_as
    assert os.linesep not in sort_failure(why)[1]


def test_files_share_a_process_and_one_that_cannot_be_read_stops_none(sources: Path) -> None:
    folder = sources / "tests"
    (folder / "test_6.py").write_text("import no_such_module\n")
    for name in ("test_7", "test_8"):
        (folder / f"{name}.py").write_text(
            "import os\n\ndef test_it():\n    assert not os.getpid()\n"
        )
    files = SUITE.files(sources, "_[678]")

    runs = dict(run_suite(Path(sys.executable), SUITE, files, seconds=100, together=3))

    found = {path.stem: [(r.outcome, r.why) for r in made] for path, made in runs.items()}
    assert found["test_6"][0][0] == "failed"
    assert found["test_7"][0][0] == "differs"
    assert found["test_7"] == found["test_8"]  # the same process


def test_what_is_skipped_in_any_case_is_run_if_asked_for(
    sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sources / "tests" / "test_9.py"
    path.write_text(
        "import unittest\n\n"
        "class Test(unittest.TestCase):\n"
        "    @unittest.skip('until later')\n"
        "    def test_it(self):\n        pass\n"
    )

    for unskip, outcome in (("", "skipped"), ("1", "passed")):
        monkeypatch.setenv("PYACLNN_UNSKIP", unskip)
        ((_, made),) = run_suite(Path(sys.executable), SUITE, [path], seconds=100)
        assert [r.outcome for r in made] == [outcome]
