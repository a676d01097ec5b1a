"""Run selftest for each operator of a share, and keep the blocks that it ran.

    python -m reaching.selftests FOLDER SHARE SHARES

``PYACLNN_SIM_HOME`` names the library that marks its blocks, ``PYACLNN_SIM_SOC`` the chip.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from pathlib import Path

from reaching.marks import Marks


def main(folder: str, share: str, shares: str) -> None:
    """Run the program."""
    chip = os.environ["PYACLNN_SIM_SOC"]
    marks = Marks(Path(folder), f"{chip}-{share}")  # before the library is loaded
    from pyaclnn.ops.naming import operator_name
    from pyaclnn.selftest.__main__ import main as selftest
    from pyaclnn.table import ROWS

    names = sorted(row.c_name for row in ROWS)
    for name in names[int(share) :: int(shares)]:
        marks.take()
        begun = time.monotonic()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            # Exits with 2 where the chip has no such operator.
            try:
                status = selftest(["--op", operator_name(name), "--processes", "1"])
            except SystemExit:
                continue
        if status == 0:
            marks.keep(f"{chip} {name}", time.monotonic() - begun)


if __name__ == "__main__":
    main(*sys.argv[1:])
