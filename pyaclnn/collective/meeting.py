"""The exchange of the unique id, which rank 0 serves to the others."""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
import secrets
import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from pyaclnn.collective.environment import Place

_ROOT_INFO_BYTES = 4108
_MAGIC = b"pyaclnn2"
_NONCE, _PROOF = 16, hashlib.sha256().digest_size
#: Rank 0 sends a nonce. A rank answers with the number of ranks, its own number, and a nonce; each
#: proves with the other's nonce that it has the job's secret.
_GREETING = struct.Struct(f"<8s{_NONCE}s")
_HELLO = struct.Struct(f"<8sII{_NONCE}s{_PROOF}s")
# CANN's default time-out, and that of a silent connection.
_PATIENCE, _PAUSE, _SILENCE, _ANSWER = 120.0, 0.05, 2.0, 10.0
#: The limit of silent connections; beyond it the oldest is closed.
_MOST_GUESTS = 256
_ADMINISTRATOR = 0
#: Variables with the job's secret, or with values that launchers give only to processes of a job.
_SECRETS = ("PYACLNN_JOB_SECRET", "OMPI_MCA_orte_precondition_transports", "TORCHELASTIC_RUN_ID")


def _key(variables: Mapping[str, str] | None = None) -> bytes:
    """Return the secret of this job; the same for all jobs if no variable is set."""
    variables = os.environ if variables is None else variables
    return "\0".join(variables.get(name, "") for name in _SECRETS).encode()


def _proof(key: bytes, *parts: bytes) -> bytes:
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


