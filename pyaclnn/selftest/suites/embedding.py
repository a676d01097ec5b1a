"""Gradients of look-ups, masks and sums over groups: float64 references and their cases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import EMPTY_SHAPES, SHAPES, Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_950_kernels, is_a2_or_a3, is_a2_or_late_950
from pyaclnn.selftest.layouts import LAYOUTS

FLOATS = ("float32", "float16", "bfloat16")

#: What an unsigned parameter takes for "no padding index".
NO_PADDING = 2**64 - 1


def embedding_dense_backward(
    grad: Array, indices: Array, count: int, padding: int, by_frequency: bool
) -> Array:
    """Sum the rows of each index (torch.nn.functional.embedding)."""
    rows = grad.reshape(-1, grad.shape[-1])
    flat = indices.reshape(-1).astype(np.int64)
    out = np.zeros((count, grad.shape[-1]))
    np.add.at(out, flat, rows)
    if by_frequency:
        out /= np.maximum(np.bincount(flat, minlength=count), 1)[:, None]
    if padding < count:
        out[padding] = 0
    return out


def _embedding(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, rows: tuple[int, ...], columns: int, count: int, padding: int = NO_PADDING,
        by_frequency: bool = False, index_dtype: str = "int64", layouts: tuple[str, str] = ("", ""),
        out: str = "",
    ) -> Case:  # fmt: skip
        # Of one sign: sums that cancel would measure the input's rounding.
        grad = rng.uniform(0.5, 1.5, (*rows, columns)).astype(kind)
        indices = rng.integers(0, 2 if index_dtype == "bool" else count, rows).astype(index_dtype)
        golden = embedding_dense_backward(
            grad.astype(np.float64), indices, count, padding, by_frequency
        )
        first, second = (layout or "contiguous" for layout in layouts)
        inputs = (Operand(grad, first), Operand(indices, second), count, padding, by_frequency)
        return Case(label, inputs, (golden,), (out,) if out else ())

    for rows, columns, count in (
        ((1,), 1, 1), ((7,), 3, 4), ((2, 3), 5, 10), ((64,), 16, 8), ((5, 1, 6), 33, 7),
        ((100,), 512, 30), ((9,), 1025, 3), ((3000,), 4, 50), ((2, 2, 2, 2, 2, 2, 2), 3, 5),
        ((40,), 64, 4000), ((1000,), 700, 2),
    ):  # fmt: skip
        for by_frequency in (False, True):
            label = f"{rows} × {columns} → {count}, by frequency {by_frequency}"
            yield case(label, rows, columns, count, by_frequency=by_frequency)
    for padding in (0, 3, 9, 2**40):
        yield case(f"padding {padding}", (50,), 6, 10, padding, True)
    for index_dtype in ("int8", "uint8", "int16", "int32", "bool", "float16", "float32", "float64"):
        yield case(f"indices {index_dtype}", (8, 4), 9, 11, index_dtype=index_dtype)
    for layout in LAYOUTS[1:]:
        yield case(f"{layout} grad", (6, 4), 10, 5, layouts=(layout, ""))
        yield case(f"{layout} indices", (6, 4), 10, 5, layouts=("", layout))
        yield case(f"{layout} output", (6, 4), 10, 5, out=layout)
    for rows in ((0,), (2, 0)):
        # Without rows the result is zeros, not what was there.
        empty = (Operand(np.zeros((*rows, 3), kind)), Operand(np.zeros(rows, np.int64)))
        yield Case(f"no rows {rows}", (*empty, 4, NO_PADDING, False), (np.zeros((4, 3)),))


def mask_bits(mask: Array, shape: tuple[int, ...]) -> Array:
    """Bit i % 8 of byte i // 8, for each element i."""
    count = int(np.prod(shape, dtype=np.int64))
    bits = np.unpackbits(mask.reshape(-1), bitorder="little")[:count]
    return np.asarray(bits.reshape(shape).astype(bool))


def dropout_backward(grad: Array, mask: Array, scale: float) -> Array:
    """Gradient times scale where the bit is set (torch.nn.functional.dropout)."""
    if scale == 0:
        return np.zeros(grad.shape)
    if scale == 1:
        return grad
    return np.where(mask_bits(mask, grad.shape), grad * scale, 0.0)


def _dropout_cases(
    dtype: str, rng: np.random.Generator, scales: tuple[float, ...]
) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, shape: tuple[int, ...], scale: float, layout: str = "contiguous",
        mask_layout: str = "contiguous", out: str = "",
    ) -> Case:  # fmt: skip
        grad = rng.normal(0.0, 1.0, shape).astype(kind)
        bytes_needed = (grad.size + 127) // 128 * 16
        mask = rng.integers(0, 256, (bytes_needed,)).astype(np.uint8)
        exact = grad.astype(np.float64)
        golden = np.where(mask_bits(mask, shape), exact * scale, 0.0)
        if scales[0] == 0:
            golden = dropout_backward(exact, mask, scale)
        inputs = (Operand(grad, layout), Operand(mask, mask_layout), scale)
        return Case(label, inputs, (golden,), (out,) if out else ())

    for shape in (*SHAPES, *EMPTY_SHAPES):
        yield case(f"shape {shape}", shape, 2.0)
    for scale in scales:
        yield case(f"scale {scale}", (41, 29), scale)
    for layout in LAYOUTS[1:]:
        yield case(f"{layout} grad", (6, 7, 10), 1.25, layout)
        yield case(f"{layout} output", (6, 7, 10), 1.25, out=layout)
        yield case(f"{layout} both", (6, 7, 10), 1.25, layout, out=layout)
    for layout in ("every_second", "offset"):
        yield case(f"{layout} mask", (6, 7, 10), 4.0, mask_layout=layout)


