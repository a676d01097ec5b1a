"""A toolkit root in front of another one, whose libraries record the calls.

Its libraries have the names of the real ones and no code. Each has the tracer loaded first, which
exports every function that is declared, and the real library behind it, where names that the tracer
does not know are found as ever.
"""

from __future__ import annotations

import os
from pathlib import Path

from pyaclnn.abi.errors import LibraryNotFoundError
from pyaclnn.abi.paths import SIMULATOR_ROOT, is_simulator
from pyaclnn.sim import environment
from pyaclnn.trace import elf

TRACER = "libpyaclnn_trace.so"


def tracer() -> Path:
    """Return the path of the tracer, which is built with the simulator.

    Raises
    ------
    LibraryNotFoundError
        It is not there.
    """
    library = SIMULATOR_ROOT / "lib64" / TRACER
    if not library.exists():
        raise LibraryNotFoundError(
            f"{library} is not there; `python -m pyaclnn.sim --build` compiles it"
        )
    return library


def real_root() -> Path:
    """Return the toolkit that programs would use: CANN where it is set up, else the simulator."""
    home = os.environ.get("ASCEND_HOME_PATH") or os.environ.get("ASCEND_TOOLKIT_HOME")
    if (
        home
        and os.environ.get("PYACLNN_BACKEND") != "simulator"
        and (Path(home) / "lib64").is_dir()
    ):
        return Path(os.path.abspath(home))
    return SIMULATOR_ROOT


def stand_before(real: Path, folder: Path) -> list[Path]:
    """Fill a folder as a toolkit root in front of another; return the libraries of that one."""
    # Its other symbols are C++'s.
    ours = {name for name in elf.exported(tracer()) if name.startswith(("acl", "Hccl"))}
    lib64 = folder / "lib64"
    lib64.mkdir(parents=True)
    for entry in real.iterdir():
        if entry.name != "lib64":
            (folder / entry.name).symlink_to(entry)
    behind, found = [], set()
    for entry in sorted((real / "lib64").iterdir()):
        names = elf.exported(entry) & ours if ".so" in entry.name else set()
        if entry.name == TRACER or not names:
            (lib64 / entry.name).symlink_to(entry)
            continue
        found |= names
        behind.append(entry.resolve())
        needed = (str(folder / TRACER), str(entry.resolve()))
        code = elf.forwarder(elf.machine_of(entry), entry.name, needed)
        (lib64 / entry.name).write_bytes(code)
    # Programs test which functions exist, so those of other releases must not.
    (folder / TRACER).write_bytes(elf.without(tracer(), ours - found))
    return behind


def variables(real: Path, folder: Path) -> dict[str, str]:
    """Fill the folder and return the environment for the program."""
    behind = stand_before(real, folder)
    found = environment.of_programs(folder)
    found["PYACLNN_TRACE_LIBRARIES"] = ":".join(map(str, behind))
    if is_simulator(real):
        # A program that uses pyaclnn as well gets the same libraries.
        found |= {"PYACLNN_BACKEND": "simulator", "PYACLNN_SIM_HOME": str(folder)}
    else:
        # The kernels are the toolkit's own, and are looked for from there.
        found["ASCEND_OPP_PATH"] = os.environ.get("ASCEND_OPP_PATH", str(real / "opp"))
    return found
