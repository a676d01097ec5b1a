"""Element-wise loss gradients: formulas in float64, reductions, weights, broadcasting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import (
    EMPTY_SHAPES,
    SHAPES,
    Array,
    Case,
    Operand,
    Suite,
    numpy_dtype,
)
from pyaclnn.selftest.chips import is_a2_or_a3
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.elementwise import without_bfloat16_on_950

NONE, MEAN, SUM, BATCH_MEAN = range(4)
REDUCTIONS = (NONE, MEAN, SUM)

FLOATS = ("float32", "float16", "bfloat16")

#: Shapes of gradient, self and target that broadcast; the gradient of a reduced loss first.
BROADCASTS: tuple[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], ...] = (
    ((), (4, 5), (4, 5)), ((1,), (3, 4), (3, 4)), ((4, 5), (5,), (4, 1)), ((5,), (4, 5), (4, 5)),
    ((2, 1, 4), (3, 1), (2, 3, 4)), ((3, 1), (1, 4), (3, 4)), ((), (), (7,)),
    ((6, 1, 5, 1), (4, 1, 3), (1,)),
)  # fmt: skip

#: (grad, x, t, ...) in float64 to the gradient before reduction.
Formula = Callable[..., Array]
#: (shape, generator) to values, float64.
Make = Callable[[tuple[int, ...], np.random.Generator], Array]


def mse_loss_backward(grad: Array, x: Array, t: Array) -> Array:
    """2 (x - t) g (torch.nn.functional.mse_loss)."""
    return np.asarray(2 * (x - t) * grad)


def l1_loss_backward(grad: Array, x: Array, t: Array) -> Array:
    """sign(x - t) g (torch.nn.functional.l1_loss)."""
    return np.asarray(np.sign(x - t) * grad)


def smooth_l1_loss_backward(grad: Array, x: Array, t: Array, beta: float) -> Array:
    """(x - t)/beta within beta, its sign outside (torch.nn.functional.smooth_l1_loss)."""
    d = x - t
    with np.errstate(all="ignore"):
        return np.where(np.abs(d) < beta, d / beta, np.sign(d)) * grad


def soft_margin_loss_backward(grad: Array, x: Array, t: Array) -> Array:
    """-t / (1 + exp(t x)) g (torch.nn.functional.soft_margin_loss)."""
    return np.asarray(-t / (1 + np.exp(t * x)) * grad)


def binary_cross_entropy_backward(grad: Array, x: Array, t: Array, weight: Array | None) -> Array:
    """W (x - t) / max(x (1 - x), 1e-12) g (torch.nn.functional.binary_cross_entropy)."""
    w = 1.0 if weight is None else weight
    return np.asarray(w * (x - t) / np.maximum(x * (1 - x), 1e-12) * grad)


def binary_cross_entropy_with_logits_backward(
    grad: Array, x: Array, t: Array, weight: Array | None, pos_weight: Array | None
) -> Array:
    """W ((1 - t) s - p t (1 - s)) g, s = sigmoid(x) (the torch function of that name)."""
    w = 1.0 if weight is None else weight
    p = 1.0 if pos_weight is None else pos_weight
    return np.asarray(w * ((1 - t) / (1 + np.exp(-x)) - p * t / (1 + np.exp(x))) * grad)


def binary_cross_entropy_with_logits_target_backward(
    grad: Array, x: Array, t: Array, weight: Array | None, pos_weight: Array | None
) -> Array:
    """W (p softplus(-x) - softplus(x)) g (torch's binary_cross_entropy_with_logits, by target)."""
    w = 1.0 if weight is None else weight
    p = 1.0 if pos_weight is None else pos_weight
    return np.asarray(w * (p * np.logaddexp(0, -x) - np.logaddexp(0, x)) * grad)


def kl_div_backward(grad: Array, x: Array, t: Array, log_target: bool) -> Array:
    """-t g, or -exp(t) g (torch.nn.functional.kl_div)."""
    return np.asarray(-(np.exp(t) if log_target else t) * grad + 0 * x)


def kl_div_target_backward(grad: Array, x: Array, t: Array, log_target: bool) -> Array:
    """(ln t + 1 - x) g, or exp(t) (t + 1 - x) g (torch.nn.functional.kl_div, by target)."""
    if log_target:
        return np.asarray(np.exp(t) * (t + 1 - x) * grad)
    return np.asarray((np.log(t) + 1 - x) * grad)


def reduced(gradient: Array, reduction: int, elements: int) -> Array:
    """Divide by the number of elements for the mean."""
    return np.asarray(gradient / elements if reduction == MEAN else gradient)


def normal(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Both signs, of the size of 1."""
    return np.asarray(rng.normal(0.0, 1.5, shape))


def signs(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Class labels -1 and 1."""
    return np.asarray(rng.choice([-1.0, 1.0], shape))


def between(low: float, high: float) -> Make:
    """Uniform values."""
    return lambda shape, rng: np.asarray(rng.uniform(low, high, shape))


def labels(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Class labels 0 and 1. Soft ones would cancel against the probability somewhere."""
    return np.asarray(rng.choice([0.0, 1.0], shape))


def _layout_sets(operands: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """Layouts of the inputs and the output: each alone, and all of them together."""
    plain = ("contiguous",) * operands
    for layout in LAYOUTS[1:]:
        for position in range(operands):
            yield (*plain[:position], layout, *plain[position + 1 :]), "contiguous"
        yield plain, layout
        yield (layout,) * operands, layout
    yield (LAYOUTS * 2)[1 : operands + 1], "every_second"


class _Maker:
    """Builds the cases of one operator.

    Parameters
    ----------
    formula : callable
        Golden values before reduction.
    makes : sequence of callable
        Values of gradient, self, target and of the optional weights.
    """

    def __init__(self, dtype: str, rng: np.random.Generator, formula: Formula, *makes: Make):
        self.dtype, self.rng, self.formula, self.makes = dtype, rng, formula, makes

    def values(self, *shapes: tuple[int, ...] | None) -> list[Array | None]:
        """Values of the operands, None for a weight that is left out."""
        kind = numpy_dtype(self.dtype)
        return [
            None if shape is None else make(shape, self.rng).astype(kind)
            for make, shape in zip(self.makes, shapes, strict=True)
        ]

    def case(
        self, label: str, values: Sequence[Array | None], reduction: int, *extra: Any,
        layouts: tuple[str, ...] = (), out: tuple[str, ...] = (), elements: int | None = None,
        out_dtypes: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        """Return a case; ``elements`` is what the mean divides by, that of self by default."""
        exact = [None if v is None else v.astype(np.float64) for v in values]
        gradient = self.formula(*exact, *extra)
        self_values = values[1]
        assert self_values is not None
        golden = reduced(gradient, reduction, self_values.size if elements is None else elements)
        layouts = layouts or ("contiguous",) * len(values)
        operands = [
            None if v is None else Operand(v, layout)
            for v, layout in zip(values, layouts, strict=True)
        ]
        # The place of the reduction is after the tensors, that of other attributes behind it.
        return Case(label, (*operands, reduction, *extra), (golden,), out, out_dtypes)


def _pointwise(
    formula: Formula, makes: tuple[Make, ...], *, extras: tuple[tuple[Any, ...], ...] = ((),),
    mean_of_all: bool = False,
) -> Callable[[str, np.random.Generator], Iterator[Case]]:  # fmt: skip
    """Cases of a loss of gradient, self and target that broadcast among one another."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        maker = _Maker(dtype, rng, formula, *makes)
        first = extras[0]
        for number, shape in enumerate((*SHAPES, *EMPTY_SHAPES)):
            reduction = REDUCTIONS[number % 3]
            values = maker.values(shape, shape, shape)
            yield maker.case(
                f"shape {shape}", values, reduction, *first, elements=max(1, _size(shape))
            )
        for layouts, out in _layout_sets(3):
            values = maker.values(*[(6, 7, 10)] * 3)
            label = f"{' × '.join(layouts)} → {out}"
            yield maker.case(label, values, NONE, *first, layouts=layouts, out=(out,))
        for extra in extras:
            for reduction in REDUCTIONS:
                values = maker.values(*[(41, 29)] * 3)
                yield maker.case(f"reduction {reduction} {extra}", values, reduction, *extra)
        for shapes in BROADCASTS:
            for reduction in REDUCTIONS:
                size = _size(np.broadcast_shapes(*shapes)) if mean_of_all else None
                yield maker.case(
                    f"broadcast {shapes} reduction {reduction}", maker.values(*shapes), reduction,
                    *first, elements=size,
                )  # fmt: skip
        if dtype == "float32":
            values = maker.values(*[(9, 11)] * 3)
            yield maker.case("result as float16", values, NONE, *first, out_dtypes=("float16",))

    return cases


def _size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=np.int64))


def _weighted(
    formula: Formula, makes: tuple[Make, ...], out_as_target: bool = False
) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    """Cases of a binary cross entropy: gradient and weights broadcast to the shape of self."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        maker = _Maker(dtype, rng, formula, *makes)
        weights = len(makes) - 3

        def call(
            label: str, shape: tuple[int, ...], given: Sequence[tuple[int, ...] | None],
            reduction: int = NONE, grad_shape: tuple[int, ...] | None = None, **more: Any,
        ) -> Case:  # fmt: skip
            grad = shape if grad_shape is None else grad_shape
            values = maker.values(grad, shape, shape, *given)
            return maker.case(label, values, reduction, elements=max(1, _size(shape)), **more)

        none: list[tuple[int, ...] | None] = [None] * weights
        for number, shape in enumerate((*SHAPES, *EMPTY_SHAPES)):
            yield call(f"shape {shape}", shape, [shape] * weights, REDUCTIONS[number % 3])
            if number % 4 == 0:
                yield call(f"shape {shape} unweighted", shape, none, REDUCTIONS[number % 3])
        for layouts, out in _layout_sets(3 + weights):
            label = f"{' × '.join(layouts)} → {out}"
            yield call(label, (6, 7, 10), [(6, 7, 10)] * weights, layouts=layouts, out=(out,))
        for reduction in REDUCTIONS:
            for grad_shape in ((), (1,), (13,), (11, 1), (11, 13)):
                for position in range(weights + 1):
                    given = list(none)
                    if position < weights:
                        given[position] = (13,)
                    label = f"reduction {reduction} grad {grad_shape} weight {position}"
                    yield call(label, (11, 13), given, reduction, grad_shape)
        if dtype == "float32" and not out_as_target:
            yield call("result as float16", (9, 11), none, out_dtypes=("float16",))

    return cases


def _divergence(
    formula: Formula, by_target: bool
) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    """Cases of the Kullback-Leibler divergence, summed to self's or target's shape."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        # Values without cancellation: log-probabilities, and targets above 1/e.
        probabilities = (between(0.5, 1.5), between(-4.0, -0.5), between(0.4, 1.0))
        logarithms = (between(0.5, 1.5), between(-4.0, -0.5), between(-0.9, 0.0))

        def call(
            label: str, shapes: tuple[tuple[int, ...], ...], reduction: int, log_target: bool,
            **more: Any,
        ) -> Case:  # fmt: skip
            maker = _Maker(dtype, rng, formula, *(logarithms if log_target else probabilities))
            values = maker.values(*shapes)
            case = maker.case(label, values, NONE, log_target, **more)
            common = np.broadcast_shapes(*shapes)
            (golden,) = case.golden
            assert golden is not None
            if reduction == MEAN:
                golden = golden / max(1, _size(common))
            elif reduction == BATCH_MEAN:
                golden = golden / max(1, common[0] if common else 1)
            golden = _sum_to(golden, shapes[2] if by_target else shapes[1])
            inputs = (*case.inputs[:3], reduction, log_target)
            return Case(label, inputs, (golden,), case.out_layouts, case.out_dtypes)

        for number, shape in enumerate((*SHAPES, *EMPTY_SHAPES)):
            yield call(f"shape {shape}", (shape,) * 3, number % 4, number % 8 > 3)
        for number, (layouts, out) in enumerate(_layout_sets(3)):
            label = f"{' × '.join(layouts)} → {out}"
            yield call(label, ((6, 7, 10),) * 3, NONE, number % 2 > 0, layouts=layouts, out=(out,))
        for log_target in (False, True):
            for reduction in (NONE, MEAN, SUM, BATCH_MEAN):
                for shapes in (
                    ((41, 29),) * 3, ((), (5, 6), (5, 6)), ((6,), (5, 6), (6,)),
                    ((5, 6), (6,), (5, 6)), ((5, 1), (5, 1), (5, 600)), ((3, 40), (1,), (3, 40)),
                    ((2, 3, 4), (3, 1), (2, 3, 4)), ((), (4, 1, 5), (2, 1)), ((700, 40),) * 3,
                    ((700, 40), (40,), (700, 40)), ((700, 40), (700, 40), (700, 1)),
                ):  # fmt: skip
                    yield call(
                        f"{shapes} reduction {reduction} log {log_target}", shapes, reduction,
                        log_target,
                    )  # fmt: skip

    return cases


def _sum_to(values: Array, shape: tuple[int, ...]) -> Array:
    """Sum over the dimensions that broadcasting added."""
    added = values.ndim - len(shape)
    values = values.sum(axis=tuple(range(added)))
    grown = tuple(i for i, n in enumerate(shape) if n == 1 and values.shape[i] != 1)
    return np.asarray(values.sum(axis=grown, keepdims=True))


def _where(
    available: Callable[[], bool], cases: Callable[[str, np.random.Generator], Iterator[Case]]
) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    """Cases on the chips and releases that have the operator, none elsewhere."""
    return lambda dtype, rng: cases(dtype, rng) if available() else iter(())


_BCE_MAKES = (normal, between(0.05, 0.95), between(0.0, 1.0), between(0.5, 2.0))
_LOGITS_MAKES = (normal, normal, labels, between(0.5, 2.0), between(0.5, 3.0))
# Logits of one sign: the two terms cannot cancel against each other.
_TARGET_MAKES = (normal, between(-6.0, 0.0), labels, between(0.5, 2.0), between(1.5, 3.0))

SUITES = (
    Suite("mse_loss_backward", FLOATS, _pointwise(mse_loss_backward, (normal,) * 3)),
    Suite(
        "l1_loss_backward", FLOATS, _pointwise(l1_loss_backward, (normal,) * 3, mean_of_all=True)
    ),
    Suite(
        "smooth_l1_loss_backward", FLOATS,
        _pointwise(
            smooth_l1_loss_backward, (normal,) * 3, extras=((1.0,), (0.25,), (0.0,), (7.5,))
        ),
    ),
    Suite(
        "soft_margin_loss_backward", FLOATS,
        without_bfloat16_on_950(
            _pointwise(soft_margin_loss_backward, (normal, normal, signs), mean_of_all=True)
        ),
    ),
    Suite(
        "binary_cross_entropy_backward", FLOATS,
        _weighted(binary_cross_entropy_backward, _BCE_MAKES),
    ),
    Suite(
        "binary_cross_entropy_with_logits_backward", FLOATS,
        _weighted(binary_cross_entropy_with_logits_backward, _LOGITS_MAKES, out_as_target=True),
    ),
    Suite(
        "binary_cross_entropy_with_logits_target_backward", FLOATS,
        _where(
            is_a2_or_a3,
            _weighted(
                binary_cross_entropy_with_logits_target_backward, _TARGET_MAKES, out_as_target=True
            ),
        ),
    ),
    Suite("kl_div_backward", FLOATS, _divergence(kl_div_backward, by_target=False)),
    Suite(
        "kl_div_target_backward", FLOATS,
        _where(
            is_a2_or_a3,
            _divergence(kl_div_target_backward, by_target=True),
        ),
    ),
)  # fmt: skip
