"""A small C preprocessor: comments, conditionals and macros; line numbers stay what they were."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from pyaclnn.abi.condition import holds
from pyaclnn.port.errors import LimitError
from pyaclnn.port.frontend.includes import Includes

MAX_OUTPUT = 8 << 20
MAX_EXPANSIONS = 100_000
_MAX_DEPTH = 40

_COMMENT = re.compile(
    r"//(?:\\\n|[^\n])*|/\*.*?\*/|"
    r'R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL,
)
_TOKEN = re.compile(
    r'\s+|[A-Za-z_]\w*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|'
    r"\.?[0-9](?:[eEpP][+-]|['\w.])*|##|.",
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(.*)", re.DOTALL)
_DEFINE = re.compile(r"(\w+)(\(([^)]*)\))?\s*(.*)", re.DOTALL)


@dataclass(frozen=True)
class Macro:
    """A macro; ``parameters`` is None for one without parentheses."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[str, ...]


#: The macros of inttypes.h that stand between pieces of a format string.
_INTEGER_FORMATS = {
    f"{use}{kind}{bits}": Macro(
        f"{use}{kind}{bits}", None, (f'"{"l" if bits in ("64", "PTR", "MAX") else ""}{kind}"',)
    )
    for use in ("PRI", "SCN")
    for kind in "diouxX"
    for bits in ("8", "16", "32", "64", "PTR", "MAX")
}


#: What the check's compiler defines by itself.
_PREDEFINED = {"__cplusplus": Macro("__cplusplus", None, ("201703L",))}


