"""The catalogue of operators: name, header, releases, library, and what is simulated of each."""

from __future__ import annotations

import ctypes
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import pyaclnn as pa
from pyaclnn import abi
from pyaclnn.ops.defaults import REQUIRED
from pyaclnn.ops.naming import operator_name
from pyaclnn.ops.rules import rules_of, why_not_inferred
from pyaclnn.ops.spec import load_spec
from pyaclnn.selftest.suites import SUITES
from pyaclnn.table import by_name, why_not_simulated

#: Values of ``Entry.outputs`` for operators that can be called without ``out=``.
_WITHOUT_OUT = frozenset(("inferred", "in place", "none"))


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
    reason : str
        Why it cannot be simulated, or empty.
    outputs : str
        Where they come from: ``inferred``, ``in place``, ``none``, or why they have to be given.
    defaults : int
        How many of its parameters may be left out, besides outputs.
    """

    name: str
    c_name: str
    header: str
    release: str
    library: str
    tested: bool
    missing: tuple[str, ...]
    reason: str
    outputs: str
    defaults: int


def collect() -> list[Entry]:
    """Return all declared operators, by name."""
    pa.backend.ensure()
    # Symbols are looked up in the libraries: doing that for a thousand functions by cffi takes a
    # minute.
    libraries = [(r.name, ctypes.CDLL(r.path)) for r in pa.backend.libraries if r.loaded]
    suites = {s.operator for s in SUITES}
    rows = by_name()
    entries = []
    for c_name in abi.operators():
        declaration = abi.declaration(c_name + "GetWorkspaceSize")
        library = next((name for name, handle in libraries if _has(handle, c_name)), "")
        name = operator_name(c_name)
        entries.append(
            Entry(
                name,
                c_name,
                "/".join(Path(declaration.file).parts[-2:]),
                declaration.release,
                library,
                name in suites,
                rows[c_name].missing if c_name in rows else (),
                why_not_simulated(c_name),
                _outputs(c_name),
                sum(a.default is not REQUIRED for a in load_spec(c_name).inputs),
            )
        )
    return sorted(entries, key=lambda entry: entry.name)


def _outputs(c_name: str) -> str:
    spec, rules = load_spec(c_name), rules_of(c_name)
    if not spec.outputs:
        return "in place" if any(a.in_place for a in spec.arguments) else "none"
    if all(a.c_name in rules for a in spec.outputs):
        return "inferred"
    return why_not_inferred(c_name) or "no rule yet"


def _has(library: ctypes.CDLL, name: str) -> bool:
    """Whether a library has a function that is not the simulator's stub."""
    if not hasattr(library, name):
        return False
    is_stub = getattr(library, "pyaclnnSimIsStub", None)
    return is_stub is None or not is_stub(name.encode())


def as_text(entries: Iterable[Entry]) -> str:
    """Return the catalogue as aligned columns."""
    entries = list(entries)
    lines = [f"{'operator':<52} {'library':<16} {'release':<18} header"]
    for e in entries:
        lines.append(f"{e.name:<52} {e.library or '-':<16} {e.release or 'all':<18} {e.header}")
        lines += [f"    missing: {text}" for text in e.missing]
        lines += [f"    not simulated: {e.reason}"] if e.reason else []
        if e.outputs not in _WITHOUT_OUT:
            lines.append(f"    outputs are given: {e.outputs}")
    return "\n".join([*lines, "", summary(entries)])


def summary(entries: Iterable[Entry]) -> str:
    """Return the counts of operators, of inferred outputs and of defaults."""
    entries = list(entries)
    outputs = Counter(e.outputs if e.outputs in _WITHOUT_OUT else "given" for e in entries)
    return (
        f"{len(entries)} operators: outputs of {outputs['inferred']} are inferred, "
        f"{outputs['in place']} write in place, {outputs['none']} write nothing, "
        f"{outputs['given']} need out=; {sum(e.defaults > 0 for e in entries)} have parameters "
        f"that may be left out, {sum(e.defaults for e in entries)} in all; "
        f"{sum(e.tested for e in entries)} are simulated"
    )


def as_markdown(entries: Iterable[Entry]) -> str:
    """Return the catalogue as a Markdown table."""
    titles = ("operator", "C name", "header", "release", "library", "missing")
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    lines += [
        f"| `{e.name}` | `{e.c_name}` | `{e.header}` | {e.release or 'all'} | {e.library or '-'} | "
        f"{'; '.join(e.missing) or e.reason} |"
        for e in entries
    ]
    return "\n".join(lines)


def as_json(entries: Iterable[Entry]) -> str:
    """Return the catalogue as JSON."""
    return json.dumps([asdict(entry) for entry in entries], indent=1)
