"""Products of int8 by groups with a gate or a sum over tokens behind them: refusals, odd rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, TILING, device, ones
from operators.status_tests import refusal_tests

import pyaclnn as pa
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor.formats import with_format


def _weight(*shape: int, dtype: str = "int8") -> pa.Tensor:
    blocks = in_blocks(np.ones(shape, dtype))
    return with_format(pa.Tensor(pa.asarray(blocks).buffer, shape, dtype), "FRACTAL_NZ",
                       shape=shape, storage_shape=blocks.shape)  # fmt: skip


_GATE: dict[str, Any] = {
    "x": ones(4, 32, dtype="int8"), "weight": _weight(2, 32, 64), "bias": None, "offset": None,
    "weight_scale": ones(2, 64), "x_scale": ones(4), "group_list": device([3, 4], "int64"),
}  # fmt: skip
_INT4: dict[str, Any] = {
    "weight": ones(2, 32, 8, dtype="int32"), "bias": ones(2, 64),
    "weight_scale": pa.ones((2, 64), "uint64"),
}  # fmt: skip

_LISTED: dict[str, Any] = {
    "x": ones(4, 32, dtype="int8"), "weight": [_weight(2, 32, 64)], "weight_scale": [ones(2, 64)],
    "weight_assist_matrix": None, "bias": None, "x_scale": ones(4), "smooth_scale": None,
    "group_list": device([3, 4], "int64"), "dequant_mode": 0, "dequant_dtype": 0, "quant_mode": 0,
    "group_list_type": 0, "tuning_config_optional": None,
}  # fmt: skip
_LISTED_INT4: dict[str, Any] = {
    "weight": [ones(2, 32, 8, dtype="int32")], "weight_assist_matrix": [ones(2, 64)],
    "weight_scale": [pa.ones((2, 64), "uint64")],
}  # fmt: skip
_APART: dict[str, Any] = {"weight": [_weight(32, 64)] * 2, "weight_scale": [ones(64)] * 2}
_INT4_APART: dict[str, Any] = {
    "weight": [ones(32, 8, dtype="int32")] * 2, "weight_assist_matrix": [ones(64)] * 2,
    "weight_scale": [pa.ones((64,), "uint64")] * 2,
}  # fmt: skip
_BOTH_INT4: dict[str, Any] = {
    **_LISTED_INT4, "x": ones(4, 4, dtype="int32"), "weight_assist_matrix": None,
}  # fmt: skip

_ROUTED: dict[str, Any] = {
    "x1": ones(4, 64, dtype="int8"), "x2": _weight(2, 64, 256), "scale": ones(2, 256),
    "bias": None, "offset_optional": None, "antiquant_scale_optional": None,
    "antiquant_offset_optional": None, "pertoken_scale_optional": ones(4),
    "group_list": device([3, 4], "int64"), "shared_input": None, "logit": ones(4),
    "row_index": device([0, 1, 1, 0], "int64"), "dtype": 0, "shared_input_weight": 1.0,
    "shared_input_offset": 0, "transpose_x1": False, "transpose_x2": False,
    "group_list_type": 0, "tuning_config_optional": None, "out": ones(2, 256),
}  # fmt: skip

_ROUTED_INT4: dict[str, Any] = {
    "x1": ones(4, 192, dtype="int8"), "x2": ones(2, 192, 16, dtype="int32"),
    "scale_optional": ones(2, 1, 128, dtype="int64"), "bias_optional": ones(2, 128),
    "pertoken_scale_optional": ones(4), "group_list_optional": device([3, 4], "int64"),
    "logit_optional": ones(4), "row_index_optional": device([0, 1, 1, 0], "int64"),
    "transpose_x1": False, "transpose_x2": False, "group_list_type": 0, "out": ones(2, 128),
}  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(
    {"grouped_matmul_swiglu_quant_v2": _LISTED,
     "grouped_matmul_swiglu_quant_weight_nz_v2": _LISTED,
     "grouped_matmul_swiglu_quant": _GATE, "grouped_matmul_swiglu_quant_weight_nz": _GATE,
     "grouped_matmul_finalize_routing_v3": _ROUTED_INT4,
     "grouped_matmul_finalize_routing_weight_nz_v2": _ROUTED},
    [
        ("grouped_matmul_finalize_routing_v3", {"offset_optional": ones(2, 1, 128)}, 0),
        ("grouped_matmul_finalize_routing_v3", {"offset_optional": ones(2, 128)}, INVALID),
        ("grouped_matmul_finalize_routing_v3", {"offset_optional": ones(2, 1, 64)}, INVALID),
        ("grouped_matmul_finalize_routing_v3",
         {"offset_optional": ones(2, 1, 128, dtype="float16")}, INVALID),
        # What is not in blocks is taken for ND; the result must say that it is.
        *(("grouped_matmul_finalize_routing_v3", {name: with_format(_ROUTED_INT4[name], kind)},
           status)
          for name in ("x1", "scale_optional", "logit_optional")
          for kind, status in (("NC1HWC0", 0), ("FRACTAL_Z", 0), ("NCHW", 0),
                               ("FRACTAL_NZ", INVALID))),
        *(("grouped_matmul_finalize_routing_v3", {"out": with_format(ones(2, 128), kind)}, INVALID)
          for kind in ("NCHW", "HWCN", "FRACTAL_NZ")),
        ("grouped_matmul_finalize_routing_v3", {"bias_optional": None}, 0),
        ("grouped_matmul_finalize_routing_v3", {"bias_optional": ones(2, 64)}, INVALID),
        # The inference of the shape comes behind the checks.
        ("grouped_matmul_finalize_routing_weight_nz_v2",
         {"x1": ones(64, 4, dtype="int8").T}, INNER_NULL),
        ("grouped_matmul_finalize_routing_v3",
         {"x1": ones(1, 1, 1, 1, 1, 1, 1, 4, 192, dtype="int8")}, INNER_NULL),
        ("grouped_matmul_swiglu_quant", _INT4, 0),
        ("grouped_matmul_swiglu_quant", {**_INT4, "bias": None}, NULL),
        ("grouped_matmul_swiglu_quant", {**_INT4, "weight_scale": ones(2, 64)}, INVALID),
        ("grouped_matmul_swiglu_quant", {"x_scale": None}, NULL),
        ("grouped_matmul_swiglu_quant", {"weight": pa.zeros((2, 32, 64), "int8")}, INVALID),
        ("grouped_matmul_swiglu_quant", {"weight": _weight(2, 48, 64)}, INVALID),
        ("grouped_matmul_swiglu_quant", {"x_scale": ones(5)}, INVALID),
        ("grouped_matmul_swiglu_quant", {"x_scale": ones(4, dtype="int32")}, INVALID),
        ("grouped_matmul_swiglu_quant", {"group_list": device([1, 2, 4], "int64")}, INVALID),
        ("grouped_matmul_swiglu_quant", {"group_list": device([3, 4], "int32")}, INVALID),
        ("grouped_matmul_swiglu_quant_weight_nz", {"weight": pa.zeros((2, 32, 64), "int8")},
         INVALID),
        ("grouped_matmul_swiglu_quant_v2", {"group_list_type": 1}, 0),
        ("grouped_matmul_swiglu_quant_v2", {"group_list_type": 2}, TILING),
        ("grouped_matmul_swiglu_quant_v2", {"x_scale": None}, NULL),
        ("grouped_matmul_swiglu_quant_v2", {"weight": []}, NULL),
        ("grouped_matmul_swiglu_quant_v2", {"weight": [pa.zeros((2, 32, 64), "int8")]}, INVALID),
        ("grouped_matmul_swiglu_quant_v2",
         {"weight": [_weight(2, 32, 48)], "weight_scale": [ones(2, 48)]}, INVALID),
        ("grouped_matmul_swiglu_quant_v2", {"smooth_scale": ones(2)}, INVALID),
        ("grouped_matmul_swiglu_quant_v2", _APART, 0),
        ("grouped_matmul_swiglu_quant_v2", {**_APART, "weight": [_weight(2, 32, 64)] * 2},
         INVALID),
        ("grouped_matmul_swiglu_quant_v2",
         {**_APART, "weight": [_weight(32, 64), _weight(48, 64)]}, INVALID),
        ("grouped_matmul_swiglu_quant_v2",
         {**_APART, "weight": [_weight(32, 64), ones(32, 64, dtype="int8")]}, INVALID),
        ("grouped_matmul_swiglu_quant_v2", {**_APART, "weight": [_weight(32, 64), None]}, NULL),
        ("grouped_matmul_swiglu_quant_v2", {**_APART, "weight_scale": [ones(64)]}, INVALID),
        ("grouped_matmul_swiglu_quant_v2", {**_APART, "weight_scale": [ones(2, 64)]}, INVALID),
        ("grouped_matmul_swiglu_quant_v2",
         {**_APART, "weight_scale": [ones(64), ones(64, dtype="float16")]}, INVALID),
        ("grouped_matmul_swiglu_quant_v2", {**_APART, "weight_scale": [ones(1, 64)] * 2},
         INVALID),
        ("grouped_matmul_swiglu_quant_v2",
         {**_APART, "group_list": device([1, 2, 4], "int64")}, INVALID),
        ("grouped_matmul_swiglu_quant_weight_nz_v2", _APART, 0),
        ("grouped_matmul_swiglu_quant_weight_nz_v2", {**_APART, "weight": [_weight(2, 32, 64)] * 2},
         INVALID),
        ("grouped_matmul_swiglu_quant_v2", _INT4_APART, 0),
        ("grouped_matmul_swiglu_quant_v2", {**_INT4_APART, "dequant_mode": 1}, INVALID),
        ("grouped_matmul_swiglu_quant_v2",
         {**_INT4_APART, "weight_assist_matrix": [ones(64)]}, INVALID),
        ("grouped_matmul_swiglu_quant_v2",
         {**_INT4_APART, "weight_assist_matrix": [ones(2, 64)]}, INVALID),
        ("grouped_matmul_swiglu_quant_v2",
         {**_INT4_APART, "weight_assist_matrix": [ones(64), None]}, NULL),
        ("grouped_matmul_swiglu_quant_v2", _LISTED_INT4, 0),
        ("grouped_matmul_swiglu_quant_v2", {**_LISTED_INT4, "dequant_mode": 1}, INVALID),
        ("grouped_matmul_swiglu_quant_v2",
         {**_LISTED_INT4, "weight_assist_matrix": None}, INVALID),
        ("grouped_matmul_swiglu_quant_v2", _BOTH_INT4, 0),
        ("grouped_matmul_swiglu_quant_v2", {**_BOTH_INT4, "smooth_scale": ones(2, 32)}, 0),
        ("grouped_matmul_swiglu_quant_v2", {**_BOTH_INT4, "smooth_scale": ones(32)}, INVALID),
        ("grouped_matmul_swiglu_quant_weight_nz_v2", {"weight": None}, NULL),
        ("grouped_matmul_swiglu_quant_weight_nz_v2",
         {"weight": [pa.zeros((2, 32, 64), "int8")]}, INVALID),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"logit": None}, NULL),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"pertoken_scale_optional": None}, 0),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"dtype": 1}, INVALID),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"transpose_x1": True}, INVALID),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"transpose_x2": True}, INVALID),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"group_list_type": 2}, INVALID),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"shared_input_offset": 3}, INVALID),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"out": ones(5, 256)}, INVALID),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"tuning_config_optional": [9]}, INVALID),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"antiquant_scale_optional": ones(1)},
         NULL),
        ("grouped_matmul_finalize_routing_weight_nz_v2",
         {"bias": ones(2, 256, dtype="bfloat16")}, 0),
        ("grouped_matmul_finalize_routing_weight_nz_v2",
         {"bias": ones(2, 255, dtype="bfloat16")}, NO_KERNEL),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"bias": ones(2, 256)}, INVALID),
        ("grouped_matmul_finalize_routing_weight_nz_v2", {"offset_optional": ones(7)}, 0),
        # Rows that no token takes leave nothing behind.
        ("grouped_matmul_finalize_routing_weight_nz_v2",
         {"row_index": device([-1, 2, 2**40, 0], "int64")}, 0),
    ],
)  # fmt: skip


def test_a_weight_of_words_lies_in_blocks_of_32_bytes() -> None:
    """Clients cast bytes to FRACTAL_NZ, and name the same memory int32 then."""
    pairs = np.random.default_rng(1).integers(0, 256, (2, 192, 64)).astype(np.uint8)
    words = np.ascontiguousarray(pairs).view(np.int32)
    blocks = in_blocks(pairs)
    right = with_format(
        pa.Tensor(pa.asarray(blocks).buffer, (2, 192, 16), "int32"), "FRACTAL_NZ",
        shape=(2, 192, 16), storage_shape=blocks.shape,
    )  # fmt: skip
    more = {
        "x1": ones(4, 192, dtype="int8"), "scale": pa.full((2, 1, 128), 0x3F800000, "int64"),
        "bias": ones(2, 128),
    }  # fmt: skip
    plain = pa.ones((2, 128))
    blocked = pa.zeros((2, 128))

    for operator, weight, out in (
        ("grouped_matmul_finalize_routing_v3", pa.asarray(words), plain),
        ("grouped_matmul_finalize_routing_weight_nz_v2", right, blocked),
    ):
        *given, _ = {**_ROUTED, **more, "x2": weight}.values()
        pa.ops[operator](*given, out=out)

    assert np.array_equal(plain.numpy(), blocked.numpy())


def test_a_weight_may_show_its_blocks() -> None:
    """Clients describe memory in FRACTAL_NZ by the shape that it is stored in."""
    rng = np.random.default_rng(3)
    weight = rng.integers(-128, 128, (2, 32, 64)).astype(np.int8)
    x = pa.asarray(rng.integers(-128, 128, (4, 32)).astype(np.int8))
    blocks = in_blocks(weight)
    stored = pa.asarray(blocks).buffer
    found = []
    for shape in (weight.shape, blocks.shape):
        right = with_format(pa.Tensor(stored, shape, "int8"), "FRACTAL_NZ",
                            shape=shape, storage_shape=blocks.shape)  # fmt: skip
        listed = {**_LISTED, "x": x, "weight": [right]}
        plain = {**_GATE, "x": x, "weight": right}
        for name, given in (
            ("grouped_matmul_swiglu_quant_v2", listed),
            ("grouped_matmul_swiglu_quant_weight_nz_v2", listed),
            ("grouped_matmul_swiglu_quant_weight_nz", plain),
        ):
            out = pa.zeros((4, 32), "int8")
            scale = pa.zeros((4,))
            written = (out, scale) if given is listed else (out, scale, None)
            pa.ops[name](*given.values(), out=written)
            found.append((name, out.numpy()))

    half = len(found) // 2
    for (name, rows), (_, shown) in zip(found[:half], found[half:], strict=True):
        assert rows.any(), name
        assert np.array_equal(rows, shown), name


def test_rows_without_a_bias_are_those_with_a_bias_of_zeros() -> None:
    rng = np.random.default_rng(5)
    # The bits of 0.5.
    scale = pa.full((2, 1, 128), int(np.float32(0.5).view(np.uint32)), "int64")
    x = device(rng.integers(-128, 128, (4, 192)), "int8")
    results = []
    for bias in (pa.zeros((2, 128)), None):
        given = {**_ROUTED_INT4, "x1": x, "scale_optional": scale, "bias_optional": bias}
        given["out"] = pa.zeros((2, 128))
        pa.ops.grouped_matmul_finalize_routing_v3(**given)
        results.append(given["out"].numpy())

    assert results[0].any()
    assert np.array_equal(*results)
