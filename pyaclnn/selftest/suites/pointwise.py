"""Cases of element-wise operators, derived from their rows and a NumPy formula."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.ops.naming import operator_name
from pyaclnn.ops.rules.shapes import dtype_name, seen_by_rules
from pyaclnn.selftest.cases import (
    BROADCAST_PAIRS,
    EMPTY_SHAPES,
    SHAPES,
    Array,
    Case,
    Operand,
    Suite,
    edge_values,
    numpy_dtype,
    random_values,
)
from pyaclnn.selftest.chips import NEWEST, generation, has_bfloat16, is_950, is_of
from pyaclnn.selftest.formulas import FORMULAS
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.table import ROWS, Row, activation_gradients
from pyaclnn.table.dtypes import kind
from pyaclnn.table.steps import (
    CommonCastable,
    DtypeIn,
    ForKernel,
    OnlyOn,
    Pointwise,
    ResultIs,
    ResultType,
    ResultTypeIn,
    SameDtype,
)
from pyaclnn.table.types import RULES, TypeRule, common, with_scalar

#: Shapes of the dtypes behind the first.
_FEW = ((), (1,), (33,), (3, 5), (2, 3, 4), (2, 1, 2, 1, 2, 1, 2, 3), (0, 3))
_ORDER = ("bool", "integer", "floating", "complex")


def _with_category(tensor: str, number: str, *_: str) -> str | None:
    """Return the type of a tensor and a number, of which a floating one counts as float32."""
    return with_scalar(tensor, "float32" if kind(number) == "floating" else number)


def _wide_with_category(tensor: str, number: str) -> str | None:
    both = _with_category(tensor, number)
    return "float32" if both in ("bool", "float16", "bfloat16") else both


def _remainder_of_number(tensor: str, number: str, out: str) -> str | None:
    both = with_scalar(tensor, number)
    return out if both == "float64" else both


def _quotient(first: str, second: str, mode: int) -> str | None:
    both = common(first, second)
    exact = mode == 0 and both is not None and kind(both) == "integer"
    return "float32" if exact or both == "bool" else both


def _quotient_by_number(tensor: str, number: str, mode: int) -> str | None:
    both = _with_category(tensor, number)
    if both in ("float16", "bfloat16") and (mode != 1 or tensor != number):
        return "float32"
    return both and _quotient(both, both, mode)


#: Rules of which the 950 has another than the one that says which output to allocate.
_ON_950: dict[str, TypeRule] = {
    "common_or_category": with_scalar,
    "common_or_own": with_scalar,
    "divided_down": _wide_with_category,
    "own_beside_number": with_scalar,
    "power_of_number": _with_category,
    "power_of_tensor": _with_category,
    "quotient": _quotient,
    "quotient_by_number": _quotient_by_number,
    "remainder_of_number": _remainder_of_number,
    "with_fitting_scalar": with_scalar,
}


def wide(values: Any) -> Any:
    """In float64, complex128 or int64; uint64 as it is, for half of it does not fit into int64."""
    values = np.asarray(values)
    unsigned = np.uint64 if values.dtype.itemsize == 8 else np.int64
    kinds = {"b": np.int64, "i": np.int64, "u": unsigned, "c": np.complex128}
    return values.astype(kinds.get(values.dtype.kind, np.float64))


@dataclass(frozen=True)
class FromRow:
    """The cases of one row, for each dtype of its first tensor."""

    row: Row

    @property
    def kernel(self) -> Pointwise:
        """The row's last step."""
        kernel = self.row.steps[-1]
        assert isinstance(kernel, Pointwise)
        return kernel

    @property
    def operands(self) -> tuple[str, ...]:
        """The tensors that are drawn: those the formula reads, or the one it fills."""
        return self.kernel.tensors or (self.kernel.out,)

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Dtypes of the first tensor, on a chip with bfloat16."""
        if self.row.trial.dtypes:
            return self.row.trial.dtypes
        first = self.operands[0]
        accepted = [
            s.accepted for s in self.row.steps if isinstance(s, DtypeIn) and first in s.names
        ]
        common = set.intersection(*(set(a.on("newer")) for a in accepted))
        return tuple(d for d in accepted[0].on("newer") if d in common)

    def computed_in(self, values: dict[str, Any], stored: str) -> str | None:
        """Return the type the operator computes in, for these arguments and this output."""
        for step in self.row.steps:
            if isinstance(step, ResultIs):
                return step.dtype
            if isinstance(step, ResultType):
                rule = RULES[step.rule]
                if is_950():
                    rule = _ON_950.get(step.rule, rule)
                return rule(
                    *(
                        stored if n == self.kernel.out else self._seen(n, values[n])
                        for n in step.names
                    )
                )
        raise AssertionError(self.row.name)

    @staticmethod
    def _type(value: Any) -> str:
        return str(value.values.dtype.name if isinstance(value, Operand) else dtype_name(value))

    def _is_on_this_chip(self, dtype: str) -> bool:
        """Whether the chip has the operator, and for this type of its first operand."""
        first, chip = self.operands[0], generation()
        return not any(
            (isinstance(step, OnlyOn) and not is_of(step.chips))
            or (
                isinstance(step, DtypeIn)
                and first in step.names
                and dtype not in step.accepted.on(chip)
            )
            for step in self.row.steps
        )

    @classmethod
    def _seen(cls, name: str, value: Any) -> Any:
        """Return what a rule for types looks at."""
        return cls._type(value) if isinstance(value, Operand) else seen_by_rules(name, value)

    def __call__(self, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        """Yield the cases."""
        if not self._is_on_this_chip(dtype):
            return
        first = dtype == self.dtypes[0]
        operands = self.operands
        for shape in (*SHAPES, *EMPTY_SHAPES) if first else _FEW:
            yield from self._case(
                f"shape {shape}", {n: self._draw(shape, dtype, rng) for n in operands}
            )
        for layout in LAYOUTS[1:]:
            for viewed in (*operands, "") if first else ("",):
                values = {
                    n: self._draw(
                        (6, 7, 10), dtype, rng, layout if viewed in (n, "") else "contiguous"
                    )
                    for n in operands
                }
                yield from self._case(f"{viewed or 'all'} {layout}", values, out=layout)
        for numbers in self._numbers()[1:]:
            values = {n: self._draw((5, 9), dtype, rng) for n in operands}
            yield from self._case(f"numbers {numbers}", values, numbers)
        if kind(dtype) == "floating" and self.row.trial.edges:
            edges = edge_values(dtype)
            for position in range(len(operands)):
                values = {n: self._draw(edges.shape, dtype, rng) for n in operands}
                values[operands[position]] = Operand(edges)
                yield from self._case(f"edges of {operands[position]}", values)
        if len(operands) > 1:
            yield from self._several(dtype, rng, first)
        yield from self._other_outputs(dtype, rng)

    def _several(self, dtype: str, rng: np.random.Generator, first: bool) -> Iterator[Case]:
        left, right = self.kernel.tensors[:2]
        rest = self.kernel.tensors[2:]
        for a, b in BROADCAST_PAIRS if first else BROADCAST_PAIRS[:3]:
            if self._writes_operand and np.broadcast_shapes(a, b) != a:
                continue
            if is_950() and "SameFormat(" in repr(self.row.steps):
                # Tensors of another rank have another format.
                a, b = ((1,) * (max(len(a), len(b)) - len(s)) + s for s in (a, b))
            values = {left: self._draw(a, dtype, rng), right: self._draw(b, dtype, rng)}
            values |= {n: self._draw((1,), dtype, rng) for n in rest}
            yield from self._case(f"broadcast {a} {b}", values)
        for other in self.dtypes:
            if other == dtype or (other == "bfloat16" and not has_bfloat16()):
                continue
            if any(
                isinstance(s, SameDtype) and {left, right} <= {*s.names}
                for step in self.row.steps
                for s in (step.steps if isinstance(step, ForKernel) else (step,))
            ):
                continue
            values = {n: self._draw((4, 6), dtype, rng) for n in self.kernel.tensors}
            values[right] = self._draw((4, 6), other, rng)
            yield from self._case(f"{dtype} with {other}", values)

    def _other_outputs(self, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if self._writes_operand or not self.row.trial.outputs:
            return
        for out in ("float32", "float16", "int32", "complex64"):
            values = {n: self._draw((4, 6), dtype, rng) for n in self.kernel.tensors}
            yield from self._case(f"output in {out}", values, out_dtype=out)

    def _usual_output(self, values: dict[str, Any]) -> str:
        """Return the dtype that Python allocates."""
        rule, *names = self.row.outputs[self.kernel.out].dtype.split()
        return RULES[rule](*(self._seen(n, values[n]) for n in names)) or "" if names else rule

    def _gives(self, values: dict[str, Any], stored: str, computed: str) -> str:
        """Return the type of the formula's result."""
        gives = self.kernel.gives
        if gives in values:
            return self._type(values[gives])
        return stored if gives == self.kernel.out else gives or computed

    def _may_be_stored_as(self, dtype: str, gives: str) -> bool:
        out = self.kernel.out
        return not any(
            (
                isinstance(step, DtypeIn)
                and out in step.names
                and dtype not in step.accepted.on("newer")
            )
            or (isinstance(step, SameDtype) and out in step.names and dtype != gives)
            for step in self.row.steps
        )

    def _castable(self, values: dict[str, Any], stored: str) -> bool:
        """Whether what operands have in common may be cast to the output, as a step demands."""
        for step in self.row.steps:
            if isinstance(step, CommonCastable):
                common = RULES["common"](*(self._type(values[n]) for n in step.operands))
                if common is None or _ORDER.index(kind(common)) > _ORDER.index(kind(stored)):
                    return False
        return True

    @property
    def _writes_operand(self) -> bool:
        return self.kernel.out in self.operands

    def _draw(
        self,
        shape: tuple[int, ...],
        dtype: str,
        rng: np.random.Generator,
        layout: str = "contiguous",
    ) -> Operand:
        low, high = self.row.trial.low, self.row.trial.high
        if low is None or high is None:
            if dtype == "bool":
                return Operand(rng.integers(0, 2, shape).astype(bool), layout)
            return Operand(random_values(shape, dtype, rng), layout)
        if numpy_dtype(dtype).kind in "iub":
            values: Array = rng.integers(int(np.ceil(low)), int(np.floor(high)) + 1, shape)
        else:
            values = rng.uniform(low, high, shape)
            if numpy_dtype(dtype).kind == "c":
                values = values + 1j * rng.uniform(low, high, shape)
        return Operand(np.asarray(values).astype(numpy_dtype(dtype)), layout)

    def _numbers(self) -> list[dict[str, Any]]:
        """Values of the scalars: the first of each, then each of the others."""
        given = self.row.trial.values
        names = [n for n in self.kernel.scalars if n.isidentifier()]
        usual = {n: given.get(n, (2, 0.5, -1))[0] for n in names}
        return [usual] + [{**usual, n: v} for n in names for v in given.get(n, (2, 0.5, -1))[1:]]

    def _case(
        self, label: str, values: dict[str, Operand], numbers: dict[str, Any] | None = None,
        out: str = "contiguous", out_dtype: str = "",
    ) -> Iterator[Case]:  # fmt: skip
        """Yield the case, unless the operator refuses these types."""
        numbers = self._numbers()[0] if numbers is None else numbers
        everything = {**values, **numbers}
        written = self._type(values[self.kernel.out]) if self._writes_operand else out_dtype
        computed = self.computed_in(everything, written or self._usual_output(everything))
        if computed is None or (computed == "bfloat16" and not has_bfloat16()):
            return
        if any(
            isinstance(s, ResultTypeIn) and computed not in s.accepted.on(generation())
            for s in self.row.steps
        ):
            return
        for number in (n for n in numbers.values() if n is not None):
            if _ORDER.index(kind(dtype_name(number))) > _ORDER.index(kind(computed)):
                return
        gives = self._gives(everything, written or self._usual_output(everything), computed)
        stored = written or gives
        if _ORDER.index(kind(gives)) > _ORDER.index(kind(stored)):
            return
        if not self._may_be_stored_as(stored, gives) or not self._castable(everything, stored):
            return
        golden = self._golden(values, numbers, computed, gives, stored)
        spec = pa.ops[self.row.c_name].spec
        inputs = tuple(everything[a.c_name] for a in spec.inputs)
        if self._writes_operand:
            yield Case(label, inputs, (golden,))
            return
        # Of several outputs the others are not written.
        goldens = tuple(golden if a.c_name == self.kernel.out else None for a in spec.outputs)
        count = len(goldens)
        yield Case(label, inputs, goldens, (out,) * count, (stored,) * count)

    def _golden(
        self,
        values: dict[str, Operand],
        numbers: dict[str, Any],
        computed: str,
        gives: str,
        stored: str,
    ) -> Array:
        own = numpy_dtype(computed)
        with np.errstate(all="ignore"):
            operands = [wide(values[n].values.astype(own)) for n in self.kernel.tensors]
            # A row may have constants among its scalars.
            names = self.kernel.scalars
            scalars = [
                None if number is None else wide(np.asarray(number).astype(own))
                for number in (numbers[n] if n in numbers else float(n) for n in names)
            ]
            of_bool = self.kernel.of_bool if computed == "bool" else ""
            formula = of_bool or self.kernel.formula.removesuffix("_scalar")
            result = np.asarray(FORMULAS[formula](*operands, *scalars))
            if not operands:
                result = np.broadcast_to(result, values[self.kernel.out].values.shape)
            if kind(gives) == "floating" and gives == stored:
                return result
            # The operator rounds its result before it casts it.
            rounded = wide(wide(result).astype(numpy_dtype(gives)))
            return np.asarray(rounded.astype(numpy_dtype(stored)))


def _suite(row: Row) -> Suite:
    cases = FromRow(row)
    alone = any(isinstance(step, OnlyOn) and step.chips == ("950",) for step in row.steps)
    return Suite(operator_name(row.c_name), cases.dtypes, cases, NEWEST if alone else "")


_GRADIENTS = {row.name for row in activation_gradients.ROWS}

SUITES = tuple(
    _suite(row)
    for row in ROWS
    if isinstance(row.steps[-1], Pointwise) and row.name not in _GRADIENTS
)
