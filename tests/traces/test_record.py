"""What programs asked is what is read back: C++, Python, processes that fork, die or share work."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import toolchain
from traces.traced import TIME_LIMIT, python, trace

from pyaclnn.trace import elf, summary, timeline, toolkit
from pyaclnn.trace.__main__ import main
from pyaclnn.trace.reader import Array, ScalarValue, Trace

SAMPLE = Path(toolchain.__file__).parent / "c" / "samples" / "aclnn_selu_backward.cpp"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trace, str]:
    """Trace a C++ sample with all contents; its calls and its output."""
    folder = tmp_path_factory.mktemp("sample") / "trace"
    done = trace(folder, [str(toolchain.build(SAMPLE))], "--content", "full")
    assert done.returncode == 0, done.stderr
    return Trace(folder), done.stdout


def test_a_sample_in_cpp_prints_the_same_and_its_calls_are_known(sample: tuple[Trace, str]) -> None:
    trace_, output = sample

    names = [c.name for c in trace_.calls]
    first = next(c for c in trace_.calls if c.name == "aclnnSeluBackwardGetWorkspaceSize")
    second = next(c for c in trace_.calls if c.name == "aclnnSeluBackward")
    allocated = [c.arguments["devPtr"] for c in trace_.calls if c.name == "aclrtMalloc"]
    tensors = [t for _, _, _, t in first.tensors()]

    assert output == toolchain.run(toolchain.build(SAMPLE)).stdout
    assert (names[0], names[-1]) == ("aclInit", "aclFinalize")
    assert second.first_phase is first
    assert [str(t) for t in tensors] == ["float32[2, 4]"] * 3
    assert [t.strides for t in tensors] == [(4, 1)] * 3
    assert [t.address for t in tensors] == allocated
    assert all(c.end >= c.begin > 0 and c.result == 0 for c in trace_.calls)


def test_contents_are_what_the_program_printed(sample: tuple[Trace, str]) -> None:
    trace_, output = sample
    printed = [float(line.partition("=")[2]) for line in output.splitlines()]
    call = next(c for c in trace_.calls if c.name == "aclnnSeluBackward")
    (after,) = (c for c in call.contents if c.after)

    values = np.frombuffer(trace_.read_content(call, after), np.float32)

    np.testing.assert_allclose(values, printed, rtol=1e-6)
    assert [c.after for c in call.contents] == [False, False, True]
    assert (after.minimum, after.maximum) == (values.min(), values.max())
    assert after.mean == pytest.approx(values.astype(np.float64).mean())
    assert (after.nans, after.infinities) == (0, 0)


def test_a_killed_program_leaves_its_calls_and_a_child_has_a_file_of_its_own(
    tmp_path: Path,
) -> None:
    done = trace(
        tmp_path / "t",
        python(
            "import os, signal\n"
            "if (child := os.fork()) == 0:\n"
            "    pa.ops.add(pa.ones((3,), 'float32'), pa.ones((3,), 'float32')).numpy()\n"
            "    os._exit(0)\n"
            "os.waitpid(child, 0)\n"
            "pa.ops.exp(pa.ones((5,), 'float32')).numpy()\n"
            "os.kill(os.getpid(), signal.SIGKILL)\n"
        ),
    )
    found = Trace(tmp_path / "t")

    by_process = [
        {c.operator for c in found.calls if c.process == p and c.operator}
        for p in {c.process for c in found.calls}
    ]

    assert done.returncode == 137
    assert {"Exp"} in by_process
    assert {"Add"} in [names - {"InplaceOne"} for names in by_process]
    assert all(f.stat().st_mode & 0o777 == 0o600 for f in (tmp_path / "t").iterdir())
    assert (tmp_path / "t").stat().st_mode & 0o777 == 0o700


def test_the_last_calls_are_kept_and_their_number_bounds_the_file(tmp_path: Path) -> None:
    code = (
        "device = pa.ffi.new('int32_t *')\n"
        "pa.current_device()\n"
        "for _ in range(40000): pa.lib.aclrtGetDevice(device)\n"
        "pa.lib.aclrtGetDeviceCount(pa.ffi.new('uint32_t *'))\n"
        "import os; os._exit(0)\n"
    )
    trace(tmp_path / "t", python(code), "--last", "100")
    found = Trace(tmp_path / "t")
    (file,) = (tmp_path / "t").iterdir()

    assert len(found.calls) == 100
    assert found.calls[-1].name == "aclrtGetDeviceCount"
    assert {c.name for c in found.calls[:-1]} == {"aclrtGetDevice"}
    assert file.stat().st_size < 1 << 20


def test_arguments_of_every_kind_are_those_that_c_saw(tmp_path: Path) -> None:
    done = trace(
        tmp_path / "t",
        python(
            "x = pa.asarray(np.arange(24, dtype=np.float16).reshape(2, 3, 4))\n"
            "pa.ops.reduce_sum(x[:, 1:], dims=[0, 2], keep_dims=True, dtype='float32')\n"
            "pa.ops.add(x, x, 2.5)\n"
            "pa.ops.cat([x, x], 1)\n"
            "pa.ops.softshrink_backward(x, x, 0.75)\n"
            "try: pa.ops.softshrink_backward(x, x, -1.0)\n"
            "except pa.AclError: pass\n"
        ),
    )
    assert done.returncode == 0, done.stderr
    calls = Trace(tmp_path / "t").calls
    of = {
        c.operator: c.arguments
        for c in calls
        if c.name.endswith("GetWorkspaceSize") and not c.failed
    }
    view = of["ReduceSum"]["self"]

    assert (str(view), view.strides, view.offset) == ("float16[2, 2, 4]", (12, 4, 1), 4)
    assert of["ReduceSum"]["dims"] == Array("I", (0, 2), 2)
    assert (of["ReduceSum"]["keepDims"], of["ReduceSum"]["dtype"]) == (1, 0)
    assert isinstance(of["Add"]["alpha"], ScalarValue)
    assert of["Add"]["alpha"].value == 2.5
    assert [str(t) for t in of["Cat"]["tensors"].items] == ["float16[2, 3, 4]"] * 2
    assert of["SoftshrinkBackward"]["lambda"].value == 0.75
    assert [c.result for c in calls if c.operator and c.failed] == [161002]
    assert summary.operators(calls)["SoftshrinkBackward"].failed == 1


def test_threads_write_beside_each_other(tmp_path: Path) -> None:
    trace(
        tmp_path / "t",
        python(
            "import threading\n"
            "pa.current_device()\n"
            "def work(number):\n"
            "    for _ in range(3000): pa.lib.aclrtGetDevice(pa.ffi.new('int32_t *'))\n"
            "threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]\n"
            "[t.start() for t in threads]; [t.join() for t in threads]\n"
        ),
    )
    calls = [c for c in Trace(tmp_path / "t").calls if c.name == "aclrtGetDevice"]
    counts = [sum(c.thread == t for c in calls) for t in {c.thread for c in calls}]

    assert sorted(counts)[-4:] == [3000] * 4


def test_a_timeline_and_a_page_are_written(sample: tuple[Trace, str], tmp_path: Path) -> None:
    trace_, _ = sample
    events = json.loads(timeline.to_chrome(trace_, trace_.calls))["traceEvents"]
    page = tmp_path / "page.html"

    assert main(["show", str(trace_.path), "--html", str(page)]) == 0
    assert {e["ph"] for e in events} >= {"X", "s", "f", "M", "C"}
    assert "SeluBackward" in {e["name"] for e in events if e.get("cat") == "stream"}
    assert max(e["args"]["bytes"] for e in events if e["ph"] == "C") == 96
    assert "aclnnSeluBackward" in page.read_text()


def test_the_log_says_calls_errors_or_slow_ones() -> None:
    code = (
        "x = pa.ones((2,), 'float32')\n"
        "try: pa.ops.softshrink_backward(x, x, -1.0)\n"
        "except pa.AclError: pass\n"
    )

    def logged(wish: str) -> list[str]:
        folder = Path(toolchain._scratch()) / f"log-{wish}"
        done = trace(folder, python(code), PYACLNN_LOG=wish)
        return [line for line in done.stderr.splitlines() if line.startswith("pyaclnn ")]

    errors = [line for line in logged("errors") if "Softshrink" in line]

    assert any("aclrtMalloc(" in line for line in logged("calls"))
    assert [line.count(" = 161002 ") for line in errors] == [1]
    assert "self=float32[2]" in errors[0]
    assert logged("slow:100s") == []


def test_a_library_without_code_leads_to_those_that_it_names(tmp_path: Path) -> None:
    ours = elf.exported(toolkit.tracer())
    less = tmp_path / "less.so"
    less.write_bytes(elf.without(toolkit.tracer(), {"aclnnAdd"}))
    code = elf.forwarder(62, "libx.so", ["/a/b.so"])

    assert {"aclnnAdd", "aclrtMalloc", "HcclAllReduce"} <= ours
    assert ours - elf.exported(less) == {"aclnnAdd"}
    assert code.startswith(b"\x7fELF")
    assert b"libx.so\0/a/b.so\0" in code
    assert struct.unpack_from("<H", code, 18) == (62,)
    assert elf.exported(Path(sys.executable + "-missing")) == set()


def test_a_block_of_a_program_is_recorded(tmp_path: Path) -> None:
    code = (
        "with pa.trace({!r}, content='statistics') as session:\n"
        "    x = pa.ones((3,), 'float32')\n"
        "    y = pa.ops.exp(x)\n"
        "pa.ops.neg(x)\n"
        "with pa.trace({!r}) as other:\n"
        "    pa.ops.abs(x)\n"
        "print(sorted({{c.operator for c in session.read().calls if c.operator}}))\n"
        "print([str(t) for c in other.read().calls for *_, t in c.tensors()])\n"
    )
    program = python(code.format(str(tmp_path / "one"), str(tmp_path / "two")))

    alone = subprocess.run(program, capture_output=True, text=True, timeout=TIME_LIMIT)

    assert alone.stdout.splitlines() == [
        "['Exp']",
        "['float32[3]', 'float32[3]']",
    ], alone.stderr


def test_a_block_that_comes_too_late_says_so() -> None:
    code = "pa.ones((3,), 'float32')\nwith pa.trace('t'): pass\n"

    done = subprocess.run(python(code), capture_output=True, text=True, timeout=TIME_LIMIT)

    assert "begin the first trace before anything uses a device" in done.stderr


def test_two_ranks_are_two_files_with_their_collectives(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        f"sys.path.insert(0, {str(Path(toolchain.__file__).parent)!r})\n"
        "from collective.processes import outputs\n"
        "print(outputs('''\n"
        "with Communicator.from_env() as group:\n"
        "    x = pa.asarray(np.full(4, int(os.environ['RANK']) + 1.0, np.float32))\n"
        "    print(group.all_reduce(x).numpy())\n"
        "''', 2, PYACLNN_SIM_DEVICES='2'))\n"
    )
    done = trace(tmp_path / "t", [sys.executable, "-c", code])
    assert done.returncode == 0, done.stderr
    calls = Trace(tmp_path / "t").calls
    reduced = [c for c in calls if c.name == "HcclAllReduce"]

    assert done.stdout.count("[3. 3. 3. 3.]") == 2
    assert len({c.process for c in reduced}) == 2
    assert [(c.arguments["count"], c.arguments["dataType"], c.result) for c in reduced] == [
        (4, 4, 0),
        (4, 4, 0),
    ]
