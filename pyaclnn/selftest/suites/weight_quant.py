"""Weights of narrow numbers: prepared, and multiplied with scales of columns, groups or all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Stored, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family
from pyaclnn.selftest.formulas.narrow import quant_parameter, whole_results
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.selftest.suites.products_in_blocks import in_nz

_FLOATS = ("float16", "bfloat16")
#: Rows, depth, columns, and the size of a group: 0 for a scale of each column, -1 for one scale.
_SIZES = (
    (1, 1, 1, 0), (3, 40, 6, -1), (5, 96, 8, 0), (2, 64, 10, 32), (7, 100, 4, 32), (4, 300, 33, 96),
)  # fmt: skip


def restored(weight: Array, scale: Array, offset: Array | None, group: int) -> Array:
    """Return the weight that a call multiplies with, in float64.

    Parameters
    ----------
    weight, scale, offset : ndarray
        What the call is given; one offset for each scale, or None.
    group : int
        Rows that have a row of scales, 0 where all have one.
    """
    first = np.arange(len(weight)) // group if group > 0 else np.zeros(len(weight), int)
    wide = weight.astype(np.float64)
    if offset is not None:
        wide = wide + np.atleast_2d(offset).astype(np.float64)[first]
    return np.asarray(wide * np.atleast_2d(scale).astype(np.float64)[first])


def _drawn(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    return rng.uniform(0.25, 1.0, shape).astype(numpy_dtype(dtype))


def _cases(precise: bool) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() == "910":
            return
        for (rows, depth, columns, size), with_rest in product(_SIZES, (False, True)):
            group = max(size, 0)
            x = _drawn((rows, depth), dtype, rng)
            weight = rng.integers(1, 128, (depth, columns)).astype(np.int8)
            groups = -(-depth // group) if group else 1
            scale = _drawn((groups, 1 if size < 0 else columns), dtype, rng)
            offset = rng.integers(0, 8, scale.shape).astype(scale.dtype) if with_rest else None
            bias = np.ones(columns, "float32" if dtype == "bfloat16" else dtype)
            golden = x.astype(np.float64) @ restored(weight, scale, offset, group)
            rest: tuple[Operand | None, ...] = (None,) * 4
            if offset is not None:
                rest = (Operand(offset), None, None, Operand(bias))
                golden = golden + bias
            inputs = (Operand(x), Operand(weight), Operand(scale), *rest, group)
            more = (1,) if precise else ()
            yield Case(f"{rows} {depth} {columns} in {size}, rest {with_rest}", (*inputs, *more),
                       (golden,))  # fmt: skip
        if chip_family() == "A2":
            yield from _narrow_results(dtype, precise, rng)
        if chip_family() == "310P":
            yield from _batches(dtype, precise, rng)

    return cases


#: Batches of x, of the weight, and of both; whether the bias has one of each.
_BATCHED: tuple[tuple[tuple[int, ...], tuple[int, ...], bool], ...] = (
    ((2,), (), False), ((), (3,), True), ((2, 1), (3,), True), ((2, 1, 3, 1), (1, 4, 1, 2), False),
    ((), (), False),
)  # fmt: skip


def _batches(dtype: str, precise: bool, rng: np.random.Generator) -> Iterator[Case]:
    """Take batches of weights as they are, and blocks of them with columns first."""
    for number, ((left, right, whole), blocks, group) in enumerate(
        product(_BATCHED, (False, True), (0, 32))
    ):
        rows, depth, columns = 3 + number % 3, 70, (1, 18, 33)[number % 3]
        x = _drawn((*left, rows, depth), dtype, rng)
        weight = rng.integers(1, 128, (*right, depth, columns)).astype(np.int8)
        scale = _drawn((-(-depth // 32) if group else 1, columns), dtype, rng)
        offset = rng.integers(0, 8, scale.shape).astype(scale.dtype) if number % 2 else None
        batch = np.broadcast_shapes(left, right)
        bias = _drawn((*batch, 1, columns) if whole else (columns,), dtype, rng)
        matrices = weight.reshape(-1, depth, columns)
        wide = np.stack([restored(matrix, scale, offset, group) for matrix in matrices])
        golden = x.astype(np.float64) @ wide.reshape(weight.shape) + bias.astype(np.float64)
        layout = "contiguous" if blocks or number % 3 else "transposed"
        factors: list[Operand | None] = [
            None if f is None else Operand(f.T.copy() if blocks else f, layout)
            for f in (scale, offset)
        ]
        columns_first = np.ascontiguousarray(np.swapaxes(weight, -1, -2))
        operand = in_nz(columns_first) if blocks else Operand(weight, layout)
        yield Case(f"{x.shape} {weight.shape} {layout} blocks {blocks} in {group}",
                   (Operand(x), operand, *factors, None, None, Operand(bias), group,
                    *([0] if precise else [])), (golden,))  # fmt: skip


def _narrow_results(dtype: str, precise: bool, rng: np.random.Generator) -> Iterator[Case]:
    """Take sums that are exact, so that halves are, to 9 bits, to which an offset comes."""
    for rows, depth, columns, alike in ((1, 8, 1, True), (5, 40, 12, True), (9, 24, 33, False)):
        x = rng.integers(-3, 4, (rows, depth)).astype(numpy_dtype(dtype))
        weight = rng.integers(-8, 8, (depth, columns)).astype(np.int8)
        ones = np.ones(columns, numpy_dtype(dtype))
        bias = rng.integers(-9, 9, columns).astype("float32" if dtype == "bfloat16" else dtype)
        factors = np.full(1, 0.5) if alike else rng.choice([0.5, 1.5, -4, 0.25], columns)
        offset = rng.integers(-256, 256, len(factors))
        words = quant_parameter(factors, offset)
        sums = x.astype(np.int64) @ weight.astype(np.int64) + bias.astype(np.int64)
        yield Case(f"{rows} {depth} {columns} to int8, one word {alike}",
                   (Operand(x), Operand(weight), Operand(ones), None, Operand(words),
                    Operand(offset.astype("float32")), Operand(bias), 0, *([0] if precise else [])),
                   (whole_results(sums * factors, offset),))  # fmt: skip


def _old(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Up to 64 rows take whole offsets and words, more of them offsets and scales of float16."""
    if chip_family() != "A2":
        return
    for number, (rows, turned) in enumerate(((1, False), (64, True), (65, False), (130, True))):
        depth, columns = 40, 24
        x = _drawn((rows, depth), dtype, rng)
        weight = rng.integers(-128, 128, (depth, columns)).astype(np.int8)
        count = 1 if number == 0 else columns
        scale = rng.uniform(0.5, 1.5, count).astype(np.float16).astype(np.float32) / 16
        whole = rng.integers(-9, 9, count).astype(np.int32)
        words = quant_parameter(scale, None)
        kept = words.astype(np.uint32).view(np.float32)
        bias = rng.integers(-9, 9, columns).astype(np.float32) if number else None
        if rows <= 64:
            matrix = ((weight + whole).astype(np.float32) * kept).astype(np.float16)
        else:
            matrix = ((weight.astype(np.float32) + 3) * np.float32(0.5)).astype(np.float16)
            for step in (np.add, np.multiply):
                other = (whole if step is np.add else scale).astype(np.float16)
                matrix = step(matrix.astype(np.float32), other.astype(np.float32)).astype("float16")
        golden = x.astype(np.float64) @ matrix.astype(np.float64) + (0 if bias is None else bias)
        rest = [
            v.reshape(-1, 1) if turned else v
            for v in (whole.astype("float16"), scale.astype("float16"))
        ]
        left, right = ((v.T.copy() if turned else v) for v in (x, weight))
        yield Case(f"{rows} rows, turned {turned}",
                   (Operand(left), Operand(right), Operand(np.eye(32, dtype=np.int8)),
                    Operand(whole), Operand(words), *(Operand(v) for v in rest),
                    None if bias is None else Operand(bias), turned, turned, 0.5, 3.0),
                   (golden,))  # fmt: skip


