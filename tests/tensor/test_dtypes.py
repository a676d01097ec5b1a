from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from children import output_of

from pyaclnn.abi import lib
from pyaclnn.tensor import acl_dtype, as_dtype, asarray, dtype_of_code
from pyaclnn.tensor.dtypes import ACL_DATA_TYPES

C_NAMES = {"float32": "ACL_FLOAT", "float64": "ACL_DOUBLE", "bfloat16": "ACL_BF16"}


@pytest.mark.parametrize("name", ACL_DATA_TYPES)
def test_the_table_agrees_with_the_header(name: str) -> None:
    assert ACL_DATA_TYPES[name] == getattr(lib, C_NAMES.get(name, f"ACL_{name.upper()}"))


@pytest.mark.parametrize("name", ACL_DATA_TYPES)
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


@pytest.mark.parametrize("dtype", [object, "S3", "U3", "M8[s]", np.longdouble, "i4,i4", None, "x"])
def test_what_aclnn_has_not_is_refused_with_what_it_has(dtype: object) -> None:
    with pytest.raises(TypeError, match=r"is not a dtype of aclnn tensors; these are: float32, "):
        as_dtype(dtype)


@pytest.mark.parametrize("code", [13, 29, 999])
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
    values = np.array([[0, 1, 5], [100, 17, 3]]).astype(as_dtype(name))

    returned = asarray(values).numpy()

    assert returned.dtype == values.dtype
    np.testing.assert_array_equal(returned, values)
