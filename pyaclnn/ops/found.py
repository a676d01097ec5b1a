"""Operators whose output shapes depend on data: the kernel determines them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pyaclnn.ops.rules import finds_shapes
from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.trimmed import as_found, describe_anew


def make_room(c_name: str, outputs: Iterable[Tensor | None]) -> None:
    """Give each output a private aclTensor, as the operator will change its shape."""
    if finds_shapes(c_name):
        for output in outputs:
            if output is not None:
                describe_anew(output)


def in_their_shapes(c_name: str, result: Any, stream: Stream) -> Any:
    """Wait for the call, and return its outputs in the shapes that the kernel determined.

    A call that a graph records finds nothing yet: its outputs keep room for everything.
    """
    if not finds_shapes(c_name) or stream.graph is not None:
        return result
    stream.sync()
    return tuple(map(as_found, result)) if result.__class__ is tuple else as_found(result)
