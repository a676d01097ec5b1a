"""The index of everything headers declare: by name, lazily, over several include directories."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pyaclnn.abi import paths
from pyaclnn.abi.errors import HeaderError, SymbolNotFoundError
from pyaclnn.abi.header_root import HeaderRoot, shared_ends

if TYPE_CHECKING:
    from pyaclnn.abi.clean import Declaration
    from pyaclnn.abi.expression import Value

_PHASE_1 = "GetWorkspaceSize"


class Index:
    """Declarations of all header directories; the first directory that has a name wins.

    The order is: headers added at run time (the latest first), the headers of the installed
    toolkit once CANN is the backend, the vendored headers.
    """

    def __init__(self, vendored: Path | None = None) -> None:
        self._lock = threading.RLock()
        self._vendored = vendored
        self._added: list[HeaderRoot] = []
        self._installed: list[HeaderRoot] = []
        self._base: list[HeaderRoot] = []
        self._values: dict[str, Value] = {}
        #: Incremented when declarations may have changed; caches that depend on them compare it.
        self.generation = 0

    def find(self, name: str) -> Declaration | None:
        """Return the declaration of a name.

        Parameters
        ----------
        name : str
            A C identifier, or a tag spelled ``struct x``.

        Returns
        -------
        Declaration or None
            None where no header declares it.

        Raises
        ------
        HeaderError
            A header that may declare it cannot be read.
        """
        with self._lock:
            skipped = None
            for root in self._roots():
                found = root.find(name)
                if found is not None and found.kind != "skipped":
                    return found
                skipped = skipped or found
            return skipped

    def declaration(self, name: str) -> Declaration:
        """Return the declaration of a name that has to exist.

        Parameters
        ----------
        name : str
            A C identifier, or a tag spelled ``struct x``.

        Returns
        -------
        Declaration
            As the headers give it.

        Raises
        ------
        SymbolNotFoundError
            No header declares it; the message has the nearest names.
        """
        found = self.find(name)
        if found is None:
            raise SymbolNotFoundError(f"no header declares {name!r}{self.suggest(name)}")
        return found

    def suggest(self, name: str) -> str:
        """Return a sentence with the declared names nearest to a misspelt one.

        Parameters
        ----------
        name : str
            What was asked for.

        Returns
        -------
        str
            A sentence that begins with a semicolon, or empty.
        """
        near = nearest(name, self.nearby(name))
        return f"; did you mean {' or '.join(near)}?" if near else ""

    def nearby(self, name: str) -> set[str]:
        """Return names that headers mention, among them those most like one.

        Parameters
        ----------
        name : str
            What was asked for.

        Returns
        -------
        set of str
            Found in the text of some headers, which takes milliseconds; reading all of them as
            declarations takes seconds.
        """
        with self._lock:
            return set().union(*(root.nearby(name) for root in self._roots()))

    def names(self) -> dict[str, Declaration]:
        """Read every header and return all declarations.

        Returns
        -------
        dict
            Name to declaration, as :meth:`find` would give it.
        """
        with self._lock:
            merged: dict[str, Declaration] = {}
            for root in reversed(self._roots()):
                for name, declaration in root.read_all().items():
                    if declaration.kind != "skipped" or name not in merged:
                        merged[name] = declaration
            return merged

    def operators(self) -> list[str]:
        """Return the names of all declared operators.

        Returns
        -------
        list of str
            Sorted; both phases of each are declared.
        """
        with self._lock:
            listed = None if self._vendored else paths.OPERATORS.names()
            *others, vendored = self._roots()
            roots = others if listed is not None else [*others, vendored]
            functions = {name + end for name in listed or () for end in ("", _PHASE_1)}
            for root in roots:
                functions |= {n for n, d in root.read_all().items() if d.kind == "function"}
        phase_1 = (n for n in functions if n.startswith("acl") and n.endswith(_PHASE_1))
        return sorted(n for n in (p.removesuffix(_PHASE_1) for p in phase_1) if n in functions)

    def is_operator(self, name: str) -> bool:
        """Tell whether both phases of an operator are declared.

        Parameters
        ----------
        name : str
            Such as ``aclnnSoftshrinkBackward``.

        Returns
        -------
        bool
            Without reading more headers than needed.
        """
        if not name.isidentifier():
            return False
        phases = (self.find(name + _PHASE_1), self.find(name))
        return all(p is not None and p.kind == "function" for p in phases)

    def value(self, name: str) -> Value:
        """Return the value of a constant or enumerator.

        Parameters
        ----------
        name : str
            Such as ``ACL_FLOAT16``.

        Returns
        -------
        int, float or str
            Evaluated as C would.

        Raises
        ------
        KeyError
            The name is declared as something else, or not at all.
        HeaderError
            Its expression cannot be evaluated.
        """
        with self._lock:
            if name in self._values:
                return self._values[name]
            declaration = self.find(name)
            if declaration is None:
                raise KeyError(name)
            for constant, value in self.constants(declaration).items():
                if self.find(constant) is declaration:
                    self._values[constant] = value
            return self._values[name]

    def constants(self, declaration: Declaration) -> dict[str, Value]:
        """Evaluate what a ``#define`` or an enum defines.

        Parameters
        ----------
        declaration : Declaration
            Of any kind.

        Returns
        -------
        dict
            Names in order; empty where the declaration defines no constants.

        Raises
        ------
        HeaderError
            An expression cannot be evaluated.
        """
        # Imported here, so that its patterns are compiled only when a constant is evaluated.
        from pyaclnn.abi.expression import evaluate

        values: dict[str, Value] = {}

        def lookup(name: str) -> Value:
            return values[name] if name in values else self.value(name)

        def compute(text: str) -> Value:
            try:
                return evaluate(text, lookup)
            except HeaderError:
                # The error is in a name that this expression uses, and has the place of that name.
                raise
            except (ValueError, RecursionError, KeyError) as error:
                what = f"{error} has no value" if isinstance(error, KeyError) else error
                raise HeaderError(
                    f"cannot evaluate {text!r}: {what}",
                    declaration.file,
                    declaration.line,
                    declaration.text,
                ) from None

        if declaration.kind == "constant":
            _, name, text = declaration.text.split(maxsplit=2)
            return {name: compute(text)}
        following: Value = 0
        for item in declaration.enumerators():
            name, _, text = (part.strip() for part in item.partition("="))
            if text:
                following = compute(text)
            values[name] = following
            if isinstance(following, int):
                following += 1
        return values

    def add_headers(self, path: str | os.PathLike[str]) -> None:
        """Give the declarations of a header, or of all headers of a directory, precedence.

        Parameters
        ----------
        path : path-like
            A header, an include directory, or any directory with headers.

        Raises
        ------
        FileNotFoundError
            There is nothing at that path.
        HeaderError
            A file cannot be split into declarations.
        """
        place = Path(path).expanduser().resolve()
        if not place.exists():
            raise FileNotFoundError(f"no header file or directory at {place}")
        root = HeaderRoot(place)
        if place.is_file():
            root.read_all()
        with self._lock:
            self._added.insert(0, root)
            self._changed()

    def use_installed(self, *directories: Path) -> None:
        """Give the headers of an installed toolkit precedence over the vendored ones.

        Parameters
        ----------
        *directories : Path
            Include directories, most specific first; the call replaces an earlier one.
        """
        with self._lock:
            self._installed = [HeaderRoot(d) for d in directories if d.is_dir()]
            self._changed()

    def _roots(self) -> list[HeaderRoot]:
        if not self._base:
            self._base = [HeaderRoot(self._vendored or paths.vendored_headers())]
        return [*self._added, *self._installed, *self._base]

    def _changed(self) -> None:
        self._values.clear()
        self.generation += 1


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three names that are spelt nearly like one.

    Parameters
    ----------
    name : str
        What was asked for.
    known : iterable of str
        What there is.

    Returns
    -------
    list of str
        The nearest first, regardless of case.
    """
    # Only an error needs it.
    import difflib

    folded = name.lower()
    by_folded = {k.lower(): k for k in known if 0.6 * len(k) < len(name) < 1.67 * len(k)}
    # A comparison takes 20 µs, so only the names with the longest common beginnings and ends are
    # compared.
    likely = sorted(by_folded, key=lambda k: shared_ends(folded, k), reverse=True)[:40]
    return [by_folded[m] for m in difflib.get_close_matches(folded, likely, 3, 0.75)]


def nearest_hint(name: str, known: Iterable[str]) -> str:
    """Return a sentence with the names nearest to a misspelt one.

    Parameters
    ----------
    name : str
        What was asked for.
    known : iterable of str
        What there is.

    Returns
    -------
    str
        A sentence that begins with a semicolon, or empty.
    """
    near = nearest(name, known)
    return f"; the nearest are {', '.join(near)}" if near else ""


index = Index()
find = index.find
declaration = index.declaration
operators = index.operators
is_operator = index.is_operator
add_headers = index.add_headers
