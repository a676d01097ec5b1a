"""Weights of 4 bits in the blocks of the 950's matrix unit, and what products with them refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, NULL, RUNTIME, code_with, ones

import pyaclnn as pa
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_ROWS, _DEPTH, _COLUMNS = 3, 80, 40
_CODES = np.random.default_rng(8).integers(0, 16, (_DEPTH, _COLUMNS)).astype(np.uint8)


def _weight(dtype: str) -> pa.Tensor:
    """Return the codes as numbers of 4 bits, or as words that hold them."""
    blocks = in_blocks(_CODES, 16)
    packed = blocks[..., ::2] | blocks[..., 1::2] << 4
    if dtype in ("int32", "float32"):
        shape, storage = (_DEPTH, _COLUMNS // 8), (*blocks.shape[:-1], 2)
        return with_format(
            pa.asarray(packed.view(dtype)), "FRACTAL_NZ_C0_2", shape=shape, storage_shape=storage
        )
    return with_format(pa.asarray(packed), "FRACTAL_NZ", shape=_CODES.shape, dtype=dtype,
                       storage_shape=blocks.shape)  # fmt: skip


def _right(dtype: str, group: int, powers: bool = False) -> dict[str, Any]:
    groups = -(-_DEPTH // group) if group else 1
    rng = np.random.default_rng(9)
    scale = 2.0 ** rng.integers(-2, 3, (groups, _COLUMNS))
    kind = "float8_e8m0fnu" if powers else "bfloat16"
    x = rng.integers(-4, 5, (_ROWS, _DEPTH)).astype(as_dtype("bfloat16"))
    return {
        "x": pa.asarray(x), "weight": _weight(dtype),
        "antiquant_scale": pa.asarray(scale.astype(as_dtype(kind))),
        "antiquant_offset_optional": None, "quant_scale_optional": None,
        "quant_offset_optional": None, "bias_optional": ones(_COLUMNS, dtype="bfloat16"),
        "antiquant_group_size": group, "y": ones(_ROWS, _COLUMNS, dtype="bfloat16"),
    }  # fmt: skip


RIGHT: dict[str, tuple[Any, ...]] = {
    "int4": ("int4", 0), "int4 in groups": ("int4", 64), "int4 in words": ("int32", 32),
    "float4 in groups": ("float4_e2m1fn", 64), "float4 in words": ("float32", 32),
    "powers of two": ("float4_e2m1fn", 32, True), "powers, in words": ("float32", 32, True),
}  # fmt: skip

WRONG: dict[str, tuple[str, str, int]] = {
    "x": ("int4", "None", NULL), "quant_scale_optional": ("int4", "ones(40)", NULL),
    "weight": ("int4", "ones(80, 40)", INVALID), "antiquant_scale": ("int4", "ones(40)", INVALID),
    "antiquant_offset_optional": ("float4 in groups", "ones(2, 40, dtype='bfloat16')", INVALID),
    "bias_optional": ("float4 in groups", "ones(40)", INVALID),
    "antiquant_group_size": ("powers of two", "64", INVALID), "y": ("int4", "ones(3, 40)", INVALID),
}  # fmt: skip


def found() -> dict[str, Any]:
    """Return the results of right calls, and the statuses of wrong ones."""
    results: dict[str, Any] = {}
    for name, given in RIGHT.items():
        call = _right(*given)
        code = code_with("weight_quant_batch_matmul_nz", call)
        results[name] = [code, call["y"].numpy().astype(float).tolist()]
    for name, (of, value, _) in WRONG.items():
        call = {**_right(*RIGHT[of]), name: eval(value)}
        results[name] = code_with("weight_quant_batch_matmul_nz", call)
    return results


@pytest.fixture(scope="module")
def on_950() -> dict[str, Any]:
    """Return what a process on that chip found."""
    printed = found_on("Ascend910_95", "operators.test_weight_blocks", "found()")
    return dict(printed)


@pytest.mark.parametrize("name", RIGHT)
def test_weights_of_4_bits_are_restored(name: str, on_950: dict[str, Any]) -> None:
    dtype, group, *_ = RIGHT[name]
    values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    table = np.concatenate([values, -values])
    if dtype in ("int4", "int32"):
        table = np.concatenate([np.arange(8), np.arange(-8, 0)])
    call = _right(dtype, group)
    scale = call["antiquant_scale"].numpy().astype(np.float64)
    weight = table[_CODES] * np.repeat(scale, group or _DEPTH, 0)[:_DEPTH]
    golden = call["x"].numpy().astype(np.float64) @ weight + 1

    code, y = on_950[name]

    assert code == 0
    assert np.array_equal(y, golden.astype(as_dtype("bfloat16")).astype(float))


@pytest.mark.parametrize("name", WRONG)
def test_wrong_calls_are_refused(name: str, on_950: dict[str, Any]) -> None:
    assert on_950[name] == WRONG[name][2]


def test_other_chips_do_not_have_it() -> None:
    assert code_with("weight_quant_batch_matmul_nz", _right("int4", 0)) == RUNTIME
