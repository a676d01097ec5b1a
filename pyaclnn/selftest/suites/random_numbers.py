"""Random numbers against Philox 4x32-10 as its authors describe it, written down in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.layouts import LAYOUTS

FLOATS = ("float32", "float16", "bfloat16", "float64")
INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
SHAPES: tuple[tuple[int, ...], ...] = (
    (3, 5), (), (1,), (7,), (1025,), (2, 1, 2, 1, 2, 1, 2, 3), (300, 101), (0,), (2, 0, 4),
)  # fmt: skip
SEEDS = ((0, 0), (1, 0), (2**40 + 5, 12), (7, 2**35 + 4), (-3, 8))


def philox(counters: Array, key: int, rounds: int = 10) -> Array:
    """Return the four words of each counter of four words, all in uint64."""
    low = np.uint64(0xFFFFFFFF)
    c0, c1, c2, c3 = (counters[:, i] for i in range(4))
    k0, k1 = key & 0xFFFFFFFF, key >> 32 & 0xFFFFFFFF
    for _ in range(rounds):
        a, b = c0 * np.uint64(0xD2511F53), c2 * np.uint64(0xCD9E8D57)
        c0, c2 = (
            (b >> np.uint64(32)) ^ c1 ^ np.uint64(k0),
            (a >> np.uint64(32)) ^ c3 ^ np.uint64(k1),
        )
        c1, c3 = b & low, a & low
        k0, k1 = k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=1)


def words(count: int, seed: int, offset: int) -> Array:
    """Return the first words under a seed and an offset."""
    counters = np.zeros((-(-count // 4), 4), np.uint64)
    counters[:, 0] = np.arange(len(counters))
    counters[:, 2], counters[:, 3] = offset & 0xFFFFFFFF, offset >> 32 & 0xFFFFFFFF
    return np.asarray(philox(counters, seed).reshape(-1)[:count])


def fractions(count: int, seed: int, offset: int, bits: int = 23) -> Array:
    """Return numbers of [0, 1) with so many bits."""
    mask = np.uint64(2**bits - 1)
    return np.asarray((words(count, seed, offset) & mask).astype(np.float64) / 2**bits)


def _uniform(count: int, dtype: str, seed: int, offset: int, low: float, high: float) -> Array:
    bits = {"float16": 10, "bfloat16": 7}.get(dtype, 23)
    values = fractions(count, seed, offset, bits) * (high - low) + low
    return np.asarray(values if dtype in FLOATS else np.trunc(values))


def _normal(count: int, dtype: str, seed: int, offset: int, mean: float, std: float) -> Array:
    u = fractions(count + count % 2, seed, offset)
    radius = np.sqrt(-2 * np.log(np.maximum(u[::2], 1e-7)))
    angle = 2 * np.pi * u[1::2]
    pairs = np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=1)
    return np.asarray(pairs.reshape(-1)[:count] * std + mean)


def _integers(count: int, dtype: str, seed: int, offset: int, low: int, high: int) -> Array:
    """In float32, as CANN: where a number is close to an integer, its rounding decides."""
    u = fractions(count, seed, offset).astype(np.float32)
    first, last = np.float32(low), np.float32(high)
    values = np.minimum(u * last + (first - u * first), np.nextafter(last, first))
    return np.asarray(np.rint(values) != 0 if dtype == "bool" else np.trunc(values))


@dataclass(frozen=True)
class Generator:
    """The cases of one operator that fills a tensor.

    Attributes
    ----------
    formula : callable
        Its numbers, from count, dtype, seed, offset and its two parameters.
    parameters : tuple
        Pairs of these; the first for all shapes.
    tensors : bool
        Whether it takes seed and offset in tensors.
    """

    formula: Callable[..., Array]
    parameters: tuple[tuple[Any, Any], ...]
    tensors: bool

    def __call__(self, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        """Yield the cases."""
        if self.tensors and not has_bfloat16():
            return
        first = self.parameters[0]
        for shape in SHAPES if dtype == FLOATS[0] else SHAPES[:4]:
            yield self._case(f"shape {shape}", shape, dtype)
        for layout in LAYOUTS[1:]:
            yield self._case(layout, (6, 7), dtype, layout=layout)
        for seed, offset in SEEDS:
            yield self._case(f"seed {seed}, offset {offset}", (33,), dtype, first, seed, offset)
        for parameters in self.parameters[1:]:
            if dtype == "uint8" and parameters[0] < 0:
                continue
            yield self._case(f"parameters {parameters}", (9, 5), dtype, parameters)

    def _case(
        self, label: str, shape: tuple[int, ...], dtype: str,
        parameters: tuple[Any, Any] | None = None, seed: int = 42, offset: int = 4,
        layout: str = "contiguous",
    ) -> Case:  # fmt: skip
        low, high = parameters or self.parameters[0]
        count = int(np.prod(shape))
        golden = self.formula(count, dtype, seed, offset, low, high).reshape(shape)
        target = Operand(np.full(shape, 1).astype(numpy_dtype(dtype)), layout)
        if self.tensors:
            # The offset of the call is added to that in memory.
            numbers: tuple[Any, ...] = (
                Operand(np.array([seed], np.int64)), Operand(np.array([offset - 3], np.int64)), 3,
            )  # fmt: skip
        else:
            unsigned = self.formula is _uniform
            numbers = (seed % 2**64 if unsigned else seed, offset)
        return Case(label, (target, low, high, *numbers), (golden,))


def mask(count: int, seed: int, offset: int, drop: float) -> Array:
    """Return the bytes of a mask with a bit for each element, in multiples of 128 bits."""
    rounded = -(-count // 128) * 128
    u = words(rounded, seed, offset).astype(np.float32)
    u = u * np.float32(2.3283064e-10) + np.float32(1.1641532e-10)
    return np.packbits(u < np.float32(1 - drop), bitorder="little")


@dataclass(frozen=True)
class Mask:
    """The cases of an operator that makes masks."""

    typed: bool
    tensors: bool = False

    def __call__(self, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        """Yield the cases."""
        if self.tensors and not has_bfloat16():
            return
        for shape in ((3, 5), (1,), (128,), (129,), (300, 101), (2, 3, 4), (0, 3)):
            yield self._case(f"shape {shape}", shape)
        for drop in (0.0, 1.0, 0.1, 0.9):
            yield self._case(f"drop {drop}", (40, 50), drop)
        for seed, offset in SEEDS:
            yield self._case(f"seed {seed}, offset {offset}", (33,), 0.5, seed, offset)
        for layout in LAYOUTS[1:]:
            yield self._case(layout, (40,), layout=layout)
        if self.typed:
            for number in (1, 27):
                yield self._case(f"the probability in type {number}", (40,), dtype=number)

    def _case(
        self, label: str, shape: tuple[int, ...], drop: float = 0.5, seed: int = 42,
        offset: int = 4, dtype: int = 0, layout: str = "",
    ) -> Case:  # fmt: skip
        golden = mask(int(np.prod(shape)), seed, offset, drop)
        numbers: tuple[Any, ...] = (seed, offset)
        if self.tensors:
            numbers = (
                Operand(np.array([seed], np.int64)), Operand(np.array([offset - 3], np.int64)), 3,
            )  # fmt: skip
        typed = (dtype,) if self.typed else ()
        inputs = (shape, drop, *numbers, *typed)
        views = (layout,) if layout else ()
        return Case(label, inputs, (golden,), views, ("uint8",) if views else ())


def _do_mask(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, shape: tuple[int, ...], drop: float = 0.5, layout: str = "contiguous",
        out: str = "",
    ) -> Case:  # fmt: skip
        values = rng.normal(size=shape).astype(numpy_dtype(dtype))
        count = int(np.prod(shape))
        bits = rng.integers(0, 256, -(-count // 128) * 16).astype(np.uint8)
        # All are kept, or none is, whatever the mask says, where nothing or all is dropped.
        if drop in (0.0, 1.0):
            bits[:] = 255 if drop == 0 else 0
        kept = np.unpackbits(bits, bitorder="little")[:count].reshape(shape).astype(bool)
        exact = values.astype(np.float64) / (np.float64(np.float32(1 - drop)) or 1)
        golden = np.where(kept, exact, 0)
        inputs = (Operand(values, layout), Operand(bits), drop)
        return Case(label, inputs, (golden,), (out,) if out else ())

    for shape in SHAPES:
        yield case(f"shape {shape}", shape)
    for drop in (0.0, 1.0, 0.25, 0.9):
        yield case(f"drop {drop}", (40, 50), drop)
    for layout in LAYOUTS[1:]:
        yield case(layout, (6, 7), layout=layout)
        yield case(f"result {layout}", (6, 7), out=layout)


def _dropout(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, shape: tuple[int, ...], drop: float = 0.5, train: bool = True,
        seed: int = 42, offset: int = 4, layout: str = "contiguous", out: str = "",
    ) -> Case:  # fmt: skip
        values = rng.normal(size=shape).astype(numpy_dtype(dtype))
        count = int(np.prod(shape))
        bits = mask(count, seed, offset, drop)
        kept = np.unpackbits(bits, bitorder="little")[:count].reshape(shape).astype(bool)
        exact = values.astype(np.float64)
        if not train or drop == 0:
            golden, written = exact, None
        elif drop == 1:
            golden, written = np.zeros(shape), None
        else:
            golden, written = np.where(kept, exact / np.float64(np.float32(1 - drop)), 0), bits
        views = (out, "contiguous") if out else ()
        types = (dtype, "uint8") if out else ()
        inputs = (Operand(values, layout), drop, train, seed, offset)
        return Case(label, inputs, (golden, written if count else None), views, types)

    for shape in SHAPES:
        yield case(f"shape {shape}", shape)
    for drop in (0.0, 1.0, 0.25, 0.9):
        for train in (True, False):
            yield case(f"drop {drop}, training {train}", (40, 50), drop, train)
    for seed, offset in SEEDS:
        yield case(f"seed {seed}, offset {offset}", (33,), 0.5, True, seed, offset)
    for layout in LAYOUTS[1:]:
        yield case(layout, (6, 7), layout=layout)
        yield case(f"result {layout}", (6, 7), out=layout)


def _permutation(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if dtype == "bfloat16" and not has_bfloat16():
        return
    # No more than a type holds.
    most = {"int8": 100, "uint8": 200, "bfloat16": 200, "float16": 2000}.get(dtype, 5000)

    def case(count: int, seed: int = 42, offset: int = 4, layout: str = "contiguous") -> Case:
        drawn = words(2 * count, seed, offset).reshape(count, 2)
        golden = np.argsort(drawn[:, 0] << np.uint64(32) | drawn[:, 1], kind="stable")
        label = f"{count} numbers, seed {seed}, offset {offset}, {layout}"
        return Case(label, (count, seed, offset), (golden,), (layout,), (dtype,))

    for count in (5, 1, 2, 33, 100, 0, most):
        yield case(count)
    for seed, offset in SEEDS:
        yield case(64, seed, offset)
    for layout in LAYOUTS[1:]:
        yield case(40, layout=layout)


@dataclass(frozen=True)
class Normal:
    """The cases of an operator with mean and deviation by value, or in tensors."""

    mean: bool
    std: bool

    def __call__(self, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        """Yield the cases."""
        for shape in SHAPES[:-2] if self.std else SHAPES:
            yield self._case(f"shape {shape}", shape, dtype, rng)
        for layout in LAYOUTS[1:]:
            yield self._case(layout, (6, 7), dtype, rng, layout=layout)
            yield self._case(f"result {layout}", (6, 7), dtype, rng, out=layout)
        for seed, offset in SEEDS:
            yield self._case(f"seed {seed}, offset {offset}", (33,), dtype, rng, seed, offset)
        if self.mean and self.std:
            yield self._case("a deviation for all", (4, 5), dtype, rng, widths=(1,))
        elif self.mean:
            yield self._case("a mean for all", (4, 5), dtype, rng, means=(1, 5))

    def _case(
        self, label: str, shape: tuple[int, ...], dtype: str, rng: np.random.Generator,
        seed: int = 42, offset: int = 4, layout: str = "contiguous", out: str = "",
        means: tuple[int, ...] | None = None, widths: tuple[int, ...] | None = None,
    ) -> Case:  # fmt: skip
        kind = numpy_dtype(dtype)
        at: Any = rng.uniform(20, 30, shape if means is None else means).astype(kind)
        by: Any = rng.uniform(0.5, 2, shape if widths is None else widths).astype(kind)
        mean, std = (at if self.mean else 20.0), (by if self.std else 1.5)
        count = int(np.prod(shape))
        drawn = _normal(count, dtype, seed, offset, 0, 1).reshape(shape)
        wide = [np.asarray(x).astype(np.float64) for x in (mean, std)]
        golden = np.broadcast_to(drawn * wide[1] + wide[0], shape)
        given = tuple(Operand(x, layout) if isinstance(x, np.ndarray) else x for x in (mean, std))
        passed = out or means is not None or not (self.mean or self.std)
        return Case(
            label, (*given, seed, offset), (golden,), (out or "contiguous",) if passed else (),
            (dtype,) if passed else (),
        )  # fmt: skip


@dataclass(frozen=True)
class Bernoulli:
    """The cases of an operator that gives 0 and 1, with one probability or with several."""

    tensor: bool
    in_place: bool

    def __call__(self, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        """Yield the cases."""
        if dtype == "bfloat16" and not has_bfloat16():
            return
        for shape in SHAPES if dtype == FLOATS[0] else SHAPES[:4]:
            yield self._case(f"shape {shape}", shape, dtype, rng)
        for layout in LAYOUTS[1:]:
            yield self._case(layout, (6, 7), dtype, rng, layout=layout)
        for seed, offset in SEEDS:
            yield self._case(f"seed {seed}, offset {offset}", (33,), dtype, rng, seed, offset)
        for limit in (0.0, 1.0, 0.25):
            yield self._case(f"probability {limit}", (33,), dtype, rng, limit=limit)

    def _case(
        self, label: str, shape: tuple[int, ...], dtype: str, rng: np.random.Generator,
        seed: int = 42, offset: int = 4, layout: str = "contiguous", limit: float | None = None,
    ) -> Case:  # fmt: skip
        count = int(np.prod(shape))
        u = words(count, seed, offset).astype(np.float32)
        u = (u * np.float32(2.3283064e-10) + np.float32(1.1641532e-10)).reshape(shape)
        prob: Any = 0.5 if limit is None else limit
        if self.tensor:
            size = shape if limit is None else (1,)
            prob = rng.uniform(0, 1, size) if limit is None else np.full(size, limit)
            prob = prob.astype(np.float32)
        golden = (u <= (prob if self.tensor else np.float32(prob))).astype(np.int64)
        target = Operand(np.full(shape, 1).astype(numpy_dtype(dtype)), layout)
        given = Operand(prob, layout if limit is None else "contiguous") if self.tensor else prob
        views = () if self.in_place or layout == "contiguous" else (layout,)
        return Case(label, (target, given, seed, offset), (golden,), views)


_LIMITS = ((1.0, 3.0), (-2.5, 4.0), (0.0, 1.0), (5.0, 5.0))
_NORMALS = ((10.0, 2.0), (20.0, 0.5), (3.0, 0.0))
_RANGES = ((0, 100), (-50, 50), (3, 4), (10, 127))


def _pair(
    name: str, dtypes: tuple[str, ...], formula: Callable[..., Array],
    parameters: tuple[tuple[Any, Any], ...],
) -> tuple[Suite, Suite]:  # fmt: skip
    return (
        Suite(name, dtypes, Generator(formula, parameters, False)),
        Suite(name + "_tensor", dtypes, Generator(formula, parameters, True)),
    )  # fmt: skip


SUITES = (
    *_pair("inplace_uniform", (*FLOATS, *INTEGERS), _uniform, _LIMITS),
    *_pair("inplace_normal", FLOATS, _normal, _NORMALS),
    *_pair("inplace_random", (*FLOATS, *INTEGERS, "bool"), _integers, _RANGES),
    *(
        Suite(f"normal_{name.lower()}", ("float32", "float16", "float64"), Normal(mean, std))
        for name, mean, std in (("Float_Float", False, False), ("Tensor_Float", True, False),
                                ("Float_Tensor", False, True), ("Tensor_Tensor", True, True))
    ),
    *(
        Suite(f"{place.lower()}{'_' if place else ''}bernoulli{'_tensor' if tensor else ''}",
              ("float32", "float16", "bfloat16", "float64", *INTEGERS, "bool"),
              Bernoulli(tensor, bool(place)))
        for place in ("", "Inplace") for tensor in (False, True)
    ),
    Suite("dropout_gen_mask", ("uint8",), Mask(False)),
    Suite("dropout_gen_mask_v2", ("uint8",), Mask(True)),
    Suite("dropout_gen_mask_v2_tensor", ("uint8",), Mask(True, True)),
    Suite("dropout", ("float32", "float16"), _dropout),
    Suite("randperm", ("int64", *FLOATS, *INTEGERS[:-1]), _permutation),
    Suite("dropout_do_mask", ("float32", "float16", "bfloat16"), _do_mask),
)  # fmt: skip
