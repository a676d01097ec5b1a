"""The operators whose calls are measured: the five of the README, and other kinds of signatures."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import pyaclnn as pa

#: Arguments in C order: arrays stand for tensors, lists of arrays for lists of tensors.
Arguments = tuple[Any, ...]
#: A function, looked up ahead, and what it is called with.
Prepared = tuple[Callable[..., Any], Arguments]


@dataclass(frozen=True, slots=True)
class Subject:
    """An operator to measure.

    Attributes
    ----------
    operator : str
        Python name.
    arguments : callable
        Number of elements of the main tensors to the operator's inputs, of float32.
    torch : callable
        The same with PyTorch: (torch, inputs as its tensors) to a function and its arguments.
    """

    operator: str
    arguments: Callable[[int], Arguments]
    torch: Callable[..., Prepared]

    def inputs(self, size: int, dtype: str) -> Arguments:
        """Return the inputs of a call with tensors, whose descriptors exist."""
        return converted(self.arguments(size), lambda array: _tensor(array, dtype))

    def outputs(self, inputs: Arguments) -> tuple[Any, ...]:
        """Return outputs for a call, whose descriptors exist."""
        stream = pa.current_stream()
        outputs = pa.ops[self.operator].prepare_outputs(inputs, None, stream)
        for tensor in outputs:
            if tensor is not None:
                _ = tensor.handle
        return outputs

    def torch_inputs(self, torch: Any, size: int, dtype: str) -> Arguments:
        """Return the inputs with tensors of PyTorch's."""
        element = getattr(torch, dtype)
        return converted(self.arguments(size), lambda a: torch.from_numpy(a).to(element))


_serial = itertools.count(1)


def unplanned_size(size: int) -> int:
    """Return a size near to a small one that no plan had before.

    The operator cache refuses to repeat what was planned before; a size of its own avoids that.
    """
    return size + next(_serial) if size < 1024 else size


def converted(arguments: Sequence[Any], convert: Callable[[Any], Any]) -> Arguments:
    """Convert arrays, and arrays in lists."""

    def one(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return convert(value)
        if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
            return [convert(item) for item in value]
        return value

    return tuple(one(value) for value in arguments)


def _tensor(array: Any, dtype: str) -> pa.Tensor:
    tensor = pa.asarray(array, dtype=dtype)
    _ = tensor.handle
    return tensor


def _ramp(*shape: int) -> np.ndarray[Any, Any]:
    return np.linspace(-2, 2, int(np.prod(shape))).astype(np.float32).reshape(shape)


def _two(*more: Any) -> Callable[[int], Arguments]:
    """Two tensors of one shape, and plain arguments."""
    return lambda size: (_ramp(size), _ramp(size), *more)


def _layer_norm(size: int) -> Arguments:
    rows, statistics = _ramp(1, size), np.ones((1, 1), np.float32)
    weight = np.ones(size, np.float32)
    return rows, rows, [size], 0 * statistics, statistics, weight, weight, [True, True, True]


def _cat(size: int) -> Arguments:
    return [_ramp(size // 2), _ramp(size - size // 2)], 0


def _torch_softmax(torch: Any, grad: Any, y: Any, dim: int) -> Prepared:
    return torch.ops.aten._softmax_backward_data, (grad, y, dim, y.dtype)


def _torch_selu(torch: Any, grad: Any, y: Any) -> Prepared:
    alpha, scale = 1.6732632423543772, 1.0507009873554805
    return torch.ops.aten.elu_backward, (grad, alpha, scale, 1.0, True, y)


SUBJECTS = (
    Subject(
        "softshrink_backward", _two(0.5), lambda torch, *a: (torch.ops.aten.softshrink_backward, a)
    ),
    Subject(
        "threshold_backward", _two(0.5), lambda torch, *a: (torch.ops.aten.threshold_backward, a)
    ),
    Subject("hardswish_backward", _two(), lambda torch, *a: (torch.ops.aten.hardswish_backward, a)),
    Subject("softmax_backward", _two(0), _torch_softmax),
    Subject("selu_backward", _two(), _torch_selu),
    # Nine tensors, two arrays.
    Subject(
        "layer_norm_backward",
        _layer_norm,
        lambda torch, *a: (torch.ops.aten.native_layer_norm_backward, a),
    ),
    # A list of tensors.
    Subject("cat", _cat, lambda torch, *a: (torch.cat, a)),
)
