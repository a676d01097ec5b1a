"""Run the cases of ggml's test-backend-ops, each of them, and say what became of it and why.

The program ends with the first case that fails a call, so cases are given to it by name, and it is
started again with what is left. Cases of fused operators are in no list and are asked for by the
names of their operators, which stand in the program's source.
"""

from __future__ import annotations

import collections
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pyaclnn.sim.progress import Progress

#: Runs the program with arguments; gives what it printed, and what it said of errors.
Run = Callable[[Sequence[str]], tuple[str, str]]

_CASE = re.compile(r"(?P<name>\b[A-Z][A-Z_0-9]*\(.*\)): (?P<end>[^:]*)$")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_ANSWER = re.compile(r"\(E[A-Z]\d{4}\): (?P<text>\w+ answers (?P<code>\d+): .*)")
_ENTRY = re.compile(r"op_desc\(ggml_tensor.*?(?=\n    })", re.DOTALL)
#: So many names fit into an argument of a program.
_TOGETHER = 250
OUTCOMES = ("passed", "failed", "refused", "not simulated", "not supported")


@dataclass(frozen=True)
class Result:
    """What became of a case."""

    case: str
    outcome: str
    why: str = ""

    @property
    def operator(self) -> str:
        """The operator that is tested."""
        return self.case.partition("(")[0]


@dataclass(frozen=True)
class Known:
    """Why cases cannot pass."""

    cases: str  # a regular expression for names, from their start
    reason: str
    why: str = ""  # one for what was said of the failure

    def covers(self, result: Result) -> bool:
        """Whether it is the reason of a result."""
        named = re.match(self.cases, result.case) is not None
        return named and (not self.why or re.search(self.why, result.why) is not None)


def _lines(output: str) -> Iterator[tuple[str, str, str]]:
    """Give the name of each case that was run, how it ended, and what was said before."""
    before = ""
    for line in _COLOUR.sub("", output).splitlines():
        found = _CASE.search(line)
        if found is None:
            before += line
            continue
        yield found["name"], found["end"].strip(), (before + line[: found.start()]).strip()
        before = ""


def results(output: str) -> list[Result]:
    """Return what became of the cases that a run printed.

    Parameters
    ----------
    output : str
        What the program printed.
    """
    made = []
    for name, end, said in _lines(output):
        if end.startswith("not supported"):
            made.append(Result(name, "not supported"))
        elif end.endswith("OK"):
            made.append(Result(name, "passed"))
        else:
            made.append(Result(name, "failed", said))
    return made


def aborted(case: str, errors: str) -> Result:
    """Return what became of a case that ended the program.

    Parameters
    ----------
    case : str
        Its name.
    errors : str
        What the program said of errors.
    """
    found = list(_ANSWER.finditer(errors))
    if not found:
        return Result(case, "failed", (errors.strip().splitlines() or ["it ended at once"])[-1])
    last = found[-1]
    if last["code"] == "561003":
        return Result(case, "not simulated", last["text"])
    return Result(case, "refused" if last["code"].startswith("16") else "failed", last["text"])


def fused_operators(source: str) -> list[str]:
    """Return the operators that the program's source names itself, as it takes them."""
    named = re.findall(r'"([A-Z][A-Z_0-9]+)"', "".join(_ENTRY.findall(source)))
    return [*sorted(set(named)), "_MUL$"]


def _run_named(run: Run, names: list[str]) -> Iterator[Result]:
    """Run cases by name, each once, whatever ends the program."""
    while names:
        output, errors = run(["test", "-b", "CANN0", "-o", ",".join(names[:_TOGETHER])])
        done = results(output)
        yield from done
        seen = {r.case for r in done}
        left = [name for name in names[:_TOGETHER] if name not in seen]
        if left:
            yield aborted(left[0], errors)
        names = left[1:] + names[_TOGETHER:]


def run_all(run: Run, source: str, only: str | None = None) -> list[Result]:
    """Run all cases.

    Parameters
    ----------
    run : callable
        Starts the program.
    source : str
        The text of the program, test-backend-ops.cpp.
    only : str, optional
        The one operator that is tested.
    """
    chosen = ["-o", only] if only else []
    listed, _ = run(["support", "-b", "CANN0", *chosen])
    support = {name: end for name, end, _ in _lines(listed)}
    made = [Result(n, "not supported") for n, end in support.items() if end != "SUPPORTED"]
    supported = [n for n, end in support.items() if end == "SUPPORTED"]
    with Progress("cases", len(supported)) as progress:
        for result in _run_named(run, supported):
            made.append(result)
            progress.step(result.operator)
    operators = {r.operator for r in made}
    for fused in [] if only else fused_operators(source):
        if fused in operators:
            continue
        output, errors = run(["test", "-b", "CANN0", "-o", fused])
        made += results(output)
        if _ANSWER.search(errors) and "backends passed" not in output:
            made.append(aborted(f"{fused}(...)", errors))
    return list({r.case: r for r in made}.values())


def table(made: Iterable[Result]) -> str:
    """Return a line for each operator: how many cases had which outcome."""
    counts: dict[str, collections.Counter[str]] = {}
    for result in made:
        counts.setdefault(result.operator, collections.Counter())[result.outcome] += 1
    total: collections.Counter[str] = sum(counts.values(), collections.Counter())
    lines = [f"{'operator':<28}" + "".join(f"{kind:>15}" for kind in OUTCOMES)]
    for operator, count in [*sorted(counts.items()), ("total", total)]:
        lines.append(f"{operator:<28}" + "".join(f"{count[kind]:>15}" for kind in OUTCOMES))
    return "\n".join(lines)


def _gist(why: str) -> str:
    """Return a reason without its numbers, so that alike ones are the same."""
    return re.sub(r"-?\b(0x[0-9a-f]+|\d[\d.]*)\b", "#", why)


def explained(made: Iterable[Result], known: Sequence[Known]) -> tuple[str, int]:
    """Return a line for each reason of cases that did not pass, and how many are not known.

    Parameters
    ----------
    made : iterable of Result
        All results.
    known : sequence of Known
        What is known of such cases.
    """
    groups: dict[tuple[str, str], list[Result]] = {}
    unexplained = 0
    for result in made:
        if result.outcome in ("passed", "not supported"):
            continue
        reason = next((k.reason for k in known if k.covers(result)), None)
        unexplained += reason is None
        groups.setdefault((result.outcome, reason or _gist(result.why)), []).append(result)
    lines = []
    for (outcome, reason), cases in sorted(groups.items(), key=lambda g: -len(g[1])):
        lines.append(f"{len(cases):>5} {outcome:<14} {reason}")
        lines.append(f"      for example {cases[0].case}")
    return "\n".join(lines), unexplained
