"""Write the C++ of the operators that are rows of ``pyaclnn/table``.

Runs as part of the build, where only the standard library is available: the table is loaded from
its folder, without importing pyaclnn.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLE_DIR = Path(__file__).resolve().parents[1] / "table"
_ABI_DIR = TABLE_DIR.with_name("abi")
_SOURCES_DIR = Path(__file__).resolve().parent / "src"

#: Operators in one file: a compromise between parsing headers once and compiling in parallel.
FILE_SIZE = 40

_FIRST_PHASE = re.compile(r"aclnnStatus\s+(acl\w+)GetWorkspaceSize\s*\(([^)]*)\)", re.S)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)

#: C type -> kind of parameter in ``opapi/common/arguments.hpp``.
_KINDS = {
    "const aclTensor*": "In",
    "aclTensor*": "Out",
    "const aclTensorList*": "TensorListIn",
    "aclTensorList*": "TensorListOut",
    "const aclScalar*": "ScalarIn",
    "aclScalar*": "MutableScalarIn",
    "const aclScalarList*": "ScalarListIn",
    "const aclIntArray*": "IntArrayIn",
    "aclIntArray*": "MutableIntArrayIn",
    "const aclFloatArray*": "FloatArrayIn",
    "aclFloatArray*": "MutableFloatArrayIn",
    "const aclBoolArray*": "BoolArrayIn",
    "int64_t": "Int",
    "uint64_t": "UInt64",
    "int32_t": "Int32",
    "uint32_t": "UInt32",
    "int": "Int32",
    "int8_t": "Int8",
    "float": "Float",
    "double": "Double",
    "bool": "Flag",
    "aclDataType": "Dtype",
    "char*": "Text",
    "const char*": "ConstText",
}


#: Kind of parameter -> its field in a struct of parameters, and the value of an absent one.
_FIELDS = {
    **dict.fromkeys(("In", "Out"), ("const TensorArgument&", "TensorArgument(Absent())")),
    "TensorListIn": ("const TensorListIn&", "TensorListIn(Absent())"),
    "TensorListOut": ("const TensorListIn&", "TensorListIn(Absent())"),
    "ScalarIn": ("const ScalarIn&", "ScalarIn(Absent())"),
    "MutableScalarIn": ("const ScalarIn&", "ScalarIn(Absent())"),
    "ScalarListIn": ("const ScalarListIn&", "ScalarListIn(Absent())"),
    "IntArrayIn": ("const IntArrayIn&", "IntArrayIn(Absent())"),
    "MutableIntArrayIn": ("const IntArrayIn&", "IntArrayIn(Absent())"),
    "FloatArrayIn": ("const FloatArrayIn&", "FloatArrayIn(Absent())"),
    "MutableFloatArrayIn": ("const FloatArrayIn&", "FloatArrayIn(Absent())"),
    "BoolArrayIn": ("const BoolArrayIn&", "BoolArrayIn(Absent())"),
    "Int": ("std::int64_t", "0"),
    "UInt64": ("std::uint64_t", "0"),
    "Int32": ("std::int32_t", "0"),
    "UInt32": ("std::uint32_t", "0"),
    "Int8": ("std::int8_t", "0"),
    "Float": ("float", "0"),
    "Double": ("double", "0"),
    "Flag": ("bool", "false"),
    "Dtype": ("aclDataType", "ACL_DT_UNDEFINED"),
    "Text": ("const Text&", "Text(Absent())"),
    "ConstText": ("const Text&", "Text(Absent())"),
}


#: Headers that all files include.
_SHARED = (
    "core/release.hpp",
    "opapi/common/chip_family.hpp",
    "opapi/common/format.hpp",
    "opapi/common/kernel_checks.hpp",
    "opapi/common/one_element.hpp",
    "opapi/common/operator.hpp",
    "opapi/common/result_types.hpp",
    "opapi/copy/cast.hpp",
    "opapi/pointwise/formulas.hpp",
)
#: A function, type or constant that a header declares in its namespace, at the start of a line.
_DECLARED = re.compile(
    r"^(?!#|using namespace|namespace|return|\}|template)(?:[\w:<>,&*\s]+?[\s&*])?(\w+)\("
    r"|^(?:struct|class|enum class|enum) (\w+)|^using (\w+) ="
    r"|^(?:inline |constexpr |const |extern )+[\w:<>,* ]+?(\w+)(?:\[\w*\])?(?: =|\{|;)",
    re.M,
)
_FORMULAS = re.compile(r"^extern const PointwiseFormula ([\w\s,]+);", re.M)
#: A function that is called, not as a method; a type; a constant; a formula.
_USED = re.compile(
    r"(?<![.>:\w])([a-z]\w*)\(|\b([A-Z]\w+)\b|(?<![:\w])(k[A-Z]\w+)\b|\b(formulas::\w+)"
)


class TableError(ValueError):
    """A row does not fit the declaration of its operator."""


@dataclass(frozen=True)
class Declaration:
    """A first phase in a header: the header, and kind and name of each parameter."""

    header: str
    parameters: tuple[tuple[str, str], ...]


def load_table(folder: Path = TABLE_DIR) -> Any:
    """Import the table under a name of its own."""
    return _load("pyaclnn_table", folder / "__init__.py", [str(folder)])


def _load(name: str, file: Path, parts: list[str] | None = None) -> Any:
    """Import a file by its path under a name, as a package where it has `parts`."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=parts)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def declarations(include: Path) -> dict[str, Declaration]:
    """Read the first phases from ``include/aclnnop``, by the operator's C name."""
    found: dict[str, Declaration] = {}
    for path in sorted((include / "aclnnop").rglob("*.h")):
        text = _COMMENT.sub(" ", path.read_text(encoding="utf-8"))
        for name, parameters in _FIRST_PHASE.findall(text):
            pairs = [_parameter(p) for p in parameters.split(",")[:-2]]
            found[name] = Declaration(f"aclnnop/{path.name}", tuple(pairs))
    return found


