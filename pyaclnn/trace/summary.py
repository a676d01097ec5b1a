"""The summary of a trace: operators, streams, memory, copies, waits, the first NaN."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pyaclnn.trace.reader import Call, Trace, TraceError

#: aclrtMemcpyKind -> what it is.
COPIES = {
    0: "host to host", 1: "host to device", 2: "device to host", 3: "device to device",
    4: "by address", 5: "host to device, by way of a buffer", 6: "device to device",
    7: "between devices",
}  # fmt: skip


@dataclass
class Total:
    """Calls of one kind, together."""

    calls: int = 0
    failed: int = 0
    nanoseconds: int = 0
    bytes: int = 0
    shapes: Counter[str] = field(default_factory=Counter)


class Allocation(NamedTuple):
    """An allocation: its caller, and when it was made and freed (0: never)."""

    address: int
    size: int
    begin: int
    end: int
    call: Call


def operators(calls: Iterable[Call]) -> dict[str, Total]:
    """Return the time of operators, both phases together, the slowest first."""
    found: defaultdict[str, Total] = defaultdict(Total)
    for call in calls:
        if not call.operator:
            continue
        total = found[call.operator]
        total.nanoseconds += max(0, call.end - call.begin) if call.end else 0
        total.failed += call.failed
        if call.name.endswith("GetWorkspaceSize"):
            tensors = [t for _, _, _, t in call.tensors()]
            total.bytes += sum(t.bytes for t in tensors)
            total.shapes[", ".join(map(str, tensors[:4])) + ", ..." * (len(tensors) > 4)] += 1
        else:
            total.calls += 1
    return dict(sorted(found.items(), key=lambda item: -item[1].nanoseconds))


def functions(calls: Iterable[Call]) -> dict[str, Total]:
    """Return the time of all other functions."""
    found: defaultdict[str, Total] = defaultdict(Total)
    for call in calls:
        if not call.operator:
            total = found[call.name]
            total.calls += 1
            total.failed += call.failed
            total.nanoseconds += max(0, call.end - call.begin) if call.end else 0
    return dict(sorted(found.items(), key=lambda item: -item[1].nanoseconds))


def stream_of(call: Call) -> int | None:
    """Return the stream that a call gives work to, if it does."""
    if "stream" not in call.function.parameters or call.name.startswith(
        ("aclrtCreate", "aclrtDestroy")
    ):
        return None
    stream = call.arguments["stream"]
    return int(stream)


def waits(calls: Iterable[Call]) -> Iterator[Call]:
    """Yield the calls that wait on the host."""
    for call in calls:
        if call.name.startswith("aclrtSynchronize"):
            yield call


def copies(calls: Iterable[Call]) -> dict[str, Total]:
    """Return copies by their direction."""
    found: defaultdict[str, Total] = defaultdict(Total)
    for call in calls:
        if call.name.startswith("aclrtMemcpy") and {"kind", "count"} <= set(call.arguments):
            total = found[COPIES.get(call.arguments["kind"], f"kind {call.arguments['kind']}")]
            total.calls += 1
            total.bytes += call.arguments["count"]
            total.nanoseconds += max(0, call.end - call.begin) if call.end else 0
    return dict(found)


def allocations(calls: Iterable[Call]) -> list[Allocation]:
    """Return what device memory was asked for with ``aclrtMalloc`` and its like."""
    held: dict[tuple[int, int], Call] = {}
    found = []

    def over(process: int, address: int, end: int) -> None:
        call = held.pop((process, address), None)
        if call:
            found.append(Allocation(address, call.arguments["size"], call.begin, end, call))

    for call in calls:
        if call.name.startswith("aclrtMalloc") and not call.failed and call.end:
            if "Host" not in call.name and {"devPtr", "size"} <= set(call.arguments):
                held[call.process, call.arguments["devPtr"]] = call
        elif call.name in ("aclrtFree", "aclrtFreeAsync"):
            over(call.process, next(iter(call.arguments.values())), call.begin)
    for process, address in list(held):
        over(process, address, 0)
    return sorted(found, key=lambda a: a.begin)


def memory(calls: Iterable[Call]) -> tuple[int, int, list[Allocation]]:
    """Return the peak of device memory, when it was, and what was held then."""
    found = allocations(calls)
    steps = [(a.begin, a.size) for a in found] + [(a.end, -a.size) for a in found if a.end]
    now = peak = when = 0
    for moment, change in sorted(steps):
        now += change
        if now > peak:
            peak, when = now, moment
    held = [a for a in found if a.begin <= when and (not a.end or a.end > when)]
    return peak, when, sorted(held, key=lambda a: -a.size)


def first_user(trace: Trace, allocation: Allocation) -> str:
    """Return the operator that used an allocation first, which is shown as its owner."""
    for call in trace.calls[allocation.call.number :]:
        if allocation.end and call.begin > allocation.end:
            break
        if call.process != allocation.call.process or not call.operator:
            continue
        if call.arguments.get("workspace") and call.arguments["workspace"] == allocation.address:
            return f"workspace of {call.operator}"
        for number, _, _, tensor in call.tensors():
            if allocation.address <= tensor.address < allocation.address + allocation.size:
                return f"{call.function.parameters[number]} of {call.operator}, {tensor}"
    return "no operator"


class Unsound(NamedTuple):
    """A tensor that holds NaN or infinity."""

    call: Call
    parameter: str
    nans: int
    infinities: int
    after: bool


def unsound(calls: Iterable[Call]) -> Iterator[Unsound]:
    """Yield tensors that held NaN or infinity, in order: the first output is where it began."""
    for call in calls:
        for content in call.contents:
            if content.form in ("statistics", "full") and (content.nans or content.infinities):
                names = call.first_phase.function.parameters if call.first_phase else ()
                name = names[content.parameter] if content.parameter < len(names) else "?"
                yield Unsound(call, name, content.nans, content.infinities, content.after)


def chosen(trace: Trace, **wanted: str | int | None) -> list[Call]:
    """Return the calls that pass the filters."""
    calls = trace.calls
    operator = wanted.get("operator")
    if operator:
        name = str(operator).removeprefix("aclnn").lower()
        calls = [c for c in calls if c.operator.lower() == name]
    if wanted.get("function"):
        calls = [c for c in calls if str(wanted["function"]) in c.name]
    for key in ("process", "thread"):
        if wanted.get(key) is not None:
            calls = [c for c in calls if getattr(c, key) == wanted[key]]
    if wanted.get("stream") is not None:
        calls = [c for c in calls if stream_of(c) == wanted["stream"]]
    first, last = wanted.get("first"), wanted.get("last")
    if first is not None or last is not None:
        low = int(first) if first is not None else 0
        high = int(last) if last is not None else len(trace.calls)
        if low > high:
            raise TraceError(f"from {low} to {high} there are no calls")
        calls = [c for c in calls if low <= c.number <= high]
    return calls


def line(call: Call) -> str:
    """Return a call as one line."""
    shown = ", ".join(f"{n}={_value(n, v)}" for n, v in call.arguments.items())
    took = f"{(call.end - call.begin) / 1e3:.1f} us" if call.end else "not returned"
    status = f" = {call.result}" if call.function.codes[0] == "i" else ""
    return f"{call.number:6} {call.process}/{call.thread} {call.name}({shown}){status}  {took}"


def _value(name: str, value: object) -> str:
    if isinstance(value, int) and value > 0xFFFFFF and "ize" not in name and name != "count":
        return f"{value:#x}"
    return "null" if value is None else str(value)


def size(number: float) -> str:
    """Return bytes in a unit that suits."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(number) < 1024 or unit == "GiB":
            break
        number /= 1024
    return f"{number:.4g} {unit}"


