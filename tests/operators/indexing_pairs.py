"""Look-ups in bags and masked softmax with their gradients, for the test of forward pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.pairs import Pair, Tensors

import pyaclnn as pa

_NUMBERS = np.array([4, 0, 0, 3, 2, 1, 4])
_BEGINS = np.array([0, 2, 2, 5])
_NO_PADDING = 2**64 - 1
_MASK = np.arange(24).reshape(2, 1, 3, 4) % 5 == 0


def _looked_up(mode: int) -> Pair:
    def forward(t: Tensors) -> tuple[pa.Tensor, ...]:
        offsets, factors = pa.asarray(_BEGINS), t.get("factors")
        found: tuple[pa.Tensor, ...] = pa.ops.embedding_bag(
            t["table"], pa.asarray(_NUMBERS), offsets, False, mode, False, factors, False, -1
        )
        return found

    def backward(grad: pa.Tensor, t: Tensors, r: tuple[pa.Tensor, ...]) -> tuple[Any, ...]:
        """Return the gradient as frameworks make it of what the forward operator hands over."""
        _, bag_of, sizes, places = r
        if mode == 2:
            empty = sizes.numpy() == 0  # the places of which stand for nothing
            kept = pa.asarray(np.where(empty[:, None], 0, grad.numpy()).astype(np.float32))
            return (pa.ops.scatter_add(pa.zeros(t["table"].shape), 0, places, kept),)
        if mode == 1:
            shares = 1 / np.maximum(sizes.numpy(), 1)
            grad = pa.asarray((grad.numpy() * shares[:, None]).astype(np.float32))
        rows = pa.ops.index_select(grad, 0, bag_of)
        if "factors" in t:
            rows_of = pa.ops.index_select(t["table"], 0, pa.asarray(_NUMBERS))
            by_factor = (rows.numpy() * rows_of.numpy()).sum(-1)
            rows = pa.asarray(rows.numpy() * t["factors"].numpy()[:, None])
        by_table = pa.ops.embedding_dense_backward(
            rows, pa.asarray(_NUMBERS), 5, _NO_PADDING, False
        )
        return (by_table, pa.asarray(by_factor)) if "factors" in t else (by_table,)

    return Pair({"table": (5, 3)}, forward, backward, distinct=mode == 2)


_sums = _looked_up(0)

PAIRS: dict[str, Pair] = {
    "embedding_bag of sums": _sums,
    "embedding_bag of weighted sums": Pair(
        {"table": (5, 3), "factors": (7,)}, _sums.forward, _sums.backward
    ),
    "embedding_bag of means": _looked_up(1),
    "embedding_bag of the largest": _looked_up(2),
    "scaled_masked_softmax": Pair(
        {"x": (2, 2, 3, 4)},
        lambda t: (pa.ops.scaled_masked_softmax(t["x"], pa.asarray(_MASK), 0.5, False),),
        lambda g, t, r: (
            pa.ops.scaled_masked_softmax_backward(g, r[0], pa.asarray(_MASK), 0.5, False),
        ),
    ),
}
