"""Run suites against the backend in use."""

from __future__ import annotations

import itertools
import re
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.ops.checks import tensors_of
from pyaclnn.selftest.acceptance import Comparison, compare
from pyaclnn.selftest.cases import Array, Case, Operand, Stored, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, has_operator, soc_name
from pyaclnn.selftest.layouts import in_blocks, in_fractals, place
from pyaclnn.tensor.formats import with_format
from pyaclnn.tensor.views import contiguous_strides

#: Quick mode takes every n-th case, up to a limit.
QUICK_STEP = 7
_QUICK_MOST = 8
#: The simulated chip of suites that name none.
_OWN_CHIP = "Ascend910B1"
#: The simulator's message for a missing kernel, where it does not name the chip.
_NO_KERNEL = re.compile(r"\bno (?:such )?kernel\b")
#: CANN's messages for a kernel that a chip lacks, or lacks for a dtype.
_NOT_ON_CHIP = re.compile(r"\b(not|un)[ -]?(implement|support)", re.IGNORECASE)


@dataclass(slots=True)
class Failure:
    """One case that did not pass."""

    case: str
    dtype: str
    reason: str


@dataclass(slots=True)
class Outcome:
    """The outcome of one operator, or of the misuse checks.

    Attributes
    ----------
    name : str
        The operator.
    cases : int
        How many ran.
    dtypes : list of str
        Which were tried.
    worst : Comparison or None
        The comparison closest to its limit, and in which dtype.
    failures : list of Failure
        Empty when all passed.
    skipped : str
        Why nothing ran, or empty.
    chip : str
        Where it ran, if not on the chip of this process.
    refused : dict
        dtype -> CANN's words, where a device says that its chip does not have the kernel.
    """

    name: str
    cases: int = 0
    dtypes: list[str] = field(default_factory=list)
    worst: Comparison | None = None
    worst_dtype: str = ""
    failures: list[Failure] = field(default_factory=list)
    skipped: str = ""
    chip: str = ""
    seconds: float = 0.0
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """``pass``, ``FAIL`` or ``skipped``."""
        if self.failures:
            return "FAIL"
        return "skipped" if self.skipped else "pass"


def run_suite(
    suite: Suite,
    *,
    seed: int = 0,
    dtypes: Iterable[str] | None = None,
    quick: bool = False,
    label: str | None = None,
    progress: Callable[[str, int], None] = lambda name, cases: None,
) -> Outcome:
    """Run all cases of one operator.

    Parameters
    ----------
    suite : Suite
        What to run.
    seed : int
        Of the random values.
    dtypes : iterable of str, optional
        Only these.
    quick : bool
        Every seventh case only, eight of them at most, in one type of each operator.
    label : str, optional
        Only the cases of this label, with the values that they have in a full run.
    progress : callable
        Called with the operator's name and the cases done so far.
    """
    started = time.perf_counter()
    outcome = Outcome(suite.operator)
    operator = pa.ops[suite.operator]
    if not operator.available or not has_operator(operator.c_name):
        outcome.skipped = "not in this CANN"
        return outcome
    if suite.ranks > 1:
        outcome.skipped = f"takes {suite.ranks} ranks at least, and this is one"
        return outcome
    for dtype in _tried(suite, dtypes, seed if quick else None):
        # A seed for each operator and dtype: --op and --dtype repeat a full run's values.
        rng = np.random.default_rng([seed, zlib.crc32(f"{suite.operator} {dtype}".encode())])
        before = outcome.cases
        most = QUICK_STEP * _QUICK_MOST if quick else None
        for number, case in enumerate(itertools.islice(suite.cases(dtype, rng), most)):
            if (quick and number % QUICK_STEP) or label not in (None, case.label):
                continue
            _run_and_note(operator, suite, case, dtype, outcome)
            if dtype in outcome.refused:
                break
            progress(suite.operator, outcome.cases)
        if outcome.cases > before:
            outcome.dtypes.append(dtype)
    if outcome.refused and not outcome.cases:
        outcome.skipped = f"not on this chip, says CANN: {next(iter(outcome.refused.values()))}"
    elif not outcome.dtypes and label is not None:
        outcome.skipped = f"no case has the label {label!r}"
    elif not outcome.dtypes:
        outcome.skipped = (
            f"not on {soc_name()} with CANN {pa.backend.version}"
            if dtypes is None
            else f"none of the dtypes asked for, on {soc_name()} with CANN {pa.backend.version}"
        )
    outcome.seconds = time.perf_counter() - started
    return outcome


def _tried(suite: Suite, asked: Iterable[str] | None, turn: int | None) -> list[str]:
    """Return the types to try: all, or where there is a turn that whose turn it is.

    References take more time than calls, and are computed for skipped cases as well.
    """
    found = [d for d in suite.dtypes if d != "bfloat16" or has_bfloat16()]
    if asked is not None:
        return [d for d in found if d in set(asked)]
    if turn is None or not found:
        return found
    return [found[(zlib.crc32(suite.operator.encode()) + turn) % len(found)]]


