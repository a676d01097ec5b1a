"""Pairs for comparison with PyTorch: an operator's arguments, and PyTorch's function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

#: PyTorch's module and the operator's arguments -> a function and what to call it with.
TorchCall = Callable[..., tuple[Any, ...]]

#: 4 Mi elements as a matrix, as images, as volumes.
MATRIX = (2048, 2048)
IMAGES = (8, 32, 128, 128)
VOLUMES = (4, 16, 16, 64, 64)

#: PyTorch's and CANN's numbers of reductions.
MEAN, SUM = 1, 2

_rng = np.random.default_rng(0)


@dataclass(frozen=True, slots=True)
class Pair:
    """An operator and its counterpart in PyTorch.

    Attributes
    ----------
    operator : str
        Python name.
    arguments : callable
        Makes the operator's arguments, with NumPy arrays where it takes tensors.
    torch : callable
        Called with PyTorch's module and the arguments, with tensors of PyTorch; returns a function
        of PyTorch followed by its arguments. Only that call is measured.
    format : str
        Format of all tensors where it matters, such as ``"ND"``.
    label : str
        Tells pairs of one operator apart.
    chip : str
        The simulated chip, where only some have the operator.
    """

    operator: str
    arguments: Callable[[], tuple[Any, ...]]
    torch: TorchCall
    format: str = ""
    label: str = ""
    chip: str = ""

    @property
    def name(self) -> str:
        """The operator and the label."""
        return f"{self.operator} {self.label}".rstrip()


def operands(torch: Any, arguments: tuple[Any, ...]) -> list[Any]:
    """Return the arguments with tensors of PyTorch in place of arrays, in lists as well."""
    return with_tensors(arguments, torch.from_numpy)


def with_tensors(arguments: Iterable[Any], made: Callable[[Array], Any]) -> list[Any]:
    """Return the arguments with what is made of arrays in their place, in lists as well."""
    return [
        made(a) if isinstance(a, np.ndarray) else with_tensors(a, made) if _is_list(a) else a
        for a in arguments
    ]


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], np.ndarray)


def aten(name: str) -> TorchCall:
    """Name a function of ``torch.ops.aten`` that takes the operator's arguments in their order."""
    return lambda torch, *arguments: (getattr(torch.ops.aten, name), *arguments)


def gradients(torch: Any, forward: Callable[..., Any], grad: Any, *inputs: Any) -> tuple[Any, ...]:
    """Differentiate a function by all its inputs; the function itself is not measured."""
    leaves = [tensor.detach().clone().requires_grad_() for tensor in inputs]
    output = forward(*leaves)

    def backward() -> Any:
        return torch.autograd.grad(output, leaves, grad, retain_graph=True)

    return (backward,)


def normal(*shape: int) -> Array:
    """Return standard normal values."""
    return _rng.standard_normal(shape, dtype=np.float32)


def uniform(low: float, high: float, *shape: int) -> Array:
    """Return uniform values."""
    return (low + (high - low) * _rng.random(shape, dtype=np.float32)).astype(np.float32)


def integers(below: int, *shape: int) -> Array:
    """Return integers from 0 on, of 64 bits."""
    return _rng.integers(0, below, shape)


def softmax(values: Array) -> Array:
    """Return the softmax over the last dimension."""
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
