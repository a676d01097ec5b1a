"""Normalisations and gated units whose results are quantised."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, chip_family
from pyaclnn.selftest.formulas.narrow import LARGEST, narrowed, symmetric
from pyaclnn.selftest.suites.quant_blocks import CODES, blocks, nearest_float4, pairs, ways

_HALVES = ("float16", "bfloat16")
_SHAPES = ((1, 32), (3, 64), (2, 5, 40), (200, 136), (2, 2, 2, 1032))
_EPS = 1e-5

Cases = Callable[[str, np.random.Generator], Iterator[Case]]


def _drawn(shape: tuple[int, ...], dtype: str, rng: np.random.Generator, low: float = 0) -> Array:
    values = rng.uniform(low, 2.0, shape) if low else rng.normal(0.0, 1.5, shape)
    return np.asarray(values).astype(numpy_dtype(dtype))


def _halved(values: Array) -> Array:
    return values.astype(np.float16).astype(np.float32)


def _normalised(total: Array, gamma: Array, *, halves: bool, refined: bool = False) -> Array:
    """Return rows over their root mean square times gamma, in float32 or in steps of float16.

    A ``refined`` root is rounded once, when it is inverse.
    """
    mean = np.square(total.astype(np.float64)).mean(-1, keepdims=True).astype(np.float32)
    wide_root = np.sqrt((mean + np.float32(_EPS)).astype(np.float64))
    root = wide_root if refined else wide_root.astype(np.float32)
    wide = total * (1 / root).astype(np.float32)
    wide = (_halved(wide) if halves else wide) * gamma.astype(np.float32)
    return _halved(wide) if halves else wide


def _static_950(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kinds = ("int8", "float8_e4m3fn", "float8_e5m2")
    wide_shapes = ((2, 4096), (2, 16_384))  # the sums of the last are rounded on the way
    for number, shape in enumerate((*_SHAPES, *wide_shapes)):
        width, kind = shape[-1:], kinds[number % 3]
        x1, x2, gamma = (_drawn(s, dtype, rng) for s in (shape, shape, width))
        by = ("float32", dtype)[number % 2]
        two = number % 2 == 1 or kind != "int8"
        scales = [_drawn(width, by, rng, 0.02) for _ in range(1 + two)]
        zeros = rng.integers(-5, 6, width).astype(
            "int32" if by == "float32" and dtype != "float32" else numpy_dtype(by)
        )
        total = x1.astype(np.float32) + x2.astype(np.float32)
        mean = np.square(total.astype(np.float64)).mean(-1, keepdims=True).astype(np.float32)
        root = np.sqrt((mean + np.float32(_EPS)).astype(np.float64))
        kept = total.astype(x1.dtype).astype(np.float32) if width[0] == 16_384 else total
        wide = kept * (1 / root).astype(np.float32) * gamma.astype(np.float32)
        divides = number % 4 > 0
        results = []
        for scale in (s.astype(np.float32) for s in scales):
            scaled = wide / scale if divides else wide * scale
            results.append(narrowed(scaled + zeros.astype(np.float32), kind))
        second = Operand(scales[1]) if two else None
        yield Case(
            f"{shape} {kind} divides {divides}",
            (Operand(x1), Operand(x2), Operand(gamma), Operand(scales[0]), second, Operand(zeros),
             Operand(zeros) if two else None, -1, _EPS, divides),
            (results[0], results[1] if two else None, total),
            ("contiguous",) * 3, (kind, kind, dtype),
        )  # fmt: skip


def _static(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "950":
        yield from _static_950(dtype, rng)
        return
    if chip_family() not in ("A2", "310P") or (dtype == "bfloat16" and chip_family() != "A2"):
        return
    if dtype == "float32":
        return
    for number, (shape, divides) in enumerate(product(_SHAPES, (True, False))):
        width = shape[-1:]
        x1, x2, gamma = (_drawn(s, dtype, rng) for s in (shape, shape, width))
        kind = "float32" if dtype == "float16" or number % 2 else "bfloat16"
        two, one = number % 3 == 0, number % 3 == 1
        scales = [_drawn((1,) if one else width, kind, rng, 0.02) for _ in range(1 + two)]
        zeros = rng.integers(-5, 6, 1 if one else width[0]).astype(
            "int32" if kind == "float32" else numpy_dtype(kind)
        )
        total = x1.astype(np.float32) + x2.astype(np.float32)
        halves = dtype == "float16" and not one
        wide = _normalised(_halved(total) if halves else total, gamma, halves=halves)
        results = []
        for scale in (s.astype(np.float32) for s in scales):
            inverse = np.float32(1) / scale
            scaled = wide * scale if not divides else wide * inverse if one else wide / scale
            results.append(narrowed(scaled + zeros.astype(np.float32), "int8"))
        second = [Operand(scales[1]), Operand(zeros), Operand(zeros)] if two else [
            None, Operand(zeros), None]  # fmt: skip
        yield Case(
            f"{shape} divides {divides} {kind} two {two} one {one}",
            (Operand(x1), Operand(x2), Operand(gamma), Operand(scales[0]), *second, -1, _EPS,
             divides),
            (results[0], results[1] if two else None, total),
        )  # fmt: skip


def _dynamic(second: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() not in ("A2", "950"):
            return
        multiplies = chip_family() == "A2"
        for shape, smooths in product(_SHAPES, (0, 1, 2)):
            width = shape[-1:]
            x1, x2, gamma = (_drawn(s, dtype, rng) for s in (shape, shape, width))
            beta = _drawn(width, dtype, rng) if second else None
            smooth = [_drawn(width, dtype, rng, 0.5) for _ in range(smooths)]
            total = x1.astype(np.float32) + x2.astype(np.float32)
            wide = _normalised(total, gamma, halves=False, refined=not multiplies)
            if beta is not None:
                wide = wide + beta.astype(np.float32)
            found = [
                symmetric(wide * s.astype(np.float32), "int8", multiplies=multiplies)
                for s in smooth
            ] or [symmetric(wide, "int8", multiplies=multiplies)]
            given = [*map(Operand, smooth), None, None][:2]
            inputs = (Operand(x1), Operand(x2), Operand(gamma), *given)
            more = (Operand(beta), _EPS, None) if beta is not None else (_EPS,)
            last = found[1] if smooths == 2 else (None, None)
            yield Case(f"{shape} smooth {smooths}", (*inputs, *more),
                       (found[0][0], last[0], total, found[0][1], last[1]))  # fmt: skip

    return cases


def _swiglu(x: Array, *, left: bool) -> Array:
    a, b = np.split(x.astype(np.float64), 2, -1)
    a, b = (a, b) if left else (b, a)
    return np.asarray(a / (1 + np.exp(-a)) * b)


def _away_from_ties(x: Array, scaled: Callable[[Array], Array], rng: np.random.Generator) -> Array:
    """Draw elements again until none is rounded by the last digits of its exponential."""
    for _ in range(99):
        near = np.abs(np.abs(scaled(x) % 1) - 0.5) < 1e-3
        if not near.any():
            return x
        x = np.where(np.concatenate([near, near], -1), rng.normal(0, 1.5, x.shape), x).astype(
            x.dtype
        )
    raise RuntimeError("always near a tie")


def _swi_glu(second: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() not in ("A2", "950"):
            return
        kinds = ("int8", "int4") if second else ("int8",)
        for shape, kind, mode, left in product(
            _SHAPES[:4], kinds, ("dynamic", "static"), (True, False)
        ):
            rows, width = int(np.prod(shape[:-1])), shape[-1] // 2
            ends = None if rows < 3 else np.array([1, rows - 1, rows], np.int32)
            groups = 1 if ends is None else 3
            smooth = _drawn((groups, width), "float32", rng, 0.5)
            offset = _drawn((groups, width), "float32", rng)
            group = np.zeros(rows, int)
            if ends is not None:
                group = np.searchsorted(ends, np.arange(rows), side="right")

            def scaled(x: Array, mode: str = mode, left: bool = left, kind: str = kind,
                       smooth: Array = smooth, offset: Array = offset,
                       group: Array = group) -> Array:  # fmt: skip
                wide = _swiglu(x, left=left).reshape(len(group), -1) * smooth[group]
                if mode == "static":
                    return np.asarray((wide + offset[group]).reshape(*x.shape[:-1], -1))
                most = np.abs(wide).max(-1, keepdims=True)
                return np.asarray((wide * (LARGEST[kind] / most)).reshape(*x.shape[:-1], -1))

            x = _away_from_ties(_drawn(shape, dtype, rng), scaled, rng)
            most = np.abs(_swiglu(x, left=left).reshape(rows, -1) * smooth[group]).max(-1)
            factor = (LARGEST[kind] / most).reshape(shape[:-1]) if mode == "dynamic" else None
            counted = second and left and ends is not None
            told = ends if not counted or ends is None else np.diff(ends, prepend=0).astype("int32")
            inputs = (Operand(x), Operand(smooth), Operand(offset) if mode == "static" else None,
                      None if told is None else Operand(told), left, mode)  # fmt: skip
            more = (int(counted), 2 if kind == "int8" else 29) if second else ()
            yield Case(f"{shape} {kind} {mode} left {left}", (*inputs, *more),
                       (narrowed(scaled(x), kind), factor))  # fmt: skip

    return cases


#: Narrow types with the algorithms that fused operators have, and their rounding.
_PLAIN_WAYS = tuple(way for way in ways(1) if way[1] < 2)


def _rounded_to(values: Array, dtype: str) -> Array:
    return values.astype(numpy_dtype(dtype)).astype(np.float64)


def _rms_norm_mx(*, adds: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for shape, (kind, algorithm, _, mode), with_beta in product(
            ((1, 32), (3, 70), (2, 5, 96)), _PLAIN_WAYS, (False, True)
        ):
            x1, x2 = (_drawn(shape, dtype, rng) for _ in range(2))
            wide = "float32" if with_beta else dtype
            gamma, beta = (
                rng.uniform(0.5, 2, shape[-1]).astype(numpy_dtype(wide)) for _ in range(2)
            )
            total = x1.astype(np.float32) + (x2.astype(np.float32) if adds else 0)
            mean = np.square(total.astype(np.float64)).mean(-1, keepdims=True).astype(np.float32)
            inverse = np.float32(1) / np.sqrt(mean + np.float32(_EPS))
            row = total * inverse * gamma.astype(np.float32)
            row = row + (beta.astype(np.float32) if with_beta else 0)
            y, found = blocks(row.astype(numpy_dtype(dtype)), kind, mode, (1, 32), algorithm)
            code = CODES[kind]
            more = (Operand(gamma), Operand(beta) if with_beta else None, _EPS, algorithm, mode,
                    code, True)  # fmt: skip
            yield Case(
                f"{shape} {kind} {mode} way {algorithm} beta {with_beta}",
                (Operand(x1), *((Operand(x2),) if adds else ()), *more),
                (y, *((total,) if adds else ()), pairs(found, -1), inverse),
            )  # fmt: skip

    return cases


def _gate(x: Array, *, left: bool, clamped: bool) -> Array:
    """Return a gated unit, by 7, 1.702 and 1 where it is the clamped form of neighbours."""
    if not clamped:
        return _swiglu(x, left=left)
    a = np.minimum(x[..., ::2].astype(np.float64), 7)
    b = np.clip(x[..., 1::2].astype(np.float64), -7, 7)
    return np.asarray(a / (1 + np.exp(-1.702 * a)) * (b + 1))


def _dequant_swiglu(dtype: str, rng: np.random.Generator, *, clamped: bool = False,
                    second: bool = False) -> Iterator[Case]:  # fmt: skip
    if chip_family() != "A2":
        return
    for shape, mode, bias, grouped in product(
        ((2, 64), (7, 128), (3, 4, 192)), ("dynamic", "static"), ("", "int32", "float32"),
        (1,) if clamped else (0, 1),
    ):  # fmt: skip
        rows, width = int(np.prod(shape[:-1])), shape[-1] // 2
        groups = 2 if grouped else 1
        group = (np.arange(rows) > 0).astype(int) * grouped
        sums = rng.integers(-(2**12), 2**12, (rows, 2 * width)).astype(np.int32)
        weight = _drawn((groups, 2 * width), "float32", rng, 0.5) / np.float32(2**11)
        by_row = _drawn((rows,), "float32", rng, 0.5)
        added = rng.integers(-5, 5, (groups, 2 * width)) * (100 if bias == "int32" else 1)
        one = mode == "static"
        quant = _drawn((groups, 1 if one else width), "float32", rng, 0.05)
        offset = _drawn((groups, 1), "float32", rng)
        if dtype != "int32":
            x = _drawn((rows, 2 * width), dtype, rng).astype(np.float64)
        else:
            x = sums + (added[group] if bias == "int32" else 0)
            x = x * weight[group].astype(np.float64) * by_row[:, None]
            x = x + (added[group] if bias == "float32" else 0)
        wide = _gate(x, left=bool(grouped), clamped=clamped)
        scaled = wide / quant[group] + offset[group] if one else wide * quant[group]
        scale = None if one else np.abs(scaled).max(-1) / 127
        scaled = scaled if scale is None else scaled / scale[:, None]
        if (np.abs(np.abs(scaled % 1) - 0.5) < 1e-4).any():
            continue  # float32 may round it the other way
        given = sums if dtype == "int32" else x.astype(numpy_dtype(dtype))
        lists = [a if grouped else a.reshape(-1) for a in (weight, added, quant)]
        whole = dtype == "int32"
        yield Case(
            f"{shape} {mode} bias {bias} grouped {grouped} clamped {clamped}",
            (
                Operand(given.reshape(shape)),
                Operand(lists[0]) if whole else None,
                Operand(by_row.reshape(*shape[:-1], 1)) if whole else None,
                Operand(lists[1].astype(bias)) if whole and bias else None,
                Operand(quant.reshape(-1) if one else lists[2]),
                Operand(offset.reshape(-1)) if one else None,
                Operand(np.array([1, rows - 1])) if grouped else None, bool(grouped), mode,
                *((2, None, -1, int(clamped), 7.0, 1.702, 1.0) if second else ()),
            ),
            (narrowed(scaled, "int8").reshape(*shape[:-1], width),
             None if scale is None else scale.reshape(shape[:-1])),
        )  # fmt: skip


def _newer_gate(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Of the 950: every narrow type, groups in pairs with their names, and one of no rows."""
    groups, width = 3, 48
    for kind, mode, named, clamped in product(
        ("int8", "float8_e4m3fn", "float4_e2m1fn"), ("dynamic", "static"), (False, True),
        (False, True),
    ):  # fmt: skip
        sizes, names = (2, 0, 3), ((2, 1, 0) if named else (0, 1, 2))
        group = np.repeat(names, sizes)
        sums = rng.integers(-(2**12), 2**12, (len(group), 2 * width)).astype(np.int32)
        weight = _drawn((groups, 2 * width), "float32", rng, 0.5) / np.float32(2**11)
        quant = _drawn((groups, width), "float32", rng, 0.05)
        x = sums * weight[group].astype(np.float64) if dtype == "int32" else sums / 2.0**11
        given = sums if dtype == "int32" else x.astype(numpy_dtype(dtype))
        wide = _gate(x if dtype == "int32" else given, left=True, clamped=clamped)
        scale = None
        if mode == "dynamic":
            wide = wide * quant[group]
            scale = np.abs(wide).max(-1) / (6 if kind == "float4_e2m1fn" else LARGEST[kind])
            wide = wide / scale[:, None]
        else:
            wide = wide / quant[group]
        if kind == "int8" and (np.abs(np.abs(wide % 1) - 0.5) < 1e-4).any():
            continue  # float32 may round it the other way
        if kind == "float4_e2m1fn":  # by way of bfloat16
            wide = wide.astype(np.float32).astype(numpy_dtype("bfloat16")).astype(np.float64)
            y = nearest_float4(wide, "rint").astype(numpy_dtype(kind))
        else:
            y = narrowed(wide, kind)
        listed = np.array([*zip(names, sizes, strict=True)] if named else sizes)
        yield Case(
            f"{kind} {mode} named {named} clamped {clamped}",
            (
                Operand(given), Operand(weight) if dtype == "int32" else None, None, None,
                Operand(quant), None, Operand(listed), True, mode, CODES[kind], None, -1,
                int(clamped), 7.0, 1.702, 1.0,
            ),
            (y, scale), out_dtypes=(kind, "float32"),
        )  # fmt: skip


