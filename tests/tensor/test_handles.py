from __future__ import annotations

import gc
import math
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from children import output_of

import pyaclnn as pa
from pyaclnn.abi import check, ffi, lib
from pyaclnn.sim import control
from pyaclnn.tensor import (
    BoolArray,
    FloatArray,
    IntArray,
    Scalar,
    ScalarList,
    TensorHandle,
    TensorList,
    as_dtype,
)
from pyaclnn.tensor import cached as h
from pyaclnn.tensor.scalar_bits import scalar_bits


@pytest.fixture(autouse=True)
def _empty_caches() -> Iterator[None]:
    h.clear_caches()
    yield
    h.clear_caches()


def size_of(function: str, handle: Any) -> int:
    size = ffi.new("uint64_t *")
    check(getattr(lib, function)(handle, size), function)
    return int(size[0])


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (0.1, "float32", struct.pack("<f", 0.1)),
        (1, "float64", struct.pack("<d", 1.0)),
        (-0.0, "float32", struct.pack("<f", -0.0)),
        (1.5, "float16", struct.pack("<e", 1.5)),
        (1.0, "bfloat16", b"\x80\x3f"),
        (-3, "int8", b"\xfd"),
        (2**64 - 1, "uint64", b"\xff" * 8),
        (4.0, "int16", b"\x04\x00"),
        (True, "bool", b"\x01"),
        (2, "bool", b"\x01"),
        (1 - 2j, "complex64", struct.pack("<ff", 1, -2)),
        (np.int64(-1), "int32", b"\xff" * 4),
        (np.float32(0.1), "float64", struct.pack("<d", np.float32(0.1))),
        (np.array(7), "uint8", b"\x07"),
        (math.inf, "float16", struct.pack("<e", math.inf)),
    ],
)
def test_scalars_have_the_bits_of_their_dtype(value: Any, dtype: str, expected: bytes) -> None:
    assert scalar_bits(value, as_dtype(dtype)) == expected


def test_a_nan_stays_a_nan() -> None:
    bits = scalar_bits(math.nan, as_dtype("float32"))

    assert math.isnan(struct.unpack("<f", bits)[0])


@pytest.mark.parametrize(
    ("value", "dtype", "error", "text"),
    [
        (128, "int8", OverflowError, "128 is out of range for int8: -128 to 127"),
        (-1, "uint32", OverflowError, "out of range for uint32"),
        (2**64, "int64", OverflowError, "out of range"),
        (1e5, "float16", OverflowError, r"100000.0 is out of range for float16"),
        (1e300, "float32", OverflowError, "out of range for float32"),
        (10**400, "float64", OverflowError, "out of range for float64"),
        (0.5, "int32", TypeError, "0.5 is not an integer"),
        (math.nan, "int32", TypeError, "nan is not an integer"),
        (math.inf, "int32", TypeError, "inf is not an integer"),
        (1j, "float32", TypeError, "complex"),
        ("1", "float32", TypeError, "a number is needed, not str '1'"),
        (None, "float32", TypeError, "a number is needed, not NoneType"),
        ([1], "float32", TypeError, "a number is needed, not list"),
        (np.ones(1), "float32", TypeError, "a number is needed, not ndarray"),
        (np.datetime64("2020"), "int64", TypeError, "a number is needed"),
        (1, "object", TypeError, "is not a dtype of aclnn tensors"),
    ],
    ids=range(16),
)
def test_scalars_refuse_what_would_change_silently(
    value: Any, dtype: str, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        Scalar(value, dtype)
    with pytest.raises(error, match=text):
        h.scalar_handle(value, dtype)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: Scalar(1.5, "float32"), "scalar"),
        (lambda: IntArray([1, 2]), "int_array"),
        (lambda: FloatArray([0.5]), "float_array"),
        (lambda: BoolArray([True]), "bool_array"),
        (lambda: TensorHandle(TENSOR), "tensor"),
        (lambda: TensorList([]), "tensor_list"),
        (lambda: ScalarList([]), "scalar_list"),
    ],
)
def test_an_object_lives_as_long_as_its_owner(make: Any, kind: str) -> None:
    before = control.count(kind)

    owner = make()
    during = control.count(kind)
    owner.close()
    owner.close()
    after = control.count(kind)
    make()

    assert (during, after, control.count(kind)) == (before + 1, before, before)
    with pytest.raises(pa.ClosedError, match=f"{type(owner).__name__} is closed"):
        _ = owner.handle


TENSOR = pa.zeros((2, 3))


@pytest.mark.parametrize(
    ("make", "function"),
    [
        (IntArray, "aclGetIntArraySize"),
        (FloatArray, "aclGetFloatArraySize"),
        (BoolArray, "aclGetBoolArraySize"),
    ],
)
@pytest.mark.parametrize("count", [0, 1, 5])
def test_c_sees_all_values_of_an_array(make: Any, function: str, count: int) -> None:
    assert size_of(function, make([1] * count).handle) == count


