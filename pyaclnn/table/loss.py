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
)  # fmt: skip
