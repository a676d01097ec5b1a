"""The CMakeLists.txt beside a sample: include directories and sources of its program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pyaclnn.port.errors import PortError
from pyaclnn.port.frontend.source import read_source

_COMMAND = re.compile(
    r"^[ \t]*(include_directories|target_include_directories|add_executable)\s*\(([^)]*)\)",
    re.M | re.I,
)
_COMMENT = re.compile(r"#[^\n]*")
_HERE = re.compile(r"\$\{(?:CMAKE_(?:CURRENT_)?(?:SOURCE|LIST)_DIR|PROJECT_SOURCE_DIR)\}/*")
_KEYWORDS = frozenset(["PRIVATE", "PUBLIC", "INTERFACE", "BEFORE", "AFTER", "SYSTEM", "WIN32"])


@dataclass(frozen=True)
class Project:
    """A program that CMake builds.

    Attributes
    ----------
    includes : tuple of Path
        Include directories, without those of the toolkit.
    sources : tuple of Path
        The sources of the program.
    """

    includes: tuple[Path, ...] = ()
    sources: tuple[Path, ...] = ()


def project_of(sample: Path) -> Project:
    """Return the program of a sample; an empty one without a CMakeLists.txt beside it."""
    folder = sample.parent.resolve()
    description = folder / "CMakeLists.txt"
    if not description.is_file():
        return Project()
    try:
        text = _COMMENT.sub("", read_source(description))
    except PortError:
        return Project()
    includes: list[Path] = []
    sources: list[Path] = []
    for command, arguments in _COMMAND.findall(text):
        words = [_HERE.sub("", word.strip('"')) or "." for word in arguments.split()]
        # The first is a target's name, but of directories for all of them.
        words = words[0 if command.lower() == "include_directories" else 1 :]
        paths = [folder / w for w in words if w not in _KEYWORDS and "$" not in w]
        if command.lower() == "add_executable":
            # Of several programs, the one that the sample is a part of.
            sources += paths if sample.name in words else []
        else:
            includes += paths
    return Project(tuple(dict.fromkeys(includes)), tuple(dict.fromkeys(sources)))
