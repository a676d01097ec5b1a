"""Normalisations fused with additions, activations and scales."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family, has_bfloat16, is_a2_or_late_950
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.norm_forward import rows_normalised

Shape = tuple[int, ...]
_HALVES = ("float32", "float16", "bfloat16")
_EPS = 1e-3

#: Shape and how many of its last axes are normalised.
_ROWS: tuple[tuple[Shape, int], ...] = (
    ((3, 5), 1), ((16, 64), 1), ((5, 1), 1), ((2, 3, 4), 2), ((4, 1025), 1), ((200, 3), 1),
    ((2, 3, 4, 5), 1), ((2, 2, 2, 2, 2, 2, 2, 2), 3),
)  # fmt: skip


def _operand(
    shape: Shape, dtype: str, rng: np.random.Generator, layout: str = "contiguous"
) -> Operand:
    # Neither a sum nor a mean is near 0, where it would have no digits.
    return Operand(rng.normal(1.5, 1.0, shape).astype(numpy_dtype(dtype)), layout)


def _factor(
    shape: Shape, dtype: str, rng: np.random.Generator, layout: str = "contiguous"
) -> Operand:
    return Operand(rng.uniform(0.5, 1.5, shape).astype(numpy_dtype(dtype)), layout)


def _wide(operand: Operand | None) -> Any:
    return 0.0 if operand is None else operand.values.astype(np.float64)


def _last(shape: Shape, count: int) -> tuple[int, ...]:
    return tuple(range(len(shape) - count, len(shape)))


def _shapes() -> Iterator[tuple[Shape, int, str]]:
    for shape, last in _ROWS:
        yield shape, last, "contiguous"
    for layout in LAYOUTS[1:]:
        yield (3, 4, 6), 1, layout


def _statistics(layout: str, dtype: str, kinds: str) -> dict[str, Any]:
    """Return the layouts and element types of outputs: s is a statistic, any other a result."""
    if layout == "contiguous":
        return {}
    return {
        "out_layouts": tuple("offset" if kind == "s" else layout for kind in kinds),
        "out_dtypes": tuple("float32" if kind == "s" else dtype for kind in kinds),
    }


def _add_layer_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    family = chip_family()
    if family == "910" or (dtype == "bfloat16" and not has_bfloat16()):
        return

    def case(
        shape: Shape, last: int, layout: str = "contiguous", bias: str = "", gives: bool = True,
        second: str = "", parameters: str = "",
    ) -> Case:  # fmt: skip
        covered = shape[len(shape) - last :]
        result = "float32" if second else dtype
        x1 = _operand(shape, dtype, rng, layout)
        x2 = _operand(shape, second or dtype, rng, layout)
        gamma, beta = (_factor(covered, parameters or result, rng, layout) for _ in range(2))
        more = {"": None, "row": covered, "all": shape}[bias]
        added = None if more is None else _operand(more, result, rng, layout)
        x = _wide(x1) + _wide(x2) + _wide(added)
        y, mean, rstd = rows_normalised(x, _last(shape, last), _EPS)
        golden = (y * _wide(gamma) + _wide(beta), mean, rstd, x if gives else None)
        return Case(
            f"{shape} last {last} {layout} {bias} {second} {parameters}",
            (x1, x2, gamma, beta, added, _EPS, gives), golden,
            **_statistics(layout, dtype, "yssx"),
        )  # fmt: skip

    for number, (shape, last, layout) in enumerate(_shapes()):
        yield case(shape, last, layout, ("", "row", "all")[number % 3])
    yield case((4, 6), 1, gives=False)
    if dtype != "float32" and family != "310P":
        yield case((4, 6), 1, second="float32", bias="row")
        yield case((4, 6), 1, parameters="float32")


def _deep_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() in ("910", "950") or (dtype == "bfloat16" and not has_bfloat16()):
        return
    for shape, last, layout in _shapes():
        for alpha in (0.3, 1.0) if layout == "contiguous" else (0.75,):
            covered = shape[len(shape) - last :]
            x, gx = (_operand(shape, dtype, rng, layout) for _ in range(2))
            beta, gamma = (_factor(covered, dtype, rng, layout) for _ in range(2))
            total = np.float64(np.float32(alpha)) * _wide(x) + _wide(gx)
            y, mean, rstd = rows_normalised(total, _last(shape, last), _EPS)
            yield Case(
                f"{shape} last {last} {alpha} {layout}", (x, gx, beta, gamma, alpha, _EPS),
                (mean, rstd, y * _wide(gamma) + _wide(beta)), **_statistics(layout, dtype, "ssy"),
            )  # fmt: skip


def _gemma(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for shape, last, layout in _shapes():
        x = _operand(shape, dtype, rng, layout)
        gamma = _factor(shape[len(shape) - last :], dtype, rng, layout)
        y, _, rstd = rows_normalised(_wide(x), _last(shape, last), _EPS, centred=False)
        yield Case(
            f"{shape} last {last} {layout}", (x, gamma, _EPS), (y * (1 + _wide(gamma)), rstd),
            **_statistics(layout, dtype, "ys"),
        )  # fmt: skip


def _added_rms(
    rng: np.random.Generator, dtype: str, shape: Shape, last: int, layout: str
) -> tuple[tuple[Any, ...], Array, Array, Array]:
    x1, x2 = (_operand(shape, dtype, rng, layout) for _ in range(2))
    gamma = _factor(shape[len(shape) - last :], dtype, rng, layout)
    x = _wide(x1) + _wide(x2)
    y, _, rstd = rows_normalised(x, _last(shape, last), _EPS, centred=False)
    return (x1, x2, gamma, _EPS), y * _wide(gamma), rstd, x


def _add_rms_norm_cast(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for shape, last, layout in _shapes():
        inputs, y, rstd, x = _added_rms(rng, dtype, shape, last, layout)
        options = _statistics(layout, dtype, "yysx")
        if options:
            options["out_dtypes"] = ("float32", dtype, "float32", dtype)
        # The first is the second as float32, which a test sees: no standard is for its digits.
        yield Case(f"{shape} last {last} {layout}", inputs, (None, y, rstd, x), **options)


def _inplace_add_rms_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "910" or (dtype == "bfloat16" and not has_bfloat16()):
        return
    for shape, last, layout in _shapes():
        # What is written in place is seen by a test.
        inputs, _, rstd, _ = _added_rms(rng, dtype, shape, last, layout)
        yield Case(f"{shape} last {last} {layout}", inputs, (rstd,))


def _swish(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_late_950():
        return

    def case(
        shape: Shape, groups: int, layout: str = "contiguous", active: bool = True,
        scale: float = 1.0, parameters: str = "",
    ) -> Case:  # fmt: skip
        x = _operand(shape, dtype, rng, layout)
        kind = parameters or dtype
        gamma, beta = (_factor((shape[1],), kind, rng, layout) for _ in range(2))
        wide = _wide(x).reshape(shape[0], groups, -1)
        y, mean, rstd = rows_normalised(wide, (2,), _EPS)
        along = (1, shape[1], *(1,) * (len(shape) - 2))
        y = y.reshape(shape) * _wide(gamma).reshape(along) + _wide(beta).reshape(along)
        if active:
            y = y / (1 + np.exp(-scale * y))
        golden = (y, mean.reshape(shape[0], groups), rstd.reshape(shape[0], groups))
        options: dict[str, Any] = {}
        if layout != "contiguous":
            options = {"out_layouts": (layout, "offset", layout), "out_dtypes": (dtype, kind, kind)}
        return Case(
            f"{shape} {groups} {layout} {active} {scale} {parameters}",
            (x, gamma, beta, groups, "NCHW", _EPS, active, scale), golden, **options,
        )  # fmt: skip

    for shape, groups in (
        ((1, 1), 1), ((2, 6), 3), ((2, 6, 5), 2), ((3, 4, 7, 5), 4), ((2, 8, 16, 17), 2),
        ((2, 4, 2, 3, 2), 1),
    ):  # fmt: skip
        yield case(shape, groups)
    for layout in LAYOUTS[1:]:
        yield case((2, 4, 5, 6), 2, layout, scale=0.5)
    yield case((2, 4, 5, 6), 2, active=False)
    yield case((2, 4, 5, 6), 2, scale=2.0)
    if dtype != "float32":
        yield case((2, 4, 5, 6), 2, parameters="float32")


def _ada(second: bool) -> Any:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        family = chip_family()
        if family != "A2" and not (second and family == "950"):
            return

        def case(
            shape: Shape, layout: str = "contiguous", given: tuple[bool, bool] = (True, True),
            one: bool = True, parameters: str = "",
        ) -> Case:  # fmt: skip
            width, batch = shape[-1], shape[:-2]
            x = _operand(shape, dtype, rng, layout)
            modulation = (*batch, 1, width) if one else (*batch, width)
            scale, shift = (_factor(modulation, dtype, rng, layout) for _ in range(2))
            weight, bias = (
                _factor((width,), parameters or dtype, rng, layout) if is_given else None
                for is_given in given
            )
            y, mean, rstd = rows_normalised(_wide(x), (len(shape) - 1,), _EPS)
            y = y * (1 if weight is None else _wide(weight)) + _wide(bias)
            spread = (*batch, 1, width)
            y = y * (1 + _wide(scale).reshape(spread)) + _wide(shift).reshape(spread)
            golden = (y, mean, rstd) if second else (y,)
            options: dict[str, Any] = {}
            if layout != "contiguous":
                options = {
                    "out_layouts": (layout, "offset", layout) if second else (layout,),
                    "out_dtypes": (dtype,) * len(golden),
                }
            return Case(
                f"{shape} {layout} {given} {one} {parameters}",
                (x, scale, shift, weight, bias, _EPS), golden, **options,
            )  # fmt: skip

        for shape in ((3, 5), (2, 3, 4), (2, 5, 1), (2, 3, 130), (2, 2, 1, 3, 4, 5)):
            yield case(shape)
            yield case(shape, given=(False, False), one=False)
        for layout in LAYOUTS[1:]:
            yield case((2, 3, 4), layout)
        yield case((2, 3, 4), given=(True, False))
        if second and dtype != "float32":
            yield case((2, 3, 4), parameters="float32")

    return cases


def _instance_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "310P":
        return
    for order, axes in (("NCHW", (2, 3)), ("NHWC", (1, 2))):
        for shape in ((1, 1, 1, 1), (2, 3, 4, 5), (3, 2, 17, 16)):
            for layout in LAYOUTS if shape == (2, 3, 4, 5) else LAYOUTS[:1]:
                x = _operand(shape, dtype, rng, layout)
                channel = 1 if order == "NCHW" else 3
                gamma, beta = (_factor((shape[channel],), dtype, rng, layout) for _ in range(2))
                wide = _wide(x)
                y, mean, _ = rows_normalised(wide, axes, _EPS)
                along = [1] * 4
                along[channel] = -1
                y = y * _wide(gamma).reshape(along) + _wide(beta).reshape(along)
                golden = (y, mean, wide.var(axes, keepdims=True))
                yield Case(
                    f"{shape} {order} {layout}", (x, gamma, beta, order, _EPS), golden,
                    out_layouts=(layout, "offset", layout), out_dtypes=(dtype,) * 3,
                )  # fmt: skip


SUITES = (
    Suite("add_layer_norm", _HALVES, _add_layer_norm),
    Suite("deep_norm", _HALVES, _deep_norm),
    Suite("gemma_rms_norm", _HALVES, _gemma),
    Suite("add_rms_norm_cast", ("float16", "bfloat16"), _add_rms_norm_cast),
    Suite("inplace_add_rms_norm", _HALVES, _inplace_add_rms_norm),
    Suite("group_norm_swish", _HALVES, _swish),
    Suite("ada_layer_norm", _HALVES, _ada(second=False)),
    Suite("ada_layer_norm_v2", _HALVES, _ada(second=True)),
    Suite("instance_norm", ("float32", "float16"), _instance_norm, chip="Ascend310P3"),
)
