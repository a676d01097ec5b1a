"""Quotients that are rounded, and remainders.

Sources are ``aclnn_remainder.cpp``, ``aclnn_fmod_*.cpp``, ``aclnn_floor_divide.cpp`` and
``aclnn_div.cpp`` of CANN 9.0 and 9.1, and their documents. By zero, the remainder of an integer is
that integer (document of Remainder), and Fmod gives -1 (kernel of the 950).
"""

from __future__ import annotations

from dataclasses import replace

from .dtypes import NUMBERS, REAL_BOOL, dtypes
from .format_steps import NoPrivateFormat
from .optional_steps import If
from .row import Output, Row, Trial
from .row_templates import in_place
from .steps import (
    Broadcast,
    Call,
    Castable,
    CategoryCastable,
    CommonCastable,
    DoneIfEmpty,
    DtypeIn,
    FitsInPlace,
    Inside,
    Null,
    NullInside,
    On950,
    Pointwise,
    RankAtMost,
    ResultType,
    ResultTypeIn,
    ShapeIs,
    ShapeOf,
    Step,
    That,
)

_COMPUTED = dtypes("int32 int64 float16 float32 float64", "bfloat16")
_TRIED = ("float32", "float16", "bfloat16", "float64", "int32", "int64")
_BOTH = ("self", "other")
_SHAPES: tuple[Step, ...] = (Broadcast(_BOTH), ShapeIs(("out",)))
#: Quotients near an integer differ from the reference by the rounding of float32: edges are left.
_QUOTIENTS = Trial(
    dtypes=(*_TRIED, "int16", "int8", "uint8", "bool"),
    low=-9,
    high=9,
    values={"other": (2, 3, -4, 1.5), "mode": (0, 1, 2)},
    edges=False,
)
_MODES = That("mode >= 0 && mode <= 2", "mode is %d; it must be 0, 1 or 2", ("int(mode)",))
_FITS: tuple[Step, ...] = (Null(("selfRef", "other")), FitsInPlace(("selfRef", "other")))
_REMAINDERS = Trial(dtypes=_TRIED, values={"other": (3, -4, 7, 0, 2.5)})

_HAS_KERNEL = Inside(
    f"{_COMPUTED.cpp()}.contains(result_type)", "no kernel computes in %s",
    ("dtype_name(result_type)",),
)  # fmt: skip

_remainder = Row(
    "RemainderTensorTensor", "pointwise",
    (
        Null(("self", "other", "out")),
        ResultType("common", _BOTH),
        Castable(("out",)),
        ResultTypeIn(_COMPUTED),
        Broadcast(_BOTH),
        ShapeIs(("out",), or_one=True),
        On950(ShapeIs(("out",))),
        RankAtMost(8, ("self", "other", "out")),
        DoneIfEmpty(_BOTH),
        Pointwise("remainder", _BOTH),
    ),
    {"out": Output("broadcast self other", "common self other")},
    _REMAINDERS,
)  # fmt: skip
_remainder_in_place = in_place(
    replace(
        _remainder,
        steps=tuple(replace(s, or_one=False) if isinstance(s, ShapeIs) else s
                    for s in _remainder.steps),
    )
)  # fmt: skip
_remainders = Row(
    "RemainderTensorScalar", "pointwise",
    (
        Null(("self", "other", "out")),
        ShapeOf("self"),
        ShapeIs(("out",)),
        DtypeIn(REAL_BOOL, _BOTH),
        ResultType("with_scalar", _BOTH),
        ResultTypeIn(_COMPUTED),
        Castable(("out",)),
        RankAtMost(8, ("self", "out")),
        DoneIfEmpty(("self",)),
        Pointwise("remainder_scalar", ("self",), ("other",)),
    ),
    {"out": Output("like self", "with_scalar self other")},
    _REMAINDERS,
)  # fmt: skip
_remainder_of_number = Row(
    "RemainderScalarTensor", "pointwise",
    (
        NullInside(("self", "other", "out")),
        ShapeOf("other"),
        ShapeIs(("out",)),
        DtypeIn(REAL_BOOL, ("self", "other")),
        CommonCastable(("other",), ("out",)),
        CategoryCastable("other", "self"),
        DtypeIn(_COMPUTED, ("out",)),
        ResultType("remainder_of_number", ("other", "self", "out")),
        RankAtMost(8, ("other", "out")),
        DoneIfEmpty(("other",)),
        On950(_HAS_KERNEL),
        Pointwise("remainder_of_scalar", ("other",), ("self",)),
    ),
    {"out": Output("like other", "with_scalar other self")},
    replace(_REMAINDERS, values={"self": (7, -5, 0, 2.5)}),
)  # fmt: skip

