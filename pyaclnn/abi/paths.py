"""Where the vendored declarations and the simulator's toolkit root live on disk."""

from __future__ import annotations

import os
from pathlib import Path

from pyaclnn.abi.errors import HeaderError
from pyaclnn.abi.operator_index import OperatorIndex

PACKAGE = Path(__file__).resolve().parent.parent
_BUILT_IN = PACKAGE / "_toolkit"
#: A simulator built elsewhere (with sanitizers, say) is chosen by PYACLNN_SIM_HOME.
SIMULATOR_ROOT = Path(os.path.abspath(os.environ.get("PYACLNN_SIM_HOME") or _BUILT_IN))
SIMULATOR_LIBRARIES = SIMULATOR_ROOT / "lib64"
SIMULATOR_CORE = "libpyaclnn_sim.so"

#: Names and outputs of the operators that the vendored headers declare.
OPERATORS = OperatorIndex(_BUILT_IN, PACKAGE / "table")

#: Bytes of a header that are read: a hundred times the largest of CANN's.
MAX_HEADER = 8 << 20


def vendored_headers() -> Path:
    """Return the directory that holds the vendored ``acl/``, ``aclnn/`` and ``aclnnop/``.

    Returns
    -------
    Path
        ``pyaclnn/_toolkit/include`` of an installation, or ``headers/`` of a checkout whose
        simulator has not been built yet.
    """
    installed = _BUILT_IN / "include"
    return installed if installed.is_dir() else PACKAGE.parent / "headers"


def is_simulator(root: Path) -> bool:
    """Tell whether a toolkit root is a simulator rather than an installation of CANN.

    Parameters
    ----------
    root : Path
        A directory that has ``lib64`` below it.

    Returns
    -------
    bool
        True where the simulator's core library lies beside the others.
    """
    return (root / "lib64" / SIMULATOR_CORE).exists()


def build_problem() -> str:
    """Return why the installation could not build the simulator.

    Returns
    -------
    str
        A sentence that begins with a space, or empty where no attempt is on record.
    """
    # Only an error needs it.
    import json

    try:
        report = json.loads((SIMULATOR_ROOT / "build.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    problem = report.get("error")
    return f" When pyaclnn was installed: {problem}." if problem else ""


def read_header(file: Path) -> bytes:
    """Return the contents of a header.

    Parameters
    ----------
    file : Path
        The header.

    Raises
    ------
    HeaderError
        It cannot be read, or is larger than any header.
    """
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_HEADER + 1)
    except OSError as error:
        raise HeaderError(f"cannot be read: {error.strerror}", str(file)) from None
    if len(data) > MAX_HEADER:
        raise HeaderError(f"is longer than {MAX_HEADER} bytes: no header", str(file))
    return data
