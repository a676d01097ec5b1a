"""``python -m pyaclnn.sim``: where the simulator is, and how to build it after installation."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from pyaclnn._command import completed, run_command
from pyaclnn.abi.paths import SIMULATOR_ROOT
from pyaclnn.sim import build, environment


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the toolkit root or the variables for it, or build it."""
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.sim",
        epilog="Exit status: 0 done, 1 the simulator is not built, 2 wrong usage.",
    )
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument(
        "--home", action="store_true", help="print the toolkit root, for ASCEND_HOME_PATH"
    )
    action.add_argument(
        "--env", action="store_true", help="print the variables of a toolkit, for eval in a shell"
    )
    action.add_argument("--cmake", action="store_true", help="print arguments for CMake, for eval")
    action.add_argument("--json", action="store_true", help="where it is and how it was built")
    action.add_argument("--build", action="store_true", help="compile the simulator in place")
    parser.add_argument(
        "--source-tree", action="store_true",
        help="with --env and --cmake: headers as samples in CANN's source tree include them, too; "
        "with --home: print their include directory",
    )  # fmt: skip
    options, rest = completed(parser).parse_known_args(arguments)
    if options.build:
        return build.main(rest)
    if rest:
        parser.error(f"unrecognised arguments: {' '.join(rest)}")
    root = SIMULATOR_ROOT
    built = (root / "lib64" / build.CORE).exists()
    if options.json:
        report = root / build.REPORT_NAME
        how = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
        print(json.dumps({"home": str(root), "built": built, "report": how}, indent=1))
        return 0 if built else 1
    if not built:
        print(
            f"the simulator is not built in {root}: install a C++17 compiler or the Python package "
            "ziglang, then run `python -m pyaclnn.sim --build`",
            file=sys.stderr,
        )
        return 1
    try:
        if options.env:
            print(environment.shell(root, with_source_tree=options.source_tree))
        elif options.cmake:
            print(environment.cmake(root, with_source_tree=options.source_tree))
        else:
            print(environment.source_tree(root) if options.source_tree else root)
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    run_command(main)
