"""Descriptions of tensors and buffers that samples keep for themselves: no operator takes them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.conversions import UINT64, convert
from pyaclnn.port.data.references import describe
from pyaclnn.port.errors import NotUnderstoodError, SampleError
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.library.aclcalls import handles, integer, store_result
from pyaclnn.port.library.aclobjects import integers, size_of_type

#: ACL_HOST: a port runs beside the device.
_HOST = 1


@dataclass(eq=False)
class TensorDescription:
    """An aclTensorDesc."""

    dtype: int
    shape: tuple[int, ...]
    format: int
    name: str = ""


@dataclass(eq=False)
class DataBuffer:
    """An aclDataBuffer."""

    data: Any
    size: Any
    name: str = ""


def _description(value: Any) -> TensorDescription:
    if not isinstance(value, TensorDescription):
        raise NotUnderstoodError(f"takes a {describe(value)} for the description of a tensor")
    return value


@handles("aclCreateTensorDesc")
def _make(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> TensorDescription:
    dtype, rank, dims, layout = values
    return TensorDescription(
        integer(dtype, "a data type"), integers(dims, rank), integer(layout, "a format")
    )


@handles("aclDestroyTensorDesc", "aclDestroyDataBuffer")
def _destroy(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> int:
    return 0


@handles("aclGetTensorDescType", "aclGetTensorDescFormat")
def _number(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> int:
    found = _description(values[0])
    return found.dtype if name.endswith("Type") else found.format


@handles("aclGetTensorDescNumDims", "aclGetTensorDescElementCount", "aclGetTensorDescSize")
def _count(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    found = _description(values[0])
    if name.endswith("NumDims"):
        return convert(len(found.shape), UINT64)
    count = math.prod(found.shape)
    if name.endswith("Size"):
        count *= size_of_type(found.dtype)
    return convert(count, UINT64)


@handles("aclGetTensorDescDimV2")
def _extent(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> int:
    found, index = _description(values[0]), integer(values[1], "a dimension")
    if not 0 <= index < len(found.shape):
        raise SampleError(f"asks for dimension {index} of {len(found.shape)}")
    store_result(values[2], found.shape[index])
    return 0


@handles("aclCreateDataBuffer")
def _buffer(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> DataBuffer:
    return DataBuffer(*values)


@handles("aclGetDataBufferAddr", "aclGetDataBufferSizeV2", "aclGetDataBufferSize")
def _part(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    if not isinstance(values[0], DataBuffer):
        raise NotUnderstoodError(f"takes a {describe(values[0])} for a data buffer")
    return values[0].data if name.endswith("Addr") else values[0].size


@handles("aclrtGetRunMode")
def _run_mode(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> int:
    store_result(values[0], _HOST)
    return 0
