"""What hyper-connections are refused for on the 950, and without a kernel elsewhere."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import INVALID, NULL, ones
from operators.reasons import Refused, otherwise
from operators.test_hyper import RIGHT

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

_SINKHORN = "mhc_pre_sinkhorn"
_BACKWARD = "mhc_pre_sinkhorn_backward"


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def test_streams_are_refused_for_these_reasons() -> None:
    other = ones(1, 2, 4, 16, dtype="bfloat16")
    refused: list[Refused] = [
        (_BACKWARD, {"grad_x": other}, INVALID, "gradX"),
        (_BACKWARD, {"grad_hin": ones(1, 2, 16, dtype="bfloat16")}, INVALID, "gradHin"),
        (_SINKHORN, {"hin": False}, NULL, "hin is null"),
        (_SINKHORN, {"bias": None}, NULL, "bias is null"),
    ]
    assert otherwise({name: RIGHT[name] for name in (_SINKHORN, _BACKWARD)}, refused) == []


def on_950() -> list[str]:
    """Return what the 950 answers otherwise."""
    x, phi, three = _half(2, 4, 16), ones(24, 64), ones(3)
    results = {
        "h_in": _half(2, 16), "h_post": ones(2, 4), "h_res": ones(2, 4, 4),
        "inv_rms_optional": ones(2), "h_mix_optional": ones(2, 24), "h_pre_optional": ones(2, 4),
    }  # fmt: skip
    right: dict[str, dict[str, Any]] = {
        "mhc_pre": {
            "x": x, "phi": phi, "alpha": three, "bias": ones(24), "gamma_optional": ones(4, 16),
            "norm_eps": 1e-6, "hc_eps": 1e-6, **results,
        },
        "mhc_pre_backward": {
            "x": x, "phi": phi, "alpha": three, "grad_h_in": _half(2, 16),
            "grad_h_post": ones(2, 4), "grad_h_res": ones(2, 4, 4), "inv_rms": ones(2),
            "h_mix": ones(2, 24), "h_pre": ones(2, 4), "h_post": ones(2, 4),
            "gamma": ones(4, 16), "grad_x_post_optional": x, "hc_eps": 1e-6, "grad_x": x,
            "grad_phi": phi, "grad_alpha": three, "grad_bias": ones(24), "grad_gamma": ones(4, 16),
        },
        "mhc_sinkhorn": {
            "x": ones(2, 4, 4), "eps": 1e-6, "num_iters": 20, "output": ones(2, 4, 4),
            "norm_out": ones(2 * 2 * 20 * 8 * 4), "sum_out": ones(2 * 2 * 20 * 8),
        },
    }  # fmt: skip
    pre, back, sinkhorn = right
    return otherwise(right, [
        *((pre, {name: None}, NULL, f"{name} is null") for name in ("x", "phi", "alpha", "bias")),
        (pre, {"h_in": False}, NULL, "hIn is null"),
        (pre, {"h_post": False}, NULL, "hPost is null"),
        (pre, {"h_res": False}, NULL, "hRes is null"),
        (pre, {"gamma_optional": None}, 0, ""),
        (pre, {"x": _half(2, 5, 16)}, INVALID, "x has shape [2, 5, 16]"),
        (pre, {"x": _half(2, 4, 8)}, INVALID, "x has shape [2, 4, 8]"),
        (pre, {"gamma_optional": _half(4, 16)}, INVALID, "gamma"),
        (back, {"grad_x_post_optional": None}, 0, ""),
        (back, {"grad_x_post_optional": _half(1, 4, 16)}, INVALID, "gradXPost"),
        (back, {"grad_x_post_optional": _half(4, 4, 16)}, INVALID, "gradXPost"),
        (sinkhorn, {"output": with_format(ones(2, 4, 4), "ND")}, INVALID,
         "x and output differ in format"),
        (sinkhorn, {"x": ones(0, 4, 4), "output": ones(0, 4, 4)}, INVALID, "x is empty"),
    ])  # fmt: skip


def test_streams_are_refused_on_the_950_for_these_reasons() -> None:
    assert found_on("Ascend950", "operators.test_hyper_checks", "on_950()") == []
