"""The common part of a C preprocessor: comments, continued lines, directives, conditions.

CANN's headers and C++ samples are preprocessed differently: subclasses define what becomes of the
text between directives, what is recorded, and which errors are reported.
"""

from __future__ import annotations

import re

from pyaclnn.abi.brackets import LITERAL
from pyaclnn.abi.expression import evaluate
from pyaclnn.abi.macros import Macro, Macros

#: Stands for the newline of a continued line, so that it is one line and line numbers still count.
CONTINUED = "\x0b"
#: Encloses what is left of a comment, so that it is not read as part of a directive.
MARK = "\x02"
_MARKED = re.compile(f"{MARK}[^{MARK}]*{MARK}")
# Compilers accept blanks behind the backslash.
_CONTINUATION = re.compile(r"\\[ \t]*\n")
# The prefix of a raw string that is not the end of a name.
_RAW = r"R(?:(?<!\wR)|(?<=\b[uUL]R)|(?<=\bu8R))"
# An unclosed comment or literal ends with the text, so that each character is read once.
_COMMENT = re.compile(
    rf'//[^\n]*|/\*.*?(?:\*/|\Z)|{_RAW}"([^()\\\s]{{0,16}})\(.*?(?:\)\1"|\Z)|{LITERAL}', re.DOTALL
)
_DIRECTIVE = re.compile(r"^[ \t\x0b]*#[ \t\x0b]*(\w*)([^\n]*)$", re.MULTILINE)
_DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_CALL = re.compile(r"\b[A-Za-z_]\w*\s*\((?:[^()]|\([^()]*\))*\)")
_INCLUDE = re.compile(r'\s*(["<])([^">]+)[">]')


class Directives:
    """State of one file.

    Parameters
    ----------
    file : str
        Its name, for messages.
    macros : Macros
        What is defined when it begins.

    Attributes
    ----------
    line : int
        The line that is read, from 1.
    out : list of str
        What there is so far.
    """

    #: Whether conditions look up the value of a macro once, where a compiler would expand its text.
    by_value = False

    def __init__(self, file: str, macros: Macros) -> None:
        self.file = file
        self.macros = macros
        self.line = 1
        self.out: list[str] = []
        self._active = True
        # For each enclosing condition: whether the text around it is active, and whether a branch
        # was.
        self._nest: list[tuple[bool, bool]] = []

    def run(self, text: str) -> str:
        """Return the preprocessed text, lines kept; macros may raise EndlessError."""
        text = text.replace(CONTINUED, " ")
        if "\\" in text:
            text = _CONTINUATION.sub(CONTINUED, text)
        text = _COMMENT.sub(self._without_comment, text)
        position = 0
        for match in _DIRECTIVE.finditer(text):
            self._copy(text[position : match.start()], self._active)
            position = match.end()
            rest = match[2]
            if MARK in rest:
                rest = _MARKED.sub("", rest)
            self._directive(match[1], rest.replace(CONTINUED, ""))
            if CONTINUED in match[0]:
                self._copy(match[0], False)
        self._copy(text[position:], self._active)
        if self._nest:
            self.wrong("an #if has no #endif")
        return "".join(self.out)

    def _without_comment(self, match: re.Match[str]) -> str:
        found = match[0]
        if found[0] == "/":
            lines = "\n" * found.count("\n") + CONTINUED * found.count(CONTINUED)
            return self.comment(found, lines or " ")
        # In a raw string the backslash at the end of a line stays one.
        return found.replace(CONTINUED, "\\\n") if found[0] == "R" else found

    def _copy(self, region: str, taken: bool) -> None:
        lines = region.count("\n") + region.count(CONTINUED)
        self.out.append(self.text(region) if taken else "\n" * lines)
        self.line += lines

    def _directive(self, word: str, rest: str) -> None:
        if word in ("if", "ifdef", "ifndef"):
            taken = self._active and self._holds(word, rest)
            self._nest.append((self._active, taken))
            self._active = taken
        elif word in ("elif", "else", "endif"):
            self._branch(word, rest)
        elif not self._active:
            return
        elif word == "define" and (macro := self.macros.define(rest)):
            self.defined(macro)
        elif word == "undef":
            self.macros.undefine(rest.strip())
        elif word == "include" and (found := _INCLUDE.match(rest)):
            self.include(found[2], found[1] == '"')
        elif word == "pragma":
            self.pragma(rest)

    def _branch(self, word: str, rest: str) -> None:
        if not self._nest:
            self.wrong(f"#{word} without #if")
            return
        outer, taken = self._nest.pop()
        self._active = outer
        if word != "endif":
            self._active = outer and not taken and (word == "else" or self._holds(word, rest))
            self._nest.append((outer, taken or self._active))

    def _holds(self, word: str, rest: str) -> bool:
        if word in ("ifdef", "ifndef"):
            name = (rest.split(maxsplit=1) or [""])[0]
            if not name:
                self.wrong(f"#{word} without a name")
            return (name in self.macros) == (word == "ifdef")
        text = _DEFINED.sub(lambda m: str(int((m[1] or m[2]) in self.macros)), rest)
        # The calls that are left are __has_include and its kind, which are false.
        text = _CALL.sub("0", self.macros.expand(text, objects=not self.by_value))
        try:
            known = self.macros.value if self.by_value else lambda name: int(name == "true")
            return bool(evaluate(text, known))
        except ValueError as error:
            self.wrong(f"cannot evaluate this condition: {error}", f"#{word}{rest}")
            return False

    def text(self, region: str) -> str:
        """Return what active text becomes: the text itself, unless a subclass says otherwise."""
        return region

    def comment(self, text: str, lines: str) -> str:
        """Return what a comment becomes: its newlines, or a blank."""
        return lines

    def defined(self, macro: Macro) -> None:
        """Record a macro; a hook for subclasses."""

    def include(self, name: str, quoted: bool) -> None:
        """Record an included header, in quotes or angle brackets; a hook for subclasses."""

    def pragma(self, text: str) -> None:
        """Handle a pragma; a hook for subclasses."""

    def wrong(self, message: str, text: str = "") -> None:
        """Report text that no compiler accepts; a hook for subclasses."""
