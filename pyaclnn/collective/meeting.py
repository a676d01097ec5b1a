"""The unique id on its way from rank 0 to the others."""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Callable

from pyaclnn.collective.environment import Place

_ROOT_INFO_BYTES = 4108
#: A rank says that it means this, of how many ranks it is, and which.
_HELLO = struct.Struct("<8sII")
_MAGIC = b"pyaclnn1"
# CANN's default, and how long somebody may say nothing.
_PATIENCE, _PAUSE, _SILENCE = 120.0, 0.05, 2.0


def share(where: Place, make: Callable[[], bytes]) -> bytes:
    """Return the unique id that rank 0 makes.

    Parameters
    ----------
    where : Place
        This process's.
    make : callable
        Makes it.

    Raises
    ------
    TimeoutError
        If not all ranks come in time, HCCL_CONNECT_TIMEOUT.
    OSError
        If the address cannot be used.
    """
    if where.size == 1:
        return make()
    deadline = time.monotonic() + float(os.environ.get("HCCL_CONNECT_TIMEOUT", _PATIENCE))
    if where.rank == 0:
        unique_id = make()
        _serve(where, unique_id, deadline)
        return unique_id
    return _fetch(where, deadline)


def _serve(where: Place, unique_id: bytes, deadline: float) -> None:
    waiting = set(range(1, where.size))
    with socket.create_server((where.address, where.port)) as server:
        while waiting:
            server.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                guest, _ = server.accept()
            except TimeoutError:
                ranks = ", ".join(map(str, sorted(waiting)))
                raise TimeoutError(
                    f"ranks {ranks} of {where.size} did not come to {where.address}:{where.port}"
                ) from None
            with guest:
                guest.settimeout(_SILENCE)
                try:
                    magic, size, rank = _HELLO.unpack(_received(guest, _HELLO.size))
                    if magic == _MAGIC and size == where.size and rank in waiting:
                        guest.sendall(unique_id)
                        waiting.discard(rank)
                except OSError:
                    # A stranger, or a rank that tries again.
                    continue


def _fetch(where: Place, deadline: float) -> bytes:
    while True:
        try:
            with socket.create_connection((where.address, where.port), _SILENCE) as root:
                root.settimeout(max(_SILENCE, deadline - time.monotonic()))
                root.sendall(_HELLO.pack(_MAGIC, where.size, where.rank))
                return _received(root, _ROOT_INFO_BYTES)
        except OSError as error:
            if time.monotonic() >= deadline:
                raise TimeoutError(
                    f"rank 0 gave no unique id at {where.address}:{where.port}: {error}"
                ) from error
            time.sleep(_PAUSE)


def _received(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise ConnectionError("the other end said nothing")
        data += part
    return data
