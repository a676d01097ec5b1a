"""Gradients of normalisations of channels, and of groups of them."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .norm_steps import (
    FAMILY,
    MASK_OF_THREE,
    Rank,
    each,
    has_elements,
    masked,
    none_wanted,
    not_empty,
    number,
    shape_of,
    when,
    zero,
)
from .optional_steps import If, if_given
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    LATE_950,
    Call,
    Cpp,
    Divides,
    DoneIfEmpty,
    DtypeIn,
    HasShape,
    Kernel,
    Null,
    On950,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    That,
    ThatGiven,
)

_PAIR = ("gradOut", "input")

# Of each group of channels.

_OF_GROUPS = masked("gradInput", "gradGammaOut", "gradBetaOut")
_SWISH = ("dy", "mean", "rstd", "x", "gamma", "beta")
_CHANNEL_COUNT = "dy.shape()[1]"
_OF_SWISH = ("dxOut", "dgammaOut", "dbetaOut")


def _affine(name: str) -> Step:
    return If("on_950()", SameDtype(("mean", name)), SameDtype(("gradOut", name)))


def _shaped_as_gamma(out: str) -> Step:
    words = "the shape of gamma"
    return If("gamma.given()", HasShape(out, "gamma.shape()", words),
              HasShape(out, "Dims{C}", words))  # fmt: skip


_NOTHING = "(gradOut.is_empty() || input.is_empty())"

_GROUP_NORM = (
    # With groups of C / group channels, xhat = (input - mean) rstd and g = gradOut gamma:
    #   gradInput = rstd (g - mean(g) - xhat mean(g xhat)) over each group of each sample;
    #   gradGammaOut = sum(gradOut xhat) and gradBetaOut = sum(gradOut) over each channel.
    Row(
        "GroupNormBackward", FAMILY,
        (
            Null(("gradOut", "input", "mean", "rstd")),
            # CANN answers a missing mask or output with the code for an invalid argument.
            That("outputMask.given()", "outputMask is null"),
            MASK_OF_THREE,
            *each(
                _OF_GROUPS,
                lambda out: That(f"{out}.given()", f"{out} is null, outputMask asks for it"),
            ),
            # Every operand has the type of gradOut; on the 950 the statistics and gamma may be
            # float32.
            DtypeIn(FLOATS, ("gradOut",)),
            On950(DtypeIn(FLOATS, ("mean",))),
            SameDtype(_PAIR),
            On950(If(_OF_GROUPS["gradInput"], SameDtype(("gradOut", "gradInput")))),
            If("!on_950() || mean.dtype() != ACL_FLOAT", SameDtype(("gradOut", "mean"))),
            _affine("rstd"),
            if_given("gamma", _affine("gamma")),
            If(f"!on_950() && {_OF_GROUPS['gradInput']}", SameDtype(("gradOut", "gradInput"))),
            *each(_OF_GROUPS, _affine, first=1),
            That("group > 0", "group is %lld, it must be positive", (number("group"),)),
            That("C % group == 0", "C is %lld, it must be a multiple of group, %lld",
                 (number("C"), number("group"))),
            That("!on_a2_or_a3() || C / group <= 8000",
                 "C / group is %lld, at most 8000 are allowed", (number("C / group"),)),
            That("!on_a2_or_a3() || C <= 240000", "C is %lld, at most 240000 are allowed",
                 (number("C"),)),
            RankAtMost(8, ("gradOut",)),
            *has_elements(That, "Count(N.value) * C.value * HxW.value", *_PAIR, why=" (N C HxW)"),
            *has_elements(That, "Count(N.value) * group.value", "mean", "rstd", why=" (N group)"),
            *(if_given("gamma", s) for s in has_elements(That, "C", "gamma", why=" (C)")),
            If(_OF_GROUPS["gradInput"], SameShape(("input", "gradInput"))),
            *each(_OF_GROUPS, _shaped_as_gamma, first=1),
            # The sums of nothing are written on the 950 only.
            *(If(f"{_NOTHING} && on_950() && C != 0", s) for s in each(_OF_GROUPS, zero, first=1)),
            DoneIfEmpty(("gradOut", "input")),
            Kernel("group_norm_backward"),
        ),
        {
            "gradInput": Output("wanted_first outputMask input", "same input"),
            "gradGammaOut": Output("wanted_group_weight outputMask gamma C", "same mean"),
            "gradBetaOut": Output("wanted_group_bias outputMask gamma C", "same mean"),
        },
    ),
    # The same behind y = xhat gamma + beta and out = y sigmoid(swishScale y).
    Row(
        "GroupNormSwishGrad", FAMILY,
        (
            Null((*_SWISH, *_OF_SWISH)),
            OnlyOn(("A2", LATE_950), inside=True),
            DtypeIn(FLOATS, ("dy",)),
            SameDtype((*_SWISH, *_OF_SWISH)),
            Formats((*_SWISH, *_OF_SWISH)),
            Rank(("dy",), "2", "8"),
            not_empty("dy"),
            Divides("numGroups > 0", "numGroups is %lld, it must be positive",
                    (number("numGroups"),)),
            Divides(f"{_CHANNEL_COUNT} % numGroups == 0", "%lld channels do not make %lld groups",
                    (number(_CHANNEL_COUNT), number("numGroups"))),
            Divides(f"{_CHANNEL_COUNT} / numGroups <= 4000",
                    "groups have %lld channels, at most 4000",
                    (number(f"{_CHANNEL_COUNT} / numGroups"),)),
            *has_elements(Divides, "Count(dy.shape()[0]) * numGroups.value", "mean", "rstd"),
            *has_elements(Divides, "dy.elements()", "x"),
            *has_elements(Divides, _CHANNEL_COUNT, "gamma", "beta"),
            *has_elements(Divides, "dy.elements()", "dxOut"),
            *has_elements(Divides, _CHANNEL_COUNT, "dgammaOut", "dbetaOut"),
            Kernel("group_norm_swish_grad"),
        ),
        {
            "dxOut": Output("like x", "same x"),
            "dgammaOut": Output("like gamma", "same gamma"),
            "dbetaOut": Output("like beta", "same beta"),
        },
    ),
)  # fmt: skip

# Of each channel: whole, and in parts of several devices.

_MASKED = masked("gradInput", "gradWeight", "gradBias")
_OF_CHANNELS = ("weight", "runningMean", "runningVar", "saveMean", "saveInvstd")


def _at_least_two(name: str) -> Step:
    return That(f"{name}.rank() >= 2", f"{name} has %zu dimensions, it must have 2 at least",
                (f"{name}.rank()",))  # fmt: skip


def _one_for_each_channel(name: str) -> Step:
    return HasShape(name, "per_channel", "a value for each channel")


def _like(reference: str, name: str) -> Step:
    """Return the step of a tensor that has another's type, or float32, where both are given."""
    return If(
        f"{reference}.given() && {name}.given() && {name}.dtype() != ACL_FLOAT",
        SameDtype((reference, name)),
    )


