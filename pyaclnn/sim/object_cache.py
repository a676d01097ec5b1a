"""A cache of object files, keyed by the contents of all files that they were compiled from.

The compiler lists the files that an object depends on. The list is stored beside the object, with
paths relative to named roots and without file times: so a cache folder stays valid in another
checkout or a new clone. Like ``build.py``, which runs it, it imports nothing of pyaclnn and nothing
outside the standard library.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

_WORD = re.compile(r"(?:\\.|[^\s\\])+")
_ESCAPED = re.compile(r"\\(.)|\$\$")
#: Of the header of a 64-bit ELF file: offset of the section table, size and number of its entries.
#: The table is at the end, so that a truncated file is recognised.
_ELF = struct.Struct("<40xQ10xHH2x")
#: An upper bound of the resolution of file times.
_TICK_NS = 20_000_000
#: The number of retries for a file that changes while it is compiled.
_ATTEMPTS = 5


def is_whole(file: Path) -> bool:
    """Return whether an object file is there with all that its header promises.

    Parameters
    ----------
    file : Path
        What a compiler wrote, or what is left of it.
    """
    try:
        with file.open("rb") as stream:
            head = stream.read(_ELF.size)
            size = os.fstat(stream.fileno()).st_size
    except OSError:
        return False
    if len(head) < _ELF.size or not head.startswith(b"\x7fELF"):
        return False
    where, each, count = _ELF.unpack(head)
    return bool(where) and where + each * count <= size


def read_depfile(text: str) -> list[str]:
    """Return the files that the rule a compiler wrote (``-MMD``) names as prerequisites.

    Parameters
    ----------
    text : str
        One rule of a makefile, ``target: file file``, with backslashes before line ends.
    """
    _, _, files = text.replace("\\\n", " ").partition(":")
    return [_ESCAPED.sub(lambda m: m[1] or "$", word) for word in _WORD.findall(files)]


class ObjectCache:
    """A folder of objects.

    Parameters
    ----------
    folder : Path
        Where they are; made where it is not there.
    key : str
        All that decides about an object besides files: compiler and flags.
    roots : mapping of str to Path
        The folders that sources and headers are in, by name; files elsewhere are known by their
        absolute path.
    """

    def __init__(self, folder: Path, key: str, roots: Mapping[str, Path]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._key = key
        self._roots = [(name, Path(os.path.abspath(root))) for name, root in roots.items()]
        #: The digest of each file, and its times when it was read.
        self._hashes: dict[str, tuple[tuple[int, int, int], str]] = {}

    def compile(self, source: Path, run: Callable[[Sequence[str]], None]) -> Path:
        """Return the object of a source file, compiled where there is none of the same content.

        Parameters
        ----------
        source : Path
            The file.
        run : callable
            Runs the compiler with the arguments it is given.
        """
        name = self._named(source)
        stem = f"{name.partition(':')[2].strip('/').replace('/', '-')}-"
        stem += self._hash([self._key, name])[:12]
        notes = self._folder / f"{stem}.json"
        if (used := self._used(notes)) and is_whole(target := self._object(stem, used)):
            return target
        for attempt in range(_ATTEMPTS):
            target, used, settled = self._compiled(source, name, stem, run, used)
            if settled or attempt + 1 == _ATTEMPTS:
                break
            target.unlink()
        return target

    def _compiled(
        self,
        source: Path,
        name: str,
        stem: str,
        run: Callable[[Sequence[str]], None],
        expected: Iterable[str],
    ) -> tuple[Path, list[str], bool]:
        """Compile a file; return its dependencies, and whether they were unchanged meanwhile.

        If not, the object gets a name that no later build looks for.
        """
        notes = self._folder / f"{stem}.json"
        partial = self._folder / f"{stem}.{os.getpid()}.part"
        depfile = partial.with_suffix(".d")
        before = {each: self._content(each) for each in {name, *expected}}
        started = time.time_ns() - _TICK_NS
        try:
            # One target name for all, because some compiler caches include it in their key.
            say = ["-MMD", "-MF", str(depfile), "-MT", "object"]
            run([*say, "-c", str(source), "-o", str(partial)])
            read = read_depfile(depfile.read_text("utf-8"))
            # A precompiled header depends on the compiler's headers only, and the compiler is in
            # the key.
            files = {self._named(Path(f)) for f in read if not f.endswith(".gch")}
            # The source itself comes first: compilers that resolve links may call it otherwise.
            used = [name, *sorted(files - {name})]
            if not all(self._is_settled(each, before.get(each), started) for each in used):
                target = self._folder / f"{stem}-unsettled.{os.getpid()}.o"
                partial.replace(target)
                return target, used, False
            target = self._object(stem, used)
            partial.replace(target)
            depfile.write_text(json.dumps(used, indent=0) + "\n", encoding="utf-8")
            depfile.replace(notes)
        finally:
            partial.unlink(missing_ok=True)
            depfile.unlink(missing_ok=True)
        return target, used, True

    def _is_settled(self, named: str, before: str | None, started: int) -> bool:
        if before is not None:
            return self._content(named) == before
        try:
            return self._path(named).stat().st_mtime_ns < started
        except (OSError, KeyError):
            return True

    def _named(self, file: Path) -> str:
        path = Path(os.path.abspath(file))
        for name, root in self._roots:
            if path.is_relative_to(root):
                return f"{name}:{path.relative_to(root).as_posix()}"
        return f":{path.as_posix()}"

    def _path(self, named: str) -> Path:
        root, _, path = named.partition(":")
        return Path(dict(self._roots)[root], path) if root else Path(path)

    def _used(self, notes: Path) -> list[str]:
        """Return the recorded dependencies of an object; nothing if there are none."""
        try:
            return [str(name) for name in json.loads(notes.read_text(encoding="utf-8"))]
        except (OSError, ValueError):
            return []

    def _object(self, stem: str, used: Iterable[str]) -> Path:
        contents = [part for name in used for part in (name, self._content(name))]
        return self._folder / f"{stem}-{self._hash(contents)[:16]}.o"

    def _content(self, named: str) -> str:
        try:
            path = self._path(named)
            about = path.stat()
            times = (about.st_mtime_ns, about.st_size, about.st_ino)
            known = self._hashes.get(named)
            if known is None or known[0] != times:
                known = times, hashlib.sha256(path.read_bytes()).hexdigest()
                self._hashes[named] = known
        except (OSError, KeyError):
            return "gone"
        return known[1]

    @staticmethod
    def _hash(parts: Iterable[str]) -> str:
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()
