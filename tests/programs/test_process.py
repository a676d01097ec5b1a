"""What a process notices of pyaclnn: at import, when it ends, when it forks."""

from __future__ import annotations

import json
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]

PENDING = """
import numpy as np, pyaclnn as pa
x = pa.asarray(np.ones((512, 512), np.float32))
for _ in range(50):
    y = pa.ops.selu_backward(x, x)
plan = pa.ops.hardswish_backward.plan(x, x)
plan.run()
"""


def test_importing_opens_and_parses_nothing(run: Run) -> None:
    done = run(
        "-c",
        "import sys, numpy, pyaclnn; maps = open('/proc/self/maps').read();"
        "print('libopapi' in maps, 'libascendcl' in maps, 'pycparser' in sys.modules)",
    )

    assert done.stdout.split() == ["False", "False", "False"], done.stderr


def test_a_script_may_end_with_work_pending(run: Run) -> None:
    done = run("-c", PENDING)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_exit_status_is_kept_with_work_pending(run: Run) -> None:
    done = run("-c", PENDING + "raise SystemExit(7)")

    assert (done.returncode, done.stderr) == (7, "")


def test_an_unhandled_exception_prints_only_its_traceback(run: Run) -> None:
    done = run("-c", PENDING + "raise KeyError('mine')")

    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
    assert done.stderr.rstrip().endswith("KeyError: 'mine'")


def test_objects_that_outlive_the_module_are_let_go_quietly(run: Run) -> None:
    done = run("-c", PENDING + "import builtins; builtins.kept = (x, y, plan, pa.current_stream())")

    assert (done.returncode, done.stderr) == (0, "")


def test_a_forked_child_gets_a_clear_error_and_the_parent_goes_on(run: Run) -> None:
    done = run(
        "-W", "ignore::DeprecationWarning", "-c",
        PENDING
        + """
import os, sys
child = os.fork()
if child == 0:
    for use in (lambda: pa.ops.selu_backward(x, x), plan.run, lambda: pa.zeros(3)):
        try:
            use()
        except pa.ForkedProcessError as error:
            print("spawn" in str(error), flush=True)
    os._exit(5)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), float(y.numpy()[0, 0]) > 1)
""",
    )  # fmt: skip

    assert done.stdout.split() == ["True", "True", "True", "5", "True"], done.stderr


def test_a_forked_child_may_exit_normally(run: Run) -> None:
    done = run(
        "-W", "ignore::DeprecationWarning", "-c",
        PENDING
        + """
import os, sys
child = os.fork()
if child == 0:
    sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""",
    )  # fmt: skip

    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "3", "")


def test_reading_device_memory_from_the_host_crashes(run: Run) -> None:
    done = run(
        "-c",
        "import ctypes, pyaclnn as pa; t = pa.ones((4,), 'float32');"
        "print(t.numpy().sum(), flush=True);"
        "ctypes.c_float.from_address(t.buffer.ptr).value",
    )

    assert done.stdout.strip() == "4.0"
    assert done.returncode == -11


def test_without_cann_the_fallback_is_said_once(run: Run) -> None:
    done = run(
        "-c", "import pyaclnn as pa; pa.ones((2,)).numpy(); pa.zeros((2,)).numpy()",
        PYACLNN_BACKEND="auto",
    )  # fmt: skip

    assert done.returncode == 0
    assert done.stderr.count("BackendWarning") == 1


def test_info_is_complete_as_json(run: Run) -> None:
    done = run("-m", "pyaclnn.info", "--json")
    facts = json.loads(done.stdout)

    assert done.returncode == 0
    assert facts["backend"]["name"] == "simulator"
    assert facts["device"]["soc"] == "Ascend910B1"


@pytest.mark.parametrize("arguments", [(), ("--headers",)])
def test_info_is_readable(run: Run, arguments: tuple[str, ...]) -> None:
    done = run("-m", "pyaclnn.info", *arguments)

    assert done.returncode == 0, done.stderr
    assert "simulator" in done.stdout


def test_the_toolkit_root_is_printed(run: Run) -> None:
    done = run("-m", "pyaclnn.sim", "--home")

    assert done.returncode == 0
    assert done.stdout.strip().endswith("_toolkit")
