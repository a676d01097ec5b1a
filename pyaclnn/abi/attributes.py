"""Attributes and the macros that stand for them: what a declaration has around its C."""

from __future__ import annotations

import re
from collections.abc import Container

from pyaclnn.abi.brackets import call_end, closing_brackets
from pyaclnn.abi.errors import HeaderError
from pyaclnn.abi.paths import MAX_HEADER
from pyaclnn.abi.preprocess import Source

_MANY, _MANY_ALIASES = 50, 1000
STRING = r'"(?:\\.|[^"\\\n])*"'
# The patterns do not backtrack: the cost of a header is linear in its length. Balanced brackets are
# left to closing_brackets.
_GNU_ATTRIBUTE = re.compile(r"\b(?:__attribute__|_*declspec)(?=\s*\()")
_CXX_ATTRIBUTE = re.compile(rf"\[\[(?:[^\[\]\"]|{STRING})*\]\]")
_MESSAGE_MACRO = re.compile(rf"\b[A-Z_][A-Z0-9_]*\s*\(\s*(?:{STRING}\s*)+\)")
# Its braces would look like a function body.
_EMPTY_DEFAULT = re.compile(r"=\s*\{\s*\}(?=\s*[,)])")
_LEADING_CALL = re.compile(r"[A-Z][A-Z0-9_]+(?=\s*\()")
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_CALLED = re.compile(r"\s*\(")
_FOLLOWED = re.compile(r"\s*(?=[\w\[])")
_TRAILING_WORD = re.compile(r"const|noexcept|override|[A-Z_][A-Z0-9_]*")
#: A macro before a type.
LEADING_WORD = re.compile(r"[A-Z][A-Z0-9_]+ (?=(?!const\b)[A-Za-z_]\w*(?: |\*)[\s*]*[A-Za-z_])")


def without_attributes(source: Source, file: str) -> str:
    """Blank attributes and attribute macros, keeping length so that offsets stay true.

    Parameters
    ----------
    source : Source
        What :func:`pyaclnn.abi.preprocess.preprocess` returned.
    file : str
        Path of the header, for errors.

    Returns
    -------
    str
        The text, macros that stand for types replaced.

    Raises
    ------
    HeaderError
        Macros replaced by macros make it longer than any header.
    """
    text = source.text
    if "__attribute__" in text or "declspec" in text:
        text = _without_words(text, _GNU_ATTRIBUTE)
    if "[[" in text:
        text = _CXX_ATTRIBUTE.sub(_spaces, text)
    text = _EMPTY_DEFAULT.sub(_spaces, _MESSAGE_MACRO.sub(_spaces, text))
    names = source.attributes
    if len(names) > _MANY:
        # With many names, looking up each word is faster than searching for each name.
        text = _without_words(text, _WORD, names)
    elif used := [name for name in names if name in text]:
        known = "|".join(sorted(used, key=len, reverse=True))
        text = _without_words(text, re.compile(rf"\b(?:{known})\b"))
    if len(source.aliases) > _MANY_ALIASES:
        raise HeaderError(f"more than {_MANY_ALIASES} macros that stand for types", file)
    for name, body in source.aliases.items():
        if name in text:
            if len(text) + text.count(name) * len(body) > MAX_HEADER:
                raise HeaderError(f"expanding {name} makes it longer than {MAX_HEADER} bytes", file)
            # Function replacement: a macro body may hold backslashes.
            text = re.sub(rf"\b{name}\b", lambda _, body=body: body, text)  # type: ignore[misc]
    return text


def _without_words(text: str, pattern: re.Pattern[str], names: Container[str] | None = None) -> str:
    """Blank the words a pattern finds, with their arguments where they have any."""
    closed: dict[int, int] | None = None
    pieces, done = [], 0
    for match in pattern.finditer(text):
        if match.start() < done or not (names is None or match[0] in names):
            continue
        end = match.end()
        if _CALLED.match(text, end):
            if closed is None:
                closed = closing_brackets(text)
            end = call_end(text, end, closed)
        pieces += [text[done : match.start()], _blanked(text[match.start() : end])]
        done = end
    return "".join([*pieces, text[done:]])


def _spaces(match: re.Match[str]) -> str:
    return _blanked(match[0])


def _blanked(text: str) -> str:
    return re.sub(r"[^\n\x0b]", " ", text)


def leading_end(text: str) -> int:
    """Return where the attribute macros before a declaration end.

    Parameters
    ----------
    text : str
        A declaration on one line.
    """
    place = 0
    if _LEADING_CALL.match(text):
        closed = closing_brackets(text)
        while match := _LEADING_CALL.match(text, place):
            followed = _FOLLOWED.match(text, call_end(text, match.end(), closed))
            if followed is None or followed.start() == match.end():
                break
            place = followed.end()
    while match := LEADING_WORD.match(text, place):
        place = match.end()
    return place


def parameters_end(text: str) -> int:
    """Return where the parameters of a function close.

    Parameters
    ----------
    text : str
        A declaration, or what stands before its body.

    Returns
    -------
    int
        Position of the ``)``; -1 where something else than attributes stands at the end.
    """
    opening: dict[int, int] | None = None
    found, end = -1, len(text.rstrip())
    while end:
        if text[end - 1] == ")":
            # It closes the parameters, or the arguments of a macro behind them.
            found = end - 1
            if opening is None:
                opening = {right: left for left, right in closing_brackets(text).items()}
            end = opening.get(found, 0)
        start = end
        while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        if not _TRAILING_WORD.fullmatch(text, start, end):
            break
        end = start
        while end and text[end - 1].isspace():
            end -= 1
    return found
