"""Attention compared with PyTorch's on the CPU: time, memory, and growth with the length."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.measure import Batch, interleave, quiet, ready_torch

_DTYPES = ("float32", "float16", "bfloat16")
_ENDLESS, _DEPTH, _SCALE = 2**31 - 1, 128, 128**-0.5
#: Difference from PyTorch, as a share of the largest value, that rounding explains.
_TOLERANCE = 0.03
_PAGE = 128


@dataclass(frozen=True, slots=True)
class Attended:
    """The shapes of an attention.

    Attributes
    ----------
    tokens : tuple of int
        Keys of each sequence, and its queries unless one attends.
    shared : int
        Heads of keys and values; queries have 16.
    causal : bool
        Whether a query sees no later keys.
    decodes : bool
        Whether one query attends, and has no gradient.
    paged : bool
        Whether keys lie in blocks of a cache, in any order.
    heads : int
        Heads of queries.
    """

    tokens: tuple[int, ...]
    shared: int = 16
    causal: bool = False
    decodes: bool = False
    paged: bool = False
    heads: int = 16


#: Uneven lengths, 6,264 tokens in all.
_UNEVEN = tuple(17 + (97 * number) % 359 for number in range(32))

#: Name -> what is measured; sequences behind one another are one call here, one each for PyTorch.
ROWS: dict[str, Attended] = {
    **{
        f"{tokens} tokens{' causal' * causal}": Attended((tokens,), causal=causal)
        for tokens in (512, 2048, 8192)
        for causal in (False, True)
    },
    "2048 tokens, 4 heads of keys": Attended((2048,), 4),
    "2048 tokens causal, 4 heads of keys": Attended((2048,), 4, causal=True),
    "32 sequences": Attended(_UNEVEN),
    "32 sequences causal": Attended(_UNEVEN, causal=True),
    "one query, 8192 keys": Attended((8192,), decodes=True),
    "one query, 8192 keys, 4 heads of keys": Attended((8192,), 4, decodes=True),
    "one query, 8192 keys in pages": Attended((8192,), decodes=True, paged=True),
    "one query, 8192 keys in pages, 4 heads": Attended((8192,), 4, decodes=True, paged=True),
}


def _dtypes_of(row: Attended) -> tuple[str, ...]:
    """Return the dtypes that the operator takes: that for inference has no float32."""
    return _DTYPES[1:] if row.decodes else _DTYPES


class Case:
    """The operands of a row for both libraries, and calls of them."""

    def __init__(self, row: Attended, dtype: str, torch: Any) -> None:
        self.row, self.dtype, self._torch = row, dtype, torch
        queries = 1 if row.decodes else sum(row.tokens)
        rng = np.random.default_rng(7)
        counts = ((row.heads, queries), (row.shared, sum(row.tokens)))
        shapes = [(1, heads, tokens, _DEPTH) for heads, tokens in (counts[0], *2 * counts[1:])]
        self._arrays = [rng.standard_normal(shape, np.float32) for shape in (*shapes, shapes[0])]
        self._mask = None
        if row.causal:
            self._mask = pa.asarray(np.triu(np.ones((2048, 2048), bool), 1))
        self._given = [pa.asarray(self._laid(array), dtype=dtype) for array in self._arrays]
        self._results: Any = None
        self._kept: Any = None
        if row.paged:
            self._set_pages()

    def _laid(self, array: Any) -> Any:
        """Give an array the layout of the operator: TND where sequences lie behind another."""
        if len(self.row.tokens) == 1:
            return array
        return np.ascontiguousarray(array[0].swapaxes(0, 1))

    def _set_pages(self) -> None:
        """Lay keys and values into blocks of a cache, in another order."""
        pages = self.row.tokens[0] // _PAGE
        order = np.random.default_rng(8).permutation(pages)
        self._table = pa.asarray(np.argsort(order).astype(np.int32)[None])
        for at in (1, 2):
            rows = self._arrays[at][0].swapaxes(0, 1).reshape(pages, _PAGE, -1)
            self._given[at] = pa.asarray(np.ascontiguousarray(rows[order]), dtype=self.dtype)

    def _numbers(self) -> tuple[Any, ...]:
        layout = "BNSD" if len(self.row.tokens) == 1 else "TND"
        mode = 2 if self.row.causal else 0
        return _SCALE, 1.0, _ENDLESS, _ENDLESS, self.row.heads, layout, 0, mode

    def _ends(self) -> list[Any]:
        return [np.cumsum(self.row.tokens).tolist()] * 2 if len(self.row.tokens) > 1 else []

    def forward(self) -> Any:
        """Attend."""
        row, (query, key, value, _) = self.row, self._given
        options = {} if self._results is None else {"out": self._results}
        if row.decodes:
            if row.paged:
                query = query.reshape((1, 1, row.heads * _DEPTH))
            self._results = pa.ops.fused_infer_attention_score_v2(
                query, [key], [value], num_heads=row.heads, num_key_value_heads=row.shared,
                actual_seq_lengths_kv_optional=list(row.tokens) if row.paged else None,
                block_table_optional=self._table if row.paged else None,
                block_size=_PAGE if row.paged else 0, input_layout="BSH" if row.paged else "BNSD",
                scale_value=_SCALE, **options,
            )  # fmt: skip
        else:
            operator = pa.ops[f"flash_attention_{'var_len_' * (len(row.tokens) > 1)}score"]
            self._results = operator(
                query, key, value, None, None, None, self._mask, None, *self._ends(),
                *self._numbers(), **options,
            )  # fmt: skip
        return self._results

    def backward(self) -> Any:
        """Derive, from what `forward` has left."""
        largest, total, _, out = self._results
        options = {} if self._kept is None else {"out": self._kept}
        operator = pa.ops[f"flash_attention_{'unpadding_' * (len(self.row.tokens) > 1)}score_grad"]
        self._kept = operator(
            *self._given, None, None, None, self._mask, largest, total, None, out, None,
            *self._ends(), *self._numbers(), **options,
        )  # fmt: skip
        return self._kept

    def _theirs(self) -> list[list[Any]]:
        """Return PyTorch's operands of each sequence: queries, keys, values, the gradient."""
        element, starts = getattr(self._torch, self.dtype), np.cumsum((0, *self.row.tokens))
        return [
            [
                self._torch.from_numpy(array[:, :, :1] if array.shape[2] == 1 else part.copy())
                .to(element)
                .requires_grad_(not self.row.decodes)
                for array in self._arrays
                for part in (array[:, :, begin:end],)
            ]
            for begin, end in itertools.pairwise(starts)
        ]

    def torch_calls(self) -> tuple[Callable[[], Any], Callable[[], Any]]:
        """Return PyTorch's way forward and back."""
        sequences, row = self._theirs(), self.row

        def attended() -> list[Any]:
            return [
                self._torch.nn.functional.scaled_dot_product_attention(
                    *given[:3], is_causal=row.causal, enable_gqa=row.heads != row.shared
                )
                for given in sequences
            ]

        def forward() -> Any:
            with self._torch.no_grad():
                return attended()

        kept = [] if row.decodes else attended()

        def backward() -> Any:
            grad = self._torch.autograd.grad
            return [
                grad(out, given[:3], given[3], retain_graph=True)
                for out, given in zip(kept, sequences, strict=True)
            ]

        return forward, backward

    def compare(self, theirs: list[Any], gradients: list[Any]) -> None:
        """Raise RuntimeError if PyTorch's results differ."""
        results = self._results
        ours = [results[0 if self.row.decodes else 3], *(self._kept or ())[:3]]
        others = [theirs, *map(list, zip(*gradients, strict=True))]
        for own, parts in zip(ours, others, strict=False):
            other = self._torch.cat(parts, 2).detach().float().numpy()
            found = own.numpy().astype(np.float32)
            wanted = self._laid(other).reshape(found.shape)
            if not np.abs(found - wanted).max() <= _TOLERANCE * max(1.0, np.abs(wanted).max()):
                raise RuntimeError(f"{self.row}, {self.dtype}: PyTorch gives something else")


