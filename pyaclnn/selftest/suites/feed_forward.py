"""Feed-forward networks: activations, biases, experts known by numbers, by ends, on the device."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite
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

    return cases


SUITES: tuple[Suite, ...] = (
    Suite("ffn", ("float16", "bfloat16"), _network(1)),
    Suite("ffn_v2", ("float16", "bfloat16"), _network(2)),
    Suite("ffn_v3", ("float16", "bfloat16"), _network(3)),
)
