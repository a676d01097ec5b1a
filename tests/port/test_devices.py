"""Samples that drive several devices, a thread each, and let them talk by HCCL."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from port.sources import program, tensor

from pyaclnn.port.errors import PortError
from pyaclnn.port.loops.threads import thread_lines
from pyaclnn.port.writing.launched import launched

from .conftest import Translate

RANK = """
struct Args { int rank; HcclComm comm; aclrtStream stream; aclrtContext context; };

int Work(Args& args) {
  aclrtSetCurrentContext(args.context);
  char name[128];
  HcclGetCommName(args.comm, name);
  printf("rank %d of %s on %p\\n", args.rank, name, args.stream);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor;
  void* workspace = nullptr;
BODY
  int ret = aclnnMatmulAllReduceGetWorkspaceSize(x1, x2, nullptr, name, "sum", 0, 1, out,
                                                 &workspaceSize, &executor);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  if (workspaceSize > 0) aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST);
  ret = aclnnMatmulAllReduce(workspace, workspaceSize, executor, args.stream);
  aclrtSynchronizeStreamWithTimeout(args.stream, 10000);
  printf("device_%d is done\\n", args.rank);
  HcclCommDestroy(args.comm);
  aclrtDestroyStream(args.stream);
  return 0;
}
"""

MAIN = """
  int32_t devices[4];
  for (int i = 0; i < 4; i++) devices[i] = i;
  HcclComm comms[128];
  HcclCommInitAll(4, devices, comms);
  Args args[4];
  aclrtStream streams[4];
  aclrtContext contexts[4];
  for (uint32_t rank = 0; rank < 4; rank++) {
    aclrtSetDevice(rank);
    aclrtCreateContext(&contexts[rank], rank);
    aclrtCreateStream(&streams[rank]);
  }
  std::vector<std::unique_ptr<std::thread>> threads(4);
  for (uint32_t rank = 0; rank < 4; rank++) {
    args[rank] = {(int)rank, comms[rank], streams[rank], contexts[rank]};
    threads[rank].reset(new (std::nothrow) std::thread(&Work, std::ref(args[rank])));
  }
  for (uint32_t rank = 0; rank < 4; rank++) threads[rank]->join();