def report(trace: Trace, calls: list[Call], limit: int = 20) -> Iterator[str]:
    """Yield the lines of a summary."""
    processes = sorted({c.process for c in calls})
    span = (max((c.end or c.begin) for c in calls) - calls[0].begin) / 1e6 if calls else 0
    failed = [c for c in calls if c.failed]
    yield (
        f"{len(calls)} calls of {len(processes)} process(es), {len({c.thread for c in calls})} "
        f"thread(s) in {span:.1f} ms; {len(failed)} failed"
    )
    yield ""
    head = f"{'calls':>7} {'failed':>6} {'host ms':>9}"
    yield f"{'operator':36} {head} {'bytes':>9}  shapes"
    for name, total in list(operators(calls).items())[:limit]:
        shapes = next(iter(total.shapes), "")
        more = f" and {len(total.shapes) - 1} more" if len(total.shapes) > 1 else ""
        yield (
            f"{name[:36]:36} {total.calls:7} {total.failed:6} {total.nanoseconds / 1e6:9.2f} "
            f"{size(total.bytes):>9}  {shapes}{more}"
        )
    yield ""
    yield f"{'function':36} {head}"
    for name, total in list(functions(calls).items())[:limit]:
        yield f"{name[:36]:36} {total.calls:7} {total.failed:6} {total.nanoseconds / 1e6:9.2f}"
    streams = Counter(s for c in calls if (s := stream_of(c)) is not None)
    yield ""
    yield "streams: " + (", ".join(f"{s:#x} {n} calls" for s, n in streams.most_common()) or "none")
    for name, total in copies(calls).items():
        yield f"copies {name}: {total.calls}, {size(total.bytes)}, {total.nanoseconds / 1e6:.2f} ms"
    waited = list(waits(calls))
    took = sum(max(0, c.end - c.begin) for c in waited if c.end)
    yield f"waits of the host: {len(waited)}, {took / 1e6:.2f} ms"
    workspace = [
        c for c in calls if c.operator and c.arguments.get("workspaceSize") and c.first_phase
    ]
    if workspace:
        most = max(workspace, key=lambda c: c.arguments["workspaceSize"])
        yield f"workspace: at most {size(most.arguments['workspaceSize'])}, of {most.operator}"
    peak, when, held = memory(calls)
    if held:
        after = (when - calls[0].begin) / 1e6
        yield f"device memory: peak {size(peak)}, {after:.1f} ms after the begin"
        for allocation in held[:5]:
            yield f"  {size(allocation.size):>9} for {first_user(trace, allocation)}"
    open_calls = [c for c in calls if not c.end]
    for call in open_calls[-3:]:
        yield f"not returned: {line(call)}"
    for call in failed[:5]:
        yield f"failed: {line(call)}"
    yield from _numbers(calls)


