"""Programs that stand in pages of the documentation, and what the pages say they print."""

from __future__ import annotations

import re
from pathlib import Path

import toolchain


def shown(page: str, name: str) -> tuple[str, str]:
    """Return a program of a page in ``docs/``, and the text that the page shows below it."""
    text = (Path(toolchain.REPOSITORY) / "docs" / page).read_text(encoding="utf-8")
    found = re.search(
        rf"<!-- run: {name} -->\n```python\n(.*?)```.*?\n```\n(.*?)```", text, re.DOTALL
    )
    assert found is not None
    return found[1], found[2]
