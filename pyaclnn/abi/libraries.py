"""The libraries in use: listing them, finding symbols in them, and adding one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pyaclnn.abi.backend import backend
from pyaclnn.abi.declarations import index

if TYPE_CHECKING:
    from pyaclnn.abi.library_set import LibraryRecord, Symbol


def libraries() -> tuple[LibraryRecord, ...]:
    """Return the libraries in use, and those known but not opened.

    Returns
    -------
    tuple of LibraryRecord
        In the order they were found.
    """
    return backend.libraries


def add_library(path: str | os.PathLike[str]) -> None:
    """Add a shared library, such as that of a custom operator package; it is searched first.

    Parameters
    ----------
    path : path-like
        The library. Before the first call it is only noted, and opened with the others.

    Raises
    ------
    LibraryNotFoundError
        It does not exist or cannot be loaded.
    """
    backend.add_library(path)


def find_symbol(name: str) -> Symbol:
    """Return a C function and the library it comes from.

    Parameters
    ----------
    name : str
        A declared function.

    Returns
    -------
    Symbol
        ``(function, path)``.

    Raises
    ------
    SymbolNotFoundError
        No library exports it, or no header declares it.
    """
    # The libraries first: they determine which headers are used.
    return backend.ensure().symbol(name)


def has_symbol(name: str) -> bool:
    """Tell whether a function is declared and exported, without composing an error.

    Parameters
    ----------
    name : str
        Any name.

    Returns
    -------
    bool
        True if ``find_symbol`` would return it.
    """
    opened = backend.ensure()
    declaration = index.find(name)
    return (
        declaration is not None
        and declaration.kind == "function"
        and opened.function(name) is not None
    )
