"""Write a stub for each declared operator, as a weak symbol that kernels override.

So a program that uses an operator which is not simulated links, and the call returns an error that
names it. The list follows from the headers alone; the linker resolves what is simulated. Like
``build.py``, which runs it, it imports nothing of pyaclnn and nothing outside the standard library.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_FUNCTION = re.compile(r"\b(?:aclnnStatus|int32_t|int)\s+(acl\w+)\s*\(")


def declared_functions(include: Path) -> list[str]:
    """Return the functions that the operator headers declare, sorted as ``strcmp`` does.

    Parameters
    ----------
    include : Path
        The folder above ``aclnnop/``.
    """
    texts = (
        _COMMENT.sub(" ", file.read_text(encoding="utf-8"))
        for file in (include / "aclnnop").rglob("*.h")
    )
    return sorted({name for text in texts for name in _FUNCTION.findall(text)})


def source(include: Path) -> str:
    """Return the C++ source of all stubs.

    Parameters
    ----------
    include : Path
        The folder above ``aclnnop/``.
    """
    names = declared_functions(include)
    lines = ["// Written by sim/stubs.py.", '#include "opapi/common/not_simulated.hpp"']
    lines += [f"SIM_STUB({name})" for name in names]
    lines += ["namespace pyaclnn::sim {", "const Declared kDeclared[] = {"]
    lines += [f"SIM_DECLARED({name})" for name in names]
    lines += ["};", "const unsigned kDeclaredCount = sizeof kDeclared / sizeof kDeclared[0];", "}"]
    return "\n".join(lines) + "\n"


def generate(include: Path, folder: Path) -> list[Path]:
    """Write the source into a folder, and return its path, the only file.

    Parameters
    ----------
    include : Path
        The folder above ``aclnnop/``.
    folder : Path
        Where it goes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "stubs.cpp"
    text = source(include)
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        # Two builds may share the folder.
        partial = file.with_suffix(f".{os.getpid()}.part")
        partial.write_text(text, encoding="utf-8")
        partial.replace(file)
    return [file]
