"""Arguments of an operator as plain data, and the raw C objects made of them."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.abi import ffi, lib
from pyaclnn.ops.arguments import python_scalar_dtype
from pyaclnn.ops.rules import scalar_dtype
from pyaclnn.tensor import Tensor, acl_dtype
from pyaclnn.tensor.scalar_bits import scalar_bits

#: A case or a part of one: what JSON has.
Data = dict[str, Any]

#: Operands above this are not worth a case of their own.
MOST_BYTES = 1 << 16


class TooLargeError(Exception):
    """The call is larger than cases are."""


def _dims(getter: Any, handle: Any) -> list[int]:
    values, count = ffi.new("int64_t **"), ffi.new("uint64_t *")
    pa.check(getter(handle, values, count))
    # Made with new[], which nothing here can give back: a case is small.
    return [int(values[0][i]) for i in range(count[0])]


def _number(getter: Any, handle: Any, c_type: str) -> int:
    cell = ffi.new(f"{c_type} *")
    pa.check(getter(handle, cell))
    return int(cell[0])


def describe_tensor(tensor: Tensor) -> Data:
    """Return a tensor as data: its description, and the bytes of its memory."""
    if tensor.buffer.nbytes > MOST_BYTES:
        raise TooLargeError
    handle = tensor.handle
    memory = np.zeros(tensor.buffer.nbytes, np.uint8)
    if memory.size:
        source = ffi.cast("void *", tensor.buffer.ptr)
        kind = lib.ACL_MEMCPY_DEVICE_TO_HOST
        # The call that gave it may still run, and one in place writes what it was given.
        pa.current_device().sync()
        pa.check(lib.aclrtMemcpy(ffi.from_buffer(memory), memory.size, source, memory.size, kind))
    return {
        "kind": "tensor",
        "shape": _dims(lib.aclGetViewShape, handle),
        "strides": _dims(lib.aclGetViewStrides, handle),
        "storage": _dims(lib.aclGetStorageShape, handle),
        "offset": _number(lib.aclGetViewOffset, handle, "int64_t"),
        "format": _number(lib.aclGetFormat, handle, "aclFormat"),
        "dtype": _number(lib.aclGetDataType, handle, "aclDataType"),
        "data": base64.b64encode(memory.tobytes()).decode(),
    }


def _describe_scalar(value: Any, dtype: np.dtype[Any]) -> Data:
    return {"kind": "scalar", "dtype": acl_dtype(dtype), "hex": scalar_bits(value, dtype).hex()}


def describe(c_name: str, argument: Any, convert: Any, value: Any) -> Data:
    """Return one argument of a Python call as data."""
    if value is None:
        return {"kind": "null"}
    if isinstance(value, Tensor):
        return describe_tensor(value)
    if argument.kind == "scalar":
        fixed = scalar_dtype(c_name, argument.c_name)
        dtype = python_scalar_dtype(value) if fixed is None else np.dtype(fixed)
        return _describe_scalar(value, dtype)
    if argument.kind == "tensor_list":
        nothing: Data = {"kind": "null"}
        return {
            "kind": "tensor_list",
            "items": [nothing if t is None else describe_tensor(t) for t in value],
        }
    if argument.kind == "scalar_list":
        items = [_describe_scalar(v, python_scalar_dtype(v)) for v in value]
        return {"kind": "scalar_list", "items": items}
    if argument.kind in ("int_array", "float_array", "bool_array"):
        return {"kind": argument.kind, "values": list(value)}
    if argument.kind == "string":
        return {"kind": "string", "text": str(value)}
    number = convert(value, [])
    return {"kind": "value", "value": number if isinstance(number, float) else int(number)}


class Memory:
    """A block of device memory with a margin on either side that nobody may write."""

    MARGIN = 64
    FILL = 0xA5

    def __init__(self, data: bytes, margin: int) -> None:
        self.margin = margin
        self.before = np.full(len(data) + 2 * margin, self.FILL, np.uint8)
        self.before[margin : margin + len(data)] = np.frombuffer(data, np.uint8)
        cell = ffi.new("void **")
        pa.check(lib.aclrtMalloc(cell, max(1, self.before.size), 0))
        self.start = cell[0]
        if self.before.size:
            self._copy(self.start, ffi.from_buffer(self.before), lib.ACL_MEMCPY_HOST_TO_DEVICE)

    @property
    def address(self) -> Any:
        """Where the data begins."""
        return ffi.cast("char *", self.start) + self.margin

    def _copy(self, to: Any, source: Any, kind: int) -> None:
        size = self.before.size
        pa.check(lib.aclrtMemcpy(to, size, source, size, kind))

    def changed(self) -> np.ndarray[Any, Any]:
        """Return which bytes are not what they were."""
        after = np.zeros_like(self.before)
        if after.size:
            self._copy(ffi.from_buffer(after), self.start, lib.ACL_MEMCPY_DEVICE_TO_HOST)
        return np.asarray(after != self.before)

    def free(self) -> None:
        """Give the block back."""
        pa.check(lib.aclrtFree(self.start))


class Built:
    """The C arguments of a case, and what has to be destroyed behind it."""

    def __init__(self, arguments: Sequence[Data], margin: int) -> None:
        self.memories: list[Memory] = []
        self._tensors: list[tuple[Data, Memory]] = []
        self._destroy: list[Any] = []
        self._keep: list[Any] = []
        self._margin = margin
        self.values = [self._make(a) for a in arguments]

    def _make(self, data: Data) -> Any:
        return getattr(self, "_" + data["kind"])(data)

    def _later(self, handle: Any, destroy: Any) -> Any:
        if handle != ffi.NULL:
            self._destroy.append(lambda: destroy(handle))
        return handle

    def _tensor_handle(self, data: Data) -> Any:
        twin = data.get("same_memory_as")
        if twin is not None and twin < len(self.memories):
            memory = self.memories[twin]
        else:
            memory = Memory(base64.b64decode(data["data"]), self._margin)
            self.memories.append(memory)
        self._tensors.append((data, memory))

        def array(values: Any) -> Any:
            return ffi.NULL if values is None else ffi.new("int64_t[]", list(values) or [0])

        address = ffi.NULL if data.get("no_data") else memory.address + data.get("shift", 0)
        return lib.aclCreateTensor(
            array(data["shape"]), len(data["shape"]), data["dtype"], array(data["strides"]),
            data["offset"], data["format"], array(data["storage"]), len(data["storage"]),
            ffi.cast("void *", address),
        )  # fmt: skip

    def _tensor(self, data: Data) -> Any:
        return self._later(self._tensor_handle(data), lib.aclDestroyTensor)

    def _null(self, data: Data) -> Any:
        return ffi.NULL

    def _value(self, data: Data) -> Any:
        return data["value"]

    def _string(self, data: Data) -> Any:
        self._keep.append(ffi.new("char[]", data["text"].encode("utf-8", "surrogateescape")))
        return self._keep[-1]

    def _scalar_handle(self, data: Data) -> Any:
        value = ffi.new("char[]", bytes.fromhex(data["hex"]) + bytes(16))
        return lib.aclCreateScalar(ffi.cast("void *", value), data["dtype"])

    def _scalar(self, data: Data) -> Any:
        return self._later(self._scalar_handle(data), lib.aclDestroyScalar)

    def _array(self, data: Data, c_type: str, create: Any, destroy: Any) -> Any:
        values = ffi.new(f"{c_type}[]", data["values"]) if data["values"] else ffi.NULL
        return self._later(create(values, len(data["values"])), destroy)

    def _int_array(self, data: Data) -> Any:
        return self._array(data, "int64_t", lib.aclCreateIntArray, lib.aclDestroyIntArray)

    def _float_array(self, data: Data) -> Any:
        return self._array(data, "float", lib.aclCreateFloatArray, lib.aclDestroyFloatArray)

    def _bool_array(self, data: Data) -> Any:
        values = {"values": [bool(v) for v in data["values"]]}
        return self._array(values, "bool", lib.aclCreateBoolArray, lib.aclDestroyBoolArray)

    def _list(self, data: Data, one: Any, c_type: str, create: Any, destroy: Any) -> Any:
        handles = [ffi.NULL if i["kind"] == "null" else one(i) for i in data["items"]]
        values = ffi.new(f"{c_type} *[]", handles) if handles else ffi.NULL
        return self._later(create(values, len(handles)), destroy)

    def _tensor_list(self, data: Data) -> Any:
        return self._list(
            data, self._tensor_handle, "aclTensor",
            lib.aclCreateTensorList, lib.aclDestroyTensorList,
        )  # fmt: skip

    def _scalar_list(self, data: Data) -> Any:
        return self._list(
            data, self._scalar_handle, "aclScalar",
            lib.aclCreateScalarList, lib.aclDestroyScalarList,
        )  # fmt: skip

    def stray_writes(self) -> str:
        """Say what was written outside of all views, or nothing."""
        for number, memory in enumerate(self.memories):
            changed = memory.changed()
            for data, of in self._tensors:
                if of is memory:
                    changed[covered(data, memory.before.size, memory.margin)] = False
            if changed.any():
                first = int(np.flatnonzero(changed)[0]) - memory.margin
                return f"memory {number}: {int(changed.sum())} bytes from {first} on, in no view"
        return ""

    def close(self) -> None:
        """Destroy all that was made."""
        for destroy in reversed(self._destroy):
            destroy()
        for memory in self.memories:
            memory.free()


#: Bytes of an element, by aclDataType.
SIZES = {0: 4, 1: 2, 2: 1, 3: 4, 4: 1, 6: 2, 7: 2, 8: 4, 9: 8, 10: 8, 11: 8, 12: 1, 16: 8, 17: 16,
         27: 2, 33: 4}  # fmt: skip
#: Whose elements are not where strides say.
_PRIVATE = {3, 4, 12, 29, 32, 33}


def covered(data: Data, size: int, margin: int) -> np.ndarray[Any, Any]:
    """Return which bytes of a block belong to a view; all of them where that is hard to say."""
    everything = np.ones(size, bool)
    element = SIZES.get(data["dtype"])
    shape = data["shape"]
    count = math.prod(shape)
    simple = data["strides"] is not None and len(data["strides"]) == len(shape)
    if element is None or not simple or data["format"] in _PRIVATE or not 0 <= count < 1 << 18:
        return everything
    if max((abs(n) for n in (data["offset"], *data["strides"])), default=0) > 1 << 40:
        return everything
    if count == 0 or min(shape, default=1) < 0:
        return np.zeros(size, bool)
    strides = data["strides"]
    if count == 1:
        strides = [0] * len(shape)
    elements = np.zeros((), np.int64)
    for extent, stride in zip(shape, strides, strict=True):
        elements = elements[..., None] + np.arange(extent) * stride
    starts = (elements.ravel() + data["offset"]) * element + margin + data.get("shift", 0)
    starts = starts[(starts >= 0) & (starts + element <= size)]
    result = np.zeros(size, bool)
    result[(starts[:, None] + np.arange(element)).ravel()] = True
    return result
