"""``python -m pyaclnn.trace``: record the CANN calls of a program, show and replay them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from pyaclnn._command import command_to_complete, completed, run_command
from pyaclnn.abi import AclError
from pyaclnn.trace import difference, launch, summary
from pyaclnn.trace.reader import Call, Trace, TraceError

_EPILOG = """commands on what was recorded:
  show     a summary (--json), calls, a timeline (--chrome, --html)
  replay   make the calls again and compare what they give
  diff     compare two traces, call by call

Exit status: 0 done, 1 a difference or no trace, 2 wrong usage; when recording, the program's.
"""


def _size(parser: argparse.ArgumentParser, text: str) -> str:
    try:
        return launch.content_form(text)
    except ValueError as error:
        parser.error(f"--content {error}")


def _record(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.trace",
        usage="python -m pyaclnn.trace [options] [--] PROGRAM [ARGUMENT ...]\n"
        "       python -m pyaclnn.trace show|replay|diff ... --help",
        description="Run a program and record every call that it makes of CANN's libraries.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", default=Path("trace"),
                        help="a file for each process goes there (trace)")  # fmt: skip
    parser.add_argument("--last", type=int, metavar="N", help="keep the last N calls of a process")
    parser.add_argument("--content", default="none", metavar="FORM",
                        help="of tensors: none, hash, statistics, full, full:1M")  # fmt: skip
    parser.add_argument("--within", action="store_true",
                        help="record only what is in blocks of pa.trace(folder)")  # fmt: skip
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = completed(parser).parse_args(arguments)
    if options.program[:1] == ["--"]:
        del options.program[0]
    if not options.program:
        parser.error("no program: python -m pyaclnn.trace -- python train.py")
    if options.last is not None and options.last < 1:
        parser.error(f"--last {options.last}: one call at least")
    content = _size(parser, options.content)
    if options.within:
        return launch.run(options.program, {})
    folder: Path = options.output.absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.glob("*.trace")):
            parser.error(f"{options.output} has a trace already; -o names another folder")
    except OSError as error:
        parser.error(f"{options.output}: {error.strerror}")
    status = launch.run(options.program, launch.settings(folder, options.last, content))
    if any(folder.glob("*.trace")):
        print(f"pyaclnn.trace: {options.output}; python -m pyaclnn.trace show {options.output}",
              file=sys.stderr)  # fmt: skip
    else:
        print("pyaclnn.trace: the program called nothing of CANN", file=sys.stderr)
    return status


def _filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--operator", metavar="NAME", help="calls of this operator")
    parser.add_argument(
        "--function", metavar="TEXT", help="calls of functions with this in their name"
    )
    parser.add_argument("--process", type=int)
    parser.add_argument("--thread", type=int)
    parser.add_argument("--stream", type=lambda text: int(text, 0))
    parser.add_argument("--from", dest="first", type=int, metavar="A", help="calls from number A")
    parser.add_argument("--to", dest="last", type=int, metavar="B", help="calls up to number B")


def _chosen(trace: Trace, options: argparse.Namespace) -> list[Call]:
    names = ("operator", "function", "process", "thread", "stream", "first", "last")
    return summary.chosen(trace, **{name: getattr(options, name) for name in names})


def _show(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m pyaclnn.trace show")
    parser.add_argument("trace", type=Path)
    _filters(parser)
    parser.add_argument("--calls", action="store_true", help="each call instead of a summary")
    parser.add_argument("--failed", action="store_true", help="with --calls: those that failed")
    parser.add_argument(
        "--chrome", type=Path, metavar="JSON", help="for Perfetto, chrome://tracing"
    )
    parser.add_argument(
        "--html", type=Path, metavar="PAGE", help="one page with timeline and calls"
    )
    parser.add_argument("--json", action="store_true", help="the summary, for programs")
    options = completed(parser).parse_args(arguments)
    trace = Trace(options.trace)
    calls = _chosen(trace, options)
    from pyaclnn.trace import timeline

    if options.chrome:
        options.chrome.write_text(timeline.to_chrome(trace, calls), encoding="utf-8")
    if options.html:
        options.html.write_text(timeline.to_html(trace, calls), encoding="utf-8")
    if options.json:
        print(json.dumps(summary.as_data(calls), indent=1))
    elif options.calls:
        for call in calls:
            if call.failed or not options.failed:
                print(summary.line(call))
    elif not (options.chrome or options.html):
        print("\n".join(summary.report(trace, calls)))
    return 0


def _replay(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.trace replay",
        description="Make the calls of operators again, here, and compare what they give with what "
        "was recorded (--content full, hash or statistics).",
    )
    parser.add_argument("trace", type=Path)
    parser.add_argument("--from", dest="first", type=int, metavar="A", help="calls from number A")
    parser.add_argument("--to", dest="last", metavar="B", help="calls up to number B; "
                        "or cpp, python: write a program that makes them")  # fmt: skip
    parser.add_argument("--until", type=int, metavar="B", help="the last call, beside --to cpp")
    parser.add_argument("--against", type=Path, metavar="TRACE", help="compare with this one")
    parser.add_argument("--save", type=Path, metavar="FOLDER", default=Path("difference"),
                        help="inputs of the first call that differs, as .npy")  # fmt: skip
    options = completed(parser).parse_args(arguments)
    last = options.until
    if options.last not in (None, "cpp", "python"):
        try:
            last = int(options.last)
        except ValueError:
            parser.error(f"--to {options.last}: the number of a call, cpp or python")
    from pyaclnn.trace import programs, replay

    trace = Trace(options.trace)
    if options.last in ("cpp", "python"):
        write = programs.to_cpp if options.last == "cpp" else programs.to_python
        try:
            print(write(trace, list(replay.operator_calls(trace, options.first, last))))
        except (ValueError, TypeError) as error:
            raise TraceError(str(error)) from None
        return 0
    against = Trace(options.against) if options.against else None
    outcome = replay.run(trace, options.first, last, against, options.save)
    print(
        f"{outcome.calls} calls made again; outputs: {outcome.exact} equal to the bit, "
        f"{outcome.close} within tolerance, {len(outcome.differences)} differ, "
        f"{outcome.unknown} not recorded"
    )
    for call, why in outcome.left_out[:10]:
        print(f"not made: {call.number} {call.operator}: {why}")
    for number, found in enumerate(outcome.differences[:10]):
        print(f"{'first difference' if not number else 'then'}: {found.call.number} "
              f"{found.call.operator} {found.parameter}: {found.what}")  # fmt: skip
        if not number:
            print(f"  {summary.line(found.call.first_phase or found.call)}")
            print(f"  what it read is in {options.save}, if it was recorded")
    return 1 if outcome.differences else 0


def _diff(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.trace diff",
        description="Compare the operators and collectives of two traces, call by call.",
    )
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    options = completed(parser).parse_args(arguments)
    changes = list(difference.compare(Trace(options.before), Trace(options.after)))
    for change in changes:
        one, other = change.one, change.other
        numbers = " -> ".join(str(c.number) for c in (one, other) if c)
        name = next(c.name for c in (one, other) if c)
        print(f"{change.kind} {numbers} {name}: {change.what}")
    print(f"{len(changes)} differences" if changes else "the same calls")
    return 1 if changes else 0


_COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "show": _show,
    "replay": _replay,
    "diff": _diff,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, or record a program."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if asked := command_to_complete(_COMMANDS):
        given = [asked]
    command = _COMMANDS.get(given[0]) if given else None
    try:
        return command(given[1:]) if command else _record(given)
    except (TraceError, AclError, OSError, MemoryError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    run_command(main)