def _repeated(call: Callable[[], Any], stream: pa.Stream | None = None) -> Batch:
    def run(times: int) -> None:
        for _ in range(times):
            call()
        if stream is not None:
            stream.sync()

    return run


def attention(name: str, rounds: int = 0) -> dict[str, float]:
    """Milliseconds of a call, forward and backward, of each dtype.

    Parameters
    ----------
    name : str
        A key of `ROWS`.
    rounds : int
        Calls of each, in turn; as many as the length allows if not given.

    Raises
    ------
    RuntimeError
        If PyTorch's results are other ones: the two would not be comparable.
    """
    row = ROWS[name]
    pairs = (1 if row.decodes else sum(row.tokens)) * max(row.tokens)
    rounds = rounds or (1 if pairs > 1 << 23 else 3 if pairs > 1 << 20 else 9)
    results: dict[str, float] = {}
    for dtype in _dtypes_of(row):
        for key, batches in _batches(row, dtype).items():
            times = interleave(batches, quiet, calls=1, rounds=rounds)
            results |= {f"{dtype} {key} {label}": t / 1e3 for label, t in times.items()}
    return results


def _batches(row: Attended, dtype: str) -> dict[str, dict[str, Batch]]:
    stream = pa.current_stream()
    ways = ("forward",) if row.decodes else ("forward", "backward")
    torch = None
    with contextlib.suppress(LookupError):
        torch = ready_torch()
    case = Case(row, dtype, torch)
    found = {way: {"pyaclnn": _repeated(getattr(case, way), stream)} for way in ways}
    if torch is not None:
        theirs = dict(zip(ways, case.torch_calls(), strict=False))
        for way in ways:
            getattr(case, way)()
            found[way]["torch"] = _repeated(theirs[way])
        stream.sync()
        if sum(row.tokens) <= 1 << 13:
            case.compare(theirs["forward"](), [] if row.decodes else theirs["backward"]())
    return found


