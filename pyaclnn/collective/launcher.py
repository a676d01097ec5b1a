"""The launcher: starts the ranks of one machine, prints their output and ends them together."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import IO, Any

#: A shell's statuses: a signal's number is added to this; a program that cannot be started.
SIGNALLED, NOT_STARTED, NOT_FOUND = 128, 126, 127
# The time that ranks have to end after a signal, and the interval of polling.
_GRACE, _PAUSE = 5.0, 0.02
_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def command_of(program: Sequence[str], module: bool = False) -> list[str]:
    """Return the command line for a program and its arguments.

    Parameters
    ----------
    program : sequence of str
        A Python program (``*.py``), a module, or anything that can be executed.
    module : bool
        Whether it is a module.
    """
    if module:
        return [sys.executable, "-m", *program]
    if program[0].endswith(".py"):
        return [sys.executable, *program]
    return list(program)


@dataclass(frozen=True)
class Job:
    """Settings that the ranks of one job share.

    Attributes
    ----------
    size : int
        How many there are.
    port : int
        Where rank 0 gives the unique id to the others.
    secret : str
        The secret that they need for that.
    """

    size: int
    port: int
    secret: str

    @classmethod
    def new(cls, size: int) -> Job:
        """Return a job with a free port."""
        secret = os.environ.get("PYACLNN_JOB_SECRET") or secrets.token_hex(16)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return cls(size, int(probe.getsockname()[1]), secret)

    def variables(self, rank: int) -> dict[str, str]:
        """Return the environment of a rank: torchrun's variables and pyaclnn's own."""
        return {
            "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(self.size),
            "LOCAL_WORLD_SIZE": str(self.size), "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(self.port), "PYACLNN_MASTER_PORT": str(self.port),
            "PYACLNN_JOB_SECRET": self.secret,
        }  # fmt: skip


def launch(command: Sequence[str], size: int) -> int:
    """Start a program on so many ranks and wait for all of them.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    size : int
        How many ranks.

    Returns
    -------
    int
        0 if all succeed. Else the others are ended, and the status is that of the rank that failed
        first; 128 and the number of the signal if one ended it, or this process.
    """
    job = Job.new(size)
    # Unbuffered, so that lines appear when they are printed; without a rank table, which would have
    # precedence over the job.
    common = {"PYTHONUNBUFFERED": "1", **os.environ}
    common.pop("RANK_TABLE_FILE", None)
    ranks: list[subprocess.Popen[bytes]] = []
    readers: list[threading.Thread] = []
    printing = threading.Lock()
    with _signals() as caught:
        try:
            for rank in range(size):
                process = subprocess.Popen(
                    command, env=common | job.variables(rank), start_new_session=True,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                )  # fmt: skip
                ranks.append(process)
                for source, sink in ((process.stdout, sys.stdout), (process.stderr, sys.stderr)):
                    arguments = (source, sink.buffer, f"[{rank}] ".encode(), printing)
                    readers.append(threading.Thread(target=_forward, args=arguments, daemon=True))
                    readers[-1].start()
            status = _first_failure(ranks, caught)
        except FileNotFoundError:
            print(f"{command[0]}: there is no such program", file=sys.stderr)
            status = NOT_FOUND
        except OSError as error:
            print(f"{command[0]}: {error.strerror}", file=sys.stderr)
            status = NOT_STARTED
        finally:
            _end(ranks)
            for reader in readers:
                # A child of a rank may outlive it and keep its output open.
                reader.join(_GRACE)
    return status


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Record signals that ask this process to end; the ranks are in sessions of their own."""
    caught: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        caught.append(number)

    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.signal(number, note) for number in _ENDS}
    try:
        yield caught
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _first_failure(ranks: Sequence[subprocess.Popen[bytes]], caught: Sequence[int]) -> int:
    running = dict(enumerate(ranks))
    while running:
        for rank, process in list(running.items()):
            status = process.poll()
            if status is None:
                continue
            del running[rank]
            if status:
                how = f"with status {status}" if status > 0 else f"by signal {-status}"
                others = "; the others are ended" if running else ""
                print(f"rank {rank} ended {how}{others}", file=sys.stderr)
                return status if status > 0 else SIGNALLED - status
        if caught:
            return SIGNALLED + caught[0]
        time.sleep(_PAUSE)
    return 0


def _end(ranks: Sequence[subprocess.Popen[bytes]]) -> None:
    """End the running ranks and their children."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        left = [process for process in ranks if process.poll() is None]
        for process in left:
            os.killpg(process.pid, number)
        deadline = time.monotonic() + _GRACE
        while any(process.poll() is None for process in left) and time.monotonic() < deadline:
            time.sleep(_PAUSE)


def _forward(source: IO[bytes], sink: IO[bytes], prefix: bytes, printing: threading.Lock) -> None:
    """Copy whole lines, prefixed with the rank."""
    gone = False
    for line in source:
        text = prefix + line + (b"" if line.endswith(b"\n") else b"\n")
        with printing:
            # A rank must not stop because nobody reads its output.
            try:
                if not gone:
                    sink.write(text)
                    sink.flush()
            except OSError:
                gone = True
