"""Attention's operators refuse the chips whose products their documents do not name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, TILING, code_with, ones

import pyaclnn as pa

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
        expected["rotary_position_embedding"] = TILING  # its rows are too short there
    assert found == expected


def test_the_950_lacks_what_only_a2_has() -> None:
    found = found_on("Ascend950", __name__, "statuses()")

    assert {name: found[name] for name in _NOT_ON_950} == dict.fromkeys(_NOT_ON_950, NO_KERNEL)


def halves_on_310p() -> list[Any]:
    """Return how far rotated halves are from the formula, and what other calls are answered."""
    rng = np.random.default_rng(3)
    x, cos, sin = (
        rng.uniform(-1, 1, s).astype(np.float16) for s in ((2, 3, 4, 64), *[(1, 1, 4, 64)] * 2)
    )
    right = {"x": pa.asarray(x), "cos": pa.asarray(cos), "sin": pa.asarray(sin), "mode": 0}
    seen = pa.ops.rotary_position_embedding(**right).numpy().astype(np.float64)
    first, second = np.split(x.astype(np.float64), 2, axis=-1)
    wanted = x.astype(np.float64) * cos + np.concatenate([-second, first], axis=-1) * sin
    short = {name: ones(2, 3, 4, 48, dtype="float16") for name in ("x", "cos", "sin")}
    long = {name: ones(2, 3, 4, 160, dtype="float16") for name in ("x", "cos", "sin")}
    others = (short, long, {"mode": 1})
    statuses = [code_with("rotary_position_embedding", right, **changed) for changed in others]
    return [float(np.abs(seen - wanted).max()), *statuses]


def test_the_310p_rotates_halves_of_some_lengths() -> None:
    away, *statuses = found_on("Ascend310P3", __name__, "halves_on_310p()")

    assert away < 2e-3
    assert statuses == [TILING, TILING, NO_KERNEL]
