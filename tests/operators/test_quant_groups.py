"""Products of int4 and of bytes whose groups have scales, beside formulas in float64."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, code_with, ones

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import in_words
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_RNG = np.random.default_rng(7)
_REST = dict.fromkeys(
    ("x1_scale", "y_scale", "x1_offset", "x2_offset", "y_offset", "bias"), None
) | {"transpose_x1": False, "transpose_x2": False, "group_size": 0}  # fmt: skip
_TILES = 128 | 128 << 16 | 1 << 32


def _int4(numbers: Any, *, words: bool = False) -> pa.Tensor:
    return pa.asarray(in_words(numbers) if words else numbers.astype(as_dtype("int4")))


def _uniform(*shape: int) -> Any:
    return _RNG.uniform(0.5, 2, shape).astype(np.float32)


def int4_in_groups(*, words: bool = False, out: str = "bfloat16") -> tuple[dict[str, Any], Any]:
    """Return a product whose groups of 256 have a scale and an offset in each column."""
    m, k, n = 3, 2048, 256
    a, b = _RNG.integers(-8, 8, (m, k)), _RNG.integers(-8, 8, (n, k))
    rows, scales = _uniform(m, 1), _uniform(k // 256, n)
    offsets = _RNG.integers(-4, 4, (k // 256, n)).astype(np.float16)
    weight = b.T - np.repeat(offsets.astype(float), 256, 0)
    golden = rows * (a.astype(float) @ (weight * np.repeat(scales.astype(float), 256, 0)))
    given = {
        **_REST, "x1": _int4(a, words=words), "x2": _int4(b, words=words),
        "x1_scale": pa.asarray(rows), "x2_scale": pa.asarray(scales),
        "x2_offset": pa.asarray(offsets), "transpose_x2": True, "group_size": 256,
        "out": ones(m, n, dtype=out),
    }  # fmt: skip
    return given, golden


def bytes_in_tiles() -> tuple[dict[str, Any], Any]:
    """Return a product whose rows have a scale for each 128 of the depth, its weight for tiles."""
    m, k, n = 5, 512, 256
    a, b = (_RNG.integers(-128, 128, s).astype(np.int8) for s in ((m, k), (n, k)))
    rows, tiles, bias = _uniform(m, k // 128), _uniform(n // 128, k // 128), _uniform(n)
    wide = a * np.repeat(rows.astype(float), 128, 1)
    weight = b * np.repeat(np.repeat(tiles.astype(float), 128, 0), 128, 1)
    given = {
        **_REST, "x1": pa.asarray(a), "x2": pa.asarray(b), "x1_scale": pa.asarray(rows),
        "x2_scale": pa.asarray(tiles), "bias": pa.asarray(bias), "transpose_x2": True,
        "group_size": _TILES, "out": ones(m, n, dtype="bfloat16"),
    }  # fmt: skip
    return given, wide @ weight.T + bias


def int4(scheme: str, *, words: bool = False) -> tuple[dict[str, Any], Any]:
    """Return a product of int4 with words for its columns, or with scales for rows as well."""
    m, k, n = 5, 48, 16
    a, b = _RNG.integers(-8, 8, (m, k)), _RNG.integers(-8, 8, (k, n))
    scale, rows = 2.0 ** _RNG.integers(-4, 2, n), 2.0 ** _RNG.integers(-2, 2, m)
    bias = _RNG.integers(-99, 99, n)
    given = {
        **_REST, "x1": _int4(a, words=words), "x2": _int4(b, words=words),
        "bias": pa.asarray(bias.astype(np.int32)), "out": ones(m, n, dtype="float16"),
    }  # fmt: skip
    golden = (a @ b + bias) * scale
    if scheme == "columns":
        bits = scale.astype(np.float32).view(np.uint32).astype(np.uint64)
        return {**given, "x2_scale": pa.asarray(bits)}, golden
    given |= {"x1_scale": pa.asarray(rows.astype(np.float32)),
              "x2_scale": pa.asarray(scale.astype(np.float32))}  # fmt: skip
    return given, golden * rows[:, None]


def int4_for_bytes() -> tuple[dict[str, Any], Any]:
    """Return a product of bytes with words of int4 in blocks, whose offset is that of halves."""
    m, k, n = 4, 128, 64
    a, b = _RNG.integers(-128, 128, (m, k)), _RNG.integers(-8, 8, (k, n))
    rows = _uniform(m)
    scale = 2.0 ** _RNG.integers(-9, -6, n)
    stored = in_blocks(b, 64)
    # Eight numbers in each word.
    packed = in_words(stored)
    weight = with_format(pa.asarray(packed), "FRACTAL_NZ", shape=(k, n // 8), dtype="int32",
                         storage_shape=packed.shape)  # fmt: skip
    golden = (a @ (b * scale)) * rows[:, None]
    given = {
        **_REST, "x1": pa.asarray(a.astype(np.int8)), "x2": weight,
        "x1_scale": pa.asarray(rows),
        "x2_scale": pa.asarray(scale.astype(np.float32).view(np.uint32).astype(np.uint64)),
        "y_offset": pa.asarray((8 * b * scale).sum(0).astype(np.float32)),
        "out": ones(m, n, dtype="float16"),
    }  # fmt: skip
    return given, golden


def _float4(shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Return codes of float4, and their values."""
    codes = _RNG.integers(0, 16, shape).astype(np.uint8)
    half = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    return codes, np.concatenate([half, -half])[codes]


