"""Cases of element-wise operators on lists of tensors, derived from their rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.ops.naming import operator_name
from pyaclnn.selftest.cases import Array, Case, Operand, Suite, edge_values, numpy_dtype
from pyaclnn.selftest.cases import random_values as normal_values
from pyaclnn.selftest.chips import has_950_kernels, has_bfloat16
from pyaclnn.selftest.formulas import FORMULAS
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.pointwise import wide
from pyaclnn.table import ROWS, Row
from pyaclnn.table.dtypes import kind
from pyaclnn.table.list_steps import ForEach, KernelChosen, ListsFit, NumberChosen

#: Shapes of the tensors of a list.
EXAMPLES: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((3, 5), (2, 4)), ((2, 3),), ((), (7,), (2, 1, 2, 1, 2, 1, 2, 3)), ((4, 0), (5,), (0,)),
    ((33,),) * 50, ((300, 401), (1025,), (1,)), ((0,), (2, 0)), ((1,), (64, 3), (17, 2, 5), (8,)),
)  # fmt: skip
#: Of which those dtypes are tried with that are not the first.
FEW = slice(1, 5)


@dataclass(frozen=True)
class FromListRow:
    """The cases of one row, for each dtype of its lists."""

    row: Row

    @property
    def kernel(self) -> ForEach:
        """The row's last step."""
        kernel = self.row.steps[-1]
        assert isinstance(kernel, ForEach)
        return kernel

    @property
    def operands(self) -> tuple[str, ...]:
        """The lists that are drawn: those the formula reads, or the one it fills."""
        return self.kernel.lists or (self.kernel.out,)

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Dtypes of the lists, on a chip with bfloat16."""
        steps = (s for s in self.row.steps if isinstance(s, ListsFit | KernelChosen))
        return next(steps).accepted.on("newer")

    @property
    def chip(self) -> str:
        """The chip that alone has the operator, or empty."""
        chosen = (s for s in self.row.steps if isinstance(s, KernelChosen))
        return "Ascend910_95" if any(s.kernels == "kNewest" for s in chosen) else ""

    @property
    def takes_views(self) -> bool:
        """Whether the results may be strided."""
        return bool(self.row.outputs) and any(isinstance(s, KernelChosen) for s in self.row.steps)

    def __call__(self, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        """Yield the cases, where the chip has the operator."""
        if not (has_950_kernels() if self.chip else has_bfloat16()):
            return
        first = dtype == self.dtypes[0]
        for shapes in EXAMPLES if first else EXAMPLES[FEW]:
            yield self._case(f"shapes {shapes[:4]}, {len(shapes)} tensors", shapes, dtype, rng)
        shapes = EXAMPLES[-1][1:3]
        for layout in LAYOUTS[1:]:
            for viewed in (*self.operands, "") if first and len(self.operands) > 1 else ("",):
                layouts = {n: layout for n in self.operands if viewed in (n, "")}
                yield self._case(f"{viewed or 'all'} {layout}", shapes, dtype, rng, layouts)
            if self.takes_views:
                yield self._case(f"result {layout}", shapes, dtype, rng, {}, layout)
        for turn in range(1, self._turns):
            yield self._case(f"numbers {turn}", shapes, dtype, rng, turn=turn)
        if kind(dtype) == "floating" and self.row.trial.edges:
            edges = edge_values(dtype)
            for name in self.operands:
                values = {n: [self._draw(edges.shape, dtype, rng)] for n in self.operands}
                yield self._made(f"edges of {name}", {**values, name: [edges]}, dtype)

    @property
    def _turns(self) -> int:
        """How many values there are of a number, at least three; 1 where there is no number."""
        names = [n for n in (*self.kernel.shared, *self.kernel.numbers) if n.isidentifier()]
        return max((len(self.row.trial.values.get(n, (1, 2, 3))) for n in names), default=1)

    def _draw(self, shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
        low, high = self.row.trial.low, self.row.trial.high
        if dtype == "bool":
            return rng.integers(0, 2, shape).astype(bool)
        if low is None or high is None:
            return normal_values(shape, dtype, rng)
        return np.asarray(rng.uniform(low, high, shape)).astype(numpy_dtype(dtype))

    def _case(
        self, label: str, shapes: tuple[tuple[int, ...], ...], dtype: str,
        rng: np.random.Generator, layouts: dict[str, str] | None = None, out: str = "",
        turn: int = 0,
    ) -> Case:  # fmt: skip
        values = {n: [self._draw(s, dtype, rng) for s in shapes] for n in self.operands}
        return self._made(label, values, dtype, layouts or {}, out, turn)

    def _numbers(self, name: str, dtype: str, count: int, turn: int) -> list[float]:
        """Return the values of a number: one for all tensors, or one for each."""
        integers = dtype == "int32" or name == "roundMode"
        usual = (2, -3, 5) if integers else (0.5, -2.0, 1.75)
        given = self.row.trial.values.get(name, usual)
        values = [int(v) if integers else float(v) for v in given]
        each = self._c_kind(name) == "scalar_list" or self._of_each(name)
        return [values[(turn + i) % len(values)] for i in range(count if each else 1)]

    def _c_kind(self, name: str) -> str:
        arguments = pa.ops[self.row.c_name].spec.arguments
        return next(a.kind for a in arguments if a.c_name == name)

    def _of_each(self, name: str) -> bool:
        return any(getattr(s, "number", "") == name and getattr(s, "each", False)
                   for s in self.row.steps)  # fmt: skip

    def _made(
        self, label: str, values: dict[str, list[Array]], dtype: str,
        layouts: dict[str, str] | None = None, out: str = "", turn: int = 0,
    ) -> Case:  # fmt: skip
        kernel = self.kernel
        first = values[self.operands[0]]
        count = len(first)
        given: dict[str, Any] = {
            n: [Operand(v, (layouts or {}).get(n, "contiguous")) for v in each]
            for n, each in values.items()
        }
        numbers: list[list[float]] = []
        for name in (*kernel.shared, *kernel.numbers):
            if not name.isidentifier():
                numbers.append([float(name)] * count)
                continue
            each = self._numbers(name, dtype, count, turn)
            given[name] = self._argument(name, each, dtype)
            if isinstance(given[name], Operand):
                # As the chip gets them.
                each = [float(v) for v in given[name].values.reshape(-1)]
            numbers.append(each if len(each) == count else each * count)
        golden = [
            np.broadcast_to(
                self._golden([values[n][i] for n in kernel.lists], [n[i] for n in numbers]),
                first[i].shape,
            )
            for i in range(count)
        ]
        inputs = tuple(given[a.c_name] for a in pa.ops[self.row.c_name].spec.inputs)
        return Case(label, inputs, (golden,), (out,) if out else ())

    def _argument(self, name: str, values: list[float], dtype: str) -> Any:
        form = self._c_kind(name)
        if form == "scalar":
            return values[0]
        if form == "scalar_list":
            return values
        same = any(isinstance(s, NumberChosen) and s.number == name and s.same
                   for s in self.row.steps)  # fmt: skip
        own = "float32" if dtype == "bfloat16" and not same else dtype
        if name == "roundMode":
            own = "int8"
        return Operand(np.asarray(values).astype(numpy_dtype(own)))

    def _golden(self, operands: list[Array], numbers: list[float]) -> Array:
        formula = FORMULAS[self.kernel.formula.removesuffix("_scalar").removesuffix("_tensors")]
        exact = [wide(v) for v in operands]
        with np.errstate(all="ignore"):
            result = np.asarray(formula(*exact, *(wide(np.asarray(n)) for n in numbers)))
        integers = bool(exact) and exact[0].dtype.kind == "i"
        return result.astype(np.int64) if integers else result


def _suite(row: Row) -> Suite:
    cases = FromListRow(row)
    return Suite(operator_name(row.c_name), cases.dtypes, cases, cases.chip)


SUITES = tuple(_suite(row) for row in ROWS if isinstance(row.steps[-1], ForEach))
