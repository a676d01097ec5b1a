"""Cross entropy over a part of the vocabulary, and ranges of jagged tensors in another order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype


def _softmax(logits: Array) -> tuple[Array, Array, Array]:
    largest = logits.max(1)
    exps = np.exp(logits - largest[:, None])
    return exps / exps.sum(1, keepdims=True), largest, exps.sum(1)


def _operands(
    rng: np.random.Generator, dtype: str, rows: int, depth: int, classes: int
) -> list[Array]:
    kind = numpy_dtype(dtype)
    return [rng.uniform(0.1, 1, s).astype(kind) for s in ((rows, depth), (classes, depth))]


def _maxima(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for rows, depth, classes in ((1, 1, 1), (5, 16, 40), (17, 33, 130)):
        for index, wanted in ((np.int32, True), (np.int64, False)):
            x, w = _operands(rng, dtype, rows, depth, classes)
            logits = x.astype(float) @ w.astype(float).T
            _, largest, sums = _softmax(logits)
            first, last = 7, 7 + classes - 1
            target = rng.integers(0, last + 8, rows).astype(index)
            inside = (target >= first) & (target <= last)
            masked = np.where(inside, target - first, 0)
            chosen = logits[np.arange(rows), masked] - largest
            bits = np.ones((rows + 7) // 8 * 8, bool)
            bits[:rows] = ~inside
            golden = (
                largest, sums, np.where(inside, chosen, 0), np.packbits(bits, bitorder="little"),
                masked.astype(index), logits if wanted else False,
            )  # fmt: skip
            inputs = (Operand(x), Operand(w), Operand(target), first, last)
            yield Case(f"{rows} {classes} {wanted}", inputs, golden)


def _losses(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for rows, classes in ((1, 1), (5, 40), (17, 130)):
        for wanted in (True, False):
            logits = rng.normal(0, 2, (rows, classes)).astype(numpy_dtype(dtype))
            _, largest, sums = _softmax(logits.astype(float))
            sums = sums * 3 + 2
            predicted = -rng.uniform(0.1, 3, rows)
            given = [Operand(a.astype(np.float32)) for a in (largest, sums, predicted)]
            loss = np.log(sums.astype(np.float32).astype(float)) - predicted
            scaled = np.exp(logits.astype(float) - largest[:, None]) / sums[:, None]
            inputs = (*given, 0.0, None, None, Operand(logits) if wanted else None)
            yield Case(f"{rows} {classes} {wanted}", inputs, (loss, scaled if wanted else False))


def _gradients(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for rows, depth, classes in ((1, 1, 128), (5, 16, 130)):
        for given_softmax in (True, False):
            x, w = _operands(rng, dtype, rows, depth, classes)
            probabilities, largest, sums = _softmax(x.astype(float) @ w.astype(float).T)
            scale = rng.uniform(0.5, 1, rows).astype(np.float32)
            target = rng.integers(0, classes, rows).astype(np.int64)
            elsewhere = rng.integers(0, 2, rows).astype(bool)
            grad = probabilities.astype(np.float32).astype(float)
            grad[np.arange(rows), target] -= ~elsewhere
            grad *= scale[:, None]
            mask = np.packbits(elsewhere, bitorder="little")
            if given_softmax:
                rest: tuple[Operand | None, ...] = (
                    None, None, Operand(probabilities.astype(np.float32))
                )  # fmt: skip
            else:
                mask = elsewhere
                rest = (*(Operand(a.astype(np.float32)) for a in (largest, sums)), None)
            inputs = (
                Operand(scale), Operand(x), Operand(w), Operand(mask), Operand(target), 0.0, *rest
            )  # fmt: skip
            golden = (grad @ w.astype(float), grad.T @ x.astype(float))
            yield Case(f"{rows} {given_softmax}", inputs, golden)


def _jagged(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for count in (1, 5, 300):
        lengths, order = rng.integers(1, 6, count), rng.permutation(count)
        begins = np.concatenate(([0], np.cumsum(lengths)))
        places = np.concatenate(([0], np.cumsum(lengths[order])))
        golden = np.concatenate([np.arange(begins[i], begins[i + 1]) for i in order])
        inputs = tuple(Operand(a.astype(np.int32)) for a in (order, begins, places))
        yield Case(f"{count}", (*inputs, int(places[-1])), (golden.astype(np.int32),))


_HALVES = ("float16", "bfloat16")

SUITES = (
    Suite("fused_linear_online_max_sum", _HALVES, _maxima),
    Suite("fused_cross_entropy_loss_with_max_sum", ("float32", *_HALVES), _losses),
    Suite("fused_linear_cross_entropy_loss_grad", _HALVES, _gradients),
    Suite("expand_into_jagged_permute", ("int32",), _jagged),
)
