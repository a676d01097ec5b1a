"""Output rules of the operators that are rows of ``pyaclnn/table``."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pyaclnn.abi.declarations import nearest_hint
from pyaclnn.ops.rules import (
    activation,
    attention_shapes,
    chosen_shapes,
    embedding,
    linalg_shapes,
    masked_shapes,
    measured_shapes,
    moved_shapes,
    statistics,
    windows,
)
from pyaclnn.ops.rules.common import Broadcast, Description, EachLike, Like, Rule
from pyaclnn.table.types import BY_VALUE
from pyaclnn.table.types import RULES as TYPE_RULES
from pyaclnn.tensor import Tensor, as_dtype
from pyaclnn.tensor.dtypes import dtype_of_code

Shape = tuple[int, ...]


def like(tensor: Tensor) -> Shape:
    """Return the shape of an argument."""
    return tensor.shape


def like_given(tensor: Tensor | None) -> Shape | None:
    """Return the shape of an argument; there is no output where it is left out."""
    return None if tensor is None else tensor.shape


def like_first(tensors: Sequence[Tensor]) -> Shape:
    """Return the shape of the first tensor of a list."""
    return tensors[0].shape


def broadcast(*tensors: Tensor) -> Shape:
    """Return the NumPy broadcast shape of all."""
    first = tensors[0].shape
    if all(t.shape == first for t in tensors):
        return first
    return np.broadcast_shapes(*(t.shape for t in tensors))


def broadcast_list(tensors: Sequence[Tensor]) -> Shape:
    """Return the NumPy broadcast shape of a list's tensors."""
    return broadcast(*tensors)


def broadcast_of_given(*tensors: Tensor | None) -> Shape:
    """Return the NumPy broadcast shape of those that are given."""
    return broadcast(*(t for t in tensors if t is not None))


