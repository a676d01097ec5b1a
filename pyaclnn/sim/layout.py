"""The files of a toolkit root other than libraries.

Like ``build.py``, which runs it, it imports nothing of pyaclnn and nothing outside the standard
library.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_SIM_DIR = Path(__file__).resolve().parent

#: The version in the root's files; functions return the release of PYACLNN_SIM_CANN.
VERSION = "9.1.0"

#: Folders of packages that programs look for, each with a file of its version.
PACKAGES = ("compiler", "opp", "runtime")

#: The same since CANN 8.5, in ``share/info``.
INFORMED = (
    "asc-devkit", "ge-compiler", "ge-executor", "hcomm", "hccl", "metadef", "opbase", "ops-cv",
    "ops-math", "ops-nn", "ops-transformer", "runtime",
)  # fmt: skip

SET_ENV = """\
# The variables of a toolkit, to be read by a shell: source <root>/set_env.sh
_pyaclnn_prepend() {
    eval "_pyaclnn_old=\\${$1:-}"
    case ":$_pyaclnn_old:" in
        *":$2:"*) ;;
        *) export "$1=$2${_pyaclnn_old:+:$_pyaclnn_old}" ;;
    esac
    unset _pyaclnn_old
}

if [ -n "${BASH_SOURCE:-}" ]; then
    _pyaclnn_root=$BASH_SOURCE
elif [ -n "${ZSH_VERSION:-}" ]; then
    eval '_pyaclnn_root=${(%):-%x}'
elif [ -n "${ASCEND_HOME_PATH:-}" ]; then
    _pyaclnn_root=$ASCEND_HOME_PATH/set_env.sh
else
    # Other shells do not tell which file they read.
    echo "set_env.sh: use bash or zsh, or set ASCEND_HOME_PATH before" >&2
    return 1
fi
_pyaclnn_root=$(CDPATH= cd -- "$(dirname -- "$_pyaclnn_root")" && pwd -P)

export ASCEND_HOME_PATH="$_pyaclnn_root"
export ASCEND_TOOLKIT_HOME="$_pyaclnn_root"
export ASCEND_OPP_PATH="$_pyaclnn_root/opp"
export ASCEND_AICPU_PATH="$_pyaclnn_root"
export TOOLCHAIN_HOME="$_pyaclnn_root/toolkit"
_pyaclnn_prepend LD_LIBRARY_PATH "$_pyaclnn_root/lib64"
_pyaclnn_prepend CMAKE_PREFIX_PATH "$_pyaclnn_root"

unset _pyaclnn_root
unset -f _pyaclnn_prepend
"""


def place_headers(headers: Path, toolkit: Path, *, copy: bool) -> None:
    """Lay out ``toolkit/include``: copies for a wheel, links for a checkout."""
    include = toolkit / "include"
    include.mkdir(parents=True, exist_ok=True)
    for source in [*sorted(headers.iterdir()), _SIM_DIR / "include" / "pyaclnn"]:
        target = include / source.name
        if target.is_symlink() or target.is_file():
            target.unlink()
        elif target.exists():
            shutil.rmtree(target)
        if copy:
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
        else:
            target.symlink_to(os.path.relpath(source, include), target_is_directory=True)


def place(root: Path, machine: str) -> None:
    """Write the version files, ``set_env.sh`` and the known differences.

    Parameters
    ----------
    root : Path
        The toolkit root.
    machine : str
        The machine of its libraries, as ``uname -m`` prints it.
    """
    for package in PACKAGES:
        folder = root / package
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "version.info").write_text(f"Version={VERSION}\n", encoding="utf-8")
    for package in INFORMED:
        folder = root / "share" / "info" / package
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "version.info").write_text(f"Version={VERSION}\n", encoding="utf-8")
    (root / "version.cfg").write_text(
        "".join(f"{p}_running_version=[{VERSION}:{VERSION}]\n" for p in PACKAGES), encoding="utf-8"
    )
    folder = root / f"{machine}-linux"
    folder.mkdir(exist_ok=True)
    (folder / "ascend_toolkit_install.info").write_text(
        f"package_name=Ascend-cann-toolkit\nversion={VERSION}\narch={machine}\nos=linux\n",
        encoding="utf-8",
    )
    (root / "set_env.sh").write_text(SET_ENV, encoding="utf-8")
    # Differences of an installed CANN, which the simulator's profiles read.
    shutil.copyfile(_SIM_DIR.parent / "table" / "differences.json", root / "differences.json")
