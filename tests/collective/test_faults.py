"""What goes wrong between ranks shows, named, within a time limit."""

from __future__ import annotations

import re

from collective.processes import finish, start

REPORT = """
    from pyaclnn import AclError
    def report(call):
        try:
            call()
        except AclError as error:
            print(error.code, type(error).__name__, "|", " ".join(str(error).split()), flush=True)
        else:
            print("no error", flush=True)
"""


def reports(code: str, size: int, **environment: str) -> list[str]:
    ended = finish(start(REPORT + code, size, **environment))
    assert [errors for _, _, errors in ended] == [""] * size
    return [output for _, output, _ in ended]


def test_different_calls_are_named_on_both_ranks() -> None:
    code = """
    c = Communicator.from_env()
    x = pa.asarray(np.ones(4, np.float32))
    if c.rank == 0:
        c.all_reduce(x)
    else:
        c.broadcast(x, 0)
    report(c.sync)
    report(c.check)
    """

    for text in reports(code, 2):
        assert "HcclAllReduce #0 (4 float32, sum)" in text
        assert "HcclBroadcast #0 (4 float32, root 0)" in text
        # At the synchronisation, and ever after.
        assert re.findall(r"^\d+ \w+", text, re.M) == ["1 AclParameterError"] * 2


def test_different_lengths_are_named() -> None:
    code = """
    c = Communicator.from_env()
    c.all_reduce(pa.asarray(np.ones(4 + c.rank, np.float32)), "max")
    report(c.sync)
    """

    for text in reports(code, 2):
        assert "(4 float32, max)" in text
        assert "(5 float32, max)" in text


def test_a_receiver_says_what_it_expected() -> None:
    code = """
    c = Communicator.from_env()
    if c.rank == 0:
        c.send(pa.asarray(np.ones(4, np.float32)), 1)
    else:
        c.recv(pa.zeros(3, np.float32), 0)
    report(c.sync)
    """

    sender, receiver = reports(code, 2, HCCL_EXEC_TIMEOUT="5")

    assert "it sends 16 bytes to rank 1, which expects 12" in receiver
    assert sender.startswith("21 ")
    assert "rank 1, which failed in HcclRecv" in sender


def test_a_rank_that_does_not_come_is_a_time_out_with_what_each_is_in() -> None:
    code = """
    c = Communicator.from_env()
    x = pa.asarray(np.ones(4, np.float32))
    if c.rank == 1:
        c.send(x, 0)
    elif c.rank == 0:
        c.all_reduce(x)
    else:
        time.sleep(60)
    report(c.sync)
    """

    ranks = start(REPORT + code, 3, HCCL_EXEC_TIMEOUT="1")
    (_, first, _), (_, second, _) = finish(ranks[:2])
    ranks[2].kill()
    finish(ranks[2:])

    # Whoever comes to its limit first lets the other know.
    timed_out = next(text for text in (first, second) if text.startswith("9 AclTimeoutError"))
    assert "HcclAllReduce #0 (4 float32, sum)" in timed_out
    assert "HcclSend #0 (4 float32, to rank 0)" in timed_out
    assert "rank 2: in no communication" in timed_out


def test_a_rank_that_is_killed_is_noticed_at_once() -> None:
    code = """
    c = Communicator.from_env()
    x = pa.asarray(np.ones(4, np.float32))
    c.all_reduce(x); c.sync()
    if c.rank == 1:
        os.kill(os.getpid(), 9)
    c.all_reduce(x)
    report(c.sync)
    """
    for machines in ({}, {"PYACLNN_SIM_MACHINE": "far"}):
        ranks = start(REPORT + code, 2, [{}, machines], HCCL_EXEC_TIMEOUT="50")

        (_, text, errors), (status, _, _) = finish(ranks)

        assert status == -9
        assert errors == ""
        assert text.startswith("21 AclRuntimeError")
        assert "rank 1" in text


def test_a_rank_that_leaves_is_noticed() -> None:
    code = """
    c = Communicator.from_env()
    x = pa.asarray(np.ones(4, np.float32))
    if c.rank == 1:
        c.close()
        time.sleep(1)
    else:
        c.all_reduce(x)
        report(c.sync)
    """

    assert "rank 1, which destroyed its communicator" in reports(code, 2, HCCL_EXEC_TIMEOUT="50")[0]


def test_ranks_that_do_not_join_are_named() -> None:
    code = """
    if os.environ["RANK"] == "0":
        report(lambda: Communicator.from_unique_id(Communicator.unique_id(), 3, 1))
    """

    text = reports(code, 1, PYACLNN_SIM_CONNECT_TIMEOUT="0.2")[0]

    assert text.startswith("9 AclTimeoutError")
    assert "of 3 ranks, these did not come within 0.2 s" in text
    assert ": 0, 2" in text


def test_wrong_roots_are_refused() -> None:
    code = """
    import socket, struct

    def is_open(place):
        try:
            socket.create_connection(place).close()
        except OSError:
            return False
        return True

    size = pa.ffi.sizeof("HcclRootInfo") if pa.lib.HcclGetRootInfo else 0
    report(lambda: Communicator.from_unique_id(bytes(size), 2, 0))
    whole = Communicator.unique_id()
    report(lambda: Communicator.from_unique_id(whole, 2, 2))
    report(lambda: Communicator.from_unique_id(whole, 0, 0))
    single = Communicator.from_unique_id(whole, 1, 0)
    # The root has what it waited for. Until its port is closed, a late one may find it half open.
    _, address, port = struct.unpack_from("<Q4sH", whole)
    while is_open((socket.inet_ntoa(address), port)):
        pass
    report(lambda: Communicator.from_unique_id(whole, 1, 0))
    """

    printed = reports(code, 1)[0].splitlines()

    assert "rootInfo is not what HcclGetRootInfo made" in printed[0]
    assert [line.split()[0] for line in printed] == ["1", "1", "1", "11"]


def test_strangers_at_the_root_get_nothing() -> None:
    code = """
    import socket, struct
    unique_id = Communicator.unique_id()
    magic, address, port = struct.unpack_from("<Q4sH", unique_id)
    for noise in (b"", b"GET / HTTP/1.0" + bytes(2000), bytes(300)):
        with socket.create_connection((socket.inet_ntoa(address), port)) as stranger:
            try:
                stranger.sendall(noise)
                stranger.shutdown(socket.SHUT_WR)
                assert stranger.recv(100) == b""
            except OSError:
                pass  # turned away before it had said everything
    c = Communicator.from_unique_id(unique_id, 1, 0)
    print(socket.inet_ntoa(address), c.all_reduce(pa.asarray(np.float32([3]))).item())
    """

    assert reports(code, 1) == ["127.0.0.1 3.0"]


def test_work_that_waits_does_not_keep_a_process_from_ending() -> None:
    code = """
    c = Communicator.from_env()
    if c.rank == 0:
        c.all_reduce(pa.asarray(np.ones(4, np.float32)))
        os._exit(0)
    time.sleep(0.5)
    """

    assert [status for status, _, _ in finish(start(code, 2))] == [0, 0]
