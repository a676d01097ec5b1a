from __future__ import annotations

from pathlib import Path

from children import output_of, run_child

USE = """
import gc, os, sys, threading
from pyaclnn.abi import ffi, lib
from pyaclnn.runtime import Buffer, Device, Event, Stream, current_stream
stream = Device(0).create_stream()
buffer = Buffer(1000, stream)
buffer.record_use(current_stream())
event = stream.record()
with stream.lock:
    stream.workspace(5000)
"""

LEAKS = {"PYACLNN_SIM_CHECK": "leaks"}


def test_nothing_is_left_at_exit_though_nothing_was_closed() -> None:
    assert output_of(USE, **LEAKS) == ""


def test_the_leak_check_of_these_tests_can_fail() -> None:
    child = run_child(USE + "lib.aclrtMalloc(ffi.new('void **'), 64, 0)", **LEAKS)

    assert "still alive at aclFinalize" in child.stderr


def test_nothing_is_left_at_exit_by_reference_cycles_and_threads() -> None:
    code = """
cycle = [buffer, stream, event]
cycle.append(cycle)
keep = []
def work():
    local = Buffer(64)
    keep.append((local, current_stream().record()))
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""

    assert output_of(USE + code, **LEAKS) == ""


def test_an_exit_status_is_kept() -> None:
    child = run_child(USE + "sys.exit(7)", **LEAKS)

    assert (child.returncode, child.stdout, child.stderr) == (7, "", "")


def test_an_unhandled_exception_prints_only_its_traceback() -> None:
    child = run_child(USE + "raise LookupError('here')", **LEAKS)

    assert child.returncode == 1
    assert child.stderr.startswith("Traceback")
    assert child.stderr.endswith("LookupError: here\n")


def test_use_after_the_teardown_is_refused() -> None:
    code = """
import atexit
def late():
    for use in (stream.sync, lambda: Buffer(8), lambda: buffer.device.sync(), event.sync):
        try:
            use()
        except ValueError as error:
            print(type(error).__name__)
atexit.register(late)
"""

    printed = output_of(code + USE).split()

    assert printed == ["ClosedError"] * 4


def test_an_exit_handler_registered_later_still_has_a_device() -> None:
    code = """
import atexit
atexit.register(lambda: print(Buffer(8).ptr != 0))
"""

    assert output_of(USE + code) == "True"


def test_another_owner_of_the_initialisation_keeps_it() -> None:
    code = """
import atexit
from pyaclnn.abi import ffi, lib
def check():
    # It is still initialised, by us, after pyaclnn has gone.
    print(lib.aclFinalize())
lib.aclInit(ffi.NULL)
atexit.register(check)
"""

    assert output_of(code + USE) == "0"


def test_the_own_initialisation_is_ended_at_exit() -> None:
    code = """
import atexit
from pyaclnn.abi import lib
atexit.register(lambda: print(lib.aclFinalize()))
"""

    assert output_of(code + USE) == "100037"


def test_with_cann_8_1_the_own_initialisation_is_ended_at_exit_too() -> None:
    assert output_of(USE, PYACLNN_SIM_CANN="8.1", **LEAKS) == ""


def test_somebody_else_may_have_finalised_before() -> None:
    assert output_of(USE + "lib.aclFinalize()") == ""


FORK = """
import warnings
warnings.simplefilter("ignore", DeprecationWarning)
child = os.fork()
if child == 0:
    for use in USES:
        try:
            use()
        except Exception as error:
            print(type(error).__name__, "spawn" in str(error), flush=True)
    sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
stream.sync()
print(buffer.ptr != 0)
"""


def test_a_forked_child_gets_a_clear_error_and_exits_normally() -> None:
    uses = (
        "USES = [lambda: Device(0), current_stream, stream.sync, lambda: Buffer(8),"
        " event.sync, lambda: stream.__enter__(), lambda: Device(0).memory_info()]"
    )

    lines = output_of(USE + uses + FORK, **LEAKS).splitlines()

    assert lines == ["ForkedProcessError True"] * 7 + ["3", "True"]


def test_a_thread_of_a_forked_child_gets_it_too() -> None:
    uses = """
def in_thread():
    caught = []
    def work():
        try:
            stream.sync()
        except Exception as error:
            caught.append(error)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    raise caught[0]
USES = [in_thread]
"""

    assert output_of(USE + uses + FORK).splitlines()[0] == "ForkedProcessError True"


def test_dropping_objects_in_a_forked_child_calls_nothing() -> None:
    uses = """
def drop():
    global stream, buffer, event
    del stream, buffer, event
    gc.collect()
    raise KeyError("dropped quietly")
USES = [drop]
"""
    parent = "stream, buffer = Device(0).default_stream, Buffer(8)"

    lines = output_of(
        USE + uses + FORK.replace("stream.sync()", parent + "; stream.sync()")
    ).splitlines()

    assert lines == ["KeyError False", "3", "True"]


def test_a_fork_before_the_first_use_does_no_harm() -> None:
    code = """
import os, sys, warnings
import pyaclnn.runtime
child = os.fork()
if child == 0:
    print(pyaclnn.runtime.Buffer(8).ptr != 0, flush=True)
    sys.exit(0)
os.waitpid(child, 0)
print(pyaclnn.runtime.Buffer(8).ptr != 0)
"""

    assert output_of(code) == "True\nTrue"


def test_a_failed_initialisation_may_be_tried_again() -> None:
    code = """
from pyaclnn.abi import AclError
from pyaclnn.runtime import Buffer
from pyaclnn.sim import control
with control.fault("aclInit:1:500000"):
    try:
        Buffer(8)
    except AclError as error:
        print(error.code)
print(Buffer(8).ptr != 0)
"""

    assert output_of(code).split() == ["500000", "True"]


def test_times_of_kernels_are_appended_by_each_process(tmp_path: Path) -> None:
    code = """
import pyaclnn as pa
x = pa.ones(1 << 20)
for _ in range(3):
    pa.ops.add(x, x, 1)
pa.ops.exp(x)
pa.current_stream().sync()
"""
    file = tmp_path / "times"
    for _ in range(2):
        output_of(code, PYACLNN_SIM_TIMES=str(file))

    rows = [line.split("\t") for line in file.read_text().splitlines()]
    tasks = [(name, int(count)) for name, count, _ in rows if name.startswith("aclnn")]
    assert sorted(tasks) == sorted(2 * [("aclnnAdd", 3), ("aclnnExp", 1)])
    assert all(float(milliseconds) > 0.01 for name, _, milliseconds in rows if name == "aclnnAdd")


def test_times_that_cannot_be_written_are_told() -> None:
    child = run_child(USE, PYACLNN_SIM_TIMES="/nowhere/times")

    assert child.returncode == 0
    assert "PYACLNN_SIM_TIMES=/nowhere/times: No such file or directory" in child.stderr
