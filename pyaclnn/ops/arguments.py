"""Python values to C arguments: one converter for each kind of parameter, chosen once.

A converter takes the Python value and a list, to which it appends objects that must outlive the
call, and returns the C value. It raises TypeError or ValueError, whose message says what is
accepted; the caller adds the name of the parameter.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from pyaclnn.abi import describe, ffi
from pyaclnn.ops.modes import modes
from pyaclnn.ops.rules import ONLY_ND, scalar_dtype
from pyaclnn.ops.spec import Argument
from pyaclnn.tensor import Scalar, Tensor, TensorHandle
from pyaclnn.tensor.cached import (
    bool_array_handle,
    float_array_handle,
    int_array_handle,
    scalar_list_handle,
    share_list,
    shared,
    tensor_list_handle,
    text_handle,
)
from pyaclnn.tensor.descriptions import FORMAT_ND
from pyaclnn.tensor.dtypes import data_type

#: (value, keep) -> C argument.
Converter = Callable[[Any, list[object]], Any]

#: Bits and signedness of the C integer types that occur in operator signatures.
_INTEGERS = {
    "int8_t": (8, True),
    "int16_t": (16, True),
    "int": (32, True),
    "int32_t": (32, True),
    "int64_t": (64, True),
    "uint8_t": (8, False),
    "uint16_t": (16, False),
    "uint32_t": (32, False),
    "uint64_t": (64, False),
    "size_t": (64, False),
}


def _tensor(value: Any, keep: list[object]) -> Any:
    if value.__class__ is Tensor:
        return value.handle
    if value is None:
        return ffi.NULL
    hint = "; make one with pyaclnn.asarray" if isinstance(value, (np.ndarray, list, tuple)) else ""
    raise TypeError(f"a pyaclnn.Tensor or None is needed, not {_kind(value)}{hint}")


def _tensor_as_nd(value: Any, keep: list[object]) -> Any:
    if value.__class__ is not Tensor or value.ndim not in (3, 4, 5):
        return _tensor(value, keep)
    own = TensorHandle(value, FORMAT_ND)
    keep.append(own)
    return own.handle


def _tensor_list(value: Any, keep: list[object], acl_format: int | None = None) -> Any:
    if value is None:
        return ffi.NULL
    if isinstance(value, Tensor) or not isinstance(value, Sequence):
        raise TypeError(f"a sequence of pyaclnn.Tensor is needed, not {_kind(value)}")
    for position, item in enumerate(value):
        if item is not None and item.__class__ is not Tensor:
            raise TypeError(f"item {position} must be a pyaclnn.Tensor or None, not {_kind(item)}")
    handle = tensor_list_handle(value, acl_format)
    keep.append(handle)
    return handle.handle


def _tensor_list_as_nd(value: Any, keep: list[object]) -> Any:
    return _tensor_list(value, keep, FORMAT_ND)


def _shared_tensor_list(value: Any, keep: list[object]) -> Any:
    # Lists are cached, since a model passes the same parameters repeatedly: saves 2 µs a tensor.
    if value.__class__ in (list, tuple):
        with suppress(LookupError):
            found = share_list(value)
            keep.append(found)
            return found.handle
    return _tensor_list(value, keep)


def python_scalar_dtype(value: Any) -> np.dtype[Any]:
    """Return the dtype a Python or NumPy number has as an aclScalar when nothing else is asked for.

    Raises
    ------
    TypeError
        For anything that is not a number.
    """
    if isinstance(value, (np.generic, np.ndarray)):
        if value.ndim == 0:
            return value.dtype
        raise TypeError(f"a single number is needed, not an array of shape {value.shape}")
    for kind, dtype in (
        (bool, "bool"),
        (int, "int64"),
        (float, "float64"),
        (complex, "complex128"),
    ):
        if isinstance(value, kind):
            return np.dtype(dtype)
    raise TypeError(f"a number is needed, not {_kind(value)}")


def _scalar(dtype: str | None) -> Converter:
    fixed = None if dtype is None else np.dtype(dtype)
    real = fixed is not None and fixed.kind != "c"

    def convert(value: Any, keep: list[object]) -> Any:
        if value is None:
            return ffi.NULL
        natural = python_scalar_dtype(value)
        if real and natural.kind == "c":
            raise TypeError(f"a real number is needed, not {value!r}")
        element = natural if fixed is None else fixed
        handle = shared(("scalar", dtype), value, lambda: Scalar(value, element))
        keep.append(handle)
        return handle.handle

    return convert


def _scalar_list(value: Any, keep: list[object]) -> Any:
    if value is None:
        return ffi.NULL
    items = _sequence(value, "numbers")
    handle = scalar_list_handle(
        items, lambda: [(item, python_scalar_dtype(item)) for item in items]
    )
    keep.append(handle)
    return handle.handle


def _array(
    make: Callable[[tuple[Any, ...]], Any],
    convert_item: Callable[[Any], Any],
    what: str,
) -> Converter:
    def convert(value: Any, keep: list[object]) -> Any:
        if value is None:
            return ffi.NULL
        items = _sequence(value, what)
        handle = make(tuple(map(convert_item, items)))
        keep.append(handle)
        return handle.handle

    return convert


def _sequence(value: Any, what: str) -> Sequence[Any] | np.ndarray[Any, Any]:
    if isinstance(value, (str, bytes)) or not isinstance(value, (Sequence, np.ndarray)):
        raise TypeError(f"a sequence of {what} is needed, not {_kind(value)}")
    if isinstance(value, np.ndarray) and value.ndim != 1:
        raise TypeError(f"a one-dimensional sequence of {what} is needed, not {value.ndim}-d")
    return value


def _int64(value: Any) -> int:
    return _integer_in_range(value, 64, True)


def _integer_in_range(value: Any, bits: int, signed: bool) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"an integer is needed, not {_kind(value)}") from None
    low = -(1 << (bits - 1)) if signed else 0
    high = (1 << (bits - 1 if signed else bits)) - 1
    if not low <= number <= high:
        raise ValueError(f"{number} is out of range: {low} to {high}")
    return number


def _int(c_type: str) -> Converter:
    bits, signed = _INTEGERS[c_type]
    low = -(1 << (bits - 1)) if signed else 0
    high = (1 << (bits - 1 if signed else bits)) - 1

    def convert(value: Any, keep: list[object]) -> int:
        if value.__class__ is int and low <= value <= high:
            return value
        return _integer_in_range(value, bits, signed)

    return convert


def _mode(names: dict[str, int]) -> Converter:
    number = _int("int64_t")

    def convert(value: Any, keep: list[object]) -> Any:
        if not isinstance(value, str):
            return number(value, keep)
        try:
            return names[value]
        except KeyError:
            raise ValueError(f"{value!r} is none of {', '.join(names)}") from None

    return convert


def _float(value: Any, keep: list[object]) -> float:
    if value.__class__ is float:
        return value
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__"):
        raise TypeError(f"a real number is needed, not {_kind(value)}")
    return float(value)


def _float_item(value: Any) -> float:
    return _float(value, [])


def _bool(value: Any, keep: list[object]) -> bool:
    return _bool_item(value)


def _bool_item(value: Any) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if value.__class__ is int and value in (0, 1):
        return bool(value)
    raise TypeError(f"True or False is needed, not {_kind(value)}")


def _string(value: Any, keep: list[object]) -> Any:
    if value is None:
        return ffi.NULL
    # A communicator is passed as its name.
    named = getattr(value, "__aclnn_text__", value)
    if not isinstance(named, str):
        raise TypeError(f"a string is needed, not {_kind(value)}")
    text = text_handle(named)
    keep.append(text)
    return text


def _dtype(value: Any, keep: list[object]) -> int:
    return data_type(value)


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    return f"{type(value).__name__} {describe(value)}"


_SIMPLE: dict[str, Converter] = {
    "tensor": _tensor,
    "tensor_list": _tensor_list,
    "scalar_list": _scalar_list,
    "int_array": _array(int_array_handle, _int64, "integers"),
    "float_array": _array(float_array_handle, _float_item, "numbers"),
    "bool_array": _array(bool_array_handle, _bool_item, "booleans"),
    "string": _string,
    "float": _float,
    "bool": _bool,
    "dtype": _dtype,
}
_AS_ND: dict[str, Converter] = {"tensor": _tensor_as_nd, "tensor_list": _tensor_list_as_nd}


def converter(operator_c_name: str, argument: Argument) -> Converter:
    """Choose the converter for one parameter of an operator.

    Raises
    ------
    NotImplementedError
        For a parameter type that no known operator uses.
    """
    if operator_c_name in ONLY_ND and argument.kind in _AS_ND:
        return _AS_ND[argument.kind]
    if argument.kind == "tensor_list" and argument.given:
        return _shared_tensor_list
    if argument.kind == "scalar":
        return _scalar(scalar_dtype(operator_c_name, argument.c_name))
    names = modes(operator_c_name, argument.c_name)
    if names is not None:
        return _mode(names)
    if argument.kind == "int":
        return _int(argument.c_type.removeprefix("const ").strip())
    try:
        return _SIMPLE[argument.kind]
    except KeyError:
        raise NotImplementedError(
            f"{operator_c_name}: parameter {argument.c_name} has type {argument.c_type}, "
            "which pyaclnn does not convert; call it through pyaclnn.lib"
        ) from None
