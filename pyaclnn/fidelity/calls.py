"""One call, and everything that is recorded of it."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn import abi
from pyaclnn.abi import ffi
from pyaclnn.ops import data_dependent, two_phase
from pyaclnn.ops.checks import tensors_of
from pyaclnn.ops.rules import has_data_dependent_shapes
from pyaclnn.selftest.runner import as_tuple

#: Bytes of an output that are kept; of a larger one the beginning, and a digest of all.
KEPT = 16_384
_CODE = re.compile(r"\b[A-Z]{2}\d{4}\b")

Observation = dict[str, Any]


def observe(
    operator: pa.Operator, inputs: tuple[Any, ...], out: Any, *, run: bool, changed: Any = None
) -> Observation:
    """Make a call phase by phase.

    Parameters
    ----------
    operator : Operator
        Which.
    inputs, out
        As for the call in Python.
    run : bool
        Whether the second phase runs where the first accepts the arguments.
    changed : (str, object), optional
        An argument that replaces the valid one, by its name in Python.

    Returns
    -------
    dict
        ``status`` of the phases, ``message`` (the code in CANN's text), ``workspace``, ``outputs``;
        or ``python``, where Python refused the arguments.
    """
    stream = pa.current_stream()
    try:
        outputs = operator.prepare_outputs(inputs, out, stream)
        data_dependent.use_own_descriptors(operator.c_name, outputs)
        values = operator.in_c_order(inputs, outputs)
        if changed is not None:
            names = [argument.name for argument in operator.spec.arguments]
            at = names.index(changed[0])
            values = (*values[:at], changed[1], *values[at + 1 :])
        keep: list[object] = []
        c_arguments = operator.convert(values, keep)
        phase1, phase2 = operator.resolve()
    except pa.AclError as error:
        return {"status": [error.code], "message": _message_code(str(error))}
    except (TypeError, ValueError) as error:
        return {"python": type(error).__name__}
    abi.recent_message()
    cells = two_phase.new_out_parameters(phase1)
    status = int(phase1(*c_arguments, *cells))
    if status:
        return {"status": [status], "message": _message_code(abi.recent_message())}
    seen: Observation = {"status": [0], "workspace": int(cells[0][0])}
    try:
        if run:
            seen["status"] += _run(phase2, cells, stream)
    finally:
        two_phase.destroy(cells)
    if seen["status"][-1]:
        seen["message"] = _message_code(abi.recent_message())
    elif run:
        results = as_tuple(operator.result(values))
        seen["outputs"] = [_described(operator, tensor) for tensor in tensors_of(results)]
    return seen


def _run(phase2: Any, cells: Any, stream: pa.Stream) -> list[int]:
    """Return the status of the second phase and, if that is 0, of waiting for it."""
    with stream.lock:
        workspace = stream.workspace(cells[0][0])
        executor, cells[1][0] = cells[1][0], ffi.NULL
        status = int(phase2(workspace, cells[0][0], executor, stream.handle))
    if status:
        return [status]
    try:
        stream.sync()
    except pa.AclError as error:
        return [0, error.code]
    return [0, 0]


def _described(operator: pa.Operator, tensor: pa.Tensor) -> dict[str, Any]:
    if has_data_dependent_shapes(operator.c_name):
        tensor = pa.filled_part(tensor)
    values = np.ascontiguousarray(tensor.numpy())
    raw = values.tobytes()
    return {
        "shape": list(tensor.shape),
        "dtype": values.dtype.name,
        "digest": hashlib.sha256(raw).hexdigest()[:16],
        "bits": base64.b64encode(raw[:KEPT]).decode("ascii"),
    }


def _message_code(text: str) -> str:
    code = _CODE.search(text)
    return code[0] if code else ""
