"""Matrix products whose weights lie in the blocks of a matrix unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite
from pyaclnn.selftest.chips import chip_family, release
from pyaclnn.selftest.suites.creation import exact
from pyaclnn.selftest.suites.products import values_of

Cases = Callable[[str, np.random.Generator], Iterator[Case]]

#: Rows, depth, columns.
_SIZES = ((1, 16, 16), (5, 33, 7), (40, 72, 130), (3, 2, 257))


def in_nz(matrix: Array, turned: bool = False) -> Operand:
    """Return matrices as a weight in FRACTAL_NZ, stored the other way round where `turned`."""
    if not turned:
        return Operand(matrix, format="FRACTAL_NZ")
    return Operand(np.ascontiguousarray(np.swapaxes(matrix, -1, -2)), "transposed", "FRACTAL_NZ")


def _products(batch: tuple[int, ...], added: bool = False) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        on_310p = not batch and not added and dtype == "float16" and release() >= (9, 1)
        if chip_family() not in ("A2", "950", *(("310P",) * on_310p)):
            return
        for number, (m, k, n) in enumerate(_SIZES):
            a, b = values_of((*batch, m, k), dtype, rng), values_of((*batch, k, n), dtype, rng)
            golden = exact(a) @ exact(b)
            if not added:
                inputs = (Operand(a), in_nz(b, number % 2 == 1), 0)
                yield Case(f"{a.shape} {b.shape}", inputs, (golden,))
                continue
            c = values_of((n,), dtype, rng)
            yield Case(f"{a.shape} {b.shape}",
                       (Operand(c), Operand(a), in_nz(b, number % 2 == 1), 2, 0.5, 0),
                       (2 * exact(c) + 0.5 * golden,))  # fmt: skip

    return cases


def _transposed(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() not in ("A2", "950"):
        return
    for batch, m, k, n in ((2, 5, 32, 16), (4, 1, 16, 48)):
        a, b = values_of((m, batch, k), dtype, rng), values_of((batch, k, n), dtype, rng)
        golden = np.einsum("mbk,bkn->mbn", exact(a), exact(b))
        yield Case(f"{a.shape} {b.shape}",
                   (Operand(a), in_nz(b), None, None, [1, 0, 2], [0, 1, 2], [1, 0, 2], 0, 1),
                   (golden,))  # fmt: skip


_HALVES = ("float16", "bfloat16")

SUITES: tuple[Suite, ...] = (
    Suite("matmul_weight_nz", ("float32", *_HALVES), _products(())),
    Suite("batch_mat_mul_weight_nz", _HALVES, _products((3,))),
    Suite("addmm_weight_nz", _HALVES, _products((), added=True)),
    Suite("transpose_batch_mat_mul_weight_nz", _HALVES, _transposed),
)
