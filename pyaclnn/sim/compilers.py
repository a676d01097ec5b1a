"""Compilers for the simulator: the system's, or Zig, which comes as a Python package.

Like ``build.py``, which reads it, it imports nothing of pyaclnn and nothing outside the standard
library.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

#: Fetched where there is no compiler: releases that are known to work.
ZIGLANG = "ziglang>=0.17,<0.18"

_PROBE = """
#include <optional>
#include <shared_mutex>
int main() { return std::optional(0).value(); }
"""


class BuildError(Exception):
    """The simulator could not be built; the message gives the cause and a remedy."""


@dataclass(frozen=True)
class Compiler:
    """A C++17 compiler: the command, and the flags only this one needs."""

    command: tuple[str, ...]
    flags: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()

    def run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Call it, and return what it said."""
        return subprocess.run(
            [*self.command, *self.flags, *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            env={**os.environ, **dict(self.env)},
            check=False,
        )

    def is_gcc(self) -> bool:
        """Whether it is GCC, and not one that defines the same macros."""
        macros = self.run(["-x", "c++", "-dM", "-E", os.devnull]).stdout.split()
        return "__GNUC__" in macros and "__clang__" not in macros

    def describe(self) -> str:
        """First line of ``--version``, for reports."""
        text = self.run(["--version"]).stdout.strip()
        return f"{' '.join(self.command)} ({text.splitlines()[0] if text else 'version unknown'})"


@cache
def _works(compiler: Compiler) -> bool:
    """Whether a C++17 program compiles and links; asked once in a process."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.cpp"
        source.write_text(_PROBE, encoding="utf-8")
        try:
            done = compiler.run(["-std=c++17", str(source), "-o", str(source.with_suffix(""))])
        except OSError:
            return False
        return done.returncode == 0


def target_of(glibc: str, processor: str) -> str:
    """Name a target for Zig: ``target_of("2_28", "aarch64")`` is ``"aarch64-linux-gnu.2.28"``."""
    return f"{processor}-linux-gnu.{glibc.replace('_', '.')}"


def zig(python_path: str | None = None, target: str | None = None) -> Compiler:
    """Return the compiler of the package ziglang, for this machine or another."""
    env = (("PYTHONPATH", python_path),) if python_path else ()
    return Compiler(
        (sys.executable, "-m", "ziglang", "c++", *(("-target", target) if target else ())),
        # By default Zig compiles for the processor at hand and traps undefined behaviour. Cross
        # builds are wheels, whose size debug information would multiply.
        ("-mcpu=baseline", "-fno-sanitize=undefined", *(("-s",) if target else ())),
        env,
    )


@contextmanager
def _fetched_zig(target: str | None) -> Iterator[Compiler | None]:
    """Install ``ziglang`` from the package index into a folder of its own, for this build only."""
    with tempfile.TemporaryDirectory(prefix="pyaclnn-zig-") as folder:
        install = ["install", "--quiet", "--disable-pip-version-check", "--target", folder, ZIGLANG]
        # The isolated build environment hides pip by PYTHONPATH.
        outside = {name: v for name, v in os.environ.items() if name != "PYTHONPATH"}
        for installer in ([sys.executable, "-m", "pip"], ["uv", "pip"]):
            try:
                done = subprocess.run(
                    [*installer, *install], capture_output=True, env=outside, check=False
                )
            except OSError:
                continue
            if done.returncode == 0:
                yield zig(folder, target)
                return
        yield None


@contextmanager
def find_compiler(target: str | None = None) -> Iterator[Compiler]:
    """Give the first compiler that works: $CXX, the system's, ziglang, ziglang from the index.

    Parameters
    ----------
    target : str, optional
        A target of Zig, as ``"aarch64-linux-gnu.2.28"``: processor and oldest glibc. Only Zig
        brings the headers and libraries of others, so the first two are not asked.

    Raises
    ------
    BuildError
        Where none of them does.
    """
    chosen = os.environ.get("CXX")
    if chosen and not target:
        compiler = Compiler(tuple(shlex.split(chosen)))
        if not _works(compiler):
            raise BuildError(f"CXX={chosen!r} does not compile a C++17 program")
        yield compiler
        return
    for name in () if target else ("g++", "clang++", "c++"):
        if shutil.which(name) and _works(Compiler((name,))):
            yield Compiler((name,))
            return
    if _works(zig(target=target)):
        yield zig(target=target)
        return
    with _fetched_zig(target) as fetched:
        if fetched is None or not _works(fetched):
            if target:
                raise BuildError(
                    f"no compiler for {target}: it takes the Python package ziglang, which is not "
                    "there or cannot compile for it, and could not be installed"
                )
            raise BuildError(
                "no C++17 compiler: looked for $CXX, g++, clang++, c++ and the Python package "
                "ziglang, and could not install ziglang. Install one of them"
            )
        yield fetched
