"""The ranks of one process, calls on all of them, and how results are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

import pyaclnn as pa
from pyaclnn.collective import Communicator

Array = np.ndarray[Any, Any]
Ranked = list[dict[str, Any]]

HALVES = (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16))


class Ranks:
    """The members of one process, and calls on all of them."""

    def __init__(self, count: int) -> None:
        self.members = Communicator.all_devices(range(count))
        self.count = count
        self.rng = np.random.default_rng(count)

    def drawn(self, shape: tuple[int, ...], dtype: Any) -> Array:
        if np.dtype(dtype).kind == "i":
            return self.rng.integers(-100, 100, shape).astype(dtype)
        return self.rng.uniform(-1, 1, shape).astype(dtype)

    def product(self, rank: int, left: Array, right: Array) -> Array:
        """Return what a rank makes of two matrices without the others."""
        with self.members[rank].device:
            return pa.ops.matmul(pa.asarray(left), pa.asarray(right), 0).numpy()

    def each(self, call: Callable[..., Any], given: Ranked) -> list[Any]:
        """Call with the arguments of each rank, arrays as tensors; results as arrays."""
        results = []
        for member, arguments in zip(self.members, given, strict=True):
            with member.device:
                placed = {
                    k: pa.asarray(v) if isinstance(v, np.ndarray) else v
                    for k, v in arguments.items()
                }
                results.append(call(member, **placed))
        for member in self.members:
            with member.device:
                member.sync()
        return [tuple(x.numpy() for x in r) if isinstance(r, tuple) else r.numpy() for r in results]


class Gaps:
    """Tensors whose elements each stand beside one that stays as it is."""

    def __init__(self, wanted: bool = True) -> None:
        self.wanted = wanted
        self.wholes: list[Any] = []

    def zeros(self, shape: tuple[int, ...], dtype: Any = np.float32) -> Any:
        """Return one of zeros, or one without gaps where these are not wanted."""
        if not self.wanted:
            return pa.zeros(shape, dtype)
        self.wholes.append(pa.zeros((*shape, 2), dtype))
        return self.wholes[-1][..., 0]

    def check(self) -> None:
        for whole in self.wholes:
            between = np.ascontiguousarray(whole.numpy()[..., 1])
            assert not between.view(np.uint8).any()


def same(actual: list[Any], expected: list[Any], what: str) -> None:
    """Compare to the bit."""
    for rank, (a, b) in enumerate(zip(actual, expected, strict=True)):
        got, want = (x if isinstance(x, tuple) else (x,) for x in (a, b))
        for one, other in zip(got, want, strict=True):
            assert one.dtype == other.dtype, what
            assert one.tobytes() == other.tobytes(), f"{what} on rank {rank}"


def near(actual: Array, golden: Array, what: str) -> None:
    """Compare with float64, as closely as the type allows for the largest number."""
    error = np.abs(actual.astype(np.float64) - golden).max(initial=0)
    tolerance = 2.0 ** (-5 if actual.dtype == HALVES[1] else -8)
    assert error <= tolerance * max(np.abs(golden).max(initial=0), 1), f"{what}: {error}"


def wide(*arrays: Array) -> tuple[Array, ...]:
    return tuple(array.astype(np.float64) for array in arrays)
