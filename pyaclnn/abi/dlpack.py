"""DLPack capsules, which describe memory to other libraries: made and read.

An exported capsule needs a finalizer that works while an exception is pending, in any thread, and
after the interpreter has ended. NumPy has such a finalizer in C. So a capsule that NumPy made of an
array is rewritten to describe our memory, and the array keeps the owner alive.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

#: kDLExtDev, which torch_npu says of an NPU, and kDLCPU.
NPU, HOST = 12, 1
#: The version of the protocol that is supported besides the unversioned one.
VERSION = (1, 0)

_READ_ONLY, _COPIED = 1, 2
_OLD_NAME, _NAME = b"dltensor", b"dltensor_versioned"
#: Types beside NumPy's own, by code and bits.
_BFLOAT16 = (4, 16)
_KINDS = {0: "int", 1: "uint", 2: "float", 5: "complex"}
_CODES = {name: code for code, name in _KINDS.items()}
_NAMES = {
    3: "opaque handle", 7: "float8_e3m4", 8: "float8_e4m3", 9: "float8_e4m3b11fnuz",
    10: "float8_e4m3fn", 11: "float8_e4m3fnuz", 12: "float8_e5m2", 13: "float8_e5m2fnuz",
    14: "float8_e8m0fnu", 15: "float6_e2m3fn", 16: "float6_e3m2fn", 17: "float4_e2m1fn",
}  # fmt: skip
_FLOAT8 = {name: code for code, name in _NAMES.items() if name.startswith("float8")}


class Description(NamedTuple):
    """The memory that a capsule describes.

    Attributes
    ----------
    device : (int, int)
        Kind and number.
    address : int
        Of the first element.
    shape, strides : tuple of int
        Strides in elements.
    dtype : str
        Name of the dtype, one that `pyaclnn.tensor.as_dtype` may know or not.
    read_only : bool
        Whether nobody may write there.
    """

    device: tuple[int, int]
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str
    read_only: bool


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_kind", ctypes.c_int32),
        ("device_index", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Old(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class _New(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


# A library object of our own: prototypes set on ctypes.pythonapi are shared by all modules.
_python = ctypes.PyDLL(None)
_is_valid = _python.PyCapsule_IsValid
_is_valid.argtypes = (ctypes.py_object, ctypes.c_char_p)
_pointer = _python.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p
_rename = _python.PyCapsule_SetName
_rename.argtypes = (ctypes.py_object, ctypes.c_char_p)

# A capsule does not copy its name: these bytes outlive all capsules.
_USED = {
    name: ctypes.create_string_buffer(b"used_" + name) for name in (_OLD_NAME, _NAME)
}  # fmt: skip
for _buffer in _USED.values():
    _python.Py_IncRef(ctypes.py_object(_buffer))


class _Window:
    """An array interface over memory that NumPy must not read, which keeps the owner alive."""

    def __init__(self, description: Description, owner: object) -> None:
        dtype = np.dtype("uint16" if description.dtype == "bfloat16" else description.dtype)
        self.owner = owner
        self.__array_interface__ = {
            "shape": description.shape,
            "strides": tuple(stride * dtype.itemsize for stride in description.strides),
            "typestr": dtype.str,
            # For a null pointer NumPy allocates memory of its own.
            "data": (description.address or dtype.alignment, False),
            "version": 3,
        }


def make_capsule(
    description: Description, owner: object, *, versioned: bool, copied: bool = False
) -> Any:
    """Return a capsule that hands memory over.

    Parameters
    ----------
    description : Description
        Of the memory.
    owner : object
        Kept alive until the memory is released.
    versioned : bool
        Whether the consumer knows version 1; one that NumPy before 2.1 makes has none all the same.
    copied : bool
        Whether it is said to be a copy.
    """
    array = np.asarray(_Window(description, owner))
    name = _OLD_NAME
    if versioned:
        try:
            capsule = array.__dlpack__(max_version=VERSION)  # type: ignore[call-arg,unused-ignore]
            name = _NAME
        except TypeError:
            capsule = array.__dlpack__()
    else:
        capsule = array.__dlpack__()
    managed = (_New if name is _NAME else _Old).from_address(_pointer(capsule, name))
    tensor = managed.tensor
    tensor.device_kind, tensor.device_index = description.device
    tensor.data, tensor.byte_offset = description.address, 0
    tensor.code, tensor.bits = _code(description.dtype)
    if isinstance(managed, _New) and copied:
        managed.flags |= _COPIED
    return capsule


class Received:
    """Memory imported from a capsule; the end of this object releases it to its producer.

    Parameters
    ----------
    capsule : capsule
        ``"dltensor"`` or ``"dltensor_versioned"``; used up.

    Attributes
    ----------
    description : Description
        Of the memory.

    Raises
    ------
    BufferError
        If it was used before, is of a version not known here, or of a dtype that NumPy lacks.
    TypeError
        If it is no capsule.
    """

    def __init__(self, capsule: Any) -> None:
        self._deleter = self._address = 0
        name = next((name for name in _USED if _is_valid(capsule, name)), None)
        if name is None:
            raise _not_valid(capsule)
        address = _pointer(capsule, name)
        managed = (_New if name is _NAME else _Old).from_address(address)
        if isinstance(managed, _New) and managed.major != VERSION[0]:
            # It stays the capsule's, which gives it back.
            raise BufferError(f"DLPack {managed.major}.{managed.minor} is not known here: 1 is")
        self.description = _described(managed)
        _rename(capsule, _USED[name])
        self._address, self._deleter = address, managed.deleter or 0

    def close(self) -> None:
        """Give the memory back; twice is allowed."""
        address, self._address = self._address, 0
        if address and self._deleter:
            _Deleter(self._deleter)(address)

    def __del__(self) -> None:
        self.close()


def _not_valid(capsule: Any) -> Exception:
    if type(capsule).__name__ != "PyCapsule":
        return TypeError(f"a DLPack capsule is needed, not {type(capsule).__name__}")
    if any(_is_valid(capsule, used) for used in _USED.values()):
        return BufferError("the capsule was used before; it hands its memory over once")
    return BufferError(f"{capsule!r} is no DLPack capsule")


def _described(managed: Any) -> Description:
    tensor = managed.tensor
    if tensor.rank < 0 or (tensor.rank and not tensor.shape):
        raise BufferError(f"a DLPack capsule with {tensor.rank} dimensions and no shape")
    shape = tuple(tensor.shape[: tensor.rank]) if tensor.rank else ()
    if any(extent < 0 for extent in shape):
        raise BufferError(f"a DLPack capsule of shape {shape}")
    if tensor.rank and tensor.strides:
        strides = tuple(tensor.strides[: tensor.rank])
    else:
        strides = _row_major(shape)
    return Description(
        (tensor.device_kind, tensor.device_index),
        (tensor.data or 0) + tensor.byte_offset,
        shape,
        strides,
        _name(tensor.code, tensor.bits, tensor.lanes),
        isinstance(managed, _New) and bool(managed.flags & _READ_ONLY),
    )


def _row_major(shape: Sequence[int]) -> tuple[int, ...]:
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= max(extent, 1)
    return tuple(reversed(strides))


def _name(code: int, bits: int, lanes: int) -> str:
    if (code, bits) == _BFLOAT16:
        name = "bfloat16"
    elif code == 6:
        name = "bool" if bits == 8 else f"bool{bits}"
    else:
        name = f"{_KINDS[code]}{bits}" if code in _KINDS else _NAMES.get(code, f"type {code}")
    return name if lanes == 1 else f"{name} in vectors of {lanes}"


def _code(dtype: str) -> tuple[int, int]:
    if dtype == "bfloat16":
        return _BFLOAT16
    if dtype == "bool":
        return 6, 8
    if dtype in _FLOAT8:
        return _FLOAT8[dtype], 8
    kind = dtype.rstrip("0123456789")
    return _CODES[kind], int(dtype[len(kind) :])
