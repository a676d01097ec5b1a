"""Losses that are element-wise before their mean or sum is taken.

Sources are the files of these names under ``loss`` of CANN 9.0's ops-nn, and the documents.
"""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .optional_steps import If, if_given
from .row import Output, Row
from .steps import (
    Broadcast,
    Castable,
    Cpp,
    DtypeIn,
    Null,
    NullInside,
    RankAtMost,
    ResultType,
    ResultTypeIn,
    SameDtype,
    SameShape,
    ShapeIs,
    ShapeOf,
    Step,
    That,
)

_BOTH = ("self", "target")
_WEIGHTS = ("weightOptional", "posWeightOptional")
_INCLUDE = ("loss/reduced.hpp",)
_REDUCTION = Cpp("check_reduction(check, reduction);")
_EMPTY = "self.is_empty() || target.is_empty()"


def _shape(out: str, *, one: bool = False) -> Cpp:
    """Step of the output's shape; with ``one`` a mean or sum may be a list of one."""
    whole = f"{out}.elements() == 1" if one else f"{out}.rank() == 0"
    words = f"{out} must have one element" if one else f"{out} must have no dimensions"
    return Cpp(f"if (reduction == kNone) {ShapeIs((out,)).cpp()} else {That(whole, words).cpp()}")


def _kernel(
    formula: str, out: str = "out", inputs: tuple[str, ...] = _BOTH, scalars: tuple[str, ...] = (),
    parts: str = "result_shape.product()", of_nothing: str = "reduction",
) -> tuple[Cpp, ...]:  # fmt: skip
    numbers = "".join(f"Number({s}), " for s in scalars)
    addresses = ", ".join(inputs)
    return (
        Cpp(f"if (loss_of_nothing(plan, {_EMPTY}, {of_nothing}, {out})) return;"),
        Cpp(
            f"loss(plan, formulas::{formula}, result_type, reduction, {out}, result_shape, "
            f"{{{addresses}}}, {{{numbers}loss_factor(reduction, {parts})}});"
        ),
    )


def _addresses(*names: str) -> tuple[str, ...]:
    return tuple("&" + n for n in names)


def _floating(name: str) -> str:
    return f"{dtypes('float32 float16 bfloat16 float64').cpp()}.contains({name}.dtype())"


_PAIR = _addresses(*_BOTH)
_RANKS: tuple[Step, ...] = (RankAtMost(8, _BOTH), Broadcast(_BOTH))


def _row(
    name: str, *steps: Step, out: str = "out", shape: str = "loss", missing: tuple[str, ...] = ()
) -> Row:
    return Row(
        name, "loss", steps, {out: Output(f"{shape} self target reduction", "common self target")},
        include=_INCLUDE, missing=missing,
    )  # fmt: skip


def _optional(name: str, other: str = "self") -> str:
    """Return the operand, or any other in its place."""
    return f"{name}.given() ? static_cast<const TensorArgument*>(&{name}) : &{other}"


def _given(name: str) -> str:
    return f"std::int64_t({name}.given())"


#: Whatever the output's shape is, it is filled; of the batch's mean of no batch by NaN, too.
_KL_DIV_OF_NOTHING = Cpp(
    "if (self.is_empty() || target.is_empty()) { "
    "if (out.is_empty() || (reduction != kMean && reduction != kSum && reduction != kBatchMean)) "
    "return; "
    "const bool none = reduction == kMean || (reduction == kBatchMean && batch_of(self) == 0); "
    "return pointwise(plan, formulas::fill, out.dtype(), out.dtype(), out, {}, "
    '{Number(none ? std::nan("") : 0.0)}); }'
)

