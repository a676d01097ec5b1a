"""Running a sample and its port, and comparing what they print."""

from __future__ import annotations

import ctypes
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from pyaclnn.abi.paths import SIMULATOR_ROOT
from pyaclnn.port.errors import FailedError, PortError, UncheckedError
from pyaclnn.port.frontend.cmake import project_of
from pyaclnn.port.port import Port
from pyaclnn.sim.compilers import BuildError, find_compiler

_NUMBER = re.compile(
    r"(?<![A-Za-z_])[-+]?(?:0x[0-9a-fA-F]+|nan\b|inf\b|\d+\.?\d*(?:[eE][-+]?\d+)?)"
)
_TIMEOUT = 120.0
_LIBRARIES = ("ascendcl", "acl_rt", "nnopbase", "opapi", "opapi_math", "opapi_nn", "hccl")
_FIRST_PHASE = re.compile(r"\b(acl\w+GetWorkspaceSize)\b")
_LACKING = re.compile(r"undefined (?:reference to|symbol:?) [`'\"]?((?:aclnn|Acl|acl|Hccl)\w+)")


def toolkit_root() -> Path:
    """Return the toolkit to compile against: an installed one, or the simulator's."""
    for variable in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"):
        path = os.environ.get(variable)
        if path and (Path(path) / "lib64").is_dir():
            return Path(path)
    return SIMULATOR_ROOT


