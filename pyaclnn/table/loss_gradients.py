"""Gradients of losses."""

from __future__ import annotations

from .dtypes import FLOATS, FLOATS_NOT_950, Dtypes, dtypes
from .optional_steps import If, if_given, on_a2_and_950_since
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    Call,
    Castable,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    HasShape,
    Inside,
    Kernel,
    Null,
    RankAtMost,
    ResultType,
    SameDtype,
    SameShape,
    Stage,
    Step,
    That,
)

_FAMILY = "loss"
_GRAD, _BOTH = "gradOutput", ("self", "target")
_INPUTS = (_GRAD, *_BOTH)
_SMOOTH = ("gradOut", *_BOTH)
_REDUCTION = Call("check_reduction", "check reduction")
_SELF_SCALE = Call("loss_scale", "reduction self.elements()", "scale")
_WHOLE_SCALE = Call("loss_scale", "reduction result_shape.product()", "scale")


def _broadcast(*names: str, out: str = "out") -> tuple[Step, ...]:
    """Return the steps of operands, named as CANN broadcasts them, that have one shape with out."""
    grad = next(name for name in names if name not in _BOTH)
    return (
        Call("broadcast_all", f"check {' '.join(names)}", "result_shape"),
        HasShape(out, "result_shape", f"the broadcast shape of {grad}, self and target"),
    )  # fmt: skip


def _kernel(
    formula: str, scale: Step, *more: str, grad: str = _GRAD, out: str = "out",
    computed_in: str = "result_type",
) -> tuple[Step, Step]:  # fmt: skip
    call = f"{{{grad}, self, target, {out}, {computed_in}, scale}}"
    return scale, Call(f"{formula}_gradient", " ".join(("plan", call, *more)))


def _pair(name: str, *steps: Step, out: str = "out", grad: str = _GRAD) -> Row:
    """Row of a gradient by self, where everything broadcasts."""
    names = f"{grad} self target"
    return Row(
        name, _FAMILY, (Null((*names.split(), out)), *steps),
        {out: Output(f"broadcast {names}", f"same_or_float32 {names}")},
    )  # fmt: skip


def _kl_div(
    name: str, out: str, like: str, formula: str, types: Step, *formats: Step,
) -> Row:  # fmt: skip
    return Row(
        name, _FAMILY,
        (
            Null((*_INPUTS, out)),
            ResultType("same", ("self",)),
            Castable((out,)),
            types,
            *((SameDtype((like, out)),) if like != "self" else ()),
            RankAtMost(8, (*_INPUTS, out)),
            Call("check.broadcast", "self target", "result_shape"),
            Cpp("check_broadcasts_to(check, gradOutput, result_shape, "
                '"the broadcast shape of self and target");'),
            SameShape((like, out)),
            *formats,
            DoneIfEmpty(("self",)),
            # Computed in float32 whatever the element types.
            *_kernel(formula, Call("kl_div_scale", "reduction result_shape", "scale"),
                     "result_shape", "logTarget", out=out, computed_in="ACL_FLOAT"),
        ),
        {out: Output(f"like {like}", f"same {like}")},
    )  # fmt: skip


_WEIGHTS = ("weightOptional", "posWeightOptional")


def _addresses(*names: str) -> str:
    return ", ".join("&" + n for n in names)


def _cross_entropy(
    name: str, formula: str, weights: tuple[str, ...], types: tuple[Step, ...],
    alike: tuple[str, ...], fitting: tuple[str, ...], *last: Step,
) -> Row:  # fmt: skip
    """Row of a binary cross entropy; ``alike`` have one shape, the output last."""
    out = alike[-1]
    return Row(
        name, _FAMILY,
        (
            Null((*_INPUTS, out)),
            RankAtMost(8, _INPUTS),
            *(if_given(w, RankAtMost(8, (w,))) for w in weights),
            RankAtMost(8, (out,)),
            *types,
            If("!self.is_empty()", SameShape(alike)),
            # Where self is empty CANN does not look.
            Call("check_fit_self", f"check self {{{_addresses(*fitting)}}}"),
            _REDUCTION,
            DoneIfEmpty(("self",)),
            Call("common_of_given", f"{{{_addresses(*_INPUTS, *weights)}}}", "result_type"),
            *last,
            *_kernel(formula, _SELF_SCALE, *weights, out=out),
        ),
        {out: Output(f"like {alike[-2]}", f"same {alike[-2]}")},
        missing=("private formats",),
    )  # fmt: skip


