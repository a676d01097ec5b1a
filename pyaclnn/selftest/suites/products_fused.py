"""Matrix products with something done to their operands or result on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import erf

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact
from pyaclnn.selftest.suites.products import values_of

Shape = tuple[int, ...]

_FLOATS = ("float32", "float16", "bfloat16")
_KEEP, _HFLOAT32 = 0, 3


def _gelu_erf(x: Array) -> Array:
    return np.asarray(x * 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2))))


def _gelu_tanh(x: Array) -> Array:
    return np.asarray(x * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))))


#: fusedOpType -> what is made of the sums and the third operand.
_FUSED: dict[str, Callable[[Array, Array], Array]] = {
    "": lambda sums, third: sums,
    "relu": lambda sums, third: np.maximum(sums, 0),
    "add": np.add,
    "mul": np.multiply,
    "gelu_erf": lambda sums, third: _gelu_erf(sums),
    "gelu_tanh": lambda sums, third: _gelu_tanh(sums),
}


def _fused(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(kind: str, left: Shape, right: Shape, layout: str = "contiguous") -> Case:
        a, b = values_of(left, dtype, rng), values_of(right, dtype, rng)
        if kind == "relu":
            a = -a
        shape = (*left[:-1], right[-1])
        # Beside products below zero it would cancel.
        has_bias = kind in ("", "add", "mul") and layout == "contiguous"
        bias = values_of(shape[-1:], dtype, rng) if has_bias else None
        third = values_of(shape, dtype, rng) if kind in ("add", "mul") else None
        sums = exact(a) @ exact(b) + (0 if bias is None else exact(bias))
        with_third = np.zeros(shape) if third is None else exact(third)
        golden = _FUSED[kind](sums, with_third)
        optional = [None if v is None else Operand(v, layout) for v in (bias, third)]
        math = _HFLOAT32 if dtype == "float32" else _KEEP
        inputs = (Operand(a, layout), Operand(b, layout), *optional, kind, math)
        outs = () if layout == "contiguous" else (layout,)
        return Case(f"{kind} {left} {layout}", inputs, (np.asarray(golden),), outs)

    kinds = ["", "relu", "add", "mul"] + ([] if dtype == "float32" else ["gelu_erf", "gelu_tanh"])
    # hfloat32 takes operands with 11 bits: these are exact in it.
    for kind in kinds:
        for left, right in (((3, 4), (4, 5)), ((2, 3, 8), (2, 8, 6)), ((33, 20), (20, 40))):
            yield case(kind, left, right)
    for layout in LAYOUTS[1:]:
        yield case("add", (4, 6), (6, 5), layout)


def _transposed(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() not in ("A2", "950"):
        return
    turned = (False, True) if chip_family() == "950" else (False,)
    for swapped, turns, parts in product((False, True), turned, (1, 2, 4)):
        for batch, rows, depth, columns in ((4, 3, 16, 32), (8, 20, 48, 16)):
            for layout in LAYOUTS if (batch, parts) == (4, 2) else LAYOUTS[:1]:
                a = values_of((batch, rows, depth), dtype, rng)
                b = values_of((batch, depth, columns), dtype, rng)
                whole = exact(a) @ exact(b)
                split = whole.reshape(parts, batch // parts, rows, columns)
                golden = split.transpose(0, 2, 1, 3).reshape(parts, rows, -1)
                if parts == 1:
                    golden = whole.transpose(1, 0, 2)
                left = a.transpose(1, 0, 2).copy() if swapped else a
                right = b.transpose(0, 2, 1).copy() if turns else b
                orders = ((1, 0, 2) if swapped else (0, 1, 2),
                          (0, 2, 1) if turns else (0, 1, 2), (1, 0, 2))  # fmt: skip
                inputs = (Operand(left, layout), Operand(right, layout), None, None, *orders,
                          _KEEP, parts)  # fmt: skip
                outs = () if layout == "contiguous" else (layout,)
                label = f"{orders} {parts} {batch} {layout}"
                yield Case(label, inputs, (golden,), outs)


def _einsum(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if dtype == "float32" and chip_family() != "A2":
        return  # which is computed in float16, where it is allowed at all
    kind = numpy_dtype(dtype)
    for (equation, first, second), layout in product(
        (("a,b->ab", (3,), (5,)), ("x,y->xy", (0,), (4,)),
         ("abcd,abced->abce", (2, 3, 4, 5), (2, 3, 4, 6, 5)),
         ("qrst,qrsut->qrsu", (1, 2, 1, 33), (1, 2, 1, 7, 33))),
        LAYOUTS,
    ):  # fmt: skip
        if 0 in first and layout != "contiguous":
            continue
        a, b = values_of(first, dtype, rng), values_of(second, dtype, rng)
        golden = np.einsum(equation, exact(a), exact(b))
        golden = golden.astype(kind) if kind.kind in "iu" else golden
        operands = [Operand(a, layout), Operand(b, layout)]
        outs = () if layout == "contiguous" else (layout,)
        yield Case(f"{equation} {layout}", (operands, equation), (golden,), outs)


def _add_lora(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() not in ("310P", "A2"):
        return

    def case(sizes: Shape, begin: int, count: int, with_a: bool, layout: str) -> Case:
        rows, inside, whole, weights, layers, rank = sizes
        layer = layers - 1
        y = values_of((rows, whole), dtype, rng)
        x = values_of((rows, inside if with_a else rank), dtype, rng)
        b = values_of((weights, layers, count, rank), dtype, rng)
        a = values_of((weights, layers, rank, inside), dtype, rng)
        indices = rng.integers(0, weights, rows).astype(np.int32)
        indices[0] = -1
        golden = exact(y).copy()
        for i, weight in enumerate(indices):
            if weight >= 0:
                inner = exact(a)[weight, layer] @ exact(x)[i] if with_a else exact(x)[i]
                added = exact(b)[weight, layer] @ inner * 0.25
                golden[i, begin : begin + count] += added
        tensors = (y, x, b, indices, a)
        operands = [Operand(v, layout) for v in tensors[: 5 if with_a else 4]]
        inputs = (*operands, *(() if with_a else (None,)), layer, 0.25, begin, count)
        outs = () if layout == "contiguous" else (layout,)
        return Case(f"{sizes} {begin} {with_a} {layout}", inputs, (golden,), outs)

    for with_a in (True, False):
        yield case((3, 32, 48, 2, 3, 16), 16, 32, with_a, "contiguous")
        yield case((9, 16, 64, 4, 1, 32), 0, 64, with_a, "contiguous")
    for layout in LAYOUTS[1:]:
        yield case((4, 16, 32, 3, 2, 16), 0, 16, True, layout)


_EINSUM = ("float32", "float16", "int16", "int32", "int64")

SUITES: tuple[Suite, ...] = (
    Suite("fused_matmul", _FLOATS, _fused, chip="Ascend910_95"),
    Suite("transpose_batch_mat_mul", _FLOATS, _transposed),
    Suite("einsum", _EINSUM, _einsum),
    Suite("add_lora", ("float16",), _add_lora),
)
