"""Where the vendored declarations and the simulator's toolkit root live on disk."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
SIMULATOR_ROOT = PACKAGE / "_toolkit"
SIMULATOR_LIBRARIES = SIMULATOR_ROOT / "lib64"
SIMULATOR_CORE = "libpyaclnn_sim.so"


def vendored_headers() -> Path:
    """Return the directory that holds the vendored ``acl/``, ``aclnn/`` and ``aclnnop/``.

    Returns
    -------
    Path
        ``pyaclnn/_toolkit/include`` of an installation, or ``headers/`` of a checkout whose
        simulator has not been built yet.
    """
    installed = SIMULATOR_ROOT / "include"
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
