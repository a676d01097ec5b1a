"""Comparisons of tensors with tensors and numbers, and the logic of truths and bits."""

from __future__ import annotations

from dataclasses import replace

from .dtypes import BOOL, FLOATS, NUMBERS, REAL_BOOL, Dtypes, dtypes
from .format_steps import Formatted, any_format, public_and_same, public_formats
from .optional_steps import If, Since
from .row import Output, Row, Trial
from .row_templates import in_place
from .steps import (
    About,
    Broadcast,
    Call,
    Castable,
    CastableFrom,
    DoneIfEmpty,
    DtypeIn,
    FitsInPlace,
    NotSimulated,
    Null,
    NullInside,
    On950,
    OnlyOn,
    Pointwise,
    Promotes,
    RankAtMost,
    ResultIs,
    ResultType,
    ResultTypeIn,
    SameDtype,
    SameShape,
    ShapeIs,
    ShapeOf,
    Step,
    That,
)

_UNSIGNED = dtypes("uint16 uint32 uint64")
_ANY_OUT = NUMBERS | _UNSIGNED
#: bfloat16 on every chip, as these lists have it; the first generation refuses it as input.
_ANY_OUT_BF16 = _ANY_OUT | dtypes("bfloat16")
_FITS: tuple[Step, ...] = (Null(("selfRef", "other")), FitsInPlace(("selfRef", "other")))


def _tensors(
    name: str, formula: str, accepted: Dtypes, out: Dtypes, *, empty_first: bool = False
) -> tuple[Row, Row]:
    """Make the row and that in place; nothing is checked of empty tensors with ``empty_first``."""
    empty = DoneIfEmpty(("self", "other"))
    row = Row(
        name, "pointwise",
        (
            Null(("self", "other", "out")),
            *((empty,) if empty_first else ()),
            DtypeIn(accepted, ("self", "other")),
            DtypeIn(out, ("out",)),
            ResultType("common", ("self", "other")),
            ResultTypeIn(accepted | BOOL),
            CastableFrom("bool", ("out",)),
            RankAtMost(8, ("self", "other", "out")),
            Broadcast(("self", "other")),
            ShapeIs(("out",)),
            *(() if empty_first else (empty,)),
            Pointwise(formula, ("self", "other"), gives="bool"),
        ),
        {"out": Output("broadcast self other", "bool")},
    )  # fmt: skip
    return row, in_place(row, first=() if empty_first else _FITS)


_ALL: tuple[Step, ...] = (Null(("self", "other", "out")),)
#: Before the 950, Less looks at its number first, and converts it to a floating tensor's type.
_NUMBER_INSIDE: tuple[Step, ...] = (If("!on_950()", NullInside(("other", "self"))), *_ALL)


