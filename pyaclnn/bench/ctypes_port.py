"""CANN's sample, ported to ctypes for comparison.

Every statement of the sample has its counterpart here: device memory, copies, descriptors,
workspace, synchronisation, and everything given back.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.abi import ffi
from pyaclnn.bench.subjects import Subject
from pyaclnn.ops.spec import Argument

_TO_DEVICE, _TO_HOST = 1, 2
_ND = 2
_NUMBERS = {"int": ctypes.c_int64, "bool": ctypes.c_bool, "float": ctypes.c_double}
_ITEMS: dict[str, type[Any]] = {
    "Int": ctypes.c_int64,
    "Float": ctypes.c_float,
    "Bool": ctypes.c_bool,
}
_ARRAYS = {"int_array": "Int", "float_array": "Float", "bool_array": "Bool"}


class TwoPhases:
    """Descriptors made for every call, on device memory that is kept; nothing waits.

    Parameters
    ----------
    subject : Subject
        What to call.
    size : int
        Elements of the main tensors.
    dtype : str
        Of the tensors.
    """

    def __init__(self, subject: Subject, size: int, dtype: str) -> None:
        operator = pa.ops[subject.operator]
        inputs = subject.inputs(size, dtype)
        self.values = operator.in_c_order(inputs, subject.outputs(inputs))
        self.spec = operator.spec
        self.dtype = pa.tensor.acl_dtype(dtype)
        paths = {r.name: r.path for r in pa.backend.libraries}
        self.base = ctypes.CDLL(_library(paths, "libnnopbase"))
        self.runtime = ctypes.CDLL(_library(paths, "libascendcl", "libacl_rt"))
        operators = ctypes.CDLL(operator.library)
        self.phase1 = getattr(operators, operator.c_name + "GetWorkspaceSize")
        self.phase2 = getattr(operators, operator.c_name)
        for kind in ("Tensor", "Scalar", "IntArray", "FloatArray", "BoolArray", "TensorList"):
            getattr(self.base, f"aclCreate{kind}").restype = ctypes.c_void_p
        self.stream = ctypes.c_void_p(int(ffi.cast("uintptr_t", pa.current_stream().handle)))
        self.created: list[tuple[Callable[[Any], int], ctypes.c_void_p]] = []

    def __call__(self, times: int) -> None:
        """Make that many calls."""
        for _ in range(times):
            self.once()

    def once(self) -> None:
        """Make one call."""
        arguments = [
            self.argument(a, v) for a, v in zip(self.spec.arguments, self.values, strict=True)
        ]
        workspace, size = self.submit(arguments)
        self.destroy()
        if size:
            self.check(self.runtime.aclrtSynchronizeStream(self.stream))
            self.check(self.runtime.aclrtFree(workspace))

    def submit(self, arguments: list[Any]) -> tuple[ctypes.c_void_p, int]:
        """Run both phases; return the workspace, which the caller frees."""
        size, executor = ctypes.c_uint64(0), ctypes.c_void_p()
        self.check(self.phase1(*arguments, ctypes.byref(size), ctypes.byref(executor)))
        workspace = ctypes.c_void_p()
        if size.value:
            self.check(self.runtime.aclrtMalloc(ctypes.byref(workspace), size, ctypes.c_int(0)))
        self.check(self.phase2(workspace, size, executor, self.stream))
        return workspace, size.value

    def argument(self, argument: Argument, value: Any) -> Any:
        """Return what C takes for a value."""
        kind = argument.kind
        if value is None:
            return ctypes.c_void_p()
        if kind == "tensor":
            return self.new("Tensor", *self.described(value), self.address(value))
        if kind == "tensor_list":
            tensors = [
                self.base.aclCreateTensor(*self.described(v), self.address(v)) for v in value
            ]
            items = (ctypes.c_void_p * len(tensors))(*tensors)
            return self.new("TensorList", items, ctypes.c_uint64(len(tensors)))
        if kind == "scalar":
            return self.new("Scalar", ctypes.byref(ctypes.c_float(value)), ctypes.c_int(0))
        if kind in _ARRAYS:
            word = _ARRAYS[kind]
            items = (_ITEMS[word] * len(value))(*value)
            return self.new(f"{word}Array", items, ctypes.c_uint64(len(value)))
        return _NUMBERS[kind](value)

    def new(self, kind: str, *arguments: Any) -> ctypes.c_void_p:
        """Create an object that :meth:`destroy` destroys."""
        handle = ctypes.c_void_p(getattr(self.base, f"aclCreate{kind}")(*arguments))
        self.created.append((getattr(self.base, f"aclDestroy{kind}"), handle))
        return handle

    def described(self, tensor: pa.Tensor) -> tuple[Any, ...]:
        """Return the arguments of aclCreateTensor but for the address."""
        rank = ctypes.c_uint64(tensor.ndim)
        dims = (ctypes.c_int64 * tensor.ndim)(*tensor.shape)
        strides = (ctypes.c_int64 * tensor.ndim)(*tensor.strides)
        dtype, offset = ctypes.c_int(self.dtype), ctypes.c_int64(0)
        return dims, rank, dtype, strides, offset, ctypes.c_int(_ND), dims, rank

    def address(self, tensor: pa.Tensor) -> ctypes.c_void_p:
        """Return where a tensor's elements are."""
        return ctypes.c_void_p(tensor.buffer.ptr)

    def destroy(self) -> None:
        """Destroy what the call created."""
        for destroy, handle in self.created:
            destroy(handle)
        self.created.clear()

    @staticmethod
    def check(status: int) -> None:
        """Raise for a status."""
        if status:
            raise RuntimeError(f"status {status}")


