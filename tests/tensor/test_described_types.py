"""Data types that NumPy lacks, by name."""

from __future__ import annotations

import pytest

import pyaclnn as pa
from pyaclnn.tensor.dtypes import OWN_DATA_TYPES
from pyaclnn.tensor.formats import with_format


def described(dtype: str | int) -> int:
    tensor = with_format(pa.zeros((8,), "uint8"), shape=(2, 4), dtype=dtype)
    out = pa.ffi.new("aclDataType *")
    pa.check(pa.lib.aclGetDataType(tensor.handle, out))
    return int(out[0])


@pytest.mark.parametrize("name", [*OWN_DATA_TYPES, "int4", "float8_e5m2", "float8_e4m3fn"])
def test_a_name_is_that_of_the_header(name: str) -> None:
    code = int(pa.abi.index.value(f"ACL_{name.upper()}"))

    assert described(name) == code
    assert described(code) == code


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(TypeError, match="float9"):
        described("float9")
