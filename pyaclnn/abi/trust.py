"""Trust in files: a library that other users can modify is not loaded into this process."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def absolute(path: str | os.PathLike[str]) -> Path:
    """Return a path of an environment variable as an absolute one.

    Parameters
    ----------
    path : path-like
        As the environment has it.
    """
    return Path(os.path.abspath(path))


def doubt(path: Path) -> str:
    """Return why a file or folder is not to be trusted.

    Symbolic links are followed; the folders that hold them count as well. A folder in which
    everybody may create files but not remove those of others, as ``/tmp``, is no place to load
    from; what root or this user owns inside it is.

    Parameters
    ----------
    path : Path
        An absolute path.

    Returns
    -------
    str
        Which part everybody can write to, with what to do about it; empty where nobody else can,
        or nothing is there.
    """
    try:
        real = Path(os.path.realpath(path))
        return _doubt(path.parent / path.name) or (_doubt(real) if real != path else "")
    except OSError as error:
        return f"{path} cannot be examined: {error.strerror}"


def _doubt(path: Path) -> str:
    chain = [*reversed(path.parents), path]
    for place, part in enumerate(chain):
        try:
            found = part.lstat()
        except FileNotFoundError:
            return ""
        if stat.S_ISLNK(found.st_mode) or not found.st_mode & stat.S_IWOTH:
            continue
        if part == path or not found.st_mode & stat.S_ISVTX:
            kind = "file" if stat.S_ISREG(found.st_mode) else "folder"
            return f"everybody can write to the {kind} {part} (chmod o-w {part})"
        below = chain[place + 1]
        try:
            owner = below.lstat().st_uid
        except FileNotFoundError:
            return ""
        if owner not in (0, os.geteuid()):
            return f"{below} belongs to user {owner}, in {part}, where everybody can create files"
    return ""