def _number(
    name: str,
    formula: str,
    accepted: Dtypes,
    out: Dtypes,
    rule: str = "with_fitting_scalar",
    *,
    first: tuple[Step, ...] = _ALL,
    converted: bool = False,
) -> tuple[Row, Row]:
    number: Step = DtypeIn(accepted, ("other",))
    if converted:
        check = number
        number = About(
            lambda tensor: If(f"on_950() || !is_floating({tensor}.dtype())", check), ("self",)
        )
    row = Row(
        name, "pointwise",
        (
            *first,
            DtypeIn(accepted, ("self",)),
            number,
            DtypeIn(out, ("out",)),
            If("!on_950()", Promotes(("self", "other"))),
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


def _logic(
    name: str, formula: str, operands: Dtypes, out: Dtypes, newer: Dtypes | None = None
) -> Row:
    """Truths of any type; the result is cast to any output's, since CANN 9.1 ``newer`` ones too."""
    outputs: Step = DtypeIn(out, ("out",))
    if newer is not None:
        outputs = Since("9.1", DtypeIn(out | newer, ("out",)), before=outputs)
    return Row(
        name, "pointwise",
        (
            Null(("self", "other", "out")),
            DtypeIn(operands, ("self", "other")),
            outputs,
            ResultIs("bool"),
            RankAtMost(8, ("self", "other")),
            Broadcast(("self", "other")),
            ShapeIs(("out",)),
            DoneIfEmpty(("self", "other")),
            Pointwise(formula, ("self", "other"), gives="bool"),
        ),
        {"out": Output("broadcast self other", "bool")},
    )  # fmt: skip


_SIGNED_BITS = dtypes("int16 int32 int64 int8 uint8 bool")
_BITS = _SIGNED_BITS | dtypes("uint16")


def _bits(
    name: str, formula: str, accepted: Dtypes, formats: Formatted = any_format, *,
    number: bool = False, later: tuple[Step, ...] = (),
) -> Row:  # fmt: skip
    rule = "common_or_category" if number else "common"
    tensors = ("self",) if number else ("self", "other")
    shape: tuple[Step, ...] = (ShapeOf("self"),) if number else (Broadcast(tensors),)
    return Row(
        name, "pointwise",
        (
            Null(("self", "other", "out")),
            *later,
            DtypeIn(accepted, ("self", "other")),
            ResultType(rule, ("self", "other")),
            Castable(("out",)),
            *formats(*tensors, "out"),
            RankAtMost(8, tensors),
            *shape,
            ShapeIs(("out",)),
            DoneIfEmpty(tensors),
            Pointwise(formula, tensors, ("other",) if number else ()),
        ),
        {"out": Output("like self" if number else "broadcast self other", "common self other")},
        Trial(values={"other": (5, 1, 0, -3)}),
    )  # fmt: skip


def _unsigned_later(types: str) -> tuple[Step, ...]:
    """Return the step of bits of unsigned integers, which CANN 9.1 has beside a number."""
    unsigned = ", ".join(f"ACL_{name.upper()}" for name in types.split())
    return (
        Since("9.1", On950(About(
            lambda tensor: If(f"DtypeSet{{{unsigned}}}.contains({tensor}.dtype())",
                              NotSimulated("bits of unsigned integers beside a number")),
            ("self",),
        ))),
    )  # fmt: skip


#: Those that the simulator does not have.
_LATER = {"Or": "uint32 uint64", "Xor": "uint16 uint32 uint64"}


def _bits_rows(
    word: str, formula: str, accepted: Dtypes, *, more: Dtypes | None = None,
    formats: Formatted = any_format,
) -> tuple[Row, ...]:  # fmt: skip
    """Make the rows of two tensors, which may also have ``more`` types, and of a number."""
    both = accepted | more if more else accepted
    tensors = _bits(f"Bitwise{word}Tensor", formula, both, formats)
    number = _bits(
        f"Bitwise{word}Scalar",
        formula + "_scalar",
        accepted,
        formats,
        number=True,
        later=_unsigned_later(_LATER[word]) if word in _LATER else (),
    )
    return tensors, in_place(tensors, first=_FITS), number, in_place(number)


_WIDE_ON_950 = dtypes(newest="uint64")
_UNSIGNED_ON_950 = dtypes(newest="uint16 uint32 uint64")
_EQUAL = NUMBERS | _WIDE_ON_950
_EQUAL_TENSORS = _EQUAL | dtypes(first="uint32 uint64")
_ORDERED = REAL_BOOL | _UNSIGNED
_ORDERED_NARROW = REAL_BOOL | dtypes("uint16") | _WIDE_ON_950
#: Outputs of operators that take what they compare, and others on the 950 only.
_EQUAL_OUT = _EQUAL | _UNSIGNED_ON_950
_NARROW_OUT = _ORDERED_NARROW | dtypes(newest="uint32 complex64 complex128")
_LESS_OUT = _ORDERED | dtypes(newest="complex64 complex128")
_logical_and, _logical_or, _logical_xor = (
    _logic("LogicalAnd", "logical_and", NUMBERS | dtypes("bfloat16"), _ANY_OUT),
    _logic("LogicalOr", "logical_or", NUMBERS, NUMBERS, newer=_UNSIGNED_ON_950),
    _logic("LogicalXor", "logical_xor", NUMBERS, NUMBERS),
)
_and = _bits("BitwiseAndTensorOut", "bitwise_and", _BITS, public_and_same)

ROWS: tuple[Row, ...] = (
    *_tensors("EqTensor", "equal", _EQUAL_TENSORS, _EQUAL_TENSORS | _UNSIGNED_ON_950),
    *_tensors("NeTensor", "not_equal", _EQUAL, _EQUAL_OUT, empty_first=True),
    *_tensors("GtTensor", "greater", _ORDERED, _ANY_OUT),
    *_tensors("GeTensor", "greater_equal", _ORDERED, _ANY_OUT_BF16),
    *_tensors("LtTensor", "less", _ORDERED, _LESS_OUT),
    *_tensors("LeTensor", "less_equal", _ORDERED_NARROW, _NARROW_OUT, empty_first=True),
    *_number(
        "EqScalar",
        "equal_scalar",
        _EQUAL_TENSORS,
        _EQUAL_TENSORS | _UNSIGNED_ON_950,
        "kept_beside_scalar",
        first=(*_ALL, If("on_310p()", DtypeIn(_EQUAL, ("self", "out")))),
    ),
    *_number("NeScalar", "not_equal_scalar", _EQUAL, _EQUAL_OUT, "kept_beside_scalar"),
    *_number("GtScalar", "greater_scalar", _ORDERED, _ANY_OUT),
    *_number("GeScalar", "greater_equal_scalar", _ORDERED, _ANY_OUT_BF16),
    *_number(
        "LtScalar",
        "less_scalar",
        _ORDERED,
        _LESS_OUT,
        "own_beside_number",
        first=_NUMBER_INSIDE,
        converted=True,
    ),
    *_number("LeScalar", "less_equal_scalar", _ORDERED_NARROW, _NARROW_OUT, "own_beside_number"),
    _logical_and,
    in_place(_logical_and),
    _logical_or,
    in_place(_logical_or),
    _logical_xor,
    *_bits_rows("And", "bitwise_and", _BITS, formats=public_formats),
    *_bits_rows("Or", "bitwise_or", _BITS, more=_UNSIGNED),
    *_bits_rows("Xor", "bitwise_xor", _SIGNED_BITS, more=_UNSIGNED_ON_950),
    _and,
    replace(in_place(_and, ref="self"), name="InplaceBitwiseAndTensorOut"),
    Row(
        "Equal",
        "pointwise",
        (
            Null(("self", "other", "out")),
            ResultType("common", ("self", "other")),
            ResultTypeIn(REAL_BOOL | dtypes("uint16 uint32 uint64")),
            DtypeIn(dtypes("bool"), ("out",)),
            RankAtMost(8, ("self", "other", "out")),
            That("out.rank() == 1 && out.elements() == 1", "out must have the shape (1,)"),
            Call("tensors_equal", "plan result_type self other out"),
        ),
        {"out": Output("one", "bool")},
    ),
    Row(
        "PrecisionCompare",
        "pointwise",
        (
            OnlyOn(("A2", "950")),
            Null(("golden", "realdata", "out")),
            SameDtype(("golden", "realdata")),
            DtypeIn(FLOATS, ("golden",)),
            DtypeIn(dtypes("uint32"), ("out",)),
            SameShape(("golden", "realdata")),
            RankAtMost(8, ("golden",)),
            That("out.rank() == 0", "out has %zu dimensions, it must have none", ("out.rank()",)),
            DoneIfEmpty(("golden",)),
            Call("compare_precision", "plan golden realdata out"),
        ),
        {"out": Output("scalar", "uint32")},
        missing=("whether NaN is the same as NaN, of which no document speaks: it is not",),
    ),
)
