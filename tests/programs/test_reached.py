"""Which test runs which line, of a library of two functions that is compiled to say so."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import toolchain

TOOLS = toolchain.REPOSITORY / "tools"
SOURCE = """\
extern "C" int first(int a) {
  if (a > 3) {
    return a + 1;
  }
  return a;
}
extern "C" int second(int a) {
  return a * 2;
}
"""
RECORD = """
import ctypes, sys
from pathlib import Path
from reaching.marks import Marks
folder, library = map(Path, sys.argv[1:])
marks = Marks(folder, "runs")
functions = ctypes.CDLL(str(library))
for name, call in (
    ("small", lambda: functions.first(1)),
    ("large", lambda: functions.first(5)),
    ("other", lambda: functions.second(5)),
):
    call()
    marks.keep(name, 0.5)
"""
INDEX = """
import sys
from pathlib import Path
from reaching.index import Index, write_index
folder, library = map(Path, sys.argv[1:])
print(*write_index(folder, library, [folder / "runs.pickle"]))
index = Index(folder)
for line in (2, 3, 8):
    found = index.running("opapi/family/kernel.cpp", line, line)
    print(line, *sorted(index.names[test] for test in found))
"""


def _run(*command: str) -> str:
    return subprocess.run(
        command, check=True, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(TOOLS)},
    ).stdout  # fmt: skip


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not all(map(shutil.which, ("gcc", "g++", "objdump"))),
    reason="reads machine code of x86-64, by GCC and binutils",
)
def test_lines_lead_to_the_tests_that_run_them(tmp_path: Path) -> None:
    source = tmp_path / "src/opapi/family/kernel.cpp"
    source.parent.mkdir(parents=True)
    source.write_text(SOURCE, encoding="utf-8")
    library, recorder = tmp_path / "libopapi.so", tmp_path / "record.o"
    flags = ("-O1", "-g1", "-fPIC")
    _run("gcc", *flags, "-c", str(TOOLS / "reaching/record.c"), "-o", str(recorder))
    _run(
        "g++", *flags, "-fsanitize-coverage=trace-pc", "-shared", str(source),
        str(recorder), "-o", str(library),
    )  # fmt: skip

    _run(sys.executable, "-c", RECORD, str(tmp_path), str(library))
    seen = _run(sys.executable, "-c", INDEX, str(tmp_path), str(library)).splitlines()

    assert seen[0].split()[0] == "3"
    assert seen[1:] == ["2 large small", "3 large", "8 other"]
