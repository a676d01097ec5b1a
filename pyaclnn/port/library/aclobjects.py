"""The objects of libnnopbase: tensors, scalars, arrays, lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.port.data.conversions import convert
from pyaclnn.port.data.cpp_types import FLOAT, CType
from pyaclnn.port.data.memory import Memory, Pointer, Vector, data_pointer
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.runtime_numbers import cast_symbol, is_snapshot
from pyaclnn.port.data.symbols import Element, Expression, Symbol
from pyaclnn.port.data.values import CellPointer
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.library.aclcalls import as_device, handles, integer, record, store_result
from pyaclnn.port.library.stdlib import host_memory
from pyaclnn.port.model import ArrayObject, ListObject, ScalarObject, TensorObject
from pyaclnn.tensor.dtypes import ACL_DATA_TYPES, NARROW

_MAX_RANK = 64
#: Operators whose results have a shape that depends on the data.
_SHAPES_BY_CONTENT = (
    "Nonzero", "Unique", "MaskedSelect", "BroadcastGradientArgs", "NonMaxSuppression", "undeclared",
)  # fmt: skip
_INT64 = CType("int", "int64")

_KINDS = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex", "V": "float"}
#: aclDataType to a type of elements, where C++ has one.
TYPES: dict[int, CType] = {
    code: CType("float" if name == "bfloat16" else _KINDS[np.dtype(name).kind], name)
    for name, code in ACL_DATA_TYPES.items()
    if name not in NARROW
}


#: ACL_DT_UNDEFINED and ACL_STRING.
_SIZELESS = frozenset([-1, 13])


@handles("aclCreateTensor")
def _tensor(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    dims, rank, dtype, strides, offset, layout, storage, storage_rank, data = values
    if data is not None and as_device(data) is None:
        raise NotUnderstoodError(f"describes a {describe(data)} as device memory")
    tensor = TensorObject(
        shape=integers(dims, rank),
        dtype=integer(dtype, "the data type of a tensor"),
        strides=None if strides is None else integers(strides, rank),
        offset=integer(offset, "the offset of a tensor"),
        format=integer(layout, "the format of a tensor"),
        storage=integers(storage, storage_rank),
        data=data,
    )
    # As they are now: samples change their vectors afterwards.
    arguments = (
        tensor.shape, rank, tensor.dtype, tensor.strides, tensor.offset, tensor.format,
        tensor.storage, storage_rank, data,
    )  # fmt: skip
    return record(interpreter, name, arguments, tensor)


@handles("aclInitTensor")
def _init(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    tensor, dims, rank, dtype, strides, offset, layout, storage, storage_rank, data = values
    if not isinstance(tensor, TensorObject) or (data is not None and as_device(data) is None):
        raise NotUnderstoodError(f"describes a {describe(data)} by a {describe(tensor)}")
    shape, extents = integers(dims, rank), integers(storage, storage_rank)
    steps = None if strides is None else integers(strides, rank)
    arguments = (
        tensor, shape, len(shape), integer(dtype, "the data type of a tensor"), steps,
        integer(offset, "the offset of a tensor"), integer(layout, "the format of a tensor"),
        extents, len(extents), data,
    )  # fmt: skip
    return record(interpreter, name, arguments)


def integers(value: Any, count: Any) -> tuple[int, ...]:
    """Return the numbers that an address and their count stand for."""
    count = integer(count, "the number of dimensions")
    if not 0 <= count <= _MAX_RANK:
        raise NotUnderstoodError(f"{count} is no number of dimensions")
    return tuple(integer(v, "a dimension") for v in read_array(value, count, _INT64))


def read_array(value: Any, count: Any, ctype: CType | None = None) -> list[Any]:
    """Return what an address of some values points to.

    Raises
    ------
    NotUnderstoodError
        If it points to too few, or to nothing the translator follows.
    """
    count = integer(count, "the number of values")
    if count == 0 or value is None:
        return []
    if isinstance(value, Vector):
        value = data_pointer(value)
    if isinstance(value, CellPointer):
        if count != 1:
            raise NotUnderstoodError(f"reads {count} values where there is one variable")
        return [value.cell.get()]
    if not isinstance(value, Pointer) or count > 1 << 20:
        raise NotUnderstoodError(f"reads values from a {describe(value)}")
    if isinstance(value.target, Memory) and ctype is not None:
        value = Pointer(value.target, value.offset, ctype)
    return [value.load(i) for i in range(count)]


@handles("aclCreateScalar")
def _scalar(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    pointer, dtype = values
    code = integer(dtype, "the data type of a scalar")
    if pointer is None:
        raise NotUnderstoodError("makes a scalar of a null pointer")
    ctype = TYPES.get(code)
    if ctype is None:
        raise NotUnderstoodError(f"makes a scalar of data type {code}")
    scalar = ScalarObject(value=_scalar_value(interpreter, pointer, ctype), dtype=code)
    return record(interpreter, name, (scalar.value, code), scalar)


def _scalar_value(interpreter: Interpreter, pointer: Any, ctype: CType) -> Any:
    if isinstance(pointer, CellPointer) and not pointer.cell.ctype.is_number:
        value = pointer.cell.get()
        if isinstance(value, (int, float, complex)):
            return value
    start = host_memory(pointer)
    assert isinstance(start.target, Memory)
    there = start.target.size - start.offset
    if there < ctype.size:
        # A smaller variable than the type says: C reads its neighbours, the author means it.
        interpreter.note_once(
            f"the sample makes a scalar of {ctype.size} bytes from a variable of {there}, and C "
            "reads what lies behind it; here the scalar has the variable's value"
        )
        value = start.load(0)
        return ctype.dtype.type(value).item() if isinstance(value, (int, float)) else value
    value = start.target.load(start.offset, ctype)
    if isinstance(value, Symbol):
        raise NotUnderstoodError("makes a scalar of a result")
    return value


@handles("aclCreateIntArray", "aclCreateFloatArray", "aclCreateBoolArray")
def _array(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    kind = name.removeprefix("aclCreate").removesuffix("Array")
    ctype = {"Int": _INT64, "Float": CType("float", "float32"), "Bool": CType("bool", "bool")}
    items = read_array(values[0], values[1], ctype[kind])
    if any(isinstance(v, Symbol) for v in items):
        raise NotUnderstoodError("makes an array of results")
    array = ArrayObject(kind=kind, values=tuple(items))
    return record(interpreter, name, (array.values, len(items)), array)


@handles("aclCreateTensorList", "aclCreateScalarList")
def _list(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    kind = name.removeprefix("aclCreate").removesuffix("List")
    made = ListObject(kind=kind, items=tuple(read_array(values[0], values[1])))
    if not made.items and made.kind == "Tensor" and values[0] is None:
        return record(interpreter, name, values, made)
    for item in made.items:
        if item is not None and not isinstance(item, (TensorObject, ScalarObject)):
            raise NotUnderstoodError(f"makes a list of a {describe(item)}")
    return record(interpreter, name, (made.items, len(made.items)), made)


@handles(
    "aclDestroyTensor", "aclDestroyScalar", "aclDestroyIntArray", "aclDestroyFloatArray",
    "aclDestroyBoolArray", "aclDestroyTensorList", "aclDestroyScalarList",
)  # fmt: skip
def _destroy(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    held = values[0]
    if held is None:
        return 0
    if getattr(held, "destroyed", False):
        # Samples destroy elements of a list that the list has destroyed: a bug not to be ported.
        return 0
    held.destroyed = True
    for item in held.items if isinstance(held, ListObject) else ():
        if item is not None:
            item.destroyed = True
    return record(interpreter, name, values)


@handles("aclGetViewShape", "aclGetViewStrides", "aclGetStorageShape")
def _shape(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    tensor, target, count = values
    if not isinstance(tensor, TensorObject):
        raise NotUnderstoodError(f"asks a {describe(tensor)} for its shape")
    writer = interpreter.writers.get(tensor, "")
    if name == "aclGetViewShape" and any(word in writer for word in _SHAPES_BY_CONTENT):
        raise NotUnderstoodError("the shape a result has after the call is only known at run time")
    found = {"aclGetViewShape": tensor.shape, "aclGetStorageShape": tensor.storage}
    dims = found.get(name, tensor.strides or ())
    memory = Memory(8 * max(len(dims), 1))
    memory.writable()
    memory.view(_INT64)[: len(dims)] = dims
    store_result(target, Pointer(memory, 0, _INT64))
    store_result(count, len(dims))
    return 0


@handles("aclGetDataType", "aclGetFormat")
def _property(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    tensor = values[0]
    if not isinstance(tensor, TensorObject):
        raise NotUnderstoodError(f"asks a {describe(tensor)} for its data type")
    store_result(values[1], tensor.dtype if name == "aclGetDataType" else tensor.format)
    return 0


@handles("aclDataTypeSize")
def _dtype_size(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    return size_of_type(integer(values[0], "a data type"))


def size_of_type(code: int) -> int:
    """Return how many bytes CANN counts for an element: one for those that have fewer."""
    if code in _SIZELESS:
        return 0
    return TYPES[code].size if code in TYPES else 1


@handles("aclFloat16ToFloat")
def _from_half(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    return decoded(values[0], CType("float", "float16"))


@handles("aclFloatToFloat16")
def _to_half(interpreter: Interpreter, name: str, values: tuple[Any, ...]) -> Any:
    if isinstance(values[0], Symbol):
        raise NotUnderstoodError("converts a result to float16 bits")
    return convert(int(np.float16(values[0]).view(np.uint16)), CType("int", "uint16"))


def decoded(bits: Any, ctype: CType) -> Any:
    """Return the number that 16 bits stand for, as a float."""
    while isinstance(bits, Expression) and is_snapshot(bits):
        bits = bits.operands[0]
    if isinstance(bits, Element) and bits.ctype.size == ctype.size:
        return cast_symbol(bits.reinterpreted(ctype), FLOAT)
    if isinstance(bits, Symbol):
        raise NotUnderstoodError("takes computed bits for a half")
    return convert(float(np.uint16(int(bits) & 0xFFFF).view(ctype.dtype)), FLOAT)
