"""Operators that communicate, on one rank, where a sum over the ranks is what there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family, soc_name
from pyaclnn.selftest.communicators import alone
from pyaclnn.selftest.formulas.narrow import quant_parameter
from pyaclnn.selftest.suites.mx_products import narrow_floats, powers
from pyaclnn.selftest.suites.weight_quant import restored

_HALVES = ("float16", "bfloat16")
#: Leading axes of x1, depth, columns.
_SIZES: tuple[tuple[tuple[int, ...], int, int], ...] = (
    ((1,), 1, 1), ((5,), 33, 9), ((2, 3), 40, 17), ((130,), 64, 70), ((1, 7), 300, 12),
)  # fmt: skip

Cases = Callable[[str, np.random.Generator], Iterator[Case]]


def _is_here(*chips: str) -> bool:
    """Whether the chip is one of these families; A3 counts as none."""
    return chip_family() in chips and not soc_name().startswith("Ascend910_93")


def _drawn(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    return rng.uniform(0.25, 1.0, shape).astype(numpy_dtype(dtype))


def _rms_norm(y: Array, gamma: Array, epsilon: float) -> Array:
    return np.asarray(y / np.sqrt((y * y).mean(-1, keepdims=True) + epsilon) * gamma)


def _attributes(*more: Any) -> tuple[Any, ...]:
    return (alone().name, "sum", *more, 0, 1)


def _sums(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not _is_here("A2", "950"):
            return
        for number, (rows, depth, columns) in enumerate(_SIZES):
            x1, x2 = _drawn((*rows, depth), dtype, rng), _drawn((depth, columns), dtype, rng)
            bias, x3 = _drawn((columns,), dtype, rng), _drawn((*rows, columns), dtype, rng)
            golden = x1.astype(np.float64) @ x2.astype(np.float64)
            given: list[Any] = [Operand(x1), Operand(x2, ("contiguous", "transposed")[number % 2])]
            given.append(Operand(bias) if number else None)
            golden = golden + (bias.astype(np.float64) if number else 0)
            if version > 1:
                given.append(Operand(x3) if number > 1 else None)
                golden = golden + (x3.astype(np.float64) if number > 1 else 0)
            mode = ("ai_cpu",) if version > 2 else ()
            label = f"{rows} {depth} {columns}"
            yield Case(label, (*given, *_attributes(*mode)), (golden,))

    return cases


def _whole(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rng.integers(1, 128, shape).astype(np.int8)


def _quantised(dtype: str, rng: np.random.Generator, sizes: Any, number: int, by_row: bool) -> Any:
    """Return operands of int8 with a bias, the scales of columns and rows, and the product."""
    rows, depth, columns = sizes
    x1, x2 = _whole((*rows, depth), rng), _whole((depth, columns), rng)
    bias = rng.integers(1, 1000, columns).astype(np.int32)
    count = 1 if number % 2 else columns
    scale = _drawn((count,), "float32", rng) / np.float32(1024)
    by_columns = Operand(scale)
    if dtype == "bfloat16":
        by_columns = Operand(scale.astype(numpy_dtype(dtype)))
    elif not by_row:
        by_columns = Operand(quant_parameter(scale, None))
        scale = (scale.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    golden = x1.astype(np.float64) @ x2.astype(np.float64) + bias
    golden = golden * by_columns.values.astype(np.float64) if dtype == "bfloat16" or by_row \
        else golden * scale  # fmt: skip
    of_rows = _drawn((int(np.prod(rows)),), "float32", rng)
    if by_row:
        golden = golden * of_rows.astype(np.float64).reshape(*rows, 1)
    return Operand(x1), Operand(x2), Operand(bias), by_columns, of_rows, golden


def _quant_sums(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if version > 3 and _is_here("950"):
            yield from _small_sums(version, dtype, rng)
        if not _is_here("A2", "950") or dtype == "float32":
            return
        for number, sizes in enumerate(_SIZES):
            by_row = version > 1 and number > 2
            x1, x2, bias, scale, rows, golden = _quantised(dtype, rng, sizes, number, by_row)
            x3 = _drawn((*sizes[0], sizes[2]), dtype, rng)
            golden = golden + x3.astype(np.float64)
            row = Operand(rows) if by_row else None
            given: tuple[Any, ...] = (x1, x2, bias, Operand(x3))
            if version < 4:
                given += (scale, row)[: 1 if version == 1 else 2]
            else:
                given += (row, scale)
            given += (None, None) if version > 2 else ()
            given += (alone().name, "sum", *(("ai_cpu",) if version > 4 else ()), 0, 1)
            given += (0, 0) if version > 3 else ()
            yield Case(f"{sizes}", given, (golden,), out_dtypes=(dtype,))

    return cases


#: On the 950: dtypes of x1 and x2, how they are scaled, what groupSize says of that.
_SMALL = (
    ("float8_e4m3fn", "float8_e5m2", "rows", 0), ("float8_e5m2", "float8_e4m3fn", "words", 0),
    ("float8_e4m3fn", "float8_e4m3fn", "tiles", 128 | 128 << 16 | 128 << 32),
    ("float8_e5m2", "float8_e4m3fn", "mx", 32 | 1 << 16 | 1 << 32),
    ("float4_e2m1fn", "float4_e2m1fn", "mx", 0), ("float8_e5m2", "float8_e5m2", "sent", 0),
)  # fmt: skip


def _small_scales(scheme: str, x1: Array, x2: Array, rng: np.random.Generator) -> Any:
    """Return scales of x1 and x2, and x1 and x2 with those of groups, or the others' product."""
    wide1, wide2 = x1.astype(np.float64), x2.astype(np.float64)
    if scheme == "mx":
        (rows, each1), (columns, each2) = powers(x1.shape, -1, rng), powers(x2.shape, 0, rng)
        # A transposed x2 lies before its scales as its columns do.
        return rows, np.ascontiguousarray(columns.swapaxes(0, 1)), wide1 * each1, wide2 * each2, 1.0
    if scheme == "tiles":
        rows, columns = (
            rng.uniform(0.5, 2, [-(-extent // 128) for extent in v.shape]).astype(np.float32)
            for v in (x1, x2)
        )
        for wide, scales in ((wide1, rows), (wide2, columns)):
            each = np.repeat(np.repeat(scales.astype(np.float64), 128, 0), 128, 1)
            wide *= each[: len(wide), : wide.shape[1]]
        return rows, columns, wide1, wide2, 1.0
    columns = _drawn((x2.shape[1],), "float32", rng)
    if scheme == "words":
        kept = (columns.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
        return None, quant_parameter(columns, None), wide1, wide2, kept.astype(np.float64)
    if scheme == "sent":  # Powers of two and whole numbers go through 8 bits as they are.
        columns = np.exp2(rng.integers(-1, 2, len(columns))).astype(np.float32)
        wide1[:], wide2[:] = 1, 1
        x1[:], x2[:] = 1, 1
        columns[:] = columns[0]
    rows = np.exp2(rng.integers(-2, 2, len(x1))).astype(np.float32)
    return rows, columns, wide1, wide2, rows.astype(np.float64)[:, None] * columns


def _small_sums(version: int, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Give products of floats of 8 and 4 bits; those that are sent narrow are all alike."""
    for first, second, scheme, group in _SMALL:
        for rows, depth, columns in ((3, 64, 10), (130, 192, 140)):
            x1, x2 = (
                np.abs(narrow_floats(shape, kind, rng))
                for shape, kind in (((rows, depth), first), ((depth, columns), second))
            )
            of_rows, of_columns, wide1, wide2, factor = _small_scales(scheme, x1, x2, rng)
            bias, x3 = _drawn((columns,), "float32", rng), _drawn((rows, columns), dtype, rng)
            biased, added = scheme not in ("tiles", "sent"), scheme not in ("sent", "mx")
            golden = (wide1 @ wide2 + (bias.astype(np.float64) if biased else 0)) * factor
            golden = golden + (x3.astype(np.float64) if added else 0)
            given = (Operand(x1), Operand(x2, "transposed" if scheme == "mx" else "contiguous"),
                     Operand(bias) if biased else None, Operand(x3) if added else None,
                     None if of_rows is None else Operand(of_rows), Operand(of_columns),
                     None, None, alone().name, "sum", *(("ccu",) if version > 4 else ()), 0, 1,
                     group, int(scheme == "sent"))  # fmt: skip
            yield Case(f"{first} {scheme} {rows} {depth} {columns}", given, (golden,),
                       out_dtypes=(dtype,))  # fmt: skip


def _weights(rng: np.random.Generator, dtype: str, depth: int, columns: int, group: int) -> Any:
    """Return a weight of int8, scales and offsets, and what they stand for."""
    weight = _whole((depth, columns), rng)
    groups = -(-depth // group) if group else 1
    scale = _drawn((groups, columns), dtype, rng)
    scale = (scale / numpy_dtype(dtype).type(64)).astype(scale.dtype)
    offset = rng.integers(0, 8, scale.shape).astype(scale.dtype)
    return weight, scale, offset, restored(weight, scale, offset, group)


def _weight_quant_sums(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not _is_here("A2", "950"):
            return
        if _is_here("950"):
            yield from _float_weights(version, dtype, rng)
        for rows, depth, columns in (*_SIZES, ((4,), 96, 64)):
            # On the 950 there are groups of whole blocks.
            whole = depth % 32 == columns % 32 == 0 or _is_here("A2")
            group = 32 if depth > 32 and whole else 0
            weight, scale, offset, wide = _weights(rng, dtype, depth, columns, group)
            x1, bias = _drawn((*rows, depth), dtype, rng), _drawn((columns,), dtype, rng)
            golden = x1.astype(np.float64) @ wide + bias.astype(np.float64)
            mode = ("ai_cpu",) if version > 1 else ()
            given = (Operand(x1), Operand(weight), Operand(bias), Operand(scale), Operand(offset))
            attributes = (None, *_attributes(*mode), group)
            yield Case(f"{rows} {depth} {columns}", (*given, *attributes), (golden,))

    return cases


def _float_weights(version: int, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Give weights of float8 with a scale for each column."""
    for number, (rows, depth, columns) in enumerate(_SIZES[1:]):
        weight = np.abs(narrow_floats((depth, columns), "float8_e4m3fn", rng))
        scale = _drawn((1, columns) if number % 2 else (columns,), dtype, rng)
        x1, bias = _drawn((*rows, depth), dtype, rng), _drawn((columns,), dtype, rng)
        # The kernel rounds restored weights to the type of x1.
        wide = (weight.astype(np.float64) * scale.astype(np.float64)).astype(scale.dtype)
        golden = x1.astype(np.float64) @ wide.astype(np.float64) + bias.astype(np.float64)
        given = (Operand(x1), Operand(weight, ("contiguous", "transposed")[number % 2]),
                 Operand(bias), Operand(scale), None)  # fmt: skip
        mode = ("ccu",) if version > 1 else ()
        yield Case(f"float8 {rows} {depth} {columns}",
                   (*given, None, *_attributes(*mode), 0), (golden,))  # fmt: skip


def _normalised(kind: str, in_place: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not _is_here("A2"):
            return
        for number, (rows, depth, columns) in enumerate(_SIZES):
            shape = (1, *rows, columns) if len(rows) == 1 else (*rows, columns)
            residual, gamma = _drawn(shape, dtype, rng), _drawn((columns,), dtype, rng)
            last: tuple[Any, ...] = ()
            if kind == "quant":
                x1, x2, bias, scale, _, y = _quantised(
                    dtype, rng, (rows, depth, columns), number, False
                )
                given: tuple[Any, ...] = (x1, x2, bias, scale)
            else:
                x1, bias = _drawn((*rows, depth), dtype, rng), _drawn((columns,), dtype, rng)
                weight, scale, offset, wide = _weights(rng, dtype, depth, columns, 0)
                given = (Operand(x1), Operand(weight), Operand(bias), Operand(scale),
                         Operand(offset))  # fmt: skip
                last = (0,)
                if kind == "plain":
                    x2 = _drawn((depth, columns), dtype, rng)
                    wide, last, given = x2.astype(np.float64), (), (given[0], Operand(x2), given[2])
                y = x1.astype(np.float64) @ wide + bias.astype(np.float64)
            y = y.reshape(shape) + residual.astype(np.float64)
            golden = _rms_norm(y, gamma.astype(np.float64), 1e-5)
            given += (Operand(residual), Operand(gamma), 1e-5, *_attributes(), *last)
            label = f"{rows} {depth} {columns}"
            if in_place:
                place = len(given) - len(last) - 7
                yield Case(label, given, (golden,), written=((place, y),))
            else:
                yield Case(label, given, (y, golden))

    return cases


def _several(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Give no cases: one process is one rank."""
    return iter(())


def _copies(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Give experts that have copies, and weights that are pruned."""
    for number, (tokens, chosen, world) in enumerate(((1, 1, 2), (5, 3, 8), (40, 8, 16))):
        experts, most = chosen + 2, min(world, 4)
        counts = rng.integers(1, most + 1, experts)
        table = rng.integers(0, 99, (experts, most + 1)).astype(np.int32)
        table[:, 0] = counts
        ids = np.array([rng.permutation(experts)[:chosen] for _ in range(tokens)])
        rank, by_token = int(rng.integers(world)), number % 2
        copy = np.arange(tokens)[:, None] % counts[ids] if by_token else rank // np.ceil(
            world / counts[ids]).astype(int)  # fmt: skip
        weights = rng.integers(1, 64, (tokens, chosen)) / np.float32(64)
        least = rng.integers(1, 9, chosen).astype(np.float32) / np.float32(32)
        mask = np.arange(tokens) <= tokens // 2
        kept = (weights >= least * weights.sum(-1, keepdims=True)) & mask[:, None]
        pruned = [Operand(weights.astype(("float32", "float16")[by_token])), Operand(least),
                  Operand(mask)]  # fmt: skip
        inputs = (Operand(ids.astype(dtype)), Operand(table),
                  *(pruned if number else [None] * 3), rank, world, by_token)  # fmt: skip
        golden = (table[ids, 1 + copy].astype(dtype), kept if number else None)
        yield Case(f"{tokens} {chosen} {world}", inputs, golden)


#: Operators whose parts belong to different ranks.
_OF_SEVERAL = (
    "all_gather_matmul", "all_gather_matmul_v2", "matmul_reduce_scatter",
    "matmul_reduce_scatter_v2", "allto_all_matmul", "allto_all_matmul_v2", "matmul_allto_all",
    "matmul_allto_all_v2", "quant_matmul_allto_all", "quant_matmul_allto_all_v2",
    "allto_all_quant_matmul", "allto_all_quant_matmul_v2",
    "allto_allv_quant_grouped_mat_mul", "allto_allv_quant_grouped_mat_mul_v2",
    "quant_grouped_mat_mul_allto_allv", "quant_grouped_mat_mul_allto_allv_v2",
    "moe_distribute_combine_add_rms_norm", "moe_distribute_combine_add_rms_norm_v2",
    *(f"moe_distribute_{way}{version}" for way in ("dispatch", "combine")
      for version in ("", "_v2", "_v3", "_v4", "_setup", "_teardown")),
    "allto_allv_grouped_mat_mul", "allto_allv_grouped_mat_mul_v2", "grouped_mat_mul_allto_allv",
    "grouped_mat_mul_allto_allv_v2", "grouped_mat_mul_all_reduce",
    "allto_all_all_gather_batch_mat_mul", "batch_mat_mul_reduce_scatter_allto_all",
    "distribute_barrier", "distribute_barrier_v2",
    "moe_distribute_buffer_reset", "quant_all_reduce", "quant_reduce_scatter",
)  # fmt: skip

_KINDS = (("", "plain"), ("quant_", "quant"), ("weight_quant_", "weight"))

SUITES: tuple[Suite, ...] = (
    Suite("matmul_all_reduce", _HALVES, _sums(1)),
    Suite("matmul_all_reduce_v2", _HALVES, _sums(2)),
    Suite("matmul_all_reduce_v3", _HALVES, _sums(3)),
    Suite("quant_matmul_all_reduce", _HALVES, _quant_sums(1)),
    *(Suite(f"quant_matmul_all_reduce_v{v}", _HALVES, _quant_sums(v)) for v in (2, 3)),
    *(Suite(f"quant_matmul_all_reduce_v{v}", (*_HALVES, "float32"), _quant_sums(v))
      for v in (4, 5)),
    Suite("weight_quant_matmul_all_reduce", _HALVES, _weight_quant_sums(1)),
    Suite("weight_quant_matmul_all_reduce_v2", _HALVES, _weight_quant_sums(2)),
    *(
        Suite(f"{prefix}{name}matmul_all_reduce_add_rms_norm", _HALVES,
              _normalised(kind, bool(prefix)))
        for name, kind in _KINDS for prefix in ("", "inplace_")
    ),
    Suite("moe_update_expert", ("int32", "int64"), _copies, chip="Ascend910_9391"),
    *(Suite(name, _HALVES, _several, ranks=2) for name in _OF_SEVERAL),
)  # fmt: skip
