"""Operators whose kernel determines the shapes of outputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pyaclnn.ops.rules import has_data_dependent_shapes
from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.data_dependent import read_filled_part, use_own_descriptor


def use_own_descriptors(c_name: str, outputs: Iterable[Tensor | None]) -> None:
    """Give each output a private aclTensor, whose shape the operator will change."""
    if has_data_dependent_shapes(c_name):
        for output in outputs:
            if output is not None:
                use_own_descriptor(output)


def in_actual_shapes(c_name: str, result: Any, stream: Stream) -> Any:
    """Wait for the call, and return its outputs in the shapes that the kernel determined.

    Recorded in a graph, the call does not run yet: its outputs keep the largest shape.
    """
    if not has_data_dependent_shapes(c_name) or stream.graph is not None:
        return result
    stream.sync()
    if result.__class__ is tuple:
        return tuple(map(read_filled_part, result))
    return read_filled_part(result)
