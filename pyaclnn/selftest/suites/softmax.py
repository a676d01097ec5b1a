"""Softmax family: reductions over one axis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import (
    EMPTY_SHAPES,
    SHAPES,
    Array,
    Case,
    Operand,
    Suite,
    layout_pairs,
    numpy_dtype,
    random_values,
)


def softmax_backward(grad: Array, output: Array, dim: int) -> Array:
    """y·(g − Σ g·y) over ``dim`` (torch.nn.functional.softmax)."""
    if output.ndim == 0:
        return np.asarray(output * (grad - grad * output))
    total = (grad * output).sum(axis=dim, keepdims=True)
    return np.asarray(output * (grad - total))


def _softmax(values: Array, dim: int) -> Array:
    if values.ndim == 0:
        return np.ones_like(values)
    if values.size == 0:
        return values
    exponential = np.exp(values - values.max(axis=dim, keepdims=True))
    normalised: Array = exponential / exponential.sum(axis=dim, keepdims=True)
    return normalised


def _cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, shape: tuple[int, ...], dim: int,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        # Positive gradients of different sizes: Σ g·y then cancels little, and the relative error
        # of the difference says something about the kernel.
        grad = np.asarray(rng.uniform(-1.0, 1.0, shape)).astype(kind)
        output = np.asarray(_softmax(rng.normal(0.0, 1.0, shape), dim)).astype(kind)
        golden = softmax_backward(grad.astype(np.float64), output.astype(np.float64), dim)
        return Case(
            label, (Operand(grad, layouts[0]), Operand(output, layouts[1]), dim), (golden,), out
        )

    for shape in (*SHAPES, *EMPTY_SHAPES):
        yield case(f"shape {shape}", shape, -1)
    for shape in ((5, 6), (3, 4, 5), (2, 3, 4, 5), (9, 1, 4), (65, 130)):
        for dim in range(-len(shape), len(shape)):
            yield case(f"shape {shape} dim {dim}", shape, dim)
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", (6, 7, 10), 1, (first, second), (out,))
        yield case(f"{first} × {second} → {out}, dim 2", (6, 7, 10), 2, (first, second), (out,))
    yield case("long rows", (3, 20011), 1)
    yield case("long columns", (20011, 3), 0)
    for special in (np.nan, np.inf):
        grad = random_values((4, 5), dtype, rng)
        output = _softmax(rng.normal(0.0, 1.0, (4, 5)), 1).astype(kind)
        grad[1, 2] = special
        with np.errstate(all="ignore"):
            golden = softmax_backward(grad.astype(np.float64), output.astype(np.float64), 1)
        yield Case(f"{special} in a row", (Operand(grad), Operand(output), 1), (golden,))


SUITES = (Suite("softmax_backward", ("float32", "float16", "bfloat16"), _cases),)
