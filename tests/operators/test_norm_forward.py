"""Normalisations refuse what CANN's refuse; batch norm keeps running statistics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import output_of
from operators.calls import INNER_NULL, INVALID, NULL, TILING, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

RIGHT: dict[str, dict[str, Any]] = {
    "batch_norm": {
        "input": ones(2, 3, 4), "weight": ones(3), "bias": ones(3), "running_mean": ones(3),
        "running_var": ones(3), "training": True, "momentum": 0.1, "eps": 1e-5,
        "output": ones(2, 3, 4), "save_mean": ones(3), "save_invstd": ones(3),
    },
    "batch_norm_elemt": {
        "input": ones(2, 3, 4), "weight": ones(3), "bias": ones(3), "mean": ones(3),
        "invstd": ones(3), "eps": 1e-5, "output": ones(2, 3, 4),
    },
    "layer_norm": {
        "input": ones(2, 3, 4), "normalized_shape": (3, 4), "weight_optional": ones(3, 4),
        "bias_optional": ones(3, 4), "eps": 1e-5, "out": ones(2, 3, 4),
        "mean_out_optional": ones(2, 1, 1), "rstd_out_optional": ones(2, 1, 1),
    },
    "group_norm": {
        "self": ones(2, 4, 5), "gamma": ones(4), "beta": ones(4), "n": 2, "c": 4, "hx_w": 5,
        "group": 2, "eps": 1e-5, "out": ones(2, 4, 5), "mean_out": ones(2, 2),
        "rstd_out": ones(2, 2),
    },
    "group_norm_silu": {
        "self": ones(2, 4, 5), "gamma": ones(4), "beta": ones(4), "group": 2, "eps": 1e-5,
        "out": ones(2, 4, 5), "mean_out": ones(2, 2), "rstd_out": ones(2, 2),
    },
    "rms_norm": {
        "x": ones(2, 3, 4), "gamma": ones(4), "epsilon": 1e-6, "y_out": ones(2, 3, 4),
        "rstd_out": ones(2, 3, 1),
    },
    "add_rms_norm": {
        "x1": ones(2, 3, 4), "x2": ones(2, 3, 4), "gamma": ones(4), "epsilon": 1e-6,
        "y_out": ones(2, 3, 4), "rstd_out": ones(2, 3, 1), "x_out": ones(2, 3, 4),
    },
}  # fmt: skip
RIGHT["fast_layer_norm"] = RIGHT["layer_norm"]
RIGHT["layer_norm_with_impl_mode"] = {**RIGHT["layer_norm"], "impl_mode": 0}

half, integer = "float16", "int32"
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "batch_norm": (
        ("input", None, NULL), ("weight", None, 0), ("running_mean", None, 0),
        ("input", ones(2, 3, 4, dtype=integer), INVALID),
        ("weight", ones(3, dtype=integer), INVALID), ("weight", ones(4), INVALID),
        ("running_var", ones(1, 3), INVALID), ("save_invstd", ones(2), INVALID),
        ("output", ones(2, 4, 3), INVALID), ("input", ones(4), INVALID),
        ("output", ones(2, 3, 4, dtype=half), INNER_NULL), ("save_mean", ones(3, dtype=half), 0),
        ("input", with_format(ones(2, 3, 4), "ND"), INVALID),
    ),
    "batch_norm_elemt": (
        ("input", None, INVALID), ("mean", None, INVALID), ("weight", None, 0),
        ("invstd", ones(2), INVALID), ("bias", ones(3, 1), INVALID),
        ("output", ones(2, 3, 4, dtype=half), INNER_NULL),
    ),
    "layer_norm": (
        ("input", None, NULL), ("normalized_shape", None, NULL), ("weight_optional", None, 0),
        ("weight_optional", ones(3, 4, dtype=half), INVALID), ("normalized_shape", (4,), INVALID),
        ("normalized_shape", (), INVALID), ("bias_optional", ones(4), INVALID),
        ("out", ones(2, 4, 3), INVALID), ("out", ones(2, 3, 4, dtype=half), 0),
        ("mean_out_optional", ones(2, 1), INNER_NULL),
        ("rstd_out_optional", ones(2, 1, 1, dtype=integer), INVALID),
    ),
    "fast_layer_norm": (
        ("out", ones(2, 3, 4, dtype=half), INNER_NULL),
        ("normalized_shape", (2, 3, 4), INVALID),
    ),
    "layer_norm_with_impl_mode": (("impl_mode", 3, INVALID), ("impl_mode", 2, INVALID)),
    "group_norm": (
        ("self", None, NULL), ("gamma", None, 0),
        ("gamma", ones(4, dtype=half), INVALID), ("group", 0, INVALID), ("group", 3, INVALID),
        ("eps", 0.0, INVALID), ("n", 3, INVALID), ("c", 8, INVALID), ("hx_w", 4, INVALID),
        ("beta", ones(2), INVALID), ("rstd_out", ones(2, 4), INVALID),
        ("self", with_format(ones(2, 4, 5), "NHWC"), INVALID),
    ),
    "group_norm_silu": (
        ("gamma", ones(4, dtype=half), INVALID), ("group", -1, INVALID),
        ("group", 3, INVALID), ("eps", 0.0, INVALID), ("self", ones(4), INVALID),
        ("mean_out", ones(2, 2, dtype=half), INVALID),
    ),
    "rms_norm": (
        ("x", None, NULL), ("gamma", ones(4, dtype=half), INVALID), ("gamma", ones(3), TILING),
        ("gamma", ones(1, 2, 3, 4), TILING), ("y_out", ones(2, 4, 3), TILING),
        ("rstd_out", ones(2, 3, 1, dtype=half), INVALID), ("rstd_out", ones(2, 1, 1), TILING),
        ("rstd_out", ones(2, 3), 0), ("x", ones(0, 3, 4), TILING),
    ),
    "add_rms_norm": (
        ("x1", None, NULL), ("x2", None, NULL), ("gamma", ones(3), TILING),
        ("x2", ones(2, 3, 4, dtype=half), INVALID), ("x_out", ones(2, 4, 3), INVALID),
        ("rstd_out", ones(2, 3), TILING),
        ("epsilon", -1.0, TILING), ("x1", ones(0, 3, 4), INVALID), ("gamma", ones(0), 0),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def status_of_added(x: pa.Tensor, gamma: pa.Tensor, *outputs: pa.Tensor | None) -> int:
    """Return the status of the first phase in C, where outputs may be null."""
    size, executor = pa.ffi.new("uint64_t *"), pa.ffi.new("aclOpExecutor **")
    handles = [pa.ffi.NULL if out is None else out.handle for out in outputs]
    status: int = pa.lib.aclnnAddRmsNormGetWorkspaceSize(
        x.handle, x.handle, gamma.handle, 1e-6, *handles, size, executor
    )
    if status == 0:
        pa.check(pa.lib.aclDestroyAclOpExecutor(executor[0]))
    return status


def test_half_types_need_no_statistics_of_an_added_rms_norm() -> None:
    x, gamma = ones(2, 4, dtype=half), ones(1, 4, dtype=half)

    assert status_of_added(x, gamma, x, None, x) == 0
    assert status_of_added(x, gamma, x, None, None) == 0
    assert status_of_added(x, gamma, x, ones(2, 1), None) == NULL
    assert status_of_added(x, ones(4, dtype=half), x, None, x) == TILING
    assert status_of_added(ones(2, 4), ones(1, 4), ones(2, 4), None, None) == INVALID


def test_an_added_rms_norm_without_statistics_has_eight_dimensions_at_most() -> None:
    gamma = ones(1, 4, dtype=half)

    for dimensions, expected in ((8, 0), (9, INVALID)):
        x = ones(*(1,) * (dimensions - 1), 4, dtype=half)
        assert status_of_added(x, gamma, x, None, x) == expected


@pytest.mark.parametrize("shape", [(4, 2, 5), (2, 2, 1)])
def test_batch_norm_moves_its_running_statistics_towards_those_of_the_batch(
    shape: tuple[int, ...],
) -> None:
    x = np.random.default_rng(1).normal(2, 3, shape).astype(np.float32)
    mean, variance = pa.asarray(np.float32([1, 2])), pa.asarray(np.float32([3, 4]))

    pa.ops.batch_norm(pa.asarray(x), None, None, mean, variance, True, 0.25, 1e-5)

    wide = x.astype(np.float64)
    np.testing.assert_allclose(
        mean.numpy(), 0.75 * np.array([1, 2]) + 0.25 * wide.mean((0, 2)), rtol=1e-6
    )
    np.testing.assert_allclose(
        variance.numpy(), 0.75 * np.array([3, 4]) + 0.25 * wide.var((0, 2), ddof=1), rtol=1e-6
    )


def test_running_statistics_stay_where_they_are_used() -> None:
    mean, variance = pa.ones(2), pa.ones(2)

    pa.ops.batch_norm(pa.asarray(np.eye(2, dtype=np.float32)), None, None, mean, variance, False,
                      0.5, 1e-5)  # fmt: skip

    assert mean.numpy().tolist() == variance.numpy().tolist() == [1, 1]


def test_the_950_saves_the_reciprocal_of_the_deviation() -> None:
    printed = output_of(
        """
        import numpy as np
        import pyaclnn as pa
        x = pa.asarray(np.float32([[1], [5]]))
        _, _, saved = pa.ops.batch_norm(x, None, None, None, None, True, 0.1, 0.0)
        print(saved.numpy()[0])
        """,
        PYACLNN_SIM_SOC="Ascend910_95",
    )

    assert printed == "0.5"
