"""The backend: CANN's libraries or the simulator's, chosen once, on first use."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from pyaclnn.abi import paths
from pyaclnn.abi.declarations import index
from pyaclnn.abi.errors import BackendError, BackendWarning, LibraryNotFoundError
from pyaclnn.abi.ffi import ffi

# The modules that search and open libraries take 8 ms to import, so they are imported when the
# backend is chosen and not with the package.
if TYPE_CHECKING:
    from pyaclnn.abi.library_set import LibraryRecord, LibrarySet
    from pyaclnn.abi.toolkit import Search

_CHOICES = ("auto", "cann", "simulator")
_VARIABLE = "PYACLNN_BACKEND"
_UNINITIALISED = 100001


class Backend:
    """The libraries in use. Reading any attribute but `chosen` chooses them if nothing has yet."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._requested: str | None = None
        self._libraries: LibrarySet | None = None
        self._name = ""
        self._waiting: list[Path] = []
        self._search: Search | None = None
        self._place: str | None = None

    @property
    def chosen(self) -> bool:
        """Whether the backend has been chosen; reading this does not choose it."""
        return self._libraries is not None

    @property
    def name(self) -> str:
        """``cann`` or ``simulator``."""
        self.ensure()
        return self._name

    @property
    def libraries(self) -> tuple[LibraryRecord, ...]:
        """The libraries in use, and those known but not opened."""
        return tuple(self.ensure().records)

    @property
    def root(self) -> Path:
        """The toolkit the libraries come from."""
        return self.ensure().toolkit.root

    @property
    def version(self) -> str:
        """Version of CANN, such as ``8.1.RC1``; for the simulator the version it imitates."""
        libraries = self.ensure()
        # The simulator's folders are laid out as those of one release, whatever it imitates.
        told = "" if self._name == "simulator" else libraries.toolkit.version
        return told or _library_version(libraries)

    def place(self) -> str:
        """Return release, chip and backend, for errors; empty until the libraries are opened."""
        if self._place is None and self._libraries is not None:
            ask = self._libraries.function("aclrtGetSocName")
            chip = ask() if ask else ffi.NULL
            told = [f"CANN {self.version or '(unknown release)'}"]
            if chip == ffi.NULL:
                return told[0]  # without a driver, or before there is a device
            told.append(ffi.string(chip).decode(errors="replace"))
            self._place = ", ".join(told) + (", simulated" if self._name == "simulator" else "")
        return self._place or ""

    @property
    def search_report(self) -> str:
        """The places where CANN was searched for and what was found there, one to a line."""
        self.ensure()
        return self._search.report() if self._search else ""

    def __repr__(self) -> str:
        return (
            f"<backend {self._name} at {self.root}>" if self.chosen else "<backend not chosen yet>"
        )

    def use(self, name: str) -> None:
        """Choose the backend; see :func:`use_backend`."""
        if name not in _CHOICES:
            raise ValueError(f"backend must be one of {', '.join(_CHOICES)}, not {name!r}")
        with self._lock:
            if self.chosen and name not in ("auto", self._name):
                raise BackendError(
                    f"the backend is {self._name!r} already, from {self.root}: a library was "
                    f"called. Call use_backend({name!r}) before anything else, or set "
                    f"{_VARIABLE}={name} before the program starts"
                )
            self._requested = name

    def ensure(self) -> LibrarySet:
        """Return the libraries, opening them on the first call.

        Returns
        -------
        LibrarySet
            Always the same from then on.

        Raises
        ------
        LibraryNotFoundError
            The chosen backend is not installed or cannot be loaded.
        ValueError
            ``PYACLNN_BACKEND`` has an unknown value.
        """
        if self._libraries is not None:
            return self._libraries
        with self._lock:
            if self._libraries is None:
                name, libraries = self._decide()
                for path in self._waiting:
                    libraries.add(path)
                self._name, self._libraries = name, libraries
        return self._libraries

    def add_library(self, path: str | os.PathLike[str]) -> None:
        """Add a library; see :func:`pyaclnn.abi.add_library`."""
        place = Path(path).expanduser().resolve()
        if not place.is_file():
            raise LibraryNotFoundError(f"no library file at {place}")
        with self._lock:
            if self._libraries is None:
                self._waiting.append(place)
            else:
                self._libraries.add(place)

    def _decide(self) -> tuple[str, LibrarySet]:
        wanted = self._requested or os.environ.get(_VARIABLE, "").strip().lower() or "auto"
        if wanted not in _CHOICES:
            raise ValueError(f"{_VARIABLE} must be one of {', '.join(_CHOICES)}, not {wanted!r}")
        from pyaclnn.abi.toolkit import Search

        search = self._search = Search()
        if wanted != "simulator":
            found = _open_cann(search, need_device=wanted == "auto")
            if found is not None:
                return "cann", found
        if wanted == "cann":
            raise LibraryNotFoundError(
                "CANN cannot be used; looked at\n"
                f"{search.report()}\n"
                "Install the CANN toolkit (Ascend-cann-toolkit) and the kernels of this chip and "
                "source its set_env.sh, or set ASCEND_HOME_PATH to its directory. Without an NPU, "
                f"{_VARIABLE}=simulator runs the CPU simulator"
            )
        simulator = _open_simulator(search, wanted)
        if wanted == "auto":
            _warn(
                "no CANN installation with an NPU is usable, so the CPU simulator stands in for "
                f"it. Looked at\n{search.report()}\n"
                f"Set {_VARIABLE}=simulator to choose the simulator without this warning, or "
                f"{_VARIABLE}=cann to insist on CANN"
            )
        return "simulator", simulator


