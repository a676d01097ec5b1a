"""Rotary position embedding in all its modes, by itself and with angles that are looked up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import before_cann_8_5, has_bfloat16, is_950, is_a2_or_a3
from pyaclnn.selftest.layouts import LAYOUTS

_FLOATS = ("float32", "float16", "bfloat16")


def drawn(
    rng: np.random.Generator, dtype: str, shape: tuple[int, ...], low: float, high: float
) -> Array:
    """Return values of one sign, whose sums are not near 0."""
    return np.asarray(rng.uniform(low, high, shape)).astype(numpy_dtype(dtype))


def _modes() -> tuple[int, ...]:
    return (0, 1, 2, 3) if is_950() else (0, 1)


def rotated(x: Array, mode: int) -> tuple[Array, Array]:
    """Return what is multiplied by the cosine and by the sine, as the document writes it."""
    even, odd = x[..., ::2], x[..., 1::2]
    if mode == 0:
        first, second = np.split(x, 2, -1)
        return x, np.concatenate((-second, first), -1)
    if mode == 1:
        return x, np.stack((-odd, even), -1).reshape(x.shape)
    if mode == 2:
        one, two, three, four = np.split(x, 4, -1)
        return x, np.concatenate((-two, one, -four, three), -1)
    return np.concatenate((even, odd), -1), np.concatenate((-odd, even), -1)


def _rotary(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(
        shape: tuple[int, ...], angles: tuple[int, ...], mode: int,
        layouts: tuple[str, ...] = ("contiguous",) * 3, **options: Any,
    ) -> Case:  # fmt: skip
        # No sum is near 0: x is of one sign, and so are the products.
        x, cos, sin = (
            np.asarray(rng.uniform(low, high, s)).astype(numpy_dtype(dtype))
            for s, low, high in ((shape, 0.5, 2), (angles, 0.8, 1), (angles, 0.01, 0.1))
        )
        own, other = rotated(x.astype(np.float64), mode)
        golden = own * cos.astype(np.float64) + other * sin.astype(np.float64)
        operands = [Operand(v, w) for v, w in zip((x, cos, sin), layouts, strict=True)]
        return Case(f"{shape} {angles} {mode} {layouts}", (*operands, mode), (golden,), **options)

    for shape in ((1, 1, 1, 2), (2, 3, 4, 8), (1, 5, 2, 64), (2, 7, 1, 30), (3, 1, 40, 128)):
        b, s, n, d = shape
        for angles in ((1, s, 1, d), (1, 1, n, d), (b, 1, 1, d)):
            for mode in (0, 1):
                yield case(shape, angles, mode)
        yield case(shape, shape, 0)
        yield case(shape, (b, s, 1, d), 0)
    for layout in LAYOUTS[1:]:
        yield case(
            (2, 3, 4, 8), (1, 3, 1, 8), 1, (layout, "every_second", "offset"),
            out_layouts=("offset",),
        )  # fmt: skip
    if not before_cann_8_5():
        yield from _tokens(dtype, rng)


def _rotary_in_place(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3() and (before_cann_8_5() or not is_950()):
        return

    def case(
        sizes: tuple[int, int, int, int], layouts: tuple[str, ...] = ("contiguous",) * 4
    ) -> Case:
        b, s, n, m = sizes
        drawn = [
            np.asarray(rng.uniform(low, high, (b, s, heads, 128))).astype(numpy_dtype(dtype))
            for heads, low, high in ((n, 0.5, 2), (m, 0.5, 2), (1, 0.8, 1), (1, 0.01, 0.1))
        ]
        query, key, cos, sin = (x.astype(np.float64) for x in drawn)
        golden = tuple(
            own * cos + other * sin for own, other in (rotated(x, 0) for x in (query, key))
        )
        operands = [Operand(v, w) for v, w in zip(drawn, layouts, strict=True)]
        return Case(f"{sizes} {layouts}", (*operands, 1), golden)

    for sizes in ((1, 1, 1, 1), (2, 3, 4, 2), (1, 130, 3, 1), (3, 5, 8, 8), (2, 1, 40, 7)):
        yield case(sizes)
    for layout in LAYOUTS[1:]:
        for viewed in range(4):
            where = tuple(layout if k == viewed else "contiguous" for k in range(4))
            yield case((2, 3, 2, 1), where)


def _tokens(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Give cases of [tokens, heads, depth], and of the modes that only the 950 has."""
    for shape, angles in (
        ((5, 3, 16), (5, 1, 16)),
        ((5, 3, 16), (5, 3, 16)),
        ((1, 2, 8), (1, 1, 8)),
    ):
        for mode in _modes():
            if mode == 0 or angles[1] == 1:
                yield _turned(dtype, rng, shape, angles, mode)
    if is_950():
        for mode in (2, 3):
            for spread in ((2, 3, 1, 16), (1, 3, 4, 16), (2, 1, 4, 16), (1, 1, 1, 16)):
                yield _turned(dtype, rng, (2, 3, 4, 16), spread, mode)


