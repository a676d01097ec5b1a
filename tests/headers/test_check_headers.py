"""The header checker passes what agrees with a description and names what does not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CHECKER = Path(__file__).resolve().parents[2] / "tools" / "check_headers.py"

RIGHT = """\
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define ACL_LIMIT 0x10U
typedef int aclError;
typedef void* aclrtStream;
typedef void (*aclrtCallback)(void* data);
typedef enum aclKind { ACL_FIRST = 0, ACL_LAST = 7 } aclKind;
typedef struct aclPair {
  uint8_t tag;
  uint32_t values[3];
} aclPair;
aclError aclLaunch(const aclPair* pair, aclKind kind, aclrtStream stream);
#ifdef __cplusplus
}
#endif
"""
BOTH = {"versions": ["8.1.RC1", "9.0"], "header": "acl/acl_rt.h", "header_9.0": "acl/acl_rt.h"}
DESCRIPTION = {
    "functions": {
        "aclLaunch": {
            **BOTH,
            "returns": "aclError",
            "params": [["pair", "const aclPair *"], ["kind", "aclKind"], ["stream", "aclrtStream"]],
        }
    },
    "enums": {"aclKind": {**BOTH, "values": {"ACL_FIRST": 0, "ACL_LAST": 7}}},
    "typedefs": {
        "aclError": {**BOTH, "type": "int"},
        "aclrtStream": {**BOTH, "type": "void *"},
        "aclrtCallback": {**BOTH, "type": "void ( *)(void *)"},
        "aclKind": {**BOTH, "type": "aclKind"},
        "aclPair": {**BOTH, "type": "aclPair"},
    },
    "structs": {
        "aclPair": {
            **BOTH,
            "kind": "struct",
            "size": 16,
            "fields": [["tag", "uint8_t", 0], ["values", "uint32_t[3]", 4]],
        }
    },
    "constants": {"ACL_LIMIT": {**BOTH, "value": "0x10U"}},
}
OPERATOR = {
    "aclnnTwice": {
        "header": "aclnnop/aclnn_twice.h",
        "library": "math",
        "versions": ["8.1.RC1", "9.0"],
        "params": [["self", "const double *"], ["workspaceSize", "uint64_t *"]],
        "run_params": [["workspace", "void *"]],
    }
}


def check(directory: Path, header: str, *options: str) -> subprocess.CompletedProcess[str]:
    include, description = directory / "include", directory / "description"
    (include / "acl").mkdir(parents=True, exist_ok=True)
    (include / "acl" / "acl_rt.h").write_text(header, encoding="utf-8")
    description.mkdir(exist_ok=True)
    (description / "runtime.json").write_text(json.dumps(DESCRIPTION), encoding="utf-8")
    (description / "operators.json").write_text(json.dumps(OPERATOR), encoding="utf-8")
    command = [sys.executable, str(CHECKER), str(include), str(description), *options]
    return subprocess.run(command, capture_output=True, text=True)


def test_agreeing_headers_pass(tmp_path: Path) -> None:
    done = check(tmp_path, RIGHT)

    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("right", "wrong", "name"),
    [
        ("aclError aclLaunch(", "aclError aclStart(", "aclLaunch"),
        ("aclError aclLaunch(", "void aclLaunch(", "aclLaunch"),
        ("aclKind kind, aclrtStream stream", "aclrtStream stream, aclKind kind", "aclLaunch"),
        ("aclKind kind, aclrtStream", "uint32_t kind, aclrtStream", "aclLaunch"),
        ("const aclPair* pair", "aclPair* pair", "aclLaunch"),
        ("aclKind kind, aclrtStream stream", "aclKind kind", "aclLaunch"),
        ("aclKind kind, aclrtStream", "aclKind type, aclrtStream", "aclLaunch"),
        ("ACL_LAST = 7", "ACL_LAST = 8", "ACL_LAST"),
        (", ACL_LAST = 7", "", "ACL_LAST"),
        ("0x10U", "0x11U", "ACL_LIMIT"),
        ("#define ACL_LIMIT 0x10U", "", "ACL_LIMIT"),
        ("typedef int aclError", "typedef unsigned aclError", "aclError"),
        ("(void* data)", "(int* data)", "aclrtCallback"),
        ("values[3]", "values[4]", "aclPair"),
        ("uint8_t tag;", "uint32_t before;\n  uint8_t tag;", "aclPair.tag"),
        ("uint32_t values[3]", "int32_t values[3]", "aclPair.values"),
    ],
)  # fmt: skip
def test_a_difference_is_reported_by_name(
    right: str, wrong: str, name: str, tmp_path: Path
) -> None:
    header = RIGHT.replace(right, wrong)
    assert header != RIGHT

    done = check(tmp_path, header)

    reported = [line.split(": ")[:2] for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert ["acl/acl_rt.h", name] in reported


def test_a_missing_header_is_reported_with_what_it_should_declare(tmp_path: Path) -> None:
    check(tmp_path, RIGHT)
    (tmp_path / "include" / "acl" / "acl_rt.h").rename(tmp_path / "include" / "acl" / "x.h")

    command = [
        sys.executable,
        str(CHECKER),
        str(tmp_path / "include"),
        str(tmp_path / "description"),
    ]
    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 1
    assert done.stdout.startswith("acl/acl_rt.h: missing, should declare")


def test_an_operator_without_header_is_a_difference_only_when_asked(tmp_path: Path) -> None:
    assert check(tmp_path, RIGHT).returncode == 0

    done = check(tmp_path, RIGHT, "--every-operator")

    assert done.returncode == 1
    assert done.stdout == "aclnnop/aclnn_twice.h: missing, should declare 2 name(s)\n"


def test_a_directory_without_description_cannot_be_checked_against(tmp_path: Path) -> None:
    command = [sys.executable, str(CHECKER), str(tmp_path), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 2
    assert "runtime.json" in done.stderr
