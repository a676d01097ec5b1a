"""The rows of the sweep, as data: each mechanism over shapes, dtypes and views."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import pyaclnn as pa

Shape = tuple[int, ...]

FLOATS = ("float32", "float16", "bfloat16")
INTEGERS = ("int8", "int32", "int64")
ALL = FLOATS + INTEGERS
_SOME = ("float32", "float16", "int8", "int64")

#: Few and many rows, short and long ones.
ROWS: tuple[Shape, ...] = ((65536, 16), (16384, 64), (1024, 1024), (16, 65536))
#: One that fits the cache of a processor, and one that fits none.
FITS: Shape = (128, 1024)
BEYOND: Shape = (4096, 1024)
_SQUARE: Shape = (1024, 1024)


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor of a row.

    Attributes
    ----------
    shape : tuple of int
        As the operator sees it.
    dtype : str
        Where it is not the row's.
    view : str
        How it lies: a key of `VIEWS`, or nothing for a contiguous tensor.
    below : int
        For numbers of places: the extent they are below.
    positive : bool
        Whether all its values are.
    """

    shape: Shape
    dtype: str = ""
    view: str = ""
    below: int = 0
    positive: bool = False

    def array(self, dtype: str) -> tuple[np.ndarray[Any, Any], str]:
        """Return the values in the shape that the view is taken of, and the name of their dtype."""
        name = self.dtype or dtype
        shape = _stored_shape(self.shape, self.view)
        rng = np.random.default_rng(math.prod(shape))
        if self.below:
            return rng.integers(0, self.below, shape), name
        if name == "bool":
            return rng.integers(0, 2, shape).astype(bool), name
        if name.startswith("int"):
            return rng.integers(0 if self.positive else -8, 8, shape, dtype=name), name
        low = 0.1 if self.positive else -2.0
        return (low + (2 - low) * rng.random(shape, np.float32)).astype(np.float32), name


#: How operands lie: from a tensor, of either library, to its view.
VIEWS: dict[str, Callable[[Any, Shape], Any]] = {
    "": lambda x, _: x,
    "transposed": lambda x, _: x.T,
    "turned": lambda x, _: x.transpose(0, 2, 1) if isinstance(x, pa.Tensor) else x.mT,
    "every second": lambda x, _: x[:, ::2],
    "inner part": lambda x, _: x[1:-1, 8:-8],
    "one row": lambda x, shape: x.broadcast_to(shape),
    "one column": lambda x, shape: x.broadcast_to(shape),
}


def _stored_shape(shape: Shape, view: str) -> Shape:
    match view:
        case "transposed":
            return shape[::-1]
        case "turned":
            return (shape[0], shape[2], shape[1])
        case "every second":
            return (shape[0], 2 * shape[1])
        case "inner part":
            return (shape[0] + 2, shape[1] + 16)
        case "one row":
            return (1, shape[1])
        case "one column":
            return (shape[0], 1)
    return shape


@dataclass(frozen=True, slots=True)
class Row:
    """A call.

    Attributes
    ----------
    mechanism : str
        What computes it.
    operator : str
        Python name.
    label : str
        Tells rows of one operator apart.
    dtype : str
        Of the operands that name none.
    arguments : tuple
        Those of the operator, in C order.
    torch : callable
        The same with PyTorch: its module, the arguments, and ``out`` where both write to kept
        memory.
    writes : bool
        Whether they do.
    operations : int
        Multiplications and additions, where they and not the bytes are the cost.
    """

    mechanism: str
    operator: str
    label: str
    dtype: str
    arguments: tuple[Any, ...]
    torch: Callable[..., Any] = field(repr=False)
    writes: bool = True
    operations: int = 0

    @property
    def name(self) -> str:
        """All that tells it from others."""
        return f"{self.mechanism}: {self.operator} {self.label} {self.dtype}"


def _by_name(name: str, count: int | None = None) -> Callable[..., Any]:
    """PyTorch's function of that name, with the first so many arguments."""
    return lambda torch, *given, **out: getattr(torch, name)(*given[:count], **out)


