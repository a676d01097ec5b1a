"""Why products with something behind them, in another order, or of prepared weights are refused."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import INVALID, NULL, ones
from operators.reasons import Refused, otherwise
from operators.test_mx_products import _in_nz
from operators.test_weight_prepared import prepared

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

_FUSED, _SWAPPED = "fused_matmul", "transpose_batch_mat_mul"


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _sized(rows: int, batch: int, depth: int, columns: int) -> dict[str, Any]:
    return {
        "x1": _half(rows, batch, depth), "x2": _half(batch, depth, columns),
        "out": _half(rows, batch, columns),
    }  # fmt: skip


def _scaled(batch: int, columns: int) -> dict[str, Any]:
    return {
        **_sized(2, batch, 16, columns), "scale": pa.zeros((batch * columns,), "uint64"),
        "out": pa.zeros((2, 1, batch * columns), "int8"),
    }  # fmt: skip


_ADDED: dict[str, Any] = {
    "x1": _half(4, 6), "x2": _half(6, 5), "bias": None, "x3": _half(4, 5),
    "fused_op_type": "add", "cube_math_type": 0, "y": _half(4, 5),
}  # fmt: skip
_RIGHT: dict[str, dict[str, Any]] = {
    _SWAPPED: {
        **_sized(2, 4, 16, 32), "bias": None, "scale": None, "perm_x1": [1, 0, 2],
        "perm_x2": [0, 1, 2], "perm_y": [1, 0, 2], "cube_math_type": 0, "batch_split_factor": 1,
    },
}  # fmt: skip

_BLOCKS = _in_nz(2, 4, 16, dtype="float16")
_WORDS = "scale has shape"
_REFUSED: list[Refused] = [
    (_SWAPPED, _scaled(4, 32), 0, ""),
    (_SWAPPED, {**_scaled(4, 32), "scale": pa.zeros((127,), "uint64")}, INVALID, _WORDS),
    (_SWAPPED, {**_scaled(4, 32), "scale": pa.zeros((1, 128), "uint64")}, INVALID, _WORDS),
    (_SWAPPED, _scaled(4, 16368), 0, ""),
    (_SWAPPED, _scaled(4, 16384), INVALID, _WORDS),
    (_SWAPPED, {**_scaled(4, 32), "batch_split_factor": 2}, INVALID,
     "batchSplitFactor must be 1 beside scale"),
    (_SWAPPED, {"x1": _BLOCKS}, INVALID, "x1 or out is in FRACTAL_NZ"),
    (_SWAPPED, {"out": _in_nz(2, 4, 32, dtype="float16")}, INVALID, "x1 or out is in FRACTAL_NZ"),
]  # fmt: skip


def test_products_are_refused_for_these_reasons() -> None:
    assert otherwise(_RIGHT, _REFUSED) == []


def on_950() -> list[str]:
    """Return what the 950 answers otherwise."""
    one, batched = "weight_quant_preprocess", "weight_quant_preprocess of 3"
    right = {one: prepared((), 96, 20), batched: prepared((3,), 64, 33)}
    uneven = prepared((), 80, 20)
    for call in (*right.values(), uneven):
        call.pop("memory")
    scale, bias, out = (
        right[one][name] for name in ("weight_scale", "bias_optional", "out_weight")
    )

    def stored(tensor: pa.Tensor, *shape: int) -> pa.Tensor:
        return with_format(tensor, "ND", shape=tensor.shape, storage_shape=shape)

    nothing = ones(0, dtype="float16")
    double = _half(40)[::2]
    return otherwise({**right, _FUSED: _ADDED}, [
        *((_FUSED, {"fused_op_type": kind}, 0, "")
          for kind in ("mul", "relu", "gelu_erf", "gelu_tanh", "")),
        (_FUSED, {"fused_op_type": "Add"}, INVALID, 'fusedOpType is "Add"'),
        (_FUSED, {"fused_op_type": "silu"}, INVALID, 'fusedOpType is "silu"'),
        (_FUSED, {"fused_op_type": "gelu_erf", "bias": _half(5)}, NULL, "gelu goes without"),
        (_FUSED, {"fused_op_type": "gelu_tanh", "bias": _half(5)}, NULL, "gelu goes without"),
        (_FUSED, {"fused_op_type": "relu", "bias": _half(5)}, 0, ""),
        (_FUSED, {"x3": ones(4, 5, dtype="bfloat16")}, INVALID, "x3"),
        (_FUSED, {"cube_math_type": 9}, INVALID, "cubeMathType"),
        (one, uneven, INVALID, "the depth is 80, it must be a multiple of 32"),
        (one, {"bias_optional": None}, 0, ""),
        (one, {"bias_optional": nothing}, INVALID, "biasOptional is empty, or"),
        (one, {"bias_optional": double}, INVALID, "biasOptional must be contiguous"),
        (one, {"out_bias_optional": double}, INVALID, "outBiasOptional must be contiguous"),
        (one, {"out_bias_optional": stored(_half(20), 10, 2)}, INVALID,
         "outBiasOptional is stored with another shape"),
        (batched, {"bias_optional": _half(33), "out_bias_optional": _half(33)}, INVALID,
         "biasOptional has shape [33]"),
        (one, {"out_weight": right[one]["weight"]}, INVALID, "or not in FRACTAL_NZ_C0_32"),
        (one, {"k_group_size": 32, "weight_scale": scale, "bias_optional": bias, "out_weight": out},
         0, ""),
    ])  # fmt: skip


def test_products_are_refused_on_the_950_for_these_reasons() -> None:
    assert found_on("Ascend950", "operators.test_fused_checks", "on_950()") == []
