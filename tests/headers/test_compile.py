"""The headers are plain C11 and C++17, alone and together, for every compiler at hand."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HEADERS = Path(__file__).resolve().parents[2] / "headers"
PATHS = sorted(str(path.relative_to(HEADERS)) for path in HEADERS.rglob("*.h"))
STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{HEADERS}"]
STANDARDS = {"c": "-std=c11", "cpp": "-std=c++17"}


def compilers() -> dict[str, dict[str, list[str]]]:
    found = {}
    for c, cxx in (("gcc", "g++"), ("clang", "clang++")):
        if shutil.which(c) and shutil.which(cxx):
            found[c] = {"c": [c], "cpp": [cxx]}
    if importlib.util.find_spec("ziglang"):
        zig = [sys.executable, "-m", "ziglang"]
        quiet = "-Wno-unused-command-line-argument"
        found["zig"] = {"c": [*zig, "cc", quiet], "cpp": [*zig, "c++", quiet]}
    return found


COMPILERS = compilers()
EACH_COMPILER = pytest.mark.parametrize("compiler", COMPILERS)
EACH_LANGUAGE = pytest.mark.parametrize("language", STANDARDS)


def messages(compiler: str, language: str, programs: list[Path], directory: Path) -> str:
    # Zig keeps what it compiles, and takes longer to find that there is nothing to keep.
    kind = "-c" if compiler == "zig" else "-fsyntax-only"
    command = [*COMPILERS[compiler][language], STANDARDS[language], *STRICT, kind]
    command += map(str, programs)
    done = subprocess.run(command, capture_output=True, text=True, cwd=directory)
    return done.stderr if done.returncode == 0 else f"exit {done.returncode}: {done.stderr}"


def write_program(path: Path, headers: list[str], body: str = "typedef int not_empty;") -> Path:
    includes = "".join(f'#include "{header}"\n' for header in headers)
    path.write_text(f"{includes}{body}\n", encoding="utf-8")
    return path


def test_a_compiler_is_there_to_judge_the_headers() -> None:
    assert COMPILERS, "install gcc or clang, or pip install ziglang"


@pytest.mark.exhaustive
# Whether a header includes what it needs does not depend on who compiles it.
@EACH_LANGUAGE
def test_every_header_compiles_alone(language: str, tmp_path: Path) -> None:
    compiler = next(iter(COMPILERS))
    programs = [
        write_program(tmp_path / f"p{number}.{language}", [header])
        for number, header in enumerate(PATHS)
    ]

    assert messages(compiler, language, programs, tmp_path) == ""


@pytest.mark.parametrize("order", [PATHS, PATHS[::-1]], ids=["sorted", "reversed"])
@EACH_LANGUAGE
@EACH_COMPILER
def test_all_headers_compile_together(
    compiler: str, language: str, order: list[str], tmp_path: Path
) -> None:
    program = write_program(tmp_path / f"all.{language}", order)

    assert messages(compiler, language, [program], tmp_path) == ""


@EACH_LANGUAGE
@EACH_COMPILER
def test_status_codes_and_sizes_are_constant_expressions(
    compiler: str, language: str, tmp_path: Path
) -> None:
    body = """
    const char* name(aclError status);
    const char* name(aclError status) {
      static char text[ACL_PKG_VERSION_MAX_SIZE];
      switch (status) {
        case ACL_SUCCESS: return "success";
        case ACL_ERROR_RT_MEMORY_ALLOCATION: return "out of memory";
        case ACLNN_ERR_PARAM_INVALID: return "invalid";
        default: ACL_APP_LOG(ACL_ERROR, "status %d", status); return text;
      }
    }
    """
    headers = ["acl/acl.h", "aclnn/opdev/op_errno.h"]
    program = write_program(tmp_path / f"switch.{language}", headers, body)

    assert messages(compiler, language, [program], tmp_path) == ""


@pytest.mark.parametrize("header", ["acl/acl.h", "acl/acl_rt.h"])
def test_initialisation_is_declared_where_either_release_declares_it(
    header: str, tmp_path: Path
) -> None:
    compiler = next(iter(COMPILERS))
    body = "int main(void) { return aclInit(NULL); }"
    program = write_program(tmp_path / "init.c", [header], body)

    assert messages(compiler, "c", [program], tmp_path) == ""


def test_a_deprecated_function_is_marked_for_the_compiler(tmp_path: Path) -> None:
    compiler = next(iter(COMPILERS))
    body = "int f(aclrtEvent e, aclrtEventStatus* s); int f(aclrtEvent e, aclrtEventStatus* s) {"
    program = write_program(
        tmp_path / "old.c", ["acl/acl.h"], body + "return aclrtQueryEvent(e, s); }"
    )

    assert "deprecated" in messages(compiler, "c", [program], tmp_path)


@pytest.mark.parametrize("header", PATHS)
def test_release_markers_stand_right_before_a_declaration(header: str) -> None:
    lines = (HEADERS / header).read_text(encoding="utf-8").splitlines()
    after = [
        lines[number + 1].strip()
        for number, line in enumerate(lines)
        if re.fullmatch(r"\s*// (Since|Only in) CANN \d+\.\d+\.", line)
    ]

    assert [line for line in after if not line or line.startswith("//")] == []
