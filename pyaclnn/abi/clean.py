"""Header text to single declarations that cffi accepts one by one.

A header is never parsed as a whole: one declaration that cannot be parsed must not affect the
others, and the first use of an operator must not parse hundreds of functions that it does not call.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from pyaclnn.abi.attributes import (
    LEADING_WORD,
    STRING,
    leading_end,
    parameters_end,
    without_attributes,
)
from pyaclnn.abi.brackets import LITERAL
from pyaclnn.abi.comments import comment_of, release_of
from pyaclnn.abi.directives import MARK
from pyaclnn.abi.errors import HeaderError
from pyaclnn.abi.preprocess import Source, decode, preprocess

_HAS_BODY = "a function with a body has no exported symbol"
#: Bodies that one declaration may have; none of CANN's has more than one.
_MAX_BLOCKS = 100


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declaration of a header.

    Attributes
    ----------
    text : str
        C text on one line, ended by ``;``, or ``#define NAME expression`` for a constant.
    names : tuple of str
        What it declares; tags are spelled ``struct x``.
    kind : str
        ``function``, ``typedef``, ``enum``, ``struct``, ``union``, ``variable``, ``constant``,
        or ``skipped`` for what cannot be called from outside C, such as inline functions.
    file : str
        Path of the header.
    line : int
        Where it starts, from 1.
    version : str
        Release marker such as ``Since CANN 9.0``, or empty.
    note : str
        Why a declaration was skipped.
    pack : int
        Alignment limit in force (``#pragma pack``), 0 for none.
    """

    text: str
    names: tuple[str, ...]
    kind: str
    file: str
    line: int
    version: str = ""
    note: str = ""
    pack: int = 0

    @property
    def comment(self) -> str:
        """What the header says about it: read from the file, without comment signs."""
        return comment_of(self.file, self.line, self.names[-1] if self.names else "")

    @property
    def release(self) -> str:
        """Which releases of CANN have it: ``Since CANN 9.0``, or empty for all."""
        return release_of(self.file, self.line)

    def enumerators(self) -> list[str]:
        """Return the enumerators of an enum, each with its expression if it has one."""
        return _enum_items(self.text) if _IS_ENUM.match(self.text) else []


_BOUNDARY = re.compile(rf'[;{{}}]|extern\s+"C"\s*\{{|{LITERAL}')

_NOISE = re.compile(
    r'\b(?:extern\s*"C"|extern|inline|__inline(?:__)?|__extension__|_Noreturn)(?!\w)'
)
_RESTRICT = re.compile(r"\b(?:__)?restrict(?:__)?\b")
_NAME_BEFORE = re.compile(r"\b(\w+)\s*\(")
_DEFAULT = re.compile(r"\s*=\s*(?:[^,()\"]|" + STRING + r"|\([^()]*\))*(?=[,)])")
_CONSTANT = re.compile(
    r"(?=.*\b(?:const|constexpr)\b)[\w\s:]+?(?:\*\s*(?:const\s+)?)?\b(\w+)\s*(?:=\s*(.+)|\{(.*)\})\Z",
    re.S,
)
_NO_CONSTANT = re.compile(r"\(|\b(?:namespace|class|struct|template|using)\b")
# Nearly every chunk of a CANN header is a prototype of this form; one match settles it.
_PROTOTYPE = re.compile(
    r"(?:extern )?(?:[A-Z][A-Z0-9_]+ )?"
    r"((?:const )?(?!(?:static|inline|typedef|extern|constexpr|const)\b)"
    r"[A-Za-z_]\w*(?: ?(?:\* ?)+| )"
    r"([A-Za-z_]\w*) ?\([\w\s*,\[\]]*\))\Z"
)
_FUNCTION = re.compile(r"([\w\s*]*[\s*])(\w+)\s*(\(.*\))\Z", re.S)
_BODY_TAG = re.compile(r"\b(struct|union|enum)\s+(\w+)\s*(?::[^{]*)?\Z")
_FORWARD = re.compile(r"(struct|union|enum)\s+(\w+)\Z")
_POINTER_NAME = re.compile(r"\(\s*\*\s*(?:const\s+)?(\w+)\s*(?:\[[^\[\]]*\]\s*)*\)")
_LAST_NAME = re.compile(r"\b(\w+)\s*(?:\[[^\[\]]*\]\s*)*(?::\s*\d+)?\Z")
_FUNCTION_TYPE = re.compile(r"\b(\w+)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\Z")
_ENUM_BASE = re.compile(r"\b(enum(?:\s+\w+)?)\s*:\s*(?:unsigned\s+int|unsigned|u?int32_t|int)\s*\{")
_ENUMERATOR = re.compile(
    r"\s*(\w+)\b\s*(?:\b[A-Z_][A-Z0-9_]*\b\s*(?:\([^=]*\)\s*)?)?(?:=(.*))?\Z", re.S
)
_IS_ENUM = re.compile(r"(?:typedef )?enum\b[^;{]*\{")
_USING = re.compile(r"using\s+(\w+)\s*=\s*(.+)\Z", re.S)
_CXX_ONLY = re.compile(r"::|&|\btemplate\b|\boperator\b|<|\bclass\b|\bnamespace\b|\busing\b")
_OPENS_TYPE = re.compile(
    r"(?:typedef\b|struct\b|union\b|enum\b|const\b|static\b|constexpr\b|extern\b)"
)


