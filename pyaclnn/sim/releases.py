"""Write ``pyaclnn/table/releases.py`` as C++: what came with which release, and what differs.

Like ``build.py``, which runs it, it imports nothing of pyaclnn and nothing outside the standard
library.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType

_TABLE = Path(__file__).resolve().parents[1] / "table" / "releases.py"
_FIRST_LINE = "// Generated from pyaclnn/table/releases.py by pyaclnn/sim/releases.py."


def facts() -> ModuleType:
    """Load the table's module by its path."""
    name = "pyaclnn_releases"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, _TABLE)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def places(table: ModuleType) -> dict[str, int]:
    """Return the place of each release among all; nothing stands for a later one than these.

    Parameters
    ----------
    table : module
        ``pyaclnn/table/releases.py``.
    """
    return {"": 1000, **{release.name: i for i, release in enumerate(table.RELEASES)}}


def span(table: ModuleType, operator: str) -> tuple[int, int] | None:
    """Return the places of the release an operator came with and of the first without it.

    Parameters
    ----------
    table : module
        ``pyaclnn/table/releases.py``.
    operator : str
        Its name.

    Returns
    -------
    tuple or None
        None where all releases have it.
    """
    place = places(table)
    found = place[table.since(operator)], place[table.until(operator)]
    return None if found == (0, place[""]) else found


def _spans(name: str, entries: Iterable[tuple[str, int, int]]) -> list[str]:
    lines = [f'    {{"{entry}", {since}, {until}}},' for entry, since, until in entries]
    return [f"constexpr Span {name}[] = {{", *lines, "};"]


def texts(table: ModuleType) -> Mapping[str, str]:
    """Return name and text of each header.

    Parameters
    ----------
    table : module
        ``pyaclnn/table/releases.py``.
    """
    place = places(table)
    operators = {}
    for operator in sorted({*table.CAME, *table.WENT}):
        c_name = operator if operator.startswith("acl") else f"aclnn{operator}"
        operators[c_name] = span(table, operator)
    behaviours = [
        _FIRST_LINE,
        "#pragma once",
        "namespace pyaclnn::sim {",
        "enum class Behaviour : unsigned {",
        *(f"  k{b.name},  // {b.what}" for b in table.BEHAVIOURS),
        "};",
        "}",
    ]
    releases = [
        _FIRST_LINE,
        "constexpr Release kReleases[] = {",
        *(
            "    {" + ", ".join(f'"{t}"' for t in (r.name, r.text, *r.parts))
            + f", {r.number}, {r.acl_minor}}},"
            for r in table.RELEASES
        ),
        "};",
        *_spans(
            "kBehaviours", ((b.name, place[b.since], place[b.until]) for b in table.BEHAVIOURS)
        ),
        *_spans("kFunctions", ((n, place[r], 1000) for n, r in sorted(table.FUNCTIONS.items()))),
        *_spans("kOperators", ((n, *s) for n, s in sorted(operators.items()) if s is not None)),
    ]  # fmt: skip
    return {
        "behaviours.hpp": "\n".join(behaviours) + "\n",
        "releases.hpp": "\n".join(releases) + "\n",
    }


def generate(folder: Path) -> None:
    """Write the headers into a folder.

    Parameters
    ----------
    folder : Path
        Where they go.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts(facts()).items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            # Two builds may share the folder.
            partial = file.with_suffix(f".{os.getpid()}.part")
            partial.write_text(text, encoding="utf-8")
            partial.replace(file)
