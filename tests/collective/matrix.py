"""All collectives between the devices of one process, against NumPy; run with their number."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

import pyaclnn as pa
from pyaclnn.collective import Communicator

Array = np.ndarray[Any, Any]

MOVED = ["int8", "uint8", "int16", "int32", "int64", "uint64", "float16", "float64", "bool"]
REDUCED = ["int8", "int16", "int32", "int64", "float16", "float32", "bfloat16"]
WAYS: dict[str, Any] = {
    "sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum
}  # fmt: skip
# One row, an odd number, more than goes at once, more than a ring holds.
SIZES = [0, 1, 7, 8193, 600_001]


def dtype_of(name: str) -> np.dtype[Any]:
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def values(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    if dtype.endswith(("int8", "int16", "int32", "int64", "bool")):
        return rng.integers(0, 2 if dtype == "bool" else 5, shape).astype(dtype)
    return np.asarray(rng.uniform(-2, 2, shape)).astype(dtype_of(dtype))


def fold(parts: list[Array], way: str) -> Array:
    """The reduction in the order of the ranks, rounded to the dtype each time."""
    wide = np.float64 if parts[0].dtype == np.float64 else np.float32
    result = parts[0]
    for part in parts[1:]:
        if result.dtype.kind in "iu":
            result = WAYS[way](result, part)
        else:
            result = WAYS[way](result.astype(wide), part.astype(wide)).astype(part.dtype)
    return result


class Ranks:
    """The members of one process."""

    def __init__(self, count: int) -> None:
        self.members = Communicator.all_devices(range(count))
        self.count = count

    def each(
        self, call: Callable[..., Any], arrays: list[Any], *more: Any, **names: Any
    ) -> list[Any]:
        """Call on each rank with a tensor of its array and the rest, then wait for all."""
        results = []
        for member, array in zip(self.members, arrays, strict=True):
            with member.device:
                tensor = None if array is None else pa.asarray(array)
                results.append(call(member, tensor, *more, **names))
        for member in self.members:
            with member.device:
                member.sync()
        return [None if r is None else r.numpy() for r in results]


def equal(actual: list[Any], expected: list[Any], what: str) -> None:
    for rank, (got, want) in enumerate(zip(actual, expected, strict=True)):
        if want is None:
            assert got is None, what
            continue
        assert got.dtype == want.dtype, what
        # Bit by bit.
        assert got.tobytes() == np.ascontiguousarray(want).tobytes(), f"{what} on rank {rank}"


def reduce_everything(ranks: Ranks, rng: np.random.Generator) -> None:
    n = ranks.count
    for dtype in REDUCED:
        for way in WAYS:
            if way == "prod" and dtype in ("int16", "bfloat16"):
                continue
            sizes = SIZES if (dtype, way) == ("float32", "sum") else [7]
            for size in sizes:
                what = f"{dtype} {way} {size}"
                parts = [values(rng, (n * size,), dtype) for _ in range(n)]
                total = fold(parts, way)
                equal(ranks.each(Communicator.all_reduce, parts, way), [total] * n, what)
                root = n - 1
                got = ranks.each(Communicator.reduce, parts, root, way)
                equal(got, [total if r == root else None for r in range(n)], what)
                got = ranks.each(Communicator.reduce_scatter, parts, way)
                equal(got, [total[r * size : (r + 1) * size] for r in range(n)], what)
                if way == "prod" or dtype == "int64" or size > 8193:
                    continue
                counts = [size * n - sum(range(n)) if r == 0 else r for r in range(n)]
                ends = np.cumsum(counts)
                if min(counts) < 0:
                    continue
                got = ranks.each(Communicator.reduce_scatter_v, parts, counts, way)
                equal(got, np.split(total, ends[:-1]), what)


def scattered(member: Communicator, tensor: Any, root: int) -> Any:
    if member.rank == root:
        return member.scatter(tensor, root)
    out = pa.empty((1, tensor.shape[1]), tensor.dtype)
    return member.scatter(None, root, out=out)


def exchanged(member: Communicator, tensor: Any, table: list[list[int]]) -> Any:
    coming = [row[member.rank] for row in table]
    return member.all_to_all_v(tensor, table[member.rank], coming)


def move_everything(ranks: Ranks, rng: np.random.Generator) -> None:
    n = ranks.count
    for dtype in MOVED:
        for size in SIZES if dtype in ("float64", "uint8") else [7]:
            what = f"{dtype} {size}"
            parts = [values(rng, (size,), dtype) for _ in range(n)]
            equal(ranks.each(Communicator.all_gather, parts), [np.stack(parts)] * n, what)
            root = size % n
            got = ranks.each(Communicator.broadcast, parts, root)
            equal(got, [parts[root]] * n, what)
            wide = [values(rng, (n, size), dtype) for _ in range(n)]

            equal(
                ranks.each(scattered, wide, root), [wide[root][r : r + 1] for r in range(n)], what
            )
            got = ranks.each(Communicator.all_to_all, wide)
            equal(got, [np.stack([w[r] for w in wide]) for r in range(n)], what)
            if size > 8193:
                continue
            counts = [(size + r) % 5 for r in range(n)]
            own = [values(rng, (c, 3), dtype) for c in counts]
            got = ranks.each(Communicator.all_gather_v, own, counts)
            equal(got, [np.concatenate(own)] * n, what)
            table = [[(r + 2 * to + size) % 4 for to in range(n)] for r in range(n)]
            sent = [values(rng, (sum(row), 2), dtype) for row in table]
            got = ranks.each(exchanged, sent, table)
            pieces = [np.split(s, np.cumsum(row)[:-1]) for s, row in zip(sent, table, strict=True)]
            equal(got, [np.concatenate([p[r] for p in pieces]) for r in range(n)], what)


def pass_around(ranks: Ranks, rng: np.random.Generator) -> None:
    n = ranks.count
    for size in (1, 600_001):
        parts = [values(rng, (size,), "float32") for _ in range(n)]

        def ring(member: Communicator, tensor: Any) -> Any:
            out = pa.empty(tensor.shape)
            rank = member.rank
            items = [("send", tensor, (rank + 1) % n), ("recv", out, (rank - 1) % n)]
            member.batch_send_recv(items)
            return out

        equal(ranks.each(ring, parts), [parts[r - 1] for r in range(n)], "ring")

        def chain(member: Communicator, tensor: Any) -> Any:
            # Rank 0 sends first, the others when they have received.
            if member.rank > 0:
                member.recv(tensor, member.rank - 1)
            if member.rank + 1 < n:
                member.send(tensor, member.rank + 1)
            return tensor

        equal(ranks.each(chain, parts), [parts[0]] * n, "chain")


def views_and_outputs(ranks: Ranks, rng: np.random.Generator) -> None:
    n = ranks.count
    parts = [values(rng, (6, 5), "float32") for _ in range(n)]
    total = fold(parts, "sum")

    def transposed(member: Communicator, tensor: Any) -> Any:
        return member.all_reduce(tensor.T)

    equal(ranks.each(transposed, parts), [total.T.copy()] * n, "a view")

    def in_place(member: Communicator, tensor: Any) -> Any:
        return member.all_reduce(tensor, out=tensor)

    equal(ranks.each(in_place, parts), [total] * n, "in place")
    large = [values(rng, (n * 30_000,), "float32") for _ in range(n)]
    equal(ranks.each(in_place, large), [fold(large, "sum")] * n, "large, in place")

    def into_columns(member: Communicator, tensor: Any) -> Any:
        out = pa.zeros((5, 12))
        member.broadcast(out.T[::2] if member.rank else tensor, 0)
        return out if member.rank else tensor

    expected = np.zeros((5, 12), np.float32)
    expected[:, ::2] = parts[0].T
    got = ranks.each(into_columns, parts)
    equal(got, [parts[0] if r == 0 else expected for r in range(n)], "a strided output")


def main() -> None:
    ranks = Ranks(int(sys.argv[1]))
    if ranks.count > 3:
        # More ranks than processors: what differs from fewer is how they are ordered.
        MOVED[:], REDUCED[:], SIZES[:] = ["uint8"], ["float32", "bfloat16"], [0, 1, 8193]
    rng = np.random.default_rng(11)
    reduce_everything(ranks, rng)
    move_everything(ranks, rng)
    pass_around(ranks, rng)
    views_and_outputs(ranks, rng)
    for member in ranks.members:
        member.barrier(stream=member.device.default_stream)
    for member in ranks.members:
        member.close()
    print("all equal")


if __name__ == "__main__":
    main()