def _parameter(text: str) -> tuple[str, str]:
    match = re.fullmatch(r"\s*(.*?)\s*(\**)\s*(\w+)\s*", text, re.S)
    assert match is not None, text
    c_type = " ".join((match[1] + match[2]).split())
    if "*" not in c_type:
        c_type = c_type.removeprefix("const ")  # of a value: the same function
    return _KINDS.get(c_type, c_type), match[3]


def _kernel(step: Any, row: Any, known: dict[str, Declaration]) -> str:
    """Return the call of a kernel that takes a struct of parameters."""
    own = {name.removesuffix("Optional"): name for _, name in known[row.c_name].parameters}
    of = step.of or row.name
    values, names = [], []
    for kind, name in _declared(of, known).parameters:
        plain = name.removesuffix("Optional")
        names.append(name)
        values.append(step.given.get(name) or own.pop(plain, None) or _FIELDS[kind][1])
    if unknown := step.given.keys() - set(names):
        raise TableError(f"{row.name}: {of} has no parameter {', '.join(sorted(unknown))}")
    used = " ".join(step.given.values())
    if lost := [name for name in own.values() if not re.search(rf"\b{name}\b", used)]:
        raise TableError(f"{row.name}: {of} has no parameter for {', '.join(lost)}")
    return f"{step.function}(check, plan, {of}Parameters{{{', '.join(values)}}});"


def _is_kernel(step: Any) -> bool:
    # By the name of the class: the module is loaded under another name here than by `import
    # pyaclnn`.
    return type(step).__name__ == "Kernel"


def _kernels(row: Any) -> list[Any]:
    """Return the steps of a row that take a struct of parameters."""
    return [step for step in row.steps if _is_kernel(step)]


def _declared(name: str, known: dict[str, Declaration]) -> Declaration:
    c_name = name if name.startswith("acl") else "aclnn" + name
    if c_name not in known:
        raise TableError(f"no header declares {c_name}GetWorkspaceSize")
    return known[c_name]


