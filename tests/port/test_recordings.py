"""tools/samples.py: what samples call is written down, and so is what their ports call."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLES = Path(__file__).parent / "samples"
WORK = "work"


def tool(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "samples.py"), str(folder), "--lists",
         "--work", str(folder / WORK)],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_two_samples_and_their_ports_make_the_same_calls(tmp_path: Path) -> None:
    for name in ("transposed_input.cpp", "tensor_list.cpp"):
        shutil.copy(SAMPLES / name, tmp_path)

    printed = tool(tmp_path)

    assert printed.startswith("2 samples, 2 compile (100.0 %), 2 link (100.0 %)\n")
    rows = {line[:36].strip(): line[36:].split() for line in printed.splitlines()[2:] if line}
    assert rows["complete"] == rows["identical"] == ["2", "100.0", "%"] * 2
    recorded = (tmp_path / WORK / "samples" / "transposed_input.cpp.calls").read_text()
    assert recorded.startswith("0 PLAN aclnn")
    assert "0 RUN aclnn" in recorded


def test_what_was_tried_is_not_tried_again(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "tensor_list.cpp", tmp_path)
    kept = tmp_path / WORK / "samples" / "tensor_list.json"
    kept.parent.mkdir(parents=True)
    style = {"translated": 2, "why": "of another day", "seconds": 11.0, "memory": 5}
    kept.write_text(
        json.dumps({"name": "tensor_list", "error": "", "idiomatic": style, "raw": style})
    )

    printed = tool(tmp_path)

    assert "tensor_list, raw: not complete: of another day" in printed
    assert "tensor_list, idiomatic: 11.0 s, 5 MiB" in printed


PLAN = "0 PLAN aclnnAbs|self=tensor shape=(2,3,4,) strides=contiguous offset=0 dtype=0 format={}\n"
RUN = "0 RUN aclnnAbs|self={}\n"


@pytest.mark.parametrize(
    ("sample", "port", "text", "verdict"),
    [
        ("", "", "", "nothing"),
        ("0 LACK aclnnCalculateMatmulWeightSize\n", RUN.format(1), "", "nothing"),
        (PLAN.format(2) + RUN.format(1), PLAN.format(2) + RUN.format(1), "", "identical"),
        (PLAN.format(2), PLAN.format(47), "x, which the sample describes as ND, go", "format"),
        (PLAN.format(2), PLAN.format(47), "", "unremarked"),
        (PLAN.format(29), PLAN.format(2), "", "unremarked"),
        (RUN.format(1), RUN.format(2), "", "unremarked"),
        (RUN.format(1), RUN.format(2), "    # a.cpp:3: drawn at random\n", "remarked"),
        (RUN.format(1), RUN.format(2), "# a.cpp:3: an address\n# that it prints\n", "unremarked"),
        (RUN.format(1), RUN.format(2), "# a.cpp:3: it prints\n# a.cpp:4: drawn\n", "remarked"),
        (RUN.format(1), RUN.format(1) * 2, "# NOT PORTED a.cpp:4: goto\n", "remarked"),
        (RUN.format(1), RUN.format(1).replace("0 RUN", "1 RUN"), "# 3: no place", "unremarked"),
    ],
)
def test_a_difference_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample: str, port: str, text: str, verdict: str
) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    from recording.comparison import compare

    files = []
    for name, recording in (("sample", sample), ("port", port)):
        files.append(tmp_path / name)
        if recording:
            files[-1].write_text(recording)

    found = compare(*files, text)

    assert found["verdict"] == verdict
    assert ("difference" in found) == ("remarked" in verdict)
