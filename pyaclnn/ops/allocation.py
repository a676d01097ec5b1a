"""Allocation of the outputs that a caller does not pass."""

from __future__ import annotations

from pyaclnn.ops.rules.common import Descriptions
from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor, empty


def allocated(described: Descriptions, stream: Stream) -> Tensor | list[Tensor] | None:
    """Allocate the tensor of a description, or a list of them; None has no output."""
    if described is None:
        return None
    if isinstance(described, list):
        return [empty(*each, stream=stream) for each in described]
    return empty(*described, stream=stream)
