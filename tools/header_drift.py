"""Report where an installed toolkit's headers declare something else than ours.

Usage: ``python tools/header_drift.py TOOLKIT_INCLUDE_DIR [--headers DIR]``

Types and values are compared, not text.  Exits with 0 if nothing differs, 1 if something does,
2 if there is nothing to compare with.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pyaclnn.abi.drift import compare  # noqa: E402


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print the differences.

    Parameters
    ----------
    arguments : sequence of str, optional
        Command line without the program name.

    Returns
    -------
    int
        0 if nothing differs, 1 if something does, 2 if the toolkit has no headers.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("toolkit", type=Path, help="an include directory or a toolkit root")
    parser.add_argument("--headers", type=Path, default=ROOT / "headers", help="ours")
    options = parser.parse_args(arguments)
    try:
        drift = compare(options.headers, options.toolkit)
    except FileNotFoundError as error:
        print(f"cannot compare: {error}", file=sys.stderr)
        return 2
    for line in drift.report():
        print(line)
    return 1 if drift.differences or drift.unreadable else 0


if __name__ == "__main__":
    sys.exit(main())
