"""The catalogue of operators."""

from __future__ import annotations

import json
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def entries(run: Run) -> dict[str, dict]:
    done = run("-m", "pyaclnn.info", "--operators", "--json")
    assert done.returncode == 0, done.stderr
    return {entry["name"]: entry for entry in json.loads(done.stdout)}


def test_every_declared_operator_is_listed(entries: dict[str, dict]) -> None:
    assert len(entries) == 1110


def test_what_the_simulator_has_is_covered_by_selftest_and_nothing_else(
    entries: dict[str, dict],
) -> None:
    simulated = {name for name, entry in entries.items() if entry["library"]}
    tested = {name for name, entry in entries.items() if entry["tested"]}

    assert simulated == tested
    assert {"softshrink_backward", "softmax_backward"} <= simulated


def test_an_entry_says_where_an_operator_is_declared_and_since_when(
    entries: dict[str, dict],
) -> None:
    entry = entries["hardswish_backward_v2"]

    assert entry["c_name"] == "aclnnHardswishBackwardV2"
    assert entry["header"] == "aclnnop/aclnn_hardswish_backward_v2.h"
    assert "9.0" in entry["release"]


def test_the_catalogue_is_markdown_on_request(run: Run) -> None:
    lines = run("-m", "pyaclnn.info", "--operators", "--markdown").stdout.splitlines()

    assert lines[1].startswith("|---")
    assert len(lines) == 2 + 1110


def test_what_is_missing_is_said_of_operators_that_are_simulated_only(
    entries: dict[str, dict],
) -> None:
    incomplete = {name for name, entry in entries.items() if entry["missing"]}

    assert incomplete <= {name for name, entry in entries.items() if entry["library"]}


def test_what_is_missing_is_what_the_row_says(entries: dict[str, dict]) -> None:
    assert entries["cast"]["missing"] == ["on the 950: float4 with gaps"]
    assert entries["l1_loss"]["missing"] == ["sums of int64 beyond 2^24"]


def test_every_operator_infers_its_outputs_or_says_why_not(entries: dict[str, dict]) -> None:
    unknown = sorted(name for name, entry in entries.items() if entry["outputs"] == "no rule yet")

    assert unknown == []
    assert entries["softmax_backward"]["outputs"] == "inferred"
    assert entries["inplace_add"]["outputs"] == "in place"
    assert "several can be" in entries["quant_matmul_all_reduce_v4"]["outputs"]
    assert entries["flash_attention_score_grad"]["defaults"] == 15


def test_a_summary_ends_the_text(run: Run) -> None:
    last = run("-m", "pyaclnn.info", "--operators").stdout.splitlines()[-1]

    assert last.startswith("1110 operators: outputs of ")
