"""The comments of headers on a declaration, read only for help texts."""

from __future__ import annotations

import re
from pathlib import Path

from pyaclnn.abi.preprocess import decode

_COMMENT = re.compile(r"/\*(.*?)\*/|((?:^[ \t]*//[^\n]*\n)+)", re.S | re.M)
_SIGN = re.compile(r"^[ \t]*(?://+ ?|\*+(?= |$) ?|)", re.M)
_MARKER = re.compile(r"^(?:Since|Only in) CANN [\d.\w]+$\n?", re.M)
_RELEASE = re.compile(r"//\s*((?:Since|Only in) CANN [\d.]+\d)\.?\s*")
_PHASE_1 = "GetWorkspaceSize"


def comment_of(file: str, line: int, name: str) -> str:
    """Return the comment that documents a declaration.

    Parameters
    ----------
    file : str
        The header.
    line : int
        Where the declaration starts.
    name : str
        What it declares.

    Returns
    -------
    str
        A comment anywhere in the file that begins with the operator's name, as operators are
        described once for both phases; else the comment that ends right before the declaration;
        else an empty string.
    """
    try:
        text = decode(Path(file).read_bytes())
    except OSError:
        return ""
    comments = [(m.end(), _plain(m[1] or m[2])) for m in _COMMENT.finditer(text)]
    operator = name.removesuffix(_PHASE_1)
    for _, comment in comments:
        if comment.split("\n")[0].rstrip(".: ") == operator:
            return comment.partition("\n")[2].strip()
    lines = text.split("\n")
    before = len("\n".join(lines[: line - 1]))
    for end, comment in reversed(comments):
        # Only attribute macros may stand between a comment and what it describes.
        if end <= before + 1:
            between = text[end:before]
            return comment if not re.search(r"[;{}]|^\s*#", between, re.M) else ""
    return ""


def release_of(file: str, line: int) -> str:
    """Return the releases of CANN that have a declaration, where its header states them.

    Parameters
    ----------
    file : str
        The header.
    line : int
        Where the declaration starts.

    Returns
    -------
    str
        ``Since CANN 9.0``, ``Only in CANN 8.1``, or an empty string: all releases that pyaclnn
        knows.
    """
    try:
        above = decode(Path(file).read_bytes()).split("\n")[line - 2]
    except (OSError, IndexError):
        return ""
    match = _RELEASE.fullmatch(above)
    return match[1] if match else ""


def _plain(body: str) -> str:
    text = _SIGN.sub("", body).strip()
    return _MARKER.sub("", text.replace(".\n", ".\n")).strip()
