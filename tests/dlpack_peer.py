"""Another library that speaks DLPack, written against the protocol's header with ctypes."""

from __future__ import annotations

import ctypes
from typing import Any

OLD, NEW = b"dltensor", b"dltensor_versioned"
NPU, HOST = 12, 1


class DLTensor(ctypes.Structure):
    """``DLTensor``."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class Managed(ctypes.Structure):
    """``DLManagedTensor``."""

    _fields_ = (("dl", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class ManagedVersioned(ctypes.Structure):
    """``DLManagedTensorVersioned``."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("dl", DLTensor),
    )


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
python = ctypes.PyDLL(None)
python.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_SetName.argtypes = (ctypes.py_object, ctypes.c_char_p)
USED = {name: ctypes.create_string_buffer(b"used_" + name) for name in (OLD, NEW)}


_handed_over: list[Producer] = []


class Producer:
    """Memory of an NPU that another library owns, and hands over with the given words."""

    def __init__(
        self,
        address: int,
        shape: tuple[int, ...],
        strides: tuple[int, ...] | None = None,
        *,
        dtype: tuple[int, int, int] = (2, 32, 1),
        device: tuple[int, int] = (NPU, 0),
        flags: int = 0,
        major: int = 1,
        byte_offset: int = 0,
        versioned: bool = True,
    ) -> None:
        self.returned = 0
        self.asked: dict[str, Any] = {}
        self.device, self.versioned = device, versioned
        self._deleter = DELETER(self._give_back)
        self._shape = (ctypes.c_int64 * len(shape))(*shape)
        self._strides = None if strides is None else (ctypes.c_int64 * len(strides))(*strides)
        self.managed = (ManagedVersioned if versioned else Managed)()
        dl = self.managed.dl
        dl.data, dl.byte_offset, dl.ndim = address, byte_offset, len(shape)
        dl.device_type, dl.device_id = device
        dl.code, dl.bits, dl.lanes = dtype
        dl.shape = ctypes.cast(self._shape, ctypes.POINTER(ctypes.c_int64))
        if self._strides is not None:
            dl.strides = ctypes.cast(self._strides, ctypes.POINTER(ctypes.c_int64))
        self.managed.deleter = ctypes.cast(self._deleter, ctypes.c_void_p).value
        if versioned:
            self.managed.major, self.managed.flags = major, flags

    def _give_back(self, address: int) -> None:
        assert address == ctypes.addressof(self.managed)
        self.returned += 1

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **asked: Any) -> Any:
        if not self.versioned and "max_version" in asked:
            raise TypeError("max_version is not known here")
        self.asked = asked
        # As long as it may be called.
        _handed_over.append(self)
        name = NEW if self.versioned else OLD
        return python.PyCapsule_New(ctypes.addressof(self.managed), name, None)


class Consumed:
    """What a consumer reads from a capsule, which it takes over."""

    def __init__(self, capsule: Any) -> None:
        name = NEW if b"versioned" in repr(capsule).encode() else OLD
        self.address = python.PyCapsule_GetPointer(capsule, name)
        self.managed: Any = (ManagedVersioned if name is NEW else Managed).from_address(
            self.address
        )
        python.PyCapsule_SetName(capsule, USED[name])

    @property
    def said(self) -> tuple[Any, ...]:
        """Device, dtype, shape, strides (None for row-major), address."""
        dl = self.managed.dl
        return (
            (dl.device_type, dl.device_id),
            (dl.code, dl.bits, dl.lanes),
            tuple(dl.shape[: dl.ndim]),
            tuple(dl.strides[: dl.ndim]) if dl.strides else None,
            (dl.data or 0) + dl.byte_offset,
        )

    def give_back(self) -> None:
        """Call the deleter."""
        DELETER(self.managed.deleter)(self.address)
