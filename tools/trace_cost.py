"""What a trace costs: calls of CANN in C, and steps of training with torch_npu, with and without.

    python tools/trace_cost.py                          # nanoseconds of a call
    python tools/trace_cost.py --torch /path/to/python  # of a Python that has torch_npu

Both ways alternate within one process or one run, and medians are compared.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pyaclnn.trace import toolkit  # noqa: E402

#: The tracer is told to begin and to end; what is between is the same code.
_CALLS = r"""
#include <dlfcn.h>
#include <time.h>
#include <algorithm>
#include <cstdio>
#include <vector>
#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
// Of the processor, as others may use it.
double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}
template <class F> double once(F f, int n) {
  const double begin = now();
  for (int i = 0; i < n; ++i) f();
  return (now() - begin) / n;
}
int main(int, char** argv) {
  aclInit(nullptr); aclrtSetDevice(0);
  void* memory = nullptr;
  aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
  const int64_t shape[] = {4, 4}, strides[] = {4, 1};
  auto tensor = [&] { return aclCreateTensor(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape,
                                             2, memory); };
  aclTensor* x = tensor();
  float one = 1;
  aclScalar* alpha = aclCreateScalar(&one, ACL_FLOAT);
  auto plan = [&] { uint64_t size; aclOpExecutor* executor;
    aclnnAddGetWorkspaceSize(x, x, alpha, x, &size, &executor);
    aclDestroyAclOpExecutor(executor); };
  auto get = [] { int32_t device; aclrtGetDevice(&device); };
  auto make = [&] { aclDestroyTensor(tensor()); };
  using Start = void (*)(const char*, const char*, const char*);
  void* tracer = dlopen(argv[1], RTLD_LAZY | RTLD_NOLOAD);
  auto start = tracer ? reinterpret_cast<Start>(dlsym(tracer, "pyaclnn_trace_start")) : nullptr;
  auto stop = tracer ? reinterpret_cast<void (*)()>(dlsym(tracer, "pyaclnn_trace_stop")) : nullptr;
  struct { const char* name; std::vector<double> times[2]; } kinds[] = {
      {"aclrtGetDevice", {}},
      {"a first phase and its executor's end (2 calls)", {}},
      {"aclCreateTensor and destroy", {}}};
  for (int round = 0; round < 15; ++round)
    for (int on = 0; on < 2; ++on) {
      if (on && start) start(argv[2], nullptr, nullptr);
      kinds[0].times[on].push_back(once(get, 20000));
      kinds[1].times[on].push_back(once(plan, 5000));
      kinds[2].times[on].push_back(once(make, 20000));
      if (on && stop) stop();
    }
  for (auto& kind : kinds) {
    for (auto& t : kind.times) std::nth_element(t.begin(), t.begin() + 7, t.end());
    std::printf("%s %.0f %.0f\n", kind.name, kind.times[0][7], kind.times[1][7]);
  }
}
"""

_STEPS = """
import ctypes, statistics, sys, time
import torch, torch_npu
torch.manual_seed(0)
first, last = torch.nn.Linear(256, 512), torch.nn.Linear(512, 10)
model = torch.nn.Sequential(first, torch.nn.ReLU(), last).npu()
steps = torch.optim.SGD(model.parameters(), lr=.01)
x, y = torch.randn(64, 256).npu(), torch.randint(0, 10, (64,)).npu()
def step():
    begin = time.perf_counter()
    steps.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(x), y)
    loss.backward()
    steps.step()
    loss.item()
    return time.perf_counter() - begin
tracer = ctypes.CDLL(sys.argv[1])
for _ in range(20): step()
times = [[], []]
for _ in range(40):
    for on in (0, 1):
        if on: tracer.pyaclnn_trace_start(sys.argv[2].encode(), None, None)
        step()
        times[on] += [step() for _ in range(10)]
        if on: tracer.pyaclnn_trace_stop()
print(*(statistics.median(t) * 1e6 for t in times))
"""


def _environment(folder: Path) -> dict[str, str]:
    outside = {n: v for n, v in os.environ.items() if n not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    return outside | toolkit.variables(toolkit.real_root(), folder)


def calls(folder: Path) -> None:
    """Print what calls take, in nanoseconds: not recorded, recorded."""
    source = folder / "calls.cpp"
    source.write_text(_CALLS, encoding="utf-8")
    root = toolkit.real_root()
    program = folder / "calls"
    subprocess.run(
        ["g++", "-O2", "-std=c++17", str(source), f"-I{root}/include", f"-L{root}/lib64",
         "-lascendcl", "-lnnopbase", "-lopapi", f"-Wl,-rpath-link,{root}/lib64", "-ldl",
         "-o", str(program)], check=True,
    )  # fmt: skip
    real = {**os.environ, "LD_LIBRARY_PATH": f"{root}/lib64"}
    plain = subprocess.run([program, "none", "none"], env=real, stdout=subprocess.PIPE, check=True)
    environment = _environment(folder / "toolkit")
    traces = folder / "traces"
    traces.mkdir()
    command = [str(program), str(folder / "toolkit" / toolkit.TRACER), str(traces)]
    traced = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    rows = zip(plain.stdout.decode().splitlines(), traced.stdout.decode().splitlines(), strict=True)
    print(f"{'ns':46} {'real':>7} {'standing by':>12} {'recorded':>9} {'added':>7}")
    for without, with_it in rows:
        name, real_ns, again = without.rsplit(" ", 2)
        _, by, recorded = with_it.rsplit(" ", 2)
        least = min(float(real_ns), float(again))
        print(f"{name:46} {least:7.0f} {by:>12} {recorded:>9} {float(recorded) - least:7.0f}")


def steps(folder: Path, python: str) -> None:
    """Print what a step of training takes: not recorded, recorded."""
    environment = _environment(folder / "toolkit-of-steps")
    traces = folder / "traces-of-steps"
    traces.mkdir()
    tracer = folder / "toolkit-of-steps" / toolkit.TRACER
    done = subprocess.run(
        [python, "-c", _STEPS, str(tracer), str(traces)], env=environment, check=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    before, after = map(float, done.stdout.split())
    print(f"a step of torch_npu: {before:.0f} us, recorded {after:.0f} us: {after / before:.3f}")


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="Exit status: 0 measured.")
    parser.add_argument("--torch", metavar="PYTHON", help="a Python with torch_npu")
    parser.add_argument("--times", type=int, default=1, help="how often")
    options = parser.parse_args()
    for _ in range(options.times):
        with tempfile.TemporaryDirectory() as scratch:
            calls(Path(scratch))
            if options.torch:
                steps(Path(scratch), options.torch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
