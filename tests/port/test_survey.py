"""A folder of samples is counted: how many are complete, and gaps by kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter", reason="the port extra is not installed")

from pyaclnn.port.__main__ import main
from pyaclnn.port.errors import OWN_ERROR
from pyaclnn.port.port import port
from pyaclnn.port.survey import kind_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "fine.cpp").write_text('int main() { printf("fine\\n"); return 0; }')
    (tmp_path / "inner" / "lacking.cpp").write_text(
        "int main() {\nint a = first(1);\nint b = second(2);\nint c = a;\nreturn 0;\n}"
    )
    (tmp_path / "library.cpp").write_text("int helper() { return 1; }")
    return tmp_path


def test_samples_are_counted_and_gaps_by_kind(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--survey", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()

    assert lines[0] == "1 of 2 samples are complete (50.0 %)"
    assert sorted(line.strip() for line in lines[2:]) == [
        "1  a name that neither the sample nor CANN's headers declare",
        "1  follows from a gap before it",
    ]


def test_samples_that_are_wrong_themselves_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "wrong.cpp").write_text("int main() { int v[3] = {}; v[3] = 1; return v[3]; }")

    assert main(["--survey", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 of 3 samples are complete (33.3 %)"
    assert lines[1] == "1 of the others stop at an error of their own, which no port repeats"


def test_what_may_follow_from_a_gap_is_no_error_of_the_sample(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text("int main() { std::vector<int> v; fill_it(&v); v[0] = 1; return 0; }")

    assert not any(gap.reason.endswith(OWN_ERROR) for gap in port(sample).gaps)


def test_reading_more_than_the_device_has_is_an_error_of_the_sample(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text("""
int main() {
  void* device = nullptr;
  aclrtMalloc(&device, 16, ACL_MEM_MALLOC_HUGE_FIRST);
  std::vector<float> zeros(4), read(8);
  aclrtMemcpy(device, 16, zeros.data(), 16, ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {4};
  aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, device);
  aclrtMemcpy(read.data(), 32, device, 32, ACL_MEMCPY_DEVICE_TO_HOST);
  for (int i = 0; i < 8; i++) printf("%f\\n", read[i]);
  return 0;
}
""")

    assert kind_of(port(sample).gaps[0].reason) == OWN_ERROR


def test_the_survey_is_json_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--survey", str(folder), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)

    assert (found["samples"], found["complete"]) == (2, 1)
    assert list(found["incomplete"]) == [str(folder / "inner" / "lacking.cpp")]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('#include "graph/ge_api.h"\nint main() { return ge::GEInitialize({}); }',
         "1: builds a graph for the graph compiler by ge_api.h"),
        ('#include "opdev/op_executor.h"\nint main() { return CREATE_EXECUTOR() == nullptr; }',
         "1: calls functions that operators are made of, by opdev/op_executor.h"),
        ('#include "acl/acl_op.h"\nint main() {\nreturn aclopExecuteV2("Add", 0);\n}',
         "3: runs an operator by its type's name, with aclopExecuteV2"),
    ],
)  # fmt: skip
def test_samples_of_other_apis_are_counted_apart(
    folder: Path, capsys: pytest.CaptureFixture[str], source: str, reason: str
) -> None:
    other = folder / "other.cpp"
    other.write_text(source)

    assert main(["--survey", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 of 2 samples are complete (50.0 %)"
    assert lines[1].startswith("1 more are about another API of CANN")
    assert main([str(other)]) == 2
    assert f"other.cpp:{reason}, and calls no operator of aclnn" in capsys.readouterr().err


def test_samples_find_the_environment_that_the_survey_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "looks.cpp").write_text(
        '#include <cstdlib>\nint main() {\n  if (!std::getenv("PYACLNN_TEST_COUNT")) return 1;\n'
        '  printf("found\\n");\n  return 0;\n}'
    )

    assert main(["--survey", str(tmp_path)]) == 1
    assert main(["--survey", str(tmp_path), "--environment", "PYACLNN_TEST_COUNT=2"]) == 0
    assert "1 of 1 samples are complete" in capsys.readouterr().out


def test_a_folder_without_samples_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--survey", str(tmp_path)]) == 2
    assert "no source with a main function" in capsys.readouterr().err


def test_kinds_leave_out_what_belongs_to_one_sample() -> None:
    assert kind_of("index 62 is outside of 62 elements") == kind_of(
        "index 3 is outside of 3 elements"
    )
