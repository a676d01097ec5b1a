"""The elementary functions that kernels are made of."""

from __future__ import annotations

import toolchain

SOURCES = toolchain.REPOSITORY / "pyaclnn" / "sim" / "src"


def test_they_are_exact_to_20_bits_and_alike_on_all_instruction_sets() -> None:
    flags = (
        "-O2", "-ffp-contract=off", f"-I{SOURCES}", str(SOURCES / "opapi/common/cpu.cpp"),
    )  # fmt: skip
    program = toolchain.build(toolchain.C_TESTS / "opapi" / "vecmath.cpp", (), flags)
    done = toolchain.run(program)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
