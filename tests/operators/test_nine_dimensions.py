"""Tensors of nine dimensions: documents allow eight, and most first phases count them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from operators import cann_statuses
from operators.neighbours import each_tensor, is_tensor, reshaped

from pyaclnn.table import by_name

#: Families whose checks are CANN's first phase's; those of kernels have neighbours that are kept.
FAMILIES = ("activation", "copy", "creation", "linalg", "padding", "pointwise", "random",
            "reduction")  # fmt: skip
#: Those whose sources do not count, or count to more, or not where tensors are dense.
NOT_COUNTED = {
    "FatreluMul", "GeluBackwardV2", "GeluV2", "Hardswish", "InplaceHardswish",
    "InplaceRReluWithNoise", "InplaceSelu", "LogSigmoid", "LogSigmoidBackward",
    "LogSigmoidForward", "RReluWithNoise", "Selu", "SeluBackward", "Shrink", "Silu",
    "InplaceLerp", "InplaceLerps", "InplaceLogicalNot", "InplaceMul", "InplaceMuls", "Lerp",
    "Lerps", "LogicalNot", "Muls", "Sign", "InplaceCumprod", "InplaceZero", "Arange", "Range",
    "LogSpace", "DropoutGenMask",
}  # fmt: skip
#: Of these another step refuses.
OTHERS = {"Linspace": 561103, "DropoutGenMaskV2": 561103, "IsInf": 561002, "SwiGlu": 561002,
          "SwiGluGrad": 561002}  # fmt: skip


def _of_nine(tensor: list[Any]) -> list[Any]:
    return reshaped(tensor, [1] * (9 - len(tensor[2])) + tensor[2])


def _tensors(arguments: list[Any]) -> list[Any]:
    lists = (a[1] for a in arguments if isinstance(a, list) and a[0] == "TL")
    return [a for a in itertools.chain(arguments, *lists) if is_tensor(a)]


def _calls() -> dict[str, list[Any]]:
    """Return a right call of each operator, with elements, in nine dimensions."""
    found = {}
    for name, right in cann_statuses.right_calls().items():
        full = [
            a for a in right
            if ["TL", []] not in a and (t := _tensors(a)) and all(0 not in of[2] for of in t)
        ]  # fmt: skip
        if by_name()[name].family in FAMILIES and full:
            shortest = min(full, key=lambda arguments: len(str(arguments)))
            found[name.removeprefix("aclnn")] = [each_tensor(a, _of_nine) for a in shortest]
    return found


CALLS = _calls()


@pytest.mark.parametrize("operator", CALLS)
def test_nine_dimensions_are_refused(operator: str) -> None:
    call = {"operator": f"aclnn{operator}", "arguments": CALLS[operator]}

    (status,) = cann_statuses.answers([call])

    assert status == OTHERS.get(operator, 0 if operator in NOT_COUNTED else 161002)
