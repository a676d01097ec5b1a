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
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.layouts import LAYOUTS


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


def log_softmax_backward(grad: Array, output: Array, dim: int) -> Array:
    """Write g − exp(y)·Σ g over ``dim`` (torch.nn.functional.log_softmax)."""
    total = grad.sum(axis=dim, keepdims=True) if output.ndim else grad
    return np.asarray(grad - np.exp(output) * total)


def scaled_masked_softmax_backward(grad: Array, output: Array, mask: Array, scale: float) -> Array:
    """scale·y·(g − Σ g·y) over the last dimension, 0 where masked."""
    return np.where(mask, 0.0, softmax_backward(grad, output, -1) * scale)


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


def _log_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, shape: tuple[int, ...], dim: int,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        # Alternating signs along the rows: the sum is small and the difference cancels little.
        grad = np.asarray(rng.uniform(0.5, 1.0, shape) * rng.choice([-1.0, 1.0], shape))
        grad = grad.astype(kind)
        output = np.log(_softmax(rng.normal(0.0, 1.0, shape), dim)).astype(kind)
        output = np.asarray(output)
        golden = log_softmax_backward(grad.astype(np.float64), output.astype(np.float64), dim)
        near = np.abs(golden) < 0.03 * np.abs(grad.astype(np.float64))
        grad[near] *= np.asarray(1.25).astype(kind)
        golden = log_softmax_backward(grad.astype(np.float64), output.astype(np.float64), dim)
        return Case(
            label, (Operand(grad, layouts[0]), Operand(output, layouts[1]), dim), (golden,), out
        )

    # In rows of one element the difference cancels entirely; the simulator's own tests have them.
    for shape in (*(s for s in SHAPES if s and s[-1] > 1), *EMPTY_SHAPES):
        yield case(f"shape {shape}", shape, -1)
    for shape in ((5, 6), (3, 4, 5), (2, 3, 4, 5), (9, 3, 4), (65, 130)):
        for dim in range(-len(shape), len(shape)):
            yield case(f"shape {shape} dim {dim}", shape, dim)
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", (6, 7, 10), 1, (first, second), (out,))
        yield case(f"{first} × {second} → {out}, dim 2", (6, 7, 10), 2, (first, second), (out,))
    yield case("long rows", (3, 20011), 1)
    yield case("long columns", (20011, 3), 0)
    for special in (np.nan, np.inf):
        grad = random_values((4, 5), dtype, rng)
        output = np.asarray(np.log(_softmax(rng.normal(0.0, 1.0, (4, 5)), 1))).astype(kind)
        grad[1, 2] = special
        with np.errstate(all="ignore"):
            golden = log_softmax_backward(grad.astype(np.float64), output.astype(np.float64), 1)
        yield Case(f"{special} in a row", (Operand(grad), Operand(output), 1), (golden,))


#: Shapes of gradient and mask.
_MASKED: tuple[tuple[tuple[int, int, int, int], tuple[int, int, int, int]], ...] = (
    ((1, 1, 1, 1), (1, 1, 1, 1)), ((2, 3, 4, 5), (2, 3, 4, 5)), ((2, 3, 4, 5), (2, 1, 4, 5)),
    ((2, 3, 4, 5), (1, 3, 4, 5)), ((2, 3, 4, 5), (1, 1, 4, 5)), ((1, 1, 1, 4096), (1, 1, 1, 4096)),
    ((1, 2, 3, 4095), (1, 1, 3, 4095)), ((3, 2, 16, 16), (3, 1, 16, 16)),
    ((1, 8, 33, 65), (1, 1, 33, 65)), ((4, 2, 1, 17), (4, 2, 1, 17)), ((2, 2, 7, 1), (1, 2, 7, 1)),
    ((2, 4, 64, 128), (2, 1, 64, 128)), ((5, 1, 3, 31), (1, 1, 3, 31)),
    ((0, 2, 3, 4), (1, 2, 3, 4)),
)  # fmt: skip


def _masked_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, shape: tuple[int, ...], mask_shape: tuple[int, ...], scale: float,
        layouts: tuple[str, ...] = ("contiguous",) * 3, out: str = "contiguous",
    ) -> Case:  # fmt: skip
        grad = np.asarray(rng.uniform(-1.0, 1.0, shape)).astype(kind)
        output = np.asarray(_softmax(rng.normal(0.0, 1.0, shape), -1)).astype(kind)
        mask = rng.random(mask_shape) < 0.3
        golden = scaled_masked_softmax_backward(
            grad.astype(np.float64), output.astype(np.float64), mask, scale
        )
        # The operator takes no other format than ND.
        operands = [
            Operand(v, layout, "ND")
            for v, layout in zip((grad, output, mask), layouts, strict=True)
        ]
        return Case(label, (*operands, scale, False), (golden,), (out,), out_format="ND")

    if not has_bfloat16():
        return
    for shape, mask_shape in _MASKED:
        for scale in (1.0, 0.125, -2.5):
            yield case(f"shape {shape} mask {mask_shape} × {scale}", shape, mask_shape, scale)
    for layout in LAYOUTS[1:]:
        plain, shape = "contiguous", (3, 4, 6, 10)
        yield case(f"grad {layout}", shape, shape, 0.5, (layout, plain, plain))
        yield case(f"y {layout}", shape, shape, 0.5, (plain, layout, plain))
        yield case(f"mask {layout}", shape, (3, 1, 6, 10), 0.5, (plain, plain, layout))
        yield case(f"out {layout}", shape, shape, 0.5, out=layout)
        yield case(f"all {layout}", shape, shape, 0.5, (layout, layout, layout), layout)


_FLOATS = ("float32", "float16", "bfloat16")

SUITES = (
    Suite("softmax_backward", _FLOATS, _cases),
    Suite("log_softmax_backward", _FLOATS, _log_cases),
    Suite("scaled_masked_softmax_backward", _FLOATS, _masked_cases),
)
