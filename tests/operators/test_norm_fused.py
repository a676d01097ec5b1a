"""Fused normalisations refuse what CANN's refuse, and write what they are given in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NULL, TILING, code_with, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

half, bfloat = "float16", "bfloat16"
_TWO = {"x1": ones(4, 6), "x2": ones(4, 6), "gamma": ones(6), "epsilon": 1e-3}
_HALVES = {n: ones(*v.shape, dtype=half) if n != "epsilon" else v for n, v in _TWO.items()}
_ADA = {
    "x": ones(2, 3, 6), "scale": ones(2, 1, 6), "shift": ones(2, 6), "weight_optional": ones(6),
    "bias_optional": ones(6), "epsilon": 1e-3, "out": ones(2, 3, 6),
}  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    "add_layer_norm": {
        **_TWO, "beta": ones(6), "bias_optional": ones(6), "additional_output": True,
        "y_out": ones(4, 6), "mean_out": ones(4, 1), "rstd_out": ones(4, 1), "x_out": ones(4, 6),
    },
    "deep_norm": {
        "x": ones(4, 6), "gx": ones(4, 6), "beta": ones(6), "gamma": ones(6), "alpha": 0.3,
        "epsilon": 1e-3, "mean_out": ones(4, 1), "rstd_out": ones(4, 1), "y_out": ones(4, 6),
    },
    "gemma_rms_norm": {
        "x": ones(4, 6), "gamma": ones(6), "epsilon": 1e-3, "y_out": ones(4, 6),
        "rstd_out": ones(4, 1),
    },
    "inplace_add_rms_norm": {
        "x1_ref": ones(4, 6), "x2_ref": ones(4, 6), "gamma": ones(6), "epsilon": 1e-3,
        "rstd_out": ones(4, 1),
    },
    "add_rms_norm_cast": {
        **_HALVES, "y1_out": ones(4, 6), "y2_out": ones(4, 6, dtype=half), "rstd_out": ones(4, 1),
        "x_out": ones(4, 6, dtype=half),
    },
    "group_norm_swish": {
        "x": ones(2, 6, 5), "gamma": ones(6), "beta": ones(6), "num_groups": 3,
        "data_format_optional": None, "eps": 1e-3, "activate_swish": True, "swish_scale": 1.0,
        "y_out": ones(2, 6, 5), "mean_out": ones(2, 3), "rstd_out": ones(2, 3),
    },
    "ada_layer_norm": _ADA,
    "ada_layer_norm_v2": {
        **_ADA, "mean_out_optional": ones(2, 3, 1), "rstd_out_optional": ones(2, 3, 1),
    },
}  # fmt: skip

_MODULATED: tuple[tuple[str, Any, int], ...] = (
    ("x", None, NULL), ("shift", None, NULL), ("weight_optional", None, 0),
    ("x", ones(2, 3, 6, dtype="float64"), INVALID), ("x", ones(6), INVALID),
    ("scale", ones(2, 3, 6), INVALID), ("shift", ones(2, 1, 6, dtype=half), INVALID),
    ("weight_optional", ones(1, 6), INVALID), ("bias_optional", ones(6, dtype=half), INVALID),
    ("out", ones(2, 6, 3), INVALID), ("x", ones(0, 3, 6), INVALID),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "add_layer_norm": (
        ("x1", None, NULL), ("beta", None, NULL), ("bias_optional", None, 0),
        ("x1", ones(4, 6, dtype=half), 0), ("x1", ones(4, 6, dtype="float64"), INVALID),
        ("gamma", ones(6, dtype=half), INVALID), ("y_out", ones(4, 6, dtype=half), INVALID),
        ("mean_out", ones(4, 1, dtype=half), INVALID), ("x2", ones(4, 5), TILING),
        ("gamma", ones(5), TILING), ("mean_out", ones(4), TILING), ("rstd_out", ones(4, 6), TILING),
        ("bias_optional", ones(4, 1), TILING), ("bias_optional", ones(4, 6), 0),
        ("x1", with_format(ones(4, 6), "FRACTAL_NZ"), INVALID),
    ),
    "deep_norm": (
        ("gx", None, NULL), ("gx", ones(4, 6, dtype=half), INVALID), ("gamma", ones(4, 6), TILING),
        ("mean_out", ones(4), TILING), ("y_out", ones(6, 4), TILING), ("beta", ones(5), TILING),
        ("rstd_out", ones(4, 1, dtype=half), INVALID),
    ),
    "gemma_rms_norm": (
        ("gamma", None, NULL), ("gamma", ones(6, dtype=half), INVALID), ("gamma", ones(5), TILING),
        ("y_out", ones(6, 4), TILING), ("rstd_out", ones(3, 1), TILING),
    ),
    "inplace_add_rms_norm": (
        ("x1_ref", None, NULL), ("x2_ref", ones(4, 6, dtype=half), INVALID),
        ("x2_ref", ones(6, 4), TILING), ("rstd_out", ones(4), TILING), ("epsilon", -1.0, TILING),
        ("x1_ref", ones(0, 6), TILING), ("epsilon", float("nan"), 0),
    ),
    "add_rms_norm_cast": (
        ("x2", None, NULL), ("x1", ones(4, 6), INVALID),
        ("y1_out", ones(4, 6, dtype=half), INVALID),
        ("x_out", ones(4, 6, dtype=bfloat), INVALID), ("y2_out", ones(6, 4, dtype=half), TILING),
        ("gamma", ones(4, dtype=half), TILING), ("rstd_out", ones(4, 6), TILING),
    ),
    "group_norm_swish": (
        ("gamma", None, NULL), ("num_groups", 4, TILING), ("num_groups", 0, TILING),
        ("num_groups", -3, TILING), ("gamma", ones(5), TILING), ("x", ones(6), TILING),
        ("x", ones(2, 6, 0), TILING), ("gamma", ones(6, dtype=half), INVALID),
        ("mean_out", ones(2, 3, dtype=half), INVALID), ("rstd_out", ones(3, 2), TILING),
        ("y_out", ones(2, 6, 6), TILING),
    ),
    "ada_layer_norm": _MODULATED,
    "ada_layer_norm_v2": (
        *_MODULATED, ("mean_out_optional", ones(2, 3), INVALID), ("rstd_out_optional", None, 0),
        ("rstd_out_optional", ones(2, 3, 1, dtype=half), INVALID),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_both_operands_of_the_sum_are_written_in_place(dtype: str) -> None:
    rng = np.random.default_rng(6)
    first, second = (rng.normal(1.5, 1, (5, 40)).astype(dtype) for _ in range(2))
    y, x, gamma = pa.asarray(first), pa.asarray(second), pa.asarray(np.ones(40, dtype))

    pa.ops.inplace_add_rms_norm(y, x, gamma, 1e-3)

    total = first.astype(np.float64) + second
    expected = total / np.sqrt((total**2).mean(axis=1, keepdims=True) + 1e-3)
    np.testing.assert_allclose(x.numpy(), total, rtol=1e-3)
    np.testing.assert_allclose(y.numpy(), expected, rtol=2e-3)


def test_the_cast_result_has_the_digits_of_the_other() -> None:
    x = pa.asarray(np.random.default_rng(7).normal(1.5, 1, (5, 40)).astype(np.float16))

    wide, narrow, *_ = pa.ops.add_rms_norm_cast(x, x, pa.ones((40,), "float16"), 1e-3)

    assert wide.dtype == np.float32
    assert wide.numpy().tolist() == narrow.numpy().astype(np.float32).tolist()


def test_a_sum_that_is_not_wanted_is_not_written() -> None:
    given = RIGHT["add_layer_norm"]
    untouched = pa.full((4, 6), 7.0, "float32")
    inputs = (given[n] for n in ("x1", "x2", "gamma", "beta", "bias_optional", "epsilon"))
    outputs = (ones(4, 6), ones(4, 1), ones(4, 1), untouched)

    pa.ops.add_layer_norm(*inputs, False, out=outputs)

    assert set(untouched.numpy().ravel()) == {7.0}


def test_only_the_310p_normalises_instances() -> None:
    right = {
        "x": ones(2, 3, 4, 5), "gamma": ones(3), "beta": ones(3), "data_format": "NCHW",
        "eps": 1e-3, "y": ones(2, 3, 4, 5), "mean": ones(2, 3, 1, 1), "variance": ones(2, 3, 1, 1),
    }  # fmt: skip
    assert code_with("instance_norm", right) == INVALID
    assert code_with("instance_norm", right, data_format=None) == NULL


def rows_of_eight(rows: int, length: int = 8) -> dict[str, tuple[Any, ...]]:
    """Return calls of so many rows of a length."""
    half = "float16"
    x, gamma = ones(rows, length, dtype=half), ones(length, dtype=half)
    return {
        "rms_norm": (x, gamma, 1e-6),
        "gemma_rms_norm": (x, gamma, 1e-6),
        "inplace_add_rms_norm": (x, pa.ones_like(x), gamma, 1e-6),
        "add_rms_norm": (x, x, gamma, 1e-6),
        "add_rms_norm_cast": (x, x, gamma, 1e-6),
        "deep_norm": (x, x, gamma, gamma, 0.3, 1e-6),
        "add_layer_norm": (x, x, gamma, gamma, None, 1e-5, True),
        "layer_norm": (x, (length,), gamma, gamma, 1e-5),
    }


@pytest.mark.parametrize("name", rows_of_eight(0))
def test_no_rows_give_nothing(name: str) -> None:
    found = pa.ops[name](*rows_of_eight(0)[name])
    assert all(t.size == 0 for t in (found if isinstance(found, tuple) else (found,)))


@pytest.mark.parametrize(
    "name", ["rms_norm", "gemma_rms_norm", "add_rms_norm_cast", "deep_norm", "add_layer_norm"]
)
def test_rows_of_nothing_have_statistics_that_no_kernel_gives(name: str) -> None:
    with pytest.raises(pa.AclError) as refused:
        pa.ops[name](*rows_of_eight(3, 0)[name])
    assert refused.value.code == TILING
