"""tools/reference.py compiles phase 1 of other sources, and says where the simulator differs.

The sources are small and made here: a stand-in with tensors of a few fields, and operators that ask
for what CANN's do, or for something else.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "reference.py"

#: What operators include, and the headers that are read for all of them.
HEADER = """
#pragma once
#include <cstdint>
#include <vector>
struct aclTensor { int type; std::vector<int64_t> shape; int format; };
struct aclOpExecutor { int nothing; };
"""
FIRST = ("common_types", "format_utils", "op_dfx", "op_log", "shape_utils", "tensor_view_utils",
         "make_op_executor", "op_def")  # fmt: skip
STAND_IN = """
#include <cstdlib>
#include "opdev/common_types.h"
extern "C" {
void pyaclnn_reference_open() { std::_Exit(86); }
aclTensor* aclCreateTensor(const int64_t* dims, uint64_t count, int type, const int64_t*, int64_t,
                           int format, const int64_t*, uint64_t, void*) {
  return new aclTensor{type, {dims, dims + count}, format};
}
int aclDestroyTensor(const aclTensor* tensor) { delete tensor; return 0; }
int aclDestroyAclOpExecutor(aclOpExecutor*) { return 0; }
}
"""
#: What aclnnAbs asks for on Atlas A2, where ``{rank}`` is 8: element types by their numbers, the
#: magnitudes of complex64 as float, one shape, one format, and none of NPUs' own.
ABS = """
#include <set>
#include "opdev/common_types.h"
#include "helper.h"
extern "C" int aclnnAbsGetWorkspaceSize(
    const aclTensor* self, aclTensor* out, uint64_t* size, aclOpExecutor**) {{
  static const std::set<int> types{{0, 1, 2, 3, 4, 6, 9, 11, 12, 16, 27}}, own{{3, 4, 29}};
  if (self == nullptr || out == nullptr) return 161001;
  if (types.count(self->type) == 0) return 161002;
  if (out->type != (self->type == 16 ? 0 : self->type)) return 161002;
  if (self->format != out->format || own.count(self->format) != 0) return 161002;
  if (self->shape != out->shape || self->shape.size() > {rank}) return 161002;
  *size = 0;
  return 0;
}}
"""
#: Refuses null, and then asks for what nobody has.
EXP = """
#include "opdev/common_types.h"
namespace l0op { int nowhere(); }
extern "C" int aclnnExpGetWorkspaceSize(
    const aclTensor* self, aclTensor* out, uint64_t*, aclOpExecutor**) {
  return self == nullptr || out == nullptr ? 161001 : l0op::nowhere();
}
"""
FLAT = ["T", "FLOAT", [2, 3]]
CUBE = ["T", "FLOAT", [2, 3, 4]]


def place(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return a folder of sources: one operator as CANN's, and two that are not whole."""
    folder = tmp_path / "sources"
    headers = [*(f"nnopbase/opdev/{name}" for name in FIRST), "op_common/log/log"]
    place(folder / "opbase", {f"include/{name}.h": HEADER for name in headers})
    place(folder, {"metadef/inc/none.h": "", "runtime/include/none.h": ""})
    operators = {
        "abs": ABS.format(rank=8), "exp": EXP, "broken": "#include <no_such_header.h>\n",
    }  # fmt: skip
    place(
        folder / "ops-small",
        {f"math/{name}/op_api/aclnn_{name}.cpp": text for name, text in operators.items()},
    )
    test = "math/abs/tests/op_api/test_abs.cpp"
    place(folder / "ops-small", {"common/inc/helper.h": "", test: "#error a test"})
    right = [("Abs", FLAT), ("Abs", CUBE), ("Exp", FLAT)]
    calls = [{"operator": f"aclnn{name}", "arguments": [x, x]} for name, x in right]
    lines = "\n".join(map(json.dumps, calls))
    place(tmp_path, {"stand_in.cpp": STAND_IN, "right.json": lines})
    return folder


