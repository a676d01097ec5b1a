"""Gradients of attention and of rotary embeddings beside those that PyTorch derives."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.bench.pairs import Pair, gradients, normal

_HEADS, _TOKENS, _DEPTH = 8, 1024, 64
_SCALE = _DEPTH**-0.5


def _attention_arguments() -> tuple[Any, ...]:
    shape = (1, _HEADS, _TOKENS, _DEPTH)
    query, key, value, dy = (normal(*shape) for _ in range(4))
    scores = query @ key.swapaxes(-1, -2) * np.float32(_SCALE)
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - largest)
    total = powers.sum(axis=-1, keepdims=True)
    # The forward operator keeps each number of a row eight times.
    kept = (np.repeat(each, 8, axis=-1) for each in (largest, total))
    out = powers / total @ value
    return (
        query, key, value, dy, None, None, None, None, *kept, None, out, None, _SCALE, 1.0,
        2**31 - 1, 2**31 - 1, _HEADS, "BNSD",
    )  # fmt: skip


def _attention(torch: Any, query: Any, key: Any, value: Any, dy: Any, *_: Any) -> tuple[Any, ...]:
    attend = torch.nn.functional.scaled_dot_product_attention
    return gradients(torch, attend, dy, query, key, value)


def _rotary_arguments() -> tuple[Any, ...]:
    angles = normal(1, _TOKENS, 1, 128)
    return normal(4, _TOKENS, _HEADS, 128), np.cos(angles), np.sin(angles)


def _rotary(torch: Any, dy: Any, cos: Any, sin: Any) -> tuple[Any, ...]:
    def forward(x: Any) -> Any:
        first, second = x.chunk(2, -1)
        return x * cos + torch.cat((-second, first), -1) * sin

    return gradients(torch, forward, dy, torch.zeros_like(dy))


ATTENTION = (
    Pair("flash_attention_score_grad", _attention_arguments, _attention),
    Pair("rotary_position_embedding_grad", _rotary_arguments, _rotary),
)

_SHARED = "its kernel is that of flash_attention_score_grad"
_FUSED = "PyTorch composes it of operators that have rows"
_NOT_YET = "PyTorch differentiates whole networks only; a row beside nn.LSTM and nn.GRU is due"
_NO_COUNTERPART = "PyTorch has no function that sorts tokens by their experts, or back"

#: Gradients without a row -> why.
NOT_MEASURED = {
    "rms_norm_grad_quant": "PyTorch has no gradient that is quantised",
    **dict.fromkeys(
        (
            "flash_attention_score_grad_v2", "flash_attention_score_grad_v3",
            "flash_attention_unpadding_score_grad", "flash_attention_unpadding_score_grad_v2",
            "flash_attention_unpadding_score_grad_v3", "flash_attention_unpadding_score_grad_v4",
            "flash_attention_unpadding_score_grad_v5", "flash_attention_score_grad_v4",
        ),
        _SHARED,
    ),
    **dict.fromkeys(
        (
            "moe_finalize_routing_v2_grad", "moe_gating_top_k_backward",
            "moe_init_routing_v2_grad", "moe_token_permute_grad",
            "moe_token_permute_with_ep_grad", "moe_token_permute_with_routing_map_grad",
            "moe_token_unpermute_grad", "moe_token_unpermute_with_ep_grad",
            "moe_token_unpermute_with_routing_map_grad", "swiglu_group_quant_grad",
        ),
        _NO_COUNTERPART,
    ),
    **dict.fromkeys(
        (
            "block_sparse_attention_grad", "deformable_conv2d_backward",
            "dense_lightning_indexer_grad_kl_loss",
            "fused_floyd_attention_grad", "fused_linear_cross_entropy_loss_grad",
            "lightning_indexer_grad", "masked_causal_conv1d_backward", "mhc_post_backward",
            "mhc_pre_backward", "mhc_pre_sinkhorn_backward", "mhc_sinkhorn_backward",
            "multi_scale_deformable_attention_grad", "nsa_compress_grad",
            "nsa_selected_attention_grad", "roi_pooling_grad_with_arg_max",
            "sparse_flash_attention_grad", "sparse_flash_mla_grad",
            "sparse_lightning_indexer_grad_kl_loss",
            "sparse_lightning_indexer_kl_loss_grad",
            "sparse_lightning_indexer_kl_loss_grad_metadata",
            "swiglu_backward_mx_quant_with_dual_axis", "three_interpolate_backward",
        ),
        _FUSED,
    ),
    **dict.fromkeys(("lstm_backward", "gru_backward", "thnn_fused_lstm_cell_backward"), _NOT_YET),
    "norm_rope_concat_backward": "PyTorch has its parts only, which have rows",
}  # fmt: skip
