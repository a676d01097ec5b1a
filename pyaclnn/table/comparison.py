"""Comparisons of tensors with tensors and numbers, and the logic of truths and bits."""

from __future__ import annotations

from dataclasses import replace

from .dtypes import BOOL, NUMBERS, REAL, REAL_BOOL, Dtypes, dtypes
from .row import Output, Row, Trial
from .schemes import in_place
from .steps import (
    Broadcast,
    Castable,
    CastableFrom,
    DoneIfEmpty,
    DtypeIn,
    FitsInPlace,
    Null,
    Pointwise,
    Promotes,
    RankAtMost,
    ResultIs,
    ResultType,
    ResultTypeIn,
    ShapeIs,
    ShapeOf,
    Step,
)

_UNSIGNED = dtypes("uint16 uint32 uint64")
_ANY_OUT = NUMBERS | _UNSIGNED
#: bfloat16 on every chip, as these lists have it; the first generation refuses it as input.
_ANY_OUT_BF16 = _ANY_OUT | dtypes("bfloat16")
_FITS: tuple[Step, ...] = (Null(("selfRef", "other")), FitsInPlace(("selfRef", "other")))


def _tensors(name: str, formula: str, accepted: Dtypes, out: Dtypes) -> tuple[Row, Row]:
    row = Row(
        name, "pointwise",
        (
            Null(("self", "other", "out")),
            DtypeIn(accepted, ("self", "other")),
            DtypeIn(out, ("out",)),
            ResultType("common", ("self", "other")),
            ResultTypeIn(accepted | BOOL),
            CastableFrom("bool", ("out",)),
            RankAtMost(8, ("self", "other", "out")),
            Broadcast(("self", "other")),
            ShapeIs(("out",)),
            DoneIfEmpty(("self", "other")),
            Pointwise(formula, ("self", "other"), gives="bool"),
        ),
        {"out": Output("broadcast self other", "bool")},
    )  # fmt: skip
    return row, in_place(row, first=_FITS)


def _number(
    name: str, formula: str, accepted: Dtypes, out: Dtypes, rule: str = "with_fitting_scalar"
) -> tuple[Row, Row]:
    row = Row(
        name, "pointwise",
        (
            Null(("self", "other", "out")),
            DtypeIn(accepted, ("self", "other")),
            DtypeIn(out, ("out",)),
            Promotes(("self", "other")),
            ResultType(rule, ("self", "other")),
            CastableFrom("bool", ("out",)),
            RankAtMost(8, ("self", "out")),
            ShapeOf("self"),
            ShapeIs(("out",)),
            DoneIfEmpty(("self",)),
            Pointwise(formula, ("self",), ("other",), gives="bool"),
        ),
        {"out": Output("like self", "bool")},
        Trial(values={"other": (1, 0, -3, 0.5)}),
    )  # fmt: skip
    return row, in_place(row)


def _logic(name: str, formula: str, out: Dtypes) -> Row:
    """Truths of any type; the result is cast to any output's."""
    operands = NUMBERS | dtypes("bfloat16")
    return Row(
        name, "pointwise",
        (
            Null(("self", "other", "out")),
            DtypeIn(operands, ("self", "other")),
            DtypeIn(out, ("out",)),
            ResultIs("bool"),
            RankAtMost(8, ("self", "other")),
            Broadcast(("self", "other")),
            ShapeIs(("out",)),
            DoneIfEmpty(("self", "other")),
            Pointwise(formula, ("self", "other"), gives="bool"),
        ),
        {"out": Output("broadcast self other", "bool")},
    )  # fmt: skip


_BITS = dtypes("int16 int32 int64 int8 uint8 bool uint16")


def _bits(name: str, formula: str, accepted: Dtypes, *, number: bool = False) -> Row:
    tensors = ("self",) if number else ("self", "other")
    shape: tuple[Step, ...] = (ShapeOf("self"),) if number else (Broadcast(tensors),)
    return Row(
        name, "pointwise",
        (
            Null(("self", "other", "out")),
            DtypeIn(accepted, ("self", "other")),
            ResultType("common", ("self", "other")),
            Castable(("out",)),
            RankAtMost(8, tensors),
            *shape,
            ShapeIs(("out",)),
            DoneIfEmpty(tensors),
            Pointwise(formula, tensors, ("other",) if number else ()),
        ),
        {"out": Output("like self" if number else "broadcast self other", "common self other")},
        Trial(values={"other": (5, 1, 0, -3)}),
    )  # fmt: skip


def _bits_rows(word: str, formula: str) -> tuple[Row, ...]:
    tensors = _bits(f"Bitwise{word}Tensor", formula, _BITS)
    number = _bits(f"Bitwise{word}Scalar", formula + "_scalar", _BITS, number=True)
    return tensors, in_place(tensors, first=_FITS), number, in_place(number)


_EQUAL = NUMBERS
_ORDERED = REAL | _UNSIGNED
_logical_and, _logical_or, _logical_xor = (
    _logic("LogicalAnd", "logical_and", _ANY_OUT),
    _logic("LogicalOr", "logical_or", NUMBERS | dtypes("bfloat16")),
    _logic("LogicalXor", "logical_xor", NUMBERS | dtypes("bfloat16")),
)
_and = _bits("BitwiseAndTensorOut", "bitwise_and", _BITS)

ROWS: tuple[Row, ...] = (
    *_tensors("EqTensor", "equal", _EQUAL, NUMBERS),
    *_tensors("NeTensor", "not_equal", _EQUAL, NUMBERS),
    *_tensors("GtTensor", "greater", _ORDERED | BOOL, _ANY_OUT),
    *_tensors("GeTensor", "greater_equal", _ORDERED, _ANY_OUT_BF16),
    *_tensors("LtTensor", "less", _ORDERED | BOOL, _ANY_OUT),
    *_tensors("LeTensor", "less_equal", REAL_BOOL | dtypes("uint16"), _ANY_OUT_BF16),
    *_number("EqScalar", "equal_scalar", _EQUAL, NUMBERS, "kept_beside_scalar"),
    *_number("NeScalar", "not_equal_scalar", _EQUAL, NUMBERS, "kept_beside_scalar"),
    *_number("GtScalar", "greater_scalar", _ORDERED | BOOL, _ANY_OUT),
    *_number("GeScalar", "greater_equal_scalar", _ORDERED, _ANY_OUT_BF16),
    *_number("LtScalar", "less_scalar", _ORDERED | BOOL, _ANY_OUT),
    *_number("LeScalar", "less_equal_scalar", REAL_BOOL | dtypes("uint16"), _ANY_OUT_BF16),
    _logical_and,
    in_place(_logical_and),
    _logical_or,
    in_place(_logical_or),
    _logical_xor,
    *_bits_rows("And", "bitwise_and"),
    *_bits_rows("Or", "bitwise_or"),
    *_bits_rows("Xor", "bitwise_xor"),
    _and,
    replace(in_place(_and, ref="self"), name="InplaceBitwiseAndTensorOut"),
)
