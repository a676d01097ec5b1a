"""A page of Markdown for each declared operator, and the table of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pyaclnn as pa
from pages.examples import NoExampleError, example
from pyaclnn import abi
from pyaclnn.catalogue import Entry, collect
from pyaclnn.ops.checks_in_words import accepted, checks
from pyaclnn.ops.defaults import REQUIRED
from pyaclnn.ops.spec import Argument
from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.suites import SUITES
from pyaclnn.table import Row, by_name
from pyaclnn.table.steps import DtypeIn, OnlyOn

_SUITES = {suite.operator: suite for suite in SUITES}
_ROWS = by_name()


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
        f":::{{index}} ! {entry.c_name}, ! {entry.name}",
        ":::",
        "",
        f"`{entry.c_name}`, declared in `{entry.header}`. {release}. {where}",
        "",
        _plain(_comment(entry)),
        "",
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
        lines += _checks(row)
    if suite is not None and not any(isinstance(s, DtypeIn) for s in (row.steps if row else ())):
        types = ", ".join(f"`{name}`" for name in suite.dtypes)
        lines += ["", "## Element types", "", f"{types}; bfloat16 on Atlas A2 and newer."]
    if entry.missing:
        lines += ["", "## Not simulated", "", *(f"- {_plain(text)}" for text in entry.missing)]
    if suite is not None:
        lines += _example(suite)
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
    types = accepted(row) if row else {}
    lines = ["| parameter | in C | default | element types |", "|---|---|---|---|"]
    for a in arguments:
        role = "in place" if a.in_place else "output" if a.output else ""
        default = "" if not a.given or a.default is REQUIRED else f"`{a.default!r}`"
        cells = (
            f"`{a.name}`",
            f"`{a.c_type} {a.c_name}`",
            default or role,
            types.get(a.c_name, ""),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines


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
