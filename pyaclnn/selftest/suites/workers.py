"""What workers of attention and of experts find in the memory that their context names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import pyaclnn as pa
from pyaclnn.selftest.cases import Array, Case, Operand, Suite
from pyaclnn.selftest.chips import NEWEST

_BATCH, _EXPERTS = 3, 2
_AREA = [("address", "<u8"), ("size", "<u8")]

#: CANN's context, by the names of its document.
CONTEXT = np.dtype(
    {
        "names": [
            "session_num", "micro_batch_num", "micro_batch_size", "selected_expert_num",
            "schedule_mode", "run_flag", "info", "data", "micro_batch_id",
            "ffn_info", "ffn_data", "polling_index", "layer_ids", "session_ids",
            "micro_batch_ids", "expert_ids", "out_num",
        ],
        "formats": [*["<u4"] * 4, "<i4", "<i4", _AREA, _AREA, "<u4", _AREA, _AREA, "<u8",
                    _AREA, _AREA, _AREA, _AREA, "<u4"],
        "offsets": [0, 4, 8, 12, 28, 128, 256, 272, 288, 384, 400, 416, 512, 528, 544, 560, 576],
        "itemsize": 1024,
    }
)  # fmt: skip


def area_of(tensor: pa.Tensor) -> tuple[int, int]:
    """Return what a context says of a tensor's memory."""
    return tensor.buffer.ptr, tensor.nbytes


def context(mode: int, sessions: int = 1, batches: int = 2, runs: int = 1) -> Array:
    """Return a context of attention (1) or experts (0) whose addresses are missing."""
    made = np.zeros(1, CONTEXT)
    made["session_num"], made["micro_batch_num"] = sessions, batches
    made["micro_batch_size"], made["selected_expert_num"] = _BATCH, _EXPERTS
    made["schedule_mode"], made["run_flag"] = mode, runs
    return made


def _after(before: Array, **changed: int) -> Array:
    """Return the context with some numbers changed; bytes between them stay 0."""
    made = np.zeros(1, CONTEXT)
    for name in CONTEXT.names or ():
        made[name] = changed.get(name, before[name])
    return made


def _case(label: str, before: Array, after: Array, *scalars: int) -> Case:
    as_bytes = [x.view(np.int8) for x in (before, after)]
    return Case(label, (Operand(as_bytes[0]), *scalars), (as_bytes[1],))


def _attention(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for batch, runs in ((0, 1), (1, 1), (2, 1), (1, 0)):
        flags = np.zeros((3, _BATCH * _EXPERTS), np.int32)
        flags[(batch + 1) % 3] = 1
        info = pa.asarray(flags)
        before = context(1, batches=3, runs=runs)
        before["info"] = before["data"] = area_of(info)
        before["micro_batch_id"] = batch
        after = _after(before, micro_batch_id=(batch + 1) % 3 if runs else batch)
        yield _case(f"batch {batch}, {'running' if runs else 'stopped'}", before, after)


def _experts(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for sessions, group, batch in ((1, 1, 0), (4, 4, 1), (4, 2, 0), (4, 1, 1)):
        sent = np.zeros((sessions, 2, 2 + _BATCH * _EXPERTS), np.int32)
        ready = slice(0, sessions if group == sessions else 2 * group)
        sent[ready, batch, 0] = 1
        info = pa.asarray(sent)
        found = [pa.zeros((sessions,), "int32") for _ in range(3)]
        experts = pa.zeros((sessions, _BATCH * _EXPERTS), "int32")
        before = context(0, sessions)
        for name, of in zip(
            ("ffn_info", "ffn_data", "layer_ids", "session_ids", "micro_batch_ids", "expert_ids"),
            (info, info, *found, experts), strict=True,
        ):  # fmt: skip
            before[name] = area_of(of)
        before["polling_index"], before["out_num"] = batch, 77
        polled = (batch + 1) % 2 if group == sessions else batch
        after = _after(before, out_num=ready.stop, polling_index=polled)
        yield _case(f"{sessions} sessions in groups of {group}", before, after, group, 0)


SUITES = (
    Suite("inplace_attention_worker_scheduler", ("int8",), _attention, chip=NEWEST),
    Suite("inplace_ffn_worker_scheduler", ("int8",), _experts, chip=NEWEST),
)
