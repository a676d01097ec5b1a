"""Recurrent networks against cells written out in float64, one direction at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype

Cases = Callable[[str, np.random.Generator], Iterator[Case]]


def _sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def lstm_step(gates: Sequence[Array], hidden: Sequence[Array], c: Array) -> tuple[Array, ...]:
    """Return i, g, f, o, h, c and tanh(c) from the four parts of input and hidden state."""
    i, f, g, o = (a + b for a, b in zip(gates, hidden, strict=True))
    i, f, g, o = _sigmoid(i), _sigmoid(f), np.tanh(g), _sigmoid(o)
    c = f * c + i * g
    return i, g, f, o, o * np.tanh(c), c, np.tanh(c)


def gru_step(gates: Sequence[Array], hidden: Sequence[Array], h: Array) -> tuple[Array, ...]:
    """Return r, z, n, the hidden state's part of n, and h."""
    r, z = (_sigmoid(gates[k] + hidden[k]) for k in range(2))
    n = np.tanh(gates[2] + r * hidden[2])
    return r, z, n, hidden[2], (1 - z) * n + z * h


def _lstm_back(
    kept: Sequence[Array], h: Array, c: Array, dh: Array, dc: Array
) -> tuple[Array, Array, Array, Array]:
    i, g, f, o, _, _, squashed = kept
    dc = dc + dh * o * (1 - squashed**2)
    gates = np.concatenate(
        (
            dc * g * i * (1 - i), dc * c * f * (1 - f), dc * i * (1 - g**2),
            dh * squashed * o * (1 - o),
        ),
        axis=-1,
    )  # fmt: skip
    return gates, gates, np.zeros_like(dh), dc * f


def _gru_back(
    kept: Sequence[Array], h: Array, c: Array, dh: Array, dc: Array
) -> tuple[Array, Array, Array, Array]:
    r, z, n, of_hidden, _ = kept
    dn = dh * (1 - z) * (1 - n**2)
    dr, dz = dn * of_hidden * r * (1 - r), dh * (h - n) * z * (1 - z)
    return (
        np.concatenate((dr, dz, dn), axis=-1), np.concatenate((dr, dz, dn * r), axis=-1), dh * z, dc
    )  # fmt: skip


