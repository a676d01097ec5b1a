"""Check declaration headers against an API description.

Usage: ``python tools/check_headers.py HEADERS DESCRIPTION_DIR [--every-operator] [--skip PREFIX]``

A C++ compiler is the judge.  For each header one program includes it and states what the
description says: it declares every function again, which a different type makes an error, and
asserts the value of every enumerator and constant and the layout of every struct.  Prints one line
a difference; exits with 0 if there is none, 1 if there are some, 2 if it could not check.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from api_description import Description, Item, Parameters, declarator, load
from compilers import cxx

_PRELUDE = "#include <cstddef>\n#include <type_traits>\n"
_MESSAGE = re.compile(r"^(?P<label>[^:\n]+):\d+:\d+: (?:fatal )?error: (?P<text>.*)$", re.MULTILINE)

Statement = tuple[str, str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Check headers and print the differences.

    Parameters
    ----------
    arguments : sequence of str, optional
        Command line without the program name.

    Returns
    -------
    int
        0 if headers and description agree, 1 if not, 2 if nothing could be checked.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("headers", type=Path, help="an include directory")
    parser.add_argument("description", type=Path, help="holds runtime.json, operators.json")
    parser.add_argument(
        "--every-operator",
        action="store_true",
        help="also report operators whose header is not there",
    )
    parser.add_argument(
        "--skip",
        action="append",
        default=[],
        metavar="PREFIX",
        help="leave out headers whose path starts so",
    )
    options = parser.parse_args(arguments)
    try:
        description = load(options.description)
        found = [
            line
            for line in differences(options.headers, description, options.every_operator)
            if not line.startswith(tuple(options.skip))
        ]
    except OSError as error:
        print(f"cannot check: {error}", file=sys.stderr)
        return 2
    for line in found:
        print(line)
    print(f"{len(found)} difference(s)", file=sys.stderr)
    return 1 if found else 0


def differences(headers: Path, description: Description, every_operator: bool) -> Iterator[str]:
    """Yield what the headers declare differently.

    Parameters
    ----------
    headers : Path
        The include directory.
    description : Description
        What should be declared.
    every_operator : bool
        Whether an operator header that is not there is a difference.

    Yields
    ------
    str
        One difference: header, name, what is wrong.
    """
    expected: dict[str, list[Statement]] = {}
    for kind in ("functions", "enums", "typedefs", "structs", "constants"):
        items: dict[str, Item] = getattr(description, kind)
        for item in items.values():
            for path in dict.fromkeys(item.published_in):
                expected.setdefault(path, []).extend(_STATEMENTS[kind](item))
    names: dict[str, list[tuple[str, Parameters]]] = {}
    for item in description.functions.values():
        names.setdefault(item.header, []).append((item.name, item.data["params"]))
    for op in description.operators.values():
        if every_operator or (headers / op.header).exists():
            first, second = f"{op.name}GetWorkspaceSize", op.name
            for name, params in ((first, op.params), (second, op.run_params)):
                expected.setdefault(op.header, []).extend(_function(name, "aclnnStatus", params))
                names.setdefault(op.header, []).append((name, params))
    for path, statements in sorted(expected.items()):
        if not (headers / path).exists():
            yield f"{path}: missing, should declare {len({s[0] for s in statements})} name(s)"
            continue
        yield from _compile(headers, path, statements)
        yield from _parameter_names(headers / path, path, names.get(path, []))


def _compile(headers: Path, path: str, statements: list[Statement]) -> Iterator[str]:
    # A #line directive makes the compiler report the declaration's name as the file's.
    lines = [f'#line 1 "{label}"\n{text}\n' for label, text in statements]
    source = f'{_PRELUDE}#include "{path}"\n{"".join(lines)}'
    with tempfile.TemporaryDirectory() as directory:
        program = Path(directory, "check.cpp")
        program.write_text(source, encoding="utf-8")
        command = [*cxx(), "-std=c++17", "-w", "-fsyntax-only", f"-I{headers}", str(program)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return
    labels = {label for label, _ in statements}
    seen: set[str] = set()
    for message in _MESSAGE.finditer(done.stderr):
        label = message["label"] if message["label"] in labels else "the header"
        if label not in seen:
            seen.add(label)
            yield f"{path}: {label}: {message['text']}"
    if not seen:
        yield f"{path}: the compiler failed: {done.stderr.strip()}"


def _parameter_names(
    file: Path, path: str, functions: list[tuple[str, Parameters]]
) -> Iterator[str]:
    text = re.sub(r"//.*|/\*.*?\*/", "", file.read_text(encoding="utf-8"))
    declared = {
        match[1]: re.findall(r"(\w+)\s*(?:\[[^,]*\])?\s*(?:,|$)", match[2].strip())
        for match in re.finditer(r"(\w+)\s*\(([^();]*)\)\s*;", text)
    }
    for name, params in functions:
        expected = [p for p, _ in params]
        actual = [word for word in declared.get(name, expected) if word != "void"]
        if actual != expected:
            yield f"{path}: {name}: parameters are called {actual}, should be {expected}"


def _function(
    name: str, returns: str, params: Parameters, variadic: bool = False
) -> list[Statement]:
    words = [declarator(c_type, word) for word, c_type in params] + ["..."] * variadic
    return [
        (name, f"static_assert(sizeof(&{name}) > 0);"),
        (name, f'extern "C" {declarator(returns, name)}({", ".join(words)});'),
    ]


def _functions(item: Item) -> list[Statement]:
    data = item.data
    return _function(item.name, data["returns"], data["params"], bool(data.get("variadic")))


def _enums(item: Item) -> list[Statement]:
    values = {**item.older.get("values", {}), **item.data["values"]}
    return [
        (
            name,
            f"static_assert(std::is_same<decltype({name}), {item.name}>::value && "
            f'{name} == {value}, "should be {value} of {item.name}");',
        )
        for name, value in values.items()
    ]


def _typedefs(item: Item) -> list[Statement]:
    c_type = item.data["type"]
    name = item.name
    if c_type.removeprefix("union ") == name:
        return [(name, f"static_assert(sizeof({name}*) > 0);")]
    if re.fullmatch(r"(tag|rt)\w+", c_type):
        c_type = f"struct {c_type}"
    wanted = declarator(c_type, f"should_be_{name}")
    return [
        (name, f"typedef {wanted};"),
        (
            name,
            f"static_assert(std::is_same<{name}, should_be_{name}>::value, "
            f'"should be {item.data["type"]}");',
        ),
    ]


def _structs(item: Item) -> list[Statement]:
    name, size = item.name, item.data["size"]
    result = [(name, f'static_assert(sizeof({name}) == {size}, "size should be {size}");')]
    for field, c_type, offset in item.data["fields"]:
        label = f"{name}.{field}"
        text = f'offsetof({name}, {field}) == {offset}, "offset should be {offset}"'
        result.append((label, f"static_assert({text});"))
        if "(anonymous)" not in c_type:
            same = f"std::is_same<decltype({name}::{field}), {c_type}>::value"
            result.append((label, f'static_assert({same}, "type should be {c_type}");'))
    return result


def _constants(item: Item) -> list[Statement]:
    value = item.data["value"]
    return [(item.name, f'static_assert(({item.name}) == ({value}), "should be {value}");')]


_STATEMENTS = {
    "functions": _functions,
    "enums": _enums,
    "typedefs": _typedefs,
    "structs": _structs,
    "constants": _constants,
}


if __name__ == "__main__":
    sys.exit(main())
