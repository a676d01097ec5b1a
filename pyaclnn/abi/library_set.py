"""The shared libraries of a toolkit: opened in the right order, searched for symbols, listed."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pyaclnn.abi.declarations import index, nearest
from pyaclnn.abi.errors import LibraryNotFoundError, SymbolNotFoundError
from pyaclnn.abi.ffi import define, ffi
from pyaclnn.abi.paths import is_simulator
from pyaclnn.abi.toolkit import CUSTOM, NNOPBASE, OPAPI, Toolkit, dependency_directories
from pyaclnn.abi.trust import doubt

_MISSING_FILE = re.compile(r"(\S+\.so[.\d]*): cannot open shared object file")
#: A path that the program itself gives is not checked.
ADDED = "added at run time"
_STUB_TEST = "pyaclnnSimIsStub"
_REASON = "pyaclnnSimReason"
# Libraries few programs need, opened when a name with such a beginning is not found elsewhere.
_ON_DEMAND = {
    "aclop": ("libacl_op_compiler.so",),
    "aclGen": ("libacl_op_compiler.so",),
    "acltdt": ("libacl_tdt_channel.so", "libacl_tdt_queue.so"),
    "aclprof": ("libmsprofiler.so",),
    "acldump": ("libascend_dump.so",),
    "aclplatform": ("libplatform.so",),
    "Hccl": ("libhccl.so",),
}


@dataclass(frozen=True, slots=True)
class LibraryRecord:
    """A shared library and how it was found.

    Attributes
    ----------
    name, path : str
        File name, and the full path.
    how : str
        How it was found.
    version : str
        Version of the toolkit it belongs to, or empty.
    loaded : bool
        Whether it is open.
    note : str
        Anything unusual, such as why it is not open.
    """

    name: str
    path: str
    how: str
    version: str
    loaded: bool
    note: str = ""


class Symbol(NamedTuple):
    """A C function and the file it comes from."""

    function: Any
    path: str


class LibrarySet:
    """The libraries of one toolkit, and the ones added to it.

    Parameters
    ----------
    toolkit : Toolkit
        Where they are.
    """

    def __init__(self, toolkit: Toolkit) -> None:
        self.toolkit = toolkit
        self._lock = threading.RLock()
        self._runtime: list[Any] = []
        self._operators: list[Any] = []
        self._custom: list[Any] = []
        # Kept for the life of the process, as CANN's libraries do not survive dlclose.
        self._dependencies: list[Any] = []
        self._tried: set[str] = set()
        self.records: list[LibraryRecord] = []
        #: Whether they are the simulator's, which has stubs for what it does not simulate.
        self.simulated = is_simulator(toolkit.root)

    def open_runtime(self) -> None:
        """Open the runtime library.

        Raises
        ------
        LibraryNotFoundError
            It cannot be loaded; the message has the loader's reason.
        """
        found = self.toolkit.runtime_libraries()
        self._runtime.append(self._open(found[0]))
        for other in found[1:]:
            # The older library forwards to the same runtime; it is opened for names that only it
            # has.
            self._record(other, loaded=False, note="opened when a name is found nowhere else")

    def open_operators(self) -> None:
        """Open the libraries of tensors and operators.

        Raises
        ------
        LibraryNotFoundError
            A library is missing or cannot be loaded.
        """
        base = self.toolkit.locate(NNOPBASE)
        operators = self.toolkit.operator_libraries()
        if base is None or not operators:
            missing = (
                NNOPBASE if base is None else f"{OPAPI} (or libopapi_math.so and its siblings)"
            )
            raise LibraryNotFoundError(
                f"{self.toolkit.root} has no {missing}; looked in "
                f"{', '.join(map(str, self.toolkit.directories))}. Install the complete toolkit "
                "(Ascend-cann-toolkit) and the kernels of this chip"
            )
        self._runtime.append(self._open(base))
        self._operators.extend(self._open(path) for path in operators)
        whole = self.toolkit.locate(OPAPI)
        if whole and whole not in operators:
            self._record(
                whole, loaded=False, note="not used beside the libraries it was split into"
            )
        for package in reversed(self.toolkit.custom_packages()):
            path = package / "lib" / CUSTOM
            if problem := doubt(path):
                self._record(path, loaded=False, note=f"skipped: {problem}")
            else:
                self.add(path, "custom operator package")

    def add(self, path: Path, how: str = ADDED) -> None:
        """Open one more library, which is searched first from now on.

        Parameters
        ----------
        path : Path
            The library.
        how : str
            How it was found.

        Raises
        ------
        LibraryNotFoundError
            It does not exist or cannot be loaded.
        """
        with self._lock:
            self._custom.insert(0, self._open(path, how))

    def function(self, name: str) -> Any | None:
        """Return the C function of that name, or None.

        Parameters
        ----------
        name : str
            A declared function.

        Returns
        -------
        cffi function or None
            None where no library exports it, or only the simulator's stub for it.

        Raises
        ------
        SymbolNotFoundError
            No header declares it.
        HeaderError
            Its declaration cannot be used.
        """
        define(name)
        operator_first = name.startswith("aclnn")
        groups = [self._custom, self._operators, self._runtime]
        for library in _chain(groups if operator_first else groups[::-1]):
            found = getattr(library, name, None)
            if found is not None and not self._is_stub(library, name):
                return found
        return self._from_rest(name)

    def _is_stub(self, library: Any, name: str) -> bool:
        """Tell whether a function is the simulator's stub for what is not simulated."""
        if not self.simulated or library not in self._operators:
            return False
        define(_STUB_TEST)
        # A simulator built before there were stubs has none.
        test = getattr(library, _STUB_TEST, None)
        return test is not None and bool(test(name.encode()))

    def symbol(self, name: str) -> Symbol:
        """Return a C function and the library that defines it.

        Parameters
        ----------
        name : str
            A declared function.

        Returns
        -------
        Symbol
            The file is the one that defines the function, even if another led to it.

        Raises
        ------
        SymbolNotFoundError
            No library exports it, or no header declares it.
        """
        function = self.function(name)
        if function is None:
            raise SymbolNotFoundError(self._missing(name))
        return Symbol(function, _file_of(function))

    def _from_rest(self, name: str) -> Any | None:
        """Look in the libraries that are opened on demand only."""
        wanted = [
            n for prefix, names in _ON_DEMAND.items() if name.startswith(prefix) for n in names
        ]
        idle = [r.path for r in self.records if not r.loaded and r.name not in (OPAPI, CUSTOM)]
        located = [str(p) for p in map(self.toolkit.locate, wanted) if p]
        with self._lock:
            for path in dict.fromkeys([*idle, *located]):
                if path not in self._tried:
                    self._tried.add(path)
                    self.records = [r for r in self.records if r.path != path]
                    try:
                        self._runtime.append(self._open(Path(path), "opened on demand"))
                    except LibraryNotFoundError as error:
                        self._record(Path(path), loaded=False, note=str(error))
        for library in self._runtime:
            try:
                return getattr(library, name)
            except AttributeError:
                continue
        return None

    def _open(self, path: Path, how: str = "") -> Any:
        # RTLD_NOW: a missing symbol raises here and does not end the process later. RTLD_LOCAL:
        # CANN's libraries find each other by their dependencies, and their C++ symbols must not
        # collide with those of other libraries of the process (op-plugin does the same). Never
        # unloaded: their threads and exit handlers outlive any dlclose.
        flags = ffi.RTLD_NOW | ffi.RTLD_LOCAL | getattr(ffi, "RTLD_NODELETE", 0)
        if how != ADDED and (problem := doubt(path)):
            raise LibraryNotFoundError(f"{path} is not loaded: {problem}")
        note = ""
        tried: set[str] = set()
        while True:
            try:
                library = ffi.dlopen(str(path), flags)
                break
            except OSError as error:
                # cffi appends a remark on a second search that does not concern full paths.
                reason = str(error).partition(".  Additionally,")[0]
                missing = _MISSING_FILE.search(reason)
                if missing and missing[1] not in tried and self._open_dependency(missing[1], path):
                    tried.add(missing[1])
                elif "undefined symbol" in reason and flags & ffi.RTLD_NOW:
                    # Libraries with undefined symbols that nobody uses load lazily only; so
                    # op-plugin loads them.
                    flags = flags & ~ffi.RTLD_NOW | ffi.RTLD_LAZY
                    note = (
                        f"bound lazily: {reason.split('undefined symbol:')[-1].strip()} is missing"
                    )
                else:
                    raise LibraryNotFoundError(_advice(path, reason)) from None
        self._record(path, loaded=True, note=note, how=how)
        return library

    def _open_dependency(self, name: str, wanted_by: Path) -> bool:
        """Open a library that another needs and the loader did not find, by its full path."""
        if name == str(wanted_by) or name in self._tried:
            return False
        self._tried.add(name)
        for directory in dependency_directories(self.toolkit):
            candidate = directory / Path(name).name
            if candidate.is_file():
                self._dependencies.append(self._open(candidate, f"needed by {wanted_by.name}"))
                return True
        return False

    def _record(self, path: Path, *, loaded: bool, note: str = "", how: str = "") -> None:
        toolkit = self.toolkit
        record = LibraryRecord(
            path.name, str(path), how or toolkit.how, toolkit.version, loaded, note
        )
        self.records = [*(r for r in self.records if r.path != record.path), record]

    def _reason(self, name: str) -> str:
        """Return a sentence on why the simulator cannot have an operator, or nothing."""
        define(_REASON)
        for library in self._operators:
            if (why := getattr(library, _REASON, None)) and (found := why(name.encode())):
                text = ffi.string(found).decode()
                return f"It cannot be simulated: {text}. " if text else ""
        return ""

    def _missing(self, name: str) -> str:
        searched = ", ".join(r.path for r in self.records if r.loaded)
        version = self.toolkit.version
        declaration = index.find(name)
        marker = (
            f" (declared '{declaration.version}')" if declaration and declaration.version else ""
        )
        if self.simulated:
            return (
                f"{name} is declared{marker}, not simulated here; a machine with CANN has it. "
                f"{self._reason(name)}`python -m pyaclnn.info --operators` lists the operators "
                f"that are simulated. Searched: {searched}."
            )
        near = [n for n in nearest(name, index.nearby(name)) if n != name]
        return (
            f"no library exports {name}{marker}. Searched: {searched}."
            + "".join(
                f" {r.path} was {r.note}."
                for r in self.records
                if r.name == CUSTOM and not r.loaded
            )
            + (f" CANN version: {version}." if version else "")
            + (f" Nearest declared names: {', '.join(near)}." if near else "")
        )


