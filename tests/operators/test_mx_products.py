"""Which chips have products of narrow floats in blocks, what they refuse, and hifloat8."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, RUNTIME, code_with, ones, powers

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_E4M3 = "float8_e4m3fn"


def _in_nz(*shape: int, dtype: str = _E4M3) -> pa.Tensor:
    blocks = in_blocks(np.ones(shape, as_dtype(dtype)))
    return with_format(pa.asarray(blocks), "FRACTAL_NZ", shape=shape, storage_shape=blocks.shape)


def _small(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype=_E4M3)


def right() -> dict[str, dict[str, Any]]:
    """Return the arguments of a right call for each operator."""
    return {
        "quant_grouped_matmul_inplace_add": {
            "x1": _small(100, 3).T, "x2": _small(100, 5),
            "scale1_optional": powers(3, 3, 2).transpose((1, 0, 2)), "scale2": powers(3, 5, 2),
            "group_list": pa.asarray(np.array([64, 100])), "y_ref": ones(2, 3, 5),
            "group_list_type": 0, "group_size": 0,
        },
        "transpose_quant_batch_mat_mul_weight_nz": {
            "x1": _small(2, 3, 64), "x2": _in_nz(3, 64, 48), "bias": None,
            "x1_scale": powers(2, 3, 1, 2), "x2_scale": powers(3, 1, 48, 2), "dtype": 1,
            "group_size": 32, "perm_x1": [1, 0, 2], "perm_x2": [0, 1, 2], "perm_y": [1, 0, 2],
            "batch_split_factor": 1, "out": ones(2, 3, 48, dtype="float16"),
        },
        "dual_level_quant_matmul_weight_nz": {
            "x1": ones(2, 64, dtype="float4_e2m1fn"), "x2": _in_nz(16, 32, dtype="int8"),
            "x1_level0_scale": ones(2, 1), "x2_level0_scale": ones(1, 16),
            "x1_level1_scale": powers(2, 1, 2), "x2_level1_scale": powers(16, 1, 2),
            "optional_bias": ones(16), "transpose_x1": False, "transpose_x2": True,
            "level0_group_size": 512, "level1_group_size": 32,
            "out": ones(2, 16, dtype="float16"),
        },
        "quant_matmul_activation_quant_weight_nz": {
            "x1": _small(2, 64), "x2": _in_nz(64, 96), "x1_scale_optional": powers(2, 1, 2),
            "x2_scale": powers(1, 96, 2), "bias_optional": ones(96), "transpose_x1": False,
            "transpose_x2": False, "group_size": 32 | 1 << 16 | 1 << 32,
            "activation_type": "gelu_tanh", "quant_mode": "mx", "round_mode": "rint",
            "scale_alg": 0, "dst_type_max": 0.0, "y_out": _small(2, 96),
            "y_scale_out": powers(2, 2, 2),
        },
    }  # fmt: skip


#: Operator -> an argument, what it is in the wrong call, and what the 950 answers.
WRONG: dict[str, tuple[tuple[str, str, int], ...]] = {
    "quant_grouped_matmul_inplace_add": (
        ("x1", "_small(3, 100)", INVALID), ("x1", "_small(0, 100)", 0),
        ("x1", "_small(64, 3).T", INVALID), ("x1", "ones(100, 3).T", INVALID),
        ("x2", "_small(100)", INVALID), ("x2", "None", INVALID), ("scale2", "None", INVALID),
        ("scale1_optional", "powers(3, 3, 2)", INVALID), ("scale2", "powers(2, 5, 2)", INVALID),
        ("scale2", "ones(3, 5, 2)", INVALID), ("scale2", "powers(5, 3, 2).transpose((1, 0, 2))",
        INVALID), ("group_list", "ones(2)", INVALID), ("y_ref", "ones(2, 5, 3)", INVALID),
        ("group_list_type", "2", INVALID), ("group_size", "32", INVALID),
        ("group_list", "pa.asarray(np.array([-(2**63), 2**63 - 1]))", 0),
    ),
    "transpose_quant_batch_mat_mul_weight_nz": (
        ("x1_scale", "None", NULL), ("perm_y", "None", NULL), ("perm_x2", "[0, 2, 1]", INVALID),
        ("perm_x1", "[0, 1, 2]", INVALID), ("perm_x1", "[]", INVALID),
        ("bias", "ones(48)", INVALID),
        ("x2", "_small(3, 64, 48)", INVALID), ("x1_scale", "ones(2)", INVALID),
        ("x2_scale", "powers(3, 48, 1, 2)", INVALID), ("dtype", "27", INVALID),
        ("group_size", "0", INVALID), ("group_size", "-1", INVALID),
        ("batch_split_factor", "2", INVALID), ("x1", "_small(2, 3, 32)", INVALID),
    ),
    "dual_level_quant_matmul_weight_nz": (
        ("x1_level1_scale", "None", NULL), ("optional_bias", "None", 0),
        ("x2", "ones(16, 32, dtype='int8')", INVALID), ("x1", "_small(2, 64)", INVALID),
        ("x2_level0_scale", "ones(16, 1)", INVALID), ("x1_level1_scale", "ones(2, 1, 2)", INVALID),
        ("transpose_x1", "True", INVALID), ("transpose_x2", "False", INVALID),
        ("level0_group_size", "256", INVALID), ("level1_group_size", "64", INVALID),
        ("out", "ones(2, 16)", INVALID), ("optional_bias", "ones(2, 16)", INVALID),
        ("x2_level1_scale", "powers(16, 2, 2)", INVALID),
    ),
    "quant_matmul_activation_quant_weight_nz": (
        ("x1", "None", NULL), ("x1_scale_optional", "None", INVALID), ("bias_optional", "None", 0),
        ("group_size", "0", 0), ("group_size", "32", INVALID), ("group_size", "-1", INVALID),
        ("x2", "_small(64, 96)", INVALID), ("activation_type", "'relu'", INVALID),
        ("quant_mode", "'pertoken'", INVALID), ("round_mode", "'floor'", INVALID),
        ("scale_alg", "2", INVALID), ("scale_alg", "1", 0), ("x1", "_small(0, 64)", INVALID),
        ("x2_scale", "powers(96, 1, 2)", INVALID), ("transpose_x1", "True", INVALID),
        ("bias_optional", "ones(95)", INVALID), ("y_scale_out", "powers(2, 3, 2)", INNER_NULL),
        ("y_out", "ones(2, 96, dtype='float8_e5m2')", INNER_NULL),
    ),
}  # fmt: skip


def statuses(wrong: bool) -> dict[str, int]:
    """Return what each right call is answered with, or each wrong one."""
    found = {}
    for operator, given in right().items():
        if not wrong:
            found[operator] = code_with(operator, given)
        for argument, value, _ in WRONG[operator] if wrong else ():
            found[f"{operator} {argument}={value}"] = code_with(
                operator, given, **{argument: eval(value)}
            )
    return found


def _on(chip: str, wrong: bool) -> dict[str, int]:
    printed = found_on(chip, "operators.test_mx_products", f"statuses({wrong})")
    return dict(printed)


@pytest.mark.parametrize("chip", ["Ascend310P3", "Ascend910B1", "Ascend910_95"])
def test_the_950_alone_has_products_in_blocks(chip: str) -> None:
    elsewhere = (NO_KERNEL, INVALID, RUNTIME, NO_KERNEL)
    expected = (0,) * 4 if chip == "Ascend910_95" else elsewhere

    assert tuple(_on(chip, False).values()) == expected


def test_products_in_blocks_refuse_what_cann_refuses() -> None:
    expected = {
        f"{operator} {argument}={value}": code
        for operator, cases in WRONG.items()
        for argument, value, code in cases
    }

    assert _on("Ascend910_95", True) == expected


def turned_rows() -> list[Any]:
    """Return products of rows of twos and of ones, which lie as columns."""
    name = "quant_matmul_activation_quant_weight_nz"
    columns = pa.asarray(np.repeat(np.array([[2, 1]]), 64, 0).astype(as_dtype(_E4M3)))
    out, found = _small(2, 96), powers(2, 2, 2)
    given = {"x1": columns.T, "x1_scale_optional": powers(1, 2, 2), "bias_optional": None}
    status = code_with(name, right()[name], **given, y_out=out, y_scale_out=found)
    scales = np.repeat(found.numpy().astype(float).reshape(2, 4), 32, 1)[:, :96]
    return [status, (out.numpy().astype(float) * scales).tolist()]


def test_a_transposed_view_is_a_turned_operand() -> None:
    found = found_on("Ascend910_95", "operators.test_mx_products", "turned_rows()")

    assert found == [0, [[128] * 96, [64] * 96]]


def turned_scales() -> list[int]:
    """Return statuses of rows and of columns whose scales lie by rows and by columns."""
    name = "quant_matmul_activation_quant_weight_nz"
    given = {
        "x2": _in_nz(128, 96), "x2_scale": powers(2, 96, 2), "y_out": _small(3, 96),
        "y_scale_out": powers(3, 2, 2),
    }  # fmt: skip
    of_rows, of_columns = powers(3, 2, 2), powers(2, 3, 2).transpose((1, 0, 2))
    return [
        code_with(name, right()[name], **given, x1=x1, x1_scale_optional=scales)
        for x1 in (_small(3, 128), _small(128, 3).T)
        for scales in (of_rows, of_columns)
    ]


def test_a_turned_view_of_scales_goes_with_a_turned_operand() -> None:
    found = found_on("Ascend910_95", "operators.test_mx_products", "turned_scales()")

    assert found == [0, INVALID, INVALID, 0]


def groups_of_hifloat8() -> list[Any]:
    """Return the sums of groups with a scale each, and of their columns; and the codes."""
    rng = np.random.default_rng(4)
    codes = [rng.integers(16, 96, s).astype(np.uint8) for s in ((40, 3), (40, 5))]
    x2 = with_format(pa.asarray(codes[1]), "ND", shape=(40, 5), dtype="hifloat8")
    y, columns = ones(2, 3, 5), ones(2, 5)
    turned = with_format(
        pa.asarray(codes[0]), "ND", shape=(3, 40), strides=(1, 3), dtype="hifloat8"
    )
    rows = pa.asarray(np.array([0.5, 2], np.float32))
    list_of = pa.asarray(np.array([8, 40]))
    pa.ops.quant_grouped_matmul_inplace_add(turned, x2, rows, columns, list_of, y, 0, 0)
    return [y.numpy().tolist(), *(c.tolist() for c in codes)]


def test_groups_of_hifloat8_have_a_scale_each() -> None:
    printed = found_on("Ascend910_95", "operators.test_mx_products", "groups_of_hifloat8()")
    y, *codes = printed
    a, b = (hifloat8_values()[np.array(c)] for c in codes)

    for found, part, scale in zip(y, (slice(0, 8), slice(8, 40)), (0.5, 2), strict=True):
        assert np.allclose(found, 1 + scale * (a[part].T @ b[part]), rtol=1e-5)
