"""Calls as data, made through C."""

from __future__ import annotations

import sys
from pathlib import Path

import pyaclnn as pa
from pyaclnn.abi import ffi, lib

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from fuzzing.described import Built, Data
from fuzzing.operators import execute


def status_of(call: Data) -> int:
    """Run a call; nothing may be written outside of its tensors."""
    built = Built(call["arguments"], 64)
    size, executor = ffi.new("uint64_t *"), ffi.new("aclOpExecutor **")
    stream = ffi.cast("void *", pa.current_stream().handle)
    try:
        name = call["operator"]
        status = int(getattr(lib, name + "GetWorkspaceSize")(*built.values, size, executor))
        if status == 0:
            status = execute(name, size[0], executor[0], stream)
        lib.aclGetRecentErrMsg()
        assert built.stray_writes() == ""
        return status
    finally:
        built.close()