def _chain(groups: Iterable[list[Any]]) -> Iterable[Any]:
    return (library for group in groups for library in group)


def _file_of(function: Any) -> str:
    """Return the file that an address is mapped from."""
    address = int(ffi.cast("uintptr_t", function))
    with open("/proc/self/maps", errors="replace") as maps:
        for line in maps:
            start, end = (int(part, 16) for part in line.split(maxsplit=1)[0].split("-"))
            if start <= address < end:
                parts = line.rstrip("\n").split(maxsplit=5)
                return parts[5] if len(parts) > 5 else ""
    return ""


def _advice(path: Path, reason: str) -> str:
    reason = reason.removeprefix("cannot load library ").strip()
    text = f"{path} cannot be loaded: {reason}"
    if "libascend_hal" in reason or "libdrv" in reason:
        return f"{text}. Install the NPU driver, or add its lib64/driver to LD_LIBRARY_PATH"
    if _MISSING_FILE.search(reason) and path.exists():
        return (
            f"{text}. Source set_env.sh of the toolkit, so that LD_LIBRARY_PATH has what it needs"
        )
    return text


def prepare_environment(toolkit: Toolkit) -> list[str]:
    """Set the environment variables that CANN reads and ``set_env.sh`` would have set.

    Parameters
    ----------
    toolkit : Toolkit
        The toolkit about to be opened.

    Returns
    -------
    list of str
        The variables that were set.
    """
    wanted = {"ASCEND_HOME_PATH": toolkit.root}
    if (toolkit.root / "opp").is_dir():
        wanted["ASCEND_OPP_PATH"] = toolkit.root / "opp"
    unset = [name for name in wanted if name not in os.environ]
    os.environ.update({name: str(wanted[name]) for name in unset})
    return unset
