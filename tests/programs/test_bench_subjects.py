"""What the benchmark compares does the same work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.bench import steps
from pyaclnn.bench.contenders import CALLS, Bare
from pyaclnn.bench.ctypes_port import Sample, TwoPhases
from pyaclnn.bench.memory import memory
from pyaclnn.bench.subjects import SUBJECTS, Subject
from pyaclnn.sim import control

subjects = pytest.mark.parametrize("subject", SUBJECTS, ids=[s.operator for s in SUBJECTS])


def expected(subject: Subject) -> list[np.ndarray[Any, Any]]:
    result = pa.ops[subject.operator](*subject.inputs(8, "float32"))
    return [t.numpy() for t in (result if isinstance(result, tuple) else (result,))]


def outputs_of(contender: Any) -> list[np.ndarray[Any, Any]]:
    spec = contender.spec
    pairs = zip(spec.arguments, contender.values, strict=True)
    return [value.numpy() for argument, value in pairs if argument.output]


@subjects
def test_the_two_phases_in_ctypes_compute_the_same(subject: Subject) -> None:
    contender = TwoPhases(subject, 8, "float32")
    contender(1)

    for found, wanted in zip(outputs_of(contender), expected(subject), strict=True):
        np.testing.assert_array_equal(found, wanted)


@subjects
def test_the_sample_in_ctypes_computes_the_same_and_gives_all_back(subject: Subject) -> None:
    contender = Sample(subject, 8, "float32")
    contender(1)
    before = control.count("total")
    contender(3)

    assert control.count("total") == before
    for found, wanted in zip(contender.results, expected(subject), strict=True):
        np.testing.assert_array_equal(found, wanted)


@subjects
def test_bare_calls_compute_the_same(subject: Subject) -> None:
    contender = Bare(subject, 8, "float32")
    contender(1)
    pa.current_stream().sync()

    operator = pa.ops[subject.operator]
    found = operator.result(contender.values)
    for tensor, wanted in zip(
        found if isinstance(found, tuple) else (found,), expected(subject), strict=True
    ):
        np.testing.assert_array_equal(tensor.numpy(), wanted)


@subjects
def test_every_contender_runs(subject: Subject) -> None:
    for label, make in CALLS.items():
        try:
            make(subject, 8, "float32")(3)
        except LookupError:
            if label != "torch eager":
                raise
    pa.current_stream().sync()


def test_memory_counts_calls_and_handles() -> None:
    found = memory(1000)

    assert found["calls"] == 1000
    assert found["handles more"] == found["handles more in C"] == 0


def test_shares_of_operators_are_those_of_all_processes_without_waiting(tmp_path: Path) -> None:
    times = tmp_path / "times"
    waits = "aclrtStreamWaitEvent\t2\t9.000\n"
    times.write_text(f"{waits}aclnnAdd\t3\t1.500\naclnnMm\t1\t0.500\naclnnMm\t2\t6.000\n")

    assert steps.shares(times) == {"aclnnMm": 6.5 / 8, "aclnnAdd": 1.5 / 8}
