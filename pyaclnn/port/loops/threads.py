"""Threads of a port: a function for each, or one for all that differ by their number only."""

from __future__ import annotations

import re

_PIECE = re.compile(r"\d+|\D+")
_NAME = re.compile(r"[A-Za-z0-9_.]$")


def thread_lines(bodies: list[list[str]]) -> list[str]:
    """Return the source that runs some pieces of a program side by side.

    Parameters
    ----------
    bodies : list of list of str
        The lines of each thread.
    """
    count = len(bodies)
    bodies = [body or ["pass"] for body in bodies]
    merged = _merged(bodies) if count > 1 else None
    out: list[str] = []
    if merged is not None:
        out += ["def run(rank: int) -> None:", *_indented(merged)]
        jobs = f"[pool.submit(run, rank) for rank in range({count})]"
    else:
        for rank, body in enumerate(bodies):
            out += [f"def rank_{rank}() -> None:", *_indented(body), "", ""]
        names = ", ".join(f"rank_{rank}" for rank in range(count))
        jobs = f"[pool.submit(rank) for rank in ({names}{',' if count == 1 else ''})]"
    if merged is not None:
        out += ["", ""]
    return [
        "", "", *out, f"with ThreadPoolExecutor({count}) as pool:",
        f"    for job in {jobs}:", "        job.result()",
    ]  # fmt: skip


def _indented(body: list[str]) -> list[str]:
    return ["    " + line if line else "" for line in body]


def _merged(bodies: list[list[str]]) -> list[str] | None:
    if len({len(body) for body in bodies}) != 1:
        return None
    out = []
    for lines in zip(*bodies, strict=True):
        line = _merged_line(lines)
        if line is None:
            return None
        out.append(line)
    return out


def _merged_line(lines: tuple[str, ...]) -> str | None:
    """Return one line for all ranks, with ``rank`` where the lines have their number."""
    if len(set(lines)) == 1:
        return lines[0]
    if "'" in lines[0]:
        # Quotes within quotes: left as they are.
        return None
    pieces = [_PIECE.findall(line) for line in lines]
    if len({len(p) for p in pieces}) != 1:
        return None
    text, plain_string = "", False
    for options in zip(*pieces, strict=True):
        if len(set(options)) == 1:
            text += options[0]
            continue
        if list(options) != [str(rank) for rank in range(len(options))]:
            return None
        inside, is_format, in_field = _state(text)
        if not inside and _NAME.search(text):
            return None
        plain_string |= inside and not is_format
        text += "{rank}" if inside and not in_field else "rank"
    if plain_string:
        # Only a print of one text has its quotes where this expects them.
        if not text.startswith('print("') or "\\N" in text or "{" in text.replace("{rank}", ""):
            return None
        text = 'print(f"' + text[len('print("') :]
    return text


def _state(text: str) -> tuple[bool, bool, bool]:
    """Return whether the end of a text is within a string, an f-string, a field of one."""
    inside = is_format = False
    depth = at = 0
    while at < len(text):
        character = text[at]
        if inside and character == "\\":
            at += 1
        elif character == '"':
            inside = not inside
            is_format = inside and at > 0 and text[at - 1] == "f"
            depth = 0
        elif inside and is_format and character in "{}":
            depth += 1 if character == "{" else -1
        at += 1
    return inside, is_format, depth > 0
