"""Read calls and statuses from the unit tests of CANN's public repositories, as facts.

    python tools/cann_tests.py SOURCES [--output FILE] [--chip CHIP] [--operator NAME]

``SOURCES`` is a checkout, or the git directory, of ops-math, ops-nn, ops-cv or ops-transformer;
with ``--revision`` of a git directory. Each test of an ``op_api`` folder that makes one call of
literals becomes a line of the format that ``tests/operators/cann_statuses.py`` describes; others
are left out. Nothing but operator, chip, arguments and status is kept.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

STATUSES = {
    "ACL_SUCCESS": 0, "ACLNN_SUCCESS": 0, "ACLNN_ERR_PARAM_NULLPTR": 161001,
    "ACLNN_ERR_PARAM_INVALID": 161002, "ACLNN_ERR_INNER_NULLPTR": 561103,
}  # fmt: skip
CHIPS = {
    "ASCEND910": "Ascend910A", "ASCEND310P": "Ascend310P3", "ASCEND910B": "Ascend910B1",
    "ASCEND910_93": "Ascend910_9391", "ASCEND950": "Ascend950",
}  # fmt: skip

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_TEST = re.compile(r"\bTEST_F\s*\(\s*\w+\s*,\s*(\w+)\s*\)\s*\{")
_CHIP = re.compile(r"SetPlatformSocVersion\s*\(\s*(?:op::)?SocVersion::(\w+)\s*\)")
_NAMED_CHIP = re.compile(r"(?i)^ascend_?(910_?93|910_?95|950|910B|310P|910)")
_BY_NAME = {"91093": "ASCEND910_93", "91095": "ASCEND950", "950": "ASCEND950",
            "910B": "ASCEND910B", "310P": "ASCEND310P", "910": "ASCEND910"}  # fmt: skip
_DEFINED = re.compile(
    r"^(?:static\s+|const\s+|constexpr\s+)*(?:[\w:]+(?:<[^;=]*?>)?)\s*[&\s]\s*(\w+)\s*"
    r"(?:=\s*(.+)|(\{.*\})|\((.*)\))$",
    re.S,
)
_CALL = re.compile(r"OP_API_UT\s*\((.*)\)$", re.S)
_STATUS = re.compile(r"EXPECT_EQ\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")
#: Numbers of C++ for Python: no suffixes, no quotes between digits.
_NUMBER = re.compile(r"(?<![\w.])(\d[\d']*\.?\d*(?:[eE][-+]?\d+)?|\.\d+)[fFlLuU]*(?![\w.])")


class UnreadableError(ValueError):
    """A test is more than one call of literals."""


def _split(text: str) -> list[str]:
    """Return the arguments between commas that no bracket holds."""
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "({[") - (char in ")}]")
        if char == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    parts.append(text[begin:])
    return [part.strip() for part in parts if part.strip()]


def _block(text: str, begin: int) -> str:
    """Return what stands between the brace that ends before ``begin`` and its other."""
    depth = 1
    for at in range(begin, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return text[begin:at]
    raise UnreadableError("a brace is open")


def _closed(text: str) -> tuple[str, str]:
    """Return the text of the bracket that ``text`` begins with, and what follows it."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "({[") - (char in ")}]")
        if depth == 0:
            return text[1:at], text[at + 1 :].strip()
    raise UnreadableError("a bracket is open")


