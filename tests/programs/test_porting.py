"""The porting guide: its C++ compiles and runs, its Python runs, and both print the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import pyaclnn as pa
from pyaclnn.abi import index
from pyaclnn.port.check import run_sample

Run = Callable[..., CompletedProcess[str]]
GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "porting.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
PYTHON = [text for language, text in BLOCKS if language == "python"]
WHOLE, *PARTS = (text for language, text in BLOCKS if language == "cpp")
(SHOWN,) = (text for language, text in BLOCKS if language == "")
OPERATORS = [re.findall(r"aclnn(\w+)GetWorkspaceSize", text)[0] for text in (WHOLE, *PARTS)]
ROWS = re.findall(r"^\| (?!C \||exit)(.*) \| (.*) \|$", GUIDE, re.MULTILINE)


def assembled(part: str) -> str:
    """The whole sample with another operator: its values and call, and what follows from them."""
    values, call = part.split("  // ...\n")
    name = OPERATORS[1 + PARTS.index(part)]
    values, _, scalar = values.partition("  float limit")
    steps = [
        (r"  std::vector<int64_t> shape.*?(?=  std::vector<float> outHost)", values),
        (r"  float limit.*?\n(?=\n  // 3)", "  float limit" + scalar if scalar else ""),
        (r"  CHECK\(aclnnSoftshrinkBackwardGet.*?;\n", call),
        (r"  aclDestroyScalar.*?\n", "  aclDestroyScalar(lambd);\n" if scalar else ""),
    ]
    program = WHOLE
    for old, new in steps:
        program, count = re.subn(old, lambda _, new=new: new, program, flags=re.DOTALL)
        assert count == 1, old
    header = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    program = program.replace("aclnn_softshrink_backward.h", f"aclnn_{header}.h")
    return program.replace("aclnnSoftshrinkBackward", f"aclnn{name}")


PROGRAMS = [WHOLE, *map(assembled, PARTS)]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    """What each Python block prints, run one after the other, and where they ran."""
    folder = tmp_path_factory.mktemp("guide")
    program = "\n".join(f"print('== block')\n{text}" for text in PYTHON)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True, text=True, cwd=folder, timeout=120, check=False,
        env={**os.environ, "PYTHONPATH": str(Path(pa.__file__).parents[1])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split("== block\n")[1:], folder


def numbers(text: str) -> list[float]:
    return [float(value) for value in re.findall(r"-?\d+\.?\d*(?:e[-+]\d+)?", text)]


def test_the_first_program_prints_what_it_says(printed: tuple[list[str], Path]) -> None:
    assert printed[0][0] == SHOWN


@pytest.mark.parametrize("position", range(len(PROGRAMS)), ids=OPERATORS)
def test_both_sides_give_the_same_numbers(
    position: int, printed: tuple[list[str], Path], tmp_path: Path
) -> None:
    called = [text for text in PYTHON if "print(out.numpy())" in text]
    assert len(called) == len(PROGRAMS)
    python = printed[0][PYTHON.index(called[position])]

    sample = tmp_path / "sample.cpp"
    sample.write_text(PROGRAMS[position], encoding="utf-8")
    cpp = run_sample(sample, tmp_path)

    assert len(numbers(cpp)) == 8
    # NumPy prints eight digits, %g six.
    assert numbers(cpp) == pytest.approx(numbers(python), rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("position", range(len(PROGRAMS)), ids=OPERATORS)
def test_the_translator_ports_the_samples_of_the_guide(
    position: int, run: Run, tmp_path: Path
) -> None:
    pytest.importorskip("tree_sitter_cpp", reason="the port extra is not installed")
    sample = tmp_path / "sample.cpp"
    sample.write_text(PROGRAMS[position], encoding="utf-8")

    done = run("-m", "pyaclnn.port", "--check", str(sample))

    assert done.returncode == 0, done.stderr
    assert "print the same 8 numbers" in done.stdout


def test_the_recorded_program_fails_where_the_call_failed(
    printed: tuple[list[str], Path], tmp_path: Path
) -> None:
    text = run_sample(printed[1] / "report.cpp", tmp_path)

    assert "call 3: aclnnSoftshrinkBackward\n" in text
    assert "aclnnSoftshrinkBackwardGetWorkspaceSize: error 161002" in text


def test_every_c_name_in_the_table_is_declared() -> None:
    names = {n for c, _ in ROWS for n in re.findall(r"`(acl\w+)`", c) if "Xxx" not in n}

    assert len(names) > 30
    assert [name for name in sorted(names) if index.find(name) is None] == []


def test_every_python_name_in_the_guide_exists() -> None:
    names = set(re.findall(r"\bpa((?:\.\w+)+)", GUIDE))

    assert len(names) > 20
    for name in names:
        found = pa
        for part in name.split(".")[1:]:
            if part == "xxx":
                break
            found = getattr(found, part)


def test_every_link_leads_somewhere() -> None:
    titles = re.findall(r"^## (.*)$", GUIDE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}

    assert set(re.findall(r"\]\(#(.*?)\)", GUIDE)) <= anchors


@pytest.mark.parametrize(
    ("module", "option"), sorted(set(re.findall(r"-m (pyaclnn\.\w+) .*?(--[\w-]+)", GUIDE)))
)
def test_every_option_exists(module: str, option: str, run: Run) -> None:
    assert option in run("-m", module, "--help").stdout
