"""What fuzzing has found stays found; and a few seconds of it find nothing more."""

from __future__ import annotations

import base64
import importlib
import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

FUZZ = Path(__file__).resolve().parents[2] / "tools" / "fuzz.py"
CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.json"))


def fuzz(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(FUZZ), *map(str, arguments)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def replayed() -> subprocess.CompletedProcess[str]:
    return fuzz("--replay", *CORPUS)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_finding_of_before_is_none_any_more(
    path: Path, replayed: subprocess.CompletedProcess[str]
) -> None:
    assert not replayed.stderr
    assert f"{path}: " not in replayed.stdout, replayed.stdout


def test_a_run_has_as_many_cases_as_it_was_asked_for() -> None:
    done = fuzz("--cases", 3, "--seed", 4, "--target", "headers", "--target", "samples")
    assert done.stdout.splitlines() == [
        "headers: 3 cases, nothing found",
        "samples: 3 cases, nothing found",
    ], done.stderr
    assert done.returncode == 0


def test_there_is_a_corpus() -> None:
    assert CORPUS


@pytest.mark.parametrize("target", ["operators", "results", "c-api", "headers", "samples"])
def test_a_case_follows_from_its_seed_and_number(target: str) -> None:
    first, again, other = (
        fuzz("--show", number, "--seed", 4, "--target", target).stdout for number in (7, 7, 8)
    )
    assert json.loads(first)["target"] == target
    assert first == again != other


def test_what_is_wrong_is_found(tmp_path: Path) -> None:
    """A kernel that corrupts its result writes no stray bytes; one that is not there crashes."""
    case = json.loads((CORPUS[0].parent / "address_between_elements.json").read_text())
    case["operator"] = "aclnnThereIsNoSuchOperator"
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(case))

    done = fuzz("--replay", CORPUS[0], path, CORPUS[1])

    assert done.returncode == 1
    assert done.stdout.startswith(f"{path}: ended with 1")
    assert done.stdout.count("ended with") == 1
    assert "aclnnThereIsNoSuchOperator" in done.stdout


def test_a_result_that_differs_from_its_reference_is_found(tmp_path: Path) -> None:
    case = json.loads((CORPUS[0].parent / "result_of_views.json").read_text())
    path = tmp_path / "wrong.json"
    # Another value in the place of the reference's first.
    golden = case["golden"][0]["array"]
    first = np.array([12345.0]).astype(golden["dtype"]).tobytes()
    values = first + base64.b64decode(golden["bytes"])[len(first) :]
    golden["bytes"] = base64.b64encode(values).decode()
    path.write_text(json.dumps(case))

    done = fuzz("--replay", path)

    assert done.returncode == 1
    assert "expected 12345.0" in done.stdout


def test_a_choice_stays_where_there_is_more_to_choose_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FUZZ.parent))
    choice = importlib.import_module("fuzzing.choice")
    few, more = [str(i) for i in range(50)], [str(i) for i in range(60)]
    rings = [choice.Choice(items, str) for items in (few, more)]

    pairs = [tuple(drawn.draw(random.Random(seed)) for drawn in rings) for seed in range(600)]

    assert {a for a, _ in pairs} == set(few)
    moved = [b for a, b in pairs if a != b]
    assert set(moved) == set(more) - set(few)
    assert 50 < len(moved) < 150  # a sixth of them
