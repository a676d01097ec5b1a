"""Output rules: shape and dtype of each output where they follow from the inputs.

Rows of ``pyaclnn/table`` give them as text with the names of functions that are defined here, by
family. Four operators on lists have rules of their own in ``concat``.
"""

from __future__ import annotations

from functools import cache

from pyaclnn.abi.operator_index import Outputs
from pyaclnn.abi.paths import OPERATORS
from pyaclnn.ops.rules import activation, concat
from pyaclnn.ops.rules.common import Rule, Rules, ScalarDtypes

#: Scalars without an entry become bool, int64, double or complex128, as in PyTorch's binding of
#: CANN.
SCALAR_DTYPES: ScalarDtypes = {
    **activation.SCALAR_DTYPES,
    ("aclnnQuantizedBatchNorm", "inputScale"): "float32",
    ("aclnnQuantizedBatchNorm", "inputZeroPoint"): "int32",
    ("aclnnQuantizedBatchNorm", "outputScale"): "float32",
    ("aclnnQuantizedBatchNorm", "outputZeroPoint"): "int32",
}

#: Operators that need ND for tensors of rank 3, 4 or 5: they refuse other formats, or document no
#: other, or broadcast tensors of different ranks and require one format. For all other operators
#: such a tensor is described as NCL, NCHW or NCDHW, which some require and the rest ignore.
ONLY_ND = frozenset(
    [
        "aclnnBitwiseAndTensorOut", "aclnnInplaceBitwiseAndTensorOut",
        "aclnnConvertWeightToINT4Pack", "aclnnEinsum", "aclnnExpSegsum", "aclnnExpSegsumBackward",
        "aclnnFusedMatmul", "aclnnGroupedMatmulFinalizeRouting",
        "aclnnGroupedMatmulFinalizeRoutingV2", "aclnnGroupedMatmulFinalizeRoutingV3",
        "aclnnGroupedMatmulFinalizeRoutingWeightNz", "aclnnGroupedMatmulFinalizeRoutingWeightNzV2",
        "aclnnNonMaxSuppression", "aclnnRoiPoolingWithArgMax", "aclnnScaledMaskedSoftmaxBackward",
        "aclnnTransMatmulWeight",
    ]
)  # fmt: skip


_rules: Rules = dict(concat.RULES)


def rules_of(operator: str) -> dict[str, Rule]:
    """Return the rules of an operator's outputs, by the outputs' C names.

    A row of ``pyaclnn/table`` comes before what ``documented`` says.
    """
    found = _rules.get(operator)
    if found is None:
        found = _rules[operator] = _of_row(operator) or _of_document(operator)
    return found


def has_data_dependent_shapes(operator: str) -> bool:
    """Tell whether an operator's kernel finds the shapes of its outputs.

    The aclTensors have these shapes after the run.
    """
    return _row(operator)[0]


@cache
def _row(operator: str) -> tuple[bool, Outputs]:
    indexed = OPERATORS.outputs(operator)
    if indexed is not None:
        return indexed
    # A checkout that has been edited since its build.
    from pyaclnn.table import index

    return index.of_row(operator)


def _of_row(operator: str) -> dict[str, Rule]:
    try:
        return {name: _of_output(*texts) for name, texts in _row(operator)[1].items()}
    except LookupError as error:
        raise ValueError(f"the row of {operator}: {error.args[0]}") from None


def _of_output(shape: str, dtype: str) -> Rule:
    if dtype and " if " not in dtype and shape[0] not in "([" and not shape.startswith("if "):
        from pyaclnn.ops.rules.shapes import rule

        return rule(shape, dtype)
    # Imported here: expressions need a parser.
    from pyaclnn.ops.rules import notation

    return notation.rule(f"{shape} as {dtype}" if dtype else shape)


def _of_document(operator: str) -> dict[str, Rule]:
    from pyaclnn.ops.rules.documented import OUTPUTS
    from pyaclnn.ops.rules.notation import rule

    return {out: rule(text) for out, text in OUTPUTS.get(operator, {}).items()}


def why_not_inferred(operator: str) -> str:
    """Return why an operator's outputs must be passed, or an empty text."""
    from pyaclnn.ops.rules.documented import NOT_INFERRED

    return NOT_INFERRED.get(operator, "")


def scalar_dtype(operator: str, parameter: str) -> str | None:
    """Return the dtype that an operator's document requires, or None if any is accepted."""
    return SCALAR_DTYPES.get((operator, parameter))
