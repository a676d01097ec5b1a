"""Headers of a sample: found, read within limits, never outside of its directory or repository."""

from __future__ import annotations

from pathlib import Path

from pyaclnn.port.errors import LimitError, PortError
from pyaclnn.port.frontend.cmake import project_of
from pyaclnn.port.frontend.source import MAX_BYTES, read_source

MAX_FILES = 32

#: Quoted as the sample's own headers are, but CANN's.
_TOOLKIT = ("acl/", "aclnn/", "aclnnop/", "hccl/", "acl.h", "aclnn_", "experiment/", "runtime/")


#: Of headers that lie elsewhere in the repository, no other files are read.
_HEADERS = (".h", ".hh", ".hpp", ".inc", ".inl")


def repository_of(folder: Path) -> Path | None:
    """Return the checkout that a folder is in; None if it is in none."""
    return next((f for f in (folder, *folder.parents) if (f / ".git").exists()), None)


class Includes:
    """What the ``#include "..."`` of one sample lead to.

    Parameters
    ----------
    sample : Path
        The source. What lies in its directory or below is read, and headers of the checkout that
        it is in, which it includes by their path from there: ``../../common/tools.h``, or from a
        directory that the CMakeLists.txt beside it names.
    """

    def __init__(self, sample: Path) -> None:
        self._root = sample.parent.resolve()
        self._project = project_of(sample)
        self._repository = repository_of(self._root)
        self._read: set[Path] = {sample.resolve()}
        self._size = 0
        #: Names of headers of the sample that are not there.
        self.missing: list[str] = []

    def open(self, name: str, folder: Path, needed: bool = True) -> tuple[Path, str] | None:
        """Return the path and text of a header; None if it is not the sample's, or read before.

        Parameters
        ----------
        name : str
            What stands between the quotes.
        folder : Path
            Of the file that includes it.
        needed : bool
            Whether it counts as missing where it is not there.

        Raises
        ------
        LimitError
            For too many or too large headers.
        """
        path = self._find(name, folder)
        if path is None:
            if needed and not name.startswith(_TOOLKIT):
                self.missing.append(name)
            return None
        if path in self._read:
            return None
        self._read.add(path)
        if len(self._read) > MAX_FILES:
            raise LimitError(f"includes more than {MAX_FILES} files", str(path))
        try:
            text = read_source(path)
        except LimitError:
            raise
        except PortError:
            return path, ""
        self._size += len(text)
        if self._size > MAX_BYTES:
            raise LimitError(f"the headers beside it hold more than {MAX_BYTES >> 20} MiB", name)
        return path, text

    def source_of(self, header: str, folder: Path) -> tuple[Path, str] | None:
        """Return the source of the program that defines what a header declares, if there is one.

        It has the header's name, and lies beside it or is one of those that CMakeLists.txt lists.
        """
        stem = header.rpartition(".")[0]
        for end in (".cpp", ".cc", ".c") if stem else ():
            found = self.open(stem + end, folder, False)
            if found is not None:
                return found
        for path in self._project.sources:
            if stem and path.stem == Path(stem).name:
                return self.open(path.name, path.parent, False)
        return None

    def _find(self, name: str, folder: Path) -> Path | None:
        if not name or name.startswith(("/", "\\")) or "\0" in name:
            return None
        for start in dict.fromkeys([folder, self._root, *self._project.includes]):
            try:
                path = (start / name).resolve()
                if self._may_read(path) and path.is_file():
                    return path
            except (OSError, RuntimeError, ValueError):
                continue
        return None

    def _may_read(self, path: Path) -> bool:
        if path.is_relative_to(self._root):
            return True
        is_header = path.suffix in _HEADERS and ".git" not in path.parts
        return self._repository is not None and is_header and path.is_relative_to(self._repository)
