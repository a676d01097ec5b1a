"""Normalisations: what they give, and what they hand to their gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_950, is_first_generation
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.norm_batch import SHAPES as IMAGES

Shape = tuple[int, ...]

_DTYPES = ("float32", "float16", "bfloat16")
_EPS = 1e-3


def _values(shape: Shape, dtype: str, rng: np.random.Generator, low: float, high: float) -> Array:
    return np.asarray(rng.uniform(low, high, shape)).astype(numpy_dtype(dtype))


def _wide(operand: Operand | None, otherwise: float) -> Any:
    return otherwise if operand is None else operand.values.astype(np.float64)


def rows_normalised(
    x: Array, axes: tuple[int, ...], eps: float, *, centred: bool = True
) -> tuple[Array, Array, Array]:
    """Return (x - mean) rstd, mean and rstd over some axes, which stay as 1."""
    mean = x.mean(axes, keepdims=True) if centred else np.zeros_like(x.mean(axes, keepdims=True))
    rstd = 1 / np.sqrt(((x - mean) ** 2).mean(axes, keepdims=True) + eps)
    return (x - mean) * rstd, mean, rstd


def _image(shape: Shape, dtype: str, rng: np.random.Generator) -> Array:
    # No mean is near 0, where it would have no digits.
    return np.asarray(rng.normal(1.5, 1.0, shape)).astype(numpy_dtype(dtype))


#: Shape and how many of its last axes are normalised.
_ROWS: tuple[tuple[Shape, int], ...] = (
    ((1,), 1), ((7,), 1), ((3, 5), 1), ((3, 5), 2), ((16, 64), 1), ((5, 1), 1), ((2, 3, 4), 2),
    ((4, 1025), 1), ((1000, 3), 1), ((2, 3, 4, 5), 1), ((2, 2, 2, 2, 2, 2, 2, 2), 3),
    ((2, 70000), 1),
)  # fmt: skip


def _layer_norm(dtype: str, rng: np.random.Generator, *more: Any) -> Iterator[Case]:
    def case(
        shape: Shape, last: int, given: tuple[bool, bool], layouts: tuple[str, ...] = ("", "", ""),
        parameters: str = "", eps: float = _EPS, **options: Any,
    ) -> Case:  # fmt: skip
        normalized = shape[len(shape) - last :]
        x = Operand(_image(shape, dtype, rng), layouts[0] or "contiguous")
        drawn = [
            Operand(_values(normalized, parameters or dtype, rng, 0.5, 1.5), where or "contiguous")
            if is_given else None
            for is_given, where in zip(given, layouts[1:], strict=True)
        ]  # fmt: skip
        weight, bias = drawn
        axes = tuple(range(len(shape) - last, len(shape)))
        y, mean, rstd = rows_normalised(x.values.astype(np.float64), axes, eps)
        golden = (y * _wide(weight, 1) + _wide(bias, 0), mean, rstd)
        label = f"{shape} last {last}, {given}, {layouts}"
        return Case(label, (x, normalized, weight, bias, eps, *more), golden, **options)

    for shape, last in _ROWS:
        for given in ((True, True), (False, False)):
            yield case(shape, last, given)
    yield case((4, 6), 1, (True, False))
    yield case((4, 6), 1, (False, True), eps=0.5)
    if dtype != "float32" and 2 not in more:
        yield case((4, 6), 1, (True, True), parameters="float32")
    for layout in LAYOUTS[1:]:
        where = (layout, "every_second", "offset")
        yield case(
            (3, 4, 6), 1, (True, True), where, out_layouts=(layout, "offset", "every_second"),
            out_dtypes=(dtype, "float32", "float32"),
        )  # fmt: skip
    empty = np.zeros((0, 3), numpy_dtype(dtype))
    inputs = (Operand(empty), (3,), None, None, _EPS, *more)
    yield Case("no rows", inputs, (empty, np.zeros((0, 1)), np.zeros((0, 1))))
    empty = np.zeros((2, 0), numpy_dtype(dtype))
    inputs = (Operand(empty), (0,), None, None, _EPS, *more)
    yield Case("rows of nothing", inputs, (empty, np.zeros((2, 1)), np.full((2, 1), np.nan)))


def _fast_layer_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if has_bfloat16():  # else there is no kernel
        yield from _layer_norm(dtype, rng)


def _layer_norm_by_mode(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _layer_norm(dtype, rng, 0)
    if dtype == "float16":
        yield from _layer_norm(dtype, rng, 2)


#: Shape and number of groups.
_GROUPS: tuple[tuple[Shape, int], ...] = (
    ((1, 1), 1), ((2, 6), 3), ((2, 6, 5), 2), ((3, 4, 7, 5), 4), ((3, 4, 7, 5), 1),
    ((2, 8, 16, 17), 2), ((1, 32, 1, 3), 8), ((2, 4, 2, 3, 2), 2), ((2, 4, 1, 2, 1, 2, 1, 2), 2),
    ((1, 2, 200, 201), 1),
)  # fmt: skip


def _grouped(dtype: str, rng: np.random.Generator, kind: str) -> Iterator[Case]:
    if kind and is_first_generation():  # which has no such kernel
        return

    def case(
        shape: Shape, groups: int, given: bool = True, layout: str = "contiguous",
        parameters: str = "", silu: bool = True, **options: Any,
    ) -> Case:  # fmt: skip
        n, channels, plane = shape[0], shape[1], int(np.prod(shape[2:]))
        x = Operand(_image(shape, dtype, rng), layout)
        gamma, beta = (
            Operand(_values((channels,), parameters or dtype, rng, 0.5, 1.5), layout)
            if given else None
            for _ in range(2)
        )  # fmt: skip
        wide = x.values.astype(np.float64).reshape(n, groups, -1)
        y, mean, rstd = rows_normalised(wide, (2,), _EPS)
        along = (1, channels, *(1,) * (len(shape) - 2))
        scale, shift = (
            v if given else np.full(channels, o)
            for v, o in ((_wide(gamma, 1), 1.0), (_wide(beta, 0), 0.0))
        )
        y = y.reshape(shape) * np.reshape(scale, along) + np.reshape(shift, along)
        activated = kind == "silu" or (kind == "silu v2" and silu)
        if activated:
            y = y / (1 + np.exp(-y))
        inputs: tuple[Any, ...] = (x, gamma, beta)
        inputs += (n, channels, plane, groups, _EPS) if kind == "" else (groups, _EPS)
        inputs += (silu,) if kind == "silu v2" else ()
        golden = (y, mean.reshape(n, groups), rstd.reshape(n, groups))
        return Case(f"{shape} {groups} {given} {layout}", inputs, golden, **options)

    for shape, groups in _GROUPS:
        for given in (True, False):
            yield case(shape, groups, given)
    for layout in LAYOUTS[1:]:
        yield case((2, 4, 5, 6), 2, layout=layout, out_layouts=(layout, "every_second", layout))
    if kind and dtype != "float32" and not is_950():
        yield case((2, 4, 5, 6), 2, parameters="float32")
    if kind == "silu v2":
        yield case((2, 4, 5, 6), 2, silu=False)
    shape = (2, 4, 0)
    x = np.zeros(shape, numpy_dtype(dtype))
    more: tuple[Any, ...] = (2, 4, 0, 2, _EPS) if kind == "" else (2, _EPS)
    more += (True,) if kind == "silu v2" else ()
    inputs = (Operand(x), None, None, *more)
    yield Case("planes of nothing", inputs, (x, np.zeros((2, 2)), np.full((2, 2), np.nan)))


def _group_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _grouped(dtype, rng, "")


def _group_norm_silu(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _grouped(dtype, rng, "silu")


def _group_norm_silu_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _grouped(dtype, rng, "silu v2")


def _rms(dtype: str, rng: np.random.Generator, added: bool) -> Iterator[Case]:
    def case(
        shape: Shape, last: int, layouts: tuple[str, ...] = ("contiguous",) * 3,
        parameters: str = "", eps: float = _EPS, **options: Any,
    ) -> Case:  # fmt: skip
        normalized = shape[len(shape) - last :]
        first = Operand(_image(shape, dtype, rng), layouts[0])
        second = Operand(_image(shape, dtype, rng), layouts[1])
        gamma = Operand(_values(normalized, parameters or dtype, rng, 0.5, 1.5), layouts[2])
        x = _wide(first, 0) + (_wide(second, 0) if added else 0)
        axes = tuple(range(len(shape) - last, len(shape)))
        y, _, rstd = rows_normalised(x, axes, eps, centred=False)
        y = y * _wide(gamma, 1)
        label = f"{shape} last {last} {layouts} {parameters}"
        if added:
            return Case(label, (first, second, gamma, eps), (y, rstd, x), **options)
        return Case(label, (first, gamma, eps), (y, rstd), **options)

    for shape, last in _ROWS:
        yield case(shape, last)
    yield case((4, 6), 1, eps=0.5)
    if dtype != "float32" and not added and has_bfloat16():
        yield case((4, 6), 1, parameters="float32")
    for layout in LAYOUTS[1:]:
        outs = (layout, "offset", "every_second") if added else (layout, "offset")
        types = (dtype, "float32", dtype) if added else (dtype, "float32")
        yield case(
            (3, 4, 6), 1, (layout, "transposed", "every_second"), out_layouts=outs,
            out_dtypes=types,
        )  # fmt: skip


def _rms_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _rms(dtype, rng, added=False)


def _add_rms_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if is_first_generation():  # which has no such kernel
        return
    yield from _rms(dtype, rng, added=True)


def _per_channel(values: Any, x: Array) -> Any:
    return np.reshape(values, (1, -1, *(1,) * (x.ndim - 2)))


def _batch_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    saves_invstd = is_950()

    def case(
        shape: Shape, training: bool, given: bool = True, layout: str = "contiguous",
        parameters: str = "", momentum: float = 0.1, **options: Any,
    ) -> Case:  # fmt: skip
        channels = (shape[1],)
        x = Operand(_image(shape, dtype, rng), layout)
        drawn = [
            Operand(_values(channels, parameters or dtype, rng, 0.5, 1.5), layout)
            if given else None
            for _ in range(4)
        ]  # fmt: skip
        weight, bias, mean, variance = (
            np.full(channels, o) if operand is None else _wide(operand, o)
            for operand, o in zip(drawn, (1.0, 0.0, 0.0, 1.0), strict=True)
        )
        wide = x.values.astype(np.float64)
        if training:
            axes = (0, *range(2, len(shape)))
            mean, variance = wide.mean(axes), wide.var(axes)
        invstd = 1 / np.sqrt(variance + _EPS)
        y = (wide - _per_channel(mean, wide)) * _per_channel(invstd * weight, wide)
        y += _per_channel(bias, wide)
        second = invstd if saves_invstd else variance
        saved = (mean, second) if training else (None, None)
        inputs = (x, *drawn, training, momentum, _EPS)
        label = f"{shape} training {training} given {given} {layout}"
        return Case(label, inputs, (y, *saved), **options)

    for number, shape in enumerate(IMAGES):
        yield case(shape, True, bool(number % 3))
        yield case(shape, False, bool(number % 3))
    for layout in LAYOUTS[1:]:
        yield case(
            (2, 3, 4, 5), True, layout=layout, out_layouts=(layout, "offset", "every_second"),
            out_dtypes=(dtype, "float32", "float32"), momentum=0.3,
        )  # fmt: skip
    if dtype != "float32":
        yield case((2, 3, 4, 5), True, parameters="float32")
        yield case((2, 3, 4, 5), False, parameters="float32")
    empty = np.zeros((0, 3, 4), numpy_dtype(dtype))
    inputs = (Operand(empty), None, None, None, None, True, 0.1, _EPS)
    yield Case("no samples", inputs, (empty, np.zeros(3), np.full(3, np.nan)))


def _batch_norm_elemt(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        shape: Shape, given: bool = True, layout: str = "contiguous", parameters: str = "",
        eps: float = _EPS, **options: Any,
    ) -> Case:  # fmt: skip
        channels = (shape[1],)
        x = Operand(_image(shape, dtype, rng), layout)
        weight, bias, mean, invstd = (
            Operand(_values(channels, parameters or dtype, rng, 0.5, 1.5), layout) for _ in range(4)
        )
        wide = x.values.astype(np.float64)
        y = (wide - _per_channel(_wide(mean, 0), wide)) * _per_channel(_wide(invstd, 1), wide)
        if given:
            y = y * _per_channel(_wide(weight, 1), wide) + _per_channel(_wide(bias, 0), wide)
        pair = (weight, bias) if given else (None, None)
        label = f"{shape} given {given} {layout} {parameters}"
        return Case(label, (x, *pair, mean, invstd, eps), (y,), **options)

    for number, shape in enumerate(IMAGES):
        yield case(shape, bool(number % 3))
    for layout in LAYOUTS[1:]:
        yield case((2, 3, 4, 5), layout=layout, out_layouts=(layout,), eps=0.5)
    if dtype != "float32":
        yield case((2, 3, 4, 5), parameters="float32")


SUITES = (
    Suite("batch_norm", _DTYPES, _batch_norm),
    Suite("batch_norm_elemt", _DTYPES, _batch_norm_elemt),
    Suite("layer_norm", _DTYPES, _layer_norm),
    Suite(
        "layer_norm_with_impl_mode", _DTYPES, _layer_norm_by_mode,
    ),
    Suite("fast_layer_norm", _DTYPES, _fast_layer_norm),
    Suite("group_norm", _DTYPES, _group_norm),
    Suite("group_norm_silu", _DTYPES, _group_norm_silu),
    Suite("group_norm_silu_v2", _DTYPES, _group_norm_silu_v2),
    Suite("rms_norm", _DTYPES, _rms_norm),
    Suite("add_rms_norm", _DTYPES, _add_rms_norm),
)  # fmt: skip
