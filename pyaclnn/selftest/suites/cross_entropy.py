"""The cross entropy of classes: log-probabilities and losses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.layouts import LAYOUTS

_SHAPES = ((1, 1), (2, 3), (1, 7), (9, 2), (17, 33), (64, 128), (5, 4099), (700, 10))
_REDUCTIONS = ("none", "mean", "sum")


def cross_entropy_loss(
    logits: Array, target: Array, weight: Array | None, reduction: str, ignore: int,
    smoothing: float,
) -> tuple[Array, Array]:  # fmt: skip
    """Return the loss and log_softmax (torch.nn.functional.cross_entropy)."""
    largest = logits.max(axis=1, keepdims=True)
    log_prob = logits - largest - np.log(np.exp(logits - largest).sum(axis=1, keepdims=True))
    w = np.ones(logits.shape[1]) if weight is None else weight
    counts = target != ignore
    own = np.where(counts, target, 0)
    each = -(1 - smoothing) * w[own] * np.take_along_axis(log_prob, own[:, None], 1)[:, 0]
    each = np.where(counts, each - smoothing * (w * log_prob).mean(axis=1), 0.0)
    if reduction == "none":
        return each, log_prob
    with np.errstate(all="ignore"):  # no row that counts: the mean is NaN
        loss = each.sum() / w[own][counts].sum() if reduction == "mean" else each.sum()
    return np.reshape(loss, (1,)), log_prob


def _cross_entropy(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():  # nor the operator
        return

    def case(
        label: str, shape: tuple[int, int], reduction: str | None = "none", weighted: bool = False,
        ignore: int = -100, smoothing: float = 0.0, layout: str = "contiguous", shift: float = 0.0,
        ignored: slice = slice(None, None, 3),
    ) -> Case:  # fmt: skip
        rows, classes = shape
        logits = (rng.normal(0.0, 1.0, shape) + shift).astype(numpy_dtype(dtype))
        target = rng.integers(0, classes, (rows,))
        if rows > 1:
            target[ignored] = ignore
        weight = rng.uniform(0.5, 2.0, (classes,)).astype(np.float32) if weighted else None
        golden: tuple[Any, ...] = cross_entropy_loss(
            logits.astype(np.float64), target,
            None if weight is None else weight.astype(np.float64), reduction or "mean", ignore,
            smoothing,
        )  # fmt: skip
        inputs = (
            Operand(logits, layout), Operand(target, layout),
            None if weight is None else Operand(weight, layout), reduction, ignore, smoothing, 0.0,
            False,
        )  # fmt: skip
        # CANN's kernels do not write what belongs to the z-loss.
        return Case(label, inputs, (*golden, None, None))

    for shape in _SHAPES:
        for reduction in _REDUCTIONS:
            for weighted in (False, True):
                yield case(f"{shape} {reduction} {weighted}", shape, reduction, weighted)
    for ignore in (0, 2, -1):
        yield case(f"ignore {ignore}", (40, 5), "mean", True, ignore)
    for smoothing in (0.1, 0.5, 1.0):
        for reduction in _REDUCTIONS:
            label = f"smoothing {smoothing} {reduction}"
            yield case(label, (12, 6), reduction, True, smoothing=smoothing)
    yield case("no weights, smoothing", (12, 6), "mean", smoothing=0.25)
    yield case("no reduction named", (12, 6), None)
    yield case("large logits", (12, 6), "none", True, shift=1000.0)
    yield case("no row counts", (6, 4), "mean", ignored=slice(None))
    for layout in LAYOUTS[1:]:
        yield case(layout, (8, 10), "none", True, layout=layout)


SUITES = (Suite("cross_entropy_loss", ("float32", "float16", "bfloat16"), _cross_entropy),)
