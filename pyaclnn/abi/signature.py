"""Signatures with the parameter names and ``const`` that cffi drops."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyaclnn.abi.declarations import index
from pyaclnn.abi.errors import HeaderError
from pyaclnn.abi.ffi import BUILT_IN, references
from pyaclnn.abi.prototype import plain_prototype

if TYPE_CHECKING:
    from pyaclnn.abi.clean import Declaration

_POINTER_KINDS = {
    "aclTensor": "tensor", "aclTensorList": "tensor_list", "aclScalar": "scalar",
    "aclScalarList": "scalar_list", "aclIntArray": "int_array", "aclFloatArray": "float_array",
    "aclBoolArray": "bool_array", "char": "string", "aclOpExecutor": "executor",
}  # fmt: skip
_VALUE_KINDS = {"float": "float", "double": "float", "bool": "bool", "_Bool": "bool",
                "aclDataType": "dtype", "aclFormat": "format", "aclrtStream": "stream"}  # fmt: skip
_INTEGERS = frozenset(
    [
        "char",
        "short",
        "int",
        "long",
        "size_t",
        "int8_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "uint8_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "uintptr_t",
        "intptr_t",
    ]
)
_C_WORDS = frozenset(
    ["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool"]
)
_PREDECLARED = BUILT_IN - _C_WORDS - frozenset(
    ["const", "volatile", "static", "typedef", "struct", "union", "enum", "sizeof", "NULL"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a C function.

    Attributes
    ----------
    name : str
        As in the header; empty where the header has none.
    c_type : str
        The type with one spelling for one type: ``aclTensor *``, ``int64_t[][2]``,
        ``void (*)(void *)``; without the ``const`` that :attr:`const` reports.
    const : bool
        Whether the value, or what the pointer finally points to, is const.
    kind : str
        What a caller passes: ``tensor``, ``tensor_list``, ``scalar``, ``scalar_list``,
        ``int_array``, ``float_array``, ``bool_array``, ``string``, ``int``, ``float``, ``bool``,
        ``dtype``, ``format``, ``stream``, ``executor``, ``enum``, ``callback``, ``pointer`` to
        anything else, ``pointer_out`` (a pointer to a pointer, or to a number, that C writes),
        or ``value`` for other types by value.
    """

    name: str
    c_type: str
    const: bool
    kind: str

    @property
    def full_type(self) -> str:
        """The type with its ``const``, for comparison between headers."""
        return f"const {self.c_type}" if self.const else self.c_type


@dataclass(frozen=True, slots=True)
class Signature:
    """A C function as its header declares it.

    Attributes
    ----------
    name : str
        The function.
    parameters : tuple of Parameter
        In C order.
    result : str
        Spelling of the result's type, with ``const``.
    """

    name: str
    parameters: tuple[Parameter, ...]
    result: str

    def __str__(self) -> str:
        shown = ", ".join(_spell(p) for p in self.parameters) or "void"
        return f"{_join(self.result, self.name)}({shown})"


def _join(c_type: str, name: str) -> str:
    if "(*)" in c_type:
        return c_type.replace("(*)", f"(*{name})", 1)
    base, bracket, rest = c_type.partition("[")
    return f"{base}{name}" if base.endswith("*") else f"{base} {name}{bracket}{rest}"


def _spell(parameter: Parameter) -> str:
    text = parameter.full_type
    return _join(text, parameter.name) if parameter.name else text


_lock = threading.RLock()
_cache: dict[str, tuple[int, Signature]] = {}
_parser: Any = None


def signature(name: str) -> Signature:
    """Return the signature of a declared function.

    Parameters
    ----------
    name : str
        Such as ``aclnnSoftshrinkBackwardGetWorkspaceSize``.

    Returns
    -------
    Signature
        Parsed once and kept.

    Raises
    ------
    SymbolNotFoundError
        No header declares the name.
    HeaderError
        The declaration is not a function, or cannot be parsed.
    """
    known = _cache.get(name)
    if known is not None and known[0] == index.generation:
        return known[1]
    with _lock:
        found = signature_of(index.declaration(name))
        _cache[name] = (index.generation, found)
    return found


def signature_of(declaration: Declaration) -> Signature:
    """Return the signature of one declaration.

    Parameters
    ----------
    declaration : Declaration
        Of kind ``function``.

    Returns
    -------
    Signature
        Independent of the index.

    Raises
    ------
    HeaderError
        The declaration is not a function, or cannot be parsed.
    """
    if declaration.kind != "function":
        reason = declaration.note or f"it declares a {declaration.kind}"
        raise HeaderError(
            f"this is not a function that can be called: {reason}",
            declaration.file, declaration.line, declaration.text,
        )  # fmt: skip
    plain = plain_prototype(declaration.text)
    if plain is not None:
        return Signature(
            plain.name,
            tuple(Parameter(n, t, const, _kind(t, const)) for n, t, const in plain.parameters),
            plain.result,
        )
    return parsed_signature(declaration)