def _with_logits(name: str, out: str, accepted: Dtypes, formula: str, *last: Step) -> Row:
    return _cross_entropy(
        name, formula, _WEIGHTS,
        (
            DtypeIn(accepted, _INPUTS),
            *(if_given(w, DtypeIn(accepted, (w,))) for w in _WEIGHTS),
            DtypeIn(accepted, (out,)),
            SameDtype(("target", out)),
            Formats((*_BOTH, out)),
        ),
        (*_BOTH, out), (_GRAD, *_WEIGHTS), *last,
    )  # fmt: skip


def _nll_loss(name: str, check: str, kernel: str, *out: Step) -> Row:
    inputs = ("gradOutput", "self", "target", "weight", "totalWeight")
    return Row(
        name, _FAMILY,
        (
            Null((*inputs, "out")),
            SameDtype(("self", "weight", "gradOutput", "totalWeight")),
            *out,
            DtypeIn(FLOATS, ("self",)),
            DtypeIn(dtypes("int64 uint8 int32"), ("target",)),
            _REDUCTION,
            Kernel(check, of="NLLLossBackward"),
            SameShape(("self", "out")),
            DoneIfEmpty(("self",)),
            Kernel(kernel, of="NLLLossBackward"),
        ),
        {"out": Output("like self", "same self")},
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _pair(
        "MseLossBackward",
        SameDtype(("self", "gradOutput", "target")),
        DtypeIn(FLOATS, ("self", "out")),
        _REDUCTION,
        RankAtMost(8, _INPUTS),
        *_broadcast(*_INPUTS),
        DoneIfEmpty(_INPUTS),
        ResultType("same", ("self",)),
        Stage(_INPUTS, "out", spreads=False),
        *_kernel("mse_loss", _SELF_SCALE),
    ),
    _pair(
        "L1LossBackward",
        _REDUCTION,
        Call("promoted", "check gradOutput self target", "result_type"),
        Castable(("gradInput",)),
        That("loss_dtypes().contains(result_type)",
             "gradOutput, self and target have element type %d in common; it must be one of %s",
             ("int(result_type)", "loss_dtypes().text().c_str()")),
        RankAtMost(8, ("self", "target", "gradOutput", "gradInput")),
        *_broadcast("self", "gradOutput", "target", out="gradInput"),
        DoneIfEmpty(_INPUTS),
        Stage(_INPUTS, "gradInput"),
        *_kernel("l1_loss", _WHOLE_SCALE, out="gradInput"),
        out="gradInput",
    ),
    _pair(
        "SmoothL1LossBackward",
        DtypeIn(FLOATS, (*_SMOOTH, "gradInput")),
        RankAtMost(8, _SMOOTH),
        _REDUCTION,
        That("beta >= 0", "beta is %g, it must not be below 0", ("double(beta)",)),
        ResultType("common", _SMOOTH),
        *_broadcast(*_SMOOTH, out="gradInput"),
        DoneIfEmpty(_SMOOTH),
        *_kernel("smooth_l1_loss", _SELF_SCALE, "beta", grad="gradOut", out="gradInput"),
        out="gradInput", grad="gradOut",
    ),
    _pair(
        "SoftMarginLossBackward",
        DtypeIn(FLOATS_NOT_950, (*_INPUTS, "out")),
        RankAtMost(8, _INPUTS),
        *_broadcast(*_INPUTS),
        # CANN does not check it and reads beyond a table.
        _REDUCTION,
        DoneIfEmpty(("self",)),
        ResultType("common", _INPUTS),
        Stage(_INPUTS, "out", cast_first=True),
        *_kernel("soft_margin_loss", _WHOLE_SCALE),
    ),
    _kl_div("KlDivBackward", "out", "self", "kl_div", DtypeIn(FLOATS, (*_INPUTS, "out"))),
    _kl_div(
        "KlDivTargetBackward", "gradTarget", "target", "kl_div_target",
        # A2 and A3 have this operator, and the 950 since 9.1.
        on_a2_and_950_since(
            "9.1", DtypeIn(FLOATS, (*_INPUTS, "gradTarget")),
            DtypeIn(Dtypes(()), (*_INPUTS, "gradTarget")),
        ),
        Formats((*_INPUTS, "gradTarget")),
    ),
    _cross_entropy(
        "BinaryCrossEntropyBackward", "binary_cross_entropy", _WEIGHTS[:1],
        (
            DtypeIn(FLOATS, ("self", "gradOutput", "target", "out")),
            if_given("weightOptional", DtypeIn(FLOATS, ("weightOptional",))),
            Formats((*_BOTH, "weightOptional")),
        ),
        ("self", "out"), ("target", "weightOptional", _GRAD),
    ),
    _with_logits("BinaryCrossEntropyWithLogitsBackward", "out", FLOATS,
                 "binary_cross_entropy_with_logits"),
    _with_logits(
        "BinaryCrossEntropyWithLogitsTargetBackward", "gradTarget",
        # CANN's comparison of chips holds for all of them.
        dtypes("float32 float16 bfloat16"), "binary_cross_entropy_with_logits_target",
        Inside("result_type != ACL_BF16 || chip().has_bf16()", "%s has no kernel for bfloat16",
               ("chip().name",)),
    ),
    _nll_loss(
        "NLLLossBackward", "check_nll_loss_gradient", "nll_loss_gradient",
        ResultType("same", ("self",)), Castable(("out",)),
    ),
    _nll_loss("NLLLoss2dBackward", "check_nll_loss2d_gradient", "nll_loss2d_gradient",
        SameDtype(("self", "out"))),
    Row(
        "CtcLossBackward", _FAMILY,
        (
            Null(("gradOut", "logProbs", "targets", "inputLengths", "targetLengths",
                  "negLogLikelihood", "logAlpha", "out")),
            Kernel("check_ctc_loss_gradient"),
            DtypeIn(dtypes("float32 float64", "float16 bfloat16"), ("logProbs",)),
            Kernel("check_ctc_loss_size"),
            SameDtype(("logProbs", "gradOut", "negLogLikelihood", "logAlpha", "out")),
            DtypeIn(dtypes("int32 int64 bool float32 float16"), ("targets",)),
            DoneIf("logProbs.shape()[1] == 0"),
            Kernel("ctc_loss_gradient"),
        ),
        {"out": Output("like logProbs", "same logProbs")},
    ),
    Row(
        "CrossEntropyLossGrad", _FAMILY,
        (
            Null(("gradLoss", "logProb", "target", "out")),
            Call("check_cross_entropy_kernel", "plan"),
            DtypeIn(FLOATS, ("gradLoss", "logProb")),
            SameDtype(("gradLoss", "logProb", "out")),
            If("has_950_kernels()", DtypeIn(Dtypes(("int64", "int32")), ("target",)),
               DtypeIn(Dtypes(("int64",)), ("target",))),
            Formats(("gradLoss", "logProb", "target", "out")),
            if_given("weightOptional", DtypeIn(dtypes("float32"), ("weightOptional",))),
            *(if_given(n, SameDtype(("gradLoss", n)))
              for n in ("gradZlossOptional", "lseForZlossOptional")),
            Kernel("check_cross_entropy_gradient"),
            DoneIfEmpty(("logProb",)),
            Kernel("cross_entropy_gradient"),
        ),
        {"out": Output("like logProb", "same logProb")},
    ),
)  # fmt: skip
