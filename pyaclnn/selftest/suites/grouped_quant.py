"""Products of int8 with a matrix for each group of rows, and what is fused with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family
from pyaclnn.selftest.formulas.narrow import LARGEST, in_words, symmetric
from pyaclnn.selftest.suites.quant_blocks import blocks, pairs

Cases = Callable[[str, np.random.Generator], Iterator[Case]]

#: Rows of each expert, and rows that none has.
_GROUPS = (((3, 0, 5), 2), ((700, 2), 0))


def packed_int4(values: Array) -> Operand:
    """Return numbers of 4 bits, eight in a word."""
    return Operand(in_words(values))


def scales_of(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Draw scales of products."""
    return np.asarray(rng.uniform(0.5, 1.5, shape) * 2.0**-9).astype(np.float32)


def scale_words(scales: Array, dtype: str) -> Operand:
    """Return scales as words of 64 bits."""
    return Operand(scales.view(np.uint32).astype(dtype))


def by_expert(x: Array, weights: Array, sizes: tuple[int, ...]) -> Array:
    """Return products whose sums are exact, 0 for rows that no expert has."""
    result = np.zeros((len(x), weights.shape[-1]))
    ends = np.cumsum(sizes)
    for expert, (end, size) in enumerate(zip(ends, sizes, strict=True)):
        result[end - size : end] = x[end - size : end].astype(np.float64) @ weights[expert]
    return result


