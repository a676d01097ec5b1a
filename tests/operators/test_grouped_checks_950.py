"""What products by groups refuse on the 950 for the sizes, formats and lists of their operands."""

from __future__ import annotations

from typing import Any

from operators import test_grouped, test_groups_950, test_groups_mixed_950
from operators.calls import INVALID, NULL, TILING, ones, powers
from operators.reasons import Written, assert_refused_on, written_reasons
from operators.test_mx_products import _small

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

_F4 = "float4_e2m1fn"


def four(*shape: int, dtype: str = _F4) -> pa.Tensor:
    return ones(*shape, dtype=dtype)


def int8(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="int8")


def half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="bfloat16")


def nz(tensor: pa.Tensor) -> pa.Tensor:
    return with_format(tensor, "FRACTAL_NZ")


def turned_four_nz(groups: int, depth: int, columns: int) -> pa.Tensor:
    """Return a weight of float4 in blocks of 32, transposed."""
    stored = (groups, -(-depth // 32), -(-columns // 16), 16, 32)
    codes = pa.zeros((*stored[:-1], 16), "uint8")
    return with_format(codes, "FRACTAL_NZ", shape=(groups, depth, columns),
                       strides=(depth * columns, 1, depth), dtype=_F4,
                       storage_shape=stored)  # fmt: skip


def turned(tensor: pa.Tensor) -> pa.Tensor:
    axes = [*range(tensor.ndim)]
    axes[1], axes[2] = 2, 1
    return tensor.transpose(axes)


_V5, _GATE, _SUM = (
    "grouped_matmul_v5", "grouped_matmul_swiglu_quant_v2", "grouped_matmul_finalize_routing_v3"
)  # fmt: skip
_ROWS, _V5_ROWS = _GATE + " of rows", _V5 + " of rows"
_V3, _V5_INT8 = "grouped_matmul_v3", _V5 + " of int8"
_WHOLE = "grouped_matmul_weight_nz of int4 beside int8"
_HALVES = "grouped_matmul_weight_nz of float4 beside halves"
_MIXED = "grouped_matmul_weight_nz of float4 beside float8"


def right() -> dict[str, dict[str, Any]]:
    """Return the arguments of a right call of each kind."""
    mixed = test_groups_mixed_950.right()
    return {
        **test_groups_950.right(),
        _V3: test_grouped.RIGHT[_V3],
        _V5_INT8: test_grouped.RIGHT[_V5],
        **{f"grouped_matmul_{kind}": given for kind, (given, _) in mixed.items()},
    }


def gate(depth: int, columns: int, weight: str, x: str = "_small") -> str:
    half = columns // 2
    return (
        f"x={x}(3, {depth}), weight=[{weight}], x_scale=powers(3, {-(-depth // 64)}, 2),"
        f" weight_scale=[powers(2, {-(-depth // 64)}, {columns}, 2)],"
        f" output=_small(3, {half}), output_scale=powers(3, {-(-half // 64)}, 2)"
    )


def mixed_gate(depth: int, columns: int, weight: str = "turned_four_nz") -> str:
    scale = f"powers(2, {columns}, {-(-depth // 64)}, 2)"
    return (
        gate(depth, columns, f"{weight}(2, {depth}, {columns})")
        + f"; weight_scale=[turned({scale})]"
    )


def summed(experts: int, depth: int, columns: int, of: str = "_small") -> str:
    pairs = -(-depth // 64)
    return (
        f"x1={of}(3, {depth}), x2={of}({experts}, {depth}, {columns}), bias_optional=None,"
        f" scale_optional=powers({experts}, {pairs}, {columns}, 2),"
        f" pertoken_scale_optional=powers(3, {pairs}, 2), shared_input_optional=None,"
        f" group_list_optional=pa.zeros(({experts},), 'int64'), out=ones(2, {columns})"
    )


def products(depth: int, columns: int, of: str = "four") -> str:
    pairs = -(-depth // 64)
    return (
        f"x=[{of}(3, {depth})], weight=[{of}(2, {depth}, {columns})],"
        f" scale_optional=[powers(2, {pairs}, {columns}, 2)],"
        f" per_token_scale_optional=[powers(3, {pairs}, 2)],"
        f" out=([ones(3, {columns})], None, None)"
    )


WRONG: list[Written] = [
    *((kind, "", 0, "") for kind in (_V5, _V5_ROWS, _GATE, _ROWS, _SUM, _MIXED)),
    # Products that a gate follows.
    (_ROWS, "weight=[four(2, 96, 128)]", INVALID, "dequantMode is 0 beside"),
    (_GATE, gate(96, 256, "_small(2, 96, 256)"), 0, ""),
    (_GATE, gate(96, 127, "_small(2, 96, 127)"), INVALID, "127 columns, an odd number"),
    (_GATE, gate(96, 126, "_small(2, 96, 126)"), TILING, "126 columns, no multiple of 128"),
    (_GATE, gate(4, 128, "four(2, 4, 128)", "four"), 0, ""),
    (_GATE, gate(2, 128, "four(2, 2, 128)", "four"), INVALID, "the depth is 2"),
    (_GATE, gate(4, 128, "four(2, 4, 128)", "four") + "; output=four(3, 64)", 0, ""),
    (_GATE, gate(4, 126, "four(2, 4, 126)", "four") + "; output=four(3, 63)", INVALID,
     "126 columns, no multiple of 4"),
    (_GATE, mixed_gate(96, 128), 0, ""),
    (_GATE, mixed_gate(80, 128), INVALID, "must be in pieces of 32 by 128"),
    (_GATE, mixed_gate(96, 64), INVALID, "must be in pieces of 32 by 128"),
    (_GATE, mixed_gate(96, 128) + "; weight=[turned(four(2, 128, 96))]", INVALID,
     "must be in FRACTAL_NZ"),
    (_GATE, "x=nz(_small(3, 96))", INVALID, "x is in a private format"),
    (_GATE, "output=nz(_small(3, 64))", INVALID, "output is in a private format"),
    (_GATE, "group_list=nz(pa.zeros((2,), 'int64'))", INVALID, "in a private format"),
    (_ROWS, "weight=[_small(2, 96, 127)], weight_scale=[ones(2, 127)], output=_small(3, 63)",
     TILING, "127 columns, an odd number"),
    (_ROWS, "weight=[_small(2, 96, 126)], weight_scale=[ones(2, 126)], output=_small(3, 63)",
     0, ""),
    (_GATE, "weight=[_small(96)]", INVALID, "weight has shape"),
    (_GATE, "weight=[_small(2, 0, 128)]", INVALID, "weight has shape"),
    # Products that are added up over tokens.
    (_SUM, "x1=None", NULL, ""), (_SUM, "x2=None", NULL, ""),
    (_SUM, "scale_optional=None", NULL, "scale"),
    (_SUM, summed(1024, 32, 64), 0, ""),
    (_SUM, summed(1025, 32, 64), INVALID, "1025 experts"),
    (_SUM, summed(2, 4, 64, "four"), 0, ""),
    (_SUM, summed(2, 2, 64, "four"), INVALID, "the depth is 2"),
    (_SUM, summed(2, 4, 63, "four"), INVALID, "63 columns, an odd number"),
    (_SUM, "logit_optional=nz(ones(3))", INVALID, "in a private format"),
    (_SUM, "out=nz(ones(2, 64))", INVALID, "out is in a private format"),
    # Products of float4 and float8.
    (_MIXED, "x=[_small(2, 128), _small(2, 128), _small(3, 128)], group_list_optional=None",
     INVALID, "groupList is null beside such floats"),
    (_MIXED, "per_token_scale_optional=[powers(7, 2, 2)] * 2", INVALID,
     "perTokenScaleOptional has 2 tensors"),
    (_MIXED, "act_type=1", INVALID, "groupType and actType are 0 and 1"),
    (_MIXED, "x=[_small(7, 96)], weight=[turned_four_nz(3, 96, 64)]", INVALID,
     "in multiples of 64"),
    (_MIXED, "weight=[turned_four_nz(3, 128, 96)], out=([ones(7, 96, dtype='bfloat16')], None,"
     " None)", INVALID, "in multiples of 64"),
    # Products of one type.
    (_V5, "x=[_small(2, 96), _small(1, 96)], group_list_optional=None", INVALID,
     "groupList is null beside such floats"),
    (_V5, "scale_optional=[powers(2, 2, 64, 2)] * 2", INVALID, "scaleOptional has 2 tensors"),
    (_V5, "x=[nz(_small(3, 96))]", INVALID, "x or y is in FRACTAL_NZ"),
    (_V5, "out=([nz(ones(3, 64))], None, None)", INVALID, "x or y is in FRACTAL_NZ"),
    (_V5, "per_token_scale_optional=[powers(2, 3, 2).transpose((1, 0, 2))]", INVALID,
     "perTokenScale must not be transposed"),
    # One column, or one pair of blocks: the strides tell whether they are turned.
    (_V5, products(128, 1, "_small"), 0, ""),
    (_V5, products(128, 1, "_small") + "; weight=[turned(_small(2, 1, 128))],"
     " scale_optional=[turned(powers(2, 1, 2, 2))]", 0, ""),
    (_V5, products(128, 1, "_small") + "; weight=[turned(_small(2, 1, 128))]", INVALID,
     "must both be transposed, or neither"),
    (_SUM, summed(2, 64, 1), 0, ""),
    (_V5, products(4, 64), 0, ""),
    (_V5, products(2, 64), INVALID, "the depth is 2"),
    (_V5, products(4, 63), INVALID, "63 columns, an odd number"),
    (_V5, products(4, 64) + "; group_type=2, x=[four(4, 4).T], weight=[four(4, 64)],"
     " out=([ones(2, 4, 64)], None, None)", INVALID, "float4 goes by groups of rows"),
    (_V5, "group_type=2, x=[_small(96, 3).T], weight=[_small(96, 64)],"
     " out=([ones(2, 3, 64)], None, None)", INVALID, "4 and 3 dimensions, not 3"),
    (_V5_ROWS, "x=[_small(96, 3).T]", INVALID, "x must not be transposed"),
    (_V5_ROWS, "scale_optional=[ones(2, 64, 1)]", INVALID, "dimensions, not 1 or 2"),
    (_V5_ROWS, "x=[_small(3, 256)], weight=[turned(_small(2, 256, 256))], out=([ones(3, 256)],"
     " None, None), per_token_scale_optional=[ones(3, 2)], scale_optional=[ones(2, 2, 2)]",
     INVALID, "must both be transposed, or neither"),
    (_V5_ROWS, "x=[_small(3, 256)], weight=[turned(_small(2, 256, 256))], out=([ones(3, 256)],"
     " None, None), per_token_scale_optional=[ones(3, 2)],"
     " scale_optional=[turned(ones(2, 2, 2))]", 0, ""),
    (_V5_ROWS, "x=[_small(3, 128)], weight=[turned(_small(2, 128, 128))], out=([ones(3, 128)],"
     " None, None), per_token_scale_optional=[ones(3, 1)], scale_optional=[ones(2, 1, 1)]", 0, ""),
    (_V3, "weight=[_small(2, 8, 6)]", INVALID, "which this version does not have"),
    (_V5_INT8, "act_type=1", 0, ""),
    (_V5_INT8, "scale_optional=[ones(2, 6, dtype='int64')], per_token_scale_optional=None,"
     " act_type=0, out=([ones(5, 6, dtype='int8')], None, None)", 0, ""),
    (_V5_INT8, "scale_optional=[ones(2, 6, dtype='int64')], per_token_scale_optional=None,"
     " act_type=1, out=([ones(5, 6, dtype='int8')], None, None)", INVALID,
     "no activation behind scales of words"),
    (_WHOLE, "x=[int8(2, 128), int8(2, 128), int8(3, 128)]", INVALID,
     "which is for one of each in FRACTAL_NZ"),
    (_HALVES, "x=[half(2, 128), half(2, 128), half(3, 128)]", INVALID,
     "groupType is 0, with 3 and 1 tensors"),
]  # fmt: skip


def found() -> list[list[Any]]:
    """Return the statuses and messages of all calls."""
    names = {**globals(), "powers": powers, "_small": _small}
    return written_reasons(right(), WRONG, names)


def test_products_of_groups_refuse_what_does_not_fit() -> None:
    assert_refused_on("Ascend950", "test_grouped_checks_950", "found()", WRONG)
