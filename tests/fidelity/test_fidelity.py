"""The same calls on two sides: what differs is found and named, and the rest is not."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import toolchain

from pyaclnn.fidelity import differences
from pyaclnn.fidelity.__main__ import chosen_units, main
from pyaclnn.fidelity.calls import _message_code
from pyaclnn.fidelity.side import lines
from pyaclnn.table import differences as table

SOURCES = {"ascendcl": "", "nnopbase": "", "opapi": '#include "faulty.c"'}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the root of a toolkit whose operators have planted faults: the simulator's, wrapped."""
    root = tmp_path_factory.mktemp("faulty")
    lib64, real = root / "lib64", toolchain.toolkit() / "lib64"
    lib64.mkdir()
    here, headers = Path(__file__).parent, toolchain.REPOSITORY / "headers"
    for name, source in SOURCES.items():
        command = [
            *toolchain.compiler(".c"), "-shared", "-fPIC", "-w", f"-I{headers}", f"-I{here}",
            "-o", str(lib64 / f"lib{name}.so"), "-x", "c", "-", "-x", "none",
            "-Wl,--no-as-needed", str(real / f"lib{name}.so"), f"-Wl,-rpath,{real}", "-ldl",
        ]  # fmt: skip
        subprocess.run(command, input=source.encode(), check=True)
    return root


