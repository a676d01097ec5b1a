"""Routing of tokens, normalisation and parted losses refuse what their last checks are for."""

from __future__ import annotations

from typing import Any

import pytest
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, TILING, ones
from operators.reasons import (
    Refused,
    Written,
    assert_refused_on,
    reason_tests,
    written_reasons,
)
from operators.test_moe import RIGHT as MOE
from operators.test_moe import whole
from operators.test_norm_forward import RIGHT as NORM
from operators.test_quant_convolution import _RIGHT as QUANT
from operators.test_vocabulary import RIGHT as VOCABULARY

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

_PARTS, _ONLINE = "fused_cross_entropy_loss_with_max_sum", "fused_linear_online_max_sum"
_SLOPES = "fused_linear_cross_entropy_loss_grad"
_V3, _MAPPED = "moe_init_routing_v3", "moe_token_permute_with_routing_map"
_UNMAPPED, _RANGE = "moe_token_unpermute_with_routing_map", "moe_token_permute_with_ep"
_SILU, _ROUTES = "group_norm_silu", "moe_re_routing"
RIGHT: dict[str, dict[str, Any]] = {
    **{name: MOE[name] for name in (_V3, _MAPPED, _UNMAPPED, _RANGE)},
    **{name: NORM[name] for name in (_SILU, "group_norm", "rms_norm")},
    **{name: VOCABULARY[name] for name in (_PARTS, _ONLINE, _SLOPES)},
}


def half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def nz(tensor: pa.Tensor) -> pa.Tensor:
    return with_format(tensor, "FRACTAL_NZ")


def _mapped(count: int) -> dict[str, Any]:
    return {
        "tokens": ones(1, 8), "routing_map": ones(1, 600, dtype="bool"),
        "probs_optional": ones(1, 600), "num_out_tokens": count,
        "permute_tokens_out": ones(count, 8), "permute_probs_out_optional": ones(count),
        "sorted_indices_out": whole(count),
    }  # fmt: skip


def _unmapped(count: int) -> dict[str, Any]:
    return {
        "permuted_tokens": ones(count, 8), "sorted_indices": whole(count),
        "routing_map_optional": ones(1, 600, dtype="bool"), "probs_optional": ones(1, 600),
        "restore_shape_optional": [1, 8], "unpermuted_tokens": ones(1, 8),
        "out_index": whole(count), "permute_token_id": whole(count),
        "permute_probs": ones(count),
    }  # fmt: skip


_STATIC = {"quant_mode": 0, "expanded_x_out": whole(6, 8, dtype="int8")}
_ONE = {"scale_optional": ones(1), "offset_optional": ones(1)}
_DYNAMIC = {**_STATIC, "quant_mode": 1}
WRONG: list[Refused] = [
    (_V3, {**_STATIC, **_ONE}, 0, ""),
    (_V3, {**_STATIC, **_ONE, "scale_optional": None}, TILING, "scale or offset is null"),
    (_V3, {**_STATIC, **_ONE, "offset_optional": None}, TILING, "scale or offset is null"),
    (_V3, {**_DYNAMIC, "scale_optional": ones(1, 8)}, 0, ""),
    (_V3, {**_DYNAMIC, "scale_optional": ones(3, 8)}, 0, ""),
    (_V3, {**_DYNAMIC, "scale_optional": ones(2, 8)}, TILING, "for 3 experts and 8 columns"),
    (_V3, {**_DYNAMIC, "scale_optional": ones(3, 7)}, TILING, "for 3 experts and 8 columns"),
    (_MAPPED, _mapped(512), 0, ""),
    (_MAPPED, _mapped(513), INNER_NULL, "more than 512 experts"),
    (_UNMAPPED, _unmapped(512), 0, ""),
    (_UNMAPPED, _unmapped(513), INNER_NULL, "more than 512 experts"),
    (_RANGE, {"tokens": whole(3, 8), "probs_optional": whole(3, 2), "permute_tokens_out":
              whole(4, 8), "permute_probs_out": whole(4)}, INVALID, "tokens is int32"),
    *((_SLOPES, {"softmax_optional": None, name: None}, NULL, "logitsMax and sumExpLogits is null")
      for name in ("logits_max_optional", "sum_exp_logits_optional")),
    (_SILU, {"self": ones(4), "out": ones(4)}, INVALID, "at least 2"),
    (_SILU, {"gamma": half(4), "beta": half(4)}, INVALID,
     "gamma is float16, it must be float32 as self is"),
    (_SILU, {"self": ones(0, 4, 5), "out": ones(0, 4, 5), "mean_out": ones(0, 2),
             "rstd_out": ones(0, 2)}, INVALID, "there must be samples and channels"),
    ("group_norm", {"self": ones(8), "out": ones(8)}, INVALID, "at least 2"),
    *(("rms_norm", {name: nz(NORM["rms_norm"][name])}, INVALID, "has format 29")
      for name in ("x", "gamma", "y_out", "rstd_out")),
    (_PARTS, {"vocab_parallel_logits_optional": half(40), "soft_max_out_optional": ones(40)},
     INVALID, "has 1 dimensions, it must have 2"),
    (_PARTS, {"soft_max_out_optional": half(3, 40)}, INVALID, "softMaxOutOptional is float16"),
    (_PARTS, {"vocab_parallel_logits_optional": half(4, 40), "soft_max_out_optional": ones(4, 40)},
     TILING, "vocabParallelLogits has shape [4, 40]"),
]  # fmt: skip
test_right_calls_succeed, test_wrong_calls_are_refused = reason_tests(RIGHT, WRONG)


