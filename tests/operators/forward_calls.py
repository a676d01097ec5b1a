"""Right calls of forward operators by name, to be spoilt one argument at a time."""

from __future__ import annotations

from typing import Any

import pyaclnn as pa

NULL, INVALID, INNER_NULL, TILING, RUNTIME = 161001, 161002, 561103, 561002, 361001
NO_KERNEL = 561003


def ones(*shape: int, dtype: str = "float32") -> pa.Tensor:
    return pa.ones(shape, dtype)


def code(operator: str, right: dict[str, Any], **changed: Any) -> int:
    """Return the status of a call with some arguments changed, outputs too; 0 for success."""
    arguments = {**right, **changed}
    spec = pa.ops[operator].spec
    out = tuple(arguments.pop(a.name, None) for a in spec.outputs)
    try:
        pa.ops[operator](**arguments, out=out[0] if len(out) == 1 else out or None)
    except pa.AclError as error:
        return error.code
    return 0
