"""A trace as a timeline: JSON that Perfetto and chrome://tracing open, or one page of HTML."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any

from pyaclnn.trace import summary
from pyaclnn.trace.reader import Call, Trace


def events(trace: Trace, calls: list[Call]) -> Iterator[dict[str, Any]]:
    """Yield the events: threads and streams as rows, flows from a call to its place on a stream.

    Calls alone do not tell when work on a stream runs. It is shown from the call to the return of
    the first wait that covers it, in the order of the stream.
    """
    if not calls:
        return
    origin = min(c.begin for c in calls)
    rows: set[tuple[int, int, str]] = set()
    for call in calls:
        end = call.end or call.begin
        yield {
            "ph": "X", "name": call.name, "cat": "host", "pid": call.process, "tid": call.thread,
            "ts": (call.begin - origin) / 1e3, "dur": max(0, end - call.begin) / 1e3,
            "args": {"call": call.number, **{n: str(v) for n, v in call.arguments.items()},
                     "status": call.result},
        }  # fmt: skip
        rows.add((call.process, call.thread, f"thread {call.thread}"))
    for call, row, begin, end in _submitted(calls):
        rows.add((call.process, row, f"stream {summary.stream_of(call):#x}"))
        flow = {"name": "launch", "cat": "launch", "id": call.number, "pid": call.process}
        start = (call.begin - origin) / 1e3
        yield {"ph": "s", "tid": call.thread, "ts": start, **flow}
        yield {"ph": "f", "bp": "e", "tid": row, "ts": (begin - origin) / 1e3, **flow}
        yield {
            "ph": "X", "name": call.operator or call.name, "cat": "stream", "pid": call.process,
            "tid": row, "ts": (begin - origin) / 1e3, "dur": max(0, end - begin) / 1e3,
            "args": {"call": call.number},
        }  # fmt: skip
    for process, row, name in sorted(rows):
        yield {"ph": "M", "name": "thread_name", "pid": process, "tid": row, "args": {"name": name}}
    held = 0
    steps = [(a.begin, a.size) for a in summary.allocations(calls)]
    steps += [(a.end, -a.size) for a in summary.allocations(calls) if a.end]
    for moment, change in sorted(steps):
        held += change
        yield {
            "ph": "C", "name": "device memory", "pid": calls[0].process,
            "ts": (moment - origin) / 1e3, "args": {"bytes": held},
        }  # fmt: skip


def _submitted(calls: list[Call]) -> Iterator[tuple[Call, int, int, int]]:
    """Yield work on streams: the call, a row's number, and from when to when it may have run."""
    rows: dict[tuple[int, int], int] = {}
    pending: dict[tuple[int, int], list[Call]] = {}

    def settle(key: tuple[int, int], end: int) -> Iterator[tuple[Call, int, int, int]]:
        works = pending.pop(key, [])
        for i, work in enumerate(works):
            until = works[i + 1].begin if i + 1 < len(works) else end
            yield work, rows[key], work.begin, max(work.begin, until)

    for call in calls:
        stream = summary.stream_of(call)
        if call.name.startswith("aclrtSynchronizeDevice"):
            for key in [k for k in pending if k[0] == call.process]:
                yield from settle(key, call.end or call.begin)
        if stream is None:
            continue
        key = (call.process, stream)
        rows.setdefault(key, 1 << 24 | len(rows))
        if call.name.startswith("aclrtSynchronizeStream"):
            yield from settle(key, call.end or call.begin)
        elif call.first_phase is not None or call.name.startswith(("aclrtMemcpyAsync", "Hccl")):
            pending.setdefault(key, []).append(call)
    for key in list(pending):
        last = pending[key][-1]
        yield from settle(key, last.end or last.begin)


