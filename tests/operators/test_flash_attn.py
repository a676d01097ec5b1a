"""FlashAttn and its plan refuse what CANN refuses, and follow no number out of their tensors."""

from __future__ import annotations

import sys
from os import pathsep
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from children import output_of
from operators.calls import (
    INNER_NULL,
    INVALID,
    NO_KERNEL,
    NULL,
    RUNTIME,
    TILING,
    code_with,
    device,
    ones,
)  # fmt: skip

import pyaclnn as pa


def _half(*shape: int) -> Any:
    return ones(*shape, dtype="float16")


def _ints(*shape: int) -> Any:
    return ones(*shape, dtype="int32")


def _lengths(*values: int) -> Any:
    return device(values, "int32")


_FAR = 2**31 - 1
_NONE = (
    "block_table", "cu_seqlens_q", "cu_seqlens_kv", "seqused_q", "seqused_kv", "sinks", "attn_mask",
)  # fmt: skip
_TRIANGLE = ones(2048, 2048, dtype="int8")

RIGHT: dict[str, dict[str, Any]] = {
    "flash_attn": {
        **{f"{name}_optional": None for name in _NONE},
        "q": _half(2, 3, 4, 64), "k": _half(2, 5, 2, 64), "v": _half(2, 5, 2, 64),
        "metadata_optional": _ints(4096), "softmax_scale": 0.1, "mask_mode": 0, "win_left": -1,
        "win_right": -1, "max_seqlen_q": -1, "max_seqlen_kv": -1, "layout_q": "BSND",
        "layout_kv": "BSND", "layout_out": "BSND", "return_softmax_lse": 1,
        "attn_out": _half(2, 3, 4, 64), "softmax_lse_optional": ones(2, 4, 3),
    },
    "flash_attn_metadata": {
        **{f"{name}_optional": None for name in _NONE[1:5]},
        "batch_size": 2, "max_seqlen_q": 3, "max_seqlen_kv": 5, "num_heads_q": 4,
        "num_heads_kv": 2, "head_dim": 64, "mask_mode": 0, "win_left": -1, "win_right": -1,
        "layout_q": "BSND", "layout_kv": "BSND", "layout_out": "BSND", "meta_data": _ints(4096),
    },
}  # fmt: skip
_PAGED: dict[str, Any] = {
    "k": _half(6, 16, 2, 64), "v": _half(6, 16, 2, 64), "block_table_optional": _ints(2, 2),
    "seqused_kv_optional": _lengths(20, 3), "layout_kv": "PA_BBND",
}  # fmt: skip
_PACKED: dict[str, Any] = {
    "q": _half(6, 4, 64), "k": _half(9, 2, 64), "v": _half(9, 2, 64), "layout_q": "TND",
    "layout_kv": "TND", "layout_out": "TND", "cu_seqlens_q_optional": _lengths(0, 4, 6),
    "cu_seqlens_kv_optional": _lengths(0, 2, 9), "attn_out": _half(6, 4, 64),
    "softmax_lse_optional": ones(4, 6),
}  # fmt: skip
_CAUSAL: dict[str, Any] = {"mask_mode": 3, "attn_mask_optional": _TRIANGLE}
_BAND = {**_CAUSAL, "mask_mode": 4}

WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "flash_attn": (
        *((name, None, NULL) for name in ("q", "k", "v")),
        ("q", ones(2, 3, 4, 64), INVALID), ("k", ones(2, 5, 2, 64), INVALID),
        ("v", ones(2, 5, 2, 64, dtype="bfloat16"), INVALID),
        ("metadata_optional", ones(9), INVALID), ("seqused_q_optional", ones(2), INVALID),
        ("softmax_lse_optional", _half(2, 4, 3), INVALID),
        ("q", _half(2, 3, 4, 32), TILING), ("q", _half(2, 3, 3, 64), TILING),
        ("q", _half(2, 3, 256), TILING), ("q", pa.empty((0, 3, 4, 64), "float16"), TILING),
        ("k", _half(3, 5, 2, 64), TILING), ("k", _half(2, 5, 2, 128), TILING),
        ("v", _half(2, 4, 2, 64), TILING), ("metadata_optional", None, TILING),
        ("metadata_optional", _ints(2, 64), TILING), ("attn_out", _half(2, 4, 3, 64), TILING),
        ("softmax_lse_optional", ones(2, 3, 4), TILING),
        ("return_softmax_lse", 2, TILING), ("return_softmax_lse", 0, 0),
        ("mask_mode", 1, TILING), ("mask_mode", 3, TILING), ("win_left", 0, TILING),
        ("win_right", 5, TILING), ("attn_mask_optional", _TRIANGLE, TILING),
        ("layout_q", "BNSD", TILING), ("layout_q", "bsnd", TILING), ("layout_kv", "TND", TILING),
        ("layout_kv", "PA_BBND", TILING), ("layout_out", "BNSD", TILING), ("layout_q", None, 0),
        ("sinks_optional", ones(4), TILING), ("sinks_optional", pa.empty((0,)), 0),
        ("max_seqlen_q", -2, TILING), ("block_table_optional", _ints(2, 2), TILING),
        ("cu_seqlens_q_optional", _ints(3), TILING), ("seqused_q_optional", _ints(3), TILING),
        ("seqused_q_optional", _lengths(_FAR, -_FAR), 0),
        ("seqused_kv_optional", _lengths(-1, _FAR), 0),
    ),
    "flash_attn_metadata": (
        ("batch_size", 0, RUNTIME), ("max_seqlen_q", 0, RUNTIME),
        ("max_seqlen_q", -1, RUNTIME), ("max_seqlen_kv", -2, RUNTIME), ("num_heads_q", 0, RUNTIME),
        ("num_heads_q", 3, RUNTIME), ("num_heads_kv", -1, RUNTIME), ("head_dim", 512, RUNTIME),
        ("mask_mode", 1, RUNTIME), ("win_left", -2, RUNTIME), ("win_right", -2, RUNTIME),
        ("layout_q", "BSH", RUNTIME), ("layout_q", None, RUNTIME), ("layout_q", "TND", RUNTIME),
        ("layout_kv", "PA_ND", RUNTIME), ("layout_kv", "TND", RUNTIME), ("layout_kv", "PA_NZ", 0),
        ("layout_out", "PA_NZ", RUNTIME), ("cu_seqlens_q_optional", _ints(3), RUNTIME),
        ("seqused_q_optional", _ints(3), RUNTIME), ("seqused_kv_optional", _ints(1), RUNTIME),
        ("seqused_kv_optional", _ints(2), 0),
        ("meta_data", _ints(1024), INNER_NULL), ("meta_data", ones(4096), INNER_NULL),
    ),
}  # fmt: skip

