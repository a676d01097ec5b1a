"""Parts of the simulator's core that no C function shows by itself."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
import toolchain

SOURCE = toolchain.C_TESTS / "core" / "parallel_for.cpp"
#: Those whose cases need nothing of the machine.
PLAIN = [toolchain.C_TESTS / "core" / f"{name}.cpp" for name in ("byte_pattern", "dims")]
LIVE_BYTES = toolchain.C_TESTS / "core" / "live_bytes.cpp"
INCLUDES = (f"-I{toolchain.REPOSITORY / 'pyaclnn' / 'sim' / 'src'}",)


@pytest.mark.parametrize("threads", ["1", "2", "7"])
@pytest.mark.parametrize("case", toolchain.cases(SOURCE))
def test_parallel_for(case: str, threads: str) -> None:
    program = toolchain.build(SOURCE, ("ascendcl", "pyaclnn_sim"), INCLUDES)
    limit = {"PYACLNN_SIM_TASK_TIMEOUT": "1"} if case.startswith("limited_") else {}
    done = toolchain.run(program, case, env={"PYACLNN_SIM_THREADS": threads, **limit})
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.parametrize(
    ("source", "case"),
    [
        pytest.param(source, case, id=f"{source.stem}-{case}")
        for source in PLAIN
        for case in toolchain.cases(source)
    ],
)
def test_plain_parts(source: Path, case: str) -> None:
    program = toolchain.build(source, ("ascendcl", "pyaclnn_sim"), INCLUDES)
    done = toolchain.run(program, case)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.parametrize("case", toolchain.cases(LIVE_BYTES))
def test_a_sanitized_build_notices_kernels_that_touch_what_is_no_live_block(case: str) -> None:
    program = toolchain.build(LIVE_BYTES, ("ascendcl", "pyaclnn_sim"), INCLUDES)
    done = toolchain.run(program, case, env={"PYACLNN_SIM_MEMORY": "256M"})
    is_outside = case == "stray_ahead_of_the_first_block"
    is_watched = "-fsanitize=address" in " ".join(toolchain.sanitizers(toolchain.toolkit()))
    if is_watched and case.startswith("stray_"):
        assert done.returncode != 0
        reports = ("use-after-poison", "Sanitizer: SEGV")
        assert any(report in done.stderr for report in reports), done.stderr
    elif is_outside:
        # ThreadSanitizer reports the fault and exits, as AddressSanitizer does.
        is_reported = "Sanitizer: SEGV" in done.stderr
        assert is_reported or done.returncode == -signal.SIGSEGV, done.stderr
    else:
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