@dataclass(frozen=True)
class Net:
    """A network, its extents and how it is called.

    Attributes
    ----------
    kind : str
        ``lstm`` or ``gru``.
    counts : tuple of int
        Valid rows of each step; empty where all are.
    """

    kind: str
    steps: int
    batch: int
    inputs: int
    hidden: int
    layers: int = 1
    both: bool = False
    bias: bool = True
    batch_first: bool = False
    counts: tuple[int, ...] = ()

    @property
    def ways(self) -> int:
        """How many directions there are."""
        return 2 if self.both else 1

    @property
    def gates(self) -> int:
        """How many parts weights have."""
        return 4 if self.kind == "lstm" else 3

    def parameters(self, kind: np.dtype[np.generic], rng: np.random.Generator) -> list[Array]:
        """Return weights and biases of all layers and directions."""
        result = []
        for layer in range(self.layers):
            width = self.ways * self.hidden if layer else self.inputs
            shapes = [(self.gates * self.hidden, width), (self.gates * self.hidden, self.hidden)]
            shapes += [(self.gates * self.hidden,)] * (2 if self.bias else 0)  # type: ignore[list-item]
            for _ in range(self.ways):
                result += [rng.uniform(0.05, 0.6, s).astype(kind) for s in shapes]
        return result

    def valid(self, step: int) -> Array:
        """Return which rows of a step are valid, as a column."""
        count = self.counts[step] if self.counts else self.batch
        return np.arange(self.batch)[:, None] < count

    def order(self, way: int) -> range:
        """Return the steps in the order of a direction."""
        return range(self.steps)[:: -1 if way else 1]

    def run(
        self, x: Array, parameters: Sequence[Array], h0: Array, c0: Array
    ) -> tuple[Array, Array, Array, list[list[Array]]]:
        """Return y, last hidden and cell states, and what is kept of each layer and direction."""
        group = 4 if self.bias else 2
        hidden, cells, kept = [], [], []
        ys: list[Array] = [x]
        for index in range(self.layers * self.ways):
            way = index % self.ways
            if way == 0:
                x, ys = np.concatenate(ys, axis=-1), []
            w, u, *biases = parameters[index * group : (index + 1) * group]
            b, d = biases or (0.0, 0.0)
            h, c = h0[index], c0[index]
            steps: dict[int, tuple[Array, ...]] = {}
            for t in self.order(way):
                gates = np.split(x[t] @ w.T + b, self.gates, axis=-1)
                parts = np.split(h @ u.T + d, self.gates, axis=-1)
                valid = self.valid(t)
                if self.kind == "lstm":
                    new = lstm_step(gates, parts, c)
                    h, c = np.where(valid, new[4], h), np.where(valid, new[5], c)
                    steps[t] = (*new[:4], h, c, new[6])
                else:
                    new = gru_step(gates, parts, h)
                    h = np.where(valid, new[4], h)
                    steps[t] = (*new[:4], h)
            each = [
                np.stack([steps[t][k] for t in range(self.steps)]) for k in range(len(steps[0]))
            ]
            kept.append(each)
            mask = np.stack([self.valid(t) for t in range(self.steps)])
            ys.append(each[4] * mask)
            hidden.append(h)
            cells.append(c)
        return np.concatenate(ys, axis=-1), np.stack(hidden), np.stack(cells), kept

    def back(
        self, x: Array, parameters: Sequence[Array], h0: Array, c0: Array,
        kept: Sequence[Sequence[Array]], dy: Array, dh: Array, dc: Array,
    ) -> tuple[Array, Array, Array, list[Array]]:  # fmt: skip
        """Return the gradients of x, of the first states, and of the parameters."""
        group, step_back = (
            (4 if self.bias else 2),
            (_lstm_back if self.kind == "lstm" else _gru_back),
        )
        dhs, dcs = dh.astype(float), dc.astype(float)
        grads: list[Array] = [np.zeros(())] * len(parameters)
        for layer in reversed(range(self.layers)):
            own = [kept[layer * self.ways + d] for d in range(self.ways)]
            below = [kept[(layer - 1) * self.ways + d][4] for d in range(self.ways)]
            inputs = np.concatenate(below, axis=-1) if layer else x
            dx = np.zeros_like(inputs, float)
            for way in range(self.ways):
                index, order = layer * self.ways + way, list(self.order(way))
                w, u = parameters[index * group : index * group + 2]
                sums = [np.zeros_like(p, float) for p in parameters[index * group :][:group]]
                for place in reversed(range(self.steps)):
                    t = order[place]
                    h, c = (
                        own[way][k][order[place - 1]] if place else first[index]
                        for k, first in ((4, h0), (5 if self.kind == "lstm" else 4, c0))
                    )
                    part = dy[t][:, way * self.hidden : (way + 1) * self.hidden]
                    now = [k[t] for k in own[way]]
                    to_x, to_h, direct, new_dc = step_back(now, h, c, dhs[index] + part, dcs[index])
                    valid = self.valid(t)
                    to_x, to_h = to_x * valid, to_h * valid
                    dhs[index] = np.where(valid, direct + to_h @ u, dhs[index])
                    dcs[index] = np.where(valid, new_dc, dcs[index])
                    dx[t] += to_x @ w
                    for total, more in zip(
                        sums, (to_x.T @ inputs[t], to_h.T @ h, to_x.sum(0), to_h.sum(0)),
                        strict=False,
                    ):  # fmt: skip
                        total += more
                grads[index * group : (index + 1) * group] = sums
            dy = dx
        return dy, dhs, dcs, grads


def _nets(kind: str) -> Iterator[tuple[str, Net]]:
    yield "one step", Net(kind, 1, 1, 1, 1, bias=False)
    yield "plain", Net(kind, 5, 3, 4, 6)
    yield "two directions", Net(kind, 4, 3, 5, 4, both=True)
    yield "two layers, batch first", Net(kind, 3, 4, 5, 3, layers=2, batch_first=True)
    yield "three layers both ways", Net(kind, 3, 2, 4, 5, layers=3, both=True, bias=False)
    yield "wider than a register", Net(kind, 2, 17, 33, 40)
    if kind == "lstm":
        yield "valid rows", Net(kind, 4, 3, 5, 4, counts=(3, 2, 2, 1))
        yield (
            "valid rows both ways",
            Net(kind, 4, 3, 5, 4, layers=2, both=True, counts=(3, 3, 1, 0)),
        )


