"""Delta rules refuse what CANN's operators refuse, and follow no index out of their states."""

from __future__ import annotations

from typing import Any

from operators.calls import INVALID, TILING, device, ones
from operators.status_tests import status_tests


def _bf16(*shape: int) -> Any:
    return ones(*shape, dtype="bfloat16")


def _ints(*values: int) -> Any:
    return device(values, "int32")


_TOKENS = {
    "query": _bf16(5, 2, 16), "key": _bf16(5, 2, 16), "value": _bf16(5, 4, 8),
    "beta": _bf16(5, 4), "actual_seq_lengths": _ints(2, 3), "scale_value": 0.5,
    "out": _bf16(5, 4, 8),
}  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    "chunk_gated_delta_rule": {
        **_TOKENS, "initial_state": _bf16(2, 4, 8, 16), "g_optional": None,
        "final_state": _bf16(2, 4, 8, 16),
    },
    "recurrent_gated_delta_rule": {
        **_TOKENS, "state_ref": _bf16(6, 4, 8, 16), "ssm_state_indices": _ints(0, 1, 2, 3, 4),
        "g": ones(5, 4), "gk": None, "num_accepted_tokens": _ints(1, 1),
    },
}  # fmt: skip

_OF_BOTH: tuple[tuple[str, Any, int], ...] = (
    # CANN answers null as any other wrong argument, although the documents say 161001.
    ("query", None, INVALID), ("actual_seq_lengths", None, INVALID), ("beta", None, INVALID),
    ("key", ones(5, 2, 16, dtype="float16"), INVALID), ("actual_seq_lengths", ones(2), INVALID),
    ("query", _bf16(5, 32), TILING), ("key", _bf16(5, 2, 8), TILING),
    ("query", _bf16(5, 3, 16), TILING), ("beta", _bf16(5, 2), TILING),
    ("value", _bf16(4, 4, 8), TILING), ("query", _bf16(0, 2, 16), TILING),
    ("query", _bf16(5, 0, 16), TILING), ("value", _bf16(5, 4, 520), TILING),
    ("actual_seq_lengths", _ints(2**31 - 1, -7), 0), ("actual_seq_lengths", _ints(0, 0), 0),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "chunk_gated_delta_rule": (
        *_OF_BOTH, ("g_optional", _bf16(5, 4), INVALID), ("g_optional", ones(5, 2), TILING),
        ("initial_state", _bf16(2, 4, 16, 8), TILING),
        ("initial_state", _bf16(3, 4, 8, 16), TILING),
    ),
    "recurrent_gated_delta_rule": (
        *_OF_BOTH, ("state_ref", _bf16(4, 4, 8, 16), TILING), ("g", None, 0),
        ("gk", ones(5, 4, 16), 0), ("gk", ones(5, 2, 16), TILING), ("g", ones(4, 5), TILING),
        ("num_accepted_tokens", None, 0), ("num_accepted_tokens", _ints(-3, 99), 0),
        ("num_accepted_tokens", _ints(1), TILING), ("ssm_state_indices", _ints(0, 1), TILING),
        ("ssm_state_indices", _ints(-1, 2**31 - 1, 6, 0, 0), 0),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)
