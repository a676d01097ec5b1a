"""Attention for training, forward and backward, in every layout, mask and version.

Everything is positive, and the output that the backward pass is given is a part of the real one: so
no sum cancels, which would measure the order of a sum. That the gradients are those of the forward
pass is shown by ``tests/operators/test_flash_attention.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pyaclnn import ops
from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, has_bfloat16, is_950
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.random_numbers import philox

_ENDLESS = 2**31 - 1
_LOWEST = float(np.finfo(np.float32).min)


@dataclass
class Sample:
    """One sequence: what is attended, as [heads, tokens, depth] in float64, and how."""

    query: Array
    key: Array
    value: Array
    grad: Array
    seen: Array
    bias: Array | None = None
    scales_bias: bool = True
    keeps: Array | None = None
    keep: float = 1.0
    sink: Array | None = field(init=False)
    scale: float = field(init=False)
    p: Array = field(init=False)
    maximum: Array = field(init=False)
    total: Array = field(init=False)
    out: Array = field(init=False)

    def attend(self, scale: float, sink: Array | None) -> None:
        """Compute the weights, from the mathematical definition."""
        self.scale, self.sink = scale, sink
        group = self.query.shape[0] // self.key.shape[0]
        keys, values = (np.repeat(x, group, 0) for x in (self.key, self.value))
        scores = self.query @ keys.swapaxes(-1, -2)
        if self.bias is None:
            scores = scores * self.scale
        elif self.scales_bias:
            scores = (scores + self.bias) * self.scale
        else:
            scores = scores * self.scale + self.bias
        scores = np.where(self.seen, scores, -np.inf)
        self.maximum = scores.max(-1, keepdims=True, initial=-np.inf)
        if self.sink is not None:
            self.maximum = np.maximum(self.maximum, self.sink.reshape(-1, 1, 1))
        with np.errstate(invalid="ignore"):
            power = np.nan_to_num(np.exp(scores - self.maximum), nan=0.0)
        self.total = power.sum(-1, keepdims=True)
        if self.sink is not None:
            self.total = self.total + np.exp(self.sink.reshape(-1, 1, 1) - self.maximum)
        nothing = ~self.seen.any(-1, keepdims=True) & (self.sink is None)
        nothing = np.broadcast_to(nothing, self.total.shape)
        self.p = power / np.where(nothing, 1, self.total)
        none = scores.shape[-1] == 0
        self.maximum = np.where(nothing, 0 if none else _LOWEST, self.maximum)
        self.total = np.where(nothing, 0 if none else -_LOWEST, self.total)
        self.out = (self.p * self._kept()) @ values

    def _kept(self) -> Array | float:
        return 1.0 if self.keeps is None else self.keeps / self.keep

    def gradients(self, out: Array) -> dict[str, Array]:
        """Return the gradients where the forward pass has given ``out``."""
        group = self.query.shape[0] // self.key.shape[0]
        keys, values = (np.repeat(x, group, 0) for x in (self.key, self.value))
        slopes = self.grad @ values.swapaxes(-1, -2) * self._kept()
        shared = (self.grad * out).sum(-1, keepdims=True)
        slopes = self.p * (slopes - shared)
        by_query = slopes @ keys * self.scale
        by_key = slopes.swapaxes(-1, -2) @ self.query * self.scale
        by_value = (self.p * self._kept()).swapaxes(-1, -2) @ self.grad
        heads = self.key.shape[0]
        result = {
            "query": by_query,
            "key": by_key.reshape(heads, group, *by_key.shape[1:]).sum(1),
            "value": by_value.reshape(heads, group, *by_value.shape[1:]).sum(1),
        }
        if self.sink is not None:
            weight = np.exp(self.sink.reshape(-1, 1, 1) - self.maximum) / self.total
            result["sink"] = -(weight * shared).sum((1, 2))
        return result


def laid_out(samples: Sequence[Array], layout: str) -> Array:
    """Return tensors of [heads, tokens, depth] in a layout."""
    if layout == "TND":
        return np.concatenate([x.swapaxes(0, 1) for x in samples])
    x = np.stack(samples)
    if layout == "BNSD":
        return x
    if layout == "SBH":
        turned = np.ascontiguousarray(x.transpose(2, 0, 1, 3))
        return turned.reshape(*turned.shape[:2], -1)
    turned = np.ascontiguousarray(x.swapaxes(1, 2))
    return turned if layout == "BSND" else turned.reshape(*turned.shape[:2], -1)


def statistics_in(samples: Sequence[Array], layout: str, like_input: bool) -> Array:
    """Return a number of each row eight times; sequences lie behind another, each by heads."""
    wide = [np.repeat(x, 8, -1) for x in samples]
    if layout != "TND":
        return np.stack(wide)
    if like_input:
        return np.concatenate([x.swapaxes(0, 1) for x in wide])
    heads = wide[0].shape[0]
    return np.concatenate([x.reshape(-1) for x in wide]).reshape(-1, heads, 8)


def _seen(
    rows: int, columns: int, mode: int, before: int, behind: int, prefix: int, is_cut: bool
) -> Array:
    """Return which pairs a sparse mode leaves, without a mask of its own."""
    i, j = np.arange(rows)[:, None], np.arange(columns)
    end = columns - rows
    band = (j >= i + end - before) & (j <= i + end + behind)
    if mode == 0:
        return np.asarray((j >= i - before) & (j <= i + behind))
    if mode == 1:
        return np.ones((rows, columns), bool)
    if mode == 4 or (mode in (7, 8) and is_cut):
        return np.asarray(band)
    if mode in (2, 8):
        return np.asarray(j <= i)
    return np.asarray((j <= i + end) | (j < prefix))


def kept_weights(
    heads: int, lengths: Sequence[tuple[int, int]], keep: float, seed: int, offset: int
) -> list[Array]:
    """Return which weights the 950 keeps: a byte for each, rows begin with a step of 16 bytes."""
    first, result = -(-offset // 16), []
    for rows, columns in lengths:
        steps = -(-columns // 16)
        counters = np.zeros((heads * rows * steps, 4), np.uint64)
        number = np.arange(first, first + len(counters), dtype=np.uint64)
        counters[:, 0], counters[:, 1] = number & np.uint64(2**32 - 1), number >> np.uint64(32)
        drawn = philox(counters, seed, 7).astype("<u4").view(np.uint8)
        kept = drawn <= int(np.float32(keep) * np.float32(255))
        result.append(kept.reshape(heads, rows, steps * 16)[..., :columns])
        first += len(counters)
    return result


def _triangle(mode: int) -> Array:
    upper = np.triu(np.ones((2048, 2048), bool), 1)
    if mode != 6:
        return upper
    lower = np.concatenate((np.zeros((1024, 1024), bool), np.ones((1024, 1024), bool)), 1)
    return np.concatenate((upper, lower))


class _Drawn:
    """The arguments of one call, by the names that the forward pass has for them."""

    def __init__(
        self, dtype: str, rng: np.random.Generator, heads: tuple[int, int], depths: tuple[int, ...],
        lengths: Sequence[tuple[int, int]], layout: str, *, mode: int | None = None,
        mask: tuple[int, ...] = (), tokens: tuple[int, int] = (_ENDLESS, _ENDLESS),
        prefix: Sequence[int] = (), pse: str = "", pse_type: int = 1, keep: float = 1.0,
        sink: bool = False, precise: int = 0, like_input: bool = False, hides: bool = False,
        seeds: tuple[int, int] | None = None, drops: str = "contiguous",
    ) -> None:  # fmt: skip
        n, m = heads
        depth, value_depth, *rope = depths
        kind = numpy_dtype(dtype)
        scale = float(1 / np.sqrt(depth))

        def drawn(*shape: int) -> Array:
            return np.abs(rng.normal(1, 0.5, shape)).astype(kind)

        self.layout, self.like_input = layout, like_input
        self.tensors: dict[str, list[Array]] = {
            "query": [drawn(n, rows, depth) for rows, _ in lengths],
            "key": [drawn(m, columns, depth) for _, columns in lengths],
            "value": [drawn(m, columns, value_depth) for _, columns in lengths],
            "grad": [drawn(n, rows, value_depth) for rows, _ in lengths],
        }
        if rope:
            self.tensors["query_rope"] = [drawn(n, rows, rope[0]) for rows, _ in lengths]
            self.tensors["key_rope"] = [drawn(m, columns, rope[0]) for _, columns in lengths]
        self.given: dict[str, Any] = {
            "scale_value": scale, "keep_prob": keep, "pre_tokens": tokens[0],
            "next_tokens": tokens[1], "head_num": n, "input_layout": layout,
            "inner_precise": precise, "sparse_mode": mode or 0, "pse_type": pse_type,
            "softmax_out_layout": "same_as_input" if like_input else "", "out_dtype": 0,
            "seed": 0, "offset": 0,
        }  # fmt: skip
        if layout == "TND":
            sums = np.cumsum(lengths, 0)
            self.given["actual_seq_q_len_optional"] = tuple(int(x) for x in sums[:, 0])
            self.given["actual_seq_kv_len_optional"] = tuple(int(x) for x in sums[:, 1])
        if prefix:
            self.given["prefix_optional"] = tuple(prefix)
        sinks = rng.uniform(0, 1, n).astype(np.float32) if sink else None
        if sinks is not None:
            self.given["sink_optional"] = sinks
        hidden: Array | None = None
        is_whole = False
        if mask:
            hidden = rng.random(mask) < 0.3
            if is_whole := layout == "TND" and mask == tuple(np.sum(lengths, 0)):
                first_rows, first_columns = np.cumsum([(0, 0), *lengths], 0).T
                for column in first_columns[:-1]:
                    hidden[:, column : column + 1] = False
            hidden[..., 0] = False
            if hides:
                hidden[..., 1, :] = True
            self.given["atten_mask_optional"] = hidden
        elif mode is not None:
            self.given["atten_mask_optional"] = _triangle(mode)
        biases = self._biases(rng, pse, pse_type, lengths, n, kind)
        bits: list[Array] = []
        kept = None
        if seeds is not None:
            self.given["seed"], self.given["offset"] = seeds
            kept = kept_weights(n, lengths, keep, *seeds)
        self.samples: list[Sample] = []
        cut = [i for i, (rows, _) in enumerate(lengths) if rows][0 if mode == 8 else -1]
        for i, (rows, columns) in enumerate(lengths):
            seen = np.ones((1, rows, columns), bool)
            if mode is not None:
                start = prefix[i] if prefix else 0
                seen = seen & _seen(rows, columns, mode, *tokens, start, i == cut)
            if hidden is not None:
                own = hidden if hidden.ndim == 2 else hidden[i if hidden.shape[0] > 1 else 0]
                if is_whole:
                    own = own[first_rows[i] :, first_columns[i] :]
                seen = seen & ~own[..., :rows, :columns]
            keeps = rng.random((n, rows, columns)) < keep if keep < 1 else None
            keeps = keeps if kept is None else kept[i]
            bits.append(np.zeros(0, bool) if keeps is None else keeps.reshape(-1))
            query, key, value, grad = (
                self.tensors[name][i].astype(np.float64)
                for name in ("query", "key", "value", "grad")
            )
            if rope:
                query = np.concatenate((query, self.tensors["query_rope"][i]), -1)
                key = np.concatenate((key, self.tensors["key_rope"][i]), -1)
            seen = np.broadcast_to(seen, (n, rows, columns))
            sample = Sample(query, key, value, grad, seen, biases[i], pse_type == 1, keeps, keep)
            sample.attend(scale, None if sinks is None else sinks.astype(np.float64))
            self.samples.append(sample)
        if keep < 1 and kept is None:
            packed = np.packbits(np.concatenate(bits), bitorder="little")
            packed = np.concatenate((packed, np.zeros(16, np.uint8)))
            self.given["drop_mask_optional"] = Operand(packed, drops)

    def _biases(
        self, rng: np.random.Generator, pse: str, pse_type: int,
        lengths: Sequence[tuple[int, int]], heads: int, kind: np.dtype[Any],
    ) -> list[Array | None]:  # fmt: skip
        """Draw what is added to scores; of later types it follows from slopes."""
        batch = len(lengths)
        if not pse:
            return [None] * batch
        if pse_type >= 2:
            slopes = rng.uniform(0.1, 0.5, (batch, heads) if pse == "bn" else heads)
            self.given["real_shift_optional"] = given = slopes.astype(np.float32)
            self.given["q_start_idx_optional"] = (3,)
            self.given["kv_start_idx_optional"] = (1,)
            each = np.broadcast_to(given.astype(np.float64), (batch, heads))
            result: list[Array | None] = []
            for i, (rows, columns) in enumerate(lengths):
                distance = np.abs(np.arange(rows)[:, None] - np.arange(columns) + 2.0)
                distance = np.sqrt(distance) if pse_type == 3 else distance
                result.append(-each[i][:, None, None] * distance)
            return result
        if pse.endswith("nhs"):
            return self._of_last_rows(rng, pse, lengths, heads, kind)
        is_row = pse[2] == "1"
        if self.layout == "TND":
            shapes = [(heads, 1 if is_row else rows, columns) for rows, columns in lengths]
            parts = [rng.normal(0, 1, shape).astype(kind) for shape in shapes]
            self.given["real_shift_optional"] = np.concatenate([x.reshape(-1) for x in parts])
            return [x.astype(np.float64) for x in parts]
        rows, columns = lengths[0]
        whole = (1 if pse[0] == "1" else batch, heads, 1 if is_row else rows, columns)
        drawn = rng.normal(0, 1, whole).astype(kind)
        self.given["real_shift_optional"] = drawn
        return [drawn[i if whole[0] > 1 else 0].astype(np.float64) for i in range(batch)]

    def _of_last_rows(
        self, rng: np.random.Generator, pse: str, lengths: Sequence[tuple[int, int]], heads: int,
        kind: np.dtype[Any],
    ) -> list[Array | None]:  # fmt: skip
        """Draw a bias of the distance, of which the call has the last 1024 rows of the longest."""
        longest = max(rows for rows, _ in lengths)
        slopes = rng.uniform(0.01, 0.02, (1 if pse[0] == "1" else len(lengths), heads, 1, 1))
        distance = np.arange(longest - 1024, longest)[:, None] - np.arange(longest)
        self.given["real_shift_optional"] = (-slopes * np.minimum(distance, 60)).astype(kind)
        result: list[Array | None] = []
        for i, (rows, columns) in enumerate(lengths):
            distance = np.arange(rows)[:, None] - np.arange(columns)
            own = -slopes[i if len(slopes) > 1 else 0] * np.minimum(distance, 60)
            result.append(own.astype(kind).astype(np.float64))
        return result

    def operand(self, name: str, where: str = "contiguous") -> Operand:
        """Return a tensor in the layout of the call."""
        return Operand(laid_out(self.tensors[name], self.layout), where)

    def arguments(self, operator: str, tensors: dict[str, Any]) -> tuple[Any, ...]:
        """Return the inputs of an operator in its order."""
        given = {n: Operand(v) if isinstance(v, np.ndarray) else v for n, v in self.given.items()}
        given["softmax_in_layout"] = given["softmax_out_layout"]
        given["pse_shift_optional"] = given.get("real_shift_optional")
        given["sink_in_optional"] = given.get("sink_optional")
        given |= tensors
        given["query_rope_optional"] = given.get("query_rope")
        given["key_rope_optional"] = given.get("key_rope", given.get("key_in_rope"))
        return tuple(given.get(parameter.name) for parameter in ops[operator].spec.inputs)

    def statistics(self, name: str) -> Array:
        """Return the maxima or the totals as the forward pass gives them."""
        each = [getattr(sample, name) for sample in self.samples]
        return statistics_in(each, self.layout, self.like_input)

    def forward(
        self, operator: str, label: str, where: Sequence[str] = ("contiguous",) * 3, **options: Any
    ) -> Case:
        """Return the case of a forward operator."""
        tensors = {
            name: self.operand(name, w)
            for name, w in zip(("query", "key", "value"), where, strict=True)
        }
        for name in ("query_rope", "key_rope"):
            if name in self.tensors:
                tensors[name] = self.operand(name)
        golden = (
            self.statistics("maximum"), self.statistics("total"), None,
            laid_out([sample.out for sample in self.samples], self.layout),
        )  # fmt: skip
        return Case(label, self.arguments(operator, tensors), golden, **options)

    def backward(
        self, operator: str, label: str, where: Sequence[str] = ("contiguous",) * 4, **options: Any
    ) -> Case:
        """Return the case of a backward operator."""
        kind = self.tensors["query"][0].dtype
        # Of what is dropped only the output's part is left, with the other sign.
        share = 2 if self.given["keep_prob"] == 1 else 64
        outs = [(sample.out / share).astype(kind) for sample in self.samples]
        each = [s.gradients(o.astype(np.float64)) for s, o in zip(self.samples, outs, strict=True)]
        names = {"query": "query", "key": "key_in", "value": "value", "grad": "dy"}
        tensors: dict[str, Any] = {
            parameter: self.operand(name, w)
            for (name, parameter), w in zip(names.items(), where, strict=True)
        }
        if "query_rope" in self.tensors:
            tensors["query_rope"] = self.operand("query_rope")
            tensors["key_in_rope"] = self.operand("key_rope")
        tensors["attention_in_optional"] = Operand(laid_out(outs, self.layout))
        for parameter, name in (("max", "maximum"), ("sum", "total")):
            values = self.statistics(name).astype(np.float32)
            tensors[f"softmax_{parameter}_optional"] = Operand(values)
        depth = self.tensors["query"][0].shape[-1]
        golden: dict[str, Array] = {
            f"d{letter}_out": laid_out([one[name][..., part] for one in each], self.layout)
            for letter, name, part in (
                ("q", "query", slice(depth)),
                ("k", "key", slice(depth)),
                ("v", "value", slice(None)),
            )
        }
        if "query_rope" in self.tensors:
            for letter, name in (("q", "query"), ("k", "key")):
                rest = [one[name][..., depth:] for one in each]
                golden[f"d{letter}_rope_out"] = laid_out(rest, self.layout)
        if "sink_optional" in self.given:
            golden["dsink_out"] = np.sum([one["sink"] for one in each], 0)
        results = tuple(golden.get(output.name) for output in ops[operator].spec.outputs)
        return Case(label, self.arguments(operator, tensors), results, **options)


def _has(operator: str, parameter: str) -> bool:
    return any(p.name == parameter for p in ops[operator].spec.inputs)


def _cases(operator: str, is_packed: bool) -> Any:
    """Return what gives the cases of one operator: those that its parameters allow."""
    is_backward = "grad" in operator
    sink = "sink_in_optional" if is_backward else "sink_optional"
    layout_name = "softmax_in_layout" if is_backward else "softmax_out_layout"

    def calls(dtype: str) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
        plain: tuple[Any, ...] = ((4, 4), (16, 16))
        equal = ((5, 7), (5, 7))
        if is_packed:
            uneven: tuple[tuple[int, int], ...] = ((3, 3), (0, 0), (130, 250), (1, 1), (17, 40))
            layouts: tuple[str, ...] = ("TND",)
            yield "no keys", (*plain, ((3, 4), (5, 0), (2, 2)), "TND"), {}
        else:
            uneven = equal
            layouts = ("BNSD", "BSND", "BSH", "SBH")
            for layout in layouts:
                yield layout, (*plain, equal, layout), {}
                yield f"{layout} groups", ((6, 2), (32, 16), ((3, 4),) * 2, layout), {}
                yield f"{layout} tiles", ((2, 1), (128, 128), ((150, 260),), layout), {"mode": 3}
            yield "wide heads", ((2, 2), (300, 280), ((4, 6),), "BNSD"), {}
        layout = layouts[0]
        yield "sequences", ((4, 2), (16, 16), uneven, layout), {}
        masks = ((2, 4, 5, 7), (2, 1, 5, 7), (1, 1, 5, 7), (5, 7))
        for mask in masks:
            yield f"mask {mask}", (*plain, equal, layout), {"mask": mask}
            yield f"whole mask {mask}", (*plain, equal, layout), {"mask": mask, "mode": 1}
        growing = tuple((rows, max(rows, columns)) for rows, columns in uneven)
        for mode in (2, 3):
            yield f"sparse {mode}", (*plain, growing, layout), {"mode": mode}
        yield "sparse 4", (*plain, growing, layout), {"mode": 4, "tokens": (4, 2)}
        yield (
            "sparse 6", (*plain, ((4, 6), (4, 6)), layout),
            {"mode": 6, "prefix": (3, 4)},
        )  # fmt: skip
        if is_packed:
            cut = ((3, 3), (4, 6))
            yield "sparse 7", (*plain, cut, layout), {"mode": 7, "tokens": (6, -1)}
            yield "sparse 8", (*plain, ((4, 6), (3, 3)), layout), {"mode": 8, "tokens": (9, 0)}
            for shift in ("bnss", "bn1s"):
                yield f"pse {shift}", (*plain, uneven, layout), {"pse": shift}
            for lengths in (((1100, 1100), (300, 300)), ((5, 5), (1, 1), (9, 9))):
                for shift in ("1nhs", "bnhs"):
                    few = ((2, 1), (16, 16), lengths, layout)
                    yield f"pse {shift} {lengths[0]}", few, {"pse": shift, "mode": 3}
        else:
            yield "band", (*plain, ((9, 9),), layout), {
                "mode": 0, "mask": (9, 9), "tokens": (3, 2),
            }  # fmt: skip
            yield "more queries", (*plain, ((9, 4),), layout), {"mode": 3}
            yield "hidden", (*plain, equal, layout), {"mask": (5, 7), "precise": 2, "hides": True}
            for shift in ("bnss", "1nss", "bn1s"):
                yield f"pse {shift}", (*plain, equal, layout), {"pse": shift}
            for shift in ("1nhs", "bnhs"):
                long = ((2, 1), (16, 16), ((1100, 1100),) * 2, layout)
                yield f"pse {shift}", long, {"pse": shift, "mode": 2}
        if _has(operator, "pse_type"):
            square = ((6, 6), (6, 6))
            yield "pse after", (*plain, equal, layout), {"pse": "bnss", "pse_type": 0}
            for kind in (2, 3):
                for shift in ("bn", "n"):
                    yield f"slopes {kind} {shift}", (*plain, square, layout), {
                        "pse": shift, "pse_type": kind,
                    }  # fmt: skip
        if is_packed and not is_950():
            whole = tuple(int(n) for n in np.sum(uneven, 0))
            yield "mask of all tokens", (*plain, uneven, layout), {"mask": whole}
        yield "dropout", (*plain, uneven, layout), {"keep": 0.75}
        yield "dropout in a view", (*plain, uneven, layout), {
            "keep": 0.75, "drops": "every_second",
        }  # fmt: skip
        if is_950():
            seeds = (2**31 - 5, 2**31 - 9) if _has(operator, "seed") else (0, 0)
            yield "drawn", (*plain, uneven, layout), {"keep": 0.75, "seeds": seeds}
            yield "drawn tiles", ((2, 1), (16, 16), ((20, 260),), layout), {
                "keep": 0.8, "mode": 3, "seeds": (seeds[0] // 7, seeds[1] // 5),
            }  # fmt: skip
        if _has(operator, sink) and not (is_backward and dtype == "float32"):
            yield "sink", (*plain, uneven, layout), {"sink": True, "mode": 2}
        if _has(operator, layout_name):
            yield "statistics as the input", (*plain, uneven, layout), {"like_input": True}
        if _has(operator, "query_rope_optional"):
            yield "rope", ((4, 2), (128, 128, 64), equal, layout), {}
        if _has(operator, "query_rope") and dtype == "bfloat16":
            yield "rope", ((4, 2), (32, 32, 16), growing, layout), {"mode": 3}

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not has_bfloat16():
            return
        for label, place, options in calls(dtype):
            drawn = _Drawn(dtype, rng, *place, **options)
            make = drawn.backward if is_backward else drawn.forward
            yield make(operator, label)
        count = 4 if is_backward else 3
        for layout in LAYOUTS[1:]:
            lengths = ((5, 7), (5, 7))
            drawn = _Drawn(dtype, rng, (4, 4), (16, 16), lengths, "TND" if is_packed else "BSND")
            make = drawn.backward if is_backward else drawn.forward
            yield make(operator, layout, (layout, "every_second", layout, "offset")[:count])

    return cases


_OPERATORS = (
    "flash_attention_score", "flash_attention_score_v2", "flash_attention_score_v3",
    "flash_attention_var_len_score", "flash_attention_var_len_score_v2",
    "flash_attention_var_len_score_v3", "flash_attention_var_len_score_v4",
    "flash_attention_var_len_score_v5", "flash_attention_score_grad",
    "flash_attention_score_grad_v2", "flash_attention_score_grad_v3",
    "flash_attention_unpadding_score_grad", "flash_attention_unpadding_score_grad_v2",
    "flash_attention_unpadding_score_grad_v3", "flash_attention_unpadding_score_grad_v4",
    "flash_attention_unpadding_score_grad_v5",
)  # fmt: skip

_DTYPES = ("float32", "float16", "bfloat16")


def _of_any_layout(operator: str) -> Suite:
    """Return the cases of a version that takes samples and sequences."""
    parts = [_cases(operator, is_packed) for is_packed in (False, True)]

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for part in parts:
            yield from part(dtype, rng)

    return Suite(operator, _DTYPES, cases, chip=NEWEST)


SUITES = (
    *(
        Suite(operator, _DTYPES, _cases(operator, _has(operator, "actual_seq_q_len_optional")))
        for operator in _OPERATORS
    ),
    _of_any_layout("flash_attention_score_v4"),
    _of_any_layout("flash_attention_score_grad_v4"),
)
