"""What products refuse on the 950 whose rows go by groups, or are rotated, into narrow numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on, output_of
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, code_with, ones, powers
from operators.test_mx_products import _in_nz, _small

import pyaclnn as pa

_FLOAT4 = "float4_e2m1fn"


def _in_lists(**tensors: pa.Tensor) -> dict[str, list[pa.Tensor]]:
    return {name: [tensor] for name, tensor in tensors.items()}


def _ends(*ends: int) -> pa.Tensor:
    return pa.asarray(np.array(ends))


def right() -> dict[str, dict[str, Any]]:
    """Return the arguments of a right call of each kind."""
    gate = {
        "x": _small(3, 96), "weight": [_small(2, 96, 128)], "weight_scale": [powers(2, 2, 128, 2)],
        "weight_assist_matrix": None, "bias": None, "x_scale": powers(3, 2, 2),
        "smooth_scale": None, "group_list": _ends(1, 3), "dequant_mode": 2, "dequant_dtype": 0,
        "quant_mode": 2, "group_list_type": 0, "tuning_config_optional": None,
        "output": _small(3, 64), "output_scale": powers(3, 1, 2),
    }  # fmt: skip
    rows = {
        "weight_scale": [ones(2, 128)],
        "x_scale": ones(3),
        "dequant_mode": 0,
        "quant_mode": 0,
        "output_scale": ones(3),
    }
    products = {
        **_in_lists(x=_small(3, 96), weight=_small(2, 96, 64), scale_optional=powers(2, 2, 64, 2),
                    per_token_scale_optional=powers(3, 2, 2)),
        "out": ([ones(3, 64)], None, None),
        "group_list_optional": _ends(1, 3), "split_item": 3, "group_type": 0,
        "group_list_type": 0, "act_type": 0, "tuning_config_optional": None,
        "bias_optional": None, "offset_optional": None, "antiquant_scale_optional": None,
    }  # fmt: skip
    plain = _in_lists(scale_optional=ones(2, 64), per_token_scale_optional=ones(3))
    return {
        "grouped_matmul_v5": products,
        "grouped_matmul_v5 of rows": {**products, **plain},
        "grouped_matmul_swiglu_quant_v2": gate,
        "grouped_matmul_swiglu_quant_v2 of rows": {**gate, **rows},
        "grouped_matmul_swiglu_quant_weight_nz_v2": {**gate, "weight": [_in_nz(2, 96, 128)]},
        "grouped_matmul_finalize_routing_v3": {
            "x1": _small(3, 96), "x2": _small(2, 96, 64), "scale_optional": powers(2, 2, 64, 2),
            "bias_optional": ones(2, 64, dtype="bfloat16"), "offset_optional": None,
            "antiquant_scale_optional": None, "antiquant_offset_optional": None,
            "pertoken_scale_optional": powers(3, 2, 2), "group_list_optional": _ends(1, 3),
            "shared_input_optional": ones(1, 64, dtype="bfloat16"), "logit_optional": ones(3),
            "row_index_optional": _ends(0, 1, 1), "dtype": 0, "shared_input_weight": 1.0,
            "shared_input_offset": 0, "transpose_x1": False, "transpose_x2": False,
            "group_list_type": 0, "tuning_config_optional": None, "out": ones(2, 64),
        },
        "rotate_quant": {
            "x": ones(2, 3, 64, dtype="bfloat16"), "rotation": ones(32, 32, dtype="bfloat16"),
            "alpha": None, "axis": -1, "round_mode": None, "scale_alg": 0, "dst_type_max": 0.0,
            "trans": False, "y_out": _small(2, 3, 64), "scale_out": powers(2, 3, 1, 2),
        },
    }  # fmt: skip


#: Right call -> an argument, what it is in the wrong call, and what the 950 answers.
WRONG: dict[str, tuple[tuple[str, str, int], ...]] = {
    "grouped_matmul_v5": (
        ("scale_optional", "None", INVALID), ("per_token_scale_optional", "None", INVALID),
        ("group_list_optional", "None", INVALID), ("group_list_optional", "_ends(3)", INVALID),
        ("x", "[_small(3, 64)]", INVALID), ("x", "[_small(96, 3).T]", INVALID),
        ("weight", "[_small(2, 64, 96).transpose((0, 2, 1))]", INVALID),
        ("weight", "[_in_nz(2, 96, 64)]", INVALID),
        ("weight", "[ones(2, 96, 64, dtype='int8')]", INVALID),
        ("weight", "[ones(2, 96, 64, dtype=_FLOAT4)]", INVALID),
        ("bias_optional", "[ones(2, 64)]", INVALID), ("act_type", "1", INVALID),
        ("offset_optional", "[ones(2, 64)]", INVALID),
        ("antiquant_scale_optional", "[ones(2, 64)]", INVALID),
        ("scale_optional", "[powers(2, 64, 2, 2)]", INVALID),
        ("scale_optional", "[powers(2, 4, 64)]", INVALID),
        ("per_token_scale_optional", "[ones(3)]", INVALID),
        ("per_token_scale_optional", "[powers(3, 1, 2)]", INVALID),
        ("out", "([ones(3, 64, dtype='bfloat16')], None, None)", 0),
        ("out", "([ones(3, 64, dtype='int32')], None, None)", INVALID),
        ("group_list_optional", "_ends(-(2**63), 2**63 - 1)", 0),
    ),
    "grouped_matmul_v5 of rows": (
        ("scale_optional", "[ones(2)]", 0), ("scale_optional", "[ones(2, 1)]", 0),
        ("scale_optional", "[ones(3, 64)]", INVALID), ("scale_optional", "[ones(2, 32)]", INVALID),
        ("scale_optional", "[ones(2, 64, dtype='bfloat16')]", INVALID),
        ("scale_optional", "[ones(2, 64, dtype='int64')]", INVALID),
        ("per_token_scale_optional", "None", 0), ("per_token_scale_optional", "[ones(2)]", 0),
        ("per_token_scale_optional", "[ones(2, 1)]", 0),
        ("per_token_scale_optional", "[ones(3, 1)]", INVALID),
        ("per_token_scale_optional", "[ones(4)]", INVALID),
        ("bias_optional", "[ones(2, 64)]", INVALID),
    ),
    "grouped_matmul_swiglu_quant_v2": (
        ("x_scale", "None", NULL), ("weight", "[]", NULL),
        ("weight_scale", "[]", NULL), ("x", "_small(3, 64)", INVALID), ("x", "_small(0, 96)",
        INVALID), ("weight", "[_small(96, 128)]", INVALID),
        ("weight", "[_small(96, 128), _small(96, 128)]", INVALID),
        ("weight", "[_small(2, 128, 96).transpose((0, 2, 1))]", INVALID),
        ("weight", "[ones(2, 96, 128, dtype='int8')]", INVALID),
        ("weight", "[ones(2, 96, 128, dtype=_FLOAT4)]", INVALID),
        ("weight_scale", "[powers(2, 128, 2, 2)]", INVALID),
        ("weight_scale", "[ones(2, 2, 128, 2)]", INVALID),
        ("x_scale", "powers(3, 1, 2)", INVALID), ("x_scale", "powers(3, 4)", INVALID),
        ("weight_assist_matrix", "[ones(2, 128)]", INVALID), ("weight_assist_matrix", "[]", 0),
        ("bias", "ones(128)", INVALID), ("smooth_scale", "ones(2)", INVALID),
        ("tuning_config_optional", "[3]", INVALID), ("tuning_config_optional", "[]", 0),
        ("quant_mode", "0", INVALID), ("dequant_mode", "1", INVALID),
        ("dequant_dtype", "27", INVALID), ("dequant_dtype", "28", INVALID),
        ("group_list", "_ends(3)", INVALID), ("group_list", "ones(2)", INVALID),
        ("group_list", "_ends(-(2**63), 2**63 - 1)", 0),
        ("group_list_type", "1", 0), ("group_list_type", "2", TILING),
        ("output", "_small(3, 128)", INVALID), ("output", "ones(3, 64, dtype='int8')", INVALID),
        ("output", "ones(3, 64, dtype=_FLOAT4)", INVALID),
        ("output_scale", "powers(3, 2, 2)", INVALID), ("output_scale", "ones(3, 1, 2)", INVALID),
    ),
    "grouped_matmul_swiglu_quant_v2 of rows": (
        ("dequant_dtype", "1", 0), ("dequant_dtype", "27", 0), ("dequant_dtype", "3", INVALID),
        ("weight", "[_small(2, 128, 96).transpose((0, 2, 1))]", 0),
        ("weight", "[ones(2, 96, 128, dtype='int8')]", INVALID),
        ("weight_scale", "[ones(2, 128, dtype='bfloat16')]", 0),
        ("weight_scale", "[ones(2, 128, dtype='float16')]", INVALID),
        ("x_scale", "ones(2)", INVALID), ("x_scale", "ones(3, 1)", INVALID),
        ("output", "ones(3, 64, dtype='int8')", NO_KERNEL), ("output", "ones(3, 64)", INVALID),
        ("output_scale", "powers(3)", INVALID),
    ),
    "grouped_matmul_swiglu_quant_weight_nz_v2": (
        ("weight", "None", NULL), ("weight", "[_small(2, 96, 128)]", INVALID),
        ("weight", "[_in_nz(2, 96, 128, dtype='float8_e5m2')]", TILING),
    ),
    "grouped_matmul_finalize_routing_v3": (
        ("logit_optional", "None", NULL), ("pertoken_scale_optional", "None", NULL),
        ("offset_optional", "ones(2, 1, 64)", NULL),
        ("antiquant_scale_optional", "ones(1)", NULL), ("bias_optional", "None", 0),
        ("shared_input_optional", "None", 0), ("dtype", "1", INVALID),
        ("transpose_x1", "True", INVALID),
        ("transpose_x2", "True", INVALID), ("x2", "_small(2, 64, 64)", INVALID),
        ("x2", "_small(2, 64, 96).transpose((0, 2, 1))", INVALID),
        ("x2", "ones(2, 96, 8, dtype='int32')", INVALID), ("x2", "_in_nz(2, 96, 64)", INVALID),
        ("x2", "ones(2, 96, 64, dtype=_FLOAT4)", INVALID), ("x1", "_small(0, 96)", 0),
        ("scale_optional", "ones(2, 1, 64)", INVALID),
        ("scale_optional", "powers(2, 64, 2, 2)", INVALID),
        ("pertoken_scale_optional", "ones(3)", INVALID), ("bias_optional", "ones(2, 64)", INVALID),
        ("bias_optional", "ones(2, 128, dtype='bfloat16')", INVALID),
        ("logit_optional", "ones(2)", INVALID),
        ("shared_input_optional", "ones(1, 128, dtype='bfloat16')", INVALID),
        ("shared_input_offset", "1", 0), ("shared_input_offset", "2", TILING),
        ("shared_input_offset", "-1", TILING), ("row_index_optional", "ones(3)", INVALID),
        ("row_index_optional", "_ends(-1, 2**40, 0)", 0),
        ("group_list_optional", "_ends(3)", INVALID),
        ("group_list_optional", "_ends(-(2**63), 2**63 - 1)", 0), ("group_list_type", "2", TILING),
        ("out", "ones(4, 64)", TILING), ("out", "ones(2, 64, dtype='float16')", INVALID),
    ),
    "rotate_quant": (
        ("x", "None", NULL), ("x", "ones(2, 3, 64)", INVALID),
        ("x", "ones(2, 3, 48, dtype='bfloat16')", INVALID),
        ("rotation", "ones(16, 16, dtype='bfloat16')", INVALID),
        ("rotation", "ones(32, 32, dtype='float16')", INVALID),
        ("rotation", "ones(2, 32, 32, dtype='bfloat16')", 0),
        ("rotation", "ones(3, 32, 32, dtype='bfloat16')", INVALID),
        ("rotation", "ones(32, dtype='bfloat16')", INVALID),
        ("rotation", "ones(32, 0, dtype='bfloat16')", INVALID),
        ("alpha", "ones(1)", INVALID), ("alpha", "ones(2, dtype='bfloat16')", INVALID),
        ("alpha", "ones(1, dtype='bfloat16')", 0), ("axis", "2", 0), ("axis", "1", INVALID),
        ("round_mode", "'floor'", INVALID), ("round_mode", "'rint'", 0), ("scale_alg", "1", 0),
        ("scale_alg", "2", INVALID), ("dst_type_max", "6.0", INVALID), ("trans", "True", INVALID),
        ("y_out", "ones(2, 3, 64, dtype='int8')", INVALID), ("y_out", "_small(6, 64)", INVALID),
        ("scale_out", "ones(2, 3, 1, 2)", INVALID), ("scale_out", "powers(2, 3, 2)", INVALID),
    ),
}  # fmt: skip


def statuses() -> dict[str, int]:
    """Return what each call is answered with, a right one by the name of its kind."""
    found = {}
    for kind, given in right().items():
        operator = kind.split()[0]
        found[kind] = code_with(operator, given)
        for argument, value, _ in WRONG[kind]:
            changed = {argument: eval(value)}
            found[f"{kind} {argument}={value}"] = code_with(operator, given, **changed)
    return found


def test_products_of_groups_refuse_what_cann_refuses() -> None:
    expected = {
        f"{kind} {argument}={value}": code
        for kind, cases in WRONG.items() for argument, value, code in cases
    }  # fmt: skip
    printed = found_on("Ascend950", "operators.test_groups_950", "statuses()")

    assert printed == {**dict.fromkeys(right(), 0), **expected}


def test_sums_of_int8_are_given_as_they_are_whatever_their_scales() -> None:
    printed = output_of(
        """
        import numpy as np
        import pyaclnn as pa
        rng = np.random.default_rng(8)
        x, w = (rng.integers(-128, 128, s).astype(np.int8) for s in ((5, 96), (2, 96, 64)))
        bias = rng.integers(-1000, 1000, (2, 64)).astype(np.int32)
        ends, none = np.array([2, 5]), None
        words = pa.asarray(np.full((3, 7), 1 << 31, np.uint64))
        for given in ([words], None):
            out = pa.zeros((5, 64), "int32")
            pa.ops.grouped_matmul_v5(
                [pa.asarray(x)], [pa.asarray(w)], [pa.asarray(bias)], given, none, none, none, none,
                pa.asarray(ends), none, none, none, 3, 0, 0, 0, none, out=([out], none, none))
            expected = np.concatenate([x[:2].astype(int) @ w[0], x[2:].astype(int) @ w[1]])
            print(np.array_equal(out.numpy(), expected + np.repeat(bias, (2, 3), 0)))
        """,
        PYACLNN_SIM_SOC="Ascend950",
    )

    assert printed.split() == ["True", "True"]


PAIRS = """
    import numpy as np
    import pyaclnn as pa
    rng = np.random.default_rng(8)
    x, w = (rng.integers(-3, 4, s).astype(np.int8) for s in ((5, 32), (3, 32, 32)))
    none, groups = None, [[2, 2], [0, 1], [1, 2]]

    def product(kind, groups, group_type=0):
        narrow = kind == "int8"
        out = pa.zeros((5, 32), "float16" if narrow else kind)
        try:
            pa.ops.grouped_matmul_v5(
                [pa.asarray(x).astype(kind)], [pa.asarray(w).astype(kind)], none,
                [pa.ones((3, 32))] * narrow or none, none, none, none,
                [pa.ones((5,))] * narrow or none, pa.asarray(np.array(groups)), none, none, none,
                3, group_type, 2, 0, none, out=([out], none, none))
        except pa.AclError as error:
            return error.code
        expected = [x[i].astype(float) @ w[e] for i, e in enumerate((2, 2, 0, 1, 1))]
        return np.array_equal(out.numpy().astype(float), expected)

    print(product("int8", groups), product("float16", groups), product("int8", [2, 1, 2]),
          product("int8", groups, 2))
"""


def test_pairs_name_groups_of_quantised_rows_since_9_1() -> None:
    found = {
        (chip, release): output_of(PAIRS, PYACLNN_SIM_SOC=chip, PYACLNN_SIM_CANN=release)
        for chip, release in (
            ("Ascend910B1", "9.1"), ("Ascend950", "9.1"), ("Ascend950", "9.0"),
            ("Ascend310P3", "9.1"),
        )
    }  # fmt: skip

    assert found == {
        ("Ascend910B1", "9.1"): f"True True {INVALID} {INVALID}",
        ("Ascend950", "9.1"): f"True {TILING} {INVALID} {INVALID}",
        ("Ascend950", "9.0"): " ".join([str(INVALID)] * 4),
        ("Ascend310P3", "9.1"): " ".join([str(INVALID)] * 4),
    }
