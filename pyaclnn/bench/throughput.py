"""The throughput of operators and copies beyond the caches, compared with memory bandwidth."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.bandwidth import Bandwidth
from pyaclnn.bench.measure import Batch, interleave, quiet, ready_torch, threads

#: 16 Mi elements, with rows for softmax.
_SHAPE = (1 << 14, 1 << 10)
#: Calls after which the C library gives PyTorch memory that is in use, where it allocates.
_WARM_UP = 10
_DTYPES = ("float32", "float16", "bfloat16")


@dataclass(frozen=True, slots=True)
class Streamed:
    """An operator that reads two tensors and writes a third of the same shape.

    Attributes
    ----------
    numbers : tuple
        Arguments after the two tensors.
    torch : callable
        Computes the same with PyTorch: (torch, gradient, tensor, kept output).
    """

    numbers: tuple[float, ...]
    torch: Callable[[Any, Any, Any, Any], Any]


def _torch_softmax(torch: Any, grad: Any, y: Any, out: Any) -> Any:
    return torch.ops.aten._softmax_backward_data.out(grad, y, 1, y.dtype, grad_input=out)


def _torch_selu(torch: Any, grad: Any, y: Any, out: Any) -> Any:
    alpha, scale = 1.6732632423543772, 1.0507009873554805
    return torch.ops.aten.elu_backward.grad_input(grad, alpha, scale, 1.0, True, y, grad_input=out)


#: Python name -> how it is measured. PyTorch writes to kept memory too: nobody pays for new pages.
#: Its hardswish with ``out=`` would compute into new memory and copy, so it gets to allocate.
STREAMED: dict[str, Streamed] = {
    "softshrink_backward": Streamed(
        (0.5,),
        lambda torch, g, x, out: torch.ops.aten.softshrink_backward.grad_input(
            g, x, 0.5, grad_input=out
        ),
    ),
    "threshold_backward": Streamed(
        (0.5,),
        lambda torch, g, x, out: torch.ops.aten.threshold_backward.grad_input(
            g, x, 0.5, grad_input=out
        ),
    ),
    "hardswish_backward": Streamed(
        (), lambda torch, g, x, out: torch.ops.aten.hardswish_backward(g, x)
    ),
    "softmax_backward": Streamed((1,), _torch_softmax),
    "selu_backward": Streamed((), _torch_selu),
}


def throughput(operator: str, rounds: int = 9) -> dict[str, float]:
    """GB/s at 16 Mi elements for each dtype, beside a triad and PyTorch, on as many threads."""
    results: dict[str, float] = {}
    for dtype in _DTYPES:
        batches = {"pyaclnn": _pyaclnn(operator, dtype)}
        nbytes = _SHAPE[0] * _SHAPE[1] * pa.tensor.as_dtype(dtype).itemsize
        with contextlib.suppress(LookupError):
            bandwidth = Bandwidth()
            batches["triad"] = bandwidth.triad(nbytes, streaming=False)
            batches["streaming triad"] = bandwidth.triad(nbytes, streaming=True)
        with contextlib.suppress(LookupError):
            batches["torch"] = _torch(operator, dtype)
        times = interleave(batches, quiet, calls=1, rounds=rounds)
        results |= {f"{dtype} {name}": 3 * nbytes / t / 1e3 for name, t in times.items()}
    return results


def _pyaclnn(operator: str, dtype: str) -> Batch:
    call, stream = pa.ops[operator], pa.current_stream()
    values = np.linspace(-2, 2, _SHAPE[0] * _SHAPE[1], dtype=np.float32).reshape(_SHAPE)
    grad, x, out = (pa.asarray(values, dtype=dtype) for _ in range(3))
    numbers = STREAMED[operator].numbers

    def run(times: int) -> None:
        for _ in range(times):
            call(grad, x, *numbers, out=out)
        stream.sync()

    return run


def _torch(operator: str, dtype: str) -> Batch:
    torch = ready_torch()
    grad = torch.linspace(-2, 2, _SHAPE[0] * _SHAPE[1]).reshape(_SHAPE).to(getattr(torch, dtype))
    x, out = grad.clone(), grad.clone()
    function = STREAMED[operator].torch

    def run(times: int) -> None:
        with torch.no_grad():
            for _ in range(times):
                function(torch, grad, x, out)

    run(_WARM_UP)
    return run


def copies(nbytes: int = 1 << 26, rounds: int = 15) -> dict[str, float]:
    """GB/s of copies of 64 MiB between host and device, and of memcpy, all memory in use before."""
    source = np.ones(nbytes, np.uint8)
    other = source.copy()
    tensor = pa.asarray(source)

    def upload(times: int) -> None:
        for _ in range(times):
            tensor.copy_from(source)

    def download(times: int) -> None:
        for _ in range(times):
            tensor.numpy(out=other)

    batches: dict[str, Batch] = {}
    with contextlib.suppress(LookupError):
        bandwidth = Bandwidth()
        batches["memcpy"] = bandwidth.memcpy(other, source)
        batches["threaded memcpy"] = bandwidth.memcpy(other, source, threads())
    batches |= {"host to device": upload, "device to host": download}
    times = interleave(batches, quiet, calls=1, rounds=rounds)
    return {name: nbytes / t / 1e3 for name, t in times.items()}
