"""Compile C and C++ test programs against a toolkit root, and run them without Python."""

from __future__ import annotations

import atexit
import functools
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
C_TESTS = REPOSITORY / "tests" / "c"
#: Set to test another build of the simulator, such as one with sanitizers.
TOOLKIT_VARIABLE = "PYACLNN_TEST_TOOLKIT"
#: What that build is for, as Zig calls it, and the emulator that runs its programs.
TARGET_VARIABLE = "PYACLNN_TEST_TARGET"
UNDER_VARIABLE = "PYACLNN_TEST_UNDER"
LIBRARIES = ("ascendcl", "nnopbase", "opapi")
TIMEOUT_S = 120

# Deprecated functions are tested like all others.
_STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wno-deprecated-declarations")
_STANDARDS = {".c": "-std=c11", ".cpp": "-std=c++17"}


class ToolchainError(Exception):
    """A program could not be built; the text holds the compiler's words."""


def toolkit() -> Path:
    """Return the toolkit root under test.

    Raises
    ------
    ToolchainError
        Where it has not been built.
    """
    root = Path(os.environ.get(TOOLKIT_VARIABLE) or REPOSITORY / "pyaclnn" / "_toolkit")
    if not (root / "lib64" / "libascendcl.so").exists():
        raise ToolchainError(f"no simulator in {root}; run: python pyaclnn/sim/build.py")
    return root


@functools.cache
def compiler(language: str) -> tuple[str, ...]:
    """Return the command of the first compiler at hand for ``.c`` or ``.cpp``.

    Raises
    ------
    ToolchainError
        Where there is none.
    """
    target = os.environ.get(TARGET_VARIABLE)
    if target:
        command = "cc" if language == ".c" else "c++"
        # Zig aims at a processor of its own choice unless told otherwise.
        zig = (sys.executable, "-m", "ziglang", command, "-fno-sanitize=undefined")
        return (*zig, "-target", target, "-mcpu=baseline")
    names = ("gcc", "clang", "cc") if language == ".c" else ("g++", "clang++", "c++")
    for name in names:
        if shutil.which(name):
            return (name,)
    if importlib.util.find_spec("ziglang"):
        command = "cc" if language == ".c" else "c++"
        return (sys.executable, "-m", "ziglang", command, "-fno-sanitize=undefined")
    raise ToolchainError(f"no compiler among {', '.join(names)}, and no ziglang")


def sanitizers(root: Path) -> list[str]:
    """Flags a program needs to be linked with a sanitized build."""
    report = root / "build.json"
    flags = json.loads(report.read_text()).get("flags", []) if report.exists() else []
    return [flag for flag in flags if "sanitize" in flag]


@functools.cache
def _scratch() -> Path:
    folder = tempfile.mkdtemp(prefix="pyaclnn-c-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@functools.cache
def build(
    source: Path, libraries: tuple[str, ...] = LIBRARIES, flags: tuple[str, ...] = ()
) -> Path:
    """Compile and link one program against the toolkit; the same program is built once.

    Parameters
    ----------
    source : Path
        A ``.c`` or ``.cpp`` file.
    libraries : tuple of str
        What to link, in order, without ``lib``.
    flags : tuple of str
        Appended to the compiler's command line.

    Returns
    -------
    Path
        The executable, in a folder for this test run.

    Raises
    ------
    ToolchainError
        With the command and the compiler's words.
    """
    root = toolkit()
    lib64 = root / "lib64"
    includes = [C_TESTS, REPOSITORY / "pyaclnn" / "sim" / "include", REPOSITORY / "headers"]
    key = hashlib.sha256(repr((source, libraries, flags, root)).encode()).hexdigest()[:8]
    program = _scratch() / f"{source.stem}-{key}"
    command = [
        *compiler(source.suffix),
        _STANDARDS[source.suffix],
        "-g1",
        *_STRICT,
        *(f"-I{folder}" for folder in includes),
        *sanitizers(root),
        str(source),
        "-o",
        str(program),
        f"-L{lib64}",
        *(f"-l{library}" for library in libraries),
        f"-Wl,-rpath,{lib64}",
        f"-Wl,-rpath-link,{lib64}",
        "-pthread",
        *flags,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise ToolchainError(f"{' '.join(command)}\n{done.stderr}")
    return program


def run(
    program: Path, *arguments: str, env: Mapping[str, str] | None = None, under: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, in a scratch folder, and return its output and exit status.

    Parameters
    ----------
    program : Path
        What :func:`build` returned.
    *arguments : str
        Its arguments.
    env : mapping, optional
        Added to the environment, of which nothing that steers the simulator is inherited.
    under : sequence of str
        A command that runs the program, such as ``valgrind``.
    """
    ours = ("PYACLNN_SIM_", "ASCEND_", "ACLNN_", "DISABLE_L2_CACHE")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    under = (*under, *os.environ.get(UNDER_VARIABLE, "").split())
    return subprocess.run(
        [*under, str(program), *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        env={**clean, **(env or {})},
        cwd=_scratch(),
        timeout=TIMEOUT_S,
    )


def cases(source: Path) -> list[str]:
    """Names of the cases of a program that uses ``check.hpp``, in the order of the file."""
    return re.findall(r"^CASE\((\w+)\)", source.read_text(encoding="utf-8"), re.MULTILINE)


def exported_functions(library: str) -> list[str]:
    """C functions a library of the toolkit exports, read from its dynamic symbol table."""
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", str(toolkit() / "lib64" / library)],
        capture_output=True,
        text=True,
        check=True,
    )
    symbols = (line.split() for line in listing.stdout.splitlines())
    return sorted(parts[2] for parts in symbols if parts[1] == "T" and not parts[2].startswith("_"))
