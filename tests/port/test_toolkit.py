"""An unmodified CMake project of a sample builds and runs against the simulator."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from toolchain import ToolchainError, build

import pyaclnn as pa
from pyaclnn.sim import source_tree

SAMPLE = Path(__file__).parent / "samples" / "softshrink_backward.cpp"

#: As CANN's documents have it: the toolkit by environment, headers and libraries in the usual
#: places.
PROJECT = """
cmake_minimum_required(VERSION 3.14)
project(ACLNN_EXAMPLE)
add_compile_options(-std=c++11)
set(CMAKE_CXX_FLAGS_RELEASE "-fPIC -O2 -Wall")
if(NOT "$ENV{ASCEND_HOME_PATH}" STREQUAL "")
  set(ASCEND_PATH $ENV{ASCEND_HOME_PATH})
else()
  set(ASCEND_PATH "/usr/local/Ascend/ascend-toolkit/latest")
endif()
include_directories(${ASCEND_PATH}/include ${ASCEND_PATH}/include/aclnn)
add_executable(opapi_test softshrink_backward.cpp)
target_link_libraries(opapi_test PRIVATE @LIBRARIES@)
"""
PATHS = "${ASCEND_PATH}/lib64/libascendcl.so ${ASCEND_PATH}/lib64/libnnopbase.so "
WHOLE = PATHS + "${ASCEND_PATH}/lib64/libopapi.so"
NAMES = "-L${ASCEND_PATH}/lib64 -lascendcl -lnnopbase -lopapi"
SPLIT = "-L${ASCEND_PATH}/lib64 -lacl_rt -lnnopbase -lopapi_nn -lopapi_math"


def sim(*options: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn.sim", *options], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_home_is_a_toolkit_root() -> None:
    root = Path(sim("--home"))

    assert (root / "include/acl/acl.h").is_file()
    assert (root / "lib64/libascendcl.so").is_file()


def sh(script: str, folder: Path) -> str:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ASCEND")
        and name not in ("LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH")
    }
    done = subprocess.run(
        ["sh", "-ec", script], capture_output=True, text=True, cwd=folder, env=clean, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
@pytest.mark.parametrize("libraries", [WHOLE, NAMES, SPLIT], ids=["paths", "names", "split names"])
def test_a_cmake_project_builds_and_runs_with_env(tmp_path: Path, libraries: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.replace("@LIBRARIES@", libraries))
    shutil.copy(SAMPLE, tmp_path)
    environment = f'eval "$({sys.executable} -m pyaclnn.sim --env)"'

    printed = sh(
        f"{environment}; cmake -S . -B build >log; cmake --build build >log; build/opapi_test",
        tmp_path,
    )

    assert printed.splitlines()[0] == "result[0] is: 1.000000"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
def test_a_project_that_searches_is_told_by_cmake_arguments(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text("""
        cmake_minimum_required(VERSION 3.14)
        project(SEARCH CXX)
        find_path(ACL_INCLUDE acl/acl.h REQUIRED)
        find_library(ACL_RT acl_rt REQUIRED)
        find_library(NNOPBASE nnopbase REQUIRED)
        find_library(OPAPI_NN opapi_nn REQUIRED)
        add_executable(found softshrink_backward.cpp)
        target_include_directories(found PRIVATE ${ACL_INCLUDE})
        target_link_libraries(found PRIVATE ${ACL_RT} ${NNOPBASE} ${OPAPI_NN})
    """)
    shutil.copy(SAMPLE, tmp_path)
    arguments = f"$({sys.executable} -m pyaclnn.sim --cmake)"

    printed = sh(
        f'eval "cmake {arguments} -S . -B build" >log; cmake --build build >log; build/found',
        tmp_path,
    )

    assert len(printed.splitlines()) == 8


@pytest.fixture(scope="module")
def tree() -> Path:
    return Path(sim("--home", "--source-tree"))


#: As samples in the source tree of CANN's operators have them.
INCLUDES = """
#include "../op_host/op_api/aclnn_matmul_all_reduce.h"
#include "../op_api/aclnn_asinh.h"
#include "../../moe_distribute_dispatch_v2/op_host/op_api/aclnn_moe_distribute_dispatch_v2.h"
#include "aclnn_floor_div.h"
#include "aclnnop/aclnn_silu_mul.h"
"""


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_headers_of_the_source_tree_are_there_for_who_asks(
    tree: Path, tmp_path: Path, suffix: str
) -> None:
    source = tmp_path / f"sample{suffix}"
    everything = "".join(f'#include "{name}"\n' for name in source_tree.headers())
    body = "HcclComm comm = 0; return comm != 0 || aclnnAsinh(0, 0, 0, 0) == 0;"
    source.write_text(f"{INCLUDES}{everything}int main(void) {{ {body} }}\n")

    build(source, flags=(f"-I{tree}",))
    with pytest.raises(ToolchainError, match=r"No such file|not found"):
        build(source)


def test_operators_that_cann_does_not_install_are_declared_only(tree: Path, tmp_path: Path) -> None:
    source = tmp_path / "sample.cpp"
    call = "return aclnnFloorDiv(nullptr, 0, nullptr, nullptr);"
    source.write_text(f'#include "aclnn_floor_div.h"\nint main() {{ {call} }}\n')

    with pytest.raises(ToolchainError, match=r"undefined.*aclnnFloorDiv"):
        build(source, flags=(f"-I{tree}",))
    installed = {file.name for file in (Path(sim("--home")) / "include/aclnnop").iterdir()}
    assert source_tree.headers().keys() & installed == set()
    assert "floor_div" not in dir(pa.ops)


def test_variables_and_arguments_name_the_source_tree_when_asked(tree: Path) -> None:
    for option in ("--env", "--cmake"):
        assert str(tree) in sim(option, "--source-tree")
        assert str(tree) not in sim(option)
