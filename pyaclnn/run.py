"""``python -m pyaclnn.run``: run any program that was written for an NPU on the simulator."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from pyaclnn._command import completed, run_command
from pyaclnn.abi.paths import SIMULATOR_ROOT
from pyaclnn.sim import build, environment

#: Option -> the variable that the simulator reads, and what it means.
_OPTIONS = {
    "devices": ("PYACLNN_SIM_DEVICES", "N", "how many devices there are (1)"),
    "chip": ("PYACLNN_SIM_SOC", "NAME", "such as Ascend910B1, Ascend310P3, Ascend910_95"),
    "release": ("PYACLNN_SIM_CANN", "X.Y", "the release of CANN whose behaviour is simulated"),
    "memory": ("PYACLNN_SIM_MEMORY", "SIZE", "of each device, such as 8G"),
    "threads": ("PYACLNN_SIM_THREADS", "N", "how many processors the kernels use"),
    "times": ("PYACLNN_SIM_TIMES", "FILE", "where the time of each operator's kernels is appended"),
    "check": ("PYACLNN_SIM_CHECK", "LIST", "leaks, poison, races, undefined, or all of them: all"),
}
#: A shell's statuses of a program that is not found, and of one that is not executable.
_NOT_FOUND, _NOT_STARTED = 127, 126


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line: our options, then a program with its own options."""
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.run",
        usage="python -m pyaclnn.run [options] [--] PROGRAM [ARGUMENT ...]",
        description="Run a program that was written for an NPU on the simulator: a C++ binary, "
        "python with torch_npu, torchrun, pytest, llama-cli.",
        epilog="Exit status: 0 and others are the program's, 1 the simulator is not built, 2 wrong "
        "usage, 126 and 127 the program cannot be started or found.",
    )
    for name, (variable, shown, what) in _OPTIONS.items():
        parser.add_argument(f"--{name}", metavar=shown, help=f"{what}; {variable}")
    parser.add_argument("--json", action="store_true", help="print the variables, run nothing")
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = completed(parser).parse_args(arguments)
    if options.program[:1] == ["--"]:
        del options.program[0]
    if not options.program and not options.json:
        parser.error("no program: python -m pyaclnn.run --devices 2 -- python train.py")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Replace this process by the program; returns only where that does not work."""
    options = parse(arguments)
    if not (SIMULATOR_ROOT / "lib64" / build.CORE).exists():
        print("the simulator is not built: python -m pyaclnn.sim --build", file=sys.stderr)
        return 1
    variables = environment.of_programs(SIMULATOR_ROOT)
    for name, (variable, _, _) in _OPTIONS.items():
        if getattr(options, name) is not None:
            variables[variable] = getattr(options, name)
    # A program that uses pyaclnn as well gets the same libraries.
    variables["PYACLNN_BACKEND"] = "simulator"
    if options.json:
        print(json.dumps(variables, indent=1))
        return 0
    if os.environ.get("PYACLNN_LOG"):
        # The tracer, which prints calls, is loaded in front of the libraries.
        from pyaclnn.trace import launch

        of_toolkit = environment.of_programs(SIMULATOR_ROOT)
        return launch.run(
            options.program, {n: v for n, v in variables.items() if n not in of_toolkit}
        )
    program = options.program[0]
    sys.stdout.flush()
    try:
        os.execvpe(program, options.program, {**os.environ, **variables})
    except FileNotFoundError:
        print(f"{program}: there is no such program", file=sys.stderr)
        return _NOT_FOUND
    except OSError as error:
        print(f"{program}: {error.strerror}", file=sys.stderr)
        return _NOT_STARTED


if __name__ == "__main__":
    run_command(main)
