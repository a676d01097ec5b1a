"""What the pages of docs/ show is what happens; some pages have a test of their own elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from pyaclnn.table import NOT_SIMULATED

Run = Callable[..., CompletedProcess[str]]
DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ["start", "concepts/streams", "concepts/memory", "concepts/views", "concepts/plans",
         "concepts/graphs", "real-cann", "paged-decoding", "quantised"]  # fmt: skip
#: Tried by tests of their own, or (custom-operators) with a package that the reader has.
ELSEWHERE = {"index", "porting", "without-an-npu", "several-devices", "sharing", "races", "checks",
             "security", "custom-operators", "troubleshooting", "speed", "reference/index",
             "simulated", "coming-from-numpy", "fidelity", "commands", "releases",
             "trace", "wheels"}  # fmt: skip
#: Written by tools/pages from headers, table and error codes.
GENERATED = {"operators", "status-codes", "reference/functions"}
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
MARK = "== end of a block ==\n"


def blocks(page: str) -> list[tuple[str, str]]:
    return BLOCK.findall((DOCS / f"{page}.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_prints_what_it_says(run: Run, page: str) -> None:
    found = blocks(page)
    done = run(
        "-W", "error", "-c", f"print({MARK!r}, end='')\n".join(f"{code}\n" for code, _ in found)
    )

    assert done.returncode == 0, done.stderr
    printed = done.stdout.split(MARK)
    assert len(printed) == len(found)
    for (_, expected), text in zip(found, printed, strict=True):
        assert not expected or text == expected


def test_no_page_is_left_out() -> None:
    written = {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md")}
    pages = {page for page in written if not page.startswith(("operators/", "pictures/"))}

    assert pages - ELSEWHERE - GENERATED - set(PAGES) == set()


def test_the_page_of_the_simulator_says_which_operators_are_left_and_why() -> None:
    names: dict[str, list[str]] = {}
    for name, reason in sorted(NOT_SIMULATED.items()):
        names.setdefault(reason, []).append(name)

    page = (DOCS / "simulated.md").read_text(encoding="utf-8")

    left = page.partition("## Operators that are left")[2].partition("\n## ")[0]
    rows = [line for line in left.splitlines() if line.startswith("| ")][1:]
    assert rows == [f"| {', '.join(those)} | {reason} |" for reason, those in names.items()]


def test_the_variables_of_the_simulator_are_those_that_it_reads() -> None:
    sources = (DOCS.parent / "pyaclnn" / "sim" / "src").rglob("*.cpp")
    read = {
        name
        for path in sources
        for name in re.findall(r'"(PYACLNN_SIM_\w+)"', path.read_text(encoding="utf-8"))
    }
    page = (DOCS / "simulated.md").read_text(encoding="utf-8")

    assert set(re.findall(r"PYACLNN_SIM_\w+", page)) == read


@pytest.mark.parametrize(
    "picture", sorted((DOCS / "gallery").glob("plot_*.py")), ids=lambda p: p.stem
)
def test_a_picture_is_a_program_that_runs(run: Run, picture: Path) -> None:
    # Without matplotlib, which is no requirement of the tests: what is drawn is taken and left.
    stub = (
        "import sys, unittest.mock as m\n"
        "class Axes(list):\n"
        "    flat = property(lambda self: [m.MagicMock() for _ in range(6)])\n"
        "    __getitem__ = lambda self, key: m.MagicMock()\n"
        "    __getattr__ = lambda self, name: m.MagicMock()\n"
        "plt = m.MagicMock(); plt.subplots = lambda *a, **k: (m.MagicMock(), Axes())\n"
        "pyplot = m.MagicMock(pyplot=plt)\n"
        "sys.modules.update({'matplotlib': pyplot, 'matplotlib.pyplot': plt})\n"
    )
    done = run("-c", stub + picture.read_text(encoding="utf-8"))

    assert done.returncode == 0, done.stderr
