"""Drift is what a caller can notice: types, values, layouts; not spelling or file layout."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pyaclnn.abi.drift import Difference, Drift, compare

ROOT = Path(__file__).resolve().parents[2]

OURS = """\
#define VALUE_COUNT 3
#define ACL_LIMIT 0x10U
typedef int aclError;
typedef void* aclrtStream;
typedef struct aclOpaque aclOpaque;
typedef void (*aclrtCallback)(void* data);
typedef enum aclKind {
  ACL_FIRST = 0,
  ACL_LAST = 7,
  // Since CANN 9.0.
  ACL_NEWEST = 8,
} aclKind;
typedef struct aclPair {
  uint8_t tag;
  uint32_t values[VALUE_COUNT];
} aclPair;
typedef union aclValue {
  uint8_t small;
  // Since CANN 9.0.
  uint32_t large;
  uint32_t rsv[4];
} aclValue;
ACL_FUNC_VISIBILITY aclError aclLaunch(const aclPair* pair, aclKind kind, size_t count);
// Since CANN 9.0.
ACL_FUNC_VISIBILITY aclError aclLaunchV2(aclrtStream stream);
ACL_FUNC_VISIBILITY void aclLog(const char* text, ...);
"""


def drift(directory: Path, theirs: str, ours: str = OURS) -> Drift:
    for name, text in (("ours", ours), ("theirs", theirs)):
        header = directory / name / "acl" / "acl_rt.h"
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_bytes(text.encode())
    return compare(directory / "ours", directory / "theirs")


def kinds(found: Drift) -> list[tuple[str, str]]:
    return [(difference.kind, difference.name) for difference in found.differences]


def test_the_same_headers_do_not_drift(tmp_path: Path) -> None:
    found = drift(tmp_path, OURS)

    assert (found.differences, found.unreadable) == ([], [])
    assert found.compared == 15


def test_another_spelling_of_the_same_types_is_no_drift(tmp_path: Path) -> None:
    found = drift(
        tmp_path,
        """\
