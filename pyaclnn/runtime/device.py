"""Devices: one object each, bound to a thread when the thread first uses it."""

from __future__ import annotations

import operator
import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import check, ffi, lib, recent_message, warn_status
from pyaclnn.runtime import process, waiting
from pyaclnn.runtime.current import current_device, set_device_opener, state
from pyaclnn.runtime.memory_stats import MemoryInfo, MemoryStats
from pyaclnn.runtime.native_handle import NativeHandle
from pyaclnn.runtime.pool import Pool
from pyaclnn.runtime.stream import Stream
from pyaclnn.runtime.waiting import wait_for_device, wait_for_stream
from pyaclnn.runtime.weak_set import ThreadSafeWeakSet

if TYPE_CHECKING:
    from types import TracebackType

_HBM_MEMORY = 1
_CONTEXT_RELEASED = 507007
_TIME_IS_OVER = 507046
# Seconds to wait at exit for work whose wait was interrupted before.
_SHORT_WAIT = 2.0
_ATTEMPTS = 3


class Device:
    """An NPU, or a simulated one; ``Device(0)`` is always the same object.

    Parameters
    ----------
    index : int
        Number of the device, as ``ASCEND_RT_VISIBLE_DEVICES`` leaves it.

    Attributes
    ----------
    index : int
        Number of the device.
    pool : Pool
        Where the device's buffers come from.

    Raises
    ------
    ValueError
        If there is no such device.
    AclError
        If the device cannot be brought up.

    Notes
    -----
    A context belongs to a thread. The first use in a thread binds the device's primary context
    there, and the thread remembers it; code that binds another context without pyaclnn must be
    followed by `use`.
    """

    __slots__ = (
        "__weakref__",
        "_borrowed",
        "_context",
        "_default_stream",
        "_lock",
        "dropped",
        "index",
        "native_handles",
        "pool",
        "streams",
    )

    index: int
    pool: Pool
    #: All handles to destroy, by identity, and those whose owners are gone.
    native_handles: dict[int, NativeHandle]
    dropped: deque[NativeHandle]
    #: Open streams, including the stand-ins of captured ones.
    streams: ThreadSafeWeakSet[Stream]
    _borrowed: dict[int, Stream]
    _context: Any
    _default_stream: Stream | None
    _lock: threading.RLock

    def __new__(cls, index: int = 0) -> Device:  # noqa: D102 - the class describes it
        device = _devices.get(index)
        if device is None:
            process.ensure_initialised()
            device = _open(operator.index(index))
        return device

    def __repr__(self) -> str:
        return f"Device({self.index})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Device, (self.index,)

    @property
    def name(self) -> str:
        """Name of the chip, such as ``Ascend910B1``."""
        self.activate()
        name = lib.aclrtGetSocName()
        return "" if name == ffi.NULL else str(ffi.string(name).decode())

    @property
    def default_stream(self) -> Stream:
        """The stream used where none was chosen: one per device, shared by all threads.

        It is a stream of our own, not CANN's NULL stream, which other libraries use as well.
        """
        stream = self._default_stream
        if stream is None:
            with self._lock:
                stream = self._default_stream
                if stream is None:
                    stream = self._default_stream = self.create_stream()
        return stream

    def is_default(self, stream: Stream) -> bool:
        """Return whether a stream is this device's default stream."""
        return stream is self._default_stream

    def create_stream(self, priority: int = 0) -> Stream:
        """Create a stream on this device.

        Parameters
        ----------
        priority : int
            0 is the highest, 7 the lowest; CANN may disregard it.

        Returns
        -------
        Stream
            Destroyed when closed or when the last reference goes.

        Raises
        ------
        AclError
            If CANN refuses, for instance because there are too many streams.
        """
        return Stream(self, priority=priority)

    def stream_of(self, handle: int) -> Stream:
        """Return the `Stream` of an ``aclrtStream``: our own, or a cached borrowed one.

        Parameters
        ----------
        handle : int
            Of a stream that lives until the process ends, as PyTorch's do.
        """
        stream = self._borrowed.get(handle)
        if stream is None or stream.closed:
            ours = (s for s in self.streams if s.graph is None and not s.closed)
            stream = next((s for s in ours if s.handle == ffi.cast("void *", handle)), None)
        if stream is None:
            stream = self._borrowed[handle] = Stream.from_handle(handle, self)
        return stream

    def memory_info(self) -> MemoryInfo:
        """Return free and total memory; memory cached by the pool counts as used.

        Returns
        -------
        MemoryInfo
            ``(free, total)`` in bytes.
        """
        self.activate()
        free, total = ffi.new("size_t *"), ffi.new("size_t *")
        check(lib.aclrtGetMemInfo(_HBM_MEMORY, free, total), "aclrtGetMemInfo")
        return MemoryInfo(int(free[0]), int(total[0]))

    def sync(self, timeout: float | None = None) -> None:
        """Wait for everything that was submitted to this device.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait at most; without it, as long as it takes.

        Raises
        ------
        AclTimeoutError
            If the time is over; the work goes on.
        AclError
            If work failed; errors of asynchronous work appear here.
        """
        self.activate()
        self.pool.foreign.let_go()
        check(wait_for_device(timeout), "aclrtSynchronizeDeviceWithTimeout")
        self.pool.foreign.let_go()

    def use(self) -> Device:
        """Make this the current device of the thread, and bind its context even if it was bound.

        Returns
        -------
        Device
            Itself.
        """
        self._bind()
        state.device = self
        state.stream = None
        return self

    def activate(self) -> None:
        """Bind the device's context to the calling thread unless it is bound."""
        if state.bound is not self:
            self._bind()

    def __enter__(self) -> Device:
        self._bind()
        state.push(self, None, self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        state.pop(self)

    def _bind(self) -> None:
        process.ensure_initialised()
        if self._context is None:
            self._retain()
        else:
            check(lib.aclrtSetCurrentContext(self._context), "aclrtSetCurrentContext")
        state.bound = self

    def _retain(self) -> None:
        # Every aclrtSetDevice counts; one for the process is enough, threads share its context.
        with self._lock:
            if self._context is not None:
                check(lib.aclrtSetCurrentContext(self._context), "aclrtSetCurrentContext")
                return
            check(lib.aclrtSetDevice(self.index), "aclrtSetDevice")
            context = ffi.new("void **")
            check(lib.aclrtGetCurrentContext(context), "aclrtGetCurrentContext")
            self._context = context[0]

    def destroy_dropped(self, *, wait: bool = False) -> bool:
        """Destroy the native objects of dropped owners, whose finalizers must not call CANN.

        Parameters
        ----------
        wait : bool
            Whether to wait for objects that still have work; otherwise these are left for the next
            call.

        Returns
        -------
        bool
            Whether anything was destroyed.
        """
        if not self.dropped:
            return False
        finished = [native for native in list(self.dropped) if native.finish(wait=wait)]
        for native in finished:
            with suppress(ValueError):  # another thread was faster
                self.dropped.remove(native)
        return bool(finished)

    def _wait_at_exit(self) -> None:
        """Wait for the work that is left; only briefly if a wait was interrupted before."""
        if self._context is None or lib.aclrtSetCurrentContext(self._context) != 0:
            return
        state.bound = self
        timeout = _SHORT_WAIT if waiting.broken_off else None
        for stream in self.streams:
            if stream.closed or stream.capture is not None or stream.graph is not None:
                continue
            status = wait_for_stream(stream.handle, timeout)
            if status == _TIME_IS_OVER:
                raise process.StillBusyError(f"{stream!r} still has work")
            warn_status(status, "aclrtSynchronizeStreamWithTimeout")
        # Streams that were dropped, and those of others.
        if wait_for_device(timeout) == _TIME_IS_OVER:
            raise process.StillBusyError(f"{self!r} still has work")
        recent_message()

    def _release(self) -> None:
        """Give the device back; the last thing before CANN is finalised."""
        context, self._context = self._context, None
        if context is None:
            return
        if lib.aclrtSetCurrentContext(context) != 0:
            self._abandon()
            return
        state.bound = self
        # In reverse order: an object may depend on one that was made before it.
        for native in reversed(list(self.native_handles.values())):
            owner = native()
            if owner is not None:
                if native.stays_with_owner:
                    continue
                owner.abandon()
            for _ in range(_ATTEMPTS):
                if native.finish(wait=True):
                    break
        self.pool.release_all()
        self.dropped.clear()
        self._default_stream = None
        status = lib.aclrtResetDevice(self.index)
        if status != _CONTEXT_RELEASED:
            warn_status(status, "aclrtResetDevice")

    def _abandon(self) -> None:
        """Forget everything without calling CANN, which another owner has finalised."""
        for stream in self.streams:
            stream.abandon()
        for native in list(self.native_handles.values()):
            owner = native()
            if owner is not None:
                owner.abandon()
        self.native_handles.clear()
        self.pool.abandon()
        self.dropped.clear()
        self._default_stream = None


def device_count() -> int:
    """Return how many devices the backend offers.

    Raises
    ------
    AclError
        If CANN cannot tell.
    """
    process.ensure_initialised()
    count = ffi.new("uint32_t *")
    check(lib.aclrtGetDeviceCount(count), "aclrtGetDeviceCount")
    return int(count[0])


def memory_stats(device: Device | None = None) -> MemoryStats:
    """Return what the memory pool of a device holds.

    Parameters
    ----------
    device : Device, optional
        The current device if not given.
    """
    return (current_device() if device is None else device).pool.stats()


def _open(index: int) -> Device:
    with _devices_lock:
        device = _devices.get(index)
        if device is not None:
            return device
        count = device_count()
        if not 0 <= index < count:
            there = f"there are {count}: 0 to {count - 1}" if count else "there is none"
            raise ValueError(f"there is no device {index}; {there}")
        device = object.__new__(Device)
        device.index = index
        device._borrowed = {}
        device._context = None
        device._default_stream = None
        device.dropped = deque()
        device._lock = threading.RLock()
        device.native_handles = {}
        device.streams = ThreadSafeWeakSet()
        device.pool = Pool(device)
        _devices[index] = device
        return device


def _wait_for_devices() -> None:
    for device in list(_devices.values()):
        device._wait_at_exit()


def _release_devices() -> None:
    for device in list(_devices.values()):
        device._release()


def _forget_devices() -> None:
    for device in _devices.values():
        for stream in device.streams:
            stream.detach_dependents()
    _devices.clear()


_devices: dict[int, Device] = {}
_devices_lock = threading.RLock()

set_device_opener(Device)
process.before_teardown(_wait_for_devices)
process.at_teardown(_release_devices)
process.after_fork(_forget_devices)
