"""Arguments that nothing in CANN reads, or reads as another, whatever they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import ones

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import quant_parameter

_RNG = np.random.default_rng(3)


def _x(*shape: int, dtype: str = "float16") -> pa.Tensor:
    return pa.asarray(_RNG.normal(0, 1, shape).astype(dtype))


def _groups_of_blocks() -> tuple[str, dict[str, Any], dict[str, Any]]:
    given = {
        "x": _x(8, 128), "group_list": pa.asarray(np.array([3, 8], np.int32)), "min_scale": 0.0,
        "round_mode_optional": "rint", "dst_type": 36, "row_block_size": 1, "col_block_size": 128,
        "group_list_type": 0,
    }  # fmt: skip
    return "grouped_dynamic_block_quant", given, {"group_list_type": 1}


_GATE = {
    "group_index_optional": None, "activate_dim": -1, "activate_left": True, "swiglu_mode": 0,
    "clamp_limit": 7.0, "glu_alpha": 1.0, "glu_bias": 0.0,
}  # fmt: skip


def _gated_blocks() -> tuple[str, dict[str, Any], dict[str, Any]]:
    given = {
        "x": _x(4, 256), **_GATE, "group_mode": 0, "axis": -1, "dst_type": 36,
        "round_mode_optional": "rint", "scale_alg": 1, "max_dtype_value": 0.0,
    }  # fmt: skip
    return "swiglu_mx_quant", given, {"scale_alg": 2}


def _gated_in_two_ways() -> tuple[str, dict[str, Any], dict[str, Any]]:
    given = {
        "x": _x(64, 256), "group_index_optional": None, "activate_left": True,
        "round_mode_optional": "rint", "scale_alg": 0, "dst_type": 36, "max_dtype_value": 0.0,
    }  # fmt: skip
    return "swiglu_mx_quant_with_dual_axis", given, {"max_dtype_value": 3.0}


def _windows() -> tuple[str, dict[str, Any], dict[str, Any]]:
    length, depth = 8, 32
    q, k, v = (pa.asarray(_RNG.integers(-9, 9, (1, 2, length, depth)).astype(np.int8))
               for _ in range(3))  # fmt: skip
    words = [pa.asarray(quant_parameter(np.full(n, s, np.float32), None)[None])
             for n, s in ((length, 2.0**-8), (depth, 2.0**-4))]  # fmt: skip
    zeros = [pa.asarray(np.zeros((1, n), np.int32)) for n in (length, depth)]
    given = {
        "query": q, "key": k, "value": v, "scale_quant": ones(1, length, dtype="float16"),
        "scale_dequant1": words[0], "scale_dequant2": words[1],
        "bias_quant_optional": ones(1, length, dtype="float16"),
        "bias_dequant1_optional": zeros[0], "bias_dequant2_optional": zeros[1],
        "padding_mask1_optional": None, "padding_mask2_optional": None, "query_transpose": False,
        "key_transpose": False, "value_transpose": False, "softmax_axes": -1,
    }  # fmt: skip
    changed = {
        "padding_mask2_optional": _x(1, 2, length, length), "query_transpose": True,
        "key_transpose": True, "value_transpose": True, "softmax_axes": 2,
    }  # fmt: skip
    return "swin_attention_score_quant", given, changed


_CALLS: dict[str, Callable[[], tuple[str, dict[str, Any], dict[str, Any]]]] = {
    "groups": _groups_of_blocks, "gate": _gated_blocks, "both axes": _gated_in_two_ways,
    "windows": _windows,
}  # fmt: skip


def differences(name: str) -> list[str]:
    """Return what each changed argument changes."""
    operator, given, changed = _CALLS[name]()

    def results(arguments: dict[str, Any]) -> list[bytes]:
        found = pa.ops[operator](**arguments)
        outputs = found if isinstance(found, tuple) else (found,)
        return [out.numpy().tobytes() for out in outputs]

    right = results(given)
    return [key for key, value in changed.items() if results({**given, key: value}) != right]


@pytest.mark.parametrize("name", _CALLS)
def test_what_is_not_read_changes_nothing(name: str) -> None:
    chip = "Ascend310P3" if name == "windows" else "Ascend950"

    assert found_on(chip, "operators.test_unread", f"differences({name!r})") == []
