"""Attention to chosen blocks of keys: lists of blocks for each row, masks of blocks, tokens.

The truth is the attention to all keys of which those that are not chosen are hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pyaclnn import ops
from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_950

from .flash_attention import Sample, laid_out, statistics_in

_ENDLESS = 2147483647


class _Drawn:
    """Sequences of queries and keys, and which pairs are seen."""

    def __init__(
        self, dtype: str, rng: np.random.Generator, heads: tuple[int, int], depths: Sequence[int],
        lengths: Sequence[tuple[int, int]],
    ) -> None:  # fmt: skip
        self.rng, self.heads, self.lengths = rng, heads, lengths
        self.scale = float(1 / np.sqrt(depths[0]))
        kind = numpy_dtype(dtype)
        depth, value_depth, *rope = depths
        n, m = heads
        sides: dict[str, tuple[int, int, int]] = {
            "query": (n, 0, depth), "key": (m, 1, depth), "value": (m, 1, value_depth),
            "grad": (n, 0, value_depth),
        }  # fmt: skip
        if rope:
            sides |= {"query_rope": (n, 0, rope[0]), "key_rope": (m, 1, rope[0])}
        self.tensors: dict[str, list[Array]] = {
            name: [
                np.abs(rng.normal(1, 0.5, (count, pair[side], width))).astype(kind)
                for pair in lengths
            ]
            for name, (count, side, width) in sides.items()
        }
        self.samples: list[Sample] = []

    def blocks(self, width: int, most: int, *, padded: int = 0) -> list[Array]:
        """Draw blocks of keys for each row and head of keys: the first and others."""
        lists = []
        for rows, columns in self.lengths:
            count = min(most - padded, -(-columns // width))
            own = np.full((self.heads[1], rows, most), -1, np.int32)
            for head in range(self.heads[1]):
                for row in range(rows):
                    others = self.rng.permutation(np.arange(1, -(-columns // width)))
                    own[head, row, :count] = [0, *others[: count - 1]]
            lists.append(own)
        return lists

    def attend(self, seen: Sequence[Array]) -> None:
        """Compute the weights of the pairs that are seen of each sequence."""
        for i, (rows, columns) in enumerate(self.lengths):
            parts = {name: tensors[i].astype(np.float64) for name, tensors in self.tensors.items()}
            for name in ("query", "key"):
                if name + "_rope" in parts:
                    parts[name] = np.concatenate((parts[name], parts[name + "_rope"]), -1)
            pairs = np.broadcast_to(seen[i], (self.heads[0], rows, columns))
            sample = Sample(parts["query"], parts["key"], parts["value"], parts["grad"], pairs)
            sample.attend(self.scale, None)
            self.samples.append(sample)

    def by_blocks(self, lists: list[Array], width: int, ahead: Sequence[int]) -> None:
        """Compute what lists of blocks leave, of each sequence as far as ``ahead`` of rows."""
        group = self.heads[0] // self.heads[1]

        seen = []
        for own, more, (rows, columns) in zip(lists, ahead, self.lengths, strict=True):
            column = np.arange(columns)
            chosen = (own[:, :, None, :] == (column // width)[:, None]).any(-1)
            near = column <= np.arange(rows)[:, None] + more
            seen.append(np.repeat(chosen, group, 0) & near)
        self.attend(seen)

    def sums(self, side: int) -> tuple[int, ...]:
        return tuple(int(x) for x in np.cumsum([pair[side] for pair in self.lengths]))

    def operand(self, name: str, layout: str) -> Operand:
        return Operand(laid_out(self.tensors[name], layout))

    def out(self, name: str = "out", layout: str = "TND") -> Array:
        return laid_out([getattr(sample, name) for sample in self.samples], layout)

    def lse(self, layout: str) -> Array:
        each = [np.log(sample.total) + sample.maximum for sample in self.samples]
        return laid_out(each, layout)

    def backward(self, layout: str) -> tuple[dict[str, Array], Array]:
        """Return the gradients and the output that they are of: a part, so that none cancels."""
        kind = self.tensors["query"][0].dtype
        outs = [(sample.out / 2).astype(kind) for sample in self.samples]
        each = [s.gradients(o.astype(np.float64)) for s, o in zip(self.samples, outs, strict=True)]
        names = ("query", "key", "value")
        return (
            {name: laid_out([one[name] for one in each], layout) for name in names},
            laid_out(outs, layout),
        )


def _case(operator: str, label: str, given: dict[str, Any], golden: dict[str, Array]) -> Case:
    spec = ops[operator].spec
    inputs = tuple(
        Operand(value) if isinstance(value, np.ndarray) else value
        for value in (given.get(parameter.name) for parameter in spec.inputs)
    )
    return Case(label, inputs, tuple(golden.get(output.name) for output in spec.outputs))


def _selected(operator: str, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    is_backward = operator.endswith("grad")
    size, count = 16, 3
    for label, mode, heads in (
        ("whole", 0, (4, 2)), ("left up", 2, (4, 1)), ("one", 0, (2, 2)), ("no mask", 2, (2, 1)),
    ):  # fmt: skip
        is_given = mode > 0 and label != "no mask"
        drawn = _Drawn(dtype, rng, heads, (24, 16), ((5, 80), (3, 64), (40, 200)))
        lists = drawn.blocks(size, count)
        # The gradient's kernel asks for no mask to hide what the mode hides.
        hides = is_given or (is_backward and mode > 0)
        drawn.by_blocks(lists, size, [0 if hides else _ENDLESS] * 3)
        given: dict[str, Any] = {name: drawn.operand(name, "TND") for name in ("query", "key")}
        given |= {
            "value": drawn.operand("value", "TND"),
            "topk_indices": laid_out(lists, "TND"),
            "atten_mask_optional": np.triu(np.ones((2048, 2048), bool), 1) if is_given else None,
            "actual_seq_q_len_optional": drawn.sums(0),
            "actual_seq_kv_len_optional": drawn.sums(1),
            "scale_value": drawn.scale, "head_num": heads[0], "input_layout": "TND",
            "sparse_mode": mode, "selected_block_size": size, "selected_block_count": count,
        }  # fmt: skip
        statistics = {
            f"softmax_{short}": statistics_in(
                [getattr(sample, name) for sample in drawn.samples], "TND", True
            )
            for short, name in (("max", "maximum"), ("sum", "total"))
        }
        if not is_backward:
            golden = {name + "_out": value for name, value in statistics.items()}
            yield _case(operator, label, given, {**golden, "attention_out": drawn.out()})
            continue
        gradients, out = drawn.backward("TND")
        given |= {name: value.astype(np.float32) for name, value in statistics.items()}
        given |= {"attention_out": out, "attention_out_grad": drawn.operand("grad", "TND")}
        yield _case(operator, label, given, {
            f"d{name[0]}_out": value for name, value in gradients.items()
        })  # fmt: skip


def paged(tensors: Sequence[Array], rows: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return [heads, tokens, depth] in pages of [rows, heads, depth], and their table."""
    most = max(-(-x.shape[1] // rows) for x in tensors)
    numbers = rng.permutation(len(tensors) * most + (most > 1))
    pages = np.zeros((len(numbers), rows, tensors[0].shape[0], tensors[0].shape[2]), np.float64)
    table = numbers[: len(tensors) * most].reshape(len(tensors), most).astype(np.int32)
    for own, x in zip(table, tensors, strict=True):
        for at in range(0, x.shape[1], rows):
            part = x[:, at : at + rows].swapaxes(0, 1)
            pages[own[at // rows], : len(part)] = part
    return pages.astype(tensors[0].dtype), table


def _inferred(operator: str, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    size, count = 32, 4
    for label in ("TND one page", "BSND", "BSH", "TND"):
        layout, _, is_one = label.partition(" ")
        rows = (1, 3, 2) if layout == "TND" else (1, 1, 1) if layout == "BSH" else (2, 2, 2)
        lengths = tuple(zip(rows, (130, 75, 200), strict=True))
        lengths, heads = (((2, 60),), (4, 1)) if is_one else (lengths, (4, 2))
        drawn = _Drawn(dtype, rng, heads, (192, 128), lengths)
        lists = drawn.blocks(size, count, padded=1)
        drawn.by_blocks(lists, size, [columns - own for own, columns in lengths])
        state = rng.bit_generator.state
        keys, table = paged(drawn.tensors["key"], 64, rng)
        rng.bit_generator.state = state
        values, _ = paged(drawn.tensors["value"], 64, rng)
        if layout != "BSND":
            keys, values = (x.reshape(*x.shape[:2], -1) for x in (keys, values))
        indices = laid_out(lists, "TND" if layout == "TND" else "BSND")
        yield _case(operator, label, {
            "query": drawn.operand("query", layout), "key": keys, "value": values,
            "topk_indices": indices, "block_table_optional": table,
            "actual_q_seq_len_optional": tuple(pair[0] for pair in lengths),
            "actual_kv_seq_len_optional": tuple(pair[1] for pair in lengths),
            "layout_optional": layout, "num_heads": 4, "num_key_value_heads": heads[1],
            "select_block_size": size, "select_block_count": count, "page_block_size": 64,
            "scale_value": drawn.scale, "sparse_mode": 0,
        }, {"output": drawn.out(layout=layout)})  # fmt: skip


def _blocked(operator: str, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Yield masks of blocks, or their lists."""
    is_rain, is_backward = "rain" in operator, operator.endswith("grad")
    precise = 4 if is_950() and not is_rain and not is_backward else 0
    height, width = 3, 128
    for label, lengths in (
        ("BNSD one", ((7, 150),)), ("TND", ((7, 300), (4, 257))), ("BNSD", ((7, 300),) * 2),
    ):  # fmt: skip
        layout = label.split()[0]
        heads = 2 if len(lengths) > 1 else 1
        drawn = _Drawn(dtype, rng, (4, heads), (64, 64), lengths)
        masks = rng.random((len(lengths), 4, 3, -(-lengths[0][1] // width))) < 0.5
        masks[..., 0] = True
        masks[0, 1, 1] = False
        pairs = [(np.arange(rows)[:, None], np.arange(columns)) for rows, columns in lengths]
        drawn.attend(
            [m[:, r // height, c // width] for m, (r, c) in zip(masks, pairs, strict=True)]
        )
        given: dict[str, Any] = {
            name: drawn.operand(name, layout) for name in ("query", "key", "value")
        }
        given |= {
            "block_shape": (height, width), "block_shape_optional": (height, width),
            "q_input_layout": layout, "kv_input_layout": layout, "num_key_value_heads": heads,
            "mask_type": 0, "scale_value": drawn.scale, "inner_precise": precise, "block_size": 0,
            "pre_tokens": _ENDLESS, "next_tokens": _ENDLESS, "softmax_lse_flag": 1,
        }  # fmt: skip
        if layout == "TND" or not is_backward:
            for name, side in (("actual_seq_lengths", 0), ("actual_seq_lengths_kv", 1)):
                given[name + "_optional"] = tuple(pair[side] for pair in lengths)
        if is_rain:
            given |= _lists_of(masks, lengths, height)
            # No kernel reads them.
            given |= {"atten_mask_optional": np.ones((2, 3), bool), "mask_type": 1}
        kind = np.uint8 if is_backward else np.int8
        given["block_sparse_mask_optional"] = masks.astype(kind)
        lse = np.where(drawn.out("total", layout) > 1e30, np.inf, drawn.lse(layout))
        if not is_backward:
            golden = {"attention_out": drawn.out(layout=layout)}
            if not is_rain:
                golden["softmax_lse_optional"] = lse
            yield _case(operator, label, given, golden)
            continue
        gradients, out = drawn.backward(layout)
        given |= {
            "dout": drawn.operand("grad", layout), "attention_out": out,
            "softmax_lse": lse.astype(np.float32),
        }  # fmt: skip
        yield _case(operator, label, given, {f"d{n[0]}": x for n, x in gradients.items()})


def _lists_of(masks: Array, lengths: Sequence[tuple[int, int]], height: int) -> dict[str, Any]:
    parts = [
        own[:, : -(-rows // height)].swapaxes(0, 1)
        for own, (rows, _) in zip(masks, lengths, strict=True)
    ]
    flags = np.concatenate(parts)
    order = np.argsort(~flags, -1, kind="stable")
    counts = flags.sum(-1)
    lists = np.where(np.arange(flags.shape[-1]) < counts[..., None], order, -1)
    return {"select_idx": lists.astype(np.int64), "select_num_idx": counts.astype(np.int64)}


def _tokens(operator: str, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    is_backward = operator.endswith("grad")
    kinds = [("BSND", "BSND", 0, 1), ("TND", "TND", 3, 16), ("TND", "TND", 3, 8)]
    if not is_backward:
        kinds += [("BSND", "PA_BSND", 3, 1), ("TND", "PA_BSND", 0, 4)]
    for layout, key_layout, mode, size in kinds:
        if is_950() and size > 1:
            continue
        lengths = ((2, 10), (2, 10)) if layout == "BSND" else ((3, 50), (6, 20))
        drawn = _Drawn(dtype, rng, (4, 1), (512, 512, 64), lengths)
        # Keys and values of MLA are the same.
        drawn.tensors["value"] = drawn.tensors["key"]
        lists = drawn.blocks(size, 5, padded=2)
        ahead = [columns - rows if mode else _ENDLESS for rows, columns in lengths]
        drawn.by_blocks(lists, size, ahead)
        names = {"query": layout, "query_rope": layout}
        if "PA" not in key_layout:
            names |= {"key": key_layout, "value": key_layout, "key_rope": key_layout}
        given: dict[str, Any] = {
            name + ("_optional" if "rope" in name else ""): drawn.operand(name, where)
            for name, where in names.items()
        }
        if "PA" in key_layout:
            state = rng.bit_generator.state
            for name, to in (("key", "key"), ("key_rope", "key_rope_optional")):
                rng.bit_generator.state = state
                given[to], given["block_table_optional"] = paged(drawn.tensors[name], 16, rng)
            given["value"] = given["key"]
        if layout == "TND":
            given["actual_seq_lengths_query_optional"] = np.array(drawn.sums(0), np.int32)
        if key_layout != "BSND":
            columns = drawn.sums(1) if key_layout == "TND" else [pair[1] for pair in lengths]
            given["actual_seq_lengths_kv_optional"] = np.array(columns, np.int32)
        infinite = 2**31 - 1 if is_backward else 2**63 - 1
        given |= {
            "sparse_indices": laid_out(lists, layout), "scale_value": drawn.scale,
            "sparse_block_size_optional": size, "sparse_block_size": size,
            "layout_query_optional": layout, "layout_kv_optional": key_layout,
            "layout_optional": layout, "sparse_mode": mode, "pre_tokens": infinite,
            "next_tokens": infinite, "attention_mode": 2, "deterministic": False,
            "return_softmax_lse": "PA" not in key_layout,
        }  # fmt: skip
        statistics: dict[str, Array] = {}
        for short, name in (("max", "maximum"), ("sum", "total")):
            each = [getattr(sample, name)[..., 0].T for sample in drawn.samples]
            joined = np.concatenate(each)[None] if layout == "TND" else np.stack(each)[:, None]
            statistics[f"softmax_{short}"] = joined
        label = f"{layout} {key_layout} mode {mode} blocks of {size}"
        if not is_backward:
            golden = {"attention_out": drawn.out(layout=layout)}
            yield _case(operator, label, given, {
                **golden, **({} if "PA" in key_layout else statistics),
            })  # fmt: skip
            continue
        gradients, out = drawn.backward(layout)
        given |= {name: value.astype(np.float32) for name, value in statistics.items()}
        given |= {"out_": out, "d_out": drawn.operand("grad", layout)}
        query, key = gradients["query"], gradients["key"]
        yield _case(operator, label, given, {
            "d_query_out": query[..., :512], "d_key_out": key[..., :512],
            "d_value_out": gradients["value"], "d_query_rope_out_optional": query[..., 512:],
            "d_key_rope_out_optional": key[..., 512:],
        })  # fmt: skip
        yield _case(operator, f"{label}, merged", {**given, "value": None}, {
            "d_query_out": query[..., :512], "d_key_out": key[..., :512] + gradients["value"],
            "d_query_rope_out_optional": query[..., 512:],
            "d_key_rope_out_optional": key[..., 512:],
        })  # fmt: skip


_Cases = Callable[[str, str, np.random.Generator], Iterator[Case]]


def _of(operator: str, cases: _Cases) -> Suite:
    def drawn(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if has_bfloat16():
            yield from cases(operator, dtype, rng)

    return Suite(operator, ("float16", "bfloat16"), drawn)


_OPERATORS: dict[str, _Cases] = {
    "nsa_selected_attention": _selected,
    "nsa_selected_attention_grad": _selected,
    "nsa_selected_attention_infer": _inferred,
    "block_sparse_attention": _blocked,
    "block_sparse_attention_v2": _blocked,
    "block_sparse_attention_grad": _blocked,
    "rain_fusion_attention": _blocked,
    "sparse_flash_attention": _tokens,
    "sparse_flash_attention_grad": _tokens,
}

SUITES = tuple(_of(operator, cases) for operator, cases in _OPERATORS.items())
