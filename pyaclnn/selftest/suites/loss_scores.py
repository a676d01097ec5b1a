"""Losses of class scores: of images, of sequences, of sets of labels and of probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family, has_bfloat16, is_950
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.loss_classes import ctc_alpha, ctc_states

_HALVES = ("float32", "float16", "bfloat16")


def _everywhere(dtype: str) -> bool:
    return dtype != "bfloat16" or has_bfloat16()


def _nll_2d(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _everywhere(dtype):
        return

    def case(
        shape: tuple[int, ...], reduction: int, kind: str = "int64", layout: str = "contiguous"
    ) -> Case:
        scores = (-rng.uniform(0.1, 4, shape)).astype(numpy_dtype(dtype))
        places = (shape[0], *shape[2:])
        targets = rng.integers(0, shape[1], places).astype(kind)
        ignored = 1 if shape[1] > 1 else -100
        targets.reshape(-1)[0] = 0
        weights = rng.uniform(0.5, 2, shape[1]).astype(numpy_dtype(dtype))
        wide = scores.astype(np.float64)
        picked = np.take_along_axis(wide, targets[:, None].astype(np.int64), 1)[:, 0]
        weight = np.where(targets == ignored, 0, weights.astype(np.float64)[targets])
        losses = -weight * picked
        golden = [losses, losses.sum() / weight.sum(), losses.sum()][reduction]
        total = None if reduction == 0 else np.array([weight.sum()])
        inputs = (
            Operand(scores, layout), Operand(targets, layout), Operand(weights, layout), reduction,
            ignored,
        )  # fmt: skip
        golden = golden if reduction == 0 else np.array([golden])
        return Case(f"{shape} {reduction} {kind} {layout}", inputs, (golden, total))

    for shape in ((1, 1, 1, 1), (2, 3, 4, 5), (3, 10, 1, 7), (2, 2, 17, 16)):
        for reduction in range(3):
            yield case(shape, reduction, ("int64", "int32", "uint8")[reduction])
    for layout in LAYOUTS[1:]:
        yield case((2, 3, 4, 5), 0, layout=layout)
        yield case((2, 3, 4, 5), 1, layout=layout)
    kind = numpy_dtype(dtype)
    for reduction, loss in ((1, np.nan), (2, 0.0)):
        inputs = (
            Operand(np.zeros((0, 3, 4, 5), kind)), Operand(np.zeros((0, 4, 5), np.int64)),
            Operand(np.ones(3, kind)), reduction, -100,
        )  # fmt: skip
        yield Case(f"nothing {reduction}", inputs, (np.array([loss]), np.zeros(1)))


def _ctc(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if dtype in ("float16", "bfloat16") and not has_bfloat16():
        return
    kind = numpy_dtype(dtype)

    def case(
        times: list[int], lengths: list[int], classes: int, *, blank: int = 0,
        joined: bool = False, target: str = "int64", zeroes: bool = False,
        layout: str = "contiguous", single: bool = False,
    ) -> Case:  # fmt: skip
        batch, longest, most = len(times), max(times), max(lengths)
        logits = rng.normal(0.0, 1.0, (longest, batch, classes))
        exact = logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))
        log_probs = exact.astype(kind)
        exact = log_probs.astype(np.float64)
        choices = np.array([c for c in range(classes) if c != blank])
        if target == "bool":
            choices = choices[choices == 1]
        labels = rng.choice(choices, (batch, most))
        states = 2 * most + 1
        alpha = np.full((batch, longest, states if is_950() else -(-states // 8) * 8), -np.inf)
        nll: Array = np.zeros(batch)
        for n, (time, length) in enumerate(zip(times, lengths, strict=True)):
            own = ctc_alpha(exact[:time, n], ctc_states(labels[n, :length], blank))
            alpha[n, :time, : own.shape[1]] = own
            nll[n] = -np.logaddexp.reduce(own[-1, -2:])
        if zeroes and chip_family() == "A2" and dtype != "float64":
            nll[np.isinf(nll)] = 0
        given: Array = labels
        if joined:
            given = np.concatenate([labels[n, :length] for n, length in enumerate(lengths)])
        if single:
            log_probs, nll = log_probs[:, 0], nll.reshape(())
        inputs = (
            Operand(log_probs, layout), Operand(given.astype(target), layout), times, lengths,
            blank, zeroes,
        )  # fmt: skip
        label = f"{times} {lengths} {classes} {blank} {joined} {target} {zeroes} {layout}"
        return Case(label, inputs, (nll, alpha), ("contiguous", layout), (dtype, dtype))

    for times, lengths, classes in (
        ([1], [1], 3), ([5], [2], 4), ([9, 7, 5], [4, 2, 1], 7), ([12] * 4, [5, 1, 3, 2], 20),
        ([30], [10], 50), ([6, 6], [0, 2], 5), ([4], [0], 3),
    ):  # fmt: skip
        yield case(times, lengths, classes, joined=len(times) % 2 == 0)
    yield case([9, 8], [3, 2], 6, blank=5)
    yield case([9], [3], 6, single=True)
    for target in ("int32", "bool", "float32"):
        yield case([9, 8], [3, 2], 6, target=target)
    for zeroes in (False, True):
        yield case([2, 9], [5, 2], 6, zeroes=zeroes)
    for layout in LAYOUTS[1:]:
        yield case([9, 7], [3, 2], 6, layout=layout)


def _margin(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    family = chip_family()
    if family in ("310P", "950") or (dtype == "bfloat16" and family != "A2"):
        return

    def case(
        shape: tuple[int, ...], reduction: int, kind: str = "int64", layout: str = "contiguous"
    ) -> Case:
        classes = shape[-1] if shape else 1
        scores = np.asarray(rng.normal(0, 1, shape)).astype(numpy_dtype(dtype))
        rows = scores.astype(np.float64).reshape(-1, classes)
        targets, marks = np.full(rows.shape, -1), np.zeros(rows.shape)
        losses = np.zeros(len(rows))
        for n, row in enumerate(rows):
            chosen = rng.permutation(classes)[: rng.integers(1, classes + 1)]
            targets[n, : len(chosen)] = chosen
            # Behind the first that is negative nothing counts.
            if len(chosen) + 1 < classes:
                targets[n, len(chosen) + 1 :] = 0
            marks[n, chosen] = 1
            others = row[marks[n] == 0]
            losses[n] = np.maximum(0, 1 - row[chosen][:, None] + others).sum() / classes
        golden: Any = [losses, losses.mean(), losses.sum()][reduction]
        golden = np.reshape(golden, shape[:-1] if reduction == 0 else ())
        inputs = (
            Operand(scores, layout), Operand(targets.reshape(shape).astype(kind), layout),
            reduction,
        )  # fmt: skip
        return Case(f"{shape} {reduction} {kind} {layout}", inputs, (golden, marks.reshape(shape)))

    for shape in ((), (1,), (5,), (1, 1), (3, 4), (7, 33)):
        for reduction in range(3):
            yield case(shape, reduction, ("int64", "int32", "int64")[reduction])
    for layout in LAYOUTS[1:]:
        yield case((3, 4), 0, layout=layout)
    empty = Operand(np.zeros((0, 4), numpy_dtype(dtype)))
    inputs = (empty, Operand(np.zeros((0, 4), np.int64)), 0)
    yield Case("no samples", inputs, (np.zeros(0), np.zeros((0, 4))))


def _soft_labels(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _everywhere(dtype):
        return
    for shape in ((1, 1), (3, 5), (64, 10), (2, 700), (33, 2)):
        for layout in LAYOUTS if shape == (3, 5) else LAYOUTS[:1]:
            features = rng.normal(0, 2, shape).astype(numpy_dtype(dtype))
            # Apart from what softmax gives, and 0 is no probability that is met.
            labels = (rng.uniform(1.5, 2.0, shape)).astype(numpy_dtype(dtype))
            wide, wanted = features.astype(np.float64), labels.astype(np.float64)
            power = np.exp(wide - wide.max(1, keepdims=True))
            softmax = power / power.sum(1, keepdims=True)
            loss = -(wanted * np.log(softmax)).sum(1)
            yield Case(
                f"{shape} {layout}", (Operand(features, layout), Operand(labels, layout)),
                (loss, softmax - wanted), ("offset", layout), (dtype, dtype),
            )  # fmt: skip
    empty = np.zeros((0, 4), numpy_dtype(dtype))
    yield Case("no rows", (Operand(empty), Operand(empty)), (np.zeros(0), empty))


def _part(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    for shape in ((1, 16), (5, 32), (3, 4, 48), (2, 1040)):
        for layout in LAYOUTS if shape == (5, 32) else LAYOUTS[:1]:
            classes, start = shape[-1], 64
            logits = rng.normal(0, 2, shape).astype(numpy_dtype(dtype))
            largest = (logits.max(-1) + 1).astype(numpy_dtype(dtype))
            target = rng.integers(0, start + 2 * classes, shape[:-1]).astype(np.int32)
            shifted = logits.astype(np.float64) - largest[..., None].astype(np.float64)
            inside = (target >= start) & (target < start + classes)
            offset = np.where(inside, target - start, 0)
            picked = np.take_along_axis(shifted, offset[..., None], -1)[..., 0]
            golden = (
                np.where(inside, picked, 0), np.exp(shifted).sum(-1), np.exp(shifted), offset,
                1 - inside,
            )  # fmt: skip
            inputs = (
                Operand(logits, layout), Operand(target, layout), Operand(largest, layout), start,
                start + classes,
            )  # fmt: skip
            yield Case(f"{shape} {layout}", inputs, golden)


SUITES = (
    Suite("nll_loss2d", _HALVES, _nll_2d),
    Suite("ctc_loss", (*_HALVES, "float64"), _ctc),
    Suite("multilabel_margin_loss", _HALVES, _margin),
    Suite("softmax_cross_entropy_with_logits", _HALVES, _soft_labels),
    Suite(
        "cross_entropy_sum_exp_and_index_logit", ("float32", "bfloat16"), _part,
        chip="Ascend910_95",
    ),
)  # fmt: skip