def _pair(reference: str, name: str) -> Step:
    return If(f"{reference}.given() && {name}.given()", SameDtype((reference, name)))


def _batch_norm(name: str, *, fast: bool, missing: tuple[str, ...] = ()) -> Row:
    """Make the row of a gradient of batch normalisation.

    From the 950 on, the statistic saved beside the mean is 1 / sqrt(variance + eps). On the chips
    before, and in the fast operator on all of them, it is the variance, whatever its name says:
    that is what the forward operator writes there.
    """
    axis = "1" if fast else "batch_norm_axis(input)"
    function = "fast_batch_norm_backward" if fast else "batch_norm_backward"

    def of_950(*steps: Step) -> tuple[Step, ...]:
        return () if fast else tuple(On950(step) for step in steps)

    return Row(
        name, FAMILY,
        (
            Null(_PAIR),
            # Empty tensors are not looked at any further.
            DoneIfEmpty(("input", "gradOut")),
            # CANN answers both with the code for a null pointer.
            Null(("outputMask",)),
            ThatGiven("!outputMask.values().empty()", "the first element of outputMask"),
            *of_950(ThatGiven("outputMask.values().size() == 3",
                              "one of outputMask's 3 elements")),
            That("outputMask.values().size() >= 3", MASK_OF_THREE.message, MASK_OF_THREE.arguments),
            *each(_MASKED, lambda out: Null((out,))),
            DtypeIn(FLOATS, _PAIR),
            SameDtype(_PAIR),
            *each(_MASKED, lambda out: DtypeIn(FLOATS, (out,))),
            *(if_given(tensor, DtypeIn(FLOATS, (tensor,))) for tensor in _OF_CHANNELS),
            *of_950(
                *(_like("gradOut", tensor) for tensor in _OF_CHANNELS[:3]),
                _pair("runningVar", "runningMean"),
                *(_like("gradOut", tensor) for tensor in _OF_CHANNELS[3:]),
                _pair("saveMean", "saveInvstd"),
                If(_MASKED["gradInput"], SameDtype(("gradOut", "gradInput"))),
                *each(_MASKED, lambda out: _like("weight", out), first=1),
                _pair("gradBias", "gradWeight"),
            ),
            If(_MASKED["gradInput"], Formats((*_PAIR, "gradInput"))),
            If(f"!({_MASKED['gradInput']})", Formats(_PAIR)),
            *(s for t in ("input", "gradOut") for s in (RankAtMost(8, (t,)), _at_least_two(t))),
            SameShape(("input", "gradOut")),
            when(
                _MASKED["gradInput"], RankAtMost(8, ("gradInput",)), _at_least_two("gradInput"),
                SameShape(("gradOut", "gradInput")),
            ),
            Cpp(f"const Dims per_channel{{input.shape()[{axis}]}};"),
            *(if_given(tensor, _one_for_each_channel(tensor)) for tensor in _OF_CHANNELS[:3]),
            *of_950(
                *(
                    If(f"{t}.given() && (training || {t}.shape() != Dims{{0}})",
                       _one_for_each_channel(t))
                    for t in ("saveMean", "saveInvstd")
                ),
                *each(_MASKED, _one_for_each_channel, first=1),
                # Other chips, and the fast operator, prepare the kernel also where nothing is
                # wanted.
                none_wanted(_MASKED),
            ),
            Kernel(function, of="FastBatchNormBackward"),
        ),
        {
            "gradInput": Output("wanted_first outputMask input", "same input"),
            "gradWeight": Output("wanted_scales outputMask input", "first_given weight input"),
            "gradBias": Output("wanted_channels outputMask input", "first_given weight input"),
        },
        missing=missing,
    )  # fmt: skip


