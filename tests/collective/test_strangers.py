"""Who else may be there while ranks meet, and what it costs them: nothing."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import toolchain
from collective.processes import finish, free_port, rank_table, start

from pyaclnn.collective import meeting
from pyaclnn.collective.environment import Place

#: Rank 0 makes the id, tells where, and waits until it is told that the stranger is there.
RANK = """
    file = os.environ["ID_FILE"]
    if os.environ["RANK"] == "0":
        unique_id = Communicator.unique_id()
        with open(file + ".part", "wb") as out:
            out.write(unique_id)
        os.rename(file + ".part", file)
    else:
        while not os.path.exists(file + ".go"):
            time.sleep(0.01)
        with open(file, "rb") as source:
            unique_id = source.read()
    started = time.monotonic()
    c = Communicator.from_unique_id(unique_id, 2, int(os.environ["RANK"]))
    print(c.all_reduce(pa.asarray(np.float32([c.rank + 1]))).item())
"""


def inodes(process: int) -> set[str]:
    """What the sockets of a process are called in the kernel's tables."""
    found = set()
    for file in Path(f"/proc/{process}/fd").iterdir():
        try:
            target = os.readlink(file)
        except OSError:
            continue
        if target.startswith("socket:["):
            found.add(target[8:-1])
    return found


def listening_ports(process: int) -> set[int]:
    """The TCP ports at which a process listens."""
    own = inodes(process)
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {int(row[1].partition(":")[2], 16) for row in rows if row[3] == "0A" and row[9] in own}


def listening_names(process: int) -> set[str]:
    """The names without a file at which a process listens."""
    own = inodes(process)
    rows = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    return {row[7] for row in rows if len(row) > 7 and row[6] in own and row[7].startswith("@")}


def until(condition: Callable[[], object]) -> None:
    """Wait for something that will be."""
    while not condition():
        time.sleep(0.01)


@contextmanager
def at_the_meeting(
    folder: Path, machines: list[str]
) -> Iterator[tuple[list[subprocess.Popen[str]], bytes]]:
    """Two ranks, of which rank 0 listens; rank 1 comes when the block ends, and both succeed."""
    file = folder / "id"
    own = [{"PYACLNN_SIM_MACHINE": machine} for machine in machines]
    ranks = start(RANK, 2, own, ID_FILE=str(file), PYACLNN_SIM_CONNECT_TIMEOUT="30")
    until(lambda: file.exists() or ranks[0].poll() is not None)
    yield ranks, file.read_bytes()
    started = time.monotonic()
    (folder / "id.go").touch()
    assert [(code, out) for code, out, _ in finish(ranks)] == [(0, "3.0")] * 2
    assert time.monotonic() - started < 20


def hang_up(address: tuple[str, int]) -> list[socket.socket]:
    socket.create_connection(address).close()
    return []


def say_nothing(address: tuple[str, int]) -> list[socket.socket]:
    return [socket.create_connection(address) for _ in range(12)]


def talk_nonsense(address: tuple[str, int]) -> list[socket.socket]:
    stranger = socket.create_connection(address)
    stranger.sendall(os.urandom(400))
    return [stranger]


STRANGERS = [hang_up, say_nothing, talk_nonsense]


def test_a_rank_that_is_killed_while_it_waits_leaves_no_name(tmp_path: Path) -> None:
    # Rank 1 waits for a file that never comes.
    ranks = start(RANK, 2, ID_FILE=str(tmp_path / "id"))
    until(lambda: listening_names(ranks[0].pid) or ranks[0].poll() is not None)
    names = listening_names(ranks[0].pid)
    assert names
    for rank in ranks:
        rank.kill()
    finish(ranks)

    table = Path("/proc/net/unix").read_text()
    assert not [name for name in names if name in table]


