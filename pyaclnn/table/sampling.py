"""Random numbers that are not drawn element by element: samples, and streams of threads."""

from __future__ import annotations

from .dtypes import BOOL, FLOATS, FLOATS_DOUBLE, INTEGERS, dtypes
from .format_steps import KeepsFormat
from .optional_steps import If
from .random_numbers import (
    BY_VALUE,
    HAS_GENERATOR,
    IN_TENSORS,
    SEEDS,
    STREAM,
    mask_fits,
    probability,
)
from .row import Output, Row
from .steps import (
    LATE_950,
    Call,
    Castable,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    Null,
    OnlyOn,
    RankAtMost,
    ResultType,
    SameShape,
    Step,
    That,
)

_SELF = ("selfRef",)
_ON_950 = OnlyOn(("950",), late=True)


def _multinomial(name: str, first: tuple[Step, ...], seeds: Step) -> Row:
    return Row(
        name, "random",
        (
            Null(("self", "out")),
            *first,
            DtypeIn(FLOATS_DOUBLE, ("self",)),
            DtypeIn(dtypes("int64"), ("out",)),
            Call("check_samples", "check self numsamples replacement out"),
            *((SEEDS,) if first else ()),
            DoneIfEmpty(("self",)),
            seeds,
            # The kernel for few weights, and that of chips without bfloat16.
            If("!chip().has_bf16() || self.elements() <= 5000",
               KeepsFormat("self", ("out",), as_null=True)),
            Call("sample_categories", "plan self numsamples replacement seeds out"),
        ),
        {"out": Output("drawn_places self numsamples", "int64")},
        missing=(STREAM, "of at most 5,000 weights the samples of CANN's kernel for the CPU, "
                         "whose rule is not public: those of more weights instead"),
    )  # fmt: skip


def _all_integers(name: str, more: tuple[Step, ...], seeds: Step) -> Row:
    """Make the row of integers up to the largest of a type."""
    return Row(
        name, "random",
        (
            Null(_SELF),
            DtypeIn(INTEGERS | FLOATS | BOOL | dtypes("float64"), _SELF),
            RankAtMost(8, _SELF),
            DoneIfEmpty(_SELF),
            *more,
            _ON_950,
            seeds,
            Call("fill_all_integers", "plan selfRef seeds"),
        ),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _multinomial("Multinomial", (), BY_VALUE),
    _multinomial("MultinomialTensor", (HAS_GENERATOR,), IN_TENSORS),
    _all_integers("InplaceRandomWithoutFromTo", (), BY_VALUE),
    _all_integers(
        "InplaceRandomWithoutFromToTensor",
        (SEEDS, DtypeIn(dtypes("int64"), ("seedTensor", "offsetTensor"))), IN_TENSORS,
    ),
    Row(
        "DropoutV3", "random",
        (
            Null(("input", "out", "maskOut")),
            ResultType("same", ("input",)),
            Castable(("out",)),
            DtypeIn(FLOATS, ("input",)),
            DtypeIn(dtypes("uint8"), ("maskOut",)),
            That("!optionalNoiseShape.given()", "optionalNoiseShape must be null"),
            probability("p"),
            RankAtMost(8, ("input",)),
            SameShape(("input", "out")),
            mask_fits("maskOut", "input"),
            DoneIfEmpty(("input",)),
            _ON_950,
            Kernel("drop_out_by_threads"),
        ),
        {"out": Output("like input", "same input"), "maskOut": Output("mask_of input", "uint8")},
    ),
    Row(
        "SimThreadExponential", "random",
        (
            Null(_SELF),
            DtypeIn(FLOATS, _SELF),
            RankAtMost(8, _SELF),
            That("lambda > 0", "lambda is %g, it must be above 0", ("double(lambda)",)),
            OnlyOn(("A2", LATE_950), inside=True),
            Call("check_count", "plan selfRef count"),
            DoneIfEmpty(_SELF),
            Call("fill_exponential", "plan selfRef lambda seed offset"),
        ),
    ),
)  # fmt: skip
