"""Max pooling of volumes, its inverse in images and volumes, and pooling of whole images."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype, random_values
from pyaclnn.selftest.chips import has_950_kernels, has_bfloat16
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.pooling import ADAPTIVE_3D, FLOATS, POOLINGS_3D, Pooling
from pyaclnn.selftest.suites.pooling_forward import SPECIAL, containing
from pyaclnn.selftest.suites.pooling_max import UNPOOLED_2D, UNPOOLED_3D
from pyaclnn.selftest.suites.pooling_reference import adaptive_max_pool, max_pool


def _with_argmax(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, x: Array, p: Pooling, dilation: Sequence[int] = (1,),
        layout: str = "contiguous", **options: Any,
    ) -> Case:  # fmt: skip
        golden = max_pool(x.astype(np.float64), p.kernel, p.stride, p.padding, p.ceil, dilation, 3)
        attributes = (tuple(p.kernel), tuple(p.stride), tuple(p.padding), tuple(dilation), p.ceil)
        return Case(label, (Operand(x, layout), *attributes), golden, **options)

    if not has_bfloat16():
        return
    for shape, pooling in POOLINGS_3D[::2]:
        yield case(f"{shape} {pooling}", random_values(shape, dtype, rng), pooling)
    shape, pooling = POOLINGS_3D[2]
    for layout in LAYOUTS[1:]:
        x = random_values(shape, dtype, rng)
        outs: dict[str, Any] = {
            "out_layouts": (layout, "every_second"),
            "out_dtypes": (dtype, "int32"),
        }
        yield case(layout, x, pooling, layout=layout, **outs)
    for special in SPECIAL:
        yield case(f"{special}", containing(shape, dtype, rng, special), Pooling((2,)))
    yield case("all alike", np.ones(shape, numpy_dtype(dtype)), pooling, (1, 1, 1))
    if has_950_kernels():
        x = random_values((2, 3, 9, 10, 11), dtype, rng)
        yield case("dilation 1, 2, 3", x, Pooling((3,), (2,), (1,)), (1, 2, 3))


def _adaptive(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(x: Array, size: tuple[int, ...], layout: str, **options: Any) -> Case:
        golden = adaptive_max_pool(x.astype(np.float64), size)
        label = f"{x.shape} to {size} {layout}"
        return Case(label, (Operand(x, layout), size), golden, **options)

    if not has_bfloat16():
        return
    for shape, size in ADAPTIVE_3D[::2]:
        yield case(random_values(shape, dtype, rng), size, "contiguous")
    shape, size = ADAPTIVE_3D[2]
    for layout in LAYOUTS[1:]:
        x = random_values(shape, dtype, rng)
        outs: dict[str, Any] = {"out_layouts": (layout, "offset"), "out_dtypes": (dtype, "int32")}
        yield case(x, size, layout, **outs)
    for special in SPECIAL:
        yield case(containing(shape, dtype, rng, special), size, "contiguous")
    yield case(np.zeros((0, *shape[1:]), numpy_dtype(dtype)), size, "contiguous")


def _unpool(axes: int) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    attributes: tuple[tuple[int, ...], ...] = ((2, 2, 2), (0, 0, 0)) if axes == 3 else ()

    def case(
        shape: tuple[int, ...], size: tuple[int, ...], dtype: str, rng: np.random.Generator,
        layout: str = "contiguous", index: str = "int64",
    ) -> Case:  # fmt: skip
        values = random_values(shape, dtype, rng)
        places, taken = int(np.prod(size)), int(np.prod(shape[-axes:]))
        # A place of its own for each value, as pooling gives them.
        rows = [rng.permutation(places)[:taken] for _ in range(int(np.prod(shape[:-axes])))]
        indices = np.array(rows, index).reshape(shape)
        golden = np.zeros((len(rows), places))
        np.put_along_axis(golden, indices.reshape(len(rows), taken).astype(np.int64),
                          values.reshape(len(rows), taken).astype(np.float64), axis=1)  # fmt: skip
        inputs = (Operand(values, layout), Operand(indices, layout), size, *attributes)
        # That of volumes is contiguous.
        outs: dict[str, Any] = {} if axes == 3 else {"out_layouts": (layout,)}
        golden = golden.reshape(*shape[:-axes], *size)
        return Case(f"{shape} to {size} {layout} {index}", inputs, (golden,), **outs)

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        examples = [
            (shape, size)
            for shape, size in (UNPOOLED_2D if axes == 2 else UNPOOLED_3D)
            if np.prod(size) >= np.prod(shape[-axes:])
        ]
        for shape, size in examples[:5]:
            yield case(shape, size, dtype, rng)
        for layout in LAYOUTS[1:]:
            yield case(*examples[0], dtype, rng, layout, "int32")
        yield case((0, *examples[0][0][1:]), examples[0][1], dtype, rng)

    return cases


def _global(
    function: Callable[..., Array], low: float
) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if dtype == "bfloat16" and not has_bfloat16():
            return
        for shape in (
            (1, 1, 1, 1), (2, 3, 4, 5), (2, 70, 3, 3), (2, 3, 4, 5, 6), (1, 2, 2, 1, 3, 2, 1, 2),
            (1, 2, 65, 130),
        ):  # fmt: skip
            for layout in LAYOUTS if shape == (2, 3, 4, 5) else LAYOUTS[:1]:
                x = rng.uniform(low, 2.0, shape).astype(numpy_dtype(dtype))
                axes = tuple(range(2, len(shape)))
                golden = function(x.astype(np.float64), axis=axes, keepdims=True)
                yield Case(f"{shape} {layout}", (Operand(x, layout),), (golden,), (layout,))
        for special in SPECIAL:
            x = containing((2, 3, 4, 5), dtype, rng, special)
            golden = function(x.astype(np.float64), axis=(2, 3), keepdims=True)
            # One channel has the special value; of the others the sums may vanish.
            yield Case(f"{special}", (Operand(x[:1, :1]),), (golden[:1, :1],))

    return cases


_INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
_MOVED = ("float32", "float16", "float64", *_INTEGERS)

SUITES = (
    Suite(
        "max_pool3d_with_argmax",
        FLOATS,
        _with_argmax,
    ),
    Suite("adaptive_max_pool3d", FLOATS, _adaptive),
    Suite("max_unpool2d", _MOVED, _unpool(2)),
    Suite("max_unpool3d", _MOVED, _unpool(3)),
    Suite("global_average_pool", (*FLOATS, "float64"), _global(np.mean, 0.5)),
    Suite("global_max_pool", ("float32", "float16", "float64"), _global(np.max, -2.0)),
)
