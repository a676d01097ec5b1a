"""python -m pyaclnn.selftest: verdicts and exit status."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from xml.etree import ElementTree

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.selftest import runner
from pyaclnn.selftest.acceptance import compare
from pyaclnn.selftest.cases import Suite, numpy_dtype
from pyaclnn.selftest.chips import has_operator
from pyaclnn.selftest.processes import Processes
from pyaclnn.selftest.runner import run_suite
from pyaclnn.selftest.suites import SUITES

Run = Callable[..., CompletedProcess[str]]
FIVE = {
    "softshrink_backward", "threshold_backward", "hardswish_backward", "softmax_backward",
    "selu_backward",
}  # fmt: skip


#: A folder where a full run of before has left what it printed and wrote: .ci/run sets it.
DONE = "PYACLNN_TEST_SELFTEST"
#: What looks at a full run.
FULL = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def full_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[CompletedProcess[str], dict]:
    if DONE in os.environ:
        folder = Path(os.environ[DONE])
        printed = (folder / "selftest.txt").read_text(encoding="utf-8")
        return CompletedProcess([], 0, printed, ""), json.loads(
            (folder / "selftest.json").read_text(encoding="utf-8")
        )
    file = tmp_path_factory.mktemp("selftest") / "results.json"
    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn.selftest", "--json", str(file)],
        capture_output=True, text=True, env=dict(os.environ), check=False, timeout=600,
    )  # fmt: skip
    return done, json.loads(file.read_text())


@FULL
def test_everything_passes_on_the_simulator(full_run: tuple[CompletedProcess[str], dict]) -> None:
    done, results = full_run

    assert done.returncode == 0, done.stdout + done.stderr
    assert results["passed"]
    assert {o["name"] for o in results["operators"]} >= {*FIVE, "misuse checks"}


@FULL
def test_each_of_the_five_has_sixty_cases_a_dtype(
    full_run: tuple[CompletedProcess[str], dict],
) -> None:
    for operator in full_run[1]["operators"]:
        if operator["name"] in FIVE:
            assert operator["cases"] >= 60 * len(operator["dtypes"])
            assert {"float32", "float16", "bfloat16"} <= set(operator["dtypes"])


@FULL
def test_the_table_has_no_colours_away_from_a_terminal(
    full_run: tuple[CompletedProcess[str], dict],
) -> None:
    assert "\033" not in full_run[0].stdout


@FULL
def test_a_full_run_fits_a_screen_and_says_first_where_it_runs(
    full_run: tuple[CompletedProcess[str], dict],
) -> None:
    lines = full_run[0].stdout.splitlines()

    assert len(lines) <= 25, full_run[0].stdout
    assert lines[0].startswith(f"pyaclnn {full_run[1]['environment']['pyaclnn']} on simulator: ")
    assert f"{len(SUITES)} operators, about " in lines[0]
    assert lines[-1].endswith("all passed")


def test_patterns_and_families_choose_operators(run: Run) -> None:
    done = run(
        "-m", "pyaclnn.selftest", "--quick", "--op", "foreach_ab?", "--op", "linalg", "--details"
    )

    assert done.returncode == 0, done.stderr
    assert "\nforeach_abs " in done.stdout
    assert "\ninverse " in done.stdout
    assert "\nadd " not in done.stdout


def test_a_failure_shows_the_command_that_repeats_it(run: Run) -> None:
    fault = {"PYACLNN_SIM_FAULT": "aclnnSeluBackward:3:result"}
    done = run(
        "-m", "pyaclnn.selftest", "--op", "selu_backward", "--dtype=float32", "--seed=5", **fault
    )
    command = next(li for li in done.stdout.splitlines() if "again: " in li).partition("again: ")[2]
    arguments = shlex.split(command)
    assert arguments[0] == "python"

    # Without the fault this one case passes; the values are those of the full run.
    again = run(*arguments[1:])

    assert again.returncode == 0, again.stdout
    assert "--seed=5" in arguments
    assert re.search(r"\nselu_backward +[1-9] ", again.stdout)


def test_junit_has_a_case_for_each_operator(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    run(
        "-m", "pyaclnn.selftest", "--quick", "--op=selu_backward", "--op=abs", "--dtype=float32",
        "--junit", str(file), PYACLNN_SIM_FAULT="aclnnSeluBackward:1:result",
    )  # fmt: skip

    suite = ElementTree.parse(file).getroot()

    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert cases["abs"].get("classname") == "pyaclnn.selftest.pointwise"
    assert "expected" in (cases["selu_backward"].findtext("failure") or "")


def test_what_a_device_refuses_for_its_chip_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "self not implemented for DT_BFLOAT16, should be in dtype support list [DT_FLOAT]."

    def refuse(operator: object, case: object) -> list[object]:
        raise pa.AclParameterError(161002, message=words)

    suite = next(s for s in SUITES if s.operator == "selu_backward")
    monkeypatch.setattr(runner, "run_case", refuse)
    assert run_suite(suite, dtypes=["float32"]).verdict == "FAIL"  # the simulator's word

    monkeypatch.setattr(type(pa.backend), "name", "cann")
    outcome = run_suite(suite, dtypes=["float32"])

    assert outcome.verdict == "skipped"
    assert outcome.skipped == f"not on this chip, says CANN: {words}"


@pytest.mark.parametrize(
    ("chip", "words", "verdict"),
    [
        ("Ascend310P3", "aclnnSeluBackward: there is no kernel for this chip", "skipped"),
        ("Ascend310P3", "self is int8 (2); Ascend310P3 takes float32", "skipped"),
        ("Ascend310P3", "self has 9 dimensions, it must have 8 at most", "FAIL"),
        # The suites are written for this one.
        ("Ascend910B1", "aclnnSeluBackward: Ascend910B1 has no such kernel", "FAIL"),
    ],
)
def test_other_simulated_chips_may_lack_what_a_suite_asks_for(
    monkeypatch: pytest.MonkeyPatch, chip: str, words: str, verdict: str
) -> None:
    def refuse(operator: object, case: object) -> list[object]:
        raise pa.AclParameterError(161002, message=words)

    suite = next(s for s in SUITES if s.operator == "selu_backward")
    monkeypatch.setattr(runner, "run_case", refuse)
    monkeypatch.setattr(runner, "soc_name", lambda: chip)

    assert run_suite(suite, dtypes=["float32"]).verdict == verdict


def test_a_wrong_result_is_exit_status_1(run: Run) -> None:
    done = run(
        "-m", "pyaclnn.selftest", "--op", "selu_backward", "--dtype", "float32",
        PYACLNN_SIM_FAULT="aclnnSeluBackward:3:result",
    )  # fmt: skip

    assert done.returncode == 1
    assert "FAIL" in done.stdout
    assert "expected" in done.stdout


def test_no_cann_is_exit_status_2_and_says_what_to_set(run: Run) -> None:
    done = run("-m", "pyaclnn.selftest", PYACLNN_BACKEND="cann", ASCEND_HOME_PATH="")

    assert done.returncode == 2
    assert "ASCEND_HOME_PATH" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_operator_is_a_usage_error(run: Run) -> None:
    done = run("-m", "pyaclnn.selftest", "--op", "selu_backwards")

    assert done.returncode == 2
    assert "no cases for selu_backwards" in done.stderr
    assert " selu_backward" in done.stderr.partition("for example:")[2]


def test_the_c_locale_is_no_obstacle(run: Run) -> None:
    done = run(
        "-m", "pyaclnn.selftest", "--quick", "--op", "aclnnSeluBackward", LANG="C", LC_ALL="C",
        PYTHONUTF8="0", PYTHONCOERCECLOCALE="0",
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


def test_a_chip_without_bfloat16_is_not_asked_for_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    done = run(
        "-m", "pyaclnn.selftest", "--op", "selu_backward", "--json", str(file),
        PYACLNN_SIM_SOC="Ascend310P3",
    )  # fmt: skip

    assert done.returncode == 0, done.stdout
    assert "bfloat16" not in json.loads(file.read_text())["operators"][0]["dtypes"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("release", ["8.1", "9.0"])
def test_the_other_releases_pass_too(run: Run, release: str) -> None:
    done = run("-m", "pyaclnn.selftest", "--quick", PYACLNN_SIM_CANN=release)

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("dtype", "factor"), [("float32", 2e-3), ("float16", 2e-2)])
def test_the_standard_refuses_one_element_too_far_off(dtype: str, factor: float) -> None:
    golden = np.linspace(1, 2, 1000)
    actual = golden.astype(numpy_dtype(dtype))
    assert compare(actual, golden).passed

    actual[500] *= 1 + factor

    assert not compare(actual, golden).passed
    assert "(500,)" in compare(actual, golden).reason


def test_the_standard_refuses_a_small_error_everywhere() -> None:
    golden = np.linspace(1, 2, 1000)

    assert not compare((golden * (1 + 2.0**-12)).astype(np.float32), golden).passed


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_the_standard_wants_nan_and_infinity_in_their_places(wrong: float) -> None:
    golden = np.array([1.0, np.nan, np.inf])
    assert compare(golden.astype(np.float32), golden).passed

    actual = golden.astype(np.float32)
    actual[0] = wrong

    assert not compare(actual, golden).passed


def test_integers_must_be_exact() -> None:
    assert not compare(np.array([3, 5], np.int32), np.array([3, 4], np.int32)).passed


def _in_this_release(suite: Suite) -> bool:
    return has_operator(pa.ops[suite.operator].c_name)


def test_what_is_not_in_this_release_is_named_here() -> None:
    gone = {suite.operator for suite in SUITES if not _in_this_release(suite)}

    # Tried with CANN 9.0 in tests/operators/test_quant_flash_attention.py.
    assert gone == {"quant_flash_attention_score"}


def test_every_suite_has_an_operator() -> None:
    assert all(suite.operator in pa.ops for suite in SUITES)


@FULL
def test_every_simulated_operator_has_cases_that_pass(
    full_run: tuple[CompletedProcess[str], dict],
) -> None:
    tried = {o["name"]: o for o in full_run[1]["operators"]}

    assert {suite.operator for suite in SUITES} <= set(tried)
    # Those that take several ranks are tried in tests/collective, those of another release with it.
    alone = {suite.operator for suite in SUITES if suite.ranks > 1 or not _in_this_release(suite)}
    failed = {name for name, o in tried.items() if not o["cases"] or o["verdict"] != "pass"}
    assert failed == alone
    assert all(tried[name]["verdict"] == "skipped" for name in alone)


@FULL
def test_an_operator_of_another_chip_is_tried_there(
    full_run: tuple[CompletedProcess[str], dict],
) -> None:
    chips = {o["name"]: o["chip"] for o in full_run[1]["operators"] if o.get("chip")}

    assert chips == {s.operator: s.chip for s in SUITES if s.chip and _in_this_release(s)}
    assert chips["dropout_v3_grad"] == "Ascend910_95"


def test_an_operator_that_a_chip_does_not_have_is_skipped_with_the_reason(run: Run) -> None:
    done = run(
        "-m", "pyaclnn.selftest", "--quick", "--op", "max_pool2d_with_mask_backward",
        "--op", "selu_backward", PYACLNN_SIM_SOC="Ascend910_95", PYACLNN_SIM_CANN="8.1",
    )  # fmt: skip

    assert done.returncode == 0, done.stdout
    assert "not on Ascend910_95 with CANN 8.1" in done.stdout


@FULL
def test_families_are_what_their_operators_are_together(
    full_run: tuple[CompletedProcess[str], dict],
) -> None:
    _, results = full_run
    families = results["families"]
    tried = [o for o in results["operators"] if o["cases"] and o["name"] != "misuse checks"]

    assert {"loss", "pointwise", "reduction", "random"} <= {f["name"] for f in families}
    assert sum(f["operators"] for f in families) == len(tried)
    assert sum(f["cases"] for f in families) == sum(o["cases"] for o in tried)
    assert all(0 <= f["worst_share"] < 1 for f in families)


@pytest.mark.exhaustive
def test_several_processes_find_what_one_does(run: Run, tmp_path: Path) -> None:
    names = ("selu_backward", "max_n", "clamp", "strided_slice")
    found = []
    for processes in ("1", "2"):
        file = tmp_path / f"{processes}.json"
        done = run(
            "-m", "pyaclnn.selftest", "--quick", "--families", "--processes", processes,
            *(f"--op={name}" for name in names), "--json", str(file),
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        assert "worst error / limit" in done.stdout
        found.append(
            [{**o, "seconds": 0} for o in json.loads(file.read_text())["operators"]],
        )

    assert found[0] == found[1]
    assert [o["name"] for o in found[0]] == [s.operator for s in SUITES if s.operator in names]


def test_a_process_that_ends_is_a_failure() -> None:
    suite = replace(SUITES[0], operator="no_such_operator")

    outcome = Processes([suite], 1, []).outcome(suite)

    assert outcome.verdict == "FAIL"
    assert "no_such_operator" in outcome.failures[0].reason


def test_quick_tries_one_type_that_follows_from_the_seed() -> None:
    suite = next(s for s in SUITES if s.operator == "max_v2")

    found = [run_suite(suite, quick=True, seed=seed).dtypes for seed in range(len(suite.dtypes))]

    assert sorted(found) == sorted([d] for d in suite.dtypes)
    assert run_suite(suite, quick=True, dtypes=["int8", "bool"]).dtypes == ["int8", "bool"]
