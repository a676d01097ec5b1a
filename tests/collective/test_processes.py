"""Communicators of several processes, on one machine and as if on several."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from collective.processes import finish, free_port, outputs, rank_table, start

EVERYTHING = """
    c = Communicator.from_env()
    n, r = c.size, c.rank
    for count in (1, 1001, 300_007):
        draws = [np.random.default_rng(k).standard_normal(count) for k in range(n)]
        parts = [draw.astype(np.float32) for draw in draws]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        x = pa.asarray(parts[r])
        assert (c.all_reduce(x).numpy() == total).all()
        assert (c.all_gather(x).numpy() == np.stack(parts)).all()
        assert (c.broadcast(pa.asarray(parts[r]), n - 1).numpy() == parts[n - 1]).all()
        mine = pa.asarray(np.stack([parts[r] + k for k in range(n)]))
        got = c.all_to_all(mine).numpy()
        assert (got == np.stack([p + np.float32(r) for p in parts])).all()
        into = pa.empty(count)
        c.batch_send_recv([("send", x, (r + 1) % n), ("recv", into, (r - 1) % n)])
        assert (into.numpy() == parts[r - 1]).all()
    c.barrier()
    c.sync()
    print(r, n)
"""


@pytest.mark.parametrize(
    "machines", [["one", "one", "one"], ["one", "two", "one"]], ids=["memory", "and TCP"]
)
def test_processes_communicate(machines: list[str]) -> None:
    own = [{"PYACLNN_SIM_MACHINE": name} for name in machines]

    assert outputs(EVERYTHING, 3, own) == ["0 3", "1 3", "2 3"]


def test_links_of_memory_and_links_of_sockets_give_the_same_bits() -> None:
    code = """
        c = Communicator.from_env()
        x = np.random.default_rng(c.rank).standard_normal(50_000).astype(np.float16)
        print(hash(c.all_reduce(pa.asarray(x)).numpy().tobytes()))
    """
    far = [{"PYACLNN_SIM_MACHINE": name} for name in ("a", "b", "c")]

    results = {*outputs(code, 3, PYTHONHASHSEED="0"), *outputs(code, 3, far, PYTHONHASHSEED="0")}

    assert len(results) == 1


def test_a_part_of_a_communicator_is_one_of_its_own() -> None:
    code = """
        c = Communicator.from_env()
        half = c.split([2, 0] if c.rank in (0, 2) else [1])
        x = pa.asarray(np.float32([c.rank + 1]))
        inner, outer = half.all_reduce(x), c.all_reduce(x)
        nobody = c.split([1, 2])
        print(half.rank, half.size, inner.item(), outer.item(), nobody is None)
    """

    assert outputs(code, 3) == ["1 2 4.0 6.0 True", "0 1 2.0 6.0 False", "0 2 4.0 6.0 False"]


def test_a_rank_table_brings_ranks_together(tmp_path: Path) -> None:
    path = rank_table(tmp_path, 2)
    code = """
        c = Communicator.from_env()
        print(c.rank, c.size, c.all_reduce(pa.asarray(np.float32([1, 2]))).numpy().tolist())
    """

    printed = outputs(code, 2, RANK_TABLE_FILE=str(path), HCCL_IF_BASE_PORT=str(free_port()))

    assert printed == ["0 2 [2.0, 4.0]", "1 2 [2.0, 4.0]"]


def test_messages_of_two_communicators_do_not_meet() -> None:
    code = """
        first, second = Communicator.from_env(), None
        second = first.split([0, 1], id=7)
        device = first.device
        a, b = device.create_stream(), device.create_stream()
        x = pa.asarray(np.float32([1])); y = pa.asarray(np.float32([10]))
        device.sync()
        # Each rank begins with another one.
        calls = [lambda: first.all_reduce(x, stream=a), lambda: second.all_reduce(y, stream=b)]
        results = [calls[i]() for i in ((0, 1) if first.rank == 0 else (1, 0))]
        a.sync(); b.sync()
        print(sorted(r.item() for r in results))
    """

    assert outputs(code, 2) == ["[2.0, 20.0]"] * 2


def test_nothing_is_left_after_a_kill() -> None:
    code = """
        c = Communicator.from_env()
        c.all_reduce(pa.asarray(np.ones(100, np.float32))); c.sync()
        print("ready", flush=True)
        time.sleep(60)
    """
    shared = Path("/dev/shm")
    before = set(os.listdir(shared)) if shared.is_dir() else set()
    ranks = start(code, 2)
    for rank in ranks:
        assert rank.stdout is not None
        assert rank.stdout.readline() == "ready\n"
    for rank in ranks:
        rank.kill()
    finish(ranks)

    left = set(os.listdir(shared)) - before if shared.is_dir() else set()
    assert not [name for name in left if "pyaclnn" in name]


def test_sends_and_receives_of_a_group_act_together() -> None:
    code = """
        import ctypes
        c = Communicator.from_env()
        group = ctypes.CDLL(os.path.join(pa.backend.root, "lib64", "libhcomm.so"))
        x, y = pa.asarray(np.full(400_000, c.rank, np.float32)), pa.zeros(400_000)
        # One after the other, both would wait for ever to have sent.
        assert group.HcclGroupStart() == 0
        c.send(x, 1 - c.rank)
        c.recv(y, 1 - c.rank)
        assert group.HcclGroupEnd() == 0
        c.sync()
        print(y.numpy().sum(), group.HcclGroupEnd())
    """

    assert outputs(code, 2) == ["400000.0 1", "0.0 1"]