/* 运行时接口 */
#include <cstdint>
#if defined(__cplusplus)
extern "C" {
#endif
static const uint32_t ACL_LIMIT = 16;
typedef int32_t aclError;
typedef void *aclrtStream;
struct aclOpaque;
typedef struct aclOpaque aclOpaque;
typedef void ( *aclrtCallback)(void *userData);
typedef enum { ACL_FIRST, ACL_LAST = 1 << 3 - 1 | 3, ACL_NEWEST } aclKind;
#define VALUE_COUNT 3
typedef struct {
    unsigned char tag;
    unsigned int values[VALUE_COUNT];
} aclPair;
union aclValueTag { uint8_t small; uint32_t large; uint32_t rsv[2 + 2]; };
typedef union aclValueTag aclValue;
__attribute__((visibility("default"))) int aclLaunch(const aclPair *p, const aclKind k,
                                                     unsigned long n = 1);
[[deprecated("use (something) else")]] aclError aclLaunchV2(void *);
ACL_FUNC_VISIBILITY void aclLog(const char *fmt, ...);
#if defined(__cplusplus)
}
#endif
""".replace("\n", "\r\n"),
    )

    assert (kinds(found), found.unreadable) == ([], [])
    assert found.compared == 15


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("0x10U", "0x11U", "ACL_LIMIT"),
        ("typedef int aclError", "typedef unsigned aclError", "aclError"),
        ("void* aclrtStream", "uint64_t aclrtStream", "aclrtStream"),
        ("(*aclrtCallback)(void*", "(*aclrtCallback)(int*", "aclrtCallback"),
        ("ACL_LAST = 7", "ACL_LAST = 6", "ACL_LAST"),
        ("values[VALUE_COUNT]", "values[4]", "aclPair"),
        ("uint8_t tag;", "uint16_t tag;", "aclPair"),
        ("const aclPair* pair", "aclPair* pair", "aclLaunch"),
        ("const aclPair* pair, aclKind kind", "aclKind kind, const aclPair* pair", "aclLaunch"),
        ("aclKind kind, size_t", "uint32_t kind, size_t", "aclLaunch"),
        ("size_t count", "uint32_t count", "aclLaunch"),
        (", size_t count", "", "aclLaunch"),
        ("const char* text, ...", "const char* text", "aclLog"),
        ("void aclLog", "int aclLog", "aclLog"),
    ],
)
def test_a_change_of_type_or_value_is_drift(
    before: str, after: str, name: str, tmp_path: Path
) -> None:
    changed = OURS.replace(before, after)
    assert changed != OURS

    assert ("changed", name) in kinds(drift(tmp_path, changed))


def test_a_change_is_shown_in_both_forms_with_its_place(tmp_path: Path) -> None:
    found = drift(tmp_path, OURS.replace("size_t count", "int count"))

    assert found.differences == [
        Difference(
            "changed",
            "aclLaunch",
            "int32(const aclPair*, aclKind, uint64)",
            "int32(const aclPair*, aclKind, int32)",
            f"{tmp_path / 'theirs' / 'acl' / 'acl_rt.h'}:23",
        )
    ]


def test_a_name_only_we_have_is_missing(tmp_path: Path) -> None:
    lines = [line for line in OURS.splitlines() if "aclLog" not in line]

    assert kinds(drift(tmp_path, "\n".join(lines))) == [("missing", "aclLog")]


def test_what_a_marker_gives_to_one_release_may_lack_in_another(tmp_path: Path) -> None:
    older = OURS
    for newer in (
        "  // Since CANN 9.0.\n  ACL_NEWEST = 8,\n",
        "  // Since CANN 9.0.\n  uint32_t large;\n",
        "// Since CANN 9.0.\nACL_FUNC_VISIBILITY aclError aclLaunchV2(aclrtStream stream);\n",
    ):
        assert newer in older
        older = older.replace(newer, "")

    found = drift(tmp_path, older)

    assert kinds(found) == []
    assert found.other_release == {"Since CANN 9.0": ["ACL_NEWEST", "aclLaunchV2"]}


def test_a_name_only_they_have_is_added_where_we_have_the_header(tmp_path: Path) -> None:
    found = drift(tmp_path, OURS + "ACL_FUNC_VISIBILITY aclError aclExtra(void);\n")

    assert kinds(found) == [("added", "aclExtra")]


def test_headers_we_do_not_have_are_only_counted_even_if_unreadable(tmp_path: Path) -> None:
    other = tmp_path / "theirs" / "acl" / "acl_other.h"
    other.parent.mkdir(parents=True)
    other.write_text("int aclOther(void);\n#if 1 +\n#endif\n", encoding="utf-8")

    found = drift(tmp_path, OURS)

    assert (kinds(found), found.unreadable) == ([], [])
    assert found.other_headers == ["acl/acl_other.h"]


def test_a_declaration_nobody_can_read_is_reported_and_harms_no_other(tmp_path: Path) -> None:
    broken = OURS.replace("aclError aclLaunch(", "aclError aclLaunch(aclUnheardOf !x, ")

    found = drift(tmp_path, broken)

    assert len(found.unreadable) == 1
    assert f"{tmp_path / 'theirs' / 'acl' / 'acl_rt.h'}:23" in found.unreadable[0]
    assert [name for _, name in kinds(found)] == ["aclLaunch"]


def run_tool(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "header_drift.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_tool_exits_with_0_for_a_toolkit_that_agrees(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "headers", tmp_path / "include")

    done = run_tool(tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" name(s) compared, 0 difference(s)\n")


def test_the_tool_exits_with_1_and_the_difference_for_one_that_does_not(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "headers", tmp_path / "include")
    header = tmp_path / "include" / "aclnnop" / "aclnn_softmax_backward.h"
    text = header.read_text(encoding="utf-8")
    header.write_text(text.replace("int64_t dim", "int32_t dim"), encoding="utf-8")

    done = run_tool(tmp_path / "include")

    assert done.returncode == 1
    assert done.stdout.startswith("changed aclnnSoftmaxBackwardGetWorkspaceSize (")


def test_the_tool_exits_with_2_for_a_directory_that_is_no_toolkit(tmp_path: Path) -> None:
    done = run_tool(tmp_path)

    assert done.returncode == 2
    assert "include/acl" in done.stderr


UNION = "typedef union HcclValue {\n  int32_t value;\n} HcclValue;\n"
USE = "int HcclSet(int config, HcclValue value);\n"


@pytest.mark.parametrize(
    "theirs",
    [
        "union HcclValue {\n  int32_t value;\n};\n",
        "typedef union {\n  int32_t value;\n} HcclValue;\n",
        "union HcclValue;\ntypedef union HcclValue HcclValue;\nunion HcclValue { int value; };\n",
    ],
)
def test_a_type_without_typedef_or_tag_is_the_same_type(tmp_path: Path, theirs: str) -> None:
    found = drift(tmp_path, theirs + USE, UNION + USE)

    assert (kinds(found), found.unreadable) == ([], [])


def test_a_type_without_typedef_still_has_members_to_compare(tmp_path: Path) -> None:
    found = drift(tmp_path, "union HcclValue {\n  int64_t value;\n};\n" + USE, UNION + USE)

    assert kinds(found) == [("changed", "HcclValue")]


@pytest.mark.parametrize(
    ("theirs", "differs"),
    [
        ("inline void aclSetUp(aclPair *p)\n{ p->tag = 1; if (p) { return; } }\n", []),
        ("void aclSetUp(aclPair *p);\n", []),
        ("inline void aclSetUp(aclPair **p)\n{ *p = 0; }\n", [("changed", "aclSetUp")]),
        ("", [("missing", "aclSetUp")]),
    ],
)
def test_functions_with_a_body_are_compared_by_their_types(
    tmp_path: Path, theirs: str, differs: list[tuple[str, str]]
) -> None:
    ours = "static inline void aclSetUp(aclPair* pair) {\n  pair->tag = 1;\n}\n"

    assert kinds(drift(tmp_path, OURS + theirs, OURS + ours)) == differs


def test_what_only_the_simulator_has_is_not_missed(tmp_path: Path) -> None:
    control = tmp_path / "ours" / "pyaclnn" / "sim.h"
    control.parent.mkdir(parents=True)
    control.write_text("int pyaclnnSimCount(void);\n")

    assert kinds(drift(tmp_path, OURS)) == []