@dataclass
class Values:
    """The constants of a test, by name, and what expressions of them are."""

    named: dict[str, Any] = field(default_factory=dict)

    def of(self, text: str) -> Any:
        """Return a value: of a description the argument that it makes."""
        text = text.strip()
        if text in ("nullptr", "NULL"):
            return None
        if text in ("true", "false"):
            return text == "true"
        if text in self.named:
            return self.named[text]
        if re.fullmatch(r"(?:op::|aclDataType::|aclFormat::|ge::)*ACL_\w+", text):
            return text.rpartition("::")[2]
        if text.startswith("{"):
            return [self.of(part) for part in _split(text[1:-1])]
        if text.startswith('"') and text.endswith('"') and '"' not in text[1:-1]:
            return text[1:-1]
        call = re.match(r"(?:std::|op::)?(\w+)\s*(?:<[^<>]*(?:<[^<>]*>)?>)?\s*(?=[({])", text)
        if call:
            inside, after = _closed(text[call.end() :])
            return self._made(call[1], inside, after)
        return self._number(text)

    @staticmethod
    def _number(text: str) -> Any:
        plain = _NUMBER.sub(lambda m: m[1].replace("'", ""), text)
        try:
            return ast.literal_eval(plain)
        except (ValueError, SyntaxError) as error:
            raise UnreadableError(text) from error

    def _made(self, name: str, inside: str, after: str) -> Any:
        values = [self.of(part) for part in _split(inside)]
        if name == "vector":
            if len(values) == 1 and isinstance(values[0], list):
                return values[0]
            return values
        if name == "TensorDesc":
            return self._described(self._tensor(values), after)
        if name == "ScalarDesc":
            return self._scalar(values, inside)
        arrays = {"IntArrayDesc": "I", "FloatArrayDesc": "F", "BoolArrayDesc": "B"}
        if name in arrays and len(values) == 1 and isinstance(values[0], list):
            return [arrays[name], values[0]]
        if name == "TensorListDesc":
            return self._list(values)
        if name in ("int64_t", "int", "float", "double", "bool", "uint64_t", "int32_t"):
            return values[0]
        raise UnreadableError(name)

    @staticmethod
    def _list(values: list[Any]) -> list[Any]:
        if len(values) == 1 and isinstance(values[0], list):
            values = values[0]
        elif len(values) == 2 and isinstance(values[0], int):
            values = [values[1]] * values[0]
        if all(isinstance(v, list) and v and v[0] == "T" for v in values):
            return ["TL", values]
        raise UnreadableError("a list of something else")

    @staticmethod
    def _tensor(values: list[Any]) -> list[Any]:
        if len(values) == 1 and isinstance(values[0], list) and values[0][:1] == ["T"]:
            return list(values[0])
        shape, dtype, format_, *more = [*values, None, None][: max(len(values), 3)]
        if not isinstance(shape, list) or not str(dtype).startswith("ACL_"):
            raise UnreadableError("a tensor of something else")
        if more and (not isinstance(more[0], list) or len(more[0]) != len(shape)):
            raise UnreadableError("strides of other dimensions")
        name = str(format_ or "ACL_FORMAT_ND").removeprefix("ACL_FORMAT_").removeprefix("ACL_")
        tensor = ["T", str(dtype).removeprefix("ACL_"), shape, name]
        return tensor + ([*more, 0, shape][: max(len(more), 3)] if more else [])

    @staticmethod
    def _described(tensor: list[Any], after: str) -> list[Any]:
        known = ("Precision", "ValueRange", "Value", "ValidCount")
        while after:
            method = re.match(r"\.\s*(\w+)\s*(?:<[^<>]*>)?\s*(?=\()", after)
            if not method or method[1] not in known:
                raise UnreadableError(after)
            after = _closed(after[method.end() :])[1]
        return tensor

    @staticmethod
    def _scalar(values: list[Any], inside: str) -> list[Any]:
        if len(values) == 2:
            return ["S", str(values[1]).removeprefix("ACL_"), values[0]]
        cast = re.match(r"\s*static_cast<(\w+)>", inside)
        types = {"float": "FLOAT", "double": "DOUBLE", "int64_t": "INT64", "int32_t": "INT32",
                 "int": "INT32", "bool": "BOOL"}  # fmt: skip
        if cast and cast[1] in types:
            return ["S", types[cast[1]], values[0]]
        number = inside.strip().lower()
        if isinstance(values[0], bool):
            return ["S", "BOOL", values[0]]
        if isinstance(values[0], float) and re.search(r"\d", number):
            return ["S", "FLOAT" if number.endswith("f") else "DOUBLE", values[0]]
        if isinstance(values[0], int) and re.fullmatch(r"-?\d+", number):
            return ["S", "INT32", values[0]]
        raise UnreadableError("a number whose type is not written")


def _statements(body: str) -> Iterator[str]:
    """Yield the statements of a test that has no others inside."""
    depth, begin = 0, 0
    for at, char in enumerate(body):
        depth += (char in "({[") - (char in ")}]")
        if char == ";" and depth == 0:
            yield body[begin:at].strip()
            begin = at + 1


