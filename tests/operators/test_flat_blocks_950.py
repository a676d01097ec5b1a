"""Matrices between two small factors that become float4 in blocks, on the 950."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INNER_NULL, INVALID, TILING, code_with, ones

import pyaclnn as pa
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_VALUES = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
_COUNT, _ROWS, _COLUMNS = 3, 6, 20
_WIDTH = _ROWS * _COLUMNS


def _right(*, right_factor: bool, most: float) -> tuple[dict[str, Any], Any, Any]:
    """Return the arguments of a call, what holds its results, and the products."""
    rng = np.random.default_rng(17)
    # Small whole numbers: nothing is rounded before the products are bfloat16.
    shapes = (_COUNT, _ROWS, _COLUMNS), (_ROWS, _ROWS), (_COLUMNS, _COLUMNS)
    x, left, right = (rng.integers(-3, 4, s).astype(as_dtype("bfloat16")) for s in shapes)
    if not right_factor:
        right = np.zeros((0, 0), right.dtype)
    out = pa.asarray(np.zeros((_COUNT, _WIDTH // 2), np.uint8))
    given = {
        "x": pa.asarray(x), "kronecker_p1": pa.asarray(left), "kronecker_p2": pa.asarray(right),
        "clip_ratio": 1.0, "dst_type_max": most,
        "out": with_format(out, "ND", shape=(_COUNT, _WIDTH), dtype="float4_e2m1fn"),
        "quant_scale": ones(_COUNT, -(-_WIDTH // 64), 2, dtype="float8_e8m0fnu"),
    }  # fmt: skip
    product = left.astype(float) @ x.astype(float)
    if right_factor:
        product = product @ right.astype(float)
    return given, out, product.astype(as_dtype("bfloat16")).astype(float).reshape(_COUNT, -1)


def found(right_factor: bool, most: float) -> dict[str, Any]:
    """Return what blocks hold once they are restored, with their scales, and statuses."""
    given, out, product = _right(right_factor=right_factor, most=most)
    code = code_with("flat_quant_v2", given)
    bytes_ = out.numpy()
    codes = np.stack([bytes_ & 15, bytes_ >> 4], -1).reshape(_COUNT, _WIDTH)
    numbers = np.concatenate([_VALUES, -_VALUES])[codes]
    scales = given["quant_scale"].numpy().astype(float).reshape(_COUNT, -1)
    blocks = np.pad(np.abs(product), ((0, 0), (0, -_WIDTH % 32))).reshape(_COUNT, -1, 32).max(-1)
    if most == 0:
        expected = 2.0 ** (np.floor(np.log2(blocks)) - 2)
    else:
        expected = 2.0 ** np.ceil(np.log2(blocks / most))
    each = np.repeat(scales, 32, 1)[:, :_WIDTH]
    scaled = np.clip(product / each, -6, 6)
    nearest = np.abs(_VALUES - np.abs(scaled)[..., None]).min(-1)
    return {
        "code": code, "scales": bool((scales[:, : blocks.shape[1]] == expected).all()),
        "numbers": bool((np.abs(numbers - scaled) <= nearest + 1e-9).all()),
    }  # fmt: skip


WRONG = (
    ("dst_type_max", "5.0", INVALID), ("dst_type_max", "6.0", 0), ("dst_type_max", "12.0", 0),
    ("dst_type_max", "12.5", INVALID), ("clip_ratio", "0.0", INVALID),
    ("kronecker_p2", "ones(20, 6, dtype='bfloat16')", TILING),
    ("quant_scale", "ones(3, 2, 2)", INNER_NULL),
    ("quant_scale", "ones(3, 1, 2, dtype='float8_e8m0fnu')", INNER_NULL),
    ("kronecker_p1", "ones(6, 5, dtype='bfloat16')", INVALID),
)  # fmt: skip


def answers() -> list[int]:
    """Return what wrong calls are answered with."""
    given, _, _ = _right(right_factor=True, most=0.0)
    return [code_with("flat_quant_v2", given, **{name: eval(value)}) for name, value, _ in WRONG]


@pytest.mark.parametrize("right_factor", [True, False])
@pytest.mark.parametrize("most", [0.0, 9.0])
def test_products_become_float4_in_blocks(right_factor: bool, most: float) -> None:
    call = f"found({right_factor}, {most})"

    seen = found_on("Ascend950", "operators.test_flat_blocks_950", call)

    assert seen == {"code": 0, "scales": True, "numbers": True}


def test_wrong_factors_are_refused() -> None:
    seen = found_on("Ascend950", "operators.test_flat_blocks_950", "answers()")

    for (name, value, code), answer in zip(WRONG, seen, strict=True):
        assert answer == code, (name, value)
