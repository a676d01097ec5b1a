"""Feed-forward networks: activations, gates, biases, experts of all kinds, int8 and its weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact
from pyaclnn.selftest.suites.products import values_of

Shape = tuple[int, ...]
Cases = Callable[[str, np.random.Generator], Iterator[Case]]

_ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "relu": lambda x: np.maximum(x, 0),
    "silu": lambda x: np.asarray(x / (1 + np.exp(-x))),
    "fastgelu": lambda x: np.asarray(x / (1 + np.exp(-1.702 * x))),
    "gelu": lambda x: np.asarray(
        x * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    ),
}


def _inputs(
    version: int, tensors: list[Array], tokens: list[int], rest: dict[int, Array],
    activation: str, precise: int,
) -> tuple[object, ...]:  # fmt: skip
    """Return the arguments of a call; ``rest`` has optional tensors by their place."""
    numbers = Operand(np.array(tokens, np.int64)) if version == 3 and tokens else tokens or None
    optional = [Operand(rest[i]) if i in rest else None for i in range(10)]
    flags = () if version == 1 else (False,)
    return (*map(Operand, tensors), numbers, *optional, activation, precise, *flags)


#: Places of the optional tensors.
_BIAS1, _BIAS2, _SCALE, _OFFSET, _DEQ1, _DEQ2 = range(6)
_ANTI_SCALE1, _ANTI_SCALE2, _ANTI_OFFSET1, _ANTI_OFFSET2 = range(6, 10)


def _gated(version: int, rng: np.random.Generator) -> Iterator[Case]:
    for name, gate in (("reglu", "relu"), ("swiglu", "silu"), ("geglu", "gelu")):
        x, first, second = (
            np.abs(values_of(shape, "float16", rng)) for shape in ((5, 12), (12, 40), (20, 12))
        )
        left, right = np.split(exact(x) @ exact(first), 2, axis=1)
        golden = left * _ACTIVATIONS[gate](right) @ exact(second)
        yield Case(name, _inputs(version, [x, first, second], [], {}, name, 1), (golden,))


def _of_int8(version: int, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Yield networks all of whose numbers are exact, so that nothing depends on a rounding."""
    for counts in ((), (2, 3)):
        each = (len(counts),) if counts else ()
        x, first, second = (
            rng.integers(-4, 5, shape).astype(np.int8)
            for shape in ((5, 12), (*each, 12, 20), (*each, 20, 12))
        )
        kind = numpy_dtype("bfloat16" if dtype == "bfloat16" else "float32")
        deq1, deq2 = (
            (2.0 ** rng.integers(-3, 1, (*each, n))).astype(kind) for n in (20, 12)
        )  # fmt: skip
        scale = (2.0 ** rng.integers(-1, 3, each or (1,))).astype(np.float32)
        rest = {_SCALE: scale, _OFFSET: np.ones(each or (1,), np.float32), _DEQ1: deq1,
                _DEQ2: deq2}  # fmt: skip
        golden, begin = np.zeros((5, 12)), 0
        for expert, count in enumerate(counts or (5,)):
            own = (lambda v, i=expert: exact(v)[i]) if counts else exact
            rows = np.maximum(exact(x)[begin : begin + count] @ own(first) * own(deq1), 0)
            rows = np.clip(np.rint(rows * scale[expert] + 1), -128, 127)
            golden[begin : begin + count] = rows @ own(second) * own(deq2)
            begin += count
        inputs = _inputs(version, [x, first, second], list(counts), rest, "relu", 0)
        yield Case(f"int8 {counts}", inputs, (golden,), out_dtypes=(dtype,))