def _aten(name: str, count: int | None = None, out: str = "") -> Callable[..., Any]:
    """Name a function of aten, and as ``overload:parameter`` how it is given an output."""

    def call(torch: Any, *given: Any, **kept: Any) -> Any:
        function = getattr(torch.ops.aten, name)
        if kept and out:
            overload, _, keyword = out.partition(":")
            return getattr(function, overload)(*given[:count], **{keyword: kept["out"]})
        return function(*given[:count])

    return call


def _shown(shape: Shape) -> str:
    return "x".join(map(str, shape))


def _each(
    mechanism: str, operator: str, torch: Callable[..., Any], shapes: Iterable[Shape],
    dtypes: Sequence[str], arguments: Callable[[Shape, str], tuple[Any, ...]], *, label: str = "",
    writes: bool = True, operations: Callable[[Shape], int] = lambda _: 0,
) -> Iterator[Row]:  # fmt: skip
    """Rows of one operator over shapes and dtypes."""
    for shape, dtype in itertools.product(shapes, dtypes):
        yield Row(
            mechanism, operator, f"{label} {_shown(shape)}".strip(), dtype,
            arguments(shape, dtype), torch, writes, operations(shape),
        )  # fmt: skip


def _with(
    value: Any, function: Callable[[Any, Shape, str], tuple[Any, ...]]
) -> Callable[[Shape, str], tuple[Any, ...]]:
    """Arguments that depend on a value, too: that of now, in a loop."""
    return lambda shape, dtype: function(value, shape, dtype)


def _elementwise() -> Iterator[Row]:
    sizes = (FITS, BEYOND)

    def one(*more: Any, view: str = "", positive: bool = False) -> Callable[..., tuple[Any, ...]]:
        return lambda shape, _: (Operand(shape, view=view, positive=positive), *more)

    def two(*more: Any, view: str = "") -> Callable[[Shape, str], tuple[Any, ...]]:
        return lambda shape, _: (Operand(shape, view=view), Operand(shape), *more)

    plus, clip = _by_name("add", 2), _by_name("clamp")
    kind = "element-wise"
    yield from _each(kind, "add", plus, sizes, ALL, two(1))
    yield from _each(kind, "mul", _by_name("mul"), sizes, ALL, two())
    yield from _each(kind, "maximum", _by_name("maximum"), sizes, ALL, two())
    yield from _each(kind, "lt_tensor", _by_name("lt"), sizes, ALL, two())
    yield from _each(kind, "gt_scalar", _by_name("gt"), sizes, ALL, one(1))
    yield from _each(kind, "clamp", clip, sizes, ALL, one(-1, 1))
    for view in ("transposed", "every second", "inner part"):
        yield from _each(kind, "add", plus, [_SQUARE], ALL, two(1, view=view), label=view)
        yield from _each(
            kind, "clamp", clip, [_SQUARE], ("int8", "float16"), one(-1, 1, view=view), label=view
        )
    for name in ("exp", "tanh", "sigmoid", "abs"):
        yield from _each(kind, name, _by_name(name), sizes, FLOATS, one())
    yield from _each(kind, "sqrt", _by_name("sqrt"), sizes, FLOATS, one(positive=True))
    yield from _each(kind, "gelu", _aten("gelu", 1, "out:out"), sizes, FLOATS, one())
    yield from _each(kind, "silu", _aten("silu", 1, "out:out"), sizes, FLOATS, one())
    yield from _each(kind, "relu", _aten("relu", 1, "out:out"), sizes, FLOATS, one())
    for view, place in itertools.product(("one row", "one column"), (0, 1)):
        for operator, function, more in (("add", plus, (1,)), ("mul", _by_name("mul"), ())):
            if operator == "mul" and place == 0:
                continue

            def wide(
                shape: Shape, _: str, view: str = view, place: int = place,
                more: tuple[Any, ...] = more,
            ) -> tuple[Any, ...]:  # fmt: skip
                operands = [Operand(shape), Operand(_stored_shape(shape, view))]
                return (*(operands[::-1] if place == 0 else operands), *more)

            label = f"{view} {'before' if place == 0 else 'after'}"
            yield from _each("broadcast", operator, function, sizes, ALL, wide, label=label)


