"""Attention's operators refuse the chips whose products their documents do not name."""

from __future__ import annotations

from importlib import import_module

import pytest
from children import found_on
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, code_with

#: The tests whose right calls are tried, and the operators that some other chip has, too.
_TABLES = (
    "attention", "attention_updates", "caches", "deformable_attention", "flash_attention",
    "floyd_attention", "indexers", "mla", "mla_preprocess", "nsa_compress", "positions",
    "recurrent", "sparse_attention", "sparse_flash_mla",
)  # fmt: skip
_ON_310P = (
    "apply_rotary_pos_emb", "apply_rotary_pos_emb_v2", "multi_scale_deformable_attn_function",
)  # fmt: skip
#: What only A2 and A3 have.
_NOT_ON_950 = (
    "qkv_rms_norm_rope_cache", "fused_floyd_attention", "fused_floyd_attention_grad",
    "lightning_indexer_v2", "sparse_lightning_indexer_kl_loss_grad",
    "sparse_lightning_indexer_kl_loss_grad_metadata", "lightning_indexer_grad",
    "dense_lightning_indexer_grad_kl_loss", "mla_preprocess", "mla_preprocess_v2",
    "nsa_compress", "nsa_compress_grad", "nsa_compress_with_cache", "nsa_compress_attention",
    "nsa_compress_attention_infer", "nsa_selected_attention", "nsa_selected_attention_grad",
    "nsa_selected_attention_infer", "rain_fusion_attention", "sparse_flash_mla_grad",
    "multi_scale_deformable_attn_function", "multi_scale_deformable_attention_grad",
    "chunk_gated_delta_rule", "advance_step",
)  # fmt: skip
#: Operators that find out in another place than the others.
_UNUSUAL = {"attention_update": INNER_NULL, "rope_with_sin_cos_cache": INVALID}


def statuses() -> dict[str, int]:
    """Return what each right call is answered with."""
    tables = (import_module(f"operators.test_{name}").RIGHT for name in _TABLES)
    return {name: code_with(name, right) for table in tables for name, right in table.items()}


@pytest.mark.parametrize("chip", ["Ascend310P3", "Ascend910A"])
def test_chips_before_a2_have_few(chip: str) -> None:
    found = found_on(chip, __name__, "statuses()")

    expected = {
        name: NULL if name.startswith("flash_") else _UNUSUAL.get(name, NO_KERNEL) for name in found
    }
    if chip == "Ascend310P3":
        expected |= dict.fromkeys(_ON_310P, 0)
        # The document has this one there, for halves.
        del found["rotary_position_embedding"], expected["rotary_position_embedding"]
    assert found == expected


def test_the_950_lacks_what_only_a2_has() -> None:
    found = found_on("Ascend950", __name__, "statuses()")

    assert {name: found[name] for name in _NOT_ON_950} == dict.fromkeys(_NOT_ON_950, NO_KERNEL)
