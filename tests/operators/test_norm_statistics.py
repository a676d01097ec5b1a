"""Statistics of channels refuse what CANN's refuse; those of several devices are those of all."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.calls import INVALID, NO_KERNEL, NULL, code_with, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

half, bfloat = "float16", "bfloat16"
RIGHT: dict[str, dict[str, Any]] = {
    "batch_norm_stats": {
        "input": ones(2, 3, 4), "eps": 1e-3, "mean": ones(3), "invstd": ones(3),
    },
    "batch_norm_reduce": {"x": ones(2, 3, 4, 5), "sum": ones(3), "square_sum": ones(3)},
    "batch_norm_gather_stats_with_counts": {
        "input": ones(2, 3, 4), "mean": ones(2, 3), "invstd": ones(2, 3), "running_mean": ones(3),
        "running_var": ones(3), "momentum": 0.1, "eps": 1e-3, "counts": ones(2),
        "mean_all": ones(3), "invstd_all": ones(3),
    },
    "sync_batch_norm_gather_stats": {
        "total_sum": ones(2, 3), "total_square_sum": ones(2, 3),
        "sample_count": ones(2, dtype="int32"), "mean": ones(3), "variance": ones(3),
        "momentum": 0.1, "eps": 1e-3, "batch_mean": ones(3), "batch_invstd": ones(3),
    },
    "norm": {
        "self": ones(2, 3, 4), "p_scalar": 2.0, "dim": (1,), "keepdim": False, "out": ones(2, 4),
    },
}  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "batch_norm_stats": (
        ("input", None, NULL), ("input", ones(2, 3, 4, dtype=bfloat), INVALID),
        ("mean", ones(3, dtype=half), INVALID), ("input", ones(3), INVALID),
        ("input", ones(2, 0, 4), INVALID), ("invstd", ones(1, 3), INVALID),
        ("input", with_format(ones(2, 3, 4), "FRACTAL_NZ"), INVALID), ("input", ones(0, 3, 4), 0),
    ),
    "batch_norm_reduce": (
        ("x", None, NULL), ("x", ones(2, 3, 4, 5, dtype="int32"), INVALID),
        ("sum", ones(3, dtype=half), INVALID), ("x", ones(2, 3, 4), INVALID),
        ("x", with_format(ones(2, 4, 5, 3), "NHWC"), INVALID), ("square_sum", ones(4), INVALID),
        ("x", ones(0, 7, 4), 0),
    ),
    "batch_norm_gather_stats_with_counts": (
        ("counts", None, NULL), ("running_var", None, NULL), ("running_mean", None, 0),
        ("mean", ones(2, 3, dtype="float64"), INVALID), ("mean", ones(3), INVALID),
        ("invstd", ones(3, 3), INVALID), ("counts", ones(3), INVALID), ("input", ones(3), INVALID),
        ("counts", ones(2, dtype="int32"), INVALID), ("mean_all", ones(4), INVALID),
        ("running_mean", ones(2), INVALID), ("input", ones(2, 4, 3), INVALID),
    ),
    "sync_batch_norm_gather_stats": (
        ("mean", None, NULL), ("total_sum", ones(2, 3, dtype=bfloat), INVALID),
        ("total_sum", ones(2, 3, dtype=half), INVALID), ("total_sum", ones(2, 3, 1), INVALID),
        ("sample_count", ones(2, dtype="int64"), INVALID), ("sample_count", ones(3), INVALID),
        ("variance", ones(2), INVALID), ("batch_mean", ones(3, dtype=half), INVALID),
        ("total_square_sum", ones(3, 3), INVALID),
    ),
    "norm": (
        ("self", None, NULL), ("p_scalar", None, NULL), ("dim", None, NULL), ("dim", (3,), INVALID),
        ("dim", (1, -2), INVALID), ("out", ones(2, 3), INVALID), ("keepdim", True, INVALID),
        ("self", ones(2, 3, 4, dtype="int32"), 0),
        ("self", ones(2, 3, 4, dtype="complex64"), NO_KERNEL),
        ("out", ones(2, 4, dtype="int32"), NO_KERNEL), ("self", ones(2, 0, 4), 0),
        ("out", ones(2, 4, dtype=half), 0), ("self", ones(2, 3, 4, dtype="uint32"), INVALID),
        ("p_scalar", float("nan"), 0), ("dim", (-(2**63),), INVALID),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def test_sums_of_no_devices_are_refused() -> None:
    empty = {"total_sum": ones(0, 3), "total_square_sum": ones(0, 3), "sample_count": ones(0)}

    assert code_with(
        "sync_batch_norm_gather_stats", RIGHT["sync_batch_norm_gather_stats"], **empty
    ) == (INVALID)


_PARTS = [
    np.random.default_rng(8 + n).normal(1.5, 2, (n, 3, 4, 5)).astype(np.float32) for n in (2, 3)
]
_WHOLE = np.concatenate(_PARTS)
_COUNTS = np.array([40, 60])


def _stacked(results: list[Any]) -> list[pa.Tensor]:
    return [pa.asarray(np.stack([r.numpy() for r in each])) for each in zip(*results, strict=True)]


def _expected() -> tuple[Any, Any, Any, Any]:
    """Return mean, 1 / deviation, and running statistics that were 0 and 1."""
    wide = _WHOLE.astype(np.float64)
    mean, variance = wide.mean((0, 2, 3)), wide.var((0, 2, 3))
    return mean, 1 / np.sqrt(variance + 1e-3), 0.25 * mean, 0.75 + 0.25 * variance * 100 / 99


def test_statistics_of_devices_are_those_of_all_elements() -> None:
    means, invstds = _stacked([pa.ops.batch_norm_stats(pa.asarray(p), 1e-3) for p in _PARTS])
    running = pa.zeros((3,)), pa.ones((3,))

    found = pa.ops.batch_norm_gather_stats_with_counts(
        pa.asarray(_PARTS[0]), means, invstds, *running, 0.25, 1e-3,
        pa.asarray(_COUNTS.astype(np.float32)),
    )  # fmt: skip

    for actual, expected in zip((*found, *running), _expected(), strict=True):
        np.testing.assert_allclose(actual.numpy(), expected, rtol=1e-5)


def test_sums_of_devices_are_those_of_all_elements() -> None:
    sums, squares = _stacked([pa.ops.batch_norm_reduce(pa.asarray(p)) for p in _PARTS])
    running = pa.zeros((3,)), pa.ones((3,))

    found = pa.ops.sync_batch_norm_gather_stats(
        sums, squares, pa.asarray(_COUNTS.astype(np.int32)), *running, 0.25, 1e-3
    )

    for actual, expected in zip((*found, *running), _expected(), strict=True):
        np.testing.assert_allclose(actual.numpy(), expected, rtol=1e-4)


def test_running_statistics_that_are_not_given_are_not_needed() -> None:
    means, invstds = _stacked([pa.ops.batch_norm_stats(pa.asarray(p), 1e-3) for p in _PARTS])

    mean, invstd = pa.ops.batch_norm_gather_stats_with_counts(
        pa.asarray(_PARTS[0]), means, invstds, None, None, 0.25, 1e-3,
        pa.asarray(_COUNTS.astype(np.float32)),
    )  # fmt: skip

    np.testing.assert_allclose(mean.numpy(), _expected()[0], rtol=1e-5)
    np.testing.assert_allclose(invstd.numpy(), _expected()[1], rtol=1e-5)
