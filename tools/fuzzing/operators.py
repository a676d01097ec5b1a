"""Operators through the raw C API: right calls, mutated in one to four places."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import pyaclnn as pa
from fuzzing.choice import Choice
from fuzzing.described import Built, Data, TooLargeError, describe
from fuzzing.mutations import mutate
from pyaclnn.abi import ffi, lib
from pyaclnn.ops.rules import has_data_dependent_shapes
from pyaclnn.selftest.cases import Case
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.runner import as_tuple, place_inputs, place_outputs
from pyaclnn.selftest.suites import SUITES
from pyaclnn.sim import control

#: Right calls of each operator and dtype.
_KEPT = 12
_LOOKED_AT = 48

#: Statuses that a wrong call may have; others are findings. The families of aclnn, what the stream
#: answers where a task has failed, and -1 of SparseFlashAttention.
_STATUSES = {-1, 161001, 161002, 200000, 207001, 361001, 507014, 507015, 507018,
             *range(561000, 562000)}  # fmt: skip

#: They write all of the storage behind a view: blocks of a private format.
_OF_STORAGE = {"aclnnTransMatmulWeight"}

_TRIALS = Choice(
    [
        (suite, dtype)
        for suite in SUITES
        for dtype in suite.dtypes
        if suite.ranks == 1 and not suite.chip
    ],
    lambda trial: f"{trial[0].operator} {trial[1]}",
)
#: Those that were made, and what makes more.
_seeds: dict[tuple[str, str], tuple[list[Data], Iterator[Data]]] = {}


def _right_calls(suite: Any, dtype: str) -> Iterator[Data]:
    operator = pa.ops[suite.operator]
    if not operator.available:
        return
    rng = np.random.default_rng(1)
    for case in itertools.islice(suite.cases(dtype, rng), _LOOKED_AT):
        call = _right_call(operator, case)
        if call is not None:
            yield call


def _right_call(operator: pa.Operator, case: Case) -> Data | None:
    """Return a case as a call; nothing where it is refused, or too large."""
    spec = operator.spec
    inputs = tuple(place_inputs(case))
    try:
        given = spec.outputs and (case.out_layouts or case.out_dtypes)
        out = place_outputs(case, list(inputs)) if given else None
        if has_data_dependent_shapes(spec.c_name):
            out = operator.prepare_outputs(inputs, None, pa.current_stream())
        results = as_tuple(operator(*inputs, out=out))
    except (pa.AclError, ValueError, TypeError):
        return None
    outputs = results if spec.outputs else ()
    values = operator.in_c_order(inputs, outputs)
    try:
        arguments = [
            describe(spec.c_name, a, c, v)
            for a, c, v in zip(spec.arguments, operator._converters, values, strict=True)
        ]
    except TooLargeError:
        return None
    return {"operator": spec.c_name, "arguments": arguments}


def right_calls(suite: Any, dtype: str, most: int = _KEPT) -> list[Data]:
    """Return the first right calls of an operator."""
    key = (suite.operator, dtype)
    if key not in _seeds:
        _seeds[key] = [], _right_calls(suite, dtype)
    made, more = _seeds[key]
    made += itertools.islice(more, max(0, most - len(made)))
    if len(made) == _KEPT:
        _seeds[key] = made, iter(())  # what would make more has arrays of its own
    return made[:most]


def make(random_numbers: random.Random) -> Data | None:
    """Return a case, or nothing where the operator has no small calls on this chip."""
    suite, dtype = _TRIALS.draw(random_numbers)
    if dtype == "bfloat16" and not has_bfloat16():
        return None
    # Mostly one of the first: those before it are made for it.
    number = int(_KEPT * random_numbers.random() ** 2)
    calls = right_calls(suite, dtype, number + 1)
    if not calls:
        return None
    call = mutate(calls[number % len(calls)], random_numbers)
    call["margin"] = random_numbers.choice([0, 64])
    return call


def run(case: Data) -> str:
    """Run a case; say what is wrong with what came of it, or nothing."""
    stream = pa.current_stream()
    before = control.count("total")
    name = case["operator"]
    built = Built(case["arguments"], case.get("margin", 64))
    size, executor = ffi.new("uint64_t *"), ffi.new("aclOpExecutor **")
    finding = ""
    try:
        status = getattr(lib, name + "GetWorkspaceSize")(*built.values, size, executor)
        if status == 0:
            status = execute(name, size[0], executor[0], ffi.cast("void *", stream.handle))
        if status not in (0, *_STATUSES):
            finding = f"status {status}"
        lib.aclGetRecentErrMsg()
        if name not in _OF_STORAGE:
            finding = finding or built.stray_writes()
    except (OverflowError, TypeError):
        pass  # not a value of the parameter's type: the call was not made
    finally:
        built.close()
    leaked = control.count("total") - before
    return finding or (f"{leaked} handles or blocks are left" if leaked else "")


def execute(name: str, size: int, executor: Any, stream: Any) -> int:
    """Run the second phase and wait; return the status."""
    workspace = ffi.new("void **")
    if size:
        status = int(lib.aclrtMalloc(workspace, size, 0))
        if status:
            pa.check(lib.aclDestroyAclOpExecutor(executor))
            return status
    status = int(getattr(lib, name)(workspace[0], size, executor, stream))
    status = int(lib.aclrtSynchronizeStream(stream)) or status
    if size:
        pa.check(lib.aclrtFree(workspace[0]))
    return status
