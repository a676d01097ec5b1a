"""An example of each simulated operator, made from a case of selftest, with what it prints."""

from __future__ import annotations

import contextlib
import io
import itertools
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.collective import Communicator
from pyaclnn.ops.spec import Argument
from pyaclnn.selftest.cases import Case, Operand, Suite

#: Most elements of a tensor that a reader wants to see; most that are tried, of which floating
#: ones are drawn at random then; how many cases are looked at, and how many that fit are enough.
LARGEST, LIMIT, TRIED, ENOUGH = 24, 2000, 40, 12

#: The name of a communicator, of one rank.
_GROUP = "group"
_HEAD = "import numpy as np\nimport pyaclnn as pa\n"


class NoExampleError(Exception):
    """No case of an operator fits a page."""


def example(suite: Suite) -> tuple[str, str]:
    """Return a short program that calls an operator, and what it prints.

    Parameters
    ----------
    suite : Suite
        Whose cases are looked through for one of few elements.

    Raises
    ------
    NoExampleError
        No case is small, or the chip of this process does not have the operator.
    """
    program = written(suite, _small_case(suite))
    return program, printed(program)


def printed(program: str) -> str:
    """Return what a program prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), np.printoptions(precision=4, suppress=True):
        exec(compile(program, "<example>", "exec"), {})
    return output.getvalue()


def _small_case(suite: Suite) -> Case:
    if suite.chip:
        raise NoExampleError(f"only {suite.chip} has {suite.operator}")
    # The same case for the same operator each time; floats before others, as most readers expect.
    rng = np.random.default_rng(zlib.crc32(suite.operator.encode()))
    order = sorted(suite.dtypes, key=lambda d: (d != "float32", d == "bfloat16"))
    seen: list[Case] = []
    for dtype in order[:3]:
        fitting = []
        for case in itertools.islice(suite.cases(dtype, rng), TRIED):
            if not _plain(case) or _size(case) == 0 or _transposed(case):
                continue
            if _size(case) > LARGEST:
                seen.append(case)
                continue
            fitting.append(case)
            if len(fitting) == ENOUGH:
                break
        if fitting:
            return max(fitting, key=lambda case: (_usual(case), _ranks(case), _size(case)))
    small = [case for case in seen if _size(case) <= LIMIT]
    if small:
        return min(small, key=lambda case: (not _usual(case), _size(case)))
    raise NoExampleError(f"{suite.operator}: no case has at most {LIMIT} elements")


def _ranks(case: Case) -> bool:
    return all(operand.values.ndim for operand in _operands(case))


def _operands(case: Case) -> list[Operand]:
    found: list[Operand] = []
    for value in case.inputs:
        found += [
            v for v in (value if isinstance(value, list) else [value]) if isinstance(v, Operand)
        ]
    return found


def _arrays(case: Case) -> list[Any]:
    arrays: list[Any] = [operand.values for operand in _operands(case)]
    for golden in case.golden:
        arrays += golden if isinstance(golden, list) else [golden]
    return [array for array in arrays if array is not None and array is not False]


def _size(case: Case) -> int:
    return max((np.asarray(array).size for array in _arrays(case)), default=0)


def _plain(case: Case) -> bool:
    formats = any(operand.format for operand in _operands(case))
    finite = all(
        np.isfinite(a.values).all() for a in _operands(case) if a.values.dtype.kind in "fc"
    )
    return not (formats or case.out_format) and finite


def _transposed(case: Case) -> bool:
    """Whether a program that makes contiguous tensors could call something else, or be refused."""
    return any(operand.layout == "transposed" for operand in _operands(case))


def _usual(case: Case) -> bool:
    complete = all(golden is not None for golden in case.golden)
    return (
        complete and not case.out_layouts and all(o.layout == "contiguous" for o in _operands(case))
    )


def _array(values: np.ndarray[Any, Any]) -> str:
    """Return a tensor as an expression; floats have three digits, the rest stays exact."""
    kind, name = values.dtype.kind, values.dtype.name
    if values.size > LARGEST and kind in "fV":
        # Variances, probabilities and the like stay positive.
        draw = "random" if float(values.min()) >= 0 else "standard_normal"
        return f"pa.asarray(rng.{draw}({values.shape}, 'float32'), {name!r})"
    listed = np.round(values.astype(np.float64), 3) if kind in "fV" else values
    text = np.array2string(listed + 0 if kind != "b" else listed, separator=", ", threshold=LIMIT)
    if "\n" in text:
        lines = (line for line in text.splitlines() if line)
        text = "\n    " + "\n    ".join(lines)
    if values.size == 0:
        return f"pa.empty({values.shape}, {name!r})"
    if name in ("float64", "int64", "bool") and values.ndim:
        return f"pa.asarray(np.array({text}))"
    if name not in np.sctypeDict:
        return f"pa.asarray(np.array({text}, pa.tensor.as_dtype({name!r})))"
    return f"pa.asarray(np.array({text}, {name!r}))"


def _value(value: Any) -> str:
    if isinstance(value, Operand):
        return _array(value.values)
    if isinstance(value, list | tuple):
        inner = ", ".join(_value(v) for v in value)
        comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{comma})"
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, np.dtype):
        return repr(value.name)
    return _GROUP if isinstance(value, Communicator) else repr(value)


def written(suite: Suite, case: Case) -> str:
    """Return a case as a program."""
    operator = pa.ops[suite.operator]
    lines, arguments = [], []
    for argument, value in zip(operator.spec.inputs, case.inputs, strict=False):
        tensors = isinstance(value, Operand) or (
            isinstance(value, list) and value and isinstance(value[0], Operand)
        )
        if tensors:
            lines.append(f"{argument.name} = {_value(value)}")
            arguments.append(argument.name)
        else:
            arguments.append(_value(value))
    names = _names(operator.spec.outputs, operator.spec.inputs)
    if (case.out_layouts or case.out_dtypes) and operator.spec.outputs:
        first = next((o.values.dtype.name for o in _operands(case)), "float32")
        types = case.out_dtypes or (first,) * len(case.golden)
        out = [_out(golden, dtype) for golden, dtype in zip(case.golden, types, strict=True)]
        arguments.append(f"out={out[0]}" if len(out) == 1 else f"out=({', '.join(out)})")
    call = f"pa.ops.{operator.name}({', '.join(arguments)})"
    lines.append(f"{', '.join(names)} = {call}" if names else call)
    shown = names or [a.name for a in operator.spec.inputs if a.in_place]
    for name, golden in zip(shown, case.golden, strict=False):
        if isinstance(golden, list):
            lines.append(f"print([tensor.numpy() for tensor in {name}])")
        elif golden is not None and golden is not False:
            lines.append(f"print({name}.numpy())" if golden.size <= LARGEST else f"print({name})")
    if any("rng." in line for line in lines):
        lines.insert(0, "rng = np.random.default_rng(0)")
    if _GROUP in arguments:
        lines.insert(0, f"({_GROUP},) = pa.collective.Communicator.all_devices()")
    return _HEAD + "\n" + "\n".join(lines) + "\n"


def _names(outputs: Sequence[Argument], inputs: Sequence[Argument]) -> list[str]:
    taken = {argument.name for argument in inputs}
    return [o.name + "_" if o.name in taken else o.name for o in outputs]


def _out(golden: Any, dtype: str) -> str:
    if golden is None or golden is False:
        return repr(golden)
    if isinstance(golden, list):
        return "[" + ", ".join(_out(g, dtype) for g in golden) + "]"
    return f"pa.empty({np.asarray(golden).shape}, {dtype!r})"
