"""Whether a tensor that ends is alone in referring to its buffer, which is then taken over."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

#: Says how many references there are to an object; 0 where it does not know them all: in a Python
#: that does not count them (PyPy), or in which other threads go on meanwhile (free-threaded).
references: Callable[[object], int] = (
    sys.getrefcount
    if hasattr(sys, "getrefcount") and getattr(sys, "_is_gil_enabled", lambda: True)()
    else lambda _: 0
)


def find_count_when_alone(tensor_type: Any, use: Callable[[int], None]) -> None:
    """Find out what `references` says, in a tensor's finalizer, of a buffer that nobody else has.

    It depends on the release of Python, which may count variables or not. So it is tried.

    Parameters
    ----------
    tensor_type : type
        Its finalizer sets ``_buffer`` to None if it takes the buffer for its own.
    use : callable
        Says which count the finalizer shall go by. The last one used is the right one, or -1.
    """
    for count in range(1, 6):
        use(count)
        if _gives_up(tensor_type, shared=False) and not _gives_up(tensor_type, shared=True):
            return
    use(-1)


def _gives_up(tensor_type: Any, *, shared: bool) -> bool:
    buffer = SimpleNamespace(block=SimpleNamespace(left=None, bin=[]), _others=None)
    tensor = object.__new__(tensor_type)
    tensor._form = tensor._handle = object()
    tensor._buffer = buffer
    keep = [buffer] if shared else []
    del buffer
    tensor.__del__()
    keep.clear()
    return tensor._buffer is None
