"""Functions of the simulator for tests, beyond CANN's interface. Needs the simulator backend."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyaclnn import abi
from pyaclnn.abi.paths import SIMULATOR_ROOT

_UNKNOWN = 2**64 - 1


def library() -> Any:
    """Return the raw surface, with the simulator's own functions."""
    abi.backend.ensure()
    if abi.backend.name != "simulator":
        raise RuntimeError(f"the backend in use is {abi.backend.name}, not the simulator")
    if abi.index.find("pyaclnnSimCount") is None:
        abi.add_headers(SIMULATOR_ROOT / "include" / "pyaclnn" / "sim.h")
    return abi.lib


def count(kind: str = "total") -> int:
    """Return the number of live objects of a kind, or live bytes.

    Parameters
    ----------
    kind : str
        ``total``, ``tensor``, ``executor``, ``stream``, ``device_bytes``, ...; see
        ``include/pyaclnn/sim.h``.

    Raises
    ------
    ValueError
        For an unknown kind.
    """
    number = int(library().pyaclnnSimCount(kind.encode()))
    if number == _UNKNOWN:
        raise ValueError(f"the simulator counts no {kind!r}")
    return number


def instructions() -> str:
    """Return the instructions that kernels use: ``amx``, ``avx512``, ``avx2`` or ``baseline``."""
    return str(abi.ffi.string(library().pyaclnnSimIsa()).decode())


def set_fault(plan: str = "") -> None:
    """Install a fault plan such as ``aclrtMalloc:3:207001``; an empty one removes it.

    Raises
    ------
    ValueError
        Where the simulator does not understand the plan.
    """
    if library().pyaclnnSimSetFault(plan.encode()):
        said = abi.ffi.string(library().aclGetRecentErrMsg()).decode(errors="replace")
        raise ValueError(f"not a fault plan: {plan!r}: {said.splitlines()[0]}")


@contextmanager
def fault(plan: str) -> Iterator[None]:
    """Install a fault plan for the length of a ``with`` block."""
    set_fault(plan)
    try:
        yield
    finally:
        set_fault("")


def version() -> str:
    """Return the simulator's version."""
    return str(abi.ffi.string(library().pyaclnnSimVersion()).decode())
