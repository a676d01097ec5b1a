"""What tools/clients.py makes of the output of ggml's tests."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from backend_ops import Known, Result, explained, fused_operators, run_all, table

GREEN, RED, END = "\x1b[1;32m", "\x1b[1;31m", "\x1b[0m"
SUPPORT = f"""\
  ABS(type=f16,ne=[1,2]): {GREEN}SUPPORTED{END}
  ABS(type=f32,ne=[3]): {GREEN}SUPPORTED{END}
  ADD(type=f16,ne=[4]): {GREEN}SUPPORTED{END}
  MUL(type=f16,nr=[1:2]): {RED}NOT SUPPORTED{END}
  SUB(type=f16,ne=[4]): {GREEN}SUPPORTED{END}
"""
SOURCE = """
    std::string op_desc(ggml_tensor * t) override {
        return "ADD_MUL";
    }
    std::string op_desc(ggml_tensor * t) override {
        return rms ? "RMS_SCALE" : "NORM_SCALE";
    }
"""
MISSING = "x(EE1005): aclnnAddGetWorkspaceSize answers 561003: declared, not simulated\nmore\n"
REFUSED = "x(EZ1001): aclnnSubGetWorkspaceSize answers 161002: aclnnSub: self is int4\n"


def program(arguments: Sequence[str]) -> tuple[str, str]:
    """Do as test-backend-ops: end with the first case whose call fails."""
    if arguments[0] == "support":
        return SUPPORT, ""
    asked = arguments[-1]
    if asked.startswith("ABS"):
        ran = f"  ABS(type=f16,ne=[1,2]): {GREEN}OK{END}\n"
        return ran + f"[ABS] ERR = 0.5 > 0.1   ABS(type=f32,ne=[3]): {RED}FAIL{END}\n", MISSING
    if asked.startswith("SUB"):
        return "", REFUSED
    fused = f"  ADD_MUL(n=1): {GREEN}OK{END}\n  ADD_MUL(n=2): not supported [CANN0] \n"
    return (fused if asked == "ADD_MUL" else "") + "2/2 backends passed", ""


def test_each_case_is_run_though_others_end_the_program() -> None:
    made = {r.case: (r.outcome, r.why) for r in run_all(program, SOURCE)}

    assert made == {
        "ABS(type=f16,ne=[1,2])": ("passed", ""),
        "ABS(type=f32,ne=[3])": ("failed", "[ABS] ERR = 0.5 > 0.1"),
        "ADD(type=f16,ne=[4])": (
            "not simulated",
            "aclnnAddGetWorkspaceSize answers 561003: declared, not simulated",
        ),
        "MUL(type=f16,nr=[1:2])": ("not supported", ""),
        "SUB(type=f16,ne=[4])": (
            "refused",
            "aclnnSubGetWorkspaceSize answers 161002: aclnnSub: self is int4",
        ),
        "ADD_MUL(n=1)": ("passed", ""),
        "ADD_MUL(n=2)": ("not supported", ""),
    }


def test_fused_operators_are_named_by_the_source() -> None:
    assert fused_operators(SOURCE) == ["ADD_MUL", "NORM_SCALE", "RMS_SCALE", "_MUL$"]


def test_the_table_counts_each_outcome() -> None:
    lines = table(run_all(program, SOURCE)).splitlines()

    assert lines[0].split() == [
        *("operator", "passed", "failed", "refused"),
        *("not", "simulated", "not", "supported"),
    ]
    assert [line.split() for line in lines if line.startswith(("ABS", "total"))] == [
        ["ABS", "1", "1", "0", "0", "0"],
        ["total", "2", "1", "1", "1", "2"],
    ]


def test_what_is_known_is_explained_and_the_rest_is_counted() -> None:
    made = [
        Result("CAT(type=q4,n=1)", "refused", "one"),
        Result("CAT(type=q4,n=2)", "failed", "two"),
        Result("DOT(n=3)", "failed", "[DOT] ERR = 0.25 > 0.1"),
        Result("DOT(n=4)", "failed", "[DOT] ERR = 0.75 > 0.1"),
        Result("OK(n=5)", "passed"),
        Result("NO(n=6)", "not supported"),
    ]

    text, unknown = explained(made, [Known(r"CAT\(type=q4", "no such type")])

    assert unknown == 2
    assert "1 refused        no such type" in text
    assert "2 failed         [DOT] ERR = # > #" in text
    assert "OK(" not in text
    assert "NO(" not in text