_SUMS = {"sumDy": "inputG", "sumDyXmu": "inputG", "gradWeight": "weightG", "gradBias": "biasG"}
_STATISTICS = ("mean", "invstd")
_NO_SUMS = f"({' || '.join(f'{t}.is_empty()' for t in (*_PAIR, *_STATISTICS))})"
_HAS_CHANNELS = That(
    "input.shape()[1] != 0", "input has no channels: %s", (shape_of("input"),)
)  # fmt: skip
_CHANNELS = Cpp("const Dims per_channel{input.shape()[1]};")

_BATCH_NORM = (
    _batch_norm(
        "BatchNormBackward", fast=False,
        missing=("channels-last formats on the 950, which tensors of Python cannot have",),
    ),
    # The same; version is not used.
    _batch_norm("FastBatchNormBackward", fast=True),
    Row(
        "BatchNormReduceBackward", FAMILY,
        (
            Null((*_PAIR, *_STATISTICS)),
            *each(_SUMS, lambda out: Null((out,))),
            DtypeIn(FLOATS, (*_PAIR, *_STATISTICS)),
            SameDtype(("input", "gradOut")),
            *each(_SUMS, lambda out: DtypeIn(FLOATS, (out,))),
            Formats((*_PAIR, *_STATISTICS)),
            *each(_SUMS, lambda out: Formats((out,))),
            *(s for t in _PAIR for s in (_at_least_two(t), RankAtMost(8, (t,)))),
            _HAS_CHANNELS,
            _CHANNELS,
            *each(_SUMS, _one_for_each_channel),
            # Only the 950 writes the sums of nothing.
            *(
                when(f"{_NO_SUMS} && on_950() && {wanted}",
                     Call("stage_result", f"plan ACL_FLOAT {out}"), zero(out))
                for out, wanted in _SUMS.items()
            ),
            DoneIfEmpty((*_PAIR, *_STATISTICS)),
            Call("require_shape", "plan gradOut input.shape()"),
            *(Call("require_shape", f"plan {tensor} per_channel") for tensor in _STATISTICS),
            Kernel("batch_norm_reduce_backward"),
        ),
        {out: Output(f"channels_if input {flag}", "same mean") for out, flag in _SUMS.items()},
    ),
    Row(
        "BatchNormElemtBackward", FAMILY,
        (
            Null((*_PAIR, *_STATISTICS, "sumDy", "sumDyXmu", "counter", "gradInput")),
            DtypeIn(FLOATS, (*_PAIR, *_STATISTICS)),
            if_given("weight", DtypeIn(FLOATS, ("weight",))),
            DtypeIn(FLOATS, ("sumDy", "sumDyXmu")),
            DtypeIn(dtypes("float32 float16 int32"), ("counter",)),
            DtypeIn(FLOATS, ("gradInput",)),
            Formats((*_PAIR, "gradInput")),
            _at_least_two("input"),
            RankAtMost(8, ("input", "gradOut", "gradInput", "counter")),
            _HAS_CHANNELS,
            SameShape(("input", "gradOut", "gradInput")),
            _CHANNELS,
            *(_one_for_each_channel(tensor) for tensor in _STATISTICS),
            if_given("weight", _one_for_each_channel("weight")),
            *(_one_for_each_channel(tensor) for tensor in ("sumDy", "sumDyXmu")),
            DoneIfEmpty(("input",)),
            Kernel("batch_norm_elemt_backward"),
        ),
        {"gradInput": Output("like input", "same input")},
    ),
)  # fmt: skip

ROWS: tuple[Row, ...] = (*_GROUP_NORM, *_BATCH_NORM)
