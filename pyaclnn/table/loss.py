"""Losses."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .row import Output, Row
from .steps import Castable, Cpp, DtypeIn, Null, ResultType, SameDtype, That

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
            Cpp("check_nll_loss(check, self, target, weight, reduction, out, totalWeightOut);"),
            Cpp("if (self.is_empty() && reduction == 0) return;"),
            Cpp(
                "nll_loss(plan, self, target, weight, reduction, ignoreIndex, out, totalWeightOut);"
            ),
        ),
        {
            "out": Output("nll_loss target reduction", "same self"),
            "totalWeightOut": Output("one", "same self"),
        },
        include=("loss/nll_loss_forward.hpp",),
    ),
    Row(
        "CrossEntropyLoss", "loss",
        (
            Null(("input", "target", "lossOut", "logProbOut", "zlossOut", "lseForZlossOut")),
            Cpp(
                "cross_entropy_loss(check, plan, {input, target, weightOptional, "
                "reductionOptional, ignoreIndex, labelSmoothing, lossOut, logProbOut, zlossOut, "
                "lseForZlossOut});"
            ),
        ),
        {
            "lossOut": Output("loss_of_rows input reductionOptional", "same input"),
            "logProbOut": Output("like input", "same input"),
            "zlossOut": Output("loss_of_rows input reductionOptional", "same input"),
            "lseForZlossOut": Output("like target", "same input"),
        },
        include=("loss/cross_entropy_forward.hpp",),
        missing=("the z-loss, which CANN's kernels do not compute either",),
    ),
)  # fmt: skip
