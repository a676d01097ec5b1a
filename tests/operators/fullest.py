"""One right call of every simulated operator, with as many arguments as its cases ever give."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from operators import calls

import pyaclnn as pa
from pyaclnn.ops.rules import has_data_dependent_shapes, rules_of
from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.fullest import fullest_case
from pyaclnn.selftest.runner import as_tuple, place_inputs, place_outputs
from pyaclnn.selftest.suites import GRADIENTS, SUITES

SUITE: dict[str, Suite] = {suite.operator: suite for suite in SUITES}
#: Those whose refusals and derivatives are listed one by one; rows of the table say theirs.
GRADIENT: dict[str, Suite] = {suite.operator: suite for suite in GRADIENTS}


class Call:
    """Right arguments by name, to be changed one at a time; what is defined of the outputs."""

    def __init__(
        self, operator: str, inputs: dict[str, Any], outputs: dict[str, Any], defined: list[bool]
    ) -> None:
        self.operator = operator
        self.inputs = inputs
        self.outputs = outputs
        self.defined = defined

    def code(self, changed: Mapping[str, Any]) -> int:
        """Return the status with some arguments changed; 0 for success."""
        inputs = [changed.get(name, value) for name, value in self.inputs.items()]
        outputs = tuple(changed.get(name, value) for name, value in self.outputs.items())
        # An operator that writes its operands has no others.
        out = outputs[0] if len(outputs) == 1 else outputs if outputs else None
        return calls.code(self.operator, *inputs, out=out)

    def each_changed(self, change: Callable[[pa.Tensor], pa.Tensor]) -> dict[str, Any]:
        """Return every tensor changed, outputs too; of a list the first."""
        found: dict[str, Any] = {}
        for name, value in {**self.inputs, **self.outputs}.items():
            if isinstance(value, pa.Tensor):
                found[name] = change(value)
            elif isinstance(value, list) and isinstance(value[0], pa.Tensor):
                found[name] = [change(value[0]), *value[1:]]
        return found


@functools.cache
def fullest(operator: str) -> Call:
    """Return the call of the case that has most inputs, outputs and dimensions."""
    suite = SUITE[operator]
    # Of an operator that takes large tensors alone, the first.
    first = iter(suite.cases(suite.dtypes[0], np.random.default_rng(0)))
    case = fullest_case(suite) or next(first)
    spec = pa.ops[operator].spec
    placed = place_inputs(case)
    inputs = {a.name: v for a, v in zip(spec.inputs, placed, strict=True)}
    # Some cannot know how large their result is.
    out = None if rules_of(spec.c_name) or not spec.outputs else place_outputs(case, placed)
    if has_data_dependent_shapes(spec.c_name):
        # Room for all there may be: what the call allocates it returns without.
        out = pa.ops[operator].prepare_outputs(tuple(placed), None, pa.current_stream())
    try:
        results = as_tuple(pa.ops[operator](*placed, out=out))
    except ValueError:  # Of one of several dtypes, which the case names.
        results = as_tuple(pa.ops[operator](*placed, out=place_outputs(case, placed)))
    # What an operator in place returns is among its inputs.
    outputs = (
        {a.name: v for a, v in zip(spec.outputs, results, strict=True)} if spec.outputs else {}
    )
    return Call(operator, inputs, outputs, [golden is not None for golden in case.golden])
