"""What the 950 computes a tensor and a number in, where other chips promote both or take one's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from children import found_on
from operators import calls
from operators.calls import INNER_NULL, INVALID

import pyaclnn as pa

_A2, _950 = "Ascend910B1", "Ascend950"


class Mixed(NamedTuple):
    """A call of a tensor and a number, and the result in the types of A2 and of the 950."""

    name: str
    tensor: tuple[float, str]
    number: tuple[float, str]
    out: str
    on_a2: Any
    on_950: Any
    mode: tuple[int, ...] = ()
    number_first: bool = False
    rtol: float = 0  # powers are no exact ones


CALLS = {
    "fmod": Mixed(
        "fmod_scalar", (5, "float16"), (0.3, "float32"), "float32",
        np.fmod(np.float32(5), np.float32(0.3)), np.fmod(np.float16(5), np.float16(0.3)),
    ),
    "floor_divides": Mixed("floor_divides", (4099, "int32"), (1, "float16"), "float32", 4100, 4099),
    "exact quotient of float64": Mixed(
        "div_mods", (1, "float64"), (3, "float64"), "float64",
        np.float32(1) / np.float32(3), 1 / 3, mode=(0,),
    ),
    "exact quotient of float16": Mixed(
        "div_mods", (1, "float16"), (3, "float32"), "float32",
        np.float16(1) / np.float16(3), np.float32(1) / np.float32(3), mode=(0,),
    ),
    "quotient of integers, cut off": Mixed(
        "div_mods", (2**24 + 1, "int64"), (-1, "int64"), "int64",
        -(2**24), -(2**24) - 1, mode=(1,),
    ),
    "power": Mixed(
        "pow_tensor_scalar", (2**24 + 1, "int32"), (5, "float64"), "float64",
        (2.0**24 + 1) ** 5, 2.0**120, rtol=1e-7,
    ),
    "power of a number": Mixed(
        "pow_scalar_tensor", (50, "int32"), (1.1, "float64"), "float64",
        1.1**50, float(np.float32(1.1)) ** 50, number_first=True, rtol=2e-7,
    ),
    "remainder of a number": Mixed(
        "remainder_scalar_tensor", (3, "int32"), (4099, "int64"), "float16",
        4100 % 3, 4099 % 3, number_first=True,
    ),
}  # fmt: skip


def results() -> dict[str, float]:
    """Return the result of each call on this chip."""
    found = {}
    for label, call in CALLS.items():
        tensor = pa.asarray(np.array([call.tensor[0]], call.tensor[1]))
        number = np.dtype(call.number[1]).type(call.number[0])
        operands = (number, tensor) if call.number_first else (tensor, number)
        out = pa.zeros((1,), call.out)
        pa.ops[call.name](*operands, *call.mode, out=out)
        found[label] = float(out.numpy()[0])
    return found


@pytest.mark.parametrize("chip", [_A2, _950])
def test_each_chip_computes_in_its_own_type(chip: str) -> None:
    found = found_on(chip, "operators.test_numbers_on_950", "results()")

    for label, call in CALLS.items():
        expected = call.on_a2 if chip == _A2 else call.on_950
        np.testing.assert_allclose(found[label], float(expected), rtol=call.rtol, err_msg=label)
        other = call.on_950 if chip == _A2 else call.on_a2
        # So that what the other chip gives would be noticed.
        assert abs(float(other) - float(expected)) > 2 * call.rtol * abs(float(expected)), label


def statuses() -> list[int]:
    """Return the statuses of a quotient cut off into int32, and of a remainder by int8."""
    x, number = pa.ones((2,)), np.float32(2)
    small, whole = pa.ones((2,), "int8"), np.int64(7)
    out = pa.zeros((2,), "int32")
    return [
        calls.code("div_mods", x, number, 1, out=out),
        calls.code("div_mods", x, number, 2, out=out),
        calls.code("remainder_scalar_tensor", whole, small, out=out),
    ]


def test_the_950_of_9_1_cuts_quotients_off_into_any_type() -> None:
    module = "operators.test_numbers_on_950"

    assert found_on(_950, module, "statuses()") == [0, INVALID, INNER_NULL]
    assert found_on(_A2, module, "statuses()") == [INVALID, INVALID, 0]


def test_the_950_of_9_0_does_not() -> None:
    module = "operators.test_numbers_on_950"

    found = found_on(_950, module, "statuses()", PYACLNN_SIM_CANN="9.0")

    assert found == [INVALID, INVALID, INNER_NULL]