def _open_cann(search: Search, *, need_device: bool) -> LibrarySet | None:
    from pyaclnn.abi.library_set import LibrarySet, prepare_environment
    from pyaclnn.abi.toolkit import find_toolkits

    for toolkit in find_toolkits(search):
        environment = prepare_environment(toolkit)
        index.use_installed(*toolkit.header_directories())
        try:
            libraries = LibrarySet(toolkit)
            libraries.open_runtime()
            # Before the operators: without a device their many libraries need not be loaded.
            problem = _device_problem(libraries) if need_device else ""
            if not problem:
                libraries.open_operators()
                return libraries
        except LibraryNotFoundError as error:
            problem = str(error)
        search.note(str(toolkit.root), problem)
        index.use_installed()
        for variable in environment:
            del os.environ[variable]
    return None


def _open_simulator(search: Search, wanted: str) -> LibrarySet:
    from pyaclnn.abi.library_set import LibrarySet
    from pyaclnn.abi.toolkit import toolkit_at
    from pyaclnn.abi.trust import doubt

    root = paths.SIMULATOR_ROOT
    toolkit = toolkit_at(root, "the simulator of this package")
    if toolkit is None or not paths.is_simulator(root):
        looked = f" CANN was looked for at\n{search.report()}\n" if wanted == "auto" else " "
        raise LibraryNotFoundError(
            f"the simulator is not built: {root / 'lib64'} has no {paths.SIMULATOR_CORE}."
            f"{paths.build_problem()}{looked}"
            "To build it, run 'python -m pyaclnn.sim --build' where there is a C++17 compiler "
            "(c++, g++, clang++), the Python package ziglang, or a network to fetch that from"
        )
    if problem := doubt(root):
        raise LibraryNotFoundError(f"the simulator in {root} is not loaded: {problem}")
    libraries = LibrarySet(toolkit)
    libraries.open_runtime()
    libraries.open_operators()
    return libraries


def _device_problem(libraries: LibrarySet) -> str:
    """Return why no device can be used, or an empty string."""
    count_devices = libraries.function("aclrtGetDeviceCount")
    if count_devices is None:
        return "its runtime library has no aclrtGetDeviceCount"
    count = ffi.new("uint32_t *")
    # CANN counts devices without aclInit; the call is repeated for a version that does not.
    status = count_devices(count)
    if status == _UNINITIALISED:
        initialised = libraries.function("aclInit")
        began = initialised(ffi.NULL) if initialised else _UNINITIALISED
        status = count_devices(count)
        end = libraries.function("aclFinalize")
        if began == 0 and not (status == 0 and count[0]) and end:
            end()
    if status != 0:
        return f"aclrtGetDeviceCount answered {status}: the driver is missing or out of order"
    return "" if count[0] else "aclrtGetDeviceCount reports no NPU"


def _library_version(libraries: LibrarySet) -> str:
    """Ask the runtime for the version of CANN."""
    ask = libraries.function("aclsysGetCANNVersion")
    if ask is None:
        return ""
    answer = ffi.new("aclCANNPackageVersion *")
    if ask(0, answer) != 0:
        return ""
    return str(ffi.string(answer.version).decode(errors="replace"))


def _warn(text: str) -> None:
    """Warn at the line of the user's program that made the decision necessary."""
    inside = str(paths.PACKAGE) + os.sep
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(inside):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, BackendWarning, stacklevel=level)


backend = Backend()


def use_backend(name: str) -> None:
    """Choose the libraries that answer, before the first call.

    Parameters
    ----------
    name : {"cann", "simulator", "auto"}
        ``auto`` takes CANN if its libraries load and report a device, and the simulator with a
        warning otherwise. It wins over the environment variable ``PYACLNN_BACKEND``.

    Raises
    ------
    BackendError
        Another backend is in use already.
    ValueError
        The name is none of the three.
    """
    backend.use(name)
