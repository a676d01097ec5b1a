"""The steps that a C++ sample replays, in order: writes to memory, and calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.abi import check, declaration, ffi, index, lib
from pyaclnn.ops.arguments import converter
from pyaclnn.ops.checks import tensors_of
from pyaclnn.ops.cpp_literals import TYPES
from pyaclnn.ops.rules import ONLY_ND
from pyaclnn.ops.spec import Argument, Spec
from pyaclnn.runtime import Buffer
from pyaclnn.tensor import Tensor

#: The limit of values in a sample, which keeps it readable and fast to compile.
MAX_ELEMENTS = 1 << 20

#: Kinds that are recorded by their C value; modes given by name are numbers there.
_BY_VALUE = frozenset({"int", "float", "bool", "dtype"})

#: Formats without padding, in which the memory has the tensor's shape.
_PUBLIC = frozenset(
    f"ACL_FORMAT_{name}" for name in ("ND", "NCL", "NCHW", "NHWC", "NCDHW", "NDHWC", "HWCN")
)


@dataclass(eq=False, slots=True)
class Memory:
    """A buffer, shared by all tensors over it.

    Attributes
    ----------
    nbytes, device : int
        Its size, and where it is.
    buffer : Buffer or None
        Kept while calls are recorded, so that its memory is not reused.
    content : numpy.ndarray or None
        The bytes that a replay finds there; None where that is not known.
    """

    nbytes: int
    device: int
    buffer: Buffer | None
    content: np.ndarray[Any, np.dtype[np.uint8]] | None = None

    def read(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Wait for the work on the buffer, and return its bytes."""
        assert self.buffer is not None
        return Tensor(self.buffer, (self.nbytes,), np.uint8).numpy()


@dataclass(frozen=True, slots=True)
class View:
    """A tensor as its aclTensor describes it. Equal ones may share a descriptor."""

    memory: Memory
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    dtype: np.dtype[Any]
    acl_dtype: str
    format: str
    storage: tuple[int, ...]


@dataclass(eq=False, slots=True)
class Write:
    """A write to memory: its initial values, or a change by the program between two calls.

    Attributes
    ----------
    memory : Memory
        Where.
    name : str
        Of the parameter that first shows it.
    values : numpy.ndarray or None
        What the whole buffer holds afterwards; None where that is too much to be written down.
    """

    memory: Memory
    name: str
    values: np.ndarray[Any, Any] | None


@dataclass(eq=False, slots=True)
class Call:
    """One call of an operator.

    Attributes
    ----------
    spec : Spec
        The operator.
    values : list
        Its arguments in C order; tensors as :class:`View`, a list of tensors as a list of them.
    error : BaseException or None
        What the call ended with, where it failed.
    refused : bool
        Whether it never reached CANN.
    """

    spec: Spec
    values: list[Any]
    error: BaseException | None = None
    refused: bool = False


Step = Write | Call

#: What tensors are described as by their rank.
_OF_RANK = frozenset({"ACL_FORMAT_NCL", "ACL_FORMAT_NCHW", "ACL_FORMAT_NCDHW"})


class Steps:
    """Calls in order, and the memory they read and write."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._memories: dict[int, Memory] = {}

    def call(self, spec: Spec, values: Sequence[Any]) -> Call:
        """Record a call, and the present values of its tensors.

        Parameters
        ----------
        spec : Spec
            The operator.
        values : sequence
            Its arguments in C order, as the call takes them.

        Raises
        ------
        TypeError, ValueError
            For an argument that the call will refuse.
        """
        noted = [self._value(spec, a, v) for a, v in zip(spec.arguments, values, strict=True)]
        call = Call(spec, noted)
        self.steps.append(call)
        return call

    def refused(self, spec: Spec, error: BaseException) -> None:
        """Record a call that Python refused."""
        self.steps.append(Call(spec, [], error, refused=True))

    def settle(self, call: Call, values: Sequence[Any]) -> None:
        """Record the values that a call wrote, which the replay will write as well."""
        for argument, value in zip(call.spec.arguments, values, strict=True):
            if argument.output:
                for tensor in tensors_of([value]):
                    memory = self._memories[id(tensor.buffer)]
                    memory.content = None
                    if tensor.buffer.nbytes <= _limit(tensor):
                        memory.content = memory.read()

    def release(self) -> None:
        """Release all memory; nothing is recorded afterwards."""
        for memory in self._memories.values():
            memory.buffer = memory.content = None
        self._memories.clear()

    def _value(self, spec: Spec, argument: Argument, value: Any) -> Any:
        if argument.kind == "tensor" and value is not None:
            return self._view(spec, argument.c_name, value)
        if argument.kind == "tensor_list" and value is not None:
            return [
                None if v is None else self._view(spec, f"{argument.c_name}{i}", v)
                for i, v in enumerate(value)
            ]
        if argument.kind in _BY_VALUE:
            return converter(spec.c_name, argument)(value, [])
        return list(value) if isinstance(value, (list, tuple, np.ndarray)) else value

    def _view(self, spec: Spec, name: str, tensor: Tensor) -> View:
        handle = tensor.handle
        acl_format = _described(lib.aclGetFormat, handle, "aclFormat")
        # Another than that of the rank was asked for.
        if spec.c_name in ONLY_ND and acl_format in _OF_RANK:
            acl_format = "ACL_FORMAT_ND"
        return View(
            self._memory(name, tensor),
            tensor.shape,
            tensor.strides,
            tensor.offset,
            tensor.dtype,
            _described(lib.aclGetDataType, handle, "aclDataType"),
            acl_format,
            _storage(tensor, acl_format),
        )

    def _memory(self, name: str, tensor: Tensor) -> Memory:
        if tensor.dtype.name not in TYPES:
            raise TypeError(f"{name}: a C++ sample cannot have tensors of {tensor.dtype.name}")
        buffer = tensor.buffer
        memory = self._memories.get(id(buffer))
        if memory is None:
            memory = Memory(buffer.nbytes, buffer.device.index, buffer)
            self._memories[id(buffer)] = memory
        elif memory.content is None and buffer.nbytes > _limit(tensor):
            return memory
        if buffer.nbytes > _limit(tensor):
            self.steps.append(Write(memory, name, None))
            return memory
        content = memory.read()
        if memory.content is None or not np.array_equal(content, memory.content):
            memory.content = content
            whole = content.size // tensor.itemsize * tensor.itemsize
            values = content[:whole].view(tensor.dtype)
            self.steps.append(Write(memory, name, values))
        return memory


def _limit(tensor: Tensor) -> int:
    return MAX_ELEMENTS * tensor.itemsize


def enumerator(enumeration: str, code: int) -> str:
    """Return the enumerator with a value, or a cast where there is none."""
    for each in declaration(enumeration).enumerators():
        name = str(each.partition("=")[0].strip())
        if index.value(name) == code:
            return name
    return f"static_cast<{enumeration}>({code})"


def _described(query: Any, handle: Any, enumeration: str) -> str:
    """Return what a query answers for a tensor, as an enumerator."""
    code = ffi.new(f"{enumeration} *")
    check(query(handle, code))
    return enumerator(enumeration, code[0])


def _storage(tensor: Tensor, acl_format: str) -> tuple[int, ...]:
    if acl_format in _PUBLIC:
        return (tensor.buffer.nbytes // tensor.itemsize,)
    dims, count = ffi.new("int64_t **"), ffi.new("uint64_t *")
    check(lib.aclGetStorageShape(tensor.handle, dims, count))
    # C++ allocated these few bytes and no function frees them: they are leaked.
    return tuple(dims[0][i] for i in range(count[0]))