_MODULI = dtypes("float32 int32 int8 float16 uint8 float64 int64", "bfloat16")
_fmod = Row(
    "FmodTensor", "pointwise",
    (
        Null(("self", "other", "out")),
        DtypeIn(_MODULI, ("self", "other", "out")),
        ResultType("common", _BOTH),
        ResultTypeIn(_MODULI),
        RankAtMost(8, _BOTH),
        *_SHAPES,
        DoneIfEmpty(_BOTH),
        Pointwise("fmod", _BOTH),
    ),
    {"out": Output("broadcast self other", "common self other")},
)  # fmt: skip
_fmods = Row(
    "FmodScalar", "pointwise",
    (
        NullInside(("other",)),
        Null(("self", "out")),
        DtypeIn(_MODULI, ("self", "other", "out")),
        ResultType("common_or_own", _BOTH),
        ResultTypeIn(_MODULI),
        RankAtMost(8, ("self",)),
        ShapeOf("self"),
        ShapeIs(("out",)),
        DoneIfEmpty(("self",)),
        Pointwise("fmod_scalar", ("self",), ("other",)),
    ),
    {"out": Output("like self", "common_or_own self other")},
    Trial(values={"other": (3, -4, 7, 0, 2.5)}),
)  # fmt: skip

_floor_divide = Row(
    "FloorDivide", "pointwise",
    (
        Null(("self", "other", "out")),
        DtypeIn(REAL_BOOL, _BOTH),
        On950(CommonCastable(_BOTH, ("out",))),
        ResultType("common_not_bool", _BOTH),
        RankAtMost(8, _BOTH),
        *_SHAPES,
        DoneIfEmpty(_BOTH),
        Pointwise("floor_div", _BOTH),
    ),
    {"out": Output("broadcast self other", "common_not_bool self other")},
    _QUOTIENTS,
)  # fmt: skip
_floor_divides = Row(
    "FloorDivides", "pointwise",
    (
        Null(("self", "other", "out")),
        DtypeIn(REAL_BOOL, _BOTH),
        CategoryCastable(*_BOTH),
        ResultType("divided_down", _BOTH),
        RankAtMost(8, ("self",)),
        ShapeOf("self"),
        ShapeIs(("out",)),
        DoneIfEmpty(("self",)),
        Pointwise("floor_div_scalar", ("self",), ("other",)),
    ),
    {"out": Output("like self", "divided_down self other")},
    _QUOTIENTS,
)  # fmt: skip

_ROUNDED_COMPLEX = That(
    "mode == 0 || (result_type != ACL_COMPLEX64 && result_type != ACL_COMPLEX128)",
    "a complex quotient cannot be rounded; mode is %d", ("int(mode)",),
)  # fmt: skip


_CASTABLE_QUOTIENT = Call("check_quotient_castable", "check promoted_type mode out")


_div_mod = Row(
    "DivMod", "pointwise",
    (
        Null(("self", "other", "out")),
        NoPrivateFormat((*_BOTH, "out")),
        RankAtMost(8, _BOTH),
        *_SHAPES,
        DtypeIn(NUMBERS, ("other", "self")),
        If("!on_950()", CommonCastable(_BOTH, ("out",))),
        Call("common", "check self other", "promoted_type"),
        _CASTABLE_QUOTIENT,
        _MODES,
        DoneIfEmpty(_BOTH),
        ResultType("quotient", (*_BOTH, "mode")),
        _ROUNDED_COMPLEX,
        Pointwise("div_mode", _BOTH, ("mode",)),
    ),
    {"out": Output("broadcast self other", "quotient self other mode")},
    _QUOTIENTS,
)  # fmt: skip
_div_mods = Row(
    "DivMods", "pointwise",
    (
        Null(("self", "other", "out")),
        NoPrivateFormat(("self", "out")),
        DtypeIn(NUMBERS, ("other", "self")),
        RankAtMost(8, ("self",)),
        ShapeOf("self"),
        ShapeIs(("out",)),
        If("!on_950()", CommonCastable(("self",), ("out",))),
        Call("category_type", "check self.dtype() other->dtype()", "promoted_type"),
        _CASTABLE_QUOTIENT,
        _MODES,
        DoneIfEmpty(("self",)),
        ResultType("quotient_by_number", (*_BOTH, "mode")),
        _ROUNDED_COMPLEX,
        Pointwise("div_mode_scalar", ("self",), ("other", "mode")),
    ),
    {"out": Output("like self", "quotient_by_number self other mode")},
    _QUOTIENTS,
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    _remainder,
    _remainder_in_place,
    _remainders,
    in_place(_remainders),
    _remainder_of_number,
    _fmod,
    in_place(_fmod),
    _fmods,
    in_place(_fmods),
    _floor_divide,
    in_place(_floor_divide, first=_FITS),
    _floor_divides,
    in_place(_floor_divides),
    _div_mod,
    in_place(_div_mod, first=_FITS),
    _div_mods,
    in_place(_div_mods),
)
