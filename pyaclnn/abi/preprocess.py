"""Header bytes to text without comments and directives, every line where it was.

A vertical tab stands for the newline of a continued line, so that a macro stays one line and
line numbers still count.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field

from pyaclnn.abi.brackets import LITERAL
from pyaclnn.abi.condition import holds
from pyaclnn.abi.errors import HeaderError
from pyaclnn.abi.expression import Value, evaluate

MARK = "\x02"
_COMMENT = re.compile(rf"//[^\n]*|/\*.*?(?:\*/|\Z)|{LITERAL}", re.S)
_DIRECTIVE = re.compile(r"^[ \t\x0b]*#[ \t\x0b]*(\w*)([^\n]*)$", re.M)
_VERSION = re.compile(r"\b(Since|Only in) CANN (\d+(?:\.\w+)*)")
_DEFINE = re.compile(r"\s*(\w+)(\([^)]*\))?\s*(.*)", re.S)
_INCLUDE = re.compile(r'\s*["<]([^">]+)[">]')
_ATTRIBUTE = re.compile(
    r"(?:__attribute__|_*declspec|\[\[|extern\b|(?:__)?inline\b|static\b|_Pragma|constexpr\b|noexcept"
    r"|__extension__|_Static_assert|static_assert|do\b|\{)"
)
_WORDS_AND_STARS = re.compile(r"\w[\w\s*]*")
_TYPES = re.compile(r"void|char|short|int|long|float|double|bool|signed|unsigned|size_t|u?int\d+_t")
_CONSTANT = re.compile(r"""(?:[\w\s.()+\-*/%<>&|^~!?:]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])')+\Z""")


@dataclass(slots=True)
class Macro:
    """One object-like ``#define``."""

    name: str
    body: str
    line: int
    version: str


@dataclass(slots=True)
class Source:
    """What preprocessing leaves of a header."""

    text: str
    constants: list[Macro] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    attributes: set[str] = field(default_factory=set)
    includes: list[str] = field(default_factory=list)
    packing: list[tuple[int, int]] = field(default_factory=list)