def clean(data: bytes | str, file: str = "") -> list[Declaration]:
    """Split a header into declarations.

    Parameters
    ----------
    data : bytes or str
        Contents of the header.
    file : str
        Its path, kept in every declaration.

    Returns
    -------
    list of Declaration
        In the order of the file, constants of ``#define`` first.

    Raises
    ------
    HeaderError
        The preprocessor lines do not make sense.
    """
    source = preprocess(decode(data if isinstance(data, bytes) else data.encode()), file)
    return declarations_of(source, file)


def declarations_of(source: Source, file: str) -> list[Declaration]:
    """Split preprocessed text into declarations.

    Parameters
    ----------
    source : Source
        What :func:`pyaclnn.abi.preprocess.preprocess` returned.
    file : str
        Path of the header.

    Returns
    -------
    list of Declaration
        One for each declaration, none for what is only layout (``extern "C"``, attributes).
    """
    found = [
        Declaration(f"#define {m.name} {m.body}", (m.name,), "constant", file, m.line, m.version)
        for m in source.constants
    ]
    text = without_attributes(source, file)
    packing, pack = deque(source.packing), 0
    for chunk, offset, line in _chunks(text, file):
        while packing and packing[0][0] <= offset:
            pack = packing.popleft()[1]
        found.extend(_classify(chunk, file, line, pack))
    return found


def _chunks(text: str, file: str) -> Iterator[tuple[str, int, int]]:
    """Yield (text, offset, line) of each top-level declaration."""
    depth = start = 0
    line, counted = 1, 0
    body = -1
    blocks = 0
    for match in _BOUNDARY.finditer(text):
        symbol = match[0]
        if symbol[0] in "\"'\\":
            continue
        end = match.end()
        if symbol[0] == "e":
            if depth:
                depth += 1
                continue
            start = end
        elif symbol == "{":
            if depth == 0:
                body = match.start()
            depth += 1
            continue
        elif symbol == "}":
            if depth == 0:
                # It closes an extern "C" block, which is transparent.
                start = end
                continue
            depth -= 1
            if depth:
                continue
            blocks += 1
            if blocks > _MAX_BLOCKS:
                line += text.count("\n", counted, start)
                raise HeaderError("a declaration without end", file, line, text[start : start + 80])
            if not _is_block(text[start:body]):
                continue
        elif depth:
            continue
        elif start == match.start() or not text[start : match.start()].strip():
            start = end
            continue
        if symbol[0] != "e":
            raw = text[start : end - (symbol == ";")]
            offset = start + len(raw) - len(raw.lstrip())
            line += text.count("\n", counted, offset) + text.count("\x0b", counted, offset)
            counted = offset
            yield raw, offset, line
        start, body, blocks = end, -1, 0


def _is_block(head: str) -> bool:
    """Tell whether the braces after this text end a declaration without a semicolon."""
    head = head.strip()
    if MARK in head:
        head = head[head.rindex(MARK) + 1 :].strip()
    if parameters_end(head) >= 0:
        return True
    return head.startswith(("namespace", "inline namespace")) or not (
        _OPENS_TYPE.match(head) or head.startswith(("class", "template", "using")) or "=" in head
        or LEADING_WORD.match(head) or "struct" in head or "enum" in head or "union" in head
    )  # fmt: skip


