"""Replaying gives what was recorded, to the bit, and finds the operator that errs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
import toolchain
from traces.traced import python, trace

import pyaclnn as pa
from pyaclnn.trace import elf, replay, summary, toolkit
from pyaclnn.trace.__main__ import main
from pyaclnn.trace.difference import compare
from pyaclnn.trace.reader import Trace

#: Views, lists, arrays, texts, results that are used again, and values of several dtypes.
PROGRAM = """
rng = np.random.default_rng(1)
x = pa.asarray(rng.standard_normal((6, 8)).astype(np.float32))
y = pa.ops.mul(x[::2], x[1::2])
z = pa.ops.cat([y, y, x], 0)
w = pa.ops.matmul(z, pa.asarray(rng.standard_normal((8, 3)).astype(np.float32)))
s = pa.ops.softmax(w, 1)
t = pa.ops.reduce_sum(s, [0], False, 'float32')
h = pa.ops.cast(s, 'float16')
pa.ops.inplace_add(w, w, 0.5)
print(repr(t.numpy()))
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    """Trace the program with all contents."""
    folder = tmp_path_factory.mktemp("replay") / "trace"
    done = trace(folder, python(PROGRAM), "--content", "full")
    assert done.returncode == 0, done.stderr
    return Trace(folder)


def test_a_replay_equals_the_recorded_outputs_to_the_bit(recorded: Trace) -> None:
    outcome = replay.run(recorded)

    assert outcome.left_out == []
    assert outcome.differences == []
    assert outcome.exact == outcome.calls >= 7
    assert (outcome.close, outcome.unknown) == (0, 0)


def test_memory_that_work_still_writes_is_waited_for(recorded: Trace) -> None:
    for tensor in [pa.zeros(8) for _ in range(64)]:
        tensor.close()  # back in the pool, and written by nobody knows when

    assert replay.run(recorded).differences == []


@pytest.mark.parametrize("content", ["hash", "statistics"])
def test_hashes_and_statistics_are_compared_as_well(
    tmp_path: Path, recorded: Trace, content: str
) -> None:
    done = trace(tmp_path / "t", python(PROGRAM), "--content", content)
    assert done.returncode == 0, done.stderr

    outcome = replay.run(recorded, against=Trace(tmp_path / "t"))

    assert outcome.differences == []
    assert outcome.exact >= 7


def planted(folder: Path) -> Path:
    """Return a toolkit in which subtraction adds: the names of the two functions are swapped."""
    real = toolchain.toolkit()
    lib64 = folder / "lib64"
    lib64.mkdir(parents=True)
    for entry in real.iterdir():
        if entry.name != "lib64":
            (folder / entry.name).symlink_to(entry)
    for entry in (real / "lib64").iterdir():
        (lib64 / entry.name).symlink_to(entry)
    library = lib64 / "libopapi.so"
    code = bytearray(library.read_bytes())
    places = {name: at for at, name, _ in elf.symbols(code)}
    for phase in ("GetWorkspaceSize", ""):
        one, other = places["aclnnSub" + phase] + 8, places["aclnnAdd" + phase] + 8
        code[one : one + 8], code[other : other + 8] = (
            code[other : other + 8],
            code[one : one + 8],
        )
    library.unlink()
    library.write_bytes(code)
    return folder


def test_an_error_planted_in_an_operator_is_the_first_difference(tmp_path: Path) -> None:
    if "sanitize" in (toolchain.toolkit() / "build.json").read_text():
        pytest.skip("Python has no sanitizer, which such libraries need")
    code = (
        "x = pa.asarray(np.arange(6, dtype=np.float32))\n"
        "y = pa.ops.mul(x, x)\n"
        "z = pa.ops.sub(y, x, 1.0)\n"
        "print(pa.ops.exp(z).numpy())\n"
    )
    good, wrong = tmp_path / "good", tmp_path / "wrong"
    trace(good, python(code), "--content", "full")
    root = planted(tmp_path / "planted")
    trace(wrong, python(code), "--content", "full", PYACLNN_SIM_HOME=str(root))

    outcome = replay.run(Trace(good), against=Trace(wrong), save=tmp_path / "npy")
    first = outcome.differences[0]

    assert (first.call.operator, first.parameter) == ("Sub", "out")
    assert np.load(tmp_path / "npy" / "self.npy").tolist() == [0, 1, 4, 9, 16, 25]
    assert np.load(tmp_path / "npy" / "replayed.npy").tolist() == [0, 0, 2, 6, 12, 20]
    assert np.load(tmp_path / "npy" / "recorded.npy").tolist() == [0, 2, 6, 12, 20, 30]
    saved = ["--save", str(tmp_path / "again")]
    assert main(["replay", str(good), "--against", str(wrong), *saved]) == 1
    assert main(["replay", str(good)]) == 0
    (content,) = (c for c in compare(Trace(good), Trace(wrong)) if c.kind == "content")
    assert content.what.startswith("out after")
    assert content.one is not None
    assert content.one.operator == "Sub"


