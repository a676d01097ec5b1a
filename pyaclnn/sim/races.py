"""Detection of missing synchronisation between streams, and between streams and the host.

It is that of ``PYACLNN_SIM_CHECK=races``, for tests; see ``docs/races.md``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from pyaclnn import abi
from pyaclnn.sim.control import library

_MODES = ("off", "warn", "error", "collect")


class RaceWarning(RuntimeWarning):
    """Two accesses to device memory that nothing orders."""


class Access(NamedTuple):
    """One side of a hazard.

    Attributes
    ----------
    operation : str
        The C function that asked for it, such as ``aclnnSeluBackward``.
    stream : int
        Where it runs, as ``aclrtStreamGetId`` numbers streams; 0 for the host.
    captured_on : int
        For work of a graph, the stream it was captured on; else 0.
    access : str
        ``reads``, ``writes`` or ``frees``.
    operand : str
        The parameter's name, or ``workspace``; empty for a block that is freed.
    tensor : str
        Such as ``float32[2, 3]``; empty where no tensor is known.
    begin, end : int
        The bytes it touches, counted from the start of the block.
    """

    operation: str
    stream: int
    captured_on: int
    access: str
    operand: str
    tensor: str
    begin: int
    end: int


class Hazard(NamedTuple):
    """Two accesses to the same bytes, of which one writes, that nothing orders.

    Attributes
    ----------
    kind : str
        ``read-after-write``, ``write-after-read``, ``write-after-write``, ``free-after-read`` or
        ``free-after-write``.
    earlier, later : Access
        In the order of submission.
    block : int
        Where the allocation begins.
    begin, end : int
        The bytes they share, counted from there; of views the stretch in which they do.
    times : int
        How often it was found.
    text : str
        A description of the hazard, with the synchronisation that is missing.
    """

    kind: str
    earlier: Access
    later: Access
    block: int
    begin: int
    end: int
    times: int
    text: str

    def __str__(self) -> str:
        return self.text


def hazards() -> list[Hazard]:
    """Return the different hazards found so far, in the order they were found.

    Accesses are compared at submission, so no wait is needed.
    """
    lib = library()
    found = []
    place = abi.ffi.new("pyaclnnSimHazard *")
    for index in range(lib.pyaclnnSimHazardCount()):
        if lib.pyaclnnSimGetHazard(index, place) == 0:
            found.append(
                Hazard(
                    _text(place.kind),
                    _access(place.earlier),
                    _access(place.later),
                    int(abi.ffi.cast("uintptr_t", place.block)),
                    place.begin,
                    place.end,
                    place.count,
                    _text(place.text),
                )
            )
    return found


def number_of(stream: Any) -> int:
    """Return the number by which hazards name a `pyaclnn.Stream`."""
    place = abi.ffi.new("int32_t *")
    abi.check(library().aclrtStreamGetId(stream.handle, place), "aclrtStreamGetId")
    return int(place[0])


def forget() -> None:
    """Forget the hazards found so far."""
    library().pyaclnnSimForgetHazards()


def mode() -> str:
    """Return how hazards are reported: ``off``, ``warn``, ``error`` or ``collect``."""
    return _text(library().pyaclnnSimRaces())


def set_mode(wanted: str = "") -> None:
    """Set how hazards are reported from now on.

    Parameters
    ----------
    wanted : str
        ``off``; ``warn``, tell of them on stderr; ``error``, 507015 of the later stream, or 507004
        of the host's call; ``collect``, keep them for :func:`hazards`. Empty is what
        ``PYACLNN_SIM_CHECK`` asks for.

    Raises
    ------
    ValueError
        For any other text.
    """
    if library().pyaclnnSimSetRaces(wanted.encode()):
        raise ValueError(f"the mode is {wanted!r}; it is one of {', '.join(_MODES)}")


@contextmanager
def search(wanted: str = "warn") -> Iterator[list[Hazard]]:
    """Look for missing synchronisation in a ``with`` block.

    Parameters
    ----------
    wanted : str
        ``warn``: a `RaceWarning` for each hazard when the block ends. ``error``: an error of the
        stream that comes later, or of the host's call. ``collect``: neither.

    Yields
    ------
    list of Hazard
        Filled when the block ends, also by an exception.

    Raises
    ------
    ValueError
        For any other mode.

    Examples
    --------
    >>> import pyaclnn as pa
    >>> from pyaclnn.sim import races
    >>> with races.search("collect") as found:
    ...     x = pa.ones(3)
    >>> found
    []
    """
    if wanted not in _MODES[1:]:
        raise ValueError(f"the mode is {wanted!r}; it is one of {', '.join(_MODES[1:])}")
    before = mode()
    counts = [hazard.times for hazard in hazards()]
    found: list[Hazard] = []
    set_mode("error" if wanted == "error" else "collect")
    try:
        yield found
    finally:
        set_mode(before)
        now = hazards()
        counts += [0] * (len(now) - len(counts))
        for hazard, earlier in zip(now, counts, strict=False):
            if hazard.times > earlier:
                found.append(hazard._replace(times=hazard.times - earlier))
    if wanted == "warn":
        for hazard in found:
            warnings.warn(str(hazard), RaceWarning, stacklevel=3)


def _text(pointer: Any) -> str:
    return str(abi.ffi.string(pointer).decode())


def _access(access: Any) -> Access:
    return Access(
        _text(access.operation),
        access.stream,
        access.captured_on,
        _text(access.access),
        _text(access.operand),
        _text(access.tensor),
        access.begin,
        access.end,
    )