def _selu_gradient(torch: Any, grad: Any, y: Any, out: Any = None) -> Any:
    alpha, scale = 1.6732632423543772, 1.0507009873554805
    return torch.ops.aten.elu_backward.grad_input(grad, alpha, scale, 1.0, True, y, grad_input=out)


def _gradients() -> Iterator[Row]:
    sizes = ((128, 1024), (1024, 1024), (4096, 1024))
    by_input = "grad_input:grad_input"
    functions = {
        "threshold_backward": (_aten("threshold_backward", None, by_input), (0.5,), True),
        "softshrink_backward": (_aten("softshrink_backward", None, by_input), (0.5,), True),
        "selu_backward": (_selu_gradient, (), True),
        "sigmoid_backward": (_aten("sigmoid_backward", None, by_input), (), True),
        "hardswish_backward": (_aten("hardswish_backward"), (), False),
        "gelu_backward": (_aten("gelu_backward", None, by_input), (), True),
        "silu_backward": (_aten("silu_backward", None, by_input), (), True),
        "tanh_backward": (_aten("tanh_backward", None, by_input), (), True),
    }
    for name, (function, numbers, writes) in functions.items():

        def arguments(shape: Shape, _: str, numbers: tuple[Any, ...] = numbers) -> tuple[Any, ...]:
            return Operand(shape), Operand(shape), *numbers

        yield from _each(
            "gradient", name, function, sizes, FLOATS, arguments, writes=writes
        )  # fmt: skip


def _reductions() -> Iterator[Row]:
    def summed(axes: list[int], view: str = "") -> Callable[[Shape, str], tuple[Any, ...]]:
        def arguments(shape: Shape, dtype: str) -> tuple[Any, ...]:
            wide = "int64" if dtype.startswith("int") else dtype
            return Operand(shape, view=view), axes, False, wide

        return arguments

    def plus(torch: Any, x: Any, axes: Any, _: Any, __: Any, out: Any = None) -> Any:
        return torch.sum(x, axes, out=out)

    def most(torch: Any, x: Any, axes: Any, _: Any, out: Any = None) -> Any:
        return torch.amax(x, axes, out=out)

    def average(torch: Any, x: Any, axes: Any, *_: Any, out: Any = None) -> Any:
        return torch.mean(x, axes, out=out)

    def extreme(axes: list[int]) -> Callable[[Shape, str], tuple[Any, ...]]:
        return lambda shape, _: (Operand(shape), axes, False)

    for label, axes, shapes in (
        ("rows", [1], ROWS),
        ("columns", [0], ROWS[1:]),
        ("all", [0, 1], (FITS, BEYOND)),
    ):
        kind = "reduction"
        yield from _each(kind, "reduce_sum", plus, shapes, ALL, summed(axes), label=label)
        yield from _each(kind, "amax", most, shapes, ALL, extreme(axes), label=label)
        if label != "all":
            yield from _each(
                kind, "mean", average, shapes, FLOATS,
                _with(axes, lambda axes, shape, dtype: (Operand(shape), axes, False, dtype)),
                label=label,
            )  # fmt: skip
    for view in ("transposed", "every second", "inner part"):
        yield from _each(
            kind, "reduce_sum", plus, [_SQUARE], (*FLOATS, "int8"), summed([1], view),
            label=f"rows {view}",
        )  # fmt: skip
    yield from _each(
        kind, "arg_max", _by_name("argmax"), ROWS[1:], (*FLOATS, "int32"),
        lambda shape, _: (Operand(shape), 1, False), label="rows",
    )  # fmt: skip


