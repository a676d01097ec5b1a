"""Ctrl-C ends waits for work that does not end, and the process then ends as well."""

from __future__ import annotations

import pytest
from children import run_child

# A host function that waits for an event of Python's keeps the stream busy as long as that.
BUSY = """
import os, signal, sys, threading, time
import pyaclnn as pa
from pyaclnn.abi import ffi, lib
tensor = pa.ones((4, 4))
tensor.numpy()
stream = pa.current_stream()
begun, opened = threading.Event(), threading.Event()
def hold(_):
    begun.set()
    opened.wait(50)
function = ffi.callback("void(void *)", hold)
lib.aclrtLaunchHostFunc(stream.handle, function, ffi.NULL)
begun.wait()
main = threading.get_ident()
threading.Timer(0.4, signal.pthread_kill, (main, signal.SIGINT)).start()
began = time.monotonic()
try:
    {wait}
except KeyboardInterrupt:
    print("answered", time.monotonic() - began < 20)
{then}
"""
WAITS = [
    "stream.sync()",
    "stream.sync(timeout=40)",
    "stream.device.sync()",
    "stream.record().sync()",
    "tensor.numpy()",
    "tensor.copy_from(tensor.numpy())",
    # Its memory was used on the busy stream: the pool waits for that behind an event.
    "tensor.buffer.record_use(stream); tensor.close(); stream.device.pool.trim()",
]


@pytest.mark.parametrize("wait", WAITS)
def test_a_wait_is_broken_off(wait: str) -> None:
    child = run_child(BUSY.format(wait=wait, then="opened.set(); stream.sync(); print('done')"))

    assert child.stdout.split() == ["answered", "True", "done"]
    assert child.stderr == ""


def test_a_process_ends_although_its_work_does_not() -> None:
    child = run_child(BUSY.format(wait="stream.sync()", then=""))

    assert child.returncode == 0
    assert "ends without a clean-up" in child.stderr


def test_a_wait_that_takes_several_slices_sees_the_error_of_the_work() -> None:
    child = run_child(
        BUSY.format(
            wait="""
    signal.signal(signal.SIGINT, lambda *_: opened.set())
    from pyaclnn.sim import control
    with control.fault("aclnnHardswishBackward:1:async=507015"):
        pa.ops.hardswish_backward(tensor, tensor)
    try:
        stream.sync()
    except pa.AclError as error:
        print(error.code)""",
            then="",
        )
    )

    assert child.stdout.split() == ["507015"]
