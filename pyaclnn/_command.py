"""Common parts of console commands: exit statuses, closed pipes, and completion by the shell."""

from __future__ import annotations

import argparse
import os
import select
import sys
from collections.abc import Callable, Iterable
from typing import Any, NoReturn, TextIO

#: A shell's status of a program that SIGPIPE ended, as most that write to ``head``.
READER_GONE = 141
#: argcomplete's script for a shell sets it: which of the words on the line is the program's first.
_COMPLETES = "_ARGCOMPLETE"


def completed(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Answer a shell that requests completion, which ends the process.

    Parameters
    ----------
    parser : ArgumentParser
        That of the command. What it takes is completed, and the names of files.

    Returns
    -------
    ArgumentParser
        The same, where no shell asks.
    """
    if _COMPLETES in os.environ:
        import argcomplete

        argcomplete.autocomplete(parser)
    return parser


def completed_by(action: argparse.Action, words: Callable[[], Iterable[str]]) -> None:
    """Compute the words for an argument only when a shell completes it."""

    def completer(**_: Any) -> Iterable[str]:
        return words()

    vars(action)["completer"] = completer


def command_to_complete(commands: Iterable[str]) -> str | None:
    """Return which of some commands is on the line that a shell completes.

    Parameters
    ----------
    commands : iterable of str
        Those that the next word may be.

    Returns
    -------
    str or None
        The command, if it stands before the cursor; its own arguments are next then.
    """
    at = int(os.environ.get(_COMPLETES, 0))
    if not at:
        return None
    line = os.environ["COMP_LINE"].encode()[: int(os.environ["COMP_POINT"])].decode()
    words = line.split() if line[-1:].isspace() else line.split()[:-1]
    if words[at : at + 1] and words[at] in commands:
        os.environ[_COMPLETES] = str(at + 1)
        return words[at]
    return None


def run_command(main: Callable[[], int]) -> NoReturn:
    """Run a command, and end the process with its status.

    If the reader closes the pipe, as ``head`` does, the rest of the output is dropped and the
    status is `READER_GONE`.

    Parameters
    ----------
    main : callable
        The command; returns its status, or raises SystemExit.
    """
    status = READER_GONE
    try:
        try:
            status = main()
        finally:
            # Flushed here, where the error can be handled; at its exit Python reports it as
            # ignored.
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        gone = [stream for stream in (sys.stdout, sys.stderr) if _has_no_reader(stream)]
        if not gone:
            raise
        status = READER_GONE
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in gone:
            os.dup2(nowhere, stream.fileno())
    sys.exit(status)


def _has_no_reader(stream: TextIO | None) -> bool:
    if stream is None:
        return False
    poll = select.poll()
    # Errors and hang-ups are reported unasked.
    poll.register(stream, 0)
    return bool(poll.poll(0))
