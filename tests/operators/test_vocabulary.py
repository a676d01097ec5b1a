"""Cross entropy over a part of the vocabulary refuses what CANN's operators refuse."""

from __future__ import annotations

from typing import Any

from operators.calls import INVALID, NULL, TILING, device, ones
from operators.status_tests import outside_test, status_tests

import pyaclnn as pa


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _int32(*values: int) -> pa.Tensor:
    return device(values, "int32")


RIGHT: dict[str, dict[str, Any]] = {
    "fused_linear_online_max_sum": {
        "input": _half(3, 16), "weight": _half(40, 16), "target": _int32(0, 5, 900),
        "vocab_start_index": 0, "vocab_end_index": 39, "logits_max_local_out": ones(3),
        "sum_exp_logits_local_out": ones(3), "predicted_logits_local_out": ones(3),
        "target_mask_out": pa.zeros((1,), "uint8"), "masked_target_out": _int32(0, 0, 0),
        "vocab_parallel_logits_out_optional": _half(3, 40),
    },
    "fused_cross_entropy_loss_with_max_sum": {
        "logits_max": ones(3), "sum_exp_logits": ones(3), "predicted_logits": ones(3),
        "label_smoothing": 0.0, "input_optional": None, "weight_optional": None,
        "vocab_parallel_logits_optional": _half(3, 40), "loss_out": ones(3),
        "soft_max_out_optional": ones(3, 40),
    },
    "fused_linear_cross_entropy_loss_grad": {
        "grad": ones(3), "input": _half(3, 16), "weight": _half(128, 16),
        "target_mask": pa.zeros((1,), "uint8"), "masked_target": _int32(0, 5, 9),
        "label_smoothing": 0.0, "logits_max_optional": ones(3), "sum_exp_logits_optional": ones(3),
        "softmax_optional": ones(3, 128), "input_grad_out": _half(3, 16),
        "weight_grad_out": _half(128, 16),
    },
    "expand_into_jagged_permute": {
        "permute": _int32(1, 0), "input_offset": _int32(0, 2, 5), "output_offset": _int32(0, 3, 5),
        "output_size": 5, "output_permute_out": _int32(0, 0, 0, 0, 0),
    },
}  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "fused_linear_online_max_sum": (
        ("input", None, NULL), ("input", ones(3, 16), INVALID), ("weight", _half(40, 8), INVALID),
        ("weight", pa.empty((0, 16), "float16"), INVALID), ("target", ones(3), INVALID),
        ("target", _int32(0, 0), INVALID), ("vocab_start_index", -1, INVALID),
        ("vocab_end_index", -1, INVALID), ("vocab_start_index", 2**62, INVALID),
        ("target_mask_out", pa.zeros((2,), "uint8"), INVALID), ("target", _int32(-1, -5, -9), 0),
    ),
    "fused_cross_entropy_loss_with_max_sum": (
        ("logits_max", None, NULL), ("label_smoothing", 0.1, INVALID),
        ("sum_exp_logits", ones(2), INVALID), ("logits_max", _half(3), INVALID),
        ("vocab_parallel_logits_optional", _half(3, 41), INVALID),
        ("predicted_logits", ones(3, 1), INVALID),
    ),
    "fused_linear_cross_entropy_loss_grad": (
        ("grad", None, NULL), ("softmax_optional", None, 0), ("logits_max_optional", None, 0),
        ("weight", _half(127, 16), INVALID), ("softmax_optional", ones(3, 127), INVALID),
        ("target_mask", pa.zeros((1,), "bool"), INVALID), ("label_smoothing", 0.5, INVALID),
        ("target_mask", pa.zeros((0,), "uint8"), INVALID), ("grad", ones(2), INVALID),
        ("masked_target", ones(3), INVALID), ("input", ones(3, 16), INVALID),
    ),
    "expand_into_jagged_permute": (
        ("permute", None, NULL), ("permute", ones(2), INVALID), ("permute", _int32(0), TILING),
        ("input_offset", _int32(0, 5), TILING), ("output_size", 4, TILING),
        ("output_size", -(2**63), TILING),
    ),
}  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_answered_as_by_cann = status_tests(RIGHT, WRONG)
test_a_number_that_leads_outside_ends_the_task = outside_test(
    RIGHT,
    [
        ("fused_linear_online_max_sum", {"vocab_end_index": 2**62}),
        ("fused_linear_cross_entropy_loss_grad", {"masked_target": _int32(0, 128, 0)}),
        ("fused_linear_cross_entropy_loss_grad", {"masked_target": _int32(0, -1, 0)}),
        ("expand_into_jagged_permute", {"permute": _int32(2, 0)}),
        ("expand_into_jagged_permute", {"output_offset": _int32(0, 3, 6)}),
        ("expand_into_jagged_permute", {"output_offset": _int32(0, -3, 5)}),
    ],
)
