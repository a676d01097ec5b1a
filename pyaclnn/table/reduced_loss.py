"""Losses that are element-wise before their mean or sum is taken.

Sources are the files of these names under ``loss`` of CANN 9.0's ops-nn, and the documents.
"""

from __future__ import annotations

from dataclasses import dataclass

from .dtypes import FLOATS, dtypes
from .optional_steps import If, Since, if_given
from .row import Output, Row
from .steps import (
    Broadcast,
    Call,
    Castable,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    HasShape,
    Inside,
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
_REDUCTION = Call("check_reduction", "check reduction")
_EMPTY = "self.is_empty() || target.is_empty()"
_LIKE_SELF = Inside(
    "out.dtype() == self.dtype()", "out is %s, and self %s",
    ("dtype_name(out.dtype())", "dtype_name(self.dtype())"),
)  # fmt: skip


def _shape(out: str, *, one: bool = False, or_one: bool = False) -> Step:
    """Step of the output's shape; with ``one`` a mean or sum may be a list of one.

    With ``or_one`` a loss alone may be, or the reverse.
    """
    whole = f"{out}.elements() == 1" if one else f"{out}.rank() == 0"
    words = f"{out} must have one element" if one else f"{out} must have no dimensions"
    return If("reduction == kNone", ShapeIs((out,), or_one), That(whole, words))


@dataclass(frozen=True)
class Loss:
    """The kernel: the terms of a formula, their mean or their sum.

    Attributes
    ----------
    formula : str
        As that of ``Pointwise``.
    scalars : tuple of str
        Its numbers, in C++.
    optional : tuple of str
        Its operands behind self and target, each with a number that says whether it is given.
    out : str
        Where the result goes.
    parts : str
        What the mean is divided by, in C++.
    """

    formula: str
    scalars: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    out: str = "out"
    parts: str = "result_shape.product()"

    def cpp(self) -> str:  # noqa: D102
        inputs = ", ".join(("&self", "&target", *(f"given_or({n}, self)" for n in self.optional)))
        given = (f"std::int64_t({n}.given())" for n in self.optional)
        numbers = "".join(f"Number({n}), " for n in (*self.scalars, *given))
        return (
            f"loss(plan, formulas::{self.formula}, result_type, reduction, {self.out}, "
            f"result_shape, {{{inputs}}}, {{{numbers}loss_factor(reduction, {self.parts})}});"
        )


def _done_of_nothing(out: str = "out", reduction: str = "reduction") -> Step:
    return DoneIf(f"loss_of_nothing(plan, {_EMPTY}, {reduction}, {out})")


def _floating(name: str) -> str:
    return f"{dtypes('float32 float16 bfloat16 float64').cpp()}.contains({name}.dtype())"


_RANKS: tuple[Step, ...] = (RankAtMost(8, _BOTH), Broadcast(_BOTH))


def _row(
    name: str, *steps: Step, out: str = "out", shape: str = "loss", missing: tuple[str, ...] = ()
) -> Row:
    return Row(
        name, "loss", steps, {out: Output(f"{shape} self target reduction", "common self target")},
        missing=missing,
    )  # fmt: skip


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
            ("MseLoss", "loss", (_shape("out"), _done_of_nothing(), Loss("mse_loss"))),
            # The mean or sum of this one is taken over dimension 0.
            ("MseLossOut", "loss_of_first", (
                If("reduction == kNone", ShapeIs(("out",)),
                   HasShape("out", "without_first(result_shape)", "the result")),
                DoneIfEmpty(_BOTH),
                Loss("mse_loss", parts="result_shape[0]"),
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
        _done_of_nothing(),
        Loss("l1_loss"),
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
        _done_of_nothing("result"),
        Loss("smooth_l1_loss", ("beta",), out="result"),
        out="result",
    ),
    _row(
        "SoftMarginLoss",
        Null((*_BOTH, "out")),
        DtypeIn(FLOATS, (*_BOTH, "out")),
        ResultType("common", _BOTH),
        *_RANKS,
        _shape("out"),
        _done_of_nothing(),
        Loss("soft_margin_loss"),
    ),
    _row(
        "KlDiv",
        Null((*_BOTH, "out")),
        DtypeIn(FLOATS, (*_BOTH, "out")),
        ResultType("common", _BOTH),
        Castable(("out",)),
        _RANKS[0],
        Since("9.1", That("reduction >= 0 && reduction <= 3", "reduction is %lld, it must be from "
                          "0 to 3", ("static_cast<long long>(reduction)",))),
        # Whatever the output's shape is, it is filled.
        DoneIf("kl_div_of_nothing(plan, self, target, reduction, out)"),
        *_RANKS[1:],
        _shape("out", one=True),
        _done_of_nothing(reduction="kl_div_reduction(self, reduction)"),
        Loss("kl_div", ("std::int64_t(logTarget)",),
             parts="kl_div_parts(self, reduction, result_shape)"),
    ),
    _row(
        "BinaryCrossEntropy",
        NullInside((*_BOTH, "out")),
        DtypeIn(FLOATS, (*_BOTH, "out")),
        if_given("weight", SameDtype((*_BOTH, "weight", "out"))),
        SameShape(_BOTH),
        _REDUCTION,
        # An output of whatever shape is filled, and none is cast.
        If("self.is_empty()", _LIKE_SELF),
        DoneIf("filled_loss_of_nothing(plan, self, reduction, out)"),
        Inside("target.dtype() == self.dtype()", "there is no kernel for a target of %s beside %s",
               ("dtype_name(target.dtype())", "dtype_name(self.dtype())")),
        if_given("weight", Inside(
            "weight.shape() == self.shape() || both_one(weight.shape(), self.shape())",
            "weight has shape %s, and self %s",
            ("weight.shape().text().c_str()", "self.shape().text().c_str()"),
        )),
        ResultType("same", ("self",)),
        ShapeOf("self"),
        _shape("out", one=True, or_one=True),
        _LIKE_SELF,
        _done_of_nothing(),
        Loss("binary_cross_entropy", optional=("weight",)),
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
        DoneIf("loss_of_nothing(plan, self.is_empty(), reduction, out)"),
        ResultType("common", _BOTH),
        ShapeOf("self"),
        If("reduction == kNone", ShapeIs(("out",))),
        Inside("reduction == kNone || out.elements() == 1", "out must have one element"),
        *(if_given(w, Call("check_broadcasts_to", f"check {w} result_shape")) for w in _WEIGHTS),
        _done_of_nothing(),
        Loss("binary_cross_entropy_with_logits", optional=_WEIGHTS),
    ),
)  # fmt: skip
