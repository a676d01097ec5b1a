"""The header writer writes what a description says and keeps the comments it finds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
BOTH = {"versions": ["8.1.RC1", "9.0"], "header": "acl/acl_rt.h", "header_9.0": "acl/acl_rt.h"}
NEWER = {"versions": ["9.0"], "header": "acl/acl_rt.h"}
BASE = {"versions": ["8.1.RC1", "9.0"], "header": "acl/acl_base.h"}
META = {"versions": ["8.1.RC1", "9.0"], "header": "aclnn/acl_meta.h"}
START = {"versions": ["8.1.RC1", "9.0"], "header": "aclnn/aclnn_base.h"}
DESCRIPTION = {
    "functions": {
        "aclnnFinalize": {**START, "returns": "aclnnStatus", "params": []},
        "aclrtCount": {**BOTH, "returns": "aclError", "params": []},
        "aclrtFill": {
            **NEWER,
            "returns": "aclError",
            "params": [["cells", "int64_t[][2]"], ["cell", "aclrtCell *const"]],
        },
    },
    "enums": {
        "aclrtMode": {
            "8.1.RC1": {"header": "acl/acl_rt.h", "values": {"ACL_OLD": 0}},
            "9.0": {"header": "acl/acl_rt.h", "values": {"ACL_OLD": 0, "ACL_NEW": 1}},
        }
    },
    "typedefs": {
        "aclError": {**BASE, "type": "int"},
        "aclnnStatus": {**META, "type": "int32_t"},
        "aclrtCell": {**NEWER, "type": "aclrtCell"},
        "aclrtMode": {**BOTH, "type": "aclrtMode"},
    },
    "structs": {
        "aclrtCell": {
            **NEWER,
            "kind": "struct",
            "size": 12,
            "fields": [["mode", "aclrtMode", 0], ["data", "char[8]", 4]],
        }
    },
    "constants": {"ACL_BIT": {**NEWER, "value": "( 0X2U )"}},
}
OPERATORS = {
    "aclnnTwice": {
        "header": "aclnnop/aclnn_twice.h",
        "library": "math",
        "versions": ["9.0"],
        "params": [["lambda", "const double *"], ["workspaceSize", "uint64_t *"]],
        "run_params": [["workspace", "void *"]],
    }
}


def run(tool: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOLS / tool), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture
def description(tmp_path: Path) -> Path:
    directory = tmp_path / "description"
    directory.mkdir()
    (directory / "runtime.json").write_text(json.dumps(DESCRIPTION), encoding="utf-8")
    (directory / "operators.json").write_text(json.dumps(OPERATORS), encoding="utf-8")
    (directory / "error-codes.json").write_text("[]", encoding="utf-8")
    return directory


@pytest.fixture
def written(description: Path, tmp_path: Path) -> Path:
    pytest.importorskip("clang_format", reason="the writer lays headers out with clang-format")
    out = tmp_path / "include"
    for empty in (
        "error_codes/ge_error_codes.h", "error_codes/rt_error_codes.h", "acl_rt_allocator.h",
    ):  # fmt: skip
        path = out / "acl" / empty
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    done = run("write_headers.py", description, out)
    assert done.returncode == 0, done.stderr
    return out


def test_written_headers_agree_with_their_description(description: Path, written: Path) -> None:
    done = run("check_headers.py", written, description, "--every-operator")

    assert (done.returncode, done.stdout) == (0, "")


def test_a_declaration_of_one_release_carries_its_marker(written: Path) -> None:
    text = (written / "acl" / "acl_rt.h").read_text(encoding="utf-8")
    lines = text.splitlines()
    marked = [
        lines[number + 1].split("(")[0].split()[-1] if "(" in lines[number + 1] else
        lines[number + 1].split()[1 if "#" in lines[number + 1] else 0]
        for number, line in enumerate(lines)
        if line.strip() == "// Since CANN 9.0."
    ]  # fmt: skip

    assert marked == ["ACL_BIT", "ACL_NEW", "typedef", "aclrtFill"]


def test_writing_again_keeps_comments_and_adds_what_is_new(
    description: Path, written: Path
) -> None:
    header = written / "acl" / "acl_rt.h"
    edited = header.read_text(encoding="utf-8")
    for before, note in (
        ("#ifndef PYACLNN", "Top of the file."),
        ("#define ACL_BIT", "About a constant."),
        ("  ACL_OLD =", "About an enumerator."),
        ("typedef enum aclrtMode", "About an enum."),
        ("  char data[8]", "About a field."),
        ("ACL_FUNC_VISIBILITY aclError aclrtCount", "About a function\n// on two lines."),
    ):
        edited = edited.replace(before, f"// {note}\n{before}", 1)
    header.write_text(edited, encoding="utf-8")
    more = json.loads((description / "runtime.json").read_text(encoding="utf-8"))
    more["functions"]["aclrtLater"] = {**NEWER, "returns": "void", "params": []}
    (description / "runtime.json").write_text(json.dumps(more), encoding="utf-8")

    done = run("write_headers.py", description, written)

    assert done.returncode == 0, done.stderr
    text = header.read_text(encoding="utf-8")
    assert text.startswith("// Top of the file.\n#ifndef")
    notes = [line.strip() for line in text.splitlines() if "About" in line or "two lines" in line]
    assert notes == [
        "// About a constant.",
        "// About an enum.",
        "// About an enumerator.",
        "// About a field.",
        "// About a function",
        "// on two lines.",
    ]
    assert "void aclrtLater(void);" in text


def test_an_operator_the_description_lacks_is_refused_by_name(
    description: Path, tmp_path: Path
) -> None:
    done = run("write_headers.py", description, tmp_path / "out", "--operators", "aclnnThrice")

    assert done.returncode == 2
    assert "aclnnThrice" in done.stderr
