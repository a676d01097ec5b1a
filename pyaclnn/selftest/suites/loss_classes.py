"""Gradients of classification losses: one class of each row, or one path of many."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import pyaclnn as pa
from pyaclnn.selftest.cases import Array, Case, Operand, Suite, in_views, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.loss import FLOATS, MEAN, NONE, REDUCTIONS

_TARGETS = ("int64", "int32", "uint8")


def nll_loss_backward(
    grad: Array, target: Array, weight: Array, reduction: int, ignore: int, total: Array,
    shape: tuple[int, ...], axis: int,
) -> Array:  # fmt: skip
    """-weight[t] g at the row's class, 0 elsewhere (torch.nn.functional.nll_loss)."""
    rows = np.zeros(shape, dtype=np.float64)
    counts = np.expand_dims(target, axis) == np.expand_dims(
        np.arange(shape[axis]), tuple(i for i in range(len(shape)) if i != axis)
    )
    counts &= np.expand_dims(target != ignore, axis)
    per_class = np.expand_dims(weight, tuple(i for i in range(len(shape)) if i != axis))
    per_row = np.expand_dims(grad, axis) if grad.shape == target.shape else grad.reshape(-1)[0]
    rows = np.where(counts, -per_class * per_row, 0.0)
    return np.asarray(rows / total.reshape(-1)[0] if reduction == MEAN else rows)


