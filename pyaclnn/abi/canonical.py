"""Declarations in a canonical form that is equal exactly when a caller cannot tell them apart.

Typedefs of numbers and pointers are followed to what they stand for, fixed-width and plain
integers of one size are one type, parameter names and const on a parameter itself are dropped.
Structs and enums are compared by name where they are used and by their members where defined.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pycparser import c_ast, c_generator, c_parser

from pyaclnn.abi.clean import Declaration, clean
from pyaclnn.abi.errors import HeaderError
from pyaclnn.abi.expression import Value, evaluate
from pyaclnn.abi.prototype import plain_prototype

_SIZES = {"char": 8, "short": 16, "int": 32, "long": 64}
_FIXED = {f"{u}int{n}_t": f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32, 64)}
_FIXED |= {"size_t": "uint64", "uintptr_t": "uint64", "ptrdiff_t": "int64", "intptr_t": "int64"}
_FIXED |= {"ssize_t": "int64", "bool": "bool", "_Bool": "bool"}
_TAGGED = re.compile(r"typedef (struct|union|enum) (\w+) ?(?:\{.*\})? ?(\w+) ?;\Z")
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class Side:
    """The declarations of one include directory.

    Attributes
    ----------
    root : Path
        The include directory.
    headers : list of str
        The headers that were read, relative to the root.
    unreadable : list of (str, str)
        Headers that could not be parsed completely, with the reason.
    """

    root: Path
    headers: list[str] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    _found: dict[str, Declaration] = field(default_factory=dict)
    _typedefs: set[str] = field(default_factory=set)
    _tags: dict[str, str] = field(default_factory=dict)
    _values: dict[str, Value | None] = field(default_factory=dict)

    def names(self) -> Iterator[str]:
        """Yield what is declared: functions, types, constants and enumerators.

        Yields
        ------
        str
            A C name; a struct without a typedef is ``struct x``.
        """
        for name in self._found:
            if name not in self._tags:
                yield name

    def has(self, name: str) -> bool:
        """Tell whether a name is declared.

        Parameters
        ----------
        name : str
            A C name.

        Returns
        -------
        bool
            True if it is.
        """
        return name in self._found

    def header(self, name: str) -> str:
        """Return the header of a declared name, relative to the root.

        Parameters
        ----------
        name : str
            A declared name.

        Returns
        -------
        str
            Such as ``acl/acl_rt.h``.
        """
        return str(Path(self._found[name].file).relative_to(self.root))

    def place(self, name: str) -> str:
        """Return ``file:line`` of a declared name.

        Parameters
        ----------
        name : str
            A declared name.

        Returns
        -------
        str
            With the file's full path.
        """
        return f"{self._found[name].file}:{self._found[name].line}"

    def version(self, name: str) -> str:
        """Return the release marker of a declared name, or an empty string.

        Parameters
        ----------
        name : str
            A declared name.

        Returns
        -------
        str
            Such as ``Since CANN 9.0``.
        """
        return self._found[name].version

    def shape(self, name: str, without: Collection[str] = ()) -> str:
        """Return the canonical form of a declared name.

        Parameters
        ----------
        name : str
            A declared name.
        without : collection of str
            Fields to leave out.

        Returns
        -------
        str
            Empty for a type without members, which agrees with any.
        """
        declaration = self._found[name]
        if declaration.kind == "constant" or name in self._values:
            return f"= {self._value(name)}"
        node = self._parse(declaration)
        if node is None:
            return declaration.text
        inner = _without_declarator(node)
        if isinstance(inner, (c_ast.Struct, c_ast.Union)):
            return self._members(inner, without) if inner.decls else ""
        return "enum" if isinstance(inner, c_ast.Enum) else self._type(node)

    def add(self, declaration: Declaration) -> None:
        """Add a declaration; one with members replaces one without.

        Parameters
        ----------
        declaration : Declaration
            From :func:`pyaclnn.abi.clean.clean`.
        """
        if declaration.kind == "variable" or (
            declaration.kind == "skipped" and not _inline(declaration)
        ):
            return
        body = "{" in declaration.text
        enumerators = _enumerators(declaration.text) if body else {}
        for name in declaration.names:
            known = self._found.get(name)
            if known is None or (body and "{" not in known.text):
                self._found[name] = declaration
        if declaration.kind == "typedef":
            self._typedefs.add(declaration.names[-1])
            tagged = _TAGGED.match(declaration.text)
            if tagged:
                self._tags[f"{tagged[1]} {tagged[2]}"] = tagged[3]
        self._enumerate(enumerators)

    def adopt_tags(self) -> None:
        """Give a struct that is defined apart from its typedef, or has none, its plain name."""
        for tag, name in self._tags.items():
            definition = self._found.get(tag)
            if definition is not None and "{" in definition.text:
                self._found[name] = definition
        # C++ needs no typedef.
        for tag, definition in list(self._found.items()):
            name = tag.partition(" ")[2]
            bare = tag not in self._tags and name and name not in self._found
            if bare and "{" in definition.text:
                self._found[name] = definition
                self._tags[tag] = name
                self._typedefs.add(name)

    def _enumerate(self, enumerators: Mapping[str, str]) -> None:
        following: Value | None = 0
        for name, text in enumerators.items():
            value = self._evaluate(text) if text else following
            self._values[name] = value
            following = value + 1 if isinstance(value, int) else None

    def _value(self, name: str) -> Value | None:
        if name not in self._values:
            text = self._found[name].text.split(" ", 2)[2]
            # A macro that mentions itself ends here instead of recursing for ever.
            self._values[name] = None
            value = self._evaluate(text)
            self._values[name] = text if value is None else value
        return self._values[name]

    def _evaluate(self, text: str) -> Value | None:
        try:
            return evaluate(text, self._lookup)
        except (ValueError, LookupError):
            return None

    def _lookup(self, name: str) -> Value:
        value = self._value(name) if name in self._values or name in self._found else None
        if value is None:
            raise LookupError(name)
        return value

    def _parse(self, declaration: Declaration) -> c_ast.Node | None:
        words = dict.fromkeys(_WORD.findall(declaration.text))
        known = self._typedefs | _FIXED.keys()
        types = [w for w in words if w in known and w not in declaration.names and w != "_Bool"]
        prelude = "".join(f"typedef int {word};" for word in types)
        try:
            return c_parser.CParser().parse(prelude + declaration.text).ext[-1].type
        except (c_parser.ParseError, IndexError, RecursionError) as error:
            header = str(Path(declaration.file).relative_to(self.root))
            place = f"{declaration.file}:{declaration.line}"
            reason = f"{place}: {' '.join(str(error).split())}: {declaration.text}"
            self.unreadable.append((header, reason))
            return None

    def _type(self, node: c_ast.Node) -> str:
        if isinstance(node, c_ast.PtrDecl):
            if isinstance(node.type, c_ast.FuncDecl):
                return self._function(node.type, "(*)")
            const = "const " if "const" in getattr(node.type, "quals", ()) else ""
            return f"{const}{self._type(node.type)}*"
        if isinstance(node, c_ast.ArrayDecl):
            return f"{self._type(node.type)}[{self._dimension(node.dim)}]"
        if isinstance(node, c_ast.FuncDecl):
            return self._function(node, "")
        inner = _without_declarator(node)
        if isinstance(inner, c_ast.IdentifierType):
            return self._named(inner.names)
        keyword = type(inner).__name__.lower()
        if inner.name:
            return self._tags.get(f"{keyword} {inner.name}", f"{keyword} {inner.name}")
        return f"{keyword} {self._members(inner)}"

    def _named(self, names: list[str]) -> str:
        if len(names) > 1 or names[0] in (*_SIZES, "unsigned", "signed"):
            return _integer(names)
        name = names[0]
        if name in _FIXED:
            return _FIXED[name]
        declaration = self._found.get(name)
        if declaration is None or declaration.kind != "typedef":
            return name
        node = self._parse(declaration)
        inner = node if node is None else _without_declarator(node)
        if node is None or isinstance(inner, (c_ast.Struct, c_ast.Union, c_ast.Enum)):
            return name
        return self._type(node)

    def _function(self, node: c_ast.FuncDecl, pointer: str) -> str:
        params = node.args.params if node.args else []
        types = [self._parameter(param) for param in params]
        if types == ["void"]:
            types = []
        return f"{self._type(node.type)} {pointer}({', '.join(types)})".replace(" (", "(", 1)

    def _parameter(self, node: c_ast.Node) -> str:
        if isinstance(node, c_ast.EllipsisParam):
            return "..."
        if isinstance(node.type, c_ast.ArrayDecl):
            const = "const " if "const" in getattr(node.type.type, "quals", ()) else ""
            return f"{const}{self._type(node.type.type)}*"
        return self._type(node.type)

    def _members(self, node: c_ast.Node, without: Collection[str] = ()) -> str:
        fields = [
            f"{self._type(member.type)} {member.name or ''}".rstrip()
            + (f":{self._dimension(member.bitsize)}" if member.bitsize else "")
            for member in node.decls or ()
            if member.name not in without
        ]
        return "{" + "; ".join(fields) + "}"

    def _dimension(self, node: c_ast.Node | None) -> str:
        if node is None:
            return ""
        text = c_generator.CGenerator().visit(node)
        value = self._evaluate(text)
        return text if value is None else str(value)


def read_side(root: Path, folders: Collection[str]) -> Side:
    """Read the headers below some folders of an include directory.

    Parameters
    ----------
    root : Path
        The include directory.
    folders : collection of str
        Folders below it, such as ``acl``; one that is not there has no headers.

    Returns
    -------
    Side
        Their declarations.
    """
    side = Side(root)
    for folder in folders:
        for path in sorted((root / folder).rglob("*.h")):
            header = str(path.relative_to(root))
            side.headers.append(header)
            try:
                declarations = clean(path.read_bytes(), str(path))
            except (HeaderError, OSError) as error:
                side.unreadable.append((header, f"{path}: {error}"))
                continue
            for declaration in declarations:
                side.add(declaration)
    side.adopt_tags()
    return side


def _inline(declaration: Declaration) -> bool:
    """Tell whether a function that C cannot call from outside still has types to compare."""
    return plain_prototype(declaration.text) is not None


def _without_declarator(node: c_ast.Node) -> c_ast.Node:
    return node.type if isinstance(node, c_ast.TypeDecl) else node


def _enumerators(text: str) -> dict[str, str]:
    """Return the value text of each enumerator, empty where it follows from the one before."""
    match = re.match(r"(?:typedef )?enum\b[^{]*\{(.*)\}", text)
    items = match[1].split(",") if match else []
    pairs = (item.partition("=") for item in items if item.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}


def _integer(names: list[str]) -> str:
    if "double" in names or "float" in names:
        return " ".join(sorted(names))
    if names == ["char"]:
        return "char"
    sizes = [_SIZES[name] for name in names if name in _SIZES and name != "int"]
    return f"{'u' if 'unsigned' in names else ''}int{sizes[0] if sizes else 32}"