def in_halves(x: Array, w: Array, scale: Array, sizes: tuple[int, ...]) -> Array:
    """Return products with int4, of which each part of the depth is float16 once it is scaled."""
    parts = scale.shape[1]
    result = np.zeros((len(x), w.shape[-1]), np.float16)
    for part, factors in enumerate(np.moveaxis(kept(scale), 1, 0)):
        depth = slice(part * w.shape[1] // parts, (part + 1) * w.shape[1] // parts)
        sums = by_expert(x[:, depth], w[:, depth], sizes).astype(np.float32)
        expert_of = np.repeat(np.arange(len(sizes)), sizes)
        one = (sums[: len(expert_of)] * factors[expert_of]).astype(np.float16)
        result[: len(one)] = result[: len(one)] + one if part else one
    return result.astype(np.float32)


def kept(scale: Array) -> Array:
    """Return scales without the bits that the matrix unit does not take."""
    return np.asarray((scale.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32))


def with_int4(x: Array, w: Array, scale: Array, sizes: tuple[int, ...], assist: Array) -> Array:
    """Return products of int8 with int4, by halves of the int8."""
    high, low = x >> 4, (x & 15) - 8
    products = in_halves(high, w, scale, sizes) * 16 + in_halves(low, w, scale, sizes)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    products[: len(rows)] += assist[rows]
    return products


def _gated(
    products: Array, smooth: Array | float = 1.0, *, by_halves: bool = True
) -> tuple[Array, Array]:
    """Return int8 and its scales; ``by_halves`` is rounded to float16 before."""
    half = products.shape[1] // 2
    act, gate = products[:, :half], products[:, half:]
    value = act / (1 + np.exp(-act)) * gate * smooth
    scale = np.abs(value).max(axis=1) / 127
    wide = np.divide(value, scale[:, None], out=np.zeros_like(value), where=scale[:, None] > 0)
    return np.rint(wide.astype(np.float16) if by_halves else wide), scale


def _swiglu(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for sizes in ((3, 0, 5), (1,), (40, 2)):
        rows, experts, k, n = sum(sizes), len(sizes), 48, 64
        x = rng.integers(-128, 128, (rows, k)).astype(np.int8)
        tokens = rng.uniform(0.5, 1.5, rows).astype(np.float32)
        groups = Operand(np.cumsum(sizes).astype(np.int64))
        expert_of = np.repeat(np.arange(experts), sizes)
        if dtype != "int64":
            w = rng.integers(-128, 128, (experts, k, n)).astype(np.int8)
            scale = scales_of((experts, n), rng).astype(numpy_dtype(dtype))
            wide = scale.astype(np.float64)[expert_of]
            golden = by_expert(x, w, sizes) * wide * tokens[:, None]
            yield Case(f"{sizes} int8",
                       (Operand(x), Operand(w, format="FRACTAL_NZ"), None, None, Operand(scale),
                        Operand(tokens), groups), (*_gated(golden), None))  # fmt: skip
            continue
        for parts in (1, 3):
            w = rng.integers(-8, 8, (experts, k, n)).astype(np.int8)
            scale = scales_of((experts, parts, n), rng)
            whole = w * np.repeat(scale.astype(np.float64), k // parts, 1)
            assist = (8 * whole.sum(axis=1)).astype(np.float32)
            golden = with_int4(x, w, scale, sizes, assist) * tokens[:, None]
            given = scale_words(scale if parts > 1 else scale[:, 0], "uint64")
            yield Case(f"{sizes} int4 in {parts}",
                       (Operand(x), packed_int4(w), Operand(assist), None, given, Operand(tokens),
                        groups), (*_gated(golden), None))  # fmt: skip


def _swiglu_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Yield cases of int8 beside int8, of int8 and of int4 beside int4; on the 950 of floats."""
    if chip_family() == "950" and dtype in ("float32", "bfloat16"):
        yield from _swiglu_of_rows(dtype, rng)
    if chip_family() == "950" and dtype == "float32":
        yield from _swiglu_of_blocks(rng)
    if chip_family() != "A2":
        return
    for case in _swiglu_of_lists(dtype, rng):
        yield case
        apart = tuple(_apart(each) if isinstance(each, list) else each for each in case.inputs)
        if len(apart[1]) > 1:
            yield Case(f"{case.label} in tensors", apart, case.golden)


def _apart(listed: list[Operand]) -> list[Operand]:
    """Return a tensor for each expert of the only one that a list has."""
    return [Operand(values, format=listed[0].format) for values in listed[0].values]


def _swiglu_of_lists(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, sizes in enumerate(((3, 0, 5), (1,), (40, 2))):
        rows, experts, k, n = sum(sizes), len(sizes), 48, 64
        tokens = rng.uniform(0.5, 1.5, rows).astype(np.float32)
        counts = number % 2
        groups = np.array(sizes) if counts else np.cumsum(sizes)
        rest = (Operand(groups.astype(np.int64)),)
        for kind in ("int8", "half", "int4") if dtype == "int64" else ("int8",):
            parts = 1 if number == 0 or kind == "int8" else 3
            most = 8 if kind == "int4" else 128
            x = rng.integers(-most, most, (rows, k)).astype(np.int8)
            modes = (int(parts > 1), 0, 0, counts, None)
            if kind == "int8":
                w = rng.integers(-128, 128, (experts, k, n)).astype(np.int8)
                name = "float32" if dtype == "int64" else dtype
                scale = scales_of((experts, n), rng).astype(numpy_dtype(name))
                wide = scale.astype(np.float64)[np.repeat(np.arange(experts), sizes)]
                golden = by_expert(x, w, sizes) * wide * tokens[:, None]
                yield Case(f"{sizes} int8",
                           (Operand(x), [Operand(w, format="FRACTAL_NZ")], [Operand(scale)], None,
                            None, Operand(tokens), None, *rest, *modes),
                           _gated(golden, by_halves=False))  # fmt: skip
                continue
            w = rng.integers(-8, 8, (experts, k, n)).astype(np.int8)
            factors = scales_of((experts, parts, n), rng)
            whole = w * np.repeat(factors.astype(np.float64), k // parts, 1)
            given = [scale_words(factors if parts > 1 else factors[:, 0], "uint64")]
            if kind == "half":
                assist = (8 * whole.sum(axis=1)).astype(np.float32)
                golden = with_int4(x, w, factors, sizes, assist) * tokens[:, None]
                yield Case(f"{sizes} int8 beside int4 in {parts}",
                           (Operand(x), [packed_int4(w)], given, [Operand(assist)], None,
                            Operand(tokens), None, *rest, *modes), _gated(golden))  # fmt: skip
                continue
            shape = (experts,) if number else (experts, n // 2)
            smooth = rng.uniform(0.5, 2, shape).astype(np.float32)
            golden = in_halves(x, w, factors, sizes) * tokens[:, None]
            expert_of = np.repeat(np.arange(experts), sizes)
            own = smooth[expert_of].reshape(rows, -1)
            yield Case(f"{sizes} int4 in {parts}",
                       (packed_int4(x), [packed_int4(w)], given, None, None, Operand(tokens),
                        Operand(smooth), *rest, *modes), _gated(golden, own))  # fmt: skip


def _settled_gate(
    products: Callable[[Array], Array], draw: Callable[[], Array], rounded: Callable[[Array], Array]
) -> tuple[Array, Array]:
    """Draw rows until float32 and float64 round all of their gated products alike."""
    x = draw()
    for _ in range(99):
        wide = products(x)
        act, gate = np.split(wide, 2, -1)
        value = act / (1 + np.exp(-act)) * gate
        low, high = (rounded(value * (1 + error)) for error in (-2e-6, 2e-6))
        unsure = (low != high).any(-1, keepdims=True)
        if not unsure.any():
            return x, value
        x = np.where(unsure, draw(), x)
    raise RuntimeError("always near a tie")


def _swiglu_nz_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "950":
        yield from _swiglu_v2(dtype, rng)
    elif dtype == "float32":
        yield from _swiglu_of_blocks(rng, named_nz=True)


def _case_of_blocks(kind: str, out: str, sizes: tuple[int, ...], turned: bool, in_blocks: bool,
                    rng: np.random.Generator) -> Case:  # fmt: skip
    halves = kind.startswith("float4")
    rows, experts, k, n = sum(sizes), len(sizes), 96, 256
    powers = [2.0 ** rng.integers(-2, 2, shape) for shape in ((rows, 2, 2), (experts, 2, n, 2))]
    x_factors = powers[0].reshape(rows, -1).repeat(32, -1)[:, :k]
    w_factors = np.swapaxes(powers[1], -1, -2).reshape(experts, -1, n).repeat(32, 1)[:, :k]
    w = rng.choice([-1.5, -1, -0.5, 0, 0.5, 1, 2], (experts, k, n))

    def products(x: Array) -> Array:
        return by_expert(x * x_factors, w * w_factors, sizes)

    x, value = _settled_gate(
        products,
        lambda: rng.choice([-1.0, -0.5, 0, 0.5, 1], (rows, k)) / 2,
        lambda value: value.astype(numpy_dtype("bfloat16")),
    )
    if halves:
        x, w = x * 2, w
        powers[0] /= 2
    y, found = blocks(value.astype(numpy_dtype("bfloat16")), out, "rint", (1, 32))
    layout = "inner_exchanged" if turned else "contiguous"
    return Case(
        f"{sizes} {kind} to {out} turned {turned} in blocks {in_blocks}",
        (Operand(x.astype(numpy_dtype(kind))),
         [Operand(w.astype(numpy_dtype(kind)), "transposed" if turned else "contiguous",
                  "FRACTAL_NZ" if in_blocks else "")],
         [Operand(powers[1].astype(numpy_dtype("float8_e8m0fnu")), layout)], None, None,
         Operand(powers[0].astype(numpy_dtype("float8_e8m0fnu"))), None,
         Operand(np.cumsum(sizes).astype(np.int64)), 2, 0, 2, 0, None),
        (y, pairs(found, -1)), out_dtypes=(out, "float8_e8m0fnu"),
    )  # fmt: skip


def _swiglu_of_blocks(rng: np.random.Generator, *, named_nz: bool = False) -> Iterator[Case]:
    kinds = (
        ("float8_e4m3fn", "float8_e5m2"), ("float8_e5m2", "float8_e4m3fn"),
        ("float4_e2m1fn", "float4_e2m1fn"), ("float4_e2m1fn", "float8_e4m3fn"),
    )  # fmt: skip
    for number, ((kind, out), sizes, turned) in enumerate(
        product(kinds, ((3, 0, 5), (1,), (40, 2)), (False, True))
    ):
        in_blocks = kind == "float8_e4m3fn" and (named_nz or number % 3 == 0) and not turned
        halves = kind.startswith("float4")
        if (halves and turned) or (named_nz and not in_blocks):
            continue
        yield _case_of_blocks(kind, out, sizes, turned, in_blocks, rng)


def _case_of_rows(kind: str, out: str, sizes: tuple[int, ...], turned: bool, by: str, dtype: str,
                  rng: np.random.Generator) -> Case:  # fmt: skip
    rows, experts, k, n = sum(sizes), len(sizes), 48, 64
    w = rng.integers(-3, 4, (experts, k, n)).astype(np.float64)
    factors = rng.uniform(0.05, 0.1, (experts, n)).astype(numpy_dtype(dtype))
    tokens = rng.uniform(0.5, 1.5, rows).astype(np.float32)
    own = factors.astype(np.float64)[np.repeat(np.arange(experts), sizes)]

    def products(x: Array) -> Array:
        return by_expert(x, w, sizes) * own * tokens[:, None]

    def quantised(value: Array) -> Array:
        value = value.astype(numpy_dtype(by)).astype(np.float32)
        return symmetric(value, out, multiplies=False)[0]

    x, value = _settled_gate(
        products,
        lambda: rng.integers(-3, 4, (rows, k)).astype(np.float64),
        quantised,
    )
    scale = np.abs(value.astype(numpy_dtype(by)).astype(np.float64)).max(-1) / LARGEST[out]
    modes = (0, {"float32": 0, "float16": 1, "bfloat16": 27}[by], 0, 1, None)
    return Case(
        f"{sizes} {kind} to {out} turned {turned} by {by}",
        (Operand(x.astype(numpy_dtype(kind))),
         [Operand(w.astype(numpy_dtype(kind)), "transposed" if turned else "contiguous")],
         [Operand(factors)], None, None, Operand(tokens), None,
         Operand(np.array(sizes, np.int64)), *modes),
        (quantised(value), scale), out_dtypes=(out, "float32"),
    )  # fmt: skip


def _swiglu_of_rows(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for (kind, out), sizes, turned, by in product(
        (("int8", "int8"), ("float8_e5m2", "float8_e4m3fn"), ("float8_e4m3fn", "float8_e5m2")),
        ((3, 0, 5), (40, 2)), (False, True), ("float32", "float16", "bfloat16"),
    ):  # fmt: skip
        yield _case_of_rows(kind, out, sizes, turned, by, dtype, rng)


def _routed_on_950(mx: bool, rng: np.random.Generator) -> Iterator[Case]:
    """Yield products with scales of blocks, or of rows and columns, whose sums are exact."""
    kinds = ("float8_e4m3fn", "float8_e5m2", "float4_e2m1fn") if mx else ("int8", "float8_e4m3fn")
    for number, (kind, (sizes, rest), turned) in enumerate(
        product(kinds, _GROUPS, ("no", "view", "said") if mx else ("no",))
    ):
        if kind.startswith("float4") and turned == "view":
            continue
        rows, experts, k, n, tokens = sum(sizes) + rest, len(sizes), 96, 64, 6
        x = rng.choice([-1.0, -0.5, 0, 0.5, 1], (rows, k)) * (1 if mx else 2)
        w = rng.choice([-1.0, 0, 1, 2], (experts, k, n))
        if mx:
            powers = [2.0 ** rng.integers(-2, 2, s) for s in ((rows, 2, 2), (experts, 2, n, 2))]
            x_wide = x * powers[0].reshape(rows, -1).repeat(32, -1)[:, :k]
            by_depth = np.swapaxes(powers[1], -1, -2).reshape(experts, -1, n).repeat(32, 1)
            products = by_expert(x_wide, w * by_depth[:, :k], sizes)
            scales = [a.astype(numpy_dtype("float8_e8m0fnu")) for a in powers]
        else:
            scales = [
                rng.uniform(0.5, 1.5, s).astype(np.float32) for s in ((rows,), (experts, 1, n))
            ]
            products = by_expert(x, w * scales[1].astype(np.float64), sizes) * scales[0][:, None]
        bias = rng.integers(-9, 10, (experts, n)).astype(numpy_dtype("bfloat16"))
        products[: sum(sizes)] += bias.astype(np.float64)[np.repeat(np.arange(experts), sizes)]
        logit = rng.uniform(0.1, 1.0, rows).astype(np.float32)
        place = rng.integers(0, tokens, rows)
        shared = rng.uniform(0.5, 1.5, (2, n)).astype(numpy_dtype("bfloat16"))
        golden = np.zeros((tokens, n))
        np.add.at(golden, place[: sum(sizes)], (products * logit[:, None])[: sum(sizes)])
        golden[1:3] += 0.5 * shared.astype(np.float64)
        said, layout = turned == "said", "transposed" if turned == "view" else "contiguous"
        right, factors = w.astype(numpy_dtype(kind)), scales[1]
        if said:
            right, factors = np.swapaxes(right, 1, 2), np.swapaxes(factors, 1, 2)
        groups = np.array(sizes) if number % 2 else np.cumsum(sizes)
        yield Case(
            f"{sizes} {kind} turned {turned}",
            (Operand(x.astype(numpy_dtype(kind))),
             Operand(np.ascontiguousarray(right), layout, "" if mx else "FRACTAL_NZ"),
             Operand(np.ascontiguousarray(factors),
                     "inner_exchanged" if turned == "view" else "contiguous"),
             Operand(bias), None, None, None, Operand(scales[0]),
             Operand(groups.astype(np.int64)), Operand(shared), Operand(logit), Operand(place), 0,
             0.5, 1, False, said, number % 2, None),
            (golden,), ("contiguous",), ("float32",),
        )  # fmt: skip


def _routed(version: str) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        int4 = dtype == "int32"
        if chip_family() == "950" and version in ("V3", "WeightNzV2"):
            yield from _routed_on_950(version == "V3", rng)
        if chip_family() != "A2" or (version == "WeightNz" and int4):
            return
        k, n, tokens = (192, 128, 6) if int4 else (16, 256, 6)
        for number, (sizes, rest) in enumerate(_GROUPS):
            rows, experts = sum(sizes) + rest, len(sizes)
            x = rng.integers(-128, 128, (rows, k)).astype(np.int8)
            most = 8 if int4 else 128
            w = rng.integers(-most, most, (experts, k, n)).astype(np.int8)
            scale = scales_of((experts, n), rng)
            row_scale = rng.uniform(0.5, 1.5, rows).astype(np.float32)
            logit = rng.uniform(0.1, 1.0, rows).astype(np.float32)
            place = rng.integers(0, tokens, rows)
            shared = rng.uniform(0.5, 1.5, (2, n)).astype(numpy_dtype("bfloat16"))
            whole = w * scale.astype(np.float64)[:, None]
            assist = (8 * whole.sum(axis=1)).astype(np.float32)
            golden = np.zeros((tokens, n))
            unit = rng.uniform(-0.5, 0.5, (experts, 1, n)).astype(np.float32)
            by_offset = int4 and version in ("V2", "V3") and number % 2 == 1
            if int4:
                products = with_int4(x, w, scale[:, None], sizes, assist).astype(np.float64)
                if by_offset:
                    wide = np.broadcast_to(unit.astype(np.float64), (experts, k, n))
                    products += by_expert(x, wide, sizes)
            else:
                products = by_expert(x, whole, sizes)
            products = products * row_scale.astype(np.float64)[:, None]
            bias: Operand | None = Operand(assist) if int4 else None
            if not int4 and number % 2:
                numbers = rng.normal(0, 900, (experts, n)).astype(numpy_dtype("bfloat16"))
                of_rows = np.repeat(np.arange(experts), sizes)
                products[: sum(sizes)] += numbers.astype(np.float64)[of_rows]
                bias = Operand(numbers)
            products = products * logit.astype(np.float64)[:, None]
            np.add.at(golden, place[: sum(sizes)], products[: sum(sizes)])
            golden[1:3] += 0.5 * shared.astype(np.float64)
            list_type = number % 2
            groups = np.cumsum(sizes) if list_type == 0 else np.array(sizes)
            right: Any = packed_int4(w) if int4 else Operand(w, format="FRACTAL_NZ")
            given = scale_words(scale[:, None], "int64") if int4 else Operand(scale)
            offset = Operand(unit) if by_offset else None
            more = () if version in ("V1", "WeightNz") else (offset, None, None)
            tuning = ([3],) if version in ("V3", "WeightNzV2") else ()
            inputs = (Operand(x), right, given, bias, *more,
                      Operand(row_scale), Operand(groups.astype(np.int64)), Operand(shared),
                      Operand(logit), Operand(place.astype(np.int64)), 0, 0.5, 1, False, False,
                      list_type, *tuning)  # fmt: skip
            yield Case(f"{sizes} {rest}", inputs, (golden,), ("contiguous",), ("float32",))

    return cases


_SCALES = ("float32", "float16", "bfloat16")

SUITES: tuple[Suite, ...] = (
    Suite("grouped_matmul_swiglu_quant", (*_SCALES, "int64"), _swiglu),
    Suite("grouped_matmul_swiglu_quant_weight_nz", _SCALES, _swiglu),
    Suite("grouped_matmul_swiglu_quant_v2", (*_SCALES, "int64"), _swiglu_v2),
    Suite("grouped_matmul_swiglu_quant_weight_nz_v2", _SCALES, _swiglu_nz_v2),
    Suite("grouped_matmul_finalize_routing", ("int32",), _routed("V1")),
    Suite("grouped_matmul_finalize_routing_v2", ("int32",), _routed("V2")),
    Suite("grouped_matmul_finalize_routing_v3", ("int32",), _routed("V3")),
    Suite("grouped_matmul_finalize_routing_weight_nz", ("int8",), _routed("WeightNz")),
    Suite("grouped_matmul_finalize_routing_weight_nz_v2", ("int8",), _routed("WeightNzV2")),
)