def _call_of(body: str) -> tuple[str, list[Any], int]:
    """Return operator, arguments and status of a test."""
    if len(re.findall(r"OP_API_UT", body)) != 1 or re.search(r"\b(for|if|while|do)\b", body):
        raise UnreadableError("not one call")
    values, call = Values(), ""
    for statement in _statements(body):
        defined = _DEFINED.match(statement)
        if not defined:
            continue
        name, text = defined[1], next(t for t in defined.groups()[1:] if t is not None).strip()
        made = _CALL.match(text)
        if made:
            call = made[1]
            continue
        try:
            values.named[name] = values.of(text)
        except UnreadableError:
            values.named.pop(name, None)
    statuses = {b for _, b in _STATUS.findall(body) if b in STATUSES}
    if not call or len(statuses) != 1:
        raise UnreadableError("no call, or not one status")
    operator, *parts = _split(call)
    arguments: list[Any] = []
    for part in parts:
        group = re.match(r"(INPUT|OUTPUT)\s*(?=\()", part)
        if not group:
            raise UnreadableError(part)
        found = [values.of(one) for one in _split(_closed(part[group.end() :])[0])]
        arguments += [
            ["D", v.removeprefix("ACL_")] if isinstance(v, str) and v.startswith("ACL_") else v
            for v in found
        ]
    return operator, arguments, STATUSES[statuses.pop()]


def calls_of(text: str, source: str, usual: str) -> Iterator[dict[str, Any]]:
    """Yield the calls of a file of tests; a chip that is set stays for the tests after it."""
    text = _COMMENT.sub("", text)
    first = _TEST.search(text)
    of_all = _CHIP.search(text[: first.start()]) if first else None
    chip = of_all[1] if of_all else usual
    for test in _TEST.finditer(text):
        body = _block(text, test.end())
        set_, named = _CHIP.search(body), _NAMED_CHIP.match(test[1])
        if set_:
            chip = set_[1]
        on = chip
        if named and not set_ and not of_all:
            on = _BY_NAME[named[1].upper().replace("_", "")]
        if on not in CHIPS:
            continue
        try:
            operator, arguments, status = _call_of(body)
        except (UnreadableError, IndexError, TypeError):
            continue
        yield {
            "operator": operator, "arguments": arguments, "status": {CHIPS[on]: status},
            "source": source,
        }  # fmt: skip


def files_of(sources: Path, revision: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of the tests of ``op_api`` folders."""
    wanted = re.compile(r"(?!experimental/).*tests/ut/.*op_api/test_\w+\.cpp$")
    if (sources / "HEAD").exists():
        git = ["git", f"--git-dir={sources}"]
        listed = subprocess.run(
            [*git, "ls-tree", "-r", "--name-only", revision], capture_output=True, text=True,
            check=True,
        ).stdout  # fmt: skip
        for name in filter(wanted.match, listed.splitlines()):
            shown = subprocess.run([*git, "show", f"{revision}:{name}"], capture_output=True,
                                   check=True).stdout  # fmt: skip
            yield name, shown.decode("utf-8", "replace")
        return
    for path in sorted(sources.rglob("test_*.cpp")):
        name = path.relative_to(sources).as_posix()
        if wanted.match(name):
            yield name, path.read_text(encoding="utf-8", errors="replace")


def calls(sources: Path, revision: str, usual: str = "ASCEND910B") -> list[dict[str, Any]]:
    """Return the calls of a repository, each once; those whose tests contradict each other go.

    Parameters
    ----------
    sources : Path
        A checkout or a git directory.
    revision : str
        Of a git directory.
    usual : str
        The chip of tests that name none.
    """
    found: dict[str, dict[str, Any]] = {}
    contradicted = set()
    for name, text in files_of(sources, revision):
        for call in calls_of(text, name, usual):
            key = json.dumps([call["operator"], call["arguments"], [*call["status"]]])
            if found.setdefault(key, call)["status"] != call["status"]:
                contradicted.add(key)
    return [call for key, call in found.items() if key not in contradicted]


def main() -> int:
    """Write the calls, one on a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sources", type=Path)
    parser.add_argument("--revision", default="v9.0.0", help="of a git directory")
    parser.add_argument("--output", type=Path)
    parser.add_argument(
        "--chip", choices=CHIPS, default="ASCEND910B",
        help="of tests that name none, which run on the chip that the tests are built for",
    )  # fmt: skip
    parser.add_argument("--operator", help="only this one, by its name in C")
    arguments = parser.parse_args()
    read = calls(arguments.sources, arguments.revision, arguments.chip)
    lines = {json.dumps(call) for call in read if arguments.operator in (None, call["operator"])}
    text = '{"calls": [\n' + ",\n".join(sorted(lines)) + "\n]}\n"
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    print(f"{len(lines)} calls", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
