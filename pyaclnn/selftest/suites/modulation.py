"""Cases of gradients of modulations, and of slopes that are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, in_views, numpy_dtype
from pyaclnn.selftest.chips import chip_family, has_bfloat16, is_a2_or_a3
from pyaclnn.selftest.suites.creation import exact
from pyaclnn.selftest.suites.elementwise import FLOATS
from pyaclnn.selftest.suites.random_numbers import fractions

Shape = tuple[int, ...]

_LAYOUTS = ("every_second", "offset", "transposed")


def _drawn(
    shape: Shape, dtype: str, rng: np.random.Generator, low: float = 0.25, high: float = 2.0
) -> Operand:  # fmt: skip
    return Operand(np.asarray(rng.uniform(low, high, shape)).astype(numpy_dtype(dtype)))


#: batch, sequence, hidden.
_SEQUENCES = ((2, 3, 4), (1, 1, 1), (3, 7, 33), (5, 1, 6), (2, 4, 600), (4, 60, 31))


def _modulate_backward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for shape in _SEQUENCES:
        for has_scale, has_shift in ((True, True), (True, False), (False, True), (False, False)):
            # Positive: no sum cancels.
            grad, x = _drawn(shape, dtype, rng), _drawn(shape, dtype, rng)
            own = (shape[0], shape[2])
            scale = _drawn(own, dtype, rng) if has_scale else None
            shift = _drawn(own, dtype, rng) if has_shift else None
            g = exact(grad.values)
            factor = exact(scale.values)[:, None] if scale else 1
            golden = (
                g * factor,
                (g * exact(x.values)).sum(1) if scale else None,
                g.sum(1) if shift else None,
            )
            label = f"{shape}, scale {has_scale}, shift {has_shift}"
            case = Case(label, (grad, x, scale, shift), golden)
            yield case
            if shape == (2, 3, 4) and scale and shift:
                yield from in_views(case, 0, 1, 2, 3)
                for layout in _LAYOUTS:
                    yield replace(case, label=f"outputs {layout}", out_layouts=(layout,) * 3)


def _ada(
    grad: Array, x: Array, mean: Array, rstd: Array, scale: Array, weight: Any, bias: Any
) -> tuple[Array, ...]:
    """Return all five gradients, of operands of [batch, sequence, hidden]."""
    z = (x - mean) * rstd
    through = grad * weight * (1 + scale)
    of_x = through - through.mean(-1, keepdims=True) - z * (through * z).mean(-1, keepdims=True)
    of_y = grad * (1 + scale)
    return (
        of_x * rstd, (grad * (z * weight + bias)).sum(1), grad.sum(1), (of_y * z).sum((0, 1)),
        of_y.sum((0, 1)),
    )  # fmt: skip


#: Shape, whether scale has an extent of 1, whether weight and bias are given, their dtype.
_NORMALISED: tuple[tuple[Shape, bool, bool, bool, str], ...] = (
    ((2, 3, 8), False, True, True, ""), ((3, 8), True, True, True, "float32"),
    ((2, 2, 5, 6), True, True, False, ""), ((4, 33), False, False, True, "float32"),
    ((2, 3, 600), True, False, False, ""), ((3, 20, 31), False, True, True, "float32"),
    ((2, 1, 2, 1, 2, 1, 2, 4), True, True, True, ""),
)  # fmt: skip


def _ada_layer_norm_backward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for shape, with_one, has_weight, has_bias, given in _NORMALISED:
        batch = shape[:-2]
        hidden = shape[-1]
        own = (*batch, 1, hidden) if with_one else (*batch, hidden)
        # Far from each other in a row, so that the gradient of x is no difference of like numbers.
        x = Operand(rng.normal(1.0, 2.0, shape).astype(numpy_dtype(dtype)))
        grad = Operand(rng.normal(0.0, 2.0, shape).astype(numpy_dtype(dtype)))
        wide = exact(x.values)
        mean = Operand(wide.mean(-1, keepdims=True).astype(numpy_dtype(dtype)))
        rstd = Operand((1 / wide.std(-1, keepdims=True)).astype(numpy_dtype(dtype)))
        scale, shift = _drawn(own, dtype, rng), _drawn(own, dtype, rng)
        kind = given or dtype
        weight = _drawn((hidden,), kind, rng, 0.5, 1.5) if has_weight else None
        bias = _drawn((hidden,), kind, rng) if has_bias else None

        def flat(operand: Operand, extents: tuple[int, ...] = shape[-2:]) -> Array:
            return np.asarray(exact(operand.values).reshape(-1, *extents))

        found = _ada(
            flat(grad), flat(x), flat(mean, (shape[-2], 1)), flat(rstd, (shape[-2], 1)),
            flat(scale, (1, hidden)), exact(weight.values) if weight else 1.0,
            exact(bias.values) if bias else 0.0,
        )  # fmt: skip
        golden = (
            found[0].reshape(shape), found[1].reshape(own), found[2].reshape(own),
            found[3] if weight else None, found[4] if bias else None,
        )  # fmt: skip
        label = f"{shape}, scale {own}, weight {has_weight}, bias {has_bias}, {kind}"
        inputs = (grad, x, (hidden,), rstd, mean, scale, shift, weight, bias)
        case = Case(label, inputs, golden)
        yield case
        if shape == (2, 3, 8):
            yield from in_views(case, 0, 1, 3, 4, 5, 7, 8)
            for layout in _LAYOUTS[:2]:
                yield replace(case, label=f"outputs {layout}", out_layouts=(layout,) * 5)


def _slopes(count: int, dtype: str, seed: int, offset: int, low: float, high: float) -> Array:
    drawn = fractions(count, seed % 2**64, offset) * (high - low) + low
    return np.asarray(drawn.astype(np.float32).astype(numpy_dtype(dtype)).astype(np.float64))


def _rrelu(in_place: bool) -> Any:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() not in ("910", "A2") or (dtype == "bfloat16" and not has_bfloat16()):
            return
        tried = (
            ((3, 5), True, 0.125, 1 / 3, 42, 4), ((7,), True, -1.0, 2.0, -1, 0),
            ((300, 11), True, 0.25, 0.25, 2**40, 2**33), ((2, 3, 4), False, 0.125, 0.375, 0, 0),
            ((), True, 0.5, 0.75, 7, 1), ((0, 3), True, 0.5, 0.75, 7, 1),
            ((2, 1, 2, 1, 2, 1, 2, 3), False, 1.0, 2.0, 1, 1),
        )  # fmt: skip
        for number, (shape, training, low, high, seed, offset) in enumerate(tried):
            x = Operand(rng.normal(0, 2, shape).astype(numpy_dtype(dtype)))
            noise = Operand(np.full(shape, 5, numpy_dtype(dtype)))
            wide = exact(x.values)
            drawn = _slopes(wide.size, dtype, seed, offset, low, high).reshape(shape)
            slopes = np.where(wide < 0, drawn if training else (low + high) / 2, 1.0)
            golden: tuple[Any, ...] = (wide * slopes,)
            if in_place:
                golden = (*golden, slopes if training else exact(noise.values))
            label = f"{shape}, training {training}, [{low}, {high}), seed {seed}"
            case = Case(label, (x, noise, low, high, training, seed, offset), golden)
            yield case
            if number == 0:
                yield from in_views(case, 0, 1)

    return cases


SUITES = (
    Suite("modulate_backward", FLOATS, _modulate_backward),
    Suite("ada_layer_norm_backward", FLOATS, _ada_layer_norm_backward),
    Suite("r_relu_with_noise", FLOATS, _rrelu(False)),
    Suite("inplace_r_relu_with_noise", FLOATS, _rrelu(True)),
)
