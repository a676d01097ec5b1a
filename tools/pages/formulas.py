"""Formulas in the words of a declaration, typeset as MathML, which browsers show without scripts.

``out = gradOutput where |self| > lambda, and 0 elsewhere`` becomes an equation with two cases. Only
what is understood as a whole is typeset; the rest of a sentence stays text.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import NoReturn

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><=|>=|==|!=|[-+*/^@()\[\],|<>&~=']))"
)
_EQUATION = re.compile(r"(?<![\w.\])])([A-Za-z_]\w*(?:\[[^\]=]*\])?) = ")
#: What may follow a formula: marks, and words that go on with the sentence.
_END = re.compile(
    r"(?=[.;:)]|$)|(?=, (?![-\d])(?!(?!or )\w+ [-+*/]|\w+, ))"
    r"|(?= (?:elsewhere|for|where|limited) )|(?= and \w+ = )"
)
_CASES = re.compile(r",? where ")
_ELSE = re.compile(r",(?: and)? ")
_POSITIVE = re.compile(r"(?:it|[A-Za-z]\w*) is positive")

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "epsilon": "ε", "eps": "ε", "lambda": "λ",
    "lambd": "λ", "pi": "π", "Phi": "Φ",
}  # fmt: skip
_SIGNS = {
    "<=": "≤",
    ">=": "≥",
    "==": "=",
    "!=": "≠",
    "*": "⋅",
    "-": "−",
    "&": "∧",
    "|": "∨",
    "^": "⊕",
}
#: Functions that have a name in words: "arc sine of x".
_FUNCTIONS = {
    "sine": "sin", "cosine": "cos", "tangent": "tan", "arc sine": "arcsin", "arc cosine": "arccos",
    "arc tangent": "arctan", "hyperbolic sine": "sinh", "hyperbolic cosine": "cosh",
    "hyperbolic tangent": "tanh", "inverse hyperbolic sine": "arsinh",
    "inverse hyperbolic cosine": "arcosh", "inverse hyperbolic tangent": "artanh",
    "natural logarithm": "ln", "error function": "erf",
}  # fmt: skip
_IN_WORDS = re.compile(
    rf"\s*({'|'.join(sorted(_FUNCTIONS, key=len, reverse=True))}) of (?:the )?([A-Za-z]\w*)"
)
_ROOT = re.compile(r"\s*square root of ([A-Za-z]\w*)")
_POWER = re.compile(r"\s*(e|\d+|[A-Za-z]\w*) to the power of ([A-Za-z]\w*)")
_SUM_OVER = re.compile(r"\s*sum of ")
_OVER = re.compile(r" over (?:the )?([a-z]\w*(?: dimension)?)")
#: Words of sentences, which are no names of a formula.
_WORDS = frozenset(
    [
        "all", "an", "as", "at", "by", "each", "elements", "in", "is", "it", "its", "not", "of",
        "on", "one", "or", "over", "rounded", "tensor", "tensors", "that", "the", "to", "whether",
        "with",
    ]
)  # fmt: skip
#: Matrices beside one another, as in "query key^T" or "softmax(scores) value,".
_BESIDE = re.compile(r"(?<=[)\w]) (?!elsewhere)(?:[A-Za-z]\w*\^T|(?<=\) )[A-Za-z]\w*(?=[,.]))")
#: Otherwise it is one half of a tensor.
_ARTICLE = re.compile(r"a (?!and|where)[a-z]")


class _NoFormulaError(Exception):
    """The text is no formula from here on."""


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


class _Parser:
    """Reads one expression from a place in a text; ``at`` is behind it in the end."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        self._inside = 0  # of bars, where a bar closes and is no "or"

    def equation(self) -> str:
        """Return both sides of ``name = expression``."""
        left = self._postfix()
        self._take("=")
        return f"{left}<mo>=</mo>{self.comparison()}"

    def comparison(self) -> str:
        """Return a sum, or sums between signs of order."""
        found = self._alternatives()
        while self._peek().text in ("<=", ">=", "==", "!=", "<", ">"):
            found += _sign(self._take().text) + self._alternatives()
        return found

    def _alternatives(self) -> str:
        found = self._sum()
        while (text := self._peek().text) in ("&", "^") or (text == "|" and not self._inside):
            found += _sign(self._take().text) + self._sum()
        return found

    def _sum(self) -> str:
        found = self._product()
        while self._peek().text in ("+", "-"):
            found += _sign(self._take().text) + self._product()
        return found

    def _product(self) -> str:
        factors = [self._factor()]
        while (text := self._peek().text) in ("*", "/", "@") or _BESIDE.match(self.text, self.at):
            if text in ("*", "/", "@"):
                self._take()
            if text == "/":
                # All factors so far: a * b / c divides the product.
                top, below = "".join(factors), self._factor()
                factors = [f"<mfrac>{_row(_bare(top))}{_row(_bare(below))}</mfrac>"]
            else:
                between = _sign("*") if text == "*" else '<mspace width="0.35em"></mspace>'
                factors += [between, self._factor()]
        return "".join(factors)

    def _factor(self) -> str:
        if self._peek().text in ("-", "~"):
            return (_sign("-") if self._take().text == "-" else "<mo>¬</mo>") + self._factor()
        base = self._postfix()
        # With spaces around it, it is the exclusive or of integers.
        if self.text.startswith("^", self.at):
            self._take()
            return f"<msup>{_row(base)}{_row(_bare(self._factor()))}</msup>"
        return base

    def _postfix(self) -> str:
        token = self._peek()
        for words in (self._in_words, self._sum_over):
            if (found := words()) is not None:
                return found
        if token.kind == "number":
            return _number(self._take().text)
        if token.text == "(":
            return self._bracketed("(", ")")
        if token.text == "|":
            self._take()
            self._inside += 1
            found = f"<mrow><mo>|</mo>{self._sum()}<mo>|</mo></mrow>"
            self._inside -= 1
            self._take("|")
            return found
        if token.kind != "name" or token.text in _WORDS or _ARTICLE.match(self.text, token.start):
            self._fail()
        return self._named(self._take().text)

    def _named(self, name: str) -> str:
        found = _name(name)
        if self.text[self.at : self.at + 2] == "'(":
            self.at += 1
            found = f"<msup>{found}<mo>′</mo></msup>"
        while self.text[self.at : self.at + 1] in ("(", "["):
            if self.text[self.at] == "[":
                found = f"<msub>{_row(found)}{_row(self._bracketed('[', ']', shown=False))}</msub>"
            elif name == "sqrt":
                found = f"<msqrt>{_bare(self._bracketed('(', ')'))}</msqrt>"
            elif name == "sum":
                inner, over = self._summed()
                found = over + inner
            else:
                found = _row(found + "<mo>&#x2061;</mo>" + self._bracketed("(", ")"))
        return found

    def _bracketed(self, left: str, right: str, shown: bool = True) -> str:
        self._take(left)
        inside, self._inside = self._inside, 0
        found = self.comparison()
        while self._peek().text == ",":
            found += _sign(self._take().text) + self.comparison()
        self._inside = inside
        self._take(right)
        return f"<mrow><mo>{left}</mo>{found}<mo>{right}</mo></mrow>" if shown else found

    def _summed(self) -> tuple[str, str]:
        """Return what is summed, in brackets, and the sign, with what it is over."""
        self._take("(")
        inner = self.comparison()
        over = self._over()
        self._take(")")
        return f"<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>", over

    def _over(self) -> str:
        if (found := _OVER.match(self.text, self.at)) is None:
            return "<mo>∑</mo>"
        self.at = found.end()
        return f"<munder><mo>∑</mo><mtext>{html.escape(found[1])}</mtext></munder>"

    def _in_words(self) -> str | None:
        if found := _IN_WORDS.match(self.text, self.at):
            self.at = found.end()
            return _row(f"<mi>{_FUNCTIONS[found[1]]}</mi><mo>&#x2061;</mo><mo>(</mo>"
                        f"{_name(found[2])}<mo>)</mo>")  # fmt: skip
        if found := _ROOT.match(self.text, self.at):
            self.at = found.end()
            return f"<msqrt>{_name(found[1])}</msqrt>"
        if found := _POWER.match(self.text, self.at):
            self.at = found.end()
            base = _number(found[1]) if found[1].isdigit() else _name(found[1])
            return f"<msup>{base}{_name(found[2])}</msup>"
        return None

    def _sum_over(self) -> str | None:
        found = _SUM_OVER.match(self.text, self.at)
        if found is None:
            return None
        before, self.at = self.at, found.end()
        inner = self._product()
        over = self._over()
        if over == "<mo>∑</mo>":
            self.at = before
            self._fail()
        return over + inner

    def _peek(self) -> _Token:
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            return _Token("end", "", self.at, self.at)
        kind = str(found.lastgroup)
        return _Token(kind, found[kind], found.start(kind), found.end())

    def _take(self, wanted: str = "") -> _Token:
        token = self._peek()
        if token.kind == "end" or (wanted and token.text != wanted):
            self._fail()
        self.at = token.end
        return token

    def _fail(self) -> NoReturn:
        raise _NoFormulaError(self.text[self.at :])


