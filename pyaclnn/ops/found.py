"""Operators whose kernels find the shapes of their outputs."""

from __future__ import annotations

from collections.abc import Iterable

from pyaclnn.ops.rules import FOUND
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.trimmed import describe_anew


def make_room(c_name: str, outputs: Iterable[Tensor | None]) -> None:
    """Give each output an aclTensor of its own, where the operator will change its shape."""
    if c_name in FOUND:
        for output in outputs:
            if output is not None:
                describe_anew(output)
