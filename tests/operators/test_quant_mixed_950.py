"""Products of float8 and weights of float4 on the 950, whose blocks of 32 share an exponent."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on
from operators.calls import INVALID, NULL, code_with, ones

import pyaclnn as pa
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_ROWS, _DEPTH, _COLUMNS = 5, 136, 48
_RNG = np.random.default_rng(41)
_CODES = _RNG.integers(0, 16, (_COLUMNS, _DEPTH)).astype(np.uint8)
_FLOAT4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
_VALUES = np.concatenate([_FLOAT4, -_FLOAT4])[_CODES]
_X = _RNG.integers(-4, 5, (_ROWS, _DEPTH)).astype(float)


def _powers(lines: int) -> tuple[Any, pa.Tensor]:
    """Return powers of two for each number of the depth, and as the scales of blocks."""
    powers = 2.0 ** _RNG.integers(-2, 3, (lines, -(-_DEPTH // 64), 2))
    each = np.repeat(powers.reshape(lines, -1), 32, 1)[:, :_DEPTH]
    return each, pa.asarray(powers.astype(as_dtype("float8_e8m0fnu")))


def _weight(*, blocks: bool, turned: bool = True) -> pa.Tensor:
    """Return the weight as it is stored, column by column, or as a transposed view of blocks."""
    stored = in_blocks(_CODES, 32) if blocks else _CODES
    packed = pa.asarray(stored[..., ::2] | stored[..., 1::2] << 4)
    if not blocks:
        return with_format(packed, "ND", shape=_CODES.shape, dtype="float4_e2m1fn")
    strides = (1, _DEPTH) if turned else (_DEPTH, 1)
    shape = (_DEPTH, _COLUMNS) if turned else (_COLUMNS, _DEPTH)
    return with_format(packed, "FRACTAL_NZ", shape=shape, strides=strides, dtype="float4_e2m1fn",
                       storage_shape=stored.shape)  # fmt: skip


def right(*, blocks: bool) -> tuple[dict[str, Any], Any]:
    """Return the arguments of a right call, and its result."""
    of_rows, x1_scale = _powers(_ROWS)
    of_columns, x2_scale = _powers(_COLUMNS)
    given = {
        "x1": pa.asarray(_X.astype(as_dtype("float8_e4m3fn"))), "x2": _weight(blocks=blocks),
        "x1_scale": x1_scale, "x2_scale": x2_scale.transpose((1, 0, 2)) if blocks else x2_scale,
        "y_scale": None, "x1_offset": None, "x2_offset": None, "y_offset": None,
        "bias": ones(1, _COLUMNS, dtype="bfloat16"), "transpose_x1": False,
        "transpose_x2": not blocks, "group_size": 32,
        "out": ones(_ROWS, _COLUMNS, dtype="bfloat16"),
    }  # fmt: skip
    return given, (_X * of_rows) @ (_VALUES * of_columns).T + 1


_BY_FORMAT = {False: "quant_matmul_v5", True: "quant_matmul_weight_nz"}

WRONG = (
    ("bias", "ones(1, 48)", INVALID), ("bias", "ones(48, dtype='bfloat16')", INVALID),
    ("bias", "None", 0), ("group_size", "0", INVALID), ("group_size", "64", INVALID),
    ("group_size", "32 | 1 << 16 | 1 << 32", 0), ("out", "ones(5, 48)", INVALID),
    ("x1_scale", "ones(5)", INVALID), ("x1_scale", "_powers(6)[1]", INVALID),
    ("x1_scale", "None", INVALID), ("x2_offset", "ones(48)", NULL),
    ("x1", "pa.asarray(_X.astype(as_dtype('float8_e5m2')))", INVALID),
    ("transpose_x1", "True", INVALID),
)  # fmt: skip


def found() -> dict[str, Any]:
    """Return whether results are right, and the statuses of wrong calls."""
    results: dict[str, Any] = {}
    for blocks in (False, True):
        given, golden = right(blocks=blocks)
        code = code_with(_BY_FORMAT[blocks], given)
        close = np.allclose(given["out"].numpy().astype(float), golden, rtol=2**-8, atol=0)
        results[f"blocks {blocks}"] = [code, close]
    for argument, value, _ in WRONG:
        given, _ = right(blocks=False)
        changed = {argument: eval(value)}
        results[f"{argument}={value}"] = code_with("quant_matmul_v5", given, **changed)
    given, _ = right(blocks=True)
    changed = {"x2": _weight(blocks=True, turned=False)}
    results["not turned"] = code_with(_BY_FORMAT[True], given, **changed)
    # Since 9.1, weights in FRACTAL_NZ have an operator of their own.
    results["in blocks"] = code_with(_BY_FORMAT[False], given)
    return results


def test_products_restore_the_weight_and_refuse_what_cann_refuses() -> None:
    printed = found_on("Ascend950", "operators.test_quant_mixed_950", "found()")
    expected = {f"{argument}={value}": code for argument, value, code in WRONG}

    assert printed == {
        "blocks False": [0, True], "blocks True": [0, True], **expected, "not turned": INVALID,
        "in blocks": INVALID,
    }  # fmt: skip
