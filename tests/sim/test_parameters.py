"""The kinds of parameter an operator can have, with operators that CANN does not have."""

from __future__ import annotations

from pathlib import Path

import pytest
import toolchain

from pyaclnn.sim import releases

SOURCE = toolchain.C_TESTS / "opapi" / "parameters.cpp"
SOURCES = toolchain.REPOSITORY / "pyaclnn" / "sim" / "src"
# What operators share is hidden in libopapi, so the program has a copy of its own.
SHARED = ("operator", "arguments", "check", "plan", "measured", "has_cast")


@pytest.mark.parametrize("case", toolchain.cases(SOURCE))
def test_parameters(case: str, tmp_path: Path) -> None:
    releases.generate(tmp_path)  # as the build does
    files = (str(SOURCES / "opapi" / "common" / f"{name}.cpp") for name in SHARED)
    program = toolchain.build(
        SOURCE, ("ascendcl", "nnopbase", "pyaclnn_sim"), (f"-I{SOURCES}", f"-I{tmp_path}", *files)
    )
    done = toolchain.run(program, case)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