def float4_by_columns(how: str = "rows", out: str = "bfloat16") -> tuple[dict[str, Any], Any]:
    """Return a product of float8 with float4, whose columns have a scale for 32 of the depth."""
    m, k, n = 3, 96, 64
    codes, values = _float4((n, k))
    x = _RNG.normal(0, 1, (m, k)).astype(as_dtype("float8_e4m3fn"))
    scales = _RNG.uniform(0.5, 8, (n, k // 32)).astype(as_dtype(out))
    last = 2.0 ** _RNG.integers(-3, 2, n)
    weight = values.astype(np.float32) * np.repeat(scales.astype(np.float32), 32, 1)
    restored = weight.astype(as_dtype(out)).astype(ml_dtypes.float8_e4m3fn).astype(float)
    bits = last.astype(np.float32).view(np.uint32).astype(np.uint64)
    given = {
        **_REST, "x1": pa.asarray(x), "x2_scale": pa.asarray(scales), "group_size": 32,
        "y_scale": pa.asarray(bits[None]), "out": ones(m, n, dtype=out), "transpose_x2": True,
    }  # fmt: skip
    if how == "rows":
        packed = pa.asarray(codes[:, ::2] | codes[:, 1::2] << 4)
        given["x2"] = with_format(packed, "ND", shape=(n, k), dtype="float4_e2m1fn")
    else:
        stored = in_blocks(codes.T, 64)
        packed = pa.asarray(stored[..., ::2] | stored[..., 1::2] << 4)
        kind, words = ("float32", 8) if how == "words" else ("float4_e2m1fn", 1)
        storage = (*stored.shape[:-1], stored.shape[-1] // words)
        given["x2"] = with_format(packed, "FRACTAL_NZ", shape=(k, n // words), dtype=kind,
                                  storage_shape=storage)  # fmt: skip
        given |= {"transpose_x2": False, "x2_scale": pa.asarray(scales.T.copy())}
    return given, (x.astype(float) @ restored.T) * last


def float8_in_blocks(*, mx: bool) -> tuple[dict[str, Any], Any]:
    """Return products in a batch of float8 with weights in blocks, by words or powers of two."""
    m, k, n = 5, 128, 64
    x, w = (_RNG.normal(0, 1, s).astype(as_dtype("float8_e4m3fn")) for s in ((2, m, k), (2, k, n)))
    stored = in_blocks(w.view(np.uint8), 32)
    weight = with_format(pa.asarray(stored), "FRACTAL_NZ", shape=(2, k, n), dtype="float8_e4m3fn",
                         storage_shape=stored.shape)  # fmt: skip
    given = {**_REST, "x1": pa.asarray(x), "x2": weight, "out": ones(2, m, n)}
    exact_x, exact_w = x.astype(float), w.astype(float)
    if not mx:
        scale = 2.0 ** _RNG.integers(-4, 2, n)
        bits = scale.astype(np.float32).view(np.uint32).astype(np.uint64)
        return {**given, "x2_scale": pa.asarray(bits)}, (exact_x @ exact_w) * scale
    rows, columns = (2.0 ** _RNG.integers(-3, 3, s) for s in ((m, k // 64, 2), (k // 64, n, 2)))
    powers = [pa.asarray(a.astype(as_dtype("float8_e8m0fnu"))) for a in (rows, columns)]
    each = np.repeat(columns.transpose(0, 2, 1).reshape(-1, n), 32, 0)
    golden = (exact_x * np.repeat(rows.reshape(m, -1), 32, 1)) @ (exact_w * each)
    return {**given, "x1_scale": powers[0], "x2_scale": powers[1]}, golden


def error(made: tuple[dict[str, Any], Any], operator: str = "quant_matmul_v5") -> Any:
    """Return the largest error relative to the largest result, or the code of a refusal."""
    given, golden = made
    code = code_with(operator, given)
    found = given["out"].numpy().astype(float)
    return float(np.abs(found - golden).max() / np.abs(golden).max()) if code == 0 else code


_NZ = "quant_matmul_weight_nz"

#: Chips, and what is made and tried there.
_RIGHT: tuple[tuple[str, str], ...] = (
    ("A2 950", "error(int4_in_groups())"),
    ("A2 950", "error(int4_in_groups(words=True, out='float16'))"),
    ("A2 950", "error(bytes_in_tiles())"),
    ("A2 950", "error(int4('columns'))"), ("A2 950", "error(int4('rows', words=True))"),
    ("A2", "error(int4_for_bytes(), _NZ)"),
    ("950", "error(float4_by_columns())"), ("950", "error(float4_by_columns(out='float16'))"),
    ("950", "error(float4_by_columns('blocks'), _NZ)"),
    ("950", "error(float4_by_columns('words', 'float16'), _NZ)"),
    ("950", "error(float8_in_blocks(mx=False), _NZ)"),
    ("950", "error(float8_in_blocks(mx=True), _NZ)"),
)  # fmt: skip

#: Chips, what is made, what is changed, and the answer.
_WRONG: tuple[tuple[str, str, str, int], ...] = (
    ("A2 950", "int4_in_groups()", "group_size=0", INVALID),
    ("A2 950", "int4_in_groups()", "group_size=128", INVALID),
    ("A2 950", "int4_in_groups()", "bias=ones(256)", INVALID),
    ("A2 950", "int4_in_groups()", "x2_offset=ones(8, 256)", INVALID),
    ("A2 950", "int4_in_groups()", "x1_scale=ones(3)", INVALID),
    ("A2 950", "int4_in_groups()", "out=ones(3, 256)", INVALID),
    ("A2 950", "int4_in_groups()", "y_scale=ones(1, 256)", NULL),
    ("A2", "bytes_in_tiles()", "bias=None", TILING), ("950", "bytes_in_tiles()", "bias=None", 0),
    ("A2", "bytes_in_tiles()", "group_size=0", TILING),
    ("950", "bytes_in_tiles()", "group_size=0", 0),
    ("A2 950", "bytes_in_tiles()", "out=ones(5, 256, dtype='float16')", TILING),
    ("A2 950", "bytes_in_tiles()", "out=ones(5, 256)", INVALID),
    ("A2 950", "bytes_in_tiles()", "x1_scale=ones(5)", INVALID),
    ("A2 950", "bytes_in_tiles()", "x2_scale=ones(4, 2)", INVALID),
    ("A2 950", "bytes_in_tiles()", "bias=ones(256, dtype='float16')", INVALID),
    ("950", "int4('columns')", "out=ones(5, 16, dtype='bfloat16')", NO_KERNEL),
    ("950", "int4('columns')", "out=ones(5, 16, dtype='int32')", INVALID),
    ("950", "int4('columns')", "x2_scale=ones(16)", INVALID),
    ("950", "int4('columns')", "x2_scale=ones(16), out=ones(5, 16, dtype='bfloat16')", TILING),
    ("950", "int4('rows')", "transpose_x1=True", INVALID),
    ("950", "int4('rows')", "x2_offset=ones(16)", INVALID),
    ("950", "float4_by_columns()", "y_scale=None", INVALID),
    ("950", "float4_by_columns()", "bias=ones(1, 64, dtype='bfloat16')", INVALID),
    ("950", "float4_by_columns()", "x2_offset=ones(64)", NULL),
    ("950", "float4_by_columns()", "group_size=32 | 1 << 16", INVALID),
    ("950", "float4_by_columns()", "group_size=32 | 1 << 16 | 1 << 32", 0),
    ("950", "float4_by_columns()", "x2_scale=ones(3, 64, dtype='bfloat16')", INVALID),
    ("950", "float4_by_columns()", "x2_scale=ones(64, 3)", INVALID),
    ("950", "float4_by_columns()", "out=ones(3, 64, dtype='float16')", NO_KERNEL),
    ("950", "float4_by_columns('blocks')", "", INVALID),
)  # fmt: skip


def errors(chip: str) -> list[Any]:
    """Return the errors of the products of a chip."""
    return [eval(call) for chips, call in _RIGHT if chip in chips.split()]


def answers(chip: str) -> list[int]:
    """Return what wrong calls are answered with."""
    found = []
    for chips, right, changes, _ in _WRONG:
        if chip in chips.split():
            given, _ = eval(right)
            found.append(code_with("quant_matmul_v5", given, **eval(f"dict({changes})")))
    return found


_CHIPS = pytest.mark.parametrize(("chip", "name"), [("A2", "Ascend910B1"), ("950", "Ascend950")])


@_CHIPS
def test_products_are_those_of_float64(chip: str, name: str) -> None:
    calls = [call for chips, call in _RIGHT if chip in chips.split()]

    found = found_on(name, "operators.test_quant_groups", f"errors({chip!r})")

    for call, seen in zip(calls, found, strict=True):
        # int4 beside bytes is summed in float16.
        assert seen <= (2.0**-7 if "for_bytes" in call else 2.0**-8), call


@_CHIPS
def test_wrong_products_are_refused_as_cann_refuses_them(chip: str, name: str) -> None:
    expected = [(right, changes, code) for chips, right, changes, code in _WRONG
                if chip in chips.split()]  # fmt: skip

    found = found_on(name, "operators.test_quant_groups", f"answers({chip!r})")

    for (right, changes, code), seen in zip(expected, found, strict=True):
        assert seen == code, (right, changes)
