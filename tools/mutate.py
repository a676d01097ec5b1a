"""Change one place of an operator's source or row, and see whether any test notices.

    python tools/mutate.py --count 20 --seed 7
    python tools/mutate.py --family resample --list
    python tools/mutate.py --count 3 --quick   # selftest's short form and CANN's statuses alone
    python tools/mutate.py --count 300 --reached build/reached   # what runs the changed line

Mutants are drawn from the kernels, without headers, and from the rows of the table. They are made
in a copy of this checkout, with objects from ``build/objects``: those inside of functions are
compiled together, each behind a switch (``mutating/switched.py``), and tried first; the others, and
those that nobody noticed, are compiled one by one. Selftest and tests run: with what
``tools/reached.py`` recorded those that run the changed line, which is a matter of seconds; else
those of the family, of the operators concerned, and CANN's statuses of these. What noticed a mutant
is tried again without it, unless it is recorded to pass, so that a test which fails anyway does not
count. Those that nobody noticed are printed in the end; each needs a test, or changes nothing that
can be seen. Exits with 0 if all were noticed, 1 if some were not.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any

import lines
from mutating.switched import VARIABLE, Change, switched
from reaching.index import Index, name_of

from pyaclnn.ops.naming import operator_name
from pyaclnn.table import ROWS, Row

ROOT = Path(__file__).resolve().parents[1]
KERNELS, TABLE = ROOT / "pyaclnn/sim/src/opapi", ROOT / "pyaclnn/table"
STATUSES = Path("tests/operators/cann_statuses")
#: Calls with their statuses, and what makes them: those of the operators concerned alone.
CALLS = (
    *(ROOT / STATUSES).glob("*.json"), *(ROOT / "tests/operators").glob("*_statuses.json"),
)  # fmt: skip
STATUS_TESTS = ("tests/operators/test_statuses.py", "-k", "answered")
#: What may take so long, in seconds, and in the short form; what does not end is noticed.
PATIENCE, QUICK_PATIENCE = 900, 120
#: With a record of what runs a line: seconds for selftest, for tests, and patience with either.
SELFTESTS, TESTS, RECORDED_PATIENCE = 8, 40, 120
#: What is no mutant; another one is drawn. The second is not compiled here, or makes no difference.
NOT_BUILT, THE_SAME = "not built", "compiled to the same"

_OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
          "||": "&&", "+": "-", "-": "+"}  # fmt: skip
_NOT_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|^[ ]*#[^\n]*(?:\\\n[^\n]*)*",
    re.M | re.S,
)
#: What a refusal's words are made of, behind a format; no test is to know them all.
_WORDS = re.compile(r"(\"[^\"\n]*%[^\"\n]*\"(?:\s*\"[^\"\n]*\")*)(,[^;]*)(?=\);)")
# The style puts blanks around operators, and none into the brackets of templates.
_OPERATOR = re.compile(r"(?<=[\w\])}] )(?:<=|>=|==|!=|<|>|&&|\|\||\+|-)(?= [\w(!*&{-])")
_NUMBER = re.compile(r"(?<![\w.'])\d+(?:\.\d+)?(?![\w.'x])")
_CHECK = re.compile(r"(?<=\n)[ ]+(check(?:_\w+|\.\w+)\([^;{}]*\);)")
#: What names libraries beside those of a checkout.
_LIBRARIES = ("PYACLNN_SIM_HOME", "PYACLNN_TEST_TOOLKIT", "ASCEND_HOME_PATH")
#: Kernels that several families call, and the family whose tests are those of all of it.
_TRIED_AS = {"product": "matmul"}
#: Of a row: what says nothing of its steps.
_ASIDE = {"Trial", "Output"}, {"missing", "trial", "outputs"}


@dataclass(frozen=True)
class Place:
    """What stands somewhere, and what is to stand there."""

    file: Path
    begin: int
    end: int
    new: str
    family: str
    operators: tuple[str, ...]

    def __str__(self) -> str:
        text = self.file.read_text(encoding="utf-8")
        line = text.count("\n", 0, self.begin) + 1
        old = " ".join(text[self.begin : self.end].split())
        begin = text.rfind("\n", 0, self.begin) + 1
        around = text[begin : text.find("\n", self.end)].strip()
        whole = "" if len(around) < len(old) + 3 else f"  in  {' '.join(around.split())}"
        where = f"{self.file.relative_to(ROOT)}:{line}:{self.begin - begin + 1}"
        return f"{where}: {old[:120]} -> {self.new or 'nothing'}{whole[:160]}"


def _code(text: str) -> str:
    """Return C++ without comments, strings, directives and words, with all else in its place."""
    text = _WORDS.sub(lambda m: m[1] + re.sub(r"[^\n]", "\0", m[2]), text)
    return _NOT_CODE.sub(lambda m: re.sub(r"[^\n]", "\0", m[0]), text)


def _in_cpp(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where C++ can be changed, and into what."""
    for found in _OPERATOR.finditer(text):
        yield *found.span(), _OTHER[found[0]]
    for found in _NUMBER.finditer(text):
        yield *found.span(), str(int(found[0]) + 1 if found[0].isdigit() else float(found[0]) + 1)
    for found in _CHECK.finditer(text):
        yield *found.span(1), ""