def _of_int8_weights(version: int, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    x = np.abs(values_of((5, 12), dtype, rng))  # nothing that cancels
    first, second = (
        rng.integers(0, 5, shape).astype(np.int8) for shape in ((12, 20), (20, 12))
    )  # fmt: skip
    rest = {place: np.abs(values_of((n,), dtype, rng)) for place, n in
            ((_ANTI_SCALE1, 20), (_ANTI_SCALE2, 12))}  # fmt: skip
    rest[_ANTI_OFFSET1], rest[_ANTI_OFFSET2] = (np.ones(n, x.dtype) for n in (20, 12))
    one, two = (
        np.asarray((exact(w) + 1) * exact(rest[place]))
        for w, place in ((first, _ANTI_SCALE1), (second, _ANTI_SCALE2))
    )
    golden = np.maximum(exact(x) @ one, 0) @ two
    yield Case("weights of int8", _inputs(version, [x, first, second], [], rest, "relu", 0),
               (golden,))  # fmt: skip


def _network(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        family = chip_family()
        if family not in ("A2", "310P") or (family == "310P" and version == 1):
            return

        def case(
            leading: Shape, counts: tuple[int, ...], activation: str = "relu", *, bias: bool = True,
            ends: bool = False, layout: str = "contiguous",
        ) -> Case:  # fmt: skip
            depth, hidden = 12, 20
            experts = (len(counts),) if counts else ()
            x = values_of((*leading, depth), dtype, rng)
            first = values_of((*experts, depth, hidden), dtype, rng)
            second = values_of((*experts, hidden, depth), dtype, rng)
            kind = "float32" if dtype == "bfloat16" else dtype
            biases = [values_of((*experts, n), kind, rng) for n in (hidden, depth)] if bias else []
            golden = np.zeros((x.size // depth, depth))
            begin = 0
            for expert, count in enumerate(counts or (len(golden),)):

                def own(values: Array, expert: int = expert) -> Array:
                    return exact(values)[expert] if counts else exact(values)

                rows = exact(x).reshape(-1, depth)[begin : begin + count] @ own(first)
                rows = _ACTIVATIONS[activation](rows + (own(biases[0]) if bias else 0)) @ own(
                    second
                )
                golden[begin : begin + count] = rows + (own(biases[1]) if bias else 0)
                begin += count
            numbers = list(np.cumsum(counts)) if ends else list(counts)
            tokens: object = [int(n) for n in numbers] or None
            if version == 3 and counts:
                tokens = Operand(np.array(numbers, np.int64), layout)
            operands = [Operand(v, layout) for v in (x, first, second)]
            given: list[Operand | None] = (
                [Operand(v, layout) for v in biases] if bias else [None, None]
            )
            precise = 0 if dtype == "bfloat16" else 1 if family == "310P" else len(counts) % 2
            flags = () if version == 1 else (ends,)
            inputs = (*operands, tokens, *given, *(None,) * 8, activation, precise, *flags)
            outs = () if layout == "contiguous" else (layout,)
            label = f"{leading} {counts} {activation} {bias} {ends} {layout}"
            return Case(label, inputs, (golden.reshape(x.shape),), outs)

        for activation in _ACTIVATIONS:
            yield case((5,), (), activation)
        yield case((40,), (), bias=False)
        for layout in LAYOUTS[1:]:
            yield case((6,), (), layout=layout)
        if family == "310P":
            return
        yield case((2, 3), ())
        for ends in (False,) if version == 1 else (False, True):
            yield case((9,), (4, 0, 5), ends=ends)
            yield case((2, 5), (3, 7), "silu", bias=False, ends=ends)
            yield case((600,), (590, 10), ends=ends)
        yield case((6,), (2, 4), layout="every_second")
        if dtype == "float16":
            yield from _gated(version, rng)
        yield from _of_int8(version, dtype, rng)
        yield from _of_int8_weights(version, dtype, rng)

    return cases


SUITES: tuple[Suite, ...] = (
    Suite("ffn", ("float16", "bfloat16"), _network(1)),
    Suite("ffn_v2", ("float16", "bfloat16"), _network(2)),
    Suite("ffn_v3", ("float16", "bfloat16"), _network(3)),
)
