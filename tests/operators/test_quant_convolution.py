"""What convolutions of int8 refuse, and planes in groups, which the 950 alone has."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, code_with, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.selftest.layouts import in_fractals
from pyaclnn.selftest.suites.convolution_forward import convolution
from pyaclnn.tensor.formats import with_format


def _int8(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int8")


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _in_blocks(*shape: int) -> pa.Tensor:
    blocks = in_fractals(np.ones(shape, np.int8))
    memory = pa.asarray(blocks).buffer
    return with_format(pa.Tensor(memory, shape, "int8"), "FRACTAL_Z_3D", shape=shape,
                       storage_shape=blocks.shape)  # fmt: skip


_RIGHT: dict[str, Any] = {
    "input": _int8(1, 3, 4, 5, 6), "weight": _int8(7, 3, 2, 3, 3), "bias": ones(7),
    "scale": ones(7), "offset": None, "stride": [1, 1, 1], "padding": [0, 1, 1],
    "dilation": [1, 1, 1], "transposed": False, "output_padding": None, "groups": 1,
    "offsetx": 0, "round_mode": None, "output": _half(1, 7, 3, 5, 6),
}  # fmt: skip
_WRONG: tuple[tuple[str, Any, int], ...] = (
    ("bias", None, NULL), ("input", None, NULL), ("scale", None, NULL), ("stride", None, NULL),
    ("padding", None, NULL), ("dilation", None, INVALID),
    ("input", _half(1, 3, 4, 5, 6), INVALID), ("input", _int8(1, 4, 4, 5, 6), INVALID),
    ("input", _int8(0, 3, 4, 5, 6), INVALID), ("scale", pa.ones((7,), "int64"), INVALID),
    ("scale", ones(1), INVALID), ("bias", ones(7, dtype="bfloat16"), INVALID),
    ("bias", ones(1, 7), INVALID), ("output", ones(1, 7, 3, 5, 6), INVALID),
    ("output", _half(1, 7, 3, 5, 5), INVALID), ("stride", [1, 1], INVALID),
    ("stride", [1, 1, 0], INVALID), ("dilation", [1, 1, -1], INVALID), ("groups", 3, INVALID),
    ("stride", [2**63 - 1] * 3, INVALID), ("padding", [2**63 - 1] * 3, INVALID),
    ("dilation", [2**63 - 1] * 3, INVALID), ("padding", [-1, 1, 1], INVALID),
    ("padding", [0, 0, 1, 1, 1, 1], INVALID), ("offsetx", 200, INVALID),
    ("offsetx", 1, NO_KERNEL), ("transposed", True, NO_KERNEL), ("offset", ones(7), NO_KERNEL),
)  # fmt: skip
_NZ = {**_RIGHT, "weight": _in_blocks(7, 3, 2, 3, 3)}

test_right_calls_succeed, test_wrong_calls_are_refused = status_tests(
    {"quant_convolution": _RIGHT, "quant_convolution_weight_nz": _NZ},
    {
        "quant_convolution": (*_WRONG, ("weight", _NZ["weight"], INVALID)),
        "quant_convolution_weight_nz": (("weight", _RIGHT["weight"], INVALID), _WRONG[0]),
    },
)


def test_steps_beyond_those_of_the_kernel_are_refused() -> None:
    wide = {**_RIGHT, "stride": [1, 64, 1], "output": _half(1, 7, 3, 1, 6)}
    assert code_with("quant_convolution", wide) == TILING


def planes_in_groups() -> list[Any]:
    """Return what the 950 makes of planes in two groups, with 64-bit scales, and its operands."""
    rng = np.random.default_rng(6)
    x = rng.integers(-128, 128, (2, 6, 9, 8)).astype(np.int8)
    weight = rng.integers(-128, 128, (4, 3, 3, 2)).astype(np.int8)
    bias, scale = rng.integers(-999, 999, 4).astype(np.int32), np.float32([1, 0.5, 2, 0.25]) / 4096
    out = _half(2, 4, 5, 9)
    pa.ops.quant_convolution(
        *(pa.asarray(v) for v in (x, weight, bias, scale.view(np.uint32).astype(np.uint64))),
        None, [2, 1], [1, 1, 1, 1], [1, 1], False, None, 2, 0, None, out=out,
    )  # fmt: skip
    return [v.tolist() for v in (out.numpy(), x, weight, bias, scale)]


def test_the_950_has_planes_in_groups() -> None:
    printed = found_on("Ascend910_95", "operators.test_quant_convolution", "planes_in_groups()")
    out, x, weight, bias, scale = (np.array(v) for v in printed)

    sums = convolution(
        x.astype(np.float64), weight.astype(np.float64), None, (2, 1), (1, 1), (1, 1), 2
    )
    expected = (sums + bias[:, None, None]) * scale[:, None, None]
    assert np.array_equal(out, expected.astype(np.float16))