def parsed_signature(declaration: Declaration) -> Signature:
    """Return the signature of a function from the syntax tree of its declaration.

    Parameters
    ----------
    declaration : Declaration
        Of kind ``function``.

    Returns
    -------
    Signature
        What :func:`signature_of` returns more quickly for plain prototypes.

    Raises
    ------
    HeaderError
        The declaration cannot be parsed.
    """
    typedefs = "".join(f"typedef int {name};" for name in _type_names(declaration.text))
    try:
        tree = _parse(typedefs + declaration.text)
    except Exception as error:
        raise HeaderError(
            f"cannot parse this declaration: {error}",
            declaration.file, declaration.line, declaration.text,
        ) from None  # fmt: skip
    function = tree.ext[-1].type
    arguments = function.args.params if function.args else []
    parameters = [_parameter(argument) for argument in arguments]
    if len(parameters) == 1 and parameters[0].c_type == "void":
        parameters = []
    result, const = _spelling(function.type)
    return Signature(
        declaration.names[0], tuple(parameters), f"const {result}" if const else result
    )


def _type_names(text: str) -> list[str]:
    named = [n for n in references(text) if " " not in n]
    return [*named, *(n for n in _PREDECLARED if n in text)]


def _parse(text: str) -> Any:
    global _parser
    with _lock:
        if _parser is None:
            # Imported here: it takes 20 ms, and few programs need the parser.
            from pycparser import CParser

            _parser = CParser()
        return _parser.parse(text)


def _parameter(node: Any) -> Parameter:
    if type(node).__name__ == "EllipsisParam":
        return Parameter("", "...", False, "value")
    c_type, const = _spelling(node.type)
    return Parameter(node.name or "", c_type, const, _kind(c_type, const))


def _spelling(node: Any) -> tuple[str, bool]:
    """Return the spelling of a type without its innermost const, and whether it has that."""
    suffix, pointers = "", ""
    while True:
        kind = type(node).__name__
        if kind == "PtrDecl":
            inner = type(node.type).__name__
            quals = "const" if "const" in node.quals else ""
            if inner == "FuncDecl":
                return _function_pointer(node.type), False
            pointers = f"*{quals} {pointers}" if quals and pointers else f"*{quals}{pointers}"
            if inner == "ArrayDecl":
                suffix = f"({pointers}){suffix}"
                pointers = ""
        elif kind == "ArrayDecl":
            suffix += f"[{_dimension(node.dim)}]"
        elif kind == "FuncDecl":
            return _function_pointer(node), False
        else:
            base = node.type
            words = getattr(base, "names", None) or [_tag(base)]
            text = " ".join(w for w in words if w != "const")
            const = "const" in (node.quals or []) or "const" in words
            space = " " if suffix.startswith("(") else ""
            return f"{text} {pointers}".rstrip() + space + suffix, const
        node = node.type


def _function_pointer(node: Any) -> str:
    arguments = node.args.params if node.args else []
    shown = ", ".join(_with_const(*_spelling(a.type)) for a in arguments)
    result = _with_const(*_spelling(node.type))
    return f"{result} (*)({shown or 'void'})"


def _with_const(c_type: str, const: bool) -> str:
    return f"const {c_type}" if const else c_type


def _tag(node: Any) -> str:
    return f"{type(node).__name__.lower()} {node.name or ''}".strip()


def _dimension(node: Any) -> str:
    if node is None:
        return ""
    return str(getattr(node, "value", None) or getattr(node, "name", None) or "?")


def _kind(c_type: str, const: bool) -> str:
    if "(*)(" in c_type:
        return "callback"
    base = re.split(r" ?[*\[(]", c_type)[0].removeprefix("struct ")
    depth = c_type.count("*") + c_type.count("[")
    if depth == 1 and "[" not in c_type and base in _POINTER_KINDS:
        return _POINTER_KINDS[base]
    if depth:
        number = base.removeprefix("unsigned ").split(" ")[-1] in _INTEGERS or base in _VALUE_KINDS
        return "pointer_out" if not const and (depth > 1 or number) else "pointer"
    if base in _VALUE_KINDS:
        return _VALUE_KINDS[base]
    if base.split(" ")[-1] in _INTEGERS:
        return "int"
    return _named_kind(base)


def _named_kind(base: str) -> str:
    """Classify a type by its declaration: enums are passed as integers, callbacks as functions."""
    declaration = index.find(base)
    for _ in range(8):
        if declaration is None:
            break
        if declaration.enumerators() or declaration.text.startswith("typedef enum "):
            return "enum"
        if "(*" in declaration.text and declaration.kind == "typedef":
            return "callback"
        words = declaration.text.removesuffix(";").split()
        if declaration.kind != "typedef" or len(words) != 3:
            break
        if words[1] in _INTEGERS:
            return "int"
        declaration = index.find(words[1])
    return "value"
