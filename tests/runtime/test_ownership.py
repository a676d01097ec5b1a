"""Handles have one owner, and are let go of where something else fails."""

from __future__ import annotations

import copy
import gc
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from children import output_of
from gates import Gate

import pyaclnn as pa
from pyaclnn.runtime import Device, Event, Graph, Stream
from pyaclnn.runtime.pinned import PinnedMemory
from pyaclnn.sim import control
from pyaclnn.tensor.handles import Scalar


@pytest.fixture
def stream() -> Stream:
    return Device(0).create_stream()


def plan() -> pa.Plan:
    x = pa.ones((4, 6))
    return pa.ops.threshold_backward.plan(x, x, 0.5)


OWNERS: dict[str, Callable[[], Any]] = {
    "stream": lambda: Device(0).create_stream(),
    "event": Event,
    "graph": lambda: Graph.capture(Device(0).create_stream()),
    "plan": plan,
    "pinned": lambda: PinnedMemory(64),
    "scalar": lambda: Scalar(1.5, "float32"),
}


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
@pytest.mark.parametrize("kind", OWNERS)
def test_what_owns_a_handle_is_not_copied(kind: str, copied: Callable[[Any], Any]) -> None:
    owner = OWNERS[kind]()

    with pytest.raises(TypeError, match="neither copied nor pickled: "):
        copied(owner)


def test_a_device_is_the_same_one_when_it_is_copied() -> None:
    assert copy.copy(Device(0)) is Device(0)
    assert pickle.loads(pickle.dumps(Device(0))) is Device(0)


X = np.ones((4, 6), np.float32)
USES: dict[str, Callable[[pa.Tensor, Any], object]] = {
    "call": lambda x, s: pa.ops.threshold_backward(x, x, 0.5, stream=s),
    "general call": lambda x, s: pa.ops.threshold_backward.call((x, x, 0.5), None, s, {}),
    "plan": lambda x, s: pa.ops.threshold_backward.plan(x, x, 0.5, stream=s),
    "run": lambda x, s: pa.ops.threshold_backward.plan(x, x, 0.5).run(s),
    "capture": lambda x, s: Graph.capture(s),
}


@pytest.mark.parametrize("use", USES)
def test_what_is_no_stream_is_named(use: str) -> None:
    x = pa.asarray(X)
    for _ in range(3):  # compiled from the second call
        pa.ops.threshold_backward(x, x, 0.5)

    with pytest.raises(TypeError, match=r"stream is 5, of type int; give a pyaclnn\.Stream"):
        USES[use](x, 5)


@pytest.mark.parametrize("use", USES)
def test_a_closed_stream_is_refused_before_c_makes_anything(use: str, stream: Stream) -> None:
    x = pa.asarray(X)
    for _ in range(3):
        pa.ops.threshold_backward(x, x, 0.5)
    stream.close()
    before = control.count("executor")

    with pytest.raises(pa.ClosedError, match="the stream is closed"):
        USES[use](x, stream)

    assert control.count("executor") == before


def test_a_capture_that_fails_to_end_is_ended(stream: Stream) -> None:
    x = pa.asarray(X)
    before = control.count("graph")

    with (
        pytest.raises(pa.AclError) as caught,
        control.fault("aclmdlRICaptureEnd:1:507899"),
        Graph.capture(stream),
    ):
        pa.ops.threshold_backward(x, x, 0.5)

    assert caught.value.code == 507899
    assert (control.count("graph"), pa.current_stream() is stream) == (before, False)
    stream.sync()
    assert stream.is_done


def test_what_could_not_be_destroyed_is_tried_again(stream: Stream) -> None:
    event = stream.record()
    before = control.count("event")

    with control.fault("aclrtDestroyEvent:1:507899"), pytest.warns(pa.abi.AclCleanupWarning):
        event.close()
    kept = control.count("event")
    Device(0).destroy_dropped()

    assert (kept, control.count("event")) == (before, before - 1)


def test_pinned_memory_stays_where_nothing_is_recorded_behind_a_copy(stream: Stream) -> None:
    tensor = pa.empty((4, 6), stream=stream)
    before = control.count("host_block")
    with Gate(stream):
        host = pa.empty_pinned((4, 6))
        host[...] = 3
        with control.fault("aclrtRecordEvent:1:507899"), pytest.raises(pa.AclError):
            tensor.copy_from(host, stream=stream)
        del host
        Device(0).destroy_dropped()
        held = control.count("host_block")

    assert held == before + 1
    assert float(tensor.numpy()[0, 0]) == 3
    Device(0).destroy_dropped()
    assert control.count("host_block") == before


def test_a_dropped_stream_with_work_does_not_hold_up_the_next(stream: Stream) -> None:
    device = Device(0)
    # What other tests dropped, in cycles too, and the streams that a dropped graph has kept.
    gc.collect()
    while device.destroy_dropped(wait=True):
        pass
    before = control.count("stream")
    dropped = device.create_stream()
    gate = Gate(dropped)
    del dropped, gate._stream

    other = device.create_stream()
    with_work = control.count("stream")
    gate.open()
    device.destroy_dropped(wait=True)

    assert (with_work, control.count("stream")) == (before + 2, before + 1)
    other.close()


def test_a_finalizer_that_fails_warns(stream: Stream) -> None:
    x = pa.ones((3, 11))  # of no other test: what was planned before is not planned to be reused
    made = pa.ops.threshold_backward.plan(x, x, 0.5)
    assert made.reused

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with control.fault("aclDestroyAclOpExecutor:1:507899"):
            del made

    assert ["aclDestroyAclOpExecutor failed" in str(each.message) for each in warned] == [True]


def test_a_daemon_thread_that_calls_on_is_left_alone_at_exit() -> None:
    code = """
import threading, time
import pyaclnn as pa
x = pa.ones((64, 64))
def work():
    while True:
        pa.ops.threshold_backward(x[1:], x[1:], 0.5).numpy()
threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
for thread in threads: thread.start()
time.sleep(0.3)
print("done")
"""
    assert output_of(code) == "done"