"""


def sample() -> str:
    body = "".join(tensor(name, "32, 32") for name in ("x1", "x2", "out"))
    return program(MAIN, RANK.replace("BODY", body))


def test_the_ranks_are_one_function_run_in_threads(translate: Translate) -> None:
    result = translate(sample())

    assert result.gaps == ()
    text = result.text.partition("comms =")[2]
    assert text.startswith(' pa.ffi.new("HcclComm[4]")\n')
    assert "def run(rank: int) -> None:\n    pa.Device(rank).use()\n" in text
    assert "HcclGetCommName(comms[rank], text)" in text
    assert "group=group, stream_mode=1)\n    pa.current_stream().sync()\n" in text
    assert 'print(f"rank {rank} of {group} on 0x...\\n", end="")' in text
    assert 'print(f"device_{rank} is done\\n", end="")' in text
    assert text.endswith(
        "with ThreadPoolExecutor(4) as pool:\n"
        "    for job in [pool.submit(run, rank) for rank in range(4)]:\n"
        "        job.result()\n"
    )


@pytest.mark.parametrize("own", [False, True])
def test_a_launcher_starts_a_port_once_for_each_rank(
    translate: Translate, tmp_path: Path, own: bool
) -> None:
    half = [tensor(n, "32, 32", "uint16_t", "ACL_FLOAT16") for n in ("x1", "x2", "out")]
    body = RANK.replace("BODY", "".join(half).replace(", 1);", ", 0x3C00);"))
    # What the sum over the ranks is, where the data of one is another.
    shown = """std::vector<uint16_t> sums(1);
  aclrtMemcpy(sums.data(), 2, outAddr, 2, ACL_MEMCPY_DEVICE_TO_HOST);
  printf("sum %g\\n", aclFloat16ToFloat(sums[0]));
  printf("device_%d is done"""
    body = body.replace('printf("device_%d is done', shown)
    if own:
        body = body.replace("void* x1Addr", "x1Data[0] = args.rank ? 0x4000 : 0; void* x1Addr")
    text = program(MAIN + 'printf("all done\\n");', body)
    result = translate(text)
    assert result.gaps == ()
    path = tmp_path / "launched.py"
    path.write_text(launched(result.text, "sample.cpp"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn.collective", "--ranks", "4", str(path)],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip

    total = 4 * 31 + 3 * 2 if own else 4 * 32
    assert ("    run(ranks)\n" in path.read_text(encoding="utf-8")) is not own
    assert "ThreadPoolExecutor" not in path.read_text(encoding="utf-8")
    lines = sorted(re.sub(r" of \S+ on 0x\.\.\.", "", line) for line in done.stdout.splitlines())
    assert lines == sorted([
        "[0] all done",
        *(f"[{rank}] rank {rank}" for rank in range(4)),
        *(f"[{rank}] sum {total}" for rank in range(4)),
        *(f"[{rank}] device_{rank} is done" for rank in range(4)),
    ])  # fmt: skip


def test_what_has_no_thread_for_each_rank_is_not_launched(translate: Translate) -> None:
    with pytest.raises(PortError, match="no communicator"):
        launched(translate(program('printf("alone\\n");')).text, "sample.cpp")


def test_the_raw_port_has_the_contexts_and_streams_of_the_ranks(translate: Translate) -> None:
    result = translate(sample(), "raw")

    assert result.gaps == ()
    assert "check(lib.HcclCommInitAll(4, [0, 1, 2, 3], comms))" in result.text
    functions = [n for n in ast.parse(result.text).body if isinstance(n, ast.FunctionDef)]
    for rank, function in enumerate(functions):
        source = ast.unparse(function)
        assert f"aclrtSetCurrentContext(contexts_{rank}[0])" in source or "[rank]" in source


@pytest.mark.parametrize(
    ("bodies", "merged"),
    [
        ([["use(0)"], ["use(1)"]], "use(rank)"),
        ([['print("on 0")'], ['print("on 1")']], 'print(f"on {rank}")'),
        ([['print(f"{x[0]} of 0")'], ['print(f"{x[1]} of 1")']], 'print(f"{x[rank]} of {rank}")'),
        ([["x = 3"], ["x = 3"]], "x = 3"),
    ],
)
def test_bodies_that_differ_by_their_number_are_one(bodies: list[list[str]], merged: str) -> None:
    assert "    " + merged in thread_lines(bodies)


def test_ranks_that_do_the_same_are_one_function_beside_others() -> None:
    found = thread_lines([["use(0)"], ["use(1)"], ["rest()"], ["use(3)"], ["wait(4)"], ["wait(5)"]])

    assert [line for line in found if "def " in line] == [
        "def run_from_0(rank: int) -> None:", "def rank_2() -> None:",
        "def run_from_4(rank: int) -> None:",
    ]  # fmt: skip
    assert found[-6:] == [
        "with ThreadPoolExecutor(6) as pool:",
        "    jobs = [pool.submit(run_from_0, rank) for rank in (0, 1, 3)]",
        "    jobs += [pool.submit(rank_2)]",
        "    jobs += [pool.submit(run_from_4, rank) for rank in range(4, 6)]",
        "    for job in jobs:",
        "        job.result()",
    ]


def test_what_is_printed_behind_threads_is_printed_when_they_are_done(translate: Translate) -> None:
    result = translate(program(
        MAIN + 'printf("all done\\n");', RANK.replace("BODY", "".join(
            tensor(name, "32, 32") for name in ("x1", "x2", "out")))))  # fmt: skip

    assert result.text.endswith('        job.result()\nprint("all done")\n')


@pytest.mark.parametrize(
    "bodies",
    [
        [["use(0)"], ["use(2)"]],
        [["x0 = 1"], ["x1 = 1"]],
        [["use(0)"], ["use(1)", "more()"]],
        [["a = '0'", "print('{0}')"], ["a = '1'", "print('{1}')"]],
    ],
)
def test_bodies_that_differ_otherwise_stay_apart(bodies: list[list[str]]) -> None:
    found = thread_lines(bodies)

    assert "def rank_0() -> None:" in found
    assert "def rank_1() -> None:" in found
