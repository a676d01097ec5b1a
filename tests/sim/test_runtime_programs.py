"""The C++ programs that use every runtime function of the simulator, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import toolchain

SOURCES = sorted((toolchain.C_TESTS / "runtime").glob("*.cpp"))
#: What a program needs to be told before it starts; the others run as the machine is.
ENVIRONMENT = {
    "devices": {"PYACLNN_SIM_DEVICES": "3"},
    "memory": {"PYACLNN_SIM_MEMORY": "256M"},
    "ipc_memory": {"PYACLNN_SIM_MEMORY": "256M", "PYACLNN_SIM_DEVICES": "2"},
    "virtual_memory": {"PYACLNN_SIM_MEMORY": "256M", "PYACLNN_SIM_DEVICES": "2"},
}
#: What a program links to beside libascendcl.
LIBRARIES = {"queues": ("acl_tdt_queue", "platform", "ascend_dump", "msprofiler")}
#: Programs that are started by tests of their own, because their process is meant to end badly.
DRIVEN = {"process"}


@pytest.mark.parametrize(
    ("source", "case"),
    [
        pytest.param(source, case, id=f"{source.stem}-{case}")
        for source in SOURCES
        if source.stem not in DRIVEN
        for case in toolchain.cases(source)
    ],
)
def test_case(source: Path, case: str) -> None:
    program = toolchain.build(source, ("ascendcl", *LIBRARIES.get(source.stem, ())))
    done = toolchain.run(program, case, env=ENVIRONMENT.get(source.stem))
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_every_exported_runtime_function_is_called_by_a_program() -> None:
    exported = toolchain.exported_functions("libascendcl.so")
    text = "\n".join(source.read_text(encoding="utf-8") for source in SOURCES)
    assert [name for name in exported if f"{name}(" not in text] == []
