"""The catalogue of operators: name, header, releases, library, and what is simulated of each."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import pyaclnn as pa
from pyaclnn import abi
from pyaclnn.ops.naming import operator_name
from pyaclnn.selftest.suites import SUITES


@dataclass(frozen=True, slots=True)
class Entry:
    """One declared operator.

    Attributes
    ----------
    name, c_name : str
        In Python, and in C.
    header : str
        Relative to the include folder.
    release : str
        Which CANN has it: empty for all that are known.
    library : str
        File name of the library of the backend in use that has it, or empty.
    tested : bool
        Whether selftest covers it, which is so for all that are simulated.
    missing : tuple of str
        What its document allows and the simulator does not do.
    """

    name: str
    c_name: str
    header: str
    release: str
    library: str
    tested: bool
    missing: tuple[str, ...]


def collect() -> list[Entry]:
    """Return all declared operators, by name."""
    pa.backend.ensure()
    # Asking the libraries themselves: looking up a thousand functions through cffi takes a minute.
    libraries = [(r.name, ctypes.CDLL(r.path)) for r in pa.backend.libraries if r.loaded]
    suites = {s.operator: s for s in SUITES}
    entries = []
    for c_name in abi.operators():
        declaration = abi.declaration(c_name + "GetWorkspaceSize")
        library = next((name for name, handle in libraries if _has(handle, c_name)), "")
        name = operator_name(c_name)
        suite = suites.get(name)
        entries.append(
            Entry(
                name,
                c_name,
                "/".join(Path(declaration.file).parts[-2:]),
                declaration.release,
                library,
                suite is not None,
                suite.missing if suite else (),
            )
        )
    return sorted(entries, key=lambda entry: entry.name)


def _has(library: ctypes.CDLL, name: str) -> bool:
    """Whether a library has a function, and not just the simulator's stub for it."""
    if not hasattr(library, name):
        return False
    is_stub = getattr(library, "pyaclnnSimIsStub", None)
    return is_stub is None or not is_stub(name.encode())


def as_text(entries: Iterable[Entry]) -> str:
    """Return the catalogue as aligned columns."""
    lines = [f"{'operator':<52} {'library':<16} {'release':<18} header"]
    for e in entries:
        lines.append(f"{e.name:<52} {e.library or '-':<16} {e.release or 'all':<18} {e.header}")
        lines += [f"    missing: {text}" for text in e.missing]
    return "\n".join(lines)


def as_markdown(entries: Iterable[Entry]) -> str:
    """Return the catalogue as a Markdown table."""
    titles = ("operator", "C name", "header", "release", "library", "missing")
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    lines += [
        f"| `{e.name}` | `{e.c_name}` | `{e.header}` | {e.release or 'all'} | {e.library or '-'} | "
        f"{'; '.join(e.missing)} |"
        for e in entries
    ]
    return "\n".join(lines)


def as_json(entries: Iterable[Entry]) -> str:
    """Return the catalogue as JSON."""
    return json.dumps([asdict(entry) for entry in entries], indent=1)