def decode(data: bytes) -> str:
    """Decode a header, whatever the encoding of its comments.

    Parameters
    ----------
    data : bytes
        UTF-8 with or without a byte order mark, or GBK.

    Returns
    -------
    str
        The text with plain newlines.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("gb18030", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def preprocess(text: str, file: str = "") -> Source:
    """Remove comments, evaluate conditions with nothing predefined, collect macros.

    Parameters
    ----------
    text : str
        The header.
    file : str
        Its name, for errors.

    Returns
    -------
    Source
        Remaining text and what the directives said.

    Raises
    ------
    HeaderError
        A condition cannot be evaluated, or conditions do not nest.
    """
    if "\\\n" in text:
        text = re.sub(r"\\[ \t]*\n", "\x0b", text)
    return _Preprocessor(_COMMENT.sub(_blank, text), file).run()


def _blank(match: re.Match[str]) -> str:
    comment = match[0]
    if comment[0] != "/":
        return comment
    lines = "\n" * comment.count("\n") + "\x0b" * comment.count("\x0b")
    if "CANN" in comment:
        version = _VERSION.search(comment)
        if version:
            return f"{MARK}{version[1]} CANN {version[2]}{MARK}{lines}"
    return lines or " "


class _Preprocessor:
    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.source = Source("")
        self.macros: dict[str, str] = {}
        self.values: dict[str, Value | None] = {}
        self.active = True
        self.stack: list[tuple[bool, bool]] = []
        self.packs: list[int] = []
        self.pack = 0
        self.out: list[str] = []
        self.length = 0
        self.line = 1

    def run(self) -> Source:
        position = 0
        for match in _DIRECTIVE.finditer(self.text):
            self._copy(self.text[position : match.start()])
            position = match.end()
            self._directive(match[1], match[2].replace("\x0b", " "))
            skipped = "\x0b" * match[0].count("\x0b")
            self._append(skipped)
            self.line += len(skipped)
        self._copy(self.text[position:])
        if self.stack:
            raise HeaderError("an #if has no #endif", self.file, self.line)
        self.source.text = "".join(self.out)
        return self.source

    def _append(self, text: str) -> None:
        self.out.append(text)
        self.length += len(text)

    def _copy(self, region: str) -> None:
        newlines = region.count("\n")
        continued = region.count("\x0b")
        self.line += newlines + continued
        self._append(region if self.active else "\n" * newlines + "\x0b" * continued)

    def _directive(self, word: str, rest: str) -> None:
        if word in ("if", "ifdef", "ifndef"):
            taken = self.active and self._condition(word, rest)
            self.stack.append((self.active, taken))
            self.active = taken
        elif word in ("elif", "else", "endif"):
            self._branch(word, rest)
        elif not self.active:
            return
        elif word == "define":
            self._define(rest)
        elif word == "undef":
            self.macros.pop(rest.strip(), None)
            self.values.clear()
        elif word == "include":
            found = _INCLUDE.match(rest)
            if found:
                self.source.includes.append(found[1])
        elif word == "pragma" and rest.split("(")[0].strip() == "pack":
            self._set_packing(rest)

    def _branch(self, word: str, rest: str) -> None:
        if not self.stack:
            raise HeaderError(f"#{word} without #if", self.file, self.line)
        outer, taken = self.stack.pop()
        if word == "endif":
            self.active = outer
            return
        self.active = outer and not taken and (word == "else" or self._condition("if", rest))
        self.stack.append((outer, taken or self.active))

    def _condition(self, word: str, rest: str) -> bool:
        if word != "if":
            name = rest.split(maxsplit=1)
            if not name:
                raise HeaderError(f"#{word} without a name", self.file, self.line)
            return (name[0] in self.macros) == (word == "ifdef")
        text = rest.replace(MARK, " ")
        try:
            # Macros are expanded as their values are asked for.
            return holds(text, self.macros.__contains__, lambda unexpanded: unexpanded, self._value)
        except ValueError as error:
            raise HeaderError(
                f"cannot evaluate this condition: {error}", self.file, self.line, f"#if{rest}"
            ) from None

    def _value(self, name: str) -> Value:
        # Each macro once: names that mention others twice would take for ever.
        if name not in self.values:
            self.values[name] = None
            body = self.macros.get(name, "")
            self.values[name] = evaluate(body, self._value) if body else 0
        value = self.values[name]
        if value is None:
            raise ValueError(f"{name} is defined by itself")
        return value

    def _define(self, rest: str) -> None:
        found = _DEFINE.match(rest)
        if not found:
            return
        name, parameters, body = found[1], found[2], found[3]
        if MARK in body:
            body = re.sub(f"{MARK}[^{MARK}]*{MARK}", "", body)
        body = body.strip()
        if parameters is not None:
            self.source.attributes.add(name)
            return
        self.macros[name] = body
        self.values.clear()
        if not body or _ATTRIBUTE.match(body):
            self.source.attributes.add(name)
        elif _CONSTANT.match(body) and not _is_type(body):
            self.source.constants.append(Macro(name, body, self.line, self._take_version()))
        else:
            self.source.aliases[name] = body

    def _take_version(self) -> str:
        """Take the release marker that stands directly before this directive."""
        if not self.out:
            return ""
        tail = self.out[-1].rstrip()
        if not tail.endswith(MARK):
            return ""
        start = tail.rindex(MARK, 0, -1)
        self.length -= len(self.out[-1])
        kept, version = self.out[-1][:start], tail[start + 1 : -1]
        self.out[-1] = kept + "\n" * (self.out[-1].count("\n") - kept.count("\n"))
        self.length += len(self.out[-1])
        return version

    def _set_packing(self, rest: str) -> None:
        arguments = rest[rest.find("(") + 1 : rest.rfind(")")].replace(" ", "").split(",")
        numbers = [int(a) for a in arguments if re.fullmatch(r"[0-9]{1,3}", a)]
        if "push" in arguments:
            self.packs.append(self.pack)
        if "pop" in arguments:
            self.pack = self.packs.pop() if self.packs else 0
        elif numbers:
            self.pack = numbers[0]
        elif arguments == [""]:
            self.pack = 0
        self.source.packing.append((self.length, self.pack))


def _is_type(body: str) -> bool:
    """Tell whether words and stars name a type rather than a value: ``unsigned int``, ``x *``."""
    if not _WORDS_AND_STARS.fullmatch(body):
        return False
    words = body.replace("*", " * ").split()
    return (
        words[-1] == "*"
        or _TYPES.fullmatch(words[-1]) is not None
        or any("*" not in (one, other) for one, other in itertools.pairwise(words))
    )
