"""Which C and C++ compilers there are."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys


def cc() -> list[str]:
    """Return the command of a C compiler.

    Returns
    -------
    list of str
        ``$CC``, the first of cc, gcc and clang on PATH, or the compiler of the ziglang package.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    return _find("CC", ("cc", "gcc", "clang"), "cc")


def cxx() -> list[str]:
    """Return the command of a C++ compiler.

    Returns
    -------
    list of str
        ``$CXX``, the first of c++, g++ and clang++ on PATH, or the compiler of the ziglang
        package.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    return _find("CXX", ("c++", "g++", "clang++"), "c++")


def _find(variable: str, names: tuple[str, ...], zig: str) -> list[str]:
    chosen = os.environ.get(variable, "").split()
    if chosen:
        return chosen
    for name in names:
        path = shutil.which(name)
        if path:
            return [path]
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", zig]
    raise FileNotFoundError(
        f"no compiler: set {variable}, install one of {', '.join(names)}, or pip install ziglang"
    )
