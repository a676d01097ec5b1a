"""Operators that are declared and not simulated: programs link, and are told by name."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest
import toolchain

import pyaclnn as pa
from pyaclnn import abi, catalogue
from pyaclnn.selftest.suites import SUITES
from pyaclnn.table import NOT_SIMULATED, why_not_simulated

#: One that could be simulated and is not, and one that cannot be.
NAME = "aclnnMatmulCompress"
IN_C = "aclnnSilentCheck"
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


@pytest.mark.exhaustive
def test_stubs_are_what_selftest_does_not_cover() -> None:
    simulated = {pa.ops[suite.operator].c_name for suite in SUITES}
    stubs = set(abi.operators()) & symbols("W")

    assert stubs == set(abi.operators()) - simulated
    assert {name for name in abi.operators() if not abi.has_symbol(name)} == stubs


def test_a_program_is_told_which_operator_and_what_to_do() -> None:
    done = toolchain.run(toolchain.build(PROGRAM))

    assert done.returncode == 0, done.stderr
    codes, message = done.stdout.split("\n", 1)
    assert codes == "561003 561003"
    for said in (f"{IN_C}GetWorkspaceSize", "not simulated", "libopapi.so", "info --operators"):
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


every_reason = pytest.mark.parametrize("name", ["aclnn" + name for name in NOT_SIMULATED])


@every_reason
def test_what_cannot_be_simulated_says_why(name: str) -> None:
    operator, reason = pa.ops[name], why_not_simulated(name)

    assert f"Not simulated: {reason}." in operator.__doc__
    with pytest.raises(pa.SymbolNotFoundError, match="cannot be simulated") as caught:
        getattr(pa.lib, name)
    assert reason in str(caught.value)


def test_the_catalogue_has_the_reasons_of_operators_that_are_not_simulated() -> None:
    entries = {entry.c_name: entry for entry in catalogue.collect()}
    with_reason = {name for name, entry in entries.items() if entry.reason}

    assert with_reason == {"aclnn" + name for name in NOT_SIMULATED}
    assert not any(entries[name].library for name in with_reason)
    text = catalogue.as_text(entries.values())
    assert all(f"not simulated: {entries[name].reason}" in text for name in with_reason)


def test_the_library_gives_a_reason_for_both_functions_of_an_operator() -> None:
    # That of this process: the sanitizers' cannot be loaded into it.
    opapi = next(found.path for found in pa.backend.libraries if "opapi" in found.name)
    library = ctypes.CDLL(opapi)
    library.pyaclnnSimReason.restype = ctypes.c_char_p

    def said(function: bytes | None) -> str:
        return library.pyaclnnSimReason(function).decode()

    name = next(iter(NOT_SIMULATED))
    assert said(f"aclnn{name}".encode()) == NOT_SIMULATED[name]
    assert said(f"aclnn{name}GetWorkspaceSize".encode()) == NOT_SIMULATED[name]
    assert said(b"aclnnAdd") == said(b"") == said(None) == ""
