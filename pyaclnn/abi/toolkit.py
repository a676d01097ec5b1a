"""The search for installed CANN toolkits, and the layout of a toolkit."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pyaclnn.abi import paths
from pyaclnn.abi.trust import absolute, doubt

RUNTIME = ("libacl_rt.so", "libascendcl.so")
NNOPBASE = "libnnopbase.so"
OPAPI = "libopapi.so"
_SPLIT_ORDER = ("math", "nn", "cv", "transformer")
CUSTOM = "libcust_opapi.so"
_VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
_INSTALL_ROOTS = ("ascend-toolkit/latest", "cann", "latest", "nnae/latest", "nnrt/latest")
_INSTALL_PREFIXES = ("/usr/local/Ascend", "~/Ascend")
_DRIVER = tuple(f"/usr/local/Ascend/driver/lib64{part}" for part in ("", "/driver", "/common"))
_STUBS = frozenset(("stub", "stubs", "devlib"))
_OURS = re.compile(r"lib(?:ascendcl|acl_rt|nnopbase|opapi\w*|cust_opapi)\.so(?:\.[\d.]+)?\Z")


@dataclass(frozen=True, slots=True)
class Toolkit:
    """A directory that has the layout of an installed toolkit.

    Attributes
    ----------
    root : Path
        What ``ASCEND_HOME_PATH`` would name.
    how : str
        How it was found, for people.
    directories : tuple of Path
        Where its libraries are, best first.
    version : str
        Such as ``8.1.RC1``, or empty.
    """

    root: Path
    how: str
    directories: tuple[Path, ...]
    version: str

    def locate(self, name: str) -> Path | None:
        """Return the path of a library, or None."""
        for directory in self.directories:
            if (directory / name).is_file() and not is_stub(directory / name):
                return directory / name
        return None

    def runtime_libraries(self) -> list[Path]:
        """Return the libraries with ``aclrt*``: the newer one first where there are two."""
        return [found for found in map(self.locate, RUNTIME) if found]

    def operator_libraries(self) -> list[Path]:
        """Return the libraries with the operators, first in line first.

        CANN 8.5 and later split ``libopapi.so``. A ``libopapi.so`` beside the parts is never
        opened: two libraries would register the same operators.
        """
        found: dict[str, Path] = {}
        for directory in self.directories:
            for path in sorted(directory.glob("libopapi_*.so")):
                if not is_stub(path):
                    found.setdefault(path.name, path)
        if found:
            return sorted(found.values(), key=_split_rank)
        whole = self.locate(OPAPI)
        return [whole] if whole else []

    @property
    def opp(self) -> Path:
        """The operator package, where ``ASCEND_OPP_PATH`` points unless it is set."""
        return absolute(os.environ.get("ASCEND_OPP_PATH") or self.root / "opp")

    def custom_packages(self) -> list[Path]:
        """Return the ``op_api`` directories of custom operator packages, highest priority first."""
        places = [
            absolute(p) / "op_api"
            for p in os.environ.get("ASCEND_CUSTOM_OPP_PATH", "").split(":")
            if p
        ]
        vendors = self.opp / "vendors"
        places += [vendors / name / "op_api" for name in _vendor_names(vendors)]
        return [p for p in places if (p / "lib" / CUSTOM).is_file()]

    def header_directories(self) -> list[Path]:
        """Return include directories: of the custom packages, then of the toolkit."""
        custom = [p / "include" for p in self.custom_packages()]
        own = [self.root / "include", self.root / _triple() / "include"]
        all_of_them = [*custom, *(d for d in own if (d / "acl").is_dir())]
        return [d for d in all_of_them if not doubt(d)]


@dataclass(slots=True)
class Search:
    """The places that were searched, and what was found there."""

    looked: list[tuple[str, str]] = field(default_factory=list)

    def note(self, place: str, outcome: str) -> None:
        """Remember one place and what was found there."""
        self.looked.append((place, outcome))

    def report(self) -> str:
        """Return the places and outcomes, one to a line."""
        return "\n".join(f"  {place}: {outcome}" for place, outcome in self.looked)


def find_toolkits(search: Search) -> Iterator[Toolkit]:
    """Yield CANN toolkits that have a runtime library, best first.

    Parameters
    ----------
    search : Search
        Records every place that is searched.

    Yields
    ------
    Toolkit
        Each root once; simulators are left out.
    """
    seen: set[Path] = set()
    for root, how, first in _places(search):
        resolved = root.resolve()
        if resolved in seen:
            continue
        seen.add(resolved)
        problem = doubt(root)
        if problem:
            search.note(how, f"{root} is skipped: {problem}")
            continue
        toolkit = toolkit_at(root, how, first)
        if toolkit is None and (root / "latest").is_dir():
            toolkit = toolkit_at(root / "latest", how, first)
        if paths.is_simulator(root):
            search.note(how, f"{root} is a simulator of CANN, not CANN")
        elif toolkit is None:
            outcome = f"{root} has neither {' nor '.join(RUNTIME)}"
            search.note(how, outcome if root.is_dir() else f"no directory {root}")
        else:
            search.note(how, f"found CANN {toolkit.version or '(unknown version)'} in {root}")
            yield toolkit


def toolkit_at(root: Path, how: str, *first: Path) -> Toolkit | None:
    """Return the toolkit in a directory.

    Parameters
    ----------
    root : Path
        The candidate.
    how : str
        How it was found.
    *first : Path
        Library directories to prefer.

    Returns
    -------
    Toolkit or None
        None where no runtime library is there.
    """
    machine = platform.machine()
    below = (
        "lib64", f"{_triple()}/lib64", "runtime/lib64", "fwkacllib/lib64",
        f"opp/built-in/op_impl/ai_core/tbe/op_api/lib/linux/{machine}", "opp/lib64",
    )  # fmt: skip
    directories = [*first, *(root / part for part in below)]
    existing = dict.fromkeys(d for d in directories if d.is_dir() and not is_stub(d))
    toolkit = Toolkit(root, how, tuple(existing), read_version(root))
    return toolkit if toolkit.runtime_libraries() else None


def is_stub(path: Path) -> bool:
    """Tell whether a path leads to link-time stubs, which answer every call with 100039.

    Parameters
    ----------
    path : Path
        A library or directory, possibly a symbolic link.

    Returns
    -------
    bool
        True for ``stub`` and ``devlib`` directories.
    """
    return bool(_STUBS.intersection((*path.parts, *path.resolve().parts)))


def loaded_libraries(pattern: re.Pattern[str] = _OURS) -> list[Path]:
    """Return the CANN libraries this process has loaded, in the order of their addresses.

    Parameters
    ----------
    pattern : re.Pattern
        What the file name has to match.

    Returns
    -------
    list of Path
        Each once; empty where ``/proc`` is not available.
    """
    try:
        lines = Path("/proc/self/maps").read_text(errors="replace").splitlines()
    except OSError:
        return []
    mapped = dict.fromkeys(line.split(maxsplit=5)[5] for line in lines if "/lib" in line)
    return [Path(p) for p in mapped if pattern.match(p.rsplit("/", 1)[-1])]


def read_version(root: Path) -> str:
    """Return the version of an installed toolkit.

    Parameters
    ----------
    root : Path
        The toolkit.

    Returns
    -------
    str
        Such as ``8.1.RC1``; empty where no file says it.
    """
    files = (
        root / _triple() / "ascend_toolkit_install.info", root / "ascend_toolkit_install.info",
        root / "version.info", root / "version.cfg", root / "opp" / "version.info",
        root / "runtime" / "version.info",
    )  # fmt: skip
    fallback = ""
    for file in files:
        try:
            text = file.read_text(errors="replace")
        except OSError:
            continue
        for pattern in (
            r"^version_dir=(\S+)",
            r"^version=(\S+)",
            r"_running_version=\[[^:\]]*:([^\]]+)",
        ):
            found = re.search(pattern, text, re.M)
            if found:
                return found[1]
        found = re.search(r"^Version=(\S+)", text, re.M)
        fallback = fallback or (found[1] if found else "")
    return fallback


def dependency_directories(toolkit: Toolkit | None) -> list[Path]:
    """Return where the libraries that others need may be: the toolkit's own and the driver's.

    Parameters
    ----------
    toolkit : Toolkit or None
        The toolkit being opened.

    Returns
    -------
    list of Path
        Existing directories.
    """
    own = toolkit.directories if toolkit else ()
    return [*own, *(Path(d) for d in _DRIVER if Path(d).is_dir())]


def _triple() -> str:
    return f"{platform.machine()}-linux"


def _places(search: Search) -> Iterator[tuple[Path, str, Path]]:
    """Yield (root, how, library directory)."""
    loaded = [p for p in loaded_libraries() if p.name.startswith(("libascendcl", "libacl_rt.so"))]
    for path in loaded:
        if is_stub(path):
            search.note("already loaded in this process", f"{path} is a link-time stub")
        else:
            yield _root_above(path.parent), "already loaded in this process", path.parent
    if not loaded:
        search.note("libraries loaded in this process", "none of CANN's")
    for variable in _VARIABLES:
        value = os.environ.get(variable)
        if value:
            yield absolute(value), variable, absolute(value) / "lib64"
        else:
            search.note(variable, "not set")
    for prefix in _INSTALL_PREFIXES:
        base = absolute(os.path.expanduser(prefix))
        if not base.is_dir():
            search.note("usual places", f"no directory {base}")
            continue
        for part in _INSTALL_ROOTS:
            if (base / part).is_dir():
                yield base / part, "usual places", base / part / "lib64"
    yield from _library_path(search)


def _library_path(search: Search) -> Iterator[tuple[Path, str, Path]]:
    how, found = "LD_LIBRARY_PATH", False
    for text in os.environ.get(how, "").split(":"):
        directory = absolute(text or "/nonexistent")
        if not any((directory / name).is_file() for name in RUNTIME):
            continue
        if is_stub(directory):
            search.note(how, f"{directory} holds link-time stubs")
            continue
        if problem := doubt(directory):
            search.note(how, f"{directory} is skipped: {problem}")
            continue
        found = True
        yield _root_above(directory), how, directory
    if not found:
        search.note(how, "no directory on it has " + " or ".join(RUNTIME))


def _root_above(directory: Path) -> Path:
    """Return the toolkit root that a library directory belongs to."""
    for parent in list(directory.parents)[:9]:
        if (parent / "opp").is_dir() or (parent / "include" / "acl").is_dir():
            return parent
    return directory.parent if directory.name == "lib64" else directory


def _split_rank(path: Path) -> tuple[int, str]:
    part = path.stem.removeprefix("libopapi_")
    if part.endswith("legacy"):
        return len(_SPLIT_ORDER) + 1, part
    return (_SPLIT_ORDER.index(part) if part in _SPLIT_ORDER else len(_SPLIT_ORDER)), part


def _vendor_names(vendors: Path) -> list[str]:
    try:
        found = re.search(
            r"^\s*load_priority\s*=\s*(.*)$", (vendors / "config.ini").read_text(), re.M
        )
    except OSError:
        return sorted(p.name for p in vendors.iterdir()) if vendors.is_dir() else []
    return [name.strip() for name in found[1].split(",") if name.strip()] if found else []