_MORE = (
    ("flash_attn", {**_PACKED, "cu_seqlens_q_optional": _lengths(0, 6),
                    "cu_seqlens_kv_optional": _lengths(0, 9)}, 0),
    ("flash_attn", {**_PACKED, "cu_seqlens_q_optional": _lengths(0),
                    "cu_seqlens_kv_optional": _lengths(0)}, TILING),
    ("flash_attn", _PAGED, 0),
    ("flash_attn", {**_PAGED, "block_table_optional": _lengths(-_FAR, 7) [:, None]}, 0),
    ("flash_attn", {**_PAGED, "seqused_kv_optional": _lengths(_FAR, 40)}, 0),
    ("flash_attn", {**_PAGED, "seqused_kv_optional": None}, TILING),
    ("flash_attn", {**_PAGED, "block_table_optional": _ints(3, 2)}, TILING),
    ("flash_attn", {**_PAGED, "k": _half(6, 8, 2, 64), "v": _half(6, 8, 2, 64)}, TILING),
    ("flash_attn", {**_PAGED, "layout_kv": "PA_NZ"}, TILING),
    (
        "flash_attn",
        {**_PAGED, "layout_kv": "PA_NZ", "k": _half(6, 2, 4, 16, 16), "v": _half(6, 2, 4, 16, 16)},
        0,
    ),
    (
        "flash_attn",
        {**_PAGED, "layout_kv": "PA_NZ", "k": _half(6, 2, 8, 16, 8), "v": _half(6, 2, 8, 16, 8)},
        TILING,
    ),
    ("flash_attn", _PACKED, 0),
    ("flash_attn", {**_PACKED, "cu_seqlens_q_optional": None}, TILING),
    ("flash_attn", {**_PACKED, "cu_seqlens_kv_optional": _lengths(0, 9)}, TILING),
    ("flash_attn", {**_PACKED, "cu_seqlens_q_optional": _lengths(_FAR, -_FAR, 9)}, 0),
    ("flash_attn", {**_PACKED, "cu_seqlens_kv_optional": _lengths(-_FAR, _FAR, 0)}, 0),
    ("flash_attn", {**_PACKED, "seqused_q_optional": _lengths(_FAR, _FAR)}, 0),
    ("flash_attn", {**_PACKED, "softmax_lse_optional": ones(6, 4)}, TILING),
    ("flash_attn", _CAUSAL, 0),
    ("flash_attn", {**_CAUSAL, "win_left": 2}, TILING),
    ("flash_attn", {**_CAUSAL, "attn_mask_optional": ones(256, 256, dtype="int8")}, TILING),
    ("flash_attn", {**_CAUSAL, "attn_mask_optional": ones(2048, 2048)}, INVALID),
    ("flash_attn", {**_BAND, "win_left": 2**62, "win_right": 2**62}, 0),
    ("flash_attn", {**_BAND, "win_left": -2}, TILING),
)  # fmt: skip


def statuses() -> None:
    """On a 950: each status."""
    cases = [
        *((operator, {}, 0) for operator in RIGHT),
        *(
            (operator, {name: value}, expected)
            for operator, changes in WRONG.items()
            for name, value, expected in changes
        ),
        *_MORE,
    ]
    for operator, changed, expected in cases:
        assert code_with(operator, RIGHT[operator], **changed) == expected, (operator, changed)


def ends_the_task() -> None:
    """On a 950: a plan for no sequence."""
    name = "flash_attn_metadata"
    assert code_with(name, RIGHT[name], batch_size=-1) == 0

    with pytest.raises(pa.AclError) as error:
        pa.current_stream().sync()

    assert error.value.code == 507018


def rows_within() -> None:
    """On a 950: the last sequence ends with its tensor, whatever its length says."""
    given = {**RIGHT["flash_attn"], **_PACKED, "cu_seqlens_q_optional": _lengths(0, 4, _FAR)}
    given = {k: v for k, v in given.items() if k not in ("softmax_lse_optional", "attn_out")}

    out = pa.ops.flash_attn(**{**given, "return_softmax_lse": 0})

    assert np.all((out[0] if isinstance(out, tuple) else out).numpy() == 1)


@pytest.mark.parametrize("check", ["statuses", "ends_the_task", "rows_within"])
def test_it_answers_as_cann_on_a_950(check: str) -> None:
    tests = str(Path(__file__).parents[1])
    output_of(
        f"from operators import test_flash_attn\ntest_flash_attn.{check}()",
        PYACLNN_SIM_SOC="Ascend910_95", PYTHONPATH=pathsep.join([tests, *sys.path]),
    )  # fmt: skip


@pytest.mark.parametrize("operator", RIGHT)
def test_other_chips_have_no_kernel(operator: str) -> None:
    assert code_with(operator, RIGHT[operator]) == NO_KERNEL
