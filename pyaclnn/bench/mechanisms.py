"""A forward operator of each mechanism compared with PyTorch's, in each floating point type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Shape = tuple[int, int]
Arguments = Callable[[Shape, str], tuple[Any, ...]]

#: 16 Mi elements in rows, and fewer for what takes more than one pass over each.
LARGE: Shape = (1 << 14, 1 << 10)
SORTED: Shape = (1 << 10, 1 << 10)
#: A small call.
SMALL: Shape = (10, 100)

_FLOATS = ("float32", "float16", "bfloat16")
_SEED = (7, 0)
_ROWS, _COLUMNS, _ALL = [1], [0], [0, 1]


@dataclass(frozen=True, slots=True)
class Mechanism:
    """An operator that represents its mechanism.

    Attributes
    ----------
    operator : str
        Python name.
    arguments : callable
        From a shape and the name of a type, its arguments in C order, with float32 arrays where
        it takes tensors of that type and other arrays as they are.
    torch : callable
        The same with PyTorch: the module and the arguments with its tensors.
    label : str
        Tells rows of one operator apart.
    large : tuple of int
        The shape of large tensors.
    dtypes : sequence of str
        The types that are measured.
    writes : bool
        Whether both write to memory that is kept, by ``out=``.
    share : float
        The share of PyTorch's speed that is asked for.
    """

    operator: str
    arguments: Arguments
    torch: Callable[..., Any]
    label: str = ""
    large: Shape = LARGE
    dtypes: Sequence[str] = _FLOATS
    writes: bool = True
    share: float = 1.0

    @property
    def name(self) -> str:
        """The operator and the label."""
        return f"{self.operator} {self.label}".rstrip()


def values(*shape: int) -> npt.NDArray[np.float32]:
    """Return numbers in (0, 2), in no order."""
    count = int(np.prod(shape))
    tangled = (np.arange(count, dtype=np.uint32) * np.uint32(2654435761)) >> np.uint32(9)
    result = np.empty(count, np.float32)
    np.divide(tangled + np.float32(0.5), np.float32(1 << 22), out=result)
    return result.reshape(shape)


def _one(*more: Any) -> Arguments:
    return lambda shape, _: (values(*shape), *more)


def _two(*more: Any) -> Arguments:
    return lambda shape, _: (values(*shape), values(*shape), *more)


def _named(name: str, operands: int | None = None) -> Callable[..., Any]:
    """PyTorch's function of that name, with the first so many of the operator's arguments."""
    return lambda torch, *given, **out: getattr(torch, name)(*given[:operands], **out)


def _nn(name: str, **how: Any) -> Callable[..., Any]:
    return lambda torch, *given, **out: getattr(torch.ops.aten, name)(*given, **how, **out)


def _cast(to: str) -> Mechanism:
    def copied(torch: Any, x: Any, to: str, out: Any = None) -> Any:
        return x.to(getattr(torch, to)) if out is None else out.copy_(x)

    return Mechanism(
        "cast", _one(to), copied, f"to {to}", dtypes=[dtype for dtype in _FLOATS if dtype != to]
    )


def _permute(torch: Any, x: Any, dims: Sequence[int], out: Any = None) -> Any:
    turned = x.permute(*dims)
    return turned.contiguous() if out is None else out.copy_(turned)


def _in_place(operator: str, method: str, *numbers: Any, share: float = 1.0) -> Mechanism:
    return Mechanism(
        operator, _one(*numbers, *(_SEED if share < 1 else ())),
        lambda torch, x, *more: getattr(x, method)(*more[: len(numbers)]), writes=False,
        share=share,
    )  # fmt: skip


def _typed(operator: str, name: str, dims: list[int], label: str) -> Mechanism:
    """Reduce along axes, into the type of the tensor."""
    return Mechanism(
        operator, lambda shape, dtype: (values(*shape), dims, False, dtype),
        lambda torch, x, *_, **out: getattr(torch, name)(x, dims, **out), label,
    )  # fmt: skip


def _both(operator: str, name: str, *more: Any, typed: bool = False) -> tuple[Mechanism, ...]:
    """Along rows, and along columns."""
    return tuple(_along(operator, name, more, typed, dim) for dim in (1, 0))


def _along(operator: str, name: str, more: tuple[Any, ...], typed: bool, dim: int) -> Mechanism:
    def given(shape: Shape, dtype: str) -> tuple[Any, ...]:
        return values(*shape), dim, *more, *([dtype] * typed)

    def call(torch: Any, x: Any, *_: Any, **out: Any) -> Any:
        return getattr(torch, name)(x, dim, *more, **out)

    return Mechanism(operator, given, call, "rows" if dim else "columns")


def _ordered(label: str) -> tuple[Mechanism, ...]:
    """Sort, and the largest few, along the last axis."""
    last = 0 if label == "line" else 1

    def given(*more: Any) -> Arguments:
        def make(large: Shape, _: str) -> tuple[Any, ...]:
            numbers = values(*large)
            return numbers.reshape(-1) if last == 0 else numbers, *more

        return make

    def sort(torch: Any, x: Any, *_: Any, **out: Any) -> Any:
        return torch.sort(x, dim=last, stable=True, **out)

    few = 10
    return (
        Mechanism("sort", given(True, last, False), sort, label, SORTED, share=0.7),
        Mechanism("topk", given(few, last, True, True), _named("topk"), label, SORTED, share=0.7),
    )


MECHANISMS = (
    *(
        Mechanism(name, _one(), _named(name))
        for name in ("exp", "log", "sqrt", "sigmoid", "tanh", "abs", "erf", "sin")
    ),
    Mechanism("relu", _one(), lambda torch, x, **out: torch.clamp_min(x, 0, **out)),
    Mechanism("silu", _one(), _nn("silu")),
    Mechanism("gelu", _one(), _nn("gelu", approximate="tanh")),
    Mechanism("mul", _two(), _named("mul")),
    Mechanism("add", _two(1.0), _named("add", 2)),
    Mechanism("adds", _one(2.0, 1.0), _named("add", 2)),
    Mechanism("div", _two(), _named("div")),
    Mechanism(
        "mul", lambda shape, _: (values(*shape), values(shape[1])), _named("mul"), "by a row"
    ),
    Mechanism("gt_scalar", _one(1.0), _named("gt")),
    Mechanism(
        "s_where",
        lambda shape, _: (values(*shape) > 1, values(*shape), values(*shape)), _named("where"),
    ),
    _cast("float32"),
    _cast("float16"),
    _cast("bfloat16"),
    _cast("int32"),
    Mechanism("inplace_copy", _two(), lambda torch, x, y: x.copy_(y), writes=False),
    _in_place("inplace_fill_scalar", "fill_", 2.0),
    Mechanism("permute", _one([1, 0]), _permute),
    Mechanism(
        "cat", lambda shape, _: ([values(shape[0], shape[1] // 2) for _ in range(2)], 1),
        _named("cat"),
    ),
    Mechanism("flip", _one([1]), _named("flip"), writes=False),
    _typed("reduce_sum", "sum", _ROWS, "rows"),
    _typed("reduce_sum", "sum", _COLUMNS, "columns"),
    _typed("reduce_sum", "sum", _ALL, "all"),
    _typed("mean", "mean", _ROWS, "rows"),
    Mechanism("amax", _one(_ROWS, False), _named("amax"), "rows"),
    Mechanism("amax", _one(_COLUMNS, False), _named("amax"), "columns"),
    *_both("max_dim", "max", False),
    *_both("arg_max", "argmax", False),
    *_both("softmax", "softmax"),
    *_both("log_softmax", "log_softmax"),
    *_both("cumsum", "cumsum", typed=True),
    *_ordered("rows"),
    *_ordered("line"),
    _in_place("inplace_uniform", "uniform_", 0.0, 1.0, share=0.7),
    _in_place("inplace_normal", "normal_", 0.0, 1.0, share=0.7),
    _in_place("inplace_bernoulli", "bernoulli_", 0.5, share=0.7),
    _in_place("inplace_random", "random_", 0, 100, share=0.7),
)  # fmt: skip
