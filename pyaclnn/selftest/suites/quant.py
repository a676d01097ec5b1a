"""Quantisation by itself: with scales that are given, or found, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, chip_family, has_bfloat16, is_a2_or_late_950
from pyaclnn.selftest.formulas.narrow import (
    asymmetric,
    in_words,
    narrowed,
    quant_parameter,
    symmetric,
)
from pyaclnn.selftest.layouts import LAYOUTS

_FLOATS = ("float32", "float16", "bfloat16")
_CODES = {"int8": 2, "int32": 3, "uint8": 4, "int4": 29, "float8_e5m2": 35, "float8_e4m3fn": 36}
_SHAPES = ((2, 8), (1, 16), (3, 4, 24), (2, 3, 2, 40), (40, 1032), (1, 8, 1, 2, 1, 2, 1, 8))

Cases = Callable[[str, np.random.Generator], Iterator[Case]]


def _values(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    return np.asarray(rng.normal(0.0, 3.0, shape)).astype(numpy_dtype(dtype))


def _factors(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    return np.asarray(rng.uniform(0.5, 4.0, shape)).astype(numpy_dtype(dtype))


def _wide(values: Array) -> Array:
    return values.astype(np.float32)


def _as_given(numbers: Array, kind: str) -> Array:
    """Return numbers as an output of this type has them: int32 stands for eight of int4."""
    return in_words(numbers) if kind == "int32" else numbers


def _of(kind: str) -> str:
    return "int4" if kind == "int32" else kind


def _kinds(*, narrow: bool) -> tuple[str, ...]:
    family = chip_family()
    whole = ("int8", "int4", "int32") if family in ("A2", "950") else ("int8",)
    return (*whole, "float8_e5m2", "float8_e4m3fn") if narrow and family == "950" else whole


def _ascend_quant(third: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        family = chip_family()
        if family == "910" or (family == "950" and not third):
            return
        axes = (-1, -2) if third and family != "310P" else (-1,)
        for shape, kind, axis in product(_SHAPES, _kinds(narrow=third), axes):
            modes = ("round", "floor", "ceil", "trunc") if "int" in kind else ("round",)
            for number, mode in enumerate(modes):
                x = _values(shape, dtype, rng)
                per = (shape[axis],) if number % 2 == 0 else (1,)
                scale, offset = _factors(per, dtype, rng), _values(per, dtype, rng)
                twice, given = number == 3, number != 1
                wide = _wide(x)
                spread = [1] * len(shape)
                spread[axis] = -1
                for _ in range(1 + twice):
                    wide = wide * _wide(scale).reshape(spread)
                if given:
                    wide = wide + _wide(offset).reshape(spread)
                step = "rint" if mode == "round" else mode
                golden = _as_given(narrowed(wide, _of(kind), step), kind)
                inputs = (
                    Operand(x, LAYOUTS[number % len(LAYOUTS)]), Operand(scale),
                    Operand(offset) if given else None, twice, mode, _CODES[kind],
                )  # fmt: skip
                yield Case(f"{shape} {kind} {mode} axis {axis}", (*inputs, axis) if third else
                           inputs, (golden,))  # fmt: skip

    return cases


def _quantize(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    family = chip_family()
    if dtype == "bfloat16" and not has_bfloat16():
        return
    kinds = ["int8", "uint8", "int32"]
    if family == "950":
        kinds += ["float8_e5m2", "float8_e4m3fn"]
    for shape, kind, axis in product(_SHAPES, kinds, (0, -1, None)):
        x = _values(shape, dtype, rng)
        count = 1 if axis is None else shape[axis]
        scales = _factors((count,), dtype, rng)
        zeros = rng.integers(0, 9, count).astype(np.int32)
        kind_of_zero = "bfloat16" if dtype == "bfloat16" else "int32"
        spread = [1] * len(shape)
        spread[axis or 0] = -1
        wide = _wide(x) / _wide(scales).reshape(spread) + _wide(zeros).reshape(spread)
        inputs = (Operand(x), Operand(scales), Operand(zeros.astype(numpy_dtype(kind_of_zero))))
        yield Case(f"{shape} {kind} axis {axis}", (*inputs, numpy_dtype(kind), axis or 0),
                   (narrowed(wide, kind),))  # fmt: skip


def _anti_quant(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    family = chip_family()
    if family == "910" or (dtype == "bfloat16" and not has_bfloat16()):
        return
    kinds = ("int8", "int4", "int32") if family != "310P" else ("int8",)
    for shape, kind, twice, one in product(_SHAPES, kinds, (False, True), (False, True)):
        most = 128 if kind == "int8" else 8
        numbers = rng.integers(-most, most, shape)
        scale, offset = (f((1 if one else shape[-1],), "float32", rng) for f in (_factors, _values))
        golden = (numbers + (0 if one else offset.astype(np.float64))) * scale.astype(np.float64)
        golden = golden * scale if twice else golden
        x = in_words(numbers) if kind == "int32" else numbers.astype(numpy_dtype(kind))
        yield Case(
            f"{shape} {kind} twice {twice} one {one}",
            (Operand(x), Operand(scale), None if one else Operand(offset),
             27 if dtype == "bfloat16" else 1, twice),
            (golden,),
        )  # fmt: skip


def _group_quant(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() not in ("A2", "950") or (dtype == "bfloat16" and not has_bfloat16()):
        return
    for ends, kind in product(((3, 3, 9), (2,), (0, 5, 20, 33)), _kinds(narrow=False)):
        x = _values((ends[-1], 48), dtype, rng)
        scale, offset = _factors((len(ends), 48), dtype, rng), _values((1,), dtype, rng)
        group = np.searchsorted(ends, np.arange(ends[-1]), side="right")
        wide = _wide(x) * _wide(scale)[group] + _wide(offset)
        golden = _as_given(narrowed(wide, _of(kind)), kind)
        for index in ("int32", "int64"):
            groups = np.array(ends, dtype=index)
            yield Case(f"{ends} {kind} {index}", (Operand(x), Operand(scale), Operand(groups),
                       Operand(offset), _CODES[kind]), (golden,))  # fmt: skip


def _found(wide: Array, kind: str, *, sym: bool) -> tuple[Any, ...]:
    multiplies = chip_family() != "950"
    if sym:
        y, scale = symmetric(wide, _of(kind), multiplies=multiplies)
        return _as_given(y, kind), scale
    y, scale, offset = asymmetric(wide, _of(kind), multiplies=multiplies)
    return _as_given(y, kind), scale, offset


def _dynamic(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        family = chip_family()
        if (dtype == "bfloat16" and not has_bfloat16()) or (version > 2 and family != "950"):
            return
        kinds = ("int8",) if version == 1 else _kinds(narrow=True)
        for shape, kind, smooths in product(_SHAPES, kinds, (False, True)):
            x = _values(shape, dtype, rng)
            x[..., 0, :] *= 2
            smooth = _factors(shape[-1:], dtype, rng)
            wide = _wide(x) * _wide(smooth) if smooths else _wide(x)
            factors = Operand(smooth) if smooths else None
            label = f"{shape} {kind} smooth {smooths}"
            if version == 1:
                yield Case(label, (Operand(x), factors), _found(wide, kind, sym=True))
            elif version == 2:
                given = (Operand(x), factors, None, _CODES[kind])
                yield Case(label, given, _found(wide, kind, sym=False))
                yield Case(label, given, (*_found(wide, kind, sym=True), False),
                           out_dtypes=(kind, "float32", "float32"))  # fmt: skip
            else:
                more = () if version == 3 else (0.0,)
                for sym in (True, False):
                    golden = _found(wide, kind, sym=sym)
                    yield Case(
                        f"{label} {sym}",
                        (Operand(x), factors, None, _CODES[kind], sym, "pertoken", *more),
                        (*golden, None)[:3],
                    )  # fmt: skip
        if version > 2:
            yield from _other_modes(dtype, rng, () if version == 3 else (0.0,))
        if version == 2 and family in ("A2", "950"):
            yield from _experts(dtype, rng)

    return cases


def _other_modes(dtype: str, rng: np.random.Generator, more: tuple[float, ...]) -> Iterator[Case]:
    for shape, kind, sym in product(_SHAPES, ("int8", "float8_e4m3fn"), (True, False)):
        if shape[-2] == 1:
            continue  # a column of one has no span
        x = _values(shape, dtype, rng)
        smooth = _factors(shape[-1:], dtype, rng)
        wide = _wide(x) * _wide(smooth)
        y, *scales = _found(wide.reshape(1, -1), kind, sym=sym)
        inputs = (Operand(x), Operand(smooth), None, _CODES[kind], sym)
        yield Case(f"{shape} {kind} {sym} all", (*inputs, "pertensor", *more),
                   (y.reshape(shape), *scales, None)[:3])  # fmt: skip
        smooth = _factors(shape[-2:-1], dtype, rng)
        wide = np.swapaxes(_wide(x), -1, -2) * _wide(smooth)
        y, *scales = _found(wide, kind, sym=sym)
        inputs = (Operand(x), Operand(smooth), None, _CODES[kind], sym)
        yield Case(f"{shape} {kind} {sym} columns", (*inputs, "perchannel", *more),
                   (np.swapaxes(y, -1, -2), *scales, None)[:3])  # fmt: skip


def _experts(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    ends = np.array([2, 2, 7, 12], np.int32)
    x, smooth = _values((3, 4, 32), dtype, rng), _factors((4, 32), dtype, rng)
    group = np.searchsorted(ends, np.arange(12), side="right").reshape(3, 4)
    golden = _found(_wide(x) * _wide(smooth)[group], "int8", sym=False)
    yield Case("experts", (Operand(x), Operand(smooth), Operand(ends), 2), golden)


def _fake_quant(channels: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for shape, axis, enabled in product(_SHAPES, (0, -1), (1.0, 0.0)):
            if (channels and not enabled) or (enabled and not is_a2_or_late_950()):
                continue
            x = _values(shape, dtype, rng)
            count = shape[axis] if channels else 1
            spread = [1] * len(shape)
            spread[axis] = -1
            scale = _factors((count,), dtype, rng)
            for zero in ("int32", "float32") if channels else ("int32",):
                zeros = rng.integers(-3, 4, count).astype(zero)
                s, z = _wide(scale).reshape(spread), _wide(zeros).reshape(spread)
                scaled = _wide(x) * (np.float32(1) / s)
                number = np.rint(scaled) + z if zero == "int32" else np.rint(scaled + z)
                out = (np.clip(number, -2, 3) - z) * s
                mask = (number >= -2) & (number <= 3)
                golden = (out, mask) if enabled else (_wide(x), np.ones(shape, bool))
                inputs = (Operand(x), Operand(scale), Operand(zeros))
                which = (axis,) if channels else (enabled,)
                yield Case(f"{shape} axis {axis} {zero} {enabled}", (*inputs, *which, -2, 3),
                           golden)  # fmt: skip

    return cases


def _parameters(third: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() == "910":
            return
        points = (0, -0.0, 1e-40, 3e38, np.inf, 1 + 2**-11, 1 + 3 * 2**-11, 2**-126)
        edges = np.array(points, np.float32)
        for shape in ((1,), (1, 7), (8,), (300,)):
            scale = rng.normal(0, 3, shape).astype(dtype)
            scale = edges if shape == (8,) else scale
            offset = rng.uniform(-400, 400, shape).astype(dtype)
            for given, rounds in product((False, True), (0, 1) if third else (0,)):
                golden = quant_parameter(scale, offset if given else None, bool(rounds))
                inputs = (Operand(scale), Operand(offset) if given else None)
                yield Case(f"{shape} offset {given} {rounds}",
                           (*inputs, rounds) if third else inputs, (golden,))  # fmt: skip

    return cases


def _dequant_bias(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    weight = "float32" if dtype == "float16" else "bfloat16"
    code = 1 if dtype == "float16" else 27
    for (rows, columns), bias in product(((1, 1), (3, 40), (17, 1030)), (None, "int32", "float32")):
        x = rng.integers(-(2**16), 2**16, (rows, columns)).astype(np.int32)
        scale = (_factors((columns,), "float32", rng) / 2**14).astype(numpy_dtype(weight))
        by_row = _factors((rows,), "float32", rng)
        added = None if bias is None else rng.integers(-999, 999, columns).astype(bias)
        wide = np.zeros(columns) if added is None else added.astype(np.float64)
        golden = x + wide * (bias == "int32")
        golden = golden * scale.astype(np.float64) * by_row[:, None].astype(np.float64)
        golden = golden + wide * (bias == "float32")
        yield Case(
            f"{rows} {columns} {bias}",
            (Operand(x), Operand(scale), Operand(by_row),
             None if added is None else Operand(added), code), (golden,),
        )  # fmt: skip


SUITES = (
    Suite("ascend_quant", _FLOATS, _ascend_quant(third=False)),
    Suite("ascend_quant_v3", _FLOATS, _ascend_quant(third=True)),
    Suite("quantize", _FLOATS, _quantize),
    Suite("ascend_anti_quant", ("float16", "bfloat16"), _anti_quant),
    Suite("group_quant", _FLOATS, _group_quant),
    Suite("dynamic_quant", ("float16", "bfloat16"), _dynamic(1)),
    Suite("dynamic_quant_v2", ("float16", "bfloat16"), _dynamic(2)),
    Suite("dynamic_quant_v3", ("float16", "bfloat16"), _dynamic(3), chip=NEWEST),
    Suite("dynamic_quant_v4", ("float16", "bfloat16"), _dynamic(4), chip=NEWEST),
    Suite("fake_quant_per_channel_affine_cachemask", ("float32", "float16"), _fake_quant(True)),
    Suite("fake_quant_per_tensor_affine_cachemask", ("float32", "float16"), _fake_quant(False)),
    Suite("trans_quant_param_v2", ("float32",), _parameters(third=False)),
    Suite("trans_quant_param_v3", ("float32",), _parameters(third=True)),
    Suite("dequant_bias", ("float16", "bfloat16"), _dequant_bias),
)