def _given(
    net: Net, dtype: str, rng: np.random.Generator
) -> tuple[Array, list[Array], Array, Array]:
    kind = numpy_dtype(dtype)
    state = (net.layers * net.ways, net.batch, net.hidden)
    x = rng.uniform(0.1, 1, (net.steps, net.batch, net.inputs)).astype(kind)
    h0, c0 = (np.asarray(rng.uniform(0.1, 0.9, state)).astype(kind) for _ in range(2))
    return x, net.parameters(kind, rng), h0, c0


def _rows(net: Net, rows: Array, flat: bool = True) -> Array:
    """Return rows by time as a call takes them."""
    if net.counts:
        return rows.reshape(-1, rows.shape[-1]) if flat else rows
    return rows.swapaxes(0, 1) if net.batch_first else rows


def _counts(net: Net) -> Operand | None:
    return Operand(np.array(net.counts, np.int64)) if net.counts else None


def _exact(array: Array) -> Array:
    return np.asarray(array, np.float64)


def _all_exact(arrays: Sequence[Array]) -> list[Array]:
    return [_exact(a) for a in arrays]


def _operands(arrays: Sequence[Array], layout: str = "contiguous") -> list[Operand]:
    return [Operand(a, layout if a.ndim > 1 else "contiguous") for a in arrays]


def _forward(kind: str) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for label, net in _nets(kind):
            for train, layout in ((True, "contiguous"), (False, "every_second")):
                x, parameters, h0, c0 = _given(net, dtype, rng)
                with_states = not train or net.layers == 1
                first = (h0, c0) if with_states else (np.zeros_like(h0), np.zeros_like(c0))
                y, h, c, kept = net.run(_exact(x), _all_exact(parameters), *map(_exact, first))
                states: object = _operands((h0, c0)) if kind == "lstm" else Operand(h0)
                inputs = (
                    Operand(_rows(net, x), layout), _operands(parameters, layout),
                    states if with_states else None, _counts(net), net.bias, net.layers, 0.0,
                    train, net.both, net.batch_first,
                )  # fmt: skip
                own = [[each[k] for each in kept] for k in range(len(kept[0]))]
                saved = own if train else [False] * len(own)
                last = (h, c) if kind == "lstm" else (h,)
                golden = (_rows(net, y, flat=False), *last, *saved)
                yield Case(f"{label} {train}", inputs, golden)

    return cases


def _backward(kind: str) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for label, net in _nets(kind):
            x, parameters, h0, c0 = _given(net, dtype, rng)
            y, *_, kept = net.run(_exact(x), _all_exact(parameters), _exact(h0), _exact(c0))
            saved = [[k.astype(x.dtype) for k in each] for each in kept]
            dy = np.asarray(rng.uniform(0.1, 1, y.shape)).astype(x.dtype)
            dh, dc = (np.asarray(rng.uniform(0.1, 1, h0.shape)).astype(x.dtype) for _ in range(2))
            dx, dh0, dc0, grads = net.back(
                _exact(x), _all_exact(parameters), _exact(h0), _exact(c0),
                [_all_exact(each) for each in saved], _exact(dy), _exact(dh), _exact(dc),
            )  # fmt: skip
            lists = [[Operand(each[k]) for each in saved] for k in range(len(saved[0]))]
            x_given, dy_given = (Operand(_rows(net, a)) for a in (x, dy))
            if kind == "lstm":
                inputs: tuple[object, ...] = (
                    x_given, _operands((h0, c0)), _operands(parameters), dy_given, Operand(dh),
                    Operand(dc), *lists, _counts(net), net.bias, net.layers, 0.0, True, net.both,
                    net.batch_first, None,
                )  # fmt: skip
                golden: tuple[object, ...] = (_rows(net, dx), dh0, dc0, grads)
            else:
                inputs = (
                    x_given, _operands(parameters), Operand(h0), dy_given, Operand(dh), *lists,
                    None, net.bias, net.layers, net.both, net.batch_first,
                )  # fmt: skip
                golden = (_rows(net, dx), dh0, grads)
            yield Case(label, inputs, golden)

    return cases


