"""Say of each status that the simulator answers otherwise whether the list of differences has it.

Usage: ``PROGRAM | python tools/known_statuses.py [--release 9.0]``, or
``python tools/known_statuses.py FILE.json``

A program prints a line for each of its calls, and ``CHIP: 2 DIFF, 5 OK`` below those of a chip::

    DIFF aclnnAbs (FLOAT[2,3]NCHW, FLOAT[2,3]): sim 0, v9.0.0 161002

Instead of it a file has calls as JSON, of the form of ``tests/operators/cann_statuses`` or as
``{"rows": [...]}``, where ``chip`` and ``expected`` stand in place of ``status``; they are answered
here. Either way each line is printed with ``OK``; with ``KNOWN`` and the reason, where a call of
``cann_statuses`` with these tensors and arrays, on this chip, has both statuses; or with ``DIFF``.
``--release`` is the one that the program's or the file's statuses are of: what a newer CANN, which
is simulated, answers otherwise is known, too.

Exits with 0 where nothing differs that is not known, 1 where something does.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT), str(ROOT / "tests")]

from cann_tests import CHIPS, STATUSES  # noqa: E402
from status_matrix import answers  # noqa: E402

#: Of the tests, whose folder is on the path of this process.
cann_statuses: Any = importlib.import_module("operators.cann_statuses")

_LINE = re.compile(
    r"(?:OK|DIFF)\b.*?(?P<operator>\bacl\w+) \((?P<arguments>.*)\): "
    r"sim (?P<answer>-?\d+), \S+ (?P<expected>-?\d+)\b"
)
_JUDGED = re.compile(r"(?:OK|DIFF)\s")
_CHIP = re.compile(r"^(\w+): \d+ DIFF, \d+ OK$")
#: What of a call's text is compared: tensors and arrays, each of which is whole.
_TOKEN = re.compile(r"[A-Z0-9_]+\[[-\d,]*\][A-Z0-9_]*|[IB]\([-\d,]*\)")


@dataclass(frozen=True)
class Line:
    """What is known of one call.

    Attributes
    ----------
    operator, arguments : str
        The call, its arguments as text.
    chip : str
        The chip it was made on.
    answer, expected : int
        Status of the simulator, and of CANN.
    """

    operator: str
    arguments: str
    chip: str
    answer: int
    expected: int

    def told(self, because: str) -> str:
        """Return the line as it is printed.

        Parameters
        ----------
        because : str
            Why both differ, as far as it is known.
        """
        same = self.answer == self.expected
        word = "OK" if same else "KNOWN" if because else "DIFF"
        text = f"{word:5} {self.chip} {self.operator}"
        if self.arguments:
            text += f" ({self.arguments}): sim {self.answer}, CANN {self.expected}"
        return text if same or not because else f"{text}: {because}"


def as_text(value: Any) -> str:
    """Return an argument of a call as text.

    Parameters
    ----------
    value : object
        As ``tests/operators/cann_statuses.py`` describes it.
    """
    if value is None:
        return "N"
    if not isinstance(value, list):
        return str(value)
    kind, *rest = value
    if kind == "T":
        dtype, shape, format_ = [*rest, "ND"][:3]
        return f"{dtype}[{','.join(map(str, shape))}]{'' if format_ == 'ND' else format_}"
    if kind == "S":
        return f"S({rest[1]},{rest[0]})"
    if kind == "D":
        return str(rest[0])
    texts = (as_text(int(v) if kind == "B" else v) for v in rest[0])
    return f"{kind}({','.join(texts)})"


class Known:
    """The calls whose statuses are known, and why the simulator answers some otherwise.

    Parameters
    ----------
    calls : iterable of dict
        As ``tests/operators/cann_statuses.py`` describes them.
    reasons : dict
        Name of a reason -> its text.
    """

    def __init__(self, calls: Iterable[dict[str, Any]], reasons: dict[str, str]) -> None:
        self._calls: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        self._reasons = reasons
        for call in calls:
            text = _tokens(", ".join(map(as_text, call["arguments"])))
            self._calls.setdefault(call["operator"], []).append((text, call))

    def reason(self, line: Line, release: str) -> str:
        """Return why a line differs, or nothing.

        Parameters
        ----------
        line : Line
            Of the call.
        release : str
            Whose statuses are expected.
        """
        tokens = _tokens(line.arguments)
        for text, call in self._calls.get(line.operator, ()):
            # A program may cut what it prints.
            if not text.startswith(tokens):
                continue
            older = f"{line.chip} {release}"
            status, ours = call["status"], call.get("answers", {})
            for chip in (line.chip, older):
                if (status.get(chip), ours.get(chip)) == (line.expected, line.answer):
                    return self._reasons[call["because"]]
            if (status.get(older), status.get(line.chip)) == (line.expected, line.answer):
                return f"{cann_statuses.NEWEST} answers as the simulator does ({call['source']})."
        return ""


def _tokens(arguments: str) -> str:
    return " ".join(_TOKEN.findall(arguments))


def of_program(text: Iterable[str], chip: str = "") -> Iterator[Line]:
    """Yield the lines that a program has printed.

    Parameters
    ----------
    text : iterable of str
        Its lines.
    chip : str, optional
        The chip of lines that no count of a chip follows.
    """
    held: list[str] = []
    for line in text:
        of_chip = _CHIP.match(line.strip())
        if of_chip:
            yield from (_read(each, of_chip[1]) for each in held)
            held = []
        elif _JUDGED.match(line):
            held.append(line.strip())
    yield from (_read(each, chip) for each in held)


def _read(line: str, chip: str) -> Line:
    found = _LINE.match(line)
    if not found:
        # Not of a status, such as of a result: as it says of itself.
        word, _, rest = line.partition(" ")
        return Line(rest.strip(), "", chip, int(word == "DIFF"), 0)
    answer, expected = int(found["answer"]), int(found["expected"])
    return Line(found["operator"], found["arguments"], chip, answer, expected)


def of_file(file: Path) -> Iterator[Line]:
    """Yield the calls of a file, with what the simulator answers.

    Parameters
    ----------
    file : Path
        JSON with ``calls`` or ``rows``.
    """
    content = json.loads(file.read_text(encoding="utf-8"))
    by_chip: dict[str, list[tuple[dict[str, Any], int]]] = {}
    for call in content.get("calls", content.get("rows", ())):
        expected = call.get("expected")
        status = call.get("status") or {CHIPS[call["chip"]]: STATUSES[_named(expected)]}
        # What tensors hold, which no status depends on, is not among the arguments.
        plain = {**call, "arguments": [_plain(a) for a in call["arguments"]]}
        for chip, number in status.items():
            by_chip.setdefault(chip, []).append((plain, number))
    for chip, calls in by_chip.items():
        soc, _, release = chip.partition(" ")
        given = answers([call for call, _ in calls], soc, release or cann_statuses.NEWEST)
        for (call, expected), answer in zip(calls, given, strict=True):
            text = ", ".join(map(as_text, call["arguments"]))
            yield Line(call["operator"], text, chip, -1 if answer is None else answer, expected)


def _named(status: str) -> str:
    return next(n for n in STATUSES if n.removeprefix("ACLNN_").removeprefix("ACL_") == status)


def _plain(argument: Any) -> Any:
    if not isinstance(argument, list):
        return argument
    if argument[0] in ("TL", "SL"):
        return [argument[0], [_plain(a) for a in argument[1]]]
    return argument[:7] if argument[0] == "T" else argument


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the lines, and how many of each there are.

    Parameters
    ----------
    arguments : sequence of str, optional
        Command line without the program name.

    Returns
    -------
    int
        0 where all that differs is known, 1 otherwise.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, nargs="?", help="calls as JSON; none: standard input")
    parser.add_argument("--release", default=cann_statuses.NEWEST, help="of the statuses")
    parser.add_argument("--chip", default="Ascend910B1", help="of lines that name none")
    parser.add_argument("--all", action="store_true", help="print what is answered alike, too")
    options = parser.parse_args(arguments)
    calls = (call for file in cann_statuses.files() for call in cann_statuses.read(file))
    known = Known(calls, cann_statuses.reasons())
    lines = of_file(options.file) if options.file else of_program(sys.stdin, options.chip)
    counts: Counter[str] = Counter()
    for line in lines:
        told = line.told(known.reason(line, options.release))
        counts[told.split()[0]] += 1
        if options.all or not told.startswith("OK"):
            print(told)
    print(", ".join(f"{counts[word]} {word}" for word in ("OK", "KNOWN", "DIFF")))
    return 1 if counts["DIFF"] else 0


if __name__ == "__main__":
    sys.exit(main())
