"""Mixtures of experts: what they refuse, what undoes what, and gradients by finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import output_of
from finite_differences import numeric_gradient
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, TILING, device, ones
from operators.status_tests import status_tests

import pyaclnn as pa

Array = np.ndarray[Any, Any]
HALF = "float16"


def whole(*shape: int, dtype: str = "int32") -> pa.Tensor:
    return pa.zeros(shape, dtype)


ROUTING: dict[str, Any] = {
    "x": ones(3, 8), "expert_idx": whole(3, 2), "expanded_x_out": ones(6, 8),
    "expanded_row_idx_out": whole(6),
}  # fmt: skip

RIGHT: dict[str, dict[str, Any]] = {
    "moe_gating_top_k_softmax": {
        "x": ones(3, 8), "k": 2, "y_out": ones(3, 2), "expert_idx_out": whole(3, 2),
        "row_idx_out": whole(3, 2),
    },
    "moe_gating_top_k_softmax_v2": {
        "x": ones(3, 8), "k": 2, "renorm": 0, "output_softmax_result_flag": True,
        "y_out": ones(3, 2), "expert_idx_out": whole(3, 2),
        "softmax_result_out_optional": ones(3, 8),
    },
    "moe_gating_top_k": {
        "x": ones(3, 8), "bias_optional": ones(8), "k": 2, "k_group": 2, "group_count": 4,
        "group_select_mode": 1, "renorm": 0, "norm_type": 1, "out_flag": True,
        "routed_scaling_factor": 1.0, "eps": 1e-20, "y_out": ones(3, 2),
        "expert_idx_out": whole(3, 2), "out_out": ones(3, 8),
    },
    "moe_compute_expert_tokens": {"sorted_experts": whole(6), "num_experts": 3, "out": whole(3)},
    "moe_init_routing": {
        **ROUTING, "row_idx": whole(3, 2), "active_num": 3, "expanded_expert_idx_out": whole(6),
    },
    "moe_init_routing_quant": {
        **ROUTING, "row_idx": whole(3, 2), "active_num": 3, "expanded_expert_idx_out": whole(6),
        "scale": 1.0, "offset": 0.0, "expanded_x_out": whole(6, 8, dtype="int8"),
    },
    "moe_init_routing_v2": {
        **ROUTING, "active_num_optional": 0, "expert_capacity_optional": 2,
        "expert_num_optional": 4, "drop_pad_mode_optional": 0,
        "expert_tokens_count_or_cumsum_flag_optional": 1,
        "expert_tokens_before_capacity_flag_optional": False,
        "expert_tokens_count_or_cumsum_out_optional": whole(4),
        "expert_tokens_before_capacity_out_optional": whole(4),
    },
    "moe_init_routing_quant_v2": {
        **ROUTING, "scale_optional": ones(1), "offset_optional": ones(1), "active_num": 0,
        "expert_capacity": 2, "expert_num": 4, "drop_pad_mode": 0,
        "expert_tokens_count_or_cumsum_flag": 0, "expert_tokens_before_capacity_flag": False,
        "quant_mode": 0, "expanded_x_out": whole(6, 8, dtype="int8"),
        "expert_tokens_count_or_cumsum_out_optional": None,
        "expert_tokens_before_capacity_out_optional": None,
        "dynamic_quant_scale_out_optional": None,
    },
    "moe_init_routing_v3": {
        **ROUTING, "scale_optional": None, "offset_optional": None, "active_num": -1,
        "expert_capacity": 2, "expert_num": 4, "drop_pad_mode": 0, "expert_tokens_num_type": 1,
        "expert_tokens_num_flag": True, "quant_mode": -1, "active_expert_range_optional": [0, 3],
        "row_idx_type": 0, "expert_tokens_count_or_cumsum_out": whole(3, dtype="int64"),
        "expanded_scale_out": ones(6),
    },
    "moe_init_routing_v2_grad": {
        "grad_expanded_x": ones(6, 8), "expanded_row_idx": whole(6), "top_k": 2,
        "drop_pad_mode": 0, "active_num": 0, "out": ones(3, 8),
    },
    "moe_token_permute": {
        "tokens": ones(3, 8), "indices": whole(3, 2), "num_out_tokens": 0, "padded_mode": False,
        "permute_tokens_out": ones(6, 8), "sorted_indices_out": whole(6),
    },
    "moe_token_permute_grad": {
        "permuted_output_grad": ones(6, 8), "sorted_indices": whole(6), "num_topk": 2,
        "padded_mode": False, "out": ones(3, 8),
    },
    "moe_token_unpermute": {
        "permuted_tokens": ones(6, 8), "sorted_indices": whole(6), "probs_optional": ones(3, 2),
        "padded_mode": False, "restore_shape_optional": None, "out": ones(3, 8),
    },
    "moe_token_unpermute_grad": {
        "permute_tokens": ones(6, 8), "unpermuted_tokens_grad": ones(3, 8),
        "sorted_indices": whole(6), "probs_optional": ones(3, 2), "padded_mode": False,
        "restore_shape_optional": None, "permuted_tokens_grad_out": ones(6, 8),
        "probs_grad_out": ones(3, 2),
    },
    "moe_finalize_routing": {
        "expanded_x": ones(6, 8), "x1": ones(3, 8), "x2_optional": None, "bias": ones(4, 8),
        "scales": ones(3, 2), "expanded_row_idx": whole(6), "expanded_expert_idx": whole(3, 2),
        "out": ones(3, 8),
    },
    "moe_finalize_routing_v2": {
        "expanded_x": ones(6, 8), "expanded_row_idx": whole(6), "x1_optional": ones(3, 8),
        "x2_optional": None, "bias_optional": ones(4, 8), "scales_optional": ones(3, 2),
        "expert_idx_optional": whole(3, 2), "drop_pad_mode": 2, "out": ones(3, 8),
    },
    "moe_finalize_routing_v2_grad": {
        "grad_y": ones(3, 8), "expanded_row_idx": whole(6), "expanded_x_optional": ones(6, 8),
        "scales_optional": ones(3, 2), "expert_idx_optional": whole(3, 2),
        "bias_optional": ones(4, 8), "drop_pad_mode": 0, "active_num": 0, "expert_num": 4,
        "expert_capacity": 0, "grad_expanded_x_out": ones(6, 8), "grad_scales_out": ones(3, 2),
    },
    "moe_gating_top_k_backward": {
        "x_norm": ones(3, 8), "grad_y": ones(3, 2), "expert_idx": whole(3, 2), "renorm": 0,
        "norm_type": 1, "routed_scaling_factor": 1.0, "eps": 1e-20, "out": ones(3, 8),
    },
    "moe_fused_topk": {
        "x": ones(3, 8), "add_num": ones(8), "mapping_num": whole(8), "mapping_table": whole(8, 2),
        "group_num": 4, "group_topk": 2, "top_n": 2, "top_k": 3, "activate_type": 0,
        "is_norm": True, "scale": 1.0, "enable_expert_mapping": True, "y": ones(3, 3),
        "indices": whole(3, 3),
    },
    "grouped_matmul_add": {
        "x": ones(6, 4, dtype=HALF), "weight": ones(6, 5, dtype=HALF),
        "group_list": whole(2, dtype="int64"), "y_ref": ones(8, 5), "transpose_x": True,
        "transpose_weight": False, "group_type": 2,
    },
    "moe_token_permute_with_routing_map": {
        "tokens": ones(3, 8), "routing_map": ones(3, 4, dtype="bool"), "probs_optional": ones(3, 4),
        "num_out_tokens": 6, "drop_and_pad": False, "permute_tokens_out": ones(6, 8),
        "permute_probs_out_optional": ones(6), "sorted_indices_out": whole(6),
    },
    "moe_token_permute_with_routing_map_grad": {
        "permuted_token_output_grad": ones(6, 8), "permuted_probs_output_grad_optional": ones(6),
        "sorted_indices": whole(6), "routing_map_optional": ones(3, 4, dtype="int8"),
        "num_experts": 4, "tokens_num": 3, "drop_and_pad": False, "tokens_grad_out": ones(3, 8),
        "probs_grad_out_optional": ones(3, 4),
    },
    "moe_token_unpermute_with_routing_map": {
        "permuted_tokens": ones(6, 8), "sorted_indices": whole(6),
        "routing_map_optional": ones(3, 4, dtype="bool"), "probs_optional": ones(3, 4),
        "padded_mode": False, "restore_shape_optional": [3, 8], "unpermuted_tokens": ones(3, 8),
        "out_index": whole(6), "permute_token_id": whole(6), "permute_probs": ones(6),
    },
    "moe_token_unpermute_with_routing_map_grad": {
        "unpermuted_tokens_grad": ones(3, 8), "out_index": whole(6), "permute_token_id": whole(6),
        "routing_map_optional": ones(3, 4, dtype="bool"), "permuted_tokens_optional": ones(6, 8),
        "probs_optional": ones(3, 4), "drop_and_pad": False, "restore_shape_optional": None,
        "permuted_tokens_grad_out": ones(6, 8), "probs_grad_out_optional": ones(3, 4),
    },
    "moe_token_permute_with_ep": {
        "tokens": ones(3, 8), "indices": whole(3, 2), "probs_optional": ones(3, 2),
        "range_optional": [1, 5], "num_out_tokens": 0, "padded_mode": False,
        "permute_tokens_out": ones(4, 8), "sorted_indices_out": whole(6),
        "permute_probs_out": ones(4),
    },
    "moe_token_permute_with_ep_grad": {
        "permuted_tokens_output_grad": ones(4, 8), "sorted_indices": whole(6),
        "permuted_probs_output_grad_optional": ones(4), "num_topk": 2, "range_optional": [1, 5],
        "padded_mode": False, "token_grad_out": ones(3, 8), "probs_grad_out": ones(3, 2),
    },
    "moe_token_unpermute_with_ep": {
        "permuted_tokens": ones(4, 8), "sorted_indices": whole(6), "probs_optional": ones(3, 2),
        "num_topk": 2, "range_optional": [1, 5], "padded_mode": False,
        "restore_shape_optional": None, "out": ones(3, 8),
    },
}  # fmt: skip

#: Refusals that several have alike: a routing's tokens and places.
_ROUTED: tuple[tuple[str, Any, int], ...] = (
    ("x", None, NULL), ("expert_idx", None, NULL), ("x", ones(3, 8, dtype=HALF), INVALID),
    ("expert_idx", whole(3, 2, dtype="int64"), INVALID), ("x", ones(2, 8), TILING),
    ("expanded_row_idx_out", whole(5), TILING), ("expert_idx", whole(6), TILING),
)  # fmt: skip

WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "moe_gating_top_k_softmax": (
        ("x", None, NULL),  ("x", ones(3, 8, dtype=HALF), INVALID),
        ("expert_idx_out", whole(3, 2, dtype="int64"), INVALID), ("x", ones(8), TILING),
        ("finished_optional", ones(3), INVALID),
        ("finished_optional", ones(2, dtype="bool"), TILING),
        ("k", 0, TILING), ("k", 9, TILING), ("k", 3, TILING), ("x", ones(0, 8), TILING),
        ("row_idx_out", whole(2, 3), TILING),
    ),
    "moe_gating_top_k_softmax_v2": (
        ("renorm", 2, TILING), ("renorm", -1, TILING), ("softmax_result_out_optional", None, 0),
        ("softmax_result_out_optional", ones(3, 4), TILING), ("x", ones(3, 0), TILING),
        ("softmax_result_out_optional", ones(3, 8, dtype=HALF), INVALID),
    ),
    "moe_gating_top_k": (
         ("bias_optional", None, 0), ("bias_optional", ones(4), TILING),
        ("bias_optional", ones(8, dtype=HALF), INVALID), ("k", 5, TILING), ("k_group", 5, TILING),
        ("k_group", 0, TILING), ("group_count", 8, TILING), ("group_count", 3, TILING),
        ("group_select_mode", 2, TILING), ("norm_type", 2, TILING), ("renorm", 2, TILING),
        ("out_out", ones(3, 4), TILING), ("out_out", ones(3, 8, dtype=HALF), INVALID),
        ("x", ones(1, 3, 8), TILING), ("k", 2**62, TILING),
    ),
    "moe_compute_expert_tokens": (
        ("sorted_experts", None, NULL), ("sorted_experts", whole(6, dtype="int64"), INVALID),
        ("sorted_experts", whole(3, 2), TILING), ("num_experts", 0, TILING),
        ("num_experts", 4, TILING), ("num_experts", 2049, TILING),
    ),
    "moe_init_routing": (
        *_ROUTED, ("active_num", -1, TILING), ("active_num", 2, TILING),
        ("row_idx", whole(2, 3), TILING), ("expanded_expert_idx_out", whole(5), TILING),
    ),
    "moe_init_routing_quant": (*_ROUTED[:2], ("expanded_x_out", ones(6, 8), INVALID)),
    "moe_init_routing_v2": (
        *_ROUTED, ("active_num_optional", -1, TILING), ("active_num_optional", 5, TILING),
        ("drop_pad_mode_optional", 2, TILING), ("drop_pad_mode_optional", 1, TILING),
        ("expert_num_optional", -1, TILING), ("expert_num_optional", 0, TILING),
        ("expert_capacity_optional", -1, TILING), ("expert_num_optional", 5, TILING),
        ("expert_num_optional", 2**40, TILING),
        ("expert_tokens_count_or_cumsum_flag_optional", 3, TILING),
        ("expert_tokens_count_or_cumsum_out_optional", whole(4, dtype="int64"), INVALID),
    ),
    "moe_init_routing_quant_v2": (
        *_ROUTED[:2], ("quant_mode", 2, TILING), ("scale_optional", None, TILING),
        ("scale_optional", ones(2), TILING), ("offset_optional", None, TILING),
        ("scale_optional", ones(1, dtype=HALF), INVALID), ("quant_mode", 1, TILING),
        ("expanded_x_out", ones(6, 8), INVALID),
        ("expanded_x_out", whole(6, 8, dtype="int4"), TILING),
    ),
    "moe_init_routing_v3": (
        *_ROUTED[:2],  ("x", ones(3, 8, dtype=HALF), TILING),
        ("drop_pad_mode", 2, TILING), ("drop_pad_mode", 1, TILING), ("active_num", -2, TILING),
        ("active_num", 4, TILING), ("active_expert_range_optional", [0], TILING),
        ("active_expert_range_optional", [2, 1], TILING), ("expert_num", 2, TILING),
        ("active_expert_range_optional", [-1, 2], TILING), ("expert_tokens_num_type", 3, TILING),
        ("expert_tokens_num_type", 2, TILING), ("quant_mode", 2, TILING), ("quant_mode", 0, TILING),
        ("row_idx_type", 2, TILING), ("scale_optional", ones(2), TILING),
        ("scale_optional", ones(3), 0), ("active_expert_range_optional", [0, 2**62], TILING),
    ),
    "moe_init_routing_v2_grad": (
        ("grad_expanded_x", None, NULL), ("top_k", 0, TILING), ("top_k", -3, TILING),
        ("top_k", 3, TILING),
        ("drop_pad_mode", 1, TILING), ("active_num", 5, TILING), ("active_num", -1, TILING),
        ("out", ones(3, 8, dtype=HALF), INVALID), ("grad_expanded_x", ones(5, 8), TILING),
        ("top_k", 2**62, TILING),
    ),
    "moe_token_permute": (
        ("tokens", None, NULL), ("padded_mode", True, TILING), ("indices", whole(2, 3), TILING),
        ("num_out_tokens", 4, TILING), ("num_out_tokens", -(2**63), TILING),
        ("num_out_tokens", 7, 0), ("tokens", ones(3, 8, dtype=HALF), INVALID),
        ("indices", whole(3, 2, dtype="int64"), 0), ("indices", whole(3, 1, 2), TILING),
    ),
    "moe_token_permute_grad": (
        ("sorted_indices", None, NULL), ("padded_mode", True, TILING), ("num_topk", 3, TILING),
        ("num_topk", 0, TILING), ("num_topk", 513, TILING),
        ("sorted_indices", whole(6, dtype="int64"), INVALID),
    ),
    "moe_token_unpermute": (
        ("permuted_tokens", None, NULL), ("padded_mode", True, TILING),
        ("probs_optional", ones(2, 2), TILING), ("probs_optional", ones(3, 2, dtype=HALF), 0),
        ("probs_optional", None, TILING), ("out", ones(3, 4), TILING),
    ),
    "moe_token_unpermute_grad": (
        ("sorted_indices", None, NULL), ("padded_mode", True, TILING),
        ("probs_optional", ones(3, 2, dtype=HALF), INVALID), ("probs_optional", None, TILING),
        ("permuted_tokens_grad_out", ones(5, 8), TILING), ("sorted_indices", whole(5), TILING),
        ("permute_tokens", None, NULL),
    ),
    "moe_finalize_routing": (
        ("x1", None, NULL), ("bias", None, NULL), ("scales", ones(3, 2, dtype=HALF), INVALID),
        ("x2_optional", ones(3, 4), TILING), ("bias", ones(0, 8), TILING),
        ("bias", ones(4, 4), TILING), ("expanded_expert_idx", whole(2, 3), TILING),
        ("expanded_row_idx", whole(5), TILING),
    ),
    "moe_finalize_routing_v2": (
        ("expanded_x", None, NULL), ("drop_pad_mode", 4, TILING), ("drop_pad_mode", 1, TILING),
        ("x1_optional", None, 0), ("expert_idx_optional", None, TILING),
        ("scales_optional", ones(3, 2, dtype=HALF), NO_KERNEL),
        ("bias_optional", ones(1, 8), TILING),
        ("scales_optional", ones(2, 3), TILING), ("x2_optional", ones(3, 8), 0),
        ("x2_optional", ones(3, 8, dtype=HALF), NO_KERNEL),
    ),
    "moe_finalize_routing_v2_grad": (
        ("grad_y", None, NULL), ("expanded_x_optional", None, TILING), ("drop_pad_mode", 2, TILING),
        ("drop_pad_mode", 1, TILING), ("scales_optional", None, TILING), ("active_num", 5, TILING),
        ("expert_idx_optional", None, TILING), ("bias_optional", ones(4, 4), TILING),
        ("scales_optional", ones(3, 2, dtype=HALF), NO_KERNEL),
        ("grad_scales_out", ones(3, 2, dtype=HALF), NO_KERNEL),
        ("grad_expanded_x_out", ones(5, 8), TILING),
    ),
    "moe_gating_top_k_backward": (
        ("x_norm", None, NULL), ("norm_type", 0, TILING), ("grad_y", ones(2, 2), TILING),
        ("x_norm", ones(3, 8, dtype=HALF), INVALID), ("expert_idx", whole(3, 3), TILING),
        ("out", ones(3, 4), TILING), ("grad_y", ones(3, 9), TILING),
    ),
    "moe_fused_topk": (
        ("add_num", None, NULL), ("mapping_num", None, NULL), ("group_num", 3, INVALID),
        ("group_num", 0, INVALID), ("group_topk", 5, INVALID), ("top_n", 3, INVALID),
        ("top_k", 2, INVALID), ("activate_type", 1, TILING), ("add_num", ones(4), INVALID),
        ("mapping_table", whole(4, 2), INVALID), ("mapping_table", whole(8, 129), INVALID),
        ("x", ones(3, 8, dtype=HALF), INVALID), ("top_k", 2**32 - 1, INVALID),
    ),
    "grouped_matmul_add": (
        ("x", None, NULL), ("x", ones(6, 4), INVALID),
        ("weight", ones(5, 5, dtype=HALF), INVALID),
        ("y_ref", ones(9, 5), INVALID), ("y_ref", ones(2, 4, 5), 0), ("group_type", 0, TILING),
        ("transpose_x", False, TILING), ("transpose_weight", True, TILING),
        ("group_list", whole(2), INVALID), ("y_ref", ones(8, 5, dtype=HALF), INVALID),
    ),
    "moe_token_permute_with_routing_map": (
        ("routing_map", None, NULL), ("num_out_tokens", -1, INVALID),
        ("num_out_tokens", 13, INVALID), ("num_out_tokens", 9, INVALID),
        ("routing_map", ones(3, 4), INVALID), ("probs_optional", ones(3, 3), INVALID),
        ("tokens", ones(3, 8, dtype=HALF), INVALID), ("tokens", ones(2, 8), INNER_NULL),
    ),
    "moe_token_permute_with_routing_map_grad": (
        ("num_experts", 0, INVALID), ("tokens_num", -1, INVALID), ("sorted_indices", None, NULL),
        ("routing_map_optional", None, NULL), ("tokens_num", 2, INVALID),
        ("permuted_token_output_grad", ones(5, 8), INVALID),
        ("permuted_probs_output_grad_optional", ones(6, dtype=HALF), INVALID),
    ),
    "moe_token_unpermute_with_routing_map": (
        ("permuted_tokens", None, NULL), ("probs_optional", ones(3, 4, dtype=HALF), INVALID),
        ("permuted_tokens", ones(5, 8), INNER_NULL), ("probs_optional", ones(2, 4), INNER_NULL),
        ("sorted_indices", whole(2, 3), INVALID), ("restore_shape_optional", None, 0),
        ("restore_shape_optional", [3], INNER_NULL),
    ),
    "moe_token_unpermute_with_routing_map_grad": (
        ("out_index", None, NULL), ("routing_map_optional", None, TILING),
        ("permuted_tokens_optional", None, TILING), ("probs_optional", ones(3, 5), TILING),
        ("permute_token_id", whole(5), TILING), ("permuted_tokens_grad_out", ones(5, 8), TILING),
    ),
    "moe_token_permute_with_ep": (
        ("tokens", None, NULL), ("range_optional", [5, 1], TILING), ("range_optional", [1], TILING),
        ("range_optional", [1, 7], TILING), ("range_optional", [-1, 3], TILING),
        ("range_optional", [2, 2], TILING), ("range_optional", [0, 5], TILING),
        ("probs_optional", ones(3, 1), TILING), ("padded_mode", True, TILING),
        ("probs_optional", ones(3, 2, dtype=HALF), INVALID), ("probs_optional", None, 0),
    ),
    "moe_token_permute_with_ep_grad": (
        ("sorted_indices", None, NULL), ("num_topk", 0, TILING), ("num_topk", 513, TILING),
        ("num_topk", 3, TILING), ("range_optional", [1, 7], TILING), ("range_optional", None, 0),
        ("probs_grad_out", ones(3, 3), TILING),
    ),
    "moe_token_unpermute_with_ep": (
        ("permuted_tokens", None, NULL), ("num_topk", 3, TILING), ("padded_mode", True, TILING),
        ("probs_optional", ones(3, 2, dtype=HALF), 0), ("probs_optional", ones(2, 3), TILING),
        ("out", ones(3, 8, dtype=HALF), INVALID), ("range_optional", [1, 5, 6], TILING),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def drawn(*shape: int, seed: int = 3) -> Array:
    return np.random.default_rng([seed, *shape]).normal(size=shape).astype(np.float32)


def chosen(tokens: int, k: int, experts: int = 5) -> Array:
    rng = np.random.default_rng([tokens, k])
    return np.stack([rng.permutation(experts)[:k] for _ in range(tokens)]).astype(np.int32)


def test_unpermuting_what_was_permuted_gives_the_tokens_again() -> None:
    tokens, indices = drawn(7, 6), chosen(7, 3)
    rows, places = pa.ops.moe_token_permute(pa.asarray(tokens), pa.asarray(indices))
    thirds = pa.asarray(np.full((7, 3), 0.25, np.float32))

    back = pa.ops.moe_token_unpermute(rows, places, thirds)

    np.testing.assert_array_equal(back.numpy(), tokens * 0.25 * 3)


def test_a_routing_finalised_is_the_sum_over_experts() -> None:
    x, experts, scales = drawn(6, 4), chosen(6, 2), drawn(6, 2, seed=5)
    rows, places, _, _ = pa.ops.moe_init_routing_v2(pa.asarray(x), pa.asarray(experts), 0, 0, 5)

    out = pa.ops.moe_finalize_routing_v2(
        rows, places, None, None, None, pa.asarray(scales), None, drop_pad_mode=2
    )

    expected = x * scales.sum(1, keepdims=True)
    np.testing.assert_allclose(out.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_a_routing_to_part_of_the_experts_has_no_row_for_others() -> None:
    x, experts = drawn(5, 4), chosen(5, 2, 6)
    out = tuple(
        device(np.full(shape, 77), kind)
        for shape, kind in (
            ((10, 4), "float32"),
            ((10,), "int32"),
            ((2,), "int64"),
            ((10,), "float32"),
        )
    )
    pa.ops.moe_init_routing_v3(
        pa.asarray(x), pa.asarray(experts), None, None, -1, 0, 6, 0, 1, True, -1, [2, 4], 0, out=out
    )
    rows, places, count, scales = (t.numpy() for t in out)
    order = [p for e in (2, 3) for p in range(10) if experts.ravel()[p] == e]

    np.testing.assert_array_equal(rows[: len(order)], x[np.array(order) // 2])
    np.testing.assert_array_equal(rows[len(order) :], 77)
    np.testing.assert_array_equal(places >= 0, (experts.ravel() == 2) | (experts.ravel() == 3))
    np.testing.assert_array_equal(places[order], range(len(order)))
    np.testing.assert_array_equal(count, [(experts == 2).sum(), (experts == 3).sum()])
    np.testing.assert_array_equal(scales, 77)


def test_pairs_without_a_row_stand_behind_those_that_have_one() -> None:
    experts = chosen(5, 2, 6)
    places = pa.ops.moe_init_routing_v3(
        pa.asarray(drawn(5, 4)), pa.asarray(experts), None, None, -1, 0, 6, 0, 1, True, -1, [2, 4],
        1,
    )[1]  # fmt: skip
    keys = np.where(experts.ravel() < 2, 99, experts.ravel())

    np.testing.assert_array_equal(places.numpy(), np.argsort(keys, kind="stable"))


def test_capacity_and_active_rows_change_the_shape_of_rows() -> None:
    x, experts = pa.asarray(drawn(5, 4)), pa.asarray(chosen(5, 2))

    def shapes(active: int, capacity: int, rooms: int) -> list[tuple[int, ...]]:
        outs = pa.ops.moe_init_routing_v3(
            x, experts, None, None, active, capacity, 5, rooms, 1, True, -1, None, 0
        )
        return [outs[0].shape, outs[3].shape]

    assert shapes(-1, 0, 0) == [(10, 4), (10,)]
    assert shapes(3, 0, 0) == [(3, 4), (3,)]
    assert shapes(0, 2, 1) == [(5, 2, 4), (10,)]


def test_scores_are_left_out_where_they_are_not_asked_for() -> None:
    gate = (pa.asarray(drawn(3, 8)), None, 2, 1, 1, 0, 0, 0)

    assert pa.ops.moe_gating_top_k(*gate, False, 1.0, 1e-20)[2].size == 0
    assert pa.ops.moe_gating_top_k(*gate, True, 1.0, 1e-20)[2].shape == (3, 8)


@pytest.mark.parametrize("value", [-5, 6, 2**31 - 1, -(2**31)])
def test_places_that_are_no_rows_count_as_zeros(value: int) -> None:
    rows, places = drawn(6, 4), np.arange(6, dtype=np.int32)
    places[2] = value
    out = pa.ops.moe_token_unpermute(
        pa.asarray(rows), pa.asarray(places), pa.asarray(np.ones((3, 2), np.float32))
    )

    expected = rows.reshape(3, 2, 4).copy()
    expected[1, 0] = 0
    np.testing.assert_allclose(out.numpy(), expected.sum(1), rtol=1e-6)


def test_the_derivative_of_finalising_by_rows_and_by_scales() -> None:
    rows, scales, bias = drawn(6, 4), drawn(3, 2), drawn(5, 4, seed=8)
    experts, grad = chosen(3, 2), drawn(3, 4, seed=9)
    places = np.random.default_rng(1).permutation(6).astype(np.int32)

    def finalised(r: Array, s: Array) -> Array:
        picked = r[places].reshape(3, 2, 4) + bias[experts]
        return np.asarray((picked * s[..., None]).sum(1))

    by_rows, by_scales = pa.ops.moe_finalize_routing_v2_grad(
        *map(pa.asarray, (grad, places, rows, scales, experts, bias)), 0, 0, 5, 0
    )
    plain_rows, plain_scales = pa.ops.moe_token_unpermute_grad(
        *map(pa.asarray, (rows, grad, places, scales)), False, None
    )

    expected = numeric_gradient(lambda r: finalised(r, scales.astype(float)), rows, grad)
    np.testing.assert_allclose(by_rows.numpy(), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(plain_rows.numpy(), expected, rtol=1e-5, atol=1e-6)
    expected = numeric_gradient(lambda s: finalised(rows.astype(float), s), scales, grad)
    np.testing.assert_allclose(by_scales.numpy(), expected, rtol=1e-5, atol=1e-6)
    without = expected - np.einsum("tc,tkc->tk", grad, bias[experts])
    np.testing.assert_allclose(plain_scales.numpy(), without, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("operator", ["moe_token_permute_grad", "moe_init_routing_v2_grad"])
def test_the_derivative_of_permuting(operator: str) -> None:
    tokens, grad = drawn(3, 4), drawn(6, 4, seed=9)
    places = np.random.default_rng(1).permutation(6).astype(np.int32)

    def permuted(x: Array) -> Array:
        return np.asarray(np.repeat(x, 2, axis=0)[np.argsort(places)])

    rest = (False,) if operator == "moe_token_permute_grad" else (0, 0)
    found = pa.ops[operator](pa.asarray(grad), pa.asarray(places), 2, *rest)

    expected = numeric_gradient(permuted, tokens, grad)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_the_derivative_of_a_gate_of_sigmoids() -> None:
    x, grad = drawn(4, 8), drawn(4, 3, seed=7)
    weights, experts, score = pa.ops.moe_gating_top_k(
        pa.asarray(x), None, 3, 1, 1, 0, 0, 1, True, 1.5, 1e-3
    )
    places = experts.numpy()

    def gated(values: Array) -> Array:
        chosen = np.take_along_axis(1 / (1 + np.exp(-values)), places, -1)
        return np.asarray(1.5 * chosen / (chosen.sum(-1, keepdims=True) + 1e-3))

    found = pa.ops.moe_gating_top_k_backward(score, pa.asarray(grad), experts, 0, 1, 1.5, 1e-3)

    np.testing.assert_allclose(weights.numpy(), gated(x.astype(float)), rtol=1e-5)
    np.testing.assert_allclose(
        found.numpy(), numeric_gradient(gated, x, grad), rtol=1e-4, atol=1e-6
    )


@pytest.mark.parametrize("padded", [False, True])
def test_the_derivative_of_permuting_by_a_map(padded: bool) -> None:
    seen = np.zeros((5, 4), bool)
    np.put_along_axis(seen, chosen(5, 2, 4), True, 1)
    tokens, probs = drawn(5, 6), drawn(5, 4, seed=6)
    total = 8 if padded else 10
    rows, factors, places = pa.ops.moe_token_permute_with_routing_map(
        *map(pa.asarray, (tokens, seen, probs)), total, padded
    )
    pairs = [(t, e) for e in range(4) for t in range(5) if seen[t, e]]
    if padded:
        by_expert = [sorted(range(5), key=lambda t, e=e: not seen[t, e])[:2] for e in range(4)]
        pairs = [(t, e) for e in range(4) for t in by_expert[e]]
    grad, grad_probs = drawn(total, 6, seed=5), drawn(total, seed=4)

    found, found_probs = pa.ops.moe_token_permute_with_routing_map_grad(
        *map(pa.asarray, (grad, grad_probs)), places, pa.asarray(seen), 4, 5, padded
    )
    back, index, ids, weights = pa.ops.moe_token_unpermute_with_routing_map(
        rows, places, pa.asarray(seen), pa.asarray(probs), padded, [5, 6]
    )

    which = [t for t, _ in pairs]
    expected = numeric_gradient(lambda x: np.asarray(x[which]), tokens, grad)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)
    expected = numeric_gradient(
        lambda p: np.asarray([p[pair] for pair in pairs]), probs, grad_probs
    )
    np.testing.assert_allclose(found_probs.numpy(), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(factors.numpy(), [probs[pair] for pair in pairs])

    def unpermuted(values: Array, weights: Array) -> Array:
        result = np.zeros((5, 6))
        for row, pair in enumerate(pairs):
            result[pair[0]] += values[row] * weights[pair]
        return result

    np.testing.assert_allclose(back.numpy(), unpermuted(rows.numpy(), probs), rtol=1e-5, atol=1e-6)
    # Slots lie token by token, rows expert by expert.
    np.testing.assert_array_equal(weights.numpy(), factors.numpy() if padded else probs[seen])
    if not padded:  # torch_npu passes no others
        index, ids = places, places
    by_rows, by_probs = pa.ops.moe_token_unpermute_with_routing_map_grad(
        pa.asarray(grad[:5]), index, ids, pa.asarray(seen), rows, pa.asarray(probs), padded, [5, 6]
    )
    expected = numeric_gradient(lambda v: unpermuted(v, probs), rows.numpy(), grad[:5])
    np.testing.assert_allclose(by_rows.numpy(), expected, rtol=1e-4, atol=1e-5)
    expected = numeric_gradient(lambda p: unpermuted(rows.numpy(), p), probs, grad[:5])
    np.testing.assert_allclose(by_probs.numpy(), expected, rtol=1e-4, atol=1e-5)


def test_the_derivative_of_permuting_a_range() -> None:
    tokens, indices, probs = drawn(6, 4), chosen(6, 2), drawn(6, 2, seed=4)
    rows, places, factors = pa.ops.moe_token_permute_with_ep(
        *map(pa.asarray, (tokens, indices, probs)), [3, 9], 0, False
    )
    order = np.argsort(indices.ravel(), kind="stable")[3:9]
    grad, grad_probs = drawn(6, 4, seed=5), drawn(6, seed=6)

    found, found_probs = pa.ops.moe_token_permute_with_ep_grad(
        pa.asarray(grad), places, pa.asarray(grad_probs), 2, [3, 9], False
    )

    np.testing.assert_array_equal(rows.numpy(), tokens[order // 2])
    np.testing.assert_array_equal(factors.numpy(), probs.ravel()[order])
    expected = numeric_gradient(lambda x: np.asarray(x[order // 2]), tokens, grad)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)
    expected = numeric_gradient(lambda p: np.asarray(p.ravel()[order]), probs, grad_probs)
    np.testing.assert_allclose(found_probs.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_tokens_without_weights_are_not_asked_for_by_their_gradient() -> None:
    rng = np.random.default_rng(5)
    grad, places = rng.normal(size=(6, 8)).astype(np.float32), rng.permutation(6).astype(np.int32)

    found, _ = pa.ops.moe_token_unpermute_grad(
        None, pa.asarray(grad), pa.asarray(places), None, False, None
    )

    expected = np.empty_like(grad)
    expected[places] = grad
    np.testing.assert_array_equal(found.numpy(), expected)


def test_an_earlier_release_asks_for_the_tokens() -> None:
    code = """
        import numpy as np
        import pyaclnn as pa

        grad, places = pa.zeros((6, 8)), pa.asarray(np.arange(6, dtype=np.int32))
        try:
            pa.ops.moe_token_unpermute_grad(None, grad, places, None, False, None)
        except pa.AclError as error:
            print(error.code)
    """
    assert output_of(code, PYACLNN_SIM_CANN="9.0") == str(NULL)


@pytest.mark.parametrize("smooth", [False, True])
def test_routed_rows_become_int4_by_their_largest(smooth: bool) -> None:
    rng = np.random.default_rng(11)
    x = rng.normal(0, 1, (5, 16)).astype(np.float16)
    experts = rng.permuted(np.tile(np.arange(4, dtype=np.int32), (5, 1)), axis=1)[:, :2]
    factors = rng.uniform(0.5, 2, (1, 16)).astype(np.float32)
    active = 7
    rows, scales = whole(active, 16, dtype="int4"), pa.zeros((active,))

    pa.ops.moe_init_routing_quant_v2(
        pa.asarray(x), pa.asarray(experts), pa.asarray(factors) if smooth else None, None, active,
        0, 4, 0, 0, False, 1, expanded_x_out=rows, dynamic_quant_scale_out_optional=scales,
    )  # fmt: skip

    order = np.argsort(experts.ravel(), kind="stable")[:active] // 2
    exact = x[order].astype(float) * (factors if smooth else 1)
    steps = np.abs(exact).max(-1) / 7
    np.testing.assert_allclose(scales.numpy(), steps, rtol=1e-6)
    np.testing.assert_array_equal(rows.numpy().astype(float), np.rint(exact / steps[:, None]))
