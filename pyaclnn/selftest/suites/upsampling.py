"""Resizing forward, by the nearest element and by interpolation, and the grid of an affine map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family, has_950_kernels, has_bfloat16, is_a2_or_late_950
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.resample_reference import (
    Matrix,
    cubic,
    cubic_antialiased,
    linear,
    linear_antialiased,
    nearest,
    nearest_exact,
)

Size = tuple[int, ...]
_HALVES = ("float32", "float16", "bfloat16")
_ALL = (*_HALVES, "float64")
_NUMBERS = (*_ALL, "uint8")

#: Shapes and sizes by the number of spatial axes.
_SIZES: dict[int, tuple[tuple[Size, Size], ...]] = {
    1: (((1, 1, 1), (3,)), ((2, 3, 5), (5,)), ((2, 3, 5), (10,)), ((2, 3, 9), (4,)),
        ((1, 2, 40), (100,)), ((3, 2, 33), (7,)), ((2, 1, 6), (1,))),
    2: (((1, 1, 1, 1), (3, 2)), ((2, 3, 4, 5), (4, 5)), ((2, 3, 4, 5), (8, 10)),
        ((2, 3, 9, 7), (3, 15)), ((1, 2, 40, 33), (60, 20)), ((3, 2, 1, 6), (4, 1))),
    3: (((1, 1, 1, 1, 1), (2, 3, 1)), ((2, 3, 4, 5, 6), (4, 5, 6)),
        ((2, 3, 4, 5, 6), (8, 10, 3)), ((1, 2, 9, 16, 7), (5, 31, 20))),
}  # fmt: skip

#: Factors that lead to the sizes, and whose inverses float32 holds.
_SCALED: dict[int, tuple[tuple[Size, Size, tuple[float, ...]], ...]] = {
    1: (((2, 3, 5), (10,), (2.0,)), ((2, 3, 8), (2,), (0.25,))),
    2: (((2, 3, 5, 8), (10, 4), (2.0, 0.5)), ((2, 3, 4, 5), (16, 10), (4.0, 2.0))),
    3: (((2, 3, 4, 5, 6), (8, 20, 3), (2.0, 4.0, 0.5)),),
}


def _everywhere(dtype: str) -> bool:
    return dtype != "bfloat16" or has_bfloat16()


def _where_elements_have_middles(dtype: str) -> bool:
    return is_a2_or_late_950() or (chip_family() == "310P" and dtype != "bfloat16")


def _on_950_too(dtype: str) -> bool:
    return _where_elements_have_middles(dtype) or has_950_kernels()


def _not_on_310p(dtype: str) -> bool:
    return chip_family() != "310P" and _everywhere(dtype)


def _not_float64_on_310p(dtype: str) -> bool:
    return _everywhere(dtype) and (chip_family() != "310P" or dtype != "float64")


def _where_there_are_filters(dtype: str) -> bool:
    return has_bfloat16()


def resized(x: Array, size: Size, matrix: Matrix, scales: tuple[float, ...], align: bool) -> Array:
    """Return x with the interpolation of each axis behind the first two."""
    result = x.astype(np.float64)
    for axis in range(2, x.ndim):
        weights = matrix(x.shape[axis], size[axis - 2], scales[axis - 2], align)
        result = np.moveaxis(np.tensordot(weights, result, (1, axis)), 0, axis)
    return result


@dataclass(frozen=True)
class _Resizing:
    """One operator.

    Attributes
    ----------
    axes : int
        Spatial ones.
    matrix : callable
        Its reference along one axis.
    has : callable
        Whether the chip of this process has it for a dtype.
    aligns : bool
        Whether it has an argument for aligned corners.
    scales : float or None
        What is given where sizes alone count; None where it has no scales.
    format : str
        That with channels last, where it has one.
    empty : bool
        Whether it takes an empty batch.
    strided : callable
        Whether it writes a strided image for a dtype on the chip of this process.
    """

    axes: int
    matrix: Matrix
    has: Callable[[str], bool]
    aligns: bool = False
    scales: float | None = 0.0
    format: str = ""
    empty: bool = True
    strided: Callable[[str], bool] = _everywhere

    def __call__(self, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not self.has(dtype):
            return
        for shape, size in _SIZES[self.axes]:
            for align in (False, True) if self.aligns else (False,):
                yield self._case(self._values(shape, dtype, rng), size, align=align)
        # Other chips, and the kernel of float64, go by the sizes alone.
        if self.scales is not None and chip_family() == "A2" and dtype not in ("float64", "uint8"):
            for shape, size, scales in _SCALED[self.axes]:
                yield self._case(self._values(shape, dtype, rng), size, scales)
        shape, size = _SIZES[self.axes][-1]
        for layout in LAYOUTS[1:]:
            yield self._case(self._values(shape, dtype, rng), size, layout=layout)
        if self.format:
            yield self._case(self._values(shape, dtype, rng), size, format=self.format)
        if self.empty:
            yield self._case(self._values((0, *shape[1:]), dtype, rng), size)

    def _values(self, shape: Size, dtype: str, rng: np.random.Generator) -> Array:
        high = 200 if dtype == "uint8" else 2.0
        return np.asarray(rng.uniform(0.5, high, shape)).astype(numpy_dtype(dtype))

    def _case(
        self, x: Array, size: Size, scales: tuple[float, ...] | None = None, align: bool = False,
        layout: str = "contiguous", format: str = "",
    ) -> Case:  # fmt: skip
        given: tuple[float, ...] = () if self.scales is None else (self.scales,) * self.axes
        given = scales or given
        golden = resized(x, size, self.matrix, scales or (0.0,) * self.axes, align)
        values = x
        if format:
            values, golden = (np.moveaxis(a, 1, -1).copy() for a in (x, golden))
        aligned = (align,) if self.aligns else ()
        label = f"{x.shape} to {size} {aligned}{given} {layout}{format}"
        inputs = (Operand(values, layout, format), size, *aligned, *given)
        dense = (layout == "contiguous" and not format) or not self.strided(x.dtype.name)
        out_layouts = () if dense else (layout,)
        return Case(label, inputs, (golden,), out_layouts=out_layouts, out_format=format)


def _resize(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Factors say the sizes, and nothing else."""
    if not _everywhere(dtype):
        return
    for mode, matrix in (("nearest", nearest), ("bilinear", linear)):
        for shape, factors in (
            ((1, 1, 1, 1), (3.0, 2.0)), ((2, 3, 4, 5), (1.0, 1.0)), ((2, 3, 4, 5), (2.0, 0.6)),
            ((1, 2, 30, 17), (0.5, 2.0)),
        ):  # fmt: skip
            size = tuple(int(n * f + 1e-6) for n, f in zip(shape[2:], factors, strict=True))
            for layout in LAYOUTS if shape[0] == 2 else LAYOUTS[:1]:
                x = rng.uniform(0.5, 2.0, shape).astype(numpy_dtype(dtype))
                golden = resized(x, size, matrix, (0.0, 0.0), False)
                inputs = (Operand(x, layout), (1.0, 1.0, *factors), mode)
                label = f"{shape} {factors} {mode} {layout}"
                yield Case(label, inputs, (golden,), out_layouts=(layout,))


