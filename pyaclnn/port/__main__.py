"""``python -m pyaclnn.port sample.cpp``: a Python program from a C++ sample of CANN."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from pyaclnn import abi
from pyaclnn._command import completed, run_command
from pyaclnn.port.check import compare
from pyaclnn.port.errors import PortError
from pyaclnn.port.port import port
from pyaclnn.port.survey import survey
from pyaclnn.port.writing.launched import launched


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
        epilog="Exit status: 0 all of it was translated (and prints the same, with --check), 1 a "
        "part was not, 2 nothing could be.",
    )
    parser.add_argument("sample", type=Path, nargs="?", help="the C or C++ source")
    parser.add_argument(
        "--survey", type=Path, metavar="DIR",
        help="translate all samples below a folder, and count what is not understood by kind",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", type=Path, help="where to write, over what is there; else standard output"
    )
    parser.add_argument(
        "--style", choices=["idiomatic", "raw"], default="idiomatic",
        help="NumPy arrays and pa.ops, or every C call as a statement",
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true",
        help="compile and run the sample and its port, and compare what they print",
    )  # fmt: skip
    parser.add_argument(
        "--launched", action="store_true",
        help="of a sample with a thread for each rank: a program that `python -m "
        "pyaclnn.collective` or torchrun starts once for each",
    )  # fmt: skip
    parser.add_argument(
        "--headers", type=Path, action="append", default=[], metavar="DIR",
        help="an include directory that declares further operators",
    )  # fmt: skip
    parser.add_argument(
        "--arguments", type=shlex.split, default=[], metavar="WORDS",
        help="the sample's command line, for one that takes its sizes from there",
    )  # fmt: skip
    parser.add_argument(
        "--environment", type=_variable, action="append", default=[], metavar="NAME=VALUE",
        help="a variable of the environment that the sample looks for; it finds no others",
    )  # fmt: skip
    parser.add_argument(
        "--json", action="store_true",
        help="print JSON: the text, unless --output is given, and what was not translated",
    )  # fmt: skip
    options = completed(parser).parse_args(arguments)
    try:
        for path in options.headers:
            if not path.is_dir():
                raise PortError("is no directory of headers", str(path))
            abi.add_headers(path)
        if options.survey is not None:
            return survey(
                options.survey, options.style, options.headers, options.json,
                dict(options.environment),
            )  # fmt: skip
        if options.sample is None:
            parser.error("name a sample, or a folder by --survey")
        environment = dict(options.environment)
        result = port(
            options.sample, options.style, options.headers, options.arguments, environment
        )
        if options.launched and (options.check or options.style != "idiomatic"):
            parser.error("--launched is for the idiomatic style, and no port that --check runs")
        if options.launched:
            result = replace(result, text=launched(result.text, str(options.sample)))
        if options.check:
            return compare(options.sample, result, options.headers, options.arguments, environment)
        if options.output or not options.json:
            _write(result.text, options.output, options.sample)
    except (PortError, abi.HeaderError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if options.json:
        gaps = [{"file": str(g.file), "line": g.line, "reason": g.reason} for g in result.gaps]
        text = {} if options.output else {"text": result.text}
        print(json.dumps({"complete": not gaps, "gaps": gaps, **text}, indent=1))
        return 1 if gaps else 0
    for gap in result.gaps:
        print(f"{gap.file}:{gap.line}: not ported: {gap.reason}", file=sys.stderr)
    return 1 if result.gaps else 0


def _variable(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _write(text: str, output: Path | None, sample: Path) -> None:
    if output is None:
        with suppress(BrokenPipeError):
            sys.stdout.write(text)
            sys.stdout.flush()
        return
    if output.exists() and sample.exists() and output.samefile(sample):
        raise PortError("is the sample itself; name another file to write to", str(output))
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PortError(f"cannot be written: {error.strerror}", str(output)) from None


if __name__ == "__main__":
    run_command(main)
