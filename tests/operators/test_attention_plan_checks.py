"""Plans of gradients fail on the device; rotary operators refuse sections, sides and kinds."""

from __future__ import annotations

from typing import Any

import pytest
from children import found_on
from operators.calls import NO_KERNEL, TILING, code_with, device, ones
from operators.status_tests import refusal_tests
from operators.test_indexers import RIGHT as INDEXERS
from operators.test_positions import RIGHT as POSITIONS
from operators.test_positions import positions

import pyaclnn as pa

_PLAN = "sparse_lightning_indexer_kl_loss_grad_metadata"
_TURN, _SECTIONS, _BACK = (
    "apply_rotary_pos_emb_v2", "rope_with_sin_cos_cache_v2", "norm_rope_concat_backward",
)  # fmt: skip
#: What a stream answers whose task on the device's own processor failed.
_FAILED = 507018

_GRADIENTS: dict[str, Any] = {
    **{p.name: None for p in pa.ops[_BACK].spec.inputs},
    "grad_query_output": ones(2, 3, 4, 8), "grad_key_output": ones(2, 3, 3, 8),
    "grad_value_output": ones(2, 3, 3, 8), "query": ones(2, 4, 3, 8), "key": ones(2, 3, 3, 8),
    "rope_sin": ones(3, 8), "rope_cos": ones(3, 8), "norm_type": 0, "norm_added_type": 0,
    "rope_type": 1, "concat_order": 0,
}  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    _TURN: POSITIONS[_TURN],
    _SECTIONS: {
        **POSITIONS["rope_with_sin_cos_cache"], "positions": positions(3, 5), "cache_mode": 1,
        "mrope_section": [16, 24, 24],
    },
    _BACK: _GRADIENTS, _PLAN: INDEXERS[_PLAN],
}  # fmt: skip
_FOUR = {"positions": positions(4, 5), "mrope_section": [16, 16, 16, 16]}
_EMPTY = pa.empty((0, 3, 2, 128))
_NO_SAMPLES = {"cos": pa.empty((0, 3, 1, 128)), "sin": pa.empty((0, 3, 1, 128))}

WRONG: list[tuple[str, dict[str, Any], int]] = [
    (_SECTIONS, {"cache_mode": 0}, 0), (_SECTIONS, {**_FOUR, "cache_mode": 0}, 0),
    (_SECTIONS, _FOUR, TILING),
    (_BACK, {"rope_type": 2}, 0), (_BACK, {"rope_type": 3}, TILING),
    (_BACK, {"rope_type": -1}, TILING), (_BACK, {"concat_order": 1}, 0),
    (_BACK, {"concat_order": 2}, TILING), (_BACK, {"norm_type": 3}, TILING),
    (_BACK, {"norm_type": -1}, TILING), (_BACK, {"norm_added_type": 3}, TILING),
]  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(RIGHT, WRONG)

_PACKED = {
    "layout_q": "TND", "layout_k": "TND",
    "cu_seq_lens_q_optional": device([0, 2, 6], "int32"),
    "cu_seq_lens_k_optional": device([0, 4, 9], "int32"),
}  # fmt: skip


@pytest.mark.parametrize(
    "changed",
    [
        {"layout_q": "BNSD"}, {"layout_k": "BNSD"}, {"mask_mode": 1}, {"mask_mode": 4},
        {"cmp_ratio": -1}, {"cmp_ratio": 129}, {"num_heads_q": 0}, {"num_heads_k": 0},
        {"num_heads_k": 3}, {"head_dim": 0}, {"topk": 0}, {"batch_size": 0},
        {"max_seq_len_q": 0}, {"max_seq_len_k": 0}, {"batch_size": 2**62, "max_seq_len_q": 4},
        {**_PACKED, "cu_seq_lens_q_optional": None}, {**_PACKED, "cu_seq_lens_k_optional": None},
        {**_PACKED, "cu_seq_lens_q_optional": ones(1, 3, dtype="int32")},
        {**_PACKED, "cu_seq_lens_q_optional": device([0, 2, 6], "int64")},
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_made_ends_the_stream(changed: dict[str, Any]) -> None:
    assert code_with(_PLAN, RIGHT[_PLAN], **changed) == 0

    with pytest.raises(pa.AclError) as error:
        pa.current_stream().sync()

    assert error.value.code == _FAILED


_LEAST = dict.fromkeys(
    ("num_heads_q", "num_heads_k", "head_dim", "topk", "batch_size", "max_seq_len_q",
     "max_seq_len_k"), 1,
)  # fmt: skip


@pytest.mark.parametrize("changed", [{}, _PACKED, {"cmp_ratio": 128}, {"mask_mode": 0}, _LEAST])
def test_a_plan_that_can_be_made_is(changed: dict[str, Any]) -> None:
    assert code_with(_PLAN, RIGHT[_PLAN], **changed) == 0
    pa.current_stream().sync()


#: On the 950 both sides may be empty, but not one of them.
_SIDES: list[tuple[dict[str, Any], int]] = [
    ({"key_ref": ones(2, 3, 0, 128)}, TILING), ({"query_ref": ones(2, 3, 0, 128)}, TILING),
    ({**_NO_SAMPLES, "query_ref": _EMPTY, "key_ref": _EMPTY}, 0),
]  # fmt: skip


def sides() -> list[int]:
    """Return what empty sides are answered with."""
    return [code_with(_TURN, RIGHT[_TURN], **changed) for changed, _ in _SIDES]


def test_one_side_alone_is_not_empty() -> None:
    assert found_on("Ascend950", __name__, "sides()") == [status for _, status in _SIDES]


def old_status() -> int:
    """Return what the gradients are answered with."""
    return code_with(_BACK, RIGHT[_BACK])


def test_the_310p_has_no_gradients_of_joined_heads() -> None:
    assert found_on("Ascend310P3", __name__, "old_status()") == NO_KERNEL
