"""Comments in a port: what was not understood, and what a reader should know."""

from __future__ import annotations

import textwrap
from pathlib import Path

from pyaclnn.port.model import Gap, Note

MARK = "# NOT PORTED"


def gap_lines(file: str, gap: Gap) -> list[str]:
    """Return the comment that stands for a statement."""
    reason = " ".join(gap.reason.split())
    out = textwrap.wrap(
        f"{MARK} {Path(file).name}:{gap.line}: {reason}"[:400],
        99,
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    for line in gap.source.split("\n")[:8] if gap.source else []:
        out.append(f"#     {_visible(line.strip())}"[:99])
    return out


def note_lines(file: str, note: Note) -> list[str]:
    """Return a remark as comments."""
    return [f"# {Path(file).name}:{note.line}: {_visible(note.text)}"]


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def header(file: str, body: list[str]) -> str:
    """Return the first lines of a port: docstring and imports."""
    name = _visible(Path(file).name).replace("\\", "/").replace('"', "'")
    text = "\n".join(body)
    imports = []
    if "math." in text:
        imports.append("import math\n")
    if "np." in text:
        imports.append("import numpy as np\n")
    imports.append("import pyaclnn as pa\n")
    if "with_format(" in text:
        imports.append("from pyaclnn.tensor.formats import with_format\n")
    if "ml_dtypes." in text:
        imports.insert(-1, "import ml_dtypes\n")
    if imports[0] == "import math\n":
        imports.insert(1, "\n")
    return f'"""Port of {name}."""\n\n' + "".join(imports) + "\n"
