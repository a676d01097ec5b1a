"""Two sequences, normalised and turned on their way into one, and the gradient of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.suites.positions import rotated

_EPS = 1e-5
_FLOATS = ("float32", "float16", "bfloat16")


def _normalised(x: Array, kind: int, weight: Array, bias: Array) -> Array:
    if kind == 0:
        return x
    centred = x - x.mean(-1, keepdims=True) if kind < 3 else x
    y = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + _EPS)
    return np.asarray(y * (weight if kind in (2, 4) else 1) + (bias if kind == 2 else 0))


def _joined(own: Array, added: Array, order: int, rope: int, sin: Array, cos: Array) -> Array:
    """Return [B, N, S, D] of [B, S, N, D] of two sequences, the first positions turned."""
    whole = np.concatenate((own, added) if order == 0 else (added, own), 1).swapaxes(1, 2)
    if rope == 0:
        return np.asarray(whole)
    turned = len(sin)
    straight, across = rotated(whole[:, :, :turned], 1 if rope == 1 else 0)
    return np.concatenate((straight * cos + across * sin, whole[:, :, turned:]), 2)


class _Drawn:
    """The tensors of a case; queries are longer than keys."""

    def __init__(self, dtype: str, rng: np.random.Generator, added: bool) -> None:
        b, n, d = 2, 2, 4
        lengths = ((3, 2, 2), (1, 2, 2))

        def draw(*shape: int) -> Array:
            return np.asarray(rng.normal(0, 1, shape)).astype(numpy_dtype(dtype))

        self.own = [draw(b, s, n, d) for s in lengths[0]]
        self.added = [draw(b, s if added else 0, n, d) for s in lengths[1]]
        self.weights = [draw(d) for _ in range(8)]  # weight and bias of q, k, added q, added k
        # Sums of a turned pair are not near 0.
        self.sin, self.cos = (
            np.asarray(rng.uniform(low, high, (2, d))).astype(numpy_dtype(dtype))
            for low, high in ((0.01, 0.1), (0.8, 1.0))
        )
        self.has_added = added

    def outputs(self, norm: int, added: int, rope: int, order: int) -> list[Array]:
        own, more = ([x.astype(np.float64) for x in part] for part in (self.own, self.added))
        w = [x.astype(np.float64) for x in self.weights]
        sin, cos = self.sin.astype(np.float64), self.cos.astype(np.float64)
        return [
            *(
                _joined(
                    _normalised(own[i], norm, w[2 * i], w[2 * i + 1]),
                    _normalised(more[i], added, w[4 + 2 * i], w[5 + 2 * i]), order, rope, sin, cos,
                )
                for i in range(2)
            ),
            _joined(own[2], more[2], order, 0, sin, cos),
        ]  # fmt: skip


def _given(x: Array | None) -> Operand | None:
    return None if x is None or x.size == 0 else Operand(x)


def _statistics(x: Array) -> tuple[Array, Array]:
    wide = x.astype(np.float64)
    return wide.mean(-1, keepdims=True), 1 / np.sqrt(wide.var(-1, keepdims=True) + _EPS)


def _forward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for norm, added, rope, order, training, has_added in (
        (0, 0, 0, 0, False, True), (1, 2, 1, 0, True, True), (2, 1, 2, 1, True, True),
        (3, 4, 1, 1, False, True), (4, 3, 2, 0, True, True), (2, 2, 1, 0, False, False),
        (2, 0, 2, 0, True, False),
    ):  # fmt: skip
        drawn = _Drawn(dtype, rng, has_added)
        golden: list[Array | None] = [*drawn.outputs(norm, added, rope, order)]
        for kind, part in ((norm, drawn.own), (added, drawn.added)):
            for x in part[:2]:
                wanted = training and kind in (1, 2) and x.size > 0
                golden += _statistics(x) if wanted else (None, None)
        w = drawn.weights
        inputs = (
            *(Operand(x) for x in drawn.own), *(_given(x) for x in drawn.added),
            *(Operand(w[i]) for i in (0, 1, 2, 3, 4, 5, 6, 7)), Operand(drawn.sin),
            Operand(drawn.cos), norm, added, rope, order, _EPS, training,
        )  # fmt: skip
        label = f"{norm} {added} {rope} {order} {training} {has_added}"
        yield Case(label, inputs, tuple(golden))


def _slope(loss: Callable[[Array], float], at: Array) -> Array:
    """Return the slope by finite differences."""
    slope = np.zeros(at.shape)
    step = 1e-5
    for index in np.ndindex(at.shape):
        ends = []
        for sign in (1, -1):
            moved = at.copy()
            moved[index] += sign * step
            ends.append(loss(moved))
        slope[index] = (ends[0] - ends[1]) / (2 * step)
    return slope


def _backward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for norm, added, rope, order, has_added in (
        (0, 0, 1, 0, True), (1, 2, 1, 0, True), (2, 1, 2, 1, True), (2, 2, 0, 1, True),
        (2, 0, 2, 0, False),
    ):  # fmt: skip
        drawn = _Drawn(dtype, rng, has_added)
        grads = [
            np.asarray(rng.uniform(0.5, 2, x.shape)).astype(numpy_dtype(dtype))
            for x in drawn.outputs(norm, added, rope, order)
        ]

        def slope(
            part: list[Array], i: int, drawn: _Drawn = drawn, grads: list[Array] = grads,
            kinds: tuple[int, ...] = (norm, added, rope, order),
        ) -> Array:  # fmt: skip
            old = part[i]

            def loss(moved: Array) -> float:
                part[i] = moved
                outs = drawn.outputs(*kinds)
                products = (g.astype(np.float64) * o for g, o in zip(grads, outs, strict=True))
                return sum(float(x.sum()) for x in products)

            found = _slope(loss, old.astype(np.float64))
            part[i] = old
            return found

        golden: list[Array | None] = [slope(drawn.own, i) for i in range(3)]
        golden += [slope(drawn.added, i) if has_added else None for i in range(3)]
        for i in range(8):
            wanted = (norm if i < 4 else added) == 2 and (i < 4 or has_added)
            golden.append(slope(drawn.weights, i) if wanted else None)
        numbers: list[Operand | None] = []
        for kind, part, first in ((norm, drawn.own, 0), (added, drawn.added, 4)):
            for i in range(2):
                mean, rstd = (
                    None if kind == 0 or part[i].size == 0 else Operand(x.astype(np.float32))
                    for x in _statistics(part[i])
                )
                numbers += [Operand(drawn.weights[first + 2 * i]), mean, rstd]
        inputs = (
            *(Operand(x) for x in grads), Operand(drawn.own[0]), Operand(drawn.own[1]),
            _given(drawn.added[0]), _given(drawn.added[1]), *numbers, Operand(drawn.sin),
            Operand(drawn.cos), norm, added, rope, order,
        )  # fmt: skip
        yield Case(f"{norm} {added} {rope} {order} {has_added}", inputs, tuple(golden))


SUITES = (
    Suite("norm_rope_concat", _FLOATS, _forward),
    Suite("norm_rope_concat_backward", _FLOATS, _backward),
)
