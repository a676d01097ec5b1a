"""The units to try: cases of operators, calls with a changed argument, misuse, and streams."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.fidelity import streams
from pyaclnn.fidelity.calls import Observation, observe
from pyaclnn.fidelity.changes import changes
from pyaclnn.selftest import misuse
from pyaclnn.selftest.cases import Case, Suite
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.fullest import fullest_case
from pyaclnn.selftest.runner import QUICK_STEP, place_inputs, place_outputs
from pyaclnn.selftest.suites import SUITES

#: A key that is the same on both sides, and the function that makes the observation.
Item = tuple[str, Callable[[], Observation]]

_SUITES: dict[str, Suite] = {suite.operator: suite for suite in SUITES}
_MISUSES = {check.name: check for check in misuse.CHECKS}
MISUSE, STREAM = "misuse", "stream"


def all_units() -> list[str]:
    """Return the names of all units: operators, then ``misuse/...`` and ``stream/...``."""
    return [
        *_SUITES,
        *(f"{STREAM}/{name}" for name in streams.PROBES),
        *(f"{MISUSE}/{name}" for name in _MISUSES),
    ]


def items(unit: str, seed: int, quick: bool) -> Iterator[Item]:
    """Yield all that is tried of one unit.

    Parameters
    ----------
    unit : str
        One of `all_units`.
    seed : int
        Of the random values.
    quick : bool
        Every seventh case only.
    """
    kind, _, name = unit.partition("/")
    if kind == STREAM:
        yield unit, lambda: {"status": streams.PROBES[name]()}
    elif kind == MISUSE:
        check = _MISUSES[name]
        yield f"{unit}, wrong", lambda: _misused(check.wrong)
        yield f"{unit}, right", lambda: _misused(check.right)
    elif not pa.ops[unit].available:
        yield unit, lambda: {"absent": True}
    else:
        yield from _cases(_SUITES[unit], seed, quick)
        yield from _changed(_SUITES[unit])


def _misused(attempt: Callable[[], int]) -> Observation:
    status = attempt()
    pa.lib.aclGetRecentErrMsg()
    return {"status": [status]}


def _cases(suite: Suite, seed: int, quick: bool) -> Iterator[Item]:
    operator = pa.ops[suite.operator]
    for dtype in suite.dtypes:
        if dtype == "bfloat16" and not has_bfloat16():
            continue
        rng = np.random.default_rng([seed, zlib.crc32(f"{suite.operator} {dtype}".encode())])
        for number, case in enumerate(suite.cases(dtype, rng)):
            if not (quick and number % QUICK_STEP):
                key = f"{suite.operator}/{dtype}/{number}, {case.label}"
                yield key, _attempt(operator, case)


def _attempt(operator: pa.Operator, case: Case) -> Callable[[], Observation]:
    def attempt() -> Observation:
        inputs = place_inputs(case)
        given = case.out_layouts or case.out_dtypes
        seen = observe(
            operator, tuple(inputs), place_outputs(case, inputs) if given else None, run=True
        )
        # Values of outputs without a reference are not compared.
        for result, golden in zip(seen.get("outputs", ()), case.golden, strict=False):
            if golden is None and len(seen["outputs"]) == len(case.golden):
                result.update(digest="", bits="")
        return seen

    return attempt


def _changed(suite: Suite) -> Iterator[Item]:
    operator = pa.ops[suite.operator]
    case = fullest_case(suite)
    if case is None:
        return
    inputs = tuple(place_inputs(case))
    given = None
    try:
        outputs = operator.prepare_outputs(inputs, None, pa.current_stream())
    except (pa.AclError, TypeError, ValueError):
        given = place_outputs(case, list(inputs))
        outputs = given
    arguments = [*operator.spec.inputs, *operator.spec.outputs]
    values = {a.name: v for a, v in zip(arguments, (*inputs, *outputs), strict=True)}

    def changed_call(name: str, value: Any) -> Callable[[], Observation]:
        return lambda: observe(operator, inputs, given, run=False, changed=(name, value))

    for what, name, value in changes(values):
        yield f"{suite.operator}/changed: {what}", changed_call(name, value)
