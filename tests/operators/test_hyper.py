"""Hyper-connections refuse what CANN's operators refuse."""

from __future__ import annotations

from typing import Any

from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, TILING, code, ones
from operators.status_tests import status_tests

import pyaclnn as pa


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


_BEHIND: dict[str, Any] = {
    "x": _half(2, 4, 128), "h_res": ones(2, 4, 4), "h_out": _half(2, 128), "h_post": ones(2, 4),
}  # fmt: skip
_KEPT: dict[str, Any] = {
    "h_pre": ones(1, 2, 4), "hc_before_norm": ones(1, 2, 24), "inv_rms": ones(1, 2, 1),
    "sum_out": ones(40, 1, 2, 4), "norm_out": ones(40, 1, 2, 4, 4),
}  # fmt: skip
_WEIGHTS: dict[str, Any] = {
    "x": _half(1, 2, 4, 16),
    "phi": ones(24, 64),
    "alpha": ones(3),
    "bias": ones(24),
}
RIGHT: dict[str, dict[str, Any]] = {
    "mhc_post": {**_BEHIND, "out": _half(2, 4, 128)},
    "mhc_post_backward": {
        "grad_output": _half(2, 4, 128), **_BEHIND, "grad_x": _half(2, 4, 128),
        "grad_h_res": ones(2, 4, 4), "grad_h_out": _half(2, 128), "grad_h_post": ones(2, 4),
    },
    "mhc_pre_sinkhorn": {
        **_WEIGHTS, "hc_mult": 4, "num_iters": 20, "hc_eps": 1e-6, "norm_eps": 1e-6,
        "need_backward": True, "hin": _half(1, 2, 16), "h_post": ones(1, 2, 4),
        "h_res": ones(1, 2, 16), **_KEPT,
    },
    "mhc_pre_sinkhorn_backward": {
        "grad_hin": _half(1, 2, 16), "grad_h_post": ones(1, 2, 4), "grad_h_res": ones(1, 2, 16),
        **_WEIGHTS, **_KEPT, "hc_eps": 1e-6, "grad_x": _half(1, 2, 4, 16),
        "grad_phi": ones(24, 64), "grad_alpha": ones(3), "grad_bias": ones(24),
    },
}  # fmt: skip
_OF_BEHIND: tuple[tuple[str, Any, int], ...] = (
    ("x", None, NULL), ("h_post", None, NULL), ("h_res", _half(2, 4, 4), INVALID),
    ("x", ones(2, 4, 128), INVALID), ("x", _half(4, 128), INVALID),
    ("h_res", ones(2, 4, 3), INVALID), ("h_out", _half(2, 64), INVALID),
    ("h_post", ones(2, 5), INVALID),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "mhc_post": (*_OF_BEHIND, ("out", _half(2, 4, 64), INVALID)),
    "mhc_post_backward": (*_OF_BEHIND, ("grad_output", _half(2, 4, 64), INVALID),
                          ("x", _half(2, 6, 128), INVALID)),
    "mhc_pre_sinkhorn": (
        ("x", None, NULL), ("hc_mult", 6, INVALID), ("num_iters", 10, INVALID),
        ("num_iters", -(2**63), INVALID), ("phi", ones(24, 63), INVALID),
        ("alpha", ones(4), INVALID),
        ("bias", ones(23), INVALID), ("x", _half(2, 4, 16), INVALID),
        ("hin", ones(1, 2, 16), INVALID),
        ("h_res", ones(1, 2, 4, 4), INVALID), ("sum_out", ones(2, 1, 2, 4), INVALID),
        ("hin", ones(1, 2, 16, dtype="bfloat16"), INNER_NULL),
    ),
    "mhc_pre_sinkhorn_backward": (
        ("grad_hin", None, NULL), ("norm_out", None, NULL), ("grad_hin", ones(1, 2, 16), INVALID),
        ("x", _half(1, 2, 6, 16), TILING), ("grad_h_res", ones(1, 2, 15), TILING),
        ("grad_h_res", ones(1, 2, 4, 4), 0), ("sum_out", ones(38, 1, 2, 4), TILING),
        ("phi", ones(24, 32), TILING),
    ),
}  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_answered_as_by_cann = status_tests(RIGHT, WRONG)


def test_a_chip_without_a_kernel_says_so_behind_the_checks() -> None:
    assert code("mhc_sinkhorn", ones(2, 4, 4), 1e-6, 20) == NO_KERNEL
    assert code("mhc_sinkhorn", ones(2, 4, 4), 1e-6, 101) == INVALID
    assert code("mhc_sinkhorn", ones(2, 5, 5), 1e-6, 20) == INVALID
