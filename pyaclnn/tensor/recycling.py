"""Whether anybody refers to a buffer that is kept, which else serves the next tensor."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

#: Whether all references to an object are known: not in a Python that does not count them (PyPy),
#: nor in one in which other threads go on meanwhile (free-threaded).
COUNTED = hasattr(sys, "getrefcount") and getattr(sys, "_is_gil_enabled", lambda: True)()

#: Says how many references there are to an object; 0 where that is not known.
references: Callable[[object], int] = sys.getrefcount if COUNTED else lambda _: 0


def find_count_when_alone(
    new_output: Callable[[Any, Any], Any], use: Callable[[int], None]
) -> None:
    """Find out what `references` says of a buffer that only a variable of a function refers to.

    It depends on the release of Python, which may count variables or not. So it is tried.

    Parameters
    ----------
    new_output : callable
        ``new_output(form, stream)``, which asks.
    use : callable
        Says which count it shall go by. The last one used is the right one, or -1.
    """
    for count in range(1, 6):
        use(count)
        if _takes(new_output, shared=False) and not _takes(new_output, shared=True):
            return
    use(-1)


def _takes(new_output: Callable[[Any, Any], Any], *, shared: bool) -> bool:
    buffer = SimpleNamespace(open_on=None, handle=None, times_in_use=0, _others=None)
    keep = [buffer] if shared else []
    # It has no memory for others.
    form = SimpleNamespace(kept=deque([buffer]), dtype=None, shape=None, bin=None)
    del buffer
    try:
        new_output(form, None)
    except AttributeError:
        return False
    finally:
        keep.clear()
    return True
