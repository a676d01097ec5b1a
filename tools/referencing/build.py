"""Compile CANN's first phase into a toolkit root of its own, beside the simulator's runtime.

What the sources leave to other libraries (executors, kernels, what is known of a chip, logs) is
``stand_in.cpp``, beside this file. Functions of files that do not compile are left open; a call
that comes to one ends its process.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from compilers import cxx

from referencing.sources import Sources, Unit

_HEADERS = Path(__file__).resolve().parents[2] / "headers"
_INCLUDE = Path(__file__).with_name("include")
STAND_IN = Path(__file__).with_name("stand_in.cpp")
#: Nearly every file includes these; read once, they take half of the time that a file takes.
_FIRST = (
    "opdev/common_types.h", "opdev/format_utils.h", "opdev/op_dfx.h", "opdev/op_log.h",
    "opdev/shape_utils.h", "opdev/tensor_view_utils.h", "opdev/make_op_executor.h",
    "opdev/op_def.h", "op_common/log/log.h",
)  # fmt: skip
#: Logs and profiling are half of what a file compiles to, and say nothing that a status does not.
_SILENT = """
#undef OP_LOGE
#undef OP_LOGE_WITHOUT_REPORT
#undef OP_LOGW
#undef OP_LOGI
#undef OP_LOGD
#undef L2_OP_PROF_PHASE_1
#undef L2_OP_PROF_PHASE_2
#undef L0_OP_PROF
#define OP_LOGE(...) do {} while (false)
#define OP_LOGE_WITHOUT_REPORT(...) do {} while (false)
#define OP_LOGW(...) do {} while (false)
#define OP_LOGI(...) do {} while (false)
#define OP_LOGD(...) do {} while (false)
#define L2_OP_PROF_PHASE_1(...) do {} while (false)
#define L2_OP_PROF_PHASE_2(...) do {} while (false)
#define L0_OP_PROF(...) do {} while (false)
"""
#: Their warnings are not ours.
_FLAGS = ("-std=c++17", "-O0", "-fPIC", "-w", "-DLOG_CPP", "-fno-access-control")
_UNDEFINED = re.compile(r"undefined reference to `([\w.$]+)'")
_PHASE_1 = re.compile(r" T (acl\w+)GetWorkspaceSize$", re.M)
_ERROR = re.compile(r"^.*error: .*$", re.M)


@dataclass
class Built:
    """What was compiled.

    Attributes
    ----------
    toolkit : Path
        A toolkit root whose operators are CANN's, for ``PYACLNN_SIM_HOME``.
    objects : dict
        Source -> its object file.
    errors : dict
        Source -> the first error of the compiler.
    open : list of str
        Names, as the linker has them, that no object defines.
    """

    toolkit: Path
    objects: dict[Path, Path] = field(default_factory=dict)
    errors: dict[Path, str] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)


class Compiler:
    """Compiles files with what they all share.

    Parameters
    ----------
    sources : Sources
        What is compiled.
    work : Path
        Where objects are kept from one run to the next.
    """

    def __init__(self, sources: Sources, work: Path) -> None:
        self._work = work
        self._command = [
            *cxx(), *_FLAGS, f"-I{_INCLUDE}", *(f"-I{path}" for path in sources.foundation_paths()),
            f"-I{_HEADERS}",
        ]  # fmt: skip
        self._first = work / "first.hpp"
        work.mkdir(parents=True, exist_ok=True)
        # Sources name formats of numbers, whose header others of their headers include.
        text = "#include <cinttypes>\n" + "".join(f'#include "{name}"\n' for name in _FIRST)
        text += _SILENT
        if not self._first.is_file() or self._first.read_text(encoding="ascii") != text:
            self._first.write_text(text, encoding="ascii")
            self._run("-x", "c++-header", str(self._first), "-o", f"{self._first}.gch")

    def compile(self, unit: Unit) -> tuple[Path | None, str]:
        """Return a file's object, or none and the first error.

        Parameters
        ----------
        unit : Unit
            The file.
        """
        key = hashlib.sha256(str(unit.source).encode()).hexdigest()[:16]
        target = self._work / f"{unit.source.stem}-{key}.o"
        said = target.with_suffix(".error")
        for known in (target, said):
            if known.is_file() and known.stat().st_mtime >= unit.source.stat().st_mtime:
                return (target, "") if known is target else (None, said.read_text("utf-8"))
        paths = [f"-I{path}" for path in (unit.source.parent, *unit.includes)]
        first = [] if unit.kind == "base" else ["-include", str(self._first)]
        # A header that is read early changes what names mean; without it, as CANN compiles it.
        for early in (first, []) if first else ([],):
            error = self._run(*early, *paths, "-c", str(unit.source), "-o", str(target))
            if not error:
                return target, ""
        said.write_text(error, encoding="utf-8")
        return None, error

    def link(self, library: Path, objects: Sequence[Path], needed: Sequence[str]) -> list[str]:
        """Link a library; return the names of what nothing defines, whose use ends the process.

        Parameters
        ----------
        library : Path
            What is written.
        objects : sequence of Path
            What it is made of; of a function that is there twice the first is taken.
        needed : sequence of str
            Libraries beside it.
        """
        listed = self._work / f"{library.name}.objects"
        listed.write_text("\n".join(map(str, objects)), encoding="utf-8")
        command = [
            "-shared", f"@{listed}", f"-Wl,-z,muldefs,-z,defs,--no-demangle,-soname,{library.name}",
            f"-L{library.parent}", *(f"-l{name}" for name in needed), "-ldl",
            "-Wl,-rpath,$ORIGIN", "-o", str(library),
        ]  # fmt: skip
        said = self._called(*command)
        if not said:
            return []
        missing = sorted(set(_UNDEFINED.findall(said)))
        open_ends = self._work / f"{library.name}.s"
        # Not a status: 86 is what the comparison takes for "not compiled".
        lines = [f".globl {name}\n{name}:\n" for name in missing]
        open_ends.write_text(
            ".text\n" + "".join(lines) + "\tcall pyaclnn_reference_open@PLT\n"
            '\t.section .note.GNU-stack,"",@progbits\n', encoding="ascii",
        )  # fmt: skip
        error = self._run(str(open_ends), *command)
        if error or not missing:
            raise RuntimeError(f"{library.name} does not link: {error or said[-300:]}")
        return missing

    def _run(self, *arguments: str) -> str:
        said = self._called(*arguments)
        found = _ERROR.search(said)
        return found[0] if found else said[-300:]

    def _called(self, *arguments: str) -> str:
        done = subprocess.run([*self._command, *arguments], capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stderr or f"status {done.returncode}"


def build(
    sources: Sources, work: Path, simulator: Path, jobs: int, stand_in: Path = STAND_IN
) -> Built:
    """Compile what compiles, and make a toolkit root of it.

    Parameters
    ----------
    sources : Sources
        CANN's.
    work : Path
        Where objects and the toolkit root are written to.
    simulator : Path
        The toolkit root whose runtime is used.
    jobs : int
        Compilers at a time.
    stand_in : Path, optional
        What is compiled in place of the libraries that there are no sources of.
    """
    compiler = Compiler(sources, work / "objects")
    built = Built(_toolkit(work / "toolkit", simulator))
    units = [Unit(stand_in, (), "base"), *sources.units()]
    with ThreadPoolExecutor(jobs) as pool:
        for unit, (target, error) in zip(units, pool.map(compiler.compile, units), strict=True):
            if target is None:
                built.errors[unit.source] = error
            else:
                built.objects[unit.source] = target
    if stand_in in built.errors:
        raise RuntimeError(f"these sources need another stand-in: {built.errors[stand_in]}")
    libraries = built.toolkit / "lib64"
    for name, wanted, needed in (
        ("libnnopbase.so", True, ["ascendcl"]),
        ("libopapi.so", False, ["nnopbase", "ascendcl"]),
    ):
        objects = [
            built.objects[unit.source] for unit in units
            if unit.source in built.objects and (unit.kind == "base") == wanted
        ]  # fmt: skip
        built.open.extend(compiler.link(libraries / name, objects, needed))
    return built


def operators_of(toolkit: Path) -> set[str]:
    """Return the operators whose first phase a toolkit root has.

    Parameters
    ----------
    toolkit : Path
        The root.
    """
    done = subprocess.run(
        ["nm", "-D", "--defined-only", str(toolkit / "lib64" / "libopapi.so")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(_PHASE_1.findall(done.stdout))


def _toolkit(place: Path, simulator: Path) -> Path:
    """Return a copy of the simulator's root without operators."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(simulator, place, symlinks=True)
    for name in ("libnnopbase.so", "libopapi.so"):
        for file in place.rglob(name):
            if not file.parent.is_symlink():
                os.unlink(file)
    return place
