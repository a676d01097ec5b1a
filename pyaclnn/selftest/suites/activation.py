"""Element-wise backward activations: formulas in float64, and where they bend."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import (
    BROADCAST_PAIRS,
    EMPTY_SHAPES,
    SHAPES,
    Array,
    Case,
    Operand,
    Suite,
    edge_values,
    is_integer,
    layout_pairs,
    numpy_dtype,
    random_values,
)
from pyaclnn.selftest.chips import has_950_kernels

#: (grad, x, *attributes) in float64 to the gradient.
Formula = Callable[..., Array]

SELU_SCALE = 1.0507009873554804934193349852946
SELU_SCALE_ALPHA = 1.7580993408473768599402175208123


def softshrink_backward(grad: Array, x: Array, lambd: float) -> Array:
    """Gradient passes where |x| > lambd; NaN counts as outside (torch.nn.functional.softshrink)."""
    return np.where(np.abs(x) <= np.float32(lambd), 0.0, grad)


def threshold_backward(grad: Array, x: Array, threshold: float) -> Array:
    """Gradient passes where x > threshold; NaN passes it (torch.nn.functional.threshold)."""
    return np.where(x <= np.float32(threshold), 0.0, grad)


def hardswish_backward(grad: Array, x: Array) -> Array:
    """d/dx x·relu6(x + 3)/6, as CANN has it at ±3: the line's own values, -0.5 and 1.5."""
    slope = np.where(x < -3, 0.0, np.where(x > 3, 1.0, x / 3 + 0.5))
    return grad * slope


def selu_backward_950(grad: Array, result: Array) -> Array:
    """As selu_backward, but 0 belongs to the lower branch."""
    return np.where(result <= 0, grad * (result + SELU_SCALE_ALPHA), grad * SELU_SCALE)


def selu_backward(grad: Array, result: Array) -> Array:
    """Write the derivative with selu's result: r + scale·alpha below zero, scale above."""
    return np.where(result < 0, grad * (result + SELU_SCALE_ALPHA), grad * SELU_SCALE)


def _golden(formula: Formula, dtype: str, grad: Array, x: Array, *attributes: float) -> Array:
    with np.errstate(all="ignore"):
        value = formula(grad.astype(np.float64), x.astype(np.float64), *attributes)
    if not is_integer(dtype):
        return value
    # Integers are computed in floating point; the 950 rounds the result, other chips cut it.
    to_integer = np.rint if has_950_kernels() else np.trunc
    return np.asarray(to_integer(value)).astype(numpy_dtype(dtype))


