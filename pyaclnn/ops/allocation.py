"""Outputs that the caller left out."""

from __future__ import annotations

from pyaclnn.ops.rules.common import Descriptions
from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor, empty


def allocated(described: Descriptions, stream: Stream) -> Tensor | list[Tensor] | None:
    """Allocate a tensor as described, one for each of a list, or none."""
    if described is None:
        return None
    if isinstance(described, list):
        return [empty(*each, stream=stream) for each in described]
    return empty(*described, stream=stream)
