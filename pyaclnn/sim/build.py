"""Compile the simulator into a toolkit root.

Runs in three places, always the same way: during ``pip install`` (from ``setup.py``), from an
installed package (``python -m pyaclnn.sim --build``) and from a checkout
(``python pyaclnn/sim/build.py``). It therefore imports nothing of pyaclnn and nothing outside the
standard library.

There is deliberately no build system: for some four hundred files and a few link lines none is
needed, and so a compiler is the only requirement.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

SIM_DIR = Path(__file__).resolve().parent
SOURCE_DIR = SIM_DIR / "src"
TOOLKIT_DIR = SIM_DIR.parent / "_toolkit"
REPORT_NAME = "build.json"


def _beside(name: str) -> ModuleType:
    """Load a module beside this one by path, as this one may have been loaded itself."""
    spec = importlib.util.spec_from_file_location(f"pyaclnn_build_{name}", SIM_DIR / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_LIBRARIES = _beside("libraries")
CORE: str = _LIBRARIES.CORE
#: Library -> its source folders, and what it needs beside the core.
LIBRARIES: dict[str, Any] = _LIBRARIES.LIBRARIES
_LAYOUT = _beside("layout")
_COMPILERS = _beside("compilers")
BuildError = _COMPILERS.BuildError
find_compiler = _COMPILERS.find_compiler
target_of = _COMPILERS.target_of
#: Modules beside this one whose ``generate(include, folder)`` writes further sources of a library
#: into a folder of their own and returns them; ValueError where that cannot be done.
GENERATORS = (
    ("libopapi.so", "stubs"),
    ("libopapi.so", "generate"),
    ("libpyaclnn_trace.so", "trampolines"),
)

COMMON_FLAGS = (
    "-std=c++17",
    "-fPIC",
    "-pthread",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    # One rounding for each operation, whichever instruction set a kernel runs on.
    "-ffp-contract=off",
    # Nothing reads errno or the floating point exception flags; supporting them prevents
    # vectorisation.
    "-fno-math-errno",
    "-fno-trapping-math",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
)
# A short loop takes twice as long where its instructions lie on two lines of the processor's cache.
RELEASE_FLAGS = ("-O3", "-DNDEBUG", "-falign-loops=32")
# Line tables only, which reports need; debug information of types takes a fifth of the compile
# time. With the sanitizers, -O1 takes twice as long to compile and the libraries are no faster.
DEBUG_FLAGS = ("-Og", "-g1")
SANITIZE_FLAGS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    # A caller written in C may pass any int as an enumeration; that is checked, not undefined. What
    # the address sanitizer sees as well takes a seventh of the compile time.
    "-fno-sanitize=enum,null,object-size,vptr",
    "-fno-omit-frame-pointer",
)


#: Headers of the standard library that most sources include; that each does is tested.
STANDARD = (
    "algorithm array cmath cstddef cstdint cstring functional initializer_list limits memory mutex "
    "optional string tuple type_traits utility vector"
)


def place_headers(headers: Path, toolkit: Path, *, copy: bool) -> None:
    """Lay out ``toolkit/include``, and the index of what these headers and the table say."""
    _LAYOUT.place_headers(headers, toolkit, copy=copy)
    _beside("generate").write_index(toolkit / "include", toolkit)


def _sources(include: Path, folder: Path, libraries: Sequence[str]) -> dict[str, list[Path]]:
    """Return the files each library is made of; those that are generated are written first."""
    sources = {
        library: sorted(f for part in parts for f in (SOURCE_DIR / part).rglob("*.cpp"))
        for library, parts in ((name, LIBRARIES[name].sources) for name in libraries)
    }
    for library, name in GENERATORS:
        if library not in sources:
            continue
        try:
            sources[library] += _beside(name).generate(include, folder / name)
        except ValueError as error:
            raise BuildError(f"sim/{name}.py: {error}") from error
    # Zig needs an input file to link.
    nothing = folder / "nothing.cpp"
    folder.mkdir(parents=True, exist_ok=True)
    nothing.write_text("// Of a library that is there to be linked to.\n", encoding="utf-8")
    return {library: files or [nothing] for library, files in sources.items()}


class _Standard:
    """A precompiled header of the standard library, which saves a fifth of the compile time.

    It is used with GCC only.
    """

    def __init__(self, compiler: Any, flags: Sequence[str], folder: Path) -> None:
        self._compiler, self._flags, self._folder = compiler, flags, folder
        self._lock = threading.Lock()
        self._given: list[str] | None = None

    def flags(self) -> list[str]:
        """Return the flags that include it; the first call compiles it."""
        with self._lock:
            if self._given is None:
                self._given = self._make() if self._compiler.is_gcc() else []
            return self._given

    def _make(self) -> list[str]:
        header = self._folder / "standard.hpp"
        header.write_text("".join(f"#include <{name}>\n" for name in STANDARD.split()), "utf-8")
        kept = [*self._flags, "-x", "c++-header", str(header), "-o", f"{header}.gch"]
        _checked(self._compiler.run(kept), f"compiling {header}")
        return ["-include", str(header)]


def _checked(done: subprocess.CompletedProcess[str], what: str) -> None:
    if done.returncode != 0:
        raise BuildError(f"{what} failed:\n{' '.join(done.args)}\n{done.stdout}{done.stderr}")
    if done.stderr.strip():
        print(done.stderr, file=sys.stderr)


def _link(
    compiler: Any, library: str, objects: Sequence[Path], folder: Path, flags: Sequence[str]
) -> None:
    stands_on = [CORE] if LIBRARIES[library].on_core and library != CORE else []
    needs = [*stands_on, *LIBRARIES[library].needs]
    # The sanitizers' functions are defined by the program that loads the library.
    complete = [] if any(f.startswith("-fsanitize=") for f in flags) else ["-Wl,-z,defs"]
    target = folder / f".{library}.{os.getpid()}.part"
    _checked(
        compiler.run(
            [
                *flags,
                "-shared",
                *complete,
                f"-Wl,-soname,{library}",
                "-Wl,-rpath,$ORIGIN",
                *(str(o) for o in objects),
                # Clients look up symbols of one library through another, so dependencies are not
                # dropped.
                "-Wl,--no-as-needed",
                f"-L{folder}",
                *(f"-l{need[3:-3]}" for need in needs),
                "-o",
                str(target),
            ]
        ),
        f"linking {library}",
    )
    target.replace(folder / library)


def build(
    toolkit: Path = TOOLKIT_DIR,
    *,
    cache: Path | None = None,
    jobs: int | None = None,
    debug: bool = False,
    sanitize: bool = False,
    extra_flags: Sequence[str] = (),
    only: str | None = None,
    target: str | None = None,
) -> dict[str, object]:
    """Build the libraries into ``toolkit/lib64`` and say how in ``toolkit/build.json``.

    Parameters
    ----------
    toolkit : Path
        The toolkit root; ``include`` must be in place.
    cache : Path, optional
        Where objects are kept between builds; a temporary folder by default.
    jobs : int, optional
        Compilers at a time; as many as this process has processors by default.
    debug, sanitize : bool
        ``-Og -g1``; with AddressSanitizer and UndefinedBehaviorSanitizer.
    extra_flags : sequence of str
        Appended to every compiler call.
    only : str, optional
        A library: it and those it stands on are built, and no others.
    target : str, optional
        What to compile for; see `find_compiler`.

    Returns
    -------
    dict
        The report: compiler, flags, seconds.

    Raises
    ------
    BuildError
        With the compiler's own words where one was found.
    """
    if platform.system() != "Linux":
        raise BuildError(f"the simulator needs Linux; this is {platform.system()}")
    started = time.monotonic()
    include = toolkit / "include"
    flags = [*COMMON_FLAGS, *(DEBUG_FLAGS if debug or sanitize else RELEASE_FLAGS)]
    flags += SANITIZE_FLAGS if sanitize else ()
    flags += extra_flags
    roots = {"src": SOURCE_DIR, "sim": SIM_DIR / "include", "include": include}
    includes = [f"-I{root}" for root in roots.values()]
    lib64 = toolkit / "lib64"
    lib64.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, find_compiler(target) as compiler:
        objects = cache or Path(scratch)
        generated = objects / "generated"
        includes.append(f"-I{generated / 'generate'}")
        _beside("releases").generate(generated / "generate")
        sources = _sources(include, generated, _LIBRARIES.needed(only))
        kept = _beside("object_cache").ObjectCache(
            objects, "\0".join([compiler.describe(), *flags]), {**roots, "generated": generated}
        )
        # Each object once, though several libraries may contain it.
        distinct = {s: None for files in sources.values() for s in files}
        progress = _beside("progress").Progress("compiling the simulator", len(distinct))

        standard = _Standard(compiler, flags, Path(scratch))

        def compiled(source: Path) -> Path:
            def run(arguments: Sequence[str]) -> None:
                done = compiler.run([*flags, *standard.flags(), *includes, *arguments])
                _checked(done, f"compiling {source}")

            made = Path(kept.compile(source, run))
            progress.step(source.name)
            return made

        with progress, ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0))) as pool:
            pending = {source: pool.submit(compiled, source) for source in distinct}
            for library, files in sources.items():
                _link(compiler, library, [pending[s].result() for s in files], lib64, flags)
        _LAYOUT.place(toolkit, (target or platform.machine()).partition("-")[0])
        report: dict[str, object] = {
            "compiler": compiler.describe(),
            "flags": flags,
            "seconds": round(time.monotonic() - started, 1),
        }
    write_report(toolkit, report)
    return report


def write_report(toolkit: Path, report: dict[str, object]) -> None:
    """Leave a note beside the libraries, for error messages and ``pyaclnn.info``."""
    toolkit.mkdir(parents=True, exist_ok=True)
    (toolkit / REPORT_NAME).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def build_or_explain(toolkit: Path, cache: Path | None = None) -> bool:
    """Build as part of an installation: a failure is reported and recorded, and is not fatal.

    A binding without simulator is still useful on a machine that has CANN.
    """
    try:
        report = build(toolkit, cache=cache)
    except BuildError as error:
        shutil.rmtree(toolkit / "lib64", ignore_errors=True)
        write_report(toolkit, {"error": str(error)})
        print(
            f"pyaclnn: installing WITHOUT the CPU simulator: {error}\n"
            "pyaclnn: the binding works where CANN is installed; `python -m pyaclnn.sim --build` "
            "adds the simulator later",
            file=sys.stderr,
        )
        return False
    print(
        f"pyaclnn: simulator built in {report['seconds']} s by {report['compiler']}",
        file=sys.stderr,
    )
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Build from a checkout or an installed package."""
    epilog = "Exit status: 0 built, 1 not: the message says why."
    parser = argparse.ArgumentParser(description="Build the pyaclnn simulator.", epilog=epilog)
    parser.add_argument("--output", type=Path, default=TOOLKIT_DIR, help="toolkit root to fill")
    parser.add_argument("--cache", type=Path, help="folder that keeps objects between builds")
    parser.add_argument("--jobs", type=int, help="compilers at a time")
    parser.add_argument("--debug", action="store_true", help="-Og -g1")
    parser.add_argument("--sanitize", action="store_true", help="AddressSanitizer and UBSan")
    for name, flag in (("--thread-sanitize", "-fsanitize=thread"), ("--werror", "-Werror")):
        parser.add_argument(name, action="append_const", dest="extra", const=flag, help=flag)
    parser.add_argument("--only", choices=LIBRARIES, help="this library and those it stands on")
    parser.add_argument("--target", help="compile with Zig for another: aarch64-linux-gnu.2.28")
    options = parser.parse_args(arguments)
    checkout = SIM_DIR.parents[1] / "headers"
    headers = checkout if checkout.is_dir() else TOOLKIT_DIR / "include"
    if options.output.resolve() != headers.parent.resolve():
        place_headers(headers, options.output, copy=not checkout.is_dir())
    try:
        report = build(
            options.output,
            cache=options.cache,
            jobs=options.jobs,
            debug=options.debug,
            sanitize=options.sanitize,
            extra_flags=options.extra or [],
            only=options.only,
            target=options.target,
        )
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{options.output}: built in {report['seconds']} s by {report['compiler']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
