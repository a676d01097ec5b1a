from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from children import output_of

import pyaclnn as pa
from pyaclnn.abi import ffi, lib
from pyaclnn.tensor import acl_dtype, as_dtype, asarray, dtype_of_code
from pyaclnn.tensor.dtypes import ACL_DATA_TYPES

C_NAMES = {
    "float32": "ACL_FLOAT",
    "float64": "ACL_DOUBLE",
    "bfloat16": "ACL_BF16",
    "float8_e8m0fnu": "ACL_FLOAT8_E8M0",
    "float4_e2m1fn": "ACL_FLOAT4_E2M1",
}
HALF_BYTES = ("int4", "float4_e2m1fn")


@pytest.mark.parametrize("name", ACL_DATA_TYPES)
def test_the_table_agrees_with_the_header(name: str) -> None:
    assert ACL_DATA_TYPES[name] == getattr(lib, C_NAMES.get(name, f"ACL_{name.upper()}"))


@pytest.mark.parametrize("name", sorted({*ACL_DATA_TYPES} - {*HALF_BYTES}))
def test_item_sizes_agree_with_c(name: str) -> None:
    assert as_dtype(name).itemsize == lib.aclDataTypeSize(acl_dtype(name))


@pytest.mark.parametrize("name", ACL_DATA_TYPES)
def test_a_code_leads_back_to_its_dtype(name: str) -> None:
    assert dtype_of_code(acl_dtype(name)) == as_dtype(name)


@pytest.mark.parametrize("spelling", ["bfloat16", ml_dtypes.bfloat16, np.dtype(ml_dtypes.bfloat16)])
def test_bfloat16_is_accepted_however_it_is_spelled(spelling: object) -> None:
    assert acl_dtype(spelling) == 27


@pytest.mark.parametrize("spelling", ["f4", np.float32, np.dtype("<f4"), "float32", "single"])
def test_dtypes_are_spelled_as_in_numpy(spelling: object) -> None:
    assert acl_dtype(spelling) == 0


def test_foreign_byte_order_becomes_native() -> None:
    assert as_dtype(">i4") == np.dtype(np.int32)


@pytest.mark.parametrize(
    "spellings",
    [
        (np.float32, "f4", ">f4", np.dtype(">f4"), np.dtype("f4").newbyteorder().newbyteorder()),
        (float, "d", np.double, "float64", np.str_("float64")),
        (bool, "?", np.bool_, "bool"),
        (ml_dtypes.bfloat16, "bfloat16", np.dtype(ml_dtypes.bfloat16)),
    ],
)
def test_equal_dtypes_are_one_object_however_often_they_are_asked_for(
    spellings: tuple[object, ...],
) -> None:
    found = [as_dtype(spelling) for spelling in spellings * 2]

    assert all(dtype is found[0] for dtype in found)
    assert found[0].isnative


@pytest.mark.parametrize("dtype", [object, "S3", "U3", "M8[s]", np.longdouble, "i4,i4", None, "x"])
def test_what_aclnn_has_not_is_refused_with_what_it_has(dtype: object) -> None:
    with pytest.raises(TypeError, match=r"is not a dtype of aclnn tensors; these are: float32, "):
        as_dtype(dtype)


@pytest.mark.parametrize("code", [13, 30, 34, 999])
def test_a_code_without_numpy_dtype_is_refused(code: int) -> None:
    with pytest.raises(TypeError, match=f"aclDataType {code}"):
        dtype_of_code(code)


def test_ml_dtypes_is_imported_only_when_it_is_needed() -> None:
    code = """
    import sys
    import pyaclnn.tensor
    before = "ml_dtypes" in sys.modules
    pyaclnn.tensor.as_dtype("bfloat16")
    print(before, "ml_dtypes" in sys.modules)
    """

    assert output_of(code) == "False True"


@pytest.mark.parametrize("name", ACL_DATA_TYPES)
def test_values_of_every_dtype_come_back_unchanged(name: str) -> None:
    values = np.array([[1, 2, 5], [100, 17, 3]]).astype(as_dtype(name))

    returned = asarray(values).numpy()

    assert returned.dtype == values.dtype
    np.testing.assert_array_equal(returned, values)