def _run_and_note(
    operator: Any, suite: Suite, case: Case, dtype: str, outcome: Outcome
) -> None:  # fmt: skip
    try:
        results = list(run_case(operator, case))
    except pa.AclError as error:
        if _is_refused_by_chip(error, suite):
            outcome.refused[dtype] = error.message.strip().splitlines()[0]
            return
        outcome.cases += 1
        outcome.failures.append(Failure(case.label, dtype, str(error)))
        return
    outcome.cases += 1
    for result in results:
        if not result.passed:
            outcome.failures.append(Failure(case.label, dtype, result.reason))
        if outcome.worst is None or result.ratio > outcome.worst.ratio:
            outcome.worst, outcome.worst_dtype = result, dtype


def _is_refused_by_chip(error: pa.AclError, suite: Suite) -> bool:
    """Whether a device says that it has no such kernel.

    Of the simulator that is a failure on the chip that the suites are written for, which has all
    that they ask for.
    """
    if not error.message:
        return False
    if pa.backend.name == "simulator":
        if soc_name() in (_OWN_CHIP, suite.chip):
            return False
        return soc_name() in error.message or _NO_KERNEL.search(error.message) is not None
    is_refusal = isinstance(error, (ValueError, NotImplementedError))
    return is_refusal and _NOT_ON_CHIP.search(error.message) is not None


def run_case(operator: Any, case: Case) -> Iterator[Comparison]:
    """Run one case; yields a comparison for each output."""
    inputs = place_inputs(case)
    if case.out_layouts or case.out_dtypes:
        results = operator(*inputs, out=place_outputs(case, inputs))
    else:
        results = operator(*inputs)
    yield from compare_results(results, case.golden)
    for position, golden in case.written:
        yield compare(inputs[position].numpy(), golden)


def compare_results(results: Any, goldens: tuple[Any, ...]) -> Iterator[Comparison]:
    """Compare what an operator returned with its references, as in `Case`."""
    for result, golden in zip(as_tuple(results), goldens, strict=True):
        if isinstance(golden, list):
            yield from (compare(r.numpy(), g) for r, g in zip(result, golden, strict=True))
        elif golden is not None and golden is not False:
            # Of an output whose shape depends on data, the part that was filled.
            found = result if result.shape == golden.shape else pa.filled_part(result)
            yield compare(found.numpy(), golden)


def place_inputs(case: Case) -> list[Any]:
    """Return the arguments of the Python call, tensors on the device."""
    return [_placed(value) for value in case.inputs]


def _placed(value: Any) -> Any:
    if isinstance(value, Operand) and value.format in ("FRACTAL_NZ", "FRACTAL_Z_3D"):
        blocks = (in_blocks if value.format == "FRACTAL_NZ" else in_fractals)(value.values)
        shape = value.values.shape
        memory = place(blocks, "contiguous")
        tensor = pa.Tensor(memory.buffer, shape, memory.dtype)
        strides = contiguous_strides(shape)
        if value.layout == "transposed":
            shape, strides = (*shape[:-2], *shape[:-3:-1]), (*strides[:-2], *strides[:-3:-1])
            tensor = tensor.mT
        return with_format(tensor, value.format, shape=shape, strides=strides,
                           storage_shape=blocks.shape)  # fmt: skip
    if isinstance(value, Operand):
        return _formatted(place(value.values, value.layout), value.format)
    if isinstance(value, list):
        return [_placed(item) for item in value]
    return value


def _formatted(tensor: pa.Tensor, name: str) -> pa.Tensor:
    if not name:
        return tensor
    elements = tensor.buffer.nbytes // tensor.dtype.itemsize
    storage = tensor.shape if "C0" in name or "FRACTAL" in name else (elements,)
    return with_format(tensor, name, storage_shape=storage)


def place_outputs(case: Case, inputs: list[Any]) -> tuple[Any, ...]:
    """Return the outputs that a case passes."""
    count = len(case.golden)
    layouts = case.out_layouts or ("contiguous",) * count
    dtypes = [numpy_dtype(name) for name in case.out_dtypes] or [
        next(tensors_of(inputs)).dtype
    ] * count

    def output(golden: Any, layout: str, dtype: np.dtype[Any], stored: Stored | None) -> Any:
        if golden is None or golden is False:
            return golden
        if isinstance(golden, list):
            return [output(each, layout, dtype, stored) for each in golden]
        tensor = place(_poison(golden, dtype), layout)
        if stored is None:
            return _formatted(tensor, case.out_format)
        return with_format(tensor, stored.format, shape=stored.shape, strides=stored.strides,
                           storage_shape=golden.shape)  # fmt: skip

    stored = case.out_stored or (None,) * count
    return tuple(map(output, case.golden, layouts, dtypes, stored))


def _poison(golden: Array, dtype: np.dtype[Any]) -> Array:
    """Return an output's values before the call: a kernel that writes nothing must not pass."""
    return np.full(golden.shape, 99, dtype=dtype)


def as_tuple(results: Any) -> tuple[Any, ...]:
    """Return an operator's results as a tuple of tensors and lists of them."""
    return results if isinstance(results, tuple) else (results,)