def product(a: Tensor, b: Tensor) -> Shape:
    """Return the shape of a matrix product, as NumPy's matmul has it."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return (*batch, *a.shape[-2:-1], *(b.shape[-1:] if b.ndim > 1 else ()))


def scalar() -> Shape:
    """Return the shape of one number."""
    return ()


def one() -> Shape:
    """Return the shape of one number in a list."""
    return (1,)


def nll_loss(target: Tensor, reduction: int) -> Shape:
    """Return the shape of a loss for each row, or of their sum or mean."""
    return target.shape if reduction == 0 else ()


def nll_loss_2d(target: Tensor, reduction: int) -> Shape:
    """Return the shape of a loss for each place of images, or of a list of their sum or mean."""
    return target.shape if reduction == 0 else (1,)


def loss_of_samples(tensor: Tensor, reduction: int) -> Shape:
    """Return the shape of a loss for each row of scores, or of their sum or mean."""
    return tensor.shape[:-1] if reduction == 0 else ()


def rows(tensor: Tensor) -> Shape:
    """Return the number of rows."""
    return tensor.shape[:1]


def samples(log_probs: Tensor) -> Shape:
    """Return the number of samples, which lie between times and classes; none of a single one."""
    return log_probs.shape[1:-1]


def alignments(log_probs: Tensor, lengths: Sequence[int]) -> Shape:
    """Return the shape of samples, times, and labels with blanks around them in blocks of 8."""
    batch = log_probs.shape[1] if log_probs.ndim > 2 else 1
    return (batch, *log_probs.shape[:1], (2 * max((0, *lengths)) + 8) // 8 * 8)


def loss_of_rows(tensor: Tensor, reduction: str | None) -> Shape:
    """Return the shape of a loss for each row, or of a list of their sum or mean."""
    return tensor.shape[:1] if reduction == "none" else (1,)


def reduced(tensor: Tensor, dims: int | Sequence[int] | None, keep: bool) -> Shape:
    """Return the shape without some axes, all where none is named, or with 1 in their place."""
    named = (dims,) if isinstance(dims, int) else tuple(dims or range(tensor.ndim))
    gone = {d % max(tensor.ndim, 1) for d in named}
    return tuple(1 if i in gone else n for i, n in enumerate(tensor.shape) if keep or i not in gone)


def reduced_unless(tensor: Tensor, dims: Sequence[int], keep: bool, none: bool = True) -> Shape:
    """Return the same, or the shape itself where no axis is named and that means none."""
    return tensor.shape if none and not dims else reduced(tensor, dims, keep)


def loss(first: Tensor, second: Tensor, reduction: int) -> Shape:
    """Return the shape of a loss for each element, or of their sum or mean."""
    return broadcast(first, second) if reduction == 0 else ()


def loss_of_first(first: Tensor, second: Tensor, reduction: int) -> Shape:
    """Return the shape of a loss whose sum or mean is taken over the first dimension."""
    shape = broadcast(first, second)
    return shape if reduction == 0 else shape[1:]


def half(tensor: Tensor, dim: int) -> Shape:
    """Return the shape with half the extent of one dimension."""
    shape = list(tensor.shape)
    if -len(shape) <= dim < len(shape):
        shape[dim] //= 2
    return tuple(shape)


def half_of_last(tensor: Tensor) -> Shape:
    """Return the shape with half the extent of the last dimension."""
    return half(tensor, -1)


def permuted(tensor: Tensor, dims: Sequence[int]) -> Shape:
    """Return the shape with its dimensions in another order."""
    rank = tensor.ndim
    return tuple(tensor.shape[d] if -rank <= d < rank else 1 for d in dims)


def selected(tensor: Tensor, dim: int, index: Tensor) -> Shape:
    """Return the shape with a slice for each number of an index."""
    shape = list(tensor.shape)
    if -len(shape) <= dim < len(shape):
        shape[dim] = index.size
    return tuple(shape)


def sliced(tensor: Tensor, dim: int, start: int, end: int, step: int) -> Shape:
    """Return the shape of a slice along one dimension."""
    shape = list(tensor.shape)
    if -len(shape) <= dim < len(shape) and step > 0:
        shape[dim] = len(range(*slice(start, end, step).indices(shape[dim])))
    return tuple(shape)


def mask_bytes(shape: Sequence[int]) -> Shape:
    """Return the shape of a mask with a bit for each element, in multiples of 128 bits."""
    return (-(-math.prod(shape) // 128) * 16,)


def mask_of(tensor: Tensor) -> Shape:
    """Return the shape of the mask of a tensor."""
    return mask_bytes(tensor.shape)


def repeated(tensor: Tensor, repeats: Sequence[int]) -> Shape:
    """Return the shape of a tensor that is repeated in each dimension."""
    shape = (1,) * (len(repeats) - tensor.ndim) + tensor.shape
    return tuple(n * r for n, r in zip(shape, repeats, strict=False))


#: What a row names -> the shape, from the arguments it names beside.
SHAPES: dict[str, Callable[..., Shape | None]] = {
    **activation.SHAPES,
    **masked_shapes.SHAPES,
    **measured_shapes.SHAPES,
    **moved_shapes.SHAPES,
    "like": like,
    "like_first": like_first,
    "like_given": like_given,
    "alignments": alignments,
    "loss_of_rows": loss_of_rows,
    "loss_of_samples": loss_of_samples,
    "mask_bytes": mask_bytes,
    "mask_of": mask_of,
    "nll_loss": nll_loss,
    "nll_loss_2d": nll_loss_2d,
    "rows": rows,
    "samples": samples,
    "one": one,
    "broadcast": broadcast,
    "half": half,
    "half_of_last": half_of_last,
    "loss": loss,
    "loss_of_first": loss_of_first,
    "broadcast_list": broadcast_list,
    "broadcast_of_given": broadcast_of_given,
    "product": product,
    "permuted": permuted,
    "reduced": reduced,
    "reduced_unless": reduced_unless,
    "repeated": repeated,
    "selected": selected,
    "sliced": sliced,
    "scalar": scalar,
    **attention_shapes.SHAPES,
    **linalg_shapes.SHAPES,
    **chosen_shapes.SHAPES,
    **embedding.SHAPES,
    **statistics.SHAPES,
    **windows.SHAPES,
}


def dtype_name(value: Any) -> str:
    """Return the dtype of an argument: a tensor's, or that of the aclScalar a number becomes.

    That of a list is its first tensor's.
    """
    if isinstance(value, list | tuple) and value:
        return dtype_name(next((item for item in value if item is not None), None))
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        return str(dtype.name)
    for kind, name in ((bool, "bool"), (int, "int64"), (float, "float64")):
        if isinstance(value, kind):
            return name
    return "complex128"


def seen_by_rules(name: str, value: Any) -> Any:
    """Return what rules for types see of an argument: its dtype, or the value of a mode."""
    return value if name in BY_VALUE or value is None else dtype_name(value)


def _given_dtype(value: Any) -> np.dtype[Any]:
    """Return the dtype an argument names: as NumPy does, or by CANN's number."""
    return dtype_of_code(value) if isinstance(value, int) else as_dtype(value)


