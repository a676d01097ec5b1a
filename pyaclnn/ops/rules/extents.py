"""Shapes from shapes, for what no single expression says: functions that the tables may call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Shape = tuple[int, ...]


def _named(query: Shape, layout: str, heads: int) -> dict[str, int]:
    """Return the extents of a query by the letters of its layout; H is all heads, each of D."""
    if len(layout) != len(query):
        raise ValueError(f"shape {query} is not of layout {layout}")
    extents = dict(zip(layout, query, strict=True))
    if "H" in extents:
        extents |= {"N": heads, "D": extents["H"] // max(heads, 1)}
    return extents


def attention(
    query: Shape, value: Shape, layout: str, heads: int, value_heads: int = 0, paged: bool = False,
    in_word: int = 1,
) -> Shape:  # fmt: skip
    """Return the shape of an attention: the query's, with the head size of the value.

    ``layout`` names the query's axes, and after an underscore those of the output, if they differ.
    An element of the value holds ``in_word`` numbers.
    """
    given, _, wanted = layout.partition("_")
    extents = _named(query, given, heads)
    if paged and len(value) == 5:  # [blocks, heads, D / 16, block, 16]
        size = value[2] * value[4]
    elif paged and len(value) == 4:  # [blocks, heads, block, D]
        size = value[-1]
    elif "H" in given or (paged and len(value) == 3):
        size = value[-1] // max(value_heads or heads, 1)
    else:
        size = value[-1]
    size *= in_word
    extents |= {"D": size, "H": extents.get("N", heads) * size}
    return tuple(extents[letter] for letter in wanted or given)


def softmax_statistics(query: Shape, layout: str, heads: int, last: int) -> Shape:
    """Return the shape of the maxima or sums of the softmax of each query."""
    given = layout.partition("_")[0]
    extents = _named(query, given, heads)
    if "T" in given:
        return extents["T"], heads, last
    return extents.get("B", 1), heads, extents["S"], last


def core_plan(batch: int, sums: Shape | None, used: Shape | None, heads: int) -> int:
    """Return how long the plan of an attention is: each head of a sequence may be cut anew."""
    if batch <= 0:
        batch = sums[0] - 1 if sums else (used or (1,))[0]
    entry, cores, block = 16, 36 + 72, 4096
    return -(-(cores * batch * heads + 1) * entry // block) * block


def compressed(length: int, block: int, stride: int) -> int:
    """Return how many blocks a sequence is compressed to."""
    return (length - block) // stride + 1 if length >= block else 0


def lengths(sums: Sequence[int]) -> list[int]:
    """Return the lengths that running sums are of."""
    return [end - start for start, end in zip((0, *sums), sums, strict=False)]


def grouped_product(
    x: Sequence[Shape],
    weight: Sequence[Shape],
    groups: Any,
    split_item: int,
    group_type: int,
    in_word: int = 1,
) -> list[Shape]:
    """Return the shapes of a grouped matrix product.

    ``groups`` are running sums or, as a tensor, its shape; ``split_item`` 2 and 3 ask for one
    output, ``group_type`` is -1 for groups of their own, 0 for rows and 2 for the inner axis;
    ``in_word`` numbers of a weight are in one element of it.
    """
    # Words hold numbers of the depth where they were exchanged with the columns.
    weight = [(*w[:-1], w[-1] * (in_word if w[-2] == x[0][-1] else 1)) for w in weight]
    columns = weight[0][-1]
    if split_item in (2, 3):
        if group_type == 2:
            return [(len(groups) if len(groups) != 1 else groups[0], x[0][-2], columns)]
        return [(sum(one[0] for one in x), columns)]
    if group_type == 2:
        return [(x[0][-2], w[-1]) for w in weight]
    if len(x) == 1 and len(weight) > 1:
        return [(rows, w[-1]) for rows, w in zip(lengths(groups), weight, strict=True)]
    return [(*one[:-1], w[-1]) for one, w in zip(x, weight, strict=True)]


def matrix_product(a: Shape, b: Shape, transpose_a: bool, transpose_b: bool) -> Shape:
    """Return the shape of a batched matrix product, with the last two axes swapped where asked."""
    batch = np.broadcast_shapes(a[:-2], b[:-2])
    return (*batch, a[-1 if transpose_a else -2], b[-2 if transpose_b else -1])


def halved(shape: Shape, dim: int = -1) -> Shape:
    """Return a shape with half of one axis, which gates the other half."""
    return (*shape[: dim % len(shape)], shape[dim] // 2, *shape[dim % len(shape) + 1 :])


def _each(values: Sequence[int], count: int, default: int) -> Sequence[int]:
    """Return a number for each axis, of as many, one for all, or none."""
    return values if len(values) == count else (tuple(values) or (default,))[:1] * count


def window(
    extent: int, kernel: int, stride: int, padding: int, dilation: int = 1, ceil: bool = False
) -> int:
    """Return how many windows fit along an axis that is padded by ``padding`` in all.

    With ``ceil`` the last one may reach beyond the end, as long as it starts before it.
    """
    free = extent + padding - dilation * (kernel - 1) - 1
    count = (-(-free // stride) if ceil else free // stride) + 1
    return count - 1 if ceil and (count - 1) * stride >= extent + padding // 2 else count


def pooled(
    x: Shape, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], ceil: bool, count: int,
) -> Shape:  # fmt: skip
    """Return the shape of pooling the last ``count`` axes; without a stride, the kernel is it."""
    kernels = _each(kernel, count, 1)
    strides = _each(stride, count, 1) if stride else kernels
    sides = [p * 2 for p in _each(padding, count, 0)]
    if len(padding) == 2 * count:
        sides = [a + b for a, b in zip(padding[:count], padding[count:], strict=True)]
    each = zip(x[-count:], kernels, strides, sides, _each(dilation, count, 1), strict=True)
    return (*x[:-count], *(window(n, k, s, p, d, bool(ceil)) for n, k, s, p, d in each))


def recurrent_state(
    given: Shape | None, x: Shape, hidden: int, layers: int, batch_first: bool
) -> Shape:
    """Return the shape of the last state of a recurrent network: that of the first, if given."""
    return (layers, x[0 if batch_first else 1], hidden) if given is None else given


def strided(
    shape: Shape, begin: Sequence[int], end: Sequence[int], strides: Sequence[int],
    begin_mask: int, end_mask: int, ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int,
) -> Shape:  # fmt: skip
    """Return the shape of a slice whose masks say, bit by bit, what an entry is."""
    index: list[Any] = []
    for bit, (start, stop, step) in enumerate(zip(begin, end, strides, strict=True)):
        flag = 1 << bit
        if ellipsis_mask & flag:
            index.append(...)
        elif new_axis_mask & flag:
            index.append(None)
        elif shrink_axis_mask & flag:
            index.append(start)
        else:
            first = None if begin_mask & flag else start
            index.append(slice(first, None if end_mask & flag else stop, step))
    sliced: Shape = np.broadcast_to(np.int8(0), shape)[tuple(index)].shape
    return sliced


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        attention, compressed, core_plan, grouped_product, halved, lengths, matrix_product,
        pooled, recurrent_state, softmax_statistics,
    )
}  # fmt: skip