def _dropout(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _dropout_cases(dtype, rng, (0.0, 1.0, 1.25, 1.0 / 0.9, 10.0, 1000.0))


def _dropout_v3(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if has_950_kernels():
        yield from _dropout_cases(dtype, rng, (-2.0, 0.0, 0.5, 1.0, 1.0 / 0.9, 10.0))


def grouped_bias_add_grad(grad: Array, ends: Array | None) -> Array:
    """Sum each group's rows; without ends the groups are the first dimension."""
    if ends is None:
        return np.asarray(grad.sum(axis=1))
    starts = np.concatenate([[0], ends[:-1]])
    return np.stack([grad[a:b].sum(axis=0) for a, b in zip(starts, ends, strict=True)])


def _grouped(version: int, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def values(shape: tuple[int, ...]) -> Array:
        return np.asarray(rng.uniform(0.5, 1.5, shape)).astype(kind)

    def case(
        label: str, sizes: list[int], columns: int, index_dtype: str = "int64",
        by_size: bool = False, layout: str = "contiguous", out: str = "",
    ) -> Case:  # fmt: skip
        grad = values((sum(sizes), columns))
        ends = np.cumsum(sizes)
        golden = grouped_bias_add_grad(grad.astype(np.float64), ends)
        groups = (np.array(sizes) if by_size else ends).astype(index_dtype)
        extra = (int(by_size),) if version == 2 else ()
        inputs = (Operand(grad, layout), Operand(groups, layout), *extra)
        return Case(label, inputs, (golden,), (out,) if out else ())

    if not is_a2_or_late_950():
        return
    extra = (0,) if version == 2 else ()
    for shape in ((1, 1, 1), (3, 4, 5), (10, 100, 30), (2, 3000, 17), (1, 7, 1025), (64, 1, 8)):
        grad = values(shape)
        golden = grouped_bias_add_grad(grad.astype(np.float64), None)
        yield Case(f"no groups {shape}", (Operand(grad), None, *extra), (golden,))
    for sizes, columns in (
        ([1], 1), ([4, 2, 4], 30), ([0, 5, 0, 3, 0], 7), ([400, 200, 400], 33), ([9], 4099),
        ([5000], 3), ([1] * 300, 2), ([3] * 2048, 4), ([10000, 1], 16),
    ):  # fmt: skip
        for index_dtype in ("int32", "int64"):
            for by_size in (False, True)[:version]:
                label = f"{len(sizes)} groups of {sum(sizes)} × {columns} {index_dtype} {by_size}"
                yield case(label, sizes, columns, index_dtype, by_size)
    for layout in LAYOUTS[1:]:
        yield case(f"{layout} inputs", [3, 5, 2], 12, layout=layout)
        yield case(f"{layout} output", [3, 5, 2], 12, out=layout)
    empty = np.zeros((0, 4, 5), kind)
    yield Case("no groups at all", (Operand(empty), None, *extra), (np.zeros((0, 5)),))


def _grouped_v1(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _grouped(1, dtype, rng)


def _grouped_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _grouped(2, dtype, rng)


def exp_segsum_backward(grad: Array, value: Array) -> Array:
    """Follow the nine steps of the operator's document, one by one."""
    product = np.tril(grad * value, -1)
    summed = np.flip(np.cumsum(np.flip(product, -2), axis=-2), -2)
    return np.asarray(np.tril(summed, -1).sum(axis=-1))


def _exp_segsum(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, batch: tuple[int, ...], length: int,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: str = "",
    ) -> Case:  # fmt: skip
        shape = (*batch, length, length)
        grad = rng.uniform(0.25, 1.0, shape).astype(kind)
        value = np.exp(rng.uniform(-2.0, 0.0, shape)).astype(kind)
        golden = exp_segsum_backward(grad.astype(np.float64), value.astype(np.float64))
        inputs = (Operand(grad, layouts[0]), Operand(value, layouts[1]))
        return Case(label, inputs, (golden,), (out,) if out else ())

    if not is_a2_or_a3():
        return
    for batch in ((1, 1), (2, 3), (1, 1, 1), (2, 3, 2)):
        for length in (1, 2, 4, 7, 8, 33, 128):
            yield case(f"{batch} × {length}", batch, length)
    for layout in LAYOUTS[1:]:
        yield case(f"{layout} grad", (2, 3), 6, (layout, "contiguous"))
        yield case(f"{layout} value", (2, 3), 6, ("contiguous", layout))
        yield case(f"{layout} output", (2, 3), 6, out=layout)
    for batch in ((0, 2), (2, 0, 1)):
        yield case(f"empty {batch}", batch, 4)


SUITES = (
    Suite("embedding_dense_backward", FLOATS, _embedding),
    Suite("dropout_backward", FLOATS, _dropout),
    Suite("dropout_v3_grad", FLOATS, _dropout_v3, chip="Ascend910_95"),
    Suite("grouped_bias_add_grad", FLOATS, _grouped_v1),
    Suite("grouped_bias_add_grad_v2", FLOATS, _grouped_v2),
    Suite("exp_segsum_backward", FLOATS, _exp_segsum),
)
