"""Group normalisation, and with the swish behind it."""

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
from pyaclnn.selftest.chips import is_a2_or_late_950

Shape = tuple[int, ...]

#: Shapes and numbers of groups, around the size of a plane where the kernel changes its way.
GROUP_SHAPES: tuple[tuple[Shape, int], ...] = (
    ((2, 4, 5), 2), ((2, 4, 5), 1), ((2, 4, 5), 4), ((3, 6), 2), ((1, 8, 3, 3), 2),
    ((2, 6, 4, 4), 3), ((2, 6, 15), 3), ((2, 6, 17), 3), ((4, 32, 7, 7), 8), ((2, 64, 2, 2), 32),
    ((1, 2, 60, 61), 1), ((2, 3, 1030), 3), ((2, 4, 2, 3, 4), 2), ((2, 4, 1, 2, 3, 2), 2),
    ((2, 2, 2, 2, 2, 2, 3), 1), ((2, 2, 1, 2, 1, 2, 2, 2), 2), ((70, 4, 3), 2), ((9, 12, 31), 4),
)  # fmt: skip

MASKS = tuple((bool(i & 1), bool(i & 2), bool(i & 4)) for i in range(1, 8))

_ALL = (True, True, True)
_DTYPES = ("float32", "float16", "bfloat16")


def group_norm_backward(
    grad: Array, x: Array, mean: Array, rstd: Array, gamma: Array
) -> tuple[Array, Array, Array]:
    """Gradients of a group norm (torch.nn.functional.group_norm); statistics are [N, groups]."""
    n, groups = mean.shape
    grouped = (n, groups, -1)
    per_channel = (1, -1, *(1,) * (x.ndim - 2))
    normal = ((x.reshape(grouped) - mean[..., None]) * rstd[..., None]).reshape(x.shape)
    scaled = (grad * gamma.reshape(per_channel)).reshape(grouped)
    slope = (scaled * normal.reshape(grouped)).mean(axis=2, keepdims=True)
    inner = scaled - scaled.mean(axis=2, keepdims=True) - normal.reshape(grouped) * slope
    axes = (0, *range(2, x.ndim))
    grad_x = (rstd[..., None] * inner).reshape(x.shape)
    return grad_x, (grad * normal).sum(axis=axes), grad.sum(axis=axes)


def group_norm_swish_backward(
    grad: Array, x: Array, mean: Array, rstd: Array, gamma: Array, beta: Array, scale: float
) -> tuple[Array, Array, Array]:
    """Gradients of y·sigmoid(scale·y) with y a group norm."""
    n, groups = mean.shape
    per_channel = (1, -1, *(1,) * (x.ndim - 2))
    centered = x.reshape((n, groups, -1)) - mean[..., None]
    normal = (centered * rstd[..., None]).reshape(x.shape)
    y = normal * gamma.reshape(per_channel) + beta.reshape(per_channel)
    sigmoid = 1 / (1 + np.exp(-scale * y))
    slope = sigmoid * (1 + scale * y * (1 - sigmoid))
    return group_norm_backward(grad * slope, x, mean, rstd, gamma)


def _group_data(
    shape: Shape, groups: int, dtype: str, rng: np.random.Generator
) -> dict[str, Array]:
    kind = numpy_dtype(dtype)
    x = random_values(shape, dtype, rng)
    grouped = x.astype(np.float64).reshape((shape[0], groups, -1))
    return {
        "grad": random_values(shape, dtype, rng),
        "x": x,
        "mean": grouped.mean(axis=2).astype(kind),
        "rstd": (1 / np.sqrt(grouped.var(axis=2) + 1e-5)).astype(kind),
        "gamma": rng.uniform(0.5, 2.0, shape[1]).astype(kind),
        "beta": rng.normal(0.0, 0.5, shape[1]).astype(kind),
    }