def _sign(text: str) -> str:
    return f"<mo>{html.escape(_SIGNS.get(text, text))}</mo>"


def _number(text: str) -> str:
    digits, _, exponent = text.partition("e")
    if not exponent:
        return f"<mn>{text}</mn>"
    power = f"<msup><mn>10</mn>{_row(f'<mn>{exponent}</mn>'.replace('-', '−'))}</msup>"
    return power if digits == "1" else f"<mn>{digits}</mn>{_sign('*')}{power}"


def _name(text: str) -> str:
    return f"<mi>{_GREEK.get(text, text)}</mi>"


def _row(text: str) -> str:
    """Return one element, as a fraction or an exponent takes it."""
    return text if re.fullmatch(r"<(mi|mn)>[^<]*</\1>", text) else f"<mrow>{text}</mrow>"


def _bare(text: str) -> str:
    """Return an expression without brackets around the whole of it: a fraction shows its extent."""
    found = re.fullmatch(r"<mrow><mo>\(</mo>(.*)<mo>\)</mo></mrow>", text)
    if found is None:
        return text
    depth = 0
    for mark in re.finditer(r"<mo>([()])</mo>", found[1]):
        depth += 1 if mark[1] == "(" else -1
        if depth < 0:
            return text
    return found[1]


def typeset(text: str) -> list[tuple[bool, str]]:
    """Split text into what stays, and what is typeset.

    Parameters
    ----------
    text : str
        A paragraph of a declaration's comment.

    Returns
    -------
    list of (bool, str)
        In order: (False, text), or (True, a ``math`` element).
    """
    parts: list[tuple[bool, str]] = []
    done = 0
    for found in _EQUATION.finditer(text):
        if found.start() < done:
            continue
        parser = _Parser(text, found.start())
        try:
            equation = parser.equation()
            equation = _with_cases(text, parser, equation)
            if _END.match(text, parser.at) is None:
                continue
        except _NoFormulaError:
            continue
        math = f'<math displaystyle="true">{equation}</math>'
        parts += [(False, text[done : found.start()]), (True, math)]
        done = parser.at
    return [part for part in (*parts, (False, text[done:])) if part[1]]


