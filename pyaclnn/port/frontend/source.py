"""Reading a sample: encodings, and limits against hostile input."""

from __future__ import annotations

import re
from pathlib import Path

from pyaclnn.port.errors import LimitError, PortError

MAX_BYTES = 2 << 20
MAX_DEPTH = 150

_CONTROL = re.compile("[\0-\x08\x0e-\x1f\x7f-\x9f]")
_CLOSING = {")": "(", "]": "[", "}": "{"}


def read_source(path: Path) -> str:
    """Return the text of a C or C++ file, with Unix line ends.

    Parameters
    ----------
    path : Path
        UTF-8, UTF-16 with a byte order mark, GB18030, which CANN's older samples are in, or
        Latin-1.

    Raises
    ------
    PortError
        For a file that cannot be read, is empty, too large or no text.
    """
    name = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise PortError(f"cannot be read: {error.strerror}", name) from None
    if len(data) > MAX_BYTES:
        raise LimitError(f"is larger than {MAX_BYTES >> 20} MiB, which no sample is", name)
    text = decode(data, name)
    if not text.strip():
        raise PortError("is empty", name)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decode(data: bytes, name: str) -> str:
    """Return bytes as text; see `read_source`."""
    encodings = ["utf-8-sig", "gb18030"]
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encodings = ["utf-16"]
    elif b"\0" in data:
        raise PortError("holds zero bytes: it is a binary file, not C++ source", name)
    for encoding in [*encodings, "latin-1"]:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _CONTROL.search(text):
            return text
    raise PortError("is no text in UTF-8, UTF-16, GB18030 or Latin-1; save it as UTF-8", name)


def refuse_deep_nesting(text: str, name: str) -> None:
    """Raise where brackets are nested deeper than any program has them.

    Parameters
    ----------
    text : str
        Without comments; strings may be in it.
    name : str
        For the message.

    Raises
    ------
    LimitError
        With the line.
    """
    depth, line, quote, skip = 0, 1, "", False
    for character in text:
        if character == "\n":
            line += 1
            quote = ""
        elif skip:
            skip = False
        elif character == "\\":
            skip = True
        elif quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
            if depth > MAX_DEPTH:
                raise LimitError(f"brackets are nested more than {MAX_DEPTH} deep", name, line)
        elif character in _CLOSING:
            depth = max(0, depth - 1)
