"""Every simulated operator with tensors of another stream than the one it is submitted to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gates import Gate
from operators.fullest import SUITE, fullest

import pyaclnn as pa
from pyaclnn.ops import compiled
from pyaclnn.ops.rules import has_data_dependent_shapes, rules_of
from pyaclnn.selftest.families import family_of
from pyaclnn.selftest.runner import as_tuple


def allocates(name: str) -> bool:
    """Whether a compiled call makes the outputs of an operator."""
    operator = pa.ops[name]
    rules = rules_of(operator.c_name)
    return compiled.compilable(operator.spec) and all(
        a.c_name in rules for a in operator.spec.outputs
    )


OPERATORS = [
    name
    for name, suite in SUITE.items()
    if not suite.chip
    and suite.ranks == 1
    and pa.ops[name].spec.outputs
    and allocates(name)
    # Calls that wait for the shapes of their outputs leave nothing pending.
    and not has_data_dependent_shapes(pa.ops[name].c_name)
    # Two calls at a time race for what they write in place, such as running statistics.
    if not any(a.in_place for a in pa.ops[name].spec.arguments)
]


@pytest.fixture
def side() -> Iterator[pa.Stream]:
    stream = pa.current_device().create_stream()
    yield stream
    stream.close()


def run(name: str, stream: pa.Stream | None = None) -> list[list[pa.Tensor]]:
    """Call an operator with tensors of the default stream; return the tensors of each output."""
    results = as_tuple(pa.ops[name](*fullest(name).inputs.values(), stream=stream))
    return [
        result if isinstance(result, list) else [] if result is None else [result]
        for result in results
    ]


def addresses(outputs: list[list[pa.Tensor]]) -> set[int]:
    return {tensor.buffer.ptr for output in outputs for tensor in output} - {0}


def values(name: str, outputs: list[list[pa.Tensor]]) -> list[np.ndarray[Any, Any]]:
    """Return what the operator writes on the current stream: the rest has what the memory had."""
    written = itertools.compress(outputs, fullest(name).defined)
    tensors = [tensor for output in written for tensor in output]
    return [tensor.numpy() for tensor in tensors]


def test_most_operators_are_tried() -> None:
    assert len(OPERATORS) > 80


# Communications of one communicator follow one another, on whichever stream: they cannot overtake.
@pytest.mark.parametrize("name", [n for n in OPERATORS if family_of(n) != "collective"])
def test_memory_that_pending_work_uses_goes_to_no_other_stream(name: str, side: pa.Stream) -> None:
    expected = values(name, run(name))
    for _ in range(3):
        run(name)
        run(name, side)
    pa.current_device().sync()
    here = pa.current_stream()
    for busy, idle in ((here, side), (side, here)):
        with Gate(busy):
            dropped = addresses(run(name, busy))

            results = run(name, idle)

            assert addresses(results).isdisjoint(dropped)
            assert {tensor.buffer.stream for output in results for tensor in output} <= {idle}
            idle.sync()
            with idle:
                found = values(name, results)
            for result, value in zip(found, expected, strict=True):
                np.testing.assert_array_equal(result, value)


@pytest.mark.parametrize("name", OPERATORS)
def test_memory_that_a_graph_writes_goes_to_nobody_else(name: str, side: pa.Stream) -> None:
    for _ in range(3):
        run(name)
    with pa.Graph.capture(side) as graph:
        written = addresses([*run(name), *run(name)])

    others = [run(name, stream) for stream in (None, side, None, side)]

    for other in others:
        assert addresses(other).isdisjoint(written)
    pa.current_device().sync()
    graph.close()