def test_lists_destroy_their_elements_once_and_leave_the_tensors_alone() -> None:
    tensor = pa.zeros(3)
    handle = tensor.handle
    before = control.count("total")

    tensors = TensorList([tensor, None, tensor.T])
    scalars = ScalarList([(1, "int64"), (0.5, "float32")])
    sizes = (
        size_of("aclGetTensorListSize", tensors.handle),
        size_of("aclGetScalarListSize", scalars.handle),
    )
    during = control.count("total")
    tensors.close()
    scalars.close()

    assert sizes == (3, 2)
    assert during - before == (1 + 2) + (1 + 2)
    assert control.count("total") == before
    assert tensor.handle is handle


def test_a_list_that_cannot_be_made_leaves_nothing_behind() -> None:
    tensor = pa.zeros(3)
    before = control.count("total")

    with control.fault("aclCreateTensorList:1:200000"), pytest.raises(pa.AclError):
        TensorList([tensor])
    with control.fault("aclCreateScalar:2:200000"), pytest.raises(pa.AclError):
        ScalarList([(1, "int64"), (2, "int64")])

    assert control.count("total") == before


def test_a_list_keeps_its_tensors_alive() -> None:
    tensor = pa.zeros(3)
    buffer_address = tensor.buffer.ptr
    tensors = TensorList([tensor])
    del tensor
    gc.collect()

    others = [pa.zeros(3) for _ in range(100)]
    assert buffer_address not in [other.buffer.ptr for other in others]
    tensors.close()
    others += [pa.zeros(3) for _ in range(100)]
    assert buffer_address in [other.buffer.ptr for other in others]


@pytest.mark.parametrize(
    ("make", "values"),
    [
        (h.int_array_handle, [(1, 2), (2, 1), ()]),
        (h.bool_array_handle, [(True, False), (False, True), ()]),
        (h.float_array_handle, [(0.5, 1.0), (0.0,), (-0.0,), ()]),
    ],
)
def test_equal_arrays_are_shared_and_different_ones_are_not(make: Any, values: list[Any]) -> None:
    made = [make(v) for v in values]

    assert [make(v) for v in values] == made
    assert len(set(map(id, made))) == len(values)


def test_equal_scalars_are_shared_and_different_ones_are_not() -> None:
    values = [
        (0.5, "float32"),
        (0.5, "float64"),
        (0.0, "float32"),
        (-0.0, "float32"),
        (complex(1, 0.0), "complex64"),
        (complex(1, -0.0), "complex64"),
    ]
    made = [h.scalar_handle(*v) for v in values]

    assert [h.scalar_handle(*v) for v in values] == made
    assert len(set(map(id, made))) == len(values)


def test_the_cache_of_scalars_is_bounded() -> None:
    before = control.count("scalar")

    for number in range(10_000):
        h.scalar_handle(float(number), "float32")
        h.scalar_handle(math.nan * number, "float32")
    cached = control.count("scalar") - before
    h.clear_caches()

    assert 0 < cached <= 4096
    assert control.count("scalar") == before


def test_a_scalar_in_use_survives_its_cache() -> None:
    scalar = h.scalar_handle(0.5, "float32")
    handle = scalar.handle
    h.clear_caches()

    assert scalar.handle is handle
    assert not scalar.closed


OBJECTS = """
import gc, os, sys, warnings
import pyaclnn as pa
from pyaclnn.tensor import cached as h, TensorList
tensor = pa.zeros((2, 3))
keep = [tensor.handle, TensorList([tensor]), h.scalar_handle(0.5, "float32")]
"""


def test_nothing_is_left_at_exit_though_nothing_was_closed() -> None:
    assert output_of(OBJECTS, PYACLNN_SIM_CHECK="leaks") == ""


def test_dropping_objects_in_a_forked_child_calls_nothing() -> None:
    # The simulator answers calls of a forked child with an error, which would be warned of.
    code = """
warnings.simplefilter("ignore", DeprecationWarning)
child = os.fork()
if child == 0:
    del tensor, keep
    h.clear_caches()
    gc.collect()
    sys.exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""

    assert output_of(OBJECTS + code) == "0"


def test_objects_of_a_forked_child_are_refused() -> None:
    code = """
warnings.simplefilter("ignore", DeprecationWarning)
child = os.fork()
if child == 0:
    for make in (lambda: h.IntArray([1]), lambda: pa.zeros(2), lambda: tensor.numpy()):
        try:
            make()
        except pa.ForkedProcessError as error:
            print("spawn" in str(error), flush=True)
    sys.exit(0)
os.waitpid(child, 0)
"""

    assert output_of(OBJECTS + code).split() == ["True"] * 3
