"""Parts of the simulator's core that no C function shows by itself."""

from __future__ import annotations

import pytest
import toolchain

SOURCE = toolchain.C_TESTS / "core" / "parallel_for.cpp"


@pytest.mark.parametrize("threads", ["1", "2", "7"])
@pytest.mark.parametrize("case", toolchain.cases(SOURCE))
def test_parallel_for(case: str, threads: str) -> None:
    sources = f"-I{toolchain.REPOSITORY / 'pyaclnn' / 'sim' / 'src'}"
    program = toolchain.build(SOURCE, ("ascendcl", "pyaclnn_sim"), (sources,))
    done = toolchain.run(program, case, env={"PYACLNN_SIM_THREADS": threads})
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
