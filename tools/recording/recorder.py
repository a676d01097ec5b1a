"""A toolkit root whose operators are written down, and not computed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyaclnn import abi
from pyaclnn.abi.paths import SIMULATOR_ROOT
from pyaclnn.ops.spec import load_spec
from pyaclnn.sim import build
from pyaclnn.sim.compilers import BuildError, find_compiler
from pyaclnn.sim.stubs import declared_functions

_FIRST = "GetWorkspaceSize"
_NAMED = re.compile(r"\b(acl[A-Z]?\w+)\b")
_HEAD = '#include "recorder.hpp"\nusing namespace pyaclnn::recorder;\nextern "C" {\n'
# Not `libopapi_...`, which would be a part of a toolkit that is split.
_SIMULATED = "libsimulated_opapi.so"


def make_toolkit(root: Path, samples: Sequence[Path], jobs: int = 1) -> None:
    """Lay out a toolkit that records the operators which some samples name.

    Parameters
    ----------
    root : Path
        Where it goes; what is there and records as much is kept.
    samples : sequence of Path
        C++ sources.
    jobs : int
        Compilers at a time.

    Raises
    ------
    BuildError
        With the compiler's words.
    """
    _lay_out(root)
    named = {
        word
        for sample in samples
        for word in _NAMED.findall(sample.read_text(encoding="utf-8", errors="replace"))
    }
    stamp = root / "recorder.json"
    stands_on = (Path(__file__).parent / "recorder.hpp").read_text(encoding="utf-8")
    stands_on += (SIMULATOR_ROOT / build.REPORT_NAME).read_text(encoding="utf-8")
    known = json.loads(stamp.read_text(encoding="utf-8")) if stamp.exists() else [[], ""]
    functions = set(declared_functions(SIMULATOR_ROOT / "include")) & named
    if known[1] == stands_on and functions <= set(known[0]):
        return
    functions |= set(known[0])
    _compile(root, source_texts(functions), jobs)
    stamp.write_text(json.dumps([sorted(functions), stands_on]), encoding="utf-8")


def _lay_out(root: Path) -> None:
    """Copy the simulator's libraries, which are found by where they lie, and link the rest."""
    libraries = root / "lib64"
    libraries.mkdir(parents=True, exist_ok=True)
    for source in SIMULATOR_ROOT.iterdir():
        if source.name not in ("lib64", "devlib") and not (root / source.name).exists():
            (root / source.name).symlink_to(source.resolve())
    for source in (SIMULATOR_ROOT / "lib64").iterdir():
        target = libraries / (_SIMULATED if source.name == "libopapi.so" else source.name)
        if not target.exists() or target.stat().st_mtime != source.stat().st_mtime:
            shutil.copy2(source, target)


def source_texts(named: set[str], most: int = 400) -> list[str]:
    """Return C++ sources that define the declared functions that are named.

    Parameters
    ----------
    named : set of str
        Names of functions, and others.
    most : int
        Operators in one source.
    """
    declared = declared_functions(SIMULATOR_ROOT / "include")
    known = set(declared)
    pieces = []
    for name in declared:
        operator = name.removesuffix(_FIRST)
        if not {operator, operator + _FIRST} & named:
            continue
        if operator == name and name + _FIRST in known:
            continue  # a second phase, written with the first
        two = operator != name and operator in known
        pieces.append(_operator(operator) if two else _forwarded(name))
    pieces.append(
        "SIM_API int pyaclnnSimIsStub(const char*) { return 0; }\n"
        'SIM_API const char* pyaclnnSimReason(const char*) { return ""; }\n'
    )
    parts = [pieces[i : i + most] for i in range(0, len(pieces), most)]
    return [_HEAD + "\n".join(part) + "}\n" for part in parts]


def _operator(name: str) -> str:
    """Return both phases of an operator."""
    parameters = abi.signature(name + _FIRST).parameters
    outputs = {a.c_name for a in load_spec(name).arguments if a.output}

    def role(parameter: str) -> str:
        if parameter.endswith("Ref"):
            return "both"
        return "output" if parameter in outputs else "input"

    declared = ", ".join(f"{p.full_type} a{i}" for i, p in enumerate(parameters))
    recorded = "".join(
        f'\n      .{role(p.name)}("{p.name}", a{i})' for i, p in enumerate(parameters[:-2])
    )
    size, executor = len(parameters) - 2, len(parameters) - 1
    return (
        f"SIM_API int {name}{_FIRST}({declared}) {{\n"
        f'  return FirstPhase("{name}"){recorded}\n      .plan(a{size}, a{executor});\n}}\n'
        f"SIM_API int {name}(void*, uint64_t, aclOpExecutor* executor, aclrtStream) {{\n"
        f'  return second_phase("{name}", executor);\n}}\n'
    )


def _forwarded(name: str) -> str:
    """Return a function that computes on the host, by the simulator's own."""
    parameters = abi.signature(name).parameters
    declared = ", ".join(f"{p.full_type} a{i}" for i, p in enumerate(parameters))
    types = ", ".join(p.full_type for p in parameters)
    given = ", ".join(f"a{i}" for i in range(len(parameters)))
    return (
        f"SIM_API int {name}({declared}) {{\n"
        f"  using Function = int (*)({types});\n"
        f'  const auto function = reinterpret_cast<Function>(simulated("{name}"));\n'
        f'  return noted("{name}", function({given}));\n}}\n'
    )


def _compile(root: Path, texts: Sequence[str], jobs: int) -> None:
    libraries = root / "lib64"
    flags = [
        *build.COMMON_FLAGS, "-O1", f"-I{build.SOURCE_DIR}", f"-I{root / 'include'}",
        f"-I{Path(__file__).parent}", f'-DRECORDER_SIMULATED="{libraries / _SIMULATED}"',
    ]  # fmt: skip
    files = []
    for number, text in enumerate(texts):
        file = root / f"recorder{number}.cpp"
        file.write_text(text, encoding="utf-8")
        files.append(file)
    with find_compiler() as compiler, ThreadPoolExecutor(jobs) as pool:

        def compiled(file: Path) -> Path:
            target = file.with_suffix(".o")
            _checked(compiler.run([*flags, "-c", str(file), "-o", str(target)]))
            return target

        objects = list(pool.map(compiled, files))
        _checked(
            compiler.run(
                ["-shared", "-Wl,-soname,libopapi.so", "-Wl,-rpath,$ORIGIN", *map(str, objects),
                 f"-L{libraries}", "-lnnopbase", "-lascendcl", "-lpyaclnn_sim", "-ldl",
                 "-o", str(libraries / "libopapi.so")]
            )
        )  # fmt: skip


def _checked(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode:
        raise BuildError(done.stderr)
