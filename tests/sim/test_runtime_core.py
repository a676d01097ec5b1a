"""Parts of the simulator's core that no C function shows by itself."""

from __future__ import annotations

import pytest
import toolchain

SOURCE = toolchain.C_TESTS / "core" / "parallel_for.cpp"
BYTE_PATTERN = toolchain.C_TESTS / "core" / "byte_pattern.cpp"


@pytest.mark.parametrize("threads", ["1", "2", "7"])
@pytest.mark.parametrize("case", toolchain.cases(SOURCE))
def test_parallel_for(case: str, threads: str) -> None:
    sources = f"-I{toolchain.REPOSITORY / 'pyaclnn' / 'sim' / 'src'}"
    program = toolchain.build(SOURCE, ("ascendcl", "pyaclnn_sim"), (sources,))
    limit = {"PYACLNN_SIM_TASK_TIMEOUT": "1"} if case.startswith("limited_") else {}
    done = toolchain.run(program, case, env={"PYACLNN_SIM_THREADS": threads, **limit})
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.parametrize("case", toolchain.cases(BYTE_PATTERN))
def test_byte_pattern(case: str) -> None:
    sources = f"-I{toolchain.REPOSITORY / 'pyaclnn' / 'sim' / 'src'}"
    program = toolchain.build(BYTE_PATTERN, ("ascendcl", "pyaclnn_sim"), (sources,))
    done = toolchain.run(program, case)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