def compare(
    sample: Path,
    result: Port,
    headers: Sequence[Path] = (),
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> int:
    """Run both programs and report the first difference.

    Parameters
    ----------
    sample : Path
        The C++ source.
    result : Port
        Its translation.
    headers : sequence of Path
        Further include directories.
    arguments : sequence of str
        The sample's command line.
    environment : mapping of str to str, optional
        What the sample finds in its environment, beside what is there.

    Returns
    -------
    int
        0 if they print the same and end with the same status, 1 if they do not, if the port is
        not complete, or if the sample cannot run here because the simulator lacks an operator.

    Raises
    ------
    PortError
        If the sample or its port fails, unless the sample is one that ends with a status of its
        own, as its port does.
    """
    failure = None
    with tempfile.TemporaryDirectory() as folder:
        try:
            theirs = run_sample(sample, Path(folder), headers, arguments, environment)
        except UncheckedError as error:
            print(f"{sample}: not checked: {error}", file=sys.stderr)
            return 1
        except FailedError as error:
            theirs, failure = error.output, error
        mine = _port_that_ends_like(failure, result.text, Path(folder))
    for gap in result.gaps:
        print(f"{gap.file}:{gap.line}: not ported: {gap.reason}", file=sys.stderr)
    difference = first_difference(theirs, mine)
    if difference is not None:
        print(f"{sample}: {difference}", file=sys.stderr)
        return 1
    count = len(_NUMBER.findall(theirs))
    status = f" and end with status {failure.status}" if failure is not None else ""
    print(f"{sample}: the sample and its port print the same {count} numbers{status}")
    return 1 if result.gaps else 0


def _port_that_ends_like(sample: FailedError | None, text: str, folder: Path) -> str:
    """Return the output of a port that ends with the sample's status; raises if it fails."""
    try:
        printed = run_port(text, folder)
    except FailedError as error:
        if sample is not None and error.status == sample.status and not error.raised:
            return error.output
        raise sample or error from None
    if sample is not None:
        raise sample
    return printed


def run_sample(
    sample: Path,
    folder: Path,
    headers: Sequence[Path] = (),
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> str:
    """Compile and run a sample, and return what it prints.

    Raises
    ------
    PortError
        If one of them fails, with the compiler's words.
    UncheckedError
        If the toolkit lacks what the sample calls.
    """
    root = toolkit_root()
    program = folder / "sample"
    is_c = sample.suffix == ".c"
    libraries = root / "lib64"
    names = [n for n in _LIBRARIES if (libraries / f"lib{n}.so").exists()]
    project = project_of(sample)
    headers = [*headers, *project.includes]
    others = [s for s in project.sources if s.resolve() != sample.resolve() and s.is_file()]
    command = [
        *(["-x", "c", "-std=c11"] if is_c else ["-x", "c++", "-std=c++17"]), "-w",
        str(sample), *map(str, others), "-x", "none", "-o", str(program),
        *(f"-I{h}" for h in headers), f"-I{root / 'include'}", f"-I{root / 'include/aclnnop'}",
        f"-L{libraries}", *(f"-l{n}" for n in names), "-lpthread", "-lm",
        f"-Wl,-rpath,{libraries}",
    ]  # fmt: skip
    try:
        with find_compiler() as compiler:
            done = compiler.run(command)
    except BuildError as error:
        raise PortError(str(error)) from None
    lacking: list[str] = _LACKING.findall(done.stderr) if done.returncode else []
    lacking += _stubs(sample, libraries)
    if lacking:
        missing = ", ".join(dict.fromkeys(n.removesuffix("GetWorkspaceSize") for n in lacking))
        raise UncheckedError(f"the toolkit in {root} has no {missing}; a machine with CANN does")
    if done.returncode != 0:
        raise PortError(f"the sample does not compile:\n{done.stderr.strip()[-2000:]}")
    return _run([str(program), *arguments], "the sample fails", folder, environment)


def _stubs(sample: Path, libraries: Path) -> list[str]:
    """Return the operators of a sample that the simulator links, but does not simulate."""
    if not (libraries / "libpyaclnn_sim.so").exists():
        return []  # a real CANN, which has its operators or fails to link
    is_stub = ctypes.CDLL(str(libraries / "libopapi.so")).pyaclnnSimIsStub
    named = _FIRST_PHASE.findall(sample.read_text(encoding="utf-8", errors="replace"))
    return [name for name in dict.fromkeys(named) if is_stub(name.encode())]


def run_port(text: str, folder: Path) -> str:
    """Run a port and return what it prints.

    Raises
    ------
    PortError
        If it fails, with its traceback.
    """
    path = folder / "port.py"
    path.write_text(text, encoding="utf-8")
    return _run([sys.executable, str(path)], "the port fails", folder)


def _run(command: list[str], what: str, folder: Path, more: Mapping[str, str] | None = None) -> str:
    package = str(Path(__file__).resolve().parents[2])
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **(more or {})}
    environment.setdefault("PYACLNN_BACKEND", "auto")
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_TIMEOUT,
            env=environment, cwd=folder, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise PortError(f"{what}: it takes more than {_TIMEOUT:g} s") from None
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip()[-2000:]
        raised = "Traceback (most recent call last)" in done.stderr
        message = f"{what} (exit code {done.returncode}):\n{words}"
        raise FailedError(message, done.returncode, done.stdout, raised)
    return done.stdout


def first_difference(theirs: str, mine: str) -> str | None:
    """Return where two outputs differ, number by number; None if they do not.

    Parameters
    ----------
    theirs, mine : str
        What the sample and the port print.
    """
    pairs = zip_longest(theirs.splitlines(), mine.splitlines())
    for number, (left, right) in enumerate(pairs, 1):
        if left is None or right is None:
            return f"line {number}: the sample prints {left!r}, the port {right!r}"
        if _NUMBER.sub("#", left).strip() != _NUMBER.sub("#", right).strip():
            return f"line {number}: the sample prints {left!r}, the port {right!r}"
        for a, b in zip(_NUMBER.findall(left), _NUMBER.findall(right), strict=True):
            if not _same(a, b):
                return f"line {number}: the sample prints {a}, the port {b}: {left!r}"
    return None


def _same(left: str, right: str) -> bool:
    if left == right or "x" in left + right:
        return left == right
    a, b = float(left), float(right)
    return a == b or (math.isnan(a) and math.isnan(b))
