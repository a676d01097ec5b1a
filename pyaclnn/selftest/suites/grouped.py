"""Products of groups of rows: lists and tensors of all kinds, floats, int8, weights of few bits."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, chip_family
from pyaclnn.selftest.formulas.narrow import narrowed, quant_parameter
from pyaclnn.selftest.suites.creation import exact
from pyaclnn.selftest.suites.grouped_quant import (
    by_expert,
    in_halves,
    kept,
    packed_int4,
    scale_words,
    scales_of,
    with_int4,
)
from pyaclnn.selftest.suites.products_in_blocks import in_nz

_FLOATS = ("float32", "float16", "bfloat16")
_BLOCK = 16
_SIZES = ((3, 0, 5), (1, 1, 1), (0, 40, 2), (130, 7, 64))
_DEPTH, _COLUMNS = 20, 24

_ACTIVATIONS: tuple[Callable[[Array], Array], ...] = (
    lambda x: x,
    lambda x: np.maximum(x, 0),
    lambda x: np.asarray(x * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))),
    lambda x: x,
    lambda x: np.asarray(x / (1 + np.exp(-1.702 * x))),
    lambda x: np.asarray(x / (1 + np.exp(-x))),
)


def _drawn(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    """Return values of one sign, so that sums do not cancel."""
    return np.asarray(rng.uniform(0.1, 1.0, shape)).astype(numpy_dtype(dtype))


def _bias_type(dtype: str) -> str:
    return "float32" if dtype == "bfloat16" else dtype


class _Call:
    """Writes the arguments of one version of the operator."""

    def __init__(self, version: int) -> None:
        self.version = version

    def groups(self, sizes: tuple[int, ...], kind: int = 0) -> Any:
        """Return the list of groups, which later versions take as a tensor."""
        ends = [int(n) for n in np.cumsum(sizes)]
        if self.version <= 2:
            return ends
        pairs = sorted(enumerate(sizes), key=lambda pair: pair[1] == 0)
        numbers = (ends, list(sizes), pairs)[kind]
        return Operand(np.array(numbers, np.int64))

    def kinds(self) -> tuple[int, ...]:
        """Return the kinds of lists that this version and the chip have."""
        if self.version < 4:
            return (0,)
        return (0, 1, 2) if chip_family() == "A2" else (0, 1)

    def __call__(
        self, x: list[Operand], weight: list[Operand], groups: Any, split: int, kind: int,
        *, list_kind: int = 0, act: int = 0, **optional: Any,
    ) -> tuple[Any, ...]:  # fmt: skip
        names = ("bias", "scale", "offset", "anti_scale", "anti_offset")
        rest = [optional.get(name) for name in names]
        if self.version >= 4:
            rest += [optional.get("token_scale"), groups, None, None, None]
        else:
            rest.append(groups)
        numbers = [split, kind, list_kind, act][: 1 if self.version == 1 else 2]
        if self.version >= 4:
            numbers = [split, kind, list_kind, act]
        config = [None] if self.version == 5 else []
        return (x, weight, *rest, *numbers, *config)


def _outs(case: Case, version: int) -> Case:
    """Return a case of which later versions leave two outputs out."""
    if version < 4:
        return case
    return Case(case.label, case.inputs, (*case.golden, None, None), case.out_layouts * 3,
                case.out_dtypes * 3)  # fmt: skip


def _grouped(
    version: int, depth: int = _DEPTH, columns: int = _COLUMNS
) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    call = _Call(version)

    def floats(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for number, sizes in enumerate(_SIZES):
            x = _drawn((sum(sizes), depth), dtype, rng)
            w = [_drawn((depth, columns), dtype, rng) for _ in sizes]
            b = [_drawn((columns,), _bias_type(dtype), rng) for _ in sizes]
            bias = [Operand(v) for v in b] if number % 2 else None
            parts = np.split(exact(x), np.cumsum(sizes)[:-1])
            golden = [
                p @ exact(v) + (exact(s) if bias else 0)
                for p, v, s in zip(parts, w, b, strict=True)
            ]
            layout = ("contiguous", "transposed")[number % 2]
            weights = [Operand(v, layout) for v in w]
            whole = np.concatenate(golden)
            groups = call.groups(sizes)
            yield Case(f"{sizes} one x, weights",
                       call([Operand(x)], weights, groups, 3, 0, bias=bias),
                       ([whole],))  # fmt: skip
            each = [Operand(np.asarray(p).astype(x.dtype)) for p in parts]
            yield Case(f"{sizes} apart, one y", call(each, weights, groups, 2, 0, bias=bias),
                       ([whole],))  # fmt: skip
            # The first version takes no transposed weights here.
            own = [Operand(v) for v in w] if version == 1 else weights
            yield Case(f"{sizes} apart", call(each, own, None, 0, -1, bias=bias), (golden,))
            if version <= 2:
                yield Case(f"{sizes} many y", call([Operand(x)], weights, groups, 0, 0, bias=bias),
                           (golden,))  # fmt: skip
                continue
            one = [Operand(np.stack(w), "contiguous")]
            stacked = [Operand(np.stack(b))] if bias else None
            for kind in call.kinds():
                order = sorted(range(3), key=lambda i: sizes[i] == 0) if kind == 2 else range(3)
                starts = np.cumsum((0, *(sizes[i] for i in order)))
                rows = np.concatenate([
                    exact(x)[s : s + sizes[i]] @ exact(w[i]) + (exact(b[i]) if bias else 0)
                    for i, s in zip(order, starts, strict=False)
                ])  # fmt: skip
                yield Case(f"{sizes} stacked weights, list {kind}",
                           call([Operand(x)], one, call.groups(sizes, kind), 3, 0, list_kind=kind,
                                bias=stacked), ([rows],))  # fmt: skip

    def inner(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for sizes in _SIZES:
            x = _drawn((6, sum(sizes)), dtype, rng)
            w = _drawn((sum(sizes), columns), dtype, rng)
            ends = np.cumsum(sizes)[:-1]
            golden = [
                a @ b
                for a, b in zip(np.split(exact(x), ends, 1), np.split(exact(w), ends), strict=True)
            ]
            for kind in call.kinds()[:2]:
                yield Case(f"{sizes} of the inner axis, list {kind}",
                           call([Operand(x, "transposed")], [Operand(w)],
                                call.groups(sizes, kind), 2, 2, list_kind=kind),
                           ([np.stack(golden)],))  # fmt: skip
            parts = [Operand(p.copy()) for p in np.split(w, ends)]
            yield Case(f"{sizes} of the inner axis, apart",
                       call([Operand(x, "transposed")], parts, None, 0, 2), (golden,))  # fmt: skip

    def quantised_weight(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for sizes in _SIZES[:3]:
            x = _drawn((sum(sizes), depth), dtype, rng)
            w = rng.integers(0, 7, (3, depth, columns)).astype(np.int8)
            scale = np.asarray(2.0 ** rng.integers(-3, 1, (3, columns))).astype(x.dtype)
            shift = np.ones((3, columns)).astype(x.dtype)
            parts = np.split(exact(x), np.cumsum(sizes)[:-1])
            golden = np.concatenate([
                p @ ((exact(v) + 1) * exact(s)) for p, v, s in zip(parts, w, scale, strict=True)
            ])  # fmt: skip
            yield Case(f"{sizes} weights of int8",
                       call([Operand(x)], [Operand(v) for v in w], call.groups(sizes), 3, 0,
                            anti_scale=[Operand(v) for v in scale],
                            anti_offset=[Operand(v) for v in shift]), ([golden],))  # fmt: skip
            # Offsets are added in float16, which rounds, and in float32 beside bfloat16.
            shift = _drawn((3, columns), dtype, rng)
            wide = w.astype(np.float32) + exact(shift)[:, None].astype(np.float32)
            if dtype == "float16":
                wide = wide.astype(np.float16).astype(np.float32)
            wide = (wide * exact(scale)[:, None].astype(np.float32)).astype(x.dtype)
            golden = np.concatenate([p @ exact(v) for p, v in zip(parts, wide, strict=True)])
            yield Case(f"{sizes} weights of int8, drawn offsets",
                       call([Operand(x)], [Operand(v) for v in w], call.groups(sizes), 3, 0,
                            anti_scale=[Operand(v) for v in scale],
                            anti_offset=[Operand(v) for v in shift]), ([golden],))  # fmt: skip
            if version < 4:
                continue
            few = np.asarray(2.0 ** rng.integers(-3, 1, (3, 4, columns))).astype(x.dtype)
            golden = np.concatenate([
                p @ (exact(v) * np.repeat(exact(s), depth // 4, 0))
                for p, v, s in zip(parts, w, few, strict=True)
            ])  # fmt: skip
            packed = packed_int4(w), Operand(w.astype(ml_dtypes.int4))
            for weight in packed if chip_family() == "A2" else packed[1:]:
                yield Case(f"{sizes} weights of int4 as {weight.values.dtype}",
                           call([Operand(x)], [weight], call.groups(sizes), 3, 0,
                                anti_scale=[Operand(few)]), ([golden],))  # fmt: skip

    def int8(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for number, sizes in enumerate(_SIZES):
            x = rng.integers(-128, 128, (sum(sizes), depth)).astype(np.int8)
            w = rng.integers(-128, 128, (3, depth, columns)).astype(np.int8)
            b = rng.integers(-9999, 9999, (3, columns)).astype(np.int32)
            bias = [Operand(b)] if number % 2 else None
            sums = np.concatenate([
                p.astype(np.int64) @ v.astype(np.int64) + (s if bias else 0)
                for p, v, s in zip(np.split(x, np.cumsum(sizes)[:-1]), w, b, strict=True)
            ])  # fmt: skip
            groups = call.groups(sizes, 1)
            apart = [Operand(v) for v in w]
            yield Case(f"{sizes} sums of int8, weights",
                       call([Operand(x)], apart, groups, 3, 0, list_kind=1,
                            bias=[Operand(v) for v in b] if bias else None),
                       ([sums],), ("contiguous",), ("int32",))  # fmt: skip
            operands = [Operand(x)], [Operand(w, ("contiguous", "transposed")[number % 2])], groups
            yield Case(f"{sizes} sums of int8", call(*operands, 3, 0, list_kind=1, bias=bias),
                       ([sums],), ("contiguous",), ("int32",))  # fmt: skip
            # The 950 alone multiplies by float32 for bfloat16.
            of_floats = dtype != "bfloat16" or (number % 2 == 0 and chip_family() == "950")
            kind = "float32" if of_floats else "bfloat16"
            scale = (_drawn((3, columns), "float32", rng) / 4096).astype(numpy_dtype(kind))
            tokens = _drawn((sum(sizes),), "float32", rng)
            for act in (0, 1, 2, 4, 5):
                given = None if act == 1 else [Operand(tokens)]
                golden = sums * np.repeat(exact(scale), sizes, 0)
                golden = _ACTIVATIONS[act](golden * (1 if given is None else tokens[:, None]))
                yield Case(f"{sizes} int8, activation {act}",
                           call(*operands, 3, 0, list_kind=1, act=act, bias=bias,
                                scale=[Operand(scale)], token_scale=given),
                           ([golden],), ("contiguous",), (dtype,))  # fmt: skip

            if dtype != "float16":
                continue
            scale = _drawn((3, columns), "float32", rng) / 2**14
            shift = rng.integers(-300, 300, (3, columns))
            words = quant_parameter(scale, shift)
            factors = np.repeat((words & 0xFFFFFFFF).astype(np.uint32).view(np.float32), sizes, 0)
            wide = np.clip(np.rint(sums.astype(np.float32) * factors), -256, 255)
            wide = wide + np.repeat(np.clip(shift, -256, 255), sizes, 0)
            yield Case(f"{sizes} int8, scales and offsets of 64 bits",
                       call(*operands, 3, 0, list_kind=1, bias=bias, scale=[Operand(words)]),
                       ([narrowed(wide, "int8")],), ("contiguous",), ("int8",))  # fmt: skip

    def int4(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for sizes, parts in itertools.product(((3, 0, 5), (1, 1, 600)), (1, 2)):
            depth = 64
            w = rng.integers(-8, 8, (3, depth, columns)).astype(np.int8)
            scale = scales_of((3, parts, columns), rng)
            tokens = rng.uniform(0.5, 1.5, sum(sizes)).astype(np.float32)
            by_row = tokens[:, None]
            x = rng.integers(-128, 128, (sum(sizes), depth)).astype(np.int8)
            assist = 8 * (w * np.repeat(scale.astype(np.float64), depth // parts, 1)).sum(1)
            assist = assist.astype(np.float32)
            shared: dict[str, Any] = {"scale": [scale_words(scale, "uint64")]}
            golden = with_int4(x, w, scale, sizes, assist)
            yield Case(f"{sizes} int8 with int4 in {parts}",
                       call([Operand(x)], [packed_int4(w)], call.groups(sizes, 1), 3, 0,
                            list_kind=1, bias=[Operand(assist)], token_scale=[Operand(tokens)],
                            **shared),
                       ([golden * by_row],), ("contiguous",), (dtype,))  # fmt: skip
            apart = call([Operand(x)], [packed_int4(each) for each in w], call.groups(sizes, 1),
                         3, 0, list_kind=1, bias=[Operand(each) for each in assist],
                         scale=[scale_words(each, "uint64") for each in scale],
                         token_scale=[Operand(tokens)])  # fmt: skip
            yield Case(f"{sizes} int8 with int4 in {parts}, in a tensor for each expert", apart,
                       ([golden * by_row],), ("contiguous",), (dtype,))  # fmt: skip
            if dtype == "float16" and parts == 1:
                zeros = rng.uniform(0.1, 1.0, (3, 1, columns)).astype(np.float32) * scale
                more = x.sum(1, np.int64)[:, None] * np.repeat(zeros[:, 0], sizes, 0)
                yield Case(f"{sizes} int8 with int4 and offsets",
                           call([Operand(x)], [packed_int4(w)], call.groups(sizes, 1), 3, 0,
                                list_kind=1, bias=[Operand(assist)], offset=[Operand(zeros)],
                                token_scale=[Operand(by_row)], **shared),
                           ([(golden + more) * by_row],), ("contiguous",), (dtype,))  # fmt: skip
            few = rng.integers(-8, 8, (sum(sizes), depth)).astype(np.int8)
            golden = in_halves(few, w, scale, sizes)
            for given in (None, [Operand(tokens)]):
                yield Case(f"{sizes} int4 in {parts}, {'no ' * (given is None)}scales of rows",
                           call([packed_int4(few)], [Operand(w.astype(ml_dtypes.int4))],
                                call.groups(sizes), 3, 0, token_scale=given, **shared),
                           ([golden * (1 if given is None else by_row)],),
                           ("contiguous",), (dtype,))  # fmt: skip

    def narrow(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        """Yield products of float8 and float4, whose sums are exact."""
        experts, k, n = 3, 96, 64
        kinds = ("float8_e4m3fn", "float8_e5m2", "float4_e2m1fn")
        for kind, sizes, turned in itertools.product(kinds, _SIZES[:3], (False, True)):
            halves = kind == "float4_e2m1fn"
            if halves and turned:
                continue
            rows, expert_of = sum(sizes), np.repeat(np.arange(experts), sizes)
            x = rng.choice([-1.0, -0.5, 0.5, 1, 2], (rows, k))
            w = rng.choice([-1.0, 0, 1, 2], (experts, k, n))
            right = [Operand(w.astype(numpy_dtype(kind)), "transposed" if turned else "contiguous")]
            left = [Operand(x.astype(numpy_dtype(kind)))]
            powers = [2.0 ** rng.integers(-2, 2, s) for s in ((rows, 2, 2), (experts, 2, n, 2))]
            x_wide = x * powers[0].reshape(rows, -1).repeat(32, -1)[:, :k]
            by_depth = np.swapaxes(powers[1], -1, -2).reshape(experts, -1, n).repeat(32, 1)[:, :k]
            golden = by_expert(x_wide, w * by_depth, sizes)
            bias = rng.integers(-9, 10, (experts, n)).astype(np.float32)
            scales = [a.astype(numpy_dtype("float8_e8m0fnu")) for a in powers]
            yield Case(f"{sizes} {kind} turned {turned} in blocks",
                       call(left, right, call.groups(sizes, 1), 3, 0, list_kind=1,
                            bias=[Operand(bias)] if halves else None,
                            scale=[Operand(scales[1],
                                           "inner_exchanged" if turned else "contiguous")],
                            token_scale=[Operand(scales[0])]),
                       ([golden + (bias[expert_of] if halves else 0)],),
                       ("contiguous",), (dtype,))  # fmt: skip
            if halves:
                continue
            sums = by_expert(x, w, sizes)
            of_columns = scales_of((experts, n), rng)
            ways: tuple[tuple[Any, Array, Any, Array], ...] = (
                (scale_words(of_columns, "int64"), kept(of_columns), None, np.ones(rows)),
                (Operand(of_columns), of_columns, (rows,), rng.uniform(0.5, 1.5, rows)),
                (Operand(of_columns[:, :1]), of_columns[:, :1], (experts, 1),
                 rng.uniform(0.5, 1.5, experts)),
            )  # fmt: skip
            for number, (given, factors, shape, of_rows) in enumerate(ways):
                tokens = of_rows.astype(np.float32)
                each = tokens if shape != (experts, 1) else tokens[expert_of]
                yield Case(f"{sizes} {kind} turned {turned} way {number}",
                           call(left, right, call.groups(sizes), 3, 0, scale=[given],
                                token_scale=[Operand(tokens.reshape(shape))] if shape else None),
                           ([sums * factors.astype(np.float64)[expert_of] * each[:, None]],),
                           ("contiguous",), (dtype,))  # fmt: skip

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        family = chip_family()
        if family == "910" or (family == "310P" and (version < 3 or dtype != "float16")):
            return
        if family == "310P" and columns % _BLOCK:
            # It takes one tensor of each, and columns that fill blocks.
            wide = _grouped(version, depth, 2 * _BLOCK)
            yield from (case for case in wide(dtype, rng) if "stacked" in case.label)
            return
        parts = [floats]
        if version >= 2:
            parts.append(inner)
        if dtype != "float32" and family != "310P":
            parts.append(quantised_weight)
            if version >= 4:
                parts.append(int8)
                if family == "A2":
                    parts.append(int4)
        if family == "950" and version >= 4:
            parts.append(narrow)
        for part in parts:
            for case in part(dtype, rng):
                yield _outs(case, version)

    return cases


def _in_blocks(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "950":
        for case in _grouped(5)(dtype, rng):
            if "float8_e4m3fn turned False in blocks" in case.label:
                x, (weight,), *rest = case.inputs
                yield replace(case, inputs=(x, [in_nz(weight.values, False)], *rest, 0))
    if chip_family() != "A2":
        return
    # Blocks must be whole: of 16 by 16 halves, or 16 by 32 and 32 by 16 int8.
    for case in _grouped(5, 32, 64)(dtype, rng):
        x, weights, *rest = case.inputs
        group_type = rest[-4]
        if group_type == 2 or any(w.values.dtype.name in ("int4", "int32") for w in weights):
            continue
        blocked = [in_nz(w.values, w.layout == "transposed") for w in weights]
        yield replace(case, inputs=(x, blocked, *rest, 0))


def _added(version: int) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        newest = chip_family() == "950"
        if chip_family() not in ("A2", "950") or (version == 2 and not newest):
            return
        for number, sizes in enumerate((*_SIZES, (700, 1, 0))):
            x = _drawn((sum(sizes), 5), dtype, rng)
            w = _drawn((sum(sizes), _COLUMNS), dtype, rng)
            y = _drawn((3, 5, _COLUMNS), "float32", rng)
            ends = np.cumsum(sizes)
            parts = zip(np.split(exact(x), ends[:-1]), np.split(exact(w), ends[:-1]), strict=True)
            golden = y + np.stack([a.T @ b for a, b in parts])
            flat = number % 2 == 1 and not newest
            shape = (15, _COLUMNS) if flat else golden.shape
            numbers = sizes if version == 2 and number % 2 else tuple(int(n) for n in ends)
            kinds = (2, int(number % 2)) if version == 2 else (2,)
            layout = ("contiguous", "every_second")[number % 2]
            yield Case(f"{sizes} {layout}",
                       (Operand(x, layout), Operand(w, layout),
                        Operand(np.array(numbers, np.int64)), Operand(y.reshape(shape)), True,
                        False, *kinds),
                       (golden.reshape(shape),))  # fmt: skip

    return cases


SUITES: tuple[Suite, ...] = (
    *(Suite(f"grouped_matmul_v{version}", _FLOATS, _grouped(version)) for version in range(2, 6)),
    # The first version has no float32 on A2 and A3.
    Suite("grouped_matmul", _FLOATS[1:], _grouped(1)),
    Suite("grouped_matmul_weight_nz", _FLOATS[1:], _in_blocks),
    Suite("grouped_matmul_add", ("float16", "bfloat16"), _added(1)),
    Suite("grouped_matmul_add_v2", ("float16", "bfloat16"), _added(2), chip=NEWEST),
)
