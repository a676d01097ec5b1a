"""Make wheels with the simulator in them, for x86-64 and AArch64, on any Linux.

    pip install '.[wheels]'
    python tools/build_wheels.py --output dist

The compiler is Zig, which brings headers and libraries for all targets. A wheel fits every Python 3
that pyaclnn supports, and every system whose glibc is as old as the tag says or newer; `auditwheel`
confirms that. Objects are kept in `build/objects`, so that the next wheel takes seconds.

Exit status: 0 all made and right, 1 one was not, 2 this Python lacks something.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ARCHITECTURES = ("x86_64", "aarch64")
#: memfd_create came with 2.27. Systems that CANN supports have 2.28 at least, but for Ubuntu 18.04
#: and CentOS 7, where pip compiles.
GLIBC = "2_28"
#: Asked for before minutes of compiling.
NEEDS = ("setuptools", "ziglang", "auditwheel")

_VERSION = re.compile(r"manylinux_(\d+)_(\d+)_(\w+)")
_CONSISTENT = re.compile(rf'following platform tag: "{_VERSION.pattern}"')


class WheelError(Exception):
    """A wheel could not be made, or is not what its name says."""


def tag(architecture: str) -> str:
    """Return the platform tag of the wheel for a processor."""
    return f"manylinux_{GLIBC}_{architecture}"


def build(architecture: str, output: Path) -> Path:
    """Make a wheel.

    Parameters
    ----------
    architecture : str
        One of ``ARCHITECTURES``.
    output : Path
        Where it goes.

    Returns
    -------
    Path
        The wheel.

    Raises
    ------
    WheelError
        If that fails; pip has said why.
    """
    with tempfile.TemporaryDirectory(dir=output) as scratch:
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", scratch]
        command += ["--disable-pip-version-check", "--no-build-isolation"]
        command += [f"--config-settings=--build-option=--plat-name={tag(architecture)}", str(ROOT)]
        if subprocess.run(command, check=False).returncode != 0:
            raise WheelError(f"no wheel for {architecture}: {' '.join(command)} failed")
        (made,) = Path(scratch).glob("*.whl")
        return made.rename(output / made.name)


def _glibc(platform: re.Match[str]) -> tuple[int, int]:
    return int(platform[1]), int(platform[2])


def check(wheel: Path, platform: str) -> str:
    """Return what auditwheel says of a wheel.

    Raises
    ------
    WheelError
        If that is not the tag, or the wheel has another.
    """
    if not wheel.name.endswith(f"-py3-none-{platform}.whl"):
        raise WheelError(f"{wheel.name} is not for {platform}")
    command = [sys.executable, "-m", "auditwheel", "show", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # It breaks lines where a terminal would.
    said = " ".join((done.stdout + done.stderr).split())
    found = _CONSISTENT.search(said)
    wanted = _VERSION.fullmatch(platform)
    # Older than promised is right: the libraries use less than all of that glibc.
    if not (found and wanted and found[3] == wanted[3] and _glibc(found) <= _glibc(wanted)):
        raise WheelError(f"{wheel.name} is not what auditwheel takes for {platform}: {said}")
    return said


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the wheels that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--architecture", action="append", choices=ARCHITECTURES)
    options = parser.parse_args(arguments)
    missing = [name for name in NEEDS if importlib.util.find_spec(name) is None]
    if missing:
        print(f"no {', '.join(missing)}: pip install '.[wheels]'", file=sys.stderr)
        return 2
    options.output.mkdir(parents=True, exist_ok=True)
    status = 0
    for architecture in options.architecture or ARCHITECTURES:
        started = time.monotonic()
        try:
            wheel = build(architecture, options.output)
            said = check(wheel, tag(architecture))
        except WheelError as error:
            print(error, file=sys.stderr)
            status = 1
            continue
        size = wheel.stat().st_size / 2**20
        print(f"{wheel}: {size:.1f} MiB in {time.monotonic() - started:.0f} s\n{said}")
    return status


if __name__ == "__main__":
    sys.exit(main())
