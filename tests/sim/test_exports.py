"""Nothing that the simulator exports goes untested."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import pytest

import pyaclnn as pa
from pyaclnn.abi.paths import SIMULATOR_LIBRARIES

TESTS = Path(__file__).resolve().parents[1]
HEADERS = TESTS.parent / "headers"
RUNTIME = ("libascendcl.so", "libnnopbase.so")
#: libascendcl stands on it, so its names are found there, too; test_profiling_and_channels.py and
#: test_toolkit_root.py call them.
PROFILER = "libmsprofiler.so"


def declared() -> set[str]:
    """Return the runtime functions of the headers, by their text alone."""
    files = [*(HEADERS / "acl").rglob("*.h"), *(HEADERS / "aclnn").rglob("*.h")]
    text = "\n".join(f.read_text(encoding="utf-8") for f in files)
    return set(re.findall(r"\b([aA]cl\w+)\s*\(", text))


@pytest.fixture(scope="module")
def exported() -> set[str]:
    libraries = [ctypes.CDLL(str(SIMULATOR_LIBRARIES / name)) for name in RUNTIME]
    profiler = ctypes.CDLL(str(SIMULATOR_LIBRARIES / PROFILER))
    names = {name for name in declared() if any(hasattr(lib, name) for lib in libraries)}
    return {name for name in names if not hasattr(profiler, name)}


@pytest.fixture(scope="module")
def used() -> set[str]:
    """Return every C name in the C and C++ test programs; some are called through tables."""
    sources = [p for p in (TESTS / "c").rglob("*") if p.suffix in {".c", ".cpp", ".hpp"}]
    return set(re.findall(r"\b[aA]cl\w+", "\n".join(p.read_text("utf-8") for p in sources)))


def test_every_exported_runtime_function_is_called_by_a_program(
    exported: set[str], used: set[str]
) -> None:
    assert len(exported) > 140
    assert exported - used == set()


def test_a_declared_function_that_is_not_exported_names_the_libraries(exported: set[str]) -> None:
    assert "aclmdlLoadFromFile" not in exported
    with pytest.raises(pa.SymbolNotFoundError, match=r"libascendcl\.so"):
        _ = pa.lib.aclmdlLoadFromFile