def to_chrome(trace: Trace, calls: list[Call]) -> str:
    """Return the events as JSON."""
    return json.dumps({"traceEvents": list(events(trace, calls)), "displayTimeUnit": "ms"})


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Trace</title>
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<style>
body{font:14px/1.5 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
table{border-collapse:collapse}td,th{padding:2px 10px;text-align:left;border-bottom:1px solid #ddd}
canvas{width:100%;border:1px solid #ccc}pre{white-space:pre-wrap}#at{min-height:3em}
</style></head><body>
<h1>Trace</h1><p>Wheel: zoom, drag: move, click: what it is.</p>
<canvas id="c" height="HEIGHT"></canvas><pre id="at"></pre>
<pre>SUMMARY</pre>
<table><tr><th>call<th>process/thread<th>function<th>arguments<th>status<th>&micro;s</tr>ROWS</table>
<script id="data" type="application/json">DATA</script>
<script>
const E=JSON.parse(document.getElementById('data').textContent),X=E.filter(e=>e.ph==='X');
const N={};E.filter(e=>e.ph==='M').forEach(e=>N[e.pid+'/'+e.tid]=e.args.name);
const K=[...new Set(X.map(e=>e.pid+'/'+e.tid))].sort(),c=document.getElementById('c');
const end=Math.max(...X.map(e=>e.ts+e.dur),1);let a=0,b=end,drag=null;const g=c.getContext('2d');
function hue(s){let h=0;for(const x of s)h=(h*31+x.charCodeAt(0))%360;return h}
function draw(){c.width=c.clientWidth;g.clearRect(0,0,c.width,c.height);g.font='11px sans-serif';
 for(const e of X){const x=(e.ts-a)/(b-a)*c.width,w=Math.max(1,e.dur/(b-a)*c.width);
  if(x>c.width||x+w<0)continue;const y=K.indexOf(e.pid+'/'+e.tid)*34+14;
  g.fillStyle='hsl('+hue(e.name)+',60%,70%)';g.fillRect(x,y,w,18);
  if(w>40){g.fillStyle='#000';g.fillText(e.name,x+2,y+13,w-4)}}
 g.fillStyle='#444';K.forEach((k,i)=>g.fillText(k.split('/')[0]+' '+(N[k]||k),2,i*34+11))}
c.onwheel=v=>{v.preventDefault();const m=a+(b-a)*v.offsetX/c.clientWidth,f=v.deltaY>0?1.25:.8;
 a=m-(m-a)*f;b=m+(b-m)*f;draw()};
c.onmousedown=v=>drag=v.offsetX;window.onmouseup=()=>drag=null;
c.onmousemove=v=>{if(drag===null)return;const d=(drag-v.offsetX)/c.clientWidth*(b-a);a+=d;b+=d;
 drag=v.offsetX;draw()};
c.onclick=v=>{const t=a+(b-a)*v.offsetX/c.clientWidth,k=K[Math.floor(v.offsetY/34)];
 const e=X.find(e=>e.pid+'/'+e.tid===k&&e.ts<=t&&t<=e.ts+Math.max(e.dur,(b-a)/c.clientWidth));
 document.getElementById('at').textContent=e?JSON.stringify(e,null,1):''};
window.onresize=draw;draw();
</script></body></html>
"""


def to_html(trace: Trace, calls: list[Call]) -> str:
    """Return a page that needs nothing else: summary, timeline, and a table of the calls."""
    listed = list(events(trace, calls))
    rows = "".join(
        f"<tr><td>{c.number}<td>{c.process}/{c.thread}<td>{html.escape(c.name)}<td>"
        + html.escape(", ".join(f"{n}={v}" for n, v in c.arguments.items()))
        + f"<td>{c.result}<td>{(c.end - c.begin) / 1e3 if c.end else -1:.1f}"
        for c in calls[:5000]
    )
    number = len({(e["pid"], e["tid"]) for e in listed if e["ph"] == "X"})
    # Escaped, so that no text ends the script element around it.
    data = json.dumps(listed).replace("<", "\\u003c")
    parts = {
        "HEIGHT": str(34 * number + 8),
        "SUMMARY": html.escape("\n".join(summary.report(trace, calls))),
        "ROWS": rows, "DATA": data,
    }  # fmt: skip
    page = _PAGE
    before, _, rest = page.partition("HEIGHT")
    result = [before, parts["HEIGHT"]]
    for key in ("SUMMARY", "ROWS", "DATA"):
        before, _, rest = rest.partition(key)
        result += [before, parts[key]]
    return "".join([*result, rest])
