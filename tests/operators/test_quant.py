"""Narrow numbers, exhaustively, and what quantisation refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from children import output_of
from operators.calls import (
    INNER_NULL,
    INVALID,
    NO_KERNEL,
    NULL,
    TILING,
    VIEW_COPY,
    code,
    code_with,
    device,
    ones,
)
from operators.status_tests import refusal_tests

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import hifloat8_values, in_words, narrowed
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

Array = np.ndarray[Any, Any]
_CODES = {"int8": 2, "int32": 3, "int4": 29}
_MODES = {"round": "rint", "floor": "floor", "ceil": "ceil", "trunc": "trunc"}


def every_half(dtype: str) -> Array:
    """Return all numbers of 16 bits, as rows."""
    return np.arange(2**16, dtype=np.uint16).view(as_dtype(dtype)).reshape(256, 256)


@pytest.mark.parametrize("mode", _MODES)
@pytest.mark.parametrize("kind", _CODES)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_every_number_of_16_bits_becomes_an_integer(dtype: str, kind: str, mode: str) -> None:
    x = every_half(dtype)
    one = pa.ones((1,), dtype)

    y = pa.ops.ascend_quant_v3(pa.asarray(x), one, None, False, mode, _CODES[kind], -1)

    expected = narrowed(x, "int4" if kind == "int32" else kind, _MODES[mode])
    expected = in_words(expected) if kind == "int32" else expected
    assert np.array_equal(y.numpy().astype(int), expected.astype(int))


#: On the 950: every number of 16 bits as a float of 8, in bits; hifloat8 by the C functions.
_TO_FLOAT8 = """
    import os
    from pathlib import Path
    import numpy as np
    import pyaclnn as pa
    from pyaclnn.tensor import as_dtype

    lib, ffi = pa.lib, pa.ffi
    found = b""
    for dtype in ("float16", "bfloat16"):
        every = np.arange(2**16, dtype=np.uint16).view(as_dtype(dtype)).reshape(256, 256)
        x, one = pa.asarray(every), pa.ones((1,), dtype)
        for code in (35, 36):
            y = pa.ops.ascend_quant_v3(x, one, None, False, "round", code, -1)
            found += y.numpy().tobytes()
        y = pa.zeros(x.shape, "uint8")
        shape, steps = ffi.new("int64_t[]", y.shape), ffi.new("int64_t[]", y.strides)
        out = lib.aclCreateTensor(shape, 2, 34, steps, 0, 2, shape, 2, y.buffer.pointer)
        size, executor = ffi.new("uint64_t*"), ffi.new("aclOpExecutor**")
        pa.check(lib.aclnnAscendQuantV3GetWorkspaceSize(
            x.handle, one.handle, ffi.NULL, False, b"round", 34, -1, out, size, executor
        ))
        pa.current_stream().sync()
        pa.check(lib.aclnnAscendQuantV3(ffi.NULL, 0, executor[0], ffi.NULL))
        pa.check(lib.aclrtSynchronizeStream(ffi.NULL))
        pa.check(lib.aclDestroyTensor(out))
        found += y.numpy().tobytes()
    Path(os.environ["FOUND"]).write_bytes(found)
