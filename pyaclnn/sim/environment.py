"""What a compiler, CMake and the dynamic loader need to take the simulator for a toolkit."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from pyaclnn.abi.trust import absolute, doubt

#: Names CANN 8.5 and later link by, and the simulator's library that has their symbols.
LINK_NAMES = {
    "acl_rt": "ascendcl",
    "opapi_cv": "opapi",
    "opapi_math": "opapi",
    "opapi_nn": "opapi",
    "opapi_transformer": "opapi",
}


def link_directory(root: Path) -> Path:
    """Return a directory in which ``-lopapi_nn`` and its like are found.

    The files are linker scripts, so programs need only the libraries of ``lib64`` to run. They
    are kept apart from those, as their names would tell a loader of a split toolkit.

    Parameters
    ----------
    root : Path
        The toolkit root.
    """
    for directory in (root / "devlib", *_cache(root)):
        try:
            directory.mkdir(mode=0o755, parents=True, exist_ok=True)
            # What a linker is told to link must not be for others to say.
            if doubt(directory):
                continue
            for name, library in LINK_NAMES.items():
                script = f"INPUT({root / 'lib64' / f'lib{library}.so'})\n"
                file = directory / f"lib{name}.so"
                if not file.exists() or file.read_text() != script:
                    file.write_text(script)
                    file.chmod(0o644)
        except OSError:
            continue
        return directory
    return root / "lib64"


def _cache(root: Path) -> list[Path]:
    """Return a directory of this user alone, if there is one: no shared one will do."""
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if user.startswith("~"):
        return []
    return [absolute(user) / "pyaclnn" / f"devlib{root.as_posix().replace('/', '-')}"]


def include_directories(root: Path) -> list[str]:
    """Return where headers are looked for: some samples name operators' headers without a folder.

    Parameters
    ----------
    root : Path
        The toolkit root.
    """
    return [str(root / "include"), str(root / "include" / "aclnnop")]


def variables(root: Path) -> dict[str, str]:
    """Return the environment variables of a toolkit, extended where they are lists.

    Parameters
    ----------
    root : Path
        The toolkit root.
    """
    lib64 = str(root / "lib64")
    return {
        "ASCEND_HOME_PATH": str(root),
        "ASCEND_TOOLKIT_HOME": str(root),
        "LD_LIBRARY_PATH": _before(lib64, "LD_LIBRARY_PATH"),
        "LIBRARY_PATH": _before(f"{lib64}:{link_directory(root)}", "LIBRARY_PATH"),
        "CPATH": _before(":".join(include_directories(root)), "CPATH"),
    }


def _before(first: str, variable: str) -> str:
    known = os.environ.get(variable, "")
    added = [part for part in first.split(":") if part not in known.split(":")]
    return ":".join([*added, *([known] if known else [])])


def shell(root: Path) -> str:
    """Return the variables as lines that a shell evaluates."""
    return "\n".join(f"export {n}={shlex.quote(v)}" for n, v in variables(root).items())


def cmake(root: Path) -> str:
    """Return arguments for CMake: where headers and libraries are.

    Parameters
    ----------
    root : Path
        The toolkit root.
    """
    libraries = f"{root / 'lib64'};{link_directory(root)}"
    flags = f"-L{root / 'lib64'} -L{link_directory(root)} -Wl,-rpath,{root / 'lib64'}"
    arguments = [
        f"-DCMAKE_PREFIX_PATH={root}",
        f"-DCMAKE_INCLUDE_PATH={';'.join(include_directories(root))}",
        # Of every target, as the samples' own include_directories name `include` only.
        f"-DCMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES={';'.join(include_directories(root))}",
        f"-DCMAKE_LIBRARY_PATH={libraries}",
        f"-DCMAKE_EXE_LINKER_FLAGS={flags}",
    ]
    return " ".join(shlex.quote(argument) for argument in arguments)
