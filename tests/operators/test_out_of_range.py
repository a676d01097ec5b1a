"""Numbers that a tensor does not have: every operator that takes some, and what becomes of them.

Nothing outside of a tensor is written, and, as `.ci/run` repeats this under the sanitizers, read.
"""

from __future__ import annotations

import base64
import copy
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from operators.raw_calls import status_of

import pyaclnn as pa
from pyaclnn.selftest.suites import SUITES

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from fuzzing.described import Data
from fuzzing.operators import right_calls

#: Calls that were wrong before.
FOUND = sorted((Path(__file__).parents[1] / "fuzz/corpus").glob("*.json"))

#: The task ends with an exception of the AI core.
ENDS = {507015}
#: The number is left out, or counts as the nearest one there is.
PASSES = {0}

#: What numbers choose by: parameters with these names, of int32 or int64.
_NAMES = re.compile(r"(^|_)(index|indices|indice|targets?|offsets|tokens)(_optional)?$")
_WHOLE = {3: np.dtype(np.int32), 9: np.dtype(np.int64)}
#: Far off in either direction, and numbers that are in range in their lower 32 bits.
_FAR = (2**31 - 1, -(2**31), 2**62, -(2**63), 2**32, -(2**32))

ANSWERS = {
    **dict.fromkeys(
        (
            "embedding", "embedding_bag", "embedding_renorm",
            "fused_linear_cross_entropy_loss_grad", "gather", "gather_nd", "gather_v2",
            "gather_v3", "index", "index_add", "index_add_v2", "index_copy", "index_put_impl",
            "index_select", "inplace_index_copy", "inplace_put", "inplace_scatter",
            "inplace_scatter_reduce", "inplace_scatter_update", "inplace_quant_scatter",
            "inplace_scatter_value", "scatter",
            "scatter_add", "scatter_nd", "scatter_nd_update", "scatter_reduce", "scatter_value",
            "take",
        ),
        ENDS,
    ),
    **dict.fromkeys(
        (
            "adaptive_max_pool2d_backward", "adaptive_max_pool3d_backward", "add_lora",
            "fused_linear_online_max_sum", "grouped_matmul_finalize_routing",
            "grouped_matmul_finalize_routing_v2", "grouped_matmul_finalize_routing_v3",
            "grouped_matmul_finalize_routing_weight_nz",
            "grouped_matmul_finalize_routing_weight_nz_v2", "lightning_indexer_grad",
            "multi_scale_deformable_attention_grad", "multi_scale_deformable_attn_function",
            "nsa_selected_attention", "nsa_selected_attention_grad",
            "nsa_selected_attention_infer", "recurrent_gated_delta_rule", "roi_align",
            "sparse_flash_attention", "sparse_flash_attention_grad",
            "sparse_lightning_indexer_grad_kl_loss",
            "sparse_lightning_indexer_kl_loss_grad",
            "clipped_swiglu", "clipped_swiglu_grad", "coalesce_sparse", "cross_entropy_loss",
            "cross_entropy_loss_grad", "ctc_loss", "ctc_loss_backward", "dequant_swiglu_quant",
            "dequant_swiglu_quant_v2",
            "embedding_dense_backward", "ffn_v3", "group_quant", "index_fill",
            "inplace_index_fill", "dequant_rope_quant_kvcache", "kv_rms_norm_rope_cache",
            "kv_rms_norm_rope_cache_v2",
            "max_pool2d_with_indices_backward",
            "max_pool3d_with_argmax_backward", "max_unpool2d", "max_unpool2d_backward",
            "max_unpool3d", "max_unpool3d_backward", "moe_token_permute", "moe_token_permute_grad",
            "moe_token_permute_with_ep", "moe_token_permute_with_ep_grad",
            "moe_token_permute_with_routing_map_grad", "moe_token_unpermute",
            "moe_token_unpermute_grad", "moe_token_unpermute_with_ep",
            "moe_token_unpermute_with_ep_grad",
            "moe_token_unpermute_with_routing_map", "moe_token_unpermute_with_routing_map_grad",
            "multilabel_margin_loss", "nll_loss", "nll_loss2d", "nll_loss2d_backward",
            "nll_loss_backward", "qkv_rms_norm_rope_cache", "swi_glu_quant", "swi_glu_quant_v2",
            "tf_scatter_add",
        ),
        PASSES,
    ),
    # A mask may leave out all that is far off.
    "scatter_list": ENDS | PASSES,
}  # fmt: skip


def whole_numbers(argument: Data) -> list[Data]:
    """Return the tensors of numbers in an argument."""
    tensors = argument["items"] if argument["kind"] == "tensor_list" else [argument]
    return [
        t
        for t in tensors
        if t["kind"] == "tensor" and t["dtype"] in _WHOLE and np.prod(t["shape"]) > 0
    ]


def places(operator: str) -> list[int]:
    arguments = pa.ops[operator].spec.arguments
    return [i for i, a in enumerate(arguments) if not a.output and _NAMES.search(a.name)]


@cache
def calls_of(operator: str) -> list[Data]:
    """Return right calls with numbers, two for each type of these."""
    suite = next(s for s in SUITES if s.operator == operator)
    kept: dict[int, list[Data]] = {}
    for call in right_calls(suite, suite.dtypes[0]) if places(operator) else []:
        for place in places(operator):
            for numbers in whole_numbers(call["arguments"][place])[:1]:
                kept.setdefault(numbers["dtype"], []).append(call)
    return [call for calls in kept.values() for call in calls[-2:]]


def with_number(call: Data, place: int, number: int) -> Data:
    changed: Any = copy.deepcopy(call)
    for tensor in whole_numbers(changed["arguments"][place]):
        dtype = _WHOLE[tensor["dtype"]]
        count = len(base64.b64decode(tensor["data"])) // dtype.itemsize
        limits = np.iinfo(dtype)
        bounded = min(max(number, limits.min), limits.max)
        tensor["data"] = base64.b64encode(np.full(count, bounded, dtype).tobytes()).decode()
    return dict(changed)


@pytest.mark.exhaustive
def test_every_operator_that_takes_numbers_is_listed() -> None:
    taking = {s.operator for s in SUITES if not s.chip and s.ranks == 1 and calls_of(s.operator)}
    assert taking == set(ANSWERS)


@pytest.mark.parametrize("operator", ANSWERS)
def test_numbers_far_off(operator: str) -> None:
    calls = calls_of(operator)
    assert {status_of(call) for call in calls} == {0}
    found = {
        status_of(with_number(call, place, number))
        for call in calls
        for place in places(operator)
        if whole_numbers(call["arguments"][place])
        for number in _FAR
    }
    assert found
    assert found <= ANSWERS[operator]


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_fuzzing_found_touches_nothing_else(path: Path) -> None:
    pa.current_stream()  # a context, for calls in C
    call = json.loads(path.read_text(encoding="utf-8"))
    if call["target"] == "operators":
        assert status_of(call) in (0, 161002, 207001, 507015, *range(561000, 562000))


@pytest.mark.parametrize("name", ["index_fill", "inplace_index_fill"])
def test_fills_leave_out_what_is_out_of_range(name: str) -> None:
    x = pa.zeros((4, 2))
    filled = pa.ops[name](x, 0, pa.asarray(np.array([1, 4, -1, -5, 2**40])), 7.0)
    rows = (x if name.startswith("inplace") else filled).numpy()[:, 0]
    assert rows.tolist() == [0, 7, 0, 7]
