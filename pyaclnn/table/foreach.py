"""Element-wise functions over lists of tensors, derived from the rows of the same functions.

CANN wrote those whose names end in V2, which take an aclScalar, by hand, and generates the others
from their kernels: two schemes of checks, ``_written`` and ``_generated``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from . import activation, elementary, pointwise
from .dtypes import FLOATS, INTEGERS, Dtypes, dtypes
from .list_steps import (
    DoneIfAllEmpty,
    ForEach,
    KernelChosen,
    ListsFit,
    ListsInOneFormat,
    ListsInPublicFormats,
    NumberChosen,
    NumberDivided,
    SameLengthFirst,
    ScalarBeside,
    WorkDivided,
)
from .row import Output, Row, Trial
from .steps import Call, DtypeIn, Null, Pointwise, Step, That

#: The rows whose formulas and trials are taken.
_BASE = {row.name: row for row in (*pointwise.ROWS, *elementary.ROWS, *activation.ROWS)}
_NUMBERS = FLOATS | dtypes("int32")
_COPIED = _NUMBERS | INTEGERS | dtypes("uint16 uint32 float64 bool")

_TWO, _THREE = ("x1", "x2"), ("x1", "x2", "x3")
#: Operators that go by the length of the first list and leave what is behind it in ``out`` alone.
_BY_FIRST = ("PowScalarV2", "SubListV2")


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
        replace(trial, dtypes=()),
    )  # fmt: skip


def _written(
    name: str, accepted: Dtypes, formula: str, lists: tuple[str, ...], number: str,
    more: tuple[str, ...] = (), *, wide: bool = False, null: bool = False, alike: bool = False,
    trial: Trial | None = None,
) -> Row:  # fmt: skip
    """Row of an operator that CANN wrote: lists, an aclScalar."""
    names = (*lists, "out")
    compute = f"scalar_type_beside({lists[0]}, {str(wide).lower()})"
    steps: tuple[Step, ...] = (
        *((SameLengthFirst(lists[0], "out"),) if null else ()),
        ListsFit(accepted, names),
        *(
            (
                That(
                    f"out.tensors.size() == {lists[0]}.tensors.size()",
                    "out has %zu tensors, not %zu",
                    ("out.tensors.size()", f"{lists[0]}.tensors.size()"),
                ),
            )
            if name not in _BY_FIRST
            else ()
        ),
        ScalarBeside(lists, number, wide),
        *((ListsInOneFormat(lists[0], "out"),) if alike else ()),
        ListsInPublicFormats(names),
        ForEach(formula, lists, (), (number, *more), compute=compute),
    )
    return _row(name, (*lists, number), steps, lists[0], trial or Trial())


def _generated(
    name: str, accepted: Dtypes, formula: str, lists: tuple[str, ...] = ("x",), *,
    tensor: str = "", number: str = "", each: bool = False, same: bool = False,
    wide: bool = False, more: tuple[str, ...] = (), trial: Trial | None = None, out: str = "out",
) -> Row:  # fmt: skip
    """Row of an operator that CANN generates: lists, and a tensor or numbers of the host.

    Those that write one of their lists, ``out``, came with the 950, for it alone.

    Of a ``tensor`` every tensor takes the one element, or where ``each`` its own; of a ``number``
    it is an aclScalar, or where ``each`` a list of them.
    """
    names = (*lists, out)
    in_place = out in lists
    numbers = tuple(n for n in (tensor, number) if n)
    divided = [NumberDivided(lists, n, each) for n in numbers if n == tensor or each]
    steps: tuple[Step, ...] = (
        KernelChosen(accepted, names, "kNewest" if in_place else "kUsual"),
        *(NumberChosen(lists, n, same, wide) for n in numbers),
        DoneIfAllEmpty(out),
        WorkDivided(names),
        *divided,
        ForEach(
            formula, lists, (tensor,) if tensor else (), (*((number,) if number else ()), *more),
            out,
        ),
    )  # fmt: skip
    row = _row(name, (*lists, *numbers), steps, lists[0], trial or Trial())
    if not in_place:
        return row
    steps = (Null((*lists, *numbers)), *row.steps[1:])
    return replace(row, steps=steps, outputs={})


def _unary(name: str, accepted: Dtypes = FLOATS) -> Row:
    return _generated(name, accepted, _formula(name), trial=_BASE[name].trial)


#: Sums of values of one sign, and divisors away from zero.
_POSITIVE = Trial(low=0.25, high=9, values={"scalar": (2, 3), "scalars": (2, 3, 5)}, edges=False)
_LERP = _BASE["Lerps"].trial
_POWERS = Trial(
    low=0.1, high=4, values={"scalar": (2, 0.5, 3), "scalars": (2, 0.5, 3)}, edges=False
)
_MODES = Trial(values={"roundMode": (1, 7, 2, 3, 4, 5, 6, 0)})


def _with_numbers(
    name: str, accepted: Dtypes, more: tuple[str, ...] = (), tensors: str = "", number: str = "",
    wide: bool = False, trial: Trial | None = None,
) -> tuple[Row, ...]:  # fmt: skip
    """Make the rows of a function of a tensor and a number, which is given in three ways."""
    tensors = tensors or name.lower()
    number = number or tensors + "_scalar"
    return (
        _generated(name + "Scalar", accepted, tensors, tensor="scalar", wide=wide, more=more,
                   trial=trial),
        _written(name + "ScalarV2", accepted, number, ("x",), "scalar", more, wide=wide,
                 null=name == "Add", alike=name == "Sub", trial=trial),
        _generated(name + "ScalarList", accepted, number, number="scalars", each=True, more=more,
                   trial=trial),
    )  # fmt: skip


def _with_three(name: str, accepted: Dtypes, formula: str, *, wide: bool) -> tuple[Row, ...]:
    """Make the rows of a function of three tensors and a number, which is given in four ways."""
    given: dict[str, Any] = {"trial": _POSITIVE, "tensor": "scalars", "each": True, "same": True}
    return (
        _generated(name + "Scalar", accepted, formula + "_tensors", _THREE, tensor="scalar",
                   wide=wide, trial=_POSITIVE),
        _written(name + "ScalarV2", accepted, formula, _THREE, "scalar", wide=wide,
                 trial=_POSITIVE),
        *(_generated(name + each, accepted, formula + "_tensors", _THREE, **given)
          for each in ("List", "ScalarList")),
    )  # fmt: skip


def _rounding() -> tuple[Row, Row]:
    """Make the rows whose mode is an int8 tensor, or an aclScalar that CANN hands on as int8."""
    tensor = _generated("RoundOffNumber", FLOATS, "round_off", tensor="roundMode", trial=_MODES)
    scalar = _written(
        "RoundOffNumberV2", FLOATS, "round_off_scalar", ("x",), "roundMode", trial=_MODES
    )

    def listed(step: Step) -> Step:
        if isinstance(step, NumberChosen):
            return DtypeIn(dtypes("int8"), ("roundMode",))
        if isinstance(step, ScalarBeside):
            return DtypeIn(dtypes("int8 int64"), ("roundMode",))
        return step

    return (
        replace(tensor, steps=tuple(map(listed, tensor.steps))),
        replace(scalar, steps=tuple(map(listed, scalar.steps))),
    )


def _zero() -> Row:
    steps: tuple[Step, ...] = (
        Null(("x",)),
        KernelChosen(FLOATS | dtypes("int16 int32"), ("x", "x")),
        DoneIfAllEmpty("x"),
        WorkDivided(("x", "x")),
        ForEach("fill", (), (), ("0",), out="x"),
    )
    return Row("ForeachZeroInplace", "foreach", steps)


def _in_place() -> tuple[Row, ...]:
    def unary(name: str, base: str) -> Row:
        return _generated(
            name + "Inplace", FLOATS, _formula(base), trial=_BASE[base].trial, out="x"
        )

    def lists(name: str, accepted: Dtypes, formula: str, more: tuple[str, ...] = ()) -> Row:
        return _generated(
            name + "ListInplace", accepted, formula, _TWO, tensor="alpha" if more else "",
            more=more, out="x1",
        )  # fmt: skip

    def scalar(name: str, more: tuple[str, ...] = ()) -> Row:
        return _generated(
            name + "ScalarInplace", _NUMBERS, name.lower(), tensor="scalar", wide=True, more=more,
            out="x",
        )  # fmt: skip

    return (
        unary("ACos", "Acos"),
        unary("Log", "Log"),
        lists("Add", _NUMBERS, "addcmul", ("1",)),
        lists("Sub", _NUMBERS, "addcmul", ("-1",)),
        lists("Mul", _NUMBERS, "mul"),
        lists("Div", FLOATS, "div"),
        scalar("Mul"),
        scalar("Sub", ("1",)),
    )


_norm = Row(
    "ForeachNorm", "foreach",
    (
        Null(("x", "scalar", "out")),
        KernelChosen(FLOATS, ("x", "out")),
        That("scalar->dtype() == ACL_FLOAT || scalar->dtype() == ACL_DOUBLE || "
             "scalar->dtype() == ACL_INT64", "scalar must be float32, float64 or int64"),
        Call("divide_reduced", "plan x out"),
        Call("foreach_norm", "plan x scalar out"),
    ),
    {"out": Output("number_of_each x", "same x")},
)  # fmt: skip

_unscale = Row(
    "ForeachNonFiniteCheckAndUnscale", "foreach",
    (
        Null(("scaledGrads", "foundInf", "invScale")),
        KernelChosen(FLOATS, ("scaledGrads", "scaledGrads"), "kInferenceToo"),
        DtypeIn(dtypes("float32"), ("foundInf", "invScale")),
        Call("divide_all", "plan scaledGrads"),
        Call("divide_one", "plan foundInf"),
        Call("divide_one", "plan invScale"),
        Call("find_non_finite", "plan scaledGrads foundInf"),
        Call("foreach_pointwise",
             "plan formulas::mul ACL_FLOAT scaledGrads {&scaledGrads} {&invScale} {}"),
    ),
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    *map(_unary, (
        "Abs", "Acos", "Asin", "Atan", "Cos", "Cosh", "Erf", "Erfc", "Exp", "Expm1", "Log", "Log10",
        "Log1p", "Log2", "Reciprocal", "Sigmoid", "Sin", "Sinh", "Sqrt", "Tan", "Tanh",
    )),
    _unary("Neg", _NUMBERS),
    _unary("Sign", _NUMBERS | dtypes("int8 int64")),
    _generated("Copy", _COPIED, "copy"),
    *_with_numbers("Add", _NUMBERS, ("1",), wide=True),
    *_with_numbers("Sub", _NUMBERS, ("1",)),
    *_with_numbers("Mul", _NUMBERS, wide=True),
    *_with_numbers("Div", FLOATS),
    *_with_numbers("Maximum", _NUMBERS, number="clamp_min"),
    *_with_numbers("Pow", _NUMBERS, tensors="power", trial=_POWERS),
    _generated("PowList", _NUMBERS, "power", _TWO, trial=_POWERS),
    _generated("PowScalarAndTensor", _NUMBERS, "power_of_scalar", number="scalar", trial=_POWERS),
    *_with_numbers("Minimum", _NUMBERS, number="clamp_max"),
    *(
        _generated(name + "List", accepted, name.lower(), _TWO)
        for name, accepted in (("Mul", _NUMBERS), ("Div", FLOATS), ("Maximum", _NUMBERS),
                               ("Minimum", _NUMBERS))
    ),
    # x1 + alpha x2, where alpha is on the device, is a sum of products of tensors.
    _generated("AddList", _NUMBERS, "addcmul", _TWO, tensor="alpha", more=("1",)),
    _generated("SubList", _NUMBERS, "addcmul", _TWO, tensor="alpha", more=("-1",)),
    _written("AddListV2", _NUMBERS, "add", _TWO, "alpha"),
    _written("SubListV2", _NUMBERS, "sub", _TWO, "alpha"),
    *_with_three("Addcmul", _NUMBERS, "addcmul", wide=True),
    *_with_three("Addcdiv", FLOATS, "addcdiv", wide=False),
    _generated("LerpScalar", FLOATS, "lerp_scalar", _TWO, number="weight", trial=_LERP),
    _generated("LerpList", FLOATS, "lerp", (*_TWO, "weight"), trial=_BASE["Lerp"].trial),
    *_rounding(),
    _zero(),
    *_in_place(),
    _norm,
    _unscale,
)  # fmt: skip
