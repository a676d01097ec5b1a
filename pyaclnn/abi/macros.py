"""C macros: their definitions, the expansion of a text, and their values in conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pyaclnn.abi.expression import Value, evaluate

MAX_EXPANSIONS = 100_000
#: The limit of characters that all expansions together may read and write.
MAX_TEXT = 8 << 20
_MAX_DEPTH = 40

_TOKEN = re.compile(
    r'\s+|[A-Za-z_]\w*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|'
    r"\.?[0-9](?:[eEpP][+-]|['\w.])*|##|.",
    re.DOTALL,
)
_DEFINE = re.compile(r"\s*(\w+)(\(([^)]*)\))?\s*(.*)", re.DOTALL)


class EndlessError(Exception):
    """Macros expand without end, or to more than any program needs."""


@dataclass(frozen=True)
class Macro:
    """A macro; ``parameters`` is None for one without parentheses."""

    name: str
    parameters: tuple[str, ...] | None
    body: str

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens of the body, computed on demand: few macros of a header are expanded."""
        return [" " if t.isspace() else t for t in _TOKEN.findall(self.body)]


class Macros:
    """The macros that are defined at one point of a text; at its beginning, those given."""

    def __init__(self, known: Iterable[Macro] = ()) -> None:
        self._known = {macro.name: macro for macro in known}
        self._values: dict[str, Value | None] = {}
        self._expansions = self._text = 0

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def define(self, text: str) -> Macro | None:
        """Parse the text behind ``#define``; return the macro, or None if it is malformed."""
        match = _DEFINE.match(text)
        if match is None:
            return None
        name, call, parameters, body = match.groups()
        names = tuple(p.strip() for p in parameters.split(",") if p.strip()) if call else None
        self._values.clear()
        self._known[name] = Macro(name, names, body.strip())
        return self._known[name]

    def undefine(self, name: str) -> None:
        """Forget a macro, if there is one of this name."""
        self._values.clear()
        self._known.pop(name, None)

    def value(self, name: str) -> Value:
        """Return the value of a name in a condition; raises ValueError if macros give it none."""
        # Each macro is evaluated once: nested macros would take exponential time otherwise.
        if name not in self._values:
            self._values[name] = None
            macro = self._known.get(name)
            body = macro.body if macro and macro.parameters is None else ""
            body = self.expand(body, objects=False) or str(int(name == "true"))
            self._values[name] = evaluate(body, self.value)
        value = self._values[name]
        if value is None:
            raise ValueError(f"{name} is defined by itself")
        return value

    def expand(self, text: str, objects: bool = True) -> str:
        """Return a text with macros expanded, its lines kept; raises EndlessError beyond the limit.

        Parameters
        ----------
        text : str
            Without comments and continued lines.
        objects : bool
            Whether those without parentheses are expanded as well.
        """
        if not self._known or not text:
            return text
        return "".join(self._expand(_TOKEN.findall(text), frozenset(), objects))

    def _spend(self, tokens: list[str]) -> None:
        self._text += sum(map(len, tokens))
        if self._text > MAX_TEXT:
            raise EndlessError("macros expand without end")

    def _expand(
        self, tokens: list[str], busy: frozenset[str], objects: bool, depth: int = 0
    ) -> list[str]:
        out: list[str] = []
        closing: dict[int, int] | None = None
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            macro = self._known.get(token)
            if macro is None or token in busy or not (objects or macro.parameters is not None):
                out.append(token)
                continue
            self._expansions += 1
            if self._expansions > MAX_EXPANSIONS or depth > _MAX_DEPTH:
                raise EndlessError("macros expand without end")
            values: dict[str, list[str]] = {}
            start = at
            if macro.parameters is not None:
                at = _behind_blanks(tokens, at)
                closing = _closing(tokens) if closing is None else closing
                if at not in closing:
                    at = start
                    out.append(token)
                    continue
                arguments, at = tokens[at + 1 : closing[at]], closing[at] + 1
                self._spend(arguments)
                values = _values(arguments, macro.parameters)
            given = {n: self._expand(v, busy, objects, depth + 1) for n, v in values.items()}
            body = self._substitute(macro, values, given)
            out += self._expand(body, busy | {token}, objects, depth + 1)
            if lines := sum(t.count("\n") for t in tokens[start:at]):
                out.append("\n" * lines)
        return out

    def _substitute(
        self, macro: Macro, values: dict[str, list[str]], given: dict[str, list[str]]
    ) -> list[str]:
        # Beside # and ## a parameter is replaced by the argument as written, elsewhere by its
        # expansion, in which the same macro may be called again.
        body = macro.tokens
        out: list[str] = []
        at = 0
        while at < len(body):
            token = body[at]
            at += 1
            if token == "#" and at < len(body) and body[at] in values:
                text = "".join(values[body[at]]).replace("\\", "\\\\").replace('"', '\\"')
                piece = [f'"{text}"']
                at += 1
            elif token == "##":
                at, piece = _paste(body, at, out, values)
            else:
                after = _behind_blanks(body, at)
                pasted = after < len(body) and body[after] == "##"
                piece = (values if pasted else given).get(token, [token])
            self._spend(piece)
            out += piece
        return out


def _behind_blanks(tokens: list[str], at: int) -> int:
    """Return the position of the next token that is not blank, or the end."""
    while at < len(tokens) and tokens[at].isspace():
        at += 1
    return at


def _paste(
    body: list[str], at: int, out: list[str], values: dict[str, list[str]]
) -> tuple[int, list[str]]:
    """Remove the token before ``##``; return where to continue, and its replacement."""
    while out and out[-1].isspace():
        out.pop()
    at = _behind_blanks(body, at)
    if at == len(body):
        return at, []
    right = values.get(body[at], [body[at]])
    if out and out[-1] == ",":
        # GNU's `, ##__VA_ARGS__`: the comma is removed where nothing follows.
        if not right:
            out.pop()
    elif right:
        left = out.pop() if out else ""
        right = _TOKEN.findall(left + right[0]) + right[1:]
    return at + 1, right


def _closing(tokens: list[str]) -> dict[int, int]:
    """Return where each parenthesis is closed, in one pass: calls may be nested, or never end."""
    opened: list[int] = []
    closing: dict[int, int] = {}
    for at, token in enumerate(tokens):
        if token == "(":
            opened.append(at)
        elif token == ")" and opened:
            closing[opened.pop()] = at
    return closing


def _values(tokens: list[str], names: tuple[str, ...]) -> dict[str, list[str]]:
    """Return what stands in the parentheses behind a macro's name for each parameter."""
    variadic = bool(names) and names[-1].endswith("...")
    pieces: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if token == "," and depth == 0 and not (variadic and len(pieces) == len(names)):
            pieces.append([])
        elif pieces[-1] or not token.isspace():
            pieces[-1].append(token.replace("\n", " "))
    for piece in pieces:
        while piece and piece[-1].isspace():
            piece.pop()
    pieces += [[] for _ in names]
    return {n.removesuffix("...") or "__VA_ARGS__": p for n, p in zip(names, pieces, strict=False)}