def _in_blocks(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Weights of int8 for each column, whatever way they were stored."""
    if chip_family() != "950":
        return
    for number, (rows, depth, columns) in enumerate(((1, 33, 16), (7, 64, 70), (20, 100, 5))):
        x = _drawn((rows, depth), dtype, rng)
        weight = rng.integers(1, 128, (depth, columns)).astype(np.int8)
        turned = number == 1
        scale = _drawn((columns,), dtype, rng)
        offset = rng.integers(0, 8, scale.shape).astype(scale.dtype) if number else None
        bias = np.ones(columns, "float32" if dtype == "bfloat16" else dtype)
        golden = x.astype(np.float64) @ restored(weight, scale, offset, 0) + bias
        yield Case(f"{rows} {depth} {columns}, turned {turned}",
                   (Operand(x), in_nz(weight, turned), Operand(scale),
                    None if offset is None else Operand(offset), None, None, Operand(bias), 0),
                   (golden,))  # fmt: skip


def _prepared(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Put a float4 weight into blocks of 16 columns by 32 of the depth; the rest is copied."""
    if chip_family() != "950":
        return
    for depth, columns, bias_dtype in ((32, 16, "float16"), (96, 20, None), (192, 65, "bfloat16")):
        codes = rng.integers(0, 16, (columns, depth)).astype(np.uint8)
        weight = codes.T.view(numpy_dtype(dtype))
        powers = 2.0 ** rng.integers(-9, 9, (-(-depth // 64), columns, 2))
        scale = powers.astype(numpy_dtype("float8_e8m0fnu"))
        bias = None if bias_dtype is None else _drawn((columns,), bias_dtype, rng)
        yield Case(f"{depth} {columns}, bias {bias_dtype}",
                   (Operand(weight, "transposed", "ND"), Operand(scale, "exchanged", "ND"), None,
                    None if bias is None else Operand(bias, format="ND"), "float8_e4m3fn",
                    "float8_e8m0fnu", 32),
                   (in_blocks(codes, 32).view(weight.dtype), scale, False,
                    False if bias is None else bias),
                   out_layouts=("contiguous", "exchanged", "contiguous", "contiguous"),
                   out_dtypes=(dtype, "float8_e8m0fnu", "float16", bias_dtype or "float16"),
                   out_stored=(Stored("FRACTAL_NZ_C0_32", (depth, columns), (1, depth)),
                               None, None, None))  # fmt: skip


SUITES = (
    Suite("weight_quant_batch_matmul", ("float16",), _old),
    Suite("weight_quant_batch_matmul_nz", _FLOATS, _in_blocks, chip="Ascend910_95"),
    Suite("weight_quant_batch_matmul_v2", _FLOATS, _cases(False)),
    Suite("weight_quant_batch_matmul_v3", _FLOATS, _cases(True)),
    Suite("weight_quant_preprocess", ("float4_e2m1fn",), _prepared, chip="Ascend910_95"),
)