def _with_cases(text: str, parser: _Parser, equation: str) -> str:
    """Return the equation with its cases, if it has two: ``x where a > 0, and y elsewhere``."""
    left, equals, first = equation.partition("<mo>=</mo>")
    after = _CASES.match(text, parser.at)
    if after is None:
        return equation
    ahead = _Parser(text, after.end())
    try:
        if found := _POSITIVE.match(text, ahead.at):
            subject = found[0].split()[0]
            names = re.findall(r"<mi>[^<]*</mi>", first)
            named = names[-1] if subject == "it" and names else _name(subject)
            condition, ahead.at = f"{named}<mo>&gt;</mo><mn>0</mn>", found.end()
        else:
            condition = ahead.comparison()
        otherwise = _ELSE.match(text, ahead.at)
        if otherwise is None or "<mo>" not in condition:
            return equation
        ahead.at = otherwise.end()
        second = ahead.comparison()
    except _NoFormulaError:
        return equation
    if not text.startswith(" elsewhere", ahead.at):
        return equation
    parser.at = ahead.at + len(" elsewhere")
    rows = _line(first, f"<mtext>where&#xA0;</mtext>{condition}")
    rows += _line(second, "<mtext>elsewhere</mtext>")
    return f"{left}{equals}<mrow><mo>{{</mo><mtable>{rows}</mtable></mrow>"


def _line(*cells: str) -> str:
    shown = "".join(f'<mtd style="text-align: left">{cell}</mtd>' for cell in cells)
    return f"<mtr>{shown}</mtr>"
