"""The page of the raw functions: what of the C API is no operator."""

from __future__ import annotations

from pathlib import Path

from pyaclnn import abi


def page() -> str:
    """Return the page: the declarations of each header, by name."""
    operators = set(abi.operators())
    headers: dict[str, list[str]] = {}
    names: dict[str, list[str]] = {}
    for name, declaration in abi.index.names().items():
        if declaration.kind != "function" or name.removesuffix("GetWorkspaceSize") in operators:
            continue
        header = "/".join(Path(declaration.file).parts[-2:])
        headers.setdefault(header, []).append(declaration.text)
        names.setdefault(header, []).append(name)
    lines = [
        "# Functions in C",
        "",
        f"The {sum(map(len, headers.values()))} functions of the C API beside the operators, as",
        "our headers declare them. `pa.lib.aclrtGetSocName()` calls one; pointers are cffi's.",
    ]
    for header, texts in sorted(headers.items()):
        # A search for a function finds this page before those that use it.
        entries = ", ".join(f"! {name}" for name in sorted(names[header]))
        lines += ["", f"## {header}", "", f":::{{index}} {entries}", ":::", "", "```c"]
        lines += [" ".join(text.split()) for text in sorted(texts)]
        lines += ["```"]
    return "\n".join(lines) + "\n"
