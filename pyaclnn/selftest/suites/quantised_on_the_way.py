"""Products of int8 under older names, and those that quantise operands or results themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import erf

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family, release
from pyaclnn.selftest.formulas.narrow import (
    in_words,
    narrowed,
    quant_parameter,
    sparse_weight,
    whole_results,
)
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.selftest.suites.mx_products import transposed

Cases = Callable[[str, np.random.Generator], Iterator[Case]]

_ON_310P = "Ascend310P3"
#: Rows, depth, columns.
_SIZES = ((1, 16, 16), (5, 48, 32), (40, 304, 272))


def _int8(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rng.integers(-128, 128, shape).astype(np.int8)


def _scales(shape: int | tuple[int, ...], rng: np.random.Generator) -> Array:
    return np.asarray(rng.uniform(0.5, 1.5, shape) * 2.0**-12).astype(np.float32)


def _sums(a: Array, b: Array) -> Array:
    return np.asarray(a.astype(np.int64) @ b.astype(np.int64))


def _kept(words: Array) -> Array:
    """Return the scales of 64-bit parameters."""
    return words.astype(np.uint32).view(np.float32)


def _old(each: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() != "A2":
            return
        for number, (m, k, n) in enumerate((*_SIZES, (3, 0, 5), (7, 20, 13))):
            batch = (2,) if number % 2 else ()
            a, b = _int8((*batch, m, k), rng), _int8((*batch, k, n), rng)
            bias = rng.integers(-999, 999, n).astype(np.int32) if number % 3 and k else None
            sums = _sums(a, b) if bias is None else _sums(a, b) + bias
            given = None if bias is None else Operand(bias)
            if not each:
                scale = float(_scales(1, rng)[0])
                kept = _kept(quant_parameter(np.array([scale], np.float32), None))
                yield Case(f"{m} {k} {n}", (Operand(a), Operand(b), given, scale),
                           ((sums.astype(np.float32) * kept).astype(np.float16),))  # fmt: skip
                continue
            words = quant_parameter(_scales(-(-n // 16) * 16, rng), None)
            golden = (sums.astype(np.float32) * _kept(words)[:n]).astype(np.float16)
            turned = bool(number % 2)
            left, right = ((np.swapaxes(v, -1, -2) if turned else v) for v in (a, b))
            yield Case(f"{m} {k} {n} {turned}",
                       (Operand(left), Operand(right), given, Operand(words), turned, turned),
                       (golden,))  # fmt: skip

    return cases


def _gelu(x: Array, kind: str) -> Array:
    wide = x.astype(np.float64)
    if kind == "gelu_tanh":
        with np.errstate(over="ignore"):
            return np.asarray(wide / (1 + np.exp(-1.5957691216 * (wide + 0.044715 * wide**3))))
    return np.asarray(wide * 0.5 * (1 + np.vectorize(erf)(wide / np.sqrt(2))))


def _fused(blocks: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() != "A2":
            return
        for number, (m, k, n) in enumerate(_SIZES):
            int4 = number == 1 and not blocks
            a, b = _int8((m, k), rng), _int8((k, n), rng)
            if int4:
                a, b = a >> 4, b >> 4
            rows = rng.uniform(0.5, 1.5, m).astype(np.float32)
            scale = _scales(n if number % 2 else 1, rng) * (256 if int4 else 1)
            whole = number != 2
            bias = rng.integers(-9, 9, n).astype(np.int32 if whole else numpy_dtype(dtype))
            wide = (_sums(a, b) + (bias if whole else 0)).astype(np.float32) * scale
            wide = wide * rows[:, None] + (0 if whole else bias.astype(np.float32))
            kind = "gelu_erf" if number % 2 else "gelu_tanh"
            weight = Operand(b, format="FRACTAL_NZ") if blocks else Operand(b)
            pair = (Operand(in_words(a)), Operand(in_words(b))) if int4 else (Operand(a), weight)
            yield Case(f"{kind} {m} {k} {n}",
                       (*pair, Operand(rows), Operand(scale), None, None, None, None,
                        Operand(bias), None, kind, 0),
                       (_gelu(wide, kind),), out_dtypes=(dtype,))  # fmt: skip

    return cases


def _reduced(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    bfloat16 = numpy_dtype("bfloat16")
    for m, k, n in _SIZES:
        a, b = _int8((3, m, k), rng), _int8((3, k, n), rng)
        rows, scale = rng.uniform(0.5, 1.5, (3, m)).astype(np.float32), _scales(n, rng)
        narrow = scale.astype(bfloat16)
        terms = _sums(a, b).astype(np.float32) * narrow.astype(np.float32) * rows[..., None]
        golden = np.zeros((m, n), bfloat16)
        for term in terms:
            rounded = term.astype(bfloat16).astype(np.float32)
            golden = (golden.astype(np.float32) + rounded).astype(bfloat16)
        yield Case(f"{m} {k} {n}",
                   (Operand(a), Operand(b, format="FRACTAL_NZ"), Operand(rows), Operand(narrow),
                    *[None] * 5, False, False, 0, [0], False), (golden,))  # fmt: skip


def _results(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for number, (m, k, n) in enumerate((*_SIZES, (2, 5, 7))):
        # Whole numbers, so that every sum is exact.
        a, b = (rng.integers(-3, 4, s).astype(np.float16) for s in ((m, k), (k, n)))
        bias = rng.integers(-9, 9, n).astype(np.float16) if number % 2 else None
        count = 1 if number == 0 else -(-n // 16) * 16
        scale, offset = rng.uniform(0.5, 3, count).astype(np.float32), rng.integers(-99, 99, count)
        words = quant_parameter(scale, offset)
        last = slice(0, 1) if count == 1 else slice(0, n)
        sums = a.astype(np.float32) @ b.astype(np.float32) + (0 if bias is None else bias)
        golden = whole_results(sums.astype(np.float32) * _kept(words)[last], offset[last])
        turned = number % 2 == 0
        left, right = ((v.T.copy() if turned else v) for v in (a, b))
        given = None if bias is None else Operand(bias)
        yield Case(f"{m} {k} {n} {turned}",
                   (Operand(left), Operand(right), Operand(words), given, turned, turned),
                   (golden,))  # fmt: skip


def _narrow(x: Array, smooth: Array | None, scale: Array | None) -> tuple[Array, Array]:
    wide = x.astype(np.float32) * (1 if smooth is None else smooth.astype(np.float32))
    if scale is None:
        found = np.abs(wide).max(-1) / np.float32(127)
    else:
        found = np.broadcast_to(scale.astype(np.float32), len(x))
    with np.errstate(all="ignore"):
        return narrowed(wide / found[:, None], "int8"), found


def _dequant(grouped: bool, blocks: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() != "310P":
            return
        for number, (m, k, n) in enumerate(((5, 48, 32), (9, 64, 16), (6, 96, 48), (7, 32, 160))):
            experts = 3 if grouped else 1
            x = rng.uniform(-2, 2, (m, k)).astype(np.float16)
            if number == 0:
                x[1] = 0
            weight, factors = _int8((experts, n, k), rng), _scales((experts, n), rng)
            smooth = rng.uniform(0.5, 2, k).astype(np.float16) if number % 2 else None
            packed = number == 3
            scale = None if number == 0 else rng.uniform(0.01, 0.05, m if number == 1 else 1)
            kept = None if scale is None else scale.astype("float16" if packed else "float32")
            narrow, found = _narrow(x, smooth, kept)
            ends = np.array([2, 2, m], np.int64) if grouped else np.array([m], np.int64)
            golden = np.zeros((m, n), np.float32)
            begin = 0
            for matrix, own, end in zip(weight, factors, ends, strict=True):
                part = _sums(narrow[begin:end], matrix.T).astype(np.float32) * own
                golden[begin:end] = part if packed else part * found[begin:end, None]
                begin = int(end)
            given = factors.view(np.uint32).astype(np.int64) if packed else factors
            if not grouped:
                weight, given = weight[0], given[0]
            stored = Operand(weight)
            if blocks:
                stored = Operand(weight, format="FRACTAL_NZ")
            elif number == 1 and not grouped:
                stored = Operand(in_blocks(weight), format="FRACTAL_NZ")
            yield Case(f"{m} {k} {n} {number}",
                       (Operand(x), stored, Operand(given),
                        *((Operand(ends),) if grouped else ()), None,
                        None if kept is None else Operand(kept), None,
                        None if smooth is None else Operand(smooth),
                        "pertoken" if number < 2 else "pertensor", True),
                       (golden.astype(np.float16),))  # fmt: skip

    return cases


def _narrow_floats(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    return rng.uniform(-4, 4, shape).astype(numpy_dtype(dtype))


def _transposed(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "950":
        return
    for kind in ("float8_e4m3fn", "float8_e5m2"):
        a, b = _narrow_floats((5, 3, 512), kind, rng), _narrow_floats((3, 512, 128), kind, rng)
        rows, columns = (rng.uniform(0.5, 2, n).astype(np.float32) for n in (5, 128))
        wide = np.einsum("mbk,bkn->mbn", a.astype(np.float64), b.astype(np.float64))
        golden = wide * columns * rows[:, None, None]
        yield Case(kind, (Operand(a), Operand(b), None, Operand(rows), Operand(columns),
                          {"float16": 1, "bfloat16": 27}[dtype], 0, [1, 0, 2], [0, 1, 2],
                          [1, 0, 2], 1), (golden,), out_dtypes=(dtype,))  # fmt: skip
    if release() >= (9, 1):
        yield from transposed(dtype, rng, in_blocks=False)


def _added(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "950":
        return
    e8m0 = numpy_dtype("float8_e8m0fnu")
    for m, k, n in ((3, 64, 5), (9, 100, 17)):
        a, b = _narrow_floats((k, m), dtype, rng), _narrow_floats((k, n), dtype, rng)
        pairs = -(-k // 64)
        scales = [2.0 ** rng.integers(-3, 4, (pairs, width, 2)) for width in (m, n)]
        wide = [
            v.astype(np.float64)
            * np.repeat(np.moveaxis(s, 2, 1).reshape(-1, v.shape[1]), 32, 0)[:k]
            for v, s in zip((a, b), scales, strict=True)
        ]
        y = rng.uniform(-9, 9, (m, n)).astype(np.float32)
        given = [Operand(s.astype(e8m0)) for s in scales]
        yield Case(f"{m} {k} {n}", (Operand(a), Operand(b), *given, Operand(y), True, False,
                                    32 | 1 << 16 | 1 << 32),
                   (y + wide[0].T @ wide[1],))  # fmt: skip


def _split_weight(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "950":
        return
    for m, k, n in ((1, 1, 1), (5, 48, 32), (33, 300, 70)):
        x = rng.uniform(-2, 2, (m, k)).astype(numpy_dtype(dtype))
        weight = rng.uniform(-2, 2, (k, n)).astype(np.float32)
        high = weight.astype(x.dtype)
        low = ((weight - high.astype(np.float32)) * 256).astype(x.dtype)
        restored = high.astype(np.float64) + low.astype(np.float64) / 256
        yield Case(f"{m} {k} {n}",
                   (*(Operand(v, format="ND") for v in (x, high, low)), 1 / 256, 0),
                   (x.astype(np.float64) @ restored,), out_dtypes=("float32",),
                   out_format="ND")  # fmt: skip


def sparse(shape: tuple[int, int], rng: np.random.Generator) -> Array:
    """Return int8 of which two in every four are zero."""
    order = np.argsort(rng.random((shape[0], -(-shape[1] // 4), 4)), axis=-1) < 2
    return np.asarray(_int8(shape, rng) * order.reshape(shape[0], -1)[:, : shape[1]])


def _sparse_product(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for m, k, n in ((1, 64, 16), (7, 192, 48)):
        weight, x = sparse((n, k), rng), _int8((m, k), rng)
        kept, index = sparse_weight(weight)
        rows, scale = rng.uniform(0.5, 1.5, m).astype(np.float32), _scales(n, rng)
        bias = rng.uniform(-1, 1, n).astype(numpy_dtype(dtype)) if m > 1 else None
        golden = _sums(x, weight.T).astype(np.float32) * scale * rows[:, None]
        golden = golden if bias is None else golden + bias.astype(np.float32)
        yield Case(f"{m} {k} {n}",
                   (Operand(x), Operand(kept, format="FRACTAL_NZ"), Operand(index.reshape(n, -1)),
                    Operand(rows), Operand(scale), None if bias is None else Operand(bias)),
                   (golden.astype(numpy_dtype(dtype)),))  # fmt: skip


_HALF = ("float16",)
_ON_950 = "Ascend910_95"
_FLOAT8 = ("float8_e4m3fn", "float8_e5m2")
_HALVES = ("float16", "bfloat16")

SUITES = (
    Suite("quant_matmul", _HALF, _old(False)),
    Suite("quant_matmul_v2", _HALF, _old(True)),
    Suite("fused_quant_matmul", _HALVES, _fused(False)),
    Suite("fused_quant_matmul_weight_nz", _HALVES, _fused(True)),
    Suite("quant_matmul_reduce_sum_weight_nz", ("bfloat16",), _reduced),
    Suite("sparse4to2_quant_matmul_weight_nz", ("bfloat16",), _sparse_product),
    Suite("batch_matmul_quant", ("int8",), _results),
    Suite("quant_matmul_dequant", _HALF, _dequant(False, False), chip=_ON_310P),
    Suite("quant_grouped_matmul_dequant", _HALF, _dequant(True, False), chip=_ON_310P),
    Suite("quant_grouped_matmul_dequant_weight_nz", _HALF, _dequant(True, True), chip=_ON_310P),
    Suite("transpose_quant_batch_mat_mul", _HALVES, _transposed, chip=_ON_950),
    Suite("quant_batch_matmul_inplace_add", _FLOAT8, _added, chip=_ON_950),
    Suite("matmul_emu_split_weight", ("bfloat16",), _split_weight, chip=_ON_950),
)
