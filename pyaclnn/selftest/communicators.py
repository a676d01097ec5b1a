"""Communicators of one rank, in which one process tries operators that communicate."""

from __future__ import annotations

from pyaclnn.collective import Communicator
from pyaclnn.runtime import current_device

_ALONE: dict[int, Communicator] = {}


def alone() -> Communicator:
    """Return the communicator that the current device is the only rank of."""
    device = current_device()
    found = _ALONE.get(device.index)
    if found is None or found.closed:
        (found,) = Communicator.all_devices([device])
        _ALONE[device.index] = found
    return found
