"""Tokens drawn from the most probable ones, one after the other in float64."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_a2_or_a3

EPS = 1e-8


def softmax(values: Array) -> Array:
    """Return the exponentials' shares."""
    powers = np.exp(values - values.max())
    return np.asarray(powers / powers.sum())


def keep(
    logits: Array, k: int, p: float, min_p: float = 0.0, *, first: bool = False,
    most: int = 1024, is_logits: bool = True,
) -> tuple[Array, Array]:  # fmt: skip
    """Return the tokens of a row that stay, and their probabilities.

    Parameters
    ----------
    logits : ndarray
        The row.
    k, p, min_p : int, float, float
        How many stay, with which share of all, and with which share of the largest.
    first : bool
        As the operator's first version.
    most : int
        The largest k that counts.
    is_logits : bool
        Whether the row holds logits, not probabilities.
    """
    tokens = np.argsort(-logits, kind="stable")
    alone = p <= 0 and not first
    by_k, by_p = 0 < k <= min(len(logits), most), 0 < p < 1
    if alone or by_k:
        tokens = tokens[: 1 if alone else k]
    elif not by_p:
        tokens = np.arange(len(logits))
    shares = softmax(logits[tokens]) if is_logits else logits[tokens]
    if by_p:
        sums = np.cumsum(shares)
        reached = np.flatnonzero(sums > p if first else sums >= p)
        count = reached[0] + 1 if reached.size else len(tokens)
        tokens, shares = tokens[:count], shares[:count]
        if first and not by_k:
            shares = softmax(shares)
    if min_p >= 1:
        best = shares.argmax()
        return tokens[best : best + 1], shares[best : best + 1]
    if min_p > 0:
        stays = shares >= min_p * shares.max()
        tokens, shares = tokens[stays], shares[stays]
    return tokens, shares


def drawn(tokens: Array, shares: Array, q: Array | None) -> int:
    """Return the token with the largest quotient."""
    return int(
        tokens[np.argmax(shares if q is None else shares / (np.abs(q[: len(shares)]) + EPS))]
    )


#: k and p of each row: both, one, none; each limit reached and passed.
K = (3, 1, 40, 0, 41, 2000, 8, 5)
P = (0.5, 0.75, 0.25, 0.625, 0.9375, 1.0, 1.0, 0.0)


def _rows(dtype: str, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Return logits a quarter apart or more, so that order and limits do not hang on rounding."""
    width = 40
    logits = np.stack([rng.permutation(width) for _ in K]) / 4.0 - 3
    return (
        logits.astype(numpy_dtype(dtype)), np.array(K, np.int32), np.array(P, numpy_dtype(dtype)),
        rng.exponential(1, logits.shape).astype(np.float32),
    )  # fmt: skip


def _result(
    logits: Array, k: Array, p: Array, q: Array | None, **rules: Any
) -> tuple[Array, Array, list[tuple[Array, Array]]]:
    least = rules.pop("min_p", np.zeros(len(k)))
    rows = [
        keep(logits[i], int(k[i]), float(p[i]), float(least[i]), **rules) for i in range(len(k))
    ]
    tokens = np.array([drawn(*row, None if q is None else q[i]) for i, row in enumerate(rows)])
    selected = np.full(logits.shape, -np.inf if rules.get("is_logits", True) else 0.0)
    for i, (stay, _) in enumerate(rows):
        selected[i, stay] = logits[i, stay]
    return tokens, selected, rows


def _first(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for label, has_q, guess in (("all", True, 32), ("no numbers", False, 2)):
        logits, k, p, q = _rows(dtype, rng)
        given = tuple(Operand(a) for a in (logits, k, p))
        tokens, selected, _ = _result(
            logits.astype(float), k, p.astype(float), q if has_q else None, first=True
        )
        yield Case(
            label, (*given, Operand(q) if has_q else None, EPS, True, guess), (tokens, selected)
        )


def _second(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for label, has_q, is_logits, most in (
        ("all", True, True, 1024), ("no numbers", False, True, 5),
        ("probabilities", True, False, 1024), ("sorted", False, True, 1024),
        ("sorted probabilities", False, False, 8),
    ):  # fmt: skip
        logits, k, p, q = _rows(dtype, rng)
        if not is_logits:
            # Powers of a half, which every type has and sums have exactly.
            logits = (2.0 ** (-0.25 - np.round(logits + 3) / 2).astype(int)).astype(logits.dtype)
        min_p = np.array((0, 0.5, 0.125, 0, 1, 0.25, -1, 0), logits.dtype)
        is_sorted = label.startswith("sorted")
        tokens, selected, rows = _result(
            logits.astype(float), k, p.astype(float), q if has_q else None,
            min_p=min_p.astype(float), most=-(-most // 8) * 8, is_logits=is_logits,
        )  # fmt: skip
        probabilities = np.zeros(logits.shape)
        for i, (_, shares) in enumerate(rows):
            probabilities[i, : len(shares)] = shares
        given = (*(Operand(a) for a in (logits, k, p)), Operand(q) if has_q else None)
        yield Case(
            label,
            (*given, Operand(min_p), EPS, True, 32, most, is_logits, is_sorted),
            (None if is_sorted else tokens, selected, None, probabilities if is_sorted else None),
        )


SUITES = (
    Suite("top_k_top_p_sample", ("float16", "bfloat16"), _first),
    Suite("top_k_top_p_sample_v2", ("float32", "float16", "bfloat16"), _second),
)
