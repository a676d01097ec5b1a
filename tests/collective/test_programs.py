"""The C++ programs of tests/c/hccl, case by case."""

from __future__ import annotations

import pytest
import toolchain

SOURCE = toolchain.C_TESTS / "hccl" / "collectives.cpp"


@pytest.mark.parametrize("case", toolchain.cases(SOURCE))
def test_case(case: str) -> None:
    program = toolchain.build(SOURCE, ("hccl", "ascendcl"))

    done = toolchain.run(
        program, case, env={"PYACLNN_SIM_DEVICES": "3", "PYACLNN_SIM_MEMORY": "256M"}
    )

    assert done.returncode == 0, done.stdout + done.stderr
