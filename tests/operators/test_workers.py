"""Workers move what the other side sent, wait for it, and follow no address out of memory."""

from __future__ import annotations

import json

from children import output_of
from operators.calls import INVALID, NO_KERNEL, NULL, code_of, ones

import pyaclnn as pa
from pyaclnn.selftest.chips import NEWEST

_GIVEN = """
import json, time
import numpy as np
import pyaclnn as pa
from pyaclnn.selftest.suites.workers import area_of, context

def synced(operator, given, *more):
    held = pa.asarray(given.view(np.int8))
    try:
        getattr(pa.ops, operator)(held, *more)
        held.numpy()
    except pa.AclError as error:
        return error.code
    return 0
"""


def _printed(code: str) -> object:
    return json.loads(output_of(_GIVEN + code, PYACLNN_SIM_SOC=NEWEST))


def test_experts_get_what_ready_groups_sent() -> None:
    found = _printed("""
sent = np.arange(4 * 2 * 8, dtype=np.int32).reshape(4, 2, 8)
sent[:, :, 0] = [[0, 1], [0, 1], [1, 0], [0, 1]]
info = pa.asarray(sent)
layers, sessions, batches = (pa.asarray(np.full(4, -1, np.int32)) for _ in range(3))
experts = pa.zeros((4, 6), "int32")
given = context(0, 4)
names = ("ffn_info", "ffn_data", "layer_ids", "session_ids", "micro_batch_ids", "expert_ids")
for name, of in zip(names, (info, info, layers, sessions, batches, experts)):
    given[name] = area_of(of)
assert synced("inplace_ffn_worker_scheduler", given, 2, 0) == 0
print(json.dumps([x.numpy().tolist() for x in (layers, sessions, batches, experts, info)]))
""")

    layers, sessions, batches, experts, info = found  # type: ignore[misc]
    assert (layers, sessions, batches) == ([9, 25, -1, -1], [0, 1, -1, -1], [1, 1, -1, -1])
    assert experts[:2] == [[*range(10, 16)], [*range(26, 32)]]
    assert experts[2] == [0] * 6
    taken = [0, 9, *[0x7F7F7F7F] * 6]
    assert info[0][1] == taken
    assert info[2][0] == [1, *range(33, 40)]


def test_attention_waits_for_a_flag_that_another_stream_sets() -> None:
    found = _printed("""
info = pa.asarray(np.ones((2, 6), np.int32))
late = np.ones((2, 6), np.int32)
late[1, 4] = 0
info.copy_from(late)
given = context(1)
given["info"] = given["data"] = area_of(info)
held = pa.asarray(given.view(np.int8))
pa.current_device().sync()
stream = pa.current_device().create_stream()
pa.ops.inplace_attention_worker_scheduler(held, stream=stream)
time.sleep(0.05)
waited = not stream.is_done
whole = np.ones((2, 6), np.int32)
pa.check(pa.lib.aclrtMemcpy(pa.ffi.cast("void*", info.buffer.ptr), 48,
                            pa.ffi.from_buffer(whole), 48, 1))
stream.sync()
bytes_ = bytearray(1024)
pa.check(pa.lib.aclrtMemcpy(pa.ffi.from_buffer(bytes_), 1024,
                            pa.ffi.cast("void*", held.buffer.ptr), 1024, 2))
print(json.dumps([waited, bytes_[288], info.numpy().tolist()]))
""")

    assert found == [True, 1, [[1] * 6, [0] * 6]]


def test_contexts_that_are_wrong_end_the_stream() -> None:
    found = _printed("""
info = pa.asarray(np.ones((2, 6), np.int32))
codes = []
for changes in (
    {}, {"schedule_mode": 0}, {"micro_batch_num": 0}, {"micro_batch_id": 2},
    {"micro_batch_size": 2**32 - 1, "selected_expert_num": 2**32 - 1, "micro_batch_num": 2**31},
    {"info": (0, 48)}, {"info": (16, 48)}, {"data": (0, 0)}, {"info": (area_of(info)[0], 47)},
    {"info": (area_of(info)[0] + 2, 48)},
):
    given = context(1)
    given["info"] = given["data"] = area_of(info)
    for name, value in changes.items():
        given[name] = value
    codes.append(synced("inplace_attention_worker_scheduler", given))
    info.copy_from(np.ones((2, 6), np.int32))
print(json.dumps(codes))
""")

    assert found == [0] + [507018] * 9


def test_an_area_reaches_to_the_end_of_its_memory() -> None:
    found = _printed("""
pa.current_device().sync()
place, ready = pa.ffi.new("void**"), np.ones((2, 6), np.int32)
pa.check(pa.lib.aclrtMalloc(place, 4096, 0))
last = int(pa.ffi.cast("uintptr_t", place[0])) + 4096 - 48
pa.check(pa.lib.aclrtMemcpy(pa.ffi.cast("void*", last), 48, pa.ffi.from_buffer(ready), 48, 1))
codes = []
for address in (last, last + 4):
    given = context(1)
    given["info"] = given["data"] = (address, 48)
    codes.append(synced("inplace_attention_worker_scheduler", given))
print(json.dumps(codes))
""")

    assert found == [0, 507018]


def test_the_context_is_checked_first() -> None:
    attention = pa.ops.inplace_attention_worker_scheduler
    experts = pa.ops.inplace_ffn_worker_scheduler
    flat, deep = ones(1024, dtype="int8"), ones(2, 512, dtype="int8")

    for call in (attention, lambda x: experts(x, 1, 0)):
        assert code_of(call, None) == NULL
        assert code_of(call, deep) == INVALID
        assert code_of(call, pa.zeros((0,), "int8")) == INVALID
        assert code_of(call, flat) == NO_KERNEL  # on an A2
    assert code_of(experts, flat, 1, 1) == INVALID
