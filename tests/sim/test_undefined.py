"""Calls whose result CANN leaves undefined are told of, and no others.

Views that overlap are those of ``tests/c/operators/undefined.cpp``: Python refuses them.
"""

from __future__ import annotations

import re

import pytest
import toolchain
from children import run_child

HEAD = """
import numpy as np, pyaclnn as pa
x = pa.asarray(np.arange(8, dtype=np.float32))
grid = pa.asarray(np.arange(16, dtype=np.float32).reshape(4, 4))
def whole(*values):
    return pa.asarray(np.array(values, np.int64))
"""
DEFINED = {
    "indices that differ": "pa.ops.inplace_scatter(x, 0, whole(1, 2), pa.ones(2), 0)",
    "an index twice, added": "pa.ops.inplace_scatter(x, 0, whole(1, 1), pa.ones(2), 1)",
    "an index twice, same value": "pa.ops.inplace_scatter(x, 0, whole(1, 1), pa.ones(2), 0)",
    "an index twice, one number": "pa.ops.inplace_scatter_value(x, 0, whole(1, 1), 3.0, 0)",
    "an index twice, read": "pa.ops.gather(x, 0, whole(1, 1))",
    "rows that differ": "pa.ops.inplace_index_copy(grid, 0, whole(1, 2), pa.ones((2, 4)))",
    "numbers that count from the end": "pa.ops.inplace_index_fill(x, 0, whole(-1), 3.0)",
}
TWO = "pa.asarray(np.array([1, 2], np.float32))"
UNDEFINED = {
    "aclnnInplaceScatter writes index 2 more than once":
        f"pa.ops.inplace_scatter(x, 0, whole(2, 2), {TWO}, 0)",
    "aclnnInplaceIndexCopy writes index 3 more than once":
        "pa.ops.inplace_index_copy(grid, 0, whole(3, 3), pa.asarray(np.eye(2, 4, dtype='f4')))",
    "aclnnInplacePut writes index 5 more than once":
        f"pa.ops.inplace_put(grid, whole(5, 5), {TWO}, False)",
    "aclnnInplaceIndexFill: an index is 9, the dimension has 8 places":
        "pa.ops.inplace_index_fill(x, 0, whole(9), 3.0)",
}  # fmt: skip


def told(call: str, check: str) -> tuple[str, str]:
    """What a call prints, and what is told of it."""
    code = f"""{HEAD}
try:
    {call}
    pa.current_stream().sync()
    print("done")
except pa.AclError as error:
    print(error.code, error)
"""
    child = run_child(code, PYACLNN_SIM_CHECK=check)
    assert child.returncode == 0, child.stderr
    return child.stdout.strip(), child.stderr.strip()


@pytest.mark.parametrize("name", DEFINED)
def test_what_is_defined_is_not_told_of(name: str) -> None:
    assert told(DEFINED[name], "undefined:error") == ("done", "")


@pytest.mark.parametrize("text", UNDEFINED)
def test_what_is_undefined_is_told_of_once(text: str) -> None:
    call = UNDEFINED[text]

    output, errors = told(f"for _ in range(3): {call}", "undefined")
    assert output == "done"
    assert errors.startswith(f"pyaclnn simulator: {text}")
    assert errors.count("pyaclnn simulator") == 1

    output, errors = told(call, "undefined:error")
    assert output.startswith("507015")
    assert text in output
    assert errors == ""

    assert told(call, "leaks") == ("done", "")


def test_memory_that_was_not_written_is_told_of() -> None:
    code = """
    import pyaclnn as pa
    kept = [pa.empty((4, 6)), pa.empty(3), pa.empty(5)]  # before anything else is to be had again
    cache = pa.empty(8)
    cache[2:3].fill_(1.0)
    pa.ops.relu(cache)
    pa.ops.inplace_fill_scalar(pa.empty(9), 1.0)
    pa.ops.relu(pa.empty(1, dtype="float16"))  # too few bytes to tell
    pa.current_stream().sync()
    kept[0][1::2].fill_(1.0)
    for call in (
        lambda: pa.ops.relu(kept[0][::2].T), lambda: pa.ops.relu(kept[1]), lambda: kept[2].numpy()
    ):
        try:
            call()
            pa.current_stream().sync()
        except pa.AclError as error:
            print(f"<{error.code}>", error)
    """
    texts = (
        "aclnnRelu reads self (float32[6, 2] with strides [1, 12]), where nothing was written",
        "aclnnRelu reads self (float32[3]), where nothing was written",
        "aclrtMemcpy copies 20 bytes to the host, where nothing was written",
    )

    warned = run_child(code, PYACLNN_SIM_CHECK="undefined")
    assert warned.returncode == 0, warned.stderr
    assert warned.stdout == ""
    for line, text in zip(warned.stderr.splitlines(), texts, strict=True):
        assert line.startswith(f"pyaclnn simulator: {text}")

    failed = run_child(code, PYACLNN_SIM_CHECK="undefined:error")
    assert failed.stderr == ""
    assert failed.stdout.count("<507015>") == len(texts)
    for text in texts:
        assert text in failed.stdout


def test_all_has_it() -> None:
    (call,) = (call for text, call in UNDEFINED.items() if "aclnnInplacePut" in text)
    _, errors = told(call, "all")
    assert "aclnnInplacePut writes index 5 more than once" in errors


def test_the_page_shows_what_is_told() -> None:
    page = (toolchain.REPOSITORY / "docs" / "checks.md").read_text(encoding="utf-8")
    program = (toolchain.C_TESTS / "operators" / "undefined.cpp").read_text(encoding="utf-8")
    program = re.sub(r'"\s*"', "", program)  # literals in parts
    shown = re.findall(r"^pyaclnn simulator: (.*)$", page, re.MULTILINE)
    assert len(shown) == 4
    for line in shown:
        # Views that overlap are the program's.
        in_program = line.partition(": CANN")[0] in program
        of_reading = "aclnnRelu reads self (float32[3]), where nothing was written"
        assert in_program or any(line.startswith(text) for text in (*UNDEFINED, of_reading))
