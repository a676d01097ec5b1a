"""Max pooling: gradients that go to the place of the maximum, and unpooling, which fetches them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pyaclnn.selftest.cases import (
    Array,
    Case,
    Operand,
    Suite,
    is_integer,
    layout_pairs,
    numpy_dtype,
    random_values,
)
from pyaclnn.selftest.chips import has_950_kernels, has_bfloat16, is_a2_or_a3
from pyaclnn.selftest.suites.pooling import (
    ADAPTIVE_2D,
    ADAPTIVE_3D,
    FLOATS,
    POOLINGS_2D,
    POOLINGS_3D,
    Pooling,
    gradients,
)
from pyaclnn.selftest.suites.pooling_reference import (
    adaptive_max_pool,
    expand,
    gather,
    max_pool,
    scatter_sums,
)

Layouts = tuple[str, str, str]
_PLAIN: Layouts = ("contiguous", "contiguous", "contiguous")


def mask_bytes(indices: Array, kernel: Sequence[int]) -> Array:
    """Return indices as the operators with a mask keep them: int32 at the start of int8 bytes."""
    height, width = expand(kernel, 2)
    places = indices.shape[-2] * indices.shape[-1]
    mask = np.zeros((*indices.shape[:-2], height * width, (-(-places // 16) + 1) * 32), np.int8)
    flat = mask.reshape(-1)
    flat[: 4 * indices.size] = indices.astype(np.int32).reshape(-1).view(np.int8)
    return mask


def _max_pool(
    dtype: str, rng: np.random.Generator, axes: int, masked: bool = False
) -> Iterator[Case]:
    def case(
        label: str, shape: tuple[int, ...], p: Pooling, dilation: Sequence[int] = (1,),
        grad: Array | None = None, layouts: Layouts = _PLAIN, out: tuple[str, ...] = (),
        index_dtype: type = np.int32,
    ) -> Case:  # fmt: skip
        x = random_values(shape, dtype, rng)
        _, indices = max_pool(
            x.astype(np.float64), p.kernel, p.stride, p.padding, p.ceil, dilation, axes
        )
        grad = gradients(indices.shape, dtype, rng, axes) if grad is None else grad
        golden = scatter_sums(grad.astype(np.float64), indices, shape, axes)
        index: Array = mask_bytes(indices, p.kernel) if masked else indices.astype(index_dtype)
        inputs = (Operand(grad, layouts[0]), Operand(x, layouts[1]), Operand(index, layouts[2]))
        attributes = (tuple(p.kernel), tuple(p.stride), tuple(p.padding), tuple(dilation), p.ceil)
        return Case(label, (*inputs, *attributes), (golden,), out)

    poolings = POOLINGS_2D if axes == 2 else POOLINGS_3D
    for shape, pooling in poolings:
        if masked and max(pooling.kernel) == 1:
            continue  # these masks are of bits
        yield case(f"{shape} {pooling}", shape, pooling)
    shape, pooling = poolings[2]
    for first, second, out in layout_pairs():
        layouts = (first, second, "contiguous" if masked else second)
        yield case(f"{first} × {second} → {out}", shape, pooling, (1,), None, layouts, (out,))
    indices: Array
    _, indices = max_pool(np.zeros(shape), pooling.kernel, pooling.stride, pooling.padding, False,
                          axes=axes)  # fmt: skip
    for special in (np.nan, np.inf, -np.inf, 0.0):
        grad = gradients(indices.shape, dtype, rng, axes)
        grad[(0,) * axes] = special
        yield case(f"{special} at a maximum", shape, pooling, (1,), grad)
    yield case("dilation of every axis", shape, pooling, (1,) * axes)
    yield case("empty batch", (0, *shape[1:]), pooling)
    if axes == 3 or has_950_kernels():
        dilation = (1, 2, 3)[:axes]
        yield case(f"dilation {dilation}", (2, 3, 9, 10, 11)[: axes + 2],
                   Pooling((3,), (2,), (1,)), dilation)  # fmt: skip
        yield case("dilation 2", (2, 2, 9, 10, 12)[: axes + 2], Pooling((2,), (1,)), (2,))
    if has_950_kernels() and not masked:
        yield case("int64 indices", shape, pooling, index_dtype=np.int64)


def _with_indices(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if has_950_kernels() or (dtype == "float32" and has_bfloat16()):
        yield from _max_pool(dtype, rng, 2)


def _with_mask(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if is_a2_or_a3():
        yield from _max_pool(dtype, rng, 2, masked=True)


def _with_argmax(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if has_bfloat16():
        yield from _max_pool(dtype, rng, 3)


def _adaptive(dtype: str, rng: np.random.Generator, axes: int) -> Iterator[Case]:
    def case(
        label: str, shape: tuple[int, ...], size: Sequence[int], grad: Array | None = None,
        layouts: Layouts = _PLAIN, out: tuple[str, ...] = (), index_dtype: type = np.int32,
    ) -> Case:  # fmt: skip
        x = random_values(shape, dtype, rng)
        _, indices = adaptive_max_pool(x.astype(np.float64), size)
        grad = gradients(indices.shape, dtype, rng, axes) if grad is None else grad
        golden = scatter_sums(grad.astype(np.float64), indices, shape, axes)
        index: Array = indices.astype(index_dtype)
        inputs = (Operand(grad, layouts[0]), Operand(x, layouts[1]), Operand(index, layouts[2]))
        return Case(label, inputs, (golden,), out)

    if not is_a2_or_a3():
        return
    windows = ADAPTIVE_2D if axes == 2 else ADAPTIVE_3D
    for shape, size in windows:
        yield case(f"{shape} to {size}", shape, size)
    shape, size = windows[2]
    for first, second, out in layout_pairs():
        layouts = (first, second, second)
        yield case(f"{first} × {second} → {out}", shape, size, None, layouts, (out,))
    for special in (np.nan, np.inf, -np.inf, 0.0):
        grad = gradients((*shape[:-axes], *size), dtype, rng, axes)
        grad[(0,) * axes] = special
        yield case(f"{special} at a maximum", shape, size, grad)
    yield case("empty batch", (0, *shape[1:]), size)
    if axes == 2 or has_950_kernels():
        yield case("int64 indices", shape, size, index_dtype=np.int64)


#: Shape of the unpooled tensor's input, and extents it was unpooled to.
UNPOOLED_2D: tuple[tuple[tuple[int, ...], tuple[int, int]], ...] = (
    ((2, 3, 4, 4), (8, 8)), ((2, 3, 4, 4), (4, 4)), ((3, 4, 5), (9, 10)), ((1, 1, 1, 1), (1, 1)),
    ((1, 1, 1, 1), (5, 7)), ((2, 3, 5, 7), (3, 2)), ((4, 1, 1, 9), (2, 9)), ((1, 70, 3, 3), (6, 6)),
    ((2, 4, 33, 31), (66, 62)), ((5, 17, 16), (40, 3)), ((1, 2, 64, 65), (128, 130)),
)  # fmt: skip

UNPOOLED_3D: tuple[tuple[tuple[int, ...], tuple[int, int, int]], ...] = (
    ((2, 3, 2, 4, 4), (4, 8, 8)), ((2, 3, 2, 4, 4), (2, 4, 4)), ((3, 2, 4, 5), (4, 9, 10)),
    ((1, 1, 1, 1, 1), (1, 1, 1)), ((1, 1, 1, 1, 1), (3, 5, 7)), ((4, 1, 1, 1, 9), (1, 2, 9)),
    ((1, 70, 2, 3, 3), (4, 6, 6)), ((2, 4, 5, 9, 11), (10, 18, 22)), ((5, 3, 17, 16), (6, 34, 32)),
    ((2, 2, 1, 30, 31), (1, 60, 62)),
)  # fmt: skip


def _unpool(dtype: str, rng: np.random.Generator, axes: int) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def values(shape: tuple[int, ...]) -> Array:
        if kind.kind == "b":
            return rng.integers(0, 2, shape).astype(kind)
        return random_values(shape, dtype, rng)

    def case(
        label: str, shape: tuple[int, ...], size: Sequence[int], grad: Array | None = None,
        layouts: Layouts = _PLAIN, out: tuple[str, ...] = (), out_dtype: str = "",
        index_dtype: type = np.int64, window: tuple[tuple[int, ...], ...] = ((2, 2, 2), (0, 0, 0)),
    ) -> Case:  # fmt: skip
        grad = values((*shape[:-axes], *size)) if grad is None else grad
        places = int(np.prod(size))
        # Any place, any number of times: a gradient is fetched wherever its maximum went.
        indices: Array = rng.integers(0, places, shape).astype(index_dtype)
        golden = gather(grad.astype(np.float64), indices.astype(np.int64), axes)
        inputs = (
            Operand(grad, layouts[0]),
            Operand(values(shape), layouts[1]),
            Operand(indices, layouts[2]),
        )
        attributes: tuple[tuple[int, ...], ...] = (tuple(size),)
        if axes == 3:
            attributes = (tuple(size), *window)
        dtypes = (out_dtype,) if out_dtype else ()
        return Case(label, (*inputs, *attributes), (golden,), out, dtypes)

    examples = UNPOOLED_2D if axes == 2 else UNPOOLED_3D
    for shape, size in examples:
        yield case(f"{shape} from {size}", shape, size)
    shape, size = examples[0]
    for first, second, out in layout_pairs():
        # The three-dimensional operator wants a contiguous result.
        to = (out,) if axes == 2 else ()
        layouts = (first, second, second)
        yield case(f"{first} × {second} → {out}", shape, size, None, layouts, to)
    if not is_integer(dtype) and dtype != "bool":
        grad = values((*shape[:-axes], *size))
        grad.reshape(-1)[::3] = np.nan
        grad.reshape(-1)[1::3] = -np.inf
        yield case("NaN and infinity", shape, size, grad)
    if axes == 2:
        yield case("int32 indices", shape, size, index_dtype=np.int32)
        yield case("to float32", shape, size, out=("contiguous",), out_dtype="float32")
        if dtype in ("float32", "float16"):
            yield case("to float16", shape, size, out=("every_second",), out_dtype="float16")
        else:
            yield case("to int64", shape, size, out=("every_second",), out_dtype="int64")
    if axes == 3:
        yield case("stride and padding", shape, size, window=((1, 2, 3), (1, 0, 1)))
    yield case("empty batch", (0, *shape[1:]), size)


_INTEGERS = ("int8", "uint8", "int16", "int32", "int64")

SUITES = (
    Suite("max_pool2d_with_indices_backward", FLOATS, _with_indices),
    Suite("max_pool2d_with_mask_backward", FLOATS, _with_mask),
    Suite("max_pool3d_with_argmax_backward", FLOATS, _with_argmax),
    Suite("adaptive_max_pool2d_backward", FLOATS, lambda d, r: _adaptive(d, r, 2)),
    Suite("adaptive_max_pool3d_backward", FLOATS, lambda d, r: _adaptive(d, r, 3)),
    Suite(
        "max_unpool2d_backward",
        ("float32", "float16", *_INTEGERS, "bool"),
        lambda d, r: _unpool(d, r, 2),
    ),
    Suite(
        "max_unpool3d_backward",
        ("float32", "float16", "float64", *_INTEGERS),
        lambda d, r: _unpool(d, r, 3),
    ),
)
