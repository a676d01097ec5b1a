"""What is parsed, and how often: little for one operator, nothing twice.

The time it takes is measured by ``python -m pyaclnn.bench --section start-up``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

#: Prints what cffi's parser was given by the statements that follow.
WATCH = """
import json, sys
import cffi
parse, texts = cffi.FFI.cdef, []
def cdef(self, text, *args, **options):
    texts.append(text)
    return parse(self, text, *args, **options)
cffi.FFI.cdef = cdef
import pyaclnn as pa
# What any operator needs, such as the handle types, is there beforehand.
pa.abi.define("aclnnAbs", "aclnnAbsGetWorkspaceSize")
del texts[:]
"""

ONE = """
operator = getattr(pa.ops, sys.argv[1])
pa.abi.define(operator.c_name, operator.c_name + "GetWorkspaceSize")
print(json.dumps(texts))
"""

EVERYTHING = """
names = pa.abi.operators()
both = [*names, *(name + "GetWorkspaceSize" for name in names)]
pa.abi.define(*both)
once = [*texts]
pa.abi.define(*both)
print(json.dumps([both, once, texts[len(once):]]))
"""


def parsed(program: str, *arguments: str) -> list[Any]:
    """Return what a program prints."""
    command = [sys.executable, "-c", WATCH + program, *arguments]
    found: list[Any] = json.loads(subprocess.check_output(command, text=True))
    return found


def test_each_operator_is_parsed_once() -> None:
    functions, texts, again = parsed(EVERYTHING)

    words = " ".join(texts).replace(";", " ").split()
    assert len(functions) == 2 * 1110
    assert [f for f in functions if words.count(f) > 1] == []
    # Abs was declared before.
    assert {f for f in functions if f not in words} == {"aclnnAbs", "aclnnAbsGetWorkspaceSize"}
    assert again == []


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
def test_one_operator_needs_a_few_lines(operator: str) -> None:
    (text,) = parsed(ONE, operator)

    assert text.count(" aclnn") >= 2
    assert len(text) < 1000
