"""Headers that lie beside a sample: found, read within limits, never outside of its directory."""

from __future__ import annotations

from pathlib import Path

from pyaclnn.port.errors import LimitError, PortError
from pyaclnn.port.frontend.source import MAX_BYTES, read_source

MAX_FILES = 32

#: Quoted as the sample's own headers are, but CANN's.
_TOOLKIT = ("acl/", "aclnn/", "aclnnop/", "hccl/", "acl.h", "aclnn_", "experiment/", "runtime/")


class Includes:
    """What the ``#include "..."`` of one sample lead to.

    Parameters
    ----------
    sample : Path
        The source; only what lies in its directory or below is read.
    """

    def __init__(self, sample: Path) -> None:
        self._root = sample.parent.resolve()
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

    def _find(self, name: str, folder: Path) -> Path | None:
        if not name or name.startswith(("/", "\\")) or "\0" in name:
            return None
        for start in dict.fromkeys([folder, self._root]):
            try:
                path = (start / name).resolve()
                if path.is_relative_to(self._root) and path.is_file():
                    return path
            except (OSError, RuntimeError, ValueError):
                continue
        return None
