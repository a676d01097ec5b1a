"""Output rules: shape and dtype of each output where they follow from the inputs.

Rows of ``pyaclnn/table`` say them as text, by names of functions that are here, by family. Four
operators on lists have rules of their own in ``concat``.
"""

from __future__ import annotations

from pyaclnn.ops.rules import activation, concat
from pyaclnn.ops.rules.common import Rule, Rules, ScalarDtypes
from pyaclnn.ops.rules.shapes import from_rows, lines_of
from pyaclnn.table import ROWS
from pyaclnn.table.families import by_name

RULES: Rules = {
    **concat.RULES,
    **from_rows(ROWS),
}

#: Without an entry a Python number becomes bool, int64, double or complex128, as PyTorch's binding
#: of CANN passes them.
SCALAR_DTYPES: ScalarDtypes = activation.SCALAR_DTYPES

#: Operators whose kernels find the shapes of their outputs: the aclTensors have them after the run.
FOUND = frozenset(row.c_name for row in ROWS if row.found)

#: Operators that refuse tensors of rank 3, 4 or 5 in any format but ND, or whose documents know no
#: other. To all others such a tensor is described as NCL, NCHW or NCDHW, which some demand; the
#: rest looks at private formats only, or sets ND by itself.
ONLY_ND = frozenset(
    [
        "aclnnConvertWeightToINT4Pack", "aclnnEinsum", "aclnnExpSegsum", "aclnnExpSegsumBackward",
        "aclnnFusedMatmul", "aclnnGroupedMatmulFinalizeRouting",
        "aclnnGroupedMatmulFinalizeRoutingV2", "aclnnGroupedMatmulFinalizeRoutingV3",
        "aclnnGroupedMatmulFinalizeRoutingWeightNz", "aclnnGroupedMatmulFinalizeRoutingWeightNzV2",
        "aclnnNonMaxSuppression", "aclnnRoiPoolingWithArgMax", "aclnnScaledMaskedSoftmaxBackward",
        "aclnnTransMatmulWeight",
    ]
)  # fmt: skip


_documented: Rules = {}
_ROWS = by_name()


def rules_of(operator: str) -> dict[str, Rule]:
    """Return the rules of an operator's outputs, by the outputs' C names.

    A row of ``pyaclnn/table`` comes before what ``documented`` says.
    """
    found = RULES.get(operator) or _documented.get(operator)
    if found is None:
        # Lines are read for an operator that has any only: there are a thousand.
        from pyaclnn.ops.rules.documented import OUTPUTS
        from pyaclnn.ops.rules.notation import rule

        row = _ROWS.get(operator)
        lines = lines_of(row) if row and row.outputs else OUTPUTS.get(operator, {})
        found = _documented.setdefault(operator, {out: rule(t) for out, t in lines.items()})
    return found


def why_not_inferred(operator: str) -> str:
    """Return why an operator's outputs have to be given, or an empty text."""
    from pyaclnn.ops.rules.documented import NOT_INFERRED

    return NOT_INFERRED.get(operator, "")


def scalar_dtype(operator: str, parameter: str) -> str | None:
    """Return the dtype an operator's document asks for, or None where any will do."""
    return SCALAR_DTYPES.get((operator, parameter))
