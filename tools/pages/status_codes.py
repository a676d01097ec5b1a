"""The page of status codes, from the table that errors are made from."""

from __future__ import annotations

from pyaclnn.abi import error_codes


def page() -> str:
    """Return the page: a table for each family of codes."""
    families: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for code, entry in sorted(error_codes().items()):
        families.setdefault(entry["family"], []).append((code, entry))
    lines = [
        "# Status codes",
        "",
        "What a call of CANN answers, and what usually causes it. `pa.check(code)` raises the",
        "exception of a code; `error.code`, `error.name`, `error.message` (CANN's own words) and",
        "`error.hint` are on the exception.",
        "What to look at first is on [](troubleshooting.md).",
    ]
    for family, entries in families.items():
        lines += [
            "",
            f"## {family.capitalize()}",
            "",
            # The search knows no numbers but these, and finds names in guides before.
            *(
                ":::{index} " + ", ".join(f"! {code}, ! {e['name']}" for code, e in entries),
                ":::",
            ),
            "",
            ":::{container} codes",
            "",
            "| code | name | meaning | what to do |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| {code} | `{e['name']}` | {_cell(e['meaning'])} | {_cell(e.get('hint', ''))} |"
            for code, e in entries
        ]
        lines += ["", ":::"]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")