def _row_wise() -> Iterator[Row]:
    rows = ((65536, 16), (16384, 64), (4096, 1024), (32, 65536))
    kind = "row-wise"
    for name in ("softmax", "log_softmax"):
        inner = f"_{name}"
        forward = _aten(inner, None, "out:out")

        def plain(torch: Any, x: Any, dim: int, out: Any = None, _f: Any = forward) -> Any:
            return (
                _f(torch, x, dim, False, out=out) if out is not None else _f(torch, x, dim, False)
            )

        def back(torch: Any, g: Any, y: Any, dim: int, out: Any = None, _n: str = inner) -> Any:
            function = getattr(torch.ops.aten, f"{_n}_backward_data")
            if _n == "_softmax":
                return function.out(g, y, dim, y.dtype, grad_input=out)
            return function.out(g, y, dim, y.dtype, out=out)

        for dim, shapes in ((1, rows), (0, (_SQUARE,))):
            label = "rows" if dim else "columns"
            yield from _each(
                kind, name, plain, shapes, FLOATS,
                _with(dim, lambda dim, shape, _: (Operand(shape), dim)), label=label,
            )  # fmt: skip
            yield from _each(
                kind, f"{name}_backward", back, shapes, FLOATS,
                _with(dim, lambda dim, shape, _: (Operand(shape), Operand(shape), dim)),
                label=label,
            )  # fmt: skip


def _norms() -> Iterator[Row]:
    kind, rows, eps = "norm", ((16384, 64), (4096, 1024), (256, 16384)), 1e-5

    def lines(shape: Shape) -> Operand:
        return Operand(shape[1:])

    yield from _each(
        kind, "layer_norm", _aten("native_layer_norm", 5), rows, FLOATS,
        lambda s, _: (Operand(s), [s[1]], lines(s), lines(s), eps), writes=False,
    )  # fmt: skip

    def statistics(shape: Shape, *, group: int = 0) -> tuple[Operand, Operand]:
        own = (shape[0], group) if group else (shape[0], 1)
        return Operand(own), Operand(own, positive=True)

    def layer_back(torch: Any, g: Any, x: Any, shape: Any, *more: Any) -> Any:
        return torch.ops.aten.native_layer_norm_backward(g, x, shape, *more)

    yield from _each(
        kind, "layer_norm_backward", layer_back, rows, FLOATS,
        lambda s, _: (
            Operand(s), Operand(s), [s[1]], *statistics(s), lines(s), lines(s), [True] * 3,
        ),
        writes=False,
    )  # fmt: skip

    def rms(torch: Any, x: Any, gamma: Any, eps: float) -> Any:
        return torch.ops.aten._fused_rms_norm(x, [x.shape[-1]], gamma, eps)

    yield from _each(
        kind, "rms_norm", rms, rows, FLOATS, lambda s, _: (Operand(s), lines(s), eps), writes=False
    )
    images, group = ((16, 64, 28, 28), (32, 32, 8, 8)), 8

    def channels(shape: Shape) -> Operand:
        return Operand(shape[1:2])

    yield from _each(
        kind, "group_norm", _aten("native_group_norm", 8), images, FLOATS,
        lambda s, _: (
            Operand(s), channels(s), channels(s), s[0], s[1], s[2] * s[3], group, eps,
        ),
        writes=False,
    )  # fmt: skip
    yield from _each(
        kind, "group_norm_backward", _aten("native_group_norm_backward"), images, FLOATS,
        lambda s, _: (
            Operand(s), Operand(s), *statistics(s, group=group), channels(s), s[0], s[1],
            s[2] * s[3], group, [True] * 3,
        ),
        writes=False,
    )  # fmt: skip
    yield from _each(
        kind, "batch_norm", _aten("native_batch_norm", 8), images, FLOATS,
        lambda s, _: (
            Operand(s), channels(s), channels(s), channels(s),
            Operand(s[1:2], positive=True), True, 0.1, eps,
        ),
        writes=False,
    )  # fmt: skip


def _scans() -> Iterator[Row]:
    def along(torch: Any, x: Any, dim: int, _: str, out: Any = None) -> Any:
        return torch.cumsum(x, dim, dtype=x.dtype, out=out)

    for dim, label in ((1, "rows"), (0, "columns")):
        yield from _each(
            "scan", "cumsum", along, ROWS[1:], ("float32", "float16", "bfloat16", "int32", "int64"),
            _with(dim, lambda dim, shape, dtype: (Operand(shape), dim, dtype)), label=label,
        )  # fmt: skip


