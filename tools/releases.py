"""Compare the public sources of CANN's operators at two tags: what changes for who calls them.

Usage: ``python tools/releases.py --sources DIR --tags v9.0.0 v9.1.0 [--headers headers] [--json]``

``DIR`` holds git repositories, with or without a work tree (``ops-math``, ``ops-nn``, ``ops-cv``,
``ops-transformer``); those that lack a tag use the nearest spelling of it (``v9.1.0.pre``) or are
named as left out. Reported are operators that came and went, prototypes that changed, products that
a document added or took back, and element types that it names or no longer names. With
``--headers`` the declarations of a folder are compared with those at the second tag instead.

Exits with 0 where nothing differs, 1 where something does, 2 where nothing could be compared.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

_PHASE_1 = re.compile(r"aclnnStatus\s+(acl\w+)GetWorkspaceSize\s*\(([^)]*)\)", re.S)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_PARAMETER = re.compile(r"(.*?)\s*(\w+)\s*(?:\[\])?$", re.S)
#: Of a number passed by value ``const`` says nothing.
_CONST_VALUE = re.compile(r"^const (?=u?int\d+_t$|bool$|double$|float$)")
#: What a package installs: headers of these names. ``_inner.h`` is for libraries among themselves.
_DECLARED = re.compile(r"/acl(?:nn)?_\w+(?<!_inner)\.h$")
#: Operators that users contributed, samples and stand-ins of tests: in no package.
_NOT_INSTALLED = re.compile(r"^(?:experimental|examples|tests)/|/(?:examples|tests)/")
_DOCUMENT = re.compile(r"/docs/(acl\w+)\.md$")
_PRODUCT = re.compile(
    r"^\|[\s<a-z>]*([^|<]*(?:Atlas|Ascend)[^|<]*?)\s*(?:</term>)?\s*\|\s*(√|×)", re.M
)
_DTYPE = re.compile(
    r"\b(?:FLOAT16|FLOAT32|FLOAT8_E\dM\d|FLOAT4_E\dM\d|FLOAT|BFLOAT16|DOUBLE|HIFLOAT8|BOOL"
    r"|U?INT(?:4|8|16|32|64)|COMPLEX(?:32|64|128))\b"
)

#: (type, name) of each parameter but workspaceSize and executor.
Prototype = tuple[tuple[str, str], ...]


@dataclass
class Release:
    """What the repositories say at one tag, by operator.

    Attributes
    ----------
    prototypes : dict
        Parameters of the first phase.
    products : dict
        Product -> whether the document says that it has the operator.
    dtypes : dict
        Element types that the document names.
    """

    prototypes: dict[str, Prototype] = field(default_factory=dict)
    products: dict[str, dict[str, bool]] = field(default_factory=dict)
    dtypes: dict[str, frozenset[str]] = field(default_factory=dict)


@dataclass
class Difference:
    """What one operator has at the second tag and had not at the first, and the other way."""

    operator: str
    kind: str
    before: str = ""
    after: str = ""


def prototypes(text: str) -> Iterator[tuple[str, Prototype]]:
    """Yield the operators that a header declares, with their parameters.

    Parameters
    ----------
    text : str
        C++.
    """
    for name, parameters in _PHASE_1.findall(_COMMENT.sub(" ", text)):
        yield name, tuple(_parameter(p) for p in parameters.split(",")[:-2])


def _parameter(text: str) -> tuple[str, str]:
    found = _PARAMETER.fullmatch(" ".join(text.partition("=")[0].split()))
    if found is None:
        return text.strip(), ""
    kind = re.sub(r"\s*\*\s*", "*", found[1]).strip()
    return _CONST_VALUE.sub("", kind), found[2]


class Repository:
    """A git repository, read at tags.

    Parameters
    ----------
    path : Path
        Its work tree or its git directory.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._git = ["git", "-C", str(path)]

    def tag(self, wanted: str) -> str | None:
        """Return the tag itself, or the one that only adds to its name; None for neither."""
        tags = self._run("tag", "--list").split()
        longer = sorted(t for t in tags if t.startswith(f"{wanted}."))
        return wanted if wanted in tags else next(iter(longer), None)

    def read(self, tag: str, release: Release) -> None:
        """Add what the repository says at a tag to a release."""
        files = self._run("ls-tree", "-r", "--name-only", tag).splitlines()
        files = [f for f in files if not _NOT_INSTALLED.search(f)]
        headers = [f for f in files if _DECLARED.search(f)]
        for _, text in self._texts(tag, headers):
            release.prototypes.update(prototypes(text))
        documents = {f: found[1] for f in files if (found := _DOCUMENT.search(f))}
        for file, text in self._texts(tag, documents):
            products = {name.strip(): mark == "√" for name, mark in _PRODUCT.findall(text)}
            release.products[documents[file]] = products
            release.dtypes[documents[file]] = frozenset(_DTYPE.findall(text))

    def _texts(self, tag: str, files: Iterable[str]) -> Iterator[tuple[str, str]]:
        names = list(files)
        asked = "".join(f"{tag}:{name}\n" for name in names).encode()
        done = subprocess.run(
            [*self._git, "cat-file", "--batch"], input=asked, capture_output=True, check=True
        )
        data, at = done.stdout, 0
        for name in names:
            end = data.index(b"\n", at)
            size = int(data[at:end].rsplit(b" ", 1)[1])
            yield name, data[end + 1 : end + 1 + size].decode(errors="replace")
            at = end + size + 2

    def _run(self, *arguments: str) -> str:
        done = subprocess.run([*self._git, *arguments], capture_output=True, text=True, check=True)
        return done.stdout


