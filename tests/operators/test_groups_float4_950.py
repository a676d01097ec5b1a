"""Groups of rows of float8 on the 950 times weights of float4, gated or added up over tokens."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on
from operators.calls import INVALID, NULL, code_with, ones

import pyaclnn as pa
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

Array = np.ndarray[Any, Any]
_GROUPS, _ROWS, _DEPTH, _COLUMNS = 2, 6, 96, 256
_ENDS = np.array([2, 6])
_RNG = np.random.default_rng(14)
_HALF = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def _powers(*shape: int) -> tuple[Array, pa.Tensor]:
    powers = 2.0 ** _RNG.integers(-3, 2, shape)
    return powers, pa.asarray(powers.astype(as_dtype("float8_e8m0fnu")))


def product(*, view: bool) -> tuple[dict[str, Any], Array]:
    """Return operands, the weight as it is stored or as a turned view, and what they make."""
    codes = _RNG.integers(0, 16, (_GROUPS, _COLUMNS, _DEPTH)).astype(np.uint8)
    weight = np.concatenate([_HALF, -_HALF])[codes]
    stored = in_blocks(codes, 32)
    packed = pa.asarray(stored[..., ::2] | stored[..., 1::2] << 4)
    shape, strides = (_GROUPS, _COLUMNS, _DEPTH), None
    if view:
        shape, strides = (_GROUPS, _DEPTH, _COLUMNS), (_DEPTH * _COLUMNS, 1, _DEPTH)
    x = _RNG.normal(0, 1, (_ROWS, _DEPTH)).astype(as_dtype("float8_e4m3fn"))
    pairs = -(-_DEPTH // 64)
    rows, x_scale = _powers(_ROWS, pairs, 2)
    columns, scale = _powers(_GROUPS, _COLUMNS, pairs, 2)
    wide = x.astype(float) * np.repeat(rows.reshape(_ROWS, -1), 32, 1)[:, :_DEPTH]
    restored = weight * np.repeat(columns.reshape(_GROUPS, _COLUMNS, -1), 32, 2)[..., :_DEPTH]
    group = np.searchsorted(_ENDS, np.arange(_ROWS), side="right")
    given = {
        "x": pa.asarray(x), "x_scale": x_scale,
        "weight": with_format(packed, "FRACTAL_NZ", shape=shape, strides=strides,
                              dtype="float4_e2m1fn", storage_shape=stored.shape),
        "scale": scale.transpose((0, 2, 1, 3)) if view else scale,
    }  # fmt: skip
    return given, np.einsum("rk,rnk->rn", wide, restored[group])


def gate() -> tuple[dict[str, Any], Array]:
    """Return the arguments of products that a gate follows, and what it gives."""
    operands, golden = product(view=True)
    left, right = np.split(golden, 2, 1)
    half = _COLUMNS // 2
    given = {
        "x": operands["x"], "weight": [operands["weight"]], "weight_scale": [operands["scale"]],
        "weight_assist_matrix": None, "bias": None, "x_scale": operands["x_scale"],
        "smooth_scale": None, "group_list": pa.asarray(_ENDS), "dequant_mode": 2,
        "dequant_dtype": 0, "quant_mode": 2, "group_list_type": 0, "tuning_config_optional": None,
        "output": ones(_ROWS, half, dtype="float8_e4m3fn"),
        "output_scale": ones(_ROWS, half // 64, 2, dtype="float8_e8m0fnu"),
    }  # fmt: skip
    return given, left / (1 + np.exp(-left)) * right


def routed() -> tuple[dict[str, Any], Array]:
    """Return the arguments of products that are added up over tokens, and their sums."""
    operands, golden = product(view=False)
    token = np.array([1, 0, 2, 1, 0, 2])
    logit = _RNG.uniform(0.5, 1, _ROWS).astype(np.float32)
    bias = _RNG.integers(-3, 4, (_GROUPS, _COLUMNS)).astype(float)
    group = np.searchsorted(_ENDS, np.arange(_ROWS), side="right")
    sums = np.zeros((3, _COLUMNS))
    np.add.at(sums, token, (golden + bias[group]) * logit.astype(float)[:, None])
    given = {
        "x1": operands["x"], "x2": operands["weight"], "scale": operands["scale"],
        "bias": pa.asarray(bias.astype(as_dtype("bfloat16"))), "offset_optional": None,
        "antiquant_scale_optional": None, "antiquant_offset_optional": None,
        "pertoken_scale_optional": operands["x_scale"], "group_list": pa.asarray(_ENDS),
        "shared_input": None, "logit": pa.asarray(logit), "row_index": pa.asarray(token),
        "dtype": 0, "shared_input_weight": 1.0, "shared_input_offset": 0, "transpose_x1": False,
        "transpose_x2": True, "group_list_type": 0, "tuning_config_optional": None,
        "out": ones(3, _COLUMNS),
    }  # fmt: skip
    return given, sums


_GATE = "grouped_matmul_swiglu_quant_weight_nz_v2"
_ROUTED = "grouped_matmul_finalize_routing_weight_nz_v2"

WRONG = (
    ("transpose_x2", "False", INVALID), ("pertoken_scale_optional", "None", NULL),
    ("scale", "ones(2, 1, 256)", INVALID), ("bias", "ones(2, 256)", INVALID),
    ("scale", "_powers(2, 256, 3, 2)[1]", INVALID), ("offset_optional", "ones(2, 256)", NULL),
    ("pertoken_scale_optional", "_powers(6, 3, 2)[1]", INVALID),
    ("x2", "ones(2, 256, 96, dtype='float4_e2m1fn')", INVALID),
)  # fmt: skip


def found() -> dict[str, Any]:
    """Return how wrong results are, and the statuses of wrong calls."""
    results: dict[str, Any] = {}
    given, golden = gate()
    results["gate"] = code_with(_GATE, given)
    scales = given["output_scale"].numpy().astype(float).reshape(_ROWS, -1)
    each = np.repeat(scales, 32, 1)
    # A block's scale leaves its largest beyond the largest float8, which it becomes.
    golden = np.clip(golden, -448 * each, 448 * each)
    restored = given["output"].numpy().astype(float) * each
    # Half of the last place of float8 and of bfloat16; what is small in its block loses more.
    allowed = np.abs(golden) * (2.0**-4 + 2.0**-8) + each * 2.0**-10
    results["gated"] = bool((np.abs(restored - golden) <= allowed).all())
    given, golden = routed()
    results["routed"] = code_with(_ROUTED, given)
    results["sums"] = bool(np.allclose(given["out"].numpy(), golden, rtol=1e-5, atol=1e-4))
    for argument, value, _ in WRONG:
        given, _ = routed()
        results[f"{argument}={value}"] = code_with(_ROUTED, given, **{argument: eval(value)})
    return results


def test_products_restore_the_weight_and_refuse_what_cann_refuses() -> None:
    expected = {f"{argument}={value}": code for argument, value, code in WRONG}

    assert found_on("Ascend950", "operators.test_groups_float4_950", "found()") == {
        "gate": 0, "gated": True, "routed": 0, "sums": True, **expected,
    }  # fmt: skip
