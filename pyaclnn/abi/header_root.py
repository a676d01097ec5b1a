"""One directory of headers, read file by file as names are asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pyaclnn.abi.errors import HeaderError
from pyaclnn.abi.paths import read_header

if TYPE_CHECKING:
    from pyaclnn.abi.clean import Declaration

# The order in which headers are searched for a name: first those that nearly every call needs.
_FIRST = ("acl/acl_base.h", "acl/acl_base_rt.h", "aclnn/acl_meta.h", "acl/acl_rt.h")
_BASE = ("aclnn/*.h", "aclnn/opdev/op_errno.h", "acl/**/*.h", "hccl/*.h", "pyaclnn/*.h")
_OPERATORS = "aclnnop"
_MAX_NESTING = 100
_PHASE_1 = "GetWorkspaceSize"
_PUBLIC = re.compile(rb"\b(?:acl|Acl|ACL|Hccl|HCCL)\w+")
_OPERATOR = re.compile(rb"\bacl\w+")
_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class HeaderRoot:
    """An include directory, or any directory or file with headers.

    Parameters
    ----------
    path : Path
        A directory with ``acl/``, ``aclnn/`` or ``aclnnop/`` below it is read in CANN's layout;
        of any other directory every ``*.h`` is considered.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._declared: dict[str, Declaration] = {}
        self._absent: set[str] = set()
        self._read: set[Path] = set()
        self._pending: dict[Path, bytes | None] | None = None
        self._by_key: dict[str, str] | None = None
        self._nesting = 0

    def find(self, name: str) -> Declaration | None:
        """Return the declaration of a name, reading as few headers as possible.

        Parameters
        ----------
        name : str
            A C identifier, or a tag spelled ``struct x``.

        Returns
        -------
        Declaration or None
            None if no header here declares it.
        """
        found = self._declared.get(name)
        if found is None and name not in self._absent:
            found = self._search(name)
            if found is None:
                self._absent.add(name)
        return found

    def read_all(self) -> dict[str, Declaration]:
        """Read every header and return all declarations by name.

        Returns
        -------
        dict
            Name to declaration.
        """
        for file in [*self._base(), *map(Path, self._operator_files().values())]:
            self._load(file)
        return self._declared

    def nearby(self, name: str) -> set[str]:
        """Return names that the text of the headers mentions.

        Parameters
        ----------
        name : str
            A misspelt or missing name.

        Returns
        -------
        set of str
            More than are declared: comments mention names, too.
        """
        words = self._base_words | self._declared.keys()
        return words | self._operator_words if name[:3].lower() == "acl" else words

    @cached_property
    def _base_words(self) -> set[str]:
        texts = (data or read_header(file) for file, data in self._base().items())
        return {*self._declared, *(w.decode() for text in texts for w in _PUBLIC.findall(text))}

    @cached_property
    def _operator_words(self) -> set[str]:
        files = self._operator_files().values()
        # One search in the text of all headers finds the names that none of them declares.
        text = b"\n".join(read_header(Path(file)) for file in files)
        return {word.decode() for word in set(_OPERATOR.findall(text))}

    def _search(self, name: str) -> Declaration | None:
        needle = "".join(name.split()[-1:]).encode()
        if not needle:
            return None
        pending = self._base()
        for file in list(pending):
            data = pending[file]
            if data is None:
                data = pending[file] = read_header(file)
            if needle in data:
                self._load(file, data)
                if name in self._declared:
                    return self._declared[name]
        if name.startswith("acl"):
            for file in self._candidates(name):
                if file in self._read:
                    continue
                data = read_header(file)
                if needle in data:
                    self._load(file, data)
                    if name in self._declared:
                        return self._declared[name]
        return None

    def _base(self) -> dict[Path, bytes | None]:
        if self._pending is None:
            self._pending = dict.fromkeys(self._base_files())
        return self._pending

    def _base_files(self) -> Iterator[Path]:
        if self.path.is_file():
            yield self.path
        elif any((self.path / part).is_dir() for part in ("acl", "aclnn", _OPERATORS)):
            yield from (f for f in (self.path / name for name in _FIRST) if f.is_file())
            for pattern in _BASE:
                yield from sorted(self.path.glob(pattern))
        else:
            yield from sorted(self.path.rglob("*.h"))

    def _operator_files(self) -> dict[str, str]:
        """Return the operator headers by the key of their names."""
        if self._by_key is None:
            self._by_key = {}
            # Strings, because a thousand paths take several milliseconds to make and to sort.
            for folder, _, names in os.walk(self.path / _OPERATORS):
                for name in sorted(names):
                    if name.endswith(".h"):
                        key, path = _key(name[:-2]), f"{folder}/{name}"
                        # Two files may share a key; the second must still be found by a scan.
                        self._by_key[path if key in self._by_key else key] = path
        return self._by_key

    def _candidates(self, name: str) -> Iterator[Path]:
        """Yield operator headers that may declare a name, the likeliest first."""
        snake = _snake(name)
        guess = self.path / _OPERATORS / f"aclnn_{snake}.h"
        if guess.is_file():
            yield guess
        by_key = self._operator_files()
        # Variants share a file named after the shorter name: Adds, InplaceAdd, MatmulWeightNz.
        key = _key(snake)
        for stem in (key, key.removeprefix("inplace")):
            for end in range(len(stem), 1, -1):
                if stem[:end] in by_key:
                    yield Path(by_key[stem[:end]])
        if name not in self._operator_words:
            return
        # The others, beginning with those whose names begin or end most like it.
        for other in sorted(by_key, key=lambda k: _alike(k, key), reverse=True):
            yield Path(by_key[other])

    def _load(self, file: Path, data: bytes | None = None) -> None:
        if file in self._read:
            return
        # Imported here: compiling the patterns of these two takes a third of the import time.
        from pyaclnn.abi.clean import declarations_of
        from pyaclnn.abi.preprocess import decode, preprocess

        self._read.add(file)
        if self._pending is not None:
            self._pending.pop(file, None)
        text = decode(read_header(file) if data is None else data)
        source = preprocess(text, str(file))
        self._nesting += 1
        if self._nesting > _MAX_NESTING:
            raise HeaderError(f"headers include each other {_MAX_NESTING} levels deep", str(file))
        try:
            for include in source.includes:
                self._follow(file, include)
        finally:
            self._nesting -= 1
        for declaration in declarations_of(source, str(file)):
            for name in declaration.names:
                self._register(name, declaration)
        self._absent.clear()

    def _follow(self, file: Path, include: str) -> None:
        """Read an included header, unless it is a base header that its names will bring in."""
        for place in (file.parent / include, self.path / include):
            if place.is_file():
                if place not in self._base() and place not in self._read:
                    self._load(place)
                return

    def _register(self, name: str, declaration: Declaration) -> None:
        known = self._declared.get(name)
        if known is not None and _substance(known) > _substance(declaration):
            return
        self._declared[name] = declaration


def _substance(declaration: Declaration) -> int:
    """Rank a definition above a forward declaration, and that above what was skipped."""
    if declaration.kind == "skipped":
        return 0
    if declaration.kind in ("struct", "union", "enum") and "{" not in declaration.text:
        return 1
    return 2


def _snake(name: str) -> str:
    return _SNAKE.sub("_", name.removesuffix(_PHASE_1).removeprefix("aclnn")).lower()


def _key(stem: str) -> str:
    return stem.removeprefix("aclnn_").replace("_", "").lower()


def _alike(first: str, second: str) -> int:
    """Count the characters at the beginning that two keys share, or those at the end."""
    if first[:3] != second[:3] and first[-3:] != second[-3:]:
        return 0
    return max(_shared(first, second), _shared(first[::-1], second[::-1]))


def shared_ends(first: str, second: str) -> int:
    """Count the characters that two names share at the beginning and at the end.

    Parameters
    ----------
    first, second : str
        Two names.
    """
    return _shared(first, second) + _shared(first[::-1], second[::-1])


def _shared(first: str, second: str) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(first), len(second)))
