"""Losses."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .row import Output, Row
from .steps import Call, Castable, DoneIf, DtypeIn, Kernel, Null, ResultType, SameDtype, That

ROWS: tuple[Row, ...] = (
    Row(
        "NLLLoss", "loss",
        (
            Null(("self", "target", "weight", "out", "totalWeightOut")),
            SameDtype(("self", "weight")),
            ResultType("same", ("self",)),
            Castable(("out", "totalWeightOut")),
            DtypeIn(FLOATS, ("self",)),
            DtypeIn(dtypes("int64 uint8 int32"), ("target",)),
            That("reduction >= 0 && reduction <= 2", "reduction is %lld; it must be 0, 1 or 2",
                 ("static_cast<long long>(reduction)",)),
            Call("check_nll_loss", "check self target weight reduction out totalWeightOut"),
            DoneIf("self.is_empty() && reduction == 0"),
            Kernel("nll_loss"),
        ),
        {
            "out": Output("nll_loss target reduction", "same self"),
            "totalWeightOut": Output("one", "same self"),
        },
    ),
    Row(
        "CrossEntropyLoss", "loss",
        (
            Null(("input", "target", "lossOut", "logProbOut", "zlossOut", "lseForZlossOut")),
            Kernel("cross_entropy_loss"),
        ),
        {
            "lossOut": Output("loss_of_rows input reductionOptional", "same input"),
            "logProbOut": Output("like input", "same input"),
            "zlossOut": Output("loss_of_rows input reductionOptional", "same input"),
            "lseForZlossOut": Output("like target", "same input"),
        },
        missing=("the z-loss, which CANN's kernels do not compute either",),
    ),
    Row(
        "NLLLoss2d", "loss",
        (
            Null(("self", "target", "weight", "out", "totalWeightOut")),
            DtypeIn(FLOATS, ("self",)),
            SameDtype(("self", "weight")),
            ResultType("same", ("self",)),
            Castable(("out", "totalWeightOut")),
            DtypeIn(dtypes("int64 uint8 int32"), ("target",)),
            That("reduction >= 0 && reduction <= 2", "reduction is %lld; it must be 0, 1 or 2",
                 ("static_cast<long long>(reduction)",)),
            Kernel("nll_loss2d"),
        ),
        {
            "out": Output("nll_loss_2d target reduction", "same self"),
            "totalWeightOut": Output("one", "same self"),
        },
    ),
    Row(
        "CtcLoss", "loss",
        (
            Null((
                "logProbs", "targets", "inputLengths", "targetlengths", "negLogLikelihoodOut",
                "logAlphaOut",
            )),
            Kernel("ctc_loss"),
        ),
        {
            "negLogLikelihoodOut": Output("samples logProbs", "same logProbs"),
            "logAlphaOut": Output("alignments logProbs targetlengths", "same logProbs"),
        },
    ),
    Row(
        "MultilabelMarginLoss", "loss",
        (
            Null(("self", "target", "out", "isTarget")),
            Kernel("multilabel_margin_loss"),
        ),
        {
            "out": Output("loss_of_samples self reduction", "same self"),
            "isTarget": Output("like self", "same self"),
        },
    ),
    Row(
        "SoftmaxCrossEntropyWithLogits", "loss",
        (
            Null(("features", "labels", "loss", "backprop")),
            DtypeIn(FLOATS, ("features", "labels", "loss", "backprop")),
            SameDtype(("features", "loss", "backprop")),
            Kernel("softmax_cross_entropy"),
        ),
        {
            "loss": Output("rows features", "same features"),
            "backprop": Output("like features", "same features"),
        },
    ),
    Row(
        "CrossEntropySumExpAndIndexLogit", "loss",
        (
            Null((
                "vocabParallelLogits", "target", "globalLogitsMax", "predictedLogitsOut",
                "sumExpLogitsOut", "expLogitsOut", "targetOffsetOut", "targetMaskOut",
            )),
            Call("partial_cross_entropy",
                 "check plan {vocabParallelLogits, target, globalLogitsMax, vocabStartIndex, "
                 "vocabEndIndex, predictedLogitsOut, sumExpLogitsOut, expLogitsOut, "
                 "targetOffsetOut, targetMaskOut}"),
        ),
        {
            "predictedLogitsOut": Output("like target", "float32"),
            "sumExpLogitsOut": Output("like target", "float32"),
            "expLogitsOut": Output("like vocabParallelLogits", "float32"),
            "targetOffsetOut": Output("like target", "int32"),
            "targetMaskOut": Output("like target", "int32"),
        },
    ),
)  # fmt: skip