@pytest.mark.parametrize("stranger", STRANGERS)
def test_strangers_at_the_root_cost_the_ranks_nothing(
    stranger: Callable[[tuple[str, int]], list[socket.socket]], tmp_path: Path
) -> None:
    with at_the_meeting(tmp_path, ["a", "a"]) as (_, unique_id):
        address, port = struct.unpack_from("<8x4sH", unique_id)
        kept = stranger((socket.inet_ntoa(address), port))
    for each in kept:
        each.close()


@pytest.mark.parametrize("stranger", STRANGERS)
def test_strangers_at_the_port_for_other_machines_cost_the_ranks_nothing(
    stranger: Callable[[tuple[str, int]], list[socket.socket]], tmp_path: Path
) -> None:
    with at_the_meeting(tmp_path, ["a", "b"]) as (ranks, unique_id):
        (root,) = struct.unpack_from("<12xH", unique_id)
        until(lambda: len(listening_ports(ranks[0].pid)) == 2 or ranks[0].poll() is not None)
        (port,) = listening_ports(ranks[0].pid) - {root}
        kept = stranger(("127.0.0.1", port))
    for each in kept:
        each.close()


@pytest.mark.parametrize("said", [b"", bytes(32), b"x"])
def test_strangers_where_memory_is_shared_get_none(said: bytes, tmp_path: Path) -> None:
    kept = []
    with at_the_meeting(tmp_path, ["a", "a"]) as (ranks, _):
        until(lambda: listening_names(ranks[0].pid) or ranks[0].poll() is not None)
        for name in listening_names(ranks[0].pid):
            stranger = socket.socket(socket.AF_UNIX)
            stranger.connect("\0" + name[1:])
            stranger.sendall(said)
            kept.append(stranger)
    assert kept
    for each in kept:
        try:
            data, files, _, _ = socket.recv_fds(each, 100, 4)
        except OSError:
            data, files = b"", []
        assert (data, files) == (b"", [])
        each.close()


#: Rank 0 comes when the other has looked for it.
LATE = """
    if os.environ["RANK"] == "0":
        while not os.path.exists(os.environ["MET_ITSELF"]):
            time.sleep(0.01)
        time.sleep(0.3)
    c = Communicator.from_env()
    print(c.all_reduce(pa.asarray(np.float32([c.rank + 1]))).item())
"""


@pytest.mark.parametrize("has_table", [False, True], ids=["launcher", "rank table"])
def test_a_rank_that_meets_itself_goes_on_looking(has_table: bool, tmp_path: Path) -> None:
    library = tmp_path / "meets_itself.so"
    source = Path(__file__).with_name("meets_itself.c")
    command = [*toolchain.compiler(".c"), "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run([*command, "-ldl"], check=True)
    job = {"MET_ITSELF": str(tmp_path / "met")}
    if has_table:
        job |= {
            "RANK_TABLE_FILE": str(rank_table(tmp_path, 2)),
            "HCCL_IF_BASE_PORT": str(free_port()),
        }

    ended = finish(start(LATE, 2, [{}, {"LD_PRELOAD": str(library)}], **job))

    assert ended == [(0, "3.0", "")] * 2
    assert (tmp_path / "met").exists()


@pytest.mark.parametrize("machines", [["a", "a"], ["a", "b"]])
def test_a_killed_rank_is_noticed_although_a_forked_child_of_it_lives(machines: list[str]) -> None:
    code = """
    c = Communicator.from_env()
    x = pa.ones(1000)
    c.all_reduce(x)
    c.sync()
    if c.rank == 1:
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        print(child, flush=True)
        time.sleep(60)
    try:
        c.all_reduce(x)
        c.sync()
    except pa.AclError as error:
        print(error.name)
    """
    own = [{"PYACLNN_SIM_MACHINE": machine} for machine in machines]
    ranks = start(code, 2, own, HCCL_EXEC_TIMEOUT="100")
    assert ranks[1].stdout is not None
    child = int(ranks[1].stdout.readline())
    try:
        time.sleep(0.3)
        ranks[1].kill()
        killed = time.monotonic()
        output, _ = ranks[0].communicate(timeout=60)
        assert time.monotonic() - killed < 30
        assert output.split()[0] in {"HCCL_E_REMOTE", "ACL_ERROR_RT_SUSPECT_REMOTE_ERROR"}
        os.kill(child, 0)
    finally:
        os.kill(child, signal.SIGKILL)
        finish(ranks)


def test_running_out_of_files_is_an_error_that_names_the_limit() -> None:
    code = """
    import resource
    import pyaclnn as pa
    from pyaclnn.collective import Communicator
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    try:
        for _ in range(100):
            Communicator.unique_id()
    except pa.AclError as error:
        print(error.name, "at most 64 files" in str(error), "ulimit -n" in str(error))
    """
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(line[4:] for line in code.splitlines())],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout.strip(), done.stderr) == ("HCCL_E_SYSCALL True True", "")