class ShapeRule:
    """The shape of an output: a rule of this module and what it reads."""

    def __init__(self, text: str) -> None:
        rule, *read = text.split()
        if rule not in SHAPES:
            raise LookupError(f"{rule!r} is no rule for a shape{nearest_hint(rule, SHAPES)}")
        self._rule = SHAPES[rule]
        self.reads = tuple(read)

    def __call__(self, arguments: Mapping[str, Any]) -> Shape | None:
        """Return the shape for these arguments; None for an output that is left out."""
        return self._rule(*(arguments[name] for name in self.reads))


class DtypeRule:
    """The dtype of an output: a rule of types.py and what it reads, a dtype, or a given one."""

    def __init__(self, text: str) -> None:
        rule, *read = text.split()
        self.reads = tuple(read)
        if read and rule != "given" and rule not in TYPE_RULES:
            raise LookupError(f"{rule!r} is no rule for a dtype{nearest_hint(rule, TYPE_RULES)}")
        self._rule = TYPE_RULES[rule] if read and rule != "given" else None
        self._name = None if read else rule

    def __call__(self, arguments: Mapping[str, Any]) -> np.dtype[Any]:
        """Return the dtype for these arguments."""
        if self._name is not None:
            return as_dtype(self._name)
        values = [arguments[name] for name in self.reads]
        if self._rule is None:
            return _given_dtype(values[0])
        types = [seen_by_rules(n, v) for n, v in zip(self.reads, values, strict=True)]
        # Without a common dtype CANN refuses the call, so any dtype is returned.
        return as_dtype(self._rule(*types) or types[0])


class FromTable:
    """Shape and dtype as a row says them."""

    def __init__(self, shape: str, dtype: str) -> None:
        self._shape = ShapeRule(shape)
        self._dtype = DtypeRule(dtype)
        self.reads = tuple(dict.fromkeys((*self._shape.reads, *self._dtype.reads)))

    def __call__(self, arguments: Mapping[str, Any]) -> Description | None:
        """Return the description for these arguments; None for an output that is left out."""
        shape = self._shape(arguments)
        return None if shape is None else (shape, self._dtype(arguments))


def rule(shape: str, dtype: str) -> Rule:
    """Return the rule that the texts of a row say."""
    kind, _, name = shape.partition(" ")
    if kind in ("each", "number_of_each"):
        return EachLike(name, number=kind != "each")
    # The simplest rules are classes, which the compiled call inlines.
    if (shape, dtype) == (f"broadcast {name}", f"common_or_float32 {name}"):
        return Broadcast(*name.split())
    return (
        Like(name)
        if (shape, dtype) == (f"like {name}", f"same {name}")
        else FromTable(shape, dtype)
    )