def _in_row(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where the table can be changed: steps left out, numbers, conditions in C++."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    encoded = text.encode()

    def at(line: int, column: int) -> int:
        return len(encoded[: starts[line - 1] + column].decode())

    def span(node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)

    def steps(node: ast.AST) -> Iterator[tuple[int, int, str]]:
        if isinstance(node, ast.Tuple):
            for step in node.elts[:-1]:
                function = step.func if isinstance(step, ast.Call) else None
                name = function.id if isinstance(function, ast.Name) else ""
                if name[:1].isupper() and name != "Row":
                    yield *span(step), "*()"
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield *span(node), str(node.value + 1)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            condition = node.args[0] if node.args else None
            if node.func.id in _ASIDE[0]:
                return
            if node.func.id.startswith("That") and isinstance(condition, ast.Constant):
                begin, end = span(condition)
                yield from ((begin + a, begin + b, c) for a, b, c in _in_cpp(text[begin:end]))
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                aside = isinstance(child, ast.keyword) and child.arg in _ASIDE[1]
                if isinstance(child, ast.AST) and not aside and name != "annotation":
                    yield from steps(child)

    yield from steps(ast.parse(text))


def _of_kernels(text: str, rows: Sequence[Row]) -> list[str]:
    """Return the operators whose rows name a function or a formula of a source."""
    defined = set(re.findall(r"^(?:FORMULA\w*\(|[\w:]+[&*]? )(\w+)[,(]", text, re.M))
    return [r.c_name for r in rows if defined & set(re.findall(r"\w+", repr(r.steps[-4:])))]


def places(wanted: Sequence[str]) -> list[Place]:
    """Return all places that can be changed, of these families or of all."""
    found = []
    for file in sorted(KERNELS.glob("*/*.cpp")):
        family = _TRIED_AS.get(file.parent.name, file.parent.name)
        rows = [row for row in ROWS if row.family == family]
        if rows and (not wanted or family in wanted):
            text = file.read_text(encoding="utf-8")
            names = _of_kernels(text, rows) or [row.c_name for row in rows]
            found += [Place(file, *s, family, tuple(names)) for s in sorted(_in_cpp(_code(text)))]
    for file in sorted(TABLE.glob("*.py")):
        module = importlib.import_module(f"pyaclnn.table.{file.stem}")
        rows = list(getattr(module, "ROWS", ())) if file.stem not in ("families", "index") else []
        family = Counter(row.family for row in rows).most_common(1)[0][0] if rows else ""
        if family and (not wanted or family in wanted):
            names = [row.c_name for row in rows]
            text = file.read_text(encoding="utf-8")
            found += [Place(file, *s, family, tuple(names)) for s in sorted(_in_row(text))]
    return found


def environment_of(folder: Path) -> dict[str, str]:
    """Return the environment of the programs of a copy, which have its own libraries."""
    kept = {name: value for name, value in os.environ.items() if name not in _LIBRARIES}
    return {**kept, "PYTHONPATH": str(folder), "PYACLNN_BACKEND": "simulator"}


_PYTEST = ("-m", "pytest", "-q", "-x", "-rfE", "-p", "no:cacheprovider")
#: Selftest on the chip that is its first argument.
_SELFTEST_ON = """\
import os, sys
os.environ["PYACLNN_SIM_SOC"] = sys.argv.pop(1)
from pyaclnn.selftest.__main__ import main
raise SystemExit(main())
"""
#: Operators of a row's module whose statuses are asked for, whichever of them has changed.
_FEW = 20


def _of_each(tests: Sequence[int], reached: Index) -> list[str]:
    """Return names of tests that take `TESTS` seconds: some of each function, quick ones first."""
    functions: dict[str, list[int]] = defaultdict(list)
    for test in tests:
        functions[reached.names[test].partition("[")[0]].append(test)
    found: list[str] = []
    seconds = 0.0
    while functions:
        for name, left in list(functions.items()):
            for test in left[:4]:
                # What starts pytest's fixtures and prints takes its time as well.
                seconds += reached.seconds[test] + 0.01
                found.append(reached.names[test])
                if seconds > TESTS:
                    return found
            if left[4:]:
                functions[name] = left[4:]
            else:
                del functions[name]
    return found


class Copy:
    """A copy of the checkout, in which one mutant after the other is built and tried."""

    def __init__(self, folder: Path, *, quick: bool = False, reached: Index | None = None) -> None:
        self.folder = folder
        self.quick = quick
        self.reached = reached
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=-1, check=True).stdout
        for name in filter(None, listed.decode().split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        objects = folder / "build/objects"
        objects.mkdir(parents=True)
        for file in (ROOT / "build/objects").glob("*.*"):
            os.link(file, objects / file.name)  # they are replaced, and never written to
        self.environment = environment_of(folder)
        self.patience = QUICK_PATIENCE if quick else RECORDED_PATIENCE if reached else PATIENCE
        if not self.build():
            raise SystemExit("this checkout cannot be built as it is")
        self.unchanged = self.library()
        self.generated = self._generated()

    def library(self) -> bytes:
        """Return the library of operators."""
        return self._library().read_bytes()

    def use(self, library: bytes) -> None:
        """Put a library of operators in the place of the copy's own."""
        self._library().write_bytes(library)

    def _library(self) -> Path:
        return self.folder / "pyaclnn/_toolkit/lib64/libopapi.so"

    def build_switched(self, places: Mapping[int, Place]) -> set[int]:
        """Build the library with all mutants that can be switched; return their numbers."""
        changes: dict[Path, dict[int, Change]] = defaultdict(dict)
        for number, place in places.items():
            if place.file.suffix == ".cpp":
                changes[place.file][number] = place.begin, place.end, place.new
        numbers = {}
        for file, some in changes.items():
            text, numbers[file] = switched(file.read_text(encoding="utf-8"), some)
            if numbers[file]:
                (self.folder / file.relative_to(ROOT)).write_text(text, encoding="utf-8")
        before = self._objects()
        if not self.build():
            made = self._objects() - before
            for file in numbers:
                stem = f"opapi-{file.parent.name}-{file.name}-"
                if numbers[file] and not any(name.startswith(stem) for name in made):
                    numbers[file] = set()
                    shutil.copy2(file, self.folder / file.relative_to(ROOT))
            if not self.build():
                raise SystemExit("mutants behind switches cannot be linked")
        for file in numbers:
            shutil.copy2(file, self.folder / file.relative_to(ROOT))
        return set(chain(*numbers.values()))

    def _objects(self) -> set[str]:
        return {file.name for file in (self.folder / "build/objects").glob("*.o")}

    def run(
        self, *command: str, patience: int = PATIENCE
    ) -> subprocess.CompletedProcess[str] | None:
        """Run Python in the copy; None where it does not end."""
        try:
            return subprocess.run(
                [sys.executable, *command], cwd=self.folder, env=self.environment, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=patience, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return None

    def build(self) -> bool:
        """Compile what has changed."""
        done = self.run("pyaclnn/sim/build.py", "--cache", "build/objects")
        return done is not None and done.returncode == 0

    def _generated(self) -> dict[str, list[str]]:
        """Return the lines of C++ that were made of the table."""
        files = (self.folder / "build/objects/generated/generate").glob("*.cpp")
        return {file.name: file.read_text(encoding="utf-8").splitlines() for file in files}

    def _changed(self, place: Place) -> Iterator[tuple[str, int, int]]:
        """Yield the files and lines, before the change, that differ with a mutant."""
        if place.file.suffix == ".cpp":
            text = place.file.read_text(encoding="utf-8")
            begin, end = (text.count("\n", 0, at) + 1 for at in (place.begin, place.end))
            yield name_of(str(place.file)), begin, end
            return
        for name, changed in self._generated().items():
            if (old := self.generated[name]) != changed:
                for kind, begin, end, _, _ in difflib.SequenceMatcher(
                    None, old, changed, autojunk=False
                ).get_opcodes():
                    if kind != "equal":
                        yield f"generate/{name}", begin + 1, max(begin + 1, end)

    def _running(self, place: Place, reached: Index) -> set[int]:
        """Return the tests that run what a mutant changes, or its file: constants have no code."""
        found = {test for lines in self._changed(place) for test in reached.running(*lines)}
        if found or place.file.suffix != ".cpp":
            return found
        last = len(place.file.read_text(encoding="utf-8").splitlines())
        return reached.running(name_of(str(place.file)), 1, last)

    def _checks_of_line(
        self, place: Place, reached: Index, tests: set[int]
    ) -> Iterator[tuple[str, ...]]:
        """Yield what may notice a mutant, of what ran the changed lines."""
        quickest = sorted(tests, key=lambda test: reached.seconds[test])
        names: dict[str, list[str]] = defaultdict(list)  # of each chip
        seconds: Counter[str] = Counter()
        own = [(*reached.names[t].split(), t) for t in quickest if "::" not in reached.names[t]]
        for chip, name, test in sorted(own, key=lambda of: of[1] not in place.operators):
            seconds[chip] += reached.seconds[test]
            if chip not in names or seconds[chip] < SELFTESTS:
                names[chip].append(name)
        for chip, some in names.items():
            arguments = (a for name in some for a in ("--op", operator_name(name)))
            yield "-c", _SELFTEST_ON, chip, "--processes", "1", *arguments
        self._keep_statuses({*chain(*names.values()), *place.operators[:_FEW]})
        yield *_PYTEST, "-n0", *STATUS_TESTS
        self._restore_statuses()
        chosen = _of_each([t for t in quickest if "::" in reached.names[t]], reached)
        if chosen:
            file = self.folder / "build/tests.txt"
            file.write_text("\n".join(chosen) + "\n", encoding="utf-8")
            yield *_PYTEST, "-n0", f"@{file}"

    def checks(self, place: Place) -> Iterator[tuple[str, ...]]:
        """Yield what may notice a mutant, the quickest first."""
        if self.reached is not None and (tests := self._running(place, self.reached)):
            yield from self._checks_of_line(place, self.reached, tests)
            return
        names = [operator_name(name) for name in place.operators]
        selftest = ("-m", "pyaclnn.selftest", *(a for name in names for a in ("--op", name)))
        yield *selftest, "--quick"
        files: dict[bool, list[str]] = {True: [], False: []}
        for file in sorted((ROOT / "tests/operators").glob("test_*.py")):
            family = lines.family_of(file)
            if family in (place.family, lines.SHARED) and file.stem != "test_statuses":
                files[family == place.family].append(str(file.relative_to(ROOT)))
        self._keep_statuses(set(place.operators))
        yield *_PYTEST, *STATUS_TESTS
        if self.quick:
            return
        if files[True]:
            yield *_PYTEST, *files[True]
        yield selftest
        yield "-m", "pyaclnn.selftest", "--op", place.family, "--quick"
        words = [*names, *(name.removeprefix("aclnn") for name in place.operators)]
        yield *_PYTEST, *files[False], "-k", " or ".join(dict.fromkeys(words))

    def _restore_statuses(self) -> None:
        for file in CALLS:  # other tests read them, too
            shutil.copy2(file, self.folder / file.relative_to(ROOT))

    def _keep_statuses(self, names: set[str]) -> None:
        for file in CALLS:
            kept = dict(_calls(file))
            if "calls" in kept:
                kept["calls"] = [call for call in kept["calls"] if call["operator"] in names]
            for kind in kept.keys() & {"drawn", "near"}:
                kept[kind] = [call for call in kept[kind] if call[0] in names]
            copied = self.folder / file.relative_to(ROOT)
            copied.write_text(json.dumps(kept), encoding="utf-8")

    def verdict(self, place: Place, number: int = 0) -> str:
        """Say what noticed a mutant, which has a number if it is behind a switch; "" for nobody."""
        if number:
            return self._tried(place, lambda on: self._switch(number if on else 0))
        # Two mutants of a row in one second would share what Python compiled of the first.
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1" if place.file.suffix == ".py" else ""
        if self.is_same(place):
            return THE_SAME
        return self._tried(place, lambda on: self._write(place, changed=on))

    def is_same(self, place: Place) -> bool:
        """Return whether a mutant of C++ is compiled to what there is without it."""
        if place.file.suffix != ".cpp":
            return False
        built = self._write(place, changed=True)
        self._write_text(place, changed=False)
        return built and self.library() == self.unchanged

    def _switch(self, number: int) -> bool:
        self.environment[VARIABLE] = str(number)
        return True

    def _write_text(self, place: Place, *, changed: bool) -> None:
        text = place.file.read_text(encoding="utf-8")
        if changed:
            text = text[: place.begin] + place.new + text[place.end :]
        (self.folder / place.file.relative_to(ROOT)).write_text(text, encoding="utf-8")

    def _write(self, place: Place, *, changed: bool) -> bool:
        self._write_text(place, changed=changed)
        return self.build()

    def _tried(self, place: Place, switch: Callable[[bool], bool]) -> str:
        try:
            if not switch(True):
                return NOT_BUILT
            for check in self.checks(place):
                done = self.run(*check, patience=self.patience)
                if done is not None and done.returncode in (0, 5):  # 5: no tests
                    continue
                failed = re.search(
                    r"^(?:FAILED|ERROR) (\S.*?)(?: - |$)", done.stdout if done else "", re.M
                )
                noticed = failed[1] if failed else "selftest"
                if done is not None and (_SELFTEST_ON in check or check[-1].startswith("@")):
                    return noticed
                again = (*_PYTEST, noticed) if failed else check
                switch(False)
                before = self.run(*again)
                if before is not None and before.returncode == 0:
                    return noticed
                print(f"  fails without it, too: {' '.join(again)[:200]}", flush=True)
                switch(True)
            return ""
        finally:
            self._switch(0)
            self._write_text(place, changed=False)
            self._restore_statuses()


@lru_cache(None)
def _calls(file: Path) -> dict[str, Any]:
    return dict(json.loads(file.read_text(encoding="utf-8")))


class Judges:
    """Copies of the checkout that share the work."""

    def __init__(self, copies: Sequence[Copy]) -> None:
        self.copies = copies
        self.verdicts: dict[Place, str] = {}
        self._lock = Lock()

    def judge(self, places: Sequence[Place]) -> None:
        """Find the verdict on each, those behind switches first."""
        numbered = dict(enumerate(places, 1))
        together = self.copies[0].build_switched(numbered)
        library = self.copies[0].library()
        print(f"{len(together)} of {len(places)} are compiled together", flush=True)
        for copy in self.copies:
            copy.use(library)
        self._share(
            [n for n in numbered if n in together],
            lambda copy, n: self._say(numbered[n], copy.verdict(numbered[n], n)),
        )
        for copy in self.copies:
            copy.use(copy.unchanged)
        # What nobody noticed is compiled alone, too: perhaps to the same. Compilers take an index
        # behind a switch for one that stays inside.
        self._share(
            [p for n, p in numbered.items() if n not in together or not self.verdicts[p]],
            lambda copy, place: self._say(place, copy.verdict(place)),
        )

    def _share(self, left: Sequence[Any], work: Callable[[Copy, Any], object]) -> None:
        queue: SimpleQueue[Any] = SimpleQueue()
        for each in left:
            queue.put(each)

        def take(copy: Copy) -> None:
            with suppress(Empty):
                while True:
                    work(copy, queue.get_nowait())

        with ThreadPoolExecutor(len(self.copies)) as pool:
            list(pool.map(take, self.copies))

    def _say(self, place: Place, verdict: str) -> None:
        with self._lock:
            self.verdicts[place] = verdict
            print(f"{place}\n  {verdict or 'NOT NOTICED'}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=5, help="mutants that can be built")
    parser.add_argument("--family", action="append", default=[], choices=sorted(lines.FAMILIES))
    parser.add_argument("--quick", action="store_true", help="run what takes seconds, only")
    parser.add_argument(
        "--reached", type=Path, metavar="FOLDER", help="what tools/reached.py recorded"
    )
    parser.add_argument("--processes", type=int, default=1, help="mutants tried at a time")
    parser.add_argument("--list", action="store_true", help="show what would be drawn, only")
    options = parser.parse_args(arguments)
    found = places(options.family)
    random.Random(options.seed).shuffle(found)
    if options.list:
        print(*found[: options.count], sep="\n")
        return 0
    reached = Index(options.reached) if options.reached else None
    left = iter(found)
    judged: dict[Place, str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(scratch, str(n)) for n in range(options.processes)]
        judges = Judges([Copy(f, quick=options.quick, reached=reached) for f in folders])
        while drawn := list(islice(left, options.count - len(judged))):
            judges.judge(drawn)
            judged = {p: v for p, v in judges.verdicts.items() if v not in (NOT_BUILT, THE_SAME)}
    survivors = [place for place, verdict in judged.items() if not verdict]
    print(f"{len(judged) - len(survivors)} of {len(judged)} noticed", *survivors, sep="\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
