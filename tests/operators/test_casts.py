"""Casts and copies of floats of one byte, which the 950 has."""

from __future__ import annotations

import json
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from children import output_of
from operators.calls import INNER_NULL, INVALID

import pyaclnn as pa

Array = np.ndarray[Any, Any]

#: Every number of a type, cast to wider ones; drawn floats, cast to it; and a view, copied.
_ALL_WAYS = """
    import json, sys
    import ml_dtypes
    import numpy as np
    import pyaclnn as pa

    name, most = "{name}", {most}
    codes = np.arange(256, dtype=np.uint8).view(getattr(ml_dtypes, name))
    found = {{}}
    for to in ("float32", "float16", "bfloat16"):
        wide = pa.ops.cast(pa.asarray(codes), to).numpy().astype(np.float64)
        found[to] = np.where(np.isnan(wide), 1e9, wide).tolist()
    drawn = np.random.default_rng(7).uniform(-most, most, 20000).astype(np.float32)
    drawn[::3] *= np.float32(2.0) ** -np.arange(len(drawn[::3]), dtype=np.float32) % 12
    found["drawn"] = drawn.tolist()
    for of in ("float32", "float16", "bfloat16"):
        some = pa.asarray(drawn.astype(getattr(ml_dtypes, of, of)))
        found["narrow " + of] = pa.ops.cast(some, name).numpy().view(np.uint8).tolist()
    to = pa.zeros((16, 16), name)
    pa.ops.inplace_copy(to, pa.asarray(codes.reshape(16, 16)).T)
    found["copied"] = to.numpy().view(np.uint8).tolist()
    print(json.dumps(found))
"""


@pytest.mark.parametrize(("name", "most"), [("float8_e4m3fn", 448), ("float8_e5m2", 57344)])
def test_floats_of_a_byte_are_cast_as_their_type_says(name: str, most: int) -> None:
    found = json.loads(
        output_of(_ALL_WAYS.format(name=name, most=most), PYACLNN_SIM_SOC="Ascend950")
    )
    kind = getattr(ml_dtypes, name)
    wide: Array = np.arange(256, dtype=np.uint8).view(kind).astype(np.float64)
    wide = np.where(np.isnan(wide), 1e9, wide)

    for to in ("float32", "float16", "bfloat16"):
        assert found[to] == wide.tolist(), to
    drawn = np.array(found["drawn"], np.float32)
    for of in ("float32", "float16", "bfloat16"):
        some = drawn.astype(getattr(ml_dtypes, of, of)).astype(np.float32)
        assert found["narrow " + of] == some.astype(kind).view(np.uint8).tolist(), of
    assert found["copied"] == np.arange(256).reshape(16, 16).T.tolist()


_REFUSED = """
    import pyaclnn as pa

    def code(call, *arguments):
        try:
            call(*arguments)
        except pa.AclError as error:
            return error.code
        return 0

    byte, whole = pa.zeros((4,), "float8_e4m3fn"), pa.zeros((4,), "int32")
    half = pa.zeros((4,), "bfloat16")
    print([
        code(pa.ops.cast, whole, "float8_e5m2"), code(pa.ops.cast, byte, "int32"),
        code(pa.ops.cast, byte, "float8_e5m2"), code(pa.ops.cast, half, "float8_e4m3fn"),
        code(pa.ops.cast, byte, "bfloat16"),
        code(pa.ops.inplace_copy, byte, whole), code(pa.ops.inplace_copy, whole, byte),
        code(pa.ops.inplace_copy, byte[:0], whole[:0]),
    ])
"""


@pytest.mark.parametrize(
    ("chip", "codes"),
    [
        ("Ascend950", [INNER_NULL] * 3 + [0] * 2 + [INNER_NULL] * 2 + [0]),
        ("Ascend910B1", [INVALID] * 8),
    ],
)
def test_other_casts_have_no_kernel(chip: str, codes: list[int]) -> None:
    assert output_of(_REFUSED, PYACLNN_SIM_SOC=chip) == str(codes)


@pytest.mark.parametrize("unsigned", ["uint16", "uint32", "uint64"])
@pytest.mark.parametrize(
    ("dtype", "expected"),
    [("float32", 300.0), ("int32", 300), ("uint8", 300 % 256), ("bool", True)],
)
def test_a_tensor_is_filled_with_a_wide_unsigned_number(
    unsigned: str, dtype: str, expected: Any
) -> None:
    filled = pa.zeros((3,), dtype)

    pa.ops.inplace_fill_tensor(filled, pa.asarray(np.array([300], unsigned)))

    assert filled.numpy().tolist() == [expected] * 3
