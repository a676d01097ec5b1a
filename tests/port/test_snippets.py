"""Many small pieces of C++ in a few programs: the port prints what the compiled program prints.

Each file is about one part of the language or its library, so that it is compiled once.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from pyaclnn.port.data.constants import FUNCTIONS
from pyaclnn.port.frontend.preprocess import Preprocessor
from pyaclnn.port.library import algorithms, mathematics, stdlib
from pyaclnn.port.port import port

from .conftest import PrintsTheSame

SNIPPETS = sorted((Path(__file__).parent / "snippets").glob("*.c*"))


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
@pytest.mark.parametrize("sample", SNIPPETS, ids=lambda path: path.stem)
def test_a_snippet_and_its_port_print_the_same(
    sample: Path, style: str, prints_the_same: PrintsTheSame
) -> None:
    prints_the_same(sample, style)


def test_a_status_that_a_run_decides_is_the_exit_status_of_the_port() -> None:
    text = port(Path(__file__).parent / "snippets" / "exit_status.cpp").text

    assert text.endswith("if not (wrong == 0):\n    raise SystemExit(3)\n")


#: What this compiler does not have, or prints nothing: the bounds-checked functions of CANN's
#: securec.h, and those that wait or only fail.
UNTRIED = {
    "memcpy_s", "memmove_s", "memset_s", "strcpy_s", "strncpy_s", "sleep", "sleep_for", "usleep",
    "system", "perror", "assert",
}  # fmt: skip


@pytest.mark.parametrize("module", [algorithms, mathematics, stdlib])
def test_each_known_function_is_in_a_snippet(module: ModuleType) -> None:
    known = {n for n, f in FUNCTIONS.items() if f.call.__globals__["__name__"] == module.__name__}
    sources = "".join(path.read_text(encoding="utf-8") for path in SNIPPETS)
    words = set(re.findall(r"\w+", Preprocessor("snippets").run(sources)))

    assert len(known) > 20
    assert known - words - UNTRIED == set()
