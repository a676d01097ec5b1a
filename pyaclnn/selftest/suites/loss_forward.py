"""Cases of losses that are element-wise before their mean or sum is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import BROADCAST_PAIRS, Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.elementwise import FLOATS

_SHAPES: tuple[tuple[int, ...], ...] = (
    (), (1,), (33,), (1025,), (3, 5), (4, 3, 6), (2, 1, 2, 1, 2, 1, 2, 3), (300, 401), (0, 3),
)  # fmt: skip
_NONE, _MEAN, _SUM, _BATCH_MEAN = range(4)

Formula = Callable[..., Array]


def _mean(terms: Array) -> Array:
    return np.asarray(terms.mean() if terms.size else np.nan)


def reduced(terms: Array, reduction: int, batch: int) -> Array:
    """Return the terms, their mean, their sum, or that divided by the batch."""
    if reduction == _BATCH_MEAN:
        return np.asarray(terms.sum() / batch if batch else np.nan)
    return (terms, _mean(terms), np.asarray(terms.sum()))[reduction]


@dataclass(frozen=True)
class Loss:
    """What a loss is tried with.

    Attributes
    ----------
    formula : callable
        (self, target, *attributes, *weights) in float64 to the terms.
    attributes : tuple of tuple
        Values of what comes behind the reduction, set by set.
    target, own : tuple of float
        The ranges of the operands.
    weights : int
        How many optional weights come behind the target.
    broadcasts, reductions
        Whether shapes broadcast; the reductions there are.
    """

    formula: Formula
    attributes: tuple[tuple[Any, ...], ...] = ((),)
    own: tuple[float, float] = (-2, 2)
    target: tuple[float, float] = (-2, 2)
    weights: int = 0
    broadcasts: bool = True
    reductions: tuple[int, ...] = (_NONE, _MEAN, _SUM)
    reduce: Callable[[Array, int, int], Array] = reduced

    def __call__(self, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        """Yield the cases."""
        for number, shape in enumerate(_SHAPES):
            for reduction in self.reductions:
                extra = self.attributes[number % len(self.attributes)]
                yield from self._case(dtype, rng, (shape, shape), reduction, extra)
        for pair in BROADCAST_PAIRS if self.broadcasts else ():
            for reduction in self.reductions:
                yield from self._case(dtype, rng, pair, reduction, self.attributes[0])
        for layout in LAYOUTS[1:]:
            for reduction in self.reductions[:2]:
                layouts = (layout, layout, layout if reduction == _NONE else "contiguous")
                yield from self._case(
                    dtype, rng, ((6, 7, 10),) * 2, reduction, self.attributes[-1], layouts
                )

    def _case(
        self, dtype: str, rng: np.random.Generator, shapes: tuple[tuple[int, ...], ...],
        reduction: int, extra: tuple[Any, ...], layouts: tuple[str, str, str] = ("contiguous",) * 3,
    ) -> Iterator[Case]:  # fmt: skip
        def values(shape: tuple[int, ...], span: tuple[float, float]) -> Array:
            return np.asarray(rng.uniform(*span, shape)).astype(numpy_dtype(dtype))

        x, y = values(shapes[0], self.own), values(shapes[1], self.target)
        given = [bool(rng.integers(2)) for _ in range(self.weights)]
        weights = [values(shapes[1], (0.5, 1.5)) if g else None for g in given]
        if shapes[0] == () and self.reduce is not reduced:
            return
        wide = [None if w is None else w.astype(np.float64) for w in weights]
        terms = np.asarray(self.formula(x.astype(np.float64), y.astype(np.float64), *extra, *wide))
        with np.errstate(all="ignore"):
            golden = self.reduce(terms, reduction, x.shape[0] if x.ndim else 1)
        operands = (
            Operand(x, layouts[0]), Operand(y, layouts[1]),
            *(None if w is None else Operand(w) for w in weights), reduction, *extra,
        )  # fmt: skip
        label = f"{shapes} reduction {reduction} {extra} {layouts[0]} weights {given}"
        yield Case(label, operands, (golden,), (layouts[2],), (dtype,))


def _over_first(terms: Array, reduction: int, batch: int) -> Array:
    if reduction == _NONE:
        return terms
    count = len(terms) or 1 if reduction == _MEAN else 1
    return np.asarray(terms.sum(axis=0) / count)


def _smooth(a: Array, b: Array, beta: float) -> Array:
    d = np.abs(a - b)
    return np.asarray(np.where(d < beta, 0.5 * d**2 / (beta or 1), d - 0.5 * beta))


def _divergence(x: Array, y: Array, logarithms: bool) -> Array:
    return np.asarray(np.exp(y) * (y - x) if logarithms else y * (np.log(y) - x))


def _cross_entropy(p: Array, y: Array, weight: Array | None) -> Array:
    terms = -(y * np.log(p) + (1 - y) * np.log(1 - p))
    return np.asarray(terms if weight is None else terms * weight)


def _with_logits(x: Array, y: Array, weight: Array | None, positive: Array | None) -> Array:
    p = 1 / (1 + np.exp(-x))
    yes = y if positive is None else y * positive
    terms = -(yes * np.log(p) + (1 - y) * np.log(1 - p))
    return np.asarray(terms if weight is None else terms * weight)


def _integers(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Differences of int64, which have no mean."""
    if dtype != "int64":
        yield from Loss(lambda a, b: np.abs(a - b))(dtype, rng)
        return
    for shape in _SHAPES:
        a, b = (rng.integers(-50, 50, shape) for _ in range(2))
        for reduction in (_NONE, _SUM):
            golden = reduced(np.abs(a - b), reduction, 1)
            yield Case(
                f"{shape} reduction {reduction}", (Operand(a), Operand(b), reduction), (golden,),
                ("contiguous",), ("int64",),
            )  # fmt: skip


def _nonempty(cases: Any) -> Any:
    """Leave out empty operands, of which nothing is written."""
    return lambda dtype, rng: (c for c in cases(dtype, rng) if c.inputs[0].values.size)


_square = Loss(lambda a, b: (a - b) ** 2)
_first = Loss(lambda a, b: (a - b) ** 2, broadcasts=False, reduce=_over_first)

SUITES = (
    Suite("mse_loss", FLOATS, _square),
    Suite("mse_loss_out", FLOATS, _nonempty(_first)),
    Suite("l1_loss", (*FLOATS, "int64"), _integers),
    Suite("smooth_l1_loss", FLOATS, Loss(_smooth, ((1.0,), (0.5,), (0.0,)))),
    Suite("soft_margin_loss", FLOATS, Loss(lambda x, y: np.logaddexp(0, -x * y))),
    Suite("kl_div", FLOATS, Loss(
        _divergence, ((False,), (True,)), own=(-3, -1), target=(0.5, 1.5),
        reductions=(_NONE, _MEAN, _SUM, _BATCH_MEAN),
    )),
    Suite("binary_cross_entropy", FLOATS, Loss(
        _cross_entropy, own=(0.1, 0.9), target=(0, 1), weights=1, broadcasts=False,
    )),
    Suite("binary_cross_entropy_with_logits", FLOATS, Loss(
        _with_logits, target=(0, 1), weights=2, broadcasts=False,
    )),
)  # fmt: skip
