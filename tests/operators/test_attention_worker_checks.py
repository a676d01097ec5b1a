"""A worker of experts refuses a context whose numbers, addresses or place in memory are wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on

import pyaclnn as pa
from pyaclnn.selftest.chips import NEWEST
from pyaclnn.selftest.suites.workers import CONTEXT, area_of, context

#: What the stream of a kernel that refuses its context answers.
_FAILED = 507018

#: What is changed of a context of four sessions, the size of a group, and the status.
CASES: list[tuple[dict[str, Any], int, int]] = [
    ({}, 2, 0), ({}, 4, 0), ({}, 1, 0), ({}, 0, _FAILED), ({}, -2, _FAILED), ({}, 3, _FAILED),
    ({}, 5, _FAILED), ({}, 8, _FAILED), ({"schedule_mode": 1}, 2, _FAILED),
    ({"micro_batch_num": 0}, 2, _FAILED), ({"micro_batch_size": 0}, 2, _FAILED),
    ({"selected_expert_num": 0}, 2, _FAILED), ({"session_num": 0}, 2, _FAILED),
    ({"ffn_data": (0, 256)}, 2, _FAILED), ({"ffn_info": (0, 256)}, 2, _FAILED),
    ({"polling_index": 1}, 2, 0), ({"polling_index": 2}, 2, _FAILED),
]  # fmt: skip


def _synced(held: pa.Tensor, group: int) -> int:
    try:
        pa.ops.inplace_ffn_worker_scheduler(held, group, 0)
        pa.current_stream().sync()
    except pa.AclError as error:
        return error.code
    return 0


def _filled() -> tuple[Any, list[pa.Tensor]]:
    """Return a context of two batches that all sessions have sent, and the memory it names."""
    sent = np.zeros((4, 2, 8), np.int32)
    sent[:, :, 0] = 1
    tensors = [pa.asarray(sent), *(pa.zeros((4,), "int32") for _ in range(3)),
               pa.zeros((4, 6), "int32")]  # fmt: skip
    given = context(0, 4)
    names = ("ffn_info", "layer_ids", "session_ids", "micro_batch_ids", "expert_ids")
    for name, tensor in zip(names, tensors, strict=True):
        given[name] = area_of(tensor)
    given["ffn_data"] = given["ffn_info"]
    return given, tensors


def statuses() -> list[int]:
    """Return what the worker answers to each context."""
    found = []
    for changed, group, _ in CASES:
        given, tensors = _filled()
        for name, value in changed.items():
            given[name] = value
        found.append(_synced(pa.asarray(given.view(np.int8)), group))
        del tensors
    return found


def places() -> list[int]:
    """Return the statuses of contexts that are whole, too short, and one byte off."""
    given, tensors = _filled()
    whole = np.concatenate([given.view(np.int8), np.zeros(8, np.int8)])
    shifted = np.concatenate([np.zeros(1, np.int8), whole])
    size = CONTEXT.itemsize
    found = [
        _synced(pa.asarray(whole)[:size], 2), _synced(pa.asarray(whole)[: size - 1], 2),
        _synced(pa.asarray(shifted)[1 : size + 1], 2),
    ]  # fmt: skip
    del tensors
    return found


def test_numbers_that_are_wrong_end_the_stream() -> None:
    assert found_on(NEWEST, __name__, "statuses()") == [status for *_, status in CASES]


def test_a_context_is_whole_and_aligned() -> None:
    assert found_on(NEWEST, __name__, "places()") == [0, _FAILED, _FAILED]