def _turned(
    dtype: str, rng: np.random.Generator, shape: tuple[int, ...], angles: tuple[int, ...],
    mode: int, *more: Any,
) -> Case:  # fmt: skip
    x, cos, sin = (
        drawn(rng, dtype, s, *bounds)
        for s, bounds in ((shape, (0.5, 2)), (angles, (0.8, 1)), (angles, (0.01, 0.1)))
    )
    own, other = rotated(x.astype(np.float64), mode)
    golden = own * cos.astype(np.float64) + other * sin.astype(np.float64)
    operands = (Operand(x), Operand(cos), Operand(sin))
    return Case(f"{shape} {angles} {mode}", (*operands, mode, *more), (golden,))


def _gradient(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(
        shape: tuple[int, ...], angles: tuple[int, ...], mode: int, given: bool = True,
        layouts: tuple[str, ...] = ("contiguous",) * 4,
    ) -> Case:  # fmt: skip
        dy, cos, sin, x = (
            drawn(rng, dtype, s, *bounds)
            for s, bounds in (
                (shape, (0.5, 2)), (angles, (0.8, 1)), (angles, (0.01, 0.1)), (shape, (0.5, 2)),
            )
        )  # fmt: skip
        wide = [v.astype(np.float64) for v in (dy, cos, sin, x)]
        # The rotation is linear: its matrices, from what it makes of the unit vectors.
        own, other = rotated(np.eye(shape[-1]), mode)
        dx = (wide[0] * wide[1]) @ own.T + (wide[0] * wide[2]) @ other.T
        spread = tuple(i for i, n in enumerate(angles) if n == 1)
        beside, across = rotated(wide[3], mode)
        dcos, dsin = (
            (wide[0] * v).sum(spread, keepdims=True) if spread else wide[0] * v
            for v in (beside, across)
        )
        operands = [Operand(v, w) for v, w in zip((dy, cos, sin, x), layouts, strict=True)]
        nothing = np.zeros((0,), numpy_dtype(dtype))
        golden = (dx, dcos, dsin) if given else (dx, nothing, nothing)
        label = f"{shape} {angles} {mode} {given} {layouts}"
        return Case(label, (*operands[:3], operands[3] if given else None, mode), golden)

    for mode in _modes():
        for shape in ((2, 3, 4, 8), (3, 5, 2, 64), (2, 9, 7, 24)):
            b, s, n, d = shape
            for angles in ((1, s, 1, d), (1, 1, n, d), (b, 1, 1, d)):
                yield case(shape, angles, mode)
            if mode == 0:
                yield case(shape, shape, 0)
                yield case(shape, (b, s, 1, d), 0)
        yield case((2, 3, 4, 8), (1, 3, 1, 8), mode, given=False)
        yield case((5, 3, 16), (5, 1, 16), mode)
    for layout in LAYOUTS[1:]:
        yield case((2, 3, 4, 8), (1, 3, 1, 8), 0, layouts=(layout, "offset", layout, layout))


def _rotary_by_matrix(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for shape, angles in (
        ((2, 3, 4, 8), (1, 3, 1, 8)), ((1, 70, 2, 64), (1, 70, 1, 64)),
        ((2, 3, 4, 8), (2, 3, 4, 8)),
    ):  # fmt: skip
        for mode in (0, 1) if angles[2] == 1 else (0,):
            yield _turned(dtype, rng, shape, angles, mode, None)
            x, cos, sin = (
                drawn(rng, dtype, s, *bounds)
                for s, bounds in ((shape, (0.5, 2)), (angles, (0.8, 1)), (angles, (0.01, 0.1)))
            )
            matrix = drawn(rng, dtype, (shape[-1],) * 2, 0.01, 0.5)
            product = x.astype(np.float64) @ matrix.astype(np.float64)
            golden = x.astype(np.float64) * cos.astype(np.float64) + product * sin.astype(
                np.float64
            )
            operands = [Operand(v) for v in (x, cos, sin)]
            inputs = (*operands, mode, Operand(matrix))
            yield Case(f"{shape} {angles} {mode} by a matrix", inputs, (golden,))


def _in_place_by_mode(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(
        query: tuple[int, ...], heads: int, axis: int, angles: tuple[int, ...], layout: int,
        mode: str,
    ) -> Case:  # fmt: skip
        key = (*query[:axis], heads, *query[axis + 1 :])
        given = [
            drawn(rng, dtype, s, *bounds)
            for s, bounds in (
                (query, (0.5, 2)), (key, (0.5, 2)), (angles, (0.8, 1)), (angles, (0.01, 0.1)),
            )
        ]  # fmt: skip
        q, k, cos, sin = (v.astype(np.float64) for v in given)
        width = angles[-1]

        def turned(x: Array) -> Array:
            own, other = rotated(x[..., :width], ("half", "interleave", "quarter").index(mode))
            return np.concatenate((own * cos + other * sin, x[..., width:]), -1)

        inputs = (*(Operand(v) for v in given), layout, mode)
        return Case(f"{query} {angles} {layout} {mode}", inputs, (turned(q), turned(k)))

    for d in (64, 128):
        yield case((2, 3, 4, d), 2, 2, (2, 3, 1, d), 1, "half")
        yield case((6, 4, d), 1, 1, (6, 1, d), 4, "half")
    yield case((2, 3, 4, 128), 2, 2, (2, 3, 1, 64), 1, "half")
    if is_950():
        for mode in ("half", "interleave", "quarter"):
            yield case((2, 3, 4, 16), 2, 2, (1, 3, 1, 16), 1, mode)
            yield case((3, 2, 4, 16), 2, 2, (3, 2, 1, 8), 2, mode)
            yield case((2, 4, 3, 16), 2, 1, (2, 1, 3, 16), 3, mode)
            yield case((6, 4, 24), 1, 1, (6, 1, 24), 4, mode)


def _interleaved(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for shape, length in (((2, 3, 4, 64), 4), ((2, 3, 4, 64), 1), ((1, 40, 33, 64), 33)):
        angles = (shape[0], 1, length, 64)
        plain = _turned(dtype, rng, shape, angles, 3)
        yield Case(plain.label, plain.inputs[:3], plain.golden)


def _looked_up(dtype: str, rng: np.random.Generator, modes: tuple[int, ...]) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(
        heads: tuple[int, int], head: int, width: int, neox: bool, section: tuple[int, ...] | None,
        cache_mode: int, where: str = "contiguous",
    ) -> Case:  # fmt: skip
        tokens, rows, half = 7, 20, width // 2
        query, key = (drawn(rng, dtype, (tokens, n * head), 0.5, 2) for n in heads)
        table = np.concatenate(
            (drawn(rng, dtype, (rows, half), 0.8, 1), drawn(rng, dtype, (rows, half), 0.01, 0.1)),
            -1,
        )
        shape = (len(section), tokens) if section else (tokens,)
        positions = rng.integers(0, rows, shape)
        looked = table.astype(np.float64)[positions]
        cos, sin = looked[..., :half], looked[..., half:]
        if section:
            turn = np.arange(half) % 3
            turn[3 * section[1] :] = 0
            bounds = np.cumsum(section)
            which = turn if cache_mode else np.searchsorted(bounds, np.arange(half), side="right")
            cos, sin = (np.stack([v[w, :, i] for i, w in enumerate(which)], -1) for v in (cos, sin))

        def turned(x: Array) -> Array:
            parts = x.astype(np.float64).reshape(tokens, -1, head).copy()
            first = parts[..., :half] if neox else parts[..., :width:2]
            second = parts[..., half:width] if neox else parts[..., 1:width:2]
            c, s = cos[:, None], sin[:, None]
            one, two = first * c - second * s, second * c + first * s
            both = (
                (one, two) if neox else (np.stack((one, two), -1).reshape(*one.shape[:-1], width),)
            )
            parts[..., :width] = np.concatenate(both, -1)
            return np.asarray(parts.reshape(tokens, -1))

        label = f"{heads} {head} {width} {neox} {section} {cache_mode} {where}"
        inputs: tuple[Any, ...] = (
            Operand(positions), Operand(query, where), Operand(key, where), Operand(table),
            section, head, neox, *((cache_mode,) if len(modes) > 1 else ()),
        )  # fmt: skip
        return Case(label, inputs, (turned(query), turned(key)))

    for neox in (True, False):
        for head, width in ((64, 64), (128, 128), (128, 64)):
            yield case((3, 2), head, width, neox, None, 0)
        for mode in modes:
            yield case((4, 1), 128, 128, neox, (16, 24, 24), mode)
            yield case((4, 1), 128, 64, neox, (8, 12, 12), mode)
            yield case((2, 2), 128, 128, neox, (24, 20, 20), mode)
        yield case((2, 2), 128, 128, neox, (16, 16, 16, 16), 0)
        yield case((2, 2), 64, 64, neox, None, 0, "inner_slice")


def _rope_cache(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _looked_up(dtype, rng, (0,))


def _rope_cache_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _looked_up(dtype, rng, (0, 1))


SUITES = (
    Suite("apply_rotary_pos_emb", _FLOATS, _rotary_in_place),
    Suite("apply_rotary_pos_emb_v2", _FLOATS, _in_place_by_mode),
    Suite("interleave_rope", _FLOATS, _interleaved),
    Suite("rope_with_sin_cos_cache", _FLOATS, _rope_cache),
    Suite("rope_with_sin_cos_cache_v2", _FLOATS, _rope_cache_v2),
    Suite("rotary_position_embedding", _FLOATS, _rotary),
    Suite("rotary_position_embedding_grad", _FLOATS, _gradient),
    Suite("rotary_position_embedding_v2", _FLOATS, _rotary_by_matrix),
)
