"""How many processors a container's share of their time is worth."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import toolchain

SOURCES = toolchain.REPOSITORY / "pyaclnn" / "sim" / "src"
PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include "core/quota.hpp"
int main(int, char** given) {
  std::printf("%d", pyaclnn::sim::processors_of_quota(given[1], given[2], std::atoi(given[3])));
}
"""

Worth = Callable[[str, dict[str, str], int], int]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("quota")
    (place / "main.cpp").write_text(PROGRAM)
    command = [*toolchain.compiler(".cpp"), "-std=c++17", f"-I{SOURCES}", str(place / "main.cpp")]
    source = str(SOURCES / "core" / "quota.cpp")
    subprocess.run([*command, source, "-o", str(place / "quota")], check=True)
    return place / "quota"


@pytest.fixture
def worth(program: Path, tmp_path: Path) -> Worth:
    def of(groups: str, files: dict[str, str], most: int) -> int:
        (tmp_path / "groups").write_text(groups)
        for name, content in files.items():
            path = tmp_path / "root" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        command = [program, tmp_path / "groups", tmp_path / "root", str(most)]
        return int(subprocess.run(command, capture_output=True, check=True).stdout)

    return of


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("max 100000\n", 8), ("200000 100000\n", 2), ("250000 100000\n", 3), ("5000 100000\n", 1),
        ("2000000 100000\n", 8), ("", 8), ("nonsense", 8), ("100000", 8), ("100000 0\n", 8),
    ],
)  # fmt: skip
def test_the_second_version_has_a_quota_and_a_period(
    worth: Worth, content: str, expected: int
) -> None:
    assert worth("0::/\n", {"cpu.max": content}, 8) == expected


def test_groups_above_limit_those_below(worth: Worth) -> None:
    files = {"a/cpu.max": "300000 100000", "a/b/cpu.max": "600000 100000", "c/cpu.max": "1 1"}

    assert worth("0::/a/b\n", files, 8) == 3


def test_the_first_version_has_files_of_its_controller(worth: Worth) -> None:
    groups = "5:memory:/x\n4:cpu,cpuacct:/x\n3:cpuset:/\n"
    files = {"cpu/x/cpu.cfs_quota_us": "150000", "cpu/x/cpu.cfs_period_us": "100000"}

    assert worth(groups, files, 8) == 2
    assert worth("3:cpuset:/x\n", files, 8) == 8


def test_no_quota_is_negative_in_the_first_version(worth: Worth) -> None:
    files = {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}

    assert worth("1:cpu:/\n", files, 8) == 8


def test_without_groups_all_processors_count(worth: Worth) -> None:
    assert worth("", {}, 5) == 5
    assert worth("12:\nnothing\n::\n", {}, 5) == 5
