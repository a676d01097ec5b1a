# PYTHON_ARGCOMPLETE_OK
"""``pyaclnn COMMAND``, which is ``python -m pyaclnn.COMMAND``; without a command, what there is."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import NoReturn

from pyaclnn._command import command_to_complete, completed, run_command
from pyaclnn._version import __version__

#: Command -> the module whose ``main`` it is, and what it does.
COMMANDS = {
    "selftest": ("pyaclnn.selftest.__main__", "run the operators against float64 references"),
    "info": ("pyaclnn.info", "versions, libraries, device, the catalogue of operators"),
    "run": ("pyaclnn.run", "run any program for NPUs on the simulator"),
    "collective": ("pyaclnn.collective.__main__", "start a program on several ranks"),
    "trace": ("pyaclnn.trace.__main__", "record, show, replay what any program asks of an NPU"),
    "port": ("pyaclnn.port.__main__", "translate a C++ sample of aclnn to Python"),
    "bench": ("pyaclnn.bench.__main__", "what the binding adds to the calls in C"),
    "fidelity": ("pyaclnn.fidelity.__main__", "what CANN does and the simulator does not, or else"),
    "sim": ("pyaclnn.sim.__main__", "where the simulator is, and how to build it"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        A command and its arguments; those of the process if not given.

    Returns
    -------
    int
        The exit status of the command: 0 is success, 2 wrong usage, others as its help tells.
    """
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:{width}}  {what}" for name, (_, what) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="pyaclnn",
        description="Call any aclnn operator of CANN from Python, on an NPU or on a simulator.",
        epilog=f"commands:\n{listed}\n\npyaclnn COMMAND --help tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"pyaclnn {__version__}")
    parser.add_argument("command", nargs="?", choices=COMMANDS, metavar="COMMAND")
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    if asked := command_to_complete(COMMANDS):
        importlib.import_module(COMMANDS[asked][0]).main([])
    options = completed(parser).parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 0
    command = importlib.import_module(COMMANDS[options.command][0])
    status: int = command.main(options.rest)
    return status


def command() -> NoReturn:
    """Be the console script."""
    run_command(main)


if __name__ == "__main__":
    command()