@dataclass
class Preprocessor:
    """State of one file.

    Parameters
    ----------
    name : str
        For messages.
    includes : Includes, optional
        Gives the headers beside the sample.

    Attributes
    ----------
    headers : list of tuple
        Name, text and expanded text of those headers, in the order their ends are reached.
    included : list of str
        Names of all headers, the system's and CANN's as well.
    """

    name: str
    includes: Includes | None = None
    macros: dict[str, Macro] = field(default_factory=lambda: dict(_INTEGER_FORMATS))
    headers: list[tuple[str, str, str]] = field(default_factory=list)
    included: list[str] = field(default_factory=list)
    _expansions: int = 0

    def run(self, text: str) -> str:
        """Return the text with macros expanded and directives gone, line for line.

        Raises
        ------
        LimitError
            Where macros explode.
        """
        out: list[str] = []
        pending: list[str] = []
        self.macros.update(_PREDEFINED if not self.name.endswith(".c") else {})
        # Each entry: is this branch taken, has one been taken, was the outside active.
        nesting: list[list[bool]] = []
        lines = strip_comments(text).split("\n")
        # In a raw string the backslash at the end of a line stays one.
        splices = 'R"' not in text
        at = 0
        while at < len(lines):
            line, joined = lines[at], 1
            directive = line.lstrip().startswith("#")
            # Compilers do not mind blanks behind the backslash.
            while (
                line.rstrip().endswith("\\") and (splices or directive) and at + joined < len(lines)
            ):
                line = line.rstrip()[:-1] + lines[at + joined]
                joined += 1
            if directive:
                out.append(self._expand_text("".join(pending)))
                pending = []
                self._directive(line, nesting)
                out.append("\n" * joined)
            elif all(level[0] for level in nesting):
                pending.append(line + "\n" * joined)
            else:
                pending.append("\n" * joined)
            at += joined
            if sum(map(len, out[-2:])) > MAX_OUTPUT:
                raise LimitError("macros expand to an enormous text", self.name, at)
        out.append(self._expand_text("".join(pending)))
        return "".join(out)

    def _directive(self, line: str, nesting: list[list[bool]]) -> None:
        match = _DIRECTIVE.match(line)
        if match is None:
            return
        word, rest = match.group(1), match.group(2).strip()
        active = all(level[0] for level in nesting)
        if word in ("if", "ifdef", "ifndef"):
            taken = active and self._holds(word, rest)
            nesting.append([taken, taken, active])
        elif word in ("elif", "else") and nesting:
            level = nesting[-1]
            level[0] = level[2] and not level[1] and (word == "else" or self._holds("if", rest))
            level[1] = level[1] or level[0]
        elif word == "endif" and nesting:
            nesting.pop()
        elif active and word == "define":
            self._define(rest)
        elif active and word == "undef":
            self.macros.pop(rest, None)
        elif active and word == "include" and rest[:1] in ('"', "<"):
            name = re.split('[">]', rest[1:])[0]
            self.included.append(name)
            if rest[0] == '"' and self.includes is not None:
                self._include(name, self.includes)

    def _include(self, name: str, includes: Includes) -> None:
        folder = Path(self.name).parent.resolve()
        found = includes.open(name, folder)
        if found is None:
            return
        # What a header declares may be defined in a source of the same name beside it.
        stem = name.rpartition(".")[0]
        sources = [
            includes.open(stem + end, folder, False) for end in (".cpp", ".cc", ".c") if stem
        ]
        for path, text in [found, *(s for s in sources if s is not None)]:
            outer, self.name = self.name, str(path)
            try:
                expanded = self.run(text)
            finally:
                self.name = outer
            self.headers.append((str(path), text, expanded))

    def _holds(self, word: str, rest: str) -> bool:
        if word == "if":
            try:
                return holds(rest, self.macros.__contains__, self._expand_text, lambda _: 0)
            except ValueError:
                return False
        return (rest.split(" ")[0] in self.macros) == (word == "ifdef")

    def _define(self, rest: str) -> None:
        match = _DEFINE.match(rest)
        if match is None:
            return
        name, call, parameters, body = match.groups()
        names = None
        if call is not None:
            names = tuple(p.strip() for p in parameters.split(",") if p.strip())
        tokens = tuple(" " if t.isspace() else t for t in _TOKEN.findall(body.strip()))
        self.macros[name] = Macro(name, names, tokens)

    def _expand_text(self, text: str) -> str:
        if not self.macros or not text:
            return text
        return "".join(self._expand(_TOKEN.findall(text), frozenset()))

    def _expand(self, tokens: list[str], busy: frozenset[str]) -> list[str]:
        out: list[str] = []
        size = 0
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            macro = self.macros.get(token) if token not in busy else None
            if macro is None:
                out.append(token)
                size += len(token)
                continue
            self._expansions += 1
            if self._expansions > MAX_EXPANSIONS or len(busy) > _MAX_DEPTH or size > MAX_OUTPUT:
                raise LimitError("macros expand without end", self.name)
            arguments: list[list[str]] = []
            newlines = 0
            if macro.parameters is not None:
                parsed = _arguments(tokens, at)
                if parsed is None:
                    out.append(token)
                    continue
                arguments, end = parsed
                newlines = sum(t.count("\n") for t in tokens[at:end])
                at = end
            body = self._substitute(macro, arguments, busy)
            expanded = self._expand(body, busy | {token})
            size += sum(map(len, expanded))
            out.extend(expanded)
            out.append("\n" * newlines)
        return out

    def _substitute(
        self, macro: Macro, arguments: list[list[str]], busy: frozenset[str]
    ) -> list[str]:
        names = macro.parameters or ()
        values: dict[str, list[str]] = {}
        for position, name in enumerate(names):
            if name.endswith("..."):
                rest: list[str] = []
                for index, argument in enumerate(arguments[position:]):
                    rest += ([","] if index else []) + argument
                values[name[:-3] or "__VA_ARGS__"] = rest
            else:
                values[name] = arguments[position] if position < len(arguments) else []
        flat = {n: [t.replace("\\\n", "").replace("\n", " ") for t in v] for n, v in values.items()}
        body = list(macro.body)
        out: list[str] = []
        at = 0
        while at < len(body):
            token = body[at]
            at += 1
            if token == "#" and at < len(body) and body[at] in flat:
                text = "".join(flat[body[at]]).strip().replace("\\", "\\\\").replace('"', '\\"')
                out.append(f'"{text}"')
                at += 1
            elif token == "##":
                at = self._paste(body, at, out, flat)
            elif token in flat:
                out.extend(flat[token])
            else:
                out.append(token)
        return out

    @staticmethod
    def _paste(body: list[str], at: int, out: list[str], values: dict[str, list[str]]) -> int:
        while out and out[-1].isspace():
            out.pop()
        while at < len(body) and body[at].isspace():
            at += 1
        if at == len(body):
            return at
        right = values.get(body[at], [body[at]])
        if out and out[-1] == ",":
            # GNU's `, ##__VA_ARGS__`: the comma goes where nothing follows.
            if right:
                out.extend(right)
            else:
                out.pop()
        elif right:
            left = out.pop() if out else ""
            out.extend(_TOKEN.findall(left + right[0]) + right[1:])
        return at + 1


def _arguments(tokens: list[str], at: int) -> tuple[list[list[str]], int] | None:
    """Split what stands in the parentheses behind a macro's name; None without parentheses."""
    while at < len(tokens) and tokens[at].isspace():
        at += 1
    if at == len(tokens) or tokens[at] != "(":
        return None
    at += 1
    arguments: list[list[str]] = [[]]
    depth = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token == ")" and depth == 0:
            stripped = [_strip(a) for a in arguments]
            return ([] if stripped == [[]] else stripped), at
        if token == "," and depth == 0:
            arguments.append([])
            continue
        depth += (token == "(") - (token == ")")
        arguments[-1].append(token)
    return None


def _strip(tokens: list[str]) -> list[str]:
    start, end = 0, len(tokens)
    while start < end and tokens[start].isspace():
        start += 1
    while end > start and tokens[end - 1].isspace():
        end -= 1
    return tokens[start:end]


def strip_comments(text: str) -> str:
    """Return the text with comments replaced by a space and the newlines they held."""

    def replace(match: re.Match[str]) -> str:
        found = match.group()
        if found.startswith(("//", "/*")):
            return " " + "\n" * found.count("\n")
        return found

    return _COMMENT.sub(replace, text)