ROWS: tuple[Row, ...] = (
    *(
        _row(
            name,
            Null((*_BOTH, "out")),
            ResultType("common", _BOTH),
            ResultTypeIn(FLOATS),
            DtypeIn(FLOATS, (*_BOTH, "out")),
            _REDUCTION,
            *_RANKS,
            *kernel,
            shape=shape,
        )
        for name, shape, kernel in (
            ("MseLoss", "loss", (_shape("out"), *_kernel("mse_loss", inputs=_PAIR))),
            # The mean or sum of this one is taken over dimension 0.
            ("MseLossOut", "loss_of_first", (
                Cpp("check.shape_is(out, reduction == kNone ? result_shape : "
                    'without_first(result_shape), "the result");'),
                Cpp(f"if ({_EMPTY}) return;"),
                *_kernel("mse_loss", inputs=_PAIR, parts="result_shape[0]")[1:],
            )),
        )
    ),
    _row(
        "L1Loss",
        Null((*_BOTH, "out")),
        _REDUCTION,
        ResultType("common", _BOTH),
        ResultTypeIn(FLOATS | dtypes("int64")),
        That(f"reduction != kNone || {_floating('self')} || !{_floating('target')}",
             "target is floating, self is not"),
        That(f"reduction != kMean || {_floating('self')} || {_floating('target')}",
             "integers have no mean"),
        Castable(("out",)),
        *_RANKS,
        _shape("out"),
        *_kernel("l1_loss", inputs=_PAIR),
        missing=("sums of int64 beyond 2^24",),
    ),
    _row(
        "SmoothL1Loss",
        Null((*_BOTH, "result")),
        DtypeIn(FLOATS, _BOTH),
        ResultType("common", _BOTH),
        Castable(("result",)),
        _REDUCTION,
        *_RANKS,
        _shape("result"),
        That("beta >= 0", "beta is %g; it must not be negative", ("double(beta)",)),
        *_kernel("smooth_l1_loss", "result", _PAIR, ("beta",)),
        out="result",
    ),
    _row(
        "SoftMarginLoss",
        Null((*_BOTH, "out")),
        DtypeIn(FLOATS, (*_BOTH, "out")),
        ResultType("common", _BOTH),
        *_RANKS,
        _shape("out"),
        *_kernel("soft_margin_loss", inputs=_PAIR),
    ),
    _row(
        "KlDiv",
        Null((*_BOTH, "out")),
        DtypeIn(FLOATS, (*_BOTH, "out")),
        ResultType("common", _BOTH),
        Castable(("out",)),
        _RANKS[0],
        _KL_DIV_OF_NOTHING,
        *_RANKS[1:],
        _shape("out", one=True),
        *_kernel("kl_div", inputs=_PAIR, scalars=("std::int64_t(logTarget)",),
                 parts="reduction == kBatchMean ? batch_of(self) : result_shape.product()",
                 # The batch's mean of no batch is NaN, too.
                 of_nothing="reduction == kBatchMean && batch_of(self) == 0 ? kMean : reduction"),
    ),
    _row(
        "BinaryCrossEntropy",
        NullInside((*_BOTH, "out")),
        DtypeIn(FLOATS, (*_BOTH, "out")),
        if_given("weight", SameDtype((*_BOTH, "weight", "out"))),
        SameShape(_BOTH),
        _REDUCTION,
        # An output of whatever shape is filled.
        Cpp("if (loss_of_nothing(plan, self.is_empty(), reduction == kNone ? kSum : reduction, "
            "out)) return;"),
        ResultType("common", _BOTH),
        ShapeOf("self"),
        _shape("out", one=True),
        *_kernel("binary_cross_entropy", inputs=(*_PAIR, _optional("weight")),
                 scalars=(_given("weight"),)),
    ),
    _row(
        "BinaryCrossEntropyWithLogits",
        Null((*_BOTH, "out")),
        DtypeIn(FLOATS, (*_BOTH, "out")),
        SameDtype(("target", "out")),
        _REDUCTION,
        RankAtMost(8, _BOTH),
        *(if_given(w, RankAtMost(8, (w,))) for w in _WEIGHTS),
        SameShape(_BOTH),
        Cpp("if (loss_of_nothing(plan, self.is_empty(), reduction, out)) return;"),
        ResultType("common", _BOTH),
        ShapeOf("self"),
        If("reduction == kNone", ShapeIs(("out",))),
        Cpp("check_inside(plan, reduction == kNone || out.elements() == 1, "
            '"out must have one element");'),
        *(if_given(w, Cpp(f"check_broadcasts_to(check, {w}, result_shape);")) for w in _WEIGHTS),
        *_kernel(
            "binary_cross_entropy_with_logits",
            inputs=(*_PAIR, *map(_optional, _WEIGHTS)), scalars=tuple(map(_given, _WEIGHTS)),
        ),
    ),
)  # fmt: skip