def _cases(
    dtype: str,
    rng: np.random.Generator,
    *,
    formula: Formula,
    bends: tuple[float, ...],
    attributes: tuple[tuple[float, ...], ...],
    broadcasts: bool = False,
    mixed: tuple[str, ...] = (),
    nan_in_x: bool = True,
    selects: bool = True,
    avoid: tuple[float, float] | None = None,
) -> Iterator[Case]:
    """Yield the cases of one element-wise operator.

    Parameters
    ----------
    bends : tuple of float
        Where the formula changes.
    attributes : tuple of tuple of float
        Further arguments, set by set.
    broadcasts, mixed
        Whether shapes broadcast, and which dtypes x may have beside grad's.
    nan_in_x : bool
        Whether NaN in x has one answer on all releases and dtypes.
    selects : bool
        Whether values pass unchanged, so that the limits of integers are exact.
    avoid : (float, float), optional
        A zero of the derivative and how far to stay from it: relative errors there measure the
        input and the precision of a sum, not the kernel.
    """

    def make(shape: tuple[int, ...]) -> Array:
        values = random_values(shape, dtype, rng)
        if avoid is not None:
            zero, radius = avoid
            near = np.abs(values.astype(np.float64) - zero) < radius
            values[near] = np.asarray(zero + 2 * radius).astype(values.dtype)
        return values

    def case(
        label: str, grad: Array, x: Array, extra: tuple[float, ...],
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        golden = _golden(formula, dtype, grad, x, *extra)
        inputs = (Operand(grad, layouts[0]), Operand(x, layouts[1]), *extra)
        return Case(label, inputs, (golden,), out)

    first = attributes[0]
    for shape in (*SHAPES, *EMPTY_SHAPES):
        yield case(f"shape {shape}", make(shape), make(shape), first)
    for first_layout, second_layout, out_layout in layout_pairs():
        yield case(
            f"{first_layout} × {second_layout} → {out_layout}",
            make((6, 7, 10)), make((6, 7, 10)), first,
            (first_layout, second_layout), (out_layout,),
        )  # fmt: skip
    row = np.broadcast_to(make((1, 12)), (5, 12))
    yield case("expanded grad", np.array(row), make((5, 12)), first, ("expanded", "contiguous"))
    yield case("expanded x", make((5, 12)), np.array(row), first, ("contiguous", "expanded"))
    for extra in attributes:
        edges = edge_values(dtype, bends + extra)
        if is_integer(dtype) and not selects:
            edges = edges[:4]
        if not nan_in_x:
            edges = edges[~np.isnan(edges.astype(np.float64))]
        yield case(f"edges {extra}", np.ones_like(edges), edges, extra)
        grad = edge_values(dtype)
        if is_integer(dtype) and not selects:
            grad = grad[:4]
        yield case(f"edges of grad {extra}", grad, _tile(edges, grad.size), extra)
        yield case(f"attributes {extra}", make((41, 29)), make((41, 29)), extra)
    if broadcasts:
        for grad_shape, x_shape in BROADCAST_PAIRS:
            yield case(f"broadcast {grad_shape} {x_shape}", make(grad_shape), make(x_shape), first)
    for other in mixed:
        grad, x = make((9, 11)), random_values((9, 11), other, rng)
        golden = _golden(formula, "float32", grad, x, *first)
        yield Case(f"mixed {dtype} {other}", (Operand(grad), Operand(x), *first), (golden,))


def _tile(values: Array, size: int) -> Array:
    # Finite values only: infinity times zero is a case of its own.
    finite = values[np.isfinite(values.astype(np.float64))]
    return np.resize(finite, size)


_FLOATS = ("float32", "float16", "bfloat16")


def _softshrink(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    others = tuple(name for name in ("float32", "float16") if name != dtype)
    return _cases(
        dtype, rng, formula=softshrink_backward, bends=(), broadcasts=True,
        attributes=((0.5,), (0.0,), (1.5,), (3e4,)), mixed=others,
    )  # fmt: skip


def _threshold(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    # NaN in x passes the gradient on newer chips and blocks it on older ones.
    return _cases(
        dtype, rng, formula=threshold_backward, bends=(), broadcasts=True,
        attributes=((1.0,), (2.0,), (-1.0,), (5.0,)), nan_in_x=False,
    )  # fmt: skip


def _hardswish(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    # What x = NaN gives depends on release and dtype; the simulator's own tests pin that down.
    return _cases(
        dtype,
        rng,
        formula=hardswish_backward,
        bends=(3.0, -3.0),
        attributes=((),),
        nan_in_x=False,
        avoid=(-1.5, 0.02),
    )


def _selu(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    formula = selu_backward_950 if has_950_kernels() else selu_backward
    return _cases(
        dtype, rng, formula=formula, bends=(-1.5, -0.25), attributes=((),), selects=False,
        avoid=(-SELU_SCALE_ALPHA, 0.2),
    )  # fmt: skip


SUITES = (
    Suite("softshrink_backward", _FLOATS, _softshrink),
    Suite("threshold_backward", (*_FLOATS, "int32", "int8", "uint8"), _threshold),
    Suite("hardswish_backward", _FLOATS, _hardswish),
    Suite("selu_backward", (*_FLOATS, "int32", "int8"), _selu),
)
