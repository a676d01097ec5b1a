"""What the page for users shows of torch_npu."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import toolchain

if TYPE_CHECKING:
    from conftest import Client

pytestmark = pytest.mark.clients

PAGE = (toolchain.REPOSITORY / "docs" / "without-an-npu.md").read_text(encoding="utf-8")


def shown(name: str) -> tuple[str, str]:
    """Return a program of the page, and the text that the page shows below it."""
    found = re.search(
        rf"<!-- run: {name} -->\n```python\n(.*?)```.*?\n```\n(.*?)```", PAGE, re.DOTALL
    )
    assert found is not None
    return found[1], found[2]


def run(name: str, client: Client, folder: Path) -> tuple[str, str, str]:
    program, expected = shown(name)
    (folder / "program.py").write_text(program)
    done = client.run("program.py", cwd=folder)
    return done.stdout, done.stderr, expected


def test_the_program_prints_what_the_page_says(client: Client, tmp_path: Path) -> None:
    output, errors, expected = run("torch_npu", client, tmp_path)

    assert output == expected, errors


def test_a_missing_operator_is_named_as_the_page_says(client: Client, tmp_path: Path) -> None:
    _, errors, expected = run("missing", client, tmp_path)

    assert expected.strip() in errors