def test_a_replay_without_contents_makes_the_calls_with_drawn_ones(tmp_path: Path) -> None:
    done = trace(tmp_path / "t", python(PROGRAM))
    assert done.returncode == 0, done.stderr
    outcome = replay.run(Trace(tmp_path / "t"))

    assert outcome.calls >= 7
    assert (outcome.differences, outcome.left_out, outcome.exact) == ([], [], 0)


def test_calls_become_a_program_in_cpp_or_python(
    recorded: Trace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = [
        c.number for c in replay.operator_calls(recorded, None, None) if c.operator == "Softmax"
    ]
    selected = ["--from", str(numbers[0]), "--until", str(numbers[0])]
    assert main(["replay", str(recorded.path), *selected, "--to", "cpp"]) == 0
    source = tmp_path / "program.cpp"
    source.write_text(capsys.readouterr().out)
    printed = toolchain.run(toolchain.build(source)).stdout
    call = recorded.calls[numbers[0]]
    (after,) = (c for c in call.contents if c.after)
    values = np.frombuffer(recorded.read_content(call, after), np.float32)

    found = [float(line.partition("=")[2]) for line in printed.splitlines() if "=" in line]

    np.testing.assert_allclose(found, values, rtol=1e-6)


def test_two_versions_of_a_program_are_laid_beside_each_other(tmp_path: Path) -> None:
    before = "x = pa.ones((4, 2), 'float32')\npa.ops.exp(x)\npa.ops.add(x, x, 1)\n"
    after = "x = pa.ones((4, 3), 'float32')\npa.ops.exp(x)\npa.ops.neg(x)\npa.ops.add(x, x, 1)\n"
    trace(tmp_path / "a", python(before))
    trace(tmp_path / "b", python(after))

    changes = list(compare(Trace(tmp_path / "a"), Trace(tmp_path / "b")))
    added = {c.other.operator for c in changes if c.kind == "added" and c.other}
    changed = [c.what for c in changes if c.kind == "changed" and c.one and c.one.operator == "Exp"]

    assert added == {"Neg"}
    assert changed == ["self: float32[4, 2] -> float32[4, 3]; out: float32[4, 2] -> float32[4, 3]"]


def test_the_first_nan_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "x = pa.asarray(np.array([1, -1], np.float32))\npa.ops.exp(pa.ops.log(x)).numpy()\n"
    trace(tmp_path / "t", python(code), "--content", "statistics")

    assert main(["show", str(tmp_path / "t")]) == 0
    told = capsys.readouterr().out

    assert "first NaN or infinity: out after call" in told
    assert "Log: 1 NaN, 0 infinite" in told


def test_the_guide_s_program_is_as_the_guide_says(tmp_path: Path) -> None:
    page = (Path(toolchain.__file__).parents[1] / "docs" / "trace.md").read_text(encoding="utf-8")
    program = page.partition("```python\n")[2].partition("```")[0]
    trace(tmp_path / "nan", [sys.executable, "-c", program], "--content", "full")
    shown = list(summary.report(Trace(tmp_path / "nan"), Trace(tmp_path / "nan").calls))
    told = page.partition("ends with\n\n```\n")[2].partition("```")[0].splitlines()

    assert [line for line in told if line not in shown] == []


def test_the_environment_is_as_it_was(tmp_path: Path) -> None:
    # The stand-in lies in a folder of its own, which goes with the program.
    done = trace(
        tmp_path / "t", [sys.executable, "-c", "import os; print(os.environ['LD_LIBRARY_PATH'])"]
    )

    assert not Path(done.stdout.split(":")[0]).exists()
    assert "PYACLNN_TRACE" not in os.environ
    assert toolkit.real_root().exists()
