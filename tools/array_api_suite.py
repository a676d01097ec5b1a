"""Run the official suite of the array API standard on `pyaclnn.array_api`.

    python tools/array_api_suite.py DIRECTORY            # 20 examples of each test
    python tools/array_api_suite.py DIRECTORY --quick    # 1 of each: a minute

DIRECTORY is a checkout of array-api-tests with its submodule; no package index has it. What is
skipped, and why, stands in `array_api_suite.txt` beside this file. The wide unsigned integers,
which CANN does not calculate with, are left out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = ("pytest", "hypothesis>=6.151.0", "ndindex>=1.8", "pytest-json-report")


def main() -> int:
    """Run the suite, and return its exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("directory", type=Path, help="a checkout of array-api-tests")
    parser.add_argument("--quick", action="store_true", help="a short form of it")
    parser.add_argument("--examples", type=int, help="how many are drawn for each test")
    known, further = parser.parse_known_args()
    if not (known.directory / "array_api_tests").is_dir():
        parser.error(f"{known.directory} is no checkout of array-api-tests")
    install = [sys.executable, "-m", "pip", "install", "--quiet", *PACKAGES]
    subprocess.run(install, check=True)
    environment = {
        "ARRAY_API_TESTS_MODULE": "pyaclnn.array_api",
        "ARRAY_API_TESTS_SKIP_DTYPES": "uint16,uint32,uint64",
        "ARRAY_API_TESTS_MAX_ARRAY_SIZE": "64" if known.quick else "128",
    }
    command = [
        sys.executable, "-m", "pytest", "-q", "--derandomize", "--disable-deadline",
        "--max-examples", str(known.examples or (1 if known.quick else 20)),
        f"--skips-file={HERE / 'array_api_suite.txt'}", "--rootdir=.", "array_api_tests", *further,
    ]  # fmt: skip
    # The suite's own folder is where its modules are, and pyaclnn may be a checkout.
    path = os.pathsep.join(filter(None, (str(HERE.parent), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        command, cwd=known.directory, env={**os.environ, **environment, "PYTHONPATH": path}
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
