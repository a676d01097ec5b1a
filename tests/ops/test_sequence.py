"""Sequences: several plans that run in order, as one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import gates
import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.ops.sequence import PlanSequence

VALUES = np.linspace(-4, 4, 8, dtype=np.float32)
_fresh = count(2.0, 0.001)


@pytest.fixture
def x() -> pa.Tensor:
    return pa.asarray(VALUES)


@pytest.fixture
def sequence(x: pa.Tensor) -> Iterator[PlanSequence]:
    """x where |x| > 2.something, then only where x > 0."""
    first = pa.ops.softshrink_backward.plan(x, x, next(_fresh))
    second = pa.ops.threshold_backward.plan(first.outputs, x, 0)
    with pa.Plan.sequence([first, second]) as sequence:
        yield sequence


def expected(x: np.ndarray) -> np.ndarray:
    return np.where(x > 2.5, x, 0)


def test_each_plan_reads_what_the_one_before_it_wrote(sequence: PlanSequence) -> None:
    np.testing.assert_array_equal(sequence.run().numpy(), expected(VALUES))


def test_a_sequence_returns_the_outputs_of_its_last_plan(sequence: PlanSequence) -> None:
    assert sequence.run() is sequence.outputs is sequence.plans[1].outputs


def test_a_plan_of_a_sequence_can_be_rebound(sequence: PlanSequence) -> None:
    sequence.plans[1].rebind(self=pa.asarray(-VALUES))
    np.testing.assert_array_equal(sequence.run().numpy(), np.where(VALUES < -2.5, VALUES, 0))


def test_a_sequence_runs_on_the_stream_it_is_given(sequence: PlanSequence) -> None:
    with pa.current_device().create_stream() as other, gates.Gate(sequence.plans[0].stream):
        y = sequence.run(other)
        other.sync()
        with other:
            z = pa.empty_like(y)
            z.copy_from(y)
    np.testing.assert_array_equal(z.numpy(), expected(VALUES))


def test_a_captured_sequence_is_one_graph(sequence: PlanSequence, x: pa.Tensor) -> None:
    with pa.Graph.capture() as graph:
        y = sequence.run()
    x.copy_from(2 * VALUES)
    graph.run()
    np.testing.assert_array_equal(y.numpy(), np.where(2 * VALUES > 2.5, 2 * VALUES, 0))
    graph.close()


def test_a_sequence_is_reused_where_all_its_plans_are(sequence: PlanSequence) -> None:
    assert sequence.reused == all(plan.reused for plan in sequence.plans)


def test_closing_a_sequence_closes_its_plans(sequence: PlanSequence) -> None:
    sequence.close()
    assert [plan.closed for plan in sequence.plans] == [True, True]
    with pytest.raises(pa.ClosedError, match="a plan of the sequence is closed"):
        sequence.run()


def test_a_sequence_is_made_of_plans() -> None:
    with pytest.raises(ValueError, match="at least one"):
        pa.Plan.sequence([])
    with pytest.raises(TypeError, match=r"operator\.plan"):
        pa.Plan.sequence([pa.ops.softshrink_backward.c_name])  # type: ignore[list-item]
