"""Tokens drawn from the most probable ones: statuses, what is left as it was, odd numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NULL, TILING, code_with, device, ones
from operators.status_tests import refusal_tests

import pyaclnn as pa
from pyaclnn.selftest.suites.sorting_tokens import EPS, K, P, keep

FIRST, SECOND = "top_k_top_p_sample", "top_k_top_p_sample_v2"
_GIVEN: dict[str, Any] = {
    "logits": ones(2, 5, dtype="float16"), "top_k": ones(2, dtype="int32"),
    "top_p": ones(2, dtype="float16"), "q": ones(2, 5), "eps": EPS, "is_need_logits": True,
    "top_k_guess": 32, "logits_select_idx": ones(2, dtype="int64"),
    "logits_top_kp_select": ones(2, 5),
}  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    FIRST: _GIVEN,
    SECOND: {
        **_GIVEN, "min_ps": ones(2, dtype="float16"), "ks_max": 1024, "input_is_logits": True,
        "is_need_sample_result": False, "logits_idx": ones(2, 5, dtype="int64"),
        "logits_sort_masked": ones(2, 5),
    },
}  # fmt: skip

_BOTH: tuple[tuple[dict[str, Any], int], ...] = (
    ({"q": None}, 0), ({"top_k": None}, NULL), ({"top_p": None}, NULL),
    ({"top_k": ones(2, dtype="int64")}, INVALID), ({"top_p": ones(2, dtype="float32")}, INVALID),
    ({"q": ones(2, 5, dtype="float16")}, INVALID),
    ({"logits_select_idx": ones(2, dtype="int32")}, INVALID),
    ({"logits": ones(10, dtype="float16")}, TILING), ({"top_k": ones(3, dtype="int32")}, TILING),
    ({"top_p": ones(2, 1, dtype="float16")}, TILING), ({"q": ones(2, 6)}, TILING),
    ({"logits_select_idx": ones(3, dtype="int64")}, TILING),
    ({"logits_top_kp_select": ones(2, 6)}, TILING),
    ({"logits": pa.empty((0, 5), "float16"), "top_k": pa.empty((0,), "int32"),
      "top_p": pa.empty((0,), "float16"), "q": pa.empty((0, 5))}, TILING),
    ({"logits": pa.empty((2, 0), "float16"), "q": None}, TILING),
    ({"logits": ones(1, 1, dtype="float16").broadcast_to((2, 2**20 + 1)), "q": None}, TILING),
)  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = refusal_tests(
    RIGHT,
    [
        *((name, changed, expected) for name in RIGHT for changed, expected in _BOTH),
        (FIRST, {"logits": ones(2, 5), "top_p": ones(2)}, INVALID),
        (FIRST, {"is_need_logits": False, "logits_top_kp_select": ones(2, 6)}, TILING),
        (SECOND, {"is_need_logits": False, "logits_top_kp_select": ones(2, 6)}, 0),
        (SECOND, {"is_need_sample_result": True}, TILING),
        (SECOND, {"is_need_sample_result": True, "q": None, "logits_sort_masked": ones(2)}, TILING),
        (SECOND, {"min_ps": ones(3, dtype="float16")}, TILING),
        (SECOND, {"min_ps": ones(2)}, INVALID), (SECOND, {"min_ps": None}, 0),
        *((SECOND, {"ks_max": n, "top_k_guess": n}, 0) for n in (0, -1, 2**63 - 1, -(2**63))),
    ],
)  # fmt: skip


def test_tokens_in_order_are_written_and_the_rest_is_left() -> None:
    rng = np.random.default_rng(3)
    logits = np.stack([rng.permutation(40) for _ in K]) / 4.0
    tokens = pa.full(logits.shape, -7, "int64")
    shares = pa.full(logits.shape, -7, "float32")
    given = {
        "logits": device(logits, "float32"), "top_k": device(K, "int32"),
        "top_p": device(P, "float32"), "q": None, "min_ps": None, "is_need_sample_result": True,
        "logits_idx": tokens, "logits_sort_masked": shares,
        "logits_select_idx": pa.full(len(K), -7, "int64"),
        "logits_top_kp_select": device(logits, "float32"),
    }  # fmt: skip

    assert code_with(SECOND, {**RIGHT[SECOND], **given}) == 0

    for i, (k, p) in enumerate(zip(K, P, strict=True)):
        stay, probabilities = keep(logits[i], k, p)
        assert tokens.numpy()[i].tolist() == [*stay, *[-7] * (40 - len(stay))]
        assert np.allclose(shares.numpy()[i, : len(stay)], probabilities, rtol=1e-5)
        assert not shares.numpy()[i, len(stay) :].any()
    assert (given["logits_select_idx"].numpy() == -7).all()


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -float("inf"), -0.0])
def test_odd_numbers_end_in_a_token(name: str, odd: float) -> None:
    for place in ("logits", "top_p", "q", "min_ps"):
        if place not in RIGHT[name]:
            continue
        of = RIGHT[name][place]
        given = {**RIGHT[name], place: pa.full(of.shape, odd, of.dtype)}
        given["top_k"] = device((-(2**31), 2**31 - 1), "int32")
        assert code_with(name, given) == 0
        found = given["logits_select_idx"].numpy()
        assert ((found >= 0) & (found < 5)).all()
