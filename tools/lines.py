"""Lines that serve single operators, by family and part, and those that one operator has alone.

    python tools/lines.py                      # families and parts, and lines for an operator
    python tools/lines.py Add Exp ReduceSum    # what belongs to these operators alone
    python tools/lines.py --texts              # steps of rows that are C++ as text, by family
    python tools/lines.py --meanings           # parameters whose meaning is said, by family

A family is a folder of ``pyaclnn/sim/src/opapi``. What all of them share (``common``, steps and row
templates of the table, the machinery of selftest and of the tests) is counted as such.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from pyaclnn import abi  # noqa: E402
from pyaclnn.ops.naming import operator_name  # noqa: E402
from pyaclnn.ops.spec import load_spec  # noqa: E402
from pyaclnn.table import ROWS, Row, by_name  # noqa: E402
from pyaclnn.table.meanings import meaning  # noqa: E402
from pyaclnn.table.steps import Cpp, Pointwise  # noqa: E402

#: Part -> its files. The part ``rules`` is that of output rules in Python.
PARTS = {
    "kernel": ("pyaclnn/sim/src/opapi/**/*.[ch]pp", "tests/c/operators/*"),
    "table": ("pyaclnn/table/*.py",),
    "rules": ("pyaclnn/ops/rules/*.py",),
    "selftest": ("pyaclnn/selftest/**/*.py",),
    "tests": ("tests/operators/*.py",),
    "bench": ("pyaclnn/bench/*.py",),
}

#: Words that name of files of the other parts begin with, by folder of kernels.
FAMILIES = {
    "activation": "activation more glu gated swiglu",
    "attention": "attention recurrent indexers mla rotary workers",
    "collective": "collective",
    "convolution": "convolution",
    "copy": "copying rearrangement rearranging shaping transposed moved concat mechanisms",
    "creation": "creation",
    "detection": "detection",
    "embedding": "embedding distance distances measured bags",
    "foreach": "foreach",
    "hyper": "hyper",
    "indexing": "indexing scattering gathering searching choosing chosen",
    "linalg": "linalg",
    "loss": "loss reduced cross classes vocabulary",
    "matmul": "matmul fused products feed weight",
    "moe": "moe grouped routing",
    "norm": "norm norms modulation channel",
    "optimiser": "optimiser",
    "padding": "padding",
    "pointwise": "pointwise division power special whole comparison elementary affine sign "
    "arithmetic elementwise complex",
    "pooling": "pooling windows",
    "quant": "quant",
    "random": "random sampling",
    "recurrent": "networks",
    "reduction": "reduction reductions statistics vector differences list segments",
    "resample": "resample resampling upsampling grid extents spatial",
    "signal": "signals",
    "softmax": "softmax",
    "sorting": "sorting",
    "stream": "sleep",
    "unfold": "unfold",
}
SHARED = "shared"
#: What makes C++ more than one expression.
BRANCH = re.compile(r"\b(if|else|for|while|do|switch|return)\b|\?")


def family_of(path: Path) -> str:
    """Return the family that a file belongs to."""
    folder = path.parent.name
    if folder in FAMILIES:
        return folder
    word = next((w for w in path.stem.split("_") if w not in ("", "test", "pairs")), "")
    return next((f for f, begins in FAMILIES.items() if word in begins.split()), SHARED)


def files(part: str) -> Iterator[tuple[Path, str]]:
    """Yield the files of a part and their texts."""
    for pattern in PARTS[part]:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file():
                yield path, path.read_text(encoding="utf-8")


def operators() -> Counter[str]:
    """Count the operators of each family."""
    return Counter(row.family for row in ROWS)


def families() -> str:
    """Return the table of families and parts."""
    found = {part: Counter[str]() for part in PARTS}
    for part in PARTS:
        for path, text in files(part):
            found[part][family_of(path)] += text.count("\n")
    counts = operators()
    rows = [
        f"{'family':<12} {'operators':>9}" + "".join(f"{p:>9}" for p in PARTS)
        + f"{'total':>9}{'each':>7}"
    ]  # fmt: skip
    for family in (*FAMILIES, SHARED, "all"):
        lines = [sum(c.values()) if family == "all" else c[family] for c in found.values()]
        count = counts.total() if family == "all" else counts[family]
        each = f"{sum(lines) / count:7.1f}" if count else f"{'':7}"
        rows.append(
            f"{family:<12} {count:>9}" + "".join(f"{n:>9}" for n in lines)
            + f"{sum(lines):>9}{each}"
        )  # fmt: skip
    return "\n".join(rows)


def _row_lines(name: str) -> int:
    """Count the lines of the largest piece of the table that names this operator alone."""
    known = {row.name for row in ROWS}

    def named(node: ast.AST) -> set[str]:
        constants = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
        return known & {c for c in constants if isinstance(c, str)}

    def largest(node: ast.AST) -> int:
        names = named(node)
        if name not in names:
            return 0
        if names == {name} and isinstance(node, ast.stmt | ast.expr):
            return (node.end_lineno or node.lineno) - node.lineno + 1
        return max(map(largest, ast.iter_child_nodes(node)))

    # An operator that is derived from another one's row, or by a list of names, is a line there;
    # those on lists are named by the function that they apply.
    own = (text for path, text in files("table") if path.stem != "foreach")
    return max(1, *(largest(ast.parse(text)) for text in own))


def _formula_lines(formula: str) -> tuple[int, int]:
    """Count the lines of a formula in C++ and in Python."""
    cpp = python = 0
    for _, text in files("kernel"):
        for found in re.finditer(rf"^FORMULA\w*\({formula},.*?\)\)?$", text, re.M | re.S):
            cpp += found[0].count("\n") + 1
    for path, text in files("selftest"):
        if path.parent.name == "formulas":
            python += len(re.findall(rf'^ *"{formula}":', text, re.M))
    return cpp, python


def alone(row: Row) -> str:
    """Return the lines that an operator has alone; in selftest, tests and bench those naming it."""
    kernel = row.steps[-1]
    formula = _formula_lines(kernel.formula) if isinstance(kernel, Pointwise) else (0, 0)
    word = re.compile(rf'"{operator_name(row.c_name)}"')
    named = [
        sum(1 for _, text in files(part) for line in text.splitlines() if word.search(line))
        for part in ("selftest", "tests", "bench")
    ]
    parts = (_row_lines(row.name), *formula, *named)
    return f"{row.name:<26}" + "".join(f"{n:>10}" for n in parts) + f"{sum(parts):>10}"


def texts(value: Any) -> Iterator[str]:
    """Yield the C++ of a row, of its steps and of those inside them, that stands as text."""
    if isinstance(value, Cpp):
        yield value.text
    elif isinstance(value, tuple | list):
        for one in value:
            yield from texts(one)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts(getattr(value, field.name))


def texts_by_family() -> str:
    """Return how many steps of each family are C++ as text, and how many of them have branches."""
    counts, branches = Counter[str](), Counter[str]()
    for row in ROWS:
        for text in texts(row.steps):
            counts[row.family] += 1
            branches[row.family] += bool(BRANCH.search(text))
    lines = [f"{name:<12}{count:>9}{branches[name]:>9}" for name, count in counts.most_common()]
    total = f"{'all':<12}{counts.total():>9}{branches.total():>9}"
    return "\n".join((f"{'family':<12}{'texts':>9}{'branches':>9}", *lines, total))


def meanings_by_family() -> str:
    """Return how many parameters each family has, of how many a meaning is said, and the rest."""
    rows = by_name()
    counts, said, rest = Counter[str](), Counter[str](), list[str]()
    for c_name in abi.operators():
        row = rows.get(c_name)
        family = row.family if row else "no row"
        for a in load_spec(c_name).arguments:
            counts[family] += 1
            if meaning(c_name, a.c_name, a.returned):
                said[family] += 1
            else:
                rest.append(f"{c_name} {a.c_name}")
    lines = [f"{name:<12}{counts[name]:>11}{said[name]:>9}" for name in (*FAMILIES, "no row")]
    total = f"{'all':<12}{counts.total():>11}{said.total():>9}"
    return "\n".join((f"{'family':<12}{'parameters':>11}{'said':>9}", *lines, total, *rest))


def main() -> None:
    """Print what is asked for."""
    names = sys.argv[1:]
    if names == ["--meanings"]:
        print(meanings_by_family())
        return
    if names == ["--texts"]:
        print(texts_by_family())
        return
    if not names:
        print(families())
        return
    rows = {row.name: row for row in ROWS}
    headings = ("row", "formula", "oracle", "selftest", "tests", "bench", "total")
    print(f"{'operator':<26}" + "".join(f"{h:>10}" for h in headings))
    for name in names:
        print(alone(rows[name]))


if __name__ == "__main__":
    main()
