"""Groups of rows on the 950 times weights of narrower floats than theirs."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on
from operators.calls import INVALID, code_with, ones

import pyaclnn as pa
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

Array = np.ndarray[Any, Any]
_GROUPS, _ROWS, _DEPTH, _COLUMNS = 3, 7, 128, 64
_ENDS = np.array([2, 2, 6])  # the last row is nobody's
_RNG = np.random.default_rng(32)
_CODES = _RNG.integers(0, 16, (_GROUPS, _DEPTH, _COLUMNS)).astype(np.uint8)
_FLOAT4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
_VALUES = np.concatenate([_FLOAT4, -_FLOAT4])[_CODES]
_INT4 = (_CODES.astype(int) ^ 8) - 8
# Times the last of these, the least number still is an int8.
_FACTORS = np.array([2.5, 9.5, 15.875])[:, None, None] + np.zeros((1, 1, _COLUMNS))
_X = _RNG.integers(-4, 5, (_ROWS, _DEPTH)).astype(float)


def _powers(*shape: int) -> tuple[Array, pa.Tensor]:
    powers = 2.0 ** _RNG.integers(-2, 3, shape)
    return powers, pa.asarray(powers.astype(as_dtype("float8_e8m0fnu")))


def _words(*, turned: bool) -> pa.Tensor:
    """Return the codes in words of float32, in blocks of 16 or, turned, of 32."""
    lying = np.swapaxes(_CODES, 1, 2) if turned else _CODES
    width = 32 if turned else 16
    blocks = in_blocks(lying, width)
    words = np.ascontiguousarray(blocks[..., ::2] | blocks[..., 1::2] << 4).view(np.float32)
    shape, strides = (_GROUPS, _DEPTH, _COLUMNS // 8), None
    if turned:
        shape = (_GROUPS, _DEPTH // 8, _COLUMNS)
        strides = (_DEPTH // 8 * _COLUMNS, 1, _DEPTH // 8)
    return with_format(pa.asarray(words), "FRACTAL_NZ", shape=shape, strides=strides,
                       storage_shape=words.shape)  # fmt: skip


def _words_of_int4() -> pa.Tensor:
    """Return the codes in words of int32, in blocks of 32."""
    blocks = in_blocks(_CODES, 32)
    words = np.ascontiguousarray(blocks[..., ::2] | blocks[..., 1::2] << 4).view(np.int32)
    return with_format(pa.asarray(words), "FRACTAL_NZ", shape=(_GROUPS, _DEPTH, _COLUMNS // 8),
                       storage_shape=words.shape)  # fmt: skip


def _call(x: Array, weight: pa.Tensor, dtype: str, **more: Any) -> dict[str, Any]:
    return {
        "x": [pa.asarray(x)], "weight": [weight], "bias_optional": None, "scale_optional": None,
        "offset_optional": None, "antiquant_offset_optional": None,
        "per_token_scale_optional": None, "group_list_optional": pa.asarray(_ENDS),
        "split_item": 3, "group_type": 0, "group_list_type": 0, "act_type": 0,
        "out": ([ones(_ROWS, _COLUMNS, dtype=dtype)], None, None), **more,
    }  # fmt: skip


def _product(x: Array, weight: Array) -> Array:
    group = np.searchsorted(_ENDS, np.arange(_ENDS[-1]), side="right")
    return np.einsum("rk,rkn->rn", x[: _ENDS[-1]], weight[group]) + 1


def right() -> dict[str, tuple[dict[str, Any], Array]]:
    """Return a right call of each kind, and its results."""
    bias = {"bias_optional": [ones(_GROUPS, _COLUMNS, dtype="bfloat16")]}
    powers, anti = _powers(_GROUPS, _DEPTH // 32, _COLUMNS)
    halves = _call(_X.astype(as_dtype("bfloat16")), _words(turned=False), "bfloat16", **bias,
                   antiquant_scale_optional=[anti], quant_group_size=32)  # fmt: skip
    of_rows, tokens = _powers(_ROWS, _DEPTH // 64, 2)
    of_columns, stored = _powers(_GROUPS, _COLUMNS, _DEPTH // 64, 2)
    mixed = _call(_X.astype(as_dtype("float8_e4m3fn")), _words(turned=True), "bfloat16", **bias,
                  antiquant_scale_optional=[stored.transpose((0, 2, 1, 3))],
                  per_token_scale_optional=[tokens], quant_group_size=32)  # fmt: skip
    x = _X * np.repeat(of_rows.reshape(_ROWS, -1), 32, 1)
    factors = np.repeat(of_columns.reshape(_GROUPS, _COLUMNS, -1), 32, 2).transpose(0, 2, 1)
    column = 2.0 ** _RNG.integers(-2, 3, (_GROUPS, _COLUMNS))
    whole = _call(_RNG.integers(-128, 128, _X.shape).astype(np.int8), _words_of_int4(), "float16",
                  bias_optional=[ones(_GROUPS, _COLUMNS)],
                  antiquant_scale_optional=[pa.asarray(_FACTORS.astype(np.float16))],
                  scale_optional=[pa.asarray(np.full((_GROUPS, _COLUMNS), 2.0**-13, np.float32))],
                  per_token_scale_optional=[pa.asarray(np.arange(1, 8, dtype=np.float32))],
                  quant_group_size=0)  # fmt: skip
    restored = np.rint(_INT4 * _FACTORS)
    tokens_of_int8 = whole["x"][0].numpy() * np.arange(1.0, 8)[:, None] * 2.0**-13
    lying = np.ascontiguousarray(np.swapaxes(_VALUES, 1, 2)).astype(as_dtype("float8_e4m3fn"))
    bytes_ = _call(_X.astype(as_dtype("bfloat16")), pa.asarray(lying).transpose((0, 2, 1)),
                   "bfloat16", **bias,
                   antiquant_scale_optional=[pa.asarray(column.astype(as_dtype("bfloat16")))],
                   tuning_config_optional=None)  # fmt: skip
    return {
        "weight_nz of float4 beside halves": (
            halves, _product(_X, _VALUES * np.repeat(powers, 32, 1))
        ),
        "weight_nz of float4 beside float8": (mixed, _product(x, _VALUES * factors)),
        "weight_nz of int4 beside int8": (whole, _product(tokens_of_int8, restored)),
        "v5 of float8 beside halves": (bytes_, _product(_X, _VALUES * column[:, None])),
    }  # fmt: skip


_HALVES, _MIXED, _BYTES, _WHOLE = (
    "weight_nz of float4 beside halves", "weight_nz of float4 beside float8",
    "v5 of float8 beside halves", "weight_nz of int4 beside int8",
)  # fmt: skip
WRONG = (
    (_HALVES, "antiquant_scale_optional", "None"),
    (_HALVES, "antiquant_scale_optional", "[_powers(3, 2, 64)[1]]"),
    (_HALVES, "antiquant_scale_optional", "[ones(3, 4, 64, dtype='bfloat16')]"),
    (_HALVES, "antiquant_offset_optional", "[ones(3, 4, 64, dtype='bfloat16')]"),
    (_HALVES, "scale_optional", "[ones(3, 64)]"), (_HALVES, "weight", "[_words(turned=True)]"),
    (_HALVES, "per_token_scale_optional", "[ones(7)]"), (_HALVES, "act_type", "1"),
    (_HALVES, "group_type", "-1"), (_HALVES, "group_list_optional", "None"),
    (_HALVES, "bias_optional", "[ones(3, 64, dtype='float16')]"),
    (_HALVES, "out", "([ones(7, 64, dtype='float16')], None, None)"),
    (_MIXED, "antiquant_scale_optional", "None"), (_MIXED, "per_token_scale_optional", "None"),
    (_MIXED, "scale_optional", "[_powers(3, 64, 2, 2)[1]]"),
    (_MIXED, "antiquant_scale_optional", "[_powers(3, 4, 64)[1]]"),
    (_MIXED, "per_token_scale_optional", "[_powers(7, 4)[1]]"),
    (_MIXED, "weight", "[_words(turned=False)]"), (_MIXED, "bias_optional", "[ones(3, 64)]"),
    (_MIXED, "out", "([ones(7, 64)], None, None)"),
    (_BYTES, "weight", "[ones(3, 128, 64, dtype='float8_e5m2')]"),
    (_BYTES, "antiquant_scale_optional", "[ones(3, 64, dtype='float16')]"),
    (_BYTES, "antiquant_scale_optional", "[ones(3, 1, dtype='bfloat16')]"),
    (_BYTES, "antiquant_offset_optional", "[ones(3, 64, dtype='bfloat16')]"),
    (_WHOLE, "antiquant_scale_optional", "None"), (_WHOLE, "scale_optional", "None"),
    (_WHOLE, "per_token_scale_optional", "None"), (_WHOLE, "per_token_scale_optional", "[ones(6)]"),
    (_WHOLE, "antiquant_scale_optional", "[ones(3, 2, 64, dtype='float16')]"),
    (_WHOLE, "antiquant_scale_optional", "[ones(3, 1, 64)]"),
    (_WHOLE, "antiquant_scale_optional", "[ones(3, 64, dtype='float16')]"),
    (_WHOLE, "scale_optional", "[ones(3, 1, 64)]"), (_WHOLE, "group_list_optional", "None"),
    (_WHOLE, "scale_optional", "[ones(3, 64, dtype='bfloat16')]"), (_WHOLE, "act_type", "1"),
    (_WHOLE, "bias_optional", "[ones(3, 64, dtype='float16')]"),
    (_WHOLE, "out", "([ones(7, 64)], None, None)"),
)  # fmt: skip


def found() -> dict[str, Any]:
    """Return whether results are right, and the statuses of wrong calls."""
    results: dict[str, Any] = {}
    for kind, (given, golden) in right().items():
        code = code_with(f"grouped_matmul_{kind.split()[0]}", given)
        out = given["out"][0][0].numpy().astype(float)[: _ENDS[-1]]
        results[kind] = [code, np.allclose(out, golden, rtol=2**-8, atol=0)]
    for of, argument, value in WRONG:
        given, _ = right()[of]
        changed = {argument: eval(value)}
        code = code_with(f"grouped_matmul_{of.split()[0]}", given, **changed)
        results[f"{of} {argument}={value}"] = code
    return results


def test_products_restore_the_weight_and_refuse_what_cann_refuses() -> None:
    printed = found_on("Ascend950", "operators.test_groups_mixed_950", "found()")
    expected = {f"{of} {argument}={value}": INVALID for of, argument, value in WRONG}

    assert printed == {**{kind: [0, True] for kind in right()}, **expected}