def _group_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, shape: Shape, groups: int, mask: tuple[bool, ...] = _ALL, weighted: bool = True,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: str = "",
    ) -> Case:  # fmt: skip
        data = _group_data(shape, groups, dtype, rng)
        gamma = data["gamma"] if weighted else np.ones_like(data["gamma"])
        grad, x, mean, rstd = (data[n].astype(np.float64) for n in ("grad", "x", "mean", "rstd"))
        golden = group_norm_backward(grad, x, mean, rstd, gamma.astype(np.float64))
        n, c = shape[:2]
        inputs = (
            Operand(data["grad"], layouts[0]), Operand(data["x"], layouts[1]),
            Operand(data["mean"]), Operand(data["rstd"]), Operand(gamma) if weighted else None,
            n, c, data["x"].size // (n * c), groups, mask,
        )  # fmt: skip
        wanted = tuple(g if m else None for g, m in zip(golden, mask, strict=True))
        return Case(label, inputs, wanted, (out, "every_second", "offset") if out else ())

    for shape, groups in GROUP_SHAPES:
        yield case(f"shape {shape}, {groups} groups", shape, groups)
    for mask in MASKS:
        yield case(f"mask {mask}", (2, 4, 5), 2, mask)
        yield case(f"mask {mask}, large planes", (2, 4, 5, 6), 2, mask)
    yield case("without gamma", (2, 6, 5), 3, weighted=False)
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", (3, 4, 6), 2, layouts=(first, second), out=out)
        label = f"{first} × {second} → {out}, planes"
        yield case(label, (2, 4, 5, 6), 2, layouts=(first, second), out=out)
    yield from in_views(case("(3, 4, 6)", (3, 4, 6), 2), 2, 3, 4)
    empty = np.zeros((0, 4, 5), numpy_dtype(dtype))
    none = Operand(np.zeros((0, 2), numpy_dtype(dtype)))
    flags = (True, False, False)
    inputs = (Operand(empty), Operand(empty), none, none, None, 0, 4, 5, 2, flags)
    yield Case("empty", inputs, (empty, None, None))


def _group_norm_swish(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_late_950():
        return
    names = ("grad", "mean", "rstd", "x", "gamma", "beta")

    def case(
        label: str, shape: Shape, groups: int, scale: float = 1.0, data_format: str | None = "NCHW",
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: str = "",
        required: tuple[bool, bool] = (True, True),
    ) -> Case:  # fmt: skip
        data = _group_data(shape, groups, dtype, rng)
        # Of one sign: sums that cancel say more about the exponential than about the kernel.
        data["grad"] = rng.uniform(0.25, 2.0, shape).astype(numpy_dtype(dtype))
        names64 = ("grad", "x", "mean", "rstd", "gamma", "beta")
        grad, x, mean, rstd, gamma, beta = (data[n].astype(np.float64) for n in names64)
        factor = float(np.float32(scale))
        golden = group_norm_swish_backward(grad, x, mean, rstd, gamma, beta, factor)
        chosen: dict[str, Any] = {"grad": layouts[0], "x": layouts[1]}
        operands = [Operand(data[n], chosen.get(n, "contiguous")) for n in names]
        # An output that is not required is passed all the same, and left alone.
        wanted = (golden[0], *(g if r else None for g, r in zip(golden[1:], required, strict=True)))
        outs = (out, "every_second", "offset") if out else ()
        return Case(label, (*operands, groups, data_format, scale, *required), wanted, outs)

    for shape, groups in GROUP_SHAPES:
        yield case(f"shape {shape}, {groups} groups", shape, groups)
    for scale in (0.5, 2.0, -1.0):
        yield case(f"scale {scale}", (2, 4, 9), 2, scale)
    yield case("data format left out", (2, 4, 9), 2, 1.0, None)
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", (3, 4, 6), 2, layouts=(first, second), out=out)
    yield from in_views(case("(3, 4, 6)", (3, 4, 6), 2), 1, 2, 4, 5)
    for required in ((False, True), (True, False), (False, False)):
        yield case(f"required {required}", (2, 4, 9), 2, required=required)


SUITES = (
    Suite("group_norm_backward", _DTYPES, _group_norm),
    Suite("group_norm_swish_grad", _DTYPES, _group_norm_swish),
)
