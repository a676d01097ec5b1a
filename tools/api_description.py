"""The C API as data: the JSON description that headers are written from and checked against.

A description directory holds up to three files.  ``runtime.json`` maps ``functions``, ``enums``,
``typedefs``, ``structs`` and ``constants`` to their entries; ``operators.json`` maps each
operator to its header and the parameters of its two phases; ``error-codes.json`` lists status
codes with their header and meaning, also those ``runtime.json`` leaves out.  An entry that
differs between releases is split by release; everything here reads the newest form and notes
which releases have it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OLD, NEW = "8.1.RC1", "9.0"

# Where one release declares a name in one file and the next in another, the name is declared in
# the file that both include, so that programs written for either layout compile.
_SHARED_HOME = {
    ("acl/acl.h", "acl/acl_rt.h"): "acl/acl_rt.h",
    ("acl/acl_mdl.h", "acl/acl_rt.h"): "acl/acl_rt.h",
    ("acl/acl_base.h", "acl/acl_base_rt.h"): "acl/acl_base.h",
    ("acl/acl_rt_allocator.h", "acl/acl_base_rt.h"): "acl/acl_base.h",
    ("", "acl/acl_base_rt.h"): "acl/acl_base.h",
}

Parameters = list[tuple[str, str]]


@dataclass
class Item:
    """One declaration of the description."""

    name: str
    header: str
    releases: tuple[str, ...]
    published_in: tuple[str, ...]
    data: dict[str, Any]
    older: dict[str, Any] = field(default_factory=dict)
    meaning: str = ""


@dataclass
class Operator:
    """The two functions of one operator."""

    name: str
    header: str
    releases: tuple[str, ...]
    params: Parameters
    run_params: Parameters
    older_params: Parameters


@dataclass
class Description:
    """Every declaration, by kind and name."""

    functions: dict[str, Item] = field(default_factory=dict)
    enums: dict[str, Item] = field(default_factory=dict)
    typedefs: dict[str, Item] = field(default_factory=dict)
    structs: dict[str, Item] = field(default_factory=dict)
    constants: dict[str, Item] = field(default_factory=dict)
    operators: dict[str, Operator] = field(default_factory=dict)

    def headers(self) -> list[str]:
        """Return the runtime headers that declarations live in.

        Returns
        -------
        list of str
            Paths relative to an include directory, sorted.
        """
        kinds = (self.functions, self.enums, self.typedefs, self.structs, self.constants)
        return sorted({item.header for kind in kinds for item in kind.values()})


def load(directory: Path) -> Description:
    """Read a description directory.

    Parameters
    ----------
    directory : Path
        Holds ``runtime.json``, ``operators.json`` and ``error-codes.json``; each may be absent.

    Returns
    -------
    Description
        All declarations in their newest form.

    Raises
    ------
    FileNotFoundError
        If none of them is there.
    """
    result = Description()
    names = ("runtime.json", "operators.json", "error-codes.json")
    runtime, operators, codes = (directory / name for name in names)
    if not any(path.exists() for path in (runtime, operators, codes)):
        raise FileNotFoundError(
            f"{directory} holds none of {', '.join(names)}: "
            "pass the directory of an API description"
        )
    if runtime.exists():
        document = json.loads(runtime.read_text(encoding="utf-8"))
        for kind in ("functions", "enums", "typedefs", "structs", "constants"):
            target: dict[str, Item] = getattr(result, kind)
            for name, entry in document.get(kind, {}).items():
                target[name] = _item(name, entry)
    if operators.exists():
        for name, entry in json.loads(operators.read_text(encoding="utf-8")).items():
            result.operators[name] = Operator(
                name,
                entry["header"],
                tuple(entry["versions"]),
                [(p[0], p[1]) for p in entry["params"]],
                [(p[0], p[1]) for p in entry["run_params"]],
                [(p[0], p[1]) for p in entry.get(f"params_{OLD}", [])],
            )
    if codes.exists():
        enumerators = {n for enum in result.enums.values() for n in enum.data["values"]}
        for entry in json.loads(codes.read_text(encoding="utf-8")):
            if entry["name"] not in enumerators:
                _add_code(result.constants, entry)
    return result


def _add_code(constants: dict[str, Item], entry: dict[str, Any]) -> None:
    name, header = entry["name"], entry["source"]
    releases = (OLD, NEW) if entry["in_8_1"] else (NEW,)
    data = {"value": str(entry["code"])}
    item = constants.setdefault(name, Item(name, header, releases, (header,), data))
    item.meaning = entry["meaning"]


def _item(name: str, entry: dict[str, Any]) -> Item:
    if OLD in entry:
        old, new = entry[OLD], entry[NEW]
        data = {**new, "deprecated": old.get("deprecated") or new.get("deprecated")}
        places = (old["header"], new["header"])
        return Item(name, _home(*places), (OLD, NEW), places, data, older=old)
    releases = tuple(entry["versions"])
    first, second = entry["header"], entry.get(f"header_{NEW}")
    if second is not None:
        return Item(name, _home(first, second), releases, (first, second), entry)
    return Item(name, _home("", first), releases, (first,), entry)


def _home(old: str, new: str) -> str:
    return _SHARED_HOME.get((old, new), old or new)


def declarator(c_type: str, name: str) -> str:
    """Weave a name into a C type.

    Parameters
    ----------
    c_type : str
        A type as the description spells it: ``const char *``, ``int64_t[][2]``,
        ``void ( *)(void *)``.
    name : str
        The declared name.

    Returns
    -------
    str
        The declaration of ``name`` without semicolon.
    """
    pointer_to_function = re.match(r"(.*)\(\s*\*\s*\)(.*)", c_type)
    if pointer_to_function:
        return f"{pointer_to_function[1]}(*{name}){pointer_to_function[2]}"
    base, bracket, dimensions = c_type.partition("[")
    return f"{base.rstrip()} {name}{bracket}{dimensions}".replace("* ", "*")
