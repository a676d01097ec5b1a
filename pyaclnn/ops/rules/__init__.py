"""Output rules: shape and dtype of each output where they follow from the inputs.

Tables, one line an operator, a file for each family.
"""

from __future__ import annotations

from pyaclnn.ops.rules import (
    activation,
    concat,
    convolution,
    embedding,
    loss,
    norm,
    padding,
    pooling,
    resample,
    softmax,
    unfold,
)
from pyaclnn.ops.rules.common import Rules, ScalarDtypes
from pyaclnn.ops.rules.shapes import from_rows
from pyaclnn.table import ROWS

RULES: Rules = {
    **concat.RULES,
    **convolution.RULES,
    **embedding.RULES,
    **loss.RULES,
    **norm.RULES,
    **activation.RULES,
    **pooling.RULES,
    **padding.RULES,
    **resample.RULES,
    **softmax.RULES,
    **unfold.RULES,
    **from_rows(ROWS),
}

#: Without an entry a Python number becomes bool, int64, double or complex128, as PyTorch's binding
#: of CANN passes them.
SCALAR_DTYPES: ScalarDtypes = {
    **activation.SCALAR_DTYPES,
}

#: Operators whose documents know no format but ND. To all others a tensor of rank 3, 4 or 5 is
#: described as NCL, NCHW or NCDHW, which some demand.
ONLY_ND = frozenset({"aclnnExpSegsumBackward", "aclnnScaledMaskedSoftmaxBackward"})


def scalar_dtype(operator: str, parameter: str) -> str | None:
    """Return the dtype an operator's document asks for, or None where any will do."""
    return SCALAR_DTYPES.get((operator, parameter))
