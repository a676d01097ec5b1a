"""The one cffi instance, to which declarations are given by name, on first use."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING, Any

import cffi

from pyaclnn.abi.declarations import index
from pyaclnn.abi.errors import HeaderError, SymbolNotFoundError
from pyaclnn.abi.prototype import plain_prototype

if TYPE_CHECKING:
    from pyaclnn.abi.clean import Declaration

_TOKEN = re.compile(r"[A-Za-z_]\w*|[*\[\](){},;:=]")
_SHIFTED_SIZE = re.compile(r"\[([^\[\]]*<<[^\[\]]*)\]")
_TAGS = frozenset(("struct", "union", "enum"))
#: What cffi raises for text that it cannot use. A signal handler's own exception is none of these.
_OBJECTIONS = (
    cffi.CDefError, cffi.FFIError, ArithmeticError, AssertionError, AttributeError, LookupError,
    RuntimeError, TypeError, ValueError,
)  # fmt: skip
#: Words of C and types that cffi knows by itself.
BUILT_IN = frozenset(
    [
        "void",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "signed",
        "unsigned",
        "_Bool",
        "bool",
        "const",
        "volatile",
        "static",
        "typedef",
        "struct",
        "union",
        "enum",
        "sizeof",
        "NULL",
        "size_t",
        "ssize_t",
        "ptrdiff_t",
        "intptr_t",
        "uintptr_t",
        "wchar_t",
        "FILE",
        "int8_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "uint8_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
    ]
)


def references(text: str) -> list[str]:
    """Return the names a declaration needs: types, tags and array sizes.

    Parameters
    ----------
    text : str
        A declaration on one line.

    Returns
    -------
    list of str
        Without names of parameters and fields; tags are spelled ``struct x``.
    """
    tokens = _TOKEN.findall(text)
    needed: dict[str, None] = {}
    last = len(tokens) - 1
    for place, token in enumerate(tokens):
        if token in BUILT_IN or not (token[0].isalpha() or token[0] == "_"):
            continue
        before = tokens[place - 1] if place else ""
        after = tokens[place + 1] if place < last else ";"
        if before in _TAGS:
            needed[f"{before} {token}"] = None
        elif after == "(" or (after in ",);[:" and (before == "*" or _ends_type(before))):
            continue
        else:
            needed[token] = None
    return list(needed)


def _ends_type(token: str) -> bool:
    # After "const" comes the type itself.
    return (token[:1].isalpha() or token[:1] == "_" or token == "}") and token != "const"


class FFI(cffi.FFI):  # type: ignore[misc]
    """``cffi.FFI`` that looks up the C names in type strings by itself.

    It is set up on first use, because that imports a C parser.
    """

    def __init__(self) -> None:
        self.__dict__["_setup"] = threading.RLock()
        self.__dict__["_ready"] = False
        self.__dict__["_defined"] = {}
        self.__dict__["_seen_types"] = set()

    def __getattr__(self, name: str) -> Any:
        # Reached only for attributes that cffi's __init__ has not set yet.
        if name.startswith("__"):
            raise AttributeError(name)
        with self._setup:
            if not self._ready:
                self.__dict__["_ready"] = True
                super().__init__()
        return object.__getattribute__(self, name)

    def _know(self, cdecl: Any) -> Any:
        if isinstance(cdecl, str) and cdecl not in self._seen_types:
            define(*(name for name in references(f"{cdecl} _") if index.find(name) is not None))
            self._seen_types.add(cdecl)
        return cdecl

    def typeof(self, cdecl: Any) -> Any:
        """Return the C type object of a type string, cdata or function."""
        return super().typeof(self._know(cdecl))

    def new(self, cdecl: Any, init: Any = None) -> Any:
        """Allocate C data of a pointer or array type."""
        return super().new(self._know(cdecl), init)

    def cast(self, cdecl: Any, source: Any) -> Any:
        """Cast to a C type."""
        return super().cast(self._know(cdecl), source)

    def sizeof(self, cdecl: Any) -> Any:
        """Return the size of a type or of cdata in bytes."""
        return super().sizeof(self._know(cdecl))

    def alignof(self, cdecl: Any) -> Any:
        """Return the alignment of a type in bytes."""
        return super().alignof(self._know(cdecl))

    def offsetof(self, cdecl: Any, *fields_or_indexes: Any) -> Any:
        """Return the offset of a field in bytes."""
        return super().offsetof(self._know(cdecl), *fields_or_indexes)

    def getctype(self, cdecl: Any, replace_with: str = "") -> Any:
        """Return the spelling of a type."""
        return super().getctype(self._know(cdecl), replace_with)

    def callback(
        self, cdecl: Any, python_callable: Any = None, error: Any = None, onerror: Any = None
    ) -> Any:
        """Make a C function pointer of a Python callable, or a decorator that does."""
        return super().callback(self._know(cdecl), python_callable, error, onerror)


ffi = FFI()


def define(*names: str) -> None:
    """Give declarations to cffi, with everything they need.

    Parameters
    ----------
    *names : str
        Functions or types; what is already defined costs a dictionary look-up.

    Raises
    ------
    SymbolNotFoundError
        No header declares a name.
    HeaderError
        cffi does not accept a declaration; the message names file and line.
    """
    defined = ffi._defined
    if all(name in defined for name in names):
        return
    with ffi._setup:
        todo = _closure(names)
        groups: dict[int, list[Declaration]] = {}
        for declaration in todo:
            groups.setdefault(declaration.pack, []).append(declaration)
        # Packed structures need a call of their own, after the types they are made of.
        for pack, declarations in sorted(groups.items()):
            _declare(declarations, pack)


def _closure(names: tuple[str, ...]) -> list[Declaration]:
    """Return what is not yet defined, each declaration after the ones its text needs."""
    order: list[Declaration] = []
    visiting: set[int] = set()
    later: list[str] = []

    def visit(name: str, required: bool) -> None:
        if name in ffi._defined:
            return
        declaration = index.declaration(name) if required else index.find(name)
        if declaration is None or id(declaration) in visiting:
            return
        visiting.add(id(declaration))
        if declaration.kind == "skipped":
            raise HeaderError(
                f"{name} cannot be used from Python: {declaration.note}",
                declaration.file, declaration.line, declaration.text,
            )  # fmt: skip
        if declaration.kind != "constant" and not declaration.enumerators():
            for needed in references(declaration.text):
                # A struct may be incomplete where it is mentioned, and may refer to itself.
                if needed.startswith(("struct ", "union ")):
                    later.append(needed)
                elif needed not in declaration.names:
                    visit(needed, required=False)
        order.append(declaration)

    for name in names:
        visit(name, required=True)
    while later:
        visit(later.pop(), required=False)
    return order


def _declare(declarations: list[Declaration], pack: int) -> None:
    options: dict[str, Any] = {"pack": pack} if pack else {}
    texts = [_cdef_text(declaration) for declaration in declarations]
    try:
        _give(declarations, *_shared(declarations, texts), options)
    except _OBJECTIONS:
        # One by one, to find the one cffi objects to; those before it are of use.
        for declaration, text in zip(declarations, texts, strict=True):
            try:
                _give([declaration], text, [], options)
            except _OBJECTIONS as error:
                raise HeaderError(
                    f"cffi cannot use this declaration: {_reason(declaration, error)}",
                    declaration.file, declaration.line, declaration.text,
                ) from error  # fmt: skip


def _give(
    declarations: list[Declaration], text: str, shared: list[str], options: dict[str, Any]
) -> None:
    """Give declarations to cffi: all of them, or none if it objects or is interrupted."""
    known = ffi._parser._declarations, ffi._parser._int_constants, ffi._defined
    before = [set(names) for names in known]
    try:
        ffi.cdef(text, **options)
        # cffi's parser reads the name of each type again in each later call.
        for name in shared:
            del ffi._parser._declarations[f"typedef {name}"]
        for declaration in declarations:
            for name in declaration.names:
                ffi._defined.setdefault(name, declaration)
    except BaseException:
        for names, kept in zip(known, before, strict=True):
            for name in names.keys() - kept:
                del names[name]
        raise


def _shared(declarations: list[Declaration], texts: list[str]) -> tuple[str, list[str]]:
    """Return the texts as one, with functions of one shape declared by one typedef, and these.

    A thousand operators have half as many shapes, and their second phases three: cffi's parser
    then reads a third of the tokens.
    """
    result = []
    types: dict[tuple[str, ...], str] = {}
    for declaration, text in zip(declarations, texts, strict=True):
        plain = plain_prototype(text) if declaration.kind == "function" else None
        if plain is None:
            result.append(text)
            continue
        if plain.shape not in types:
            types[plain.shape] = f"pyaclnn_function_{len(types)}"
            parameters = ", ".join(plain.shape[1:]) or "void"
            result.append(f"typedef {plain.result} {types[plain.shape]}({parameters});")
        result.append(f"{types[plain.shape]} {plain.name};")
    return "\n".join(result), list(types.values())


def _cdef_text(declaration: Declaration) -> str:
    """Return text for cffi, with constants as plain numbers."""
    if declaration.kind == "constant":
        return _constant_text(declaration)
    if not declaration.enumerators():
        return declaration.text if "<<" not in declaration.text else _with_plain_sizes(declaration)
    body = ", ".join(f"{name} = {value}" for name, value in index.constants(declaration).items())
    text = declaration.text
    return f"{text[: text.index('{')]}{{ {body} }}{text[text.rindex('}') + 1 :]}"


def _with_plain_sizes(declaration: Declaration) -> str:
    """Replace array sizes by numbers: cffi shifts by as many bits as a header asks for."""
    from pyaclnn.abi.expression import evaluate

    try:
        text = _SHIFTED_SIZE.sub(lambda m: f"[{evaluate(m[1], index.value)}]", declaration.text)
        problem = "a shift that is no array size" if "<<" in text else ""
    except (ValueError, KeyError) as error:
        text, problem = "", str(error)
    if problem:
        raise HeaderError(
            f"cannot use this declaration: {problem}",
            declaration.file, declaration.line, declaration.text,
        )  # fmt: skip
    return text


def _constant_text(declaration: Declaration) -> str:
    try:
        value = index.value(declaration.names[0])
    except HeaderError:
        body = declaration.text.split(maxsplit=2)[2]
        target = index.find(body)
        if target is None or target.kind not in ("typedef", "struct", "union", "enum"):
            raise
        define(body)
        return f"typedef {body} {declaration.names[0]};"
    # cffi has no string or float constants; they are read from the index instead.
    return f"#define {declaration.names[0]} {value}" if isinstance(value, int) else ""


def _reason(declaration: Declaration, error: Exception) -> str:
    """Say why cffi objects: mostly because no header declares what is mentioned."""
    unknown = [
        n for n in references(declaration.text)
        if n.split()[0] not in _TAGS and n not in declaration.names and index.find(n) is None
    ]  # fmt: skip
    if unknown:
        return (
            f"no header declares {', '.join(unknown)}; add the header that does with "
            "pyaclnn.abi.add_headers(path)"
        )
    return " ".join(str(part) for part in error.args[:1]).strip()


def defined(name: str) -> Declaration:
    """Return the declaration under which cffi knows a name.

    Parameters
    ----------
    name : str
        A name given to :func:`define` before.

    Returns
    -------
    Declaration
        It stays the same when headers are added later.

    Raises
    ------
    SymbolNotFoundError
        The name has not been defined.
    """
    try:
        found: Declaration = ffi._defined[name]
    except KeyError:
        raise SymbolNotFoundError(f"{name} has not been given to cffi") from None
    return found
