"""Ranks in processes of their own, as a launcher would start them."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

TIME_LIMIT = 120
_HEAD = """
    import os, sys, time
    import numpy as np
    import pyaclnn as pa
    from pyaclnn.collective import Communicator
"""


#: Below those that the kernel gives to connections, any of which would else come first.
_PORTS = range(11_000, 19_000)


def free_port() -> int:
    """A port nobody listens at, nor at the one behind it."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        with socket.socket() as first, socket.socket() as second:
            try:
                first.bind(("127.0.0.1", port))
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


def rank_table(folder: Path, size: int) -> Path:
    """A file that tells so many ranks of one machine who they are."""
    devices = [{"device_id": str(i), "rank_id": str(i)} for i in range(size)]
    table = {
        "status": "completed",
        "version": "1.0",
        "server_count": "1",
        "server_list": [{"server_id": "node_0", "device": devices}],
    }
    path = folder / "ranks.json"
    path.write_text(json.dumps(table))
    return path


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
    said = [(status, errors) for status, _, errors in ended]
    assert said == [(0, "")] * size, said
    return [output for _, output, _ in ended]
