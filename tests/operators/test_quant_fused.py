"""What normalisations and gated units refuse that quantise their results; fused and unfused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, TILING, device, ones
from operators.status_tests import refusal_tests

import pyaclnn as pa

_HALF = ones(2, 32, dtype="float16")
_ROW = ones(32, dtype="float16")
_RIGHT: dict[str, dict[str, Any]] = {
    "add_rms_norm_quant": {
        "x1": _HALF, "x2": _HALF, "gamma": _ROW, "scales1": ones(32), "scales2_optional": None,
        "zero_points1_optional": None, "zero_points2_optional": None, "axis": -1, "epsilon": 1e-6,
        "div_mode": True, "y1_out": pa.zeros((2, 32), "int8"), "y2_out": pa.zeros((2, 32), "int8"),
        "x_out": ones(2, 32, dtype="float16"),
    },
    "add_rms_norm_quant_v2": {
        "x1": _HALF, "x2": _HALF, "gamma": _ROW, "scales1": ones(32), "scales2_optional": None,
        "zero_points1_optional": None, "zero_points2_optional": None, "beta_optional": None,
        "axis": -1, "epsilon": 1e-6, "div_mode": True, "y1_out": pa.zeros((2, 32), "int8"),
        "y2_out": pa.zeros((2, 32), "int8"), "x_out": ones(2, 32, dtype="float16"),
        "rms_norm_out": False,
    },
    "group_norm_silu_quant": {
        "self": ones(2, 4, 8, dtype="float16"), "gamma": None, "beta": None,
        "quant_scale": ones(4), "group": 2, "eps": 1e-5, "activate_silu": True,
        "out": pa.zeros((2, 4, 8), "int8"), "mean_out": ones(2, 2, dtype="float16"),
        "rstd_out": ones(2, 2, dtype="float16"),
    },
    "dequant_rope_quant_kvcache": {
        "x": pa.zeros((2, 64), "int32"), "cos": ones(2, 16, dtype="float16"),
        "sin": ones(2, 16, dtype="float16"), "k_cache_ref": pa.zeros((2, 3, 1, 16), "int8"),
        "v_cache_ref": pa.zeros((2, 3, 1, 16), "int8"), "indices": device([0, 1], "int32"),
        "scale_k": ones(16), "scale_v": ones(1, 16), "offset_k_optional": None,
        "offset_v_optional": None, "weight_scale_optional": ones(64),
        "activation_scale_optional": None, "bias_optional": None, "size_splits": [32, 16, 16],
        "quant_mode_optional": "static", "layout_optional": "BSND", "kv_output": False,
        "cache_mode_optional": None, "q_out": ones(2, 2, 16, dtype="float16"),
        "k_out": ones(0, dtype="float16"), "v_out": ones(0, dtype="float16"),
    },
    "quantized_batch_norm": {
        "input": pa.zeros((1, 2, 3, 4), "int8"), "mean": ones(2), "var": ones(2),
        "input_scale": 0.5, "input_zero_point": 1, "output_scale": 0.5, "output_zero_point": 1,
        "weight": None, "bias": None, "epsilon": 1e-5, "output": pa.zeros((1, 2, 3, 4), "int8"),
    },
    "add_rms_norm_dynamic_quant_v2": {
        "x1": _HALF, "x2": _HALF, "gamma": _ROW, "smooth_scale1_optional": _ROW,
        "smooth_scale2_optional": None, "beta_optional": None, "epsilon": 1e-6,
        "output_mask": None, "y1_out": pa.zeros((2, 32), "int8"),
        "y2_out": pa.zeros((1,), "int8"), "x_out": ones(2, 32, dtype="float16"),
        "scale1_out": ones(2), "scale2_out": ones(1),
    },
    "dequant_swiglu_quant": {
        "x": pa.zeros((2, 64), "int32"), "weight_scale_optional": ones(64),
        "activation_scale_optional": ones(2, 1), "bias_optional": None,
        "quant_scale_optional": ones(32), "quant_offset_optional": None,
        "group_index_optional": None, "activate_left": False, "quant_mode_optional": "dynamic",
        "y_out": pa.zeros((2, 32), "int8"), "scale_out": ones(2),
    },
    "swi_glu_quant_v2": {
        "x": _HALF, "smooth_scales_optional": ones(1, 16), "offsets_optional": None,
        "group_index_optional": None, "activate_left": False, "quant_mode_optional": "dynamic",
        "group_list_type": 0, "dst_type": 2, "y_out": pa.zeros((2, 16), "int8"),
        "scale_out": ones(2),
    },
}  # fmt: skip

_IN_WORDS = {"y2_out": pa.zeros((1,), "int32"), "output_mask": [True, False]}
_ONE = {"scales1": ones(1), "zero_points1_optional": pa.zeros((1,), "int32")}
_ONE_BY_NORM = {**_ONE, "x_out": False, "rms_norm_out": ones(2, 32, dtype="float16")}
_ROPE = "dequant_rope_quant_kvcache"
_V1, _V2, _GROUPS, _BATCH = (
    "add_rms_norm_quant",
    "add_rms_norm_quant_v2",
    "group_norm_silu_quant",
    "quantized_batch_norm",
)


def _rope_rows(width: int) -> dict[str, Any]:
    """Rows of so many numbers, of which all but two heads of 16 are queries."""
    return {
        "x": pa.zeros((2, width), "int32"), "weight_scale_optional": ones(width),
        "size_splits": [width - 32, 16, 16],
        "q_out": ones(2, width // 16 - 2, 16, dtype="float16"),
    }  # fmt: skip


_NO_QUERIES = {
    "size_splits": [0, 32, 32], "k_cache_ref": pa.zeros((2, 3, 2, 16), "int8"),
    "v_cache_ref": pa.zeros((2, 3, 2, 16), "int8"), "scale_k": ones(32), "scale_v": ones(32),
    "q_out": ones(2, 0, 16, dtype="float16"),
}  # fmt: skip
_WRONG: list[tuple[str, dict[str, Any], int]] = [
    (_V2, {"y2_out": False}, NULL),
    (_V2, {"x_out": False}, NULL),
    (_V2, {"rms_norm_out": ones(2, 32, dtype="float16")}, NULL),
    (_V2, {"scales1": ones(1)}, INVALID),
    (_V2, {"scales1": _ROW}, 0),
    (_V2, {"scales1": ones(32, dtype="bfloat16")}, NO_KERNEL),
    (_V2, {"x1": ones(2, 32), "x2": ones(2, 32)}, INVALID),
    (_V2, {"gamma": ones(1, 32, dtype="float16"), "scales1": ones(1, 32)}, INVALID),
    (_V2, {"beta_optional": ones(31, dtype="float16")}, INVALID),
    (_V2, {"beta_optional": _ROW}, 0),
    (_V2, {**_ONE_BY_NORM}, 0),
    (_V2, {**_ONE_BY_NORM, "div_mode": False}, NULL),
    (_V2, {**_ONE_BY_NORM, "beta_optional": _ROW}, NULL),
    (_V2, {**_ONE, "beta_optional": _ROW, "gamma": ones(1, 32, dtype="float16")}, 0),
    (_V2, {**_ONE, "beta_optional": _ROW, "zero_points1_optional": pa.zeros((1,), "int8")}, 0),
    (_V2, {**_ONE, "beta_optional": ones(32)}, INVALID),
    (_V2, {**_ONE, "beta_optional": _ROW, "x2": ones(1, 32, dtype="float16")}, TILING),
    (_V1, {"axis": 1}, 0),
    (_ROPE, {"indices": None}, NULL),
    (_ROPE, {"k_out": False}, NULL),
    (_ROPE, {"size_splits": [32, 16]}, TILING),
    (_ROPE, _rope_rows(4096), 0),
    (_ROPE, _rope_rows(4160), TILING),
    (_ROPE, _rope_rows(96), TILING),
    (_ROPE, {"size_splits": [2**62, -(2**62), 64]}, TILING),
    (_ROPE, {"size_splits": [16, 24, 24]}, TILING),
    (_ROPE, {"size_splits": [32, 16, 8]}, TILING),
    (_ROPE, _NO_QUERIES, 0),
    (_ROPE, {"x": ones(2, 64)}, INVALID),
    (_ROPE, {"x": ones(2, 64, dtype="float16")}, 0),
    (_ROPE, {"x": ones(2, 64, dtype="bfloat16")}, NO_KERNEL),
    (_ROPE, {"weight_scale_optional": None}, TILING),
    (_ROPE, {"activation_scale_optional": ones(3)}, TILING),
    (_ROPE, {"bias_optional": pa.zeros((64,), "int32")}, 0),
    (_ROPE, {"indices": device([7, -1], "int32")}, 0),
    (_ROPE, {"indices": device([7, -1], "int32"), "cache_mode_optional": "PAGE"}, 0),
    (_ROPE, {"indices": device([7, 1, 2], "int32")}, TILING),
    (_ROPE, {"scale_v": ones(15)}, TILING),
    (_ROPE, {"quant_mode_optional": "dynamic"}, NO_KERNEL),
    (_ROPE, {"kv_output": True}, TILING),
    (_GROUPS, {"quant_scale": None}, NULL),
    (_GROUPS, {"self": ones(2, 4, 8)}, INVALID),
    (_GROUPS, {"gamma": ones(4, dtype="float16"), "beta": ones(4, dtype="bfloat16")}, INVALID),
    (_GROUPS, {"gamma": ones(4, dtype="bfloat16")}, TILING),
    (_GROUPS, {"gamma": ones(2, dtype="float16")}, INVALID),
    (_GROUPS, {"quant_scale": ones(1)}, 0),
    (_GROUPS, {"quant_scale": ones(3)}, INVALID),
    (_GROUPS, {"group": 0}, INVALID),
    (
        _GROUPS,
        {
            "self": ones(0, 4, 8, dtype="float16"),
            "out": pa.zeros((0, 4, 8), "int8"),
            "mean_out": ones(0, 2, dtype="float16"),
            "rstd_out": ones(0, 2, dtype="float16"),
        },
        INVALID,
    ),
    (_GROUPS, {"eps": 0.0}, INVALID),
    (_GROUPS, {"activate_silu": False}, INVALID),
    (_BATCH, {"mean": None}, NULL),
    (_BATCH, {"input_scale": None}, NULL),
    (_BATCH, {"input": pa.zeros((1, 2, 0, 4), "int8")}, INVALID),
    (_BATCH, {"output": pa.zeros((1, 2, 3, 4), "uint8")}, INNER_NULL),
    (_BATCH, {"output": pa.zeros((1, 2, 3, 4), "int16")}, INVALID),
    (_BATCH, {"weight": ones(3)}, INVALID),
    (_BATCH, {"weight": ones(2, dtype="float16")}, INVALID),
    (_BATCH, {"input": pa.zeros((1, 2), "int8"), "output": pa.zeros((1, 2), "int8")}, INVALID),
    ("add_rms_norm_quant", {"scales1": None}, NULL),
    ("add_rms_norm_quant", {"y2_out": False}, NULL),
    ("add_rms_norm_quant", {"x1": pa.zeros((2, 32), "int8")}, INVALID),
    ("add_rms_norm_quant", {"y1_out": pa.zeros((2, 32), "uint8")}, INVALID),
    ("add_rms_norm_quant", {"scales1": _ROW}, NO_KERNEL),
    ("add_rms_norm_quant", {"zero_points1_optional": ones(32)}, NO_KERNEL),
    ("add_rms_norm_quant", {"zero_points1_optional": pa.zeros((32,), "int32")}, 0),
    ("add_rms_norm_quant", {"scales1": ones(1)}, 0),
    ("add_rms_norm_quant", {"scales1": ones(31)}, TILING),
    ("add_rms_norm_quant", {"gamma": ones(31, dtype="float16")}, TILING),
    ("add_rms_norm_quant", {"scales1": ones(0)}, TILING),
    ("add_rms_norm_quant", {"axis": 0}, 0),
    (
        "add_rms_norm_dynamic_quant_v2",
        {**_IN_WORDS, "y1_out": pa.zeros((2, 4), "int32")},
        0,
    ),
    (
        "add_rms_norm_dynamic_quant_v2",
        {**_IN_WORDS, "y1_out": pa.zeros((4, 4), "int32")},
        INNER_NULL,
    ),
    ("add_rms_norm_dynamic_quant_v2", {"y2_out": pa.zeros((1,), "int32")}, INVALID),
    ("add_rms_norm_dynamic_quant_v2", {"y2_out": pa.zeros((2,), "int8")}, INNER_NULL),
    ("add_rms_norm_dynamic_quant_v2", {"scale1_out": None}, 0),
    ("add_rms_norm_dynamic_quant_v2", {"scale1_out": False}, NULL),
    ("add_rms_norm_dynamic_quant_v2", {"smooth_scale1_optional": ones(32)}, INVALID),
    ("add_rms_norm_dynamic_quant_v2", {"output_mask": [False, False]}, INVALID),
    ("add_rms_norm_dynamic_quant_v2", {"output_mask": [True]}, INVALID),
    ("add_rms_norm_dynamic_quant_v2", {"output_mask": [False, True]}, INVALID),
    (
        "add_rms_norm_dynamic_quant_v2",
        {"smooth_scale1_optional": None, "smooth_scale2_optional": _ROW},
        INVALID,
    ),
    ("add_rms_norm_dynamic_quant_v2", {"x2": ones(1, 32, dtype="float16")}, TILING),
    ("dequant_swiglu_quant", {"y_out": False}, NULL),
    ("dequant_swiglu_quant", {"x": ones(2, 64)}, INVALID),
    ("dequant_swiglu_quant", {"x": ones(2, 64, dtype="float16")}, 0),
    ("dequant_swiglu_quant", {"weight_scale_optional": None}, TILING),
    ("dequant_swiglu_quant", {"weight_scale_optional": ones(32)}, TILING),
    ("dequant_swiglu_quant", {"activation_scale_optional": ones(3, 1)}, TILING),
    ("dequant_swiglu_quant", {"quant_mode_optional": "static"}, TILING),
    ("dequant_swiglu_quant", {"quant_mode_optional": "Dynamic"}, 0),
    ("dequant_swiglu_quant", {"quant_mode_optional": None}, TILING),
    ("dequant_swiglu_quant", {"group_index_optional": device([2], "int64")}, 0),
    ("dequant_swiglu_quant", {"group_index_optional": device([[0, 2]], "int64")}, NO_KERNEL),
    ("dequant_swiglu_quant", {"scale_out": ones(3)}, TILING),
    ("swi_glu_quant_v2", {"x": None}, NULL),
    ("swi_glu_quant_v2", {"quant_mode_optional": "static"}, 0),
    ("swi_glu_quant_v2", {"quant_mode_optional": "other"}, TILING),
    ("swi_glu_quant_v2", {"quant_mode_optional": "dynamic_msd"}, 0),
    ("swi_glu_quant_v2", {"group_list_type": 2}, TILING),
    ("swi_glu_quant_v2", {"dst_type": 3}, TILING),
    ("swi_glu_quant_v2", {"smooth_scales_optional": ones(2, 16)}, TILING),
    ("swi_glu_quant_v2", {"group_index_optional": device([2], "int32")}, 0),
    ("swi_glu_quant_v2", {"group_index_optional": device([2], "int64")}, INVALID),
    ("swi_glu_quant_v2", {"scale_out": ones(2, 1)}, TILING),
    ("swi_glu_quant_v2", {"y_out": pa.zeros((2, 8), "int8")}, TILING),
]

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(_RIGHT, _WRONG)


def test_rows_that_no_group_has_are_left_alone() -> None:
    y = pa.full((4, 16), 99, "int8")
    scale = pa.full((4,), 9.0, "float32")
    groups = device([1, 2], "int32")
    x = ones(4, 32, dtype="float16")

    pa.ops.swi_glu_quant(x, ones(2, 16), None, groups, True, "dynamic", out=(y, scale))

    assert y.numpy()[:, 0].tolist() == [127, 127, 99, 99]
    assert scale.numpy()[2:].tolist() == [9.0, 9.0]


def test_the_fused_norm_is_the_norm_and_the_quantisation_of_float32() -> None:
    rng = np.random.default_rng(7)
    x1, x2, gamma = (
        pa.asarray(rng.normal(0, 1, shape).astype(np.float16)) for shape in ((9, 64), (9, 64), 64)
    )
    y, _, total, scale, _ = pa.ops.add_rms_norm_dynamic_quant(x1, x2, gamma, None, None, 1e-6)

    normal, _, added = pa.ops.add_rms_norm(x1, x2, gamma, 1e-6)
    _, expected = pa.ops.dynamic_quant(normal, None)

    assert np.array_equal(total.numpy(), added.numpy())
    # The fused one does not round the row to float16 on its way.
    assert np.allclose(scale.numpy(), expected.numpy(), rtol=2**-10)
    assert np.abs(y.numpy().astype(int)).max(-1).tolist() == [127] * 9


def test_an_empty_smooth_scale_is_none() -> None:
    right = _RIGHT["add_rms_norm_dynamic_quant_v2"]
    results = []
    for smooth in (None, pa.empty((32, 0), "float16")):
        y = pa.zeros((2, 32), "int8")
        pa.ops.add_rms_norm_dynamic_quant_v2(
            **{**right, "smooth_scale1_optional": smooth, "y1_out": y}
        )
        results.append(y.numpy())

    assert results[0].any()
    assert np.array_equal(*results)


def test_a_group_without_elements_has_no_mean() -> None:
    x = pa.zeros((2, 4, 0), "float16")

    y, mean, rstd = pa.ops.group_norm_silu_quant(x, None, None, ones(1), 2, 1e-5, True)

    assert y.shape == (2, 4, 0)
    assert (mean.numpy() == 0).all()
    assert np.isnan(rstd.numpy()).all()


def test_of_rows_for_one_page_the_last_is_kept_and_those_beyond_the_cache_are_none() -> None:
    cache = {n: pa.full((1, 3, 1, 16), 99, "int8") for n in ("k_cache_ref", "v_cache_ref")}
    x = pa.asarray(np.repeat([[1], [2], [3], [4]], 64, 1).astype(np.float16))
    angles = {"cos": ones(4, 16, dtype="float16"), "sin": pa.zeros((4, 16), "float16")}

    pa.ops.dequant_rope_quant_kvcache(
        **{**_RIGHT[_ROPE], **cache, **angles, "x": x, "cache_mode_optional": "page",
           "indices": device([1, 1, 2**31 - 1, -5], "int32"),
           "q_out": ones(4, 2, 16, dtype="float16")}
    )  # fmt: skip

    for kept in cache.values():
        assert kept.numpy()[0, :, 0, 0].tolist() == [99, 2, 99]


@pytest.mark.parametrize(
    ("indices", "kept"),
    [
        ([2, -1], [[99, 99, 1], [99, 99, 99]]), ([3, 0], [[99, 99, 99], [3, 4, 99]]),
        ([0, 2**31 - 1], [[1, 2, 99], [99, 99, 99]]),
    ],
)  # fmt: skip
def test_rows_beyond_the_cache_of_their_sequence_go_nowhere(
    indices: list[int], kept: list[list[int]]
) -> None:
    caches = {n: pa.full((2, 3, 1, 16), 99, "int8") for n in ("k_cache_ref", "v_cache_ref")}
    x = pa.asarray(np.repeat([[[1], [2]], [[3], [4]]], 64, 2).astype(np.float16))

    pa.ops.dequant_rope_quant_kvcache(
        **{**_RIGHT[_ROPE], **caches, "x": x, "cos": ones(2, 2, 1, 16, dtype="float16"),
           "sin": pa.zeros((2, 2, 1, 16), "float16"), "indices": device(indices, "int32"),
           "q_out": ones(2, 2, 2, 16, dtype="float16")}
    )  # fmt: skip

    for cache in caches.values():
        assert cache.numpy()[:, :, 0, 0].tolist() == kept


def test_an_adapted_layer_norm_rounds_halves_to_even() -> None:
    shift = np.array([127, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 3], np.float16)
    zeros = pa.zeros((3, 8), "float16")

    y, scale, _ = pa.ops.ada_layer_norm_quant(
        zeros, zeros[:1], pa.asarray(shift[None]), None, None, None, 1e-5, "dynamic"
    )

    assert scale.numpy().tolist() == [1, 1, 1]
    assert y.numpy().tolist() == [[127, 0, 2, 2, 0, -2, -2, 3]] * 3


@pytest.mark.parametrize(
    ("given", "expected"), [("k", 0), ("v", 0), ("kv", 7)], ids=["keys", "values", "both"]
)
def test_an_offset_of_one_cache_alone_shifts_nothing(given: str, expected: int) -> None:
    cache = {n: pa.full((2, 3, 1, 16), 99, "int8") for n in ("k_cache_ref", "v_cache_ref")}
    offsets = {f"offset_{letter}_optional": pa.full((16,), 7.0) for letter in given}

    pa.ops.dequant_rope_quant_kvcache(**{**_RIGHT[_ROPE], **cache, **offsets})

    for kept in cache.values():
        assert (kept.numpy()[[0, 1], [0, 1]] == expected).all()


@pytest.mark.parametrize("shape", [(2, 16), (3, 2, 16)])
@pytest.mark.parametrize("name", ["add_rms_norm_quant", "add_rms_norm_quant_v2"])
def test_a_norm_over_two_axes_is_quantised_by_scales_of_two(
    shape: tuple[int, ...], name: str
) -> None:
    rng = np.random.default_rng(7)
    x1, x2 = (rng.normal(size=shape).astype(np.float16) for _ in range(2))
    gamma = rng.normal(size=(2, 16)).astype(np.float16)
    scale = rng.uniform(0.1, 1, (2, 16)).astype(np.float32)
    zeros = rng.integers(-10, 10, (2, 16)).astype(np.int32)
    given = [pa.asarray(v) for v in (x1, x2, gamma, scale)]

    found = getattr(pa.ops, name)(*given, None, pa.asarray(zeros))[0].numpy()

    total = x1.astype(np.float64) + x2
    mean = np.square(total).mean((-2, -1), keepdims=True)
    wide = np.clip(total / np.sqrt(mean + 1e-6) * gamma / scale + zeros, -128, 127)
    # It is rounded to float16 on the way, so a value between two may become either.
    assert np.abs(found - wide).max() < 0.6