def _dequant_swiglu_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "950":
        yield from _newer_gate(dtype, rng)
    for clamped in (False, True):
        yield from _dequant_swiglu(dtype, rng, clamped=clamped, second=True)


def _settled(shape: tuple[int, ...], dtype: str, gate: Callable[[Array], Array],
             rng: np.random.Generator) -> tuple[Array, Array]:  # fmt: skip
    """Draw rows whose gated units float32 and float64 round to the same narrow numbers."""
    x = rng.normal(0, 2, shape)
    for _ in range(99):
        given = x.astype(numpy_dtype(dtype))
        wide = gate(given)
        ends = [_rounded_to(wide * (1 + error), dtype) for error in (-2e-6, 2e-6)]
        near = (ends[0] != ends[1]).any(-1, keepdims=True)
        if not near.any():
            return given, wide.astype(numpy_dtype(dtype))
        fresh = rng.normal(0, 2, shape)
        unsure = ends[0] != ends[1]
        halves = [np.concatenate([unsure, unsure], -1), np.repeat(unsure, 2, -1)]
        x = np.where(halves[0] | halves[1], fresh, x)
    raise RuntimeError("always near a tie")


def _swiglu_mx(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, (kind, algorithm, _, mode), clamped, left in product(
        ((2, 64), (3, 140), (2, 3, 192)), _PLAIN_WAYS, (False, True), (True, False)
    ):
        x, wide = _settled(shape, dtype, partial(_gate, left=left, clamped=clamped), rng)
        y, found = blocks(wide, kind, mode, (1, 32), algorithm)
        rows = int(np.prod(shape[:-1]))
        groups = np.array([1, rows - 1]) if clamped else None
        numbers = (int(clamped), 7.0, 1.702, 1.0) if clamped else (0, 0.0, 0.0, 0.0)
        yield Case(
            f"{shape} {kind} {mode} way {algorithm} clamped {clamped} left {left}",
            (Operand(x), None if groups is None else Operand(groups), -1, left, *numbers, 0, -1,
             CODES[kind], mode, algorithm, 0.0),
            (y, pairs(found, -1)),
        )  # fmt: skip


def _swiglu_dual_axis(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, (kind, algorithm, _, mode), ends in product(
        ((130, 80), (70, 128)), _PLAIN_WAYS, (None, (65, 130))
    ):
        if ends is not None and ends[-1] != shape[0]:
            continue
        x, wide = _settled(shape, dtype, lambda x: _swiglu(x, left=True), rng)
        y1, found1 = blocks(wide, kind, mode, (1, 32), algorithm)
        parts = np.split(wide, ends[:-1]) if ends else [wide]
        second = [blocks(part, kind, mode, (32, 1), algorithm) for part in parts]
        yield Case(
            f"{shape} {kind} {mode} way {algorithm} groups {ends}",
            (Operand(x), None if ends is None else Operand(np.array(ends)), True, mode, algorithm,
             CODES[kind], 0.0),
            (y1, pairs(found1, -1), np.concatenate([y for y, _ in second]),
             np.concatenate([pairs(found, 0) for _, found in second])),
        )  # fmt: skip


def _swiglu_gradient(x: Array, grad: Array) -> Array:
    a, b = np.split(x.astype(np.float64), 2, -1)
    sigmoid = 1 / (1 + np.exp(-a))
    wide = grad.astype(np.float64) * sigmoid
    return np.concatenate([wide * b * (1 + a * (1 - sigmoid)), wide * a], -1)


def _swiglu_backward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, ends in product(((130, 64), (2, 70, 128)), (None, (65, 130))):
        if ends is not None and ends[-1] != shape[0]:
            continue
        x, grad = rng.normal(0, 2, shape), rng.normal(0, 2, (*shape[:-1], shape[-1] // 2))
        for _ in range(99):
            given = [v.astype(numpy_dtype(dtype)) for v in (x, grad)]
            wide = _swiglu_gradient(*given)
            # float32 loses digits where 1 + a (1 - s(a)) nearly cancels.
            a, b = np.split(np.abs(given[0].astype(np.float64)), 2, -1)
            lost = np.concatenate([b * np.abs(grad), np.zeros_like(a)], -1)
            room = 2e-6 * np.abs(wide) + 2e-7 * lost
            unsure = _rounded_to(wide - room, dtype) != _rounded_to(wide + room, dtype)
            unsure = np.logical_or(*np.split(unsure, 2, -1))
            if not unsure.any():
                break
            x = np.where(np.concatenate([unsure, unsure], -1), rng.normal(0, 2, shape), x)
        else:
            raise RuntimeError("always near a tie")
        row = wide.astype(numpy_dtype(dtype))
        y1, found1 = blocks(row, "float8_e4m3fn", "rint", (1, 32), 1)
        parts = np.split(row, ends[:-1]) if ends else [row]
        second = [blocks(part, "float8_e4m3fn", "rint", (32, 1), 1) for part in parts]
        groups = None if ends is None else Operand(np.array(ends))
        yield Case(
            f"{shape} groups {ends}",
            (*map(Operand, given), groups, True, "rint", 1, CODES["float8_e4m3fn"], 0.0),
            (y1, pairs(found1, -1), np.concatenate([y for y, _ in second]),
             np.concatenate([pairs(found, -2) for _, found in second])),
        )  # fmt: skip


def _by_halves(dtype: str, rng: np.random.Generator, *, centred: bool) -> Iterator[Case]:
    family = chip_family()
    if family not in ("A2", "310P", "950") or (dtype == "bfloat16" and family == "310P"):
        return
    for shape in _SHAPES:
        x, gamma, beta = (_drawn(s, dtype, rng) for s in (shape, shape[-1:], shape[-1:]))
        scale = _drawn((1,), dtype, rng, 0.02)
        offset = rng.integers(-5, 6, 1).astype(np.int8)
        row = x.astype(np.float32)
        if centred:
            row = row - x.astype(np.float64).mean(-1, keepdims=True).astype(np.float32)
        wide = _normalised(row, gamma, halves=False) + beta.astype(np.float32)
        wide = wide * (np.float32(1) / scale.astype(np.float32)) + offset.astype(np.float32)
        y = narrowed(_halved(wide), "int8")
        inputs = (Operand(x), Operand(gamma), Operand(beta), Operand(scale), Operand(offset))
        if centred:
            yield Case(f"{shape}", (*inputs, 0, _EPS), (y, None))
        else:
            yield Case(f"{shape}", (*inputs, _EPS), (y,))


def _rms_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return (_rms_norm_950 if chip_family() == "950" else _rms_norm_by_halves)(dtype, rng)


def _rms_norm_by_halves(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _by_halves(dtype, rng, centred=False) if dtype != "float32" else iter(())


def _rms_norm_950(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kinds = product(_SHAPES[:4], ("int8", "float8_e4m3fn", "float8_e5m2"))
    for number, (shape, kind) in enumerate(kinds):
        by = ("float32", dtype)[number % 2]
        to = ("int32" if by == "float32" else "int8") if dtype != "float32" else by
        x, gamma, beta = (_drawn(s, dtype, rng) for s in (shape, shape[-1:], shape[-1:]))
        count = (1,) if number % 3 == 0 else shape[-1:]
        scale = _drawn(count, by, rng, 0.02)
        offset = rng.integers(-5, 6, count).astype(to if number % 4 else numpy_dtype(by))
        rows = x.astype(np.float32)
        mean = np.square(x.astype(np.float64)).mean(-1, keepdims=True).astype(np.float32)
        root = np.sqrt((mean + np.float32(_EPS)).astype(np.float64))
        wide = rows * (1 / root).astype(np.float32) * gamma.astype(np.float32)
        wide = (wide + beta.astype(np.float32)) / scale.astype(np.float32)
        yield Case(
            f"{shape} {kind} {by}",
            (*map(Operand, (x, gamma, beta, scale, offset)), _EPS),
            (narrowed(wide + offset.astype(np.float32), kind),), ("contiguous",), (kind,),
        )  # fmt: skip


def _layer_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _by_halves(dtype, rng, centred=True)


def _gelu(x: Array, approximate: str) -> Array:
    wide = x.astype(np.float64)
    if approximate == "tanh":
        return np.asarray(
            0.5 * wide * (1 + np.tanh(np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3)))
        )
    erf = np.vectorize(math.erf)
    return np.asarray(0.5 * wide * (1 + erf(wide / np.sqrt(2))))


def _gelu_quant(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, approximate, mode in product(
        ((2, 64), (3, 4, 40)), ("none", "tanh"), ("static", "dynamic")
    ):
        scale = _drawn(shape[-1:], "float32", rng, 0.5)
        offset = _drawn(shape[-1:], "float32", rng)
        x = _drawn(shape, dtype, rng)
        for _ in range(99):
            wide = _gelu(x, approximate) * scale
            if mode == "static":
                scaled, factor = wide * 20 + offset, None
            else:
                factor = np.abs(wide).max(-1) / 127
                scaled = wide / factor[..., None]
            near = np.abs(np.abs(scaled % 1) - 0.5) < 2e-3
            if not near.any():
                break
            x = np.where(near, rng.normal(0, 1.5, shape), x).astype(numpy_dtype(dtype))
        else:
            raise RuntimeError("always near a tie")
        factors = Operand(scale * np.float32(20) if mode == "static" else scale)
        given = (Operand(x), factors, Operand(offset) if mode == "static" else None)
        yield Case(f"{shape} {approximate} {mode}", (*given, approximate, mode, "rint", 2),
                   (narrowed(scaled, "int8"), factor))  # fmt: skip


SUITES = (
    Suite("add_rms_norm_quant", (*_HALVES, "float32"), _static),
    Suite("add_rms_norm_dynamic_quant", _HALVES, _dynamic(second=False)),
    Suite("add_rms_norm_dynamic_quant_v2", _HALVES, _dynamic(second=True)),
    Suite("dequant_swiglu_quant", ("int32", *_HALVES), _dequant_swiglu),
    Suite("dequant_swiglu_quant_v2", ("int32", *_HALVES), _dequant_swiglu_v2),
    Suite("swi_glu_quant", ("float32", *_HALVES), _swi_glu(second=False)),
    Suite("swi_glu_quant_v2", ("float32", *_HALVES), _swi_glu(second=True)),
    Suite("rms_norm_dynamic_mx_quant", _HALVES, _rms_norm_mx(adds=False), chip=NEWEST),
    Suite("add_rms_norm_dynamic_mx_quant", _HALVES, _rms_norm_mx(adds=True), chip=NEWEST),
    Suite("swiglu_mx_quant", _HALVES, _swiglu_mx, chip=NEWEST),
    Suite("swiglu_mx_quant_with_dual_axis", _HALVES, _swiglu_dual_axis, chip=NEWEST),
    Suite("swiglu_backward_mx_quant_with_dual_axis", _HALVES, _swiglu_backward, chip=NEWEST),
    Suite("rms_norm_quant", (*_HALVES, "float32"), _rms_norm),
    Suite("layer_norm_quant", _HALVES, _layer_norm),
    Suite("gelu_quant", ("float32", *_HALVES), _gelu_quant, chip=NEWEST),
)
