"""The environment variables by which launchers give processes their ranks."""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from pyaclnn.abi import backend
from pyaclnn.runtime import device_count

#: Launcher -> its variables for the rank, the number of ranks, and the rank within the machine.
_LAUNCHERS = {
    "torchrun": ("RANK", "WORLD_SIZE", "LOCAL_RANK"),
    "mpirun of Open MPI": (
        "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_LOCAL_RANK",
    ),
    "mpirun of MPICH": ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"),
    "srun": ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"),
}
#: Variables that identify a job of a launcher.
_JOBS = ("PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "SLURM_JOB_ID", "SLURM_STEP_ID")
# The range of default ports.
_FIRST_PORT, _PORTS = 20000, 10000


@dataclass(frozen=True, slots=True)
class Place:
    """A process's place in a job.

    Attributes
    ----------
    rank, size : int
        Which process it is, of how many.
    device : int
        The device it uses.
    address, port : str, int
        Where rank 0 serves the unique id to the others.
    rank_table : str or None
        The file that describes the job instead.
    """

    rank: int
    size: int
    device: int
    address: str = ""
    port: int = 0
    rank_table: str | None = None


def place(environment: Mapping[str, str] | None = None) -> Place:
    """Return the place of this process by the environment.

    Parameters
    ----------
    environment : mapping, optional
        Variables; those of the process if not given.

    Raises
    ------
    ValueError
        If no launcher's variables are there, or one of them is no number.
    """
    variables = os.environ if environment is None else environment
    table = variables.get("RANK_TABLE_FILE")
    if table:
        rank = _number(variables, "RANK_ID" if "RANK_ID" in variables else "RANK")
        local = _number(variables, "DEVICE_ID") if "DEVICE_ID" in variables else rank
        return Place(rank, 0, _device(local), rank_table=table)
    for rank_name, size_name, local_name in _LAUNCHERS.values():
        if rank_name in variables and size_name in variables:
            rank, size = _number(variables, rank_name), _number(variables, size_name)
            if not 0 <= rank < size:
                raise ValueError(f"{rank_name} is {rank}, {size_name} {size}")
            local = _number(variables, local_name) if local_name in variables else rank
            return Place(rank, size, _device(local), *_root(variables))
    raise ValueError(
        "no launcher started this process: "
        + ", ".join(f"{name} sets {names[0]}" for name, names in _LAUNCHERS.items())
        + ", and RANK_TABLE_FILE names a rank table"
    )


def _number(variables: Mapping[str, str], name: str) -> int:
    text = variables.get(name, "")
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name} is {text!r}, which is no number") from None


def _device(local: int) -> int:
    """Return the device of a process by its number within the machine."""
    count = device_count()
    if local < count:
        return local
    if backend.name == "simulator":
        # Each process simulates devices of its own.
        return local % count
    raise ValueError(f"process {local} of this machine has no device: there are {count}")


def _root(variables: Mapping[str, str]) -> tuple[str, int]:
    address = variables.get("MASTER_ADDR", "127.0.0.1")
    if "PYACLNN_MASTER_PORT" in variables:
        return address, _number(variables, "PYACLNN_MASTER_PORT")
    if "MASTER_PORT" in variables:
        return address, _number(variables, "MASTER_PORT") + 1
    # MPICH has no id of a job; the processes of one machine have the same parent.
    job = "/".join(filter(None, map(variables.get, _JOBS))) or str(os.getppid())
    return address, _FIRST_PORT + zlib.crc32(job.encode()) % _PORTS
