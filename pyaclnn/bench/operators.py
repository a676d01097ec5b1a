"""Every simulated operator compared with PyTorch's CPU kernel of the same mathematics."""

from __future__ import annotations

import contextlib
import os
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.measure import Batch, interleave, quiet, ready_torch
from pyaclnn.bench.pairs import Pair, operands, with_tensors
from pyaclnn.bench.pairs_attention import ATTENTION
from pyaclnn.bench.pairs_convolution import CONVOLUTIONS
from pyaclnn.bench.pairs_forward import FORWARD
from pyaclnn.bench.pairs_gated import GATED
from pyaclnn.bench.pairs_pointwise import POINTWISE
from pyaclnn.bench.pairs_reductions import REDUCTIONS
from pyaclnn.bench.pairs_spatial import SPATIAL
from pyaclnn.bench.pairs_unmatched import UNMATCHED
from pyaclnn.tensor.formats import with_format

#: Name -> the pair that measures it; an operator may have several.
PAIRS: dict[str, Pair] = {
    pair.name: pair
    for pair in (
        *POINTWISE,
        *FORWARD,
        *REDUCTIONS,
        *SPATIAL,
        *CONVOLUTIONS,
        *GATED,
        *ATTENTION,
        *UNMATCHED,
    )
}

#: Largest difference that rounding and another order of sums explain, by the largest value.
_TOLERANCE = 2e-3


def operators(name: str, rounds: int = 5) -> dict[str, float]:
    """Milliseconds of a call at about 4 Mi float32 elements, beside PyTorch on as many threads.

    Parameters
    ----------
    name : str
        Python name of the operator, and the pair's label.
    rounds : int
        Calls of each, in turn.

    Raises
    ------
    RuntimeError
        If PyTorch's results are other ones: the two would not be comparable.
    """
    pair = PAIRS[name]
    if pair.chip:
        # The simulator reads this once, so that such a pair needs a process of its own.
        os.environ["PYACLNN_SIM_SOC"] = pair.chip
    arguments = pair.arguments()
    call, ours = _pyaclnn(pair, arguments)
    batches: dict[str, Batch] = {"pyaclnn": call}
    with contextlib.suppress(LookupError):
        batches["torch"], theirs = _torch(pair, arguments)
        _compare(name, ours, theirs)
    times = interleave(batches, quiet, calls=1, rounds=rounds)
    return {label: microseconds / 1e3 for label, microseconds in times.items()}


def _pyaclnn(pair: Pair, arguments: tuple[Any, ...]) -> tuple[Batch, list[Any]]:
    operator, stream = pa.ops[pair.operator], pa.current_stream()
    given = with_tensors(arguments, pa.asarray)
    options: dict[str, Any] = {}
    if pair.format:
        given = [_formatted(a, pair.format) if isinstance(a, pa.Tensor) else a for a in given]
        options["out"] = _formatted(pa.empty_like(given[0]), pair.format)

    def run(times: int) -> None:
        for _ in range(times):
            operator(*given, **options)
        stream.sync()

    results = operator(*given, **options)
    many = results if isinstance(results, tuple) else (results,)
    return run, [tensor.numpy() for tensor in many if tensor is not None]


def _formatted(tensor: pa.Tensor, name: str) -> pa.Tensor:
    return with_format(tensor, name, storage_shape=(tensor.size,))


def _torch(pair: Pair, arguments: tuple[Any, ...]) -> tuple[Batch, list[Any]]:
    torch = ready_torch()
    function, *given = pair.torch(torch, *operands(torch, arguments))

    def run(times: int) -> None:
        for _ in range(times):
            function(*given)

    results = function(*given)
    many = results if isinstance(results, (tuple, list)) else (results,)
    return run, [tensor.detach().numpy() for tensor in many if tensor is not None]


def _compare(name: str, ours: list[Any], theirs: list[Any]) -> None:
    if len(theirs) > len(ours):
        raise RuntimeError(f"{name}: {len(ours)} results, but {len(theirs)} of PyTorch")
    for own, other in zip(ours, theirs, strict=False):
        if own.size != other.size:
            raise RuntimeError(f"{name}: shape {own.shape}, but {other.shape} of PyTorch")
        difference = np.abs(own.reshape(-1) - other.reshape(-1)).max()
        scale = np.abs(other).max()
        if not difference <= _TOLERANCE * scale:
            raise RuntimeError(f"{name} differs from PyTorch by {difference:g} of {scale:g}")