def _indexed() -> Iterator[Row]:
    kind, tables = "gather", ((16384, 64), (1024, 1024))

    def by_element(dim: int, *, source: bool) -> Callable[[Shape, str], tuple[Any, ...]]:
        def arguments(shape: Shape, _: str) -> tuple[Any, ...]:
            index = Operand(shape, "int64", below=shape[dim])
            return (Operand(shape), dim, index, *([Operand(shape)] if source else []))

        return arguments

    for dim, label in ((1, "along rows"), (0, "along columns")):
        yield from _each(
            kind, "gather", _by_name("gather"), tables, _SOME, by_element(dim, source=False),
            label=label,
        )  # fmt: skip
        yield from _each(
            kind, "scatter_add", _by_name("scatter_add"), tables,
            ("float32", "float16", "int8", "int32"), by_element(dim, source=True), label=label,
        )  # fmt: skip
        yield from _each(
            kind, "index_select", _by_name("index_select"), tables, _SOME,
            _with(dim, lambda d, s, _: (Operand(s), d, Operand((s[d],), "int64", below=s[d]))),
            label=label,
        )  # fmt: skip
    yield from _each(
        kind, "embedding", lambda torch, t, i, **out: torch.index_select(t, 0, i, **out),
        ((16384, 64), (4096, 512)), FLOATS,
        lambda s, _: (Operand(s), Operand((s[0],), "int64", below=s[0])),
    )  # fmt: skip
    for below in (1024, 32768):
        yield from _each(
            kind, "embedding_dense_backward", _aten("embedding_dense_backward"),
            ((4096, 512), (8192, 64)), FLOATS,
            _with(below, lambda below, s, _: (
                Operand(s), Operand((s[0],), "int64", below=below), below, below, False,
            )),
            label=f"into {below}", writes=False,
        )  # fmt: skip
    yield from _each(
        kind, "index_add",
        lambda torch, x, dim, index, source, _, **out: torch.index_add(
            x, dim, index, source, **out
        ),
        tables, ("float32", "float16", "int32"),
        lambda s, _: (Operand(s), 0, Operand((s[0],), "int64", below=s[0]), Operand(s), 1),
    )  # fmt: skip


def _sorted() -> Iterator[Row]:
    rows = ((4096, 64), (256, 4096))
    yield from _each(
        "sort", "sort",
        lambda torch, x, stable, dim, down: torch.sort(x, stable=stable, dim=dim, descending=down),
        rows, ("float32", "float16", "int32", "int8"),
        lambda s, _: (Operand(s), True, 1, False), writes=False,
    )  # fmt: skip
    yield from _each(
        "sort", "topk", _by_name("topk"), (*rows, (16, 65536)), FLOATS,
        lambda s, _: (Operand(s), 8, 1, True, True), label="of 8", writes=False,
    )  # fmt: skip


def _products() -> Iterator[Row]:
    def flops(*extents: int) -> int:
        return 2 * math.prod(extents)

    def times(torch: Any, a: Any, b: Any, _: int, out: Any = None) -> Any:
        return torch.matmul(a, b, out=out)

    sizes = [(m, n, n) for n in (1024, 4096) for m in (1, 8, 32)]
    sizes += [(4096, 64, 64), (1024, 4096, 16)]
    sizes += [(n, n, n) for n in (64, 128, 256, 512)]
    for (m, k, n), dtype in itertools.product(sizes, FLOATS):
        for left, right in (("", ""), ("", "transposed"), ("transposed", "")):
            if left and m <= 32:
                continue
            label = f"{m}x{k}x{n}" + (" a transposed" if left else " b transposed" if right else "")
            yield Row(
                "product", "matmul", label, dtype,
                (Operand((m, k), view=left), Operand((k, n), view=right), 0), times,
                operations=flops(m, k, n),
            )  # fmt: skip
    batches = (
        (512, 16, 64, 16), (512, 16, 16, 16), (256, 32, 64, 32), (64, 64, 64, 64),
        (64, 128, 64, 128), (64, 1, 64, 128), (16, 128, 128, 128),
    )  # fmt: skip
    for (count, m, k, n), dtype in itertools.product(batches, FLOATS):
        for left, right in (("", ""), ("", "turned"), ("turned", "")):
            label = f"{count} of {m}x{k}x{n}"
            label += " a transposed" if left else " b transposed" if right else ""
            yield Row(
                "batch", "batch_mat_mul", label, dtype,
                (Operand((count, m, k), view=left), Operand((count, k, n), view=right), 0), times,
                operations=flops(count, m, k, n),
            )  # fmt: skip


