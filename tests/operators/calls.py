"""Calls whose status is looked at, and what they are made with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

#: Statuses of the two phases, by what they are most often about.
NULL, INVALID = 161001, 161002
RUNTIME = 361001
TILING, NO_KERNEL, INNER_NULL = 561002, 561003, 561103
#: A result that cannot be copied to its output is an inner null, too.
VIEW_COPY = INNER_NULL


def ones(*shape: int, dtype: str = "float32") -> pa.Tensor:
    """Return a tensor of ones."""
    return pa.ones(shape, dtype)


def powers(*shape: int) -> pa.Tensor:
    """Return a tensor of exponents of 0, as scales of groups are."""
    return ones(*shape, dtype="float8_e8m0fnu")


def hifloat8(*shape: int) -> pa.Tensor:
    """Return a tensor of zeros of a type that is none in Python."""
    return with_format(pa.zeros(shape, "uint8"), "ND", shape=shape, dtype="hifloat8")


def device(values: Any, dtype: str = "float32") -> pa.Tensor:
    """Return a tensor of these values."""
    return pa.asarray(np.asarray(values).astype(dtype))


def code_of(call: Callable[..., Any], *arguments: Any, **named: Any) -> int:
    """Return the status of a call, 0 for success."""
    try:
        call(*arguments, **named)
    except pa.AclError as error:
        return error.code
    return 0


def code(operator: str, *arguments: Any, **named: Any) -> int:
    """Return the status a call is refused with; 0 if it is not."""
    return code_of(pa.ops[operator], *arguments, **named)


def code_with(operator: str, right: Mapping[str, Any], **changes: Any) -> int:
    """Return the status of a right call with some arguments changed, outputs too."""
    arguments = {**right, **changes}
    outputs = [a.name for a in pa.ops[operator].spec.outputs]
    if "out" not in arguments and any(name in arguments for name in outputs):
        out = tuple(arguments.pop(name, None) for name in outputs)
        arguments["out"] = out[0] if len(out) == 1 else out
    return code(operator, **arguments)
