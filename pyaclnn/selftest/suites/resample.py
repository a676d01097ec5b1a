"""Resizing: gradients of nearest, linear, cubic and antialiased interpolation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_950_kernels, has_bfloat16, soc_name
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites import resample_reference as reference
from pyaclnn.selftest.suites.resample_reference import Matrix, resize_backward

FLOATS = ("float32", "float16", "bfloat16")
WITH_DOUBLE = (*FLOATS, "float64")


@dataclass(frozen=True, slots=True)
class Resize:
    """Shape before, spatial extents after, and the scales if they are given."""

    shape: tuple[int, ...]
    size: tuple[int, ...]
    scales: tuple[float, ...] = ()


RESIZES_1D = (
    Resize((2, 3, 5), (10,)), Resize((2, 3, 5), (10,), (2.0,)), Resize((1, 1, 1), (1,)),
    Resize((1, 1, 1), (7,)), Resize((1, 2, 9), (4,)), Resize((2, 2, 16), (40,), (2.5,)),
    Resize((2, 2, 16), (24,), (1.5,)), Resize((1, 2, 32), (16,), (0.5,)), Resize((1, 3, 5), (13,)),
    Resize((1, 3, 13), (5,)), Resize((3, 1, 4), (4,)), Resize((3, 1, 4), (4,), (1.0,)),
    Resize((2, 1, 3), (12,), (4.0,)), Resize((1, 70, 6), (9,)), Resize((1, 1, 65), (40,)),
    Resize((4, 2, 10), (20,)), Resize((1, 1, 9), (1,)), Resize((2, 1, 24), (18,), (0.75,)),
    Resize((1, 2, 17), (34,), (2.0,)), Resize((1, 2, 17), (25,), (1.5,)), Resize((5, 3, 12), (3,)),
    Resize((1, 1, 300), (700,)), Resize((1, 4, 16), (20,), (1.25,)), Resize((3, 5, 1000), (250,)),
    Resize((2, 40, 513), (1026,), (2.0,)), Resize((1, 1, 2047), (1024,)),
)  # fmt: skip

RESIZES_2D = (
    Resize((2, 3, 4, 5), (8, 10)), Resize((2, 3, 4, 5), (8, 10), (2.0, 2.0)),
    Resize((1, 1, 1, 1), (1, 1)), Resize((1, 1, 1, 1), (7, 5)), Resize((1, 2, 6, 9), (3, 4)),
    Resize((2, 2, 8, 16), (16, 40), (2.0, 2.5)), Resize((2, 2, 8, 16), (12, 24), (1.5, 1.5)),
    Resize((1, 2, 16, 32), (8, 16), (0.5, 0.5)), Resize((1, 3, 7, 5), (11, 13)),
    Resize((1, 3, 11, 13), (7, 5)), Resize((3, 1, 9, 4), (9, 4)),
    Resize((3, 1, 9, 4), (9, 4), (1.0, 1.0)), Resize((2, 1, 3, 3), (12, 12), (4.0, 4.0)),
    Resize((1, 70, 5, 6), (10, 9)), Resize((1, 1, 64, 65), (130, 40)),
    Resize((2, 2, 10, 10), (5, 20)), Resize((1, 1, 5, 1), (5, 9)), Resize((1, 1, 1, 5), (9, 1)),
    Resize((2, 1, 20, 24), (30, 18), (1.5, 0.75)), Resize((1, 2, 33, 17), (66, 34), (2.0, 2.0)),
    Resize((1, 2, 9, 17), (13, 25), (1.5, 1.5)), Resize((5, 3, 12, 12), (3, 3)),
    Resize((1, 1, 2, 300), (3, 700)), Resize((1, 1, 300, 2), (700, 3)),
    Resize((1, 4, 16, 16), (20, 20), (1.25, 1.25)), Resize((1, 4, 128, 96), (64, 192), (0.5, 2.0)),
    Resize((2, 3, 150, 140), (300, 280), (2.0, 2.0)), Resize((1, 2, 4, 4), (6, 6), (1.7, 1.7)),
)  # fmt: skip

RESIZES_3D = (
    Resize((2, 3, 2, 4, 5), (4, 8, 10)), Resize((2, 3, 2, 4, 5), (4, 8, 10), (2.0, 2.0, 2.0)),
    Resize((1, 1, 1, 1, 1), (1, 1, 1)), Resize((1, 1, 1, 1, 1), (3, 7, 5)),
    Resize((1, 2, 5, 6, 9), (2, 3, 4)), Resize((2, 2, 4, 8, 16), (8, 16, 40), (2.0, 2.0, 2.5)),
    Resize((1, 2, 4, 8, 6), (6, 12, 9), (1.5, 1.5, 1.5)),
    Resize((1, 2, 8, 16, 10), (4, 8, 5), (0.5, 0.5, 0.5)), Resize((1, 3, 3, 7, 5), (5, 11, 13)),
    Resize((1, 3, 5, 11, 13), (3, 7, 5)), Resize((3, 1, 2, 9, 4), (2, 9, 4)),
    Resize((3, 1, 2, 9, 4), (2, 9, 4), (1.0, 1.0, 1.0)),
    Resize((2, 1, 3, 3, 3), (12, 12, 12), (4.0, 4.0, 4.0)),
    Resize((1, 70, 2, 5, 6), (3, 10, 9)), Resize((1, 1, 7, 20, 21), (3, 41, 13)),
    Resize((2, 2, 4, 6, 6), (8, 3, 12)), Resize((1, 1, 1, 5, 1), (4, 5, 9)),
    Resize((1, 1, 5, 1, 5), (1, 9, 1)),
    Resize((2, 1, 4, 8, 8), (6, 6, 16), (1.5, 0.75, 2.0)),
    Resize((1, 2, 3, 9, 17), (4, 13, 25), (1.5, 1.5, 1.5)), Resize((5, 3, 6, 6, 6), (2, 3, 3)),
    Resize((1, 1, 2, 2, 300), (3, 3, 700)), Resize((1, 1, 60, 2, 2), (140, 3, 3)),
    Resize((1, 4, 4, 8, 16), (5, 10, 20), (1.25, 1.25, 1.25)),
    Resize((2, 3, 20, 24, 28), (40, 48, 56), (2.0, 2.0, 2.0)),
)  # fmt: skip

_TABLES = {1: RESIZES_1D, 2: RESIZES_2D, 3: RESIZES_3D}

#: Whether the kernel heeds the scales of a case, or goes by the extents.
UsesScales = Callable[[Resize], bool]


def _is_a2() -> bool:
    return has_bfloat16() and not soc_name().startswith(("Ascend910_95", "Ascend950"))


def _always(resize: Resize) -> bool:
    return True


def _bilinear(resize: Resize) -> bool:
    return has_950_kernels()


def _since_a2(resize: Resize) -> bool:
    return _is_a2() or has_950_kernels()


def _gradient(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    """Return values of one sign in each channel: sums cancel little."""
    signs = rng.choice([-1.0, 1.0], (*shape[:2], *(1,) * (len(shape) - 2)))
    return np.asarray(rng.uniform(0.5, 1.5, shape) * signs).astype(numpy_dtype(dtype))


def _cases(
    matrix: Matrix, axes: int, aligns: tuple[bool, ...], uses_scales: UsesScales, empty: bool,
    chips: Callable[[], bool],
) -> Callable[[str, np.random.Generator], Iterator[Case]]:  # fmt: skip
    """Cases of one operator; ``aligns`` is empty where it has no such attribute."""

    def case(
        label: str, resize: Resize, align: bool, dtype: str, rng: np.random.Generator,
        layout: str = "contiguous", out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        grad = _gradient((*resize.shape[:2], *resize.size), dtype, rng)
        if layout == "expanded":
            grad = np.array(np.broadcast_to(grad[:1], grad.shape))
        given = resize.scales or (0.0,) * axes
        heeded = given if uses_scales(resize) else (0.0,) * axes
        exact = grad.astype(np.float64)
        golden = resize_backward(exact, matrix, resize.shape, heeded, align)
        attributes = (resize.size, resize.shape, *((align,) if aligns else ()), *given)
        return Case(label, (Operand(grad, layout), *attributes), (golden,), out)

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not chips():
            return
        for align in aligns or (False,):
            corners = " corners aligned" if align else ""
            for resize in _TABLES[axes]:
                scales = f" by {resize.scales}" if resize.scales else ""
                label = f"{resize.shape} to {resize.size}{scales}{corners}"
                yield case(label, resize, align, dtype, rng)
        resize = Resize((3, 4, *(5, 6, 7)[:axes]), (8, 11, 10)[:axes])
        for layout in LAYOUTS[1:]:
            yield case(f"{layout} gradient", resize, False, dtype, rng, layout)
            yield case(f"{layout} result", resize, False, dtype, rng, out=(layout,))
            yield case(f"{layout} both", resize, False, dtype, rng, layout, (layout,))
        yield case("expanded gradient", resize, False, dtype, rng, "expanded")
        if empty:
            none = Resize((0, *resize.shape[1:]), resize.size)
            yield case("empty batch", none, False, dtype, rng)

    return cases


_CORNERS = (False, True)


def _not_310p() -> bool:
    return not soc_name().startswith("Ascend310")


def _suite(
    name: str, matrix: Matrix, axes: int, *, dtypes: tuple[str, ...] = FLOATS,
    aligns: tuple[bool, ...] = (), uses_scales: UsesScales = _always, empty: bool = True,
    chips: Callable[[], bool] = lambda: True,
) -> Suite:  # fmt: skip
    cases = _cases(matrix, axes, aligns, uses_scales, empty, chips)
    return Suite(name, dtypes, cases)


SUITES = (
    _suite("upsample_nearest1d_backward", reference.nearest, 1, dtypes=WITH_DOUBLE),
    _suite("upsample_nearest2d_backward", reference.nearest, 2, uses_scales=_since_a2),
    _suite("upsample_nearest3d_backward", reference.nearest, 3, dtypes=WITH_DOUBLE),
    _suite(
        "upsample_nearest_exact1d_backward", reference.nearest_exact, 1, empty=False,
        chips=has_bfloat16,
    ),
    _suite(
        "upsample_nearest_exact2d_backward", reference.nearest_exact, 2, chips=has_bfloat16
    ),
    _suite(
        "upsample_nearest_exact3d_backward", reference.nearest_exact, 3, chips=has_bfloat16
    ),
    _suite(
        "upsample_linear1d_backward", reference.linear, 1, aligns=_CORNERS,
        uses_scales=_since_a2, chips=_not_310p,
    ),
    _suite(
        "upsample_bilinear2d_backward", reference.linear, 2, dtypes=("float32", "float16"),
        aligns=_CORNERS, uses_scales=_bilinear,
    ),
    _suite(
        "upsample_bilinear2d_backward_v2", reference.linear, 2, aligns=_CORNERS,
        uses_scales=_since_a2,
    ),
    _suite(
        "upsample_trilinear3d_backward", reference.linear, 3, dtypes=WITH_DOUBLE, aligns=_CORNERS
    ),
    _suite("upsample_bicubic2d_backward", reference.cubic, 2, aligns=_CORNERS),
    _suite(
        "upsample_bilinear2d_aa_backward", reference.linear_antialiased, 2, aligns=_CORNERS,
        empty=False, chips=has_bfloat16,
    ),
    _suite(
        "upsample_bicubic2d_aa_grad", reference.cubic_antialiased, 2, aligns=_CORNERS,
        empty=False, chips=has_bfloat16,
    ),
)  # fmt: skip
