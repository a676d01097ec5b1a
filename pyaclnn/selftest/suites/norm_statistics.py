"""Statistics of channels, of one device and of several, and norms over axes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype, random_values
from pyaclnn.selftest.chips import (
    chip_family,
    has_950_kernels,
    has_bfloat16,
    is_950,
    is_a2_or_late_950,
)
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.norms import norm
from pyaclnn.selftest.suites.statistics import reduced, several

Shape = tuple[int, ...]
_EPS = 1e-3
_IMAGES: tuple[Shape, ...] = (
    (1, 1, 1, 1), (2, 3, 4, 5), (3, 70, 2, 1), (2, 2, 33, 31), (7, 5, 1, 3),
)  # fmt: skip


def _image(shape: Shape, dtype: str, rng: np.random.Generator) -> Array:
    # No mean and no sum is near 0, where it would have no digits.
    return np.asarray(rng.normal(1.5, 1.0, shape)).astype(numpy_dtype(dtype))


def _stats(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "310P" or (dtype == "bfloat16" and not is_950()):
        return
    shapes = (*_IMAGES, (4, 6), (2, 3, 4), (2, 2, 1, 3, 1, 2, 1, 2))
    for shape in shapes:
        for layout in LAYOUTS if shape == (2, 3, 4, 5) else LAYOUTS[:1]:
            x = _image(shape, dtype, rng)
            axes = (0, *range(2, len(shape)))
            wide = x.astype(np.float64)
            golden = (wide.mean(axes), 1 / np.sqrt(wide.var(axes) + _EPS))
            yield Case(
                f"{shape} {layout}", (Operand(x, layout), _EPS), golden,
                out_layouts=("offset", "every_second"), out_dtypes=("float32", "float32"),
            )  # fmt: skip
    empty = np.zeros((0, 3, 4), numpy_dtype(dtype))
    yield Case("nothing", (Operand(empty), _EPS), (np.zeros(3), np.full(3, np.nan)))


def _reduce(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for shape in _IMAGES:
        for layout in LAYOUTS if shape == (2, 3, 4, 5) else LAYOUTS[:1]:
            x = _image(shape, dtype, rng)
            wide = x.astype(np.float64)
            golden = (wide.sum((0, 2, 3)), (wide**2).sum((0, 2, 3)))
            yield Case(
                f"{shape} {layout}", (Operand(x, layout),), golden,
                out_layouts=("offset", "every_second"), out_dtypes=("float32", "float32"),
            )  # fmt: skip
    empty = np.zeros((2, 3, 0, 4), numpy_dtype(dtype))
    yield Case("nothing", (Operand(empty),), (np.zeros(3), np.zeros(3)))


def _devices(
    rng: np.random.Generator, devices: int, channels: int
) -> tuple[list[Array], Array, Array, Array]:
    """Return what each device has of a channel, all of it together, and its statistics."""
    counts = rng.integers(2, 9, devices)
    parts = [rng.normal(1.5, 1.0, (int(n), channels)) for n in counts]
    whole = np.concatenate(parts)
    return parts, counts, whole.mean(0), whole.var(0)


def _gather(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    late = is_a2_or_late_950()
    if not (late or (chip_family() == "910" and dtype != "bfloat16")):
        return
    kind = numpy_dtype(dtype)
    for devices, channels in ((1, 1), (2, 3), (4, 70), (8, 5)):
        for layout in LAYOUTS if devices == 2 else LAYOUTS[:1]:
            parts, counts, _, _ = _devices(rng, devices, channels)
            mean = np.stack([p.mean(0) for p in parts]).astype(kind)
            invstd = np.stack([1 / np.sqrt(p.var(0) + _EPS) for p in parts]).astype(kind)
            weights = counts[:, None] / counts.sum()
            # From what was rounded to the type.
            average = (weights * mean).sum(0)
            variance = 1 / invstd.astype(np.float64) ** 2 - _EPS
            variance = (weights * (variance + (mean.astype(np.float64) - average) ** 2)).sum(0)
            given = channels != 3
            running = [Operand(np.ones(channels, kind)) if given else None for _ in range(2)]
            inputs = (
                Operand(np.zeros((1, channels, 2), kind)), Operand(mean, layout),
                Operand(invstd, layout), *running, 0.1, _EPS, Operand(counts.astype(kind)),
            )  # fmt: skip
            golden = (average, 1 / np.sqrt(variance + _EPS))
            yield Case(
                f"{devices} × {channels} {layout}", inputs, golden,
                out_layouts=("offset", layout), out_dtypes=(dtype, dtype),
            )  # fmt: skip
    nothing = Operand(np.zeros((0, 3), kind))
    inputs = (
        Operand(np.zeros((1, 3), kind)), nothing, nothing, None, None, 0.1, _EPS,
        Operand(np.zeros(0, kind)),
    )  # fmt: skip
    yield Case("no devices", inputs, (np.zeros(3), np.full(3, np.nan)))


def _gather_sums(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16() or (dtype == "bfloat16" and not is_950()):
        return
    kind = numpy_dtype(dtype)
    for devices, channels in ((1, 1), (2, 3), (4, 70), (8, 5)):
        for counted in ("int32", dtype):
            parts, counts, _, _ = _devices(rng, devices, channels)
            sums = np.stack([p.sum(0) for p in parts]).astype(kind)
            squares = np.stack([(p**2).sum(0) + 5 for p in parts]).astype(kind)
            average = sums.astype(np.float64).sum(0) / counts.sum()
            variance = squares.astype(np.float64).sum(0) / counts.sum() - average**2
            inputs = (
                Operand(sums), Operand(squares), Operand(counts.astype(numpy_dtype(counted))),
                Operand(np.ones(channels, kind)), Operand(np.ones(channels, kind)), 0.1, _EPS,
            )  # fmt: skip
            yield Case(
                f"{devices} × {channels} {counted}", inputs,
                (average, 1 / np.sqrt(variance + _EPS)),
            )  # fmt: skip
    for layout in LAYOUTS[1:]:
        inputs = (
            Operand(np.full((2, 3), 4, kind), layout), Operand(np.full((2, 3), 12, kind), layout),
            Operand(np.full(2, 2, np.int32)), Operand(np.ones(3, kind)),
            Operand(np.ones(3, kind)), 0.1, _EPS,
        )  # fmt: skip
        golden = (np.full(3, 2.0), np.full(3, 1 / np.sqrt(2 + _EPS)))
        yield Case(layout, inputs, golden, (layout, "offset"), (dtype, dtype))


def _norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if dtype == "bfloat16" and not has_bfloat16():
        return

    def one(values: Array, order: float, dims: list[int], gives: str = dtype) -> Case:
        golden = norm(values, tuple(dims), False, order)
        label = f"{order} of {values.shape} as {gives}"
        inputs: tuple[Any, ...] = (Operand(values), order, dims, False)
        return Case(label, inputs, (golden,), ("contiguous",), (gives,))

    def over_axes(order: float) -> Iterator[Case]:
        return reduced(
            lambda x, axes, keep: (norm(x, axes, keep, order),),
            lambda dims, keep: (order, list(dims), keep), several,
        )(dtype, rng)  # fmt: skip

    yield from over_axes(2.0)
    for order in (0.0, 1.0, 3.0, 0.5, -1.0, np.inf, -np.inf):
        yield from islice(over_axes(order), 6, 9)
        yield one(random_values((3, 30), dtype, rng), order, [1], "float32")
    if dtype == "float32" and not has_950_kernels():
        for other in ("float64", "int64", "int32", "int16", "int8", "uint8", "bool"):
            values = random_values((3, 30), "int8" if other == "bool" else other, rng)
            yield one(values.astype(numpy_dtype(other)), 2.0, [1])
        yield one(random_values((3, 30), "float64", rng), 1.0, [0, 1], "float64")
    empty = np.zeros((3, 0), numpy_dtype(dtype))
    yield Case("rows of nothing", (Operand(empty), 2.0, [-1], False), (np.zeros(3),))


_HALVES = ("float32", "float16", "bfloat16")

SUITES = (
    Suite("batch_norm_stats", ("float32", "float16"), _stats),
    Suite("batch_norm_reduce", _HALVES, _reduce),
    Suite("batch_norm_gather_stats_with_counts", _HALVES, _gather),
    Suite("sync_batch_norm_gather_stats", ("float32", "float16"), _gather_sums),
    Suite("norm", _HALVES, _norm),
)  # fmt: skip
