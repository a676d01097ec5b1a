"""Selection of the case of an operator with the most arguments, to be changed one by one."""

from __future__ import annotations

import numpy as np

from pyaclnn.selftest.cases import Case, Operand, Suite

#: The number of cases that are considered.
_LOOKED_AT = 60
_SMALL = 20_000


def operands(case: Case) -> list[Operand]:
    """Return the tensors of a case, those of lists too."""
    flat = (v for value in case.inputs for v in (value if isinstance(value, list) else [value]))
    return [value for value in flat if isinstance(value, Operand)]


def fullest_case(suite: Suite) -> Case | None:
    """Return the case with most inputs, outputs and dimensions, of the small ones.

    Where none is small, it is the smallest; None where all have an empty tensor.

    Parameters
    ----------
    suite : Suite
        Of one operator; only its first dtype is considered.
    """
    cases = suite.cases(suite.dtypes[0], np.random.default_rng(0))
    sizes = [
        (case, [operand.values.size for operand in _read(suite.operator, case)])
        for _, case in zip(range(_LOOKED_AT), cases, strict=False)
    ]
    small = [case for case, size in sizes if all(0 < count < _SMALL for count in size)]
    full = [(sum(size), case) for case, size in sizes if all(size)]
    return max(small, key=_size) if small else min(full, key=lambda f: f[0], default=(0, None))[1]


def _read(operator: str, case: Case) -> list[Operand]:
    # The last tensor of the logarithm of the sigmoid is not read, and has no elements.
    return operands(case)[: 2 if operator == "log_sigmoid_backward" else None]


def _size(case: Case) -> tuple[int, int, int]:
    given = sum(value is not None for value in case.inputs)
    results = sum(golden is not None for golden in case.golden)
    ranks = [operand.values.ndim for operand in operands(case)]
    return given, results, ranks[0] if ranks else 0