"""


def _nearest(values: Array, table: Array) -> Array:
    """Return the finite value of a table that is next to each, the larger magnitude of two."""
    finite = np.unique(np.abs(table[np.isfinite(table)]))
    size = np.minimum(np.abs(values), finite[-1])
    above = np.searchsorted(finite, size)
    below = np.maximum(above - 1, 0)
    up = finite[above] - size <= size - finite[below]
    return np.copysign(np.where(up, finite[above], finite[below]), values)


def test_every_number_of_16_bits_becomes_a_float_of_8(tmp_path: Path) -> None:
    file = tmp_path / "found"
    output_of(_TO_FLOAT8, PYACLNN_SIM_SOC="Ascend910_95", FOUND=str(file))
    found = np.frombuffer(file.read_bytes(), np.uint8).reshape(2, 3, 256, 256)

    for dtype, (e5m2, e4m3, hif8) in zip(("float16", "bfloat16"), found, strict=True):
        with np.errstate(invalid="ignore"):
            x = every_half(dtype).astype(np.float64)
        for bits, name in ((e5m2, "float8_e5m2"), (e4m3, "float8_e4m3fn")):
            y = bits.view(as_dtype(name)).astype(np.float64)
            expected = narrowed(x, name).astype(np.float64)
            assert np.array_equal(y, expected, equal_nan=True), (dtype, name)
        y = hifloat8_values()[hif8]
        assert np.array_equal(np.isnan(y), np.isnan(x))
        is_number = ~np.isnan(x)
        assert np.array_equal(y[is_number], _nearest(x[is_number], hifloat8_values()))


def test_a_word_that_holds_a_scale_has_its_19_highest_bits() -> None:
    scale = np.float32([1.0 + 2**-10 + 2**-11])

    cut = pa.ops.trans_quant_param_v2(pa.asarray(scale), None).numpy()
    rounded = pa.ops.trans_quant_param_v3(pa.asarray(scale), None, 1).numpy()

    assert cut.tolist() == [0x400000000000 | 0x3F802000]
    assert rounded.tolist() == [0x400000000000 | 0x3F804000]


def test_words_are_written_where_a_view_has_them() -> None:
    scale = np.linspace(0.5, 2, 4, dtype=np.float32)
    expected = pa.ops.trans_quant_param_v2(pa.asarray(scale), None).numpy()
    every_second = pa.zeros((8,), "uint64")

    pa.ops.trans_quant_param_v2(pa.asarray(scale), None, out=every_second[::2])

    assert np.array_equal(every_second.numpy()[::2], expected)
    assert not every_second.numpy()[1::2].any()


def _int4(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int4")


@pytest.mark.parametrize(("first", "expected"), [(0, 0), (1, NO_KERNEL), (2, 0), (3, NO_KERNEL)])
def test_numbers_of_4_bits_begin_with_a_byte(first: int, expected: int) -> None:
    x = np.array([[1, 2, 3, -7], [14, 6, -2, 0]], np.float16)
    memory = _int4(16)

    out = memory[first : first + 8].reshape(2, 4), pa.zeros((2,))
    seen = code("dynamic_quant", pa.asarray(x), None, out=out)

    assert seen == expected
    if expected == 0:
        wanted = np.zeros(16)
        wanted[first : first + 8] = [1, 2, 3, -7, 7, 3, -1, 0]
        assert memory.numpy().astype(float).tolist() == wanted.tolist()


_WIDE = np.random.default_rng(7).normal(0, 4, (3, 24)).astype(np.float16)


@pytest.mark.parametrize("operator", ["ascend_quant", "ascend_quant_v3", "group_quant"])
def test_words_of_int4_are_written_where_a_view_has_them(operator: str) -> None:
    memory = pa.zeros((3, 6), "int32")
    right = {**_RIGHT[operator], "x": pa.asarray(_WIDE), "dst_type": 3}
    scale = np.linspace(0.5, 1.5, 24).astype(np.float16)
    of_group = operator == "group_quant"
    right["scale"] = pa.asarray(scale.reshape(1, 24) if of_group else scale)
    right["offset_optional" if of_group else "offset"] = None
    if of_group:
        right["group_index"] = device([3], "int64")

    status = code_with(operator, right, y=memory[:, ::2])

    expected = in_words(narrowed(_WIDE.astype(np.float32) * scale.astype(np.float32), "int4"))
    assert status == 0
    assert np.array_equal(memory.numpy()[:, ::2], expected)
    assert not memory.numpy()[:, 1::2].any()


def test_words_of_int4_are_read_where_a_view_has_them() -> None:
    numbers = np.random.default_rng(8).integers(-8, 8, (3, 24))
    memory = np.full((3, 6), 0x12345678, np.int32)
    memory[:, ::2] = in_words(numbers)

    seen = pa.ops.ascend_anti_quant(pa.asarray(memory)[:, ::2], ones(1), None, 1, False)

    assert np.array_equal(seen.numpy(), numbers.astype(np.float16))


_HALF = ones(2, 8, dtype="float16")
_GAPS = _int4(2, 16)[:, ::2]
_ROW = ones(8, dtype="float16")
_RIGHT: dict[str, dict[str, Any]] = {
    "ascend_quant": {
        "x": _HALF, "scale": _ROW, "offset": _ROW, "sqrt_mode": False, "round_mode": "round",
        "dst_type": 2, "y": pa.zeros((2, 8), "int8"),
    },
    "ascend_quant_v3": {
        "x": _HALF, "scale": _ROW, "offset": _ROW, "sqrt_mode": False, "round_mode": "round",
        "dst_type": 2, "axis": -1, "y": pa.zeros((2, 8), "int8"),
    },
    "quantize": {
        "x": _HALF, "scales": _ROW, "zero_points": pa.zeros((8,), "int32"), "dtype": "int8",
        "axis": 1, "out": pa.zeros((2, 8), "int8"),
    },
    "ascend_anti_quant": {
        "x": pa.zeros((2, 8), "int8"), "scale": ones(8), "offset": ones(8), "dst_type": 1,
        "sqrt_mode": False, "y": _HALF,
    },
    "group_quant": {
        "x": _HALF, "scale": ones(1, 8), "group_index": device([2], "int64"),
        "offset_optional": ones(1), "dst_type": 2, "y": pa.zeros((2, 8), "int8"),
    },
    "dynamic_quant_v2": {
        "x": _HALF, "smooth_scales_optional": _ROW, "group_index_optional": None, "dst_type": 2,
        "y_out": pa.zeros((2, 8), "int8"), "scale_out": ones(2), "offset_out": ones(2),
    },
    "fake_quant_per_channel_affine_cachemask": {
        "self": ones(2, 8), "scale": ones(2), "zero_point": ones(2), "axis": 0, "quant_min": -3,
        "quant_max": 3, "out": ones(2, 8), "mask": pa.zeros((2, 8), "bool"),
    },
    "fake_quant_per_tensor_affine_cachemask": {
        "self": ones(2, 8), "scale": ones(1), "zero_point": ones(1, dtype="int32"),
        "fake_quant_enabled": 1.0, "quant_min": -3, "quant_max": 3, "out": ones(2, 8),
        "mask": pa.zeros((2, 8), "bool"),
    },
    "trans_quant_param_v3": {
        "scale": ones(4), "offset": ones(1), "round_mode": 1, "out": pa.zeros((4,), "uint64"),
    },
    "dequant_bias": {
        "x": pa.zeros((2, 8), "int32"), "weight_scale": ones(8), "activate_scale_optional": ones(2),
        "bias_optional": ones(8), "output_dtype": 1, "out": _HALF,
    },
}  # fmt: skip

_WRONG: list[tuple[str, dict[str, Any], int]] = [
    ("ascend_quant", {"scale": None}, NULL),
    ("ascend_quant", {"x": ones(2, 8)}, 0),
    ("ascend_quant", {"scale": ones(8)}, INVALID),
    ("ascend_quant", {"scale": ones(8), "offset": ones(8)}, INVALID),
    ("ascend_quant", {"dst_type": 29}, INVALID),
    ("ascend_quant", {"round_mode": "rint"}, INVALID),
    ("ascend_quant", {"round_mode": None}, INVALID),
    ("ascend_quant", {"scale": ones(2, 8, dtype="float16")}, INVALID),
    ("ascend_quant", {"offset": ones(1, dtype="float16")}, INVALID),
    ("ascend_quant", {"y": pa.zeros((2, 4), "int8")}, INVALID),
    ("ascend_quant", {"y": pa.zeros((2, 1), "int32"), "dst_type": 3}, 0),
    ("ascend_quant", {"y": pa.zeros((2, 2), "int32"), "dst_type": 3}, INVALID),
    ("ascend_quant", {"y": _int4(2, 8), "dst_type": 29}, 0),
    ("ascend_quant", {"y": _GAPS, "dst_type": 29}, VIEW_COPY),
    ("ascend_quant_v3", {"y": _GAPS, "dst_type": 29}, VIEW_COPY),
    ("ascend_quant_v3", {"y": _GAPS, "dst_type": 29, "scale": ones(8)}, INVALID),
    ("group_quant", {"y": _GAPS, "dst_type": 29}, VIEW_COPY),
    ("dynamic_quant_v2", {"y_out": _GAPS, "dst_type": 29}, VIEW_COPY),
    ("ascend_anti_quant", {"x": _GAPS}, INVALID),
    ("ascend_quant_v3", {"axis": 2}, INVALID),
    ("ascend_quant_v3", {"axis": 0}, INVALID),
    ("ascend_quant_v3", {"axis": 0, "scale": ones(1, dtype="float16"), "offset": None}, 0),
    ("ascend_quant_v3", {"scale": ones(8, 1, dtype="float16"), "offset": None}, INVALID),
    ("ascend_quant_v3", {"round_mode": "hybrid"}, INVALID),
    ("quantize", {"axis": 2}, INVALID),
    ("quantize", {"axis": 0}, INVALID),
    ("quantize", {"zero_points": pa.zeros((1,), "int32")}, INVALID),
    ("quantize", {"zero_points": ones(8)}, INVALID),
    ("quantize", {"zero_points": ones(8, dtype="bfloat16")}, INVALID),
    ("quantize", {"dtype": "uint8"}, INVALID),
    ("quantize", {"scales": ones(1, 8)}, INVALID),
    ("ascend_anti_quant", {"x": None}, NULL),
    ("ascend_anti_quant", {"dst_type": 27}, INVALID),
    ("ascend_anti_quant", {"offset": ones(8, dtype="bfloat16")}, INVALID),
    ("ascend_anti_quant", {"scale": ones(2), "offset": None}, INVALID),
    ("ascend_anti_quant", {"x": pa.zeros((2, 1), "int32")}, 0),
    ("ascend_anti_quant", {"x": pa.zeros((2, 8), "int32")}, INVALID),
    ("group_quant", {"x": ones(8)}, INVALID),
    ("group_quant", {"group_index": device([1, 2], "int64")}, INVALID),
    ("group_quant", {"group_index": ones(1)}, INVALID),
    ("group_quant", {"offset_optional": ones(2)}, INVALID),
    ("dynamic_quant_v2", {"x": ones(2, 8)}, INVALID),
    ("dynamic_quant_v2", {"offset_out": False}, 0),
    ("dynamic_quant_v2", {"scale_out": ones(2, 1)}, INVALID),
    ("dynamic_quant_v2", {"scale_out": ones(2, dtype="float16")}, INVALID),
    ("dynamic_quant_v2", {"smooth_scales_optional": ones(8)}, INVALID),
    ("dynamic_quant_v2", {"smooth_scales_optional": ones(2, dtype="float16")}, INVALID),
    ("dynamic_quant_v2", {"group_index_optional": device([2], "int32")}, TILING),
    ("dynamic_quant_v2", {"x": ones(8, dtype="float16")}, INVALID),
    ("fake_quant_per_channel_affine_cachemask", {"scale": None}, INNER_NULL),
    ("fake_quant_per_channel_affine_cachemask", {"axis": 1}, INVALID),
    ("fake_quant_per_channel_affine_cachemask", {"axis": 2}, INVALID),
    ("fake_quant_per_channel_affine_cachemask", {"quant_min": 4}, INVALID),
    ("fake_quant_per_tensor_affine_cachemask", {"zero_point": ones(1)}, INVALID),
    ("fake_quant_per_tensor_affine_cachemask", {"scale": ones(2)}, INVALID),
    ("trans_quant_param_v3", {"round_mode": 2}, INVALID),
    *(
        ("trans_quant_param_v3", {name: with_format(tensor, "NCL")}, INVALID)
        for name, tensor in (
            ("scale", ones(4)), ("offset", ones(4)), ("out", pa.zeros((4,), "uint64")),
        )
    ),
    ("trans_quant_param_v3", {"scale": ones(2, 4)}, INVALID),
    ("trans_quant_param_v3", {"offset": ones(3)}, INVALID),
    ("trans_quant_param_v3", {"out": pa.zeros((3,), "uint64")}, TILING),
    ("dequant_bias", {"output_dtype": 0}, TILING),
    ("dequant_bias", {"weight_scale": ones(4)}, TILING),
    ("dequant_bias", {"x": pa.zeros((16,), "int32")}, TILING),
    ("dequant_bias", {"bias_optional": ones(8, dtype="float64")}, INVALID),
]  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(_RIGHT, _WRONG)


def test_every_offset_of_a_word_has_9_bits() -> None:
    offsets = np.arange(-300, 300.5, 0.5, np.float32)
    scale = np.ones(len(offsets), np.float32)

    words = pa.ops.trans_quant_param_v2(pa.asarray(scale), pa.asarray(offsets)).numpy()

    nine = np.clip(np.rint(offsets), -256, 255).astype(np.int64) & 0x1FF
    assert np.array_equal(words.astype(np.int64), 1 << 46 | nine << 37 | 0x3F800000)


@pytest.mark.parametrize("offset", [0, 100, 255, -256])
@pytest.mark.parametrize("scale", [0.5, -0.25, 2.0**-8, 3.0])
def test_every_sum_of_16_bits_becomes_int8_by_a_word(scale: float, offset: int) -> None:
    word = pa.ops.trans_quant_param_v2(
        pa.asarray(np.array([scale], np.float32)), pa.asarray(np.array([offset], np.float32))
    )
    none = pa.zeros((1, 1), "int8"), pa.zeros((1, 2**15), "int8")

    for first in (-(2**15), 0):
        sums = np.arange(first, first + 2**15, dtype=np.int32)
        y = pa.ops.quant_matmul_v3(
            *none, word, None, pa.asarray(sums), out=pa.zeros((1, 2**15), "int8")
        )

        whole = np.clip(np.rint(sums * scale), -256, 255) + offset
        assert np.array_equal(y.numpy()[0], np.clip(whole, -128, 127))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_every_int8_becomes_a_float_by_scale_and_offset(dtype: str) -> None:
    every = np.arange(-128, 128, dtype=np.int8).reshape(16, 16)
    scale, offset = np.array([0.0371], np.float32), np.array([-3.25], np.float32)

    y = pa.ops.ascend_anti_quant(
        pa.asarray(every), pa.asarray(scale), pa.asarray(offset), {"float16": 1}.get(dtype, 27),
        False,
    )  # fmt: skip

    wide = (every.astype(np.float32) + offset) * scale
    assert y.dtype == as_dtype(dtype)
    assert np.array_equal(y.numpy(), wide.astype(as_dtype(dtype)))
