"""Layer, RMS and deep normalisation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import (
    Array,
    Case,
    Operand,
    Suite,
    in_views,
    layout_pairs,
    numpy_dtype,
    random_values,
)
from pyaclnn.selftest.chips import has_bfloat16, is_a2_or_a3, soc_name

Shape = tuple[int, ...]

#: Shapes, and how many of their last dimensions are normalised. Rows shorter and longer than a
#: block, few and many of them, and one that threads share.
SHAPES: tuple[tuple[Shape, int], ...] = (
    ((5,), 1), ((3, 8), 1), ((4, 17), 1), ((1, 1025), 1), ((2, 4097), 1), ((500, 6), 1),
    ((33, 255), 1), ((65, 1030), 1), ((3, 33000), 1), ((2, 3, 8), 1), ((2, 3, 8), 2),
    ((4, 1, 9), 1), ((2, 3, 4, 5), 1), ((2, 3, 4, 5), 2), ((2, 3, 4, 5), 3), ((6, 1, 2, 3), 2),
    ((2, 3, 2, 3, 4), 2), ((2, 1, 2, 3, 2, 2), 3), ((2, 2, 2, 1, 2, 2, 4), 2),
    ((2, 1, 2, 1, 2, 1, 2, 8), 1),
)  # fmt: skip

MASKS = tuple((bool(i & 1), bool(i & 2), bool(i & 4)) for i in range(1, 8))

_ALL = (True, True, True)
_DTYPES = ("float32", "float16", "bfloat16")


def layer_norm_backward(
    grad: Array, x: Array, mean: Array, rstd: Array, gamma: Array, has_mean: bool = True
) -> tuple[Array, Array, Array]:
    """Gradients of (x - mean)·rstd·gamma + beta by x, gamma and beta (torch.layer_norm).

    mean and rstd have the rank of x. Without a mean, that of an RMS norm (torch.rms_norm).
    """
    leading = tuple(range(x.ndim - gamma.ndim))
    trailing = tuple(range(x.ndim - gamma.ndim, x.ndim))
    normal = (x - mean) * rstd
    scaled = grad * gamma
    constant = scaled.mean(axis=trailing, keepdims=True) if has_mean else 0.0
    slope = (scaled * normal).mean(axis=trailing, keepdims=True)
    grad_x = rstd * (scaled - constant - normal * slope)
    return grad_x, (grad * normal).sum(axis=leading), grad.sum(axis=leading)


class _Data:
    """Operands of one call, rounded to their dtype; statistics are of x1·factor + x2."""

    def __init__(
        self, shape: Shape, normalised: int, dtype: str, rng: np.random.Generator,
        statistics: str = "float32", factor: float = 1.0, centered: bool = True,
        add: bool = False,
    ) -> None:  # fmt: skip
        kind = numpy_dtype(dtype)
        axis = len(shape) - normalised
        self.grad = random_values(shape, dtype, rng)
        self.x1 = random_values(shape, dtype, rng)
        self.x2 = random_values(shape, dtype, rng) if add else np.zeros(shape, kind)
        self.gamma = rng.uniform(0.5, 2.0, shape[axis:]).astype(kind)
        self.sum = factor * self.x1.astype(np.float64) + self.x2.astype(np.float64)
        trailing = tuple(range(axis, len(shape)))
        mean = self.sum.mean(axis=trailing, keepdims=True) if centered else 0.0 * self.sum[..., :1]
        square = ((self.sum - mean) ** 2).mean(axis=trailing, keepdims=True)
        self.mean = mean.astype(numpy_dtype(statistics))
        self.rstd = (1 / np.sqrt(square + 1e-5)).astype(numpy_dtype(statistics))

    def golden(self, has_mean: bool = True) -> tuple[Array, Array, Array]:
        grad, mean, rstd = (a.astype(np.float64) for a in (self.grad, self.mean, self.rstd))
        gamma = self.gamma.astype(np.float64)
        with np.errstate(all="ignore"):
            return layer_norm_backward(grad, self.sum, mean, rstd, gamma, has_mean)


def _layer_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, shape: Shape, normalised: int, mask: tuple[bool, ...] = _ALL,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: str = "",
        weighted: bool = True, statistics: str = "float32", special: float | None = None,
    ) -> Case:  # fmt: skip
        data = _Data(shape, normalised, dtype, rng, statistics)
        if not weighted:
            data.gamma[...] = 1
        if special is not None:
            data.grad[0, 1] = special
        golden = tuple(g if m else None for g, m in zip(data.golden(), mask, strict=True))
        gamma = Operand(data.gamma) if weighted else None
        inputs = (
            Operand(data.grad, layouts[0]), Operand(data.x1, layouts[1]),
            shape[len(shape) - normalised :], Operand(data.mean), Operand(data.rstd), gamma, gamma,
            mask,
        )  # fmt: skip
        return Case(label, inputs, golden, (out, "every_second", "offset") if out else ())

    for shape, normalised in SHAPES:
        yield case(f"shape {shape}, {normalised} normalised", shape, normalised)
    for mask in MASKS:
        yield case(f"mask {mask}", (3, 4, 5), 1, mask)
    yield case("without weight", (6, 20), 1, weighted=False)
    yield case("statistics in the input's dtype", (6, 20), 1, statistics=dtype)
    for first, second, out in layout_pairs():
        layouts = (first, second)
        yield case(f"{first} × {second} → {out}", (3, 4, 6), 1, layouts=layouts, out=out)
    yield from in_views(case("(3, 4, 6)", (3, 4, 6), 2), 3, 4, 5, 6)
    yield case("NaN in a row", (3, 8), 1, special=np.nan)
    yield case("infinity in a row", (3, 8), 1, special=np.inf)
    empty = Operand(np.zeros((0, 5), numpy_dtype(dtype)))
    statistics = Operand(np.zeros((0, 1), np.float32))
    rest = ((5,), statistics, statistics, None, None, _ALL)
    # Sums over no rows are zero.
    yield Case("no rows", (empty, empty, *rest), (np.zeros((0, 5)), np.zeros(5), np.zeros(5)))


def _is_310p() -> bool:
    return soc_name().startswith("Ascend310P")


def _add_layer_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16() and not _is_310p():
        return

    def case(
        label: str, shape: Shape, normalised: int, summed: bool = False,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: str = "",
    ) -> Case:  # fmt: skip
        data = _Data(shape, normalised, dtype, rng, add=True)
        further = random_values(shape, dtype, rng) if summed else None
        grad_x, grad_gamma, grad_beta = data.golden()
        if further is not None:
            grad_x = grad_x + further.astype(np.float64)
        inputs = (
            Operand(data.grad, layouts[0]), Operand(data.x1, layouts[1]), Operand(data.x2),
            Operand(data.rstd), Operand(data.mean), Operand(data.gamma),
            None if further is None else Operand(further, layouts[0]),
        )  # fmt: skip
        golden = (grad_x, grad_gamma, grad_beta)
        dtypes = (dtype, "float32", "float32") if out else ()
        return Case(label, inputs, golden, (out, "offset", "every_second") if out else (), dtypes)

    for shape, normalised in SHAPES:
        yield case(f"shape {shape}, {normalised} normalised", shape, normalised)
    for shape, normalised in SHAPES[1::4]:
        yield case(f"with dsum, shape {shape}", shape, normalised, summed=True)
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", (3, 4, 6), 1, True, (first, second), out)
    yield from in_views(case("(3, 4, 6)", (3, 4, 6), 2), 2, 3, 4, 5)


def _deep_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3() and not _is_310p():
        return

    def case(
        label: str, shape: Shape, normalised: int, alpha: float = 0.3,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: str = "",
    ) -> Case:  # fmt: skip
        factor = float(np.float32(alpha))
        data = _Data(shape, normalised, dtype, rng, factor=factor, add=True)
        grad_x, grad_gamma, grad_beta = data.golden()
        inputs = (
            Operand(data.grad, layouts[0]), Operand(data.x1, layouts[1]), Operand(data.x2),
            Operand(data.gamma), Operand(data.mean), Operand(data.rstd), alpha,
        )  # fmt: skip
        golden = (factor * grad_x, grad_x, grad_beta, grad_gamma)
        outs = (out, "contiguous", "offset", "every_second") if out else ()
        dtypes = (dtype, dtype, "float32", "float32") if out else ()
        return Case(label, inputs, golden, outs, dtypes)

    for shape, normalised in SHAPES:
        if len(shape) > normalised:
            yield case(f"shape {shape}, {normalised} normalised", shape, normalised)
    for alpha in (1.0, 2.5, -0.7):
        yield case(f"alpha {alpha}", (5, 12), 1, alpha)
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", (3, 4, 6), 1, 0.5, (first, second), out)
    yield from in_views(case("(3, 4, 6)", (3, 4, 6), 2), 2, 3, 4, 5)


def _rms_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16() and not _is_310p():
        return

    def case(
        label: str, shape: Shape, normalised: int, gamma_dtype: str = dtype,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: str = "",
    ) -> Case:  # fmt: skip
        data = _Data(shape, normalised, dtype, rng, centered=False)
        data.gamma = data.gamma.astype(numpy_dtype(gamma_dtype))
        grad_x, grad_gamma, _ = data.golden(has_mean=False)
        rstd = data.rstd.reshape(shape[: len(shape) - normalised] or (1,))
        inputs = (
            Operand(data.grad, layouts[0]), Operand(data.x1, layouts[1]), Operand(rstd),
            Operand(data.gamma),
        )  # fmt: skip
        outs, dtypes = ((out, "every_second"), (dtype, "float32")) if out else ((), ())
        return Case(label, inputs, (grad_x, grad_gamma), outs, dtypes)

    for shape, normalised in SHAPES:
        # A row shorter than 32 bytes is not for every chip.
        if shape[-1] >= 8 and len(shape) > normalised:
            yield case(f"shape {shape}, {normalised} normalised", shape, normalised)
    for rows in (1, 3, 24, 40):
        yield case(f"{rows} rows of 64", (rows, 64), 1)
    for first, second, out in layout_pairs():
        layouts = (first, second)
        yield case(f"{first} × {second} → {out}", (3, 4, 16), 1, layouts=layouts, out=out)
    yield from in_views(case("(3, 4, 16)", (3, 4, 16), 2), 2, 3)


SUITES = (
    Suite("layer_norm_backward", _DTYPES, _layer_norm),
    Suite("add_layer_norm_grad", _DTYPES, _add_layer_norm),
    Suite("deep_norm_grad", _DTYPES, _deep_norm),
    Suite("rms_norm_grad", _DTYPES, _rms_norm),
)
