"""Comments in a port: gaps and remarks."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from pathlib import Path

from pyaclnn.port.frontend.comments import Comment
from pyaclnn.port.model import Gap, Note, Program
from pyaclnn.port.writing.pycode import quoted

_STANDARD = frozenset([
    "import math\n", "import time\n", "from concurrent.futures import ThreadPoolExecutor\n",
])  # fmt: skip
MARK = "# NOT PORTED"
#: Comments on what a port has not: calls that pyaclnn makes by itself, and the two phases.
_ABOUT_C = re.compile(r"\bacl(?:rt|Create|Destroy|Init|Finalize)\w*|第[一二]段接口")


def gap_lines(program: Program, gap: Gap) -> list[str]:
    """Return the comment that replaces a statement, and the statement that ends the port there."""
    if gap.again and gap.conditional:
        return []
    reason = " ".join(gap.reason.split())
    out = textwrap.wrap(
        f"{MARK} {place_of(program, gap.line)}: {reason}"[:400],
        99,
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    for line in gap.source.split("\n")[:8] if gap.source else []:
        out.append(f"#     {_visible(line.strip())}"[:99])
    if not gap.conditional:
        out.append(stop(place_of(program, gap.line)))
    return out


def stop(place: str) -> str:
    """Return the statement that ends a port at a gap."""
    return f"raise NotImplementedError({quoted(f'{place} is not ported')})"


def note_lines(program: Program, note: Note) -> list[str]:
    """Return a remark as comments."""
    return textwrap.wrap(
        f"{place_of(program, note.line)}: {_visible(note.text)}", 99, initial_indent="# ",
        subsequent_indent="# ", break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


class Sayings:
    """Writes the sample's comments, each once.

    Parameters
    ----------
    program : Program
        The sample.
    silent : bool
        Whether none is written.
    """

    def __init__(self, program: Program, silent: bool = False) -> None:
        self._program = program
        self._silent = silent
        self._said: set[Comment] = set()

    def fresh(self, comments: tuple[Comment, ...], inner: bool | None = None) -> list[Comment]:
        """Return those that are to be written: those of helpers explain what the port has not.

        Parameters
        ----------
        comments : tuple of Comment
            Of a statement.
        inner : bool, optional
            Only what stands within a loop or a condition, or only what does not.
        """
        return [
            c for c in comments
            if not self._silent and c not in self._said and inner in (None, c.inner)
            and self._program.entered[c.owner] <= 1 and not any(map(_ABOUT_C.search, c.text))
        ]  # fmt: skip

    def lines(
        self, comments: tuple[Comment, ...], indent: int = 0, inner: bool | None = None
    ) -> list[str]:
        """Return comments that were not written yet as lines."""
        out: list[str] = []
        before: list[str] = []
        for comment in self.fresh(comments, inner):
            self._said.add(comment)
            head = " " * indent + "# "
            rows = _flowing(map(_visible, comment.text), 99 - len(head))
            # The same may be said of each of several statements that are one here.
            if rows == before[-len(rows) :]:
                continue
            before = rows
            for row in rows:
                out += textwrap.wrap(
                    row, 99, initial_indent=head, subsequent_indent=head, break_on_hyphens=False
                )
        return out


#: A statement that the sample has no more, or not yet.
_CODE = re.compile(r"[\w:<>*&\s\[\].,]+(?:\(|=).*;\s*(?://.*)?")


def _flowing(text: Iterable[str], width: int) -> list[str]:
    """Return the lines of a comment: what of one is too much is with the next, as it goes on."""
    out: list[str] = []
    rest = ""
    for line in text:
        if _CODE.fullmatch(line):
            continue
        if rest and line[:1].islower():
            line = f"{rest} {line}"
        elif rest:
            out.append(rest)
        wrapped = textwrap.wrap(line, width, break_on_hyphens=False) or [line]
        rest = wrapped.pop() if len(wrapped) > 1 else ""
        out += wrapped
    return [*out, rest] if rest else out


def place_of(program: Program, line: int) -> str:
    """Return file and line as messages name them."""
    file, number = program.place(line)
    return f"{Path(file).name}:{number}"


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def header(program: Program, body: list[str], note: str = "") -> str:
    """Return the first lines of a port: docstring, imports, and where its headers are.

    Parameters
    ----------
    program : Program
        What is ported.
    body : list of str
        The lines that follow.
    note : str
        What the docstring says beside the name of the sample.
    """
    file = program.file
    name = _visible(Path(file).name).replace("\\", "/").replace('"', "'")
    text = "\n".join(body)
    imports = []
    if "math." in text:
        imports.append("import math\n")
    if "ThreadPoolExecutor(" in text:
        imports.append("from concurrent.futures import ThreadPoolExecutor\n")
    if "time.perf_counter" in text:
        imports.append("import time\n")
    if "np." in text:
        imports.append("import numpy as np\n")
    if program.header_folders or any(not line.startswith("#") for line in body):
        imports.append("import pyaclnn as pa\n")
    if "with_format(" in text:
        imports.append("from pyaclnn.tensor.formats import with_format\n")
    if "ml_dtypes." in text:
        imports.insert(0, "import ml_dtypes\n")
    imports.sort(key=lambda line: (line not in _STANDARD, line.startswith("from")))
    standard = sum(line in _STANDARD for line in imports)
    if standard:
        imports.insert(standard, "\n")
    added = [f"pa.abi.add_headers({quoted(folder)})\n" for folder in program.header_folders]
    imports += ["\n", *added] if added else []
    about = f'"""Port of {name}.'
    about += f'\n\n{textwrap.fill(note, 99)}\n"""' if note else '"""'
    return f"{about}\n\n" + ("".join(imports) + "\n" if imports else "")
