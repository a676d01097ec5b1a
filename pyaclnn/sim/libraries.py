"""The sources and dependencies of the simulator's libraries, as in CANN.

Like ``build.py``, which reads it, it imports nothing of pyaclnn and nothing outside the standard
library.
"""

from __future__ import annotations

from dataclasses import dataclass

CORE = "libpyaclnn_sim.so"


@dataclass(frozen=True)
class Library:
    """A library: its source folders, and what it needs beside the core, if it is on that."""

    sources: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    on_core: bool = True


#: In link order. Clients load some by name alone, and look up symbols of one through another, for
#: instance aclCreateTensor through libopapi.
LIBRARIES: dict[str, Library] = {
    CORE: Library(("core", "check", "objects")),
    "libruntime.so": Library(("toolkit/runtime",)),
    "libprofapi.so": Library(("toolkit/profapi",)),
    "libmsprofiler.so": Library(("toolkit/msprofiler",), ("libprofapi.so",)),
    "libascendcl.so": Library(("runtime",), ("libruntime.so", "libprofapi.so", "libmsprofiler.so")),
    "libnnopbase.so": Library(("nnopbase",), ("libascendcl.so",)),
    "libopapi.so": Library(("opapi", "toolkit/opapi"), ("libnnopbase.so",)),
    "libacl_op_compiler.so": Library(("toolkit/acl_op_compiler",), ("libascendcl.so",)),
    "libacl_tdt_channel.so": Library(("toolkit/acl_tdt_channel",), ("libascendcl.so",)),
    "libacl_tdt_queue.so": Library(("toolkit/acl_tdt_queue",), ("libascendcl.so",)),
    "libascend_dump.so": Library(("toolkit/ascend_dump",)),
    "libplatform.so": Library(("toolkit/platform",)),
    # Programs link these two, but no known one uses a symbol of them.
    "libgraph.so": Library(),
    "libge_runner.so": Library(needs=("libgraph.so",)),
    "libhcomm.so": Library(("toolkit/hcomm",)),
    "libhccl.so": Library(("hccl", "toolkit/hccl"), ("libhcomm.so", "libascendcl.so")),
    "libascend_hal.so": Library(("toolkit/ascend_hal",)),
    "libascend_ml.so": Library(("toolkit/ascend_ml",)),
    "libascendsk.so": Library(("toolkit/ascendsk",)),
    "libdcmi.so": Library(("toolkit/dcmi",)),
    "liblcal.so": Library(("toolkit/lcal",)),
    "libshmem.so": Library(("toolkit/shmem",)),
    "libms_tools_ext.so": Library(("toolkit/ms_tools_ext",)),
    "libmspti.so": Library(("toolkit/mspti",)),
    # Of pyaclnn.trace, for CANN's libraries as well.
    "libpyaclnn_trace.so": Library(("trace",), on_core=False),
}


def needed(only: str | None) -> list[str]:
    """Return the libraries that one of them stands on, and itself; all of them for None."""
    if only is None:
        return list(LIBRARIES)
    found, open_ = {CORE}, [only]
    while open_:
        found.add(open_[-1])
        open_ += LIBRARIES[open_.pop()].needs
    return [name for name in LIBRARIES if name in found]
