"""Cases of comparisons of whole tensors, sums without NaN, and powers in even steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import (
    Array,
    Case,
    Operand,
    Suite,
    in_views,
    numpy_dtype,
    random_values,
    uniform,
)
from pyaclnn.selftest.chips import has_bfloat16, is_950, is_a2_or_late_950
from pyaclnn.selftest.layouts import LAYOUTS

_SHAPES: tuple[tuple[int, ...], ...] = (
    (), (1,), (33,), (1025,), (3, 5), (4, 3, 6), (2, 1, 2, 1, 2, 1, 2, 3), (300, 401), (0, 3),
)  # fmt: skip
_FLOATS = ("float32", "float16", "bfloat16")
_WHOLE = ("int32", "int64", "int16", "int8", "uint8")


def _equal(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape in _SHAPES:
        a = random_values(shape, dtype, rng) if dtype != "bool" else rng.integers(0, 2, shape) > 0
        for changed in (False, True):
            b = a.copy()
            if changed and b.size:
                # One element, anywhere.
                b.reshape(-1)[rng.integers(b.size)] = 0 if b.dtype.kind == "b" else 11
            golden = np.array([np.array_equal(a, b)])
            for layout in ("contiguous", LAYOUTS[1 + len(shape) % (len(LAYOUTS) - 1)]):
                label = f"shape {shape} changed {changed} {layout}"
                yield Case(label, (Operand(a, layout), Operand(b)), (golden,))
        if len(shape) < 8:
            other = np.zeros((*shape, 2), numpy_dtype(dtype))
            inputs = (Operand(a), Operand(other))
            yield Case(f"shape {shape} and more", inputs, (np.array([False]),))
    if numpy_dtype(dtype).kind not in "iub":
        nan = np.full((4,), np.nan).astype(numpy_dtype(dtype))
        yield Case("NaN", (Operand(nan), Operand(nan)), (np.array([False]),))


def _nan_sum(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_late_950() or (is_950() and dtype not in _FLOATS):
        return
    # 64 bits hold the sums of all integers.
    given = dtype if dtype in _FLOATS else "int64"

    def drawn(shape: tuple[int, ...]) -> tuple[Array, Array]:
        """Return values of one sign, some of which are NaN, and the same in wider types."""
        if dtype not in _FLOATS:
            x = rng.integers(0, 2, shape).astype(numpy_dtype(dtype))
            return x, x.astype(np.int64)
        x = rng.uniform(0.1, 2, shape).astype(numpy_dtype(dtype))
        x.reshape(-1)[:: 1 + x.size // 3] = np.nan
        return x, x.astype(np.float64)

    for shape in _SHAPES:
        x, wide = drawn(shape)
        axes: list[tuple[int, ...]] = [(), *((d,) for d in range(min(x.ndim, 3))), (0, -1)]
        for dims in axes[: None if x.ndim > 1 else -1]:
            for keep in (False, True):
                golden = np.asarray(np.nansum(wide, axis=dims or None, keepdims=keep))
                yield Case(f"{shape} {dims} {keep}", (Operand(x), dims, keep, given), (golden,))
    for layout in LAYOUTS[1:]:
        x, wide = drawn((6, 7, 10))
        golden = np.asarray(np.nansum(wide, axis=1))
        inputs = (Operand(x, layout), (1,), False, given)
        yield Case(layout, inputs, (golden,), (layout,), (given,))


def _log_space(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for steps in (0, 1, 2, 5, 33, 1025):
        for start, end, base in ((0, 2, 10.0), (-1.5, 1, 2.0), (3, -2, 0.5), (1, 1, 3.0)):
            # The exponents are elements of the output's type.
            last = start if steps == 1 else end
            exponents = np.linspace(start, last, steps).astype(numpy_dtype(dtype))
            golden = float(np.float64(base)) ** exponents.astype(np.float64)
            yield Case(
                f"{steps} from {start} to {last} of {base}", (start, last, steps, base), (golden,),
                ("contiguous",), (dtype,),
            )  # fmt: skip


def _precision_compare(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for shape in ((), (1,), (7,), (3, 5), (2, 3, 4), (4097,), (2, 1, 2, 1, 2, 1, 2, 3)):
        x = uniform(shape, dtype, rng)
        other = Operand(x.values.copy())
        same = Case(f"{shape}", (x, other), (np.uint32(0) * np.ones((), np.uint32),))
        yield same
        if shape == (3, 5):
            yield from in_views(same, 0, 1)
        changed = Operand(x.values.copy())
        changed.values.flat[-1] += 1
        yield Case(f"{shape} changed", (x, changed), (np.asarray(503, np.uint32),))


SUITES = (
    Suite("equal", (*_FLOATS, "float64", *_WHOLE, "bool"), _equal),
    Suite("reduce_nansum", (*_FLOATS, *_WHOLE, "bool"), _nan_sum),
    Suite("log_space", _FLOATS, _log_space),
    Suite("precision_compare", _FLOATS, _precision_compare),
)
