"""The C++ programs that use the operand objects and the operators, right and wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import toolchain

SOURCES = [
    source
    for folder in ("nnopbase", "operators")
    for source in sorted((toolchain.C_TESTS / folder).glob("*.cpp"))
]
#: What the name of a case says about the machine it runs on.
ENVIRONMENT = {
    "cann_8_1_": {"PYACLNN_SIM_CANN": "8.1"},
    "soc_910_": {"PYACLNN_SIM_SOC": "Ascend910A"},
    "soc_950_": {"PYACLNN_SIM_SOC": "Ascend910_95"},
    "no_cache_": {"DISABLE_L2_CACHE": "1"},
    "undefined_error_": {"PYACLNN_SIM_CHECK": "undefined:error"},
    "data_of_another_device_": {"PYACLNN_SIM_DEVICES": "2"},
}


def environment(case: str) -> dict[str, str]:
    """Return the variables a case runs with."""
    found = [variables for prefix, variables in ENVIRONMENT.items() if case.startswith(prefix)]
    return {name: value for variables in found for name, value in variables.items()}


@pytest.mark.parametrize(
    ("source", "case"),
    [
        pytest.param(source, case, id=f"{source.stem}-{case}")
        for source in SOURCES
        for case in toolchain.cases(source)
    ],
)
def test_case(source: Path, case: str) -> None:
    done = toolchain.run(toolchain.build(source), case, env=environment(case))
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_every_exported_function_of_nnopbase_is_used_by_a_program() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    used = set(re.findall(r"\w+", text))
    exported = toolchain.exported_functions("libnnopbase.so")
    assert exported
    assert [name for name in exported if name not in used] == []
