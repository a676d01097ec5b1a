"""Operators that fuse a product with a collective, compared with separate calls of the two."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.collectives import RANKS, Call, on_two_ranks, take_turns
from pyaclnn.collective import Communicator

#: Rows, depth and columns of a rank's product.
SIZES = {"one token": (RANKS, 1024, 1024), "256 tokens": (256, 1024, 1024)}
_CALLS = 20


def fused(name: str) -> dict[str, float]:
    """Microseconds of an operator of two processes, fused and apart, and how many times faster."""
    return on_two_ranks(__name__, name, _measure)


def _measure(name: str) -> dict[str, float]:
    ranks = Communicator.from_env()
    results: dict[str, float] = {}
    for label, sizes in SIZES.items():
        calls = {
            way: _waited(call)
            for way, call in zip(("fused", "apart"), _FUSED[name](ranks, *sizes), strict=True)
        }
        times = take_turns(ranks, calls, _CALLS)
        results |= {f"{label} {way}": time for way, time in times.items()}
        results[f"{label} apart / fused"] = times["apart"] / times["fused"]
    ranks.sync()
    ranks.close()
    return results


def _waited(call: Call) -> Call:
    stream = pa.current_stream()

    def waited() -> None:
        call()
        stream.sync()

    return waited


def _halves(*shape: int) -> pa.Tensor:
    return pa.asarray(np.random.default_rng(7).uniform(-1, 1, shape).astype(np.float16))


def _bytes(*shape: int) -> pa.Tensor:
    return pa.asarray(np.random.default_rng(7).integers(-99, 99, shape).astype(np.int8))


Pair = tuple[Call, Call]


def _sums(ranks: Communicator, rows: int, depth: int, columns: int) -> Pair:
    x, w = _halves(rows, depth), _halves(depth, columns)
    product, out = _halves(rows, columns), _halves(rows, columns)

    def apart() -> None:
        pa.ops.matmul(x, w, 0, out=product)
        ranks.all_reduce(product, out=out)

    call = pa.ops.matmul_all_reduce
    return lambda: call(x, w, group=ranks, reduce_op="sum", stream_mode=1, out=out), apart


def _quant_sums(ranks: Communicator, rows: int, depth: int, columns: int) -> Pair:
    x, w = _bytes(rows, depth), _bytes(depth, columns)
    scales, of_rows = pa.ones((columns,)), pa.ones((rows,))
    product, out = _halves(rows, columns), _halves(rows, columns)

    def whole() -> Any:
        return pa.ops.quant_matmul_all_reduce_v3(
            x, w, dequant_scale=scales, pertoken_scale_optional=of_rows, group=ranks,
            reduce_op="sum", stream_mode=1, out=out,
        )  # fmt: skip

    def apart() -> None:
        pa.ops.quant_matmul_v4(x, w, scales, None, of_rows, None, out=product)
        ranks.all_reduce(product, out=out)

    return whole, apart


def _gathers(ranks: Communicator, rows: int, depth: int, columns: int) -> Pair:
    x, w = _halves(rows, depth), _halves(depth, columns)
    met, out = _halves(RANKS * rows, depth), _halves(RANKS * rows, columns)
    parts = met.reshape(RANKS, rows, depth)

    def apart() -> None:
        ranks.all_gather(x, out=parts)
        pa.ops.matmul(met, w, 0, out=out)

    call = pa.ops.all_gather_matmul
    return lambda: call(x, w, group=ranks, gather_index=0, stream_mode=1, out=(out, met)), apart


def _scatters(ranks: Communicator, rows: int, depth: int, columns: int) -> Pair:
    x, w = _halves(rows, depth), _halves(depth, columns)
    product, out = _halves(rows, columns), _halves(rows // RANKS, columns)

    def apart() -> None:
        pa.ops.matmul(x, w, 0, out=product)
        ranks.reduce_scatter(product, out=out)

    call = pa.ops.matmul_reduce_scatter
    return lambda: call(x, w, group=ranks, reduce_op="sum", stream_mode=1, out=out), apart


def _meets(ranks: Communicator, rows: int, depth: int, columns: int) -> Pair:
    x, w = _halves(rows, depth // RANKS), _halves(depth, columns)
    each = rows // RANKS
    parts, met = x.reshape(RANKS, each, depth // RANKS), _halves(RANKS, each, depth // RANKS)
    whole, out = _halves(each, depth), _halves(each, columns)
    beside = whole.reshape(each, RANKS, depth // RANKS)

    def apart() -> None:
        ranks.all_to_all(parts, out=met)
        pa.ops.inplace_copy(beside, met.transpose(1, 0, 2))
        pa.ops.matmul(whole, w, 0, out=out)

    def whole_call() -> Any:
        return pa.ops.allto_all_matmul(
            x, w, group=ranks, transpose_x1=False, transpose_x2=False, out=(out, whole)
        )

    return whole_call, apart


def _parts(ranks: Communicator, rows: int, depth: int, columns: int) -> Pair:
    x, w = _halves(rows, depth), _halves(depth, columns)
    product, out = _halves(rows, columns), _halves(RANKS * rows, columns // RANKS)
    shape = RANKS, rows, columns // RANKS
    blocks, met = _halves(*shape), out.reshape(*shape)
    beside = product.reshape(rows, RANKS, columns // RANKS).transpose(1, 0, 2)

    def apart() -> None:
        pa.ops.matmul(x, w, 0, out=product)
        pa.ops.inplace_copy(blocks, beside)
        ranks.all_to_all(blocks, out=met)

    def whole_call() -> Any:
        return pa.ops.matmul_allto_all(
            x, w, allto_all_axes_optional=[-1, -2], group=ranks, transpose_x1=False,
            transpose_x2=False, out=out,
        )  # fmt: skip

    return whole_call, apart


_FUSED: dict[str, Callable[[Communicator, int, int, int], Pair]] = {
    "matmul_all_reduce": _sums,
    "quant_matmul_all_reduce_v3": _quant_sums,
    "all_gather_matmul": _gathers,
    "matmul_reduce_scatter": _scatters,
    "allto_all_matmul": _meets,
    "matmul_allto_all": _parts,
}

#: What is measured.
FUSED = tuple(_FUSED)

if __name__ == "__main__":
    _measure(sys.argv[1])
