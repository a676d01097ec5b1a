"""Quantised products and what quantises for them, beside PyTorch on the processor."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

import pyaclnn as pa
from pyaclnn.bench.bandwidth import Bandwidth
from pyaclnn.bench.measure import Batch, interleave, quiet, ready_torch, threads

Array = npt.NDArray[Any]
Call = Callable[[], Any]
#: A call, and PyTorch's where its module is given; both return what they compute.
Contenders = tuple[Call, Call | None]

#: Of weights in 4 bits that share a scale, along the depth.
_GROUP = 64
#: Rows of all experts together, of which the last has most.
_ROWS = 2048
#: Of the largest value, the difference from PyTorch that rounding explains.
_TOLERANCE = 0.02

_rng = np.random.default_rng(0)


def _normal(*shape: int) -> Array:
    return _rng.standard_normal(shape, dtype=np.float32)


def _integers(most: int, *shape: int) -> Array:
    return _rng.integers(-most, most + 1, shape).astype(np.int8)


def _bytes(dtype: str, width: int, torch: Any) -> Contenders:
    """Int8 by int8, as sums or scaled; PyTorch's are sums, which a scale would pass over again."""
    a, b = _integers(127, width, width), _integers(127, width, width)
    given = pa.asarray(a), pa.asarray(b)
    scale = pa.full((width,), 2.0**-10)
    if dtype == "float16":
        scale = pa.ops.trans_quant_param_v2(scale, None)
    out = pa.empty((width, width), dtype)

    def ours() -> Any:
        return pa.ops.quant_matmul_v4(*given, scale, None, None, None, False, False, out=out)

    if torch is None:
        return ours, None
    left, right = torch.from_numpy(a), torch.from_numpy(b)
    return ours, lambda: torch._int_mm(left, right)


def _weights(bits: int, dtype: str, width: int, torch: Any) -> Contenders:
    """Weights of int8 or int4, which PyTorch has as int8 and restores for its product."""
    x, weight = _normal(width, width), _integers(127 if bits == 8 else 7, width, width)
    groups = 1 if bits == 8 else width // _GROUP
    scales = (1 + _rng.random((groups, width), dtype=np.float32)) / 64
    narrow = pa.asarray(weight if bits == 8 else weight.astype(ml_dtypes.int4))
    own_type = "float16" if dtype == "float32" else dtype  # CANN's x has 16 bits
    given = pa.asarray(x, dtype=own_type), narrow, pa.asarray(scales, dtype=own_type)
    out = pa.empty((width, width), own_type)
    group = 0 if bits == 8 else _GROUP

    def ours() -> Any:
        return pa.ops.weight_quant_batch_matmul_v2(
            *given, None, None, None, None, group, out=out
        )  # fmt: skip

    if torch is None:
        return ours, None
    element = getattr(torch, dtype)
    left, whole = torch.from_numpy(x).to(element), torch.from_numpy(weight)
    factors = torch.from_numpy(scales).to(element).reshape(groups, 1, width)

    def theirs() -> Any:
        restored = whole.to(element).reshape(groups, -1, width).mul_(factors)
        return left @ restored.reshape(width, width)

    return ours, theirs


def _experts(count: int, dtype: str, width: int, torch: Any) -> Contenders:
    """Rows in groups of uneven sizes with a matrix each, PyTorch's one after another."""
    ends = (_ROWS * (np.arange(1, count + 1) / count) ** 2).astype(np.int64)
    x, weight = _normal(_ROWS, width), _normal(width, width) / 32
    group_list = pa.asarray(ends)
    # Values may be the same, not memory: caches would hold one matrix.
    stacked = pa.asarray(np.broadcast_to(weight, (count, width, width)), dtype=dtype)
    given = [pa.asarray(x, dtype=dtype)], [stacked]
    out = [pa.empty((_ROWS, width), dtype)]

    def ours() -> Any:
        pa.ops.grouped_matmul_v4(
            *given, group_list_optional=group_list, split_item=3, group_type=0, act_type=0,
            out=(out, None, None),
        )  # fmt: skip
        return out[0]

    if torch is None:
        return ours, None
    element = getattr(torch, dtype)
    rows = torch.from_numpy(x).to(element)
    matrices = torch.from_numpy(weight).to(element).expand(count, width, width).clone()
    result = torch.empty(_ROWS, width, dtype=element)
    places = list(zip([0, *ends[:-1].tolist()], ends.tolist(), matrices, strict=True))

    def theirs() -> Any:
        for begin, end, matrix in places:
            if end > begin:
                torch.mm(rows[begin:end], matrix, out=result[begin:end])
        return result

    return ours, theirs