# The unique id of from_env().


@contextmanager
def desk(size: int, unique_id: bytes) -> Iterator[Place]:
    """Rank 0 of a launcher's job, that gives an id to the others."""
    where = Place(0, size, 0, "127.0.0.1", free_port())
    table = meeting._Desk(where, unique_id)
    try:
        yield where
    finally:
        table.close()


def ask(where: Place, rank: int) -> bytes:
    return meeting._fetch(Place(rank, where.size, 0, where.address, where.port), time.monotonic())


UNIQUE_ID = bytes(range(256)) * 16 + bytes(12)


def test_a_rank_that_somebody_asked_for_before_gets_the_id_all_the_same() -> None:
    with desk(3, UNIQUE_ID) as where:
        assert [ask(where, rank) for rank in (1, 1, 2, 1)] == [UNIQUE_ID] * 4


@pytest.mark.parametrize("rank", [0, 3, 4])
def test_ranks_that_cannot_be_get_no_id(rank: int) -> None:
    with desk(3, UNIQUE_ID) as where, pytest.raises(TimeoutError):
        ask(where, rank)


@pytest.mark.parametrize("variable", meeting._SECRETS)
def test_who_does_not_know_the_secret_of_the_job_gets_no_id(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "a secret")
    with desk(2, UNIQUE_ID) as where:
        monkeypatch.setenv(variable, "another one")
        with pytest.raises(TimeoutError, match="PYACLNN_JOB_SECRET has to be the same"):
            ask(where, 1)
        monkeypatch.setenv(variable, "a secret")
        assert ask(where, 1) == UNIQUE_ID


def test_an_id_of_somebody_who_does_not_know_the_secret_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with desk(2, UNIQUE_ID) as where:
        monkeypatch.setattr(meeting._Desk, "_answer", _answer_with_a_wrong_proof)
        with pytest.raises(TimeoutError, match="does not know the secret"):
            ask(where, 1)


def _answer_with_a_wrong_proof(
    self: meeting._Desk, guest: socket.socket, nonce: bytes, hello: bytes
) -> None:
    guest.sendall(self.unique_id + bytes(32))


def test_silent_guests_do_not_keep_ranks_from_the_id() -> None:
    with desk(2, UNIQUE_ID) as where, ExitStack() as guests:
        for _ in range(300):
            guests.enter_context(socket.create_connection((where.address, where.port)))
        assert ask(where, 1) == UNIQUE_ID


def test_what_is_no_hello_is_turned_away_at_once() -> None:
    with (
        desk(2, UNIQUE_ID) as where,
        socket.create_connection((where.address, where.port), 1) as guest,
    ):
        guest.sendall(struct.pack("<8sII", b"pyaclnn1", 2, 1))
        said = b""
        while part := guest.recv(5000):
            said += part
        assert len(said) == meeting._GREETING.size


def test_processes_of_other_users_get_no_id(monkeypatch: pytest.MonkeyPatch) -> None:
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    monkeypatch.setattr(meeting, "_ADMINISTRATOR", user + 2)
    with desk(2, UNIQUE_ID) as where, pytest.raises(TimeoutError):
        ask(where, 1)
