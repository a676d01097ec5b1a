"""``python -m pyaclnn.collective --ranks 2 program.py``: a program on several ranks."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from pyaclnn._command import completed, run_command
from pyaclnn.collective.launcher import Job, command_of, launch


def main(arguments: Sequence[str] | None = None) -> int:
    """Start a program on several ranks.

    Returns
    -------
    int
        0 if all ranks succeed, else the status of the one that failed first.
    """
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.collective",
        usage="python -m pyaclnn.collective [options] [--] PROGRAM [ARGUMENT ...]",
        description="Start a program on several ranks of this machine, each a process that finds "
        "its place by Communicator.from_env(). Lines that a rank prints have its number before "
        "them. Where one fails, the others are ended.",
        epilog="Exit status: 0 all ranks succeeded, 2 wrong usage, 126 and 127 the program cannot "
        "be started or found; else that of the rank that failed first, 128 more than the signal "
        "that ended it.",
    )
    parser.add_argument("-n", "--ranks", type=_count, required=True, metavar="N", help="how many")
    parser.add_argument(
        "-m", "--module", action="store_true", help="the program is a Python module, as for python"
    )
    parser.add_argument(
        "--json", action="store_true", help="print the variables of each rank, start nothing"
    )
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = completed(parser).parse_args(arguments)
    program = options.program[options.program[:1] == ["--"] :]
    if options.json:
        job = Job.new(options.ranks)
        print(json.dumps([job.variables(rank) for rank in range(job.size)], indent=1))
        return 0
    if not program:
        parser.error("no program: python -m pyaclnn.collective --ranks 2 train.py")
    return launch(command_of(program, options.module), options.ranks)


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text} ranks are none")
    return count


if __name__ == "__main__":
    run_command(main)
