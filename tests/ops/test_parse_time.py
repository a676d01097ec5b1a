"""Declarations are read quickly: all of them within a second, one within milliseconds."""

from __future__ import annotations

import subprocess
import sys

import pytest

EVERYTHING = """
import time
from pyaclnn import abi
start = time.process_time()
names = abi.operators()
first = [name + "GetWorkspaceSize" for name in names]
for name in first:
    abi.signature(name)
abi.define(*names, *first)
print(time.process_time() - start)
"""

# What any operator needs, such as the C parser and the handle types, is there beforehand.
ONE = """
import sys, time
import pyaclnn as pa
pa.abi.define("aclnnAbs", "aclnnAbsGetWorkspaceSize")
start = time.process_time()
operator = getattr(pa.ops, sys.argv[1])
pa.abi.define(operator.c_name, operator.c_name + "GetWorkspaceSize")
print(time.process_time() - start)
"""


def seconds(program: str, *arguments: str) -> float:
    """Return processor time, of the quickest of five runs: other processes disturb caches."""
    command = [sys.executable, "-c", program, *arguments]
    return min(float(subprocess.check_output(command, text=True)) for _ in range(5))


def test_all_1005_operators_are_parsed_within_a_second() -> None:
    assert seconds(EVERYTHING) < 1.0


@pytest.mark.parametrize(
    "operator",
    [
        "selu_backward",
        "max_pool2d_with_indices_backward",
        "adds",
        "nll_loss2d_backward",
        "conv_tbc",
    ],
)
def test_the_declaration_of_one_operator_is_ready_within_5_ms(operator: str) -> None:
    assert seconds(ONE, operator) < 0.005
