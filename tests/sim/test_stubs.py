"""Operators that are declared and not simulated: programs link, and are told by name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import toolchain

import pyaclnn as pa
from pyaclnn import abi
from pyaclnn.selftest.suites import SUITES

# It needs several machines: the last one that would be simulated.
NAME = "aclnnMoeDistributeDispatch"
PROGRAM = toolchain.C_TESTS / "opapi" / "not_simulated.cpp"


def symbols(kind: str) -> set[str]:
    """Return the operators' functions of one kind in libopapi: ``T`` strong, ``W`` weak."""
    done = subprocess.run(
        ["nm", "-D", "--defined-only", str(toolchain.toolkit() / "lib64" / "libopapi.so")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = (line.split() for line in done.stdout.splitlines())
    return {name for _, its_kind, name in found if its_kind == kind and name.startswith("acl")}


def test_every_declared_function_can_be_linked() -> None:
    declared = {
        name
        for name, declaration in abi.index.names().items()
        if declaration.kind == "function" and Path(declaration.file).parent.name == "aclnnop"
    }

    assert len(declared) > 2000
    assert declared <= symbols("T") | symbols("W")


def test_stubs_are_what_selftest_does_not_cover() -> None:
    simulated = {pa.ops[suite.operator].c_name for suite in SUITES}
    stubs = {name for name in abi.operators() if name in symbols("W")}

    assert stubs == set(abi.operators()) - simulated
    assert {name for name in abi.operators() if not abi.has_symbol(name)} == stubs


def test_a_program_is_told_which_operator_and_what_to_do() -> None:
    done = toolchain.run(toolchain.build(PROGRAM))

    assert done.returncode == 0, done.stderr
    codes, message = done.stdout.split("\n", 1)
    assert codes == "561003 561003"
    for said in (f"{NAME}GetWorkspaceSize", "not simulated", "libopapi.so", "info --operators"):
        assert said in message


def test_python_says_that_it_is_declared_and_who_has_it() -> None:
    operator = pa.ops[NAME]

    assert not operator.available
    with pytest.raises(
        pa.SymbolNotFoundError,
        match=f"{NAME}.* is declared.*not simulated here; a machine with CANN has it",
    ) as caught:
        operator(*[None] * len(operator.spec.inputs))
    assert "earest" not in str(caught.value)


def test_an_unsimulated_operator_says_so_before_it_asks_for_outputs() -> None:
    operator = pa.ops[NAME]

    with pytest.raises(pa.SymbolNotFoundError, match="not simulated"):
        operator.plan(*[None] * len(operator.spec.inputs))