def _attention() -> Iterator[Row]:
    """Give attention of heads of 128, and that of one token."""
    kind, endless = "attention", 2**31 - 1

    def attended(torch: Any, query: Any, key: Any, value: Any, *rest: Any) -> Any:
        return torch.nn.functional.scaled_dot_product_attention(
            query, key, value, is_causal=rest[3] is not None,
            enable_gqa=query.shape[1] != key.shape[1],
        )  # fmt: skip

    def step(torch: Any, query: Any, key: Any, value: Any, *_: Any) -> Any:
        return torch.nn.functional.scaled_dot_product_attention(
            query, key[0], value[0], enable_gqa=query.shape[1] != key[0].shape[1]
        )

    triangle = Operand((2048, 2048), "bool")
    sizes = ((16, 16, 512), (2, 2, 2048), (4, 1, 2048), (1, 1, 8192))
    for (heads, shared, tokens), causal, dtype in itertools.product(sizes, (False, True), FLOATS):
        query, key = Operand((1, heads, tokens, 128)), Operand((1, shared, tokens, 128))
        mask = triangle if causal else None
        numbers = (128**-0.5, 1.0, endless, endless, heads, "BNSD", 0, 2 if causal else 0)
        label = f"{heads} of {shared} heads, {tokens} tokens" + " causal" * causal
        cost = 4 * heads * tokens * tokens * 128 // (2 if causal else 1)
        yield Row(
            kind, "flash_attention_score", label, dtype,
            (query, key, key, None, None, None, mask, None, *numbers), attended, False, cost,
        )  # fmt: skip
    for shared, dtype in itertools.product((16, 4), FLOATS[1:]):
        query, key = Operand((1, 16, 1, 128)), Operand((1, shared, 8192, 128))
        yield Row(
            kind, "fused_infer_attention_score_v2", f"one token, 16 of {shared} heads, 8192 keys",
            dtype, (
                query, [key], [key], *(None,) * 21, 16, 128**-0.5, endless, endless, "BNSD",
                shared, 0, 0, 0, 0, False, 0, 0,
            ), step, False, 4 * 16 * 8192 * 128,
        )  # fmt: skip


