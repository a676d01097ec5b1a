"""Record which tests run which line of the operators' C++, for ``tools/mutate.py``.

    python tools/reached.py --output build/reached        # a quarter of an hour, two processors
    python tools/mutate.py --reached build/reached --count 300

The libraries are compiled once more into that folder, by GCC and with ``-O1``, so that the
beginning of each basic block of ``libopapi`` marks that it ran (``reaching/record.c``). With them
the selftest of each operator runs, on two chips, and the tests of pytest that compute something;
what each of them marked is written to ``index.pickle``. Tests that fail are left out. Needs
binutils' objdump and a processor of x86-64.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from reaching import index
from reaching.marks import FOLDER

TOOLS = Path(__file__).resolve().parent
ROOT = TOOLS.parent
#: Folders of tests that run operators. Statuses are a test for thousands of calls, and are left to
#: mutate.py, which picks those of an operator.
TESTS = ("operators", "ops", "tensor", "array_api", "sim", "fidelity", "runtime", "collective")
#: Between them their kernels are all that there are.
CHIPS = ("Ascend910B1", "Ascend950")
NOT_TRIED = "tests/operators/test_statuses.py"

_COMPILER = """\
#!/bin/sh
# g++ that marks basic blocks of libopapi.
case "$*" in
  *-shared*libopapi.so*) exec g++ "$@" "{recorder}" ;;
  *-shared*) exec g++ "$@" ;;
  *src/opapi/*.cpp*|*generated/generate/*.cpp*)
    exec g++ "$@" -O1 -g1 -fsanitize-coverage=trace-pc ;;
  *) exec g++ "$@" ;;
esac
"""


def compile_marked(folder: Path) -> Path:
    """Build the libraries that mark what runs; return their toolkit root."""
    recorder, compiler, toolkit = folder / "record.o", folder / "g++", folder / "toolkit"
    source = TOOLS / "reaching/record.c"
    subprocess.run(["gcc", "-O2", "-fPIC", "-c", source, "-o", recorder], check=True)
    compiler.write_text(_COMPILER.format(recorder=recorder), encoding="utf-8")
    compiler.chmod(0o755)
    command = [sys.executable, str(ROOT / "pyaclnn/sim/build.py")]
    command += ["--output", str(toolkit), "--cache", str(folder / "objects")]
    subprocess.run(command, check=True, env={**os.environ, "CXX": str(compiler)})
    return toolkit


def record(folder: Path, toolkit: Path, processes: int) -> list[Path]:
    """Run selftest and the tests; return the files that say what ran."""
    runs = folder / "runs"
    runs.mkdir(exist_ok=True)
    for old in runs.iterdir():
        old.unlink()
    environment = {
        **os.environ, "PYACLNN_BACKEND": "simulator", "PYACLNN_SIM_HOME": str(toolkit),
        "PYACLNN_TEST_TOOLKIT": str(toolkit), "PYTHONPATH": f"{ROOT}:{TOOLS}", FOLDER: str(runs),
    }  # fmt: skip
    for chip in CHIPS:
        shares = [
            subprocess.Popen(
                [sys.executable, "-m", "reaching.selftests", str(runs), f"{share}", f"{processes}"],
                env={**environment, "PYACLNN_SIM_SOC": chip},
            )
            for share in range(processes)
        ]
        statuses = [share.wait() for share in shares]
        if any(statuses):
            raise SystemExit(f"selftest did not run to its end on {chip}")
    tests = [f"tests/{name}" for name in TESTS]
    # Exits with 1 where tests fail, of which some look at times or at the libraries themselves.
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", str(processes), "--dist", "loadfile",
         "-p", "reaching.marks", "-m", "not clients", "--deselect", NOT_TRIED, *tests],
        cwd=ROOT, env=environment, check=False,
    )  # fmt: skip
    return sorted(runs.glob("*.pickle"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "build/reached")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    folder = options.output.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    toolkit = compile_marked(folder)
    recorded = record(folder, toolkit, options.processes)
    tests, blocks = index.write_index(folder, toolkit / "lib64/libopapi.so", recorded)
    print(f"{folder / index.NAME}: {tests} tests and selftests run {blocks} basic blocks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
