"""What fuzzing has found stays found; and a few seconds of it find nothing more."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parents[2] / "tools" / "fuzz.py"
CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.json"))


def fuzz(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(FUZZ), *map(str, arguments)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_finding_of_before_is_none_any_more(path: Path) -> None:
    done = fuzz("--replay", path)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_a_run_has_as_many_cases_as_it_was_asked_for() -> None:
    done = fuzz("--cases", 3, "--seed", 4, "--target", "headers", "--target", "samples")
    assert done.stdout.splitlines() == [
        "headers: 3 cases, nothing found",
        "samples: 3 cases, nothing found",
    ], done.stderr
    assert done.returncode == 0


def test_there_is_a_corpus() -> None:
    assert CORPUS


@pytest.mark.parametrize("target", ["operators", "c-api", "headers", "samples"])
def test_a_case_follows_from_its_seed_and_number(target: str) -> None:
    first, again, other = (
        fuzz("--show", number, "--seed", 4, "--target", target).stdout for number in (7, 7, 8)
    )
    assert json.loads(first)["target"] == target
    assert first == again != other


def test_what_is_wrong_is_found(tmp_path: Path) -> None:
    """A kernel that spoils its result writes no stray bytes; one that is not there crashes."""
    case = json.loads((CORPUS[0].parent / "address_between_elements.json").read_text())
    case["operator"] = "aclnnThereIsNoSuchOperator"
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(case))

    done = fuzz("--replay", path)

    assert done.returncode == 1
    assert "ended with 1" in done.stdout
    assert "aclnnThereIsNoSuchOperator" in done.stdout
