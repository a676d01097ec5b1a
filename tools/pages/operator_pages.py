"""A page of Markdown for each declared operator, and the table of them."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pyaclnn as pa
import pyaclnn.table
from pages.examples import NoExampleError, example
from pages.formulas import typeset
from pyaclnn import abi
from pyaclnn.catalogue import Entry, collect
from pyaclnn.ops.checks_in_words import checks, shapes, types_by_chip
from pyaclnn.ops.defaults import REQUIRED
from pyaclnn.ops.spec import Argument
from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.suites import SUITES
from pyaclnn.table import Row, by_name
from pyaclnn.table.meanings import meaning
from pyaclnn.table.steps import DtypeIn, OnlyOn
from pyaclnn.table.torch_names import torch_names

_SUITES = {suite.operator: suite for suite in SUITES}
_ROWS = by_name()


def _files_of_rows() -> dict[str, str]:
    """Return the file of each row, by the operator's name without ``aclnn``."""
    rows = {
        module.name: getattr(importlib.import_module(f"pyaclnn.table.{module.name}"), "ROWS", ())
        for module in pkgutil.iter_modules(pyaclnn.table.__path__)
    }
    files: dict[str, str] = {}
    # Some files put those of others together: the one with the fewest is where a row is written.
    for name in sorted(rows, key=lambda name: len(rows[name])):
        for row in rows[name]:
            files.setdefault(row.name, f"pyaclnn/table/{name}.py")
    return files


_ROW_FILES = _files_of_rows()