def right() -> dict[str, dict[str, Any]]:
    """Return the arguments of right calls on chips that lack the kernels of others."""
    return {
        **RIGHT,
        "quant_convolution": QUANT,
        "affine_grid": {
            "theta": ones(2, 2, 3), "size": (2, 3, 4, 5), "align_corners": False,
            "out": ones(2, 4, 5, 2),
        },
        _ROUTES: {
            "tokens": half(3, 8), "expert_token_num_per_rank": whole(2, 2),
            "per_token_scales_optional": None, "expert_token_num_type": 1, "idx_type": 0,
            "permute_tokens_out": half(3, 8), "permute_per_token_scales_out": ones(3),
            "permute_token_idx_out": whole(3), "expert_token_num_out": whole(2),
        },
    }  # fmt: skip


_310P: list[Written] = [
    (_PARTS, "", NO_KERNEL, "kernel"), (_ONLINE, "", NO_KERNEL, "kernel"),
    ("affine_grid", "", NO_KERNEL, "kernel"),
    ("quant_convolution", "", INVALID, "does not have the operator"),
]  # fmt: skip
_A2: list[Written] = [
    ("affine_grid", "", 0, ""), ("quant_convolution", "", 0, ""), (_ROUTES, "", 0, ""),
    (_ROUTES, "tokens=half(3, 0), permute_tokens_out=half(3, 0)", TILING, "have shapes"),
    (_ROUTES, "tokens=half(3)", TILING, "have 1 and 2 dimensions"),
    (_ROUTES, "expert_token_num_per_rank=whole(2)", TILING, "have 2 and 1 dimensions"),
    (_ROUTES, "expert_token_num_per_rank=whole(0, 2)", TILING, "have shapes"),
    (_ROUTES, "tokens=half(3, 16384), permute_tokens_out=half(3, 16384)", 0, ""),
    (_ROUTES, "tokens=half(3, 16385), permute_tokens_out=half(3, 16385)", TILING,
     "it may have 16384"),
]  # fmt: skip
LISTS = {"Ascend310P1": _310P, "Ascend910B1": _A2}


def found(chip: str) -> list[list[Any]]:
    """Return the statuses and messages of all calls of a chip."""
    return written_reasons(right(), LISTS[chip], globals())


@pytest.mark.parametrize("chip", LISTS)
def test_the_chip_decides(chip: str) -> None:
    assert_refused_on(chip, "test_moe_checks", f"found({chip!r})", LISTS[chip])