def _classify(chunk: str, file: str, line: int, pack: int) -> Iterator[Declaration]:
    version = ""
    if MARK in chunk:
        stripped = chunk.lstrip()
        if stripped.startswith(MARK):
            version = stripped[1 : stripped.index(MARK, 1)]
            after = stripped[stripped.index(MARK, 1) + 1 :]
            line += after[: len(after) - len(after.lstrip())].count("\n")
        chunk = re.sub(f"{MARK}[^{MARK}]*{MARK}", " ", chunk)
    text = " ".join(chunk.split())
    if not text or text.startswith(("static_assert", "_Static_assert")):
        return
    if '"' not in text:
        text = text.replace("( ", "(").replace(" )", ")").replace(" ,", ",")
    prototype = _PROTOTYPE.match(text)
    if prototype and "restrict" not in text:
        yield Declaration(
            f"{prototype[1]};", (prototype[2],), "function", file, line, version, "", pack
        )
        return
    constant = _CONSTANT.match(text) if "const" in text and ("=" in text or "{" in text) else None
    if constant and not _NO_CONSTANT.search(text, 0, constant.start(1)):
        name, value = constant[1], (constant[2] or constant[3] or "").strip() or "0"
        yield Declaration(f"#define {name} {value}", (name,), "constant", file, line, version)
        return
    text = _strip(text)
    alias = _USING.match(text)
    if alias and not _CXX_ONLY.search(alias[2]):
        text = f"typedef {alias[2]} {alias[1]}"
    text = _ENUM_BASE.sub(r"\1 {", text).replace("nullptr", "NULL")
    kind, names, note = _describe(text)
    if kind == "function":
        text = _DEFAULT.sub("", text) if "=" in text else text
    elif kind == "skipped":
        text = _skipped_text(text, note)
    elif kind in ("enum", "typedef") and _IS_ENUM.match(text):
        text = _plain_enumerators(text)
    if names or kind != "variable":
        yield Declaration(f"{text};", names, kind, file, line, version, note, pack)


def _strip(text: str) -> str:
    """Remove storage words and leading or trailing attribute macros no header defined."""
    text = _NOISE.sub("", text)
    if "restrict" in text:
        text = _RESTRICT.sub("", text)
    text = " ".join(text.split())
    text = text[leading_end(text) :]
    if text.endswith("}") or text.startswith("typedef"):
        return text
    end = parameters_end(text)
    return text if end < 0 else text[: end + 1]


def _describe(text: str) -> tuple[str, tuple[str, ...], str]:
    """Return (kind, names, note)."""
    brace = text.find("{")
    head = text if brace < 0 else text[:brace]
    function = _FUNCTION.match(text) if brace < 0 and not text.startswith("typedef") else None
    if brace >= 0 and parameters_end(head) >= 0 and not text.startswith("typedef"):
        name = _NAME_BEFORE.search(head)
        return "skipped", (name[1],) if name else (), _HAS_BODY
    if _CXX_ONLY.search(head) or (function and "static" in text.split()):
        name = _NAME_BEFORE.search(head)
        return "skipped", (name[1],) if name else (), "it is C++ or private to the header"
    if function:
        return "function", (function[2],), ""
    tag = _BODY_TAG.search(head) if brace >= 0 else None
    names: list[str] = [f"{tag[1]} {tag[2]}"] if tag and tag.start() <= len("typedef ") else []
    if _IS_ENUM.match(text):
        names += [e[1] for e in map(_ENUMERATOR.match, _enum_items(text)) if e]
    if text.startswith("typedef "):
        return "typedef", (*names, *_declared(text[len("typedef ") :])), ""
    keyword = "".join(head.split()[:1])
    if keyword in ("struct", "union", "enum"):
        forward = _FORWARD.match(text)
        if forward:
            return keyword, (f"{forward[1]} {forward[2]}",), ""
        if text.endswith("}"):
            return keyword, tuple(names), ""
    return "variable", tuple(_declared(text)), ""


def _skipped_text(text: str, note: str) -> str:
    """Return the prototype of a function with a body, the beginning of anything else."""
    if note != _HAS_BODY:
        return text[:120]
    head = text[: text.index("{")]
    return head[: parameters_end(head) + 1].removeprefix("static ")


def _enum_items(text: str) -> list[str]:
    return [
        item for item in text[text.index("{") + 1 : text.rindex("}")].split(",") if item.strip()
    ]


def _plain_enumerators(text: str) -> str:
    """Rewrite an enum's body without attributes between a name and its value."""
    items = []
    for item in _enum_items(text):
        match = _ENUMERATOR.match(item)
        if match is None:
            items.append(item.strip())
        else:
            items.append(match[1] if match[2] is None else f"{match[1]} = {match[2].strip()}")
    return f"{text[: text.index('{')]}{{ {', '.join(items)} }}{text[text.rindex('}') + 1 :]}"


def _declared(text: str) -> list[str]:
    """Return the names that a typedef or variable declaration introduces."""
    if "{" in text:
        text = "int " + text[text.rindex("}") + 1 :]
    pointer = _POINTER_NAME.search(text)
    if pointer:
        return [pointer[1]]
    function = _FUNCTION_TYPE.search(text)
    if function:
        return [function[1]]
    return [m[1] for m in (_LAST_NAME.search(part.strip()) for part in text.split(",")) if m]
