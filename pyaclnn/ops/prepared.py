"""The arguments of a call, prepared without making it: for recording, and for C++ samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyaclnn.ops.checks import tensors_of
from pyaclnn.runtime.copies import fill_with_byte

if TYPE_CHECKING:
    from pyaclnn.ops.operator import Operator
    from pyaclnn.runtime import Stream


def prepared(
    operator: Operator, inputs: tuple[Any, ...], out: Any, queue: Stream, named: dict[str, Any]
) -> tuple[Any, ...]:
    """Return the arguments of a call in C order, checked as far as Python checks them."""
    if named or len(inputs) != len(operator.spec.inputs):
        inputs, out = operator.bind(inputs, out, named)
    outputs = operator.prepare_outputs(inputs, out, queue)
    given = {id(tensor) for tensor in tensors_of([out])}
    for tensor in tensors_of(outputs):
        if id(tensor) not in given:
            # Undefined here, and zeros in the sample, which shall print the same.
            fill_with_byte(tensor.buffer, 0)
    values = operator.in_c_order(inputs, outputs)
    operator.convert(values, [])
    return values
