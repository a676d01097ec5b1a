"""Header bytes to text without comments and directives, and what those say of the API."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field

from pyaclnn.abi.directives import MARK, Directives
from pyaclnn.abi.errors import HeaderError
from pyaclnn.abi.macros import EndlessError, Macro, Macros

_VERSION = re.compile(r"\b(Since|Only in) CANN (\d+(?:\.\w+)*)")
_ATTRIBUTE = re.compile(
    r"(?:__attribute__|_*declspec|\[\[|extern\b|(?:__)?inline\b|static\b|_Pragma|constexpr\b|noexcept"
    r"|__extension__|_Static_assert|static_assert|do\b|\{)"
)
_WORDS_AND_STARS = re.compile(r"\w[\w\s*]*")
_TYPES = re.compile(r"void|char|short|int|long|float|double|bool|signed|unsigned|size_t|u?int\d+_t")
_CONSTANT = re.compile(r"""(?:[\w\s.()+\-*/%<>&|^~!?:]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])')+\Z""")


@dataclass(slots=True)
class Constant:
    """A ``#define`` of a value."""

    name: str
    body: str
    line: int
    version: str


@dataclass(slots=True)
class Source:
    """What preprocessing leaves of a header."""

    text: str
    constants: list[Constant] = field(default_factory=list)
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
    header = _Header(file)
    try:
        header.source.text = header.run(text)
    except EndlessError as error:
        raise HeaderError(str(error), file, header.line) from None
    if header.packing:
        offsets = [0, *itertools.accumulate(map(len, header.out))]
        header.source.packing = [(offsets[piece], pack) for piece, pack in header.packing]
    return header.source


class _Header(Directives):
    # Ends soon whatever macros refer to.
    by_value = True

    def __init__(self, file: str) -> None:
        super().__init__(file, Macros())
        self.source = Source("")
        self.packs: list[int] = []
        #: How many pieces of text stand before each change of packing, and what it is from there.
        self.packing: list[tuple[int, int]] = []

    def wrong(self, message: str, text: str = "") -> None:
        raise HeaderError(message, self.file, self.line, text)

    def comment(self, text: str, lines: str) -> str:
        if "CANN" in text and (version := _VERSION.search(text)):
            return f"{MARK}{version[1]} CANN {version[2]}{MARK}{lines.strip(' ')}"
        return lines

    def include(self, name: str, quoted: bool) -> None:
        self.source.includes.append(name)

    def defined(self, macro: Macro) -> None:
        name, body = macro.name, macro.body
        if macro.parameters is not None or not body or _ATTRIBUTE.match(body):
            self.source.attributes.add(name)
        elif _CONSTANT.match(body) and not _is_type(body):
            self.source.constants.append(Constant(name, body, self.line, self._take_version()))
        else:
            self.source.aliases[name] = body

    def _take_version(self) -> str:
        """Take the release marker that stands directly before this directive."""
        before = self.out[-1]
        tail = before.rstrip()
        if not tail.endswith(MARK):
            return ""
        start = tail.rindex(MARK, 0, -1)
        self.out[-1] = before[:start] + "\n" * before.count("\n", start)
        return tail[start + 1 : -1]

    def pragma(self, text: str) -> None:
        if text.split("(")[0].strip() != "pack":
            return
        arguments = text[text.find("(") + 1 : text.rfind(")")].replace(" ", "").split(",")
        numbers = [int(a) for a in arguments if re.fullmatch(r"[0-9]{1,3}", a)]
        pack = self.packing[-1][1] if self.packing else 0
        if "push" in arguments:
            self.packs.append(pack)
        if "pop" in arguments:
            pack = self.packs.pop() if self.packs else 0
        elif numbers:
            pack = numbers[0]
        elif arguments == [""]:
            pack = 0
        self.packing.append((len(self.out), pack))


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