class Sample(TwoPhases):
    """All that the sample does for a call, from the first aclrtMalloc to the last aclrtFree."""

    def __init__(self, subject: Subject, size: int, dtype: str) -> None:
        super().__init__(subject, size, dtype)
        self.host: dict[int, np.ndarray[Any, Any]] = {}
        for value in self.values:
            for tensor in value if isinstance(value, list) else [value]:
                if isinstance(tensor, pa.Tensor):
                    self.host[id(tensor)] = tensor.numpy()
        self.allocated: dict[int, ctypes.c_void_p] = {}
        #: What the last call gave.
        self.results: list[np.ndarray[Any, Any]] = []

    def once(self) -> None:
        """Make one call."""
        arguments = [
            self.argument(a, v) for a, v in zip(self.spec.arguments, self.values, strict=True)
        ]
        workspace, size = self.submit(arguments)
        self.check(self.runtime.aclrtSynchronizeStream(self.stream))
        self.results.clear()
        for argument, value in zip(self.spec.arguments, self.values, strict=True):
            if argument.output and value is not None:
                result = np.zeros_like(self.host[id(value)])
                self.copy(result, self.allocated[id(value)], _TO_HOST)
                self.results.append(result)
        self.destroy()
        for address in self.allocated.values():
            self.check(self.runtime.aclrtFree(address))
        self.allocated.clear()
        if size:
            self.check(self.runtime.aclrtFree(workspace))

    def address(self, tensor: pa.Tensor) -> ctypes.c_void_p:
        """Allocate device memory for a tensor, and copy its values there."""
        host, address = self.host[id(tensor)], ctypes.c_void_p()
        nbytes = ctypes.c_size_t(host.nbytes)
        self.check(self.runtime.aclrtMalloc(ctypes.byref(address), nbytes, ctypes.c_int(0)))
        self.allocated[id(tensor)] = address
        self.copy(host, address, _TO_DEVICE)
        return address

    def copy(self, host: np.ndarray[Any, Any], device: ctypes.c_void_p, kind: int) -> None:
        """Copy between a host array and device memory."""
        there = ctypes.c_void_p(host.__array_interface__["data"][0])
        to, from_ = (device, there) if kind == _TO_DEVICE else (there, device)
        nbytes = ctypes.c_size_t(host.nbytes)
        self.check(self.runtime.aclrtMemcpy(to, nbytes, from_, nbytes, ctypes.c_int(kind)))


def _library(paths: dict[str, str], *names: str) -> str:
    for name, path in paths.items():
        if name.startswith(names):
            return path
    raise LookupError(f"none of {names} among {sorted(paths)}")
