"""Gathering, scattering, counting and searching, compared with PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from pyaclnn.bench.mechanisms import SORTED, Arguments, Mechanism, Shape, values

_FLOAT = ("float32",)
_FEW = ("float32", "float16")

#: Rows of a table, and as many numbers.
_TABLE: Shape = (1 << 14, 1 << 8)
_LINE: Shape = (1 << 10, 1 << 10)


def _numbers(extent: int, *shape: int) -> npt.NDArray[np.int64]:
    """Return numbers below an extent, in no order; some of them repeat."""
    tangled = np.arange(int(np.prod(shape)), dtype=np.uint64) * np.uint64(2654435761)
    found: npt.NDArray[np.int64] = (tangled >> np.uint64(7)).astype(np.int64) % extent
    return found.reshape(shape)


def _orders(shape: Shape) -> npt.NDArray[np.int64]:
    """Return the numbers of a row's columns, each once in every row."""
    rows, columns = shape
    shift = np.arange(rows)[:, None] * 7
    return np.asarray((np.arange(columns) * 17 + shift) % columns)


def _rows(*between: Any) -> Arguments:
    """Make arguments of a table, what lies between, and numbers of its rows."""
    return lambda shape, _: (values(*shape), *between, _numbers(shape[0], shape[0]))


def _elements(dim: int, *more: str) -> Arguments:
    """Make arguments of a table, a dimension, numbers for each element, and as many values."""

    def given(shape: Shape, _: str) -> tuple[Any, ...]:
        index = _orders(shape) if dim else _numbers(shape[0], *shape)
        return values(*shape), dim, index, *(values(*shape) for _ in more)

    return given


def _function(name: str) -> Callable[..., Any]:
    return lambda torch, *given, **out: getattr(torch, name)(*given, **out)


def _summed(shape: Shape, _: str) -> tuple[Any, ...]:
    return (*_rows(0)(shape, _), values(*shape), 1.0)


def _embedding(torch: Any, table: Any, numbers: Any, **out: Any) -> Any:
    return torch.index_select(table, 0, numbers, **out) if out else table[numbers]


def _whole(count: int) -> Arguments:
    return lambda shape, _: (np.floor(values(*shape).reshape(-1) * count).astype(np.int32),)


def _different(torch: Any, x: Any, *_: Any) -> Any:
    return torch.unique(x, return_inverse=True, return_counts=True)


def _placed(torch: Any, edges: Any, x: Any, *_: Any, **out: Any) -> Any:
    return torch.searchsorted(edges, x, **out)


INDEXING = (
    Mechanism("embedding", _rows(), _embedding, "", _TABLE, _FEW),
    Mechanism("index_select", _rows(0), _function("index_select"), "rows", _TABLE, _FEW),
    Mechanism(
        "index_select", lambda s, _: (values(*s), 1, _numbers(s[1], s[1])),
        _function("index_select"), "columns", _TABLE, _FLOAT,
    ),
    Mechanism("gather", _elements(1), _function("gather"), "rows", _LINE, _FEW),
    Mechanism("gather", _elements(0), _function("gather"), "columns", _LINE, _FLOAT),
    Mechanism(
        "scatter", lambda s, d: (*_elements(1, "src")(s, d), 0),
        lambda torch, x, dim, index, src, _, **out: torch.scatter(x, dim, index, src, **out),
        "rows", _LINE, _FEW,
    ),
    Mechanism(
        "scatter_add", _elements(1, "src"), _function("scatter_add"), "rows", _LINE, _FEW
    ),
    Mechanism(
        "scatter_add", _elements(0, "src"), _function("scatter_add"), "columns", _LINE, _FLOAT
    ),
    Mechanism(
        "index_add", _summed,
        lambda torch, x, dim, index, source, alpha, **out: torch.index_add(
            x, dim, index, source, **out
        ),
        "rows", _TABLE, _FEW,
    ),
    Mechanism(
        "masked_select", lambda s, _: (values(*s), values(*s) > 1),
        lambda torch, x, mask: torch.masked_select(x, mask), "", _LINE, _FEW, writes=False,
    ),
    Mechanism(
        "unique2", lambda s, d: (*_whole(1000)(s, d), True, True, True), _different, "",
        SORTED, ("int32",), writes=False, share=0.7,
    ),
    Mechanism(
        "search_sorted",
        lambda s, _: (np.sort(values(1, 4096), axis=-1)[0], values(*s), False, False, None),
        _placed, "", _LINE, _FLOAT,
    ),
)  # fmt: skip
