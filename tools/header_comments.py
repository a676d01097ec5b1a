"""The comments of an existing header, by the name of what they stand before."""

from __future__ import annotations

import re
from pathlib import Path

TOP = ""

_MARKER = re.compile(r"(Since|Only in) CANN [\d.]+\.$")
_NAME = re.compile(
    r"""\#define\s+(?P<macro>\w+)
      | static\s+const\s+\w+\s+(?P<constant>\w+)
      | static\s+inline\s+\w+\s+(?P<inline>\w+)
      | typedef\s+[^;{]*\(\*(?P<callback>\w+)\)
      | typedef\s+(?:struct|union|enum)\s+(?P<tagged>\w+)\s*\{
      | typedef\s+[^;{]*?(?P<typedef>\w+)\s*;
      | (?:struct|union|enum)\s+(?P<plain>\w+)\s*\{
      | (?P<enumerator>\w+)\s*=\s*-?\w+\s*,
      | (?:ACL_|ACLNN_)[^;()]*?(?P<function>\w+)\s*\(
      | [\w\s*]*?(?P<field>\w+)(?:\[\w*\])*\s*;
    """,
    re.VERBOSE,
)
_END_OF_TYPE = re.compile(r"\}\s*(\w*)\s*;")


def harvest(path: Path) -> dict[str, str]:
    """Return the comments of a header.

    Parameters
    ----------
    path : Path
        A header in the layout of ``write_headers``; it need not exist.

    Returns
    -------
    dict
        Comment text, without release markers, by declared name; fields are ``struct.field``;
        the comment that opens the file is under :data:`TOP`.
    """
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    found: dict[str, str] = {}
    pending: list[str] = []
    inside = ""
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith("//"):
            content = text[2:].removeprefix(" ")
            if not _MARKER.match(content):
                pending.append(content)
            continue
        end = _END_OF_TYPE.match(line)
        if end:
            if inside in found and end[1]:
                found[end[1]] = found.pop(inside)
            inside = ""
        elif text.startswith("#ifndef") and TOP not in found:
            found[TOP] = "\n".join(pending)
        else:
            match = _NAME.match(" ".join(lines[number : number + 3]).strip())
            if match and match.lastgroup:
                name = match[match.lastgroup]
                if match.lastgroup in ("tagged", "plain"):
                    inside = name
                elif match.lastgroup == "field" and inside:
                    name = f"{inside}.{name}"
                if pending:
                    found[name] = "\n".join(pending)
        pending = []
    return found
