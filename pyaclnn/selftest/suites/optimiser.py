"""Steps of optimisers, as their documents write them; steps are counted from where kernels do.

Values have one sign where they are summed: what cancels would be measured, not what is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, chip_family, has_950_kernels, has_bfloat16, is_a2_or_a3
from pyaclnn.selftest.layouts import LAYOUTS

FLOATS = ("float32", "float16", "bfloat16")
SHAPES: tuple[tuple[int, ...], ...] = (
    (3, 5), (), (1,), (7,), (33,), (1025,), (2, 1, 2, 1, 2, 1, 2, 3), (300, 401), (0,), (2, 0, 4),
)  # fmt: skip
#: Shapes of the tensors of a list.
LISTS: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((3, 5), (2, 4)), ((2, 3),), ((7,), (2, 1, 2), (5,)), ((33,),) * 20, ((300, 401), (1025,)),
    ((4, 0), (5,)),
)  # fmt: skip


def draw(
    shape: tuple[int, ...], dtype: str, rng: np.random.Generator, low: float = 0.1, high: float = 1
) -> Array:  # fmt: skip
    """Return positive values."""
    return np.asarray(rng.uniform(low, high, shape)).astype(numpy_dtype(dtype))


def _exact(values: Array) -> Array:
    return np.asarray(values.astype(np.float64))


def _single(value: float) -> float:
    """As an attribute in float32 has it."""
    return float(np.float32(value))


@dataclass(frozen=True)
class Adam:
    """The attributes of a step."""

    lr: float = 0.01
    beta1: float = 0.9
    beta2: float = 0.99
    decay: float = 0.1
    eps: float = 1e-8
    amsgrad: bool = False
    maximize: bool = False


def adamw(
    a: Adam, step: float, var: Array, m: Array, v: Array, largest: Array | None, grad: Array
) -> tuple[Array, Array, Array, Array | None]:
    """Return var, m, v and the largest v after a step, counted from 1."""
    beta1, beta2, lr = _single(a.beta1), _single(a.beta2), _single(a.lr)
    g = -_exact(grad) if a.maximize else _exact(grad)
    m = beta1 * _exact(m) + (1 - beta1) * g
    v = beta2 * _exact(v) + (1 - beta2) * g * g
    second = v
    if a.amsgrad:
        assert largest is not None
        second = np.maximum(_exact(largest), v)
    root = np.sqrt(second / (1 - beta2**step)) + a.eps
    var = _exact(var)
    change = lr * (m / (1 - beta1**step)) / root
    return var - change - lr * _single(a.decay) * var, m, v, second if a.amsgrad else largest


TRIED: tuple[tuple[Adam, int], ...] = (
    (Adam(), 4), (Adam(maximize=True), 4), (Adam(amsgrad=True), 4), (Adam(decay=0), 9),
    (Adam(lr=0.1, beta1=0.5, beta2=0.75, eps=0.01), 2), (Adam(amsgrad=True, maximize=True), 20),
)  # fmt: skip


def _adam_w_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(
        label: str, shape: tuple[int, ...], a: Adam = Adam(), step: int = 4, grad_type: str = "",
        layouts: tuple[str, ...] = ("contiguous",) * 5, counted: str = "float32", m_type: str = "",
    ) -> Case:  # fmt: skip
        grad = draw(shape, grad_type or dtype, rng)
        grad = np.asarray(-grad if a.maximize else grad)
        var, m = draw(shape, dtype, rng, 1, 3), draw(shape, m_type or dtype, rng)
        v, largest = draw(shape, dtype, rng), draw(shape, grad_type or dtype, rng)
        given = (var, m, v, largest if a.amsgrad else None, grad)
        operands = [
            None if x is None else Operand(x, y) for x, y in zip(given, layouts, strict=True)
        ]
        golden = adamw(a, step + 1, var, m, v, largest, grad)
        now = Operand(np.array([step]).astype(counted))
        numbers = (a.lr, a.beta1, a.beta2, a.decay, a.eps, a.amsgrad, a.maximize)
        written = (*golden[:3], golden[3] if a.amsgrad else None)
        return Case(label, (*operands, now, *numbers), written)

    for shape in SHAPES if dtype == FLOATS[0] else SHAPES[:5]:
        yield case(f"shape {shape}", shape)
    for number, (a, step) in enumerate(TRIED):
        yield case(f"attributes {number}", (5, 9), a, step)
    yield case("a step in int64", (5, 9), counted="int64")
    for layout in LAYOUTS[1:]:
        for viewed in range(5):
            layouts = tuple(layout if k == viewed else "contiguous" for k in range(5))
            yield case(f"operand {viewed} {layout}", (6, 7), Adam(amsgrad=True), layouts=layouts)
    if dtype == "float32":
        for other in FLOATS[1:]:
            yield case(f"gradient in {other}", (5, 9), Adam(amsgrad=True), grad_type=other)
            yield case(f"m in {other}", (5, 9), m_type=other)


def _numbers(values: tuple[float, ...], dtype: str) -> tuple[list[Operand], list[float]]:
    """Return tensors of one number, and the numbers as they are in them."""
    arrays = [np.array([v]).astype(numpy_dtype(dtype)) for v in values]
    return [Operand(a) for a in arrays], [float(a[0]) for a in arrays]


def _adam_w(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_950_kernels():
        return

    def case(
        label: str, shape: tuple[int, ...], a: Adam = Adam(), layout: str = "contiguous"
    ) -> Case:  # fmt: skip
        grad = draw(shape, dtype, rng)
        grad = np.asarray(-grad if a.maximize else grad)
        var, m = draw(shape, dtype, rng, 1, 3), draw(shape, dtype, rng)
        v, largest = draw(shape, dtype, rng), draw(shape, dtype, rng)
        # The powers before this step; they need not be powers.
        given = (0.5, 0.75, a.lr, a.decay, 0.5, 0.75, 0.01)
        tensors, (power1, power2, lr, decay, beta1, beta2, eps) = _numbers(given, dtype)
        g = -_exact(grad) if a.maximize else _exact(grad)
        after = beta1 * _exact(m) + (1 - beta1) * g
        second = beta2 * _exact(v) + (1 - beta2) * g * g
        if a.amsgrad:
            second = np.maximum(_exact(largest), second)
        root = np.sqrt(second / (1 - power2 * beta2)) + eps
        change = lr * (after / (1 - power1 * beta1)) / root
        exact = _exact(var)
        golden = (exact - change - lr * decay * exact, after, second)
        operands = [Operand(x, layout) for x in (var, m, v)]
        more = (Operand(grad, layout), Operand(largest, layout) if a.amsgrad else None)
        return Case(label, (*operands, *tensors, *more, a.amsgrad, a.maximize), golden)

    for shape in SHAPES[:6] + SHAPES[-2:]:
        yield case(f"shape {shape}", shape)
    for number, (a, _) in enumerate(TRIED[:4]):
        yield case(f"attributes {number}", (5, 9), a)
    for layout in LAYOUTS[1:]:
        yield case(layout, (6, 7), Adam(amsgrad=True), layout)


def _adam(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_950_kernels():
        return

    def case(
        label: str, shape: tuple[int, ...], nesterov: bool = False, layout: str = "contiguous"
    ) -> Case:  # fmt: skip
        var, m = draw(shape, dtype, rng, 1, 3), draw(shape, dtype, rng)
        v, grad = draw(shape, dtype, rng), draw(shape, dtype, rng)
        tensors, (power1, power2, lr, beta1, beta2, eps) = _numbers(
            (0.5, 0.75, 0.01, 0.9, 0.99, 0.01), "float32"
        )
        g = _exact(grad)
        first = beta1 * _exact(m) + (1 - beta1) * g
        second = beta2 * _exact(v) + (1 - beta2) * g * g
        rate = lr * np.sqrt(1 - power2) / (1 - power1)
        ahead = beta1 * first + (1 - beta1) * g if nesterov else first
        golden = _exact(var) - rate * ahead / (np.sqrt(second) + eps)
        operands = [Operand(x, layout) for x in (var, m, v)]
        return Case(label, (*operands, *tensors, Operand(grad, layout), False, nesterov), (golden,))

    for shape in SHAPES[:6] + SHAPES[-2:]:
        yield case(f"shape {shape}", shape)
    yield case("nesterov", (5, 9), nesterov=True)
    for layout in LAYOUTS[1:]:
        yield case(layout, (6, 7), layout=layout)


def _ema_adam(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(
        label: str, shape: tuple[int, ...], mode: int = 1, corrected: bool = True,
        layout: str = "contiguous", step: int = 5, decay: float = 0.1,
    ) -> Case:  # fmt: skip
        grad, var = draw(shape, dtype, rng), draw(shape, dtype, rng, 1, 3)
        m, v, s = (draw(shape, dtype, rng) for _ in range(3))
        lr, kept, beta1, beta2, eps = 0.01, 0.75, 0.9, 0.99, 1e-3
        f_kept, f1, f2 = _single(kept), _single(beta1), _single(beta2)
        exact, g = _exact(var), _exact(grad)
        g = g if mode == 1 else g + _single(decay) * exact
        first = f1 * _exact(m) + (1 - f1) * g
        second = f2 * _exact(v) + (1 - f2) * g * g
        correction1, correction2 = (1 - f1**step, 1 - f2**step) if corrected else (1.0, 1.0)
        change = first / correction1 / (np.sqrt(second / correction2) + eps)
        change = change + (_single(decay) * exact if mode == 1 else 0)
        after = exact - _single(lr) * change
        golden = (after, first, second, f_kept * _exact(s) + (1 - f_kept) * after)
        operands = [Operand(x, layout) for x in (grad, var, m, v, s)]
        numbers = (lr, kept, beta1, beta2, eps, mode, corrected, decay)
        return Case(label, (*operands, Operand(np.array([step])), *numbers), golden)

    for shape in SHAPES:
        yield case(f"shape {shape}", shape)
    yield case("the decay in the gradient", (5, 9), mode=0)
    yield case("without correction", (5, 9), corrected=False)
    yield case("both", (5, 9), mode=0, corrected=False, decay=0.5)
    yield case("the first step", (5, 9), step=1)
    for layout in LAYOUTS[1:]:
        yield case(layout, (6, 7), layout=layout)


def _fused_adamw(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(
        label: str, shapes: tuple[tuple[int, ...], ...], a: Adam = Adam(), step: int = 4,
        scale: float | None = None, found: float | None = None, layout: str = "contiguous",
    ) -> Case:  # fmt: skip
        drawn: list[list[Array]] = [[], [], [], [], []]
        golden: list[list[Any]] = [[], [], [], []]
        for shape in shapes:
            grad = draw(shape, dtype, rng)
            grad = np.asarray(-grad if a.maximize else grad)
            var, m = draw(shape, dtype, rng, 1, 3), draw(shape, dtype, rng)
            v, largest = draw(shape, dtype, rng), draw(shape, dtype, rng)
            scaled = _exact(grad) / (scale or 1)
            after = adamw(a, step + 1, var, m, v, largest, scaled)
            if found == 1:
                after = (_exact(var), _exact(m), _exact(v), _exact(largest))
            for kept, values in zip(drawn, (var, grad, m, v, largest), strict=True):
                kept.append(values)
            for results, result in zip(golden, after, strict=True):
                results.append(result)
        lists = [[Operand(x, layout) for x in each] for each in drawn]
        steps = [Operand(np.array([step], np.float32)) for _ in shapes]
        flags = [None if x is None else Operand(np.array([x], np.float32)) for x in (scale, found)]
        numbers = (a.lr, a.beta1, a.beta2, a.decay, a.eps, a.amsgrad, a.maximize)
        largest_given = lists[4] if a.amsgrad else None
        inputs = (*lists[:4], largest_given, steps, *flags, *numbers)
        return Case(label, inputs, (*golden[:3], golden[3] if a.amsgrad else None))

    for shapes in LISTS:
        yield case(f"shapes {shapes[:3]}", shapes)
    for number, (a, step) in enumerate(TRIED):
        yield case(f"attributes {number}", LISTS[0], a, step)
    yield case("scaled", LISTS[0], scale=4)
    yield case("not finite", LISTS[0], Adam(amsgrad=True), scale=4, found=1)
    yield case("finite", LISTS[0], found=0)
    for layout in LAYOUTS[1:]:
        yield case(layout, LISTS[0], Adam(amsgrad=True), layout=layout)


def _fused_sgd(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return

    def case(
        label: str, shapes: tuple[tuple[int, ...], ...], momentum: float = 0.9,
        decay: float = 0.1, dampening: float = 0.0, nesterov: bool = False,
        maximize: bool = False, first: bool = False, scale: float | None = None,
        layout: str = "contiguous", lr: float = 0.01,
    ) -> Case:  # fmt: skip
        drawn: list[list[Array]] = [[], [], []]
        golden: list[list[Any]] = [[], [], []]
        for shape in shapes:
            grad = draw(shape, dtype, rng)
            grad = np.asarray(-grad if maximize else grad)
            var, buffer = draw(shape, dtype, rng, 1, 3), draw(shape, dtype, rng)
            scaled = _exact(grad) / (scale or 1)
            g = (-scaled if maximize else scaled) + _single(decay) * _exact(var)
            rate = _single(momentum)
            if momentum:
                held = g if first else rate * _exact(buffer) + (1 - _single(dampening)) * g
                g = g + rate * held if nesterov else held
                golden[2].append(held)
            golden[0].append(_exact(var) - _single(lr) * g)
            golden[1].append(scaled)
            for kept, values in zip(drawn, (var, grad, buffer), strict=True):
                kept.append(values)
        lists = [[Operand(x, layout) for x in each] for each in drawn]
        inputs = (
            *lists[:2], lists[2] if momentum else None,
            None if scale is None else Operand(np.array([scale], np.float32)),
            decay, momentum, lr, dampening, nesterov, maximize, first,
        )  # fmt: skip
        return Case(label, inputs, (*golden[:2], golden[2] if momentum else None))

    for shapes in LISTS:
        yield case(f"shapes {shapes[:3]}", shapes)
        yield case(f"shapes {shapes[:3]} without momentum", shapes, momentum=0)
    yield case("nesterov", LISTS[0], nesterov=True)
    yield case("dampening", LISTS[0], dampening=0.5)
    yield case("the first step", LISTS[0], first=True)
    yield case("maximize", LISTS[0], maximize=True, decay=0)
    yield case("scaled", LISTS[0], scale=4)
    yield case("all", LISTS[0], nesterov=True, scale=0.5, lr=0.05, momentum=0.5)
    for layout in LAYOUTS[1:]:
        yield case(layout, LISTS[0], layout=layout)


def _amp(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(
        scale: float, tracker: int, found: float, interval: int = 5, growth: float = 2.0,
        backoff: float = 0.5, layout: str = "",
    ) -> Case:  # fmt: skip
        after, steps = scale, tracker + 1
        if found:
            after, steps = scale * backoff, 0
        elif steps == interval:
            # Held against the limits of float32, which it is computed in.
            grows = abs(scale * growth) <= float(np.finfo(np.float32).max)
            after, steps = (scale * growth if grows else scale), 0
        label = f"scale {scale}, step {tracker} of {interval}, found {found} {layout}"
        given = [np.array([v]).astype(numpy_dtype(dtype)) for v in (scale, found)]
        operands = (
            Operand(given[0], layout or "contiguous"), Operand(np.array([tracker], np.int32)),
            Operand(given[1], layout or "contiguous"),
        )  # fmt: skip
        golden = (np.array([after]), np.array([steps], np.int32))
        views = (layout, layout) if layout else ()
        types = (dtype, "int32") if layout else ()
        return Case(label, (*operands, growth, backoff, interval), golden, views, types)

    for tracker in (0, 3, 4, 5, 1000):
        for found in (0, 1, -1):
            yield case(1024.0, tracker, found)
    yield case(3.0, 0, 0, interval=1, growth=1.5)
    yield case(3.0, 0, 1, backoff=0.25)
    yield case(3e38 if dtype != "float16" else 6e4, 4, 0)
    for layout in LAYOUTS[1:]:
        yield case(512.0, 4, 0, layout=layout)


def _nearest(values: Array, table: Array, *, keeps_sign: bool) -> Array:
    """Return places in a table; a value moves on where the sign of the nearest is another."""
    place = np.abs(values[:, None] - table).argmin(1)
    if keeps_sign:
        other = np.sign(table[place]) != np.sign(values)
        place = np.clip(place + np.where(other, np.sign(values), 0).astype(int), 0, 255)
    return np.asarray(place.astype(np.uint8))


def _adam_w_quant(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    tables = [np.linspace(low, 1, 256).astype(np.float32) for low in (-1, 0)]
    for shape, decay, factor in (
        ((256,), 0.0, 1.0),
        ((3, 512), 0.1, 0.5),
        ((2, 2, 2, 128), 0.5, 2),
    ):
        a, step = Adam(decay=decay), 3
        beta1, beta2, eps, lr = (np.float32(n) for n in (a.beta1, a.beta2, a.eps, a.lr))
        one, size = np.float32(1), int(np.prod(shape))
        var, grad = (rng.normal(0, 1, shape).astype(numpy_dtype(dtype)) for _ in range(2))
        places = [rng.integers(0, 256, shape).astype(np.uint8) for _ in range(2)]
        scales = [rng.uniform(0.1, 2, size // 256).astype(np.float32) for _ in range(2)]
        m, v = (
            t[p.reshape(-1, 256)] * s[:, None]
            for t, p, s in zip(tables, places, scales, strict=True)
        )
        slope = grad.astype(np.float32).reshape(-1, 256) * np.float32(factor)
        m = m * beta1 + slope * (one - beta1)
        v = v * beta2 + slope * slope * (one - beta2)
        root = np.sqrt(one - np.power(beta2, np.float32(step + 1)))
        rate = -lr * root / (one - np.power(beta1, np.float32(step + 1)))
        now = var.astype(np.float32).reshape(-1, 256) + m * rate / (np.sqrt(v) + eps * root)
        now = now * (one - lr * np.float32(decay)) if decay > 0 else now
        most = [np.abs(n).max(1) for n in (m, v)]
        after = [
            _nearest((n / s[:, None]).ravel(), t, keeps_sign=t[0] < 0).reshape(shape)
            for n, s, t in zip((m, v), most, tables, strict=True)
        ]
        yield Case(
            f"{shape} decay {decay}",
            (*map(Operand, (var, grad, *places, *tables, *scales, np.array([step]))),
             a.lr, a.beta1, a.beta2, decay, a.eps, factor, "BLOCKWISE", 256),
            (now.reshape(shape), *after, *most),
        )  # fmt: skip


SUITES = (
    Suite("apply_adam_w_v2", FLOATS, _adam_w_v2),
    Suite("apply_adam_w", FLOATS, _adam_w, chip=NEWEST),
    Suite("apply_adam", FLOATS, _adam, chip=NEWEST),
    Suite("apply_fused_ema_adam", FLOATS, _ema_adam),
    Suite("apply_adam_w_quant", FLOATS, _adam_w_quant),
    Suite("fused_adamw", FLOATS, _fused_adamw),
    Suite("fused_sgd", FLOATS, _fused_sgd),
    Suite("amp_update_scale", FLOATS, _amp),
)