def parameter_structs(rows: Iterable[Any], include: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of the header of each operator whose parameters a kernel takes."""
    known = declarations(include)
    functions: dict[str, set[str]] = {}
    for row in rows:
        for step in _kernels(row):
            functions.setdefault(step.of or row.name, set()).add(step.function)
    for name, called in functions.items():
        declaration = _declared(name, known)
        lines = [
            "// Generated from a declaration by pyaclnn/sim/generate.py.",
            "#pragma once",
            "",
            f'#include "{declaration.header}"',
            '#include "opapi/common/arguments.hpp"',
            '#include "opapi/common/check.hpp"',
            '#include "opapi/common/plan.hpp"',
            "",
            "namespace pyaclnn::sim {",
            f"struct {name}Parameters {{",
            *(f"  {_FIELDS[kind][0]} {field};" for kind, field in declaration.parameters),
            "};",
            *(
                f"void {function}(const Check& check, Plan& plan, const {name}Parameters& given);"
                for function in sorted(called)
            ),
            "}  // namespace pyaclnn::sim",
            "",
        ]
        yield f"{name}.hpp", "\n".join(lines)


def declaring_headers() -> dict[str, set[str]]:
    """Return the headers of operators, and of what these stand on, that declare each name."""
    found: dict[str, set[str]] = {}
    folders = [_SOURCES_DIR / name for name in ("core", "objects", "opapi")]
    for path in sorted(p for folder in folders for p in folder.rglob("*.hpp")):
        header = path.relative_to(_SOURCES_DIR).as_posix()
        text = re.sub(r"template <[^\n]*>\n", "", _COMMENT.sub("", path.read_text("utf-8")))
        if "::SIM_LANES {" in text:  # the inside of a source
            continue
        names = [next(filter(None, match.groups())) for match in _DECLARED.finditer(text)]
        for listed in _FORMULAS.findall(text):
            names += [f"formulas::{name}" for name in re.findall(r"\w+", listed)]
        for name in names:
            found.setdefault(name, set()).add(header)
    return found


def needed_headers(text: str, family: str, declaring: dict[str, set[str]]) -> list[str]:
    """Return the headers that declare what C++ uses; where several do, the nearest of them."""
    near = ("core/", "objects/", "opapi/common/", f"opapi/{family}/")
    needed: set[str] = set()
    for match in _USED.finditer(text):
        headers = declaring.get(next(filter(None, match.groups())), set())
        needed |= {h for h in headers if h.startswith(near)} or headers
    return sorted(needed - set(_SHARED))


def operator(row: Any, known: dict[str, Declaration]) -> str:
    """Return the C++ of one operator."""
    declaration = known[row.c_name]
    unknown = {kind for kind, _ in declaration.parameters} - set(_KINDS.values())
    if unknown:
        raise TableError(f"{row.name}: no kind of parameter for {', '.join(sorted(unknown))}")
    parameters = ", ".join(f"({kind}, {name})" for kind, name in declaration.parameters)
    releases = _load("pyaclnn_build_releases", Path(__file__).with_name("releases.py"))
    span = releases.span(releases.facts(), row.name)
    since = "" if span is None else f'  require_operator("{row.c_name}", {span[0]}, {span[1]});\n'
    statements = (
        _kernel(step, row, known) if _is_kernel(step) else step.cpp() for step in row.steps
    )
    body = since + "".join(f"  {statement}\n" for statement in statements)
    most = _max_workspace(row.c_name) if row.in_graphs else ""
    return f"OPERATOR({row.c_name}, {parameters}) {{\n{body}}}\n{most}"


def _max_workspace(name: str) -> str:
    """Return GetMaxWorkspaceSize, an alias: no size here depends on unknown lengths."""
    return (
        f'\nextern "C" decltype({name}GetWorkspaceSize) {name}GetMaxWorkspaceSize\n'
        f'    __attribute__((visibility("default"), alias("{name}GetWorkspaceSize")));\n'
    )


def sources(rows: Iterable[Any], include: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each file."""
    known = declarations(include)
    declaring = declaring_headers()
    families: dict[str, list[Any]] = {}
    for row in rows:
        if row.c_name not in known:
            raise TableError(f"{row.name}: no header declares {row.c_name}GetWorkspaceSize")
        families.setdefault(row.family, []).append(row)
    for family, members in families.items():
        for number, begin in enumerate(range(0, len(members), FILE_SIZE)):
            part = members[begin : begin + FILE_SIZE]
            headers = sorted({known[row.c_name].header for row in part})
            structs = sorted({step.of or row.name for row in part for step in _kernels(row)})
            bodies = [operator(row, known) for row in part]
            more = needed_headers("".join(bodies), family, declaring)
            lines = [
                "// Generated from pyaclnn/table by pyaclnn/sim/generate.py.",
                *(f'#include "{h}"' for h in headers),
                *(f'#include "{h}"' for h in (*_SHARED, *more)),
                *(f'#include "parameters/{name}.hpp"' for name in structs),
                "",
                "using namespace pyaclnn::sim;",
                "",
                *bodies,
            ]
            stem = family.replace(" ", "_")
            yield f"{stem}_{number}.cpp", "\n".join(lines)


def reasons(why: dict[str, str]) -> tuple[str, str]:
    """Return the name and text of the file that says why operators are not simulated."""
    lines = [
        "// Generated from pyaclnn/table by pyaclnn/sim/generate.py.",
        '#include "opapi/common/not_simulated.hpp"',
        "",
        "namespace pyaclnn::sim {",
        "const Reason kReasons[] = {",
        *(f'    {{"aclnn{name}", "{text}"}},' for name, text in sorted(why.items())),
        "};",
        "const unsigned kReasonCount = sizeof kReasons / sizeof kReasons[0];",
        "}  // namespace pyaclnn::sim",
        "",
    ]
    return "not_simulated.cpp", "\n".join(lines)


def kernels_first(names: Iterable[str]) -> tuple[str, str]:
    """Return the name and text of the file that lists operators that look for kernels at once."""
    lines = [
        "// Generated from pyaclnn/table by pyaclnn/sim/generate.py.",
        '#include "opapi/common/kernels_first.hpp"',
        "",
        "namespace pyaclnn::sim {",
        "const char* const kKernelsFirst[] = {",
        *(f'    "aclnn{name}",' for name in sorted(names)),
        "};",
        "const unsigned kKernelsFirstCount = sizeof kKernelsFirst / sizeof kKernelsFirst[0];",
        "}  // namespace pyaclnn::sim",
        "",
    ]
    return "kernels_first.cpp", "\n".join(lines)


def write_index(include: Path, toolkit: Path) -> None:
    """Write names and outputs of all operators, which Python reads instead of headers and table."""
    load_table()
    indexed = importlib.import_module("pyaclnn_table.index").of_row
    operators = {name: indexed(name) for name in declarations(include)}
    index = _load("pyaclnn_operator_index", _ABI_DIR / "operator_index.py")
    index.write(toolkit / index.NAME, operators, TABLE_DIR, toolkit / "include")


def generate(include: Path, folder: Path) -> list[Path]:
    """Write all files into ``folder``, return the sources; files of other names are removed."""
    table = load_table()
    _write(folder / "parameters", ".hpp", parameter_structs(table.ROWS, include))
    lists = reasons(table.NOT_SIMULATED), kernels_first(table.GENERATED)
    return _write(folder, ".cpp", (*sources(table.ROWS, include), *lists))


def _write(folder: Path, suffix: str, files: Iterable[tuple[str, str]]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in files:
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            # Another build may read it at this moment.
            partial = path.with_suffix(f".{os.getpid()}.part")
            partial.write_text(text, encoding="utf-8")
            partial.replace(path)
        written.append(path)
    for stale in set(folder.glob(f"*{suffix}")) - set(written):
        stale.unlink()
    return written
