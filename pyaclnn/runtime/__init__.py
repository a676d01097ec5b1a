"""libascendcl: devices, streams, events and device memory."""

from __future__ import annotations

from pyaclnn.runtime.buffer import Buffer
from pyaclnn.runtime.current import current_device, current_stream
from pyaclnn.runtime.device import Device, device_count, memory_stats
from pyaclnn.runtime.event import Event
from pyaclnn.runtime.graph import Graph
from pyaclnn.runtime.memory_stats import MemoryInfo, MemoryStats
from pyaclnn.runtime.pool import Pool
from pyaclnn.runtime.process import (
    after_fork,
    at_leaving,
    at_teardown,
    declare_ahead,
    ensure_initialised,
)
from pyaclnn.runtime.stream import Stream

__all__ = [
    "Buffer",
    "Device",
    "Event",
    "Graph",
    "MemoryInfo",
    "MemoryStats",
    "Pool",
    "Stream",
    "after_fork",
    "at_leaving",
    "at_teardown",
    "current_device",
    "current_stream",
    "declare_ahead",
    "device_count",
    "ensure_initialised",
    "memory_stats",
]
