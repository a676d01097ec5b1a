"""Threads of a port: a function for each, or one for all that differ by their number only."""

from __future__ import annotations

import re

_PIECE = re.compile(r"\d+|\D+")
_LONG = 80
_NAME = re.compile(r"[A-Za-z0-9_.]$")


def thread_lines(bodies: list[list[str]]) -> list[str]:
    """Return the source that runs some pieces of a program side by side.

    Parameters
    ----------
    bodies : list of list of str
        The lines of each thread.
    """
    bodies = [body or ["pass"] for body in bodies]
    groups = _groups(bodies)
    out: list[str] = []
    jobs: list[str] = []
    for ranks, body in groups:
        if len(ranks) == 1:
            name = f"rank_{ranks[0]}"
            out += [f"def {name}() -> None:", *_indented(body), "", ""]
            jobs.append(f"[pool.submit({name})]")
            continue
        name = "run" if len(groups) == 1 else f"run_from_{ranks[0]}"
        out += [f"def {name}(rank: int) -> None:", *_indented(body), "", ""]
        jobs.append(f"[pool.submit({name}, rank) for rank in {_counted(ranks)}]")
    if len(groups) > 1 and len(groups) == len(bodies):
        functions = ", ".join(f"rank_{rank}" for rank in range(len(bodies)))
        single = f"[pool.submit(rank) for rank in ({functions})]"
        jobs = [single] if len(single) < _LONG else jobs
    if len(jobs) == 1:
        started = [f"    for job in {jobs[0]}:"]
    else:
        started = [f"    jobs = {jobs[0]}", *(f"    jobs += {job}" for job in jobs[1:]),
                   "    for job in jobs:"]  # fmt: skip
    return [
        "", "", *out, f"with ThreadPoolExecutor({len(bodies)}) as pool:", *started,
        "        job.result()",
    ]  # fmt: skip


def _groups(bodies: list[list[str]]) -> list[tuple[list[int], list[str]]]:
    """Return bodies with the ranks they are of; one that differs by its rank only is one."""
    found: list[tuple[list[int], list[str]]] = []
    for rank, body in enumerate(bodies):
        for ranks, merged in found:
            both = _merged([*(bodies[r] for r in ranks), body], [*ranks, rank])
            if both is not None:
                ranks.append(rank)
                merged[:] = both
                break
        else:
            found.append(([rank], list(body)))
    return found


def _counted(ranks: list[int]) -> str:
    first, last = ranks[0], ranks[-1]
    if ranks != list(range(first, last + 1)):
        return f"({', '.join(map(str, ranks))})"
    return f"range({first}, {last + 1})" if first else f"range({last + 1})"


def _indented(body: list[str]) -> list[str]:
    return ["    " + line if line else "" for line in body]


def _merged(bodies: list[list[str]], ranks: list[int]) -> list[str] | None:
    if len({len(body) for body in bodies}) != 1:
        return None
    out = []
    for lines in zip(*bodies, strict=True):
        line = _merged_line(lines, ranks)
        if line is None:
            return None
        out.append(line)
    return out


def _merged_line(lines: tuple[str, ...], ranks: list[int]) -> str | None:
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
        if list(options) != list(map(str, ranks)):
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
