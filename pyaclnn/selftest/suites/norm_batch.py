"""Batch normalisation, on one device and over several."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
from pyaclnn.selftest.chips import soc_name

Shape = tuple[int, ...]

#: Two to eight dimensions; planes of one element, of some, and of several blocks.
SHAPES: tuple[Shape, ...] = (
    (2, 3), (7, 5), (64, 1), (1000, 3), (33, 257), (4, 1025), (4, 3, 5), (2, 1, 9), (3, 2, 16),
    (8, 4, 33), (2, 3, 4, 5), (4, 2, 7, 7), (2, 16, 8, 8), (1, 3, 40, 50), (5, 1, 3, 3),
    (3, 70, 3, 3), (2, 3, 2, 3, 4), (2, 2, 4, 4, 4), (2, 3, 2, 2, 2, 2), (2, 2, 2, 2, 2, 2, 3),
    (2, 2, 1, 2, 1, 2, 2, 2), (2, 2, 190, 191),
)  # fmt: skip

MASKS = tuple((bool(i & 1), bool(i & 2), bool(i & 4)) for i in range(1, 8))

_ALL = (True, True, True)
_EPS = 1e-3
_DTYPES = ("float32", "float16", "bfloat16")


def batch_norm_backward(
    grad: Array, x: Array, weight: Array, mean: Array, invstd: Array, training: bool
) -> tuple[Array, Array, Array]:
    """Gradients of weight·(x - mean)·invstd + bias (torch.nn.functional.batch_norm).

    In training, mean and invstd are those of the batch and depend on x.
    """
    per_channel = (1, -1, *(1,) * (x.ndim - 2))
    centered = x - mean.reshape(per_channel)
    sum_dy, sum_dy_xmu = reduced(grad, x, mean)
    scale = (weight * invstd).reshape(per_channel)
    if not training:
        return grad * scale, sum_dy_xmu * invstd, sum_dy
    count = x.size // x.shape[1]
    slope = (sum_dy_xmu * invstd**2 / count).reshape(per_channel)
    constant = (sum_dy / count).reshape(per_channel)
    return scale * (grad - constant - centered * slope), sum_dy_xmu * invstd, sum_dy


def reduced(grad: Array, x: Array, mean: Array) -> tuple[Array, Array]:
    """Σ grad and Σ grad·(x - mean) over all axes but the channels."""
    axes = (0, *range(2, x.ndim))
    centered = x - mean.reshape((1, -1, *(1,) * (x.ndim - 2)))
    return grad.sum(axis=axes), (grad * centered).sum(axis=axes)


def _is_950() -> bool:
    return soc_name().startswith(("Ascend910_95", "Ascend950"))


class _Data:
    """Operands of one call, rounded to their dtype."""

    def __init__(self, shape: Shape, dtype: str, rng: np.random.Generator) -> None:
        kind = numpy_dtype(dtype)
        channels = shape[1]
        axes = (0, *range(2, len(shape)))
        self.grad = random_values(shape, dtype, rng)
        self.x = random_values(shape, dtype, rng)
        exact = self.x.astype(np.float64)
        self.weight = rng.uniform(0.5, 2.0, channels).astype(kind)
        self.mean = exact.mean(axis=axes).astype(kind)
        self.variance = exact.var(axis=axes).astype(kind)
        self.invstd = (1 / np.sqrt(exact.var(axis=axes) + _EPS)).astype(kind)

    def exact(self, *names: str) -> list[Array]:
        return [getattr(self, name).astype(np.float64) for name in names]


def _spread(data: _Data, saves_invstd: bool, eps: float) -> tuple[Array, Array]:
    """Return what is saved beside the mean, and the invstd that a kernel makes of it."""
    if saves_invstd:
        return data.invstd, data.invstd.astype(np.float64)
    variance = data.variance.astype(np.float64)
    return data.variance, 1 / np.sqrt(variance + float(np.float32(eps)))


def _batch_norm(fast: bool, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    # Chips before the 950 save the variance where the parameter's name says invstd.
    saves_invstd = _is_950() and not fast
    version = (0,) if fast else ()

    def case(
        label: str, shape: Shape, mask: tuple[bool, ...] = _ALL, training: bool = True,
        weighted: bool = True, layouts: tuple[str, str] = ("contiguous", "contiguous"),
        out: str = "", special: float | None = None, eps: float = _EPS,
    ) -> Case:  # fmt: skip
        data = _Data(shape, dtype, rng)
        if special is not None:
            data.grad[0, 1] = special
        saved, invstd = _spread(data, saves_invstd and training, eps)
        grad, x, weight, mean = data.exact("grad", "x", "weight", "mean")
        weight = weight if weighted else np.ones_like(weight)
        with np.errstate(all="ignore"):
            golden = batch_norm_backward(grad, x, weight, mean, invstd, training)
        own: tuple[Any, ...] = (Operand(data.mean), Operand(saved))
        # The statistics of the other mode are not read.
        statistics = (None, None, *own) if training else (*own, None, None)
        inputs = (
            Operand(data.grad, layouts[0]), Operand(data.x, layouts[1]),
            Operand(data.weight) if weighted else None, *statistics, training, eps, mask, *version,
        )  # fmt: skip
        wanted = tuple(g if m else None for g, m in zip(golden, mask, strict=True))
        return Case(label, inputs, wanted, (out, "every_second", "offset") if out else ())

    for shape in SHAPES:
        yield case(f"training {shape}", shape)
    for shape in SHAPES[1::3]:
        yield case(f"inference {shape}", shape, training=False)
    for mask in MASKS:
        yield case(f"mask {mask}", (3, 4, 5), mask)
        yield case(f"inference, mask {mask}", (3, 4, 5), mask, training=False)
    yield case("without weight", (6, 5, 4), weighted=False)
    yield case("inference without weight", (6, 5, 4), weighted=False, training=False)
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", (3, 4, 6), layouts=(first, second), out=out)
        label = f"{first} × {second} → {out}, planes"
        yield case(label, (2, 3, 5, 7), layouts=(first, second), out=out)
    yield from in_views(case("training", (3, 4, 5)), 2, 5, 6)
    yield from in_views(case("inference", (3, 4, 5), training=False), 2, 3, 4)
    yield case("eps 0.25", (3, 4, 5), eps=0.25)
    yield case("inference, eps 0.25", (3, 4, 5), eps=0.25, training=False)
    yield case("NaN in a channel", (3, 4, 5), special=np.nan)
    yield case("inference, infinity", (3, 4, 5), special=np.inf, training=False)
    # Nothing is written to the other outputs of an empty input.
    for shape in ((0, 3), (2, 0, 4), (2, 3, 0)):
        yield _empty(shape, dtype, version)


def _empty(shape: Shape, dtype: str, version: tuple[int, ...]) -> Case:
    empty = np.zeros(shape, numpy_dtype(dtype))
    flags = (True, _EPS, (True, False, False), *version)
    none = (None,) * 5
    inputs = (Operand(empty), Operand(empty), *none, *flags)
    return Case(f"empty {shape}", inputs, (empty, None, None))


def _batch_norm_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _batch_norm(False, dtype, rng)


def _fast_batch_norm_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _batch_norm(True, dtype, rng)


def _reduce_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, shape: Shape, flags: tuple[bool, bool, bool] = _ALL,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: str = "",
        float32: bool = False, weighted: bool = False,
    ) -> Case:  # fmt: skip
        data = _Data(shape, dtype, rng)
        kind = np.dtype(np.float32) if float32 else numpy_dtype(dtype)
        statistics = [a.astype(kind) for a in (data.mean, data.invstd)]
        mean, invstd = (a.astype(np.float64) for a in statistics)
        grad, x = data.exact("grad", "x")
        sum_dy, sum_dy_xmu = reduced(grad, x, mean)
        golden = (sum_dy, sum_dy_xmu, sum_dy_xmu * invstd, sum_dy)
        wanted = (flags[0], flags[0], flags[1], flags[2])
        inputs: tuple[Any, ...] = (
            Operand(data.grad, layouts[0]), Operand(data.x, layouts[1]),
            *map(Operand, statistics), Operand(statistics[1]) if weighted else None, *flags,
        )  # fmt: skip
        results = tuple(g if w else None for g, w in zip(golden, wanted, strict=True))
        layout = (out, "offset", "every_second", "contiguous") if out else ()
        return Case(label, inputs, results, layout)

    for shape in SHAPES:
        yield case(f"shape {shape}", shape)
    for flags in MASKS:
        yield case(f"wanted {flags}", (3, 4, 5), flags)
    for first, second, _ in layout_pairs():
        yield case(f"{first} × {second}", (3, 4, 6), layouts=(first, second), out="every_second")
    yield case("float32 statistics", (5, 4, 9), float32=True)
    yield from in_views(case("with weight", (5, 4, 9), weighted=True), 2, 3, 4)
    # Nothing is written to the sums of no rows.
    empty, ones = Operand(np.zeros((0, 4), numpy_dtype(dtype))), Operand(np.ones(4, np.float32))
    yield Case("no rows", (empty, empty, ones, ones, None, *_ALL), (None,) * 4)


def _elemt_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, shape: Shape, counts: tuple[int, ...] = (1,), counter: str = "int32",
        weighted: bool = True, layouts: tuple[str, str] = ("contiguous", "contiguous"),
        out: str = "",
    ) -> Case:  # fmt: skip
        data = _Data(shape, dtype, rng)
        grad, x, weight, mean, invstd = data.exact("grad", "x", "weight", "mean", "invstd")
        per_channel = (1, -1, *(1,) * (len(shape) - 2))
        sums = [a.astype(kind) for a in reduced(grad, x, mean)]
        # Sums of several devices, in parts of the size of this one's.
        count = x.size // shape[1]
        counters = np.array([count * n for n in counts], numpy_dtype(counter))
        total = counters.astype(np.float64).sum()
        mean_dy, mean_dy_xmu = (a.astype(np.float64).reshape(per_channel) / total for a in sums)
        scale = invstd.reshape(per_channel)
        centered = x - mean.reshape(per_channel)
        golden = (grad - mean_dy - centered * scale**2 * mean_dy_xmu) * scale
        golden = golden * weight.reshape(per_channel) if weighted else golden
        inputs = (
            Operand(data.grad, layouts[0]), Operand(data.x, layouts[1]), Operand(data.mean),
            Operand(data.invstd), Operand(data.weight) if weighted else None, *map(Operand, sums),
            Operand(counters),
        )  # fmt: skip
        return Case(label, inputs, (golden,), (out,) if out else ())

    for shape in SHAPES:
        yield case(f"shape {shape}", shape)
    yield case("three devices", (6, 5, 4), counts=(1, 2, 1))
    yield case("counts as float32", (6, 5, 4), counter="float32", counts=(1, 1))
    yield case("counts as float16", (6, 5, 4), counter="float16")
    yield case("without weight", (6, 5, 4), weighted=False)
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", (3, 4, 6), layouts=(first, second), out=out)
    yield from in_views(case("(3, 4, 6)", (3, 4, 6), counts=(1, 2)), 2, 3, 4, 5, 6, 7)
    empty, ones = Operand(np.zeros((0, 3, 4), kind)), Operand(np.ones(3, kind))
    inputs = (empty, empty, ones, ones, ones, ones, ones, Operand(np.ones(1, np.int32)))
    yield Case("empty", inputs, (np.zeros((0, 3, 4)),))


SUITES = (
    Suite("batch_norm_backward", _DTYPES, _batch_norm_cases),
    Suite("fast_batch_norm_backward", _DTYPES, _fast_batch_norm_cases),
    Suite("batch_norm_reduce_backward", _DTYPES, _reduce_cases),
    Suite("batch_norm_elemt_backward", _DTYPES, _elemt_cases),
)
