"""Softmax, its logarithm, and the loss of class scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.layouts import LAYOUTS

_DTYPES = ("float32", "float16", "bfloat16", "float64")
_SHAPES = ((), (1,), (7,), (33,), (3, 5), (40, 17), (2, 3, 4), (3, 700), (700, 3), (2, 3, 4, 5),
           (2, 1, 2, 1, 2, 1, 2, 3), (0, 3))  # fmt: skip


def _softmax(x: Array, dim: int) -> Array:
    power = np.exp(x - x.max(dim, keepdims=True))
    return np.asarray(power / power.sum(dim, keepdims=True))


def _log_softmax(x: Array, dim: int) -> Array:
    shifted = x - x.max(dim, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(dim, keepdims=True)))


def _along(formula: Callable[[Array, int], Array]) -> Callable[..., Iterator[Case]]:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for shape in _SHAPES:
            values = np.asarray(rng.normal(0, 2, shape)).astype(numpy_dtype(dtype))
            for dim in range(-1, max(len(shape), 1)):
                wide = values.astype(np.float64)
                if not values.size:
                    golden = wide
                elif not shape:
                    golden = formula(wide.reshape(1), 0).reshape(())
                else:
                    golden = formula(wide, dim)
                yield Case(f"{shape} along {dim}", (Operand(values), dim), (golden,))
        for layout in LAYOUTS[1:]:
            for dim in range(3):
                values = rng.normal(0, 2, (6, 7, 10)).astype(numpy_dtype(dtype))
                golden = formula(values.astype(np.float64), dim)
                yield Case(
                    f"{layout} along {dim}", (Operand(values, layout), dim), (golden,), (layout,)
                )

    return cases


def _nll_loss(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for rows, classes in ((None, 3), (1, 1), (1, 5), (7, 4), (64, 10), (33, 100)):
        for target_dtype in ("int64", "int32", "uint8"):
            for reduction in range(3):
                shape = (classes,) if rows is None else (rows, classes)
                scores = (-rng.uniform(0.1, 4, shape)).astype(numpy_dtype(dtype))
                targets = np.asarray(rng.integers(0, classes, shape[:-1])).astype(target_dtype)
                weights = rng.uniform(0.5, 2, classes).astype(numpy_dtype(dtype))
                ignored = 1 if classes > 1 else -100
                yield _nll_case(scores, targets, weights, reduction, ignored)
    for layout in LAYOUTS[1:]:
        scores = (-rng.uniform(0.1, 4, (9, 6))).astype(numpy_dtype(dtype))
        targets = rng.integers(0, 6, 9)
        weights = rng.uniform(0.5, 2, 6).astype(numpy_dtype(dtype))
        for reduction in (0, 1):
            yield _nll_case(scores, targets, weights, reduction, -100, layout)


def _nll_case(
    scores: Array, targets: Array, weights: Array, reduction: int, ignored: int,
    layout: str = "contiguous",
) -> Case:  # fmt: skip
    rows = np.atleast_2d(scores).astype(np.float64)
    picked = np.atleast_1d(targets).astype(np.int64)
    weight = np.where(picked == ignored, 0.0, weights.astype(np.float64)[picked])
    losses = -weight * rows[np.arange(len(picked)), picked]
    with np.errstate(all="ignore"):
        golden: Array = np.asarray([losses, losses.sum() / weight.sum(), losses.sum()][reduction])
    if scores.ndim == 1:
        golden = golden.reshape(())
    inputs = (
        Operand(scores, layout), Operand(targets, layout), Operand(weights, layout), reduction,
        ignored,
    )  # fmt: skip
    total = None if reduction == 0 else np.asarray([weight.sum()])
    return Case(f"{scores.shape} reduction {reduction} {layout}", inputs, (golden, total))


SUITES = (
    Suite("softmax", _DTYPES, _along(_softmax)),
    Suite("log_softmax", _DTYPES, _along(_log_softmax)),
    Suite("nll_loss", ("float32", "float16", "bfloat16"), _nll_loss),
)
