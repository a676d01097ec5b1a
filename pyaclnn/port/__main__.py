"""``python -m pyaclnn.port sample.cpp``: a Python program from a C++ sample of CANN."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pyaclnn import abi
from pyaclnn.port.check import compare
from pyaclnn.port.errors import PortError
from pyaclnn.port.port import port


def main(arguments: Sequence[str] | None = None) -> int:
    """Translate or check one sample.

    Returns
    -------
    int
        0 if all of it was translated (and prints the same, with ``--check``), 1 if a part was
        not, 2 if nothing could be.
    """
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.port",
        description="Translate a C or C++ sample of CANN's aclnn API to Python.",
    )
    parser.add_argument("sample", type=Path, help="the C or C++ source")
    parser.add_argument("-o", "--output", type=Path, help="where to write; standard output if not")
    parser.add_argument(
        "--style", choices=["idiomatic", "raw"], default="idiomatic",
        help="NumPy arrays and pa.ops, or every C call as a statement",
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true",
        help="compile and run the sample and its port, and compare what they print",
    )  # fmt: skip
    parser.add_argument(
        "--headers", type=Path, action="append", default=[], metavar="DIR",
        help="an include directory that declares further operators",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    try:
        for path in options.headers:
            abi.add_headers(path)
        result = port(options.sample, options.style)
        if options.check:
            return compare(options.sample, result, options.headers)
    except (PortError, abi.HeaderError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if options.output is None:
        sys.stdout.write(result.text)
    else:
        options.output.write_text(result.text, encoding="utf-8")
    for gap in result.gaps:
        print(f"{options.sample}:{gap.line}: not ported: {gap.reason}", file=sys.stderr)
    return 1 if result.gaps else 0


if __name__ == "__main__":
    sys.exit(main())