def _rows(dtype: str, width: int, torch: Any) -> Contenders:
    """Rows to int8, each by its largest magnitude."""
    x = _normal(width, width)
    given = pa.asarray(x, dtype=dtype)
    out = pa.empty((width, width), "int8"), pa.empty((width,))

    def ours() -> Any:
        return pa.ops.dynamic_quant(given, None, out=out)[0]

    if torch is None:
        return ours, None
    values = torch.from_numpy(x).to(getattr(torch, dtype))

    def theirs() -> Any:
        scale = values.abs().amax(1, keepdim=True).float() / 127
        return (values / scale).round_().to(torch.int8)

    return ours, theirs


def _copied(nbytes: int) -> Batch:
    """Return a copy that reads and writes as many bytes as are told, by as many threads."""
    source = np.ones(nbytes // 2, np.uint8)
    return Bandwidth().memcpy(source.copy(), source, threads())


#: Name -> what makes its contenders of a width and PyTorch's module. Weights beside PyTorch's
#: float32 are float16 here: its product of float16 takes a hundred times as long.
_KINDS: dict[str, Callable[[int, Any], Contenders]] = {
    "int8 to int32": partial(_bytes, "int32"),
    "int8 to float16": partial(_bytes, "float16"),
    **{
        f"int{bits} weights of {dtype}": partial(_weights, bits, dtype)
        for bits in (8, 4)
        for dtype in ("float32", "bfloat16")
    },
    **{
        f"{count} experts of {dtype}": partial(_experts, count, dtype)
        for count in (8, 64)
        for dtype in ("float32", "bfloat16")
    },
    **{f"rows of {dtype} to int8": partial(_rows, dtype) for dtype in ("float16", "bfloat16")},
}
#: Kind and width; 64 matrices of 4,096 columns would take 4 GiB.
QUANTISED = tuple(
    f"{kind} {width}"
    for kind in _KINDS
    for width in (1024, 2048, 4096)
    if width <= 2048 or not kind.startswith("64")
)


def quantised(name: str, rounds: int = 7) -> dict[str, float]:
    """Measure calls a second, beside PyTorch's on as many threads; a copy moves as many bytes.

    Raises
    ------
    RuntimeError
        If PyTorch's results are other ones: the two would not be comparable.
    """
    kind, _, width = name.rpartition(" ")
    torch = None
    with contextlib.suppress(LookupError):
        torch = ready_torch()
    ours, theirs = _KINDS[kind](int(width), torch)
    stream = pa.current_stream()

    def run(times: int) -> None:
        for _ in range(times):
            ours()
        stream.sync()

    batches: dict[str, Batch] = {"pyaclnn": run}
    if theirs is not None:
        _compare(name, ours(), theirs())
        batches["torch"] = _repeated(theirs)
    if kind.startswith("rows"):
        with contextlib.suppress(LookupError):
            batches["copy"] = _copied(3 * int(width) ** 2)
    times = interleave(batches, quiet, calls=1, rounds=rounds)
    return {label: 1e6 / microseconds for label, microseconds in times.items()}


def _repeated(call: Call) -> Batch:
    def run(times: int) -> None:
        for _ in range(times):
            call()

    return run


def _compare(name: str, ours: pa.Tensor, theirs: Any) -> None:
    """Both by their own largest values: one may have a scale."""
    own, other = ours.numpy().astype(np.float32), theirs.float().numpy()
    own, other = own / np.abs(own).max(), other / np.abs(other).max()
    if not np.abs(own - other).max() <= _TOLERANCE:
        raise RuntimeError(f"{name}: PyTorch gives something else")
