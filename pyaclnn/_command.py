"""How a console command ends: with the status of its ``main``, or quietly with its reader."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from typing import NoReturn, TextIO

#: What a shell shows of a program that SIGPIPE ended, as it does most that write to ``head``.
READER_GONE = 141


def run_command(main: Callable[[], int]) -> NoReturn:
    """Run a command, and end the process with its status.

    Where the reader of its output has gone, as ``head`` does, the rest goes nowhere and the status
    is `READER_GONE`.

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
            # As long as an error can be told from others; Python's own end reports it as ignored.
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