def write(folder: Path) -> int:
    """Write all pages into a folder, and return how many there are.

    Files that have the right text already are left alone, so that Sphinx does not read them again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    entries = collect()
    pages = {entry.name: page(entry) for entry in entries}
    for name, text in pages.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for stale in set(folder.glob("*.md")) - {folder / f"{name}.md" for name in pages}:
        stale.unlink()
    return len(entries)


def catalogue() -> str:
    """Return the page that lists all operators; a script lets readers sort and filter it."""
    entries = collect()
    simulated = sum(entry.tested for entry in entries)
    lines = [
        "---",
        "hide-toc: true",
        "---",
        "",
        "# Operators",
        "",
        f"All {len(entries)} operators that our headers declare. On an NPU, each that the",
        f"installed CANN has can be called. {simulated} are simulated where there is none; their",
        "pages have an example with its output.",
        "",
        ":::{container} catalogue",
        "",
        "| operator | in C | family | simulated | outputs | chips | since | |",
        "|---|---|---|---|---|---|---|---|",
        *map(_line, entries),
        "",
        ":::",
    ]
    return "\n".join(lines) + "\n"


def _line(entry: Entry) -> str:
    row = _ROWS.get(entry.c_name)
    first = _comment(entry).split("\n\n")[0].replace("\n", " ")
    simulated = "yes" if entry.tested else "no"
    known = ("inferred", "in place", "none")
    cells = (
        f"[{entry.name}](operators/{entry.name}.md)",
        f"`{entry.c_name}`",
        row.family if row is not None else "",
        "in part" if entry.missing else simulated,
        entry.outputs if entry.outputs in known else "given",
        _chips(row) if row is not None else "",
        since[0] if (since := re.findall(r"\d+\.\d+", entry.release)) else "8.1",
        _plain(first),
    )
    return f"| {' | '.join(cells)} |"


def _chips(row: Row) -> str:
    """Return which families of chips have an operator: all, where no step of its row says."""
    return next((", ".join(s.chips) for s in row.steps if isinstance(s, OnlyOn)), "all")


def page(entry: Entry) -> str:
    """Return the page of one operator."""
    operator = pa.ops[entry.name]
    where = "Simulated." if entry.tested else "Not simulated: it needs a machine with CANN."
    release = entry.release or "CANN 8.1 and later"
    lines = [
        "---",
        "orphan: true",
        "---",
        "",
        f"# {entry.name}",
        "",
        # A search for a name finds its page before those that mention it.
        f":::{{index}} {', '.join(_known_as(entry))}",
        ":::",
        "",
        f"`{entry.c_name}`, declared in `{entry.header}`. {release}. {where}",
        "",
        *_described(_comment(entry)),
        *_in_torch(entry),
        "## In Python",
        "",
        "```text",
        f"pa.ops.{entry.name}{operator.__signature__}",
        "```",
        "",
        *_parameters([*operator.spec.inputs, *operator.spec.outputs], entry),
        "",
        _outputs(entry),
        "",
        "## In C",
        "",
        "```c",
        *_declarations(entry.c_name),
        "```",
    ]
    row, suite = _ROWS.get(entry.c_name), _SUITES.get(entry.name)
    if row is not None:
        lines += _types(row, [*operator.spec.inputs, *operator.spec.outputs])
        lines += _checks(row)
    if suite is not None and not any(isinstance(s, DtypeIn) for s in (row.steps if row else ())):
        types = ", ".join(f"`{name}`" for name in suite.dtypes)
        lines += ["", "## Element types", "", f"{types}; bfloat16 on Atlas A2 and newer."]
    if entry.missing:
        lines += ["", "## Not simulated", "", *(f"- {_plain(text)}" for text in entry.missing)]
    if suite is not None:
        lines += _example(suite)
    lines += _source(entry, row, suite)
    return "\n".join(lines) + "\n"


def _checks(row: Row) -> list[str]:
    first = (
        "In this order; a null argument is 161001 (`ACLNN_ERR_PARAM_NULLPTR`), any other refusal "
        "161002 (`ACLNN_ERR_PARAM_INVALID`) unless said otherwise."
    )
    steps = [f"{i}. {_plain(line)}" for i, line in enumerate(checks(row), 1)]
    return ["", "## Checks", "", first, "", *steps]


def _example(suite: Suite) -> list[str]:
    try:
        program, output = example(suite)
    except NoExampleError:
        chip = f": only {suite.chip} has the operator" if suite.chip else ""
        return ["", f"There is no example here{chip}."]
    code = ["```python", program.rstrip(), "```"]
    return ["", "## Example", "", *code, "", "prints", "", "```text", output.rstrip(), "```"]


def _parameters(arguments: Iterable[Argument], entry: Entry) -> list[str]:
    row = _ROWS.get(entry.c_name)
    extents = shapes(row) if row else {}
    lines = [
        ":::{container} parameters",
        "",
        "| parameter | meaning | shape | default |",
        "|---|---|---|---|",
    ]
    for a in arguments:
        role = "in place" if a.in_place else "output" if a.output else ""
        default = "" if not a.given or a.default is REQUIRED else f"`{a.default!r}`"
        cells = (
            f"`{a.name}`<br>`{a.c_type} {a.c_name}`",
            _plain(meaning(entry.c_name, a.c_name, a.returned)),
            extents.get(a.c_name, ""),
            default or role,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, "", ":::"]


def _types(row: Row, arguments: Iterable[Argument]) -> list[str]:
    """Return the table of element types: a line for each tensor, a column for each generation."""
    found = types_by_chip(row)
    if not found:
        return []
    chips = next(iter(found.values()))
    lines = [
        "",
        "## Element types",
        "",
        f"| | {' | '.join(chips)} |",
        "|---" * (1 + len(chips)) + "|",
    ]
    for a in arguments:
        if a.c_name in found:
            cells, before = [f"`{a.name}`"], None
            for names in found[a.c_name].values():
                cells.append("the same" if names == before else _added(names, before))
                before = names
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def _added(names: list[str], before: list[str] | None) -> str:
    """Return element types in words, those of the older chips by reference."""
    kept = before and set(before) <= set(names)
    shown = [f"`{name}`" for name in names if not kept or name not in (before or ())]
    return ("the same and " if kept else "") + (", ".join(shown) or "none")


def _known_as(entry: Entry) -> list[str]:
    """Return index entries of the names that a reader looks for: in C, in Python, in PyTorch.

    A function of PyTorch that several operators serve leads to that of the shortest name first.
    """
    names = torch_names(entry.c_name)
    first = [name for name in names if _first_for(name) == entry.c_name]
    rest = [name for name in names if name not in first]
    return [f"! {name}" for name in (entry.c_name, entry.name, *first)] + rest


@cache
def _first_for(torch_name: str) -> str:
    serving = [c_name for c_name in abi.operators() if torch_name in torch_names(c_name)]
    return min(serving, key=lambda c_name: (len(c_name), c_name))


def _in_torch(entry: Entry) -> list[str]:
    names = ", ".join(f"`{name}`" for name in torch_names(entry.c_name))
    return [f"PyTorch calls it for {names}.", ""] if names else []


def _described(text: str) -> list[str]:
    """Return a description as Markdown, with its formulas typeset."""
    lines = []
    for paragraph in text.split("\n\n"):
        parts = typeset(paragraph.replace("\n", " "))
        # An equation that is a sentence stands in a line of its own.
        if len(parts) == 2 and parts[0][0] and re.match(r"\.( |$)", parts[1][1]):
            rest = parts[1][1][1:].strip()
            lines += ["```{raw} html", f'<div class="formula">{parts[0][1]}</div>', "```", ""]
            parts = [(False, rest)] if rest else []
        shown = "".join(part if is_math else _plain(part) for is_math, part in parts)
        lines += [shown, ""] if shown else []
    return lines


def _source(entry: Entry, row: Row | None, suite: Suite | None) -> list[str]:
    """Return where what is said here stands in the sources."""
    lines = [f"- declaration: `headers/{entry.header}`"]
    if row is not None:
        lines.append(f"- checks: `{_ROW_FILES[row.name]}`")
        lines.append(f"- kernels: `pyaclnn/sim/src/opapi/{row.family}`")
    if suite is not None:
        module = getattr(suite.cases, "__module__", "").replace(".", "/")
        file = f"{module}.py" if "/suites/" in module else "pyaclnn/selftest/formulas"
        lines.append(f"- reference in float64: `{file}`")
    return ["", "## Source", "", *lines]


def _outputs(entry: Entry) -> str:
    if entry.outputs == "inferred":
        return "Outputs may be left out: their shapes and element types follow from the inputs."
    if entry.outputs in ("in place", "none"):
        return "It returns the tensors that it writes." if entry.outputs == "in place" else ""
    return f"Outputs are given with `out=`: {_plain(entry.outputs)}."


def _declarations(c_name: str) -> list[str]:
    return [_wrapped(abi.declaration(name).text) for name in (c_name + "GetWorkspaceSize", c_name)]


def _wrapped(text: str) -> str:
    flat = " ".join(text.split()).rstrip(";") + ";"
    return re.sub(r", ", ",\n    ", flat.replace("(", "(\n    ", 1)) if len(flat) > 96 else flat


def _comment(entry: Entry) -> str:
    return pa.ops[entry.name].spec.comment.strip()


def _plain(text: str) -> str:
    """Return text with the characters that Markdown reads as markup made harmless."""
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [re.sub(r"([*_<>\[\]$#~|])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)
