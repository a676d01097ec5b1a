"""Element-wise functions over lists of tensors, derived from the rows of the same functions.

CANN wrote those whose names end in V2, which take an aclScalar, by hand, and generates the others
from their kernels: two schemes of checks, ``_written`` and ``_generated``.
"""

from __future__ import annotations

from dataclasses import replace

from . import activation, elementary, pointwise
from .dtypes import FLOATS, Dtypes, dtypes
from .list_steps import (
    DoneIfAllEmpty,
    ForEach,
    KernelChosen,
    ListsFit,
    NumberChosen,
    NumberDivided,
    SameLengthFirst,
    ScalarBeside,
    WorkDivided,
)
from .row import Output, Row, Trial
from .steps import Null, Pointwise, Step

#: The rows whose formulas and trials are taken.
_BASE = {row.name: row for row in (*pointwise.ROWS, *elementary.ROWS, *activation.ROWS)}
_INT32 = dtypes("int32")
_NUMBERS = FLOATS | _INT32

_TWO, _THREE = ("x1", "x2"), ("x1", "x2", "x3")


def _formula(name: str) -> str:
    kernel = _BASE[name].steps[-1]
    assert isinstance(kernel, Pointwise)
    return kernel.formula


def _row(
    name: str, given: tuple[str, ...], steps: tuple[Step, ...], first: str, trial: Trial
) -> Row:
    output = {"out": Output(f"each {first}", f"same {first}")}
    return Row(
        "Foreach" + name, "foreach", (Null((*given, "out")), *steps), output,
        replace(trial, dtypes=()), ("foreach/foreach.hpp",),
    )  # fmt: skip


def _written(
    name: str, accepted: Dtypes, formula: str, lists: tuple[str, ...], number: str,
    more: tuple[str, ...] = (), *, wide: bool = False, null: bool = False,
    trial: Trial | None = None,
) -> Row:  # fmt: skip
    """Row of an operator that CANN wrote: lists, an aclScalar."""
    names = (*lists, "out")
    compute = f"scalar_type_beside({lists[0]}, {str(wide).lower()})"
    steps: tuple[Step, ...] = (
        *((SameLengthFirst(lists[0], "out"),) if null else ()),
        ListsFit(accepted, names),
        ScalarBeside(lists, number, wide),
        ForEach(formula, lists, (), (number, *more), compute=compute),
    )
    return _row(name, (*lists, number), steps, lists[0], trial or Trial())


def _generated(
    name: str, accepted: Dtypes, formula: str, lists: tuple[str, ...] = ("x",), *,
    tensor: str = "", number: str = "", each: bool = False, same: bool = False,
    more: tuple[str, ...] = (), trial: Trial | None = None,
) -> Row:  # fmt: skip
    """Row of an operator that CANN generates: lists, and a tensor or numbers of the host.

    Of a ``tensor`` every tensor takes the one element, or where ``each`` its own; of a ``number``
    it is an aclScalar, or where ``each`` a list of them.
    """
    names = (*lists, "out")
    numbers = tuple(n for n in (tensor, number) if n)
    divided = [NumberDivided(lists, n, each) for n in numbers if n == tensor or each]
    steps: tuple[Step, ...] = (
        KernelChosen(accepted, names),
        *(NumberChosen(lists, n, same) for n in numbers),
        DoneIfAllEmpty("out"),
        WorkDivided(names),
        *divided,
        ForEach(
            formula, lists, (tensor,) if tensor else (), (*((number,) if number else ()), *more)
        ),
    )
    return _row(name, (*lists, *numbers), steps, lists[0], trial or Trial())


def _unary(name: str, accepted: Dtypes = FLOATS) -> Row:
    return _generated(name, accepted, _formula(name), trial=_BASE[name].trial)


#: Sums of values of one sign, and divisors away from zero.
_POSITIVE = Trial(low=0.25, high=9, values={"scalar": (2, 3), "scalars": (2, 3, 5)}, edges=False)

ROWS: tuple[Row, ...] = (
    _unary("Sqrt"),
    _written("AddScalarV2", _NUMBERS, "add_scalar", ("x",), "scalar", ("1",), wide=True, null=True),
    _written("MulScalarV2", _NUMBERS, "mul_scalar", ("x",), "scalar", wide=True),
    _written("AddListV2", _NUMBERS, "add", _TWO, "alpha"),
    _written("AddcmulScalarV2", _NUMBERS, "addcmul", _THREE, "scalar", wide=True, trial=_POSITIVE),
    _generated("DivScalarList", FLOATS, "div_scalar", number="scalars", each=True),
    _generated(
        "AddcdivScalarList",
        FLOATS,
        "addcdiv_tensors",
        _THREE,
        tensor="scalars",
        each=True,
        same=True,
        trial=_POSITIVE,
    ),
    _generated(
        "LerpScalar", FLOATS, "lerp_scalar", _TWO, number="weight", trial=_BASE["Lerps"].trial
    ),
)
