"""The memory limit of a translation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: With the interpreter itself, less than 1 GiB.
MAX_MEMORY = 900 << 20


@contextmanager
def limited_memory() -> Iterator[None]:
    """Make allocations fail that exceed the memory of the process by more than `MAX_MEMORY`.

    Only on Linux; elsewhere only single arrays are limited.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    wanted = pages * resource.getpagesize() + MAX_MEMORY
    if soft != resource.RLIM_INFINITY:
        wanted = min(wanted, soft)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
