"""Work in a process of its own, with an end to its time and its memory."""

from __future__ import annotations

import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

#: Processor seconds beyond which a process is ended.
SECONDS = 20
#: What waits does not work: seconds by the clock, for each of the processor.
_PATIENCE = 6


@dataclass(frozen=True)
class Ended:
    """How a process ended, and what it took: processor seconds, and MiB."""

    status: int
    seconds: float
    memory: int


def run_apart(
    work: Callable[[], int], folder: Path, output: Path, memory: int | None = None
) -> Ended:
    """Do some work in a child process.

    Parameters
    ----------
    work : callable
        Returns the exit status; it may replace the process.
    folder : Path
        The working directory.
    output : Path
        Where what it prints goes, its traceback as well.
    memory : int, optional
        Bytes that it may have; not for what loads the simulator, which reserves addresses.
    """
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 70
        try:
            _confine(folder, output, memory)
            status = work()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(bool(end.code))
        except BaseException:  # of a child, whose end must not be its parent's
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status & 0xFF)
    _, state, used = os.wait4(child, 0)
    seconds = used.ru_utime + used.ru_stime
    return Ended(os.waitstatus_to_exitcode(state), round(seconds, 2), used.ru_maxrss >> 10)


def _confine(folder: Path, output: Path, memory: int | None) -> None:
    opened = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for stream in (1, 2):
        os.dup2(opened, stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(SECONDS * _PATIENCE)
