"""What a compiler, CMake and the dynamic loader need to take the simulator for a toolkit."""

from __future__ import annotations

import os
import shlex
import tempfile
from pathlib import Path

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
    for directory in (root / "devlib", _cache(root)):
        try:
            directory.mkdir(parents=True, exist_ok=True)
            for name, library in LINK_NAMES.items():
                script = f"INPUT({root / 'lib64' / f'lib{library}.so'})\n"
                file = directory / f"lib{name}.so"
                if not file.exists() or file.read_text() != script:
                    file.write_text(script)
        except OSError:
            continue
        return directory
    return root / "lib64"


def _cache(root: Path) -> Path:
    user = os.environ.get("XDG_CACHE_HOME") or os.path.join(
        os.path.expanduser("~") if "HOME" in os.environ else tempfile.gettempdir(), ".cache"
    )
    return Path(user) / "pyaclnn" / f"devlib{root.as_posix().replace('/', '-')}"


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
        "CPATH": _before(str(root / "include"), "CPATH"),
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
        f"-DCMAKE_INCLUDE_PATH={root / 'include'}",
        f"-DCMAKE_LIBRARY_PATH={libraries}",
        f"-DCMAKE_EXE_LINKER_FLAGS={flags}",
    ]
    return " ".join(shlex.quote(argument) for argument in arguments)
