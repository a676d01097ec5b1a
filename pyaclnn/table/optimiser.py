"""Steps of optimisers: one operator for what element-wise ones would take a dozen for."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .list_steps import EachTensor
from .optional_steps import If, if_given
from .row import Output, Row
from .steps import (
    Call,
    Cpp,
    Divides,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    Steps,
    That,
)

_STATE = ("varRef", "mRef", "vRef")
_STEP = dtypes("float32 int64")
_ON_NEWER = OnlyOn(("A2", "950"), inside=True)
_ON_950 = OnlyOn(("950",), inside=True)


def _one(*names: str) -> tuple[Step, ...]:
    return tuple(
        That(f"{n}.elements() == 1", f"{n} has %lld elements, it must have one",
             (f"static_cast<long long>({n}.elements())",))
        for n in names
    )  # fmt: skip


def _one_kernel(*names: str) -> tuple[Step, ...]:
    """Where the work is divided."""
    return tuple(Divides(f"{n}.elements() == 1", f"{n} must have one element") for n in names)


def _alike_kernel(*names: str) -> tuple[Step, ...]:
    first, *rest = names
    return tuple(
        Divides(f"{n}.shape() == {first}.shape()", f"{n} has another shape than {first}")
        for n in rest
    )  # fmt: skip


_LARGEST = "maxGradNormOptionalRef"
_adamw_v2 = Row(
    "ApplyAdamWV2", "optimiser",
    (
        Null(_STATE),
        If("amsgrad", Null((_LARGEST,))),
        Null(("grad", "step")),
        DtypeIn(FLOATS, _STATE),
        if_given(_LARGEST, DtypeIn(FLOATS, (_LARGEST,))),
        DtypeIn(FLOATS, ("grad",)),
        DtypeIn(_STEP, ("step",)),
        SameShape(_STATE),
        if_given(_LARGEST, SameShape(("varRef", _LARGEST))),
        SameShape(("varRef", "grad")),
        *_one("step"),
        DoneIfEmpty(("varRef",)),
        _ON_NEWER,
        Call("apply_adamw",
             f"plan {{lr, beta1, beta2, weightDecay, eps, amsgrad, maximize}} varRef mRef vRef "
             f"{_LARGEST} grad step"),
    ),
)  # fmt: skip

_NUMBERS = ("beta1Power", "beta2Power", "lr", "weightDecay", "beta1", "beta2", "eps")
_adamw = Row(
    "ApplyAdamW", "optimiser",
    (
        Null((*_STATE, *_NUMBERS, "grad")),
        If("amsgrad", Null(("maxGradNormOptional",))),
        DtypeIn(FLOATS, (*_STATE, *_NUMBERS, "grad")),
        SameDtype((*_STATE, *_NUMBERS, "grad")),
        if_given("maxGradNormOptional", SameDtype(("varRef", "maxGradNormOptional"))),
        SameShape(_STATE),
        if_given("maxGradNormOptional", SameShape(("varRef", "maxGradNormOptional"))),
        SameShape(("varRef", "grad")),
        *_one(*_NUMBERS),
        DoneIfEmpty(("varRef",)),
        _ON_950,
        Call("apply_adamw",
             "plan amsgrad maximize varRef mRef vRef maxGradNormOptional grad "
             f"{{{', '.join('&' + n for n in _NUMBERS)}}}"),
    ),
)  # fmt: skip

_ADAM_NUMBERS = ("beta1Power", "beta2Power", "lr", "beta1", "beta2", "epsilon")
_adam = Row(
    "ApplyAdam", "optimiser",
    (
        Null(("varRef", "m", "v", *_ADAM_NUMBERS, "grad")),
        _ON_950,
        DtypeIn(FLOATS, ("varRef", "m", "v", "grad")),
        SameDtype(("varRef", "m", "v", "grad")),
        DtypeIn(dtypes("float32"), _ADAM_NUMBERS),
        DoneIfEmpty(("varRef",)),
        *_alike_kernel("varRef", "m", "v", "grad"),
        *_one_kernel(*_ADAM_NUMBERS),
        Call("apply_adam",
             f"plan useNesterov varRef m v grad {{{', '.join('&' + n for n in _ADAM_NUMBERS)}}}"),
    ),
)  # fmt: skip

_EMA = ("grad", "varRef", "mRef", "vRef", "sRef")
_ema = Row(
    "ApplyFusedEmaAdam", "optimiser",
    (
        Null((*_EMA, "step")),
        _ON_NEWER,
        DtypeIn(FLOATS, _EMA),
        SameDtype(_EMA),
        DtypeIn(dtypes("int64"), ("step",)),
        DoneIfEmpty(("varRef",)),
        *_alike_kernel(*_EMA),
        # Of more than one the first counts: nobody looks at the shape.
        Divides("!step.is_empty()", "step has no elements"),
        Kernel("apply_ema_adam"),
    ),
)  # fmt: skip

_QUANTISED = ("absmaxMRef", "absmaxVRef")
_adamw_quant = Row(
    "ApplyAdamWQuant", "optimiser",
    (
        Null(("varRef", "grad", "mRef", "vRef", "qmapM", "qmapV", *_QUANTISED, "step")),
        OnlyOn(("A2",), inside=True),
        DtypeIn(FLOATS, ("varRef",)),
        SameDtype(("varRef", "grad")),
        DtypeIn(dtypes("uint8"), ("mRef", "vRef")),
        DtypeIn(dtypes("float32"), ("qmapM", "qmapV", *_QUANTISED)),
        DtypeIn(dtypes("int64"), ("step",)),
        Kernel("apply_adamw_quant"),
    ),
    missing=("moments that are no whole blocks of 256",),
)  # fmt: skip


def _not_negative(*names: str) -> tuple[Step, ...]:
    return tuple(
        That(f"!({n} < 0)", f"{n} is %g, it must not be negative", (f"double({n})",)) for n in names
    )


def _each_given(*lists: str) -> tuple[Step, ...]:
    return tuple(Call("check_tensors_given", f"check {n}") for n in lists)


def _beside(first: str, *lists: str) -> tuple[Step, ...]:
    return (
        That(f"!{first}.tensors.empty()", f"{first} has no tensor"),
        Steps((DtypeIn(FLOATS, (f"{first}.tensors.front()",)),
               Call("check_beside", f"check {first} {first}"))),
        *(Call("check_beside", f"check {first} {n}") for n in lists),
    )  # fmt: skip


_fused_adamw = Row(
    "FusedAdamw", "optimiser",
    (
        *_not_negative("lr", "beta1", "beta2", "weightDecay"),
        That("!amsgrad || maxExpAvgSqsRef.given()", "amsgrad is true without maxExpAvgSqsRef"),
        Null(("paramsRef", "grads", "expAvgsRef", "expAvgSqsRef", "stateSteps")),
        *_each_given("paramsRef", "grads", "expAvgsRef", "expAvgSqsRef", "stateSteps",
                     "maxExpAvgSqsRef"),
        *_beside("paramsRef", "grads", "expAvgsRef", "expAvgSqsRef", "maxExpAvgSqsRef"),
        That("stateSteps.tensors.size() == paramsRef.tensors.size()",
             "stateSteps and paramsRef have different numbers of tensors"),
        EachTensor("stateSteps", Steps((
            DtypeIn(_STEP, ("tensor",)),
            SameDtype(("stateSteps.tensors.front()", "tensor")),
            That("tensor.elements() == 1", "%s must have one element", ("tensor.name()",)),
        ))),
        _ON_NEWER,
        Call("fused_adamw",
             "plan {float(lr), float(beta1), float(beta2), float(weightDecay), float(eps), "
             "amsgrad, maximize} paramsRef grads expAvgsRef expAvgSqsRef maxExpAvgSqsRef "
             "stateSteps gradScaleOptional foundInfOptional"),
    ),
)  # fmt: skip

_BUFFERS = "momentumBufferListOptionalRef"
_fused_sgd = Row(
    "FusedSgd", "optimiser",
    (
        Cpp(f"const bool has_buffers = {_BUFFERS}.given() && !{_BUFFERS}.tensors.empty();"),
        *_not_negative("weightDecay", "momentum", "lr"),
        That("!nesterov || (momentum > 0 && std::fabs(dampening) < 1e-6f)",
             "nesterov needs a momentum and no dampening, they are %g and %g",
             ("double(momentum)", "double(dampening)")),
        That("has_buffers == (momentum >= 1e-6f)",
             "momentum is %g, it must be positive with buffers and 0 without",
             ("double(momentum)",)),
        Null(("paramsRef", "gradsRef")),
        *_each_given("paramsRef", "gradsRef", _BUFFERS),
        *_beside("paramsRef", "gradsRef"),
        If("has_buffers", Call("check_beside", f"check paramsRef {_BUFFERS}")),
        EachTensor("paramsRef", RankAtMost(8, ("tensor",))),
        OnlyOn(("A2",), inside=True),
        Kernel("fused_sgd"),
    ),
)  # fmt: skip

_SCALE = ("currentScale", "foundInf", "updatedScale")
_TRACKER = ("growthTracker", "updatedGrowthTracker")
_amp = Row(
    "AmpUpdateScale", "optimiser",
    (
        Null((*_SCALE, *_TRACKER)),
        _ON_NEWER,
        DtypeIn(FLOATS, _SCALE),
        SameDtype(_SCALE),
        DtypeIn(dtypes("int32"), _TRACKER),
        *_one_kernel(*_SCALE, *_TRACKER),
        Divides("growthInterval >= 1 && growthInterval <= INT32_MAX",
                "growthInterval is %lld, it must be positive and fit an int32",
                ("static_cast<long long>(growthInterval)",)),
        Kernel("update_scale"),
    ),
    {
        "updatedScale": Output("like currentScale", "same currentScale"),
        "updatedGrowthTracker": Output("like growthTracker", "same growthTracker"),
    },
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    _adamw_v2,
    _adamw,
    _adam,
    _ema,
    _adamw_quant,
    _fused_adamw,
    _fused_sgd,
    _amp,
)
