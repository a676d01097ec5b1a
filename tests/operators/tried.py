"""What the cases of an operator try; run as a program, on the chip its environment names."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field

import numpy as np
from operators.fullest import SUITE

import pyaclnn as pa
from pyaclnn.selftest.cases import Case
from pyaclnn.selftest.fullest import operands


@dataclass
class Tried:
    """The cases of one operator and dtype, counted.

    Attributes
    ----------
    cases, empty, output_views : int
        All of them, those with a tensor without elements, those whose result is no plain block.
    views : list of str
        Tensors that were, in some case, views of something larger.
    varied : list of str
        Other arguments that had more than one value.
    """

    cases: int = 0
    empty: int = 0
    output_views: int = 0
    views: list[str] = field(default_factory=list)
    varied: list[str] = field(default_factory=list)


def tried(operator: str, dtype: str) -> Tried:
    """Count the cases of one operator and dtype, on the chip of this process."""
    names = [argument.name for argument in pa.ops[operator].spec.inputs]
    result = Tried()
    values: dict[str, set[str]] = {name: set() for name in names}
    views: set[str] = set()
    for case in SUITE[operator].cases(dtype, np.random.default_rng(0)):
        result.cases += 1
        result.empty += any(operand.values.size == 0 for operand in operands(case))
        result.output_views += any(layout != "contiguous" for layout in case.out_layouts)
        for name, value in zip(names, case.inputs, strict=True):
            if any(o.layout != "contiguous" for o in _tensors(value)):
                views.add(name)
            values[name].add("tensor" if _tensors(value) else repr(value))
    result.views = sorted(views)
    result.varied = sorted(name for name, seen in values.items() if len(seen - {"tensor"}) > 1)
    return result


def _tensors(value: object) -> list[object]:
    return list(operands(Case("", (value,), ())))


if __name__ == "__main__":
    pa.current_device()
    found = {name: asdict(tried(*name.split("/"))) for name in sys.argv[1:]}
    print(json.dumps(found))
