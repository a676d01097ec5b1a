"""A forward operator and its gradient, for tests of derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyaclnn as pa

Tensors = dict[str, pa.Tensor]


@dataclass(frozen=True)
class Pair:
    """A forward operator and its gradient.

    Attributes
    ----------
    shapes : dict
        Of the tensors it is differentiated by, in the order of the gradients.
    forward : callable
        These tensors to all results, the first of which is differentiated.
    backward : callable
        The gradient, the tensors and all results of the forward operator to the gradients.
    distinct : bool
        Whether elements must lie apart, for they are compared with one another.
    """

    shapes: dict[str, tuple[int, ...]]
    forward: Callable[[Tensors], tuple[pa.Tensor, ...]]
    backward: Callable[[pa.Tensor, Tensors, tuple[pa.Tensor, ...]], tuple[pa.Tensor, ...]]
    distinct: bool = False


def tupled(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)
