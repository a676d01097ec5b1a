"""Ranks in processes of their own, as a launcher would start them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence

TIME_LIMIT = 120
_HEAD = """
    import os, sys, time
    import numpy as np
    import pyaclnn as pa
    from pyaclnn.collective import Communicator
"""


def free_port() -> int:
    """A port nobody listens at, nor at the one behind it; others may still come first."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = int(first.getsockname()[1])
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


def start(
    code: str, size: int, own: Sequence[Mapping[str, str]] = (), **environment: str
) -> list[subprocess.Popen[str]]:
    """Start Python code on so many ranks; ``own`` has variables of single ranks."""
    port = str(free_port())
    job = {"WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    text = textwrap.dedent(_HEAD) + textwrap.dedent(code)
    return [
        subprocess.Popen(
            [sys.executable, "-c", text],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "HCCL_EXEC_TIMEOUT": "60",
                **job,
                "RANK": str(rank),
                "LOCAL_RANK": str(rank),
                **environment,
                **(own[rank] if own else {}),
            },
        )
        for rank in range(size)
    ]


def finish(ranks: Sequence[subprocess.Popen[str]]) -> list[tuple[int, str, str]]:
    """Wait for the ranks; the code, output and errors of each."""
    try:
        ended = [rank.communicate(timeout=TIME_LIMIT) for rank in ranks]
    finally:
        for rank in ranks:
            if rank.poll() is None:
                rank.kill()
                rank.communicate()
    return [(r.returncode, out.strip(), err) for r, (out, err) in zip(ranks, ended, strict=True)]


def outputs(
    code: str, size: int, own: Sequence[Mapping[str, str]] = (), **environment: str
) -> list[str]:
    """Run code on so many ranks, which must succeed quietly; what each printed."""
    ended = finish(start(code, size, own, **environment))
    assert [(status, errors) for status, _, errors in ended] == [(0, "")] * size
    return [output for _, output, _ in ended]