#: Lengths between which time and memory are compared.
_LENGTHS = (2048, 4096, 8192)


def growth(rounds: int = 5) -> dict[str, float]:
    """Powers of the length that time grows with: 2 of prompts, and 1 of keys that a query reads."""
    stream = pa.current_stream()
    results: dict[str, float] = {}
    for dtype in _DTYPES:
        cases = {
            label: [
                Case(Attended((tokens,), heads, decodes=decodes, heads=heads), dtype, None)
                for tokens in _LENGTHS
            ]
            for label, decodes, heads in (("prompt", False, 1), ("one query", True, 16))
            if not decodes or dtype != "float32"
        }
        for label, own in cases.items():
            for case in own:
                case.forward()
            ways = ("forward",) if label == "one query" else ("forward", "backward")
            for way in ways:
                batches = {
                    str(sum(case.row.tokens)): _repeated(getattr(case, way), stream) for case in own
                }
                times = list(interleave(batches, quiet, calls=1, rounds=rounds).values())
                power = math.log(times[-1] / times[0]) / math.log(_LENGTHS[-1] / _LENGTHS[0])
                results[f"{dtype} {label} {way}"] = power
    return results


#: Dtypes and masks whose memory is measured, each in a process of its own.
KINDS = tuple(f"{dtype}{' causal' * causal}" for dtype in _DTYPES for causal in (False, True))


def attention_memory(name: str) -> dict[str, float]:
    """MiB that a call at 8,192 tokens takes for a while, beyond its operands and results."""
    dtype, _, causal = name.partition(" ")
    small, large = (Case(Attended((n,), causal=bool(causal)), dtype, None) for n in (64, 8192))
    # A first call, so that one-time allocations of threads and libraries do not count.
    for way in ("forward", "backward"):
        getattr(small, way)()
    results: dict[str, float] = {}
    for way in ("forward", "backward"):
        pa.current_stream().sync()
        before = _peak_from_now()
        made = getattr(large, way)()
        pa.current_stream().sync()
        own = sum(result.nbytes for result in made if result is not None)
        results[way] = (_status("VmHWM") - before) / 2**10 - own / 2**20
    return results


def _peak_from_now() -> int:
    """Forget the highest use of memory so far, and return what is in use, in KiB."""
    with contextlib.suppress(AttributeError):  # glibc's; what it keeps would not count as taken
        ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _status("VmRSS")


def _status(field: str) -> int:
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(field))
