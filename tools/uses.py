"""List the functions of torch_npu that a program names, and what becomes of each here.

    python tools/uses.py PROGRAM --op-plugin CHECKOUT

PROGRAM is a folder of Python sources, CHECKOUT one of Ascend/op-plugin, whose sources say which
functions of CANN each one calls. Nothing is run.
"""

from __future__ import annotations

import argparse
import collections
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyaclnn.table import by_name, why_not_simulated

_NAMED = re.compile(r"\b(?:torch_npu|torch\.ops\.(?:npu|_C_ascend|vllm))(?:\.\w+)+")
_CALLED = re.compile(r"\b(aclnn\w+?)\s*,")
_BY_NAME = re.compile(r'\.Name\("(\w+)"\)')
_HEAD = re.compile(r"(?m)^(?: {4})?(?=[\w:])[\w:<>,& \n]*?\b(\w+)\s*\([^;{}]*\)\s*\{")
_NO_FUNCTION = frozenset({"if", "for", "while", "switch", "catch"})
#: What is no operator: devices, streams, memory, profiling and types are torch_npu's own code.
_OWN = re.compile(
    r"^torch_npu\.(npu|_C|profiler|multiprocessing|Format|__\w+|_inductor|op_plugin)\b"
)
_TYPES = re.compile(r"^torch_npu\.(float|hifloat|int|uint)\w+$")


@dataclass(frozen=True)
class Use:
    """A function, how often it is named, what it calls of CANN, and what becomes of that."""

    function: str
    times: int
    calls: tuple[str, ...]
    here: str


def named(sources: Iterable[str]) -> collections.Counter[str]:
    """Count the functions that Python sources name, without overloads.

    Parameters
    ----------
    sources : iterable of str
        The texts.
    """
    counts: collections.Counter[str] = collections.Counter()
    for text in sources:
        code = re.sub(r"(?m)#.*$", "", re.sub(r'(?s)""".*?"""', "", text))
        for found in _NAMED.findall(code):
            counts[re.sub(r"\.(out|default)$", "", found)] += 1
    return counts


def _bodies(text: str) -> dict[str, str]:
    """Return the bodies of functions that begin a line, by name."""
    bodies: dict[str, str] = {}
    heads = [head for head in _HEAD.finditer(text) if head[1] not in _NO_FUNCTION]
    ends = [head.start() for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends[: len(heads)], strict=True):
        bodies[head[1]] = bodies.get(head[1], "") + text[head.end() : end]
    return bodies


def functions_called(op_plugin: Path) -> dict[str, tuple[set[str], set[str], bool]]:
    """Return what op-plugin's functions call: aclnn functions, operators by name, or ATB.

    Parameters
    ----------
    op_plugin : Path
        The checkout.
    """
    called: dict[str, tuple[set[str], set[str], bool]] = {}

    def entry(name: str) -> tuple[set[str], set[str], bool]:
        return called.setdefault(name, (set(), set(), False))

    folder = op_plugin / "op_plugin"
    described = (folder / "config" / "op_plugin_functions.yaml").read_text("utf-8")
    for one in re.split(r"(?m)^ *- func: ", described)[1:]:
        name = re.split(r"[.(]", one, maxsplit=1)[0]
        entry(name)[0].update(re.findall(r"exec: *(aclnn\w+)", one))
    for path in sorted((folder / "ops").rglob("*.cpp")):
        text = path.read_text("utf-8", errors="replace")
        bodies = _bodies(text)
        helpers = {n: b for n, b in bodies.items() if _CALLED.search(b) or _BY_NAME.search(b)}
        for name, body in bodies.items():
            inside = body + "".join(
                b for n, b in helpers.items() if re.search(rf"\b{n}\s*\(", body)
            )
            # Sizes may be symbols there, which is no part of the name in Python.
            name = name.removesuffix("_symint")
            aclnn, names, _ = entry(name)
            if "aclops" in path.parts:
                names.update(_BY_NAME.findall(inside))
            else:
                aclnn.update(_CALLED.findall(inside))
            if "atb" in path.parts:
                called[name] = (aclnn, names, True)
    return called


def _of_operators(functions: Sequence[str], rows: Mapping[str, object]) -> str:
    """Return what becomes of aclnn functions."""
    reasons = []
    for function in functions:
        if why := why_not_simulated(function):
            reasons.append(f"{function} is not: {why}")
        elif function not in rows:
            reasons.append(f"{function} is not: no document of the release has it")
    if not reasons:
        return "simulated"
    none = len(reasons) == len(functions)
    return ("not simulated, for " if none else "simulated, but ") + "; ".join(reasons)


def uses(program: Path, op_plugin: Path) -> list[Use]:
    """Return the functions that a program names, most often named first.

    Parameters
    ----------
    program : Path
        A folder of Python sources.
    op_plugin : Path
        A checkout of Ascend/op-plugin.
    """
    texts = (p.read_text("utf-8", errors="replace") for p in sorted(program.rglob("*.py")))
    called, rows = functions_called(op_plugin), by_name()
    found = []
    for function, times in named(texts).most_common():
        name = function.rpartition(".")[2]
        aclnn, by, atb = called.get(name, (set(), set(), False))
        calls: tuple[str, ...] = ()
        if function.startswith("torch.ops.") and not function.startswith("torch.ops.npu."):
            here = "the program's own operator"
        elif _OWN.match(function) or _TYPES.match(function):
            here = "torch_npu's own code"
        elif atb and not aclnn:
            here = "NNAL's ATB, another package than CANN"
        elif aclnn:
            calls = tuple(sorted(aclnn))
            here = _of_operators(calls, rows)
        elif by:
            calls, here = tuple(sorted(by)), "by name"
        else:
            here = "torch_npu's own code"
        found.append(Use(function, times, calls, here))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, and how many there are of each kind."""
    parser = argparse.ArgumentParser(description="List what a program uses of torch_npu.")
    parser.add_argument("program", type=Path, help="a folder of Python sources")
    parser.add_argument("--op-plugin", type=Path, required=True, help="a checkout of its sources")
    options = parser.parse_args(arguments)
    found = uses(options.program, options.op_plugin)
    for use in found:
        print(f"{use.times:>4}  {use.function:<58} {use.here}")
        if use.calls:
            print(f"      {', '.join(use.calls)}")
    kinds = collections.Counter(
        use.here.partition(" is not: ")[0].partition(", ")[0] for use in found
    )
    print("\n" + "\n".join(f"{count:>4} {kind}" for kind, count in kinds.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
