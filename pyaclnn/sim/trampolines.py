"""Write the table of the functions that the tracer intercepts, and an entry point for each.

An entry point is two instructions: the number of the function, and a jump to shared code
(``src/trace/forward.cpp``). The types of the arguments are a string of codes, one for each
parameter, so no code is compiled for a signature. Like ``build.py``, which runs it, it imports
nothing of pyaclnn and nothing outside the standard library.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_DIRECTIVE = re.compile(r"^\s*#(?:[^\n]*\\\n)*[^\n]*$", re.M)
_FUNCTION = re.compile(r"([A-Za-z_][\w\s]*?[\s*]+)(acl\w+|Hccl\w+)\s*\(([^()]*)\)\s*[;{]")
_ENUM = re.compile(r"\benum\s+(\w+)\s*[:{]")
_POINTER = re.compile(
    r"typedef\s+void\s*\*\s*(\w+)\s*;|typedef\s+[\w\s]+\*?\s*\(\s*\*\s*(\w+)\s*\)"
)
_PARAMETER = re.compile(r"(.*?)([\s*]*)\b(\w+)\s*((?:\[\w*\])*)", re.S)

#: Parameters by value: C type -> code. Floating point has its own registers.
_VALUES = {
    "bool": "b", "uint8_t": "b", "int8_t": "c", "char": "c", "int16_t": "h", "uint16_t": "H",
    "aclFloat16": "H", "int": "i", "int32_t": "i", "aclError": "i", "aclnnStatus": "i",
    "uint32_t": "I", "int64_t": "q", "uint64_t": "Q", "size_t": "Q", "float": "f", "double": "d",
}  # fmt: skip
#: What is read after the call, through a pointer that is not const.
_STORED = {
    "int": "4", "int32_t": "4", "uint32_t": "4", "uint64_t": "8", "int64_t": "8", "size_t": "8",
    "float": "5",
}  # fmt: skip
#: Handles whose content is known from the call that made them.
HANDLES = frozenset(
    [
        "aclTensor",
        "aclScalar",
        "aclIntArray",
        "aclFloatArray",
        "aclBoolArray",
        "aclTensorList",
        "aclScalarList",
    ]
)
#: The traced functions of headers whose other functions only query descriptions.
_CHOSEN = {
    "acl_base.h": {"aclGetRecentErrMsg"},
    "acl_meta.h": {
        *(f"aclCreate{name[3:]}" for name in HANDLES),
        *(f"aclDestroy{name[3:]}" for name in HANDLES),
        "aclInitTensor", "aclSetTensorAddr", "aclSetInputTensorAddr", "aclSetOutputTensorAddr",
        "aclSetDynamicInputTensorAddr", "aclSetDynamicOutputTensorAddr", "aclSetRawTensorAddr",
        "aclSetAclOpExecutorRepeatable", "aclDestroyAclOpExecutor",
    },
}  # fmt: skip


class Function(NamedTuple):
    """A function that can be intercepted: name, codes of result and parameters, their names."""

    name: str
    codes: str
    parameters: str


def _code(
    c_type: str, enums: frozenset[str], handles: frozenset[str], *, texts: bool = False
) -> str:
    """Return the code of a parameter; empty for one that is passed in a way of its own.

    With `texts`, a char* that is not const is a string as well: operators store nothing there.
    """
    words = c_type.replace("*", " * ").split()
    const = words[:1] == ["const"]
    base = [w for w in words if w not in ("const", "*", "struct", "enum")]
    stars = words.count("*")
    name = base[-1].removeprefix("std::") if base else ""
    if stars == 0:
        return _VALUES.get(name) or ("i" if name in enums else "p" if name in handles else "")
    if stars == 1 and name in HANDLES:
        return "t" if const else "T"
    if stars == 1 and name == "char" and (const or texts):
        return "s"
    if const or "const" in words[1:]:
        return "p"
    if stars == 2 or (stars == 1 and name in handles):
        return "8"
    return "4" if name in enums else _STORED.get(name, "p")


def functions(include: Path) -> Iterator[Function]:
    """Yield the functions that can be intercepted, by name; others are found behind the tracer."""
    texts = {
        path: _DIRECTIVE.sub(" ", _COMMENT.sub(" ", path.read_text(encoding="utf-8")))
        for folder in ("acl", "aclnn", "aclnnop", "hccl")
        for path in sorted((include / folder).rglob("*.h"))
    }
    everything = "\n".join(texts.values())
    enums = frozenset(_ENUM.findall(everything))
    handles = frozenset(a or b for a, b in _POINTER.findall(everything))
    found: dict[str, Function] = {}
    for header, text in texts.items():
        for result, name, listed in _FUNCTION.findall(text):
            if (
                "typedef" in result
                or "static" in result
                or name not in _CHOSEN.get(header.name, {name})
            ):
                continue
            codes, names = [_result(result, enums, handles)], []
            for part in listed.split(",") if listed.strip() not in ("", "void") else ():
                match = _PARAMETER.fullmatch(part.strip())
                array = bool(match and match[4])
                c_type = match[1] + match[2] + "*" * array if match else ""
                codes.append(_code(c_type, enums, handles, texts="aclnnop" in header.parts))
                names.append(match[3] if match else "")
            if all(codes):
                found[name] = Function(name, "".join(codes), ",".join(names))
    yield from (found[name] for name in sorted(found))


def _result(text: str, enums: frozenset[str], handles: frozenset[str]) -> str:
    words = text.replace("*", " * ").split()
    if words[-1] == "void":
        return "v"
    if words[-1] == "*":
        return "s" if "char" in words else "p"
    # The result is a status unless declared otherwise; macros may precede it.
    return _code(words[-1], enums, handles) or "i"


def generate(include: Path, folder: Path) -> list[Path]:
    """Write the source into a folder, and return its path, the only file."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = list(functions(include))
    lines = ["// Written by sim/trampolines.py.", '#include "trace/functions.hpp"', ""]
    lines += [f"TRACE_ENTRY({f.name}, {number})" for number, f in enumerate(listed)]
    lines += ["namespace pyaclnn::trace {", "const Signature kSignatures[] = {"]
    lines += [f'    {{"{f.name}", "{f.codes}", "{f.parameters}"}},' for f in listed]
    lines += ["};", f"Function functions[{len(listed)}];"]
    lines += [
        f"const unsigned kFunctionCount = {len(listed)};",
        "}  // namespace pyaclnn::trace",
        "",
    ]
    file = folder / "trampolines.cpp"
    text = "\n".join(lines)
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        # Two builds may share the folder.
        partial = file.with_suffix(f".{os.getpid()}.part")
        partial.write_text(text, encoding="utf-8")
        partial.replace(file)
    return [file]
