"""The figures of all samples, and the lists behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from recording.sample import STYLES

#: What a translation may take: processor seconds, MiB.
SECONDS, MEMORY = 10, 1024

#: Of a sample whose operators are in a package of its own.
_UNDEFINED = "undefined reference"

_ROWS = (
    ("complete", lambda r, s: r[s]["translated"] == 0),
    (f"over {SECONDS} s or {MEMORY >> 10} GiB", lambda r, s: _large(r[s])),
    ("links, and calls are compared", lambda r, s: r[s].get("verdict", "nothing") != "nothing"),
    ("  identical", lambda r, s: r[s].get("verdict") == "identical"),
    ("  other only in the format's name", lambda r, s: r[s].get("verdict") == "format"),
    ("  deviates, with a remark", lambda r, s: r[s].get("verdict") == "remarked"),
    ("  deviates without remark", lambda r, s: r[s].get("verdict") == "unremarked"),
)


def _large(found: dict[str, Any]) -> bool:
    return bool(found["seconds"] > SECONDS or found["memory"] > MEMORY)


def table(results: Sequence[dict[str, Any]]) -> str:
    """Return the figures.

    Parameters
    ----------
    results : sequence of dict
        Of `recording.sample.judge`.
    """
    linked = sum(not r["error"] for r in results)
    compiled = linked + sum(_UNDEFINED in r["error"] for r in results)
    lines = [
        f"{len(results)} samples, {compiled} compile ({_share(compiled, len(results))}), "
        f"{linked} link ({_share(linked, len(results))})",
        f"{'':36}" + "".join(f"{style:>18}" for style in STYLES),
    ]
    for title, counts in _ROWS:
        cells = [sum(map(bool, (counts(r, style) for r in results))) for style in STYLES]
        shown = "".join(f"{n:>8} {_share(n, len(results)):>9}" for n in cells)
        lines.append(f"{title:36}{shown}")
    return "\n".join(lines)


def _share(count: int, whole: int) -> str:
    return f"{100 * count / max(whole, 1):.1f} %"


def lists(results: Iterable[dict[str, Any]]) -> str:
    """Return a line for each sample that is not as it should be."""
    lines = []
    for result in sorted(results, key=lambda r: str(r["name"])):
        if result["error"]:
            step = "link" if _UNDEFINED in result["error"] else "compile"
            lines.append(f"{result['name']}: does not {step}: {_error(result['error'])}")
        for style in STYLES:
            found = result[style]
            where = f"{result['name']}, {style}"
            if found["translated"] != 0:
                why = " ".join(str(found.get("why", "")).split())[:160]
                lines.append(f"{where}: not complete: {why}")
            if _large(found):
                lines.append(f"{where}: {found['seconds']} s, {found['memory']} MiB")
            if found.get("verdict") in ("remarked", "unremarked"):
                lines.append(f"{where}: {found['verdict']}: {found['difference']}")
            for remark in found.get("remarks", ()):
                lines.append(f"    {remark}")
    return "\n".join(lines)


def _error(text: str) -> str:
    found = [line for line in text.splitlines() if _UNDEFINED in line]
    found += [line.partition("error: ")[2] for line in text.splitlines() if "error: " in line]
    return found[0] if found else text.strip().splitlines()[-1][:160]