def _bidirectional(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        nets = [
            Net("lstm", 4, 3, 5, 4, both=both, bias=bias)
            for both in (False, True) for bias in (False, True)
        ]  # fmt: skip
        if version == 2:
            nets += [
                Net("lstm", 4, 3, 5, 4, both=both, counts=(3, 2, 2, 1)) for both in (False, True)
            ]
        for net in nets:
            for packed in {False, bool(net.counts)}:
                x, parameters, h0, c0 = _given(net, dtype, rng)
                y, h, c, _ = net.run(_exact(x), _all_exact(parameters), _exact(h0), _exact(c0))
                if packed:
                    x, y = (
                        np.concatenate([rows[t, :count] for t, count in enumerate(net.counts)])
                        for rows in (x, y)
                    )
                group = 4 if net.bias else 2
                given: list[object] = [None] * 8
                for way in range(net.ways):
                    own = parameters[way * group : (way + 1) * group]
                    given[way * 4 : way * 4 + group] = _operands(own)
                counts = Operand(np.array(net.counts, np.int32)) if net.counts else None
                more = (counts,) if version == 2 else ()
                flags = (packed,) if version == 2 else ()
                inputs = (
                    Operand(x), Operand(h0), Operand(c0), *given, *more, 1, net.bias, False,
                    net.both, *flags,
                )  # fmt: skip
                yield Case(f"{net.both} {net.bias} {packed}", inputs, (y, h, c))

    return cases


def _cell(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    for rows, units in ((1, 1), (3, 5), (40, 130)):
        for with_bias, layout in ((True, "contiguous"), (False, "every_second")):
            x, h = (rng.normal(0, 1, (rows, 4 * units)).astype(kind) for _ in range(2))
            c = rng.uniform(0.1, 1, (rows, units)).astype(kind)
            biases = [rng.normal(0, 1, 4 * units).astype(kind) for _ in range(2 * with_bias)]
            gates, hidden = (
                np.split(
                    a.astype(np.float64) + (b.astype(np.float64) if b is not None else 0), 4, -1
                )
                for a, b in zip((x, h), biases or (None, None), strict=True)
            )
            i, g, f, o, hy, cy, _ = lstm_step(gates, hidden, c.astype(np.float64))
            inputs = (
                Operand(x, layout), Operand(h), Operand(c, layout),
                *(map(Operand, biases) if biases else (None, None)),
            )  # fmt: skip
            golden = (hy, cy, np.concatenate((i, f, g, o), axis=-1))
            yield Case(f"{rows} {units} {with_bias}", inputs, golden)


def _cell_backward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    for rows, units in ((1, 1), (3, 5), (40, 130)):
        for with_bias in (True, False):
            dh, dc, cx, cy = (rng.uniform(0.1, 1, (rows, units)).astype(kind) for _ in range(4))
            storage = rng.uniform(0.1, 0.9, (rows, 4 * units)).astype(kind)
            i, f, g, o = np.split(storage.astype(np.float64), 4, axis=-1)
            exact = [a.astype(np.float64) for a in (cx, dh, dc)]
            kept = (i, g, f, o, i, i, np.tanh(cy.astype(np.float64)))
            gates, _, _, to_cx = _lstm_back(kept, i, *exact)
            inputs = (*map(Operand, (dh, dc, cx, cy, storage)), with_bias)
            golden = (gates, to_cx, gates.sum(0) if with_bias else None)
            yield Case(f"{rows} {units} {with_bias}", inputs, golden)


_FLOATS = ("float32", "float16")

SUITES = (
    Suite("lstm", _FLOATS, _forward("lstm")),
    Suite("gru", _FLOATS, _forward("gru")),
    Suite("lstm_backward", _FLOATS, _backward("lstm")),
    Suite("gru_backward", _FLOATS, _backward("gru")),
    Suite("bidirection_lstm", ("float16",), _bidirectional(1), chip="Ascend310P3"),
    Suite("bidirection_lstm_v2", ("float16",), _bidirectional(2), chip="Ascend310P3"),
    Suite("thnn_fused_lstm_cell", _FLOATS, _cell),
    Suite("thnn_fused_lstm_cell_backward", _FLOATS, _cell_backward),
)