def affine_grid(theta: Array, size: Size, align: bool) -> Array:
    """Return torch.nn.functional.affine_grid."""
    axes = [
        np.linspace(-1, 1, n) * (1 if align else (n - 1) / n) if n > 1 else np.zeros(1)
        for n in size[2:]
    ]
    points = np.stack(np.meshgrid(*axes, indexing="ij")[::-1], axis=-1)
    points = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1)
    return np.asarray(np.einsum("...k,nik->n...i", points, theta.astype(np.float64)))


def _affine_grid(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "310P" or (dtype == "bfloat16" and chip_family() != "A2"):
        return
    for size in ((1, 1, 1, 1), (2, 3, 4, 5), (2, 1, 7, 33), (3, 2, 2, 3, 4), (1, 1, 5, 1, 6)):
        for align in (False, True):
            for layout in LAYOUTS if size == (2, 3, 4, 5) else LAYOUTS[:1]:
                axes = len(size) - 2
                # Sums of terms of one sign, which lose nothing to one another.
                theta = rng.uniform(0.1, 0.3, (size[0], axes, axes + 1))
                theta[..., -1] += 2
                theta = theta.astype(numpy_dtype(dtype))
                yield Case(
                    f"{size} {align} {layout}", (Operand(theta, layout), size, align),
                    (affine_grid(theta, size, align),), out_layouts=(layout,),
                )  # fmt: skip


_BY_OPERATOR: dict[str, tuple[tuple[str, ...], _Resizing]] = {
    "upsample_nearest1d": (_NUMBERS, _Resizing(1, nearest, _everywhere, scales=None)),
    "upsample_nearest1d_v2": (_NUMBERS, _Resizing(1, nearest, _everywhere)),
    "upsample_nearest2d_v2": (_NUMBERS, _Resizing(2, nearest, _everywhere, format="NHWC")),
    "upsample_nearest_exact1d": (
        _HALVES, _Resizing(1, nearest_exact, _on_950_too, empty=False),
    ),
    "upsample_nearest_exact2d": (
        _HALVES, _Resizing(2, nearest_exact, _on_950_too, format="NHWC"),
    ),
    "upsample_nearest_exact3d": (
        _HALVES, _Resizing(3, nearest_exact, _where_elements_have_middles, format="NDHWC"),
    ),
    "upsample_linear1d": (_HALVES, _Resizing(1, linear, _not_on_310p, aligns=True, scales=-1.0)),
    "upsample_trilinear3d": (
        _ALL, _Resizing(3, linear, _not_float64_on_310p, aligns=True, format="NDHWC"),
    ),
    "upsample_bicubic2d": (
        _HALVES, _Resizing(2, cubic, _everywhere, aligns=True, strided=_where_there_are_filters),
    ),
    "upsample_bicubic2d_aa": (
        _HALVES, _Resizing(2, cubic_antialiased, _where_there_are_filters, aligns=True),
    ),
    "upsample_bilinear2d_aa": (
        _HALVES,
        _Resizing(2, linear_antialiased, _where_there_are_filters, aligns=True, empty=False),
    ),
}  # fmt: skip

SUITES = (
    *(Suite(name, dtypes, cases) for name, (dtypes, cases) in _BY_OPERATOR.items()),
    Suite("resize", _HALVES, _resize),
    Suite("affine_grid", _HALVES, _affine_grid),
)
