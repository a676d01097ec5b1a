"""Calls of a trace as a program that stands alone, in C++ or Python.

The C++ is written as that of `pyaclnn.record`; the Python is its translation by `pyaclnn.port`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from pyaclnn.ops import ops
from pyaclnn.ops.cpp_literals import TYPES
from pyaclnn.ops.cpp_steps import Call as WrittenCall
from pyaclnn.ops.cpp_steps import Memory, Step, View, Write, enumerator
from pyaclnn.ops.to_cpp import write_steps
from pyaclnn.tensor.dtypes import as_dtype
from pyaclnn.trace.layout import Layout, span_of, view
from pyaclnn.trace.reader import Array, Call, HandleList, ScalarValue, TensorView, Trace, TraceError


class _Writer:
    """The steps so far, and the contents of memory after them."""

    def __init__(self, trace: Trace, calls: list[Call]) -> None:
        self._trace = trace
        self._layout = Layout(c.first_phase for c in calls if c.first_phase)
        self._memories: dict[int, Memory] = {}
        self._written: set[Memory] = set()
        self.steps: list[Step] = []

    def call(self, call: Call) -> None:
        first = call.first_phase
        assert first is not None
        tensors = {(n, i): t for n, i, _, t in first.tensors()}
        for content in call.contents:
            tensor = tensors.get((content.parameter, content.item))
            if tensor is not None and not content.after:
                if content.form != "full":
                    raise TraceError(f"call {call.number}: record --content full to write programs")
                held = self._trace.read_content(call, content)
                self._hold(tensor, first.function.parameters[content.parameter], held)
        spec = ops[first.name.removesuffix("GetWorkspaceSize")].spec
        given = list(first.arguments.items())[:-2]
        values = [self._value(name, value) for name, value in given]
        self.steps.append(WrittenCall(spec, values))
        for content in call.contents:
            tensor = tensors.get((content.parameter, content.item))
            if tensor is not None and content.after and content.form == "full":
                self._put(tensor, self._trace.read_content(call, content))

    def _memory(self, tensor: TensorView) -> tuple[Memory, int]:
        number = self._layout.place(span_of(tensor).begin)
        if number not in self._memories:
            size = -(-self._layout.size(number) // 16) * 16
            self._memories[number] = Memory(size, 0, None, np.zeros(size, np.uint8))
        return self._memories[number], self._layout.begins[number]

    def _put(self, tensor: TensorView, content: bytes) -> bool:
        memory, begin = self._memory(tensor)
        assert memory.content is not None
        before = memory.content.copy()
        target = view(memory.content, span_of(tensor), begin)
        source = np.frombuffer(content, target.dtype)
        if source.size != target.size:
            raise TraceError(f"a content has {source.size} elements, its tensor {target.size}")
        target[...] = source.reshape(target.shape)
        return not np.array_equal(before, memory.content)

    def _hold(self, tensor: TensorView, name: str, content: bytes) -> None:
        memory, _ = self._memory(tensor)
        if self._put(tensor, content) or memory not in self._written:
            self._write(tensor, name)

    def _write(self, tensor: TensorView, name: str) -> None:
        memory, _ = self._memory(tensor)
        assert memory.content is not None
        self._written.add(memory)
        self.steps.append(Write(memory, name, memory.content.copy().view(self._dtype(tensor))))

    def _dtype(self, tensor: TensorView) -> np.dtype[Any]:
        if tensor.dtype_name not in TYPES:
            raise TraceError(f"a C++ sample cannot have tensors of {tensor.dtype_name}")
        return as_dtype(tensor.dtype_name)

    def _value(self, name: str, value: Any) -> Any:
        if isinstance(value, TensorView):
            memory, begin = self._memory(value)
            if memory not in self._written:
                self._write(value, name)
            dtype = self._dtype(value)
            start = value.address - begin
            if start % dtype.itemsize:
                raise TraceError(f"{value} lies across the elements of its memory")
            return View(
                memory, value.shape, value.strides, value.offset + start // dtype.itemsize, dtype,
                enumerator("aclDataType", value.dtype), enumerator("aclFormat", value.format),
                (memory.nbytes // dtype.itemsize,),
            )  # fmt: skip
        if isinstance(value, HandleList):
            return [self._value(f"{name}{i}", item) for i, item in enumerate(value.items)]
        if isinstance(value, Array):
            return list(value.values)
        return value.value if isinstance(value, ScalarValue) else value


def to_cpp(trace: Trace, calls: list[Call]) -> str:
    """Return C++ that makes the calls, with the contents that they had.

    Raises
    ------
    TraceError, ValueError, TypeError
        There are none, or they cannot be written down.
    """
    if not calls:
        raise TraceError("there are no calls of operators in this range")
    writer = _Writer(trace, calls)
    for call in calls:
        writer.call(call)
    return write_steps(writer.steps)


def to_python(trace: Trace, calls: list[Call]) -> str:
    """Return the same as Python."""
    from pyaclnn.port.port import port

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "calls.cpp"
        source.write_text(to_cpp(trace, calls), encoding="utf-8")
        return port(source).text
