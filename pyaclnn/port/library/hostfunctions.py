"""Functions of aclnn that compute on the host, from known values: sizes, shapes, bits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyaclnn.port.data.cpp_types import FLOAT, INT64, CType
from pyaclnn.port.data.memory import Memory, Pointer
from pyaclnn.port.data.references import describe
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.library.aclcalls import handles, integer, store_result
from pyaclnn.port.library.aclobjects import TYPES
from pyaclnn.port.library.stdlib import host_memory
from pyaclnn.port.model import ArrayObject, TensorObject

_UINT64 = CType("int", "uint64")
_NZ = 29
#: int8, float16, bfloat16 and float8_e4m3fn of the other operand: Ascend 950 makes blocks for it.
_OTHER_OPERANDS = (2, 1, 27, 36)
_MAX_SCALES = 1 << 20


def _give_array(target: Any, count: Any, values: list[int], ctype: CType) -> None:
    """Give an array that the function allocates, and its length."""
    memory = Memory(8 * len(values))
    memory.writable()
    memory.view(ctype)[:] = values
    store_result(target, Pointer(memory, 0, ctype))
    store_result(count, len(values))


@handles("aclnnCalculateMatmulWeightSize", "aclnnCalculateMatmulWeightSizeV2")
def _weight_size(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    """Follow the size of a weight in FRACTAL_NZ: the last two extents come in whole blocks."""
    array, code = values[0], values[1] if len(values) > 2 else 1
    if not isinstance(array, ArrayObject) or len(array.values) < 2:
        raise NotUnderstoodError(f"{name} takes an aclIntArray with the shape of a weight")
    *outer, rows, columns = array.values
    width = 32 if code in (2, 4) else 16
    count = -(-rows // 16) * 16 * (-(-columns // width) * width)
    for extent in outer:
        count *= extent
    store_result(values[-1], count)
    return 0


@handles("aclnnCalculateConvolutionWeightSize")
def _convolution_weight_size(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    """Follow the size of a weight in FRACTAL_Z: channels in and out come in blocks of 16."""
    array, transposed, groups, dtype, size = values
    if not isinstance(array, ArrayObject) or len(array.values) != 4:
        raise NotUnderstoodError(f"{name} takes an aclIntArray with the four extents of a weight")
    if transposed or groups != 1 or dtype != 1:
        raise NotUnderstoodError(f"{name} is followed for one group of float16 only")
    outputs, channels, height, across = array.values
    store_result(size, -(-channels // 16) * height * across * -(-outputs // 16) * 256)
    return 0


@handles("aclnnNpuFormatCastCalculateSizeAndFormat")
def _cast_format(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    """Follow the shape a tensor has in a private format."""
    tensor, layout, base, target, count, actual = values
    if not isinstance(tensor, TensorObject):
        raise NotUnderstoodError(f"asks for the private format of a {describe(tensor)}")
    size = TYPES[tensor.dtype].size if tensor.dtype in TYPES else 1 if tensor.dtype < 37 else 0
    if layout == _NZ and size == 4 and base in _OTHER_OPERANDS:
        raise NotUnderstoodError(f"{name} answers something else on each chip for this dtype")
    dims = _private_shape(tensor.shape, integer(layout, "a format"), size)
    _give_array(target, count, dims, INT64)
    store_result(actual, layout)
    return 0


def _private_shape(shape: tuple[int, ...], layout: int, itemsize: int) -> list[int]:
    """Return the extents of the memory: blocks of 32 bytes, by 16 rows, or by 16 of a batch."""
    width = 32 // itemsize if itemsize in (1, 2, 4) else 0
    if layout == _NZ and len(shape) >= 2 and width:
        *outer, rows, columns = shape
        return [*outer, -(-columns // width), -(-rows // 16), 16, width]
    if layout in (32, 33) and len(shape) == 5 and width:
        batch, channels, depth, height, across = shape
        blocks = -(-channels // width)
        if layout == 32:
            return [batch, depth, blocks, height, across, width]
        return [depth * blocks * height * across, -(-batch // 16), 16, width]
    raise NotUnderstoodError(f"the shape of a {len(shape)}-dimensional tensor in format {layout}")


@handles("aclnnTransQuantParam")
def _quant_param(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    """Follow scales and offsets to the 64 bits that the matrix unit takes."""
    scales = _floats(values[0], integer(values[1], "a number of scales"))
    offsets = _floats(values[2], integer(values[3], "a number of offsets"))
    if not scales or any(not math.isfinite(x) for x in scales + offsets):
        raise NotUnderstoodError(f"{name} takes finite scales, one at least")
    count = max(len(scales), len(offsets))
    packed = [0] * (count if count == 1 else -(-count // 16) * 16)
    for index, bits in enumerate(np.array(scales, np.float32).view(np.uint32).tolist()):
        if bits & 0x1FFF:
            # Documented as cut off; where they are kept, nobody reads them.
            raise NotUnderstoodError(f"{name} gets a scale of more than 10 bits of fraction")
        packed[index] = bits | 1 << 46
    for index, offset in enumerate(offsets):
        nearest = math.copysign(math.floor(abs(offset) + 0.5), offset)
        whole = int(max(-256, min(255, nearest)))
        packed[index] = packed[index] & 0x4000FFFFFFFF | (whole & 0x1FF) << 37
    interpreter.note_once(f"{name} computes on the host; the port has its results")
    _give_array(values[4], values[5], packed, _UINT64)
    return 0


def _floats(value: Any, count: int) -> list[float]:
    if value is None or count == 0:
        return []
    if not 0 < count <= _MAX_SCALES:
        raise NotUnderstoodError("takes an array of a length that no sample has")
    start = host_memory(value).retyped(FLOAT)
    found = [start.load(index) for index in range(count)]
    if not all(isinstance(v, float) for v in found):
        raise NotUnderstoodError("takes scales that only a run knows")
    return found
