"""Try a wheel for AArch64 where there is none: under QEMU, with Debian's Python and packages.

    python tools/build_wheels.py --architecture aarch64
    python tools/aarch64.py --quick                       # selftest --quick, the C programs
    python tools/aarch64.py                               # the whole selftest
    python tools/aarch64.py --run -m pyaclnn.selftest --op gelu

Needs a Debian system, `qemu-user-static`, and `pip install '.[test]'`; no root. A folder is filled
with Debian's Python for arm64 and with the wheel and what it needs, and kept for the next time.
Nothing is installed in the system, and nothing registered with the kernel: Python starts itself
again through a script, but programs in C that start others do not work.

Exit status: 0 all passed, 1 something failed, 2 this machine lacks something.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GLIBC = "2.28"
#: Programs in C and C++ against the simulator, none of which starts others.
PROGRAMS = (
    "tests/sim/test_runtime_programs.py",
    "tests/sim/test_operator_samples.py",
    "tests/sim/test_operator_programs.py",
    "tests/sim/test_runtime_core.py",
    "tests/sim/test_registers.py",
    "tests/sim/test_vecmath.py",
)
#: Tests that need tools of the machine the programs are for, or programs that start others.
NOT_HERE = "not valgrind and not exported and not ipc_memory and not another_process"
#: Addresses a program has. QEMU keeps a note of each page, and 16 TiB, which the simulator reserves
#: where it can, would be 17 GB of them.
ADDRESSES = 256 << 30
_PACKAGES = ("python3", "libstdc++6")  # the second for the wheel of NumPy


class MissingError(Exception):
    """What this machine would need."""


def emulator() -> str:
    """Return QEMU for programs of AArch64."""
    for name in ("qemu-aarch64-static", "qemu-aarch64"):
        if path := shutil.which(name):
            return path
    raise MissingError("no qemu-aarch64-static: apt-get install qemu-user-static")


def _apt(state: Path, *arguments: str) -> None:
    """Run apt-get for arm64 with a state of its own, from the sources of this system."""
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    (state / "status").touch()
    options = {
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "APT::Sandbox::User": "",
        "Acquire::Languages": "none",
        "Debug::NoLocking": "true",
        "Dir::State": state / "state",
        "Dir::State::Status": state / "status",
        "Dir::Cache": state / "cache",
    }
    given = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
    try:
        subprocess.run(["apt-get", "-qq", *given, *arguments], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise MissingError(f"Debian's packages for arm64 are not to be had: {error}") from error


def fill_system(system: Path) -> None:
    """Unpack Debian's Python for arm64."""
    if (system / "usr" / "bin" / "python3").exists():
        return
    state = system.with_name("apt")
    _apt(state, "update")
    _apt(state, "install", "--yes", "--download-only", "--no-install-recommends", *_PACKAGES)
    for package in sorted((state / "cache" / "archives").glob("*.deb")):
        subprocess.run(["dpkg", "-x", package, system], check=True)


def python_version(system: Path) -> str:
    """Return the version of the unpacked Python, as ``3.11``."""
    return os.readlink(system / "usr" / "bin" / "python3").removeprefix("python")


def install(wheel: Path, site: Path, version: str) -> None:
    """Install the wheel and what it needs, for AArch64, into a folder."""
    shutil.rmtree(site, ignore_errors=True)
    platforms = [f"manylinux_2_{minor}_aarch64" for minor in range(17, 29)]
    named = [w for name in (*platforms, "manylinux2014_aarch64") for w in ("--platform", name)]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--only-binary=:all:",
            "--python-version",
            version,
            *named,
            "--target",
            site,
            wheel,
        ],
        check=True,
    )


def place_python(folder: Path, under: Sequence[str], python: Path) -> Path:
    """Write a script that is Python for AArch64, and the module that tells Python so."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "python"
    script.write_text(f'#!/bin/sh\nexec {shlex.join([*under, str(python)])} "$@"\n')
    script.chmod(0o755)
    # What starts `sys.executable` starts the script: the kernel cannot start Python itself.
    (folder / "sitecustomize.py").write_text(f"import sys\nsys.executable = {str(script)!r}\n")
    return script


def _newest_wheel(folder: Path) -> Path:
    wheels = sorted(folder.glob("pyaclnn-*_aarch64.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        raise MissingError(
            f"no wheel in {folder}: python tools/build_wheels.py --architecture aarch64"
        )
    return wheels[-1]


def _timed(what: str, command: Sequence[str], env: dict[str, str], folder: Path) -> bool:
    print(f"== {what}", flush=True)
    started = time.monotonic()
    done = subprocess.run(command, env={**os.environ, **env}, cwd=folder, check=False)
    print(f"== {what}: status {done.returncode} after {time.monotonic() - started:.0f} s")
    return done.returncode == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Install the wheel for AArch64 and run what has to pass there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=Path, help="the newest in dist by default")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "qemu")
    parser.add_argument("--page-size", type=int, help="65536: as kernels of some servers have")
    parser.add_argument("--quick", action="store_true", help="selftest --quick")
    parser.add_argument("--no-programs", action="store_true", help="Python alone")
    parser.add_argument("--run", nargs=argparse.REMAINDER, help="Python's arguments, instead")
    options = parser.parse_args(arguments)
    folder = options.folder.resolve()
    try:
        wheel = options.wheel or _newest_wheel(ROOT / "dist")
        system, site = folder / "system", folder / "site"
        pages = ["-p", str(options.page_size)] if options.page_size else []
        under = [emulator(), *pages, "-R", str(ADDRESSES), "-L", str(system)]
        fill_system(system)
        version = python_version(system)
        started = time.monotonic()
        install(wheel, site, version)
        print(f"{wheel.name} and what it needs: installed in {time.monotonic() - started:.0f} s")
    except MissingError as error:
        print(error, file=sys.stderr)
        return 2
    # Not in the checkout, whose package has libraries of this machine.
    start = folder / "start"
    python = [str(place_python(start, under, system / "usr" / "bin" / f"python{version}"))]
    env = {"PYTHONPATH": f"{start}{os.pathsep}{site}", "PYACLNN_BACKEND": "simulator"}
    if options.run:
        return subprocess.run(
            [*python, *options.run], env={**os.environ, **env}, cwd=start, check=False
        ).returncode
    quick = ["--quick"] if options.quick else []
    passed = _timed("selftest", [*python, "-m", "pyaclnn.selftest", *quick], env, start)
    if not options.no_programs:
        programs = {
            "PYACLNN_TEST_TOOLKIT": str(site / "pyaclnn" / "_toolkit"),
            "PYACLNN_TEST_TARGET": f"aarch64-linux-gnu.{GLIBC}",
            "PYACLNN_TEST_UNDER": " ".join(under),
        }
        pytest = [sys.executable, "-m", "pytest", "-q", "-k", NOT_HERE, *PROGRAMS]
        passed &= _timed("programs in C and C++", pytest, programs, ROOT)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
