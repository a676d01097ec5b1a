"""Settings by which compilers, CMake and the dynamic loader use the simulator as a toolkit."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pyaclnn.abi.trust import absolute, doubt
from pyaclnn.sim.source_tree import lay_out

#: Library names of CANN 8.5 and later, and the simulator's library with their symbols.
LINK_NAMES = {
    "acl_rt": "ascendcl",
    "opapi_cv": "opapi",
    "opapi_math": "opapi",
    "opapi_nn": "opapi",
    "opapi_transformer": "opapi",
}


def link_directory(root: Path) -> Path:
    """Return a directory in which ``-lopapi_nn`` and its like are found.

    The files are linker scripts, so programs need only the libraries of ``lib64`` to run. They are
    in a folder of their own, because their names in ``lib64`` would indicate a split toolkit.

    Parameters
    ----------
    root : Path
        The toolkit root.
    """
    for directory in _places(root, "devlib"):
        try:
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


def source_tree(root: Path) -> Path:
    """Return an include directory that stands for the source tree of CANN's operators.

    Parameters
    ----------
    root : Path
        The toolkit root.

    Raises
    ------
    OSError
        Where it cannot be made.
    """
    for directory in _places(root, "source_tree"):
        with suppress(OSError):
            return lay_out(directory, root / "include")
    raise OSError(f"no place for it: {root} and ~/.cache cannot be written to")


def _places(root: Path, name: str) -> Iterator[Path]:
    """Make a directory that only this user can write to, in the root or in the user's cache."""
    for directory in (root / name, *_cache(root, name)):
        try:
            directory.mkdir(mode=0o755, parents=True, exist_ok=True)
            # Others must not be able to change what compilers and linkers read.
            if doubt(directory):
                continue
        except OSError:
            continue
        yield directory


def _cache(root: Path, name: str) -> list[Path]:
    """Return a private directory of this user, if there is one; shared ones are not used."""
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if user.startswith("~"):
        return []
    return [absolute(user) / "pyaclnn" / f"{name}{root.as_posix().replace('/', '-')}"]


def include_directories(root: Path, *, with_source_tree: bool = False) -> list[str]:
    """Return where headers are looked for: some samples name operators' headers without a folder.

    Parameters
    ----------
    root : Path
        The toolkit root.
    with_source_tree : bool
        Whether `source_tree` is one of them, the last.
    """
    further = [str(source_tree(root))] if with_source_tree else []
    return [str(root / "include"), str(root / "include" / "aclnnop"), *further]


def variables(root: Path, *, with_source_tree: bool = False) -> dict[str, str]:
    """Return the environment variables of a toolkit, extended where they are lists.

    Parameters
    ----------
    root : Path
        The toolkit root.
    with_source_tree : bool
        Whether compilers are to find the headers of `source_tree`, too.
    """
    includes = include_directories(root, with_source_tree=with_source_tree)
    libraries = f"{root / 'lib64'}:{link_directory(root)}"
    return _home(root) | {
        "LIBRARY_PATH": _before(libraries, "LIBRARY_PATH"),
        "CPATH": _before(":".join(includes), "CPATH"),
    }


def of_programs(root: Path) -> dict[str, str]:
    """Return the variables that ``set_env.sh`` sets for programs.

    Parameters
    ----------
    root : Path
        The toolkit root.
    """
    return _home(root) | {
        "ASCEND_OPP_PATH": str(root / "opp"),
        "ASCEND_AICPU_PATH": str(root),
        "TOOLCHAIN_HOME": str(root / "toolkit"),
        "CMAKE_PREFIX_PATH": _before(str(root), "CMAKE_PREFIX_PATH"),
    }


def _home(root: Path) -> dict[str, str]:
    """Return what says where the toolkit is, to compilers and to programs."""
    return {
        "ASCEND_HOME_PATH": str(root),
        "ASCEND_TOOLKIT_HOME": str(root),
        "LD_LIBRARY_PATH": _before(str(root / "lib64"), "LD_LIBRARY_PATH"),
    }


def _before(first: str, variable: str) -> str:
    known = os.environ.get(variable, "")
    added = [part for part in first.split(":") if part not in known.split(":")]
    return ":".join([*added, *([known] if known else [])])


def shell(root: Path, *, with_source_tree: bool = False) -> str:
    """Return the variables as lines that a shell evaluates."""
    found = variables(root, with_source_tree=with_source_tree)
    return "\n".join(f"export {n}={shlex.quote(v)}" for n, v in found.items())


def cmake(root: Path, *, with_source_tree: bool = False) -> str:
    """Return arguments for CMake: where headers and libraries are.

    Parameters
    ----------
    root : Path
        The toolkit root.
    with_source_tree : bool
        Whether the headers of `source_tree` are among them.
    """
    libraries = f"{root / 'lib64'};{link_directory(root)}"
    flags = f"-L{root / 'lib64'} -L{link_directory(root)} -Wl,-rpath,{root / 'lib64'}"
    includes = ";".join(include_directories(root, with_source_tree=with_source_tree))
    arguments = [
        f"-DCMAKE_PREFIX_PATH={root}",
        f"-DCMAKE_INCLUDE_PATH={includes}",
        # For every target, since the samples' own include_directories have only `include`.
        f"-DCMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES={includes}",
        f"-DCMAKE_LIBRARY_PATH={libraries}",
        f"-DCMAKE_EXE_LINKER_FLAGS={flags}",
    ]
    return " ".join(shlex.quote(argument) for argument in arguments)