@pytest.mark.parametrize("name", [n for n in ACL_DATA_TYPES if "float8" in n or n in HALF_BYTES])
def test_narrow_types_are_named_as_in_ml_dtypes(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))

    assert as_dtype(name) is as_dtype(getattr(ml_dtypes, name)) is as_dtype(dtype)
    assert as_dtype(name) == dtype


def test_the_first_of_two_int4_is_the_lower_half_of_the_byte() -> None:
    tensor = asarray([1, -1, -8], dtype="int4")

    assert tensor.nbytes == 2
    raw = pa.Tensor(tensor.buffer, (2,), "uint8").numpy()
    assert raw.tolist() == [0xF1, 0x08]
    assert [int(value) for value in tensor.numpy()] == [1, -1, -8]


@pytest.mark.parametrize("name", HALF_BYTES)
@pytest.mark.parametrize(
    "key", [(0,), (1,), (slice(None), slice(1, 4)), (slice(None, None, 2), slice(0, 5, 3)), (2, 4)]
)
def test_views_of_half_bytes_are_read_and_written(name: str, key: tuple[object, ...]) -> None:
    values = np.arange(15).reshape(3, 5).astype(np.float32) % 5
    expected = values.astype(as_dtype(name))
    tensor = asarray(expected)

    np.testing.assert_array_equal(tensor[key].numpy(), expected[key])
    new = np.ones_like(expected[key])
    tensor[key].copy_from(new)

    # What shares a byte with the view keeps its value.
    expected[key] = new
    np.testing.assert_array_equal(tensor.numpy(), expected)


def test_half_bytes_are_copied_on_the_device_and_where_the_device_cannot() -> None:
    values = asarray([1, 2, 3, 4, 5], dtype="int4")
    even, odd = pa.zeros((4,), "int4"), pa.zeros((6,), "int4")

    even.copy_from(values[:4])
    odd[:3].copy_from(values[1:4])

    assert [int(v) for v in even.numpy()] == [1, 2, 3, 4]
    assert [int(v) for v in odd.numpy()] == [2, 3, 4, 0, 0, 0]
    assert [int(v) for v in pa.empty_like(values).copy_from(values).numpy()] == [1, 2, 3, 4, 5]


def test_c_is_told_how_many_half_bytes_there_are() -> None:
    tensor = asarray(np.zeros((3, 5)), dtype="int4")
    dims, count = ffi.new("int64_t **"), ffi.new("uint64_t *")
    dtype = ffi.new("aclDataType *")

    assert lib.aclGetStorageShape(tensor.handle, dims, count) == 0
    assert lib.aclGetDataType(tensor.handle, dtype) == 0

    # The last byte has room for one more.
    assert (count[0], dims[0][0], dtype[0]) == (1, 16, lib.ACL_INT4)
    with pytest.raises(ValueError, match="elements"):
        pa.Tensor(tensor.buffer, (17,), "int4")


@pytest.mark.parametrize("name", HALF_BYTES)
def test_half_bytes_are_refused_where_bytes_are_needed(name: str) -> None:
    tensor = pa.zeros((4,), name)

    with pytest.raises(ValueError, match="two elements in a byte"):
        tensor.numpy(stream=pa.current_stream())
    with pytest.raises(BufferError, match="two elements in a byte"):
        tensor.__dlpack__()


@pytest.mark.parametrize("value", [8, -9, 1.5])
def test_numbers_that_int4_has_not_are_refused(value: float) -> None:
    with pytest.raises((OverflowError, TypeError), match="int4"):
        pa.full((3,), value, "int4")


def test_every_element_of_half_a_byte_is_filled() -> None:
    assert [int(v) for v in pa.full((5,), -3, "int4").numpy()] == [-3] * 5


def test_operators_refuse_types_they_do_not_have_by_name() -> None:
    with pytest.raises(pa.AclError, match="float8_e5m2") as caught:
        pa.ops.add(pa.ones((3,), "float8_e5m2"), pa.ones((3,), "float8_e5m2"), 1)
    assert caught.value.code == 161002