def _nll_case(
    label: str, dtype: str, rng: np.random.Generator, shape: tuple[int, ...], axis: int,
    reduction: int, *, ignore: int = -100, target_dtype: str = "int64", layout: str = "contiguous",
    out_layout: str = "contiguous", total_shape: tuple[int, ...] = (1,),
) -> Case:  # fmt: skip
    kind = numpy_dtype(dtype)
    rows = shape[:axis] + shape[axis + 1 :]
    classes = shape[axis]
    target = rng.integers(0, max(classes, 1), rows).astype(target_dtype)
    if target.size and ignore < 0 and target_dtype != "uint8":
        target.reshape(-1)[:: max(2, target.size // 3)] = ignore
    weight = rng.uniform(0.5, 2.0, (classes,)).astype(kind)
    # Where the loss is not reduced there is a gradient for each row, but for a row alone one.
    grad = rng.normal(0.0, 1.0, rows if reduction == NONE else (1,)).astype(kind)
    values = rng.normal(0.0, 1.0, shape).astype(kind)
    total = np.full(total_shape, 1 + 0.75 * target.size).astype(kind)
    golden = nll_loss_backward(
        grad.astype(np.float64), target.astype(np.int64), weight.astype(np.float64), reduction,
        ignore, total.astype(np.float64), shape, axis,
    )  # fmt: skip
    inputs = (
        Operand(grad, layout if grad.size > 1 else "contiguous"), Operand(values, layout),
        Operand(target, layout if target.ndim else "contiguous"),
        Operand(weight, layout), reduction, ignore, Operand(total),
    )  # fmt: skip
    outs = () if out_layout == "contiguous" else (out_layout,)
    return Case(label, inputs, (golden,), outs, (dtype,) if outs else ())


def _nll(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape in ((1,), (7,), (1, 1), (5, 3), (1, 9), (9, 1), (64, 17), (513, 5), (3, 4099)):
        for reduction in REDUCTIONS:
            label = f"shape {shape} reduction {reduction}"
            yield _nll_case(label, dtype, rng, shape, len(shape) - 1, reduction)
    for target in _TARGETS:
        yield _nll_case(f"target {target}", dtype, rng, (31, 11), 1, MEAN, target_dtype=target)
    for ignore in (0, 4, 10, 255, -1):
        yield _nll_case(f"ignore {ignore}", dtype, rng, (31, 11), 1, NONE, ignore=ignore)
    for layout in LAYOUTS[1:]:
        for out in ("contiguous", layout):
            label = f"{layout} → {out}"
            yield _nll_case(label, dtype, rng, (13, 10), 1, NONE, layout=layout, out_layout=out)
    yield _nll_case("totalWeight 0-d", dtype, rng, (4, 3), 1, MEAN, total_shape=())
    yield from in_views(_nll_case("mean", dtype, rng, (13, 10), 1, MEAN), 6)
    yield _nll_case("no rows", dtype, rng, (0, 3), 1, NONE)


def _nll_2d(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape in ((1, 1, 1, 1), (3, 5, 1, 1), (2, 4, 3, 7), (1, 21, 16, 16), (4, 3, 33, 65)):
        for reduction in REDUCTIONS:
            label = f"shape {shape} reduction {reduction}"
            yield _nll_case(label, dtype, rng, shape, 1, reduction)
    for target in _TARGETS:
        yield _nll_case(f"target {target}", dtype, rng, (2, 11, 3, 4), 1, MEAN, target_dtype=target)
    for ignore in (0, 4, -1):
        yield _nll_case(f"ignore {ignore}", dtype, rng, (2, 5, 3, 4), 1, NONE, ignore=ignore)
    for layout in LAYOUTS[1:]:
        for out in ("contiguous", layout):
            label = f"{layout} → {out}"
            yield _nll_case(label, dtype, rng, (2, 5, 6, 4), 1, NONE, layout=layout, out_layout=out)
    yield from in_views(_nll_case("mean", dtype, rng, (2, 5, 6, 4), 1, MEAN), 6)
    yield _nll_case("no pixels", dtype, rng, (2, 3, 0, 4), 1, NONE)


def cross_entropy_loss_grad(
    grad: Array, log_prob: Array, target: Array, weight: Array | None, reduction: str, ignore: int,
    smoothing: float,
) -> Array:  # fmt: skip
    """Gradient by the logits, given log_softmax of them (torch.nn.functional.cross_entropy)."""
    rows, classes = log_prob.shape
    w = np.ones(classes) if weight is None else weight
    counts = (target != ignore).astype(np.float64)
    own = w[np.where(target == ignore, 0, target)] * counts
    with np.errstate(all="ignore"):  # no row that counts: the mean is NaN
        scale = grad / own.sum() if reduction == "mean" else grad
        nll = np.broadcast_to(scale, (rows,)) * (1 - smoothing) * own
        smooth = np.broadcast_to(scale, (rows,)) * smoothing / classes * counts
        # By log_prob, then through log_softmax: d - softmax * sum(d).
        by_log_prob = -smooth[:, None] * w
        by_log_prob[np.arange(rows), np.where(target == ignore, 0, target)] -= nll
        total = by_log_prob.sum(axis=1, keepdims=True)
        return np.asarray(by_log_prob - np.exp(log_prob) * total)


def _cross_entropy(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, shape: tuple[int, int], reduction: str, weighted: bool, ignore: int = -100,
        smoothing: float = 0.0, layout: str = "contiguous", out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        rows, classes = shape
        logits = rng.normal(0.0, 1.0, shape)
        log_prob = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        log_prob = log_prob.astype(kind)
        target = rng.integers(0, classes, (rows,))
        target[:: max(2, rows // 3)] = ignore if classes > 1 else target[:: max(2, rows // 3)]
        # Large enough a gradient for the mean to stay normal in float16.
        grad = (rng.uniform(0.5, 1.5, (rows,) if reduction == "none" else ()) * 8).astype(kind)
        weight = rng.uniform(0.5, 2.0, (classes,)).astype(np.float32) if weighted else None
        golden = cross_entropy_loss_grad(
            grad.astype(np.float64), log_prob.astype(np.float64), target,
            None if weight is None else weight.astype(np.float64), reduction, ignore, smoothing,
        )  # fmt: skip
        inputs = (
            Operand(grad), Operand(log_prob, layout), Operand(target, layout),
            None if weight is None else Operand(weight, layout), None, None, reduction, ignore,
            smoothing, 0.0,
        )  # fmt: skip
        return Case(label, inputs, (golden,), out)

    if not has_bfloat16():  # nor the operator
        return
    for shape in ((2, 3), (1, 7), (9, 2), (17, 33), (64, 128), (5, 4099), (700, 10)):
        for reduction in ("none", "mean", "sum"):
            for weighted in (False, True):
                yield case(f"{shape} {reduction} {weighted}", shape, reduction, weighted)
    for ignore in (0, 2, -1):
        yield case(f"ignore {ignore}", (40, 5), "mean", True, ignore)
    # CANN's document takes no other smoothing than 0 yet; its kernel computes it.
    for smoothing in (0.1, 0.5, 1.0) if pa.backend.name == "simulator" else ():
        for reduction in ("none", "mean", "sum"):
            label = f"smoothing {smoothing} {reduction}"
            yield case(label, (12, 6), reduction, True, smoothing=smoothing)
    for layout in LAYOUTS[1:]:
        yield case(f"{layout} inputs", (8, 10), "none", True, layout=layout)
        yield case(f"{layout} output", (8, 10), "none", False, out=(layout,))
    yield from in_views(case("none", (8, 10), "none", True), 0)


def _log_add(a: Array, b: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(np.logaddexp(a, b))


def ctc_states(labels: Array, blank: int) -> Array:
    """Labels with blanks between and around them."""
    states = np.full(2 * labels.size + 1, blank)
    states[1::2] = labels
    return states


def _skips(states: Array) -> Array:
    """Whether a path may go to a state from the one before the one before it."""
    may = np.zeros(states.size, dtype=bool)
    may[2:] = states[2:] != states[:-2]
    return may


def _shifted(values: Array, by: int) -> Array:
    moved = np.full_like(values, -np.inf)
    if by < values.size:
        moved[by:] = values[: values.size - by]
    return moved


def ctc_alpha(log_probs: Array, states: Array) -> Array:
    """Logarithm of the probability of all beginnings of paths: [time, state]."""
    alpha = np.full((log_probs.shape[0], states.size), -np.inf)
    alpha[0, :2] = log_probs[0, states[:2]]
    skips = _skips(states)
    for t in range(1, log_probs.shape[0]):
        before = alpha[t - 1]
        reached = _log_add(before, _shifted(before, 1))
        reached = _log_add(reached, np.where(skips, _shifted(before, 2), -np.inf))
        alpha[t] = reached + log_probs[t, states]
    return alpha


def ctc_loss_backward(
    grad: float, log_probs: Array, states: Array, nll: float, alpha: Array
) -> Array:
    """(e^lp - e^(ab + nll - lp)) g of one sample (torch.nn.functional.ctc_loss, not reduced)."""
    # The ends of paths are the beginnings of the reversed ones.
    beta = ctc_alpha(log_probs[::-1], states[::-1])[::-1, ::-1]
    with np.errstate(all="ignore"):
        through = alpha + beta
        sums = np.full(log_probs.shape, -np.inf)
        for s, state in enumerate(states):
            sums[:, state] = _log_add(sums[:, state], through[:, s])
        return np.asarray((np.exp(log_probs) - np.exp(sums + nll - log_probs)) * grad)


def _ctc(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, times: list[int], lengths: list[int], classes: int, *, blank: int = 0,
        joined: bool = False, target_dtype: str = "int64", zero_infinity: bool = False,
        layout: str = "contiguous", out: tuple[str, ...] = (), spare: int = 0,
    ) -> Case:  # fmt: skip
        batch, longest, most = len(times), max(times) + spare, max(lengths)
        logits = rng.normal(0.0, 1.0, (longest, batch, classes))
        log_probs = logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))
        log_probs = log_probs.astype(kind)
        exact = log_probs.astype(np.float64)
        choices = np.array([c for c in range(classes) if c != blank])
        if target_dtype == "bool":
            choices = choices[choices == 1]
        targets = rng.choice(choices, (batch, most + spare))
        alpha = np.full((batch, longest, 2 * most + 1), -np.inf)
        nll = np.zeros(batch)
        grad = rng.uniform(0.5, 2.0, batch).astype(kind)
        golden = np.zeros(log_probs.shape)
        for n, (time, length) in enumerate(zip(times, lengths, strict=True)):
            states = ctc_states(targets[n, :length], blank)
            own = ctc_alpha(exact[:time, n], states)
            alpha[n, :time, : states.size] = own
            nll[n] = -np.logaddexp.reduce(own[-1, -2:])
            if zero_infinity and np.isinf(nll[n]):
                continue
            golden[:time, n] = ctc_loss_backward(
                float(grad[n]), exact[:time, n], states, float(nll[n].astype(kind)),
                own.astype(kind).astype(np.float64),
            )  # fmt: skip
        given = targets
        if joined:
            given = np.concatenate([targets[n, :length] for n, length in enumerate(lengths)])
        inputs = (
            Operand(grad), Operand(log_probs, layout), Operand(given.astype(target_dtype), layout),
            times, lengths, Operand(nll.astype(kind)), Operand(alpha.astype(kind), layout), blank,
            zero_infinity,
        )  # fmt: skip
        return Case(label, inputs, (golden,), out, (dtype,) if out else ())

    if dtype == "float16" and not has_bfloat16():  # older chips have no 16-bit kernel
        return
    for times, lengths, classes in (
        ([1], [1], 3), ([2], [1], 2), ([5], [2], 4), ([8, 8], [3, 3], 6), ([9, 7, 5], [4, 2, 1], 7),
        ([12, 12, 12, 12], [5, 1, 3, 2], 20), ([30], [10], 50), ([6, 6], [0, 2], 5), ([4], [0], 3),
        ([20, 3], [8, 1], 300), ([17] * 9, [6] * 9, 11),
    ):  # fmt: skip
        label = f"times {times} labels {lengths} classes {classes}"
        yield case(label, times, lengths, classes)
        yield case(f"{label}, joined", times, lengths, classes, joined=True)
    for blank in (1, 5):
        yield case(f"blank {blank}", [9, 8], [3, 2], 6, blank=blank)
    for target in ("int32", "bool", "float32", "float16"):
        yield case(f"targets {target}", [9, 8], [3, 2], 6, target_dtype=target)
    for zero_infinity in (False, True):
        label = f"too short for its labels, zeroInfinity {zero_infinity}"
        yield case(label, [2, 9], [5, 2], 6, zero_infinity=zero_infinity)
    for layout in LAYOUTS[1:]:
        yield case(f"{layout} inputs", [9, 7], [3, 2], 6, layout=layout)
        yield case(f"{layout} output", [9, 7], [3, 2], 6, out=(layout,))
    yield from in_views(case("three samples", [9, 7, 5], [3, 2, 1], 6), 0, 5)
    yield case("more times and labels than used", [5, 6], [2, 3], 5, spare=2)


SUITES = (
    Suite("nll_loss_backward", FLOATS, _nll),
    Suite("nll_loss2d_backward", FLOATS, _nll_2d),
    Suite("cross_entropy_loss_grad", FLOATS, _cross_entropy),
    Suite("ctc_loss_backward", (*FLOATS, "float64"), _ctc),
)