def as_data(calls: list[Call]) -> dict[str, object]:
    """Return the summary as data."""
    peak, when, _ = memory(calls)
    kinds = {"operators": operators(calls), "functions": functions(calls), "copies": copies(calls)}
    return {
        "calls": len(calls),
        "processes": sorted({c.process for c in calls}),
        **{
            kind: {n: {**vars(t), "shapes": dict(t.shapes)} for n, t in totals.items()}
            for kind, totals in kinds.items()
        },
        "memory": {"peak": peak, "at": when},
        "failed": [c.number for c in calls if c.failed],
        "unsound": [(u.call.number, u.parameter, u.nans, u.infinities) for u in unsound(calls)],
    }


def _numbers(calls: list[Call]) -> Iterator[str]:
    if not any(c.contents for c in calls):
        return
    first = next(unsound(calls), None)
    if first is None:
        yield "no NaN and no infinity in what was looked at"
        return
    when = "after" if first.after else "before"
    yield (
        f"first NaN or infinity: {first.parameter} {when} call {first.call.number} "
        f"{first.call.operator}: {first.nans} NaN, {first.infinities} infinite"
    )
    if first.call.first_phase:
        yield f"  {line(first.call.first_phase)}"
    for content in first.call.contents:
        names = first.call.first_phase.function.parameters if first.call.first_phase else ()
        name = names[content.parameter] if content.parameter < len(names) else "?"
        yield (
            f"  {'after ' if content.after else 'before'} {name}: {content.minimum:.6g} to "
            f"{content.maximum:.6g}, mean {content.mean:.6g}, {content.nans} NaN, "
            f"{content.infinities} infinite"
        )
