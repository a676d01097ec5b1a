"""Declarations as C text: one function per kind of declaration, and the frame of a header."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from api_description import NEW, OLD, Item, Operator, Parameters, declarator

Comments = Mapping[str, str]

_ANONYMOUS = re.compile(r"(struct|union) \(anonymous\)")


def release_marker(releases: Sequence[str]) -> str:
    """Return the comment line that says which releases have a declaration, or nothing.

    Parameters
    ----------
    releases : sequence of str
        The releases that have it.

    Returns
    -------
    str
        ``// Since CANN 9.0.``, ``// Only in CANN 8.1.`` or an empty string.
    """
    if tuple(releases) == (NEW,):
        return f"// Since CANN {NEW}.\n"
    if tuple(releases) == (OLD,):
        return "// Only in CANN 8.1.\n"
    return ""


def comment(text: str) -> str:
    """Return text as line comments.

    Parameters
    ----------
    text : str
        May have several lines; empty means no comment.

    Returns
    -------
    str
        Comment lines, each ended.
    """
    return "".join(f"// {line}".rstrip() + "\n" for line in text.splitlines())


def parameter_list(params: Parameters, variadic: bool = False) -> str:
    """Return a C parameter list without its parentheses.

    Parameters
    ----------
    params : list of (name, type)
        In C order.
    variadic : bool
        Whether an ellipsis follows.

    Returns
    -------
    str
        ``void`` for an empty list, as C11 wants it.
    """
    words = [declarator(c_type, name) for name, c_type in params]
    return ", ".join([*words, *(["..."] if variadic else [])]) or "void"


def function(item: Item, comments: Comments, marker: str) -> str:
    """Return a function's prototype with its comments.

    Parameters
    ----------
    item : Item
        A function of the description.
    comments : mapping
        Comment text by name.
    marker : str
        The release marker line.

    Returns
    -------
    str
        C text.
    """
    attributes = "ACL_FUNC_VISIBILITY "
    if item.data.get("deprecated"):
        attributes = "ACL_DEPRECATED " + attributes
    params = parameter_list(item.data["params"], bool(item.data.get("variadic")))
    head = f"{attributes}{declarator(item.data['returns'], item.name)}"
    return f"{comment(comments.get(item.name, ''))}{marker}{head}({params});\n"


def enum(item: Item, comments: Comments, marker: str, typedef: str | None) -> str:
    """Return an enum with its enumerators.

    Parameters
    ----------
    item : Item
        An enum of the description.
    comments : mapping
        Comment text by name, for the enum and its enumerators.
    marker : str
        The release marker line.
    typedef : str or None
        The typedef name, where there is one.

    Returns
    -------
    str
        C text.
    """
    older = item.older.get("values")
    lines = []
    for name, value in item.data["values"].items():
        new = older is not None and name not in older
        note = comment(comments.get(name, "")) + (release_marker((NEW,)) if new else "")
        lines.append(f"{note}{name} = {value},\n")
    return _type_definition(item, "enum", "".join(lines), comments, marker, typedef)


def struct(
    item: Item, comments: Comments, marker: str, typedef: str | None, unions: Mapping[str, Any]
) -> str:
    """Return a struct or union with its fields.

    Parameters
    ----------
    item : Item
        A struct of the description.
    comments : mapping
        Comment text by ``struct.field`` and struct name.
    marker : str
        The release marker line.
    typedef : str or None
        The typedef name, where there is one.
    unions : mapping
        Members of unions that have no name, by ``struct.field``, or by ``struct.`` for one
        whose members belong to the struct itself.

    Returns
    -------
    str
        C text.
    """
    older = {f[0] for f in item.older.get("fields", [])}
    lines = []
    for name, c_type, _offset in item.data["fields"]:
        key = f"{item.name}.{name}"
        note = comment(comments.get(key, ""))
        if older and name not in older:
            note += release_marker((NEW,))
        if _ANONYMOUS.match(c_type):
            lines.append(f"{note}{_members(unions[key])} {name};\n")
        else:
            lines.append(f"{note}{declarator(c_type, name)};\n")
    if f"{item.name}." in unions:
        lines.append(_members(unions[f"{item.name}."]) + ";\n")
    keyword = "union" if item.data["kind"].startswith("union") else "struct"
    return _type_definition(item, keyword, "".join(lines), comments, marker, typedef)


def typedef(item: Item, comments: Comments, marker: str) -> str:
    """Return a typedef of something other than a struct or enum defined beside it.

    Parameters
    ----------
    item : Item
        A typedef of the description.
    comments : mapping
        Comment text by name.
    marker : str
        The release marker line.

    Returns
    -------
    str
        C text.
    """
    c_type = item.data["type"]
    if c_type == item.name or re.fullmatch(r"(tag|rt)\w+", c_type):
        c_type = f"struct {c_type}"
    text = f"typedef {declarator(c_type, item.name)};\n"
    return f"{comment(comments.get(item.name, ''))}{marker}{text}"


def constant(item: Item, comments: Comments, marker: str) -> str:
    """Return a constant: a macro, so that C can use it as a case label and an array size.

    Parameters
    ----------
    item : Item
        A constant of the description.
    comments : mapping
        Comment text by name.
    marker : str
        The release marker line.

    Returns
    -------
    str
        C text.
    """
    value = re.sub(r"^\(\s*(.*?)\s*\)$", r"\1", str(item.data["value"]))
    if value == "0xFFFFFFFFFFFFFFFE":
        value += "ULL"
    if item.name == "OK":
        text = "static const aclnnStatus OK = 0;\n"
    else:
        text = f"#define {item.name} {value.replace('0X', '0x')}\n"
    return f"{comment(comments.get(item.name, _sentence(item.meaning)))}{marker}{text}"


def operator(op: Operator, comments: Comments) -> str:
    """Return the two prototypes of an operator.

    Parameters
    ----------
    op : Operator
        An operator of the description.
    comments : mapping
        Comment text by operator name.

    Returns
    -------
    str
        C text.
    """
    marker = release_marker(op.releases)
    first = f"{op.name}GetWorkspaceSize"
    text = comments.get(first, "")
    if op.older_params and not text:
        text = f"CANN 8.1 declares ({parameter_list(op.older_params)})."
    return (
        f"{comment(text)}{marker}"
        f"ACLNN_API aclnnStatus {first}({parameter_list(op.params)});\n\n"
        f"{comment(comments.get(op.name, ''))}{marker}"
        f"ACLNN_API aclnnStatus {op.name}({parameter_list(op.run_params)});\n"
    )


def frame(path: str, top: str, includes: Iterable[str], before: str, body: str) -> str:
    """Return a whole header around its declarations.

    Parameters
    ----------
    path : str
        The header's path below the include directory; names the include guard.
    top : str
        The comment that opens the file.
    includes : iterable of str
        Include operands with their quotes or brackets.
    before : str
        Text between the includes and the linkage block: macros.
    body : str
        The declarations; without any there is no linkage block.

    Returns
    -------
    str
        C text.
    """
    guard = "PYACLNN_" + re.sub(r"\W", "_", path).upper() + "_"
    lines = [comment(top), f"#ifndef {guard}\n#define {guard}\n\n"]
    lines += [f"#include {name}\n" if name else "\n" for name in includes]
    lines.append("\n" + before)
    if body:
        lines.append('\n#ifdef __cplusplus\nextern "C" {\n#endif\n\n')
        lines.append(body)
        lines.append("\n#ifdef __cplusplus\n}\n#endif\n")
    lines.append(f"\n#endif  // {guard}\n")
    return re.sub(r"\n{3,}", "\n\n", "".join(lines))


def formatted(text: str) -> str:
    """Return text as clang-format lays it out, with the style file above the working directory.

    Parameters
    ----------
    text : str
        C text.

    Returns
    -------
    str
        The same declarations, laid out.

    Raises
    ------
    FileNotFoundError
        If clang-format is not installed.
    """
    command = ["clang-format", "--assume-filename=header.h"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout


def _type_definition(
    item: Item, keyword: str, body: str, comments: Comments, marker: str, typedef: str | None
) -> str:
    top = comment(comments.get(typedef or item.name, "")) + marker
    if typedef is None:
        return f"{top}{keyword} {item.name} {{\n{body}}};\n"
    return f"{top}typedef {keyword} {item.name} {{\n{body}}} {typedef};\n"


def _members(fields: Sequence[Sequence[str]]) -> str:
    return "union {\n" + "".join(f"{declarator(t, n)};\n" for n, t in fields) + "}"


def _sentence(text: str) -> str:
    word = text.split(" ")[0]
    return text and f"{text[0].upper() if word.islower() else text[0]}{text[1:]}."
