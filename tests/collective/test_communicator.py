"""The life of a communicator, and the place that a launcher gives a process."""

from __future__ import annotations

import pytest
from children import output_of

from pyaclnn.collective import Place, place

BASE = """
    import copy, gc
    import numpy as np, pyaclnn as pa
    from pyaclnn.collective import Communicator
"""


def test_a_closed_communicator_says_so_and_closes_again() -> None:
    code = """
    a, b = Communicator.all_devices([0, 1])
    print(a, b.size, a.name == b.name, a.closed)
    a.close(); a.close()
    try:
        a.barrier()
    except pa.ClosedError as error:
        print(a, error)
    try:
        copy.copy(b)
    except TypeError as error:
        print(error)
    """

    assert output_of(BASE + code, PYACLNN_SIM_DEVICES="2").splitlines() == [
        "Communicator(rank 0 of 2, Device(0)) 2 True False",
        "Communicator(closed) the communicator is closed",
        "Communicator objects are neither copied nor pickled: it is one rank's; "
        "send the unique id instead",
    ]


def test_memory_and_communicators_stay_until_work_is_done() -> None:
    code = """
    results = []
    for member in Communicator.all_devices([0, 1]):
        with member.device:
            # Nothing but the stream knows of them any longer.
            results.append(member.all_reduce(pa.asarray(np.full(100_000, 2, np.float32))))
        del member
        gc.collect()
        with results[-1].device:
            overwritten = [pa.zeros(100_000) for _ in range(3)]
    print(*(set(result.numpy().tolist()) for result in results))
    """

    assert output_of(BASE + code, PYACLNN_SIM_DEVICES="2") == "{4.0} {4.0}"


def test_closing_waits_for_pending_work() -> None:
    code = """
    import threading
    a, b = Communicator.all_devices([0, 1])
    with a.device:
        x = pa.asarray(np.ones(5, np.float32))
        a.all_reduce(x, out=x)
    def later():
        with b.device:
            y = pa.asarray(np.ones(5, np.float32))
            b.all_reduce(y)
            b.close()
    thread = threading.Timer(0.2, later)
    thread.start()
    a.close()
    thread.join()
    print(x.numpy().tolist())
    """

    assert output_of(BASE + code, PYACLNN_SIM_DEVICES="2") == "[2.0, 2.0, 2.0, 2.0, 2.0]"


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        (
            {"RANK": "1", "WORLD_SIZE": "2", "LOCAL_RANK": "0", "MASTER_ADDR": "h"}
            | {"MASTER_PORT": "9"},
            Place(1, 2, 0, "h", 10),
        ),
        (
            {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1", "MASTER_ADDR": "h"}
            | {"PYACLNN_MASTER_PORT": "7"},
            Place(0, 1, 0, "h", 7),
        ),
        (
            {"SLURM_PROCID": "3", "SLURM_NTASKS": "4", "SLURM_LOCALID": "0", "MASTER_PORT": "5"},
            Place(3, 4, 0, "127.0.0.1", 6),
        ),
        (
            {"RANK_TABLE_FILE": "t.json", "RANK_ID": "5", "DEVICE_ID": "0"},
            Place(5, 0, 0, rank_table="t.json"),
        ),
    ],
)
def test_launchers_are_understood(variables: dict[str, str], expected: Place) -> None:
    assert place(variables) == expected


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({}, "no launcher"),
        ({"RANK": "2", "WORLD_SIZE": "2"}, "RANK is 2, WORLD_SIZE 2"),
        ({"RANK": "one", "WORLD_SIZE": "2"}, "RANK is 'one', which is no number"),
        ({"RANK_TABLE_FILE": "t.json"}, "RANK is ''"),
    ],
)
def test_variables_that_make_no_sense_are_named(variables: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        place(variables)


def test_communicators_of_all_devices_that_were_broken_off_leave_nothing() -> None:
    code = """
    import os
    def broken_off(self):
        raise KeyboardInterrupt
    def files():
        return len(os.listdir("/proc/self/fd"))
    def make():
        for each in Communicator.all_devices([0, 1]):
            each.close()
    make()
    opened, before = Communicator._open, files()
    Communicator._open = broken_off
    for _ in range(20):
        try:
            make()
        except KeyboardInterrupt:
            pass
    Communicator._open = opened
    make()
    print(files() - before)
    """

    assert output_of(BASE + code, PYACLNN_SIM_DEVICES="2") == "0"