def compared(folder: Path, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    status = main(["--folder", str(folder), "--json", *arguments])
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return status, report["differences"]


def summary(found: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(each["unit"], each["kind"]) for each in found}


def test_planted_faults_are_all_found_and_end_nothing(
    faulty: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ASCEND_HOME_PATH", str(faulty))
    names = ("selu", "hardswish", "tanh", "sigmoid", "silu", "softshrink")

    status, found = compared(
        tmp_path, "--reference=cann", "--quick", "--timeout=4",
        *(f"--op={name}_backward" for name in names),
    )  # fmt: skip

    capsys.readouterr()
    ended = [each["reference"] for each in found if each["kind"] == "ended"]
    bits = [each for each in found if each["kind"] == "bits"]
    workspace = [each for each in found if each["kind"] == "workspace"]
    assert status == 1
    assert summary(found) == {
        ("selu_backward", "status"),
        ("hardswish_backward", "workspace"),
        ("tanh_backward", "bits"),
        ("sigmoid_backward", "ended"),
        ("silu_backward", "ended"),
        # What was left out after that is there on one side only.
        ("sigmoid_backward", "absent"),
        ("silu_backward", "absent"),
    }
    assert ended.count("crashed with SIGABRT") == 3
    assert ended.count("hung for 4 s") == 1
    # Of a NaN or a zero the distance is less.
    assert {each["size"] for each in bits} <= {0, 1}
    assert any(each["size"] for each in bits)
    assert all("(1 of " in each["reference"] for each in bits)
    assert {int(e["reference"]) - int(e["candidate"]) for e in workspace} == {512}
    report = (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert "crashed with SIGABRT" in report
    assert "softshrink" not in report


def test_profiles_differ_where_it_is_known_that_they_do_and_that_can_be_learnt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learnt_table = tmp_path / "differences.json"
    arguments = [
        "--reference=simulator:Ascend910A:9.0", "--candidate=simulator:Ascend910B1",
        "--op=softshrink_backward", "--quick", f"--table={learnt_table}",
    ]  # fmt: skip

    status, found = compared(tmp_path, *arguments)
    capsys.readouterr()
    learnt = compared(tmp_path, *arguments, "--learn=no bfloat16")[0]
    again, known = compared(tmp_path, *arguments)

    assert summary(found) == {("softshrink_backward", "absent"), ("softshrink_backward", "status")}
    assert all("bfloat16" in each["key"] for each in found)
    assert (status, learnt, again) == (1, 1, 0)
    assert {each["why"] for each in known} == {"no bfloat16"}
    assert {k.soc for k in table.load(learnt_table)} == {"Ascend910A"}


def test_what_was_learnt_of_an_operator_is_what_the_simulator_does_then(
    faulty: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    learnt = tmp_path / "differences.json"
    arguments = ["--reference=cann", "--quick", "--op=selu_backward", "--op=hardswish_backward"]
    monkeypatch.setenv("ASCEND_HOME_PATH", str(faulty))

    first = compared(tmp_path / "1", *arguments, "--learn=planted", f"--table={learnt}")
    # A table that says nothing of it, and a simulator that does it all the same.
    monkeypatch.setenv("PYACLNN_SIM_DIFFERENCES", str(learnt))
    entries = {(k.c_name, k.workspace, k.status) for k in table.load(learnt)}
    candidate = ["--candidate=simulator:Ascend910B1:9.0", f"--table={tmp_path / 'none'}"]
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "reference.jsonl").write_bytes(
        (tmp_path / "1" / "reference.jsonl").read_bytes()
    )
    again = compared(tmp_path / "2", *arguments, *candidate)

    capsys.readouterr()
    assert first[0] == 1
    assert entries >= {("aclnnHardswishBackward", 512, 0), ("aclnnSeluBackward", 0, 361001)}
    assert [each for each in again[1] if each["unit"] == "hardswish_backward"] == []
    # The simulator's own checks come first; those of the planted fault are gone.
    assert {each["candidate"] for each in again[1] if each["kind"] == "status"} <= {
        "[161001]", "[161002]", "[561003]",
    }  # fmt: skip


def test_releases_differ_where_it_is_known_that_they_do(tmp_path: Path) -> None:
    row = next(r for r in table_rows() if r.name == "HardswishBackwardV2")
    assert row.since == "8.5"
    name = f"--op={row.c_name}"

    status, found = compared(
        tmp_path, "--reference=simulator:Ascend910B1:8.1", "--candidate=simulator:Ascend910B1:9.0",
        "--quick", name,
    )  # fmt: skip

    assert status == 1
    assert {kind for _, kind in summary(found)} <= {"absent", "status", "message"}


def table_rows() -> Any:
    from pyaclnn.table import ROWS

    return ROWS


def test_a_run_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = ["--reference=simulator", "--candidate=simulator", "--quick", f"--folder={tmp_path}"]

    assert main([*sides, "--op=gelu", "--minutes=0"]) == 3
    assert main([*sides, "--op=gelu"]) == 0
    # A process was killed in the middle of a line.
    file = tmp_path / "reference.jsonl"
    file.write_bytes(file.read_bytes() + b'{"key": "stream/a str')
    assert main([*sides, "--op=gelu", "--op=stream", "--op=misuse"]) == 0
    keys = [line["key"] for _, line in lines(file) if "key" in line]
    assert len(keys) == len(set(keys))
    assert main([*sides, "--seed=3"]) == 2
    assert "seed" in capsys.readouterr().err


def test_sides_that_are_not_there_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path))
    where = f"--folder={tmp_path / 'there'}"

    assert main([where, "--reference=nowhere"]) == 2
    assert "simulator[:SOC[:CANN]]" in capsys.readouterr().err
    assert main([where, "--op=no_such_operator"]) == 2
    assert "no_such_operator" in capsys.readouterr().err
    assert main([where, "--op=gelu", "--reference=cann"]) == 2
    assert "libascendcl" in capsys.readouterr().err


def output(values: Any, dtype: str = "float32") -> dict[str, Any]:
    import base64

    array = np.asarray(values, dtype)
    return {
        "shape": list(array.shape),
        "dtype": dtype,
        "digest": str(array.tobytes()),
        "bits": base64.b64encode(array.tobytes()).decode(),
    }


@pytest.mark.parametrize(
    ("ours", "theirs", "kind", "size"),
    [
        ([1.0, 2.0], [1.0, np.nextafter(np.float32(2), np.float32(3))], "bits", 1),
        ([0.0], [-0.0], "bits", 0),
        ([1e-45], [-1e-45], "bits", 2),
        ([np.nan, 1.0], [np.nan, np.nan], "nan", 1),
        ([1.0], [[1.0]], "shape", 0),
    ],
)
def test_outputs_are_compared_bit_by_bit(ours: Any, theirs: Any, kind: str, size: float) -> None:
    seen = [{"status": [0, 0, 0], "outputs": [output(values)]} for values in (ours, theirs)]

    (found,) = differences.of("gelu/float32/1", *seen)

    assert (found.kind, found.size, found.unit) == (kind, size, "gelu")


def test_what_is_tried_can_be_chosen() -> None:
    everything, careful = chosen_units(None), chosen_units(None, ["misuse", "aclnnGelu"])

    assert {unit.partition("/")[0] for unit in set(everything) - set(careful)} == {"misuse", "gelu"}
    # Mistakes come last, whatever they leave behind.
    assert everything[-1].startswith("misuse/")
    assert chosen_units(["gelu", "aclnnGelu"]) == ["gelu"]


def test_the_code_in_a_message_is_found() -> None:
    assert _message_code("[PID: 1] x Invalid_Argument(EZ1001): y") == "EZ1001"
    assert _message_code("") == ""