def differences(before: Release, after: Release) -> list[Difference]:
    """Return what differs between two releases.

    Parameters
    ----------
    before, after : Release
        The older and the newer one.
    """
    found = [
        *(Difference(n, "came") for n in after.prototypes.keys() - before.prototypes.keys()),
        *(Difference(n, "went") for n in before.prototypes.keys() - after.prototypes.keys()),
    ]
    for name in before.prototypes.keys() & after.prototypes.keys():
        old, new = before.prototypes[name], after.prototypes[name]
        if old != new:
            found.append(Difference(name, "prototype", *_changed(old, new)))
    for name in before.products.keys() & after.products.keys():
        old_has, new_has = before.products[name], after.products[name]
        for product in sorted(old_has.keys() & new_has.keys()):
            if old_has[product] != new_has[product]:
                kind = "product added" if new_has[product] else "product taken back"
                found.append(Difference(name, kind, "", product))
        more = sorted(after.dtypes[name] - before.dtypes[name])
        less = sorted(before.dtypes[name] - after.dtypes[name])
        if more or less:
            found.append(Difference(name, "element types", " ".join(less), " ".join(more)))
    return sorted(found, key=lambda d: (d.kind, d.operator, d.after))


def _changed(old: Prototype, new: Prototype) -> tuple[str, str]:
    """Return the parameters between the first and the last that differ."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    return _listed(old[first : len(old) - last]), _listed(new[first : len(new) - last])


def _listed(parameters: Prototype) -> str:
    return ", ".join(f"{kind} {name}" for kind, name in parameters)


def as_text(found: Sequence[Difference]) -> str:
    """Return the differences by kind.

    Parameters
    ----------
    found : sequence of Difference
        Of all operators.
    """
    lines = []
    for kind in dict.fromkeys(d.kind for d in found):
        members = [d for d in found if d.kind == kind]
        lines.append(f"{kind}: {len(members)}")
        for d in members:
            change = " -> ".join((f"({d.before})", f"({d.after})")) if d.before else d.after
            lines.append(f"  {d.operator} {change}".rstrip())
    return "\n".join(lines) or "nothing differs"


def repositories(sources: Path) -> list[Repository]:
    """Return the git repositories in a folder, or in folders of it.

    Parameters
    ----------
    sources : Path
        Where they were fetched to.
    """
    places = [sources, *sorted(sources.glob("*")), *sorted(sources.glob("*/*"))]
    return [
        Repository(place)
        for place in places
        if (place / ".git").exists() or ((place / "objects").is_dir() and (place / "refs").is_dir())
    ]


def _read(found: Sequence[Repository], tag: str) -> Release:
    release = Release()
    for repository in found:
        name = repository.tag(tag)
        if name is None:
            print(f"left out: {repository.path} has no tag {tag}", file=sys.stderr)
        else:
            repository.read(name, release)
    return release


def _declared(headers: Path) -> Release:
    release = Release()
    for path in headers.rglob("*.h"):
        release.prototypes.update(prototypes(path.read_text(encoding="utf-8")))
    return release


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print.

    Parameters
    ----------
    arguments : sequence of str, optional
        Command line without the program name.

    Returns
    -------
    int
        0 where nothing differs, 1 where something does, 2 where nothing could be compared.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sources", type=Path, required=True, help="folder of git repositories")
    parser.add_argument("--tags", nargs=2, required=True, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--headers", type=Path, help="compare these declarations with AFTER")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    options = parser.parse_args(arguments)
    found = repositories(options.sources)
    if not found:
        print(f"no git repository in {options.sources}", file=sys.stderr)
        return 2
    after = _read(found, options.tags[1])
    if options.headers is not None:
        before = _declared(options.headers)
        # An operator of a repository that is not there is not one that went.
        for name in before.prototypes.keys() - after.prototypes.keys():
            del before.prototypes[name]
    else:
        before = _read(found, options.tags[0])
    if not before.prototypes or not after.prototypes:
        print("no operator is declared at one of the tags", file=sys.stderr)
        return 2
    changes = differences(before, after)
    print(json.dumps([asdict(d) for d in changes], indent=1) if options.json else as_text(changes))
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
