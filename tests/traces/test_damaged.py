"""A file may be cut, changed or made to do harm: reading it ends with calls or an error."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import numpy as np
import pytest
from traces.traced import python, trace

from pyaclnn.trace import summary, timeline
from pyaclnn.trace.__main__ import main
from pyaclnn.trace.layout import Layout
from pyaclnn.trace.reader import Trace, TraceError


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trace a small program with statistics."""
    folder = tmp_path_factory.mktemp("damaged") / "trace"
    code = "x = pa.ones((2, 3), 'float32')\npa.ops.cat([x, pa.ops.exp(x)], 0).numpy()\n"
    assert trace(folder, python(code), "--content", "statistics").returncode == 0
    (file,) = folder.glob("*.trace")
    return file


def looked_at(file: Path) -> None:
    """Do all that reads a trace."""
    found = Trace(file)
    list(summary.report(found, found.calls))
    timeline.to_html(found, found.calls)
    Layout(c.first_phase for c in found.calls if c.first_phase)


@pytest.mark.parametrize("seed", range(8))
def test_changed_bytes_give_calls_or_an_error(whole: Path, tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    intact = whole.read_bytes()
    # Most of a file is room that is not used yet.
    used = np.flatnonzero(np.frombuffer(intact, np.uint8))
    file = tmp_path / "changed.trace"
    for _ in range(60):
        data = bytearray(intact)
        for at in rng.choice(used, rng.integers(1, 12)):
            value = rng.choice([0, 1, 127, 128, 255, int(rng.integers(256))])
            data[at : at + rng.integers(1, 9)] = bytes([value]) * int(rng.integers(1, 9))
        if rng.random() < 0.2:
            del data[rng.integers(len(data)) :]
        file.write_bytes(data)
        with contextlib.suppress(TraceError):
            looked_at(file)


def test_the_intact_file_is_read(whole: Path) -> None:
    looked_at(whole)

    assert {"Exp", "Cat"} <= {c.operator for c in Trace(whole).calls}


@pytest.mark.parametrize("name", ["../../escaped", "a b", "x\x1b[2J", ""])
def test_names_that_are_none_are_refused(whole: Path, tmp_path: Path, name: str) -> None:
    data = bytearray(whole.read_bytes())
    at = data.index(b"aclnnExpGetWorkspaceSize")
    size = len(b"aclnnExpGetWorkspaceSize")
    data[at : at + size] = name.encode().ljust(size, b"!")[:size]
    file = tmp_path / "hostile.trace"
    file.write_bytes(data)

    with pytest.raises(TraceError, match="definition"):
        Trace(file)


def test_what_is_no_trace_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.trace").write_bytes(b"PYACLTR1" + struct.pack("<IIQQQ", 1, 0, 0, 0, 0))

    assert main(["show", str(tmp_path)]) == 1
    assert main(["show", str(tmp_path / "nothing")]) == 1
    assert main(["replay", str(Path(__file__))]) == 1

    told = capsys.readouterr().err.splitlines()
    assert "blocks of 1 bytes cannot be" in told[0]
    assert told[2].endswith("this is no trace")
