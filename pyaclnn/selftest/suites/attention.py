"""Attention by its definition, and cases of it with biases, masks and lengths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, numpy_dtype
from pyaclnn.selftest.layouts import LAYOUTS

#: More tokens than any sequence has.
_ENDLESS = 2**31 - 1


def attention(
    query: Array, key: Array, value: Array, scale: float, bias: Array | None, unseen: Array
) -> tuple[Array, Array]:
    """Return softmax(scale q kᵀ + bias) v and the logarithm of the sum of powers; [B, N, S, D]."""
    group = query.shape[1] // key.shape[1]
    scores = query @ np.repeat(key, group, 1).swapaxes(-1, -2) * scale
    scores = np.where(unseen, -np.inf, scores if bias is None else scores + bias)
    largest = scores.max(-1, keepdims=True)
    power = np.exp(scores - largest)
    total = power.sum(-1, keepdims=True)
    return power / total @ np.repeat(value, group, 1), np.log(total) + largest


def _laid_out(x: Array, layout: str) -> Array:
    """Return [B, N, S, D] as a layout has it."""
    if layout == "BNSD":
        return x
    turned = np.ascontiguousarray(x.swapaxes(1, 2))
    return turned if layout == "BSND" else turned.reshape(*turned.shape[:2], -1)


def _mask(unseen: Array, kind: str) -> Array:
    return np.asarray(unseen).astype(numpy_dtype(kind))


def plain_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Return cases of the second version, by position, and in views."""

    def case(
        label: str, sizes: tuple[int, ...], layout: str = "BNSD", *, key_heads: int = 0,
        bias: tuple[int, ...] = (), mask: tuple[int, ...] = (), kind: str = "bool", sparse: int = 0,
        lengths: tuple[int, ...] | None = None, precise: int = 0, lse: bool = False,
        where: tuple[str, ...] = ("contiguous",) * 5, **options: Any,
    ) -> Case:  # fmt: skip
        b, n, rows, columns, depth = sizes
        m = key_heads or n
        drawn = [
            np.asarray(rng.normal(0, 1, s)).astype(numpy_dtype(dtype))
            for s in ((b, n, rows, depth), (b, m, columns, depth), (b, m, columns, depth))
        ]
        # Values of one sign: what cancels measures the order of a sum.
        drawn[2] = np.abs(drawn[2]) + np.asarray(0.5, drawn[2].dtype)
        q, k, v = (x.astype(np.float64) for x in drawn)
        unseen = np.zeros((b, n, rows, columns), bool)
        masked: Operand | None = None
        if mask:
            given = rng.random(mask) < 0.3
            given[..., 0] = False
            masked = Operand(_mask(given, kind), where[4])
            cut = given[..., :columns] if rows == 1 else given[..., :rows, :columns]
            shaped = cut.reshape(b, 1, 1, columns) if rows == 1 else cut
            if rows > 1 and cut.ndim == 3:
                shaped = cut[:, None]
            unseen = unseen | shaped
        if sparse in (2, 3):
            masked = Operand(_mask(np.triu(np.ones((2048, 2048), bool), 1), kind))
            offset = 0 if sparse == 2 else columns - rows
            unseen = unseen | (np.arange(columns) > np.arange(rows)[:, None] + offset)
        if lengths is not None:
            each = np.array(lengths * b if len(lengths) == 1 else lengths)
            unseen = unseen | (np.arange(columns) >= each.reshape(b, 1, 1, 1))
        shift: Operand | None = None
        added: Array | None = None
        if bias:
            shift = Operand(rng.normal(0, 1, bias).astype(numpy_dtype(dtype)), where[3])
            added = shift.values.astype(np.float64)[..., :columns]
        scale = float(1 / np.sqrt(depth))
        golden, power = attention(q, k, v, scale, added, unseen)
        source = "BNSD" if layout == "BNSD_BSND" else layout
        target = "BSND" if layout == "BNSD_BSND" else layout
        operands = [Operand(_laid_out(x, source), w) for x, w in zip(drawn, where[:3], strict=True)]
        inputs = (
            operands[0], [operands[1]], [operands[2]], shift, masked, None, lengths,
            *(None,) * 17, n, scale, _ENDLESS, _ENDLESS, layout, key_heads, sparse, precise, 0, 0,
            lse, 0, 0,
        )  # fmt: skip
        return Case(label, inputs, (_laid_out(golden, target), power if lse else None), **options)

    for sizes in (
        (1, 1, 2, 3, 16), (2, 3, 5, 7, 16), (1, 4, 65, 70, 32), (2, 2, 1, 9, 64), (1, 2, 1, 33, 24),
        (1, 1, 200, 130, 128),
    ):  # fmt: skip
        for layout in ("BNSD", "BSND", "BSH", "BNSD_BSND"):
            if layout != "BNSD_BSND" or sizes[2] > 1:
                yield case(f"{sizes} {layout}", sizes, layout)
        yield case(f"{sizes} with sums", sizes, lse=True)
    shared = (2, 6, 5, 7, 16)
    for layout in ("BNSD", "BSND", "BSH"):
        yield case(f"shared keys {layout}", shared, layout, key_heads=2)
    small = (2, 3, 5, 7, 16)
    for bias in ((2, 3, 5, 7), (1, 3, 5, 7), (2, 3, 5, 16)):
        yield case(f"shift {bias}", small, bias=bias)
    for mask in ((5, 7), (2, 5, 7), (1, 5, 7), (2, 1, 5, 7), (1, 1, 5, 7), (16, 32)):
        yield case(f"mask {mask}", small, mask=mask)
    for kind in ("int8", "uint8"):
        yield case(f"mask of {kind}", small, mask=(5, 7), kind=kind, sparse=1, precise=1)
    step = (2, 3, 1, 7, 16)
    for mask in ((2, 7), (2, 1, 7), (2, 1, 1, 7), (2, 32)):
        yield case(f"mask {mask} of a step", step, mask=mask, precise=2)
    yield case("seen from the left", small, sparse=2, precise=2)
    yield case("seen from the right", small, sparse=3)
    yield case("one length", small, lengths=(4,))
    yield case("lengths", small, lengths=(3, 7), lse=True)
    yield case("lengths of a step", step, lengths=(1, 6))
    for layout in LAYOUTS[1:]:
        yield case(
            f"{layout}", small, bias=(2, 3, 5, 7), mask=(2, 1, 5, 7), lse=True,
            where=(layout, "every_second", "offset", layout, layout),
            out_layouts=(layout, "every_second"), out_dtypes=(dtype, "float32"),
        )  # fmt: skip
    empty = np.zeros((0, 2, 3, 16), numpy_dtype(dtype))
    inputs = (
        Operand(empty), [Operand(empty)], [Operand(empty)], *(None,) * 21, 2, 1.0, _ENDLESS,
        _ENDLESS, "BNSD", 0, 0, 0, 0, 0, False, 0, 0,
    )  # fmt: skip
    yield Case("no samples", inputs, (empty, None))