def _windows() -> Iterator[Row]:
    kind = "window"
    #: Images, made channels, taps, step, groups.
    layers: dict[str, tuple[Shape, int, int, int, int]] = {
        "3x3": ((4, 64, 28, 28), 64, 3, 1, 1),
        "3x3 few channels": ((4, 3, 56, 56), 32, 3, 2, 1),
        "depthwise 3x3": ((4, 64, 28, 28), 64, 3, 1, 64),
        "depthwise 3x3 stride 2": ((4, 96, 28, 28), 96, 3, 2, 96),
        "1x1": ((4, 128, 28, 28), 128, 1, 1, 1),
        "1x1 to many": ((4, 32, 14, 14), 192, 1, 1, 1),
    }
    for label, (image, made, taps, step, groups) in layers.items():
        own = image[1]
        weight = Operand((made, own // groups, taps, taps))
        numbers = ([step] * 2, [taps // 2] * 2, [1, 1], False, [0, 0], groups)
        size = (image[2] - 1) // step + 1
        result = Operand((image[0], made, size, size))
        cost = 2 * math.prod(result.shape) * taps * taps * own // groups
        for dtype in FLOATS:
            yield Row(
                kind, "convolution", label, dtype,
                (Operand(image), weight, Operand((made,)), *numbers, 0), _aten("convolution", 9),
                False, cost,
            )  # fmt: skip
            yield Row(
                kind, "convolution_backward", label, dtype,
                (result, Operand(image), weight, [made], *numbers, [True] * 3, 0),
                _aten("convolution_backward", 11), False, 2 * cost,
            )  # fmt: skip
    images = ((8, 32, 56, 56), (64, 16, 14, 14))
    yield from _each(
        kind, "avg_pool2d", _aten("avg_pool2d", 6), images, FLOATS,
        lambda s, _: (Operand(s), [2, 2], [2, 2], [0, 0], False, True, 0, 0), writes=False,
    )  # fmt: skip

    def averaged_back(torch: Any, g: Any, x: Any, *window: Any) -> Any:
        return torch.ops.aten.avg_pool2d_backward(g, x, *window[:5], None)

    yield from _each(
        kind, "avg_pool2d_backward", averaged_back, images, FLOATS,
        lambda s, _: (
            Operand((*s[:2], s[2] // 2, s[3] // 2)), Operand(s), [2, 2], [2, 2], [0, 0], False,
            True, 0, 0,
        ),
        writes=False,
    )  # fmt: skip
    pad = [3, 2, 1, 2]
    yield from _each(
        kind, "reflection_pad2d", _aten("reflection_pad2d"), images, (*FLOATS, "int8"),
        lambda s, _: (Operand(s), pad), writes=False,
    )  # fmt: skip
    yield from _each(
        kind, "reflection_pad2d_backward", _aten("reflection_pad2d_backward"), images, FLOATS,
        lambda s, _: (Operand((*s[:2], s[2] + 3, s[3] + 5)), Operand(s), pad), writes=False,
    )  # fmt: skip
    yield from _each(
        kind, "constant_pad_nd", _by_name("constant_pad_nd"), images, ALL,
        lambda s, _: (Operand(s), pad, 0), writes=False,
    )  # fmt: skip
    yield from _each(
        kind, "upsample_nearest2d", _aten("upsample_nearest2d"), images, FLOATS,
        lambda s, _: (Operand(s), [2 * s[2], 2 * s[3]]), writes=False,
    )  # fmt: skip


def _copies() -> Iterator[Row]:
    kind = "copy"

    def into(torch: Any, to: Any, x: Any) -> Any:
        return to.copy_(x)

    for view in (view for view in VIEWS if view != "turned"):
        for shape in (FITS, BEYOND):
            yield from _each(
                kind, "inplace_copy", into, [shape], ALL,
                _with(view, lambda view, s, _: (Operand(s), Operand(s, view=view))), label=view,
                writes=False,
            )  # fmt: skip
    yield from _each(
        kind, "inplace_copy", into, [_SQUARE], ALL,
        lambda s, _: (Operand(s, view="every second"), Operand(s)), label="to every second",
        writes=False,
    )  # fmt: skip
    for to in ("float32", "float16", "int8", "int64"):
        yield from _each(
            kind, "cast", lambda torch, x, to, out=None: out.copy_(x),
            [_SQUARE], [d for d in ALL if d != to], _with(to, lambda to, s, _: (Operand(s), to)),
            label=f"to {to}",
        )  # fmt: skip
    yield from _each(
        kind, "flip", _by_name("flip"), [_SQUARE], ALL, lambda s, _: (Operand(s), [1]),
        writes=False,
    )  # fmt: skip
    yield from _each(
        kind, "cat", _by_name("cat"), [_SQUARE], ALL, lambda s, _: ([Operand(s), Operand(s)], 1)
    )
    for shape in ((32, 128, 16, 64), (16, 64, 28, 28)):
        yield from _each(
            kind, "permute",
            lambda torch, x, dims, out=None: out.copy_(x.permute(dims)),
            [shape], ALL, lambda s, _: (Operand(s), [0, 2, 1, 3]),
        )  # fmt: skip


def rows() -> list[Row]:
    """Return all rows of the sweep."""
    families = (
        _elementwise, _gradients, _reductions, _row_wise, _norms, _scans, _indexed, _sorted,
        _products, _attention, _windows, _copies,
    )  # fmt: skip
    return [row for family in families for row in family()]
