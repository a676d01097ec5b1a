"""Products of narrow floats whose blocks of 32 along the depth share a power of two."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family
from pyaclnn.selftest.suites.products_in_blocks import in_nz
from pyaclnn.selftest.suites.quant_blocks import blocks, pairs

_ON_950 = "Ascend910_95"
_FLOAT8 = ("float8_e4m3fn", "float8_e5m2")
_HALVES = {"float16": 1, "bfloat16": 27}


def narrow_floats(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    """Return small numbers of a narrow type."""
    return np.asarray(rng.uniform(-4, 4, shape)).astype(numpy_dtype(dtype))


def powers(shape: tuple[int, ...], axis: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return the scales of blocks along an axis, in pairs, and the scale of each element."""
    extent = -(-shape[axis] // 64)
    found = np.moveaxis(
        rng.integers(-3, 4, (*np.delete(shape, axis % len(shape)), 2 * extent)), -1, axis
    )
    wide = np.repeat(2.0**found, 32, axis)
    return pairs(found, axis), np.take(wide, range(shape[axis]), axis)


def _scaled(values: Array, wide: Array) -> Array:
    return np.asarray(values.astype(np.float64) * wide)


def _grouped(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "950":
        return
    for number, (m, n, ends) in enumerate(
        ((3, 5, (64, 100)), (1, 17, (32, 32, 200)), (9, 2, (7,)))
    ):
        sizes = np.diff((0, *ends))
        k, groups = ends[-1] + 3 * (number % 2), len(ends)
        a, b = narrow_floats((m, k), dtype, rng), narrow_floats((k, n), dtype, rng)
        y = rng.uniform(-9, 9, (groups, m, n)).astype(np.float32)
        golden = y.astype(np.float64)
        given = [np.ones((k // 64 + groups, width, 2)) for width in (m, n)]
        for i, end in enumerate(ends):
            part = slice(end - sizes[i], end)
            left, right = (v.astype(np.float64) for v in (a[:, part].T, b[part]))
            first = (end - sizes[i]) // 64 + i
            for scales, operand in zip(given, (left, right), strict=True):
                told, wide = powers(operand.shape, 0, rng)
                scales[first : first + len(told)] = told
                operand *= wide
            golden[i] += left.T @ right
        stored = [v.astype(numpy_dtype("float8_e8m0fnu")) for v in given]
        numbers = sizes if number % 2 else np.array(ends)
        yield Case(f"{m} {n} {ends}",
                   (Operand(a, "transposed"), Operand(b),
                    Operand(np.swapaxes(stored[0], 0, 1), "exchanged"), Operand(stored[1]),
                    Operand(numbers.astype(np.int64)), Operand(y), number % 2, 0),
                   (golden,))  # fmt: skip


def transposed(dtype: str, rng: np.random.Generator, in_blocks: bool = True) -> Iterator[Case]:
    """Yield batches that lie in the middle, with a weight in blocks or in rows."""
    if chip_family() != "950":
        return
    kind = "float8_e4m3fn"
    for turned, (m, batch, k, n) in ((False, (5, 3, 64, 48)), (True, (1, 2, 192, 33))):
        a, b = narrow_floats((m, batch, k), kind, rng), narrow_floats((batch, k, n), kind, rng)
        (scale1, wide1), (scale2, wide2) = powers(a.shape, 2, rng), powers(b.shape, 1, rng)
        golden = np.einsum("mbk,bkn->mbn", _scaled(a, wide1), _scaled(b, wide2))
        if turned:
            b, scale2 = (np.ascontiguousarray(np.swapaxes(v, 1, 2)) for v in (b, scale2))
        yield Case(f"{m} {batch} {k} {n} {turned}",
                   (Operand(a), in_nz(b) if in_blocks else Operand(b), None, Operand(scale1),
                    Operand(scale2), _HALVES[dtype],
                    32, [1, 0, 2], [0, 2, 1] if turned else [0, 1, 2], [1, 0, 2], 1),
                   (golden,), out_dtypes=(dtype,))  # fmt: skip


def _dual(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "950":
        return
    for m, k, n in ((3, 64, 16), (1, 600, 33), (17, 1030, 5)):
        codes = [rng.integers(0, 16, (count, k)).astype(np.uint8) for count in (m, n)]
        a, b = (v.view(numpy_dtype("float4_e2m1fn")) for v in codes)
        (scale1, wide1), (scale2, wide2) = powers(a.shape, 1, rng), powers(b.shape, 1, rng)
        outer = [rng.uniform(0.5, 2, (count, -(-k // 512))).astype(np.float32) for count in (m, n)]
        wide = [
            _scaled(v, w) * np.repeat(s.astype(np.float64), 512, 1)[:, :k]
            for v, w, s in zip((a, b), (wide1, wide2), outer, strict=True)
        ]
        bias = rng.uniform(-9, 9, n).astype(np.float32) if m > 1 else None
        packed = (codes[1][:, ::2] | codes[1][:, 1::2] << 4).view(np.int8)
        yield Case(f"{m} {k} {n}",
                   (Operand(a), Operand(packed, format="FRACTAL_NZ"), Operand(outer[0]),
                    Operand(outer[1].T.copy()), Operand(scale1), Operand(scale2),
                    None if bias is None else Operand(bias), False, True, 512, 32),
                   (wide[0] @ wide[1].T + (0 if bias is None else bias),),
                   out_dtypes=(dtype,), out_layouts=("contiguous",))  # fmt: skip


def _activated(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Products of whole numbers far from zero, of which gelu leaves the positive ones."""
    if chip_family() != "950":
        return
    second = numpy_dtype("float8_e4m3fn")
    for number, (batch, m, k, n) in enumerate(
        (((), 3, 64, 40), ((2,), 5, 70, 96), ((), 2, 33, 65))
    ):
        a, b = (rng.integers(-1, 2, s).astype(np.float64) for s in ((*batch, m, k), (*batch, k, n)))
        (scale1, wide1), (scale2, wide2) = powers(a.shape, -1, rng), powers(b.shape, -2, rng)
        bias = rng.choice([-(2.0**13), 2.0**13, 3 * 2.0**12], n).astype(np.float32)
        bias[::32] = 2.0**13  # no block without a number
        product = _scaled(a, wide1) @ _scaled(b, wide2) + bias
        golden, found = blocks(
            np.where(product > 0, product, 0), dtype, "rint", (1, 32), number % 2
        )
        turned = number == 1
        left, right = a.astype(numpy_dtype(dtype)), b.astype(second)
        if turned:
            left, right, scale1, scale2 = (
                np.ascontiguousarray(np.moveaxis(v, axis, axis - 1))
                for v, axis in ((left, -1), (right, -1), (scale1, -2), (scale2, -2))
            )
        given = np.broadcast_to(bias, (*batch, 1, n)).copy() if batch else bias
        yield Case(f"{batch} {m} {k} {n} {turned}",
                   (Operand(left), in_nz(right), Operand(scale1), Operand(scale2), Operand(given),
                    turned, turned, 0, "gelu_erf" if number % 2 else "gelu_tanh", "mx", "rint",
                    number % 2, 0.0),
                   (golden, pairs(found, -1)))  # fmt: skip


SUITES = (
    Suite("quant_grouped_matmul_inplace_add", _FLOAT8, _grouped, chip=_ON_950),
    Suite("transpose_quant_batch_mat_mul_weight_nz", tuple(_HALVES), transposed, chip=_ON_950),
    Suite("dual_level_quant_matmul_weight_nz", tuple(_HALVES), _dual, chip=_ON_950),
    Suite("quant_matmul_activation_quant_weight_nz", _FLOAT8, _activated, chip=_ON_950),
)