@contextmanager
def shared(where: Place, make: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield the unique id that rank 0 creates.

    Rank 0 serves it until the block ends, also to a rank that asks again: another process may have
    asked in its name.

    Parameters
    ----------
    where : Place
        This process's.
    make : callable
        Creates it.

    Raises
    ------
    TimeoutError
        If not all ranks join within HCCL_CONNECT_TIMEOUT.
    OSError
        If the address cannot be used.
    """
    if where.size == 1:
        yield make()
        return
    deadline = time.monotonic() + float(os.environ.get("HCCL_CONNECT_TIMEOUT", _PATIENCE))
    if where.rank != 0:
        yield _fetch(where, deadline)
        return
    desk = _Desk(where, make())
    try:
        desk.wait_for_all(deadline)
        yield desk.unique_id
    finally:
        desk.close()


class _Desk:
    """The server of the unique id in rank 0, which handles all connections concurrently."""

    def __init__(self, where: Place, unique_id: bytes) -> None:
        self.unique_id = unique_id
        self._where = where
        self._key = _key()
        self._missing = set(range(1, where.size))
        self._all_came = threading.Event()
        self._error: OSError | None = None
        self._guests: dict[socket.socket, tuple[bytes, bytearray, float]] = {}
        self._server = socket.create_server((where.address, where.port))
        self._server.setblocking(False)
        self._bell, self._end = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="pyaclnn-meeting", daemon=True)
        self._thread.start()

    def wait_for_all(self, deadline: float) -> None:
        if not self._all_came.wait(max(0.0, deadline - time.monotonic())):
            ranks = ", ".join(map(str, sorted(self._missing)))
            where = self._where
            raise TimeoutError(
                f"ranks {ranks} of {where.size} did not come to {where.address}:{where.port}"
            )
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        self._end.close()
        self._thread.join()
        for each in (self._server, self._bell):
            each.close()

    def _serve(self) -> None:
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._server, selectors.EVENT_READ)
                selector.register(self._bell, selectors.EVENT_READ)
                while self._serve_once(selector):
                    pass
                for guest in list(self._guests):
                    self._drop(selector, guest)
        except OSError as error:
            self._error = error
            self._all_came.set()

    def _serve_once(self, selector: selectors.BaseSelector) -> bool:
        now = time.monotonic()
        for guest in [g for g, (_, _, until) in self._guests.items() if until <= now]:
            self._drop(selector, guest)
        first = min((until for _, _, until in self._guests.values()), default=None)
        for key, _ in selector.select(None if first is None else max(0.0, first - now)):
            if key.fileobj is self._bell:
                return False
            if key.fileobj is self._server:
                self._take(selector)
            elif key.fileobj in self._guests:
                self._hear(selector, key.fileobj)
        return True

    def _take(self, selector: selectors.BaseSelector) -> None:
        try:
            guest, _ = self._server.accept()
        except OSError as error:
            if error.errno not in {errno.EMFILE, errno.ENFILE}:
                return
            if not self._guests:
                raise
            # Silent connections are closed first.
            self._drop(selector, next(iter(self._guests)))
            return
        if len(self._guests) == _MOST_GUESTS:
            self._drop(selector, next(iter(self._guests)))
        guest.setblocking(False)
        nonce = secrets.token_bytes(_NONCE)
        try:
            if not _may_be_ours(guest):
                raise ConnectionRefusedError("a process of another user")
            guest.sendall(_GREETING.pack(_MAGIC, nonce))
        except OSError:
            guest.close()
            return
        self._guests[guest] = nonce, bytearray(), time.monotonic() + _SILENCE
        selector.register(guest, selectors.EVENT_READ)

    def _hear(self, selector: selectors.BaseSelector, guest: socket.socket) -> None:
        nonce, heard, _ = self._guests[guest]
        try:
            part = guest.recv(_HELLO.size - len(heard))
        except BlockingIOError:
            return
        except OSError:
            part = b""
        heard += part
        is_ours = heard.startswith(_MAGIC[: len(heard)])
        if part and is_ours and len(heard) < _HELLO.size:
            return
        if part and is_ours:
            self._answer(guest, nonce, bytes(heard))
        self._drop(selector, guest)

    def _answer(self, guest: socket.socket, nonce: bytes, hello: bytes) -> None:
        magic, size, rank, its_nonce, proof = _HELLO.unpack(hello)
        expected = _proof(self._key, b"rank", nonce, hello[:-_PROOF])
        if magic != _MAGIC or not hmac.compare_digest(proof, expected):
            return
        if size != self._where.size or not 0 < rank < size:
            return
        try:
            # So few bytes always fit the socket's buffer.
            answer = _proof(self._key, b"root", its_nonce, self.unique_id)
            guest.sendall(self.unique_id + answer)
        except OSError:
            return
        self._missing.discard(rank)
        if not self._missing:
            self._all_came.set()

    def _drop(self, selector: selectors.BaseSelector, guest: socket.socket) -> None:
        del self._guests[guest]
        selector.unregister(guest)
        guest.close()


def _may_be_ours(connection: socket.socket) -> bool:
    """Whether the other end, if it is on this machine, is of this user or the administrator."""
    here, there = connection.getsockname()[:2], connection.getpeername()[:2]
    try:
        with open("/proc/net/tcp", encoding="ascii") as table:
            lines = [line.split() for line in table]
    except OSError:
        return True
    wanted = [_in_table(there), _in_table(here)]
    owners = [int(line[7]) for line in lines if line[1:3] == wanted]
    if not owners:
        # A process of another machine, or one that has ended.
        return not there[0].startswith("127.")
    return owners[0] in {os.geteuid(), _ADMINISTRATOR}


def _in_table(address: tuple[str, int]) -> str:
    (number,) = struct.unpack("=I", socket.inet_aton(address[0]))
    return f"{number:08X}:{address[1]:04X}"


def _fetch(where: Place, deadline: float) -> bytes:
    key = _key()
    while True:
        try:
            with _connected(where) as root:
                root.settimeout(_ANSWER)
                return _asked(root, where, key)
        except OSError as error:
            if time.monotonic() >= deadline:
                raise TimeoutError(
                    f"rank 0 gave no unique id at {where.address}:{where.port}: {error}"
                ) from error
            time.sleep(_PAUSE)


def _connected(where: Place) -> socket.socket:
    root = socket.create_connection((where.address, where.port), _SILENCE)
    if root.getsockname()[:2] != root.getpeername()[:2]:
        return root
    # Nobody listens yet, and the kernel gave this end the very port it looks for. A connection
    # that is reset leaves the port to rank 0 at once, one that is closed after a minute.
    root.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    root.close()
    raise ConnectionRefusedError("nobody listens there")


def _asked(root: socket.socket, where: Place, key: bytes) -> bytes:
    magic, nonce = _GREETING.unpack(_received(root, _GREETING.size))
    if magic != _MAGIC:
        raise ConnectionError("what listens there is no rank 0")
    own = secrets.token_bytes(_NONCE)
    hello = _HELLO.pack(_MAGIC, where.size, where.rank, own, bytes(_PROOF))[:-_PROOF]
    root.sendall(hello + _proof(key, b"rank", nonce, hello))
    unique_id = _received(root, _ROOT_INFO_BYTES)
    if not hmac.compare_digest(_received(root, _PROOF), _proof(key, b"root", own, unique_id)):
        raise ConnectionError("what listens there does not know the secret of the job")
    return unique_id


def _received(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise ConnectionError(
                "the other end said no more; PYACLNN_JOB_SECRET has to be the same on all ranks"
            )
        data += part
    return data
