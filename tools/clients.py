"""Run the programs of others against the simulator: torch_npu, and ggml's CANN backend.

    python tools/clients.py                   # makes the environment, then tests
    python tools/clients.py --quick           # only what takes a minute
    python tools/clients.py --needs           # the operators that programs still lack
    python tools/clients.py --ggml SOURCES    # test-backend-ops, a table by operator

The environment has torch and torch_npu of the releases below, from the package index.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import shlex
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("torch==2.13.0", "torch_npu==2.13.0", "numpy", "pyyaml", "mpich", "cffi", "ml_dtypes")
QUICK = "carries or named or training_loop or page or shared"
PROJECT = """\
cmake_minimum_required(VERSION 3.14)
project(backend_ops C CXX)
set(CMAKE_CXX_STANDARD 17)
add_subdirectory(${LLAMA}/ggml ggml)
add_executable(test-backend-ops ${LLAMA}/tests/test-backend-ops.cpp)
target_link_libraries(test-backend-ops PRIVATE ggml)
"""
CASE = re.compile(r"^\s*(?P<op>[A-Z_0-9]+)\((?P<arguments>.*)\): (?P<end>.*)$")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def environment(folder: Path) -> Path:
    """Return the Python of an environment with the packages, made where there is none.

    Parameters
    ----------
    folder : Path
        Where it is, or shall be.
    """
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    installed = (
        "import torch, cffi, importlib.metadata as m; m.version('torch_npu'), m.version('mpich')"
    )
    if subprocess.run([python, "-c", installed], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def verdict(end: str) -> str:
    """Return what became of a case of test-backend-ops: passed, failed or refused."""
    plain = COLOUR.sub("", end)
    if "not supported" in plain:
        return "refused"
    return "passed" if plain.rstrip().endswith("OK") else "failed"


def table(output: str) -> str:
    """Return a line for each operator: how many cases passed, failed, were refused.

    Parameters
    ----------
    output : str
        What ``test-backend-ops`` printed.
    """
    counts: dict[str, collections.Counter[str]] = {}
    for line in output.splitlines():
        found = CASE.match(COLOUR.sub("", line))
        if found:
            counts.setdefault(found["op"], collections.Counter())[verdict(found["end"])] += 1
    kinds = ("passed", "failed", "refused")
    total: collections.Counter[str] = sum(counts.values(), collections.Counter())
    lines = [f"{'operator':<28}" + "".join(f"{kind:>10}" for kind in kinds)]
    for operator, count in [*sorted(counts.items()), ("total", total)]:
        lines.append(f"{operator:<28}" + "".join(f"{count[kind]:>10}" for kind in kinds))
    return "\n".join(lines)


def in_toolkit(command: Sequence[str], **options: object) -> subprocess.CompletedProcess[str]:
    """Run a command after ``source set_env.sh``, and return what it printed."""
    script = f"source {ROOT}/pyaclnn/_toolkit/set_env.sh && exec {shlex.join(command)}"
    return subprocess.run(["bash", "-c", script], text=True, **options)  # type: ignore[call-overload,no-any-return]


def ggml(sources: Path, build: Path, only: str | None) -> int:
    """Compile ggml's CANN backend, unchanged, and run its tests.

    Parameters
    ----------
    sources : Path
        llama.cpp, as in ``vendor/llama.cpp`` of the sdist of llama-cpp-python.
    build : Path
        Where it is compiled.
    only : str, optional
        The one operator that is tested.
    """
    build.mkdir(parents=True, exist_ok=True)
    (build / "CMakeLists.txt").write_text(PROJECT)
    options = [f"-DLLAMA={sources.resolve()}", "-DGGML_CANN=ON", "-DSOC_TYPE=Ascend910B1"]
    plain = ["-DGGML_OPENMP=OFF", "-DCMAKE_BUILD_TYPE=Release"]
    here, made = str(build), str(build / "made")
    in_toolkit(["cmake", "-S", here, "-B", made, *options, *plain], check=True)
    in_toolkit(["cmake", "--build", made, "--target", "test-backend-ops", "-j"], check=True)
    program = next(Path(made).rglob("test-backend-ops"))
    arguments = ["test", "-b", "CANN0", *(["-o", only] if only else [])]
    done = in_toolkit([str(program), *arguments], capture_output=True)
    print(table(done.stdout))
    return done.returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the environment, and run the tests."""
    parser = argparse.ArgumentParser(description="Run the programs of others.")
    parser.add_argument("--venv", type=Path, default=ROOT / "build" / "clients-venv")
    parser.add_argument("--quick", action="store_true", help="only what takes a minute")
    parser.add_argument("--needs", action="store_true", help="list the operators that lack")
    parser.add_argument("--ggml", type=Path, metavar="SOURCES", help="llama.cpp")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "ggml")
    parser.add_argument("--operator", help="of ggml, to test it alone")
    options = parser.parse_args(arguments)
    if options.ggml:
        return ggml(options.ggml, options.build, options.operator)
    python = environment(options.venv)
    tests = str(ROOT / "tests" / "clients")
    command = [sys.executable, "-m", "pytest", "-q", "-m", "clients", tests]
    if options.quick:
        command += ["-k", QUICK]
    env = {**os.environ, "PYACLNN_CLIENTS_PYTHON": str(python)}
    if not options.needs:
        return subprocess.run(command, env=env, cwd=ROOT).returncode
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)
    needs = collections.Counter(re.findall(r"needs (\w+)", done.stdout))
    print("\n".join(f"{name:<40}{count:>3} programs" for name, count in needs.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