def run(sources: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    beside = sources.parent
    command = [
        sys.executable, TOOL, "--sources", sources, "--build", beside / "build",
        "--stand-in", beside / "stand_in.cpp", "--seeds", beside / "right.json",
        "--json", beside / "found.json", "--jobs", 2, "--chips", "Ascend910B1", *arguments,
    ]  # fmt: skip
    return subprocess.run([*map(str, command)], capture_output=True, text=True)


def found_in(sources: Path) -> dict[str, Any]:
    [found] = json.loads((sources.parent / "found.json").read_text(encoding="utf-8"))
    return dict(found)


def test_equal_statuses_are_success_and_what_cannot_be_asked_is_counted(sources: Path) -> None:
    done = run(sources, "--calls", 60)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        "3 of 4 files compile; 2 operators, 1 functions that none of them has\n"
        "Ascend910B1: 0.00 % of "
    )
    assert found_in(sources)["calls"]["aclnnAbs"] == 60
    # What is refused before is answered; only what came to the missing function is not.
    assert 0 < found_in(sources)["open"]["aclnnExp"] < 60
    assert "no_such_header" in (sources.parent / "build" / "errors.txt").read_text(encoding="utf-8")


def test_statuses_that_differ_are_listed_with_their_calls(sources: Path) -> None:
    place(sources, {"ops-small/math/abs/op_api/aclnn_abs.cpp": ABS.format(rank=2)})

    done = run(sources, "--calls", 60)

    assert (done.returncode, done.stderr) == (1, "")
    assert "CANN 161002, simulator 0: " in done.stdout
    differences = found_in(sources)["differences"]
    assert differences
    for different in differences:
        assert (different["operator"], different["cann"]) == ("aclnnAbs", 161002)
        assert (different["simulator"], len(different["arguments"][0][2]) > 2) == (0, True)


def test_what_kernels_refuse_and_what_is_not_simulated_is_counted_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    answers = importlib.import_module("referencing.answers")
    told = answers.Answer
    late = "aclnnAbs: Ascend310P3 has no such kernel"
    both = {
        "kernels": [
            (told(0), told(561003)), (told(0), told(561103, said=late)),
            # The reference has come by the kernel before it refuses.
            (told(561103, prepared=1), told(561002)),
        ],
        "lacking": [(told(161002), told(561003, said="aclnnAbs: float4 is not simulated"))],
        "open": [(told(), told(0))],
    }  # fmt: skip
    differ = [(told(561103), told(561002)), (told(0), told(561103, said="aclnnAbs: out is small")),
              (told(161002), told(561103, said=late))]  # fmt: skip
    found = answers.Comparison("Ascend310P3")

    for pairs in (*both.values(), differ):
        for pair in pairs:
            found.add({"operator": "aclnnAbs"}, *pair)

    assert {name: getattr(found, name)["aclnnAbs"] for name in both} == {
        name: len(pairs) for name, pairs in both.items()
    }
    assert [pair for _, *pair in found.differences["aclnnAbs"]] == [[*pair] for pair in differ]


def test_types_that_no_kernel_of_a_chip_has_differ_for_a_known_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    answers = importlib.import_module("referencing.answers")
    said = "aclnnAbs: self is bfloat16 (27); {} takes float32, float16"

    for chip, known in (("Ascend910A", 1), ("Ascend310P3", 1), ("Ascend910B1", 0)):
        found = answers.Comparison(chip)
        refusal = answers.Answer(161002, said=said.format(chip))
        found.add({"operator": "aclnnAbs"}, answers.Answer(0), refusal)

        assert sum(found.because.values()) == known
        assert len(found.differences) == 1 - known


def test_nothing_is_compiled_twice(sources: Path) -> None:
    run(sources, "--calls", 1)
    objects = {f: f.stat().st_mtime_ns for f in (sources.parent / "build/objects").glob("*.o")}

    run(sources, "--calls", 1)

    assert objects
    assert {f: f.stat().st_mtime_ns for f in objects} == objects


def test_a_folder_without_the_libraries_says_which_are_missing(tmp_path: Path) -> None:
    (tmp_path / "opbase").mkdir()

    command = [
        sys.executable,
        str(TOOL),
        "--sources",
        str(tmp_path),
        "--build",
        str(tmp_path / "b"),
    ]
    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 2
    assert "lacks metadef, runtime" in done.stderr
