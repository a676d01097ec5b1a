"""Lines of C++, the basic blocks they are compiled to, and the tests that run these."""

from __future__ import annotations

import pickle
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

#: The file of a finished index in its folder.
NAME = "index.pickle"
#: Bytes of a call on x86-64; what a block begins with is one, and its line is that of the call.
_CALL = 5
#: A line without code of its own belongs to one of so many before it.
_BACK = 4


class Index:
    """The tests that run a line."""

    def __init__(self, folder: Path) -> None:
        with open(folder / NAME, "rb") as file:
            self._lines, self.names, self.seconds, *runs = pickle.load(file)
        #: Blocks in ascending order, where the tests of each begin, and those of all.
        self._blocks, self._begins, self._tests = runs

    def running(self, file: str, begin: int, end: int) -> set[int]:
        """Return the numbers of the tests that run one of these lines."""
        found: set[int] = set()
        for block in self._compiled_to(file, begin, end):
            at = int(np.searchsorted(self._blocks, block))
            if at < len(self._blocks) and self._blocks[at] == block:
                found.update(self._tests[self._begins[at] : self._begins[at + 1]].tolist())
        return found

    def _compiled_to(self, file: str, begin: int, end: int) -> set[int]:
        for first in range(begin, max(begin - _BACK, 0), -1):
            lines = range(first, end + 1)
            found = {b for line in lines for b in self._lines.get((file, line), ())}
            if found:
                return found
        return set()


def _lines_of(library: Path) -> Iterator[tuple[str, int, int]]:
    """Yield file, line and address of what was compiled."""
    command = ["objdump", "--dwarf=decodedline", "-w", str(library)]
    file = ""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        for text in process.stdout:
            if text.rstrip().endswith(":") and "/" in text:
                file = text.removeprefix("CU: ").split(":")[0]
                continue
            found = re.match(r"(\S+) +(\d+) +0x([0-9a-f]+)", text)
            if found is not None and file.endswith(found[1]):
                yield file, int(found[2]), int(found[3], 16)


def _behind_calls(library: Path) -> Any:
    """Return the places behind the calls that mark basic blocks, in ascending order."""
    command = ["objdump", "-d", "--no-show-raw-insn", "-j", ".text", str(library)]
    found, called = [], False
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if called:
                found.append(int(line.partition(":")[0], 16))
            called = "__sanitizer_cov_trace_pc" in line and "call" in line
    return np.array(sorted(found))


def name_of(file: str) -> str:
    """Return how the index calls a file: from ``opapi`` on, or ``generate`` and the last part."""
    own = re.search(r"/src/(opapi/.*)$", file)
    return own[1] if own else f"generate/{Path(file).name}"


def write_index(folder: Path, library: Path, recorded: Iterable[Path]) -> tuple[int, int]:
    """Write the index; return the number of tests and that of all blocks that they ran."""
    behind = _behind_calls(library)
    begins = behind - _CALL
    lines: dict[tuple[str, int], set[int]] = defaultdict(set)
    for file, line, address in _lines_of(library):
        at = int(np.searchsorted(begins, address, side="right")) - 1
        if at >= 0 and ("/src/opapi/" in file or "/generate/" in file):
            lines[name_of(file), line].add(int(behind[at]) >> 2)
    names: list[str] = []
    seconds: list[float] = []
    blocks, tests = [], []
    for path in recorded:
        for name, taken, ran in _kept(path):
            blocks.append(ran)
            tests.append(np.full(len(ran), len(names), np.uint32))
            names.append(name)
            seconds.append(taken)
    order = np.argsort(every := np.concatenate(blocks), kind="stable")
    distinct, first = np.unique(every[order], return_index=True)
    runs = distinct, np.append(first, len(every)), np.concatenate(tests)[order]
    with open(folder / NAME, "wb") as stream:
        pickle.dump((dict(lines), names, seconds, *runs), stream)
    return len(names), len(distinct)


def _kept(path: Path) -> Iterator[tuple[str, float, Any]]:
    with open(path, "rb") as stream:
        while True:
            try:
                yield pickle.load(stream)
            except EOFError:
                return
