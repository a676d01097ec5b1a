"""``lib``: every declared C function and constant as an attribute, under its C name."""

from __future__ import annotations

import contextlib
from typing import Any

from pyaclnn.abi.backend import backend
from pyaclnn.abi.declarations import index
from pyaclnn.abi.errors import HeaderError, LibraryNotFoundError, SymbolNotFoundError


class Library:
    """The raw C surface: functions, enumerators and macros in C spelling.

    The first access to a name finds it; from then on it is an ordinary attribute.
    """

    def __getattr__(self, name: str) -> Any:
        # Python looks for such names on any object; no header is worth reading for them.
        if name.startswith("__"):
            raise AttributeError(name)
        value = self._find(name)
        self.__dict__[name] = value
        return value

    def __dir__(self) -> list[str]:
        own = (n for n, d in index.names().items() if " " not in n and _is_value(n, d.kind, d.text))
        return sorted({*super().__dir__(), *own})

    def __repr__(self) -> str:
        return f"<C library, {backend!r}>"

    def _find(self, name: str) -> Any:
        declaration = index.find(name)
        if declaration is not None and declaration.kind == "skipped":
            raise SymbolNotFoundError(
                f"{name} of {declaration.file}:{declaration.line} cannot be called from Python: "
                f"{declaration.note}"
            )
        if declaration is None:
            # A misspelt name gets its hint even where no library can be opened.
            with contextlib.suppress(LibraryNotFoundError):
                backend.ensure()
            # Looked up again: choosing the backend may have added an installed toolkit's headers.
            declaration = index.find(name)
        if declaration is None:
            raise SymbolNotFoundError(
                f"no header declares {name!r}{index.suggest(name)} "
                "(pyaclnn.abi.add_headers(path) adds declarations)"
            )
        if declaration.kind == "function":
            libraries = backend.ensure()
            function = libraries.function(name)
            return function if function is not None else libraries.symbol(name).function
        if declaration.kind == "constant" or name in _names(declaration.enumerators()):
            return self._constant(name, declaration.text)
        if declaration.kind == "variable":
            return backend.ensure().symbol(name).function
        raise SymbolNotFoundError(
            f"{name} is a type, declared in {declaration.file}:{declaration.line}; "
            f"use it in type strings, as in ffi.new('{name} *')"
        )

    def _constant(self, name: str, text: str) -> Any:
        try:
            return index.value(name)
        except HeaderError:
            # A macro may be another name of a function.
            body = text.split(maxsplit=2)[-1]
            target = index.find(body)
            if target is None or target.kind != "function":
                raise
            return getattr(self, body)


def _names(enumerators: list[str]) -> list[str]:
    return [item.partition("=")[0].strip() for item in enumerators]


def _is_value(name: str, kind: str, text: str) -> bool:
    if kind in ("function", "constant"):
        return True
    return kind in ("enum", "typedef") and not text.rstrip(";").endswith(name)


lib = Library()
